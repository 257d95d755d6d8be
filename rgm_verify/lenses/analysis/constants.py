"""Closed expressions that are 0, shown by algebra.

No precision shows that a constant is 0, and calculus meets such constants wherever a bound is tight.
Algebra shows it: a reduction by identities, or, for algebraic numbers, a minimal polynomial. Whatever
neither shows stays open.
"""

from __future__ import annotations

from functools import lru_cache

import sympy

from rgm_verify.lenses.algebra.identities import is_zero

__all__ = ["reduced", "vanishes"]

#: Longer constants are not given to the algorithms for algebraic numbers.
_LONGEST = 40
#: Larger factors of logarithms are not made exponents, as `10^12 log 2` would be.
_LARGEST = 10_000


def reduced(value: sympy.Expr) -> str:
    """The name of a reduction that takes an expression to 0; empty if none does, or if numbers would grow too long.

    Examples:
        >>> x = sympy.Symbol("x", positive=True)
        >>> reduced(sympy.log(x**2) - 2 * sympy.log(x))
        'expansion'
    """
    if value.has(sympy.nan, sympy.zoo, sympy.oo, -sympy.oo):
        return ""
    long = any(max(abs(r.p), r.q) > _LARGEST for r in value.atoms(sympy.Rational))
    if long and value.has(sympy.log, sympy.exp, sympy.Pow):
        return "expansion" if sympy.expand(value) == 0 else ""
    found = is_zero(value)
    if not found and any(p.exp == sympy.Rational(-1, 2) or _is_sum_of_roots(p) for p in value.atoms(sympy.Pow)):
        return is_zero(sympy.radsimp(value))
    return found


def _is_sum_of_roots(power: sympy.Pow) -> bool:
    """Return whether a power is a reciprocal of a sum of square roots, which a conjugate makes rational."""
    roots = power.base.atoms(sympy.Pow) if power.exp == -1 and isinstance(power.base, sympy.Add) else ()
    return any(r.exp == sympy.Rational(1, 2) for r in roots)


@lru_cache(maxsize=4096)
def vanishes(value: sympy.Expr) -> str:
    """The name of a reduction that shows a closed expression to be 0; empty if none does.

    Args:
        value: An expression; one with free symbols is none of a constant and gives an empty text.

    Examples:
        >>> vanishes(sympy.sqrt(3 + 2 * sympy.sqrt(2)) - 1 - sympy.sqrt(2))
        'simplification'
        >>> vanishes(sympy.pi - sympy.Rational(22, 7))
        ''
    """
    if value.free_symbols:
        return ""
    found = reduced(value)
    if found or sympy.count_ops(value) > _LONGEST or value.has(sympy.nan, sympy.zoo, sympy.oo, -sympy.oo):
        return found
    if not value.atoms(sympy.Function) and not value.has(sympy.pi, sympy.E, sympy.EulerGamma, sympy.I):
        unknown = sympy.Dummy("unknown")
        try:
            polynomial = sympy.minimal_polynomial(value, unknown)
        except NotImplementedError:  # SymPy knows no minimal polynomial of it
            return ""
        return "the minimal polynomial" if polynomial == unknown else ""
    return ""
