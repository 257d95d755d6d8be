"""Bounds on the records of a sum that may be clipped, with proofs: a sum with few clipped records becomes quick.

Where few records are clipped, the clipped sum is that of all gradients, `A theta - b` from the second moments, and a
correction for each clipped record. Then only these have to be found. The gradient of a record, `x (x.theta - y)` and
with the regularization inside the clipping `+ mu theta`, changes by at most `(|x|^2 + mu) |theta - theta_0|` from a
point `theta_0` where all were measured. So each record is certainly unclipped up to a distance of its own, and with
these distances in order the others are the first few.

Nothing of it may reach the result, which would depend on the points seen before. It does not: a bound only names
records, and whether one of them is clipped is decided from its own row by elementwise operations.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rgm_verify.learning.data import EPS, FloatArray

IndexArray = NDArray[np.intp]

_FEW = 16  # few: at most one in so many
_KEPT = 8  # one record in eight is kept in order
_CANCELLATION = 16  # how many times the threshold the mean of the terms may be
_RANGE = 1e-50, 1e50  # what is in it can be multiplied and squared a few times without leaving the range of floats
_LONGEST_PAUSE = 63
_TINY = 1e-200  # more than what distances lose by underflow


@dataclass(frozen=True, eq=False)
class Moments:
    """Sums over the records: `second` is `X^T X` (d, d), `first` is `X^T y` (d,), and the two sums of sizes.

    `squares` is the sum of `|x|^2` and `products` that of `|x| |y|`, so that `squares |theta| + products` bounds the
    sum of the absolute values that `second theta - first` is made of, as a sum over the records.
    """

    second: FloatArray
    first: FloatArray
    squares: float
    products: float

    @classmethod
    def of(cls, features: FloatArray, labels: FloatArray, norms: FloatArray) -> Moments:
        """Return the sums for records whose norms are moderate."""
        # Sums of sizes, not of signed terms: they bound how much the moments may cancel, which is asked of them.
        return cls(
            np.ascontiguousarray(features.T @ features),
            features.T @ labels,
            float(norms @ norms),
            float(norms @ np.abs(labels)),
        )


@dataclass(frozen=True, eq=False)
class Reference:
    """Measurements at one point: they tell the records that may be clipped at a given distance from it.

    `distances` (k,) in ascending order are those up to which the records `order` (k,) are certainly unclipped, and
    `reach` is that of all other records. `rows` (k, d) are their features, column by column.
    """

    point: FloatArray
    order: IndexArray
    distances: FloatArray
    reach: float
    rows: FloatArray

    def candidates(self, theta: FloatArray) -> tuple[IndexArray, FloatArray] | None:
        """Return which records may be clipped at `theta`, and their rows; None where that is not known."""
        away = theta - self.point
        # Rounded upwards, with what underflow may hide: a record that is forgotten here would go unclipped.
        distance = float(np.linalg.norm(away)) * (1 + (len(theta) + 8) * EPS) + _TINY
        # Beyond the reach records that were not kept may be clipped. Written with `not`, so that NaN ends here as well.
        if not distance < self.reach:
            return None
        count = int(np.searchsorted(self.distances, distance, side="right"))
        return self.order[:count], self.rows[:count]


class FewClipped:
    """The records that may be clipped, for one data set and threshold.

    `features` (n, d), `labels` (n,), the `norms` (n,) of the rows rounded up, the threshold `clip`, and the
    `regularization`, which is 0 where it is outside the clipping. `reference` is renewed as the points move; this
    changes how long a gradient takes, and no bit of it.
    """

    def __init__(
        self, features: FloatArray, labels: FloatArray, norms: FloatArray, clip: float, regularization: float
    ) -> None:
        self.features, self.labels, self.norms = features, labels, norms
        self.clip, self.regularization = clip, regularization
        self.reference: Reference | None = None
        self._answers, self._pause, self._waiting = 1, 0, 0

    @cached_property
    def moments(self) -> Moments:
        """The second moments, computed when they are needed first."""
        return Moments.of(self.features, self.labels, self.norms)

    @cached_property
    def largest_sizes(self) -> tuple[float, float]:
        """The largest norm, `inf` if one is, and the largest size of a label."""
        return float(self.norms.max()), float(np.abs(self.labels).max())

    @cached_property
    def in_range(self) -> bool:
        """Return whether norms and threshold are so moderate that nothing of the bounds overflows or underflows."""
        smallest, largest = _RANGE
        # Records of length zero have the gradient zero and are never clipped, and so need no range.
        sizes = self.norms[self.norms > 0]
        inside = smallest <= self.clip <= largest and bool(np.all((smallest <= sizes) & (sizes <= largest)))
        return inside and self.largest_sizes[1] <= largest

    def is_accurate(self, theta: FloatArray) -> bool:
        """Decide whether the mean of `|x| (|x| |theta| + |y|) + mu |theta|` is at most 16 times the threshold.

        The rounding of the second moments is relative to these terms, which no clipping bounds, and so a record of a
        huge size is no reason for a large error. A function of the data and the point alone.
        """
        if not self.in_range:
            return False
        size, n = float(np.linalg.norm(theta)), len(self.labels)
        # The sum by moments has errors relative to its terms, while the clipped mean is at most the threshold: were the
        # terms much larger, the correction would cancel most digits of the answer.
        terms = self.moments.squares * size + self.moments.products + n * self.regularization * size
        return terms <= _CANCELLATION * n * self.clip

    def are_few(self, count: int) -> bool:
        """Decide whether that many clipped records are few."""
        return count * _FEW <= len(self.labels)

    def candidates(self, theta: FloatArray) -> tuple[IndexArray, FloatArray] | None:
        """Return which records may be clipped at `theta`, and their rows; None where that is not known."""
        reference = self.reference
        found = None if reference is None else reference.candidates(theta)
        self._answers += found is not None
        return found

    def is_worth_renewing(self) -> bool:
        """Decide whether to renew the reference, which takes as long as a few passes over the records.

        Where the last one was of no use there is a pause afterwards, of one pass, then of three, of seven and so on.
        """
        if self._waiting:
            self._waiting -= 1
            return False
        # Pauses double while references answer nothing (long steps), so that the attempts cost a vanishing share; one
        # answer sets them back. The cap keeps a run that slows down late from waiting for ever.
        self._pause = 0 if self._answers else min(2 * self._pause + 1, _LONGEST_PAUSE)
        self._answers, self._waiting = 0, self._pause
        return True

    def count_certain(self, theta: FloatArray, squares: FloatArray) -> int:
        """Return how many of some records with the computed `squares` (k,) are certainly clipped; see `margin`."""
        # Above 1 by more than the error: those are clipped for sure, and too many of them end the survey early.
        return int(np.count_nonzero(squares > 1 + self.margin(theta, 1.0)))

    def possible(self, theta: FloatArray, squares: FloatArray) -> IndexArray:
        """Return which records may be clipped, in ascending order, from the computed `squares` (n,); see `margin`."""
        # The negation also keeps what is NaN: a record that nothing is known of may be clipped.
        return np.flatnonzero(~(squares < 1 - self.margin(theta, 1.0)))

    def margin(self, theta: FloatArray, norm: float) -> float:
        """Return `guard (norm + f + s)^2`, which for `norm = 1` is by how much a computed square has to be off 1.

        In units of the threshold, squares are those of the norms of gradients. Let `f = |x| (|x| |theta| + |y|) / c`,
        here the largest of them, and `s = mu |theta| / c`. A residual errs by d + 2 roundings of `|x| |theta| + |y|`,
        in any order of the sum, and its square times `|x|^2 / c^2` and the other terms by d + 16 more, what depends on
        the threshold having been rounded to the safe side by as much. So a computed square is off by less than
        `4 (d + 8) EPS (1 + f + s)^2`, and what decides on the record's own row by no more: `guard` is twice that.
        """
        size = float(np.linalg.norm(theta))
        parts = self._largest[0] * size + self._largest[1] + self.regularization * size / self.clip
        return self._guard * (norm + parts) ** 2

    def renew(self, theta: FloatArray, squares: FloatArray) -> None:
        """Make `theta` the reference; `squares` (n,) are those computed there.

        At the distance t the norm is at most `h + t L`, with `h^2` at most the computed square and its margin and
        `L = (|x|^2 + mu) / c`, and the margin at most `guard (1 + f + s + t L)^2`. As long as `t L <= 1` a record is
        unclipped if `h + t L <= 1 - guard (2 + f + s)^2`, and that implies `t L <= 1`. Where that is below 0 the
        record is possible at every distance.
        """
        kept = len(squares) // _KEPT
        margin = self.margin(theta, 2.0)
        # The norm of a gradient moves by at most `rate` times the distance of theta (in thresholds), so that
        # room / rate is a distance within which this record stays unclipped; the margins make it one for floats too.
        room = 1 - margin - np.sqrt(np.maximum(squares, 0.0) + margin)
        distances = room * (1 - self._guard) / self._rates
        # Only the nearest eighth in order, by selection: sorting all records would cost more than it saves.
        first = np.argpartition(distances, kept)[: kept + 1]
        first = first[np.argsort(distances[first])]
        order = first[:kept]
        rows = np.asfortranarray(self.features[order])
        # The reach is the distance of the first record that is not kept: up to there the kept ones are all there are.
        self.reference = Reference(theta, order, distances[order], float(distances[first[kept]]), rows)

    @property
    def _guard(self) -> float:
        return 8 * (int(self.features.shape[1]) + 8) * EPS

    @cached_property
    def _rates(self) -> FloatArray:
        """`(|x|^2 + mu) / c` (n,), or a tiny number instead of 0."""
        return np.asarray(np.maximum(np.square(self.norms) + self.regularization, _TINY) / self.clip, dtype=np.float64)

    @cached_property
    def _largest(self) -> tuple[float, float]:
        """The largest `|x|^2 / c` and the largest `|x| |y| / c`."""
        return float(self.norms.max()) ** 2 / self.clip, float((self.norms * np.abs(self.labels)).max()) / self.clip


def products_by_row(rows: FloatArray, theta: FloatArray) -> FloatArray:
    """Return `x.theta` for each row `x`, shape (k,), by operations in one order: a function of that row alone."""
    # As a chain of elementwise operations and not by `@`: the latter rounds a row differently with other rows
    # beside it, and a record's weight must not depend on which candidates stand beside it.
    total, term = np.zeros(len(rows)), np.empty(len(rows))
    for column, coefficient in zip(rows.T, theta, strict=True):
        np.multiply(column, coefficient, out=term)
        total += term
    return total
