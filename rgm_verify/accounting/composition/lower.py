"""Lower bounds of a composition: an adversary certainly reaches them by products of admissible pairs.

Pairs of one excess are one pair, in closed form. Different excesses are convolved with every rounding downward. A part
of a composition costs no more than the whole, so that every release of a list gives a lower end too, alone or with its
equals.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from rgm_verify.accounting.composition.envelope import FloatArray
from rgm_verify.accounting.composition.grid import Focus
from rgm_verify.accounting.composition.loss_tails import ranks, variance
from rgm_verify.accounting.composition.product_lower import product_delta_below, product_epsilon_below
from rgm_verify.accounting.composition.renyi import renyi_delta
from rgm_verify.accounting.conversion import release_epsilon_at_once
from rgm_verify.accounting.exact import one_release
from rgm_verify.accounting.exact.admissible_pairs import coarse_corners, pair_at, points_below, reachable_pairs
from rgm_verify.accounting.exact.worst_pairs import worst_paths, worst_points
from rgm_verify.accounting.release import Release
from rgm_verify.balls.enclose import Enclosure
from rgm_verify.gaussians.certified.epsilon import epsilon_enclosure
from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosure
from rgm_verify.gaussians.floating.arguments import LARGEST, SMALLEST
from rgm_verify.gaussians.floating.hockey_stick import log_hockey_stick
from rgm_verify.gaussians.pair import GaussianPair
from rgm_verify.numbers.bounds import round_down

_DIGITS = 12
_SMALLEST = 1e-250  # below, products of floats come near the end of their range
_ALONG_THE_CURVE = 200
_MOST_CANDIDATES = 3
_MOST_RANKED = 64
_MOST_DIMENSIONS = 2.0**53
_MOST_FACTORS = 6  # each is one more convolution

Group: TypeAlias = tuple[Release, int]
Groups: TypeAlias = Sequence[Group]
Chernoff: TypeAlias = Callable[[FloatArray, FloatArray], FloatArray]


@dataclass(frozen=True)
class _Quantity:
    """Epsilon at a delta or delta at an epsilon, from below: of one pair, of a product, and of one release exactly.

    Attributes:
        chernoff: the function whose least value ranks pairs; a guide.
        level: the epsilon at which pairs are compared, from a value of the number; a guide.
        of_pair: the number of one pair, enclosed.
        of_product: that of a product of pairs, from below, with a number that is known already.
        of_release: that of one release, from below.
        of_release_above: an upper bound for one release, by which work that cannot raise the lower end is spared.
    """

    chernoff: Chernoff
    level: Callable[[float], float]
    of_pair: Callable[[GaussianPair], Enclosure]
    of_product: Callable[[Sequence[GaussianPair], float], float]
    of_release: Callable[[Release], float]
    of_release_above: Callable[[Release], float]

    def closed(self, pairs: Sequence[GaussianPair]) -> float:
        """Return the largest value of the most promising of some pairs, rounded down; any of them is valid.

        Chernoff's bound ranks the pairs, the value of the best one says where to look, and there divergences in floats
        rank the next ones, so that few are enclosed. 0 if none has a lower end.
        """
        distinct = list(dict.fromkeys(pairs))
        order = np.argsort(-ranks(distinct, self.chernoff), kind="stable")[:_MOST_RANKED]
        ranked = [distinct[k] for k in order]
        best = self._of_pair_below(ranked[0])
        again = _by_divergence(ranked[1:], self.level(best))[: _MOST_CANDIDATES - 1]
        return max([best, *map(self._of_pair_below, again)])

    def _of_pair_below(self, pair: GaussianPair) -> float:
        """Return the number of one pair rounded down; 0 if it has no lower end."""
        lower = self.of_pair(pair).lower
        return 0.0 if lower is None else max(0.0, round_down(lower))


def _by_divergence(pairs: Sequence[GaussianPair], epsilon: float) -> list[GaussianPair]:
    """Return pairs with the largest divergence at `epsilon` first, in floats; a guide.

    Those that are out of the range of the floating-point divergence follow in the order given.
    """
    rows = np.array([(float(p.shift_squared), float(p.excess), float(p.dimension)) for p in pairs]).reshape(-1, 3)
    sizes = np.abs(rows[:, :2])
    # By a factor within the range, so that no rounding leaves it.
    fits = ((sizes == 0) | ((sizes > 2 * SMALLEST) & (sizes < LARGEST / 2))).all(axis=1)
    fits &= (rows[:, 1] > -1) & (rows[:, 2] < _MOST_DIMENSIONS)
    known = np.flatnonzero(fits)
    order = known[np.argsort(-log_hockey_stick(epsilon, *rows[known].T), kind="stable")]
    return [pairs[k] for k in (*order, *np.flatnonzero(~fits))]


def epsilon_below(groups: Groups, delta: Fraction) -> float:
    """Return the largest epsilon that a product of admissible pairs is certified to need at `delta`, rounded down.

    It is never below the same number of a release of the list with its count, nor below the exact one of one release.
    """

    def of_pair(pair: GaussianPair) -> Enclosure:
        return epsilon_enclosure(delta, pair.shift_squared, pair.excess, pair.dimension, digits=_DIGITS)

    def of_product(pairs: Sequence[GaussianPair], _: float) -> float:
        return product_epsilon_below(pairs, delta) if delta > _SMALLEST else 0.0

    def of_release(release: Release) -> float:
        return one_release.epsilon(release, delta).lower

    def of_release_above(release: Release) -> float:
        return release_epsilon_at_once(release, delta)

    chernoff = epsilon_chernoff(delta)
    return _largest(groups, _Quantity(chernoff, lambda value: value, of_pair, of_product, of_release, of_release_above))


def delta_below(groups: Groups, epsilon: Fraction) -> float:
    """Return the largest delta that a product of admissible pairs is certified to need at `epsilon`, rounded down.

    It is never below the same number of a release of the list with its count, nor below the exact one of one release.
    """

    def of_pair(pair: GaussianPair) -> Enclosure:
        return hockey_stick_enclosure(epsilon, pair.shift_squared, pair.excess, pair.dimension, digits=_DIGITS)

    def of_product(pairs: Sequence[GaussianPair], closed: float) -> float:
        return product_delta_below(pairs, epsilon, closed) if closed > _SMALLEST else 0.0

    def of_release(release: Release) -> float:
        return one_release.delta(release, epsilon).lower

    def of_release_above(release: Release) -> float:
        return renyi_delta([(release, 1)], epsilon)

    chernoff, level = delta_chernoff(epsilon), float(epsilon)
    return _largest(groups, _Quantity(chernoff, lambda _: level, of_pair, of_product, of_release, of_release_above))


def _largest(groups: Groups, quantity: _Quantity) -> float:
    """Return the largest value of products over the whole list, over each release with its count, and of one release.

    A list gives its members in the order of their Chernoff bounds, so that what cannot matter is seen early.
    """
    merged: dict[Release, int] = {}
    for release, count in groups:
        merged[release] = merged.get(release, 0) + count
    # Each member alone, and with its equals from elsewhere in the list: a part costs no more than the whole.
    members = list(dict.fromkeys([*merged.items(), *groups]))
    pairs = {member: _pairs_of(member, quantity.chernoff) for member in members}
    best = max(quantity.closed(pairs[member]) for member in members)
    # Powers of one release's pairs have closed forms, which the line above took.
    if len(merged) > 1:
        best = max(best, quantity.closed(reachable_pairs(groups)))
        for factors in _products(list(merged.items()), pairs, quantity.chernoff):
            best = max(best, quantity.of_product(factors, best))
    for release in merged:
        # One release alone cannot raise the bound unless its upper bound is above it.
        if best < quantity.of_release_above(release):
            best = max(best, quantity.of_release(release))
    return best


def _pairs_of(member: Group, chernoff: Chernoff) -> list[GaussianPair]:
    """Return pairs that a release with its count reaches, as one pair each: those that can be the worst for one."""
    release, count = member
    found = [pair.repeated(count) for pair in _extreme_pairs(release)]
    return [*reachable_pairs([member]), *found]


def _extreme_pairs(release: Release) -> list[GaussianPair]:
    """Return limits of admissible pairs: the worst points, and points along every curve of pairs, wide against narrow.

    The other order has no larger divergence at an epsilon of at least 0, and neither have its powers. That of the worst
    pair is there too, as it can be enclosed where numbers are so large that the first order cannot.
    """
    worst = release.worst_pair
    pairs = [worst, worst.reversed(), *worst_points(release), *(pair_at(release, y) for y in _points_below(release))]
    for path in worst_paths(release):
        width = (path.high - path.low) / _ALONG_THE_CURVE
        pairs += [path.pair(path.low + k * width) for k in range(_ALONG_THE_CURVE + 1)]
    return list(dict.fromkeys(pairs))


def _products(
    members: Sequence[Group], pairs: dict[Group, list[GaussianPair]], chernoff: Chernoff
) -> list[list[GaussianPair]]:
    """Return products to convolve: of the pairs for large outputs, and of the most promising pair of each member."""
    best = [pairs[member][int(np.argmax(ranks(pairs[member], chernoff)))] for member in members]
    found = [_factors([release.worst_pair.repeated(count) for release, count in members]), _factors(best)]
    return [factors for k, factors in enumerate(found) if len(factors) > 1 and factors not in found[:k]]


def _factors(pairs: Sequence[GaussianPair]) -> list[GaussianPair]:
    """Return the product of pairs with those of one excess as one pair; the weightiest factors, if there are many."""
    merged: dict[Fraction, GaussianPair] = {}
    for pair in pairs:
        known = merged.get(pair.excess)
        merged[pair.excess] = pair if known is None else _joined(known, pair)
    # To leave factors out is to look at fewer outputs, which never raises a divergence: it stays a lower bound.
    return sorted(merged.values(), key=variance)[-_MOST_FACTORS:]


def _joined(a: GaussianPair, b: GaussianPair) -> GaussianPair:
    """Return two pairs of one excess as one."""
    return GaussianPair(a.shift_squared + b.shift_squared, a.excess, a.dimension + b.dimension)


def extreme_points(groups: Groups, chernoff: Chernoff) -> list[Focus | None]:
    """Return for each group where on its curve of extreme pairs the product is about the worst; a guide for cells.

    None where the baseline covers, and one pair is the worst.
    """
    return [_extreme_point(group, chernoff) for group in groups]


def _extreme_point(group: Group, chernoff: Chernoff) -> Focus | None:
    """Return the place where a group's pairs are about the worst, and whether both orders matter."""
    release, count = group

    points = _points_below(release)
    if not points:
        return None

    def scores(pairs: Sequence[GaussianPair]) -> FloatArray:
        return ranks([pair.repeated(count) for pair in pairs], chernoff, at_once=True)

    along = scores([pair_at(release, y) for y in points])
    worst = int(np.argmax(along))
    # Fine cells in the second order cost as much again, and are only worth it where that order leads.
    narrow = scores([pair.reversed() for pair in coarse_corners(release, points[worst])])
    return Focus(points[worst], both_orders=bool(narrow.max() > along[worst]))


def _points_below(release: Release) -> list[Fraction]:
    """Return the points at which a curve of pairs is looked at."""
    return points_below(release, _ALONG_THE_CURVE)


def epsilon_chernoff(delta: Fraction) -> Chernoff:
    """Return the function whose least value over `s` is the Chernoff bound of epsilon at `delta`."""
    log = math.log(delta.numerator) - math.log(delta.denominator)
    return lambda s, cumulant: (cumulant - log) / s


def delta_chernoff(epsilon: Fraction) -> Chernoff:
    """Return the function whose least value over `s` is the Chernoff bound of `log delta` at `epsilon`."""
    target = float(epsilon)
    return lambda s, cumulant: cumulant - s * target
