"""Simulated privacy loss against exact laws, and the coverage and power of the intervals. Seeds are fixed.

Every stochastic test has a false-alarm rate of 1e-9 at most (that is the chance that a right program fails it at a
random seed), and a control that shows that it would see an error.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

from rgm_verify.balls.statistics.confidence import clopper_pearson
from rgm_verify.errors import InputError
from rgm_verify.gaussians.floating.renyi import renyi
from rgm_verify.gaussians.simulated import (
    hockey_stick_confidence_interval,
    loss_tail_confidence_interval,
    privacy_loss_sampler,
    renyi_confidence_interval,
)
from rgm_verify.numbers.sampling import (
    Inconclusive,
    Interval,
    bounded_mean_interval,
    empirical_cdf_margin,
    false_alarm_rate,
    spawn,
)

FALSE_ALARM = 1e-9
SAMPLES = 40_000

# order, distance, variance_1, variance_2, dimension
PAIRS = [
    (2.0, 1.0, 1.21, 1.0, 1),
    (2.0, 1.0, 1.0, 1.21, 2),
    (3.0, 0.5, 1.21, 1.0, 10),
    (1.5, 1.0, 1.0, 1.5, 50),
    (3.0, 1.0, 1.3, 1.0, 50),
    (0.25, 1.0, 2.0, 1.0, 3),
    (8.0, 0.3, 1.0, 1.0, 4),
]

EPS = float(np.finfo(np.float64).eps)


def law_of_loss(distance, v1, v2, dimension, under):
    """Return the exact distribution function of `log dP/dQ`: affine in a noncentral chi-square, or a Gaussian."""
    if v1 == v2:
        ratio = distance * distance / v1
        sign = 1 if under == "P" else -1
        return stats.norm(sign * ratio / 2, math.sqrt(ratio)).cdf
    v, w, squared = v1 / v2, v1 / v2 - 1, distance * distance / v2
    factor, noncentrality = (1, squared * v / w**2) if under == "P" else (v, squared / w**2)
    chi_square = stats.ncx2(dimension, noncentrality)

    def cdf(loss):
        # Completing the square: L = (w y - d log v - D^2 / w) / 2, where y (under P) or v y (under Q) is chi-square.
        y = (2 * np.asarray(loss) + dimension * math.log(v) + squared / w) / w
        return chi_square.cdf(factor * y) if w > 0 else chi_square.sf(factor * y)

    return cdf


def distance_to(cdf, draws):
    ordered = np.sort(draws)
    expected, steps = cdf(ordered), np.arange(draws.size + 1) / draws.size
    return max(np.abs(expected - steps[1:]).max(), np.abs(expected - steps[:-1]).max())


# ---------------------------------------------------------------------------------------- privacy loss


@pytest.mark.parametrize("under", ["P", "Q"])
@pytest.mark.parametrize(("distance", "v1", "v2", "dimension"), [pair[1:] for pair in PAIRS])
def test_sampled_losses_follow_the_exact_law(distance, v1, v2, dimension, under):
    generator = spawn([101, dimension, under == "P"], 1)[0]
    draws = privacy_loss_sampler(distance, v1, v2, dimension, samples=SAMPLES, generator=generator, under=under)
    margin = empirical_cdf_margin(SAMPLES, FALSE_ALARM)
    assert distance_to(law_of_loss(distance, v1, v2, dimension, under), draws) <= margin
    # Control: the law of a loss with 30 % more distance is told apart.
    assert distance_to(law_of_loss(1.3 * distance, v1, v2, dimension, under), draws) > margin


def test_losses_cost_the_same_in_every_dimension():
    draws = privacy_loss_sampler(1, 1, 1, 10**12, samples=1000, generator=spawn(7, 1)[0])
    assert draws.shape == (1000,)
    # With equal variances the dimension has no influence, in exact arithmetic and here.
    assert np.array_equal(draws, 0.5 - privacy_normals(7))


def privacy_normals(seed):
    return spawn(seed, 1)[0].standard_normal(1000)


def test_losses_under_both_laws_satisfy_the_change_of_measure():
    """`E_Q[min(1, exp(L))] = E_P[min(exp(-L), 1)]`, both bounded."""
    first, second = spawn(11, 2)
    under_p = privacy_loss_sampler(1, "1.3", 1, 5, samples=SAMPLES, generator=first)
    under_q = privacy_loss_sampler(1, "1.3", 1, 5, samples=SAMPLES, generator=second, under="Q")
    left = bounded_mean_interval(np.exp(np.minimum(under_q, 0)), 0, 1, FALSE_ALARM / 2)
    right = bounded_mean_interval(np.exp(np.minimum(-under_p, 0)), 0, 1, FALSE_ALARM / 2)
    assert overlap(left, right)
    wrong = bounded_mean_interval(np.exp(np.minimum(-0.7 * under_p, 0)), 0, 1, FALSE_ALARM / 2)
    assert not overlap(left, wrong)


def overlap(one, other):
    return max(one.lower, other.lower) <= min(one.upper, other.upper)


# --------------------------------------------------------------------------------------------- Renyi


@pytest.mark.parametrize(("alpha", "distance", "v1", "v2", "dimension"), PAIRS)
def test_renyi_interval_contains_the_closed_form_and_not_its_misprints(alpha, distance, v1, v2, dimension):
    generator = spawn([202, dimension], 1)[0]
    found = renyi_confidence_interval(alpha, distance, v1, v2, dimension, SAMPLES, generator, FALSE_ALARM)
    squared = distance * distance
    assert found.contains(float(renyi(alpha, squared, v1, v2, dimension)))
    assert found.width <= 8 / math.sqrt(SAMPLES) / abs(alpha - 1)
    # Controls: 30 % more distance; and, where it is another pair, exchanged variances.
    assert not found.contains(float(renyi(alpha, 1.69 * squared, v1, v2, dimension)))
    if v1 != v2:
        assert not found.contains(float(renyi(alpha, squared, v2, v1, dimension)))


def test_renyi_interval_keeps_its_coverage():
    """At a false-alarm rate of 1/5 the misses of 400 intervals are not significantly more than a fifth."""
    truth = float(renyi(2.0, 1.0, 1.2, 1.0, 4))
    found = [renyi_confidence_interval(2, 1, "1.2", 1, 4, 300, generator, 0.2) for generator in spawn(303, 400)]
    misses = sum(not interval.contains(truth) for interval in found)
    assert clopper_pearson(misses, 400, FALSE_ALARM).lower <= 0.2
    # Control: intervals around another value miss far too often.
    wrong = float(renyi(2.0, 1.69, 1.2, 1.0, 4))
    assert clopper_pearson(sum(not i.contains(wrong) for i in found), 400, FALSE_ALARM).lower > 0.2


@pytest.mark.parametrize("widening", ["1/100", 1, 4])
def test_renyi_interval_is_valid_for_every_proposal(widening):
    generator = spawn(404, 1)[0]
    found = renyi_confidence_interval(2, 1, "1.2", 1, 3, SAMPLES, generator, FALSE_ALARM, widening=widening)
    assert found.contains(float(renyi(2.0, 1.0, 1.2, 1.0, 3)))


def test_renyi_interval_refuses_what_it_cannot_estimate():
    generator = spawn(1, 1)[0]
    with pytest.raises(InputError, match="alpha=1: must differ from 1"):
        renyi_confidence_interval(1, 1, 1, 1, 1, 100, generator, FALSE_ALARM)
    with pytest.raises(InputError, match="the divergence is infinite"):
        renyi_confidence_interval(3, 1, "3/2", 1, 1, 100, generator, FALSE_ALARM)
    with pytest.raises(InputError, match=r"numpy\.random\.default_rng"):
        renyi_confidence_interval(2, 1, 1, 1, 1, 100, None, FALSE_ALARM)
    assert isinstance(renyi_confidence_interval(2, 1, 1, 1, 1, 10, generator, FALSE_ALARM), Inconclusive)


# -------------------------------------------------------------------------------- hockey stick and tail


def exact_hockey_stick(epsilon, distance, v1, v2, dimension):
    above = [1 - law_of_loss(distance, v1, v2, dimension, under)(epsilon) for under in ("P", "Q")]
    return above[0] - math.exp(epsilon) * above[1]


@pytest.mark.parametrize("epsilon", [-0.5, 0.0, 1.0])
@pytest.mark.parametrize(("distance", "v1", "v2", "dimension"), [pair[1:] for pair in PAIRS[:4]])
def test_hockey_stick_interval_contains_the_exact_value(epsilon, distance, v1, v2, dimension):
    generator = spawn([505, dimension], 1)[0]
    losses = privacy_loss_sampler(distance, v1, v2, dimension, samples=SAMPLES, generator=generator)
    found = hockey_stick_confidence_interval(epsilon, losses, FALSE_ALARM)
    tail = loss_tail_confidence_interval(epsilon, losses, FALSE_ALARM)
    exact = float(exact_hockey_stick(epsilon, distance, v1, v2, dimension))
    above = float(1 - law_of_loss(distance, v1, v2, dimension, "P")(epsilon))
    assert found.contains(exact)
    assert tail.contains(above)
    # Controls: neither interval contains the other quantity, nor the value for 30 % more distance.
    assert not found.contains(above)
    assert not tail.contains(exact)
    assert not found.contains(float(exact_hockey_stick(epsilon, 1.3 * distance, v1, v2, dimension)))


def test_losses_that_are_nan_decide_nothing():
    losses = np.full(1000, math.nan)
    for interval in (hockey_stick_confidence_interval, loss_tail_confidence_interval):
        found = interval(1, losses, FALSE_ALARM)
        assert isinstance(found, Inconclusive)
        with pytest.raises(TypeError, match="neither true nor false"):
            bool(found)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-1, 1, 1, 1), "distance=-1"),
        ((1, 0, 1, 1), "variance_1=0"),
        ((1, 1, math.nan, 1), "variance_2=nan"),
        ((1, 1, 1, "1/2"), "dimension='1/2'"),
    ],
)
def test_the_sampler_refuses_bad_parameters(arguments, message):
    with pytest.raises(InputError, match=message):
        privacy_loss_sampler(*arguments, samples=10, generator=spawn(1, 1)[0])
    with pytest.raises(InputError, match="under='R'"):
        privacy_loss_sampler(1, 1, 1, 1, samples=10, generator=spawn(1, 1)[0], under="R")


# ------------------------------------------------------------------------------ simulation primitives


@pytest.mark.parametrize("trials", [1, 2, 7, 30])
@pytest.mark.parametrize("false_alarm", [0.3, 0.05, 1e-9])
def test_clopper_pearson_covers_at_every_probability(trials, false_alarm):
    """No simulation: the misses are summed over all outcomes, also where coverage is worst, at the interval ends."""
    intervals = [clopper_pearson(k, trials, false_alarm) for k in range(trials + 1)]
    ends = np.array([end for interval in intervals for end in interval])
    for p in np.unique(np.concatenate([np.linspace(0, 1, 101), ends * (1 - 1e-9), np.minimum(ends * (1 + 1e-9), 1)])):
        miss = sum(stats.binom.pmf(k, trials, p) for k, found in enumerate(intervals) if not found.contains(p))
        assert miss <= false_alarm * (1 + 1e-9)  # the binomial sums of SciPy are good to about 1e-12


@given(st.integers(0, 50), st.integers(0, 50))
def test_clopper_pearson_is_symmetric_and_contains_the_frequency(successes, failures):
    trials = successes + failures
    found = clopper_pearson(successes, trials, 0.01)
    if trials == 0:
        assert isinstance(found, Inconclusive)
        return
    mirrored = clopper_pearson(failures, trials, 0.01)
    assert found.contains(successes / trials)
    # A ratchet: half an epsilon was measured over all of these counts.
    assert abs(found.lower - (1 - mirrored.upper)) <= 4 * EPS * (found.lower + mirrored.upper)


@pytest.mark.parametrize(
    ("draw", "mean"),
    [
        (lambda g: g.random(200), 0.5),
        (lambda g: g.beta(0.2, 6, 200), 0.2 / 6.2),
        (lambda g: g.binomial(1, 0.1, 200), 0.1),
    ],
)
def test_bounded_mean_interval_keeps_its_coverage(draw, mean):
    """At a false-alarm rate of 1/5 the misses of 400 intervals are not significantly more than a fifth."""
    found = [bounded_mean_interval(draw(g), 0, 1, 0.2) for g in spawn(606, 400)]
    misses = sum(not interval.contains(mean) for interval in found)
    assert clopper_pearson(misses, 400, FALSE_ALARM).lower <= 0.2
    shifted = sum(not interval.contains(mean + 0.2) for interval in found)
    assert clopper_pearson(shifted, 400, FALSE_ALARM).lower > 0.2


@pytest.mark.parametrize("false_alarm", [0.1, 0.5, 0.9])
def test_bounded_mean_interval_covers_coins_exactly(false_alarm):
    """No simulation: the misses are summed over all sequences of ten throws, in their order, on each side."""
    throws = np.array(list(itertools.product([0.0, 1.0], repeat=10)))
    intervals = np.array([bounded_mean_interval(row, 0, 1, false_alarm) for row in throws])
    heads = throws.sum(axis=1)
    for p in np.linspace(0.01, 0.99, 99):
        weights = p**heads * (1 - p) ** (10 - heads)
        for missed in (intervals[:, 0] > p, intervals[:, 1] < p):
            # The sum of 1024 products is good to far better than one part in 10^9.
            assert weights[missed].sum() <= false_alarm / 2 * (1 + 1e-9)


@settings(max_examples=50)
@given(st.integers(0, 2**32), st.floats(-5, 5), st.floats(0.1, 10))
def test_bounded_mean_interval_moves_with_the_data(seed, shift, scale):
    draws = spawn(seed, 1)[0].random(500)
    unit = bounded_mean_interval(draws, 0, 1, 1e-3)
    moved = bounded_mean_interval(np.clip(shift + scale * draws, shift, shift + scale), shift, shift + scale, 1e-3)
    # Moving rounds a draw by EPS times its size, which counts against the scale. A ratchet: EPS / 2 was measured.
    size = abs(shift) + scale
    for ours, theirs in ((moved.lower, unit.lower), (moved.upper, unit.upper)):
        assert abs(ours - (shift + scale * theirs)) <= 16 * EPS * size * size / scale
    assert unit.contains(float(draws.mean()))


def test_bounded_mean_interval_adapts_to_the_variance():
    generator = spawn(707, 1)[0]
    narrow = bounded_mean_interval(0.5 + 0.01 * generator.random(SAMPLES), 0, 1, FALSE_ALARM)
    hoeffding = 2 * math.sqrt(math.log(2 / FALSE_ALARM) / (2 * SAMPLES))
    gaussian = 2 * -special.ndtri(FALSE_ALARM / 2) * math.sqrt(1 / 12 / SAMPLES)
    wide = bounded_mean_interval(generator.random(SAMPLES), 0, 1, FALSE_ALARM)
    assert narrow.width < hoeffding / 10
    assert gaussian < wide.width < 1.25 * gaussian


def test_bounded_mean_interval_says_when_nothing_can_be_decided():
    assert isinstance(bounded_mean_interval([0.5, math.nan] * 100, 0, 1, 0.1), Inconclusive)
    assert isinstance(bounded_mean_interval([], 0, 1, 0.1), Inconclusive)
    assert isinstance(bounded_mean_interval(np.ones(30), 0, 1, FALSE_ALARM), Inconclusive)
    with pytest.raises(InputError, match=r"all must lie in \[0, 1\]"):
        bounded_mean_interval(np.full(1000, 1.5), 0, 1, 0.1)
    with pytest.raises(InputError, match="lower < upper"):
        bounded_mean_interval([0.5], 1, 0, 0.1)


@pytest.mark.parametrize("successes", [-1, 3])
def test_clopper_pearson_refuses_impossible_counts(successes):
    with pytest.raises(InputError, match=f"successes={successes}: must be between 0 and trials=2"):
        clopper_pearson(successes, 2, 0.1)


@pytest.mark.parametrize("value", [0.0, 1.0, -0.5, math.nan])
def test_a_false_alarm_rate_is_a_probability(value):
    with pytest.raises(InputError, match="false_alarm="):
        false_alarm_rate(value)


def test_generators_are_a_function_of_the_seed_and_differ():
    first, second = spawn(1, 2), spawn(1, 3)
    assert first[0].random() == second[0].random()
    assert first[1].random() != second[2].random()
    assert Interval(0.0, 1.0).contains(1.0)
    assert not Interval(0.0, 1.0).contains(math.nan)
    for seed in (-1, "one"):
        with pytest.raises(InputError, match="seed="):
            spawn(seed, 1)
    with pytest.raises(InputError, match="n=0"):
        spawn(1, 0)
