"""Closed expressions that are 0, shown by algebra."""

from __future__ import annotations

from functools import lru_cache

import sympy

from rgm_verify.lenses.algebra.identities import is_zero

__all__ = ["vanishes"]

#: Longer constants are not given to the algorithms for algebraic numbers.
_LONGEST = 40


@lru_cache(maxsize=4096)
def vanishes(value: sympy.Expr) -> str:
    """The name of a reduction that shows a closed expression to be 0; empty if none does."""
    if value.free_symbols:
        return ""
    found = is_zero(value)
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
