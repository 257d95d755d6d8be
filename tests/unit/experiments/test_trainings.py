"""Trainings as experiments: the same numbers everywhere, shared batches, costs beside every method, tables to read."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, cast

import jsonschema
import pytest
from click.testing import CliRunner

from rgm_verify.cli import main
from rgm_verify.errors import InputError
from rgm_verify.experiments.data import images
from rgm_verify.experiments.data.images import synthetic_images
from rgm_verify.experiments.run import execute
from rgm_verify.experiments.run.catalogue import EXPERIMENTS
from rgm_verify.experiments.run.compact import compact, decode, encode
from rgm_verify.experiments.run.one_training import Task, perform
from rgm_verify.experiments.run.records import Record, read, schema
from rgm_verify.experiments.show import trainings
from rgm_verify.experiments.show.wording import Name
from rgm_verify.experiments.trainings.methods import REALLY, STATED, training_method
from rgm_verify.experiments.trainings.setup import TrainingSetup
from rgm_verify.jobs import workers
from rgm_verify.learning.geometric import ClampedGeoDP, GeoDPAsPrinted, NoisyGradient, NoNoise
from rgm_verify.learning.geometric.costs import released_epsilon
from rgm_verify.numbers.bounds import round_up

SMALL = synthetic_images(records=120, tests=40)
SETUP = TrainingSetup(batch=40, steps=4, step="8")
MEASURED = Path(__file__).resolve().parents[3] / "derivations" / "experiments" / "measured"
METHODS = ("none", "dp", "dp-auto-s", "geodp-0.5", "clamped-0.5")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, empty_folder: Path) -> Path:
    """An empty folder, one thread, and few images."""
    monkeypatch.setattr(images, "synthetic_images", partial(synthetic_images, records=120, tests=40))
    monkeypatch.setattr(workers, "make_executor", lambda *_: ThreadPoolExecutor(1))
    execute._loaded.cache_clear()
    return empty_folder


def call(*words: object) -> Any:
    result = CliRunner().invoke(main, ["experiment", *map(str, words)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


WORDS = ("geodp-figure-1", "--synthetic", "--set", "steps=3", "--set", "batch=30", "--set", "noise=1", "--runs", 2)


def test_an_experiment_writes_record_figures_and_readme(small: Path) -> None:
    result = call(*WORDS, "--record", "measured.json")
    assert result.exit_code == 0, result.stderr
    folder = small / "experiments" / "geodp-figure-1-synthetic"
    assert {p.name for p in folder.iterdir()} == {
        "README.md", "figure.png", "figure.svg", "record.json", "tasks", "timings.json",
    }  # fmt: skip
    record = read(folder / "record.json")
    assert record.kind == "training"
    assert {panel.setup["batch"] for panel in record.panels} == {30}
    shown = (folder / "README.md").read_text()
    for part in (
        "DP-SGD",
        "GeoDP as printed, β = 1",
        "ε at least",
        "stated ε at most",
        "What is unfair",
        "says nothing",
    ):
        assert part in shown or part in result.stdout, part
    measured = decode((small / "measured.json").read_bytes(), name="measured.json")
    assert encode(measured) == (small / "measured.json").read_bytes()
    lower, upper = measured.intervals(record.panels[0].name, "dp", f"cost {REALLY}")[0]
    assert 0 < lower <= upper


def test_a_second_run_computes_nothing_and_the_schema_describes_the_record(small: Path, monkeypatch) -> None:
    first = call(*WORDS, "--out", "out", "--json")
    monkeypatch.setattr("rgm_verify.experiments.run.one_training.perform", lambda *_: pytest.fail("it ran again"))
    second = call(*WORDS, "--out", "out", "--json")
    assert (first.exit_code, second.exit_code) == (0, 0)
    assert first.stdout == second.stdout
    jsonschema.validate(json.loads(first.stdout), schema())


def test_choices_of_the_other_kind_are_refused_with_those_that_there_are(small: Path) -> None:
    result = call("geodp-figure-1", "--synthetic", "--set", "iterations=3")
    assert result.exit_code == 2
    assert "no such choice; there are dataset, model, records, batch" in result.stderr
    assert "sigma, the noise multiplier" in call("--choices").stdout


def test_missing_data_are_said_with_the_way_out(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(images, "fetch", lambda *_, **__: (_ for _ in ()).throw(InputError("no network")))
    (small / "empty").mkdir()
    result = call("geodp-figure-1", "--data", small / "empty", "--runs", 1)
    assert result.exit_code == 2
    assert "put train-images-idx3-ubyte.gz" in result.stderr


def test_a_task_gives_the_same_numbers_whatever_was_done_before() -> None:
    task = Task(SETUP, "geodp-0.5", 1, 7)
    first = perform(task, SMALL).to_json()["result"]
    perform(replace(task, method="dp"), SMALL)
    assert perform(task, SMALL).to_json()["result"] == first


def test_methods_and_noise_share_batches_and_start_and_runs_do_not() -> None:
    def first(**changes: Any) -> float:
        return perform(Task(**{"setup": SETUP, "method": "dp", "run": 0, "seed": 0} | changes), SMALL).curve[0]

    assert len({first(method=method) for method in METHODS}) == 1
    assert first(setup=replace(SETUP, noise="5")) == first()
    assert len({first(run=run) for run in range(3)} | {first(seed=1)}) == 4


def test_more_noise_is_another_task_with_other_noise() -> None:
    curves = {noise: perform(Task(replace(SETUP, noise=noise), "dp", 0, 0), SMALL).curve for noise in ("1", "2")}
    assert curves["1"] != curves["2"]


def test_results_are_plain_data_with_the_times_apart() -> None:
    found = json.loads(json.dumps(perform(Task(SETUP, "geodp-0.5", 0, 0), SMALL).to_json()))
    assert set(found) == {"result", "seconds"}
    assert len(found["result"]["curve"]) == SETUP.steps + 1
    assert 0 <= found["result"]["final"]["accuracy"] <= 1
    assert set(found["result"]["costs"]) == {REALLY, STATED}


def test_what_a_method_releases_and_costs() -> None:
    kinds = {"none": NoNoise, "dp": NoisyGradient, "geodp-0.5": GeoDPAsPrinted, "clamped-0.5": ClampedGeoDP}
    for name, kind in kinds.items():
        assert isinstance(training_method(name).release(SETUP), kind)
        assert isinstance(training_method(f"{name}-auto-s").release(SETUP), kind)
    costs = {name: training_method(name).costs(SETUP, 120) for name in kinds}
    released = released_epsilon(1, 40, 120, 4, "1e-5")
    assert costs["none"] == {}
    assert (costs["dp"][REALLY].lower, costs["dp"][REALLY].upper) == (released.lower, released.upper)
    assert costs["clamped-0.5"][REALLY].upper == released.upper
    assert costs["geodp-0.5"][STATED] == costs["dp"][REALLY]
    assert costs["geodp-0.5"][REALLY].upper > released.upper


def test_clamped_geodp_is_no_less_private_than_dp_sgd_with_the_noise_of_the_setup() -> None:
    for noise in ("1/3", "1", "7"):
        setup = replace(SETUP, noise=noise)
        clamped = training_method("clamped-0.1").release(setup)
        dp = training_method("dp").release(setup)
        assert isinstance(clamped, ClampedGeoDP)
        assert isinstance(dp, NoisyGradient)
        # That of DP-SGD is 2 over the noise, rounded up; the other one is a root that is too large by less than 2^-62.
        distance = 2 / Fraction(noise)
        assert dp.distance("replace_one") == round_up(distance)
        assert clamped.distance("replace_one") <= round_up(distance * (1 + Fraction(1, 2**62)))


@pytest.mark.parametrize(
    "name", ["", "sgd", "geodp", "geodp-", "geodp-2", "geodp-0", "dp-0.1", "clamped-1-auto", "none-"]
)
def test_an_unknown_method_is_refused_with_what_there_is(name: str) -> None:
    with pytest.raises(InputError, match="method"):
        Task(SETUP, name, 0, 0)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"model": "linear"}, "model='linear'.*logistic, convolutional"),
        ({"batch": 0}, "batch=0: must be >= 1"),
        ({"noise": "0"}, "noise"),
        ({"noise": 1}, "noise=1: expected a text"),
        ({"delta": "1"}, "delta='1': must be < 1"),
        ({"steps": 0}, "steps=0"),
    ],
)
def test_choices_that_make_no_sense_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        replace(SETUP, **changes)


def test_a_batch_larger_than_the_records_is_refused() -> None:
    for setup, message in (
        (replace(SETUP, batch=121), "batch=121: a batch is a set of records, and there are 120"),
        (replace(SETUP, records=39), "batch=40: a batch is a set of records, and there are 39"),
        (replace(SETUP, records=121), "records=121: the data set has 120"),
    ):
        with pytest.raises(InputError, match=message):
            perform(Task(setup, "none", 0, 0), SMALL)
    with pytest.raises(InputError, match="the setup is for 'mnist'"):
        perform(Task(SETUP, "none", 0, 0), replace(SMALL, name="other"))


def test_epochs_are_rounded_to_whole_steps() -> None:
    setup = TrainingSetup(batch=8192, epochs=20)
    assert setup.steps_on(60_000) == 146
    assert replace(setup, batch=16384).steps_on(60_000) == 73
    assert replace(setup, epochs=1).steps_on(100) == 1
    assert replace(setup, steps=350).steps_on(60_000) == 350


def test_every_panel_has_known_methods_and_a_name_of_its_own() -> None:
    found = [each for each in EXPERIMENTS.values() if each.kind == "training"]
    assert [each.name for each in found] == ["geodp-figure-1", "geodp-table-2", "geodp-table-2-short"]
    for experiment in found:
        assert len({panel.name for panel in experiment.panels}) == len(experiment.panels)
        for panel in experiment.panels:
            for name in panel.methods:
                assert training_method(name)
                assert Name.of(name).title != name


def test_the_parameters_of_the_table_are_the_printed_ones() -> None:
    panels = EXPERIMENTS["geodp-table-2"].panels
    assert {(panel.setup.to_json()["batch"], panel.setup.to_json()["noise"]) for panel in panels} == {
        (8192, "10"), (8192, "1"), (16384, "10"), (16384, "1"),
    }  # fmt: skip
    assert all(panel.setup.to_json()["clip"] == "1/10" for panel in panels)
    assert {m for panel in panels for m in panel.methods} == {
        "none", "dp", "dp-auto-s", "geodp-0.1", "geodp-0.5", "geodp-0.1-auto-s", "clamped-0.1",
    }  # fmt: skip


def test_a_training_that_runs_away_is_shown_as_that(small: Path) -> None:
    words = ("geodp-figure-1", "--synthetic", "--runs", 1, "--set", "batch=30", "--set", "noise=1", "--set", "steps=3")
    result = call(*words, "--set", "step=1e39", "--out", "out")
    assert result.exit_code == 0, result.stderr
    record: Record = read(small / "out" / "record.json")
    assert "diverged at step" in trainings.plain(record)
    assert compact(record).panels


@pytest.mark.skipif(
    not (Path(os.environ.get("RGM_VERIFY_DATA", "/nowhere")) / "mnist").is_dir(),
    reason="RGM_VERIFY_DATA does not name a folder with MNIST",
)
@pytest.mark.parametrize("method", ["none", "dp", "geodp-1"])
def test_a_part_of_the_record_is_made_again(method: str) -> None:
    data, panel = images.load_images("mnist"), EXPERIMENTS["geodp-figure-1"].panels[-2]
    committed = decode((MEASURED / "geodp-figure-1.json").read_bytes(), name="committed")
    values = {each.method: each.values for each in committed.panel(panel.name).methods}[method]
    task = Task(cast("TrainingSetup", panel.setup), method, 0, 0)
    again = perform(task, data)
    # The first loss shows data, start and batch. It is rounded as sums in float32 of 784 products are, whose absolute
    # values add up to at most 784 / 28, in any order; a step later every loss of another batch is farther away.
    assert abs(again.curve[0] - float(str(values["at 0"][0]))) <= (784 * 28 + 100) * 2.0**-24
    for name, cost in again.costs.items():
        recorded = committed.intervals(panel.name, method, f"cost {name}")[0]
        assert cost.lower is not None
        assert cost.upper is not None
        # Two enclosures of one number overlap, whatever machine found them.
        assert recorded[0] <= cost.upper
        assert cost.lower <= recorded[1]
