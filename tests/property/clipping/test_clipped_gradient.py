"""Laws of per-example clipping: the bound of each record exactly, sensitivity, and agreement with the plain form."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rgm_verify.errors import InputError
from rgm_verify.learning.clipping.gradient import (
    ClippedGradient,
    clipped_mean_sensitivity,
    mean_of_clipped,
    per_example_gradients,
)
from rgm_verify.mechanisms.sensitivity import Adjacency

EPS = float(np.finfo(np.float64).eps)
entries = st.floats(-1e4, 1e4).map(lambda x: 0.0 if abs(x) < 1e-8 else x)
clips = st.fractions(Fraction(1, 1000), 1000, max_denominator=10**6)
regularizers = st.sampled_from([("outside", 0.0), ("outside", 0.5), ("inside", 0.0), ("inside", 0.3), ("inside", 7.0)])


@st.composite
def problems(draw):
    n, d = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    X, y = draw(hnp.arrays(np.float64, (n, d), elements=entries)), draw(hnp.arrays(np.float64, n, elements=entries))
    return X, y, draw(hnp.arrays(np.float64, d, elements=entries))


def built(problem, clip, regularizer, **options):
    where, mu = regularizer
    return ClippedGradient.of(problem[0], problem[1], clip, regularization=mu, regularizer=where, **options)


def contribution(gradient, index, theta):
    """The part that one record adds to the sum, in exact arithmetic on the numbers that the sum is made of."""
    x = [Fraction(v) for v in gradient.features[index]]
    coefficients, shares = gradient.weights(theta)
    k, share = coefficients[index], Fraction(0 if shares is None else shares[index])
    mu = Fraction(gradient.regularization)
    return [Fraction(k) * a + share * mu * Fraction(t) for a, t in zip(x, theta, strict=True)]


@given(problems(), clips, regularizers)
def test_no_record_adds_more_than_the_threshold_exactly(problem, clip, regularizer):
    gradient = built(problem, clip, regularizer)
    for index in range(len(problem[1])):
        added = contribution(gradient, index, problem[2])
        assert sum(a * a for a in added) <= clip**2


sizes = st.integers(-320, 300).map(lambda e: float(f"1e{e}"))


@given(sizes, sizes, sizes, st.integers(-99, 99), st.sampled_from([("outside", 0.0), ("inside", 0.0), ("inside", 0.5)]))
def test_no_record_adds_more_than_the_threshold_at_the_ends_of_the_range_either(x, y, t, power, regularizer):
    clip = Fraction(10) ** power
    gradient = built((np.array([[x, -x]]), np.array([y]), None), clip, regularizer)
    for theta in (np.zeros(2), np.array([t, t / 2]), np.array([-t, 0.0])):
        try:
            added = contribution(gradient, 0, theta)
        except InputError:
            continue
        assert sum(a * a for a in added) <= clip**2


@given(st.integers(-150, 150), clips, regularizers)
def test_records_far_inside_enter_as_they_are_at_every_size(power, clip, regularizer):
    x, y = 10.0**power, float(clip) / 10.0**power / 8
    gradient = built((np.array([[x]]), np.array([y]), None), clip, regularizer)
    coefficients, shares = gradient.weights(np.zeros(1))
    assert coefficients.tolist() == [-y]
    assert shares is None or shares.tolist() == [1.0]


def plain(problem, clip, regularizer):
    """The definition on the n-by-d matrix of gradients."""
    X, y, theta = problem
    where, mu = regularizer
    gradients = per_example_gradients(X, y, theta)
    if where == "inside":
        return mean_of_clipped(gradients + mu * theta, float(clip))
    return mean_of_clipped(gradients, float(clip)) + mu * theta


@given(problems(), clips, regularizers)
def test_the_closed_form_is_the_plain_form(problem, clip, regularizer):
    X, y, theta = problem
    d = len(theta)
    parts = np.linalg.norm(X, axis=1) * (np.abs(X) @ np.abs(theta) + np.abs(y))
    parts = parts.max() + (regularizer[1] + 1) * np.linalg.norm(theta)
    found = built(problem, clip, regularizer)(theta)
    # Roundings of short sums; inside the clipping the terms of a squared norm may cancel, which costs the root.
    root = math.sqrt(64 * (d + 8) * EPS) if regularizer[0] == "inside" else 64 * (d + 8) * EPS
    assert np.linalg.norm(found - plain(problem, clip, regularizer)) <= root * parts


@given(problems(), clips, regularizers, st.data())
def test_replacing_a_record_moves_the_gradient_by_at_most_its_sensitivity(problem, clip, regularizer, data):
    X, y, theta = problem
    index = data.draw(st.integers(0, len(y) - 1))
    other_X, other_y = X.copy(), y.copy()
    other_X[index] = data.draw(hnp.arrays(np.float64, X.shape[1], elements=entries))
    other_y[index] = data.draw(entries)
    first, second = built(problem, clip, regularizer), built((other_X, other_y, theta), clip, regularizer)
    moved = np.linalg.norm(first(theta) - second(theta))
    scale = float(clip) + regularizer[1] * float(np.linalg.norm(theta))
    assert moved <= float(first.sensitivity("replace_one")) + 16 * (len(y) + len(theta)) * EPS * scale


@given(problems(), clips, regularizers, st.data())
def test_removing_a_record_moves_the_gradient_by_at_most_half_of_that(problem, clip, regularizer, data):
    X, y, theta = problem
    if len(y) == 1:
        return
    index = data.draw(st.integers(0, len(y) - 1))
    fewer = np.delete(X, index, axis=0), np.delete(y, index), theta
    n = data.draw(st.integers(1, 10))
    first, second = (built(p, clip, regularizer, divisor=n) for p in (problem, fewer))
    moved = np.linalg.norm(first(theta) - second(theta))
    scale = float(clip) * len(y) + regularizer[1] * float(np.linalg.norm(theta))
    assert moved <= float(first.sensitivity("add_or_remove")) + 16 * (len(y) + len(theta)) * EPS * scale
    assert 2 * first.sensitivity("add_or_remove") == first.sensitivity("replace_one")


@given(clips, st.integers(0, 5))
def test_the_sensitivity_is_attained_by_opposite_records(clip, power):
    n = 2**power
    X, y = np.zeros((n, 1)), np.zeros(n)
    X[0], y[0] = 1.0, 1e6
    up, down = (ClippedGradient.of(X, sign * y, clip)(np.zeros(1))[0] for sign in (-1, 1))
    bound = clipped_mean_sensitivity(clip, n, Adjacency.REPLACE_ONE)
    assert Fraction(1 - 32 * EPS) * bound <= Fraction(up) - Fraction(down) <= bound


@given(problems(), clips)
def test_without_clipping_it_is_the_gradient(problem, clip):
    X, y, theta = problem
    loose = ClippedGradient.of(X, y, clip * 10**20)
    coefficients, shares = loose.weights(theta)
    assert np.array_equal(coefficients, loose.features @ theta - y)
    assert shares is None


@given(problems(), clips, st.integers(-10, 10))
def test_the_unit_of_the_gradient_does_not_matter(problem, clip, power):
    X, y, theta = problem
    c = 2.0**power
    scaled = ClippedGradient.of(X, c * y, clip * Fraction(c))(c * theta)
    assert np.array_equal(scaled, c * ClippedGradient.of(X, y, clip)(theta))


@given(problems(), clips, st.data())
def test_rotations_rotate_the_gradient(problem, clip, data):
    X, y, theta = problem
    d = len(theta)
    turn = np.eye(d)[:, data.draw(st.permutations(range(d)))]
    turn = turn * data.draw(hnp.arrays(np.float64, d, elements=st.sampled_from([-1.0, 1.0])))
    found, plain = ClippedGradient.of(X @ turn, y, clip)(theta @ turn), ClippedGradient.of(X, y, clip)(theta) @ turn
    scale = float(clip) + (np.abs(X) @ np.abs(theta) + np.abs(y)) @ np.abs(X).sum(axis=1)
    assert np.linalg.norm(found - plain) <= 16 * (d + len(y)) * EPS * scale
