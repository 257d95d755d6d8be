"""Lower bounds on the cost of relative noise: the divergence of explicit neighbours at explicit parameters.

An upper bound alone does not show that a recipe is unsafe. Two data sets that a recipe allows, and whose releases it
does not hide, do.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from rgm_verify.accounting.exact.renyi_curve import renyi_bounds
from rgm_verify.accounting.release import Release
from rgm_verify.experiments.methods.problem import TwoNodes, centred_labels
from rgm_verify.experiments.methods.sensitivities import largest_norm
from rgm_verify.gaussians.floating.renyi import renyi_of_pair
from rgm_verify.learning.data import FloatArray
from rgm_verify.learning.ridge import RidgeObjective

_FAR = np.concatenate([[0.0], np.logspace(-4, 8, 49)])  # distances from the optimum, four to a power of ten
_ROUNDINGS = 1e-6


@dataclass(frozen=True, eq=False)
class Exchange:
    """One record of a node goes, another comes: `(x, y)` and `(other, label)` around the node's centre."""

    x: FloatArray
    y: float
    other: FloatArray
    label: float

    def change(self, theta: FloatArray) -> FloatArray:
        """Return n times what the gradient loses, at the parameter `theta - centre`, shape (d,)."""
        return self.x * (self.x @ theta - self.y) - self.other * (self.other @ theta - self.label)

    def relative(self, objective: RidgeObjective) -> FloatArray:
        """Return `(x x^T - x' x'^T) A^-1`, shape (d, d)."""
        moved = np.outer(self.x, self.x) - np.outer(self.other, self.other)
        return np.asarray(np.linalg.solve(objective.hessian, moved).T, dtype=np.float64)


def reached_level(problem: TwoNodes, index: int, gamma: Fraction, sigma2: Fraction) -> float:
    """Return a Renyi level, at the order of the setup, that relative noise has on two neighbours: a lower bound.

    The record with the largest `|x| |A^-1 x|` or the largest gradient at the optimum is replaced, by zeros or by one as
    long as the others' lengths and leverages allow along an eigenvector of the Hessian; the parameters lie on the line
    from the optimum along which the gradient changes most.

    Args:
        index: of the node, 0 or 1.

    Returns:
        The best of these pairs, in floating point, less a millionth, which is far more than the rounding errors of such
        sums. `inf` where that divergence is infinite.
    """
    objective, d = problem.objectives[index], problem.dimension
    node = problem.nodes[index]
    start = objective.minimiser() - node.centre
    best = 0.0
    for exchange in _exchanges(problem, index):
        # The direction in which the gradient changes most relative to itself, far from the optimum.
        _, _, right = np.linalg.svd(exchange.relative(objective))
        # In coordinates of the gradient: where it points along the direction of largest change, the ratio is greatest.
        along = np.linalg.solve(objective.hessian, right[0])
        # On both sides and in powers of ten: near the optimum the absolute part counts, far away the relative one.
        points = start + np.concatenate([_FAR, -_FAR])[:, np.newaxis] * along
        gradients = (points - start) @ objective.hessian
        others = gradients - np.stack([exchange.change(point) for point in points]) / objective.records
        best = max(best, _largest(gradients, others, gamma, sigma2, float(problem.setup.fraction("order")), d))
    return best * (1 - _ROUNDINGS)


def reached_anywhere(problem: TwoNodes, index: int, gamma: Fraction) -> float:
    """Return a certified lower bound on the level over all data sets of this size within the bounds; `inf` if infinite.

    One record as long as allowed and zeros elsewhere have the Hessian `mu I + x x^T / n`, and all zeros `mu I`: far
    away along x, their gradients are in the ratio `1 + |x|^2 / (n mu)`, whatever the labels and the baseline noise are.
    """
    objective, setup = problem.objectives[index], problem.setup
    mu, longest = setup.fraction("regularization"), Fraction(largest_norm(problem, index))
    ratio = longest**2 / (objective.records * mu)
    return renyi_bounds(Release(ratio, gamma, problem.dimension), setup.fraction("order")).lower


def _exchanges(problem: TwoNodes, index: int) -> list[Exchange]:
    """Return exchanges that change the gradient much: relatively, and at the optimum."""
    node, objective = problem.nodes[index], problem.objectives[index]
    labels, at = centred_labels(node), objective.minimiser() - node.centre
    inverse = node.X @ np.linalg.inv(objective.hessian)
    norms, residuals = np.linalg.norm(node.X, axis=1), np.abs(node.X @ at - labels)
    images = np.linalg.norm(inverse, axis=1)
    leverage = float(np.multiply(node.X, inverse, out=inverse).sum(axis=1).max())
    values, vectors = objective.spectrum
    # As long as the others allow, so that the neighbour is a data set that could have been drawn.
    lengths = np.minimum(norms.max(), np.sqrt(leverage * values))
    comers = [np.zeros(len(values)), *(vectors * lengths).T]
    found = []
    for leaver in {int((norms * images).argmax()), int((norms * residuals).argmax())}:
        x, y = node.X[leaver], float(labels[leaver])
        choices = [Exchange(x, y, other, _worst_label(other, at, labels)) for other in comers]
        # By either measure: the worst pair near the optimum and the one far away need not be the same.
        found.append(max(choices, key=lambda each: float(np.linalg.norm(each.relative(objective), 2))))
        found.append(max(choices, key=lambda each: float(np.linalg.norm(each.change(at)))))
    return found


def _worst_label(other: FloatArray, at: FloatArray, labels: FloatArray) -> float:
    """Return the label of the data's largest size with which the gradient of `other` is longest at the optimum."""
    largest = float(np.abs(labels).max())
    return -largest if other @ at > 0 else largest


def _largest(
    first: FloatArray, second: FloatArray, gamma: Fraction, sigma2: Fraction, order: float, dimension: int
) -> float:
    """Return the largest divergence of the laws of two gradients, over pairs (m, d), in both orders."""
    best = 0.0
    for p, q in ((first, second), (second, first)):
        wide, narrow = (float(gamma) * np.square(g).sum(axis=1) + float(sigma2) for g in (p, q))
        shift, excess = np.square(p - q).sum(axis=1) / narrow, wide / narrow - 1
        # One infinite divergence is enough: the supremum is infinite.
        if (1 - (order - 1) * excess <= 0).any():
            return np.inf
        best = max(best, float(renyi_of_pair(np.full(len(p), order), shift, excess, dimension).max()))
    return best
