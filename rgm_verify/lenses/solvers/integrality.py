"""Relations between integers in a form that asks less over the reals, and the same at integers."""

from __future__ import annotations

import sympy

from rgm_verify.claims.formula import All, Either, Formula, Implies, Relation, both, gt, lt


def relaxed(formula: Formula) -> Formula:
    """Return a formula that says the same where its integer variables are integers, and asks no more over the reals.

    Where `E = left - right` is an integer at integers, `E <= 0` is `E < 1`, and `E == 0` is `-1 < E < 1`: an integer
    strictly between -1 and 1 is 0. A solver over the reals then proves what is true of integers alone. Strict relations
    and relations with other terms stay; so do conditions, which would ask more if they said less.
    """
    match formula:
        case All(members):
            return All(tuple(map(relaxed, members)))
        case Either(members):
            return Either(tuple(map(relaxed, members)))
        case Implies(left, right):
            return Implies(left, relaxed(right))
        case Relation(left, op, right) if op in {"<=", ">=", "=="} and _whole(left) and _whole(right):
            below, above = lt(left - right, 1), gt(left - right, -1)
            return both(below, above) if op == "==" else below if op == "<=" else above
    return formula


def _whole(side: sympy.Expr) -> bool:
    """Return whether a side is an integer for all integer values of its integer variables, and has a variable.

    Sums and products of integers only: they are defined everywhere, so that nothing is lost by writing them anew.
    """
    return bool(side.is_polynomial(*side.free_symbols) and side.is_integer)
