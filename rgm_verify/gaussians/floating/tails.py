"""Hockey-stick divergences as differences of two tails by scipy, where the difference keeps the digits.

Equal variances have normal tails, `delta = Phi(a) - e^eps Phi(b)` with `a, b = -eps/mu +- mu/2`; others two noncentral
chi-square tails. scipy states no errors, so that the box is one where they were measured. In front of it stands a
condition number: a difference of numbers that are alike has lost digits, and is left to the contour.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

from rgm_verify.gaussians.floating.arguments import Columns

__all__ = ["MANY", "log_by_tails", "log_of_plain"]

FloatArray = NDArray[np.float64]

MANY = 1 << 16
"""So many points are worth the import of `scipy.stats`, which takes as long as tens of thousands by the contour."""

_EPS = float(np.finfo(np.float64).eps)
_NORMAL_ERROR = 5e-13  # of a logarithm, as a sum of what its terms may lose
_ROUNDINGS = 2  # of each of these terms
# The box of the chi-square tails.
_MOST_EPSILON, _MOST_DIMENSION, _MOST_NONCENTRALITY = 50.0, 1000.0, 1e3
_MOST_SHRUNK, _LEAST_EXCESS, _MOST_GROWN = -0.75, 1e-2, 3.0
_LEAST, _MOST_CONDITION = 1e-12, 30.0


def log_of_plain(epsilon: float, shift_squared: float) -> float | None:
    """Return the logarithm of the divergence for equal variances and `epsilon >= 0`; None where digits are lost.

    Args:
        epsilon: a threshold, finite.
        shift_squared: the squared distance of the means over the variance, > 0.

    Returns:
        A float within 1e-12 of the truth, which is measured, not proved; neither an upper nor a lower bound.
    """
    mu = math.sqrt(shift_squared)
    place = epsilon / mu
    first, second = float(log_ndtr(mu / 2 - place)), epsilon + float(log_ndtr(-mu / 2 - place))
    lost = _ROUNDINGS * _EPS * (1 + epsilon - first - (second - epsilon))
    gap = -math.expm1(min(second - first, 0.0))
    if not lost <= _NORMAL_ERROR * gap:
        return None
    return first + math.log(gap)


def log_by_tails(columns: Columns, *, many: bool) -> FloatArray:
    """Return logarithms of the divergence, NaN where this is not the way.

    Args:
        columns: checked arguments, each of the shape (n,).
        many: whether chi-square tails are worth their import.

    Returns:
        Floats within 1e-12 of the truth, shape (n,), which is measured, not proved.
    """
    result = np.full(columns.threshold.shape, np.nan)
    for inside, rule in ((_plain, _by_normal), *(((_boxed, _by_chi_square),) if many else ())):
        mask = inside(columns)
        if mask.any():
            result[mask] = rule(Columns(*(column[mask] for column in columns)))
    return result


def _plain(columns: Columns) -> NDArray[np.bool_]:
    """Return where variances are equal, means are not, and the threshold is not negative."""
    found: NDArray[np.bool_] = (columns.excess == 0) & (columns.shift_squared > 0) & (columns.threshold >= 0)
    return found


def _boxed(columns: Columns) -> NDArray[np.bool_]:
    """Return which pairs lie in the box of the chi-square tails."""
    threshold, shift, excess, dimension = columns
    size = np.abs(excess)
    found: NDArray[np.bool_] = (
        (threshold >= 0)
        & (threshold <= _MOST_EPSILON)
        & (dimension <= _MOST_DIMENSION)
        & (size >= _LEAST_EXCESS)
        & (excess >= _MOST_SHRUNK)
        & (excess <= _MOST_GROWN)
        & (shift > 0)
        & (shift * (1 + size) <= _MOST_NONCENTRALITY * size**2)
    )
    return found


def _by_normal(columns: Columns) -> FloatArray:
    """Return the logarithms by normal tails, NaN where they lose digits; see `log_of_plain`."""
    epsilon, mu = columns.threshold, np.sqrt(columns.shift_squared)
    place = epsilon / mu
    first, second = log_ndtr(mu / 2 - place), epsilon + log_ndtr(-mu / 2 - place)
    lost = _ROUNDINGS * _EPS * (1 + epsilon - first - (second - epsilon))
    gap = -np.expm1(np.minimum(second - first, 0.0))
    found: FloatArray = np.where(lost <= _NORMAL_ERROR * gap, first + np.log(gap), np.nan)
    return found


def _by_chi_square(columns: Columns) -> FloatArray:
    """Return the logarithms by noncentral chi-square tails, NaN where their difference loses digits."""
    # Here, as it takes longer than all else that is imported together.
    from scipy.stats import ncx2

    epsilon, shift, excess, dimension = columns
    level = (2 * epsilon + dimension * np.log1p(excess) + shift / excess) / excess
    far = shift / excess**2
    first, second = np.empty_like(epsilon), np.empty_like(epsilon)
    # The loss is large where the output is: far out if the first variance is the larger one, near the centre else.
    for mask, tail in ((excess > 0, ncx2.sf), (excess < 0, ncx2.cdf)):
        if mask.any():
            first[mask] = tail(level[mask], dimension[mask], (far * (1 + excess))[mask])
            second[mask] = tail((level * (1 + excess))[mask], dimension[mask], far[mask])
    second *= np.exp(epsilon)
    gap = first - second
    usable = (gap >= _LEAST) & (first + second <= _MOST_CONDITION * gap)
    found: FloatArray = np.where(usable, np.log(np.where(usable, gap, 1.0)), np.nan)
    return found
