"""Divergences and privacy losses of a pair of Gaussians in ball arithmetic, with ends that are certain.

Two routes lead to the same numbers. The first is Laplace inversion by a trapezoid rule whose whole error is bounded
(`trapezoid`, steered by `steering`), at a cost that hardly grows with the dimension. The second is a difference of
chi-square tails by series (`chi_square`). Floats choose lines, nodes and precisions; they enter no result.
"""
