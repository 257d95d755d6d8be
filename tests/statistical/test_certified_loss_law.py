"""Simulated outputs against the certified law of the privacy loss and the certified delta. Seeds are fixed.

Every check is Hoeffding's inequality for a mean of values in [0, 1]: it raises a false alarm with probability 1e-9 at
most at a random seed. The power control draws from a pair whose excess variance is 30 % larger: that is rejected.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosure, loss_cdf_enclosure

FALSE_ALARM = 1e-9
SAMPLES = 200_000
BOUND = math.sqrt(math.log(2 / FALSE_ALARM) / (2 * SAMPLES))
PAIRS = [
    (Fraction(1), Fraction(1, 2), 1),
    (Fraction(1), Fraction(-1, 2), 3),
    (Fraction(2), Fraction(0), 2),
    (Fraction(1, 4), Fraction(1), 20),
]


def losses(pair, drawn_excess, seed):
    """Draw outputs of P (with its own excess) coordinate by coordinate and return log dP/dQ at them."""
    shift, excess, dimension = float(pair[0]), float(pair[1]), pair[2]
    z = np.random.default_rng(seed).normal(size=(SAMPLES, dimension)) * math.sqrt(1 + drawn_excess)
    z[:, 0] += math.sqrt(shift)
    centred = z.copy()
    centred[:, 0] -= math.sqrt(shift)
    squares = (z**2).sum(axis=1) - (centred**2).sum(axis=1) / (1 + excess)
    return (squares - dimension * math.log1p(excess)) / 2


def holds(found, values):
    """Return whether the mean of values in [0, 1] is within Hoeffding's bound of the enclosure."""
    mean = float(np.mean(values))
    return float(found.lower) - BOUND <= mean <= float(found.upper) + BOUND


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_simulated_losses_follow_the_certified_law(pair):
    drawn = losses(pair, float(pair[1]), 5)
    for x in (Fraction(-1, 2), Fraction(1, 4), Fraction(1)):
        assert holds(loss_cdf_enclosure(x, *pair), drawn <= float(x))
        assert holds(hockey_stick_enclosure(x, *pair), np.maximum(0, -np.expm1(float(x) - drawn)))


def test_a_mechanism_with_30_percent_more_excess_is_found():
    pair = PAIRS[3]
    drawn = losses(pair, 1.3 * float(pair[1]), 5)
    assert not holds(loss_cdf_enclosure(Fraction(1, 4), *pair), drawn <= 0.25)
    assert not holds(hockey_stick_enclosure(Fraction(1), *pair), np.maximum(0, -np.expm1(1 - drawn)))
