"""Noise on magnitude and angles: its moments are those of the closed form, and its printed guarantee falls in an audit.

A correct implementation fails a test here with probability 1e-9 at most. The power controls are the closed forms with a
wrong deviation, and the audit's rejection of the printed guarantee itself.
"""

from __future__ import annotations

import math
import runpy
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from rgm_verify.accounting.auditing import check_claim
from rgm_verify.balls.statistics.confidence import clopper_pearson
from rgm_verify.errors import InputError
from rgm_verify.experiments.recorded.gradients import bias_and_error
from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosure
from rgm_verify.learning.geometric import ClampedGeoDP, GeoDPAsPrinted, NoisyGradient, NoNoise, costs, to_spherical
from rgm_verify.learning.geometric.geodp import auto_s, clip_gradients
from rgm_verify.numbers.sampling import Interval, bounded_mean_interval, spawn

FALSE_ALARM = 1e-9
SAMPLES = 20_000
GRADIENT = np.array([0.3, -0.5, 0.2, 0.6])


def intervals(mechanism, gradient, power):
    """Return an interval for the mean of each coordinate to a power; nine deviations of the magnitude bound all."""
    generator = spawn([18, power], 1)[0]
    released = np.array([mechanism.release(gradient, generator) for _ in range(SAMPLES)]) ** power
    largest = (float(np.linalg.norm(gradient)) + 9 * mechanism.magnitude_deviation()) ** power
    lowest = -largest if power == 1 else 0.0
    return [bounded_mean_interval(column, lowest, largest, FALSE_ALARM / 8) for column in released.T]


def clamped(center=(1.2, 1.9, 1.0)):
    return ClampedGeoDP(1, 10, "1/2", "1/10", center=center)


MECHANISMS = {"printed": GeoDPAsPrinted(1, 8, "1/2", "1"), "clamped": clamped()}


@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize("power", [1, 2])
def test_released_gradients_have_the_moments_of_the_closed_form(name, power):
    mechanism = MECHANISMS[name]
    expected = mechanism.moments(GRADIENT)[power - 1]
    found = intervals(mechanism, GRADIENT, power)
    assert all(isinstance(i, Interval) and i.contains(float(e)) for i, e in zip(found, expected, strict=True))


@pytest.mark.parametrize("power", [1, 2])
def test_a_deviation_that_is_off_by_a_third_is_noticed(power):
    found = intervals(MECHANISMS["printed"], GRADIENT, power)
    wrong = GeoDPAsPrinted(1, 6, "1/2", "1").moments(GRADIENT)[power - 1]
    assert not all(i.contains(float(e)) for i, e in zip(found, wrong, strict=True))


def neighbours(records, reach):
    """Return two averages of clipped gradients that differ in one record: `reach` to the left, 1 up or down."""
    along = math.sqrt(reach**2 - 1)
    return np.array([along, 1.0]) / records, np.array([along, -1.0]) / records


def verdict(mechanism, x, y, distance, epsilon=4):
    delta = Fraction(hockey_stick_enclosure(Fraction(epsilon), Fraction(distance) ** 2, Fraction(0), 1).upper)

    def released(value, generator, size):
        return np.array([mechanism.release(value, generator) for _ in range(size)])

    return check_claim(
        released,
        x,
        y,
        epsilon=epsilon,
        delta=delta,
        generator=spawn(1819, 1)[0],
        samples=5_000,
        false_alarm=FALSE_ALARM,
    )


def test_the_printed_guarantee_is_rejected_at_the_printed_batch_size_and_bounding_factor():
    mechanism = GeoDPAsPrinted(1, 8192, 1, "1/10")
    assert verdict(mechanism, *neighbours(8192, 18), distance=2).outcome == "rejected"


def test_what_is_proved_of_the_printed_algorithm_is_not_rejected():
    mechanism = GeoDPAsPrinted(1, 8, 4, 1)
    found = verdict(mechanism, *neighbours(8, 4), distance=mechanism.distance("replace_one"), epsilon=2)
    assert found.outcome == "consistent"


def test_the_clamped_form_keeps_its_guarantee_where_the_printed_one_falls():
    mechanism = ClampedGeoDP(1, 8192, 1, "1/10", center=[0.0])
    found = verdict(mechanism, *neighbours(8192, 18), distance=mechanism.distance("replace_one"))
    assert found.outcome == "consistent"


@pytest.mark.parametrize("adjacency", ["replace_one", "add_or_remove"])
def test_the_guarantee_of_the_clamped_form_does_not_depend_on_the_region(adjacency):
    moved = 2 if adjacency == "replace_one" else 1
    for factor in ("1/1000", "1/3", 1):
        distance = ClampedGeoDP(1, 50, 3, factor, center=[1.0, 0.0]).distance(adjacency)
        assert Fraction(distance) ** 2 >= Fraction(moved**2 + 1, 9)
        assert Fraction(np.nextafter(distance, 0)) ** 2 < Fraction(moved**2 + 1, 9)


def error_interval(mechanism):
    """Return an interval for the mean square error of a release, relative to the square of the gradient."""
    generator = spawn(21, 1)[0]
    released = np.array([mechanism.release(GRADIENT, generator) for _ in range(SAMPLES)])
    square = float(GRADIENT @ GRADIENT)
    # A release is no longer than the gradient and twelve deviations on each coordinate, but with 1e-30.
    deviation = float(mechanism.clip * mechanism.noise_multiplier / mechanism.batch)
    most = (2 * square**0.5 + 12 * deviation * len(GRADIENT) ** 0.5) ** 2 / square
    return bounded_mean_interval(((released - GRADIENT) ** 2).sum(axis=1) / square, 0, most, FALSE_ALARM)


ERRORS = {"dp": NoisyGradient(1, 8, 2), **MECHANISMS}


@pytest.mark.parametrize("name", ERRORS)
def test_the_error_of_a_release_is_that_of_the_closed_form(name):
    mechanism = ERRORS[name]
    bias, error = bias_and_error(mechanism, GRADIENT)
    found = error_interval(mechanism)
    assert isinstance(found, Interval)
    assert found.contains(error)
    assert (bias == 0) == (name == "dp")
    assert bias**2 <= error


def test_an_error_of_half_the_size_is_noticed():
    found = error_interval(ERRORS["dp"])
    assert isinstance(found, Interval)
    assert not found.contains(bias_and_error(ERRORS["dp"], GRADIENT)[1] / 2)


def test_of_other_methods_no_moments_are_claimed():
    with pytest.raises(TypeError, match="no closed moments are known of NoNoise"):
        bias_and_error(NoNoise(), GRADIENT)


def flips(multiplier, samples=20_000):
    """Count the signs that noise changes for the sums that the lower end of a training rests on."""
    mechanism = GeoDPAsPrinted(1, 64, multiplier, "1/4")
    low, high = costs.wrong_signs(mechanism, 3)
    reach = costs.best_reach(mechanism, 3)
    average = np.array([0.0, math.sqrt(reach**2 - 0.25), 0.5]) / 64
    generator = spawn([20, multiplier], 1)[0]
    found = sum(float(mechanism.release(average, generator)[-1]) < 0 for _ in range(samples))
    return low, high, clopper_pearson(found, samples, FALSE_ALARM)


@pytest.mark.parametrize("multiplier", [1, 4])
def test_signs_are_wrong_as_often_as_is_certified(multiplier):
    low, high, found = flips(multiplier)
    assert found.lower <= float(high)
    assert found.upper >= float(low)


def test_counting_signs_tells_a_noise_multiplier_of_four_from_one_of_one():
    assert flips(4)[2].lower > float(costs.wrong_signs(GeoDPAsPrinted(1, 64, 1, "1/4"), 3)[1])


def test_angles_are_clamped_to_the_public_region_around_the_circle():
    mechanism = ClampedGeoDP(1, 10, 1, "1/4", center=[1.0, 3.0])
    inside = mechanism._convert([0.1, -0.5, -0.1]).angles
    assert abs(inside[0] - 1.0) <= math.pi / 8
    assert abs(inside[1] - 3.0) <= math.pi / 4
    # Half an ulp of the difference to the center, between 4 and 8, and of both sums, between 2 and 4.
    rounding = 2.0**-51 + 2 * 2.0**-52
    assert abs(inside[1] - (to_spherical([0.1, -0.5, -0.1]).angles[1] + 2 * math.pi)) <= rounding


def test_clipping_and_autos_keep_directions_and_bound_norms():
    rows = spawn(7, 1)[0].standard_normal((50, 30)) * 10.0 ** np.arange(-25, 25)[:, np.newaxis]
    for shortened, bound in ((clip_gradients(rows, "1/10"), 0.1), (auto_s(rows), 1.0)):
        assert (np.linalg.norm(shortened, axis=1) <= bound * (1 + 40 * 2**-52)).all()
        # Two roundings of each side, and less than one for their squares and this comparison.
        np.testing.assert_allclose(shortened * rows[:, :1], rows * shortened[:, :1], rtol=5 * 2.0**-53)
    np.testing.assert_array_equal(clip_gradients(np.zeros((2, 3)), 1), 0)


@pytest.mark.parametrize(
    ("call", "part"),
    [
        (lambda: GeoDPAsPrinted(0, 1, 1, 1), "clip"),
        (lambda: GeoDPAsPrinted(1, 0, 1, 1), "batch"),
        (lambda: GeoDPAsPrinted(1, 1, 0, 1), "noise_multiplier"),
        (lambda: GeoDPAsPrinted(1, 1, 1, 2), "bounding_factor=2: must be at most 1"),
        (lambda: GeoDPAsPrinted(1, 1, 1, 0.1), "bounding_factor"),
        (lambda: clamped().release([0.1, 0.2], np.random.default_rng(1)), "center has angles for 4"),
        (lambda: clamped(center=[4.0, 0.0]), r"angles\[0\]: must be in"),
        (lambda: MECHANISMS["printed"].release(GRADIENT, None), "expected a numpy.random.Generator"),
        (lambda: MECHANISMS["printed"].release(2 * GRADIENT, np.random.default_rng(1)), "clip each record"),
        (lambda: MECHANISMS["printed"].release(0 * GRADIENT, np.random.default_rng(1)), "no direction"),
        (lambda: MECHANISMS["printed"].distance("shuffled"), "adjacency"),
        (lambda: clip_gradients([1.0, 2.0], 1), "one row for each record"),
        (lambda: clip_gradients(np.ones((0, 2)), 1), "at least one number"),
        (lambda: auto_s([[1.0, math.nan]]), "finite"),
    ],
)
def test_bad_input_is_refused(call, part):
    with pytest.raises(InputError, match=part):
        call()


def test_the_example_runs_and_prints_what_each_form_costs(capsys):
    runpy.run_path(str(Path(__file__).parents[3] / "examples" / "geodp.py"))
    shown = capsys.readouterr().out
    assert "at most 81920 deviations apart" in shown
    assert "at most 2.23607 deviations apart" in shown
