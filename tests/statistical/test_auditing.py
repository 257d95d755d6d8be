"""The audit accepts what is right, rejects planted bugs, and keeps its confidence. Seeds are fixed.

A correct mechanism fails a test here with probability 1e-9 at most at a random seed: that is the false-alarm rate of
every check. The claims are exact: the certified delta of the pair of outputs at the stated epsilon. Each bug stands
with the settings at which it matters and what it does to the pair; the power controls are the bugs themselves.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from rgm_verify.accounting.auditing import Audit, audit, bound_event, check_claim
from rgm_verify.accounting.auditing.events import Samples, choose_events, fit_scores
from rgm_verify.accounting.exact import one_release
from rgm_verify.accounting.release import Release
from rgm_verify.balls.statistics.confidence import clopper_pearson
from rgm_verify.balls.statistics.quantiles import normal_above
from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosure
from rgm_verify.gaussians.pair import GaussianPair
from rgm_verify.mechanisms import GaussianMechanism, RelativeGaussianMechanism
from rgm_verify.numbers.sampling import spawn

FALSE_ALARM = 1e-9
SAMPLES = 20_000
ETA, GAMMA, EPSILON = Fraction(1, 10), Fraction(1, 100), 2
DEVIATION = math.sqrt(GAMMA)  # of the noise, relative to the norm of what is released


def direction(dimension):
    return np.ones(dimension) / math.sqrt(dimension)


def judged(mechanism, x, y, delta, *, samples=SAMPLES, seed=0):
    generator = spawn([808, seed], 1)[0]
    return check_claim(
        mechanism, x, y, epsilon=EPSILON, delta=delta, generator=generator, samples=samples, false_alarm=FALSE_ALARM
    )


def claimed_delta(dimension, **baseline):
    """Return the exact delta of one release at EPSILON, rounded up."""
    return Fraction(one_release.delta(Release(ETA, GAMMA, dimension, **baseline), EPSILON).upper)


def pair_delta(pair):
    return Fraction(hockey_stick_enclosure(Fraction(EPSILON), pair.shift_squared, pair.excess, pair.dimension).upper)


# ------------------------------------------------------------------------------- what is right passes


@pytest.mark.parametrize("dimension", [1, 3, 50])
@pytest.mark.parametrize("norm", [0.01, 1, 1000])
def test_the_relative_gaussian_mechanism_is_consistent_with_its_exact_privacy(dimension, norm):
    mechanism = RelativeGaussianMechanism(GAMMA, 0)
    y = norm * direction(dimension)
    check = judged(mechanism, 1.1 * y, y, claimed_delta(dimension), seed=dimension)
    assert check.outcome == "consistent", check.detail
    # The bound is not empty: it is most of what is true.
    assert check.audits[0].epsilon_lower > EPSILON / 2


@pytest.mark.parametrize("norm", [0.1, 1, 10])
def test_baseline_noise_is_consistent_with_its_exact_privacy(norm):
    mechanism = RelativeGaussianMechanism(GAMMA, "1/100")
    y = norm * direction(3)
    x = y + math.sqrt(norm * norm / 100 + 0.01) * direction(3)
    assert judged(mechanism, x, y, claimed_delta(3, r_rel="1/10", sigma2="1/100")).outcome == "consistent"


@pytest.mark.parametrize("dimension", [1, 20])
def test_the_gaussian_mechanism_is_consistent_with_its_exact_privacy(dimension):
    delta = pair_delta(GaussianPair(1, 0, 1))
    y = np.zeros(dimension)
    check = judged(GaussianMechanism(1), y + direction(dimension), y, delta)
    assert check.outcome == "consistent", check.detail


# ------------------------------------------------------------------------------------- bugs are found


def noisy(deviation, query=lambda value: value):
    """Return a batched mechanism whose noise has the given deviation, a function of what is released."""

    def mechanism(value, generator, size):
        released = query(np.asarray(value))
        return released + deviation(released) * generator.standard_normal((size, released.size))

    return mechanism


def norm(value):
    return float(np.linalg.norm(value))


# name: mechanism, norm of y, relative distance of x (as claimed: ETA), and what happens to the pair
BUGS = {
    # Deviation 1/100 in place of 1/10 at norm 1: the shift is 10 times as large.
    "variance used for standard deviation": (noisy(lambda v: float(GAMMA) * norm(v) ** 2), 1, 0.1),
    # Variance |v|/10 in place of v^2/100: 10 times too small at norm 100.
    "standard deviation used for variance": (noisy(lambda v: math.sqrt(DEVIATION * norm(v))), 100, 0.1),
    # Variance |v|/100 in place of v^2/100: 10 times too small at norm 10.
    "norm not squared": (noisy(lambda v: DEVIATION * math.sqrt(norm(v))), 10, 0.1),
    # The claimed variance shared among 4 coordinates: the shift doubles.
    "noise total, not per coordinate": (noisy(lambda v: DEVIATION * norm(v) / math.sqrt(v.size)), 1, 0.1),
    # Neighbours are twice as far apart as was claimed: the shift doubles.
    "sensitivity off by 2": (noisy(lambda v: DEVIATION * norm(v)), 1, 0.2),
    # The same, as noise calibrated to half the sensitivity: gamma is a quarter of what it should be.
    "noise for half the sensitivity": (noisy(lambda v: DEVIATION * norm(v) / 2), 1, 0.1),
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_rejected(bug):
    mechanism, size, distance = BUGS[bug]
    y = size * direction(4)
    check = judged(mechanism, (1 + distance) * y, y, claimed_delta(4))
    assert check.outcome == "rejected", check.detail
    # The harness is not what is rejected: right noise in the same form passes.
    right = judged(noisy(lambda v: DEVIATION * norm(v)), 1.1 * y, y, claimed_delta(4))
    assert right.outcome == "consistent", right.detail


def test_dropping_gamma_is_rejected():
    """Only the baseline noise is left: deviation 1/10 where the claim has 1, at norm 10."""
    claim = claimed_delta(4, r_rel="1/10", sigma2="1/100")
    y = 10 * direction(4)
    x = y + math.sqrt(1.01) * direction(4)
    assert judged(noisy(lambda v: 0.1), x, y, claim).outcome == "rejected"
    kept = judged(noisy(lambda v: math.sqrt(GAMMA * norm(v) ** 2 + 0.01)), x, y, claim)
    assert kept.outcome == "consistent", kept.detail


def test_dropping_gamma_where_no_baseline_is_left_makes_more_noise_and_is_no_violation():
    """`|v|^2` for `gamma |v|^2`: an audit is about privacy, and this has more of it."""
    y = direction(4)
    assert judged(noisy(norm), 1.1 * y, y, claimed_delta(4)).outcome == "consistent"


def test_a_seed_that_is_reused_in_every_call_is_rejected():
    """Each release is a function of its input: the outputs repeat, and those of neighbours differ."""

    def mechanism(value, generator):
        return value + DEVIATION * norm(value) * np.random.default_rng(1).standard_normal(value.size)

    y = direction(4)
    check = judged(mechanism, 1.1 * y, y, claimed_delta(4), samples=4000)
    assert check.outcome == "rejected"
    assert check.audits[0].best.hits_first == check.audits[0].best.trials


def test_a_seed_that_is_reused_in_every_batch_is_rejected():
    """Within a batch all is well; the next batch has the same noise, so outputs have been seen before, bit for bit."""

    def mechanism(value, generator, size):
        return value + DEVIATION * norm(value) * np.random.default_rng(1).standard_normal((size, value.size))

    y = direction(4)
    check = judged(mechanism, 1.1 * y, y, claimed_delta(4))
    assert check.outcome == "rejected"
    assert "seen before" in check.audits[0].best.event


def test_a_seed_that_is_shared_by_two_queries_is_rejected():
    """`v` and `-v` are released with the same noise: their difference is `2 v`, without any."""

    def two_queries(shared):
        def mechanism(value, generator, size):
            first = generator.standard_normal((size, value.size))
            second = first if shared else generator.standard_normal((size, value.size))
            scale = DEVIATION * norm(value)
            return np.concatenate([value + scale * first, scale * second - value], axis=1)

        return mechanism

    y = direction(4)
    claim = pair_delta(Release(ETA, GAMMA, 4).worst_pair.repeated(2))
    assert judged(two_queries(shared=True), 1.1 * y, y, claim).outcome == "rejected"
    right = judged(two_queries(shared=False), 1.1 * y, y, claim)
    assert right.outcome == "consistent", right.detail


# ----------------------------------------------------------------------------- confidence is measured

RUNS = 400
LEVEL = 0.2


def misses(runs, level=LEVEL):
    """Tell whether so many misses in RUNS audits prove that the rate of misses is above `level`."""
    return clopper_pearson(runs, RUNS, 2 * FALSE_ALARM).lower > level


def coin(p):
    return lambda generator, size: (generator.random((size, 1)) < p).astype(np.float64)


def gaussian(shift):
    return lambda generator, size: generator.standard_normal((size, 1)) + shift


# sampler at x, sampler at y, exact epsilon, delta
PAIRS = {
    "randomised response": (coin(math.e / (1 + math.e)), coin(1 / (1 + math.e)), 1.0, Fraction(0)),
    "equal laws": (gaussian(0), gaussian(0), 0.0, Fraction(0)),
    "Gaussians": (gaussian(1), gaussian(0), float(EPSILON), pair_delta(GaussianPair(1, 0, 1))),
}


@pytest.mark.parametrize("name", PAIRS)
def test_the_bound_exceeds_the_truth_at_most_as_often_as_stated(name):
    x, y, truth, delta = PAIRS[name]
    found = [
        audit(x, y, delta=delta, generator=generator, samples=400, false_alarm=LEVEL)
        for generator in spawn([809, len(name)], RUNS)
    ]
    assert all(isinstance(a, Audit) for a in found)
    assert not misses(sum(a.epsilon_lower > truth for a in found))


@pytest.mark.parametrize("name", ["equal laws", "Gaussians"])
def test_an_audit_that_tests_on_its_training_outputs_is_caught(name):
    """The control of the test above: choice and test on the same outputs."""
    x, y, truth, delta = PAIRS[name]
    over = 0
    for generator in spawn([810, len(name)], RUNS):
        same = Samples(x(generator, 200), y(generator, 200))
        forward, backward = choose_events(fit_scores(same), same, float(delta), 200, normal_above(LEVEL / 4))
        bounds = (
            bound_event(forward, same.x, same.y, delta, LEVEL / 2, order="x over y").epsilon_lower,
            bound_event(backward, same.y, same.x, delta, LEVEL / 2, order="y over x").epsilon_lower,
        )
        over += max(bounds) > truth
    assert misses(over)


def test_an_audit_that_takes_frequencies_for_probabilities_is_caught():
    """The control where two possible outputs leave nothing to choose: the same test, without confidence."""
    x, y, truth, _ = PAIRS["randomised response"]
    over = sum(math.log(x(generator, 200).mean() / y(generator, 200).mean()) > truth for generator in spawn(811, RUNS))
    assert misses(over)


def test_the_bound_grows_toward_the_truth():
    x, y, truth, delta = PAIRS["Gaussians"]
    found = [
        audit(x, y, delta=delta, generator=spawn([812, n], 1)[0], samples=n, false_alarm=FALSE_ALARM).epsilon_lower
        for n in (1000, 30_000, 1_000_000)
    ]
    assert found == sorted(found)
    assert truth > found[-1] > 0.9 * truth
