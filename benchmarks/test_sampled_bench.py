"""DP-SGD: both certified ends against one pessimistic end of dp-accounting, the widths that are reached, and memory."""

from __future__ import annotations

import pytest

from benchmarks.sampled_corners import GIBIBYTES, RUNS, SECONDS, STANDARD, alone
from rgm_verify.accounting.subsampled.account import delta, epsilon
from rgm_verify.accounting.subsampled.calibration import calibrate_noise
from rgm_verify.accounting.subsampled.mechanism import fixed_batches, poisson


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


@pytest.mark.parametrize("run", RUNS, ids=lambda run: "-".join(map(str, run)))
def test_width_processor_time_and_memory_of_an_account(report, run):
    width, seconds, peak, _ = alone(run)
    what = "(q={}, sigma={}, T={}, delta={})".format(*run)
    report(f"width of epsilon / {run[-1]} {what}", width / float(run[-1]), target=1.0)
    report(f"processor seconds {what}", seconds, target=SECONDS)
    report(f"peak memory in GiB {what}", peak, target=GIBIBYTES)


def test_evaluations_of_a_calibration_to_a_thousandth(report):
    found = calibrate_noise(2, "1e-6", rate="1/100", steps=1000, sampler="poisson")
    report("evaluations of a calibration of noise", found.evaluations, target=15.0)


def test_evaluations_of_a_calibration_for_fixed_batches(report):
    found = calibrate_noise(2, "1e-6", rate="1/100", steps=1000, sampler="fixed-batch")
    report("evaluations of a calibration of noise for fixed batches", found.evaluations, target=15.0)
