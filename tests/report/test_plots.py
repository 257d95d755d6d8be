"""Pictures and shortened numbers: what is drawn and shown never claims more than the ledger."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.report.order import VERDICTS
from rgm_verify.report.pictures import plots
from rgm_verify.report.pictures.plots import LogAxis, Range, curve, icon, log_axis, range_bar, verdict_bar
from rgm_verify.report.texts.numbers import approximate, enclosure, parse, rounded, span

_ENDS = st.one_of(st.floats(allow_nan=True, allow_infinity=True), st.floats(1e-6, 1e6))
_DECIMALS = st.decimals(allow_nan=False, allow_infinity=False, places=None, min_value=-(10**30), max_value=10**30)


@given(_DECIMALS, st.booleans())
def test_a_shown_end_lies_on_the_safe_side(number, up):
    shown = parse(rounded(str(number), up=up).replace("−", "-"))
    assert shown is not None
    assert shown >= number if up else shown <= number


@given(st.fractions(), st.fractions())
def test_a_shown_enclosure_holds_the_enclosure(a, b):
    low, high = min(a, b), max(a, b)
    digits = [f.numerator / Fraction(f.denominator) for f in (low, high)]
    text = enclosure([str(digits[0]), str(digits[1])]).strip("[]").replace("−", "-")
    ends = [Fraction(part) for part in text.split(", ")]
    assert ends[0] <= low + abs(low) * Fraction(1, 10**39)
    assert ends[-1] >= high - abs(high) * Fraction(1, 10**39)


@pytest.mark.parametrize(
    ("ends", "text"),
    [
        (["1", "1"], "1"),
        (["1.00000001", "1.00000002"], "[1.0000, 1.0001]"),
        (["0.318309", "0.318310"], "[0.31830, 0.31831]"),
        (["-inf", "inf"], "[−∞, ∞]"),
        (["-1.23456789E-12", "oo"], "[−1.2346e−12, ∞]"),
        (["123456789", "123456789"], "[1.2345e8, 1.2346e8]"),
        ([], "?"),
    ],
)
def test_an_enclosure_is_shown_rounded_outward(ends, text):
    assert enclosure(ends) == text


@pytest.mark.parametrize("up", [True, False])
def test_a_fraction_within_a_hair_of_a_short_number_is_rounded_past_it(up):
    """Rounded to the nearest first, it would be that number, and show an end that is not certified."""
    hair = Fraction(1, 10**50)
    text = rounded(str(2 + hair if up else 2 - hair), up=up)
    assert text == ("2.0001" if up else "1.9999")


def test_the_range_of_an_unbounded_quantity_says_so():
    assert span(["1", "1"], ["inf", "inf"]) == "1 to ∞"
    assert span([], []) == "not enclosed"


def test_an_end_that_may_be_1_does_not_look_like_a_bound_that_is_violated():
    assert span(["0.99911", "1.00004"], ["0.9", "1"]) == "1 ± 0.0009 to 1"
    assert span(["1", "1.001"], ["0.9", "1.01"]) == "1 to 1 ± 0.1"
    # Rounded away from 1, and of fractions too.
    assert span(["9991/10000", "1"], ["3", "3"]) == "1 ± 0.0009 to 3"
    assert span(["0.99899", "1"], ["3", "3"]) == "1 ± 0.002 to 3"
    # A side that is certain, a point, and an enclosure that says little stay as they are.
    assert span(["0.98", "0.999"], ["1.001", "1.002"]) == "0.98 to 1.002"
    assert span(["1", "1"], ["1", "1"]) == "1"
    assert span(["0.5", "1"], ["1", "oo"]) == "0.5 to ∞"


def test_a_text_that_is_no_number_draws_as_nothing():
    assert math.isnan(approximate("[indeterminate]"))
    assert parse("1/0") is None


@given(_ENDS, _ENDS, _ENDS, _ENDS)
def test_every_range_has_a_picture_inside_its_axis(a, b, c, d):
    found = Range((a, b), (c, d))
    picture = range_bar(found, log_axis([found]), title="<&>")
    ElementTree.fromstring(picture)
    assert "nan" not in picture
    assert all(0 <= float(p) <= 100 for p in re.findall(r'x\d?="([-\d.]+)%"', picture))


def test_an_unbounded_end_is_an_arrow_and_an_enclosed_one_is_not():
    axis = LogAxis(-2, 2)
    assert range_bar(Range((1, 1), (2, 3)), axis, title="").count("arrow") == 0
    assert range_bar(Range((1, 1), (math.inf, math.inf)), axis, title="").count("arrow") == 1
    assert range_bar(Range((0, 0), (math.inf, math.inf)), axis, title="").count("arrow") == 2
    assert "unknown" in range_bar(Range((math.nan, math.nan), (math.nan, math.nan)), axis, title="")


@given(st.dictionaries(st.sampled_from(VERDICTS), st.integers(0, 300)))
def test_a_verdict_bar_fills_its_width(counts):
    widths = re.findall(r'class="fill-\w+" x="[\d.]+%" y="0" width="([\d.]+)%"', verdict_bar(counts, title="t"))
    assert len(widths) == sum(n > 0 for n in counts.values())
    assert not widths or abs(sum(map(float, widths)) - 100) < 1e-3 * len(widths)


def test_the_signs_of_the_verdicts_differ_without_colour():
    assert len({icon(v) for v in VERDICTS}) == len(VERDICTS)
    for verdict in VERDICTS:
        ElementTree.fromstring(icon(verdict))


_POINTS = st.lists(st.tuples(st.floats(-1e9, 1e9), st.floats(-1e9, 1e9), st.floats(-1e9, 1e9)), max_size=12)


@given(_POINTS)
def test_every_curve_has_a_picture_inside_its_frame(points):
    picture = curve(
        [[repr(x), repr(min(a, b)), repr(max(a, b))] for x, a, b in points], variable="<x>", quantity="q&", title="t"
    )
    if len(points) < 2:
        assert picture == ""
        return
    root = ElementTree.fromstring(picture)
    polygon = next(e for e in root.iter() if e.attrib.get("class") == "band")
    for point in polygon.attrib["points"].split():
        x, y = map(float, point.split(","))
        assert 0 <= x <= plots.WIDTH
        assert 0 <= y <= plots.HEIGHT


def test_points_without_finite_bounds_are_left_out():
    points = [["0", "1", "2"], ["1", "1", "inf"], ["2", "1", "2"], ["3", "?", "2"], ["4", "1"]]
    assert curve(points, variable="x", quantity="q", title="t").count('class="mark"') == 2


def test_a_dashed_line_marks_one_where_it_is_in_the_picture():
    assert 'class="one"' in curve([["0", "0.5", "0.6"], ["1", "1.5", "1.6"]], variable="x", quantity="q", title="t")
    assert 'class="one"' not in curve([["0", "2", "3"], ["1", "4", "5"]], variable="x", quantity="q", title="t")


@given(st.floats(1e-6, 1e3), st.floats(30, 1e6), st.integers(3, 40))
def test_an_axis_is_logarithmic_where_its_points_are_spaced_by_factors(low, factor, count):
    even = [low + low * (factor - 1) * k / (count - 1) for k in range(count)]
    powers = [low * factor ** (k / (count - 1)) for k in range(count)]
    for places, logarithmic in ((even, False), (powers, True)):
        picture = curve([[repr(x), "1", "2"] for x in places], variable="x", quantity="q", title="t")
        assert ("x (logarithmic)" in picture) == logarithmic


@given(st.floats(1e-9, 1e9), st.floats(1.001, 1e12))
def test_every_axis_has_at_least_two_labels_inside_it(low, factor):
    points = [["0", repr(low), repr(low)], ["1", repr(low * factor), repr(low * factor)]]
    picture = curve(points, variable="x", quantity="q", title="t")
    labels = re.findall(r'y="([\d.]+)" text-anchor="end"', picture)
    assert 2 <= len(labels) <= 10
    assert all(0 <= float(y) <= plots.HEIGHT for y in labels)
