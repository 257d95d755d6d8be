"""Every result displays itself in a notebook, and accounts are data frames where pandas is installed."""

from __future__ import annotations

import importlib
import re
import sys
from dataclasses import dataclass, field, is_dataclass
from fractions import Fraction
from inspect import isclass
from pathlib import Path

import pytest

import rgm_verify
from rgm_verify.accounting.plans import account
from rgm_verify.accounting.plans.plan import plan
from rgm_verify.accounting.plans.releases import release_of
from rgm_verify.accounting.subsampled.mechanism import sampled_gaussian
from rgm_verify.balls.replay import ReplayResult
from rgm_verify.claims.page import Page
from rgm_verify.errors import InputError
from rgm_verify.experiments.show.tables import Table
from rgm_verify.numbers.bounds import Bounds
from rgm_verify.numbers.shown import Framed, Shown
from rgm_verify.pictures.curves import Curve, document
from rgm_verify.recheck import certificate, replay

REFERENCE = Path(__file__).resolve().parents[3] / "docs" / "reference"
#: What is handed over and no answer: tables of a distribution, raw scores of an audit, settings.
NO_ANSWERS = {"Curve", "Curves", "Question", "Score", "Event", "Samples", "CalibratedGopa"}


@dataclass(frozen=True)
class Nested(Framed):
    """A result with each kind of field."""

    name: str
    bounds: Bounds
    share: Fraction
    missing: None = None
    many: tuple[int, ...] = ()
    records: str = field(default="somebody's record", repr=False)


def answers() -> list[type]:
    """The dataclasses of the modules of accounting that the reference shows."""
    names = re.findall(r"^::: (\S+)$", (REFERENCE / "accounting.md").read_text(encoding="utf-8"), re.M)
    found = [
        thing
        for name in names
        if name.startswith("rgm_verify.accounting")
        for thing in vars(importlib.import_module(name)).values()
        if isclass(thing) and is_dataclass(thing) and thing.__module__ == name
    ]
    return [thing for thing in found if not thing.__name__.startswith("_") and thing.__name__ not in NO_ANSWERS]


def test_every_answer_of_the_accountant_displays_itself() -> None:
    assert len(answers()) > 20
    others = [certificate.Certificate, replay.Result, ReplayResult, Bounds, Page, Table]
    assert [thing.__name__ for thing in (*answers(), *others) if not hasattr(thing, "_repr_html_")] == []


def test_a_display_shows_every_field_escaped_and_no_field_that_is_kept_from_repr() -> None:
    shown = Nested("a < b", Bounds(0.5, 0.75, "an attack", "a curve"), Fraction(1, 10), many=tuple(range(100)))
    html = shown._repr_html_()
    for text in ("a &lt; b", "[0.5, 0.75]", "above: a curve", "1/10", "and 60 more"):
        assert text in html
    assert "somebody" not in html
    assert "missing" not in html


def test_a_planned_account_is_a_frame_with_a_row_for_each_line_and_one_for_the_total() -> None:
    pytest.importorskip("pandas")
    releases = [release_of("gaussian", {"noise_multiplier": 10}), release_of("laplace", {"scale": "3/2"})]
    planned = plan(releases, delta="1e-5")
    lines = planned.to_frame()
    assert list(lines["kind"]) == ["gaussian", "laplace"]
    assert lines["scale"][1] == Fraction(3, 2)
    spent = account.spent(planned)
    found = spent.to_frame()
    assert list(found["name"]) == ["1: gaussian", "2: laplace", "total"]
    assert list(found["upper"]) == [*(cost.alone.upper for cost in spent.lines), spent.total.upper]
    assert "1: gaussian" in spent._repr_html_()


def test_bounds_are_a_row_and_what_is_nested_has_columns_of_its_own() -> None:
    pytest.importorskip("pandas")
    bounds = Bounds(0.5, 0.75, "an attack", "a curve")
    (row,) = bounds.to_frame().to_dict("records")
    assert (row["lower"], row["upper"]) == (0.5, 0.75)
    (row,) = Nested("x", bounds, Fraction(1, 3)).to_frame().to_dict("records")
    assert row["bounds_upper"] == 0.75
    assert row["share"] == Fraction(1, 3)
    assert "records" not in row


def test_a_frame_without_pandas_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(InputError, match="to_frame: data frames need pandas"):
        Bounds(0.0, 1.0, "", "").to_frame()


def test_runs_tables_and_pages_display_themselves() -> None:
    run = sampled_gaussian([("1/100", 1, 1000)], sampler="poisson")
    assert isinstance(run, Shown)
    assert "1/100" in run._repr_html_()
    assert "<td>&lt;</td>" in Table(["a"], [["<"]])._repr_html_()
    assert repr(Page("a paper", "Section 2")) == "Page('a paper', 'Section 2')"


def test_an_accountant_displays_its_lines_and_is_a_frame_of_them() -> None:
    accountant = rgm_verify.Accountant(neighbours="add-or-remove-one")
    assert "add-or-remove-one" in accountant._repr_html_()
    accountant.add("gaussian", noise_multiplier="5/2", name="a < b")
    assert "noise_multiplier=5/2" in accountant._repr_html_()
    assert "a < b" not in accountant._repr_html_()
    pytest.importorskip("pandas")
    assert list(accountant.to_frame()["noise_multiplier"]) == [Fraction(5, 2)]


def test_the_library_lists_what_it_offers_and_nothing_that_it_imports() -> None:
    assert {"Accountant", "check"} <= set(dir(rgm_verify))
    assert not {"Any", "TYPE_CHECKING", "annotations"} & set(dir(rgm_verify))


def test_a_picture_of_the_command_line_is_a_figure_in_a_notebook() -> None:
    picture = document([Curve("f", [(0.0, 1.0, 1.0), (1.0, 2.0, 2.0)])], x="x", y="y", title="f")
    assert picture._repr_svg_() == str(picture)
    assert picture.startswith("<svg")
