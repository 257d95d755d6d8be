"""Simulated runs of DP-SGD against the certified delta: an exact interval, with a power control.

`delta(epsilon) = E_P[(1 - e^(epsilon - L))_+]` is the probability that a fair draw `u` in [0, 1] exceeds
`e^(epsilon - L)`; counts of that are binomial. False-alarm rate: each of the 4 intervals fails with probability at most
2.5e-10, so all of them with at most 1e-9.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from rgm_verify.accounting.subsampled.account import delta
from rgm_verify.accounting.subsampled.mechanism import sampled_gaussian
from rgm_verify.balls.statistics.confidence import clopper_pearson
from rgm_verify.numbers.sampling import spawn

SAMPLES, STEPS, RATE, NOISE, LEVEL = 400_000, 12, 0.2, 1.0, Fraction(1)
FALSE_ALARM = 2.5e-10


def interval(remove, rate, noise, seed):
    """Return an interval of delta from runs with these parameters."""
    generator = spawn(seed, 1)[0]
    total = np.zeros(SAMPLES)
    for _ in range(STEPS):
        held = generator.random(SAMPLES) < (rate if remove else 0.0)
        y = noise * generator.standard_normal(SAMPLES) + held
        loss = np.log1p(rate * np.expm1((2 * y - 1) / (2 * noise**2)))
        total += loss if remove else -loss
    hits = int(np.sum(generator.random(SAMPLES) > np.exp(float(LEVEL) - total)))
    return clopper_pearson(hits, SAMPLES, FALSE_ALARM)


def certified(remove, rate, noise):
    adjacency = "remove-one" if remove else "add-one"
    return delta(sampled_gaussian([(rate, noise, STEPS)], sampler="poisson", adjacency=adjacency), LEVEL)


@pytest.mark.parametrize("remove", [True, False])
def test_simulated_runs_agree_with_the_certified_delta(remove):
    low, high = interval(remove, RATE, NOISE, 31 + remove)
    found = certified(remove, Fraction(1, 5), 1)
    assert low <= found.upper
    assert found.lower <= high


@pytest.mark.parametrize("remove", [True, False])
def test_power_a_rate_or_a_noise_wrong_by_a_fifth_is_found(remove):
    low, high = interval(remove, RATE, NOISE, 41 + remove)
    for rate, noise in (("6/25", 1), ("4/25", 1), ("1/5", "4/5"), ("1/5", "6/5")):
        wrong = certified(remove, Fraction(rate), noise)
        assert wrong.lower > high or wrong.upper < low
