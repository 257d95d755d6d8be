"""Subsampled Gaussians by other accountants: within their own stated error of the certified interval."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rgm_verify.accounting.subsampled.account import epsilon
from rgm_verify.accounting.subsampled.mechanism import poisson

CASES = [("1/100", "1", 1000), ("1/10", "2", 100), ("1/2", "5", 20), ("256/60000", "11/10", 2000)]


@pytest.mark.parametrize("delta", [1e-4, 1e-6])
@pytest.mark.parametrize(("rate", "noise", "steps"), CASES)
def test_the_pessimistic_pld_of_dp_accounting_lies_in_or_next_to_the_interval(dp_accounting, rate, noise, steps, delta):
    from dp_accounting.pld.privacy_loss_distribution import from_gaussian_mechanism

    q, sigma = float(Fraction(rate)), float(Fraction(noise))
    one = from_gaussian_mechanism(sigma, sampling_prob=q, value_discretization_interval=1e-4)
    found = one.self_compose(steps).get_epsilon_for_delta(delta)
    ours = epsilon(poisson(rate, noise, steps), Fraction(delta))
    # Connected dots at 1e-4: far below the first digit of what separates our two ends.
    assert found >= ours.lower
    assert found <= ours.upper * (1 + 1e-3)


@pytest.mark.parametrize(("rate", "noise", "steps"), CASES)
def test_the_certified_interval_meets_the_one_of_the_prv_accountant(prv_accountant, quiet, rate, noise, steps):
    q, sigma = float(Fraction(rate)), float(Fraction(noise))
    law = prv_accountant.privacy_random_variables.PoissonSubsampledGaussianMechanism(q, sigma)
    account = quiet(prv_accountant.PRVAccountant, [law], 1e-2, 1e-9, [steps])
    lower, _, upper = quiet(account.compute_epsilon, 1e-6, [steps])
    ours = epsilon(poisson(rate, noise, steps), "1e-6")
    assert lower <= ours.upper
    assert ours.lower <= upper
