"""The command `check`: where statements come from, what is printed, and how it ends."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rgm_verify.cli import main
from rgm_verify.statements import checking
from rgm_verify.statements.answer import Answer


def check(*arguments: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, ["check", *arguments], input=stdin)


def test_a_true_statement_ends_with_0_and_says_what_checked_it() -> None:
    result = check("x + 1/x >= 2 for x > 0")
    assert result.exit_code == 0
    assert result.stdout.startswith("proved: for all x > 0: x + 1/x >= 2\n")
    assert "0 <= (x - 1)^2" in result.stdout
    assert "checked by: kernel" in result.stdout


@pytest.mark.parametrize("statement", ["log(1 + x^2) >= x", "x^2 < 0", "2 = 3"])
def test_a_false_statement_ends_with_1_and_python_to_paste(statement: str) -> None:
    result = check(statement)
    assert result.exit_code == 1
    assert result.stdout.startswith("refuted: ")
    assert "print(lhs, rhs, " in result.stdout


def test_a_term_without_a_value_is_a_counterexample_to_paste() -> None:
    result = check("log(x) <= x - 1")
    assert result.exit_code == 1
    assert result.stdout.startswith("refuted: ")
    # The whole check runs anew in Python: it takes no name that is not imported.
    snippet = "\n".join(line.strip() for line in result.stdout.splitlines() if line.startswith("    "))
    assert "log(x) has no real value where this is True" in snippet
    shown = subprocess.run([sys.executable, "-c", snippet], capture_output=True, text=True, check=True).stdout
    assert shown.split()[-1] == "True"


def test_a_statement_may_begin_with_a_minus_sign() -> None:
    for statement in ("-x^2 <= 0", "-1<0", "-h <= |h|"):
        result = check(statement)
        assert result.exit_code == 0, result.output


def test_statements_come_from_the_line_standard_input_and_a_file_in_this_order(tmp_path: Path) -> None:
    file = tmp_path / "claims.txt"
    file.write_text("\ufeff# of a paper\n\n  1 < 2  # behind\nx^2 ≥ 0\n", encoding="utf-8")
    result = check("0 < 1", "-", "--file", str(file), "--json", stdin="3 > 2\n\n# nothing\n2 = 2")
    assert result.exit_code == 0
    found = [(a["place"], a["statement"], a["verdict"]) for a in json.loads(result.stdout)["answers"]]
    assert found == [
        ("", "0 < 1", "proved"),
        ("standard input:1", "3 > 2", "proved"),
        ("standard input:4", "2 = 2", "proved"),
        (f"{file}:3", "1 < 2", "proved"),
        (f"{file}:4", "x^2 ≥ 0", "proved"),
    ]


def test_one_statement_that_is_not_shown_is_enough_for_1() -> None:
    result = check("0 < 1", "1 < 0", "1 < 2")
    assert result.exit_code == 1
    assert [line.split(":")[0] for line in result.stdout.splitlines() if line[:1].isalpha()] == [
        "proved", "refuted", "proved",
    ]  # fmt: skip
    assert "proved: 0 < 1  [checked by: kernel]\nrefuted: " in result.stdout


def test_json_has_the_counterexample(tmp_path: Path) -> None:
    (answer,) = json.loads(check("x^2 > x for x > 0", "--json").stdout)["answers"]
    assert answer["verdict"] == "refuted"
    assert set(answer["counterexample"]) == {"values", "margin", "relation", "python"}
    assert answer["counterexample"]["values"].keys() == {"x"}
    assert len(answer["interval"]) == 2


def test_a_faulty_line_is_reported_by_itself_and_the_others_are_judged(tmp_path: Path) -> None:
    file = tmp_path / "faulty"
    file.write_bytes(b"1 < 2\r\nx < y +\r\n\r\n2xy <= x^2 + y^2\r\nmax x > 0\n\xff > 1\nx\x00 > 1\n2 < 3\n")
    result = check("--file", str(file))
    assert result.exit_code == 2
    assert [line.partition(":")[2].split(":")[:2] for line in result.stdout.splitlines()] == [
        ["1", " proved"], ["8", " proved"],
    ]  # fmt: skip
    for place in ("2: column 8: ", "4: column 2: ", "5: column 1: ", "6: byte 1 is no UTF-8", "7: column 2: "):
        assert f"{file}:{place}" in result.stderr
    assert "       ^" in result.stderr
    answers = json.loads(check("--file", str(file), "--json").stdout)["answers"]
    assert [a["kind"] for a in answers] == [
        "answer", "not read", "doubtful", "not read", "not read", "not read", "answer",
    ]  # fmt: skip
    assert [a["place"].rpartition(":")[2] for a in answers] == ["1", "2", "4", "5", "6", "7", "8"]
    assert all(("verdict" in a) is (a["kind"] == "answer") for a in answers)


def test_a_fault_of_the_program_costs_one_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = checking.run_claim

    def broken(claim: Any, context: Any) -> Any:
        if claim.variables:
            raise ZeroDivisionError("a fault")
        return judged(claim, context)

    monkeypatch.setattr(checking, "run_claim", broken)
    result = check("1 < 2", "x^2 >= 0", "x <", "2 < 1", "--json")
    assert result.exit_code == 70
    answers = json.loads(result.stdout)["answers"]
    assert [a["kind"] for a in answers] == ["answer", "internal error", "not read", "answer"]
    assert "ZeroDivisionError: a fault" in answers[1]["reason"]
    monkeypatch.setattr(Answer, "lines", lambda self: (_ for _ in ()).throw(KeyError("lost")))
    result = check("1 < 2", "x <")
    assert result.exit_code == 70
    assert "internal error (KeyError: 'lost')" in result.stderr
    assert "column 4" in result.stderr
    assert "Traceback" not in result.output


def test_a_line_that_cannot_be_judged_is_named(tmp_path: Path) -> None:
    result = check("-", stdin="x > 1 for x > 2 and x < 1")
    assert result.exit_code == 2
    assert "standard input:1: column 11: " in result.stderr


@pytest.mark.parametrize(
    ("arguments", "stdin", "says"),
    [
        ((), None, "no statement: give one"),
        (("-",), "# nothing\n", "no statement"),
        (("-",), b"\xff\xfe", "standard input:1: byte 1 is no UTF-8 text"),
        (("-",), "1" * 1_000_001, "more than 1000000 bytes"),
        (("--file", "missing.txt"), None, "--file='missing.txt': it cannot be read"),
        (("--file", "."), None, "cannot be read"),
        (("x +",), None, "column 4"),
    ],
)
def test_bad_input_ends_with_2_and_a_message(
    empty_folder: Path, arguments: tuple[str, ...], stdin: str | bytes | None, says: str
) -> None:
    result = check(*arguments, stdin=stdin)
    assert result.exit_code == 2
    assert says in result.stderr
    assert "Traceback" not in result.stderr


def test_the_help_has_the_grammar() -> None:
    result = check("--help")
    for word in ("statement   =", "given       =", "Exit codes", "0.1 is 1/10"):
        assert word in result.stdout
