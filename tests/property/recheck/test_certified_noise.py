"""Certificates of Laplace and discrete noise, randomised response and groups: true, near, and safe from tampering."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rgm_verify.accounting.certificates import planned_certificate
from rgm_verify.accounting.plans import account
from rgm_verify.accounting.plans.plan import Plan, plan
from rgm_verify.accounting.plans.releases import release_of
from rgm_verify.cli import main
from rgm_verify.recheck.certificate import parse
from rgm_verify.recheck.refusal import Refused
from rgm_verify.recheck.replay import replay

REPLACE = "replace-one"


def planned(*lines: tuple[str, dict[str, Any]], group: int = 1, **asked: Any) -> Plan:
    releases = [release_of(kind, fields) for kind, fields in lines]
    return plan(releases, adjacency=REPLACE, group=group, **asked)


def certified(asked: Plan) -> tuple[dict[str, Any], Any]:
    found = account.spent(asked, width="1/100", lines=False).total
    return planned_certificate(asked, found), found


def accepted(data: dict[str, Any]) -> bool:
    """Return True where a replay accepts; a closed form for several releases is refused, and not accepted either."""
    try:
        return replay(parse(data)).accepted
    except Refused:
        return False


KINDS: dict[str, dict[str, Any]] = {
    "laplace": {"scale": "2"},
    "discrete-laplace": {"scale": "5", "sensitivity": 2},
    "discrete-gaussian": {"sigma": "3", "sensitivity": 2},
    "laplace-vector": {"scale": "6", "l1_sensitivity": "5/2", "linf_sensitivity": "1"},
    "discrete-laplace-vector": {"scale": "9", "l1_sensitivity": 5, "linf_sensitivity": 2},
    "discrete-gaussian-vector": {"sigma": "4", "l2_squared": 2},
    "exponential-mechanism": {"epsilon": "1/3", "monotone": "no"},
    "noisy-max": {"scale": "5", "noise": "exponential", "monotone": "no"},
    "sparse-histogram": {"sigma": "6", "threshold": "30", "cells": 2},
    "matrix-mechanism": {
        "noise_multiplier": "12",
        "strategy": "tree",
        "rounds": 31,
        "participations": 1,
        "separation": 1,
    },
    "randomised-response": {"truth": "3/5", "answers": 3},
    "randomised-response by loss": {"epsilon": "1/2", "answers": 2},
}


def line(kind: str, **more: Any) -> tuple[str, dict[str, Any]]:
    return kind.split()[0], {**KINDS[kind], **more}


FILES = {
    f"{kind}, {count}": certified(planned(line(kind, count=count), delta="1e-4"))[0]
    for kind in KINDS
    for count in (1, 6)
}
FILES["delta"] = certified(planned(line("laplace", count=3), epsilon="1"))[0]
FILES["group"] = certified(planned(line("discrete-laplace", count=2), group=3, delta="1e-4"))[0]
RELATIVE = ("rgm", {"eta": "1/50", "gamma": 1, "d": 3})
FILES["group of a chain"] = certified(planned(RELATIVE, group=2, delta="1e-4"))[0]
FILES["plan"] = certified(
    planned(line("laplace"), line("discrete-gaussian"), line("randomised-response", count=2),
            ("gaussian", {"noise_multiplier": 4}), delta="1e-4")
)[0]  # fmt: skip


def numbers(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The places of all numbers of a mechanism, in the order in which they stand there."""
    if isinstance(data, dict):
        return [found for key, value in data.items() for found in numbers(value, (*path, key))]
    if isinstance(data, list):
        return [found for key, value in enumerate(data) for found in numbers(value, (*path, key))]
    return [] if path[-1] in ("name", "noise", "monotone", "strategy") else [path]


# In which direction a parameter makes the mechanism less private.
WORSE = {"scale": "down", "sigma": "down", "noise_multiplier": "down", "gamma": "down", "eta": "up", "truth": "up",
         "epsilon": "up", "sensitivity": "up", "steps": "up", "records": "up", "answers": "either", "dimension": "up",
         "l1_sensitivity": "up", "linf_sensitivity": "up", "l2_squared": "up", "r_rel": "up",
         "sigma2": "down", "threshold": "down", "cells": "up", "rounds": "up", "participations": "up",
         "separation": "down"}  # fmt: skip


def moved(value: Any, direction: str) -> Any:
    """A parameter that is one larger, or a tenth larger or smaller."""
    if type(value) is int:
        return value + 1
    return str(Fraction(value) * (Fraction(11, 10) if direction == "up" else Fraction(9, 10)))


TAMPERED = [
    (name, path)
    for name, data in FILES.items()
    for path in numbers(data["mechanism"])
    # Nothing is less private with them: a separation counts for several rounds alone, dimensions do not count where
    # the worst pair has one variance, 0 stays 0, and
    # of one answer the largest loss alone is seen at this delta.
    if path[-1] not in ("r_rel", "sigma2", "dimension", "separation")
    and (name, path[-1]) != ("randomised-response by loss, 1", "answers")
]


@pytest.mark.parametrize("name", FILES)
def test_a_certificate_is_accepted_and_names_what_it_is_about(name: str) -> None:
    result = replay(parse(FILES[name]))
    assert result.accepted, result.reason
    for number in numbers(FILES[name]["mechanism"]):
        value: Any = FILES[name]["mechanism"]
        for key in number:
            value = value[key]
        assert str(Fraction(value)) in result.mechanism


@pytest.mark.parametrize(("name", "path"), TAMPERED, ids=[f"{name}: {path[-1]}" for name, path in TAMPERED])
def test_a_mechanism_that_is_less_private_is_noticed(name: str, path: tuple[Any, ...]) -> None:
    """Each parameter of its own, moved by a tenth or by one: the upper end no longer holds."""
    data = copy.deepcopy(FILES[name])
    place = data["mechanism"]
    for key in path[:-1]:
        place = place[key]
    direction = WORSE[path[-1]]
    place[path[-1]] = moved(place[path[-1]], direction)
    alone = {**data, "lower": None}
    if direction == "either":
        # Of answers with a given epsilon the others are less likely together; with a given truth each of them is.
        assert not accepted(data)
    else:
        assert not accepted(alone)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("end", ["upper", "lower"])
def test_an_end_that_says_more_is_noticed(name: str, end: str) -> None:
    data = copy.deepcopy(FILES[name])
    if name == "group of a chain" and end == "lower":
        pytest.skip("both ends are about different quantities")
    # Beyond the other end: what is certain there cannot be proved to be otherwise.
    width = Fraction(1, 1000)
    other = Fraction(data["lower" if end == "upper" else "upper"])
    data[end] = str(other * (1 - width if end == "upper" else 1 + width))
    data["lower" if end == "upper" else "upper"] = None
    if name == "group of a chain":
        assert Fraction(data[end]) < Fraction(FILES[name]["upper"]) / 2
    assert not accepted(data)


PURE = [
    name for name in FILES if name.startswith("randomised") or name in ("laplace, 1", "discrete-laplace, 1", "group")
]


@pytest.mark.parametrize("name", FILES)
def test_what_is_given_counts(name: str) -> None:
    data = copy.deepcopy(FILES[name])
    given, of_epsilon = Fraction(data["given"]), data["quantity"] == "epsilon"
    if name not in PURE:
        # At a tenth of the delta, or nine tenths of the epsilon, the upper end is too small. Of the others it is the
        # largest loss, or close to it, for any delta.
        less = given * (Fraction(1, 10) if of_epsilon else Fraction(9, 10))
        assert not accepted({**data, "given": str(less), "lower": None})
    if name != "group of a chain":
        more = given * (1000 if of_epsilon else Fraction(11, 10))
        assert not accepted({**data, "given": str(more), "upper": None})


@pytest.mark.parametrize("name", [name for name in FILES if "kind" in FILES[name]["check"]])
def test_poor_hints_prove_nothing_or_the_truth(name: str) -> None:
    """Other grids and precisions: where both ends are proved, they are those of the account."""
    data = copy.deepcopy(FILES[name])
    check = data["check"]
    if check["kind"] == "closed":
        data["check"] = {**check, "bits": 64}
        lower = {**data, "upper": None, "lower": str(Fraction(data["upper"]) * Fraction(1001, 1000))}
        assert not accepted(lower)
        return
    upper = str(Fraction(data["lower"]) * Fraction(999, 1000))
    for poor in (
        {"digits": 3, "cut": 0},
        {"cut": 10 ** check["digits"] // 100},
        {"step": str(Fraction(check["step"]) / 3)},
    ):
        assert not accepted({**data, "lower": None, "upper": upper, "check": {**check, **poor}})


LINES = st.one_of(
    st.fractions(1, 8, max_denominator=6).map(lambda scale: ("laplace", {"scale": scale})),
    st.tuples(st.fractions(1, 6, max_denominator=4), st.integers(1, 2)).map(
        lambda given: ("discrete-laplace", {"scale": given[0], "sensitivity": given[1]})
    ),
    st.tuples(st.fractions(2, 6, max_denominator=4), st.integers(1, 2)).map(
        lambda given: ("discrete-gaussian", {"sigma": given[0], "sensitivity": given[1]})
    ),
    st.tuples(st.fractions(Fraction(11, 20), Fraction(4, 5), max_denominator=20), st.integers(2, 4)).map(
        lambda given: ("randomised-response", {"truth": given[0], "answers": given[1]})
    ),
    st.fractions(3, 8, max_denominator=4).map(lambda noise: ("gaussian", {"noise_multiplier": noise})),
)


@given(
    st.lists(st.tuples(LINES, st.integers(1, 4)), min_size=1, max_size=2),
    st.sampled_from(["1e-3", "1e-6", "1e-15"]),
    st.sampled_from([1, 1, 2]),
)
@example([(("gaussian", {"noise_multiplier": Fraction(3)}), 1)] * 2, "1e-3", 1)
@example([(("gaussian", {"noise_multiplier": Fraction(k)}), 2) for k in (3, 50)], "1e-15", 2)
@settings(max_examples=6, deadline=None)
def test_a_plan_has_a_certificate_whose_ends_are_moved_by_a_tenth_at_most(
    lines: list[tuple[tuple[str, dict[str, Any]], int]], delta: str, group: int
) -> None:
    asked = planned(*((kind, {**fields, "count": count}) for (kind, fields), count in lines), group=group, delta=delta)
    data, found = certified(asked)
    assert accepted(data)
    low, high = Fraction(data["lower"]), Fraction(data["upper"])
    # The ends are texts of floats, each within half of its last place.
    rounding = 1 + Fraction(1, 2**52)
    assert Fraction(found.lower) * Fraction(9, 10) / rounding <= low <= Fraction(found.lower)
    assert Fraction(found.upper) <= high <= Fraction(found.upper) * Fraction(11, 10) * rounding


# --------------------------------------------------------------------------------------------------------- as a user


@pytest.mark.parametrize(
    "arguments",
    [
        "laplace --scale 2 --delta 1e-5",
        "laplace --scale 2 --epsilon 1",
        "laplace --scale 20 --steps 10000 --delta 1e-6 --width 1/20",
        "discrete-laplace --scale 3 --steps 5 --epsilon 1",
        "discrete-gaussian --sigma 4 --group 2 --delta 1e-15",
        "randomised-response --truth 3/4 --steps 5 --delta 1e-5",
        "randomised-response --loss 1e-9 --steps 100 --delta 1e-12",
        "gaussian --noise-multiplier 5 --steps 10 --delta 1e-6",
    ],
)
def test_a_command_for_one_kind_writes_a_certificate_that_is_accepted(arguments: str, tmp_path: Any) -> None:
    file = tmp_path / "c.json"
    made = CliRunner().invoke(main, ["account", *arguments.split(), "--certificate", str(file)])
    assert made.exit_code == 0, made.output
    found = CliRunner().invoke(main, ["replay", str(file)])
    assert found.exit_code == 0, found.output
    assert found.output.startswith("accepted")
    assert len(json.loads(file.read_text()).keys() - {"neighbours"}) == 7
