"""Expressions whose zeros are places where a formula may fail: factors, needs of terms, slopes of arguments."""

from __future__ import annotations

from collections.abc import Iterator

import sympy

from rgm_verify.balls.binding import evaluated
from rgm_verify.claims.formula import Formula, Relation, relations
from rgm_verify.lenses.points.values import (
    conditional,
)
from rgm_verify.lenses.solvers.definedness import Unknown, needs, parts

__all__ = ["special_factors"]

_BENT = (sympy.Abs, sympy.sign, sympy.exp, sympy.log, sympy.erf, sympy.erfc, sympy.tanh, sympy.cosh)
_LONGEST_GAP = 150  # operations; factors and slopes of longer differences are not looked at


def special_factors(formula: Formula) -> list[sympy.Expr]:
    """Expressions whose zeros are places where a formula may fail at a point or in a spike.

    They are the factors of the differences of sides, of what terms need, of the arguments of |x| and sign, and of the
    derivatives of the arguments of functions and denominators.

    Args:
        formula: The conclusion of a claim.

    Returns:
        Expressions with free symbols, each once.
    """
    found: dict[sympy.Expr, None] = {}
    # SymPy's derivatives of a long gap are longer still, and their zeros take more time than many drawn points.
    for relation in (r for r in relations(formula) if sympy.count_ops(r.gap) <= _LONGEST_GAP):
        gaps = [relation.gap, *(r.gap for node in conditional(relation) for r in _asked(node))]
        inner = [n.args[0] for side in (relation.lhs, relation.rhs) for n in sorted(side.atoms(*_BENT), key=str)]
        below = [
            n.base
            for s in (relation.lhs, relation.rhs)
            for n in sorted(s.atoms(sympy.Pow), key=str)
            if n.exp.is_negative
        ]
        slopes = [sympy.diff(a, s) for a in map(evaluated, (*inner, *below)) for s in sorted(a.free_symbols, key=str)]
        for gap in (*gaps, *inner, *slopes):
            for factor in sympy.Mul.make_args(sympy.numer(evaluated(gap))):
                base = factor.as_base_exp()[0]
                base = base.args[0] if isinstance(base, sympy.Abs) else base
                # A factor without variables vanishes nowhere.
                if base.free_symbols:
                    found[base] = None
    return list(found)


def _asked(node: sympy.Expr) -> Iterator[Relation]:
    """Return what a term is known to need; of a sum, a product or an integral also at its finite ends."""
    asked = [node]
    if isinstance(node, sympy.Sum | sympy.Product | sympy.Integral) and len(node.limits) == 1:
        for end in node.limits[0][1:]:
            asked += parts(node.function.xreplace({node.limits[0][0]: end})) if not end.is_infinite else ()
    yield from (need for part in asked for need in needs(part) if not isinstance(need, Unknown))
