"""Counterexamples are run in a fresh interpreter before they refute: one that does not fail is none."""

from __future__ import annotations

import pytest

from rgm_verify import check
from rgm_verify.claims.outcome import record
from rgm_verify.jobs.pasted import pasted, problems_when_run


@pytest.mark.parametrize(
    ("snippet", "problem"),
    [
        ("print(1, 2, 1 < 2)\n", ""),
        ("print(2, 1, 2 < 1)\n", "it prints 2 1 False"),
        ("print(True\n", "it raises SyntaxError"),
        ("print(unknown)\n", "it raises NameError"),
        ("raise SystemExit(0)\n", "it raises SystemExit"),
        ("while True: pass\n", "it does not end"),
        ("x = bytearray(1 << 40)\nprint(True)\n", "it raises MemoryError"),
        (pasted({"x": "1/4"}, ["x**2", "<", "x"]), ""),
        (pasted({"x": "1/4"}, ["Fraction(1, 2)*x", "<", "x"]), ""),
        (pasted({"x": "1/4"}, ["x**2", ">", "x"]), "it prints 0.0625 0.25 False"),
        (pasted({}, ["[1, 2]"]), ""),
    ],
)
def test_a_text_shows_its_failure_or_what_is_wrong_with_it_is_said(
    snippet: str, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rgm_verify.jobs.pasted._SECONDS", 2)
    first, found, last = problems_when_run(["print(True)", snippet, "print(True)"])
    assert first == ""
    assert found.startswith(problem)
    assert (found == "") == (problem == "")
    # One text that fails takes nothing from the others, but for one that never ends.
    assert (last == "") == ("does not end" not in problem)


@pytest.mark.parametrize("statement", ["x^2 >= x", "x/x = 1", "1/0 = 1", "exp(x) >= 1 + x + x^2/2", "1 + 1 = 3"])
def test_a_counterexample_that_does_not_fail_when_it_is_run_refutes_nothing(
    statement: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert check(statement).verdict.value == "refuted"
    monkeypatch.setattr(record, "snippet", lambda *_, **__: "print(0, 0, False)\n")
    answer = check(statement)
    assert answer.verdict.value == "undecided"
    assert answer.counterexample is None
    assert "ALARM: a counterexample does not fail when its Python is run" in str(answer)


@pytest.mark.parametrize(
    "statement",
    [
        "(x^2 - 2)^2 > 0 for x real", "x^2 != 2 for x real", "(x^3 - 7)^2 > 0 for x > 0", "|exp(x) - 5| > 0 for x real",
        "10^30*x^2 != 2*10^30 for x > 0", "1/(x^2 - 2) > -1/10 for x real",
        "exp(1) > 2.7182818284590452353602874713526624977572470936999595749669676277240766303536 for x real",
    ],
)  # fmt: skip
def test_a_statement_that_fails_at_an_irrational_point_alone_is_refuted(statement: str) -> None:
    answer = check(statement)
    assert (answer.verdict.value, answer.alarm) == ("refuted", "")
    assert "ALARM" not in "".join(answer.lines())
