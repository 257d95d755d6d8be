"""Reference mechanisms on vectors: the laws that they state, the privacy of their lines of a plan, and wrong ones."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest

from rgm_verify.accounting.auditing import check_claim
from rgm_verify.accounting.plans.account import delta
from rgm_verify.accounting.plans.plan import plan
from rgm_verify.accounting.plans.releases import release_of
from rgm_verify.balls.statistics.confidence import clopper_pearson
from rgm_verify.errors import InputError
from rgm_verify.mechanisms import GaussianMechanism, LaplaceMechanism
from rgm_verify.mechanisms.conformance import check_mechanism
from rgm_verify.mechanisms.exact_noise import DiscreteGaussianMechanism, DiscreteLaplaceMechanism
from rgm_verify.numbers.sampling import spawn

FALSE_ALARM = 1e-9
SCALE = Fraction(1, 2)
VALUES = (3.0, [3.0, 4.0], [0.5, -40.0, 0.25, 0.0])
DRAWS = 200_000


def conforms(mechanism, noise="laplace", seed=5):
    return check_mechanism(
        mechanism,
        VALUES,
        claimed_variance=lambda _: 2 * float(SCALE) ** 2,
        generator=spawn(seed, 1)[0],
        false_alarm=FALSE_ALARM,
        noise=noise,
        scaling_power=0.0,
    )


def test_the_laplace_mechanism_conforms_at_a_stated_false_alarm_rate():
    found = conforms(LaplaceMechanism(SCALE))
    assert found.outcome == "passed", str(found)
    assert found.false_alarm <= FALSE_ALARM * (1 + 1e-12)


class SameNoiseInEveryCoordinate(LaplaceMechanism):
    def release(self, value, generator):
        first = super().release(value, generator) - value
        return value + np.broadcast_to(first[..., :1], np.shape(value)) if np.ndim(value) else value + first


class OneSide(LaplaceMechanism):
    def release(self, value, generator):
        return np.asarray(value + np.abs(super().release(value, generator) - value))


@pytest.mark.parametrize(
    ("mechanism", "check"),
    [
        (GaussianMechanism("1/2"), "law"),
        (LaplaceMechanism("2/3"), "variance"),
        (LaplaceMechanism("3/8"), "variance"),
        (SameNoiseInEveryCoordinate(SCALE), "coordinates"),
        (OneSide(SCALE), "mean"),
    ],
)
def test_a_planted_fault_fails_by_the_check_for_it(mechanism, check):
    found = conforms(mechanism)
    assert found.outcome == "failed"
    assert any(failure.name.startswith(check) for failure in found.failures()), str(found)


def test_laplace_noise_is_not_taken_for_gaussian_noise_and_another_law_is_refused():
    assert conforms(LaplaceMechanism(SCALE), noise="gaussian").outcome == "failed"
    with pytest.raises(InputError, match=r"noise='uniform': allowed are gaussian, laplace"):
        conforms(LaplaceMechanism(SCALE), noise="uniform")


# ------------------------------------------------------------------------------------------------------- privacy

#: The worst change for 5/2 in all and 1 in a coordinate, and others with the same sum.
WORST, OTHERS = (1.0, 1.0, 0.5), ((0.5,) * 5, (0.9, 0.9, 0.7), (1.0, 0.75, 0.75))
LEVEL = Fraction(3, 5)
LINE = {"scale": "2", "l1_sensitivity": "5/2", "linf_sensitivity": "1"}
STATED = delta(plan([release_of("laplace-vector", LINE)]), LEVEL, width="1/1000")


def observed(scale, change, seed):
    """An interval for delta at the level, from releases of both answers, wrong with the probability `FALSE_ALARM`."""
    change, mechanism = np.array(change), LaplaceMechanism(scale)
    ends = []
    for answer, generator in zip((0 * change, change), spawn(seed, 2), strict=True):
        released = mechanism.release(np.repeat(answer[np.newaxis], DRAWS, axis=0), generator)
        # By the stated scale, which is that of the claim whatever made the releases.
        losses = (np.abs(released - change) - np.abs(released)).sum(axis=1) / float(Fraction(LINE["scale"]))
        ends.append(clopper_pearson(int((losses > float(LEVEL)).sum()), DRAWS, FALSE_ALARM / 2))
    factor = math.exp(LEVEL)
    return ends[0].lower - factor * ends[1].upper, ends[0].upper - factor * ends[1].lower


def test_releases_at_the_worst_change_show_the_delta_of_the_line():
    low, high = observed(2, WORST, 11)
    assert low <= STATED.upper
    assert STATED.lower <= high
    # The power control: noise that is smaller by 30 % shows more than the line allows.
    assert observed(Fraction(7, 5), WORST, 12)[0] > STATED.upper


@pytest.mark.parametrize("change", OTHERS)
def test_releases_at_other_changes_show_no_more(change):
    assert observed(2, change, 13)[0] <= STATED.upper


def test_spread_evenly_the_same_sum_shows_less():
    assert observed(2, OTHERS[0], 14)[1] < STATED.lower


@pytest.mark.parametrize(("scale", "outcome"), [(2, "consistent"), (1, "rejected")])
def test_an_audit_finds_the_line_consistent_and_rejects_half_of_the_noise(scale, outcome):
    found = check_claim(
        LaplaceMechanism(scale),
        np.zeros(3),
        np.array(WORST),
        epsilon=LEVEL,
        delta=Fraction(STATED.upper),
        generator=spawn(15, 1)[0],
    )
    assert found.outcome == outcome, found.detail


def shown(sigma, seed):
    """An interval for delta of discrete Gaussian noise of sigma 2 on three coordinates that change by 1, at 3/5."""
    mechanism, draws = DiscreteGaussianMechanism(sigma, bits=random.Random(seed).getrandbits), 20_000
    ends = []
    for answer in ([0, 0, 0], [1, 1, 1]):
        hits = sum(Fraction(3 - 2 * sum(mechanism.release(answer)), 8) > LEVEL for _ in range(draws))
        ends.append(clopper_pearson(hits, draws, FALSE_ALARM / 2))
    factor = math.exp(LEVEL)
    return ends[0].lower - factor * ends[1].upper, ends[0].upper - factor * ends[1].lower


def test_releases_of_whole_vectors_show_the_delta_of_the_line():
    stated = delta(plan([release_of("discrete-gaussian-vector", {"sigma": 2, "l2_squared": 3})]), LEVEL)
    low, high = shown(2, 21)
    assert low <= stated.upper
    assert stated.lower <= high
    # The power control: half of the noise.
    assert shown(1, 22)[0] > stated.upper


def test_whole_vectors_are_released_with_noise_of_their_own():
    """The noise of two coordinates is equal as often as that of two draws is: (1 - a)(1 + a^2)/(1 + a)^3."""
    mechanism, draws = DiscreteLaplaceMechanism(1, bits=random.Random(3).getrandbits), 20_000
    same = sum(first == second for first, second in (mechanism.release([5, 5]) for _ in range(draws)))
    a = math.exp(-1)
    chance = (1 - a) * (1 + a * a) / (1 + a) ** 3
    found = clopper_pearson(same, draws, FALSE_ALARM)
    assert found.lower <= chance <= found.upper
