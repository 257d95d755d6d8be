"""Releases that one account takes, as data: what noise, how often, and between which neighbours.

Every release is of a query that may depend on all outputs before; its parameters may not. Sensitivities are those
between the neighbours of the plan. Nothing here needs more than exact numbers, so that input is checked at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from rgm_verify.accounting.plans.fields import Field, Fields, count_of, distance_of, moderate
from rgm_verify.accounting.release import Release
from rgm_verify.accounting.subsampled.mechanism import (
    ADD,
    ADD_REMOVE,
    FIXED,
    POISSON,
    REMOVE,
    REPLACE,
    SAMPLERS,
    SampledGaussian,
    sampled_gaussian,
)
from rgm_verify.errors import InputError, reject
from rgm_verify.numbers.exact import positive, positive_integer
from rgm_verify.numbers.shown import Shown

if TYPE_CHECKING:
    from rgm_verify.mechanisms.exact_noise import DiscreteGaussianMechanism, DiscreteLaplaceMechanism

ADJACENCIES = (ADD_REMOVE, ADD, REMOVE, REPLACE)
GIVEN = "those-of-the-sensitivity"
"""The neighbours of a plan whose sensitivities are all that its account knows of neighbours, and that names none."""
# Every output of discrete noise within reach has a loss of its own, so that this sets the size of an account.
_LARGEST_SIGMA = 10**4
_MOST_ANSWERS = 10**9


class _AnyNeighbours(Shown):
    """A release whose sensitivity is all that its account knows of neighbours: it is the caller's, for any relation."""

    own_adjacency: ClassVar[str] = GIVEN

    def refused(self, adjacency: str) -> str:
        """Return why the release has no account for these neighbours; empty if it has."""
        return ""


@dataclass(frozen=True)
class Gaussian(_AnyNeighbours):
    """Gaussian noise in every coordinate; `noise_multiplier` is its deviation over the Euclidean sensitivity.

    Exact, in any dimension: the worst pair lies on one line. All Gaussian lines of a plan are composed in closed form.

    Attributes:
        noise_multiplier: exact, between 1e-6 and 1e9.
        count: the number of releases, at most 1e12.
    """

    noise_multiplier: Fraction
    count: int = 1
    kind: ClassVar[str] = "gaussian"
    fields: ClassVar[Mapping[str, Field]] = {
        "noise_multiplier": Field("Standard deviation of the noise over the Euclidean sensitivity.")
    }

    @classmethod
    def of(cls, given: Fields, place: str = "") -> Gaussian:
        """Return the checked release; `InputError` names the field."""
        name = f"{place}noise_multiplier"
        noise = moderate(given["noise_multiplier"], name, "the noise multiplier")
        return cls(noise, count_of(given.get("count", 1), f"{place}count"))

    def group(self, size: int) -> Gaussian:
        """Return the release for neighbours that differ in `size` records: they are that much farther apart."""
        return replace(self, noise_multiplier=self.noise_multiplier / size)


@dataclass(frozen=True)
class Laplace(_AnyNeighbours):
    """Laplace noise on one number; `scale` is that of the noise over the sensitivity.

    One number only: with noise in several coordinates and a sensitivity in the 1-norm other pairs are the worst. One
    release has the pure epsilon `1/scale`, which no loss is above.

    Attributes:
        scale: exact, between 1/100 and 1e9.
        count: the number of releases, at most 1e12.
    """

    scale: Fraction
    count: int = 1
    kind: ClassVar[str] = "laplace"
    fields: ClassVar[Mapping[str, Field]] = {"scale": Field("Scale of the noise over the sensitivity of one number.")}

    @classmethod
    def of(cls, given: Fields, place: str = "") -> Laplace:
        """Return the checked release; `InputError` names the field."""
        scale = moderate(given["scale"], f"{place}scale", "the scale")
        # An epsilon of 100 for one release: most likely the scale was meant the other way round.
        if scale < Fraction(1, 100):
            raise reject(f"{place}scale", given["scale"], "must be at least 1/100")
        return cls(scale, count_of(given.get("count", 1), f"{place}count"))

    def group(self, size: int) -> Laplace:
        """Return the release for neighbours that differ in `size` records."""
        return replace(self, scale=self.scale / size)


@dataclass(frozen=True)
class DiscreteGaussian(_AnyNeighbours):
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
    kind: ClassVar[str] = "discrete-gaussian"
    fields: ClassVar[Mapping[str, Field]] = {
        "sigma": Field("The parameter sigma of the noise, in units of the query."),
        "sensitivity": Field("Sensitivity of the query, an integer; 1 if left out.", required=False),
    }

    @classmethod
    def of(cls, given: Fields, place: str = "") -> DiscreteGaussian:
        """Return the checked release; `InputError` names the field."""
        sigma = moderate(given["sigma"], f"{place}sigma", "the parameter sigma")
        if not Fraction(1, 20) <= sigma <= _LARGEST_SIGMA:
            raise reject(f"{place}sigma", given["sigma"], "must lie between 1/20 and 10000")
        distance = distance_of(given.get("sensitivity", 1), f"{place}sensitivity")
        return cls(sigma, distance, count_of(given.get("count", 1), f"{place}count"))

    @property
    def mechanism(self) -> DiscreteGaussianMechanism:
        """The mechanism with these exact numbers, which draws its noise exactly."""
        from rgm_verify.mechanisms.exact_noise import DiscreteGaussianMechanism

        return DiscreteGaussianMechanism(self.sigma)

    def group(self, size: int) -> DiscreteGaussian:
        """Return the release for neighbours that differ in `size` records."""
        return replace(self, sensitivity=self.sensitivity * size)


@dataclass(frozen=True)
class DiscreteLaplace(_AnyNeighbours):
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
    kind: ClassVar[str] = "discrete-laplace"
    fields: ClassVar[Mapping[str, Field]] = {
        "scale": Field("The parameter of the noise, in units of the query: masses fall by exp(-1/scale)."),
        "sensitivity": Field("Sensitivity of the query, an integer; 1 if left out.", required=False),
    }

    @classmethod
    def of(cls, given: Fields, place: str = "") -> DiscreteLaplace:
        """Return the checked release; `InputError` names the field."""
        scale = moderate(given["scale"], f"{place}scale", "the scale")
        distance = distance_of(given.get("sensitivity", 1), f"{place}sensitivity")
        if distance > 100 * scale:
            raise reject(f"{place}scale", given["scale"], "must be at least a hundredth of the sensitivity")
        return cls(scale, distance, count_of(given.get("count", 1), f"{place}count"))

    @property
    def mechanism(self) -> DiscreteLaplaceMechanism:
        """The mechanism with these exact numbers, which draws its noise exactly."""
        from rgm_verify.mechanisms.exact_noise import DiscreteLaplaceMechanism

        return DiscreteLaplaceMechanism(self.scale)

    def group(self, size: int) -> DiscreteLaplace:
        """Return the release for neighbours that differ in `size` records."""
        return replace(self, sensitivity=self.sensitivity * size)


@dataclass(frozen=True)
class RandomisedResponse(Shown):
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
    kind: ClassVar[str] = "randomised-response"
    fields: ClassVar[Mapping[str, Field]] = {
        "epsilon": Field("The largest loss of one answer, in nats; or give `truth`.", required=False),
        "truth": Field("Probability of the true answer, above that of any other; or give `epsilon`.", required=False),
        "answers": Field("Number of possible answers; 2 if left out.", required=False),
    }

    @classmethod
    def of(cls, given: Fields, place: str = "") -> RandomisedResponse:
        """Return the checked release; `InputError` names the field."""
        answers = positive_integer(given.get("answers", 2), name=f"{place}answers", meaning="the number of answers")
        if not 2 <= answers <= _MOST_ANSWERS:
            raise reject(f"{place}answers", given.get("answers", 2), "must lie between 2 and 1e9")
        count = count_of(given.get("count", 1), f"{place}count")
        if ("epsilon" in given) == ("truth" in given):
            raise InputError(f"{place}epsilon: give either epsilon or truth")
        if "epsilon" in given:
            epsilon = positive(given["epsilon"], name=f"{place}epsilon", meaning="the loss of an answer")
            if not Fraction(1, 10**9) <= epsilon <= 100:
                raise reject(f"{place}epsilon", given["epsilon"], "must lie between 1e-9 and 100")
            return cls(epsilon, None, answers, count)
        truth = positive(given["truth"], name=f"{place}truth", meaning="a probability")
        # At 1/answers the answer says nothing, and below it the untrue ones would be the likelier.
        if not Fraction(1, answers) * (1 + Fraction(1, 10**9)) <= truth <= 1 - Fraction(1, 10**40):
            raise reject(f"{place}truth", given["truth"], f"must lie above 1/{answers} and below 1")
        return cls(None, truth, answers, count)

    own_adjacency: ClassVar[str] = REPLACE

    def refused(self, adjacency: str) -> str:
        """Return why the release has no account for these neighbours; empty if it has."""
        if adjacency == REPLACE:
            return ""
        return "randomised response shows whether a record is there at all: its neighbours are those of replace-one"

    def group(self, size: int) -> RandomisedResponse:
        """Return the releases for neighbours that differ in `size` records: each of them answers."""
        return replace(self, count=self.count * size)


@dataclass(frozen=True)
class RelativeGaussian(_AnyNeighbours):
    """The relative Gaussian mechanism, with the relative sensitivity of its query.

    The sensitivity is part of the release, as the noise of this mechanism goes with the size of the answer.
    """

    release: Release
    count: int = 1
    kind: ClassVar[str] = "rgm"
    fields: ClassVar[Mapping[str, Field]] = {
        "eta": Field("Relative sensitivity of the query."),
        "gamma": Field("Noise ratio: the variance is gamma |R|^2 + sigma2."),
        "d": Field("Dimension of the query."),
        "r_rel": Field("Absolute part of the sensitivity; 0 if left out.", required=False),
        "sigma2": Field("Baseline variance per coordinate; 0 if left out.", required=False),
    }

    @classmethod
    def of(cls, given: Fields, place: str = "") -> RelativeGaussian:
        """Return the checked release; `InputError` names the field."""
        try:
            release = Release(
                given["eta"],
                given["gamma"],
                given["d"],
                r_rel=given.get("r_rel", 0),
                sigma2=given.get("sigma2", 0),
            )
        # A release refuses by the name of its argument; the line of a plan that has it goes in front.
        except InputError as error:
            raise InputError(f"{place}{error}") from None
        return cls(release, count_of(given.get("count", 1), f"{place}count"))

    def group(self, size: int) -> None:
        """Return nothing: the sensitivity for several records does not follow from that for one."""


@dataclass(frozen=True)
class DpSgd(Shown):
    """Gaussian noise on sums of clipped records over random batches, `count` steps at one rate.

    The run names its sampler. A plan takes it only with the neighbouring relation that goes with that sampler.
    """

    run: SampledGaussian
    kind: ClassVar[str] = "dp-sgd"
    fields: ClassVar[Mapping[str, Field]] = {
        "noise_multiplier": Field("Standard deviation of the noise over the clipping norm."),
        "sampling_rate": Field("Share of the records in a batch, in (0, 1]."),
        "sampler": Field(f"{SAMPLERS}."),
    }

    @property
    def count(self) -> int:
        """The number of steps."""
        return self.run.steps

    @property
    def parts(self) -> tuple[DpSgd, ...]:
        """The segments of the run, each as a release of its own."""
        return tuple(DpSgd(replace(self.run, segments=(segment,))) for segment in self.run.segments)

    @property
    def own_adjacency(self) -> str:
        """The neighbours that go with the sampler."""
        return self.run.adjacency

    @classmethod
    def of(cls, given: Fields, place: str = "") -> DpSgd:
        """Return the checked release; `InputError` names the field."""
        sampler = given["sampler"]
        # Asked for its message alone: it knows what to say of shuffling and of samples with replacement.
        if sampler not in (POISSON, FIXED):
            sampled_gaussian([], sampler=str(sampler))
        segment = (given["sampling_rate"], given["noise_multiplier"], given.get("count", 1))
        try:
            return cls(sampled_gaussian([segment], sampler=str(sampler)))
        except InputError as error:
            # A plan calls the number `count`, whatever the mechanism.
            text = str(error).replace("steps=", "count=", 1) if str(error).startswith("steps=") else str(error)
            raise InputError(f"{place}{text}") from None

    def refused(self, adjacency: str) -> str:
        """Return why the release has no account for these neighbours; empty if it has."""
        # The numbers do not matter for that, and 1 is allowed for each.
        try:
            sampled_gaussian([(1, 1, 1)], sampler=self.run.sampler, adjacency=adjacency)
        except InputError as error:
            return str(error)
        return ""

    def group(self, size: int) -> None:
        """Return nothing: several records may be in a batch together or apart."""


@dataclass(frozen=True)
class Pure(_AnyNeighbours):
    """Any mechanism with pure privacy: no outcome is more than `e^epsilon` times as likely for a neighbour.

    The worst of them answers by randomised response: its curve is above that of every other, and its own.

    Attributes:
        epsilon: exact, between 1e-9 and 100, in nats.
        count: the number of such mechanisms, at most 1e12.
    """

    epsilon: Fraction
    count: int = 1
    kind: ClassVar[str] = "pure-dp"
    fields: ClassVar[Mapping[str, Field]] = {"epsilon": Field("The pure epsilon of one mechanism, in nats.")}

    @classmethod
    def of(cls, given: Fields, place: str = "") -> Pure:
        """Return the checked release; `InputError` names the field."""
        return cls(_guaranteed_loss(given, place), count_of(given.get("count", 1), f"{place}count"))

    @property
    def response(self) -> RandomisedResponse:
        """The worst of them: one of two answers, the truth by `e^epsilon` likelier."""
        return RandomisedResponse(self.epsilon, None, 2, self.count)

    def group(self, size: int) -> Pure:
        """Return the guarantee for neighbours that differ in `size` records."""
        return replace(self, epsilon=self.epsilon * size)


@dataclass(frozen=True)
class Approximate(_AnyNeighbours):
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
    kind: ClassVar[str] = "approximate-dp"
    fields: ClassVar[Mapping[str, Field]] = {
        "epsilon": Field("The epsilon of one mechanism, in nats."),
        "delta": Field("The delta of one mechanism; of pure privacy, give `pure-dp`."),
    }

    @classmethod
    def of(cls, given: Fields, place: str = "") -> Approximate:
        """Return the checked release; `InputError` names the field."""
        delta = positive(given["delta"], name=f"{place}delta", meaning="a probability")
        if not Fraction(1, 10**250) <= delta < 1:
            raise reject(f"{place}delta", given["delta"], "must lie between 1e-250 and 1")
        return cls(_guaranteed_loss(given, place), delta, count_of(given.get("count", 1), f"{place}count"))

    @property
    def response(self) -> RandomisedResponse:
        """The worst of them where it does not show the record."""
        return RandomisedResponse(self.epsilon, None, 2, self.count)

    def group(self, size: int) -> None:
        """Return nothing: the chain of neighbours has the guarantee of a group."""


@dataclass(frozen=True)
class Concentrated(_AnyNeighbours):
    """Any mechanism that is `rho`-zCDP: its Renyi divergence of each order `a > 1` is at most `a rho`, in both orders.

    From below stands Gaussian noise of the same `rho`, which is one of them; the worst is not known.

    Attributes:
        rho: exact, between 1e-12 and 1000.
        count: the number of such mechanisms, at most 1e12.
    """

    rho: Fraction
    count: int = 1
    kind: ClassVar[str] = "zcdp"
    fields: ClassVar[Mapping[str, Field]] = {"rho": Field("The rho of one mechanism's zero-concentrated privacy.")}

    @classmethod
    def of(cls, given: Fields, place: str = "") -> Concentrated:
        """Return the checked release; `InputError` names the field."""
        rho = positive(given["rho"], name=f"{place}rho", meaning="the rho of a mechanism")
        if not Fraction(1, 10**12) <= rho <= 1000:
            raise reject(f"{place}rho", given["rho"], "must lie between 1e-12 and 1000")
        return cls(rho, count_of(given.get("count", 1), f"{place}count"))

    def group(self, size: int) -> None:
        """Return nothing: the chain of neighbours has the guarantee of a group."""


def _guaranteed_loss(given: Fields, place: str) -> Fraction:
    """Return the epsilon of a guarantee, at most 100: what is above is most likely another unit."""
    epsilon = positive(given["epsilon"], name=f"{place}epsilon", meaning="the epsilon of a mechanism")
    if not Fraction(1, 10**9) <= epsilon <= 100:
        raise reject(f"{place}epsilon", given["epsilon"], "must lie between 1e-9 and 100")
    return epsilon


PlannedRelease: TypeAlias = (
    Gaussian
    | Laplace
    | DiscreteGaussian
    | DiscreteLaplace
    | RandomisedResponse
    | RelativeGaussian
    | DpSgd
    | Pure
    | Approximate
    | Concentrated
)
KINDS: Mapping[str, type[PlannedRelease]] = {
    kind.kind: kind
    for kind in (
        Gaussian,
        Laplace,
        DiscreteGaussian,
        DiscreteLaplace,
        RandomisedResponse,
        RelativeGaussian,
        DpSgd,
        Pure,
        Approximate,
        Concentrated,
    )
}


def with_count(release: PlannedRelease, count: int) -> PlannedRelease:
    """Return a release with another number of releases; a run of DP-SGD has it in each of its segments."""
    if isinstance(release, DpSgd):
        segments = tuple(replace(segment, steps=count) for segment in release.run.segments)
        return DpSgd(replace(release.run, segments=segments))
    return replace(release, count=count)


_COUNT = Field("Number of such releases; 1 if left out.", required=False)
_NAME = Field("A name for the line, for reading.", required=False)


def fields_of(kind: str) -> dict[str, Field]:
    """Return all fields of a release of a kind, with those that every kind has, but for the kind itself."""
    if kind not in list(KINDS):
        raise reject("kind", kind, f"known are {', '.join(KINDS)}")
    return {**KINDS[kind].fields, "count": _COUNT, "name": _NAME}


def release_of(kind: str, given: Fields, place: str = "") -> PlannedRelease:
    """Return the release of a kind with exact numbers by the names of its fields.

    Args:
        kind: one of `KINDS`.
        given: values by field.
        place: stands before the name of a field in messages.

    Raises:
        InputError: for a kind that is not known, a field that is missing or too many, and a number out of range.

    Examples:
        >>> release_of("laplace", {"scale": "1/2"}).scale
        Fraction(1, 2)
    """
    if kind not in list(KINDS):
        raise reject(f"{place}mechanism", kind, f"known are {', '.join(KINDS)}")
    known = fields_of(kind)
    for name in given:
        if name not in known:
            raise InputError(f"{place}{name}: no field of {kind}; there are {', '.join(known)}")
    for name, field in known.items():
        if field.required and name not in given:
            raise InputError(f"{place}{name}: missing; {field.meaning[0].lower()}{field.meaning[1:]}")
    make: Callable[[Fields, str], PlannedRelease] = KINDS[kind].of
    return make(given, place)
