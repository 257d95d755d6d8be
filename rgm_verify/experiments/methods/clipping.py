"""Clipped gradients with Gaussian noise: thresholds by the recipe, the noise as printed and as it has to be."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from rgm_verify.experiments.accounts import NodeAccount
from rgm_verify.experiments.methods.costs import gaussian_spent
from rgm_verify.experiments.methods.oracles import Oracle, Prepared, common_fields, data_caveats
from rgm_verify.experiments.methods.problem import TwoNodes, centred_labels
from rgm_verify.experiments.methods.sensitivities import divisor, largest_gradient_at_optimum
from rgm_verify.learning import as_printed
from rgm_verify.learning.clipping.gradient import ClippedGradient, Regularizer, clipped_mean_sensitivity
from rgm_verify.learning.data import FloatArray
from rgm_verify.learning.descent.privacy import clipped_gradient_variance
from rgm_verify.mechanisms.gaussian import GaussianMechanism
from rgm_verify.numbers.bounds import round_up
from rgm_verify.numbers.exact import exact

_OPTIMUM = "the threshold is found by looking at the gradients at the optimum, which is not paid for"
_BIAS = "clipping moves the solution: where it does, the curve stays above 0 whatever the noise is"


def clipping(problem: TwoNodes, *, name: str, basis: str, factor: str) -> Prepared:
    """Return both nodes' clipped gradients with the threshold `factor` times the recipe's.

    The regularization is added outside of the clipping or clipped, and linear terms are always outside.

    Args:
        name: of the method, for the accounts.
        basis: "printed", with the variance of (82), or "vouched", with the variance that the neighbours of the setup
            need.
        factor: an exact number as a text.

    Returns:
        Oracles and accounts, feasible at every level: the sensitivity of clipped gradients holds for all data. There is
        no law of the noise, as the expected curve of clipped gradients has no closed form.

    Source: RGM paper (v2), Appendix C.1; `beyond:clipping-noise`.
    """
    made = [_node(problem, index, name, basis, exact(factor, name="factor")) for index in (0, 1)]
    return Prepared((made[0][0], made[1][0]), (made[0][1], made[1][1]), None)


def _node(problem: TwoNodes, index: int, name: str, basis: str, factor: Fraction) -> tuple[Oracle, NodeAccount]:
    """Return the oracle and the account of one node."""
    setup, records = problem.setup, problem.objectives[index].records
    # Where all gradients vanish at the optimum the recipe gives 0, which is no threshold.
    recipe = max(largest_gradient_at_optimum(problem, index), float(np.finfo(np.float64).tiny) * 2**100)
    clip = Fraction(round_up(factor * Fraction(recipe)))
    # The printed variance is for half the sensitivity of replacing a record: run as printed, and accounted for what it
    # is.
    if basis == "printed":
        variance = as_printed.clipping_variance(setup.order, setup.level, clip, divisor(problem, index))
    else:
        variance = clipped_gradient_variance(setup.order, setup.level, clip, records, setup.neighbours)
    # The float that the mechanism uses, so that what is accounted is what runs.
    sigma2 = Fraction(round_up(variance))
    move = clipped_mean_sensitivity(clip, records, setup.neighbours)
    spent = gaussian_spent(move, sigma2, setup)
    account = NodeAccount(
        **common_fields(problem, index, name, basis),
        noise="gaussian",
        clip=float(clip),
        sigma2=float(sigma2),
        vouched_r_rel=round_up(move),
        sensitivity_from="every gradient is clipped: it holds for all data",
        release=spent.release,
        reached=spent.release.lower,
        total=spent.total,
        epsilon=spent.epsilon,
        caveats=(_OPTIMUM, _BIAS, *data_caveats(problem)),
    )
    return _oracle(problem, index, clip, sigma2), account


def _oracle(problem: TwoNodes, index: int, clip: Fraction, sigma2: Fraction) -> Oracle:
    """Return a node's release: the mean of its clipped gradients with Gaussian noise, and what is public beside it."""
    node, setup = problem.nodes[index], problem.setup
    regularizer: Regularizer = "inside" if setup.regularizer == "inside" else "outside"
    gradient = ClippedGradient.of(
        node.X, centred_labels(node), clip, regularization=setup.regularization, regularizer=regularizer
    )
    mechanism = GaussianMechanism(sigma2)

    def oracle(theta: FloatArray, generator: np.random.Generator) -> FloatArray:
        # Around the centre the objective is a plain one; the linear term belongs to no record, and is not clipped.
        return mechanism.release(gradient(theta - node.centre) + node.linear, generator)

    return oracle
