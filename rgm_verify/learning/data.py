"""Checks of data that every algorithm here shares: a finite matrix of features, one label a row, numbers in range."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rgm_verify.errors import InputError, depends_on_data, reject
from rgm_verify.mechanisms.values import checked_values, representable
from rgm_verify.numbers.exact import NumberInput, exact, nonnegative, positive

FloatArray: TypeAlias = NDArray[np.float64]

_BLOCK = 4_096  # rows at a time: their columns stay in the cache

LARGEST_FLOAT = float(np.finfo(np.float64).max)
EPS = float(np.finfo(np.float64).eps)
"""The distance from 1 to the next float: twice the relative error of one rounding."""


def private_numbers(value: ArrayLike, *, name: str) -> FloatArray:
    """Return private data as a new float64 array, NaN and infinities included.

    Raises `InputError` for what is not numeric (texts, truth values, complex numbers, ragged lists) and for empty
    arrays. The error shows nothing of the data, and no exception that may hold some comes with it.
    """
    # Conversion tells its failure by None, so that the error is raised outside of the handler: an exception of
    # numpy quotes the entry, and a chained one would show it beneath a message that hides it.
    array = _converted(value)
    if array is None:
        raise depends_on_data(f"{name}: expected real numbers (integers or floats) in a rectangular array")
    # The shape is taken to be public, unlike the entries, so that this message need not be kept private.
    if array.size == 0:
        raise reject(name, f"array of shape {array.shape}", "expected at least one number")
    return array


def _converted(value: ArrayLike) -> FloatArray | None:
    try:
        array = np.asarray(value)
        with np.errstate(over="ignore", invalid="ignore"):
            # Booleans, complex numbers and objects are refused: their conversion would succeed and change what was
            # meant.
            return array.astype(np.float64) if array.dtype.kind in "iuf" else None
    except (ValueError, TypeError, OverflowError):
        return None


def finite(array: FloatArray) -> FloatArray:
    """Return the array with 0 for NaN and the largest float of its sign for an infinity: entry by entry.

    It is the array itself where all entries are finite.
    """
    # The usual case, told by one pass: nothing is copied then.
    if np.isfinite(array).all():
        return array
    # Entry by entry, so that one record cannot change what becomes of another: neighbours stay neighbours.
    return np.nan_to_num(array, nan=0.0, posinf=LARGEST_FLOAT, neginf=-LARGEST_FLOAT)


def checked_features(X: ArrayLike, *, name: str = "X") -> FloatArray:
    """Return `X` as a new float64 matrix of shape (n, d), one record a row.

    Raises `InputError` unless it is a matrix of finite real numbers with n >= 1 and d >= 1.
    """
    return _all_finite(any_features(X, name=name), name)


def any_features(X: ArrayLike, *, name: str = "X") -> FloatArray:
    """Return the same for real numbers that need not be finite."""
    features = private_numbers(X, name=name)
    if features.ndim != 2:
        raise reject(name, f"array of shape {features.shape}", "expected shape (n, d), one record a row")
    # One layout whatever the caller's was, since sums over rows round in an order that depends on the layout.
    return np.ascontiguousarray(features)


def checked_records(X: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return features of shape (n, d) and labels of shape (n,) as new float64 arrays; `InputError` otherwise."""
    features, labels = any_records(X, y)
    return _all_finite(features, "X"), _all_finite(labels, "y")


def any_records(X: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return the same for real numbers that need not be finite."""
    features, labels = any_features(X), private_numbers(y, name="y")
    if labels.shape != features.shape[:1]:
        raise reject(
            "y", f"array of shape {labels.shape}", f"expected shape ({len(features)},), one label for each row"
        )
    return features, labels


def _all_finite(array: FloatArray, name: str) -> FloatArray:
    if not np.isfinite(array).all():
        raise depends_on_data(f"{name}: every entry must be a finite float64")
    return array


def checked_point(theta: ArrayLike, dimension: int, *, name: str = "theta") -> FloatArray:
    """Return `theta` as a new float64 vector of that dimension; `InputError`, which may show it, otherwise."""
    point = checked_values(theta, name=name)
    if point.shape != (dimension,):
        raise reject(name, f"array of shape {point.shape}", f"expected shape ({dimension},)")
    return point


def private_point(value: ArrayLike, dimension: int, *, name: str) -> FloatArray:
    """Return a private vector as a new float64 vector of that dimension; `InputError`, as of data, otherwise."""
    point = _all_finite(private_numbers(value, name=name), name)
    if point.shape != (dimension,):
        raise reject(name, f"array of shape {point.shape}", f"expected shape ({dimension},)")
    return point


def private_number(value: NumberInput, *, name: str) -> Fraction:
    """Return a private number exactly, floats as the binary numbers they are; `InputError`, as of data, otherwise."""
    try:
        return exact(value, name=name, floats="binary")
    except InputError:
        # Raised after the handler, so that the error of `exact`, which quotes the number, is not its context.
        problem = depends_on_data(f"{name}: expected a finite number")
    raise problem


def positive_float(value: NumberInput, *, name: str, meaning: str) -> float:
    """Return `value` > 0 as the nearest float, for a number that no privacy rests on; `InputError` otherwise."""
    number = positive(value, name=name, meaning=meaning, floats="binary")
    return float(representable(number, name=name))


def nonnegative_float(value: NumberInput, *, name: str, meaning: str) -> float:
    """Return `value` >= 0 as the nearest float, for a number that no privacy rests on; `InputError` otherwise."""
    number = nonnegative(value, name=name, meaning=meaning, floats="binary")
    return float(representable(number, name=name))


def row_norms_above(rows: FloatArray) -> FloatArray:
    """Return a number >= the exact Euclidean norm for each row, shape (n,), larger by at most (d + 5) * 2e-16 of it.

    Each row is measured by elementwise operations alone, so that its number depends on no other row, to the last bit.
    `inf` where the norm is beyond the range of floats. What it needs besides is the memory of a block of rows.
    """
    # max(1, ...) lets an empty matrix through as one empty block, which concatenate needs.
    blocks = [_norms_above(rows[start : start + _BLOCK]) for start in range(0, max(1, len(rows)), _BLOCK)]
    return np.concatenate(blocks)


def _norms_above(rows: FloatArray) -> FloatArray:
    # By columns: the sum over a record's entries is then the same elementwise chain for each record, whatever other
    # records stand beside it. A neighbour thus leaves the norms of all other records alone, bit by bit.
    columns = np.ascontiguousarray(rows.T)
    largest = np.abs(columns).max(axis=0)
    # Divided by the largest entry first: squares of entries above 1e154 would overflow.
    unit = np.where(largest > 0, largest, 1.0)
    squares = np.zeros(len(rows))
    for column in columns:
        squares += np.square(column / unit)
    # Quotients below 1e-154 have squares that underflow; beside the largest, which is 1, the guard covers them.
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(largest * np.sqrt(squares) * (1 + (len(columns) + 4) * EPS), dtype=np.float64)


def overflow(name: str) -> InputError:
    """Return (not raise) the error for numbers whose products leave the range of floats."""
    return depends_on_data(f"{name}: products of its entries overflow a float64; use smaller units")


def read_only(array: FloatArray) -> FloatArray:
    """Return the same numbers as an array that cannot be written to, nor be made writeable again; nothing is copied.

    The caller must drop `array`: a reference to it could still write to the data.
    """
    # Through a read-only buffer: the flag `writeable` alone could be set back by whoever holds the array.
    return np.asarray(np.ascontiguousarray(array).data.toreadonly())
