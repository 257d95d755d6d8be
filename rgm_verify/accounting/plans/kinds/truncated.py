"""DP-SGD by Poisson sampling whose batches have a largest size, as a line of a plan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from rgm_verify.accounting.plans.fields import Field, Fields
from rgm_verify.accounting.plans.kinds.kind import Event, EventData, PlannedRelease
from rgm_verify.accounting.subsampled.mechanism import ADD_REMOVE, REPLACE, TRUNCATED
from rgm_verify.numbers.bounds import round_down, round_up
from rgm_verify.numbers.exact import positive_integer

if TYPE_CHECKING:
    from rgm_verify.accounting.plans.units import PlannedUnit
    from rgm_verify.accounting.replay_grids import Shape
    from rgm_verify.accounting.subsampled.mixtures import MixtureStep
    from rgm_verify.accounting.subsampled.simple import Simple


@dataclass(frozen=True)
class TruncatedDpSgd(PlannedRelease):
    """Gaussian noise on sums of clipped records over Poisson batches of at most `batch_limit` records.

    Every record is sampled on its own. If more come than the limit, a choice that does not depend on what is in the
    records, such as a random one, says which of them stay: then a record may take the place of another one. From above
    stands a release that shows whether the other records fill the batch; from below a data set of one record.

    Attributes:
        noise_multiplier: the deviation of the noise over the clipping norm, exact.
        sampling_rate: the probability of each record to be sampled, exact, below 1.
        batch_limit: the largest batch.
        dataset_size: the most records that either of two neighbours has.
        count: the number of steps.
        adjacency: which data sets are neighbours.
    """

    noise_multiplier: Fraction
    sampling_rate: Fraction
    batch_limit: int
    dataset_size: int
    count: int = 1
    adjacency: str = ADD_REMOVE
    kind: ClassVar = "truncated-dp-sgd"
    fields: ClassVar = {
        "noise_multiplier": Field(
            "Standard deviation of the noise over the clipping norm.",
            what="the noise multiplier",
            least="1/100",
            most="1e9",
        ),
        "sampling_rate": Field(
            "Probability of each record to be sampled, below 1.", what="the sampling rate", least="1e-12", most="1"
        ),
        "batch_limit": Field(
            "Most records in a batch; of more that are sampled, a choice that does not look into them drops the rest.",
            what="the largest batch",
            least="1",
            most="1e12",
            whole=True,
        ),
        "dataset_size": Field(
            "Most records that either of two neighbouring data sets has.",
            what="the number of records",
            least="1",
            most="1e12",
            whole=True,
        ),
    }
    searched: ClassVar = ("noise_multiplier", "count")
    events: ClassVar = ("TruncatedSubsampledGaussianDpEvent",)
    example: ClassVar = {
        "noise_multiplier": "1",
        "sampling_rate": "1/100",
        "batch_limit": "150",
        "dataset_size": "10000",
    }

    def wrong(self) -> tuple[str, str] | None:
        """Return what is wrong with a rate at which nothing is sampled by chance."""
        return (
            ("sampling_rate", "must be below 1: with all records in each batch, ask for dp-sgd or gaussian")
            if (self.sampling_rate == 1)
            else None
        )

    def certified(self, adjacency: str) -> dict[str, Any]:
        """Return the data of a certificate, with the neighbours."""
        return {**super().certified(adjacency), "adjacency": adjacency}

    @property
    def own_adjacency(self) -> str:
        """The neighbours, one record more or less unless a plan says otherwise."""
        return self.adjacency

    def between(self, adjacency: str) -> TruncatedDpSgd:
        """Return the release for these neighbours."""
        return replace(self, adjacency=adjacency)

    def simple_of_group(self, size: int) -> Simple:
        """Return the pair without sampling: batches that differ in `2 size` records at most."""
        from rgm_verify.accounting.subsampled.simple import Simple

        moved = 2 * size * (2 if self.adjacency == REPLACE else 1)
        return Simple.gaussian(self.count * moved**2 / self.noise_multiplier**2, exact=False)

    @property
    def sampler(self) -> str:
        """The sampler of batches."""
        return TRUNCATED

    @property
    def step(self) -> MixtureStep:
        """The pairs of one step."""
        from rgm_verify.accounting.subsampled.mixtures import truncated

        replaced = self.adjacency == REPLACE
        return truncated(
            self.noise_multiplier, self.sampling_rate, self.batch_limit, self.dataset_size, replace=replaced
        )

    def units(self, adjacency: str) -> Sequence[PlannedUnit]:
        """Return the one unit."""
        from rgm_verify.accounting.plans.units import SampledMixtureUnit

        return [SampledMixtureUnit(self.step, self.count, adjacency=adjacency)]

    def shape(self) -> Shape:
        """Return the losses of a step from above."""
        from rgm_verify.accounting.replay_grids import MixtureCells

        return MixtureCells(self.step, self.count)

    def note(self, *, alone: bool, meet: bool, chain: bool) -> str:
        """Return what both ends are."""
        return "the lower end is that of batches that are not full; the upper one pays for full batches too"

    def to_events(self, moved: int, place: str) -> Iterator[tuple[EventData, int]]:
        """Yield the event, for the larger of two neighbours."""
        fields = {
            "dataset_size": self.dataset_size,
            "sampling_probability": round_up(self.sampling_rate),
            "truncated_batch_size": self.batch_limit,
            "noise_multiplier": round_down(self.noise_multiplier),
        }
        yield ("TruncatedSubsampledGaussianDpEvent", fields), self.count

    @classmethod
    def of_event(cls, event: Event) -> Fields:
        """Return the fields of the event."""
        size = positive_integer(event.number("dataset_size"), name=f"{event.place}.dataset_size", meaning="the size")
        return {
            "noise_multiplier": event.number("noise_multiplier"),
            "sampling_rate": event.number("sampling_probability"),
            "batch_limit": event.number("truncated_batch_size"),
            # The event does not say of which of two neighbours its size is.
            "dataset_size": size + 1,
        }
