"""The conformance suite passes what is right and catches what is wrong; each report states its false-alarm rate."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rgm_verify.errors import InputError
from rgm_verify.mechanisms import GaussianMechanism, RelativeGaussianMechanism
from rgm_verify.mechanisms.conformance import check_mechanism
from rgm_verify.mechanisms.values import checked_values
from rgm_verify.numbers.sampling import require_generator, spawn

GAMMA, SIGMA2 = 0.25, 0.5  # exact binary numbers
VALUES = (3.0, [3.0, 4.0], [0.5, 0.5, 0.25, 0.0, -0.75], [0.0, 0.0, 0.0])
FALSE_ALARM = 1e-9


def claimed(value):
    return GAMMA * float(np.square(value).sum()) + SIGMA2


class Planted:
    """The relative Gaussian mechanism with one thing changed by a subclass."""

    def variance(self, squares, dimension):
        return GAMMA * squares + SIGMA2

    def deviation(self, variance):
        return np.sqrt(variance)

    def standard(self, shape, generator):
        return generator.standard_normal(shape)

    def release(self, value, generator):
        values, source = checked_values(value), require_generator(generator)
        rows = np.atleast_1d(values)
        squares = np.square(rows).sum(axis=-1, keepdims=True)
        noise = self.deviation(self.variance(squares, rows.shape[-1])) * self.standard(rows.shape, source)
        return (rows + noise).reshape(values.shape)


class DeviationForVariance(Planted):
    def deviation(self, variance):
        return variance


class NormNotSquared(Planted):
    def variance(self, squares, dimension):
        return GAMMA * np.sqrt(squares) + SIGMA2


class NoiseTotalNotPerCoordinate(Planted):
    def variance(self, squares, dimension):
        return (GAMMA * squares + SIGMA2) / dimension


class GammaDropped(Planted):
    def variance(self, squares, dimension):
        return np.full_like(squares, SIGMA2)


class SigmaDropped(Planted):
    def variance(self, squares, dimension):
        return GAMMA * squares


class SigmaNotSquared(Planted):
    def variance(self, squares, dimension):
        return GAMMA * squares + math.sqrt(SIGMA2)


class ReusedSeed(Planted):
    def standard(self, shape, generator):
        return np.random.default_rng(0).standard_normal(shape)


class OwnGenerator(Planted):
    def __init__(self):
        self.own = np.random.default_rng(1)

    def standard(self, shape, generator):
        return self.own.standard_normal(shape)


class SameNoiseInEveryRow(Planted):
    def standard(self, shape, generator):
        return np.broadcast_to(generator.standard_normal(shape[-1]), shape)


class SameNoiseInEveryCoordinate(Planted):
    def standard(self, shape, generator):
        return np.broadcast_to(generator.standard_normal((*shape[:-1], 1)), shape)


class SecondHalfRepeatsTheFirst(Planted):
    def standard(self, shape, generator):
        half = (shape[0] + 1) // 2
        return np.concatenate([generator.standard_normal((half, *shape[1:]))] * 2)[: shape[0]]


class Biased(Planted):
    def standard(self, shape, generator):
        return generator.standard_normal(shape) + 0.3


class LaplaceNoise(Planted):
    def standard(self, shape, generator):
        return generator.laplace(scale=math.sqrt(0.5), size=shape)


class UniformNoise(Planted):
    def standard(self, shape, generator):
        return generator.uniform(-math.sqrt(3), math.sqrt(3), shape)


class NoiseTooLarge(Planted):
    def deviation(self, variance):
        return 1.3 * np.sqrt(variance)


class NoiseTooSmall(Planted):
    def deviation(self, variance):
        return 0.7 * np.sqrt(variance)


class FlattensBatches(Planted):
    def release(self, value, generator):
        return super().release(value, generator).ravel()


class ChangesItsInput(Planted):
    def release(self, value, generator):
        released = super().release(value, generator)
        if isinstance(value, np.ndarray) and value.flags.writeable:
            value[...] = released
        return released


class RefusesBatches(Planted):
    def release(self, value, generator):
        if np.ndim(value) > 1:
            raise ValueError("one vector at a time")
        return super().release(value, generator)


class OverflowsInBatches(Planted):
    def release(self, value, generator):
        released = super().release(value, generator)
        return released * math.inf if np.ndim(value) > 1 else released


class AcceptsNaN(Planted):
    def release(self, value, generator):
        try:
            return super().release(value, generator)
        except InputError:
            return np.zeros(1)


BUGS = {
    DeviationForVariance: "variance",
    NormNotSquared: "variance",
    NoiseTotalNotPerCoordinate: "variance",
    GammaDropped: "variance",
    SigmaDropped: "variance",
    SigmaNotSquared: "variance",
    ReusedSeed: "fresh-noise",
    OwnGenerator: "determinism",
    SameNoiseInEveryRow: "rows",
    SameNoiseInEveryCoordinate: "coordinates",
    SecondHalfRepeatsTheFirst: "halves",
    Biased: "mean",
    LaplaceNoise: "law",
    UniformNoise: "law",
    NoiseTooLarge: "variance",
    NoiseTooSmall: "variance",
    FlattensBatches: "shape",
    RefusesBatches: "shape",
    OverflowsInBatches: "shape",
    ChangesItsInput: "no-mutation",
    AcceptsNaN: "bad-input",
}


def report(mechanism, *, values=VALUES, variance=claimed, seed=20_240_001, **options):
    generator = spawn(seed, 1)[0]
    return check_mechanism(mechanism, values, claimed_variance=variance, generator=generator, **options)


# ---------------------------------------------------------------------------------- what is right passes


@pytest.mark.parametrize(
    ("mechanism", "variance", "claims"),
    [
        (RelativeGaussianMechanism("1/4", "1/2"), claimed, {"rotation_invariant": True}),
        (
            RelativeGaussianMechanism("1/4", 0),
            lambda value: claimed(value) - SIGMA2,
            {"rotation_invariant": True, "scaling_power": 2.0},
        ),
        (GaussianMechanism("1/2"), lambda _: SIGMA2, {"rotation_invariant": True, "scaling_power": 0.0}),
        (RelativeGaussianMechanism(0, "1/2"), lambda _: SIGMA2, {"scaling_power": 0.0}),
        (Planted(), claimed, {}),
    ],
)
def test_mechanisms_conform_at_a_stated_false_alarm_rate(mechanism, variance, claims):
    found = report(mechanism, variance=variance, false_alarm=FALSE_ALARM, **claims)
    assert found.outcome == "passed", str(found)
    assert found.false_alarm <= FALSE_ALARM * (1 + 1e-12)


def test_every_check_with_chance_states_its_rate_and_rejects_its_control():
    found = report(RelativeGaussianMechanism("1/4", "1/2"), rotation_invariant=True)
    chance = [check for check in found.checks if check.false_alarm > 0]
    kinds = {check.name.split()[0] for check in chance}
    assert kinds == {"mean", "variance", "law", "rows", "halves", "calls", "coordinates", "rotation"}
    assert all(check.control and check.control_rejected for check in chance)


# -------------------------------------------------------------------------------- what is wrong is caught


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.__name__)
def test_planted_bugs_are_caught_by_the_check_that_is_about_them(bug):
    found = report(bug())
    assert found.outcome == "failed"
    assert BUGS[bug] in {check.name.split()[0] for check in found.failures()}, str(found)


def test_a_false_rotation_claim_is_caught():
    class FirstCoordinateOnly(Planted):
        def release(self, value, generator):
            values = checked_values(value)
            deviation = np.sqrt(GAMMA * np.square(np.atleast_1d(values)[..., :1]) + SIGMA2)
            return (
                values + deviation * require_generator(generator).standard_normal(np.atleast_1d(values).shape)
            ).reshape(values.shape)

    def first(value):
        return GAMMA * float(np.atleast_1d(value)[0] ** 2) + SIGMA2

    options = {"values": ([3.0, 4.0], [8.0, 0.0]), "variance": first}
    assert report(FirstCoordinateOnly(), **options).outcome == "passed"
    failed = report(FirstCoordinateOnly(), rotation_invariant=True, **options).failures()
    assert failed
    assert all(check.name.startswith("rotation") for check in failed)


def test_a_false_scaling_claim_is_caught():
    failed = report(RelativeGaussianMechanism("1/4", "1/2"), scaling_power=2.0).failures()
    assert failed
    assert all(check.name.startswith("scaling") for check in failed)


def test_too_few_samples_are_inconclusive_and_never_passed():
    found = report(RelativeGaussianMechanism("1/4", "1/2"), samples=50)
    assert found.outcome == "inconclusive"
    assert any(check.control_rejected is False for check in found.checks)


def test_a_claim_of_no_noise_is_checked_exactly():
    silent = report(RelativeGaussianMechanism("1/4", 0), values=([0.0, 0.0],), variance=lambda _: 0.0)
    assert silent.outcome == "passed"
    noisy = report(GaussianMechanism(1), values=([0.0, 0.0],), variance=lambda _: 0.0)
    assert "claimed variance 0, but the output is not the value" in str(noisy)
    assert noisy.outcome == "failed"


def test_a_report_is_no_truth_value():
    with pytest.raises(TypeError, match="three outcomes"):
        bool(report(GaussianMechanism("1/2"), variance=lambda _: SIGMA2))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"values": ()}, "at least one value"),
        ({"values": (np.ones((2, 2)),)}, "the suite makes the batches"),
        ({"variance": lambda _: math.nan}, "claimed_variance=nan"),
        ({"samples": 0}, "samples=0"),
        ({"false_alarm": 0.0}, "false_alarm=0.0"),
    ],
)
def test_the_suite_refuses_what_it_cannot_judge(options, message):
    with pytest.raises(InputError, match=message):
        report(GaussianMechanism("1/2"), **options)
