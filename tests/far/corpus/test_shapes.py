"""Statements by shapes: each construct under each operator, of known truth, judged as a user asks.

`nox -s shapes` judges all of `shapes/shapes.py`, in half an hour; here are a fixed few, at least one for each kind of
construct under each operator.
"""

from __future__ import annotations

import json
import os
from collections import Counter

import pytest
from mpmath import mp

from rgm_verify import check
from rgm_verify.errors import InputError
from rgm_verify.statements.checking import FAULT

from .shapes.shapes import CONSTRUCTS, DIGITS, FORMS, OPERATORS, NoValue, Shape, shapes

WHOLE = "RGM_VERIFY_SHAPES" in os.environ
ALL = list(shapes())
PARTS = 24
#: Processor seconds of a statement that is stuck.
SECONDS = 60
#: Constructs that are judged fast, of each kind.
FAST = (
    "integral(t, 0, oo, t*exp(-t))", "sum(k, 1, 0, k)", "product(k, 2, 5, 1 - 1/k^2)", "|x|", "floor(7/2)",
    "max(integral(t, 0, oo, exp(-t)), 1/2)", "x^3",
)  # fmt: skip
#: What may be said of a statement by its truth. Who asks for what has no value may be refused as well.
ALLOWED = {
    "true": ("proved", "certified", "supported", "undecided"),
    "false": ("refuted", "undecided", "supported"),
    "ill-posed": ("refuted", "undecided", "supported", "refused"),
}
#: Constructs with a variable that have a value for none.
NOWHERE = ("sum(k, 0, n, 1/k)", "product(k, 0, n, log(k))")
#: The least share of the true ones that is shown, and of the false ones that is refuted: who leaves all open fails.
LEAST = {"true": 0.5, "false": 0.7}


def allowed(shape: Shape) -> tuple[str, ...]:
    """What may be said of a statement. A condition is not met where it has no value, so that nothing is said there."""
    vacuous = shape.truth == "ill-posed" and shape.conditional
    # What has a value at some other point may be what is looked for.
    elsewhere = shape.truth == "ill-posed" and shape.exists and shape.points != ({},) and shape.construct not in NOWHERE
    return (*ALLOWED[shape.truth], "proved") if vacuous or elsewhere else ALLOWED[shape.truth]


def chosen() -> list[Shape]:
    """All, or one of each kind of construct under each operator, and one of each construct without a value."""
    if WHOLE:
        return ALL
    found: dict[tuple[str, str], Shape] = {}
    for shape in ALL:
        if shape.truth == "ill-posed" and shape.operator == "nothing":
            found.setdefault(("without a value", shape.construct), shape)
        elif shape.construct in FAST:
            found.setdefault((shape.kind, shape.operator), shape)
    return list(found.values())


def said(shape: Shape) -> str:
    """The verdict as a word; `refused` for a statement that is not read. Whatever is answered can be printed."""
    try:
        answer = check(shape.text, seconds=SECONDS)
    except InputError as error:
        return "refused" if str(error) else "raised nothing"
    lines = "\n".join(answer.lines())
    json.dumps(answer.to_json())
    return f"a lens failed: {lines}" if FAULT in lines else answer.verdict.value


def truth_at_points(shape: Shape) -> str:
    """What mpmath makes of a statement at its points."""
    found: list[bool | None] = []
    for at in shape.points:
        try:
            found.append(shape.holds(at))
        except NoValue:
            found.append(None)
    if shape.exists:
        return "true" if True in found else "false" if False in found else "ill-posed"
    if shape.conditional and any(value is not None for value in found):
        return "false" if False in found else "true"
    return "ill-posed" if None in found else "true" if all(found) else "false"


def test_the_truth_of_each_statement_is_what_another_arithmetic_computes() -> None:
    with mp.workdps(DIGITS):
        found = {s.text: (s.truth, truth_at_points(s)) for s in ALL}
    assert {text: pair for text, pair in found.items() if pair[0] != pair[1]} == {}


def test_there_are_enough_statements_and_each_form_meets_each_operator() -> None:
    truths = Counter(s.truth for s in ALL)
    assert min(truths["true"], truths["false"]) >= 600
    assert truths["ill-posed"] >= 150
    assert {(s.construct, s.operator) for s in ALL} >= {(c.term.text, o) for c in CONSTRUCTS for o in OPERATORS}
    assert len({(s.form, s.operator) for s in ALL}) >= 0.9 * len(FORMS) * len(OPERATORS)
    assert {(s.kind, s.operator) for s in chosen()} >= {
        (c.kind, o) for c in CONSTRUCTS if c.kind != "function" for o in OPERATORS
    }


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_no_statement_is_judged_wrongly_and_none_ends_in_an_error(part: int) -> None:
    found = {s.text: (allowed(s), said(s)) for s in chosen()[part::PARTS]}
    assert {text: pair for text, pair in found.items() if pair[1] not in pair[0]} == {}


@pytest.mark.slow
@pytest.mark.skipif(not WHOLE, reason="nox -s shapes judges all of them")
def test_most_statements_are_decided() -> None:
    """The control: who leaves all undecided is never wrong."""
    some = [s for s in ALL if s.truth in LEAST][::7]
    found = Counter((s.truth, said(s)) for s in some)
    shown = {"true": ("proved", "certified"), "false": ("refuted",)}
    for truth, verdicts in shown.items():
        count = sum(n for (t, _), n in found.items() if t == truth)
        assert sum(found[truth, v] for v in verdicts) >= LEAST[truth] * count, found


@pytest.mark.parametrize(
    ("statement", "verdict"),
    [
        # A peak that a quadrature without an error bound does not see: the value is sqrt(pi/1000), near 0.056.
        ("max(integral(t, -1000, 1000, exp(-1000*(t - 7/3)^2)), 1/1000) = 1/1000", "refuted"),
        ("floor(10*integral(t, -1000, 1000, exp(-1000*(t - 7/3)^2)) + 9/10) = 0", "refuted"),
        ("sqrt((integral(t, -1000, 1000, exp(-1000*(t - 7/3)^2)) - 1/1000)^2)"
         " = 1/1000 - integral(t, -1000, 1000, exp(-1000*(t - 7/3)^2))", "refuted"),
    ],
)  # fmt: skip
def test_the_sign_of_an_integral_is_no_quadrature_without_a_bound(statement: str, verdict: str) -> None:
    assert check(statement).verdict.value == verdict
