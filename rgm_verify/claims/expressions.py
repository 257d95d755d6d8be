"""Expressions of formulas: exact, real wherever they have a value, and written as SymPy writes them."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Any, TypeAlias

import sympy
from sympy.core.function import AppliedUndef, UndefinedFunction

__all__ = ["ExpressionLike", "FormulaError", "beyond_reals", "expression", "is_constant", "no_formula"]

ExpressionLike: TypeAlias = "sympy.Expr | int | Fraction"


_NOT_REAL = (sympy.S.ImaginaryUnit, sympy.S.NaN, sympy.S.ComplexInfinity, sympy.S.Infinity, sympy.S.NegativeInfinity)


class FormulaError(ValueError):
    """A formula that cannot mean what its author wants (unknown operator, a float, a non-expression)."""


def is_constant(e: sympy.Expr) -> bool:
    """Return whether an expression has one value, if any: it has no free variable, and no function without a name.

    SymPy's `is_number` says no of an integral and of a sum.

    Args:
        e: An expression.

    Examples:
        >>> x, y = sympy.symbols("x y")
        >>> [is_constant(sympy.Integral(x, (x, 0, end))) for end in (1, y)]
        [True, False]
    """
    return not e.free_symbols and not e.atoms(AppliedUndef)


def expression(value: ExpressionLike, *, name: str) -> sympy.Expr:
    """Return `value` as an exact SymPy expression; floating-point constants are refused.

    Raises `FormulaError` naming the argument and the offending part.

    Args:
        value: An expression, an int or a Fraction.
        name: The name of the argument, for the message.

    Examples:
        >>> expression(Fraction(1, 3), name="x")
        1/3
    """
    if isinstance(value, str | bool):  # SymPy would run a text as code
        raise FormulaError(f"{name}={value!r}: expected an expression, got {type(value).__name__}")
    # A Fraction and an int become exact numbers of SymPy's.
    result = sympy.sympify(value)
    if isinstance(result, sympy.logic.boolalg.Boolean) and not isinstance(result, sympy.Expr):  # a symbol is both
        raise FormulaError(f"{name}={value!r}: {no_formula(result)}")
    if not isinstance(result, sympy.Expr):
        raise FormulaError(f"{name}={value!r}: expected an expression, got {type(result).__name__}")
    # One walk for all questions: an expression is seen again in every claim that is made of it.
    # No set of them, in which a float could be lost to a number that SymPy takes for equal.
    nodes = list(sympy.preorder_traversal(result))
    floats = sorted((node for node in nodes if isinstance(node, sympy.Float)), key=str)
    if floats:
        raise FormulaError(f"{name}={value}: {floats[0]} is a float; write an exact number such as Rational(1, 10)")
    if any(type(node) is sympy.Subs for node in nodes):
        raise FormulaError(
            f"{name}={value}: SymPy takes different objects of its class Subs for equal; write At(f, x, a) of "
            "rgm_verify.claims"
        )
    # A derivative of a symbolic order is no function of its variable that any lens could evaluate.
    for slope in sorted((node for node in nodes if isinstance(node, sympy.Derivative)), key=str):
        if not all(order.is_Integer for _, order in slope.variable_count):
            raise FormulaError(f"{name}={value}: the order of {slope} is not a number; write Derivative(f, (x, 2))")
    # What is not SymPy's may override any of its questions, and nobody has looked at the answers.
    foreign = next((kind for kind in {type(node) for node in nodes} if not _is_known(kind)), None)
    if foreign is not None:
        raise FormulaError(
            f"{name}={value}: {foreign.__name__} is no class of SymPy's or of this library, so that nothing is known "
            "of it; write the expression with functions of SymPy"
        )
    # An infinity or an i anywhere within: SymPy may cancel it later, and then nobody sees it any more.
    beyond = _beyond_reals(result, nodes)
    if beyond:
        raise FormulaError(f"{name}={value}: {beyond[0]} is not a real number; write a side that is real throughout")
    return result


def beyond_reals(e: sympy.Expr) -> list[sympy.Expr]:
    """Return the constants in an expression that are no real numbers; infinite ends of integrals are none of them.

    Args:
        e: An expression.

    Examples:
        >>> x = sympy.Symbol("x", real=True)
        >>> beyond_reals(1 + sympy.Integral(sympy.exp(-x), (x, 0, sympy.oo))), beyond_reals(x + sympy.I)
        ([], [I])
    """
    return _beyond_reals(e, list(sympy.preorder_traversal(e)))


def _beyond_reals(e: sympy.Expr, nodes: list[sympy.Basic]) -> list[sympy.Expr]:
    """Return the constants of an expression that are no real numbers, given all of its nodes."""
    found = _without_infinite_ends(e, nodes)
    return sorted((constant for constant in _NOT_REAL if constant in found), key=str)


def _without_infinite_ends(e: sympy.Expr, nodes: list[sympy.Basic]) -> list[sympy.Basic]:
    """Return the nodes of an expression but for infinite ends of its integrals, which are limits and no numbers.

    A lower end may be -oo and an upper one oo; the other way round an infinity counts as a node.
    """
    if not any(isinstance(node, sympy.Integral) for node in nodes):
        return nodes
    if isinstance(e, sympy.Integral):
        found: list[sympy.Basic] = [e]
        for limit in e.limits:
            ends = limit.args[1:]
            own = (-sympy.oo, sympy.oo) if len(ends) == 2 else (None,) * len(ends)
            finite = (end for end, infinity in zip(ends, own, strict=True) if end != infinity)
            found += [n for end in finite for n in sympy.preorder_traversal(end)]
        return found + _without_infinite_ends(e.function, list(sympy.preorder_traversal(e.function)))
    inner = (n for a in e.args for n in _without_infinite_ends(a, list(sympy.preorder_traversal(a))))
    return [e, *inner]


def _is_known(kind: Any) -> bool:
    """Return whether a class of expressions is SymPy's or this library's own, found under its name in its module.

    A class from elsewhere could carry assumptions that no check has seen, and proofs would use them.
    """
    # f in f(x) is a class that an author makes; nothing is assumed of it but its arguments.
    if isinstance(kind, UndefinedFunction):
        return True
    module = str(kind.__module__)
    if module.partition(".")[0] not in ("sympy", "rgm_verify"):
        return False
    # A class may say any module of itself; it has to be found there.
    return getattr(sys.modules.get(module), kind.__name__, None) is kind


def no_formula(value: object) -> str:
    """Return what to write for something that is no formula of ours.

    Args:
        value: A truth value, a relation of SymPy's, or anything else.
    """
    # The commonest slip has a message of its own.
    if value in (sympy.true, sympy.false):
        return (
            "this is a truth value: Python or SymPy has evaluated the comparison already; write le(a, b), lt, ge, gt, "
            "eq or ne, which keep both sides"
        )
    if isinstance(value, sympy.logic.boolalg.Boolean) and not isinstance(value, sympy.Expr):
        return "this is a relation of SymPy's, which rearranges its sides; write le(a, b), lt, ge, gt, eq or ne"
    return f"expected a formula such as le(a, b) or both(...), got {type(value).__name__}"
