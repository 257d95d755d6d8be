"""Exact evaluation agrees with rational arithmetic, and says nothing where a value is not rational."""

from fractions import Fraction

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.balls.compiling import compile_expressions
from rgm_verify.balls.enclose import enclose, sign_at
from rgm_verify.balls.rationals import exact_value
from rgm_verify.balls.special import LogRemainder

x, y = sympy.symbols("x y", real=True)
rationals = st.fractions(min_value=-20, max_value=20, max_denominator=60)


@given(rationals, rationals)
def test_a_rational_function_is_evaluated_exactly(first: Fraction, second: Fraction) -> None:
    program = compile_expressions([(x**3 - 2 * x * y + sympy.Rational(1, 7)) / (1 + y**2)], (x, y))
    assert exact_value(program, (first, second)) == (first**3 - 2 * first * second + Fraction(1, 7)) / (1 + second**2)


@given(st.integers(1, 300), st.integers(1, 300))
def test_sides_that_meet_at_a_point_are_seen_to_meet(numerator: int, denominator: int) -> None:
    value = Fraction(numerator, denominator)
    assert sign_at(1 - x * sympy.Rational(denominator, numerator), {x: value}) == "zero"
    assert sign_at(sympy.sqrt(x) - sympy.Rational(numerator, denominator), {x: value**2}) == "zero"


@pytest.mark.parametrize(("expression", "value"), [(sympy.log(x), 1), (1 - sympy.exp(x), 0), (sympy.erf(x), 0)])
def test_elementary_functions_are_exact_at_their_rational_points(expression: sympy.Expr, value: int) -> None:
    assert sign_at(expression, {x: value}) == "zero"


@pytest.mark.parametrize(
    ("expression", "value"), [(sympy.log(x), 2), (sympy.sqrt(x), 2), (1 / x, 0), (sympy.sqrt(x), -1)]
)
def test_nothing_is_said_where_a_value_is_irrational_or_undefined(expression: sympy.Expr, value: int) -> None:
    program = compile_expressions([expression], (x,))
    assert exact_value(program, (Fraction(value),)) is None
    assert enclose(expression, {x: value}).lower != enclose(expression, {x: value}).upper or value <= 0


@pytest.mark.parametrize("order", [1, 2, 5])
def test_a_log_remainder_is_rational_at_zero_alone(order: int) -> None:
    program = compile_expressions([LogRemainder(order, x)], (x,))
    assert exact_value(program, (Fraction(0),)) == Fraction(1, order)
    for value in (Fraction(1), Fraction(-1, 2), Fraction(-2)):
        assert exact_value(program, (value,)) is None
    assert sign_at(LogRemainder(order, x) - sympy.Rational(1, order), {x: Fraction(1)}) == "negative"
