"""Folders of claims that cannot be used: exit code 2, the file, and what to do."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from rgm_verify.claims.outcome.ledger import SourceEntry
from rgm_verify.engine.discovery import dependency_order, load, premises, rests_on
from rgm_verify.engine.outcome.assemble import assemble
from rgm_verify.engine.paper_file import ClaimsFolderError

Folder = Callable[..., Path]
Rgm = Callable[..., Result]
CHAPTER_TEXT = """\
from rgm_verify.claims.chapter import Chapter
A = claim('a-one', ge(x, 0))
def build(profile):
    return []
C = Chapter("c", "One", "text", build)
""".replace("a-one", "a")
GOOD = "A = claim('a', ge(x, 0))\n"

BROKEN: list[tuple[str, dict[str, str], list[str]]] = [
    ("syntax error", {"bad": "A = claim('a', ge(x, 0)\n"}, ["bad.py (line", "syntax error"]),
    (
        "import error",
        {"bad": "import no_such_module\n"},
        ["bad.py", "ModuleNotFoundError", "(line 13)", "no_such_module"],
    ),
    ("raises", {"bad": "\n\n1 / 0\n"}, ["bad.py", "ZeroDivisionError", "(line 15)"]),
    ("exits", {"bad": "raise SystemExit(0)\n"}, ["bad.py", "SystemExit"]),
    ("duplicate id", {"one": GOOD, "two": GOOD}, ["two.py", "duplicate id 'a'", "one.py"]),
    (
        "unknown reference",
        {"bad": "A = claim('abc', ge(x, 0))\nB = claim('b', ge(x, 0), derivation=(Step(claim='abd'),))\n"},
        ["bad.py", "unknown claim 'abd'", "did you mean abc"],
    ),
    (
        "unknown premise",
        {"bad": "A = claim('a', ge(x, 0), checks=(Deduction((Premise('zzz'),)),))\n"},
        ["bad.py", "unknown claim 'zzz'"],
    ),
    (
        "unknown premise of a walk",
        {"bad": "A = claim('a', ge(x, 0), checks=(Monotone(x, 0, premises=(Premise('zzz'),)),))\n"},
        ["bad.py", "unknown claim 'zzz'"],
    ),
    ("unknown correction", {"bad": "A = claim('a', ge(x, 0), corrected='zzz')\n"}, ["bad.py", "unknown claim 'zzz'"]),
    ("unknown step", {"bad": "A = claim('a', ge(x, 0), derivation=(Step('so', 'zzz'),))\n"}, ["bad.py", "'zzz'"]),
    (
        "circular premises",
        {
            "bad": "A = claim('a', ge(x, 0), checks=(Deduction((Premise('b'),)),))\n"
            "B = claim('b', ge(x, 0), checks=(Monotone(x, 0, premises=(Premise('a'),)),))\n"
        },
        ["bad.py", "in a circle", "a -> b", "drop a premise or a step"],
    ),
    (
        "two chapters of one id",
        {"one": CHAPTER_TEXT, "two": CHAPTER_TEXT.replace("One", "Two")},
        ["two.py", "duplicate chapter 'c'", "one.py"],
    ),
    ("empty folder", {}, ["no claims found", "Claim(...)"]),
    ("no claims", {"bad": "y = 1\n"}, ["no claims found"]),
    (
        "undeclared symbol",
        {"bad": "A = claim('a', ge(sympy.Symbol('q'), 0))\n"},
        ["bad.py", "undeclared symbol q", "declared are: x"],
    ),
    (
        "another symbol of the same name",
        {"bad": "A = claim('a', ge(sympy.Symbol('x'), 0))\n"},
        ["bad.py", "another domain"],
    ),
    (
        "undeclared in a hypothesis",
        {"bad": "A = claim('a', ge(x, 0), hypotheses=(Hypothesis('h', ge(sympy.Symbol('q'), 0)),))\n"},
        ["bad.py", "hypothesis 'h'", "undeclared symbol q"],
    ),
    (
        "undeclared in a mutant",
        {"bad": "A = claim('a', ge(x, 0), mutants=(Mutant('m', ge(sympy.Symbol('q'), 0)),))\n"},
        ["bad.py", "mutant 'm'", "undeclared symbol q"],
    ),
    (
        "missing variables",
        {"bad": "A = claim('a', ge(x, 0), variables=())\n"},
        ["bad.py", "missing hypotheses", "add variables="],
    ),
    ("missing conclusion", {"bad": "A = claim('a', None)\n"}, ["bad.py", "missing conclusion"]),
    (
        "words and a formula",
        {"bad": "A = claim('a', ge(x, 0), informal='words')\n"},
        ["bad.py", "only for a claim without"],
    ),
    (
        "two variables of one name",
        {"bad": "A = claim('a', ge(x, 0), variables=(X, real('x')))\n"},
        ["bad.py", "share a name"],
    ),
    (
        "a mutant that changes nothing",
        {"bad": "A = claim('a', ge(x, 0), mutants=(Mutant('m'),))\n"},
        ["bad.py", "changes nothing"],
    ),
    ("an id that cannot be one", {"bad": "A = claim('A b', ge(x, 0))\n"}, ["bad.py", "id='A b'", "lower-case"]),
    ("a float", {"bad": "A = claim('a', ge(x, 0.5))\n"}, ["bad.py", "is a float", "Rational(1, 10)"]),
    ("an empty domain", {"bad": "real('y', lower=2, upper=1)\n"}, ["bad.py", "the domain from 2 to 1 is empty"]),
    ("a float in a domain", {"bad": "real('y', lower=0.5)\n"}, ["bad.py", "y.lower=0.5", "a Fraction"]),
    ("a file name", {"not-a-module": GOOD}, ["not-a-module.py", "rename it"]),
]


@pytest.mark.parametrize(("files", "words"), [b[1:] for b in BROKEN], ids=[b[0] for b in BROKEN])
def test_a_broken_folder_is_refused_with_the_file_and_what_to_do(
    folder: Folder, rgm: Rgm, files: dict[str, str], words: list[str]
) -> None:
    result = rgm("list", "--claims", folder(**files))
    assert result.exit_code == 2
    assert result.stderr.startswith("rgm-verify: ")
    assert all(word in result.stderr for word in words), result.stderr


def test_something_that_is_no_folder_is_refused(folder: Folder, rgm: Rgm, tmp_path: Path) -> None:
    for place in (tmp_path / "nowhere", folder(a=GOOD) / "a.py"):
        result = rgm("run", "--claims", place)
        assert (result.exit_code, "not a folder" in result.stderr) == (2, True)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("title = ", ["paper.toml", "correct it"]),
        ("title = 5", ["paper.toml", "title=5", "a text in quotes"]),
        ("inventory = 5", ["paper.toml", "inventory=5", "a list of texts"]),
        ("order = [1]", ["paper.toml", "order=[1]"]),
        ("title = '\udcff'", ["paper.toml"]),
    ],
)
def test_a_bad_paper_file_is_refused(folder: Folder, rgm: Rgm, text: str, words: list[str]) -> None:
    place = folder(a=GOOD)
    (place / "paper.toml").write_bytes(text.encode("utf-8", "surrogateescape"))
    result = rgm("list", "--claims", place)
    assert result.exit_code == 2
    assert all(word in result.stderr for word in words), result.stderr


def test_files_share_notation_and_a_shared_claim_counts_once(folder: Folder) -> None:
    place = folder(
        one="A = claim('a', ge(x, 0))\n", two="from .one import A, claim, x\nB = [claim('b', le(x, 1)), (A,)]\n"
    )
    (place / "__pycache__").mkdir(exist_ok=True)
    (place / "__pycache__" / "junk.py").write_text("1 / 0")
    paper = load(place)
    assert dict(paper.files) == {"a": "one.py", "b": "two.py"}


def test_the_paper_file_gives_title_inventory_and_order(folder: Folder) -> None:
    place = folder(one=GOOD, two="B = claim('b', le(x, 1))\n")
    (place / "paper.toml").write_text("title = 'T'\ninventory = ['e1']\norder = ['two.py']\n")
    paper = load(place)
    assert (paper.title, paper.inventory, list(paper.claims)) == ("T", ("e1",), ["b", "a"])


def test_the_inventory_of_several_sources_is_that_of_all_and_each_entry_knows_its_own(folder: Folder) -> None:
    place = folder(one=GOOD)
    (place / "paper.toml").write_text(
        "inventory = ['e0']\n[sources.b]\ntitle = 'B'\ninventory = ['e2']\n"
        "[sources.a]\ntitle = 'A'\ninventory = ['e1']\n"
    )
    paper = load(place)
    assert paper.inventory == ("e0", "e2", "e1")
    assert dict(paper.sources) == {"e1": "A", "e2": "B"}
    ledger, _ = assemble(paper, {}, "quick")
    assert {e.id: (e.source, e.verdict) for e in ledger.entries} == {
        "e0": ("", "unanswered"), "e1": ("A", "unanswered"), "e2": ("B", "unanswered"),
    }  # fmt: skip


def test_what_a_source_is_comes_into_the_ledger_and_links_are_https(folder: Folder) -> None:
    place = folder(one=GOOD)
    text = "[sources.b]\ntitle = 'B'\ninventory = ['e1']\n{}\n[sources.a]\ntitle = 'A'\ninventory = []\n"
    more = "authors = 'N. N.'\nnote = 'Version 2.'\nlinks = { 'the paper' = 'https://example.org/b' }"
    (place / "paper.toml").write_text(text.format(more))
    ledger, _ = assemble(load(place), {}, "quick")
    links = {"the paper": "https://example.org/b"}
    assert ledger.sources == [
        SourceEntry(title="B", authors="N. N.", note="Version 2.", links=links),
        SourceEntry(title="A"),
    ]
    for wrong, said in (
        ("authors = ['N. N.']", "sources.b.authors"),
        ("note = 1", "sources.b.note=1"),
        ("links = 'https://example.org'", "expected a table of addresses"),
        ("links = { a = 1 }", "expected a table of addresses"),
        ("links = { a = 'javascript:alert(1)' }", "does not begin with https://"),
        ("links = { a = 'file:///etc/passwd' }", "does not begin with https://"),
        ("year = 2024", "expected a table"),
    ):
        (place / "paper.toml").write_text(text.format(wrong))
        with pytest.raises(ClaimsFolderError, match=re.escape(said)):
            load(place)


def test_premises_of_every_lens_come_before_what_rests_on_them(folder: Folder) -> None:
    place = folder(
        a="""
        A = claim('a', ge(x, 0), checks=(Deduction((Premise('b'),)),), derivation=(Step(claim='c'), Step(claim='b')))
        B = claim('b', ge(x, 0), checks=(Monotone(x, 0, premises=(Premise('c'),)),))
        C = claim('c', ge(x, 0), derivation=(Step('then'),))
        """
    )
    paper = load(place)
    assert premises(paper.claims["b"]) == ("c",)
    assert rests_on(paper.claims["a"]) == ("c", "b")
    assert dependency_order(paper.claims) == ("c", "b", "a")


def test_ids_are_chosen_by_name_or_wildcard_in_paper_order(folder: Folder) -> None:
    paper = load(folder(a="A = [claim(i, ge(x, 0)) for i in ('p:one', 'p:two', 'q:one')]\n"))
    assert paper.select(()) == ("p:one", "p:two", "q:one")
    assert paper.select(("q:one", "p:*")) == ("p:one", "p:two", "q:one")
    assert paper.select(("*:one",)) == ("p:one", "q:one")


def test_a_symbol_that_promises_more_than_its_domain_is_refused(folder: Folder, rgm: Rgm) -> None:
    """SymPy would simplify |z| to z on a domain where z may be negative."""
    text = "from rgm_verify.claims import Variable\nz = sympy.Symbol('z', positive=True)\n"
    result = rgm("list", "--claims", folder(a=text + "A = claim('a', le(sympy.Abs(z), z), variables=(Variable(z),))\n"))
    assert result.exit_code == 2
    assert "the symbol z assumes something else than its domain" in result.stderr


def test_a_claim_that_cannot_be_made_is_said_with_its_line(tmp_path: Path) -> None:
    text = "from rgm_verify.claims import le, real\nx = real('x').symbol\nboth = le(x, 1) and le(x, 2)\n"
    (tmp_path / "a.py").write_text(text)
    with pytest.raises(ClaimsFolderError, match=r"^a\.py \(line 3\): .*write both\(\.\.\.\)"):
        load(tmp_path)


def test_a_claim_belongs_to_the_file_that_makes_it_whatever_file_imports_it_first(folder: Folder) -> None:
    """The files are imported in the order of their names, and `ahead` holds every claim of `later` already."""
    later = "A = claim('a', ge(x, 0))\ndef named(i):\n    return claim(i, ge(x, 0))\nB = [named('b'), named('b2')]\n"
    place = folder(
        ahead="from .later import *\nfrom .later import A\nBOTH = [A, *B]\nC = claim('c', ge(x, 0))\n",
        later=later,
        past="from .ahead import C\nAGAIN = [C]\n",
    )
    files = load(place).files
    assert files == {"a": "later.py", "b": "later.py", "b2": "later.py", "c": "ahead.py"}
