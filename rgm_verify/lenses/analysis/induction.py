"""Induction over an integer variable: the formula at the first integer, and from each to the next.

The base is the formula at the first integer of the range. In the step one term X that grows is known
only by the formula at n and by its own recurrence (X + f(n + 1) for a sum, (n + 1) X for a factorial,
...), so that the step becomes a relation without X, which is shown for all reals from the first integer
on. That is more than the step needs, and mostly no harder.

Induction gives nothing where a hypothesis speaks of n (it may hold at n and fail at n + 1), where the
range has an upper end, or where two terms grow.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy

from rgm_verify.claims.claim import Claim, Variable
from rgm_verify.claims.formula import Relation, symbols_of
from rgm_verify.lenses.analysis.constants import reduced
from rgm_verify.lenses.analysis.search import Domain, Goal, Prover
from rgm_verify.lenses.base import rational
from rgm_verify.lenses.points.values import sign

__all__ = ["by_induction"]

_SERIES = (sympy.Sum, sympy.Product)


def by_induction(
    claim: Claim, relation: Relation, domain: Domain, reals: dict[sympy.Symbol, sympy.Symbol], prover: Prover
) -> str:
    """Say how a relation, whose sides are defined, was shown by induction; empty if it was not.

    In the step one growing term X (a sum, a product, a factorial, a power) is unknown but for the formula itself:
    gap(n) = a X + b and gap(n + 1) = c X + d, so that gap(n) >= 0 gives a bound on X, which gives one on gap(n + 1).
    An `a` that vanishes at some n would say nothing of X there: it is shown to be of one sign on the whole domain, for
    an equation as for an inequality.

    Args:
        claim: The claim.
        relation: A relation of its conclusion, defined on the domain.
        domain: The claim's domain over the reals.
        reals: What the claim's variables are in that domain.
        prover: The search for the inequality that is left.
    """
    for variable in claim.variables:
        if variable.integer and variable.lower is not None and variable.upper is None:
            # The simplest term comes first; a term that is not the right one fails quickly, as the gap
            # is not linear in it.
            for term in _growing(relation, variable.symbol):
                found = _with(claim, relation, domain, reals, prover, variable, term)
                if found:
                    return found
    return ""


def _growing(relation: Relation, n: sympy.Symbol) -> Iterator[sympy.Expr]:
    """The terms that may be the unknown of the step: the next of each is a multiple of it, or a little more."""
    kinds = (*_SERIES, sympy.factorial, sympy.binomial, sympy.harmonic, sympy.Pow, sympy.exp)
    seen = set()
    for side in (relation.lhs, relation.rhs):
        for node in sorted(sympy.ordered(side.atoms(*kinds)), key=sympy.count_ops):
            if node.has(n) and node not in seen and not (isinstance(node, sympy.Pow) and not node.exp.has(n)):
                seen.add(node)
                yield node


def _next(term: sympy.Expr, n: sympy.Symbol, first: sympy.Expr) -> tuple[sympy.Expr, sympy.Expr] | None:
    """(factor, addend) such that the term at n + 1 is factor * term + addend, for all integers n >= first.

    For a binomial coefficient the factor is a quotient; its poles are for the caller.
    """
    if isinstance(term, _SERIES):
        if len(term.limits) != 1:
            return None
        index, low, high = term.limits[0]
        # The lower limit must leave no reversed sum: below it SymPy's convention subtracts.
        if high != n or low.has(n) or term.function.has(n) or not (first - low + 1).is_nonnegative:
            return None
        last = term.function.xreplace({index: n + 1})
        return (last, sympy.S.Zero) if isinstance(term, sympy.Product) else (sympy.S.One, last)
    after = term.xreplace({n: n + 1})
    if isinstance(term, sympy.harmonic) and term.args[0] == n:
        return sympy.S.One, 1 / (n + 1)
    if isinstance(term, sympy.factorial) and term.args[0] == n:
        return n + 1, sympy.S.Zero
    if isinstance(term, sympy.Pow | sympy.exp):
        base, exponent = term.as_base_exp()
        step = sympy.expand(exponent.xreplace({n: n + 1}) - exponent)
        if base.has(n) or step.has(n):
            return None
        return sympy.Pow(base, step), sympy.S.Zero
    if isinstance(term, sympy.binomial):
        ratio = sympy.factor(sympy.combsimp(after / term))
        return (ratio, sympy.S.Zero) if ratio.is_rational_function(n) else None
    return None


def _with(
    claim: Claim, relation: Relation, domain: Domain, reals: dict[sympy.Symbol, sympy.Symbol], prover: Prover,
    variable: Variable, term: sympy.Expr,
) -> str:  # fmt: skip
    """Say how the relation was shown by induction over one variable with one growing term; empty if it
    was not.

    From a X + b >= 0 with a > 0 follows X >= -b/a, and with c >= 0 that c X + d >= d - b c/a; with
    both signs turned the same. An equation determines X where a is not 0, and d = b c/a is then its
    next case.
    """
    n = variable.symbol
    first = rational(-(-variable.lower.numerator // variable.lower.denominator))  # type: ignore[union-attr]
    if first == variable.lower and variable.lower_open:
        first += 1
    step = _next(term, n, first)
    # No recurrence with a factor and an addend that are known.
    if step is None:
        return ""
    if any(n in symbols_of(h.formula) for h in claim.hypotheses):  # it may hold at n and not at n + 1
        return ""
    unknown = sympy.Dummy("X", real=True)
    gap = relation.gap
    now = sympy.expand(gap.xreplace({term: unknown}))
    after = sympy.expand(
        gap.xreplace({term: unknown}).xreplace({n: n + 1}).xreplace({unknown: step[0] * unknown + step[1]})
    )
    parts = [_linear(e, unknown) for e in (now, after)]
    if None in parts:
        return ""
    (a, b), (c, d) = parts  # type: ignore[misc]
    # A second growing term would be left, of which nothing is known.
    if any(e.has(*_SERIES) for e in (a, b, c, d)) or a == 0:
        return ""
    # The base is checked before the step: most false formulas fail here at once.
    start = gap.xreplace({n: first})
    if not _base(start, relation, domain, reals, prover):
        return ""
    if relation.op == "!=":
        return ""
    known = relation.op == "==" and reduced(sympy.together(d - b * c / a))
    a, b, c, d = (e.xreplace(reals) for e in (a, b, c, d))
    if relation.op == "==":
        # Where c has a pole, the next X is no multiple of this one.
        determined = known and prover.defined(c, domain) and _of_one_sign(a, domain, prover)
        return _said(n, first, term) if determined else ""
    for direction in (1, -1):
        slope = Goal(direction * a, True, domain), Goal(direction * c, relation.strict, domain)
        if all(prover.defined(g.expression, domain) and prover.show(g, 2) for g in slope):
            left = sympy.together(d - b * c / a)
            if prover.prove(Goal(left, False, domain)):
                return _said(n, first, term)
    return ""


def _of_one_sign(e: sympy.Expr, domain: Domain, prover: Prover) -> bool:
    """Return whether an expression was shown to be defined and never 0 on the domain."""
    return prover.defined(e, domain) and any(prover.show(Goal(sign * e, True, domain), 2) for sign in (1, -1))


def _base(
    start: sympy.Expr, relation: Relation, domain: Domain, reals: dict[sympy.Symbol, sympy.Symbol], prover: Prover
) -> bool:
    """Return whether the relation holds at the first integer."""
    if not start.free_symbols:
        found = sign(start, {})
        wanted = {"==": ("zero",), ">": ("positive",), "<": ("positive",)}
        return found in wanted.get(relation.op, ("positive", "zero", "nonnegative"))
    value = start.doit().xreplace(reals)
    if relation.op == "==":
        return bool(reduced(value))
    return prover.prove(Goal(value, relation.strict, domain))


def _linear(e: sympy.Expr, unknown: sympy.Symbol) -> tuple[sympy.Expr, sympy.Expr] | None:
    """Return slope and constant of an expression in the unknown; None if it is not linear."""
    slope = e.diff(unknown)
    if slope.has(unknown):
        return None
    return slope, e.xreplace({unknown: sympy.S.Zero})


def _said(n: sympy.Symbol, first: sympy.Expr, term: sympy.Expr) -> str:
    """Return the sentence for the report."""
    return f"by induction over {n} from {first}, with {term} as the term that grows"
