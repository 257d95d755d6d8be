"""The privacy cost of a training whose gradients are released, on batches of a fixed size drawn afresh at each step.

One record is replaced. A step of DP-SGD and of GeoDP with clamped angles is a Gaussian release whose values for any two
batches that differ in one record are at most a known distance apart; what fixed batches amplify is
`rgm_verify.accounting.subsampled`. For GeoDP as printed no amplification is claimed: its upper end is that of all steps
on all records, and its lower end belongs to data sets that the docstring of `printed_epsilon` names.

Errors: every number is an end of an enclosure, rounded outward. Source: `beyond:geodp-training-as-printed`,
`beyond:geodp-guarantee-as-printed`, `geodp:same-guarantee-corrected`, `derivations/beyond/subsampling`.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

import sympy
from scipy.special import ndtr
from scipy.stats import binom
from sympy import Rational, asin, pi, sqrt

from rgm_verify.accounting.subsampled.account import epsilon as sampled_epsilon
from rgm_verify.accounting.subsampled.mechanism import fixed_batches
from rgm_verify.balls.enclose import enclose
from rgm_verify.errors import reject
from rgm_verify.gaussians.enclosures import epsilon as gaussian_epsilon
from rgm_verify.gaussians.pair import GaussianPair
from rgm_verify.learning.geometric.geodp import GeoDPAsPrinted
from rgm_verify.numbers.bounds import Bounds, round_down, round_up
from rgm_verify.numbers.exact import ExactInput, positive, positive_integer

_REACHES = tuple(Fraction(k, 10) for k in range(6, 1000))
_TINY = Fraction(1, 2**256)
"""Smaller probabilities are not told from 0: their powers would be numbers of millions of digits."""
_SMALL = Fraction(1, 10**6)
"""The share of delta that is set aside for what a magnitude may hide."""


def released_epsilon(
    noise_multiplier: ExactInput, batch: ExactInput, records: ExactInput, steps: ExactInput, delta: ExactInput
) -> Bounds:
    """Return bounds on the epsilon (nats) of `steps` Gaussian releases on fixed batches, one record replaced.

    Args:
        noise_multiplier: 2 over the distance of two batches that differ in one record, in units of the noise: that of
            DP-SGD. `ClampedGeoDP` with the noise multiplier `equal_noise(sigma)` has a distance of at most 2 / sigma.
        batch: the size of the batches.
        records: how many records there are.
        steps: the number of releases.
        delta: an exact number, 1e-250 <= delta < 1.

    Raises:
        InputError: for numbers that are not positive, and a batch larger than the data.
    """
    return _released(
        positive(noise_multiplier, name="noise_multiplier", meaning="the noise multiplier"),
        _rate(batch, records),
        positive_integer(steps, name="steps", meaning="the number of steps"),
        positive(delta, name="delta", meaning="the probability of failure"),
    )


@lru_cache(maxsize=256)
def _released(multiplier: Fraction, rate: Fraction, steps: int, delta: Fraction) -> Bounds:
    return sampled_epsilon(fixed_batches(rate, multiplier, steps), delta)


def equal_noise(noise_multiplier: ExactInput) -> Fraction:
    """Return the noise multiplier at which `ClampedGeoDP` is as private as DP-SGD with `noise_multiplier`.

    It is `sqrt(5) / 2` times as large, rounded up by less than 1e-18: a replaced record moves magnitude and angles by
    `sqrt(5) / sigma` together (`geodp:same-guarantee-corrected`), and a gradient by `2 / sigma`.
    """
    # sqrt(5) / 2 = sqrt(5 * 2^124) / 2^63, whose integer root is too small by less than 1.
    factor = Fraction(math.isqrt(5 * 2**124) + 1, 2**63)
    return positive(noise_multiplier, name="noise_multiplier", meaning="the noise multiplier") * factor


def printed_epsilon(
    printed: GeoDPAsPrinted,
    dimension: ExactInput,
    records: ExactInput,
    steps: ExactInput,
    delta: ExactInput,
) -> Bounds:
    """Return bounds on the epsilon (nats) of a training by GeoDP as printed, over all data and all losses.

    The lower end is the larger one of two, each of a pair of data sets with gradients that no model changes:

    * All records have one gradient. A batch of them sums up to a vector as long as `R C`, `C / 2` along the last
      coordinate and the rest along the one before. The neighbour has one record whose batches sum up to the mirror
      image, with `-C / 2` along the last coordinate; for `R^2 <= B` its gradient is not longer than C. The signs of
      the last coordinate are counted over all steps.
    * All records have the gradient C along one coordinate, and the neighbour has one with -C. The magnitude then tells
      as much as a step of DP-SGD does (`beyond:fixed-batch-pair`).

    The upper end is that of all steps on all records, with every angle changing by its whole range.

    Raises `InputError` as `released_epsilon`, and for fewer than 3 coordinates.
    """
    d = positive_integer(dimension, name="dimension", meaning="the number of coordinates")
    if d < 3:
        raise reject("dimension", dimension, "expected at least 3 coordinates")
    T = positive_integer(steps, name="steps", meaning="the number of steps")
    failure = positive(delta, name="delta", meaning="the probability of failure")
    rate = _rate(printed.batch, records)
    least, method = max(
        (_by_signs(printed, d, rate, T, failure), "signs of the last coordinate, counted"),
        (_by_magnitudes(printed, rate, T, failure), "magnitudes alone"),
    )
    # Squared distances of independent Gaussian releases add up, each step at its worst.
    distance = Fraction(printed.distance("replace_one"))
    most = gaussian_epsilon(GaussianPair(T * distance**2, 0, 1), failure, 8).upper
    upper = math.inf if most is None else round_up(most)
    return Bounds(least, upper, method, "every angle by its whole range, on all records at each step")


def _rate(batch: ExactInput, records: ExactInput) -> Fraction:
    size = positive_integer(batch, name="batch", meaning="the batch size")
    count = positive_integer(records, name="records", meaning="the number of records")
    if size > count:
        raise reject("batch", batch, f"a batch is a set of records, and there are {count}")
    return Fraction(size, count)


# --------------------------------------------------------------------------------------------------- counting signs


def _by_signs(printed: GeoDPAsPrinted, dimension: int, rate: Fraction, steps: int, delta: Fraction) -> float:
    """Return the epsilon that counting the signs of the last coordinate refutes, rounded down; 0 if it refutes none.

    With at least k of T signs that are those of the mirror image: two binomial tails. A batch without the record is one
    like every batch of the other data.
    """
    if printed.batch < _REACHES[0] ** 2:
        return 0.0
    # Without the record a batch is wrong as often in both data sets; with it the mirror image has the other sign.
    below, above = wrong_signs(printed, dimension)
    seen = rate * (1 - above) + (1 - rate) * below
    if above >= seen:
        return 0.0
    k = max(range(1, steps + 1), key=lambda k: _guess(steps, k, float(above), float(seen), float(delta)))
    # Exact tails of numbers of 64 digits: floats would lose alarms of 1e-800.
    power = _rounded(_tail(steps, k, _rounded(seen, up=False)) - delta, up=False)
    alarm = _rounded(_tail(steps, k, above), up=True)
    if power <= alarm:
        return 0.0
    low = enclose(sympy.log(_rational(power)) - sympy.log(_rational(alarm)), {}, digits=12).lower
    return 0.0 if low is None else max(0.0, round_down(low))


def _guess(steps: int, k: int, alarm: float, power: float, delta: float) -> float:
    """Return about what counting `k` signs refutes; minus infinity for nothing."""
    seen = float(binom.sf(k - 1, steps, power)) - delta
    # Below the smallest float the tail is about its first term.
    alarms = max(float(binom.logsf(k - 1, steps, alarm)), float(binom.logpmf(k, steps, alarm)))
    return math.log(seen) - alarms if seen > 0 else -math.inf


def _tail(count: int, least: int, chance: Fraction) -> Fraction:
    """Return the probability of at least so many of `count` independent events, exactly."""
    return sum(
        (math.comb(count, j) * chance**j * (1 - chance) ** (count - j) for j in range(least, count + 1)), Fraction(0)
    )


def _rounded(value: Fraction, *, up: bool) -> Fraction:
    """Return a number of about 64 binary digits on that side of the value; 0 or less stays as it is."""
    if value <= 0:
        return value
    scale = Fraction(2) ** (64 + value.denominator.bit_length() - value.numerator.bit_length())
    return (math.ceil if up else math.floor)(value * scale) / scale


@lru_cache(maxsize=64)
def _wrong(deviation: sympy.Expr, multiplier: Fraction, dimension: int, reach: Fraction) -> tuple[Fraction, Fraction]:
    half = asin(1 / (2 * _rational(reach)))
    others = 1 - 2 * (dimension - 2) * _normal(-pi / 2 / deviation)
    # Signs are products: a negative length and a turned angle together leave the sign as it was.
    positive_length = _normal(_rational(reach / multiplier))
    same, turned = (_normal(a / deviation) - _normal((a - pi) / deviation) for a in (half, -half))
    wrong = others * (positive_length * turned + (1 - positive_length) * same)
    right = others * (positive_length * same + (1 - positive_length) * turned)
    low, high = enclose(wrong, {}, digits=8).lower, enclose(1 - right, {}, digits=8).upper
    return (
        Fraction(0) if low is None or low < _TINY else _rounded(low, up=False),
        Fraction(1) if high is None else min(Fraction(1), max(_TINY, _rounded(high, up=True))),
    )


def wrong_signs(printed: GeoDPAsPrinted, dimension: int) -> tuple[Fraction, Fraction]:
    """Return bounds on the probability that noise changes the sign of the last coordinate.

    The batch sums up to `R C`, at the angle `asin(1 / (2 R))` from the coordinate d - 1 towards the last one, with
    `best_reach` as R. All angles before the last one are right angles. Where noise moves none of them by a right angle,
    the sign is that of the noisy magnitude times that of the sine of the last angle.
    """
    factor = printed.bounding_factor * printed.noise_multiplier / printed.batch
    exact = sqrt(dimension + 2) * _rational(factor) * pi
    return _wrong(exact, printed.noise_multiplier, dimension, best_reach(printed, dimension))


def best_reach(printed: GeoDPAsPrinted, dimension: int) -> Fraction:
    """Return the R, from 0.6 to 99.9 and with `R^2 <= B`, at which noise changes the fewest signs, about."""
    spread, multiplier = printed.angle_deviation(dimension), float(printed.noise_multiplier)
    allowed = [r for r in _REACHES if r**2 <= printed.batch]
    return min(allowed, key=lambda r: _about_wrong(float(r), multiplier, spread, dimension))


def _about_wrong(reach: float, multiplier: float, spread: float, dimension: int) -> float:
    half = math.asin(1 / (2 * reach))
    turned, negative = ndtr(-half / spread) + ndtr((half - math.pi) / spread), ndtr(-reach / multiplier)
    return float(turned + negative - 2 * turned * negative + 2 * dimension * ndtr(-math.pi / 2 / spread))


def _normal(x: sympy.Expr) -> sympy.Expr:
    return sympy.erfc(-x / sqrt(2)) / 2


def _rational(value: Fraction) -> sympy.Rational:
    return Rational(value.numerator, value.denominator)


# ------------------------------------------------------------------------------------------------- magnitudes alone


def _by_magnitudes(printed: GeoDPAsPrinted, rate: Fraction, steps: int, delta: Fraction) -> float:
    """Return the lower end of DP-SGD with the same noise multiplier, where a released vector shows its magnitude.

    Sums are `B` and `B - 2` times C, and a noisy magnitude is negative with a probability h of at most `exp(-x^2 / 2)`,
    `x = (B - 2) / sigma`, at each of T steps. A set of vectors then has a probability that is off by `T h`, so that
    delta is off by `T h (1 + e^eps)`. Where that is more than a millionth of it, nothing is claimed.
    """
    if printed.batch < 3:
        return 0.0
    found = _released(printed.noise_multiplier, rate, steps, delta * (1 + _SMALL)).lower
    # What is hidden grows with e^eps, so that the level itself decides whether it may be claimed.
    # All in powers of two, rounded to the safe side: exp(-y) < 2^-y, and exp(y) < 2^(3 y / 2).
    halvings = math.floor(((printed.batch - 2) / printed.noise_multiplier) ** 2 / 2)
    needed = math.ceil(3 * found / 2) + 1 + steps.bit_length() + math.ceil(1 / (delta * _SMALL)).bit_length()
    return found if halvings >= needed else 0.0
