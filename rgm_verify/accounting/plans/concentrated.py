"""Mechanisms of which only their zero-concentrated privacy is known, as a unit of an account.

`rho`-zCDP bounds the Renyi divergence of each order `a > 1` by `a rho`, in both orders of two neighbours. So their
curve is at most `g(l) = exp((a - 1)(a rho - l)) (1 - 1/a)^a / (a - 1)` at every level `l` and for every order
(`beyond:improved-conversion`), and at most `1 - e^l (1 - g(-l))` by the other order. A curve is convex in `e^l`: it
lies below the chords through any of these values, whose loss therefore dominates. Below it there is Gaussian noise of
the same `rho`, which is one such mechanism; the worst of them may lie between the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rgm_verify.accounting.conversion import delta_from_renyi, epsilon_from_renyi
from rgm_verify.accounting.plans.units import GaussianSides, GaussianUnit, PlannedUnit
from rgm_verify.accounting.subsampled.guide import FloatArray, Outputs
from rgm_verify.accounting.subsampled.simple import Simple, gaussian_delta, gaussian_epsilon
from rgm_verify.accounting.subsampled.units import Power
from rgm_verify.balls.arithmetic import ball, precision
from rgm_verify.gaussians.certified.noise_cells import chords, noise_bits
from rgm_verify.gaussians.certified.sampled_cells import LatticeLoss
from rgm_verify.numbers.bounds import Bounds, round_up

__all__ = ["ConcentratedUnit"]

_ABOVE = "zero-concentrated privacy, converted at the best order"
_BELOW = "Gaussian noise of the same rho"
_HEAVIER = Fraction(3, 2)  # of rho: the bound of a tail is above that of Gaussian noise, and a guide has to reach it
_BISECTIONS = 80


@dataclass(frozen=True)
class ConcentratedUnit(PlannedUnit):
    """All mechanisms of a plan that are zero-concentrated, with the sum of their `rho`: together they have that."""

    rho: Fraction
    lattice: None = None
    smooth: bool = True
    steps: int = 1
    matched: bool = False

    @property
    def simple(self) -> Simple:
        """Its `rho`."""
        return Simple(rho=self.rho)

    def outputs(self, log_tail: float) -> Outputs:
        """Return the outputs of Gaussian noise that loses a little more."""
        return GaussianUnit(2 * _HEAVIER * self.rho).outputs(log_tail)

    def sides(self, step: Fraction, edges: Sequence[int], middles: Sequence[int], log_tail: float) -> ConcentratedSides:
        """Return the losses between the multiples of the step."""
        return ConcentratedSides(self, step, tuple(edges), tuple(middles))

    def joined(self, other: PlannedUnit) -> PlannedUnit | None:
        """Return both together: their rho add up."""
        return ConcentratedUnit(self.rho + other.rho) if isinstance(other, ConcentratedUnit) else None

    def closed_epsilon(self, delta: Fraction) -> Bounds:
        """Return bounds at a `delta` in (0, 1)."""
        found = epsilon_from_renyi(lambda order: round_up(order * self.rho), delta, largest_order=None)
        return Bounds(gaussian_epsilon(delta, 2 * self.rho)[0], found.epsilon, _BELOW, _ABOVE)

    def closed_delta(self, epsilon: Fraction) -> Bounds:
        """Return bounds at an `epsilon` >= 0."""
        found = delta_from_renyi(lambda order: round_up(order * self.rho), epsilon, largest_order=None)
        return Bounds(gaussian_delta(epsilon, 2 * self.rho)[0], found.delta, _BELOW, _ABOVE)


@dataclass(frozen=True)
class ConcentratedSides:
    """Losses above every such mechanism and below the worst of them; both orders have the same."""

    unit: ConcentratedUnit
    step: Fraction
    edges: tuple[int, ...]
    middles: tuple[int, ...]

    def above(self, remove: bool) -> Power:
        """Return a loss that dominates."""
        return _through(self.unit.rho, self.step, self.edges), 1

    def below(self, remove: bool) -> Power:
        """Return a loss that Gaussian noise of the same `rho` dominates."""
        gaussian = GaussianUnit(2 * self.unit.rho)
        return GaussianSides(gaussian, self.step, self.edges, self.middles).below(remove)


def _through(rho: Fraction, step: Fraction, edges: Sequence[int]) -> LatticeLoss:
    """Return the loss whose curve joins the values of the bound at some of the edges by chords."""
    places = _corners(rho, float(step), edges)
    at = np.array(places) * float(step)
    turned = _turned(rho, at)
    orders = _orders(rho, np.where(turned, -at, at))
    with precision(noise_bits(step)):
        xs = [ball(place * step).exp() for place in places]
        values = [
            1 - x * (1 - _bound(rho, -place * step, float(order))) if other else _bound(rho, place * step, float(order))
            for place, x, order, other in zip(places, xs, orders, turned, strict=True)
        ]
    return chords(step, places, values, noise_bits(step))


def _bound(rho: Fraction, level: Fraction, excess: float) -> Any:
    """Return the bound of the curve at a level by the order `1 + excess`, as a ball: any order gives one."""
    x = ball(Fraction(excess))
    order = 1 + x
    return (x * (order * ball(rho) - ball(level)) + order * (x / order).log()).exp() / x


# ------------------------------------------------------------------------------------------------- guides, in floats


def _corners(rho: Fraction, step: float, edges: Sequence[int]) -> list[int]:
    """Return the edges at which the bound, in floats, lies on the greatest convex curve below it."""
    at = np.array(edges, dtype=np.float64) * step
    x, value = np.exp(at), np.where(_turned(rho, at), 1 - np.exp(at) * (1 - _float(rho, -at)), _float(rho, at))
    kept: list[int] = []
    for k in range(len(edges)):
        while len(kept) > 1:
            i, j = kept[-2:]
            if (value[j] - value[i]) * (x[k] - x[j]) < (value[k] - value[j]) * (x[j] - x[i]):
                break
            kept.pop()
        kept.append(k)
    return [edges[k] for k in kept]


def _turned(rho: Fraction, at: FloatArray) -> NDArray[np.bool_]:
    """Return for each level whether the other order of the laws gives the lesser bound."""
    return (at < 0) & (1 - np.exp(np.minimum(at, 0)) * (1 - _float(rho, -at)) < _float(rho, at))


def _float(rho: Fraction, at: FloatArray) -> FloatArray:
    """Return the bound at each level, at about the best order."""
    x = _orders(rho, at)
    return np.exp(x * ((1 + x) * float(rho) - at) + (1 + x) * np.log(x / (1 + x))) / x


def _orders(rho: Fraction, at: FloatArray) -> FloatArray:
    """Return about the best order for each level, less 1: where the derivative in the order is 0."""
    low, high = np.full(at.shape, -40.0), np.full(at.shape, 40.0)
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        x = np.exp(middle)
        rises = (1 + 2 * x) * float(rho) - at - np.log1p(1 / x) > 0
        low, high = np.where(rises, low, middle), np.where(rises, middle, high)
    found: FloatArray = np.exp((low + high) / 2)
    return found
