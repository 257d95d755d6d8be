"""Weighted means: a product of powers whose exponents add up to 1 lies below the weighted sum of its bases.

u^a v^(1 - a) <= a u + (1 - a) v for u, v > 0 and 0 <= a <= 1; for every other real a the two change places
(Bernoulli's inequality, multiplied by v). With v = 1 it is Bernoulli's inequality itself. More than two bases need
exponents >= 0. Of reciprocals it says that the product lies above the weighted harmonic mean.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy

from rgm_verify.claims.formula import FormulaError, Relation, ge, gt, le

__all__ = ["by_means"]

Holds = Callable[[Relation], bool]


def by_means(e: sympy.Expr, holds: Holds) -> sympy.Expr | None:
    """A lower bound of e in which products of powers with varying exponents are weighted sums; None without one.

    Args:
        e: A sum that is defined on a domain.
        holds: Whether a relation was shown on all of that domain.
    """
    terms, changed = [], False
    for term in sympy.Add.make_args(e):
        found = _bounded(term, holds)
        changed = changed or found is not None
        terms.append(term if found is None else found)
    return sympy.Add(*terms) if changed else None


def _bounded(term: sympy.Expr, holds: Holds) -> sympy.Expr | None:
    """A lower bound of one term, a multiple of a product of powers; None where the term is of another form."""
    powers = [p for p in sympy.Mul.make_args(term) if _varies(p)]
    if not powers:
        return None
    bases: dict[sympy.Expr, sympy.Expr] = {}
    for p in powers:
        bases[p.base] = sympy.expand(bases.get(p.base, 0) + p.exp)
    # The same base to a power of its own belongs to the product: q * q^(-a) is q^(1 - a).
    others = [p for p in sympy.Mul.make_args(term) if p not in powers]
    factor = sympy.S.One
    for other in others:
        base, exponent = other.as_base_exp()
        if base in bases:
            bases[base] = sympy.expand(bases[base] + exponent)
        else:
            factor *= other
    # What the exponents lack of 1 is a power of 1.
    rest = sympy.expand(1 - sympy.Add(*bases.values()))
    if rest != 0:
        bases[sympy.S.One] = rest
    try:
        if not all(base == 1 or base.is_positive or holds(gt(base, 0)) for base in bases):
            return None
        mean = sympy.Add(*(weight * base for base, weight in bases.items()))
        within = all(holds(ge(weight, 0)) for weight in bases.values())
        if within:
            # The product lies below the mean, so that a multiple by something <= 0 lies above.
            if holds(le(factor, 0)):
                return factor * mean
            # It lies above the harmonic mean, as its reciprocal is a product of powers of reciprocals.
            harmonic = sympy.Add(*(weight / base for base, weight in bases.items()))
            return factor / harmonic if holds(ge(factor, 0)) else None
        if len(bases) == 2 and any(holds(le(weight, 0)) for weight in bases.values()):
            return factor * mean if holds(ge(factor, 0)) else None
    except FormulaError:
        return None
    return None


def _varies(p: sympy.Expr) -> bool:
    """Return whether a factor is a power with an exponent that is no number, of a base that is not e."""
    return isinstance(p, sympy.Pow) and p.base is not sympy.E and bool(p.exp.free_symbols)
