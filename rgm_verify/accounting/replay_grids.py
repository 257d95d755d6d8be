"""Grids for the replay of a certificate: steps, places and digits that are likely to prove an interval.

All numbers here are guides in floating point, and no bound rests on them: a grid that is chosen badly makes the replay
refuse, and it cannot make a false statement pass.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial, reduce
from typing import Any, TypeAlias

from rgm_verify.accounting.exact import one_release
from rgm_verify.accounting.release import Release
from rgm_verify.accounting.subsampled.mechanism import FIXED, Segment
from rgm_verify.accounting.subsampled.mixtures import MixtureStep
from rgm_verify.errors import InputError
from rgm_verify.numbers.bounds import Bounds

__all__ = [
    "NO_SMALLER",
    "Atoms",
    "Cells",
    "Dotted",
    "Goal",
    "MixtureCells",
    "Shape",
    "gaussian_reach",
    "gaussian_shape",
    "grids",
    "relative_shape",
    "sampled_shape",
]

_SPARE_DIGITS = 12  # of a mass, beyond the first digit of delta
_CUT = 10**5  # a replay may move this part of delta, over all releases, at each end of the losses
_ATTEMPTS = 4
_FINER = Fraction(3, 5)  # an error that goes with the square of the step falls to about a third
_SHARE = 3.0  # of the width of the interval that a grid may take
_APART = 20  # of an end: wider intervals are of ends that do not meet
_LEAST_WIDTH = 1e-9
_LEAST_GAP = 1e-4  # of an end: a grid is not made finer than that, as an end may be moved by a tenth
_FINE_PLACES, _COARSER = 5000, 3  # rare losses are far up, where a wide cell costs little
_MOST_PLACES = 390_000  # a replay takes 400,000 for a release
_MOST_DOTS = 20_000
_MOST_EXACT = 5000  # places of a release on a lattice that all losses lie on
_MOST_WINDOW = 800_000
_LONGEST_STEP = 400  # characters, of 700 that a replay reads
NO_SMALLER = Fraction(1, 10**200)  # guides are floats, which end not far below


@dataclass(frozen=True)
class Goal:
    """An interval that a certificate is to state, and the number of releases.

    Attributes:
        found: the interval, as it was computed.
        delta: the level, where the interval is one of epsilon.
        epsilon: the level, where it is one of delta.
        steps: all releases together.
        chain: the records of a group that is followed from record to record; 1 for all others.
        neighbours: the data sets that the certificate names; empty for none.
    """

    found: Bounds
    delta: Fraction | None
    epsilon: Fraction | None
    steps: int
    chain: int = 1
    neighbours: str = ""

    @property
    def smallest(self) -> float:
        """The delta that a replay computes, or about that."""
        delta = float(self.delta if self.delta is not None else (self.found.lower or self.found.upper))
        if self.chain == 1:
            return delta
        # Of one record, at the share of epsilon that it has.
        growth = math.fsum(math.exp(min(700.0, k * self.level)) for k in range(self.chain))
        return delta / growth

    @property
    def level(self) -> float:
        """The epsilon that a replay computes with, or about that."""
        return (self.found.upper if self.delta is not None else float(self.epsilon or 0)) / self.chain

    @property
    def gap(self) -> float:
        """The part of epsilon's interval, or of delta's as one of epsilon, that a grid may take."""
        found = self.found
        # Both ends of a chain are about different quantities: nothing is gained by more than a part of the upper one.
        if self.chain > 1:
            return self.level / 100
        # Where ends do not meet, an end of its own has to be proved to a part of itself.
        wide = min(found.upper - found.lower, found.upper / _APART)
        if self.delta is not None:
            return wide / _SHARE
        return wide / _SHARE / (max(found.lower, 1e-3 * found.upper) * self.tilt)

    @property
    def tilt(self) -> float:
        """About the tilt at which Chernoff's bound of a Gaussian loss is least; a guide for all others too."""
        return 1 + 2 * -math.log(self.smallest) / max(self.level, 0.01)


@dataclass(frozen=True)
class Dotted:
    """A release whose curve is known: `reach(p)` is about the loss that is exceeded with the probability p.

    Its losses lie in both directions, so that the grid is symmetric. A replay joins the values of the curve at the grid
    points by chords: each of these dots is enclosed, so they are what its time goes with.
    """

    reach: Callable[[float], float]
    steps: int

    def runs(self, step: Fraction, least: float) -> list[list[int]]:
        """Return the places of a grid that holds all losses but those of the probability `least`."""
        # Two more than the guide says: it is a float, and a loss above the last place counts as infinite.
        last = max(2, math.ceil(self.reach(least) / step) + 2)
        return [[-last, last + 1, 1]]


@dataclass(frozen=True)
class Atoms(Dotted):
    """A release with losses of single outcomes, which are multiples of `lattice`, or next to them.

    Attributes:
        lattice: exact, or just below the losses of randomised response that are logarithms.
        exact: whether all losses are such multiples; else there are others between them.
        sparse: whether only the greatest one, its negative and 0 occur.
    """

    lattice: Fraction
    exact: bool
    sparse: bool = False

    def runs(self, step: Fraction, least: float) -> list[list[int]]:
        """Return the places as `Dotted`, and no more than are needed where the losses lie on them."""
        every = self.lattice / step
        if not self.sparse or every.denominator > 1 or not 1 < every.numerator <= 10**5:
            return super().runs(step, least)
        # A curve is straight between the losses that there are.
        last = every.numerator
        return [[-2 * last, 2 * last + 1, last]]


@dataclass(frozen=True)
class Cells:
    """A release of Poisson samples: its losses have a least one, `log(1 - rate)`, and are cut into cells.

    All numbers are floats, since they only choose the places.
    """

    rate: float
    noise: float
    steps: int

    def runs(self, step: Fraction, least: float) -> list[list[int]]:
        """Return the places, from the one below every loss."""
        first = math.floor(math.log1p(-self.rate) / step)
        return _runs(first, math.ceil(_highest(self.rate, self.noise, least) / step) + 2)


@dataclass(frozen=True)
class MixtureCells:
    """A release of Poisson samples whose pair is one of mixtures, cut into cells of its output."""

    step: MixtureStep
    steps: int

    def runs(self, step: Fraction, least: float) -> list[list[int]]:
        """Return the places, from the one below every loss, or with losses of either sign."""
        highest = max(pair.highest(least / weight) for weight, pair in self.step.above if weight > least)
        last, bottom = math.ceil(highest / step) + 2, self.step.above[0][1].least
        if bottom is not None:
            return _runs(math.floor(bottom / step), last)
        right = _runs(0, last)
        # The same on the other side of 0, which is a place of the right one.
        left = [[-start - (stop - 1 - start) // stride * stride, 1 - start, stride] for start, stop, stride in right]
        return [*reversed([run for run in [[left[0][0], 0, 1], *left[1:]] if run[0] < run[1]]), *right]


Shape: TypeAlias = Dotted | Atoms | Cells | MixtureCells


def sampled_shape(sampler: str, segment: Segment) -> Shape:
    """Return the losses of a segment in the form that its grid depends on: of a known curve, or of cells.

    The noise is in units of the most that neighbours move a sum by.
    """
    noise = segment.noise_multiplier
    if segment.rate == 1:
        return gaussian_shape(segment.steps / noise**2)
    if sampler == FIXED:
        return Dotted(partial(_highest, float(segment.rate), float(noise)), segment.steps)
    return Cells(float(segment.rate), float(noise), segment.steps)


def relative_shape(release: Release, steps: int) -> Shape:
    """Return the losses of the relative Gaussian mechanism."""
    # A divergence is at most the probability of a loss above its level, so that this is about the quantile or less.
    return Dotted(lambda least: one_release.epsilon(release, Fraction(least)).upper, steps)


def gaussian_shape(shift: Fraction) -> Shape:
    """Return the losses of a Gaussian pair at a squared distance in deviations: any number of releases is one pair."""
    return Dotted(partial(gaussian_reach, shift), 1)


def grids(goal: Goal, shapes: Sequence[Shape], *, listed: bool = False) -> Iterator[dict[str, Any]]:
    """Yield grids of growing fineness: the first is about what the width of the interval allows.

    A cell of width h adds about `h^2/12` twice to what a release of tilt `theta` costs, a guide. `listed` says that the
    certificate is one of a plan, which has a list of runs for each release. Losses that lie on a lattice are asked to
    lie on the grid, and if all do, there is one grid on which nothing is lost.

    The grids end where one would be larger than a replay takes: 390,000 places of cells, 20,000 dots of a known curve
    above zero, or a window of 800,000 steps. Raises `InputError` for a delta below 1e-200 and an epsilon above 1000.
    """
    smallest, level = goal.smallest, goal.level
    if smallest < float(NO_SMALLER) or level > 1000:
        raise InputError("--certificate: for a delta from 1e-200 on and an epsilon up to 1000")
    yielded = False
    # An interval in closed form is narrower than any grid has to be, and asks for one that no replay takes.
    for least in (_LEAST_WIDTH, _LEAST_GAP * max(level, 1e-3)):
        for step in _steps(goal, shapes, least):
            if (runs := _laid(goal, shapes, step)) is None:
                break
            yielded = True
            yield _check(goal, step, runs, listed=listed)
        if yielded:
            return


def _laid(goal: Goal, shapes: Sequence[Shape], step: Fraction) -> list[list[list[int]]] | None:
    """Return the runs of each release on a grid; None for one that is larger than a replay takes."""
    runs = [shape.runs(step, goal.smallest / (_CUT * goal.steps)) for shape in shapes]
    places = sum(part[-1][1] - part[0][0] for part in runs)
    dots = sum(
        part[-1][1] // part[-1][2] for part, shape in zip(runs, shapes, strict=True) if isinstance(shape, Dotted)
    )
    # A sum of losses is no wider than all of them together.
    window = min(
        4 * (goal.level + 1) / step,
        sum(2 * part[-1][1] * shape.steps for part, shape in zip(runs, shapes, strict=True)),
    )
    return None if places > _MOST_PLACES or dots > _MOST_DOTS or window > _MOST_WINDOW else runs


def _check(goal: Goal, step: Fraction, runs: list[list[list[int]]], *, listed: bool) -> dict[str, Any]:
    """Return a grid as the data of a certificate."""
    # Each release rounds its masses once more, so that their number takes digits as well.
    digits = math.ceil(-math.log10(goal.smallest)) + _SPARE_DIGITS + len(str(goal.steps))
    return {
        "kind": "grid",
        "step": str(step),
        "runs": runs if listed else runs[0],
        "digits": digits,
        "cut": math.floor(10**digits * Fraction(goal.smallest) / (_CUT * goal.steps)),
    }


def _steps(goal: Goal, shapes: Sequence[Shape], least: float) -> Iterator[Fraction]:
    """Yield the steps to try, from a coarse one to a fine one; the only one where all losses lie on it.

    An interval narrower than `least` is looked at as if it were so wide.
    """
    lattices = [shape.lattice for shape in shapes if isinstance(shape, Atoms)]
    common = reduce(_common, lattices) if lattices else None
    if common is not None and all(isinstance(shape, Atoms) and shape.exact for shape in shapes):
        exact = common / math.ceil(common)
        size = max(shape.reach(goal.smallest / (_CUT * goal.steps)) for shape in shapes if isinstance(shape, Atoms))
        if exact >= Fraction(1, 10**9) and size / exact <= _MOST_EXACT and len(str(exact)) <= _LONGEST_STEP:
            yield exact
            return
    rounds = sum(shape.steps for shape in shapes)
    # Narrower than a ten thousandth no grid has to be, as an end may be moved by a thousandth and more.
    least = _LEAST_GAP * max(goal.level, 1e-3) if lattices else least
    wanted = min(math.sqrt(12 * max(goal.gap, least) / (rounds * (goal.tilt + 1))), max(goal.level, 0.1) / 20)
    step = Fraction(1, math.ceil(1 / wanted))
    for _ in range(_ATTEMPTS):
        yield _on(step, common, lattices)
        step = Fraction(1, math.ceil(1 / (step * _FINER)))


def _on(step: Fraction, common: Fraction | None, lattices: Sequence[Fraction]) -> Fraction:
    """Return a step not above the given one that divides the lattices if it can, or else the widest of them."""
    if common is None:
        return step
    for lattice in (common, max(lattices)):
        if lattice >= step and len(str(lattice)) <= _LONGEST_STEP:
            return lattice / math.ceil(lattice / step)
    return step


def _common(a: Fraction, b: Fraction) -> Fraction:
    """Return the largest number that both are multiples of."""
    both = a.denominator * b.denominator
    return Fraction(math.gcd(a.numerator * b.denominator, b.numerator * a.denominator), both)


def gaussian_reach(shift: Fraction, least: float) -> float:
    """Return a loss that a Gaussian pair exceeds with less than the probability `least`."""
    # Chernoff's bound of a normal tail: more than is needed, and the grid only becomes a little wider.
    return float(shift) / 2 + math.sqrt(float(shift) * 2 * -math.log(least))


def _highest(rate: float, noise: float, least: float) -> float:
    """Return about the loss of removal that is exceeded with the probability `least`.

    Args:
        rate: the probability of a record to be in the sample.
        noise: the deviation of the noise, over what the record moves the output by.
        least: a probability > 0.
    """
    # In deviations beyond the shifted mean: a float has no smaller tail than the one at about 38.
    low, high = 0.0, 40.0
    for _ in range(60):
        middle = (low + high) / 2
        tail = (1 - rate) * math.erfc((middle * noise + 1) / noise / math.sqrt(2)) + rate * math.erfc(
            middle / math.sqrt(2)
        )
        low, high = (middle, high) if tail / 2 > least else (low, middle)
    output = high * noise + 1
    far = (2 * output - 1) / (2 * noise**2)
    # The exponential leaves the floats at 709; long before, the 1 beside it no longer counts.
    return math.log1p(rate * math.expm1(far)) if far < 500 else far + math.log(rate)


def _runs(first: int, last: int) -> list[list[int]]:
    """Return runs of places that are coarser, far from the bulk of the losses."""
    runs, start, stride = [], first, 1
    while start < last:
        stop = start + _FINE_PLACES * stride
        runs.append([start, max(min(stop, last), start + 1), stride])
        start, stride = stop, stride * _COARSER
    return runs
