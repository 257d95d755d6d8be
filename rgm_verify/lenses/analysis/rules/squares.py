"""Two terms against a third by the inequality of the arithmetic and the geometric mean: A + B >= -N if 4 A B >= N^2.

For A, B >= 0 the square of A + B is at least 4 A B. A polynomial of the second degree in a variable is of this form;
4 A B - N^2 is then minus its discriminant, in which the variable is gone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import sympy

from rgm_verify.lenses.analysis.goals import Domain, Goal

if TYPE_CHECKING:
    from rgm_verify.lenses.analysis.search import Prover

__all__ = ["by_squares"]

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
