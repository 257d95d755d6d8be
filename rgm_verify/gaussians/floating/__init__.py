"""Divergences and privacy losses of a pair of Gaussians in floating point, with errors that are measured.

For searches, plots and first guesses. A measured error is what tests have found against certified enclosures, and no
guarantee may be built on it: what errs on the safe side is in `gaussians.certified`.
"""
