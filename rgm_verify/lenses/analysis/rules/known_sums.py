"""Sums by theorems of their own: even ones folded at 0, generalised harmonic numbers, whole rows of binomial
coefficients, and beginnings of (1 + 1)^n.

- A sum over k from -n to n of a function of |k| is its value at 0 and twice the sum from 1 to n, for integers n >= 0.
- The sum of k^-p for k from 1 to n is the harmonic number H(n, p) of order p.
- For an integer n >= 0 the sum of (n over k) c r^k for k from 0 to n is c (1 + r)^n, by the binomial theorem, and that
  of k (n over k) c r^k is n c r (1 + r)^(n - 1), as k (n over k) is n (n - 1 over k - 1).
- For integers n, m >= 0 and every 0 < r <= 1, the sum of the binomial coefficients (n over k) for k from 0 to m is at
  most r^-m (1 + r)^n: for k <= m the factor r^(k - m) is at least 1, and all other terms of (1 + r)^n are positive.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy

from rgm_verify.claims.formula import FormulaError, Relation, gt, le, ne

__all__ = ["binomial_bounds", "binomial_theorem", "folded"]

_HIGHEST = 6


def folded(e: sympy.Expr) -> sympy.Expr:
    """An equal expression without sums over symmetric ranges, and with sums of powers as harmonic numbers.

    Args:
        e: An expression in symbols that say which of them are integers, and from where on.

    Examples:
        >>> k, n = sympy.Symbol("k", integer=True), sympy.Symbol("n", integer=True, nonnegative=True)
        >>> folded(sympy.Sum(sympy.Abs(k), (k, -n, n)))
        2*Sum(k, (k, 1, n))
    """
    values = {node: found for node in e.atoms(sympy.Sum) if (found := _folded(node)) is not None}
    return e.xreplace(values) if values else e


def _folded(node: sympy.Sum) -> sympy.Expr | None:
    """Another form of one sum; None for one of no known kind."""
    if len(node.limits) != 1:
        return None
    k, low, high = node.limits[0]
    f = node.function
    if not (high.is_integer and high.is_nonnegative) or f.has(sympy.Sum, sympy.Product):
        return None
    if low == -high and low != high and sympy.expand(f.xreplace({k: -k}) - f) == 0:
        # From 1 on the index is positive, and |k| is k.
        index = sympy.Symbol(k.name, integer=True, positive=True)
        return f.subs(k, 0) + 2 * sympy.Sum(f.xreplace({k: index}), (index, 1, high))
    base, exponent = f.as_base_exp()
    if low == 1 and base == k and exponent.is_Integer and -_HIGHEST <= exponent <= -2:
        return sympy.harmonic(high, -exponent)
    return None


def binomial_theorem(node: sympy.Sum) -> tuple[sympy.Expr, tuple[Relation, ...]] | None:
    """The value of a row of binomial coefficients with powers to k, and conditions under which it is the value.

    The terms may have k itself as a factor.

    Args:
        node: A sum in symbols that say which of them are integers, and from where on.

    Returns:
        The value, and that the bases of the powers are not 0, or positive where an exponent need not be an integer;
        None for a sum of another form.

    Examples:
        >>> k, n = sympy.Symbol("k", integer=True), sympy.Symbol("n", integer=True, nonnegative=True)
        >>> q = sympy.Symbol("q", real=True)
        >>> value, conditions = binomial_theorem(sympy.Sum(sympy.binomial(n, k) * q**k * (1 - q)**(n - k), (k, 0, n)))
        >>> value, [str(condition) for condition in conditions]
        (1, ['q != 0', '1 - q != 0'])
    """
    k, low, n = node.limits[0]
    if len(node.limits) != 1 or low != 0 or not (n.is_integer and n.is_nonnegative):
        return None
    factors = list(sympy.Mul.make_args(node.function))
    if sympy.binomial(n, k) not in factors:
        return None
    factors.remove(sympy.binomial(n, k))
    weighted = k in factors
    if weighted:
        factors.remove(k)
    # The terms are c r^k, and c is a power of the n-th degree and a rest.
    ratio, degree, rest = sympy.S.One, sympy.S.One, sympy.S.One
    conditions = []
    for factor in factors:
        base, exponent = factor.as_base_exp() if factor.has(k) else (factor, sympy.S.One)
        # The slopes in k and n, and what is left without both.
        slope, constant = exponent.diff(k), sympy.expand(exponent - k * exponent.diff(k))
        times = constant.diff(n) if n.is_Symbol else sympy.S.Zero
        left = sympy.expand(constant - times * n)
        if any(part.has(k) for part in (base, slope, constant)) or not times.is_Integer or left.has(n):
            return None
        ratio, degree, rest = ratio * base**slope, degree * base**times, rest * base**left
        if factor.has(k) and base is not sympy.E:
            whole = slope.is_integer and left.is_integer
            conditions.append(ne(base, 0) if whole else gt(base, 0))
    total = sympy.expand(degree + degree * ratio)
    if not weighted:
        return rest * total**n, tuple(conditions)
    if total == 0:
        return None
    # For n = 0 the power is a reciprocal.
    conditions += [] if n.is_positive or total.is_nonzero else [ne(total, 0)]
    return rest * n * degree * ratio * total ** (n - 1), tuple(conditions)


def binomial_bounds(node: sympy.Sum) -> Iterator[tuple[sympy.Expr, tuple[Relation, ...]]]:
    """Upper bounds of a sum of binomial coefficients from 0 on, each with the conditions under which it is one.

    Args:
        node: A sum in symbols that say which of them are integers, and from where on.
    """
    if len(node.limits) != 1:
        return
    k, low, m = node.limits[0]
    f = node.function
    if low != 0 or not isinstance(f, sympy.binomial) or f.args[1] != k or f.args[0].has(k):
        return
    n = f.args[0]
    if not all(e.is_integer and e.is_nonnegative for e in (n, m)):
        return
    # The ratio m/(n - m) makes the bound least, and m/n is simpler; both are written as products of powers.
    rest = n - m
    try:
        yield m**-m * rest ** (m - n) * n**n, (gt(m, 0), gt(rest, 0), le(m, rest))
        yield m**-m * n ** (m - n) * (n + m) ** n, (gt(m, 0), gt(n, 0), le(m, n))
    except FormulaError:
        return
