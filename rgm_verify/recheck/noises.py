"""The pairs of laws of Laplace noise, discrete noise and randomised response, over integers.

The loss of each pair falls in the output, so that outputs with a loss above a level are all those up to some output,
and their masses under both laws are tails of the noise (`beyond:laplace-loss-falls`, `beyond:shifted-noise-grows`). In
units of the sensitivity, or for discrete noise with neighbouring answers 0 and `s`:

- Laplace noise of scale b: at the output y the loss is `(|y - 1| - |y|)/b`, `(1 - 2 y)/b` between 0 and 1;
- discrete Laplace noise, masses `(1 - a)/(1 + a) a^|y|` with `a = e^(-1/t)`: `(|y - s| - |y|)/t`;
- discrete Gaussian noise, masses in proportion to `e^(-y^2/(2 sigma^2))`: `(s^2 - 2 y s)/(2 sigma^2)`;
- the same on a vector of whole numbers that changes by v: `(v v - 2 v y)/(2 sigma^2)` (`discrete_gaussian`);
- randomised response, the true answer with the probability p and each other one with `o = (1 - p)/(k - 1)`:
  `log(p/o)`, its negative, and 0;
- a guarantee (epsilon, delta): randomised response of two answers with the loss epsilon, where the record is not shown;
  that is the probability `kept`, and the divergence of all is `1 - kept (1 - d)`.

A bijection of the outputs exchanges both laws of a pair, so that one curve holds for both orders
(`beyond:laplace-pair-turns`).
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

from rgm_verify.recheck.discrete_gaussian import WholeChange, gaussian_tails, sums_of_squares
from rgm_verify.recheck.fixed import Fixed, Span, minus, moved, plus
from rgm_verify.recheck.mechanisms import (
    DiscreteGaussian,
    DiscreteLaplace,
    Guaranteed,
    Laplace,
    Mechanism,
    Noise,
    Randomised,
    Selected,
    Single,
    Thresholded,
    WholeVector,
    releases_of,
)
from rgm_verify.recheck.selection import choices_above, divergence_below, largest_curve

KEPT_BITS = 1100
"""Of the probability that nothing is shown: enough for a delta of 1e-250 at a billion steps."""

_BITS = 200


def events(release: Noise, level: Fraction, bits: int, order: int = 0) -> tuple[Span, Span]:
    """Return the masses of the outputs whose loss exceeds `level`, of any sign, under both laws of one release.

    Enclosures in units of `2^-bits`. Where the loss of randomised response is too close to the level to tell, it may be
    counted or not: the masses are those of an event in any case. Choices are those between two candidates of the gap
    with the number `order`.
    """
    # All of the mass, and none of it.
    whole, none = (1 << bits, 1 << bits), (0, 0)
    if isinstance(release, Guaranteed):
        release = release.response
    if isinstance(release, Selected):
        return choices_above(release, order, level, bits)
    if isinstance(release, Randomised):
        return _answers_above(release, level, bits)
    if isinstance(release, WholeVector):
        return WholeChange.of(release.sigma, (release.each,) * (release.square // release.each**2), bits).events(level)
    if isinstance(release, DiscreteGaussian):
        # s^2 - 2 y s > 2 sigma^2 level, for whole y.
        place = Fraction(release.distance, 2) - level * release.sigma**2 / release.distance
        tails = gaussian_tails(release.sigma, bits)
        last = math.ceil(place) - 1
        return tails.up_to(last), tails.up_to(last - release.distance)
    most = _largest_of_laplace(release)
    if level >= most:
        return none, none
    if level < -most:
        return whole, whole
    arithmetic = Fixed(bits)
    if isinstance(release, Laplace):
        # Up to an output c in (0, 1]; the mass of a single output is 0.
        c = (1 - release.scale * level) / 2
        first, second = (
            arithmetic.exp(arithmetic.of(-far / release.scale)) for far in (c, 1 - c)
        )  # fmt: skip
        return minus(whole, moved(first, 1)), moved(second, 1)
    # The last whole output y with s - 2 y > t level; it lies from 0 to s - 1.
    last = math.ceil((release.distance - release.scale * level) / 2) - 1
    both = plus(whole, arithmetic.exp(arithmetic.of(-1 / release.scale)))
    beyond, up_to = (
        arithmetic.over(arithmetic.exp(arithmetic.of(Fraction(-steps) / release.scale)), both)
        for steps in (last + 1, release.distance - last)
    )
    return minus(whole, beyond), up_to


def divergence(release: Noise, level: Fraction, bits: int) -> Span:
    """Return the hockey-stick divergence of one release at a level of any sign, in units of `2^-bits`.

    `P(A) - e^level Q(A)` of the outputs A whose loss exceeds the level, which is the largest of all events. The second
    term has its own relative accuracy, as in `pairs.hockey_stick`. An enclosure, cut to [0, 1].

    Examples:
        >>> low, high = divergence(Laplace(Fraction(1), 1), Fraction(0), 30)  # 1 - e^(-1/2)
        >>> low - 1 <= 0.3934693402873666 * 2**30 <= high + 1
        True
    """
    # Of any sign: for a negative level e^level is below 1, and the divergence near 1.
    arithmetic = Fixed(bits)
    scale = arithmetic.exp(arithmetic.of(level))
    if isinstance(release, Guaranteed):
        release = release.response
    if isinstance(release, Selected):
        low = divergence_below(release, level, bits)
        if release.noise == "gumbel":
            return largest_curve(release, level, bits)
        return max(0, low), divergence(release.response, level, bits)[1]
    if isinstance(release, WholeVector):
        return _largest_of_changes(release, level, bits)
    # Of randomised response all events that can be the best one: no comparison of logarithms is needed.
    found = _all_answers(release, bits) if isinstance(release, Randomised) else [events(release, level, bits)]
    gaps = [minus(p, arithmetic.times(scale, q)) for p, q in found]
    low, high = max(gap[0] for gap in gaps), max(gap[1] for gap in gaps)
    return max(0, low), min(arithmetic.one, max(0, high))


def largest(release: Noise) -> Fraction | None:
    """Return an upper bound of all losses of one release, exact but for randomised response; None without an end."""
    if isinstance(release, DiscreteGaussian | WholeVector):
        return None
    if isinstance(release, Guaranteed | Selected):
        return release.loss
    if not isinstance(release, Randomised):
        return _largest_of_laplace(release)
    if release.truth is None:
        return release.loss
    arithmetic = Fixed(_BITS + 2 * release.truth.denominator.bit_length())
    quotient = release.truth * (release.answers - 1) / (1 - release.truth)
    return Fraction(arithmetic.log(arithmetic.of(quotient))[1], arithmetic.one)


def kept(mechanism: Mechanism) -> Span:
    """Return the probability that no release shows the record for certain, in units of `2^-KEPT_BITS`.

    Examples:
        >>> kept(Guaranteed(Fraction(1), Fraction(1, 2), 3)) == (2**KEPT_BITS // 8,) * 2
        True
    """
    low = high = 1 << KEPT_BITS
    for release in releases_of(mechanism):
        ends = _kept_by_one(release)
        if ends is not None:
            # By squaring, each product rounded to its side: no logarithm is needed.
            found = 1 << KEPT_BITS, 1 << KEPT_BITS
            for bit in bin(release.steps)[2:]:
                found = found[0] ** 2 >> KEPT_BITS, -(-(found[1] ** 2) >> KEPT_BITS)
                if bit == "1":
                    found = found[0] * ends[0] >> KEPT_BITS, -(-found[1] * ends[1] >> KEPT_BITS)
            low, high = low * found[0] >> KEPT_BITS, -(-high * found[1] >> KEPT_BITS)
    return low, high


def _kept_by_one(release: Single) -> Span | None:
    """Return the probability that one release does not show the record, in units of `2^-KEPT_BITS`; None for 1."""
    if isinstance(release, Guaranteed) and release.failing:
        return Fixed(KEPT_BITS).of(1 - release.failing)
    if isinstance(release, Thresholded):
        # At most the sum over the cells; of neighbours that are alone in no cell nothing is shown.
        fine = Fixed(2 * _BITS)
        shown = release.cells * fine.tail(fine.of((release.threshold - 1) / release.sigma))[1]
        return max(0, fine.one - shown) << KEPT_BITS - fine.bits, 1 << KEPT_BITS
    return None


def _largest_of_laplace(release: Laplace | DiscreteLaplace) -> Fraction:
    """Return the largest loss of Laplace noise, continuous or discrete: the sensitivity over the scale.

    It is reached at every output beyond either answer, so that it has a mass of its own.
    """
    return (1 if isinstance(release, Laplace) else release.distance) / release.scale


# ----------------------------------------------------------------------------------------------- randomised response


def _answer(release: Randomised, bits: int) -> tuple[Span, Span]:
    """Return the probabilities of the true answer and of one other."""
    arithmetic = Fixed(bits)
    if release.truth is not None:
        return arithmetic.of(release.truth), arithmetic.of((1 - release.truth) / (release.answers - 1))
    # e^-l, so that a large loss costs no bits: p = 1/(1 + (k - 1) e^-l), and the others have e^-l times that.
    part = arithmetic.exp(arithmetic.of(-(release.loss or Fraction(0))))
    others = release.answers - 1
    truth = arithmetic.over(
        (arithmetic.one, arithmetic.one), (arithmetic.one + others * part[0], arithmetic.one + others * part[1])
    )
    return truth, arithmetic.times(truth, part)


def _all_answers(release: Randomised, bits: int) -> list[tuple[Span, Span]]:
    """Return the masses of the events of the largest loss, of that and the loss 0, of all answers, and of none.

    Of the first pair of laws the true answer is that of one data set, of the second that of the other one.
    """
    (truth, other), whole = _answer(release, bits), (1 << bits, 1 << bits)
    return [(truth, other), (minus(whole, other), minus(whole, truth)), (whole, whole), ((0, 0), (0, 0))]


def _answers_above(release: Randomised, level: Fraction, bits: int) -> tuple[Span, Span]:
    """Return the masses of the event of losses above a level."""
    one, all_but_one, everything, none = _all_answers(release, bits)
    most = _loss_of(release, bits)
    # The loss 0 of the other answers; of two answers there is none, and the first two events are one.
    if level >= 0:
        return none if level >= most else one
    return everything if level < -most else all_but_one


@lru_cache(maxsize=8)
def _loss_of(release: Randomised, bits: int) -> Fraction:
    """Return about the largest loss, exact where it is given: the choice of an event rests on it, and no bound."""
    return largest(release) or Fraction(0)


# ------------------------------------------------------------------------------------------------- whole vectors


def _largest_of_changes(release: WholeVector, level: Fraction, bits: int) -> Span:
    """Return the largest divergence of all changes from above, and from below that of the one that `events` are of."""
    arithmetic = Fixed(bits)
    scale = arithmetic.exp(arithmetic.of(level))

    def gap(change: tuple[int, ...]) -> Span:
        first, second = WholeChange.of(release.sigma, change, bits).events(level)
        return minus(first, arithmetic.times(scale, second))

    high = max(gap(change)[1] for change in sums_of_squares(release.square, release.square))
    low = gap((release.each,) * (release.square // release.each**2))[0]
    return max(0, low), min(arithmetic.one, max(0, high))
