"""Random plans of all kinds, the same in every run: plan `k` is drawn by a generator that starts at `k`."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from fractions import Fraction

from rgm_verify.accounting.plans.plan import Plan, plan
from rgm_verify.accounting.plans.releases import release_of

from .oracle import (
    Gaussian,
    Laplace,
    Relative,
    Sampled,
    Shown,
    binomial,
    discrete_gaussian,
    discrete_laplace,
    randomised,
)

_KINDS = ("gaussian", "laplace", "discrete-gaussian", "discrete-laplace", "randomised-response", "dp-sgd", "rgm")
_WEIGHTS = (5, 4, 2, 4, 3, 2, 0.3)
_GUARANTEES = ("pure-dp", "approximate-dp", "zcdp")
_MIXED = 0.4  # of the runs of DP-SGD
_GUARANTEED = 0.3  # of the plans have one of these as well
VECTORS = ("laplace-vector", "discrete-laplace-vector")
_WHOLE = "discrete-gaussian-vector"
_NEWER = ("exponential-mechanism", "noisy-max", "sparse-histogram", "matrix-mechanism", "renyi")
_NEW = 0.1  # of the plans have one of these as well
_VECTOR = 0.3  # of the plans have a vector as well


@dataclass(frozen=True)
class Drawn:
    """A plan, and the same as lines of the oracle.

    Attributes:
        plan: with the question for its delta.
        lines: of the oracle; for a group those of the pair that has all of its records.
        exact: whether the oracle's pairs are the worst ones, and not only some that the account has to cover.
        below: whether the account's lower end is that of one of these pairs.
        shares: of the account's epsilon, at which its curves are looked at.
        width: for the accounts.
    """

    plan: Plan
    lines: tuple[object, ...]
    exact: bool
    below: bool
    shares: tuple[Fraction, ...]
    width: Fraction


def drawn(number: int) -> Drawn:
    """The plan of this number."""
    r = random.Random(f"plan {number}")
    adjacency = r.choice(("add-or-remove-one", "replace-one"))
    group = r.choice((1, 1, 1, 1, 2, 3, 10))
    releases, lines = [], []
    for _ in range(r.choice((1, 2, 2, 2, 3))):
        kind = r.choices(_KINDS, _WEIGHTS)[0]
        if kind == "randomised-response":
            adjacency = "replace-one"
        releases.append(kind)
    # The chain of neighbours asks for account after account, each of which takes a second.
    if {"dp-sgd", "rgm"} & set(releases):
        group = 2 if group > 1 and len(releases) == 1 else 1
    # Losses of very different sizes on one grid, every fourth time.
    contrast = number % 4 == 0
    if contrast:
        group, releases = 1, ["gaussian", r.choice(("laplace", "discrete-laplace", "discrete-laplace"))]
    # A generator of its own: the other lines of a plan are those that it had without.
    own, other = random.Random(f"guarantee {number}"), random.Random(f"vector {number}")
    if not {"dp-sgd", "rgm"} & set(releases):
        if own.random() < _GUARANTEED:
            releases.append("pure-dp" if group > 1 else own.choice(_GUARANTEES))
        releases += [other.choice((*VECTORS, _WHOLE))] if other.random() < _VECTOR else []
    newer = random.Random(f"newer {number}")
    releases += _more(newer, releases, group)
    noises, found = Fraction(0), []
    for kind in releases:
        if kind in _KINDS:
            fields, line = _contrasting(r, kind) if contrast else _release(r, kind, adjacency, group)
        else:
            fields, line = _further(kind, own, other, newer, group)
        found.append(release_of(kind, fields))
        if isinstance(line, tuple):
            lines += line
        elif isinstance(line, Gaussian):
            noises += Fraction(line.mu) ** 2
        else:
            lines.append(line)
    if noises:
        lines.insert(0, Gaussian(math.sqrt(noises)))
    delta = Fraction(f"{10 ** r.uniform(-12, -0.5):.3g}")
    # Below the chance that a record is shown no epsilon is enough.
    shown = [Fraction(f"{3 * line.delta * line.count:.3g}") for line in lines if isinstance(line, Shown)]
    delta = max([delta, *shown])
    planned = plan(found, adjacency=adjacency, group=group, delta=delta)
    sampled = any(isinstance(line, Sampled) for line in lines)
    relative = sum(isinstance(line, Relative) for line in lines)
    fixed = any(release.sampler == "fixed-batch" for release in found) and sampled
    shares = tuple(Fraction(r.randrange(-20, 160), 100) for _ in range(6))
    return Drawn(
        planned,
        tuple(lines),
        not relative
        and not fixed
        and not (sampled and group > 1)
        and not {"zcdp", "renyi", *_NEWER[:3]} & set(releases),
        (not relative or len(lines) > 1) and not set(_NEWER[:2]) & set(releases),
        shares,
        r.choice((Fraction(1, 2), Fraction(1, 5), Fraction(1, 10))),
    )


def _contrasting(r: random.Random, kind: str) -> tuple[dict[str, object], object]:
    """Fields of a release of large losses for Gaussian noise and of small ones for other noise, and the line."""
    if kind == "gaussian":
        noise, count = _number(r, 0.3, 3), r.choice((1, 5, 20))
        return {"noise_multiplier": noise, "count": count}, Gaussian(math.sqrt(count) / float(noise))
    scale, count = _number(r, 30, 500), r.choice((5, 20, 50))
    if kind == "laplace":
        return {"scale": scale, "count": count}, Laplace(float(scale), count)
    return {"scale": scale, "sensitivity": 2, "count": count}, discrete_laplace(float(scale), 2, count)


def _number(r: random.Random, low: float, high: float) -> Fraction:
    """A short number, with equal chances for each power of ten."""
    return Fraction(f"{10 ** r.uniform(math.log10(low), math.log10(high)):.3g}")


def _release(r: random.Random, kind: str, adjacency: str, group: int) -> tuple[dict[str, object], object]:
    """Fields of a release, and the line of the oracle."""
    count = r.choice((1, 1, 2, 5, 10, 30))
    if kind == "gaussian":
        noise = _number(r, 1e-3 if r.random() < 0.1 else 0.1, 1e3)
        mu = math.sqrt(count) / float(noise) * group
        return {"noise_multiplier": noise, "count": count}, Gaussian(mu)
    if kind == "laplace":
        scale = _number(r, 0.02, 1e3)
        return {"scale": scale, "count": count}, Laplace(float(scale) / group, count)
    if kind == "discrete-laplace":
        sensitivity = r.choice((1, 1, 2, 3, 4, 7))
        scale = _number(r, 0.05 * sensitivity, 1e3)
        line = discrete_laplace(float(scale), sensitivity * group, count)
        return {"scale": scale, "sensitivity": sensitivity, "count": count}, line
    if kind == "discrete-gaussian":
        sensitivity = r.choice((1, 1, 2, 3))
        sigma = _number(r, 0.3, 30)
        line = discrete_gaussian(float(sigma), sensitivity * group, min(count, 10))
        return {"sigma": sigma, "sensitivity": sensitivity, "count": min(count, 10)}, line
    if kind == "randomised-response":
        epsilon, answers = _number(r, 1e-3, 5), r.choice((2, 2, 3, 10, 1000))
        return {"epsilon": epsilon, "answers": answers, "count": count}, randomised(
            float(epsilon), answers, count * group
        )
    if kind == "rgm":
        eta, gamma = _number(r, 1e-3, 0.2), _number(r, 1e-4, 1)
        d = r.choice((1, 3, 10))
        return {"eta": eta, "gamma": gamma, "d": d, "count": min(count, 2)}, Relative(
            float(eta), float(gamma), d, min(count, 2)
        )
    if r.random() < _MIXED and group == 1:
        return _mixed(r, adjacency, count)
    rate = r.choice((Fraction(1), _number(r, 1e-4, 1), _number(r, 1e-3, 0.5), _number(r, 1e-3, 0.5)))
    noise, steps = _number(r, 0.4, 20), r.choice((1, 10, 100))
    fixed = adjacency == "replace-one"
    sampler = "fixed-batch" if fixed else "poisson"
    fields = {"noise_multiplier": noise, "sampling_rate": rate, "sampler": sampler, "count": steps}
    if rate == 1:
        return fields, Gaussian(math.sqrt(steps) / float(noise) * (2 if fixed else 1) * group)
    chances = (1 - float(rate), float(rate)) if fixed else binomial(group, float(rate))
    return fields, Sampled(chances, float(noise) / (2 if fixed else 1), steps)


def _mixed(r: random.Random, adjacency: str, count: int) -> tuple[dict[str, object], object]:
    """Fields of Poisson samples whose pair is one of mixtures: of users, or of a record that is replaced."""
    replaced = adjacency == "replace-one"
    records = r.choice((1, 2, 3)) if replaced else r.choice((2, 3))
    rate, noise = _number(r, 1e-3, 0.5), _number(r, 0.5 * records, 20)
    fields = {"noise_multiplier": noise, "sampling_rate": rate, "sampler": "poisson", "records": records}
    chances = binomial(records, float(rate))
    return {**fields, "count": count}, Sampled(chances, float(noise), count, chances if replaced else (1.0,))


def _guaranteed(r: random.Random, kind: str, group: int) -> tuple[dict[str, object], object]:
    """Fields of mechanisms with a guarantee, and the lines of the worst of them."""
    count, epsilon = r.choice((1, 2, 10, 30)), _number(r, 1e-3, 3)
    if kind == "zcdp":
        rho = _number(r, 1e-5, 0.3)
        return {"rho": rho, "count": count}, Gaussian(math.sqrt(2 * rho * count))
    answers = randomised(float(epsilon) * group, 2, count)
    if kind == "pure-dp":
        return {"epsilon": epsilon, "count": count}, answers
    shown = _number(r, 1e-9, 1e-3)
    return {"epsilon": epsilon, "delta": shown, "count": count}, (answers, Shown(float(shown), count))


def _more(r: random.Random, releases: list[str], group: int) -> list[str]:
    """Perhaps one more kind, of those without samples."""
    fits = not {"dp-sgd", "rgm"} & set(releases) and group == 1
    return [r.choice(_NEWER)] if fits and r.random() < _NEW else []


def _further(
    kind: str, own: random.Random, other: random.Random, newer: random.Random, group: int
) -> tuple[dict[str, object], object]:
    """Fields and line of a kind that has a generator of its own."""
    if kind in _NEWER:
        return _newer(newer, kind)
    return _guaranteed(own, kind, group) if kind in _GUARANTEES else vector(other, kind, group)


def _newer(r: random.Random, kind: str) -> tuple[dict[str, object], object]:
    """Fields of further kinds, and the line of a pair that they have to cover."""
    count = r.choice((1, 2, 5, 20))
    if kind in ("exponential-mechanism", "noisy-max"):
        # Two candidates that lie half an epsilon apart, with Gumbel noise: randomised response of half of it.
        loss = _number(r, 1e-2, 3)
        fields: dict[str, object] = {"epsilon": loss} if kind != "noisy-max" else {"scale": 2 / loss, "noise": "gumbel"}
        return {**fields, "count": count}, randomised(float(loss) / 2, 2, count)
    if kind == "sparse-histogram":
        sigma, cells = _number(r, 1, 30), r.choice((1, 2, 10))
        fields = {"sigma": sigma, "threshold": 1 + 8 * sigma, "cells": cells, "count": count}
        return fields, Gaussian(math.sqrt(cells * count) / float(sigma))
    if kind == "renyi":
        rho = _number(r, 1e-4, 0.1)
        curve = ", ".join(f"{order}: {order * rho}" for order in (Fraction(5, 4), 2, 4, 8, 16, 64))
        return {"curve": curve, "count": count}, Gaussian(math.sqrt(2 * rho * count))
    noise, rounds = _number(r, 2, 50), r.choice((1, 4, 31))
    fields = {"noise_multiplier": noise, "strategy": "tree", "rounds": rounds, "count": count}
    return fields, Gaussian(math.sqrt(rounds.bit_length() * count) / float(noise))


def vector(r: random.Random, kind: str, group: int) -> tuple[dict[str, object], tuple[object, ...]]:
    """Fields of vectors, and the lines of all coordinates of the worst change."""
    count = r.choice((1, 2, 5))
    if kind == _WHOLE:
        # Of the change of as many coordinates as there can be: the only one up to 3.
        square = r.choice((1, 2, 3, 4, 5)) if group == 1 else 1
        sigma = _number(r, 0.5, 20)
        line = discrete_gaussian(float(sigma), group, count * square)
        return {"sigma": sigma, "l2_squared": square, "count": count}, (line,)
    discrete = kind.startswith("discrete")
    whole, one = (
        (r.choice((1, 2, 3, 5, 8)), r.choice((1, 2, 3))) if discrete else (_number(r, 0.1, 20), _number(r, 0.1, 9))
    )
    scale = _number(r, 0.1 * float(whole), 100 * float(whole))
    fields = {"scale": scale, "l1_sensitivity": whole, "count": count}
    if one <= whole:
        fields["linf_sensitivity"] = one
    return fields, changed(kind, fields, _greedy(whole, fields.get("linf_sensitivity", whole)), group)


def _greedy(whole: Fraction | int, one: Fraction | int) -> list[Fraction | int]:
    """One coordinate after the other changes by as much as may be."""
    found = []
    while whole > 0:
        found.append(min(whole, one))
        whole -= found[-1]
    return found


def split(r: random.Random, whole: Fraction | int, one: Fraction | int) -> list[Fraction | int]:
    """A change of a vector at random that uses the whole sum."""
    found = []
    while whole > 0:
        part = r.randint(1, int(min(whole, one))) if isinstance(whole, int) else min(whole, one) * r.randint(1, 8) / 8
        part = whole if len(found) >= 12 and whole <= one else part
        found.append(part)
        whole -= part
        if len(found) > 40:
            return found
    return found


def changed(kind: str, fields: dict[str, object], changes: list[Fraction | int], group: int) -> tuple[object, ...]:
    """The lines of coordinates that change by so much each."""
    scale, count, found = float(fields["scale"]), fields["count"], []
    for one in sorted(set(changes)):
        times = count * changes.count(one)
        if kind.startswith("discrete"):
            found.append(discrete_laplace(scale, one * group, times))
        else:
            found.append(Laplace(scale / float(one) / group, times))
    return tuple(found)


#: Powers of ten at and beyond the ends of what the fields of a release may be.
_POWERS = (-300, -30, -9, -7, -6, -5, -3, -2, -1, 0, 1, 2, 3, 4, 6, 9, 30, 300)
_SIZES = {
    "gaussian": ("noise_multiplier",), "laplace": ("scale",), "discrete-laplace": ("scale",),
    "discrete-gaussian": ("sigma",), "randomised-response": ("epsilon",), "rgm": ("eta", "gamma"),
    "dp-sgd": ("noise_multiplier", "sampling_rate"), "pure-dp": ("epsilon",), "approximate-dp": ("epsilon", "delta"),
    "zcdp": ("rho",), "laplace-vector": ("scale", "l1_sensitivity", "linf_sensitivity"),
    "discrete-laplace-vector": ("scale",), "discrete-gaussian-vector": ("sigma",),
    "exponential-mechanism": ("epsilon",), "noisy-max": ("scale",), "sparse-histogram": ("sigma", "threshold"),
    "matrix-mechanism": ("noise_multiplier",), "renyi": ("order", "bound"),
}  # fmt: skip


def extreme(number: int) -> tuple[str, dict[str, object], str, int, Fraction]:
    """The release of this number at the ends of its fields: its kind and fields, neighbours, group and delta."""
    r = random.Random(f"extreme {number}")
    kinds = (*_KINDS, *_GUARANTEES, *VECTORS, _WHOLE, *_NEWER)
    kind = kinds[number % len(kinds)]
    fields: dict[str, object] = {
        name: r.choice((1, 3, 9)) * Fraction(10) ** r.choice(_POWERS if r.random() < 0.2 else _POWERS[4:-3])
        for name in _SIZES[kind]
    }
    fields["count"] = r.choice((1, 1, 2, 100, 10**6, 10**12))
    if kind == "discrete-laplace-vector":
        fields["l1_sensitivity"], fields["linf_sensitivity"] = r.choice(((1, 1), (1000, 1), (10**5, 7), (3, 10**5)))
    elif kind == _WHOLE:
        fields["l2_squared"] = r.choice((1, 2, 4, 25))
    elif kind.startswith("discrete"):
        fields["sensitivity"] = r.choice((1, 2, 1000, 10**6))
    if kind == "noisy-max":
        fields["noise"] = r.choice(("gumbel", "exponential", "laplace"))
    if kind == "matrix-mechanism":
        fields |= {"strategy": r.choice(("tree", "prefix-sums")), "rounds": r.choice((1, 10**5))}
    if kind == "renyi":
        fields = {"curve": f"{fields['order']}: {fields['bound']}, 2: 1/10", "count": fields["count"]}
    if kind == "randomised-response":
        fields["answers"] = r.choice((2, 3, 10**9))
    if kind == "rgm":
        fields["d"] = r.choice((1, 10, 10**6))
    adjacency = "replace-one" if kind == "randomised-response" else r.choice(("add-or-remove-one", "replace-one"))
    if kind == "dp-sgd":
        fields["sampling_rate"] = min(Fraction(1), fields["sampling_rate"])
        fields["sampler"] = "fixed-batch" if adjacency == "replace-one" else "poisson"
    return kind, fields, adjacency, r.choice((1, 1, 1, 2, 100)), Fraction(10) ** r.choice((-300, -30, -9, -5, -1))
