"""Exact points and what is certain of a formula there, definedness included.

A coordinate is a rational number, or an exact constant such as sqrt(3), a root of a polynomial, or exp(1/2). A relation
one of whose sides is not a real number at a point is not true there: `undefined_part` says which term it is and why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

import sympy

from rgm_verify.balls.binding import BINDERS, At, evaluated, placed, terms
from rgm_verify.claims.formula import All, Either, Formula, Iff, Implies, Relation, holds, relations
from rgm_verify.lenses.algebra.identities import is_zero
from rgm_verify.lenses.solvers.definedness import evident, needs, parts

#: A coordinate: a rational number, or a constant of SymPy's whose value is real.
Value: TypeAlias = "Fraction | sympy.Expr"
Point: TypeAlias = "dict[sympy.Symbol, Value]"

#: Where a formula cannot be true, because a term of it is undefined; not the same as its being false.
UNDEFINED = "undefined"
_BITS = 4096
#: Larger constants are not given to the algorithms for algebraic numbers.
_LARGEST_ALGEBRAIC = 60
#: What SymPy may work out at a rational point: operations, and binary digits of the coordinates.
_SHORT_EXPRESSION, _SHORT_NUMBER = 20, 12


@dataclass(frozen=True)
class Gap:
    """A term of a formula that is not a real number at a point, and the condition that it breaks there."""

    term: sympy.Expr
    condition: Relation


def split(
    expression: sympy.Expr, point: Mapping[sympy.Symbol, Value]
) -> tuple[sympy.Expr, dict[sympy.Symbol, Fraction]]:
    """Put the coordinates that are not rational into an expression; return it with the rational ones."""
    constants = {s: v for s, v in point.items() if not isinstance(v, Fraction)}
    rational = {s: v for s, v in point.items() if isinstance(v, Fraction)}
    return placed(expression, constants), rational


def exact(value: sympy.Expr) -> Value:
    """A constant as a Fraction where it is rational."""
    return Fraction(int(value.p), int(value.q)) if isinstance(value, sympy.Rational) else value


def sign(expression: sympy.Expr, point: Mapping[sympy.Symbol, Value], *, maximum_bits: int = _BITS) -> str:
    """The certain sign of an expression at an exact point, `unknown` where it is not settled.

    By Arb; where a coordinate is not rational, a value that no precision tells from 0 is shown to be 0 symbolically.
    """
    from rgm_verify.balls.enclose import sign_at
    from rgm_verify.balls.program import UnsupportedExpression

    try:
        there, rational = split(expression, point)
        if _has_no_value(there):
            return "unknown"
        found = str(sign_at(there, rational, maximum_bits=maximum_bits))
    except (UnsupportedExpression, OverflowError, MemoryError):
        return "unknown"
    if found in ("positive", "negative", "zero"):
        return found
    constants = len(rational) < len(point)
    if not constants and not _is_short(there, rational):
        return found
    try:
        number = placed(there, {s: as_sympy(v) for s, v in rational.items()})
    except (ValueError, TypeError):  # SymPy cannot order the arguments of a maximum that nothing tells apart
        return found
    return "zero" if number == 0 or (constants and _vanishes(number)) else found


@lru_cache(maxsize=4096)
def _has_no_value(expression: sympy.Expr) -> bool:
    """Return whether the expression contains an infinity or a NaN of SymPy's."""
    return bool(expression.has(sympy.zoo, sympy.nan, sympy.oo, -sympy.oo))


def _is_short(expression: sympy.Expr, point: Mapping[sympy.Symbol, Fraction]) -> bool:
    """Return whether SymPy may work an expression out at a rational point: it writes powers of long numbers out."""
    digits = (max(abs(v.numerator), v.denominator).bit_length() for v in point.values())
    return all(n <= _SHORT_NUMBER for n in digits) and sympy.count_ops(expression) <= _SHORT_EXPRESSION


def as_sympy(value: Value) -> sympy.Expr:
    """A coordinate as SymPy writes it."""
    return sympy.Rational(value.numerator, value.denominator) if isinstance(value, Fraction) else value


@lru_cache(maxsize=4096)
def _vanishes(constant: sympy.Expr) -> bool:
    """Show that a constant is 0, by the polynomial of an algebraic number or by SymPy's reductions; False if open."""
    if constant.free_symbols:
        return False
    constant = evaluated(constant)
    roots = constant.atoms(sympy.polys.rootoftools.ComplexRootOf)
    if len(roots) == 1:
        return _vanishes_at_root(constant, roots.pop())
    if roots or sympy.count_ops(constant) > _LARGEST_ALGEBRAIC:
        return False
    return bool(is_zero(constant))


def _vanishes_at_root(constant: sympy.Expr, root: sympy.Expr) -> bool:
    unknown = sympy.Dummy("root")
    numerator = sympy.numer(sympy.together(constant.xreplace({root: unknown})))
    if not numerator.is_polynomial(unknown):
        return False
    polynomial = sympy.Poly(root.expr, *root.expr.free_symbols)
    minimal = sympy.Poly(polynomial.as_expr().xreplace({polynomial.gen: unknown}), unknown)
    return bool(sympy.Poly(numerator, unknown).rem(minimal).is_zero)


@lru_cache(maxsize=2048)
def conditional(relation: Relation) -> tuple[sympy.Expr, ...]:
    """The terms of a relation whose being defined is not plain from the declared domains, arguments first."""
    found = dict.fromkeys(node for side in (relation.lhs, relation.rhs) for node in parts(side))
    return tuple(node for node in found if not all(evident(r) for r in needs(node)))


def undefined_part(relation: Relation, point: Mapping[sympy.Symbol, Value]) -> Gap | None:
    """The first term that certainly is no real number at the point, or None."""
    for node in conditional(relation):
        broken = _broken(node, point)
        if broken is not None:
            return Gap(node, broken)
    return None


def _broken(node: sympy.Expr, point: Mapping[sympy.Symbol, Value]) -> Relation | None:
    """The condition of a term that certainly fails at the point; only where the term certainly has no real value."""
    if isinstance(node, sympy.Pow):
        return _broken_power(node, point)
    if isinstance(node, BINDERS):
        return _broken_inside(node, point)
    if not isinstance(node, sympy.log) and not type(node).__name__.startswith("LogRemainder"):
        return None  # other functions are real also outside of what `needs` asks for
    return next((r for r in needs(node) if holds(r, lambda e: sign(e, point)) is False), None)


def _broken_power(node: sympy.Pow, point: Mapping[sympy.Symbol, Value]) -> Relation | None:
    base, exponent = node.args
    value = exponent_at(exponent, point)
    below = sign(base, point)
    if below == "zero":
        return Relation(base, "!=", sympy.S.Zero) if sign(exponent, point) == "negative" else None
    if below != "negative" or value is None or value.denominator == 1:
        return None
    return Relation(base, ">=" if value > 0 else ">", sympy.S.Zero)


def _broken_inside(node: sympy.Expr, point: Mapping[sympy.Symbol, Value]) -> Relation | None:
    """The condition that the function below a derivative, a substitution or a sum certainly breaks at the point."""
    inside: list[sympy.Expr] = [node.args[0]] if isinstance(node, sympy.Derivative | At) else terms(node) or []
    there = dict(point)
    if isinstance(node, At):
        at = {s: value_at(place, point) for s, place in zip(node.variables, node.point, strict=True)}
        there = {s: v for s, v in point.items() if s not in at} | {s: v for s, v in at.items() if v is not None}
        if len(there) < len(set(point) | set(at)):
            return None
    found = (_broken(part, there) for expression in inside for part in parts(expression))
    condition = next((c for c in found if c is not None), None)
    if condition is None or not isinstance(node, At):
        return condition
    constants = {s: as_sympy(there[s]) for s in node.variables}
    return Relation(placed(condition.lhs, constants), condition.op, placed(condition.rhs, constants))


def value_at(expression: sympy.Expr, point: Mapping[sympy.Symbol, Value]) -> Value | None:
    """The exact value of an expression at a point where it is seen to be rational, else None."""
    there = exact(evaluated(placed(expression, {s: as_sympy(v) for s, v in point.items()})))
    return there if isinstance(there, Fraction) else None


def exponent_at(exponent: sympy.Expr, point: Mapping[sympy.Symbol, Value]) -> Fraction | None:
    """The exact value of an exponent, None where it is not seen to be rational."""
    placed = exponent.xreplace({s: as_sympy(v) for s, v in point.items()})
    return Fraction(int(placed.p), int(placed.q)) if isinstance(placed, sympy.Rational) else None


Truth: TypeAlias = "bool | str | None"


def truth_at(formula: Formula, decide: Callable[[Relation], Truth]) -> Truth:
    """Return what is certain of a formula: True, False, `UNDEFINED` (it cannot be true), or None.

    A part that is not defined does no harm where another part settles the formula: `x > 0 implies log(x) < x` is true
    at x = -1.
    """
    match formula:
        case Relation():
            return decide(formula)
        case All(members):
            return _every([truth_at(p, decide) for p in members])
        case Either(members):
            return _opposite(_every([_opposite(truth_at(p, decide)) for p in members]))
        case Implies(left, right):
            return _opposite(_every([truth_at(left, decide), _opposite(truth_at(right, decide))]))
        case Iff(left, right):
            first, second = truth_at(left, decide), truth_at(right, decide)
            if UNDEFINED in (first, second):
                return UNDEFINED
            return None if first is None or second is None else first == second


def _every(values: Iterable[Truth]) -> Truth:
    found = list(values)
    if any(v is False for v in found):
        return False
    if any(v is None for v in found):
        # Whatever the open ones are, a conjunction with an undefined part is not true; its opposite may be.
        return None
    return UNDEFINED if UNDEFINED in found else True


def _opposite(value: Truth) -> Truth:
    return (not value) if isinstance(value, bool) else value


def truth_by_arb(formula: Formula, point: Mapping[sympy.Symbol, Value], *, maximum_bits: int = _BITS) -> Truth:
    """Return what Arb is certain of at an exact point."""

    def decide(relation: Relation) -> Truth:
        if undefined_part(relation, point) is not None:
            return UNDEFINED
        return holds(relation, lambda e: sign(e, point, maximum_bits=maximum_bits))

    return truth_at(formula, decide)


def first_gap(formula: Formula, point: Mapping[sympy.Symbol, Value]) -> Gap | None:
    """The first term of a formula that is no real number at the point."""
    return next((gap for r in relations(formula) if (gap := undefined_part(r, point)) is not None), None)
