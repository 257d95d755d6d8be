"""Exact accounting of one release: its Renyi curve and its curve of (epsilon, delta), over all admissible pairs.

An admissible pair of outputs is a pair of normal laws. Which of them can be the worst is known: a few explicit pairs,
and curves of pairs with one parameter on which the slope of the divergence has a closed form. So both ends of every
number here are certified values of explicit pairs.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache

from rgm_verify.accounting.exact.renyi_curve import renyi, renyi_bounds
from rgm_verify.accounting.exact.supremum import Value, candidates, largest
from rgm_verify.accounting.exact.worst_pairs import worst_paths, worst_points
from rgm_verify.accounting.release import Release
from rgm_verify.balls.enclose import Enclosure
from rgm_verify.errors import InputError, reject, takes
from rgm_verify.gaussians.certified.epsilon import epsilon_enclosure
from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosure, hockey_stick_enclosures
from rgm_verify.gaussians.pair import GaussianPair
from rgm_verify.numbers.bounds import Bounds, round_down, round_up
from rgm_verify.numbers.exact import ExactInput, nonnegative
from rgm_verify.numbers.exact import exact as exact_number

__all__ = ["delta", "deltas", "epsilon", "renyi", "renyi_bounds"]

_EXACT = "exact: certified hockey-stick divergence of the worst pair"
_INSIDE = "certified hockey-stick divergence of an admissible pair"
_OUTSIDE = "certified hockey-stick divergence of a pair beyond every admissible one"
_GUARD_DIGITS = 3
_LARGEST_ROUNDS = 10
_SMALLEST_STEP = Fraction(1, 10**6)
_FARTHER = Fraction(65, 64)


@takes(release=Release)
def delta(release: Release, epsilon: ExactInput, *, digits: int = 12) -> Bounds:
    """Return bounds on the least delta such that one release is (epsilon, delta)-DP: the exact privacy curve.

    It is the supremum of the hockey-stick divergence over all admissible pairs, in both orders.

    Args:
        epsilon: an exact number >= 0, in nats; floats are refused.
        digits: how many of them both ends share.

    Returns:
        Certified bounds that agree to `10^-digits`, relatively, and a rounding to floats.

    Raises:
        InputError: for `epsilon < 0`, and beyond the largest working precision.

    Examples:
        >>> delta(Release("1/10", 1, 10), 1).upper
        0.012334714481...
    """
    level = nonnegative(epsilon, name="epsilon", meaning="epsilon")
    return _bounds(_delta_ends(release, level, digits + 1), digits)


@takes(release=Release)
def deltas(release: Release, epsilons: Iterable[ExactInput], *, digits: int = 12) -> list[Bounds]:
    """Return `delta` at each of some epsilons, in their order: a curve for about a third of the time of its points.

    Where the baseline covers neighbouring epsilons share the nodes of their integrals. Arguments and errors as in
    `delta`.

    Examples:
        >>> [round(found.upper, 9) for found in deltas(Release("1/10", 1, 10), [0, 1])]
        [0.170021237, 0.012334714]
    """
    levels = [nonnegative(level, name="epsilons", meaning="an epsilon") for level in epsilons]
    if worst_paths(release):
        return [_bounds(_delta_ends(release, level, digits + 1), digits) for level in levels]
    first, *others = worst_points(release)
    shared = hockey_stick_enclosures(levels, first.shift_squared, first.excess, first.dimension, digits=digits + 1)
    found = [largest(others, _delta_value(x), digits + 1, known=(y,)) for x, y in zip(levels, shared, strict=True)]
    return [_bounds(end, digits) for end in found]


@takes(release=Release)
def epsilon(release: Release, delta: ExactInput, *, digits: int = 10) -> Bounds:
    """Return bounds on the least epsilon >= 0 such that one release is (epsilon, delta)-DP: the exact privacy curve.

    Args:
        delta: an exact number, 0 < delta < 1.
        digits: how many of them both ends share.

    Returns:
        Certified bounds in nats that agree to `10^-digits`, relatively, and a rounding to floats. Where the worst pair
        lies on a curve of pairs, the upper end is an epsilon at which the certified delta of the release is at most
        `delta`.

    Raises:
        InputError: for `delta` outside (0, 1), and beyond the largest working precision.

    Examples:
        >>> epsilon(Release("1/10", 1, 10), "1e-5").upper
        3.0591220848...
    """
    target = probability(delta, name="delta")
    value = _epsilon_value(target)
    # Single pairs: the largest of their epsilons is the epsilon of all, and no curve has to be searched.
    if not worst_paths(release):
        return _bounds(largest(worst_points(release), value, digits + 1), digits)
    lower = _epsilon_from_below(release, value, digits + 1)
    return _bounds(Enclosure(lower, _epsilon_from_above(release, target, lower, digits + 1)), digits)


def probability(value: ExactInput, *, name: str) -> Fraction:
    """Return `value` as an exact number strictly between 0 and 1; raises `InputError` naming the argument `name`
    otherwise.
    """
    number = exact_number(value, name=name)
    if not 0 < number < 1:
        raise reject(name, value, "must be strictly between 0 and 1")
    return number


def _bounds(found: Enclosure, digits: int) -> Bounds:
    """Return the enclosure as floats rounded outward, called exact if it is as tight as asked for."""
    lower, upper = found.lower or Fraction(0), found.upper
    if upper is None:
        raise InputError("no bound: these parameters are beyond the largest working precision")
    # Called exact only where both ends agree as closely as was asked.
    if (upper - lower) * 10**digits <= lower:
        return Bounds(round_down(lower), round_up(upper), _EXACT, _EXACT)
    return Bounds(round_down(lower), round_up(upper), _INSIDE, _OUTSIDE)


def _delta_ends(release: Release, level: Fraction, digits: int) -> Enclosure:
    """Return an enclosure of the supremum: its lower end by admissible pairs, its upper end by pairs beyond all of
    them.
    """
    value = _delta_value(level)
    inside, outside = candidates(release, level, digits + _GUARD_DIGITS)
    # The same pairs bound from both sides, as where one pair is the worst: one evaluation then gives both ends.
    if inside == outside:
        return largest(inside, value, digits)
    return Enclosure(largest(inside, value, digits).lower, largest(outside, value, digits).upper)


def _epsilon_from_below(release: Release, value: Value, digits: int) -> Fraction:
    """Return the largest epsilon of admissible pairs, at the places where delta is largest at the epsilon before."""
    found = Fraction(0)
    for _ in range(_LARGEST_ROUNDS):
        # The worst pair depends on epsilon, and epsilon on the worst pair: alternating raises it until nothing changes.
        before = found
        inside, _outside = candidates(release, found, digits)
        found = max(before, largest(inside, value, digits).lower or Fraction(0))
        if (found - before) * 10**digits <= found:
            break
    return found


def _epsilon_from_above(release: Release, target: Fraction, lower: Fraction, digits: int) -> Fraction:
    """Return an epsilon, close above `lower`, at which every admissible pair keeps to `target`."""
    start, step = lower, max(lower, _SMALLEST_STEP) / 10**digits
    for _ in range(_LARGEST_ROUNDS):
        # Rounded first, so that the certificate is for the float that is reported.
        guess = Fraction(round_up(start))
        most = _delta_ends(release, guess, digits + _GUARD_DIGITS).upper
        if most is not None and most <= target:
            return guess
        start, step = start + step, 4 * step
    raise InputError("no bound on epsilon: these parameters are beyond the largest working precision")


def _delta_value(level: Fraction) -> Value:
    """Return the hockey-stick divergence at `level` as a function of a pair and of digits; it keeps what it has
    computed.
    """

    @cache
    def value(pair: GaussianPair, digits: int) -> Enclosure:
        shift, excess, dimension = pair.shift_squared, pair.excess, pair.dimension
        found = hockey_stick_enclosure(level, shift, excess, dimension, digits=digits)
        if found.lower or not found.upper or excess >= 0:
            return found
        # At the end of the range of the loss nothing is resolved; a larger distance has the larger divergence.
        farther = hockey_stick_enclosure(level, shift * _FARTHER, excess, dimension, digits=digits)
        return Enclosure(Fraction(0), min(found.upper, farther.upper or Fraction(0)))

    return value


def _epsilon_value(target: Fraction) -> Value:
    """Return the epsilon at `target` as a function of a pair and of digits; it keeps what it has computed."""

    @cache
    def value(pair: GaussianPair, digits: int) -> Enclosure:
        return epsilon_enclosure(target, pair.shift_squared, pair.excess, pair.dimension, digits=digits)

    return value
