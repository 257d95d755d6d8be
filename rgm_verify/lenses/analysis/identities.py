"""Equations: by algebra, or because the difference has the derivative 0 and vanishes somewhere."""

from __future__ import annotations

import sympy

from rgm_verify.lenses.analysis.constants import reduced, vanishes
from rgm_verify.lenses.analysis.kernels import plain
from rgm_verify.lenses.analysis.search import Domain, Prover

__all__ = ["identical"]

_STARTS = (sympy.S.Zero, sympy.S.One)


def identical(gap: sympy.Expr, domain: Domain, prover: Prover) -> str:
    """Say how the difference of two sides, which is defined on the domain, was shown to be 0; empty if it was not."""
    if not gap.free_symbols:
        way = vanishes(gap)
        return f"the sides are equal by {way}" if way else ""
    for form in (gap, plain(gap), _by_gamma(gap)):
        way = reduced(form)
        if way:
            return f"the difference of the sides reduces to 0 by {way}"
    for variable in domain.variables:
        if _constant_in(gap, variable.symbol, domain, prover):
            return f"the difference of the sides has the derivative 0 in {variable.symbol}, and vanishes at a point"
    return ""


def _by_gamma(gap: sympy.Expr) -> sympy.Expr:
    """Factorials and binomial coefficients by gamma functions, with their recurrences used up."""
    if not gap.has(sympy.factorial, sympy.binomial, sympy.gamma, sympy.loggamma):
        return gap
    found = gap.rewrite(sympy.gamma)
    return found if found.has(sympy.loggamma) else sympy.gammasimp(found)


def _constant_in(gap: sympy.Expr, symbol: sympy.Symbol, domain: Domain, prover: Prover) -> bool:
    """Return whether the gap has the derivative 0 in a variable, and vanishes somewhere on each way along it."""
    if not gap.has(symbol) or any(symbol in r.gap.free_symbols for r in domain.extra):
        return False
    if not prover._smooth(gap, symbol, domain):
        return False
    slope = sympy.diff(gap, symbol).doit()
    if not reduced(plain(slope)):
        return False
    v = next(v for v in domain.variables if v.symbol == symbol)
    for start in _STARTS:
        inside = (v.lower is None or start > v.lower or (start == v.lower and not v.lower_open)) and (
            v.upper is None or start < v.upper or (start == v.upper and not v.upper_open)
        )
        if inside and reduced(gap.subs(symbol, start).doit()):
            return True
    return False
