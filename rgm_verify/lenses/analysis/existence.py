"""Existence of a zero: a change of sign of a continuous function.

By the intermediate value theorem a continuous function that is positive at one point and negative at
another is 0 in between. The signs at both points are certified by two arithmetics, and continuity on
the way is shown by the conditions of smoothness, as 1/x changes sign without a zero. Integers are
refused: their zero may lie between two of them.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from rgm_verify.claims.claim import Variable
from rgm_verify.claims.formula import Relation
from rgm_verify.lenses.analysis.asymptotics.growth import NotKnown
from rgm_verify.lenses.analysis.univariate import Open, Signs
from rgm_verify.lenses.points.interval import CannotEnclose, sign_by_intervals
from rgm_verify.lenses.points.numeric import mpmath_sign
from rgm_verify.lenses.points.values import sign

__all__ = ["sign_change"]

_PLACES = 48


def sign_change(relation: Relation, variable: Variable) -> tuple[Fraction, Fraction] | None:
    """Two points of the domain between which the difference of both sides changes sign, by two arithmetics.

    Both sides are shown to be smooth between the points. None if no such points were found.

    Args:
        relation: An equation in one variable.
        variable: That variable, with its domain.

    Returns:
        Exact points of the domain, the smaller one first.
    """
    x = variable.symbol
    before: tuple[Fraction, str] | None = None
    for place in _places(variable):
        here = sign(relation.gap, {x: place})
        # An open sign is passed over: only two certain ones make a change.
        if here not in ("positive", "negative"):
            continue
        if before is not None and before[1] != here:
            ends = before[0], place
            if all(_agrees(relation.gap, x, p, s) for p, s in (before, (place, here))) and _continuous(
                relation, x, ends
            ):
                return ends
        before = place, here
    return None


def _places(v: Variable) -> list[Fraction]:
    """Return places of the domain in order: evenly spread over a bounded range, ever further out on a
    half-line or a line.
    """
    low, high = v.lower, v.upper
    steps = [Fraction(k, _PLACES) for k in range(1, _PLACES)]
    if low is not None and high is not None:
        found = [low + (high - low) * s for s in steps]
        found = ([] if v.lower_open else [low]) + found + ([] if v.upper_open else [high])
    elif low is not None:
        found = [low + s / (1 - s) for s in steps]
    elif high is not None:
        found = [high - s / (1 - s) for s in reversed(steps)]
    else:
        found = [(2 * s - 1) / (1 - (2 * s - 1) ** 2) for s in steps]
    return sorted({Fraction(round(p)) for p in found} if v.integer else found)


def _agrees(gap: sympy.Expr, x: sympy.Symbol, place: Fraction, expected: str) -> bool:
    """Return whether mpmath sees the same sign: by intervals, or by two precisions where it has no
    intervals.
    """
    try:
        return sign_by_intervals(gap, {x: place}) == expected
    except CannotEnclose:
        return mpmath_sign(gap, {x: place}) == expected


def _continuous(relation: Relation, x: sympy.Symbol, ends: tuple[Fraction, Fraction]) -> bool:
    """Return whether both sides were shown to be smooth on the open interval and defined at its ends."""
    # Between two integers there is no point, and no zero.
    if x.is_integer:
        return False
    signs = Signs(x)
    try:
        for side in (relation.lhs, relation.rhs):
            if not side.is_polynomial(x):
                signs._require_smooth(side, Open(*ends), 0)
    except (NotKnown, StopIteration):
        return False
    return True
