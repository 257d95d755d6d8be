"""The curve of mechanisms that are zero-concentrated, over integers: at each level by one order; any bounds it.

`rho`-zCDP bounds the Renyi divergence of the order `a > 1` by `a rho`, in both orders of the laws. So the divergence at
a level `l` of any sign is at most `exp((a - 1)(a rho - l)) (1 - 1/a)^a / (a - 1)` (`beyond:improved-conversion`).
"""

from __future__ import annotations

import math
from fractions import Fraction

from rgm_verify.recheck.fixed import Fixed, Span, minus, plus

_BISECTIONS = 60
_ORDER_BITS = 60


def concentrated(rho: Fraction, level: Fraction, bits: int) -> Span:
    """Return a bound from above of the divergence at a level of any sign, in units of `2^-bits`; the lower end is 0.

    Examples:
        >>> concentrated(Fraction(1, 2), Fraction(4), 40)[1] / 2**40
        0.000195795...
    """
    excess = _order(float(rho), float(level))
    return _converted(1 + excess, (1 + excess) * rho, level, bits)


def divergent(curve: tuple[tuple[Fraction, Fraction], ...], level: Fraction, bits: int) -> Span:
    """Return the same bound by the best of some orders with the bounds of their divergences.

    Examples:
        >>> divergent(((Fraction(2), Fraction(1)), (Fraction(4), Fraction(2))), Fraction(4), 40)[1] / 2**40
        0.000261...
    """
    return min((_converted(order, value, level, bits) for order, value in curve), key=lambda span: span[1])


def _converted(order: Fraction, divergence: Fraction, level: Fraction, bits: int) -> Span:
    """Return the bound by one order."""
    excess = order - 1
    # Products with the order lose its bits.
    fine = Fixed(bits + order.numerator.bit_length() - order.denominator.bit_length() + 8)
    part = fine.log(fine.of(excess / order))
    exponent = plus(fine.of(excess * (divergence - level)), fine.times(fine.of(order), part))
    value = fine.exp(minus(exponent, fine.log(fine.of(excess))))
    return 0, min(1 << bits, -(-value[1] >> (fine.bits - bits)))


def _order(rho: float, level: float) -> Fraction:
    """Return about the best order, less 1: a guide in floats."""
    low, high = -30.0, 30.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        x = math.exp(middle)
        low, high = (low, middle) if (1 + 2 * x) * rho - level - math.log1p(1 / x) > 0 else (middle, high)
    return Fraction(round(math.exp((low + high) / 2) * 2**_ORDER_BITS), 2**_ORDER_BITS)
