"""Steps of two nodes at the size of the paper's experiments: relative noise, clipping in closed form, clipping by rows.

The records are a synthetic set of the shape of ijcnn1, since times depend on nothing else; the last benchmark takes all
of figure 1, three runs of it, in this process.
"""

from __future__ import annotations

import resource
import time

import numpy as np
import pytest

from rgm_verify.experiments import datasets
from rgm_verify.experiments.catalogue import experiment
from rgm_verify.experiments.methods import method
from rgm_verify.experiments.problem import TwoNodes
from rgm_verify.experiments.runs import Task, perform
from rgm_verify.experiments.setup import Setup
from rgm_verify.experiments.splits import split
from rgm_verify.learning.clipped_gradient import mean_of_clipped, per_example_gradients

STEPS = 50


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


def test_a_step_by_rows_against_steps_of_relative_noise(ratio, problem):
    relative = step(problem, "rgm-exact")
    ratio(
        f"a step with gradients clipped row by row / {STEPS} steps with relative noise",
        step_by_rows(problem),
        lambda: [relative() for _ in range(STEPS)],
        target=1.0,
        relation=">=",
    )


def test_steps_of_relative_noise_against_a_step_of_closed_form_clipping(ratio, problem):
    relative = step(problem, "rgm-exact")
    ratio(
        "ten steps with relative noise / a step with gradients clipped in closed form",
        lambda: [relative() for _ in range(10)],
        step(problem, "clip-vouched"),
        target=1.0,
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
