"""SMT lenses: real arithmetic on the claim itself, and deduction of a claim from other claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import sympy

from rgm_verify.claims.claim import Claim
from rgm_verify.claims.evidence import Evidence, Finding, Kind
from rgm_verify.claims.formula import All, Formula, Implies, negation, substitute
from rgm_verify.lenses.base import Context, Lens
from rgm_verify.lenses.smt import prove


@dataclass(frozen=True)
class Smt(Lens):
    """Real-arithmetic SMT: the hypotheses with the negated conclusion have no real model.

    For an existence claim it works the other way round: it can show that no such point exists.
    """

    milliseconds: int | None = None

    name: ClassVar[str] = "real arithmetic (SMT)"
    grants: ClassVar[frozenset[Kind]] = frozenset({Kind.SMT_PROOF, Kind.NOTE})

    def run(self, claim: Claim, context: Context) -> list[Evidence]:
        """Prove the claim, or refute an existence claim."""
        if claim.conclusion is None:
            return []
        exists = claim.quantifier == "exists"
        goal = negation(claim.conclusion) if exists else claim.conclusion
        time = self.milliseconds or context.profile.smt_milliseconds
        result = prove([h.formula for h in claim.assumptions], goal, milliseconds=time)
        if result.answer == "proved":
            finding = Finding.REFUTES if exists else Finding.SUPPORTS
            return [self.evidence(Kind.SMT_PROOF, finding, ("z3",), result.reason)]
        if result.answer == "refuted":
            return []  # a model is a hint; the search lens turns such points into exact witnesses
        return [self.undecided(("z3",), result.reason)]


@dataclass(frozen=True)
class Premise:
    """Another claim, taken at the given substitution of its variables (those not named keep their symbol).

    With `where_it_applies` its hypotheses need not hold throughout: the premise then says only that they imply its
    conclusion,
    which is what a distinction of cases needs.
    """

    claim: str
    at: Mapping[sympy.Symbol, sympy.Expr] = field(default_factory=dict)
    where_it_applies: bool = False


@dataclass(frozen=True)
class Deduction(Lens):
    """The conclusion follows from other claims by real arithmetic, logarithms and the like being taken as unknowns.

    The hypotheses of each premise, at its substitution, are shown to follow as well. The verdict is then no
    stronger than that of the weakest premise.
    """

    premises: tuple[Premise, ...] = ()

    name: ClassVar[str] = "deduction"
    grants: ClassVar[frozenset[Kind]] = frozenset({Kind.DEDUCTION, Kind.NOTE})

    def run(self, claim: Claim, context: Context) -> list[Evidence]:
        """Show that hypotheses and premises imply the conclusion."""
        if claim.conclusion is None or claim.quantifier == "exists":
            return []
        assumptions = [h.formula for h in claim.assumptions]
        facts: list[Formula] = []
        for premise in self.premises:
            other = context.claims.get(premise.claim)
            if other is None or other.conclusion is None or other.quantifier == "exists":
                return [
                    self.undecided(("z3",), f"the premise {premise.claim!r} is not a universal claim of this paper")
                ]
            broken = not_integer(claim, other, premise)
            if broken:
                return [self.undecided(("z3",), broken)]
            if premise.where_it_applies:
                facts.append(_as_implication(other, premise))
                continue
            missing = self.unmet(other, premise, assumptions, facts, context)
            if missing:
                return [
                    self.undecided(("z3",), f"{premise.claim}: its hypothesis {missing} was not shown to hold here")
                ]
            facts.append(substitute(other.conclusion, premise.at))
        time = context.profile.smt_milliseconds
        result = prove([*assumptions, *facts], claim.conclusion, milliseconds=time, atoms=True)
        if result.answer != "proved":
            return [self.undecided(("z3",), f"not shown to follow from the premises: {result.reason}")]
        names = tuple(dict.fromkeys(p.claim for p in self.premises))
        summary = "follows from " + ", ".join(names)
        return [self.evidence(Kind.DEDUCTION, Finding.SUPPORTS, ("z3",), summary, premises=names)]

    def unmet(
        self, other: Claim, premise: Premise, assumptions: list[Formula], facts: list[Formula], context: Context
    ) -> str:
        """The name of the first hypothesis of `other` that was not shown to hold at the substitution, or empty."""
        for hypothesis in other.assumptions:
            goal = substitute(hypothesis.formula, premise.at)
            if goal in assumptions or goal in facts:
                continue
            time = context.profile.smt_milliseconds
            if prove([*assumptions, *facts], goal, milliseconds=time, atoms=True).answer != "proved":
                return repr(hypothesis.name)
        return ""


def not_integer(claim: Claim, other: Claim, premise: Premise) -> str:
    """Why a premise about integers does not speak of what is put in for them; empty if it does."""
    integers = {v.symbol.name for v in claim.variables if v.integer}
    for variable in other.variables:
        if not variable.integer:
            continue
        image = sympy.sympify(premise.at.get(variable.symbol, variable.symbol))
        kept = variable.symbol not in premise.at and variable.symbol.name in integers
        if not kept and (image == variable.symbol or not image.is_integer):
            return f"{premise.claim}: it speaks of integers {variable.symbol}, and {image} was not shown to be one"
    return ""


def _as_implication(other: Claim, premise: Premise) -> Formula:
    """The premise as one formula: its hypotheses imply its conclusion."""
    if other.conclusion is None:
        raise ValueError(f"{other.id} has no conclusion to imply")
    given = All(tuple(substitute(h.formula, premise.at) for h in other.assumptions))
    return (
        Implies(given, substitute(other.conclusion, premise.at))
        if given.parts
        else substitute(other.conclusion, premise.at)
    )
