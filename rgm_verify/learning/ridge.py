"""Ridge regression from its second moments: value, gradient, minimiser, and the constants of smoothness."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from rgm_verify.errors import depends_on_data, reject
from rgm_verify.learning.data import (
    EPS,
    FloatArray,
    checked_point,
    checked_records,
    nonnegative_float,
    overflow,
)
from rgm_verify.numbers.exact import NumberInput


@dataclass(frozen=True, eq=False)
class RidgeObjective:
    """`f(theta) = |X theta - y|^2 / (2n) + mu/2 |theta|^2`, kept as its second moments; made by `RidgeObjective.of`.

    `hessian` is `X^T X / n + mu I` of shape (d, d), `moment` is `X^T y / n` of shape (d,), `half_labels` is
    `|y|^2 / (2n)`; `regularization` is mu. Rows of `X` are records, as in scikit-learn; the paper has them as columns.
    A gradient costs d^2 operations, whatever n is. Floating-point values, neither upper nor lower bounds.
    Source: RGM paper (v2), eq. (9); its gradient is the claim `rgm:quadratic-gradient`.

    What this does not protect against: everything here depends on the data, and nothing is private.
    """

    hessian: FloatArray
    moment: FloatArray
    half_labels: float
    regularization: float
    records: int

    @classmethod
    def of(cls, X: ArrayLike, y: ArrayLike, regularization: NumberInput = 0) -> RidgeObjective:
        """Return the objective of features `X` (n, d) and labels `y` (n,), with `mu = regularization >= 0`.

        Raises `InputError` for wrong shapes, no records, NaN, infinities, `mu < 0` and products that overflow.
        """
        features, labels = checked_records(X, y)
        mu = nonnegative_float(regularization, name="regularization", meaning="the regularization mu")
        n, d = features.shape
        with np.errstate(over="ignore", invalid="ignore"):
            # The division by n comes last: dividing the records first would round each of them.
            hessian = features.T @ features / n + mu * np.eye(d)
            moment = features.T @ labels / n
            half_labels = float(labels @ labels) / (2 * n)
        # Finite records may still have products that are not; what came of that would be NaN far from its cause.
        if not (np.isfinite(hessian).all() and np.isfinite(moment).all() and np.isfinite(half_labels)):
            raise overflow("X, y")
        return cls(hessian, moment, half_labels, mu, n)

    @property
    def dimension(self) -> int:
        """Number of features."""
        return len(self.moment)

    def value(self, theta: ArrayLike) -> float:
        """Return `f(theta)`; the absolute error is about 1e-16 times the largest of its three terms."""
        point = checked_point(theta, self.dimension)
        return float(point @ self.hessian @ point / 2 - self.moment @ point) + self.half_labels

    def gradient(self, theta: ArrayLike) -> FloatArray:
        """Return the gradient at `theta`, shape (d,): `(X^T X / n + mu I) theta - X^T y / n`."""
        point = checked_point(theta, self.dimension)
        return np.asarray(self.hessian @ point - self.moment, dtype=np.float64)

    @cached_property
    def spectrum(self) -> tuple[FloatArray, FloatArray]:
        """Eigenvalues of the Hessian in ascending order (d,), and its orthonormal eigenvectors as columns (d, d)."""
        values, vectors = np.linalg.eigh(self.hessian)
        # The truth is at least mu, and rounding may put an eigenvalue below it, even below zero.
        return np.maximum(values, self.regularization), vectors

    @property
    def smoothness(self) -> float:
        """Largest eigenvalue of the Hessian: the gradient changes by at most this times the distance.

        Rounding: a relative error of about d * 1e-16. It belongs to these data and is not public.
        """
        return float(self.spectrum[0][-1])

    @property
    def strong_convexity(self) -> float:
        """Smallest eigenvalue of the Hessian, at least mu; 0 where it is lost in rounding and there is no mu.

        Rounding: an absolute error of about d * 1e-16 of the largest eigenvalue.
        """
        smallest = float(self.spectrum[0][0])
        # eigh is backward stable: eigenvalues below some d units of the largest one are nothing but rounding.
        lost = smallest <= 4 * self.dimension * EPS * self.smoothness
        return self.regularization if lost else smallest

    def minimiser(self) -> FloatArray:
        """Return the only minimiser, shape (d,); a relative error of about the condition number times 1e-16.

        Raises `InputError` where the smallest eigenvalue is 0 up to rounding and there is no regularization: then the
        minimisers fill a subspace.
        """
        if self.strong_convexity <= 0:
            raise depends_on_data(
                "regularization=0: the second moments are singular, and so there is no one minimiser; use mu > 0"
            )
        # From the spectrum that the constants are read from, so that minimiser and conditioning agree.
        values, vectors = self.spectrum
        return np.asarray(vectors @ ((vectors.T @ self.moment) / values), dtype=np.float64)

    def coordinates(self, theta: ArrayLike) -> FloatArray:
        """Return `theta - minimiser` in the eigenbasis, shape (d,), in the order of `spectrum`."""
        point = checked_point(theta, self.dimension)
        return np.asarray(self.spectrum[1].T @ (point - self.minimiser()), dtype=np.float64)


def ridge_value(X: ArrayLike, y: ArrayLike, theta: ArrayLike, regularization: NumberInput = 0) -> float:
    """Return `|X theta - y|^2 / (2n) + mu/2 |theta|^2` by a pass over the data; errors as `of`."""
    features, labels = checked_records(X, y)
    point = checked_point(theta, features.shape[1])
    mu = nonnegative_float(regularization, name="regularization", meaning="the regularization mu")
    residual = features @ point - labels
    return float(residual @ residual) / (2 * len(labels)) + mu / 2 * float(point @ point)


def ridge_gradient(X: ArrayLike, y: ArrayLike, theta: ArrayLike, regularization: NumberInput = 0) -> FloatArray:
    """Return `X^T (X theta - y) / n + mu theta`, shape (d,), by a pass over the data; errors as `of`."""
    features, labels = checked_records(X, y)
    point = checked_point(theta, features.shape[1])
    mu = nonnegative_float(regularization, name="regularization", meaning="the regularization mu")
    with np.errstate(over="ignore", invalid="ignore"):
        gradient = features.T @ (features @ point - labels) / len(labels) + mu * point
    if not np.isfinite(gradient).all():
        # theta is public, and yet whether the gradient overflows there tells something of the data.
        raise depends_on_data(str(reject("theta", point, "the gradient overflows a float64 there")))
    return np.asarray(gradient, dtype=np.float64)
