"""Where an expression is a real number: the conditions that each of its terms puts on the arguments."""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy.core.function import AppliedUndef

from rgm_verify.claims.formula import Relation, ge, gt, ne

#: The condition of a term of which nothing is known: it is never shown, and being assumed it says nothing.
UNKNOWN = gt(0, 0)
#: Functions that are real wherever their arguments are.
_TOTAL = (
    sympy.Add, sympy.Mul, sympy.Symbol, sympy.Rational, sympy.NumberSymbol, sympy.exp, sympy.Abs, sympy.Max, sympy.Min,
    sympy.sign, sympy.sin, sympy.cos, sympy.sinh, sympy.cosh, sympy.tanh, sympy.atan, sympy.asinh,
    sympy.erf, sympy.erfc,
    sympy.floor, sympy.ceiling, AppliedUndef,
)  # fmt: skip
#: An integral or a sum is a real number if it converges, which is SymPy's to say when it evaluates it.
_BINDING = (sympy.Integral, sympy.Sum, sympy.Product)


def parts(expression: sympy.Expr) -> Iterator[sympy.Expr]:
    """The terms of an expression, arguments before what is made of them; nothing inside an integral or a sum."""
    if not isinstance(expression, _BINDING):
        for argument in expression.args:
            if isinstance(argument, sympy.Expr):
                yield from parts(argument)
    yield expression


def needs(node: sympy.Expr) -> tuple[Relation, ...]:
    """What the arguments of one term must satisfy for it to be a real number; `UNKNOWN` where nothing is known."""
    if isinstance(node, sympy.Pow):
        return _power_needs(*node.args)
    if isinstance(node, sympy.log):
        return (gt(node.args[0], 0),)
    if isinstance(node, sympy.gamma):
        return (gt(node.args[0], 0),)
    if isinstance(node, sympy.uppergamma | sympy.lowergamma):
        return (gt(node.args[0], 0), ge(node.args[1], 0))
    if type(node).__name__.startswith("LogRemainder"):
        return (gt(1 + node.args[-1], 0),)
    return () if isinstance(node, _TOTAL + _BINDING) else (UNKNOWN,)


def _power_needs(base: sympy.Expr, exponent: sympy.Expr) -> tuple[Relation, ...]:
    if base is sympy.E or (exponent.is_integer and exponent.is_nonnegative):
        return ()
    if exponent.is_integer:
        return (ne(base, 0),)
    return (ge(base, 0),) if exponent.is_positive else (gt(base, 0),)


def evident(relation: Relation) -> bool:
    """Whether the declared domains of the symbols alone imply a condition."""
    gap = relation.gap
    if relation.op == "!=":
        return gap.is_nonzero is True
    return (gap.is_positive if relation.strict else gap.is_nonnegative) is True
