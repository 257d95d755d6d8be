"""Equations: by algebra, or because the difference has the derivative 0 and vanishes somewhere.

A derivative that is 0 on an interval makes a function constant there, and one zero makes it 0. That
shows equations of functions between which SymPy knows no identity, such as atan(x) + atan(1/x) = pi/2
for x > 0.
"""

from __future__ import annotations

import sympy

from rgm_verify.balls.binding import worked_out
from rgm_verify.lenses.analysis.asymptotics.kernels import plain
from rgm_verify.lenses.analysis.constants import reduced, vanishes
from rgm_verify.lenses.analysis.search import Domain, Prover

__all__ = ["identical"]

#: More steps of a recurrence are not written out.
_MOST_STEPS = 20
_STARTS = (sympy.S.Zero, sympy.S.One)


def identical(gap: sympy.Expr, domain: Domain, prover: Prover) -> str:
    """Say how the difference of two sides, which is defined on the domain, was shown to be 0; empty if it was not.

    Args:
        gap: The difference of the sides in the variables of the domain.
        domain: Where both sides are defined.
        prover: The search, for conditions of smoothness.
    """
    if not gap.free_symbols:
        way = vanishes(gap)
        return f"the sides are equal by {way}" if way else ""
    # Each form hides what another shows; all are equal to the gap where it is defined.
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
    if gap.has(sympy.loggamma):
        return _lowered(gap)
    return sympy.gammasimp(gap.rewrite(sympy.gamma))


def _lowered(gap: sympy.Expr) -> sympy.Expr:
    """Logarithms of gamma functions whose arguments differ by an integer, by that with the least argument.

    log Gamma(v + n) = log Gamma(v) + log v + ... + log(v + n - 1) for v > 0, which holds as log Gamma(v) is a term of
    the gap itself, and is defined.
    """
    arguments = sorted({node.args[0] for node in gap.atoms(sympy.loggamma)}, key=sympy.default_sort_key)
    found = {}
    for argument in arguments:
        steps = [(argument - other, other) for other in arguments if (argument - other).is_Integer]
        shift, least = max(steps, key=lambda pair: pair[0])
        if 0 < shift <= _MOST_STEPS:
            product = sympy.Add(*(sympy.log(least + k) for k in range(int(shift))))
            found[sympy.loggamma(argument)] = sympy.loggamma(least) + product
    return gap.xreplace(found)


def _constant_in(gap: sympy.Expr, symbol: sympy.Symbol, domain: Domain, prover: Prover) -> bool:
    """Return whether the gap has the derivative 0 in a variable, and vanishes somewhere on each way along it.

    Assumptions that contain the variable are refused: the way along it might leave the domain. The
    start must belong to the range, so that the gap has a value there.
    """
    if not gap.has(symbol) or any(symbol in r.gap.free_symbols for r in domain.extra):
        return False
    if not prover.smooth(gap, symbol, domain):
        return False
    slope = worked_out(sympy.diff(gap, symbol))
    if not reduced(plain(slope)):
        return False
    v = next(v for v in domain.variables if v.symbol == symbol)
    for start in _STARTS:
        inside = (v.lower is None or start > v.lower or (start == v.lower and not v.lower_open)) and (
            v.upper is None or start < v.upper or (start == v.upper and not v.upper_open)
        )
        if inside and reduced(worked_out(gap.subs(symbol, start))):
            return True
    return False
