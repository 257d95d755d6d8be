"""Unevaluated sums of two floats, vectorised: about 30 digits where a difference of large numbers is wanted.

A pair `(high, low)` stands for `high + low` with `|low|` at most one rounding of `high`. The algorithms are Dekker's
and Knuth's; they hold for round to nearest and without overflow. What is stated as an error is relative to the named
quantity, and the result is no bound to either side.

Arrays broadcast as numpy's do, and nothing is changed in place.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Context, Decimal
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Twofold = tuple[FloatArray, FloatArray]

_SPLITTER = 134217729.0  # 2^27 + 1
_PARTS = 32  # mantissas are compared with the next multiple of 1/32
_TINY = 2.0**-500
_SERIES = (1 / 7, 1 / 9, 1 / 11, 1 / 13, 1 / 15)
LOG1P_ERROR = 2.0**-94
"""Relative error of `log1p`, a bound that the tests measure against 60 digits."""


def two_sum(x: FloatArray, y: FloatArray) -> Twofold:
    """Return `x + y` exactly, as the rounded sum and its rounding error (Knuth); no order of the sizes is assumed."""
    total = x + y
    part = total - x
    # Each bracket recovers exactly the part of one term that the sum has lost.
    return total, (x - (total - part)) + (y - part)


def two_product(x: FloatArray, y: FloatArray) -> Twofold:
    """Return `x y` exactly, unless it overflows or its last bits underflow (Dekker).

    Each factor is split into halves of 26 bits, whose products are floats without rounding. Factors above about 2^996
    overflow in the split.
    """
    product = x * y
    x1, y1 = _upper_half(x), _upper_half(y)
    x2, y2 = x - x1, y - y1
    return product, ((x1 * y1 - product) + x1 * y2 + x2 * y1) + x2 * y2


def _upper_half(x: FloatArray) -> FloatArray:
    # Not `x - (x - shifted)` simplified: each rounding is what cuts the lower bits off.
    """Return the upper 26 bits of floats, so that `x` less them is exact and has 26 bits as well."""
    shifted = _SPLITTER * x
    return shifted - (shifted - x)


def add(x: Twofold, y: Twofold) -> Twofold:
    """Return `x + y`, within 2^-100 of `|x| + |y|`.

    Relative to the terms, not to the sum: where they cancel, the digits of the low parts are what is left.
    """
    high, low = two_sum(x[0], y[0])
    tail_high, tail_low = two_sum(x[1], y[1])
    high, low = two_sum(high, low + tail_high)
    return two_sum(high, low + tail_low)


def total(terms: Iterable[Twofold]) -> Twofold:
    """Return the sum of the terms, within 2^-98 of the sum of their absolute values for up to four of them."""
    first, *others = terms
    for term in others:
        first = add(first, term)
    return first


def negative(x: Twofold) -> Twofold:
    """Return `-x`."""
    return -x[0], -x[1]


def times(x: Twofold, y: FloatArray) -> Twofold:
    """Return `x y` for a float `y`, within 2^-100 relatively."""
    high, low = two_product(x[0], y)
    return two_sum(high, low + x[1] * y)


def product(x: Twofold, y: Twofold) -> Twofold:
    """Return `x y`, within 2^-100 relatively."""
    high, low = two_product(x[0], y[0])
    return two_sum(high, low + (x[0] * y[1] + x[1] * y[0]))


def quotient(x: Twofold, y: Twofold) -> Twofold:
    """Return `x / y`, within 2^-99 relatively; where the first float overflows, that float alone."""
    # One step of Newton's method: the rest after the first quotient is exact enough for the second.
    first = x[0] / y[0]
    rest = add(x, negative(times(y, first)))
    second = rest[0] / y[0]
    # An infinite first quotient leaves NaN as the rest; the pair then stands for the first float alone.
    return two_sum(first, np.where(np.isfinite(second), second, 0.0))


def exactly(x: FloatArray) -> Twofold:
    """Return a float as a pair."""
    return x, np.zeros_like(x)


def log1p(x: FloatArray) -> Twofold:
    """Return `log(1 + x)` for `x > -1`, within `LOG1P_ERROR` relatively, also for the smallest `x`.

    The mantissa of `1 + x` is divided by a multiple `m` of 1/32, and the logarithm of the ratio is `2 atanh(t)` with
    `|t| <= 1/96`. Where `1 + x` lies next to 1, `m = 1` and the numerator is `x` itself.
    """
    high, low = two_sum(np.ones_like(x), x)
    # The mantissa lies in [3/4, 3/2) and not in [1/2, 1): then next to 1 on either side no power of 2 is taken out, and
    # no multiple of log 2 has to cancel.
    exponent = np.where(np.abs(x) < 1 / 4, 0, np.floor(np.log2(high / 0.75))).astype(np.int64)
    # `ldexp` in one step would overflow for the exponents of the largest floats.
    mantissa = np.ldexp(high, -exponent), np.ldexp(low, -exponent)
    part = np.rint(mantissa[0] * _PARTS)
    grid = exactly(-part / _PARTS)
    numerator = add(mantissa, grid)
    close = (part == _PARTS) & (exponent == 0)
    numerator = np.where(close, x, numerator[0]), np.where(close, 0.0, numerator[1])
    ratio = quotient(numerator, add(mantissa, negative(grid)))
    logs, lower, log2 = _table()
    # The large terms first, then the small one: the sum of pairs loses nothing but relative to the largest.
    index = part.astype(np.int64)
    scale = exponent.astype(np.float64)
    shift = add(
        (logs[index], lower[index]), add(two_product(scale, np.full_like(x, log2[0])), exactly(scale * log2[1]))
    )
    found = add(shift, _twice_atanh(ratio))
    tiny = np.abs(x) < _TINY  # the quotient of so small a number loses digits, and x is the logarithm
    return np.where(tiny, x, found[0]), np.where(tiny, 0.0, found[1])


def _twice_atanh(t: Twofold) -> Twofold:
    """Return `2 atanh(t)` for `|t| <= 1/90`: the first three terms of the series in pairs, the others in floats."""
    square = product(t, t)
    # These terms are below 2^-50 of the result, so that floats have digits enough for them.
    tail = np.zeros_like(t[0])
    for coefficient in reversed(_SERIES):
        tail = tail * square[0] + coefficient
    series = exactly(tail)
    for divisor in (5.0, 3.0, 1.0):
        series = add(
            product(series, square), quotient(exactly(np.ones_like(tail)), exactly(np.full_like(tail, divisor)))
        )
    doubled = product(series, t)
    return 2 * doubled[0], 2 * doubled[1]


@lru_cache(maxsize=1)
def _table() -> tuple[FloatArray, FloatArray, tuple[float, float]]:
    """Return the logarithms of `0/32 .. 64/32` in two floats each (the first is not used), and that of 2.

    From Python's decimals with 60 digits, which are the same on every machine; the second float is what the first one
    lacks.
    """
    context = Context(prec=60)
    logs = [Decimal(0), *(context.ln(context.divide(Decimal(j), Decimal(_PARTS))) for j in range(1, 2 * _PARTS + 1))]
    highs = [float(value) for value in logs]
    lows = [float(context.subtract(value, Decimal(high))) for value, high in zip(logs, highs, strict=True)]
    return np.array(highs), np.array(lows), (highs[-1], lows[-1])
