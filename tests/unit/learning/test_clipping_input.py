"""Input that clipping refuses, and its edge cases."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rgm_verify.errors import InputError
from rgm_verify.learning.clipping.features import Shape, clip_by_both_norms, clip_to_ellipsoid

MAPS = pytest.mark.parametrize("clip", [clip_by_both_norms, clip_to_ellipsoid])


@MAPS
@pytest.mark.parametrize(
    ("C", "message"),
    [
        ([[1.0, 0.0], [0.0, 0.0]], "positive definite; its smallest eigenvalue is about 0"),
        ([[1.0, 2.0], [2.0, 1.0]], "positive definite; its smallest eigenvalue is about -1"),
        ([[1.0, 1.0], [0.0, 1.0]], "symmetric"),
        ([[1.0, 0.0]], "square"),
        ([1.0, 2.0], "square"),
        ([[1.0, math.nan], [math.nan, 1.0]], "C: every entry must be a finite float64"),
        ([[1.0, 0.0], [0.0, 1e-16]], "too near to a singular matrix"),
        ([[1e-120]], "between 1e-100 and 1e100"),
        ([[1.0]], "expected 1 features, as C has"),
    ],
)
def test_bad_matrices_are_refused(clip, C, message):
    with pytest.raises(InputError, match=message):
        clip([[1.0, 2.0]], C, 1)


@MAPS
@pytest.mark.parametrize("radius", [0, -1, math.nan, math.inf, 1e-200, "1e200"])
def test_bad_radii_are_refused(clip, radius):
    with pytest.raises(InputError, match="radius="):
        clip([[1.0, 2.0]], np.eye(2), radius)


@MAPS
def test_bad_features_are_refused(clip):
    for X in (np.zeros((0, 2)), [1.0, 2.0], [[1.0, 2.0, 3.0]], [["a", "b"]], [[1.0], [1.0, 2.0]], [[True, False]]):
        with pytest.raises(InputError, match=r"^X[=:]"):
            clip(X, np.eye(2), 1)


@MAPS
@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("place", [(0, 0), (4321, 2), (8999, 1)])
def test_one_entry_that_is_no_number_among_many_counts_as_the_number_that_is_said(clip, wrong, place):
    X, C = np.full((9000, 3), 1e-3), np.diag([1.0, 2.0, 3.0])
    expected = clip(X, C, 1)
    X[place] = wrong
    replaced = X[place[0]].copy()
    replaced[place[1]] = 0.0 if math.isnan(wrong) else math.copysign(np.finfo(np.float64).max, wrong)
    expected[place[0]] = clip([replaced], C, 1)[0]
    for form in (X, X.tolist()):
        assert np.array_equal(clip(form, C, 1), expected)


@MAPS
def test_integers_and_other_orders_of_the_entries_are_clipped_alike(clip):
    X = np.arange(24).reshape(8, 3) - 7
    found = clip(X.tolist(), np.eye(3), 5)
    for form in (X, X.astype(np.int8), X.astype(np.float32), np.asfortranarray(X), np.repeat(X, 2, axis=0)[::2]):
        assert np.array_equal(clip(form, np.eye(3), 5), found)


@MAPS
def test_with_the_identity_both_maps_clip_the_norm(clip):
    found = clip([[3.0, 4.0], [0.3, 0.4], [0.0, 0.0]], np.eye(2), 1)
    assert found[1:].tolist() == [[0.3, 0.4], [0.0, 0.0]]
    assert np.abs(found[0] - [0.6, 0.8]).max() <= 5 * Shape.of(np.eye(2)).slack


@MAPS
@pytest.mark.parametrize("size", [1e300, 1.7e308, 1e-300, 5e-324])
def test_extreme_records_stay_within_the_bound(clip, size):
    found = clip([[size, -size]], np.diag([1.0, 4.0]), 1)
    assert np.isfinite(found).all()
    assert np.linalg.norm(found) <= 2


@MAPS
@pytest.mark.parametrize("signs", [(1, 1), (1, -1), (-1, -1)])
def test_records_whose_length_overflows_become_zeros(clip, signs):
    assert np.array_equal(np.abs(clip([np.multiply(signs, 1.7e308)], [[2.0, 1.0], [1.0, 2.0]], 1)), [[0.0, 0.0]])


@MAPS
def test_the_input_is_left_alone(clip):
    X = np.array([[3.0, 4.0], [0.1, 0.1]])
    found = clip(X, np.eye(2), 1)
    assert X.tolist() == [[3.0, 4.0], [0.1, 0.1]]
    assert not np.shares_memory(X, found)


def test_a_shape_can_be_used_again():
    shape = Shape.of(np.diag([1.0, 9.0]))
    assert shape.condition_number == 9
    X = np.array([[3.0, 4.0], [5.0, 1.0]])
    assert np.array_equal(clip_to_ellipsoid(X, shape, 1), clip_to_ellipsoid(X, np.diag([1.0, 9.0]), 1))
