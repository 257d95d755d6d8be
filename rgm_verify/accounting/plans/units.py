"""Planned releases as units of an account: discrete losses above and below each of them, and guides to both.

A unit knows the grid on which its own losses lie exactly, if there is one (`lattice`); an account that can use it loses
nothing there. Guides are floats and enter no bound.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

import numpy as np

from rgm_verify.accounting.composition.envelope import DiscreteLoss
from rgm_verify.accounting.composition.grid import envelope_loss, usual_resolution
from rgm_verify.accounting.composition.loss_tails import few_bits, variance
from rgm_verify.accounting.composition.product_lower import smaller_loss
from rgm_verify.accounting.plans.releases import (
    DiscreteGaussian,
    DiscreteLaplace,
    Laplace,
    RandomisedResponse,
)
from rgm_verify.accounting.release import Release
from rgm_verify.accounting.subsampled.guide import FloatArray, Outputs
from rgm_verify.accounting.subsampled.mechanism import Segment
from rgm_verify.accounting.subsampled.simple import Simple
from rgm_verify.accounting.subsampled.units import Power
from rgm_verify.gaussians.certified.noise_cells import (
    NoiseCells,
    Outcome,
    discrete_gaussian_outcomes,
    discrete_laplace_outcomes,
    laplace_outcomes,
    noise_cells,
    randomised_loss,
    randomised_outcomes,
)
from rgm_verify.gaussians.certified.sampled_cells import LatticeLoss, sampled_cells

Cut: TypeAlias = tuple[Any, Any] | None
"""The masses that the first law has below and above all outcomes, as balls."""

_ROOT_BITS = 64  # more than the 53 of a float, and few enough for exact arithmetic
_CELLS = 400
_MOST_OUTPUTS = 4000  # of a guide, which is summed up at many tilts
_BLOCKS_OF_ENVELOPE = 50.0  # grid points of a guide to a standard deviation
_DOTS_BELOW = 150.0  # the same of a loss from below, which has one pair and is cheap
_FINER = 2.0
_LEAST_GUIDE = -60.0  # nats: smaller tails would take the envelope of a guide far out, for little
_MOST_POINTS = 4_000_000


# ------------------------------------------------------------------------------------------------------- Gaussian


@dataclass(frozen=True)
class GaussianUnit:
    """All Gaussian releases of a plan as one pair at the distance `sqrt(distance_squared)` in standard deviations.

    The root is irrational as a rule. It is rounded to each side, so that what is composed is one certain mechanism with
    a little less noise for the upper bound and one with a little more for the lower.

    Attributes:
        distance_squared: the sum of `count / noise_multiplier^2` over the releases, exact.
        lattice: None, as no loss is that of a single outcome.
        smooth: True, so that cells are needed on every grid.
        steps: 1, whatever the number of releases.
    """

    distance_squared: Fraction
    lattice: None = None
    smooth: bool = True
    steps: int = 1

    def segment(self, *, more: bool) -> Segment:
        """Return the one release with a rational noise multiplier, rounded up (`more`) or down."""
        return Segment(Fraction(1), root(1 / self.distance_squared, up=more), 1)

    @property
    def simple(self) -> Simple:
        """The pair itself."""
        return Simple.gaussian(self.distance_squared, exact=True)

    def outputs(self, log_tail: float) -> Outputs:
        """Return the outputs along the line of both means."""
        return Outputs.of(self.segment(more=False), log_tail)

    def sides(self, step: Fraction, edges: Sequence[int], middles: Sequence[int], log_tail: float) -> GaussianSides:
        """Return the losses with a little less noise from above, and with a little more from below."""
        return GaussianSides(self, step, tuple(edges), tuple(middles))


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
class NoiseUnit:
    """Releases whose pair a bijection turns around: Laplace, discrete noise, randomised response.

    One curve therefore holds for both directions. Single outcomes have losses on a lattice, which a grid may contain.
    Laplace noise has both: beyond the two answers the loss is constant, and each side has the probability 1/2 under one
    of the laws; between them losses have a density.
    """

    release: Laplace | DiscreteGaussian | DiscreteLaplace | RandomisedResponse

    @property
    def steps(self) -> int:
        """The number of releases."""
        return self.release.count

    @property
    def smooth(self) -> bool:
        """Tell whether there are losses between those of single outcomes."""
        return isinstance(self.release, Laplace)

    @property
    def lattice(self) -> Fraction:
        """The difference of neighbouring losses of single outcomes."""
        match self.release:
            case Laplace(scale=b):
                return 1 / b
            # A step of the output towards one answer is a step away from the other: the loss changes twice.
            case DiscreteLaplace(scale=t):
                return 2 / t
            case DiscreteGaussian(sigma=sigma, sensitivity=s):
                return s / sigma**2
            case RandomisedResponse(answers=k):
                return self._loss[0] * (2 if k == 2 else 1)

    @property
    def largest(self) -> Fraction | None:
        """No loss of all these releases together is above this; None where losses have no end."""
        match self.release:
            case DiscreteGaussian():
                return None
            case DiscreteLaplace(scale=t, sensitivity=s):
                return s / t * self.steps
            case Laplace(scale=b):
                return self.steps / b
        # The loss of an answer is a logarithm: the rational next to it, and how far it may be off, on the safe side.
        one = sum(self._loss, Fraction(0))
        return one * self.steps

    @property
    def largest_below(self) -> Fraction | None:
        """A bound from below on the largest loss of all these releases together, which has a probability above 0."""
        # All but a logarithm are exact, and that is as near as it is known.
        return None if self.largest is None else self.largest - 2 * self._loss[1] * self.steps

    @property
    def simple(self) -> Simple:
        """The largest loss, and that of discrete Gaussian noise its concentration."""
        match self.release:
            case DiscreteGaussian(sigma=sigma, sensitivity=s):
                return Simple(rho=s**2 / (2 * sigma**2) * self.steps)
        return Simple.bounded(self.largest or Fraction(0), self.steps)

    @property
    def offset(self) -> Fraction:
        """A loss of a single outcome, from which the others are multiples of `lattice` away."""
        match self.release:
            case DiscreteLaplace(scale=t, sensitivity=s):
                return s / t
            case DiscreteGaussian(sigma=sigma, sensitivity=s):
                return s**2 / (2 * sigma**2)
            case RandomisedResponse(answers=2):
                return self._loss[0]
        return Fraction(0)

    @cached_property
    def _loss(self) -> tuple[Fraction, Fraction]:
        """The largest loss of randomised response, and how well it is known."""
        if not isinstance(self.release, RandomisedResponse):
            return Fraction(0), Fraction(0)
        if self.release.truth is None:
            return self.release.epsilon or Fraction(0), Fraction(0)
        return randomised_loss(self.release.truth, self.release.answers)

    def outputs(self, log_tail: float) -> Outputs:
        """Return the outputs in floats, as a guide; `log_tail` bounds what noise without an end leaves out."""
        match self.release:
            case Laplace(scale=b):
                return _laplace_guide(float(b), self.steps)
            case DiscreteGaussian(sigma=sigma, sensitivity=s):
                return _gaussian_guide(float(sigma), s, _reach(sigma, log_tail), self.steps)
        found = self._outcomes(Fraction(1), (), log_tail)[0]
        losses, masses, others = ([float(v) for v in column] for column in zip(*map(_in_floats, found), strict=True))
        return _guide(np.array(losses), np.log(np.array(masses)), np.log(np.array(others)), self.steps)

    def sides(self, step: Fraction, edges: Sequence[int], middles: Sequence[int], log_tail: float) -> NoiseSides:
        """Return the losses of cells between the edges, or of single outcomes where the grid has them."""
        return NoiseSides(self, step, tuple(edges), tuple(middles), log_tail)

    def cells(self, step: Fraction, edges: Sequence[int], log_tail: float) -> NoiseCells:
        """Return the certified cells on a grid."""
        outcomes, cut = self._outcomes(step, edges, log_tail)
        return noise_cells(outcomes, step, edges, offset=self.offset, slack=self._loss[1], cut=cut)

    def _outcomes(self, step: Fraction, edges: Sequence[int], log_tail: float) -> tuple[list[Outcome], Cut]:
        """Return the outcomes with their exact losses and both masses, and what lies beyond them."""
        match self.release:
            case Laplace(scale=b):
                return laplace_outcomes(b, step, edges), None
            case DiscreteLaplace(scale=t, sensitivity=s):
                return discrete_laplace_outcomes(t, s, step), None
            case DiscreteGaussian(sigma=sigma, sensitivity=s):
                return discrete_gaussian_outcomes(sigma, s, step, _reach(sigma, log_tail))
            case RandomisedResponse(truth=truth, answers=k):
                loss = self._loss[0]
                return randomised_outcomes((loss,) if truth is None else truth, k, loss, step), None


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


def _reach(sigma: Fraction, log_tail: float) -> int:
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


def _in_floats(outcome: Outcome) -> tuple[float, float, float]:
    """Return an outcome as floats, for a guide."""
    return float(outcome.low), float(outcome.first.mid()), float(outcome.second.mid())


def _laplace_guide(scale: float, steps: int) -> Outputs:
    """Return the losses of Laplace noise in floats: two sides of one loss each, and cells between."""
    last = 1 / scale
    marks = np.linspace(-last, last, _CELLS + 1)
    centres = (marks[1:] + marks[:-1]) / 2
    rise = math.log(math.expm1((marks[1] - marks[0]) / 2) / 2) - last / 2
    losses = np.concatenate([[-last], centres, [last]])
    first = np.concatenate([[-last - math.log(2)], rise + marks[:-1] / 2, [-math.log(2)]])
    return Outputs(steps, losses, first[::-1].copy(), first)


def _gaussian_guide(sigma: float, distance: int, reach: int, steps: int) -> Outputs:
    """Return the losses of discrete Gaussian noise in floats, in increasing order."""
    outputs = np.arange(distance + reach, -reach - 1, -1, dtype=np.float64)
    losses = (distance - 2 * outputs) * distance / (2 * sigma**2)
    logs = -(outputs**2) / (2 * sigma**2)
    # Divided by the sum that is there: nothing rests on the part that is cut off.
    logs -= math.log(float(np.sum(np.exp(logs))))
    return _guide(losses, logs, logs - losses, steps)


# ------------------------------------------------------------------------------------------------- relative Gaussian


@dataclass(frozen=True)
class RelativeUnit:
    """Releases of the relative Gaussian mechanism: from above what dominates all pairs, from below one pair.

    The two belong to different adversaries, so that the ends of an account need not meet: the one above may choose a
    pair and its order anew after each output, the one below has chosen one pair beforehand.

    Attributes:
        release: one release; all are equal.
        steps: their number.
        lattice: None, as losses have a density.
        smooth: True, as for Gaussian noise.
    """

    release: Release
    steps: int
    lattice: None = None
    smooth: bool = True

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
