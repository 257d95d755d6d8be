r"""The public numbers of a private logistic regression, and how far one record moves what is computed from them.

The loss of a record with `|x| <= B` and the label `y` of +1 or -1 is `log(1 + exp(-v.theta))` with `v = y x`. Its
gradient is `-s v` with `0 < s < 1`, `s = 1 / (1 + exp(v.theta))`: at `theta` no longer than `B s(B |theta|)` where
`s(t) = 1 / (1 + exp(-t))`. Its second derivative is at most `|x|^2 / 4 <= B^2 / 4`, in the direction of x alone.

Exponentials are taken to err by at most 16 units in the last place, four times what NumPy tests for. All else is
bounded as in `learning.sums`.

Source: claims `beyond:logistic-gradient-at-the-iterate`, `beyond:logistic-curvature`, `beyond:gram-sensitivity`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from rgm_verify.learning.data import FloatArray, row_norms_above
from rgm_verify.learning.sums import UNIT, relative_error, roundings
from rgm_verify.mechanisms.sensitivity import Adjacency
from rgm_verify.numbers.bounds import round_up
from rgm_verify.numbers.roots import root_above

LOG_2 = Fraction("0.6931472")
"""Above the logarithm of 2: the loss of a record at 0."""

_EXPONENTIAL = 32  # roundings of a probability from its score: the exponential, a sum and a quotient, with room
_TERMS = 40


@dataclass(frozen=True)
class PublicLogistic:
    """The public parameters of a private logistic regression; exact, and none comes from the data.

    `feature_bound` (B) > 0 bounds the norm of every record. `divisor` (N) is the number of records where one is
    replaced, or a public stand-in for it: at most 2 N records are taken then.
    """

    feature_bound: Fraction
    divisor: int
    dimension: int
    adjacency: Adjacency

    @property
    def most_records(self) -> int:
        """The largest number of records."""
        return self.divisor if self._replaces else 2 * self.divisor

    @property
    def _replaces(self) -> bool:
        return self.adjacency is Adjacency.REPLACE_ONE

    @property
    def curvature(self) -> Fraction:
        """A bound on the second derivative of a record's loss in every direction: `B^2 / 4`."""
        return self.feature_bound**2 / 4

    def gradient_rounding(self, norm: Fraction) -> Fraction:
        """Return a bound on the error of the computed sum of gradients at a point of that norm, for all data in bounds.

        A score `v.theta` errs by `d` roundings of `B |theta|`, and a probability by at most a quarter of that and by
        its own roundings; the sums over the records err by `roundings` of all their sizes, each at most B.
        """
        score = relative_error(self.dimension + 2) * self.feature_bound * norm
        each = score / 4 + _EXPONENTIAL * UNIT
        return self.most_records * self.feature_bound * (each + relative_error(roundings(self.most_records) + 4) * 2)

    def gradient_sensitivity(self, theta: FloatArray) -> Fraction:
        """Return how far the computed sum of gradients moves between neighbours at a point (d,): an upper bound.

        `B s(B |theta|)` where a record comes or goes and twice that where one is replaced, and twice the rounding.
        """
        norm = Fraction(float(row_norms_above(theta[np.newaxis])[0]))
        factor = 2 if self._replaces else 1
        move = factor * self.feature_bound * sigmoid_above(self.feature_bound * norm)
        return Fraction(round_up(move + 2 * self.gradient_rounding(norm)))

    def gram_sensitivity(self) -> Fraction:
        """Return how far the computed sum of `x x^T / B^2` moves between neighbours: an upper bound, Frobenius norm.

        The square root of 2 where a record is replaced, else 1, and twice the rounding.
        """
        rounding = relative_error(roundings(self.most_records) + 8) * self.most_records
        move = root_above(Fraction(2)) if self._replaces else Fraction(1)
        return Fraction(round_up(move + 2 * rounding))


def sigmoid_above(score: Fraction) -> Fraction:
    """Return an upper bound on `1 / (1 + exp(-score))` for a score >= 0, short and at most 1."""
    # exp(-s) is at least the reciprocal of any upper bound on exp(s); a float with room is one, and 1 covers the rest.
    if score >= 700:
        return Fraction(1)
    above = Fraction(float(np.exp(float(score)))) * (1 + Fraction(1, 2**40))
    return min(Fraction(1), Fraction(round_up(above / (1 + above))))


def expm1_below(value: Fraction) -> Fraction:
    """Return a lower bound on `exp(value) - 1` for a value >= 0: the first 40 terms of its series, exact."""
    term, total = Fraction(1), Fraction(0)
    for k in range(1, _TERMS + 1):
        term = term * value / k
        total += term
    return total
