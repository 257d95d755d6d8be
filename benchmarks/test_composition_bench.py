"""Composition: the lower end against dp-accounting, how narrow the interval of epsilon is, and the memory it takes.

Two settings: the worked example of the paper, and one with a larger change of the variance, where the order of the
pair matters more (`d w^2 / 2`, what the variance adds to the spread of the loss, is a tenth of what the shift gives).
"""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import pytest

from rgm_verify.accounting.composition import composed_epsilon
from rgm_verify.accounting.exact import delta, deltas
from rgm_verify.accounting.release import Release
from rgm_verify.accounting.subsampled.account import epsilon as sampled_epsilon
from rgm_verify.accounting.subsampled.mechanism import poisson

DELTA = "1e-8"
SETTINGS = {"worked example": Release("1/1000", "1/10000", 10), "larger change": Release("1/100", "1/400", 22)}
SHIFTS = {"worked example": 0.1, "larger change": 0.2}
MANY = 10_000
# Shares of the baseline noise that covers the worked example's neighbours.
SHARES = ["9/10", "1/2", "1/4", "1/10"]

# Measured in a process of its own, so that nothing else counts. The unit of ru_maxrss is KiB on Linux.
PEAK = """
import resource
from rgm_verify.accounting.composition import composed_epsilon
from rgm_verify.accounting.exact import delta, deltas
from rgm_verify.accounting.release import Release
from rgm_verify.accounting.subsampled.account import epsilon as sampled_epsilon
from rgm_verify.accounting.subsampled.mechanism import poisson
composed_epsilon(Release("{eta}", "{gamma}", {dimension}), "{delta}", steps={steps})
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20)
"""


@pytest.mark.parametrize("name", SETTINGS)
def test_lower_end_against_their_composition_of_the_gaussian(ratio, name):
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")

    def compose_theirs():
        one = pld.from_gaussian_mechanism(1 / SHIFTS[name], value_discretization_interval=1e-4)
        return one.self_compose(MANY).get_epsilon_for_delta(float(DELTA))

    ratio(
        f"lower end at {MANY} releases / dp-accounting's Gaussian ({name})",
        lambda: composed_epsilon(SETTINGS[name], DELTA, steps=MANY, methods=["rdp"]).lower,
        compose_theirs,
        target=0.1,
        rounds=3,
    )


@pytest.mark.parametrize(("steps", "target"), [(2, 9.0), (10, 25 / 3), (100, 16 / 3), (1_000, 5.0)])
@pytest.mark.parametrize("name", SETTINGS)
def test_both_ends_against_their_composition_of_the_gaussian(ratio, name, steps, target):
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")

    def compose_theirs():
        one = pld.from_gaussian_mechanism(1 / SHIFTS[name], value_discretization_interval=1e-4)
        return one.self_compose(steps).get_epsilon_for_delta(float(DELTA))

    ratio(
        f"both ends at {steps} releases / dp-accounting's Gaussian ({name})",
        lambda: composed_epsilon(SETTINGS[name], DELTA, steps=steps),
        compose_theirs,
        target=target,
        rounds=3,
    )


@pytest.mark.parametrize("share", SHARES)
def test_below_the_threshold_against_the_covered_case(ratio, share):
    """`gamma r_rel^2 / eta^2 = 100` covers; below it the pairs are a curve."""
    covered, below = (Release("1/1000", "1/10000", 10, r_rel=1, sigma2=100 * Fraction(x)) for x in ("1", share))
    ratio(
        f"both ends at 100 releases with {share} of the baseline noise / with all of it",
        lambda: composed_epsilon(below, DELTA, steps=100),
        lambda: composed_epsilon(covered, DELTA, steps=100),
        target=4.0,
        rounds=3,
    )


@pytest.mark.parametrize("share", SHARES)
def test_width_below_the_threshold(report, share):
    release = Release("1/1000", "1/10000", 10, r_rel=1, sigma2=100 * Fraction(share))
    width = composed_epsilon(release, DELTA, steps=100).relative_width
    report(f"width of epsilon / 0.02 at 100 releases with {share} of the baseline noise", width / 0.02, target=1.0)


def test_one_release_against_a_point_of_their_curve(ratio):
    """The deltas of a curve at 15 digits, certified; what was promised is about the time of a point of theirs."""
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    one = pld.from_gaussian_mechanism(1 / SHIFTS["worked example"], value_discretization_interval=1e-4)
    release, points = SETTINGS["worked example"], [Fraction(k, 1000) for k in range(500)]
    ratio(
        "500 certified deltas of one release at 15 digits / 500 points of dp-accounting's curve",
        lambda: deltas(release, points, digits=15),
        lambda: [one.get_delta_for_epsilon(float(point)) for point in points],
        target=1.0,
        rounds=5,
    )


def test_a_delta_of_a_curve_against_a_delta_alone(ratio):
    release, points = SETTINGS["worked example"], [Fraction(k, 1000) for k in range(500)]
    ratio(
        "500 certified deltas of one release at 15 digits / 50 of them alone",
        lambda: deltas(release, points, digits=15),
        lambda: [delta(release, point, digits=15) for point in points[::10]],
        target=10 / 3,
        rounds=5,
    )


def test_a_composed_plain_gaussian_against_one_certified_delta(ratio):
    release, point = SETTINGS["worked example"], Fraction(1, 10)
    ratio(
        "certified epsilon of 1,000 plain Gaussian releases / a certified delta of one release at 15 digits",
        lambda: sampled_epsilon(poisson(1, 10, 1000), DELTA),
        lambda: delta(release, point, digits=15),
        target=3.0,
    )


@pytest.mark.parametrize(("steps", "target"), [(10, 5e-3), (100, 5e-3), (1_000, 5e-3), (MANY, 1e-2)])
@pytest.mark.parametrize("name", SETTINGS)
def test_relative_width_of_the_interval(report, name, steps, target):
    width = composed_epsilon(SETTINGS[name], DELTA, steps=steps).relative_width
    report(f"width of epsilon / {target:g} at {steps} releases ({name}: {width:.1e})", width / target, target=1.0)


@pytest.mark.parametrize("name", SETTINGS)
def test_peak_memory_in_gib(report, name):
    release = SETTINGS[name]
    source = PEAK.format(eta=release.eta, gamma=release.gamma, dimension=release.dimension, delta=DELTA, steps=MANY)
    found = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    report(f"peak memory in GiB of {MANY} releases ({name})", float(found.stdout), target=1.0)
