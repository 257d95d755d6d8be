"""False statements beside true ones: none has the true claim's proof, and a search finds none."""

from __future__ import annotations

import dataclasses
import json
import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rgm_verify.claims.written.trees import NoTree, statement_tree
from rgm_verify.engine.discovery import Paper, load
from rgm_verify.engine.kept_proofs import all_proofs
from rgm_verify.engine.proofs import canonical, task_of
from rgm_verify.kernel.check import check
from rgm_verify.kernel.terms import Refused
from rgm_verify.prover.budget import PER_SECOND
from rgm_verify.prover.work import search

CLAIMS = Path(__file__).resolve().parents[3] / "derivations"
#: In `nox -s kernel` the search looks at 520 false statements and at the whole corpus, elsewhere at a sample.
WHOLE = bool(os.environ.get("RGM_VERIFY_KERNEL"))
SAMPLE = 520 if WHOLE else 40
#: The sample falls into parts, so that an interrupted session goes on with `-k`.
PARTS = SAMPLE // 40
#: The units of work of one search: about a second, in which the search finds most of the committed proofs.
WORK = PER_SECOND


@pytest.fixture(scope="module")
def paper() -> Paper:
    return load(CLAIMS)


@pytest.fixture(scope="module")
def false(paper: Paper) -> list[tuple[str, str, dict[str, Any], dict[str, Any]]]:
    """(claim, control, false statement, proof of the true one) for each control of a claim with a proof."""
    return list(_false(paper))


def _false(paper: Paper) -> Iterator[tuple[str, str, dict[str, Any], dict[str, Any]]]:
    for claim_id, proof in all_proofs(CLAIMS).items():
        claim = paper.claims.get(claim_id)
        for mutant in claim.mutants if claim is not None else ():
            try:
                statement = statement_tree(claim.mutate(mutant), binders=True)  # type: ignore[union-attr]
            except NoTree:
                continue
            yield claim_id, mutant.name, json.loads(json.dumps(statement)), proof


def test_there_are_many(false: list[Any]) -> None:
    assert len(false) >= 500


def test_no_control_passes_with_the_proof_of_its_claim(false: list[Any]) -> None:
    passed = []
    for claim_id, name, statement, proof in false:
        assert canonical(statement) != canonical(proof["statement"]), (claim_id, name)
        try:
            check({**proof, "statement": statement})
        except Refused:
            continue
        passed.append((claim_id, name))
    assert passed == []


def test_every_true_statement_passes_with_its_proof() -> None:
    """Otherwise the test above could not fail."""
    for proof in all_proofs(CLAIMS).values():
        check(proof)


def chosen(false: list[Any], part: int) -> list[Any]:
    """Return a part of the sample; every part is drawn from all controls, so that each is a sample by itself."""
    return random.Random(20261123).sample(false, SAMPLE)[part::PARTS]


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_a_search_proves_no_control(paper: Paper, false: list[Any], part: int) -> None:
    """The premises are those of the true claim, so that whatever the proof rests on may be used."""
    proved = []
    for claim_id, name, statement, proof in chosen(false, part):
        task = dataclasses.asdict(task_of(paper, paper.claims[claim_id]))
        task |= {"statement": statement, "witness": proof["witness"] or None}
        if search(task, WORK)["proof"] is not None:
            proved.append((claim_id, name))
    assert proved == []


@pytest.mark.slow
def test_the_same_search_proves_most_of_the_true_claims(paper: Paper, false: list[Any]) -> None:
    """Otherwise the test above could not fail: a search without work proves nothing, true or false."""
    missed = []
    claims = {claim_id: proof for claim_id, _, _, proof in chosen(false, 0)}
    for claim_id, proof in claims.items():
        task = dataclasses.asdict(task_of(paper, paper.claims[claim_id]))
        if search(task | {"witness": proof["witness"] or None}, WORK)["proof"] is None:
            missed.append(claim_id)
    assert 4 * len(missed) <= len(claims), missed


def corpus() -> list[Path]:
    """Return the files of claims of known truth: all, or a few of them."""
    place = CLAIMS.parent / "tests" / "far" / "corpus"
    files = sorted(f for name in ("blind", "own") for f in (place / name).glob(f"{name}_*.py"))
    return files if WHOLE else files[::7]


@pytest.mark.parametrize("file", corpus(), ids=lambda f: f.stem)
def test_a_search_proves_no_false_claim_of_the_corpus(file: Path, tmp_path: Path) -> None:
    for path in (file, file.parent / "known.py"):
        shutil.copy(path, tmp_path)
    paper = load(tmp_path)
    proved = []
    false = [claim for claim in paper.claims.values() if claim.kind == "false"]
    for claim in false if WHOLE else false[:8]:
        try:
            task = dataclasses.asdict(task_of(paper, claim))
        except NoTree:
            continue
        found = search(task, WORK)["proof"]
        if found is not None and not any(premise_is_false(paper, name) for name in found["premises"]):
            proved.append(claim.id)
    assert proved == []


def premise_is_false(paper: Paper, name: str) -> bool:
    """Return whether a premise is a false claim itself: what follows from it is proved given that it holds."""
    return paper.claims[name].kind != "true"
