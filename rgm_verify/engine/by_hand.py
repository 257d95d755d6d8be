"""Theorems of Coq by hand as evidence of the claims that they stand for.

No verdict depends on them. What is shown is that Coq accepted the files as they are now, which `prove --coq` records; a
file that has changed since is a note.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rgm_verify.claims.evidence import Finding, Kind
from rgm_verify.coq.by_hand import FOLDER, Theorem, read_by_hand, recorded
from rgm_verify.engine.discovery import Paper
from rgm_verify.errors import InputError

LENS = "Coq"


def with_theorems(paper: Paper, records: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the records with one more piece of evidence for each theorem by hand of a claim that was judged.

    Args:
        paper: The claims.
        records: Records by id, which stay as they are.
    """
    found = dict(records)
    try:
        by_hand = read_by_hand(paper.folder)
    except InputError:
        # `prove --coq` says what is wrong; no claim loses its other evidence for it.
        return found
    version = recorded(paper.folder, by_hand)
    for theorem in by_hand.theorems:
        for claim in theorem.claims:
            if claim in paper.claims and "evidence" in found.get(claim, ()):
                found[claim] = {**found[claim], "evidence": [*found[claim]["evidence"], _entry(theorem, version)]}
    return found


def _entry(theorem: Theorem, version: str | None) -> dict[str, Any]:
    """Return what is known of a theorem as an entry of a record.

    One that refutes `contradicts`: the counterexample that decides is the one that is computed at this run.
    """
    against = Finding.CONTRADICTS if theorem.refutes else Finding.SUPPORTS
    place = f"{FOLDER}/{theorem.module}.v"
    says = f"Coq accepts `{theorem.name}` of {place}{', which is the negation' if theorem.refutes else ''}"
    unknown = f"not known: {place} has changed since Coq accepted it; ask again with: rgm-verify prove --coq FOLDER"
    return {
        "lens": LENS,
        "kind": (Kind.COQ_THEOREM if version else Kind.NOTE).value,
        "finding": (against if version else Finding.UNDECIDED).value,
        "families": ["coq"],
        "summary": says if version else unknown,
        "details": {"theorem": theorem.text, "version": version} if version else {},
        "premises": [],
    }
