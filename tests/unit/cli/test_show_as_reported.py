"""`show` where nothing was ever run: the report that comes along answers, and no claim is imported."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
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
    code = stop.code or 0
claims = [name for name in sys.modules if name.startswith("rgm_verify_claims")]
heavy = [name for name in ("rgm_verify.engine", "rgm_verify.lenses", "numpy", "scipy", "z3") if name in sys.modules]
print(json.dumps([claims, heavy]), file=sys.stderr)
sys.exit(code)
"""


def asked(folder: Path, *words: str, code: int = 0) -> tuple[str, list[list[str]]]:
    """Run `show` in a process of its own, and return its output, and the claims and heavy modules that it imported.

    Of an answer that is an error, the message is returned.
    """
    run = subprocess.run([sys.executable, "-c", ASKED, *words], cwd=folder, capture_output=True, text=True)
    assert run.returncode == code, run.stderr
    *said, imported = run.stderr.splitlines()
    return run.stdout or "\n".join(said), json.loads(imported)


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


def test_in_a_fresh_clone_an_unknown_id_is_answered_by_near_ones_without_importing_a_claim(tmp_path: Path) -> None:
    told, imported = asked(tmp_path, "rgm-v1:theorem-11", code=2)
    assert imported == [[], []]
    assert "no such claim; did you mean rgm-v1:theorem-1 or" in told


def test_a_claim_that_was_written_since_the_report_is_found(empty_folder: Path, rgm: Rgm) -> None:
    assert rgm("run", "--claims", "own", "--jobs", "1").exit_code == 0
    (empty_folder / "own" / "b.py").write_text(OWN.replace("own:claim", "own:later"))
    assert rgm("show", "own:later", "--claims", "own", "--store", "none").exit_code == 0
    missing = rgm("show", "own:lately", "--claims", "own", "--store", "nowhere")
    assert missing.exit_code == 2
    assert "did you mean own:claim" in missing.stderr


@pytest.mark.parametrize("command", ["show", "run", "prove"])
def test_a_shell_completes_ids_from_the_report(command: str, empty_folder: Path) -> None:
    shutil.copytree(ROOT / "reports" / "ledger", empty_folder / "reports-mine" / "ledger")
    complete = ShellComplete(main, {}, "rgm-verify", "_RGM_VERIFY_COMPLETE")
    found = [item.value for item in complete.get_completions([command], "rgm-v1:theorem")]
    assert found == ["rgm-v1:theorem-1", "rgm-v1:theorem-1-order-1"]
    assert len(complete.get_completions([command, "--claims", "mine"], "slides:")) > 50
    assert complete.get_completions([command, "--claims", "nowhere"], "o") == []


def test_an_id_that_no_report_has_is_answered_by_ids_that_are_like_it(rgm: Rgm) -> None:
    result = rgm("show", "own:clam", "--claims", "own")
    assert result.exit_code == 2
    assert "own:claim" in result.stderr
