"""One pair of Gaussians: its divergences and privacy losses, symbolic, floating, certified and simulated."""
