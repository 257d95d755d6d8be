"""Linear algebra on small matrices over any ordered field: exact over Fractions, quick over floats.

Vectors are tuples, matrices are tuples of rows. Nothing here knows of SymPy, NumPy's linear algebra or Arb, so that a
statement about matrices which is evaluated with it shares no code with the formula that a claim reduces it to.
A sum over nothing is the integer 0. Sizes are small: an inverse costs d^3 operations on growing fractions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeAlias

#: A Fraction, or a float: the arithmetic is that of whatever comes in.
Number: TypeAlias = Any
Vector: TypeAlias = tuple[Number, ...]
Matrix: TypeAlias = tuple[Vector, ...]

#: Bounds on eigenvalues are rounded to this many binary digits after the leading one of the norm.
_DIGITS = 24
_SMALLEST = 2.0**-60


def dot(x: Vector, y: Vector) -> Number:
    """The inner product."""
    return sum(a * b for a, b in zip(x, y, strict=True))


def squared(x: Vector) -> Number:
    """The squared Euclidean norm."""
    return dot(x, x)


def plus(x: Vector, y: Vector) -> Vector:
    """The sum of two vectors."""
    return tuple(a + b for a, b in zip(x, y, strict=True))


def minus(x: Vector, y: Vector) -> Vector:
    """The difference of two vectors."""
    return tuple(a - b for a, b in zip(x, y, strict=True))


def times(factor: Number, x: Vector) -> Vector:
    """A multiple of a vector."""
    return tuple(factor * a for a in x)


def combination(*terms: tuple[Number, Matrix]) -> Matrix:
    """The sum of multiples of matrices of one shape."""
    shape = terms[0][1]
    return tuple(
        tuple(sum(factor * m[i][j] for factor, m in terms) for j in range(len(shape[i]))) for i in range(len(shape))
    )


def outer(x: Vector, y: Vector) -> Matrix:
    """The matrix `x y^T`."""
    return tuple(tuple(a * b for b in y) for a in x)


def identity(dimension: int, factor: Number = Fraction(1)) -> Matrix:
    """A multiple of the identity."""
    zero = factor * 0
    return tuple(tuple(factor if i == j else zero for j in range(dimension)) for i in range(dimension))


def diagonal(entries: Sequence[Number]) -> Matrix:
    """The diagonal matrix of `entries`."""
    return tuple(tuple(e if i == j else e * 0 for j in range(len(entries))) for i, e in enumerate(entries))


def transpose(matrix: Matrix) -> Matrix:
    """Rows for columns."""
    return tuple(zip(*matrix, strict=True))


def apply(matrix: Matrix, x: Vector) -> Vector:
    """Matrix times vector."""
    return tuple(dot(row, x) for row in matrix)


def product(a: Matrix, b: Matrix) -> Matrix:
    """Matrix times matrix."""
    columns = transpose(b)
    return tuple(tuple(dot(row, column) for column in columns) for row in a)


def form(x: Vector, matrix: Matrix, y: Vector) -> Number:
    """The bilinear form `x^T M y`."""
    return dot(x, apply(matrix, y))


def trace(matrix: Matrix) -> Number:
    """The sum of the diagonal."""
    return sum(matrix[i][i] for i in range(len(matrix)))


def gram(rows: Matrix) -> Matrix:
    """`M M^T`, positive semidefinite whatever `M` is."""
    return product(rows, transpose(rows))


def inverse(matrix: Matrix) -> Matrix:
    """The inverse by Gauss-Jordan elimination with the largest pivot; `ZeroDivisionError` for a singular matrix.

    Shape (d, d). Exact over Fractions; over floats the largest pivot keeps errors small, and nothing is certified.
    """
    d = len(matrix)
    rows = [list(row) + list(unit) for row, unit in zip(matrix, identity(d, matrix[0][0] * 0 + 1), strict=True)]
    for k in range(d):
        # Over Fractions any pivot but 0 would do; over floats the largest keeps rounding small.
        best = max(range(k, d), key=lambda i: abs(rows[i][k]))
        rows[k], rows[best] = rows[best], rows[k]
        pivot = rows[k][k]
        rows[k] = [a / pivot for a in rows[k]]
        for i in range(d):
            if i != k:
                factor = rows[i][k]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
    return tuple(tuple(row[d:]) for row in rows)


def pivots(matrix: Matrix) -> list[Number] | None:
    """The diagonal of `D` in `L D L^T` of a symmetric matrix, or None where it stops at a zero pivot with entries
    besides.
    """
    rest = [list(row) for row in matrix]
    found: list[Number] = []
    while rest:
        pivot, column = rest[0][0], [row[0] for row in rest[1:]]
        found.append(pivot)
        # Such a matrix is indefinite: the two entries off the diagonal make a negative square.
        if pivot == 0 and any(column):
            return None
        share = [a / pivot for a in column] if pivot != 0 else column
        below = zip(rest[1:], share, strict=True)
        rest = [[b - factor * c for b, c in zip(row[1:], column, strict=True)] for row, factor in below]
    return found


def is_semidefinite(matrix: Matrix) -> bool:
    """Return whether a symmetric matrix is positive semidefinite; a theorem over Fractions."""
    found = pivots(matrix)
    return found is not None and all(p >= 0 for p in found)


def is_definite(matrix: Matrix) -> bool:
    """Return whether a symmetric matrix is positive definite; a theorem over Fractions."""
    found = pivots(matrix)
    return found is not None and all(p > 0 for p in found)


def largest_level(matrix: Matrix, unit: Matrix) -> tuple[Number, Number]:
    """Bounds on the largest `t` for which `M - t C` is positive semidefinite, `C` positive definite.

    Over Fractions both are certified, the lower one by `M - t C`'s pivots and the upper one by a negative pivot, and
    they differ by 2^-24 of the size of the matrices; over floats they are equal.
    """
    guess = _float_level(matrix, unit)
    if any(isinstance(a, float) for row in (*matrix, *unit) for a in row):
        return guess, guess
    size = max(abs(guess), float(_radius(matrix)) / float(_radius(unit)), _SMALLEST)
    step = Fraction(2) ** (math.frexp(size)[1] - _DIGITS)
    # Floats propose a level, and exact tests move it until it is right.
    low = round(guess / step)
    while not is_semidefinite(combination((1, matrix), (-low * step, unit))):
        low -= 1
    high = low + 1
    while is_semidefinite(combination((1, matrix), (-high * step, unit))):
        low, high = high, high + 1
    return low * step, high * step


def largest_eigenvalue(matrix: Matrix) -> tuple[Number, Number]:
    """A lower and an upper bound on the largest eigenvalue of a symmetric matrix, as `largest_level`."""
    low, high = smallest_eigenvalue(combination((-1, matrix)))
    return -high, -low


def smallest_eigenvalue(matrix: Matrix) -> tuple[Number, Number]:
    """A lower and an upper bound on the smallest eigenvalue of a symmetric matrix, as `largest_level`."""
    return largest_level(matrix, identity(len(matrix), matrix[0][0] * 0 + 1))


def _radius(matrix: Matrix) -> Number:
    return max(sum(abs(a) for a in row) for row in matrix)


def _float_level(matrix: Matrix, unit: Matrix) -> float:
    import numpy as np

    a, c = (np.array([[float(v) for v in row] for row in m]) for m in (matrix, unit))
    try:
        root = np.linalg.inv(np.linalg.cholesky(c))
    except np.linalg.LinAlgError:
        # To the statement this is a world in which a hypothesis fails.
        raise ZeroDivisionError from None
    return float(np.linalg.eigvalsh(root @ a @ root.T)[0])


def root_above(value: Number) -> Number:
    """An upper bound on the square root of a nonnegative number, within 2^-24 of it; the root itself over floats.

    Worlds judge what `numbers.roots` is used for, so it shares no code with that.
    """
    if isinstance(value, float):
        return math.sqrt(max(value, 0.0))
    if value == 0:
        return Fraction(0)
    shift = 4 ** (_DIGITS + max(0, value.denominator.bit_length() - value.numerator.bit_length()))
    return Fraction(math.isqrt(math.ceil(value * shift)) + 1, math.isqrt(shift))
