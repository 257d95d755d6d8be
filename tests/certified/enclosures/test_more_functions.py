"""Balls of inverse functions, of functions of integers and of integrals, against mpmath and against each other."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import pytest
import sympy
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from rgm_verify.balls import evaluation
from rgm_verify.balls.arithmetic import precision
from rgm_verify.balls.binding import with_ends
from rgm_verify.balls.compiling import compile_expressions
from rgm_verify.balls.differentiation import differentiate_output
from rgm_verify.balls.enclose import enclose, sign_at
from rgm_verify.balls.evaluation import compile_balls
from rgm_verify.balls.program import UnsupportedExpression
from rgm_verify.balls.special import MPMATH_FUNCTIONS

x, y = sympy.symbols("x y", real=True)
t = sympy.Symbol("t", real=True)

#: A function, and the ends of where it is looked at, in hundredths.
FUNCTIONS = [
    (sympy.asin(x), -99, 99), (sympy.acos(x), -99, 99), (sympy.atan(x), -900, 900), (sympy.asinh(x), -900, 900),
    (sympy.acosh(x), 101, 900), (sympy.atanh(x), -99, 99), (sympy.erfi(x), -300, 300), (sympy.erfinv(x), -99, 99),
    (sympy.LambertW(x), 0, 900), (sympy.tan(x), -150, 150), (sympy.cot(x), 5, 300), (sympy.sech(x), -300, 300),
    (sympy.coth(x), 5, 300), (sympy.csc(x), 5, 300), (sympy.sec(x), -150, 150), (sympy.csch(x), 5, 300),
    (sympy.factorial(x), 0, 900), (sympy.harmonic(x), 0, 900), (sympy.binomial(x + 3, x), 0, 500),
    (sympy.loggamma(x), 5, 900), (sympy.polygamma(1, x), 5, 900), (sympy.beta(x, 2 * x), 5, 300),
    (sympy.RisingFactorial(x, 3), 5, 300), (sympy.catalan(x), 5, 300), (sympy.EulerGamma * x, 5, 300),
    (sympy.Integral(sympy.exp(-(t**2) * x), (t, 0, x)), 5, 300),
]  # fmt: skip


def value(expression: sympy.Expr, place: Fraction) -> mpmath.mpf:
    with mpmath.workdps(40):
        rewritten = expression if expression.has(sympy.harmonic) else expression.rewrite(sympy.gamma)
        function = sympy.lambdify(x, rewritten, [MPMATH_FUNCTIONS, "mpmath"])
        return mpmath.mpf(function(mpmath.mpf(place.numerator) / place.denominator))


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(FUNCTIONS), st.integers(0, 10**4))
def test_enclosures_hold_the_value_of_mpmath(case, share):
    expression, low, high = case
    place = Fraction(low, 100) + Fraction(high - low, 100) * Fraction(share, 10**4)
    found = enclose(expression, {x: place}, digits=15)
    expected = Fraction(mpmath.nstr(value(expression, place), 36))
    room = Fraction(1, 10**28) * (1 + abs(expected))
    assert found.lower - room <= expected <= found.upper + room
    assert found.width() <= Fraction(1, 10**12) * (1 + abs(found.upper))


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(FUNCTIONS[:-1]), st.integers(10, 90), st.integers(1, 40))
def test_a_ball_of_an_interval_holds_the_values_on_it(case, share, width):
    expression, low, high = case
    middle = Fraction(low, 100) + Fraction(high - low, 100) * Fraction(share, 100)
    half = Fraction(high - low, 100) * Fraction(width, 1000)
    program = compile_expressions([expression], (x,))
    with precision(64):
        whole = compile_balls(program)(arb(middle.numerator, 0) / middle.denominator + arb(0, float(half) * 1.001))[0]
        for place in (middle - half, middle, middle + half):
            at = compile_balls(program)(arb(place.numerator) / place.denominator)[0]
            assert not whole.is_finite() or whole.overlaps(at)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(
        [c for c in FUNCTIONS if not c[0].has(sympy.LambertW, sympy.Integral, sympy.polygamma, sympy.harmonic)]
    )
)
def test_derivatives_agree_with_sympy(case):
    expression, low, high = case
    place = Fraction(low + high, 200) + Fraction(1, 7)
    program = differentiate_output(compile_expressions([expression], (x,)))
    with precision(200):
        found = compile_balls(program)(arb(place.numerator) / place.denominator)[0]
    by_sympy = enclose(sympy.diff(expression, x), {x: place}, digits=30)
    assert found.overlaps(arb(by_sympy.lower.numerator) / by_sympy.lower.denominator + arb(0, 1e-25))


@pytest.mark.parametrize(
    ("expression", "place"),
    [
        (sympy.asin(x), Fraction(11, 10)), (sympy.acosh(x), Fraction(1, 2)), (sympy.erfinv(x), Fraction(1)),
        (sympy.atanh(x), Fraction(-2)), (sympy.LambertW(x), Fraction(-1)), (sympy.factorial(x), Fraction(-3)),
        (sympy.Integral(1 / t, (t, -1, x)), Fraction(1)), (sympy.Integral(sympy.log(t), (t, -2, x)), Fraction(-1)),
    ],
)  # fmt: skip
def test_outside_of_its_domain_a_function_has_no_enclosure(expression, place):
    found = enclose(expression, {x: place}, digits=10, maximum_bits=256)
    assert found.lower is None
    assert found.upper is None


def test_integers_are_exact():
    n, k = sympy.symbols("n k", integer=True)
    assert enclose(sympy.binomial(n, k), {n: 10, k: 3}).lower == 120
    assert sign_at(sympy.factorial(n) - 3628800, {n: 10}) == "zero"
    assert sign_at(sympy.gamma(x) - 6, {x: Fraction(4)}) == "zero"
    assert enclose(sympy.floor(x) + sympy.ceiling(x), {x: Fraction(7, 2)}).lower == 7


@given(st.integers(-30, 30), st.integers(-30, 30), st.integers(0, 9))
def test_integrals_between_inexact_ends(a, b, c):
    low, high = sympy.Rational(a, 10) + sympy.sqrt(2) * c / 10, sympy.Rational(b, 10) + sympy.pi / 10
    found = enclose(sympy.Integral(3 * t**2 + y, (t, low, high)), {y: Fraction(c, 3)}, digits=12)
    expected = enclose(high**3 - low**3 + sympy.Rational(c, 3) * (high - low), {}, digits=25)
    assert found.overlaps(expected)


def test_an_integrand_has_no_other_variable():
    with pytest.raises(UnsupportedExpression, match="without a value"):
        compile_expressions([sympy.Integral(t * y, (t, 0, x))], (x, y))


def test_an_integral_is_not_computed_again_at_precisions_that_it_ignores(monkeypatch):
    t = sympy.Symbol("t", real=True)
    asked = []
    really = evaluation.integral_between
    monkeypatch.setattr(evaluation, "integral_between", lambda *told: asked.append(ctx.prec) or really(*told))
    # A pole at 0: no precision finds a bound, and each attempt is dear.
    assert sign_at(sympy.Integral(1 / t, (t, 0, 1)), {}, maximum_bits=4096) == "unknown"
    assert asked == [64, 128, 256]
    # Equal sides of which one is an integral: no precision tells them apart either.
    asked.clear()
    assert sign_at(sympy.Integral(1 / t, (t, 1, 2)) - sympy.log(2), {}, maximum_bits=4096) == "unknown"
    assert asked == [64, 128, 256]
    assert not enclose(sympy.Integral(1 / t, (t, 1, 2)) - sympy.log(2), {}, digits=500).indeterminate


k, n, d = (sympy.Symbol(name, integer=True) for name in ("k", "n", "d"))


@given(st.integers(0, 60), st.integers(-5, 70))
def test_binomial_coefficients_are_0_outside_of_the_triangle(upper: int, lower: int) -> None:
    exact = math.comb(upper, lower) if lower >= 0 else 0
    found = enclose(sympy.binomial(n, k), {n: upper, k: lower})
    assert found.lower is not None
    assert found.lower <= exact <= found.upper
    assert (found.sign() == "zero") == (exact == 0)


@given(st.integers(0, 40), st.integers(0, 60))
def test_sums_of_binomial_coefficients_may_leave_the_triangle(upper: int, last: int) -> None:
    rows = sympy.Sum(sympy.binomial(n, k) * (-2) ** k, (k, 0, d))
    exact = sum(math.comb(upper, i) * (-2) ** i for i in range(last + 1))
    assert sign_at(rows - exact, {n: upper, d: last}) == "zero"
    assert sign_at(rows - exact + Fraction(1, 10**9), {n: upper, d: last}) == "positive"


def test_long_rows_of_coefficients_stay_gamma_functions() -> None:
    """SymPy would compute them at once, for minutes where the upper entry is large."""
    expression = sympy.Sum(sympy.binomial(n, k), (k, d, d))
    values = {n: sympy.Integer(10**9), d: sympy.Integer(10**8)}
    assert with_ends(expression, values).has(n)
    assert not with_ends(expression, {**values, n: sympy.Integer(10**4)}).has(n)


@pytest.mark.parametrize(
    ("expression", "upper", "lower"),
    [
        (sympy.log(sympy.binomial(n, k)), 3, 5), (1 / sympy.binomial(n, k), 3, 5), (sympy.binomial(n, k), -2, 3),
        (sympy.binomial(n, k), -2, -3), (sympy.binomial(n, k), Fraction(1, 2), Fraction(7, 2)),
    ],
    ids=str,
)  # fmt: skip
def test_what_has_no_value_there_has_none(expression: sympy.Expr, upper: Fraction, lower: Fraction) -> None:
    x, y = sympy.symbols("x y", real=True)
    plain = expression.xreplace({n: x, k: y})
    assert sign_at(plain, {x: upper, y: lower}) == "unknown"
