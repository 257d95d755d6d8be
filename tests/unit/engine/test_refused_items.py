"""One item costs one item: what is refused when a folder is read is named, and everything else is judged."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from rgm_verify.claims.outcome.ledger_files import FOLDER, read_ledger
from rgm_verify.engine.discovery import load
from rgm_verify.engine.paper_file import ClaimsFolderError

Folder = Callable[..., Path]
Rgm = Callable[..., Result]
pytestmark = pytest.mark.usefixtures("threads")

#: A page with a claim before and a claim after the place of a fault.
PAGE = """
page = Page("s")
y = page.positive("y", "a number")
FIRST = page.lemma("t:first", "First", ge(1 + y, 1))
{}
LAST = page.lemma("t:last", "Last", ge(2 + y, 2))
"""
#: Faults, each with the ids that it costs and words of its message.
FAULTS: dict[str, tuple[str, list[str], str]] = {
    "a float": ('BAD = page.lemma("t:bad", "Bad", ge(y, 0.5))', ["t:bad"], "is a float"),
    "a float in a control": ('page.lemma("t:bad", "Bad", ge(y, 0), wrong={"a": 0.5})', ["t:bad"], "0.5"),
    "a lens without its arguments": (
        'BAD = page.lemma("t:bad", "Bad", ge(y, 0), by=Simulation())', ["t:bad"], "Simulation: experiment is missing"
    ),
    "an unknown symbol": ('page.lemma("t:bad", "Bad", ge(sympy.Symbol("w"), 0))', ["t:bad"], "not declared"),
    "a fault of the author's code": ("PLAIN = 1 / 0", [], "ZeroDivisionError"),
    "two claims in one statement": (
        'BAD = [page.lemma("t:bad", "Bad", ge(y, 0)), page.lemma("t:worse", "Worse", ge(y, 0.5))]',
        ["t:bad", "t:worse"], "is a float",
    ),
    "the same id twice": (
        'A = page.lemma("t:bad", "Bad", ge(y, 0))\nB = page.lemma("t:bad", "Bad", ge(y, -1))', ["t:bad"], "duplicate id"
    ),
    "words that no page shows": ('BAD = page.lemma("t:bad", "Bad $x", ge(y, 0))', ["t:bad"], "dollar sign"),
    "an unknown premise": (
        'BAD = page.lemma("t:bad", "Bad", ge(y, 0), steps=("t:no-such",))', ["t:bad"], "names the unknown claim"
    ),
    "contradictory hypotheses": (
        'BAD = page.lemma("t:bad", "Bad", ge(y, 0), given=Hypothesis("h", lt(y, 0)))', ["t:bad"], "no point satisfies"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "ids", "words"), FAULTS.values(), ids=FAULTS)
def test_a_claim_that_is_refused_costs_itself_and_the_report_names_it(
    folder: Folder, rgm: Rgm, tmp_path: Path, text: str, ids: list[str], words: str
) -> None:
    result = rgm("run", "--claims", folder(one=PAGE.format(text)), "--out", tmp_path / "out", "--json")
    assert result.exit_code == 2
    data = json.loads(result.stdout)
    assert {c["id"]: c["verdict"] for c in data["claims"]} == {"t:first": "proved", "t:last": "proved"}
    assert [(r["claim"], r["file"]) for r in data["refused"]] == [(i, "one.py") for i in ids or [""]]
    assert all(words in r["message"] for r in data["refused"])
    assert "refused: one.py" in result.stderr
    assert words in result.stderr
    ledger = read_ledger(tmp_path / "out" / FOLDER)
    assert [c.id for c in ledger.claims] == ["t:first", "t:last"]
    (chapter,) = ledger.chapters
    page = (tmp_path / "out" / "pages" / "chapter--not-judged.md").read_text()
    assert chapter.title == "Not judged"
    assert all(name in page for name in (*ids, "one.py"))
    assert "Not judged" in (tmp_path / "out" / "README.md").read_text()


def test_all_faults_of_a_folder_are_said_at_once_and_each_with_its_line(folder: Folder, rgm: Rgm) -> None:
    place = folder(
        good=PAGE.format(FAULTS["a float"][0]),
        own="OTHER = claim('u:ok', ge(x, 0))\nclaim('u:float', le(x, 0.1))\n",
        syntax="A = claim('v:a', ge(x, 0)\n",
    )
    (place / "expected.json").write_text('{"verdicts": {"t:first": "proved", "t:last": "sure", "t:bad": "proved"}}')
    (place / "proofs").mkdir()
    (place / "proofs" / "good.json").write_text("{")
    (place / "paper.toml").write_text("title = 5\n")
    result = rgm("run", "--claims", place)
    assert result.exit_code == 2
    for words in (r"good\.py \(line 17\): t:bad: .*float", r"own\.py \(line 14\): u:float: .*float",
                  r"syntax\.py \(line \d+\): syntax error", r"proofs/good\.json: it is no JSON",
                  r"paper\.toml: title=5", r"expected\.json: .*'sure'"):  # fmt: skip
        assert re.search(words, result.stderr), (words, result.stderr)
    for name in ("t:first", "t:last", "u:ok"):
        assert f"proved  {name}" in result.stdout
    # What was not judged does not differ from what was expected.
    assert "t:bad: expected" not in result.stderr
    assert "5 not judged" in result.stdout


def test_what_rests_on_a_refused_claim_is_refused_for_that_reason_and_a_correction_is_no_ground(
    folder: Folder, rgm: Rgm
) -> None:
    text = """
    A = claim('t:a', ge(x, 0.5))
    B = claim('t:b', ge(x, 0), derivation=(Step(claim='t:a'),))
    C = claim('t:c', ge(x, 0), checks=(Deduction((Premise('t:b'),)),))
    D = claim('t:d', gt(x, 1), corrected='t:a', category='false')
    E = claim('t:e', ge(x, 0))
    """
    result = rgm("run", "--claims", folder(one=text), "--json")
    data = json.loads(result.stdout)
    assert [c["id"] for c in data["claims"]] == ["t:d", "t:e"]
    assert data["claims"][0]["verdict"] == "refuted"
    assert {r["claim"]: r["message"] for r in data["refused"]}.keys() == {"t:a", "t:b", "t:c"}
    assert "t:b: it rests on t:a, which is not judged" in result.stderr
    assert "t:c: it rests on t:b, which is not judged" in result.stderr


def test_nothing_means_something_else_after_a_statement_that_is_refused(folder: Folder) -> None:
    """A name keeps no earlier value, and a list that may lack an entry is not used: both would be other claims."""
    text = """
    bound = 2
    bound = Rational(1) / 0.0 if False else ge(x, 0.5)
    A = claim('t:a', le(x, bound))
    given = [Hypothesis('one', ge(x, 0))]
    given.append(Hypothesis('two', ge(x, 0.25)))
    B = claim('t:b', ge(x, 0), hypotheses=tuple(given))
    bound = 3
    C = claim('t:c', le(x, bound))
    """
    star = """
    from .one import *
    D = claim('t:d', le(x, bound))
    E = claim('t:e', le(x, 1), hypotheses=tuple(given))
    """
    place = folder(one=text, two=star)
    with pytest.raises(ClaimsFolderError) as caught:
        load(place)
    paper = load(place, strict=False)
    assert list(paper.claims) == ["t:c", "t:d"]
    said = {refusal.claim: refusal.message for refusal in paper.refused}
    assert said.keys() == {"", "t:a", "t:b", "t:e"}
    assert "it uses bound, which is missing, since one.py (line 15) is refused" in said["t:a"]
    assert "it uses given" in said["t:b"]
    assert "it uses given" in said["t:e"]
    assert all(str(refusal) in str(caught.value) for refusal in paper.refused)


def test_after_an_import_of_all_names_that_fails_the_rest_of_a_file_is_not_read(folder: Folder) -> None:
    """`gamma` would be the function of SymPy in place of the author's symbol."""
    place = folder(
        broken="gamma = real('gamma').symbol\nA = claim('t:a', ge(x, 0)\n",
        uses="from sympy import gamma\nB = claim('t:b', ge(x, 0))\nfrom .broken import *\nC = claim('t:c', ge(x, 0))\n",
        other="D = claim('t:d', ge(x, 0))\n",
    )
    paper = load(place, strict=False)
    assert sorted(paper.claims) == ["t:b", "t:d"]
    assert any("the rest of the file is not read" in str(refusal) for refusal in paper.refused)


@pytest.mark.parametrize("command", ["list", "report", "show", "prove"])
def test_every_command_does_its_work_on_the_others_and_says_what_is_refused(
    folder: Folder, rgm: Rgm, tmp_path: Path, command: str
) -> None:
    place = folder(one=PAGE.format(FAULTS["a float"][0]))
    if command == "report":
        rgm("run", "--claims", place, "--out", tmp_path / "out")
    words = [command, "t:first"] if command in ("show", "prove") else [command]
    words += ["--out", str(tmp_path / "out")] if command == "report" else []
    for _ in range(2):  # no index hides it the second time
        result = rgm(*words, "--claims", place)
        assert result.exit_code == 2
        assert "refused: one.py (line 17): t:bad: " in result.stderr
        assert result.stdout
    missing = rgm("show", "t:bad", "--claims", place)
    assert (missing.exit_code, missing.stdout) == (2, "")
    assert "not judged" in missing.stderr


def test_a_corrected_folder_is_judged_as_if_nothing_had_been(folder: Folder, rgm: Rgm, tmp_path: Path) -> None:
    place = folder(one=PAGE.format(FAULTS["a float"][0]))
    words = ("run", "--claims", place, "--out", tmp_path / "out")
    assert (rgm(*words).exit_code, rgm(*words, "--accept").exit_code) == (2, 2)
    assert not (place / "expected.json").exists()
    folder(one=PAGE.format(FAULTS["a float"][0].replace("0.5", "0")))
    done = rgm(*words)
    assert (done.exit_code, done.stderr.count("refused")) == (0, 0)
    assert [c.id for c in read_ledger(tmp_path / "out" / FOLDER).claims] == ["t:first", "t:bad", "t:last"]
    assert not read_ledger(tmp_path / "out" / FOLDER).chapters


def test_a_chapter_that_cannot_be_read_or_computed_costs_itself(folder: Folder, rgm: Rgm, tmp_path: Path) -> None:
    text = """
    from pathlib import Path
    from rgm_verify.claims.chapter import Chapter
    A = claim('t:a', ge(x, 0))
    def build(profile):
        return []
    def fail(profile):
        raise ValueError("no numbers")
    G = Chapter("good", "Good", "text", build)
    M = Chapter("missing", "Missing", "text", build, reads=(Path("/nowhere/data"),))
    F = Chapter("fails", "Fails", "text", fail)
    W = Chapter("Wrong Name", "Wrong", "text", build)
    """
    result = rgm("run", "--claims", folder(one=text), "--out", tmp_path / "out", "--json")
    assert result.exit_code == 2
    ledger = read_ledger(tmp_path / "out" / FOLDER)
    assert [c.id for c in ledger.chapters] == ["not-judged", "good", "fails"]
    assert "ValueError: no numbers" in json.loads(result.stdout)["failures"]["@fails"]
    assert "/nowhere/data" in result.stderr
    assert "Wrong Name" in result.stderr


def test_a_verdict_is_shown_only_where_somebody_judged(folder: Folder, rgm: Rgm) -> None:
    place = folder(a="A = claim('t:a', ge(1 + x, 1))\n")
    before = rgm("show", "t:a", "--claims", place)
    assert (before.exit_code, "verdict: not judged" in before.stdout, "undecided" in before.stdout) == (0, True, False)
    assert f"`rgm-verify run t:a --claims {place}`" in before.stdout
    told = json.loads(rgm("show", "t:a", "--claims", place, "--json").stdout)
    assert told["verdict"] == "not judged"
    rgm("run", "--claims", place)
    assert "verdict: proved" in rgm("show", "t:a", "--claims", place).stdout
