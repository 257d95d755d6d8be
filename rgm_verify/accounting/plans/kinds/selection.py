"""Choices of one of several candidates by noisy scores, of which nothing else is shown.

With the exponential mechanism, which is Gumbel noise, the losses of all choices lie in a range of epsilon. The largest
curve of such mechanisms is that of one pair of laws, and two candidates attain it at every level. With other noise
there is the pure epsilon alone. Derived in `derivations/beyond/composition/selection.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from rgm_verify.accounting.plans.fields import Field
from rgm_verify.accounting.plans.kinds.kind import PlannedRelease

if TYPE_CHECKING:
    from rgm_verify.accounting.plans.units import PlannedUnit
    from rgm_verify.accounting.replay_grids import Shape

GUMBEL, EXPONENTIAL, LAPLACE = "gumbel", "exponential", "laplace"
_MONOTONE = Field(
    "Whether all scores change in one direction between neighbours, as counts do with a record more; no if left out.",
    required=False,
    choices=("no", "yes"),
    usual="no",
)


@dataclass(frozen=True)
class NoisyMax(PlannedRelease):
    """Noise on every score, and the candidate with the largest sum is shown; the sum itself is not.

    With Gumbel noise this is the exponential mechanism, and both ends are those of all mechanisms of its range. With
    exponential noise, which is permute-and-flip, and with Laplace noise the upper end is that of the pure epsilon and
    the lower one that of two candidates.

    Attributes:
        scale: exact, between 1/50 and 1e9, over the sensitivity of a score.
        noise: "gumbel", "exponential" or "laplace".
        monotone: "yes" where all scores change in one direction between neighbours; half of the epsilon is enough then.
        count: the number of choices, at most 1e12.
    """

    scale: Fraction
    noise: str
    monotone: str = "no"
    count: int = 1
    kind: ClassVar = "noisy-max"
    fields: ClassVar = {
        "scale": Field(
            "Scale of the noise over the sensitivity of a score.", what="the scale", least="1/50", most="1e9"
        ),
        "noise": Field("Noise on each score.", choices=(GUMBEL, EXPONENTIAL, LAPLACE)),
        "monotone": _MONOTONE,
    }
    searched: ClassVar = ("scale", "count")
    example: ClassVar = {"scale": "10", "noise": "gumbel"}

    @property
    def loss(self) -> Fraction:
        """The pure epsilon of one choice, and with Gumbel noise the range of its losses."""
        return (1 if self.monotone == "yes" else 2) / self.scale

    @property
    def unit_of_noise(self) -> Fraction:
        """Both scores of a pair may move."""
        return Fraction(2)

    def group(self, size: int) -> NoisyMax:
        """Return the release for neighbours that differ in `size` records: scores move that much farther."""
        return replace(self, scale=self.scale / size)

    def units(self, adjacency: str) -> Sequence[PlannedUnit]:
        """Return the one unit."""
        from rgm_verify.accounting.plans.selection_unit import SelectionUnit

        return (SelectionUnit(self.loss, self.noise, self.count),)

    def shape(self) -> Shape:
        """Return losses that end at the pure epsilon, with others between for Gumbel noise."""
        from rgm_verify.accounting.replay_grids import Atoms

        return Atoms(lambda least: float(self.loss), self.count, self.loss, exact=False)

    def note(self, *, alone: bool, meet: bool, chain: bool) -> str:
        """Return what the lower end is of."""
        if chain or (meet and alone):
            return ""
        return "of choices, the lower end is that of two candidates; the truth may lie anywhere between"


@dataclass(frozen=True)
class ExponentialMechanism(PlannedRelease):
    """The exponential mechanism: a candidate is chosen with probability in proportion to `exp(epsilon s/(2 d))`.

    Here `s` is its score, of the sensitivity `d`. It is the noisy maximum with Gumbel noise of the scale `2/epsilon`,
    and costs less than its pure epsilon in a composition, as its losses have a range of epsilon.

    Attributes:
        epsilon: exact, between 1e-9 and 100.
        monotone: as of `NoisyMax`.
        count: the number of choices, at most 1e12.
    """

    epsilon: Fraction
    monotone: str = "no"
    count: int = 1
    kind: ClassVar = "exponential-mechanism"
    fields: ClassVar = {
        "epsilon": Field(
            "The epsilon of one choice: probabilities go with exp(epsilon score/(2 sensitivity)).",
            what="the epsilon of a choice",
            least="1e-9",
            most="100",
            option="loss",
        ),
        "monotone": _MONOTONE,
    }
    example: ClassVar = {"epsilon": "1/10"}

    @property
    def accounted(self) -> Sequence[PlannedRelease]:
        """The noisy maximum."""
        return (NoisyMax(2 / self.epsilon, GUMBEL, self.monotone, self.count),)

    def group(self, size: int) -> ExponentialMechanism:
        """Return the release for neighbours that differ in `size` records."""
        return replace(self, epsilon=self.epsilon * size)

    def note(self, *, alone: bool, meet: bool, chain: bool) -> str:
        """Return what the lower end is of."""
        return self.accounted[0].note(alone=alone, meet=meet, chain=chain)
