"""One run of one method on one data set: its curve, its accounts and its final numbers, the same on every worker."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rgm_verify.errors import reject
from rgm_verify.experiments.accounts import NodeAccount
from rgm_verify.experiments.data.datasets import Dataset
from rgm_verify.experiments.data.splits import split
from rgm_verify.experiments.methods.by_name import method
from rgm_verify.experiments.methods.oracles import Oracle, Prepared
from rgm_verify.experiments.methods.problem import TwoNodes
from rgm_verify.experiments.methods.two_node_moments import two_node_moments
from rgm_verify.experiments.setup import Setup
from rgm_verify.learning.data import FloatArray

# Choices that decide who holds which record: setups that differ in others have the same split.
_DATA_FIELDS = ("dataset", "records", "centred", "split", "label_points", "label_rest")
_SPLIT, _START, _NOISE = range(3)

LARGEST_ENTRY = 1e120
"""Beyond it a run has diverged: squares of what follows would soon leave the range of floats."""


@dataclass(frozen=True)
class Task:
    """One run: the choices, the method's name, the number of the run and the seed of all runs.

    Generators are made of these alone, each for its purpose. All methods of a run have the same split and the same
    first iterate, so that they differ by their noise; and no order of work changes a number.

    Raises `InputError` for an unknown method, and for a run or a seed that is no integer >= 0.
    """

    setup: Setup
    method: str
    run: int
    seed: int

    def __post_init__(self) -> None:
        method(self.method)
        require_counts(run=self.run, seed=self.seed)

    def split_generator(self) -> np.random.Generator:
        """Return the generator of the split: the same for all methods, and for setups that share data alike."""
        data = {name: value for name, value in self.setup.to_json().items() if name in _DATA_FIELDS}
        return self._generator(_SPLIT, repr(sorted(data.items())))

    def start_generator(self) -> np.random.Generator:
        """Return the generator of the first iterate: the same for all methods."""
        return self._generator(_START, self.setup.text())

    def noise_generator(self) -> np.random.Generator:
        """Return the generator of the noise, for this method alone."""
        return self._generator(_NOISE, f"{self.method} {self.setup.text()}")

    def _generator(self, purpose: int, text: str) -> np.random.Generator:
        return seeded(self.seed, self.run, purpose, text)


def require_counts(**counts: object) -> None:
    """Raise `InputError` for what is no integer >= 0, by the names of the arguments; True and False are none."""
    for name, value in counts.items():
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise reject(name, value, "expected an integer >= 0")


def seeded(seed: int, run: int, purpose: int, text: str) -> np.random.Generator:
    """Return the generator for a purpose: a function of seed, run and a text that says what shares it.

    Args:
        seed: of all runs, >= 0.
        run: its number, >= 0.
        purpose: a small number, another one for each use of chance.
        text: equal texts have the same stream, different ones streams without a relation.

    Examples:
        >>> seeded(0, 1, 2, "a").random() == seeded(0, 1, 2, "a").random() != seeded(0, 1, 2, "b").random()
        True
    """
    # A digest and not `hash`, which is another number in each process.
    digest = int.from_bytes(hashlib.sha256(text.encode()).digest()[:16], "big")
    return np.random.default_rng(np.random.SeedSequence((seed, run, purpose, digest)))


@dataclass(frozen=True)
class Result:
    """The result of a run.

    Attributes:
        curve: the plotted value before each step and after the last; empty if not feasible. A run that diverges is a
            result as well: its curve is infinite from the step on that left the range.
        expected: the exact expectation of the curve over the noise, for exact gradients with Gaussian noise, else
            empty.
        accounts: of both nodes.
        final: single numbers.
        seconds: wall-clock times, which differ from run to run: `step` is one iteration, `prepare` parameters and
            accounts.
    """

    curve: tuple[float, ...]
    expected: tuple[float, ...]
    accounts: tuple[NodeAccount, NodeAccount]
    final: Mapping[str, float]
    seconds: Mapping[str, float]

    def to_json(self) -> dict[str, Any]:
        """Return the reproducible numbers under `result` and the times under `seconds`, as plain data."""
        reproducible = {
            "curve": list(self.curve),
            "expected": list(self.expected),
            "accounts": [account.to_json() for account in self.accounts],
            "final": dict(self.final),
        }
        return {"result": reproducible, "seconds": dict(self.seconds)}


def perform(task: Task, dataset: Dataset) -> Result:
    """Return the result of a task on its data set: a pure function of both, but for the times.

    Args:
        task: the choices, the method, the run and the seed.
        dataset: that of the setup, or its synthetic stand-in.

    Returns:
        The result. A method that is not feasible has accounts and no curve; one that diverges has a curve that is
        infinite from some step on.

    Raises:
        InputError: where the data set is another one, or the split leaves a node without records.
    """
    setup = task.setup
    if dataset.name not in (setup.dataset, f"synthetic-{setup.dataset}"):
        raise reject("dataset", dataset.name, f"the setup is for {setup.dataset!r}")
    began = time.perf_counter()
    problem = TwoNodes.of(split(dataset, setup, task.split_generator()), setup)
    prepared = method(task.method).prepare(problem)
    ready = time.perf_counter()
    if prepared.oracles is None:
        return Result((), (), prepared.accounts, numbers(problem), {"prepare": ready - began})
    # Parameters, accounts and the step are known before the first noise is drawn: no look at a release changes them.
    tau, start = problem.step(prepared.gamma), problem.start(task.start_generator())
    iterates = descend(prepared.oracles, start, tau, setup.iterations, task.noise_generator())
    seconds = {"prepare": ready - began, "step": (time.perf_counter() - ready) / max(1, len(iterates) - 1)}
    # Squares of large entries may leave the floats; `whole_curve` takes that for what it is.
    with np.errstate(over="ignore", invalid="ignore"):
        curve = whole_curve(problem.plotted.at(iterates), setup.iterations)
    expected = expected_curve(problem, prepared, start, tau)
    ends = {"value": curve[-1], **({"expected": expected[-1]} if expected else {}), "step": tau}
    return Result(curve, expected, prepared.accounts, {**ends, **numbers(problem)}, seconds)


def descend(
    oracles: tuple[Oracle, Oracle], start: FloatArray, tau: float, steps: int, generator: np.random.Generator
) -> FloatArray:
    """Return the iterates of `theta - tau (g_1 + g_2) / 2`, eq. (79); node 1 draws first.

    Args:
        start: (d,).

    Returns:
        Shape (steps + 1, d). They end early, before the first one with an entry beyond `LARGEST_ENTRY`, where they
        diverge.
    """
    iterates = np.empty((steps + 1, len(start)))
    iterates[0] = start
    for t in range(steps):
        # A copy: an oracle must not be able to change the iterate.
        first, second = (oracle(iterates[t].copy(), generator) for oracle in oracles)
        iterates[t + 1] = iterates[t] - tau * (first + second) / 2
        if not np.abs(iterates[t + 1]).max() <= LARGEST_ENTRY:  # NaN is beyond as well
            return iterates[: t + 1]
    return iterates


def whole_curve(values: FloatArray, steps: int) -> tuple[float, ...]:
    """Return the values before the first that is not finite, and infinity from there to the last of the steps.

    Args:
        values: at the iterates that there are, at most `steps + 1` of them.

    Examples:
        >>> whole_curve(np.array([4.0, np.nan, 1.0]), 3)
        (4.0, inf, inf, inf)
    """
    # One more entry, so that there is a first one that is not finite.
    known = np.append(values, np.inf)
    kept = known[: int(np.argmin(np.isfinite(known)))]
    return (*map(float, kept), *[math.inf] * (steps + 1 - len(kept)))


def expected_curve(problem: TwoNodes, prepared: Prepared, start: FloatArray, tau: float) -> tuple[float, ...]:
    """Return the exact expectation of the curve from `start`, as `whole_curve`; empty where gradients are clipped.

    With noise at the iterate it is an upper bound on the expectation.
    """
    if prepared.noises is None:
        return ()
    moments = two_node_moments(problem.objectives, prepared.noises, start, step=tau, steps=problem.setup.iterations)
    with np.errstate(over="ignore", invalid="ignore"):
        return whole_curve(moments.expected(problem.plotted), problem.setup.iterations)


def numbers(problem: TwoNodes) -> dict[str, float]:
    """Return what the problem is like: eigenvalues, how far apart the nodes are, and the value at the minimiser.

    Floats by name, without those that are not finite. They do not depend on the method, so that records show whether
    two methods had the same problem.
    """
    first, second = problem.objectives
    # Not 0 as a rule: labels are not linear in the features, and excesses are small only beside this value.
    least = problem.mean.value(problem.minimiser)
    found = {
        "least": least,
        "gradient_at_minimiser": problem.gradients_at_minimiser()[0],
        "distance_of_optima": float(np.linalg.norm(first.minimiser() - second.minimiser())),
        "smoothness_1": first.smoothness,
        "smoothness_2": second.smoothness,
        "strong_convexity_1": first.strong_convexity,
        "strong_convexity_2": second.strong_convexity,
        "at_zero": float(problem.plotted.at(np.zeros(problem.dimension))),
    }
    return {name: value for name, value in found.items() if math.isfinite(value)}
