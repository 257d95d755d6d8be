"""Simulated runs of relative Gaussian gradient descent against the exact second moment, with stated confidence.

The law of an iterate is no normal law, so the sample mean of `|theta_t - theta_*|^2` is judged by its exact variance:
fourth moments obey a recursion too. The runs are cut into blocks; by Chebyshev's inequality the mean of one block is
within three deviations with probability at least 8/9, so that the median of the blocks is farther away at most as often
as half of them are.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import special

from rgm_verify.learning.descent.gradient_descent import relative_gaussian_descent
from rgm_verify.learning.descent.second_moments import second_moments
from rgm_verify.learning.ridge import RidgeObjective
from rgm_verify.mechanisms import RelativeGaussianMechanism
from rgm_verify.mechanisms.sensitivity import RelativeSensitivity
from rgm_verify.numbers.sampling import empirical_cdf_margin, spawn

FALSE_ALARM = 1e-9
BLOCKS = 101
CASES = [
    ((1.0, 0.25), (4.0, 1.0), 0.5, 6, "1/4", "1/2"),
    ((1.0, 1.0, 1.0), (1.0, 0.0, 2.0), 0.25, 10, "1/2", "1/4"),
    ((2.0, 0.5, 0.125), (0.0, 9.0, 1.0), 0.75, 4, "1/16", "2"),
]


def false_alarm_of_the_median():
    """At least half of the blocks are off, each with probability at most 1/9: the exact binomial tail."""
    first = (BLOCKS + 1) // 2
    return sum(
        math.comb(BLOCKS, k) * Fraction(1, 9) ** k * Fraction(8, 9) ** (BLOCKS - k) for k in range(first, BLOCKS + 1)
    )


def test_the_median_of_the_blocks_has_the_stated_false_alarm_rate():
    assert false_alarm_of_the_median() <= Fraction(FALSE_ALARM)


def mixed_moments(eigenvalues, start, step, steps, gamma, sigma2):
    """`E x_i^2 x_j^2` after some steps, by its exact recursion; the noise is normal given the iterate."""
    values, squares = np.array(eigenvalues), np.array(start)
    m, s = squares, np.outer(squares, squares)
    shrink, w = (1 - step * values) ** 2, values**2
    for _ in range(steps):
        # v = tau^2 (gamma w.x^2 + sigma2) is the variance of the step: E v, E v x_i^2 and E v^2.
        v = step**2 * (gamma * w @ m + sigma2)
        vx = step**2 * (gamma * s @ w + sigma2 * m)
        vv = step**4 * (gamma**2 * w @ s @ w + 2 * gamma * sigma2 * w @ m + sigma2**2)
        once = np.outer(shrink, shrink) * s + shrink[:, None] * vx[:, None] + shrink[None, :] * vx[None, :] + vv
        s = once + np.diag(4 * shrink * vx + 2 * vv)
        m = shrink * m + v
    return m, s


def simulated(case, mechanism, runs, generator):
    """Squared distances after the last step; all runs at once, one row each."""
    eigenvalues, start, step, steps = case[:4]
    theta = np.tile(np.sqrt(start), (runs, 1))
    for _ in range(steps):
        theta = theta - step * mechanism.release(theta * np.array(eigenvalues), generator)
    return np.square(theta).sum(axis=1)


def is_rejected(found, mean, deviation):
    """Decide whether the median of the blocks' means is farther from `mean` than three deviations of a block."""
    blocks = np.array_split(found, BLOCKS)
    margin = 3 * deviation / math.sqrt(min(len(block) for block in blocks))
    return abs(float(np.median([block.mean() for block in blocks])) - mean) > margin


@pytest.mark.parametrize("case", CASES, ids=["two", "isotropic", "three"])
def test_simulated_runs_have_the_exact_second_moment(case):
    eigenvalues, start, step, steps, gamma, sigma2 = case
    mechanism = RelativeGaussianMechanism(gamma, sigma2)
    exact = second_moments(eigenvalues, start, step=step, steps=steps, mechanism=mechanism)[-1]
    m, s = mixed_moments(eigenvalues, start, step, steps, float(Fraction(gamma)), float(Fraction(sigma2)))
    assert (np.abs(m - exact) <= 2 * steps * (len(m) + 8) * np.finfo(float).eps * exact).all()
    deviation = math.sqrt(s.sum() - exact.sum() ** 2)
    generator, control = spawn(20_240_004, 2)
    assert not is_rejected(simulated(case, mechanism, 100_000, generator), exact.sum(), deviation)
    # Power: noise of 30 % more or less variance, and the printed second moment of the noise, without the dimension.
    for factor in (Fraction(13, 10), Fraction(7, 10), Fraction(1, len(eigenvalues))):
        wrong = RelativeGaussianMechanism(factor * Fraction(gamma), factor * Fraction(sigma2))
        assert is_rejected(simulated(case, wrong, 100_000, control), exact.sum(), deviation)


def test_the_noise_of_a_run_is_standard_normal_after_scaling():
    # Given the iterate a release is normal, so the scaled noise of all steps together is a sample of one normal law.
    X, y = np.array([[1.0, 0.5], [0.25, -1.0], [0.5, 0.5]]), np.array([1.0, 0.0, 1.0])
    objective, mechanism = RidgeObjective.of(X, y, 1), RelativeGaussianMechanism("1/4", "1/2")
    options = {"sensitivity": RelativeSensitivity("1/10", 0, "replace_one"), "delta": "1e-5", "methods": ["rdp"]}
    run = relative_gaussian_descent(
        objective.gradient, [4, 4], mechanism=mechanism, step="1/4", steps=20_000, generator=spawn(5, 1)[0], **options
    )
    gradients = run.iterates[:-1] @ objective.hessian - objective.moment
    noise = (run.released - gradients) / np.sqrt(mechanism.variance(gradients))[:, np.newaxis]

    def distance(values):
        ordered = np.sort(values.ravel())
        levels = np.arange(1, ordered.size + 1) / ordered.size
        law = special.ndtr(ordered)
        return max((levels - law).max(), (law - levels + 1 / ordered.size).max())

    margin = empirical_cdf_margin(noise.size, FALSE_ALARM)
    assert distance(noise) <= margin < distance(1.3 * noise)
    assert margin < distance(0.7 * noise)
