"""Private steps of ridge regression at the size of the paper's experiments, against passes over the data."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from rgm_verify.learning.clipping.features import Shape
from rgm_verify.learning.clipping.few_clipped import FewClipped
from rgm_verify.learning.clipping.gradient import ClippedGradient, mean_of_clipped
from rgm_verify.learning.clipping.propose_test_release import ClippedFeatures, level_test
from rgm_verify.learning.data import row_norms_above
from rgm_verify.learning.dp_sgd import DpSgd
from rgm_verify.learning.geometric import from_spherical, to_spherical
from rgm_verify.learning.ridge import RidgeObjective
from rgm_verify.mechanisms import RelativeGaussianMechanism

RECORDS, FEATURES = 141_691, 22


@pytest.fixture(scope="module")
def data():
    """Records of the size of ijcnn1, with labels from a linear model."""
    generator = np.random.default_rng(20_240_005)
    X = generator.standard_normal((RECORDS, FEATURES))
    theta = generator.standard_normal(FEATURES)
    return X, X @ theta + generator.standard_normal(RECORDS), np.zeros(FEATURES)


def test_a_private_step_against_a_pass_over_the_data(ratio, data):
    X, y, theta = data
    objective, mechanism = RidgeObjective.of(X, y, "1/10"), RelativeGaussianMechanism("1/100", "1/10")
    generator = np.random.default_rng(1)

    def hundred_steps():
        point = theta
        for _ in range(100):
            point = point - 0.1 * mechanism.release(objective.gradient(point), generator)

    ratio(
        "a hundred private gradient steps from second moments / a pass over the data",
        hundred_steps,
        lambda: X.T @ (X @ theta - y) / RECORDS,
        target=1.0,
    )


def from_the_matrix(X, y, point, mu, clip):
    """The definition, operation by operation: the n-by-d matrix of gradients, norms, clipped rows, their mean."""
    gradients = (X @ point - y)[:, np.newaxis] * X
    return mean_of_clipped(gradients + mu * point if mu else gradients, clip)


def from_the_matrix_by_einsum(X, y, point, mu, clip):
    """The same with as few passes over the matrix as there can be: it is formed, measured once and summed once."""
    gradients = np.einsum("i,ij->ij", X @ point - y, X)
    if mu:
        gradients += mu * point
    norms = np.sqrt(np.einsum("ij,ij->i", gradients, gradients))
    return (clip / np.maximum(clip, norms)) @ gradients / len(y)


REFERENCES = {
    "the n-by-d matrix of gradients": (from_the_matrix, 1.0),
    "the n-by-d matrix by einsum, each row formed, measured and summed once": (from_the_matrix_by_einsum, 5.0),
}


def recipe(X, y, mu):
    """The optimum and the threshold of the paper's recipe, the largest gradient there: few records are clipped."""
    optimum = RidgeObjective.of(X, y, mu).minimiser()
    return optimum, float(row_norms_above((X @ optimum - y)[:, np.newaxis] * X + mu * optimum).max())


def most_clipped(X, y, mu):
    """A point and a threshold at which nearly all records are clipped."""
    return np.zeros(FEATURES) + 0.5, 2.0


REGIMES = {"most records clipped": most_clipped, "few clipped, at the optimum": recipe}


def prepared(data, regime, regularizer):
    """The gradient, its point, the regularization inside the clipping, and the threshold."""
    X, y, _ = data
    mu = 0.1 if regularizer == "inside" else 0.0
    point, clip = REGIMES[regime](X, y, mu)
    return ClippedGradient.of(X, y, Fraction(clip), regularization=mu, regularizer=regularizer), point, mu, clip


@pytest.mark.parametrize("reference", REFERENCES)
@pytest.mark.parametrize("regularizer", ["outside", "inside"])
@pytest.mark.parametrize("regime", REGIMES)
def test_closed_form_clipping_against_the_matrix_of_gradients(ratio, data, regime, regularizer, reference):
    X, y, _ = data
    gradient, point, mu, clip = prepared(data, regime, regularizer)
    plain, target = REFERENCES[reference]
    scale = np.linalg.norm(X, axis=1).max() * (np.abs(X) @ np.abs(point) + np.abs(y)).max()
    assert np.linalg.norm(gradient(point) - plain(X, y, point, mu, clip)) <= RECORDS * np.finfo(float).eps * scale
    # Ten of them, so that both sides take about as long and an interruption weighs the same.
    ratio(
        f"ten closed-form clipped gradients / one from {reference}, {regime}, regularization {regularizer}",
        lambda: [gradient(point) for _ in range(10)],
        lambda: plain(X, y, point, mu, clip),
        target=target,
    )


@pytest.mark.parametrize("regularizer", ["outside", "inside"])
@pytest.mark.parametrize("regime", REGIMES)
def test_one_closed_form_gradient_after_the_cache_was_used_for_something_else(ratio, data, regime, regularizer):
    X, y, _ = data
    gradient, point, mu, clip = prepared(data, regime, regularizer)
    ratio(
        f"one closed-form clipped gradient between other work / one from the n-by-d matrix, {regime}, {regularizer}",
        lambda: gradient(point),
        lambda: from_the_matrix(X, y, point, mu, clip),
        target=0.1,
    )


@pytest.mark.parametrize("noise", [0.01, 0.1, 0.3])
@pytest.mark.parametrize("regularizer", ["outside", "inside"])
def test_closed_form_gradients_at_points_that_move_about_the_optimum(ratio, data, regularizer, noise):
    X, y, _ = data
    gradient, optimum, mu, clip = prepared(data, "few clipped, at the optimum", regularizer)
    generator = np.random.default_rng(3)
    ratio(
        f"ten closed-form clipped gradients at new points / one from the n-by-d matrix, each coordinate {noise} "
        f"from the optimum, {regularizer}",
        lambda: [gradient(optimum + noise * generator.standard_normal(FEATURES)) for _ in range(10)],
        lambda: from_the_matrix(X, y, optimum, mu, clip),
        target=1.0,
    )


@pytest.mark.parametrize("regularizer", ["outside", "inside"])
def test_the_first_gradient_with_all_that_is_prepared_for_later_ones(ratio, data, regularizer):
    X, y, _ = data
    gradient, point, mu, clip = prepared(data, "few clipped, at the optimum", regularizer)

    def first():
        fresh = FewClipped(gradient.features, gradient.labels, gradient.few.norms, clip, mu)
        replace(gradient, few=fresh)(point)

    ratio(
        f"the first closed-form clipped gradient / one from the n-by-d matrix, {regularizer}",
        first,
        lambda: from_the_matrix(X, y, point, mu, clip),
        target=1.0,
    )


# The radius is such that about 3 % and about a third of the records are clipped.
@pytest.mark.parametrize(("radius", "share", "target"), [("6", "few", 3.0), ("5", "a third", 6.0)])
@pytest.mark.parametrize("clipped_by", ["ellipsoid", "both norms"])
def test_clipping_features_against_forming_the_covariance(ratio, data, clipped_by, radius, share, target):
    X, _, _ = data
    shape = Shape.of(X.T @ X / RECORDS)
    ratio(
        f"clipping features by {clipped_by}, {share} of them outside / forming the covariance",
        lambda: ClippedFeatures.of(X, shape, radius, clipped_by),
        lambda: X.T @ X / RECORDS,
        target=target,
    )


@pytest.mark.parametrize("clipped_by", ["ellipsoid", "both norms"])
def test_the_test_of_a_level_with_its_clipping_against_forming_the_covariance(ratio, data, clipped_by):
    X, _, _ = data
    shape, generator = Shape.of(X.T @ X / RECORDS), np.random.default_rng(2)

    def whole():
        features = ClippedFeatures.of(X, shape, 6, clipped_by)
        level_test(features, "1/10", epsilon=1, delta="1e-6", generator=generator)

    ratio(
        f"clipping by {clipped_by} and the test of a level, together / forming the covariance",
        whole,
        lambda: X.T @ X / RECORDS,
        target=3.0,
    )


@pytest.mark.parametrize("condition", [1, 1000])
def test_the_test_of_a_level_against_forming_the_covariance(ratio, data, condition):
    X, _, _ = data
    features = ClippedFeatures.of(X, np.diag(np.geomspace(1, condition, FEATURES)), 5, "ellipsoid")
    generator = np.random.default_rng(2)
    ratio(
        f"the test of a level with a condition number of {condition}, on clipped features / forming the covariance",
        lambda: level_test(features, "1/10", epsilon=1, delta="1e-6", generator=generator),
        lambda: X.T @ X / RECORDS,
        target=3.0,
    )


def test_spherical_coordinates_against_a_pass_of_hypot(ratio):
    """There and back for a gradient of the network of 21,840 parameters."""
    generator = np.random.default_rng(20_240_018)
    gradient, other = generator.standard_normal((2, 21_840))

    def there_and_back():
        found = to_spherical(gradient)
        from_spherical(found.magnitude, found.angles)

    ratio("spherical coordinates there and back / hypot", there_and_back, lambda: np.hypot(gradient, other), target=3.0)


def test_steps_of_dp_sgd_against_the_same_steps_without_privacy(ratio):
    """Batches of 256 of 10,000 records with 50 features; both sides draw them alike and gather the same rows."""
    generator = np.random.default_rng(17)
    X, y = generator.standard_normal((10_000, 50)), np.repeat([0.0, 1.0], 5000)
    run = DpSgd("logistic", clip=1, noise_multiplier=1, batch=256, steps=300, step_size="1/10")

    def without_privacy():
        source, theta = np.random.default_rng(1), np.zeros(50)
        for _ in range(300):
            chosen = source.choice(10_000, 256, replace=False, shuffle=False)
            rows = X[chosen]
            theta = theta - 0.1 / 256 * (rows.T @ (1 / (1 + np.exp(-(rows @ theta))) - y[chosen]))

    ratio(
        "300 steps of DP-SGD / the same steps without privacy",
        lambda: run.train(X, y, np.random.default_rng(1)),
        without_privacy,
        target=2.0,
    )
