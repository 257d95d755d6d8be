"""Section 5.3 on datasets in the plane, in rational arithmetic: what the claims put as scalars, from the points up."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

Point = tuple[Fraction, Fraction]
Matrix = tuple[Fraction, Fraction, Fraction]  # entries 11, 12, 22


def point(x: int | Fraction, y: int | Fraction) -> Point:
    return Fraction(x), Fraction(y)


def moment(points: Sequence[Point]) -> Matrix:
    """The mean of the matrices X X^T."""
    n = len(points)
    return sum(x * x for x, _ in points) / n, sum(x * y for x, y in points) / n, sum(y * y for _, y in points) / n


def shifted(a: Matrix, level: Fraction, c: Point) -> Matrix:
    """A - level C for a diagonal C."""
    return a[0] - level * c[0], a[1], a[2] - level * c[1]


def semidefinite(m: Matrix) -> bool:
    return m[0] >= 0 and m[2] >= 0 and m[0] * m[2] >= m[1] ** 2


def definite(m: Matrix) -> bool:
    return m[0] > 0 and m[0] * m[2] > m[1] ** 2


def solve(m: Matrix, x: Point) -> Point:
    det = m[0] * m[2] - m[1] ** 2
    return (m[2] * x[0] - m[1] * x[1]) / det, (m[0] * x[1] - m[1] * x[0]) / det


def norm2(x: Point) -> Fraction:
    return x[0] ** 2 + x[1] ** 2


def printed_statistic(points: Sequence[Point], level: Fraction, c: Point) -> int:
    """The least number of points whose X^T (A - level C)^{-1} X add up to n; n + 1 if all do not."""
    m, total = shifted(moment(points), level, c), Fraction(0)
    leverages = sorted((x[0] * u[0] + x[1] * u[1] for x in points for u in [solve(m, x)]), reverse=True)
    for count, leverage in enumerate(leverages, start=1):
        total += leverage
        if total >= len(points):
            return count
    return len(points) + 1


def distance(points: Sequence[Point], level: Fraction, c: Point) -> int:
    """The least number of points to replace by zeros until A' >= level C fails; n + 1 if it never does."""
    zero, n = point(0, 0), len(points)
    for count in range(n + 1):
        for gone in combinations(range(n), count):
            changed = [zero if i in gone else x for i, x in enumerate(points)]
            if not semidefinite(shifted(moment(changed), level, c)):
                return count
    return n + 1


coordinates = st.integers(-4, 4)
points_in_plane = st.builds(point, coordinates, coordinates)
datasets = st.lists(points_in_plane, min_size=3, max_size=6)
weights = st.integers(1, 9).map(Fraction)
diagonals = st.tuples(weights, weights)
levels = st.builds(Fraction, st.integers(1, 12), st.integers(1, 12))


@given(datasets, diagonals, levels, points_in_plane)
def test_the_order_of_squares_holds_with_the_condition_number(points, c, level, x):
    a = moment(points)
    assume(definite(a) and semidefinite(shifted(a, level, c)))
    kantorovich = (c[0] + c[1]) ** 2 / (4 * c[0] * c[1])
    assert level**2 * norm2(solve(a, x)) <= kantorovich * norm2((x[0] / c[0], x[1] / c[1]))


def test_proposition_1_fails_for_the_gradients_of_two_datasets():
    """The witness of rgm-v2:proposition-1, from the points: a hundred copies of four records, all values 0."""
    shared, c, level = (
        [point(10, -1), point(10, 0), point(0, 1)] * 100 + [point(0, 0)] * 99,
        point(100, 1),
        Fraction(1, 4),
    )
    data, neighbour = [point(0, 0), *shared], [point(40, 0), *shared]
    assert all(norm2(x) * norm2((x[0] / c[0], x[1] / c[1])) <= 4**4 for x in (*data, *neighbour))
    assert all(semidefinite(shifted(moment(d), level, c)) for d in (data, neighbour))

    def gradient(points: Sequence[Point], theta: Point) -> Point:
        along = [x[0] * theta[0] + x[1] * theta[1] for x in points]
        return tuple(sum(x[i] * t for x, t in zip(points, along, strict=True)) / len(points) for i in (0, 1))  # type: ignore[return-value]

    first, second = (gradient(d, point(1, 20)) for d in (data, neighbour))
    eta2 = 6 * Fraction(4) ** 4 / (level**2 * 400**2)
    assert eta2 < Fraction(2, 5) ** 2
    assert norm2((first[0] - second[0], first[1] - second[1])) > eta2 * norm2(first)
    assert norm2((first[0] - second[0], first[1] - second[1])) <= eta2 * Fraction(101**2, 400) * norm2(first)


@pytest.mark.parametrize("size", [2, 3, 5, 14, 30])
def test_one_point_takes_the_printed_statistic_from_any_value_to_two(size):
    """The datasets of beyond:ptr-statistic-jumps, for which the true distance moves by at most 1."""
    copies, one = 2 * size, point(1, 1)
    shared = [point(1, 0), point(0, 1)] * copies
    level = Fraction(copies - size, 2 * copies + 1)
    assert printed_statistic([point(0, 0), *shared], level, one) == size
    assert printed_statistic([point(size, 0), *shared], level, one) == 2


@given(datasets, diagonals, levels)
def test_the_printed_statistic_is_at_most_the_distance_where_it_is_defined(points, c, level):
    assume(definite(shifted(moment(points), level, c)))
    assert printed_statistic(points, level, c) <= distance(points, level, c)


@given(datasets, diagonals, levels, st.integers(-40, 40), points_in_plane)
def test_the_smallest_eigenvalue_moves_by_at_most_one_point(points, c, level, tenths, new):
    """n lambda_min/R_c^2 >= t says A >= (rho + t R_c^2/n) C; then a neighbour has it with t - 1."""
    radius2 = max(x * x / c[0] + y * y / c[1] for x, y in (*points, new))
    assume(radius2 > 0)
    t, share = Fraction(tenths, 10), radius2 / len(points)
    assume(semidefinite(shifted(moment(points), level + t * share, c)))
    for i in range(len(points)):
        neighbour = [*points[:i], new, *points[i + 1 :]]
        assert semidefinite(shifted(moment(neighbour), level + (t - 1) * share, c))


@given(datasets, diagonals, levels)
def test_the_smallest_eigenvalue_is_at_most_the_distance(points, c, level):
    radius2 = max(x * x / c[0] + y * y / c[1] for x, y in points)
    assume(radius2 > 0 and semidefinite(shifted(moment(points), level, c)))
    found = distance(points, level, c)
    above = Fraction(1, 10**6)
    assert not semidefinite(shifted(moment(points), level + (found + above) * radius2 / len(points), c))
