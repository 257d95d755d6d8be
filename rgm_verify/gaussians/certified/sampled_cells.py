"""Discrete privacy losses above and below that of a Gaussian release of a random sample, on multiples of a step.

One record is in the sample with the probability `q`; then it moves the output by 1.  With `N_m = N(m, sigma^2)` and
`M = (1 - q) N_0 + q N_1` the pair of removal is `(M, N_0)`, that of addition `(N_0, M)`.  Its loss is
`L(y) = log(1 - q + q exp((2y - 1) / (2 sigma^2)))`, increasing in the output `y`, and `-L` for addition.  The line is
cut into cells at outputs where `L` is a multiple of the step `h`.

From above, the masses of a cell are split between its two ends, so that both laws keep theirs ("connecting the dots",
Doroshenko, Ghazi, Kamath, Kumar, Manurangsi 2022). From below, a cell is one outcome (data processing), whose loss lies
inside; the curve of all outcomes is lowered to one whose kinks are multiples of `h` and a common offset, by which the
outcome of the largest mass stays where it is.  With masses `p_i, q_i` of the cells and increasing `x_i`, the lines
`sum_(j > i) (p_j - x q_j)` lie below the curve, and so does the broken line through `f_i`, the lesser at `x_i` of the
lines `i - 1` and `i`.  Its changes of slope are

    q_i + (e_i - d_(i+1)) / (x_(i+1) - x_i) - (e_(i-1) - d_i) / (x_i - x_(i-1)),   e_i - d_i = x_i q_i - p_i,

`e_i, d_i >= 0` the two parts. A change of slope that is negative is moved up, which lowers the curve; what is left at
infinity is a negative mass there.  Derived in `derivations/beyond/subsampling/`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from flint import arb
from numpy.typing import NDArray

from rgm_verify.balls.arithmetic import ball, precision
from rgm_verify.balls.fourier import float_above, float_below
from rgm_verify.numbers.bounds import round_up

__all__ = ["LatticeLoss", "SampledCells", "collapsed", "joined_above", "masses_between", "needed_bits", "sampled_cells"]

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]

# About a hundred bits are left after the differences of a fine grid, which floats then round.
_BITS = 160
# Far below all other cells, for the cell that reaches down to minus infinity.
_LOWEST = 10**6
_LEAST_FLOAT = 2.0**-1074


@dataclass(frozen=True, eq=False)
class LatticeLoss:
    """Mass `masses[k]` at the loss `offset + places[k] step`, and `infinite` at infinity, to one side of another loss.

    From above the masses are rounded up and `infinite >= 0`; from below they are rounded down and `infinite <= 0`.
    `places` are increasing integers, `masses` floats >= 0, both of shape (n,).
    """

    step: Fraction
    places: IntArray
    masses: FloatArray
    infinite: float
    offset: Fraction = Fraction(0)


@dataclass(frozen=True, eq=False)
class SampledCells:
    """Cells of outputs between the losses `edges[i] step`, with their masses under both laws as balls.

    `mixed` are those under the first law of removal, `M`, `base` those under the second, `N_0`. `below` and `above` are
    the masses left and right of all cells. Balls do not pickle.
    """

    step: Fraction
    edges: Sequence[int]
    base: Sequence[arb]
    mixed: Sequence[arb]
    below: tuple[arb, arb]
    above: tuple[arb, arb]
    bits: int

    def remove_above(self) -> LatticeLoss:
        """Return a loss that dominates that of removal."""
        with precision(self.bits):
            left, right = self._split()
            factors = self._exponentials(self.edges)
            masses = [f * m for f, m in zip(factors, _joined(left, right), strict=True)]
            # The mass below all cells moves up to the first edge: more loss, so that this stays an upper side.
            masses[0] += self.below[1]
            return self._above(self.edges, masses, self.above[1])

    def add_above(self) -> LatticeLoss:
        """Return a loss that dominates that of addition."""
        with precision(self.bits):
            masses = _joined(*self._split())
            # For addition the order is turned, and the largest outputs have the smallest losses.
            masses[-1] += self.above[0]
            return self._above([-k for k in reversed(self.edges)], masses[::-1], self.below[0])

    def remove_below(self) -> LatticeLoss:
        """Return a loss that that of removal dominates."""
        with precision(self.bits):
            return collapsed(self.step, self.mixed, self.base, self.edges, self.above[1])

    def add_below(self) -> LatticeLoss:
        """Return a loss that that of addition dominates."""
        with precision(self.bits):
            edges = [-k for k in reversed(self.edges)]
            return collapsed(self.step, self.base[::-1], self.mixed[::-1], edges, self.below[0])

    def replace_above(self, rate: Fraction) -> LatticeLoss:
        """Return a loss that dominates a release of a batch of fixed size, of which `rate` is the share, one replaced.

        The unit is the distance of the two records. Its curve is that of `((1-q) N_0 + q N_1, N_0)` for `e^eps >= 1`
        and that of `(N_1, (1-q) N_1 + q N_0)` below: positive losses of removal, negative ones of addition, and the
        rest at 0. 0 has to be an edge.
        """
        with precision(self.bits):
            start = self.edges.index(0)
            edges = self.edges[start:]
            left, right = self._split(start)
            joined = _joined(left, right)
            factors = self._exponentials(edges)
            upper = [f * m for f, m in zip(factors, joined, strict=True)]
            lower = joined[::-1]
            lower[0] += self.above[0]
            # The mass of `N_0` at outputs with a positive loss; as much lies at those with a negative one, mirrored.
            high = sum(self.base[start:], arb(0)) + self.above[0]
            middle = (1 - ball(rate)) * (1 - 2 * high)
            places = [-k for k in reversed(edges)] + list(edges[1:])
            masses = [*lower[:-1], lower[-1] + middle + upper[0], *upper[1:]]
            return self._above(places, masses, self.above[1])

    def _exponentials(self, places: Sequence[int]) -> list[arb]:
        """Return `exp(k step)` at the precision in force: the likelihood ratios at the edges."""
        return [(ball(self.step) * k).exp() for k in places]

    def _split(self, start: int = 0) -> tuple[list[arb], list[arb]]:
        """Return the masses under `N_0` of each cell that go to its left and to its right end."""
        ends = list(pairwise(self._exponentials(self.edges[start:])))
        cells = list(zip(ends, self.base[start:], self.mixed[start:], strict=True))
        # The two masses that keep both laws: `left + right = q` and `a left + b right = p`.
        left = [(b * q - p) / (b - a) for (a, b), q, p in cells]
        right = [(p - a * q) / (b - a) for (a, b), q, p in cells]
        return left, right

    def _above(self, places: Sequence[int], masses: Sequence[arb], infinite: arb) -> LatticeLoss:
        """Return the loss with masses rounded up; negative balls are rounding, as every mass is at least 0."""
        rounded = np.array([max(0.0, float_above(mass)) for mass in masses])
        return LatticeLoss(self.step, np.array(places, dtype=np.int64), rounded, max(0.0, float_above(infinite)))


def sampled_cells(rate: Fraction, noise: Fraction, step: Fraction, edges: Sequence[int]) -> SampledCells:
    """Return the cells of one release between the given multiples of `step`.

    Args:
        rate: the probability of being in the sample, `0 < rate <= 1`.
        noise: the deviation `sigma > 0` in units of what a record moves.
        step: the unit of the losses, > 0, in nats.
        edges: at least two increasing integers, the losses between cells in units of `step`. The first may lie below
            every loss; no other one may.

    Returns:
        Cells whose masses are balls, at a precision that covers what differences lose.

    Raises:
        ArithmeticError: for an edge, not the first, below every loss.
    """
    bits = needed_bits(step, noise, rate)
    with precision(bits):
        q = ball(rate)
        outputs = [_output(q, ball(noise), (ball(step) * k).exp(), first=k == edges[0]) for k in edges]
        scale = ball(noise) * arb(2).sqrt()
        base = masses_between([None if y is None else y / scale for y in outputs])
        moved = masses_between([None if y is None else (y - 1) / scale for y in outputs])
        mixed = [(1 - q) * a + q * b for a, b in zip(base, moved, strict=True)]
    return SampledCells(step, edges, base[1:-1], mixed[1:-1], (base[0], mixed[0]), (base[-1], mixed[-1]), bits)


def needed_bits(step: Fraction, noise: Fraction, least: Fraction) -> int:
    """Return a precision that covers what differences of the masses of cells lose; `least` is the smallest weight."""
    return _BITS + math.ceil(max(0.0, -math.log2(step)) * 2 - math.log2(least) + 2 * abs(math.log2(noise)))


def _output(q: arb, sigma: arb, x: arb, *, first: bool) -> arb | None:
    """Return the output where the loss is `log x`; None for one below every loss."""
    inside = (x - 1) / q + 1
    if inside > 0:
        return sigma * sigma * inside.log() + arb(1) / 2
    if first and inside <= 0:
        return None
    raise ArithmeticError("an edge between cells lies below every loss")


def masses_between(points: Sequence[arb | None]) -> list[arb]:
    """Return the masses of N(0, 1/2) left of, between and right of the points; None is minus infinity."""
    tails = [_tail(point) for point in points]
    inner = [_between(a, b) for a, b in pairwise(tails)]
    (low, below), (high, above) = tails[0], tails[-1]
    # Masses as differences of the smaller tails, never of numbers near 1.
    return [
        (below if low else 2 - below) / 2,
        *(mass / 2 for mass in inner),
        (2 - above if high else above) / 2,
    ]


def _tail(point: arb | None) -> tuple[bool, arb]:
    """Return whether the point lies left of 0, and twice the mass beyond it, on its side of 0."""
    if point is None:
        return True, arb(0)
    left = bool(point < 0)
    return left, (-point).erfc() if left else point.erfc()


def _between(a: tuple[bool, arb], b: tuple[bool, arb]) -> arb:
    """Return twice the mass between two points from their tails, on whichever sides of 0 they lie."""
    if a[0] and b[0]:
        return b[1] - a[1]
    return 2 - a[1] - b[1] if a[0] else a[1] - b[1]


def _joined(left: Sequence[arb], right: Sequence[arb]) -> list[arb]:
    """Return the masses at the edges: what the cells on both sides give to each."""
    return [left[0], *(a + b for a, b in zip(left[1:], right[:-1], strict=True)), right[-1]]


def joined_above(parts: Sequence[tuple[Fraction, LatticeLoss]]) -> LatticeLoss:
    """Return the loss from above of a release that reveals which of several it has, with the probability of each.

    All are on one grid, from above, and without an offset. Masses are rounded up.
    """
    if len(parts) == 1:
        return parts[0][1]
    places = np.unique(np.concatenate([loss.places for _, loss in parts]))
    masses, infinite = np.zeros(len(places)), Fraction(0)
    for probability, loss in parts:
        at = np.searchsorted(places, loss.places)
        masses[at] += loss.masses * round_up(probability)
        infinite += probability * Fraction(loss.infinite)
    # A product and a sum of floats, each off by at most 2^-53 of its result, or by the least float if it is so small.
    return LatticeLoss(parts[0][1].step, places, masses * (1 + 2.0**-48) + 8 * _LEAST_FLOAT, round_up(infinite))


def _swept(step: Fraction, places: Sequence[int], masses: Sequence[float], offset: Fraction) -> LatticeLoss:
    """Return the loss with negative masses moved up until they are made good, rounded down; the rest to infinity."""
    kept, debt = [], 0.0
    for mass in masses:
        # Rounded down at each addition, so that the debt is never understated.
        total = mass if debt == 0.0 else math.nextafter(mass + debt, -math.inf)
        kept.append(max(total, 0.0))
        debt = min(total, 0.0)
    return LatticeLoss(step, np.array(places, dtype=np.int64), np.array(kept), debt, offset)


def collapsed(step: Fraction, p: Sequence[arb], q: Sequence[arb], edges: Sequence[int], top: arb) -> LatticeLoss:
    """Return the loss from below of outcomes of masses `p, q`, in the order of their losses, at the precision in force.

    `edges` are one more multiples of the step than outcomes, of which the last but one must not exceed the last loss;
    `top` is the mass of the first law above all outcomes.
    """
    # Of what lies above the last cell but one only the mass under P counts, at a place that no loss there is below.
    p, q, edges, top = p[:-1], q[:-1], edges[:-1], p[-1] + top
    offset, places = _places(step, p, q)
    highest = math.floor(edges[-1] - offset / step)
    places.append(max(highest, places[-1] + 1))
    x = [(ball(offset) + ball(step) * k).exp() for k in places]
    excess = [b * x0 - a for a, b, x0 in zip(p, q, x[:-1], strict=True)]
    e, d = [v.max(arb(0)) for v in excess], [(-v).max(arb(0)) for v in excess]
    gaps = [b - a for a, b in pairwise(x)]
    rise = [(here - after) / gap for here, after, gap in zip(e, [*d[1:], arb(0)], gaps, strict=True)]
    before = [-d[0] / x[0], *rise[:-1]]
    slopes = [b + r - r0 for b, r, r0 in zip(q, rise, before, strict=True)]
    masses = [m * x0 for m, x0 in zip([*slopes, -rise[-1]], x, strict=True)]
    held = sum(place <= highest for place in places)
    if held:
        masses[held - 1] += top
    return _swept(step, places, [float_below(m) for m in masses], offset)


def _places(step: Fraction, p: Sequence[arb], q: Sequence[arb]) -> tuple[Fraction, list[int]]:
    """Return an offset and increasing places next to the losses of the cells; a guide, any of them give a bound.

    The offset, at most about half a step, puts the outcome of the largest mass on the grid, or just above a place.
    """
    losses = [float((a / b).log().mid()) for a, b in zip(p, q, strict=True)]
    h, heaviest = float(step), max(range(len(p)), key=lambda i: float(p[i].mid()))
    loss = losses[heaviest]
    exact = float(Fraction(loss) - round(loss / h) * step) if math.isfinite(loss) else 0.0
    offset = Fraction(exact - 2.0**-48 * abs(exact))
    places: list[int] = []
    for value in losses:
        place = (value - float(offset)) / h if math.isfinite(value) else -_LOWEST
        # Above the last one there is hardly anything that could make good for a place above its loss.
        whole = math.floor(place) if len(places) == len(losses) - 1 else round(place)
        places.append(max(whole, places[-1] + 1) if places else whole)
    return offset, places
