"""The kernel: a small checker of proofs over the rationals, which imports nothing that it checks."""
