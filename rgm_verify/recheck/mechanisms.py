"""Mechanisms that a certificate may be about, as exact data, and how they are read.

{"name": "gaussian", "noise_multiplier": "5", "steps": 4}
{"name": "laplace", "scale": "2", "steps": 4}
{"name": "discrete-laplace", "scale": "2", "sensitivity": 1, "steps": 4}
{"name": "discrete-gaussian", "sigma": "3", "sensitivity": 1, "steps": 4}
{"name": "laplace-vector" or "discrete-laplace-vector", "scale": "2", "l1_sensitivity": "3", "steps": 4}, and
 perhaps "linf_sensitivity": "1"; whole numbers for discrete noise
{"name": "discrete-gaussian-vector", "sigma": "3", "l2_squared": 2, "steps": 4}
{"name": "randomised-response", "truth": "3/4" or "epsilon": "1", "answers": 2, "steps": 4}
{"name": "pure-dp", "epsilon": "1", "steps": 4}: any mechanism with this guarantee
{"name": "approximate-dp", "epsilon": "1", "delta": "1e-6", "steps": 4}
{"name": "zcdp", "rho": "1/100", "steps": 4}
{"name": "rgm", "eta": "1/10", "gamma": "1", "dimension": 5, "r_rel": "0", "sigma2": "0", "steps": 4}
{"name": "dp-sgd", "noise_multiplier": "1", "sampling_rate": "1/100", "steps": 4, "sampler": "poisson",
 "adjacency": "add-or-remove-one"}
  and perhaps "records": 3, the most records of one user
{"name": "truncated-dp-sgd", "noise_multiplier": "1", "sampling_rate": "1/100", "batch_limit": 150,
 "dataset_size": 10000, "steps": 4, "adjacency": "add-or-remove-one"}
{"name": "plan", "releases": [these]} and {"name": "group", "records": 3, "of": one of all these}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from rgm_verify.recheck.fields import number, only, short, whole
from rgm_verify.recheck.refusal import Refused

_MOST_STEPS = 10**9
_MOST_RELEASES = 50
_MOST_RECORDS = 10**4
_MOST_DISTANCE = 10**9
_MOST_ANSWERS = 10**9
_MOST_COORDINATES = 10**6
MOST_SQUARE = 36
MOST_USERS_RECORDS = 100
_MOST_SIZE = 10**12
_MOST_SIGMA = 1000
_MOST_LOSS = 1000
NEIGHBOURS = ("add-or-remove-one", "add-one", "remove-one", "replace-one")
_NEIGHBOURS = {
    "poisson": NEIGHBOURS,
    "fixed-batch": ("replace-one",),
}


@dataclass(frozen=True)
class Sampled:
    """`steps` releases of DP-SGD at one `rate` and one noise multiplier.

    `noise` is the deviation of the noise over the clipping norm, > 0; `rate` the share of the records in a batch, in
    (0, 1]. `sampler` is "poisson" (a record joins on its own) or "fixed-batch" (all batches of one size alike); the
    `adjacency` is one that `_NEIGHBOURS` has for it. A user has up to `records` records; more than one by Poisson
    sampling alone.
    """

    noise: Fraction
    rate: Fraction
    steps: int
    sampler: str
    adjacency: str
    records: int = 1

    @property
    def mixed(self) -> bool:
        """Tell whether its pair is one of mixtures, and neither a Gaussian one nor that of one record more or less."""
        replaced = self.adjacency == "replace-one"
        return self.sampler == "poisson" and self.rate < 1 and (replaced or self.records > 1)


@dataclass(frozen=True)
class Truncated:
    """`steps` releases of DP-SGD by Poisson sampling at a `rate` in (0, 1) with batches of at most `limit` records.

    Either of two neighbouring data sets has at most `size` records. Which records stay of more than the limit does not
    depend on what is in them.
    """

    noise: Fraction
    rate: Fraction
    limit: int
    size: int
    steps: int
    adjacency: str


@dataclass(frozen=True)
class Relative:
    """`steps` releases of the relative Gaussian mechanism.

    The squared distance of neighbouring outputs is at most `eta^2` times the squared norm of either, plus `r_rel^2`.
    The variance of a coordinate is `gamma` times the squared norm of the output, plus `sigma2`. `eta` and `gamma` are
    positive, `r_rel` and `sigma2` at least 0.
    """

    eta: Fraction
    gamma: Fraction
    dimension: int
    r_rel: Fraction
    sigma2: Fraction
    steps: int = 1


@dataclass(frozen=True)
class Noised:
    """`steps` releases with Gaussian noise, whose deviation is the `noise` times the sensitivity."""

    noise: Fraction
    steps: int


@dataclass(frozen=True)
class Laplace:
    """`steps` releases of one number with Laplace noise, whose scale is `scale > 0` times the sensitivity."""

    scale: Fraction
    steps: int


@dataclass(frozen=True)
class DiscreteLaplace:
    """`steps` releases of one whole number with noise of masses in proportion to `exp(-|y|/scale)`, `scale > 0`.

    Neighbouring answers differ by at most the whole number `distance >= 1`.
    """

    scale: Fraction
    distance: int
    steps: int


@dataclass(frozen=True)
class DiscreteGaussian:
    """`steps` releases of one whole number with noise of masses in proportion to `exp(-y^2/(2 sigma^2))`, `sigma > 0`.

    Neighbouring answers differ by at most the whole number `distance >= 1`.
    """

    sigma: Fraction
    distance: int
    steps: int


@dataclass(frozen=True)
class Vector:
    """`steps` releases of a vector with Laplace noise of `scale > 0` on every coordinate, `discrete` or not.

    Neighbouring answers differ by at most `all > 0` in the sum over the coordinates, and by at most `one <= all` in
    each; for discrete noise both are whole.
    """

    scale: Fraction
    all: Fraction
    one: Fraction
    discrete: bool
    steps: int

    @property
    def coordinates(self) -> tuple[Laplace | DiscreteLaplace, ...]:
        """The numbers that the worst neighbours change: as many as may be by `one`, and one more by the rest."""
        times, rest = divmod(self.all, self.one)
        changes = [(self.one, int(times)), (rest, 1)]
        return tuple(
            DiscreteLaplace(self.scale, int(change), self.steps * many)
            if self.discrete
            else Laplace(self.scale / change, self.steps * many)
            for change, many in changes
            if change
        )


@dataclass(frozen=True)
class WholeVector:
    """`steps` releases of a vector of whole numbers, each coordinate with noise as of `DiscreteGaussian`.

    The squared norm of the difference of neighbouring answers is at most the whole number `square >= 1`. The lower end
    is that of neighbours that change `square/each^2` coordinates by `each`, a whole number.
    """

    sigma: Fraction
    square: int
    each: int
    steps: int


@dataclass(frozen=True)
class Randomised:
    """`steps` answers of a record by randomised response: the true one, or one of the others, all as likely.

    Given is the probability `truth` of the true one, above that of any other and below 1, or the `loss > 0` of one
    answer in nats; the other one is None. There are `answers >= 2` in all.
    """

    truth: Fraction | None
    loss: Fraction | None
    answers: int
    steps: int


@dataclass(frozen=True)
class Guaranteed:
    """`steps` mechanisms of which nothing is known but that each is (`loss`, `failing`) private in both orders.

    `loss > 0` is the epsilon, in nats; `failing` the delta, 0 for pure privacy. The worst of them shows the record with
    probability `failing`, and else answers by randomised response.
    """

    loss: Fraction
    failing: Fraction
    steps: int

    @property
    def response(self) -> Randomised:
        """The answers of the worst of them where it does not show the record."""
        return Randomised(None, self.loss, 2, self.steps)


@dataclass(frozen=True)
class Concentrated:
    """`steps` mechanisms of which nothing is known but that each is `rho`-zCDP, `rho > 0`.

    The Renyi divergence of each order `a > 1` is at most `a rho`, in both orders of two neighbours. Gaussian noise of
    the squared distance `2 rho` is one of them.
    """

    rho: Fraction
    steps: int


Noise: TypeAlias = Laplace | DiscreteLaplace | DiscreteGaussian | WholeVector | Randomised | Guaranteed
Mixed: TypeAlias = Sampled | Truncated
"""Samples whose pair is one of mixtures, where the one of DP-SGD says so."""
Single: TypeAlias = Sampled | Truncated | Relative | Noised | Noise | Concentrated | Vector


@dataclass(frozen=True)
class Planned:
    """Releases of different kinds for the same neighbours; those of samples bear the name of these."""

    releases: tuple[Single, ...]


@dataclass(frozen=True)
class Grouped:
    """Releases whose neighbours differ in `records` records; the parameters are those for one record."""

    records: int
    of: Single | Planned


Mechanism: TypeAlias = Single | Planned | Grouped


def releases_of(mechanism: Mechanism) -> tuple[Single, ...]:
    """Return the releases of a plan or a group, or the one that there is."""
    if isinstance(mechanism, Grouped):
        return releases_of(mechanism.of)
    return mechanism.releases if isinstance(mechanism, Planned) else (mechanism,)


def by_coordinates(mechanism: Single | Planned) -> Single | Planned:
    """Return the releases with each vector as the numbers that its worst neighbours change.

    Examples:
        >>> by_coordinates(Vector(Fraction(2), Fraction(3), Fraction(3), False, 4))
        Laplace(scale=Fraction(2, 3), steps=4)
    """
    found: list[Single] = []
    for release in releases_of(mechanism):
        found += release.coordinates if isinstance(release, Vector) else [release]
    return Planned(tuple(found)) if isinstance(mechanism, Planned) or len(found) > 1 else found[0]


def mechanism_of(data: Any) -> Mechanism:
    """Return the mechanism in decoded JSON; `Refused` names the field that is wrong.

    Examples:
        >>> mechanism_of({"name": "laplace", "scale": "1/2", "steps": 3})
        Laplace(scale=Fraction(1, 2), steps=3)
    """
    if not isinstance(data, dict) or data.get("name") != "group":
        return _one_or_plan(data)
    only(data, ("name", "records", "of"), "the mechanism")
    # One record is no group, and a group of groups would have two ways to be read.
    return Grouped(whole(data["records"], "records", 2, _MOST_RECORDS), _one_or_plan(data["of"]))


def _one_or_plan(data: Any) -> Single | Planned:
    """Return a plan, or the one release that a certificate is about."""
    if not isinstance(data, dict) or data.get("name") != "plan":
        return _release(data)
    only(data, ("name", "releases"), "the mechanism")
    releases = data["releases"]
    if not isinstance(releases, list) or not 1 <= len(releases) <= _MOST_RELEASES:
        raise Refused(f"releases: a list of 1 to {_MOST_RELEASES} is expected")
    found = tuple(map(_release, releases))
    # The curves of two kinds of neighbours are about different pairs of data, and their product about none.
    planned = Planned(found)
    if len(insisted(planned)) > 1:
        raise Refused("releases: all are for the same neighbours")
    return planned


def insisted(mechanism: Mechanism) -> set[str]:
    """Return the neighbours that releases insist on: one relation at most, for whatever is accounted together."""
    return set(map(_adjacency, releases_of(mechanism))) - {""}


def _adjacency(release: Single) -> str:
    """Return the neighbours that a release insists on; empty where its sensitivity says all of them."""
    # A record is always there to answer, so that neighbours differ in what it says.
    if isinstance(release, Randomised):
        return "replace-one"
    return release.adjacency if isinstance(release, Sampled | Truncated) else ""


def _release(data: Any) -> Single:
    """Return the release of a kind that is known; `Refused` names the field that is wrong."""
    name = data.get("name") if isinstance(data, dict) else None
    reader = _READERS.get(name) if isinstance(name, str) else None
    if reader is None:
        raise Refused(f"mechanism: one with the name {', '.join(_READERS)}, plan or group is expected")
    return reader(data)


def _steps(data: dict[str, Any]) -> int:
    """Return the number of releases, from 1 on."""
    return whole(data["steps"], "steps", 1, _MOST_STEPS)


def _gaussian(data: dict[str, Any]) -> Noised:
    """Read Gaussian noise; `Refused` for a noise multiplier that is not > 0."""
    only(data, ("name", "noise_multiplier", "steps"), "the mechanism")
    noise = number(data["noise_multiplier"], "noise_multiplier")
    if noise <= 0:
        raise Refused("the noise multiplier must be > 0")
    return Noised(noise, _steps(data))


def _laplace(data: dict[str, Any]) -> Laplace:
    """Read Laplace noise; `Refused` for a scale out of range."""
    only(data, ("name", "scale", "steps"), "the mechanism")
    return Laplace(_scale(data, 1), _steps(data))


def _discrete_laplace(data: dict[str, Any]) -> DiscreteLaplace:
    """Read discrete Laplace noise; `Refused` for a scale or a sensitivity out of range."""
    only(data, ("name", "scale", "sensitivity", "steps"), "the mechanism")
    distance = _distance(data)
    return DiscreteLaplace(_scale(data, distance), distance, _steps(data))


def _vector(data: dict[str, Any]) -> Vector:
    """Read noise on a vector; `Refused` for sensitivities out of range."""
    bounded = ("linf_sensitivity",) if "linf_sensitivity" in data else ()
    only(data, ("name", "scale", "l1_sensitivity", *bounded, "steps"), "the mechanism")
    discrete = data["name"] != "laplace-vector"
    found = [
        Fraction(whole(data[key], key, 1, _MOST_DISTANCE)) if discrete else number(data[key], key)
        for key in ("l1_sensitivity", *bounded)
    ]
    if not 0 < found[-1] <= found[0] <= _MOST_COORDINATES * found[-1]:
        raise Refused(
            f"sensitivities must be > 0, that of a coordinate at most and at least 1/{_MOST_COORDINATES} of all"
        )
    scale = number(data["scale"], "scale")
    if scale <= 0 or found[0] > _MOST_LOSS * scale:
        raise Refused(f"the scale must be > 0 and at least 1/{_MOST_LOSS} of the sensitivity")
    vector = Vector(scale, found[0], found[-1], discrete, _steps(data))
    if any(release.steps > _MOST_STEPS for release in vector.coordinates):
        raise Refused(f"steps: at most {_MOST_STEPS} coordinates in all are expected")
    return vector


def _discrete_gaussian(data: dict[str, Any]) -> DiscreteGaussian:
    """Read discrete Gaussian noise; `Refused` for a sigma or a sensitivity out of range."""
    only(data, ("name", "sigma", "sensitivity", "steps"), "the mechanism")
    sigma = number(data["sigma"], "sigma")
    if not Fraction(1, 1000) <= sigma <= 10**9:
        raise Refused("sigma must lie between 1/1000 and 1e9")
    return DiscreteGaussian(sigma, _distance(data), _steps(data))


def _whole_vector(data: dict[str, Any]) -> WholeVector:
    """Read discrete Gaussian noise on a vector; `Refused` for a sigma or a norm out of range."""
    only(data, ("name", "sigma", "l2_squared", "steps"), "the mechanism")
    sigma = number(data["sigma"], "sigma")
    if not Fraction(1, 1000) <= sigma <= _MOST_SIGMA:
        raise Refused(f"sigma must lie between 1/1000 and {_MOST_SIGMA}")
    return WholeVector(sigma, whole(data["l2_squared"], "l2_squared", 1, MOST_SQUARE), 1, _steps(data))


def _scale(data: dict[str, Any], distance: int) -> Fraction:
    """Return the scale of noise whose largest loss is `distance/scale`, which is bounded."""
    scale = number(data["scale"], "scale")
    # A loss of thousands needs as many bits, and no such guarantee is of use to anybody.
    if scale <= 0 or distance > _MOST_LOSS * scale:
        raise Refused(f"the scale must be > 0 and at least 1/{_MOST_LOSS} of the sensitivity")
    return scale


def _distance(data: dict[str, Any]) -> int:
    """Return the sensitivity, a whole number from 1 on."""
    return whole(data["sensitivity"], "sensitivity", 1, _MOST_DISTANCE)


def _randomised(data: dict[str, Any]) -> Randomised:
    """Read randomised response; `Refused` unless the truth, or the loss, is given and in range."""
    given = "truth" if "truth" in data else "epsilon"
    only(data, ("name", given, "answers", "steps"), "the mechanism")
    answers = whole(data["answers"], "answers", 2, _MOST_ANSWERS)
    value = number(data[given], given)
    if given == "epsilon":
        if not 0 < value <= _MOST_LOSS:
            raise Refused(f"epsilon of an answer must be > 0 and at most {_MOST_LOSS}")
        return Randomised(None, value, answers, _steps(data))
    # At 1 the loss is infinite; at 1/answers and below the true answer is not the likeliest.
    if not Fraction(1, answers) < value < 1:
        raise Refused(f"truth must lie above 1/{answers} and below 1")
    return Randomised(value, None, answers, _steps(data))


def _guaranteed(data: dict[str, Any]) -> Guaranteed:
    """Read a guarantee; `Refused` for an epsilon or a delta out of range."""
    pure = data["name"] == "pure-dp"
    only(data, ("name", "epsilon", *(() if pure else ("delta",)), "steps"), "the mechanism")
    loss = number(data["epsilon"], "epsilon")
    if not 0 < loss <= _MOST_LOSS:
        raise Refused(f"epsilon of a mechanism must be > 0 and at most {_MOST_LOSS}")
    failing = Fraction(0) if pure else number(data["delta"], "delta")
    if not pure and not 0 < failing < 1:
        raise Refused("delta of a mechanism must be > 0 and below 1")
    return Guaranteed(loss, failing, _steps(data))


def _concentrated(data: dict[str, Any]) -> Concentrated:
    """Read zero-concentrated privacy; `Refused` for a rho out of range."""
    only(data, ("name", "rho", "steps"), "the mechanism")
    rho = number(data["rho"], "rho")
    if not 0 < rho <= _MOST_LOSS:
        raise Refused(f"rho must be > 0 and at most {_MOST_LOSS}")
    return Concentrated(rho, _steps(data))


def _sampled(data: dict[str, Any]) -> Sampled:
    """Return a release of samples; a sampler is only known together with the neighbours of its worst pair."""
    several = ("records",) if "records" in data else ()
    only(
        data, ("name", "noise_multiplier", "sampling_rate", "steps", "sampler", "adjacency", *several), "the mechanism"
    )
    sampler, adjacency = data["sampler"], data["adjacency"]
    # A sampler without the neighbours that its pair was derived for would get a number that is about something else.
    if not isinstance(sampler, str) or adjacency not in _NEIGHBOURS.get(sampler, ()):
        raise Refused(f"sampler {short(sampler)} with adjacency {short(adjacency)}: no account is known of that")
    noise, rate = _noise_and_rate(data)
    records = whole(data["records"], "records", 1, MOST_USERS_RECORDS) if several else 1
    if records > 1 and sampler != "poisson":
        raise Refused("records: several of a user are known for Poisson sampling alone")
    return Sampled(noise, rate, _steps(data), sampler, adjacency, records)


def _truncated(data: dict[str, Any]) -> Truncated:
    """Return a release of batches of a largest size."""
    fields = ("name", "noise_multiplier", "sampling_rate", "batch_limit", "dataset_size", "steps", "adjacency")
    only(data, fields, "the mechanism")
    noise, rate = _noise_and_rate(data)
    if rate == 1:
        raise Refused("the sampling rate of batches of a largest size must be below 1")
    if data["adjacency"] not in NEIGHBOURS:
        raise Refused(f"adjacency {short(data['adjacency'])}: no account is known of that")
    limit, size = (whole(data[key], key, 1, _MOST_SIZE) for key in ("batch_limit", "dataset_size"))
    return Truncated(noise, rate, limit, size, _steps(data), data["adjacency"])


def _noise_and_rate(data: dict[str, Any]) -> tuple[Fraction, Fraction]:
    """Return the noise multiplier and the sampling rate; `Refused` out of range."""
    noise, rate = (number(data[key], key) for key in ("noise_multiplier", "sampling_rate"))
    if noise <= 0 or not 0 < rate <= 1:
        raise Refused("the noise multiplier must be > 0 and the sampling rate in (0, 1]")
    return noise, rate


def _relative(data: dict[str, Any]) -> Relative:
    """Read the relative Gaussian mechanism; `Refused` for parameters out of range."""
    only(data, ("name", "eta", "gamma", "dimension", "r_rel", "sigma2", "steps"), "the mechanism")
    eta, gamma, r_rel, sigma2 = (number(data[key], key) for key in ("eta", "gamma", "r_rel", "sigma2"))
    if eta <= 0 or gamma <= 0 or r_rel < 0 or sigma2 < 0:
        raise Refused("eta and gamma must be > 0, r_rel and sigma2 not negative")
    return Relative(eta, gamma, whole(data["dimension"], "dimension", 1, 10**12), r_rel, sigma2, _steps(data))


_READERS: Mapping[str, Callable[[dict[str, Any]], Single]] = {
    "dp-sgd": _sampled,
    "truncated-dp-sgd": _truncated,
    "rgm": _relative,
    "gaussian": _gaussian,
    "laplace": _laplace,
    "discrete-laplace": _discrete_laplace,
    "discrete-gaussian": _discrete_gaussian,
    "discrete-gaussian-vector": _whole_vector,
    "laplace-vector": _vector,
    "discrete-laplace-vector": _vector,
    "randomised-response": _randomised,
    "pure-dp": _guaranteed,
    "approximate-dp": _guaranteed,
    "zcdp": _concentrated,
}
