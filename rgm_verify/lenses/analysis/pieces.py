"""Existence refuted piece by piece: no point of a domain that is cut at poles, at jumps, and where terms
have no value.

`1/x = 0` has no solution between -1 and 1, and no rule of calculus sees it at once, as the pole lies in
between. So the domain is cut: by the sign of what a denominator, a root or a logarithm is taken of,
and by the value of each floor, sign and absolute value. At a place of the cut itself the term has no
value, so that the place is no solution, or the term is replaced by the value that it has there. The
pieces are the whole domain, and each of them is refuted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import sympy

from rgm_verify.claims.claim import Claim, Hypothesis, Variable, real
from rgm_verify.claims.formula import All, Relation
from rgm_verify.lenses.analysis.goals import Domain, narrowed
from rgm_verify.lenses.points.values import UNDEFINED, Point, truth_by_arb
from rgm_verify.lenses.solvers.definedness import needs, parts, tells

__all__ = ["Rules", "nowhere", "opposites"]

_MOST_PIECES = 48
_MOST_STEPS = 24
_TURNED = {"<=": ">", "<": ">=", ">=": "<", ">": "<="}


@dataclass(frozen=True)
class Rules:
    """The rules that a piece is refuted by.

    Attributes:
        met: Whether a condition of a term was shown at every point of a claim's domain.
        show: How a relation that is defined there was shown at every point of a claim's domain; empty if it was not.
    """

    met: Callable[[Claim, Relation], bool]
    show: Callable[[Claim, Relation], str]


@dataclass(frozen=True)
class _Piece:
    """A part of the domain, as hypotheses of a claim, and what is asked of a point of it."""

    claim: Claim
    wanted: tuple[Relation, ...]

    def where(self, *conditions: Relation) -> _Piece:
        """The part of it where conditions hold."""
        known = len(self.claim.hypotheses)
        more = tuple(Hypothesis(f"piece, {known + i}", c) for i, c in enumerate(conditions))
        return replace(self, claim=replace(self.claim, hypotheses=(*self.claim.hypotheses, *more)))

    def with_value(self, node: sympy.Expr, value: sympy.Expr) -> _Piece:
        """The same with the value that a term has on all of it; as it is where that value leaves nothing of it."""

        def put(relation: Relation) -> Relation:
            return Relation(relation.lhs.xreplace({node: value}), relation.op, relation.rhs.xreplace({node: value}))

        known = tuple(
            replace(h, formula=put(h.formula)) if isinstance(h.formula, Relation) else h for h in self.claim.hypotheses
        )
        there = replace(self, claim=replace(self.claim, hypotheses=known))
        # What is asked may have no form at a value at which a condition is false.
        return there if _is_empty(there) else replace(there, wanted=tuple(map(put, self.wanted)))


def opposites(relation: Relation) -> list[Relation]:
    """Relations each of which, where it holds everywhere, leaves no point for the given one.

    Args:
        relation: A relation that is defined everywhere.
    """
    ops = {"==": ("<", ">", "!="), "!=": ("==",)}.get(relation.op) or (_TURNED[relation.op],)
    return [Relation(relation.lhs, op, relation.rhs) for op in ops]


def nowhere(claim: Claim, wanted: tuple[Relation, ...], rules: Rules) -> list[str] | None:
    """Say how each piece of the domain was shown to hold no point at which all relations are true; None if not.

    Sound if the rules are: a relation with a term that has no value is not true.

    Args:
        claim: A claim that a point exists, for its domain and hypotheses.

    Returns:
        A line for each piece.
    """
    said: list[str] = []
    left = [_Piece(replace(claim, mutants=(), sampling=None), wanted)]
    looked = 0
    while left:
        piece = left.pop()
        looked += 1
        if looked > _MOST_PIECES:
            return None
        how = _at_one_point(piece)
        node = None if how else _without_value(piece, rules)
        how = how or (_refuted(piece, rules) if node is None else "")
        if how:
            said.append(how)
            continue
        cut = list(_cut_at_steps(piece) if node is None else _cut_by_needs(piece, node))
        # One that cannot be cut stays open, and all of it with it.
        if not cut:
            return None
        left += [part for part in cut if not _is_empty(part)]
    return said


def _refuted(piece: _Piece, rules: Rules) -> str:
    """Say how one relation was shown to fail wherever the others hold; empty if that was not shown."""
    for i, relation in enumerate(piece.wanted):
        # All terms have values here, so that the other relations may be assumed.
        there = piece.where(*(r for k, r in enumerate(piece.wanted) if k != i))
        for opposite in opposites(relation):
            how = rules.show(there.claim, opposite)
            if how:
                given = " and ".join(str(h.formula) for h in piece.claim.hypotheses)
                return (
                    f"{opposite.lhs} {opposite.op} {opposite.rhs} {f'where {given}' if given else 'everywhere'} ({how})"
                )
    return ""


def _without_value(piece: _Piece, rules: Rules) -> sympy.Expr | None:
    """The first term that was not shown to have a value on all of a piece, arguments first; None if all have one."""
    sides = [side for r in piece.wanted for side in (r.lhs, r.rhs)]
    for node in dict.fromkeys(n for side in sides for n in parts(side)):
        if not all(isinstance(need, Relation) and rules.met(piece.claim, need) for need in needs(node)):
            return node
    return None


def _cut_by_needs(piece: _Piece, node: sympy.Expr) -> Iterator[_Piece]:
    """Yield the parts of a piece where a term has a value, whose arguments have one; none where that is not known."""
    power = isinstance(node, sympy.Pow) and node.exp.is_Rational
    # Only of these is what they ask for also what they have no value without.
    if not (power or tells(node)):
        return
    found = [piece]
    for need in needs(node):
        if not isinstance(need, Relation):
            return
        sides = (">", "<") if need.op == "!=" else (need.op,)
        found = [part.where(Relation(need.lhs, op, need.rhs)) for part in found for op in sides]
    yield from found


def _cut_at_steps(piece: _Piece) -> Iterator[_Piece]:
    """Yield the parts of a piece on each of which its first jump or kink has one form; none where there is none."""
    sides = [side for r in piece.wanted for side in (r.lhs, r.rhs)]
    for node in dict.fromkeys(n for side in sides for n in parts(side)):
        inner = node.args[0] if node.args else node
        if isinstance(node, sympy.sign | sympy.Abs):
            values = (1, -1, 0) if isinstance(node, sympy.sign) else (inner, -inner, 0)
            for op, value in zip((">", "<", "=="), values, strict=True):
                yield piece.where(Relation(inner, op, sympy.S.Zero)).with_value(node, sympy.sympify(value))
            return
        if isinstance(node, sympy.Max | sympy.Min) and len(node.args) == 2:
            first, second = node.args
            larger, smaller = (first, second) if isinstance(node, sympy.Max) else (second, first)
            yield piece.where(Relation(first, ">=", second)).with_value(node, larger)
            yield piece.where(Relation(first, "<", second)).with_value(node, smaller)
            return
        if isinstance(node, sympy.floor | sympy.ceiling):
            yield from _steps(piece, node)
            return


def _steps(piece: _Piece, node: sympy.Expr) -> Iterator[_Piece]:
    """Yield the parts of a piece between the jumps of a floor or a ceiling, or all of them with a new integer."""
    inner = node.args[0]
    ends = _range(inner, piece.claim.variables)
    if ends is not None and math.floor(ends[1]) - math.floor(ends[0]) < _MOST_STEPS:
        for k in range(math.floor(ends[0]), math.ceil(ends[1]) + 1):
            yield piece.where(*_step_is(node, sympy.Integer(k))).with_value(node, sympy.Integer(k))
        return
    # A name that the claim cannot have, and another one for each floor.
    step = real(f"step_{len(piece.claim.variables)}", integer=True)
    widened = replace(piece, claim=replace(piece.claim, variables=(*piece.claim.variables, step)))
    yield widened.where(*_step_is(node, step.symbol)).with_value(node, step.symbol)


def _step_is(node: sympy.Expr, value: sympy.Expr) -> tuple[Relation, Relation]:
    """Return what is equivalent to a floor or a ceiling being a certain integer."""
    inner = node.args[0]
    if isinstance(node, sympy.floor):
        return Relation(inner, ">=", value), Relation(inner, "<", value + 1)
    return Relation(inner, "<=", value), Relation(inner, ">", value - 1)


def _range(e: sympy.Expr, variables: tuple[Variable, ...]) -> tuple[Fraction, Fraction] | None:
    """Return exact ends between which a linear term of one variable lies; None for another term or without ends."""
    for v in variables:
        if e.free_symbols == {v.symbol} and v.lower is not None and v.upper is not None:
            slope = e.diff(v.symbol)
            if slope.is_Rational:
                found = [e.xreplace({v.symbol: sympy.Rational(c.numerator, c.denominator)}) for c in (v.lower, v.upper)]
                if all(value.is_Rational for value in found):
                    ends = sorted(Fraction(int(value.p), int(value.q)) for value in found)
                    return ends[0], ends[1]
    return None


def _ranges(piece: _Piece) -> tuple[Variable, ...]:
    """Return the variables of a piece with the ends that its conditions on one of them give."""
    given = [h.formula for h in piece.claim.hypotheses if isinstance(h.formula, Relation)]
    # An equation is two bounds.
    halves = [Relation(r.lhs, op, r.rhs) for r in given for op in (("<=", ">=") if r.op == "==" else (r.op,))]
    return narrowed(Domain(piece.claim.variables, tuple(halves))).variables


def _is_empty(piece: _Piece) -> bool:
    """Return whether a piece plainly has no point: a false relation of numbers, or ends out of order."""
    for relation in (h.formula for h in piece.claim.hypotheses if isinstance(h.formula, Relation)):
        gap = relation.gap
        if gap.is_Rational and {"==": gap != 0, "!=": gap == 0}.get(
            relation.op, gap <= 0 if relation.strict else gap < 0
        ):
            return True
    return any(
        v.lower is not None
        and v.upper is not None
        and (v.lower > v.upper or (v.lower == v.upper and (v.lower_open or v.upper_open)))
        for v in _ranges(piece)
    )


def _at_one_point(piece: _Piece) -> str:
    """Say that what is asked fails at the only point of a piece; empty where it has more, or where that is open."""
    point: Point = {v.symbol: v.lower for v in _ranges(piece) if v.lower is not None and v.lower == v.upper}
    if len(point) < len(piece.claim.variables):
        return ""
    if truth_by_arb(All(piece.wanted), point) not in (False, UNDEFINED):
        return ""
    return f"it fails at {', '.join(f'{s} = {value}' for s, value in point.items())}"
