"""Floors and ceilings beside a whole number: floor(u) >= m is u >= m for a whole m, and so for all four ways round.

Nothing is lost: the goal that is left holds where the given one does. A rest is whole where it is a polynomial in
integers, floors and ceilings that takes whole values at all residues modulo its denominator. Floors of quotients of an
integer go where it is written as a multiple and a residue.
"""

from __future__ import annotations

import math
from itertools import product

import sympy

__all__ = ["without_rounding"]

_MOST_RESIDUES = 1_000
_MOST_CASES = 12
_COUNTING = (sympy.floor, sympy.ceiling)


def without_rounding(value: sympy.Expr, *, strict: bool) -> tuple[sympy.Expr, bool] | None:
    """Return what is >= 0, or > 0 where the answer is strict, exactly where a value is; None without such a floor.

    Args:
        value: An expression that is defined, with symbols for integers where they are some.
        strict: Whether > 0 is asked of it.

    Examples:
        >>> x, n = sympy.Symbol("x", real=True), sympy.Symbol("n", integer=True)
        >>> without_rounding(sympy.floor(x) - n, strict=False), without_rounding(n - sympy.floor(x), strict=False)
        ((-n + x, False), (n - x + 1, True))
    """
    terms = sympy.expand(value)
    for node in sorted(terms.atoms(*_COUNTING), key=sympy.default_sort_key):
        for sign in (1, -1):
            rest = sympy.expand(terms - sign * node)
            # It stands there once, with the coefficient 1 or -1.
            if rest.has(node) or not _is_whole(rest):
                continue
            # A whole number that is > 0 is >= 1.
            least = sign * node.args[0] + (rest - 1 if strict else rest)
            # floor(u) >= m, and ceiling(u) <= m, are the same of u; floor(u) <= m is u < m + 1, and so on.
            same = isinstance(node, sympy.floor) == (sign > 0)
            return sympy.expand(least if same else least + 1), not same
    return None


def _counts(node: sympy.Expr) -> bool:
    return isinstance(node, _COUNTING)


def at_residues(value: sympy.Expr) -> list[sympy.Expr] | None:
    """Return the expressions that a value is at the residues of an integer, without floors and ceilings.

    None where they do not all go. A value is among them at every integer, so that what all of them fulfil it fulfils.

    Examples:
        >>> n = sympy.Symbol("n", integer=True)
        >>> at_residues(sympy.ceiling(n / 2))
        [n/2, n/2 + 1/2]
    """
    value = _by_whole_part(value)
    nodes = sorted(value.atoms(*_COUNTING), key=sympy.default_sort_key)
    for n in sorted((s for s in value.free_symbols if s.is_integer), key=str):
        arguments = [sympy.expand(node.args[0]) for node in nodes if node.has(n)]
        if not arguments or not all(a.is_polynomial(n) for a in arguments):
            continue
        numbers = (c for a in arguments for c in sorted(a.atoms(sympy.Rational), key=sympy.default_sort_key))
        modulus = math.lcm(*(int(c.q) for c in numbers))
        if modulus > _MOST_CASES:
            continue
        k = sympy.Dummy("k", integer=True)
        cases = [value.xreplace({n: modulus * k + r}) for r in range(modulus)]
        # SymPy takes a whole number out of a floor where it stands there as a term.
        found = [sympy.expand(c.replace(_counts, lambda node: node.func(sympy.expand(node.args[0])))) for c in cases]
        # A whole part that is left is no variable of the claim.
        if not any(case.has(*_COUNTING) or (isinstance(n, sympy.Dummy) and case.has(k)) for case in found):
            return [sympy.expand(case.xreplace({k: (n - r) / modulus})) for r, case in enumerate(found)]
    return None


def _by_whole_part(value: sympy.Expr) -> sympy.Expr:
    """Return an expression with the whole part of each real number that stands in floors of (x + c)/q alone.

    For whole c and q > 0 the floor of (x + c)/q is that of (floor(x) + c)/q.
    """
    nodes = {node: sympy.Dummy() for node in value.atoms(sympy.floor)}
    for x in sorted((s for s in value.free_symbols if not s.is_integer), key=str):
        mine = [node for node in nodes if node.has(x)]
        slopes = [sympy.expand(node.args[0]).coeff(x) for node in mine]
        if value.xreplace(nodes).has(x) or not all(s.is_Rational and s.p == 1 and s > 0 for s in slopes):
            continue
        rests = [sympy.expand(node.args[0] / s) - x for node, s in zip(mine, slopes, strict=True)]
        if all(rest.is_integer for rest in rests):
            whole = sympy.Dummy("whole part", integer=True)
            moved = zip(mine, slopes, rests, strict=True)
            value = value.xreplace({node: sympy.floor(sympy.expand((whole + rest) * s)) for node, s, rest in moved})
    return value


def _is_whole(value: sympy.Expr) -> bool:
    """Return whether a polynomial in integers, floors and ceilings takes whole values alone."""
    whole_symbols = (s for s in sorted(value.free_symbols, key=str) if s.is_integer)
    unknowns = [*sorted(value.atoms(*_COUNTING), key=sympy.default_sort_key), *whole_symbols]
    names = {node: sympy.Dummy(integer=True) for node in unknowns}
    # Floors first: a symbol stands in them as well.
    written = value.xreplace({n: d for n, d in names.items() if not n.is_Symbol}).xreplace(names)
    left = sorted(written.free_symbols, key=str)
    if not set(left) <= set(names.values()) or not written.is_polynomial(*left):
        return False
    polynomial = sympy.Poly(written, *left) if left else None
    if polynomial is None:
        return bool(written.is_Integer)
    if not all(c.is_Rational for c in polynomial.coeffs()):
        return False
    denominator, whole = polynomial.clear_denoms(convert=True)
    modulus = int(denominator)
    if modulus ** len(left) > _MOST_RESIDUES:
        return False
    places = product(range(modulus), repeat=len(left))
    return all(int(whole.eval(dict(zip(left, place, strict=True)))) % modulus == 0 for place in places)
