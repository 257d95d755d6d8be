"""Two ordered integers by the smaller one and their distance: m <= n is n = m + j for an integer j >= 0.

Induction over n would need the hypothesis at n + 1 to hold at n; over j there is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import sympy

from rgm_verify.claims.claim import Claim, Hypothesis, real
from rgm_verify.claims.formula import FormulaError, Relation
from rgm_verify.lenses.algebra.equations import conjuncts
from rgm_verify.lenses.solvers.definedness import evident

__all__ = ["ordered_integers"]

_NAME = "distance"


def ordered_integers(claim: Claim, wanted: Relation) -> Iterator[tuple[Claim, Relation, sympy.Symbol, sympy.Expr]]:
    """Claims that say the same of a smaller integer and a distance: each with its relation, what is replaced, by what.

    Args:
        claim: A claim with a hypothesis that orders two of its integers.
    """
    integers = {v.symbol: v for v in claim.variables if v.integer}
    if any(v.symbol.name == _NAME for v in claim.variables):
        return
    # What is no conjunction is left out, which makes the claim a stronger one.
    parts = ((h, r) for h in claim.hypotheses for r in conjuncts(h.formula))
    claim = replace(claim, hypotheses=tuple(Hypothesis(f"{h.name}, {i}", r) for i, (h, r) in enumerate(parts)))
    for hypothesis in claim.hypotheses:
        # An equation ties the integers together, and there is no distance left to run over.
        relation = hypothesis.formula
        if not isinstance(relation, Relation) or relation.op in ("==", "!="):
            continue
        gap = sympy.expand(relation.gap)
        symbols = sorted(gap.free_symbols, key=str)
        if len(symbols) != 2 or not set(symbols) <= set(integers):
            continue
        if sorted(gap.diff(s) for s in symbols) != [-1, 1]:
            continue
        large = next(s for s in symbols if gap.diff(s) == 1)
        found = integers[large]
        # A bounded integer would bound the distance by the other one.
        if found.upper is not None:
            continue
        made = real(_NAME, lower=0, integer=True)
        # gap > 0 between integers with an integer in it is gap >= 1.
        rest = sympy.expand(large - gap)
        if not sympy.sympify(gap.xreplace(dict.fromkeys(symbols, sympy.S.Zero))).is_Integer:
            continue
        value = rest + made.symbol + (1 if relation.strict else 0)
        try:
            moved = _moved(claim, hypothesis, large, value)
        except FormulaError:
            continue
        if moved is not None:
            variables = (*(v for v in claim.variables if v is not found), made)
            after = Relation(wanted.lhs.xreplace({large: value}), wanted.op, wanted.rhs.xreplace({large: value}))
            under = replace(claim, variables=variables, hypotheses=moved, conclusion=after, mutants=(), sampling=None)
            yield under, after, large, value


def _moved(claim: Claim, used: Hypothesis, large: sympy.Symbol, value: sympy.Expr) -> tuple[Hypothesis, ...] | None:
    """The other hypotheses and the range of the larger integer in the new variables; None where one is no relation."""
    found = next(v for v in claim.variables if v.symbol == large)
    given: list[Hypothesis] = []
    for number, relation in enumerate(found.domain()):
        after = Relation(relation.lhs.xreplace({large: value}), relation.op, relation.rhs)
        if not evident(after):
            given.append(Hypothesis(f"range {number}", after))
    for hypothesis in claim.hypotheses:
        if hypothesis is used:
            continue
        other = hypothesis.formula
        if not isinstance(other, Relation):
            return None
        moved = Relation(other.lhs.xreplace({large: value}), other.op, other.rhs.xreplace({large: value}))
        given.append(Hypothesis(hypothesis.name, moved))
    return tuple(given)
