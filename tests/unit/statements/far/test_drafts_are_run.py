"""Folders of drafts in whole runs, and archives that unpack to more than a paper."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rgm_verify.cli import main
from rgm_verify.errors import InputError
from rgm_verify.statements.papers.folder import draft_folder

PAPER = r"""\newcommand{\eps}{\varepsilon}
\begin{theorem} Let $x>0$ and $\eps\in(0,1)$. Put $\rho = 1-\eps^2$. Then
\[ \rho\log(1+x)\le x, \]
\begin{align} x^2 &\ge 0 \\ x+1 &\ge x \end{align}
\end{theorem}
"""


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    (tmp_path / "paper.tex").write_text(PAPER, encoding="utf-8")
    return tmp_path / "paper.tex"


def run(*arguments: str) -> Any:
    return CliRunner().invoke(main, list(arguments))


def test_nothing_has_a_verdict_before_its_symbols_are_confirmed(paper: Path, tmp_path: Path) -> None:
    out, report = tmp_path / "out", str(tmp_path / "report")
    draft_folder(paper, out)
    arguments = ("run", "--claims", str(out), "--out", report, "--store", str(tmp_path / "store"), "--jobs", "1")
    done = run(*arguments)
    assert done.exit_code == 2
    assert "not confirmed" in done.output
    assert "proved" not in done.output
    text = (out / "theorem_1.py").read_text(encoding="utf-8")
    # One symbol alone is not enough for what uses two.
    (out / "theorem_1.py").write_text(
        text.replace('"x > 0", confirmed=False', '"x > 0", confirmed=True'), encoding="utf-8"
    )
    done = run(*arguments)
    assert done.exit_code == 2
    assert "epsilon are not confirmed" in done.output
    assert done.output.count("proved  ") == 2


def test_an_archive_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    packed = tmp_path / "r.tar.gz"
    with tarfile.open(packed, "w:gz", compresslevel=1) as made:
        member = tarfile.TarInfo("bomb.dat")
        member.size = 201_000_000
        made.addfile(member, io.BytesIO(bytes(member.size)))
    with pytest.raises(InputError, match="unpacks to more"):
        draft_folder(packed, tmp_path / "out")
    assert not (tmp_path / "out").exists()
