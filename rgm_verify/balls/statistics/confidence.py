"""Exact confidence intervals that end at certified quantiles: of frequencies, means and variances of Gaussians.

Their coverage holds at every sample size, and every end is rounded outward.
"""

from __future__ import annotations

import math

from rgm_verify.balls.statistics.quantiles import binomial_quantile, chi_square_above, chi_square_below, normal_above
from rgm_verify.errors import InputError, reject
from rgm_verify.numbers.exact import positive_integer
from rgm_verify.numbers.sampling import Inconclusive, Interval, false_alarm_rate

__all__ = ["clopper_pearson", "gaussian_mean_interval", "gaussian_variance_interval"]

_ROUNDED_UP = 1 + 2.0**-50  # covers four roundings


def clopper_pearson(successes: int, trials: int, false_alarm: float) -> Interval | Inconclusive:
    """Return an interval for the success probability of `trials` independent trials, valid at every sample size.

    Both tails get half of `false_alarm`, so each end alone errs with half of it. The ends are beta quantiles on the
    safe side: a probability at an end certainly gives the observed count, or a more extreme one, at most that often.

    Args:
        successes: the observed count, from 0 to `trials`.
        false_alarm: the probability, strictly between 0 and 1, with which the interval may miss.

    Returns:
        An interval inside [0, 1], rounded outward; `Inconclusive` for no trials.

    Raises:
        InputError: for a count outside of its range, and for another false-alarm rate.

    Source: Clopper and Pearson, Biometrika 26 (1934).

    Examples:
        >>> found = clopper_pearson(0, 1000, 1e-9)
        >>> found.lower, round(found.upper, 4)
        (0.0, 0.0212)
    """
    half = false_alarm_rate(false_alarm) / 2
    if not 0 <= successes <= trials:
        raise reject("successes", successes, f"must be between 0 and trials={trials}")
    if trials == 0:
        return Inconclusive("no trials")
    count, throws = int(successes), int(trials)
    lower = binomial_quantile(count, throws, half) if count else 0.0
    # Failures are the successes of the other coin: one quantile function serves both ends.
    least_failure = binomial_quantile(throws - count, throws, half) if count < throws else 0.0
    return Interval(lower, _complement_rounded_up(least_failure))


def _complement_rounded_up(p: float) -> float:
    """Return a float >= 1 - p: the rounded difference, or the next one if that is too small."""
    return min(1.0, math.nextafter(1 - p, 1)) if p else 1.0


def gaussian_mean_interval(mean: float, variance: float, count: int, false_alarm: float) -> Interval:
    """Return the exact interval for the mean of `count` Gaussian draws of known `variance`, given their average.

    Args:
        variance: of one draw, finite and >= 0.
        count: the number of draws, >= 1.
        false_alarm: the probability with which the interval may miss.

    Returns:
        An interval, rounded outward.

    Raises:
        InputError: for arguments outside of these ranges.
    """
    # Half of the rate on either side.
    quantile = normal_above(false_alarm_rate(false_alarm) / 2)
    _require_nonnegative(variance, "variance")
    if not math.isfinite(mean) or count < 1:
        raise InputError(f"mean={mean}, count={count}: expected a finite average of at least one draw")
    margin = quantile * math.sqrt(variance / count) * _ROUNDED_UP
    return Interval(math.nextafter(mean - margin, -math.inf), math.nextafter(mean + margin, math.inf))


def gaussian_variance_interval(sum_of_squares: float, degrees: int, false_alarm: float) -> Interval:
    """Return the exact interval for the variance of Gaussian draws, from a sum of squares around the known mean.

    `sum_of_squares / variance` is chi-square with `degrees` degrees of freedom; each tail gets half of `false_alarm`.

    Args:
        sum_of_squares: finite and >= 0.
        degrees: the number of independent squares, >= 1.
        false_alarm: the probability with which the interval may miss.

    Returns:
        An interval, rounded outward; the upper end is `inf` where the quantile is not seen to be above 0.

    Raises:
        InputError: for arguments outside of these ranges.
    """
    half = false_alarm_rate(false_alarm) / 2
    _require_nonnegative(sum_of_squares, "sum_of_squares")
    freedom = positive_integer(degrees, name="degrees", meaning="the degrees of freedom")
    smallest = chi_square_below(freedom, half)
    upper = sum_of_squares / smallest * _ROUNDED_UP if smallest else math.inf
    return Interval(sum_of_squares / chi_square_above(freedom, half) / _ROUNDED_UP, upper)


def _require_nonnegative(value: float, name: str) -> None:
    """Raise `InputError` unless a number is finite and >= 0."""
    if not 0 <= value < math.inf:
        raise reject(name, value, "must be finite and >= 0")
