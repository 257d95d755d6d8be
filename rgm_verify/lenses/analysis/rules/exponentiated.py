"""Hypotheses between logarithms as hypotheses between products: e <= log(n/s) is s exp(e) <= n, for n, s > 0.

The exponential is increasing, so that both say the same wherever the logarithms are defined; that their arguments are
positive is said beside. Only sums with small integer factors of logarithms are taken.
"""

from __future__ import annotations

from dataclasses import replace

import sympy

from rgm_verify.claims.claim import Claim, Hypothesis
from rgm_verify.claims.formula import All, FormulaError, Relation, gt

__all__ = ["exponentiated", "without_logarithms"]

#: Higher powers of arguments are too much for a solver.
_HIGHEST = 4


def without_logarithms(claim: Claim) -> Claim | None:
    """The claim with products in the places of sums of logarithms among its hypotheses; None where there are none."""
    hypotheses = []
    for number, hypothesis in enumerate(claim.hypotheses):
        found = exponentiated(hypothesis.formula) if isinstance(hypothesis.formula, Relation) else None
        hypotheses.append(hypothesis if found is None else Hypothesis(f"without logarithms, {number}", found))
    if all(new is old for new, old in zip(hypotheses, claim.hypotheses, strict=True)):
        return None
    return replace(claim, hypotheses=tuple(hypotheses), mutants=(), sampling=None)


def exponentiated(relation: Relation) -> All | None:
    """The relation between the exponentials of its sides, and that arguments are positive; None for another form.

    Args:
        relation: A relation whose sides are defined wherever it is looked at.

    Examples:
        >>> e, n = sympy.symbols("e n", positive=True)
        >>> str(exponentiated(Relation(e, "<=", sympy.log(n / 2))).parts[0])
        '2*exp(e) <= n'
    """
    gap = sympy.expand(sympy.expand_log(relation.rhs - relation.lhs))
    above, below, rest, conditions = sympy.S.One, sympy.S.One, sympy.S.Zero, []
    varying = False
    for term in sympy.Add.make_args(gap):
        number, log = term.as_coeff_Mul(rational=True)
        if not isinstance(log, sympy.log):
            rest += term
            continue
        if not number.is_Integer or abs(number) > _HIGHEST:
            return None
        inner = log.args[0]
        varying = varying or bool(inner.free_symbols)
        above, below = (above * inner**number, below) if number > 0 else (above, below * inner**-number)
        if not inner.is_positive:
            conditions.append(inner)
    if not varying or rest.has(sympy.log) or not rest.free_symbols:
        return None
    # Exponentials with a positive exponent read better: each side gets those of its own sign.
    for term in sympy.Add.make_args(rest):
        if term.could_extract_minus_sign():
            below *= sympy.exp(-term)
        else:
            above *= sympy.exp(term)
    try:
        return All((Relation(below, relation.op, above), *(gt(inner, 0) for inner in conditions)))
    except FormulaError:
        return None
