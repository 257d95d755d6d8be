"""Units of measurement: a variable that only sets the scale is 1, without loss of generality.

Let u > 0 range over all positive numbers, and let every other variable v with a weight w != 0 range over the line, a
half-line from 0 or one up to 0. For each u the map v -> v u^w takes these ranges onto themselves. So a goal that
holds at (u, v u^w) for all u and v holds everywhere, and if u drops out there up to a factor of one sign, it is left
out: the goal is shown at u = 1. Assumptions have to be such that u drops out of them as well.

Floats propose the weights, and the variable has to drop out of the expressions themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import sympy

from rgm_verify.claims.claim import Variable
from rgm_verify.claims.formula import Relation
from rgm_verify.lenses.analysis.floats import floats
from rgm_verify.lenses.analysis.goals import Domain, Goal, narrowed, symbols_in
from rgm_verify.lenses.analysis.rules.common_terms import carried, placed, without

if TYPE_CHECKING:
    from rgm_verify.lenses.analysis.search import Prover

__all__ = ["by_scaling", "weights"]

_WEIGHTS = (0, 1, -1, 2, -2)
#: More variables would have too many weights; fewer points would tell too little.
_MOST_VARIABLES, _FEWEST_POINTS, _SOME = 4, 12, 40
_MOST_TRIED, _LONGEST = 3, 150
_SAME = 1e-7


def by_scaling(goal: Goal, prover: Prover) -> Goal | None:
    """The same goal with one variable less, which only sets the scale of the others; None where there is none.

    Args:
        goal: A goal that is defined on its domain.
    """
    used = [v for v in goal.domain.variables if v.symbol in goal.expression.free_symbols]
    if not 2 <= len(used) <= _MOST_VARIABLES or sympy.count_ops(goal.expression) > _LONGEST:
        return None
    if goal.expression.is_rational_function(*(v.symbol for v in used)):
        return None
    tried, made = 0, []
    for unit in used:
        if not _is_half_line(unit) or unit.lower is None or not unit.lower_open:
            continue
        for found in weights(goal, unit, [v for v in used if v is not unit], prover):
            tried += 1
            after = _at_unit(goal, unit, found, prover) if tried <= _MOST_TRIED else None
            if after is not None:
                made.append(after)
                break
    return min(made, key=lambda g: sympy.count_ops(g.expression)) if made else None


def _is_half_line(v: Variable) -> bool:
    """Return whether a range is taken onto itself by every positive factor: no end of it is any number but 0."""
    if v.integer:
        return False
    return v.lower in (None, 0) and v.upper in (None, 0) and not (v.lower == 0 and v.upper == 0)


def weights(goal: Goal, unit: Variable, others: list[Variable], prover: Prover) -> Iterator[dict[sympy.Symbol, int]]:
    """Weights of the other variables with which floats see the unit drop out of a goal, the simplest first.

    Args:
        prover: The search, for points of the domain.
    """
    columns = {s: c[:_SOME] for s, c in prover.columns(goal.domain).items()}
    with np.errstate(all="ignore"):
        here = floats(goal.expression, columns)
        keep = np.isfinite(here) & (here != 0)
        if keep.sum() < _FEWEST_POINTS:
            return
        choices = [_WEIGHTS if _is_half_line(v) else (0,) for v in others]
        for found in sorted(product(*choices), key=lambda ws: (sum(abs(w) for w in ws), ws)):
            moved = dict(columns) | {unit.symbol: columns[unit.symbol] * 2}
            moved |= {v.symbol: columns[v.symbol] * 2.0**w for v, w in zip(others, found, strict=True)}
            ratio = floats(goal.expression, moved)[keep] / here[keep]
            ratio = ratio[np.isfinite(ratio)]
            # Where terms cancel floats are wrong at some points: most have to agree.
            middle = float(np.median(ratio)) if len(ratio) >= _FEWEST_POINTS else 0.0
            if middle > 0 and np.mean(np.abs(ratio / middle - 1) < _SAME) > 0.7:
                yield {v.symbol: w for v, w in zip(others, found, strict=True)}


def _at_unit(goal: Goal, unit: Variable, found: dict[sympy.Symbol, int], prover: Prover) -> Goal | None:
    """The goal at unit 1, if the unit drops out when the other variables are measured in it."""
    u, variables = unit.symbol, goal.domain.variables
    values = {s: s * u**w for s, w in found.items() if w}
    moved = prover.tidy(placed(goal.expression, values), Domain(variables))
    rest = without(moved, (u,), Domain(variables), prover)
    if rest is None or rest.is_number:
        return None
    # An assumption that the unit drops out of holds at (1, v) where it holds at (u, v u^w).
    tied = [r for r in goal.domain.extra if symbols_in(r) & {u, *values}]
    apart = [r for r in goal.domain.extra if r not in tied]
    plain = Domain(variables, tuple(apart))
    one = {u: sympy.S.One}
    kept = [r for r in tied if r.op != "!=" and carried(r, values, (u,), plain, prover) is not None]
    # One that it does not drop out of would be lost, and the goal asks for more then than it does.
    if len(kept) < len(tied):
        return None
    extra = [*apart, *(Relation(r.lhs.xreplace(one), r.op, r.rhs.xreplace(one)) for r in kept)]
    narrow = narrowed(Domain(tuple(v for v in variables if v is not unit), tuple(extra)))
    # The sign of what is left is that of the goal itself at 1, which is written as its author wrote it.
    after = Goal(goal.expression.xreplace(one), goal.strict, narrow)
    return after if prover.defined(after.expression, narrow) else None
