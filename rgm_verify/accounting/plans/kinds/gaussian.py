"""Gaussian noise, and mechanisms of which only their zero-concentrated privacy is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from rgm_verify.accounting.plans.fields import Field, Fields
from rgm_verify.accounting.plans.kinds.kind import Event, EventData, PlannedRelease
from rgm_verify.errors import InputError, reject
from rgm_verify.numbers.bounds import round_down, round_up
from rgm_verify.numbers.exact import nonnegative, positive

if TYPE_CHECKING:
    from rgm_verify.accounting.plans.units import PlannedUnit
    from rgm_verify.accounting.replay_grids import Shape

_MOST_ORDERS, _LARGEST_ORDER = 200, 10**4


@dataclass(frozen=True)
class Gaussian(PlannedRelease):
    """Gaussian noise in every coordinate; `noise_multiplier` is its deviation over the Euclidean sensitivity.

    Exact, in any dimension: the worst pair lies on one line. All Gaussian lines of a plan are composed in closed form.

    Attributes:
        noise_multiplier: exact, between 1e-6 and 1e9.
        count: the number of releases, at most 1e12.
    """

    noise_multiplier: Fraction
    count: int = 1
    kind: ClassVar = "gaussian"
    fields: ClassVar = {
        "noise_multiplier": Field(
            "Standard deviation of the noise over the Euclidean sensitivity.",
            what="the noise multiplier",
            least="1e-6",
            most="1e9",
        )
    }
    searched: ClassVar = ("noise_multiplier", "count")
    events: ClassVar = ("GaussianDpEvent",)
    example: ClassVar = {"noise_multiplier": "5"}
    one_pair: ClassVar = True

    def group(self, size: int) -> Gaussian:
        """Return the release for neighbours that differ in `size` records: they are that much farther apart."""
        return replace(self, noise_multiplier=self.noise_multiplier / size)

    def units(self, adjacency: str) -> Sequence[PlannedUnit]:
        """Return the one pair that all releases are."""
        from rgm_verify.accounting.plans.units import GaussianUnit

        return (GaussianUnit(self.count / self.noise_multiplier**2),)

    def shape(self) -> Shape:
        """Return the losses of the one pair."""
        from rgm_verify.accounting.replay_grids import gaussian_shape

        return gaussian_shape(self.count / self.noise_multiplier**2)

    @classmethod
    def of_event(cls, event: Event) -> Fields:
        """Return the noise over what a change of one record moves."""
        return {"noise_multiplier": event.number("noise_multiplier") / event.moved}

    def to_events(self, moved: int, place: str) -> Iterator[tuple[EventData, int]]:
        """Yield the event."""
        yield ("GaussianDpEvent", {"noise_multiplier": round_down(self.noise_multiplier * moved)}), self.count


@dataclass(frozen=True)
class Concentrated(PlannedRelease):
    """Any mechanism that is `rho`-zCDP: its Renyi divergence of each order `a > 1` is at most `a rho`, in both orders.

    From below stands Gaussian noise of the same `rho`, which is one of them; the worst is not known.

    Attributes:
        rho: exact, between 1e-12 and 1000.
        count: the number of such mechanisms, at most 1e12.
    """

    rho: Fraction
    count: int = 1
    kind: ClassVar = "zcdp"
    fields: ClassVar = {
        "rho": Field(
            "The rho of one mechanism's zero-concentrated privacy.",
            what="the rho of a mechanism",
            least="1e-12",
            most="1000",
        )
    }
    events: ClassVar = ("ZCDpEvent",)
    example: ClassVar = {"rho": "1/100"}
    one_pair: ClassVar = True

    def units(self, adjacency: str) -> Sequence[PlannedUnit]:
        """Return all of them together."""
        from rgm_verify.accounting.plans.concentrated import ConcentratedUnit

        return (ConcentratedUnit(self.rho * self.count),)

    def shape(self) -> Shape:
        """Return losses with a tail that is a little heavier than that of Gaussian noise."""
        from rgm_verify.accounting.replay_grids import gaussian_shape

        return gaussian_shape(3 * self.rho * self.count)

    def note(self, *, alone: bool, meet: bool, chain: bool) -> str:
        """Return what the lower end is."""
        return "of zcdp lines, the lower end is that of Gaussian noise; the worst may lie anywhere between"

    @classmethod
    def of_event(cls, event: Event) -> Fields:
        """Return rho, for the neighbours of the account: the event has none of its own."""
        if event.optional("xi"):
            shift = event.optional("xi")
            raise reject(f"{event.place}.xi", shift, "zero-concentrated privacy has an account here at 0")
        return {"rho": event.number("rho")}

    def to_events(self, moved: int, place: str) -> Iterator[tuple[EventData, int]]:
        """Yield the event."""
        yield ("ZCDpEvent", {"rho": round_up(self.rho)}), self.count


@dataclass(frozen=True)
class Renyi(PlannedRelease):
    """Any mechanism whose Renyi divergences are bounded at some orders, in both orders of two neighbours.

    From below stands Gaussian noise whose divergences are at most those, which is one of them; the worst is not known.
    Lines with the same orders are added up before they are converted.

    Attributes:
        curve: for each order its bound in nats, "2: 0.1, 4: 0.25"; 1 to 200 orders above 1.
        count: the number of such mechanisms, at most 1e12.
    """

    curve: str
    count: int = 1
    kind: ClassVar = "renyi"
    fields: ClassVar = {
        "curve": Field("The orders and the bounds of the divergence of one mechanism: 2: 0.1, 4: 0.25", written=True)
    }
    example: ClassVar = {"curve": "2:1/100,16:1/10,64:1/2"}
    one_pair: ClassVar = True

    def wrong(self) -> tuple[str, str] | None:
        """Return what is wrong with the table."""
        try:
            points = self.points
        except InputError as error:
            return "curve", str(error)
        if not 1 <= len(points) <= _MOST_ORDERS or len({order for order, _ in points}) < len(points):
            return "curve", f"must have 1 to {_MOST_ORDERS} different orders"
        if not all(1 < order <= _LARGEST_ORDER and 0 < value <= _LARGEST_ORDER for order, value in points):
            return "curve", f"must have orders above 1 and up to {_LARGEST_ORDER}, and bounds above 0 and up to that"
        return None

    @cached_property
    def points(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """The orders with their bounds, in increasing orders."""
        found = []
        for part in self.curve.split(","):
            order, colon, value = part.partition(":")
            if not colon:
                raise InputError(f"must be orders with bounds, as in 2: 0.1, 4: 0.25; {part.strip()!r} is none")
            found.append((positive(order.strip(), name="order"), nonnegative(value.strip(), name="bound")))
        return tuple(sorted(found))

    def units(self, adjacency: str) -> Sequence[PlannedUnit]:
        """Return all of them together."""
        from rgm_verify.accounting.plans.concentrated import RenyiUnit

        curve = tuple((order, value * self.count) for order, value in self.points)
        return (RenyiUnit(curve, min(value / order for order, value in curve)),)

    def shape(self) -> Shape:
        """Return losses with a tail that is a little heavier than that of Gaussian noise."""
        from rgm_verify.accounting.replay_grids import gaussian_shape

        return gaussian_shape(4 * self.count * min(value / order for order, value in self.points))

    def note(self, *, alone: bool, meet: bool, chain: bool) -> str:
        """Return what the lower end is."""
        return "of renyi lines, the lower end is that of Gaussian noise; the worst may lie anywhere between"
