"""Laws of spherical coordinates: there and back, units, ranges, and the step that the claims prove."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.errors import InputError
from rgm_verify.learning.geometric import from_spherical, to_spherical

#: The round trip that is promised, in units in the last place of the norm.
UNITS = 64
SIZES = st.floats(1e-200, 1e200) | st.floats(-1e200, -1e-200) | st.just(0.0)
VECTORS = st.lists(SIZES, min_size=2, max_size=40).filter(lambda v: v[-1] != 0 or v[-2] != 0).map(np.array)


def norm_of(vector: np.ndarray) -> Fraction:
    """Return an enclosure's midpoint of the norm: exact squares, and a root of 300 bits."""
    square = sum(Fraction(float(x)) ** 2 for x in vector)
    shift = 600 + 2 * max(0, square.denominator.bit_length() - square.numerator.bit_length())
    return Fraction(math.isqrt(square.numerator * 2**shift // square.denominator), 2 ** (shift // 2))


@given(VECTORS)
def test_there_and_back_is_the_vector_up_to_units_of_its_norm(vector):
    found = to_spherical(vector)
    back = from_spherical(found.magnitude, found.angles)
    unit = Fraction(float(np.spacing(found.magnitude)))
    assert all(abs(Fraction(float(a)) - Fraction(float(b))) <= UNITS * unit for a, b in zip(vector, back, strict=True))


@pytest.mark.parametrize(
    "vector",
    [
        np.random.default_rng(1).standard_normal(21_840),
        np.full(21_840, 1e-200),
        np.full(21_840, 1e200),
        np.sort(10 ** np.random.default_rng(2).uniform(-200, 200, 21_840)),
        np.sort(10 ** np.random.default_rng(3).uniform(-200, 200, 21_840))[::-1],
        np.exp(-np.arange(21_840) / 50),
        np.random.default_rng(4).standard_cauchy(21_840),
    ],
    ids=["normal", "tiny", "huge", "rising", "falling", "geometric", "heavy tails"],
)
def test_there_and_back_for_a_network(vector):
    found = to_spherical(vector)
    assert np.abs(from_spherical(found.magnitude, found.angles) - vector).max() <= UNITS * np.spacing(found.magnitude)


@given(VECTORS)
def test_the_magnitude_is_the_norm(vector):
    found = to_spherical(vector).magnitude
    assert abs(Fraction(found) - norm_of(vector)) <= 4 * Fraction(float(np.spacing(found)))


@given(VECTORS)
def test_angles_are_in_their_ranges(vector):
    angles = to_spherical(vector).angles
    assert ((angles[:-1] >= 0) & (angles[:-1] <= math.pi)).all()
    assert abs(angles[-1]) <= math.pi


@given(VECTORS, st.integers(-100, 100))
def test_a_change_of_units_changes_the_magnitude_alone(vector, power):
    scaled = np.ldexp(vector, power)
    before, after = to_spherical(vector), to_spherical(scaled)
    assert after.magnitude == math.ldexp(before.magnitude, power)
    np.testing.assert_array_equal(after.angles, before.angles)


@given(VECTORS)
def test_each_angle_is_that_of_its_coordinate_and_its_tail(vector):
    angles = to_spherical(vector).angles
    with mpmath.workprec(2000):
        for z, angle in enumerate(angles[:-1]):
            tail = mpmath.sqrt(mpmath.fsum(mpmath.mpf(float(x)) ** 2 for x in vector[z + 1 :]))
            exact = mpmath.atan2(tail, mpmath.mpf(float(vector[z])))
            assert abs(exact - mpmath.mpf(float(angle))) <= 8 * mpmath.mpf(float(np.spacing(angle or 5e-324)))


@given(VECTORS)
def test_a_negative_magnitude_is_the_opposite_vector(vector):
    found = to_spherical(vector)
    np.testing.assert_array_equal(
        from_spherical(-found.magnitude, found.angles, noisy=True), -from_spherical(found.magnitude, found.angles)
    )


def test_the_checkpoint_of_the_specification():
    found = to_spherical([1, 2, 2, -4])
    assert found.magnitude == 5
    with mpmath.workprec(100):
        exact = [mpmath.acos(mpmath.mpf(1) / 5), mpmath.acos(2 / mpmath.sqrt(24)), mpmath.atan2(-4, 2)]
        assert [float(angle) for angle in exact] == [1.369438406004566, 1.1502619915109316, -1.1071487177940904]
        spacings = [mpmath.mpf(float(np.spacing(abs(angle)))) for angle in found.angles]
        distances = [abs(a - mpmath.mpf(float(b))) for a, b in zip(exact, found.angles, strict=True)]
        assert all(distance <= spacing for distance, spacing in zip(distances, spacings, strict=True))


@pytest.mark.parametrize(
    ("vector", "part"),
    [
        ([0.0, 0.0], "it is 0, which has no direction"),
        ([1.0], "at least two coordinates"),
        ([[1.0, 2.0]], "at least two coordinates"),
        ([1.0, math.nan], "must be a finite float64"),
        ([1.0, math.inf], "must be a finite float64"),
        ([1.0, 0.0, 0.0], "degenerate='zero'"),
        ([1.7e308] * 4, "above the largest float64"),
        (["a", "b"], "expected real numbers"),
    ],
)
def test_what_has_no_direction_is_refused(vector, part):
    with pytest.raises(InputError, match=part):
        to_spherical(vector)


def test_an_angle_that_is_not_defined_may_be_taken_as_zero():
    found = to_spherical([3.0, 4.0, 0.0, 0.0], degenerate="zero")
    np.testing.assert_allclose(from_spherical(found.magnitude, found.angles), [3, 4, 0, 0], rtol=0, atol=2**-50)


@pytest.mark.parametrize(
    ("magnitude", "angles", "part"),
    [
        (-1.0, [0.5], "magnitude: must be >= 0"),
        (1.0, [-0.1, 0.5], r"angles\[0\]: must be in \[0, pi\]"),
        (1.0, [0.1, 3.5], r"angles\[1\]: must be in \[-pi, pi\]"),
        (1.0, [math.nan], "must be a finite float64"),
        (1.0, [], "expected at least one number"),
        (math.inf, [0.1], "must be a finite float64"),
    ],
)
def test_coordinates_out_of_range_are_refused(magnitude, angles, part):
    with pytest.raises(InputError, match=part):
        from_spherical(magnitude, angles)


@given(VECTORS, st.integers(-3, 3))
def test_whole_turns_change_nothing(vector, turns):
    found = to_spherical(vector)
    moved = found.angles + 2 * math.pi * turns
    back = from_spherical(found.magnitude, moved, noisy=True)
    rounding = (abs(turns) + 1) * 7 * vector.size * np.spacing(found.magnitude)
    assert np.abs(back - from_spherical(found.magnitude, found.angles)).max() <= rounding
