"""Records of the experiments that are small enough to be committed: what they hold, made again, and read.

Claims about the experiments are judged on these (`lenses.measured`), so that a verdict needs neither data nor hours.
"""
