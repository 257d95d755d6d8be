"""The chi-square series by its parts: bounds of what is left out hold every tail, and no part is wider than it says."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.balls.arithmetic import ball, exact, precision
from rgm_verify.balls.enclose import Enclosure
from rgm_verify.errors import InputError
from rgm_verify.gaussians.certified import chi_square
from rgm_verify.gaussians.certified.chi_square import (
    MAXIMUM_DIMENSION,
    _above,
    _below,
    _central,
    _difference,
    _from_above,
    _from_below,
    _poisson_tail,
    _rest,
    chi_square_enclosures,
    chi_square_floor_enclosure,
    hockey_stick_by_series,
)
from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_by_contour

F = Fraction
EVERYTHING = Enclosure(F(0), F(1))


def ends(value: arb) -> tuple[Fraction, Fraction]:
    low, high = exact(value.lower()), exact(value.upper())
    assert low is not None
    assert high is not None
    return low, high


# ------------------------------------------------------------------------------------------------ what is left out


@given(
    term=st.fractions(min_value=F(1, 100), max_value=100, max_denominator=100),
    ratio=st.fractions(min_value=0, max_value=F(99, 100), max_denominator=100),
    falls=st.lists(st.fractions(min_value=0, max_value=1, max_denominator=20), max_size=30),
)
def test_the_rest_holds_every_sum_of_falling_ratios_and_ends_at_the_geometric_one(term, ratio, falls):
    with precision(64):
        low, high = ends(_rest(ball(term), ball(ratio)))
    partial, last, least = F(0), term, ratio
    for fall in falls:
        least *= fall
        last *= least
        partial += last
        assert low <= partial <= high
    whole = term * ratio / (1 - ratio)
    assert low <= -whole
    # A radius has 30 bits.
    assert whole <= high <= whole * (1 + F(1, 2**26))


@given(mean=st.fractions(min_value=F(1, 100), max_value=50, max_denominator=100), ahead=st.integers(1, 30))
def test_the_poisson_tail_holds_all_weights_behind_and_little_more(mean, ahead):
    last = math.floor(mean) + ahead
    with precision(128):
        m = ball(mean)
        weight = m**last * (-m).exp() / arb(last).fac()
        held = _poisson_tail(weight, m, last)
        behind, each = arb(0), weight
        for j in range(last + 1, last + 400):
            each = each * m / j
            behind += each
        assert held.contains(behind)
        assert held.contains(-behind)
        # The ratios fall: from the second one on the geometric series is larger.
        ratio = m / (last + 1)
        assert held.upper() < behind / (1 - ratio)


# ---------------------------------------------------------------------------------------------- central tails


@given(twice=st.integers(1, 300), share=st.fractions(min_value=F(1, 50), max_value=F(99, 100), max_denominator=100))
def test_the_rising_series_holds_the_lower_incomplete_gamma_to_nearly_all_bits(twice, share):
    with precision(160):
        a = arb(twice) / 2
        z = a * ball(share)
        found = _from_below(a, z)
        assert found.overlaps(z.gamma_lower(a, regularized=1))
        assert found.rel_accuracy_bits() > 160 - 25


@given(twice=st.integers(2, 300), share=st.fractions(min_value=F(101, 100), max_value=30, max_denominator=100))
def test_the_falling_series_holds_the_upper_incomplete_gamma_to_nearly_all_bits(twice, share):
    with precision(160):
        a = arb(twice) / 2
        z = a * ball(share)
        found = _from_above(twice, z)
        assert found.overlaps(z.gamma_upper(a, regularized=1))
        assert found.rel_accuracy_bits() > 160 - 25


@given(
    twice=st.integers(1, 60),
    middle=st.fractions(min_value=F(1, 10), max_value=80, max_denominator=10),
    spread=st.fractions(min_value=F(1, 1000), max_value=F(99, 100), max_denominator=1000),
    place=st.fractions(min_value=-1, max_value=1, max_denominator=10),
)
def test_a_wide_argument_is_held_at_all_its_points(twice, middle, spread, place):
    with precision(64):
        a, wide = arb(twice) / 2, ball(middle) + arb(0, 1) * ball(middle * spread * F(9, 10))
        inside = ball(middle + place * middle * spread * F(9, 10) * F(9, 10))
        reference = inside.gamma_lower(a, regularized=1)
        for found in (_from_below(a, wide), _central(twice, wide)[0], 1 - _central(twice, wide)[1]):
            assert not found.is_finite() or found.overlaps(reference)


@given(twice=st.integers(1, 200), z=st.fractions(min_value=F(1, 100), max_value=300, max_denominator=100))
def test_both_central_tails_are_accurate_where_they_are_not_near_one(twice, z):
    with precision(128):
        lower, upper = _central(twice, ball(z))
        reference = ball(z).gamma_upper(arb(twice) / 2, regularized=1)
        assert upper.overlaps(reference)
        assert lower.overlaps(1 - reference)
        # Each side is summed on its own where it is the smaller one.
        for tail in (lower, upper):
            assert tail.rel_accuracy_bits() > 128 - 25 + min(0, float(tail.log()) / math.log(2) + 1) * (tail > 0.75)


# ------------------------------------------------------------------------------------------ noncentral tails


def mixture(dimension: int, rate: Fraction, z: Fraction) -> tuple[arb, arb]:
    """The lower and the upper tail as the plain sum over Poisson weights, with Arb's incomplete gammas."""
    mean, argument = ball(rate), ball(z)
    lower, upper, weight = arb(0), arb(0), (-mean).exp()
    for j in range(math.ceil(4 * rate) + 60 if rate else 1):
        a = ball(F(dimension, 2)) + j
        lower += weight * argument.gamma_lower(a, regularized=1)
        upper += weight * argument.gamma_upper(a, regularized=1)
        weight = weight * mean / (j + 1)
    return lower, upper + arb(0, 1) * weight * 2


@pytest.mark.parametrize("dimension", [1, 2, 3, 11])
@pytest.mark.parametrize("rate", [F(0), F(1, 7), F(3), F(40)])
@pytest.mark.parametrize("z", [F(1, 9), F(5), F(30)])
def test_noncentral_tails_are_the_poisson_mixtures_and_tight(dimension, rate, z):
    with precision(128):
        lower, upper = mixture(dimension, rate, z)
        below, above = _below(dimension, rate, ball(z)), _above(dimension, rate, ball(z))
        assert below.overlaps(lower)
        assert above.overlaps(upper)
        assert min(below.rel_accuracy_bits(), above.rel_accuracy_bits()) > 85
        assert (below + above).contains(1)


@pytest.mark.parametrize("excess", [F(1, 2), F(-1, 2), F(1, 10), F(3)])
@pytest.mark.parametrize("x", [F(-20), F(-6), F(-1, 10), F(0), F(3, 10), F(2), F(6)])
def test_the_difference_holds_the_divergence_and_says_so_to_many_digits(excess, x):
    reference = hockey_stick_by_contour(x, F(1, 2), excess, 3, digits=30)
    with precision(160):
        found = _difference(x, F(1, 2), excess, 3)
        low, high = ends(found)
    assert low <= reference.upper
    assert reference.lower <= high
    assert high - low <= F(1, 10**25)


def test_a_precision_that_tells_nothing_of_the_level_gives_no_more_than_a_probability():
    # For D = 0 the level 2 x / w + d log v / w vanishes at x = -(d / 2) log v: here to 40 digits.
    with mpmath.workdps(60):
        x = F(str(-mpmath.log(mpmath.mpf(3) / 2) * 2)).limit_denominator(10**40)
    with precision(64):
        low, high = ends(_difference(x, F(0), F(1, 2), 4))
        assert low <= -1
        assert 1 <= high <= 1 + F(1, 2**28)
    with precision(400):
        assert _difference(x, F(0), F(1, 2), 4).rel_accuracy_bits() > 30


# ------------------------------------------------------------------------------------------------- public faces


@pytest.mark.parametrize("level", [F(1, 100), F(1), F(7, 2), F(60)])
@pytest.mark.parametrize("digits", [5, 15, 40])
def test_both_tails_of_two_degrees_are_exponentials(level, digits):
    below, above = chi_square_enclosures(level, 2, digits=digits)
    with precision(400):
        tail = (-ball(level) / 2).exp()
        for found, true in ((below, 1 - tail), (above, tail)):
            assert ball(found.lower) <= true <= ball(found.upper)
            assert found.width() * 10**digits <= found.lower


@pytest.mark.parametrize("degrees", [1, 2, 7])
def test_below_the_level_zero_is_nothing_and_above_it_everything(degrees):
    assert chi_square_enclosures(F(0), degrees) == (Enclosure(F(0), F(0)), Enclosure(F(1), F(1)))


def test_one_dimension_too_many_is_refused_and_the_last_one_is_not():
    with pytest.raises(InputError, match="degrees=1000000001: the series takes at most 1000000000"):
        chi_square_enclosures(F(1), MAXIMUM_DIMENSION + 1)
    with pytest.raises(InputError, match="dimension=1000000001"):
        hockey_stick_by_series(F(1), F(1), F(1), MAXIMUM_DIMENSION + 1)
    # No series is needed at these two.
    assert chi_square_enclosures(F(0), MAXIMUM_DIMENSION)[0] == Enclosure(F(0), F(0))
    assert hockey_stick_by_series(F(1), F(10**9), F(1), MAXIMUM_DIMENSION) == EVERYTHING


@pytest.mark.parametrize(("excess", "factor"), [(F(1), 2), (F(-1, 2), 1)])
def test_the_series_is_left_out_from_just_above_its_number_of_terms(excess, factor, monkeypatch):
    """About D^2 max(1, v) / (2 w^2) terms are taken: at the bound they are, a little above it nothing is computed."""
    asked = []
    monkeypatch.setattr(chi_square, "MAXIMUM_TERMS", 10)
    monkeypatch.setattr(chi_square, "until_tight", lambda value, digits: asked.append(digits) or EVERYTHING)
    bound = 20 * excess**2 / factor
    assert hockey_stick_by_series(F(1), bound, excess, 2, digits=7) == EVERYTHING
    assert asked == [7]
    assert hockey_stick_by_series(F(1), bound * F(1001, 1000), excess, 2) == EVERYTHING
    assert asked == [7]


@pytest.mark.parametrize("digits", [5, 15, 40])
@pytest.mark.parametrize("excess", [F(1, 3), F(-1, 3)])
def test_the_floor_is_the_divergence_without_a_shift_as_tight_as_asked(excess, digits):
    found = chi_square_floor_enclosure(F(1, 5), excess, 4, digits)
    assert found.overlaps(hockey_stick_by_contour(F(1, 5), F(0), excess, 4, digits=digits + 10))
    assert 0 < found.width() * 10**digits <= found.lower
    assert found.width() * 10 ** (digits + 50) > found.lower
