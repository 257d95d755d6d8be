"""Numbers as chapters show them: the same texts on every processor and with every version of a numerical library.

A number by floating point differs in its last digits from one processor to another, and with the libraries. It is shown
with the digits that its stated error leaves alone, and one whose error reaches over a rounding boundary is refused, so
that no digit changes unseen.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Literal

from rgm_verify.errors import InputError, reject
from rgm_verify.numbers.decimals import decimal

_DIGITS = 9


class Unsettled(InputError):
    """A number that cannot be shown with the digits asked for: its error might change the last of them."""


def settled(
    value: float, *, error: Fraction, digits: int = 6, rounded: Literal["nearest", "up", "down"] = "nearest"
) -> str:
    """Return `value`, known up to `error` times itself, as a decimal of at most `digits` significant digits.

    Every number within the error has that decimal, since rounding is monotone and both ends have it.

    Args:
        value: a finite float.
        error: a bound of its relative error, in [0, 1). Its author has to know it; nothing here measures it.
        digits: the number of significant digits to show.
        rounded: the side of the decimal: nearest, or up or down for what is shown as a bound.

    Raises:
        Unsettled: where two numbers within the error have different decimals.
        InputError: for NaN, infinities, and an `error` outside [0, 1).

    Examples:
        >>> settled(0.123456789, error=Fraction(1, 10**12), digits=4)
        '0.1235'
        >>> settled(0.12345, error=Fraction(1, 100), digits=4)
        Traceback (most recent call last):
            ...
        rgm_verify.numbers.settled.Unsettled: value=0.12345: 4 digits are not settled by a relative error of 0.01
        (0.1222 or 0.1247); show another number of digits, or compute it more closely
    """
    if not math.isfinite(value):
        raise reject("value", value, "must be a finite number")
    if not 0 <= error < 1:
        raise reject("error", error, "must be a relative error: at least 0 and below 1")
    # In rationals: floats would round the ends of the very interval that decides.
    middle = Fraction(value)
    texts = {_rounded(middle * (1 + sign * error), digits, rounded) for sign in (-1, 1)}
    if len(texts) > 1:
        raise Unsettled(
            f"value={value!r}: {digits} digits are not settled by a relative error of {float(error):.1g} "
            f"({' or '.join(sorted(texts))}); show another number of digits, or compute it more closely"
        )
    return texts.pop()


def _rounded(value: Fraction, digits: int, rounded: str) -> str:
    """Return the decimal on the side asked for; the nearest one is chosen between both sides by exact comparison, ties
    up.
    """
    if rounded != "nearest":
        return decimal(value, up=rounded == "up", digits=digits)
    below, above = (decimal(value, up=up, digits=digits) for up in (False, True))
    return below if 2 * value < Fraction(below) + Fraction(above) else above


def enclosed(lower: Fraction | float, upper: Fraction | float, *, digits: int = _DIGITS) -> list[str]:
    """Return an enclosure as two decimals of at most `digits` significant digits, rounded outward.

    So few that ends which differ in their last bits, as those of another version of Arb may, give the same texts. That
    is likely, not certain: two versions may still fall on two sides of a decimal, which `nox -s same_bytes` would show.
    """
    return [decimal(lower, up=False, digits=digits), decimal(upper, up=True, digits=digits)]


def geometric(first: int, last: int, count: int) -> list[int]:
    """Return the integer parts of `count` numbers from `first` to `last` in geometric progression, exactly.

    By integer roots, as powers in floats differ from one processor to another. With repetitions where the progression
    is slower than the integers.

    Args:
        first: the first number, > 0.
        last: the last one, >= `first`.
        count: how many, >= 2.

    Raises:
        InputError: for arguments outside these ranges.

    Examples:
        >>> geometric(1, 1000, 4), geometric(1, 3, 4)
        ([1, 10, 100, 1000], [1, 1, 2, 3])
    """
    if not 0 < first <= last:
        raise reject("first", first, f"must be > 0 and at most last={last}")
    if count < 2:
        raise reject("count", count, "must be >= 2: both ends belong to the progression")
    parts = count - 1
    return [_root(first ** (parts - k) * last**k, parts) for k in range(count)]


def _root(value: int, degree: int) -> int:
    """Return the integer part of the root of that degree, by bisection in integers: exact at any size."""
    # The root of a number with b bits has at most b / degree + 1 of them.
    low, high = 1, 1 << (value.bit_length() // degree + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**degree <= value else (low, middle)
    return low
