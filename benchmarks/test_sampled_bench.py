"""DP-SGD: both certified ends against one pessimistic end of dp-accounting, the widths that are reached, and memory."""

from __future__ import annotations

import subprocess
import sys

import pytest

from rgm_verify.accounting.subsampled.account import delta, epsilon
from rgm_verify.accounting.subsampled.calibration import calibrate_noise
from rgm_verify.accounting.subsampled.mechanism import fixed_batches, poisson

STANDARD = ("1/100", "1", 1000)
# Rates, noise multipliers, steps and deltas; heavy tails, many small steps, few steps, and large epsilons.
CORNERS = [
    ("1e-5", "2/5", 1000, "1e-6"),
    ("1e-4", "1/2", 10**5, "1e-14"),
    ("1e-3", "2/5", 100, "1e-14"),
    ("1e-3", "2", 10**4, "1e-5"),
    ("1/100", "50", 10**5, "1e-14"),
    ("1/10", "2/5", 2, "1e-14"),
    ("1/2", "1", 1000, "1e-6"),
    ("1/2", "50", 10**5, "1e-3"),
    ("1e-5", "2/5", 1, "1e-3"),
    ("1e-5", "2/5", 10**5, "1e-14"),
    ("1e-5", "1", 10**5, "1e-6"),
    ("1e-5", "1", 10**5, "1e-14"),
    ("1e-5", "50", 10**5, "1e-14"),
    ("1e-5", "50", 10**5, "1e-6"),
    ("1e-4", "2/5", 10**5, "1e-6"),
    ("1e-4", "2/5", 10**5, "1e-14"),
    ("1e-3", "2/5", 10**5, "1e-14"),
    ("1e-3", "1/2", 10**5, "1e-6"),
    ("1/100", "2/5", 10**4, "1e-6"),
    ("1/100", "2/5", 10**5, "1e-14"),
    ("1/100", "1", 10, "1e-14"),
    ("1/10", "2/5", 10**5, "1e-6"),
    ("1/10", "1", 10**5, "1e-14"),
    ("1/10", "5", 10**4, "1e-9"),
    ("1/2", "2/5", 10**5, "1e-14"),
    ("1/2", "2/5", 1, "1e-14"),
    ("1/2", "2/5", 10, "1e-3"),
    ("1/2", "5", 10**5, "1e-14"),
    ("1/2", "50", 10, "1e-14"),
    ("1/3", "2", 10**5, "1e-3"),
]
PEAK = """
import resource
from rgm_verify.accounting.subsampled.account import epsilon
from rgm_verify.accounting.subsampled.mechanism import poisson
epsilon(poisson("1e-4", 1, 10**6), "1e-6", width="1/20")
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20)
"""


def test_both_ends_against_one_end_of_dp_accounting(ratio):
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")

    def theirs():
        one = pld.from_gaussian_mechanism(1.0, sampling_prob=0.01, value_discretization_interval=1e-4)
        return one.self_compose(1000).get_epsilon_for_delta(1e-6)

    ratio(
        "certified epsilon of DP-SGD, both ends to 1e-3 / dp-accounting's upper end at 1e-4",
        lambda: epsilon(poisson(*STANDARD), "1e-6"),
        theirs,
        target=5.0,
        rounds=3,
    )


def test_fixed_batches_against_poisson_batches(ratio):
    ratio(
        "certified epsilon of fixed batches, each end to 1e-3 / that of Poisson batches",
        lambda: epsilon(fixed_batches(*STANDARD), "1e-6"),
        lambda: epsilon(poisson(*STANDARD), "1e-6"),
        target=5.0,
        rounds=3,
    )


def test_releases_without_sampling_against_one_value(ratio):
    ratio(
        "epsilon of composed plain Gaussians / one certified delta",
        lambda: epsilon(poisson(1, 5, 10), "1e-6"),
        lambda: delta(poisson(1, 5, 10), 2),
        target=4.0,
        rounds=7,
    )


@pytest.mark.parametrize(
    ("rate", "noise", "steps", "delta", "width"),
    [
        (*STANDARD, "1e-6", 1e-3),
        ("256/60000", "11/10", 14_063, "1e-5", 1e-3),
        ("1e-4", "1", 10**6, "1e-6", 5e-2),
        *((*corner, 1e-2) for corner in CORNERS),
    ],
)
def test_relative_width_of_epsilon(report, rate, noise, steps, delta, width):
    found = epsilon(poisson(rate, noise, steps), delta, width=str(width), time_limit=60).relative_width
    report(
        f"width of epsilon / {width:g} (q={rate}, sigma={noise}, T={steps}, delta={delta})", found / width, target=1.0
    )


def test_evaluations_of_a_calibration_to_a_thousandth(report):
    found = calibrate_noise(2, "1e-6", rate="1/100", steps=1000)
    report("evaluations of a calibration of noise", found.evaluations, target=15.0)


def test_evaluations_of_a_calibration_for_fixed_batches(report):
    found = calibrate_noise(2, "1e-6", rate="1/100", steps=1000, sampler="fixed-batch")
    report("evaluations of a calibration of noise for fixed batches", found.evaluations, target=15.0)


def test_peak_memory_in_gib(report):
    found = subprocess.run([sys.executable, "-c", PEAK], capture_output=True, text=True, check=True)
    report("peak memory in GiB of a million steps", float(found.stdout), target=2.0)
