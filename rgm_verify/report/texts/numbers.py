"""Enclosures as a reader sees them: shortened by rounding outward, so that what is shown is still certified.

Numbers of a ledger are texts: exact decimals, fractions, or `oo`. They are read as decimals and never as floats, since
a float to the nearest could lie on the wrong side of what was proved; `approximate` is for pictures alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal, InvalidOperation
from fractions import Fraction

_INFINITE = {"oo": "Infinity", "+oo": "Infinity", "-oo": "-Infinity", "∞": "Infinity", "-∞": "-Infinity"}
_DIGITS = 5
#: How wide an enclosure around 1 may be so that its middle says more than its ends.
_NEAR = Decimal("0.1")


def parse(text: str, *, rounding: str = ROUND_HALF_EVEN) -> Decimal | None:
    """The number that a ledger text stands for (decimal, a/b, or an infinity); None when it stands for none.

    Args:
        text: A number of the ledger.
        rounding: The side to which a fraction is rounded at its 40th digit; decimals are read exactly.

    Examples:
        >>> parse("1/8"), parse("oo"), parse("none")
        (Decimal('0.125'), Decimal('Infinity'), None)
    """
    cleaned = _INFINITE.get(text.strip(), text.strip())
    try:
        if "/" in cleaned:
            fraction = Fraction(cleaned)
            context = Context(prec=40, rounding=rounding)
            return context.divide(Decimal(fraction.numerator), Decimal(fraction.denominator))
        number = Decimal(cleaned)
    except (InvalidOperation, ValueError, ZeroDivisionError):
        return None
    return None if number.is_nan() else number


def approximate(text: str) -> float:
    """The number as a float for drawing only; NaN when the text is not a number."""
    number = parse(text)
    return math.nan if number is None else float(number)


def rounded(text: str, *, up: bool, digits: int = _DIGITS) -> str:
    """The number with few digits, rounded up or down (never to nearest); a text that is no number stays as it is.

    Args:
        text: A number of the ledger.
        up: Whether it is rounded up.
        digits: The digits that are left, at least 1.

    Examples:
        >>> rounded("1.0000001", up=True), rounded("1.0000001", up=False)
        ('1.0001', '1.0000')
    """
    side = ROUND_CEILING if up else ROUND_FLOOR
    # To its side from the first: a fraction just below 2 must not become 2 and then be rounded down to it.
    number = parse(text, rounding=side)
    if number is None:
        return text
    if number.is_infinite():
        return "∞" if number > 0 else "−∞"
    # A context of its own: the one of the process may round in another way.
    short = Context(prec=digits, rounding=side).create_decimal(number)
    return _spelled(short.normalize() if short == number else short)


def enclosure(ends: Sequence[str]) -> str:
    """`[lower, upper]` rounded outward, as one text; a single number when both ends show the same; `?` when unknown.

    Examples:
        >>> enclosure(["0.12345678", "0.12345679"])
        '[0.12345, 0.12346]'
    """
    if len(ends) != 2:
        return "?"
    low, high = rounded(ends[0], up=False), rounded(ends[1], up=True)
    return low if low == high else f"[{low}, {high}]"


def span(infimum: Sequence[str], supremum: Sequence[str]) -> str:
    """The outer range of a quantity whose infimum and supremum are enclosed, rounded outward.

    Args:
        infimum: The lower and upper end of the infimum, nothing where it is not known.
        supremum: The same of the supremum.

    An end whose narrow enclosure holds 1 is `1 ± e`: 0.9991 alone would look like a bound that is violated.

    Examples:
        >>> span(["1.0", "1.1"], ["oo", "oo"]), span([], [])
        ('1 to ∞', 'not enclosed')
        >>> span(["0.99911", "1.00004"], ["100", "100.01"])
        '1 ± 0.0009 to 100.01'
    """
    if not infimum and not supremum:
        return "not enclosed"
    # The outer ends: the range certainly lies within what is shown.
    low = (_around_one(infimum, outer=0) or rounded(infimum[0], up=False)) if infimum else "?"
    high = (_around_one(supremum, outer=-1) or rounded(supremum[-1], up=True)) if supremum else "?"
    return low if low == high else f"{low} to {high}"


def _around_one(ends: Sequence[str], *, outer: int) -> str | None:
    """Return `1 ± e` for a narrow enclosure of 1 whose `outer` end is another number; None for any other."""
    low, high = parse(ends[0], rounding=ROUND_FLOOR), parse(ends[-1], rounding=ROUND_CEILING)
    if low is None or high is None or not 1 - _NEAR <= low <= 1 <= high <= 1 + _NEAR or (low, high)[outer] == 1:
        return None
    apart = max(1 - Fraction(low), Fraction(high) - 1)
    return f"1 ± {rounded(str(apart), up=True, digits=1)}"


def _spelled(number: Decimal) -> str:
    """Digits as they are: zeros at the end of a rounded number say how far it is known."""
    if number == 0:
        return "0"
    if -5 < number.adjusted() < 7:
        return f"{number:f}".replace("-", "−")
    mantissa, _, exponent = f"{number:E}".partition("E")
    return f"{mantissa}e{int(exponent)}".replace("-", "−")
