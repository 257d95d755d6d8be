"""Oracles of the methods: the noisy gradients of two nodes, and their accounts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from rgm_verify.experiments.accounts import NodeAccount
from rgm_verify.experiments.methods.problem import TwoNodes
from rgm_verify.experiments.methods.sensitivities import divisor
from rgm_verify.experiments.methods.two_node_moments import NoiseLaw, NoiseOfIterate
from rgm_verify.learning.data import FloatArray
from rgm_verify.numbers.bounds import round_down, round_up

Oracle: TypeAlias = Callable[[FloatArray, np.random.Generator], FloatArray]
"""A node's release at a parameter: the gradient there (d,), with noise drawn from the generator."""


@dataclass(frozen=True, eq=False)
class Prepared:
    """Both nodes' oracles and accounts.

    Attributes:
        oracles: None where the method is not feasible.
        accounts: of both nodes.
        noises: the laws of the noise where the gradient is exact, so that the expected curve is known, or an upper
            bound on it with noise at the iterate; None for clipping.
    """

    oracles: tuple[Oracle, Oracle] | None
    accounts: tuple[NodeAccount, NodeAccount]
    noises: tuple[NoiseLaw | NoiseOfIterate, NoiseLaw | NoiseOfIterate] | None

    @property
    def gamma(self) -> float:
        """The larger noise ratio of the nodes; 0 where there is none."""
        # The larger one, as the step of the theorem has to suit both nodes.
        return max(account.gamma or 0.0 for account in self.accounts)


def common_fields(problem: TwoNodes, index: int, name: str, basis: str) -> dict[str, Any]:
    """Return the fields of a `NodeAccount` that do not depend on the method.

    Args:
        index: of the node, 0 or 1.
        basis: of its parameters, which decides the divisor.
    """
    setup = problem.setup
    return {
        "method": name,
        "basis": basis,
        "node": index + 1,
        "records": problem.objectives[index].records,
        "divisor": divisor(problem, index) if basis == "printed" else problem.objectives[index].records,
        "dimension": problem.dimension,
        "neighbours": setup.neighbours,
        # Down for the order and up for delta and the aim: what is said is then no better than what is meant.
        "order": round_down(setup.fraction("order")),
        "aim": None if basis == "none" else round_up(setup.fraction("level")),
        "iterations": setup.iterations,
        "delta": round_up(setup.fraction("delta")),
    }


def data_caveats(problem: TwoNodes) -> tuple[str, ...]:
    """Return what is left out of every account of this setup, as sentences.

    Args:
        problem: whose setup says what was taken from the data without paying for it.
    """
    centred = "the mean that is subtracted from the features is taken as public" if problem.setup.centred else ""
    copied = f"a record counts {problem.setup.copies} times: data of that size would have longer records"
    copies = copied if problem.setup.copies > 1 else ""
    twice = "the random records are with both nodes, and lose in both" if _held_twice(problem) else ""
    # In every setup: eigenvalues of the nodes' Hessians are data, whatever the rule for the step.
    step = "the step size is computed from the data and taken as public"
    return tuple(sentence for sentence in (step, centred, copies, twice) if sentence)


def _held_twice(problem: TwoNodes) -> bool:
    """Tell whether some records are with both nodes."""
    setup = problem.setup
    return setup.split == "label" and setup.label_rest == "copied" and setup.label_points > 0


def without_noise(problem: TwoNodes, *, name: str) -> Prepared:
    """Return the exact gradients of both nodes: no privacy.

    Args:
        name: of the method, for the accounts; their costs are `NOTHING`, which is not 0.
    """
    first, second = problem.objectives
    accounts = [
        NodeAccount(
            **common_fields(problem, index, name, "none"),
            noise="none",
            feasible=True,
            reason="the gradients are released as they are: nothing is private",
        )
        for index in (0, 1)
    ]
    oracles: tuple[Oracle, Oracle] = (lambda theta, _: first.gradient(theta), lambda theta, _: second.gradient(theta))
    return Prepared(oracles, (accounts[0], accounts[1]), (NoiseLaw(), NoiseLaw()))
