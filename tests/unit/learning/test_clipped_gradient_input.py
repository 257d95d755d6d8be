"""Input that per-example clipping refuses."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from rgm_verify.errors import InputError
from rgm_verify.learning.clipping.gradient import ClippedGradient, clipped_mean_sensitivity

X, Y = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, 2.0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"clip": 0}, "clip=0: the clipping threshold must be > 0"),
        ({"clip": -1}, "clip=-1"),
        ({"clip": 0.1}, "clip=0.1: a float is not the decimal that was typed"),
        ({"clip": "1e151"}, "clip='1e151': must be <= 1e150"),
        ({"clip": "1e-400"}, "clip: must be 0 or between"),
        ({"clip": 1, "regularization": -1}, "regularization=-1"),
        ({"clip": 1, "regularizer": "both"}, "allowed are outside, inside"),
        ({"clip": "1e-101", "regularizer": "inside"}, "clip=1e-101: must be between 1e-100 and 1e100 inside"),
        ({"clip": "1e101", "regularizer": "inside"}, "clip=1e\\+101: must be between"),
        ({"clip": 1, "regularization": 1e-101, "regularizer": "inside"}, "regularization=1e-101: must be between"),
        ({"clip": 1, "divisor": 0}, "divisor=0"),
        ({"clip": 1, "divisor": "3/2"}, "divisor='3/2'"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        ClippedGradient.of(X, Y, **options)


def test_the_size_of_the_data_is_no_public_divisor():
    gradient = ClippedGradient.of(X, Y, 1)
    assert gradient.sensitivity("replace_one") == 1
    with pytest.raises(InputError, match="a public constant must be given"):
        gradient.sensitivity("add_or_remove")
    with pytest.raises(InputError, match="adjacency="):
        clipped_mean_sensitivity(1, 2, "remove")


def test_points_that_overflow_are_refused_for_themselves_alone():
    gradient = ClippedGradient.of(1e10 * X, Y, 1, regularization="1e50")
    assert gradient([1e200, 1e200]) == pytest.approx([1e250, 1e250], rel=1e-15)
    for data in (X, np.zeros((2, 2))):
        with pytest.raises(InputError, match=r"^theta=\[1.e\+300 1.e\+300\]: .* overflows a float64$"):
            ClippedGradient.of(data, Y, 1, regularization="1e50")([1e300, 1e300])
    with pytest.raises(InputError, match="theta="):
        gradient([1.0])


def test_a_record_of_zeros_adds_nothing():
    assert ClippedGradient.of([[0.0]], [5.0], 1)([3.0]).tolist() == [0.0]
    inside = ClippedGradient.of([[0.0]], [1e160], 1, regularization="1/2", regularizer="inside")
    assert inside([1.5]).tolist() == [0.75]  # whatever its label


@pytest.mark.parametrize(
    ("x", "theta", "y", "clip"),
    [
        (1e200, 1e-200, 0.0, "1"),
        (1.0, 1e151, 0.0, "1"),
        (1.0, -1e151, 0.0, "1"),
        (-1e200, 1e100, 0.0, "1"),
        (1e150, 1.0, 1e151, "1e-100"),  # two infinite parts of opposite signs
    ],
)
def test_parts_that_overflow_are_clipped_to_nothing(x, theta, y, clip):
    gradient = ClippedGradient.of([[x]], [y], clip, regularization=1, regularizer="inside")
    coefficients, shares = gradient.weights(np.array([theta]))
    assert (abs(coefficients[0]), shares[0]) == (0.0, 0.0)


def test_the_shares_of_the_regularization_are_over_the_public_divisor():
    gradient = ClippedGradient.of([[0.0], [0.0]], [1.0, 1.0], 1, regularization=1, regularizer="inside", divisor=8)
    assert gradient([0.5]).tolist() == [2 / 8 * 0.5]
    assert ClippedGradient.of([[1.0]], [0.0], 9, divisor=4)([2.0]).tolist() == [0.5]


def test_residuals_whose_squares_overflow_are_no_overflow():
    found = float(ClippedGradient.of([[1.0]], [0.0], 1)([1e200])[0])
    assert 1 - 32 * np.finfo(float).eps <= found <= 1


def test_a_limit_that_underflows_lets_nothing_through():
    clip = Fraction(7, 4) / 2**74
    coefficients, _ = ClippedGradient.of([[2.0**1000]], [-1.0], clip).weights(np.zeros(1))
    assert Fraction(coefficients[0]) * 2**1000 <= clip  # 7/4 of the smallest float rounds up to twice that
