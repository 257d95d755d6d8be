"""A function that is concave along a segment is there at least the smaller one of its values at the two ends.

f is continuous on the segment between a and b, and its second derivative is <= 0 inside; so f lies above its chord. At
an end that the segment only tends to, the limit takes the place of the value.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import sympy

from rgm_verify.lenses.analysis.asymptotics.limits import limit_at
from rgm_verify.lenses.analysis.goals import Goal, symbols_in
from rgm_verify.lenses.analysis.rules.ends import domain_at_end, slope_of
from rgm_verify.lenses.base import rational

if TYPE_CHECKING:
    from rgm_verify.lenses.analysis.search import Prover

__all__ = ["by_concavity"]

_LONGEST = 100


def by_concavity(goal: Goal, x: sympy.Symbol, prover: Prover, depth: int) -> bool:
    """Return whether a goal was shown by its values at both ends of each segment along x, where it is concave.

    Args:
        goal: A goal that is defined on its domain.
        depth: Ways within ways that may be tried.
    """
    e, domain = goal.expression, goal.domain
    # A strict goal would need to know more of the ends.
    if goal.strict or sympy.count_ops(e) > _LONGEST:
        return False
    # For fixed other variables the domain has to be a segment.
    if any(x in symbols_in(r) and slope_of(r, x) is None for r in domain.extra):
        return False
    bend = sympy.diff(e, x, 2)
    if bend == 0 or prover.fails(Goal(-bend, False, domain.inside(x))) or not prover.smooth(e, x, domain):
        return False
    ends = []
    for upper in (False, True):
        found = next(_at_ends(goal, x, prover, upper=upper), None)
        if found is None or prover.fails(found):
            return False
        ends.append(found)
    if not prover.show(Goal(-bend, False, domain.inside(x)), depth - 1):
        return False
    if not all(prover.show(end, depth - 1) for end in ends):
        return False
    prover.log.append(f"{e} is concave in {x}, and >= 0 at both ends"[:120])
    return True


def _at_ends(goal: Goal, x: sympy.Symbol, prover: Prover, *, upper: bool) -> Iterator[Goal]:
    """The goal at an end of each segment along x: where an assumption ends, at an end of the range, or as a limit."""
    e, domain = goal.expression, goal.domain
    for relation in domain.extra:
        slope = slope_of(relation, x) if x in symbols_in(relation) else None
        if slope is None or prover.sign(slope, domain) != (-1 if upper else 1):
            continue
        start = sympy.cancel(x - sympy.expand(relation.gap) / slope)
        if not start.has(x) and (found := prover.at_start(goal, x, start)) is not None:
            yield found
    where = domain.range_of(x)
    end = where.upper if upper else where.lower
    if end is not None and end in domain.closed_ends(x):
        found = prover.at_start(goal, x, rational(end))
        if found is not None:
            yield found
        return
    beside = domain_at_end(domain, x, end, from_above=not upper, prover=prover)
    if beside is None:
        return
    value = limit_at(e, x, end, from_above=not upper, sign=lambda other: prover.sign(other, beside))
    if value is None or value == -sympy.oo:
        return
    yield Goal(sympy.S.Zero if value == sympy.oo else value, False, beside)
