"""Composition: what is accepted, what is refused, and limits that are known exactly."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from rgm_verify.accounting.composition import composed_delta, composed_epsilon, delta_by_method, epsilon_by_method
from rgm_verify.accounting.composition.renyi import renyi_epsilon
from rgm_verify.accounting.conversion import release_epsilon
from rgm_verify.accounting.release import Release
from rgm_verify.errors import InputError

SMALL = Release("1/10", "1/4", 3)
BELOW = Release("1/10", "1/10", 5, r_rel=1, sigma2=5)


@pytest.mark.parametrize("delta", [0, 1, "-1/2", 2, 0.5, "nan"])
def test_delta_outside_the_open_unit_interval_is_refused(delta):
    with pytest.raises(InputError, match="delta="):
        composed_epsilon(SMALL, delta, steps=2)


@pytest.mark.parametrize("epsilon", [-1, "-1e-9", 0.5])
def test_a_negative_or_inexact_epsilon_is_refused(epsilon):
    with pytest.raises(InputError, match="epsilon="):
        composed_delta(SMALL, epsilon, steps=2)


@pytest.mark.parametrize(
    ("releases", "options", "words"),
    [
        (SMALL, {"steps": 0}, "steps=0"),
        (SMALL, {"steps": "3/2"}, "steps='3/2'"),
        ([], {}, "releases"),
        ([(SMALL, 2)], {"steps": 2}, "steps=2"),
        ([(SMALL, 0)], {}, "steps=0"),
        (SMALL, {"steps": 2, "methods": ["magic"]}, "methods='magic'"),
        (SMALL, {"steps": 2, "methods": []}, "methods"),
        (SMALL, {"steps": 2, "methods": ["exact"]}, "methods='exact'"),
        (SMALL, {"steps": 2, "resolution": 0}, "resolution=0"),
        (SMALL, {"steps": 2, "resolution": math.nan}, "resolution=nan"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(releases, options, words):
    with pytest.raises(InputError, match=words.replace("/", ".")):
        composed_epsilon(releases, "1e-5", **options)


def test_one_release_has_its_exact_curve():
    found = epsilon_by_method(SMALL, "1e-5")
    assert set(found.by_method) == {"lower", "exact"}
    assert found.bounds.relative_width < 1e-9
    assert delta_by_method(SMALL, 1).bounds.upper_method.startswith("exact")


def test_a_single_release_is_bounded_by_every_method_of_compositions_as_well():
    exact = epsilon_by_method(SMALL, "1e-5").bounds
    found = epsilon_by_method(SMALL, "1e-5", methods=["rdp", "envelope", "iteration"], resolution=8).by_method
    for method, value in found.items():
        assert value >= exact.lower or method == "lower"


def test_the_best_method_is_the_upper_end_and_is_named():
    found = epsilon_by_method(SMALL, "1e-5", steps=20, resolution=10)
    uppers = {method: value for method, value in found.by_method.items() if method != "lower"}
    assert found.bounds.upper == min(uppers.values())
    assert uppers["iteration"] <= uppers["envelope"] <= uppers["rdp"]
    assert found.bounds.upper_method == "value iteration over adaptive adversaries"


def test_many_releases_are_not_iterated_unless_asked():
    found = epsilon_by_method(Release("1/1000", "1/10000", 10), "1e-8", steps=10**6)
    assert set(found.by_method) == {"lower", "rdp", "envelope"}
    assert found.bounds.relative_width < 2e-2


def test_a_delta_that_no_release_exceeds_needs_no_epsilon():
    assert composed_epsilon(SMALL, "9/10", steps=2, resolution=10).upper == 0.0


def test_a_delta_below_the_range_of_floats_is_left_to_the_renyi_curve():
    found = epsilon_by_method(SMALL, "1e-280", steps=2)
    assert set(found.by_method) == {"lower", "rdp"}
    assert 0 < found.bounds.lower <= found.bounds.upper < math.inf


def test_losses_spread_too_unevenly_for_a_grid_are_left_to_the_renyi_curve():
    found = epsilon_by_method(Release(1, "1e-12", 2), "1e-6", steps=3)
    assert set(found.by_method) == {"lower", "rdp"}
    assert found.bounds.relative_width < 1e-3


def test_losses_far_from_zero_have_a_grid_that_begins_above_it():
    found = epsilon_by_method(Release("1/100", "1/1000000000", 2), "1e-6", steps=3)
    assert found.bounds.lower <= found.by_method["iteration"] <= found.by_method["rdp"]
    assert found.bounds.relative_width < 1e-4


def test_an_epsilon_far_beyond_the_loss_has_a_delta_of_next_to_nothing():
    found = composed_delta(SMALL, 500, steps=2)
    assert found.lower == 0.0
    assert 0 < found.upper < 1e-300


def test_below_the_threshold_of_the_baseline_there_is_an_interval_too():
    found = epsilon_by_method(BELOW, "1e-6", steps=30, resolution=10)
    assert found.bounds.lower <= found.by_method["iteration"] <= found.by_method["rdp"]
    assert found.bounds.relative_width < 2e-2


@pytest.mark.parametrize("release", [SMALL, BELOW])
def test_the_renyi_method_is_the_conversion_of_the_summed_curve(release):
    one = epsilon_by_method(release, "1e-6", steps=9, methods=["rdp"]).by_method["rdp"]
    split = renyi_epsilon([(release, 4), (release, 5)], Fraction(1, 10**6))
    gaps = release_epsilon(release, "1e-6", steps=9).gap
    # Each is above the best order by at most its gap; the two searches start from different guesses.
    assert abs(Fraction(one) - Fraction(split)) <= 4 * Fraction(gaps) + Fraction(one) / 2**48


def test_equal_releases_in_several_groups_are_one_group():
    once = epsilon_by_method(SMALL, "1e-5", steps=12, resolution=6)
    assert epsilon_by_method([(SMALL, 5), (SMALL, 7)], "1e-5", resolution=6) == once


def test_different_releases_cost_at_least_what_each_part_costs():
    other = Release("1/20", "1/9", 7)
    both = composed_epsilon([(SMALL, 6), (other, 9)], "1e-5", resolution=5)
    alone = composed_epsilon(other, "1e-5", steps=9, methods=["rdp"])
    more = composed_epsilon([(SMALL, 12), (other, 9)], "1e-5", resolution=5)
    assert both.lower >= alone.lower
    assert both.upper < more.upper


@pytest.mark.parametrize(
    "release", [Release("1/1000", Fraction(1, 10**120), 3), Release(Fraction(1, 10**80), Fraction(1, 10**150), 2)]
)
def test_pairs_out_of_the_range_of_floating_divergences_have_a_lower_end_too(release):
    found = composed_epsilon(release, "1e-6", steps=5, methods=["rdp"])
    assert 0 < found.lower <= found.upper


@pytest.mark.parametrize(
    ("eta", "gamma", "noise"),
    [
        ("1/10", "1", {"r_rel": 1, "sigma2": "1e-20"}),
        ("1/10", "1", {"r_rel": 1, "sigma2": "1e-320"}),
        ("1e-200", "1", {}),
        ("1e200", "1", {}),
        ("1e-200", "1e-200", {"r_rel": 1, "sigma2": "1e-160"}),
    ],
)
def test_losses_beyond_what_floats_can_guide_are_refused_by_name(eta, gamma, noise):
    usual, far = Release("1/10", 1, 1), Release(eta, gamma, 1, **noise)
    for found in (lambda r: composed_epsilon(r, "1e-5"), lambda r: composed_delta(r, 1)):
        with pytest.raises(InputError, match=r"^releases: .* of entry 1 (has a|have) variances? .*about 1e-?\d+;"):
            found([(usual, 2), (far, 1)])


@pytest.mark.parametrize(
    ("gamma", "noise"), [("1e320", {}), ("1", {"r_rel": "1e160", "sigma2": "1e320"}), ("1e-20", {"sigma2": "1e-300"})]
)
def test_parameters_beyond_the_range_of_floats_with_usual_losses_are_composed(gamma, noise):
    found = composed_delta(Release("1/10", gamma, 1, **noise), 1, steps=3)
    assert 0 < found.lower <= found.upper <= 1
