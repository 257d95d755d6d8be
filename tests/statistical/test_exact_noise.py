"""Exact noise drawn in numbers: its distribution function, with a bound that holds for all sizes, and a control."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from rgm_verify.mechanisms.exact_noise import DiscreteGaussianMechanism, DiscreteLaplaceMechanism

#: Each test is wrong with at most this probability (Dvoretzky, Kiefer, Wolfowitz, with Massart's constant).
FALSE_ALARM = 1e-9
DRAWS = 20_000
MOST = math.sqrt(math.log(2 / FALSE_ALARM) / (2 * DRAWS))


def distance(make, parameter, law_of):
    """The largest difference of the distribution function of draws from that of a law on the integers."""
    mechanism = make(parameter, bits=random.Random(7).getrandbits)
    drawn = np.array([mechanism.release(0) for _ in range(DRAWS)])
    places = np.arange(-200, 201)
    masses = np.exp([law_of(x) for x in places])
    exact = np.cumsum(masses) / masses.sum()
    found = np.searchsorted(np.sort(drawn), places, side="right") / DRAWS
    return np.max(np.abs(found - exact))


@pytest.mark.parametrize("scale", ["1/2", "3", "7/2"])
def test_discrete_laplace_noise_has_its_distribution_function(scale):
    value = float(eval_fraction(scale))
    assert distance(DiscreteLaplaceMechanism, scale, lambda x: -abs(x) / value) <= MOST


@pytest.mark.parametrize("sigma", ["1/2", "3", "7/2"])
def test_discrete_gaussian_noise_has_its_distribution_function(sigma):
    value = float(eval_fraction(sigma))
    assert distance(DiscreteGaussianMechanism, sigma, lambda x: -(x**2) / (2 * value**2)) <= MOST


def test_noise_of_a_third_more_is_noticed():
    """The power control: what differs by a third lies beyond the bound."""
    assert distance(DiscreteLaplaceMechanism, "4", lambda x: -abs(x) / 3) > MOST
    assert distance(DiscreteGaussianMechanism, "4", lambda x: -(x**2) / 18) > MOST


def eval_fraction(text):
    top, _, bottom = text.partition("/")
    return int(top) / int(bottom or 1)
