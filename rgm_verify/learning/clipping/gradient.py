"""The mean of per-example gradients of ridge regression, each clipped, without the n-by-d matrix of gradients.

The gradient of one record is `x r` with the residual `r = x.theta - y`, so its norm is `|x| |r|`, and to clip it to `c`
is to clip the residual to `c / |x|`. The mean over the records is then `X^T r / n`: two products with `X` for each
step, after one pass for the norms. (It is the gradient of a Huber loss whose corner is at `c / |x|`.) Where few
records are clipped it is the gradient from second moments, corrected for these records: see `few_clipped`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from rgm_verify.errors import reject
from rgm_verify.learning.clipping.few_clipped import FewClipped, IndexArray, products_by_row
from rgm_verify.learning.data import (
    EPS,
    FloatArray,
    any_records,
    checked_features,
    checked_point,
    checked_records,
    finite,
    nonnegative_float,
    row_norms_above,
)
from rgm_verify.mechanisms.sensitivity import Adjacency, adjacency
from rgm_verify.mechanisms.values import representable
from rgm_verify.numbers.bounds import round_down
from rgm_verify.numbers.exact import ExactInput, NumberInput, positive, positive_integer

Regularizer = Literal["outside", "inside"]

_SMALLEST, _LARGEST, _LARGEST_SHARE = 1e-100, 1e100, 1e150  # the squares of these are floats
_LARGEST_CLIP = 10**150
_FAR = 2.0**1000  # what is larger counts as an overflow, so that no partial sum is one
_BLOCK = 4_096  # records at a time: the vectors of a block stay in the cache


def clipped_mean_sensitivity(clip: ExactInput, divisor: ExactInput, neighbours: Adjacency | str) -> Fraction:
    """Return how far the clipped sum over `divisor` moves between neighbours: an exact upper bound, and attained.

    `2 clip / divisor` where one record is replaced, `clip / divisor` where one is added or removed and the divisor is
    public and stays. From the triangle inequality; attained by two opposite gradients of norm `clip`.
    Raises `InputError` for `clip <= 0` and a divisor that is no integer >= 1.
    """
    threshold = positive(clip, name="clip", meaning="the clipping threshold")
    count = positive_integer(divisor, name="divisor", meaning="the public number of records")
    # A replaced record takes one clipped gradient away and brings another; one that is added brings one.
    return (2 if adjacency(neighbours) is Adjacency.REPLACE_ONE else 1) * threshold / count


@dataclass(frozen=True, eq=False)
class ClippedGradient:
    """The clipped gradient of ridge regression as a function of `theta`; made by `ClippedGradient.of`.

    `clip` is exact; the regularization is added `outside` the clipping (it is no secret), or clipped with each
    record's gradient (`inside`). The sum is divided by `public_divisor`, or by n if it is None. `limits` (n,) are the
    largest residuals outside, `clip / |x|` rounded down; `squares` (n,) are `|x|^2 / clip^2` rounded up. `few` keeps
    which records may be clipped near the last points. The gradient is a function of these data and of `theta`, to the
    last bit on one machine, whatever points it was taken at before.

    Formal Guarantees:
        * Each record's contribution has a norm <= `clip` in exact arithmetic, at every `theta`; so in real arithmetic
          the gradient moves by at most `sensitivity(...)` between neighbours.
        * This holds whatever the data are. NaN counts as 0 and an infinity as the largest float of its sign; a record
          adds no `x r` at a `theta` where `|x| |theta| + |y|` is above 2^1000, and one whose norm is beyond the range
          of floats never does. All of this depends on that record and `theta` alone.
        * A record's gradient that is within the bound by a margin of (d + 20) * 1e-15 enters unclipped. Inside the
          clipping the margin is a share of the norm that its two parts would have if they pointed in one direction.

    What this does not protect against: the rounding of the sum over the records, at most about (n + d) * 1e-16 of the
    sum of the absolute values of its terms. Those are the clipped gradients, of norms <= `clip`. Or, where at most one
    record in 16 is clipped, they are `x (x.theta)` and `x y` for every record, which enters with its exact gradient
    then, and a correction for each clipped one; the norm of an unclipped record may be above `clip` by (d + 20) * 1e-16
    of `|x| (|x| |theta| + |y|) + mu |theta|` (the last part inside only). This form is used only where the mean of that
    size over the records is at most 16 `clip`, so that its rounding is at most about 32 times that of the other form.
    """

    features: FloatArray
    labels: FloatArray
    limits: FloatArray
    squares: FloatArray
    clip: Fraction
    regularization: float
    regularizer: Regularizer
    public_divisor: int | None
    few: FewClipped

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
        less it must be given, as a public constant. Raises `InputError` for data that are no numbers or of wrong
        shapes, and for numbers out of range: a threshold above 1e150, and inside the clipping a threshold or a
        regularization that is not between 1e-100 and 1e100.
        """
        # Finite by force and not refused: a refusal would depend on one record, which is what privacy forbids.
        features, labels = (finite(array) for array in any_records(X, y))
        threshold = representable(positive(clip, name="clip", meaning="the clipping threshold"), name="clip")
        if threshold > _LARGEST_CLIP:
            raise reject("clip", clip, "must be <= 1e150, so that no sum overflows; change the unit")
        mu = nonnegative_float(regularization, name="regularization", meaning="the regularization mu")
        if regularizer not in get_args(Regularizer):
            raise reject("regularizer", regularizer, f"allowed are {', '.join(get_args(Regularizer))}")
        if regularizer == "inside":
            _require_moderate(threshold, "clip")
            _require_moderate(mu or 1, "regularization")
        public = None if divisor is None else positive_integer(divisor, name="divisor", meaning="a number of records")
        # By columns, products with blocks of few long columns are faster.
        columns = np.asfortranarray(features)
        # Upper bounds on the norms: a limit made of them is at most the limit of the true norm.
        norms = row_norms_above(columns)
        limits, squares = _limits(norms, threshold, features.shape[1])
        few = FewClipped(columns, labels, norms, float(threshold), mu if regularizer == "inside" else 0.0)
        return cls(columns, labels, limits, squares, threshold, mu, regularizer, public, few)

    @property
    def dimension(self) -> int:
        """Number of features."""
        return int(self.features.shape[1])

    @property
    def divisor(self) -> int:
        """The number by which the sum over the records is divided."""
        return len(self.labels) if self.public_divisor is None else self.public_divisor

    @property
    def largest_sum(self) -> float:
        """A bound on the norm of the clipped sum over the divisor, for all data of this size."""
        return float(self.clip) * (len(self.labels) / self.divisor) * (1 + 8 * EPS)

    def sensitivity(self, neighbours: Adjacency | str) -> Fraction:
        """Return the exact bound on the move of the gradient between neighbours: `clipped_mean_sensitivity`.

        Raises `InputError` where a record is added or removed and no `divisor` was given: the size of the data would
        then differ between neighbours.
        """
        # Divided by the number of records, the sum of the others changes as well when one record comes or goes.
        if self.public_divisor is None and adjacency(neighbours) is Adjacency.ADD_OR_REMOVE:
            raise reject("divisor", None, "with records added or removed a public constant must be given")
        return clipped_mean_sensitivity(self.clip, self.divisor, neighbours)

    def __call__(self, theta: ArrayLike) -> FloatArray:
        """Return the clipped gradient at `theta`, a new array of shape (d,).

        Raises `InputError` where `mu theta` overflows: that depends on `theta` alone, as do all errors here.
        """
        point = checked_point(theta, self.dimension)  # public, and the only reason of an overflow: so it may be shown
        with np.errstate(all="ignore"):
            total, share = self._sum(point, *self._parts_of_theta(point))
            weight = 1.0 if self.regularizer == "outside" else share / self.divisor
            gradient = total / self.divisor + self.regularization * weight * point
        if not np.isfinite(gradient).all():
            raise reject("theta", point, "its product with the regularization overflows a float64")
        return np.asarray(gradient, dtype=np.float64)

    def weights(self, theta: FloatArray) -> tuple[FloatArray, FloatArray | None]:
        """Return what the records are multiplied with, and the shares of `mu theta`: two arrays of shape (n,).

        The second one is None where the regularization is outside the clipping.
        """
        with np.errstate(all="ignore"):
            slope, constant = self._parts_of_theta(theta)
            along = self.features @ theta
            residual = self._residuals(along, slice(None), theta)
            return self._weights(along, residual, slice(None), slope, constant)

    def _sum(self, theta: FloatArray, slope: float, constant: float) -> tuple[FloatArray, float]:
        """Return the sum over the records and that of their shares: one of two forms, chosen by the data and `theta`.

        The corrected one is taken where it is accurate and few records are clipped. What is known of the records from
        other points decides how that is found out, and nothing else.
        """
        if self.few.is_accurate(theta):
            # The cheap ways first; each may give up (None), and the pass over all records is what is always right.
            known = self.few.candidates(theta) or self._survey(theta, slope, constant)
            corrected = known and self._corrected(theta, *known, slope, constant)
            if corrected:
                return corrected
        return self._sum_of_all(theta, slope, constant)

    def _sum_of_all(self, theta: FloatArray, slope: float, constant: float) -> tuple[FloatArray, float]:
        total, share = np.zeros(self.dimension), 0.0
        for start in range(0, len(self.labels), _BLOCK):
            rows = slice(start, start + _BLOCK)
            along = self.features[rows] @ theta
            coefficients, shares = self._weights(along, self._residuals(along, rows, theta), rows, slope, constant)
            total += coefficients @ self.features[rows]
            share += 0.0 if shares is None else float(shares.sum())
        return total, share

    def _survey(self, theta: FloatArray, slope: float, constant: float) -> tuple[IndexArray, FloatArray] | None:
        """Return the records that may be clipped, with their features, by a pass over all; None if they are many."""
        squares, certain = np.empty(len(self.labels)), 0
        for start in range(0, len(squares), _BLOCK):
            rows = slice(start, start + _BLOCK)
            along = self.features[rows] @ theta
            residual = self._residuals(along, rows, theta)
            # In place, since `along` is not used again: these passes are bound by memory.
            along *= slope
            squares[rows] = _squares(self.squares[rows], along, residual, constant)
            certain += self.few.count_certain(theta, squares[rows])
            if not self.few.are_few(certain):
                return None
        if self.few.is_worth_renewing():
            self.few.renew(theta, squares)
        # Even if the reference was not renewed, the squares of this pass answer for this very theta.
        possible = self.few.possible(theta, squares)
        return possible, self.features[possible]

    def _corrected(
        self, theta: FloatArray, possible: IndexArray, rows: FloatArray, slope: float, constant: float
    ) -> tuple[FloatArray, float] | None:
        """Return both sums from the second moments and the clipped records, None where these are not few.

        `possible` has all that are clipped, in any order, and `rows` are their features. Only the clipped ones enter,
        in the order of the data, so that the sums do not depend on which others were possible.
        """
        moments = self.few.moments
        total, count = moments.second @ theta - moments.first, float(len(self.labels))
        if not len(possible):
            return total, count
        along = products_by_row(rows, theta)
        residual = along - self.labels[possible]
        coefficients, shares = self._weights(along, residual.copy(), possible, slope, constant)
        # Decided by the weights themselves and not by a bound: exactly those records are corrected for which the pass
        # over all records would have used another coefficient.
        clipped = np.flatnonzero(coefficients != residual if shares is None else shares < 1)
        if not self.few.are_few(len(clipped)):
            return None
        # In the order of the data: candidates come in an order that depends on the reference, and sums would round so
        # too.
        clipped = clipped[np.argsort(possible[clipped])]
        features = np.empty((len(clipped), self.dimension))  # one layout, wherever the rows come from
        features[...] = rows[clipped]
        total += (coefficients[clipped] - residual[clipped]) @ features
        return total, count if shares is None else count + float((shares[clipped] - 1).sum())

    def _residuals(self, along: FloatArray, rows: slice, theta: FloatArray) -> FloatArray:
        """Return `x.theta - y` for these rows; a record that may overflow counts as zeros there, in `along` too.

        Whether it may is decided from its own norm and label, elementwise. The others do not overflow in any order of
        their sums.
        """
        residual = along - self.labels[rows]
        size, (norm, label) = _norm_above(theta), self.few.largest_sizes
        # One comparison for all records shows that nothing overflows in nearly every call; only then look at each.
        if not norm * size + label <= _FAR:
            far = ~(self.few.norms[rows] * size + np.abs(self.labels[rows]) <= _FAR)
            # A record whose products could overflow counts as zero: a value that depends on this record alone.
            residual[far] = along[far] = 0.0
        return residual

    def _weights(
        self, along: FloatArray, residual: FloatArray, rows: slice | IndexArray, slope: float, constant: float
    ) -> tuple[FloatArray, FloatArray | None]:
        """Return what `weights` does for these rows; `along` and `residual` are overwritten."""
        if self.regularizer == "inside":
            along *= slope
            shares = _shares_inside(self.squares[rows], along, residual, constant)
            return shares * residual, shares
        # Outside, the gradient is residual times x: clipping its norm is clipping the residual at c / |x|.
        limits = self.limits[rows]
        np.minimum(residual, limits, out=residual)
        return np.maximum(residual, -limits, out=residual), None

    def _parts_of_theta(self, theta: FloatArray) -> tuple[float, float]:
        """Return `2 mu / c^2` and `mu^2 |theta|^2 / c^2`, the second one rounded up and with its guard."""
        if self.regularizer == "outside":
            return 0.0, 0.0
        unit = _unit(self.clip)
        size = self.regularization * unit * float(np.linalg.norm(theta))
        # Where the square would overflow the regularizer alone is over the threshold: infinity clips to nothing.
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
    norms = _squares(squares, slopes, residual, constant)
    # Below the threshold the share is 1; rounding that makes a square negative ends here too.
    np.maximum(norms, 1.0, out=norms)
    np.sqrt(norms, out=norms)
    shares = np.divide(1.0, norms, out=norms)
    # One dot product tells whether any is NaN, in place of a mask over all records.
    if math.isnan(shares @ shares):
        shares[np.isnan(shares)] = 0.0  # infinite parts against each other: clipped to nothing
    return shares


def _squares(squares: FloatArray, slopes: FloatArray, residual: FloatArray, constant: float) -> FloatArray:
    """Return `|x r + mu theta|^2` in units of the threshold, a new array; arguments as in `_shares_inside`."""
    norms = squares * residual
    norms += slopes
    norms *= residual
    norms += constant
    return norms


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
    # Larger than 1 / c by a few units: norms in this unit come out too long, never too short.
    return 1 / (round_down(threshold) * (1 - 8 * EPS))


def _norm_above(theta: FloatArray) -> float:
    return float(row_norms_above(theta[np.newaxis])[0])


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
    rows = checked_features(gradients, name="gradients")
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray((rows * (clip / np.maximum(clip, norms))).mean(axis=0), dtype=np.float64)
