"""Two terms against a third by the inequality of the arithmetic and the geometric mean: A + B >= -N if 4 A B >= N^2.

For A, B >= 0 the square of A + B is at least 4 A B. A polynomial of the second degree in a variable is of this form;
4 A B - N^2 is then minus its discriminant, in which the variable is gone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import sympy

from rgm_verify.claims.formula import FormulaError, le
from rgm_verify.lenses.analysis.goals import Domain, Goal

if TYPE_CHECKING:
    from rgm_verify.lenses.analysis.search import Prover

__all__ = ["by_squares", "by_squaring"]

_LONGEST = 80


def by_squares(goal: Goal, prover: Prover, depth: int) -> bool:
    """Return whether a goal was shown as two terms that are not negative, and a third one between them.

    Args:
        goal: A goal that is defined on its domain.
        depth: Ways within ways that may be tried.
    """
    e, domain = goal.expression, goal.domain
    # Real arithmetic knows this of polynomials.
    if sympy.count_ops(e) > _LONGEST or e.is_polynomial(*e.free_symbols):
        return False
    for first, second, between in _split(e, domain, prover):
        rest = Goal(sympy.expand(4 * first * second - between**2), goal.strict, domain)
        if sympy.count_ops(rest.expression) > _LONGEST or prover.fails(rest):
            continue
        if prover.show(rest, depth - 1):
            prover.log.append(f"{e}: 4*({first})*({second}) is at least the square of {between}"[:120])
            return True
    return False


def by_squaring(goal: Goal, prover: Prover, depth: int) -> bool:
    """Return whether a goal with square roots of several variables was shown by the squares of both of its sides.

    r - c sqrt(R) >= 0 with c > 0 is r >= 0 and r^2 >= c^2 R; c sqrt(R) + r >= 0 is c^2 R >= r^2 where r <= 0.

    Args:
        goal: A goal that is defined on its domain.
        depth: Ways within ways that may be tried.
    """
    e, domain = goal.expression, goal.domain
    terms = sympy.Add.make_args(e)
    if not isinstance(e, sympy.Add) or len(e.free_symbols) < 2 or sympy.count_ops(e) > _LONGEST:
        return False
    for wanted in (-1, 1):
        for term in sympy.ordered(terms):
            roots = [f for f in sympy.Mul.make_args(term) if isinstance(f, sympy.Pow) and f.exp == sympy.S.Half]
            if not any(root.free_symbols for root in roots) or prover.sign(term, domain) not in (wanted, 2 * wanted):
                continue
            rest = e - term
            # An absolute value is gone in its square.
            gap = sympy.expand(_squared(term) - _squared(rest)) * wanted
            squares = Goal(gap, goal.strict, domain)
            if prover.fails(squares) and wanted < 0:
                continue
            if wanted < 0:
                if prover.sign(rest, domain) in (1, 2) and prover.show(squares, depth - 1):
                    prover.log.append(f"{e}: the squares of {rest} and {-term}"[:120])
                    return True
                continue
            if any(prover.show(g, depth - 1) for g in (squares, *_where_not_positive(squares, rest))):
                prover.log.append(f"{e}: the squares of {term} and {-rest}"[:120])
                return True
    return False


def _squared(e: sympy.Expr) -> sympy.Expr:
    return sympy.expand(e**2).replace(_is_square, _without_bars)


def _is_square(e: sympy.Expr) -> bool:
    return isinstance(e, sympy.Pow) and isinstance(e.base, sympy.Abs) and e.exp.is_Integer and e.exp % 2 == 0


def _without_bars(e: sympy.Pow) -> sympy.Expr:
    return e.base.args[0] ** e.exp


def _where_not_positive(goal: Goal, rest: sympy.Expr) -> Iterator[Goal]:
    """Yield a goal where an expression is not positive."""
    try:
        yield replace(goal, domain=goal.domain.given(le(rest, 0)))
    except FormulaError:
        return


def _split(e: sympy.Expr, domain: Domain, prover: Prover) -> Iterator[tuple[sympy.Expr, sympy.Expr, sympy.Expr]]:
    """The ways in which an expression is a sum of two terms >= 0 and a third: as it is written, and by powers."""
    terms = sympy.Add.make_args(e)
    if len(terms) == 3:
        for between in terms:
            first, second = (term for term in terms if term is not between)
            if _none_negative(first, second, domain, prover):
                yield first, second, between
    for v in sympy.ordered(e.free_symbols):
        parts = _by_powers(e, v)
        if parts is not None and _none_negative(parts[0], parts[1], domain, prover):
            yield parts


def _none_negative(first: sympy.Expr, second: sympy.Expr, domain: Domain, prover: Prover) -> bool:
    """Return whether two terms were shown to be >= 0."""
    return all(prover.sign(term, domain) in (1, 2) for term in (first, second))


def _by_powers(e: sympy.Expr, x: sympy.Symbol) -> tuple[sympy.Expr, sympy.Expr, sympy.Expr] | None:
    """Return the terms of the second, the zeroth and the first degree of a polynomial in x; None for anything else."""
    if not e.is_polynomial(x):
        return None
    found = sympy.Poly(e, x)
    if found.degree() != 2:
        return None
    highest, middle, lowest = found.all_coeffs()
    # The powers of x go into the square: its range does not matter.
    return highest, lowest, middle
