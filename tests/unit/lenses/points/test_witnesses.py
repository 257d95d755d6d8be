"""Witnesses: what is shown of one, and the exact places where a search looks for it."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np
import pytest
import sympy
from sympy import Rational, exp, sqrt

from rgm_verify.claims import (
    Chart,
    Claim,
    Formula,
    Hypothesis,
    Variable,
    both,
    eq,
    ge,
    gt,
    le,
    lt,
    natural,
    positive,
    real,
)
from rgm_verify.jobs.pasted import pasted
from rgm_verify.lenses.base import QUICK, Context
from rgm_verify.lenses.points.factors import special_factors
from rgm_verify.lenses.points.moves import boundary_moves
from rgm_verify.lenses.points.search import search
from rgm_verify.lenses.points.witness import certified, confirmed, python_sides, value_text

F, R = Fraction, Rational
X, Y, P, K = real("x"), real("y"), positive("p"), natural("k")
x, y, p, k = (v.symbol for v in (X, Y, P, K))
SMALL = replace(QUICK, samples=400, refinements=2)


def claim(conclusion: Formula, *variables: Variable, given: tuple[Formula, ...] = (), **rest: Any) -> Claim:
    hypotheses = tuple(Hypothesis(f"h{i}", f) for i, f in enumerate(given))
    return Claim(
        id="t:claim", title="t", source="s", where="w", kind="k", variables=variables, hypotheses=hypotheses,
        conclusion=conclusion, **rest,
    )  # fmt: skip


# ------------------------------------------------------------------------------------------- sides that meet


def test_sides_that_nearly_meet_on_a_thin_set_are_followed_along_it() -> None:
    """On p * q = 1 the sum is at least 2, with equality at 1 alone; the bound is off by 1e-24."""
    t, q = sympy.Symbol("t", positive=True), positive("q")
    thin = (ge(p * q.symbol, 1), le(p * q.symbol, 1))
    chart = Chart({t: (R(1, 2), 20)}, {p: t * R(3, 7), q.symbol: R(7, 3) / t})
    about = claim(ge(p + q.symbol, 2 + R(1, 10**24)), P, q, given=thin, sampling=chart)
    outcome = search(about, Context(profile=SMALL), wanted=False, purpose="t", close=True)
    assert outcome.witness is not None


# ------------------------------------------------------------------------------------------- the next points


def test_the_boundary_of_an_alternative_and_of_quotients() -> None:
    about = claim(ge(x, 0), X, Y, given=(ge(1 / x, y), both(le(x, 2), gt(x**2, y))))
    found = {(symbol, move(F(5), F(7))) for symbol, move in boundary_moves(about)}
    assert found == {(x, F(1, 7)), (y, F(1, 5)), (x, F(2)), (y, F(25))}


def test_boundaries_are_exact_whatever_the_coefficients() -> None:
    given = (le(3 * x, y), ge(7 * y, 2 * x + R(5, 11)), le(x, R(3, 2)))
    moves = boundary_moves(claim(ge(x, 0), X, Y, given=given))
    found = [(symbol, move(F(1), F(1))) for symbol, move in moves]
    assert set(found) == {(x, F(1, 3)), (y, F(3)), (x, (7 - F(5, 11)) / 2),
                          (y, (2 + F(5, 11)) / 7), (x, F(3, 2))}  # fmt: skip
    assert all(isinstance(value, Fraction) for _, value in found)
    irrational = boundary_moves(claim(ge(x, 0), X, given=(le(x, sqrt(2)),)))
    assert irrational
    assert all(move(F(1)) is None for _, move in irrational)


def test_a_variable_called_e_or_pi_is_no_number() -> None:
    e, pi = (sympy.Symbol(name, real=True) for name in ("e", "pi"))
    given = (le(sympy.E * e + 1, sympy.pi * pi),)
    moves = dict(boundary_moves(claim(ge(e, 0), real("e"), real("pi"), given=given)))
    for found, value in ((moves[e], (math.pi * 7 - 1) / math.e), (moves[pi], (math.e * 5 + 1) / math.pi)):
        assert found(F(5), F(7)) is None
        (near,) = found.near([np.array([5.0]), np.array([7.0])])
        # Three operations on floats, each of which rounds once, and in another order here.
        assert abs(near - value) <= 6 * math.ulp(value)


def test_a_search_goes_to_a_boundary_with_rational_coefficients() -> None:
    """The claim fails on the line 3 x = 7 y + 1/5 alone, where no drawn point lies."""
    thin = (le(3 * x, 7 * y + R(1, 5)), ge(x, 1000), le(x, 1100))
    about = claim(lt(3 * x, 7 * y + R(1, 5)), X, Y, given=thin)
    outcome = search(about, Context(profile=SMALL), wanted=False, purpose="t")
    assert outcome.witness is not None


# ------------------------------------------------------------------------------------------- witnesses


def test_a_point_that_is_given_in_part_is_completed_by_a_simple_number() -> None:
    about = claim(ge(x, y), X, Y, P)
    found = confirmed(about, {x: sympy.Integer(-1), y: sqrt(2)}, wanted=False)
    assert found is not None
    assert found.point == {x: -1, y: sqrt(2), p: 1}
    assert isinstance(found.point[x], Fraction)
    assert confirmed(about, {x: sqrt(2)}, wanted=False) is None
    in_range = real("v", lower=3, upper=5, integer=True)
    assert confirmed(claim(ge(in_range.symbol, 5), in_range), {}, wanted=False) is not None
    words = Claim(id="t:w", title="", source="", where="", kind="remark", informal="words")
    assert confirmed(words, {}, wanted=False) is None


def test_the_margin_of_a_witness_encloses_the_difference_of_the_sides() -> None:
    about = claim(both(ge(x, 0), le(exp(x), 2)), X)
    assert about.conclusion is not None
    found = certified(about, about.conclusion, {x: F(1)}, wanted=False)
    assert found is not None
    assert found.relation == gt(exp(x), 2)
    low, high = map(F, found.margin)
    assert low <= F("0.718281828459045") <= high
    assert high - low < F(1, 10**10)
    assert found.families == ("arb", "mpmath")


def test_a_witness_of_what_mpmath_cannot_enclose_names_arb_alone() -> None:
    about = claim(ge(sympy.gamma(x), 100), X)
    assert about.conclusion is not None
    found = certified(about, about.conclusion, {x: F(3)}, wanted=False)
    assert found is not None
    assert found.families == ("arb",)


@pytest.mark.parametrize(
    ("relation", "point", "exact"),
    [
        (eq(x, 1 / y), {x: F(1, 3), y: F(3)}, True),
        (eq(x / 3 + R(1, 7), y / 27 + R(1, 7)), {x: F(1, 3), y: F(3)}, True),
        (eq(x, y), {x: F(1, 3), y: F(3)}, False),
        (eq(x**2, 2), {x: sqrt(2)}, False),
        (eq(abs(x), 3), {x: F(3)}, False),
        (eq(exp(x), 1), {x: F(0)}, False),
        (eq(1, exp(x)), {x: F(0)}, False),
        (ge(x, 3), {x: F(3)}, True),
    ],
)
def test_an_exact_equality_is_shown_exactly(
    relation: Any, point: Any, exact: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    sides = python_sides(relation, point)
    text = pasted({s.name: value_text(v) for s, v in point.items()}, sides)
    assert ("fractions" in text) is exact
    if exact:
        exec(text, {})
        left, right, true = capsys.readouterr().out.split()
        assert true == "True"
        assert F(left) == F(right) == relation.lhs.subs({s: R(str(v)) for s, v in point.items()})


def test_a_function_without_a_definition_keeps_its_name() -> None:
    """`Function("f")` comes from no module, and its claim still shows both sides."""
    assert python_sides(ge(sympy.Function("f")(x) + 1, exp(x)), {x: F(1, 2)}) == ["f(x) + 1", ">=", "exp(x)"]


def test_factors_of_long_differences_are_not_looked_at() -> None:
    short = sympy.Mul(*((x - i) for i in range(20)), evaluate=False)
    assert {f.subs(x, 3) == 0 for f in special_factors(ge(short, 0))} == {True, False}
    long = sympy.Add(*((x - i) ** (i + 2) for i in range(60)))
    assert special_factors(ge(long, 0)) == []
    # Zeros of slopes: where the argument of a function, or a base below, turns.
    for formula in (ge(exp(-((x - 7) ** 2)), y), ge(1 / ((x - 7) ** 2 + 1), y)):
        assert any(f.subs(x, 7) == 0 for f in special_factors(formula))
    assert any(f.subs(x, 7) == 0 for f in special_factors(ge(sqrt(x - 7), y)))
    assert list(islice(special_factors(ge(x + 1, x + 1)), 3)) == []
