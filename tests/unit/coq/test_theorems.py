"""Theorems of Coq from proofs of the kernel, as text: what a reader sees, and what the command says where Coq fails.

No Coq is needed here. `tests/far/coq` asks the real one.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rgm_verify.cli import main
from rgm_verify.coq.by_hand import read_by_hand, recorded
from rgm_verify.coq.certificates import certificate
from rgm_verify.coq.compiling import axioms
from rgm_verify.coq.pages import THEORY, identifier, make_pages
from rgm_verify.coq.trees import Unsupported, formula_of, lift, reading, statement_of, text
from rgm_verify.engine.second_checks import FILE, read_checks, write_checks
from rgm_verify.errors import InputError
from rgm_verify.kernel.check import FORMAT, plain

x, y, n = ["var", "x"], ["var", "y"], ["var", "n"]
NAMES = ["x", "y", "n"]
FINE = "ClassicalDedekindReals.sig_not_dec"


def number_of(name: str) -> int:
    """Return the number of a variable."""
    return NAMES.index(name) + 1


def stated(conclusion: Any, *hypotheses: Any, quantifier: str = "forall", kind: str = "real") -> dict[str, Any]:
    """Return a statement about x and y."""
    variables = [["x", kind, []], ["y", "real", [[">", y, "0"]]]]
    return {"quantifier": quantifier, "variables": variables, "hypotheses": [*hypotheses], "conclusion": conclusion}


def document(name: str, conclusion: Any, proof: Any, names: Any = (), premises: Any = None) -> dict[str, Any]:
    """Return a proof about x and y."""
    return {
        "format": FORMAT, "claim": name, "statement": stated(conclusion), "premises": premises or {},
        "names": [*names], "witness": {}, "proof": proof,
    }  # fmt: skip


SQUARE = document(
    "p:square", [">=", ["pow", x, "2"], "0"], [["sum", [["1", [], [[["1", 0, 1]]]]], []], ["end", 1]], [x]
)


@pytest.mark.parametrize(
    ("tree", "shown"),
    [
        (["<=", ["add", "1", ["mul", "-1", x]], ["exp", ["mul", "-1", x]]], "1 - x <= exp (- x)"),
        (["==", ["mul", "1/2", ["pow", ["add", x, y], "2"]], "-3"], "1 / 2 * (x + y) ^ 2 = -3"),
        ([">", ["mul", x, ["pow", ["mul", x, y], "-2"]], ["pow", y, "-1"]], "x / (x * y) ^ 2 > / y"),
        (["!=", ["pow", ["mul", "-1", x], "2"], ["pow", y, "1/2"]], "(- x) ^ 2 <> sqrt y"),
        (["<", ["pow", y, "-3/2"], ["max", ["log", y], ["pow", y, "1/3"]]], "/ sqrt y ^ 3 < Rmax (ln y) (root 3 y)"),
        (["==", ["add", x, ["mul", "-2", x, y], "-3"], "0"], "x - 2 * x * y - 3 = 0"),
        (["<", ["erf", ["mul", "2", x]], "1"], "erf (2 * x) < 1"),
        (["implies", ["and", [">", x, "0"], [">", y, "0"]], ["or", ["<", x, y], [">=", x, y]]],
         "x > 0 /\\ y > 0 -> x < y \\/ x >= y"),
    ],
)  # fmt: skip
def test_a_formula_reads_as_one_writes_it(tree: Any, shown: str) -> None:
    assert text(formula_of(tree, number_of), NAMES) == shown


def test_what_a_hypothesis_grants_is_a_premise_and_what_a_conclusion_needs_is_shown() -> None:
    given = ["<=", ["log", x], ["pow", y, "1/2"]]
    found = statement_of(plain(stated([">=", ["pow", ["add", x, "-1"], "-1"], "0"], given)), number_of)
    assert reading(found, NAMES).splitlines() == [
        "forall (x y : R),", "y > 0 ->", "x > 0 ->", "y >= 0 ->", "ln x <= sqrt y ->", "x - 1 <> 0 /\\",
        "/ (x - 1) >= 0",
    ]  # fmt: skip


def test_an_integer_variable_is_an_integer_and_existence_is_existence() -> None:
    found = statement_of(plain(stated(["==", x, y], quantifier="exists", kind="integer")), number_of)
    assert reading(found, NAMES).splitlines() == ["exists (x : Z) (y : R),", "y > 0 /\\", "IZR x = y"]


def test_a_power_with_a_variable_exponent_asks_for_what_the_kernel_asks() -> None:
    real = statement_of(plain(stated([">=", ["pow", x, y], "0"])), number_of)
    assert "(x > 0 \\/ x >= 0 /\\ y > 0) /\\" in reading(real, NAMES)
    whole = stated([">=", ["pow", y, x], "0"], kind="integer")
    assert "(IZR x >= 0 \\/ y <> 0) /\\" in reading(statement_of(plain(whole), number_of), NAMES)


def read_with_slopes(conclusion: Any, *names: str) -> list[str]:
    """Return a statement with derivatives as Coq reads it, by lines."""
    numbers = {name: place for place, name in enumerate((*NAMES, *names), 1)}
    given = stated(conclusion)
    found = statement_of(plain(given), lambda name: numbers.setdefault(name, len(numbers) + 1), lift(given))
    return reading(found, list(numbers)).splitlines()


def test_a_derivative_is_one_of_coquelicot_with_what_it_asks_for_before_it() -> None:
    slope = ["derivative", ["mul", x, ["log", y]], "y", "1"]
    assert read_with_slopes(["==", slope, ["mul", x, ["pow", y, "-1"]]]) == [
        "forall (x y : R),", "y > 0 ->", "ex_derive_n (fun y => x * ln y) 1 y /\\", "y <> 0 /\\",
        "Derive (fun y => x * ln y) y = x / y",
    ]  # fmt: skip


def test_a_derivative_at_a_point_keeps_its_variable_and_a_higher_one_its_order() -> None:
    s = ["var", "s"]
    second = ["at", ["add", s, ["derivative", ["exp", ["mul", s, y]], "s", "2"]], "s", "0"]
    assert read_with_slopes(["==", second, ["pow", y, "2"]], "s") == [
        "forall (x y : R),", "y > 0 ->", "ex_derive_n (fun s => exp (s * y)) 2 0 /\\",
        "0 + Derive_n (fun s => exp (s * y)) 2 0 = y ^ 2",
    ]  # fmt: skip
    # Of two variables the one in the function is put in, where no variable of the derivative is.
    mixed = ["at", ["derivative", ["mul", s, ["pow", y, "2"]], "y", "1"], "s", x]
    assert "Derive (fun y => x * y ^ 2) y = 0" in read_with_slopes(["==", mixed, "0"], "s")


def test_a_point_that_a_derivative_would_take_for_its_variable_and_a_nested_one_are_not_written() -> None:
    caught = ["at", ["derivative", ["mul", ["var", "s"], y], "y", "1"], "s", y]
    with pytest.raises(Unsupported, match="stands in"):
        lift(stated(["==", caught, "0"]))
    with pytest.raises(Unsupported, match="of a derivative"):
        lift(stated(["==", ["derivative", ["derivative", ["exp", x], "x", "1"], "x", "1"], "0"]))


@pytest.mark.parametrize(
    ("name", "expected"), [("R", "R_"), ("IZR", "IZR_"), ("'", "'_"), ("2a", "x2a"), ("s'_1", "s'_1")]
)
def test_a_variable_shadows_no_word_of_coq(name: str, expected: str) -> None:
    assert identifier(name) == expected


def test_what_the_theory_has_no_rule_for_is_named_and_the_others_are_written() -> None:
    gamma = document(
        "p:gamma", [">", ["gamma", y], "0"], [["gamma", [["1", 0, 1]], 0], ["each", [[["end", 0]], [["end", 1]]]]], [y]
    )
    gamma["proof"] = [["gamma", [["1", 0, 1]], 0], ["end", 1]]
    with pytest.raises(Unsupported, match="gamma"):
        certificate(gamma)
    pages = make_pages({"a/page": {"p:square": SQUARE, "p:gamma": gamma}})
    assert pages.theorems == {"a_page": ["p:square"]}
    assert pages.skipped == {"p:gamma": "gamma of 1 arguments"}


def test_a_premise_that_is_a_theorem_is_linked_and_another_one_is_assumed() -> None:
    using = document(
        "p:uses", [">=", ["pow", y, "2"], "0"], [["use", "p:square", {"x": y, "y": y}, []], ["end", 1]], [y]
    )
    using["premises"] = {"p:square": SQUARE["statement"]}
    linked = make_pages({"b": {"p:uses": using}, "a": {"p:square": SQUARE}})
    assert list(linked.theorems) == ["a", "b"]
    assert linked.parts == {"level_1_1": ["a"], "level_2_1": ["b"]}
    assert "by_kernel RgmCertificates.b.p_uses RgmCertificates.b.p_uses_accepted p_square" in linked.files["pages/b.v"]
    assert linked.assumed == {}
    alone = make_pages({"b": {"p:uses": using}})
    assert alone.assumed == {"p:uses": ["p:square"]}
    assert "(forall (x y : R),\n  y > 0 ->\n  x ^ 2 >= 0) ->" in alone.files["pages/b.v"]


def test_the_theory_admits_nothing_and_its_lines_are_short() -> None:
    for path in THEORY.glob("*.v"):
        words = path.read_text(encoding="utf-8")
        assert not any(word in words for word in ("Admitted", "admit.", "Axiom", "Parameter", "Unset ", "bypass_check"))
        assert max(map(len, words.splitlines())) <= 120
        assert len(words.splitlines()) <= 600
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in THEORY.glob("*.v")) <= 2400


# ------------------------------------------------------------------------------------------------ the command

SCRIPT = """#!/bin/sh
for last; do true; done
if [ "$last" = --version ]; then echo "{version}"; exit 0; fi
case $last in {case} ) {act} ;; esac
if [ "$last" = {told} ]; then printf 'Axioms:\\n{axiom} : x\\n'; fi
: > "${{last%.v}}.vo"
"""
Prove = Callable[..., Result]


@pytest.fixture
def prove(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Prove:
    """Run `prove --coq` on one proof, with a program in the place of `coqc`."""

    def run(
        case: str = "none", act: str = "true", version: str = "The Coq Proof Assistant, version 8.16.1",
        axiom: str = FINE, verdict: str = "proved", arguments: tuple[str, ...] = (), by_hand: str = "",
    ) -> Result:  # fmt: skip
        program = tmp_path / "bin" / "coqc"
        program.parent.mkdir(exist_ok=True)
        told = f"assumptions_{'by_hand' if by_hand else 'plain'}.v"
        program.write_text(SCRIPT.format(case=case, act=act, version=version, axiom=axiom, told=told))
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}/usr/bin{os.pathsep}/bin")
        claims = tmp_path / "claims"
        (claims / "proofs").mkdir(parents=True, exist_ok=True)
        kept = {"format": "rgm-verify proofs 1", "proofs": {"p:square": SQUARE}}
        (claims / "proofs" / "page.json").write_text(json.dumps(kept))
        judged = "p:integral" if by_hand else "p:square"
        (claims / "expected.json").write_text(json.dumps({"verdicts": {judged: verdict}}))
        if by_hand:
            (claims / "coq").mkdir(exist_ok=True)
            (claims / "coq" / "Mine.v").write_text(by_hand)
        out = str(tmp_path / "out")
        return CliRunner().invoke(main, ["prove", "--coq", out, "--claims", str(claims), "--jobs", "2", *arguments])

    return run


def test_accepted_theorems_are_counted_and_the_second_time_none_is_compiled(prove: Prove, tmp_path: Path) -> None:
    first = prove()
    assert (first.exit_code, first.stdout) == (
        0, "1 theorem of Coq; 0 of them rest on enclosures by `interval`, 0 assume what is no theorem here\n",
    )  # fmt: skip
    # A program that fails would be seen, were it asked.
    assert prove(case="*", act="exit 1").stdout == first.stdout
    (tmp_path / "out" / "theorems" / "level_1_1.vo").unlink()
    assert prove(case="theorems/*", act="exit 1").exit_code == 1


def test_json_says_the_same(prove: Prove) -> None:
    told = json.loads(prove(arguments=("--json",)).stdout)
    assert told["accepted"] == ["p:square"]
    assert told["refused"] == told["not known"] == {}


@pytest.mark.parametrize(
    ("act", "words"),
    [
        ("kill -9 $$", "not known  theorems/level_1_1.v: coqc was killed by SIGKILL"),
        ("echo 'Error: Out of memory.' >&2; exit 1", "not known  theorems/level_1_1.v: coqc was out of memory"),
        ("echo 'Fatal error: not enough memory' >&2; kill -ABRT $$", "theorems/level_1_1.v: coqc was out of memory"),
        ("exec sleep 60", "not known  theorems/level_1_1.v: coqc was stopped after 3 s"),
        ("echo 'Error: Cannot find a physical path bound to Interval' >&2; exit 1", "a library of Coq is missing"),
    ],
)
def test_a_failure_of_coq_is_no_refusal_and_changes_no_verdict(
    prove: Prove, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, act: str, words: str
) -> None:
    monkeypatch.setattr("rgm_verify.cli.judging.coq.SECONDS", 3)
    (tmp_path / "claims").mkdir()
    write_checks(tmp_path / "claims", coq={"p:square": "a"})
    found = prove(case="theorems/level_1_1.v", act=act, arguments=("--accept",))
    assert found.exit_code == 1
    assert words in found.stdout
    assert "0 theorems of Coq" in found.stdout
    assert "no verdict changes" in found.stdout
    assert read_checks(tmp_path / "claims").coq == {"p:square": "a"}
    assert json.loads((tmp_path / "claims" / "expected.json").read_text()) == {"verdicts": {"p:square": "proved"}}


def test_accepted_theorems_are_kept_for_reports_until_the_proof_is_another_one(prove: Prove, tmp_path: Path) -> None:
    assert prove(arguments=("--accept",)).exit_code == 0
    kept = read_checks(tmp_path / "claims")
    assert kept.theorem("p:square", SQUARE) == "a theorem"
    assert kept.theorem("p:square", {**SQUARE, "proof": []}) == kept.theorem("p:other", SQUARE) == ""
    # The other part of the record stays.
    write_checks(tmp_path / "claims", pages={"p:square": "a"})
    prove(case="theorems/level_1_1.v", act="exit 1", arguments=("--accept",))
    assert prove(arguments=("--accept", "p:*")).exit_code == 2
    assert read_checks(tmp_path / "claims").pages == {"p:square": "a"}


def test_a_broken_record_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"coq": []}')
    with pytest.raises(InputError, match=f"{FILE}: no record of second checks"):
        read_checks(tmp_path)


def test_a_refusal_names_the_theorem(prove: Prove) -> None:
    error = 'File "./theorems/level_1_1.v", line 11, characters 0-4:\\nError: no.'
    found = prove(case="theorems/level_1_1.v", act=f"printf '{error}' >&2; exit 1")
    assert "refused  theorems/level_1_1.v: p_square, line 11: Error: no." in found.stdout
    assert found.exit_code == 1


def test_a_theorem_about_a_refuted_claim_stops_everything(prove: Prove) -> None:
    found = prove(verdict="refuted")
    assert found.exit_code == 70
    assert "p:square: refuted, and Coq accepts a proof" in found.stderr


def test_another_axiom_is_named(prove: Prove) -> None:
    found = prove(axiom="Evil.axiom")
    assert found.exit_code == 1
    assert "axiom  Evil.axiom: a theorem rests on it" in found.stdout


@pytest.mark.parametrize(
    ("version", "words"),
    [("The Coq Proof Assistant, version 8.9.0", "version 8.16 or later"), ("none", "version 8.16")],
)
def test_an_old_coq_is_an_error_with_what_to_install(prove: Prove, version: str, words: str) -> None:
    found = prove(version=version)
    assert found.exit_code == 2
    assert words in found.stderr
    assert "apt-get install coq" in found.stderr


def test_a_missing_coq_is_an_error_with_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    found = CliRunner().invoke(main, ["prove", "--coq", str(tmp_path / "out")])
    assert found.exit_code == 2
    assert "coqc: no such program" in found.stderr


def test_a_folder_with_other_files_is_left_alone(prove: Prove, tmp_path: Path) -> None:
    mine = tmp_path / "out" / "pages" / "mine.v"
    mine.parent.mkdir(parents=True)
    mine.write_text("")
    found = prove()
    assert found.exit_code == 2
    assert "a new or empty folder" in found.stderr
    assert mine.exists()


def test_an_id_without_a_proof_is_an_error(prove: Prove) -> None:
    found = prove(arguments=("p:other",))
    assert found.exit_code == 2
    assert "id=p:other: no claim of this name has a proof" in found.stderr


# ------------------------------------------------------------------------------------------------ by hand

MINE = "(* proves: p:integral *)\nTheorem mine : True.\nProof. exact I. Qed.\n"
AGAINST = MINE.replace("proves", "refutes")


def test_theorems_by_hand_are_counted_apart_and_recorded_until_they_change(prove: Prove, tmp_path: Path) -> None:
    assert "1 theorem by hand, which stands for 1 claim\n" in prove(by_hand=MINE).stdout
    assert json.loads(prove(by_hand=MINE, arguments=("--json",)).stdout)["by hand"] == {
        "mine": {"proves": ["p:integral"]}
    }
    claims = tmp_path / "claims"
    assert recorded(claims, read_by_hand(claims)) == "The Coq Proof Assistant, version 8.16.1"
    (claims / "coq" / "Mine.v").write_text(MINE.replace("True", "1 = 1"))
    assert recorded(claims, read_by_hand(claims)) is None


def test_an_id_asks_for_theorems_by_hand_as_for_others(prove: Prove) -> None:
    assert "by hand" in prove(by_hand=MINE, arguments=("p:integral",)).stdout
    assert "by hand" not in prove(by_hand=MINE, arguments=("p:square",)).stdout


@pytest.mark.parametrize(("text", "verdict"), [(MINE, "refuted"), (AGAINST, "proved"), (AGAINST, "certified")])
def test_a_theorem_by_hand_against_a_verdict_stops_everything(prove: Prove, text: str, verdict: str) -> None:
    found = prove(by_hand=text, verdict=verdict)
    assert found.exit_code == 70
    assert "p:integral" in found.stderr


def test_a_theorem_by_hand_that_refutes_a_refuted_claim_is_welcome(prove: Prove) -> None:
    assert prove(by_hand=AGAINST, verdict="refuted").exit_code == 0


@pytest.mark.parametrize(
    ("more", "words", "stays"),
    [
        ({"case": "by_hand/Mine.v", "act": "echo no >&2; exit 1"}, "refused  by_hand/Mine.v", False),
        ({"axiom": "Mine.cheat"}, "axiom  Mine.cheat", False),
        ({"case": "by_hand/Mine.v", "act": "kill -9 $$"}, "not known  by_hand/Mine.v", True),
    ],
)
def test_a_refusal_takes_the_record_away_and_a_failure_does_not(
    prove: Prove, tmp_path: Path, more: dict[str, str], words: str, stays: bool
) -> None:
    prove(by_hand=MINE)
    shutil.rmtree(tmp_path / "out")
    found = prove(by_hand=MINE, **more)  # type: ignore[arg-type]
    assert found.exit_code == 1
    assert words in found.stdout
    assert (tmp_path / "claims" / "coq" / "accepted.json").exists() is stays


def test_a_theorem_by_hand_without_a_claim_is_an_error(prove: Prove) -> None:
    found = prove(by_hand=MINE[MINE.index("Theorem") :])
    assert found.exit_code == 2
    assert "theorem mine names no claim; (* proves: ID *) belongs above it" in found.stderr


def test_a_definition_whose_checks_were_off_counts_as_an_axiom() -> None:
    assert axioms("Axioms:\nmine : True\nloop is assumed to be guarded.\n  long type\n") == {"mine", "loop"}
    assert axioms("Closed under the global context\nAxioms:\nother\n  : nat\n") == {"other"}
