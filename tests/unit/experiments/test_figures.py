"""Figures and tables: the same bytes, every curve told apart without colour, and what privacy costs is said."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import msgspec
import numpy as np
import pytest

from rgm_verify.errors import InputError
from rgm_verify.experiments.run.catalogue import COMPARED, EXPERIMENTS, Panel
from rgm_verify.experiments.run.records import MethodRecord, Record, band, decode, encode
from rgm_verify.experiments.show import figures, tables
from rgm_verify.experiments.show.figures import figure
from rgm_verify.experiments.show.panels import draw_panel
from rgm_verify.experiments.show.styles import Look, line_style, look
from rgm_verify.experiments.show.wording import Name, caveats, curve_line, meaning_of_costs, privacy, provenance

SVG = "{http://www.w3.org/2000/svg}"
Recorded = Callable[..., Record]


@pytest.fixture
def swept(fake: ModuleType, recorded: Recorded) -> Record:
    """A sweep of three thresholds."""
    methods = ("none", *(f"clip-x{f}-{b}" for f in ("1e-1", "1", "10") for b in ("printed", "vouched")), "rgm-printed")
    panel = replace(fake.experiment().panels[0], methods=methods, x="threshold")
    return recorded(replace(fake.experiment(), panels=(panel,)))


def drawn(record: Record, name: str = "left") -> tuple[object, list[str]]:
    from matplotlib.figure import Figure

    panel = record.panel(name)
    curves = list(dict.fromkeys(Name.of(method.method).curve for method in panel.methods))
    axis = Figure().subplots()
    draw_panel(axis, panel, curves)
    return axis, curves


# ------------------------------------------------------------------------------------------------------- the same bytes


@pytest.mark.parametrize("form", figures.FORMS)
def test_the_same_record_gives_the_same_bytes(record: Record, form: figures.Form) -> None:
    first = figure(record, form)
    assert figure(decode(encode(record), name="again"), form) == first


def test_a_figure_tells_no_date_and_no_folder(record: Record, tmp_path: Path) -> None:
    text = figure(record, "svg").decode()
    assert "<dc:date>" not in text
    assert str(tmp_path) not in text
    assert b"tIME" not in figure(record, "png")


def test_the_settings_of_a_user_change_nothing(record: Record) -> None:
    import matplotlib as mpl

    before = figure(record, "svg")
    with mpl.rc_context({"font.size": 30, "lines.linewidth": 9, "axes.facecolor": "black"}):
        assert figure(record, "svg") == before
        assert mpl.rcParams["font.size"] == 30  # and what the user had is left alone


def test_drawing_leaves_no_state_behind(record: Record) -> None:
    figure(record, "png")
    assert "matplotlib.pyplot" not in sys.modules or not sys.modules["matplotlib.pyplot"].get_fignums()


def test_both_forms_are_pictures_of_one_size(record: Record, tmp_path: Path) -> None:
    svg, png = figures.write(record, tmp_path)
    assert (svg.name, png.name) == ("figure.svg", "figure.png")
    root = ElementTree.fromstring(svg.read_bytes())
    width, height = (float(root.attrib[name].removesuffix("pt")) / 72 for name in ("width", "height"))
    pixels = [int.from_bytes(png.read_bytes()[i : i + 4], "big") for i in (16, 20)]
    assert png.read_bytes()[:4] == b"\x89PNG"
    assert abs(pixels[0] / pixels[1] - width / height) < 1 / min(pixels)


def test_without_matplotlib_the_extra_is_named(record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "find_spec", lambda _: None)
    with pytest.raises(InputError, match=r"install rgm-verify\[experiments\]"):
        figure(record, "svg")


# ----------------------------------------------------------------------------------------------- black and white


def without_colour(style: Look) -> tuple[object, ...]:
    return style.marker, str(style.dashes), style.filled


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_no_two_curves_of_an_experiment_differ_by_colour_alone(name: str) -> None:
    curves = list(dict.fromkeys(Name.of(m).curve for panel in EXPERIMENTS[name].panels for m in panel.methods))
    looks = {curve: look(curve, place) for place, curve in enumerate(curves)}
    for one, other in combinations(curves, 2):
        assert without_colour(looks[one]) != without_colour(looks[other]), (one, other)


def test_unknown_methods_are_told_apart_as_well() -> None:
    looks = [without_colour(look(f"new-{i}", i)) for i in range(5)]
    assert len(set(looks)) == 5


def test_printed_constants_are_dashed_and_vouched_ones_solid() -> None:
    for base in ("clip", "clip-high", "clip-low", "rgm"):
        assert line_style(look(f"{base}-printed", 0))["linestyle"] != "solid"
        assert line_style(look(f"{base}-printed", 0))["markerfacecolor"] == "white"
        assert line_style(look(f"{base}-vouched", 0))["linestyle"] == "solid"


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("method", ["none", "clip", "clip-high", "clip-low", "rgm", *(f"new-{i}" for i in range(5))])
def test_every_colour_has_the_contrast_of_readable_text(method: str) -> None:
    place = int(method[-1]) if method.startswith("new") else 0
    assert 1.05 / (luminance(look(method, place).colour) + 0.05) >= 4.5


# --------------------------------------------------------------------------------------------------------- the curves


def test_a_panel_shows_the_geometric_means_and_the_bands(record: Record) -> None:
    axis, _ = drawn(record)
    lines = {tuple(line.get_ydata()) for line in axis.lines}  # type: ignore[attr-defined]
    panel = record.panel("left")
    assert lines == {tuple(method.band.geometric_mean) for method in panel.methods}
    assert len(axis.collections) == len(panel.methods)  # type: ignore[attr-defined]
    assert axis.get_yscale() == "log"  # type: ignore[attr-defined]


def test_many_noisy_curves_make_a_small_file(record: Record) -> None:
    rng = np.random.default_rng(0)
    panel = record.panel("left")
    fall = np.maximum(0.9 ** np.arange(301), 1e-4)
    methods = [
        msgspec.structs.replace(
            panel.methods[1], method=name, band=band((fall * rng.lognormal(0, 0.3, (5, 301))).tolist())
        )
        for name in COMPARED
    ]
    panels = [msgspec.structs.replace(panel, name=str(k), methods=methods) for k in range(3)]
    svg = figure(msgspec.structs.replace(record, panels=panels), "svg")
    assert len(svg) < 350_000
    assert ElementTree.fromstring(svg) is not None


def test_words_are_text_in_a_figure(record: Record) -> None:
    words = [text.text or "" for text in ElementTree.fromstring(figure(record, "svg")).iter(f"{SVG}text")]
    assert "A fake" in words
    assert any("clipping at c, as printed" in text for text in words)


def test_a_method_that_is_not_feasible_has_no_curve_and_the_legend_says_where(record: Record) -> None:
    axis, _ = drawn(record, "right")
    assert len(axis.lines) == 3  # type: ignore[attr-defined]
    assert curve_line(record, "rgm-vouched").endswith("not feasible: right")
    assert "not feasible" not in curve_line(record, "rgm-printed")


def test_nothing_to_draw_is_said(record: Record) -> None:
    panel = record.panel("right")
    empty = [method for method in panel.methods if method.method == "rgm-vouched"]
    changed = {"methods": empty, "name": "empty"}
    only = type(panel)(**{f: getattr(panel, f) for f in panel.__struct_fields__} | changed)
    record = type(record)(**{f: getattr(record, f) for f in record.__struct_fields__} | {"panels": [only]})
    axis, _ = drawn(record, "empty")
    assert [text.get_text() for text in axis.texts] == ["nothing to draw"]  # type: ignore[attr-defined]
    assert figure(record, "svg")


def test_what_runs_away_leaves_the_picture_and_the_rest_stays_readable(record: Record) -> None:
    panel = record.panel("left")
    method = panel.methods[1]
    run = method.runs[0]
    wild = [value if value is None else value * 10.0 ** (9 * k) for k, value in enumerate(run.curve)]
    away = MethodRecord(method="rgm-vouched", runs=method.runs, band=band([wild]))
    methods = [*panel.methods[:-1], away]
    changed = type(panel)(**{f: getattr(panel, f) for f in panel.__struct_fields__} | {"methods": methods})
    record = type(record)(**{f: getattr(record, f) for f in record.__struct_fields__} | {"panels": [changed]})
    axis, _ = drawn(record)
    low, high = axis.get_ylim()  # type: ignore[attr-defined]
    assert high < 1e5 < max(v for v in wild if v is not None)
    assert low > 1e-6


@pytest.mark.parametrize("panel", ["left", "right"])
def test_every_axis_has_two_powers_of_ten(record: Record, panel: str) -> None:
    axis, _ = drawn(record, panel)
    low, high = axis.get_ylim()  # type: ignore[attr-defined]
    assert sum(low <= 10.0**k <= high for k in range(-9, 3)) >= 2


def test_a_sweep_is_one_curve_over_thresholds_for_each_basis(swept: Record) -> None:
    axis, curves = drawn(swept)
    assert curves == ["none", "clip-x-printed", "clip-x-vouched", "rgm-printed"]
    level, *over, printed = axis.lines  # type: ignore[attr-defined]
    assert [list(line.get_xdata()) for line in axis.lines] == [[0.1, 1.0, 10.0]] * 4  # type: ignore[attr-defined]
    assert all(len(set(line.get_ydata())) == 1 for line in (level, printed))  # they have no threshold
    found = {m.method: m.band.geometric_mean[-1] for m in swept.panel("left").methods}
    wanted = [[found[f"clip-x{f}-{basis}"] for f in ("1e-1", "1", "10")] for basis in ("printed", "vouched")]
    assert [list(line.get_ydata()) for line in over] == wanted
    assert figure(swept, "svg")


@pytest.mark.parametrize("count", [1, 4, 14])
def test_any_number_of_panels_is_drawn(fake: ModuleType, recorded: Recorded, count: int) -> None:
    base = fake.experiment()
    panels: tuple[Panel, ...] = tuple(replace(base.panels[0], name=f"panel-{i}", title=f"P{i}") for i in range(count))
    many = recorded(replace(base, panels=panels), runs=1)
    root = ElementTree.fromstring(figure(many, "svg"))
    axes = [group for group in root.iter(f"{SVG}g") if group.attrib.get("id", "").startswith("axes_")]
    assert len(axes) == (count if count <= 12 else 1)


def test_no_words_leave_the_picture(fake: ModuleType, recorded: Recorded, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    original = figures._draw

    def keep(drawn_: Any, record: Record) -> None:
        original(drawn_, record)
        made.append(drawn_)

    monkeypatch.setattr(figures, "_draw", keep)
    sentence = "the threshold, the bounds on all records, the step and whatever else one needs are computed from data, "
    monkeypatch.setattr(figures, "caveats", lambda _: [sentence * 5])
    monkeypatch.setattr(figures, "curve_line", lambda *_: sentence * 3)
    base = fake.experiment()
    for count in (1, 4):
        panels = tuple(replace(base.panels[0], name=f"panel-{i}", title=sentence[:60]) for i in range(count))
        figure(recorded(replace(base, panels=panels), runs=1), "png")
        (page,) = made
        made.clear()
        (legend,) = page.legends
        words = [
            *page.texts,
            *legend.get_texts(),
            *(axis.title for axis in page.axes),
            *(a.yaxis.label for a in page.axes),
        ]
        boxes = [part.get_window_extent() for part in words if part.get_text()]
        assert all(box.x0 >= 0 and box.x1 <= page.bbox.width for box in boxes)
        assert all(box.y0 >= 0 and box.y1 <= page.bbox.height for box in boxes)


# ------------------------------------------------------------------------------------------------------------- words


def test_the_legend_says_what_privacy_costs_really(record: Record) -> None:
    assert curve_line(record, "none") == "no noise — not private"
    line = curve_line(record, "clip-printed")
    assert line.startswith("clipping at c, as printed — aims at 0.1 a release, costs at most 0.2")
    assert line.endswith("(all: ε ≤ 3.2)")
    assert "of order 2 of one release" in meaning_of_costs(record)
    assert "ε is that of all 6 releases together, at δ = 1e-6." in meaning_of_costs(record)


def test_a_cost_is_that_of_the_worst_node_and_none_where_one_has_none(fake: ModuleType) -> None:
    good = fake.account("clip-printed", 1)
    assert "costs at most 0.2" in privacy([good, replace(good, release=replace(good.release, upper=0.1))])
    bad = replace(good, release=replace(good.release, upper=None))
    assert "no guarantee" in privacy([good, bad])
    assert privacy([fake.account("rgm-vouched", 1, feasible=False)]).startswith("not feasible: no gamma")


def test_a_cost_that_other_data_exceed_without_bound_is_said(fake: ModuleType) -> None:
    account = replace(fake.account("rgm-printed", 1), unbounded=True)
    assert "costs at most 0.2, infinite for other data within its bounds" in privacy([account])
    assert "infinite" not in privacy([replace(account, unbounded=False)])
    assert tables._account([account])[7:9] == ["0.15", "infinite"]
    assert tables._account([replace(account, unbounded=False, reached_anywhere=0.3)])[8] == "0.3"


def test_every_target_has_its_own_cost(fake: ModuleType) -> None:
    one = fake.account("clip-printed", 1)
    other = replace(one, aim=0.01, release=replace(one.release, upper=0.02))
    assert "aims at 0.1 a release, costs at most 0.2 " in privacy([one, other])
    assert "aims at 0.01 a release, costs at most 0.02 " in privacy([one, other])


def test_a_long_title_is_wrapped(fake: ModuleType, recorded: Recorded) -> None:
    base = fake.experiment()
    long = replace(base.panels[0], title="A title that is much longer than the axes below it are wide")
    axis, _ = drawn(recorded(replace(base, panels=(long,)), runs=1))
    assert axis.get_title().count("\n") == 1  # type: ignore[attr-defined]


def test_a_cost_is_rounded_up(fake: ModuleType) -> None:
    good = fake.account("clip-printed", 1)
    assert "costs at most 0.124 " in privacy([replace(good, release=replace(good.release, upper=0.1231))])


def test_what_is_unfair_is_said_once_with_the_methods_that_it_is_about(record: Record) -> None:
    assert caveats(record) == [
        "Clipping at c, as printed: the threshold is not paid for.",
        "All private methods: the step is public.",
    ]


def test_data_and_their_limits_are_said(record: Record) -> None:
    assert provenance(record)[0] == "ijcnn1: data, 4 records, 4 features."
    assert "geometric mean of 3 runs" in provenance(record)[-1]
    source = record.datasets[0]
    synthetic = {f: getattr(source, f) for f in source.__struct_fields__} | {"synthetic": True, "limits": "a tenth"}
    fields = {f: getattr(record, f) for f in record.__struct_fields__} | {"datasets": [type(source)(**synthetic)]}
    (sentence, _) = provenance(type(record)(**fields))
    assert "synthetic records, not the real set" in sentence
    assert sentence.endswith("a tenth.")


@pytest.mark.parametrize(
    ("method", "title"),
    [
        ("none", "no noise"),
        ("clip-high-printed", "clipping at 10c, as printed"),
        ("clip-x3e-4-vouched", "clipping at 3e-4 c, vouched"),
        ("rgm-exact", "relative Gaussian, calibrated exactly"),
        ("something-else", "something-else"),
    ],
)
def test_every_method_has_a_title(method: str, title: str) -> None:
    assert Name.of(method).title == title


# ------------------------------------------------------------------------------------------------------------ tables


def test_the_terminal_shows_the_last_value_of_every_method(record: Record) -> None:
    text = tables.plain(record)
    for panel in record.panels:
        for method in panel.methods:
            row = next(line for line in text.split(panel.title)[1].splitlines() if Name.of(method.method).title in line)
            value = method.band.geometric_mean[-1:]
            assert (f"{value[0]:.3g}" if value else "not feasible") in row


def test_the_readme_shows_figure_accounts_and_what_is_unfair(record: Record) -> None:
    text = tables.markdown(record, figures=["figure.svg"])
    assert text.startswith(tables.MARK)
    assert "![A fake](figure.svg)" in text
    assert "| relative Gaussian, as printed | 2 | 0.02 | " in text
    assert "no: not below 0.25" in text
    assert "- All private methods: the step is public." in text
    assert "Choices other than the defaults: `split=label`, `iterations=6`." in text
    assert record.datasets[0].sha256 in text


def test_relative_noise_is_compared_with_the_best_threshold(record: Record, swept: Record) -> None:
    left, right = tables.comparison(record).rows
    assert left[0:2] == ["left", "c"]
    ends = {m.method: m.band.geometric_mean[-1] for m in record.panel("left").methods}
    multiple = (ends["rgm-printed"] or 0) / (ends["clip-printed"] or 1)
    assert left[2].removeprefix("~ ") == f"{multiple:.3g}"
    assert left[3:] == ["–", "–", "–"]  # no vouched clipping to compare with, and nothing calibrated
    assert right[4] == "not feasible"
    swept_ends = {m.method: m.band.geometric_mean[-1] or 0 for m in swept.panel("left").methods}
    best = min(
        (name for name in swept_ends if name.startswith("clip") and "printed" in name), key=swept_ends.__getitem__
    )
    assert tables.comparison(swept).rows[0][1] == f"{Name.of(best).factor} c"


def test_runs_that_overlap_are_marked() -> None:
    def method(low: float, high: float) -> MethodRecord:
        return MethodRecord(method="m", runs=[], band=band([[low], [high]]))

    assert tables._multiple(method(2.0, 8.0), method(1.0, 1.0)) == "4"
    assert tables._multiple(method(2.0, 8.0), method(1.0, 4.0)) == "~ 2"
    assert tables._multiple(method(2.0, 8.0), None) == "–"


def test_many_panels_are_not_listed_one_by_one(fake: ModuleType, recorded: Recorded) -> None:
    base = fake.experiment()
    panels = tuple(replace(base.panels[0], name=f"panel-{i}", title=f"P{i}") for i in range(13))
    text = tables.plain(recorded(replace(base, panels=panels), runs=1))
    assert "P7 (panel-7)" not in text
    assert "panel-7" in text


def test_a_table_is_regular_in_both_forms() -> None:
    table = tables.Table(["a", "b"], [["x|y", "1"], ["z", "23456"]])
    assert table.markdown().splitlines()[2] == "| x\\|y | 1 |"
    assert {line.replace("\\|", "").count("|") for line in table.markdown().splitlines()} == {3}
    assert table.plain().splitlines() == ["a    b", "x|y  1", "z    23456"]
