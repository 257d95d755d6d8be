"""Whole runs: two workers against one, and a second run against the first; the command as a user starts it."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

COMMAND = Path(sys.executable).with_name("rgm-verify")
#: The claims for two workers: equal, independent, and long enough that starting the workers does not count.
CLAIMS = 96
TEXT = """
from sympy import log
from rgm_verify.claims import Claim, Mutant, ge, le, positive
from rgm_verify.lenses import Monotone

X, Y = positive("x"), positive("y")
x, y = X.symbol, Y.symbol
CLAIMS = [
    Claim(
        id=f"bench:log-{n}", title="log", source="bench", where="here", kind="inequality", variables=(X, Y),
        conclusion=le(log(1 + x) + log(1 + y), x + y + x**2 * y**2 / (n + 1)),
        checks=(Monotone(x, 0, order=1),),
        mutants=(Mutant("half", le(log(1 + x) + log(1 + y), (x + y) / 2)), Mutant("direction", ge(log(1 + x), x))),
    )
    for n in range(%d)
]
"""


def run(folder: Path, store: Path, *words: str) -> dict[str, object]:
    """Run the command on a folder of claims and return what it prints as JSON."""
    options = ["--claims", folder, "--store", store, "--out", store / "report", "--json", *words]
    done = subprocess.run([COMMAND, "run", *map(str, options)], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


def seconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "claims"
    place.mkdir()
    (place / "many.py").write_text(TEXT % CLAIMS)
    return place


def test_two_workers_against_one(folder: Path, tmp_path: Path, report: Callable[..., None]) -> None:
    rounds = [
        [seconds(lambda j=jobs, i=i: run(folder, tmp_path / f"{j}-{i}", "--jobs", str(j))) for jobs in (1, 2)]
        for i in range(2)
    ]
    speedup = statistics.median(one / two for one, two in rounds)
    report("one worker / two workers on the same claims", speedup, target=1.7, relation=">=")


def test_an_unchanged_run_against_the_first(folder: Path, tmp_path: Path, report: Callable[..., None]) -> None:
    first = seconds(lambda: run(folder, tmp_path / "store", "--jobs", "2"))
    second = [seconds(lambda: run(folder, tmp_path / "store", "--jobs", "2")) for _ in range(3)]
    assert run(folder, tmp_path / "store")["fresh"] == CLAIMS
    report("unchanged run / first run (small folder)", statistics.median(second) / first, target=0.5)


def test_the_whole_paper_in_the_quick_profile(tmp_path: Path, report: Callable[..., None]) -> None:
    """Minutes for all claims with two workers, and seconds for the run after it: the two numbers that have a unit."""
    options = ["--store", str(tmp_path / "store"), "--out", str(tmp_path / "report"), "--jobs", "2"]

    def whole() -> None:
        subprocess.run([COMMAND, "run", *options], check=True, capture_output=True)

    report("minutes for every claim, quick profile, two workers", seconds(whole) / 60, target=5.0)
    report("seconds for the same run again", seconds(whole), target=10.0)
