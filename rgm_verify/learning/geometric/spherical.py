"""Spherical coordinates of a vector of any length, both ways, in a time that is proportional to the length.

With the tail norms `r_z = |(g_z, ..., g_d)|` one angle is one step: `r_z cos(theta_z) = g_z` and
`r_z sin(theta_z) = r_{z+1}`. The last angle is the polar angle of the last two coordinates. This is the step that
`geodp:direction` and `geodp:back-to-rectangular` prove. Source: GeoDP paper, equations (5) to (8).

Sums and products of d numbers are taken in blocks: a running sum of d terms would lose d units in the last place, and
a running sum within and over blocks loses about the square root of that. The way back multiplies sines near 1; it adds
the logarithms of `1 - v` instead, where `v = 1 - sin` is known to full relative precision.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rgm_verify.errors import InputError, depends_on_data, reject
from rgm_verify.mechanisms.values import checked_values

FloatArray = NDArray[np.float64]
Degenerate = Literal["refuse", "zero"]

_TINY_TAIL = 2.0**-900  # below it squares of what is left have lost digits; the largest square is between 1/4 and 1
_SHIFT = 500
_HALF_PI_REST = 6.123233995736766e-17  # pi/2 minus its float


@dataclass(frozen=True, eq=False)
class Spherical:
    """A magnitude and the angles of a direction: `angles` (d - 1,) in radians.

    Of a vector the magnitude is positive, the angles before the last one are in `[0, pi]` and the last one is in
    `[-pi, pi]`. After noise all of these may be any numbers; `from_spherical(..., noisy=True)` takes them.
    """

    magnitude: float
    angles: FloatArray

    @property
    def dimension(self) -> int:
        """Number of coordinates of the vector."""
        return self.angles.size + 1


def to_spherical(vector: ArrayLike, *, degenerate: Degenerate = "refuse") -> Spherical:
    """Return magnitude and angles of `vector` (d,), d >= 2, in floating point.

    Every tail norm has a relative error of a few units in the last place, from 1e-200 to 1e200 and beyond, also where
    the coordinates differ by such factors.

    Args:
        vector: a gradient; not 0.
        degenerate: what to do if the last two coordinates are both 0, so that an angle is not defined
            (`beyond:gradients-with-all-angles`): `refuse`, or `zero` for the angle 0, from which the way back is right.

    Raises:
        InputError: for NaN and infinities, fewer than two coordinates, more than one axis, the vector 0, a magnitude
            above the largest float, and an angle that is not defined.
    """
    values = checked_values(vector, name="vector")
    if values.ndim != 1 or values.size < 2:
        raise reject("vector", f"array of shape {values.shape}", "expected one vector of at least two coordinates")
    if degenerate not in get_args(Degenerate):
        raise reject("degenerate", degenerate, f"allowed are {', '.join(get_args(Degenerate))}")
    if not values.any():
        raise InputError("vector: it is 0, which has no direction; leave the step out, or release the magnitude alone")
    if degenerate == "refuse" and values[-1] == 0 == values[-2]:
        raise InputError(
            "vector: its last two coordinates are 0, so its last angle is not defined; give degenerate='zero' to take 0"
        )
    values = values + 0.0  # a negative zero would turn an angle by pi
    tails, exponents = _tails(values)
    try:
        magnitude = math.ldexp(float(tails[0]), int(exponents[0]))
    except OverflowError:
        raise depends_on_data("vector: its norm is above the largest float64; change the unit") from None
    # Relative to the scale of its part a coordinate is at most 1, and a tail may be any smaller number. The shift keeps
    # both above the subnormal numbers, so that a small angle keeps its digits.
    first = np.ldexp(values[:-1], _SHIFT - exponents[:-1])
    angles = np.arctan2(np.ldexp(tails[1:], exponents[1:] - exponents[:-1] + _SHIFT), first)
    angles[-1] = math.atan2(values[-1], values[-2])
    return Spherical(magnitude, angles)


def from_spherical(magnitude: float, angles: ArrayLike, *, noisy: bool = False) -> FloatArray:
    """Return the vector (d,) of a magnitude and angles (d - 1,), in floating point.

    The error of a coordinate is a few units in the last place of the magnitude, if the angles are exact; the rounding
    of an angle itself moves its coordinate by up to 2.2e-16 of the tail norm. The way there and back changes a
    vector by some units in the last place of its norm.

    Args:
        magnitude: the norm, >= 0 unless `noisy`.
        angles: radians; `[0, pi]`, the last one `[-pi, pi]`, unless `noisy`.
        noisy: take any finite numbers, as noise makes them: a negative magnitude turns the vector around, and angles
            count modulo whole turns.

    Raises:
        InputError: for NaN and infinities, no angle, and a magnitude or an angle out of its range.
    """
    radius = float(checked_values(magnitude, name="magnitude"))
    theta = checked_values(angles, name="angles")
    if theta.ndim != 1:
        raise reject("angles", f"array of shape {theta.shape}", "expected one vector of at least one angle")
    if not noisy:
        _require_ranges(radius, theta)
    cosines, ones_minus_sines = _cosine_and_defect(theta[:-1])
    front = _running_products(ones_minus_sines)
    vector = np.empty(theta.size + 1)
    vector[:-2] = front[:-1] * cosines
    vector[-2] = front[-1] * math.cos(theta[-1])
    vector[-1] = front[-1] * math.sin(theta[-1])
    return radius * vector


def _require_ranges(radius: float, theta: FloatArray) -> None:
    if radius < 0:
        raise depends_on_data("magnitude: must be >= 0; noisy=True takes negative ones")
    wrong = (theta < 0) | (theta > np.pi)
    wrong[-1] = abs(theta[-1]) > np.pi
    if wrong.any():
        place = int(np.flatnonzero(wrong)[0])
        allowed = "[-pi, pi]" if place == theta.size - 1 else "[0, pi]"
        raise depends_on_data(f"angles[{place}]: must be in {allowed}; noisy=True takes any angle")


def _tails(values: FloatArray) -> tuple[FloatArray, NDArray[np.int32]]:
    """Return the tail norms `r_z` as `tails * 2**exponents`, each correct to a few units in the last place.

    Squares of coordinates are summed up relative to the largest one of the part. Where a tail is so small against it
    that its squares would lose digits, the rest is a part of its own, with its own scale.
    """
    tails = np.zeros(values.size)
    exponents = np.zeros(values.size, dtype=np.int32)
    start = 0
    while start < values.size and values[start:].any():
        part = values[start:]
        exponent = math.frexp(float(np.abs(part).max()))[1]
        squares = np.square(np.ldexp(part, -exponent))
        sums = _running_sums(squares[::-1])[::-1]
        end = int(np.count_nonzero(sums >= _TINY_TAIL))
        tails[start : start + end] = np.sqrt(sums[:end])
        exponents[start : start + end] = exponent
        start += end
    return tails, exponents


def _blocks(count: int) -> int:
    return max(1, math.isqrt(count))


def _running_sums(terms: FloatArray) -> FloatArray:
    """Return all partial sums, within blocks and over the sums of blocks: an error of about 2 sqrt(n) roundings."""
    size = _blocks(terms.size)
    padded = np.zeros(-(-terms.size // size) * size)
    padded[: terms.size] = terms
    inside = np.cumsum(padded.reshape(-1, size), axis=1)
    inside[1:] += np.cumsum(inside[:-1, -1])[:, np.newaxis]
    return inside.reshape(-1)[: terms.size]


def _cosine_and_defect(theta: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return `cos(theta)` and `1 - sin(theta)`, the second one to full relative precision near right angles.

    With `t = tan(phi / 2)` and `phi = pi/2 - theta`: the cosine is `2 t / (1 + t^2)`, the defect `2 t^2 / (1 + t^2)`.
    The subtraction is exact near right angles, where the rest of pi/2 counts.
    """
    tangent = np.tan(0.5 * ((np.pi / 2 - theta) + _HALF_PI_REST))
    squares = np.square(tangent)
    share = 2 * tangent / (1 + squares)
    return share, share * tangent


def _running_products(defects: FloatArray) -> FloatArray:
    """Return 1 and all partial products of `1 - defects`; a sine may be 0 or, after noise, negative.

    The logarithms of the absolute values are summed up, where these are not 0: the product of many sines near 1 would
    round each of them.
    """
    products = np.ones(defects.size + 1)
    with np.errstate(divide="ignore"):
        logarithms = np.log1p(-defects, where=defects < 1, out=np.zeros_like(defects))
        np.log(defects - 1, where=defects >= 1, out=logarithms)
        zeros = np.isneginf(logarithms)
    first_zero = int(np.argmax(zeros)) if zeros.any() else defects.size
    negative = np.logical_xor.accumulate(defects[:first_zero] > 1) if first_zero else np.zeros(0, dtype=bool)
    products[1 : first_zero + 1] = np.where(negative, -1.0, 1.0) * np.exp(_running_sums(logarithms[:first_zero]))
    products[first_zero + 1 :] = 0
    return products
