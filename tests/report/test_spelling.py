"""A page has one form of each letter, the source's own where it shows what a source prints."""

from __future__ import annotations

import re
from contextlib import suppress
from xml.etree import ElementTree

import pytest

from rgm_verify.claims.outcome.ledger import Ledger
from rgm_verify.report.consequences import Consequences
from rgm_verify.report.order import slug
from rgm_verify.report.texts.escaped import sentence
from rgm_verify.report.texts.latex import symbol_latex
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


#: A name with an index that is a word, in LaTeX or escaped in the text of Markdown.
INDEXED = re.compile(r"(\\?[A-Za-z]+|[α-ωΑ-Ω])\\?_(\{(?:[^{}]|\{[^{}]*\})*\}|\\[a-z]+|[A-Za-z]+)")
SCRIPTS = re.compile(r"<(msub|msubsup)>.*?</\1>", re.DOTALL)


def test_a_name_with_an_index_has_one_spelling_on_a_page_of_markdown(committed_report: dict[str, bytes]) -> None:
    several, seen = {}, 0
    for name, content in committed_report.items():
        if name.startswith("pages/") and "chapter--" not in name:
            found: dict[tuple[str, str], set[str]] = {}
            # In a title a name is text.
            for match in INDEXED.finditer(LITERAL.sub(" ", re.sub(r"(?m)^#.*$", "", content.decode()))):
                word = re.sub(r"\\(?:mathrm|operatorname|text|rm)(?![A-Za-z])|[{}\\ ]", "", match[2])
                if len(word) > 2 and word.isalpha():
                    found.setdefault((match[1].strip("\\"), word), set()).add(match[0])
            seen += len(found)
            several |= {(name, *key): forms for key, forms in found.items() if len(forms) > 1}
    assert several == {}
    assert seen > 50


def test_a_name_with_an_index_looks_the_same_in_all_formulas_of_a_page(committed_report: dict[str, bytes]) -> None:
    several, seen = {}, 0
    for name, content in committed_report.items():
        if name.endswith(".html"):
            found: dict[tuple[str, str], set[str]] = {}
            for match in SCRIPTS.finditer(content.decode()):
                with suppress(ElementTree.ParseError):
                    base, index, *_ = ElementTree.fromstring(match[0])
                    letters = "".join(index.itertext())
                    if letters.isalpha():
                        # A row of one letter is that letter.
                        index = index[0] if index.tag == "mrow" and len(index) == 1 else index
                        form = ElementTree.tostring(index, encoding="unicode")
                        found.setdefault(("".join(base.itertext()), letters), set()).add(form)
            seen += len(found)
            several |= {(name, *key): forms for key, forms in found.items() if len(forms) > 1}
    assert several == {}
    assert seen > 1000


def test_an_index_that_is_a_word_is_upright_however_it_is_written() -> None:
    for latex in (r"R_{rel}", r"R_{\rm rel}", r"R_\mathrm{rel}", r"R_{\text{rel}}", symbol_latex("R_rel")):
        assert sentence(f"${latex}$") == r"$R_{\mathrm{rel}}$", latex
    assert sentence(r"$\theta_\star$, $x_{star}$, $a_{ij}$") == r"$\theta_{\star}$, $x_{\star}$, $a_{ij}$"


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
