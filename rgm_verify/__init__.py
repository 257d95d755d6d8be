"""An executable, certified companion to the Relative Gaussian Mechanism paper."""

__version__ = "0.1.0"
