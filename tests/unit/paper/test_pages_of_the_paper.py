"""The pages of the paper: nothing is said twice, every file has its place, and a page fits on a desk."""

from __future__ import annotations

import re
import statistics
import tomllib
from ast import ImportFrom, parse, walk
from difflib import SequenceMatcher
from pathlib import Path

import pytest

from rgm_verify.claims.claim import Claim
from rgm_verify.claims.formula import Formula, relations
from rgm_verify.claims.notation import names_in, spelled
from rgm_verify.claims.written.rendering import latex
from rgm_verify.engine.discovery import Paper, load

ROOT = Path(__file__).parents[3] / "derivations"
#: What relates two sides, in LaTeX.
_RELATES = re.compile(r"\\(le|ge|leq|geq|ne|preccurlyeq|succcurlyeq)\b|[=<>]")
#: Layout, which does not count when two formulas are compared.
_LAYOUT = re.compile(r"\\(left|right|big|Big|,|;|!|quad|displaystyle)|[{}\s&]|\\\\")


@pytest.fixture(scope="module")
def paper() -> Paper:
    return load(ROOT)


def plain(text: str) -> str:
    return _LAYOUT.sub("", re.sub(r"\\[td]frac", r"\\frac", text)).replace("\\|", "|").replace("\\Vert", "|")


def said_twice(claim: Claim) -> list[str]:
    """The formulas in a claim's sentence that say what its formula or a hypothesis says."""
    formulas: list[Formula] = [h.formula for h in claim.hypotheses]
    formulas += [claim.conclusion] if claim.conclusion is not None else []
    shown = [plain(latex(r, claim.symbols)) for f in formulas for r in relations(f)] + [plain(claim.printed)]
    typed = [plain(t) for t in re.findall(r"\$([^$]*)\$", claim.statement) if _RELATES.search(t)]
    return [t for t in typed if len(t) > 8 and any(SequenceMatcher(None, t, s).ratio() > 0.75 for s in shown if s)]


def test_no_sentence_types_a_formula_that_the_page_shows(paper: Paper) -> None:
    assert {i: found for i, claim in paper.claims.items() if (found := said_twice(claim))} == {}


def test_a_typed_formula_is_found() -> None:
    from rgm_verify.claims import Page, le, named

    page = Page("here")
    x, y = page.positive("x"), page.positive("y")
    both = le(named("S", x + y) ** 2, 2 * x**2 + 2 * y**2)
    assert said_twice(page.inequality("p:a", "T", both, r"For all: $S^2 \le 2x^{2} + 2\,y^2$."))
    assert not said_twice(page.inequality("p:a", "T", both, "The square of a sum."))


def test_a_name_means_one_thing_on_a_page(paper: Paper) -> None:
    twice = {}
    for claim in paper.claims.values():
        formulas = [h.formula for h in claim.hypotheses] + ([claim.conclusion] if claim.conclusion is not None else [])
        meanings: dict[str, set[object]] = {}
        for name in names_in(side for f in formulas for r in relations(f) for side in r.written):
            meanings.setdefault(name.title, set()).add(spelled(name.value))
        if found := sorted(title for title, values in meanings.items() if len(values) > 1):
            twice[claim.id] = found
    assert twice == {}


def test_every_file_of_claims_has_its_place_in_the_order(paper: Paper) -> None:
    order = tomllib.loads((ROOT / "paper.toml").read_text())["order"]
    assert sorted({paper.files[i] for i in paper.claims} - set(order)) == []


def test_pages_import_few_names() -> None:
    counts = [
        sum(len(node.names) for node in walk(parse(path.read_text())) if isinstance(node, ImportFrom))
        for folder in ("rgm", "beyond", "experiments")
        for path in (ROOT / folder).rglob("*.py")
    ]
    assert statistics.median(counts) <= 15
