"""Units of an account: releases that give discrete losses above and below their own, on a grid that they share.

A `Model` lists them for one neighbouring relation. For one pair of data sets the direction is the same in all releases,
so that delta is the larger of two compositions; where a pair of outputs may be turned around, one is enough.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Protocol, TypeAlias, runtime_checkable

from rgm_verify.accounting.subsampled.closed_forms import closed_delta, closed_epsilon
from rgm_verify.accounting.subsampled.guide import Outputs
from rgm_verify.accounting.subsampled.mechanism import ADD_REMOVE, FIXED, REPLACE, SampledGaussian, Segment
from rgm_verify.accounting.subsampled.mixtures import MixtureUnit, sampled_step
from rgm_verify.accounting.subsampled.simple import Simple
from rgm_verify.gaussians.certified.sampled_cells import LatticeLoss, sampled_cells
from rgm_verify.numbers.bounds import Bounds

Power: TypeAlias = tuple[LatticeLoss, int]
"""A discrete loss, and how often it is released."""


class Sides(Protocol):
    """Discrete losses on both sides of a release, in one direction: `remove` or the other one."""

    def above(self, remove: bool) -> Power:
        """Return a loss that dominates."""
        ...

    def below(self, remove: bool) -> Power:
        """Return a loss that is dominated."""
        ...


@runtime_checkable
class Attacked(Protocol):
    """Losses below a release of several pairs of data sets, of which no one is the worst at every level."""

    def attacks(self, remove: bool) -> Sequence[Power]:
        """Return a loss below that of each of these pairs."""
        ...


class Unit(Protocol):
    """Releases of one kind. On a grid of a fraction of `lattice` no loss of single outcomes is rounded."""

    @property
    def steps(self) -> int:
        """The number of releases."""
        ...

    @property
    def lattice(self) -> Fraction | None:
        """A step whose whole fractions are grids of the losses of single outcomes; None where there is no such step."""
        ...

    @property
    def smooth(self) -> bool:
        """Tell whether losses of other outcomes have to be cut into cells on every grid."""
        ...

    @property
    def simple(self) -> Simple:
        """Bounds of the releases that need no grid."""
        ...

    def outputs(self, log_tail: float) -> Outputs:
        """Return the outputs that guide the choice of grids, up to a tail of about `exp(log_tail)`."""
        ...

    def sides(self, step: Fraction, edges: Sequence[int], middles: Sequence[int], log_tail: float) -> Sides:
        """Return the losses between the multiples `edges` of the step from above, `middles` from below."""
        ...


@dataclass(frozen=True)
class Model:
    """A composition: its units, the directions that count, and closed forms where there are some.

    Attributes:
        units: the releases.
        directions: True for the pair of removal, False for that of addition.
        one_bound: whether the bound from above holds for both directions at once.
        either: whether both orders of a pair count, so that the curve of one says what that of the other is.
        matched: whether both bounds are for the same adversary, so that they meet as grids get finer.
        closed_delta: bounds in closed form at an epsilon; None where there are none.
        closed_epsilon: the same at a delta.
        kept: both ends of the probability that no release shows the record for certain, apart from these units: then
            the divergence is one less so much of what is left of 1.
    """

    units: Sequence[Unit]
    directions: Sequence[bool]
    one_bound: bool
    either: bool
    matched: bool
    closed_delta: Callable[[Fraction], Bounds | None]
    closed_epsilon: Callable[[Fraction], Bounds | None]
    kept: tuple[Fraction, Fraction] = (Fraction(1), Fraction(1))

    @property
    def units_alone(self) -> Model:
        """The composition where no release shows the record."""
        return replace(self, kept=(Fraction(1), Fraction(1)))

    def whole(self, divergence: Fraction, *, up: bool) -> Fraction:
        """Return a bound of the divergence of all, `1 - kept (1 - d)`, from a bound `d` of that of the units."""
        return 1 - self.kept[0 if up else 1] * (1 - divergence)

    @property
    def steps(self) -> int:
        """The number of releases."""
        return sum(unit.steps for unit in self.units)


def model_of(run: SampledGaussian) -> Model:
    """Return a run of DP-SGD as a model."""
    # For batches of a fixed size one loss from above serves both directions, and no pair is known that reaches it.
    fixed = run.sampler == FIXED
    steps = [sampled_step(run, segment) for segment in run.segments]
    return Model(
        [
            SampledUnit(segment, fixed) if step is None else MixtureUnit(step, segment.steps)
            for step, segment in zip(steps, run.units, strict=True)
        ],
        run.directions,
        fixed,
        run.adjacency in (ADD_REMOVE, REPLACE),
        not fixed,
        lambda epsilon: closed_delta(run, epsilon),
        lambda delta: closed_epsilon(run, delta),
    )


@dataclass(frozen=True)
class SampledUnit:
    """A segment of DP-SGD, the noise in units of what a change of one record moves."""

    segment: Segment
    replace: bool
    lattice: None = None
    smooth: bool = True

    @property
    def steps(self) -> int:
        """The number of releases."""
        return self.segment.steps

    @property
    def simple(self) -> Simple:
        """The Gaussian pair without sampling, which dominates in both directions."""
        distance = self.segment.steps / self.segment.noise_multiplier**2
        return Simple.gaussian(distance, exact=self.segment.rate == 1)

    def outputs(self, log_tail: float) -> Outputs:
        """Return the outputs along the direction of the record."""
        return Outputs.of(self.segment, log_tail)

    def sides(self, step: Fraction, edges: Sequence[int], middles: Sequence[int], log_tail: float) -> SampledSides:
        """Return the cells from above and from below."""
        return SampledSides(self.segment, self.replace, step, tuple(edges), tuple(middles))


@dataclass(frozen=True)
class SampledSides:
    """The losses of a segment on both sides."""

    segment: Segment
    replace: bool
    step: Fraction
    edges: tuple[int, ...]
    middles: tuple[int, ...]

    def above(self, remove: bool) -> Power:
        """Return a loss that dominates; for replacing a record, that of both directions."""
        cells = _cells(self.segment.rate, self.segment.noise_multiplier, self.step, self.edges)
        if self.replace:
            return cells.replace_above(self.segment.rate), self.segment.steps
        return (cells.remove_above() if remove else cells.add_above()), self.segment.steps

    def below(self, remove: bool) -> Power:
        """Return a loss that is dominated."""
        cells = _cells(self.segment.rate, self.segment.noise_multiplier, self.step, self.middles)
        return (cells.remove_below() if remove else cells.add_below()), self.segment.steps


# Both directions are read off the same cells, whose enclosures take most of the time.
_cells = lru_cache(maxsize=8)(sampled_cells)


def alignment(units: Sequence[Unit], parts: Sequence[Outputs], least: float) -> tuple[Fraction | None, list[bool]]:
    """Return a step whose whole fractions are grids for outcomes of some units, and for each unit whether it is one.

    Units of the largest variance come first; a unit stays apart where it would take the step below `least`.
    """
    weights = [part.steps * part.deviation**2 for part in parts]
    found: Fraction | None = None
    aligned = [False] * len(units)
    for i in sorted(range(len(units)), key=lambda k: -weights[k]):
        lattice = units[i].lattice
        if lattice is None:
            continue
        common = lattice if found is None else _common(found, lattice)
        # A finer grid than this costs more than what the unit would lose by being cut into cells.
        if common >= least:
            found, aligned[i] = common, True
    return found, aligned


def _common(a: Fraction, b: Fraction) -> Fraction:
    """Return the largest number of which both are whole multiples: exact, as a lattice that is nearly one is none."""
    denominator = a.denominator * b.denominator
    return Fraction(math.gcd(a.numerator * b.denominator, b.numerator * a.denominator), denominator)
