"""Crossings of a level by decreasing probabilities, compared with probabilities whose crossing is known exactly."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.numbers.crossing import OutOfRange, Unfinished, crossing, log, short_rational

_UNIT = st.fractions(Fraction(1, 10**30), 1 - Fraction(1, 10**12), max_denominator=10**31)
_SCALES = st.integers(-40, 40).map(lambda k: Fraction(10) ** k)
_TOLERANCES = st.sampled_from([Fraction(1, 10), Fraction(1, 1000), Fraction(1, 10**6), Fraction(1, 10**9)])


class Hyperbola:
    """floor + (1 - floor)/(1 + x/scale), enclosed as roughly as it may be; it counts how often it is asked."""

    def __init__(self, floor: Fraction, scale: Fraction, power: int = 1) -> None:
        self.floor, self.scale, self.power, self.asked = floor, scale, power, 0

    def __call__(self, point: Fraction, digits: int) -> tuple[Fraction, Fraction]:
        self.asked += 1
        value = self.floor + (1 - self.floor) / (1 + (point / self.scale) ** self.power)
        return value * (1 - Fraction(1, 10**digits)), value * (1 + Fraction(1, 10**digits))

    def exceeds(self, level: Fraction, point: Fraction) -> bool:
        return self.floor + (1 - self.floor) / (1 + (point / self.scale) ** self.power) > level


@given(_UNIT, _UNIT, _SCALES, _TOLERANCES, st.floats(-20, 20), st.sampled_from([1, 2, 5]))
def test_the_bracket_is_certified_on_both_sides_and_as_narrow_as_asked(a, b, scale, tolerance, away, power):
    floor, level = min(a, b) / 2, max(a, b)
    curve = Hyperbola(floor, scale, power)
    found = crossing(curve, level, guess=log(scale) + away, floor=floor, tolerance=tolerance)
    assert curve.exceeds(level, found.fails)
    assert not curve.exceeds(level, found.holds)
    assert found.holds <= found.fails * (1 + tolerance)
    assert found.evaluations == curve.asked <= 50


@given(st.integers(12, 60))
def test_a_level_just_above_the_floor_is_reached_with_the_digits_that_it_takes(digits):
    floor = Fraction(1, 3)
    level = floor * (1 + Fraction(1, 10**digits))
    curve = Hyperbola(floor, Fraction(1))
    found = crossing(curve, level, guess=0.0, floor=floor)
    assert curve.exceeds(level, found.fails)
    assert not curve.exceeds(level, found.holds)
    assert curve.asked <= 50


@given(st.floats(-600, 600), st.integers(2, 12))
def test_points_are_short_decimals_near_what_was_asked(place, significant):
    point = short_rational(place, significant)
    digits = point.numerator * 10**700 // point.denominator
    assert len(str(digits).rstrip("0")) <= significant
    assert abs(log(point) - place) <= 0.5 * 10.0 ** (1 - significant) + 1e-12 * abs(place) + 1e-14


def test_what_is_never_crossed_is_said_to_be_so():
    with pytest.raises(OutOfRange, match="between 1e-300 and 1e300"):
        crossing(Hyperbola(Fraction(1, 2), Fraction(1)), Fraction(1, 3), guess=0.0)


def test_what_no_precision_decides_is_no_bracket():
    with pytest.raises(ArithmeticError, match="digits do not decide"):
        crossing(lambda _, __: (Fraction(0), Fraction(1)), Fraction(1, 3), guess=0.0)


@given(away=st.floats(-3, 3), most=st.integers(1, 30))
def test_a_bounded_search_ends_with_what_is_certified_by_then(away, most):
    asked = []

    def curve(point, digits):
        asked.append(point)
        return 1 / (1 + point), 1 / (1 + point)

    try:
        found = crossing(curve, Fraction(1, 4), guess=away, most_evaluations=most)
    except Unfinished:
        assert not min(asked) < 3 <= max(asked)
    else:
        assert found.fails < 3 <= found.holds
        assert {found.fails, found.holds} <= set(asked)
    assert len(asked) <= most
