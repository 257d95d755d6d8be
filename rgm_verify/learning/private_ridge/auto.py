"""Ridge regression by three looks at scales, a pilot of the moments, and Newton steps on clipped gradients.

Each release has noise of a fixed share of the budget: its variance is a public multiple of the squared sensitivity,
which depends on public numbers and on what was released before (claim `beyond:gaussian-filter`). Whatever is decided on
the way, scales, curvature, threshold, gains, is made of released values.

1. Histograms of the lengths of features and labels. From them comes a length to which records are scaled as a whole,
   features and labels by one factor, so that a linear model stays one. Claim `beyond:histogram-sensitivity`.
2. Both moments of the scaled records in one release (claim `beyond:joint-moments-sensitivity`). Curvature below the
   noise is set to the geometric mean of the noise and of what is left of the trace.
3. A histogram of the lengths of the records' gradients in the metric of that curvature, for a threshold.
4. Newton steps on gradients that are clipped in that metric (claim `beyond:clipped-gradients-sensitivity`). Each answer
   counts by its known noise against what was known before, direction by direction.

In the metric `P^T` a record's gradient is `P^T u (v - u.theta)`; it is clipped by shortening the residual to
`threshold / |P^T u|`. Rounding is counted where it may depend on other records, that is in products of matrices.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from rgm_verify.learning.data import EPS, FloatArray, row_norms_above
from rgm_verify.learning.private_ridge.noise import float_above
from rgm_verify.learning.private_ridge.sensitivity import PublicRidge
from rgm_verify.learning.private_ridge.statistics import Fit, as_vector, edge_of, matrix_and_vector
from rgm_verify.learning.sums import in_pairs, relative_error, roundings, rows_in_blocks
from rgm_verify.mechanisms.gaussian import GaussianMechanism
from rgm_verify.mechanisms.sensitivity import Adjacency
from rgm_verify.numbers.bounds import round_up
from rgm_verify.numbers.roots import root_above

STEPS = 4
SCALES, PILOT, THRESHOLD = Fraction(1, 25), Fraction(2, 5), Fraction(1, 25)
EACH_STEP = (1 - SCALES - PILOT - THRESHOLD) / STEPS
"""Shares of the budget of squared distances. They add up to 1, and no release has a smaller one than `SCALES`."""

RELEASES = 3 + STEPS

# Chosen on eight data sets; no privacy rests on them.
_SHORTENED = 0.1  # of the records may be scaled down
_UNSEEN = 0.002  # of the gradients above the threshold, where the noise allows it
_TOLERATED = 0.05  # noise of all directions, over the residuals' sum of squares
_LEFT = 0.05  # of the edge of the noise, at least, for what is left of the trace
_SPREAD = 1.5  # root mean square of lengths over their median, about

_CELLS = 40
_NODES = 2.0 ** (-np.arange(_CELLS) / 2)
_MOVES = {Adjacency.REPLACE_ONE: 2, Adjacency.ADD_OR_REMOVE: 1}
_LOWER = np.append(_NODES[1:], 0.0)
_STEEPNESS = 1 / (_NODES - _LOWER)
_AT_ONCE = 4096
_FLOOR = Fraction(1, 10**4)  # of |P|: records that are shorter in the metric are clipped as if they were that long


@dataclass(frozen=True, eq=False)
class _Records:
    """Records (n, d), labels (n, k), and a factor a record that brings its features into the unit ball.

    `longest` and `largest` are the lengths of features and of labels that count as 1. Only blocks are ever scaled.
    """

    X: FloatArray
    y: FloatArray
    factors: FloatArray
    longest: float
    largest: float
    public: PublicRidge

    @property
    def label_unit(self) -> float:
        """The unit of the features over that of the labels: a coefficient of 1 is that many in scaled records."""
        return self.longest / self.largest

    def blocks(self) -> Iterator[tuple[slice, FloatArray, FloatArray, FloatArray]]:
        """Yield rows, features that are not scaled yet, their factors as a column, and labels in their unit."""
        for rows in rows_in_blocks(len(self.X)):
            factors = self.factors[rows, np.newaxis]
            yield rows, self.X[rows], factors, self.y[rows] * (factors * self.label_unit)

    def reach(self, theta: FloatArray) -> Fraction:
        """Return a bound on the residual of any scaled record at coefficients (d, k), from public numbers."""
        # A label is scaled by at most 1 / longest, as the features are; a factor of 2 covers the rounding of all.
        return 2 * (Fraction(self.public.label_bound) / Fraction(self.largest) + _norm(theta))


Release: TypeAlias = Callable[[FloatArray, Fraction, Fraction], tuple[FloatArray, float]]


@dataclass(frozen=True, eq=False)
class Releases:
    """Releases with noise of fixed shares of one budget: a variance of `ratio` at sensitivity 1 costs all of it."""

    ratio: Fraction
    generator: np.random.Generator

    def __call__(self, value: FloatArray, share: Fraction, sensitivity: Fraction) -> tuple[FloatArray, float]:
        """Return the noisy value and the deviation of its noise."""
        variance = float_above(self.ratio / share * sensitivity**2)
        return GaussianMechanism(variance).release(value, self.generator), math.sqrt(variance)


def fitted(X: FloatArray, y: FloatArray, public: PublicRidge, release: Release) -> Fit:
    """Return the coefficients for records (n, d) and labels (n, k) that keep the bounds.

    Nothing is said of their noise: they are those of scaled and clipped records, and how far these are from the
    regression itself no released value tells.

    `release(value, share, sensitivity)` returns a noisy value and the deviation of its noise: the only way to what
    depends on the data.
    """
    d = public.dimension
    records = _scaled(X, y, public, release)
    moments, sigma = release(_moments(records), PILOT, public.moments(2 * (d + 8)).bound)
    matrix, vector = matrix_and_vector(moments, d)
    penalty = float(public.divisor * public.regularization) / records.longest**2
    values, vectors = np.linalg.eigh(matrix + penalty * np.eye(d))
    edge = edge_of(sigma**2, d)
    curvature = _curvature(values, edge, sigma)
    metric = vectors / np.sqrt(curvature)
    # Coordinates in which the curvature is 1, and the noise of a step the same in every direction.
    point = metric.T @ vector
    theta = metric @ point
    spread = sigma**2 * (1 + float(np.square(theta).mean(axis=1).sum())) / curvature[:, np.newaxis]
    most = np.minimum(1, curvature / edge)[:, np.newaxis]
    lengths, threshold = _threshold(records, metric, theta, release)
    for _ in range(STEPS):
        # The factor is put on the short arrays: nothing of the size of a block is made.
        total = in_pairs(
            x.T @ (f * _shortened(v - f * (x @ theta), threshold / lengths[rows])) for rows, x, f, v in records.blocks()
        )
        answer, noise = release(metric.T @ total, EACH_STEP, _of_clipped(records, metric, theta, threshold))
        answer = answer - penalty * (metric.T @ theta)
        # Known noise does not explain the pilot's bias, by clipped labels: what an answer is too large for, is.
        spread = np.maximum(spread, float(np.square(answer).mean()) - noise**2)
        gain = np.minimum(spread / (spread + noise**2), most)
        point = point + gain * answer
        spread = (1 - gain) ** 2 * spread + gain**2 * noise**2
        theta = metric @ point
    return Fit.without_covariance(theta / records.label_unit)


def _scaled(X: FloatArray, y: FloatArray, public: PublicRidge, release: Release) -> _Records:
    """Return the records scaled as a whole to a length that few exceed, and a unit for the labels that few exceed."""
    bounds = float(public.feature_bound), float(public.label_bound)
    # From above, by a relative (d + 4) EPS at most; no square leaves the floats, and what underflows is far below.
    norms = np.sqrt(np.einsum("ij,ij->i", X, X)) * (1 + (X.shape[1] + 4) * EPS), row_norms_above(y)
    cells = np.concatenate([_histogram(of / bound) for of, bound in zip(norms, bounds, strict=True)])
    noisy, sigma = release(cells, SCALES, _of_histograms(public, 2, relative_error(2 * X.shape[1] + 16)))
    most = _SHORTENED * public.divisor - sigma * np.sqrt(np.arange(_CELLS))
    longest, largest = (
        bound * float(_NODES[_before(_above(part), most)])
        for part, bound in zip(np.split(noisy, 2), bounds, strict=True)
    )
    # |x| factor <= 1 in exact arithmetic, with the roundings of the factor and of each product.
    return _Records(X, y, (1 - 8 * EPS) / np.maximum(norms[0], longest), longest, largest, public)


def _moments(records: _Records) -> FloatArray:
    """Return both moments of the scaled records, with labels clipped to the ball of their unit."""

    def of(u: FloatArray, v: FloatArray) -> FloatArray:
        return np.column_stack([u.T @ u, u.T @ _shortened(v, np.ones(len(v)))])

    sums = in_pairs(of(x * f, v) for _, x, f, v in records.blocks())
    return as_vector(sums[:, : len(sums)], sums[:, len(sums) :])


def _shortened(rows: FloatArray, lengths: FloatArray) -> FloatArray:
    """Return rows (n, k) that are brought to at most a length each, (n,), in exact arithmetic: row by row."""
    norms = _lengths(rows)
    # Below 1 by a few units where a row is shortened; what is short stays as it is.
    factors = np.where(norms <= lengths, 1, (1 - 8 * EPS) * lengths / np.maximum(norms, lengths))
    return rows * factors[:, np.newaxis]


def _lengths(rows: FloatArray) -> FloatArray:
    """Return `row_norms_above`, which is the size of a row's only number."""
    return np.abs(rows[:, 0]) if rows.shape[1] == 1 else row_norms_above(rows)


def _curvature(values: FloatArray, edge: float, sigma: float) -> FloatArray:
    """Return eigenvalues (d,) with those below the noise replaced: by a guess that a step can do with."""
    below = values < edge
    if not below.any():
        return values
    left = max(float(values[below].sum()), sigma * math.sqrt(len(values))) / below.sum()
    return np.where(below, min(edge, math.sqrt(edge * max(left, _LEFT * edge))), values)


def _threshold(records: _Records, metric: FloatArray, theta: FloatArray, release: Release) -> tuple[FloatArray, float]:
    """Return the records' lengths in the metric, private, and a threshold for gradients, released.

    It is the mildest one whose noise is tolerable: no smaller than the gradients' usual length.
    """
    public, d = records.public, len(metric)
    lengths, gradients = np.empty(len(records.X)), np.empty(len(records.X))
    size = float(np.linalg.norm(metric, 2))
    least, longest = float(_FLOOR) * float(np.linalg.norm(metric)), float(records.reach(theta)) * size
    for rows, x, f, v in records.blocks():
        image = x @ metric
        lengths[rows] = np.maximum(np.sqrt(np.einsum("ij,ij->i", image, image)) * f[:, 0], least)
        gradients[rows] = _lengths(v - f * (x @ theta))
    # Both factors of a gradient's length err by that share of their bounds; `size` is the norm but for its rounding.
    error = 4 * relative_error(4 * d + theta.shape[1] + 64) * _norm(metric) / Fraction(size)
    found = _histogram(np.minimum(lengths * gradients / longest, 1))
    moved = _of_histograms(public, 1, error)
    noisy, sigma = release(found, THRESHOLD, moved)
    above = _above(noisy)
    half = np.flatnonzero(above > public.divisor / 2)
    usual = _SPREAD * longest * float(_NODES[half[0] if len(half) else -1])
    seen = np.maximum(_UNSEEN * public.divisor, 2 * sigma * np.sqrt(np.arange(_CELLS)))
    unclipped = longest * float(_NODES[_before(above, seen)])
    # The noise of a step at the threshold 1, from that of this release.
    noise = _MOVES[public.adjacency] * sigma / float(moved) * math.sqrt(THRESHOLD / EACH_STEP)
    tolerated = usual * math.sqrt(_TOLERATED) * public.divisor / (d * noise)
    return lengths, max(min(tolerated, unclipped), usual)


def _of_clipped(records: _Records, metric: FloatArray, theta: FloatArray, threshold: float) -> Fraction:
    """Return how far the sum of clipped gradients moves between neighbours, as computed: an upper bound.

    In exact arithmetic no record has more than `threshold`. What is computed is off by what the residuals are off, by
    what the lengths in the metric are off, and by the rounding of the sums.
    """
    public, d = records.public, len(metric)
    c, reach, size = Fraction(threshold), records.reach(theta), _norm(metric)
    # Each has the factor in it, which errs by a relative (d + 8) EPS at most.
    residuals = size * relative_error(3 * d + 32) * reach
    lengths = c * (relative_error(4 * d + 64) / _FLOOR + relative_error(theta.shape[1] + 32))
    largest = min(c / (_FLOOR * size), reach) * (1 + Fraction(1, 2**20))
    sums = size * relative_error(roundings(public.most_records) + 3 * d + 64) * largest
    rounding = public.most_records * (residuals + lengths + sums)
    return Fraction(round_up(_MOVES[public.adjacency] * c + 2 * rounding))


def _histogram(values: FloatArray) -> FloatArray:
    """Return a histogram of numbers (n,) from 0 to 1: each is shared by the two nodes next to it, linearly.

    So a number that is a little off moves little between cells.
    """
    return in_pairs(_shared(values[start : start + _AT_ONCE]) for start in range(0, max(1, len(values)), _AT_ONCE))


def _shared(values: FloatArray) -> FloatArray:
    at = np.clip(np.searchsorted(-_NODES, -values, side="right") - 1, 0, _CELLS - 1)
    upper = np.clip((values - _LOWER[at]) * _STEEPNESS[at], 0, 1)
    whole = np.bincount(at, minlength=_CELLS)
    parts = np.bincount(at, upper, _CELLS)
    return np.asarray(np.append(parts, 0.0) + np.append(0.0, whole - parts), dtype=np.float64)


def _of_histograms(public: PublicRidge, count: int, error: Fraction = Fraction(0)) -> Fraction:
    """Return how far so many histograms move together between neighbours, as computed: an upper bound.

    `error` is how far a number may be off for reasons outside of its record.
    """
    steepest = Fraction(float(_STEEPNESS.max()))
    sums = relative_error(_AT_ONCE + roundings(public.most_records) + 16)
    own = Fraction(3, 2) * count * (error * steepest + 2 * sums)
    squared = count * (2 if public.adjacency is Adjacency.REPLACE_ONE else 1)
    return Fraction(round_up(root_above(Fraction(squared)) + 2 * public.most_records * own))


def _above(cells: FloatArray) -> FloatArray:
    """Return how many are above each of the nodes."""
    return np.concatenate([[0.0], np.cumsum(cells)[: _CELLS - 1]])


def _before(above: FloatArray, most: FloatArray) -> int:
    """Return the last node before the first above which there are more than so many."""
    over = np.flatnonzero(above[1:] > most[1:])
    return int(over[0]) if len(over) else _CELLS - 1


def _norm(array: FloatArray) -> Fraction:
    return Fraction(float(row_norms_above(array.reshape(1, -1))[0]))
