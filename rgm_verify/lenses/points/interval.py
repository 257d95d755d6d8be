"""Interval evaluation with mpmath.iv, straight from the SymPy tree: the second opinion to Arb, sharing
no code with it.

Each node is evaluated by interval arithmetic, so that the result contains the value whatever was
rounded. The functions are few on purpose: only what mpmath encloses rigorously, with the edges of
each domain refused here, since some of mpmath's intervals go on silently beyond them. Whatever is
missing raises, and the caller then has one opinion.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import reduce
from typing import Any

import sympy
from mpmath import iv

from rgm_verify.balls.binding import BINDERS, evaluated


class CannotEnclose(ValueError):
    """An expression that this evaluator does not know, or a point outside the domain of one of its functions."""


def sign_by_intervals(expression: sympy.Expr, point: Mapping[sympy.Symbol, Fraction], *, bits: int = 200) -> str:
    """The certain sign of `expression` at an exact point (`positive`, `negative`, `zero` or `unknown`).

    `zero` is only said of an exact interval [0, 0]. Raises `CannotEnclose`.

    Args:
        expression: An expression whose free symbols all have a value in `point`.
        point: Exact coordinates.
        bits: The precision; more bits can turn `unknown` into a sign and nothing else.

    Examples:
        >>> import sympy
        >>> x = sympy.Symbol("x")
        >>> sign_by_intervals(sympy.log(x) - 1, {x: Fraction(3)})
        'positive'
        >>> sign_by_intervals(sympy.sqrt(x) ** 2 - 2, {x: Fraction(2)})
        'zero'
    """
    value = enclose_by_intervals(expression, point, bits=bits)
    if value.a > 0:
        return "positive"
    if value.b < 0:
        return "negative"
    # Only an interval that is the point 0 is a zero; one around 0 is open.
    return "zero" if value.a == 0 and value.b == 0 else "unknown"


def enclose_by_intervals(expression: sympy.Expr, point: Mapping[sympy.Symbol, Fraction], *, bits: int) -> Any:
    """An mpmath interval that contains the value of `expression` at an exact point; derivatives are SymPy's.

    An enclosure by code that shares nothing with Arb: it is asked for a second opinion. Raises `CannotEnclose` where a
    function is missing or an argument may lie outside of its domain.

    Args:
        expression: An expression whose free symbols all have a value in `point`.
        point: Exact coordinates.
        bits: The precision of the ends.

    Returns:
        An enclosure; its width has no promise.
    """
    # The precision of mpmath's intervals is global, and a caller may be in the midst of another one.
    saved = iv.prec
    iv.prec = bits
    try:
        return _value(evaluated(expression), point)
    except (ZeroDivisionError, OverflowError, ValueError, NotImplementedError, TypeError) as error:
        raise CannotEnclose(f"{expression}: {error}") from error
    finally:
        iv.prec = saved


def _value(expression: sympy.Expr, point: Mapping[sympy.Symbol, Fraction]) -> Any:
    """Return an interval around the value of one node; raise `CannotEnclose` for a node without an
    interval form.
    """
    if isinstance(expression, sympy.Symbol) and expression in point:
        return _rational(point[expression])
    if isinstance(expression, sympy.Rational):
        return _rational(Fraction(int(expression.p), int(expression.q)))
    if expression is sympy.pi:
        return iv.pi
    if expression is sympy.E:
        return iv.e
    arguments = expression.args
    # What is not evaluated has no value of its own here, and is left to Arb.
    if not arguments or isinstance(expression, (*BINDERS, sympy.Integral)):
        raise CannotEnclose(f"{type(expression).__name__} has no interval form here")
    if isinstance(expression, sympy.Add):
        return reduce(lambda a, b: a + b, (_value(a, point) for a in arguments))
    if isinstance(expression, sympy.Mul):
        return reduce(lambda a, b: a * b, (_value(a, point) for a in arguments))
    if isinstance(expression, sympy.Pow):
        return _power(expression, point)
    return _function(expression, point)


def _rational(value: Fraction) -> Any:
    """Return the interval of the quotient: numerator and denominator are exact, or rounded outward
    where they are long.
    """
    return iv.mpf(value.numerator) / iv.mpf(value.denominator)


def _power(expression: sympy.Pow, point: Mapping[sympy.Symbol, Fraction]) -> Any:
    """Return the interval of a power; any but an integer or a square root goes by exp and log of a
    positive base.
    """
    base, exponent = expression.args
    if isinstance(exponent, sympy.Integer):
        return _integer_power(_value(base, point), int(exponent))
    value = _value(base, point)
    # By itself, since a square root of 0 has a value and a logarithm of it has none.
    if exponent == sympy.Rational(1, 2):
        return iv.sqrt(_at_least_zero(value))
    if exponent == sympy.Rational(-1, 2):
        return 1 / iv.sqrt(_strictly_positive(value))
    return iv.exp(_value(exponent, point) * iv.log(_strictly_positive(value)))


def _integer_power(value: Any, exponent: int) -> Any:
    """Return an integer power; a negative one is refused where the base may be 0."""
    if exponent >= 0:
        return value**exponent
    if value.a <= 0 <= value.b:
        raise CannotEnclose("division by an interval that contains 0")
    return 1 / value ** (-exponent)


def _at_least_zero(value: Any) -> Any:
    """Return the interval if all of it is >= 0, which a square root needs."""
    if value.a < 0:
        raise CannotEnclose("square root of an interval that reaches below 0")
    return value


def _strictly_positive(value: Any) -> Any:
    """Return the interval if all of it is > 0, which a logarithm and a reciprocal root need."""
    if value.a <= 0:
        raise CannotEnclose("logarithm of an interval that is not positive")
    return value


def _function(expression: sympy.Expr, point: Mapping[sympy.Symbol, Fraction]) -> Any:
    """Return the interval of one of the few functions that mpmath encloses rigorously."""
    name = type(expression).__name__
    if name == "LogRemainder":
        return _log_remainder(expression, point)
    values = [_value(a, point) for a in expression.args if isinstance(a, sympy.Expr)]
    if name == "log":
        return iv.log(_strictly_positive(values[0]))
    if name == "exp":
        return iv.exp(values[0])
    if name == "Abs":
        return abs(values[0])
    if name == "Max":
        return reduce(lambda a, b: iv.mpf([max(a.a, b.a), max(a.b, b.b)]), values)
    if name == "Min":
        return reduce(lambda a, b: iv.mpf([min(a.a, b.a), min(a.b, b.b)]), values)
    raise CannotEnclose(f"the function {name} has no interval form here")


def _log_remainder(expression: sympy.Expr, point: Mapping[sympy.Symbol, Fraction]) -> Any:
    """Return the interval of the remainder of log(1 + z)/z, by the recurrence that defines it.

    At 0 it is 1/n by its series. Near 0 the recurrence divides by a small number and widens the
    interval, which is safe.
    """
    order, argument = int(expression.args[0]), _value(expression.args[1], point)
    if argument.a == 0 and argument.b == 0:
        return 1 / iv.mpf(order)
    if argument.a <= 0 <= argument.b:
        raise CannotEnclose("LogRemainder at an interval around 0")
    value = iv.log(_strictly_positive(1 + argument)) / argument
    for n in range(1, order):
        value = (1 / iv.mpf(n) - value) / argument
    return value
