"""Simulated runs of two nodes against their exact moments, and the law of their noise, with stated confidence.

On the line the moments of an iterate up to the fourth obey a recursion of their own, so the variance of what is
averaged is known. The runs are cut into blocks; by Chebyshev's inequality the mean of one is within three deviations
with probability at least 8/9, so that the median of the blocks is off at most as often as half of them are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import pytest
from scipy import special

from rgm_verify.experiments.methods.by_name import method
from rgm_verify.experiments.methods.problem import TwoNodes
from rgm_verify.experiments.methods.two_node_moments import NoiseLaw, two_node_moments
from rgm_verify.experiments.run.one_run import descend
from rgm_verify.experiments.setup import Setup
from rgm_verify.mechanisms import RelativeGaussianMechanism
from rgm_verify.numbers.sampling import empirical_cdf_margin, spawn

FALSE_ALARM = 1e-9
BLOCKS, RUNS, STEPS = 101, 200_000, 5
LAWS = ((Fraction(1, 4), Fraction(1, 2)), (Fraction(1, 10), Fraction(1, 20)))


@dataclass(frozen=True, eq=False)
class Small:
    X: np.ndarray
    y: np.ndarray
    linear: np.ndarray = field(default_factory=lambda: np.zeros(1))
    centre: np.ndarray = field(default_factory=lambda: np.zeros(1))


def on_the_line() -> TwoNodes:
    first = Small(np.array([[1.0], [0.5]]), np.array([1.0, -1.0]))
    second = Small(np.array([[0.25], [-1.0], [0.5]]), np.array([3.0, -2.0, 1.0]))
    return TwoNodes.of((first, second), Setup(regularization="1/4"))


def test_the_median_of_the_blocks_has_the_stated_false_alarm_rate():
    first = (BLOCKS + 1) // 2
    tail = sum(
        math.comb(BLOCKS, k) * Fraction(1, 9) ** k * Fraction(8, 9) ** (BLOCKS - k) for k in range(first, BLOCKS + 1)
    )
    assert tail <= Fraction(FALSE_ALARM)


def moments_to_the_fourth(problem, laws, step, steps):
    """`E (theta - theta_*)^k`, k = 0 to 4, from theta = 0: the noise is normal given theta, its variance quadratic."""
    minimiser = float(problem.minimiser[0])
    shrink = 1 - step * float(problem.mean.hessian[0, 0])
    variance = np.zeros(3)  # coefficients of u^0, u^1, u^2
    for (gamma, sigma2), each in zip(laws, problem.objectives, strict=True):
        slope = float(each.hessian[0, 0])
        offset = float(each.gradient(problem.minimiser)[0])
        variance += float(gamma) * np.array([offset**2, 2 * offset * slope, slope**2])
        variance += [float(sigma2), 0, 0]
    variance *= (step / 2) ** 2
    m = np.array([(-minimiser) ** k for k in range(5)])
    for _ in range(steps):
        v = variance @ m[:3]
        uv = variance @ m[1:4]
        uuv = variance @ m[2:5]
        vv = np.convolve(variance, variance) @ m
        m = np.array(
            [
                1.0,
                shrink * m[1],
                shrink**2 * m[2] + v,
                shrink**3 * m[3] + 3 * shrink * uv,
                shrink**4 * m[4] + 6 * shrink**2 * uuv + 3 * vv,
            ]
        )
    return m


def simulated(problem, laws, step, steps, generator):
    """`theta - theta_*` after some steps, all runs at once, by the mechanisms."""
    theta = np.zeros((RUNS, 1))
    mechanisms = [RelativeGaussianMechanism(gamma, sigma2) for gamma, sigma2 in laws]
    for _ in range(steps):
        gradients = [theta @ each.hessian - each.moment for each in problem.objectives]
        released = [m.release(g, generator) for m, g in zip(mechanisms, gradients, strict=True)]
        theta = theta - step * (released[0] + released[1]) / 2
    return (theta - problem.minimiser).ravel()


def is_rejected(found, mean, deviation):
    blocks = np.array_split(found, BLOCKS)
    margin = 3 * deviation / math.sqrt(min(len(block) for block in blocks))
    return abs(float(np.median([block.mean() for block in blocks])) - mean) > margin


def test_simulated_runs_of_two_nodes_have_the_exact_moments():
    problem = on_the_line()
    step = 4 * problem.step()
    noises = [NoiseLaw(float(gamma), float(sigma2)) for gamma, sigma2 in LAWS]
    exact = two_node_moments(problem.objectives, noises, np.zeros(1), step=step, steps=STEPS)
    m = moments_to_the_fourth(problem, LAWS, step, STEPS)
    second = float(np.square(exact.means[-1] - problem.minimiser).sum() + exact.variances[-1].sum())
    assert abs(second - m[2]) <= 64 * STEPS * np.finfo(float).eps * (1 + m[2])
    deviation = math.sqrt(m[4] - m[2] ** 2)
    generator, control = spawn(20_261_121, 2)
    assert not is_rejected(simulated(problem, LAWS, step, STEPS, generator) ** 2, m[2], deviation)
    # Power: noise of 30 % more or less variance, or of one node alone.
    for wrong in (
        [(gamma * Fraction(13, 10), sigma2 * Fraction(13, 10)) for gamma, sigma2 in LAWS],
        [(gamma * Fraction(7, 10), sigma2 * Fraction(7, 10)) for gamma, sigma2 in LAWS],
        [LAWS[0], (Fraction(0), Fraction(1, 10**9))],
    ):
        assert is_rejected(simulated(problem, wrong, step, STEPS, control) ** 2, m[2], deviation)


def scaled_noise(name: str, gradients_of, variances_of):
    """The noise of every step of a run, in its standard deviations, by the oracles of a method."""
    rng = np.random.default_rng(3)
    X = rng.uniform(-1, 1, (30, 2))
    zero = np.zeros(2)
    node = Small(X, np.sign(X[:, 0]), zero, zero)
    problem = TwoNodes.of((node, Small(-X, np.sign(X[:, 1]), zero, zero)), Setup(copies=10_000, iterations=3))
    prepared = method(name).prepare(problem)
    step = problem.step()
    iterates = descend(prepared.oracles, zero, step, 8_000, spawn(17, 1)[0])
    gradients = gradients_of(problem, iterates[:-1])
    noise = (iterates[:-1] - iterates[1:]) / step - (gradients[0] + gradients[1]) / 2
    variance = sum(variances_of(account, g) for account, g in zip(prepared.accounts, gradients, strict=True)) / 4
    return noise / np.sqrt(variance)[:, np.newaxis]


def distance_to_normal(values):
    ordered = np.sort(values.ravel())
    levels = np.arange(1, ordered.size + 1) / ordered.size
    law = special.ndtr(ordered)
    return max((levels - law).max(), (law - levels + 1 / ordered.size).max())


@pytest.mark.parametrize("name", ["rgm-printed"])
def test_the_noise_of_relative_descent_has_the_variances_of_both_accounts(name):
    def gradients(problem, points):
        return [points @ each.hessian - each.moment for each in problem.objectives]

    def variances(account, g):
        return account.gamma * np.square(g).sum(axis=1) + account.sigma2

    noise = scaled_noise(name, gradients, variances)
    margin = empirical_cdf_margin(noise.size, FALSE_ALARM)
    assert distance_to_normal(noise) <= margin < distance_to_normal(math.sqrt(1.3) * noise)
    assert margin < distance_to_normal(math.sqrt(0.7) * noise)


@pytest.mark.parametrize("name", ["clip-low-vouched"])
def test_the_noise_of_clipped_descent_has_the_variances_of_both_accounts(name):
    def gradients(problem, points):
        from rgm_verify.learning.clipping.gradient import ClippedGradient

        accounts = method(name).prepare(problem).accounts
        made = [
            ClippedGradient.of(node.X, node.y, Fraction(account.clip), regularization="0.03")
            for node, account in zip(problem.nodes, accounts, strict=True)
        ]
        return [np.stack([each(point) for point in points]) for each in made]

    noise = scaled_noise(name, gradients, lambda account, g: np.full(len(g), account.sigma2))
    margin = empirical_cdf_margin(noise.size, FALSE_ALARM)
    assert distance_to_normal(noise) <= margin < distance_to_normal(math.sqrt(1.3) * noise)
    assert margin < distance_to_normal(math.sqrt(0.7) * noise)
