"""Cases of a claim about outputs: which of its expressions is which quantity, and whether it can hold.

`Reading` says which expression of the claim is which quantity of which pair. What was found of the quantity is put in
the place of that expression, and the claim has to hold with it (`compatible`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

import mpmath
import sympy

from rgm_verify.balls.binding import worked_out
from rgm_verify.claims.claim import Claim, ClaimError
from rgm_verify.claims.formula import Formula, Relation, relations
from rgm_verify.gaussians import unreduced
from rgm_verify.gaussians.unreduced import Measured
from rgm_verify.lenses.distributions.laws import Laws
from rgm_verify.lenses.distributions.quantities import Outputs, Quantity, integrated
from rgm_verify.lenses.points.numeric import mpmath_value
from rgm_verify.lenses.points.values import Point, Value, as_sympy, exact, truth_at
from rgm_verify.lenses.worlds.reduction import stands_in

#: Digits of what is compared: errors that are stated are far larger than what is rounded off at so many.
DIGITS_COMPARED = 60


@dataclass(frozen=True)
class Reading:
    """The sentence that `part`, an expression of the claim, is `scale` times a quantity of a pair of outputs.

    Attributes:
        part: The expression of the claim.
        quantity: The kind of quantity.
        outputs: The pair.
        scale: The factor.
    """

    part: sympy.Expr
    quantity: Quantity
    outputs: Outputs | Laws
    scale: sympy.Expr | int = 1


@dataclass(frozen=True)
class Of:
    """A quantity of a pair of outputs."""

    quantity: Quantity
    outputs: Outputs | Laws

    def subs(self, values: Mapping[sympy.Symbol, Any]) -> Of:
        """The quantity with numbers in the places of symbols."""
        return Of(self.quantity.placed(values), self.outputs.subs(values))

    def integral(self, point: Point, digits: int) -> Measured:
        """The quantity at a point of the claim."""
        values = {s: as_sympy(v) for s, v in point.items()}
        return integrated(self.quantity.placed(values), self.outputs.at(point), digits)


@dataclass(frozen=True)
class Bound:
    """The unreduced statement that a quantity is at most an expression of the claim's, or the largest of others.

    For claims whose formula is a step on the way to it and does not contain the quantity.

    Attributes:
        smaller: The quantity that is bounded, or an expression that bounds the others from below.
        larger: An expression, or quantities of which the largest is the bound.
    """

    smaller: Of | sympy.Expr
    larger: sympy.Expr | tuple[Of, ...]

    def quantities(self) -> tuple[Of, ...]:
        """All quantities of outputs in it."""
        smaller = (self.smaller,) if isinstance(self.smaller, Of) else ()
        return (*smaller, *(self.larger if isinstance(self.larger, tuple) else ()))


@dataclass(frozen=True)
class Case:
    """A point of a claim, what its expressions are there, and what is said of the outputs there.

    Attributes:
        point: An exact value for each variable of the claim.
        readings: What is read at this point.
        bounds: What has to hold of the outputs at this point.
    """

    point: Point
    readings: tuple[Reading, ...] = ()
    bounds: tuple[Bound, ...] = ()

    def fits(self) -> bool:
        """Return whether the outputs have the dimension that the point asks for."""
        pairs = [r.outputs for r in self.readings]
        pairs += [of.outputs for bound in self.bounds for of in bound.quantities()]
        return all(pair.fits(self.point) for pair in pairs)


Cases: TypeAlias = Callable[[bool], Iterable[Case]]
"""Cases of a claim whose variables are themselves found by integration; the argument asks for all of them."""


@dataclass(frozen=True)
class Filled:
    """Cases in which symbols of the claim are quantities of outputs, found by integration.

    Called as `Cases` are. The points may give values of further symbols, which the quantities, the bounds and `rest`
    use and the claim does not have.

    Attributes:
        points: Values of the other symbols, one mapping for each case.
        values: A quantity for each symbol that is read; looked at again by both lenses.
        above: A quantity for each symbol that is an upper bound on it: its value, rounded up.
        found: A quantity for each further symbol of `rest`, which is not read.
        rest: Expressions in all of these for the symbols that are left.
        readings: What else is read.
        bounds: What has to hold of the outputs.
    """

    points: tuple[Mapping[sympy.Symbol, Any], ...]
    values: Mapping[sympy.Symbol, Of] = field(default_factory=dict)
    above: Mapping[sympy.Symbol, Of] = field(default_factory=dict)
    found: Mapping[sympy.Symbol, Of] = field(default_factory=dict)
    rest: Mapping[sympy.Symbol, sympy.Expr | int] = field(default_factory=dict)
    readings: tuple[Reading, ...] = ()
    bounds: tuple[Bound, ...] = ()

    def __call__(self, full: bool) -> Iterator[Case]:
        """Yield the case of each point."""
        for given in self.points:
            point = {s: exact(sympy.sympify(v)) for s, v in given.items()}
            known = {s: as_sympy(v) for s, v in point.items()}
            values = {s: of.subs(known) for s, of in self.values.items()}
            others = ((s, of.subs(known)) for s, of in (*self.above.items(), *self.found.items()))
            for symbol, of in (*values.items(), *others):
                point[symbol] = _near(of.integral({}, unreduced.DIGITS), up=symbol in self.above)
            known = {s: as_sympy(v) for s, v in point.items()}
            for symbol, expression in self.rest.items():
                point[symbol] = exact(worked_out(sympy.sympify(expression).xreplace(known)))
            readings = [Reading(s, of.quantity, of.outputs) for s, of in values.items()]
            readings += [
                replace(r, quantity=r.quantity.placed(known), outputs=r.outputs.subs(known)) for r in self.readings
            ]
            yield Case(point, tuple(readings), self.bounds)


def _near(found: Measured, *, up: bool) -> Fraction:
    """A rational number as near to an integral as its error is small; above it, if asked for."""
    with mpmath.workdps(DIGITS_COMPARED):
        value = found.value + (found.error + mpmath.mpf(10) ** -25 if up else 0)
        scale = mpmath.mpf(10) ** 40
        return Fraction(int(mpmath.ceil(value * scale) if up else mpmath.nint(value * scale)), 10**40)


def compatible(claim: Claim, point: Point, found: Mapping[sympy.Expr, tuple[Any, Any]]) -> bool | None:
    """Return whether the conclusion can hold with its parts anywhere between the given ends; None where it is open.

    Each part is tried at both of its ends, which is enough for a gap that is monotone in each part. An expression
    counts as all that it can be, errors of evaluation included. Raises `ClaimError` for a part that cannot be taken out
    of the formula.

    Args:
        point: An exact value for each of its variables.
        found: The ends between which each part lies.
    """

    def decide(relation: Relation) -> bool | None:
        gaps = []
        names = {part: sympy.Dummy(f"measured_{i}", real=True) for i, part in enumerate(found)}
        gap = _without(relation.lhs, names, claim) - _without(relation.rhs, names, claim)
        for corner in _corners(found):
            values = {**point, **{names[part]: _fraction(end) for part, end in corner}}
            value, error = mpmath_value(*split(gap, values))
            # At one corner without a value the whole range is unknown.
            if value is None:
                return None
            # The corners are evaluated with 120 digits, and their errors widen the range in which the
            # gap may lie.
            gaps += [value - error, value + error]
        low, high = min(gaps), max(gaps)
        if relation.op == "==":
            return bool(low <= 0 <= high)
        # A range never refutes a disequation.
        if relation.op == "!=":
            return True
        return bool(low <= 0) if relation.op in ("<=", "<") else bool(high >= 0)

    return as_bool(truth_at(needed(claim), decide))


def needed(claim: Claim) -> Formula:
    """Return the conclusion; raise `ClaimError` where there is none."""
    if claim.conclusion is None:
        raise ClaimError(f"{claim.id}: there is no formula to compare with")
    return claim.conclusion


def as_bool(found: Any) -> bool | None:
    """Return a truth value, and None for what is undefined or open."""
    return found if isinstance(found, bool) else None


def _corners(found: Mapping[sympy.Expr, tuple[Any, Any]]) -> Iterator[tuple[tuple[sympy.Expr, Any], ...]]:
    """Yield all combinations of ends of the parts."""
    return product(*([(part, end) for end in ends] for part, ends in found.items()))


def _without(side: sympy.Expr, names: Mapping[sympy.Expr, sympy.Symbol], claim: Claim) -> sympy.Expr:
    """Return the side with names in the places of the parts; raises `ClaimError` for a part that does not come out
    whole.
    """
    for part, name in names.items():
        if side == part:
            side = name
        elif side.has(part):
            # Put back and compared: SymPy may take out a part of the part only, and the rest would keep its own value.
            replaced = side.xreplace({part: name}) if part.is_Symbol else side.subs(part, name)
            if not replaced.has(name) or replaced.xreplace({name: part}) != side:
                raise ClaimError(f"{claim.id}: {part} cannot be taken out of {side}")
            side = replaced
    return side


def split(expression: sympy.Expr, values: Mapping[sympy.Symbol, Value]) -> tuple[sympy.Expr, dict[Any, Fraction]]:
    """Put the coordinates that are not rational into an expression; return it with the rational ones."""
    constants = {s: v for s, v in values.items() if not isinstance(v, Fraction)}
    return expression.xreplace(constants), {s: v for s, v in values.items() if isinstance(v, Fraction)}


def _fraction(value: Any) -> Fraction:
    """A float or a number of mpmath's, exactly."""
    if isinstance(value, float):
        return Fraction(value)
    # By its parts, since a conversion through a float would lose digits.
    sign, mantissa, exponent, _ = value._mpf_
    return Fraction(-int(mantissa) if sign else int(mantissa)) * Fraction(2) ** int(exponent)


def confirmed(claim: Claim, found: Iterable[sympy.Expr]) -> str:
    """Return which side of the conclusion a value stands on that outputs confirm: what a refuted claim keeps.

    Args:
        found: The parts of the conclusion that were measured.
    """
    parts = list(found)
    sides = [(_stands(r.lhs, parts), _stands(r.rhs, parts)) for r in relations(needed(claim))]
    left, right = (any(side[k] for side in sides) for k in (0, 1))
    if left and right:
        return "the values on both sides"
    return "the left side" if left else "the right side" if right else "what is said of the outputs"


def _stands(side: sympy.Expr, parts: Iterable[sympy.Expr]) -> bool:
    return any(side == part or side.has(part) for part in parts)


def stray_parts(claim: Claim, readings: Iterable[Reading]) -> list[sympy.Expr]:
    """Return the parts that the conclusion does not contain: evidence on them is a note."""
    # Without a variable a side is a number, and there is nothing else that it could be.
    sides = [] if claim.variables else [side for r in relations(needed(claim)) for side in (r.lhs, r.rhs)]
    return [r.part for r in readings if not stands_in(claim, r.part) and r.part not in sides]
