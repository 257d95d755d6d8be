"""Conditions for an expression to be smooth on the way from a start to a variable, as Taylor's formula needs it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import sympy

from rgm_verify.claims.formula import Formula, Relation, both, either, ge, gt, le, ne
from rgm_verify.lenses.solvers.second_solver import Opinion
from rgm_verify.lenses.solvers.smt import prove

#: A point between a start and a variable; images of premises of `Monotone` may speak of it.
WAY = sympy.Symbol("w_on_the_way", real=True)

_SMOOTH = (
    sympy.Add,
    sympy.Mul,
    sympy.Number,
    sympy.NumberSymbol,
    sympy.Symbol,
    sympy.exp,
    sympy.erf,
    sympy.erfc,
    sympy.sin,
    sympy.cos,
    sympy.sinh,
    sympy.cosh,
    sympy.tanh,
    sympy.atan,
    sympy.asinh,
    sympy.erfi,
    sympy.sech,
)


def on_the_way(variable: sympy.Symbol, start: sympy.Expr) -> Formula:
    """The formula that says that `WAY` lies between the start and the variable."""
    return either(both(le(start, WAY), le(WAY, variable)), both(le(variable, WAY), le(WAY, start)))


def undefined_on_the_way(
    given: Sequence[Formula],
    gap: sympy.Expr,
    variable: sympy.Symbol,
    start: sympy.Expr,
    steps: int,
    opinion: Opinion | None = None,
    *,
    from_start: bool = True,
) -> str:
    """The first condition for the gap to be smooth that was not shown on the whole way from start to variable.

    Without `from_start` an incomplete gamma function need only be continuous at the start, which is enough where its
    derivative is asked for on the way alone.
    """
    whole = [*given, on_the_way(variable, start)]
    inner = whole if from_start else [*whole, ne(WAY, start)]
    on_way = gap.subs(variable, WAY)
    conditions = [(whole, c) for c in smoothness(on_way, WAY)]
    for node in sorted(on_way.atoms(sympy.uppergamma, sympy.lowergamma), key=str):
        order, argument = node.args
        if order.has(WAY) or not order.is_positive:
            return f"not shown to be smooth on the way: {node}"
        conditions += [(whole, ge(argument, 0)), (inner, gt(argument, 0))]
    for known, condition in conditions:
        if prove(known, condition, steps=steps, atoms=True, opinion=opinion).answer != "proved":
            return f"not shown to be smooth on the way: {condition.lhs} {condition.op} {condition.rhs}"
    return ""


def smoothness(expression: sympy.Expr, variable: sympy.Symbol | None = None) -> Iterator[Relation]:
    """Conditions under which an expression of powers, roots, exponentials, logarithms and error functions is smooth.

    Those of incomplete gamma functions are in `undefined_on_the_way`. A term without the `variable`, if one is given,
    is a constant.
    """
    for node in sympy.preorder_traversal(expression):
        if variable is not None and not node.has(variable):
            continue
        if isinstance(node, sympy.log):
            yield gt(node.args[0], 0)
        elif isinstance(node, sympy.Pow):
            base, exponent = node.args
            if not exponent.is_Integer and base is not sympy.E and not base.is_positive:
                yield gt(base, 0)
            elif exponent.is_negative and not base.is_positive:
                yield ne(base, 0)
        elif isinstance(node, sympy.gamma | sympy.loggamma):
            yield gt(node.args[0], 0)
        elif isinstance(node, sympy.polygamma) and node.args[0].is_Integer:
            yield gt(node.args[1], 0)
        elif isinstance(node, sympy.erfinv | sympy.atanh | sympy.asin | sympy.acos):
            yield gt(1 - node.args[0] ** 2, 0)
        elif isinstance(node, sympy.tan):
            yield ne(sympy.cos(node.args[0]), 0)
        elif not isinstance(node, (*_SMOOTH, sympy.uppergamma, sympy.lowergamma)):
            yield gt(0, 0)  # an unknown function: nothing is known of its smoothness
