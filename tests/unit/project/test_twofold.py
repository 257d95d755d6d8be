"""Sums of two floats: exact operations, and the logarithm against 60 digits."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from rgm_verify.numbers import twofold
from rgm_verify.numbers.log1pmx import curvature, log1pmx

EPS = float(np.finfo(np.float64).eps)

ordinary = st.floats(1e-100, 1e100).flatmap(lambda x: st.sampled_from([x, -x]))
arguments = st.one_of(
    st.floats(-100, 100).map(lambda e: 10.0**e),
    st.floats(-100, -1e-6).map(lambda e: -(10.0**e)),
    st.floats(-0.999, 3).filter(bool),
    st.integers(24, 64).map(lambda j: (j + 0.4999) / 32 - 1),  # farthest from a multiple of 1/32
)


def value(pair):
    return Fraction(float(pair[0][0])) + Fraction(float(pair[1][0]))


@given(ordinary, ordinary)
def test_sum_and_product_are_exact(x, y):
    columns = np.array([x]), np.array([y])
    assert value(twofold.two_sum(*columns)) == Fraction(x) + Fraction(y)
    assert value(twofold.two_product(*columns)) == Fraction(x) * Fraction(y)


@given(ordinary, ordinary)
def test_quotient_is_within_its_error(x, y):
    found = value(twofold.quotient(twofold.exactly(np.array([x])), twofold.exactly(np.array([y]))))
    exact = Fraction(x) / Fraction(y)
    assert abs(found - exact) <= abs(exact) / 2**99


@given(arguments)
def test_logarithm_is_within_its_error(x):
    found = value(twofold.log1p(np.array([x])))
    with mpmath.workdps(150):
        exact = mpmath.log1p(mpmath.mpf(x))
        assert abs(mpmath.mpf(found.numerator) / found.denominator - exact) <= abs(exact) * twofold.LOG1P_ERROR


@given(arguments)
def test_logarithm_less_its_argument_is_within_its_error(x):
    assume(abs(x) > 1e-140)
    found = float(log1pmx(np.array([x]))[0])
    with mpmath.workdps(350):
        exact = mpmath.log1p(mpmath.mpf(x)) - mpmath.mpf(x)
        assert abs(found - exact) <= 8 * EPS * abs(exact)


@given(arguments)
def test_its_quotient_by_the_square_is_within_its_error(x):
    assume(x == 0 or 1e-140 < abs(x) < 1e140)
    found = float(curvature(np.array([x]))[0])
    with mpmath.workdps(350):
        z = mpmath.mpf(x)
        exact = (z - mpmath.log1p(z)) / z**2 if x else mpmath.mpf(1) / 2
        assert abs(found - exact) <= 8 * EPS * abs(exact)


@given(st.lists(arguments, min_size=1, max_size=9))
def test_an_entry_does_not_depend_on_what_stands_beside_it(points):
    for function in (log1pmx, curvature):
        together = function(np.array(points))
        assert together.tolist() == [float(function(np.array([x]))[0]) for x in points]
        assert function(np.array(points[0])) == together[0]
