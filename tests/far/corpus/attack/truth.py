"""Decide whether a statement certainly fails at an exact point: Arb's balls on the SymPy tree, nothing of the engine's.

`fails(claim, point)` says `false` where every hypothesis certainly holds and the conclusion certainly does not,
`undefined` where a term of the conclusion certainly has no real value, and is empty where anything is open.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import sympy
from flint import arb, ctx, fmpq

from rgm_verify.claims import Claim
from rgm_verify.claims.formula import All, Either, Formula, Iff, Implies, Relation

Point = Mapping[sympy.Symbol, Fraction]
BITS = 240
MOST_TERMS = 400


class UndefinedError(Exception):
    """A term certainly has no real value."""


class OpenError(Exception):
    """The arithmetic does not tell."""


def ball(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))


_FUNCTIONS = {
    sympy.exp: arb.exp, sympy.sin: arb.sin, sympy.cos: arb.cos, sympy.sinh: arb.sinh, sympy.cosh: arb.cosh,
    sympy.tanh: arb.tanh, sympy.atan: arb.atan, sympy.asinh: arb.asinh, sympy.erf: arb.erf, sympy.erfc: arb.erfc,
    sympy.Abs: abs, sympy.sign: arb.sgn,
}  # fmt: skip
_ABOVE = {sympy.log: (0, arb.log), sympy.gamma: (0, arb.gamma), sympy.loggamma: (0, arb.lgamma)}


def exact(e: sympy.Expr, point: Point) -> Fraction | None:
    """The value of sums, products and integer powers of rational numbers; None for anything else."""
    if isinstance(e, sympy.Symbol):
        return point.get(e)
    if isinstance(e, sympy.Rational):
        return Fraction(int(e.p), int(e.q))
    if isinstance(e, sympy.exp | sympy.log):
        inside = exact(e.args[0], point)
        return Fraction(isinstance(e, sympy.exp)) if inside == (0 if isinstance(e, sympy.exp) else 1) else None
    if type(e) not in _EXACT and not isinstance(e, sympy.Pow):
        return None
    parts = [f for f in (exact(a, point) for a in e.args) if f is not None]
    if len(parts) < len(e.args):
        return None
    return _EXACT[type(e)](parts) if type(e) in _EXACT else _exact_power(e, *parts)


def _exact_power(e: sympy.Pow, base: Fraction, power: Fraction) -> Fraction | None:
    if power.denominator != 1 or abs(power) > 200:
        return None
    if base == 0 and power < 0:
        raise UndefinedError(str(e))
    return base ** int(power)


_EXACT = {
    sympy.Add: lambda p: sum(p, Fraction(0)), sympy.Mul: math.prod, sympy.Abs: lambda p: abs(p[0]),
    sympy.Max: max, sympy.Min: min,
}  # fmt: skip
_CONSTANTS = {sympy.pi: arb.pi, sympy.E: arb.const_e, sympy.EulerGamma: arb.const_euler}
_COMBINED = {
    sympy.Add: lambda p: sum(p, arb(0)), sympy.Mul: lambda p: math.prod(p, start=arb(1)),
    sympy.Max: lambda p: functools.reduce(arb.max, p), sympy.Min: lambda p: functools.reduce(arb.min, p),
}  # fmt: skip


def value(e: sympy.Expr, point: Point) -> arb:
    """A ball with the value; raises `UndefinedError` where there is certainly none, `OpenError` where that is open."""
    rational = exact(e, point)
    if rational is not None:
        return ball(rational)
    if e in _CONSTANTS:
        return _CONSTANTS[e]()
    if isinstance(e, sympy.Sum | sympy.Product):
        return series(e, point)
    if isinstance(e, sympy.Pow):
        return power(e, point)
    if isinstance(e, sympy.factorial | sympy.binomial):
        return value(e.rewrite(sympy.gamma), point)
    if type(e) in _COMBINED:
        return _COMBINED[type(e)]([value(a, point) for a in e.args])
    if type(e) in _FUNCTIONS:
        return _FUNCTIONS[type(e)](value(e.args[0], point))
    if type(e) not in _ABOVE:
        raise OpenError(str(e))
    least, function = _ABOVE[type(e)]
    inside = value(e.args[0], point)
    if inside > least:
        return function(inside)
    raise (UndefinedError if isinstance(e, sympy.log) and inside <= least else OpenError)(str(e))


def power(e: sympy.Pow, point: Point) -> arb:
    base, exponent = value(e.base, point), exact(e.exp, point)
    if exponent is not None and exponent.denominator == 1:
        if exponent >= 0:
            return base ** int(exponent)
        if exact(e.base, point) is None and base.contains(0):
            raise OpenError(str(e))
        return 1 / base ** int(-exponent)
    if exponent is not None and base < 0:
        raise UndefinedError(str(e))
    if exponent == Fraction(1, 2) and base >= 0:
        return base.sqrt()
    if base > 0:
        return (value(e.exp, point) * base.log()).exp()
    if exact(e.base, point) == 0 and exponent is not None:
        if exponent < 0:
            raise UndefinedError(str(e))
        return arb(0)
    raise OpenError(str(e))


def series(e: Any, point: Point) -> arb:
    if len(e.limits) != 1:
        raise OpenError(str(e))
    index, *ends = e.limits[0]
    first, last = (exact(end, point) for end in ends)
    if first is None or last is None or first.denominator != 1 or last.denominator != 1:
        raise OpenError(str(e))
    if not first - 1 <= last <= first + MOST_TERMS:
        raise OpenError(str(e))
    total = arb(0 if isinstance(e, sympy.Sum) else 1)
    for k in range(int(first), int(last) + 1):
        term = value(e.function, {**point, index: Fraction(k)})
        total = total + term if isinstance(e, sympy.Sum) else total * term
    return total


def compared(relation: Relation, point: Point) -> bool | None:
    """The truth of a relation, None where the balls do not tell."""
    gap = sympy.Add(relation.lhs, -relation.rhs, evaluate=False)
    difference = value(relation.lhs, point) - value(relation.rhs, point)
    rational = exact(gap, point)
    if rational is not None:
        difference = ball(rational)
    signs = {"<=": (difference <= 0, difference > 0), "<": (difference < 0, difference >= 0)}
    signs |= {">=": (difference >= 0, difference < 0), ">": (difference > 0, difference <= 0)}
    apart = bool(difference != 0)
    equal = rational == 0
    signs |= {"==": (equal, apart), "!=": (apart, equal)}
    holds, fails = signs[relation.op]
    return True if holds else False if fails else None


def truth(formula: Formula, point: Point) -> bool | None:
    match formula:
        case Relation():
            return compared(formula, point)
        case All(parts):
            found = [truth(p, point) for p in parts]
            return False if False in found else None if None in found else True
        case Either(parts):
            found = [truth(p, point) for p in parts]
            return True if True in found else None if None in found else False
        case Implies(left, right):
            first = truth(left, point)
            if first is False:
                return True
            second = truth(right, point)
            return second if first is True or second is True else None
        case Iff(left, right):
            first, second = truth(left, point), truth(right, point)
            return None if first is None or second is None else first == second


def admissible(claim: Claim, point: Point) -> bool:
    """Return whether every variable is in its domain and every hypothesis certainly holds."""
    for v in claim.variables:
        x = point[v.symbol]
        if v.integer and x.denominator != 1:
            return False
        if v.lower is not None and (x < v.lower or (v.lower_open and x == v.lower)):
            return False
        if v.upper is not None and (x > v.upper or (v.upper_open and x == v.upper)):
            return False
    try:
        return all(truth(h.formula, point) is True for h in claim.hypotheses)
    except (UndefinedError, OpenError):
        return False


def fails(claim: Claim, point: Point) -> str:
    """`false`, `undefined`, or empty: what is certain of a claim about all points at one point."""
    before, ctx.prec = ctx.prec, BITS
    try:
        if not admissible(claim, point):
            return ""
        return "false" if truth(claim.conclusion, point) is False else ""  # type: ignore[arg-type]
    except UndefinedError:
        return "undefined"
    except OpenError:
        return ""
    finally:
        ctx.prec = before
