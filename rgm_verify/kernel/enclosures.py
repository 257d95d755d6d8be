"""Enclosures of constants, polynomials without variables, in integers: [a, b] in units of 2^-bits.

Every operation rounds its lower end down and its upper end up, so that the number lies between the ends whatever `bits`
is; more bits only make the interval narrower. There is no floating point. Only the sign of a constant is ever concluded
from an interval, by the rule `number` of `rgm_verify.kernel.rules`.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import factorial
from typing import Any, TypeAlias

from rgm_verify.kernel.terms import Poly, Terms, require, walk

Interval: TypeAlias = tuple[int, int]

MOST_BITS = 512
LARGEST = 1000
#: The first 50 digits of pi.
PI = 31415926535897932384626433832795028841971693993751


def enclose(terms: Terms, poly: Poly, bits: Any) -> Interval:
    """Return integers that enclose a polynomial of constants times 2^bits; raises `Refused` for other polynomials.

    The precision is absolute: both ends are integers, and the width grows with the size of coefficients and powers.
    `bits` is an integer from 1 to `MOST_BITS`; powers of an atom go to `LARGEST`.

    Examples:
        >>> terms = Terms([])
        >>> low, high = enclose(terms, terms.poly(["add", ["exp", "1"], "-2"]), 20)
        >>> low <= 0.7182818284 * 2**20 <= high
        True
        >>> enclose(terms, terms.poly("1/3"), 4)  # 1/3 lies between 5/16 and 6/16
        (5, 6)
    """
    require(isinstance(bits, int) and 1 <= bits <= MOST_BITS, "bits={!r:.40}: allowed are 1 to {}", bits, MOST_BITS)
    low = high = 0
    for monomial, coefficient in poly.items():
        scaled = Fraction(coefficient) * 2**bits
        # Outward from here on: `//` rounds down also below 0.
        product: Interval = (scaled // 1, -(-scaled // 1))
        for atom, exponent in monomial:
            few = abs(exponent) <= LARGEST
            require(few, "a power {} of a constant: allowed are exponents to {}", exponent, LARGEST)
            value = _atom(terms, atom, bits)
            value = value if exponent > 0 else _reciprocal(value, bits)
            for _ in range(abs(exponent)):
                walk(1 + _words(product) * _words(value))
                product = _times(product, value, bits)
        low, high = low + product[0], high + product[1]
    return low, high


def _words(value: Interval) -> int:
    """Return the length of the ends, in units of 128 bits."""
    return max(end.bit_length() for end in value) >> 7


def _times(left: Interval, right: Interval, bits: int) -> Interval:
    """Return an enclosure of the product of two numbers of either sign."""
    ends = [a * b for a in left for b in right]
    return min(ends) >> bits, -(-max(ends) >> bits)


def _reciprocal(value: Interval, bits: int) -> Interval:
    """Return an enclosure of 1/x; raises `Refused` where x may be 0, as that says nothing of 1/x."""
    require(value[0] > 0 or value[1] < 0, "a reciprocal of a number that may be 0")
    return (1 << 2 * bits) // value[1], -(-(1 << 2 * bits) // value[0])


def _atom(terms: Terms, atom: int, bits: int) -> Interval:
    """Return an enclosure of one constant: pi, or a function of a polynomial of constants.

    Exponential, logarithm and root increase, so that the lower end of the argument bounds from below and the upper one
    from above. Raises `Refused` for a variable, for a function without a series here, and where the argument may be out
    of the function's domain.
    """
    name, *arguments = terms.atoms[atom]
    if name == "pi":
        # Fifty digits serve for any `bits`: with more bits the interval is wider in units, and still right.
        return (PI << bits) // 10**49, ((PI + 1) << bits) // 10**49 + 1
    require(name in ("inv", "root", "exp", "log"), "{} has no enclosure in the kernel, or is no constant", name)
    low, high = enclose(terms, dict(arguments[-1]), bits)
    if name == "inv":
        return _reciprocal((low, high), bits)
    # A root and a logarithm at 0 are left out as well: their arguments are then only known to touch the domain.
    require(low > 0 or name == "exp", "a {} of a number that may be too small", name)
    # What the series and the bisection take, before they do: they go on for as many steps as there are bits.
    degree = arguments[0] if name == "root" else 1
    long = high.bit_length() + degree * bits
    walk(long * (long + 2000) // (20 * degree))
    function: Any = {"exp": _exp, "log": _log, "root": _root}[name]
    return function(low, bits, *arguments[:-1])[0], function(high, bits, *arguments[:-1])[1]


def _series(x: Fraction, bits: int, coefficient: Callable[[int], Fraction]) -> Interval:
    """Return an enclosure of the sum of a_n x^n for |x| <= 1/2, where all |a_n| <= 1.

    Powers and terms are cut to integers: a power is off by at most 2, as each cut is halved at every later step, and a
    term by at most 3. The tail is at most twice its first power, which is at most 3.
    """
    total, power, n = 0, 1 << bits, 0
    # Where the kept power is at most 1, the true one is at most 3: the 6 below pays for the tail from there on.
    while abs(power) > 1:
        total += int(power * coefficient(n))
        power, n = int(power * x), n + 1
    error = 3 * n + 6
    return total - error, total + error


def _atanh(n: int) -> Fraction:
    """Return the coefficients of atanh(x) = x + x^3/3 + x^5/5 + ..."""
    return Fraction(n % 2, n or 1)


def _exp(value: int, bits: int) -> Interval:
    """Return an enclosure of exp: the series at the 2^k-th part, at most 1/2, squared k times.

    The argument is an integer in units of 2^-bits, as for the functions below, and at most `LARGEST` in absolute value.
    """
    x = Fraction(value, 1 << bits)
    require(abs(x) <= LARGEST, "exp: allowed are arguments up to {}", LARGEST)
    halvings = int(2 * abs(x)).bit_length()
    found = _series(x / 2**halvings, bits, lambda n: Fraction(1, factorial(n)))
    for _ in range(halvings):
        found = _times(found, found, bits)
    return found


def _log(value: int, bits: int) -> Interval:
    """Return an enclosure of log: log(m 2^k) = k log 2 + 2 atanh((m-1)/(m+1)) with 1 <= m < 2.

    The argument is positive. Then (m-1)/(m+1) is in [0, 1/3), as the series asks; log 2 is 2 atanh(1/3).
    """
    shift = value.bit_length() - 1
    m = Fraction(value, 1 << shift)
    two, rest = _series(Fraction(1, 3), bits, _atanh), _series((m - 1) / (m + 1), bits, _atanh)
    # The factor k may be negative, which turns the ends around.
    twos = sorted(2 * (shift - bits) * end for end in two)
    return twos[0] + 2 * rest[0], twos[1] + 2 * rest[1]


def _root(value: int, bits: int, degree: int) -> Interval:
    """Return neighbouring integers around the root of a positive number, by bisection; exact arithmetic alone."""
    scaled = value << (degree - 1) * bits
    low, high = 0, 1 << (scaled.bit_length() // degree + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**degree <= scaled else (low, middle)
    return low, high
