"""Pruned proofs: the kernel still checks them, and what their goal does not need is gone."""

from __future__ import annotations

from typing import Any

from rgm_verify.kernel.check import FORMAT, check
from rgm_verify.prover.pruning import pruned

X = ["var", "x"]
SQUARE = {
    "quantifier": "forall",
    "variables": [["x", "real", []]],
    "hypotheses": [],
    "conclusion": [">=", ["add", ["pow", X, "2"], ["mul", "-2", X], "1"], "0"],
}


def document(*steps: Any) -> dict[str, Any]:
    names = [["exp", X], X]
    empty: dict[str, Any] = {"premises": {}, "witness": {}}
    return {"format": FORMAT, "claim": "a", "statement": SQUARE, "names": names, "proof": list(steps), **empty}


THE_SQUARE = ["sum", [[1, [], [[[1, 1, 1], [-1]]]]], []]


def test_facts_and_names_that_nothing_uses_go() -> None:
    long = document(["exp", [[1, 1, 1]]], ["sum", [[2, [0], []]], []], THE_SQUARE, ["end", 3])
    check(long)
    short = pruned(long)
    assert short["proof"] == [["sum", [[1, [], [[[1, 0, 1], [-1]]]]], []], ["end", 0]]
    assert short["names"] == [X]
    assert pruned(short) == short


def test_facts_of_nested_proofs_are_needed_where_they_are_used() -> None:
    inner = [THE_SQUARE, ["sum", [[1, [], [[[1, 0, 1]]]]], []], ["end", 0]]
    goal = [">=", [[1, 1, 2], [-2, 1, 1], [1]]]
    long = document(["exp", [[1, 1, 1]]], ["have", goal, [*inner[:1], inner[1], ["end", 2]]], ["end", 2])
    check(long)
    short = pruned(long)
    check(short)
    assert [step[0] for step in short["proof"]] == ["have", "end"]
    assert [step[0] for step in short["proof"][0][2]] == ["sum", "end"]


def test_cases_keep_what_each_of_them_needs() -> None:
    proofs = [[THE_SQUARE, ["end", 4]], [["exp", [[1, 1, 1]]], THE_SQUARE, ["end", 6]], [THE_SQUARE, ["end", 4]]]
    long = document(["exp", [[1, 1, 1]]], ["sign", [[1, 1, 1]]], ["cases", 2, proofs])
    check(long)
    short = pruned(long)
    check(short)
    assert [[s[0] for s in p] for p in short["proof"][1][2]] == [["sum", "end"]] * 3


def test_a_document_that_does_not_check_stays_as_it_is() -> None:
    wrong = document(["end", 0])
    assert pruned(wrong) is wrong
