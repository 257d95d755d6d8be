"""A quick test that records are certainly within a clipping radius: products of matrices, with their own error bound.

A product of matrices may round a record in another way when other records come or go, so nothing of it may reach the
result. It does not: the test only names records that clipping would return bit for bit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rgm_verify.learning.data import FloatArray

_USABLE = 1e-2  # the relative error of lengths up to which single precision decides nearly all records


@dataclass(frozen=True, eq=False)
class Screen:
    """The test for one matrix `C`, radius and power; made by `Screen.of`.

    In units in which the radius is 1 and `C` has the smallest eigenvalue 1, a record is `z`. The columns of
    `turn = V Lambda^(-power/2)` are no longer than 1, and the length is `|z turn|` for `power = 1` and
    `(|z| |z turn|)^(1/2)` for `power = 2`. `unit` takes a record to `z`, and `stretch` is what a computed
    length is multiplied with to be on the safe side.
    """

    turn: NDArray[Any]
    unit: float
    stretch: float
    power: int

    @classmethod
    def of(cls, values: FloatArray, vectors: FloatArray, slack: float, radius: float, power: int) -> Screen:
        """Return the test for the eigenvalues (d,) and vectors (d, d) of `C`; `slack` <= 1/4 as in `features.Shape`.

        Single precision, half the bytes, is used where it is enough; that depends on `C` alone.
        """
        # In units of the smallest eigenvalue all factors are at most 1, and float32 has the range for them.
        turn, d = vectors * (values / values[0]) ** (-power / 2), len(values)
        condition = 1.01 * float(values[-1] / values[0]) ** (power / 2)
        roundings = (d + 8) * max(1.0, float(np.linalg.norm(turn)))
        # Single precision halves what the products read. It can only leave more records undecided.
        single = roundings * condition * float(np.finfo(np.float32).eps) <= _USABLE
        limits = np.finfo(np.float32 if single else np.float64)
        error = roundings * condition * float(limits.eps)
        unit = 1 / (radius * math.sqrt(float(values[0])))
        stretch = (1 + 6 * slack) ** power * (1 + error) / (1 - error)
        return cls(turn.astype(limits.dtype), unit, stretch, power)

    def certainly_inside(self, rows: FloatArray) -> NDArray[np.bool_]:
        """Return for each row, shape (n,), whether clipping by elementwise operations surely leaves it as it is.

        Let `l` be the length of a row for `V Lambda V^T` in exact arithmetic. Clipping computes at most
        `(1 + 6 slack) l`: its lengths are at most `2 slack` above those for `C`, which are within `slack` of `l`. It
        leaves a row alone if what it computes is at most the radius, and that follows from what is tested here. So a
        row comes out the same whether it is named or not, and what comes out is a function of the row alone, although
        its being named may depend on its place among others.

        The bound on `l` holds for sums in any order, with fused products or without: the entries of `z` and `turn` are
        rounded once, and a sum of d products errs by d roundings of the sum of their absolute values. So `z turn` errs
        by `(d + 3) eps |z| |turn|_F` at most, and `|z|` is at most `condition |z turn|`. What overflows is not finite,
        and not certain. What underflows is a share of at most 1e-20 of a record that is not inside: `|z turn|` is at
        least `condition^(-1/2)` for it, and `condition` at most `1 / (100 eps)`.
        """
        with np.errstate(all="ignore"):
            # Multiplied in double precision, so that the unit of the data is gone before the range gets narrow.
            z = np.multiply(rows, self.unit, out=np.empty(rows.shape, self.turn.dtype), casting="same_kind")
            bound = _squares(z @ self.turn) * self.stretch**2
            # `<= 1` is false for NaN and for infinity: an overflow in single precision decides nothing.
            return np.asarray((bound if self.power == 1 else bound * _squares(z)) <= 1)


def _squares(rows: NDArray[Any]) -> FloatArray:
    """Return the squared norms of the rows, which are overwritten."""
    np.square(rows, out=rows)
    return np.asarray(rows @ np.ones(rows.shape[1], rows.dtype), dtype=np.float64)
