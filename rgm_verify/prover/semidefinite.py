"""Semidefinite programs in floating point, by Clarabel: a guess for `rgm_verify.prover.squares`, and never more.

Clarabel is an interior-point method. Its solutions lie inside of the set of all solutions, away from the boundary
where there is an inside at all, which is what rounding to rationals needs; and it counts iterations, so that no clock
is read. It comes with the extra `proofs`; without it no program is solved.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["MISSING", "Program", "Solved", "available", "solve"]

#: What a search says that wanted the solver.
MISSING = "sums of squares were not tried, as no solver is installed: pip install 'rgm-verify[proofs]'"
#: Iterations of one program; most need 10 to 30.
ITERATIONS = 60
#: The sum of all diagonals is at most so many times the number of rows: without it, a solution may be of any size.
_TRACE = 100.0


@dataclass(frozen=True)
class Program:
    """Find semidefinite matrices and free numbers with given linear equations, the matrices as far inside as possible.

    Attributes:
        sizes: The sizes of the matrices.
        free: How many free numbers there are.
        columns: The coefficients of each unknown by the number of the equation: first the entries (i, j) of the
            matrices with i <= j, column by column, each as it stands on both sides of the diagonal; then the free ones.
        right: The right sides.
    """

    sizes: Sequence[int]
    free: int
    columns: Sequence[dict[int, float]]
    right: Sequence[float]


@dataclass(frozen=True)
class Solved:
    """A solution in floats: `inside` is the least eigenvalue of all matrices as far as it could be had, at most 1."""

    matrices: list[Any]
    free: Any
    inside: float
    iterations: int


def available() -> bool:
    """Tell whether Clarabel is installed."""
    return importlib.util.find_spec("clarabel") is not None


def solve(program: Program) -> Solved | None:
    """Return a solution in floats, None where the solver finds none."""
    import clarabel
    from scipy.sparse import csc_matrix

    entries = sum(n * (n + 1) // 2 for n in program.sizes)
    width = entries + program.free + 1
    rows: list[int] = []
    places: list[int] = []
    values: list[float] = []

    def put(row: int, place: int, value: float) -> None:
        rows.append(row)
        places.append(place)
        values.append(value)

    for j, column in enumerate(program.columns):
        for i, value in column.items():
            put(i, j, value)
    height = len(program.right)
    right = list(program.right)
    # inside <= 1, and the bound on the diagonals.
    put(height, width - 1, 1.0)
    right += [1.0, _TRACE * max(1, sum(program.sizes))]
    place = 0
    cone = height + 2
    for n in program.sizes:
        for j in range(n):
            for i in range(j + 1):
                # Clarabel's triangles hold the entries off the diagonal times the root of 2.
                put(cone, place, -1.0 if i == j else -float(np.sqrt(2)))
                if i == j:
                    put(cone, width - 1, 1.0)
                    put(height + 1, place, 1.0)
                place += 1
                cone += 1
    right += [0.0] * entries
    matrix = csc_matrix((values, (rows, places)), shape=(cone, width))
    cost = np.zeros(width)
    cost[-1] = -1.0
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_iter = ITERATIONS
    settings.max_threads = 1
    cones = [clarabel.ZeroConeT(height), clarabel.NonnegativeConeT(2), *map(clarabel.PSDTriangleConeT, program.sizes)]
    found = clarabel.DefaultSolver(csc_matrix((width, width)), cost, matrix, np.array(right), cones, settings).solve()
    x = np.array(found.x)
    if not str(found.status).endswith("Solved") or not np.all(np.isfinite(x)):
        return None
    matrices = []
    place = 0
    for n in program.sizes:
        q = np.zeros((n, n))
        for j in range(n):
            for i in range(j + 1):
                q[i, j] = q[j, i] = x[place]
                place += 1
        matrices.append(q)
    return Solved(matrices, x[entries:-1], float(x[-1]), int(found.iterations))
