"""Choices of one of several candidates, as a unit of an account.

From above stands, for Gumbel noise, the pair of laws whose curve is the largest of all mechanisms with losses in a
range of epsilon, `(1 - exp((l - epsilon)/2))^2 / (1 - exp(-epsilon))` at a level `l` from `-epsilon` to `epsilon`; for
other noise randomised response. From below stand two candidates, whose scores differ by one of several gaps: no gap is
the worst at every level.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rgm_verify.accounting.plans.kinds.answers import RandomisedResponse
from rgm_verify.accounting.plans.kinds.selection import EXPONENTIAL, GUMBEL
from rgm_verify.accounting.plans.units import NoiseUnit, PlannedUnit, outcomes_guide
from rgm_verify.accounting.subsampled.guide import Outputs
from rgm_verify.accounting.subsampled.simple import Simple
from rgm_verify.accounting.subsampled.units import Power
from rgm_verify.balls.arithmetic import ball, precision
from rgm_verify.balls.fourier import float_above, float_below
from rgm_verify.gaussians.certified.noise_cells import (
    Outcome,
    noise_bits,
    noise_cells,
    range_outcomes,
)
from rgm_verify.numbers.bounds import Bounds

_CLOSED = "the largest curve of all mechanisms of this range, in closed form"
_BITS = 160
_CELLS = 400
_NEAR = Fraction(1, 2**120)
GAPS = tuple(Fraction(2 * k, 4) for k in (0, 1, 2, 4, 6, 10))
"""By how much the scores of two candidates, over the scale, differ from lying half an epsilon apart."""


@dataclass(frozen=True)
class SelectionUnit(PlannedUnit):
    """Choices by noisy maximum, each with the pure epsilon `loss`; a bijection of two candidates turns them around."""

    loss: Fraction
    noise: str
    steps: int = 1
    smooth: bool = True
    matched: bool = False

    @property
    def lattice(self) -> Fraction | None:
        """The losses of randomised response; Gumbel noise has others between."""
        return None if self.noise == GUMBEL else self.loss

    @property
    def largest(self) -> Fraction:
        """The sum of the pure epsilons."""
        return self.loss * self.steps

    @property
    def largest_below(self) -> Fraction:
        """The same: losses between two candidates come arbitrarily near to it."""
        return self.largest

    @property
    def simple(self) -> Simple:
        """The concentration, an eighth of the square of the range; and the largest loss for other noise."""
        if self.noise == GUMBEL:
            return Simple(rho=self.loss**2 * self.steps / 8)
        return Simple.bounded(self.largest, self.steps)

    @property
    def response(self) -> NoiseUnit:
        """Randomised response of the pure epsilon."""
        return NoiseUnit(RandomisedResponse(self.loss, None, 2, self.steps))

    def outputs(self, log_tail: float) -> Outputs:
        """Return the losses from above in floats."""
        if self.noise != GUMBEL:
            return self.response.outputs(log_tail)
        step = self.loss / _CELLS
        return outcomes_guide(range_outcomes(self.loss, step, range(-_CELLS, _CELLS + 1)), self.steps)

    def sides(self, step: Fraction, edges: Sequence[int], middles: Sequence[int], log_tail: float) -> SelectionSides:
        """Return the losses on the grid."""
        return SelectionSides(self, step, tuple(edges), tuple(middles), log_tail)

    def closed_delta(self, epsilon: Fraction) -> Bounds | None:
        """Return the largest curve, which two candidates attain, of one choice with Gumbel noise."""
        if self.noise != GUMBEL or self.steps > 1 or epsilon >= self.loss:
            return None
        with precision(_BITS):
            rest = 1 - ((ball(epsilon) - ball(self.loss)) / 2).exp()
            value = rest * rest / (1 - (-ball(self.loss)).exp())
            return Bounds(max(0.0, float_below(value)), float_above(value), _CLOSED, _CLOSED)

    def closed_epsilon(self, delta: Fraction) -> Bounds | None:
        """Return where that curve falls to delta."""
        if self.noise != GUMBEL or self.steps > 1:
            return None
        with precision(_BITS):
            rest = 1 - (ball(delta) * (1 - (-ball(self.loss)).exp())).sqrt()
            value = ball(self.loss) + 2 * rest.log()
            return Bounds(max(0.0, float_below(value)), max(0.0, float_above(value)), _CLOSED, _CLOSED)


@dataclass(frozen=True)
class SelectionSides:
    """Losses above all choices, and below those between two candidates; both orders have the same."""

    unit: SelectionUnit
    step: Fraction
    edges: tuple[int, ...]
    middles: tuple[int, ...]
    log_tail: float

    def above(self, remove: bool) -> Power:
        """Return a loss that dominates."""
        unit = self.unit
        if unit.noise != GUMBEL:
            return unit.response.sides(self.step, self.edges, self.middles, self.log_tail).above(remove)
        outcomes = range_outcomes(unit.loss, self.step, self.edges)
        return noise_cells(outcomes, self.step, self.edges).above(), unit.steps

    def below(self, remove: bool) -> Power:
        """Return a loss that two candidates have whose scores change places."""
        return self.attacks(remove)[0]

    def attacks(self, remove: bool) -> list[Power]:
        """Return the losses of two candidates with each of the gaps."""
        found = []
        for gap in GAPS:
            outcomes = two_candidates(self.unit.loss, self.unit.noise, gap, self.step)
            found.append((noise_cells(outcomes, self.step, self.middles).below(), self.unit.steps))
        return found


def two_candidates(loss: Fraction, noise: str, gap: Fraction, step: Fraction) -> list[Outcome]:
    """Return both choices between two candidates, the one that the neighbour makes rather first.

    The scores, over the scale, differ by `loss/2 - gap` for one data set and by `-loss/2 - gap` for its neighbour.
    """
    with precision(noise_bits(step) + _BITS):
        first, second = (_behind(noise, half - gap) for half in (loss / 2, -loss / 2))
        found = []
        for p, q in ((first, second), (1 - first, 1 - second)):
            middle = Fraction(float((p / q).log().mid()))
            # The float is the number to 2^-52 of itself.
            near = abs(middle) / 2**50 + _NEAR
            found.append(Outcome(middle - near, middle + near, p, q))
        return found


def _behind(noise: str, lead: Fraction) -> Any:
    """Return the probability that the second of two candidates is chosen, with so much of a lead over the scale."""
    if noise == GUMBEL:
        return 1 / (1 + ball(lead).exp())
    far = ball(abs(lead))
    tail = (-far).exp() / 2 * (1 if noise == EXPONENTIAL else 1 + far / 2)
    return tail if lead >= 0 else 1 - tail
