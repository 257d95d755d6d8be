"""Negative controls: mutants that the lenses must refute, and hypotheses dropped one at a time."""

from __future__ import annotations

from typing import Any

from rgm_verify.claims.claim import Claim
from rgm_verify.claims.evidence import Evidence, Finding
from rgm_verify.claims.formula import latex
from rgm_verify.lenses.base import Context, Lens
from rgm_verify.lenses.witness import find


def refute_mutants(claim: Claim, lenses: tuple[Lens, ...], context: Context) -> list[dict[str, Any]]:
    """Try to refute each mutant of the claim; the results are JSON data in the order of the claim's list."""
    return [_try_mutant(claim, index, lenses, context) for index in range(len(claim.mutants))]


def _try_mutant(claim: Claim, index: int, lenses: tuple[Lens, ...], context: Context) -> dict[str, Any]:
    mutant = claim.mutants[index]
    mutated = claim.mutate(mutant)
    result: dict[str, Any] = {
        "name": mutant.name,
        "latex": _what_changed(claim, index),
        "killed": False,
        "how": "",
        "witness": None,
    }
    if claim.quantifier == "forall" and not any(lens.alone for lens in lenses):
        found = find(mutated, context, wanted=False, purpose=f"mutant {mutant.name}", attempts=2)
        if found is not None:
            return {**result, "killed": True, "how": f"fails at {found.describe()}", "witness": found.to_json()}
    for lens in lenses:
        against = [e for e in lens.run(mutated, context) if e.finding is Finding.REFUTES]
        if against:
            return {**result, "killed": True, "how": f"{lens.name}: {against[0].summary}"}
    return {**result, "how": "no lens refuted it"}


def _what_changed(claim: Claim, index: int) -> str:
    mutant = claim.mutants[index]
    if mutant.conclusion is not None:
        return latex(mutant.conclusion)
    kept = {h.name for h in mutant.hypotheses or ()}
    changed = [h for h in mutant.hypotheses or () if h not in claim.hypotheses]
    dropped = [h for h in claim.hypotheses if h.name not in kept]
    parts = [latex(h.formula) for h in changed] + [rf"\text{{without }} {latex(h.formula)}" for h in dropped]
    return r" ,\quad ".join(parts)


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


def is_refuted(evidence: list[Evidence]) -> bool:
    """Whether some lens refuted the claim."""
    return any(e.finding is Finding.REFUTES for e in evidence)
