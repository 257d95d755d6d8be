"""Words for the steps of the kernel: each rule has some, and every kept proof can be told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rgm_verify.kernel.check import Checker
from rgm_verify.kernel.rules import RULES
from rgm_verify.statements import sketch

PROOFS = sorted((Path(__file__).resolve().parents[3] / "derivations" / "proofs").rglob("*.json"))


def test_each_rule_of_the_kernel_has_words_and_no_other() -> None:
    assert set(sketch._RULES) == set(RULES)
    assert not set(RULES) & {name.removeprefix("_step_") for name in dir(Checker) if name.startswith("_step_")}


def test_every_kept_proof_is_told_in_lines_that_name_no_gap() -> None:
    told = 0
    for path in PROOFS:
        for document in json.loads(path.read_text(encoding="utf-8"))["proofs"].values():
            lines = sketch.sketched(document)
            assert len(lines) <= 13, path
            assert not any("..." in line and len(line) < 160 and "more)" not in line for line in lines), (path, lines)
            told += bool(lines)
    assert told > 100


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (["sign", [["1", 0, 1]]], "x is positive, 0 or negative"),
        (["number", [["1", 0, 1], ["-2"]], 64], "the sign of x - 2, by an enclosure"),
        (["mean", ["exp", ["var", "x"]], "x", "0", ["var", "x"], 0, [["end", 7]]],
         "the mean value theorem for exp(x) in x"),
        (["use", "other:claim", {"x": "1"}, []], "by other:claim"),
        (["clear_goal", [["1", 0, 1]], 0], "both sides times x"),
        (["cases", 0, [[["end", 1]], [["end", 2]]]], "in each of the cases:"),
        (["pow", [["1", 0, 1]], [["2"]], 0], "u^v = exp(v log(u)) at u = x, v = 2"),
        (["end", 3], None),
    ],
)  # fmt: skip
def test_a_step_is_told_by_what_it_does(step: list[object], said: str | None) -> None:
    stated = {"quantifier": "forall", "variables": [["x", "real", []]], "hypotheses": [], "conclusion": ["<", "0", "1"]}
    lines = sketch.sketched({"names": [["var", "x"]], "statement": stated, "proof": [step]})
    assert lines == ([] if said is None else [said])
