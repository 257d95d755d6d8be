"""Dependencies in a source: read, refused where it is wrong, and what becomes of each statement."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.engine.discovery import load
from rgm_verify.engine.outcome.leans_on import Uses, outcome, read_uses, refuted_below

Folder = Callable[..., Path]
Rgm = Callable[..., Result]

#: L is refuted and corrected; M is refuted and not corrected; P leans on L, Q on P, R on M, S on nothing.
PAPER = """
ONE = claim('p:lemma', le(x, sympy.Rational(1, 2)), refs=('L',), corrected='p:lemma-corrected')
TWO = claim('p:lemma-corrected', le(x, 1), mutants=(Mutant('half', conclusion=le(x, sympy.Rational(1, 2))),))
THREE = claim('p:other', ge(x, 1), refs=('M',))
FOUR = claim('p:theorem', le(x**2, 1), refs=('P',), mutants=(Mutant('half', conclusion=le(x, sympy.Rational(1, 2))),))
FIVE = claim('p:corollary', le(x**2, sympy.Rational(1, 4)), refs=('Q',), corrected='p:theorem')
SIX = claim('p:end', ge(x, sympy.Rational(1, 3)), refs=('R',), corrected='p:theorem')
SEVEN = claim('p:praise', None, refs=('S',), informal='praise', variables=())
EIGHT = claim('p:apart', ge(x, 0), refs=('T',), mutants=(Mutant('half', conclusion=ge(x, sympy.Rational(1, 2))),))
"""
LEANS = 'given_up = ["R"]\n[leans_on]\nP = ["L"]\nQ = ["P", "T"]\nR = ["M"]\n'


def _paper(folder: Folder, text: str) -> Path:
    place = folder(a=PAPER)
    (place / "leans_on.toml").write_text(text)
    return place


def test_without_the_file_nothing_leans_on_anything(folder: Folder) -> None:
    assert load(folder(a=PAPER)).uses == Uses()


def test_what_leans_on_what_is_read(folder: Folder) -> None:
    uses = load(_paper(folder, LEANS)).uses
    assert uses.leans_on == {"P": ("L",), "Q": ("P", "T"), "R": ("M",)}
    assert uses.given_up == {"R"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[leans_on]\nP = ["LL"]\n', ["P names the unknown statement 'LL'", "did you mean L?"]),
        ('[leans_on]\nZZ = ["L"]\n', ["leans_on names the unknown statement 'ZZ'", "write one that"]),
        ('given_up = ["ZZ"]\n', ["given_up names the unknown statement 'ZZ'"]),
        ('[leans_on]\nP = ["P"]\n', ["in a circle: P -> P"]),
        ('[leans_on]\nP = ["Q"]\nQ = ["R"]\nR = ["P"]\n', ["in a circle", "drop one"]),
        ('[leans_on]\nP = "L"\n', ["P='L'", "a list of ids"]),
        ("[leans_on]\nP = [1]\n", ["P=[1]", "a list of ids"]),
        ("leans_on = 1\n", ["leans_on=1", "a table"]),
        ("leans = 1\n", ["'leans' is not known", "given_up"]),
        ("[leans_on\n", ["correct it"]),
        ("x = '\udcff'", ["correct it"]),
    ],
)
def test_a_bad_file_is_refused_with_the_entry_and_what_to_do(
    folder: Folder, rgm: Rgm, text: str, words: list[str]
) -> None:
    place = folder(a=PAPER)
    (place / "leans_on.toml").write_bytes(text.encode("utf-8", "surrogateescape"))
    result = rgm("list", "--claims", place)
    assert result.exit_code == 2
    assert result.stderr.startswith("rgm-verify: refused: leans_on.toml: ")
    assert all(word in result.stderr for word in words), result.stderr


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=40))
def test_below_is_the_transitive_closure(pairs: list[tuple[int, int]]) -> None:
    """An edge from the larger to the smaller number, so that there is no circle; against Warshall's algorithm."""
    edges = {(max(p), min(p)) for p in pairs if p[0] != p[1]}
    uses = Uses({str(a): tuple(str(b) for c, b in sorted(edges) if c == a) for a in range(13)})
    reach = set(edges)
    for k, i, j in product(range(13), repeat=3):
        if (i, k) in reach and (k, j) in reach:
            reach.add((i, j))
    for a in range(13):
        assert uses.below(str(a)) == {str(b) for c, b in reach if c == a}


def test_what_becomes_of_a_statement() -> None:
    def found(verdict: str, *, shaken: bool = False, repaired: bool = False, given_up: bool = False) -> str:
        return outcome(verdict, shaken=shaken, repaired=repaired, given_up=given_up)

    for verdict in ("proved", "certified"):
        assert (found(verdict), found(verdict, shaken=True)) == ("stands", "independent")
    for shaken in (False, True):
        assert found("refuted", shaken=shaken) == "falls"
        assert found("refuted", shaken=shaken, repaired=True) == "corrected"
        assert found("refuted", shaken=shaken, repaired=True, given_up=True) == "falls"
        assert {found(v, shaken=shaken) for v in ("supported", "undecided", "unanswered")} == {"undecided"}
        assert found("informal", shaken=shaken) == "no content"


def test_refuted_statements_are_found_through_others() -> None:
    uses = Uses({"a": ("b", "c10"), "b": ("c2",)})
    verdicts = {"a": "proved", "b": "proved", "c2": "refuted", "c10": "refuted"}
    assert refuted_below(uses, "a", verdicts) == ["c2", "c10"]
    assert refuted_below(uses, "c2", verdicts) == []


def test_a_paper_of_eight_claims(folder: Folder, rgm: Rgm, threads: None, tmp_path: Path) -> None:
    out = tmp_path / "out"
    rgm("run", "--claims", _paper(folder, LEANS), "--jobs", "1", "--out", out)
    entries = {e["id"]: e for e in json.loads((out / "ledger" / "index.json").read_text())["entries"]}
    assert {i: e["outcome"] for i, e in entries.items()} == {
        "L": "corrected",  # the correction is proved
        "M": "falls",  # there is none
        "P": "independent",  # proved, though its proof in the source leans on L
        "Q": "corrected",
        "R": "falls",  # given up
        "S": "no content",
        "T": "stands",
    }
    assert entries["Q"]["leans_on"] == ["P", "T"]
    assert entries["Q"]["refuted_below"] == ["L"]
    assert (entries["L"]["corrected"], entries["M"]["corrected"]) == (["p:lemma-corrected"], [])
    page = (out / "site" / "claim" / "p--lemma.html").read_text()
    assert "Later results that use it, and whether they survive" in page
    assert "still true, by another proof" in page


def test_ids_may_be_of_the_inventory_or_of_a_claim(tmp_path: Path) -> None:
    (tmp_path / "leans_on.toml").write_text('[leans_on]\na = ["b"]\n')
    assert read_uses(tmp_path, {"a", "b"}).below("a") == {"b"}
