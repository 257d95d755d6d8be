"""The epsilon where a certified curve falls to a delta, from one side."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

_MOST = 60
_BELOW = -1e6  # stands for the logarithm of 0
_JUST_ABOVE = 1e-300

Curve = Callable[[Fraction], float]
"""A bound of delta at an epsilon, each value certified by itself."""


def crossing_of(curve: Curve, delta: float, guess: float, tolerance: float) -> tuple[float, float]:
    """Return `(fails, holds)` next to each other: the curve is above `delta` at the first, not at the second.

    False position on the logarithm; both values were computed, so monotonicity is not assumed.

    Args:
        curve: a bound of delta at an epsilon, each value certified by itself.
        delta: the level, a float > 0.
        guess: a first epsilon, >= 0.
        tolerance: how far apart the two may be, > 0.

    Returns:
        Two epsilons. Where the curve is at most `delta` at 0 both are 0; where nothing is found `holds` is `inf`.

    Examples:
        >>> fails, holds = crossing_of(lambda e: math.exp(-float(e)), math.exp(-2), 1.0, 1e-6)
        >>> fails < 2 <= holds <= fails + 1e-6
        True
    """

    def height(epsilon: float) -> float:
        value = curve(Fraction(epsilon))
        found = (math.log(value) if value > 0 else _BELOW) - math.log(delta)
        # Logarithms round numbers together; on which side a value is, the numbers themselves say.
        return min(found, 0.0) if value <= delta else max(found, _JUST_ABOVE)

    step = 2 * tolerance
    fails, holds, left, right = _bracket(height, guess, step)
    if holds in (0.0, math.inf):
        return (0.0, 0.0) if holds == 0 else (fails, holds)
    side = 0
    for _ in range(_MOST):
        if holds - fails <= tolerance:
            break
        share = left / (left - right)
        middle = fails + (holds - fails) * min(max(share, 0.05), 0.95) if math.isfinite(share) else (fails + holds) / 2
        middle = min(max(middle, fails + 0.4 * tolerance), holds - 0.4 * tolerance)
        found = height(middle)
        if found > 0:
            fails, left = middle, found
            # The Illinois rule: an end that stays counts for half, so that the other one cannot stay for ever.
            right = right / 2 if side > 0 else right
            side = 1
        else:
            holds, right = middle, found
            left = left / 2 if side < 0 else left
            side = -1
    return fails, holds


def _bracket(height: Callable[[float], float], guess: float, step: float) -> tuple[float, float, float, float]:
    """Return `fails, holds` around the crossing, and the heights there; `holds` is 0 or `inf` where there is none."""
    here = height(guess)
    if here > 0:
        fails, left = guess, here
        for _ in range(_MOST):
            there = fails + step
            found = height(there)
            if found <= 0:
                return fails, there, left, found
            fails, left, step = there, found, 2 * step
        return fails, math.inf, left, 0.0
    holds, right = guess, here
    while holds > 0:
        there = max(0.0, holds - step)
        found = height(there)
        if found > 0:
            return there, holds, found, right
        holds, right, step = there, found, 2 * step
    return 0.0, 0.0, 0.0, right
