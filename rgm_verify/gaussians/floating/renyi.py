"""Floating-point Renyi divergence of two isotropic Gaussians, accurate for nearly equal variances and orders near 1.

The closed form of Lemma 2 (`rgm:lemma-2`) is a difference of logarithms that cancels where the variances agree, and a
quotient that does where the order is 1. Written with `c(z) = (z - log(1 + z)) / z^2` the part of the variances is `w^2
(c(w) + k c(-k w))` per coordinate and half, `w = v1 / v2 - 1`, `k = alpha - 1`, whose terms are positive for `k >= 0`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rgm_verify.errors import InputError, reject
from rgm_verify.gaussians.floating.arguments import finite
from rgm_verify.numbers.log1pmx import curvature, log1p

FloatArray = NDArray[np.float64]
Rule = Callable[..., FloatArray]

# Up to here the curvatures are accurate; beyond it the difference of logarithms loses little, and they would overflow.
_SMALL_CHANGE = 0.5
_CHUNK = 8192  # the arrays of one chunk stay in the cache
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

    Args:
        alpha: orders > 0; 1 is the Kullback-Leibler divergence.
        distance_squared: `|mu1 - mu2|^2` >= 0.
        variance_1: the variance of the first law per coordinate, > 0.
        variance_2: that of the second law, > 0.
        dimension: that of the space, an integer >= 1.

    Returns:
        Floats in nats, in the common shape of the arguments; `+inf` where `alpha variance_2 + (1 - alpha) variance_1 <=
        0`: there the divergence is infinite. Neither an upper nor a lower bound: the relative error is at most
        `ERROR_CONSTANT * eps * condition` with `condition = (alpha v2 + |1 - alpha| v1) / (alpha v2 + (1 - alpha) v1)`,
        which is what one rounding of the inputs does as well (a constant that the tests measure against 60 digits). It
        grows without bound only where the divergence goes to infinity. Results below 1e-290 may lose digits.

    Raises:
        InputError: for NaN, infinities, `alpha <= 0`, negative distances, variances <= 0, a dimension < 1.

    Source: RGM paper (v2), Lemma 2; written with `log(1 + w) - w` so that nothing cancels for `v1 -> v2`.

    Examples:
        >>> [float(value) for value in renyi([1, 2], 1, 1, 1, 1)], float(renyi(2, 1, 3, 1, 1))
        ([0.5, 1.0], inf)
    """
    order, dist, v1, v2, dim = (
        _checked(alpha, "alpha", "the order must be finite and > 0", positive=True),
        _checked(distance_squared, "distance_squared", "a squared distance must be finite and >= 0"),
        _checked(variance_1, "variance_1", "a variance must be finite and > 0", positive=True),
        _checked(variance_2, "variance_2", "a variance must be finite and > 0", positive=True),
        _dimension(dimension),
    )
    return _in_chunks(order, dist / v2, (v1 - v2) / v2, v1 / v2, dim, shapes=(order, dist, v1, v2, dim))


def renyi_of_pair(alpha: ArrayLike, shift_squared: ArrayLike, excess: ArrayLike, dimension: ArrayLike) -> FloatArray:
    """Return the Renyi divergence of order `alpha` of `N(mu1, (1 + excess) I)` from `N(mu2, I)`.

    `renyi` for a pair in the standard form of `GaussianPair`, where nothing is lost for the smallest `excess`: as there
    in arguments, result and error, with `v1 = 1 + excess` and `v2 = 1`. `excess > -1`.
    """
    order = _checked(alpha, "alpha", "the order must be finite and > 0", positive=True)
    shift = _checked(shift_squared, "shift_squared", "a squared distance must be finite and >= 0")
    w = finite(excess, "excess", "variance_1 / variance_2 - 1 must be finite and > -1", lambda x: x > -1)
    dim = _dimension(dimension)
    return _in_chunks(order, shift, w, 1 + w, dim, shapes=(order, shift, w, dim))


def _in_chunks(*arrays: FloatArray, shapes: tuple[FloatArray, ...]) -> FloatArray:
    """Return the divergence for arrays of any shapes; single numbers stay single, so that little is computed twice."""
    shape = _common_shape(shapes)
    # One order for a million pairs, or one pair for a million orders, is the usual call.
    columns = [x.reshape(()) if x.size == 1 else np.broadcast_to(x, shape).reshape(-1) for x in arrays]
    result = np.empty(shape)
    flat = result.reshape(-1)
    for start in range(0, flat.size, _CHUNK):
        part = slice(start, start + _CHUNK)
        flat[part] = divergence(*(x[part] if x.ndim else x for x in columns))
    return result


def divergence(order: FloatArray, shift: FloatArray, w: FloatArray, ratio: FloatArray, dim: FloatArray) -> FloatArray:
    """Return the divergence of checked arguments, in units of the second variance: the first is `ratio = 1 + w`.

    Arrays of one shape; in nats, infinite where the order does not exist. Floating point, neither an upper nor a lower
    bound. `w` is given beside `ratio`, as the difference from 1 would be lost in it for variances that nearly agree.
    """
    k = order - 1
    # Below 1 both terms are positive; above it the difference from 1 is what is known accurately.
    spread = np.where(order < 1, order - k * ratio, 1 - k * w)
    finite_there = spread > 0
    if not finite_there.all():
        # Any finite values will do where the result is replaced: NaN would warn, and warnings are errors.
        order, k = np.where(finite_there, order, 1.0), np.where(finite_there, k, 0.0)
        spread = np.where(finite_there, spread, np.inf)
    scale = _by_mask(order < 0.5, _scale_term_reversed, _scale_term_from_half, order, k, w, ratio)
    value = order * shift / (2 * spread) + dim / 2 * scale
    return np.asarray(np.where(finite_there, value, np.inf))


def _by_mask(mask: NDArray[np.bool_], if_true: Rule, if_false: Rule, *arrays: FloatArray) -> FloatArray:
    """Return one rule where `mask` holds and another elsewhere, each evaluated only where it is wanted."""
    if not mask.any():
        return if_false(*arrays)
    if mask.all():
        return if_true(*arrays)
    whole = np.broadcast_arrays(mask, *arrays)
    result = np.empty(whole[0].shape)
    for rule, chosen in ((if_true, whole[0]), (if_false, ~whole[0])):
        result[chosen] = rule(*(x[chosen] for x in whole[1:]))
    return result


def _spread(order: FloatArray, v1: FloatArray, v2: FloatArray) -> FloatArray:
    """Return `a v2 + (1 - a) v1` without cancellation where both terms are positive or the variances are close."""
    return np.asarray(np.where(order < 1, order * v2 + (1 - order) * v1, v2 - (order - 1) * (v1 - v2)))


def _common_shape(arrays: tuple[FloatArray, ...]) -> tuple[int, ...]:
    try:
        return np.broadcast_shapes(*(array.shape for array in arrays))
    except ValueError:
        shapes = ", ".join(str(array.shape) for array in arrays)
        raise InputError(f"shapes {shapes}: the arguments must broadcast to one shape") from None


def _scale_term_reversed(order: FloatArray, k: FloatArray, w: FloatArray, ratio: FloatArray) -> FloatArray:
    """Return twice the divergence, per coordinate, of two centred Gaussians, for an order below 1/2."""
    # D_a(P||Q) = a/(1-a) D_{1-a}(Q||P). Of the two forms the one with the order in [1/2, 1) does not cancel.
    return -order / k * _scale_term_from_half(-k, -order, -w / ratio, 1 / ratio)


def _scale_term_from_half(order: FloatArray, k: FloatArray, w: FloatArray, ratio: FloatArray) -> FloatArray:
    """Return the same for an order `1 + k >= 1/2`: `-log(ratio) - log(1 - k w) / k` with `w = ratio - 1`."""
    return _by_mask(np.abs(w) <= _SMALL_CHANGE, _scale_term_near, _scale_term_far, order, k, w, ratio)


def _scale_term_near(order: FloatArray, k: FloatArray, w: FloatArray, ratio: FloatArray) -> FloatArray:
    """Return the scale term for variances that differ by at most a half: a sum of curvatures, which does not cancel."""
    return w * w * (curvature(w) + k * curvature(-k * w))


def _scale_term_far(order: FloatArray, k: FloatArray, w: FloatArray, ratio: FloatArray) -> FloatArray:
    """Return the scale term for variances that differ more: as it is written."""
    return -np.log(ratio) - _log1p_over(k, -w)


def _log1p_over(k: FloatArray, u: FloatArray) -> FloatArray:
    """Return `log(1 + k u) / k`, which is `u` at `k = 0`."""
    safe = np.where(k == 0, 1.0, k)
    return np.where(k == 0, u, log1p(k * u) / safe)


def condition_number(alpha: ArrayLike, variance_1: ArrayLike, variance_2: ArrayLike) -> FloatArray:
    """Return `(alpha v2 + |1 - alpha| v1) / (alpha v2 + (1 - alpha) v1)`, the growth of input roundings in `renyi`.

    At least 1, and 1 for orders up to 1; `inf` where the divergence is infinite. Arguments as in `renyi`, unchecked.
    """
    a, v1, v2 = (np.asarray(x, dtype=np.float64) for x in (alpha, variance_1, variance_2))
    spread = _spread(a, v1, v2)
    positive = np.where(spread > 0, spread, 1.0)
    ratio: FloatArray = np.where(spread > 0, (a * v2 + np.abs(1 - a) * v1) / positive, np.inf)
    return ratio


def _checked(value: ArrayLike, name: str, allowed: str, *, positive: bool = False) -> FloatArray:
    """Return an argument as an array of floats, finite and >= 0, or > 0 if `positive`."""
    array = np.asarray(value)
    if array.dtype.kind not in "iuf":
        raise reject(name, value, f"{allowed}; got {array.dtype} instead of real numbers")
    numbers = array.astype(np.float64)
    bad = ~np.isfinite(numbers) | ((numbers <= 0) if positive else (numbers < 0))
    if bad.any():
        raise reject(name, numbers[bad][0], allowed)
    return numbers


def _dimension(value: ArrayLike) -> FloatArray:
    """Return dimensions as floats; only whole numbers >= 1 pass."""
    numbers = _checked(value, "dimension", "a dimension must be an integer >= 1", positive=True)
    bad = numbers != np.floor(numbers)
    if bad.any():
        raise InputError(f"dimension={numbers[bad][0]}: a dimension must be an integer >= 1")
    return numbers
