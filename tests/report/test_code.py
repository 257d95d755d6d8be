"""A claim's page leads to the line of its file and to the paper; nothing that is committed changes with a line."""

from __future__ import annotations

from html import escape
from pathlib import Path
from types import ModuleType
from urllib.parse import quote

import msgspec
import pytest

from rgm_verify.claims.chapter import ChapterEntry
from rgm_verify.claims.outcome.ledger import EntryVerdict, Ledger, SourceEntry
from rgm_verify.report import render_report, write_report
from rgm_verify.report.about import about
from rgm_verify.report.code import CodePlaces, folder_beside
from rgm_verify.report.order import slug

PAPER = SourceEntry(title="The paper", links={"arXiv:1": "https://arxiv.org/abs/1"})
OTHER = SourceEntry(title="The other", links={"arXiv:2": "https://arxiv.org/abs/2"})


def test_the_page_of_each_claim_and_the_map_link_file_and_line(ledger: Ledger) -> None:
    code = CodePlaces("my claims", {c.id: 10 + place for place, c in enumerate(ledger.claims)})
    files = render_report(ledger, code=code)
    maps = "".join(content.decode() for name, content in files.items() if name.startswith("site/map/"))
    for claim in ledger.claims:
        page = files[f"site/claim/{slug(claim.id)}.html"].decode()
        address = f'href="../../../my%20claims/{quote(claim.file)}#L{code.lines[claim.id]}"'
        assert page.count(address) == 1, claim.id
        assert f"<code>my claims/{escape(claim.file)}:{code.lines[claim.id]}</code>" in page
        assert address in maps


def test_the_page_of_a_chapter_links_its_line(examples: ModuleType) -> None:
    chapter = ChapterEntry(id="one", title="One", summary="S.", file="chapters/one.py", blocks=[])
    ledger = msgspec.structs.replace(examples.ledger([examples.claim("x:one", "proved")]), chapters=[chapter])
    page = render_report(ledger, code=CodePlaces("c", {"@one": 3}))["site/chapter/one.html"].decode()
    assert 'href="../../../c/chapters/one.py#L3"' in page


def test_claims_that_are_elsewhere_are_named_and_not_linked(ledger: Ledger) -> None:
    claim = ledger.claims[0]
    page = render_report(ledger, code=CodePlaces("", {claim.id: 5}))[f"site/claim/{slug(claim.id)}.html"].decode()
    assert f'<code class="file">{claim.file}:5</code>' in page
    assert "#L" not in page


def test_a_line_changes_the_site_alone(ledger: Ledger) -> None:
    before, after = (
        {n: c for n, c in render_report(ledger, code=code).items() if not n.startswith("site/")}
        for code in (CodePlaces(), CodePlaces("c", {ledger.claims[0].id: 5}))
    )
    assert before == after


def test_a_report_is_written_again_when_a_line_has_changed(ledger: Ledger, tmp_path: Path) -> None:
    claim = ledger.claims[0]
    page = tmp_path / "report" / "site" / "claim" / f"{slug(claim.id)}.html"
    for line in (5, 6):
        code = CodePlaces("c", {claim.id: line})
        write_report(ledger, tmp_path / "report", memory=tmp_path / "memory.json", code=code)
        assert f"#L{line}" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("report", "claims", "found"),
    [
        ("here/reports", "here/derivations", "derivations"),
        ("here/reports", "here/papers/mine", "papers/mine"),
        ("here/reports", "elsewhere/derivations", ""),
        ("here/reports", "here/.venv/lib/claims", ""),
        ("here/reports", "here/env/site-packages/claims", ""),
        ("here/reports", "here", ""),
    ],
)
def test_only_claims_beside_the_report_are_linked(tmp_path: Path, report: str, claims: str, found: str) -> None:
    assert folder_beside(tmp_path / report, tmp_path / claims) == found


def test_the_address_in_a_written_report_leads_to_the_file(ledger: Ledger, tmp_path: Path) -> None:
    claim = ledger.claims[0]
    source = tmp_path / "claims" / claim.file
    source.parent.mkdir(parents=True)
    source.write_text("\n" * 4 + "claim\n", encoding="utf-8")
    report = tmp_path / "reports"
    code = CodePlaces(folder_beside(report, tmp_path / "claims"), {claim.id: 5})
    write_report(ledger, report, code=code)
    page = report / "site" / "claim" / f"{slug(claim.id)}.html"
    address = page.read_text(encoding="utf-8").partition('<a class="file" href="')[2].partition('"')[0]
    path, _, line = address.partition("#L")
    assert (page.parent / path).resolve() == source
    assert source.read_text(encoding="utf-8").splitlines()[int(line) - 1] == "claim"


def _entry(name: str, source: SourceEntry, *claims: str) -> EntryVerdict:
    """A statement of a source."""
    return EntryVerdict(
        id=name,
        source=source.title,
        claims=list(claims),
        verdict="proved",
        leans_on=[],
        refuted_below=[],
        corrected=[],
        scope="statement",
        outcome="stands",
    )


def test_every_page_of_a_claim_names_the_paper_that_it_is_about(examples: ModuleType) -> None:
    claim = examples.claim
    claims = [
        claim("x:printed", "proved", refs=["P1"], rests_on=["x:step"]),
        claim("x:step", "proved", leaned_on_by=["x:printed"], rests_on=["x:below"]),
        claim("x:below", "proved", leaned_on_by=["x:step"]),
        claim("x:wrong", "refuted", refs=["O1"], corrected="x:right"),
        claim("x:right", "proved"),
        claim("x:further", "proved", rests_on=["x:right", "x:printed"]),
        claim("x:circle", "proved", rests_on=["x:square"], leaned_on_by=["x:square"]),
        claim("x:square", "proved", rests_on=["x:circle"], leaned_on_by=["x:circle"]),
    ]
    entries = [_entry("P1", PAPER, "x:printed"), _entry("O1", OTHER, "x:wrong")]
    ledger = msgspec.structs.replace(examples.ledger(claims), entries=entries, sources=[PAPER, OTHER])
    found = {name: (printed, [s.title for s in sources]) for name, (printed, sources) in about(ledger).items()}
    assert found == {
        "x:printed": (True, ["The paper"]),
        "x:step": (False, ["The paper"]),
        "x:below": (False, ["The paper"]),
        "x:wrong": (True, ["The other"]),
        "x:right": (False, ["The other"]),
        "x:further": (False, ["The paper"]),
        "x:circle": (False, ["The paper", "The other"]),
        "x:square": (False, ["The paper", "The other"]),
    }
    files = render_report(ledger)
    for c in claims:
        page = files[f"site/claim/{slug(c.id)}.html"].decode()
        for source in (PAPER, OTHER):
            (url,) = source.links.values()
            assert (f'href="{url}"' in page) == (source.title in found[c.id][1]), c.id
