"""Premises: other claims, taken at a substitution of their variables, with everything shown that this needs.

A premise says something about real numbers in the domains of its variables. What is put in for a variable therefore has
to be a real number of that domain wherever the claim speaks: nothing is granted because it was written down.

Four traps are closed. The image of a variable must be a real number of its domain (and an integer where
the premise speaks of integers), wherever the claim's hypotheses hold. Each hypothesis of the premise
must follow there. An image must not contain a name that the premise binds. And an existence claim is no
premise, as it speaks of some point and not of this one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import sympy

from rgm_verify.claims.claim import Claim
from rgm_verify.claims.formula import All, Formula, FormulaError, Implies, ge, relations, substitute
from rgm_verify.lenses.algebra.smoothness import WAY
from rgm_verify.lenses.base import Context, Lens, stray_symbols
from rgm_verify.lenses.solvers.smt import prove, undefined


@dataclass(frozen=True)
class Premise:
    """Another claim, taken at the given substitution of its variables (those not named stand for this claim's own).

    With `where_it_applies` its hypotheses need not hold throughout: the premise then says only that they imply its
    conclusion, which is what a distinction of cases needs.

    Attributes:
        claim: The id of another claim of the same folder.
        at: Expressions in this claim's variables for variables of the premise.
        where_it_applies: Whether the hypotheses of the premise become the left side of an implication.
    """

    claim: str
    at: Mapping[sympy.Symbol, sympy.Expr] = field(default_factory=dict)
    where_it_applies: bool = False

    def deduction(self, premises: Sequence[Premise]) -> Lens:
        """Return the lens that deduces a claim from premises."""
        from rgm_verify.lenses.proofs.logic import Deduction

        return Deduction(tuple(premises))


class Facts(NamedTuple):
    """The facts that premises give at their substitutions, or the first reason why one of them gives none."""

    formulas: list[Formula]
    problem: str


def facts(claim: Claim, premises: Sequence[Premise], context: Context, *, way: bool = False) -> Facts:
    """Instantiate the premises, with each hypothesis and each image shown to be as it must be.

    With `way` an image may also contain `WAY`. Facts that come first help to show what later premises need.

    Definedness and every hypothesis of a premise are shown at the substitution, as a claim says nothing beyond them.
    The first fault ends the work and comes back as `problem`.

    Args:
        claim: The claim that takes the premises.
        premises: Claims with substitutions, in the order in which they are used.
        context: All claims by id, and the profile.
        way: Whether an image may speak of a point on the way of `Monotone`.

    Returns:
        One formula for each premise, or the first problem.
    """
    given = [h.formula for h in claim.assumptions]
    found: list[Formula] = []
    for premise in premises:
        other = context.claims.get(premise.claim)
        # A premise from elsewhere would have no verdict here, and nobody would look at it.
        if other is None or other.conclusion is None or other.quantifier == "exists":
            return Facts([], f"the premise {premise.claim!r} is not a universal claim of this paper")
        images, problem = _images(claim, other, premise, way=way)
        problem = problem or _undefined_image(premise, images, [*given, *found], context)
        if problem:
            return Facts([], problem)
        try:
            fact, problem = _fact(other, premise, images, [*given, *found], context)
        except FormulaError as error:
            return Facts([], f"{premise.claim}: it means nothing at this substitution: {error}")
        if problem:
            return Facts([], problem)
        # A fact joins what is known, so that later premises may use it.
        found.append(fact)
    return Facts(found, "")


def _images(claim: Claim, other: Claim, premise: Premise, *, way: bool) -> tuple[dict[sympy.Symbol, sympy.Expr], str]:
    """Return the value of each variable of the premise in symbols of the claim; or a text that names the fault.

    An image of an integer variable must be an integer by its declared symbols; an image may use the claim's symbols
    alone.
    """
    own = {v.symbol.name: v.symbol for v in claim.variables}
    theirs = {v.symbol for v in other.variables}
    for key in premise.at:
        if key not in theirs:
            names = ", ".join(sorted(s.name for s in theirs)) or "none"
            return {}, f"{premise.claim}: {key} is not a variable of it; its variables are: {names}"
    images: dict[sympy.Symbol, sympy.Expr] = {}
    for variable in other.variables:
        symbol = variable.symbol
        if symbol not in premise.at and symbol.name not in own:
            return {}, f"{premise.claim}: nothing stands for its variable {symbol}; name an image in `at`"
        image = sympy.sympify(premise.at.get(symbol, own.get(symbol.name)))
        stray = stray_symbols(claim, [image], also=(WAY,) if way else ())
        if stray:
            return {}, f"{premise.claim}: the image of {symbol} uses {stray}"
        # SymPy's assumptions are those of declared domains, and suffice for sums and products of
        # integers.
        if variable.integer and not image.is_integer:
            return {}, f"{premise.claim}: it speaks of integers {symbol}, and {image} was not shown to be one"
        images[symbol] = image
    return images, _captured(other, premise, images)


def _captured(other: Claim, premise: Premise, images: Mapping[sympy.Symbol, sympy.Expr]) -> str:
    """A bound variable of the premise that an image would be taken for; empty if there is none.

    Substituting k + 1 for n below a sum over k would make another statement of it.
    """
    formulas = [h.formula for h in other.assumptions] + ([] if other.conclusion is None else [other.conclusion])
    sides = [side for f in formulas for r in relations(f) for side in (r.lhs, r.rhs)]
    bound = {s.name for side in sides for s in side.atoms(sympy.Symbol) - side.free_symbols}
    used = {s.name for image in images.values() for s in image.free_symbols}
    caught = sorted(bound & used)
    return f"{premise.claim}: {caught[0]} is bound in it and used in an image; rename one of them" if caught else ""


def _undefined_image(
    premise: Premise,
    images: Mapping[sympy.Symbol, sympy.Expr],
    given: Sequence[Formula],
    context: Context,
) -> str:
    """The first image that was not shown to be a real number wherever the claim speaks; empty if all were."""
    for symbol, image in images.items():
        try:
            problem = undefined(given, ge(image, 0), steps=context.profile.smt_steps)
        except FormulaError as error:
            return f"{premise.claim}: the image of {symbol} is no real number: {error}"
        if problem:
            return f"{premise.claim}: the image of {symbol}: {problem}"
    return ""


def _fact(
    other: Claim,
    premise: Premise,
    images: Mapping[sympy.Symbol, sympy.Expr],
    given: Sequence[Formula],
    context: Context,
) -> tuple[Formula, str]:
    """Return what the premise says, and the first of its hypotheses that was not shown to hold (empty if all were)."""
    if other.conclusion is None:
        raise FormulaError(f"{other.id} has no conclusion")
    conclusion = substitute(other.conclusion, images)
    if premise.where_it_applies:
        conditions = tuple(substitute(h.formula, images) for h in other.assumptions)
        return (Implies(All(conditions), conclusion) if conditions else conclusion), ""
    for hypothesis in other.assumptions:
        goal = substitute(hypothesis.formula, images)
        # Word for word the same: no question is needed, and no atom could get in the way.
        if goal in given:
            continue
        if prove(given, goal, steps=context.profile.smt_steps, atoms=True).answer != "proved":
            return conclusion, f"{other.id}: its hypothesis {hypothesis.name!r} was not shown to hold here"
    return conclusion, ""
