"""Theorems of Coq by hand as evidence: shown while they are what Coq accepted, and no verdict depends on them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rgm_verify.claims.outcome.record import Record, read_record
from rgm_verify.claims.outcome.verdict import Verdict, judge
from rgm_verify.coq.by_hand import read_by_hand, record
from rgm_verify.engine.by_hand import with_theorems
from rgm_verify.engine.discovery import Paper, load

CLAIMS = """
A = claim("a", ge(x * x, 0), mutants=(Mutant("a sign", conclusion=ge(-1 - x, 0)),))
"""


@pytest.fixture
def paper(folder: Callable[..., Path]) -> Paper:
    return load(folder(one=CLAIMS))


def evidence(paper: Paper, verb: str, *, accepted: bool = True) -> list[dict[str, Any]]:
    """Return what is said of claim a beside a theorem that proves or refutes it."""
    (paper.folder / "coq").mkdir(exist_ok=True)
    (paper.folder / "coq" / "Mine.v").write_text(f"(* {verb}: a, gone *)\nTheorem mine : True.\nProof. exact I. Qed.\n")
    if accepted:
        record(paper.folder, read_by_hand(paper.folder), "Coq 8.16.1")
    return list(with_theorems(paper, {"a": {"evidence": []}})["a"]["evidence"])


def test_an_accepted_theorem_is_evidence_with_its_text(paper: Paper) -> None:
    (found,) = evidence(paper, "proves")
    assert (found["kind"], found["finding"]) == ("theorem of Coq, by hand", "supports")
    assert found["details"] == {"theorem": "Theorem mine : True.", "version": "Coq 8.16.1"}
    (found,) = evidence(paper, "refutes")
    assert (found["kind"], found["finding"]) == ("theorem of Coq, by hand", "contradicts")


def test_a_theorem_that_changed_since_is_a_note(paper: Paper) -> None:
    evidence(paper, "proves")
    (found,) = evidence(paper, "refutes", accepted=False)
    assert (found["kind"], found["finding"]) == ("note", "undecided")
    assert "has changed since Coq accepted it" in found["summary"]


def test_a_file_that_cannot_be_read_costs_no_claim_its_evidence(paper: Paper) -> None:
    evidence(paper, "proves")
    (paper.folder / "coq" / "Other.v").write_bytes(b"\xff\xfe")
    records = {"a": {"evidence": [{"other": 1}]}}
    assert with_theorems(paper, records) == records


def test_a_theorem_by_hand_proves_and_refutes_nothing_by_itself(paper: Paper) -> None:
    for verb in ("proves", "refutes"):
        assert judge(_record(evidence(paper, verb)), {}).verdict is Verdict.UNDECIDED


def _record(found: list[dict[str, Any]]) -> Record:
    return read_record({"evidence": found, "mutants": []})
