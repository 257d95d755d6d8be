"""Clipping of features to a shape that a fixed matrix gives, so that one record moves the gradient by a bounded share.

For a positive definite `C` that does not depend on the data two lengths of a record `x` are clipped to a radius `R`:

* `clip_by_both_norms`: `(|x|^2 x^T C^-2 x)^(1/4)`, that of Section 5.3;
* `clip_to_ellipsoid`: `(x^T C^-1 x)^(1/2)`, that of Section 5.4, which is never longer than the first.

What a clipped record contributes to the relative sensitivity, when `A >= rho C`, has the condition number `kappa` of C
in it: `|x|^2 x^T A^-2 x` is at most `(1 + kappa)^2 / (4 kappa) R^4 / rho^2` for the first and `kappa R^4 / rho^2` for
the second. The printed `R^4 / rho^2` is refuted: see `as_printed`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeGuard

import numpy as np
from numpy.typing import ArrayLike

from rgm_verify.errors import reject
from rgm_verify.learning.clipping.screen import Screen
from rgm_verify.learning.data import EPS, FloatArray, any_features, checked_features, finite, read_only, row_norms_above
from rgm_verify.mechanisms.values import checked_values
from rgm_verify.numbers.bounds import round_down
from rgm_verify.numbers.exact import NumberInput, positive

Map = Literal["both norms", "ellipsoid"]
"""The two ways to shorten a record."""

_LARGEST_SLACK = 1 / 4
_BLOCK = 4_096  # records at a time: their results stay in the cache
_SMALLEST_RADIUS, _LARGEST_RADIUS = Fraction(1, 10**100), Fraction(10**100)


@dataclass(frozen=True, eq=False)
class Shape:
    """A symmetric positive definite matrix `C`, ready for clipping; made by `Shape.of`.

    `C` has to be public: chosen without the private records, or else each record is clipped in a way that depends on
    the others, and neighbours do not stay neighbours (claim `rgm-v2:clipping-by-the-data`).
    `values` (d,) and `vectors` (d, d, columns) are its eigenvalues and eigenvectors, not to be written to. `slack`
    bounds the relative error of the computed lengths, from the residuals of the decomposition.
    """

    values: FloatArray
    vectors: FloatArray
    slack: float

    @classmethod
    def of(cls, C: ArrayLike) -> Shape:
        """Return the shape of `C`, (d, d).

        Raises `InputError` unless it is a finite, symmetric, positive definite matrix whose condition number leaves
        digits to compute with (up to about 1e12 in ten dimensions).
        """
        matrix = checked_values(C, name="C")
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
            raise reject("C", f"array of shape {matrix.shape}", "expected a square matrix")
        # Exactly symmetric: eigh reads one triangle only, and would take another matrix for the one that was meant.
        if not np.array_equal(matrix, matrix.T):
            raise reject("C", matrix, "expected a symmetric matrix; take (C + C.T) / 2")
        scale = float(np.abs(matrix).max())
        # In this range eigenvalues, their roots and inverses are ordinary floats: the error bounds need that.
        if not 1e-100 <= scale <= 1e100:
            raise reject("C", matrix, "its largest entry must be between 1e-100 and 1e100")
        values, vectors = np.linalg.eigh(matrix)
        if values[0] <= 0:
            raise reject("C", matrix, f"must be positive definite; its smallest eigenvalue is about {values[0]:.3g}")
        slack = _relative_error(matrix, values, vectors)
        # With more of it, the products (1 + slack)(1 - slack) and powers that use it would no longer be near 1.
        if slack > _LARGEST_SLACK:
            raise reject(
                "C", matrix, f"is too near to a singular matrix (condition number {values[-1] / values[0]:.2g})"
            )
        return cls(read_only(values), read_only(vectors), slack)

    @property
    def dimension(self) -> int:
        """Number of features."""
        return len(self.values)

    @property
    def condition_number(self) -> float:
        """Largest eigenvalue over smallest, at most `slack` below the truth, relatively."""
        return float(self.values[-1] / self.values[0])

    def lengths_above(self, X: ArrayLike, power: int) -> FloatArray:
        """Return numbers >= `|C^(-power/2) x|` for the rows `x` of `X`, shape (n,), at most `2 slack` too large.

        `power = 1` is the ellipsoid, `power = 2` is `|C^-1 x|`. Each row's number depends on that row alone.
        """
        rows = self.features(X)
        blocks = [self.lengths(rows[i : i + _BLOCK], power) for i in range(0, len(rows), _BLOCK)]
        return np.concatenate(blocks)

    def lengths(self, rows: FloatArray, power: int) -> FloatArray:
        """Return the same for rows that were checked."""
        # Elementwise sums: a product of matrices may round a row in another way when other rows come or go.
        columns = np.ascontiguousarray(rows.T)
        turned, term = np.zeros_like(columns), np.empty_like(columns)
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            for column, coefficients in zip(columns, self.vectors, strict=True):
                np.multiply(coefficients[:, np.newaxis], column, out=term)
                turned += term
            # After the turn and not folded into the vectors: one product for each entry, not one for each term of the
            # sums.
            turned *= (self.values ** (-power / 2))[:, np.newaxis]
            # An overflow counts as the longest vector there is: the record gets shortened to almost nothing, never let
            # through.
            turned[~np.isfinite(turned)] = np.finfo(np.float64).max
            return np.asarray(row_norms_above(turned.T) * (1 + self.slack), dtype=np.float64)

    def features(self, X: ArrayLike) -> FloatArray:
        """Return `X` as a float64 matrix (n, d) with as many features as `C`; `InputError` otherwise."""
        return self._of_dimension(checked_features(X))

    def any_features(self, X: ArrayLike) -> FloatArray:
        """Return the same for real numbers, finite or not, after `learning.data.finite`."""
        # Made finite before anything else, so that NaN or infinity in one record is that record's affair alone.
        return self._of_dimension(finite(any_features(X)))

    def _of_dimension(self, rows: FloatArray) -> FloatArray:
        if rows.shape[1] != self.dimension:
            expected = f"expected {self.dimension} features, as C has"
            raise reject("X", f"array of shape {rows.shape}", expected)
        return rows


def _relative_error(matrix: FloatArray, values: FloatArray, vectors: FloatArray) -> float:
    """Return a bound on the relative error of `|Lambda^-p V^T x|`, p <= 1, as a stand-in for `|C^-p x|`.

    `C` is `V Lambda V^T + E` and `V^T V = I + F`; the nearest orthogonal matrix to `V` is `|F|` away. So `C` is within
    `|E| + 3 |F| lambda_max` of a matrix with exactly these eigenvalues, and a solution by it is off by the condition
    number times that. Roundings of the residuals, of products and of a clipped record are counted with `8 (d + 1)^2`.
    """
    d, largest = len(values), float(values[-1])
    # The decomposition is not believed: its residual and its skewness are measured, the rounding of this
    # measurement is the last term, and the division by the smallest eigenvalue makes it all relative to any length.
    residual = float(np.linalg.norm(matrix - (vectors * values) @ vectors.T)) / largest
    skew = float(np.linalg.norm(vectors.T @ vectors - np.eye(d)))
    return 2 * largest / float(values[0]) * (residual + 4 * skew + 8 * (d + 1) ** 2 * EPS)


# ------------------------------------------------------------------------------------------------- the two maps


def clip_by_both_norms(X: ArrayLike, C: Shape | ArrayLike, radius: NumberInput) -> FloatArray:
    """Return the rows of `X`, shortened where needed, so that `|x|^2 x^T C^-2 x <= radius^4` for each of them.

    `X` has shape (n, d) and one record a row; `C` (d, d) is symmetric positive definite and public; `radius > 0`
    (floats count as the binary numbers they are). A new array.

    Formal Guarantees:
        * Every row returned satisfies the bound in exact arithmetic, not only up to rounding.
        * A row within the bound by a margin of `2 slack` is returned as it is, bit for bit; others are shortened to
          within a relative distance of about `4 slack` of the bound (`Shape.slack`, near 1e-13 for a mild C).
        * A row's result depends on that row, `C` and `radius` alone, so neighbours stay neighbours: claims
          `beyond:clipping-map`, `rgm-v1:clipping-keeps-neighbours`.
        * With `A >= rho C` at both neighbours, `|x|^2 x^T A^-2 x <= (1 + kappa)^2 / (4 kappa) radius^4 / rho^2`: claim
          `beyond:clipped-point`, and `beyond:proposition-1` for the relative sensitivity.

    Edge cases:
        * A row of zeros stays; a row whose length is beyond the range of floats becomes zeros.
        * NaN counts as 0, and an infinity as the largest float of its sign: no record is refused, since a refusal would
          depend on the data.
        * No rows, entries that are no real numbers, another number of features, `radius <= 0`, a matrix that is not
          symmetric positive definite: `InputError`.
    Source: RGM paper (v2), Proposition 1; the map is that of the paper, its consequence is not.
    """
    return _clipped(X, C, radius, power=2)


def clip_to_ellipsoid(X: ArrayLike, C: Shape | ArrayLike, radius: NumberInput) -> FloatArray:
    """Return the rows of `X`, shortened where needed, so that `x^T C^-1 x <= radius^2` for each of them.

    Arguments, guarantees and errors as in `clip_by_both_norms`, except that `|x|^2 x^T A^-2 x` is at most
    `kappa radius^4 / rho^2` (claim `beyond:ellipsoid-clipped-point`): a factor of up to 4 more, since this is the
    weaker condition (claim `beyond:clippings-compared`; the paper calls it the stronger one).
    Source: RGM paper (v2), Proposition 3, with its parenthesis closed after the square root.
    """
    return _clipped(X, C, radius, power=1)


def _clipped(X: ArrayLike, C: Shape | ArrayLike, radius: NumberInput, power: int) -> FloatArray:
    """Return the clipped rows: `power = 2` by both norms, `power = 1` to the ellipsoid."""
    shape = C if isinstance(C, Shape) else Shape.of(C)
    source, bound = X if _is_matrix(X, shape.dimension) else shape.any_features(X), _radius(radius)
    # Most records are inside, which products of matrices prove at a fraction of the price. Inside they are left as
    # they are by either way, so that the screen decides the time and never the result.
    screen = Screen.of(shape.values, shape.vectors, shape.slack, bound, power)
    rows, unsure = np.empty(np.shape(source)), []
    for start in range(0, len(rows), _BLOCK):
        block = rows[start : start + _BLOCK]
        with np.errstate(over="ignore", invalid="ignore"):
            block[...] = source[start : start + _BLOCK]
        # NaN compares as false: what cannot be proved to be inside is measured.
        unsure.append(start + np.flatnonzero(~screen.certainly_inside(block)))
    others = np.concatenate(unsure)
    for start in range(0, len(others), _BLOCK):
        few = others[start : start + _BLOCK]
        # What is not finite is not certainly inside, so that looking at these is enough to find it.
        rows[few] = _shortened(finite(rows[few]), shape, bound, power)
    return rows


def _is_matrix(X: ArrayLike, dimension: int) -> TypeGuard[FloatArray]:
    """Decide whether `X` is an array of real numbers, finite or not, with rows of this dimension."""
    return isinstance(X, np.ndarray) and X.dtype.kind in "iuf" and X.size > 0 and X.shape[1:] == (dimension,)


def _radius(radius: NumberInput) -> float:
    number = positive(radius, name="radius", meaning="the clipping radius", floats="binary")
    if not _SMALLEST_RADIUS <= number <= _LARGEST_RADIUS:
        raise reject("radius", radius, "must be between 1e-100 and 1e100; change the unit of the features")
    # Downwards: a shorter radius than asked for clips more, and what is promised of the radius stays true.
    return round_down(number)


def _shortened(rows: FloatArray, shape: Shape, bound: float, power: int) -> FloatArray:
    """Return rows times `bound / length` where the length is larger than the bound, a little less for the rounding."""
    lengths = shape.lengths(rows, power)
    if power == 2:
        with np.errstate(over="ignore"):
            # The root of each factor, since the product of the two lengths may overflow where its root does not.
            lengths = np.sqrt(row_norms_above(rows)) * np.sqrt(lengths) * (1 + 4 * EPS)
    outside = lengths > bound
    # `lengths` are never too short, so that the quotient is small enough before it is rounded; 1 - slack pays for that
    # rounding and the product's, which slack counts. The inner `where` keeps records of length 0 from a division by
    # zero.
    factors = np.where(outside, bound / np.where(outside, lengths, 1.0) * (1 - shape.slack), 1.0)
    with np.errstate(under="ignore"):
        return rows * factors[:, np.newaxis]
