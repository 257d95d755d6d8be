"""Randomised response, and mechanisms of which only a guarantee is known: the worst of them answers by it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from rgm_verify.accounting.plans.fields import Field, Fields
from rgm_verify.accounting.plans.kinds.kind import Event, EventData, Noise, PlannedRelease
from rgm_verify.accounting.subsampled.mechanism import REPLACE
from rgm_verify.errors import InputError, reject
from rgm_verify.numbers.bounds import round_down

if TYPE_CHECKING:
    from rgm_verify.accounting.plans.units import Cut
    from rgm_verify.accounting.replay_grids import Shape
    from rgm_verify.gaussians.certified.noise_cells import Outcome

_NEAR = 2**100


@dataclass(frozen=True)
class RandomisedResponse(Noise):
    """Every record answers by itself: truly, or with one of the other `answers`, all as likely.

    Given is the epsilon of one answer, or the probability `truth` of the true one; the other one is None. Neither is
    turned into the other, since one of them would no longer be exact: `epsilon = log(truth (answers - 1)/(1 - truth))`.

    Attributes:
        epsilon: exact, between 1e-9 and 100, in nats.
        truth: exact, above `1/answers` and below 1.
        answers: the number of possible answers, 2 to 1e9.
        count: the number of answers that a record gives, at most 1e12.
    """

    epsilon: Fraction | None
    truth: Fraction | None
    answers: int = 2
    count: int = 1
    kind: ClassVar = "randomised-response"
    fields: ClassVar = {
        "epsilon": Field(
            "The largest loss of one answer, in nats; or give `truth`.",
            required=False,
            what="the loss of an answer",
            least="1e-9",
            most="100",
            option="loss",
        ),
        "truth": Field(
            "Probability of the true answer, above that of any other; or give `epsilon`.",
            required=False,
            what="a probability",
        ),
        "answers": Field(
            "Number of possible answers; 2 if left out.",
            required=False,
            what="the number of answers",
            least="2",
            most="1e9",
            whole=True,
            usual=2,
        ),
    }
    events: ClassVar = ("RandomizedResponseDpEvent",)
    example: ClassVar = {"truth": "3/4"}

    @classmethod
    def of(cls, given: Fields, place: str = "") -> RandomisedResponse:
        """Return the checked release; `InputError` names the field."""
        if ("epsilon" in given) == ("truth" in given):
            raise InputError(f"{place}epsilon: give either epsilon or truth")
        return super().of(given, place)

    def wrong(self) -> tuple[str, str] | None:
        """Return what is wrong with the truth: at `1/answers` an answer says nothing, and below it untruths are
        likelier.
        """
        least = Fraction(1, self.answers) * (1 + Fraction(1, 10**9))
        if self.truth is None or least <= self.truth <= 1 - Fraction(1, 10**40):
            return None
        return "truth", f"must lie above 1/{self.answers} and below 1"

    @property
    def own_adjacency(self) -> str:
        """A record is there to answer, and neighbours differ in what it says."""
        return REPLACE

    def refused(self, adjacency: str) -> str:
        """Return why the release has no account for these neighbours; empty if it has."""
        if adjacency == REPLACE:
            return ""
        return "randomised response shows whether a record is there at all: its neighbours are those of replace-one"

    def group(self, size: int) -> RandomisedResponse:
        """Return the releases for neighbours that differ in `size` records: each of them answers."""
        return replace(self, count=self.count * size)

    @cached_property
    def _loss(self) -> tuple[Fraction, Fraction]:
        """The rational next to the largest loss, which is a logarithm of a given truth, and how far off it may be."""
        from rgm_verify.gaussians.certified.noise_cells import randomised_loss

        if self.truth is None:
            return self.epsilon or Fraction(0), Fraction(0)
        return randomised_loss(self.truth, self.answers)

    @property
    def lattice(self) -> Fraction:
        """The loss of the true answer; of two answers, the difference of both."""
        return self._loss[0] * (2 if self.answers == 2 else 1)

    @property
    def offset(self) -> Fraction:
        """The loss of the true answer, where there are no others on its lattice."""
        return self._loss[0] if self.answers == 2 else Fraction(0)

    @property
    def largest(self) -> Fraction:
        """The loss of the true answer, rounded up where it is a logarithm."""
        return sum(self._loss, Fraction(0))

    @property
    def slack(self) -> Fraction:
        """How well the logarithm is known."""
        return self._loss[1]

    def outcomes(self, step: Fraction, edges: Sequence[int], log_tail: float) -> tuple[list[Outcome], Cut]:
        """Return the answers by their losses."""
        from rgm_verify.gaussians.certified.noise_cells import randomised_outcomes

        loss = self._loss[0]
        return randomised_outcomes((loss,) if self.truth is None else self.truth, self.answers, loss, step), None

    def shape(self) -> Shape:
        """Return the largest loss, its negative and 0."""
        from rgm_verify.accounting.replay_grids import Atoms
        from rgm_verify.recheck.mechanisms import Randomised
        from rgm_verify.recheck.noises import largest

        # Below the logarithm that the replay uses: the greatest loss must not lie below its place.
        read = Randomised(self.truth, self.epsilon, self.answers, self.count)
        greatest = largest(read) or Fraction(0)
        lattice = greatest if self.truth is None else Fraction(math.floor(greatest * _NEAR), _NEAR)
        return Atoms(lambda least: float(greatest), self.count, lattice, exact=True, sparse=True)

    @classmethod
    def of_event(cls, event: Event) -> Fields:
        """Return the truth: with the noise parameter any answer is drawn, the true one among them."""
        buckets, noise = event.number("num_buckets"), event.number("noise_parameter")
        if buckets < 2:
            raise reject(f"{event.place}.num_buckets", buckets, "must be at least 2")
        return {"truth": 1 - noise + noise / buckets, "answers": buckets}

    def to_events(self, moved: int, place: str) -> Iterator[tuple[EventData, int]]:
        """Yield the event."""
        k = self.answers
        if self.truth is not None:
            noise = (1 - self.truth) * k / (k - 1)
        else:
            # Downwards by more than the roundings of an exponential.
            noise = Fraction(k / (math.exp(float(self.epsilon or 0)) + k - 1)) * (1 - Fraction(1, 2**48))
        yield ("RandomizedResponseDpEvent", {"noise_parameter": round_down(noise), "num_buckets": k}), self.count


# An epsilon above 100 is most likely in another unit.
_EPSILON = Field(
    "The epsilon of one mechanism, in nats.",
    what="the epsilon of a mechanism",
    least="1e-9",
    most="100",
    option="loss",
)


class _Guarantee(PlannedRelease):
    """Mechanisms of which only a guarantee is known: where the worst shows nothing, it answers by `response`."""

    epsilon: Fraction

    @property
    def response(self) -> RandomisedResponse:
        """One of two answers, the truth by `e^epsilon` likelier."""
        return RandomisedResponse(self.epsilon, None, 2, self.count)

    @property
    def accounted(self) -> Sequence[PlannedRelease]:
        """The answers."""
        return (self.response,)

    def note(self, *, alone: bool, meet: bool, chain: bool) -> str:
        """Return what the lower end is."""
        return "of lines with a guarantee alone, the lower end is what the worst mechanism that has it needs"


@dataclass(frozen=True)
class Pure(_Guarantee):
    """Any mechanism with pure privacy: no outcome is more than `e^epsilon` times as likely for a neighbour.

    The worst of them answers by randomised response: its curve is above that of every other, and its own.

    Attributes:
        epsilon: exact, between 1e-9 and 100, in nats.
        count: the number of such mechanisms, at most 1e12.
    """

    epsilon: Fraction
    count: int = 1
    kind: ClassVar = "pure-dp"
    fields: ClassVar = {"epsilon": replace(_EPSILON, meaning="The pure epsilon of one mechanism, in nats.")}
    example: ClassVar = {"epsilon": "1/10"}

    def group(self, size: int) -> Pure:
        """Return the guarantee for neighbours that differ in `size` records."""
        return replace(self, epsilon=self.epsilon * size)


@dataclass(frozen=True)
class Approximate(_Guarantee):
    """Any mechanism that is (`epsilon`, `delta`) private in both orders of two neighbours.

    The worst of them shows the record with probability `delta`, and else answers by randomised response.

    Attributes:
        epsilon: exact, between 1e-9 and 100, in nats.
        delta: exact, between 1e-250 and 1.
        count: the number of such mechanisms, at most 1e12.
    """

    epsilon: Fraction
    delta: Fraction
    count: int = 1
    kind: ClassVar = "approximate-dp"
    fields: ClassVar = {
        "epsilon": _EPSILON,
        "delta": Field(
            "The delta of one mechanism; of pure privacy, give `pure-dp`.",
            what="a probability",
            least="1e-250",
            most="1",
            option="failing",
        ),
    }
    example: ClassVar = {"epsilon": "1/10", "delta": "1e-9"}

    def wrong(self) -> tuple[str, str] | None:
        """Return what is wrong with a guarantee that says nothing."""
        return ("delta", "must lie between 1e-250 and 1") if self.delta == 1 else None

    @property
    def failing(self) -> Fraction:
        """The delta of one of them."""
        return self.delta
