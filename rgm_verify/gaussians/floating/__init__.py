"""Divergences and privacy losses of a pair of Gaussians in floating point, with errors that are measured."""
