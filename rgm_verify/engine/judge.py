"""Running the lenses over one claim: the evidence record, as JSON data.

The order is proofs, then points and searches, then controls. Proofs come first, since a search may
spare itself what a proof has settled; controls come last, since they ask what was found of the
claim. Where nobody has named a lens, points come before all: what fails at one needs no proof. The
record says everything and concludes nothing: the verdict is computed from it by
`rgm_verify.claims.outcome.verdict`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import sympy

from rgm_verify.balls.binding import evaluated
from rgm_verify.claims.claim import Claim, ClaimError, nothing_asserted
from rgm_verify.claims.evidence import PROOFS, Evidence, Finding, Kind
from rgm_verify.claims.formula import All, Relation, relations
from rgm_verify.claims.outcome.record import Witness
from rgm_verify.jobs.pasted import problems_when_run
from rgm_verify.lenses.algebra.identities import Identity
from rgm_verify.lenses.analysis import improper, integrals
from rgm_verify.lenses.analysis.lens import Analysis
from rgm_verify.lenses.base import Context, Lens
from rgm_verify.lenses.controls import drop_hypotheses, false_proofs, is_refuted, refute_mutants
from rgm_verify.lenses.distributions.outputs import Unreduced
from rgm_verify.lenses.library import HOMES, in_library
from rgm_verify.lenses.points.numeric import Points, Search
from rgm_verify.lenses.proofs.logic import Smt
from rgm_verify.lenses.proofs.region import Region
from rgm_verify.lenses.proofs.tightness import measure
from rgm_verify.lenses.solvers.definedness import has_infinite_ends

RECORD_FORMAT = "rgm-verify evidence 1"


def portfolio(claim: Claim) -> tuple[Lens, ...]:
    """The lenses for a claim: its own, and by default what suits its conclusion.

    Equations: identity; arithmetic inequalities: SMT; other inequalities on a closed box: region; what these do not
    prove: analysis. Always points and search, unless the claim is about recorded values only.

    Returns:
        Lenses in the order in which they run, but for points and searches, which wait for the others.
    """
    if claim.conclusion is None:
        return ()
    asked = tuple(c for c in claim.checks if isinstance(c, Lens))
    # Other lenses would look at points that the claim does not speak of.
    if any(lens.alone for lens in asked):
        return asked
    chosen = list(asked)
    if not asked:
        chosen += _suited(claim)
    for default in (Points(), Search()):
        if not any(isinstance(lens, type(default)) for lens in chosen):
            chosen.append(default)
    return tuple(chosen)


def _suited(claim: Claim) -> list[Lens]:
    """Return the lenses that suit the form of a conclusion whose author has named none."""
    # Between constants there is nothing to solve for, and enclosures decide.
    if claim.conclusion is None or not claim.variables:
        return [Analysis()]
    if isinstance(claim.conclusion, Relation | All) and all(r.op == "==" for r in relations(claim.conclusion)):
        return [Analysis()] if claim.quantifier == "exists" else [Identity(), Analysis()]
    if _is_arithmetic(claim):
        return [Smt(), Analysis()]
    boxed = all(v.lower is not None and v.upper is not None for v in claim.variables)
    return [Analysis(), Region()] if boxed else [Analysis()]


def _is_arithmetic(claim: Claim) -> bool:
    """Return whether both sides are made of sums, products, quotients, square roots, |x|, maxima and
    signs alone, as z3 takes them.
    """
    if claim.conclusion is None:
        return False
    sides = [evaluated(s) for r in relations(claim.conclusion) for s in (r.lhs, r.rhs)]
    roots = all(e.exp.is_Rational and e.exp.q <= 2 for s in sides for e in s.atoms(sympy.Pow))
    return roots and not any(
        s.atoms(sympy.Function) - s.atoms(sympy.Abs, sympy.Max, sympy.Min, sympy.sign) for s in sides
    )


def refuse_foreign_lenses(claim: Claim) -> None:
    """Raise `ClaimError` for a check that is no lens of the library, as only those make evidence, or does not fit.

    Args:
        claim: The claim with its checks.

    Raises:
        ClaimError: For the first check that is no lens of the library, by its very class, or that refuses
            the claim.
    """
    for check in claim.every_check:
        # A subclass is refused as well: it could make evidence of a kind that its parent grants.
        if not isinstance(check, Lens) or not in_library(type(check)):
            names = ", ".join(sorted(HOMES))
            raise ClaimError(
                f"{claim.id}: checks holds {check!r} of the class {type(check).__name__}, which is no lens of the "
                f"library; allowed are: {names}"
            )
        check.refuse(claim)


def run_claim(claim: Claim, context: Context) -> dict[str, Any]:
    """Everything the lenses find out about one claim, controls included, as JSON data.

    Raises `ClaimError` for checks that are no lenses of the library.

    Args:
        context: The profile, the seed, all claims that premises may name, and the second solver.

    Returns:
        A record in the format `RECORD_FORMAT`: evidence, results of the controls, hypotheses that were
        dropped in turn, false proofs, ranges of tightness, and certificates by file name.

    Raises:
        ClaimError: For checks that are no lenses of the library, or do not fit.
    """
    refuse_foreign_lenses(claim)
    reason = nothing_asserted(claim)
    if reason:
        return _unjudged(claim, context, reason)
    # Every lens sees the value in the place of an improper integral: none of them knows what a limit is.
    claim, values, reason = _with_values(claim, context)
    implied: list[Evidence] = []
    if not claim.checks and "improper integrals" in context.looked and (reason or improper.has_open_ends(claim)):
        if (found := _implied(claim, context)) is not None:
            claim, implied, reason = found[0], [found[1]], ""
        elif against := _opposed(claim, context):
            return {**_unjudged(claim, context, ""), "evidence": [e.to_json() for e in against]}
    if reason:
        stated = [] if claim.conclusion is None else improper.improper_integrals(claim.conclusion)
        open_terms = [f"could not show that a term is defined: {node}" for node in stated[:1]]
        return _unjudged(claim, context, reason, Analysis(), *open_terms)
    lenses = portfolio(claim)
    evidence: list[Evidence] = [
        Analysis().evidence(Kind.NOTE, Finding.SUPPORTS, ("sympy", "z3"), str(one)) for one in values
    ] + implied
    last = (Points, Search)
    # A dozen points cost little, and a proof of what fails at one of them would be looked for in vain, for minutes.
    seen = {lens: lens.look(claim, context) for lens in lenses if _may_come_first(lens, claim)}
    failed = any(is_refuted(found) for found in seen.values())
    for lens in (lens for lens in lenses if not isinstance(lens, last) and not failed):
        if not claim.checks and (_is_proved(evidence) or is_refuted(evidence)):
            break  # nobody asked for a second proof
        evidence += lens.look(claim, context)
    # A search may spare itself the effort where a proof is there already.
    looking = replace(context, proved=_is_proved(evidence), deduced=_is_proved(evidence, PROOFS))
    for lens in (lens for lens in lenses if isinstance(lens, last)):
        evidence += seen[lens] if lens in seen else lens.look(claim, looking)
    # After the search: what fails at a point that is found in a second can keep z3 for a minute.
    if not failed:
        evidence += _models(claim, lenses, evidence, context)
    # Beside the lenses that judge, whose order and effort stay what they are without these.
    evidence += _of_outputs(claim, context)
    evidence = _executed(evidence)
    refuted = is_refuted(evidence)
    # A copy, before the controls run: theirs do not belong to the claim.
    certificates = dict(context.certificates)
    # A control of a claim that fails itself shows nothing.
    mutants = [] if refuted else refute_mutants(claim, lenses, context)
    alone = any(lens.alone for lens in lenses)
    untried = [_untried(h.name) for h in claim.hypotheses]
    # Without a hypothesis an integral may have another value.
    hypotheses = untried if refuted or alone or values or implied else drop_hypotheses(claim, context)
    return {
        "format": RECORD_FORMAT,
        "claim": claim.id,
        "profile": context.profile.name,
        "informal": claim.informal,
        "quantifier": claim.quantifier,
        "evidence": [e.to_json() for e in evidence],
        "mutants": mutants,
        "hypotheses": hypotheses,
        "false_proofs": false_proofs(claim, lenses, context, evidence, mutants, hypotheses),
        "tightness": measure(claim, context),
        "certificates": certificates,
        "looked": sorted(context.looked),
    }


def _of_outputs(claim: Claim, context: Context) -> list[Evidence]:
    """What integrals and releases say of the claim, or the author's reason why there are none, as a note."""
    if isinstance(claim.outputs, str):
        return [
            Unreduced().evidence(Kind.NOTE, Finding.SUPPORTS, (), f"nothing is integrated or released: {claim.outputs}")
        ]
    return [found for lens in claim.outputs if isinstance(lens, Lens) for found in lens.look(claim, context)]


def _with_values(claim: Claim, context: Context) -> tuple[Claim, tuple[improper.Value, ...], str]:
    """Return what `improper.with_values` does, and ask it only of a claim in which it looks for something."""
    formulas = [h.formula for h in claim.hypotheses] + ([claim.conclusion] if claim.conclusion is not None else [])
    sides = [side for formula in formulas for r in relations(formula) for side in (r.lhs, r.rhs)]
    found = {node for side in sides for node in side.atoms(sympy.Integral)}
    if not (any(map(has_infinite_ends, found)) if claim.checks else found):
        return claim, (), ""
    # What is found is said in the name of that lens.
    context.looked.update(("improper integrals", "Analysis"))
    return improper.with_values(claim)


def _implied(claim: Claim, context: Context) -> tuple[Claim, Evidence] | None:
    """Return a claim without improper integrals that implies a claim and is proved, with a note; None without one."""
    context.looked.add("bounds of improper integrals")
    for stronger, why in integrals.implied_by(claim):
        if _is_proved(Analysis().look(stronger, context)):
            note = f"it follows from {stronger.conclusion}: {why}"
            return stronger, Analysis().evidence(Kind.NOTE, Finding.SUPPORTS, ("sympy", "z3"), note)
    return None


#: What is true of numbers where a relation is false.
_OPPOSITE = {"<=": (">",), "<": (">=",), ">=": ("<",), ">": ("<=",), "==": ("<", ">")}


def _opposed(claim: Claim, context: Context) -> list[Evidence]:
    """Return that the opposite of a claim about numbers was proved; empty where it was not, or it has variables."""
    relation = claim.conclusion
    # What is assumed of numbers may be false, and a claim that assumes it is not.
    if claim.variables or claim.hypotheses or not isinstance(relation, Relation) or claim.quantifier == "exists":
        return []
    for op in _OPPOSITE.get(relation.op, ()):
        opposite = replace(claim, conclusion=Relation(relation.lhs, op, relation.rhs), mutants=())
        if (found := _implied(opposite, context)) is not None:
            summary = f"the opposite is proved, {opposite.conclusion}: {found[1].summary}"
            return [Analysis().evidence(Kind.SYMBOLIC_PROOF, Finding.REFUTES, ("sympy", "arb"), summary)]
    return []


def refuted_at_points(claim: Claim, context: Context) -> dict[str, Any] | None:
    """Return the record of a claim that fails for certain at one of a dozen points, None where none of them shows it.

    For a claim whose lenses the clock has ended: what is certain counts whatever else did not finish.

    Args:
        context: As for `run_claim`.
    """
    claim, _, reason = _with_values(claim, context)
    evidence = [] if reason or claim.conclusion is None else _executed(Points().look(claim, context))
    if not is_refuted(evidence):
        return None
    return {**_unjudged(claim, context, ""), "evidence": [e.to_json() for e in evidence]}


def _executed(evidence: list[Evidence]) -> list[Evidence]:
    """Return the evidence with each refutation whose Python does not show the failure as what refutes nothing.

    Whoever reads of a counterexample pastes this text. One that does not fail is none, but a fault of ours.
    """
    shown = [e for e in evidence if e.finding is Finding.REFUTES and "witness" in e.details]
    problems = problems_when_run([msgspec.convert(e.details["witness"], Witness).snippet for e in shown])
    said = "ALARM: a counterexample does not fail when its Python is run in a fresh interpreter, please report this"
    wrong = {
        id(e): Points().against(e.families, f"{said}: {problem} ({e.summary})")
        for e, problem in zip(shown, problems, strict=True)
        if problem
    }
    return [wrong.get(id(e), e) for e in evidence]


def _may_come_first(lens: Lens, claim: Claim) -> bool:
    """Return whether a lens looks at points only, of a claim whose author asked for no lens.

    Without variables there is one point, and what it says may rest on a proof.
    """
    return isinstance(lens, Points) and not claim.checks and bool(claim.variables)


def _is_proved(evidence: list[Evidence], kinds: frozenset[Kind] = PROOFS - {Kind.DEDUCTION}) -> bool:
    """Return whether a lens has proved the claim: by itself, unless other `kinds` of proof are asked for."""
    return any(e.finding is Finding.SUPPORTS and e.kind in kinds for e in evidence)


#: What looking for a model may cost where the author asked for other lenses, as a share of what a proof may: less where
#: the claim follows from others, so that a model would mean that one of them is false.
_MODEL_EFFORT = {False: 8, True: 64}


def _models(claim: Claim, lenses: tuple[Lens, ...], evidence: list[Evidence], context: Context) -> list[Evidence]:
    """Real arithmetic on an arithmetic claim that nothing has decided and that did not ask for it: z3 may know."""
    # Once something is settled, a model could only contradict it, and the controls are there for that.
    settled = _is_proved(evidence) or is_refuted(evidence)
    asked = any(isinstance(lens, Smt) or lens.alone for lens in lenses)
    if settled or asked or not claim.variables or not _is_arithmetic(claim):
        return []
    return Smt(steps=context.profile.smt_steps // _MODEL_EFFORT[_is_proved(evidence, PROOFS)]).look(claim, context)


def _unjudged(claim: Claim, context: Context, reason: str, lens: Lens | None = None, *more: str) -> dict[str, Any]:
    """The record of a claim that no lens could judge, in the name of the one that says why; points by default."""
    notes = [(lens or Points()).undecided((), text) for text in (reason, *more)]
    return {
        "format": RECORD_FORMAT,
        "claim": claim.id,
        "profile": context.profile.name,
        "informal": "",
        "quantifier": claim.quantifier,
        "evidence": [note.to_json() for note in notes],
        "mutants": [],
        "hypotheses": [_untried(h.name) for h in claim.hypotheses],
        "false_proofs": [],
        "tightness": [],
        "certificates": {},
        "looked": sorted(context.looked),
    }


def _untried(name: str) -> dict[str, Any]:
    return {"name": name, "dropped": "not tried", "witness": None}
