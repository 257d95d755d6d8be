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
    order = 1 + excess
    # Products with the order lose its bits.
    fine = Fixed(bits + order.numerator.bit_length() - order.denominator.bit_length() + 8)
    part = fine.log(fine.of(excess / order))
    exponent = plus(fine.of(excess * (order * rho - level)), fine.times(fine.of(order), part))
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
