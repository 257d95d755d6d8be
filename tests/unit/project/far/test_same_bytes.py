"""Text of chapters depends on no kernels that a processor chooses, and a report keeps the versions that it names."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest

from rgm_verify.claims.outcome.ledger import FORMAT, Ledger
from rgm_verify.claims.outcome.ledger_files import FOLDER, INDEX, encode_files, read_ledger
from rgm_verify.engine.outcome.made_with import as_first_found
from rgm_verify.report.files import replace_files

ROOT = Path(__file__).resolve().parents[4]
PROGRAM = ROOT / "tests" / "same_bytes" / "chapters.py"
CHAPTERS = ("gradient-descent", "relative-sensitivity")
PRODUCT = (
    "import numpy as n; a = n.random.default_rng(1).normal(size=(64, 64)); print((a @ a @ n.exp(a[0])).tobytes().hex())"
)


def kernels() -> dict[str, dict[str, str]]:
    """Environments in which this machine computes as others do: the linear algebra, NumPy's loops, the C library."""
    dispatched = " ".join(np._core._multiarray_umath.__cpu_dispatch__) if hasattr(np, "_core") else ""
    plain = {"NPY_DISABLE_CPU_FEATURES": dispatched} if dispatched else {}
    return {
        "haswell": {"OPENBLAS_CORETYPE": "Haswell"},
        "nothing newer than SSE": {
            "OPENBLAS_CORETYPE": "Prescott",
            "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA",
            **plain,
        },
    }


def run(environment: dict[str, str], *arguments: str) -> str:
    """The output of Python in a process of its own with these variables besides."""
    paths = {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    # NumPy says for which of the named features it was not built: no warning of ours.
    command = [sys.executable, "-W", "ignore", *arguments]
    done = subprocess.run(command, env={**os.environ, **paths, **environment}, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_is_the_same_with_the_kernels_of_other_processors(chapter: str, tmp_path: Path) -> None:
    if len({run(environment, "-c", PRODUCT) for environment in ({}, *kernels().values())}) == 1:
        pytest.skip("this linear algebra has one kernel: nothing would differ")
    files = []
    for name, environment in {"here": {}, **kernels()}.items():
        files.append(tmp_path / f"{name}.json")
        run(environment, str(PROGRAM), "write", str(files[-1]), chapter)
    assert run({}, str(PROGRAM), "compare", *map(str, files)) == ""


#: The order of ties in NumPy's default sort, and counterexamples found among rows of which many tie.
TIES = "import numpy as n; print(n.argsort(n.tile([0.0, 1.0], 1000)).tolist())"
COUNTEREXAMPLES = """
from rgm_verify.claims import Claim, Hypothesis, ge, le, positive
from rgm_verify.lenses.base import Context
from rgm_verify.lenses.points.search import find

variables = tuple(positive(name) for name in "abcdefgh")
a, b, c, d, e, f, g, h = (v.symbol for v in variables)
given = (Hypothesis("first", le(a * b, 2 * c * d)), Hypothesis("second", ge(e * f, g * h)))
about = {"title": "t", "source": "s", "where": "w", "kind": "k", "variables": variables}
claim = Claim(id="t:c", conclusion=le(a * b, c * d), hypotheses=given, **about)
for seed in range(16):
    print(find(claim, Context(seed=seed), wanted=False, purpose="p").describe())
"""


@pytest.mark.slow
def test_a_counterexample_is_the_same_with_the_instructions_of_other_processors() -> None:
    environments = ({}, *kernels().values())
    if len({run(environment, "-c", TIES) for environment in environments}) == 1:
        pytest.skip("this NumPy sorts ties in one order: nothing would differ")
    assert len({run(environment, "-c", COUNTEREXAMPLES) for environment in environments}) == 1


def test_a_line_that_differs_is_named(tmp_path: Path) -> None:
    for name, text in (("a", "1\n2\n"), ("b", "1\n3\n"), ("c", "1\n2\n")):
        (tmp_path / name).write_text(text)
    command = [sys.executable, str(PROGRAM), "compare", "a", "c", "b"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "a:2: 2\nb:2: 3\n")


# -------------------------------------------------------------------------------------------------------- versions


@pytest.fixture
def ledger() -> Ledger:
    versions = {"numpy": "2.4"}
    return Ledger(format=FORMAT, title="A paper", profile="quick", versions=versions, counts={}, claims=[], entries=[])


def test_what_was_found_before_keeps_the_versions_that_it_was_first_found_with(ledger: Ledger, tmp_path: Path) -> None:
    replace_files(tmp_path, encode_files(ledger))
    newer = msgspec.structs.replace(ledger, versions={"numpy": "9.9", "scipy": "1.0"})
    assert as_first_found(newer, tmp_path) == ledger


def test_what_is_new_names_the_versions_of_its_own_run(ledger: Ledger, tmp_path: Path) -> None:
    replace_files(tmp_path, encode_files(ledger))
    newer = msgspec.structs.replace(ledger, versions={"numpy": "9.9"}, profile="full")
    assert as_first_found(newer, tmp_path) == newer


@pytest.mark.parametrize("content", [None, b"", b"\xff{}", b'{"format": "rgm-verify ledger 0"}'])
def test_where_no_ledger_can_be_read_there_are_no_versions_to_keep(content, ledger: Ledger, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / INDEX).write_bytes(content)
    assert as_first_found(ledger, tmp_path) == ledger


def test_the_committed_ledger_is_kept_by_a_run_with_other_versions() -> None:
    path = ROOT / "reports" / FOLDER
    found = read_ledger(path)
    again = msgspec.structs.replace(found, versions=dict.fromkeys(found.versions, "0"))
    assert as_first_found(again, path) == found
