"""The record of the grade of accountants, how answers are judged, and the harness that asks."""

from __future__ import annotations

import importlib
import math
import sys
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from rgm_verify.claims.chapter import Table

WORKER = """
import sys, time
sys.path.insert(0, {folder!r})
from serve import Accountant, serve

def ask(found, run, at):
    print("noise of a package")
    if at == 0.25:
        while True:
            pass
    if at == 0.5:
        raise ValueError("no number")
    return found + at

serve({{"slow": Accountant("call", "upper bound", "none", lambda run: run["noise"], ask, (), ("gaussian",))}})
"""


def load(root: Path, name: str) -> ModuleType:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(root))
        return importlib.import_module(name)


@pytest.fixture(scope="module")
def data(root: Path) -> ModuleType:
    return load(root, "derivations.chapters.accountants_data")


@pytest.fixture(scope="module")
def chapter(root: Path) -> ModuleType:
    return load(root, "derivations.chapters.accountants")


@pytest.fixture(scope="module")
def grade(root: Path) -> ModuleType:
    return load(root, "benchmarks.accountants.grade")


@pytest.fixture(scope="module")
def questions(root: Path) -> ModuleType:
    return load(root, "benchmarks.accountants.questions")


def test_there_are_two_thousand_truths_and_none_twice(data: ModuleType) -> None:
    asked = [(*key(run), at) for run in data.truths().runs for at in run.at]
    assert len(asked) == len(set(asked)) >= 2000
    assert {run.kind for run in data.truths().runs} == {"gaussian", "sampled", "laplace", "rgm"}


def key(run: Any) -> tuple[Any, ...]:
    return run.kind, run.noise, run.steps, run.asks, run.rate, run.eta, run.dimension


def test_the_truths_are_intervals_in_order_and_those_of_closed_forms_are_found_again(
    data: ModuleType, questions: ModuleType
) -> None:
    for run in data.truths().runs:
        assert len(run.at) == len(run.lower) == len(run.upper) > 0
        assert all(0 < low <= high for low, high in zip(run.lower, run.upper, strict=True))
    gaussian = [run for run in data.truths().runs if run.kind == "gaussian"]
    for run in gaussian[::7]:
        again = questions.answer(run).run
        # Another version may be narrower, but not elsewhere.
        meets = zip(run.lower, run.upper, again.lower, again.upper, strict=True)
        assert all(max(a, c) <= min(b, d) for a, b, c, d in meets)


def test_every_accountant_has_answers_for_runs_that_there_are(data: ModuleType, grade: ModuleType) -> None:
    runs = data.truths().runs
    found = data.graded()
    assert {each.name for each in found} <= set(grade.ACCOUNTANTS)
    assert {"dp_accounting-pld", "prv_accountant", "opacus-prv", "opendp", "rgm_verify-handover"} <= {
        e.name for e in found
    }
    for each in found:
        for of_run in each.answers:
            assert len(of_run.above) == len(runs[of_run.run].at), each.name
        assert len({of_run.run for of_run in each.answers}) == len(each.answers)


def test_our_own_hand_over_is_never_short_and_answers_some(data: ModuleType, chapter: ModuleType) -> None:
    own = next(each for each in data.graded() if each.name == "rgm_verify-handover")
    rows = chapter.answers(own, data.truths().runs)
    assert sum(a.above is not None and math.isfinite(a.above) for a in rows) > 50
    assert not any(a.short for a in rows)


def test_every_accountant_that_is_unsafe_has_a_script_of_at_most_fifteen_lines(
    data: ModuleType, chapter: ModuleType, root: Path
) -> None:
    scripts = {path.stem: path.read_text(encoding="utf-8") for path in (root / "examples" / "accountants").glob("*.py")}
    assert all(len(text.splitlines()) <= 15 for text in scripts.values())
    for each in data.graded():
        rows = chapter.answers(each, data.truths().runs)
        unsafe = each.promise != data.ESTIMATE and any(a.short and a.relative > chapter.ROUNDING for a in rows)
        if unsafe:
            package = each.name.split("-")[0]
            assert any(stem.startswith(package) for stem in scripts), each.name


def answer(chapter: ModuleType, data: ModuleType, asks: str, above: float | None, below: float | None = None) -> Any:
    run = data.Run("gaussian", 1.0, 1, asks, (1e-5,))
    return chapter.Answer(run, 1e-5, Fraction(2), Fraction(3), above, below)


@pytest.mark.parametrize(
    ("asks", "above", "short"),
    [
        ("epsilon", 1.99, True),
        ("epsilon", 2.0, False),
        ("epsilon", 2.5, False),
        ("epsilon", math.inf, False),
        ("epsilon", None, False),
        ("delta", -1.0, True),
        ("beta", 3.01, True),
        ("beta", 3.0, False),
        ("beta", 1.0, False),
    ],
)
def test_an_answer_is_short_only_beyond_the_whole_interval(chapter, data, asks, above, short) -> None:
    assert answer(chapter, data, asks, above).short is short


def test_shortfalls_and_excesses_are_measured_from_the_nearer_end(chapter, data) -> None:
    low, high = answer(chapter, data, "epsilon", 1.5), answer(chapter, data, "epsilon", 4.5)
    assert (low.shortfall, low.relative, high.excess) == (Fraction(1, 2), Fraction(1, 4), Fraction(1, 2))
    assert answer(chapter, data, "beta", 4.5).relative == Fraction(1, 2)
    assert answer(chapter, data, "epsilon", 5.0, 3.5).overtaken
    assert not answer(chapter, data, "epsilon", 5.0, 3.0).overtaken


def test_the_chapter_names_every_accountant(data: ModuleType, chapter: ModuleType) -> None:
    tables = [block for block in chapter.build("quick") if isinstance(block, Table)]
    names = {row[0] for table in tables for row in table.rows}
    assert {each.name for each in data.graded()} <= names


@pytest.mark.parametrize(
    ("text", "up", "expected"),
    [("1.0000000000001", True, "1.00000000001"), ("1.0000000000001", False, "1.00000000000"), ("inf", True, "inf")],
)
def test_answers_are_rounded_to_their_safe_side(grade: ModuleType, text: str, up: bool, expected: str) -> None:
    assert grade.rounded(text, up=up) == expected


def test_a_worker_over_its_time_is_ended_and_started_again(grade, data, tmp_path, monkeypatch, root) -> None:
    folder = root / "benchmarks" / "accountants" / "workers"
    (tmp_path / "slow_worker.py").write_text(WORKER.format(folder=str(folder)), encoding="utf-8")
    monkeypatch.setattr(grade, "WORKERS", tmp_path)
    monkeypatch.setitem(grade.ACCOUNTANTS, "slow", "slow")
    worker = grade.Worker("slow", Path(sys.executable))
    one = data.Run("gaussian", 1.0, 1, "epsilon", (0.125, 0.5, 0.25, 0.125))
    found = grade.answers_of(worker, 7, one, 0.2)
    assert found.above == ("1.125", "", "", "")
    assert found.failed == ("ValueError: no number", grade.OVER_TIME, grade.AFTER)
    assert grade.answers_of(worker, 8, data.Run("gaussian", 2.0, 1, "epsilon", (0.125,)), 0.2).above == ("2.125",)
    worker.close()


def test_what_was_asked_is_kept_for_the_next_session(grade: ModuleType, data: ModuleType, tmp_path: Path) -> None:
    progress = grade.Progress(tmp_path / "kept.jsonl")
    progress.add(data.Answers(3, ("1.5",), seconds=0.5))
    progress.add(data.Answers(1, ("",), failed=("no",)))
    assert grade.Progress(tmp_path / "kept.jsonl").load().done == progress.done
