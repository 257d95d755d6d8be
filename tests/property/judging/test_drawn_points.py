"""Laws of what is drawn of a curve: nothing that sticks out is lost, and lines keep close where it is smooth."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.experiments.show.drawn_points import seen
from rgm_verify.learning.data import EPS

values = st.floats(1e-12, 1e12)
curves = st.lists(values, min_size=1, max_size=80)
columns = st.integers(1, 100)
tolerances = st.sampled_from([0.0, 1e-3, 0.1])


def heights(curve):
    return [math.log10(value) for value in curve]


def drawn(curve, places):
    """The height of the lines between the drawn points, at every place."""
    return np.interp(range(len(curve)), places, [heights(curve)[i] for i in places])


@given(curve=curves, columns=columns, tolerance=tolerances)
def test_ends_and_extremes_are_drawn(curve, columns, tolerance):
    places = seen(curve, columns=columns, tolerance=tolerance)
    assert places == sorted(set(places))
    assert (places[0], places[-1]) == (0, len(curve) - 1)
    shown = [heights(curve)[i] for i in places]
    assert min(shown) <= min(heights(curve)) + tolerance
    assert max(shown) >= max(heights(curve)) - tolerance


@given(curve=curves.map(sorted), columns=columns, tolerance=tolerances, falling=st.booleans())
def test_lines_keep_within_the_tolerance_where_nothing_goes_up_and_down(curve, columns, tolerance, falling):
    curve = curve[::-1] if falling else curve
    places = seen(curve, columns=columns, tolerance=tolerance)
    off = np.abs(drawn(curve, places) - heights(curve)).max()
    assert off <= tolerance + 16 * EPS * max(map(abs, heights(curve)))  # of an interpolation between heights


@given(curve=curves, tolerance=tolerances)
def test_with_a_column_for_each_point_every_curve_keeps_within_the_tolerance(curve, tolerance):
    places = seen(curve, columns=len(curve), tolerance=tolerance)
    off = np.abs(drawn(curve, places) - heights(curve)).max()
    assert off <= tolerance + 16 * EPS * max(map(abs, heights(curve)))


@given(pairs=st.lists(st.tuples(st.floats(1, 9), st.floats(100, 900)), min_size=4, max_size=60), columns=columns)
def test_of_what_goes_up_and_down_there_are_two_points_a_column_and_the_ends(pairs, columns):
    curve = [value for pair in pairs for value in pair]
    places = seen(curve, columns=columns, tolerance=0.0)
    assert len(places) <= 2 * columns + 2
    assert {curve.index(min(curve)), curve.index(max(curve))} <= set(places)


@given(curve=curves, after=st.integers(1, 20), columns=columns)
def test_what_is_not_known_is_left_out(curve, after, columns):
    places = seen(curve + [math.nan] * after, columns=columns, tolerance=0.01)
    assert places[-1] == len(curve) - 1
    assert seen([math.nan] * after, columns=columns, tolerance=0.01) == []


def test_zeros_have_a_place_below_everything():
    assert seen([1.0, 0.5, 0.0, 0.5, 1.0], columns=5, tolerance=0.1) == [0, 1, 2, 3, 4]
    assert seen([1.0] * 50 + [0.0], columns=5, tolerance=0.1) == [0, 49, 50]


def test_a_straight_line_is_two_points():
    assert seen([2.0**-k for k in range(300)], columns=50, tolerance=1e-9) == [0, 299]
