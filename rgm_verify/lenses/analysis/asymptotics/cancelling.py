"""Other forms of a sum whose largest terms cancel, in which they do not: multiplied out, or without a root or an erf.

Each form is equal to the sum wherever it is defined, as a quotient of two expressions.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy

from rgm_verify.lenses.analysis.rules.radicals import conjugate

__all__ = ["without_cancelling"]


def without_cancelling(expression: sympy.Expr, x: sympy.Symbol) -> Iterator[tuple[sympy.Expr, sympy.Expr]]:
    """Pairs of expressions whose quotient is a given one, none of which is the given one over 1.

    Args:
        expression: A sum in x.
        x: The symbol that tends to +oo; positive.

    Examples:
        >>> x = sympy.Symbol("x", positive=True)
        >>> list(without_cancelling(sympy.sqrt(x**2 + 1) - x, x))
        [(-1, -x - sqrt(x**2 + 1))]
    """
    expanded = sympy.expand(expression)
    if expanded != expression:
        yield expanded, sympy.S.One
        return
    errors = any(t.has(x) for t in expression.atoms(sympy.erf))
    # 1 - erf(u) = erfc(u), and 1 + erf(u) = erfc(-u).
    for turned in (1, -1) if errors else ():
        yield sympy.expand(_by_complements(expression, turned)), sympy.S.One
    above, below = sympy.fraction(sympy.together(expression))
    if below.has(x):
        yield sympy.expand(above), below
        return
    found = conjugate(expression, x)
    if found is not None and found[1] != 0:
        yield found


def _by_complements(expression: sympy.Expr, turned: int) -> sympy.Expr:
    """Return erf(u) as 1 - erfc(u), or as erfc(-u) - 1 where `turned` is -1."""
    return expression.replace(sympy.erf, lambda u: turned * (1 - sympy.erfc(turned * u)))
