"""Both second moments of the records in one noisy release, and the ridge regression that is solved from them.

In units of the bounds, `u = x / B` and `v = y / Y`, the sums of `u u^T` and of `v u` are one vector whose length is the
Frobenius norm of the matrix and the norm of the other sum: d (d + 3) / 2 numbers, those off the diagonal times sqrt(2).
One record moves it by at most `PublicRidge.moments`. Everything after the release is made of it and of public numbers.

Source: claims `beyond:joint-moments-sensitivity`, `beyond:joint-moments-sensitivity-of-a-record-more`.
"""

from __future__ import annotations

import math

import numpy as np

from rgm_verify.learning.data import FloatArray
from rgm_verify.learning.private_ridge.account import RidgePrivacy
from rgm_verify.learning.private_ridge.sensitivity import PublicRidge
from rgm_verify.learning.sums import gram, sum_of_products

_ROOT = math.sqrt(2)


def moments_of(X: FloatArray, y: FloatArray, public: PublicRidge) -> FloatArray:
    """Return the sums over records (n, d), (n,) that keep the bounds, in their units, as one vector of d (d + 3) / 2.

    The diagonal of the matrix first, then sqrt(2) times what is above it, row by row, then the labels' part. Its
    rounding is counted in `PublicRidge.moments`.
    """
    longest, largest = float(public.feature_bound), float(public.label_bound)
    matrix = gram(X) / (longest * longest)
    # With the root a vector's length is the Frobenius norm of the whole matrix, of which the sensitivity speaks.
    above = _ROOT * matrix[np.triu_indices(public.dimension, 1)]
    return np.concatenate([np.diag(matrix), above, sum_of_products(X, y) / (longest * largest)])


def matrix_and_vector(released: FloatArray, dimension: int) -> tuple[FloatArray, FloatArray]:
    """Return the symmetric matrix (d, d) and the vector (d,) that such a vector of moments stands for."""
    matrix, end = np.diag(released[:dimension]), len(released) - dimension
    rows, columns = np.triu_indices(dimension, 1)
    matrix[rows, columns] = matrix[columns, rows] = released[dimension:end] / _ROOT
    return matrix, released[end:]


def noise_edge(privacy: RidgePrivacy) -> float:
    """Return `sigma sqrt(2 d)`: what the largest eigenvalue of the noise is near, in units of the bounds. Public.

    Noise of the variance `sigma^2` on the diagonal and half of it elsewhere. No privacy rests on it.
    """
    return math.sqrt(2 * privacy.public.dimension * float(privacy.variances[1]))


def solved(released: FloatArray, privacy: RidgePrivacy) -> FloatArray:
    """Return the coefficients (d,) from released moments and public numbers.

    `(A + N mu / B^2) w = b Y / B`, where eigenvalues of the noisy A below 0 count as 0, since those of the data are
    not negative, and sums below the edge of the noise as the edge: no direction is enlarged by more than its inverse.
    """
    public, edge = privacy.public, noise_edge(privacy)
    matrix, vector = matrix_and_vector(released, public.dimension)
    values, vectors = np.linalg.eigh(matrix)
    penalty = float(public.divisor * public.regularization / public.feature_bound**2)
    values = np.maximum(np.maximum(values, 0) + penalty, edge)
    unit = float(public.label_bound / public.feature_bound)
    return np.asarray(vectors @ (vectors.T @ vector / values) * unit, dtype=np.float64)


def released_and_solved(
    X: FloatArray, y: FloatArray, privacy: RidgePrivacy, generator: np.random.Generator
) -> FloatArray:
    """Return the coefficients (d,) of records that keep the bounds: one release, then `solved`."""
    # The noise of one release, which depends on no iterate: at the start as well as anywhere.
    noise = privacy.noise_at(np.zeros(privacy.public.dimension))
    return solved(noise.release(moments_of(X, y, privacy.public), generator), privacy)
