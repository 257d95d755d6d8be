"""SMT lenses: real arithmetic on the claim itself, and deduction of a claim from other claims.

z3 decides whether the hypotheses and the negated conclusion have a common real point. That they have
none is a proof, for integers too. That they have one is only a model of z3's, which exact arithmetic
has to confirm. Definedness of every term is part of the question (`rgm_verify.lenses.solvers.smt`).

A deduction takes other claims as facts. Terms beyond real arithmetic, equal for equal terms, are
unknowns there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rgm_verify.claims.claim import Claim
from rgm_verify.claims.evidence import Evidence, Finding, Kind
from rgm_verify.claims.formula import negation
from rgm_verify.lenses.base import Context, Lens
from rgm_verify.lenses.points.witness import confirmed
from rgm_verify.lenses.proofs.premises import Premise, facts
from rgm_verify.lenses.solvers.integrality import relaxed
from rgm_verify.lenses.solvers.smt import SmtResult, prove

_STEPS_PER_MILLISECOND = 500
#: What an author can do where the solver gives up.
_HELP = "write the difference of both sides as a sum of products that are not negative (Combination)"


@dataclass(frozen=True)
class Smt(Lens):
    """Real-arithmetic SMT: the hypotheses with the negated conclusion have no real model.

    For an existence claim it works the other way round: it can show that no such point exists. A model that z3 finds is
    confirmed in exact arithmetic and then decides; one that cannot be confirmed still speaks against the claim.
    `steps` limits the work on each question, by z3's own count. `milliseconds` does the same for folders that were
    written when the clock was the limit: each stands for a fixed number of steps.

    Proves: statements of polynomials, quotients, roots, |x|, max and min, with any connectives, on
    unbounded and open domains. Gives nothing for a logarithm, an exponential or a symbolic exponent.

    Attributes:
        steps: z3's resource units for one question; None takes the profile's.
        milliseconds: Each stands for 500 steps; no clock is read.
    """

    steps: int | None = None
    milliseconds: int | None = None

    name: ClassVar[str] = "real arithmetic (SMT)"
    grants: ClassVar[frozenset[Kind]] = frozenset({Kind.SMT_PROOF, Kind.COUNTEREXAMPLE, Kind.EXACT_WITNESS, Kind.NOTE})

    def run(self, claim: Claim, context: Context) -> list[Evidence]:
        """Prove the claim, or refute an existence claim.

        "Refuted" by z3 alone decides nothing: the model is confirmed in exact arithmetic, or speaks against the claim
        without refuting it.

        Args:
            claim: The claim or a control of it.
            context: The profile.

        Returns:
            One piece of evidence; none for a claim without a conclusion.
        """
        if claim.conclusion is None:
            return []
        exists = claim.quantifier == "exists"
        goal = relaxed(negation(claim.conclusion) if exists else claim.conclusion)
        steps = self.steps or _STEPS_PER_MILLISECOND * (self.milliseconds or 0) or context.profile.smt_steps
        result = prove([h.formula for h in claim.assumptions], goal, steps=steps)
        if result.answer == "proved":
            finding = Finding.REFUTES if exists else Finding.SUPPORTS
            return [self.evidence(Kind.SMT_PROOF, finding, ("z3",), result.reason)]
        if result.answer == "refuted":
            return [self.modelled(claim, result)]
        return [self.undecided(("z3",), result.reason, help=_HELP)]

    def modelled(self, claim: Claim, result: SmtResult) -> Evidence:
        """Return the evidence of a model of the negation: a counterexample (or an example) if it is confirmed.

        Args:
            result: z3's answer with the values of its model, as far as they could be read off.
        """
        exists = claim.quantifier == "exists"
        model = result.model
        if model is None:
            if any(v.integer for v in claim.variables):
                # z3 is asked about reals: a real model says nothing about integers.
                return self.undecided(("z3",), "the negation has a real model, and none was found among the integers")
            said = f"{result.reason}, whose values could not be read off"
            return self.undecided(("z3",), said) if exists else self.against(("z3",), said)
        point = ", ".join(f"{s} = {v}" for s, v in model.items()) or "no free variable"
        # The same check as for a point of a search: hypotheses, domain and conclusion, in exact
        # arithmetic.
        found = confirmed(claim, model, wanted=exists)
        if found is None:
            said = f"{result.reason}, which exact arithmetic did not confirm: {point}"
            # A point that is no example, such as one where a term has no value, says nothing of the others.
            return self.undecided(("z3",), said) if exists else self.against(("z3",), said)
        kind = Kind.EXACT_WITNESS if exists else Kind.COUNTEREXAMPLE
        finding = Finding.SUPPORTS if exists else Finding.REFUTES
        summary = f"{'holds' if exists else 'fails'} at {found.describe()}"
        return self.evidence(kind, finding, ("z3", *found.families), summary, details=found.details())


@dataclass(frozen=True)
class Deduction(Lens):
    """The conclusion follows from other claims by real arithmetic, logarithms and the like being taken as unknowns.

    The hypotheses of each premise, at its substitution, are shown to follow as well. The verdict is then no
    stronger than that of the weakest premise.

    Proves: that the premises, taken together, say as much as the claim. It is a proof of an
    implication, so that the verdict looks at the premises as well; circles among claims are refused
    elsewhere.

    Attributes:
        premises: Claims with substitutions. A later one may use what the earlier ones say to show its
            hypotheses.
    """

    premises: tuple[Premise, ...] = ()

    name: ClassVar[str] = "deduction"
    grants: ClassVar[frozenset[Kind]] = frozenset({Kind.DEDUCTION, Kind.NOTE})

    def run(self, claim: Claim, context: Context) -> list[Evidence]:
        """Show that hypotheses and premises imply the conclusion; terms beyond real arithmetic are unknowns.

        A failure is undecided, as an unknown forgets what its term is.

        Args:
            claim: The claim or a control of it.
            context: All claims by id, and the profile.

        Returns:
            One piece of evidence with the ids of the premises; none for an existence claim.
        """
        if claim.conclusion is None or claim.quantifier == "exists":
            return []
        known = facts(claim, self.premises, context)
        if known.problem:
            return [self.undecided(("z3",), known.problem)]
        given = [*(h.formula for h in claim.assumptions), *known.formulas]
        goal = relaxed(claim.conclusion)
        result = prove(given, goal, steps=context.profile.smt_steps, atoms=True)
        if result.answer != "proved":
            return [self.undecided(("z3",), f"not shown to follow from the premises: {result.reason}")]
        names = tuple(dict.fromkeys(p.claim for p in self.premises))
        summary = "follows from " + ", ".join(names)
        return [self.evidence(Kind.DEDUCTION, Finding.SUPPORTS, ("z3",), summary, premises=names)]
