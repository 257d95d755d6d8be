"""Functions that change by a closed term from x to x + 1: factorials, gamma functions, harmonic numbers.

D(x) >= D(x + 1) for all x beyond a start, and D(x + k) tends to something >= 0, so that D(x) >= 0. The difference has
none of these functions any more: log Gamma(x + 1) = log Gamma(x) + log x, psi(x + 1) = psi(x) + 1/x, and
H(x + 1) = H(x) + 1/(x + 1). Their limits are by Stirling's formula, and psi(u) - log u and H(u) - log u - gamma tend
to 0.
"""

from __future__ import annotations

import sympy

from rgm_verify.lenses.analysis.asymptotics.growth import NotKnown, constant_sign, limit

__all__ = ["by_loggamma", "ends_above_zero", "fall"]

_STEPPING = (sympy.loggamma, sympy.polygamma, sympy.harmonic)
#: More unit steps are not written out.
_MOST_STEPS = 4


def by_loggamma(e: sympy.Expr) -> sympy.Expr:
    """The expression with logarithms of gamma functions, factorials and binomial coefficients by log Gamma.

    Args:
        e: An expression in which the arguments of these functions are positive wherever it is looked at.
    """

    def told(inner: sympy.Expr) -> sympy.Expr:
        if isinstance(inner, sympy.gamma):
            return sympy.loggamma(inner.args[0])
        if isinstance(inner, sympy.factorial):
            return sympy.loggamma(inner.args[0] + 1)
        if isinstance(inner, sympy.binomial):
            n, m = inner.args
            return sympy.loggamma(n + 1) - sympy.loggamma(m + 1) - sympy.loggamma(n - m + 1)
        return sympy.log(inner)

    return e.replace(sympy.log, told)


def _argument(node: sympy.Expr) -> sympy.Expr:
    return node.args[1] if isinstance(node, sympy.polygamma) else node.args[0]


def _stepping(e: sympy.Expr, x: sympy.Symbol) -> list[sympy.Expr] | None:
    """The functions of the expression that step, all with constant factors; None where that is not so."""
    nodes = sorted((n for n in e.atoms(*_STEPPING) if n.has(x)), key=sympy.default_sort_key)
    # Linear with constant shares: nothing else goes away in the difference of two neighbours.
    expanded = sympy.expand(e)
    for node in nodes:
        if isinstance(node, sympy.polygamma) and node.args[0] != 0:
            return None
        if len(node.args) != (2 if isinstance(node, sympy.polygamma) else 1):
            return None
        slope = _argument(node).diff(x)
        share = expanded.coeff(node, 1)
        if not (slope.is_Integer and 0 < slope <= _MOST_STEPS) or share.has(x) or share == 0:
            return None
        expanded = sympy.expand(expanded - share * node)
    return nodes if nodes and not expanded.has(*nodes) else None


def fall(e: sympy.Expr, x: sympy.Symbol) -> sympy.Expr | None:
    """D(x) - D(x + 1) without functions that step; None for an expression that is not linear in these.

    Args:
        e: D, in which the arguments of log Gamma and psi are positive and those of H above -1.
        x: Its variable.

    Examples:
        >>> x = sympy.Symbol("x", positive=True)
        >>> fall(sympy.harmonic(x) - sympy.log(x), x)
        -log(x) + log(x + 1) - 1/(x + 1)
    """
    nodes = _stepping(e, x)
    if nodes is None:
        return None
    after = e.xreplace({x: x + 1})
    moved = {}
    for node in nodes:
        argument = _argument(node)
        places = [argument + k for k in range(int(argument.diff(x)))]
        if isinstance(node, sympy.harmonic):
            added = sympy.Add(*(1 / (p + 1) for p in places))
        else:
            added = sympy.Add(*(sympy.log(p) if isinstance(node, sympy.loggamma) else 1 / p for p in places))
        moved[node.xreplace({x: x + 1})] = node + added
    found = sympy.expand(e - after.xreplace(moved))
    return None if found.has(*_STEPPING) else found


def ends_above_zero(e: sympy.Expr, x: sympy.Symbol) -> bool:
    """Return whether D(x) was shown to tend to something >= 0, or to +oo, as x -> +oo.

    Args:
        e: D, linear in functions that step, with constant factors.
        x: Its variable, which tends to +oo.
    """
    nodes = _stepping(e, x)
    if nodes is None:
        return False
    far = sympy.Dummy("x", positive=True)
    leading = {}
    for node in nodes:
        u = _argument(node)
        if isinstance(node, sympy.loggamma):
            leading[node] = (u - sympy.Rational(1, 2)) * sympy.log(u) - u + sympy.log(2 * sympy.pi) / 2
        else:
            leading[node] = sympy.log(u) + (sympy.EulerGamma if isinstance(node, sympy.harmonic) else 0)
    moved = sympy.expand(e.xreplace(leading)).xreplace({x: far})
    try:
        value = limit(moved, far)
        return value == sympy.oo or (value != -sympy.oo and constant_sign(value) >= 0)
    except NotKnown:
        return False
