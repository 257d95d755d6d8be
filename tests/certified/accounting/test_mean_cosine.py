"""The mean cosine of `derivations/beyond/pairs/mean_cosine.py`, for the quotient of Bessel functions that it is."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.balls.arithmetic import ball, precision

BITS = 800  # 1 - tanh(200)^2 is about 1e-173
STEP = Fraction(1, 10**30)
NARROW = Fraction(1, 10**20)  # so that an overlap says something
concentrations = st.fractions(Fraction(1, 100), 200, max_denominator=1000)
dimensions = st.integers(1, 200)


def mean_cosine(z: arb, d: int) -> arb:
    return z.bessel_i(arb(fmpq(d, 2))) / z.bessel_i(arb(fmpq(d, 2)) - 1)


def falling(z: arb, d: int) -> arb:
    y = mean_cosine(z, d)
    return y * y + d * y / z - 1


def variance(z: arb, d: int) -> arb:
    y = mean_cosine(z, d)
    return 1 - y * y - (d - 1) * y / z


@given(concentrations, dimensions)
def test_quotient_over_the_concentration_falls(z, d):
    with precision(BITS):
        assert falling(ball(z), d) > 0


@given(concentrations, dimensions)
def test_quotient_rises(z, d):
    with precision(BITS):
        assert variance(ball(z), d) > 0


@given(concentrations, dimensions)
def test_quotient_over_the_concentration_is_convex_in_its_square(z, d):
    with precision(BITS):
        y = mean_cosine(ball(z), d)
        assert falling(ball(z), d) * (d + 2 + 2 * y * ball(z)) > 2 * y * y


@given(concentrations, dimensions)
def test_derivative_of_the_quotient_is_the_variance(z, d):
    with precision(BITS):
        here, there = ball(z), ball(z + STEP)
        chord = (mean_cosine(there, d) - mean_cosine(here, d)) / ball(STEP)
        on_the_way = variance(here.union(there), d)  # contains the derivative at the place of the mean value theorem
        assert on_the_way.overlaps(chord)
        assert on_the_way.rad() < ball(NARROW)
