"""Taylor's formula along one variable, from a place where a function and its first derivatives are 0 for all others.

With f and its derivatives below order k equal to 0 at a start a, f(x) is f^(k)(c) (x - a)^k / k! for a c between them.
So one sign of that derivative gives the sign of f: on both sides of the start for an even k, on one side for an odd k.
Cumulants, remainders of series and convex functions beside their tangents are of this kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import sympy

from rgm_verify.claims.formula import Relation
from rgm_verify.lenses.analysis.asymptotics.kernels import plain
from rgm_verify.lenses.analysis.constants import reduced
from rgm_verify.lenses.analysis.floats import floats
from rgm_verify.lenses.analysis.goals import Domain, Goal
from rgm_verify.lenses.base import rational

if TYPE_CHECKING:
    from rgm_verify.lenses.analysis.search import Prover

__all__ = ["by_taylor"]

#: Higher derivatives are mostly longer than what they would show.
_HIGHEST = 4
_LONGEST = 80
#: A smaller share of its terms may be rounding.
_NOISE = 1e-6


def by_taylor(goal: Goal, prover: Prover, depth: int) -> bool:
    """Return whether a goal in several variables was shown by the sign of a derivative; lower ones are 0 at a start.

    Args:
        goal: A goal that is defined on its domain.
        depth: Ways within ways that may be tried.
    """
    e, domain = goal.expression, goal.domain
    if len(e.free_symbols) < 2 or sympy.count_ops(e) > _LONGEST:
        return False
    for v in domain.variables:
        for start in _starts(e, v.symbol, domain) if v.symbol in e.free_symbols else ():
            for order, slope in _after_zeros(goal, v.symbol, start, prover):
                # Beyond the start every power of x - a is positive, before it those of odd order are negative.
                sign = -1 if order % 2 and start != domain.range_of(v.symbol).lower else 1
                last = Goal(sign * slope, goal.strict, domain.inside(v.symbol))
                if prover.fails(last) or not _reaches(goal, v.symbol, start, order, prover):
                    continue
                if prover.show(last, depth - 1):
                    prover.log.append(f"{e} in {v.symbol} from {start}: by Taylor's formula of order {order}"[:120])
                    return True
    return False


def _starts(e: sympy.Expr, x: sympy.Symbol, domain: Domain) -> Iterator[sympy.Expr]:
    """The places where a function may touch 0: ends of the range, 0 inside of it, and the other variables."""
    where = domain.range_of(x)
    yield from (rational(end) for end in (where.lower, where.upper) if end is not None)
    if (where.lower is None or where.lower < 0) and (where.upper is None or where.upper > 0):
        yield sympy.S.Zero
    yield from (v.symbol for v in domain.variables if v.symbol != x and e.has(v.symbol))


def _after_zeros(goal: Goal, x: sympy.Symbol, start: sympy.Expr, prover: Prover) -> Iterator[tuple[int, sympy.Expr]]:
    """The orders from 2 on, with their derivatives, below which all derivatives are 0 at a start."""
    slope = goal.expression
    for order in range(_HIGHEST + 1):
        if order >= 2:
            yield order, slope
        there = slope.subs(x, start)
        if there.has(sympy.nan, sympy.zoo, sympy.oo, sympy.I):
            return
        # Algebra takes its time, and floats see at once that most values are not 0.
        if there != 0 and (_is_away_from_0(there, prover.columns(goal.domain)) or not _is_zero(there)):
            return
        slope = sympy.diff(slope, x)
        if sympy.count_ops(slope) > 2 * _LONGEST:
            return


def _is_away_from_0(value: sympy.Expr, columns: dict[sympy.Symbol, np.ndarray]) -> bool:
    """Return whether floats see a value that is not 0, at most of the points."""
    values = np.abs(floats(value, columns))
    with np.errstate(all="ignore"):
        scale = sum(np.abs(floats(term, columns)) for term in sympy.Add.make_args(value))
        shares = np.nan_to_num(values / np.asarray(scale), nan=0.0, posinf=0.0)
    return bool(np.count_nonzero(shares > _NOISE) > shares.size / 2)


def _is_zero(value: sympy.Expr) -> bool:
    """Return whether an expression without infinities is 0 for all values of its variables, by algebra."""
    return value == 0 or sympy.expand(value) == 0 or bool(reduced(plain(value)))


def _reaches(goal: Goal, x: sympy.Symbol, start: sympy.Expr, order: int, prover: Prover) -> bool:
    """Return whether Taylor's formula holds on all ways from the start, which stay in the domain.

    Every derivative below the order has to be differentiable inside, and continuous at the start, too.
    """
    domain = goal.domain
    # An odd order has one sign where the ways go to one side.
    one_sided = start.is_Rational and start in (domain.range_of(x).lower, domain.range_of(x).upper)
    if order % 2 and not one_sided:
        return False
    # At the start itself the value is 0, so that it has to be left out of a strict goal.
    if goal.strict and not prover.holds(Relation(x, "!=", start), domain):
        return False
    slope = goal.expression
    for _ in range(order):
        if not prover.smooth(slope, x, domain):
            return False
        there = prover.at_start(Goal(slope, False, domain), x, start)
        if there is None or not (there.expression == 0 or _is_zero(there.expression)):
            return False
        slope = sympy.diff(slope, x)
    return True
