"""Law of the privacy loss `L = log dP/dQ` of two isotropic Gaussians, under `P` and under `Q`.

The pair is `P = N(mu1, (1 + excess) I)` against `Q = N(mu2, I)` in `dimension`, with `|mu1 - mu2|^2 = shift_squared`.
`L` is an affine noncentral chi-square (`loss_law`), for `excess = 0` a Gaussian, and the constant 0 for `P = Q`. Floats
count as the exact numbers they are. Tails are contour integrals (`contour`), not the noncentral chi-square of SciPy,
which fails for large noncentralities.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rgm_verify.errors import reject
from rgm_verify.gaussians.floating import contour, saddle
from rgm_verify.gaussians.floating.arguments import Columns, by_chunks, finite
from rgm_verify.gaussians.floating.loss_law import LossLaw, loss_law, reversed_law
from rgm_verify.gaussians.floating.renyi import divergence
from rgm_verify.gaussians.pair import GaussianPair
from rgm_verify.gaussians.simulated import privacy_loss_sampler

FloatArray = NDArray[np.float64]
Under = Literal["P", "Q"]

ERROR = 1e-12
"""Absolute error of `log_loss_cdf`, `log_loss_sf` where the probability is >= 1e-200; measured, not proved."""
ERROR_CONSTANT = 64.0
"""Absolute error of a logarithm `l` of a tail in general: `ERROR + ERROR_CONSTANT eps |l|`; measured, not proved."""

# Ten steps are usual; next to an end of the loss the bracket is halved down to neighbouring floats.
_STEPS = 200


def cumulant(s: ArrayLike, shift_squared: ArrayLike, excess: ArrayLike, dimension: ArrayLike) -> FloatArray:
    """Return `K(s) = log E_P exp(s L)`, `s` times the Renyi divergence of order `1 + s`.

    Args:
        s: any real number.
        shift_squared: the squared distance of the means.
        excess: the relative excess of the first variance.
        dimension: an integer >= 1.

    Returns:
        Floats in the common shape: `+inf` outside of the range `1 - s excess > 0`; `K(-1) = K(0) = 0` exactly. No
            bound: relative error as that of `renyi.renyi`, `renyi.ERROR_CONSTANT * eps * condition`, a few roundings
            more for `s < 0`.

    Raises:
        InputError: as `by_chunks`.

    Source: `beyond:cumulant-renyi`, `beyond:cumulant-duality`.
    """
    return by_chunks(_cumulant, s, shift_squared, excess, dimension, name="s")


def _cumulant(columns: Columns) -> FloatArray:
    """Return the cumulant of checked columns, by the order of the two laws in which the Renyi order is at least 1/2."""
    s, shift, w, dimension = columns
    # K(s) of P against Q is K(-1 - s) of Q against P: one of the two orders is at least 1/2.
    turned = s < -0.5
    ratio = 1 + w
    factor, order = np.where(turned, -1 - s, s), np.where(turned, -s, 1 + s)
    first, change = np.where(turned, 1 / ratio, ratio), np.where(turned, -w / ratio, w)
    value = divergence(order, np.where(turned, shift / ratio, shift), change, first, dimension)
    return np.where(factor == 0, 0.0, factor * np.where(factor == 0, 0.0, value))


def loss_cdf(
    x: ArrayLike, shift_squared: ArrayLike, excess: ArrayLike, dimension: ArrayLike, *, under: Under = "P"
) -> FloatArray:
    """Return `Pr[L <= x]` under `P` or `Q`; relative error as `log_loss_cdf`, also where it is tiny.

    Arguments broadcast; `x` is in nats. Errors as `log_hockey_stick`, and `InputError` for another `under`.
    """
    return np.asarray(np.exp(log_loss_cdf(x, shift_squared, excess, dimension, under=under)))


def loss_sf(
    x: ArrayLike, shift_squared: ArrayLike, excess: ArrayLike, dimension: ArrayLike, *, under: Under = "P"
) -> FloatArray:
    """Return `Pr[L > x]` under `P` or `Q`; relative error as `log_loss_sf`, also where it is tiny.

    Arguments and errors as `loss_cdf`. It is not computed as a difference from 1, which would lose a small tail.
    """
    return np.asarray(np.exp(log_loss_sf(x, shift_squared, excess, dimension, under=under)))


def loss_pdf(
    x: ArrayLike, shift_squared: ArrayLike, excess: ArrayLike, dimension: ArrayLike, *, under: Under = "P"
) -> FloatArray:
    """Return the density of `L` at `x`, per nat; relative error as `log_loss_pdf`, arguments and errors as there."""
    return np.asarray(np.exp(log_loss_pdf(x, shift_squared, excess, dimension, under=under)))


def log_loss_cdf(
    x: ArrayLike, shift_squared: ArrayLike, excess: ArrayLike, dimension: ArrayLike, *, under: Under = "P"
) -> FloatArray:
    """Return `log Pr[L <= x]`; `-inf` at and below the least loss. Arguments broadcast; errors as `log_hockey_stick`.

    Error: within `ERROR + ERROR_CONSTANT * eps * |result|` of the truth, measured against certified enclosures.
    """
    _checked_law(under)
    return by_chunks(lambda c: _log_tails(_law(c, under))[1], x, shift_squared, excess, dimension, name="x")


def log_loss_sf(
    x: ArrayLike, shift_squared: ArrayLike, excess: ArrayLike, dimension: ArrayLike, *, under: Under = "P"
) -> FloatArray:
    """Return `log Pr[L > x]`; `-inf` at and above the largest loss. As `log_loss_cdf`."""
    _checked_law(under)
    return by_chunks(lambda c: _log_tails(_law(c, under))[0], x, shift_squared, excess, dimension, name="x")


def log_loss_pdf(
    x: ArrayLike, shift_squared: ArrayLike, excess: ArrayLike, dimension: ArrayLike, *, under: Under = "P"
) -> FloatArray:
    """Return the logarithm of the density of `L` at `x`, `-inf` at and beyond the ends of the loss.

    Error: as `log_loss_cdf`. Raises `InputError` for `P = Q`, where `L` is the constant 0 and has no density.
    """
    _checked_law(under)
    return by_chunks(lambda c: _log_density(_law(c, under)), x, shift_squared, excess, dimension, name="x")


def loss_quantile(
    p: ArrayLike, shift_squared: ArrayLike, excess: ArrayLike, dimension: ArrayLike, *, under: Under = "P"
) -> FloatArray:
    """Return the `x` with `Pr[L <= x] = p` under `P` or `Q`, for `0 < p < 1`; 0 for `P = Q`.

    Found by Newton's method inside a bracket, on the smaller tail: the tail at the result is within its own error and
    the change of the tail over sixteen roundings of `x` (next to an end of the loss that may be all of it: one rounding
    of `x` is then many orders of `p`).

    Args:
        p: probabilities strictly between 0 and 1.
        shift_squared: the squared distance of the means.
        excess: the relative excess of the first variance.
        dimension: an integer >= 1.
        under: the law of the point.

    Returns:
        Floats in nats, in the common shape; no bound to either side.

    Raises:
        InputError: for `p` outside (0, 1), and as `by_chunks`.
    """
    _checked_law(under)
    probability = finite(p, "p", "a probability must be > 0 and < 1", lambda value: (value > 0) & (value < 1))
    return by_chunks(lambda c: _quantile(c, under), probability, shift_squared, excess, dimension, name="p")


def sample_loss(pair: GaussianPair, size: int, generator: np.random.Generator, *, under: Under = "P") -> FloatArray:
    """Return `size` independent draws of `L` under `P` or `Q`; the cost of one does not grow with the dimension.

    By `simulated.privacy_loss_sampler`, whose rounding errors it has.
    """
    distance, ratio = math.sqrt(pair.shift_squared), 1 + pair.excess
    return privacy_loss_sampler(distance, ratio, 1, pair.dimension, samples=size, generator=generator, under=under)


def _checked_law(under: str) -> None:
    if under not in ("P", "Q"):
        raise reject("under", under, 'allowed are "P" and "Q"')


def _law(columns: Columns, under: Under) -> LossLaw:
    """Return the law of `L - x`."""
    return loss_law(*columns) if under == "P" else reversed_law(*columns).negated()


def _log_tails(law: LossLaw) -> tuple[FloatArray, FloatArray]:
    """Return the logarithms of `P(Y > 0)` and `P(Y <= 0)`, the smaller one (or nearly so) by the contour."""
    deviation = np.hypot(law.spread, law.standard)
    above = np.where((deviation == 0) & (law.mean <= 0), -np.inf, 0.0)
    below = np.where((deviation == 0) & (law.mean > 0), -np.inf, 0.0)
    upper, lower = (law.slope < 0) & (law.end <= 0), (law.slope > 0) & (law.end >= 0)
    above[upper], below[lower] = -np.inf, -np.inf
    # The smaller tail keeps its digits, and the other one is its complement.
    inside = (deviation > 0) & ~upper & ~lower
    _fill(above, below, inside & (law.mean <= 0), law)
    _fill(below, above, inside & (law.mean > 0), law.negated())
    return above, below


def _fill(target: FloatArray, other: FloatArray, mask: NDArray[np.bool_], law: LossLaw) -> None:
    if mask.any():
        log = np.minimum(contour.log_integral(saddle.above(law.at(mask), tilted=False)[0]), 0.0)
        target[mask], other[mask] = log, np.log(-np.expm1(log))


def _log_density(law: LossLaw) -> FloatArray:
    """Return the logarithm of the density of `Y` at 0, by the contour through the free saddle point."""
    deviation = np.hypot(law.spread, law.standard)
    if (deviation == 0).any():
        raise reject("shift_squared", 0.0, "with excess=0 the two Gaussians are equal, and the loss has no density")
    inside = ~((law.slope != 0) & (law.slope * law.end >= 0))
    result = np.full(law.mean.shape, -np.inf)
    if inside.any():
        path, scale = saddle.free(law.at(inside))
        result[inside] = contour.log_integral(path) + np.log(scale)
    return result


def _quantile(columns: Columns, under: Under) -> FloatArray:
    # The law of the loss itself: the threshold is what is looked for.
    """Return the quantiles of columns whose threshold holds probabilities."""
    law = _law(Columns(np.zeros_like(columns.threshold), *columns[1:]), under)
    deviation = np.hypot(law.spread, law.standard)
    result = np.zeros_like(deviation)
    live = deviation > 0
    if live.any():
        part = Columns(*(column[live] for column in columns))
        result[live] = _solve(part, law.at(live), deviation[live], under)
    return result


def _solve(columns: Columns, law: LossLaw, deviation: FloatArray, under: Under) -> FloatArray:
    # Newton's method is on the logarithm of the smaller tail, which is nearly a parabola far out.
    """Return the quantiles of pairs that are not equal, by Newton's method inside of a bracket that shrinks."""
    goal = np.where(columns.threshold <= 0.5, np.log(columns.threshold), np.log1p(-columns.threshold))
    low, high = _bracket(columns, law, deviation, under)
    x = np.clip(law.mean, low, high)
    for _ in range(_STEPS):
        gap, slope = _gap(columns, x, goal, under)
        low, high = np.where(gap <= 0, x, low), np.where(gap >= 0, x, high)
        newton, middle = x - gap / slope, low + (high - low) / 2
        # A step that leaves the bracket is no better than its middle, which halves it.
        after = np.where((newton >= low) & (newton <= high), newton, middle)
        # Two conditions, as a flat tail ends by its value and a steep one by its place.
        moved = np.abs(after - x) > 2 * np.spacing(np.abs(x))
        if not (moved & (np.abs(gap) > ERROR / 10 * (1 + np.abs(goal)))).any():
            break
        x = after
    return x


def _gap(columns: Columns, x: FloatArray, goal: FloatArray, under: Under) -> tuple[FloatArray, FloatArray]:
    """Return how far the logarithm of the smaller tail lies above its goal (increasing in `x`), and its slope."""
    law = _law(Columns(x, *columns[1:]), under)
    above, below = _log_tails(law)
    lower = columns.threshold <= 0.5
    slope = np.exp(_log_density(law) - np.where(lower, below, above))
    return np.where(lower, below - goal, goal - above), np.where(np.isfinite(slope) & (slope > 0), slope, np.inf)


def _bracket(columns: Columns, law: LossLaw, deviation: FloatArray, under: Under) -> tuple[FloatArray, FloatArray]:
    """Return two points around the quantile, by doubling the distance from the mean; never beyond the ends."""
    p, *pair = columns
    least, largest = np.where(law.slope > 0, law.end, -np.inf), np.where(law.slope < 0, law.end, np.inf)
    width = 2 * deviation
    low, high = np.maximum(law.mean - width, least), np.minimum(law.mean + width, largest)
    for _ in range(_STEPS):
        far = _log_tails(_law(Columns(low, *pair), under))[1] > np.log(p)
        near = _log_tails(_law(Columns(high, *pair), under))[0] > np.log1p(-p)
        if not (far | near).any():
            break
        width = 2 * width
        low = np.where(far, np.maximum(law.mean - width, least), low)
        high = np.where(near, np.minimum(law.mean + width, largest), high)
    return low, high
