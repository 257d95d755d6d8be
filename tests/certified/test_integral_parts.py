"""The parts of rigorous integration: tails are bounds of what is left out, on both sides, for every power."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import pytest
import sympy
from flint import arb, ctx

from rgm_verify.balls import integrate
from rgm_verify.balls.arithmetic import ball, precision
from rgm_verify.balls.enclose import Enclosure

F = Fraction


@pytest.mark.parametrize("power", range(5))
@pytest.mark.parametrize("rate", [F(1), F(1, 2), F(3)])
def test_the_exponential_tail_from_zero_is_a_factorial(power: int, rate: Fraction) -> None:
    with precision(64):
        found = integrate._exponential_tail(power, ball(rate), arb(0))
        assert found.contains(ball(math.factorial(power) / rate ** (power + 1)))
        assert found.rad() < arb("1e-15")


@pytest.mark.parametrize("power", range(1, 5))
@pytest.mark.parametrize(("rate", "start"), [(F(1), F(2)), (F(1, 2), F(3)), (F(5), F(1, 3))])
def test_exponential_tails_satisfy_their_recurrence(power: int, rate: Fraction, start: Fraction) -> None:
    """By parts: tail(n) = start^n exp(-rate start) / rate + n / rate tail(n - 1)."""
    with precision(64):
        r, s = ball(rate), ball(start)
        before = integrate._exponential_tail(power - 1, r, s)
        expected = s**power * (-r * s).exp() / r + power / r * before
        assert integrate._exponential_tail(power, r, s).overlaps(expected)
        assert expected.rad() < arb("1e-12")
        assert integrate._exponential_tail(0, r, s).overlaps((-r * s).exp() / r)


@pytest.mark.parametrize("weights", [(1,), (0, 1), (2, -3, 1), (-1, 0, 0, 1)])
@pytest.mark.parametrize("peak", [F(0), F(1, 3), F(-1, 2)])
@pytest.mark.parametrize("reach", [F(2), F(4)])
def test_the_tails_of_the_line_are_at_most_their_bound(
    weights: tuple[int, ...], peak: Fraction, reach: Fraction
) -> None:
    """The integral of |weights(v)| exp(-(v - peak)^2) over |v| > reach, which mpmath computes."""
    quadratic = [sympy.Rational(-(peak**2)), sympy.Rational(2 * peak), sympy.Integer(-1)]
    with precision(64):
        found = integrate._line_tail(quadratic, [sympy.Integer(w) for w in weights], F(0), reach, {})
        bound = mpmath.mpf(str(found.upper().mid().str(20, radius=False)))
        assert found.contains(arb(0))

    def size(v: mpmath.mpf) -> mpmath.mpf:
        top = mpmath.mpf(peak.numerator) / peak.denominator
        return abs(sum(w * v**k for k, w in enumerate(weights))) * mpmath.exp(-((v - top) ** 2))

    end = int(reach)
    true = mpmath.quad(size, [-mpmath.inf, -end - 2, -end]) + mpmath.quad(size, [end, end + 2, mpmath.inf])
    assert true < bound


def test_a_tail_that_does_not_fall_has_no_bound() -> None:
    with precision(64):
        quadratic = [sympy.Integer(0), sympy.Integer(9), sympy.Integer(-1)]
        assert integrate._line_tail(quadratic, [sympy.Integer(1)], F(0), F(2), {}).is_nan()
        assert not integrate._line_tail(quadratic, [sympy.Integer(1)], F(0), F(10), {}).is_nan()


@pytest.mark.parametrize("curvature", [F(1), F(1, 100), F(7, 3), F(10**6), F(10**12, 7)])
def test_the_reach_leaves_less_than_the_rounding(curvature: Fraction) -> None:
    with precision(64):
        reach = integrate._reach(curvature)
        assert curvature * reach**2 >= ctx.prec + 30
        assert curvature * reach**2 <= 8 * (ctx.prec + 30)


@pytest.mark.parametrize("square", [F(1), F(1, 2), F(1, 4), F(1, 5), F(1, 10**9), F(3, 10**12)])
def test_a_small_root_is_at_least_the_root_and_at_most_twice_it(square: Fraction) -> None:
    root = integrate._small_root(square)
    assert square <= root**2 <= 4 * square


@pytest.mark.parametrize(("power", "curvature"), [(0, F(3)), (1, F(1)), (6, F(1, 2)), (9, F(100))])
def test_the_reach_of_a_power_lies_behind_its_maximum(power: int, curvature: Fraction) -> None:
    found = integrate._reach_of_power(power, curvature)
    assert found**2 >= F(power) / (2 * curvature)
    assert (found == 0) == (power == 0)


@pytest.mark.parametrize(
    ("one", "other", "product"),
    [
        ((1, 2), (3, 5), (3, 10)),
        ((F(1, 2), F(1, 2)), (4, 4), (2, 2)),
        ((-1, 2), (3, 5), (-5, 10)),
        ((-2, -1), (-3, -1), (1, 6)),
    ],
)
def test_the_product_of_two_enclosures_is_exact(one: tuple, other: tuple, product: tuple) -> None:
    first, second, expected = (Enclosure(F(low), F(high)) for low, high in (one, other, product))
    assert integrate._product(first, second) == expected


def test_a_product_with_an_unbounded_end_is_indeterminate() -> None:
    for unbounded in (Enclosure(None, F(1)), Enclosure(F(1), None), Enclosure(None, None, indeterminate=True)):
        assert integrate._product(unbounded, Enclosure(F(1), F(2))).indeterminate
        assert integrate._product(Enclosure(F(1), F(2)), unbounded).indeterminate


@pytest.mark.parametrize("centre", [F(0), F(3), F(-7, 5)])
@pytest.mark.parametrize("height", [1, 3])
def test_a_gaussian_integral_holds_its_value_wherever_its_peak_is(centre: Fraction, height: int) -> None:
    u = sympy.Symbol("u", real=True)
    middle = sympy.Rational(centre.numerator, centre.denominator)
    found = integrate.integrate_gaussian_line(-height * (u - middle) ** 2, u, {}, prefactor=u**2, digits=20)
    with mpmath.workdps(40):
        m = mpmath.mpf(centre.numerator) / centre.denominator
        value = mpmath.sqrt(mpmath.pi / height) * (m**2 + mpmath.mpf(1) / (2 * height))
        exact = F(str(mpmath.nstr(value, 35)))
    assert found.lower is not None
    assert found.upper is not None
    assert found.lower <= exact + F(1, 10**30)
    assert exact - F(1, 10**30) <= found.upper
    assert found.upper - found.lower <= exact / 10**19


@pytest.mark.parametrize("exponent", ["u**2", "u", "-u**3", "-u**2*0", "a*u**2"])
def test_an_exponent_that_is_not_certainly_concave_and_quadratic_is_refused(exponent: str) -> None:
    u, a = sympy.symbols("u a", real=True)
    with pytest.raises(ValueError, match="log_integrand"):
        integrate.integrate_gaussian_line(sympy.sympify(exponent, {"u": u, "a": a}), u, {a: F(0)})


@pytest.mark.parametrize("dimension", [1, 0, 2.0, True])
def test_a_radial_integral_needs_at_least_two_dimensions(dimension: int) -> None:
    with pytest.raises(ValueError, match="must be an integer >= 2"):
        integrate.integrate_radial(F(1), F(0), F(0), dimension)


@pytest.mark.parametrize("dimension", [2, 3, 5])
def test_a_radial_integral_holds_the_power_of_the_line(dimension: int) -> None:
    """The integral of exp(-A |u|^2) over R^d is (pi / A)^(d / 2)."""
    found = integrate.integrate_radial(F(3, 2), F(0), F(0), dimension, digits=15)
    with mpmath.workdps(40):
        exact = F(str(mpmath.nstr((mpmath.pi * 2 / 3) ** (mpmath.mpf(dimension) / 2), 35)))
    assert found.lower is not None
    assert found.upper is not None
    assert found.lower <= exact + F(1, 10**30)
    assert exact - F(1, 10**30) <= found.upper
    assert found.upper - found.lower <= exact / 10**14
