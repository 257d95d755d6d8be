"""Numbers as decimals for reading, rounded to the safe side and never to nearest.

A table that shows 0.33 for an upper bound of 1/3 is wrong. So every text states a side: up for what bounds from above,
down for what bounds from below.
"""

from __future__ import annotations

import math
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction


def decimal(value: Fraction | float, *, up: bool, digits: int = 6) -> str:
    """Return a decimal of at most `digits` significant digits that is >= `value`, or <= `value` unless `up`.

    Args:
        value: a rational or a float, which stands for its exact binary value; infinities become words.
        up: the side to which the decimal is rounded: up for an upper bound, down for a lower one.
        digits: the number of significant digits, >= 1.

    Returns:
        A text that `Fraction` reads back (`infinity` and `-infinity` apart), in plain notation between 1e-4 and 1e7. A
        number that has so few digits is given exactly.

    Raises:
        ValueError: for NaN.

    Examples:
        >>> decimal(Fraction(1, 3), up=True, digits=3), decimal(Fraction(1, 3), up=False, digits=3)
        ('0.334', '0.333')
        >>> decimal(0.1, up=True, digits=3)
        '0.101'
    """
    if isinstance(value, float) and math.isinf(value):
        return "infinity" if value > 0 else "-infinity"
    exact = Fraction(value)
    # The widest exponents that Python allows: the default ones would turn a tiny probability into 0.
    context = Context(prec=digits, rounding=ROUND_CEILING if up else ROUND_FLOOR, Emax=MAX_EMAX, Emin=MIN_EMIN)
    shown = context.divide(Decimal(exact.numerator), Decimal(exact.denominator)).normalize(context)
    # Plain notation where a reader counts zeros easily; beyond that an exponent.
    return f"{shown:f}" if -5 < shown.adjusted() < 7 else f"{shown:e}".replace("e+", "e")


def recorded_decimal(value: float, *, up: bool, digits: int) -> str:
    """Return the decimal that a float is recorded by (the shortest that gives it back), rounded as `decimal`.

    For floats that were typed or read as decimals: 0.1 stays 0.1, and is not rounded up for the last bit of its binary
    value. Not for bounds, whose binary value is the number that is certain.
    """
    return decimal(Fraction(repr(float(value))), up=up, digits=digits)


def exact_text(value: Fraction, *, digits: int = 30) -> str:
    """Return a decimal that is exactly `value` if at most `digits` digits do it, otherwise `a/b`.

    Either text gives the number back exactly by `Fraction`.
    """
    shown = decimal(value, up=True, digits=digits)
    # Rounding up gives the value itself only where no digit was lost: reading it back tells.
    return shown if Fraction(shown) == value else str(value)


def interval(lower: Fraction | float, upper: Fraction | float, *, digits: int = 6) -> str:
    """Return `[lower, upper]` rounded outward; one number where both are the same decimal.

    One number appears only where rounding down and rounding up agree, so that it is exact then.

    Examples:
        >>> interval(Fraction(1, 3), Fraction(2, 3), digits=2), interval(0.5, 0.5)
        ('[0.33, 0.67]', '0.5')
    """
    ends = decimal(lower, up=False, digits=digits), decimal(upper, up=True, digits=digits)
    return ends[0] if ends[0] == ends[1] else f"[{ends[0]}, {ends[1]}]"
