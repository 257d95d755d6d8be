"""Square roots of rational numbers, rounded up."""

from __future__ import annotations

import math
from fractions import Fraction


def root_above(square: Fraction) -> Fraction:
    """Return a rational number >= the square root of `square >= 0`, larger by less than 2^-62 of it.

    The root itself where it is rational. By the integer square root of Python, which is exact.
    """
    top, bottom = math.isqrt(square.numerator), math.isqrt(square.denominator)
    if top**2 == square.numerator and bottom**2 == square.denominator:
        return Fraction(top, bottom)
    shift = max(0, 64 - (square.numerator.bit_length() - square.denominator.bit_length()) // 2)
    return Fraction(math.isqrt((square.numerator << 2 * shift) // square.denominator) + 1, 1 << shift)
