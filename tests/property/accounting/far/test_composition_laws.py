"""Composition: a list costs at least what its members cost, and every answer is the best of the routes that ran."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rgm_verify.accounting.composition import (
    composed,
    composed_delta,
    composed_epsilon,
    delta_by_method,
    epsilon_by_method,
)
from rgm_verify.accounting.exact import one_release
from rgm_verify.accounting.release import Release

# Hardly any excess in many dimensions: narrow against wide is about as bad as wide against narrow.
FLAT = Release(
    "961533/10000000000",
    "304644283294296123/10000000000000000000000",
    79328,
    r_rel="137961/500000",
    sigma2="1630630913671345716441/250000000000000000000",
)
UNEVEN = [
    (Release("131993/5000000", "131777/1000000000", 13, r_rel="65687/50000", sigma2="12192/1000000"), 2),
    (Release("747047/1000000", "29320924150560651/1250000000000", 2), 2),
]
STEEP = Release(3, 9, 1, r_rel=1, sigma2="1/3")
COVERED = Release("1/10", "1/4", 3, r_rel=1, sigma2=25)
BELOW = Release("1/10", "1/10", 5, r_rel=1, sigma2=5)


def fractions(*texts: str) -> st.SearchStrategy[Fraction]:
    return st.sampled_from([Fraction(text) for text in texts])


@st.composite
def releases(draw: st.DrawFn) -> Release:
    """Moderate releases: with and without an absolute part, above and below the threshold of its baseline noise."""
    eta = draw(fractions("1/1000", "1/30", "1/2"))
    gamma = eta**2 * draw(fractions("1/2", "3", "40", "1000"))
    dimension = draw(st.sampled_from([1, 2, 5, 60]))
    share = draw(fractions("0", "1/20", "1/2", "1", "4"))
    r_rel = draw(fractions("1/3", "2")) if share else Fraction(0)
    return Release(eta, gamma, dimension, r_rel=r_rel, sigma2=share * gamma * r_rel**2 / eta**2)


LISTS = st.lists(st.tuples(releases(), st.integers(1, 4)), min_size=2, max_size=3)


@pytest.mark.slow
@given(LISTS, fractions("1/10", "1e-3", "1e-8"))
@example(UNEVEN, Fraction(1, 10**9))
@example([(BELOW, 2), (COVERED, 1), (BELOW, 1)], Fraction(1, 10**6))
@settings(max_examples=2)
def test_a_list_needs_at_least_the_epsilon_of_every_member(members, delta):
    whole = composed_epsilon(members, delta, methods=["rdp"])
    for release, count in members:
        alone = composed_epsilon(release, delta, steps=count, methods=["rdp"] if count > 1 else None)
        assert whole.lower >= alone.lower
        assert whole.upper >= alone.lower
    assert whole.lower <= whole.upper < math.inf


@pytest.mark.slow
@given(LISTS, fractions("0", "1/3", "4"))
@example(UNEVEN, Fraction(150))
@example([(STEEP, 1), (Release("1/30", "1/30", 1), 1)], Fraction(1, 3))
@example([(BELOW, 2), (COVERED, 1), (BELOW, 1)], Fraction(4))
@settings(max_examples=2)
def test_a_list_needs_at_least_the_delta_of_every_member(members, epsilon):
    whole = composed_delta(members, epsilon, methods=["rdp"])
    for release, count in members:
        alone = composed_delta(release, epsilon, steps=count, methods=["rdp"] if count > 1 else None)
        assert whole.lower >= alone.lower
        assert whole.upper >= alone.lower
    assert whole.lower <= whole.upper <= 1


@given(releases(), st.integers(2, 6), fractions("1/10", "1e-6"))
@settings(max_examples=4)
def test_every_route_of_epsilon_ends_above_the_lower_end_and_the_least_is_the_answer(release, steps, delta):
    found = epsilon_by_method(release, delta, steps=steps, resolution=4)
    values = dict(found.by_method)
    assert values.pop("lower") == found.bounds.lower
    assert found.bounds.lower <= found.bounds.upper == min(values.values())
    assert all(math.isfinite(value) for value in values.values())


@given(releases(), st.integers(2, 6), fractions("0", "1", "5"))
@settings(max_examples=4)
def test_every_route_of_delta_ends_above_the_lower_end_and_the_least_is_the_answer(release, steps, epsilon):
    found = delta_by_method(release, epsilon, steps=steps, resolution=4)
    values = dict(found.by_method)
    assert values.pop("lower") == found.bounds.lower
    assert 0 <= found.bounds.lower <= found.bounds.upper == min(values.values()) <= 1


def test_different_releases_of_which_one_is_below_its_threshold_have_a_narrow_interval():
    found = composed_epsilon(UNEVEN, "2797/40000000000", resolution=8)
    assert found.relative_width < 1e-2


def test_two_orders_that_are_about_as_bad_have_a_narrow_interval():
    found = epsilon_by_method(FLAT, "215099/10000000000000", steps=50)
    assert found.bounds.relative_width < 5e-3
    assert found.by_method["iteration"] <= found.by_method["envelope"] < found.by_method["rdp"]


@pytest.mark.parametrize("method", ["iteration", "envelope"])
def test_a_route_that_does_not_get_below_another_one_is_left_out_or_finite(monkeypatch, method):
    """A stand-in for a bound that is better than any grid: what the grid says then is no infinity."""
    lower = composed_epsilon(BELOW, "1e-5", steps=3, methods=["rdp"]).lower
    monkeypatch.setattr(composed, "renyi_epsilon", lambda groups, delta: lower * (1 + 1e-9))
    found = epsilon_by_method(BELOW, "1e-5", steps=3, methods=["rdp", method], resolution=4)
    assert found.bounds.upper == found.by_method["rdp"]
    assert found.by_method.get(method, 1.0) < math.inf


@pytest.mark.parametrize("method", ["iteration", "envelope"])
def test_where_a_grid_cannot_be_used_the_renyi_curve_answers_instead(method):
    instead = composed_epsilon(COVERED, "1e-280", steps=2, methods=["rdp"])
    assert composed_epsilon(COVERED, "1e-280", steps=2, methods=[method]) == instead
    far = composed_delta(COVERED, 5000, steps=2, methods=["rdp"])
    assert composed_delta(COVERED, 5000, steps=2, methods=[method]) == far


def test_a_larger_gamma_at_the_same_baseline_noise_can_be_less_private():
    """The output of norm `r_rel` against the one at 0: at a fixed distance the variances tell them apart."""
    enough = Release("1/10", "1/100", 10, r_rel=1, sigma2=1)
    more = Release("1/10", 1, 10, r_rel=1, sigma2=1)
    assert enough.baseline_covers
    assert not more.baseline_covers
    assert one_release.delta(enough, 1).upper < Fraction(1, 5) < Fraction(3, 5) < one_release.delta(more, 1).lower
    both = Release("1/10", 1, 10, r_rel=1, sigma2=100)
    assert one_release.delta(both, 1).upper < one_release.delta(enough, 1).lower
