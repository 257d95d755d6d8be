"""Simulated Gaussian features against the closed forms; each false alarm has a probability of at most 1e-9."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rgm_verify.balls.statistics.confidence import clopper_pearson
from rgm_verify.learning import as_printed
from rgm_verify.learning.clipping.features import Shape, clip_to_ellipsoid
from rgm_verify.learning.clipping.gaussian_features import ClippedGaussian, kept_share_bound
from rgm_verify.learning.clipping.propose_test_release import ClippedFeatures, level_test
from rgm_verify.numbers.sampling import spawn

FALSE_ALARM = 1e-9
RECORDS = 200_000
FACTOR = np.array([[2.0, 0.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 0.5, 0.25]])
SIGMA = FACTOR @ FACTOR.T


def agrees(successes: int, trials: int, probability: float) -> bool:
    interval = clopper_pearson(successes, trials, FALSE_ALARM)
    return bool(interval.lower <= probability <= interval.upper)


@pytest.mark.parametrize("radius", [1, 2, 3])
def test_clipped_records_have_the_second_moment_of_the_closed_form(radius):
    """A coin that shows heads with probability `x^T Sigma^-1 x / R^2` makes the mean of a bounded number a share."""
    generator = spawn(20_261_121, 3)[radius - 1]
    features = generator.standard_normal((RECORDS, 3)) @ FACTOR.T
    rows = clip_to_ellipsoid(features, Shape.of(SIGMA), radius)
    model = ClippedGaussian(radius, 3)
    lengths = np.square(np.linalg.solve(FACTOR, rows.T).T)
    within = np.square(np.linalg.solve(FACTOR, features.T)).sum(axis=0) <= radius**2
    coins = generator.uniform(size=RECORDS)
    total = 3 * model.clipped / radius**2
    assert agrees(int((coins <= lengths.sum(axis=1) / radius**2).sum()), RECORDS, total)
    for column in lengths.T:  # the same in each direction: a multiple of Sigma
        assert agrees(int((coins <= column / radius**2).sum()), RECORDS, total / 3)
    assert agrees(int(within.sum()), RECORDS, model.share)
    kept = int((within & (coins <= lengths.sum(axis=1) / radius**2)).sum())
    assert agrees(kept, RECORDS, 3 * model.kept / radius**2)
    # Power: two degrees of freedom too few or too many, and version 1's mean of the records inside, are noticed.
    assert not agrees(kept, RECORDS, 3 * ClippedGaussian(radius, 5).kept / radius**2)
    assert not agrees(kept, RECORDS, 3 * model.share / radius**2 if radius**2 > 3 * model.share else 0)
    assert not agrees(int(within.sum()), RECORDS, model.kept)


def test_the_test_of_the_proposed_level_passes_as_often_as_promised():
    model, trials = ClippedGaussian(2, 2), 2_000
    options = {"epsilon": 1, "delta": "1e-2"}
    n = model.records_needed(rejection="1/5", **options)
    mu = model.regularization(n, "1/10")
    promised = model.passing_probability(n, failure="1/10", **options)
    assert promised > 0.69
    passed = sum(_passes(model, n, mu, generator, options) for generator in spawn(20_261_122, trials))
    assert clopper_pearson(passed, trials, FALSE_ALARM).upper >= promised
    # Power: with the records that are printed, and no regularization, the promise would be broken.
    printed = math.ceil(as_printed.gaussian_records(2, 2, epsilon=1, delta=1e-2, failure=1))
    few = sum(_passes(model, printed, 0.0, generator, options) for generator in spawn(20_261_123, trials))
    assert clopper_pearson(few, trials, FALSE_ALARM).upper < promised


def _passes(model, n, mu, generator, options) -> bool:
    features = ClippedFeatures.of(generator.standard_normal((n, 2)), np.eye(2), model.radius, "ellipsoid")
    return level_test(features, model.proposed_level, generator=generator, regularization=mu, **options).passed


def test_as_many_records_are_kept_as_promised_and_fewer_than_printed():
    model, trials, n = ClippedGaussian(2, 2), 20_000, 100
    shares = spawn(20_261_124, 1)[0].binomial(n, model.share, size=trials) / n
    low = int((shares < kept_share_bound(model, n, "1/20")).sum())
    assert clopper_pearson(low, trials, FALSE_ALARM).lower <= 1 / 20
    # Power: what version 1 prints is missed much more often.
    printed = int((shares < as_printed.gaussian_kept_share(model.share, n, 1 / 20)).sum())
    assert clopper_pearson(printed, trials, FALSE_ALARM).lower > 1 / 20
