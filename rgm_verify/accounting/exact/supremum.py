"""The certified largest value over the pairs that can be the worst: at single pairs, and along curves of pairs.

A "value" is a number of one pair that grows with its divergence: delta at a given epsilon, or epsilon at a given delta.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise

from rgm_verify.accounting.exact.worst_pairs import Cell, Path, worst_paths, worst_points
from rgm_verify.accounting.release import Release
from rgm_verify.balls.enclose import Enclosure
from rgm_verify.errors import InputError
from rgm_verify.gaussians.certified.slope import slope_sign
from rgm_verify.gaussians.pair import GaussianPair

Value = Callable[[GaussianPair, int], Enclosure]
"""The certified number of one pair, to a number of digits."""

SignedCell = tuple[Fraction, Fraction, int]
_ROUGH_DIGITS = 3
_A_FEW = 2
_MOST_CELLS = 200  # each undecided cell costs certified values of three pairs in the end
_BITS, _BITS_PER_HALVING = 128, 5  # the slope near equal variances divides by the fourth power of the excess
_ZERO = Fraction(0)


def largest(pairs: Sequence[GaussianPair], value: Value, digits: int, *, known: Sequence[Enclosure] = ()) -> Enclosure:
    """Return an enclosure of the largest value: roughly for all pairs, closely for those that may be the largest.

    Of two pairs or one the first is taken to be the largest, and looked at closely at once.

    Args:
        pairs: those to look at; none only beside `known` values.
        value: the number of a pair, to a number of digits.
        digits: those of the close values.
        known: close values of other pairs.

    Raises:
        InputError: for a value without an upper end.
    """
    first = pairs[:1] if len(pairs) <= _A_FEW and not known else ()
    close = [*known, *(value(pair, digits) for pair in first)]
    # A few digits tell most pairs apart, at a fraction of the cost.
    rough = {pair: value(pair, _ROUGH_DIGITS) for pair in pairs[len(first) :]}
    best = max(map(_lower, (*close, *rough.values())))
    close += [value(pair, digits) for pair, found in rough.items() if _upper(found) >= best]
    return Enclosure(max(map(_lower, close)), max(map(_upper, close)))


def _lower(found: Enclosure) -> Fraction:
    """Return the lower end of an enclosure, 0 where there is none: a divergence is at least that."""
    return _ZERO if found.lower is None else found.lower


def _upper(found: Enclosure) -> Fraction:
    """Return the upper end of an enclosure, which has to be there."""
    if found.upper is None:
        raise InputError("no bound: these parameters are beyond the largest working precision")
    return found.upper


def candidates(
    release: Release, epsilon: Fraction, digits: int
) -> tuple[tuple[GaussianPair, ...], tuple[GaussianPair, ...]]:
    """Return (pairs that are limits of admissible ones, pairs beyond every admissible one) for delta at `epsilon` >= 0.

    The exact delta lies between the largest values of both; they differ by about `10^-digits` in their parameters.
    """
    points = worst_points(release)
    # Single pairs belong to both: they are limits of admissible ones and bound themselves.
    inside, outside = [*points], [*points]
    # Wide against narrow alone: at these epsilons the other order is no worse, pair by pair.
    for path in worst_paths(release):
        for cell in critical_cells(path, epsilon, digits):
            inside.append(path.pair(cell[0]))
            outside += path.corners(cell)
    return tuple(inside), tuple(outside)


def critical_cells(path: Path, epsilon: Fraction, digits: int) -> list[Cell]:
    """Return narrow cells that hold every place of the path where wide against narrow at `epsilon` may be largest.

    On a cell where the divergence certainly rises or falls it is largest at an end, which belongs to a neighbour. The
    other cells are halved until narrower than `10^-digits` of the path, or until there are 200 of them (where the
    slope is 0 at equal variances, for `eta > 2`). For narrow against wide pass `-epsilon`.
    """
    runs = _joined(_signed_cells(path, epsilon, digits))
    cells = [(low, high) for low, high, sign in runs if sign == 0]
    # A place where the sign turns from rising to falling is a maximum that lies on the edge of two decided cells.
    cells += [(low, low) for (_, _, before), (low, _, sign) in pairwise(runs) if before > 0 > sign]
    cells += [(path.low, path.low)] * (runs[0][2] < 0) + [(path.high, path.high)] * (runs[-1][2] > 0)
    return cells


def _signed_cells(path: Path, epsilon: Fraction, digits: int) -> list[SignedCell]:
    """Return a partition of the path into cells, in order, with the sign of the slope on each."""
    curve, cells = path.curve, [(path.low, path.high, 0)]
    # Near equal variances each halving of the path takes more bits of the slope.
    growth = _BITS_PER_HALVING if path.reaches_equal_variances else 0
    for depth in range(int(3.33 * digits) + 1):
        halved: list[SignedCell] = []
        for low, high, sign in cells:
            parts = ((low, high),) if sign else ((low, (low + high) / 2), ((low + high) / 2, high))
            halved += [(a, b, sign or slope_sign(curve, epsilon, a, b, bits=_BITS + growth * depth)) for a, b in parts]
        cells = halved
        if not 0 < sum(sign == 0 for _, _, sign in cells) <= _MOST_CELLS:
            break
    return cells


def _joined(cells: Sequence[SignedCell]) -> list[SignedCell]:
    """Return the cells with neighbours of one sign joined; undecided ones stay apart."""
    runs: list[SignedCell] = []
    for low, high, sign in cells:
        if runs and runs[-1][2] == sign and sign:
            runs[-1] = (runs[-1][0], high, sign)
        else:
            runs.append((low, high, sign))
    return runs
