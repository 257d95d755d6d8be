"""The search for proofs counts its work: the same task has the same outcome on every machine, however busy it is."""

from __future__ import annotations

import ast
import dataclasses
from pathlib import Path
from typing import Any

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

import rgm_verify.prover
from rgm_verify.claims.outcome.verdict import Verdict
from rgm_verify.claims.written.trees import statement_tree
from rgm_verify.engine.proofs import Task
from rgm_verify.engine.run import OutOfTime
from rgm_verify.kernel.check import check as kernel_check
from rgm_verify.prover.budget import PATIENCE, PER_SECOND, Budget, GivenUp
from rgm_verify.prover.work import search
from rgm_verify.statements import checking
from rgm_verify.statements.checking import read

STATEMENTS = [
    "x + 1/x >= 2 for x > 0",
    "p*log(p/q) >= p - q for p > 0, q > 0",
    "x^3 + y^3 + z^3 >= 3*x*y*z for x, y, z >= 0",
    "rho*a + L/(a - 1) >= rho + 2*sqrt(rho*L) for a > 1 given rho, L >= 0",
    "2*sqrt(x*y)/(x + y) <= 1 for x, y > 0",
]
CLOCKS = {"time", "process_time", "perf_counter", "monotonic", "thread_time", "getrusage", "datetime", "setitimer"}


def task(statement: str) -> dict[str, Any]:
    claim = read(statement)[1].claim
    return dataclasses.asdict(Task(claim.id, statement_tree(claim, binders=True), {}, ()))


def test_no_clock_is_read() -> None:
    folder = Path(rgm_verify.prover.__file__).parent
    files = sorted(folder.rglob("*.py"))
    assert len(files) >= 5
    for file in files:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
        names |= {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
        names |= {a.name.partition(".")[0] for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
        names |= {n.module.partition(".")[0] for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.module}
        assert not names & CLOCKS, file.name
        words = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)]
        assert "time_limit" not in words, file.name


@pytest.mark.parametrize("statement", STATEMENTS)
def test_what_is_enough_is_enough_again_and_gives_the_same_proof(statement: str) -> None:
    first, again = (search(task(statement), PER_SECOND) for _ in range(2))
    assert first["proof"] is not None
    assert first == again
    kernel_check(first["proof"])
    assert 0 < first["spent"] <= PER_SECOND


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(STATEMENTS), st.integers(0, 30_000))
def test_a_search_ends_at_the_same_place_whatever_its_budget_is(statement: str, work: int) -> None:
    first, again = (search(task(statement), work) for _ in range(2))
    assert first == again
    if first["proof"] is None:
        assert first["reason"]
    else:
        kernel_check(first["proof"])


def test_a_budget_that_is_spent_says_so() -> None:
    found = search(task(STATEMENTS[3]), 1)
    assert found["proof"] is None
    assert found["reason"] == "the work is done that the search may do: 1 units"
    assert not found["too_slow"]


def test_each_kind_of_work_is_counted_and_ends_the_search() -> None:
    spending = [
        lambda b: b.arithmetic(10**7),
        lambda b: [b.step() for _ in range(10**5)],
        lambda b: b.factors(10**6),
        lambda b: b.question(10**8),
        lambda b: b.entries(10**6),
        lambda b: b.program(10**5, 10**5),
        lambda b: b.semidefinite(10**4, 10**3, 60),
    ]
    for spend in spending:
        budget = Budget(PER_SECOND)
        budget.check()
        spend(budget)
        assert budget.over
        assert budget.left == 0
        with pytest.raises(GivenUp, match="the work is done"):
            budget.check()
        assert budget.z3_steps(100) == budget.pivots(10, 100) == 1


def test_a_question_that_the_clock_ended_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    monkeypatch.setattr(z3.Solver, "set", lambda self, name, value: seen.append(value) if name == "timeout" else None)
    monkeypatch.setattr(z3.Solver, "check", lambda self, *_: z3.unknown)
    monkeypatch.setattr(z3.Solver, "reason_unknown", lambda self: "timeout")
    found = search(task(STATEMENTS[2]), PER_SECOND)
    assert seen == [1000 * PATIENCE]
    assert found["proof"] is None
    assert found["too_slow"]
    assert "out of time: z3 took more than" in found["reason"]


@pytest.mark.parametrize("how", ["raises", "returns"])
def test_an_answer_says_where_the_clock_ended_the_search(monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    def slow(*_: object) -> dict[str, Any]:
        if how == "raises":
            raise OutOfTime("time-out: not done within 60 s of processor time")
        return {"proof": None, "reason": "out of time: z3 took long", "spent": 1, "too_slow": True}

    monkeypatch.setattr(checking, "search", slow)
    answer = checking.check(STATEMENTS[0])
    assert answer.verdict is Verdict.PROVED
    assert "kernel" not in answer.checked_by
    assert any("the search for a proof for the kernel" in e.summary for e in answer.record.evidence)
