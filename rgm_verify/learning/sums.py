"""Sums of products over the records whose rounding does not grow with their number.

A sum of m products of floats, in whatever order, with fused products or without, errs by at most `gamma(m)` times the
sum of their sizes, where `gamma(m) = m u / (1 - m u)` and `u = 2^-53` (Higham 2002, section 3.1). So a sum over n
records by one product of matrices may err by n roundings, though it rarely does. Here the records are summed in blocks
of a fixed size, and the sums of the blocks in pairs, those of pairs in pairs, and so on: each product goes through at
most `BLOCK` roundings in its block and one for each level of the tree above it.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from rgm_verify.learning.data import FloatArray

BLOCK = 512
"""The number of records that are summed by one product of matrices."""

UNIT = Fraction(1, 2**53)
"""The relative error of one rounding."""


def sum_of_products(left: FloatArray, right: FloatArray) -> FloatArray:
    """Return `left^T right` for arrays of n rows, (n, d) and (n, k) or (n,): at most `roundings(n)` for each product.

    The order in which blocks are added depends on n alone. About the time of one product of matrices; the memory is
    that of `log2(n / BLOCK) + 2` results.
    """
    return in_pairs(left[rows].T @ right[rows] for rows in rows_in_blocks(len(left)))


def gram(rows: FloatArray, unit: float = 1.0) -> FloatArray:
    """Return `rows^T rows` for rows times `unit`, a power of two: as `sum_of_products`, with the memory of a block."""
    scaled = (rows[block] if unit == 1 else rows[block] * unit for block in rows_in_blocks(len(rows)))
    return in_pairs(block.T @ block for block in scaled)


def rows_in_blocks(records: int) -> list[slice]:
    """Return the rows of each block, one empty block for no records."""
    return [slice(start, start + BLOCK) for start in range(0, max(1, records), BLOCK)]


def in_pairs(parts: Iterable[FloatArray]) -> FloatArray:
    """Return the sum of arrays that are sums over the blocks: `roundings(n)` for each product, as said above."""
    waiting: list[tuple[int, FloatArray]] = []  # sums of 2^level blocks, the levels falling
    for part in parts:
        level, total = 0, np.asarray(part, dtype=np.float64)
        # As digits carry in binary: two sums of the same size become one of the double, so that each product takes
        # part in at most log2(blocks) additions, and no more than log2(blocks) sums wait in memory.
        while waiting and waiting[-1][0] == level:
            total = total + waiting.pop()[1]
            level += 1
        waiting.append((level, total))
    # What is left has sizes that rise from the end: smallest first keeps the number of additions logarithmic.
    total = waiting.pop()[1]
    while waiting:
        total = total + waiting.pop()[1]
    return np.asarray(total, dtype=np.float64)


def roundings(records: int) -> int:
    """Return an upper bound on the roundings of one product in `sum_of_products`, for this number of records.

    A block of m has one for the product itself and m - 1 sums. Of `b` blocks the pairs have at most `log2(b)` levels,
    and the sums that are left over, one at each level at most, are joined from the smallest on.
    """
    # Twice the logarithm: once for the sums in pairs, once for those that are left over at the end.
    blocks = -(-records // BLOCK)
    # A product of matrices may sum in any order; no order takes more roundings than there are terms.
    return min(records, BLOCK) + 2 * blocks.bit_length()


def relative_error(count: int) -> Fraction:
    """Return `gamma(count)`, for less than 2^52 roundings: exact, above `count` times 2^-53 by hardly anything."""
    return count * UNIT / (1 - count * UNIT)
