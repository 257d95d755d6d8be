"""The map: every statement is on it, what is used stands left of what uses it, and signs need no colour."""

from __future__ import annotations

import re
from html import unescape
from types import ModuleType
from xml.etree import ElementTree

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.claims.outcome.ledger import Ledger
from rgm_verify.report import render_report
from rgm_verify.report.consequences import Consequences
from rgm_verify.report.front import FOUND
from rgm_verify.report.order import slug
from rgm_verify.report.pictures.graph import SIGNS, Node, graph, layers, reduced
from rgm_verify.report.site.statements import maps

_NAMES = "abcdefgh"
#: What uses what, circles and names that are not there included.
_ANY = st.dictionaries(st.sampled_from(_NAMES), st.lists(st.sampled_from(_NAMES), max_size=5))
_SVG = "{http://www.w3.org/2000/svg}"


def _reached(uses: dict[str, list[str]], start: str) -> set[str]:
    """Return what a name uses at any distance."""
    found: set[str] = set()
    waiting = list(uses[start])
    while waiting:
        name = waiting.pop()
        if name not in found and name in uses:
            found.add(name)
            waiting += uses[name]
    return found


def _boxes(svg: str) -> dict[str, tuple[float, float, float, float]]:
    """Return the box of each link of a picture: left, upper, right and lower end."""
    root = ElementTree.fromstring(svg.replace("<svg", f'<svg xmlns="{_SVG[1:-1]}"', 1))
    found = {}
    for link in root.iter(f"{_SVG}a"):
        rect = link.find(f"{_SVG}rect")
        assert rect is not None
        x, y, width, height = (float(rect.attrib[name]) for name in ("x", "y", "width", "height"))
        found[link.attrib["href"]] = (x, y, x + width, y + height)
    return found


@given(_ANY)
def test_fewer_lines_lead_to_the_same_statements(uses: dict[str, list[str]]):
    lines = reduced(uses)
    for name in uses:
        assert name not in _reached(lines, name)
        assert _reached(lines, name) <= _reached(uses, name)
        for other in lines[name]:
            rest = {**lines, name: [o for o in lines[name] if o != other]}
            assert other not in _reached(rest, name)
    circles = any(name in _reached(uses, name) for name in uses)
    assert circles or all(_reached(lines, name) == _reached(uses, name) for name in uses)


@given(_ANY)
def test_a_layer_is_right_of_all_that_it_uses(uses: dict[str, list[str]]):
    lines = reduced(uses)
    level = {name: k for k, layer in enumerate(layers(lines)) for name in layer}
    assert set(level) == set(uses)
    assert all(level[other] < level[name] for name in lines for other in lines[name])


@given(_ANY)
def test_no_two_boxes_overlap_and_all_are_on_the_picture(uses: dict[str, list[str]]):
    nodes = [Node(name, name, "right", f"{name}.html", tuple(others)) for name, others in uses.items()]
    svg = graph(nodes, title="a < b")
    assert svg == graph(nodes, title="a < b")
    if not svg:
        assert not any(reduced(uses).values())
        return
    width, height = map(int, re.findall(r'viewBox="0 0 (\d+) (\d+)"', svg)[0])
    boxes = list(_boxes(svg).values())
    for k, (left, top, right, bottom) in enumerate(boxes):
        assert 0 <= left < right <= width
        assert 0 <= top < bottom <= height
        for other in boxes[:k]:
            assert right < other[0] or other[2] < left or bottom < other[1] or other[3] < top


def test_what_a_statement_is_found_to_be_has_a_sign_of_its_own():
    assert set(SIGNS) == set(FOUND)
    signs = {word: sign for word, (sign, _) in SIGNS.items() if word != "reproduced"}
    assert len(set(signs.values())) == len(signs)


def test_every_statement_of_the_sources_is_on_the_map_with_its_page(committed_ledger: Ledger):
    consequences = Consequences(committed_ledger)
    for one in maps(committed_ledger):
        assert len(_boxes(one.main)) >= 4 if one.main else not one.whole
        shown = set(_boxes(one.whole)) if one.whole else set()
        shown |= {f"claim/{slug(statement.face.id)}.html" for statement, _ in one.alone}
        here = [e.id for e in consequences.entries.values() if e.source == one.title]
        assert {f"claim/{slug(consequences.of(i).face.id)}.html" for i in here} == shown
        if one.main:
            assert set(_boxes(one.main)) <= shown


def test_a_statement_stands_right_of_the_refuted_one_that_its_proof_uses(committed_ledger: Ledger):
    (paper,) = (one for one in maps(committed_ledger) if "Relative" in one.title)
    for picture in (paper.main, paper.whole):
        boxes = _boxes(picture)
        assert boxes["claim/rgm-v1--theorem-1.html"][2] < boxes["claim/rgm-v1--equation-6.html"][0]
        title = re.search(r'theorem-1\.html"><title>([^<]*)', picture)
        assert title is not None
        assert "of-wrong" in picture


def test_titles_are_escaped_and_a_source_without_uses_has_a_list(examples: ModuleType):
    claims = [examples.claim("x:a", "refuted", category="false", title="a < b & c"), examples.claim("x:b", "proved")]
    entries = [
        examples.entry("e1", "falls", ["x:a"], verdict="refuted"),
        examples.entry("e2", "stands", ["x:b"], verdict="proved", leans_on=["e1"]),
    ]
    ledger = msgspec.structs.replace(examples.ledger(claims), entries=entries)
    (one,) = maps(ledger)
    assert "a &lt; b &amp; c: wrong" in one.whole
    assert one.alone == ()
    page = render_report(ledger)["site/map.html"].decode()
    assert one.whole in page
    assert "a < b & c" in unescape(page)
    alone = msgspec.structs.replace(ledger, entries=[msgspec.structs.replace(e, leans_on=[]) for e in entries])
    (one,) = maps(alone)
    assert one.whole == one.main == ""
    assert [found for _, found in one.alone] == ["wrong", "right"]
