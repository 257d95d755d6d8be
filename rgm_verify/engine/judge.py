"""Running the lenses over one claim: the evidence record, as JSON data."""

from __future__ import annotations

from typing import Any

import sympy

from rgm_verify.claims.claim import Claim
from rgm_verify.claims.evidence import Evidence
from rgm_verify.claims.formula import All, Relation, relations
from rgm_verify.lenses import Identity, Points, Region, Search, Smt
from rgm_verify.lenses.base import Context, Lens
from rgm_verify.lenses.controls import drop_hypotheses, is_refuted, refute_mutants
from rgm_verify.lenses.region import whole_domain
from rgm_verify.lenses.tightness import measure

RECORD_FORMAT = "rgm-verify evidence 1"


def portfolio(claim: Claim) -> tuple[Lens, ...]:
    """The lenses for a claim: its own, and by default what suits its conclusion.

    Equations: identity; arithmetic inequalities: SMT; other inequalities on a closed box: region. Always points and
    search, unless the claim is about recorded values only.
    """
    if claim.conclusion is None:
        return ()
    asked = tuple(c for c in claim.checks if isinstance(c, Lens))
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
    if not claim.variables or claim.conclusion is None:
        return []
    if isinstance(claim.conclusion, Relation | All) and all(r.op == "==" for r in relations(claim.conclusion)):
        return [Identity()]
    if _is_arithmetic(claim):
        return [Smt()]
    return [Region()] if whole_domain(claim) is not None else []


def _is_arithmetic(claim: Claim) -> bool:
    if claim.conclusion is None:
        return False
    sides = [s for r in relations(claim.conclusion) for s in (r.lhs, r.rhs)]
    roots = all(e.exp.is_Rational and e.exp.q <= 2 for s in sides for e in s.atoms(sympy.Pow))
    return roots and not any(s.atoms(sympy.Function) - s.atoms(sympy.Abs, sympy.Max, sympy.Min) for s in sides)


def run_claim(claim: Claim, context: Context) -> dict[str, Any]:
    """Everything the lenses find out about one claim, controls included, as JSON data."""
    lenses = portfolio(claim)
    evidence: list[Evidence] = []
    for lens in lenses:
        evidence += lens.run(claim, context)
    refuted = is_refuted(evidence)
    certificates = dict(context.certificates)
    mutants = [] if refuted else refute_mutants(claim, lenses, context)
    return {
        "format": RECORD_FORMAT,
        "claim": claim.id,
        "profile": context.profile.name,
        "informal": claim.informal,
        "quantifier": claim.quantifier,
        "evidence": [e.to_json() for e in evidence],
        "mutants": mutants,
        "hypotheses": [_untried(h.name) for h in claim.hypotheses]
        if refuted or any(lens.alone for lens in lenses)
        else drop_hypotheses(claim, context),
        "tightness": measure(claim, context),
        "certificates": certificates,
    }


def _untried(name: str) -> dict[str, Any]:
    return {"name": name, "dropped": "not tried", "witness": None}
