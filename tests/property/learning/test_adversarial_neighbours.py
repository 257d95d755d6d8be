"""A search for the worst neighbours never exceeds a stated sensitivity, and reaches it where it is sharp.

Each search moves the data, the record that replaces one of them, and the point, so as to raise the quotient of what
moves and of what is stated. At the best place that was found the quotient is decided in exact arithmetic. The power
control: the searches reach so much of the bound that a smaller one, by the share that is named, would have been broken.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import minimize

from rgm_verify.learning.clipping.features import Shape
from rgm_verify.learning.clipping.gradient import ClippedGradient
from rgm_verify.learning.clipping.propose_test_release import ClippedFeatures, distance_statistic, level_test
from rgm_verify.learning.data import EPS
from rgm_verify.learning.private_ridge.bounds import RecordBounds
from rgm_verify.learning.private_ridge.descent import into_ball, objective_of
from rgm_verify.learning.private_ridge.sensitivity import PublicRidge
from rgm_verify.learning.private_ridge.statistics import moments_of
from rgm_verify.learning.sensitivity.of_domain import largest_difference, sensitivity_after_test
from rgm_verify.mechanisms.sensitivity import Adjacency
from rgm_verify.numbers.roots import root_above
from rgm_verify.numbers.sampling import spawn

REPLACE, ADD = Adjacency.REPLACE_ONE, Adjacency.ADD_OR_REMOVE


def search(quotient, size, *, seed, starts, calls=3000):
    """Return the largest quotient that Powell's method finds from some random starts, and where."""
    best, place = -np.inf, np.zeros(size)
    for generator in spawn(seed, starts):
        found = minimize(
            lambda z: -quotient(z), generator.normal(size=size) * 1.5, method="Powell", options={"maxfev": calls}
        )
        if -found.fun > best:
            best, place = float(-found.fun), found.x
    return best, place


def in_ball(z, radius=1.0):
    norm = float(np.linalg.norm(z))
    return z * (radius / norm * (1 - 4 * EPS)) if norm > radius * (1 - 4 * EPS) else z * radius


def square(vector):
    return sum((Fraction(float(entry)) ** 2 for entry in np.atleast_1d(vector)), Fraction(0))


def square_of_difference(first, second):
    pairs = zip(first.tolist(), second.tolist(), strict=True)
    return sum(((Fraction(a) - Fraction(b)) ** 2 for a, b in pairs), Fraction(0))


class Parts:
    """Takes parts of given shapes from a long vector, one after another."""

    def __init__(self, z):
        self.z, self.at = z, 0

    def take(self, *shape):
        size = int(np.prod(shape))
        self.at += size
        return self.z[self.at - size : self.at].reshape(shape)


# --------------------------------------------------------------------------------- the gradient of a private regression


def neighbours_in_bounds(z, public, n):
    """Two data sets in the bounds, and what is left of `z`."""
    d, parts = public.dimension, Parts(z)
    b, y = float(public.feature_bound), float(public.label_bound)
    X, labels = parts.take(n, d), np.clip(parts.take(n), -1, 1) * y
    other, label = in_ball(parts.take(d)) * b, float(np.clip(parts.take(1)[0], -1, 1)) * y
    X = np.array([in_ball(row) * b for row in X])
    if public.adjacency is ADD:
        return (X, labels), (np.vstack([X, other]), np.append(labels, label)), parts
    moved, changed = X.copy(), labels.copy()
    moved[0], changed[0] = other, label
    return (X, labels), (moved, changed), parts


def gradients(z, public, n, reach):
    first, second, parts = neighbours_in_bounds(z, public, n)
    theta = parts.take(public.dimension)
    theta = into_ball(theta * public.radius, public.radius) if reach is None else theta * reach
    objectives = (objective_of(*data, public) for data in (first, second))
    return [objective.hessian @ theta - objective.moment for objective in objectives]


ABSOLUTE = [
    (PublicRidge(Fraction(1), Fraction(1), Fraction(1, 10), 2, 2, REPLACE), 0.999),
    (PublicRidge(Fraction(30), Fraction(1, 50), Fraction(3), 3, 3, REPLACE), 0.99),
    (
        PublicRidge(Fraction(1), Fraction(5), Fraction(2), 2, 1, REPLACE),
        0.94,
    ),  # on the line no two records mirror each other
    (PublicRidge(Fraction(1), Fraction(1), Fraction(1, 10), 2, 2, ADD), 0.999),
    (PublicRidge(Fraction(1, 20), Fraction(7), Fraction(1, 100), 3, 1, ADD), 0.999),
    (PublicRidge(Fraction(1), Fraction(1), Fraction(1, 10), 2, 2, REPLACE, coef_bound=Fraction(1, 5)), 0.999),
]


@pytest.mark.parametrize(("public", "share"), ABSOLUTE)
def test_the_absolute_sensitivity_of_the_computed_gradient(public, share):
    n, d, bound = public.divisor, public.dimension, public.absolute().bound

    def quotient(z):
        first, second = gradients(z, public, n, None)
        return float(np.linalg.norm(first - second)) / float(bound)

    best, z = search(quotient, (n + 1) * (d + 1) + d, seed=1, starts=4)
    first, second = gradients(z, public, n, None)
    moved = square_of_difference(first, second)
    assert moved <= bound**2
    assert best >= share


MOMENTS = [
    (PublicRidge(Fraction(1), Fraction(1), Fraction(0), 2, 2, REPLACE), 0.999),
    (PublicRidge(Fraction(30), Fraction(1, 50), Fraction(0), 3, 3, REPLACE), 0.99),
    (PublicRidge(Fraction(1), Fraction(5), Fraction(0), 2, 1, REPLACE), 0.94),  # on the line: 2 of sqrt(9/2)
    (PublicRidge(Fraction(1), Fraction(1), Fraction(0), 2, 2, ADD), 0.999),
    (PublicRidge(Fraction(1, 20), Fraction(7), Fraction(0), 3, 1, ADD), 0.999),
]


@pytest.mark.parametrize(("public", "share"), MOMENTS)
def test_the_sensitivity_of_the_computed_moments(public, share):
    n, d, bound = public.divisor, public.dimension, public.moments().bound

    def moments(z):
        first, second, _ = neighbours_in_bounds(z, public, n)
        return [moments_of(*data, public) for data in (first, second)]

    def quotient(z):
        first, second = moments(z)
        return float(np.linalg.norm(first - second)) / float(bound)

    best, z = search(quotient, (n + 1) * (d + 1), seed=3, starts=4)
    assert square_of_difference(*moments(z)) <= bound**2
    assert best >= share


RELATIVE = [
    (PublicRidge(Fraction(1), Fraction(1), Fraction(1, 10), 2, 2, REPLACE), 0.75),
    (PublicRidge(Fraction(1), Fraction(1), Fraction(3), 3, 1, REPLACE), 0.75),
]


@pytest.mark.parametrize(("public", "share"), RELATIVE)
def test_the_relative_sensitivity_of_the_computed_gradient(public, share):
    n, d, stated = public.divisor, public.dimension, public.relative()
    eta, r_rel = float(stated.eta), float(stated.r_rel)

    def quotient(z):
        first, second = gradients(z[:-1], public, n, public.radius * 10 ** float(np.clip(z[-1], -3, 3)))
        least = min(float(first @ first), float(second @ second))
        return float(np.linalg.norm(first - second)) / np.sqrt(eta**2 * least + r_rel**2)

    best, z = search(quotient, (n + 1) * (d + 1) + d + 1, seed=2, starts=4)
    first, second = gradients(z[:-1], public, n, public.radius * 10 ** float(np.clip(z[-1], -3, 3)))
    moved = square_of_difference(first, second)
    assert moved <= stated.eta**2 * min(square(first), square(second)) + stated.r_rel**2
    assert best >= share


@pytest.mark.parametrize("reach", ["1/10", 1, 20])
def test_the_difference_of_two_gradients_of_records(reach):
    k, bound = float(Fraction(reach)), largest_difference(Fraction(reach))

    def moved(z):
        u, v, t = in_ball(z[:2]), in_ball(z[2:4]), in_ball(z[4:6]) * k
        return u * (u @ t - np.clip(z[6], -1, 1)) - v * (v @ t - np.clip(z[7], -1, 1))

    best, z = search(lambda z: float(np.linalg.norm(moved(z))) / float(bound), 8, seed=3, starts=6)
    assert square(moved(z)) <= (bound * (1 + 16 * Fraction(EPS))) ** 2  # the vectors are computed in floats
    assert best >= 0.9999


# ---------------------------------------------------------------------------------------- after a test of a level


@pytest.mark.parametrize(("mu", "share"), [("0", "1/2"), ("1/20", "2")])
@pytest.mark.parametrize("clipped_by", ["ellipsoid", "both norms"])
def test_the_sensitivity_after_a_test_that_passed(mu, share, clipped_by):
    n, d, radius, label, C = 4, 2, 1.0, 1.0, np.diag([4.0, 1.0])
    shape, rho, penalty = Shape.of(C), Fraction(1, 10), float(Fraction(mu))
    corners = np.vstack([np.diag([2.0, 1.0])] * 2) * 0.999
    features = ClippedFeatures.of(corners, shape, radius, clipped_by)
    outcome = level_test(
        features, rho, epsilon=10**4, delta="1/10", generator=np.random.default_rng(1), regularization=mu
    )
    stated = sensitivity_after_test(features, outcome, labels=label, regularization=mu, share=share)
    eta, r_rel = float(stated.eta), float(stated.r_rel)

    def both(z):
        parts = Parts(z)
        rows = ClippedFeatures.of(parts.take(n + 1, d) * [2.0, 1.0], shape, radius, clipped_by).rows
        y, theta = (
            np.clip(parts.take(n + 1), -1, 1) * label,
            parts.take(d) * 10 ** float(np.clip(parts.take(1)[0], -2, 3)),
        )
        sets = [(rows[:n], y[:n]), (rows[1:], y[1:])]
        hessians = [X.T @ X / n + penalty * np.eye(d) for X, _ in sets]
        level = min(float(np.linalg.eigvalsh(A / np.outer([2.0, 1.0], [2.0, 1.0]))[0]) for A in hessians) - float(rho)
        return [A @ theta - X.T @ t / n for A, (X, t) in zip(hessians, sets, strict=True)], level

    def quotient(z):
        (first, second), level = both(z)
        if level < 0:
            return level
        least = min(float(first @ first), float(second @ second))
        return float(np.linalg.norm(first - second)) / np.sqrt(eta**2 * least + r_rel**2)

    best, z = search(quotient, (n + 1) * (d + 1) + d + 1, seed=4, starts=3, calls=2500)
    assert 0.6 <= best <= 1
    assert both(z)[1] >= 0


# ------------------------------------------------------------------------------- the clipped gradient, the statistic


@pytest.mark.parametrize("regularizer", ["outside", "inside"])
@pytest.mark.parametrize(("n", "kind"), [(1, REPLACE), (3, REPLACE), (2, ADD), (41, REPLACE)])
def test_the_sensitivity_of_the_clipped_gradient(regularizer, n, kind):
    d, clip = 2, Fraction(1, 3)
    options = {"regularization": "1/4", "regularizer": regularizer, "divisor": None if kind is REPLACE else n}

    def moved(z):
        parts = Parts(z)
        scale = 10 ** float(np.clip(parts.take(1)[0], -6, 6))
        X, y, theta = np.tile(parts.take(2, d), (n // 2 + 1, 1))[: n + 1] * scale, parts.take(2), parts.take(d)
        y = np.tile(y, n // 2 + 1)[: n + 1]
        sets = [(X[:n], y[:n]), (X[1:], y[1:])] if kind is REPLACE else [(X[:n], y[:n]), (X, y)]
        found = [ClippedGradient.of(*data, clip, **options) for data in sets]
        return found[0](theta) - found[1](theta), found[0].sensitivity(kind)

    def quotient(z):
        difference, stated = moved(z)
        return float(np.linalg.norm(difference)) / float(stated)

    best, z = search(quotient, 1 + 2 * d + 2 + d, seed=5, starts=2, calls=700)
    difference, stated = moved(z)
    # What is stated is for real arithmetic: each sum errs by (n + d) roundings of terms of 32 n clip at most.
    rounding = Fraction(2 * 32 * (n + d + 8) * EPS) * clip
    assert square(difference) <= (stated + rounding) ** 2
    assert best >= 0.999


@pytest.mark.parametrize("clipped_by", ["ellipsoid", "both norms"])
@pytest.mark.parametrize("mu", [0.0, 0.3])
def test_the_statistic_of_a_level_moves_by_one_at_most(clipped_by, mu):
    n, d, shape = 3, 2, Shape.of(np.array([[3.0, 1.0], [1.0, 2.0]]))

    def moved(z):
        parts = Parts(z)
        rows = parts.take(n + 1, d) * 2
        found = [
            distance_statistic(ClippedFeatures.of(part, shape, 1, clipped_by), "1/10", regularization=mu)
            for part in (rows[:n], rows[1:])
        ]
        return abs(found[0][0] - found[1][0]), found[0][1]

    best, z = search(lambda z: moved(z)[0], (n + 1) * d, seed=6, starts=2, calls=1000)
    assert best <= 1 + 2 * moved(z)[1]
    assert best >= 0.99


def test_clipped_records_do_not_leave_the_bounds_whatever_is_searched():
    bounds = RecordBounds.of(1, 1, 3)

    def longest(z):
        row, _ = bounds.keep((z[:3] * 10.0 ** np.clip(z[3:6], -200, 200))[np.newaxis], np.zeros(1), "clip")
        return float(np.linalg.norm(row))

    best, z = search(longest, 6, seed=7, starts=3, calls=1500)
    row, _ = bounds.keep((z[:3] * 10.0 ** np.clip(z[3:6], -200, 200))[np.newaxis], np.zeros(1), "clip")
    assert square(row[0]) <= Fraction(bounds.features) ** 2
    assert best >= 0.9999
    assert bounds.features <= root_above(Fraction(1) + 100 * Fraction(EPS))
