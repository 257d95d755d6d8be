"""Certified accounting of DP-SGD: Gaussian noise on a random sample of records, composed over all steps.

The losses of a step are put on a grid, once above and once below what they are; both are composed by a Fourier
transform with a proved error, and a grid is refined until the two ends meet. `account` has the numbers, `calibration`
the noise for a target, `attacks` what an attacker can do.
"""
