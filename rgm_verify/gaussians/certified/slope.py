r"""The sign of the slope of a hockey-stick divergence along a curve of pairs of isotropic Gaussians.

Let P = N(D e_1, (1 + w) I) and Q = N(0, I) in d dimensions, S = D^2, v = 1 + w > 1. The best test rejects outside a
ball centred at -D/w e_1. At the best test the divergence is stationary in the test, so its derivative along a curve
(S(z), w(z)) is that of the probability under P of a fixed set: a noncentral chi-square tail, whose derivatives are
densities. Both densities are Bessel functions. With

    E = 2 epsilon + d log v,   X^2 = v (1 + w E / S),   x = S X / w^2,   r = I_{d/2}(x) / I_{d/2-1}(x)

what is left has the sign of

    G = w' [ (E/S - 1) / (X + v) + (1 - r) / w ] + (S'/S) r,

in which nothing cancels for w -> 0. For X^2 <= 0 the test always rejects and the divergence is constant. For the other
order of the pair the divergence is 1 - e^epsilon + e^epsilon times that of (P, Q) at -epsilon.

Source: derived in `derivations/beyond/pairs/slope_along_pairs.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, ctx

from rgm_verify.balls.arithmetic import ball, precision

__all__ = ["PairCurve", "slope_sign"]

Polynomial = tuple[Fraction, ...]
Jet = tuple[arb, arb, arb]
_MOST_STEPS = 400


@dataclass(frozen=True)
class PairCurve:
    """A curve of pairs: S = numerator / spread and w = surplus / spread >= 0, polynomials in z, the constant first.

    All coefficients are exact. The curve does not check where it is defined: `spread` must be > 0 on the cells asked
    for.
    """

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
        square, slope, second, other = _slope(curve, epsilon, cell)
        if not (slope > 0 or slope < 0) and (other > 0 or other < 0):
            # Two forms of one sign: either that is decided is right.
            slope = other
        # The best test always rejects: a larger place on the curve does not raise the divergence.
        if square <= 0:
            return -1
        if not (slope > 0 or slope < 0) and second.is_finite():
            middle = ball((low + high) / 2)
            # The mean value form: over a narrow cell the slope changes little, and the value at its middle decides.
            slope = _slope(curve, epsilon, middle)[1] + second * (cell - middle)
        # Where X^2 may be negative the divergence may be constant, and G says nothing.
        if not square > 0:
            return 0
        return 1 if slope > 0 else -1 if slope < 0 else 0


def _slope(curve: PairCurve, epsilon: Fraction, z: arb) -> tuple[arb, arb, arb, arb]:
    """Return (X^2, G, dG/dz, w' + v (S/w)' r / x) over the ball z; NaN where X^2 or w is not certainly positive.

    The last has the sign of G, and less cancellation where w is not small: many dimensions, for example.
    """
    d, spread = curve.dimension, _jet(curve.spread, z)
    s, s1, s2 = _quotient(_jet(curve.numerator, z), spread)
    w, w1, w2 = _quotient(_jet(curve.surplus, z), spread)
    v, level = 1 + w, 2 * ball(epsilon) + d * (1 + w).log()
    square = v * (1 + w * level / s)
    if not (square > 0 and w > 0):
        return square, arb.nan(), arb.nan(), arb.nan()
    root = square.sqrt()
    x = s * root / (w * w)
    r = _ratio(d, x)
    level1 = d * w1 / v
    root1 = (w1 * (1 + w * level / s) + v * ((w1 * level + w * level1) / s - w * level * s1 / (s * s))) / (2 * root)
    r1 = (1 - (d - 1) * r / x - r * r) * x * (s1 / s + root1 / root - 2 * w1 / w)
    bracket = (level / s - 1) / (root + v) + (1 - r) / w
    bracket1 = (level1 / s - level * s1 / (s * s) - (level / s - 1) * (root1 + w1) / (root + v)) / (root + v)
    bracket1 -= r1 / w + (1 - r) * w1 / (w * w)
    slope1 = w2 * bracket + w1 * bracket1 + (s2 / s - (s1 / s) ** 2) * r + s1 / s * r1
    other = w1 + v * (s1 - s * w1 / w) / w * r / x
    return square, w1 * bracket + s1 / s * r, slope1, other


def _ratio(dimension: int, x: arb) -> arb:
    """Return I_{d/2}(x) / I_{d/2-1}(x) over a ball of x > 0: it increases from 0 to 1."""
    if x.is_exact():
        return _ratio_at(dimension, x)
    # Monotone, so that the two ends bound it, and the dependency of the continued fraction on its argument does not
    # count.
    return _ratio_at(dimension, x.lower()).union(_ratio_at(dimension, x.upper()))


def _ratio_at(dimension: int, x: arb) -> arb:
    """Return the ratio at a point: by its continued fraction where that is short, else by the Bessel functions."""
    if not (x > 0 and x.is_finite()):
        return arb(0).union(arb(1))
    order = ball(Fraction(dimension, 2))
    steps = _steps(order, x)
    if steps <= _MOST_STEPS:
        # I_{k-1} - I_{k+1} = (2 k / x) I_k, and every ratio lies in (0, 1).
        # Whatever the tail of the fraction is, it lies here, so that cutting it off is certain and not approximate.
        found = arb(0).union(arb(1))
        for k in range(steps, -1, -1):
            found = 1 / (2 * (order + k) / x + found)
        return found
    found = x.bessel_i(order, scaled=True) / x.bessel_i(order - 1, scaled=True)
    return found if found.is_finite() else arb(0).union(arb(1))


def _steps(order: arb, x: arb) -> int:
    """Return how many steps of the continued fraction give all bits; each gains about 2 asinh(order / x) nats."""
    gain = 2 * float((order / x).asinh())
    return _MOST_STEPS + 1 if not gain * _MOST_STEPS >= ctx.prec else int(ctx.prec / gain) + 10


def _jet(polynomial: Sequence[Fraction], z: arb) -> Jet:
    """Return value, first and second derivative over the ball z, by Horner's scheme for all three at once."""
    value, first, half = arb(0), arb(0), arb(0)
    for coefficient in reversed(polynomial):
        half = half * z + first
        first = first * z + value
        value = value * z + ball(coefficient)
    return value, first, 2 * half


def _quotient(top: Jet, bottom: Jet) -> Jet:
    """Return the jet of a quotient from those of its parts."""
    value = top[0] / bottom[0]
    first = (top[1] - value * bottom[1]) / bottom[0]
    return value, first, (top[2] - 2 * first * bottom[1] - value * bottom[2]) / bottom[0]
