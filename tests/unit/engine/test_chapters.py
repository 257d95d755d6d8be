"""Chapters of a report: found, built in a worker, kept while nothing changed, and shown; what is wrong is said."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from rgm_verify.claims.chapter import (
    Block,
    Chapter,
    ChapterError,
    Figure,
    Heading,
    Paragraph,
    Series,
    Table,
    read_blocks,
)
from rgm_verify.engine.discovery import CHAPTER, load
from rgm_verify.engine.keys import Keys
from rgm_verify.engine.paper_file import ClaimsFolderError

Folder = Callable[..., Path]
Rgm = Callable[..., Result]

CLAIM = "A = claim('s:a', ge(x, 0), mutants=(Mutant('sign', conclusion=ge(-x, 0)),))"
CHAPTER_FILE = """
from rgm_verify.claims.chapter import Chapter, Figure, Heading, Paragraph, Series, Table


def build(profile):
    return [
        Heading(text="First"),
        Paragraph(text="The profile is " + profile + r", and $a < b$."),
        Table(caption="Numbers", columns=["of", "value"], rows=[["a", "[1, 2]"], ["b", "3"]]),
        Figure(caption="A curve", x="x", y="y", series=[Series(name="c", points=[["1", "2", "3"], ["2", "3", "4"]])]),
    ]


chapter = Chapter(id="numbers", title="Some numbers", summary="What they are.", build=build)
"""


def _chapter(*blocks: Block) -> Chapter:
    return Chapter(id="c", title="t", summary="s", build=lambda _: blocks)


def test_blocks_survive_the_way_through_json() -> None:
    blocks: list[Block] = [
        Heading(text="h"),
        Paragraph(text="p"),
        Table(caption="c", columns=["a"], rows=[["1"]]),
        Figure(caption="c", x="x", y="y", series=[Series(name="n", points=[["0", "1", "1"]])], log_x=True),
    ]
    assert read_blocks(json.loads(json.dumps(_chapter(*blocks).blocks("quick")))) == blocks


@pytest.mark.parametrize(
    ("block", "words"),
    [
        (Table(caption="c", columns=["a", "b"], rows=[["1"]]), "a row has 1 entries, there are 2 columns"),
        (Table(caption="c", columns=["a", " "], rows=[["1", "2"]]), "a column has no title"),
        (Table(caption="c", columns=["a", "b"], rows=[["1", "2"]], inputs=2), "inputs=2: expected .* fewer than the 2"),
        (Table(caption="c", columns=["a", "b"], rows=[], inputs=-1), "inputs=-1: expected at least 0"),
        (
            Table(caption="c", columns=["a", "b", "c"], rows=[["1", "1", "x"], ["2", "2", "x"]], inputs=2),
            "4 combinations need one row each, there are 2 rows",
        ),
        (
            Table(caption="c", columns=["a", "b"], rows=[["1", "x"], ["1", "y"]], inputs=1),
            "1 combinations need one row each, there are 2 rows",
        ),
        (Figure(caption="c", x="x", y="y", series=[Series(name="n", points=[["0", "2", "1"]])]), "lower end"),
        (Figure(caption="c", x="x", y="y", series=[Series(name="n", points=[["0", "nan", "1"]])]), "lower end"),
        (Figure(caption="c", x="x", y="y", series=[Series(name="n", points=[["0", "1"]])]), "expected three numbers"),
        (Figure(caption="c", x="x", y="y", series=[Series(name="n", points=[["a", "1", "2"]])]), "expected three"),
    ],
)
def test_a_block_that_cannot_be_shown_is_refused(block: Block, words: str) -> None:
    with pytest.raises(ChapterError, match=words):
        _chapter(block).blocks("quick")


def test_what_is_no_block_is_refused() -> None:
    with pytest.raises(ChapterError, match="str is no block"):
        Chapter(id="c", title="t", summary="s", build=lambda _: ["text"]).blocks("quick")  # type: ignore[list-item]


@pytest.mark.parametrize("name", ["", "A", "a b", "a/b", "-a", "@a"])
def test_an_id_is_made_of_small_letters_digits_and_hyphens(name: str) -> None:
    with pytest.raises(ChapterError, match="small letters"):
        Chapter(id=name, title="t", summary="s", build=lambda _: [])


def test_a_chapter_is_built_once_and_shown_in_every_form(folder: Folder, rgm: Rgm, tmp_path: Path) -> None:
    place, out = folder(a=CLAIM, numbers=CHAPTER_FILE), tmp_path / "out"
    first = rgm("run", "--claims", str(place), "--jobs", "1", "--out", str(out))
    assert first.exit_code == 0, first.output
    ledger = json.loads((out / "ledger" / "index.json").read_text())
    assert [c["id"] for c in ledger["chapters"]] == ["numbers"]
    assert ledger["chapters"][0]["blocks"][1]["text"] == "The profile is quick, and $a < b$."
    assert "| a | \\[1, 2\\] |" in (out / "pages" / "chapter--numbers.md").read_text()
    page = (out / "site" / "chapter" / "numbers.html").read_text()
    assert "<figure>" in page
    assert "[1, 2]" in page
    assert "chapter/numbers.html" in (out / "site" / "index.html").read_text()
    second = rgm("run", "--claims", str(place), "--jobs", "1", "--out", str(out), "--json")
    assert json.loads(second.stdout)["failures"] == {}


def test_a_second_run_builds_nothing(folder: Folder, rgm: Rgm, monkeypatch: pytest.MonkeyPatch) -> None:
    place = folder(a=CLAIM, numbers=CHAPTER_FILE)
    rgm("run", "--claims", str(place), "--jobs", "1")

    def refuse(*_: object) -> None:
        raise AssertionError("nothing changed, and yet something is submitted")

    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor.submit", refuse)
    assert rgm("run", "--claims", str(place), "--jobs", "1").exit_code == 0


def _key(place: Path, profile: str = "quick") -> str:
    return Keys(load(place), profile).of(CHAPTER + "numbers")


def test_the_key_of_a_chapter_changes_with_its_file_what_it_imports_and_the_profile(folder: Folder) -> None:
    texts = CHAPTER_FILE, CHAPTER_FILE.replace("[1, 2]", "[1, 3]"), "from .words import WORD\n" + CHAPTER_FILE
    keys = [_key(folder(a=CLAIM, numbers=text, words="WORD = 'one'")) for text in texts]
    place = folder(words="WORD = 'two'")
    keys += [_key(place, profile) for profile in ("quick", "full")]
    assert len(set(keys)) == 5
    assert _key(folder(numbers=texts[2] + "\n# only words\n")) == _key(folder(a=CLAIM + "\n\nB = 1"))


def test_the_key_of_a_chapter_changes_with_the_files_that_it_reads(folder: Folder) -> None:
    reads = CHAPTER_FILE.replace("build=build)", "build=build, reads=(Path(__file__).parent / 'data.json',))")
    place = folder(a=CLAIM, numbers="from pathlib import Path\n" + reads)
    keys = set()
    for content in ("1", "2"):
        (place / "data.json").write_text(content)
        keys.add(_key(place))
    assert len(keys) == 2
    (place / "data.json").unlink()
    with pytest.raises(ClaimsFolderError, match=r"data\.json: the chapter 'numbers' reads it"):
        _key(place)


def test_a_chapter_that_fails_is_a_failure_and_says_so_in_its_place(folder: Folder, rgm: Rgm, tmp_path: Path) -> None:
    broken = CHAPTER_FILE.replace('Heading(text="First")', "1 / 0")
    place, out = folder(a=CLAIM, numbers=broken), tmp_path / "out"
    found = rgm("run", "--claims", str(place), "--jobs", "1", "--out", str(out))
    assert found.exit_code == 1
    assert "ZeroDivisionError" in found.output
    assert "could not be built: ZeroDivisionError" in (out / "site" / "chapter" / "numbers.html").read_text()


def test_two_chapters_of_one_id_are_refused(folder: Folder) -> None:
    with pytest.raises(ClaimsFolderError, match="duplicate chapter 'numbers'"):
        load(folder(a=CLAIM, one=CHAPTER_FILE, two=CHAPTER_FILE))
