"""Runs that diverge: a result like any other, recorded without infinities and said in every table and figure."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import jsonschema
import msgspec
import numpy as np
import pytest

from rgm_verify.errors import InputError
from rgm_verify.experiments.data.datasets import Dataset
from rgm_verify.experiments.data.splits import split
from rgm_verify.experiments.methods.problem import TwoNodes
from rgm_verify.experiments.methods.two_node_moments import NoiseLaw, two_node_moments
from rgm_verify.experiments.run.catalogue import Experiment, Panel
from rgm_verify.experiments.run.execute import execute
from rgm_verify.experiments.run.one_run import LARGEST_ENTRY, Task, descend, perform, whole_curve
from rgm_verify.experiments.run.records import MethodRecord, Record, decode, encode, schema
from rgm_verify.experiments.setup import Setup
from rgm_verify.experiments.show import figures, panels, tables
from rgm_verify.experiments.show.wording import divergence

from .conftest import method_of

#: For a level that no noise reaches, the printed recipe without its term of the dimension has gamma = 1e7.
AWAY = Setup(printed_gamma="main-term", level="1e-9", iterations=60)
METHODS = ("none", "clip-printed", "rgm-printed", "rgm-exact")


def small(name: str = "ijcnn1") -> Dataset:
    rng = np.random.default_rng(11)
    X = rng.uniform(-1, 1, (101, 3))
    y = np.where(X @ [1.0, -0.5, 0.25] > 0, 1.0, -1.0)
    return Dataset(name, X, y, "a test", "0" * 64, True, "")


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Record:
    panels_ = (
        Panel("away", "Away", AWAY, METHODS),
        Panel("swept", "Swept", AWAY, ("none", "clip-x1-printed", "clip-x10-printed", "rgm-printed"), "threshold"),
    )
    out = tmp_path_factory.mktemp("planted")
    experiment = Experiment("planted", "Planted", "Does it diverge?", panels_)
    with ThreadPoolExecutor(1) as executor:
        return execute(experiment, runs=2, seed=0, out=out, executor=executor, progress=lambda *_: None, load=small)


# --------------------------------------------------------------------------------------------------------------- runs


def test_a_run_that_diverges_keeps_what_came_before() -> None:
    done = perform(Task(AWAY, "rgm-printed", 0, 0), small())
    for curve in (done.curve, done.expected):
        finite = [math.isfinite(value) for value in curve]
        first = finite.index(False)
        assert len(curve) == AWAY.iterations + 1
        assert 10 < first < AWAY.iterations
        assert finite == [True] * first + [False] * (len(curve) - first)
        assert curve[first:] == (math.inf,) * (len(curve) - first)
    assert done.final["value"] == math.inf
    assert done.accounts[0].gamma is not None


def test_a_descent_ends_before_its_first_entry_out_of_range() -> None:
    asked = []

    def doubling(theta: np.ndarray, _: object) -> np.ndarray:
        asked.append(float(theta[0]))
        return -theta

    iterates = descend((doubling, doubling), np.array([1.0, 0.0]), 1.0, 1000, np.random.default_rng(0))
    assert [list(iterate) for iterate in iterates] == [[2.0**k, 0.0] for k in range(len(iterates))]
    assert 2.0 ** (len(iterates) - 1) <= LARGEST_ENTRY < 2.0 ** len(iterates)
    assert len(asked) == 2 * len(iterates)


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
def test_a_release_that_is_no_number_ends_a_descent(value: float) -> None:
    oracle = lambda theta, _: np.full_like(theta, value)  # noqa: E731
    assert len(descend((oracle, oracle), np.ones(2), 1.0, 5, np.random.default_rng(0))) == 1


@pytest.mark.parametrize(
    ("values", "curve"),
    [
        ([1.0, 2.0, 3.0], (1.0, 2.0, 3.0)),
        ([1.0, 2.0], (1.0, 2.0, math.inf)),
        ([1.0, math.nan, 3.0], (1.0, math.inf, math.inf)),
        ([math.inf, 2.0, 3.0], (math.inf,) * 3),
    ],
)
def test_a_curve_is_infinite_from_where_it_left_the_range(values: list[float], curve: tuple[float, ...]) -> None:
    assert whole_curve(np.array(values), 2) == curve


def test_moments_that_leave_the_range_are_those_of_a_shorter_descent_until_there() -> None:
    task = Task(AWAY, "rgm-printed", 0, 0)
    objectives = TwoNodes.of(split(small(), AWAY, task.split_generator()), AWAY).objectives
    options = {"noises": (NoiseLaw(1e7), NoiseLaw(1e7)), "start": np.zeros(3), "step": 1.0}
    cut = two_node_moments(objectives, steps=200, **options)  # type: ignore[arg-type]
    assert 10 < len(cut.means) < 201
    assert np.isfinite(cut.variances).all()
    whole = two_node_moments(objectives, steps=len(cut.means) - 1, **options)  # type: ignore[arg-type]
    assert np.array_equal(whole.variances, cut.variances)
    assert np.array_equal(whole.means, cut.means)
    assert len(two_node_moments(objectives, steps=len(cut.means), **options).means) == len(cut.means)  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------------------------- records


def test_the_record_of_what_diverged_is_plain_json_that_its_schema_describes(record: Record) -> None:
    text = encode(record)
    data = json.loads(text, parse_constant=lambda constant: pytest.fail(constant))
    assert list(jsonschema.Draft202012Validator(schema()).iter_errors(data)) == []
    assert decode(text, name="some.json") == record
    away = method_of(record.panel("away"), "rgm-printed")
    assert [run.curve.index(None) for run in away.runs] == [run.diverged for run in away.runs]
    assert all(run.final["value"] is None for run in away.runs)
    assert all(run.diverged is None for run in method_of(record.panel("away"), "clip-printed").runs)
    first = min(run.diverged or 0 for run in away.runs)
    assert away.band.upper.index(None) == first
    assert divergence(away) == f"diverged in all runs, first at step {first}"


BROKEN: dict[str, tuple[Callable[[list[Any]], Any], str]] = {
    "a number after infinity": (lambda curve: curve.__setitem__(-1, 1.0), "numbers after it left the range"),
    "a hole": (lambda curve: curve.__setitem__(3, None), "numbers after it left the range"),
    "a bare infinity": (lambda curve: curve.__setitem__(-1, math.inf), "not the record of an experiment"),
    "no number": (lambda curve: curve.__setitem__(-1, math.nan), "not the record of an experiment"),
}


@pytest.mark.parametrize("curve", ["curve", "expected"])
@pytest.mark.parametrize("kind", BROKEN)
def test_a_curve_that_comes_back_is_refused(record: Record, kind: str, curve: str) -> None:
    data = json.loads(encode(record))
    change, words = BROKEN[kind]
    change(data["panels"][0]["methods"][2]["runs"][1][curve])
    with pytest.raises(InputError, match=words):
        decode(json.dumps(data).encode(), name="some.json")


# ---------------------------------------------------------------------------------------------- tables and figures


def test_in_how_many_runs_a_method_diverged_is_said(record: Record) -> None:
    away = method_of(record.panel("away"), "rgm-printed")
    fine = method_of(record.panel("away"), "none")
    first, second = away.runs

    def among(*runs: object) -> MethodRecord:
        return msgspec.structs.replace(away, runs=list(runs))

    assert divergence(among(first)) == f"diverged at step {first.diverged}"
    assert divergence(among(*fine.runs, second)) == f"diverged in 1 of 3 runs, first at step {second.diverged}"
    assert divergence(fine) == ""


def test_tables_say_what_diverged(record: Record) -> None:
    row = next(r for r in tables.last_values(record.panel("away")).rows if r[0].startswith("relative Gaussian, as p"))
    assert row[1].startswith("diverged in all runs, first at step ")
    assert all("diverged" in row for row in tables.comparison(record).rows)
    for text in (tables.plain(record), tables.markdown(record, figures=[])):
        assert "diverged in all runs" in text
        assert not any(word in text for word in ("nan", "None", " inf "))


@pytest.mark.parametrize("name", ["away", "swept"])
def test_a_cross_at_the_edge_marks_what_diverged(record: Record, name: str) -> None:
    from matplotlib.figure import Figure

    panel = record.panel(name)
    axis = Figure().subplots()
    panels.draw_panel(axis, panel, [method.method for method in panel.methods] + ["clip-x-printed"])
    crosses = [line for line in axis.lines if line.get_marker() == "x"]
    first = min(run.diverged or 0 for run in method_of(panel, "rgm-printed").runs)
    assert [list(line.get_xdata()) for line in crosses] == ([[first]] if name == "away" else [[1.0], [10.0]])
    assert all(list(line.get_ydata()) == [1] for line in crosses)


def test_a_figure_with_many_panels_marks_what_diverged(record: Record) -> None:
    from matplotlib.figure import Figure

    axis = Figure().subplots()
    panels.draw_ends(axis, [record.panel("away")] * 3, list(METHODS))
    crosses = [line for line in axis.lines if line.get_marker() == "x"]
    assert [list(line.get_ydata()) for line in crosses] == [[0], [1], [2]]


def test_figures_of_what_diverged_are_drawn_and_say_so(record: Record) -> None:
    assert figures.figure(record, "svg") == figures.figure(record, "svg")
    sentences = list(figures._sentences(record))
    assert any("cross" in s and "relative Gaussian, as printed (away) diverged" in s for s in sentences)
