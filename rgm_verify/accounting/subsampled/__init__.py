"""Certified accounting of DP-SGD: Gaussian noise on a random sample of records, composed over all steps."""
