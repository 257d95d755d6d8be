"""Discrete privacy losses above and below those of releases with other noise than Gaussian, on multiples of a step.

A release is a pair `(P, Q)` that a bijection of its outputs turns around, so that both directions have one curve:

* Laplace noise of scale `b`, outputs 0 and 1 apart: the loss is `1/b` left of both with `P = 1/2`, `-1/b` right of
  both, and between them `P` has `exp(-1/(2b)) (exp(c/2) - exp(a/2))/2` at losses from `a` to `c`;
* discrete Laplace noise, `P(x)` proportional to `exp(-|x|/t)` on the integers, outputs `s` apart: finitely many losses;
* discrete Gaussian noise, `P(x)` proportional to `exp(-x^2/(2 sigma^2))` on the integers, outputs `s` apart: the losses
  are `(s^2 - 2 x s)/(2 sigma^2)`;
* randomised response among `k` answers: the losses are `l`, 0 and `-l`.

Losses that are rational multiples of one another lie on one grid, and nothing is lost there. Elsewhere the mass of an
outcome, or of a cell of several, is split between grid points (from above) or moved by data processing (from below),
as in `sampled_cells`. Derived in `derivations/beyond/subsampling/` and `derivations/beyond/composition/plans.py`.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np
from flint import arb

from rgm_verify.balls.arithmetic import ball, precision
from rgm_verify.balls.fourier import float_above, float_below
from rgm_verify.gaussians.certified.sampled_cells import LatticeLoss, collapsed

__all__ = [
    "NoiseCells",
    "Outcome",
    "chords",
    "discrete_gaussian_outcomes",
    "discrete_laplace_outcomes",
    "laplace_outcomes",
    "noise_bits",
    "noise_cells",
    "randomised_loss",
    "randomised_outcomes",
    "range_outcomes",
]

_BITS = 160
_TINY = 64  # such a part of a step is a loss that is left out from below
_APART = 4  # steps between an edge and the loss of a side


@dataclass(frozen=True, eq=False)
class Outcome:
    """Masses under both laws of one output, or of outputs with losses from `low` to `high`; balls do not pickle."""

    low: Fraction
    high: Fraction
    first: arb
    second: arb


@dataclass(frozen=True, eq=False)
class NoiseCells:
    """Outcomes in the order of their losses, each between multiples `low[i]`, `high[i]` of the step plus `offset`.

    The losses that they stand for are known up to `slack`. `bottom` and `top` are what `P` has below and above them.
    """

    step: Fraction
    offset: Fraction
    slack: Fraction
    low: Sequence[int]
    high: Sequence[int]
    first: Sequence[arb]
    second: Sequence[arb]
    bottom: arb
    top: arb
    bits: int

    def above(self) -> LatticeLoss:
        """Return a loss that dominates."""
        with precision(self.bits):
            masses: dict[int, arb] = {min(self.low): self.bottom}
            for low, high, p, q in zip(self.low, self.high, self.first, self.second, strict=True):
                # On the grid the outcome keeps its loss, and nothing has to be split; the division below would be by
                # zero.
                if low == high:
                    masses[low] = masses.get(low, arb(0)) + p
                    continue
                x0, x1 = (self._exponential(place) for place in (low, high))
                masses[low] = masses.get(low, arb(0)) + x0 * (x1 * q - p) / (x1 - x0)
                masses[high] = masses.get(high, arb(0)) + x1 * (p - x0 * q) / (x1 - x0)
            places = sorted(masses)
            # Each mass upwards, and none below 0: balls of masses that are 0 reach below it.
            rounded = np.array([max(0.0, float_above(masses[place])) for place in places])
            top = max(0.0, float_above(self.top))
        return LatticeLoss(self.step, np.array(places, dtype=np.int64), rounded, top, self.offset + self.slack)

    def below(self) -> LatticeLoss:
        """Return a loss that is dominated."""
        with precision(self.bits):
            if self.exact:
                rounded = [max(0.0, float_below(mass)) for mass in self.first]
                # What was cut off has larger losses than the last outcome: put there, it is moved down, which is
                # dominated.
                rounded[-1] = max(0.0, float_below(self.first[-1] + self.top))
                places = np.array(self.low, dtype=np.int64)
                return LatticeLoss(self.step, places, np.array(rounded), 0.0, self.offset - self.slack)
            # Outcomes get places of their own, which losses far below a step cannot have: nothing is below all.
            ends = [abs(float((self.first[i] / self.second[i]).log().mid())) for i in (0, -1)]
            if len(self.low) > 1 and max(ends) * _TINY < self.step:
                return LatticeLoss(self.step, np.array([0]), np.array([1.0]), 0.0)
            # Above the last outcome there is nothing but what was cut off, and no loss there is below its own.
            edges = [*self.low, self.low[-1], self.low[-1]]
            first, second = [*self.first, arb(0)], [*self.second, arb(0)]
            found = collapsed(self.step, first, second, edges, self.top)
        return LatticeLoss(found.step, found.places, found.masses, found.infinite, found.offset - self.slack)

    @property
    def exact(self) -> bool:
        """Tell whether every outcome lies on the grid, at a place of its own."""
        return list(self.low) == list(self.high) and all(a < b for a, b in pairwise(self.low))

    def _exponential(self, place: int) -> arb:
        return (ball(self.offset) + ball(self.step) * place).exp()


def noise_bits(step: Fraction) -> int:
    """Return the working precision in bits for cells of this step: differences lose about twice its bits."""
    return _BITS + math.ceil(2 * max(0.0, math.log2(step.denominator) - math.log2(step.numerator)))


def noise_cells(
    outcomes: Sequence[Outcome],
    step: Fraction,
    edges: Sequence[int],
    *,
    offset: Fraction = Fraction(0),
    slack: Fraction = Fraction(0),
    cut: tuple[arb, arb] | None = None,
) -> NoiseCells:
    """Return the cells of outcomes in the order of their losses.

    Where every outcome lies on the grid of `step` and `offset` it is a cell of its own. Elsewhere the grid has no
    offset, and outcomes of one loss between the same two `edges` (multiples of the step) are one cell. `cut` is what
    `P` has below and above all outcomes. `slack` is how well the losses are known.
    """
    bits = noise_bits(step)
    with precision(bits):
        bottom, top = (arb(0), arb(0)) if cut is None else cut
        places = [(o.low - offset) / step for o in outcomes]
        # Where all losses are on one grid nothing is lost in either direction, so that above and below agree.
        on_grid = all(o.low == o.high and place.denominator == 1 for o, place in zip(outcomes, places, strict=True))
        if on_grid:
            whole = [int(place) for place in places]
            first, second = [o.first for o in outcomes], [o.second for o in outcomes]
            return NoiseCells(step, offset, slack, whole, whole, first, second, bottom, top, bits)
        groups: list[list[Outcome]] = []
        at: int | None = None
        for outcome in outcomes:
            place = outcome.low / step
            cell = bisect_right(edges, math.floor(place))
            # What lies on the grid stays alone, and so does what has several losses.
            alone = place.denominator == 1 or outcome.low < outcome.high
            if groups and cell == at and not alone:
                groups[-1].append(outcome)
            else:
                groups.append([outcome])
            at = None if alone else cell
        # Outwards by the slack: the stated losses stand for true ones that may differ by so much.
        low = [math.floor((group[0].low - slack) / step) for group in groups]
        high = [math.ceil((group[-1].high + slack) / step) for group in groups]
        first = [sum((o.first for o in group), arb(0)) for group in groups]
        second = [sum((o.second for o in group), arb(0)) for group in groups]
    return NoiseCells(step, Fraction(0), Fraction(0), low, high, first, second, bottom, top, bits)


def chords(step: Fraction, places: Sequence[int], values: Sequence[arb], bits: int) -> LatticeLoss:
    """Return the loss whose curve joins upper bounds of a convex curve by chords: it dominates the loss of that curve.

    Args:
        step: of the grid.
        places: increasing multiples of the step.
        values: an upper bound of the curve at each of them, as a ball.
        bits: the working precision.
    """
    with precision(bits):
        xs = [ball(place * step).exp() for place in places]
        before = [arb(0), *xs[:-1]], [arb(1), *values[:-1]]
        slopes = [(v - u) / (x - w) for w, x, u, v in zip(before[0], xs, before[1], values, strict=True)]
        # The curve stays at its last value, as a mass at infinity.
        changes = [after - slope for slope, after in zip(slopes, [*slopes[1:], arb(0)], strict=True)]
        # A mass that is not above 0 is left out of a sum of masses, which only lifts the curve.
        masses = np.array([max(0.0, float_above(x * change)) for x, change in zip(xs, changes, strict=True)])
        infinite = max(0.0, float_above(values[-1]))
    return LatticeLoss(step, np.array(places, dtype=np.int64), masses, infinite)


def laplace_outcomes(scale: Fraction, step: Fraction, edges: Sequence[int]) -> list[Outcome]:
    """Return both sides of Laplace noise of `scale` at the distance 1, and the cells between them, cut at the edges."""
    last = 1 / scale
    with precision(noise_bits(step)):
        end = ball(last)
        far, half = (-end).exp() / 2, (-end / 2).exp() / 2
        side = arb(1) / 2
        cells = _exponential_cells(last, half, step, edges)
        return [Outcome(-last, -last, far, side), *cells, Outcome(last, last, side, far)]


def range_outcomes(loss: Fraction, step: Fraction, edges: Sequence[int]) -> list[Outcome]:
    """Return cells of the pair with the largest curve of all mechanisms whose losses have a range of `loss`.

    Its losses go from `-loss` to `loss`, with densities in proportion to `exp(l/2)` and `exp(-l/2)`.
    """
    with precision(noise_bits(step)):
        end = ball(loss)
        return _exponential_cells(loss, (-end / 2).exp() / (1 - (-end).exp()), step, edges)


def _exponential_cells(last: Fraction, height: arb, step: Fraction, edges: Sequence[int]) -> list[Outcome]:
    """Return cells of losses from `-last` to `last` with the densities `height exp(l/2)/2` and `height exp(-l/2)/2`."""
    # Edges close to a side are left out: a sliver of a cell there would only lose digits in its differences.
    within = last - _APART * step
    inner = sorted({k * step for k in edges if -within < k * step < within} | {-last, last, Fraction(0)})
    roots = [(ball(edge) / 2).exp() for edge in inner]
    return [
        Outcome(a, c, height * (y - x), height * (1 / x - 1 / y))
        for (a, c), (x, y) in zip(pairwise(inner), pairwise(roots), strict=True)
    ]


def discrete_laplace_outcomes(scale: Fraction, distance: int, step: Fraction) -> list[Outcome]:
    """Return the losses of discrete Laplace noise of `scale` at an integer distance >= 1."""
    with precision(noise_bits(step)):
        ratio = (-1 / ball(scale)).exp()
        side = 1 / (1 + ratio)
        between = [(1 - ratio) * side * ratio**x for x in range(1, distance)]
        far = ratio**distance * side
        first = [far, *between[::-1], side]
        losses = [Fraction(distance - 2 * x) / scale for x in range(distance, -1, -1)]
        return [Outcome(v, v, p, q) for v, p, q in zip(losses, first, reversed(first), strict=True)]


def discrete_gaussian_outcomes(
    sigma: Fraction, distance: int, step: Fraction, reach: int
) -> tuple[list[Outcome], tuple[arb, arb]]:
    """Return the losses of discrete Gaussian noise at outputs near both means, and what `P` has beyond.

    The outputs are those from `-reach` to `distance + reach`, where `distance >= 1` is an integer. What lies beyond:
    below, then above, in the order of the losses.
    """
    with precision(noise_bits(step)):
        decay = 1 / (2 * ball(sigma) ** 2)
        weights = [(-decay * x * x).exp() for x in range(distance + reach + 1)]

        def tail(first: int) -> arb:
            """Enclose the sum of all weights from `first` on, which a geometric series bounds."""
            bound = (-decay * first * first).exp() / (1 - (-decay * (2 * first + 1)).exp())
            return (bound / 2).union(arb(0)).union(bound)

        beyond = tail(distance + reach + 1)
        total = 2 * sum(weights[1:], arb(0)) + weights[0] + 2 * beyond
        masses = [weight / total for weight in weights]
        # From the largest output down, so that the losses rise as the cells ask for.
        outputs = range(distance + reach, -reach - 1, -1)
        losses = [(distance - 2 * x) * distance / (2 * sigma**2) for x in outputs]
        found = [Outcome(v, v, masses[abs(x)], masses[abs(x - distance)]) for v, x in zip(losses, outputs, strict=True)]
        above = (sum(weights[reach + 1 :], arb(0)) + beyond) / total
        return found, (beyond / total, above)


def randomised_outcomes(
    truth: tuple[Fraction] | Fraction, answers: int, loss: Fraction, step: Fraction
) -> list[Outcome]:
    """Return the losses of randomised response among `answers >= 2`; `loss` stands for the largest of them.

    `truth` is the probability of the true answer, or that largest loss itself as a tuple of one.
    """
    with precision(noise_bits(step)):
        if isinstance(truth, tuple):
            x = ball(truth[0]).exp()
            other = 1 / (x + answers - 1)
            true = x * other
        else:
            true, other = ball(truth), (1 - ball(truth)) / (answers - 1)
        middle = [Outcome(Fraction(0), Fraction(0), other * (answers - 2), other * (answers - 2))]
        return [
            Outcome(-loss, -loss, other, true),
            *(middle if answers > 2 else []),
            Outcome(loss, loss, true, other),
        ]


def randomised_loss(truth: Fraction, answers: int) -> tuple[Fraction, Fraction]:
    """Return about `log(truth (answers - 1)/(1 - truth))`, the largest loss, and how far off that is at most."""
    with precision(_BITS):
        value = (ball(truth) * (answers - 1) / (1 - ball(truth))).log()
        middle = Fraction(float(value.mid()))
        slack = float_above(abs(value - ball(middle)))
    return middle, Fraction(slack)
