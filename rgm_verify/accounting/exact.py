"""Exact accounting of one release: its Renyi curve and its curve of (epsilon, delta), over all admissible pairs.

An admissible pair of outputs is a pair of normal laws, and only three kinds of pairs can be the worst: wide against
narrow, narrow against wide, and two of one variance. So a privacy number of one release is the largest of three numbers
of explicit pairs, or, where the baseline noise is below its threshold, the supremum over a curve of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from rgm_verify.accounting.below_threshold import Family
from rgm_verify.accounting.bounds import Bounds, round_down, round_up
from rgm_verify.accounting.release import Release
from rgm_verify.accounting.renyi_curve import renyi, renyi_bounds
from rgm_verify.accounting.worst_pairs import (
    Value,
    admissible_pairs,
    cell_pairs,
    critical_cells,
    dominating_pairs,
    largest,
    plain_pair,
    sided,
)
from rgm_verify.balls import Enclosure
from rgm_verify.divergences.pair import GaussianPair
from rgm_verify.errors import InputError, reject
from rgm_verify.exact import ExactInput, nonnegative
from rgm_verify.exact import exact as exact_number

__all__ = ["delta", "epsilon", "renyi", "renyi_bounds"]

_EXACT = "exact: certified hockey-stick divergence of the worst pair"
_INSIDE = "certified hockey-stick divergence of an admissible pair"
_OUTSIDE = "certified hockey-stick divergence of a pair beyond every admissible one"
_GUARD_DIGITS = 5
_LARGEST_ROUNDS = 40
_SMALLEST_STEP = Fraction(1, 10**6)


def delta(release: Release, epsilon: ExactInput, *, digits: int = 12) -> Bounds:
    """Return bounds on the least delta such that one release is (epsilon, delta)-DP: the exact privacy curve.

    It is the supremum of the hockey-stick divergence over all admissible pairs. Both ends agree to `10^-digits`,
    relatively, and a rounding to floats, unless the best pair of equal variances is out of reach (small `epsilon` with
    `sigma2` off its threshold in dimension 1 or below it, or `eta > 2`); then the interval says how much is open.
    `epsilon >= 0` is exact; floats are refused. Both ends are certified.
    """
    level = nonnegative(epsilon, name="epsilon", meaning="epsilon")
    return _bounds(_delta_ends(release, level, digits + 1), digits)


def epsilon(release: Release, delta: ExactInput, *, digits: int = 10) -> Bounds:
    """Return bounds on the least epsilon >= 0 such that one release is (epsilon, delta)-DP: the exact privacy curve.

    Both ends agree to `10^-digits`, relatively, with the exceptions of `delta`, and are certified.
    `0 < delta < 1` is exact; raises `InputError` otherwise.
    """
    target = probability(delta, name="delta")
    value = _epsilon_value(target)
    if release.baseline_covers:
        return _bounds(_ends(dominating_pairs(release), admissible_pairs(release), value, digits + 1), digits)
    lower = _epsilon_from_below(release, value, digits + 1)
    return _bounds(Enclosure(lower, _epsilon_from_above(release, target, lower, digits + 1)), digits)


def probability(value: ExactInput, *, name: str) -> Fraction:
    """Return `value` as an exact number strictly between 0 and 1; otherwise raise `InputError`."""
    number = exact_number(value, name=name)
    if not 0 < number < 1:
        raise reject(name, value, "must be strictly between 0 and 1")
    return number


def _bounds(found: Enclosure, digits: int) -> Bounds:
    lower, upper = found.lower or Fraction(0), found.upper
    if upper is None:
        raise InputError("no bound: these parameters are beyond the largest working precision")
    if (upper - lower) * 10**digits <= lower:
        return Bounds(round_down(lower), round_up(upper), _EXACT, _EXACT)
    return Bounds(round_down(lower), round_up(upper), _INSIDE, _OUTSIDE)


def _ends(outside: Sequence[GaussianPair], inside: Sequence[GaussianPair], value: Value, digits: int) -> Enclosure:
    """Return (largest lower end over `inside`, largest upper end over `outside`), each pair evaluated once."""
    return Enclosure(largest(inside, value, digits).lower, largest(outside, value, digits).upper)


def _delta_ends(release: Release, level: Fraction, digits: int) -> Enclosure:
    value = _delta_value(level)
    if release.baseline_covers:
        return _ends(dominating_pairs(release), admissible_pairs(release), value, digits)
    family = Family.of(release)
    outside, inside = [plain_pair(release, family.kappa)], [*admissible_pairs(release)]
    for reverse in (False, True):
        for cell in critical_cells(family, -level if reverse else level, digits + _GUARD_DIGITS):
            outside += sided(cell_pairs(family, cell), reverse=reverse)
            inside += sided((family.pair(cell[0]),), reverse=reverse)
    return _ends(outside, inside, value, digits)


def _epsilon_from_below(release: Release, value: Value, digits: int) -> Fraction:
    """Return the largest epsilon of admissible pairs, at the places where delta is largest at the epsilon before."""
    family = Family.of(release)
    inside = [*admissible_pairs(release), family.pair(Fraction(0))]
    found = Fraction(0)
    for _ in range(_LARGEST_ROUNDS):
        before, found = found, largest(inside, value, digits).lower or Fraction(0)
        if (found - before) * 10**digits <= found:
            break
        for reverse in (False, True):
            cells = critical_cells(family, -found if reverse else found, digits)
            inside += sided([family.pair(cell[0]) for cell in cells], reverse=reverse)
    return found


def _epsilon_from_above(release: Release, target: Fraction, lower: Fraction, digits: int) -> Fraction:
    """Return an epsilon, close above `lower` where there is one, at which every admissible pair keeps to `target`."""
    plain = _epsilon_value(target)(plain_pair(release, Family.of(release).kappa), digits).upper
    start = max(lower, plain or Fraction(0))
    step = max(start, _SMALLEST_STEP) / 10**digits
    for _ in range(_LARGEST_ROUNDS):
        guess = Fraction(round_up(start))
        most = _delta_ends(release, guess, digits + _GUARD_DIGITS).upper
        if most is not None and most <= target:
            return guess
        start, step = start + step, 8 * step
    raise InputError("no bound on epsilon: these parameters are beyond the largest working precision")


def _delta_value(level: Fraction) -> Value:
    from rgm_verify.balls.hockey_stick import hockey_stick_enclosure

    @cache
    def value(pair: GaussianPair, digits: int) -> Enclosure:
        return hockey_stick_enclosure(level, pair.shift_squared, pair.excess, pair.dimension, digits=digits)

    return value


def _epsilon_value(target: Fraction) -> Value:
    from rgm_verify.balls.epsilon import epsilon_enclosure

    @cache
    def value(pair: GaussianPair, digits: int) -> Enclosure:
        return epsilon_enclosure(target, pair.shift_squared, pair.excess, pair.dimension, digits=digits)

    return value
