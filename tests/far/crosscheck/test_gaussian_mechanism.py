"""Equal variances are the plain Gaussian mechanism, which everybody accounts for: each within its own stated error."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rgm_verify.gaussians.enclosures import epsilon, hockey_stick
from rgm_verify.gaussians.pair import GaussianPair

CASES = [("1", 1), ("5", 20), ("10", 1000), ("1/2", 3)]
DELTAS = [1e-3, 1e-6]
# A sum of at most a million masses, each with one rounding of a number below 1.
ROUNDING = Fraction(2**20, 2**53)


def composed(multiplier, steps):
    return GaussianPair(1 / Fraction(multiplier) ** 2, 0, 1).repeated(steps)


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize(("multiplier", "steps"), CASES)
def test_dp_accounting_rounds_up_by_its_interval_for_each_step_at_most(dp_accounting, multiplier, steps, delta):
    interval, tails = 1e-4, Fraction(1, 10**12)
    from dp_accounting.pld.privacy_loss_distribution import from_gaussian_mechanism

    one = from_gaussian_mechanism(float(Fraction(multiplier)), value_discretization_interval=interval)
    found = (one.self_compose(steps) if steps > 1 else one).get_epsilon_for_delta(delta)
    pair, target = composed(multiplier, steps), Fraction(delta)
    assert found >= epsilon(pair, target + ROUNDING).lower
    assert found <= epsilon(pair, target - ROUNDING - tails).upper + steps * Fraction(interval)


@pytest.mark.parametrize("delta", [*DELTAS, 1e-9])
@pytest.mark.parametrize(("multiplier", "steps"), CASES)
def test_the_truth_is_in_the_interval_of_the_prv_accountant(prv_accountant, quiet, multiplier, steps, delta):
    law = prv_accountant.privacy_random_variables.GaussianMechanism(float(Fraction(multiplier)))
    account = quiet(prv_accountant.PRVAccountant, [law], 1e-2, delta / 1000, [steps])
    lower, _, upper = quiet(account.compute_epsilon, delta, [steps])
    truth = epsilon(composed(multiplier, steps), Fraction(delta))
    assert lower <= truth.lower
    assert truth.upper <= upper


@pytest.mark.parametrize("delta", [*DELTAS, 1e-9, 1e-30])
@pytest.mark.parametrize(("multiplier", "steps"), CASES)
def test_the_closed_form_of_autodp_is_met_to_the_precision_of_its_root_finder(autodp, quiet, multiplier, steps, delta):
    deviation = float(Fraction(multiplier)) / steps**0.5
    found = quiet(autodp.dp_bank.get_eps_ana_gaussian, deviation, delta)
    truth = epsilon(composed(multiplier, steps), Fraction(delta))
    # Brent's method in SciPy stops within xtol + rtol |x|; the deviation and the closed form in doubles cost as much.
    allowed = Fraction(2e-12) + 4 * Fraction(2**-50) * truth.upper
    assert abs(Fraction(found) - truth.lower) <= 2 * allowed


@pytest.mark.parametrize("delta", [*DELTAS, 1e-9])
@pytest.mark.parametrize(("multiplier", "steps"), CASES)
def test_opendp_never_promises_more_than_the_truth(opendp, multiplier, steps, delta):
    domain = opendp.vector_domain(opendp.atom_domain(T=float, nan=False))
    gaussian = opendp.m.make_gaussian(domain, opendp.l2_distance(T=float), scale=float(Fraction(multiplier)))
    curve = opendp.c.make_zCDP_to_approxDP(opendp.c.make_composition([gaussian] * steps)).map(1.0)
    found = Fraction(curve.epsilon(delta))
    assert found >= epsilon(composed(multiplier, steps), Fraction(delta)).upper
    assert hockey_stick(composed(multiplier, steps), found).upper <= Fraction(delta)
