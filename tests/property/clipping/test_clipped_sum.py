"""Laws of a clipped sum with few clipped records: its bits do not depend on what was asked before, and it is exact."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rgm_verify.learning.clipping.gradient import ClippedGradient
from rgm_verify.learning.data import row_norms_above

EPS = float(np.finfo(np.float64).eps)
REGULARIZERS = [("outside", 0.0), ("outside", 0.5), ("inside", 0.0), ("inside", 0.3), ("inside", 7.0)]
regularizers = st.sampled_from(REGULARIZERS)
seeds = st.integers(0, 2**32 - 1)


def gradients_at(X, y, theta, regularizer):
    where, mu = regularizer
    return X * (X @ theta - y)[:, np.newaxis] + (mu * theta if where == "inside" else 0.0)


@st.composite
def problems(draw, smallest=1, largest=80):
    """Records of several sizes, some of zeros, and a threshold at a quantile of the gradients near a point."""
    n, d = draw(st.integers(smallest, largest)), draw(st.integers(1, 12))
    generator = np.random.default_rng(draw(seeds))
    X = generator.standard_normal((n, d)) * 10.0 ** generator.uniform(-1, 1, (n, 1))
    X[generator.random(n) < draw(st.sampled_from([0.0, 0.2]))] = 0.0
    near, regularizer = generator.standard_normal(d), draw(regularizers)
    y = X @ near + generator.standard_normal(n)
    norms = np.linalg.norm(gradients_at(X, y, near, regularizer), axis=1)
    quantile = draw(st.sampled_from([0.2, 0.8, 0.94, 0.97, 1.0]))
    clip = float(np.quantile(norms, quantile)) * draw(st.sampled_from([1.0, 1.5]))
    assume(clip > 1e-6)
    points = [near + draw(st.sampled_from([0.0, 1e-9, 1e-3, 0.1, 1.0])) * generator.standard_normal(d) for _ in "1234"]
    return X, y, Fraction(clip), regularizer, points


def built(problem):
    X, y, clip, (where, mu), _ = problem
    return ClippedGradient.of(X, y, clip, regularization=mu, regularizer=where)


def same(first, second):
    return first.tobytes() == second.tobytes()


@given(problems(), st.data())
def test_no_bit_depends_on_the_points_before(problem, data):
    points = problem[-1]
    visits = data.draw(st.lists(st.integers(0, len(points) - 1), max_size=6)) + list(range(len(points)))
    used = built(problem)
    for visit in visits:
        assert same(used(points[visit]), built(problem)(points[visit]))


@given(problems(smallest=16), st.data())
def test_no_bit_depends_on_which_records_are_thought_possible(problem, data):
    usual, other = built(problem), built(problem)
    order = np.array(data.draw(st.permutations(range(len(problem[1])))))
    other.few.candidates = lambda theta: (order, other.features[order])
    for point in problem[-1]:
        assert same(usual(point), other(point))


@pytest.mark.parametrize("regularizer", REGULARIZERS[1:4])
def test_no_bit_depends_on_how_a_residual_at_the_very_threshold_is_rounded(regularizer):
    for seed in range(100):
        generator = np.random.default_rng(seed)
        X, near = generator.standard_normal((64, 8)), generator.standard_normal(8)
        X[0] *= 30  # its residual is rounded at hundreds of times the threshold
        y = X @ near + 0.1 * generator.standard_normal(64)
        y[0] = X[0] @ near + generator.choice([-1, 1])
        clip = Fraction(float(np.linalg.norm(gradients_at(X[:1], y[:1], near, regularizer))))
        problem = X, y, clip, regularizer, []
        usual, other = built(problem), built(problem)
        other.few.candidates = lambda theta, rows=other.features: (np.arange(64), rows)
        for theta in (near, near + 1e-15 * generator.standard_normal(8), near):
            assert usual.few.is_accurate(theta)
            assert same(usual(theta), other(theta))


def exact_root(square):
    """A root to 60 digits."""
    scale = 10**60
    return Fraction(math.isqrt(square.numerator * scale**2 // square.denominator), scale)


def exact_gradients(X, y, theta, regularizer):
    where, mu = regularizer
    point = [Fraction(t) for t in theta]
    added = [Fraction(mu) * t if where == "inside" else Fraction(0) for t in point]
    for row, label in zip(X, y, strict=True):
        x = [Fraction(v) for v in row]
        residual = sum(a * b for a, b in zip(x, point, strict=True)) - Fraction(label)
        yield [a * residual + b for a, b in zip(x, added, strict=True)]


def exact_mean(problem, theta):
    """The mean of the clipped gradients in exact arithmetic, but for the roots."""
    X, y, clip, (where, mu), _ = problem
    total = [Fraction(0)] * X.shape[1]
    for gradient in exact_gradients(X, y, theta, (where, mu)):
        norm = exact_root(sum(g * g for g in gradient))
        share = min(Fraction(1), clip / norm) if norm else Fraction(1)
        total = [t + share * g for t, g in zip(total, gradient, strict=True)]
    outside = Fraction(mu) if where == "outside" else Fraction(0)
    return [t / len(y) + outside * Fraction(p) for t, p in zip(total, theta, strict=True)]


def sizes_of(problem, theta):
    """`|x| (|x| |theta| + |y|) + mu |theta|` for each record."""
    X, y, _, (_, mu), _ = problem
    norms, size = np.linalg.norm(X, axis=1), float(np.linalg.norm(theta))
    return norms * (norms * size + np.abs(y)) + mu * size


@given(problems(largest=40))
def test_it_is_the_clipped_mean_of_exact_arithmetic(problem):
    X, _, clip, _, points = problem
    gradient, (n, d) = built(problem), X.shape
    for theta in points[:2]:
        sizes, c = sizes_of(problem, theta), float(clip)
        # A sum of n terms; the safe side of the clipped ones, where the two parts of a norm may cancel.
        error = EPS * (2 * (n + d + 8) * sizes.mean() + 4 * (d + 16) * c * np.square(1 + sizes / c).mean())
        difference = [
            Fraction(a) - b for a, b in zip(gradient(theta).tolist(), exact_mean(problem, theta), strict=True)
        ]
        assert sum(a * a for a in difference) <= Fraction(error) ** 2


def adversarial(problem, reference, index):
    """Points at the very distance up to which a record is certainly unclipped, where its gradient grows fastest."""
    x, start = problem[0][reference.order[index]], reference.point
    norm, distance = float(np.linalg.norm(x)), float(reference.distances[index])
    if norm == 0 or not 0 <= distance < 1e6:
        return []
    ways = product((-1, 1), (1 - 4 * EPS, 1.0, 1 + 4 * EPS, 1 + 1e-9))
    return [start + sign * distance * factor * x / norm for sign, factor in ways]


@given(problems(smallest=16), st.data())
def test_a_record_that_is_not_named_is_unclipped_in_exact_arithmetic_and_in_any_computation(problem, data):
    X, y, clip, regularizer, points = problem
    gradient = built(problem)
    gradient(points[0])
    reference = gradient.few.reference
    assume(reference is not None)
    index = data.draw(st.integers(0, len(reference.order) - 1))
    for theta in [*points, *adversarial(problem, reference, index)]:
        named = reference.candidates(theta)
        if named is None:
            continue
        others = np.setdiff1d(np.arange(len(y)), named[0])
        coefficients, shares = gradient.weights(theta)
        assert np.array_equal(coefficients[others], (gradient.features @ theta - y)[others])
        assert shares is None or np.all(shares[others] == 1)
        for added in exact_gradients(X[others], y[others], theta, regularizer):
            assert sum(g * g for g in added) <= clip**2


@pytest.mark.parametrize("regularizer", REGULARIZERS)
def test_a_descent_asks_about_few_records_and_renews_the_reference_as_it_moves(regularizer):
    generator = np.random.default_rng(5)
    X, near = generator.standard_normal((2_000, 4)), generator.standard_normal(4)
    y = X @ near + generator.standard_normal(2_000)
    clip = Fraction(float(np.quantile(np.linalg.norm(gradients_at(X, y, near, regularizer), axis=1), 0.99)))
    problem = X, y, clip, regularizer, []
    used, references, surveys, clipped = built(problem), [], [], 0
    survey = used._survey
    object.__setattr__(used, "_survey", lambda *parts: surveys.append(1) or survey(*parts))
    theta = np.zeros(4)
    for _ in range(60):
        theta = theta + 0.2 * (near - theta) + 0.001 * generator.standard_normal(4)
        assert same(used(theta), built(problem)(theta))
        if not references or references[-1] is not used.few.reference:
            references.append(used.few.reference)
        coefficients, shares = used.weights(theta)
        clipped += int(np.sum(coefficients != X @ theta - y) if shares is None else np.sum(shares < 1))
    assert len(references) > 2
    assert len(surveys) < 30
    assert clipped > 0


def one_feature(clipped, n=64):
    y = np.full(n, 0.5)
    y[:clipped] = 3.0
    return ClippedGradient.of(np.ones((n, 1)), y, 1)


@pytest.mark.parametrize(("clipped", "are_few"), [(0, True), (4, True), (5, False), (64, False)])
def test_the_form_depends_on_how_many_are_clipped_alone(monkeypatch, clipped, are_few):
    expected = -(clipped * 1.0 + (64 - clipped) * 0.5) / 64
    assert abs(float(one_feature(clipped)(np.zeros(1))[0]) - expected) <= 64 * EPS
    calls = []
    plain = ClippedGradient._sum_of_all
    monkeypatch.setattr(ClippedGradient, "_sum_of_all", lambda self, *parts: calls.append(1) or plain(self, *parts))
    used = one_feature(clipped)
    for theta in (0.0, 0.01, 0.0):
        used(np.array([theta]))
    assert len(calls) == (0 if are_few else 3)


@pytest.mark.parametrize("power", [3, 5, 8, 12])
def test_a_record_of_a_huge_size_does_not_spoil_the_others(power):
    generator = np.random.default_rng(1)
    X, near = generator.standard_normal((64, 3)), np.ones(3)
    X[0] *= 10.0**power
    y = X @ near + generator.standard_normal(64)
    y[0] = 0.0
    clip = Fraction(float(np.sort(row_norms_above(gradients_at(X, y, near, ("outside", 0.0))))[-2]))
    problem = X, y, clip, ("outside", 0.0), []
    difference = [
        Fraction(a) - b for a, b in zip(built(problem)(near).tolist(), exact_mean(problem, near), strict=True)
    ]
    assert not built(problem).few.is_accurate(near)
    others = np.linalg.norm(X[1:], axis=1) * (np.linalg.norm(X[1:], axis=1) * math.sqrt(3) + np.abs(y[1:]))
    scale = float(clip) + others.mean()
    assert sum(a * a for a in difference) <= Fraction(4 * (64 + 3) * EPS * scale) ** 2


@given(problems(largest=3))
def test_one_record_is_enough(problem):
    X, y, clip, regularizer, points = problem
    first = X[:1], y[:1], clip, regularizer, points
    gradient = built(first)
    for theta in points:
        assert same(gradient(theta), built(first)(theta))
        assert np.isfinite(gradient(theta)).all()


def test_references_of_no_use_are_renewed_ever_more_rarely():
    few = one_feature(0).few
    renewals = [few.is_worth_renewing() for _ in range(12)]
    assert renewals == [True, True, False, True, False, False, False, True, False, False, False, False]
