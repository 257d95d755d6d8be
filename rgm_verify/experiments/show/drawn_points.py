"""Choice of the points of a curve that are drawn: no more than an eye can tell apart, and every outlier."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

_LOWEST = -400.0  # below the logarithm of every float


def seen(curve: Sequence[float], *, columns: int, tolerance: float) -> list[int]:
    """Return the places of the points to draw of a curve on a logarithmic axis, ascending; NaN is left out.

    Straight lines between them keep within `tolerance` powers of ten of the curve, except where it goes up and down
    within one of `columns` stripes of equal width: of these the least and the greatest value are drawn.

    Args:
        curve: values >= 0, one for each iteration.
        columns: how many stripes an eye tells apart.
        tolerance: in powers of ten.

    Examples:
        >>> seen([1.0, 10.0, 100.0, 1000.0], columns=4, tolerance=0.01)
        [0, 3]
    """
    heights = {i: math.log10(value) if value > 0 else _LOWEST for i, value in enumerate(curve) if not math.isnan(value)}
    if not heights:
        return []
    ends = min(heights), max(heights)
    # After the corners and not instead of them: noise has a corner at every point, and a file would hold all of it.
    width, stripes = -(-len(curve) // columns), dict[int, list[int]]()
    for i in sorted({*ends, *_corners(heights, *ends, tolerance)}):
        stripes.setdefault(i // width, []).append(i)
    return sorted({*ends, *(i for stripe in stripes.values() for i in _extremes(stripe, heights))})


def _corners(heights: dict[int, float], first: int, last: int, tolerance: float) -> Iterator[int]:
    """Yield the places between two ends that straight lines have to go through: where they are farthest off."""
    # A stack and no recursion: a curve of thousands of steps may be cut as often as it has points.
    waiting = [(first, last)]
    while waiting:
        left, right = waiting.pop()
        slope = (heights[right] - heights[left]) / max(right - left, 1)
        off = {i: abs(heights[i] - heights[left] - slope * (i - left)) for i in range(left + 1, right) if i in heights}
        worst = max(off, key=off.__getitem__, default=left)
        if off.get(worst, 0.0) > tolerance:
            yield worst
            waiting += [(left, worst), (worst, right)]


def _extremes(stripe: list[int], heights: dict[int, float]) -> list[int]:
    """Return the places of the least and the greatest height; all of them where heights only rise or only fall."""
    found = [heights[i] for i in stripe]
    if found in (sorted(found), sorted(found, reverse=True)):
        return stripe
    return [min(stripe, key=heights.__getitem__), max(stripe, key=heights.__getitem__)]
