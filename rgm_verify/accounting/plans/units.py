"""Planned releases as units of an account: discrete losses above and below each of them, and guides to both.

A unit knows the grid on which its own losses lie exactly, if there is one (`lattice`); an account that can use it loses
nothing there. Guides are floats and enter no bound.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Protocol, TypeAlias

import numpy as np

from rgm_verify.accounting.composition.envelope import DiscreteLoss
from rgm_verify.accounting.composition.grid import envelope_loss, usual_resolution
from rgm_verify.accounting.composition.loss_tails import few_bits, variance
from rgm_verify.accounting.composition.product_lower import smaller_loss
from rgm_verify.accounting.plans.kinds.kind import Noise
from rgm_verify.accounting.release import Release
from rgm_verify.accounting.subsampled.closed_forms import closed_delta, closed_epsilon, epsilon_of_closed
from rgm_verify.accounting.subsampled.guide import FloatArray, Outputs
from rgm_verify.accounting.subsampled.mechanism import ADD, REMOVE, REPLACE, SampledGaussian, Segment
from rgm_verify.accounting.subsampled.mixtures import MixtureUnit
from rgm_verify.accounting.subsampled.simple import Simple, gaussian_delta, gaussian_epsilon
from rgm_verify.accounting.subsampled.units import Power, SampledUnit, Unit
from rgm_verify.gaussians.certified.noise_cells import NoiseCells, Outcome, noise_cells
from rgm_verify.gaussians.certified.sampled_cells import LatticeLoss, sampled_cells
from rgm_verify.numbers.bounds import Bounds

Cut: TypeAlias = tuple[Any, Any] | None
"""The masses that the first law has below and above all outcomes, as balls."""

_CLOSED = "Gaussian noise composed in closed form by the error function"
_ROOT_BITS = 64  # more than the 53 of a float, and few enough for exact arithmetic
_CELLS = 400
_MOST_OUTPUTS = 4000  # of a guide, which is summed up at many tilts
_BLOCKS_OF_ENVELOPE = 50.0  # grid points of a guide to a standard deviation
_DOTS_BELOW = 150.0  # the same of a loss from below, which has one pair and is cheap
_FINER = 2.0
_LEAST_GUIDE = -60.0  # nats: smaller tails would take the envelope of a guide far out, for little
_MOST_POINTS = 4_000_000


class PlannedUnit(Unit, Protocol):
    """A unit of a plan: beside its losses, what an account of the whole plan asks of it.

    The usual one has no largest loss and no closed form, and is of one pair of data sets that may be turned around.
    """

    @property
    def largest(self) -> Fraction | None:
        """No loss of all its releases together is above this; None where losses have no end."""
        return None

    @property
    def largest_below(self) -> Fraction | None:
        """A bound from below on the largest loss, which has a probability above 0."""
        return None

    @property
    def run(self) -> SampledGaussian | None:
        """The run of random samples that it is part of."""
        return None

    @property
    def directions(self) -> tuple[bool, ...] | None:
        """The directions that count, as in a `Model`; None where both orders of neighbours have one curve."""
        return None

    @property
    def matched(self) -> bool:
        """Tell whether both bounds are of one pair, so that they meet as grids get finer."""
        return True

    @property
    def turns(self) -> bool:
        """Tell whether the curve of one order of neighbours is that of the other."""
        return True

    def joined(self, other: PlannedUnit) -> PlannedUnit | None:
        """Return both units as one; None where they stay two."""
        return None

    def closed_delta(self, epsilon: Fraction) -> Bounds | None:
        """Return bounds in closed form of this unit alone; None where there are none."""
        return None

    def closed_epsilon(self, delta: Fraction) -> Bounds | None:
        """Return the same at a delta."""
        return None


@dataclass(frozen=True)
class SegmentUnit(SampledUnit, PlannedUnit):
    """A segment of a run of DP-SGD."""

    run: SampledGaussian | None = None
    turns: bool = False

    @property
    def directions(self) -> tuple[bool, ...] | None:
        """Those of the run."""
        return None if self.run is None else self.run.directions

    @property
    def matched(self) -> bool:
        """Tell whether batches are not of a fixed size, or are all of the records."""
        return not self.replace or self.segment.rate == 1

    def closed_delta(self, epsilon: Fraction) -> Bounds | None:
        """Return that of the run, of which this is the only segment."""
        return None if self.run is None else closed_delta(self.run, epsilon)

    def closed_epsilon(self, delta: Fraction) -> Bounds | None:
        """Return the same at a delta."""
        return None if self.run is None else closed_epsilon(self.run, delta)


@dataclass(frozen=True)
class SampledMixtureUnit(MixtureUnit, PlannedUnit):
    """Releases whose pair is one of mixtures, for neighbours that a plan names."""

    steps: int = 1
    adjacency: str = REPLACE

    @property
    def directions(self) -> tuple[bool, ...]:
        """One direction where the pair may be turned around."""
        return {REPLACE: (True,), ADD: (False,), REMOVE: (True,)}.get(self.adjacency, (True, False))

    @property
    def matched(self) -> bool:
        """Tell whether both bounds are of one pair."""
        return self.step.matched

    @property
    def turns(self) -> bool:
        """Tell whether the curve of one order of neighbours is that of the other."""
        return self.step.below.symmetric

    def closed_delta(self, epsilon: Fraction) -> Bounds | None:
        """Return bounds of one release."""
        if self.steps > 1:
            return None
        found = [self.divergence(epsilon, remove=remove) for remove in self.directions]
        return Bounds(
            max(b.lower for b in found), max(b.upper for b in found), found[0].lower_method, found[0].upper_method
        )

    def closed_epsilon(self, delta: Fraction) -> Bounds | None:
        """Return the same at a delta."""
        return epsilon_of_closed(self.closed_delta, delta)


# ------------------------------------------------------------------------------------------------------- Gaussian


@dataclass(frozen=True)
class GaussianUnit(PlannedUnit):
    """All Gaussian releases of a plan as one pair at the distance `sqrt(distance_squared)` in standard deviations.

    The root is irrational as a rule. It is rounded to each side, so that what is composed is one certain mechanism with
    a little less noise for the upper bound and one with a little more for the lower.

    Attributes:
        distance_squared: the sum of `count / noise_multiplier^2` over the releases, exact; or what is above it.
        least: what is below it, where it is not known exactly.
        lattice: None, as no loss is that of a single outcome.
        smooth: True, so that cells are needed on every grid.
        steps: 1, whatever the number of releases.
    """

    distance_squared: Fraction
    least: Fraction | None = None
    lattice: None = None
    smooth: bool = True
    steps: int = 1

    @property
    def below(self) -> Fraction:
        """The squared distance of the pair that the lower end is of."""
        return self.distance_squared if self.least is None else self.least

    @property
    def matched(self) -> bool:
        """Tell whether the distance is known exactly."""
        return self.least is None

    def segment(self, *, more: bool) -> Segment:
        """Return the one release with a rational noise multiplier, rounded up (`more`) or down."""
        return Segment(Fraction(1), root(1 / (self.below if more else self.distance_squared), up=more), 1)

    @property
    def simple(self) -> Simple:
        """The pair itself."""
        return Simple.gaussian(self.distance_squared, exact=self.least is None)

    def outputs(self, log_tail: float) -> Outputs:
        """Return the outputs along the line of both means."""
        return Outputs.of(self.segment(more=False), log_tail)

    def sides(self, step: Fraction, edges: Sequence[int], middles: Sequence[int], log_tail: float) -> GaussianSides:
        """Return the losses with a little less noise from above, and with a little more from below."""
        return GaussianSides(self, step, tuple(edges), tuple(middles))

    def joined(self, other: PlannedUnit) -> PlannedUnit | None:
        """Return both as one pair (`beyond:gaussian-composition`)."""
        if not isinstance(other, GaussianUnit):
            return None
        known = self.least is None and other.least is None
        return GaussianUnit(self.distance_squared + other.distance_squared, None if known else self.below + other.below)

    def closed_delta(self, epsilon: Fraction) -> Bounds:
        """Return the divergence of the pair."""
        upper = gaussian_delta(epsilon, self.distance_squared)
        lower = upper if self.least is None else gaussian_delta(epsilon, self.least)
        return Bounds(lower[0], upper[1], _CLOSED, _CLOSED)

    def closed_epsilon(self, delta: Fraction) -> Bounds:
        """Return where it falls to delta."""
        upper = gaussian_epsilon(delta, self.distance_squared)
        lower = upper if self.least is None else gaussian_epsilon(delta, self.least)
        return Bounds(lower[0], upper[1], _CLOSED, _CLOSED)


@dataclass(frozen=True)
class GaussianSides:
    """The loss of a Gaussian pair on both sides; both directions have one curve."""

    unit: GaussianUnit
    step: Fraction
    edges: tuple[int, ...]
    middles: tuple[int, ...]

    def above(self, remove: bool) -> Power:
        """Return a loss that dominates."""
        # Less noise has the larger divergences (`beyond:sampled-more-noise`), so that a rounded multiplier stays on its
        # side.
        noise = self.unit.segment(more=False).noise_multiplier
        return sampled_cells(Fraction(1), noise, self.step, self.edges).remove_above(), 1

    def below(self, remove: bool) -> Power:
        """Return a loss that is dominated."""
        noise = self.unit.segment(more=True).noise_multiplier
        return sampled_cells(Fraction(1), noise, self.step, self.middles).remove_below(), 1


def root(square: Fraction, *, up: bool) -> Fraction:
    """Return the root of a positive number, rounded to about 64 bits in a direction; exact if it has so few.

    Args:
        square: Above 0, exact.
        up: whether the result is at least the root; at most it otherwise.

    Examples:
        >>> root(Fraction(9, 4), up=True), root(Fraction(2), up=False) ** 2 < 2 < root(Fraction(2), up=True) ** 2
        (Fraction(3, 2), True)
    """
    shift = max(0, _ROOT_BITS - (square.numerator.bit_length() - square.denominator.bit_length()) // 2)
    scaled = square * 4**shift
    # The integer root is exact, so that one more is certainly above.
    found = math.isqrt(scaled.numerator // scaled.denominator)
    exact = found * found == scaled
    return Fraction(found + (up and not exact), 2**shift)


# ------------------------------------------------------------------------------------------------------- other noise


@dataclass(frozen=True)
class NoiseUnit(PlannedUnit):
    """Releases whose pair a bijection turns around: one curve holds for both directions."""

    release: Noise

    @property
    def steps(self) -> int:
        """The number of releases."""
        return self.release.count

    @property
    def smooth(self) -> bool:
        """Tell whether there are losses between those of single outcomes."""
        return self.release.smooth

    @property
    def lattice(self) -> Fraction:
        """The difference of neighbouring losses of single outcomes."""
        return self.release.lattice

    @property
    def largest(self) -> Fraction | None:
        """No loss of all these releases together is above this; None where losses have no end."""
        one = self.release.largest
        return None if one is None else one * self.steps

    @property
    def largest_below(self) -> Fraction | None:
        """A bound from below on the largest loss of all these releases together."""
        # All but a logarithm are exact, and that is as near as it is known.
        return None if self.largest is None else self.largest - 2 * self.release.slack * self.steps

    @property
    def simple(self) -> Simple:
        """The largest loss, or the concentration."""
        rho = self.release.rho
        return Simple.bounded(self.largest or Fraction(0), self.steps) if rho is None else Simple(rho=rho * self.steps)

    def outputs(self, log_tail: float) -> Outputs:
        """Return the outputs in floats, as a guide; `log_tail` bounds what noise without an end leaves out."""
        return self.release.guide(log_tail)

    def sides(self, step: Fraction, edges: Sequence[int], middles: Sequence[int], log_tail: float) -> NoiseSides:
        """Return the losses of cells between the edges, or of single outcomes where the grid has them."""
        return NoiseSides(self, step, tuple(edges), tuple(middles), log_tail)

    def cells(self, step: Fraction, edges: Sequence[int], log_tail: float) -> NoiseCells:
        """Return the certified cells on a grid."""
        outcomes, cut = self.release.outcomes(step, edges, log_tail)
        return noise_cells(outcomes, step, edges, offset=self.release.offset, slack=self.release.slack, cut=cut)


@dataclass(frozen=True)
class NoiseSides:
    """The loss of other noise on both sides; both directions have one curve."""

    unit: NoiseUnit
    step: Fraction
    edges: tuple[int, ...]
    middles: tuple[int, ...]
    log_tail: float

    def above(self, remove: bool) -> Power:
        """Return a loss that dominates."""
        return self.unit.cells(self.step, self.edges, self.log_tail).above(), self.unit.steps

    def below(self, remove: bool) -> Power:
        """Return a loss that is dominated."""
        return self.unit.cells(self.step, self.middles, self.log_tail).below(), self.unit.steps


def gaussian_reach(sigma: Fraction, log_tail: float) -> int:
    """Return how far outputs of discrete Gaussian noise go before their mass is below about `exp(log_tail)`.

    A float may be off: the masses beyond are enclosed with the outcomes, and counted on the safe side.
    """
    return math.ceil(float(sigma) * math.sqrt(-2 * log_tail)) + 1


def _guide(losses: FloatArray, first: FloatArray, second: FloatArray, steps: int) -> Outputs:
    """Return outputs in the order of their losses, at most some thousands of them.

    `losses`, and the logarithms of both laws' masses `first` and `second`, have one shape (n,). Neighbours are joined
    where n is larger: the mean of their losses, and the sum of their masses.
    """
    size = math.ceil(len(losses) / _MOST_OUTPUTS)
    if size > 1:
        starts = np.arange(0, len(losses), size)
        losses = np.add.reduceat(losses, starts) / np.diff([*starts, len(losses)])
        first, second = (np.logaddexp.reduceat(part, starts) for part in (first, second))
    return Outputs(steps, losses, second, first)


def outcomes_guide(outcomes: Sequence[Outcome], steps: int) -> Outputs:
    """Return outcomes with enclosed masses in floats."""
    found = [(float(o.low), float(o.first.mid()), float(o.second.mid())) for o in outcomes]
    losses, masses, others = (np.array(column) for column in zip(*found, strict=True))
    return _guide(losses, np.log(masses), np.log(others), steps)


def laplace_guide(scale: float, steps: int) -> Outputs:
    """Return the losses of Laplace noise in floats: two sides of one loss each, and cells between."""
    last = 1 / scale
    marks = np.linspace(-last, last, _CELLS + 1)
    centres = (marks[1:] + marks[:-1]) / 2
    rise = math.log(math.expm1((marks[1] - marks[0]) / 2) / 2) - last / 2
    losses = np.concatenate([[-last], centres, [last]])
    first = np.concatenate([[-last - math.log(2)], rise + marks[:-1] / 2, [-math.log(2)]])
    return Outputs(steps, losses, first[::-1].copy(), first)


def gaussian_guide(exact: Fraction, distance: int, log_tail: float, steps: int) -> Outputs:
    """Return the losses of discrete Gaussian noise of an `exact` sigma in floats, in increasing order."""
    sigma, reach = float(exact), gaussian_reach(exact, log_tail)
    outputs = np.arange(distance + reach, -reach - 1, -1, dtype=np.float64)
    losses = (distance - 2 * outputs) * distance / (2 * sigma**2)
    logs = -(outputs**2) / (2 * sigma**2)
    # Divided by the sum that is there: nothing rests on the part that is cut off.
    logs -= math.log(float(np.sum(np.exp(logs))))
    return _guide(losses, logs, logs - losses, steps)


# ------------------------------------------------------------------------------------------------- relative Gaussian


@dataclass(frozen=True)
class RelativeUnit(PlannedUnit):
    """Releases of the relative Gaussian mechanism: from above what dominates all pairs, from below one pair.

    The two belong to different adversaries, so that the ends of an account need not meet: the one above may choose a
    pair and its order anew after each output, the one below has chosen one pair beforehand.

    Attributes:
        release: one release; all are equal.
        steps: their number.
        lattice: None, as losses have a density.
        smooth: True, as for Gaussian noise.
        matched: False, as ends need not meet.
        turns: False: neighbours have a sensitivity in one order.
    """

    release: Release
    steps: int = 1
    lattice: None = None
    smooth: bool = True
    matched: bool = False
    turns: bool = False

    @property
    def simple(self) -> Simple:
        """Nothing."""
        return Simple()

    def outputs(self, log_tail: float) -> Outputs:
        """Return losses of what dominates all pairs, on a coarse grid."""
        return _relative_guide(self, max(log_tail, _LEAST_GUIDE))

    def envelope(self, step: Fraction, resolution: float, log_tail: float) -> DiscreteLoss:
        """Return the loss that dominates, with `resolution` dots to a standard deviation.

        Raises `ArithmeticError` where it would need more than 4 million points of this step.
        """
        return _envelope(self.release, step, resolution, log_tail)

    def sides(self, step: Fraction, edges: Sequence[int], middles: Sequence[int], log_tail: float) -> RelativeSides:
        """Return the losses on the grid; the edges are not needed."""
        return RelativeSides(self, step, log_tail)


@dataclass(frozen=True)
class RelativeSides:
    """The losses of the relative Gaussian mechanism; admissible pairs come in both orders."""

    unit: RelativeUnit
    step: Fraction
    log_tail: float

    def above(self, remove: bool) -> Power:
        """Return one loss that dominates every admissible pair in either order."""
        resolution = _FINER * usual_resolution(self.unit.steps)
        found = self.unit.envelope(self.step, resolution, self.log_tail)
        # Where the dots are coarser than the step, the points between them are empty and would only cost time.
        held = np.flatnonzero(found.masses > 0)
        loss = LatticeLoss(self.step, found.first + held, found.masses[held], found.infinite)
        return loss, self.unit.steps

    def below(self, remove: bool) -> Power:
        """Return a loss that the worst pair for large outputs dominates, released so often, as one pair."""
        # Equal pairs of Gaussians are one pair: exact, and far cheaper than to compose discrete losses.
        pair = self.unit.release.worst_pair.repeated(self.unit.steps)
        factor = max(1, math.floor(math.sqrt(variance(pair)) / _DOTS_BELOW / self.step))
        first, masses = smaller_loss(pair, self.step * factor, math.exp(max(self.log_tail, -500.0)))
        held = np.flatnonzero(masses > 0)
        return LatticeLoss(self.step, (first + held) * factor, masses[held], 0.0), 1


@lru_cache(maxsize=8)
def _envelope(release: Release, step: Fraction, resolution: float, log_tail: float) -> DiscreteLoss:
    """Return the loss that dominates a release; kept, as an account asks for it again while it refines."""
    cut = math.exp(max(log_tail, -600.0))
    found = envelope_loss(release, step, resolution, _MOST_POINTS, highest=cut)
    if found is None:
        raise ArithmeticError("a loss that is spread over too many points")
    return found


@lru_cache(maxsize=8)
def _relative_guide(unit: RelativeUnit, log_tail: float) -> Outputs:
    """Return the losses of what dominates, on a coarse grid."""
    step = few_bits(math.sqrt(variance(unit.release.worst_pair)) / _BLOCKS_OF_ENVELOPE)
    found = unit.envelope(step, _BLOCKS_OF_ENVELOPE, log_tail)
    held = found.masses > 0
    losses = (found.first + np.flatnonzero(held)) * float(step)
    first = np.log(found.masses[held])
    return Outputs(unit.steps, losses, first - losses, first)
