"""A kind of line: its parameters, neighbours and losses, how it is written, and what may be looked for.

Whatever goes over lines asks them, and knows no kind by name: accounts, groups, calibration, files, certificates,
importers, events of dp-accounting, and the command line. A new kind is a subclass, and one more name in `releases`.
Nothing here needs more than exact numbers, so that input is checked at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeAlias

from rgm_verify.accounting.plans.fields import COUNT, Field, Fields
from rgm_verify.accounting.subsampled.mechanism import ADD, ADD_REMOVE, REMOVE, REPLACE
from rgm_verify.errors import reject
from rgm_verify.numbers.decimals import exact_text
from rgm_verify.numbers.shown import Shown

if TYPE_CHECKING:
    from typing import Self

    from rgm_verify.accounting.plans.units import Cut, PlannedUnit
    from rgm_verify.accounting.replay_grids import Shape
    from rgm_verify.accounting.subsampled.guide import Outputs
    from rgm_verify.accounting.subsampled.simple import Simple
    from rgm_verify.gaussians.certified.noise_cells import Outcome

ADJACENCIES = (ADD_REMOVE, ADD, REMOVE, REPLACE)
GIVEN = "those-of-the-sensitivity"
"""The neighbours of a plan whose sensitivities are all that its account knows of neighbours, and that names none."""

EventData: TypeAlias = tuple[str, Mapping[str, Any]]
"""An event of dp-accounting: the name of its class and its fields, which may be events again."""


class Event(Protocol):
    """An event of dp-accounting that is read."""

    @property
    def name(self) -> str:
        """The name of its class."""
        ...

    @property
    def moved(self) -> int:
        """How many norms of one record's part neighbours move a sum by: 2 for a replacement."""
        ...

    @property
    def place(self) -> str:
        """Where it stands, for messages."""
        ...

    def number(self, name: str) -> Fraction:
        """Return a field exactly."""
        ...

    def optional(self, name: str) -> Any:
        """Return a field, None where there is none."""
        ...

    def inner_noise(self) -> Fraction:
        """Return the noise of the Gaussian event inside."""
        ...


class PlannedRelease(Shown):
    """Releases of one kind, all with the same parameters, for neighbours that the plan names.

    The defaults are those of a query with a sensitivity, which is the caller's, for any neighbours.

    Attributes:
        kind: its name in plans.
        fields: its parameters by name; `count` is one of every kind.
        searched: the fields that calibration finds, noise first; of it more never costs more.
        events: the classes of dp-accounting that `of_event` reads.
        of_one_number: whether an event of these classes has an account only if its noise is on one number.
        example: parameters for examples, as texts.
    """

    kind: ClassVar[str]
    fields: ClassVar[Mapping[str, Field]]
    searched: ClassVar[tuple[str, ...]] = ("count",)
    events: ClassVar[tuple[str, ...]] = ()
    of_one_number: ClassVar[bool] = False
    example: ClassVar[Mapping[str, str]] = {}

    # ---------------------------------------------------------------------------------------- reading and writing

    @property
    def count(self) -> int:
        """The number of releases."""
        raise NotImplementedError

    @classmethod
    def of(cls, given: Fields, place: str = "") -> Self:
        """Return the checked release; `InputError` names the field."""
        values = {name: field.read(given, name, place) for name, field in cls.fields.items()}
        found = cls(**values, count=COUNT.read(given, "count", place))  # type: ignore[call-arg]
        if wrong := found.wrong():
            raise reject(f"{place}{wrong[0]}", given[wrong[0]], wrong[1])
        return found

    def wrong(self) -> tuple[str, str] | None:
        """Return a field and why it does not go with the others; None for nothing."""
        return None

    def values(self) -> dict[str, Any]:
        """Return the parameters that are given, by the names of their fields."""
        found = {name: getattr(self, name) for name in self.fields}
        return {name: value for name, value in found.items() if value is not None}

    @property
    def parts(self) -> Sequence[PlannedRelease]:
        """The releases that a file and a certificate write for it."""
        return (self,)

    def certified(self, adjacency: str) -> dict[str, Any]:
        """Return a part as the data of a certificate, each number as a text that is read back exactly."""
        texts = {name: exact_text(v) if isinstance(v, Fraction) else v for name, v in self.values().items()}
        return {"name": self.kind, **texts, "steps": self.count}

    def with_count(self, count: int) -> Self:
        """Return the same releases in another number."""
        return replace(self, count=count)  # type: ignore[type-var]

    def first(self, count: int) -> PlannedRelease:
        """Return the first `count` of the releases, at most all of them."""
        return self.with_count(count)

    def having(self, name: str, value: Fraction) -> Self:
        """Return the releases with another value of a field that is searched."""
        return self.with_count(int(value)) if name == "count" else replace(self, **{name: value})  # type: ignore[type-var]

    @property
    def unit_of_noise(self) -> Fraction:
        """About the noise at which one release costs a nat."""
        return Fraction(1)

    # ------------------------------------------------------------------------------------------------- neighbours

    @property
    def own_adjacency(self) -> str:
        """The neighbours that the release is for by itself."""
        return GIVEN

    def refused(self, adjacency: str) -> str:
        """Return why the release has no account for these neighbours; empty if it has."""
        return ""

    def between(self, adjacency: str) -> PlannedRelease:
        """Return the release for these neighbours, for which it has an account."""
        return self

    def group(self, size: int) -> PlannedRelease | None:
        """Return the releases for neighbours that differ in `size` records; None where that does not follow."""
        return None

    def simple_of_group(self, size: int) -> Simple:
        """Return what holds for such neighbours without a grid, where `group` says nothing."""
        from rgm_verify.accounting.subsampled.simple import Simple

        return Simple()

    @property
    def sampler(self) -> str | None:
        """The sampler of batches; None without one."""
        return None

    # ----------------------------------------------------------------------------------------------------- losses

    @property
    def accounted(self) -> Sequence[PlannedRelease]:
        """The releases that have the losses of this one together."""
        return self.parts

    def units(self, adjacency: str) -> Sequence[PlannedUnit]:
        """Return the units of an account of this release, which is `accounted` as itself."""
        raise NotImplementedError

    def shape(self) -> Shape:
        """Return what the grid of a certificate depends on, of a release that is `accounted` as itself."""
        raise NotImplementedError

    @property
    def one_pair(self) -> bool:
        """Tell whether any number of such releases is bounded as one pair, in closed form."""
        return False

    @property
    def failing(self) -> Fraction:
        """The probability with which one release may show the record for certain."""
        return Fraction(0)

    @property
    def failing_below(self) -> Fraction:
        """The same of the neighbours that the lower end is of."""
        return self.failing

    def note(self, *, alone: bool, meet: bool, chain: bool) -> str:
        """Return what a reader of an account should know of its ends; empty for nothing.

        Args:
            alone: whether the plan has no other line.
            meet: whether one method found both ends.
            chain: whether a group is followed from record to record.
        """
        return ""

    # ---------------------------------------------------------------------------------------------------- exchange

    @classmethod
    def of_event(cls, event: Event) -> Fields:
        """Return the fields that an event of dp-accounting stands for."""
        raise NotImplementedError

    def to_events(self, moved: int, place: str) -> Iterator[tuple[EventData, int]]:
        """Yield events with their numbers; nothing where there is none. Floats are rounded to the costly side."""
        return iter(())


class Noise(PlannedRelease):
    """Releases whose pair a bijection of the outputs turns around, so that one curve holds for both orders.

    Single outcomes have losses on a lattice, which a grid may contain: `offset` and multiples of `lattice` from there.
    """

    smooth: ClassVar[bool] = False
    """Whether there are losses between those of single outcomes."""

    @property
    def lattice(self) -> Fraction:
        """The difference of neighbouring losses of single outcomes."""
        raise NotImplementedError

    @property
    def offset(self) -> Fraction:
        """A loss of a single outcome."""
        return Fraction(0)

    @property
    def largest(self) -> Fraction | None:
        """No loss of one release is above this; None where losses have no end."""
        return None

    @property
    def slack(self) -> Fraction:
        """How far a loss that is a logarithm may be from the one that stands for it."""
        return Fraction(0)

    @property
    def rho(self) -> Fraction | None:
        """The zero-concentrated privacy of one release, where that is better than that of its largest loss."""
        return None

    def outcomes(self, step: Fraction, edges: Sequence[int], log_tail: float) -> tuple[list[Outcome], Cut]:
        """Return the outcomes with their losses and masses, cut at the edges, and what lies beyond them."""
        raise NotImplementedError

    def guide(self, log_tail: float) -> Outputs:
        """Return the outputs in floats, as a guide; `log_tail` bounds what noise without an end leaves out."""
        from rgm_verify.accounting.plans.units import outcomes_guide

        return outcomes_guide(self.outcomes(Fraction(1), (), log_tail)[0], self.count)

    def units(self, adjacency: str) -> Sequence[PlannedUnit]:
        """Return the one unit."""
        from rgm_verify.accounting.plans.units import NoiseUnit

        return (NoiseUnit(self),)

    def shape(self) -> Shape:
        """Return losses on multiples of the largest one, and none beyond it."""
        from rgm_verify.accounting.replay_grids import Atoms

        most = self.largest or Fraction(0)
        return Atoms(lambda least: float(most), self.count, self.lattice, exact=not self.smooth)
