"""The privacy cost of releases by the Relative Gaussian Mechanism: exact, as printed, composed, calibrated, audited."""
