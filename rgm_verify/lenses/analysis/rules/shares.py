"""Square roots of a share p and of 1 - p without roots: p = y^2/(1 + y^2) for exactly one y > 0, at every 0 < p < 1.

Then sqrt(p) is y/sqrt(1 + y^2), and sqrt(1 - p) is 1/sqrt(1 + y^2). Logarithms of such terms have rational derivatives.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from rgm_verify.claims.claim import real
from rgm_verify.lenses.analysis.asymptotics.growth import NotKnown, constant_sign
from rgm_verify.lenses.analysis.goals import Domain, Goal
from rgm_verify.lenses.analysis.univariate import Open

__all__ = ["by_odds"]

_LONGEST = 80


def by_odds(goal: Goal) -> Goal | None:
    """The same goal in y for a share p in [0, 1] of which square roots are taken; None for another one.

    At closed ends of the range the goal is looked at here, as y is neither 0 nor infinite.

    Args:
        goal: A goal in one variable that is defined on its domain.
    """
    e, domain = goal.expression, goal.domain
    if len(e.free_symbols) != 1 or domain.extra or sympy.count_ops(e) > _LONGEST:
        return None
    (p,) = e.free_symbols
    where = domain.range_of(p)
    roots = {power.base for power in e.atoms(sympy.Pow) if power.exp.is_Rational and power.exp.q == 2}
    if where != Open(Fraction(0), Fraction(1)) or not {p, 1 - p} <= roots:
        return None
    try:
        values = [constant_sign(e.subs(p, sympy.Integer(end))) for end in (int(end) for end in domain.closed_ends(p))]
    except NotKnown:
        return None
    if any(value < 0 or (value == 0 and goal.strict) for value in values):
        return None
    made = real(f"(odds of {p})", lower=0, lower_open=True)
    y = sympy.Symbol(made.symbol.name, positive=True)
    whole = 1 + y**2
    shares = {p: (y, whole), 1 - p: (sympy.S.One, whole)}

    def told(power: sympy.Expr) -> sympy.Expr:
        above, below = shares[power.base]
        # A square root of y^2 is y itself.
        return above ** (2 * power.exp) * below ** (-power.exp)

    def is_root(power: sympy.Expr) -> bool:
        return isinstance(power, sympy.Pow) and power.base in shares and power.exp.is_Rational and power.exp.q == 2

    without = e.replace(is_root, told).xreplace({1 - p: 1 / whole}).xreplace({p: y**2 / whole})
    if without.has(p):
        return None
    others = tuple(v for v in domain.variables if v.symbol != p)
    return Goal(without.xreplace({y: made.symbol}), goal.strict, Domain((*others, made)))
