"""Absolute Gaussian noise at the sensitivity of the released iterate: no threshold, no test, exact gradients."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from rgm_verify.experiments.accounts import NodeAccount
from rgm_verify.experiments.methods.costs import gaussian_spent
from rgm_verify.experiments.methods.oracles import Oracle, Prepared, common_fields, data_caveats
from rgm_verify.experiments.methods.problem import TwoNodes
from rgm_verify.experiments.methods.sensitivities import record_bounds
from rgm_verify.experiments.methods.two_node_moments import NoiseOfIterate
from rgm_verify.learning.data import FloatArray
from rgm_verify.learning.descent.at_the_iterate import NoiseAtTheIterate
from rgm_verify.learning.sensitivity.at_iterate import SensitivityAtIterate
from rgm_verify.learning.sensitivity.of_domain import RecordDomain
from rgm_verify.mechanisms.sensitivity import adjacency

_PUBLIC = "bounds on the records are taken from the data and assumed to be public, as in the paper"


def at_the_iterate(problem: TwoNodes, *, name: str) -> Prepared:
    """Return both nodes' gradients with Gaussian noise at the sensitivity of the iterate, and their accounts.

    Bounds on features and labels are those on which clipping and relative noise rest in the same setup. Nothing else is
    taken from the data. Every level is feasible.

    Args:
        name: of the method, for the accounts.

    Source: claims `beyond:noise-at-the-iterate-of-a-step`, `beyond:noise-at-the-iterate-factor`.
    """
    made = [_node(problem, index, name) for index in (0, 1)]
    return Prepared((made[0][0], made[1][0]), (made[0][1], made[1][1]), (made[0][2], made[1][2]))


def _node(problem: TwoNodes, index: int, name: str) -> tuple[Oracle, NodeAccount, NoiseOfIterate]:
    """Return the oracle, the account and the law of one node."""
    setup, objective = problem.setup, problem.objectives[index]
    longest, label, origin = record_bounds(problem, index)
    # A public bias moves the point at which records are seen; a secret one is in the labels.
    centre = problem.nodes[index].centre if setup.bias_known == "public" else np.zeros(problem.dimension)
    domain = RecordDomain(longest, max(label, float(np.finfo(np.float64).tiny) * 2**100))
    sensitivity = SensitivityAtIterate(domain, objective.records, adjacency(setup.neighbours), centre)
    noise = NoiseAtTheIterate.of_level(setup.order, setup.level, sensitivity)
    # In units of the sensitivity every release is the same: moved by at most 1, with the variance `ratio`.
    spent = gaussian_spent(Fraction(1), noise.ratio, setup)
    account = NodeAccount(
        **common_fields(problem, index, name, "vouched"),
        noise="gaussian",
        sensitivity_from=f"|x| and |y| of every record: {origin}; the iterate is public",
        release=spent.release,
        reached=spent.release.lower,
        total=spent.total,
        epsilon=spent.epsilon,
        caveats=((_PUBLIC,) if setup.parameters == "data" else ()) + data_caveats(problem),
    )

    def oracle(theta: FloatArray, generator: np.random.Generator) -> FloatArray:
        return noise.at(theta).release(objective.gradient(theta), generator)

    return oracle, account, NoiseOfIterate(noise, centre)
