"""Releases by the Relative Gaussian Mechanism in other accountants, which learn its loss from SciPy's chi-squares."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from rgm_verify.accounting.composition import composed_epsilon
from rgm_verify.accounting.exact import one_release
from rgm_verify.accounting.release import Release
from rgm_verify.gaussians.enclosures import epsilon
from rgm_verify.gaussians.pair import GaussianPair

RELEASES = [Release("1/10", "1/4", 3), Release("1/10", "1/16", 30), Release("1/100", "1/400", 22)]
BELOW = Release("1/10", "1/10", 5, r_rel=1, sigma2=5)
"""With half of the baseline noise from which one pair is the worst."""
STEPS = [1, 10, 60]
DELTA = 1e-6
EPSILON_ERROR = 5e-3


def loss_law(release, order, norm=1e9):
    """The privacy loss of two outputs in the PRV accountant's terms, without any of our code: `cdf` and `rdp`.

    The norms are `norm` and the largest that its neighbour may have; the worst pair of outputs is far out.
    """
    eta, gamma, r_rel, sigma2 = (float(x) for x in (release.eta, release.gamma, release.r_rel, release.sigma2))
    distance, d = math.hypot(eta * norm, r_rel), release.dimension
    narrow, wide = gamma * norm**2 + sigma2, gamma * (norm + distance) ** 2 + sigma2
    shift, v = distance**2 / narrow, wide / narrow
    w = v - 1

    def squares(t):
        return (2 * np.asarray(t, dtype=float) + d * math.log(v) + shift / w) / w

    def wide_first(t):
        return stats.ncx2.cdf(np.maximum(squares(t), 0), d, shift * v / w**2)

    def narrow_first(t):
        return stats.ncx2.sf(np.maximum(v * squares(-t), 0), d, shift / w**2)

    def rdp(alpha):
        s = alpha - 1 if order == "wide first" else -alpha
        left = 1 - s * w
        return (shift * s * (s + 1) / (2 * left) - d / 2 * (np.log(left) + s * math.log(v))) / (alpha - 1)

    # Beyond the end of the range of orders there is no finite divergence.
    def finite_rdp(alpha):
        return rdp(alpha) if order == "narrow first" or alpha < 1 + 1 / w else math.inf

    return SimpleNamespace(cdf=wide_first if order == "wide first" else narrow_first, rdp=finite_rdp)


@pytest.fixture
def prv(prv_accountant, quiet):
    """`prv([(law, times), ...])`: the lower and the upper end that the PRV accountant states at DELTA."""
    base = prv_accountant.privacy_random_variables.PrivacyRandomVariable

    def account(laws):
        adapted = []
        for law, _ in laws:
            kind = type("Law", (base,), {"cdf": lambda self, t, law=law: law.cdf(t), "rdp": staticmethod(law.rdp)})
            adapted.append(kind())
        counts = [times for _, times in laws]
        accountant = quiet(prv_accountant.PRVAccountant, adapted, EPSILON_ERROR, DELTA / 1000, counts)
        lower, _, upper = quiet(accountant.compute_epsilon, DELTA, counts)
        return lower, upper

    return account


@pytest.fixture
def gaussian(prv_accountant):
    law = prv_accountant.privacy_random_variables.GaussianMechanism(8.0)
    return SimpleNamespace(cdf=law.cdf, rdp=law.rdp)


@pytest.mark.parametrize("order", ["wide first", "narrow first"])
@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("release", RELEASES, ids=["small", "many dimensions", "nearly Gaussian"])
def test_equal_steps_at_one_pair_are_one_pair_for_the_prv_accountant_too(prv, release, steps, order):
    lower, upper = prv([(loss_law(release, order), steps)])
    pair = release.worst_pair if order == "wide first" else release.worst_pair.reversed()
    truth = epsilon(pair.repeated(steps), Fraction(DELTA))
    assert lower <= truth.lower
    assert truth.upper <= upper


def test_that_comparison_notices_a_pair_that_is_slightly_different(prv):
    release = RELEASES[1]
    lower, _ = prv([(loss_law(release, "wide first"), 60)])
    pair = release.worst_pair.repeated(60)
    closer = GaussianPair(pair.shift_squared * Fraction(99, 100), pair.excess, pair.dimension)
    assert epsilon(closer, Fraction(DELTA)).upper < lower


@pytest.mark.parametrize("steps", [10, 60])
@pytest.mark.parametrize("release", RELEASES, ids=["small", "many dimensions", "nearly Gaussian"])
def test_a_composed_interval_reaches_what_the_prv_accountant_finds_at_the_worst_pair(prv, release, steps):
    lower, upper = prv([(loss_law(release, "wide first"), steps)])
    found = composed_epsilon(release, Fraction(DELTA), steps=steps)
    assert found.upper >= lower
    assert found.lower <= upper


@pytest.mark.parametrize("norm", [0, 1, 3, 10, 30, 100, 1e4])
def test_outputs_below_the_threshold_of_the_baseline_cost_at_most_what_is_said(prv, handover, dp_accounting, norm):
    one, ten, handed_over = said_below(handover, dp_accounting)
    assert prv([(loss_law(BELOW, "wide first", norm), 1)])[0] <= one
    lower, _ = prv([(loss_law(BELOW, "wide first", norm), 10)])
    assert lower <= min(ten, handed_over)


@cache
def said_below(handover, dp_accounting):
    one, ten = (composed_epsilon(BELOW, Fraction(DELTA), steps=steps).upper for steps in (1, 10))
    return one, ten, mixed(handover, dp_accounting, BELOW, 10, gaussians=0)


def test_some_outputs_below_the_threshold_of_the_baseline_cost_nearly_what_is_said(prv):
    truth = one_release.epsilon(BELOW, Fraction(DELTA))
    _, upper = max(prv([(loss_law(BELOW, "wide first", norm), 1)]) for norm in np.geomspace(1, 100, 25))
    assert truth.lower <= upper


@pytest.mark.parametrize("order", ["wide first", "narrow first"])
@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("release", RELEASES, ids=["small", "many dimensions", "nearly Gaussian"])
def test_what_is_handed_over_and_mixed_with_a_gaussian_costs_at_least_what_the_prv_accountant_finds(
    prv, gaussian, handover, dp_accounting, release, steps, order
):
    lower, _ = prv([(loss_law(release, order), steps), (gaussian, 20)])
    assert mixed(handover, dp_accounting, release, steps) >= lower


def test_that_comparison_notices_a_release_that_hands_over_too_little(prv, gaussian, handover, dp_accounting):
    release = RELEASES[1]
    lower, _ = prv([(loss_law(release, "wide first"), 60), (gaussian, 20)])
    too_little = Release(release.eta, release.gamma * Fraction(5, 4), release.dimension)
    assert mixed(handover, dp_accounting, too_little, 60) < lower


def mixed(handover, dp_accounting, release, steps, gaussians=20):
    relation = dp_accounting.NeighboringRelation.ADD_OR_REMOVE_ONE
    event = handover.RelativeGaussianDpEvent(
        release.eta, release.gamma, release.dimension, relation, release.r_rel, release.sigma2
    )
    account = handover.RelativeGaussianAccountant(neighboring_relation=relation, value_discretization_interval=1e-4)
    account.compose(event, steps)
    if gaussians:
        account.compose(dp_accounting.GaussianDpEvent(8.0), gaussians)
    return account.get_epsilon(DELTA)
