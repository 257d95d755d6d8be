"""The first page: what came out, source by source, in words that a reader of the source knows."""

from __future__ import annotations

import re
from collections import Counter
from types import ModuleType

import msgspec
import pytest

from rgm_verify.claims.chapter import ChapterEntry, Figure, Series
from rgm_verify.claims.outcome.ledger import Ledger, SourceEntry
from rgm_verify.report import render_report
from rgm_verify.report.front import FOUND, front, lead_figure, own_claims


def _statements(examples: ModuleType, *verdicts: str, **changes: str) -> Ledger:
    """Return a ledger with a theorem for each verdict."""
    claims = [examples.claim(f"x:{n}", verdict, **changes) for n, verdict in enumerate(verdicts)]
    entries = [examples.entry(f"e{n}", "stands", [c.id], verdict=c.verdict) for n, c in enumerate(claims)]
    return msgspec.structs.replace(examples.ledger(claims), entries=entries)


def test_every_statement_is_counted_once_by_what_it_is_found_to_be(ledger: Ledger) -> None:
    (only,) = front(ledger)
    assert only.source.title == ledger.title
    assert only.counts.total() == len(ledger.entries)
    assert set(only.counts) <= set(FOUND)
    refuted = sum(e.verdict == "refuted" for e in ledger.entries)
    assert only.counts["wrong"] + only.counts["misprinted"] == refuted > 0


@pytest.mark.parametrize(
    ("verdict", "category", "word"),
    [
        ("proved", "", "right"),
        ("certified", "", "right"),
        ("supported", "", "open"),
        ("undecided", "", "open"),
        ("informal", "", "not mathematical"),
        ("refuted", "misprint", "misprinted"),
        ("refuted", "wrong constant", "wrong"),
    ],
)
def test_a_verdict_is_told_in_a_word(examples: ModuleType, verdict: str, category: str, word: str) -> None:
    (only,) = front(_statements(examples, verdict, category=category))
    assert only.counts == Counter({word: 1})
    assert [row.found for row in only.main] == [word]


@pytest.mark.parametrize(
    ("verdict", "word"),
    [
        ("supported", "reproduced"),
        ("refuted", "not reproduced"),
        ("informal", "not measured"),
    ],
)
def test_what_a_source_saw_in_its_own_runs_is_counted_apart_and_never_right_or_wrong(
    examples: ModuleType, verdict: str, word: str
) -> None:
    ledger = _statements(examples, "proved", verdict, category="false")
    kinds = ("theorem", "measurement")
    entries = [msgspec.structs.replace(e, kind=k) for e, k in zip(ledger.entries, kinds, strict=True)]
    found = msgspec.structs.replace(ledger, entries=entries)
    (only,) = front(found)
    assert only.groups["claims about experiments"] == Counter({word: 1})
    assert only.counts == Counter({"right": 1, word: 1})
    pages = b"".join(content for name, content in render_report(found).items() if name.startswith("pages/")).decode()
    assert f"| {verdict} | {word} |" in pages


def test_a_statement_with_a_misprint_and_a_fault_is_wrong_and_shows_the_fault(examples: ModuleType) -> None:
    faults = {"x:a": "misprint", "x:b": "wrong constant"}
    whole = examples.ledger([examples.claim(name, "refuted", category=fault) for name, fault in faults.items()])
    entry = examples.entry("e", "falls", ["x:a", "x:b"], verdict="refuted")
    (only,) = front(msgspec.structs.replace(whole, entries=[entry]))
    assert only.counts == Counter({"wrong": 1})
    assert [row.statement.face.id for row in only.main] == ["x:b"]


def test_sources_stand_in_the_order_of_the_folder_with_authors_and_links(examples: ModuleType) -> None:
    ledger = _statements(examples, "proved", "refuted")
    entries = [msgspec.structs.replace(e, source=name) for e, name in zip(ledger.entries, "AB", strict=True)]
    links = {"where it is": "https://example.org/b"}
    about = [SourceEntry(title="B", authors="N. <N.>", links=links), SourceEntry(title="nobody answers")]
    found = msgspec.structs.replace(ledger, entries=entries, sources=about)
    assert [one.source.title for one in front(found)] == ["B", "A"]
    files = render_report(found)
    page, site = files["README.md"].decode(), files["site/index.html"].decode()
    assert "[where it is](https://example.org/b)" in page
    assert '<a href="https://example.org/b" rel="noreferrer">where it is</a>' in site
    assert "N. &lt;N.&gt;" in site
    assert "nobody answers" not in page + site


def test_what_checked_an_answer_is_the_counterexample_and_the_checker_of_what_is_right(ledger: Ledger) -> None:
    rows = [row for one in front(ledger) for row in one.main]
    assert {row.found for row in rows} >= {"right", "wrong"}
    for row in rows:
        face = row.statement.face
        assert ("counterexample" in row.checked) == (face.verdict == "refuted" and face.witness is not None)
        assert ("proof of the contrary" in row.checked) == (face.verdict == "refuted" and face.witness is None)


def test_our_own_claims_are_those_that_answer_nothing(examples: ModuleType) -> None:
    claims = [examples.claim("x:a", "proved", refs=["e"]), examples.claim("x:b", "proved", refs=[])]
    assert own_claims(examples.ledger(claims)) == Counter({"proved": 1})


def test_the_first_marked_figure_leads(ledger: Ledger) -> None:
    series = [Series(name="exact", points=[["1", "1", "2"], ["2", "2", "3"]])]
    plain = Figure(caption="plain", x="a", y="b", series=series)
    marked = [Figure(caption=text, x="a", y="b", series=series, lead=True) for text in ("first", "second")]
    chapter = ChapterEntry(id="c", title="Chapter", summary="", file="c.py", blocks=[plain, *marked])
    assert lead_figure([msgspec.structs.replace(chapter, blocks=[plain])]) is None
    found = lead_figure([chapter])
    assert found is not None
    assert found[1].caption == "first"
    site = render_report(msgspec.structs.replace(ledger, chapters=[chapter]))["site/index.html"].decode()
    assert len(re.findall("<figcaption>", site)) == 1
    assert "first" in site.partition("<figcaption>")[2].partition("</figcaption>")[0]
