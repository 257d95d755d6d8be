"""The Markdown document: every claim, in words that a code host shows as meant."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest

from rgm_verify.claims.ledger import Ledger
from rgm_verify.report.markdown import markdown


@pytest.fixture(scope="module")
def text(report: Path) -> str:
    return (report / "README.md").read_text(encoding="utf-8")


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
        if line.startswith("| ") and width and not line.startswith(("| claim", "| verdict", "| result")):
            assert cells == width, line
        if not line.startswith("|"):
            width = 0


def test_hostile_text_is_escaped_and_formulas_hold_no_html(text: str):
    assert "<script>" not in text
    assert "&lt;script&gt;" in text
    for formula in re.findall(r"\$([^$\n]+)\$", text):
        assert "<" not in formula
        assert "|" not in formula


def test_a_refuted_claim_says_what_is_wrong_and_right(text: str):
    part = text.partition("## What is wrong")[2].partition("## What is undecided")[0]
    for wanted in (
        "**wrong constant**",
        "= 3/2",
        "[0.31830, 0.31831]",
        "beyond:theorem-1-corrected",
        "**certified**",
        "Claims that lean on it",
    ):
        assert wanted in part


def test_a_refuted_claim_says_what_leans_on_it_and_what_becomes_of_that(text: str):
    part = text.partition('<a id="rgm-v1--theorem-1">')[2].partition("###")[0]
    assert "What leans on it, and what becomes of that" in part
    assert "[`rgm-v1:lemma-10`](#rgm-v1--lemma-10): Theorem" not in part
    assert re.search(
        r"^- \[`rgm-v1:lemma-10`\].*\*\*stands: proved here without the refuted step\*\*", part, re.MULTILINE
    )
    assert re.search(r"^- through these, \*\*falls\*\*: \[`rgm-v1:corollary-2`\]", part, re.MULTILINE)


def test_the_main_results_are_told_with_what_becomes_of_them(text: str):
    assert "2 statements of the sources lean on a refuted one. What becomes of them: 1 falls; 1 stands" in text
    row = next(line for line in text.splitlines() if line.startswith("| [`rgm-v1:theorem-1`]"))
    assert (
        "| stands in a corrected form | [`beyond:theorem-1-corrected`](#beyond--theorem-1-corrected) (certified) |"
        in row
    )
    assert row.endswith("| none |")


def test_what_is_undecided_says_why(text: str):
    assert "ran out of its budget" in text.partition("## What is undecided")[2].partition("## Every claim")[0]


def test_links_lead_to_anchors(text: str):
    for anchor in re.findall(r"\]\(#([^)]+)\)", text):
        assert f'<a id="{anchor}">' in text, anchor


def test_anchors_are_unique(text: str):
    anchors = re.findall(r'<a id="([^"]+)">', text)
    assert len(anchors) == len(set(anchors))


def test_line_breaks_in_a_statement_do_not_break_the_table(examples: ModuleType):
    shown = markdown(examples.ledger([examples.claim("x:a", "proved", statement="one\ntwo | three\n\n# four")]))
    assert "| one two \\| three \\# four |" in shown
