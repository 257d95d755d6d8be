"""Vectors of integers with discrete Gaussian noise, as a unit of an account.

From above stands the largest of the curves of all changes of the allowed norm, joined by chords; from below the change
of as many coordinates as possible. Where there is more than one change, no one is the worst at every level, and the two
ends need not meet.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from rgm_verify.accounting.plans.units import PlannedUnit, gaussian_reach, root
from rgm_verify.accounting.subsampled.guide import Outputs
from rgm_verify.accounting.subsampled.mechanism import Segment
from rgm_verify.accounting.subsampled.simple import Simple
from rgm_verify.accounting.subsampled.units import Power
from rgm_verify.gaussians.certified.noise_cells import chords, noise_bits, noise_cells
from rgm_verify.gaussians.certified.split_curves import largest_curve, split_curve, squares

if TYPE_CHECKING:
    from rgm_verify.accounting.plans.kinds.vectors import DiscreteGaussianVector

_BITS_OF_A_NAT = 1.5  # 1.443, and some to spare


@dataclass(frozen=True)
class SplitUnit(PlannedUnit):
    """Releases of vectors of integers with discrete Gaussian noise; a bijection turns each pair around."""

    release: DiscreteGaussianVector
    smooth: bool = False

    @property
    def steps(self) -> int:
        """The number of releases."""
        return self.release.count

    @property
    def lattice(self) -> Fraction:
        """All losses of all changes are whole multiples of this."""
        return 1 / (2 * self.release.sigma**2)

    @property
    def matched(self) -> bool:
        """Tell whether there is one change alone."""
        return len(list(squares(self.release.l2_squared))) == 1

    @property
    def simple(self) -> Simple:
        """The concentration, which is that of Gaussian noise with the same numbers."""
        return Simple(rho=self.release.l2_squared * self.lattice * self.steps)

    def outputs(self, log_tail: float) -> Outputs:
        """Return the outputs of Gaussian noise with the same numbers, as a guide."""
        noise = root(self.release.sigma**2 / self.release.l2_squared, up=False)
        return Outputs.of(Segment(Fraction(1), noise, self.steps), log_tail)

    def sides(self, step: Fraction, edges: Sequence[int], middles: Sequence[int], log_tail: float) -> SplitSides:
        """Return the losses at all multiples of the lattice, or at the edges where the grid does not have these."""
        return SplitSides(self, step, tuple(edges), tuple(middles), log_tail - math.log(self.release.l2_squared + 1))


@dataclass(frozen=True)
class SplitSides:
    """Losses above those of all changes and below that of one; both orders have the same."""

    unit: SplitUnit
    step: Fraction
    edges: tuple[int, ...]
    middles: tuple[int, ...]
    log_tail: float

    @property
    def reach(self) -> int:
        """How far the noise of one coordinate is followed."""
        return gaussian_reach(self.unit.release.sigma, self.log_tail)

    @property
    def bits(self) -> int:
        """The working precision."""
        return noise_bits(self.step) + math.ceil(-self.log_tail * _BITS_OF_A_NAT)

    def above(self, remove: bool) -> Power:
        """Return a loss that dominates."""
        release, every = self.unit.release, self.unit.lattice / self.step
        places = list(self.edges)
        if every.denominator == 1:
            last = release.l2_squared + 2 * math.isqrt(release.l2_squared * self.reach**2) + 2
            places = [int(every) * k for k in range(-last, last + 1) if (k - release.l2_squared) % 2 == 0]
        levels = [place * self.step for place in places]
        values = largest_curve(release.sigma, release.l2_squared, levels, self.reach, self.bits)
        return chords(self.step, places, values, self.bits), self.unit.steps

    def below(self, remove: bool) -> Power:
        """Return a loss that is dominated."""
        release = self.unit.release
        outcomes = split_curve(release.sigma, release.spread, self.reach, self.bits).outcomes()
        held = [outcome for outcome in outcomes if outcome.first > 0 and outcome.second > 0]
        return noise_cells(held, self.step, self.middles).below(), self.unit.steps
