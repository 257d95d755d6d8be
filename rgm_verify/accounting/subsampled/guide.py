"""Floats that choose tilts, ranges and cells of a composition of sampled releases. No bound rests on them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from rgm_verify.accounting.composition.loss_tails import few_bits
from rgm_verify.accounting.subsampled.mechanism import Segment

FloatArray: TypeAlias = NDArray[np.floating[Any]]

OUTPUTS = 2000
_TILTS = 60
_REFINEMENTS = 3
_BETWEEN = 9
_WIDE = math.log(1e-30)
_CUT = math.log(1e-7)  # what lies beyond the cells, as a part of delta
_LEAST_DELTA = -650.0  # a float, and squares of it in the tilted sums, have to stay above the least float
_FLOOR = 1e-9  # of the weight of a cell, so that no cell is too wide
_FEWEST_CELLS, _MOST_CELLS = 24, 20_000
_SHARES = (0.0, 0.4, 0.8, 1.0)
_BLOCKS = 4096
_RARE = 60.0  # nats below a saddle point's value where a single loss still counts
_FREE = 2.0  # nats of Chernoff's bound that a smaller tilt may cost
_STEPS_TO_A_CELL = 24.0
_FINER_FOR_A_LATTICE = 8.0
_SHARE_OF_GAP = 2.0**-10
_SHARE_OF_SMALL = 8.0  # a loss much smaller than a step adds at most its deviation times the step to the variance


@dataclass(frozen=True, eq=False)
class Outputs:
    """Outputs of one release in the order of their losses: the loss of each, and logarithms of both laws' masses there.

    `mixed` is the first law of the pair of removal and `base` the second one. `steps` releases are equal. No output has
    a loss below `least`, where no law comes down to it. The three arrays have the shape (n,).
    """

    steps: int
    loss: FloatArray
    base: FloatArray
    mixed: FloatArray
    least: float | None = None

    @classmethod
    def of(cls, segment: Segment, log_tail: float) -> Outputs:
        """Return the segment on outputs beyond which either law has about `exp(log_tail)`."""
        q, sigma = float(segment.rate), float(segment.noise_multiplier)
        reach = math.sqrt(-2 * log_tail)
        over = math.sqrt(max(0.0, -2 * (log_tail - math.log(q))))
        y = np.linspace(-sigma * reach, max(sigma * reach, 1 + sigma * over), OUTPUTS)
        # A narrow law needs its own points.
        exponent = (2 * y - 1) / (2 * sigma**2) + math.log(q)
        rest = -math.inf if q == 1 else math.log1p(-q)
        loss = np.logaddexp(exponent, rest)
        base = -(y**2) / (2 * sigma**2) - math.log(sigma * math.sqrt(2 * math.pi)) + math.log(y[1] - y[0])
        return cls(segment.steps, loss, base, base + loss, None if q == 1 else rest)

    @property
    def deviation(self) -> float:
        """The standard deviation of the loss under the first law."""
        masses = np.exp(self.mixed)
        total = float(np.sum(masses))
        mean = float(np.dot(masses, self.loss)) / total
        return math.sqrt(max(float(np.dot(masses, (self.loss - mean) ** 2)) / total, self._least_variance))

    @cached_property
    def _least_variance(self) -> float:
        """A variance that stands for less: where nearly all mass is at one loss, scales are those of the gaps."""
        gap = float(np.min(np.diff(self.loss), initial=math.inf))
        return max((_SHARE_OF_GAP * gap) ** 2, 1e-300) if math.isfinite(gap) else 1e-300

    def cumulant(self, s: FloatArray, remove: bool) -> FloatArray:
        """Return `log E_P exp(s L)` of the direction, for each s."""
        law, loss = (self.mixed, self.loss) if remove else (self.base, -self.loss)
        found: FloatArray = logsumexp(law + np.outer(s, loss), axis=1)
        return found

    def moments(self, s: FloatArray, remove: bool) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the cumulant and its first two derivatives, for each s."""
        law, loss = (self.mixed, self.loss) if remove else (self.base, -self.loss)
        exponents = law + np.outer(s, loss)
        top = exponents.max(axis=1, keepdims=True)
        # Less the largest exponent: exponentials of large losses would overflow.
        weights = np.exp(exponents - top)
        total = weights.sum(axis=1)
        mean = weights @ loss / total
        variance = (weights @ loss**2) / total - mean**2
        return top[:, 0] + np.log(total), mean, np.maximum(variance, self._least_variance)


@dataclass(frozen=True)
class Saddle:
    """A tilt `s`, its epsilon, a rough value of `log delta` there, and the deviation of the tilted loss."""

    tilt: float
    epsilon: float
    log_delta: float
    spread: float


def saddle(
    parts: Sequence[Outputs], remove: bool, *, log_delta: float | None = None, epsilon: float | None = None
) -> Saddle:
    """Return the saddle point that belongs to `log_delta`, or to `epsilon`, of the composition in one direction.

    Args:
        parts: the outputs of all releases.
        remove: the direction: True for the pair of removal.
        log_delta: the logarithm of a delta; the least tilt that goes below it is taken.
        epsilon: the mean of the tilted loss, looked at only if `log_delta` is None.
    """
    tilts = _tilts(parts, remove)
    k, mean, spread, log = 0, tilts, tilts, tilts
    # Both quantities are about monotone in the tilt: each round looks between two neighbours of the one before.
    for _ in range(_REFINEMENTS):
        _, mean, spread, log = _along(parts, tilts, remove)
        above = log <= log_delta if log_delta is not None else mean >= (epsilon or 0.0)
        k = int(np.argmax(above)) if above.any() else len(tilts) - 1
        tilts = np.linspace(tilts[max(k - 1, 0)], tilts[k], _BETWEEN) if k else tilts[:1]
    return Saddle(float(tilts[-1]), max(0.0, float(mean[k])), float(log[k]), float(spread[k]))


def moderate_tilt(parts: Sequence[Outputs], saddle: Saddle, remove: bool, epsilon: float) -> float:
    """Return the least tilt whose Chernoff bound at `epsilon` is nearly that of the saddle: it keeps windows short."""
    tilts = np.linspace(0.0, saddle.tilt, _TILTS)
    bound = _along(parts, tilts, remove)[0] - tilts * epsilon
    return float(tilts[int(np.argmax(bound <= np.min(bound) + _FREE))])


def log_chernoff(parts: Sequence[Outputs], remove: bool, epsilon: float) -> float:
    """Return about the logarithm of Chernoff's bound of delta at `epsilon`, also where no output has such a loss."""
    tilts = _tilts(parts, remove)
    return float(np.min(_along(parts, tilts, remove)[0] - tilts * epsilon))


def log_delta_at(parts: Sequence[Outputs], remove: bool, epsilon: float) -> float:
    """Return about `log delta` at `epsilon`; where one large loss may make it, that of one such loss if it is less."""
    found = saddle(parts, remove, epsilon=epsilon).log_delta
    # A small rate has rare and large losses, of which one alone passes epsilon; a saddle point knows smooth sums only.
    jumps = []
    for part in parts:
        law, loss = (part.mixed, part.loss) if remove else (part.base, -part.loss)
        above = loss > epsilon
        jumps += [math.log(part.steps) + float(logsumexp(law[above]))] if above.any() else []
    jump = max(jumps, default=-math.inf)
    return min(found, jump) if jump > found - _RARE else found


def _along(parts: Sequence[Outputs], tilts: FloatArray, remove: bool) -> tuple[FloatArray, ...]:
    """Return the cumulant, its derivative, the root of its second, and a rough `log delta`, for each tilt."""
    total = np.zeros((3, len(tilts)))
    for part in parts:
        total += part.steps * np.array(part.moments(tilts, remove))
    cumulant, mean, variance = total
    spread = np.sqrt(variance)
    # The Gaussian integral of the contour, kept finite where the tilt is small.
    log = cumulant - tilts * mean - np.log1p(tilts * (1 + tilts) * spread * math.sqrt(2 * math.pi))
    return cumulant, mean, spread, log


def _tilts(parts: Sequence[Outputs], remove: bool) -> FloatArray:
    """Return tilts from 0 over the scales of the whole sum, in geometric progression."""
    zero = np.zeros(1)
    variance = sum(part.steps * part.moments(zero, remove)[2][0] for part in parts)
    spread = math.sqrt(variance)
    return np.concatenate([[0.0], np.geomspace(1e-2 / spread, 60 / spread + 60, _TILTS)])


@dataclass(frozen=True, eq=False)
class Layout:
    """The step of the common grid, and for each segment the edges of its cells as multiples of it.

    `edges` are for bounds from above, `middles` between them for bounds from below.
    """

    step: Fraction
    edges: Sequence[Sequence[int]]

    @property
    def middles(self) -> list[list[int]]:
        """The middles between the edges, with the first and the last edge; there may be no loss next to the first."""
        return [[e[0], *((a + b) // 2 for a, b in pairwise(e[1:])), e[-1]] for e in self.edges]


@dataclass(frozen=True, eq=False)
class Rest:
    """The law of the sum of all losses in one direction, from a composition before; `slope` as in `layout`."""

    remove: bool
    losses: FloatArray
    masses: FloatArray
    slope: float
    epsilon: float

    @classmethod
    def of(cls, remove: bool, losses: FloatArray, masses: FloatArray, epsilon: float) -> Rest:
        """Return the law smoothed over neighbouring losses, so that single grid points do not stand out."""
        step = losses[1] - losses[0]
        beyond = losses > epsilon
        survival = float(np.sum(masses[beyond] * np.exp(epsilon - losses[beyond])))
        reach = max(1, len(losses) // _BLOCKS)
        count = len(losses) // reach
        # A guide needs no more points than a plot.
        blocks = masses[: count * reach].reshape(count, reach).mean(axis=1)
        smooth = np.maximum(blocks, np.maximum(np.roll(blocks, 1), np.roll(blocks, -1)) / 2)
        centres = losses[: count * reach].reshape(count, reach).mean(axis=1)
        density = float(np.interp(epsilon, centres, smooth)) / step
        slope = density / survival if survival > 1e-200 and density < 1e200 else 1.0
        return cls(remove, centres, smooth, slope, epsilon)

    def weights(self, part: Outputs) -> FloatArray:
        """Return the weight of each loss of one release: its mass, times that of what the others have to add."""
        law, loss = (part.mixed, part.loss) if self.remove else (part.base, -part.loss)
        # A place that no loss reaches has hardly any weight; a mass of 0 would have no logarithm.
        left = np.interp(self.epsilon - loss, self.losses, np.log(np.maximum(self.masses, 1e-300)))
        exponents = law + left
        found: FloatArray = np.exp(exponents - logsumexp(exponents))
        return found


def layout(
    parts: Sequence[Outputs],
    saddles: Sequence[tuple[bool, Saddle]],
    rests: Sequence[Rest],
    width: float,
    least: float,
    *,
    steps_to_a_cell: float,
    lattice: Fraction | None = None,
    rounded: Sequence[bool] | None = None,
) -> Layout:
    """Return cells whose two-sided error in epsilon is about `width`, for saddle points of directions (removal: True).

    A cell of width w adds to or takes from delta about `p g w^2 / 12`, where `p` is its mass and `g` the density of all
    other losses at what is missing to epsilon; the sum of `p g` over `-d delta / d epsilon` is the slope. So widths are
    inversely proportional to the cube root of the weight. `g` is known from a composition before (`rests`), or taken
    to be exponential, at several tilts. No step of the grid is below `least`, unless that of `lattice` is: the step is
    a whole fraction of it. `rounded` says which parts have losses off the grid; where none has, the step is `lattice`.
    """
    off_grid = [True] * len(parts) if rounded is None else rounded
    weights = [_weight(part, saddles, rests) for part in parts]
    integrals = [float(np.sum(weight)) for weight in weights]
    counts = [part.steps for part in parts]
    slope = max(*(rest.slope for rest in rests), *(saddle.tilt + 1 for _, saddle in saddles), 1.0)
    sizes = sum(n ** (1 / 3) * i for n, i in zip(counts, integrals, strict=True))
    scale = math.sqrt(min(1e300, float(slope) * sizes / (8 * max(width, 1e-300))))
    numbers = [
        min(_MOST_CELLS, max(_FEWEST_CELLS, scale * n ** (1 / 3) * i)) for n, i in zip(counts, integrals, strict=True)
    ]
    marks = [_marks(part, w, n) for part, w, n in zip(parts, weights, numbers, strict=True)]
    # Half of what the cells have in common is finer than the middle one, weighted by what it holds.
    wanted = [
        max(_typical(part, w, n) / steps_to_a_cell, width / slope / _SHARE_OF_SMALL / (part.steps * part.deviation))
        for part, w, n in zip(parts, weights, numbers, strict=True)
    ]
    off = min((w for w, is_off in zip(wanted, off_grid, strict=True) if is_off), default=math.inf)
    # Not every loss is worth a grid of its own that is much finer than the others need.
    if lattice is not None and not (lattice >= off / _FINER_FOR_A_LATTICE or lattice >= min(wanted)):
        off, lattice = min(wanted), None
    step = _step(max(least, off), lattice)
    return Layout(step, [_edges(part, m, step) for part, m in zip(parts, marks, strict=True)])


def _step(wanted: float, lattice: Fraction | None) -> Fraction:
    """Return about the wanted step: a number of few bits, or a whole fraction of the lattice."""
    if lattice is None:
        return few_bits(wanted)
    return lattice if lattice <= wanted else lattice / math.ceil(lattice / Fraction(wanted))


def _weight(part: Outputs, saddles: Sequence[tuple[bool, Saddle]], rests: Sequence[Rest]) -> FloatArray:
    """Return the cube root of the weight of each loss times the length of its interval; its sum sets the number."""
    lengths = np.maximum(np.gradient(part.loss), 1e-300)
    total = np.zeros_like(part.loss)
    for rest in rests:
        total = np.maximum(total, rest.weights(part))
    for remove, saddle in saddles:
        law, loss = (part.mixed, part.loss) if remove else (part.base, -part.loss)
        for share in _SHARES:
            exponents = law + share * saddle.tilt * loss
            total = np.maximum(total, np.exp(exponents - logsumexp(exponents)))
    density = total / lengths
    usual = np.sum(total) / (part.loss[-1] - part.loss[0])
    found: FloatArray = np.cbrt(np.maximum(density, _FLOOR * usual)) * lengths
    return found


def _marks(part: Outputs, weight: FloatArray, number: float) -> FloatArray:
    """Return marks between cells, losses of the shape (`ceil(number) + 1`,): each cell has about the same weight."""
    sums = np.cumsum(weight)
    marks: FloatArray = np.interp(np.linspace(0, sums[-1], math.ceil(number) + 1), sums, part.loss)
    return marks


def _typical(part: Outputs, weight: FloatArray, number: float) -> float:
    """Return a width below that of most cells that matter, by the cube of the weight."""
    lengths = np.gradient(part.loss)
    density = (weight / np.maximum(lengths, 1e-300)) ** 3
    share = density * lengths
    widths = lengths * np.sum(weight) / (weight * number)
    return float(math.sqrt(np.sum(share * widths**2) / np.sum(share)))


def _edges(part: Outputs, marks: FloatArray, step: Fraction) -> list[int]:
    """Return the marks as even multiples of the step, 0 among them, the first below every loss where there is one."""
    h = float(step)
    # Even, so that the middle of a cell is on the grid as well: bounds from below have their edges there.
    found = set((2 * np.rint(marks / (2 * h))).astype(np.int64).tolist())
    first, last = 2 * math.floor(marks[0] / (2 * h)), 2 * math.ceil(marks[-1] / (2 * h))
    least = first + 2
    if part.least is not None:
        bottom = 2 * math.floor(part.least / (2 * h)) - 2
        # An edge within the last rounding of the least loss could lie on either side of it; 0 lies above.
        if first <= bottom + 6:
            first, least = bottom, min(bottom + 6, 0)
    last = max(last, 2)
    inside = {k for k in found if least <= k < last}
    return sorted(inside | {first, last, 0 if first < 0 else first})


def range_of(log_delta: float, steps: int) -> float:
    """Return the logarithm of the probability that outputs beyond the cells may have, in one step."""
    return min(_WIDE if log_delta == -math.inf else log_delta, -1.0) + _CUT - math.log(steps)


def wide_range(steps: int) -> float:
    """Return the same while delta is not known."""
    return _LEAST_DELTA - math.log(steps)
