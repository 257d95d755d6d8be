"""Claims about integers that fail for some reals: between zeros without an integer, and by remainders.

n^2 >= n fails between 0 and 1 and holds at every integer. Two arguments reach such claims. A polynomial
with integer coefficients that is 0 for no residues modulo m is never 0. And a function of one variable
whose zeros are isolated is >= 0 at all integers if no integer lies in a piece where it is negative.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import ceil, floor

import sympy

from rgm_verify.claims.claim import Claim
from rgm_verify.claims.formula import Relation
from rgm_verify.lenses.analysis.asymptotics.growth import NotKnown
from rgm_verify.lenses.analysis.univariate import Open, Root, Signs

__all__ = ["among_integers"]

_LARGEST_MODULUS = 12
_MOST_RESIDUES = 3_000


def among_integers(claim: Claim, relation: Relation) -> str:
    """Say how a relation between polynomials in integers was shown; empty if it was not.

    Args:
        claim: The claim; all variables of the relation must be integers.
        relation: A relation of its conclusion, defined on the domain.

    Returns:
        A sentence. Hypotheses are not used, which makes the statement shown a stronger one.
    """
    if not all(v.integer for v in claim.variables if v.symbol in relation.gap.free_symbols):
        return ""
    gap = sympy.expand(relation.gap)
    symbols = sorted(gap.free_symbols, key=str)
    if relation.op == "!=" and gap.is_polynomial(*symbols):
        modulus = _never_zero(gap, symbols)
        if modulus:
            return f"the difference of the sides is never a multiple of {modulus}"
    reduced = _one_difference(claim, relation.gap, symbols)
    if reduced is None or relation.op == "==":
        return ""
    expression, x, where = reduced
    for piece in (expression,) if not expression.has(sympy.Abs) else _bent(expression, x):
        if not _holds_at_integers(piece, x, where, relation.op):
            return ""
    return f"at the integers between its zeros, of which there are none where it is negative (in {x})"


def _never_zero(gap: sympy.Expr, symbols: list[sympy.Symbol]) -> int:
    """A modulus for which the polynomial with integer coefficients is 0 for no residues; 0 if none was found.

    A value that is 0 is 0 modulo everything, so that one modulus without a zero suffices.
    """
    polynomial = sympy.Poly(gap, *symbols)
    if not all(c.is_Integer for c in polynomial.coeffs()):
        return 0
    terms = [(m, int(c)) for m, c in polynomial.terms()]
    for modulus in range(2, _LARGEST_MODULUS + 1):
        if modulus ** len(symbols) > _MOST_RESIDUES:
            return 0
        values = product(range(modulus), repeat=len(symbols))
        if all(_value(terms, point, modulus) for point in values):
            return modulus
    return 0


def _value(terms: list[tuple[tuple[int, ...], int]], point: tuple[int, ...], modulus: int) -> int:
    """Return the polynomial's value at a point modulo a number."""
    total = 0
    for powers, coefficient in terms:
        term = coefficient
        for base, power in zip(point, powers, strict=True):
            term = term * pow(base, power, modulus) % modulus
        total += term
    return total % modulus


def _one_difference(
    claim: Claim, gap: sympy.Expr, symbols: list[sympy.Symbol]
) -> tuple[sympy.Expr, sympy.Symbol, Open] | None:
    """The gap as a function of one integer: its only variable, or the difference of two that take all values.

    The ends are moved out by one where they belong to the range, as the interval is open.
    """
    if not symbols:
        return None
    x = sympy.Symbol(symbols[0].name, real=True)
    v = next(v for v in claim.variables if v.symbol == symbols[0])
    if len(symbols) == 1:
        low = None if v.lower is None else v.lower - 1 if not v.lower_open else v.lower
        high = None if v.upper is None else v.upper + 1 if not v.upper_open else v.upper
        return gap.xreplace({symbols[0]: x}), x, Open(low, high)
    free = all(w.lower is None and w.upper is None for w in claim.variables)
    if len(symbols) == 2 and free:
        m, n = symbols
        moved = sympy.expand(gap.xreplace({m: m + n}))
        # m - n takes every integer value when both variables are free, so that the other variable has
        # no part in it.
        if not moved.has(n):
            return moved.xreplace({m: x}), x, Open(None, None)
    return None


def _bent(expression: sympy.Expr, x: sympy.Symbol) -> list[sympy.Expr]:
    """The branches of an expression with one absolute value, each of which has to hold everywhere."""
    node = sorted(expression.atoms(sympy.Abs), key=str)[0]
    return [expression.xreplace({node: sign * node.args[0]}) for sign in (1, -1)]


def _holds_at_integers(expression: sympy.Expr, x: sympy.Symbol, where: Open, op: str) -> bool:
    """Return whether the gap is >= 0 (> 0, not 0) at every integer strictly inside the interval.

    Each zero is enclosed until its enclosure holds no integer, or is known exactly.
    """
    if expression.has(sympy.Abs):
        return False
    signs = Signs(x)
    try:
        pattern = signs.pattern(expression, where)
        for root in pattern.roots:
            while not root.exact and floor(root.upper) >= ceil(root.lower) and root.upper - root.lower > 0:
                signs.refine(root)
            # An integer at which both sides are equal breaks a strict relation.
            if op in ("<", ">", "!=") and root.exact and root.lower.denominator == 1:
                return False
    except (NotKnown, StopIteration):
        return False
    if op == "!=":
        return all(pattern.signs)
    ends: list[Root | None] = [None, *pattern.roots, None]
    for k, sign in enumerate(pattern.signs):
        if sign > 0:
            continue
        low = where.lower if ends[k] is None else ends[k].upper  # type: ignore[union-attr]
        high = where.upper if ends[k + 1] is None else ends[k + 1].lower  # type: ignore[union-attr]
        if low is None or high is None or _integer_between(low, high):
            return False
    return True


def _integer_between(low: Fraction, high: Fraction) -> bool:
    """Return whether an integer lies strictly between two rationals."""
    return floor(low) + 1 < high
