"""Hockey-stick divergence of two isotropic Gaussians: every real epsilon, both orders, down to the smallest delta.

The pair is `P = N(mu1, (1 + excess) I)` against `Q = N(mu2, I)` in `dimension`, with `|mu1 - mu2|^2 = shift_squared`,
and `delta(epsilon) = sup over sets A of P(A) - e^epsilon Q(A)`. Floats count as the exact numbers they are. Negative
epsilons go through `delta_{P||Q}(-e) = 1 - e^-e + e^-e delta_{Q||P}(e)`, whose terms are all positive.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosure
from rgm_verify.gaussians.floating import contour, saddle, tails
from rgm_verify.gaussians.floating.arguments import Columns, by_chunks
from rgm_verify.gaussians.floating.loss_law import LossLaw, loss_law, reversed_law

FloatArray = NDArray[np.float64]

ERROR = 1e-12
"""Absolute error of `log_hockey_stick` where `delta >= 1e-200`; measured against certified enclosures, not proved."""
ERROR_CONSTANT = 64.0
"""Absolute error of a logarithm `l` in general: `ERROR + ERROR_CONSTANT eps |l|`; measured in the same way."""

# The box in which one point by itself takes the certified route.
_MOST_EPSILON, _MOST_SHIFT, _LEAST, _MOST_DIMENSION = 50.0, 1e3, 1e-9, 1e6
_MOST_SHRUNK, _MOST_GROWN = 0.75, 3.0
_SMALLEST, _DIGITS, _APART = 1e-250, 15, 3e-15
_LEAST_LOG = math.log(_SMALLEST)


def log_hockey_stick(
    epsilon: ArrayLike, shift_squared: ArrayLike, excess: ArrayLike, dimension: ArrayLike
) -> FloatArray:
    """Return the natural logarithm of the hockey-stick divergence of order `e^epsilon` of `P` from `Q`.

    Args:
        epsilon: any real number, in nats.
        shift_squared: the squared distance of the means, >= 0; sizes as in `arguments`.
        excess: the relative excess of the first variance, > -1.
        dimension: an integer >= 1.

    Returns:
        Floats in the common shape of the arguments. `-inf` where the divergence is 0: beyond the largest privacy loss
        (`excess < 0`) and for `P = Q`; and for logarithms below about -1e140. Neither an upper nor a lower bound:
        within `ERROR + ERROR_CONSTANT * eps * |result|` of the truth for dimensions to 1e6 and variance ratios between
        1e-12 and 1e12. This is measured, not proved: `tests/certified/gaussians/test_float_hockey_stick.py` compares
        with certified enclosures. Take `accounting` for a guarantee.

    Raises:
        InputError: for NaN, infinities, and what is outside the stated ranges.

    Source: the contour integral in `contour`; tails by scipy in `tails`, where that was measured to be as right: for
    equal variances, and for 65536 points and more in a box of moderate pairs.

    Examples:
        >>> round(float(np.exp(log_hockey_stick(1, 1, 0, 1))), 12)
        0.126936737507
    """
    alone = _single(epsilon, shift_squared, excess, dimension)
    if alone is not None:
        return np.asarray(alone)
    many = max(np.size(x) for x in (epsilon, shift_squared, excess, dimension)) >= tails.MANY
    return by_chunks(partial(_log_value, many=many), epsilon, shift_squared, excess, dimension)


def _single(epsilon: ArrayLike, shift_squared: ArrayLike, excess: ArrayLike, dimension: ArrayLike) -> float | None:
    """Return the logarithm for four plain numbers in a box of moderate ones, by the certified route; None elsewhere.

    The certified value of one point takes a quarter of the time that arrays of one entry do, and its error is that of
    the last logarithm. Equal variances take two normal tails. The box keeps to where 15 digits come at once; what
    lies outside goes the usual way.
    """
    numbers = (epsilon, shift_squared, excess, dimension)
    # A truth value counts as an integer in Python, and is refused with all other arguments the usual way.
    if not all(isinstance(x, float | int) and not isinstance(x, bool) for x in numbers):
        return None
    e, s, w, d = (float(x) for x in numbers)  # type: ignore[arg-type]
    moderate = 0 <= e <= _MOST_EPSILON and _LEAST <= s <= _MOST_SHIFT and -_MOST_SHRUNK <= w <= _MOST_GROWN
    if not moderate or not (1 <= d <= _MOST_DIMENSION and d == math.floor(d)) or 0 < abs(w) < _LEAST:
        return None
    plain = tails.log_of_plain(e, s) if w == 0 else None
    if plain is not None and plain >= _LEAST_LOG:
        return min(0.0, plain)
    found = hockey_stick_enclosure(Fraction(e), Fraction(s), Fraction(w), int(d), digits=_DIGITS)
    if not found.lower or found.upper is None:
        return None
    lower, upper = float(found.lower), float(found.upper)
    # Two ends that are farther apart than the digits asked for and a rounding of each are no answer.
    if lower < _SMALLEST or upper - lower > _APART * lower:
        return None
    return min(0.0, math.log((lower + upper) / 2))


def hockey_stick(epsilon: ArrayLike, shift_squared: ArrayLike, excess: ArrayLike, dimension: ArrayLike) -> FloatArray:
    """Return the hockey-stick divergence itself, within the error of `log_hockey_stick` relatively; 0 below 1e-323."""
    return np.asarray(np.exp(log_hockey_stick(epsilon, shift_squared, excess, dimension)))


def log_complement(epsilon: ArrayLike, shift_squared: ArrayLike, excess: ArrayLike, dimension: ArrayLike) -> FloatArray:
    """Return `log(1 - delta(epsilon))`, which says how far the divergence is from 1; arguments as `log_hockey_stick`.

    Error: within `10 * ERROR + ERROR_CONSTANT * eps * |result|`, in the same range and measured in the same way. A
    difference from 1 would keep no digits where delta is within 1e-16 of it.
    """
    return by_chunks(_log_complement, epsilon, shift_squared, excess, dimension)


def _log_value(columns: Columns, *, many: bool) -> FloatArray:
    """Return the logarithm of the divergence of columns: by two tails where that is right, else by the contour."""
    found = tails.log_by_tails(columns, many=many)
    left = np.isnan(found)
    if left.any():
        found[left] = _by_contour(Columns(*(column[left] for column in columns)))
    return found


def _by_contour(columns: Columns) -> FloatArray:
    """Return the logarithm of the divergence of columns, negative thresholds by the reversed pair."""
    value, _ = _logs(columns)
    turned = columns.threshold < 0
    exponent = np.minimum(columns.threshold, 0.0)
    # `1 - e^-e + e^-e delta`: both terms are positive, so that nothing cancels.
    gap = np.exp(exponent + np.where(turned, value, -np.inf)) - np.expm1(exponent)
    return np.where(turned, np.log(np.where(turned, gap, 1.0)), value)


def _log_complement(columns: Columns) -> FloatArray:
    _, complement = _logs(columns)
    return np.minimum(columns.threshold, 0.0) + complement


def _logs(columns: Columns) -> tuple[FloatArray, FloatArray]:
    """Return the logarithms of `delta` and `1 - delta`; for a negative epsilon, those of `Q` from `P` at `-epsilon`."""
    # Both orders for all pairs: choosing before would take as long as computing.
    forward, turned = loss_law(*columns), reversed_law(*columns)
    law = forward.where(columns.threshold >= 0, turned)
    value, complement = np.full(law.mean.shape, -np.inf), np.zeros(law.mean.shape)
    deviation = np.hypot(law.spread, law.standard)
    # Where the mean lies half a deviation above, delta is about 1/2 or more and its complement is the one to integrate.
    high = (law.mean >= deviation / 2) & (deviation > 0)
    low = ~high & (deviation > 0) & ~((law.slope < 0) & (law.end <= 0))
    _fill(value, complement, low, law, _above)
    _fill(complement, value, high, law, _between)
    return value, complement


def _fill(
    target: FloatArray, other: FloatArray, mask: NDArray[np.bool_], law: LossLaw, rule: Callable[[LossLaw], FloatArray]
) -> None:
    """Put the logarithm by a rule where a mask holds, and that of its complement beside it."""
    if mask.any():
        # A probability is at most 1; rounding may have lifted its logarithm above 0.
        log = np.minimum(rule(law.at(mask)), 0.0)
        target[mask] = log
        other[mask] = np.log(-np.expm1(log))


def _above(law: LossLaw) -> FloatArray:
    """Return the logarithm of the divergence by the contour right of both poles; `1 / (1 + c)` is the kernel's
    factor.
    """
    path, c = saddle.above(law, tilted=True)
    return contour.log_integral(path) - np.log1p(np.where(np.isfinite(c), c, 0.0))


def _between(law: LossLaw) -> FloatArray:
    """Return the logarithm of one less the divergence by the contour between the two poles."""
    path, r = saddle.between(law)
    return contour.log_integral(path) - np.log1p(-r)
