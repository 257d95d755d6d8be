"""Hockey-stick divergence of two isotropic Gaussians: every real epsilon, both orders, down to the smallest delta.

The pair is `P = N(mu1, (1 + excess) I)` against `Q = N(mu2, I)` in `dimension`, with `|mu1 - mu2|^2 = shift_squared`,
and `delta(epsilon) = sup over sets A of P(A) - e^epsilon Q(A)`. Floats count as the exact numbers they are. Negative
epsilons go through `delta_{P||Q}(-e) = 1 - e^-e + e^-e delta_{Q||P}(e)`, whose terms are all positive.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rgm_verify.gaussians.floating import contour, saddle
from rgm_verify.gaussians.floating.arguments import Columns, by_chunks
from rgm_verify.gaussians.floating.loss_law import LossLaw, loss_law, reversed_law

FloatArray = NDArray[np.float64]

ERROR = 1e-12
"""Absolute error of `log_hockey_stick` where `delta >= 1e-200`; measured against certified enclosures, not proved."""
ERROR_CONSTANT = 64.0
"""Absolute error of a logarithm `l` in general: `ERROR + ERROR_CONSTANT eps |l|`; measured in the same way."""


def log_hockey_stick(
    epsilon: ArrayLike, shift_squared: ArrayLike, excess: ArrayLike, dimension: ArrayLike
) -> FloatArray:
    """Return the natural logarithm of the hockey-stick divergence of order `e^epsilon` of `P` from `Q`.

    Arguments broadcast; any real epsilon, `shift_squared >= 0`, `excess > -1`, `dimension` an integer >= 1, sizes as in
    `arguments`. `-inf` where the divergence is 0: beyond the largest privacy loss (`excess < 0`) and for `P = Q`; and
    for logarithms below about -1e140.

    Error: a floating-point value, neither an upper nor a lower bound, within `ERROR + ERROR_CONSTANT * eps * |result|`
    of the truth for dimensions to 1e6 and variance ratios between 1e-12 and 1e12. The bound is measured, not proved:
    `tests/certified/gaussians/test_float_hockey_stick.py` compares with certified enclosures. Take
    `accounting` for a guarantee.
    Raises `InputError` for NaN, infinities, and what is outside the stated ranges.
    Source: the contour integral in `contour`.
    """
    return by_chunks(_log_value, epsilon, shift_squared, excess, dimension)


def hockey_stick(epsilon: ArrayLike, shift_squared: ArrayLike, excess: ArrayLike, dimension: ArrayLike) -> FloatArray:
    """Return the hockey-stick divergence itself, within the error of `log_hockey_stick` relatively; 0 below 1e-323."""
    return np.asarray(np.exp(log_hockey_stick(epsilon, shift_squared, excess, dimension)))


def log_complement(epsilon: ArrayLike, shift_squared: ArrayLike, excess: ArrayLike, dimension: ArrayLike) -> FloatArray:
    """Return `log(1 - delta(epsilon))`, which says how far the divergence is from 1; arguments as `log_hockey_stick`.

    Error: within `10 * ERROR + ERROR_CONSTANT * eps * |result|`, in the same range and measured in the same way.
    """
    return by_chunks(_log_complement, epsilon, shift_squared, excess, dimension)


def _log_value(columns: Columns) -> FloatArray:
    value, _ = _logs(columns)
    turned = columns.threshold < 0
    exponent = np.minimum(columns.threshold, 0.0)
    gap = np.exp(exponent + np.where(turned, value, -np.inf)) - np.expm1(exponent)
    return np.where(turned, np.log(np.where(turned, gap, 1.0)), value)


def _log_complement(columns: Columns) -> FloatArray:
    _, complement = _logs(columns)
    return np.minimum(columns.threshold, 0.0) + complement


def _logs(columns: Columns) -> tuple[FloatArray, FloatArray]:
    """Return the logarithms of `delta` and `1 - delta`; for a negative epsilon, those of `Q` from `P` at `-epsilon`."""
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
    if mask.any():
        log = np.minimum(rule(law.at(mask)), 0.0)
        target[mask] = log
        other[mask] = np.log(-np.expm1(log))


def _above(law: LossLaw) -> FloatArray:
    path, c = saddle.above(law, tilted=True)
    return contour.log_integral(path) - np.log1p(np.where(np.isfinite(c), c, 0.0))


def _between(law: LossLaw) -> FloatArray:
    path, r = saddle.between(law)
    return contour.log_integral(path) - np.log1p(-r)
