"""Ends of a range that a variable may tend to beside assumptions on it.

For fixed values of the other variables an assumption that is affine in x with a slope of one sign holds on a half-line.
If moving towards an end keeps it, every point of the domain can be moved there without leaving the domain.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import sympy

from rgm_verify.claims.formula import FormulaError, Relation
from rgm_verify.lenses.analysis.goals import Domain, symbols_in
from rgm_verify.lenses.base import rational

if TYPE_CHECKING:
    from rgm_verify.lenses.analysis.questions import Questions

__all__ = ["domain_at_end", "slope_of"]


def slope_of(relation: Relation, x: sympy.Symbol) -> sympy.Expr | None:
    """The factor of x in the difference of the sides of an inequality, which are both affine in x; None for others."""
    if relation.op in ("==", "!="):
        return None
    # A side with x inside of a function may have no value on the way.
    for side in (relation.lhs, relation.rhs):
        side_slope = sympy.expand(side).diff(x)
        if side_slope.has(x) or not sympy.expand(side).is_polynomial(x):
            return None
    return sympy.expand(sympy.expand(relation.gap).diff(x))


def domain_at_end(
    domain: Domain, x: sympy.Symbol, end: Fraction | None, *, from_above: bool, prover: Questions
) -> Domain | None:
    """The domain of the other variables where x tends to an end; None where an assumption may keep x away from it.

    Args:
        end: The end, None for the infinite one.
        from_above: Whether x comes from above, so that the end is the lower one.
        prover: The search, for signs.
    """
    kept = []
    for relation in domain.extra:
        if x not in symbols_in(relation):
            kept.append(relation)
            continue
        slope = slope_of(relation, x)
        known = None if slope is None else prover.sign(slope, domain)
        # Towards larger x an assumption `gap >= 0` with a rising gap goes on to hold.
        if known != (-1 if from_above else 1):
            return None
        if end is not None:
            try:
                there = Relation(sympy.expand(relation.gap.subs(x, rational(end))), ">=", sympy.S.Zero)
            except FormulaError:
                return None
            kept.append(there)
    return Domain(tuple(v for v in domain.variables if v.symbol != x), tuple(kept))
