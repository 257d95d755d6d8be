"""The problem that two nodes solve together: their objectives, the common minimiser, the step, and what is plotted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from rgm_verify.experiments.setup import Setup
from rgm_verify.learning.data import FloatArray
from rgm_verify.learning.ridge import RidgeObjective


class NodeLike(Protocol):
    """A node's data: its objective is the mean of `(x.t - y)^2 / 2`, plus `linear.t` and `mu/2 |t - centre|^2`.

    `X` is (n, d), `y` is (n,), `linear` and `centre` are (d,) and public.
    """

    @property
    def X(self) -> FloatArray:
        """Features, one record a row."""
        ...

    @property
    def y(self) -> FloatArray:
        """Labels."""
        ...

    @property
    def linear(self) -> FloatArray:
        """The linear term; zeros where there is none."""
        ...

    @property
    def centre(self) -> FloatArray:
        """The point to which the regularization pulls."""
        ...


@dataclass(frozen=True, eq=False)
class Quadratic:
    """`(theta - minimiser)^T hessian (theta - minimiser) / 2`: how far an objective is above its least value."""

    hessian: FloatArray
    minimiser: FloatArray

    @classmethod
    def of(cls, objective: RidgeObjective) -> Quadratic:
        """Return the excess of a ridge objective."""
        return cls(objective.hessian, objective.minimiser())

    def at(self, points: FloatArray) -> FloatArray:
        """Return the excess at points (..., d), shape (...): a sum of squares, so small values keep their digits."""
        # Not the difference of two values, which near the minimiser would be rounding errors.
        apart = points - self.minimiser
        return np.asarray(np.einsum("...i,ij,...j->...", apart, self.hessian, apart) / 2, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class TwoNodes:
    """The nodes of one run with their objectives; `setup` says how they are combined. Made by `TwoNodes.of`.

    Source: RGM paper (v2), Appendix C, eq. (79). The nodes descend along the mean of their objectives (claim
    `rgm:two-node-algorithm`), which is not the objective over all records where they hold different numbers of them
    (claim `beyond:two-node-pooled`).

    Attributes:
        nodes: the data.
        objectives: one for each node.
        setup: the choices.
    """

    nodes: tuple[NodeLike, NodeLike]
    objectives: tuple[RidgeObjective, RidgeObjective]
    setup: Setup

    @classmethod
    def of(cls, nodes: tuple[NodeLike, NodeLike], setup: Setup) -> TwoNodes:
        """Return the problem; `InputError` where features or labels are no finite numbers."""
        first, second = nodes
        return cls(nodes, (_objective(first, setup), _objective(second, setup)), setup)

    @property
    def dimension(self) -> int:
        """Number of features."""
        return self.objectives[0].dimension

    @property
    def records(self) -> int:
        """Number of records of both nodes, each as often as it counts."""
        return self.objectives[0].records + self.objectives[1].records

    @cached_property
    def mean(self) -> RidgeObjective:
        """The mean of the two objectives."""
        return _weighted(self.objectives, (0.5, 0.5))

    @cached_property
    def pooled(self) -> RidgeObjective:
        """The objective over all records, each with the same weight."""
        # Not what the nodes minimise, unless they hold as many records: it is plotted, and never descended.
        first, second = (each.records / self.records for each in self.objectives)
        return _weighted(self.objectives, (first, second))

    @cached_property
    def minimiser(self) -> FloatArray:
        """The minimiser of the mean, shape (d,)."""
        return self.mean.minimiser()

    @cached_property
    def plotted(self) -> Quadratic:
        """Return the value of an iterate that a curve shows: see `Setup.plotted`."""
        if self.setup.plotted == "distance":
            # Twice the identity, as a quadratic is half of its form.
            return Quadratic(2 * np.eye(self.dimension), self.minimiser)
        return Quadratic.of(self.pooled if self.setup.plotted == "pooled" else self.mean)

    @property
    def largest_curvature(self) -> float:
        """The larger one of the two largest eigenvalues."""
        return max(each.smoothness for each in self.objectives)

    def step(self, gamma: float = 0.0) -> float:
        """Return tau by the rule of the setup.

        Args:
            gamma: the larger noise ratio of the nodes, which the corrected theorem's step depends on.
        """
        rules = {
            "half": 0.5 / self.largest_curvature,
            "whole": 1.0 / self.largest_curvature,
            "mean": 0.5 / self.mean.smoothness,
            "theorem": 1.0 / ((1 + gamma * self.dimension) * self.largest_curvature),
        }
        return rules[self.setup.step]

    def start(self, generator: np.random.Generator) -> FloatArray:
        """Return the first iterate by the rule of the setup, shape (d,)."""
        if self.setup.start == "normal":
            return generator.standard_normal(self.dimension)
        return np.zeros(self.dimension)

    def gradients_at_minimiser(self) -> tuple[float, float]:
        """Return the norms of the nodes' gradients at the common minimiser: equal, and 0 for equal nodes."""
        first, second = (float(np.linalg.norm(each.gradient(self.minimiser))) for each in self.objectives)
        return first, second


def centred_labels(node: NodeLike) -> FloatArray:
    """Return `y - X.centre` (n,): in the parameter `theta - centre` the objective is a plain one with these labels.

    Args:
        node: with its labels and the point to which its regularization pulls.
    """
    return np.asarray(node.y - node.X @ node.centre, dtype=np.float64)


def known_labels(node: NodeLike, setup: Setup) -> FloatArray:
    """Return the labels (n,) that are secret: where the bias is public, those that were there before it.

    Args:
        node: as the split has made it.
        setup: says whether the bias is public.
    """
    return centred_labels(node) if setup.bias_known == "public" else node.y


def _objective(node: NodeLike, setup: Setup) -> RidgeObjective:
    """Return the node's objective; copies of records change nothing but their number."""
    plain = RidgeObjective.of(node.X, node.y, setup.regularization)
    # The linear and the regularizing term belong to no record, and are added to the sums over records.
    moment = plain.moment + plain.regularization * node.centre - node.linear
    return replace(plain, moment=moment, records=plain.records * setup.copies)


def _weighted(objectives: tuple[RidgeObjective, RidgeObjective], weights: tuple[float, float]) -> RidgeObjective:
    """Return a weighted sum of two objectives as an objective: quadratics add up by their coefficients."""
    pairs = list(zip(weights, objectives, strict=True))
    return RidgeObjective(
        np.asarray(sum(w * each.hessian for w, each in pairs), dtype=np.float64),
        np.asarray(sum(w * each.moment for w, each in pairs), dtype=np.float64),
        sum(w * each.half_labels for w, each in pairs),
        objectives[0].regularization,
        sum(each.records for each in objectives),
    )
