"""Simulation primitives: independent generators, and confidence intervals whose coverage holds at every sample size.

No interval here is asymptotic, and every end is rounded outward. Where data cannot decide anything (NaN, too few
samples) the answer is an `Inconclusive`, which cannot be mistaken for a truth value. The intervals whose ends
are quantiles of a law are in `balls.statistics.confidence`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, NoReturn, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rgm_verify.errors import InputError, reject
from rgm_verify.numbers.exact import positive_integer

FloatArray: TypeAlias = NDArray[np.float64]

_LARGEST_BET = 0.75
_BISECTIONS = 200
_ROUNDED_UP = 1 + 2.0**-50  # covers four roundings


class Interval(NamedTuple):
    """A closed interval that contains the quantity with probability at least one minus the false-alarm rate."""

    lower: float
    upper: float

    def contains(self, value: float) -> bool:
        """Decide whether `value` lies in the interval; NaN does not."""
        return self.lower <= value <= self.upper

    @property
    def width(self) -> float:
        """Length of the interval."""
        return self.upper - self.lower


@dataclass(frozen=True)
class Inconclusive:
    """The data decide nothing, for the stated reason. It is neither true nor false: `bool()` raises."""

    reason: str

    def __bool__(self) -> NoReturn:
        raise TypeError(f"inconclusive ({self.reason}) is neither true nor false; compare types before using it")


# ------------------------------------------------------------------------------------------ generators


def spawn(seed: int | Sequence[int], n: int) -> list[np.random.Generator]:
    """Return `n` statistically independent generators, a pure function of `seed`.

    Children of one `numpy.random.SeedSequence`; the first `k` of them do not depend on `n >= k`.
    """
    count = positive_integer(n, name="n", meaning="the number of generators")
    try:
        sequence = np.random.SeedSequence(seed)
    except (TypeError, ValueError):
        raise reject("seed", seed, "expected an integer >= 0 or a sequence of them") from None
    return [np.random.default_rng(child) for child in sequence.spawn(count)]


def require_generator(generator: object, *, name: str = "generator") -> np.random.Generator:
    """Return `generator` if it is a `numpy.random.Generator`; raise `InputError` with what to do otherwise."""
    if isinstance(generator, np.random.Generator):
        return generator
    raise reject(name, generator, "expected a numpy.random.Generator; make one with numpy.random.default_rng(seed)")


def false_alarm_rate(value: float) -> float:
    """Return `value` if it is a probability strictly between 0 and 1; raise `InputError` otherwise."""
    if not 0 < value < 1:
        raise reject("false_alarm", value, "a false-alarm rate must be > 0 and < 1")
    return float(value)


# ------------------------------------------------------------------------------------------- intervals


def bounded_mean_interval(values: ArrayLike, lower: float, upper: float, false_alarm: float) -> Interval | Inconclusive:
    """Return an interval for the mean of independent draws of one variable with values in `[lower, upper]`.

    Valid at every sample size, and it adapts to the variance: about as wide as the Gaussian interval when samples are
    many. Theorem: for bets `b_i` in [0, 1) that depend on earlier draws only, `prod(1 + b_i (X_i - m))` is a
    nonnegative martingale of mean 1 when `m` is the mean, so by Markov's inequality it exceeds `2 / false_alarm` with
    probability at most `false_alarm / 2`; the values of `m` for which it does are excluded. The same for `1 - X`.
    Rounding is covered by a computed slack. Source: Waudby-Smith and Ramdas, JRSS B 86 (2024), section 4.

    `Inconclusive` for NaN and for fewer draws than any outcome would need to exclude anything.
    Raises `InputError` for a value outside the bounds: then the bounds are wrong.
    """
    tail = math.log(2 / false_alarm_rate(false_alarm))
    draws = np.asarray(values, dtype=np.float64).ravel()
    if not (math.isfinite(lower) and math.isfinite(upper) and lower < upper):
        raise InputError(f"lower={lower}, upper={upper}: both must be finite, with lower < upper")
    not_a_number = int(np.isnan(draws).sum())
    if not_a_number:
        return Inconclusive(f"{not_a_number} of {draws.size} values are NaN")
    if draws.size * math.log1p(_LARGEST_BET) <= tail:
        return Inconclusive(f"{draws.size} values cannot exclude anything at false-alarm rate {false_alarm}")
    if draws.min() < lower or draws.max() > upper:
        raise reject("values", f"[{draws.min()}, {draws.max()}]", f"all must lie in [{lower}, {upper}]")
    unit = (draws - lower) / (upper - lower)
    # Each side may err with half of the rate; the upper end is the lower end of the mirrored draws.
    low, high = _lower_mean_bound(unit, tail), 1 - _lower_mean_bound(1 - unit, tail)
    # Two roundings of numbers below |lower| + |upper|, and those of the draws' own move into the unit interval.
    slack = 4 * float(np.finfo(np.float64).eps) * (abs(lower) + abs(upper))
    ends = lower + (upper - lower) * low - slack, lower + (upper - lower) * high + slack
    return Interval(max(lower, ends[0]), min(upper, ends[1]))


def _lower_mean_bound(unit: FloatArray, tail: float) -> float:
    """Return the largest mean in [0, 1] that the bets exclude, found by bisection on the excluded side.

    The capital falls as the mean grows, so that one bisection suffices; what it stops at is excluded, not merely near
    it.
    """
    bets = _bets(unit, tail)
    excluded, kept = 0.0, 1.0
    if not _capital_exceeds(unit, bets, 0.0, tail):
        return 0.0
    for _ in range(_BISECTIONS):
        middle = (excluded + kept) / 2
        if not excluded < middle < kept:
            break
        if _capital_exceeds(unit, bets, middle, tail):
            excluded = middle
        else:
            kept = middle
    return excluded


def _capital_exceeds(unit: FloatArray, bets: FloatArray, mean: float, tail: float) -> bool:
    """Return whether the bets certainly exclude a mean: the logarithm of their capital, less its rounding, is above
    `tail`.
    """
    terms = np.log1p(bets * (unit - mean))
    # Each term carries a few roundings of numbers below 1 (amplified by at most 1 / (1 - _LARGEST_BET) = 4), and
    # the pairwise sum at most log2(n) roundings of the sum of magnitudes.
    epsilon = float(np.finfo(np.float64).eps)
    slack = epsilon * (16 * terms.size + (math.log2(terms.size) + 8) * float(np.abs(terms).sum()))
    return bool(float(terms.sum()) - slack > tail)


def _bets(unit: FloatArray, tail: float) -> FloatArray:
    """Return for each draw a bet in (0, 1) that depends on earlier draws only: about optimal for their variance."""
    before = np.arange(1, unit.size + 1, dtype=np.float64)
    mean = (0.5 + np.concatenate(([0.0], np.cumsum(unit)[:-1]))) / before
    deviation = np.square(unit - mean)
    variance = (0.25 + np.concatenate(([0.0], np.cumsum(deviation)[:-1]))) / before
    return np.minimum(np.sqrt(2 * tail / (unit.size * variance)), _LARGEST_BET)


def empirical_cdf_margin(count: int, false_alarm: float) -> float:
    """Return how far an empirical distribution function of `count` draws may be from the truth, anywhere.

    Valid at every sample size, rounded up. Source: Massart, Annals of Probability 18 (1990), with his constant 2.
    """
    return math.sqrt(math.log(2 / false_alarm_rate(false_alarm)) / (2 * count)) * _ROUNDED_UP
