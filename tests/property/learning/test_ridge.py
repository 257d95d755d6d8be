"""Laws of the ridge objective: exact on small integers, where no operation rounds."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rgm_verify.errors import InputError
from rgm_verify.learning.ridge import RidgeObjective, ridge_gradient, ridge_value

EPS = float(np.finfo(np.float64).eps)
integers = st.integers(-20, 20).map(float)


@st.composite
def problems(draw, dimensions=(1, 2, 3)):
    """Integer records, their number a power of two, a point and a regularization: all arithmetic is exact."""
    n, d = 2 ** draw(st.integers(0, 3)), draw(st.sampled_from(dimensions))
    X = draw(hnp.arrays(np.float64, (n, d), elements=integers))
    y, theta = draw(hnp.arrays(np.float64, n, elements=integers)), draw(hnp.arrays(np.float64, d, elements=integers))
    return X, y, theta, draw(st.integers(0, 40)) / 8


def exact_value(X, y, theta, mu):
    """The definition, in rational numbers."""
    rows = [[Fraction(x) for x in row] for row in X]
    point = [Fraction(t) for t in theta]
    squares = [
        (sum(a * b for a, b in zip(row, point, strict=True)) - Fraction(w)) ** 2 for row, w in zip(rows, y, strict=True)
    ]
    return sum(squares) / (2 * len(squares)) + Fraction(mu) / 2 * sum(t * t for t in point)


def shifted(theta, index, by):
    moved = theta.copy()
    moved[index] += by
    return moved


@given(problems())
def test_value_is_the_definition(problem):
    X, y, theta, mu = problem
    assert RidgeObjective.of(X, y, mu).value(theta) == exact_value(X, y, theta, mu) == ridge_value(X, y, theta, mu)


@given(problems())
def test_gradient_is_the_symmetric_difference_of_the_value(problem):
    X, y, theta, mu = problem
    found = RidgeObjective.of(X, y, mu).gradient(theta)
    for i in range(len(theta)):
        slope = exact_value(X, y, shifted(theta, i, 1), mu) - exact_value(X, y, shifted(theta, i, -1), mu)
        assert found[i] == slope / 2  # a parabola has no error here


@given(problems())
def test_gradient_from_second_moments_is_that_of_a_pass_over_the_data(problem):
    X, y, theta, mu = problem
    assert np.array_equal(RidgeObjective.of(X, y, mu).gradient(theta), ridge_gradient(X, y, theta, mu))


@given(problems(), st.randoms(use_true_random=False))
def test_the_order_of_records_does_not_matter(problem, random):
    X, y, theta, mu = problem
    order = random.sample(range(len(y)), len(y))
    assert np.array_equal(ridge_gradient(X[order], y[order], theta, mu), ridge_gradient(X, y, theta, mu))


@given(problems(), st.data())
def test_gradient_follows_a_change_of_basis(problem, data):
    X, y, theta, _ = problem
    basis = data.draw(hnp.arrays(np.float64, (len(theta), len(theta)), elements=st.integers(-4, 4).map(float)))
    assert np.array_equal(
        RidgeObjective.of(X @ basis, y).gradient(theta), basis.T @ ridge_gradient(X, y, basis @ theta)
    )


@given(problems(), st.integers(-8, 8))
def test_value_and_gradient_scale_with_the_unit_of_the_data(problem, power):
    X, y, theta, mu = problem
    c = 2.0**power
    assert RidgeObjective.of(c * X, c * y, c * c * mu).value(theta) == c * c * RidgeObjective.of(X, y, mu).value(theta)
    found = RidgeObjective.of(c * X, c * y, c * c * mu).gradient(theta)
    assert np.array_equal(found, c * c * RidgeObjective.of(X, y, mu).gradient(theta))


@given(problems(), st.data())
def test_the_gradient_moves_by_at_most_the_smoothness_and_at_least_the_convexity(problem, data):
    X, y, theta, mu = problem
    other = data.draw(hnp.arrays(np.float64, len(theta), elements=integers))
    objective = RidgeObjective.of(X, y, mu)
    moved = np.linalg.norm(objective.gradient(theta) - objective.gradient(other))
    distance = np.linalg.norm(theta - other)
    slack = 16 * len(theta) ** 2 * EPS * objective.smoothness * distance  # eigenvalues and norms, rounded
    assert objective.strong_convexity * distance - slack <= moved <= objective.smoothness * distance + slack


@given(problems(), st.integers(1, 40))
def test_the_minimiser_solves_the_normal_equations(problem, eighths):
    X, y, _, _ = problem
    objective = RidgeObjective.of(X, y, eighths / 8)
    # Backward stability of the symmetric eigenproblem, with a constant of 32 d^2.
    scale = objective.smoothness / objective.strong_convexity * np.linalg.norm(objective.moment)
    residual = np.linalg.norm(objective.gradient(objective.minimiser()))
    assert residual <= 32 * len(objective.moment) ** 2 * EPS * scale


@given(problems())
def test_regularization_bounds_the_convexity_from_below(problem):
    X, y, _, mu = problem
    objective = RidgeObjective.of(X, y, mu)
    assert mu <= objective.strong_convexity <= objective.smoothness or objective.smoothness == mu == 0


@given(problems())
def test_no_minimiser_is_invented_for_fewer_records_than_features(problem):
    X, y, _, _ = problem
    wide = np.concatenate([X, np.zeros_like(X)], axis=1)
    with pytest.raises(InputError, match="singular"):
        RidgeObjective.of(wide, y).minimiser()
