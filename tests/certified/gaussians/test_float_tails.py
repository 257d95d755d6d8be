"""The divergence by two tails of scipy: within the stated error of certified enclosures wherever tails are taken."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosure
from rgm_verify.gaussians.floating import hockey_stick, tails
from rgm_verify.gaussians.floating.arguments import Columns
from rgm_verify.gaussians.floating.hockey_stick import ERROR, log_hockey_stick
from rgm_verify.gaussians.floating.tails import MANY, log_by_tails, log_of_plain


def columns(*cases):
    """Return the columns of (threshold, squared shift, excess, dimension)."""
    return Columns(*(np.array(x, dtype=float) for x in zip(*cases, strict=True)))


def distance(value, case):
    """Return how far a logarithm may be from that of the certified divergence, at most."""
    *numbers, dimension = case
    found = hockey_stick_enclosure(*(Fraction(float(x)) for x in numbers), int(dimension), digits=20)
    with mpmath.workdps(40):
        ends = [mpmath.log(mpmath.mpf(end.numerator) / end.denominator) for end in (found.lower, found.upper)]
        return max(abs(mpmath.mpf(float(value)) - end) for end in ends)


magnitudes = st.floats(-2, 0.477).map(lambda e: 10.0**e)


@st.composite
def boxed(draw):
    """Draw a pair in the box of the chi-square tails, up to its edges, and a loss at any place of its law."""
    excess = draw(st.one_of(magnitudes, magnitudes.map(lambda w: -min(w, 0.75))))
    share = 10.0 ** draw(st.floats(-8, 0))
    shift = share * 1e3 * excess**2 / (1 + abs(excess)) * (1 - 1e-12)
    dimension = int(10 ** draw(st.floats(0, 3)))
    mean = shift / 2 + dimension / 2 * (excess - np.log1p(excess))
    deviation = np.sqrt(shift * (1 + excess) + dimension / 2 * excess**2)
    threshold = float(np.clip(mean + draw(st.floats(-6, 12)) * deviation, 0.0, 50.0))
    return threshold, shift, excess, dimension


def test_chi_square_tails_are_within_the_stated_error_all_over_their_box():
    taken = []

    @settings(max_examples=600, deadline=None)
    @given(boxed())
    def every_one(case):
        value = float(log_by_tails(columns(case), many=True)[0])
        if not np.isnan(value):
            taken.append(case)
            assert distance(value, case) <= ERROR

    every_one()
    # A way that is never taken would be within any error.
    assert len(taken) >= 100


@settings(max_examples=600, deadline=None)
@given(st.floats(-9, 4).map(lambda e: 10.0**e), st.floats(-6, 36))
def test_normal_tails_are_within_the_stated_error_wherever_they_are_taken(shift, z):
    threshold = max(0.0, float(shift / 2 + z * np.sqrt(shift)))
    case = (threshold, shift, 0.0, 7)
    value = float(log_by_tails(columns(case), many=False)[0])
    alone = log_of_plain(threshold, shift)
    for found in (value, np.nan if alone is None else alone):
        if not np.isnan(found) and found >= np.log(1e-200):
            assert distance(found, case) <= ERROR


@pytest.mark.parametrize("shift", [0.25, 1.0, 4.0, 100.0])
@pytest.mark.parametrize("z", [-1, 0, 2, 5])
def test_normal_tails_are_taken_at_usual_noise(shift, z):
    threshold = max(0.0, shift / 2 + z * shift**0.5)
    assert log_of_plain(threshold, shift) is not None
    assert not np.isnan(log_by_tails(columns((threshold, shift, 0.0, 1)), many=False)[0])


def test_tails_that_are_alike_are_left_to_the_contour():
    close = (0.0, 1e-8, 0.0, 3)
    assert log_of_plain(*close[:2]) is None
    assert np.isnan(log_by_tails(columns(close, (0.0, 1e-8, 1e-2, 3)), many=True)).all()


@pytest.mark.parametrize("excess", [-0.7, -0.3, 0.1, 3.0])
def test_chi_square_tails_are_taken_of_moderate_pairs(excess):
    assert not np.isnan(log_by_tails(columns((0.5, 1.0, excess, 5)), many=True)[0])


OUTSIDE = {
    "a negative threshold": (-1.0, 1.0, 0.3, 10),
    "a large threshold": (51.0, 30.0, 3.0, 10),
    "many dimensions": (1.0, 1.0, 0.3, 1001),
    "nearly equal variances": (0.2, 0.05, 0.009, 10),
    "a much smaller variance": (1.0, 0.1, -0.8, 10),
    "a much larger variance": (1.0, 1.0, 3.1, 10),
    "no shift": (1.0, 0.0, 0.3, 10),
    "a large noncentrality": (1.0, 1e3, 0.3, 10),
}


@pytest.mark.parametrize("case", OUTSIDE.values(), ids=OUTSIDE)
def test_outside_of_the_box_nothing_is_asked_of_chi_square_tails(case):
    assert np.isnan(log_by_tails(columns(case), many=True)[0])


def test_large_arrays_take_tails_and_small_ones_do_not(monkeypatch):
    asked = []
    whole = tails.log_by_tails
    monkeypatch.setattr(tails, "log_by_tails", lambda c, many: asked.append(many) or whole(c, many=many))
    points = np.linspace(0.0, 3.0, MANY)
    large, small = log_hockey_stick(points, 1.0, 0.3, 10), log_hockey_stick(points[::4096], 1.0, 0.3, 10)
    assert set(asked[:-1]) == {True}
    assert asked[-1] is False
    # Two routes, each within its error.
    assert np.max(np.abs(large[::4096] - small)) <= 2 * ERROR


def test_a_number_by_itself_agrees_with_an_array(monkeypatch):
    monkeypatch.setattr(hockey_stick, "hockey_stick_enclosure", None)  # normal tails need no enclosure
    for threshold, shift in ((0.0, 1.0), (3.0, 0.5), (10.0, 9.0)):
        alone, inside = log_hockey_stick(threshold, shift, 0, 5), log_hockey_stick([threshold], shift, 0, 5)[0]
        assert abs(float(alone) - float(inside)) <= 2 * ERROR
