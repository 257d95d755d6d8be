"""Programs and SymPy give expressions with bound variables the same value, however these are nested."""

from __future__ import annotations

from fractions import Fraction

import sympy
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.balls.binding import At, evaluated, placed
from rgm_verify.balls.enclose import sign_at
from rgm_verify.lenses.solvers.definedness import needs

VARIABLES = x, y = sympy.symbols("x y", real=True)
k = sympy.Symbol("k", integer=True)
small = st.integers(-3, 3)
rationals = st.fractions(min_value=-4, max_value=4, max_denominator=9)


def _grown(inner: st.SearchStrategy[sympy.Expr]) -> st.SearchStrategy[sympy.Expr]:
    name = st.sampled_from(VARIABLES)
    return st.one_of(
        st.builds(lambda a, b: a + b, inner, inner),
        st.builds(lambda a, b: a * b, inner, inner),
        st.builds(lambda a, b: a / (1 + b**2), inner, inner),
        st.builds(lambda a, s, n: sympy.Derivative(a, (s, n)), inner, name, st.integers(1, 2)),
        st.builds(At, inner, name, inner),
        st.builds(lambda a, b, c: At(a, VARIABLES, (b, c)), inner, inner, inner),
        st.builds(lambda a, s, n: sympy.Sum(At(a, s, s + k), (k, 0, n)), inner, name, st.integers(-1, 2)),
        st.builds(lambda a, s: sympy.Product(k * s + a, (k, 1, 2)), inner, name),
    )


leaves = st.one_of(st.sampled_from(VARIABLES), small.map(sympy.Integer), st.just(x**2 - 2 * y))
expressions = st.recursive(leaves, _grown, max_leaves=6)


@given(expressions, rationals, rationals)
def test_both_routes_give_the_same_value(expression: sympy.Expr, first: Fraction, second: Fraction) -> None:
    point = {x: first, y: second}
    values = {s: sympy.Rational(v.numerator, v.denominator) for s, v in point.items()}
    assert sign_at(expression - evaluated(expression).xreplace(values), point) == "zero"


@given(expressions, rationals, rationals)
def test_constants_may_be_put_in_before_or_after(expression: sympy.Expr, first: Fraction, second: Fraction) -> None:
    values = {s: sympy.Rational(v.numerator, v.denominator) for s, v in ((x, first), (y, second))}
    assert evaluated(placed(expression, values)) == evaluated(expression).xreplace(values)


@given(expressions)
def test_rational_functions_without_a_pole_are_defined_everywhere(expression: sympy.Expr) -> None:
    """Whatever is asked for is that 1 + b^2 is not 0."""
    assert all(condition.op == "!=" and condition.gap.expand() != 0 for condition in needs(expression))
