"""Rigorous integrals meet the closed forms that they do not use."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from rgm_verify.balls.enclose import enclose
from rgm_verify.balls.integrate import integrate, integrate_gaussian_line, integrate_radial
from rgm_verify.balls.program import UnsupportedExpression
from rgm_verify.balls.special import LogRemainder

u, a, b, k = sympy.symbols("u a b k", real=True)
scales = st.fractions(min_value=Fraction(1, 50), max_value=100, max_denominator=50)
shifts = st.fractions(min_value=-30, max_value=30, max_denominator=20)

CLOSED = [
    (sympy.sqrt(u), 0, 1, sympy.Rational(2, 3)),
    (u ** sympy.Rational(1, 3), 0, 8, sympy.Integer(12)),
    (sympy.log(u), 1, 2, 2 * sympy.log(2) - 1),
    (1 / (1 + u**2), -1, 1, sympy.pi / 2),
    (sympy.exp(-u) * sympy.cos(u), 0, 3, (1 + sympy.exp(-3) * (sympy.sin(3) - sympy.cos(3))) / 2),
    (sympy.Abs(u - sympy.Rational(1, 3)), 0, 1, sympy.Rational(5, 18)),
    (LogRemainder(1, u) * u, 0, 1, 2 * sympy.log(2) - 1),
    (LogRemainder(3, u) * u**3, -Fraction(1, 2), 1, None),
    (u**sympy.pi, 1, 2, (2 ** (sympy.pi + 1) - 1) / (sympy.pi + 1)),
]


@pytest.mark.parametrize(("integrand", "lower", "upper", "value"), CLOSED, ids=[str(case[0]) for case in CLOSED])
def test_finite_integrals_hold_their_closed_form(integrand, lower, upper, value):
    found = integrate(integrand, u, lower, upper, {}, digits=12)
    if value is None:
        # LogRemainder(3, u) u^3 = log(1 + u) - u + u^2/2
        antiderivative = (1 + u) * sympy.log(1 + u) - u - u**2 / 2 + u**3 / 6
        value = antiderivative.subs(u, 1) - antiderivative.subs(u, sympy.Rational(-1, 2))
    closed = enclose(value, {})
    assert found.overlaps(closed)
    assert found.width() * 10**12 <= abs(closed.upper)


@pytest.mark.parametrize(
    ("integrand", "lower", "upper"),
    [(1 / u, -1, 1), (sympy.log(u - 3), 1, 2), (sympy.sqrt(u - 3) ** 3, 1, 2), (LogRemainder(1, u), -2, 0)],
)
def test_an_integrand_that_is_not_real_on_the_path_is_indeterminate(integrand, lower, upper):
    assert integrate(integrand, u, lower, upper, {}, digits=5).indeterminate


def test_reversed_ends_change_the_sign():
    forward = integrate(sympy.exp(u), u, 0, 1, {})
    backward = integrate(sympy.exp(u), u, 1, 0, {})
    assert (-backward.upper, -backward.lower) == (forward.lower, forward.upper)


def test_the_variable_of_integration_has_no_value():
    with pytest.raises(UnsupportedExpression, match="must not have a value"):
        integrate(u, u, 0, 1, {u: 1})
    with pytest.raises(UnsupportedExpression, match="a: symbol without a value"):
        integrate(a * u, u, 0, 1, {})


@settings(max_examples=20)
@given(scales, shifts, shifts)
def test_the_line_integral_is_the_gaussian_formula(at_a, at_b, at_k):
    point = {a: at_a, b: at_b, k: at_k}
    found = integrate_gaussian_line(-a * u**2 + b * u + k, u, point, digits=20)
    closed = enclose(sympy.sqrt(sympy.pi / a) * sympy.exp(b**2 / (4 * a) + k), point)
    assert found.overlaps(closed)
    assert found.width() * 10**20 <= closed.upper


@settings(max_examples=15)
@given(scales, shifts)
def test_a_polynomial_prefactor_gives_the_moments(at_a, centre):
    point = {a: at_a, b: centre}
    found = integrate_gaussian_line(-a * (u - b) ** 2, u, point, prefactor=u**4 - 3 * u + 1, digits=15)
    variance = 1 / (2 * a)
    moments = b**4 + 6 * b**2 * variance + 3 * variance**2 - 3 * b + 1
    assert found.overlaps(enclose(sympy.sqrt(sympy.pi / a) * moments, point))


@settings(max_examples=15)
@given(scales, shifts, st.integers(2, 40))
def test_the_cylindrical_integral_is_the_product_formula(at_a, at_b, dimension):
    point = {a: at_a, b: at_b}
    found = integrate_radial(a, b, sympy.Rational(1, 3), dimension, point, digits=15)
    closed = (sympy.pi / a) ** sympy.Rational(dimension, 2) * sympy.exp(b**2 / (4 * a) + sympy.Rational(1, 3))
    assert found.overlaps(enclose(closed, point))
    assert found.width() * 10**15 <= found.upper


@settings(max_examples=10)
@given(scales, shifts)
def test_a_wrong_gaussian_formula_is_told_apart(at_a, at_b):
    point = {a: at_a, b: at_b}
    found = integrate_gaussian_line(-a * u**2 + b * u, u, point)
    wrong = sympy.sqrt(sympy.pi / a) * sympy.exp(b**2 / (4 * a)) * (1 + sympy.Rational(1, 10**15))
    assert not found.overlaps(enclose(wrong, point))


@pytest.mark.parametrize(
    ("log_integrand", "point", "message"),
    [
        (a * u**2, {a: 1}, "leading coefficient .* must be certainly negative"),
        (a * u**2 + u, {a: 0}, "must be certainly negative"),
        (-a * u, {a: 1}, "must be of degree 2"),
        (-sympy.exp(u), {}, "must be a polynomial"),
    ],
)
def test_only_a_concave_quadratic_is_integrated_over_the_line(log_integrand, point, message):
    with pytest.raises(ValueError, match=message):
        integrate_gaussian_line(log_integrand, u, point)


def test_a_prefactor_must_be_a_polynomial():
    with pytest.raises(ValueError, match=r"prefactor=.*must be a polynomial"):
        integrate_gaussian_line(-(u**2), u, {}, prefactor=sympy.exp(u))


@pytest.mark.parametrize("dimension", [1, 0, True, 2.0])
def test_a_radial_integral_needs_two_dimensions(dimension):
    with pytest.raises(ValueError, match="must be an integer >= 2"):
        integrate_radial(Fraction(1), Fraction(0), Fraction(0), dimension)
