"""Functions that change by a closed term from x to x + h: factorials, gamma functions, harmonic numbers.

D(x) >= D(x + h) for all x beyond a start, and D(x + k h) tends to something >= 0, so that D(x) >= 0. The step h is 1,
or a larger integer where the arguments are fractions of x. The difference has none of these functions any more:
log Gamma(x + 1) = log Gamma(x) + log x, psi(x + 1) = psi(x) + 1/x, H(x + 1) = H(x) + 1/(x + 1) and
H(x + 1, p) = H(x, p) + 1/(x + 1)^p; the m-th derivative of psi grows by (-1)^m m!/x^(m + 1). By Stirling's formula
log Gamma(s x + c) - (s x + c - 1/2) log(s x) + s x tends to log(2 pi)/2; psi(u) - log u, H(u) - log u - gamma and
derivatives of psi tend to 0, and H(u, p) to zeta(p).
"""

from __future__ import annotations

from collections.abc import Callable

import sympy

from rgm_verify.lenses.analysis.asymptotics.limits import limit_at

__all__ = ["by_loggamma", "end_value", "fall", "step_of"]

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


def _has_order(node: sympy.Expr) -> bool:
    """Return whether a function is a harmonic number H(x, p) of an integer order p >= 2, which tends to zeta(p)."""
    return isinstance(node, sympy.harmonic) and len(node.args) == 2 and node.args[1].is_Integer and node.args[1] >= 2


def _stepping(e: sympy.Expr, x: sympy.Symbol) -> list[sympy.Expr] | None:
    """The functions of the expression that step, all with constant factors; None where that is not so."""
    nodes = sorted((n for n in e.atoms(*_STEPPING) if n.has(x)), key=sympy.default_sort_key)
    # Linear with constant shares: nothing else goes away in the difference of two neighbours.
    expanded = sympy.expand(e)
    for node in nodes:
        if isinstance(node, sympy.polygamma) and not (node.args[0].is_Integer and node.args[0] >= 0):
            return None
        if not isinstance(node, sympy.polygamma) and len(node.args) > 1 and not _has_order(node):
            return None
        slope = sympy.expand(_argument(node)).diff(x)
        share = expanded.coeff(node, 1)
        if not (slope.is_Rational and slope > 0) or share.has(x) or share == 0:
            return None
        expanded = sympy.expand(expanded - share * node)
    if not nodes or expanded.has(*nodes):
        return None
    step = _step(nodes, x)
    return nodes if all(sympy.expand(_argument(n)).diff(x) * step <= _MOST_STEPS for n in nodes) else None


def _step(nodes: list[sympy.Expr], x: sympy.Symbol) -> sympy.Integer:
    """The least integer by which x grows so that every argument grows by an integer."""
    return sympy.ilcm(1, *(sympy.expand(_argument(n)).diff(x).q for n in nodes))


def step_of(e: sympy.Expr, x: sympy.Symbol) -> int:
    """How far x goes in `fall`; 0 where there is none."""
    nodes = _stepping(e, x)
    return int(_step(nodes, x)) if nodes else 0


def fall(e: sympy.Expr, x: sympy.Symbol) -> sympy.Expr | None:
    """D(x) - D(x + h) without functions that step; None for an expression that is not linear in these.

    Args:
        e: D, in which the arguments of log Gamma and psi are positive and those of H above -1.

    Examples:
        >>> x = sympy.Symbol("x", positive=True)
        >>> fall(sympy.harmonic(x) - sympy.log(x), x)
        -log(x) + log(x + 1) - 1/(x + 1)
    """
    nodes = _stepping(e, x)
    if nodes is None:
        return None
    step = _step(nodes, x)
    # Where the function that steps stays as it is: its argument is another form of the same one.
    moved = {node: sympy.Dummy(f"step {k}", real=True) for k, node in enumerate(nodes)}
    after = sympy.expand(e.xreplace(moved)).xreplace({x: x + step})
    back = {}
    for node, name in moved.items():
        argument = _argument(node)
        places = [argument + k for k in range(int(sympy.expand(argument).diff(x) * step))]
        if isinstance(node, sympy.harmonic):
            order = node.args[1] if _has_order(node) else 1
            added = sympy.Add(*(1 / (p + 1) ** order for p in places))
        elif isinstance(node, sympy.loggamma):
            added = sympy.Add(*(sympy.log(p) for p in places))
        else:
            order = node.args[0]
            added = (-1) ** order * sympy.factorial(order) * sympy.Add(*(p ** (-order - 1) for p in places))
        back[name] = node + added
    found = sympy.expand(sympy.expand(e) - after.xreplace(back))
    return None if found.has(*_STEPPING) else found


def end_value(e: sympy.Expr, x: sympy.Symbol, sign: Callable[[sympy.Expr], int | None]) -> sympy.Expr | None:
    """The limit of D(x) as x -> +oo, an expression in the other variables or an infinity; None where it is not known.

    Args:
        e: D, linear in functions that step, with constant factors.
        x: Its variable, which tends to +oo.
        sign: The sign of an expression in the other variables, on all of their domain.
    """
    nodes = _stepping(e, x)
    if nodes is None:
        return None
    leading = {}
    for node in nodes:
        u = sympy.expand(_argument(node))
        # With the shift outside of the logarithm the orders of several of them are compared with each other.
        whole = u.diff(x) * x
        grown = sympy.log(u.diff(x)) + sympy.log(x)
        if isinstance(node, sympy.loggamma):
            leading[node] = (u - sympy.Rational(1, 2)) * grown - whole + sympy.log(2 * sympy.pi) / 2
        elif _has_order(node):
            leading[node] = sympy.zeta(node.args[1])
        elif isinstance(node, sympy.polygamma) and node.args[0] >= 1:
            leading[node] = sympy.S.Zero
        else:
            leading[node] = grown + (sympy.EulerGamma if isinstance(node, sympy.harmonic) else 0)
    return limit_at(sympy.expand(e.xreplace(leading)), x, None, from_above=False, sign=sign)
