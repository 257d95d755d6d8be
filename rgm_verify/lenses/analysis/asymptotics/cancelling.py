"""Other forms of a sum whose largest terms cancel, in which they do not: multiplied out, or without a root or an erf.

Each form is equal to the sum wherever it is defined, as a quotient of two expressions.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy

from rgm_verify.lenses.analysis.rules.radicals import conjugate

__all__ = ["TendsToOne", "without_cancelling"]


#: Terms of a power series that are written out.
_HIGHEST_ORDER = 3


class TendsToOne(sympy.Function):
    """A function of u and k of which nothing is said but that it tends to 1 with u to 0.

    It is exp(u) without the first k terms of its power series, divided by the next one of them.
    """


def without_cancelling(expression: sympy.Expr, x: sympy.Symbol) -> Iterator[tuple[sympy.Expr, sympy.Expr]]:
    """Pairs of expressions whose quotient is a given one, none of which is the given one over 1.

    Args:
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
    if any(t.has(x) for t in expression.atoms(sympy.exp)):
        # exp(u) = 1 + u f(u); the caller shows that u tends to 0, where f tends to 1.
        for order in range(1, _HIGHEST_ORDER + 1):
            yield sympy.expand(_by_series(expression, x, order)), sympy.S.One
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


def _by_series(expression: sympy.Expr, x: sympy.Symbol, order: int) -> sympy.Expr:
    """Return exp(u) as the beginning of its series and the next term by a function that tends to 1 with u to 0."""

    def told(e: sympy.Expr) -> sympy.Expr:
        u = e.args[0]
        first = sympy.Add(*(u**k / sympy.factorial(k) for k in range(order)))
        return first + u**order / sympy.factorial(order) * TendsToOne(u, order)

    return expression.replace(lambda e: isinstance(e, sympy.exp) and e.has(x), told)
