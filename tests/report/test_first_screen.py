"""The first screen says what is wrong: five errors, a picture, counts, the same on every front page."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape
from pathlib import Path

import msgspec
import pytest

from rgm_verify.claims.outcome.ledger import Ledger
from rgm_verify.errors import InputError
from rgm_verify.report.consequences import Consequences
from rgm_verify.report.front import bridge, first_answers, first_errors, front, lead_figure
from rgm_verify.report.instead import instead, same
from rgm_verify.report.markdown.first import PICTURE, filled
from rgm_verify.report.order import GROUPS, errata

ROOT = Path(__file__).resolve().parents[2]


def test_every_erratum_says_in_words_what_is_wrong(committed_ledger: Ledger) -> None:
    assert [c.id for c in errata(committed_ledger.claims) if not c.in_words] == []
    assert [c.id for c in committed_ledger.claims if c.in_words and c.verdict != "refuted"] == []


def test_no_erratum_shows_the_same_formula_as_printed_and_as_right(committed_ledger: Ledger) -> None:
    consequences = Consequences(committed_ledger)
    conditions = 0
    for claim in errata(committed_ledger.claims):
        right, prints = consequences.known.get(claim.corrected), consequences.printed(claim)
        if right is None:
            continue
        shown = instead(claim, right, prints)
        for other in (claim.formula, claim.printed, *(print_.formula for print_ in prints)):
            assert not other or not same(shown, other), claim.id
        conditions += shown != (right.printed or right.formula)
    # Some would be equal without what differs in their conditions.
    assert conditions >= 5


def test_no_name_is_explained_by_itself(committed_ledger: Ledger) -> None:
    for claim in committed_ledger.claims:
        titles = sorted((n.latex for n in claim.names), key=len, reverse=True)
        for name in claim.names:
            value = name.value
            for longer in (t for t in titles if len(t) > len(name.latex)):
                value = value.replace(longer, " ")
            own = re.escape(name.latex)
            assert not re.search(rf"(?<![A-Za-z\\]){own}(?![A-Za-z_^'])", value), (claim.id, name)


def test_five_errors_stand_first_the_current_version_before_the_superseded_one(committed_ledger: Ledger) -> None:
    found = first_errors(committed_ledger)
    assert len(found) == 5
    versions = [error.claim.source for error in found if error.claim.source.startswith("rgm")]
    assert versions == sorted(versions, key=lambda source: "v2" not in source)
    for error in found:
        assert error.claim.in_words
        assert error.right is not None
        assert error.right.verdict in ("proved", "certified")
        assert error.right_by
        assert not same(error.block.printed, error.block.right)
        assert re.search(r"\d", error.block.apart)


def test_the_first_screen_prints_what_the_source_prints(committed_ledger: Ledger) -> None:
    bare = re.compile(r"\\(?:left|right)(?![A-Za-z])|[\s&]")
    prints = [bare.sub("", e.printed.formula) for e in committed_ledger.entries if e.printed is not None]
    for error in first_errors(committed_ledger):
        assert any(bare.sub("", error.block.printed) in formula for formula in prints), error.block.name


def test_an_error_whose_claim_is_no_longer_refuted_is_not_shown(committed_ledger: Ledger) -> None:
    gone = first_errors(committed_ledger)[0].claim.id
    claims = [msgspec.structs.replace(c, verdict="proved") if c.id == gone else c for c in committed_ledger.claims]
    found = first_errors(msgspec.structs.replace(committed_ledger, claims=claims))
    assert gone not in [error.claim.id for error in found]
    assert len(found) == 4


def test_the_readme_of_the_repository_has_the_first_screen_of_the_committed_ledger(committed_ledger: Ledger) -> None:
    """If this fails: `rgm-verify report --from reports/ledger --readme README.md`."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert filled(readme, committed_ledger, "reports/") == readme
    assert readme.index("Theorem 2") < readme.index("<!-- ci: verify -->") < readme.index(f"reports/{PICTURE}")


def test_a_readme_without_a_place_for_it_is_refused(committed_ledger: Ledger) -> None:
    with pytest.raises(InputError, match="first: errors"):
        filled("# Mine\n", committed_ledger, "")


def test_every_front_page_begins_with_the_errors_in_words(
    committed_ledger: Ledger, committed_report: dict[str, bytes]
) -> None:
    page, site = committed_report["README.md"].decode(), committed_report["site/index.html"].decode()
    for text, first in ((page, "| source |"), (site, "<table")):
        head = text[: text.index(first)]
        for error in first_errors(committed_ledger):
            assert re.search(re.escape(re.split(r"[,:$(]", error.claim.in_words)[0]), head), error.claim.id
        assert bridge(committed_ledger) in text
    assert page.index(f"]({PICTURE})") < page.index("| source |")


def test_an_answer_stands_beside_the_errors_as_long_as_its_claim_is_proved(
    committed_ledger: Ledger, committed_report: dict[str, bytes]
) -> None:
    (found,) = first_answers(committed_ledger)
    assert found.claim.verdict == "proved"
    assert found.by
    for name in ("README.md", "site/index.html"):
        assert found.block.question in unescape(committed_report[name].decode())
    assert found.block.question in (ROOT / "README.md").read_text()
    claims = [
        msgspec.structs.replace(c, verdict="supported") if c.id == found.claim.id else c
        for c in committed_ledger.claims
    ]
    assert first_answers(msgspec.structs.replace(committed_ledger, claims=claims)) == []


def test_the_picture_is_smooth_and_every_curve_bears_its_name(
    committed_ledger: Ledger, committed_report: dict[str, bytes]
) -> None:
    lead = lead_figure(committed_ledger.chapters)
    assert lead is not None
    svg = committed_report[PICTURE].decode()
    lines = re.findall(r'<polyline class="line"[^>]* points="([^"]*)"', svg)
    assert len(lines) == len(lead[1].series) == 3
    assert all(len(line.split()) > 100 for line in lines)
    for series in lead[1].series:
        assert f">{series.name}</text>" in svg
    assert svg.count('class="label"') == 3
    # The exact divergence is above what was printed, at the end.
    ends = {s.name: s.points[-1] for s in lead[1].series}
    assert float(ends["exact"][1]) > float(ends["printed in version 1"][2])


def test_every_statement_of_the_sources_has_a_kind(committed_ledger: Ledger) -> None:
    known = {kind for kinds in GROUPS.values() for kind in kinds}
    assert [e.id for e in committed_ledger.entries if e.kind not in known] == []


def test_groups_count_every_statement_once(committed_ledger: Ledger) -> None:
    for one in front(committed_ledger):
        assert set(one.groups) <= set(GROUPS)
        assert sum(one.groups.values(), Counter()) == one.counts


def test_what_a_source_saw_in_its_own_runs_is_in_the_first_table(committed_ledger: Ledger) -> None:
    groups = [one.groups.get("claims about experiments", Counter()) for one in front(committed_ledger)]
    assert sum(counts["reproduced"] for counts in groups) > 10
    assert all(set(counts) <= {"reproduced", "not reproduced", "not measured", "open"} for counts in groups)


def test_theorems_are_counted_apart_from_definitions_and_sentences(committed_report: dict[str, bytes]) -> None:
    page, site = committed_report["README.md"].decode(), committed_report["site/index.html"].decode()
    for name in GROUPS:
        assert re.search(rf"\| {name} \| \d+ \|", page), name
        assert f'<th scope="row">{name}</th>' in site
