"""Sines and cosines as points of circles: what holds for all s, c with s^2 + c^2 = 1 holds for all sines and cosines.

Addition theorems first write functions of sums and multiples by those of single variables.
"""

from __future__ import annotations

import sympy

from rgm_verify.claims.claim import real
from rgm_verify.claims.formula import FormulaError, Relation
from rgm_verify.lenses.analysis.goals import Domain, Goal

__all__ = ["on_circles"]

_CIRCULAR = (sympy.sin, sympy.cos)
_LONGEST, _MOST_CIRCLES = 80, 3


def on_circles(goal: Goal) -> Goal | None:
    """A goal between polynomials whose variables are points of circles, which implies the given one; None without one.

    Args:
        goal: A goal that is defined on its domain.
    """
    if not goal.expression.has(*_CIRCULAR) or sympy.count_ops(goal.expression) > _LONGEST:
        return None
    told = sympy.expand(sympy.expand_trig(goal.expression))
    nodes = told.atoms(*_CIRCULAR)
    angles = sorted({n.args[0] for n in nodes}, key=sympy.default_sort_key)
    if not 0 < len(angles) <= _MOST_CIRCLES or not all(a.is_Symbol for a in angles):
        return None
    values: dict[sympy.Expr, sympy.Symbol] = {}
    variables, extra = [], []
    for k, angle in enumerate(angles):
        s, c = real(f"(sine {k})", lower=-1, upper=1), real(f"(cosine {k})", lower=-1, upper=1)
        values |= {sympy.sin(angle): s.symbol, sympy.cos(angle): c.symbol}
        variables += [s, c]
        extra.append(Relation(s.symbol**2 + c.symbol**2, "==", sympy.S.One))
    after = told.xreplace(values)
    # An angle that is left over is no polynomial of a point of its circle.
    if after.has(*angles) or not after.is_polynomial(*after.free_symbols):
        return None
    others = tuple(v for v in goal.domain.variables if v.symbol in after.free_symbols)
    try:
        return Goal(after, goal.strict, Domain((*others, *variables), tuple(extra)))
    except FormulaError:
        return None
