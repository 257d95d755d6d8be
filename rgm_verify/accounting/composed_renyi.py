"""The exact Renyi curve of a composition at one order, converted to epsilon or delta with every rounding upward.

The supremum over admissible pairs is reached by one pair for all orders (where the baseline covers), and in any case
adaptive composition adds the suprema, so the curve of a composition is the sum of the curves. Every order gives a valid
bound, so the order is found in floats and only the value at it is certified.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from rgm_verify.accounting.bounds import round_up
from rgm_verify.accounting.envelope import FloatArray
from rgm_verify.accounting.family import Cell, admissible_cells
from rgm_verify.accounting.loss_tails import Tails, exponents_for, few_bits
from rgm_verify.accounting.release import Release
from rgm_verify.accounting.renyi_curve import renyi_bounds
from rgm_verify.balls.arithmetic import ball, precision, rational_ends

_BITS = 128
_REFINEMENTS = 2


def renyi_epsilon(groups: Sequence[tuple[Release, int]], delta: Fraction) -> float:
    """Return an upper bound of epsilon at `delta` by the improved conversion; `inf` where no order gives one.

    `epsilon = RDP + log((alpha - 1)/alpha) - (log delta + log alpha)/(alpha - 1)`.
    Source: Balle, Barthe, Gaboardi, Hsu, Sato 2020, Theorem 21.
    """
    log = math.log(delta.numerator) - math.log(delta.denominator)

    def objective(s: FloatArray, cumulant: FloatArray) -> FloatArray:
        return (cumulant - log - np.log1p(s)) / s + np.log(s / (1 + s))

    order = _best_order(groups, objective)
    total = _total(groups, order)
    if total is None:
        return math.inf
    with precision(_BITS):
        a = ball(order)
        value = ball(total) + ((a - 1) / a).log() - (ball(delta).log() + a.log()) / (a - 1)
        upper = rational_ends(value)[1]
    return math.inf if upper is None else max(0.0, round_up(upper))


def renyi_delta(groups: Sequence[tuple[Release, int]], epsilon: Fraction) -> float:
    """Return an upper bound of delta at `epsilon` by the improved conversion, at most 1.

    `log delta = (alpha - 1)(RDP - epsilon + log((alpha - 1)/alpha)) - log alpha`, the same inequality read for delta.
    """
    target = float(epsilon)

    def objective(s: FloatArray, cumulant: FloatArray) -> FloatArray:
        return cumulant + s * (np.log(s / (1 + s)) - target) - np.log1p(s)

    order = _best_order(groups, objective)
    total = _total(groups, order)
    if total is None:
        return 1.0
    with precision(_BITS):
        a = ball(order)
        exponent = (a - 1) * (ball(total - epsilon) + ((a - 1) / a).log()) - a.log()
        upper = rational_ends(exponent.exp())[1]
    return 1.0 if upper is None else min(1.0, round_up(upper))


def _total(groups: Sequence[tuple[Release, int]], order: Fraction) -> Fraction | None:
    """Return an upper bound of the Renyi divergence of the composition at `order`, None for infinity."""
    uppers = [(count, renyi_bounds(release, order).upper) for release, count in groups]
    if not all(math.isfinite(upper) for _, upper in uppers):
        return None
    return sum((count * Fraction(upper) for count, upper in uppers), Fraction(0))


def _best_order(
    groups: Sequence[tuple[Release, int]], objective: Callable[[FloatArray, FloatArray], FloatArray]
) -> Fraction:
    """Return the order at which a float objective is least, on a grid that is refined around its best point."""
    cells = [(admissible_cells(release), count) for release, count in groups]
    everything = [cell for found, _ in cells for cell in found]
    s = exponents_for(everything, sum(count for _, count in groups))
    for _ in range(_REFINEMENTS):
        place = _lowest(cells, s, objective)
        s = np.geomspace(s[max(0, place - 1)], s[min(len(s) - 1, place + 1)], len(s))
    return 1 + few_bits(float(s[_lowest(cells, s, objective)]))


def _lowest(
    cells: Sequence[tuple[Sequence[Cell], int]],
    s: FloatArray,
    objective: Callable[[FloatArray, FloatArray], FloatArray],
) -> int:
    cumulant = sum((count * Tails.of(found, s).above for found, count in cells), np.zeros(len(s)))
    return int(np.argmin(objective(s, cumulant)))
