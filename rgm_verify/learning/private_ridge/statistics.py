"""Both second moments of the records in one noisy release, and the ridge regression that is solved from them.

In units of the bounds, `u = x / B` and `v = y / Y`, the sums of `u u^T` and of `v u` are one vector whose length is the
Frobenius norm of the matrix and the norm of the other sum: d (d + 3) / 2 numbers, those off the diagonal times sqrt(2).
Where a record has several labels, `v` is their vector in the unit ball, and the other sum is a matrix.
One record moves it by at most `PublicRidge.moments`. Everything after the release is made of it and of public numbers.

Source: claims `beyond:joint-moments-sensitivity`, `beyond:joint-moments-sensitivity-of-a-record-more`,
`beyond:joint-moments-sensitivity-of-label-vectors`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from rgm_verify.errors import reject
from rgm_verify.learning.data import EPS, FloatArray
from rgm_verify.learning.private_ridge.account import RidgePrivacy
from rgm_verify.learning.private_ridge.sensitivity import PublicRidge
from rgm_verify.learning.sums import gram, sum_of_products

_ROOT = math.sqrt(2)


RESOLVED = 2
"""Directions of the features count as resolved where their curvature is that many times the edge of the noise."""


@dataclass(frozen=True, eq=False)
class Fit:
    """Coefficients (d, k), the covariance (k or 1, d, d) of their noise, and the directions (d, m) that it hides.

    All of it is made of released values. The covariance is to first order, and says nothing of directions that are
    hidden: there the coefficients may be off by any amount.
    """

    coefficients: FloatArray
    covariances: FloatArray
    hidden: FloatArray

    @classmethod
    def without_covariance(cls, theta: FloatArray) -> Fit:
        """Return coefficients (d, k) of which nothing more is known: all directions count as hidden."""
        return cls(theta, np.full((1, len(theta), len(theta)), np.nan), np.eye(len(theta)))


def intervals(fit: Fit, directions: FloatArray, confidence: float, centre: FloatArray) -> FloatArray:
    """Return intervals for combinations (m, d) of the first d coefficients: (m, 2), or (k, m, 2) for `centre` (k, d).

    The whole line for what leans on a hidden direction. Raises `InputError` for a confidence outside (0, 1).
    """
    if not 0 < confidence < 1:
        raise reject("confidence", confidence, "must be above 0 and below 1")
    d = directions.shape[1]
    covariances = fit.covariances[:, :d, :d]
    # What is left of a direction that is orthogonal to the hidden ones but for the rounding of both.
    rounding = 8 * len(fit.hidden) * EPS * np.linalg.norm(directions, axis=1)
    leaning = np.linalg.norm(directions @ fit.hidden[:d], axis=1) > rounding
    squares = np.einsum("mi,kij,mj->km", directions, covariances, directions)
    deviations = np.where(leaning, np.inf, np.sqrt(np.maximum(squares, 0)))
    half = float(ndtri((1 + confidence) / 2)) * deviations
    middle = np.atleast_2d(centre) @ directions.T
    found = np.stack([middle - half, middle + half], axis=-1)
    return found if centre.ndim == 2 else found[0]


def moments_of(X: FloatArray, y: FloatArray, public: PublicRidge) -> FloatArray:
    """Return the sums over records (n, d) and labels (n,) or (n, k) that keep the bounds, in their units, as a vector.

    The diagonal of the matrix first, then sqrt(2) times what is above it, row by row, then the labels' part, row by
    row: d (d + 1) / 2 + d k numbers. Its rounding is counted in `PublicRidge.moments`.
    """
    longest, largest = float(public.feature_bound), float(public.label_bound)
    return as_vector(gram(X) / (longest * longest), sum_of_products(X, y) / (longest * largest))


def as_vector(matrix: FloatArray, products: FloatArray) -> FloatArray:
    """Return a symmetric matrix (d, d) and the labels' part as one vector, whose length is that of both."""
    # With the root a vector's length is the Frobenius norm of the whole matrix, of which the sensitivity speaks.
    above = _ROOT * matrix[np.triu_indices(len(matrix), 1)]
    return np.concatenate([np.diag(matrix), above, products.ravel()])


def matrix_and_vector(released: FloatArray, dimension: int) -> tuple[FloatArray, FloatArray]:
    """Return the symmetric matrix (d, d) and the labels' part (d, k) that such a vector stands for."""
    matrix, begin = np.diag(released[:dimension]), dimension * (dimension + 1) // 2
    rows, columns = np.triu_indices(dimension, 1)
    matrix[rows, columns] = matrix[columns, rows] = released[dimension:begin] / _ROOT
    return matrix, released[begin:].reshape(dimension, -1)


def noise_edge(privacy: RidgePrivacy) -> float:
    """Return `edge_of` the noise of the moments, in units of the bounds. Public."""
    return edge_of(float(privacy.variances[1]), privacy.public.dimension)


def edge_of(variance: float, dimension: int) -> float:
    """Return `sigma sqrt(2 d)`: what the largest eigenvalue of the noise of a matrix is near.

    Noise of the variance `sigma^2` on the diagonal and half of it elsewhere. No privacy rests on it.
    """
    return math.sqrt(2 * dimension * variance)


def solved(released: FloatArray, privacy: RidgePrivacy) -> Fit:
    """Return the coefficients from released moments and public numbers.

    `(A + N mu / B^2) w = b Y / B`, where eigenvalues of the noisy A below 0 count as 0, since those of the data are
    not negative, and sums below the edge of the noise as the edge: no direction is enlarged by more than its inverse.
    """
    public, variance = privacy.public, float(privacy.variances[1])
    edge = noise_edge(privacy)
    matrix, vector = matrix_and_vector(released, public.dimension)
    values, vectors = np.linalg.eigh(matrix)
    penalty = float(public.divisor * public.regularization / public.feature_bound**2)
    values = np.maximum(values, 0) + penalty
    lifted, unit = np.maximum(values, edge), float(public.label_bound / public.feature_bound)
    theta, inverse = vectors @ (vectors.T @ vector / lifted[:, np.newaxis]), (vectors / lifted) @ vectors.T
    # To first order the error is A^-1 (N_b - N_A theta), and N_A theta has the covariance s^2/2 (|theta|^2 + theta
    # theta^T).
    squares = np.square(theta).sum(axis=0)[:, np.newaxis, np.newaxis]
    own = (1 + squares / 2) * np.eye(len(theta)) + np.einsum("ik,jk->kij", theta, theta) / 2
    covariances = variance * unit**2 * (inverse @ own @ inverse)
    return Fit(theta * unit, covariances, vectors[:, values < RESOLVED * edge])


def released_and_solved(X: FloatArray, y: FloatArray, privacy: RidgePrivacy, generator: np.random.Generator) -> Fit:
    """Return the coefficients of records that keep the bounds, labels (n, k): one release, then `solved`."""
    # The noise of one release, which depends on no iterate: at the start as well as anywhere.
    noise = privacy.noise_at(np.zeros(privacy.public.dimension))
    return solved(noise.release(moments_of(X, y, privacy.public), generator), privacy)
