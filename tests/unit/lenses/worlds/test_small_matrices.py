"""Linear algebra over Fractions, and the worlds that are made of it: laws, and agreement with NumPy's."""

from __future__ import annotations

from fractions import Fraction
from itertools import product as pairs

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from rgm_verify.lenses.worlds import linear
from rgm_verify.lenses.worlds.library import (
    SmoothConvex,
    descent,
    ordered_matrices,
    ordered_pair,
    record_gradient,
    ridge_datasets,
    ridge_pair,
    second_moment_after,
    smooth_convex,
)
from rgm_verify.lenses.worlds.linear import Matrix, combination, dot, gram, identity, minus, squared, times

numbers = st.fractions(min_value=-9, max_value=9, max_denominator=12)
dimensions = st.integers(1, 4)


@st.composite
def symmetric(draw: st.DrawFn) -> Matrix:
    d = draw(dimensions)
    entries = {(i, j): draw(numbers) for i, j in pairs(range(d), repeat=2) if i <= j}
    return tuple(tuple(entries[min(i, j), max(i, j)] for j in range(d)) for i in range(d))


def as_array(matrix: Matrix) -> np.ndarray:
    return np.array([[float(a) for a in row] for row in matrix])


@given(symmetric())
def test_the_inverse_is_exact(matrix: Matrix) -> None:
    try:
        back = linear.inverse(matrix)
    except ZeroDivisionError:
        assume(False)
    assert linear.product(matrix, back) == identity(len(matrix))


@given(symmetric())
def test_definiteness_agrees_with_eigenvalues_that_are_far_from_zero(matrix: Matrix) -> None:
    least = float(np.linalg.eigvalsh(as_array(matrix))[0])
    assume(abs(least) > 1e-9)
    assert linear.is_definite(matrix) is linear.is_semidefinite(matrix) is (least > 0)


@given(symmetric())
def test_a_gram_matrix_is_semidefinite_even_if_it_is_singular(matrix: Matrix) -> None:
    assert linear.is_semidefinite(gram(matrix))
    assert linear.is_semidefinite(gram(matrix[:1]))


def test_a_zero_pivot_with_entries_besides_is_indefinite() -> None:
    assert linear.pivots(((Fraction(0), Fraction(1)), (Fraction(1), Fraction(9)))) is None


@given(symmetric())
def test_eigenvalues_lie_between_their_bounds(matrix: Matrix) -> None:
    low, high = linear.largest_eigenvalue(matrix)
    shifted = combination((high, identity(len(matrix))), (-1, matrix))
    assert linear.is_semidefinite(shifted)
    assert not linear.is_definite(combination((low, identity(len(matrix))), (-1, matrix)))
    # As stated: 2^-24 of the size of the matrix, to the next power of two.
    size = max(sum(abs(a) for a in row) for row in matrix)
    assert high - low <= Fraction(2, 2**24) * max(size, Fraction(1, 2**60))


@given(symmetric(), symmetric())
def test_a_level_is_the_largest_one(matrix: Matrix, root: Matrix) -> None:
    assume(len(matrix) == len(root))
    unit = combination((1, gram(root)), (1, identity(len(root))))
    low, high = linear.largest_level(matrix, unit)
    assert linear.is_semidefinite(combination((1, matrix), (-low, unit)))
    assert not linear.is_semidefinite(combination((1, matrix), (-high, unit)))


@given(st.fractions(min_value=0, max_value=10**6))
def test_a_root_is_rounded_up(value: Fraction) -> None:
    found = linear.root_above(value)
    assert found**2 >= value
    assert value == 0 or (found / (1 + Fraction(1, 2**23))) ** 2 <= value


@given(symmetric())
def test_floats_go_the_same_way(matrix: Matrix) -> None:
    floats = tuple(tuple(float(a) for a in row) for row in matrix)
    low, high = linear.largest_eigenvalue(matrix)
    # Two eigenvalues of float matrices, each off by some d roundings of the norm.
    rounding = 16 * len(matrix) * np.finfo(float).eps * float(np.abs(as_array(matrix)).sum())
    assert float(low) - rounding <= linear.largest_eigenvalue(floats)[0] <= float(high) + rounding


@given(st.integers(0, 2**32))
def test_the_gradient_of_a_dataset_vanishes_at_its_minimiser_only(seed: int) -> None:
    world = ridge_pair(np.random.default_rng(seed))
    try:
        for data in ridge_datasets(world):
            at = data.minimiser()
            assert not any(data.gradient(at))
            gap = minus(data.gradient(world["theta"]), linear.apply(data.moments, minus(world["theta"], at)))
            assert not any(gap)
    except ZeroDivisionError:
        assume(False)


@given(st.integers(0, 2**32))
def test_neighbours_differ_by_one_record(seed: int) -> None:
    world = ridge_pair(np.random.default_rng(seed))
    first, second = ridge_datasets(world)
    assert first.records[1:] == second.records[1:]
    assert first.count == second.count
    theta = world["theta"]
    gap = times(first.count, minus(first.gradient(theta), second.gradient(theta)))
    one = record_gradient(first.records[0], first.labels[0], theta)
    other = record_gradient(second.records[0], second.labels[0], theta)
    assert gap == minus(one, other)


@given(st.integers(0, 2**32))
def test_ordered_matrices_are_in_order(seed: int) -> None:
    world = ordered_pair(np.random.default_rng(seed))
    a, c = ordered_matrices(world)
    assert linear.is_definite(c)
    assert linear.is_semidefinite(combination((1, a), (-world["rho"], c)))


def test_ordered_matrices_seldom_commute() -> None:
    found = [ordered_matrices(ordered_pair(np.random.default_rng(i))) for i in range(60)]
    assert sum(linear.product(a, c) != linear.product(c, a) for a, c in found) > 25


@given(st.integers(0, 2**32))
def test_functions_of_the_class_lie_between_their_parabolas(seed: int) -> None:
    world = descent(np.random.default_rng(seed))
    f = smooth_convex(world)
    x, y = world["theta"], world["other"]
    apart2 = squared(minus(x, y))
    assert f.strong * apart2 <= 2 * f.bregman(x, y) <= f.smoothness * apart2
    assert f.value(x) >= 0 == f.value(tuple(0 * a for a in x))


def test_the_gradient_is_the_derivative_of_the_value() -> None:
    one = Fraction(1)
    f = SmoothConvex(one / 3, (one * 2,), ((one, one * 2),), (one,), (one / 2,))
    for x in ((one, one), (-one, -one * 3), (one / 9, one / 9)):
        for i in range(2):
            step = tuple(Fraction(1, 10**9) * (i == j) for j in range(2))
            rise = f.value(linear.plus(x, step)) - f.value(minus(x, step))
            assert abs(rise / (2 * step[i]) - f.gradient(x)[i]) < Fraction(1, 10**8)


def test_the_covariance_after_a_step_is_that_of_an_enumerated_noise() -> None:
    """Noise of plus or minus a rational in each coordinate, all four outcomes."""
    hessian = ((Fraction(2), Fraction(1)), (Fraction(1), Fraction(3)))
    theta, step, gamma = (Fraction(1), Fraction(-1)), Fraction(1, 5), Fraction(1, 2)
    g = linear.apply(hessian, theta)
    height = Fraction(3)
    variance = height**2 - gamma * squared(g)
    outcomes = []
    for signs in pairs((1, -1), repeat=2):
        noisy = linear.plus(g, tuple(s * height for s in signs))
        after = minus(theta, times(step, noisy))
        outcomes.append(linear.outer(after, after))
    mean = combination(*((Fraction(1, 4), m) for m in outcomes))
    found, noise = second_moment_after(linear.outer(theta, theta), hessian, step, gamma, variance)
    assert noise == height**2
    assert found == mean
    assert linear.trace(found) == dot((Fraction(1), Fraction(1)), (mean[0][0], mean[1][1]))
