"""The relative Gaussian mechanism as a line of a plan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from rgm_verify.accounting.plans.fields import COUNT, Field, Fields
from rgm_verify.accounting.plans.kinds.kind import EventData, PlannedRelease
from rgm_verify.accounting.release import Release
from rgm_verify.errors import InputError

if TYPE_CHECKING:
    from rgm_verify.accounting.plans.units import PlannedUnit
    from rgm_verify.accounting.replay_grids import Shape


@dataclass(frozen=True)
class RelativeGaussian(PlannedRelease):
    """The relative Gaussian mechanism, with the relative sensitivity of its query.

    The sensitivity is part of the release, as the noise of this mechanism goes with the size of the answer; so that of
    several records does not follow from that of one.
    """

    release: Release
    count: int = 1
    kind: ClassVar = "rgm"
    fields: ClassVar = {
        "eta": Field("Relative sensitivity of the query."),
        "gamma": Field("Noise ratio: the variance is gamma |R|^2 + sigma2."),
        "d": Field("Dimension of the query."),
        "r_rel": Field("Absolute part of the sensitivity; 0 if left out.", required=False),
        "sigma2": Field("Baseline variance per coordinate; 0 if left out.", required=False),
    }
    example: ClassVar = {"eta": "1/1000", "gamma": "1/10000", "d": "10"}

    @classmethod
    def of(cls, given: Fields, place: str = "") -> RelativeGaussian:
        """Return the checked release; `InputError` names the field."""
        noise = {name: given.get(name, 0) for name in ("r_rel", "sigma2")}
        try:
            release = Release(given["eta"], given["gamma"], given["d"], **noise)
        # A release refuses by the name of its argument; the line of a plan that has it goes in front.
        except InputError as error:
            raise InputError(f"{place}{error}") from None
        return cls(release, COUNT.read(given, "count", place))

    def values(self) -> dict[str, Any]:
        """Return the parameters by the names of their fields."""
        one = self.release
        return {"eta": one.eta, "gamma": one.gamma, "d": one.dimension, "r_rel": one.r_rel, "sigma2": one.sigma2}

    def certified(self, adjacency: str) -> dict[str, Any]:
        """Return the data of a certificate, where the dimension has its name."""
        return {"dimension" if name == "d" else name: value for name, value in super().certified(adjacency).items()}

    def units(self, adjacency: str) -> Sequence[PlannedUnit]:
        """Return the one unit."""
        from rgm_verify.accounting.plans.units import RelativeUnit

        return (RelativeUnit(self.release, self.count),)

    def shape(self) -> Shape:
        """Return the losses of its curve."""
        from rgm_verify.accounting.replay_grids import relative_shape

        return relative_shape(self.release, self.count)

    def note(self, *, alone: bool, meet: bool, chain: bool) -> str:
        """Return what both ends are in a list; one line alone has an account of its own."""
        if alone or chain:
            return ""
        return "the relative Gaussian is bounded by one loss above all its pairs, and by one pair from below"

    def to_events(self, moved: int, place: str) -> Iterator[tuple[EventData, int]]:
        """Yield the event, which names its neighbours."""
        relation = "REPLACE_ONE" if moved == 2 else "ADD_OR_REMOVE_ONE"
        fields = {**self.values(), "neighboring_relation": relation}
        fields["dimension"] = fields.pop("d")
        yield ("RelativeGaussianDpEvent", fields), self.count
