"""Input that the ridge objective refuses, with what it says; and one example worked by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rgm_verify.errors import InputError
from rgm_verify.learning.ridge import RidgeObjective, ridge_gradient, ridge_value


def test_an_example_by_hand():
    objective = RidgeObjective.of([[1, 0], [0, 2]], [1, 2], 1)
    assert objective.hessian.tolist() == [[1.5, 0], [0, 3]]
    assert objective.moment.tolist() == [0.5, 2]
    assert objective.value([0, 0]) == 1.25
    assert objective.gradient([1, 1]).tolist() == [1, 1]
    assert (objective.smoothness, objective.strong_convexity) == (3, 1.5)
    assert objective.minimiser() == pytest.approx([1 / 3, 2 / 3], rel=8 * np.finfo(float).eps, abs=0)
    assert np.abs(objective.coordinates(objective.minimiser())).max() == 0


@pytest.mark.parametrize(
    ("X", "y", "mu", "message"),
    [
        (np.zeros((0, 2)), [], 1, "X='array of shape \\(0, 2\\)': expected at least one number"),
        (np.zeros((2, 0)), [1, 2], 1, "X='array of shape \\(2, 0\\)"),
        ([1.0, 2.0], [1, 2], 1, "expected shape \\(n, d\\)"),
        ([[1.0], [math.nan]], [1, 2], 1, "^X: every entry must be a finite"),
        ([[1.0], [math.inf]], [1, 2], 1, "^X: every entry must be a finite"),
        ([[1.0], [2.0]], [1, math.nan], 1, "^y: every entry must be a finite"),
        ([[1.0], [2.0]], [1], 1, "y='array of shape \\(1,\\)': expected shape \\(2,\\)"),
        ([[1.0], [2.0]], [[1], [2]], 1, "y='array of shape \\(2, 1\\)"),
        ([[1.0], [2.0]], [1, 2], -1, "regularization=-1: the regularization mu must be >= 0"),
        ([[1.0], [2.0]], [1, 2], math.nan, "regularization=nan"),
        ([["a"]], [1], 1, "expected real numbers"),
        ([[True]], [1], 1, "expected real numbers"),
        ([[1e200]], [1], 1, "overflow a float64"),
    ],
)
def test_bad_data_are_refused(X, y, mu, message):
    with pytest.raises(InputError, match=message):
        RidgeObjective.of(X, y, mu)


@pytest.mark.parametrize("theta", [[1.0, 2.0, 3.0], [[1.0, 2.0]], [math.nan, 1.0], 1.0])
def test_bad_points_are_refused(theta):
    X, y = [[1.0, 0.0], [0.0, 1.0]], [1.0, 1.0]
    for call in (RidgeObjective.of(X, y).gradient, lambda t: ridge_value(X, y, t), lambda t: ridge_gradient(X, y, t)):
        with pytest.raises(InputError, match="theta"):
            call(theta)
