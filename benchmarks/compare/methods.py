"""The methods of the comparison: each a function of the records, epsilon, delta and a generator to coefficients.

Records are in the box [-1, 1] with a constant column, so that `|x| <= B = sqrt(d)`, and `|y| <= 1`; neighbours replace
one record. Nothing here is chosen by its results: parameters are those of the papers, or plain ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from rgm_verify.learning import PrivateLogisticRegression, PrivateRidge
from rgm_verify.learning.private_logistic.objective import shares
from rgm_verify.learning.private_ridge.noise import variance_multiplier

STEPS = 30  # of clipped descent
SMALL = 0.05  # the failure probability of AdaSSP's penalty, as in its paper


def deviation(epsilon: Fraction, delta: Fraction, sensitivity: float, share: float = 1.0) -> float:
    """Return the deviation of Gaussian noise that takes a share of the squared distance that a target allows."""
    return sensitivity * math.sqrt(float(variance_multiplier(epsilon, delta)) / share)


def ridge(mechanism: str):
    """`PrivateRidge` with its defaults."""

    def fit(X, y, epsilon, delta, generator):
        bound = math.sqrt(X.shape[1])
        model = PrivateRidge(
            epsilon, delta, feature_bound=bound, label_bound=1, mechanism=mechanism, random_state=generator
        )
        return model.fit(X, y).coef_

    return fit


def logistic(mechanism: str):
    """`PrivateLogisticRegression` with its defaults."""

    def fit(X, y, epsilon, delta, generator):
        model = PrivateLogisticRegression(
            epsilon, delta, feature_bound=math.sqrt(X.shape[1]), classes=(-1, 1), mechanism=mechanism,
            random_state=generator,
        )  # fmt: skip
        return model.fit(X, y).coef_[0]

    return fit


def _noisy_moments(X, y, epsilon, delta, generator, share):
    d = X.shape[1]
    noise = np.triu(generator.standard_normal((d, d)))
    noise = (noise + np.triu(noise, 1).T) * deviation(epsilon, delta, math.sqrt(2) * d, share)
    moment = X.T @ y + deviation(epsilon, delta, 2 * math.sqrt(d), share) * generator.standard_normal(d)
    return X.T @ X + noise, moment


def gaussian_statistics(X, y, epsilon, delta, generator):
    """Gaussian noise on X'X and on X'y, half of the budget each, solved as they are."""
    matrix, moment = _noisy_moments(X, y, epsilon, delta, generator, 1 / 2)
    return np.linalg.solve(matrix, moment)


def adassp(X, y, epsilon, delta, generator):
    """AdaSSP (Wang 2018), with Gaussian noise that is calibrated exactly, a third of the budget a release."""
    d = X.shape[1]
    sigma = deviation(epsilon, delta, d, 1 / 3)
    least = np.linalg.eigvalsh(X.T @ X)[0] + sigma * generator.standard_normal()
    least = max(least - math.sqrt(math.log(6 / float(delta))) * sigma, 0.0)
    matrix, moment = _noisy_moments(X, y, epsilon, delta, generator, 1 / 3)
    spread = deviation(epsilon, delta, math.sqrt(2) * d, 1 / 3)
    penalty = max(0.0, math.sqrt(d * math.log(2 * d**2 / SMALL)) * spread - least)
    return np.linalg.solve(matrix + penalty * np.eye(d), moment)


def clipped_descent(slopes: Callable, smoothness: float):
    """Descent on gradients clipped to the length 1, 30 steps of size 1/L from 0, averaged."""

    def fit(X, y, epsilon, delta, generator):
        n, d = X.shape
        sigma = deviation(epsilon, delta, 2.0, 1 / STEPS)
        lengths, theta, total = np.linalg.norm(X, axis=1), np.zeros(d), np.zeros(d)
        for _ in range(STEPS):
            slope = slopes(X, y, theta)
            slope = slope / np.maximum(1, np.abs(slope) * lengths)
            theta = theta - (X.T @ slope + sigma * generator.standard_normal(d)) / (n * smoothness * d)
            total = total + theta
        return total / STEPS

    return fit


METHODS = {
    "regression": {
        "auto": ridge("auto"),
        "statistics": ridge("statistics"),
        "Gaussian statistics": gaussian_statistics,
        "AdaSSP": adassp,
        "clipped descent": clipped_descent(lambda X, y, theta: X @ theta - y, 1.0),
    },
    "classification": {
        "objective": logistic("objective"),
        "newton": logistic("newton"),
        "clipped descent": clipped_descent(lambda X, y, theta: -y * shares(X * y[:, None], theta), 0.25),
    },
}
"""By the task and by the name that the chapter shows; ours come first. diffprivlib has a process of its own."""
