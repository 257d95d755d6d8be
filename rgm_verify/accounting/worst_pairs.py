"""Which pairs of outputs can be the worst for (epsilon, delta), and the certified largest value over them.

For a fixed smaller norm the hockey-stick divergence grows with the distance of the outputs, and as a function of the
larger variance, in units of the smaller one, it falls and then rises. So the worst pairs are at the largest distance, with
the largest excess, in either order, or with none. A "value" below is a number of one pair with these two properties:
delta at a given epsilon, or epsilon at a given delta.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise

from rgm_verify.accounting.below_threshold import Family
from rgm_verify.accounting.release import Release
from rgm_verify.balls import Enclosure
from rgm_verify.divergences.pair import GaussianPair
from rgm_verify.errors import InputError

Value = Callable[[GaussianPair, int], Enclosure]
"""The certified number of one pair, with so many digits."""

_ROUGH_DIGITS = 3
_ZERO, _ONE = Fraction(0), Fraction(1)


def plain_pair(release: Release, spread: Fraction = _ONE) -> GaussianPair:
    """Return two Gaussians of one variance at the squared distance `(eta^2 / gamma) / spread`."""
    return GaussianPair(release.eta**2 / (release.gamma * spread), 0, release.dimension)


def dominating_pairs(release: Release) -> tuple[GaussianPair, ...]:
    """Return pairs whose largest value no admissible pair exceeds, where the baseline noise is at its threshold.

    The plain pair is left out where outputs of one norm are never at a distance: on the line without an absolute term
    two neighbours have one sign, and both variances and distance are largest together.
    """
    worst = release.worst_pair
    if release.dimension == 1 and release.r_rel == 0 and release.eta < 2:
        return (worst, worst.reversed())
    return (worst, worst.reversed(), plain_pair(release))


def admissible_pairs(release: Release) -> tuple[GaussianPair, ...]:
    """Return pairs that are admissible, or limits of such: the largest of their values is a lower bound.

    Wide against narrow and back; outputs of one norm, where the dimension (at right angles or so) or an absolute term
    (opposite each other) gives room for them; and for `eta > 2` outputs opposite each other.
    """
    worst, eta = release.worst_pair, release.eta
    pairs = [worst, worst.reversed()]
    if eta > 2:
        opposite = GaussianPair(worst.shift_squared, eta * (eta - 2), release.dimension)
        return (*pairs, opposite, opposite.reversed())
    if release.dimension >= 2:
        pairs.append(plain_pair(release))
    if release.r_rel > 0 and eta < 2:
        family = Family.of(release)
        pairs.append(plain_pair(release, family.spread_at(eta / 2)))
    return tuple(pairs)


def largest(pairs: Iterable[GaussianPair], value: Value, digits: int) -> Enclosure:
    """Return an enclosure of the largest value: roughly for all pairs, closely for those that may be the largest."""
    rough = {pair: value(pair, _ROUGH_DIGITS) for pair in pairs}
    best = max(_lower(found) for found in rough.values())
    close = [value(pair, digits) for pair, found in rough.items() if _upper(found) >= best]
    return Enclosure(max(map(_lower, close)), max(map(_upper, close)))


def _lower(found: Enclosure) -> Fraction:
    return _ZERO if found.lower is None else found.lower


def _upper(found: Enclosure) -> Fraction:
    if found.upper is None:
        raise InputError("no bound: these parameters are beyond the largest working precision")
    return found.upper


def critical_cells(family: Family, epsilon: Fraction, digits: int) -> list[tuple[Fraction, Fraction]]:
    """Return narrow cells of z that hold every place where wide against narrow at `epsilon` may be largest.

    Cells where the divergence certainly rises or falls are worst at an end, which belongs to a neighbouring cell. For
    narrow against wide pass `-epsilon`. Certified by the sign of the slope; the other cells are halved until they are
    narrower than `10^-digits`.
    """
    runs = _signed_cells(family, epsilon, Fraction(1, 10**digits))
    cells = [(low, high) for low, high, sign in runs if sign == 0]
    cells += [(low, low) for (_, _, before), (low, _, sign) in pairwise(runs) if before > 0 > sign]
    cells += [(_ZERO, _ZERO)] * (runs[0][2] < 0) + [(_ONE, _ONE)] * (runs[-1][2] > 0)
    return cells


def _signed_cells(family: Family, epsilon: Fraction, narrowest: Fraction) -> list[tuple[Fraction, Fraction, int]]:
    """Return a partition of [0, 1] into cells with the sign of the slope on each, neighbours of one sign joined."""
    from rgm_verify.balls.slope import slope_sign

    runs: list[tuple[Fraction, Fraction, int]] = []
    curve = family.curve
    stack = [(_ZERO, _ONE)]
    while stack:
        low, high = stack.pop()
        sign = slope_sign(curve, epsilon, low, high)
        if sign == 0 and high - low > narrowest:
            middle = (low + high) / 2
            stack += [(middle, high), (low, middle)]
        elif runs and runs[-1][2] == sign:
            runs[-1] = (runs[-1][0], high, sign)
        else:
            runs.append((low, high, sign))
    return runs


def cell_pairs(family: Family, cell: tuple[Fraction, Fraction]) -> tuple[GaussianPair, ...]:
    """Return pairs, wide against narrow, whose largest value is at least that of every z in the cell.

    At the largest distance of the cell, with its smallest and its largest excess.
    """
    low, high = cell
    if low == high:
        return (family.pair(low),)
    corner = family.corner(low, high)
    return corner, GaussianPair(corner.shift_squared, family.smallest_excess(low, high), corner.dimension)


def sided(pairs: Sequence[GaussianPair], *, reverse: bool) -> tuple[GaussianPair, ...]:
    """Return the pairs, or each with P and Q exchanged."""
    return tuple(pair.reversed() for pair in pairs) if reverse else tuple(pairs)
