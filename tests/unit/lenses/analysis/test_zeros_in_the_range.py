"""Goals that are 0 at the ends of their range or touch 0 inside: shown where they hold, and never where they fail."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from rgm_verify.claims.claim import real
from rgm_verify.lenses.analysis.search import Domain, Goal, Prover

X = sympy.Symbol("x", real=True)
PLACES = st.sampled_from([Fraction(-1), Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(5, 4), Fraction(2)])


def goal(f: sympy.Expr, low: Fraction, high: Fraction, *, strict: bool, opened: tuple[bool, bool]) -> Goal:
    x = real("x", lower=low, upper=high, lower_open=opened[0], upper_open=opened[1])
    return Goal(f.xreplace({X: x.symbol}), strict, Domain((x,)))


@settings(max_examples=60, deadline=None)
@given(
    st.tuples(PLACES, PLACES).filter(lambda ends: ends[0] < ends[1]),
    st.integers(0, 3),
    st.integers(0, 3),
    st.sampled_from([1, -1]),
    st.sampled_from([Fraction(-3), Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(3)]),
    st.booleans(),
    st.tuples(st.booleans(), st.booleans()),
)
def test_a_product_with_zeros_at_the_ends_is_shown_if_and_only_if_it_holds(
    ends, at_low, at_high, sign, place, strict, opened
):
    """The goal is `sign (x - low)^i (high - x)^j (e^x - e^place)`, whose sign is known everywhere."""
    low, high = (sympy.Rational(end) for end in ends)
    f = sign * (X - low) ** at_low * (high - X) ** at_high * (sympy.exp(X) - sympy.exp(sympy.Rational(place)))
    asked = goal(f, *ends, strict=strict, opened=opened)
    # Inside of the range the sign is that of the last factor.
    inside = (sign > 0 and place <= ends[0]) or (sign < 0 and place >= ends[1])
    zero_at = (at_low > 0 or place == ends[0], at_high > 0 or place == ends[1])
    holds = inside and not (strict and any(zero and not out for zero, out in zip(zero_at, opened, strict=True)))
    found = Prover()._beside_zeros(asked)
    assert not found or holds
    if holds and any(zero_at) and max(at_low, at_high) < 3:
        assert found


@settings(max_examples=40, deadline=None)
@given(PLACES, st.integers(1, 5), st.sampled_from([1, -1]), st.booleans())
def test_a_goal_that_touches_inside_is_shown_and_one_that_crosses_is_not(place, order, sign, strict):
    f = sign * (X - sympy.Rational(place)) ** order * (2 + sympy.sin(X))
    asked = goal(f, place - 1, place + Fraction(3, 2), strict=strict, opened=(False, False))
    assert Prover()._beside_zeros(asked) == (sign > 0 and order % 2 == 0 and not strict)


@pytest.mark.parametrize(
    "f",
    [
        sympy.sign(X) * (1 - X),  # its value at 0 is not its limit
        sympy.Abs(X - 1) - 1 + X,  # a kink, and 0 before it
        -X * sympy.sin(1 / X),
        sympy.sqrt(X) - X,
        sympy.floor(X) - X / 2,
        -(X ** sympy.Rational(3, 2)),
    ],
)
def test_nothing_is_shown_of_what_is_not_smooth_or_fails(f: sympy.Expr) -> None:
    asked = goal(f, Fraction(0), Fraction(2), strict=True, opened=(True, False))
    assert not Prover()._beside_zeros(asked)


def test_a_goal_that_fails_in_the_middle_alone_is_not_shown() -> None:
    f = sympy.sin(X) - sympy.Rational(999, 1000) * sympy.sin(X) ** 2 - sympy.Rational(1, 500) * X
    assert not Prover()._beside_zeros(goal(f, Fraction(0), Fraction(3), strict=False, opened=(False, False)))
    smaller = sympy.sin(X) - sympy.Rational(99, 100) * sympy.sin(X) ** 2
    assert Prover()._beside_zeros(goal(smaller, Fraction(0), Fraction(3), strict=False, opened=(False, False)))


@pytest.mark.parametrize("turned", [False, True])
def test_a_goal_that_starts_upwards_and_dips_below_is_not_shown(turned: bool) -> None:
    """Its slope at the end has the right sign, and in the farther half it is positive."""
    f = sympy.exp(X) * X * ((X - sympy.Rational(1, 4)) ** 2 - sympy.Rational(1, 101))
    asked = f.xreplace({X: 1 - X}) if turned else f
    assert not Prover()._beside_zeros(goal(asked, Fraction(0), Fraction(1), strict=False, opened=(False, False)))
    raised = f + sympy.exp(X) * X / 90
    shown = raised.xreplace({X: 1 - X}) if turned else raised
    assert Prover()._beside_zeros(goal(shown, Fraction(0), Fraction(1), strict=False, opened=(False, False)))
