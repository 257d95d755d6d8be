"""Points that are said to exist for each of others: found as a formula, and proved for that formula.

`for all x > 0: there is y > x with y^2 = x^2 + 1` has two quantifiers, and a claim has one. With y as a formula of x it
is one about all x, and stronger: a proof of it is a proof of the statement, and a counterexample to it is none. So a
formula is looked for among solutions of the relations, what lies near and between the ends, and simple ones; where none
is proved, nothing is said. An author may give the formula: then it is a part of the statement.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

import sympy

from rgm_verify.claims.claim import Claim
from rgm_verify.claims.formula import relations
from rgm_verify.statements.parser import parse
from rgm_verify.statements.points import names_of_points
from rgm_verify.statements.tokens import StatementError
from rgm_verify.statements.trees import Compare, Expression, Statement, text

__all__ = ["formulas_for"]

#: Formulas that are tried.
_MOST: Final = 8
_LONGEST: Final = 300
#: What SymPy raises where it solves nothing.
_GIVES_UP = (NotImplementedError, ValueError, TypeError, ArithmeticError, AttributeError, RecursionError)


def formulas_for(statement: Statement, claim: Claim) -> list[tuple[str, Expression]]:
    """Return formulas for the one point of a statement, those that solve its relations first.

    Args:
        statement: A statement with a point.
        claim: What `flat` of it claims.

    Returns:
        The name of the point with each formula; none for several points.
    """
    names = names_of_points(statement)
    symbols = {v.symbol.name: v.symbol for v in claim.variables}
    if len(names) != 1 or names[0] not in symbols:
        return []
    symbol = symbols[names[0]]
    found: dict[str, Expression] = {}
    for value in islice(_solutions(claim, symbol), 3 * _MOST):
        written = str(value).replace("E**", "e**")
        if value.has(symbol) or len(written) > _LONGEST:
            continue
        try:
            says = parse(f"{written} = 0").says
        except StatementError:
            continue
        if isinstance(says, Compare):
            found.setdefault(text(says.sides[0]), says.sides[0])
    return [(names[0], value) for value in list(found.values())[:_MOST]]


def _solutions(claim: Claim, symbol: sympy.Symbol) -> Iterator[sympy.Expr]:
    """Yield expressions that may be a point: solutions, what lies near the ends, and simple ones."""
    stated = list(relations(claim.conclusion)) if claim.conclusion is not None else []
    stated += [r for h in claim.hypotheses for r in relations(h.formula)]
    ends: list[sympy.Expr] = []
    for relation in sorted(stated, key=lambda r: r.op != "=="):
        gap = relation.lhs - relation.rhs
        if not gap.has(symbol):
            continue
        # Without what SymPy knows of the symbol, which loses solutions that it cannot place.
        free = sympy.Dummy(symbol.name)
        try:
            solved = sympy.solve(gap.subs(symbol, free), free)
        except _GIVES_UP:
            solved = []
        for value in solved[:4]:
            if relation.op == "==":
                yield value
            ends.append(value)
    others = [v.symbol for v in claim.variables if v.symbol != symbol]
    variable = next(v for v in claim.variables if v.symbol == symbol)
    ends += [sympy.Rational(str(e)) for e in (variable.lower, variable.upper) if e is not None]
    yield from ends
    yield from (end + 1 for end in ends)
    yield from ((a + b) / 2 for i, a in enumerate(ends) for b in ends[i + 1 :])
    yield from (end / 2 for end in ends)
    yield from (end - 1 for end in ends)
    for other in others:
        yield from (other, other + 1, other / 2, 2 * other, -other, sympy.floor(other) + 1)
    yield from (sympy.S.Zero, sympy.S.One)
