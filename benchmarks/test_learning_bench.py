"""Private steps of ridge regression at the size of the paper's experiments, against passes over the data."""

from __future__ import annotations

import numpy as np
import pytest

from rgm_verify.learning.clipped_gradient import ClippedGradient, mean_of_clipped
from rgm_verify.learning.clipping import Shape, clip_by_both_norms
from rgm_verify.learning.propose_test_release import ClippedFeatures, level_test
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


@pytest.mark.parametrize(("regularizer", "target"), [("outside", 1.0), ("inside", 2.0)])
def test_closed_form_clipping_against_the_matrix_of_gradients(ratio, data, regularizer, target):
    X, y, theta = data
    mu = 0.1 if regularizer == "inside" else 0.0
    gradient = ClippedGradient.of(X, y, 2, regularization=mu, regularizer=regularizer)
    point = theta + 0.5

    def plain():
        return mean_of_clipped((X @ point - y)[:, np.newaxis] * X + mu * point, 2.0)

    scale = np.linalg.norm(X, axis=1).max() * np.abs(X @ point - y).max()
    assert np.linalg.norm(gradient(point) - plain()) <= RECORDS * np.finfo(float).eps * scale
    # Ten of them, so that both sides take about as long and an interruption weighs the same.
    ratio(
        f"ten closed-form clipped gradients / one from the n-by-d matrix, regularization {regularizer}",
        lambda: [gradient(point) for _ in range(10)],
        plain,
        target=target,
    )


def test_clipping_features_against_forming_the_covariance(ratio, data):
    X, _, _ = data
    shape = Shape.of(X.T @ X / RECORDS)
    ratio(
        "clipping all features by both norms / forming the covariance",
        lambda: clip_by_both_norms(X, shape, 5),
        lambda: X.T @ X / RECORDS,
        target=50.0,
        rounds=5,
    )


def test_the_test_of_a_level_against_forming_the_covariance(ratio, data):
    X, _, _ = data
    features = ClippedFeatures.of(X, np.eye(FEATURES), 5, "ellipsoid")
    generator = np.random.default_rng(2)
    ratio(
        "the test of a level, on clipped features / forming the covariance",
        lambda: level_test(features, "1/10", epsilon=1, delta="1e-6", generator=generator),
        lambda: X.T @ X / RECORDS,
        target=3.0,
    )
