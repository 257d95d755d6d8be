"""Numbers as decimals for reading, rounded to the safe side and never to nearest."""

from __future__ import annotations

import math
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction


def decimal(value: Fraction | float, *, up: bool, digits: int = 6) -> str:
    """Return a decimal of at most `digits` significant digits that is >= `value`, or <= `value` unless `up`.

    A number that has so few digits is given exactly. `infinity` and `-infinity` are words; NaN is refused by
    `ValueError`.
    """
    if isinstance(value, float) and math.isinf(value):
        return "infinity" if value > 0 else "-infinity"
    exact = Fraction(value)
    context = Context(prec=digits, rounding=ROUND_CEILING if up else ROUND_FLOOR, Emax=MAX_EMAX, Emin=MIN_EMIN)
    shown = context.divide(Decimal(exact.numerator), Decimal(exact.denominator)).normalize(context)
    return f"{shown:f}" if -5 < shown.adjusted() < 7 else f"{shown:e}".replace("e+", "e")


def recorded_decimal(value: float, *, up: bool, digits: int) -> str:
    """Return the decimal that a float is recorded by (the shortest that gives it back), rounded as `decimal`."""
    return decimal(Fraction(repr(float(value))), up=up, digits=digits)


def exact_text(value: Fraction, *, digits: int = 30) -> str:
    """Return a decimal that is exactly `value` if at most `digits` digits do it, otherwise `a/b`."""
    shown = decimal(value, up=True, digits=digits)
    return shown if Fraction(shown) == value else str(value)


def interval(lower: Fraction | float, upper: Fraction | float, *, digits: int = 6) -> str:
    """Return `[lower, upper]` rounded outward; one number where both are the same decimal."""
    ends = decimal(lower, up=False, digits=digits), decimal(upper, up=True, digits=digits)
    return ends[0] if ends[0] == ends[1] else f"[{ends[0]}, {ends[1]}]"
