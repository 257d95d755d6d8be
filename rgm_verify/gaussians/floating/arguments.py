"""Checked arguments of functions of a threshold and a pair of Gaussians, cut into chunks that fit the caches."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rgm_verify.errors import InputError, reject

FloatArray = NDArray[np.float64]

# A contour has up to thousands of nodes for each argument: so many rows stay in the caches.
_CHUNK = 1024
SMALLEST, LARGEST = 1e-140, 1e100
"""Range of `shift_squared` and of `|excess|`, beside 0: beyond it squares leave the range of floats."""

_SHIFTS = f"a squared distance must be 0 or between {SMALLEST:g} and {LARGEST:g}"
_EXCESSES = f"variance_1 / variance_2 - 1 must be > -1, and 0 or between {SMALLEST:g} and {LARGEST:g} in absolute value"
_DIMENSIONS = "a dimension must be an integer >= 1, at most 2^53"


class Columns(NamedTuple):
    """One-dimensional arrays of equal length: a threshold of the privacy loss, and a pair in units of `Q`."""

    threshold: FloatArray
    shift_squared: FloatArray
    excess: FloatArray
    dimension: FloatArray


def by_chunks(
    function: Callable[[Columns], FloatArray],
    threshold: ArrayLike,
    shift_squared: ArrayLike,
    excess: ArrayLike,
    dimension: ArrayLike,
    *,
    name: str = "epsilon",
) -> FloatArray:
    """Return `function` of the checked and broadcast arguments, in their shape.

    Chunks keep the memory bounded: about 10 MiB beside arguments and result.

    Args:
        function: maps columns of equal length to an array of that length; it may overflow on the way to the right
            limit.
        threshold: a level of the privacy loss, finite.
        shift_squared: 0 or between `SMALLEST` and `LARGEST`.
        excess: Above -1, and 0 or of a size between `SMALLEST` and `LARGEST`.
        dimension: an integer >= 1, at most 2^53, where floats stop counting.

    Raises:
        InputError: for NaN, infinities, what is outside of these ranges, and shapes that do not broadcast.
    """
    arrays = (
        finite(threshold, name, "must be a finite real number"),
        finite(shift_squared, "shift_squared", _SHIFTS, lambda x: (x == 0) | ((x >= SMALLEST) & (x <= LARGEST))),
        finite(excess, "excess", _EXCESSES, lambda x: (x > -1) & (x <= LARGEST) & ((x == 0) | (np.abs(x) >= SMALLEST))),
        finite(dimension, "dimension", _DIMENSIONS, lambda x: (x >= 1) & (x == np.floor(x)) & (x <= 2.0**53)),
    )
    try:
        whole = np.broadcast_arrays(*arrays)
    except ValueError:
        shapes = ", ".join(str(array.shape) for array in arrays)
        raise InputError(f"shapes {shapes}: the arguments must broadcast to one shape") from None
    flat = np.empty(whole[0].size)
    # Numbers near the ends of the range of floats overflow or underflow on the way to the right limits.
    # Checked before: what reaches the function is finite, so that a warning would say nothing about the arguments.
    with np.errstate(all="ignore"):
        for start in range(0, flat.size, _CHUNK):
            part = slice(start, start + _CHUNK)
            flat[part] = function(Columns(*(array.flat[part] for array in whole)))
    return flat.reshape(whole[0].shape)


def finite(
    value: ArrayLike, name: str, allowed: str, holds: Callable[[FloatArray], NDArray[np.bool_]] | None = None
) -> FloatArray:
    """Return an argument as an array of floats, each finite and as `holds` asks.

    Raises:
        InputError: with the argument's name, the first bad entry, and the words of `allowed`.
    """
    array = np.asarray(value)
    if array.dtype.kind not in "iuf":
        raise reject(name, value, f"{allowed}; got {array.dtype} instead of real numbers")
    numbers = array.astype(np.float64)
    bad = ~np.isfinite(numbers)
    if holds is not None:
        bad |= ~holds(numbers)
    if bad.any():
        raise reject(name, numbers[bad][0], allowed)
    return numbers
