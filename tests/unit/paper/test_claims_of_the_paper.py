"""The committed claims: each asserts something, and each control can fail only by being refuted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rgm_verify.claims.claim import Claim, nothing_asserted
from rgm_verify.claims.formula import Relation, relations
from rgm_verify.claims.written.rendering import expression_latex
from rgm_verify.engine.discovery import load
from rgm_verify.lenses.controls import is_trivial

ROOT = Path(__file__).parents[3]
PAPERS = ("own_paper", "zero_concentrated", "calibrated_noise", "renyi_privacy")
FOLDERS = ("derivations", *(f"examples/{name}" for name in PAPERS))


@pytest.fixture(scope="module", params=FOLDERS)
def claims(request: pytest.FixtureRequest) -> list[Claim]:
    paper = load(ROOT / request.param) if request.param != "derivations" else request.getfixturevalue("committed_paper")
    return list(paper.claims.values())


def _stated(claim: Claim) -> Iterator[Relation]:
    if claim.conclusion is not None:
        yield from relations(claim.conclusion)
    for hypothesis in claim.hypotheses:
        yield from relations(hypothesis.formula)


def test_no_relation_has_the_same_expression_on_both_sides_unless_it_is_a_definition(claims: list[Claim]) -> None:
    same = [(c.id, str(r.lhs)) for c in claims for r in _stated(c) if r.lhs == r.rhs and not r.definition]
    assert same == []


def test_no_relation_shows_the_same_formula_on_both_sides(claims: list[Claim]) -> None:
    shown = [
        (c.id, expression_latex(r.lhs))
        for c in claims
        for r in _stated(c)
        if not r.definition and expression_latex(r.lhs) == expression_latex(r.rhs)
    ]
    assert shown == []


def test_no_claim_consists_of_definitions_alone(claims: list[Claim]) -> None:
    alone = [c.id for c in claims if c.conclusion is not None and all(r.definition for r in relations(c.conclusion))]
    assert alone == []


def test_the_engine_has_something_to_judge_in_every_claim(claims: list[Claim]) -> None:
    assert {c.id: reason for c in claims if (reason := nothing_asserted(c))} == {}


def test_no_control_is_true_or_false_by_constants_alone(claims: list[Claim]) -> None:
    assert [(c.id, m.name) for c in claims for m in c.mutants if is_trivial(c, m)] == []
