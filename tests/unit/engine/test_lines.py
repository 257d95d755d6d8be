"""Lines of claims and chapters in a folder that was imported."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rgm_verify.engine.discovery import load
from rgm_verify.engine.lines import lines_of

Folder = Callable[..., Path]
PAGE = """\
from rgm_verify.claims.chapter import Chapter
def named(i):
    return claim(i, ge(x, 0))
A = claim('a', ge(x, 0))
AGAIN = A
MANY = [
    named('b'),
    (named('c'), A),
    *(named(i) for i in 'de'),
]
ONE = Chapter("one", "One", "text", named)
"""
#: The lines that the fixture puts before a page.
HEAD = 12


@pytest.fixture
def page(folder: Folder) -> Path:
    return folder(page=PAGE, other="from .page import A\nF = claim('f', ge(x, 0))\n")


def test_every_claim_and_chapter_has_the_line_of_its_file(page: Path) -> None:
    found = {key: line - HEAD for key, line in lines_of(load(page)).items()}
    assert found == {"f": 2, "a": 4, "b": 7, "c": 8, "d": 9, "e": 9, "@one": 11}


def test_a_file_that_is_gone_or_broken_by_now_has_no_lines(page: Path) -> None:
    paper = load(page)
    (page / "page.py").write_text("A = (", encoding="utf-8")
    assert list(lines_of(paper)) == ["f"]
    (page / "page.py").unlink()
    assert list(lines_of(paper)) == ["f"]


def test_a_claim_that_its_file_no_longer_binds_has_no_line(page: Path) -> None:
    paper = load(page)
    (page / "page.py").write_text("A = claim('a')\n", encoding="utf-8")
    assert {key: line - HEAD if key == "f" else line for key, line in lines_of(paper).items()} == {"f": 2, "a": 1}


def test_a_folder_that_this_process_did_not_import_has_no_lines(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paper = load(page)
    monkeypatch.setattr("rgm_verify.engine.lines.sys.modules", {})
    assert lines_of(paper) == {}
