"""Rational enclosures of constants: polynomials without variables, by series whose remainders are counted."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Any, TypeAlias

from rgm_verify.kernel.terms import Poly, Refused, Terms

__all__ = ["enclose"]

Interval: TypeAlias = tuple[Fraction, Fraction]

MOST_BITS = 512
LARGEST = 1000


def enclose(terms: Terms, poly: Poly, bits: Any) -> Interval:
    """Return rationals that enclose a polynomial of constants, worked out to about `bits` bits; raises `Refused`."""
    if not isinstance(bits, int) or not 1 <= bits <= MOST_BITS:
        raise Refused(f"bits={bits!r:.40}: allowed are 1 to {MOST_BITS}")
    total: Interval = (Fraction(0), Fraction(0))
    for monomial, coefficient in poly.items():
        product: Interval = (Fraction(coefficient), Fraction(coefficient))
        for atom, exponent in monomial:
            if abs(exponent) > LARGEST:
                raise Refused(f"a power {exponent!r:.40} of a constant: allowed are exponents up to {LARGEST}")
            value = _atom(terms, atom, bits)
            for _ in range(abs(exponent)):
                product = _outward(_times(product, value if exponent > 0 else _reciprocal(value)), bits)
        total = total[0] + product[0], total[1] + product[1]
    return total


def _atom(terms: Terms, atom: int, bits: int) -> Interval:
    name, *arguments = terms.atoms[atom]
    if name == "pi":
        return _pi(bits)
    if name == "root":
        low, high = enclose(terms, dict(arguments[1]), bits)
        if low < 0:
            raise Refused(f"a root of a number that may be negative: at least {float(low):.6g}")
        return _root(low, arguments[0], bits)[0], _root(high, arguments[0], bits)[1]
    if name in ("inv", "exp", "log"):
        low, high = enclose(terms, dict(arguments[0]), bits)
        if name == "inv":
            return _outward(_reciprocal((low, high)), bits)
        if name == "exp":
            return _exp(low, bits)[0], _exp(high, bits)[1]
        if low <= 0:
            raise Refused(f"a logarithm of a number that may be negative or 0: at least {float(low):.6g}")
        return _log(low, bits)[0], _log(high, bits)[1]
    raise Refused(f"{name} has no enclosure in the kernel, or is no constant")


def _outward(value: Interval, bits: int) -> Interval:
    """Return the interval with ends of `bits` significant bits, rounded outward."""
    return -_up(-value[0], bits), _up(value[1], bits)


def _up(value: Fraction, bits: int) -> Fraction:
    unit = Fraction(2) ** (value.numerator.bit_length() - value.denominator.bit_length() - bits)
    return -(-value // unit) * unit


def _times(left: Interval, right: Interval) -> Interval:
    products = [a * b for a in left for b in right]
    return min(products), max(products)


def _reciprocal(value: Interval) -> Interval:
    if value[0] <= 0 <= value[1]:
        raise Refused("a reciprocal of a number that may be 0")
    return 1 / value[1], 1 / value[0]


def _root(value: Fraction, degree: int, bits: int) -> Interval:
    """Return two neighbouring fractions with denominator 2^bits around the root, by bisection on integers."""
    scaled = (value.numerator << (degree * bits)) // value.denominator
    if degree == 2:
        low = isqrt(scaled)
    else:
        low, high = 0, 1 << (scaled.bit_length() // degree + 1)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if middle**degree <= scaled else (low, middle)
    return Fraction(low, 1 << bits), Fraction(low + 1, 1 << bits)


def _exp(value: Fraction, bits: int) -> Interval:
    """Return an enclosure of exp: the series at value / 2^k <= 1/2, squared k times."""
    if abs(value) > LARGEST:
        raise Refused(f"exp of {float(value):.6g}: allowed are arguments up to {LARGEST}")
    halvings = max(0, int(abs(value) * 2).bit_length())
    working = bits + halvings + 10
    low, high = _outward((value, value), working)
    low, high = low / 2**halvings, high / 2**halvings
    result = (_exp_series(low, working)[0], _exp_series(high, working)[1])
    for _ in range(halvings):
        result = _outward((result[0] ** 2, result[1] ** 2), working)
    return result


def _exp_series(x: Fraction, bits: int) -> Interval:
    """Return an enclosure of exp(x) for |x| <= 1/2: the tail is at most twice its first term."""
    total = term = Fraction(1)
    n = 0
    while abs(term) > Fraction(1, 1 << (bits + 2)):
        n += 1
        term = _up(term * x / n, 2 * bits)
        total += term
    error = 2 * abs(term) + Fraction(n + 1, 1 << (2 * bits - 4))  # the tail, and n roundings of terms below 1
    return _outward((total - error, total + error), bits)


def _log(value: Fraction, bits: int) -> Interval:
    """Return an enclosure of log: log(m 2^k) = k log 2 + 2 atanh((m-1)/(m+1)) with m in [2/3, 4/3]."""
    shift = value.numerator.bit_length() - value.denominator.bit_length()
    while value / Fraction(2) ** shift > Fraction(4, 3):
        shift += 1
    while value / Fraction(2) ** shift < Fraction(2, 3):
        shift -= 1
    two = _atanh(Fraction(1, 3), bits + 20)
    rest = _atanh((value / Fraction(2) ** shift - 1) / (value / Fraction(2) ** shift + 1), bits + 20)
    twos = sorted((shift * two[0], shift * two[1]))
    return 2 * (twos[0] + rest[0]), 2 * (twos[1] + rest[1])


def _atanh(x: Fraction, bits: int) -> Interval:
    """Return an enclosure of atanh(x) for |x| <= 1/3: the tail is at most 9/8 of its first term."""
    low, high = _outward((x, x), 2 * bits)
    return _atanh_series(low, bits)[0], _atanh_series(high, bits)[1]


def _atanh_series(x: Fraction, bits: int) -> Interval:
    total, power, n = Fraction(0), x, 1
    while abs(power) > Fraction(1, 1 << (bits + 2)):
        total += power / n
        power = _up(power * x * x, 2 * bits)
        n += 2
    error = 2 * abs(power) + Fraction(n + 1, 1 << (2 * bits - 4))
    return _outward((total - error, total + error), bits + 2)


def _pi(bits: int) -> Interval:
    """Return an enclosure of pi by Machin's formula, 16 atan(1/5) - 4 atan(1/239)."""
    first, second = _arctan(5, bits + 8), _arctan(239, bits + 8)
    return 16 * first[0] - 4 * second[1], 16 * first[1] - 4 * second[0]


def _arctan(denominator: int, bits: int) -> Interval:
    """Return an enclosure of atan(1/denominator): the terms alternate and fall, so two neighbouring sums enclose it."""
    total, n, sign = Fraction(0), 1, 1
    while True:
        term = Fraction(sign, n * denominator**n)
        if abs(term) < Fraction(1, 1 << bits):
            return min(total, total + term), max(total, total + term)
        total, n, sign = total + term, n + 2, -sign
