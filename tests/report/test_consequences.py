"""Statements that lean on a refuted one, and their fate, as the pages tell it."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from rgm_verify.claims.outcome.ledger import FORMAT, EarlierLedger, Ledger, LedgerError, decode, encode
from rgm_verify.report import render_report
from rgm_verify.report.consequences import OUTCOMES, Consequences


def _words(path: Path) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", path.read_text(encoding="utf-8")).split())


def _found(ledger: Ledger, identifier: str) -> list[tuple[str, str, bool]]:
    claim = next(c for c in ledger.claims if c.id == identifier)
    return [(s.entry.id, s.entry.outcome, s.direct) for s in Consequences(ledger).leaning_on(claim)]


def test_what_leans_on_a_claim_is_found_directly_and_through_others(ledger: Ledger):
    assert _found(ledger, "rgm-v1:theorem-1") == [("A17", "independent", True), ("A18", "falls", False)]
    assert _found(ledger, "rgm-v1:lemma-10") == [("A18", "falls", True)]
    assert _found(ledger, "rgm-v1:corollary-2") == []


def test_a_page_shows_the_refuted_claim_before_the_others(examples: ModuleType):
    claims = [examples.claim("x:good", "proved", refs=["E"]), examples.claim("x:bad", "refuted", refs=["E"])]
    ledger = examples.ledger(claims)
    entries = [examples.entry("E", "corrected", ["x:good", "x:bad"])]
    assert Consequences(_with(ledger, entries)).of("E").face.id == "x:bad"


def test_statements_with_one_face_are_told_once(examples: ModuleType):
    claims = [examples.claim("x:bad", "refuted", refs=["E"]), examples.claim("x:next", "proved", refs=["F", "G"])]
    entries = [
        examples.entry("E", "falls", ["x:bad"]),
        *(examples.entry(i, "independent", ["x:next"], verdict="proved", leans_on=["E"]) for i in ("F", "G")),
    ]
    found = Consequences(_with(examples.ledger(claims), entries)).leaning_on(claims[0])
    assert [s.ids for s in found] == [("F", "G")]


def test_a_circle_is_gone_round_once(examples: ModuleType):
    claims = [examples.claim(f"x:{i}", "refuted", refs=[i]) for i in "ab"]
    entries = [examples.entry(i, "falls", [f"x:{i}"], leans_on=[j]) for i, j in ("ab", "ba")]
    found = Consequences(_with(examples.ledger(claims), entries)).leaning_on(claims[0])
    assert [s.entry.id for s in found] == ["b"]


def test_the_first_page_counts_what_leans_on_something_refuted(report: Path):
    words = _words(report / "site" / "index.html")
    assert "2 statements of the sources use a false one: 1 lost, 1 still true, by another proof." in words


def test_the_page_of_errata_tells_the_fate_of_the_main_results(report: Path):
    words = _words(report / "site" / "errata.html")
    part = words.partition("The main results, and whether they survive")[2]
    assert "Composition over T steps rgm-v1, §3.2, Corollary 2 lost printed: misprint – 1, no mere misprint" in part
    assert "App. A.1, Lemma 10 still true, by another proof" in part


def test_the_page_of_a_claim_says_what_it_leans_on_and_what_leans_on_it(report: Path):
    lemma = _words(report / "site" / "claim" / "rgm-v1--lemma-10.html")
    assert "It answers A17 , which is still true, by another proof ." in lemma
    assert "Its proof there uses 1 false statement " in lemma
    theorem = _words(report / "site" / "claim" / "rgm-v1--theorem-1.html")
    assert "Later results that use it, and whether they survive lemma-10 A17 still true, by another proof" in theorem
    assert "1 more through these: 1 lost Composition over T steps A18 through others lost" in theorem


def test_misprints_are_told_apart(examples: ModuleType):
    def shown(*categories: str) -> tuple[str, str]:
        bad = [examples.claim(f"x:{c[:3]}", "refuted", refs=[c[:3]], category=c) for c in categories]
        claims = [*bad, examples.claim("x:b", "proved", refs=["B"])]
        below = [c[:3] for c in categories]
        good = examples.entry("B", "independent", ["x:b"], verdict="proved", leans_on=below, refuted_below=below)
        entries = [*(examples.entry(c[:3], "falls", [f"x:{c[:3]}"]) for c in categories), good]
        found = Consequences(_with(examples.ledger(claims), entries))
        page = render_report(_with(examples.ledger(claims), entries))["site/index.html"].decode()
        return found.shaken_by(found.of("B")), "(1 of them only a misprint)" if "only a misprint)" in page else ""

    assert shown("misprint") == ("1, a misprint", "(1 of them only a misprint)")
    assert shown("misprint", "wrong constant") == ("2, 1 of them only a misprint", "")


def test_what_the_paper_gives_up_is_refuted(root: Path):
    given_up = tomllib.loads((root / "derivations" / "leans_on.toml").read_text(encoding="utf-8"))["given_up"]
    entries = json.loads((root / "reports" / "ledger" / "index.json").read_text(encoding="utf-8"))["entries"]
    assert set(given_up) <= {e["id"] for e in entries if e["verdict"] == "refuted"}


def test_every_outcome_has_words(examples: ModuleType):
    for outcome in OUTCOMES:
        claims = [examples.claim("x:a", "refuted", refs=["A"]), examples.claim("x:b", "proved", refs=["B"])]
        entries = [
            examples.entry("A", "falls", ["x:a"]),
            examples.entry("B", outcome, ["x:b"], leans_on=["A"], refuted_below=["A"]),
        ]
        files = render_report(_with(examples.ledger(claims), entries))
        assert OUTCOMES[outcome] in files["site/claim/x--a.html"].decode()
        assert OUTCOMES[outcome] in files["pages/rgm-section-3.md"].decode()


def test_a_ledger_of_another_format_is_refused_by_its_format(ledger: Ledger):
    older = encode(ledger).replace(FORMAT.encode(), b"rgm-verify ledger 4").replace(b'"outcome"', b'"other"')
    with pytest.raises(EarlierLedger, match="format 'rgm-verify ledger 4' of an earlier version; this version reads"):
        decode(older, name="x")


def test_an_outcome_that_is_none_is_refused(ledger: Ledger):
    with pytest.raises(LedgerError, match="not a ledger"):
        decode(encode(ledger).replace(b'"independent"', b'"somehow"'), name="x")


def _with(ledger: Ledger, entries: list) -> Ledger:
    import msgspec

    return msgspec.structs.replace(ledger, entries=entries)
