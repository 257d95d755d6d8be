"""Quantiles and the ends of intervals against the tails in ball arithmetic: never inside, and hardly outside."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from flint import arb
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import special

from rgm_verify.balls.arithmetic import ball, precision
from rgm_verify.balls.statistics import quantiles
from rgm_verify.balls.statistics.confidence import clopper_pearson, gaussian_mean_interval, gaussian_variance_interval
from rgm_verify.errors import InputError

EPS = float(np.finfo(np.float64).eps)
RATES = [0.4999, 0.3, 0.025, 1e-3, 1e-6, 5e-10, 1e-12, 1e-30]
TRIALS = [1, 2, 3, 10, 50, 1000, 10**5, 10**7, 10**9]
SHARES = [0, 1e-9, 1e-6, 1e-4, 0.01, 0.3, 0.5, 0.9, 0.9999, 1]
COUNTS = sorted({(max(1, min(n, round(n * share))), n) for n in TRIALS for share in SHARES})
DEGREES = [1, 2, 3, 4, 5, 16, 31, 32, 50, 101, 1000, 10**4 + 1, 10**6, 10**7 + 1]

# Ratchets: how much of its logarithm a tail is too small by, besides what roundings of the end cost (EPS times the
# elasticity of the tail). Newton's method stops at 2^-36 = 1.5e-11. Measured on these grids and 3,000 random counts:
# 1.1e-11 where the elasticity is below 1e4, and above that half a rounding more than 2^-36.
ROUNDINGS = 2
LOSS = 2.0**-35


def binomial_tail(successes: int, trials: int, p: Fraction) -> arb:
    return ball(p).beta_lower(arb(successes), arb(trials - successes + 1), regularized=True)


def chi_square_tail(degrees: int, x: float) -> arb:
    return (arb(x) / 2).gamma_upper(arb(degrees) / 2, regularized=1)


def normal_tail(z: float) -> arb:
    return (arb(z) / arb(2).sqrt()).erfc() / 2


def on_the_safe_side(tail: arb, rate: float, elasticity: float) -> bool:
    """Tell whether the tail is certainly at most `rate`; it must also be close to it."""
    loss = (arb(rate) / tail).log()
    assert loss < LOSS + ROUNDINGS * EPS * elasticity
    return bool(tail <= arb(rate))


def check_binomial(successes: int, trials: int, rate: float) -> None:
    p = quantiles.binomial_quantile(successes, trials, rate)
    with precision(256):
        assert on_the_safe_side(binomial_tail(successes, trials, Fraction(p)), rate, successes)


def check_chi_square(degrees: int, rate: float) -> None:
    with precision(400):
        above = chi_square_tail(degrees, quantiles.chi_square_above(degrees, rate))
        below = 1 - chi_square_tail(degrees, quantiles.chi_square_below(degrees, rate))
        # Generous: as large as that of a power of this shape, and of the exponential tail at the smallest rate.
        elasticity = degrees / 2 + 70
        assert on_the_safe_side(above, rate, elasticity)
        assert on_the_safe_side(below, rate, elasticity)


def check_normal(rate: float) -> None:
    z = quantiles.normal_above(rate)
    with precision(256):
        assert on_the_safe_side(normal_tail(z), rate, 1 + z * z)


@pytest.mark.parametrize(("successes", "trials"), COUNTS)
def test_binomial_quantiles_keep_their_tails(successes, trials):
    for rate in RATES:
        check_binomial(successes, trials, rate)


@settings(max_examples=200)
@given(st.integers(1, 10**6), st.integers(0, 10**6), st.floats(1e-15, 0.5))
@example(1, 5404, 0.5)  # SciPy's guess is so good that a ball of 64 bits around its tail straddles the rate
def test_binomial_quantiles_keep_their_tails_at_every_count(successes, failures, rate):
    check_binomial(successes, successes + failures, rate)


@pytest.mark.parametrize("degrees", DEGREES)
def test_chi_square_quantiles_keep_their_tails(degrees):
    for rate in RATES:
        check_chi_square(degrees, rate)


def test_normal_quantiles_keep_their_tails():
    for rate in (*(i / 1000 for i in range(1, 500)), *(10.0**-i for i in range(4, 308))):
        check_normal(rate)
    z = quantiles.normal_above(5e-324)
    with precision(256):
        assert normal_tail(z) <= arb(5e-324)


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 300), st.integers(0, 300), st.floats(1e-15, 0.5))
def test_mpmath_finds_each_end_outside_and_its_neighbourhood_inside(successes, failures, rate):
    """The tails by an implementation apart from Arb, at 50 digits; one part in 10^9 further in they are too large."""

    def binomial(p):
        return mpmath.betainc(successes, failures + 1, 0, p, regularized=True)

    def exceeds(x):
        return mpmath.gammainc(mpmath.mpf(successes) / 2, mpmath.mpf(x) / 2, regularized=True)

    def below(x):
        return mpmath.gammainc(mpmath.mpf(successes) / 2, 0, mpmath.mpf(x) / 2, regularized=True)

    def gaussian(z):
        return mpmath.erfc(mpmath.mpf(z) / mpmath.sqrt(2)) / 2

    inward = 1 + mpmath.mpf(10) ** -9
    with mpmath.workdps(50):
        p = quantiles.binomial_quantile(successes, successes + failures, rate)
        assert binomial(mpmath.mpf(p)) <= rate < binomial(min(p * inward, mpmath.mpf(1)))
        above = quantiles.chi_square_above(successes, rate)
        assert exceeds(above) <= rate < exceeds(above / inward)
        least = quantiles.chi_square_below(successes, rate)
        assert below(least) <= rate < below(least * inward)
        if rate < 0.499:
            z = quantiles.normal_above(rate)
            assert gaussian(z) <= rate < gaussian(z / inward)


def test_without_an_enclosure_the_ends_are_trivial(monkeypatch):
    monkeypatch.setattr(quantiles, "_PRECISIONS", ())
    assert quantiles.binomial_quantile(3, 10, 0.1) == quantiles.chi_square_below(3, 0.1) == 0
    assert quantiles.chi_square_above(3, 0.1) == quantiles.normal_above(0.1) == math.inf


def test_a_quantile_that_is_slightly_inside_is_seen():
    """The control of the tests above: a thousandth of a millionth is enough."""
    with precision(256):
        p = quantiles.binomial_quantile(20, 100, 0.025)
        assert not binomial_tail(20, 100, Fraction(p * (1 + 1e-9))) <= arb(0.025)
        assert not chi_square_tail(10, quantiles.chi_square_above(10, 0.025) * (1 - 1e-9)) <= arb(0.025)
        assert not normal_tail(quantiles.normal_above(0.025) * (1 - 1e-9)) <= arb(0.025)


@pytest.mark.parametrize("factor", [0.0, 1e-3, 0.5, 2.0, 1e3, math.inf, math.nan])
def test_quantiles_from_any_guess_keep_their_tails_as_closely(factor, monkeypatch):
    for name in ("betaincinv", "gammaincinv", "gammainccinv", "ndtri"):
        guess = getattr(special, name)
        monkeypatch.setattr(special, name, lambda *a, guess=guess: guess(*a) * factor)
    for successes, trials, rate in ((1000, 10**9, 1e-6), (30, 100, 0.025), (1, 2, 0.3)):
        check_binomial(successes, trials, rate)
    for degrees, rate in ((7, 0.025), (1, 1e-6), (1000, 0.3)):
        check_chi_square(degrees, rate)
    check_normal(0.025)


# ------------------------------------------------------------------------------------------- intervals


@pytest.mark.parametrize(("successes", "trials"), COUNTS)
def test_both_ends_of_clopper_pearson_keep_half_of_the_false_alarms(successes, trials):
    for rate in (0.5, 0.05, 1e-9):
        found = clopper_pearson(successes, trials, rate)
        assert found.lower <= successes / trials <= found.upper
        with precision(256):
            assert binomial_tail(successes, trials, Fraction(found.lower)) <= arb(rate) / 2
            if successes < trials:
                few = binomial_tail(trials - successes, trials, 1 - Fraction(found.upper))
                assert few <= arb(rate) / 2


def test_a_thousand_successes_in_a_thousand_million_trials_have_the_right_interval():
    """SciPy 1.17's beta quantile is 1.9e-6 here, almost twice the frequency itself."""
    found = clopper_pearson(1000, 10**9, 1e-9)
    assert 0.8e-6 < found.lower < 1e-6 < found.upper < 1.3e-6


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6), st.integers(1, 10**6), st.floats(1e-12, 0.9))
def test_the_interval_of_a_gaussian_mean_is_rounded_outward(mean, variance, count, rate):
    found = gaussian_mean_interval(mean, variance, count, rate)
    with precision(256):
        deviation = (arb(variance) / count).sqrt()
        for distance in (arb(found.upper) - arb(mean), arb(mean) - arb(found.lower)):
            assert (distance / deviation / arb(2).sqrt()).erfc() / 2 <= arb(rate) / 2


@given(st.floats(1e-6, 1e6), st.integers(1, 5000), st.floats(1e-12, 0.9))
def test_the_interval_of_a_gaussian_variance_is_rounded_outward(total, degrees, rate):
    found = gaussian_variance_interval(total, degrees, rate)
    with precision(400):
        shape = arb(degrees) / 2
        assert (arb(total) / arb(found.lower) / 2).gamma_upper(shape, regularized=1) <= arb(rate) / 2
        assert 1 - (arb(total) / arb(found.upper) / 2).gamma_upper(shape, regularized=1) <= arb(rate) / 2


def test_gaussian_intervals_refuse_what_is_no_data():
    for bad in (-1.0, math.nan, math.inf):
        with pytest.raises(InputError, match="variance="):
            gaussian_mean_interval(0.0, bad, 10, 0.1)
        with pytest.raises(InputError, match="sum_of_squares="):
            gaussian_variance_interval(bad, 10, 0.1)
    with pytest.raises(InputError, match="mean=nan"):
        gaussian_mean_interval(math.nan, 1.0, 10, 0.1)
    with pytest.raises(InputError, match="count=0"):
        gaussian_mean_interval(0.0, 1.0, 0, 0.1)
    with pytest.raises(InputError, match="degrees=0"):
        gaussian_variance_interval(1.0, 0, 0.1)
