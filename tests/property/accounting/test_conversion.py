"""Laws of the conversion from a Renyi curve to (epsilon, delta), and of the gap to the best order."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rgm_verify.accounting.conversion import delta_from_renyi, epsilon_from_renyi, release_epsilon
from rgm_verify.accounting.exact import delta as exact_delta
from rgm_verify.accounting.exact import epsilon as exact_epsilon
from rgm_verify.accounting.exact import renyi_bounds
from rgm_verify.accounting.exact.admissible_pairs import largest_excess, reached_excess
from rgm_verify.accounting.release import Release
from rgm_verify.errors import InputError
from rgm_verify.numbers.bounds import Bounds

deltas = st.sampled_from([Fraction(1, 10), Fraction(1, 10**5), Fraction(1, 10**12), Fraction(1, 10**80)])
forms = st.sampled_from(["improved", "mironov"])
slopes = st.floats(1e-6, 1e4)
etas = st.sampled_from([Fraction(1, 1000), Fraction(1, 20), Fraction(3, 10), Fraction(1)])
gammas = st.sampled_from([Fraction(1, 1000), Fraction(1, 50), Fraction(4)])


@st.composite
def releases(draw):
    eta, gamma, d = draw(etas), draw(gammas), draw(st.sampled_from([1, 3, 40]))
    kappa = draw(st.sampled_from([None, Fraction(1, 2), Fraction(1)]))
    if kappa is None:
        return Release(eta, gamma, d)
    return Release(eta, gamma, d, r_rel=1, sigma2=kappa * gamma / eta**2)


def gaussian(slope):
    """The curve of a Gaussian mechanism: order times `slope`, exact as a rational and enclosed by two floats."""

    def curve(order):
        exact = order * Fraction(slope)
        value = float(exact)
        return Bounds(np.nextafter(value, 0), np.nextafter(value, math.inf), "a float", "a float")

    return curve


def at(release, order, log_inverse, form):
    """The converted epsilon at one order in floats, for scanning."""
    value = renyi_bounds(release, order).upper
    a = float(order)
    change = 0.0 if form == "mironov" else math.log1p(-1 / a) - math.log(a) / (a - 1)
    return value + change + log_inverse / (a - 1)


# ----------------------------------------------------------------------------------------- exact oracles


@settings(max_examples=60, deadline=None)
@given(slopes, deltas)
def test_mironovs_conversion_of_a_gaussian_is_the_closed_form(slope, delta):
    """The least of `alpha rho + L / (alpha - 1)` is `rho + 2 sqrt(rho L)`: it lies within the gap below the result."""
    found = epsilon_from_renyi(gaussian(slope), delta, largest_order=None, form="mironov")
    log = math.log(delta.denominator) - math.log(delta.numerator)
    truth = slope + 2 * math.sqrt(slope * log)
    rounding = 8 * np.finfo(float).eps * truth
    assert found.epsilon - found.gap - rounding <= truth <= found.epsilon + rounding
    assert found.gap <= 1e-9 * truth


def test_a_bounded_curve_is_best_at_the_end_of_the_orders():
    """A mechanism with pure epsilon 1/2: no order is best, and the gap says how little the last one lacks."""
    found = epsilon_from_renyi(lambda order: 0.5, "1e-5", largest_order=None, form="mironov")
    assert 0.5 <= found.epsilon <= 0.5 + 1e-9 + found.gap
    assert found.gap < 1e-6
    short = epsilon_from_renyi(lambda order: 0.5, "1e-5", largest_order=11, form="mironov")
    assert short.epsilon - short.gap <= 0.5 + math.log(1e5) / 10 <= short.epsilon
    assert short.order < 11


# -------------------------------------------------------------------------------------------------- laws


@settings(max_examples=25, deadline=None)
@given(releases(), deltas, st.sampled_from([1, 50]))
def test_the_improved_conversion_is_never_larger(release, delta, steps):
    improved, mironov = (release_epsilon(release, delta, steps=steps, form=form) for form in ("improved", "mironov"))
    assert improved.epsilon <= mironov.epsilon


@settings(max_examples=25, deadline=None)
@given(releases(), deltas, forms)
def test_the_conversion_is_never_below_the_exact_epsilon(release, delta, form):
    assert release_epsilon(release, delta, form=form).epsilon >= exact_epsilon(release, delta).lower


@settings(max_examples=25, deadline=None)
@given(releases(), st.sampled_from([Fraction(1, 10), Fraction(1), Fraction(8)]), forms)
def test_the_converted_delta_is_never_below_the_exact_delta(release, epsilon, form):
    found = delta_from_renyi(
        lambda order: renyi_bounds(release, order), epsilon, largest_order=release.largest_order, form=form
    )
    assert found.delta >= exact_delta(release, epsilon).lower
    assert found.delta <= 1


@settings(max_examples=12, deadline=None)
@given(releases(), deltas, forms)
def test_no_order_of_a_dense_scan_is_better_than_the_gap_admits(release, delta, form):
    found = release_epsilon(release, delta, form=form)
    log = math.log(delta.denominator) - math.log(delta.numerator)
    shares = [1 / (1 + Fraction(2) ** k) for k in range(-12, 13)]
    scanned = [at(release, 1 + share / release.q, log, form) for share in shares]
    best_x = (found.order - 1).limit_denominator(10**6)
    near = [at(release, 1 + best_x * (1 + Fraction(k, 500)), log, form) for k in range(-9, 10)]
    best = max(0.0, min([*scanned, *near]))
    rounding = 64 * np.finfo(float).eps * (best + log / float(found.order - 1))
    assert best >= found.epsilon - found.gap - rounding


@settings(max_examples=15, deadline=None)
@given(releases(), deltas, forms, st.sampled_from([1, 1000]))
def test_the_gap_is_small_where_the_best_order_lies_inside(release, delta, form, steps):
    found = release_epsilon(release, delta, steps=steps, form=form)
    assert 0 <= found.gap <= max(1e-9 * found.epsilon, 5e-324)


@settings(max_examples=20, deadline=None)
@given(releases(), deltas, forms)
def test_epsilon_and_delta_convert_back(release, delta, form):
    """At the epsilon found, delta is at most what was asked for, up to the gap of epsilon."""
    found = release_epsilon(release, delta, form=form)
    assume(found.epsilon > 0)
    curve = partial(renyi_bounds, release)
    back = delta_from_renyi(curve, Fraction(found.epsilon), largest_order=release.largest_order, form=form)
    assert Fraction(back.delta) - Fraction(back.gap) <= delta


@settings(max_examples=30, deadline=None)
@given(slopes, deltas)
def test_a_curve_that_is_not_tight_costs_what_it_adds(slope, delta):
    """More divergence is never less epsilon."""
    small, large = (epsilon_from_renyi(gaussian(s), delta, largest_order=None) for s in (slope, 2 * slope))
    assert small.epsilon - small.gap <= large.epsilon


def test_a_gap_of_a_wrong_order_would_be_seen():
    """Power of the scan: an epsilon a tenth of a percent above the best one is beyond its claimed gap."""
    release, delta = Release("1/1000", "1/10000", 10), Fraction(1, 10**8)
    found = release_epsilon(release, delta)
    worse = at(release, found.order * Fraction(11, 10), math.log(10**8), "improved")
    assert worse > found.epsilon * 1.001 > found.epsilon + found.gap


@pytest.mark.parametrize("form", ["improved", "mironov"])
@pytest.mark.parametrize("end", [None, 3])
def test_an_epsilon_above_the_range_of_floats_has_the_least_delta(form, end):
    found = delta_from_renyi(lambda order: 0.1 * float(order), "1e400", largest_order=end, form=form)
    assert found.epsilon == math.inf
    assert 0 < found.delta <= delta_from_renyi(lambda order: 0.1 * float(order), "1e300", largest_order=end).delta


# --------------------------------------------------------------------------------------------- bad input


def _curve(order):
    return 0.1 * float(order)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: epsilon_from_renyi(_curve, 0, largest_order=None), "delta=0: must be strictly between 0 and 1"),
        (lambda: epsilon_from_renyi(_curve, "3/2", largest_order=None), "delta='3/2': must be strictly"),
        (lambda: epsilon_from_renyi(_curve, 0.1, largest_order=None), "delta=0.1: a float is not"),
        (lambda: epsilon_from_renyi(_curve, "1/10", largest_order=1), "largest_order=1: orders above 1 are needed"),
        (lambda: epsilon_from_renyi(_curve, "1/10", largest_order=None, form="best"), "form='best': allowed are"),
        (lambda: epsilon_from_renyi(lambda a: math.nan, "1/10", largest_order=9), "nan: a Renyi divergence must be"),
        (lambda: epsilon_from_renyi(lambda a: -1.0, "1/10", largest_order=9), "a Renyi divergence must be >= 0"),
        (lambda: epsilon_from_renyi(lambda a: math.inf, "1/10", largest_order=9), "no order with a finite divergence"),
        (lambda: delta_from_renyi(_curve, "-1", largest_order=None), "epsilon='-1': epsilon must be >= 0"),
        (lambda: release_epsilon(Release("1/10", "1/100", 3), "1/10", steps=0), "steps=0: the number of releases"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(InputError) as caught:
        call()
    assert message in str(caught.value)


def test_the_gap_is_small_where_less_baseline_noise_shortens_the_range_of_orders():
    release = Release(1, 4, 1, r_rel=1, sigma2=2)
    assert not release.baseline_covers
    found = release_epsilon(release, Fraction(1, 10**80))
    assert found.order < release.largest_order
    assert 0 <= found.gap <= 1e-9 * found.epsilon


@given(releases())
def test_the_excess_that_is_reached_is_the_largest_one_rounded_down(release):
    reached, largest = reached_excess(release), largest_excess(release)
    assert largest * (1 - Fraction(1, 2**50)) <= reached <= largest
