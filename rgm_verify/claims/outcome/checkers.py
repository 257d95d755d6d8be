"""Checkers of claims that are proved or certified: the strongest kind of checking that its evidence holds.

A verdict says that a claim is shown; a checker says how much code one has to trust for it. The kernel is a thousand
lines over fractions, the replayer of enclosures trusts Arb, and a solver is trusted as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rgm_verify.claims.evidence import Finding, Kind
from rgm_verify.claims.outcome.ledger import ClaimEntry
from rgm_verify.claims.outcome.record import EvidenceEntry

__all__ = [
    "CHECKERS",
    "by_the_kernel_alone",
    "checked_by",
    "checker",
    "has_theorem_by_hand",
    "rests_on_coq",
    "shows_what_is_proved",
]

#: From the least to be trusted to the most.
CHECKERS = {
    "kernel": "a proof of small steps, which the kernel checked over the rationals at this run",
    "enclosures": "an exact witness, or boxes that tile the region, each evaluated again by the replayer",
    "second solver": "a proof by z3 or SymPy, where cvc5 was asked the same and answered the same",
    "solvers only": "a proof by z3 or SymPy, and numbers that agree; no kernel proof",
}
_FIRM = ("proved", "certified")


def checked_by(entry: ClaimEntry) -> str:
    """Return the key of `CHECKERS` that stands behind a claim; empty for one that is not proved or certified."""
    return checker(entry.verdict, entry.evidence)


def checker(verdict: str, evidence: Sequence[EvidenceEntry]) -> str:
    """Return the key of `CHECKERS` that stands behind a verdict on this evidence; empty if that is no proof.

    Args:
        verdict: The verdict in words.
        evidence: The evidence of the claim.
    """
    if verdict not in _FIRM:
        return ""
    supporting = [e for e in evidence if e.finding is Finding.SUPPORTS]
    if _kernel(supporting) is not None:
        return "kernel"
    # After the kernel: of several proofs the one that asks for the least trust counts.
    if any(e.kind in (Kind.REGION_CERTIFICATE, Kind.EXACT_WITNESS) for e in supporting):
        return "enclosures"
    solved = [e for e in supporting if e.kind in (Kind.SYMBOLIC_PROOF, Kind.SMT_PROOF, Kind.DEDUCTION)]
    return "second solver" if any("cvc5" in e.families for e in solved) else "solvers only"


def _kernel(evidence: Sequence[EvidenceEntry]) -> EvidenceEntry | None:
    """Return the kernel's proof among the evidence, None without one."""
    return next((e for e in evidence if e.kind is Kind.KERNEL_PROOF and e.finding is Finding.SUPPORTS), None)


def rests_on_coq(entry: ClaimEntry) -> bool:
    """Return whether Coq accepted the kernel's proof of a claim as a theorem."""
    proof = _kernel(entry.evidence)
    return proof is not None and "Coq" in proof.details


def has_theorem_by_hand(entry: ClaimEntry) -> bool:
    """Return whether Coq accepted a theorem by hand that says what a claim says; its verdict does not rest on it."""
    return any(e.kind is Kind.COQ_THEOREM and e.finding is Finding.SUPPORTS for e in entry.evidence)


def shows_what_is_proved(entry: ClaimEntry) -> bool:
    """Return whether the page of a claim was read back as the statement that the kernel's proof has."""
    proof = _kernel(entry.evidence)
    return proof is not None and "page" in proof.details


def by_the_kernel_alone(entries: Sequence[ClaimEntry]) -> set[str]:
    """Return the claims with a kernel proof whose premises have one too, and so on down.

    Args:
        entries: The claims of a ledger. A premise that is not among them has no proof here.

    Returns:
        Ids of claims that nothing but the kernel has to be trusted for.
    """
    premises: Mapping[str, Sequence[str]] = {
        entry.id: proof.premises for entry in entries if (proof := _kernel(entry.evidence)) is not None
    }
    found = set(premises)
    # A claim that loses a premise's proof may be a premise itself, so that this goes on until nothing
    # changes.
    while True:
        kept = {i for i in found if all(p in found for p in premises[i])}
        if kept == found:
            return found
        found = kept
