"""Laws of clipping: its bounds in exact arithmetic, neighbours that stay neighbours, invariances."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rgm_verify.learning.clipping.features import Shape, clip_by_both_norms, clip_to_ellipsoid

MAPS = st.sampled_from([clip_by_both_norms, clip_to_ellipsoid])
entries = st.floats(-1e4, 1e4).map(lambda x: 0.0 if abs(x) < 1e-8 else x)
radii = st.floats(1e-3, 1e3)
integers = st.integers(-3, 3).map(float)


def matrix_of(factor):
    """A positive definite matrix of integers."""
    return factor @ factor.T + np.eye(len(factor))


@st.composite
def problems(draw):
    n, d = draw(st.integers(1, 5)), draw(st.integers(1, 3))
    X = draw(hnp.arrays(np.float64, (n, d), elements=entries))
    return X, matrix_of(draw(hnp.arrays(np.float64, (d, d), elements=integers))), draw(radii)


def solved(C, x):
    """C^-1 x in rational numbers, by elimination; a positive definite matrix needs no exchange of rows."""
    table = [[Fraction(c) for c in row] + [Fraction(b)] for row, b in zip(C, x, strict=True)]
    d = len(table)
    for i in range(d):
        table[i] = [value / table[i][i] for value in table[i]]
        for j in range(d):
            if j != i:
                table[j] = [a - table[j][i] * b for a, b in zip(table[j], table[i], strict=True)]
    return [row[d] for row in table]


def inner(x, y):
    return sum((Fraction(a) * Fraction(b) for a, b in zip(x, y, strict=True)), Fraction(0))


def fourth_power(clip, C, x):
    """The number that the map compares with the fourth power of the radius, exactly."""
    u = solved(C, x)
    return inner(x, x) * inner(u, u) if clip is clip_by_both_norms else inner(x, u) ** 2


@given(MAPS, problems())
def test_every_clipped_record_keeps_the_bound_exactly(clip, problem):
    X, C, radius = problem
    for x in clip(X, C, radius):
        assert fourth_power(clip, C, x) <= Fraction(radius) ** 4


@given(MAPS, problems())
def test_records_are_shortened_no_more_than_needed(clip, problem):
    X, C, radius = problem
    least = Fraction(1 - 5 * Shape.of(C).slack) ** 4
    for x, clipped in zip(X, clip(X, C, radius), strict=True):
        assert np.array_equal(x, clipped) or fourth_power(clip, C, clipped) >= least * Fraction(radius) ** 4


@given(MAPS, problems())
def test_records_well_inside_are_left_as_they_are(clip, problem):
    X, C, radius = problem
    margin = Fraction(1 - 3 * Shape.of(C).slack) ** 4
    for x, clipped in zip(X, clip(X, C, radius), strict=True):
        if fourth_power(clip, C, x) <= margin * Fraction(radius) ** 4:
            assert np.array_equal(x, clipped)


@given(MAPS, problems(), st.data())
def test_neighbours_stay_neighbours_to_the_last_bit(clip, problem, data):
    X, C, radius = problem
    index = data.draw(st.integers(0, len(X) - 1))
    replaced, removed = X.copy(), np.delete(X, index, axis=0)
    replaced[index] = data.draw(hnp.arrays(np.float64, X.shape[1], elements=entries))
    others = np.delete(clip(X, C, radius), index, axis=0)
    assert np.array_equal(np.delete(clip(replaced, C, radius), index, axis=0), others)
    if len(removed):
        assert np.array_equal(clip(removed, C, radius), others)


@given(MAPS, problems())
def test_clipping_again_changes_next_to_nothing(clip, problem):
    X, C, radius = problem
    once = clip(X, C, radius)
    twice = clip(once, C, radius)
    assert (np.abs(twice - once) <= 5 * Shape.of(C).slack * np.abs(once)).all()


@given(MAPS, problems(), st.integers(-10, 10))
def test_the_unit_of_the_data_does_not_matter(clip, problem, power):
    X, C, radius = problem
    c = 4.0**power  # so that a length that is the root of two lengths does not round in another way
    assert np.array_equal(clip(c * X, C, c * radius), c * clip(X, C, radius))


@given(MAPS, problems())
def test_a_matrix_four_times_as_large_is_a_radius_twice_as_large(clip, problem):
    X, C, radius = problem
    slack = Shape.of(C).slack
    larger, wider = clip(X, 4 * C, radius), clip(X, C, 2 * radius)
    assert (np.abs(larger - wider) <= 5 * slack * np.abs(wider)).all()


@given(MAPS, problems(), st.data())
def test_rotating_the_data_and_the_matrix_rotates_the_result(clip, problem, data):
    X, C, radius = problem
    d = len(C)
    order = data.draw(st.permutations(range(d)))
    signs = data.draw(hnp.arrays(np.float64, d, elements=st.sampled_from([-1.0, 1.0])))
    turn = np.eye(d)[:, order] * signs  # signed permutations: the rotations that do not round
    slack = Shape.of(C).slack + Shape.of(turn.T @ C @ turn).slack
    plain = clip(X, C, radius) @ turn
    assert (np.abs(clip(X @ turn, turn.T @ C @ turn, radius) - plain) <= 5 * slack * np.abs(plain)).all()


@given(problems())
def test_the_ellipsoid_shortens_no_record_more_than_both_norms_do(problem):
    X, C, radius = problem
    slack = Shape.of(C).slack
    both, one = np.abs(clip_by_both_norms(X, C, radius)), np.abs(clip_to_ellipsoid(X, C, radius))
    assert (both <= (1 + 5 * slack) * one).all()


@given(MAPS, problems())
def test_a_record_keeps_its_direction(clip, problem):
    X, C, radius = problem
    for x, clipped in zip(X, clip(X, C, radius), strict=True):
        largest = int(np.argmax(np.abs(x)))
        factor = clipped[largest] / x[largest] if x[largest] else 1.0
        assert 0 < factor <= 1
        assert (np.abs(clipped - factor * x) <= 4 * np.finfo(float).eps * np.abs(clipped)).all()
