"""Noise at the released iterate passes the conformance suite at every iterate, and follows it along a run."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import special

from rgm_verify.learning.descent.at_the_iterate import NoiseAtTheIterate
from rgm_verify.learning.descent.gradient_descent import iterate_gaussian_descent
from rgm_verify.learning.ridge import RidgeObjective
from rgm_verify.learning.sensitivity.at_iterate import SensitivityAtIterate
from rgm_verify.learning.sensitivity.of_domain import RecordDomain
from rgm_verify.mechanisms.conformance import check_mechanism
from rgm_verify.numbers.sampling import empirical_cdf_margin, spawn

FALSE_ALARM = 1e-9
NOISE = NoiseAtTheIterate.of_level(2, "1/4", SensitivityAtIterate(RecordDomain(1, 1), 2))
VALUES = (np.zeros(3), np.array([1.0, -2.0, 0.5]))


@pytest.mark.parametrize("theta", [np.zeros(3), np.array([0.6, -0.8, 0.0]), np.full(3, 5.0)])
def test_releases_conform_to_the_sensitivity_of_their_iterate_and_to_no_other(theta):
    """The variance that is claimed is computed here, by a grid of angles and without the mechanism."""
    angles = np.linspace(0, math.pi / 2, 100_001)
    move = (2 * np.sin(angles) * (np.linalg.norm(theta) * np.cos(angles) + 1)).max() / 2
    claimed = 4 * move**2  # order / (2 level)
    for factor, outcome in ((1.0, "passed"), (1.3, "failed"), (0.7, "failed")):
        found = check_mechanism(
            NOISE.at(theta),
            VALUES,
            claimed_variance=lambda _, factor=factor: claimed * factor,
            generator=spawn(40, 1)[0],
            false_alarm=FALSE_ALARM,
            rotation_invariant=True,
            scaling_power=0.0,
        )
        assert found.outcome == outcome, str(found)


def distance_to_normal(values):
    ordered = np.sort(values.ravel())
    levels = np.arange(1, ordered.size + 1) / ordered.size
    law = special.ndtr(ordered)
    return max((levels - law).max(), (law - levels + 1 / ordered.size).max())


def test_the_noise_of_a_run_is_normal_in_units_of_its_iterates():
    rng = np.random.default_rng(7)
    X = rng.uniform(-0.5, 0.5, (400, 3))
    objective = RidgeObjective.of(X, np.sign(X[:, 0]), "1/10")
    noise = NoiseAtTheIterate(Fraction(4000), SensitivityAtIterate(RecordDomain(1, 1), 400))
    run = iterate_gaussian_descent(
        objective.gradient,
        np.full(3, 8.0),
        noise=noise,
        neighbours="replace_one",
        step="1/2",
        steps=3_000,
        delta="1e-6",
        generator=spawn(41, 1)[0],
    )
    gradients = np.stack([objective.gradient(theta) for theta in run.iterates[:-1]])
    deviations = np.sqrt([float(noise.variance(theta)) for theta in run.iterates[:-1]])
    scaled = (run.released - gradients) / deviations[:, np.newaxis]
    margin = empirical_cdf_margin(scaled.size, FALSE_ALARM)
    assert distance_to_normal(scaled) <= margin
    # Power: noise of 30 % more or less variance, and noise at the start for all iterates.
    for wrong in (math.sqrt(1.3) * scaled, math.sqrt(0.7) * scaled, (run.released - gradients) / deviations[0]):
        assert distance_to_normal(wrong) > margin
