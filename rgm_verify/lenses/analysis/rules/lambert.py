"""Lambert's function by what it inverts: every x >= 0 is w exp(w) for exactly one w >= 0, and W(x) is that w."""

from __future__ import annotations

import math
from fractions import Fraction

import sympy

from rgm_verify.balls.enclose import enclose
from rgm_verify.claims.claim import real
from rgm_verify.lenses.analysis.goals import Domain, Goal, symbols_in
from rgm_verify.lenses.base import rational

__all__ = ["without_lambert"]

#: An irrational end of a range is rounded down to a multiple of its inverse.
_GRAIN = 10**6


def without_lambert(goal: Goal) -> Goal | None:
    """The same goal in w for an x >= 0 such that Lambert's function is taken of x + c; None where there is none.

    Where W(c) is irrational, w begins a little below it, so that the goal asks for a little more.

    Args:
        goal: A goal that is defined on its domain.
    """
    for node in sorted(goal.expression.atoms(sympy.LambertW), key=sympy.default_sort_key):
        start, x = node.args[0].as_coeff_Add()
        found = next((v for v in goal.domain.variables if v.symbol == x), None)
        if len(node.args) != 1 or found is None or found.upper is not None or found.lower != 0:
            continue
        # An assumption on x would be one on w exp(w).
        if not start.is_Rational or start < 0 or any(x in symbols_in(r) for r in goal.domain.extra):
            continue
        low = _at_most_w(Fraction(int(start.p), int(start.q)))
        if low is None:
            continue
        made = real(f"(W of {node.args[0]})", lower=low, lower_open=found.lower_open and start == 0)
        w = made.symbol
        moved = goal.expression.xreplace({node: w}).xreplace({x: w * sympy.exp(w) - start})
        variables = tuple(made if v is found else v for v in goal.domain.variables)
        return Goal(moved, goal.strict, Domain(variables, goal.domain.extra))
    return None


def _at_most_w(start: Fraction) -> Fraction | None:
    """Return a rational number that W is not below at a rational number >= 0, near it."""
    if start == 0:
        return Fraction(0)
    low = enclose(sympy.LambertW(rational(start)), {}, digits=12, maximum_bits=256).lower
    return None if low is None else Fraction(math.floor(low * _GRAIN), _GRAIN)
