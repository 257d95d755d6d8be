"""Sums over the records in blocks and pairs: their rounding against exact sums, and what it leaves of a level test."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rgm_verify.errors import InputError
from rgm_verify.learning.clipping import propose_test_release
from rgm_verify.learning.clipping.features import Shape
from rgm_verify.learning.clipping.propose_test_release import ClippedFeatures, distance_statistic, level_test
from rgm_verify.learning.private_ridge.sensitivity import PublicRidge
from rgm_verify.learning.sums import BLOCK, UNIT, gram, relative_error, roundings, sum_of_products
from rgm_verify.mechanisms.sensitivity import Adjacency
from rgm_verify.numbers.bounds import round_up

counts = st.sampled_from([1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 3 * BLOCK + 7, 7 * BLOCK, 8 * BLOCK + 1])
spreads = st.sampled_from([0.0, 1.0, 8.0, 100.0])


def data_of(n, d, seed, spread):
    """Signed entries over `spread` orders of magnitude to either side of 1."""
    generator = np.random.default_rng(seed)
    return generator.choice([-1.0, 1.0], (n, d)) * 10 ** generator.uniform(-spread, spread, (n, d))


def exact_product(left, right):
    """The sums of products and of their sizes, as fractions."""
    pairs = [(Fraction(a), Fraction(b)) for a, b in zip(left.tolist(), right.tolist(), strict=True)]
    return sum((a * b for a, b in pairs), Fraction(0)), sum((abs(a * b) for a, b in pairs), Fraction(0))


@settings(max_examples=25)
@given(counts, st.integers(0, 10**6), spreads)
def test_a_sum_errs_by_no_more_than_its_roundings(n, seed, spread):
    X, y = data_of(n, 3, seed, spread), data_of(n, 1, seed + 1, spread)[:, 0]
    error = relative_error(roundings(n))
    moments, mixed = gram(X), sum_of_products(X, y)
    for i in range(3):
        total, size = exact_product(X[:, i], y)
        assert abs(Fraction(float(mixed[i])) - total) <= error * size
        for j in range(i + 1):
            total, size = exact_product(X[:, i], X[:, j])
            assert abs(Fraction(float(moments[i, j])) - total) <= error * size
            assert abs(Fraction(float(moments[j, i])) - total) <= error * size


def test_many_small_terms_after_a_large_one_are_not_lost():
    """Power: one sum after another loses all of them, and breaks the bound that the blocks keep."""
    n = 2**20
    X = np.full((n, 1), 2.0**-27)
    X[0] = 1.0
    exact = 1 + (n - 1) * Fraction(1, 2**54)
    one_by_one = Fraction(float(np.add.accumulate(np.square(X[:, 0]))[-1]))
    bound = relative_error(roundings(n)) * exact
    assert abs(Fraction(float(gram(X)[0, 0])) - exact) <= bound
    assert abs(one_by_one - exact) > 100 * bound


@given(st.integers(1, 10**4))
def test_every_record_goes_through_at_most_the_stated_roundings(blocks):
    """The tree itself, on blocks of one record each: how often each of them is an operand of a sum."""
    depth = [0] * blocks
    waiting = []
    for k in range(blocks):
        level, members = 0, [k]
        while waiting and waiting[-1][0] == level:
            members = members + waiting.pop()[1]
            for member in members:
                depth[member] += 1
            level += 1
        waiting.append((level, members))
    total = waiting.pop()[1]
    while waiting:
        total = total + waiting.pop()[1]
        for member in total:
            depth[member] += 1
    assert BLOCK + max(depth) <= roundings(blocks * BLOCK)
    assert roundings(blocks * BLOCK) <= BLOCK + 2 * (blocks.bit_length())


def test_the_blocks_are_added_in_that_tree():
    """Sums of powers of two that only fit in the order of the tree: blocks 0 and 1, then 2 and 3, then both."""
    X, y = np.zeros((4 * BLOCK, 1)), np.ones(4 * BLOCK)
    for block, value in enumerate([2.0**60, -(2.0**60), 2.0**-60, 2.0**-60]):
        X[block * BLOCK] = value
    assert sum_of_products(X, y)[0] == 2.0**-59
    X[[BLOCK, 2 * BLOCK]] = X[[2 * BLOCK, BLOCK]]  # the same numbers in an order in which the small ones are lost
    assert sum_of_products(X, y)[0] == 0.0


@given(st.integers(-400, 400), st.integers(0, 100))
def test_a_power_of_two_as_the_unit_changes_no_digit(exponent, seed):
    X = data_of(BLOCK + 3, 2, seed, 1.0)
    assert np.array_equal(gram(X, 2.0**exponent), gram(X) * 4.0**exponent)


def test_no_records_add_up_to_nothing():
    assert gram(np.zeros((0, 2))).tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert sum_of_products(np.zeros((0, 2)), np.zeros(0)).tolist() == [0.0, 0.0]


def test_the_relative_error_is_highams():
    assert relative_error(1) == UNIT / (1 - UNIT)
    assert relative_error(10**6) > 10**6 * UNIT


# ------------------------------------------------------------------------------------------------------- what it leaves


MATRICES = [
    [[1.0, 0.0], [0.0, 1.0]],
    [[3.0, 1.0], [1.0, 2.0]],
    [[1e4, 3.0], [3.0, 1.0]],
    [[1e-3, 0.0], [0.0, 10.0]],
]


def exact_statistic(features, C, rho, mu):
    """The statistic in the plane in 60 digits: n times the smaller root of `det(A - (rho + t) C)` over radius^2."""
    n = len(features.rows)
    a, b, c = (exact_product(features.rows[:, i], features.rows[:, j])[0] / n for i, j in ((0, 0), (0, 1), (1, 1)))
    a, c = a + mu, c + mu
    (p, q), (_, r) = ([Fraction(float(entry)) for entry in row] for row in C)
    determinant, mixed = p * r - q * q, a * r + c * p - 2 * b * q
    with mpmath.workdps(60):
        det, mix, con = (mpmath.mpf(v.numerator) / v.denominator for v in (determinant, mixed, a * c - b * b))
        t = (mix - mpmath.sqrt(mix**2 - 4 * det * con)) / (2 * det)
        rational = mpmath.mpf(rho.numerator) / rho.denominator
        return (t - rational) * n / mpmath.mpf(features.radius) ** 2


@settings(max_examples=25)
@given(
    st.sampled_from([1, 5, 600, 2000]),
    st.integers(0, 1000),
    st.sampled_from(
        [[[1.0, 0.0], [0.0, 1.0]], [[3.0, 1.0], [1.0, 2.0]], [[1e4, 3.0], [3.0, 1.0]], [[1e-3, 0.0], [0.0, 10.0]]]
    ),
    st.sampled_from([1e-90, 0.5, 30.0, 1e90]),
    st.sampled_from(["both norms", "ellipsoid"]),
)
def test_the_statistic_in_the_plane_is_within_its_error(n, seed, C, radius, clipped_by):
    features = ClippedFeatures.of(data_of(n, 2, seed, 1.0) * radius, C, radius, clipped_by)
    rho, mu = Fraction(radius) ** 2 / 8, Fraction(radius) ** 2 / 1024
    level = Fraction(float(rho))
    found, error = distance_statistic(features, level, regularization=mu)
    assert abs(mpmath.mpf(found) - exact_statistic(features, C, level, Fraction(float(mu)))) <= error


def test_a_million_records_in_fifty_dimensions_with_a_condition_number_of_a_thousand_are_accepted():
    generator, C = np.random.default_rng(3), np.diag(np.geomspace(1, 1000, 50))
    few, times, shape = generator.normal(size=(1000, 50)) * np.sqrt(np.diag(C)), 50, Shape.of(C)
    one, features = (ClippedFeatures.of(rows, shape, 10, "ellipsoid") for rows in (few, np.tile(few, (times, 1))))
    (once, small), (found, error) = (distance_statistic(each, "1/10") for each in (one, features))
    assert abs(found - times * once) <= error + times * small
    assert level_test(features, "1/10", epsilon=1, delta="1e-6", generator=generator).passed
    assert 20 * error <= propose_test_release._rounding(10**6, 50, shape, 1 / 1000) <= 1 / 20


def test_the_error_grows_with_the_records_and_not_with_their_square():
    shape = Shape.of(np.diag(np.geomspace(1, 100, 10)))
    errors = [
        distance_statistic(ClippedFeatures.of(np.ones((n, 10)), shape, 5), "1/10")[1] for n in (1000, 10_000, 100_000)
    ]
    assert errors[1] <= 10.5 * errors[0]
    assert errors[2] <= 10.5 * errors[1]


@pytest.mark.parametrize("kappa", [1e11, 1e12])
def test_what_cannot_be_known_well_enough_is_refused_before_the_data_are_looked_at(kappa):
    features = ClippedFeatures.of(np.zeros((1000, 2)), np.diag([1.0, kappa]), 1)
    with pytest.raises(InputError, match=r"^X, C: the statistic is known to"):
        distance_statistic(features, 1)


@pytest.mark.parametrize("kind", list(Adjacency))
def test_the_rounding_of_a_private_gradient_hardly_grows_with_the_records(kind):
    def public(n):
        return PublicRidge(Fraction(1), Fraction(1), Fraction(1, 100), n, 20, kind)

    small, large = (public(n).rounding / public(n).largest_gradient for n in (10**4, 10**9))
    assert small <= large <= Fraction(6, 5) * small
    moved = public(10**9).absolute().bound
    assert moved <= round_up(public(10**4).absolute().bound * Fraction(10**4, 10**9) * 2)
