"""Square roots of rational numbers, rounded up."""

from __future__ import annotations

import math
from fractions import Fraction


def root_above(square: Fraction) -> Fraction:
    """Return a rational number >= the square root of `square >= 0`, larger by less than 2^-62 of it.

    The root itself where it is rational. By the integer square root of Python, which is exact.

    Args:
        square: a rational >= 0 of any size.

    Raises:
        ValueError: for a negative number.

    Examples:
        >>> root_above(Fraction(9, 4)), Fraction(2) < root_above(Fraction(2)) ** 2 < Fraction(2) + Fraction(1, 2**60)
        (Fraction(3, 2), True)
    """
    top, bottom = math.isqrt(square.numerator), math.isqrt(square.denominator)
    if top**2 == square.numerator and bottom**2 == square.denominator:
        return Fraction(top, bottom)
    # Scaled by 4^shift the quotient is at least 2^127, so that its integer root has 64 bits and one more is below 2^-62
    # of it. Rounding the quotient down and adding one to its root is above the root of the quotient itself.
    shift = max(0, 64 - (square.numerator.bit_length() - square.denominator.bit_length()) // 2)
    return Fraction(math.isqrt((square.numerator << 2 * shift) // square.denominator) + 1, 1 << shift)
