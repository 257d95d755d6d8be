"""Three known papers in our words: what they state is decided by default lenses, and what is wrong is refuted.

The folders are the examples of `rgm-verify run --claims examples/NAME`. Their pages name no lens, so that the verdicts
are those that anybody gets who writes a paper down.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rgm_verify.claims.outcome.verdict import Verdict
from rgm_verify.engine.discovery import load
from rgm_verify.engine.judge import run_claim
from rgm_verify.engine.outcome.assemble import judgements
from rgm_verify.lenses.base import PROFILES, Context

EXAMPLES = Path(__file__).parents[3] / "examples"
PAPERS = ("zero_concentrated", "calibrated_noise", "renyi_privacy")
LEAST_STATEMENTS, LEAST_PROVED = 12, 0.85
PROVED = (Verdict.PROVED, Verdict.CERTIFIED)


@pytest.mark.parametrize("name", PAPERS)
def test_a_paper_is_decided_without_being_told_how(name: str) -> None:
    """A claim that carries a `mistake` is false by the literature; every other statement of the folder is true."""
    paper = load(EXAMPLES / name)
    assert {i for i, claim in paper.claims.items() if claim.checks} == set()
    context = Context(profile=PROFILES["quick"], seed=20230830, claims=paper.claims)
    records = {i: run_claim(claim, context) for i, claim in paper.claims.items()}
    found = {i: judgement.verdict for i, judgement in judgements(paper, records).items()}
    wrong = {i for i, claim in paper.claims.items() if claim.category is not None}
    true = paper.claims.keys() - wrong
    assert len(true) >= LEAST_STATEMENTS
    assert {i: found[i] for i in wrong if found[i] is not Verdict.REFUTED} == {}
    assert {i for i in true if found[i] is Verdict.REFUTED} == set()
    assert sum(found[i] in PROVED for i in true) >= LEAST_PROVED * len(true)
    expected = json.loads((EXAMPLES / name / "expected.json").read_text(encoding="utf-8"))["verdicts"]
    assert {i: verdict.value for i, verdict in found.items()} == expected
