"""Records of the experiments that are small enough to be committed: what they hold, made again, and read."""
