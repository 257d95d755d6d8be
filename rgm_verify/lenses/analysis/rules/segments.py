"""Assumptions along a way: an affine one that holds at both ends of a segment holds on all of it."""

from __future__ import annotations

from collections.abc import Callable

import sympy

from rgm_verify.claims.formula import FormulaError, Relation

__all__ = ["holds_on_segment"]


def holds_on_segment(
    relation: Relation, variable: sympy.Symbol, start: sympy.Expr, holds: Callable[[Relation], bool], *, closed: bool
) -> bool:
    """Return whether an assumption, which holds at the variable, was shown to hold from a start up to it.

    An affine function that is >= 0 at both ends of a segment is >= 0 on it, and > 0 but for an end at which it is 0.
    Terms without the variable are the same all along, so that the assumption is defined on the way.

    Args:
        relation: An inequality that is assumed of the variable.
        start: Its start, an expression in the other variables.
        holds: Whether a relation between expressions in the other variables was shown.
        closed: Whether the start itself belongs to the way.
    """
    if relation.op in ("==", "!="):
        return False
    slope = sympy.expand(relation.gap).diff(variable)
    # A term in which the variable stands inside might not be defined on the way.
    affine = all(
        sympy.expand(side).diff(variable).has(variable) is False and sympy.expand(side).is_polynomial(variable)
        for side in (relation.lhs, relation.rhs)
    )
    if slope.has(variable) or not affine:
        return False
    there = sympy.expand(relation.gap.subs(variable, start))
    if there == 0:
        return not (relation.strict and closed)
    try:
        return holds(Relation(there, ">" if relation.strict and closed else ">=", sympy.S.Zero))
    except FormulaError:
        return False
