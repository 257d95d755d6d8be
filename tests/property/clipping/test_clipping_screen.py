"""Laws of the quick test of clipping: what it names is left alone by the elementwise operations, in any company."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.learning.clipping import features
from rgm_verify.learning.clipping.features import Shape, clip_by_both_norms, clip_to_ellipsoid
from rgm_verify.learning.clipping.screen import Screen

POWERS = {1: clip_to_ellipsoid, 2: clip_by_both_norms}
seeds = st.integers(0, 2**32 - 1)
powers = st.sampled_from([1, 2])
spreads = st.floats(0, 9)  # decades between the extreme eigenvalues
units = st.integers(-80, 80)


def shape_of(generator, d, decades):
    """A dense matrix with the given spread of eigenvalues."""
    turn = np.linalg.qr(generator.standard_normal((d, d)))[0]
    matrix = (turn * 10.0 ** np.linspace(0, decades, d)) @ turn.T
    return Shape.of((matrix + matrix.T) / 2)


def near_the_edge(generator, shape, n, power, radius):
    """Rows whose computed lengths are the radius, times 1 plus or minus something between 1e-17 and 1."""
    directions = generator.standard_normal((n, shape.dimension)) @ (shape.vectors * shape.values**0.5).T
    lengths = shape.lengths_above(directions, power)
    if power == 2:
        lengths = np.sqrt(np.linalg.norm(directions, axis=1) * lengths)
    away = generator.choice([-1.0, 1.0], n) * 10.0 ** generator.uniform(-17, 0, n)
    return directions * (radius * (1 + away) / lengths)[:, np.newaxis]


@st.composite
def problems(draw):
    generator, power = np.random.default_rng(draw(seeds)), draw(powers)
    shape = shape_of(generator, draw(st.integers(1, 9)), draw(spreads))
    radius = 10.0 ** draw(units)
    return shape, near_the_edge(generator, shape, draw(st.integers(1, 70)), power, radius), radius, power


def screen_of(shape, radius, power):
    return Screen.of(shape.values, shape.vectors, shape.slack, radius, power)


@given(problems())
def test_what_is_certainly_inside_is_left_alone_by_the_elementwise_operations(problem):
    shape, rows, radius, power = problem
    named = screen_of(shape, radius, power).certainly_inside(rows)
    assert np.array_equal(features._shortened(rows, shape, radius, power)[named], rows[named])


@given(problems(), st.data())
def test_a_record_is_clipped_alone_as_it_is_in_any_company(problem, data):
    shape, rows, radius, power = problem
    together = POWERS[power](rows, shape, radius)
    order = data.draw(st.permutations(range(len(rows))))
    assert np.array_equal(POWERS[power](rows[order], shape, radius), together[order])
    with mock.patch.object(features, "_BLOCK", 7):
        assert np.array_equal(POWERS[power](rows, shape, radius), together)
    for index in order[:5]:
        assert np.array_equal(POWERS[power](rows[[index]], shape, radius)[0], together[index])


@given(problems())
def test_what_is_well_inside_is_named(problem):
    shape, rows, radius, power = problem
    screen = screen_of(shape, radius, power)
    assert screen.certainly_inside(rows / 2.5).all()  # the rows are at most twice the radius
    assert screen.stretch <= 1.03 * (1 + 6 * shape.slack) ** 2
    assert not screen.certainly_inside(rows * 1e6).any() or (np.abs(rows) == 0).all()


@pytest.mark.parametrize(("decades", "kind"), [(1, np.float32), (12, np.float64)])
def test_half_the_bytes_are_used_where_they_are_enough(decades, kind):
    shape = shape_of(np.random.default_rng(5), 5, decades)
    assert screen_of(shape, 1.0, 1).turn.dtype == kind


@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("size", [1.7e308, 1e200, 1e39, 1e-39, 1e-200, 5e-324, 0.0])
def test_the_range_of_single_precision_makes_no_record_certain(power, size):
    shape = shape_of(np.random.default_rng(6), 3, 1)
    rows = np.full((2, 3), size)
    for radius in (1e-100, 1e-40, 1.0, 1e40, 1e100):
        named = screen_of(shape, radius, power).certainly_inside(rows)
        kept = np.array_equal(features._shortened(rows, shape, radius, power), rows)
        assert not named.any() or kept
        assert named.all() == (size < radius / 10)
