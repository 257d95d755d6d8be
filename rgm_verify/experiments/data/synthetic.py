"""Synthetic records of the shape of a known data set, the same to the last bit everywhere."""

from __future__ import annotations

import hashlib
import math

import numpy as np

from rgm_verify.experiments.data.sources import Column, Shape
from rgm_verify.learning.data import FloatArray

RECIPE = "1"
"""Version of the recipe: another version may give other numbers for the same seed."""

_BELL_DRAWS = 4
_BELL_DEVIATION = math.sqrt(_BELL_DRAWS / 12)  # a uniform number on [0, 1) has the variance 1/12


def synthetic_records(
    name: str, shape: Shape, *, positives: int, records: int, seed: int
) -> tuple[FloatArray, FloatArray]:
    """Return features (records, d) and labels in {-1, +1}, of which exactly `positives` are +1.

    The recipe. A dense feature is `mean + deviation * bell`, cut to its range, where `bell` is the centred sum of four
    uniform numbers over its deviation; so mean and deviation are those before the cut. In a group of sparse features
    one, chosen uniformly, is on. All are independent. The label is +1 for the largest values of a linear score, plus as
    much noise as there is score, so that a linear model explains about half of it. What the real set has and this has
    not: dependence between features, discrete values, outliers beyond the bell.

    The same numbers in every version of NumPy and on every machine: they come from the raw 64-bit stream of PCG64,
    which NumPy promises to keep, by additions, multiplications and comparisons in a fixed order.

    Args:
        name: of the set, which salts the stream.
        shape: its features.
        positives: labels +1.
        records: of both labels.
        seed: an integer >= 0.
    """
    # One stream for all columns, in a fixed order: the recipe is this order.
    uniform = _Uniform(name, seed)
    score = np.zeros(records)
    columns: list[FloatArray] = []
    for size in shape.groups:
        weights = 2 * uniform(size) - 1
        # The minimum, since a product with a number just below 1 may be rounded up to the size.
        chosen = np.minimum(np.floor(uniform(records) * size), size - 1).astype(np.int64)
        columns.extend(np.where(chosen == member, shape.value, 0.0) for member in range(size))
        score += weights[chosen]
    for column in shape.dense:
        weight = float(2 * uniform(1)[0] - 1)
        bell = _bell(uniform, records)
        columns.append(_cut(bell, column))
        score += weight * bell
    # As much noise as there is score: a model that fits perfectly would need no regularization.
    score += _bell(uniform, records) * math.sqrt((len(shape.groups) + len(shape.dense)) / 3)
    return np.ascontiguousarray(np.stack(columns, axis=1)), _largest(score, positives)


class _Uniform:
    """Numbers uniform on [0, 1) with 53 bits from the raw stream that belongs to a name and a seed."""

    def __init__(self, name: str, seed: int) -> None:
        salt = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "little")
        self._stream = np.random.PCG64(np.random.SeedSequence([seed, salt]))

    def __call__(self, count: int) -> FloatArray:
        """Return the next numbers of the stream, shape (count,)."""
        # The upper bits, as many as a float holds: the product is exact, so that nothing is ever rounded up to 1.
        raw = np.asarray(self._stream.random_raw(count), dtype=np.uint64)
        return np.asarray((raw >> np.uint64(11)).astype(np.float64) * 2.0**-53, dtype=np.float64)


def _bell(uniform: _Uniform, count: int) -> FloatArray:
    """Return centred sums of four uniform numbers, with deviation 1: bell-shaped without a logarithm, whose last bit
    may differ.
    """
    total = uniform(count)
    for _ in range(_BELL_DRAWS - 1):
        total = total + uniform(count)
    return np.asarray((total - _BELL_DRAWS / 2) / _BELL_DEVIATION, dtype=np.float64)


def _cut(bell: FloatArray, column: Column) -> FloatArray:
    """Return a feature from its bell, inside of its range."""
    return np.asarray(np.clip(column.mean + column.deviation * bell, column.lower, column.upper), dtype=np.float64)


def _largest(score: FloatArray, positives: int) -> FloatArray:
    """Return +1 for the `positives` largest scores, the earlier record first among equal ones, and -1 elsewhere."""
    labels = np.full(len(score), -1.0)
    labels[np.argsort(-score, kind="stable")[:positives]] = 1.0
    return labels
