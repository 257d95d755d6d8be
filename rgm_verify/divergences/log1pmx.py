"""`log(1 + z) - z` for real `z`, without cancellation."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

_RADIUS = 0.3
_TERMS = 13  # (0.3 / 1.7)**(2 * 13) < 2**-63: the first neglected term is below one rounding


def log1pmx(z: FloatArray) -> FloatArray:
    """Return `log(1 + z) - z` for `z > -1`, within 8 roundings relatively unless `z^2` underflows."""
    near = np.abs(z) <= _RADIUS
    x = np.where(near, z, 0.0)
    t = x / (2 + x)
    square = t * t
    series = np.zeros_like(x)
    for n in reversed(range(_TERMS)):
        series = series * square + 1 / (2 * n + 3)
    # log(1 + z) = 2 atanh(t) and 2 t - z = -z t.
    return np.where(near, t * (2 * square * series - x), np.log1p(z) - z)
