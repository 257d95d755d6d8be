"""The pairs of outputs that a release admits: covered by few Gaussian pairs from above, and met by some from below.

Let the narrow output have norm `m` and the distance of the two be `y eta m`. The largest distance at `m` gives, with
`kappa = sigma2 eta^2 / (gamma r_rel^2)` and in units of the narrow variance,

    D^2(y) = (eta^2 / gamma) y^2 / (1 - kappa + kappa y^2),     w(y) = eta y (2 + eta y) / (1 - kappa + kappa y^2)

for `y >= 1`, both rational in `y`; a release with `r_rel = 0` is the case `y = 1`. An admissible pair has a squared
distance <= D^2(y) and an excess between 0 and w(y) for one `y`, in either order. Two facts make few pairs enough:

* hockey-stick divergences grow with the distance, in both orders and at every epsilon;
* at a fixed distance the slope in the excess of the wide variance changes sign at most once, from minus to plus, so on
  an interval of the excess the largest value is at one of its ends.

Hence a *cell*, a tuple of pairs, stands for all pairs whose hockey-stick curve lies under the greatest of its curves.
Source: derived in `derivations/beyond/`: `pairs/curve_of_pairs`, `hockey_stick` (growth with the
distance), `variance_ends` (one change of sign), `cells_of_pairs` (bounds of excess and distance along the curve).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

from rgm_verify.accounting.release import Release
from rgm_verify.gaussians.pair import GaussianPair
from rgm_verify.numbers.roots import root_above

Cell: TypeAlias = tuple[GaussianPair, ...]
"""Pairs whose greatest hockey-stick curve lies above the curve of every pair that the cell stands for."""

# The excess that helps most is the largest, so cells get finer towards it; a coarse cell only has to be no better.
_WIDE_ENDS = (Fraction(0), Fraction(1, 2), Fraction(3, 4), Fraction(7, 8), Fraction(15, 16), Fraction(1))
_NARROW_ENDS = (Fraction(0), Fraction(1))
FEWEST_POINTS = 16
_TOGETHER = 4

_Run: TypeAlias = tuple[Fraction, Fraction, Fraction]


@dataclass(frozen=True)
class Branch:
    """A cell that stands for all pairs for which its parts stand; with no parts, a cell as it is used.

    Attributes:
        cell: by itself an upper bound for all of the parts, if a looser one than these.
        parts: finer cells, together for the same pairs of outputs.
    """

    cell: Cell
    parts: tuple[Branch, ...] = ()

    @property
    def cells(self) -> list[Cell]:
        """The finest cells."""
        return [cell for part in self.parts for cell in part.cells] if self.parts else [self.cell]


@dataclass(frozen=True)
class Cover:
    """Cells that together stand for every pair of outputs of a release on neighbours, in both orders.

    An enclosure from above: a cell may hold pairs that no outputs have. Its curve then lies higher, never lower.

    Attributes:
        leading: cells that are likely the worst; a guide.
        others: all other cells, those next to each other joined.
    """

    leading: tuple[Cell, ...]
    others: tuple[Branch, ...]

    @property
    def cells(self) -> list[Cell]:
        """The finest cells, which by themselves stand for everything."""
        return [*self.leading, *(cell for branch in self.others for cell in branch.cells)]


def admissible_cells(release: Release) -> Cover:
    """Return cells for any release; where the baseline covers, the largest distance is the same in all of them."""
    largest = largest_excess(release)
    wide = [_cell(release, a * largest, b * largest) for a, b in pairwise(_WIDE_ENDS)]
    # Coarse, since the narrow order is hardly ever the worst: it has to be covered, not to be tight.
    narrow = [_turned(_cell(release, a * largest, b * largest)) for a, b in pairwise(_NARROW_ENDS)]
    return Cover((wide[-1], narrow[-1]), tuple(map(Branch, wide[:-1] + narrow[:-1])))


def cells_around(release: Release, y: Fraction, *, points: int = FEWEST_POINTS, both_fine: bool = True) -> Cover:
    """Return cells for a release below the threshold of its baseline, finest around the extreme pair at `y`.

    From where `w(y)` is largest on, `w` falls and `D^2` grows: a pair of any `y'` lies below the curve `(w, D^2)` of
    the larger `y`. Between two points of that curve `D^2` is at most that of the larger, and `w` at least its `w`.

    Args:
        release: a release whose baseline does not cover.
        y: about the place of the worst pair; a poor one gives loose cells, not wrong ones.
        points: cells on either side of `y`.
        both_fine: whether narrow against wide has as many, or few coarse ones.
    """
    ends = _ends_around(release, y, points)
    limit = release.r_rel**2 / release.sigma2
    shifts = [pair_at(release, end).shift_squared for end in ends[1:]] + [limit]
    # Rounded up at its peak; beyond it each point has its exact excess.
    excesses = [largest_excess(release)] + [pair_at(release, end).excess for end in ends[1:]]
    # Each cell reaches down to the excess at which the next one starts, so that nothing lies between two cells.
    lows = [*excesses[1:], release.gamma * shifts[-1] / 2]
    runs = [*zip(shifts, lows, excesses, strict=True), (limit, Fraction(0), lows[-1])]
    # The cell that ends next to y, and the one without an excess at the other end.
    worst = min(range(len(ends) - 1), key=lambda k: abs(ends[k + 1] - y), default=0)
    leading = {worst, len(runs) - 1}
    wide = [_between(release, *runs[k]) for k in sorted(leading)]
    others = [_branch(release, part) for part in _apart(runs, leading)]
    if not both_fine:
        return Cover((*wide, _turned(coarse_corners(release, y))), tuple(others))
    return Cover((*wide, *map(_turned, wide)), (*others, *map(_turned_branch, others)))


def _apart(runs: Sequence[_Run], leading: set[int]) -> list[Sequence[_Run]]:
    """Return parts of neighbours, a few in each, without those that lead."""
    places = [-1, *sorted(leading), len(runs)]
    between = [runs[a + 1 : b] for a, b in pairwise(places)]
    return [part[k : k + _TOGETHER] for part in between for k in range(0, len(part), _TOGETHER)]


def _branch(release: Release, runs: Sequence[_Run]) -> Branch:
    """Return a branch of neighbouring cells, each given by its squared distance and the ends of its excess."""
    parts = tuple(Branch(_between(release, *run)) for run in runs)
    shifts, lows, highs = zip(*runs, strict=True)
    return Branch(_between(release, max(shifts), min(lows), max(highs)), parts) if len(runs) > 1 else parts[0]


def _turned(cell: Cell) -> Cell:
    """Return the cell in the other order."""
    return tuple(pair.reversed() for pair in cell)


def _turned_branch(branch: Branch) -> Branch:
    """Return the branch in the other order."""
    return Branch(_turned(branch.cell), tuple(map(_turned_branch, branch.parts)))


def _ends_around(release: Release, y: Fraction, points: int) -> list[Fraction]:
    """Return increasing points from where `w` is largest on, closer to each other (in `1 / y^2`) near `y`.

    A cell at a distance `t` may be as wide as what is lost by being there, which grows as `t^2`, and never needs to be
    narrower than the accuracy that is wanted.
    """
    start = _peak_above(release)
    top, focus = 1 / float(start) ** 2, min(1 / float(y) ** 2, 1 / float(start) ** 2)
    parts = [(k / points) ** 1.5 for k in range(1, points)]
    # The power 1.5 draws the points towards the focus.
    inverses = {focus + (top - focus) * part for part in parts} | {focus} | {focus * (1 - part) for part in parts}
    return [start, *sorted({Fraction(u**-0.5) for u in inverses if 0 < u < top and Fraction(u**-0.5) > start})]


def _peak_above(release: Release) -> Fraction:
    """Return a `y >= 1` from which on `w(y)` does not increase: `kappa y^2 - (1 - kappa)(eta y + 1) >= 0`."""
    kappa = release.sigma2 * release.eta**2 / (release.gamma * release.r_rel**2)
    slope = (1 - kappa) * release.eta
    return max(Fraction(1), (slope + root_above(slope**2 + 4 * kappa * (1 - kappa))) / (2 * kappa))


def coarse_corners(release: Release, y: Fraction) -> Cell:
    """Return one coarse cell, wide against narrow: ends of what lies up to `y`, and of what lies beyond it.

    It covers all pairs of the release in that order, with a larger distance or excess than some of them have.
    """
    middle, limit = pair_at(release, max(y, _peak_above(release))), release.r_rel**2 / release.sigma2
    return (
        *_between(release, middle.shift_squared, middle.excess, largest_excess(release)),
        *_between(release, limit, Fraction(0), middle.excess),
    )


def _between(release: Release, shift: Fraction, low: Fraction, high: Fraction) -> Cell:
    """Return the two pairs of one distance with the least and the largest excess."""
    return GaussianPair(shift, low, release.dimension), GaussianPair(shift, high, release.dimension)


def _cell(release: Release, low: Fraction, high: Fraction) -> Cell:
    """Return a cell for the excesses from `low` to `high`, with the largest distance that goes with any of them."""
    return _between(release, shift_above(release, low), low, high)


def largest_excess(release: Release) -> Fraction:
    """Return the least upper bound of the excess over all admissible pairs, rounded up.

    Where the baseline covers it is `q` exactly. Below, `w(y) <= w` for every `y` says that the quadratic
    `(w kappa - eta^2) y^2 - 2 eta y + w (1 - kappa)` has no two real roots, and `w(y)` decreases from `y = 1` on if
    `kappa (2 + eta) >= 1 + eta`.
    """
    kappa, eta = _kappa(release), release.eta
    # The excess then falls from y = 1 on, or is bounded by the pairs without baseline: q is its supremum.
    if kappa is None or kappa * (2 + eta) >= 1 + eta:
        return release.q
    slack = 1 - kappa
    root = root_above((eta**2 * slack) ** 2 + 4 * kappa * slack * eta**2)
    return (eta**2 * slack + root) / (2 * kappa * slack)


def reached_excess(release: Release) -> Fraction:
    """Return an excess that admissible pairs reach or come close to: the largest one, rounded down.

    `w(y)` is stationary where `kappa y^2 - eta (1 - kappa) y - (1 - kappa) = 0`; there an error in `y` counts squared.
    """
    kappa, eta = _kappa(release), release.eta
    if kappa is None or kappa * (2 + eta) >= 1 + eta:
        return release.q
    slack = 1 - kappa
    y = (eta * slack + root_above((eta * slack) ** 2 + 4 * kappa * slack)) / (2 * kappa)
    # Whatever rounding the root has, the pair at this y is admissible or a limit: its excess is reached.
    return pair_at(release, max(Fraction(1), y)).excess


def shift_above(release: Release, excess: Fraction) -> Fraction:
    """Return an upper bound of the squared distance of the admissible pairs whose excess may reach `excess`.

    `D^2(y)` increases where the baseline does not cover, so it is `D^2` at the largest `y` with `w(y) >= excess`.
    """
    kappa, eta = _kappa(release), release.eta
    if kappa is None:
        return eta**2 / release.gamma
    # Not positive: the excess is reached however far out, where the distance tends to its limit.
    curvature = excess * kappa - eta**2
    if curvature <= 0:
        return release.r_rel**2 / release.sigma2
    radicand = eta**2 - curvature * excess * (1 - kappa)
    return pair_at(release, max(Fraction(1), (eta + root_above(max(Fraction(0), radicand))) / curvature)).shift_squared


def pair_at(release: Release, y: Fraction) -> GaussianPair:
    """Return the pair at distance `y eta m`, wide against narrow, exactly; admissible for `y > 1`, a limit at 1.

    Only for a release whose baseline does not cover.
    """
    kappa, eta = release.sigma2 * release.eta**2 / (release.gamma * release.r_rel**2), release.eta
    narrow = 1 - kappa + kappa * y**2
    return GaussianPair(eta**2 / release.gamma * y**2 / narrow, eta * y * (2 + eta * y) / narrow, release.dimension)


def _kappa(release: Release) -> Fraction | None:
    """Return `kappa` where it is below 1, None where the baseline covers and one pair bounds every other."""
    return None if release.baseline_covers else release.sigma2 * release.eta**2 / (release.gamma * release.r_rel**2)


# ------------------------------------------------------------------------------------------------ from below


def reachable_pairs(groups: Sequence[tuple[Release, int]]) -> list[GaussianPair]:
    """Return pairs that products of admissible pairs (or limits of such) reach: what they say is a lower bound.

    `groups` holds releases with their numbers. The releases of a sum must share one excess for the product to be one
    pair, so one candidate is made for each excess `q` of a group, out of the releases that can have it, and one for no
    excess at all. Below the threshold of the baseline a group alone has its whole curve of pairs; see `points_below`.
    """
    excesses = sorted({release.q for release, _ in groups} | {Fraction(0)})
    candidates = [_common(groups, excess) for excess in excesses]
    return [pair for pair in candidates if pair is not None]


def _common(groups: Sequence[tuple[Release, int]], excess: Fraction) -> GaussianPair | None:
    """Return the product of all releases that can have this excess, None where there is none.

    On the line outputs of one norm are 0 or twice it apart, so that a release there takes no part at excess 0.
    """
    able = [(r, n) for r, n in groups if r.q >= excess and (r.dimension > 1 or excess > 0)]
    if not able:
        return None
    shift = sum((n * _shift_with(r, excess) for r, n in able), Fraction(0))
    return GaussianPair(shift, excess, sum(n * r.dimension for r, n in able))


def _shift_with(release: Release, excess: Fraction) -> Fraction:
    """Return a squared distance that goes with the excess, for outputs of large norm.

    In the plane two outputs whose norms have the ratio `k` can be at every distance from `(k - 1) m` to `(k + 1) m`, so
    at `eta m` unless `k + 1` is less; on the line they are at `(k - 1) m`. Source: beyond:distance-of-two-norms.
    """
    if excess == release.q:
        return release.eta**2 / release.gamma
    # Rounded down: on the line the excess needs a slightly larger distance, and divergences grow with the distance.
    ratio = 1 / root_above(1 / (1 + excess))
    side = min(release.eta, ratio + 1) if release.dimension > 1 else max(Fraction(0), ratio - 1)
    return side**2 / release.gamma


def points_below(release: Release, count: int) -> list[Fraction]:
    """Return `count` points `y > 1` along the curve of extreme pairs, empty where the baseline covers.

    Each point is admissible, so that a divergence there is a lower bound. The points lie densest near 1.
    """
    kappa = _kappa(release)
    if kappa is None:
        return []
    # The curve turns within a few multiples of `y = 1 / sqrt(kappa)`, and of 1.
    reach = 1 + 64 / root_above(kappa)
    return [1 + (reach - 1) * Fraction(k, count) ** 4 for k in range(1, count + 1)]
