"""Enclosures over integers hold what mpmath finds with three times the digits, and are narrow."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosure
from rgm_verify.gaussians.certified.sampled_release import sampled_divergence
from rgm_verify.recheck.fixed import Fixed, Span, down, log_of_2, moved, pi, up
from rgm_verify.recheck.losses import Loss, delta, power, summed
from rgm_verify.recheck.pairs import Pair, hockey_stick
from rgm_verify.recheck.refusal import Refused
from rgm_verify.recheck.replay import one_sampled

BITS = st.sampled_from([40, 64, 101, 160, 333])
NUMBERS = st.fractions(-40, 40, max_denominator=10**12)


def holds(span: Span, function, value: Fraction, bits: int) -> bool:
    """Return whether the span holds the function of an exact number."""
    with mpmath.workdps(300):
        truth = function(mpmath.mpf(value.numerator) / value.denominator) * mpmath.mpf(2) ** bits
        return bool(span[0] <= truth <= span[1])


@given(NUMBERS, BITS)
def test_exponential(x, bits):
    arithmetic = Fixed(bits)
    span = arithmetic.exp(arithmetic.of(x))
    assert holds(span, mpmath.exp, x, bits)
    assert span[1] - span[0] <= 3 + (2 * span[1] >> bits)


@given(st.fractions(Fraction(1, 10**6), 10**6, max_denominator=10**9), BITS)
def test_logarithm_and_root(x, bits):
    arithmetic = Fixed(bits)
    span = arithmetic.of(x)
    assert holds(arithmetic.log(span), mpmath.log, x, bits)
    assert holds(arithmetic.sqrt(span), mpmath.sqrt, x, bits)
    assert arithmetic.log(span)[1] - arithmetic.log(span)[0] <= 3 + 2 / x


@given(NUMBERS, BITS)
def test_normal_tail(x, bits):
    arithmetic = Fixed(bits)
    span = arithmetic.tail(arithmetic.of(x))
    assert holds(span, lambda z: mpmath.erfc(z / mpmath.sqrt(2)) / 2, x, bits)
    assert span[1] - span[0] <= 3


@given(NUMBERS, NUMBERS, BITS)
def test_product_and_quotient(x, y, bits):
    arithmetic = Fixed(bits)
    low, high = arithmetic.times(arithmetic.of(x), arithmetic.of(y))
    assert Fraction(low, arithmetic.one) <= x * y <= Fraction(high, arithmetic.one)
    if y * arithmetic.one >= 1:
        low, high = arithmetic.over(arithmetic.of(x), arithmetic.of(y))
        assert Fraction(low, arithmetic.one) <= x / y <= Fraction(high, arithmetic.one)


@pytest.mark.parametrize("bits", [1, 8, 64, 1000])
def test_constants(bits):
    with mpmath.workdps(400):
        for span, truth in ((pi(bits), mpmath.pi), (log_of_2(bits), mpmath.log(2))):
            assert span[0] <= truth * 2**bits <= span[1]
            assert span[1] - span[0] <= 2


def test_what_is_not_certainly_positive_is_refused():
    arithmetic = Fixed(20)
    with pytest.raises(ValueError, match="logarithm"):
        arithmetic.log((0, 5))
    with pytest.raises(ValueError, match="root"):
        arithmetic.sqrt((-1, 5))
    with pytest.raises(ZeroDivisionError):
        arithmetic.over((1, 1), (0, 5))


@given(st.integers(-(10**6), 10**6), st.integers(1, 1000), st.integers(-5, 20))
def test_roundings(a, b, by):
    assert down(a, b) <= Fraction(a, b) <= up(a, b) < Fraction(a, b) + 1
    low, high = moved((a, a), by)
    assert low <= Fraction(a) / Fraction(2) ** by <= high <= low + 1


LEVELS = st.fractions(-2, 8, max_denominator=1000)
SHIFTS = st.fractions(0, 20, max_denominator=1000)
EXCESSES = st.fractions(Fraction(-19, 20), 4, max_denominator=200)


@given(LEVELS, SHIFTS, EXCESSES, st.integers(1, 40))
def test_divergence_of_a_pair_agrees_with_the_contour(level, shift, excess, dimension):
    bits = 140
    low, high = hockey_stick(level, Pair(shift, excess, dimension), bits)
    known = hockey_stick_enclosure(level, shift, excess, dimension, digits=30)
    assert known.lower is not None
    assert known.upper is not None
    assert Fraction(low, 1 << bits) <= known.upper
    assert known.lower <= Fraction(high, 1 << bits)
    assert high - low <= 16 * (1 + 2 ** max(0, 2 * int(level)))


@given(LEVELS, SHIFTS, st.fractions(Fraction(-1, 2), 2, max_denominator=50), st.integers(1, 6))
def test_a_pair_turned_and_at_the_negative_level_is_bound_to_itself(level, shift, excess, dimension):
    """H_eps(P||Q) = 1 - e^eps + e^eps H_(-eps)(Q||P)."""
    pair, bits = Pair(shift, excess, dimension), 120
    arithmetic = Fixed(bits)
    scale = arithmetic.exp(arithmetic.of(level))
    other = arithmetic.times(scale, hockey_stick(-level, pair.turned(), bits))
    low, high = hockey_stick(level, pair, bits)
    assert low <= arithmetic.one - scale[0] + other[1]
    assert arithmetic.one - scale[1] + other[0] <= high


@given(
    st.fractions(0, 3, max_denominator=100),
    st.fractions(Fraction(1, 1000), 1, max_denominator=1000),
    st.fractions(Fraction(1, 4), 8, max_denominator=100),
    st.booleans(),
)
def test_divergence_of_a_sample_agrees_with_the_error_function(level, rate, noise, remove):
    bits = 200
    known = sampled_divergence(level, rate, noise, remove=remove, digits=30)
    low, high = one_sampled(level, rate, noise, bits, remove=remove)
    assert known.lower is not None
    assert known.upper is not None
    assert Fraction(low, 1 << bits) <= known.upper
    assert known.lower <= Fraction(high, 1 << bits)
    assert high - low <= 4


# ------------------------------------------------------------------------------------------------ sums of losses

MASSES = st.lists(st.integers(0, 10**6), min_size=2, max_size=8)


def exact_curve(loss: Loss, times: int) -> dict[int, Fraction]:
    """The law of the sum of so many losses, in exact fractions; without what is at infinity."""
    one = {loss.first + k: Fraction(m, loss.unit) for k, m in enumerate(loss.masses)}
    law = {0: Fraction(1)}
    for _ in range(times):
        law = {
            place: sum((m * one[place - i] for i, m in law.items() if place - i in one), Fraction(0))
            for place in range(min(law) + min(one), max(law) + max(one) + 1)
        }
    return law


@given(MASSES, st.integers(-5, 5), st.integers(0, 1000), st.integers(1, 9), st.booleans(), st.integers(0, 3000))
def test_powers_lie_on_their_side_of_the_exact_convolution(masses, first, infinite, times, upper, cut):
    digits = 7
    total = sum(masses) + infinite
    masses = [m * 10**digits // max(total, 1) for m in masses]
    infinite = infinite * 10**digits // max(total, 1) if upper else 0
    loss = Loss(first, masses, infinite, digits, upper)
    found = power(loss, times, cut)
    law = exact_curve(loss, times)
    finite = Fraction(sum(masses), loss.unit)
    never = (finite + Fraction(infinite, loss.unit)) ** times - finite**times
    step = Fraction(1, 10)
    for level in (Fraction(-1), Fraction(0), Fraction(1, 3), Fraction(2)):
        with mpmath.workdps(40):
            truth = mpmath.mpf(never.numerator) / never.denominator
            for place, mass in law.items():
                gap = place * step - level
                if gap > 0 and mass:
                    weight = -mpmath.expm1(-mpmath.mpf(gap.numerator) / gap.denominator)
                    truth += mpmath.mpf(mass.numerator) / mass.denominator * weight
            bound = mpmath.mpf(delta(found, level, step)) / loss.unit
            assert bound >= truth if upper else bound <= truth


def test_a_sum_of_losses_is_exact_up_to_a_unit():
    x = Loss(-1, [25, 50, 25], 0, 2, False)
    assert summed(x, x) == Loss(-2, [6, 25, 37, 25, 6], 0, 2, False)
    y = Loss(-1, [25, 50, 20], 5, 2, True)
    assert summed(y, y) == Loss(-2, [7, 26, 36, 21, 5], 10, 2, True)


def test_ends_are_moved_to_the_safe_side():
    assert Loss(0, [1, 2, 9, 2, 1], 0, 3, True).trimmed(3) == Loss(2, [12], 3, 3, True)
    assert Loss(0, [1, 2, 9, 2, 1], 0, 3, False).trimmed(3) == Loss(2, [12], 0, 3, False)
    assert Loss(0, [1, 2, 9, 2, 1], 4, 3, True).trimmed(1) == Loss(1, [3, 9, 2], 5, 3, True)


def test_masses_above_two_are_refused():
    with pytest.raises(Refused, match="more than 2"):
        summed(Loss(0, [150, 60], 0, 2, True), Loss(0, [1], 0, 2, True))


@pytest.mark.parametrize(("upper", "places"), [(True, (1, 6)), (False, (1, 6))])
def test_the_weights_of_a_curve_are_rounded_to_its_side(upper, places):
    """Of masses of a whole unit each nothing is lost but the rounding of the sum."""
    loss = Loss(places[0], [10**40] * (places[1] - places[0]), 0, 40, upper)
    with mpmath.workdps(80):
        truth = sum(-mpmath.expm1(-mpmath.mpf(k) / 3) for k in range(*places)) * mpmath.mpf(10) ** 40
        found = delta(loss, Fraction(0), Fraction(1, 3))
        assert found >= truth if upper else found <= truth
        assert abs(found - truth) <= 2


@given(st.fractions(Fraction(3, 4), Fraction(3, 2), max_denominator=50), st.sampled_from([6, 9, 12]))
def test_logarithm_with_few_bits(x, bits):
    arithmetic = Fixed(bits)
    assert holds(arithmetic.log(arithmetic.of(x)), mpmath.log, x, bits)
