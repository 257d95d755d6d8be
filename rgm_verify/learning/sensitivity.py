"""The relative sensitivity of ridge gradients on clipped features, with the condition number that it needs."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Literal, get_args

from rgm_verify.errors import reject
from rgm_verify.numbers.exact import ExactInput, positive, positive_integer

Map = Literal["both norms", "ellipsoid"]

_LARGEST_REACH = Fraction(10**6)


def clipped_eta_squared(
    radius: ExactInput, rho: ExactInput, records: ExactInput, condition_number: ExactInput, clipped_by: Map
) -> Fraction:
    """Return `eta^2` of ridge gradients with features clipped by `C` to `radius`; exact, an upper bound.

    `6 K radius^4 / (rho n)^2` with `K = (1 + kappa)^2 / (4 kappa)` for features clipped by `both norms` and
    `K = kappa` for the `ellipsoid`; `condition_number` is a bound on kappa, that of `C`: give it rounded up. The
    absolute part that goes with it is `R_rel^2 = 3 |x (x.t - y) - x' (x'.t - y')|^2 / n^2`, the larger of its values at
    the two minimisers `t`.
    One record is replaced. It needs `X^T X / n + mu I >= rho C` at both neighbours: for the data at hand alone it says
    nothing (claim `rgm-v2:one-dataset-is-not-enough`).
    Raises `InputError` for numbers that are not positive, `condition_number < 1` and another map.
    Source: claims `beyond:proposition-1`, `beyond:clipped-point`, `beyond:ellipsoid-clipped-point`.
    """
    bound = positive(radius, name="radius", meaning="the clipping radius")
    level = positive(rho, name="rho", meaning="the proposed level rho")
    n = positive_integer(records, name="records", meaning="the number of records")
    kappa = positive(condition_number, name="condition_number", meaning="a condition number")
    if kappa < 1:
        raise reject("condition_number", condition_number, "a condition number must be >= 1")
    if clipped_by not in get_args(Map):
        raise reject("clipped_by", clipped_by, f"allowed are {', '.join(get_args(Map))}")
    factor = (1 + kappa) ** 2 / (4 * kappa) if clipped_by == "both norms" else kappa
    return 6 * factor * bound**4 / (level * n) ** 2


def root_above(square: Fraction) -> Fraction:
    """Return a rational number >= the square root of `square >= 0`, larger by less than 2^-62 of it.

    The root itself where it is rational. By the integer square root of Python, which is exact.
    """
    top, bottom = math.isqrt(square.numerator), math.isqrt(square.denominator)
    if top**2 == square.numerator and bottom**2 == square.denominator:
        return Fraction(top, bottom)
    shift = max(0, 64 - (square.numerator.bit_length() - square.denominator.bit_length()) // 2)
    return Fraction(math.isqrt((square.numerator << 2 * shift) // square.denominator) + 1, 1 << shift)


def largest_difference(reach: Fraction) -> Fraction:
    """Return a bound on `|u (u.t - y) - u' (u'.t - y')|` for `|u|, |u'|, |y|, |y'| <= 1` and `|t| <= reach`.

    The largest value is `2 sin(phi) (k cos(phi) + 1)`, `k = reach`, at the best angle: two records that mirror each
    other in `t`. It is at most `l + l / (l^2 - k^2)` for every `l > k`, and equal for one, so that a float found for
    `l` gives an upper bound in exact arithmetic; above it by less than 1e-12 of it up to `k = 10^6`. At most `k + 2`,
    what the triangle inequality gives.
    Source: claims `beyond:mirrored-records`, `beyond:mirrored-records-certificate`,
    `beyond:mirrored-records-below-triangle`.
    """
    slope = _slope(float(min(reach, _LARGEST_REACH)))
    if reach > _LARGEST_REACH or slope <= reach:
        return reach + 2
    return min(slope + slope / (slope**2 - reach**2), reach + 2)


def _slope(k: float) -> Fraction:
    """Return about `(k cos + 1) / sin` at the best angle, where `2 k cos^2 + cos = k`: any number > k is sound."""
    cosine = 2 * k / (1 + math.sqrt(1 + 8 * k * k))
    return Fraction((k * cosine + 1) / math.sqrt((1 - cosine) * (1 + cosine)))
