"""The relative sensitivity of the ridge gradients of one given pair of neighbouring data sets, in exact arithmetic.

The gradients of the two differ by `(E g + w) / n` with `g` the gradient of the one, `E = (x x^T - x' x'^T) A^-1` and
`w` the difference of the two records' gradients at its minimiser. `E` has rank two, and `w` lies in the plane of `x`
and `x'` like all of its values; so the largest `|difference|^2 - eta^2 |g|^2` over all `theta` is a rational function
of `eta^2` whose coefficients are inner products: nothing is rounded.

What is computed here is about the private data, and about this pair alone. It is no sensitivity in the sense of a
privacy guarantee, which is about all pairs: `of_domain` is for that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from rgm_verify.errors import depends_on_data, reject
from rgm_verify.learning.data import FloatArray, checked_records, private_number, private_point
from rgm_verify.numbers.bounds import Bounds, round_down, round_up
from rgm_verify.numbers.exact import ExactInput, NumberInput, nonnegative
from rgm_verify.numbers.roots import root_above

__all__ = ["OneSided", "PairSensitivity", "pair_sensitivity"]

Vector: TypeAlias = tuple[Fraction, ...]
Record: TypeAlias = tuple[Vector, Fraction]
Moments: TypeAlias = tuple[list[list[Fraction]], Vector]
_METHOD = "roots of exact rationals"


@dataclass(frozen=True)
class OneSided:
    """Constants with `|difference|^2 <= eta^2 |g|^2 + R^2` for the gradient `g` of one data set, at every `theta`.

    `trace` and `determinant` are those of `E E^T / n^2` on the plane of the two records, `records` and `images` the
    Gram matrices of `x, x'` and of `A^-1 x, A^-1 x'` as (11, 12, 22), `residuals` those at the minimiser, over n, the
    second with the other sign. Source: claims `beyond:quadratic-exact-norm`, `beyond:pair-absolute-part`.
    """

    records: Vector
    images: Vector
    residuals: Vector
    count: int

    @property
    def trace(self) -> Fraction:
        """Sum of the two squared singular values of `E / n`."""
        (g11, g12, g22), (q11, q12, q22) = self.records, self.images
        return (g11 * q11 + g22 * q22 - 2 * g12 * q12) / self.count**2

    @property
    def determinant(self) -> Fraction:
        """Product of the two squared singular values of `E / n`."""
        return _determinant(self.records) * _determinant(self.images) / self.count**4

    @property
    def root(self) -> tuple[Fraction, Fraction]:
        """A lower and an upper bound on `e = |E| / n`, which are equal or within 2^-60 of each other, relatively."""
        spread = self.trace**2 - 4 * self.determinant
        # One root from above; the quotient by it is one from below, exactly.
        high = root_above(spread)
        low = spread / high if high else high
        least = (self.trace + low) / 2
        top = root_above(least)
        return (least / top if top else top), root_above((self.trace + high) / 2)

    def covers(self, square: Fraction) -> bool:
        """Decide exactly whether `eta^2 = square` is above `e^2`; where `E = 0`, any `eta` will do."""
        # Above both roots of the quadratic: its value is positive there, and right of the vertex there are no others.
        beyond = 2 * square > self.trace and square**2 - self.trace * square + self.determinant > 0
        return beyond or self.trace == 0

    def absolute_part_squared(self, square: Fraction) -> Fraction:
        """Return the least `R^2` for `eta^2 = square` above `e^2`, exactly: it is attained at some `theta`.

        `c^T G (1 - K G)^-1 c` with `G` the Gram matrix of the records, `K = J Q J / (n^2 eta^2)`, `Q` that of their
        images, `J = diag(1, -1)` and `c` the residuals.
        """
        (g11, g12, g22), (q11, q12, q22), (c1, c2) = self.records, self.images, self.residuals
        if self.trace == 0:
            return g11 * c1**2 + 2 * g12 * c1 * c2 + g22 * c2**2
        unit = self.count**2 * square
        k11, k12, k22 = q11 / unit, -q12 / unit, q22 / unit
        n11, n12 = 1 - k11 * g11 - k12 * g12, -k11 * g12 - k12 * g22
        n21, n22 = -k12 * g11 - k22 * g12, 1 - k12 * g12 - k22 * g22
        det = n11 * n22 - n12 * n21
        z1, z2 = (n22 * c1 - n12 * c2) / det, (n11 * c2 - n21 * c1) / det
        return c1 * (g11 * z1 + g12 * z2) + c2 * (g12 * z1 + g22 * z2)


@dataclass(frozen=True)
class PairSensitivity:
    """The least `(eta, R)` of one pair of neighbours; `sides` are those for the gradient of each of the two.

    Private, and no guarantee for any other pair (claim `rgm-v2:one-dataset-is-not-enough`): a `RelativeSensitivity`
    cannot be made of it.
    """

    sides: tuple[OneSided, OneSided]

    @cached_property
    def relative_part(self) -> Bounds:
        """Bounds on the least `eta`, rounded outward to neighbouring floats: below it no `R` will do."""
        lower, upper = (max(side.root[k] for side in self.sides) for k in (0, 1))
        return Bounds(round_down(lower), round_up(upper), _METHOD, _METHOD)

    def absolute_part_squared(self, eta: ExactInput) -> Fraction:
        """Return the least `R^2` with `|difference|^2 <= eta^2 min(|g|^2, |g'|^2) + R^2` at every `theta`; exact.

        Attained at some `theta`. Raises `InputError` for an `eta` that is not above `relative_part` (where the features
        of both records agree up to sign, every `eta >= 0` is allowed).
        """
        ratio = nonnegative(eta, name="eta", meaning="a relative sensitivity")
        if not all(side.covers(ratio**2) for side in self.sides):
            raise depends_on_data(str(reject("eta", eta, "must be above the relative part")))
        return max(side.absolute_part_squared(ratio**2) for side in self.sides)

    def absolute_part(self, eta: ExactInput) -> float:
        """Return the root of `absolute_part_squared`, rounded up to a float; errors as there."""
        return round_up(root_above(self.absolute_part_squared(eta)))


def pair_sensitivity(
    X: ArrayLike,
    y: ArrayLike,
    index: int,
    record: ArrayLike,
    label: NumberInput,
    *,
    regularization: NumberInput = 0,
) -> PairSensitivity:
    """Return the exact relative sensitivity of the ridge gradients of `X`, `y` and of its neighbour.

    `X` is (n, d), `y` (n,); in the neighbour record `index` is `record` (d,) with `label`. Floats count as the binary
    numbers they are. The cost is that of `n d^2 / 2` and `d^3` operations with long integers: tens of seconds for a
    hundred thousand records in twenty dimensions.
    Raises `InputError` for bad data, an index out of range, `mu < 0`, and where either matrix is singular.
    """
    features, labels = checked_records(X, y)
    n, d = features.shape
    if index not in range(n):
        raise reject("index", index, f"must be an integer from 0 to {n - 1}")
    point = private_point(record, d, name="record")
    mu = nonnegative(regularization, name="regularization", meaning="the regularization mu", floats="binary")
    before = tuple(map(Fraction, features[int(index)].tolist())), Fraction(float(labels[int(index)]))
    after = tuple(map(Fraction, point.tolist())), private_number(label, name="label")
    moments = _moments(features, labels, mu)
    moved = _replaced(moments, before, after, n)
    return PairSensitivity((_one_sided(moments, before, after, n), _one_sided(moved, after, before, n)))


def _one_sided(moments: Moments, leaves: Record, comes: Record, n: int) -> OneSided:
    (x, y), (z, s) = leaves, comes
    hessian, moment = moments
    images, other_images, minimiser = _solve(hessian, (x, z, moment))
    residuals = (_dot(x, minimiser) - y) / n, (s - _dot(z, minimiser)) / n
    return OneSided(_gram(x, z), _gram(images, other_images), residuals, n)


def _moments(X: FloatArray, y: FloatArray, mu: Fraction) -> Moments:
    """Return `X^T X / n + mu I` and `X^T y / n`, exactly: sums of integers over one common denominator."""
    (n, d), (columns, unit), (targets, scale) = X.shape, _integers(X.T), _integers(y[np.newaxis])
    hessian = [[Fraction(0)] * d for _ in range(d)]
    for i in range(d):
        for j in range(i + 1):
            hessian[i][j] = hessian[j][i] = Fraction(_product(columns[i], columns[j]), unit**2 * n)
        hessian[i][i] += mu
    return hessian, tuple(Fraction(_product(column, targets[0]), unit * scale * n) for column in columns)


def _integers(rows: FloatArray) -> tuple[list[list[int]], int]:
    """Return the rows as integers over a common denominator, a power of two, and that denominator."""
    ratios = [[entry.as_integer_ratio() for entry in row] for row in rows.tolist()]
    unit = max(bottom for row in ratios for _, bottom in row)
    return [[top * (unit // bottom) for top, bottom in row] for row in ratios], unit


def _replaced(moments: Moments, leaves: Record, comes: Record, n: int) -> Moments:
    (hessian, moment), (x, y), (z, s) = moments, leaves, comes
    moved = [[entry + (z[i] * z[j] - x[i] * x[j]) / n for j, entry in enumerate(row)] for i, row in enumerate(hessian)]
    return moved, tuple(entry + (z[i] * s - x[i] * y) / n for i, entry in enumerate(moment))


def _product(left: Sequence[int], right: Sequence[int]) -> int:
    return sum(map(int.__mul__, left, right))


def _solve(matrix: list[list[Fraction]], targets: Sequence[Vector]) -> list[Vector]:
    """Return the solutions of `matrix @ s = target`, one for each target, by elimination; exact.

    The matrix is positive semidefinite, so that a pivot of 0 means that it is singular: `InputError`.
    """
    rows = [[*row, *(target[i] for target in targets)] for i, row in enumerate(matrix)]
    for k, pivot in enumerate(rows):
        if pivot[k] == 0:
            raise depends_on_data(
                "regularization=0: the second moments of one of the two data sets are singular; use mu > 0"
            )
        for row in rows:
            if row is not pivot and row[k]:
                factor = row[k] / pivot[k]
                row[k:] = [entry - factor * by for entry, by in zip(row[k:], pivot[k:], strict=True)]
    size = len(rows)
    return [tuple(rows[i][size + j] / rows[i][i] for i in range(size)) for j in range(len(targets))]


def _dot(left: Vector, right: Vector) -> Fraction:
    return sum((a * b for a, b in zip(left, right, strict=True)), Fraction(0))


def _gram(left: Vector, right: Vector) -> Vector:
    return _dot(left, left), _dot(left, right), _dot(right, right)


def _determinant(gram: Vector) -> Fraction:
    return gram[0] * gram[2] - gram[1] ** 2
