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

    Args:
        value: Any expression.

    Examples:
        >>> x = sympy.Symbol("x", positive=True)
        >>> reduced(sympy.log(x**2) - 2 * sympy.log(x))
        'expansion'
    """
    long = any(max(abs(r.p), r.q) > _LARGEST for r in value.atoms(sympy.Rational))
    if long and value.has(sympy.log, sympy.exp, sympy.Pow):
        return "expansion" if sympy.expand(value) == 0 else ""
    return is_zero(value)


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
    if found or sympy.count_ops(value) > _LONGEST:
        return found
    if not value.atoms(sympy.Function) and not value.has(sympy.pi, sympy.E, sympy.EulerGamma, sympy.I):
        unknown = sympy.Dummy("unknown")
        try:
            polynomial = sympy.minimal_polynomial(value, unknown)
        except NotImplementedError:  # SymPy knows no minimal polynomial of it
            return ""
        return "the minimal polynomial" if polynomial == unknown else ""
    return ""
