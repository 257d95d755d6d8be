"""Enclosures by integers: a number is known to lie between `low / 2^bits` and `high / 2^bits`.

Exponential, logarithm, square root and the upper tail of the normal law, each by a series whose terms are all positive
and whose remainder is bounded, with every rounding to the safe side. Precision is absolute: whoever needs digits of a
small number asks for more bits.

Series of positive terms are the point: rounding every term down gives a lower bound and rounding it up an upper one,
and no error analysis is needed beyond the terms that are left out. It is slower than Arb by far, and short enough to be
read.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]
"""A lower and an upper end, in units of `2^-bits`."""

_HALVINGS = 8
_GUARD = 24
_SLOT = 32


def down(numerator: int, denominator: int) -> int:
    """Return the quotient rounded down, towards minus infinity; `denominator > 0`."""
    return numerator // denominator


def up(numerator: int, denominator: int) -> int:
    """Return the quotient rounded up, towards infinity; `denominator > 0`.

    Examples:
        >>> down(-7, 2), up(-7, 2)
        (-4, -3)
    """
    return -(-numerator // denominator)


def moved(span: Span, by: int) -> Span:
    """Return the span in units that are `2^by` times larger, rounded outward; smaller ones for `by < 0`.

    Examples:
        >>> moved((5, 5), 1), moved((5, 5), -1)
        ((2, 3), (10, 10))
    """
    if by <= 0:
        return span[0] << -by, span[1] << -by
    return span[0] >> by, -(-span[1] >> by)


@dataclass(frozen=True)
class Fixed:
    """Arithmetic on spans in units of `2^-bits`.

    Every result encloses all values that the arguments may have. Results are at most a few units wider than that, and
    never narrower.

    Examples:
        >>> fixed = Fixed(20)
        >>> third = fixed.of(Fraction(1, 3))
        >>> third
        (349525, 349526)
        >>> low, high = fixed.exp(fixed.of(Fraction(1)))
        >>> low <= 2.718281828 * 2**20 <= high
        True
    """

    bits: int

    @property
    def one(self) -> int:
        """The number 1."""
        return 1 << self.bits

    def of(self, value: Fraction) -> Span:
        """Return the span of an exact number: both ends are equal where it is a multiple of the unit."""
        scaled = value.numerator << self.bits
        return down(scaled, value.denominator), up(scaled, value.denominator)

    def times(self, x: Span, y: Span) -> Span:
        """Return the product; either factor may have any sign."""
        ends = [a * b for a in x for b in y]
        return min(ends) >> self.bits, -(-max(ends) >> self.bits)

    def over(self, x: Span, y: Span) -> Span:
        """Return the quotient by what is certainly positive; `ZeroDivisionError` else.

        A divisor that may be 0 needs more bits, and the replay says so.
        """
        if y[0] <= 0:
            raise ZeroDivisionError("a divisor that is not certainly positive")
        # A numerator below 0 is least over the smallest divisor, one above 0 over the largest.
        low = down(x[0] << self.bits, y[1] if x[0] >= 0 else y[0])
        return low, up(x[1] << self.bits, y[0] if x[1] >= 0 else y[1])

    def exp(self, x: Span) -> Span:
        """Return the exponential; it increases, so that each end bounds its side, as with `log` and `sqrt`."""
        return _exp(x[0], self.bits)[0], _exp(x[1], self.bits)[1]

    def log(self, x: Span) -> Span:
        """Return the logarithm of what is certainly positive; `ValueError` else."""
        if x[0] <= 0:
            raise ValueError("the logarithm of what is not certainly positive")
        return _log(x[0], self.bits)[0], _log(x[1], self.bits)[1]

    def sqrt(self, x: Span) -> Span:
        """Return the square root of what is certainly not negative; `ValueError` else."""
        if x[0] < 0:
            raise ValueError("the root of what may be negative")
        # `isqrt` rounds down; one more than that of the number just below is a root rounded up, also for squares.
        return isqrt(x[0] << self.bits), isqrt(max(0, (x[1] << self.bits) - 1)) + 1

    def tail(self, x: Span) -> Span:
        """Return the probability that a standard normal number exceeds `x`; its density is below 1/2.

        The density bounds how much the tail falls over the span, so that only the lower end of `x` is computed.

        Examples:
            >>> Fixed(20).tail((0, 0))  # 1/2
            (524288, 524288)
        """
        # One series serves both ends: the tail falls by less than half of the span's width.
        low, high = _tail(x[0], self.bits)
        return max(0, low - (x[1] - x[0] + 1 >> 1)), high


def minus(x: Span, y: Span) -> Span:
    """Return the difference: the ends cross over, as the largest difference is between the far ends."""
    return x[0] - y[1], x[1] - y[0]


def plus(x: Span, y: Span) -> Span:
    """Return the sum."""
    return x[0] + y[0], x[1] + y[1]


# --------------------------------------------------------------------------------------------------------- constants


def _arctan_sum(inverses: tuple[tuple[int, int], ...], bits: int, sign: int) -> Span:
    """Return the sum of `c arctan(1/n)` over pairs `(c, n)`, or of `c artanh(1/n)` for `sign = 1`.

    Each term is rounded down or up by less than a unit; what is left out is below a unit as well. The sum of
    arctangents alternates, so that errors of both signs are counted, two units for each term.
    """
    low = high = 0
    for factor, n in inverses:
        power, k, total, terms = (1 << bits) // n, 1, 0, 2
        while power:
            total += (1 if sign > 0 or k % 4 == 1 else -1) * (power // k)
            power //= n * n
            k += 2
            terms += 2
        ends = [factor * (total - terms), factor * (total + terms)]
        low, high = low + min(ends), high + max(ends)
    return low, high


@lru_cache(maxsize=256)
def log_of_2(bits: int) -> Span:
    """Return `log 2 = 2 artanh(1/3)`."""
    return moved(_arctan_sum(((2, 3),), bits + _GUARD, 1), _GUARD)


@lru_cache(maxsize=256)
def pi(bits: int) -> Span:
    """Return pi, by Machin's formula `16 arctan(1/5) - 4 arctan(1/239)`."""
    return moved(_arctan_sum(((16, 5), (-4, 239)), bits + _GUARD, -1), _GUARD)


# --------------------------------------------------------------------------------------------------------- functions


def _exp(x: int, bits: int) -> Span:
    """Return the exponential of `x / 2^bits`.

    `x = n log 2 + r`, and `exp(r) = exp(r / 2^8)^(2^8)`. The terms of the series fall by more than a half each, so that
    all that are left out are less than the last one. Large results get bits for their whole part on top, so that the
    span is as wide, in units, as for small ones.
    """
    whole = (x >> bits) * 3 // 2 + 2
    # In slots, so that calls with nearly equal precisions share the logarithm of 2 in the cache.
    work = -(-(bits + _GUARD + max(0, whole)) // _SLOT) * _SLOT + _GUARD
    log_2 = log_of_2(work)
    there = x << work - bits
    n = there // log_2[1]
    # The span of log 2 is multiplied by n: which end is the lower one depends on the sign of n.
    rest = there - n * log_2[1 if n > 0 else 0], there - n * log_2[0 if n > 0 else 1]
    if rest[0] < 0:
        n -= 1
        rest = rest[0] + log_2[0], rest[1] + log_2[1]
    r = moved(rest, _HALVINGS)
    low = term = 1 << work
    k = 0
    while term:
        k += 1
        term = (term * r[0] >> work) // k
        low += term
    high = term = 1 << work
    k = 0
    while term > 1:
        k += 1
        term = up(-(-term * r[1] >> work), k)
        high += term
    high += term
    for _ in range(_HALVINGS):
        low, high = low * low >> work, -(-high * high >> work)
    return moved((low, high), work - bits - n)


def _log(x: int, bits: int) -> Span:
    """Return the logarithm of `x / 2^bits`, `x > 0`: `x = m 2^n`, and `log m = 2 artanh((m - 1)/(m + 1))`.

    With m between 3/4 and 3/2 the argument is at most 1/5 in absolute value. For m < 1 the logarithm of its reciprocal
    is enclosed and turned around, as all terms are to be positive.
    """
    work = bits + _GUARD
    n = x.bit_length() - bits
    if (x << 1) < 3 << (x.bit_length() - 1):  # keeps m between 3/4 and 3/2
        n -= 1
    over, under = (x << max(0, -n)), 1 << bits + max(0, n)  # m = over / under
    negative = over < under
    t = (abs(over - under) << work), over + under
    low = _artanh(down(*t), work, upper=False)
    high = _artanh(up(*t), work, upper=True)
    both = (-2 * high, -2 * low) if negative else (2 * low, 2 * high)
    log_2 = log_of_2(work)
    whole = (n * log_2[0], n * log_2[1]) if n >= 0 else (n * log_2[1], n * log_2[0])
    return moved(plus(both, whole), _GUARD)


def _artanh(t: int, bits: int, *, upper: bool) -> int:
    """Return a bound of `artanh(t)`, `0 <= t <= 1/3`; what is left out is less than the last power."""
    square = -(-t * t >> bits) if upper else t * t >> bits
    power, k, total = t, 1, 0
    while power > 1:
        total += up(power, k) if upper else power // k
        power = -(-power * square >> bits) if upper else power * square >> bits
        k += 2
    return total + 2 * power if upper else total


def _tail(x: int, bits: int) -> Span:
    """Return the normal probability above `x / 2^bits`.

    For `z >= 0` it is `1/2 - phi(z) (z + z^3/3 + z^5/(3 5) + ...)`, and at most `exp(-z^2/2)/2`. The difference loses
    the bits of `exp(-z^2/2)`, which are known in advance and added to the precision.
    """
    if x < 0:
        low, high = _tail(-x, bits)
        return (1 << bits) - high, (1 << bits) - low
    # z^2/2 in units of log 2, rounded down: 1.4426 < 1/log 2.
    halvings = (x * x * 14426 // 20000) >> 2 * bits
    # Less than half a unit: the series would only confirm this, and at great cost.
    if halvings > bits + 1:
        return 0, 1
    work = -(-(bits + halvings + 2 * _GUARD) // _SLOT) * _SLOT
    z = x << work - bits
    # z is exact; its square is not, and gets two ends.
    square = z * z >> work, -(-z * z >> work)
    low = term = z
    k = 1
    while term:
        k += 2
        term = (term * square[0] >> work) // k
        low += term
    high = term = z
    k = 1
    while term > 1 or 2 * square[1] > (k + 2) << work:
        k += 2
        term = up(-(-term * square[1] >> work), k)
        high += term
    high += term
    arithmetic = Fixed(work)
    density = arithmetic.over(arithmetic.exp((-(square[1] + 1 >> 1), -(square[0] >> 1))), _root_of_two_pi(work))
    rest = arithmetic.times(density, (low, high))
    half = 1 << work - 1
    found = moved((half - rest[1], half - rest[0]), work - bits)
    return max(0, found[0]), found[1]


@lru_cache(maxsize=256)
def _root_of_two_pi(bits: int) -> Span:
    """Return the square root of 2 pi, which the density is divided by."""
    low, high = pi(bits)
    return Fixed(bits).sqrt((2 * low, 2 * high))
