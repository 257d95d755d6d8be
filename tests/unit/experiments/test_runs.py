"""Runs: the same numbers whatever came before and wherever, curves that start and end where they must, plain data."""

from __future__ import annotations

import json
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from rgm_verify.errors import InputError
from rgm_verify.experiments.data import datasets
from rgm_verify.experiments.data.datasets import Dataset
from rgm_verify.experiments.data.splits import split
from rgm_verify.experiments.methods.by_name import METHODS
from rgm_verify.experiments.methods.problem import TwoNodes
from rgm_verify.experiments.run.catalogue import EXPERIMENTS, experiment, variations
from rgm_verify.experiments.run.one_run import Task, perform
from rgm_verify.experiments.setup import Setup, describe
from rgm_verify.learning.data import EPS

SETUP = Setup(iterations=20, copies=1000)
NAMES = ("none", "clip-printed", "clip-low-vouched", "rgm-printed", "rgm-vouched", "rgm-exact")


def small() -> Dataset:
    """A tenth of a thousand records under the name of ijcnn1, with three features."""
    rng = np.random.default_rng(11)
    X = rng.uniform(-1, 1, (101, 3))
    y = np.where(X @ [1.0, -0.5, 0.25] + rng.normal(0, 0.4, 101) > 0, 1.0, -1.0)
    return Dataset("ijcnn1", X, y, "a test", "", True, "")


def task(name: str, setup: Setup = SETUP, *, run: int = 0, seed: int = 0) -> Task:
    return Task(setup, name, run, seed)


def numbers(done) -> str:
    return json.dumps(done.to_json()["result"], sort_keys=True, allow_nan=False)


# ------------------------------------------------------------------------------------------------- determinism


def test_a_task_gives_the_same_numbers_whatever_was_done_before() -> None:
    setup, data = replace(SETUP, split="bias"), small()
    some = ("none", "clip-printed", "rgm-exact")
    forward = {name: numbers(perform(task(name, setup), data)) for name in some}
    backward = {name: numbers(perform(task(name, setup), data)) for name in reversed(some)}
    assert forward == backward


def test_a_task_gives_the_same_numbers_in_another_process() -> None:
    data = small()
    tasks = [task(name) for name in ("clip-printed", "rgm-exact")]
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        elsewhere = list(pool.map(perform, tasks, [data, data]))
    assert [numbers(done) for done in elsewhere] == [numbers(perform(each, data)) for each in tasks]


def test_runs_and_seeds_and_methods_draw_other_noise_on_the_same_split() -> None:
    data = small()
    base = task("rgm-exact")
    others = [task("rgm-exact", run=1), task("rgm-exact", seed=1), task("rgm-vouched"), task("clip-printed")]
    draws = [each.noise_generator().random() for each in (base, *others)]
    assert len(set(draws)) == len(draws)
    rows = [split(data, SETUP, each.split_generator())[0].rows.tolist() for each in (base, *others)]
    assert rows[0] == rows[3] == rows[4]
    assert rows[0] != rows[1] != rows[2] != rows[0]


def test_setups_that_share_data_alike_share_the_split() -> None:
    same = replace(SETUP, level="0.001", start="normal", printed_eta="kappa", neighbours="add_or_remove")
    other = replace(SETUP, split="label")
    draws = [task("none", setup).split_generator().random() for setup in (SETUP, same, other)]
    assert draws[0] == draws[1] != draws[2]
    assert task("none", same).noise_generator().random() != task("none").noise_generator().random()


# ------------------------------------------------------------------------------------------------- curves


def test_without_noise_the_curve_is_the_expected_one_and_ends_at_the_minimum() -> None:
    done = perform(task("none", replace(SETUP, iterations=2000)), small())
    assert done.curve == done.expected
    assert len(done.curve) == 2001
    assert done.curve[0] == done.final["at_zero"]
    assert done.curve[-1] <= 1e-28 * done.curve[0]


def test_the_curve_is_the_objective_above_its_minimum() -> None:
    data = small()
    done = perform(task("rgm-exact"), data)
    problem = TwoNodes.of(split(data, SETUP, task("none").split_generator()), SETUP)
    at_zero = problem.mean.value(np.zeros(3)) - problem.mean.value(problem.minimiser)
    # Two values of size at most half_labels are subtracted, each with an error of some roundings of it.
    assert abs(done.curve[0] - at_zero) <= 64 * EPS * problem.mean.half_labels
    assert done.final["value"] == done.curve[-1]


def test_the_plotted_quantity_is_that_of_the_setup() -> None:
    data = small()
    distance = perform(task("none", replace(SETUP, plotted="distance")), data)
    problem = TwoNodes.of(split(data, SETUP, task("none").split_generator()), SETUP)
    assert distance.curve[0] == pytest.approx(float(problem.minimiser @ problem.minimiser), rel=8 * EPS, abs=0)
    # The mean of two objectives is not that of all records, so its minimiser is not theirs.
    uneven = replace(SETUP, split="label", label_points=5, plotted="pooled", iterations=3000)
    pooled = perform(task("none", uneven), data)
    problem = TwoNodes.of(split(data, uneven, task("none", uneven).split_generator()), uneven)
    above = problem.pooled.value(problem.minimiser) - problem.pooled.value(problem.pooled.minimiser())
    assert abs(pooled.curve[-1] - above) <= 64 * EPS * problem.pooled.half_labels < above


@pytest.mark.parametrize("known", ["public", "private"])
@pytest.mark.parametrize("form", ["parameter", "linear", "label"])
def test_bounds_of_the_format_cover_every_form_of_bias(form, known) -> None:
    setup = replace(SETUP, split="bias", bias_size="100", bias_form=form, bias_known=known, parameters="domain")
    from_data = replace(setup, parameters="data")
    wide, narrow = (perform(task("rgm-exact", each), small()).accounts[1] for each in (setup, from_data))
    assert wide.eta >= narrow.eta
    assert wide.r_rel >= narrow.r_rel


@pytest.mark.parametrize("rule", ["half", "whole", "mean", "theorem"])
def test_steps_follow_their_rule(rule) -> None:
    data, setup = small(), replace(SETUP, step=rule)
    done = perform(task("rgm-exact", setup), data)
    problem = TwoNodes.of(split(data, setup, task("none").split_generator()), setup)
    largest = max(each.smoothness for each in problem.objectives)
    gamma = max(account.gamma for account in done.accounts)
    expected = {
        "half": 0.5 / largest,
        "whole": 1 / largest,
        "mean": 0.5 / np.linalg.eigvalsh(problem.mean.hessian)[-1],
        "theorem": 1 / ((1 + 3 * gamma) * largest),
    }
    # A largest eigenvalue, found in two ways, is off by some d roundings of itself.
    assert done.final["step"] == pytest.approx(expected[rule], rel=8 * problem.dimension * EPS, abs=0)


def test_a_start_of_normal_coordinates_is_the_same_for_all_methods() -> None:
    setup = replace(SETUP, start="normal")
    first, second = (perform(task(name, setup), small()).curve[0] for name in ("none", "clip-printed"))
    assert first == second != perform(task("none"), small()).curve[0]


def test_an_infeasible_method_has_accounts_and_no_curve() -> None:
    done = perform(task("rgm-vouched", replace(SETUP, copies=1)), small())
    assert done.curve == done.expected == ()
    assert not all(account.feasible for account in done.accounts)
    assert "value" not in done.final


def test_clipping_has_no_expected_curve_and_relative_noise_has_one() -> None:
    assert perform(task("clip-printed"), small()).expected == ()
    done = perform(task("rgm-exact"), small())
    assert len(done.expected) == len(done.curve)
    assert done.final["expected"] == done.expected[-1]


def test_the_synthetic_stand_in_may_take_the_place_of_a_data_set() -> None:
    data = datasets.synthetic("ijcnn1", records=200)
    assert data.name != "ijcnn1"
    assert perform(task("none"), data).curve


def test_results_are_plain_data_with_the_times_apart() -> None:
    for name in NAMES:
        data = perform(task(name), small()).to_json()
        assert set(data) == {"result", "seconds"}
        assert set(data["result"]) == {"curve", "expected", "accounts", "final"}
        json.dumps(data, allow_nan=False)


# ------------------------------------------------------------------------------------------------- refusals


def test_tasks_that_make_no_sense_are_refused() -> None:
    with pytest.raises(InputError, match="method"):
        task("sgd")
    with pytest.raises(InputError, match="run=-1"):
        task("none", run=-1)
    with pytest.raises(InputError, match="seed=True"):
        task("none", seed=True)
    with pytest.raises(InputError, match="the setup is for 'a9a'"):
        perform(task("none", replace(SETUP, dataset="a9a")), small())


# ------------------------------------------------------------------------------------------------- the catalogue


def test_every_panel_has_known_methods_and_a_name_of_its_own() -> None:
    found = [each for each in EXPERIMENTS.values() if each.kind == "two-nodes"]
    assert {each.name for each in found} == {
        "figure-1", "figure-2", "threshold-sweep", "choices", "datasets", "centred", "iterate", "best-share",
    }  # fmt: skip
    for each in found:
        names = [panel.name for panel in each.panels]
        assert len(names) == len(set(names))
        for panel in each.panels:
            assert set(panel.methods) <= set(METHODS)
            assert panel.setup.dataset in datasets.names()
            assert Setup.from_json(panel.setup.to_json()) == panel.setup


def test_figure_1_is_the_paper_s() -> None:
    panels = experiment("figure-1").panels
    assert [panel.setup for panel in panels] == [Setup(split=name) for name in ("random", "label", "bias")]
    assert {"none", "clip-printed", "clip-high-printed", "clip-low-printed", "rgm-printed"} <= set(panels[0].methods)


def test_every_named_alternative_is_varied_alone() -> None:
    varied = set(variations())
    for choice in describe():
        if choice.name not in ("dataset", "split", "centred"):
            assert {f"{choice.name}={other}" for other in choice.alternatives} <= varied


def test_an_unknown_experiment_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="figure-1"):
        experiment("figure-7")
