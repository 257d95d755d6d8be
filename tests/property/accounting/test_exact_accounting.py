"""Laws of the exact privacy curve of one release: no admissible pair is beyond it, and it is reached."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from rgm_verify.accounting.exact import delta, deltas, epsilon, renyi, renyi_bounds
from rgm_verify.accounting.exact.below_threshold import Family
from rgm_verify.accounting.exact.renyi_curve import ERROR_CONSTANT, _supremum, covers_order, pair_enclosure
from rgm_verify.accounting.exact.supremum import critical_cells
from rgm_verify.accounting.exact.worst_pairs import worst_paths, worst_points
from rgm_verify.accounting.release import Release
from rgm_verify.errors import InputError
from rgm_verify.gaussians.certified.chi_square import hockey_stick_by_series
from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosure
from rgm_verify.gaussians.certified.slope import slope_sign
from rgm_verify.gaussians.pair import GaussianPair
from rgm_verify.mechanisms.sensitivity import RelativeSensitivity
from rgm_verify.numbers.exact import distance_squared, norm_squared

EPS = float(np.finfo(np.float64).eps)

rationals = st.fractions
etas = st.sampled_from([Fraction(1, 1000), Fraction(1, 20), Fraction(3, 10), Fraction(1), Fraction(3, 2), Fraction(3)])
gammas = st.sampled_from([Fraction(1, 1000), Fraction(1, 50), Fraction(1, 2), Fraction(4)])
kappas = st.sampled_from([Fraction(1, 50), Fraction(1, 4), Fraction(4, 5), Fraction(1), Fraction(3)])
dimensions = st.sampled_from([1, 2, 3, 40])
epsilons = st.sampled_from([Fraction(0), Fraction(1, 10), Fraction(1), Fraction(5)])


@st.composite
def releases(draw):
    """A release without an absolute term, or with one and baseline noise below, at and above the threshold."""
    eta, gamma, d = draw(etas), draw(gammas), draw(dimensions)
    if draw(st.booleans()):
        return Release(eta, gamma, d, sigma2=draw(st.sampled_from([0, 1])))
    return Release(eta, gamma, d, r_rel=1, sigma2=draw(kappas) * gamma / eta**2)


@st.composite
def admissible(draw, release):
    """Two outputs, exact, that are admissible: often on one line with the origin, and as far apart as can be."""
    plane = release.dimension >= 2 and draw(st.booleans())
    size = Fraction(10) ** draw(st.integers(-3, 4))
    y = (draw(rationals(0, 3, max_denominator=50)) * size, Fraction(0))
    x = (
        draw(rationals(-4, 5, max_denominator=50)) * size,
        draw(rationals(-3, 3, max_denominator=50)) * size if plane else Fraction(0),
    )
    sensitivity = RelativeSensitivity(release.eta, release.r_rel, "replace_one")
    low, high = Fraction(0), Fraction(1)
    for _ in range(30):  # the point on the way from y to x that is just admissible
        middle = (low + high) / 2
        towards = tuple(b + middle * (a - b) for a, b in zip(x, y, strict=True))
        low, high = (middle, high) if sensitivity.admits(towards, y) else (low, middle)
    found = tuple(b + low * (a - b) for a, b in zip(x, y, strict=True))
    assert sensitivity.admits(found, y)
    assume(release.sigma2 > 0 or (norm_squared(found) > 0 and norm_squared(y) > 0))
    return (found, y) if draw(st.booleans()) else (y, found)


def gaussians(release, x, y):
    first, second = (release.gamma * norm_squared(output) + release.sigma2 for output in (x, y))
    return GaussianPair.of(distance_squared(x, y), first, second, release.dimension)


# ------------------------------------------------------------------------------- nothing lies beyond


@settings(max_examples=120, deadline=None)
@given(st.data(), releases(), st.sampled_from(["1/100", "1/2", "9/10"]))
def test_no_admissible_pair_has_a_larger_renyi_divergence(data, release, share):
    alpha = 1 + Fraction(share) / release.q
    pair = gaussians(release, *data.draw(admissible(release)))
    bounds = renyi_bounds(release, alpha)
    if 1 - (alpha - 1) * pair.excess <= 0:
        assert bounds.upper == math.inf
    else:
        assert float(pair_enclosure(alpha, pair, digits=15).lower) <= bounds.upper


@settings(max_examples=60, deadline=None)
@given(st.data(), releases(), epsilons)
def test_no_admissible_pair_has_a_larger_delta(data, release, level):
    pair = gaussians(release, *data.draw(admissible(release)))
    found = hockey_stick_enclosure(level, pair.shift_squared, pair.excess, pair.dimension, digits=10)
    assert found.lower <= Fraction(delta(release, level).upper)


def test_the_search_over_admissible_pairs_finds_a_planted_loss():
    """Power: a curve computed for half of eta is exceeded by a pair that the search can draw."""
    release, halved = Release("3/10", "1/50", 3), Release("3/20", "1/50", 3)
    pair = gaussians(release, (Fraction(13, 10), Fraction(0)), (Fraction(1), Fraction(0)))
    found = hockey_stick_enclosure(Fraction(1), pair.shift_squared, pair.excess, pair.dimension)
    assert found.lower > Fraction(delta(halved, 1).upper)


@settings(max_examples=20, deadline=None)
@given(releases(), epsilons, st.integers(0, 16), st.sampled_from([1, -1]))
def test_the_curves_of_pairs_stay_below_delta(release, level, place, order):
    bounds = delta(release, level)
    for path in worst_paths(release):
        pair = path.pair(path.low + (path.high - path.low) * Fraction(place, 16))
        pair = pair if order == 1 else pair.reversed()
        found = hockey_stick_enclosure(level, pair.shift_squared, pair.excess, pair.dimension)
        assert found.lower <= Fraction(bounds.upper)


# --------------------------------------------------------------------------------- and it is reached


@settings(max_examples=30, deadline=None)
@given(releases(), epsilons)
@example(Release("1/10", "1/100", 30, r_rel=1, sigma2="1/8"), Fraction(30))
def test_both_ends_of_delta_agree(release, level):
    bounds = delta(release, level)
    assert 0 <= bounds.lower <= bounds.upper <= 1
    assert bounds.relative_width <= 1e-12 or bounds.upper < 1e-300


@settings(max_examples=12, deadline=None)
@given(etas, gammas, st.sampled_from([2, 3, 40]), epsilons)
def test_delta_agrees_with_the_poisson_mixture_of_chi_square_tails(eta, gamma, d, level):
    """The other certified route, over the worst pair in both orders."""
    assume(eta <= 2)
    release = Release(eta, gamma, d)
    worst = release.worst_pair
    assume(worst.shift_squared * (1 + worst.excess) < 20_000 * worst.excess**2)
    found = [
        hockey_stick_by_series(level, pair.shift_squared, pair.excess, d, digits=14)
        for pair in (worst, worst.reversed())
    ]
    bounds = delta(release, level)
    assert max(one.lower for one in found) <= Fraction(bounds.upper)
    if level >= worst.shift_squared / 2:  # then no pair of one variance is worse
        assert max(one.upper for one in found) >= Fraction(bounds.lower)


@settings(max_examples=20, deadline=None)
@given(releases(), st.integers(-3, 8))
def test_delta_falls_with_epsilon(release, exponent):
    level = Fraction(2) ** exponent
    assert delta(release, 2 * level).lower <= delta(release, level).upper


@settings(max_examples=10, deadline=None)
@given(etas, gammas, dimensions, epsilons, st.sampled_from([Fraction(1, 10), Fraction(1, 10**6), Fraction(1, 10**12)]))
def test_delta_is_continuous_at_the_threshold(eta, gamma, d, level, gap):
    """Squeezed: less baseline noise is worse, and less noise of both kinds is worse still, at the threshold again."""
    at, below, least = (
        Release(eta, g, d, r_rel=1, sigma2=s * gamma / eta**2)
        for g, s in ((gamma, Fraction(1)), (gamma, 1 - gap), (gamma * (1 - gap), 1 - gap))
    )
    assert [r.baseline_covers for r in (at, least, below)] == [True, True, False]
    assert delta(at, level).lower <= delta(below, level).upper
    assert delta(below, level).lower <= delta(least, level).upper


# ------------------------------------------------------------------------------------ the slope's sign


@settings(max_examples=60, deadline=None)
@given(st.data(), releases(), epsilons, st.sampled_from([1, -1]))
def test_the_sign_of_the_slope_is_that_of_a_difference(data, release, level, order):
    """Certified both ways: where the slope has one sign on a cell, the values at its ends are in that order."""
    paths = worst_paths(release)
    assume(paths)
    path = data.draw(st.sampled_from(paths))
    low, high = sorted(data.draw(st.tuples(rationals(0, 1, max_denominator=40), rationals(0, 1, max_denominator=40))))
    low, high = (path.low + (path.high - path.low) * t for t in (low, high))
    sign = slope_sign(path.curve, order * level, low, high)
    values = [
        hockey_stick_enclosure(order * level, pair.shift_squared, pair.excess, pair.dimension)
        for pair in (path.pair(low), path.pair(high))
    ]
    if sign > 0:
        assert values[0].lower <= values[1].upper
    if sign < 0:
        assert values[1].lower <= values[0].upper


def test_the_critical_cells_are_narrow_and_few():
    release = Release("1/10", "1/100", 3, r_rel=1, sigma2="1/4")
    (outer, _inner) = worst_paths(release)
    (cell,) = critical_cells(outer, Fraction(3), 15)
    assert 0 < cell[1] - cell[0] < Fraction(1, 10**14)
    assert 0 < cell[0] < cell[1] < 1


# -------------------------------------------------------------------------------------------- Renyi


@settings(max_examples=80, deadline=None)
@given(etas, gammas, dimensions, st.floats(1e-6, 0.999))
@example(Fraction(1, 1000), Fraction(1, 1000), 40, 1e-12)
def test_the_float_curve_is_within_its_stated_error(eta, gamma, d, share):
    release = Release(eta, gamma, d)
    alpha = 1 + share / float(release.q)
    bounds, value = renyi_bounds(release, Fraction(alpha)), float(renyi(release, alpha))
    rho = float(1 - (Fraction(alpha) - 1) * release.q)
    allowed = ERROR_CONSTANT * EPS / rho
    assert bounds.lower * (1 - allowed) <= value <= bounds.upper * (1 + allowed)


def test_the_float_curve_broadcasts_and_ends_exactly():
    release = Release("1/10", "1/100", 3)
    end = float(release.largest_order)
    orders = np.array([[1.0, 2.0], [np.nextafter(end, 0), np.nextafter(end, np.inf)]])
    found = renyi(release, orders)
    assert found.shape == (2, 2)
    assert np.isfinite(found[:, 0]).all()
    assert np.isinf(found[1, 1])
    assert math.isclose(found[0, 0], 0.01 / 0.02 + 3 * (0.21 / 2 - math.log(1.1)), rel_tol=8 * EPS)


@settings(max_examples=40, deadline=None)
@given(etas, gammas, dimensions, st.fractions("1/100", "99/100"))
def test_the_supremum_meets_the_closed_form_at_the_threshold_of_its_order(eta, gamma, d, share):
    """At kappa = 1 - eta (alpha - 1) both routes apply, and at a little less the supremum is the larger one."""
    alpha = 1 + share / (eta * (2 + eta))
    kappa = 1 - eta * (alpha - 1)
    release = Release(eta, gamma, d, r_rel=1, sigma2=kappa * gamma / eta**2)
    assert covers_order(release, alpha)
    closed = pair_enclosure(alpha, release.worst_pair, digits=15)
    found = _supremum(Family.of(release), alpha, 15)
    assert found.overlaps(closed)
    less = Release(eta, gamma, d, r_rel=1, sigma2=kappa * gamma / eta**2 * Fraction(9, 10))
    assert renyi_bounds(less, alpha).upper >= float(closed.lower)


def test_the_supremum_below_the_threshold_is_larger_inside_than_at_both_ends():
    release = Release("1/10", "1/100", 3, r_rel=1, sigma2="1/4")
    family, alpha = Family.of(release), Fraction(5, 2)
    ends = [pair_enclosure(alpha, family.pair(Fraction(z)), digits=15) for z in (0, 1)]
    assert renyi_bounds(release, alpha).lower > max(float(end.upper) for end in ends)


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_the_divergence_is_infinite_from_the_end_on(data):
    release = data.draw(releases())
    more = data.draw(st.fractions(0, 3))
    assert renyi_bounds(release, release.largest_order + more).lower == math.inf


def test_below_the_threshold_the_range_of_orders_is_shorter():
    release = Release("1/10", "1/100", 3, r_rel=1, sigma2="1/50")
    alpha = release.largest_order - Fraction(1, 10)
    assert renyi_bounds(release, alpha).lower == math.inf
    assert math.isfinite(renyi_bounds(release, "11/10").upper)


# ------------------------------------------------------------------------------------- the two together


@settings(max_examples=12, deadline=None)
@given(releases(), st.sampled_from([Fraction(1, 10), Fraction(1, 10**5), Fraction(1, 10**30)]))
def test_epsilon_and_delta_are_inverse(release, target):
    bounds = epsilon(release, target)
    assert delta(release, Fraction(bounds.upper)).lower <= target
    if bounds.lower > 0:
        assert Fraction(delta(release, Fraction(bounds.lower)).upper) >= target
        assert bounds.relative_width <= 1e-9
    else:
        assert bounds.upper == 0
        assert Fraction(delta(release, 0).lower) <= target


# -------------------------------------------------------------------------------------------- bad input


RELEASE = Release("1/10", "1/100", 3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: delta(RELEASE, "-1"), "epsilon='-1': epsilon must be >= 0"),
        (lambda: delta(RELEASE, 0.5), "epsilon=0.5: a float is not the decimal"),
        (lambda: epsilon(RELEASE, 0), "delta=0: must be strictly between 0 and 1"),
        (lambda: epsilon(RELEASE, 1), "delta=1: must be strictly between 0 and 1"),
        (lambda: epsilon(RELEASE, "nan"), "delta='nan': the number must be finite"),
        (lambda: renyi_bounds(RELEASE, "1/2"), "alpha='1/2': an order must be >= 1"),
        (lambda: renyi_bounds(RELEASE, 2.0), "alpha=2.0: a float is not the decimal"),
        (lambda: renyi(RELEASE, 0.5), "alpha=0.5: an order must be >= 1"),
        (lambda: renyi(RELEASE, [2.0, math.nan]), "alpha=nan: an order must be >= 1"),
        (lambda: renyi(RELEASE, "two"), "an order is a real number"),
        (lambda: renyi(Release("1/10", "1/100", 3, r_rel=1, sigma2="1/50"), 2.0), "sigma2 is below"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(InputError) as caught:
        call()
    assert message in str(caught.value)


def test_points_are_the_limits_of_admissible_pairs():
    assert len(worst_points(Release("1/10", "1/100", 1))) == 1  # on the line no two neighbours have one norm
    assert len(worst_points(Release("1/10", "1/100", 2))) == 2
    assert worst_paths(Release("1/10", "1/100", 2)) == ()


@settings(max_examples=20, deadline=None)
@given(releases(), st.lists(epsilons, max_size=4), st.sampled_from([6, 12]))
def test_a_curve_of_deltas_has_the_deltas_of_its_points(release, levels, digits):
    curve = deltas(release, levels, digits=digits)
    assert len(curve) == len(levels)
    for level, found in zip(levels, curve, strict=True):
        alone = delta(release, level)
        # Both hold the one delta, and the curve is as tight as asked for, down to what no float resolves.
        assert max(found.lower, alone.lower) <= min(found.upper, alone.upper)
        assert found.relative_width <= 10.0**-digits + 2.0**-50 or found.upper < 1e-300
