"""Steps of two nodes at the size of the paper's experiments: relative noise, clipping in closed form, clipping by rows.

The records are a synthetic set of the shape of ijcnn1, since times depend on nothing else. The last benchmarks take all
of figure 1, three runs of it: in this process, and as a user does, on the real set where $RGM_VERIFY_DATA has it.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from rgm_verify.experiments.data import datasets
from rgm_verify.experiments.data.splits import split
from rgm_verify.experiments.methods.by_name import method
from rgm_verify.experiments.methods.problem import TwoNodes
from rgm_verify.experiments.run.catalogue import experiment
from rgm_verify.experiments.run.one_run import Task, perform
from rgm_verify.experiments.setup import Setup
from rgm_verify.learning.clipping.gradient import mean_of_clipped, per_example_gradients


@pytest.fixture(scope="module")
def dataset():
    return datasets.synthetic("ijcnn1")


@pytest.fixture(scope="module")
def problem(dataset):
    setup = Setup()
    return TwoNodes.of(split(dataset, setup, np.random.default_rng(0)), setup)


def step(problem, name):
    """One step of both nodes, as a function without arguments."""
    oracles, generator = method(name).prepare(problem).oracles, np.random.default_rng(1)
    theta = problem.minimiser
    return lambda: theta - problem.step() * sum(oracle(theta, generator) for oracle in oracles) / 2


def step_by_rows(problem):
    """The same by the definition: each node forms the n-by-d matrix of gradients, clips its rows and takes the mean."""
    theta, generator = problem.minimiser, np.random.default_rng(1)

    def once():
        released = [
            mean_of_clipped(per_example_gradients(node.X, node.y, theta), 1.0) + generator.standard_normal(len(theta))
            for node in problem.nodes
        ]
        return theta - problem.step() * (released[0] + released[1]) / 2

    return once


def test_a_step_by_rows_against_a_step_of_relative_noise(ratio, problem):
    ratio(
        "a step with gradients clipped row by row / a step with relative noise",
        step_by_rows(problem),
        step(problem, "rgm-exact"),
        target=50,
        relation=">=",
    )


def test_a_step_of_closed_form_clipping_against_a_step_of_relative_noise(ratio, problem):
    ratio(
        "a step with gradients clipped in closed form / a step with relative noise",
        step(problem, "clip-vouched"),
        step(problem, "rgm-exact"),
        target=1,
        relation=">=",
    )


def test_a_step_of_closed_form_clipping_against_a_gradient_over_the_records(ratio, problem):
    theta = problem.minimiser
    columns = [np.asfortranarray(node.X) for node in problem.nodes]

    def gradients():
        return [(X @ theta - node.y) @ X / len(X) for X, node in zip(columns, problem.nodes, strict=True)]

    ratio(
        "a step with gradients clipped in closed form / the gradients over the records",
        step(problem, "clip-vouched"),
        gradients,
        target=2.0,
    )


def test_figure_1_in_this_process(report, dataset):
    start = time.process_time()
    for panel in experiment("figure-1").panels:
        for name in panel.methods:
            for run in range(3):
                perform(Task(panel.setup, name, run, 0), dataset)
    report(
        "figure 1, three runs, one process: minutes of its processor", (time.process_time() - start) / 60, target=3.0
    )
    # In kilobytes, of this process since it began.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    report("peak memory of this process after figure 1: GiB", peak, target=1.5)


def resident(group):
    """The memory of all processes of a group now, in GiB; pages that they share count for each."""
    pages = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if os.getpgid(int(process.name)) == group:
                pages += int((process / "statm").read_text().split()[1])
        except (OSError, ValueError):
            continue  # it has ended
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**30


def test_figure_1_as_a_user_runs_it(report, tmp_path):
    if not Path("/proc/self/statm").exists():
        pytest.skip("memory of other processes is read from /proc")
    data = [] if os.environ.get("RGM_VERIFY_DATA") else ["--synthetic"]
    command = [sys.executable, "-m", "rgm_verify.cli", "experiment", "figure-1", "--jobs", "2", "--out", str(tmp_path)]
    start, peak = time.perf_counter(), 0.0
    with subprocess.Popen([*command, *data], start_new_session=True, stdout=subprocess.DEVNULL) as running:
        while running.poll() is None:
            peak = max(peak, resident(running.pid))
            time.sleep(0.2)
    assert running.returncode == 0
    kind = "synthetic records" if data else "ijcnn1"
    report(f"figure 1 on {kind}, three runs, two workers: minutes", (time.perf_counter() - start) / 60, target=3.0)
    report("peak memory of all its processes together: GiB", peak, target=1.5)
