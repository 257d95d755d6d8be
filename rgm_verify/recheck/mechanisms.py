"""Mechanisms that a certificate may be about, as exact data, and how they are read.

{"name": "gaussian", "noise_multiplier": "5", "steps": 4}
{"name": "laplace", "scale": "2", "steps": 4}
{"name": "discrete-laplace", "scale": "2", "sensitivity": 1, "steps": 4}
{"name": "discrete-gaussian", "sigma": "3", "sensitivity": 1, "steps": 4}
{"name": "laplace-vector" or "discrete-laplace-vector", "scale": "2", "l1_sensitivity": "3", "steps": 4}, and
 perhaps "linf_sensitivity": "1"; whole numbers for discrete noise
{"name": "discrete-gaussian-vector", "sigma": "3", "l2_squared": 2, "steps": 4}
{"name": "randomised-response", "truth": "3/4" or "epsilon": "1", "answers": 2, "steps": 4}
{"name": "sparse-histogram", "sigma": "5", "threshold": "40", "cells": 3, "steps": 4}
{"name": "matrix-mechanism", "noise_multiplier": "10", "strategy": "tree", "rounds": 64, "participations": 2,
 "separation": 16, "steps": 1}, and for some strategies "bands": 3, "coefficients": "1, 1/2" or "matrix": "1 0; 1 1"
{"name": "noisy-max", "scale": "4", "noise": "gumbel", "monotone": "no", "steps": 4}
{"name": "exponential-mechanism", "epsilon": "1/2", "monotone": "no", "steps": 4}
{"name": "pure-dp", "epsilon": "1", "steps": 4}: any mechanism with this guarantee
{"name": "approximate-dp", "epsilon": "1", "delta": "1e-6", "steps": 4}
{"name": "zcdp", "rho": "1/100", "steps": 4}
{"name": "renyi", "curve": "2: 1/10, 4: 1/4", "steps": 4}
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
from fractions import Fraction
from typing import Any

from rgm_verify.recheck.fields import number, only, short, whole
from rgm_verify.recheck.kinds import (
    Concentrated,
    DiscreteGaussian,
    DiscreteLaplace,
    Divergent,
    Factored,
    Grouped,
    Guaranteed,
    Laplace,
    Mechanism,
    Mixed,
    Noise,
    Noised,
    Planned,
    Randomised,
    Relative,
    Sampled,
    Selected,
    Single,
    Thresholded,
    Truncated,
    Vector,
    WholeVector,
)
from rgm_verify.recheck.refusal import Refused

__all__ = [
    "MOST_SQUARE",
    "NEIGHBOURS",
    "Concentrated",
    "DiscreteGaussian",
    "DiscreteLaplace",
    "Divergent",
    "Factored",
    "Grouped",
    "Guaranteed",
    "Laplace",
    "Mechanism",
    "Mixed",
    "Noise",
    "Noised",
    "Planned",
    "Randomised",
    "Relative",
    "Sampled",
    "Selected",
    "Single",
    "Thresholded",
    "Truncated",
    "Vector",
    "WholeVector",
    "by_coordinates",
    "insisted",
    "mechanism_of",
    "releases_of",
]

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
_MOST_BANDS = 128
_LONGEST_MATRIX = 10**7
_STRATEGIES: Mapping[str, tuple[str, ...]] = {
    "identity": (),
    "prefix-sums": (),
    "tree": (),
    "square-root": ("bands",),
    "toeplitz": ("coefficients",),
    "given": ("matrix",),
}
_LONGEST_CURVE = 10**4
NOISES = ("gumbel", "exponential", "laplace")
NEIGHBOURS = ("add-or-remove-one", "add-one", "remove-one", "replace-one")
_NEIGHBOURS = {
    "poisson": NEIGHBOURS,
    "fixed-batch": ("replace-one",),
}


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


def _thresholded(data: dict[str, Any]) -> Thresholded:
    """Read a sparse histogram; `Refused` for noise that is not > 0, and a threshold that one record reaches."""
    only(data, ("name", "sigma", "threshold", "cells", "steps"), "the mechanism")
    sigma, threshold = (number(data[key], key) for key in ("sigma", "threshold"))
    if sigma <= 0 or threshold <= 1:
        raise Refused("sigma must be > 0, and the threshold > 1")
    return Thresholded(sigma, threshold, whole(data["cells"], "cells", 1, _MOST_COORDINATES), _steps(data))


def _factored(data: dict[str, Any]) -> Factored:
    """Read a run of the matrix mechanism; `Refused` for a strategy that is not known, and fields that it has not."""
    strategy = data.get("strategy")
    if not isinstance(strategy, str) or strategy not in _STRATEGIES:
        raise Refused(f"strategy {short(strategy)}: one of {', '.join(_STRATEGIES)} is expected")
    own = _STRATEGIES[strategy]
    fields = ("noise_multiplier", "strategy", "rounds", "participations", "separation", *own, "steps")
    only(data, ("name", *fields), "the mechanism")
    noise = number(data["noise_multiplier"], "noise_multiplier")
    if noise <= 0:
        raise Refused("the noise multiplier must be > 0")
    rounds, taken, apart = (
        whole(data[key], key, 1, _MOST_COORDINATES) for key in ("rounds", "participations", "separation")
    )
    bands = whole(data["bands"], "bands", 1, _MOST_BANDS) if "bands" in own else None
    column = _numbers(data["coefficients"], ",") if "coefficients" in own else None
    if column is not None and len(column) > min(_MOST_BANDS, rounds):
        raise Refused("coefficients: no more than rounds are expected")
    matrix = None
    if "matrix" in own:
        text = data["matrix"]
        matrix = tuple(_numbers(row.strip(), " ") for row in (text.split(";") if isinstance(text, str) else [text]))
        if any(len(row) != rounds for row in matrix):
            raise Refused("matrix: rows with an entry for each round are expected")
    return Factored(noise, strategy, rounds, taken, apart, bands, column, matrix, _steps(data))


def _numbers(text: Any, between: str) -> tuple[Fraction, ...]:
    """Return numbers of any sign in a text."""
    if not isinstance(text, str) or len(text) > _LONGEST_MATRIX:
        raise Refused(f"{short(text)}: a text of numbers is expected")
    found = []
    for part in text.split(between):
        sign, size = (-1, part.strip()[1:]) if part.strip().startswith("-") else (1, part.strip())
        found.append(sign * number(size, "an entry"))
    return tuple(found)


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


def _selected(data: dict[str, Any]) -> Selected:
    """Read choices; `Refused` for noise that is not known, and a loss out of range."""
    given, noise = "scale", data.get("noise")
    if data["name"] == "exponential-mechanism":
        given, noise = "epsilon", NOISES[0]
    only(data, ("name", given, *(("noise",) if given == "scale" else ()), "monotone", "steps"), "the mechanism")
    if noise not in NOISES:
        raise Refused(f"noise {short(noise)}: one of {', '.join(NOISES)} is expected")
    if data["monotone"] not in ("no", "yes"):
        raise Refused(f"monotone {short(data['monotone'])}: no or yes is expected")
    value = number(data[given], given)
    if value <= 0:
        raise Refused(f"{given} must be > 0")
    loss = (value if given == "epsilon" else 2 / value) / (2 if data["monotone"] == "yes" else 1)
    if loss > _MOST_LOSS:
        raise Refused(f"the epsilon of a choice must be at most {_MOST_LOSS}")
    return Selected(loss, noise, _steps(data))


def _concentrated(data: dict[str, Any]) -> Concentrated:
    """Read zero-concentrated privacy; `Refused` for a rho out of range."""
    only(data, ("name", "rho", "steps"), "the mechanism")
    rho = number(data["rho"], "rho")
    if not 0 < rho <= _MOST_LOSS:
        raise Refused(f"rho must be > 0 and at most {_MOST_LOSS}")
    return Concentrated(rho, _steps(data))


def _divergent(data: dict[str, Any]) -> Divergent:
    """Read a curve of divergences; `Refused` for a text that is none, and orders and bounds out of range."""
    only(data, ("name", "curve", "steps"), "the mechanism")
    text = data["curve"]
    if not isinstance(text, str) or len(text) > _LONGEST_CURVE:
        raise Refused(f"curve {short(text)}: a text of orders with bounds is expected, such as 2: 1/10, 4: 1/4")
    found = []
    for part in text.split(","):
        ends = part.split(":")
        if len(ends) != 2:
            raise Refused(f"curve {short(part)}: an order and a bound are expected, such as 2: 1/10")
        order, value = (number(end.strip(), "curve") for end in ends)
        if order <= 1 or value <= 0:
            raise Refused(f"curve {short(part)}: orders must be > 1 and bounds > 0")
        found.append((order, value))
    return Divergent(tuple(found), _steps(data))


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
    "sparse-histogram": _thresholded,
    "matrix-mechanism": _factored,
    "laplace": _laplace,
    "discrete-laplace": _discrete_laplace,
    "discrete-gaussian": _discrete_gaussian,
    "discrete-gaussian-vector": _whole_vector,
    "laplace-vector": _vector,
    "discrete-laplace-vector": _vector,
    "randomised-response": _randomised,
    "noisy-max": _selected,
    "exponential-mechanism": _selected,
    "pure-dp": _guaranteed,
    "approximate-dp": _guaranteed,
    "zcdp": _concentrated,
    "renyi": _divergent,
}
