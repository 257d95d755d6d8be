"""The parts of rigorous integration: tails are bounds of what is left out, on both sides, for every power."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import pytest
import sympy
from flint import acb, arb, ctx

from rgm_verify.balls import integrate, paths
from rgm_verify.balls.arithmetic import ball, precision
from rgm_verify.balls.compiling import compile_expressions
from rgm_verify.balls.enclose import Enclosure, enclose

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


@pytest.mark.parametrize("centre", [F(0), F(3, 2), F(-3, 2)])
@pytest.mark.parametrize("weights", [(1,), (2, -3, 1)])
def test_the_bound_of_the_tails_is_the_closed_form_for_both_sides(centre: Fraction, weights: tuple[int, ...]) -> None:
    """exp(c0 + c1 u + c2 u^2) = h exp(b v + c2 v^2) <= h exp(-(|c2| T - |b|) |v|) on |v| > T, u = centre + v."""
    c0, c1, c2, reach = F(1, 3), F(1, 2), F(-3), F(4)
    quadratic = [sympy.Rational(c.numerator, c.denominator) for c in (c0, c1, c2)]
    with precision(64):
        found = integrate._line_tail(quadratic, [sympy.Integer(w) for w in weights], centre, reach, {})
        assert found.contains(0)
        upper = mpmath.mpf(found.upper().str(20, radius=False))
    height = mpmath.exp(float(c0 + centre * (c1 + centre * c2)))
    rate = float(-c2 * reach - abs(c1 + 2 * c2 * centre))
    assert rate > 0
    sides = [mpmath.gammainc(k + 1, rate * 4) / mpmath.mpf(rate) ** (k + 1) for k in range(len(weights))]
    expected = 2 * height * mpmath.fsum(abs(w) * side for w, side in zip(weights, sides, strict=True))
    assert expected * (1 - 1e-12) <= upper <= expected * (1 + 1e-6)


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


# ------------------------------------------------------------------------------------- complex balls on their cuts

ON_THE_CUT = [
    acb(-2),
    acb(-1.5),
    acb(arb(-1.5, 0.25), arb(0, 0.25)),
    acb(0),
    acb(arb(0, 1), arb(0, 1)),
    acb(-1, arb(0, 0.5)),
]
OFF_THE_CUT = [acb(2), acb(-2, 1), acb(-2, -1), acb(0, 0.5), acb(arb(1, 0.25), arb(0, 0.25))]


BEHIND_CUTS = {
    "log": (paths._log, lambda z: z.log()),
    "sqrt": (lambda z: paths._sqrt(z, True), lambda z: z.sqrt()),
    "lgamma": (paths._off_cut_only("lgamma"), lambda z: z.lgamma()),
    "upper": (lambda z: paths._gamma_upper(acb(1.5), z), lambda z: z.gamma_upper(acb(1.5))),
    "lower": (lambda z: paths._gamma_lower(acb(1.5), z), lambda z: z.gamma_lower(acb(1.5))),
    "cube root": (lambda z: paths._root(z, 3, True), lambda z: (z.log() / 3).exp()),
    "power": (lambda z: paths.OPERATIONS["gpow"]([z, acb(1.5)], [], True), lambda z: (z.log() * 1.5).exp()),
}


@pytest.mark.parametrize("name", BEHIND_CUTS)
def test_a_function_with_a_cut_is_none_on_it_and_itself_elsewhere(name: str) -> None:
    function, plain = BEHIND_CUTS[name]
    with precision(64):
        for z in ON_THE_CUT:
            assert not function(z).is_finite()
        for z in OFF_THE_CUT:
            assert function(z).is_finite()
            assert function(z).overlaps(plain(z))


def test_the_moment_has_its_cut_from_minus_one_down() -> None:
    with precision(64):
        for z in (acb(-1), acb(-3), acb(arb(-1, 0.5))):
            assert not paths._moment(2, 1, z).is_finite()
        for z, value in ((-0.5, 4 * math.log(2) - 2), (1.0, 1 - math.log(2))):
            # integral_0^1 s / (1 + s z) ds = (z - log(1 + z)) / z^2
            found = paths._moment(2, 1, acb(z))
            assert found.imag.contains(0)
            assert abs(found.real - value) < arb("1e-12")
        assert paths._moment(2, 1, acb(-3, 1)).is_finite()


@pytest.mark.parametrize("order", [2, 3, 5])
def test_a_root_on_the_real_path_may_touch_zero_and_an_analytic_one_may_not(order: int) -> None:
    def root(z: acb, analytic: bool) -> acb:
        return paths._sqrt(z, analytic) if order == 2 else paths._root(z, order, analytic)

    with precision(64):
        touching = acb(arb(1, 1).nonnegative_part())
        assert root(touching, False).is_finite()
        assert root(touching, False).real.contains(1)
        assert root(touching, False).real.contains(0)
        assert root(acb(0), False) == 0
        assert not root(touching, True).is_finite()
        assert not root(acb(-1), False).is_finite()
        assert not root(acb(arb(0, 1)), False).is_finite()
        assert not root(acb(arb(1, 1).nonnegative_part(), arb(0, 1)), False).is_finite()
        assert root(acb(2**order), False).real.contains(2)


u, p = sympy.symbols("u p", real=True)
OPERATIONS = [
    (u + p, 3), (u - p, 3), (u * p, 3), (u / p, 3), (-u, 3), (u**2, 3), (u**5, 3), (u**-2, 3),
    (sympy.root(u, 3), 3), (sympy.sqrt(u), 3), (u**p, 3), (sympy.log(u), 3), (sympy.Abs(p - u), 3),
    (sympy.Min(u, p), 3), (sympy.Max(u, p), 3), (sympy.loggamma(u), 3), (sympy.uppergamma(p, u), 3),
    (sympy.lowergamma(p, u), 3), (sympy.exp(u), 3), (sympy.sin(u), 3), (sympy.cos(u), 3), (sympy.sinh(u), 3),
    (sympy.cosh(u), 3), (sympy.tanh(u), 3), (sympy.erf(u), 3), (sympy.erfc(u), 3), (sympy.gamma(u), 3),
    (sympy.digamma(u), 3), (sympy.pi * u, 3), (sympy.E * u, 3), (sympy.pi - sympy.E + u, 3), (sympy.sign(u), 3),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "at"), OPERATIONS, ids=[str(e) for e, _ in OPERATIONS])
def test_every_operation_on_complex_balls_is_the_one_on_real_balls(expression: sympy.Expr, at: int) -> None:
    """At real points, with the constants and the parameter that the program holds."""
    for parameter in (F(5, 2), F(7, 2)):
        program = compile_expressions([expression], [u, p])
        with precision(96):
            function = paths.integrand_of(program, [parameter])
            for analytic in (False, True):
                value = function(acb(at), analytic)
                assert value.is_finite()
                assert value.imag.contains(0)
                low, high = integrate.rational_ends(value.real)
                assert low is not None
                assert high is not None
                true = enclose(expression, {u: F(at), p: parameter}, digits=25)
                assert Enclosure(low, high).overlaps(true)
                assert high - low < F(1, 10**18)


def test_an_integral_over_a_constant_is_that_constant() -> None:
    for constant in (sympy.pi, sympy.E, sympy.Rational(7, 3)):
        found = integrate.integrate(constant + 0 * u, u, 0, 1, {}, digits=20)
        assert found.overlaps(enclose(constant, {}, digits=30))


def test_a_half_line_of_quadrature_stays_on_its_side_of_zero() -> None:
    """The square root of a ball around a piece of [0, 1] that reaches below 0, which the path does not."""
    found = integrate.integrate(sympy.sqrt(u), u, 0, 1, {}, digits=12)
    assert found.contains(F(2, 3))
    below = integrate.integrate(sympy.sqrt(u + 1), u, -1, 0, {}, digits=6)
    assert below.indeterminate or below.contains(F(2, 3))
    assert integrate.integrate(sympy.sqrt(u), u, F(-1, 100), 1, {}, digits=5).indeterminate


def test_twenty_five_digits_are_asked_for_unless_said_otherwise() -> None:
    for face, arguments in (
        (integrate.integrate, (sympy.exp(u), u, 0, 1, {})),
        (integrate.integrate_gaussian_line, (-(u**2), u, {})),
        (integrate.integrate_radial, (F(1), F(1), F(0), 3)),
    ):
        assert face(*arguments) == face(*arguments, digits=25)
    assert integrate.integrate_gaussian_line(-(u**2), u, {}) == integrate.integrate_gaussian_line(
        -(u**2), u, {}, prefactor=1
    )
