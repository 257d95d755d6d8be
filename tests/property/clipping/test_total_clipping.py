"""All that clips takes every data set of floats: it releases, keeps its bounds, and moves as little as it says."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rgm_verify.learning import PrivateRidge
from rgm_verify.learning.clipping.features import clip_by_both_norms, clip_to_ellipsoid
from rgm_verify.learning.clipping.gradient import ClippedGradient
from rgm_verify.learning.clipping.propose_test_release import ClippedFeatures, distance_statistic, level_test
from rgm_verify.learning.data import EPS, finite
from rgm_verify.learning.descent.gradient_descent import clipped_gaussian_descent
from rgm_verify.learning.private_ridge.bounds import RecordBounds
from rgm_verify.mechanisms import GaussianMechanism

LARGEST = float(np.finfo(np.float64).max)
SPECIAL = [np.nan, np.inf, -np.inf, LARGEST, -LARGEST, 1e308, -1e308, 1e154, 1e-154, 5e-324, -5e-324, 2e-308, 0.0, -0.0]
floats = st.sampled_from(SPECIAL) | st.floats() | st.floats(-2, 2)


@st.composite
def neighbours(draw, least=1):
    """Two data sets of any floats, of which one record differs, and its place."""
    n, d = draw(st.integers(least, 5)), draw(st.integers(1, 3))
    X, y = draw(hnp.arrays(np.float64, (n, d), elements=floats)), draw(hnp.arrays(np.float64, n, elements=floats))
    others, label = draw(hnp.arrays(np.float64, d, elements=floats)), draw(floats)
    index = draw(st.integers(0, n - 1))
    Z, z = X.copy(), y.copy()
    Z[index], z[index] = others, label
    return (X, y), (Z, z), index


def square(vector):
    return sum((Fraction(float(entry)) ** 2 for entry in vector), Fraction(0))


# ------------------------------------------------------------------------------------------------- records in bounds


@given(neighbours(), st.sampled_from([2e-50, 1e-3, 1.0, 7.5, 9e49]), st.sampled_from([2e-50, 1.0, 9e49]))
def test_every_record_comes_to_lie_within_the_bounds_by_itself(pair, feature_bound, label_bound):
    (X, y), _, _ = pair
    bounds = RecordBounds.of(feature_bound, label_bound, X.shape[1])
    rows, labels = bounds.keep(X, y, "clip")
    for i in range(len(X)):
        assert square(rows[i]) <= Fraction(bounds.features) ** 2
        assert abs(labels[i]) <= bounds.labels
        alone = bounds.keep(X[[i]], y[[i]], "clip")
        assert np.array_equal(alone[0][0], rows[i])
        assert alone[1][0] == labels[i]
        if np.isfinite(X[i]).all() and square(X[i]) <= Fraction(feature_bound) ** 2:
            assert rows[i].tolist() == X[i].tolist()


@given(neighbours(), st.sampled_from([1.0, 1e-3, 9e49]))
def test_a_record_that_is_not_finite_counts_as_the_one_that_is_said(pair, bound):
    (X, y), _, _ = pair
    bounds = RecordBounds.of(bound, bound, X.shape[1])
    said = np.where(np.isnan(X), 0.0, np.clip(X, -LARGEST, LARGEST))
    assert np.array_equal(finite(X), said)
    for found, expected in zip(bounds.keep(X, y, "clip"), bounds.keep(said, np.nan_to_num(y), "clip"), strict=True):
        assert np.array_equal(found, expected)


def test_the_direction_of_huge_records_stays():
    bounds = RecordBounds.of(5, 1, 2)
    rows, labels = bounds.keep(
        np.array([[3e307, 4e307], [np.inf, np.inf], [-np.inf, 1.0]]), np.array([np.inf, -1e300, np.nan]), "clip"
    )
    assert np.abs(rows[0] - [3, 4]).max() <= 64 * EPS * 5
    assert rows[1, 0] == rows[1, 1]
    assert abs(square(rows[1]) - 25) <= Fraction(128 * EPS * 25)
    assert rows[2, 0] == pytest.approx(-5, rel=64 * EPS)
    assert labels.tolist() == [1.0, -1.0, 0.0]


@given(
    neighbours(), st.sampled_from([clip_by_both_norms, clip_to_ellipsoid]), st.sampled_from([2e-100, 0.5, 3.0, 9e99])
)
def test_clipped_features_are_within_the_radius_each_by_itself(pair, clip, radius):
    X, C = pair[0][0], np.diag([1.0, 4.0, 9.0][: pair[0][0].shape[1]])
    rows = clip(X, C, radius)
    for i, row in enumerate(rows):
        ellipsoid = sum(
            (Fraction(float(x)) ** 2 / Fraction(float(c)) for x, c in zip(row, np.diag(C), strict=True)), Fraction(0)
        )
        assert ellipsoid <= Fraction(radius) ** 2
        assert np.array_equal(clip(X[[i]], C, radius)[0], row)


# --------------------------------------------------------------------------------------------- the clipped gradient


@st.composite
def points(draw, d):
    coordinate = st.sampled_from([0.0, 1.0, -1e-300, 1e100, -1e150, 5e-324]) | st.floats(-1e3, 1e3)
    return draw(hnp.arrays(np.float64, d, elements=coordinate))


@given(neighbours(), st.sampled_from(["outside", "inside"]), st.sampled_from(["1e-20", "1/3", "1", "1e20"]), st.data())
def test_the_clipped_gradient_moves_by_its_sensitivity_whatever_the_data_are(pair, where, clip, data):
    n, d = pair[0][0].shape
    theta = data.draw(points(d))
    first, second = (
        ClippedGradient.of(X, y, clip, regularization=1 if where == "inside" else 0, regularizer=where)
        for X, y in pair[:2]
    )
    c = float(Fraction(clip))
    found = [first(theta), second(theta)]
    # Each sum errs by (n + d) roundings of terms whose sizes add up to 32 n c, over n.
    rounding = Fraction(2 * 32 * (n + d + 8) * EPS * c)
    assert square(found[0] - found[1]) <= (first.sensitivity("replace_one") + rounding) ** 2
    assert square(found[0]) <= (Fraction(clip) + rounding) ** 2


@given(neighbours(), st.data())
def test_the_contribution_of_a_record_is_within_the_threshold_exactly(pair, data):
    (X, y), _, _ = pair
    theta = data.draw(points(X.shape[1]))
    gradient = ClippedGradient.of(X, y, "1/3")
    coefficients, _ = gradient.weights(theta)
    for coefficient, row in zip(coefficients, gradient.features, strict=True):
        assert Fraction(float(coefficient)) ** 2 * square(row) <= Fraction(1, 9)
    for i in range(len(X)):
        # What is near the largest float is decided from the record itself, whatever its neighbours are.
        assert ClippedGradient.of(X[[i]], y[[i]], "1/3").weights(theta)[0][0] == pytest.approx(
            coefficients[i], rel=1e-9
        )


@pytest.mark.parametrize("record", [[1e308, -1e308], [np.inf, 1.0], [np.nan, np.nan], [LARGEST, LARGEST]])
@pytest.mark.parametrize("where", ["outside", "inside"])
def test_a_record_that_overflows_leaves_the_others_alone(record, where):
    options = {"regularization": 1, "regularizer": where, "divisor": 3}
    theta = np.array([10.0, 10.0])
    found = ClippedGradient.of([[1.0, 0.0], record, [0.0, 2.0]], [1.0, 2.0, 3.0], 1, **options)(theta)
    others = ClippedGradient.of([[1.0, 0.0], [0.0, 2.0]], [1.0, 3.0], 1, **options)(theta)
    assert np.isfinite(found).all()
    assert np.linalg.norm(found - others) <= 1 / 3 * (1 + 64 * EPS)


@given(neighbours(), st.sampled_from(["outside", "inside"]), st.sampled_from(["replace_one", "add_or_remove"]))
def test_every_descent_on_clipped_gradients_releases(pair, where, kind):
    for X, y in pair[:2]:
        gradient = ClippedGradient.of(X, y, 1, regularization="1/4", regularizer=where, divisor=3)
        run = clipped_gaussian_descent(
            gradient,
            np.zeros(X.shape[1]),
            mechanism=GaussianMechanism(1),
            neighbours=kind,
            step="1/2",
            steps=3,
            delta="1e-3",
            generator=np.random.default_rng(1),
        )
        assert np.isfinite(run.theta).all()


# --------------------------------------------------------------------------------------------------- the level test


@given(neighbours(), st.sampled_from(["both norms", "ellipsoid"]), st.sampled_from([2e-100, 0.5, 9e49, 9e99]))
def test_every_level_test_releases_and_its_statistic_moves_by_at_most_one(pair, clipped_by, radius):
    C = np.diag([1.0, 4.0, 9.0][: pair[0][0].shape[1]])
    rho = Fraction(radius) ** 2 / 4 if radius < 1e10 else Fraction(1)
    found = []
    for X, _ in pair[:2]:
        features = ClippedFeatures.of(X, C, radius, clipped_by)
        outcome = level_test(features, rho, epsilon=1, delta="1e-3", generator=np.random.default_rng(1))
        assert np.isfinite(outcome.noisy)
        found.append(distance_statistic(features, rho))
    assert found[0][1] == found[1][1]
    assert abs(found[0][0] - found[1][0]) <= 1 + 2 * found[0][1]


# ---------------------------------------------------------------------------------------------------- the estimator


@st.composite
def estimators(draw):
    pytest.importorskip("sklearn", reason="the extra `sklearn` is not installed")
    from rgm_verify.learning import PrivateRidge

    kind = draw(st.sampled_from(["replace_one", "add_or_remove"]))
    return PrivateRidge(
        1,
        "1e-6",
        feature_bound=draw(st.sampled_from([1, "1e-30", "1e30"])),
        label_bound=draw(st.sampled_from([1, "1e-20", "1e20"])),
        regularization=draw(st.sampled_from([1, "1/100"])),
        mechanism="gaussian",
        steps=2,
        neighbours=kind,
        divisor=4 if kind == "add_or_remove" else None,
        out_of_bounds="clip",
        fit_intercept=draw(st.booleans()),
        random_state=0,
    )


def gradient_at(estimator, X, y, share):
    from rgm_verify.learning.private_ridge.descent import into_ball, objective_of

    privacy = estimator.accounted(*X.shape)
    X, y = estimator._bounds(X.shape[1]).keep(X, y, "clip")
    if estimator.fit_intercept:
        X = np.column_stack([X, np.full(len(X), float(estimator.privacy_.public.feature_bound) / 2)])
    objective = objective_of(X, y, privacy.public)
    theta = into_ball(np.array(share[: objective.dimension]) * privacy.public.radius, privacy.public.radius)
    return objective.hessian @ theta - objective.moment, Fraction(privacy.sensitivity.bound)


@given(estimators(), neighbours(least=2), st.lists(st.floats(-1, 1), min_size=4, max_size=4))
def test_every_fit_releases_and_its_gradients_move_by_the_stated_sensitivity(estimator, pair, share):
    first, second, index = pair
    if estimator.neighbours == "add_or_remove":
        second = tuple(np.delete(array, index, axis=0) for array in first)
    found = []
    for X, y in (first, second):
        fitted = estimator.fit(X, y)
        assert np.isfinite(fitted.coef_).all()
        assert np.linalg.norm(fitted.coef_) <= fitted.privacy_.public.radius
        found.append(gradient_at(estimator, X, y, share))
    assert found[0][1] == found[1][1]
    assert square(found[0][0] - found[1][0]) <= found[0][1] ** 2


@given(estimators(), st.integers(0, 8), st.data())
def test_with_a_private_number_of_records_every_number_up_to_twice_the_divisor_is_fitted(estimator, n, data):
    if estimator.neighbours == "replace_one":
        return
    X, y = (
        data.draw(hnp.arrays(np.float64, (n, 2), elements=floats)),
        data.draw(hnp.arrays(np.float64, n, elements=floats)),
    )
    assert np.isfinite(estimator.fit(X, y).coef_).all()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("options", [{"mechanism": "gaussian", "steps": 2}, {"mechanism": "auto"}])
def test_infinities_of_both_signs_say_nothing_of_the_data(options):
    """Their sum is no number, which NumPy warned of, for some data and not for other."""
    estimator = PrivateRidge(
        epsilon=1, delta="1e-6", neighbours="add_or_remove", divisor=4, feature_bound=1, label_bound=1,
        out_of_bounds="clip", regularization=1, random_state=0, **options,
    )  # fmt: skip
    features = np.full((8, 2), np.inf)
    features[::2] = -np.inf
    assert np.isfinite(estimator.fit(features, np.array([np.inf, -np.inf] * 4)).coef_).all()


@given(estimators(), neighbours(least=2))
def test_lists_and_other_types_of_floats_are_fitted_alike(estimator, pair):
    X, y = pair[0]
    expected = estimator.fit(X, y).coef_
    for rows, labels in ((X.tolist(), y.tolist()), (X.astype(object), y.astype(object)), (X.astype(np.longdouble), y)):
        assert np.array_equal(estimator.fit(rows, labels).coef_, expected)
