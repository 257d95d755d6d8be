"""Facts of the data: leverages, parts of the recipe, and the largest stable step, against their definitions."""

from __future__ import annotations

import numpy as np
import pytest

from rgm_verify.experiments.data import datasets
from rgm_verify.experiments.data.splits import split
from rgm_verify.experiments.methods.problem import TwoNodes
from rgm_verify.experiments.methods.sensitivities import printed
from rgm_verify.experiments.methods.two_node_moments import NoiseLaw, two_node_moments
from rgm_verify.experiments.recorded import facts
from rgm_verify.experiments.setup import Setup
from rgm_verify.learning.data import EPS


@pytest.fixture(scope="module", params=["random", "label", "bias"])
def problem(request: pytest.FixtureRequest) -> TwoNodes:
    setup = Setup(split=request.param)
    dataset = datasets.synthetic("ijcnn1", records=2_000)
    return TwoNodes.of(split(dataset, setup, np.random.default_rng(0)), setup)


def test_the_leverage_is_that_of_the_worst_record(problem: TwoNodes) -> None:
    node, objective = problem.nodes[0], problem.objectives[0]
    inverse = np.linalg.inv(objective.hessian)
    expected = max(float(x @ inverse @ x) for x in node.X)
    condition = objective.smoothness / objective.strong_convexity
    assert facts.leverage(node.X, objective) == pytest.approx(
        expected, rel=8 * problem.dimension * condition * EPS, abs=0
    )


def test_a_node_has_the_parts_of_the_recipe(problem: TwoNodes) -> None:
    found = facts.of_node(problem, 1)
    eta, r_rel = map(float, printed(problem, 1))
    assert (found["eta"], found["R_rel"]) == (eta, r_rel)
    whole = eta * found["b"] + 2 * found["largest b"] / found["records"]
    assert r_rel == pytest.approx(whole, rel=8 * EPS, abs=0)
    assert found["b"] <= found["largest b"]
    assert found["R_rel by the largest b"] == pytest.approx(
        r_rel + eta * (found["largest b"] - found["b"]), rel=8 * EPS, abs=0
    )


def test_gradients_at_a_parameter_are_those_of_the_records(problem: TwoNodes) -> None:
    node, theta = problem.nodes[1], problem.minimiser
    norms = facts.gradient_norms(problem, 1, theta)
    expected = [float(np.linalg.norm(x * (x @ theta - y))) for x, y in zip(node.X, node.y, strict=True)]
    # Each residual is off by d + 2 roundings of |x| |theta| + |y|, however it is summed; a norm by as many of itself.
    lengths = np.linalg.norm(node.X, axis=1)
    terms = lengths * (lengths * np.linalg.norm(theta) + np.abs(node.y))
    assert np.all(np.abs(norms - expected) <= 4 * (problem.dimension + 4) * EPS * terms)
    assert facts.of_node(problem, 1)["threshold at the common optimum"] == norms.max()


@pytest.mark.parametrize("gamma", [0.0, 1e-3, 0.1, 1.0])
def test_the_variance_of_the_iterates_stays_bounded_up_to_the_largest_stable_step(
    problem: TwoNodes, gamma: float
) -> None:
    gammas = [gamma, gamma / 2]
    step = facts.largest_stable_step(problem.objectives, gammas)
    laws = [NoiseLaw(each, 1e-6) for each in gammas]

    def grown(tau: float) -> float:
        """The growth of the variance late in a long run."""
        found = two_node_moments(problem.objectives, laws, problem.minimiser, step=tau, steps=4_000)
        late, early = found.variances[-1].sum(), found.variances[2_000].sum()
        return float(late / early)

    assert grown(0.99 * step) < 1.05
    assert grown(1.01 * step) > 2
