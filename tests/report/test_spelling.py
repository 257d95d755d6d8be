"""A page has one form of each letter, the source's own where it shows what a source prints."""

from __future__ import annotations

import re

import pytest

from rgm_verify.claims.outcome.ledger import Ledger
from rgm_verify.report.consequences import Consequences
from rgm_verify.report.order import slug
from rgm_verify.report.texts.spelling import FORMS, in_html, in_markdown, pointed

#: Code, data and tags are shown letter by letter.
LITERAL = re.compile(r"<pre.*?</pre>|<code.*?</code>|<[^>]*>|```.*?```|`[^`\n]*`", re.DOTALL)


def forms(page: str) -> list[set[str]]:
    """The forms of each letter that a page has outside of code."""
    words = LITERAL.sub(" ", page)
    return [
        {
            name
            for name, character in zip(names, characters, strict=True)
            if character in words or re.search(rf"\\{name}(?![A-Za-z])", words)
        }
        for names, characters in FORMS.items()
    ]


def test_every_page_of_the_report_has_one_form_of_each_letter(committed_report: dict[str, bytes]) -> None:
    pages = {name: content.decode() for name, content in committed_report.items() if name.endswith((".md", ".html"))}
    assert len(pages) > 1000
    assert [name for name, page in pages.items() if any(len(found) > 1 for found in forms(page))] == []


def test_the_page_of_a_claim_has_the_form_of_its_source(
    committed_ledger: Ledger, committed_report: dict[str, bytes]
) -> None:
    consequences = Consequences(committed_ledger)
    seen = set()
    for claim in committed_ledger.claims:
        printed = " ".join(print_.formula for print_ in consequences.printed(claim))
        found = re.search(r"\\(var)?epsilon(?![A-Za-z])", printed)
        if found is not None:
            page = committed_report[f"site/claim/{slug(claim.id)}.html"].decode()
            kept, other = ("\u03b5", "\u03f5") if found[1] else ("\u03f5", "\u03b5")
            assert kept in LITERAL.sub(" ", page)
            assert other not in LITERAL.sub(" ", page)
            seen.add(kept)
    assert len(seen) == 2


@pytest.mark.parametrize("printed", [r"\epsilon", r"\varepsilon"])
def test_what_is_printed_decides_and_code_stays(printed: str) -> None:
    text = r"$\epsilon$ then $\varepsilon$, `\epsilon`, `\varepsilon`, $\varepsilonx$"
    assert in_markdown(text, [printed]) == rf"${printed}$ then ${printed}$, `\epsilon`, `\varepsilon`, $\varepsilonx$"
    kept = "\u03f5" if printed == r"\epsilon" else "\u03b5"
    page = '<p title="\u03b5">\u03f5\u03b5</p><pre>\u03f5\u03b5</pre>'
    assert in_html(page, [printed]) == f'<p title="\u03b5">{kept}{kept}</p><pre>\u03f5\u03b5</pre>'


def test_without_a_printed_formula_the_first_form_decides() -> None:
    assert in_markdown("$\\varphi$ and $\\phi$") == "$\\varphi$ and $\\varphi$"
    assert in_markdown("$\\phi$ alone") == "$\\phi$ alone"


def test_values_of_variables_are_formulas() -> None:
    assert pointed("fails at R_rel = 0, d = 3", ["R_rel", "d"]).count("$") == 4
    assert pointed("fails at x = 1, by 2/3", []) == "fails at x = 1, by 2/3"
    # A name within another one, or a value that goes on, is none.
    assert pointed("max = 3 and x = 2*y", ["x"]) == "max = 3 and x = 2*y"
