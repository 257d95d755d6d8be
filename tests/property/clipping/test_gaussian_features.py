"""Laws of clipped Gaussian features: order, limits, and the printed forms beside the others."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rgm_verify.errors import InputError
from rgm_verify.learning import as_printed
from rgm_verify.learning.clipping.features import clip_to_ellipsoid
from rgm_verify.learning.clipping.gaussian_features import (
    ERROR,
    ClippedGaussian,
    acceptance_probability,
    kept_share_bound,
)
from rgm_verify.learning.clipping.propose_test_release import ClippedFeatures, distance_statistic, level_test
from rgm_verify.learning.sensitivity import proposition_1

dimensions = st.integers(1, 200)
ratios = st.fractions(Fraction(1, 20), 5, max_denominator=20)
small = st.sampled_from(["1/10", "1e-3", "1e-9", "1e-400"])
losses = st.fractions(Fraction(1, 100), 10, max_denominator=100)
SLACK = 1 + 4 * ERROR


def model_of(d: int, ratio: Fraction) -> ClippedGaussian:
    """The radius is about `ratio` times the root of the dimension."""
    return ClippedGaussian(Fraction(math.isqrt(10**6 * d), 1000) * ratio, d)


@given(dimensions, ratios)
def test_what_is_kept_is_below_what_is_clipped_and_both_are_below_their_limits(d, ratio):
    model = model_of(d, ratio)
    square = float(model.radius**2)
    assert model.kept <= model.clipped * SLACK
    assert model.clipped <= min(1.0, square / d)
    assert model.kept <= model.share * SLACK
    # d clipped = E min(chi2, R^2) >= R^2 Pr[chi2 > R^2], and at least the mean inside.
    assert model.clipped * SLACK >= square / d * (1 - model.share)


@given(dimensions, ratios, st.fractions(Fraction(1, 100), 1, max_denominator=100))
def test_a_larger_radius_leaves_more(d, ratio, more):
    less, greater = model_of(d, ratio), model_of(d, ratio + more)
    assert less.share <= greater.share * SLACK
    assert less.clipped <= greater.clipped * SLACK
    assert less.kept <= greater.kept * SLACK


@given(dimensions)
def test_without_clipping_everything_is_left_and_with_much_only_the_sphere(d):
    wide, narrow = model_of(d, Fraction(50)), model_of(d, Fraction(1, 10**6))
    assert wide.share == wide.clipped == wide.kept == 1
    sphere = float(narrow.radius**2) / d
    assert sphere * (1 - narrow.share) <= narrow.clipped * SLACK <= sphere * SLACK**2
    assert narrow.share < 1e-5  # the density of one coordinate is below 1/2, and the radius a millionth of its scale
    assert narrow.kept <= narrow.clipped


@given(st.integers(3, 500))
def test_at_twice_the_dimension_nine_tenths_are_left_from_three_dimensions_on(d):
    assert ClippedGaussian(math.sqrt(2 * d), d).clipped > 0.9


@pytest.mark.parametrize("d", [1, 2])
def test_at_twice_the_dimension_less_is_left_on_the_line_and_in_the_plane(d):
    assert ClippedGaussian(math.sqrt(2 * d), d).clipped < 0.9


@given(dimensions, ratios, st.integers(1, 10**7), st.sampled_from(["1/10", "1e-3", "1e-9"]))
def test_less_regularization_than_printed_does(d, ratio, n, failure):
    model = model_of(d, ratio)
    assume(n >= 4 * math.log(2 * d / float(Fraction(failure))) / 9)
    printed = as_printed.gaussian_regularization(model.radius, d, n, Fraction(failure))
    assert model.regularization(n, failure) <= printed


@given(dimensions, ratios, losses, small, st.sampled_from(["1/10", "1e-3", "1e-9"]))
def test_with_the_records_needed_the_test_rejects_as_rarely_as_asked(d, ratio, epsilon, delta, rejection):
    model = model_of(d, ratio)
    options = {"epsilon": epsilon, "delta": delta}
    n = model.records_needed(rejection=rejection, **options)
    assert model.passing_probability(n, **options) >= (1 - float(Fraction(rejection))) * (1 - 2 * ERROR)
    if n > 2:  # two fewer are not enough
        assert model.passing_probability(n - 2, **options) <= (1 - float(Fraction(rejection))) * (1 + ERROR)


@given(dimensions, ratios, losses, st.integers(1, 10**6), st.integers(1, 10**6))
def test_more_records_pass_more_often(d, ratio, epsilon, n, more):
    model = model_of(d, ratio)
    less, greater = (
        model.passing_probability(k, epsilon=epsilon, delta="1e-6", failure="1/100") for k in (n, n + more)
    )
    assert 0 <= less <= greater <= 1


@given(losses, st.sampled_from(["1/10", "1e-3", "1e-9"]), st.fractions(0, 50))
def test_the_odds_of_the_test_mirror_at_its_threshold(epsilon, delta, gap):
    threshold = 1 - math.log(2 * float(Fraction(delta))) / float(epsilon)
    above, below = (
        acceptance_probability(threshold + side * float(gap), epsilon=epsilon, delta=delta) for side in (1, -1)
    )
    rounding = 16 * np.finfo(float).eps * float(epsilon) * (threshold + float(gap))
    assert abs(above + below - 1) <= rounding
    # At a statistic of 1, the largest where the level fails at a neighbour, it is delta itself.
    assert abs(acceptance_probability(1, epsilon=epsilon, delta=delta) / float(Fraction(delta)) - 1) <= rounding + 1e-14


@given(dimensions, ratios, st.integers(1, 10**6), st.sampled_from(["1/10", "1e-3"]))
def test_the_share_that_is_kept_approaches_its_mean(d, ratio, n, failure):
    model = model_of(d, ratio)
    found = kept_share_bound(model, n, failure)
    assert 0 <= found <= model.share
    assert found <= kept_share_bound(model, 4 * n, failure)
    if found > 0 and n > 1:
        assert found < as_printed.gaussian_kept_share(model.share, n, Fraction(failure)) < model.share


# ------------------------------------------------------------------------------------------------------ as printed


def test_the_printed_number_of_records_lets_the_test_reject():
    model = ClippedGaussian(2, 2)
    printed = as_printed.gaussian_records(2, 2, epsilon=1, delta=1e-6, failure=1)
    needed = model.records_needed(epsilon=1, delta="1e-6", rejection="1/100")
    assert printed < needed / 3
    assert model.passing_probability(math.ceil(printed), epsilon=1, delta="1e-6") < 1e-3


def test_the_printed_clipping_stretches_short_records():
    assert as_printed.gaussian_clipping_factor(4, 1) == 2
    assert clip_to_ellipsoid([[1.0]], [[1.0]], 4).tolist() == [[1.0]]


def test_the_printed_sensitivity_of_gaussian_features_is_that_of_the_ellipsoid():
    assert as_printed.gaussian_eta_squared(2, "1/2", 100, 9) == proposition_1.proposition_1_eta_squared(
        2, "1/2", 100, 9, "ellipsoid"
    )


def test_the_proposed_level_can_be_tested():
    model, generator = ClippedGaussian(3, 2), np.random.default_rng(5)
    features = ClippedFeatures.of(generator.normal(size=(4000, 2)), np.eye(2), model.radius, "ellipsoid")
    outcome = level_test(features, model.proposed_level, epsilon=1, delta="1e-6", generator=generator)
    assert outcome.passed
    assert distance_statistic(features, model.proposed_level)[0] <= 4000 / float(model.radius**2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ClippedGaussian(0, 1), "radius=0: the clipping radius must be > 0"),
        (lambda: ClippedGaussian(-1, 1), "radius=-1"),
        (lambda: ClippedGaussian("1e-200", 1), "radius"),
        (lambda: ClippedGaussian(1, 0), "dimension=0"),
        (lambda: ClippedGaussian(1, 10**10), "dimension=10000000000: must be <= 1000000000"),
        (lambda: ClippedGaussian(1, 2).regularization(0, "1/2"), "records=0"),
        (lambda: ClippedGaussian(1, 2).regularization(1, 0), "failure=0: must be strictly between 0 and 1"),
        (lambda: ClippedGaussian(1, 2).records_needed(epsilon=0, delta="1/9", rejection="1/9"), "epsilon=0"),
        (lambda: ClippedGaussian(1, 2).records_needed(epsilon=1, delta=1, rejection="1/9"), "delta=1: must be"),
        (lambda: acceptance_probability(1, epsilon=1, delta="1/2"), "delta='1/2': must be < 1/2"),
        (lambda: ClippedGaussian(1, 2).records_needed(epsilon=1, delta="1/9", rejection="1/2"), "rejection='1/2'"),
        (lambda: ClippedGaussian(1, 2).passing_probability(9, epsilon=1, delta="1/9", level=1), "what clipping leaves"),
        (lambda: ClippedGaussian(1, 2).passing_probability(9, epsilon=1, delta="1/9", failure=-1), "failure=-1"),
        (lambda: kept_share_bound(ClippedGaussian(1, 2), 1, 1), "failure=1"),
        (lambda: as_printed.gaussian_clipping_factor(0, 1), "radius=0"),
    ],
)  # fmt: skip
def test_numbers_out_of_range_are_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()
