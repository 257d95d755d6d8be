"""Laws of the Renyi divergence of two isotropic Gaussians, and agreement of its float, ball and symbolic twins."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from rgm_verify.balls import Enclosure
from rgm_verify.errors import InputError
from rgm_verify.gaussians.floating.renyi import ERROR_CONSTANT, condition_number, renyi, renyi_of_pair
from rgm_verify.gaussians.symbolic import kullback_leibler_expression, renyi_enclosure, renyi_expression

EPS = float(np.finfo(np.float64).eps)

orders = st.one_of(
    st.floats(1e-6, 50),
    st.floats(-15, -1).map(lambda e: 1 + 10**e),
    st.floats(-15, -1).map(lambda e: 1 - 10**e),
    st.just(1.0),
)
variances = st.floats(1e-6, 1e6)
ratios = st.one_of(
    st.floats(1e-6, 1e6),
    st.floats(0.4, 2.0),
    st.sampled_from([0.5, 0.7, 1.3, 1.5]),  # where the formula in use changes
    st.floats(-15, -1).map(lambda e: 1 + 10**e),
    st.floats(-15, -1).map(lambda e: 1 - 10**e),
    st.just(1.0),
)
distances = st.one_of(st.just(0.0), st.floats(1e-8, 1e4))
dimensions = st.integers(1, 10**6)


@st.composite
def pairs(draw):
    """Order, squared distance, two variances, dimension: with the variances often close or near the pole."""
    alpha, v2 = draw(orders), draw(variances)
    v1 = v2 * draw(ratios)
    if alpha > 1 and draw(st.booleans()):
        v1 = alpha * v2 / (alpha - 1) * (1 + draw(st.sampled_from([-1, -1, 1])) * 10.0 ** draw(st.floats(-9, -1)))
    assume(1e-12 < v1 < 1e15)
    return alpha, draw(distances), v1, v2, draw(dimensions)


def spread(alpha, v1, v2):
    a, x, y = Fraction(alpha), Fraction(v1), Fraction(v2)
    return a * y + (1 - a) * x


def margin(alpha, v1, v2):
    return ERROR_CONSTANT * EPS * float(condition_number(alpha, v1, v2))


def agrees(value, enclosure, relative):
    """Decide exactly whether a float is within a relative error of everything in an enclosure."""
    allowed = Fraction(relative) * enclosure.upper
    return enclosure.lower - allowed <= Fraction(value) <= enclosure.upper + allowed


def enclosed(alpha, distance_squared, v1, v2, dimension):
    return renyi_enclosure(*(Fraction(x) for x in (alpha, distance_squared, v1, v2)), dimension)


# ------------------------------------------------------------------------------------------- the twins


@settings(max_examples=200, deadline=None)
@example((1.0, 0.0, 1.3, 1.0, 1))
@example((1.0, 0.0, 0.7, 1.0, 1))
@example((2.0, 0.0, 1.25, 1.0, 1))
@given(pairs())
def test_float_value_is_within_its_stated_error_of_the_enclosure(pair):
    alpha, _, v1, v2, _ = pair
    assume(spread(alpha, v1, v2) > 0)
    condition = float(condition_number(alpha, v1, v2))
    assume(condition < 1e12)
    assert agrees(float(renyi(*pair)), enclosed(*pair), margin(alpha, v1, v2))


@given(
    orders,
    distances,
    st.one_of(st.floats(-100, 1).map(lambda e: 10.0**e), st.floats(-100, -0.01).map(lambda e: -(10.0**e))),
    dimensions,
)
def test_value_of_a_pair_is_within_its_stated_error_for_the_smallest_excess(alpha, shift, excess, dimension):
    ratio = 1 + Fraction(excess)
    allowed = Fraction(alpha) + (1 - Fraction(alpha)) * ratio
    assume(allowed > Fraction(1, 10**6) * Fraction(alpha))
    condition = float((Fraction(alpha) + abs(1 - Fraction(alpha)) * ratio) / allowed)
    value = float(renyi_of_pair(alpha, shift, excess, dimension))
    assume(value > 1e-250)
    found = renyi_enclosure(Fraction(alpha), Fraction(shift), ratio, 1, dimension)
    assert agrees(value, found, ERROR_CONSTANT * EPS * condition)


def test_the_comparison_catches_planted_errors():
    alpha, dist, v1, v2, dim = pair = (3.0, 0.25, 1.25, 1.0, 7)
    truth = enclosed(*pair)
    assert agrees(float(renyi(*pair)), truth, margin(alpha, v1, v2))
    planted = {
        "swapped variances": renyi(alpha, dist, v2, v1, dim),
        "dimension dropped": renyi(alpha, dist, v1, v2, 1),
        "distance not squared": renyi(alpha, math.sqrt(dist), v1, v2, dim),
        "deviation for variance": renyi(alpha, dist, math.sqrt(v1), math.sqrt(v2), dim),
        "factor two": 2 * renyi(*pair),
        "one part in 10^13": renyi(*pair) * (1 + 1e-13),
    }
    assert [what for what, value in planted.items() if agrees(float(value), truth, margin(alpha, v1, v2))] == []


@settings(max_examples=8, deadline=None)
@given(st.sampled_from([0.3, 0.5, 0.9, 1.5, 2.0, 4.0]), st.floats(0, 3), st.floats(0.6, 1.3), st.integers(1, 9))
def test_the_definition_integrated_numerically_agrees(alpha, distance, v1, dimension):
    """The integral of the definition factors over coordinates: one shifted, the others centred."""
    assume(spread(alpha, v1, 1.0) > Fraction(1, 5))
    coarse, fine = (_by_definition(alpha, distance, v1, dimension, digits) for digits in (30, 40))
    # Measured: what ten digits more change, doubled; and the rounding of logarithms near 0 at 40 digits.
    error = 2 * abs(fine - coarse) + Fraction(1, 10**36)
    assert agrees(
        float(renyi(alpha, distance**2, v1, 1.0, dimension)),
        Enclosure(fine - error, fine + error),
        margin(alpha, v1, 1.0),
    )


def _by_definition(alpha, distance, v1, dimension, digits):
    with mpmath.workdps(digits):
        logs = [mpmath.log(_integral(alpha, shift, v1)) for shift in (distance, 0.0)]
        value = (logs[0] + (dimension - 1) * logs[1]) / (mpmath.mpf(alpha) - 1)
        return Fraction(mpmath.nstr(value, digits, min_fixed=-mpmath.inf, max_fixed=mpmath.inf))


def _integral(alpha, distance, v1):
    a, shift, variance = (mpmath.mpf(x) for x in (alpha, distance, v1))

    def integrand(x):
        p = mpmath.npdf(x, 0, mpmath.sqrt(variance))
        q = mpmath.npdf(x, shift, 1)
        return p**a * q ** (1 - a)

    s = a + (1 - a) * variance
    centre, width = (1 - a) * variance * shift / s, mpmath.sqrt(variance / s)
    return mpmath.quad(integrand, [centre + k * width for k in range(-14, 15, 2)])


@settings(max_examples=30, deadline=None)
@given(st.fractions("1/10", 20, max_denominator=50), st.fractions(0, 9), st.fractions("1/5", 5), st.integers(1, 50))
def test_symbolic_value_lies_in_the_enclosure(alpha, dist, ratio, dim):
    assume(alpha + (1 - alpha) * ratio > 0)
    expression = renyi_expression(*(sympy.Rational(x.numerator, x.denominator) for x in (alpha, dist, ratio)), 1, dim)
    found = renyi_enclosure(alpha, dist, ratio, 1, dim)
    value = Fraction(str(sympy.N(expression, 45)))
    assert abs(value - found.lower) <= Fraction(1, 10**25) * max(1, abs(value))
    assert found.lower <= found.upper


def test_symbolic_divergence_tends_to_kullback_leibler():
    alpha = sympy.Symbol("alpha", positive=True)
    dist, v1, v2 = (sympy.Rational(n) for n in ("1/4", "6/5", "1"))
    limit = sympy.limit(renyi_expression(alpha, dist, v1, v2, 3), alpha, 1)
    assert sympy.simplify(limit - kullback_leibler_expression(dist, v1, v2, 3)) == 0
    assert renyi_expression(1, dist, v1, v2, 3) == kullback_leibler_expression(dist, v1, v2, 3)


def test_symbolic_divergence_is_infinite_where_the_integral_is():
    assert renyi_expression(3, 1, sympy.Rational(3, 2), 1, 1) == sympy.oo
    assert renyi_expression(3, 1, sympy.Rational(149, 100), 1, 1).is_finite


def test_twins_refuse_floats_and_what_no_enclosure_can_show():
    with pytest.raises(InputError, match="exact expression"):
        renyi_expression(2, sympy.Float("0.1"), 1, 1, 1)
    with pytest.raises(InputError, match="a float is not the decimal"):
        renyi_enclosure(2, 0.1, 1, 1, 1)
    with pytest.raises(InputError, match="the divergence is infinite"):
        renyi_enclosure(3, 1, "3/2", 1, 1)
    with pytest.raises(InputError, match="variance_1=0"):
        renyi_enclosure(3, 1, 0, 1, 1)


# ------------------------------------------------------------------------------------------------ laws


@given(pairs())
def test_divergence_is_infinite_exactly_where_the_spread_is_not_positive(pair):
    alpha, _, v1, v2, _ = pair
    exact = spread(alpha, v1, v2)
    # Within the roundings of the spread itself the float cannot know its sign.
    rounding = 4 * Fraction(EPS) * (Fraction(alpha) * Fraction(v2) + abs(1 - Fraction(alpha)) * Fraction(v1))
    assume(abs(exact) > rounding)
    assert math.isinf(float(renyi(*pair))) == (exact < 0)


@given(pairs())
def test_divergence_is_nonnegative_and_zero_only_for_equal_laws(pair):
    value = float(renyi(*pair))
    assert value >= 0
    assert (value == 0) == (pair[1] == 0 and pair[2] == pair[3])


@given(pairs(), st.integers(-20, 20))
def test_divergence_does_not_depend_on_the_unit(pair, power):
    alpha, dist, v1, v2, dim = pair
    unit = 2.0**power  # exact, so the values are equal and not only close
    assert float(renyi(alpha, unit * dist, unit * v1, unit * v2, dim)) == float(renyi(*pair))


@given(pairs(), st.floats(1, 100))
def test_divergence_is_nondecreasing_in_distance(pair, factor):
    alpha, dist, v1, v2, dim = pair
    assert renyi(alpha, factor * dist, v1, v2, dim) >= renyi(*pair)


@given(pairs(), st.floats(1, 10))
def test_divergence_is_nondecreasing_in_the_order(pair, factor):
    alpha, dist, v1, v2, dim = pair
    low, high = renyi(*pair), renyi(factor * alpha, dist, v1, v2, dim)
    both = margin(alpha, v1, v2) + margin(factor * alpha, v1, v2)
    assert math.isinf(float(high)) or high >= low * (1 - both)


@given(pairs())
def test_divergence_adds_over_coordinates(pair):
    alpha, dist, v1, v2, dim = pair
    assume(spread(alpha, v1, v2) > 0)
    condition = margin(alpha, v1, v2)
    assume(condition < 1e-3)
    whole, parts = renyi(*pair), renyi(alpha, dist, v1, v2, 1) + (dim - 1) * renyi(alpha, 0.0, v1, v2, 1)
    assert abs(whole - parts) <= 3 * condition * whole


@given(st.floats(0.01, 0.99), distances, variances, ratios, st.integers(1, 1000))
def test_orders_below_one_are_skew_symmetric(alpha, dist, v2, ratio, dim):
    v1 = v2 * ratio
    left = (1 - alpha) * renyi(alpha, dist, v1, v2, dim)
    right = alpha * renyi(1 - alpha, dist, v2, v1, dim)
    # One rounding in 1 - alpha, amplified by 1 / alpha at most, beside the two stated errors.
    assert abs(left - right) <= (2 * ERROR_CONSTANT + 4 / alpha) * EPS * max(left, right)


@given(distances, variances, ratios, st.integers(1, 1000), st.floats(-300, -9))
def test_orders_next_to_one_are_next_to_kullback_leibler(dist, v2, ratio, dim, exponent):
    v1 = v2 * min(ratio, 1e3)
    at_one = float(renyi(1.0, dist, v1, v2, dim))
    above, below = (float(renyi(1 + s * 10.0**exponent, dist, v1, v2, dim)) for s in (1, -1))
    # d log D / d alpha is at most of the size of the variance ratio here, so 1e-9 moves it by 1e-6 at the most.
    assert below <= at_one * (1 + 1e-12)
    assert above >= at_one * (1 - 1e-12)
    assert above <= at_one * (1 + 1e-5)
    assert below >= at_one * (1 - 1e-5)


def test_equal_variances_give_the_gaussian_mechanism():
    alpha = np.array([0.25, 0.5, 1.0, 2.0, 64.0])
    assert np.array_equal(renyi(alpha, 3.0, 4.0, 4.0, 5), alpha * 3.0 / 8.0)


@given(st.lists(pairs(), min_size=1, max_size=5))
def test_arrays_give_what_scalars_give(many):
    columns = [np.array(column, dtype=float) for column in zip(*many, strict=True)]
    assert np.array_equal(renyi(*columns), [float(renyi(*pair)) for pair in many])


def test_arguments_broadcast():
    assert renyi(np.ones((3, 1)) * 2, np.arange(4.0), 1.0, 1.0, 2).shape == (3, 4)
    with pytest.raises(InputError, match="broadcast"):
        renyi(np.ones(3), np.ones(2), 1.0, 1.0, 1)


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        *[(i, bad) for i in range(5) for bad in (math.nan, math.inf, -1.0, "1", None, 1j, True)],
        (0, 0.0),
        (2, 0.0),
        (3, 0.0),
        (4, 0),
        (4, 1.5),
    ],
)
def test_bad_arguments_are_refused_by_name(argument, value):
    names = ("alpha", "distance_squared", "variance_1", "variance_2", "dimension")
    arguments = [2.0, 1.0, 1.0, 1.0, 1]
    arguments[argument] = value
    with pytest.raises(InputError, match=f"^{names[argument]}="):
        renyi(*arguments)
