"""Tangents of convex terms at the place where a sum of them is least: what is left has no logarithm or exponential.

u log u >= u log c + u - c, -log u >= 1 - log c - u/c and exp(u) >= exp(c) (1 + u - c), for every number c, and c > 0
beside a logarithm. At the least value of a sum of such terms, jointly in all variables, the tangents touch.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import sympy

from rgm_verify.lenses.analysis.floats import floats
from rgm_verify.lenses.analysis.goals import Goal

if TYPE_CHECKING:
    from rgm_verify.lenses.analysis.search import Prover

__all__ = ["by_tangents"]

_LONGEST = 80
_DENOMINATOR = 60
#: Rounds of a search by floats for the place, each with this many points around the best one.
_ROUNDS, _POINTS = 40, 100


def by_tangents(goal: Goal, prover: Prover, depth: int) -> bool:
    """Return whether a goal in several variables was shown with tangents in the places of its convex terms.

    Args:
        goal: A goal that is defined on its domain.
        depth: Ways within ways that may be tried.
    """
    e = goal.expression
    nodes = sorted((n for n in e.atoms(sympy.log, sympy.exp) if n.free_symbols), key=sympy.default_sort_key)
    if len(e.free_symbols) < 2 or len(nodes) < 2 or sympy.count_ops(e) > _LONGEST:
        return False
    names = {node: sympy.Dummy(f"term {i}", real=True) for i, node in enumerate(nodes)}
    plain = e.xreplace(names)
    shares = {node: sympy.expand(plain.diff(name)) for node, name in names.items()}
    if any(s.has(*names.values()) or n.args[0].has(*nodes) or not _is_convex(n, s) for n, s in shares.items()):
        return False
    place = _least(goal, prover)
    if place is None:
        return False
    tangents = {}
    for node, share in shares.items():
        u = node.args[0]
        c = sympy.Rational(str(Fraction(float(u.subs(place))).limit_denominator(_DENOMINATOR)))
        if isinstance(node, sympy.log):
            if c <= 0:
                return False
            slope = 1 - c / u if not share.is_number else u / c - 1
            tangents[names[node]] = sympy.log(c) + slope
        else:
            tangents[names[node]] = sympy.exp(c) * (1 + u - c)
    rest = Goal(sympy.cancel(sympy.expand(plain.xreplace(tangents))), goal.strict, goal.domain)
    if prover.fails(rest) or not prover.show(rest, depth - 1):
        return False
    prover.log.append(f"{e}: above tangents of its convex terms"[:120])
    return True


def _is_convex(node: sympy.Expr, share: sympy.Expr) -> bool:
    """Return whether a term with its factor is convex in its argument: u log u, -log u or exp u, times numbers > 0."""
    if share.is_number:
        return bool(share.is_negative if isinstance(node, sympy.log) else share.is_positive)
    return (
        isinstance(node, sympy.log)
        and sympy.cancel(share / node.args[0]).is_positive is True
        and not (sympy.cancel(share / node.args[0]).free_symbols)
    )


def _least(goal: Goal, prover: Prover) -> dict[sympy.Symbol, float] | None:
    """Return about where an expression is least, by floats with a fixed seed; None where they find nothing."""
    columns = prover.columns(goal.domain)
    generator = np.random.default_rng(0)
    best: dict[sympy.Symbol, float] = {}
    width = 1.0
    for _ in range(_ROUNDS):
        values = np.nan_to_num(floats(goal.expression, columns), nan=np.inf)
        if not values.size or not np.isfinite(values).any():
            return best or None
        at = int(np.argmin(values))
        best = {s: float(c[at]) for s, c in columns.items()}
        width *= 0.6
        columns = {s: np.append(v * np.exp(width * generator.normal(size=_POINTS)), v) for s, v in best.items()}
    return best
