"""Committed proofs: made by `prove`, checked at every run, and no evidence once they are not about the claim."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from rgm_verify.engine.discovery import load
from rgm_verify.engine.kept_proofs import all_proofs, broken, path_of, read_proofs
from rgm_verify.engine.proofs import canonical, keep_proofs
from rgm_verify.engine.second_checks import proof_digest, write_checks
from rgm_verify.errors import InputError

SQUARE = """
A = claim("a", ge(x * x - 2 * x + 1, 0), mutants=(Mutant("a sign", conclusion=le(x * x - 2 * x + 1, -1)),))
B = claim("b", ge(x + x * x, 0), mutants=(Mutant("a sign", conclusion=ge(-1 - x, 0)),),
          checks=(Deduction(premises=(Premise("c", at={}),)),))
C = claim("c", ge(x * x, 0), mutants=(Mutant("a sign", conclusion=ge(-1 - x, 0)),))
"""


Command = Callable[..., Result]
pytestmark = pytest.mark.usefixtures("threads")


@pytest.fixture
def proved(folder: Callable[..., Path], rgm: Command) -> Path:
    """A folder of claims with their proofs."""
    place = folder(one=SQUARE)
    found = rgm("prove", "*", "--claims", place, "--jobs", 1)
    assert found.exit_code == 0, found.output
    assert "3 proved, 0 open, 0 kept" in found.output
    return place


def evidence(place: Path, rgm: Command, claim: str) -> list[dict[str, Any]]:
    """Return what a run finds about a claim."""
    rgm("run", "--claims", place, "--out", "out", "--jobs", 1)
    rgm("report", "--claims", place, "--out", "out", "--ledger", "whole.json")
    (entry,) = (c for c in json.loads(Path("whole.json").read_text())["claims"] if c["id"] == claim)
    return [e for e in entry["evidence"] if e["lens"] == "kernel"]


def test_a_run_hands_every_proof_to_the_kernel(proved: Path, rgm: Command) -> None:
    (found,) = evidence(proved, rgm, "a")
    assert (found["kind"], found["finding"], found["premises"]) == ("kernel proof", "supports", [])
    assert "x^2" in found["details"]["statement"]
    page = Path("out/README.md").read_text()
    assert "| kernel | 3 |" in page


def test_reports_count_pages_that_were_read_back_and_theorems_of_coq(proved: Path, rgm: Command) -> None:
    rgm("run", "--claims", proved, "--out", "out", "--jobs", 1)
    found = rgm("replay", "--claims", proved, "--report", "out", "--accept")
    assert "3 of 3 proofs state what their pages show" in found.output
    proofs = read_proofs(proved / "proofs" / "one.json")
    theorems = {"a": proof_digest(proofs["a"]), "b": "another proof", "c": f"{proof_digest(proofs['c'])} interval"}
    write_checks(proved, coq=theorems)
    told = [evidence(proved, rgm, claim)[0]["details"] for claim in "abc"]
    assert [one["page"] for one in told] == ["shows what is proved"] * 3
    assert [one.get("Coq") for one in told] == ["a theorem", None, "a theorem, signs of numbers by interval"]
    assert "2 of 3 claims that are proved or certified are theorems of Coq" in Path("out/README.md").read_text()
    # A page that changes is not the one that was read.
    write_checks(proved, pages=dict.fromkeys("abc", "another page"))
    assert "page" not in evidence(proved, rgm, "a")[0]["details"]


def test_prove_keeps_what_is_proved(proved: Path, rgm: Command) -> None:
    before = (proved / "proofs" / "one.json").read_bytes()
    found = rgm("prove", "*", "--claims", proved, "--jobs", 1)
    assert "0 proved, 0 open, 3 kept" in found.output
    assert (proved / "proofs" / "one.json").read_bytes() == before


def test_a_factor_that_the_kernel_has_no_function_for_does_not_stop_the_search(
    folder: Callable[..., Path], rgm: Command
) -> None:
    place = folder(
        one="""
        from rgm_verify.balls.special import LogRemainder
        A = claim("a", ge(x, sympy.log(1 + x)), mutants=(Mutant("a sign", conclusion=le(x, -1)),),
                  checks=(Combination(((x**2, LogRemainder(2, x)),)), Monotone(x, 0)))
    """
    )
    assert "1 proved, 0 open" in rgm("prove", "a", "--claims", place, "--jobs", 1).output


def test_a_search_that_fails_keeps_the_proof_that_is_good_and_no_other(
    proved: Path, folder: Callable[..., Path], rgm: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rgm_verify.prover import work

    before = read_proofs(proved / "proofs" / "one.json")
    folder(one=SQUARE.replace("x * x - 2 * x + 1", "x * x - 2 * x + 2"))
    monkeypatch.setattr(work, "search", lambda *_: {"proof": None, "reason": "the time is over"})
    found = rgm("prove", "*", "--again", "--claims", proved, "--jobs", 1)
    assert "0 proved, 3 open, 0 kept" in found.output
    # The proof of `a` is of the statement as it was.
    assert read_proofs(proved / "proofs" / "one.json") == {name: before[name] for name in ("b", "c")}


@pytest.mark.parametrize("change", ["x * x - 2 * x + 2", "x * x - 2 * x"])
def test_a_proof_of_another_statement_is_no_evidence(
    proved: Path, folder: Callable[..., Path], rgm: Command, change: str
) -> None:
    folder(one=SQUARE.replace("ge(x * x - 2 * x + 1, 0)", f"ge({change}, 0)"))
    (found,) = evidence(proved, rgm, "a")
    assert (found["kind"], found["finding"]) == ("note", "undecided")
    assert "another statement of a" in found["summary"]
    assert "rgm-verify prove a" in found["summary"]


def test_a_proof_that_the_kernel_refuses_is_no_evidence(proved: Path, rgm: Command) -> None:
    path = proved / "proofs" / "one.json"
    data = json.loads(path.read_text())
    data["proofs"]["a"]["proof"] = [["end", 0]]
    path.write_text(json.dumps(data))
    (found,) = evidence(proved, rgm, "a")
    assert (found["kind"], found["finding"]) == ("note", "undecided")
    assert "the kernel refuses the proof" in found["summary"]


def test_proofs_move_with_their_claims(proved: Path, folder: Callable[..., Path], rgm: Command) -> None:
    (proved / "one.py").unlink()
    folder(two=SQUARE)
    assert evidence(proved, rgm, "a")[0]["finding"] == "supports"
    paper = load(proved)
    keep_proofs(paper, all_proofs(proved))
    assert not (proved / "proofs" / "one.json").exists()
    assert sorted(read_proofs(path_of(proved, "two.py"))) == ["a", "b", "c"]


def test_replay_says_what_is_proved_and_compares_with_the_claims(
    proved: Path, folder: Callable[..., Path], rgm: Command
) -> None:
    path = str(proved / "proofs" / "one.json")
    found = rgm("replay", path)
    assert found.exit_code == 0
    assert found.output.count("accepted") == 3
    assert "for all x with x >= 0, x <= 1" in found.output
    folder(one=SQUARE.replace("ge(x * x, 0)", "ge(x * x, x - 1)"))
    found = rgm("replay", path, "--claims", proved)
    assert found.exit_code == 1
    assert "rejected: c\n  the committed proof is about another statement of c" in found.output


@pytest.mark.parametrize(
    "content", ["[", "[]", "{}", '{"format": "rgm-verify proofs 1"}', '{"format": 1, "proofs": {}}']
)
def test_a_damaged_file_is_refused_by_its_name(proved: Path, content: str) -> None:
    path = proved / "proofs" / "one.json"
    path.write_text(content)
    assert list(broken(proved)) == [path]
    assert all_proofs(proved) == {}
    with pytest.raises(InputError, match=r"proofs/one\.json"):
        read_proofs(path)


def test_a_damaged_file_costs_its_own_proofs_and_is_never_written_over(proved: Path, rgm: Command) -> None:
    path = proved / "proofs" / "one.json"
    path.write_text("[")
    for words in (("run", "a"), ("prove", "a"), ("prove", "a", "--again")):
        found = rgm(*words, "--claims", proved, "--store", proved.parent / "fresh")
        assert found.exit_code == 2
        assert "refused: proofs/one.json: it is no JSON" in found.output
    assert path.read_text() == "["


def test_statements_are_equal_up_to_the_order_of_sums_and_products() -> None:
    first = ["add", ["mul", ["var", "x"], "2"], ["max", "1", ["var", "y"]]]
    second = ["add", ["max", ["var", "y"], "1"], ["mul", "2", ["var", "x"]]]
    assert canonical(first) == canonical(second)
    assert canonical(["pow", ["var", "x"], "2"]) != canonical(["pow", "2", ["var", "x"]])
    assert canonical(["<=", "1", ["var", "x"]]) != canonical(["<=", ["var", "x"], "1"])
