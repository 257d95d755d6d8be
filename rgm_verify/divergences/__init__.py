"""Divergences of two isotropic Gaussians: floating-point, symbolic, ball and simulated twins side by side."""
