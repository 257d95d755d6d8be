"""Programs and SymPy give expressions with bound variables the same value, however these are nested."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from sympy.concrete import summations
from sympy.core import evalf

from rgm_verify.balls.binding import MOST_TERMS, At, LiteralProduct, LiteralSum, bound_symbols, evaluated, placed
from rgm_verify.balls.enclose import sign_at
from rgm_verify.balls.program import UnsupportedExpression
from rgm_verify.claims.formula import FormulaError, Relation, le, substitute
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


@given(expressions, st.sampled_from([x, x + 1, k, x * k, sympy.Integer(2)]), rationals)
def test_a_substitution_says_the_same_or_is_refused(expression: sympy.Expr, value: sympy.Expr, first: Fraction) -> None:
    point = {x: sympy.Rational(first.numerator, first.denominator), k: sympy.Integer(2)}
    try:
        made = substitute(le(expression, y), {y: value})
    except FormulaError as error:
        message = str(error)
    else:
        expected = evaluated(expression).xreplace({x: point[x], y: value.xreplace(point)})
        assert evaluated(made.lhs).xreplace(point) == expected
        return
    # Either an index would catch the value, or y is the variable of a derivative that SymPy takes at a point.
    bound = bound_symbols(expression)
    assert (value.free_symbols & bound and "use another letter" in message) or (y in bound and "class Subs" in message)


@given(expressions)
def test_rational_functions_without_a_pole_are_defined_everywhere(expression: sympy.Expr) -> None:
    """Whatever is asked for is that 1 + b^2 is not 0."""
    for condition in needs(expression):
        assert isinstance(condition, Relation)
        assert condition.op == "!="
        assert condition.gap.expand() != 0


m = sympy.Symbol("m", integer=True, positive=True)
#: The distance of the first terms of a series from its limit, which SymPy asks for the sign of whenever it can.
REST = sympy.Abs(sympy.Sum((-1) ** (k + 1) / k, (k, 1, m)) - sympy.log(2))
QUOTIENT = sympy.Abs(sympy.Product(1 - 1 / (k + 1) ** 2, (k, 1, m)) - sympy.Rational(1, 2))


@pytest.fixture
def no_sums_by_sympy(monkeypatch: pytest.MonkeyPatch) -> None:
    """SymPy evaluates no sum and no product of numbers."""

    def refused(*_: object) -> object:
        raise AssertionError("SymPy evaluates a sum")

    for kind in (sympy.Sum, sympy.Product, LiteralSum, LiteralProduct):
        monkeypatch.setitem(evalf.evalf_table, kind, refused)


def test_the_fixture_refuses(no_sums_by_sympy: None) -> None:
    with pytest.raises(AssertionError, match="SymPy evaluates a sum"):
        REST.subs(m, 3).evalf()


@pytest.mark.parametrize("last", [1, 5, 300])
def test_the_sign_at_a_point_takes_no_sum_by_sympy(no_sums_by_sympy: None, last: int) -> None:
    # The rest of the alternating series lies between halves of neighbouring terms.
    point = {m: Fraction(last)}
    assert sign_at(REST - 1 / (2 * m), point) == "negative"
    assert sign_at(REST - 1 / (2 * (m + 1)), point) == "positive"
    assert sign_at(QUOTIENT - 1 / (2 * (m + 1)), point) == "zero"


def test_constants_put_into_an_expression_take_no_sum_by_sympy(no_sums_by_sympy: None) -> None:
    there = placed(REST + QUOTIENT, {m: sympy.Integer(300)})
    assert not there.free_symbols
    assert there.has(sympy.Sum)
    assert there.has(sympy.Product)


@pytest.mark.parametrize("kind", [sympy.Sum, sympy.Product])
def test_too_many_terms_are_refused_at_once(no_sums_by_sympy: None, kind: type[sympy.Expr]) -> None:
    expression = sympy.Abs(kind(1 + 1 / k**2, (k, 1, m)) - 2)
    with pytest.raises(UnsupportedExpression, match=f"of at most {MOST_TERMS} terms"):
        sign_at(expression, {m: Fraction(MOST_TERMS + 1)})


@pytest.fixture
def no_form_by_sympy(monkeypatch: pytest.MonkeyPatch) -> None:
    """SymPy looks for no form of a sum or a product, which takes it minutes for some."""

    def refused(*_: object, **__: object) -> object:
        raise AssertionError("SymPy looks for a form")

    monkeypatch.setattr(summations, "eval_sum_symbolic", refused)
    monkeypatch.setattr(sympy.Product, "_eval_product", refused)


@pytest.mark.parametrize("last", [101, 150, MOST_TERMS])
def test_sums_and_products_of_some_hundred_terms_are_written_out(no_form_by_sympy: None, last: int) -> None:
    with pytest.raises(AssertionError, match="looks for a form"):
        sympy.Sum(1 / k, (k, 1, last)).doit()
    exact = sum(Fraction(1, i) for i in range(1, last + 1))
    assert evaluated(sympy.Sum(1 / k, (k, 1, last))) == sympy.Rational(exact.numerator, exact.denominator)
    assert evaluated(sympy.Product(1 - 1 / (k + 1), (k, 1, last))) == sympy.Rational(1, last + 1)
    inner = sympy.Symbol("j", integer=True)
    triangle = sympy.Sum(sympy.Sum(1 / k, (inner, 1, k)), (k, 1, last))
    assert evaluated(triangle) == last


@pytest.mark.parametrize("last", [MOST_TERMS + 1, 10**9])
def test_longer_ones_stay_as_they_are(no_form_by_sympy: None, last: int) -> None:
    for long in (sympy.Sum(1 / k, (k, 1, last)), sympy.Product(1 + 1 / k**2, (k, 1, last))):
        assert evaluated(1 + x * long) == 1 + x * long


def test_a_long_sum_of_a_polynomial_has_its_value() -> None:
    assert evaluated(sympy.Sum(k**3 * x, (k, 1, 10**9))) == x * (10**9 * (10**9 + 1) // 2) ** 2
