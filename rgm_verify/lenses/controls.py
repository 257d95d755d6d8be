"""Negative controls: mutants that the lenses must refute, and hypotheses dropped one at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import sympy

from rgm_verify.balls.binding import evaluated
from rgm_verify.claims.claim import Claim, Mutant
from rgm_verify.claims.evidence import PROOFS, Evidence, Finding
from rgm_verify.claims.formula import relations
from rgm_verify.lenses.base import Context, Lens
from rgm_verify.lenses.points.witness import find


def refute_mutants(claim: Claim, lenses: tuple[Lens, ...], context: Context) -> list[dict[str, Any]]:
    """Try to refute each mutant of the claim; the results are JSON data in the order of the claim's list."""
    return [_try_mutant(claim, index, lenses, context) for index in range(len(claim.controls))]


def _try_mutant(claim: Claim, index: int, lenses: tuple[Lens, ...], context: Context) -> dict[str, Any]:
    """Let the claim's own lenses and a search refute one mutant; a trivially false one counts as no control."""
    mutant = claim.controls[index]
    mutated = claim.mutate(mutant)
    result: dict[str, Any] = {
        "name": mutant.name,
        "killed": False,
        "how": "",
        "witness": None,
    }
    if is_trivial(claim, mutant):
        return {**result, "trivial": True, "how": "false whatever its variables are: it counts as no control"}
    if claim.quantifier == "forall" and not any(lens.alone for lens in lenses):
        found = find(mutated, context, wanted=False, purpose=f"mutant {mutant.name}", attempts=2)
        if found is not None:
            return {**result, "killed": True, "how": f"fails at {found.describe()}", "witness": found.to_json()}
    short = replace(context, proved=True)  # so that the search does not go as far as for a claim of its own
    for lens in lenses:
        against = [e for e in lens.look(mutated, short) if e.finding is Finding.REFUTES]
        if against:
            witness = against[0].details.get("witness")
            return {**result, "killed": True, "how": f"{lens.name}: {against[0].summary}", "witness": witness}
    return {**result, "how": "no lens refuted it"}


def is_trivial(claim: Claim, mutant: Mutant) -> bool:
    """Return whether constants alone make a control false (or true), such as `1 < 0`: any lens would notice it."""
    if mutant.conclusion is None or not claim.variables:
        return False
    gaps = [r.gap for r in relations(mutant.conclusion)]
    return all(not sympy.expand(evaluated(gap)).free_symbols for gap in gaps)


def drop_hypotheses(claim: Claim, context: Context) -> list[dict[str, Any]]:
    """Drop each hypothesis in turn and look for a counterexample: `needed` with a witness, or none found.

    Nothing is said of an existence claim, where a dropped hypothesis cannot break anything.
    """
    if claim.conclusion is None or claim.quantifier == "exists":
        return [{"name": h.name, "dropped": "not tried", "witness": None} for h in claim.hypotheses]
    return [_drop(claim, index, context) for index in range(len(claim.hypotheses))]


def _drop(claim: Claim, index: int, context: Context) -> dict[str, Any]:
    hypothesis = claim.hypotheses[index]
    found = find(claim.without(hypothesis), context, wanted=False, purpose=f"without {hypothesis.name}")
    if found is None:
        return {"name": hypothesis.name, "dropped": "no counterexample found", "witness": None}
    return {"name": hypothesis.name, "dropped": "needed", "witness": found.to_json()}


#: What the control of the prover may cost, as a share of what the proof may.
_EFFORT = 8
_BOXES = 4_000


def false_proofs(
    claim: Claim,
    lenses: tuple[Lens, ...],
    context: Context,
    evidence: list[Evidence],
    mutants: list[dict[str, Any]],
    hypotheses: list[dict[str, Any]],
) -> list[dict[str, Any]]:
    """Give every statement that has an exact counterexample to the proof lenses as well; what they prove of them.

    Each item names the statement, its counterexample, the lens and what the proof rests on. Anything in this list means
    that a lens is wrong, unless the proof rests on premises that do not hold themselves.
    """
    if claim.quantifier == "exists":
        return []
    provers = [lens for lens in lenses if lens.grants & PROOFS]
    quick = replace(context.profile, smt_steps=context.profile.smt_steps // _EFFORT, boxes=_BOXES)
    found: list[dict[str, Any]] = []
    for statement, false_claim, counterexample in _false_statements(claim, evidence, mutants, hypotheses):
        for lens in provers:
            control = replace(context, profile=quick, certificates={}, second=None)
            said = {"statement": statement, "counterexample": counterexample, "lens": lens.name}
            found += [
                {**said, "summary": item.summary, "premises": list(item.premises)}
                for item in lens.look(false_claim, control)
                if item.finding is Finding.SUPPORTS and item.kind in PROOFS
            ]
    return found


def _false_statements(
    claim: Claim, evidence: list[Evidence], mutants: list[dict[str, Any]], hypotheses: list[dict[str, Any]]
) -> Iterator[tuple[str, Claim, str]]:
    """The claim, its controls and what is left without a hypothesis, as far as an exact point refutes them."""
    for item in evidence:
        if item.finding is Finding.REFUTES and "witness" in item.details:
            yield "the claim itself", claim, item.summary
            break
    for mutant, result in zip(claim.controls, mutants, strict=False):
        if result["witness"] is not None:
            yield f"the control {mutant.name!r}", claim.mutate(mutant), result["how"]
    for hypothesis, dropped in zip(claim.hypotheses, hypotheses, strict=False):
        if dropped["witness"] is not None:
            values = ", ".join(f"{name} = {value}" for name, value in dropped["witness"]["values"].items())
            yield f"without {hypothesis.name!r}", claim.without(hypothesis), f"fails at {values}"


def is_refuted(evidence: list[Evidence]) -> bool:
    """Return whether some lens refuted the claim."""
    return any(e.finding is Finding.REFUTES for e in evidence)
