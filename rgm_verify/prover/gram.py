"""Gram matrices over the rationals: exact rounding, null spaces, and sums of squares.

A solver of semidefinite programs gives floats that satisfy the equations and the signs up to its tolerance. Here they
become rationals that satisfy both exactly, or nothing: the equations by elimination, in which the unknowns that are
left free take rounded values; the signs by an L D L^T decomposition over fractions.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import flint
import numpy as np

__all__ = ["Elimination", "complement", "null_space", "squares_of"]

Matrix: TypeAlias = list[list[Fraction]]
#: Denominators that are tried for the free unknowns, small ones first: they make short proofs.
DENOMINATORS = (1, 2, 4, 12, 64, 720, 2**12, 2**18, 2**26)
#: A null vector whose entries are no nearer to fractions of small denominators is not rational.
_NEAR = 3e-4
_SMALL = 24


class Elimination:
    """Linear equations over the rationals, eliminated once and then solved near several guesses.

    Args:
        columns: The coefficients of each unknown, by the number of the equation.

    Attributes:
        solvable: Whether there is a solution at all.

    Examples:
        >>> system = Elimination([{0: Fraction(1)}, {0: Fraction(2)}], [Fraction(5)])
        >>> system.near([0.9, 2.1], 1)
        [Fraction(1, 1), Fraction(2, 1)]
    """

    def __init__(self, columns: Sequence[dict[int, Fraction]], right: Sequence[Fraction]) -> None:
        self.count = len(columns)
        matrix = flint.fmpq_mat(len(right), self.count + 1)
        for j, column in enumerate(columns):
            for i, value in column.items():
                matrix[i, j] = flint.fmpq(value.numerator, value.denominator)
        for i, value in enumerate(right):
            matrix[i, self.count] = flint.fmpq(value.numerator, value.denominator)
        reduced, rank = matrix.rref()
        rows = [
            {j: Fraction(int(v.p), int(v.q)) for j in range(self.count + 1) if (v := reduced[i, j]) != 0}
            for i in range(rank)
        ]
        self.rows = {min(row): row for row in rows}
        # A pivot on the right side says that the equations contradict each other.
        self.solvable = self.count not in self.rows

    def near(self, guess: Sequence[float], denominator: int) -> list[Fraction]:
        """Return a solution whose free unknowns are the guess, rounded to multiples of 1/denominator.

        The others follow and are near the guess as far as it solves the equations. Only for `solvable` equations.

        Args:
            guess: A float for each unknown.
            denominator: The denominator of the free unknowns.
        """
        value = [Fraction(0)] * self.count
        for j in range(self.count):
            if j not in self.rows:
                value[j] = Fraction(round(float(guess[j]) * denominator), denominator)
        for pivot, row in self.rows.items():
            rest = (c * value[j] for j, c in row.items() if j not in (pivot, self.count))
            value[pivot] = row.get(self.count, Fraction(0)) - sum(rest, Fraction(0))
        return value


def squares_of(matrix: Matrix) -> list[tuple[Fraction, list[Fraction]]] | None:
    """Return weights > 0 and vectors v with sum of weight * v v^T equal to a symmetric matrix, exactly.

    None for a matrix that is not positive semidefinite: the answer decides it, over the rationals.

    Examples:
        >>> matrix = [[Fraction(4), Fraction(2)], [Fraction(2), Fraction(3)]]
        >>> [(str(weight), [str(x) for x in vector]) for weight, vector in squares_of(matrix)]
        [('4', ['1', '1/2']), ('2', ['0', '1'])]
        >>> squares_of([[Fraction(0), Fraction(1)], [Fraction(1), Fraction(5)]]) is None
        True
    """
    size = len(matrix)
    left = [list(row) for row in matrix]
    found = []
    for k in range(size):
        pivot = left[k][k]
        if pivot < 0:
            return None
        if pivot == 0:
            # A diagonal entry 0 has no other entry beside it in a semidefinite matrix.
            if any(left[k][j] for j in range(k, size)):
                return None
            continue
        vector = [Fraction(0)] * k + [left[k][j] / pivot for j in range(k, size)]
        for i in range(k + 1, size):
            if vector[i]:
                for j in range(k + 1, size):
                    left[i][j] -= pivot * vector[i] * vector[j]
        found.append((pivot, vector))
    return found


def null_space(matrix: Any, below: float) -> Matrix | None:
    """Return rational vectors that span what a matrix of floats maps to nearly 0; None where they are not rational.

    Args:
        matrix: A symmetric positive semidefinite matrix of floats.
        below: Eigenvalues below it count as 0.

    Returns:
        Vectors in echelon form, [] where no eigenvalue is small.
    """
    values, vectors = np.linalg.eigh(matrix)
    rows = vectors[:, values < below].T.copy()
    for k in range(len(rows)):
        # The largest entry as pivot: the rounding that follows then has entries of at most 1 in size to look at.
        i, j = divmod(int(np.argmax(np.abs(rows[k:]))), rows.shape[1])
        rows[[k, k + i]] = rows[[k + i, k]]
        rows[k] /= rows[k, j]
        for other in range(len(rows)):
            if other != k:
                rows[other] -= rows[other, j] * rows[k]
    rounded = [[Fraction(float(x)).limit_denominator(_SMALL) for x in row] for row in rows]
    gaps = (abs(float(q) - x) for a, b in zip(rounded, rows, strict=True) for q, x in zip(a, b, strict=True))
    return rounded if max(gaps, default=0.0) <= _NEAR else None


def complement(vectors: Matrix, size: int) -> Matrix:
    """Return a basis of the vectors that are orthogonal to all given ones, exactly.

    Args:
        vectors: Rational vectors.

    Examples:
        >>> [[str(x) for x in v] for v in complement([[Fraction(1), Fraction(-1)]], 2)]
        [['1', '1']]
    """
    matrix = flint.fmpq_mat(max(1, len(vectors)), size)
    for i, vector in enumerate(vectors):
        for j, value in enumerate(vector):
            matrix[i, j] = flint.fmpq(value.numerator, value.denominator)
    reduced, rank = matrix.rref()
    pivots = [next(j for j in range(size) if reduced[i, j] != 0) for i in range(rank)]
    basis = []
    for free in (j for j in range(size) if j not in pivots):
        vector = [Fraction(int(j == free)) for j in range(size)]
        for i, pivot in enumerate(pivots):
            entry = reduced[i, free]
            vector[pivot] = -Fraction(int(entry.p), int(entry.q))
        basis.append(vector)
    return basis
