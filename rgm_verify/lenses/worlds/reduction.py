"""The tie between what a lens looks at and the claim's own formula: without one, what the lens finds is a note.

A lens that evaluates something else than the formula (a world, an integral, an experiment, a certificate) is a route of
its own only if it says what its quantities are in the claim, and if the formula, evaluated there, agrees.

Without the tie, a lens could confirm one statement and lend its weight to another. So the values of the
claim's variables are computed exactly from the object at hand, they have to be certainly admissible,
and the formula has to be true where the statement is and false where it is not. A formula that merely
follows from the statement would pass at true worlds alone, which is why worlds where the statement
fails are compared too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

import sympy

from rgm_verify.claims.claim import Claim, ClaimError
from rgm_verify.claims.formula import relations
from rgm_verify.lenses.base import fraction_text
from rgm_verify.lenses.points.axes import real_constant
from rgm_verify.lenses.points.sampling import admissible
from rgm_verify.lenses.points.values import Point, Value, as_sympy, exact, truth_by_arb

#: For every variable of a claim: its exact value in whatever the lens looks at.
Quantities: TypeAlias = Mapping[sympy.Symbol, Callable[[Any], Any]]

#: To how many digits two numbers have to agree.
DIGITS = 15


def root(square: Value | int) -> Value:
    """The exact square root of an exact number: a Fraction where it is one, else a constant of SymPy's.

    Examples:
        >>> root(Fraction(9, 4)), root(2)
        (Fraction(3, 2), sqrt(2))
    """
    return exact(sympy.sqrt(as_sympy(square if isinstance(square, sympy.Expr) else Fraction(square))))


def norm(vector: Sequence[Any]) -> Value:
    """The exact Euclidean norm of a rational vector.

    Examples:
        >>> norm((3, 4))
        Fraction(5, 1)
    """
    return root(sum(a * a for a in vector))


def cosine(first: Sequence[Any], second: Sequence[Any]) -> Value:
    """The exact cosine of the angle between two rational vectors; 0 where one of them vanishes."""
    one, two = sum(a * a for a in first), sum(b * b for b in second)
    inner = sum(a * b for a, b in zip(first, second, strict=True))
    return exact(as_sympy(Fraction(inner)) / sympy.sqrt(as_sympy(Fraction(one * two)))) if one and two else Fraction(0)


def read_off(values: Callable[[Any], Sequence[Any]], symbols: Sequence[sympy.Symbol]) -> Quantities:
    """The map of `symbols` to the values that one function returns, in this order.

    Args:
        values: A function of a world or a case.
        symbols: The variables of the claim, in the order of the values.
    """
    shared = _Shared(values, len(symbols))
    return {symbol: partial(_item, shared, i) for i, symbol in enumerate(symbols)}


@dataclass(eq=False)
class _Shared:
    """A function that returns several values, evaluated once for a place that is asked for repeatedly."""

    values: Callable[[Any], Sequence[Any]]
    count: int

    def __post_init__(self) -> None:
        self.last: tuple[Any, Sequence[Any]] = (None, ())

    def at(self, place: Any) -> Sequence[Any]:
        """Return the values at a place; raises `TypeError` for a number of values other than that of the variables."""
        # By identity: an equal world is another one, and comparing them would take longer than asking again.
        if self.last[0] is not place:
            found = self.values(place)
            if len(found) != self.count:
                raise TypeError(f"{self.values}: {len(found)} values for {self.count} variables of the claim")
            self.last = (place, found)
        return self.last[1]


def _item(shared: _Shared, index: int, place: Any) -> Any:
    return shared.at(place)[index]


def refuse_other_symbols(claim: Claim, lens: str, quantities: Quantities) -> None:
    """Raise `ClaimError` unless there is one quantity for every variable of the claim and for nothing else."""
    declared = [v.symbol for v in claim.variables]
    missing = [s for s in declared if s not in quantities]
    other = sorted((s for s in quantities if s not in declared), key=str)
    if missing or other:
        wrong = f"no quantity for {', '.join(map(str, missing))}" if missing else f"{other[0]} is no variable of it"
        raise ClaimError(
            f"{claim.id}: {lens}: the map to the claim's symbols: {wrong}; give quantities= for each of: "
            f"{', '.join(map(str, declared)) or 'nothing'}, or leave it out (the lens then makes a note only)"
        )


def point_of(quantities: Quantities, place: Any) -> Point:
    """The claim's variables in a world or a case, exactly; `TypeError` for a float."""
    return {symbol: _exact(symbol, quantity(place)) for symbol, quantity in quantities.items()}


def _exact(symbol: sympy.Symbol, value: Any) -> Value:
    """Return a value as an exact number; raises `TypeError` for a float or anything that is no real constant."""
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return Fraction(value)
    constant = real_constant(value) if isinstance(value, sympy.Expr) and not value.atoms(sympy.Float) else None
    if constant is None:
        raise TypeError(f"{symbol}={value!r}: not exact; give an int, a Fraction, or a real constant of SymPy's")
    return constant


def disagreement(claim: Claim, point: Mapping[sympy.Symbol, Value], *, holds: bool) -> str:
    """Return why the claim's formula does not say at a point what was found there; empty if it does.

    A point that is not certainly admissible, or at which the formula stays open, counts as a disagreement: a route that
    cannot be compared with the claim is no route to it.

    Args:
        point: An exact value for each of its variables.
        holds: What was found of the unreduced statement.
    """
    # A hypothesis that fails would make the formula true or false for a reason of its own.
    if not admissible(claim, point):
        return f"{point_text(point)} is not certain to be an admissible point of the claim"
    truth = None if claim.conclusion is None else truth_by_arb(claim.conclusion, point)
    if truth is None:
        return f"at {point_text(point)} the claim's formula could not be decided"
    if (truth is True) != holds:
        return f"the claim's formula {'holds' if truth is True else 'fails'} at {point_text(point)}"
    return ""


def point_text(point: Mapping[sympy.Symbol, Value]) -> str:
    """The point in one line."""
    shown = (f"{s} = {fraction_text(v) if isinstance(v, Fraction) else v}" for s, v in point.items())
    return ", ".join(shown) or "the claim without variables"


def stands_in(claim: Claim, part: sympy.Expr) -> bool:
    """Return whether an expression is a side of a relation of the conclusion, or stands in one.

    A number is no such part, and a bare variable only where it is a whole side: both stand nearly everywhere.

    Args:
        part: An expression in its variables.
    """
    if claim.conclusion is None or not part.free_symbols:
        return False
    sides = [side for r in relations(claim.conclusion) for side in (r.lhs, r.rhs)]
    # A variable stands in many formulas by accident; as a part it has to be a side of its own.
    return part in sides or (not part.is_Symbol and any(side.has(part) for side in sides))


def agree(first: sympy.Expr, second: sympy.Expr, point: Mapping[sympy.Symbol, Value]) -> bool | None:
    """Return whether narrow enclosures of two expressions overlap at a point; None where one is not enclosed.

    Returns:
        True for 15 equal digits, False for a certain difference.
    """
    from rgm_verify.balls.enclose import enclose
    from rgm_verify.balls.program import UnsupportedExpression

    constants = {s: v for s, v in point.items() if not isinstance(v, Fraction)}
    rational = {s: v for s, v in point.items() if isinstance(v, Fraction)}
    try:
        one, two = (enclose(e.xreplace(constants), rational, digits=DIGITS + 10) for e in (first, second))
    except UnsupportedExpression:
        return None
    if not one.overlaps(two):
        return False
    # Wide enclosures overlap whatever the values are.
    return True if max(relative_width(one), relative_width(two)) < Fraction(1, 10**DIGITS) else None


def relative_width(enclosure: Any) -> Fraction:
    """The width of an enclosure as a share of its size; 1 where it is unbounded."""
    if enclosure.lower is None or enclosure.upper is None:
        return Fraction(1)
    size = max(abs(enclosure.lower), abs(enclosure.upper))
    return Fraction(0) if size == 0 else (enclosure.upper - enclosure.lower) / size
