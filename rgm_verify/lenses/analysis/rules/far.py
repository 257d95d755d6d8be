"""Bounds of a function of one variable on a half-line, by interval arithmetic with infinite ends.

Far out a bounded function is mostly near its limit, and the ranges of its terms tell. Every end is an exact rational
number, rounded outward from an Arb enclosure, or infinite.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import TypeAlias

import sympy

from rgm_verify.balls.enclose import enclose
from rgm_verify.balls.program import UnsupportedExpression
from rgm_verify.lenses.analysis.asymptotics.growth import NotKnown
from rgm_verify.lenses.base import rational

__all__ = ["bounds_beyond"]

#: A finite end is a fraction; an infinite one a float.
Bound: TypeAlias = Fraction | float
Range: TypeAlias = tuple[Bound, Bound]

_DIGITS, _BITS = 20, 256
_GRAIN = 2**80
#: Increasing functions with their limits at both infinities.
_INCREASING: dict[type[sympy.Function], Range] = {
    sympy.exp: (Fraction(0), math.inf),
    sympy.erf: (Fraction(-1), Fraction(1)),
    sympy.tanh: (Fraction(-1), Fraction(1)),
    sympy.sinh: (-math.inf, math.inf),
    sympy.asinh: (-math.inf, math.inf),
    sympy.atan: (Fraction(-11, 7), Fraction(11, 7)),
}


def bounds_beyond(e: sympy.Expr, x: sympy.Symbol, start: Fraction) -> Range:
    """Bounds that hold for every x >= start at which the expression is defined.

    Args:
        e: A function of x alone.
        start: A rational.

    Raises:
        NotKnown: For a term without a rule, or one that Arb does not enclose.

    Examples:
        >>> x = sympy.Symbol("x", real=True)
        >>> bounds_beyond(2 + sympy.sin(x) / x**2, x, Fraction(10))
        (Fraction(199, 100), Fraction(201, 100))
    """
    if e == x:
        return start, math.inf
    if not e.has(x):
        return _constant(e)
    if isinstance(e, sympy.Add):
        ranges = [bounds_beyond(a, x, start) for a in e.args]
        return sum((r[0] for r in ranges), Fraction(0)), sum((r[1] for r in ranges), Fraction(0))
    if isinstance(e, sympy.Mul):
        total: Range = (Fraction(1), Fraction(1))
        for a in e.args:
            total = _times(total, bounds_beyond(a, x, start))
        return total
    if isinstance(e, sympy.Pow) and e.base is not sympy.E:
        return _power(e.exp, bounds_beyond(e.base, x, start))
    inner = bounds_beyond(e.args[0], x, start) if len(e.args) == 1 else (-math.inf, math.inf)
    # Over a half-line their arguments take all values, or may.
    if isinstance(e, sympy.sin | sympy.cos):
        return Fraction(-1), Fraction(1)
    if isinstance(e, sympy.erfc):
        low, high = _increasing(sympy.erf, inner)
        return 1 - high, 1 - low
    if isinstance(e, sympy.log):
        return _logarithm(inner)
    if type(e) in _INCREASING:
        return _increasing(type(e), inner)
    raise NotKnown(f"no range of {e.func}")


def _constant(e: sympy.Expr) -> Range:
    """Return an enclosure of a closed expression."""
    if e.is_Rational:
        return (Fraction(int(e.p), int(e.q)),) * 2
    try:
        found = enclose(e, {}, digits=_DIGITS, maximum_bits=_BITS)
    except (UnsupportedExpression, OverflowError) as error:
        raise NotKnown(str(error)) from error
    if found.lower is None or found.upper is None:
        raise NotKnown(f"{e} is not enclosed")
    return Fraction(math.floor(found.lower * _GRAIN), _GRAIN), Fraction(math.ceil(found.upper * _GRAIN), _GRAIN)


def _product(a: Bound, b: Bound) -> Bound:
    """A product of two ends; 0 by an infinite one is 0, as every value itself is finite."""
    return Fraction(0) if a == 0 or b == 0 else a * b


def _times(left: Range, right: Range) -> Range:
    found = [_product(a, b) for a, b in product(left, right)]
    return min(found), max(found)


def _increasing(kind: type[sympy.Function], inner: Range) -> Range:
    """The range of an increasing function, by its values or its limits at both ends."""
    limits = _INCREASING[kind]
    low = limits[0] if inner[0] == -math.inf else _value(kind, inner[0])[0]
    high = limits[1] if inner[1] == math.inf else _value(kind, inner[1])[1]
    return max(low, limits[0]), min(high, limits[1])


def _value(kind: type[sympy.Function], end: Bound) -> Range:
    """The value at an end, which an end beyond all size would only slow down."""
    if isinstance(end, float) or abs(end) > 10**4:
        return _INCREASING[kind]
    return _constant(kind(rational(end)))


def _logarithm(inner: Range) -> Range:
    """The range of a logarithm that is defined."""
    # Where it is defined its argument is positive, whatever the lower end says.
    low, high = inner
    below = -math.inf if isinstance(low, float) or low <= 0 else _constant(sympy.log(rational(low)))[0]
    above = math.inf if isinstance(high, float) else _constant(sympy.log(rational(high)))[1]
    return below, above


def _power(exponent: sympy.Expr, base: Range) -> Range:
    """The range of a power with a rational exponent, of which a root or an even power is not negative."""
    if not exponent.is_Rational:
        raise NotKnown(f"no range of a power {exponent}")
    if exponent < 0:
        low, high = _power(-exponent, base)
        if low <= 0 <= high:
            raise NotKnown("a denominator may be small")
        return _reciprocal(high), _reciprocal(low)
    if exponent.is_Integer:
        n = int(exponent)
        ends = [b**n if not isinstance(b, float) else (b if n % 2 else math.inf) for b in base]
        if n % 2 == 0 and base[0] <= 0 <= base[1]:
            return Fraction(0), max(ends)
        return min(ends), max(ends)
    return _root(exponent, (max(base[0], Fraction(0)), base[1]))


def _reciprocal(end: Bound) -> Bound:
    return Fraction(0) if isinstance(end, float) else 1 / end


def _root(exponent: sympy.Rational, base: Range) -> Range:
    """The range of a positive power of something that is not negative, as it is defined."""
    low, high = (
        math.inf if isinstance(b, float) else _constant(rational(b) ** exponent)[k] for k, b in enumerate(base)
    )
    return low, high
