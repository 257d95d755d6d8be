"""The committed report is the one that the committed claims and the committed ledger give."""

from __future__ import annotations

import json
import posixpath
import re
from collections import Counter
from pathlib import Path
from typing import get_args

import mpmath
import pytest

from rgm_verify.balls.replay import replay
from rgm_verify.claims.claim import Category
from rgm_verify.claims.outcome.ledger import ClaimEntry, Ledger
from rgm_verify.claims.outcome.ledger_files import FOLDER, encode_files
from rgm_verify.claims.outcome.verdict import WEAKEST_FIRST, Verdict
from rgm_verify.claims.written.rendering import latex
from rgm_verify.claims.written.trees import statement_tree
from rgm_verify.engine.discovery import Paper
from rgm_verify.report.markdown.readme import MAXIMUM_BYTES
from rgm_verify.report.order import errata, slug
from rgm_verify.report.site.build import pictures_of
from rgm_verify.report.texts.escaped import sentence

ROOT = Path(__file__).resolve().parents[2]
REPORTS = ROOT / "reports"


@pytest.fixture(scope="module")
def ledger(committed_ledger: Ledger) -> Ledger:
    return committed_ledger


@pytest.fixture(scope="module")
def paper(committed_paper: Paper) -> Paper:
    return committed_paper


def test_the_ledger_is_in_canonical_form(ledger: Ledger) -> None:
    written = {p.relative_to(REPORTS / FOLDER).as_posix(): p.read_bytes() for p in (REPORTS / FOLDER).rglob("*.json")}
    assert encode_files(ledger) == written


def test_the_ledger_holds_the_claims_as_they_stand(ledger: Ledger, paper: Paper) -> None:
    assert [c.id for c in ledger.claims] == list(paper.claims)
    for entry in ledger.claims:
        claim = paper.claims[entry.id]
        assert entry.formula == (latex(claim.conclusion, claim.symbols) if claim.conclusion is not None else "")
        assert [h.latex for h in entry.hypotheses] == [latex(h.formula, claim.symbols) for h in claim.hypotheses]
        names = [m.name for m in entry.mutants]
        # With the value of an integral in its place an author's controls may hold elsewhere, and one is made.
        made = len(names) == 1 and names[0].startswith("made by the program: ")
        assert made or names in ([m.name for m in claim.mutants], [])
        assert (entry.title, entry.statement, entry.where) == (claim.title, claim.statement, claim.where)


def test_the_ten_weightiest_errata_are_drawn(ledger: Ledger) -> None:
    pictures = pictures_of(ledger)
    # That there is no constant at all is shown at no point that could be drawn.
    drawable = [claim for claim in errata(ledger.claims)[:10] if claim.quantifier == "forall"]
    assert len(drawable) >= 8
    for claim in drawable:
        (chapter, figure), *_ = pictures[claim.id]
        assert chapter.id == "errata-drawn"
        assert all(len(series.points) > 10 for series in figure.series)
        assert "It fails " in figure.caption


def test_the_ledger_holds_the_expected_verdicts(ledger: Ledger) -> None:
    expected = json.loads((ROOT / "derivations" / "expected.json").read_text(encoding="utf-8"))["verdicts"]
    assert {c.id: c.verdict for c in ledger.claims} == expected


def test_every_inventory_entry_is_answered(ledger: Ledger, paper: Paper) -> None:
    assert Counter(paper.sources.values()) == {
        "The Relative Gaussian Mechanism, versions 1 and 2": 406,
        "Differentially private machine learning, slides of June 2022": 65,
        "Analyzing and optimizing perturbation of DP-SGD geometrically": 97,
    }
    assert {e.id: e.source for e in ledger.entries} == dict(paper.sources)
    answered = {e.id: e.verdict for e in ledger.entries}
    assert [i for i in paper.inventory if answered.get(i, "unanswered") == "unanswered"] == []
    assert sorted(answered) == sorted(paper.inventory)


def test_every_positive_verdict_has_its_controls_and_two_families(ledger: Ledger) -> None:
    for claim in ledger.claims:
        if claim.verdict in ("proved", "certified"):
            assert claim.mutants, claim.id
            assert all(m.killed for m in claim.mutants), claim.id
            families = {f for e in claim.evidence if e.finding == "supports" for f in e.families}
            assert len(families - {"numpy"}) >= 2, claim.id


def test_every_refuted_claim_has_a_witness_with_a_certain_margin_and_an_explanation(ledger: Ledger) -> None:
    known = {c.id: c for c in ledger.claims}
    for claim in ledger.claims:
        if claim.verdict == "refuted" and not is_measured(claim):
            # That nothing exists has no witness: its negation is proved instead.
            shown = {e.kind for e in claim.evidence if e.finding == "refutes"}
            nothing_exists = claim.quantifier == "exists" and "SMT proof" in shown
            assert claim.witness is not None or nothing_exists, claim.id
            assert claim.category in get_args(Category), claim.id
            assert known[claim.corrected].verdict in ("proved", "certified"), claim.id


def test_every_refuted_claim_about_an_experiment_names_its_data_and_where_printed_what_holds_instead(
    ledger: Ledger,
) -> None:
    known = {c.id: c for c in ledger.claims}
    measured = [c for c in ledger.claims if is_measured(c)]
    assert measured
    for claim in measured:
        assert all(e.details["data"] and e.details["choices"] for e in claim.evidence), claim.id
        assert claim.verdict in ("supported", "refuted", "undecided"), claim.id
        if claim.verdict == "refuted":
            assert claim.witness is not None, claim.id
        if claim.verdict == "refuted" and claim.source != "beyond":
            assert claim.category in get_args(Category), claim.id
            assert known[claim.corrected].verdict in ("proved", "certified", "supported"), claim.id


def is_measured(claim: ClaimEntry) -> bool:
    """Tell whether a claim is about an experiment: judged on a record alone."""
    return {e.kind for e in claim.evidence} == {"measurement on stated data"}


@pytest.fixture(scope="module")
def rendered(committed_report: dict[str, bytes]) -> dict[str, bytes]:
    """The files of the report that are committed, as the committed ledger gives them."""
    return {name: content for name, content in committed_report.items() if not name.startswith("site/")}


def test_the_committed_pages_are_what_the_ledger_gives(rendered: dict[str, bytes]) -> None:
    here = {p.relative_to(REPORTS).as_posix(): p for p in REPORTS.rglob("*") if p.is_file()}
    assert {name for name in here if not name.startswith("site/")} == set(rendered)
    for name, content in rendered.items():
        assert here[name].read_bytes() == content, name


def test_no_page_is_too_long_for_a_code_host(rendered: dict[str, bytes]) -> None:
    """Pages beyond half a megabyte are cut there, and a first page should be read."""
    assert len(rendered["README.md"]) <= MAXIMUM_BYTES
    longest = {name: len(content) for name, content in rendered.items() if name.endswith(".md")}
    assert max(longest.values()) <= 400_000, longest


def test_every_claim_every_statement_and_every_chapter_has_exactly_one_page(
    ledger: Ledger, rendered: dict[str, bytes]
) -> None:
    pages = {name: content.decode() for name, content in rendered.items() if name.startswith("pages/")}
    anchors = Counter(anchor for text in pages.values() for anchor in re.findall(r'<a id="([^"]+)">', text))
    wanted = [slug(c.id) for c in ledger.claims] + [f"entry-{slug(e.id)}" for e in ledger.entries]
    assert anchors == Counter(wanted)
    for chapter in ledger.chapters:
        assert [name for name, text in pages.items() if f"\n# {sentence(chapter.title)}\n" in text] == [
            f"pages/chapter--{chapter.id}.md"
        ]


def test_every_link_of_the_committed_pages_leads_somewhere(rendered: dict[str, bytes], ledger: Ledger) -> None:
    outside = {link for source in ledger.sources for link in source.links.values()}
    pages = {name: content.decode() for name, content in rendered.items() if name.endswith(".md")}
    found = 0
    for name, text in pages.items():
        for path, anchor in re.findall(r"\]\(([^)#]*)(?:#([^)]+))?\)", text):
            if path.startswith("https://"):
                assert path in outside, (name, path)
                continue
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
            assert target in rendered, (name, path)
            assert not anchor or f'<a id="{anchor}">' in pages[target], (name, path, anchor)
            found += 1
    assert found > 1_000


def test_the_committed_certificates_replay_and_are_of_the_claims_as_they_stand(ledger: Ledger, paper: Paper) -> None:
    names = [(c.id, n) for c in ledger.claims for n in c.certificates]
    assert names
    for claim, name in names:
        found = replay(REPORTS / "certificates" / name)
        assert found.accepted, (name, found.reason)
        assert found.claim == claim
        recorded = json.loads((REPORTS / "certificates" / name).read_text(encoding="utf-8"))
        assert recorded["statement"] == statement_tree(paper.claims[claim])


def test_pasting_a_witness_into_python_shows_the_failure(ledger: Ledger, capsys: pytest.CaptureFixture[str]) -> None:
    for claim in ledger.claims:
        if claim.verdict == "refuted" and claim.witness is not None:
            saved = mpmath.mp.dps
            try:
                exec(claim.witness.snippet, {})
            finally:
                mpmath.mp.dps = saved
            assert capsys.readouterr().out.split()[-1] == "True", claim.id


def test_no_verdict_of_the_committed_ledger_is_stronger_than_what_it_rests_on(ledger: Ledger) -> None:
    rank = {verdict.value: WEAKEST_FIRST.index(verdict) for verdict in Verdict}
    verdicts = {entry.id: entry.verdict for entry in ledger.claims}
    stronger = [
        (entry.id, other)
        for entry in ledger.claims
        for other in entry.rests_on
        if entry.verdict not in ("refuted", "undecided") and rank[verdicts[other]] < rank[entry.verdict]
    ]
    assert stronger == []
    assert sum(bool(entry.rests_on) for entry in ledger.claims) > 200  # there is something to look at


def test_no_hypothesis_of_the_committed_ledger_is_justified_by_free_text(ledger: Ledger) -> None:
    ids = {entry.id for entry in ledger.claims}
    named = [
        (entry.id, hypothesis.name)
        for entry in ledger.claims
        for hypothesis in entry.hypotheses
        if any(word.strip(".,:;()`") in ids for word in hypothesis.where.split())
    ]
    assert named == []
    assert sum(bool(h.by) for entry in ledger.claims for h in entry.hypotheses) > 30


def test_a_page_says_at_its_top_that_coq_checked_a_theorem_by_hand(committed_report):
    said = {name for name, page in committed_report.items() if b"a theorem that is written by hand" in page}
    assert "site/claim/rgm--lemma-2.html" in said
    # Printed formulas that are refuted have such theorems as well, and nothing that checked them as true.
    assert not any("rgm-v1--theorem-1" in name or "rgm--theorem-2.html" in name for name in said)
