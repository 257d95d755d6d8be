"""What a release by the Relative Gaussian Mechanism costs: exactly, as printed, composed, calibrated and audited."""
