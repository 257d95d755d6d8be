"""Discrete Gaussian noise so narrow that nearly all of it is one integer: the account against the closed form."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rgm_verify.accounting.plans.account import epsilon
from rgm_verify.accounting.plans.plan import plan
from rgm_verify.accounting.plans.releases import release_of
from rgm_verify.recheck.mechanisms import DiscreteGaussian
from rgm_verify.recheck.noises import divergence

BITS = 2000  # masses here go down to e^-600


@pytest.mark.parametrize("delta", ["1e-15", "1e-3"])
@pytest.mark.parametrize("sigma", ["1/20", "1/15", "1/10", "1/7", "1/5", "1/3"])
def test_the_interval_holds_the_epsilon_of_the_closed_form(sigma: str, delta: str) -> None:
    found = epsilon(plan([release_of("discrete-gaussian", {"sigma": sigma})]), delta)
    law = DiscreteGaussian(Fraction(sigma), 1, 1)
    target = Fraction(delta) * (1 << BITS)
    # The divergence falls: epsilon lies where it passes delta.
    assert divergence(law, Fraction(found.upper), BITS)[0] <= target
    assert divergence(law, Fraction(found.lower), BITS)[1] >= target
    assert found.relative_width < Fraction(1, 100)
