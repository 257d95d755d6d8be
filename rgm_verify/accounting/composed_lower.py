"""What an adversary certainly reaches: the lower end of a composition, by products of admissible pairs.

Pairs of one excess are one pair, in closed form. Different excesses are convolved with every rounding downward.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeAlias

from rgm_verify.accounting.bounds import round_down
from rgm_verify.accounting.envelope import FloatArray
from rgm_verify.accounting.family import pair_at, points_below, reachable_pairs
from rgm_verify.accounting.loss_tails import Tails, exponents_for
from rgm_verify.accounting.product_lower import product_delta_below, product_epsilon_below
from rgm_verify.accounting.release import Release
from rgm_verify.balls.epsilon import epsilon_enclosure
from rgm_verify.balls.hockey_stick import hockey_stick_enclosure
from rgm_verify.divergences.pair import GaussianPair

_DIGITS = 12
_SMALLEST = 1e-250  # below, products of floats come near the end of their range
_ALONG_THE_CURVE = 200
_MOST_CANDIDATES = 3
_MOST_FACTORS = 6

Chernoff: TypeAlias = Callable[[FloatArray, FloatArray], FloatArray]


def epsilon_below(groups: Sequence[tuple[Release, int]], delta: Fraction) -> float:
    """Return the largest epsilon that a product of admissible pairs is certified to need at `delta`, rounded down."""
    lowers = [
        epsilon_enclosure(delta, pair.shift_squared, pair.excess, pair.dimension, digits=_DIGITS).lower
        for pair in _candidates(groups, epsilon_chernoff(delta))
    ]
    closed = max((max(0.0, round_down(lower)) for lower in lowers if lower is not None), default=0.0)
    factors = _factors(groups)
    return max(closed, product_epsilon_below(factors, delta)) if delta > _SMALLEST and factors else closed


def delta_below(groups: Sequence[tuple[Release, int]], epsilon: Fraction) -> float:
    """Return the largest delta that a product of admissible pairs is certified to need at `epsilon`, rounded down."""
    lowers = [
        hockey_stick_enclosure(epsilon, pair.shift_squared, pair.excess, pair.dimension, digits=_DIGITS).lower
        for pair in _candidates(groups, delta_chernoff(epsilon))
    ]
    closed = max((max(0.0, round_down(lower)) for lower in lowers if lower is not None), default=0.0)
    factors = _factors(groups)
    return max(closed, product_delta_below(factors, epsilon, closed)) if closed > _SMALLEST and factors else closed


def _factors(groups: Sequence[tuple[Release, int]]) -> list[GaussianPair]:
    """Return the worst pairs of the groups, those of one excess as one pair; none where the closed form says it all."""
    merged: dict[Fraction, GaussianPair] = {}
    for release, count in groups:
        pair = release.worst_pair.repeated(count)
        known = merged.get(pair.excess)
        merged[pair.excess] = pair if known is None else _joined(known, pair)
    return list(merged.values()) if 1 < len(merged) <= _MOST_FACTORS else []


def _joined(a: GaussianPair, b: GaussianPair) -> GaussianPair:
    return GaussianPair(a.shift_squared + b.shift_squared, a.excess, a.dimension + b.dimension)


def _candidates(groups: Sequence[tuple[Release, int]], chernoff: Chernoff) -> list[GaussianPair]:
    """Return the most promising products, those whose Chernoff bound is largest; a guide, any of them is valid."""
    pairs = reachable_pairs(groups)
    focus = extreme_point(groups, chernoff)
    if focus is not None:
        release, count = groups[0]
        limit = release.r_rel**2 / release.sigma2
        pairs.append(pair_at(release, focus).repeated(count))
        pairs.append(GaussianPair(limit, release.gamma * limit, release.dimension).repeated(count))
    return sorted(pairs, key=lambda pair: _score(pair, chernoff))[-_MOST_CANDIDATES:]


def extreme_point(groups: Sequence[tuple[Release, int]], chernoff: Chernoff) -> Fraction | None:
    """Return the point of the curve of extreme pairs whose product is about the worst; None where one pair is.

    Only for equal releases whose baseline does not cover. A guide for candidates and for cells.
    """
    if len(groups) > 1 or groups[0][0].baseline_covers:
        return None
    release, count = groups[0]
    points = points_below(release, _ALONG_THE_CURVE)
    return max(points, key=lambda y: _score(pair_at(release, y).repeated(count), chernoff))


def _score(pair: GaussianPair, chernoff: Chernoff) -> float:
    s = exponents_for([(pair,)], 1)
    return float(chernoff(s, Tails.of([(pair,)], s).above).min())


def epsilon_chernoff(delta: Fraction) -> Chernoff:
    """Return the function whose least value over `s` is the Chernoff bound of epsilon at `delta`."""
    log = math.log(delta.numerator) - math.log(delta.denominator)
    return lambda s, cumulant: (cumulant - log) / s


def delta_chernoff(epsilon: Fraction) -> Chernoff:
    """Return the function whose least value over `s` is the Chernoff bound of `log delta` at `epsilon`."""
    target = float(epsilon)
    return lambda s, cumulant: cumulant - s * target
