"""Mechanisms of which only their Renyi divergences are known, as a unit of an account.

`rho`-zCDP bounds the Renyi divergence of each order `a > 1` by `a rho`, a curve that is given by `e_a` for some orders,
in both orders of two neighbours. So their divergence is at most `g(l) = exp((a - 1)(e_a - l)) (1 - 1/a)^a / (a - 1)` at
every level `l` and for each of these orders (`beyond:improved-conversion`), and at most `1 - e^l (1 - g(-l))` by the
other order. A curve is convex in `e^l`: it lies below the chords through any of these values, whose loss therefore
dominates. Below it there is Gaussian noise whose divergences are at most those, which is one such mechanism; the worst
of them may lie between the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rgm_verify.accounting.conversion import delta_from_renyi, epsilon_from_renyi
from rgm_verify.accounting.plans.units import GaussianSides, GaussianUnit, PlannedUnit
from rgm_verify.accounting.subsampled.guide import FloatArray, Outputs
from rgm_verify.accounting.subsampled.simple import Simple, gaussian_delta, gaussian_epsilon
from rgm_verify.accounting.subsampled.units import Power
from rgm_verify.balls.arithmetic import ball, precision
from rgm_verify.balls.fourier import float_above
from rgm_verify.gaussians.certified.noise_cells import chords, noise_bits
from rgm_verify.gaussians.certified.sampled_cells import LatticeLoss
from rgm_verify.numbers.bounds import Bounds, round_up

__all__ = ["ConcentratedUnit", "RenyiUnit"]

_ABOVE = "zero-concentrated privacy, converted at the best order"
_TABLE = "Renyi divergences, converted at the best of the given orders"
_BELOW = "Gaussian noise of the same rho"
_HEAVIER = Fraction(3, 2)  # of rho: the bound of a tail is above that of Gaussian noise, and a guide has to reach it
_BISECTIONS = 80
_BITS = 200


class _ByOrders(PlannedUnit, Protocol):
    """What both kinds have in common: a divergence for each of some orders, and Gaussian noise below.

    Attributes:
        rho: of Gaussian noise whose divergences are at most the given ones.
    """

    rho: Fraction

    def divergence(self, excess: Fraction) -> Fraction:
        """Return the bound of the divergence of the order `1 + excess`, for which there is one."""
        ...

    def nearest(self, excess: Fraction) -> Fraction:
        """Return such an order, less 1, next to a float."""
        ...

    def orders(self, at: FloatArray) -> FloatArray:
        """Return about the best order for each level, less 1: a guide."""
        ...

    def outputs(self, log_tail: float) -> Outputs:
        """Return the outputs of Gaussian noise that loses a little more."""
        return GaussianUnit(2 * _HEAVIER * self.rho).outputs(log_tail)

    def sides(self, step: Fraction, edges: Sequence[int], middles: Sequence[int], log_tail: float) -> ConcentratedSides:
        """Return the losses between the multiples of the step."""
        return ConcentratedSides(self, step, tuple(edges), tuple(middles))


@dataclass(frozen=True)
class ConcentratedUnit(_ByOrders):
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

    def joined(self, other: PlannedUnit) -> PlannedUnit | None:
        """Return both together: their rho add up, and at each order of a table their divergences."""
        if isinstance(other, ConcentratedUnit):
            return ConcentratedUnit(self.rho + other.rho)
        return other.joined(self) if isinstance(other, RenyiUnit) else None

    def closed_epsilon(self, delta: Fraction) -> Bounds:
        """Return bounds at a `delta` in (0, 1)."""
        found = epsilon_from_renyi(lambda order: round_up(order * self.rho), delta, largest_order=None)
        return Bounds(gaussian_epsilon(delta, 2 * self.rho)[0], found.epsilon, _BELOW, _ABOVE)

    def closed_delta(self, epsilon: Fraction) -> Bounds:
        """Return bounds at an `epsilon` >= 0."""
        found = delta_from_renyi(lambda order: round_up(order * self.rho), epsilon, largest_order=None)
        return Bounds(gaussian_delta(epsilon, 2 * self.rho)[0], found.delta, _BELOW, _ABOVE)

    def nearest(self, excess: Fraction) -> Fraction:
        """Return the order itself: all are known."""
        return excess

    def divergence(self, excess: Fraction) -> Fraction:
        """Return what this `rho` says of an order."""
        return (1 + excess) * self.rho

    def orders(self, at: FloatArray) -> FloatArray:
        """Return about the best order for each level, less 1: where the derivative in the order is 0."""
        low, high = np.full(at.shape, -40.0), np.full(at.shape, 40.0)
        for _ in range(_BISECTIONS):
            middle = (low + high) / 2
            x = np.exp(middle)
            rises = (1 + 2 * x) * float(self.rho) - at - np.log1p(1 / x) > 0
            low, high = np.where(rises, low, middle), np.where(rises, middle, high)
        found: FloatArray = np.exp((low + high) / 2)
        return found


@dataclass(frozen=True)
class RenyiUnit(_ByOrders):
    """Mechanisms of which a table has bounds of their divergences, those of all of them together.

    Attributes:
        curve: for each order above 1 the bound, in nats; in increasing orders.
        rho: of Gaussian noise below.
    """

    curve: tuple[tuple[Fraction, Fraction], ...]
    rho: Fraction
    lattice: None = None
    smooth: bool = True
    steps: int = 1
    matched: bool = False

    @property
    def simple(self) -> Simple:
        """Nothing: a table says nothing of other orders."""
        return Simple()

    def joined(self, other: PlannedUnit) -> PlannedUnit | None:
        """Return both together where both are known at these orders."""
        if isinstance(other, ConcentratedUnit):
            more = [order * other.rho for order, _ in self.curve]
        elif isinstance(other, RenyiUnit) and [a for a, _ in self.curve] == [a for a, _ in other.curve]:
            more = [value for _, value in other.curve]
        else:
            return None
        curve = tuple((order, value + plus) for (order, value), plus in zip(self.curve, more, strict=True))
        return RenyiUnit(curve, self.rho + other.rho)

    def closed_epsilon(self, delta: Fraction) -> Bounds:
        """Return bounds at a `delta` in (0, 1)."""
        with precision(_BITS):
            found = []
            for order, value in self.curve:
                a = ball(order)
                end = ball(value) + ((a - 1) / a).log() - (ball(delta) * a).log() / (a - 1)
                found.append(max(0.0, float_above(end)))
        return Bounds(min(gaussian_epsilon(delta, 2 * self.rho)[0], min(found)), min(found), _BELOW, _TABLE)

    def closed_delta(self, epsilon: Fraction) -> Bounds:
        """Return bounds at an `epsilon` >= 0."""
        with precision(_BITS):
            found = [float_above(_bound(value, epsilon, order - 1)) for order, value in self.curve]
        return Bounds(gaussian_delta(epsilon, 2 * self.rho)[0], min(1.0, *found), _BELOW, _TABLE)

    def divergence(self, excess: Fraction) -> Fraction:
        """Return what the table says of one of its orders."""
        return dict(self.curve)[1 + excess]

    def nearest(self, excess: Fraction) -> Fraction:
        """Return the order of the table, less 1, that is next to a float."""
        return min((order - 1 for order, _ in self.curve), key=lambda other: abs(other - excess))

    def orders(self, at: FloatArray) -> FloatArray:
        """Return the best of the orders at each level, less 1."""
        x = np.array([float(order - 1) for order, _ in self.curve])[:, None]
        value = np.array([float(value) for _, value in self.curve])[:, None]
        logs = x * (value - at[None, :]) + (1 + x) * np.log(x / (1 + x)) - np.log(x)
        found: FloatArray = x[np.argmin(logs, axis=0), 0]
        return found


@dataclass(frozen=True)
class ConcentratedSides:
    """Losses above every such mechanism and below the worst of them; both orders have the same."""

    unit: _ByOrders
    step: Fraction
    edges: tuple[int, ...]
    middles: tuple[int, ...]

    def above(self, remove: bool) -> Power:
        """Return a loss that dominates."""
        return _through(self.unit, self.step, self.edges), 1

    def below(self, remove: bool) -> Power:
        """Return a loss that Gaussian noise of the same `rho` dominates."""
        gaussian = GaussianUnit(2 * self.unit.rho)
        return GaussianSides(gaussian, self.step, self.edges, self.middles).below(remove)


def _through(unit: _ByOrders, step: Fraction, edges: Sequence[int]) -> LatticeLoss:
    """Return the loss whose curve joins the values of the bound at some of the edges by chords."""
    places = _corners(unit, float(step), edges)
    at = np.array(places) * float(step)
    turned = _turned(unit, at)
    orders = unit.orders(np.where(turned, -at, at))
    with precision(noise_bits(step)):
        xs = [ball(place * step).exp() for place in places]
        values = []
        for place, x, order, other in zip(places, xs, orders, turned, strict=True):
            excess = unit.nearest(Fraction(float(order)))
            value = _bound(unit.divergence(excess), -place * step if other else place * step, excess)
            values.append(1 - x * (1 - value) if other else value)
    return chords(step, places, values, noise_bits(step))


def _bound(divergence: Fraction, level: Fraction, excess: Fraction) -> Any:
    """Return the bound of the curve at a level by the divergence of the order `1 + excess`, as a ball."""
    x = ball(excess)
    order = 1 + x
    return (x * (ball(divergence) - ball(level)) + order * (x / order).log()).exp() / x


# ------------------------------------------------------------------------------------------------- guides, in floats


def _corners(unit: _ByOrders, step: float, edges: Sequence[int]) -> list[int]:
    """Return the edges at which the bound, in floats, lies on the greatest convex curve below it."""
    at = np.array(edges, dtype=np.float64) * step
    x, value = np.exp(at), np.where(_turned(unit, at), 1 - np.exp(at) * (1 - _float(unit, -at)), _float(unit, at))
    kept: list[int] = []
    for k in range(len(edges)):
        while len(kept) > 1:
            i, j = kept[-2:]
            if (value[j] - value[i]) * (x[k] - x[j]) < (value[k] - value[j]) * (x[j] - x[i]):
                break
            kept.pop()
        kept.append(k)
    return [edges[k] for k in kept]


def _turned(unit: _ByOrders, at: FloatArray) -> NDArray[np.bool_]:
    """Return for each level whether the other order of the laws gives the lesser bound."""
    return (at < 0) & (1 - np.exp(np.minimum(at, 0)) * (1 - _float(unit, -at)) < _float(unit, at))


def _float(unit: _ByOrders, at: FloatArray) -> FloatArray:
    """Return the bound at each level, at about the best order."""
    x = unit.orders(at)
    known = {float(order): float(unit.divergence(unit.nearest(Fraction(float(order))))) for order in np.unique(x)}
    value = np.array([known[float(order)] for order in x])
    return np.exp(x * (value - at) + (1 + x) * np.log(x / (1 + x))) / x
