"""The written site as a reader meets it: complete, linked, without raw LaTeX, the same every time."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType

import jsonschema
import msgspec
import pytest

from rgm_verify.claims.outcome.ledger import Ledger, encode
from rgm_verify.claims.outcome.ledger_files import FOLDER, read_ledger
from rgm_verify.report import ReportError, render_report, write_report
from rgm_verify.report.changes import Changes, changes
from rgm_verify.report.markdown.division import Pages
from rgm_verify.report.order import VERDICTS, by_place, errata, in_order, place_order, section, slug

VOID = frozenset(("base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"))
CODE = frozenset(("code", "pre", "style", "script"))


class Page(HTMLParser):
    """The parts of a page that tests need: its links, ids, visible text outside of code, and whether its tags nest."""

    def __init__(self, path: Path) -> None:
        super().__init__(convert_charrefs=True)
        self.links: list[str] = []
        self.ids: list[str] = []
        self.text = ""
        self.scripts = 0
        self.open: list[str] = []
        self.faults: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(path.read_text(encoding="utf-8"))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._seen(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._seen(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()}")

    def handle_data(self, data: str) -> None:
        if not CODE & set(self.open):
            self.text += data

    def _seen(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        tag = "svg-title" if tag == "title" and "svg" in self.open else tag
        self.tags.append((tag, values))
        self.scripts += tag == "script"
        if found := values.get("id"):
            self.ids.append(found)
        for name in ("href", "src"):
            if (target := values.get(name)) is not None:
                self.links.append(target)


@pytest.fixture(scope="module")
def pages(report: Path) -> dict[Path, Page]:
    return {path: Page(path) for path in sorted((report / "site").rglob("*.html"))}


def test_two_reports_of_one_ledger_are_the_same_bytes(ledger: Ledger, tmp_path: Path):
    first, second = tmp_path / "first", tmp_path / "second" / "deeper"
    for folder in (first, second):
        write_report(ledger, folder)
    contents = [{p.relative_to(f): p.read_bytes() for p in f.rglob("*") if p.is_file()} for f in (first, second)]
    assert contents[0] == contents[1]


_DIGEST = """
import hashlib, sys
sys.path.insert(0, sys.argv[1])
import fixture
from rgm_verify.report import render_report
files = render_report(fixture.ledger())
print(hashlib.sha256(b"".join(name.encode() + files[name] for name in sorted(files))).hexdigest())
"""


def test_a_report_does_not_depend_on_the_order_of_sets(root: Path):
    digests = set()
    for seed in ("0", "1", "2"):
        command = [sys.executable, "-c", _DIGEST, str(Path(__file__).parent)]
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(root)}
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        digests.add(done.stdout)
    assert len(digests) == 1


def test_a_report_names_no_place_of_the_machine(report: Path):
    for path in report.rglob("*"):
        if path.is_file():
            assert str(report).encode() not in path.read_bytes(), path
            assert os.fsencode(Path.cwd()) not in path.read_bytes(), path


def test_every_claim_has_a_page_and_a_row(report: Path, pages: dict[Path, Page], ledger: Ledger):
    listed = _rows((report / "site" / "claims.js").read_text(encoding="utf-8"))
    assert [row["id"] for row in listed] == [c.id for page in Pages(ledger) for c in in_order(page.claims)]
    assert len(listed) == len(ledger.claims)
    rows = {row["id"]: row for row in listed}
    mapped = Counter(link for path, page in pages.items() if path.parent.name == "map" for link in set(page.links))
    for claim in ledger.claims:
        page = f"claim/{slug(claim.id)}.html"
        assert (report / "site" / page).is_file()
        row = rows[claim.id]
        assert (row["file"] or claim.id.replace(":", "--")) == slug(claim.id)
        assert (row["verdict"], row["source"], row["where"]) == (claim.verdict, claim.source, claim.where)
        assert mapped[f"../{page}"] == 1


def _rows(script: str) -> list[dict[str, str]]:
    """The rows that the page of all claims searches, each by the names of the columns."""
    found = re.fullmatch(r'"use strict";\nconst columns = (.*);\nconst claims = (.*);\n', script, re.DOTALL)
    assert found
    columns, claims = json.loads(found[1]), json.loads(found[2])
    return [dict(zip(columns, row, strict=True)) for row in claims]


def test_every_erratum_stands_on_one_page_and_in_the_list_of_all(report: Path, pages: dict[Path, Page], ledger: Ledger):
    listed = pages[report / "site" / "errata.html"].links
    told = Counter(anchor for path, page in pages.items() if path.parent.name == "errata" for anchor in page.ids)
    refuted = errata(ledger.claims)
    assert refuted
    for claim in refuted:
        assert told[slug(claim.id)] == 1
        assert len([link for link in listed if link.endswith(f"#{slug(claim.id)}")]) == 1


def test_every_link_leads_to_a_file_and_an_anchor(report: Path, pages: dict[Path, Page]):
    for path, page in pages.items():
        for link in page.links:
            if link.startswith("data:"):
                continue
            target, _, anchor = link.partition("#")
            reached = (path.parent / target).resolve() if target else path
            assert reached.is_file(), f"{path.name}: {link}"
            assert report.resolve() in reached.parents, f"{path.name}: {link} leaves the report"
            if anchor and "=" not in anchor:
                assert anchor in pages[reached if target else path].ids, f"{path.name}: {link}"


def test_nothing_is_fetched_from_elsewhere(report: Path):
    for path in (report / "site").rglob("*"):
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"https?://|url\(|@import|src=\"//", text), path


def test_tags_nest_and_ids_are_unique(pages: dict[Path, Page]):
    for path, page in pages.items():
        assert not page.faults, (path, page.faults)
        assert not page.open, (path, page.open)
        assert len(page.ids) == len(set(page.ids)), path


def test_the_checks_see_bad_pages(tmp_path: Path):
    bad = tmp_path / "bad.html"
    bad.write_text(r'<p id="a"><b>x</p><p id="a">\alpha $x$ <code>\hidden</code> <a href="none.html">y</a>')
    page = Page(bad)
    assert page.faults
    assert page.ids == ["a", "a"]
    assert page.links == ["none.html"]
    assert r"\alpha $x$" in page.text
    assert "hidden" not in page.text


def test_no_raw_latex_is_visible(pages: dict[Path, Page]):
    for path, page in pages.items():
        text = page.text.replace("costs $5", "")  # the one dollar sign that a statement means
        assert "$" not in text, (path, text[max(0, text.find("$") - 60) :][:120])
        assert not (found := re.search(r"\\[A-Za-z{}|,;]", text)), (path, found)


def test_hostile_text_stays_text(pages: dict[Path, Page]):
    for path, page in pages.items():
        assert page.scripts == (2 if path.name == "claims.html" else 1), path
        assert not [tag for tag, _ in page.tags if tag == "b"], path
    shown = next(page for path, page in pages.items() if path.stem == "rgm-v1--lemma-2")
    assert '<script>alert("x")</script> & <b>bold</b>' in shown.text
    assert "ünïcödé ∀ε" in shown.text


def test_every_page_has_language_title_viewport_landmarks_and_one_heading(pages: dict[Path, Page]):
    for path, page in pages.items():
        tags = [tag for tag, _ in page.tags]
        assert ("html", {"lang": "en"}) in page.tags, path
        assert tags.count("h1") == tags.count("main") == tags.count("title") == 1, path
        assert "nav" in tags, path
        assert "footer" in tags, path
        assert any(tag == "meta" and values.get("name") == "viewport" for tag, values in page.tags), path
        for tag, values in page.tags:
            assert tag != "svg" or values.get("aria-label") or values.get("aria-hidden") or "class" in values, path


def test_header_cells_say_what_they_head(pages: dict[Path, Page]):
    for path, page in pages.items():
        assert all(values.get("scope") in ("col", "row") for tag, values in page.tags if tag == "th"), path


def test_a_refuted_claim_shows_witness_snippet_margin_correction_and_what_leaned_on_it(report: Path):
    text = (report / "site/claim/rgm-v1--theorem-1.html").read_text(encoding="utf-8")
    for wanted in ("mp.dps = ", "[0.31830, 0.31831]", "beyond--theorem-1-corrected.html", "rgm-v1--corollary-2.html"):
        assert wanted in text
    assert "wrong constant" in text
    assert "not refuted" in text


def test_a_claim_that_a_text_names_is_a_link(examples: ModuleType):
    named = "as `x:two`, x:two. and (x:two); not x:three, 12:30, ax:two or x:two-b"
    claims = [examples.claim("x:one", "proved", remark=named), examples.claim("x:two", "proved")]
    page = render_report(examples.ledger(claims))["site/claim/x--one.html"].decode()
    remark = page.partition('<p class="remark">')[2].partition("</p>")[0]
    link = '<a href="../claim/x--two.html"><code class="id">x:two</code></a>'
    assert remark == f"as {link}, {link}. and ({link}); not x:three, 12:30, ax:two or x:two-b"


def test_an_erratum_says_how_the_printed_words_were_read(report: Path):
    text = (report / "site/errata/rgm-section-3.html").read_text(encoding="utf-8")
    assert "“Slightly” is read as: by at most a tenth." in text
    assert "*Read as:* “Slightly” is read as" in (report / "pages" / "rgm-section-3.md").read_text(encoding="utf-8")


def test_a_snippet_is_shown_as_it_is_written(report: Path, ledger: Ledger):
    text = (report / "site/claim/rgm-v1--theorem-1.html").read_text(encoding="utf-8")
    witness = next(c.witness for c in ledger.claims if c.id == "rgm-v1:theorem-1")
    assert witness is not None
    assert "gamma_ = mpf(1) / mpf(8)" in witness.snippet
    assert "gamma_ < eta_ else" in witness.snippet
    escaped = (
        witness.snippet.strip().replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&#34;")
    )
    assert escaped in text


def test_a_certificate_that_is_not_there_is_not_linked(pages: dict[Path, Page]):
    page = next(page for path, page in pages.items() if path.stem == "beyond--theorem-1-corrected")
    assert "../../certificates/theorem-1-corrected.json" in page.links
    assert not [link for link in page.links if "absent.json" in link]
    assert "absent.json (not in this folder)" in " ".join(page.text.split())


def test_the_published_schema_accepts_the_ledger_and_refuses_a_wrong_one(report: Path, ledger: Ledger):
    schema = json.loads((report / "ledger.schema.json").read_bytes())
    jsonschema.Draft202012Validator.check_schema(schema)
    whole = json.loads(encode(ledger))
    parts = [json.loads(path.read_bytes()) for path in (report / FOLDER).rglob("*.json")]
    for data in (whole, *parts):
        jsonschema.validate(data, schema)
    assert read_ledger(report / FOLDER) == ledger
    del whole["claims"][0]["verdict"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(whole, schema)


@pytest.mark.parametrize("verdict", VERDICTS)
def test_a_ledger_of_one_claim_can_be_shown(examples: ModuleType, verdict: str):
    files = render_report(examples.ledger([examples.claim("x:one", verdict)]))
    assert "site/claim/x--one.html" in files
    assert "1 claim, 1 of them our own" in files["site/index.html"].decode()


def test_an_empty_ledger_can_be_shown(examples: ModuleType):
    files = render_report(examples.ledger([]))
    assert "<p>0 claims.</p>" in files["site/index.html"].decode()
    assert "Nothing is refuted." in files["README.md"].decode()


def test_a_formula_without_rendering_is_refused_by_name(examples: ModuleType):
    bad = [
        examples.claim("x:one", "proved", formula=r"\frac{1}{2} \nosuchthing{x}"),
        examples.claim("x:two", "proved", statement="half a formula $x"),
    ]
    with pytest.raises(ReportError) as caught:
        render_report(examples.ledger(bad))
    message = str(caught.value)
    assert r"x:one: formula: '\\nosuchthing' is not understood: \frac{1}{2} \nosuchthing{x}" in message
    assert "x:two: statement: a dollar sign opens a formula and none closes it" in message


def test_counts_that_do_not_add_up_are_refused(ledger: Ledger):
    wrong = msgspec.structs.replace(ledger, counts=ledger.counts | {"proved": 99})
    with pytest.raises(ReportError, match=r"counts\['proved'\]=99, but the ledger lists 2"):
        render_report(wrong)


def test_claims_of_one_id_and_unknown_verdicts_are_refused(examples: ModuleType):
    twins = [examples.claim("x:one", "proved"), examples.claim("x:one", "believed")]
    with pytest.raises(ReportError) as caught:
        render_report(examples.ledger(twins))
    assert "2 claims share this page" in str(caught.value)
    assert "verdict='believed': allowed are proved" in str(caught.value)


def test_the_first_page_says_what_changed(examples: ModuleType):
    before = examples.ledger(
        [examples.claim("x:a", "proved"), examples.claim("x:b", "proved"), examples.claim("x:c", "proved", formula="x")]
    )
    after = examples.ledger(
        [
            examples.claim("x:a", "refuted"),
            examples.claim("x:c", "proved", formula="y"),
            examples.claim("x:d", "proved"),
        ]
    )
    page = re.sub(r"<[^>]+>|\s+", " ", render_report(after, since=changes(before, after))["site/index.html"].decode())
    words = " ".join(page.split())
    assert "proved → refuted x:a" in words
    assert "new proved x:d" in words
    assert "gone x:b b (was proved)" in words
    assert "formula changed: x:c" in words
    assert "Nothing changed since the last report." in render_report(after, since=Changes())["site/index.html"].decode()
    assert "last report" not in render_report(after)["site/index.html"].decode()


def test_pages_of_ids_that_differ_only_in_case_or_marks_differ():
    ids = ("a:b", "A:b", "a/b", "a--b", "a b", "a:b:c", "a--b--c", "../x", "..", "ä", "a" * 300, "a" * 301)
    slugs = [slug(i) for i in ids]
    assert len({s.lower() for s in slugs}) == len(ids), slugs
    assert all(re.fullmatch(r"[a-z0-9_-][a-z0-9._-]{0,140}", s) for s in slugs), slugs


def test_places_stand_in_the_order_of_the_paper():
    ordered = [
        "Abstract",
        "§1, Definition 1",
        "§3.2",
        "§3.10; (4)",
        "Section 12",
        "App. A, Lemma 2",
        "App. A.1",
        "Appendix B",
    ]
    assert sorted([*ordered[4:], *ordered[:4]], key=place_order) == ordered


def test_a_section_has_one_spelling():
    assert {section(w) for w in ("§4.1, Theorem 1", "Sec. 4.1, Corollary", "Section 4.1")} == {"§4.1"}
    assert {section(w) for w in ("App. A.3; v1 (29)", "Appendix A.3")} == {"App. A.3"}
    assert [section(w) for w in ("App. B", "Abstract, §1", "used for the floor", "")] == [
        *("App. B", "Abstract", "used for the floor", "Other places")
    ]


def test_places_that_stand_alone_are_one_group(examples: ModuleType):
    claims = [
        examples.claim(f"x:{n}", "proved", where=where)
        for n, where in enumerate(("used here", "§1", "slide 4, a", "used there", "slide 4, b"))
    ]
    groups = {place.where: len(place.claims) for place in by_place(claims)}
    assert groups == {"§1": 1, "Other places": 2, "slide 4": 2}


def test_claims_of_one_place_keep_the_order_of_the_ledger(examples: ModuleType):
    claims = [examples.claim(f"x:{name}", "proved", where="§1, here") for name in ("zeta", "alpha", "mu")]
    assert in_order(claims) == claims
