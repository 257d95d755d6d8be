"""Conditions for an expression to be smooth on the way from a start to a variable, as Taylor's formula
needs it.

A formal derivative proves nothing across a pole or the end of a domain: 1/x falls everywhere and is
not larger at -1 than at 1. So each node of an expression gives the condition under which it is
smooth there, and z3 shows the condition for all points of the way. Compositions of smooth functions
are smooth, which makes the conditions of the nodes enough. Of a function that is not in the list no
condition is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import sympy

from rgm_verify.claims.formula import Formula, both, either, ge, gt, le, ne
from rgm_verify.lenses.solvers.definedness import Need, Unknown, smooth_where
from rgm_verify.lenses.solvers.smt import prove

#: A point between a start and a variable; images of premises of `Monotone` may speak of it.
WAY = sympy.Symbol("w_on_the_way", real=True)

_PLAIN = (sympy.Add, sympy.Mul, sympy.Number, sympy.NumberSymbol, sympy.Symbol)


def on_the_way(variable: sympy.Symbol, start: sympy.Expr) -> Formula:
    """The formula that says that `WAY` lies between the start and the variable.

    Args:
        start: The start, which may lie on either side of the variable.
    """
    return either(both(le(start, WAY), le(WAY, variable)), both(le(variable, WAY), le(WAY, start)))


def undefined_on_the_way(
    given: Sequence[Formula],
    gap: sympy.Expr,
    variable: sympy.Symbol,
    start: sympy.Expr,
    steps: int,
    *,
    from_start: bool = True,
) -> str:
    """The first condition for the gap to be smooth that was not shown on the whole way from start to variable.

    Without `from_start` an incomplete gamma function need only be continuous at the start, which is enough where its
    derivative is asked for on the way alone.

    Args:
        given: What may be assumed, in the claim's variables.
        start: The start of the way, in the other variables.
        steps: The effort for z3 for each condition.
        from_start: Whether smoothness is needed at the start itself.

    Returns:
        A sentence that names the condition, or an empty text if all were shown.
    """
    # The assumptions of the claim are about the variable; of `WAY` only its place is known.
    whole = [*given, on_the_way(variable, start)]
    inner = whole if from_start else [*whole, ne(WAY, start)]
    on_way = gap.subs(variable, WAY)
    conditions: list[tuple[list[Formula], Need]] = [(whole, c) for c in smoothness(on_way, WAY)]
    for node in sorted(on_way.atoms(sympy.uppergamma, sympy.lowergamma), key=str):
        order, argument = node.args
        # x -> Gamma(s, x) is smooth for x > 0 and a positive order s; its dependence on s is not
        # covered by what follows.
        if order.has(WAY) or not order.is_positive:
            return f"not shown to be smooth on the way: {node}"
        conditions += [(whole, ge(argument, 0)), (inner, gt(argument, 0))]
    for known, condition in conditions:
        if isinstance(condition, Unknown):
            return f"not shown to be smooth on the way: of a function in {on_way} no condition is known"
        if prove(known, condition, steps=steps, atoms=True).answer != "proved":
            return f"not shown to be smooth on the way: {condition.lhs} {condition.op} {condition.rhs}"
    return ""


def smoothness(expression: sympy.Expr, variable: sympy.Symbol | None = None) -> Iterator[Need]:
    """Conditions under which an expression of powers, roots, exponentials, logarithms and error functions is smooth.

    Those of incomplete gamma functions are in `undefined_on_the_way`. A term without the `variable`, if one is given,
    is a constant.

    A condition is sufficient and may be stronger than needed: a root asks for a positive base, because
    at 0 it has no derivative.

    Args:
        expression: The expression, without derivatives, sums or integrals that wait to be worked out.
        variable: The variable in which smoothness is asked for; None for all.

    Yields:
        Relations that are to hold all along the way; `UNKNOWN` for a function that nothing is known of.
    """
    for node in sympy.preorder_traversal(expression):
        if variable is not None and not node.has(variable):
            continue
        if isinstance(node, sympy.Pow):
            base, exponent = node.args
            # An exponent that varies or is a fraction means exp(exponent * log(base)).
            if not exponent.is_Integer and base is not sympy.E and not base.is_positive:
                yield gt(base, 0)
            elif exponent.is_negative and not base.is_positive:
                yield ne(base, 0)
        elif not isinstance(node, (*_PLAIN, sympy.uppergamma, sympy.lowergamma)):
            yield from smooth_where(node)
