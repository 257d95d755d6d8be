"""Draws of the privacy loss follow the computed law: exact intervals at several quantiles, with a power control.

False-alarm rate: each of the 24 intervals fails with probability at most 4e-11, so each test with at most 1e-9.
"""

from __future__ import annotations

import pytest

from rgm_verify.balls.statistics.confidence import clopper_pearson
from rgm_verify.gaussians.floating.privacy_loss import loss_quantile, sample_loss
from rgm_verify.gaussians.pair import GaussianPair
from rgm_verify.numbers.sampling import spawn

SAMPLES = 100_000
FALSE_ALARM = 4e-11
LEVELS = (0.01, 0.1, 0.3, 0.5, 0.8, 0.99)


def misses(draws, pair, under):
    """Count the levels whose computed quantile the sample contradicts."""
    values = loss_quantile(LEVELS, float(pair.shift_squared), float(pair.excess), pair.dimension, under=under)
    intervals = [clopper_pearson(int((draws <= x).sum()), draws.size, FALSE_ALARM) for x in values]
    return sum(not low <= p <= high for p, (low, high) in zip(LEVELS, intervals, strict=True))


@pytest.mark.parametrize("under", ["P", "Q"])
@pytest.mark.parametrize(
    "pair", [GaussianPair("1/4", "1/2", 1), GaussianPair(1, "-1/3", 7), GaussianPair(0, "1/100", 5000)]
)
def test_draws_follow_the_law(pair, under):
    draws = sample_loss(pair, SAMPLES, spawn(20, 1)[0], under=under)
    assert misses(draws, pair, under) == 0


@pytest.mark.parametrize("under", ["P", "Q"])
def test_power_a_shift_or_an_excess_wrong_by_a_tenth_is_found(under):
    pair = GaussianPair(1, "1/3", 7)
    draws = sample_loss(pair, SAMPLES, spawn(21, 1)[0], under=under)
    assert misses(draws, pair, under) == 0
    for wrong in (GaussianPair("11/10", "1/3", 7), GaussianPair(1, "11/30", 7), GaussianPair(1, "1/3", 14)):
        assert misses(draws, wrong, under) >= 1
    assert misses(draws, pair, "Q" if under == "P" else "P") >= 1
