"""`show` where nothing was ever run: the report that comes along answers, and no claim is imported."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rgm_verify.claims.outcome.ledger_files import read_one
from rgm_verify.cli import main

Rgm = Callable[..., Result]
ROOT = Path(__file__).resolve().parents[3]
ASKED = """
import json, sys
from rgm_verify.cli import main
try:
    main(["show", sys.argv[1], *sys.argv[2:]], prog_name="rgm-verify")
except SystemExit as stop:
    assert not stop.code, stop.code
claims = [name for name in sys.modules if name.startswith("rgm_verify_claims")]
heavy = [name for name in ("rgm_verify.engine", "rgm_verify.lenses", "numpy", "scipy", "z3") if name in sys.modules]
print(json.dumps([claims, heavy]), file=sys.stderr)
"""


def asked(folder: Path, *words: str) -> tuple[str, list[list[str]]]:
    """Run `show` in a process of its own, and return its output, and the claims and heavy modules that it imported."""
    run = subprocess.run([sys.executable, "-c", ASKED, *words], cwd=folder, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout, json.loads(run.stderr.splitlines()[-1])


def test_a_fresh_clone_shows_a_claim_without_importing_one(tmp_path: Path) -> None:
    told, imported = asked(tmp_path, "rgm-v1:theorem-1")
    assert imported == [[], []]
    reported = read_one(ROOT / "reports" / "ledger", "rgm-v1:theorem-1")
    assert reported is not None
    (entry,) = reported.claims
    assert f"verdict: {entry.verdict}" in told
    assert entry.witness is not None
    assert entry.witness.snippet in told
    assert "printed (" in told
    assert "as reported with version" in told
    assert "rgm-verify run rgm-v1:theorem-1" in told
    # Nothing was judged, and so nothing is kept.
    assert list(tmp_path.iterdir()) == []


def test_a_program_gets_the_entry_of_the_report(tmp_path: Path) -> None:
    told, imported = asked(tmp_path, "rgm-v1:theorem-1", "--json")
    assert imported == [[], []]
    assert json.loads(told)["id"] == "rgm-v1:theorem-1"


@pytest.fixture
def rgm(empty_folder: Path) -> Rgm:
    """The command line in an empty folder, in this process."""
    (empty_folder / "own").mkdir()
    (empty_folder / "own" / "a.py").write_text(OWN)

    def call(*words: str) -> Result:
        return CliRunner().invoke(main, list(words))

    return call


OWN = """
from rgm_verify.pages import *
page = Page("own")
x = page.positive("x", "a number")
claim = page.inequality("own:claim", "A claim", ge(x + 1 / x, 2), by=Smt())
"""


def test_a_folder_that_was_judged_here_is_read_again_and_not_its_report(empty_folder: Path, rgm: Rgm) -> None:
    assert rgm("run", "--claims", "own", "--jobs", "1").exit_code == 0
    (empty_folder / "own" / "a.py").write_text(OWN.replace(", 2)", ", 1)"))
    # The report is of another statement, and whoever has run knows the difference.
    assert "another version of this statement" in asked(empty_folder, "own:claim", "--claims", "own")[0]
    assert "as reported" in asked(empty_folder, "own:claim", "--claims", "own", "--store", "none")[0]


def test_an_id_that_no_report_has_is_answered_by_ids_that_are_like_it(rgm: Rgm) -> None:
    result = rgm("show", "own:clam", "--claims", "own")
    assert result.exit_code == 2
    assert "own:claim" in result.stderr
