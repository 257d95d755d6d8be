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

# A bet of 1 could lose everything, and its logarithm would have no bounded rounding error.
_LARGEST_BET = 0.75
# More halvings than the floats between 0 and 1 allow; the loop ends when the middle is one of the ends.
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
        """The length of the interval, `upper - lower`; infinite where an end is."""
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

    Children of one `numpy.random.SeedSequence`; the first `k` of them do not depend on `n >= k`. So a run that is given
    more workers repeats what it had.

    Args:
        seed: an integer >= 0, or a sequence of them.
        n: how many generators, >= 1.

    Raises:
        InputError: for another seed or number. There is no default seed: what cannot be repeated cannot be tested.

    Examples:
        >>> one, _ = spawn(0, 2)
        >>> bool(one.integers(10**6) == spawn(0, 5)[0].integers(10**6))
        True
    """
    count = positive_integer(n, name="n", meaning="the number of generators")
    try:
        sequence = np.random.SeedSequence(seed)
    except (TypeError, ValueError):
        raise reject("seed", seed, "expected an integer >= 0 or a sequence of them") from None
    # `spawn` of numpy keeps the streams apart, which seeds `seed + k` of our own would not.
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
    Rounding is covered by a computed slack.

    Args:
        values: the draws, of any shape, in the order in which they were drawn. The order may not depend on the values:
            a bet on what is sorted knows the future.
        lower: the least value that the variable takes.
        upper: the largest one; both finite, `lower < upper`.
        false_alarm: the probability, strictly between 0 and 1, with which the interval may miss the mean.

    Returns:
        An `Interval` inside `[lower, upper]`, rounded outward; `Inconclusive` for NaN and for fewer draws than any
        outcome would need to exclude anything.

    Raises:
        InputError: for a value outside the bounds, since the bounds are wrong then, and for bad arguments.

    Source: Waudby-Smith and Ramdas, JRSS B 86 (2024), section 4.

    Examples:
        >>> found = bounded_mean_interval(np.tile([0.0, 1.0], 500), 0, 1, 1e-9)
        >>> isinstance(found, Interval) and found.contains(0.5)
        True
        >>> bounded_mean_interval([0.0, 1.0], 0, 1, 1e-9)
        Inconclusive(reason='2 values cannot exclude anything at false-alarm rate 1e-09')
    """
    tail = math.log(2 / false_alarm_rate(false_alarm))
    draws = np.asarray(values, dtype=np.float64).ravel()
    if not (math.isfinite(lower) and math.isfinite(upper) and lower < upper):
        raise InputError(f"lower={lower}, upper={upper}: both must be finite, with lower < upper")
    not_a_number = int(np.isnan(draws).sum())
    if not_a_number:
        return Inconclusive(f"{not_a_number} of {draws.size} values are NaN")
    # No draw can raise the capital by more than this factor, so that even the luckiest draws exclude nothing.
    if draws.size * math.log1p(_LARGEST_BET) <= tail:
        return Inconclusive(f"{draws.size} values cannot exclude anything at false-alarm rate {false_alarm}")
    if draws.min() < lower or draws.max() > upper:
        raise reject("values", f"[{draws.min()}, {draws.max()}]", f"all must lie in [{lower}, {upper}]")
    # The theorem is for [0, 1]. The move there and back is monotone, and its rounding is part of the slack below.
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
    # If a mean of 0 is not excluded then no mean is, as the capital is largest there.
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
    # The slack is subtracted, so that a mean is never excluded by rounding.
    epsilon = float(np.finfo(np.float64).eps)
    slack = epsilon * (16 * terms.size + (math.log2(terms.size) + 8) * float(np.abs(terms).sum()))
    return bool(float(terms.sum()) - slack > tail)


def _bets(unit: FloatArray, tail: float) -> FloatArray:
    """Return for each draw a bet in (0, 1) that depends on earlier draws only: about optimal for their variance.

    The bets are predictable, which is all that the theorem asks of them; how good they are decides the width alone.
    Mean and variance start from one imagined draw at 1/2 with variance 1/4, so that the first bets are defined. The cap
    keeps `1 + b (x - m)` at 1/4 or above, which bounds the rounding of its logarithm.
    """
    before = np.arange(1, unit.size + 1, dtype=np.float64)
    # The running sums leave out the draw itself: a bet that saw it would void the martingale.
    mean = (0.5 + np.concatenate(([0.0], np.cumsum(unit)[:-1]))) / before
    deviation = np.square(unit - mean)
    variance = (0.25 + np.concatenate(([0.0], np.cumsum(deviation)[:-1]))) / before
    # The bet that is best for a known variance and horizon, of which only past draws are put in.
    return np.minimum(np.sqrt(2 * tail / (unit.size * variance)), _LARGEST_BET)


def empirical_cdf_margin(count: int, false_alarm: float) -> float:
    """Return how far an empirical distribution function may be from the truth, anywhere, but with a small probability.

    Args:
        count: the number of independent draws, >= 1.
        false_alarm: the probability, strictly between 0 and 1, with which the distance exceeds the margin.

    Returns:
        `sqrt(log(2 / false_alarm) / (2 count))`, rounded up. Valid at every sample size and for every law.

    Raises:
        InputError: for another false-alarm rate.

    Source: Massart, Annals of Probability 18 (1990), with his constant 2.
    """
    return math.sqrt(math.log(2 / false_alarm_rate(false_alarm)) / (2 * count)) * _ROUNDED_UP
