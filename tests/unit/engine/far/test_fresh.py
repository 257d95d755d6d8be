"""A run that keeps what is unchanged and a run that judges everything say the same."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rgm_verify.engine.discovery import load
from rgm_verify.engine.keys import Keys
from rgm_verify.jobs.fingerprint import LIBRARY

OWN = Path(__file__).resolve().parents[3] / "far" / "corpus" / "own"


def run(claims: Path, store: Path, out: Path, *options: str) -> str:
    command = [sys.executable, "-m", "rgm_verify", "run", "--claims", str(claims), "--store", str(store)]
    done = subprocess.run([*command, "--out", str(out), *options], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def contents(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.mark.slow
def test_a_fresh_run_writes_the_bytes_of_runs_that_keep_what_is_unchanged(tmp_path: Path) -> None:
    claims, store = tmp_path / "claims", tmp_path / "store"
    claims.mkdir()
    shutil.copy(OWN / "known.py", claims)
    shutil.copy(OWN / "own_06_integers.py", claims)
    assert "(0 unchanged)" in run(claims, store, tmp_path / "kept")
    shutil.copy(OWN / "own_07_posed.py", claims)
    assert "(0 unchanged)" not in run(claims, store, tmp_path / "kept")
    assert "(0 unchanged)" in run(claims, store, tmp_path / "fresh", "--fresh")
    # Pages also tell what has changed since the last report, and there is none before the second one.
    kept, fresh = contents(tmp_path / "kept" / "ledger"), contents(tmp_path / "fresh" / "ledger")
    assert len(kept) >= 3
    assert kept == fresh


@pytest.mark.slow
def test_the_committed_claims_of_data_do_not_depend_on_the_files_beside_them() -> None:
    paper = load(LIBRARY.parent / "derivations")
    found = Keys(paper, "quick")
    with_code = {i for i, claim in paper.claims.items() if found._foreign_code(claim)}
    lenses = {"exact worlds", "simulation"}
    held = {i for i, claim in paper.claims.items() if {c.name for c in claim.checks} & lenses}
    held |= {i for i, claim in paper.claims.items() if any(getattr(c, "cases", None) for c in claim.checks)}
    assert with_code == held
