"""Numbers as chapters show them: what the error decides is refused, and everything else is the same text."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.errors import InputError
from rgm_verify.numbers.settled import Unsettled, enclosed, geometric, settled

NUMBERS = st.floats(1e-200, 1e200)
ERROR = Fraction(1, 10**9)


@given(NUMBERS, st.floats(-1, 1), st.sampled_from(["nearest", "up", "down"]), st.integers(1, 8))
def test_two_values_within_the_error_of_one_number_have_one_text_or_are_refused(value, share, rounded, digits):
    other = float(Fraction(value) * (1 + Fraction(share) * ERROR / 2))
    try:
        text = settled(value, error=ERROR, digits=digits, rounded=rounded)
        again = settled(other, error=ERROR, digits=digits, rounded=rounded)
    except Unsettled:
        return
    assert text == again


@given(NUMBERS, st.integers(1, 12))
def test_a_settled_number_is_on_its_side_and_within_a_unit_of_the_last_digit(value, digits):
    error = Fraction(1, 10**20)
    texts = {}
    for rounded in ("down", "nearest", "up"):
        try:
            texts[rounded] = Fraction(settled(value, error=error, digits=digits, rounded=rounded))
        except Unsettled:
            return
    assert texts["down"] <= Fraction(value) <= texts["up"]
    assert texts["up"] - texts["down"] <= Fraction(value) * Fraction(10) ** (1 - digits)
    assert texts["nearest"] == min(texts.values(), key=lambda end: abs(end - Fraction(value)))


@pytest.mark.parametrize("rounded", ["up", "down"])
def test_a_number_on_a_rounding_boundary_is_refused_and_the_message_shows_both(rounded):
    with pytest.raises(Unsettled, match=r"1\.24.* or 1\.25|1\.25.* or 1\.26"):
        settled(1.25, error=ERROR, digits=3, rounded=rounded)


def test_half_way_between_two_decimals_is_refused():
    with pytest.raises(Unsettled, match=r"1\.2 or 1\.3"):
        settled(1.25, error=ERROR, digits=2)
    assert settled(1.2500001, error=ERROR, digits=2) == "1.3"


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_refused(value):
    with pytest.raises(InputError, match="value="):
        settled(value, error=ERROR)


@pytest.mark.parametrize("error", [Fraction(-1, 2), Fraction(1)])
def test_an_error_that_is_none_is_refused(error):
    with pytest.raises(InputError, match="error="):
        settled(1.0, error=error)


@given(NUMBERS, st.floats(0, 1e-3))
def test_an_enclosure_is_rounded_outward(value, width):
    lower, upper = Fraction(value), Fraction(value) * (1 + Fraction(width))
    low, high = map(Fraction, enclosed(lower, upper))
    assert low <= lower <= upper <= high
    assert high - low <= (upper - lower) + 2 * upper * Fraction(1, 10**8)


@given(st.integers(1, 10**4), st.integers(0, 10**6), st.integers(2, 20))
def test_a_geometric_progression_has_its_ends_and_exact_integer_parts(first, more, count):
    found = geometric(first, first + more, count)
    assert (len(found), found[0], found[-1]) == (count, first, first + more)
    for k, value in enumerate(found):
        power = first ** (count - 1 - k) * (first + more) ** k
        assert value ** (count - 1) <= power < (value + 1) ** (count - 1)


@pytest.mark.parametrize(
    ("arguments", "words"), [((0, 3, 4), "first=0"), ((4, 3, 4), "first=4"), ((1, 3, 1), "count=1")]
)
def test_no_progression_is_refused(arguments, words):
    with pytest.raises(InputError, match=words):
        geometric(*arguments)
