"""Calibrations for large epsilons, where one account takes long."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rgm_verify.accounting.subsampled.calibration import calibrate_noise


@pytest.mark.parametrize("target", ["1e-3", "1e-10"])
@pytest.mark.parametrize(
    ("rate", "steps", "sampler"),
    [
        ("1/10", 1, "poisson"),
        ("1/100", 5, "poisson"),
        ("1/1000", 1000, "poisson"),
        ("1/2", 10, "poisson"),
        ("1", 100, "poisson"),
        ("1/10", 20, "fixed-batch"),
    ],
)
def test_a_calibration_at_a_large_epsilon_takes_at_most_fifteen_accounts(rate, steps, sampler, target):
    found = calibrate_noise("50", target, rate=rate, steps=steps, sampler=sampler)
    assert found.evaluations <= 15
    assert found.delta.upper <= Fraction(target)
    assert found.noise_multiplier <= found.fails * Fraction(1001, 1000)
