"""Relative Gaussian noise on the gradients: as printed, by Theorem 1 with all constants, and calibrated exactly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from rgm_verify.accounting.release import Release
from rgm_verify.experiments.accounts import NOTHING, NodeAccount
from rgm_verify.experiments.methods.costs import (
    Noise,
    Spent,
    by_main_term,
    by_theorem_1,
    cheapest,
    exactly,
    relative_spent,
)
from rgm_verify.experiments.methods.neighbours import reached_anywhere, reached_level
from rgm_verify.experiments.methods.oracles import Oracle, Prepared, common_fields, data_caveats
from rgm_verify.experiments.methods.problem import TwoNodes
from rgm_verify.experiments.methods.sensitivities import Proved, by_regularization, by_test, printed
from rgm_verify.experiments.methods.two_node_moments import NoiseLaw
from rgm_verify.learning.data import EPS, FloatArray
from rgm_verify.mechanisms.relative_gaussian import RelativeGaussianMechanism

_UNSAFE = "its eta and R_rel are of the records at hand, without constants: a neighbour holds another record"
_CIRCULAR = "C is the node's own Hessian; what the test promises needs one that does not depend on the data"
_CAPPED = "where records are added or removed, no data set may have more than these"
_UNBOUNDED = "no bound: every proved sensitivity has neighbours that this noise tells apart without limit"


@dataclass(frozen=True)
class _Chosen:
    """The parameters and the noise of one node, what they rest on, and what they cost.

    Attributes:
        eta: in use.
        r_rel: in use.
        noise: in use; without a gamma where none serves.
        proved: the sensitivity that the account rests on; None where none has a finite cost.
        vouched: its eta and R_rel.
        spent: the cost by it.
    """

    eta: Fraction
    r_rel: Fraction
    noise: Noise
    proved: Proved | None
    vouched: tuple[Fraction, Fraction] | None
    spent: Spent


def relative(problem: TwoNodes, *, name: str, basis: str) -> Prepared:
    """Return both nodes' gradients with relative Gaussian noise, or their accounts alone where it is not feasible.

    Args:
        name: of the method, for the accounts.
        basis: "printed": eta, R_rel and the noise as Appendix C.2 has them; "vouched": the paper's procedure (a tested
            level, Theorem 1) with proved constants; "exact": the better one of the proved sensitivities, and the least
            gamma by the exact Renyi curve.

    Source: RGM paper (v2), Theorem 1 and Appendix C.2.
    """
    # Each node by itself: its records, its sensitivity and its noise are nobody else's business.
    chosen = [{"printed": _printed, "vouched": _vouched, "exact": _exact}[basis](problem, index) for index in (0, 1)]
    accounts = [_account(problem, index, name, basis, chosen[index]) for index in (0, 1)]
    pair = accounts[0], accounts[1]
    # A descent takes both nodes: where one of them cannot release anything, nothing is run.
    if not all(account.feasible for account in accounts):
        return Prepared(None, pair, None)
    laws = [NoiseLaw(account.gamma or 0.0, account.sigma2 or 0.0) for account in accounts]
    oracles = [_oracle(problem, index, chosen[index].noise) for index in (0, 1)]
    return Prepared((oracles[0], oracles[1]), pair, (laws[0], laws[1]))


def _printed(problem: TwoNodes, index: int) -> _Chosen:
    """Return the noise of the printed recipe, accounted by the proved sensitivity that makes it cheapest."""
    setup, d = problem.setup, problem.dimension
    eta, r_rel = printed(problem, index)
    by_theorem = setup.printed_gamma == "theorem-1"
    noise = by_theorem_1(eta, r_rel, d, setup) if by_theorem else by_main_term(eta, r_rel, setup)
    if noise.gamma is None or noise.sigma2 is None:
        return _Chosen(eta, r_rel, noise, None, None, _nothing())
    # The noise is the recipe's, the cost is not: a printed eta that is too small would promise too much.
    covered = cheapest(_proved(problem, index), noise.gamma, noise.sigma2, d, setup)
    if covered is None:
        return _Chosen(eta, r_rel, noise, None, None, _nothing())
    vouched = covered.release.eta, covered.release.r_rel
    return _Chosen(eta, r_rel, noise, covered.proved, vouched, relative_spent(covered.release, setup))


def _vouched(problem: TwoNodes, index: int) -> _Chosen:
    """Return the noise of the paper's procedure with its constants."""
    # At the share of the setup, as a user has to choose it before the data are seen.
    proved = by_test(problem, index)
    eta, r_rel = proved.shared(problem.setup.fraction("share"))
    noise = by_theorem_1(eta, r_rel, problem.dimension, problem.setup)
    return _safe(problem, proved, eta, r_rel, noise)


def _exact(problem: TwoNodes, index: int) -> _Chosen:
    """Take the route with the least baseline noise among those that reach the level, else the one with less eta."""
    share = problem.setup.fraction("share")
    # Both routes are proved, so that the choice between them is free; that it looks at the data is said in a caveat.
    options = []
    for proved in _proved(problem, index):
        eta, r_rel = proved.shared(share)
        options.append((proved, eta, r_rel, exactly(eta, r_rel, problem.dimension, problem.setup)))
    reached = [each for each in options if each[3].sigma2 is not None]
    # Less baseline noise is what matters near the optimum, where the relative part vanishes.
    best = min(reached, key=lambda each: each[3].sigma2 or 0) if reached else min(options, key=lambda each: each[1])
    return _safe(problem, *best)


def _safe(problem: TwoNodes, proved: Proved, eta: Fraction, r_rel: Fraction, noise: Noise) -> _Chosen:
    """Return noise that was made for a proved sensitivity, with what it costs."""
    if noise.gamma is None or noise.sigma2 is None:
        return _Chosen(eta, r_rel, noise, proved, (eta, r_rel), _nothing())
    release = Release(eta, noise.gamma, problem.dimension, r_rel=r_rel, sigma2=noise.sigma2)
    return _Chosen(eta, r_rel, noise, proved, (eta, r_rel), relative_spent(release, problem.setup))


def _proved(problem: TwoNodes, index: int) -> Sequence[Proved]:
    return by_regularization(problem, index), by_test(problem, index)


def _nothing() -> Spent:
    """Return the cost of what is not run."""
    return Spent(NOTHING, NOTHING, NOTHING, None)


# ------------------------------------------------------------------------------------------------------- accounts


def _account(problem: TwoNodes, index: int, name: str, basis: str, chosen: _Chosen) -> NodeAccount:
    """The privacy account of a node that adds relative noise: what was promised, what it costs, and what is reached.

    `release` and `total` are upper bounds at the stated orders, rounded up; `reached` and `reached_anywhere` are lower
    bounds on the level by neighbours that were found. Fields are None where no noise serves the level.
    """
    # JSON has no infinity: an unbounded level is a field of its own, and the number beside it is None.
    noise, proved, spent = chosen.noise, chosen.proved, chosen.spent
    feasible = noise.gamma is not None
    here = None if noise.gamma is None else reached_level(problem, index, noise.gamma, noise.sigma2 or Fraction(0))
    anywhere = None if noise.gamma is None else reached_anywhere(problem, index, noise.gamma)
    distance = None if proved is None else proved.distance
    return NodeAccount(
        **common_fields(problem, index, name, basis),
        noise="relative",
        eta=float(chosen.eta),
        r_rel=float(chosen.r_rel),
        gamma=None if noise.gamma is None else float(noise.gamma),
        sigma2=None if noise.sigma2 is None else float(noise.sigma2),
        vouched_eta=None if chosen.vouched is None else float(chosen.vouched[0]),
        vouched_r_rel=None if chosen.vouched is None else float(chosen.vouched[1]),
        sensitivity_from=_UNBOUNDED if proved is None and feasible else "" if proved is None else proved.needs,
        release=spent.release,
        reached=here,
        reached_anywhere=None if anywhere == math.inf else anywhere,
        unbounded=anywhere == math.inf,
        largest_order=spent.largest_order,
        total=spent.total,
        epsilon=spent.epsilon,
        feasible=feasible,
        floor=None if math.isinf(noise.floor) else noise.floor,
        reason=noise.reason,
        test_distance=distance,
        test_delta=None if distance is None else _test_delta(distance, problem),
        caveats=_caveats(problem, basis, proved),
    )


def _test_delta(distance: float, problem: TwoNodes) -> float:
    """Return the delta of a test at the level of the setup that passes every other time; rounded up.

    The threshold is `1 + log(1 / (2 delta)) / epsilon` (claim `beyond:ptr-threshold`), met by the distance.
    """
    level = float(problem.setup.fraction("level"))
    return min(1.0, math.exp(-level * (distance - 1)) / 2 * (1 + 64 * EPS) + 5e-324)


def _caveats(problem: TwoNodes, basis: str, proved: Proved | None) -> tuple[str, ...]:
    """Return what is unfair or not guaranteed in a node's account."""
    found = [_UNSAFE] if basis == "printed" else []
    # Only the test leans on C: what rests on the regularization alone has no such circle.
    if proved is not None and proved.route == "test":
        found.append(_CIRCULAR)
    if problem.setup.neighbours == "add_or_remove":
        found.append(_CAPPED)
    if problem.setup.parameters == "data":
        found.append("bounds on the records are taken from the data and assumed to be public, as in the paper")
    return (*found, *data_caveats(problem))


def _oracle(problem: TwoNodes, index: int, noise: Noise) -> Oracle:
    """Return a node's release: its gradient with noise by the reference mechanism."""
    # The exact numbers that were accounted, and not their floats in the account.
    mechanism = RelativeGaussianMechanism(noise.gamma or 0, noise.sigma2 or 0)
    objective = problem.objectives[index]

    def oracle(theta: FloatArray, generator: np.random.Generator) -> FloatArray:
        return mechanism.release(objective.gradient(theta), generator)

    return oracle
