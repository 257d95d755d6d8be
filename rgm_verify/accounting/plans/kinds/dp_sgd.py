"""DP-SGD as a line of a plan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from rgm_verify.accounting.plans.fields import Field, Fields
from rgm_verify.accounting.plans.kinds.kind import Event, EventData, PlannedRelease
from rgm_verify.accounting.subsampled.mechanism import (
    ADD_REMOVE,
    FIXED,
    MOST_RECORDS,
    POISSON,
    SAMPLERS,
    SampledGaussian,
    Segment,
    sampled_gaussian,
)
from rgm_verify.errors import InputError
from rgm_verify.numbers.bounds import round_down, round_up
from rgm_verify.numbers.exact import positive

if TYPE_CHECKING:
    from rgm_verify.accounting.plans.units import PlannedUnit
    from rgm_verify.accounting.replay_grids import Shape
    from rgm_verify.accounting.subsampled.simple import Simple


@dataclass(frozen=True)
class DpSgd(PlannedRelease):
    """Gaussian noise on sums of clipped records over random batches, `count` steps at one rate.

    The run names its sampler. A plan takes it only with a neighbouring relation that goes with that sampler. Several
    records may be in a batch together or apart: by Poisson sampling each on its own, so that those of a group that are
    all removed, added or replaced are known; how a fixed batch takes them is not.
    """

    run: SampledGaussian
    kind: ClassVar = "dp-sgd"
    fields: ClassVar = {
        "noise_multiplier": Field("Standard deviation of the noise over the clipping norm."),
        "sampling_rate": Field("Share of the records in a batch, in (0, 1]."),
        "sampler": Field(f"{SAMPLERS}.", choices=(POISSON, FIXED)),
        "records": Field(
            "Most records of one user, who is then the unit of privacy; each joins a batch on its own. 1 if left out.",
            required=False,
            what="the records of a user",
            least="1",
            most="100",
            whole=True,
            usual=1,
        ),
    }
    searched: ClassVar = ("noise_multiplier", "sampling_rate", "count")
    events: ClassVar = ("PoissonSampledDpEvent", "SampledWithoutReplacementDpEvent")
    example: ClassVar = {"noise_multiplier": "1", "sampling_rate": "1/100", "sampler": "poisson"}

    @property
    def count(self) -> int:
        """The number of steps."""
        return self.run.steps

    @property
    def parts(self) -> tuple[DpSgd, ...]:
        """The segments of the run, each as a release of its own."""
        return tuple(self._of(segment) for segment in self.run.segments)

    def _of(self, *segments: Segment) -> DpSgd:
        """Return the run with other segments; sampler and neighbours stay."""
        return DpSgd(replace(self.run, segments=segments))

    @classmethod
    def of(cls, given: Fields, place: str = "") -> DpSgd:
        """Return the checked release; `InputError` names the field."""
        sampler = given["sampler"]
        # Asked for its message alone: it knows what to say of shuffling and of samples with replacement.
        if sampler not in (POISSON, FIXED):
            sampled_gaussian([], sampler=str(sampler))
        segment = (given["sampling_rate"], given["noise_multiplier"], given.get("count", 1))
        try:
            return cls(sampled_gaussian([segment], sampler=str(sampler), records=given.get("records", 1)))
        except InputError as error:
            # A plan calls the number `count`, whatever the mechanism.
            text = str(error).replace("steps=", "count=", 1) if str(error).startswith("steps=") else str(error)
            raise InputError(f"{place}{text}") from None

    def values(self) -> dict[str, Any]:
        """Return the parameters of a run of one segment by the names of their fields."""
        (one,) = self.run.segments
        many = {"records": self.run.records} if self.run.records > 1 else {}
        return {
            "sampler": self.run.sampler,
            "noise_multiplier": one.noise_multiplier,
            "sampling_rate": one.rate,
            **many,
        }

    def certified(self, adjacency: str) -> dict[str, Any]:
        """Return the data of a certificate, with the neighbours."""
        return {**super().certified(adjacency), "adjacency": adjacency}

    def with_count(self, count: int) -> DpSgd:
        """Return the run with so many steps in each of its segments."""
        return self._of(*(replace(segment, steps=count) for segment in self.run.segments))

    def first(self, count: int) -> DpSgd:
        """Return the first steps: segments follow each other in time, and the last one that counts is cut short."""
        segments: list[Segment] = []
        for segment in self.run.segments:
            taken = min(count, segment.steps)
            segments += [replace(segment, steps=taken)] if taken else []
            count -= taken
        return self._of(*segments)

    def having(self, name: str, value: Fraction) -> DpSgd:
        """Return the run with one value in all segments; their rates, noise and lengths stay else."""
        if name == "count":
            return self.with_count(int(value))
        field = {"sampling_rate": "rate"}.get(name, name)
        return self._of(*(replace(segment, **{field: value}) for segment in self.run.segments))  # type: ignore[arg-type]

    @property
    def own_adjacency(self) -> str:
        """The neighbours that go with the sampler."""
        return self.run.adjacency

    def refused(self, adjacency: str) -> str:
        """Return why the release has no account for these neighbours; empty if it has."""
        # The numbers do not matter for that, and 1 is allowed for each.
        try:
            sampled_gaussian([(1, 1, 1)], sampler=self.run.sampler, adjacency=adjacency)
        except InputError as error:
            return str(error)
        return ""

    def between(self, adjacency: str) -> DpSgd:
        """Return the run for these neighbours."""
        return DpSgd(replace(self.run, adjacency=adjacency))

    def group(self, size: int) -> DpSgd | None:
        """Return the run for neighbours that differ in `size` records, all removed, all added or all replaced."""
        records = self.run.records * size
        # Of a group that is in part removed and in part added no one pair is the worst.
        if self.run.sampler != POISSON or self.run.adjacency == ADD_REMOVE or records > MOST_RECORDS:
            return None
        return DpSgd(replace(self.run, records=records))

    def simple_of_group(self, size: int) -> Simple:
        """Return the pair without sampling: however many records are in a batch, sums are that far apart at most."""
        from rgm_verify.accounting.subsampled.simple import Simple

        one = (segment.steps / segment.noise_multiplier**2 for segment in self.run.units)
        return Simple.gaussian(sum(one, Fraction(0)) * size**2, exact=False)

    @property
    def sampler(self) -> str:
        """The sampler of batches."""
        return self.run.sampler

    def units(self, adjacency: str) -> Sequence[PlannedUnit]:
        """Return the segments, for neighbours that may be one of both directions."""
        from rgm_verify.accounting.plans.units import SampledMixtureUnit, SegmentUnit
        from rgm_verify.accounting.subsampled.mixtures import sampled_step

        run = replace(self.run, adjacency=adjacency)
        steps = [sampled_step(run, segment) for segment in run.segments]
        return [
            SegmentUnit(segment, run.sampler == FIXED, run=run)
            if step is None
            else SampledMixtureUnit(step, segment.steps, adjacency=adjacency)
            for step, segment in zip(steps, run.units, strict=True)
        ]

    def shape(self) -> Shape:
        """Return the losses of the one segment."""
        from rgm_verify.accounting.replay_grids import MixtureCells, sampled_shape
        from rgm_verify.accounting.subsampled.mixtures import sampled_step

        (segment,), (unit,) = self.run.segments, self.run.units
        step = sampled_step(self.run, segment)
        return sampled_shape(self.run.sampler, unit) if step is None else MixtureCells(step, segment.steps)

    @property
    def one_pair(self) -> bool:
        """Tell whether batches are all of the records, and no sample."""
        return self.run.segments[0].rate == 1

    def note(self, *, alone: bool, meet: bool, chain: bool) -> str:
        """Return what the lower end of batches of fixed size is: one pair is known there, another bounds all."""
        if chain or meet or self.run.sampler != FIXED or self.one_pair:
            return ""
        return "the lower end is what one pair of data sets needs; the truth may lie anywhere between"

    @classmethod
    def of_event(cls, event: Event) -> Fields:
        """Return steps of DP-SGD; a run itself takes twice the clipping norm for a record that is replaced."""
        if event.name == "PoissonSampledDpEvent":
            sampler, rate = POISSON, event.number("sampling_probability")
        else:
            size = event.number("source_dataset_size")
            size = positive(size, name=f"{event.place}.source_dataset_size", meaning="the size")
            sampler, rate = FIXED, event.number("sample_size") / size
        return {"noise_multiplier": event.inner_noise(), "sampling_rate": rate, "sampler": sampler}

    def to_events(self, moved: int, place: str) -> Iterator[tuple[EventData, int]]:
        """Yield the events of the segments; none for several records of a user, of which no event knows."""
        if self.run.records > 1:
            return
        for segment in self.run.segments:
            noise = {"noise_multiplier": round_down(segment.noise_multiplier)}
            inner: dict[str, Any] = {"event": ("GaussianDpEvent", noise)}
            if self.run.sampler == POISSON:
                sample = {"sampling_probability": round_up(segment.rate)}
                yield ("PoissonSampledDpEvent", sample | inner), segment.steps
            else:
                sizes = {"source_dataset_size": segment.rate.denominator, "sample_size": segment.rate.numerator}
                yield ("SampledWithoutReplacementDpEvent", sizes | inner), segment.steps
