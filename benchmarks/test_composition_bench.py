"""Composition: the lower end against dp-accounting, how narrow the interval of epsilon is, and the memory it takes.

Two settings: the worked example of the paper, and one with a larger change of the variance, where the order of the
pair matters more (`d w^2 / 2`, what the variance adds to the spread of the loss, is a tenth of what the shift gives).
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from rgm_verify.accounting.composition import composed_epsilon
from rgm_verify.accounting.release import Release

DELTA = "1e-8"
SETTINGS = {"worked example": Release("1/1000", "1/10000", 10), "larger change": Release("1/100", "1/400", 22)}
SHIFTS = {"worked example": 0.1, "larger change": 0.2}
MANY = 10_000

# Measured in a process of its own, so that nothing else counts. The unit of ru_maxrss is KiB on Linux.
PEAK = """
import resource
from rgm_verify.accounting.composition import composed_epsilon
from rgm_verify.accounting.release import Release
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
