"""Discrete privacy losses on a grid that dominate a whole cell of Gaussian pairs, with every rounding on the safe side.

A discrete loss has mass `p_i` at `i h` and mass `p_inf` at infinity; its hockey-stick curve at `x = e^epsilon` is
`p_inf + sum_i p_i (1 - x e^(-i h))_+`, piecewise linear in `x` with kinks on the grid. The curve of a pair is convex in
`x`, so a discrete loss that is not below it at `x = 0`, at the grid points and beyond the last one is nowhere below it
("connecting the dots"; Doroshenko, Ghazi, Kamath, Kumar, Manurangsi 2022). The masses through given dots are second
differences, and every one of them has a nonnegative weight in every value of the curve: a mass that is rounded up, or
a negative one replaced by 0, only lifts the curve. So the dots are certified upper bounds, the differences are taken in
floats, and what their rounding can have lost is added to each mass. The masses may add up to slightly more than 1.

What follows for any function `f(x) = F(log x)` that is convex, not increasing, with `f(0) = 1` and `f(inf) = 0` (every
hockey-stick curve of an adaptive composition is one): it is a mixture of `(1 - x/y)_+`, hence

    E_P[F(epsilon - L)] <= p_inf + sum_i p_i F(epsilon - i h)

for every pair `(P, Q)` that is dominated. The same argument shows that moving mass up, or splitting it between two
neighbours such that `sum p_i e^(-i h)` is kept, never lessens the right-hand side.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rgm_verify.accounting.exact.admissible_pairs import Cell
from rgm_verify.balls.arithmetic import ball, precision, rational_ends
from rgm_verify.balls.fourier import exponentials
from rgm_verify.gaussians.certified.dots import dots_from_zero
from rgm_verify.gaussians.pair import GaussianPair
from rgm_verify.numbers.bounds import round_up

FloatArray: TypeAlias = NDArray[np.float64]

_BITS = 128
_UNIT = 2.0**-53
_TINY = 2.0**-1000  # what is lost where the factor of a dot is below the range of floats
_SLACK = 1.01  # for terms of second order


@dataclass(frozen=True, eq=False)
class DiscreteLoss:
    """Mass `masses[k]` at the loss `(first + k) step` in nats, and `infinite` at infinity.

    It dominates the loss that it is made for: its hockey-stick curve is nowhere below.

    Attributes:
        step: exact; few bits make its multiples floats.
        first: the index of the first loss.
        masses: floats >= 0 of shape (n,), rounded up, so that the sum may slightly exceed 1.
        infinite: rounded up.
    """

    step: Fraction
    first: int
    masses: FloatArray
    infinite: float

    @property
    def last(self) -> int:
        """The index of the largest finite loss."""
        return self.first + len(self.masses) - 1


class Dots:
    """Upper bounds of curves at multiples of steps, each computed once: they take the time, and are asked for again.

    Both orders of a pair have the same two curves, in one order at positive epsilons, in the other at negative ones.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[GaussianPair, Fraction], tuple[int, FloatArray]] = {}

    def of(self, pair: GaussianPair, step: Fraction, first: int, last: int) -> FloatArray:
        """Return the dots of `H(P||Q)` from 0 on, of the reversed pair's at `-epsilon` below.

        For `epsilon < 0` the curve is `1 - e^epsilon + e^epsilon H_{-epsilon}(Q||P)`; its last term keeps all digits.
        Shape (last - first + 1,), on `first * step, ..., last * step`.
        """
        # Left of 0 the curve is near 1 - e^epsilon and its information is in the reversed pair's, which is small.
        below = self._from_zero(pair.reversed(), step, max(1, -last), -first)[::-1]
        return np.concatenate([below, self._from_zero(pair, step, max(first, 0), last)])

    def greatest(self, cell: Cell, step: Fraction, first: int, last: int) -> FloatArray:
        """Return the greatest dots of the pairs of a cell, as in `of`."""
        # The maximum of convex curves is convex.
        found: FloatArray = np.max([self.of(pair, step, first, last) for pair in cell], axis=0)
        return found

    def _from_zero(self, pair: GaussianPair, step: Fraction, first: int, last: int) -> FloatArray:
        """Return the dots of one curve at indices >= 0, computing what is missing at either end of those known."""
        if last < first:
            return np.empty(0)
        start, values = self._known.get((pair, step), (first, np.empty(0)))
        before = dots_from_zero(_parameters(pair), step, first, start - 1)
        after = dots_from_zero(_parameters(pair), step, start + len(values), last)
        start, values = start - len(before), np.concatenate([before, values, after])
        self._known[pair, step] = start, values
        return values[first - start : last - start + 1]


def dominating_loss(cell: Cell, step: Fraction, first: int, last: int) -> DiscreteLoss:
    """Return a discrete loss on `first * step, ..., last * step` that dominates every pair of a cell.

    `first < last`, `0 < last`. Losses below the grid are moved to its first point, those above it to infinity.
    """
    return loss_through(Dots().greatest(cell, step, first, last), step, first)


def _parameters(pair: GaussianPair) -> tuple[Fraction, Fraction, int]:
    """Return squared shift, excess and dimension."""
    return pair.shift_squared, pair.excess, pair.dimension


def loss_through(dots: FloatArray, step: Fraction, first: int) -> DiscreteLoss:
    """Return the discrete loss whose curve goes through the dots of `Dots.of`, each mass rounded up.

    With `C` the curve less `(1 - x)_+`, the mass at `i h` is
    `(C_(i+1) - C_i) / (e^h - 1) - (C_i - C_(i-1)) / (1 - e^-h)`, plus 1 at `i = 0`; `C = 0` at `x = 0` and constant
    beyond the last dot. A grid that begins above 0 has that 1 at its first point, where the chord from `(0, 1)` ends.

    In floats, `u = 2^-53`: a dot left of 0 is multiplied by `e^(i h)`, which is within `6 u` (`exponentials`), so that
    `C` is within `7.01 u` of it there; each difference, each of the two factors, each product and each sum is within
    `1.01 u`. What this makes of a mass is added to it.
    """
    zero = max(0, -first)
    # In the unit of the reversed pair: the dots left of 0 are those of `Q` against `P`.
    curve, doubt = dots.copy(), np.zeros(len(dots))
    curve[:zero] *= exponentials(-step, -step, zero)[::-1] if zero else 1.0
    doubt[:zero] = 7.1 * _UNIT * curve[:zero] + _TINY
    # Between dots the curve of a discrete loss is a chord in e^epsilon: its slopes change at grid points only.
    up, down = _slopes(step)
    ahead, behind = np.diff(curve, append=curve[-1]), np.diff(curve, prepend=0.0)
    # The chord from (0, 0) to the first dot has the slope of that dot in units of e^(first h).
    before = np.concatenate([[1.0], np.full(len(dots) - 1, down)])
    one = np.zeros(len(dots))
    # The two halves are in different units, which differ by 1 - e^epsilon: its kink at 0 is one more mass.
    one[zero] = 1.0
    masses = ahead * up - behind * before + one
    inexact = doubt + np.append(doubt[1:], doubt[-1])
    errors = 5 * _UNIT * (np.abs(ahead) * up + np.abs(behind) * before + one)
    errors += inexact * up + (doubt + np.concatenate([[0.0], doubt[:-1]])) * before
    # Dots that are rounded up may be concave by a rounding; such a mass comes out below 0 and is taken as none.
    upper = np.nextafter(masses + errors * _SLACK, np.inf)
    return DiscreteLoss(step, first, np.maximum(upper, 0.0), float(dots[-1]))


def _slopes(step: Fraction) -> tuple[float, float]:
    """Return `1 / (e^h - 1)` and `1 / (1 - e^-h)`, each the float next to it."""
    with precision(_BITS):
        h = ball(step)
        return float((1 / h.expm1()).mid()), float((-1 / (-h).expm1()).mid())


# ---------------------------------------------------------------------------------------------- arithmetic


def convolve_above(values: FloatArray, masses: FloatArray, mode: str = "full") -> FloatArray:
    """Return the convolution of two nonnegative arrays, rounded up.

    A sum of `n` products of nonnegative floats in any order has a relative error below `(n + 1) u / (1 - (n + 1) u)`,
    `u = 2^-53` (Higham 2002, section 3.1); products that underflow lose at most the smallest normal number each.
    """
    terms = min(len(values), len(masses))
    product: FloatArray = np.convolve(values, masses, mode)  # type: ignore[call-overload]
    return product * (1 + (2 * terms + 8) * _UNIT) + terms * np.finfo(np.float64).tiny


def _sum_above(masses: FloatArray) -> float:
    """Return the sum of masses, rounded up."""
    return math.nextafter(math.fsum(masses), math.inf) if len(masses) else 0.0


def composed(a: DiscreteLoss, b: DiscreteLoss) -> DiscreteLoss:
    """Return the loss of both after another, rounded up; both on one grid.

    Applied to `f <= 1`: `sum p_i (sum r_j f + r_inf) + p_inf <= (p * r)(f) + r_inf sum p_i + p_inf`.
    """
    # Infinite in either: both parts rounded up one after the other, each operation by its own step.
    infinite = math.nextafter(a.infinite + math.nextafter(b.infinite * _sum_above(a.masses), math.inf), math.inf)
    return DiscreteLoss(a.step, a.first + b.first, convolve_above(a.masses, b.masses), infinite)


def coarser(loss: DiscreteLoss) -> DiscreteLoss:
    """Return a loss on every second grid point that dominates: odd masses are split so that `sum p e^-loss` is kept.

    A mass at `l` goes to `l + h` with the weight `1 / (1 + e^-h)` and to `l - h` with the rest, both rounded up.
    """
    masses = loss.masses if loss.first % 2 == 0 else np.concatenate([[0.0], loss.masses])
    masses = masses if len(masses) % 2 else np.concatenate([masses, [0.0]])
    even, odd = masses[::2].copy(), masses[1::2]
    # Split so that mass under P and under Q both are kept: the loss spreads and by Jensen's inequality dominates.
    up, down = _weights(loss.step)
    even[1:] += odd * up
    even[:-1] += odd * down
    # Each entry went through at most two products and two sums.
    return DiscreteLoss(2 * loss.step, loss.first // 2, even * (1 + 8 * _UNIT), loss.infinite)


def _weights(step: Fraction) -> tuple[float, float]:
    """Return upper bounds of the weights that go up and down from an odd grid point."""
    with precision(_BITS):
        ratio = (-ball(step)).exp()
        ends = rational_ends(1 / (1 + ratio))[1], rational_ends(ratio / (1 + ratio))[1]
    return round_up(ends[0] or Fraction(1)), round_up(ends[1] or Fraction(1))


def truncated(loss: DiscreteLoss, highest: float, lowest: float) -> DiscreteLoss:
    """Return a loss that dominates and is shorter: at most `highest` goes to infinity, at most `lowest` moves up.

    Masses at the upper end go to infinity, those at the lower end to the first loss that stays. A guide for lengths
    only: whatever the amounts, the result dominates.
    """
    # Sums in floats only choose the place of the cut; the masses that are moved are summed upwards.
    above = np.cumsum(loss.masses[::-1])
    cut = int(np.searchsorted(above, highest, side="right"))
    start = int(np.searchsorted(np.cumsum(loss.masses), lowest, side="right"))
    stop = max(len(loss.masses) - cut, start + 1)
    kept = loss.masses[start:stop].copy()
    # Moving mass up never lowers the curve, so the low end is merged into the first loss kept.
    kept[0] = _sum_above(loss.masses[: start + 1])
    infinite = math.nextafter(loss.infinite + _sum_above(loss.masses[stop:]), math.inf)
    return DiscreteLoss(loss.step, loss.first + start, kept, infinite)


def power(loss: DiscreteLoss, times: int, *, highest: float, lowest: float, length: int = 4096) -> DiscreteLoss:
    """Return the loss of `times` >= 1 releases, rounded up, by squaring on grids that coarsen as the loss spreads.

    `highest` and `lowest` are about what may be cut off in all; `length` bounds the number of masses that are kept.
    """
    square, done = loss, 1
    result: DiscreteLoss | None = None
    while True:
        # Each level of the squaring may cut its share, so that all cuts together stay within what was allowed.
        share = done / times / 8
        if times & done:
            product = square if result is None else merged(result, square)
            result = shortened(product, highest * share, lowest * share, length)
        done *= 2
        if result is not None and done > times:
            return result
        square = shortened(composed(square, square), highest * share, lowest * share, length)


def merged(a: DiscreteLoss, b: DiscreteLoss) -> DiscreteLoss:
    """Return the composition of two losses whose steps differ by a power of 2, on the coarser of their grids.

    An upper bound: each coarsening and the composition dominate.
    """
    # Towards the coarser one: coarsening dominates and halves the masses, where refining would double them.
    while a.step < b.step:
        a = coarser(a)
    while b.step < a.step:
        b = coarser(b)
    return composed(a, b)


def shortened(loss: DiscreteLoss, highest: float, lowest: float, length: int) -> DiscreteLoss:
    """Return a loss that dominates, cut at both ends and coarsened until it has at most `length` masses.

    `highest` and `lowest` are the probabilities that may be cut at either end; see `truncated`.
    """
    loss = truncated(loss, highest, lowest)
    while len(loss.masses) > length:
        loss = coarser(loss)
    return loss


def spread(loss: DiscreteLoss, factor: int) -> DiscreteLoss:
    """Return the same loss on a grid that is `factor` times as fine, exactly: the new points between have no mass."""
    masses = np.zeros((len(loss.masses) - 1) * factor + 1)
    masses[::factor] = loss.masses
    return DiscreteLoss(loss.step / factor, loss.first * factor, masses, loss.infinite)
