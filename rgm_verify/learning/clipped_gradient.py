"""The mean of per-example gradients of ridge regression, each clipped, without the n-by-d matrix of gradients.

The gradient of one record is `x r` with the residual `r = x.theta - y`, so its norm is `|x| |r|`, and to clip it to `c`
is to clip the residual to `c / |x|`. The mean over the records is then `X^T r / n`: two products with `X` for each
step, after one pass for the norms. (It is the gradient of a Huber loss whose corner is at `c / |x|`.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from rgm_verify.accounting.bounds import round_down
from rgm_verify.errors import reject
from rgm_verify.exact import Adjacency, ExactInput, NumberInput, adjacency, positive, positive_integer
from rgm_verify.learning.data import (
    EPS,
    FloatArray,
    checked_point,
    checked_records,
    nonnegative_float,
    overflow,
    row_norms_above,
)
from rgm_verify.mechanisms.values import representable

Regularizer = Literal["outside", "inside"]

_SMALLEST, _LARGEST, _LARGEST_SHARE = 1e-100, 1e100, 1e150  # the squares of these are floats
_BLOCK = 4_096  # records at a time: the vectors of a block stay in the cache


def clipped_mean_sensitivity(clip: ExactInput, divisor: ExactInput, neighbours: Adjacency | str) -> Fraction:
    """Return how far the clipped sum over `divisor` moves between neighbours: an exact upper bound, and attained.

    `2 clip / divisor` where one record is replaced, `clip / divisor` where one is added or removed and the divisor is
    public and stays. From the triangle inequality; attained by two opposite gradients of norm `clip`.
    Raises `InputError` for `clip <= 0` and a divisor that is no integer >= 1.
    """
    threshold = positive(clip, name="clip", meaning="the clipping threshold")
    count = positive_integer(divisor, name="divisor", meaning="the public number of records")
    return (2 if adjacency(neighbours) is Adjacency.REPLACE_ONE else 1) * threshold / count


@dataclass(frozen=True, eq=False)
class ClippedGradient:
    """The clipped gradient of ridge regression as a function of `theta`; made by `ClippedGradient.of`.

    `clip` is exact; the regularization is added `outside` the clipping (it is no secret), or clipped with each
    record's gradient (`inside`). The sum is divided by `public_divisor`, or by n if it is None. `limits` (n,) are the
    largest residuals outside, `clip / |x|` rounded down; `squares` (n,) are `|x|^2 / clip^2` rounded up, for inside.

    Formal Guarantees:
        * Each record's contribution has a norm <= `clip` in exact arithmetic, at every `theta`; so in real arithmetic
          the gradient moves by at most `sensitivity(...)` between neighbours.
        * A record's gradient that is within the bound by a margin of (d + 20) * 1e-15 enters unclipped. Inside the
          clipping the margin is a share of the norm that its two parts would have if they pointed in one direction.

    What this does not protect against: the rounding of the sum over the records, about n * 1e-16 of its terms.
    """

    features: FloatArray
    labels: FloatArray
    limits: FloatArray
    squares: FloatArray
    clip: Fraction
    regularization: float
    regularizer: Regularizer
    public_divisor: int | None

    @classmethod
    def of(
        cls,
        X: ArrayLike,
        y: ArrayLike,
        clip: ExactInput,
        *,
        regularization: NumberInput = 0,
        regularizer: Regularizer = "outside",
        divisor: ExactInput | None = None,
    ) -> ClippedGradient:
        """Return the gradient for features `X` (n, d), labels `y` (n,) and the threshold `clip > 0`, an exact number.

        `divisor` is the number that the sum is divided by, n if it is not given; for neighbours with one record more or
        less it must be given, as a public constant. Raises `InputError` for bad data and numbers out of range; inside
        the clipping the threshold and the regularization have to be between 1e-100 and 1e100.
        """
        features, labels = checked_records(X, y)
        threshold = representable(positive(clip, name="clip", meaning="the clipping threshold"), name="clip")
        mu = nonnegative_float(regularization, name="regularization", meaning="the regularization mu")
        if regularizer not in get_args(Regularizer):
            raise reject("regularizer", regularizer, f"allowed are {', '.join(get_args(Regularizer))}")
        if regularizer == "inside":
            _require_moderate(threshold, "clip")
            _require_moderate(mu or 1, "regularization")
        public = None if divisor is None else positive_integer(divisor, name="divisor", meaning="a number of records")
        # By columns, products with blocks of few long columns are faster.
        columns = np.asfortranarray(features)
        limits, squares = _limits(row_norms_above(columns), threshold, features.shape[1])
        return cls(columns, labels, limits, squares, threshold, mu, regularizer, public)

    @property
    def dimension(self) -> int:
        """Number of features."""
        return int(self.features.shape[1])

    @property
    def divisor(self) -> int:
        """What the sum over the records is divided by."""
        return len(self.labels) if self.public_divisor is None else self.public_divisor

    def sensitivity(self, neighbours: Adjacency | str) -> Fraction:
        """Return the exact bound on the move of the gradient between neighbours: `clipped_mean_sensitivity`.

        Raises `InputError` where a record is added or removed and no `divisor` was given: the size of the data would
        then differ between neighbours.
        """
        if self.public_divisor is None and adjacency(neighbours) is Adjacency.ADD_OR_REMOVE:
            raise reject("divisor", None, "with records added or removed a public constant must be given")
        return clipped_mean_sensitivity(self.clip, self.divisor, neighbours)

    def __call__(self, theta: ArrayLike) -> FloatArray:
        """Return the clipped gradient at `theta`, a new array of shape (d,); `InputError` where it overflows."""
        point = checked_point(theta, self.dimension)
        total, share, parts = np.zeros(self.dimension), 0.0, self._parts_of_theta(point)
        with np.errstate(all="ignore"):
            for start in range(0, len(self.labels), _BLOCK):
                rows = slice(start, start + _BLOCK)
                coefficients, shares = self._weights(point, rows, *parts)
                total += coefficients @ self.features[rows]
                share += 0.0 if shares is None else float(shares.sum())
        weight = 1.0 if self.regularizer == "outside" else share / self.divisor
        gradient = total / self.divisor + self.regularization * weight * point
        if not np.isfinite(gradient).all():
            raise overflow("theta")
        return np.asarray(gradient, dtype=np.float64)

    def weights(self, theta: FloatArray) -> tuple[FloatArray, FloatArray | None]:
        """Return what the records are multiplied with, and the shares of `mu theta`: two arrays of shape (n,).

        The second one is None where the regularization is outside the clipping.
        """
        with np.errstate(all="ignore"):
            return self._weights(theta, slice(None), *self._parts_of_theta(theta))

    def _weights(
        self, theta: FloatArray, rows: slice, slope: float, constant: float
    ) -> tuple[FloatArray, FloatArray | None]:
        along = self.features[rows] @ theta
        residual = along - self.labels[rows]
        if not (math.isfinite(residual @ residual) or np.isfinite(residual).all()):
            raise overflow("theta")
        if self.regularizer == "inside":
            along *= slope
            shares = _shares_inside(self.squares[rows], along, residual, constant)
            return shares * residual, shares
        limits = self.limits[rows]
        np.minimum(residual, limits, out=residual)
        return np.maximum(residual, -limits, out=residual), None

    def _parts_of_theta(self, theta: FloatArray) -> tuple[float, float]:
        """Return `2 mu / c^2` and `mu^2 |theta|^2 / c^2`, the second one rounded up and with its guard."""
        if self.regularizer == "outside":
            return 0.0, 0.0
        unit = _unit(self.clip)
        size = self.regularization * unit * float(np.linalg.norm(theta))
        constant = size**2 * _guard(self.dimension) if size <= _LARGEST_SHARE else math.inf
        return 2 * self.regularization * unit * unit, constant


def _shares_inside(squares: FloatArray, slopes: FloatArray, residual: FloatArray, constant: float) -> FloatArray:
    """Return `c / max(c, |x r + mu theta|)` for each record, by the closed form of the norm, on the safe side.

    In units of the threshold, `|x r + mu theta|^2 = F^2 + 2 mu r (x.theta) + S^2` with `F = |x| |r|` and
    `S = mu |theta|`. Its terms may cancel, but all roundings, that of the product of a share and a residual among
    them, are at most (d + 16) / 2 times EPS of `F^2 + S^2`: those of a sum of d products and a few more. So each of
    the two squares comes here larger by twice that: `squares` is `|x|^2`, `constant` is `S^2`; `slopes` is
    `2 mu (x.theta)`.
    """
    norms = squares * residual
    norms += slopes
    norms *= residual
    norms += constant
    np.maximum(norms, 1.0, out=norms)
    np.sqrt(norms, out=norms)
    shares = np.divide(1.0, norms, out=norms)
    if math.isnan(shares @ shares):
        shares[np.isnan(shares)] = 0.0  # infinite parts against each other: clipped to nothing
    return shares


def _limits(norms: FloatArray, threshold: Fraction, dimension: int) -> tuple[FloatArray, FloatArray]:
    """Return `c / |x|`, rounded down, and `|x|^2 / c^2`, rounded up and with the guard of `_shares_inside`."""
    tiny = np.finfo(np.float64).tiny
    with np.errstate(divide="ignore", over="ignore", under="ignore"):
        limits = round_down(threshold) * (1 - 4 * EPS) / norms
        squares = np.square(norms * _unit(threshold)) * _guard(dimension)
    # What underflows has lost digits: nothing is let through, and nothing is taken for shorter than it is.
    limits[limits < tiny] = 0.0
    return limits, np.where(norms > 0, np.maximum(squares, tiny), 0.0)


def _require_moderate(number: Fraction | float, name: str) -> None:
    if not _SMALLEST <= float(number) <= _LARGEST:
        raise reject(name, float(number), "must be between 1e-100 and 1e100 inside the clipping; change the unit")


def _unit(threshold: Fraction) -> float:
    """Return `1 / c`, larger by enough for the roundings of a root, of a quotient and of the products with it."""
    return 1 / (round_down(threshold) * (1 - 8 * EPS))


def _guard(dimension: int) -> float:
    return 1 + (dimension + 16) * EPS


# ------------------------------------------------------------------------------------------------- the plain form


def per_example_gradients(X: ArrayLike, y: ArrayLike, theta: ArrayLike) -> FloatArray:
    """Return the gradient of each record's loss `(x.theta - y)^2 / 2` as a row, shape (n, d): the plain reference."""
    features, labels = checked_records(X, y)
    point = checked_point(theta, features.shape[1])
    return (features @ point - labels)[:, np.newaxis] * features


def mean_of_clipped(gradients: FloatArray, clip: float) -> FloatArray:
    """Return the mean of the rows of `gradients`, each scaled by `clip / max(clip, norm)`: the plain reference."""
    norms = np.linalg.norm(gradients, axis=1, keepdims=True)
    return np.asarray((gradients * (clip / np.maximum(clip, norms))).mean(axis=0), dtype=np.float64)
