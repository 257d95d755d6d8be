"""Floors and ceilings: what is shown with their arguments in their places, and what fails by one."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
import sympy

from rgm_verify import check
from rgm_verify.claims.outcome.verdict import Verdict
from rgm_verify.lenses.analysis.rules.whole import at_residues, without_rounding

TRUE = [
    "floor(x + y) >= floor(x) + floor(y) for x, y real",
    "floor(x + y) <= floor(x) + floor(y) + 1 for x, y real",
    "ceil(x + y) <= ceil(x) + ceil(y) for x, y real",
    "floor(2*x) <= 2*floor(x) + 1 for x real",
    "floor(x) + ceil(-x) = 0 for x real",
    "floor(n*(n + 1)/2) = n*(n + 1)/2 for n integer",
    "floor(n*(n + 1)*(2*n + 1)/6) = n*(n + 1)*(2*n + 1)/6 for n natural",
    "ceil(n/2) <= (n + 1)/2 for n integer",
    "floor(n/3) >= (n - 2)/3 for n integer",
    "floor(n^2/4) = floor(n/2)*ceil(n/2) for n integer",
    "floor(x) <= n for x real, n integer given x < n + 1",
]
FALSE = [
    "floor(x + y) <= floor(x) + floor(y) for x, y real",
    "ceil(x + y) >= ceil(x) + ceil(y) for x, y real",
    "floor(2*x) <= 2*floor(x) for x real",
    "floor(n*(n + 1)/3) = n*(n + 1)/3 for n integer",
    "ceil(n/2) >= (n + 1)/2 for n integer",
    "floor(n/3) >= (n - 1)/3 for n integer",
    "floor(x) > n for x real, n integer given x > n",
    "ceil(x) >= floor(x) + 1 for x real",
    # Whole at integers alone.
    "floor(x*(x + 1)/2) = x*(x + 1)/2 for x real",
]


@pytest.mark.parametrize(
    ("statement", "verdict"), [(s, Verdict.PROVED) for s in TRUE] + [(s, Verdict.REFUTED) for s in FALSE]
)
def test_floors_and_ceilings(statement: str, verdict: Verdict) -> None:
    assert check(statement).verdict is verdict


X, Y = sympy.symbols("x y", real=True)
M, N = sympy.symbols("m n", integer=True)
VALUES = [
    sympy.floor(X) - N,
    N - sympy.floor(X),
    sympy.ceiling(X) + 2 * M - N,
    -sympy.ceiling(X) + N * (N + 1) / 2,
    sympy.floor(X + Y) - sympy.floor(X) - sympy.floor(Y) - M,
    sympy.ceiling(Y) - 3 * sympy.floor(X) + 1,
]


@pytest.mark.parametrize("value", VALUES, ids=str)
@pytest.mark.parametrize("strict", [False, True])
def test_what_is_left_holds_at_the_same_points(value: sympy.Expr, strict: bool) -> None:
    """At quarters, where floors and ceilings jump and do not."""
    found = without_rounding(value, strict=strict)
    assert found is not None
    draw = random.Random(str(value))
    seen = set()
    for _ in range(400):
        at = {s: Fraction(draw.randint(-12, 12), 1 if s.is_integer else 4) for s in (X, Y, M, N)}
        point = {s: sympy.Rational(v.numerator, v.denominator) for s, v in at.items()}
        before, after = value.xreplace(point), found[0].xreplace(point)
        holds = bool(before > 0) if strict else bool(before >= 0)
        assert holds == (bool(after > 0) if found[1] else bool(after >= 0)), at
        seen.add(holds)
    assert seen == {False, True}


def test_a_rest_that_is_not_whole_is_left_alone() -> None:
    for value in (sympy.floor(X) - Y, sympy.floor(X) + N / 2, sympy.floor(X) * N - M / 3, 2 * sympy.floor(X) - N):
        assert without_rounding(value, strict=False) is None


@pytest.mark.parametrize(
    "value",
    [
        sympy.ceiling(N / 2),
        sympy.floor(N**2 / 4) - sympy.floor(N / 2) * M,
        sympy.floor((2 * N + 1) / 6) + sympy.ceiling(N / 3),
    ],
    ids=str,
)
def test_a_value_is_among_those_at_its_residues(value: sympy.Expr) -> None:
    cases = at_residues(value)
    assert cases is not None
    for n in range(-13, 14):
        point = {N: sympy.Integer(n), M: sympy.Integer(3)}
        assert value.xreplace(point) in [case.xreplace(point) for case in cases]
