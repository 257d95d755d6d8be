"""The Markdown pages: every claim on one of them, in words that a code host shows as meant."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

from rgm_verify.claims.chapter import ChapterEntry, Paragraph
from rgm_verify.claims.outcome.ledger import Ledger, PrintedEntry
from rgm_verify.report import render_report
from rgm_verify.report.changes import changes
from rgm_verify.report.markdown.readme import MAXIMUM_BYTES
from rgm_verify.report.order import slug


@pytest.fixture(scope="module")
def pages(report: Path) -> dict[str, str]:
    """The text of every page by its name below the folder of the report."""
    found = [report / "README.md", *report.glob("pages/*")]
    return {p.relative_to(report).as_posix(): p.read_text(encoding="utf-8") for p in found}


@pytest.fixture(scope="module")
def text(pages: dict[str, str]) -> str:
    return "\n".join(pages.values())


@pytest.fixture(scope="module")
def page(pages: dict[str, str]) -> str:
    """The page with the first theorem."""
    return pages["pages/rgm-section-3.md"]


def test_every_claim_is_listed_with_its_verdict(text: str, ledger: Ledger):
    for claim in ledger.claims:
        verdict = r"\*\*REFUTED\*\*" if claim.verdict == "refuted" else claim.verdict
        assert re.search(rf"^\| .*`{re.escape(claim.id)}` \| {verdict} \|", text, flags=re.MULTILINE), claim.id


def test_every_table_row_has_as_many_cells_as_its_head(text: str):
    width = 0
    for line in text.splitlines():
        cells = len(re.findall(r"(?<!\\)\|", line))
        if line.startswith("|---"):
            width = cells
        if (
            line.startswith("| ")
            and width
            and not line.startswith(("| claim", "| verdict", "| result", "| judged", "| page", "| statement |"))
        ):
            assert cells == width, line
        if not line.startswith("|"):
            width = 0


def test_hostile_text_is_escaped_and_formulas_hold_no_html(text: str):
    assert "<script>" not in text
    assert "&lt;script&gt;" in text
    for formula in re.findall(r"\$([^$\n]+)\$", text):
        assert "<" not in formula
        assert "|" not in formula


def test_a_refuted_claim_says_what_is_wrong_and_right(page: str):
    part = page.partition("## What is wrong")[2].partition("## Every claim")[0]
    for wanted in (
        "**wrong constant**",
        "= 3/2",
        "[0.31830, 0.31831]",
        "beyond:theorem-1-corrected",
        "**certified**",
        "Claims that use it",
    ):
        assert wanted in part


def _erratum(examples: ModuleType, print_: PrintedEntry | None, **changes: Any) -> str:
    made = examples.claim("x:a", "refuted", title="A title", category="false", refs=["P1"], **changes)
    found = msgspec.structs.replace(
        examples.ledger([made]), entries=[examples.entry("P1", "falls", ["x:a"], printed=print_)]
    )
    files = render_report(found)
    return files["pages/rgm-section-3.md"].decode()


def test_what_is_printed_our_words_and_what_is_judged_stand_apart(examples: ModuleType):
    printed = PrintedEntry(place="Section 4, (5)", formula=r"\epsilon = 2", note="The root may end later.")
    text = _erratum(examples, printed, statement="Our words.", formula="x < y", printed="x = 1")
    part = text.partition("## What is wrong")[2]
    assert "*Printed* (Section 4, (5)):\n\n$$\\epsilon = 2$$\n\nThe root may end later." in part
    assert "*In our words:* Our words.\n\n*Judged is:*\n\n$$x \\lt y$$" in part
    # An author's hand does not stand in for the source.
    assert "x = 1" not in part


def test_a_statement_that_the_source_has_in_words_only_shows_no_formula_as_printed(examples: ModuleType):
    text = _erratum(examples, PrintedEntry(place="Section 4"), statement="Our words.", formula="x < y", printed="x = 1")
    assert "*Printed* (Section 4): words only, no formula.\n\n*In our words:* Our words.\n\n$$x = 1$$" in text
    unknown = _erratum(examples, None, statement="Our words.", formula="x < y")
    assert "*Printed*" not in unknown
    assert "*In our words:* Our words." in unknown


@pytest.mark.parametrize("committed", [False, True])
def test_code_hosts_refuse_no_formula(examples: ModuleType, committed_report: dict[str, bytes], committed: bool):
    """They show a red text in the place of a formula with one of these."""
    report = committed_report if committed else render_report(examples.ledger())
    pages = [content.decode() for name, content in report.items() if name.endswith(".md")]
    for refused in ("operatorname", "mbox", "phantom", "newcommand", "require", "href", "style", "class{"):
        assert not any("\\" + refused in page for page in pages), refused
    assert any(r"\mathrm{erf}" in page for page in pages)


def test_a_refuted_claim_says_what_leans_on_it_and_what_becomes_of_that(page: str):
    part = page.partition('<a id="rgm-v1--theorem-1">')[2].partition("###")[0]
    assert "Later results that use it, and whether they survive" in part
    assert "[`rgm-v1:lemma-10`](rgm-appendix-a.md#rgm-v1--lemma-10): Theorem" not in part
    assert re.search(r"^- \[`rgm-v1:lemma-10`\].*\*\*still true, by another proof\*\*", part, re.MULTILINE)
    assert re.search(r"^- through these, \*\*lost\*\*: \[`rgm-v1:corollary-2`\]", part, re.MULTILINE)


def test_the_main_results_are_told_with_what_becomes_of_them(pages: dict[str, str]):
    text = pages["README.md"]
    assert "2 statements of the sources use a false one: 1 lost; 1 still true, by another proof" in text
    row = next(line for line in text.splitlines() if line.startswith("| [`rgm-v1:theorem-1`]"))
    assert (
        "| true after correction | "
        "[`beyond:theorem-1-corrected`](pages/beyond-other.md#beyond--theorem-1-corrected) (certified) |" in row
    )
    assert row.endswith("| none |")


def test_what_is_undecided_says_why(pages: dict[str, str]):
    (page,) = (text for name, text in pages.items() if name.startswith("pages/slides"))
    assert "ran out of its budget" in page.partition("## What is undecided")[2].partition("## Every claim")[0]


def links(name: str, text: str) -> list[str]:
    """Every relative link of a page, from the folder of the report, with its anchor."""
    found = []
    for link in re.findall(r"\]\(([^)#]*(?:#[^)]+)?)\)", text):
        path, _, anchor = link.partition("#")
        place = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
        found.append(f"{place}#{anchor}" if anchor else place)
    return found


def test_every_link_leads_somewhere(pages: dict[str, str], report: Path):
    for name, text in pages.items():
        for link in links(name, text):
            target, _, anchor = link.partition("#")
            assert (report / target).is_file(), (name, link)
            assert not anchor or f'<a id="{anchor}">' in pages[target], (name, link)


def test_the_first_page_leads_to_every_other_and_each_leads_back(pages: dict[str, str]):
    assert {link for link in links("README.md", pages["README.md"]) if "#" not in link} >= set(pages) - {"README.md"}
    for name, text in pages.items():
        assert name == "README.md" or "README.md" in links(name, text)


def test_every_claim_and_every_statement_is_on_exactly_one_page(pages: dict[str, str], ledger: Ledger):
    anchors = Counter(anchor for text in pages.values() for anchor in re.findall(r'<a id="([^"]+)">', text))
    assert anchors == Counter(
        [slug(claim.id) for claim in ledger.claims] + [f"entry-{slug(entry.id)}" for entry in ledger.entries]
    )


def test_a_chapter_has_a_page(examples: ModuleType):
    chapter = ChapterEntry(
        id="own", title="A chapter", summary="Short.", file="a.py", blocks=[Paragraph(text="Words.")]
    )
    ledger = msgspec.structs.replace(examples.ledger([examples.claim("x:a", "proved")]), chapters=[chapter])
    files = render_report(ledger)
    assert b"# A chapter\n" in files["pages/chapter--own.md"]
    assert b"[A chapter](pages/chapter--own.md)" in files["README.md"]


def test_line_breaks_in_a_statement_do_not_break_the_table(examples: ModuleType):
    shown = render_report(examples.ledger([examples.claim("x:a", "proved", statement="one\ntwo | three\n\n# four")]))[
        "pages/rgm-section-3.md"
    ].decode()
    assert "| one two \\| three \\# four |" in shown


def test_the_first_page_stays_short_whatever_there_is_to_say(examples: ModuleType):
    """Thousands of refuted theorems in as many sections; what is left out is counted, and stands on its page."""
    many = [
        examples.claim(f"x:{n}", "refuted", where=f"Section {n % 400}", title="A title that is rather long " * 3)
        for n in range(3_000)
    ]
    before = examples.ledger([examples.claim(f"x:{n}", "proved") for n in range(3_000)])
    ledger = examples.ledger(many)
    files = render_report(ledger, since=changes(before, ledger))
    assert len(files["README.md"]) <= MAXIMUM_BYTES
    assert b"more, on the pages of the sections" in files["README.md"]
    assert b"x:2999`" in files["pages/rgm-section-199.md"]


def test_the_first_page_says_what_changed_and_links_what_is_still_there(examples: ModuleType):
    before = examples.ledger([examples.claim("x:a", "proved"), examples.claim("x:b", "proved")])
    after = examples.ledger([examples.claim("x:a", "refuted"), examples.claim("x:c", "supported")])
    files = render_report(after, since=changes(before, after))
    part = files["README.md"].decode().partition("## What changed")[2].partition("##")[0]
    assert "1 other verdict, 1 new claim, 1 gone, 0 with another formula" in part
    assert "- proved → **refuted**: [`x:a`](pages/rgm-section-3.md#x--a): a" in part
    assert "- gone (was proved): `x:b`" in part
    assert "- new (supported): [`x:c`]" in part
    assert "What changed" not in render_report(after)["README.md"].decode()
    assert "changes.json" in files
    assert "changes.json" not in render_report(after)


def test_the_first_page_counts_by_source_where_there_are_several(examples: ModuleType):
    claims = [examples.claim(f"x:{n}", "refuted") for n in range(6)]
    ledger = examples.ledger(claims)
    alone = render_report(ledger)["README.md"].decode().partition("| source |")[2].partition("\n\n")[0].splitlines()
    assert len(alone) == 3
    assert alone[2].startswith(f"| **{ledger.title}** | {len(ledger.entries)} |")
    first, *others = ledger.entries
    named = [msgspec.structs.replace(e, source="Slides | B" if others else "") for e in others]
    found = msgspec.structs.replace(ledger, entries=[msgspec.structs.replace(first, source="Paper A"), *named])
    page = render_report(found)["README.md"].decode()
    table = page.partition("| source |")[2].partition("\n\n")[0].splitlines()
    assert table[2].startswith("| **Paper A** | 1 |")
    assert table[3].startswith(rf"| **Slides \| B** | {len(others)} |")
    assert len(table) == 4
