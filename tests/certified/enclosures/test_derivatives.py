"""Programs differentiate, substitute and add up by themselves, and agree exactly with what is known."""

from fractions import Fraction

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.balls.binding import At, LiteralSum, evaluated, placed
from rgm_verify.balls.compiling import compile_expressions
from rgm_verify.balls.enclose import enclose, sign_at
from rgm_verify.balls.program import UnsupportedExpression
from rgm_verify.balls.special import LogRemainder

x, y = sympy.symbols("x y", real=True)
p = sympy.Symbol("p", positive=True)
n = sympy.Symbol("n", integer=True, nonnegative=True)
k = sympy.Symbol("k", integer=True)
D, Sum, Product = sympy.Derivative, sympy.Sum, sympy.Product
rationals = st.fractions(min_value=-9, max_value=9, max_denominator=40)


@given(rationals, rationals, st.integers(1, 5))
def test_derivatives_of_a_rational_function_are_exact(first: Fraction, second: Fraction, order: int) -> None:
    function = (x**4 - 2 * x * y) / (1 + x**2 + y**2)
    point = {x: first, y: second}
    assert sign_at(D(function, (x, order)) - sympy.diff(function, x, order), point) == "zero"


@pytest.mark.parametrize("order", [1, 2, 3, 4])
@pytest.mark.parametrize(
    "function",
    [
        sympy.log(p) * sympy.sqrt(p),
        sympy.exp(-(p**2)) / p,
        sympy.sin(p) * sympy.cosh(p),
        sympy.erf(p / 2),
        p ** sympy.Rational(5, 3),
        p**p,
        sympy.tanh(p),
        sympy.gamma(p),
    ],
)
def test_derivatives_agree_with_those_of_sympy(function: sympy.Expr, order: int) -> None:
    try:
        by_program = enclose(D(function, (p, order)), {p: Fraction(7, 5)}, digits=40)
    except UnsupportedExpression:
        assert function.has(sympy.gamma)
        assert order > 1  # the derivative of digamma has no ball arithmetic
        return
    assert by_program.overlaps(enclose(sympy.diff(function, p, order), {p: Fraction(7, 5)}, digits=40))


def test_a_remainder_is_differentiated_like_the_logarithm_that_it_is() -> None:
    remainder, closed = D(LogRemainder(1, p), p), sympy.diff(sympy.log(1 + p) / p, p)
    assert enclose(remainder, {p: Fraction(1, 3)}).overlaps(enclose(closed, {p: Fraction(1, 3)}))


@pytest.mark.parametrize(
    ("expression", "point", "value"),
    [
        (At(D(x * y, x), y, x), {x: 3}, 3),  # what is put in afterwards is not differentiated
        (D(At(x * y, y, x), x), {x: 3}, 6),  # what is put in before is
        (At(x**2 + y, x, x + 1), {x: 2, y: 0}, 9),
        (At(x - y, (x, y), (y, x)), {x: 2, y: 5}, 3),  # both at once
        (At(D(x**3, (x, 2)), x, sympy.Rational(1, 2)), {}, 3),
        (D(y**x, y), {x: 2, y: 3}, 6),
        (D(x**n, x), {x: -2, n: 3}, 12),
        (D(D(x**3 * y**2, x), y), {x: 1, y: 1}, 6),
        (Sum(k**2, (k, 1, 4)), {}, 30),
        (Sum(k * x**k, (k, 0, 3)), {x: -1}, -2),
        (Sum(k, (k, 1, n)), {n: 10}, 55),
        (Sum(k, (k, 1, n)), {n: 0}, 0),
        (Sum(k * n, (k, 1, n), (n, 1, 2)), {}, 7),
        (Product(x + k, (k, 1, 3)), {x: 1}, 24),
        (Product(k, (k, 1, 0)), {}, 1),
        (D(Sum(x**k, (k, 1, 3)), x), {x: 2}, 17),
        (At(Sum(x**k, (k, 1, 2)), x, y + 1), {y: 1}, 6),
    ],
)
def test_what_is_bound_means_what_it_says(expression: sympy.Expr, point: dict[sympy.Symbol, int], value: int) -> None:
    assert sign_at(expression - value, point) == "zero"
    constants = {s: sympy.Integer(v) for s, v in point.items()}
    assert evaluated(placed(expression, constants)) == value


def test_an_exponent_that_is_differentiated_is_no_constant() -> None:
    """The power is 4 at x = 2, but its derivative in the exponent is 4 log 2 and not 0."""
    slope = enclose(D(y**x, x), {x: 2, y: 2})
    assert slope.overlaps(enclose(4 * sympy.log(2), {}))
    assert not slope.contains(0)


@pytest.mark.parametrize(
    "expression",
    [
        D(sympy.Abs(x), x),
        D(sympy.Max(x, y), x),
        D(sympy.sign(x), x),
        D(x**n, n),
        Sum(k, (k, 1, x)),
        Sum(k, (k, 3, 1)),
        Sum(k, (k, 1, 10**9)),
    ],
)
def test_what_has_no_certain_value_is_refused(expression: sympy.Expr) -> None:
    with pytest.raises(UnsupportedExpression):
        compile_expressions([expression], sorted(expression.free_symbols, key=str))


@pytest.mark.parametrize("value", [0, -1])
def test_nothing_is_said_where_a_function_has_no_derivative(value: int) -> None:
    assert sign_at(D(sympy.sqrt(x), x), {x: value}) == "unknown"
    assert sign_at(D(x**y, x), {x: value, y: Fraction(1, 2)}) == "unknown"


def test_constants_are_put_in_without_touching_what_is_bound() -> None:
    root = sympy.sqrt(2)
    assert placed(D(x**2 * y, x), {x: root, y: sympy.Integer(3)}) == At(D(3 * x**2, x), x, root)
    assert placed(Sum(k * x, (k, 1, n)), {n: sympy.Integer(3), k: sympy.Integer(7)}) == LiteralSum(k * x, (k, 1, 3))
    assert sign_at(placed(D(x**2, x), {x: root}) - 2 * root, {}) in ("zero", "unknown")


def test_constants_reach_every_part_of_an_expression_and_nothing_that_is_bound() -> None:
    root, three = sympy.sqrt(2), sympy.Integer(3)
    whole = (
        1 + x * Sum(k * x, (k, 1, n)) + sympy.log(D(x**2 * y, x)) + sympy.Integral(x * y, (x, 0, y)) + At(x * y, x, x)
    )
    expected = 1 + root * LiteralSum(k * root, (k, 1, n)) + sympy.log(At(D(3 * x**2, x), x, root))
    expected += sympy.Integral(3 * x, (x, 0, 3)) + At(3 * x, x, root)
    assert placed(whole, {x: root, y: three, k: three}) == expected
    assert placed(whole, {k: three}) == whole
    assert placed(x + y, {x: y, y: x}) == y + x
    assert placed(sympy.Function("f")(x, D(y**2, y)), {x: root, y: three}).args == (root, At(D(y**2, y), y, three))


def test_several_factors_of_minus_one_are_all_counted() -> None:
    product = sympy.Mul(-1, -1, x, evaluate=False)
    assert sign_at(product - 3, {x: 3}) == "zero"
    assert sign_at(sympy.Mul(-1, x, -1, -1, evaluate=False) + 3, {x: 3}) == "zero"


def test_points_of_different_values_are_never_taken_for_each_other() -> None:
    """SymPy's Subs holds both pairs for equal, and its caches then exchange them."""
    first, second = At(D(y**2, y), y, 3), At(D(x * y, x), (x, y), (3, 3))
    assert (first != second, evaluated(first), evaluated(second)) == (True, 6, 3)
    assert At(x, x, sympy.Symbol("u", real=True)) != At(x, x, sympy.Symbol("u", positive=True))
    assert At(D(y**2, y), y, 3) == first
    assert hash(At(D(y**2, y), y, 3)) == hash(first)


def test_substituting_into_a_point_touches_no_bound_variable() -> None:
    assert At(x * y, x, y).subs(y, x).doit() == x**2
    assert At(x * y, x, y).subs(x, 7) == At(x * y, x, y)
    assert At(At(x, x, y), y, 3).doit() == 3


@pytest.mark.parametrize("arguments", [((x, y), (1,)), ((x, x), (1, 2)), (x + 1, 0)])
def test_a_point_without_a_value_for_each_variable_is_refused(arguments: tuple[object, object]) -> None:
    with pytest.raises(ValueError, match="distinct variables, and one value for each"):
        At(x, *arguments)
