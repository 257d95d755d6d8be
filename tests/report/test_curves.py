"""Pictures of several curves: what is drawn is what was given, readable without colour and on its own."""

from __future__ import annotations

import math
import re
from itertools import combinations
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.errors import InputError
from rgm_verify.pictures.curves import Curve, document, figure

SVG = "{http://www.w3.org/2000/svg}"
_ANY = st.floats(allow_nan=True, allow_infinity=True)
_NAMES = {"x": "x", "y": "y", "title": "t"}


def thin(name: str, *places: tuple[float, float]) -> Curve:
    return Curve(name, [(x, y, y) for x, y in places])


def drawn(*curves: Curve, **rest) -> ElementTree.Element:
    return ElementTree.fromstring(document(curves, **_NAMES, **rest))


def places(element: ElementTree.Element) -> list[tuple[float, ...]]:
    return [tuple(map(float, p.split(","))) for p in element.get("points", "").split()]


def lines(root: ElementTree.Element) -> list[list[tuple[float, ...]]]:
    return [places(e) for e in root.iter(f"{SVG}polyline")]


def test_a_higher_value_is_drawn_higher_and_a_larger_one_further_right():
    (line,) = lines(drawn(thin("c", (3, 9), (1, 1), (2, 4))))
    assert [x for x, _ in line] == sorted(x for x, _ in line)
    assert [y for _, y in line] == sorted((y for _, y in line), reverse=True)


def test_equal_factors_are_equal_steps_on_a_logarithmic_axis():
    (line,) = lines(drawn(thin("c", (0, 1e-9), (1, 1e-6), (2, 1e-3)), log_y=True))
    assert abs((line[0][1] - line[1][1]) - (line[1][1] - line[2][1])) <= 0.021  # three coordinates of two decimals


@given(
    st.lists(st.lists(st.tuples(_ANY, _ANY, _ANY), max_size=6), min_size=1, max_size=4), st.booleans(), st.booleans()
)
def test_any_numbers_give_a_picture_of_finite_coordinates_or_none(points, log_x, log_y):
    curves = [Curve(f"c{i}", p) for i, p in enumerate(points)]
    text = figure(curves, **_NAMES, log_x=log_x, log_y=log_y)
    assert not re.search(r"\b(nan|inf)\b", text)
    if text:
        ElementTree.fromstring(text)


def test_a_file_with_nothing_to_see_is_refused():
    with pytest.raises(InputError, match="no curve has two points"):
        document([thin("c", (0, 1))], **_NAMES)


@pytest.mark.parametrize("bad", [math.inf, math.nan, 0.0, -1.0])
def test_a_point_that_cannot_be_drawn_breaks_the_curve_and_is_not_bridged(bad):
    curve = thin("c", (0, 1), (1, 2), (2, bad), (3, 2), (4, 1), (5, 2))
    assert [len(line) for line in lines(drawn(curve, log_y=True))] == [2, 3]


def test_a_band_is_drawn_between_its_ends_with_the_upper_end_as_line():
    root = drawn(Curve("c", [(0, 1, 2), (1, 2, 4)]))
    (band,) = root.iter(f"{SVG}polygon")
    (line,) = lines(root)
    assert places(band)[:2] == line
    assert all(low[1] > high[1] for low, high in zip(reversed(places(band)[2:]), line, strict=True))


def test_curves_differ_without_colour():
    root = drawn(*(thin(f"c{i}", (0, i), (1, i + 1)) for i in range(20)))
    groups = [g for g in root.iter(f"{SVG}g") if g.find(f"{SVG}text") is not None]
    looks = [tuple((p.get("stroke-dasharray"), p.get("d")) for p in g if "M92" not in p.get("d", "")) for g in groups]
    dashes = [g[0].get("stroke-dasharray") for g in groups]
    assert len(groups) == 20
    assert all(a != b for a, b in combinations(zip(dashes, looks, strict=True), 2))


def test_names_are_text_and_never_markup():
    root = drawn(thin("a < b & <script>", (0, 1), (1, 2)), notes=["x & y"])
    assert {"a < b & <script>", "x & y"} <= {e.text for e in root.iter(f"{SVG}text")}
    assert not list(root.iter(f"{SVG}script"))


def test_the_file_stands_alone_in_light_and_dark():
    text = document([thin("c", (0, 1), (1, 2))], **_NAMES)
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    light, dark = text.split("@media (prefers-color-scheme: dark)")
    used = set(re.findall(r"var\((--\w+)\)", text))
    assert used <= set(re.findall(r"(--\w+):", light))
    assert used <= set(re.findall(r"(--\w+):", dark))
    assert len(re.findall(r"\.s\d \{", light)) == len(re.findall(r"\.s\d \{", dark))


def test_an_element_for_a_page_brings_no_style_of_its_own():
    assert "<style" not in figure([thin("c", (0, 1), (1, 2))], **_NAMES)
