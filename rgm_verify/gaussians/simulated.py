"""Privacy loss of two isotropic Gaussians by simulation, with confidence intervals valid at every sample size.

The pair is `P = N(mu1, variance_1 I)` and `Q = N(mu2, variance_2 I)` in `dimension`, and `distance = |mu1 - mu2|`. Both
densities depend on a point only through its coordinate along the line of means and its distance from that line, so a
draw costs the same in every dimension: `z ~ N(0, 1)` and `u ~ chi2` with `dimension - 1` degrees of freedom.
Nothing here uses the closed form of the Renyi divergence, so it is a second route to it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rgm_verify.balls.statistics.confidence import clopper_pearson
from rgm_verify.errors import InputError, reject
from rgm_verify.numbers.exact import NumberInput, exact, nonnegative, positive, positive_integer
from rgm_verify.numbers.sampling import Inconclusive, Interval, bounded_mean_interval, require_generator

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class _Pair:
    """Two Gaussians by the distance of their means, their variances per coordinate, and the dimension; floats."""

    distance: float
    variance_1: float
    variance_2: float
    dimension: int

    def log_ratio(self, along: FloatArray, across: FloatArray) -> FloatArray:
        """Return `log dP/dQ` where `along` is measured from `mu1` towards `mu2`, `across` is a squared distance."""
        # Measured from the mean that the sample is drawn around: nothing large is in it.
        from_1 = np.square(along) + across
        # |x - mu2|^2 - |x - mu1|^2, without subtracting two large squares.
        difference = self.distance * (self.distance - 2 * along)
        change = self.variance_1 - self.variance_2
        quadratic = (from_1 * change / self.variance_1 + difference) / (2 * self.variance_2)
        return quadratic - self.dimension / 2 * math.log1p(change / self.variance_2)


def _pair(distance: NumberInput, variance_1: NumberInput, variance_2: NumberInput, dimension: NumberInput) -> _Pair:
    """Return the pair of checked parameters; raises `InputError` naming the one that is not allowed.

    Floats are allowed here as they are: a simulation rounds everything, and the interval is about the rounded pair.
    """
    return _Pair(
        float(nonnegative(distance, name="distance", meaning="a distance", floats="binary")),
        float(positive(variance_1, name="variance_1", meaning="a variance", floats="binary")),
        float(positive(variance_2, name="variance_2", meaning="a variance", floats="binary")),
        positive_integer(dimension, name="dimension", meaning="a dimension"),
    )


def privacy_loss_sampler(
    distance: NumberInput,
    variance_1: NumberInput,
    variance_2: NumberInput,
    dimension: NumberInput,
    *,
    samples: int,
    generator: np.random.Generator,
    under: Literal["P", "Q"] = "P",
) -> FloatArray:
    """Return `samples` independent draws of the privacy loss `log dP/dQ` at a point drawn from `P` (or from `Q`).

    The cost does not grow with `dimension`: two numbers make a draw.

    Args:
        distance: `|mu1 - mu2|` >= 0.
        variance_1: the variance of `P` per coordinate, > 0.
        variance_2: that of `Q`, > 0.
        dimension: an integer >= 1.
        samples: the number of draws, >= 1.
        generator: the source of chance.
        under: the law of the point.

    Returns:
        Shape `(samples,)`, in nats. Floating point: each draw carries a relative rounding error, and an absolute one of
        about 1e-16 times `dimension`.

    Raises:
        InputError: for bad parameters.

    Source: `beyond:loss-sampler`.
    """
    pair = _pair(distance, variance_1, variance_2, dimension)
    if under not in ("P", "Q"):
        raise reject("under", under, 'allowed are "P" and "Q"')
    # The direction across the line does not matter, so that only the squared distance from it is drawn.
    z, u = _draws(pair.dimension, samples, generator)
    # `log_ratio` measures from the first mean, wherever the point was drawn.
    variance, centre = (pair.variance_1, 0.0) if under == "P" else (pair.variance_2, pair.distance)
    return pair.log_ratio(centre + math.sqrt(variance) * z, variance * u)


def _draws(dimension: int, samples: int, generator: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """Return a standard normal coordinate along the line of the means and the chi-square of all others, shape
    (samples,) each.
    """
    count = positive_integer(samples, name="samples", meaning="the number of samples")
    source = require_generator(generator)
    z = source.standard_normal(count)
    # numpy refuses 0 degrees of freedom, which is the constant 0.
    u = source.chisquare(dimension - 1, count) if dimension > 1 else np.zeros(count)
    return z, u


def renyi_confidence_interval(
    alpha: NumberInput,
    distance: NumberInput,
    variance_1: NumberInput,
    variance_2: NumberInput,
    dimension: NumberInput,
    samples: int,
    generator: np.random.Generator,
    false_alarm: float,
    *,
    widening: NumberInput | None = None,
) -> Interval | Inconclusive:
    """Return an interval that contains the Renyi divergence of order `alpha` with probability >= 1 - `false_alarm`.

    The coverage holds at every sample size. `exp((alpha - 1) L)` is unbounded, so no such interval exists for it
    directly. Instead `integral of P^alpha Q^(1 - alpha)` is estimated by importance sampling from a Gaussian around
    the peak of the integrand whose variance is `1 + widening` times that of the integrand: the weight is then bounded,
    and its maximum `M` is its value at the peak, so weight / M lies in [0, 1] and `bounded_mean_interval` applies.

    Arguments: `distance = |mu1 - mu2|`, variances per coordinate; floats count as the exact numbers they are.
    `widening` is 2 / dimension unless given, which keeps the mean of weight / M above 1/3 in every dimension; then the
    width is at most about `8 / sqrt(samples) / |alpha - 1|` at a rate of 1e-9. The smaller `widening`, the more of the
    answer comes from the value of the weight at its peak and the less from the sample: a second route that is
    evidence up to dimension 100 or so, and little more than an evaluation of the densities far above.
    Rounding: weights are evaluated in floating point and cut at 1, a relative error near 1e-15 times the size of the
    logarithms, which is not part of the interval.

    Raises `InputError` for `alpha = 1` (use a point estimate of the mean privacy loss), and where the divergence is
    infinite, that is for `alpha variance_2 + (1 - alpha) variance_1 <= 0`. `Inconclusive` for too few samples.
    """
    # Exactly, as a float next to 1 would be divided by later on.
    order = _order(alpha)
    pair = _pair(distance, variance_1, variance_2, dimension)
    # A proposal wider than the integrand keeps the weight bounded, which is what the interval needs.
    stretch = _widening(widening, pair.dimension)
    peak, variance = _integrand(order, pair)
    z, u = _draws(pair.dimension, samples, generator)
    spread = variance * (1 + stretch)
    along, across = peak + math.sqrt(spread) * z, spread * u
    log_weight = _log_weight(float(order), pair, along, across, peak, spread)
    log_largest = float(_log_weight(float(order), pair, np.array([peak]), np.array([0.0]), peak, spread)[0])
    # Cut at 1, as rounding may lift a weight a little above its maximum.
    mean = bounded_mean_interval(np.exp(np.minimum(log_weight - log_largest, 0.0)), 0.0, 1.0, false_alarm)
    if isinstance(mean, Inconclusive):
        return mean
    return _divergence_interval(mean, log_largest, float(order - 1))


def _divergence_interval(mean: Interval, log_largest: float, k: float) -> Interval:
    # The divisor `order - 1` is negative below 1 and turns the interval around.
    """Return the interval of the divergence from that of the mean weight, in nats."""
    ends = [(log_largest + (math.log(end) if end > 0 else -math.inf)) / k for end in mean]
    return Interval(min(ends), max(ends))


def _log_weight(
    order: float, pair: _Pair, along: FloatArray, across: FloatArray, centre: float, spread: float
) -> FloatArray:
    """Return `log(P^order Q^(1 - order) / proposal)`, the densities taken by their definition."""
    half = pair.dimension / 2
    first = -(np.square(along) + across) / (2 * pair.variance_1) - half * math.log(pair.variance_1)
    second = -(np.square(along - pair.distance) + across) / (2 * pair.variance_2) - half * math.log(pair.variance_2)
    proposal = -(np.square(along - centre) + across) / (2 * spread) - half * math.log(spread)
    return np.asarray(order * first + (1 - order) * second - proposal, dtype=np.float64)


def _integrand(order: Fraction, pair: _Pair) -> tuple[float, float]:
    """Return where `P^order Q^(1 - order)` peaks on the line of means, and its variance per coordinate."""
    # Exactly: near the largest order at which the divergence is finite, floats could get the sign of this difference
    # wrong.
    v1, v2 = Fraction(pair.variance_1), Fraction(pair.variance_2)
    spread = order * v2 + (1 - order) * v1
    if spread <= 0:
        raise InputError(
            f"alpha={order}, variance_1={pair.variance_1}, variance_2={pair.variance_2}: the divergence is infinite "
            "there (alpha variance_2 + (1 - alpha) variance_1 <= 0); take a smaller order"
        )
    return float((1 - order) * v1 * Fraction(pair.distance) / spread), float(v1 * v2 / spread)


def _order(alpha: NumberInput) -> Fraction:
    order = positive(alpha, name="alpha", meaning="the order", floats="binary")
    if order == 1:
        raise reject("alpha", alpha, "must differ from 1; the mean of the privacy loss has no bounded form")
    return order


def _widening(widening: NumberInput | None, dimension: int) -> float:
    if widening is None:
        return 2 / dimension
    return float(positive(widening, name="widening", meaning="the widening of the proposal", floats="binary"))


def hockey_stick_confidence_interval(
    epsilon: NumberInput, losses: ArrayLike, false_alarm: float
) -> Interval | Inconclusive:
    """Return an interval that contains the hockey-stick divergence `delta(epsilon)` of the pair behind `losses`.

    `delta(epsilon) = E[(1 - exp(epsilon - L))_+]`, whose terms lie in [0, 1], so the coverage holds at every sample
    size.

    Args:
        epsilon: any real number, in nats; floats as they are.
        losses: independent draws of `log dP/dQ` under `P`, in the order in which they were drawn.
        false_alarm: the probability with which the interval may miss.

    Returns:
        An interval inside [0, 1]; `Inconclusive` for NaN and for too few draws.
    """
    threshold = float(exact(epsilon, name="epsilon", floats="binary"))
    # `expm1` of what is above the threshold: a loss just above it gives a term that keeps its digits.
    excess = np.maximum(np.asarray(losses, dtype=np.float64).ravel() - threshold, 0.0)
    return bounded_mean_interval(-np.expm1(-excess), 0.0, 1.0, false_alarm)


def loss_tail_confidence_interval(
    epsilon: NumberInput, losses: ArrayLike, false_alarm: float
) -> Interval | Inconclusive:
    """Return an interval that contains `Pr[L > epsilon]`, from independent draws of the privacy loss `L`.

    Clopper and Pearson, so the coverage holds at every sample size.

    Args:
        epsilon: the threshold, in nats.
        losses: independent draws of the loss.
        false_alarm: the probability with which the interval may miss.

    Returns:
        An interval inside [0, 1], rounded outward; `Inconclusive` for NaN and for no draws.
    """
    threshold = float(exact(epsilon, name="epsilon", floats="binary"))
    draws = np.asarray(losses, dtype=np.float64).ravel()
    # NaN compares as not above, and would be counted as a small loss.
    if np.isnan(draws).any():
        return Inconclusive(f"{int(np.isnan(draws).sum())} of {draws.size} losses are NaN")
    return clopper_pearson(int((draws > threshold).sum()), draws.size, false_alarm)
