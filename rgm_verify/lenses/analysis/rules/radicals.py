"""Zeros of a function with square roots are among those of its norm, which has one root less.

With r = sqrt(b) every polynomial in r is A + B r, and (A + B r)(A - B r) = A^2 - B^2 b: where A + B r is 0, that
product is 0 as well. One root after the other goes away so, and what nearly cancels in A + B r does not in A - B r.
"""

from __future__ import annotations

import sympy

__all__ = ["conjugate"]

#: Beside these no norm is simpler.
_OTHER = (sympy.Function, sympy.Abs, sympy.exp)
_LONGEST = 160


def conjugate(f: sympy.Expr, x: sympy.Symbol) -> tuple[sympy.Expr, sympy.Expr] | None:
    """A norm of f with one square root less, and the factor C with f C = norm; None for an f without a square root.

    Where the norm is not 0, neither is f; where it is 0 and C is not, f is 0.

    Args:
        f: A function of x that is defined where it is looked at.

    Examples:
        >>> x = sympy.Symbol("x", real=True)
        >>> conjugate(sympy.sqrt(x**2 + 1) - 2 * x, x)
        (3*x**2 - 1, -2*x - sqrt(x**2 + 1))
    """
    radicands = {p.base for p in f.atoms(sympy.Pow) if _is_root(p) and p.has(x)}
    if not radicands or f.has(*_OTHER):
        return None
    # The outermost first: what stands inside of another root goes away with it or after it.
    base = max(sympy.ordered(radicands), key=sympy.count_ops)
    # None where another root holds this one, or a quotient does.
    split = _split(f, base)
    if split is None:
        return None
    rational, factor = split
    found = sympy.expand(rational**2 - factor**2 * base)
    if found == 0 or sympy.count_ops(found) > _LONGEST:
        return None
    return found, rational - factor * sympy.sqrt(base)


def _is_root(power: sympy.Pow) -> bool:
    """Return whether a power is an odd one of a square root, with a positive exponent."""
    return bool(power.exp.is_Rational and power.exp.q == 2 and power.exp.p > 0)


def _split(f: sympy.Expr, base: sympy.Expr) -> tuple[sympy.Expr, sympy.Expr] | None:
    """Return A and B with f = A + B sqrt(base), where neither has that root any more."""
    root = sympy.Dummy("root", positive=True)

    def named(power: sympy.Expr) -> sympy.Expr:
        return base ** ((power.exp.p - 1) // 2) * root

    replaced = f.replace(lambda e: isinstance(e, sympy.Pow) and _is_root(e) and e.base == base, named)
    try:
        polynomial = sympy.Poly(sympy.expand(replaced), root)
    except sympy.PolynomialError:
        return None
    if any(c.has(root) for c in polynomial.coeffs()):
        return None
    parts = [sympy.S.Zero, sympy.S.Zero]
    for (degree,), coefficient in polynomial.terms():
        parts[degree % 2] += coefficient * base ** (degree // 2)
    return sympy.expand(parts[0]), sympy.expand(parts[1])
