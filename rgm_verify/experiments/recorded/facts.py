"""Facts about the data themselves, without any noise: leverages, lengths of the b's, gradients at the optimum, steps.

Numbers of floating point, with relative errors of about the condition number times 1e-15.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from rgm_verify.experiments.data.datasets import Dataset
from rgm_verify.experiments.data.splits import split
from rgm_verify.experiments.methods.by_name import method
from rgm_verify.experiments.methods.problem import TwoNodes, known_labels
from rgm_verify.experiments.methods.sensitivities import largest_gradient_at_optimum, printed
from rgm_verify.experiments.run.catalogue import EXPERIMENTS
from rgm_verify.experiments.run.compact import FORMAT, MeasuredMethod, MeasuredPanel, Measurements
from rgm_verify.experiments.run.execute import code_fingerprint, versions
from rgm_verify.experiments.run.one_run import Task
from rgm_verify.experiments.run.records import Source
from rgm_verify.experiments.setup import Setup
from rgm_verify.learning.data import FloatArray
from rgm_verify.learning.ridge import RidgeObjective

RUNS = 3
_BISECTIONS = 50  # of an interval of relative length 1: as many bits as the spectral radius is good for

Load = Callable[[str], Dataset]


def panels() -> Mapping[str, Setup]:
    """The setups whose facts are recorded: the three splits, and a random split of every data set.

    By the names that the panels of the experiments have, so that claims find the facts of a panel.
    """
    splits = {p.name: p.setup for p in EXPERIMENTS["figure-1"].panels if isinstance(p.setup, Setup)}
    others = {p.name: p.setup for p in EXPERIMENTS["datasets"].panels if isinstance(p.setup, Setup)}
    return splits | {name: setup for name, setup in others.items() if setup not in splits.values()}


def facts(load: Load, seed: int) -> Measurements:
    """The facts of every panel, of the same splits as the first runs of the experiments.

    Returns:
        A compact record whose methods are "all" (records together), "node-1", "node-2" and "nodes" (of both), and whose
        quantities are floats, rounded to nearest.
    """
    sources: dict[str, Source] = {}
    found = []
    shared = Setup().to_json()
    for name, setup in panels().items():
        dataset = load(setup.dataset)
        sources[setup.dataset] = Source.of(setup.dataset, dataset)
        # The split of a run is the same for all methods; the name of one is needed to ask for it.
        problems = [_problem(dataset, Task(setup, "rgm-printed", run, seed)) for run in range(RUNS)]
        different = {k: v for k, v in setup.to_json().items() if k in ("dataset", "split")}
        found.append(MeasuredPanel(name=name, setup=different, methods=_methods(dataset, problems)))
    return Measurements(
        format=FORMAT,
        experiment="facts",
        runs=RUNS,
        seed=seed,
        versions=versions(),
        code=code_fingerprint(),
        datasets=list(sources.values()),
        setup={k: v for k, v in shared.items() if k not in ("dataset", "split")},
        panels=found,
    )


def _problem(dataset: Dataset, task: Task) -> TwoNodes:
    """Return the problem of one run, with its own split."""
    return TwoNodes.of(split(dataset, task.setup, task.split_generator()), task.setup)


def _methods(dataset: Dataset, problems: list[TwoNodes]) -> list[MeasuredMethod]:
    """The facts of all records, of each node and of both, as the methods of a compact record."""
    parts: dict[str, list[dict[str, float]]] = {
        "all": [of_all(dataset, problem.setup) for problem in problems],
        "node-1": [of_node(problem, 0) for problem in problems],
        "node-2": [of_node(problem, 1) for problem in problems],
        "nodes": [of_both(problem) for problem in problems],
    }
    return [
        MeasuredMethod(method=name, values={q: [repr(float(run[q])) for run in runs] for q in runs[0]})
        for name, runs in parts.items()
    ]


def of_all(dataset: Dataset, setup: Setup) -> dict[str, float]:
    """The number of records, and the largest `x' A^-1 x`, A being the Hessian over all of them."""
    objective = RidgeObjective.of(dataset.X, dataset.y, setup.regularization)
    return {"records": len(dataset.y), "leverage": leverage(dataset.X, objective)}


def leverage(X: FloatArray, objective: RidgeObjective) -> float:
    """The largest `x' A^-1 x` of the records: R_c^2 so that no record is clipped.

    Args:
        X: records (n, d).
    """
    # Solved and not multiplied by an inverse, whose errors are larger where the condition is poor.
    return float((X * np.linalg.solve(objective.hessian, X.T).T).sum(axis=1).max())


def of_node(problem: TwoNodes, index: int) -> dict[str, float]:
    """The recipe's parameters of a node, with what they are made of: floats by name.

    Args:
        index: of the node, 0 or 1.
    """
    node, objective, setup = problem.nodes[index], problem.objectives[index], problem.setup
    # As `printed` forms them, to show which of the parts makes the recipe's absolute part large.
    products = node.X * known_labels(node, setup)[:, np.newaxis]
    mean, largest = float(np.linalg.norm(products.mean(axis=0))), float(np.linalg.norm(products, axis=1).max())
    eta, r_rel = (float(value) for value in printed(problem, index))
    at = gradient_norms(problem, index, problem.minimiser)
    threshold = largest_gradient_at_optimum(problem, index)
    return {
        "records": len(node.y),
        "leverage": leverage(node.X, objective),
        "eta": eta,
        "b": mean,
        "largest b": largest,
        "R_rel": r_rel,
        "R_rel by the largest b": r_rel + eta * (largest - mean),
        "threshold": threshold,
        "threshold at the common optimum": float(at.max()),
        "share above threshold / 10": float((at > threshold / 10).mean()),
    }


def gradient_norms(problem: TwoNodes, index: int, theta: FloatArray) -> FloatArray:
    """The norms of the records' gradients at a parameter, without the regularization, shape (n,)."""
    # A record's gradient is `x (x.theta - y)`, so that its norm is a product of two.
    node = problem.nodes[index]
    norms = np.linalg.norm(node.X, axis=1) * np.abs(node.X @ theta - node.y)
    return np.asarray(norms, dtype=np.float64)


def of_both(problem: TwoNodes) -> dict[str, float]:
    """The step, those that the corrected theorem and stability allow at the noise as printed, and gamma d.

    Args:
        problem: both nodes. All are floats, rounded to nearest.
    """
    prepared = method("rgm-printed").prepare(problem)
    # An infeasible node adds no noise, as its method is not run.
    gammas = [account.gamma or 0.0 for account in prepared.accounts]
    scaled = problem.dimension * max(gammas)
    return {
        "step": problem.step(),
        "step of the theorem": 1 / ((1 + scaled) * problem.mean.smoothness),
        "largest stable step": largest_stable_step(problem.objectives, gammas),
        "gamma d": scaled,
    }


def largest_stable_step(objectives: Iterable[RidgeObjective], gammas: Iterable[float]) -> float:
    """The step up to which the variances of the iterates stay bounded, by bisection of a spectral radius.

    In the eigenvectors of the mean Hessian the second moments of a step are a linear map of those before: the diagonal
    contracts, and relative noise adds the same to each coordinate.

    Args:
        gammas: their noise ratios, in the same order; without noise the step is `2 / L`.

    Returns:
        A step at which the radius was found to be less than 1, next to one at which it was not; no certificate.
    """
    pairs = list(zip(objectives, gammas, strict=True))
    values, vectors = np.linalg.eigh(sum(each.hessian for each, _ in pairs) / len(pairs))
    spread = sum(gamma * np.square(each.hessian @ vectors).sum(axis=0) for each, gamma in pairs) / len(pairs) ** 2
    low, high = 0.0, 2 / float(values[-1])
    for _ in range(_BISECTIONS):
        tau = (low + high) / 2
        growth = np.diag(np.square(1 - tau * values)) + tau**2 * np.outer(np.ones(len(values)), spread)
        # The radius is compared alone: eigenvalues of a matrix that is not symmetric may be complex.
        low, high = (tau, high) if np.abs(np.linalg.eigvals(growth)).max() < 1 else (low, tau)
    return low
