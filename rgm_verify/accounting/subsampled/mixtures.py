"""Releases of random samples whose pair is one of two mixtures of Gaussians, or reveals which of several it is.

Given the rest of the batch, each law is a mixture of `N(u, noise^2 I)`, where u is what the records in question add to
the sum. Of all mixtures with the same weights and with norms of at most so much, those on one line, in opposite
directions, are told apart best, at every level and in both orders (`beyond:mixture-shifts`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from rgm_verify.accounting.subsampled.guide import OUTPUTS, Outputs
from rgm_verify.accounting.subsampled.mechanism import POISSON, REPLACE, SampledGaussian, Segment
from rgm_verify.accounting.subsampled.simple import Simple
from rgm_verify.gaussians.certified.full_batches import filled
from rgm_verify.gaussians.certified.mixture_cells import Mixtures, log_of, mixture_cells, mixture_divergence
from rgm_verify.gaussians.certified.sampled_cells import LatticeLoss, SampledCells, joined_above
from rgm_verify.numbers.bounds import Bounds, round_down, round_up

_CLOSED = "closed form by the error function"


@dataclass(frozen=True)
class MixtureStep:
    """One release: from above, with the probability of each, pairs of which it reveals the one that it has.

    Attributes:
        above: probabilities that add up to 1, and the pairs.
        below: the pair of two data sets that are neighbours.
    """

    above: tuple[tuple[Fraction, Mixtures], ...]
    below: Mixtures

    @property
    def matched(self) -> bool:
        """Tell whether two data sets have the pair that bounds all."""
        return len(self.above) == 1


def users(noise: Fraction, rate: Fraction, records: int, *, replace: bool) -> MixtureStep:
    """Return a step of Poisson sampling for neighbours that differ in all of up to `records` records of one user.

    Each of the records is in the batch on its own. They are added or removed together, or replaced by as many.
    """
    law = binomial(records, rate)
    pair = Mixtures(noise, law, law if replace else (Fraction(1),))
    return MixtureStep(((Fraction(1), pair),), pair)


def truncated(noise: Fraction, rate: Fraction, limit: int, size: int, *, replace: bool) -> MixtureStep:
    """Return a step of Poisson sampling whose batches are cut to `limit` records, of a data set of up to `size`.

    Which records stay may be drawn or be fixed, but must not depend on what is in them. A record that comes into a full
    batch takes the place of another one, and moves the sum by twice the clipping norm. What is revealed is whether the
    other records fill a batch. The data set of one record is never cut, and has the pair from below.
    """
    full, rest = filled(limit, size - 1, rate), (Fraction(1),)

    def pair(*law: Fraction) -> Mixtures:
        return Mixtures(noise, law, law if replace else rest)

    once, twice = pair(1 - rate, rate), pair(1 - rate, Fraction(0), rate)
    above = [(w, p) for w, p in ((1 - full, once), (full, twice)) if w]
    return MixtureStep(tuple(above), once)


def binomial(count: int, rate: Fraction) -> tuple[Fraction, ...]:
    """Return the probabilities of 0 to `count` successes.

    Examples:
        >>> binomial(2, Fraction(1, 3))
        (Fraction(4, 9), Fraction(4, 9), Fraction(1, 9))
    """
    return tuple(math.comb(count, k) * rate**k * (1 - rate) ** (count - k) for k in range(count + 1))


def sampled_step(run: SampledGaussian, segment: Segment) -> MixtureStep | None:
    """Return a step of a run as mixtures; None for a Gaussian pair, and for one record that is added or removed."""
    replaced = run.adjacency == REPLACE
    if run.sampler != POISSON or segment.rate == 1 or (run.records == 1 and not replaced):
        return None
    return users(segment.noise_multiplier, segment.rate, run.records, replace=replaced)


@dataclass(frozen=True)
class MixtureUnit:
    """Releases of one `MixtureStep` as a unit of an account."""

    step: MixtureStep
    steps: int
    lattice: None = None
    smooth: bool = True

    @property
    def simple(self) -> Simple:
        """The Gaussian pair of all records in every batch, which dominates."""
        pairs = [pair for _, pair in self.step.above]
        most = max(len(pair.first) - 1 + len(pair.second) - 1 for pair in pairs)
        return Simple.gaussian(self.steps * most**2 / self.step.below.noise**2, exact=False)

    def outputs(self, log_tail: float) -> Outputs:
        """Return the outputs along the line of the shifts."""
        return mixture_outputs(self.step, self.steps, log_tail)

    def sides(self, step: Fraction, edges: Sequence[int], middles: Sequence[int], log_tail: float) -> MixtureSides:
        """Return the cells from above and from below."""
        return MixtureSides(self, step, tuple(edges), tuple(middles))

    def divergence(self, epsilon: Fraction, *, remove: bool) -> Bounds:
        """Return bounds of the divergence of one release in a direction."""
        least = mixture_divergence(self.step.below, epsilon, turned=not remove)
        most = Fraction(0)
        for weight, pair in self.step.above:
            one = mixture_divergence(pair, epsilon, turned=not remove).upper
            most += weight * min(Fraction(1), Fraction(1) if one is None else one)
        return Bounds(max(0.0, round_down(least.lower or Fraction(0))), min(1.0, round_up(most)), _CLOSED, _CLOSED)


@dataclass(frozen=True)
class MixtureSides:
    """The losses of a step on both sides."""

    unit: MixtureUnit
    step: Fraction
    edges: tuple[int, ...]
    middles: tuple[int, ...]

    def above(self, remove: bool) -> tuple[LatticeLoss, int]:
        """Return a loss that dominates."""
        found = []
        for weight, pair in self.unit.step.above:
            cells = _cells(pair, self.step, self.edges)
            found.append((weight, cells.remove_above() if remove else cells.add_above()))
        return joined_above(found), self.unit.steps

    def below(self, remove: bool) -> tuple[LatticeLoss, int]:
        """Return a loss that is dominated."""
        cells: SampledCells = _cells(self.unit.step.below, self.step, self.middles)
        return (cells.remove_below() if remove else cells.add_below()), self.unit.steps


# Both directions are read off the same cells.
_cells = lru_cache(maxsize=8)(mixture_cells)


def mixture_outputs(step: MixtureStep, steps: int, log_tail: float) -> Outputs:
    """Return the outputs beyond which either law has about `exp(log_tail)`, as a guide.

    Outputs are those of the first pair; another pair has its mass where its loss is that of such an output.
    """
    # What is rarer than the tails that are left out counts as infinite, and would only draw the guide there.
    above = [(w, pair) for w, pair in step.above if math.log(w) > log_tail]
    sigma, first = float(step.below.noise), above[0][1]
    up = max(_reach(pair.first, sigma, log_tail) for _, pair in above)
    down = max(_reach(pair.second, sigma, log_tail) for _, pair in above)
    # A shift by k moves the loss k times as fast.
    most = max(max(len(pair.first), len(pair.second)) - 1 for _, pair in above)
    scale = most / max(len(first.first) - 1, len(first.second) - 1)
    y = np.linspace(-scale * down, scale * up, OUTPUTS)
    p, q = first.logs(y)
    loss, mixed, base = p - q, np.full(len(y), -np.inf), np.full(len(y), -np.inf)
    for weight, pair in above:
        p, q = pair.logs(y)
        at = np.interp(loss, p - q, y)
        p, q = pair.logs(at)
        with np.errstate(divide="ignore"):
            lengths = np.log(np.maximum(np.gradient(at), 0.0))
        density = lengths - at**2 / (2 * sigma**2) - math.log(sigma * math.sqrt(2 * math.pi)) + math.log(weight)
        mixed, base = np.logaddexp(mixed, density + p), np.logaddexp(base, density + q)
    return Outputs(steps, loss, base, mixed, first.least)


def _reach(law: Sequence[Fraction], sigma: float, log_tail: float) -> float:
    """Return about the output beyond which a mixture has `exp(log_tail)`."""
    tails = ((k, log_tail - log_of(w)) for k, w in enumerate(law) if w)
    return max(k + sigma * math.sqrt(-2 * tail) for k, tail in tails if tail < 0)
