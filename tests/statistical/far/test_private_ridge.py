"""`PrivateRidge` by its outputs: the calibrated noise is in them, audits agree with the account, and utility is kept.

False alarm at most 1e-9 each. Data sets and parameters are such that the ball is far away where a law has to be exact.
"""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="the extra `sklearn` is not installed")

from rgm_verify.accounting.auditing import Audit, audit
from rgm_verify.balls.statistics.quantiles import chi_square_above, chi_square_below
from rgm_verify.learning import PrivateRidge
from rgm_verify.learning.descent.second_moments import ridge_second_moments
from rgm_verify.learning.private_ridge.descent import descend, largest_distance, objective_of
from rgm_verify.learning.private_ridge.statistics import matrix_and_vector, moments_of, noise_edge
from rgm_verify.mechanisms import GaussianMechanism, RelativeGaussianMechanism
from rgm_verify.numbers.sampling import Interval, bounded_mean_interval, spawn

FALSE_ALARM = 1e-9


def with_noise(privacy, factor):
    """The same account over noise that is in truth `factor` times as large."""
    noise = privacy.noise
    if isinstance(noise, GaussianMechanism):
        wrong = GaussianMechanism(noise.sigma2 * Fraction(factor) ** 2)
    else:
        wrong = RelativeGaussianMechanism(noise.gamma * Fraction(factor) ** 2, noise.sigma2 * Fraction(factor) ** 2)
    return dataclasses.replace(privacy, plan=dataclasses.replace(privacy.plan, noise=wrong))


# ---------------------------------------------------------------------------------------------------- the noise


@pytest.mark.parametrize("mechanism", ["gaussian", "relative", "iterate"])
def test_the_noise_in_the_coefficients_has_the_calibrated_variance(mechanism):
    # One step from 0: the coefficients are step * (X^T y / n + noise), in many coordinates at once.
    n, d, runs = 1000, 50, 100
    data = np.random.default_rng(5)
    X, y = data.uniform(-1, 1, (n, d)) / math.sqrt(d), data.uniform(-1, 1, n)
    estimator = PrivateRidge(
        5,
        "1e-5",
        feature_bound=1,
        label_bound=1,
        regularization="1/4",
        mechanism=mechanism,
        steps=1,
        step="1/100",
        random_state=spawn([2024, len(mechanism)], 1)[0],
    )
    privacy = estimator.accounted(n, d)
    moment = X.T @ y / n
    gamma = float(getattr(privacy.noise, "gamma", 0))
    variance = 1e-4 * (gamma * float(moment @ moment) + float(privacy.variances[0]))
    assert privacy.public.radius > 0.01 * np.linalg.norm(moment) + 100 * math.sqrt(variance)
    squares = sum(float(np.square(estimator.fit(X, y).coef_ - 0.01 * moment).sum()) for _ in range(runs)) / variance
    low, high = chi_square_below(runs * d, FALSE_ALARM / 2), chi_square_above(runs * d, FALSE_ALARM / 2)
    assert low <= squares <= high
    # Power: 30 % more or less variance would be noticed.
    assert not low <= 1.3 * squares <= high
    assert not low <= 0.7 * squares <= high


def test_the_noise_in_released_moments_has_the_calibrated_variance_in_the_norm_that_counts():
    # A penalty so large that the coefficients are the released sum of y x, divided by it: nothing else is seen of it.
    n, d, runs, penalty = 1000, 50, 100, 1e20
    data = np.random.default_rng(5)
    X, y = data.uniform(-1, 1, (n, d)) / math.sqrt(d), data.uniform(-1, 1, n)
    estimator = PrivateRidge(
        5,
        "1e-5",
        feature_bound=1,
        label_bound=1,
        regularization=penalty,
        mechanism="statistics",
        random_state=spawn([2025, 1], 1)[0],
    )
    privacy = estimator.accounted(n, d)
    unit, variance = float(privacy.public.feature_bound), float(privacy.noise.sigma2)
    sums = X.T @ y / unit
    fits = np.array([estimator.fit(X, y).coef_ * n * penalty / unit for _ in range(runs)])
    # And the matrix by the squared Frobenius norm of the noise in it, symmetric as it is.
    exact, generator = moments_of(X, y, privacy.public), spawn([2025, 2], 1)[0]
    matrix, _ = matrix_and_vector(exact, d)
    noisy = [matrix_and_vector(privacy.noise.release(exact, generator), d)[0] for _ in range(runs)]
    for squares, count in (
        (np.square(fits - sums).sum() / variance, runs * d),
        (sum(np.square(m - matrix).sum() for m in noisy) / variance, runs * d * (d + 1) // 2),
    ):
        low, high = chi_square_below(count, FALSE_ALARM / 2), chi_square_above(count, FALSE_ALARM / 2)
        assert low <= squares <= high
        # Power: 30 % more or less variance would be noticed.
        assert not low <= 1.3 * squares <= high
        assert not low <= 0.7 * squares <= high


def test_the_edge_of_the_noise_is_where_its_largest_eigenvalue_is():
    """The largest eigenvalue moves by no more than the noise does, so that its tails are at most those of one entry."""
    d = 200
    privacy = PrivateRidge(1, "1e-6", feature_bound=1, label_bound=1, mechanism="statistics").accounted(1000, d)
    noise = privacy.noise.release(np.zeros(d * (d + 3) // 2), spawn([2026, 1], 1)[0])
    matrix, _ = matrix_and_vector(noise, d)
    reach = math.sqrt(-2 * math.log(FALSE_ALARM / 2)) * math.sqrt(float(privacy.noise.sigma2))
    largest, edge = np.linalg.eigvalsh(matrix)[-1], noise_edge(privacy)
    # Its mean is at most the edge, and at this dimension less by no more than a twentieth.
    assert 0.95 * edge - reach <= largest <= edge + reach
    # Power: an edge of twice or of half of it would be noticed.
    assert largest < 0.95 * 2 * edge - reach
    assert largest > edge / 2 + reach


# ------------------------------------------------------------------------------------------------------- audits

# A strong penalty keeps the ball small, so that the first gradient, at 0, is nearly the worst there is: a record
# whose label goes from one end to the other.
DELTA = "1/20"
WORST = (np.array([[1.0], [0.0]]), np.array([1.0, 0.0])), (np.array([[1.0], [0.0]]), np.array([-1.0, 0.0]))


def outputs(privacy, data):
    objective = objective_of(*data, privacy.public)
    return lambda generator, size: np.array([descend(objective, privacy, generator) for _ in range(size)])


def audited(privacy, seed):
    samplers = (outputs(privacy, data) for data in WORST)
    found = audit(*samplers, delta=DELTA, generator=spawn(seed, 1)[0], samples=16_000, false_alarm=FALSE_ALARM)
    assert isinstance(found, Audit)
    return found.epsilon_lower


CASES = [
    ("gaussian", 2, "7/10"),  # noise that is 30 % too small
    # The relative part asks for the absolute one to be enlarged by 5/4, which this pair does not use.
    ("relative", 1, "1/2"),
]


@pytest.mark.parametrize(("mechanism", "steps", "factor"), CASES)
def test_an_audit_of_a_worst_pair_finds_no_more_than_is_accounted(mechanism, steps, factor):
    estimator = PrivateRidge(
        1,
        DELTA,
        feature_bound=1,
        label_bound=1,
        regularization=1000,
        mechanism=mechanism,
        steps=steps,
        step="1e-6",  # so short that no iterate leaves the ball
    )
    privacy = estimator.accounted(2, 1)
    assert audited(privacy, [31, steps]) <= privacy.epsilon.upper
    # Power: with less noise than was accounted for the same audit finds a violation.
    assert audited(with_noise(privacy, factor), [32, steps]) > privacy.epsilon.upper


def test_an_audit_of_the_worst_pair_of_moments_finds_no_more_than_is_accounted():
    # The pair of claim beyond:joint-moments-sensitivity-attained, seen along the line through both: a public direction.
    privacy = PrivateRidge(1, DELTA, feature_bound=1, label_bound=1, mechanism="statistics").accounted(2, 2)
    other, record = np.array([[0.5, 0.5]]), np.array([[math.sqrt(3) / 2, 0.5]])
    pair = [
        moments_of(np.vstack([record * [1, sign], other]), np.array([sign, 0.0]), privacy.public)
        for sign in (1.0, -1.0)
    ]
    direction = (pair[0] - pair[1]) / np.linalg.norm(pair[0] - pair[1])

    def found(account, seed):
        def sampler(moments):
            return lambda generator, size: account.noise.release(np.tile(moments, (size, 1)), generator) @ direction

        samplers = (sampler(moments) for moments in pair)
        result = audit(*samplers, delta=DELTA, generator=spawn(seed, 1)[0], samples=100_000, false_alarm=FALSE_ALARM)
        assert isinstance(result, Audit)
        return result.epsilon_lower

    assert 0.8 < found(privacy, [33, 1]) <= privacy.epsilon.upper
    # Power: the sensitivity is used up, so that noise a fifth too small is found to be a violation.
    assert found(with_noise(privacy, "4/5"), [33, 2]) > privacy.epsilon.upper


# ------------------------------------------------------------------------------------------------------ utility


def generous(mechanism):
    """A problem, the account of a generous fit to it, and many fits, with the law of a fit without the ball."""
    n, steps, runs = 2000, 12, 1000
    data = np.random.default_rng(6)
    X = data.uniform(-1, 1, (n, 2)) / math.sqrt(2)
    y = np.clip(X @ [0.7, -0.4] + 0.1 * data.standard_normal(n), -1, 1)
    bounds = {"feature_bound": 1, "label_bound": 1, "regularization": "1/4"}
    privacy = PrivateRidge(50, "1e-3", **bounds, mechanism=mechanism, steps=steps).accounted(n, 2)
    objective, generator = objective_of(X, y, privacy.public), spawn([77, len(mechanism)], 1)[0]
    fits = np.array([descend(objective, privacy, generator) for _ in range(runs)])
    law = RelativeGaussianMechanism(getattr(privacy.noise, "gamma", 0), privacy.noise.sigma2)
    moments = ridge_second_moments(objective, [0, 0], step=privacy.step, steps=steps, mechanism=law)
    # The ball is out of reach: more than ten deviations from where the iterates are.
    assert privacy.public.radius > 3 * math.sqrt(moments[0]) + 10 * math.sqrt(moments[-1])
    return objective, privacy, fits, moments


@pytest.mark.parametrize("mechanism", ["gaussian", "relative"])
def test_a_generous_fit_is_as_near_the_minimiser_as_was_promised(mechanism):
    objective, privacy, fits, moments = generous(mechanism)
    assert moments[-1] <= largest_distance(privacy)
    # Capped, so that few fits tell: the mean of the capped squares is no larger than that of the squares.
    cap = float(moments[0])
    squares = np.minimum(np.square(fits - objective.minimiser()).sum(axis=1), cap)
    found = bounded_mean_interval(squares, 0, cap, FALSE_ALARM)
    assert isinstance(found, Interval)
    assert found.lower <= moments[-1]
    # Power: it is a fit. Where it started, the squares are the cap itself; and those of no steps would be noticed.
    assert found.upper < cap / 10
    assert (
        bounded_mean_interval(np.full(len(fits), cap), 0, cap, FALSE_ALARM).lower > cap / 2 > largest_distance(privacy)
    )


def test_a_fit_with_gaussian_noise_has_the_exact_law_of_noisy_descent():
    objective, privacy, fits, _ = generous("gaussian")
    values, vectors = objective.spectrum
    shrink = 1 - privacy.step * values
    # In the eigenbasis every coordinate is normal; its variance is a geometric sum.
    mean = objective.minimiser() @ vectors * (1 - shrink**privacy.steps)
    variance = privacy.step**2 * float(privacy.noise.sigma2) * sum(shrink ** (2 * k) for k in range(privacy.steps))
    squares = float((np.square(fits @ vectors - mean) / variance).sum())
    low, high = (tail(fits.size, FALSE_ALARM / 2) for tail in (chi_square_below, chi_square_above))
    assert low <= squares <= high
    # Power: 30 % more or less variance would be noticed, and a descent with a step less.
    assert not low <= 1.3 * squares <= high
    assert not low <= 0.7 * squares <= high
    shorter = objective.minimiser() @ vectors * (1 - shrink ** (privacy.steps - 1))
    assert not low <= float((np.square(fits @ vectors - shorter) / variance).sum()) <= high


PENALTIES = ["1/3", "1/10", "1/30", "1/100", "1/1000"]
CAP = 0.02  # a fifth of the mean squared prediction, which is the excess of predicting 0


def excesses(runs, seed, **options):
    """The excess of the mean squared error over that of the best coefficients, capped, for fits with fresh noise."""
    n, d = 4000, 5
    data = np.random.default_rng(8)
    X = data.uniform(-1, 1, (n, d))
    y = np.clip(X @ [0.4, -0.2, 0.1, 0.0, 0.3] + 0.1 * data.standard_normal(n), -1, 1)
    bounds = {"feature_bound": math.sqrt(d), "label_bound": 1}
    estimator = PrivateRidge(1, "1e-6", **bounds, **{"mechanism": "gaussian"} | options, random_state=spawn(seed, 1)[0])
    best = np.linalg.lstsq(X, y)[0]
    far = np.array([np.square(X @ (estimator.fit(X, y).coef_ - best)).mean() for _ in range(runs)])
    return np.minimum(far, CAP)


def test_statistics_is_nearer_than_a_descent_with_any_penalty_at_the_same_cost():
    """Each interval holds but for one time in 5e8: the order of the means is decided, and no seed was chosen for it."""
    runs = 2000
    ours = bounded_mean_interval(excesses(runs, [91, 0], mechanism="statistics"), 0, CAP, FALSE_ALARM)
    # The other way round for a penalty that is so large that nothing is fitted: the excess is that of 0.
    nothing = bounded_mean_interval(
        excesses(runs, [91, 1], mechanism="statistics", regularization=10**6), 0, CAP, FALSE_ALARM
    )
    assert ours.upper < nothing.lower
    for k, penalty in enumerate(PENALTIES):
        values = excesses(runs // 10, [92, k], mechanism="gaussian", regularization=penalty)
        theirs = bounded_mean_interval(values, 0, CAP, FALSE_ALARM)
        assert ours.upper < theirs.lower, penalty
    # Noise at the iterate is between both where the penalty is small.
    at_iterate = excesses(runs // 10, [93, 0], mechanism="iterate", regularization=PENALTIES[-1])
    assert bounded_mean_interval(at_iterate, 0, CAP, FALSE_ALARM).upper < theirs.lower
