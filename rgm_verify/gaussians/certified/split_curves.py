"""Discrete Gaussian noise on a vector of integers: curves of all changes of one squared norm, and the largest of them.

A change `v` of whole numbers has a loss that depends on the output `y` by one whole number, `m = v y`: with the square
`D` of its norm the loss is `(D - 2 m)/(2 sigma^2)`, whatever the change. So the losses of all changes lie on one
lattice, and the divergence at a level is `F(c) - e^level F(c - D)`, where `F` is the distribution function of `m` under
the noise and `c` the last `m` with a loss above the level.
Derived in `derivations/beyond/composition/whole_vectors.py`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from flint import arb, arb_poly

from rgm_verify.balls.arithmetic import ball, precision
from rgm_verify.gaussians.certified.noise_cells import Outcome

__all__ = ["SplitCurve", "largest_curve", "split_curve", "squares"]


def squares(total: int, most: int | None = None) -> Iterator[tuple[int, ...]]:
    """Yield all ways to write a number as a sum of squares of positive integers, by these integers, the largest first.

    Examples:
        >>> list(squares(5))
        [(2, 1), (1, 1, 1, 1, 1)]
    """
    if total == 0:
        yield ()
        return
    for one in range(min(most or total, math.isqrt(total)), 0, -1):
        for rest in squares(total - one * one, one):
            yield (one, *rest)


@dataclass(frozen=True, eq=False)
class SplitCurve:
    """The law of `m` for one change: masses from `-reach` to `reach`, and what is missing. Balls do not pickle.

    Attributes:
        sigma: of the noise, exact.
        square: the squared norm of the change.
        reach: of the masses that are known.
        masses: from `-reach` on, each at most the true one; what they leave out is `missing`.
        sums: `sums[k]` is the sum of the first `k` masses.
        missing: the rest of the probability.
    """

    sigma: Fraction
    square: int
    reach: int
    masses: Sequence[arb]
    sums: Sequence[arb]
    missing: arb

    def above(self, level: Fraction) -> arb:
        """Return an upper bound of the divergence at a level, as the upper end of a ball, at the precision in force."""
        # The last m with D - 2 m > 2 sigma^2 level.
        last = math.ceil((self.square - 2 * self.sigma**2 * level) / 2) - 1
        return self._up_to(last) + self.missing - ball(level).exp() * self._up_to(last - self.square)

    def _up_to(self, m: int) -> arb:
        return self.sums[min(max(m + self.reach + 1, 0), len(self.masses))]

    def outcomes(self) -> list[Outcome]:
        """Return the outcomes by their losses, which grow, with masses that are at most the true ones."""
        found = []
        for m in range(self.reach, -self.reach - 1, -1):
            loss, mass = Fraction(self.square - 2 * m) / (2 * self.sigma**2), self.masses[m + self.reach]
            found.append(Outcome(loss, loss, mass, mass * (-ball(loss)).exp()))
        return found


@lru_cache(maxsize=64)
def split_curve(sigma: Fraction, change: tuple[int, ...], reach: int, bits: int) -> SplitCurve:
    """Return the law of one change from noise up to `reach` in each coordinate, and up to `reach` norms in `m`."""
    square = sum(one * one for one in change)
    with precision(bits):
        decay = 1 / (2 * ball(sigma) ** 2)
        weights = [(-decay * y * y).exp() for y in range(reach + 1)]
        beyond = (-decay * (reach + 1) ** 2).exp() / (1 - (-decay * (2 * reach + 3)).exp())
        # With the whole of what may be beyond, so that every mass is at most the true one.
        total = 2 * sum(weights[1:], arb(0)) + weights[0] + 2 * (beyond / 2).union(arb(0)).union(beyond)
        one = [weight / total for weight in weights]
        half = math.isqrt(square * reach * reach) + 1
        found = arb_poly([1]), 0
        for step in sorted(set(change)):
            factor = [arb(0)] * (2 * reach * step + 1)
            for y in range(-reach, reach + 1):
                factor[(y + reach) * step] = one[abs(y)]
            found = _times(found, _power((arb_poly(factor), -reach * step), change.count(step), half), half)
        masses = [arb(0)] * (2 * half + 1)
        for place, mass in enumerate(found[0].coeffs()):
            masses[place + found[1] + half] = mass
        sums = [arb(0)]
        for mass in masses:
            sums.append(sums[-1] + mass)
        return SplitCurve(sigma, square, half, masses, sums, 1 - sums[-1])


_Masses: TypeAlias = tuple[arb_poly, int]
"""Masses as the coefficients of a polynomial, and the number that the first of them is of."""


def _times(a: _Masses, b: _Masses, half: int) -> _Masses:
    """Return the masses of a sum, those from `-half` to `half`."""
    found, low = a[0] * b[0], a[1] + b[1]
    if low < -half or low + found.degree() > half:
        found, low = arb_poly(found.coeffs()[max(0, -half - low) : half - low + 1]), max(low, -half)
    return found, low


def _power(one: _Masses, times: int, half: int) -> _Masses:
    """Return the masses of a sum of so many, by squaring."""
    if times == 1:
        return one
    root = _power(one, times // 2, half)
    found = _times(root, root, half)
    return _times(found, one, half) if times % 2 else found


def largest_curve(sigma: Fraction, square: int, levels: Sequence[Fraction], reach: int, bits: int) -> list[arb]:
    """Return for each level an upper bound of the divergence of every change of this squared norm, as a ball."""
    curves = [split_curve(sigma, change, reach, bits) for change in squares(square)]
    with precision(bits):
        found = []
        for level in levels:
            values = [curve.above(level) for curve in curves]
            most = values[0]
            for value in values[1:]:
                most = most.max(value)
            found.append(most)
        return found
