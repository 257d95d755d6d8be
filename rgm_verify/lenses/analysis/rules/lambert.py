"""Lambert's function by what it inverts: every x >= 0 is w exp(w) for exactly one w >= 0, and W(x) is that w."""

from __future__ import annotations

from fractions import Fraction

import sympy

from rgm_verify.claims.claim import real
from rgm_verify.lenses.analysis.goals import Domain, Goal, symbols_in

__all__ = ["without_lambert"]


def without_lambert(goal: Goal) -> Goal | None:
    """The same goal in w for an x >= 0 that Lambert's function is taken of; None where there is none.

    Args:
        goal: A goal that is defined on its domain.
    """
    for node in sorted(goal.expression.atoms(sympy.LambertW), key=sympy.default_sort_key):
        x = node.args[0]
        found = next((v for v in goal.domain.variables if v.symbol == x), None)
        if len(node.args) != 1 or found is None or found.upper is not None or found.lower != 0:
            continue
        # An assumption on x would be one on w exp(w).
        if any(x in symbols_in(r) for r in goal.domain.extra):
            continue
        made = real(f"(W of {x})", lower=Fraction(0), lower_open=found.lower_open)
        w = made.symbol
        moved = goal.expression.xreplace({node: w}).xreplace({x: w * sympy.exp(w)})
        variables = tuple(made if v is found else v for v in goal.domain.variables)
        return Goal(moved, goal.strict, Domain(variables, goal.domain.extra))
    return None
