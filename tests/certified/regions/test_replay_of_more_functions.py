"""Inverse functions, steps and Euler's constant in certificates: the replayer evaluates each by means of its own."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import mpmath
import pytest
import sympy
from flint import arb
from sympy import Rational, acos, acosh, asin, asinh, atan, atanh, ceiling, erfcinv, erfi, erfinv, floor, trigamma

from rgm_verify.balls.certificate import Certificate, Subject
from rgm_verify.balls.replay import UnreadableCertificate, replay
from rgm_verify.balls.replaying.functions import ball, working_at
from rgm_verify.balls.replaying.functions import trigamma as own_trigamma
from rgm_verify.claims.claim import Claim, real
from rgm_verify.claims.evidence import Finding, Kind
from rgm_verify.claims.formula import Relation, ge, gt, le
from rgm_verify.claims.written.trees import expression_tree
from rgm_verify.lenses.base import PROFILES, Context
from rgm_verify.lenses.proofs.region import Region

X = real("x", lower=Rational(1, 4), upper=Rational(3, 4))
Y = real("y", lower=Rational(5, 4), upper=3)
x, y = X.symbol, Y.symbol
#: A true statement about each operation on a box, the operation's name, and a false one with the same sides.
CASES: list[tuple[str, Relation]] = [
    ("asin", ge(asin(x), x)),
    ("acos", le(acos(x), Rational(8, 5) - x)),
    ("atan", le(atan(x), x)),
    ("asinh", le(asinh(x), x)),
    ("acosh", le(acosh(y), y)),
    ("atanh", ge(atanh(x), x)),
    ("erfi", ge(erfi(x), x)),
    ("erfinv", ge(erfinv(x), Rational(4, 5) * x)),
    ("erfcinv", le(erfcinv(x), 1)),
    ("lambertw", le(sympy.LambertW(x), x)),
    ("floor", le(floor(y), y + Rational(1, 2))),
    ("ceil", ge(ceiling(y), y - Rational(1, 2))),
    ("trigamma", gt(trigamma(y), 1 / y)),
    ("euler", gt(sympy.EulerGamma * y, y / 2)),
]


def judged(conclusion: Relation) -> tuple[list[Any], dict[str, Any]]:
    free = conclusion.gap.free_symbols
    claim = Claim(
        id="test:operation",
        title="an operation",
        source="test",
        where="-",
        kind="lemma",
        variables=tuple(v for v in (X, Y) if v.symbol in free),
        conclusion=conclusion,
    )
    context = Context(profile=PROFILES["quick"], claims={claim.id: claim})
    found = Region().look(claim, context)
    return found, next(iter(context.certificates.values()), {})


@pytest.mark.parametrize(("name", "conclusion"), CASES, ids=[name for name, _ in CASES])
def test_a_certificate_with_each_operation_is_accepted_by_the_replay(name: str, conclusion: Relation) -> None:
    found, certificate = judged(conclusion)
    assert [(e.kind, e.finding) for e in found] == [(Kind.REGION_CERTIFICATE, Finding.SUPPORTS)], found[0].summary
    assert f'["{name}"' in json.dumps(certificate["statement"])
    assert replay(certificate).accepted


@pytest.mark.parametrize(("name", "conclusion"), CASES, ids=[name for name, _ in CASES])
def test_the_opposite_of_each_statement_gets_no_certificate(name: str, conclusion: Relation) -> None:
    turned = {"<=": ">", "<": ">=", ">=": "<", ">": "<="}[conclusion.op]
    found, certificate = judged(Relation(conclusion.lhs, turned, conclusion.rhs))
    assert not certificate
    assert all(e.finding is not Finding.SUPPORTS for e in found)


def certificate_of(statement: dict[str, Any], tree: str) -> dict[str, Any]:
    """A certificate of a statement about x on its range, by this tree."""
    box = ((Fraction(1, 4), Fraction(3, 4)),)
    return Certificate(("x",), box, 64, tree, Subject("test:operation", statement, {})).to_json()


def test_an_integral_is_refused_and_not_certified() -> None:
    t = sympy.Symbol("t", real=True)
    found, certificate = judged(le(sympy.Integral(sympy.exp(-(t**2)), (t, 0, x)), x))
    assert not certificate
    assert [e.finding for e in found] == [Finding.UNDECIDED]
    statement = judged(CASES[2][1])[1]["statement"]
    forged = statement | {"conclusion": ["<=", ["integral", "0", ["var", "x"]], ["var", "x"]]}
    with pytest.raises(UnreadableCertificate, match="a known function"):
        replay(certificate_of(forged, "D"))


@pytest.mark.parametrize("name", ["lambertw", "erfcinv", "floor", "ceil", "sign"])
def test_no_mean_value_form_is_taken_where_there_is_no_slope_or_nobody_gave_one(name: str) -> None:
    statement = judged(CASES[2][1])[1]["statement"]
    forged = statement | {"conclusion": [">=", [name, ["var", "x"]], "-9"]}
    assert replay(certificate_of(forged, "D")).accepted
    assert replay(certificate_of(forged, "M")).reason == f"tree: a mean-value leaf needs the derivative of {name}"


def test_a_step_inside_the_box_is_not_certified_away() -> None:
    """The floor of y is 1 for y < 2: what holds on the rest of the box fails there."""
    found, certificate = judged(ge(floor(y), 2))
    assert not certificate
    assert found[0].finding is not Finding.SUPPORTS


@pytest.mark.parametrize("value", [Fraction(1, 3), Fraction(1), Fraction(7, 2), Fraction(40)])
def test_the_trigamma_function_of_the_replay_agrees_with_mpmath(value: Fraction) -> None:
    with working_at(200), mpmath.workdps(50):
        wide = own_trigamma(ball(value).union(ball(value + 1)))
        point = own_trigamma(ball(value))
        digits = mpmath.nstr(mpmath.psi(1, mpmath.mpf(value.numerator) / value.denominator), 40)
        assert wide.contains(point)
        assert abs(point - arb(digits)) < arb("1e-38") * point
        assert not own_trigamma(arb(0, 1)).is_finite()


@pytest.mark.parametrize(
    ("value", "heads"),
    [(sympy.tan(x), {"sin", "cos"}), (sympy.factorial(x), {"gamma"}), (sympy.harmonic(x), {"digamma", "euler"})],
    ids=["tan", "factorial", "harmonic"],
)
def test_what_has_no_operation_of_its_own_is_recorded_by_what_it_is_made_of(value: sympy.Expr, heads: set[str]) -> None:
    text = json.dumps(expression_tree(value))
    assert {
        head for head in ("sin", "cos", "gamma", "digamma", "euler", "tan", "harmonic") if f'"{head}"' in text
    } == heads
