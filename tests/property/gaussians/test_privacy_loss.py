"""Laws of the privacy loss of two isotropic Gaussians, in floating point."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import ncx2

from rgm_verify.errors import InputError
from rgm_verify.gaussians.floating import renyi as room
from rgm_verify.gaussians.floating.hockey_stick import hockey_stick
from rgm_verify.gaussians.floating.privacy_loss import (
    ERROR,
    ERROR_CONSTANT,
    cumulant,
    log_loss_cdf,
    log_loss_pdf,
    log_loss_sf,
    loss_cdf,
    loss_pdf,
    loss_quantile,
    loss_sf,
)
from rgm_verify.gaussians.floating.renyi import renyi, renyi_of_pair

EPS = float(np.finfo(np.float64).eps)

excesses = st.one_of(
    st.just(0.0), st.floats(-12, 1).map(lambda e: 10.0**e), st.floats(-12, -0.05).map(lambda e: -(10.0**e))
)
shifts = st.one_of(st.just(0.0), st.floats(-12, 4).map(lambda e: 10.0**e))
dimensions = st.one_of(st.integers(1, 5), st.integers(1, 10**6))
pairs = st.tuples(shifts, excesses, dimensions).filter(lambda p: p[0] > 0 or p[1] != 0)
laws = st.sampled_from(["P", "Q"])


def moments(pair, under):
    """Return mean and standard deviation of the loss."""
    shift, excess, dimension = pair
    if under == "P":
        return (
            shift / 2 + dimension / 2 * (excess - math.log1p(excess)),
            math.sqrt(shift * (1 + excess) + dimension / 2 * excess**2),
        )
    ratio = 1 + excess
    return (
        -(shift / ratio + dimension * (math.log1p(excess) - excess / ratio)) / 2,
        math.sqrt(shift + dimension / 2 * excess**2) / ratio,
    )


def around(pair, under, z):
    mean, deviation = moments(pair, under)
    return mean + z * deviation


def error(log):
    return ERROR + ERROR_CONSTANT * EPS * np.abs(log)


@given(pairs, laws, st.floats(-20, 20), st.floats(0, 3))
def test_cdf_is_nondecreasing_and_the_tails_sum_to_one(pair, under, z, step):
    x = [around(pair, under, z), around(pair, under, z + step)]
    below, above = log_loss_cdf(x, *pair, under=under), log_loss_sf(x, *pair, under=under)
    assert below[0] <= below[1] or below[0] - below[1] <= 2 * error(below[1])
    assert (np.abs(np.exp(below) + np.exp(above) - 1) <= 8 * EPS).all()


@given(pairs, st.floats(-8, 8))
def test_hockey_stick_is_the_difference_of_two_tails(pair, z):
    """`delta(x) = P(L > x) - e^x Q(L > x)`: three integrals with different poles."""
    x = around(pair, "P", z)
    upper = float(loss_sf(x, *pair))
    lower = math.exp(min(x, 0.0) + min(max(x, 0.0) + float(log_loss_sf(x, *pair, under="Q")), 0.0))
    log_size = abs(float(log_loss_sf(x, *pair, under="Q"))) if lower > 0 else 0.0
    slack = 4 * upper * (error(math.log(upper) if upper > 0 else 0.0) + error(log_size) + 4 * EPS * abs(x))
    assert abs(upper - lower - float(hockey_stick(x, *pair))) <= slack


@given(pairs, st.floats(-20, 20))
def test_densities_under_both_laws_differ_by_the_loss_itself(pair, z):
    x = around(pair, "P", z)
    under_p, under_q = (float(log_loss_pdf(x, *pair, under=law)) for law in ("P", "Q"))
    assume(math.isfinite(under_p) and math.isfinite(under_q))
    assert abs(under_p - under_q - x) <= error(under_p) + error(under_q) + error(x)


@given(pairs, laws, st.floats(-4, 4))
def test_density_is_the_derivative_of_the_cdf(pair, under, z):
    assume(pair[2] >= 5)  # below, the density is not smooth at the end of the loss
    mean, deviation = moments(pair, under)
    x, step = mean + z * deviation, deviation * 2e-4
    assume(step > 1e-6 * abs(mean))
    log_density = log_loss_pdf([x - 2 * step, x, x + 2 * step], *pair, under=under)
    assume(np.isfinite(log_density).all() and log_density[1] + math.log(deviation) > -12)
    tails = [loss_cdf(x + k * step, *pair, under=under) for k in (-1, 1)]
    middle = (tails[1] - tails[0]) / (2 * step)
    density = math.exp(log_density[1])
    # The second difference of the density bounds what the central difference leaves out.
    curve = abs(np.exp(log_density - log_density[1]) @ np.array([1.0, -2.0, 1.0]))
    rounding = (4 * ERROR + 8 * EPS * abs(mean) * density) / (step * density)
    assert abs(middle / density - 1) <= curve + rounding


@settings(max_examples=25)
@given(pairs, laws, st.floats(1e-12, 1 - 1e-12))
def test_quantile_inverts_the_cdf(pair, under, p):
    x = float(loss_quantile(p, *pair, under=under))
    step = 16 * math.ulp(x)
    low, high = loss_cdf([x - step, x + step], *pair, under=under)
    slack = 2 * error(math.log(min(p, 1 - p))) * min(p, 1 - p)
    assert low - slack <= p <= high + slack


@settings(max_examples=25)
@given(pairs, laws, st.floats(-3, 3))
def test_cdf_inverts_the_quantile(pair, under, z):
    p = float(loss_cdf(around(pair, under, z), *pair, under=under))
    assume(1e-9 < p < 1 - 1e-9)
    again = float(loss_cdf(loss_quantile(p, *pair, under=under), *pair, under=under))
    mean, deviation = moments(pair, under)
    x = around(pair, under, z)
    assert (
        abs(again - p)
        <= 4 * ERROR + 8 * math.ulp(x) * float(loss_pdf(x, *pair, under=under)) + math.ulp(mean) / deviation
    )


@given(
    st.floats(0, 4).filter(lambda x: x == 0 or x >= 1e-140),
    st.one_of(st.floats(0.05, 3), st.floats(-0.8, -0.05)),
    st.integers(1, 40),
    laws,
    st.floats(-3, 3),
)
def test_tails_agree_with_the_noncentral_chi_square_where_that_is_good(shift, excess, dimension, under, z):
    pair = (shift, excess, dimension)
    x = around(pair, under, z)
    y = (2 * x + dimension * math.log1p(excess) + shift / excess) / excess
    assume(y > 1e-3)
    ratio = 1 + excess
    y, noncentrality = (y, shift * ratio / excess**2) if under == "P" else (y * ratio, shift / excess**2)
    expected = (ncx2.cdf if excess > 0 else ncx2.sf)(y, dimension, noncentrality)
    assert abs(loss_cdf(x, *pair, under=under) - expected) <= 1e-11 * (1 + 1 / excess**2)


# ----------------------------------------------------------------------------------------- cumulants


@given(pairs, st.floats(-0.5, 20))
def test_cumulant_is_the_renyi_divergence_times_the_order_less_one(pair, s):
    assume(s != 0)
    expected = s * renyi_of_pair(1 + s, *pair)
    value = cumulant(s, *pair)
    assert value == expected or abs(value - expected) <= 4 * EPS * abs(expected)


@given(pairs, st.floats(-0.999, 5), st.floats(-0.999, 5), st.floats(0, 1))
def test_cumulant_is_convex_and_vanishes_at_both_ends(pair, first, last, part):
    middle = part * first + (1 - part) * last
    values = cumulant([first, middle, last], *pair)
    assert (cumulant([0.0, -1.0], *pair) == 0).all()
    assume(np.isfinite(values).all())
    bound = part * values[0] + (1 - part) * values[2]
    condition = max(1 / (1 - max(first, last) * pair[1]), 1.0) * 40 * (1 + 1 / (1 + min(first, last)))
    assert values[1] <= bound + room.ERROR_CONSTANT * EPS * condition * np.abs(values).max()


@given(pairs, st.floats(0.1, 6))
def test_cumulant_is_the_logarithm_of_the_mean_exponential(pair, s):
    """Against the density: Jensen's inequality both ways, that is `K(s) >= s E L`, and `K(s) <= s ess sup L`."""
    shift, excess, dimension = pair
    value = float(cumulant(s, *pair))
    assert value >= s * moments(pair, "P")[0] * (1 - 1e-9) - 1e-300
    if excess < 0:
        largest = -dimension / 2 * math.log1p(excess) - shift / (2 * excess)
        assert value <= s * largest * (1 + 1e-9)


@given(pairs, st.floats(0.01, 20))
def test_divergence_of_a_pair_is_that_of_its_variances(pair, order):
    shift, excess, dimension = pair
    assume(abs(excess) >= 1e-3)  # otherwise 1 + excess loses the excess, which is why the form exists
    ratio = 1 + excess
    exact = ratio - 1
    direct = float(renyi_of_pair(order, shift, exact, dimension))
    other = float(renyi(order, shift, ratio, 1.0, dimension))
    assert direct == other or abs(direct - other) <= 4 * EPS * abs(other)


@pytest.mark.parametrize("excess", [1e-16, -1e-16, 1e-12, 1e-100])
def test_divergence_of_a_pair_keeps_the_smallest_excess(excess):
    orders = np.array([0.3, 0.5, 1.0, 2.0, 50.0])
    expected = 1000 / 4 * orders * excess**2  # the next term is smaller by a factor of excess
    assert np.all(np.abs(renyi_of_pair(orders, 0.0, excess, 1000) / expected - 1) <= 100 * abs(excess) + 8 * EPS)


# -------------------------------------------------------------------------------------------- edges


def test_equal_laws_have_the_loss_zero():
    assert np.array_equal(loss_cdf([-1.0, 0.0, 1.0], 0, 0, 2), [0.0, 1.0, 1.0])
    assert np.array_equal(loss_sf([-1.0, 0.0, 1.0], 0, 0, 2, under="Q"), [1.0, 0.0, 0.0])
    assert loss_quantile(0.3, 0, 0, 2) == 0
    with pytest.raises(InputError, match="no density"):
        loss_pdf(0.0, 0, 0, 2)


def test_beyond_the_ends_there_is_no_mass():
    least = -(3 * math.log(1.5) + 1 / 0.5) / 2
    x = [least - 1e-9, least + 1e-9]
    for under in ("P", "Q"):
        assert (log_loss_cdf(x, 1.0, 0.5, 3, under=under) > -np.inf).tolist() == [False, True]
        assert (log_loss_pdf(x, 1.0, 0.5, 3, under=under) > -np.inf).tolist() == [False, True]
        assert (log_loss_sf(x, 1.0, 0.5, 3, under=under)).tolist()[0] == 0


@pytest.mark.parametrize("p", [0.0, 1.0, -0.1, 1.1, math.nan, "0.5"])
def test_quantile_refuses_what_is_no_probability(p):
    with pytest.raises(InputError, match=r"^p="):
        loss_quantile(p, 1.0, 0.1, 3)


@pytest.mark.parametrize("function", [loss_cdf, loss_sf, loss_pdf, log_loss_cdf, log_loss_sf, log_loss_pdf])
def test_bad_arguments_are_refused_by_name(function):
    with pytest.raises(InputError, match=r"^under='R'"):
        function(0.5, 1.0, 0.1, 3, under="R")
    with pytest.raises(InputError, match=r"^x=nan"):
        function(math.nan, 1.0, 0.1, 3)
    with pytest.raises(InputError, match=r"^s=inf"):
        cumulant(math.inf, 1.0, 0.1, 3)
    with pytest.raises(InputError, match=r"^under='R'"):
        loss_quantile(0.5, 1.0, 0.1, 3, under="R")
