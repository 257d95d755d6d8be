r"""The sign of the slope of a hockey-stick divergence along a curve of pairs of isotropic Gaussians.

Let P = N(D e_1, (1 + w) I) and Q = N(0, I) in d dimensions, S = D^2, v = 1 + w > 1. The best test rejects outside a
ball centred at -D/w e_1. At the best test the divergence is stationary in the test, so its derivative along a curve
(S(z), w(z)) is that of the probability under P of a fixed set: a noncentral chi-square tail, whose derivatives are
densities. Both densities are Bessel functions, and what is left has the sign of

    G = w' + v (S/w)' B(x),   B(x) = I_{d/2}(x) / (x I_{d/2-1}(x)),   x^2 = (S v / w^2) (2 epsilon + d log v + S/w) / w.

For the other order of the pair the divergence is 1 - e^epsilon + e^epsilon times that of (P, Q) at -epsilon.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from rgm_verify.balls.arithmetic import ball, precision

__all__ = ["PairCurve", "slope_sign"]

Polynomial = tuple[Fraction, ...]
Jet = tuple[arb, arb, arb]


@dataclass(frozen=True)
class PairCurve:
    """A curve of pairs: w = surplus / spread and S / w = numerator / surplus, polynomials in z, constant first."""

    spread: Polynomial
    surplus: Polynomial
    numerator: Polynomial
    dimension: int


def slope_sign(curve: PairCurve, epsilon: Fraction, low: Fraction, high: Fraction, *, bits: int = 128) -> int:
    """Return 1 or -1 where the divergence of wide against narrow at `epsilon` certainly rises or falls on [low, high].

    Otherwise 0. Where the divergence is constant, because the best test always rejects, the answer is -1. For narrow
    against wide at `epsilon` pass `-epsilon`. Certified: G in ball arithmetic, over the cell and by its mean value.
    """
    with precision(bits):
        cell = ball(low) if low == high else ball(low).union(ball(high))
        level, slope, second = _slope(curve, epsilon, cell)
        if level <= 0:
            return -1
        if not (slope > 0 or slope < 0) and second.is_finite():
            middle = ball((low + high) / 2)
            slope = _slope(curve, epsilon, middle)[1] + second * (cell - middle)
        if slope > 0:
            # Where the level may be negative the divergence may be constant, which is no rise.
            return 1 if level > 0 else 0
        return -1 if slope < 0 else 0


def _slope(curve: PairCurve, epsilon: Fraction, z: arb) -> tuple[arb, arb, arb]:
    """Return (2 epsilon + d log v + S/w, G, dG/dz) over the ball z."""
    surplus = _jet(curve.surplus, z)
    (w, w1, w2), (ratio, ratio1, ratio2) = (
        _quotient(surplus, _jet(curve.spread, z)),
        _quotient(_jet(curve.numerator, z), surplus),
    )
    v = 1 + w
    level = 2 * ball(epsilon) + curve.dimension * v.log() + ratio
    if not level > 0:
        weight = arb(0).union(1 / arb(curve.dimension))
        return level, w1 + v * ratio1 * weight, arb.nan()
    square = ratio * v * level / (w * w)
    weight = _weight(curve.dimension, square)
    growth = ratio1 / ratio + w1 / v + (curve.dimension * w1 / v + ratio1) / level - 2 * w1 / w
    weight1 = (1 - curve.dimension * weight - square * weight * weight) * growth / 2
    return level, w1 + v * ratio1 * weight, w2 + (w1 * ratio1 + v * ratio2) * weight + v * ratio1 * weight1


def _weight(dimension: int, square: arb) -> arb:
    """Return B(x) over a ball of x^2 > 0; it decreases in x, from 1/d at 0, and dB/dx = (1 - d B - x^2 B^2) / x."""
    if square.is_exact():
        return _weight_at(dimension, square)
    return _weight_at(dimension, square.lower()).union(_weight_at(dimension, square.upper()))


def _weight_at(dimension: int, square: arb) -> arb:
    x, order = square.sqrt(), ball(Fraction(dimension, 2))
    found = x.bessel_i(order, scaled=True) / (x * x.bessel_i(order - 1, scaled=True))
    return found if found.is_finite() else arb(0).union(1 / arb(dimension))


def _jet(polynomial: Sequence[Fraction], z: arb) -> Jet:
    """Return value, first and second derivative over the ball z."""
    value, first, half = arb(0), arb(0), arb(0)
    for coefficient in reversed(polynomial):
        half = half * z + first
        first = first * z + value
        value = value * z + ball(coefficient)
    return value, first, 2 * half


def _quotient(top: Jet, bottom: Jet) -> Jet:
    value = top[0] / bottom[0]
    first = (top[1] - value * bottom[1]) / bottom[0]
    return value, first, (top[2] - 2 * first * bottom[1] - value * bottom[2]) / bottom[0]
