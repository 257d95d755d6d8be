"""Limits, factors, ranges and signs of functions of one variable agree with values at points."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Integer, Rational, atan, cosh, erf, erfc, exp, log, oo, pi, sinh, sqrt, tanh

from rgm_verify.balls.enclose import sign_at
from rgm_verify.lenses.analysis.asymptotics.growth import NotKnown, limit, moved_to_infinity
from rgm_verify.lenses.analysis.asymptotics.kernels import factors, plain, split_logarithms
from rgm_verify.lenses.analysis.asymptotics.limits import limit_at
from rgm_verify.lenses.analysis.constants import vanishes
from rgm_verify.lenses.analysis.facts import facts
from rgm_verify.lenses.analysis.univariate import Open, Signs
from rgm_verify.lenses.points.values import UNDEFINED, truth_by_arb

x = sympy.Symbol("x", positive=True)
y = sympy.Symbol("y", real=True)
numbers = st.fractions(min_value=-3, max_value=3, max_denominator=4).map(lambda q: Rational(q.numerator, q.denominator))


@pytest.mark.parametrize(
    ("expression", "end", "above", "value"),
    [
        (log(x) / x, None, False, 0),
        (x * log(x), Fraction(0), True, 0),
        (x**2 * exp(-x) * log(x) ** 3, None, False, 0),
        (erfc(x) * exp(x**2) * x, None, False, 1 / sqrt(pi)),
        (x * log(1 + 1 / x), None, False, 1),
        ((1 + 1 / x) ** x, None, False, sympy.E),
        (log(1 + exp(x)) - x / 2, None, False, oo),
        (x - log(x), Fraction(0), True, oo),
        ((x + 2) * log(x + 2) - (x + 2) * log(x + 3) + 1, None, False, 0),
        (x / (exp(x) - 1), None, False, 0),
        (tanh(x) + atan(x), None, False, 1 + pi / 2),
        (log(1 - x) * x, Fraction(1), False, -oo),
        (cosh(x) * exp(-x), None, False, Rational(1, 2)),
        (sinh(x) - exp(x) / 4, None, False, oo),
        (erf(x) / x, Fraction(0), True, 2 / sqrt(pi)),
    ],
)
def test_limits(expression, end, above, value):
    moved, place = moved_to_infinity(expression, x, end, from_above=above)
    found = limit(moved, place)
    assert found == value or vanishes(found - value)


def test_terms_that_cancel_have_no_limit_here():
    for expression in (exp(x) - exp(x + exp(-x)), log(log(x))):
        with pytest.raises(NotKnown):
            limit(*moved_to_infinity(expression, x, None, from_above=False))


@settings(max_examples=60)
@given(st.lists(st.tuples(numbers, numbers, numbers, numbers), min_size=1, max_size=3))
def test_a_limit_is_approached(terms):
    expression = sympy.Add(*(a * exp(b * x) * x**c * log(x) ** int(d) for a, b, c, d in terms))
    try:
        found = limit(expression, x)
    except NotKnown:
        return
    with mpmath.workdps(140):
        # Far enough for an exponential against a power, and a power against a logarithm, of these sizes.
        value = sympy.lambdify(x, expression, "mpmath")(mpmath.mpf(10) ** 120) if found in (oo, -oo) else None
        if value is not None:
            assert (value > 0) == (found == oo)
            return
        near, far = (sympy.lambdify(x, expression - found, "mpmath")(mpmath.mpf(10) ** k) for k in (20, 4000))
        assert abs(far) <= max(abs(near), mpmath.mpf(10) ** -20)


def declared(e):
    """The sign that SymPy knows of an expression."""
    return 1 if e.is_positive else -1 if e.is_negative else None


def test_a_limit_with_parameters_has_no_indeterminate_form():
    a = sympy.Symbol("a", positive=True)
    assert limit_at(x**a + y, x, Fraction(0), from_above=True, sign=declared) == y
    assert limit_at(exp(-a / x) * y, x, Fraction(0), from_above=True, sign=declared) == 0
    assert limit_at(a / x, x, Fraction(0), from_above=True, sign=declared) == oo
    for open_form in (x * y, x * exp(a * x) / exp(x), x * exp(-a / x - y * x), x**y, a * x - x, log(x) * x**-a):
        assert limit_at(open_form, x, None, from_above=False, sign=declared) is None
    assert limit_at(y / x, x, Fraction(0), from_above=True, sign=declared) is None


def test_an_exponential_falls_faster_than_a_power_grows():
    a = sympy.Symbol("a", positive=True)
    for falling in (x * exp(-a * x), (x**3 - a * x) * exp(x - a * x**2), y * x**2 * exp(-a * x)):
        assert limit_at(falling, x, None, from_above=False, sign=declared) == 0
    for growing in (x * exp(y * x), x * exp(-a * x**2 / x**2)):  # no sign is known, or nothing falls
        assert limit_at(growing, x, None, from_above=False, sign=declared) in (None, oo)
    assert limit_at(x * exp(-a * x), x, None, from_above=True, sign=declared) != 0
    assert limit_at(x * exp(-a * x**2), x, None, from_above=True, sign=declared) == 0


pieces = st.sampled_from(
    [x, exp(x), exp(2 * x), exp(-x), log(x), log(1 + x), sqrt(x), x**2, 1 / x, erfc(x), tanh(x), atan(x), Integer(1)]
)


def built(parts):
    return sympy.Add(*(a * p * q for a, p, q in parts))


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(numbers, pieces, pieces), min_size=1, max_size=3), st.lists(st.integers(1, 400), min_size=8))
def test_signs_between_zeros_are_those_of_values(parts, places):
    f = built(parts)
    signs = Signs(x, steps=25)
    try:
        pattern = signs.pattern(f, Open(Fraction(0), Fraction(4)))
    except (NotKnown, StopIteration, ValueError):
        return
    assert len(pattern.signs) == len(pattern.roots) + 1
    for k in places:
        place = Fraction(k, 101)
        here = sign_at(f, {x: place})
        before = sum(root.upper < place for root in pattern.roots)
        beside = any(root.lower <= place <= root.upper for root in pattern.roots)
        if here in ("positive", "negative") and not beside and 0 < place < 4:
            assert pattern.signs[before] == (1 if here == "positive" else -1)


@pytest.mark.parametrize(
    ("f", "signs", "zeros"),
    [
        (x - 1 - log(x), [1, 1], [1]),
        (exp(-x) - 1 + x - x**2 / 2, [-1], []),
        ((x - 1) * (log(x) - 1), [1, -1, 1], [1, 2.718281828]),
        (exp(x) - 3 * x, [1, -1, 1], [0.619061287, 1.512134552]),
        (x * log(x) + exp(-1), [1, 1], [0.367879441]),
        ((x - 1) ** 2 * (x - 2), [-1, -1, 1], [1, 2]),
        (erfc(x) - exp(-(x**2)) / (x * sqrt(pi)), [-1], []),
    ],
)
def test_patterns(f, signs, zeros):
    found = Signs(x).pattern(f, Open(Fraction(0), None))
    assert found.signs == signs
    assert all(float(r.lower) - 1e-6 <= z <= float(r.upper) + 1e-6 for r, z in zip(found.roots, zeros, strict=True))


def test_what_is_not_smooth_has_no_pattern():
    for f in (log(x - 1), sqrt(x - 1) - exp(x), sympy.floor(x) - exp(x), sympy.sign(x - 1) + log(x)):
        with pytest.raises((NotKnown, StopIteration)):
            Signs(x).pattern(f, Open(Fraction(0), None))
    pole = Signs(x).pattern(1 / (x - 1), Open(Fraction(0), None))
    assert (len(pole.roots), pole.signs) == (1, [-1, 1])


@settings(max_examples=80)
@given(st.lists(st.tuples(numbers, pieces, pieces), min_size=1, max_size=3), st.integers(1, 300))
def test_factors_multiply_to_the_expression(parts, k):
    f = built(parts)
    product = sympy.Mul(*(factor**power for factor, power in factors(f)))
    split = split_logarithms(plain(f), lambda e: e.is_positive is True)
    for other in (product, split):
        assert sign_at(f - other, {x: Fraction(k, 100)}, maximum_bits=400) not in ("positive", "negative")


def test_exponents_with_long_numbers_are_not_multiplied_out():
    f = exp(x**2 * (1 - Rational(1, 10**9)) / 2) - exp(x)
    assert any(factor.has(exp) for factor, _ in factors(f))


@settings(max_examples=150)
@given(
    st.sampled_from([exp, log, erf, erfc, tanh, atan, sympy.sin, sympy.cos, cosh, sinh, sympy.asinh, sympy.gamma]),
    st.sampled_from([y, y - 1, 2 * y, -y, y**2 - y]),
    st.fractions(min_value=-6, max_value=6, max_denominator=50),
)
def test_facts_are_true(function, argument, place):
    terms = [function(argument), function(2 * argument), sympy.sin(argument), sympy.cos(argument)]
    for fact in facts(terms):
        assert truth_by_arb(fact, {y: place}, maximum_bits=300) in (True, None, UNDEFINED)


@given(
    st.fractions(min_value=Fraction(1, 9), max_value=4, max_denominator=30),
    st.fractions(min_value=-3, max_value=3, max_denominator=12),
)
def test_facts_about_powers_and_constants_are_true(base, exponent):
    for fact in facts([x**y, log(2) + pi, sqrt(3), exp(-1)]):
        assert truth_by_arb(fact, {x: base, y: exponent}, maximum_bits=300) in (True, None)


@pytest.mark.parametrize(
    ("polynomial", "sign"), [(y**2 + y / 3 + 1, 1), (-(y**4) - 1, -1), (y**6 - y + 2, 1), (Integer(-3) + 0 * y, -1)]
)
@pytest.mark.parametrize("ends", [(None, None), (None, Fraction(1)), (Fraction(-2), None)])
def test_a_polynomial_without_a_zero_has_one_sign_on_the_whole_line(polynomial, sign, ends):
    pattern = Signs(y)._of_polynomial(polynomial, Open(*ends))
    assert (pattern.roots, pattern.signs) == ([], [sign])
