"""Laplace noise, and discrete noise on one integer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from rgm_verify.accounting.plans.fields import Field, Fields
from rgm_verify.accounting.plans.kinds.kind import Event, EventData, Noise
from rgm_verify.errors import InputError
from rgm_verify.numbers.bounds import round_down, round_up
from rgm_verify.numbers.exact import positive

if TYPE_CHECKING:
    from rgm_verify.accounting.plans.units import Cut
    from rgm_verify.accounting.replay_grids import Shape
    from rgm_verify.accounting.subsampled.guide import Outputs
    from rgm_verify.gaussians.certified.noise_cells import Outcome
    from rgm_verify.mechanisms.exact_noise import DiscreteGaussianMechanism, DiscreteLaplaceMechanism

# Every output of discrete noise within reach has a loss of its own, so that this sets the size of an account.
_SENSITIVITY = Field(
    "Sensitivity of the query, an integer; 1 if left out.",
    required=False,
    what="the sensitivity",
    most="1e5",
    whole=True,
    usual=1,
)


@dataclass(frozen=True)
class Laplace(Noise):
    """Laplace noise on one number; `scale` is that of the noise over the sensitivity.

    One release has the pure epsilon `1/scale`, which no loss is above. Beyond the two answers the loss is constant, and
    each side has the probability 1/2 under one of the laws; between them losses have a density.

    Attributes:
        scale: exact, between 1/100 and 1e9: with less, most likely it was meant the other way round.
        count: the number of releases, at most 1e12.
    """

    scale: Fraction
    count: int = 1
    kind: ClassVar = "laplace"
    fields: ClassVar = {
        "scale": Field(
            "Scale of the noise over the sensitivity of one number.", what="the scale", least="1/100", most="1e9"
        )
    }
    searched: ClassVar = ("scale", "count")
    events: ClassVar = ("LaplaceDpEvent",)
    example: ClassVar = {"scale": "10"}
    smooth: ClassVar = True

    @property
    def lattice(self) -> Fraction:
        """The loss of either side."""
        return 1 / self.scale

    @property
    def largest(self) -> Fraction:
        """The loss of either side."""
        return 1 / self.scale

    def group(self, size: int) -> Laplace:
        """Return the release for neighbours that differ in `size` records."""
        return replace(self, scale=self.scale / size)

    def outcomes(self, step: Fraction, edges: Sequence[int], log_tail: float) -> tuple[list[Outcome], Cut]:
        """Return both sides, and the cells between them."""
        from rgm_verify.gaussians.certified.noise_cells import laplace_outcomes

        return laplace_outcomes(self.scale, step, edges), None

    def guide(self, log_tail: float) -> Outputs:
        """Return the losses in floats."""
        from rgm_verify.accounting.plans.units import laplace_guide

        return laplace_guide(float(self.scale), self.count)

    @classmethod
    def of_event(cls, event: Event) -> Fields:
        """Return the scale over what a change of one record moves."""
        return {"scale": event.number("noise_multiplier") / event.moved}

    def to_events(self, moved: int, place: str) -> Iterator[tuple[EventData, int]]:
        """Yield the event."""
        yield ("LaplaceDpEvent", {"noise_multiplier": round_down(self.scale * moved)}), self.count


@dataclass(frozen=True)
class DiscreteGaussian(Noise):
    """Discrete Gaussian noise on one integer: mass in proportion to `exp(-x^2/(2 sigma^2))`.

    `sigma` is a parameter and, where it is small, not the standard deviation. `sensitivity` is an integer. The sum of
    several such noises is not discrete Gaussian, so that there is no closed form of a composition.

    Attributes:
        sigma: exact, between 1/20 and 10,000, in units of the query.
        sensitivity: by how much neighbouring answers differ at most, 1 to 100,000.
        count: the number of releases, at most 1e12.
    """

    sigma: Fraction
    sensitivity: int = 1
    count: int = 1
    kind: ClassVar = "discrete-gaussian"
    fields: ClassVar = {
        "sigma": Field(
            "The parameter sigma of the noise, in units of the query: masses go with exp(-x^2/(2 sigma^2)).",
            what="the parameter sigma",
            least="1/20",
            most="10000",
        ),
        "sensitivity": _SENSITIVITY,
    }
    events: ClassVar = ("DiscreteGaussianDpEvent",)
    of_one_number: ClassVar = True
    example: ClassVar = {"sigma": "10"}

    @property
    def mechanism(self) -> DiscreteGaussianMechanism:
        """The mechanism with these exact numbers, which draws its noise exactly."""
        from rgm_verify.mechanisms.exact_noise import DiscreteGaussianMechanism

        return DiscreteGaussianMechanism(self.sigma)

    @property
    def lattice(self) -> Fraction:
        """The difference that a step of the output makes."""
        return self.sensitivity / self.sigma**2

    @property
    def offset(self) -> Fraction:
        """The loss at the mean."""
        return self.sensitivity**2 / (2 * self.sigma**2)

    @property
    def rho(self) -> Fraction:
        """That of Gaussian noise with the same numbers."""
        return self.offset

    def group(self, size: int) -> DiscreteGaussian:
        """Return the release for neighbours that differ in `size` records."""
        return replace(self, sensitivity=self.sensitivity * size)

    def outcomes(self, step: Fraction, edges: Sequence[int], log_tail: float) -> tuple[list[Outcome], Cut]:
        """Return the outputs near both means."""
        from rgm_verify.accounting.plans.units import gaussian_reach
        from rgm_verify.gaussians.certified.noise_cells import discrete_gaussian_outcomes

        return discrete_gaussian_outcomes(self.sigma, self.sensitivity, step, gaussian_reach(self.sigma, log_tail))

    def guide(self, log_tail: float) -> Outputs:
        """Return the losses in floats, in increasing order."""
        from rgm_verify.accounting.plans.units import gaussian_guide

        return gaussian_guide(self.sigma, self.sensitivity, log_tail, self.count)

    def shape(self) -> Shape:
        """Return losses that reach about as far as those of Gaussian noise."""
        from rgm_verify.accounting.replay_grids import Atoms, gaussian_reach

        return Atoms(partial(gaussian_reach, 2 * self.offset), self.count, self.lattice / 2, exact=True)

    @classmethod
    def of_event(cls, event: Event) -> Fields:
        """Return the sensitivity of the function, where the other events have a norm of what one record adds."""
        if event.moved != 1:
            raise InputError(
                f"{event.place}.sensitivity: it is that of a function, and the event does not say whether between data "
                "sets with one record replaced: give the plan with that sensitivity as a discrete-gaussian line"
            )
        return {"sigma": event.number("sigma"), "sensitivity": event.number("sensitivity")}

    def to_events(self, moved: int, place: str) -> Iterator[tuple[EventData, int]]:
        """Yield the event, which has no meaning for a record that is replaced."""
        if moved == 1:
            fields = {"sigma": round_down(self.sigma), "sensitivity": self.sensitivity}
            yield ("DiscreteGaussianDpEvent", fields), self.count


@dataclass(frozen=True)
class DiscreteLaplace(Noise):
    """Discrete Laplace noise on one integer: mass in proportion to `exp(-|x|/scale)`; the geometric mechanism.

    Neighbouring answers differ by `sensitivity`, an integer, so that no loss is above `sensitivity/scale`.

    Attributes:
        scale: exact, at least a hundredth of the sensitivity; the quotient of two neighbouring masses is
            `exp(-1/scale)`.
        sensitivity: 1 to 100,000.
        count: the number of releases, at most 1e12.
    """

    scale: Fraction
    sensitivity: int = 1
    count: int = 1
    kind: ClassVar = "discrete-laplace"
    fields: ClassVar = {
        "scale": Field(
            "The parameter of the noise, in units of the query: masses fall by exp(-1/scale).",
            what="the scale",
            least="1e-6",
            most="1e9",
        ),
        "sensitivity": _SENSITIVITY,
    }
    searched: ClassVar = ("scale", "count")
    events: ClassVar = ("DiscreteLaplaceDpEvent",)
    example: ClassVar = {"scale": "10"}

    def wrong(self) -> tuple[str, str] | None:
        """Return what is wrong with a loss above 100."""
        far = self.sensitivity > 100 * self.scale
        return ("scale", "must be at least a hundredth of the sensitivity") if far else None

    @property
    def mechanism(self) -> DiscreteLaplaceMechanism:
        """The mechanism with these exact numbers, which draws its noise exactly."""
        from rgm_verify.mechanisms.exact_noise import DiscreteLaplaceMechanism

        return DiscreteLaplaceMechanism(self.scale)

    @property
    def unit_of_noise(self) -> Fraction:
        """The sensitivity."""
        return Fraction(self.sensitivity)

    @property
    def lattice(self) -> Fraction:
        """Two steps: one of the output towards one answer is one away from the other."""
        return 2 / self.scale

    @property
    def offset(self) -> Fraction:
        """The largest loss."""
        return self.largest

    @property
    def largest(self) -> Fraction:
        """The loss beyond either answer."""
        return self.sensitivity / self.scale

    def group(self, size: int) -> DiscreteLaplace:
        """Return the release for neighbours that differ in `size` records."""
        return replace(self, sensitivity=self.sensitivity * size)

    def outcomes(self, step: Fraction, edges: Sequence[int], log_tail: float) -> tuple[list[Outcome], Cut]:
        """Return both sides, and the outputs between them."""
        from rgm_verify.gaussians.certified.noise_cells import discrete_laplace_outcomes

        return discrete_laplace_outcomes(self.scale, self.sensitivity, step), None

    def shape(self) -> Shape:
        """Return losses on multiples of one over the scale."""
        from rgm_verify.accounting.replay_grids import Atoms

        return Atoms(lambda least: float(self.largest), self.count, 1 / self.scale, exact=True)

    @classmethod
    def of_event(cls, event: Event) -> Fields:
        """Return one over the decay of the masses, and the sensitivity for what a change of one record moves."""
        decay = positive(event.number("noise_parameter"), name=f"{event.place}.noise_parameter", meaning="the decay")
        return {"scale": 1 / decay, "sensitivity": event.number("sensitivity") * event.moved}

    def to_events(self, moved: int, place: str) -> Iterator[tuple[EventData, int]]:
        """Yield the event."""
        if self.sensitivity % moved:
            raise InputError(f"{place}.sensitivity={self.sensitivity}: an event has half of it, a whole number")
        fields = {"noise_parameter": round_up(1 / self.scale), "sensitivity": self.sensitivity // moved}
        yield ("DiscreteLaplaceDpEvent", fields), self.count
