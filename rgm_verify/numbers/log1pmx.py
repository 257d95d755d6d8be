"""`log(1 + z) - z` for real `z`, and the same over `-z^2`, without cancellation.

The Renyi divergence of nearly equal Gaussians is made of this difference. Written out it loses all digits for `z -> 0`.
With `t = z / (2 + z)` it is `log(1 + z) - z = 2 atanh(t) - z = -z t + 2 (t^3/3 + t^5/5 + ...)`, whose terms fall at
least like `(0.3/1.7)^2` for `|z| <= 0.3`. Outside of that interval the difference loses less than four bits, and is
taken as it stands.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

_RADIUS = 0.3
_TERMS = 13  # (0.3 / 1.7)**(2 * 13) < 2**-63: the first neglected term is below one rounding


def log1pmx(z: FloatArray) -> FloatArray:
    """Return `log(1 + z) - z` for `z > -1`, within 8 roundings relatively unless `z^2` underflows.

    Args:
        z: floats of any shape, > -1; one that has rounded to -1 counts as the next float. Not changed.

    Returns:
        A new array of the same shape, every entry <= 0. A float with an error to either side, no bound.
    """
    far = np.abs(z) > _RADIUS
    if far.all():
        return np.asarray(log1p(z) - z, dtype=np.float64)
    # What is far gives nothing of use in the series, but may overflow there.
    near = np.where(far, 0.0, z)
    # Multiplied in this order a tiny `near` underflows as late as possible.
    result = -near * near * _curvature_near(near)
    if far.any():
        result[far] = log1p(z[far]) - z[far]
    return np.asarray(result, dtype=np.float64)


def curvature(z: FloatArray) -> FloatArray:
    """Return `(z - log(1 + z)) / z^2` for `z > -1`, within 8 roundings relatively unless `z^2` overflows; 1/2 at 0.

    It decreases from infinity at -1 to 0, and is smooth at 0, where the quotient itself has no value. Shapes as in
    `log1pmx`; no bound to either side.
    """
    far = np.abs(z) > _RADIUS
    if far.all():
        return _curvature_far(z)
    result = np.asarray(_curvature_near(z))
    if far.any():
        result[far] = _curvature_far(z[far])
    return result


def log1p(x: FloatArray) -> FloatArray:
    """Return `log(1 + x)`; at `x = -1`, where an argument may have rounded to the pole, its value at the next float."""
    return np.asarray(np.log1p(np.maximum(x, np.nextafter(-1.0, 0.0))))


def _curvature_near(z: FloatArray) -> FloatArray:
    # log(1 + z) = 2 atanh(t) with t = z / (2 + z), and z - 2 t = z t.
    """Return the curvature for `|z| <= 0.3` by the series of `atanh`: thirteen terms, in Horner's form."""
    inverse = np.reciprocal(2.0 + z)
    t = np.asarray(z * inverse)
    square = t * t
    series = np.full_like(square, 1 / (2 * _TERMS + 1))
    for n in reversed(range(_TERMS - 1)):
        series *= square
        series += 1 / (2 * n + 3)
    return np.asarray(inverse * (1 - 2 * t * inverse * series))


def _curvature_far(z: FloatArray) -> FloatArray:
    """Return the curvature for `|z| > 0.3` as it is written."""
    return np.asarray((z - log1p(z)) / (z * z))
