"""The exact Renyi curve of a composition, converted to epsilon or delta.

Adaptive composition adds the suprema of the divergences, and where the baseline covers one pair reaches them at every
order, so the sum of the curves is exact: no smaller curve holds for every adversary.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from rgm_verify.accounting.conversion import delta_from_renyi, epsilon_from_renyi, release_epsilon
from rgm_verify.accounting.exact.renyi_curve import renyi_bounds
from rgm_verify.accounting.release import Release
from rgm_verify.numbers.bounds import Bounds, round_down, round_up


def renyi_epsilon(groups: Sequence[tuple[Release, int]], delta: Fraction) -> float:
    """Return an upper bound of epsilon at `delta` by the improved conversion at its best order.

    Args:
        groups: releases with their numbers.
        delta: 0 < delta < 1, exact.
    """
    if len(groups) == 1:
        release, count = groups[0]
        return release_epsilon(release, delta, steps=count).epsilon
    return epsilon_from_renyi(_summed(groups), delta, largest_order=_end(groups)).epsilon


def renyi_delta(groups: Sequence[tuple[Release, int]], epsilon: Fraction) -> float:
    """Return an upper bound of delta at `epsilon` by the improved conversion at its best order, at most 1.

    Args:
        groups: releases with their numbers.
        epsilon: At least 0, exact.
    """
    return delta_from_renyi(_summed(groups), epsilon, largest_order=_end(groups)).delta


def _end(groups: Sequence[tuple[Release, int]]) -> Fraction:
    """Return the least of the largest orders: from there on some divergence is infinite."""
    # Below the threshold of the baseline it may be so even earlier; the curve says `inf` there by itself.
    return min(release.largest_order for release, _ in groups)


def _summed(groups: Sequence[tuple[Release, int]]) -> Callable[[Fraction], Bounds]:
    """Return the curve of the composition: bounds at each order, rounded outward."""

    def curve(order: Fraction) -> Bounds:
        found = [(count, renyi_bounds(release, order)) for release, count in groups]
        method = found[0][1].upper_method
        # An infinite end cannot be added up as a fraction.
        if any(math.isinf(bounds.upper) for _, bounds in found):
            return Bounds(0.0, math.inf, method, method)
        # In rationals: sums of floats over many groups would need a rounding of their own for each.
        lower = sum((count * Fraction(bounds.lower) for count, bounds in found), Fraction(0))
        upper = sum((count * Fraction(bounds.upper) for count, bounds in found), Fraction(0))
        return Bounds(round_down(lower), round_up(upper), method, method)

    return curve
