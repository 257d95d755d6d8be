"""The pages of the paper: nothing is said twice, every file has its place, and a page fits on a desk."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from pathlib import Path

import pytest

from rgm_verify.claims.claim import Claim
from rgm_verify.claims.formula import Formula, relations
from rgm_verify.claims.notation import names_in, spelled
from rgm_verify.claims.outcome.verdict import WEAKEST_FIRST, Verdict
from rgm_verify.claims.written.rendering import latex
from rgm_verify.engine.discovery import Paper

ROOT = Path(__file__).parents[3] / "derivations"
#: What relates two sides, in LaTeX.
_RELATES = re.compile(r"\\(le|ge|leq|geq|ne|preccurlyeq|succcurlyeq)\b|[=<>]")
#: Layout, which does not count when two formulas are compared.
_LAYOUT = re.compile(r"\\(left|right|big|Big|,|;|!|quad|displaystyle)|[{}\s&]|\\\\")


@pytest.fixture(scope="module")
def paper(committed_paper: Paper) -> Paper:
    return committed_paper


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


def test_the_order_names_files_of_claims_alone() -> None:
    order = tomllib.loads((ROOT / "paper.toml").read_text())["order"]
    assert [name for name in order if not (ROOT / name).is_file() or order.count(name) > 1] == []


#: The sections and appendices in a claim's place.
_PLACE = re.compile(r"(?:§|Section |Sec\. )(\d)|App(?:endix|\.) ([A-D])")


def places(claim: Claim) -> set[str]:
    return {section or appendix for section, appendix in _PLACE.findall(claim.where)}


#: The folders whose name is the first word of the ids in them.
_ROOMS = ("beyond", "slides", "geodp")


def misplaced(pages: Mapping[str, list[Claim]]) -> list[str]:
    """The claims outside of the folder that their id names, and the pages of the paper that answer nothing."""
    found = []
    for file, claims in pages.items():
        room = file.split("/")[0]
        printed = [claim for claim in claims if claim.refs]
        here = set().union(*map(places, printed))
        found += [file] if room in ("rgm", "slides", "geodp") and not printed else []
        for claim in claims:
            paper = claim.id.partition(":")[0]
            rooms = {"experiment": ["experiments"]}.get(paper, [paper if paper in _ROOMS else "rgm"])
            if paper == "beyond" and printed:
                rooms += ["rgm"] if places(claim) & here else []
                rooms += ["slides", "geodp"]
            found += [claim.id] if room not in rooms else []
    return found


def test_every_claim_stands_in_the_folder_that_its_id_names(paper: Paper) -> None:
    pages: dict[str, list[Claim]] = {}
    for claim in paper.claims.values():
        pages.setdefault(paper.files[claim.id], []).append(claim)
    assert misplaced(pages) == []


def test_a_misplaced_claim_is_found() -> None:
    from rgm_verify.claims import Page, ge

    page = Page("here", "§4.1")
    x = page.positive("x")
    printed = page.at("(1)", "A1").inequality("rgm:a", "A", ge(x + 1, 1))
    ours, elsewhere = (Page("here", where, page).inequality("beyond:b", "B", ge(x + 2, 1)) for where in ("§4.2", "§5"))
    assert misplaced({"rgm/a.py": [printed, ours], "beyond/b.py": [elsewhere]}) == []
    assert misplaced({"rgm/a.py": [printed, elsewhere]}) == ["beyond:b"]
    assert misplaced({"rgm/a.py": [ours]}) == ["rgm/a.py", "beyond:b"]
    assert misplaced({"beyond/a.py": [printed]}) == ["rgm:a"]
    other = page.at("(1)", "G1").inequality("geodp:a", "A", ge(x + 1, 1))
    assert misplaced({"geodp/a.py": [other, elsewhere]}) == []
    assert misplaced({"geodp/a.py": [elsewhere], "rgm/a.py": [printed, other]}) == ["geodp/a.py", "beyond:b", "geodp:a"]


def test_no_page_is_above_400_lines() -> None:
    lengths = {str(path.relative_to(ROOT)): path.read_text().count("\n") for path in ROOT.rglob("*.py")}
    assert {name: length for name, length in lengths.items() if length > 400} == {}


def test_a_measured_claim_of_a_source_answers_what_the_source_says(paper: Paper) -> None:
    """What a source saw in its own runs is counted among its statements, and no run of it beside them."""
    printed = {
        i: claim for i, claim in paper.claims.items() if claim.kind == "measurement" and claim.source != "beyond"
    }
    assert len(printed) > 10
    assert [i for i, claim in printed.items() if not claim.refs] == []


def grades(claims: Iterable[Claim], verdicts: Mapping[str, str]) -> dict[str, set[str]]:
    """What may be said of each entry: its weakest verdict, and with the categories of what is refuted."""
    found: dict[str, list[Claim]] = {}
    for claim in claims:
        for entry in claim.refs:
            found.setdefault(entry, []).append(claim)
    graded = {}
    for entry, answers in found.items():
        weakest = min((Verdict(verdicts[c.id]) for c in answers), key=WEAKEST_FIRST.index).value
        reasons = [c.category for c in answers if verdicts[c.id] == weakest and c.category]
        graded[entry] = {weakest, *(f"{weakest}, {reason}" for reason in reasons)}
    return graded


def like_cases(text: str) -> dict[str, str]:
    """The grade of each entry in the table of like cases; an entry may stand in one row only."""
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("| ")
    ]
    entries = [(entry, grade) for _, names, grade in rows[1:] for entry in names.split(", ")]
    assert len(dict(entries)) == len(entries)
    return dict(entries)


def test_like_cases_are_graded_alike(paper: Paper) -> None:
    verdicts = json.loads((ROOT / "expected.json").read_text())["verdicts"]
    graded = grades(paper.claims.values(), verdicts)
    table = like_cases((ROOT.parent / "docs/reading.md").read_text())
    assert len(table) > 20
    assert {entry: graded[entry] for entry, grade in table.items() if grade not in graded[entry]} == {}


def test_an_entry_that_is_graded_otherwise_is_found() -> None:
    from rgm_verify.claims import Page, gt

    page = Page("here")
    x = page.positive("x")
    wrong = page.at("", "A1 A2").remark("p:a", "T", gt(x, 1), mistake=("misprint", "p:b"))
    right = page.at("", "A2").remark("p:b", "T", gt(x, 0))
    graded = grades([wrong, right], {"p:a": "refuted", "p:b": "proved"})
    assert graded == {entry: {"refuted", "refuted, misprint"} for entry in ("A1", "A2")}
    table = like_cases(
        "| the case | entries | graded |\n|---|---|---|\n| one | A1, A3 | proved |\n| two | A2 | refuted |"
    )
    assert table == {"A1": "proved", "A3": "proved", "A2": "refuted"}
