"""Foreign, huge and damaged proofs: a run takes none for evidence, and says why; `replay` refuses them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from rgm_verify.engine.discovery import Paper, load
from rgm_verify.engine.kept_proofs import read_proofs
from rgm_verify.engine.proofs import replay_proofs, with_proofs
from rgm_verify.errors import InputError

CLAIMS = """
A = claim("a", ge(x * x, 0), mutants=(Mutant("a sign", conclusion=ge(-1 - x, 0)),))
B = claim("b", ge(x, x * x), mutants=(Mutant("a sign", conclusion=ge(-1 - x, 0)),))
"""
VARIABLES = [["x", "real", [[">=", ["var", "x"], "0"], ["<=", ["var", "x"], "1"]]]]
SQUARE = {
    "quantifier": "forall",
    "variables": VARIABLES,
    "hypotheses": [],
    "conclusion": [">=", ["pow", ["var", "x"], "2"], "0"],
}
GOOD: dict[str, Any] = {
    "format": "rgm-verify proof 2",
    "claim": "a",
    "statement": SQUARE,
    "premises": {},
    "names": [["var", "x"]],
    "witness": {},
    "proof": [["sum", [[1, [], [[[1, 0, 1]]]]], []], ["end", 2]],
}


@pytest.fixture
def paper(folder: Callable[..., Path]) -> Paper:
    return load(folder(one=CLAIMS))


def kernels(paper: Paper, proof: Any) -> dict[str, Any]:
    """Return what a run says of a proof that is kept for the claim a."""
    path = paper.folder / "proofs" / "one.json"
    path.parent.mkdir(exist_ok=True)
    text = json.dumps(proof) if not isinstance(proof, str) else proof
    path.write_text(f'{{"format":"rgm-verify proofs 1","proofs":{{"a":{text}}}}}')
    (found,) = with_proofs(paper, {"a": {"evidence": []}})["a"]["evidence"]
    return dict(found)


def test_the_good_proof_is_evidence(paper: Paper) -> None:
    found = kernels(paper, GOOD)
    assert (found["kind"], found["finding"]) == ("kernel proof", "supports"), found


def nested(levels: int) -> str:
    tree = '["add",' * levels + '"1"' + ',"1"]' * levels
    return json.dumps(GOOD).replace('"0"]}', tree + "]}", 1)


@pytest.mark.parametrize(
    ("proof", "why"),
    [
        (17, "no proof"),
        ([], "no proof"),
        ({**GOOD, "claim": "b"}, "name of another claim"),
        ({**GOOD, "premises": []}, "name of another claim"),
        (
            {**GOOD, "premises": {"a": SQUARE}, "proof": [["use", "a", {"x": ["var", "x"]}, []], ["end", 2]]},
            "the claim itself",
        ),
        ({**GOOD, "premises": {"b": SQUARE}}, "another statement of b"),
        ({**GOOD, "premises": {"c": None}}, "uses c, on which"),
        ({**GOOD, "statement": None}, "another statement of a"),
        ({**GOOD, "statement": {**SQUARE, "hypotheses": [["==", "0", "1"]]}}, "another statement of a"),
        ({**GOOD, "statement": {**SQUARE, "variables": []}}, "another statement of a"),
        ({**GOOD, "statement": {**SQUARE, "quantifier": "exists"}}, "another statement of a"),
        (
            {**GOOD, "statement": {**SQUARE, "conclusion": [">=", ["pow", ["var", "x"], "2"], 0]}},
            "another statement of a",
        ),
        (
            {**GOOD, "statement": {**SQUARE, "conclusion": ["<=", ["pow", ["var", "x"], "2"], "0"]}},
            "another statement of a",
        ),
        ({**GOOD, "proof": [["end", 0]]}, "the kernel refuses"),
        ({**GOOD, "proof": [["exp", [[1, 0, 1]]]] * 30_000}, "more than"),
        ({**GOOD, "names": [float("nan")]}, "the kernel refuses"),
        ({**GOOD, "names": [["exp", ["var", "x"], 1]]}, "the kernel refuses"),
        ({**GOOD, "format": "rgm-verify proof 0"}, "the kernel refuses"),
        (nested(800), "another statement of a"),
        (json.dumps(GOOD).replace("[1, 0, 1]", "[1, 0, " + "9" * 4000 + "]"), "the kernel refuses"),
    ],
)
def test_another_document_is_a_note_with_its_reason(paper: Paper, proof: Any, why: str) -> None:
    found = kernels(paper, proof)
    assert (found["kind"], found["finding"]) == ("note", "undecided")
    assert why in found["summary"]
    assert "rgm-verify prove a" in found["summary"]


@pytest.mark.parametrize(
    "text", ["", "{", "[" * 100_000, "\x00", '{"format":"rgm-verify proofs 1","proofs":[]}', "9" * 5000]
)
def test_what_is_no_file_of_proofs_is_refused_by_its_name(tmp_path: Path, text: str) -> None:
    path = tmp_path / "one.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"one\.json.*delete it"):
        read_proofs(path)


def test_replay_refuses_a_statement_that_is_too_deep_to_show(tmp_path: Path) -> None:
    for levels in (1, 150, 400, 900):
        path = tmp_path / "one.json"
        path.write_text(nested(levels))
        (found,) = replay_proofs(path)
        assert found.reason


def test_replay_accepts_the_good_proof_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    path.write_text(json.dumps(GOOD))
    (found,) = replay_proofs(path)
    assert (found.reason, found.claim, found.steps) == ("", "a", 2)
    for other in ({**GOOD, "proof": [["end", 0]]}, {}, [], 1, {**GOOD, "premises": {"a": SQUARE}}):
        path.write_text(json.dumps(other))
        (found,) = replay_proofs(path)
        assert found.reason


@pytest.mark.parametrize("text", ["", "[", "[" * 100_000])
def test_prove_and_run_name_a_damaged_file(folder: Callable[..., Path], rgm: Callable[..., Result], text: str) -> None:
    place = folder(one=CLAIMS)
    (place / "proofs").mkdir()
    (place / "proofs" / "one.json").write_text(text)
    for command in (("prove", "a"), ("run",)):
        found = rgm(*command, "--claims", place, "--jobs", 1)
        assert found.exit_code != 0
        assert "one.json: it is no JSON" in found.output
        assert "Traceback" not in found.output
