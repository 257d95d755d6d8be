"""Divergences and privacy losses of a pair of Gaussians in ball arithmetic, with ends that are certain."""
