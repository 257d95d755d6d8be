"""Definitions of an author's own, and several statements in one text."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from rgm_verify import check
from rgm_verify.claims.outcome.verdict import Verdict
from rgm_verify.cli import main
from rgm_verify.statements.checking import read
from rgm_verify.statements.parser import parse
from rgm_verify.statements.several import defines, several
from rgm_verify.statements.tokens import StatementError
from rgm_verify.statements.trees import text

KL = "p*log(p/q) + (1 - p)*log((1 - p)/(1 - q))"
READ = {
    f"let kl(p, q) = {KL}; kl(p, q) >= 0 for p, q > 0": f"for all p > 0, q > 0: {KL} >= 0",
    f"kl(p, q) >= 0 for p, q > 0 where kl(p, q) = {KL}": f"for all p > 0, q > 0: {KL} >= 0",
    f"kl(p, q) >= 0, where kl(p, q) = {KL}, for p, q > 0.": f"for all p > 0, q > 0: {KL} >= 0",
    "let f(p, q) = p/q; f(q, p) > 0 for p, q > 0": "for all p > 0, q > 0: q/p > 0",
    "Let f(x) = x(1-x). Then f(a) <= 1/4 for a in [0, 1].": "for all a in [0, 1]: a*(1 - a) <= 1/4",
    "let f(x) = x^2, g(x) = f(x) + 1; g(f(y)) > 0": "(y^2)^2 + 1 > 0",
    # A definition is one thing where it stands: signs before and behind do not reach into it.
    "let f(x) = x - 1; a - f(a) = 1": "a - (a - 1) = 1",
    "let f(x) = 1/x; 2/f(x) = 2x for x > 0": "for all x > 0: 2/(1/x) = 2*x",
    "let f(x) = -x; 2^f(x) = f(x)^2": "2^(-x) = (-x)^2",
    "let f(x) = x + 1; 2f(x)(x+1) > f(x)! for x real": "for all x real: 2*(x + 1)*(x + 1) > factorial(x + 1)",
    "let c = 1/2; x > c for x > 1": "for all x > 1: x > 1/2",
    "let c = 1/2, x > c. Then 2x > 1": "for all c = 1/2, x > c: 2*x > 1",
    "let f(x) = a*x; let a > 0. f(2) > a": "for all a > 0: a*2 > a",
}

REFUSED = {
    "let f(x) = sum(k, 1, 3, k*x); f(k) > 0 for k > 0": "k is bound",
    "let f(x) = a*x; sum(a, 1, 3, f(a)) > 0": "a is bound",
    "let f(k) = sum(k, 1, 3, k) + k; f(1) > 0": "a sum or an integral over a name",
    "let f(x, y) = x; f(1, 1/0) = 1": "y does not occur",
    "let f(x) = f(x) + 1; f(1) > 0": "defined by itself",
    "let f(x, x) = 2*x; f(1, 1) > 0": "that is new",
    "let log(x) = x; log(2) = 2": "known already",
    "let f(x) = x; f(1, 2) > 0": "1 argument, not 2",
    "let f(x) = x; f > 0": "in parentheses",
    "let x = 3; x^2 = 9 for x > 0": "no variable",
    "let f(x) = x*x*x*x*x*x*x*x; f(f(f(f(f(x))))) > 0": "too large",
    "let f(x) = 1 + 1/(1 + 1/(1 + 1/(1 + 1/x))); f(f(f(f(x)))) > 0": "deep",
}


@pytest.mark.parametrize("written", READ)
def test_what_is_defined_is_put_in_its_place(written: str) -> None:
    assert text(parse(written)) == READ[written]
    assert parse(READ[written]) == parse(written)
    assert any("stands for" in note for note in read(written)[1].notes) or "c = 1/2, x" in written


@pytest.mark.parametrize("written", REFUSED)
def test_no_letter_is_caught_and_nothing_gets_lost(written: str) -> None:
    with pytest.raises(StatementError) as refused:
        read(written)
    assert REFUSED[written] in refused.value.problem


def test_a_definition_without_a_value_is_no_proof() -> None:
    assert check("let f(x) = x/x; f(x) = 1").verdict is Verdict.REFUTED
    assert check("let f(x) = x^2; f(x) = x*x").verdict is Verdict.PROVED


def test_statements_behind_each_other_are_judged_each_by_itself() -> None:
    whole = "let f(x) = x^2; f(2) = 4; f(3) = 8. Let y > 0. Then f(y) > 0. y > 1"
    parts = several(whole)
    assert [text(parse(part)) for part in parts] == [
        "2^2 = 4", "3^2 = 8", "for all y > 0: y^2 > 0", "for all y > 0: y > 1",
    ]  # fmt: skip
    assert all(part.rstrip() == part and whole[len(part) - 1] in (part[-1], ".") for part in parts)
    assert several("x < 1 +; $") == ["x < 1 +; $"]
    shown = CliRunner().invoke(main, ["check", whole])
    assert [line.split(":")[0] for line in shown.stdout.splitlines() if line[0] not in " "] == [
        "proved", "refuted", "proved", "refuted",
    ]  # fmt: skip
    assert shown.exit_code == 1


def test_definitions_of_a_file_count_for_the_lines_behind_them(tmp_path: Path) -> None:
    file = tmp_path / "bounds.txt"
    file.write_text("f(1) = 1\nlet f(x) = x^2  # squares\nf(2) = 4\nlet g(x) = f(x) + 1.\ng(1) = 2\n")
    shown = CliRunner().invoke(main, ["check", "--file", str(file)])
    assert [line.split(": ")[1] for line in shown.stdout.splitlines() if "bounds" in line] == ["proved", "proved"]
    assert "no function that is known" in shown.stderr
    assert not defines("let x > 0")
