"""Text and functions in the language of mpmath: whoever pastes the text gets the value, in as many digits as asked."""

from __future__ import annotations

import inspect
import math
from fractions import Fraction
from typing import Any

import mpmath
import pytest
import sympy

from rgm_verify.balls.enclose import enclose
from rgm_verify.lenses.points.mpmath_code import mpmath_function, mpmath_text
from rgm_verify.lenses.points.numeric import mpmath_value

x = sympy.Symbol("x", real=True)
n = sympy.Symbol("n", integer=True, positive=True)
k, j = sympy.symbols("k j", integer=True)
ONE = sympy.Rational
PLACE = Fraction(2, 5)
#: One expression for each function that balls know, defined at 2/5.
FUNCTIONS = [
    sympy.sin(x), sympy.cos(x), sympy.tan(x), sympy.asin(x), sympy.acos(x), sympy.atan(x), sympy.sinh(x), sympy.cosh(x),
    sympy.tanh(x), sympy.asinh(x), sympy.acosh(x + 1), sympy.atanh(x), sympy.exp(x), sympy.log(x), sympy.erf(x),
    sympy.erfc(x), sympy.erfi(x), sympy.erfinv(x), sympy.erfcinv(x), sympy.LambertW(x), sympy.gamma(x),
    sympy.loggamma(x), sympy.digamma(x), sympy.polygamma(1, x), sympy.uppergamma(x, 1), sympy.lowergamma(x, 1),
    sympy.factorial(x), sympy.binomial(x, x / 2), sympy.harmonic(x), sympy.floor(x + 3), sympy.ceiling(x + 3),
    sympy.EulerGamma + x, sympy.Max(x, sympy.pi), sympy.Min(x, sympy.pi), sympy.Abs(x - sympy.pi), x ** (x / 3),
]  # fmt: skip
#: Sums and products with their exact values at x = 2/5, n = 6.
LOOPS = [
    (sympy.Sum(1 / k, (k, 1, n)), ONE(49, 20)),
    (sympy.Sum(k / (k + 1) * x**k, (k, 0, 2)), ONE(1, 5) + ONE(8, 75)),
    (sympy.Product(1 + 1 / k, (k, 1, n)), ONE(7)),
    (sympy.Product(1 - 1 / (k + 1) ** 2, (k, 1, n)), ONE(4, 7)),
    (sympy.Sum(j / k, (j, 1, k), (k, 1, n)), ONE(27, 2)),
    (sympy.Sum(sympy.Product(j / (j + 1), (j, 1, k)), (k, 1, n)), ONE(49, 20) - 1 + ONE(1, 7)),
    (sympy.Product(sympy.Sum(x, (j, 1, k)), (k, 1, 3)), 6 * ONE(2, 5) ** 3),
    (sympy.Sum(1 / (k * x) - 1 / (k * x) ** 2, (k, 1, 2)), ONE(15, 4) - ONE(125, 16)),
    (sympy.Sum(k, (k, 1, n - 6)), ONE(0)),
    (sympy.Product(k, (k, 1, n - 6)), ONE(1)),
]  # fmt: skip


def pasted(text: str, **values: Any) -> Any:
    """The value of a text for someone who has imported all of mpmath."""
    names: dict[str, Any] = {}
    exec("from mpmath import *", names)
    return eval(text, {**names, **values})


def both_ways(expression: sympy.Expr) -> list[Fraction]:
    """The value at x = 2/5, n = 6 of the text and of the function, to 60 digits."""
    with mpmath.workdps(60):
        place, number = mpmath.mpf(2) / 5, mpmath.mpf(6)
        found = pasted(mpmath_text(expression), x=place, n=number), mpmath_function([x, n], expression)(place, number)
        return [Fraction(mpmath.nstr(value, 60)) for value in found]


@pytest.mark.parametrize("expression", FUNCTIONS, ids=str)
def test_the_text_and_the_function_give_the_value(expression: sympy.Expr) -> None:
    ball = enclose(expression, {x: PLACE}, digits=60)
    # The ball is narrow, so that agreement says something.
    room = Fraction(1, 10**50)
    assert ball.upper - ball.lower <= room
    assert all(ball.lower - room <= value <= ball.upper + room for value in both_ways(expression))


@pytest.mark.parametrize(("expression", "exact"), LOOPS, ids=str)
def test_sums_and_products_have_all_digits(expression: sympy.Expr, exact: sympy.Expr) -> None:
    room = Fraction(1, 10**50)
    assert all(abs(value - Fraction(exact.p, exact.q)) <= room for value in both_ways(expression))


def test_common_parts_are_computed_once() -> None:
    nested = x
    for _ in range(10):
        nested = nested * sympy.sin(nested) + 1
    assert 10 * len(inspect.getsource(mpmath_function([x], nested))) < len(mpmath_text(nested))
    by_text, by_function = both_ways(nested)
    assert abs(by_text - by_function) <= Fraction(1, 10**40)


@pytest.mark.parametrize("order", [2, 3])
def test_harmonic_numbers_have_an_order(order: int) -> None:
    exact = sum(Fraction(1, i**order) for i in range(1, 7))
    assert all(abs(value - exact) <= Fraction(1, 10**50) for value in both_ways(sympy.harmonic(n, order)))


@pytest.mark.parametrize("last", [3, 60])
def test_binomial_coefficients_are_0_outside_of_the_triangle(last: int) -> None:
    row = sympy.Sum(sympy.binomial(n, k), (k, 0, last))
    exact = sum(math.comb(6, i) for i in range(last + 1))
    assert all(abs(value - exact) <= Fraction(1, 10**50) for value in both_ways(row))


@pytest.mark.parametrize("kind", [sympy.Sum, sympy.Product])
def test_what_is_too_long_is_refused(kind: type[sympy.Expr]) -> None:
    function = mpmath_function([n], kind(1 + 1 / k**2, (k, 1, n)))
    assert function(10_000) > 1
    with pytest.raises(ValueError, match="from 1 to 10002 is too long"):
        function(10_001)


def test_what_has_no_name_is_refused_and_has_no_value() -> None:
    derivative = sympy.Derivative(sympy.Function("f")(x), x)
    with pytest.raises(NotImplementedError):
        mpmath_text(derivative)
    assert mpmath_value(derivative, {x: Fraction(1)}) == (None, 0)


@pytest.mark.parametrize("at", [Fraction(10, 99), Fraction(0), Fraction(1), Fraction(-3), Fraction(7, 2)])
def test_an_integral_is_split_where_its_integrand_has_a_kink(at: Fraction) -> None:
    """Across a kink quadrature has few right digits, and a true statement would look false."""
    t = sympy.Symbol("t", real=True)
    place, c = sympy.Rational(at), min(max(at, Fraction(0)), Fraction(1))
    # The integral of |t - x| over [0, 1], by its two parts or by the only one.
    exact = (c**2 - c + Fraction(1, 2)) + abs(at - c)
    bent = sympy.Integral(sympy.Abs(t - x), (t, 0, 1))
    both = sympy.Integral(sympy.Max(t - x, x - t), (t, 0, 1))
    with mpmath.workdps(40):
        for integral in (bent, both):
            # Quadrature is exact for the two linear parts, up to rounding in 40 digits.
            found = mpmath_function([x], integral)(mpmath.mpf(at.numerator) / at.denominator)
            assert abs(found - mpmath.mpf(exact.numerator) / exact.denominator) < mpmath.mpf(10) ** -35
    assert mpmath_text(bent.subs(x, place)).startswith("quad(lambda t: ")


def test_an_integral_without_a_kink_is_written_as_before() -> None:
    t = sympy.Symbol("t", real=True)
    assert mpmath_text(sympy.Integral(sympy.exp(t * x), (t, 0, 1))) == "quad(lambda t: exp(t*x), (0, 1))"
    # The place of a kink of which the slope may be 0 is not written down.
    assert mpmath_text(sympy.Integral(sympy.Abs(1 - t * x), (t, 0, 1))) == "quad(lambda t: abs(t*x - 1), (0, 1))"
