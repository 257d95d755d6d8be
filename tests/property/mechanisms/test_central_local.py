"""Averages with and without a trusted server: exact errors, exact distances, and nothing for values without a range."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.errors import InputError
from rgm_verify.mechanisms.averaging import CentralAverage, Gopa, LocalAverage

PARTIES = st.integers(1, 50)
DEVIATIONS = st.fractions("1/50", 5, max_denominator=50)
UNIT = Fraction(1, 2**53)  # the largest relative error of a rounding to floats
BOTH = pytest.mark.parametrize("kind", [CentralAverage, LocalAverage])


@given(PARTIES, DEVIATIONS)
def test_at_the_same_privacy_the_local_error_is_the_root_of_the_parties_larger(parties, deviation):
    local = LocalAverage(parties, deviation)
    central = CentralAverage(parties, deviation / parties)
    assert local.squared_distance == central.squared_distance
    assert local.squared_error == parties * central.squared_error


@given(st.integers(2, 50), DEVIATIONS)
def test_gopa_without_pairs_has_the_error_of_local_noise(parties, deviation):
    protocol = Gopa(parties, [], pairwise=0, independent=deviation, fraction_bits=20)
    local = LocalAverage(parties, deviation)
    # The deviation, the root of the parties and their quotient are rounded once each.
    least, most = ((1 - UNIT) ** 2 / (1 + UNIT)) ** 2, ((1 + UNIT) ** 2 / (1 - UNIT)) ** 2
    assert least <= Fraction(protocol.average_deviation()) ** 2 / local.squared_error <= most


@BOTH
@given(PARTIES, DEVIATIONS, st.integers(0, 2**32))
def test_equal_noise_is_added_whatever_the_values_are(kind, parties, deviation, seed):
    mechanism = kind(parties, deviation)
    low, high = (np.ravel(mechanism.release(np.full(parties, v), np.random.default_rng(seed))) for v in (0.0, 1.0))
    # A release is the value plus noise, rounded once: with the value 0 it is the noise itself.
    for noise, moved in zip(low, high, strict=True):
        assert abs(Fraction(moved) - Fraction(noise) - 1) <= Fraction(np.spacing(abs(moved))) / 2


@BOTH
def test_an_epsilon_is_that_of_a_pair_at_the_distance(kind):
    mechanism = kind(2, "1/2")
    found = mechanism.epsilon("1e-5")
    assert mechanism.squared_distance == (1 if kind is CentralAverage else 4)
    # The delta of two Gaussians at the ends, in floats of full relative precision, is on both sides of the target.
    mu = math.sqrt(mechanism.squared_distance)

    def excess(eps):
        tail = [math.erfc(-(sign * mu / 2 - eps / mu) / math.sqrt(2)) / 2 for sign in (1, -1)]
        return tail[0] - math.exp(eps) * tail[1]

    assert excess(float(found.lower) - 1e-3) > 1e-5 > excess(float(found.upper) + 1e-3)


@BOTH
@pytest.mark.parametrize("bad", [[0.5], [0.5, 1.1], [-0.1, 0], [math.nan, 0], [0, math.inf], 0.5, [[0.1, 0.2, 0.3]]])
def test_values_of_other_shapes_and_ranges_release_nothing(kind, bad):
    with pytest.raises(InputError, match="values"):
        kind(2, 1).release(bad, np.random.default_rng(1))


@BOTH
@pytest.mark.parametrize(("parties", "deviation"), [(0, 1), (2, 0), (2, -1), (2, 0.5), (2, Fraction(1, 10**200))])
def test_bad_parameters_are_refused(kind, parties, deviation):
    with pytest.raises(InputError, match=r"parties|deviation"):
        kind(parties, deviation)


@BOTH
def test_a_generator_is_needed_and_a_delta(kind):
    with pytest.raises(InputError, match="generator"):
        kind(2, 1).release([0, 1], 3)
    with pytest.raises(InputError, match="delta"):
        kind(2, 1).epsilon(0)
