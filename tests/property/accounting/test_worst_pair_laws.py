"""Laws about which pair is the worst, derived in `derivations/beyond/`, for the float hockey-stick divergence."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from rgm_verify.gaussians.floating.hockey_stick import ERROR, ERROR_CONSTANT, log_hockey_stick

EPS = float(np.finfo(np.float64).eps)
SHARES = np.linspace(0.0, 1.0, 33)

magnitudes = st.floats(-3, 1.5).map(lambda e: 10.0**e)
dimensions = st.integers(1, 1000)
levels = st.one_of(st.floats(-5, 5), st.floats(-3, 0).map(lambda e: 10.0**e), st.just(0.0))


def wide_first(epsilon, shift_squared, excess, dimension):
    return log_hockey_stick(epsilon, shift_squared, excess, dimension)


def narrow_first(epsilon, shift_squared, excess, dimension):
    variance = 1 + np.asarray(excess)
    return log_hockey_stick(epsilon, shift_squared / variance, 1 / variance - 1, dimension)


def margin(*logarithms):
    """Twice the measured error of a logarithm of this size: for a comparison of two of them."""
    largest = max(float(np.max(np.abs(v[np.isfinite(v)]), initial=0.0)) for v in logarithms)
    return 2 * (ERROR + ERROR_CONSTANT * EPS * largest)


def reachable(*logarithms):
    """Tell whether every logarithm is in the range where the error is measured."""
    return all(bool(np.all(v > np.log(1e-200))) for v in logarithms)


@given(levels, magnitudes, magnitudes, dimensions, st.sampled_from([wide_first, narrow_first]))
def test_divergence_is_largest_at_an_end_of_the_variance(epsilon, distance, largest, dimension, order):
    values = order(epsilon, distance**2, SHARES * largest, dimension)
    assume(reachable(values))
    assert np.all(values <= max(values[0], values[-1]) + margin(values))


@given(levels, magnitudes, magnitudes, dimensions, st.sampled_from([wide_first, narrow_first]))
def test_divergence_falls_and_then_rises_in_the_variance(epsilon, distance, largest, dimension, order):
    values = order(epsilon, distance**2, SHARES * largest, dimension)
    assume(reachable(values))
    lowest_before = np.minimum.accumulate(values)
    lowest_after = np.minimum.accumulate(values[::-1])[::-1]
    assert np.all(values <= np.maximum(lowest_before, lowest_after) + margin(values))


@given(st.floats(1, 10), magnitudes, magnitudes, dimensions)
def test_from_half_the_squared_distance_on_the_larger_variance_is_worse(share, distance, largest, dimension):
    values = wide_first(share * distance**2 / 2, distance**2, SHARES * largest, dimension)
    assume(reachable(values))
    assert np.all(np.diff(values) >= -margin(values))


@given(st.floats(0, 5), magnitudes, magnitudes, st.integers(1, 1000))
def test_wide_first_is_the_worse_order_at_nonnegative_levels(epsilon, distance, excess, dimension):
    wide = wide_first(epsilon, distance**2, excess, dimension)
    narrow = narrow_first(epsilon, distance**2, excess, dimension)
    assume(reachable(wide))
    assert narrow <= wide + margin(wide, narrow)
