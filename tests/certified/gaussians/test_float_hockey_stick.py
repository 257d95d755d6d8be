"""The floating-point hockey-stick divergence and privacy-loss law lie within their stated errors of enclosures."""

from __future__ import annotations

import itertools
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rgm_verify.gaussians.certified.hockey_stick import (
    complement_enclosure,
    hockey_stick_enclosure,
    loss_cdf_enclosure,
    loss_sf_enclosure,
)
from rgm_verify.gaussians.floating import hockey_stick, privacy_loss
from rgm_verify.gaussians.floating.hockey_stick import log_complement, log_hockey_stick
from rgm_verify.gaussians.floating.privacy_loss import log_loss_cdf, log_loss_sf

EPS = float(np.finfo(np.float64).eps)
DIMENSIONS = (1, 2, 3, 30, 1000, 10**4, 10**6)
EXCESSES = (-0.9, -0.3, -1e-2, -1e-6, -1e-12, 0.0, 1e-12, 1e-6, 1e-2, 0.3, 2.0, 10.0)
SHIFTS = (0.0, 1e-12, 1e-3, 1.0, 50.0, 1e4)
GOALS = (0.99, 0.5, 1e-3, 1e-10, 1e-50, 1e-200)


def grid():
    """Pairs of the product above, each with the epsilons >= 0 that come closest to the six goals for delta."""
    pairs = [p for p in itertools.product(SHIFTS, EXCESSES, DIMENSIONS) if p[0] or p[1]]
    shift, excess, dimension, goal = (np.array(x) for x in zip(*((*p, g) for p in pairs for g in GOALS), strict=True))
    mean = shift / 2 + dimension / 2 * (excess - np.log1p(excess))
    deviation = np.sqrt(shift * (1 + excess) + dimension / 2 * excess**2)
    low, high = np.zeros_like(mean), mean + 60 * deviation + 1000 * np.maximum(excess, 0)
    for _ in range(60):
        middle = (low + high) / 2
        above = log_hockey_stick(middle, shift, excess, dimension) > np.log(goal)
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return low, shift, excess, dimension, goal


def within(value, enclosure, absolute, relative):
    """Decide whether a logarithm is within its error of the logarithms of everything in an enclosure."""
    with mpmath.workdps(40):
        logs = [mpmath.log(mpmath.mpf(end.numerator) / end.denominator) for end in (enclosure.lower, enclosure.upper)]
        return all(abs(mpmath.mpf(float(value)) - log) <= absolute + relative * EPS * abs(log) for log in logs)


def tight(enclosure):
    """An enclosure may be wider than asked for where its own limits stop it; it then decides nothing."""
    return enclosure.lower > 0 and enclosure.upper - enclosure.lower <= enclosure.lower / 10**14


def exactly(*numbers):
    return tuple(Fraction(float(x)) for x in numbers)


def test_logarithm_of_delta_is_within_1e_minus_11_on_a_grid_of_1500_certified_cases():
    """From the smallest to the largest delta, both orders, d = 1 .. 10^6; and within the error that is stated."""
    low, shift, excess, dimension, goal = grid()
    values = log_hockey_stick(low, shift, excess, dimension)
    assert not np.isnan(values).any()
    checked = 0
    for epsilon, d2, w, d, value in zip(low, shift, excess, dimension, values, strict=True):
        if value < np.log(1e-201):
            continue
        found = hockey_stick_enclosure(*exactly(epsilon, d2, w), int(d))
        assert within(value, found, hockey_stick.ERROR, 0), (epsilon, d2, w, d, value)
        checked += 1
    assert hockey_stick.ERROR <= 1e-11
    assert checked >= 1500
    # The goals were met: the grid is not one of easy cases only.
    reached = np.abs(values - np.log(goal)) < 1e-3
    assert all(reached[goal == g].sum() >= 100 for g in GOALS)


def test_the_comparison_catches_an_error_of_one_part_in_ten_to_the_eleven():
    found = hockey_stick_enclosure(*exactly(1.0, 2.0, 0.5), 7)
    value = float(log_hockey_stick([1.0], 2.0, 0.5, 7)[0])
    assert within(value, found, hockey_stick.ERROR, 0)
    assert not within(value + 1e-11, found, hockey_stick.ERROR, 0)
    others = log_hockey_stick([1.0, 1.0 + 1e-10], 2.0, 0.5, [8, 7])
    assert not any(within(float(other), found, hockey_stick.ERROR, 0) for other in others)


@st.composite
def anywhere(draw):
    """A pair with numbers of any size, and a threshold at any distance from the bulk of the loss or from its end."""
    dimension = draw(st.one_of(st.integers(1, 4), st.floats(0, 6).map(lambda e: int(10**e))))
    size = 10.0 ** draw(st.floats(-14, 12))
    excess = draw(st.sampled_from([size, -min(size, 0.95), size - 1 if size < 1 else -0.5, 0.0]))
    shift = draw(st.one_of(st.just(0.0), st.floats(-16, 8).map(lambda e: 10.0**e)))
    assume((shift > 0 or excess != 0) and excess > -1 + 1e-12)
    mean = shift / 2 + dimension / 2 * (excess - np.log1p(excess))
    deviation = np.sqrt(shift * (1 + excess) + dimension / 2 * excess**2)
    edge = -dimension / 2 * np.log1p(excess) - (shift / (2 * excess) if excess else 0.0)
    near_edge = edge * (1 + draw(st.sampled_from([-1, 1])) * 10.0 ** draw(st.floats(-9, 0)))
    tail = mean + draw(st.floats(-25, 40)) * deviation
    threshold = draw(st.sampled_from([0.0, float(tail), float(near_edge), -float(tail)]))
    assume(abs(threshold) < 1e12)
    return threshold, shift, excess, dimension


@settings(max_examples=400, deadline=None)
@given(anywhere())
def test_logarithms_are_within_their_stated_errors_anywhere(case):
    *floats, dimension = case
    # In an array, as a number by itself may go the certified way.
    value, complement = float(log_hockey_stick([case[0]], *case[1:])[0]), float(log_complement(*case))
    whole = hockey_stick_enclosure(*exactly(*floats), dimension)
    if whole.upper == 0:
        assert value == -np.inf
    elif value > -1e4 and tight(whole):
        assert within(value, whole, hockey_stick.ERROR, hockey_stick.ERROR_CONSTANT)
    rest = complement_enclosure(*exactly(*floats), dimension)
    if complement > -1e4 and tight(rest):
        assert within(complement, rest, 10 * hockey_stick.ERROR, hockey_stick.ERROR_CONSTANT)


@pytest.mark.parametrize("under", ["P", "Q"])
@settings(max_examples=200, deadline=None)
@given(case=anywhere())
def test_tails_of_the_loss_are_within_their_stated_errors_anywhere(under, case):
    *floats, dimension = case
    for tail, enclose in ((log_loss_cdf, loss_cdf_enclosure), (log_loss_sf, loss_sf_enclosure)):
        value = float(tail(*case, under=under))
        found = enclose(*exactly(*floats), dimension, under=under)
        if found.upper == 0:
            assert value == -np.inf
        elif value > -1e4 and tight(found):
            assert within(value, found, privacy_loss.ERROR, privacy_loss.ERROR_CONSTANT)
