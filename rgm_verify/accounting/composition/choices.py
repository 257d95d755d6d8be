"""The cells among which an adversary has to choose: those under a mixture of two others are left out.

Let the dots of a cell be nowhere above `s a + (1 - s) b`, `0 <= s <= 1`, for the dots `a` and `b` of two other cells on
the same grid. Then so is the curve through them, and every mixture `F` of functions `(1 - x/y)_+` (see `envelope`) has

    E_cell[F] <= s E_a[F] + (1 - s) E_b[F] <= max(E_a[F], E_b[F]).

An adversary who may choose `a` or `b` gains nothing by the cell, whatever comes after; and the greatest of all curves
is the same without it. A branch stands for all of its parts by itself, so that its parts need not be looked at where
it is under a mixture.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np

from rgm_verify.accounting.composition.envelope import FloatArray
from rgm_verify.accounting.exact.admissible_pairs import Cell, Cover

_UNIT = 2.0**-53
_SHARE_BITS = 20  # a share of few bits, and what it leaves of 1, are floats
_NORMAL = 2.0**-1000  # no product of a dot above and a share comes near the end of the range of floats


def needed_dots(cover: Cover, dots_of: Callable[[Cell], FloatArray]) -> list[FloatArray]:
    """Return the dots of cells that stand for all pairs of a cover, without those under a mixture of two leading ones.

    Args:
        cover: all pairs that an adversary may choose from. Which of its cells lead only decides how many are left out.
        dots_of: gives upper bounds of the curve of a cell, on one grid for all cells.

    Returns:
        Arrays of one shape, at least one.
    """
    leading = [dots_of(cell) for cell in cover.leading]
    found = list(leading)
    waiting = list(cover.others)
    while waiting:
        branch = waiting.pop()
        dots = dots_of(branch.cell)
        if under_two(dots, leading):
            continue
        if branch.parts:
            waiting.extend(branch.parts)
        else:
            found.append(dots)
    return found


def under_two(dots: FloatArray, others: Sequence[FloatArray]) -> bool:
    """Tell whether dots certainly lie nowhere above a mixture of two of some others; all of one shape, >= 0."""
    return any(_share(dots, a, b) is not None for a, b in combinations(others, 2))


def _share(dots: FloatArray, a: FloatArray, b: FloatArray) -> float | None:
    """Return a share `s` such that `dots <= s a + (1 - s) b` for certain, None where none is found."""
    ahead, short = a - b, dots - b
    rising, falling = ahead > 0, ahead < 0
    # Each dot bounds the share from one side; the middle is tried, exactly. By tiny differences quotients overflow.
    with np.errstate(over="ignore"):
        low = np.max(short[rising] / ahead[rising], initial=0.0)
        high = np.min(short[falling] / ahead[falling], initial=1.0)
    if not low <= high:
        return None
    share = round((low + high) / 2 * 2**_SHARE_BITS) / 2**_SHARE_BITS
    mixture = share * a + (1 - share) * b
    # Two products and a sum of what is not negative: three roundings, of normal numbers.
    certain = (dots <= mixture * (1 - 5 * _UNIT)) & (mixture >= _NORMAL)
    return share if np.all(certain | (dots <= np.minimum(a, b))) else None
