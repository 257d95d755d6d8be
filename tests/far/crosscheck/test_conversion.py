"""From a Renyi curve to (epsilon, delta): the same curve in other packages, and what they promise against the truth."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from rgm_verify.accounting.composition import composed_epsilon
from rgm_verify.accounting.conversion import epsilon_from_renyi, release_epsilon
from rgm_verify.accounting.exact import one_release
from rgm_verify.accounting.exact.renyi_curve import renyi_bounds
from rgm_verify.accounting.release import Release
from rgm_verify.gaussians.enclosures import epsilon
from rgm_verify.gaussians.pair import GaussianPair

RELEASES = [Release("1/1000", "1/10000", 10), Release("1/10", "1/4", 3), Release("1/100", "1/400", 22)]
GAUSSIANS = ["1/200", "1/2", "8"]
DELTAS = [1e-3, 1e-6, 1e-9]
names = pytest.mark.parametrize("release", RELEASES, ids=["worked example", "small", "nearly Gaussian"])
steps = pytest.mark.parametrize("steps", [1, 10, 100])
deltas = pytest.mark.parametrize("delta", DELTAS)
# Both sides evaluate the same formula in doubles: a few dozen roundings of its terms.
ROUNDINGS = Fraction(64, 2**53)


def infimum(found):
    """A certified bound that no order of the curve can get below."""
    return Fraction(found.epsilon) - Fraction(found.gap)


def roundings(found, delta):
    return ROUNDINGS * (Fraction(found.epsilon) + Fraction(-np.log(delta)) * 2 / (found.order - 1))


@names
@steps
@deltas
def test_dp_accounting_never_gets_below_the_infimum_of_the_same_curve(dp_accounting, handover, release, steps, delta):
    relation = dp_accounting.NeighboringRelation.ADD_OR_REMOVE_ONE
    event = handover.RelativeGaussianDpEvent(release.eta, release.gamma, release.dimension, relation)
    account = handover.RelativeGaussianRdpAccountant(neighboring_relation=relation)
    found = account.compose(event, steps).get_epsilon(delta)
    ours = release_epsilon(release, Fraction(delta), steps=steps)
    assert Fraction(found) >= infimum(ours) - roundings(ours, delta)
    assert found >= composed_epsilon(release, Fraction(delta), steps=steps, methods=["rdp"]).lower


@names
@steps
@deltas
def test_dp_accounting_agrees_at_the_best_order(dp_accounting, release, steps, delta):
    ours = release_epsilon(release, Fraction(delta), steps=steps)
    curve = steps * renyi_bounds(release, ours.order).upper
    found, _ = dp_accounting.rdp.compute_epsilon([float(ours.order)], [curve], delta)
    assert abs(Fraction(found) - Fraction(ours.epsilon)) <= ours.gap + roundings(ours, delta)


@deltas
@pytest.mark.parametrize("rho", GAUSSIANS)
def test_opendp_keeps_above_the_infimum_of_a_straight_curve_and_above_the_truth(opendp, rho, delta):
    domain = opendp.vector_domain(opendp.atom_domain(T=float, nan=False))
    scale = float(1 / (2 * Fraction(rho))) ** 0.5
    gaussian = opendp.m.make_gaussian(domain, opendp.l2_distance(T=float), scale=scale)
    found = Fraction(opendp.c.make_zCDP_to_approxDP(gaussian).map(1.0).epsilon(delta))
    deviation = Fraction(scale)
    ours = epsilon_from_renyi(
        lambda order: float(order / (2 * deviation**2)), Fraction(delta), largest_order=None, form="improved"
    )
    assert found >= infimum(ours) - roundings(ours, delta)
    assert found >= epsilon(GaussianPair(1 / deviation**2, 0, 1), Fraction(delta)).upper


@names
@steps
@deltas
def test_autodp_keeps_above_the_infimum_and_above_the_truth(autodp, quiet, release, steps, delta):
    def curve(order):
        if not 1 < order < release.largest_order:
            return np.inf
        return steps * renyi_bounds(release, Fraction(float(order))).upper

    found = quiet(autodp.converter.rdp_to_approxdp(curve), delta)
    ours = release_epsilon(release, Fraction(delta), steps=steps)
    assert Fraction(found) >= infimum(ours) - roundings(ours, delta)
    truth = one_release.epsilon(release, Fraction(delta)) if steps == 1 else None
    assert found >= (truth or composed_epsilon(release, Fraction(delta), steps=steps, methods=["rdp"])).lower


def test_the_same_comparison_notices_a_curve_that_is_a_thousandth_too_low(dp_accounting):
    release, delta = RELEASES[0], 1e-6
    ours = release_epsilon(release, Fraction(delta))
    orders = [float(ours.order) * factor for factor in np.linspace(0.9, 1.1, 41)]
    low = [0.999 * renyi_bounds(release, Fraction(order)).upper for order in orders]
    found, _ = dp_accounting.rdp.compute_epsilon(orders, low, delta)
    assert Fraction(found) < infimum(ours) - roundings(ours, delta)
