"""Floating-point Renyi divergence of two isotropic Gaussians, accurate for nearly equal variances and orders near 1."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rgm_verify.errors import InputError, reject

FloatArray = NDArray[np.float64]

_SERIES_RADIUS = 0.3
_SERIES_TERMS = 13  # (0.3 / 1.7)**(2 * 13) < 2**-63: the first neglected term is below one rounding
_SMALL_CHANGE = 0.5
ERROR_CONSTANT = 24.0
"""`renyi` is within `ERROR_CONSTANT * eps * condition` of the truth, relatively; `condition` as in `renyi`."""


def renyi(
    alpha: ArrayLike,
    distance_squared: ArrayLike,
    variance_1: ArrayLike,
    variance_2: ArrayLike,
    dimension: ArrayLike,
) -> FloatArray:
    """Return the Renyi divergence of order `alpha` of `N(mu1, variance_1 I)` from `N(mu2, variance_2 I)`.

    `dimension` is that of the space. Arguments broadcast; `distance_squared` is `|mu1 - mu2|^2`, variances are per
    coordinate, the result is in nats. `alpha = 1` is the Kullback-Leibler divergence. `+inf` where
    `alpha variance_2 + (1 - alpha) variance_1 <= 0`: there the divergence is infinite.

    Error: a floating-point value, neither an upper nor a lower bound; its relative error is at most
    `ERROR_CONSTANT * eps * condition` with `condition = (alpha v2 + |1 - alpha| v1) / (alpha v2 + (1 - alpha) v1)`,
    which is what one rounding of the inputs does as well (a constant that the tests measure against 60 digits).
    It grows without bound only where the divergence goes to infinity. Results below 1e-290 may lose digits.
    Raises `InputError` for NaN, infinities, `alpha <= 0`, negative distances, variances <= 0, a dimension < 1.
    Source: RGM paper (v2), Lemma 2; written with `log(1 + w) - w` so that nothing cancels for `v1 -> v2`.
    """
    order, dist, v1, v2, dim = _broadcast(
        _checked(alpha, "alpha", "the order must be finite and > 0", positive=True),
        _checked(distance_squared, "distance_squared", "a squared distance must be finite and >= 0"),
        _checked(variance_1, "variance_1", "a variance must be finite and > 0", positive=True),
        _checked(variance_2, "variance_2", "a variance must be finite and > 0", positive=True),
        _dimension(dimension),
    )
    spread = _spread(order, v1, v2)
    finite = spread > 0
    safe = np.where(finite, spread, 1.0)
    location = order * dist / (2 * safe)
    scale = dim / 2 * _scale_term(np.where(finite, order, 1.0), v1, v2)
    return np.asarray(np.where(finite, location + scale, np.inf), dtype=np.float64)


def _spread(order: FloatArray, v1: FloatArray, v2: FloatArray) -> FloatArray:
    """Return `a v2 + (1 - a) v1` without cancellation where both terms are positive or the variances are close."""
    return np.asarray(np.where(order < 1, order * v2 + (1 - order) * v1, v2 - (order - 1) * (v1 - v2)))


def _broadcast(*arrays: FloatArray) -> list[FloatArray]:
    try:
        return [np.asarray(array) for array in np.broadcast_arrays(*arrays)]
    except ValueError:
        shapes = ", ".join(str(array.shape) for array in arrays)
        raise InputError(f"shapes {shapes}: the arguments must broadcast to one shape") from None


def _scale_term(order: FloatArray, v1: FloatArray, v2: FloatArray) -> FloatArray:
    """Return twice the divergence, per coordinate, of two centred Gaussians."""
    # D_a(P||Q) = a/(1-a) D_{1-a}(Q||P). Of the two forms the one with the order in [1/2, 1) does not cancel.
    swap = order < 0.5
    k = np.where(swap, -order, order - 1)
    wide, narrow = np.where(swap, v2, v1), np.where(swap, v1, v2)
    factor = np.where(swap, order / (1 - np.where(swap, order, 0.0)), 1.0)
    return np.asarray(factor * _scale_term_from_half(k, wide, narrow), dtype=np.float64)


def _scale_term_from_half(k: FloatArray, v1: FloatArray, v2: FloatArray) -> FloatArray:
    """Return `-log(v1 / v2) - log(1 - k w) / k` with `w = v1 / v2 - 1`, for an order `1 + k >= 1/2`."""
    change = (v1 - v2) / v2
    small = np.abs(change) <= _SMALL_CHANGE
    w = np.where(small, change, 0.0)
    near = w * w * (_curvature(w) + k * _curvature(-k * w))
    far_change = np.where(small, 1.0, change)
    far_ratio = np.where(small, 2.0, v1 / v2)
    far_k = np.where(small, 0.0, k)
    far = -np.log(far_ratio) - _log1p_over(far_k, -far_change)
    return np.asarray(np.where(small, near, far), dtype=np.float64)


def _log1p_over(k: FloatArray, u: FloatArray) -> FloatArray:
    """Return `log(1 + k u) / k`, which is `u` at `k = 0`."""
    safe = np.where(k == 0, 1.0, k)
    return np.where(k == 0, u, _log1p(k * u) / safe)


def _log1p(x: FloatArray) -> FloatArray:
    # Within one rounding of the pole the argument may round to -1 although the spread is still positive.
    return np.asarray(np.log1p(np.maximum(x, np.nextafter(-1.0, 0.0))))


def _curvature(z: FloatArray) -> FloatArray:
    """Return `(z - log(1 + z)) / z^2` for `z > -1`, accurate everywhere; 1/2 at 0."""
    near = np.abs(z) <= _SERIES_RADIUS
    x = np.where(near, z, 0.0)
    t_squared = np.square(x / (2 + x))
    series = np.zeros_like(x)
    for n in reversed(range(_SERIES_TERMS)):
        series = series * t_squared + 1 / (2 * n + 3)
    y = np.where(near, 1.0, z)
    return np.asarray(np.where(near, (1 - 2 * x * series / np.square(2 + x)) / (2 + x), (y - _log1p(y)) / (y * y)))


def condition_number(alpha: ArrayLike, variance_1: ArrayLike, variance_2: ArrayLike) -> FloatArray:
    """Return `(alpha v2 + |1 - alpha| v1) / (alpha v2 + (1 - alpha) v1)`, the growth of input roundings in `renyi`."""
    a, v1, v2 = (np.asarray(x, dtype=np.float64) for x in (alpha, variance_1, variance_2))
    spread = _spread(a, v1, v2)
    positive = np.where(spread > 0, spread, 1.0)
    ratio: FloatArray = np.where(spread > 0, (a * v2 + np.abs(1 - a) * v1) / positive, np.inf)
    return ratio


def _checked(value: ArrayLike, name: str, allowed: str, *, positive: bool = False) -> FloatArray:
    array = np.asarray(value)
    if array.dtype.kind not in "iuf":
        raise reject(name, value, f"{allowed}; got {array.dtype} instead of real numbers")
    numbers = array.astype(np.float64)
    bad = ~np.isfinite(numbers) | ((numbers <= 0) if positive else (numbers < 0))
    if bad.any():
        raise reject(name, numbers[bad][0], allowed)
    return numbers


def _dimension(value: ArrayLike) -> FloatArray:
    numbers = _checked(value, "dimension", "a dimension must be an integer >= 1", positive=True)
    bad = numbers != np.floor(numbers)
    if bad.any():
        raise InputError(f"dimension={numbers[bad][0]}: a dimension must be an integer >= 1")
    return numbers
