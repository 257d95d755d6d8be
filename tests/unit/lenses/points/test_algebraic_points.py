"""Points that solve equations: roots of polynomials as exact numbers, and the members of a choice of hypotheses."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest
import sympy
from sympy import CRootOf, Rational, atan, exp, pi, sqrt

from rgm_verify.claims import Claim, Formula, Hypothesis, both, either, eq, ge, gt, le, lt, ne, real
from rgm_verify.claims.evidence import Finding, Kind
from rgm_verify.lenses import Search
from rgm_verify.lenses.algebra.equations import solved
from rgm_verify.lenses.base import Context
from rgm_verify.lenses.points.numeric import Points
from rgm_verify.lenses.points.values import enclosed, sign
from rgm_verify.lenses.points.witness import confirmed

X, Y = real("x"), real("y")
x, y = X.symbol, Y.symbol
cubic = CRootOf(x**3 - x - 1, 0)


def claim(conclusion: Formula, *given: Formula, **rest: Any) -> Claim:
    used = {s for f in (conclusion, *given) for s in _symbols(f)}
    return Claim(
        id="test:a",
        title="",
        source="test",
        where="-",
        kind="test",
        variables=tuple(v for v in (X, Y) if v.symbol in used),
        hypotheses=tuple(Hypothesis(f"h{i}", f) for i, f in enumerate(given)),
        conclusion=conclusion,
        **rest,
    )


def _symbols(formula: Formula) -> set[sympy.Basic]:
    from rgm_verify.claims.formula import relations

    return {s for r in relations(formula) for s in r.gap.free_symbols}


def refuted(*arguments: Any) -> bool:
    return any(e.finding is Finding.REFUTES for e in Search().look(claim(*arguments), Context()))


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (x**3 - x - 1, "zero"),
        (x**4 - x**2 - x, "zero"),
        (x**3 - x - 1 + Rational(1, 10**40), "positive"),
        (x - Rational(132471795724475, 10**14), "negative"),
        (x - Rational(132471795724474, 10**14), "positive"),
        (exp(x) - 4, "negative"),
        (1 / (x**3 - x - 1), "unknown"),
    ],
    ids=str,
)
def test_signs_at_a_root_are_certain_and_zero_only_by_algebra(expression, expected):
    assert sign(expression, {x: cubic}) == expected


def test_other_coordinates_stand_beside_a_root():
    assert sign(x * y - 2, {x: cubic, y: Fraction(3, 2)}) == "negative"
    assert sign(x * y - 2, {x: cubic, y: sqrt(3)}) == "positive"


def test_an_enclosure_around_a_root_holds_its_value():
    found = enclosed(exp(x), {x: cubic})
    with mpmath.workdps(150):
        digits = mpmath.exp(mpmath.findroot(lambda z: z**3 - z - 1, mpmath.mpf("1.3247179572447460259609")))
        value = Fraction(mpmath.nstr(digits, 140))
    assert abs(found.lower - value) < Fraction(1, 10**138)
    assert 0 < found.upper - found.lower < Fraction(1, 10**250)


def test_two_roots_of_one_polynomial_are_told_apart():
    first, second = (CRootOf(x**5 - 20 * x + 1, k) for k in (0, 1))
    assert sign(x - y, {x: first, y: second}) == "negative"


HALVES = either(gt(x, 0), both(lt(x, 1), eq(x**2, 2)))


@pytest.mark.parametrize(
    "arguments",
    [
        (eq(atan(x) + atan(1 / x), pi / 2), HALVES),
        (ge(x, 0), HALVES),
        (le(x, 1), eq(x**3, x + 1)),
        (ne(exp(x) * y, 0), either(gt(y, 1), both(eq(x**3, x + 1), eq(y * x, 0)))),
        (le(x * y, Rational(19, 10)), eq(x**3, x + 1), eq(y**2, 3)),
        (ge(x, -1), either(gt(x, 1), both(lt(x, 0), eq(x**3 - 3 * x + 1, 0)))),
    ],
    ids=str,
)
def test_a_claim_that_fails_at_a_solution_alone_is_refuted(arguments):
    assert refuted(*arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        (eq(x**2, 2), both(lt(x, 1), eq(x**2, 2))),
        (eq(x**4, x**2 + x), eq(x**3, x + 1)),
        (ge(x, -2), either(gt(x, 1), both(lt(x, 0), eq(x**3 - 3 * x + 1, 0)))),
    ],
    ids=str,
)
def test_a_claim_that_holds_at_every_solution_is_not_refuted(arguments):
    assert not refuted(*arguments)


def test_every_member_of_a_choice_has_its_solutions():
    ways = solved(claim(ge(x, 0), HALVES))
    assert {} in ways
    assert {way[x] for way in ways if way} == {sqrt(2), -sqrt(2)}


def test_a_root_outside_of_the_hypotheses_is_no_witness():
    wanted = claim(le(x, 1), lt(x, 1))
    assert confirmed(wanted, {x: cubic}, wanted=False) is None


def test_points_hold_at_the_one_solution():
    (found,) = Points().look(claim(ge(exp(x), 3), eq(x**3, x + 1)), Context())
    assert (found.kind, found.finding) == (Kind.ENCLOSURES, Finding.SUPPORTS)
