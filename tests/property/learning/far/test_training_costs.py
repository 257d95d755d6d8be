"""The cost of a training: amplified where that is proved, and of GeoDP as printed at least what an attack shows."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rgm_verify.accounting.subsampled.account import epsilon
from rgm_verify.accounting.subsampled.mechanism import fixed_batches
from rgm_verify.errors import InputError
from rgm_verify.learning.geometric import ClampedGeoDP, GeoDPAsPrinted
from rgm_verify.learning.geometric import costs as module
from rgm_verify.learning.geometric.costs import equal_noise, printed_epsilon, released_epsilon, wrong_signs
from rgm_verify.numbers.bounds import round_up


def printed(batch=8192, noise=1, factor="1/10"):
    return GeoDPAsPrinted("1/10", batch, noise, factor)


def test_what_is_released_is_accounted_as_fixed_batches():
    assert released_epsilon(2, 10, 100, 5, "1e-5") == epsilon(fixed_batches("1/10", 2, 5), "1e-5")


@given(st.fractions("1/100", 100, max_denominator=1000))
def test_clamped_geodp_with_equal_noise_is_as_private_and_no_noisier_than_needed(sigma):
    noise = equal_noise(sigma)
    assert 5 / noise**2 <= 4 / sigma**2
    assert 5 / (noise * (1 - Fraction(1, 2**60))) ** 2 > 4 / sigma**2
    # A root that is too large by less than 2^-62 of it, rounded up to a float; in exact numbers they are the same.
    distance = ClampedGeoDP(1, 8, noise, 1, center=[0.0]).distance("replace_one")
    assert distance <= round_up(2 / sigma * (1 + Fraction(1, 2**62)))


@pytest.mark.parametrize(("batch", "noise", "factor", "steps"), [
    (8192, 1, "1/10", 146), (8192, 10, "1/2", 146), (16384, 10, "1/10", 73), (256, "1/100", 1, 350), (4, 1, 1, 1),
])  # fmt: skip
def test_the_ends_of_the_printed_form_are_in_order_and_above_what_is_stated(batch, noise, factor, steps):
    found = printed_epsilon(printed(batch, noise, factor), 21_840, 60_000, steps, "1e-5")
    stated = released_epsilon(noise, batch, 60_000, steps, "1e-5")
    assert 0 <= found.lower <= found.upper
    if batch > 100:
        # A millionth of delta is set aside, which moves the lower end by about as much.
        assert found.lower >= stated.lower * (1 - 1e-5)


def test_at_the_parameters_of_table_2_the_stated_guarantee_is_exceeded():
    found = printed_epsilon(printed(), 21_840, 60_000, 146, "1e-5")
    assert found.lower > 1000
    assert found.lower_method == "signs of the last coordinate, counted"
    assert released_epsilon(1, 8192, 60_000, 146, "1e-5").upper < 60


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 60), st.data(), st.fractions("1/1000", "999/1000", max_denominator=1000))
def test_a_tail_is_the_sum_of_a_binomial_law(count, data, chance):
    least = data.draw(st.integers(1, count))
    found = module._tail(count, least, chance)
    exact = sum(
        Fraction(math.comb(count, j)) * chance**j * (1 - chance) ** (count - j) for j in range(count + 1)
        if j >= least
    )  # fmt: skip
    assert found == exact


@given(st.fractions("1/1000000", 1000, max_denominator=10**9))
def test_numbers_are_rounded_to_their_side_by_a_relative_2_to_the_minus_62(value):
    low, high = (module._rounded(value, up=up) for up in (False, True))
    assert low <= value <= high
    assert high - low <= value / 2**62
    assert low.denominator.bit_length() <= 100


@pytest.mark.parametrize("batch", [256, 8192])
@pytest.mark.parametrize("noise", ["1/10", "1", "10"])
def test_bounds_on_a_wrong_sign_are_in_order_and_grow_with_the_noise(batch, noise):
    low, high = wrong_signs(printed(batch, noise, "1/10"), 21_840)
    assert 0 <= low <= high <= 1
    louder = wrong_signs(printed(batch, Fraction(noise) * 2, "1/10"), 21_840)
    assert louder[1] >= low


def test_a_smaller_delta_and_more_steps_cost_more():
    def lower(steps, delta):
        return printed_epsilon(printed(16384, 10), 21_840, 60_000, steps, delta).lower

    assert lower(73, "1e-8") > lower(73, "1e-5")
    assert lower(20, "1e-5") < lower(73, "1e-5") < lower(200, "1e-5")


def test_where_a_magnitude_may_hide_nothing_is_claimed_of_it():
    assert module._by_magnitudes(printed(2, 1), Fraction(1, 2), 1, Fraction(1, 100)) == 0
    assert module._by_magnitudes(printed(12, 10), Fraction(1, 2), 1, Fraction(1, 10**9)) == 0
    assert module._by_magnitudes(printed(200, 1), Fraction(1, 2), 1, Fraction(1, 10**9)) > 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((printed(), 2, 60_000, 1, "1e-5"), "dimension=2: expected at least 3"),
        ((printed(), 10, 8191, 1, "1e-5"), "batch=8192: a batch is a set of records, and there are 8191"),
        ((printed(), 10, 60_000, 0, "1e-5"), "steps"),
        ((printed(), 10, 60_000, 1, 0), "delta"),
    ],
)
def test_questions_that_make_no_sense_are_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        printed_epsilon(*arguments)
