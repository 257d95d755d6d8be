"""Calibration of one release: how often delta is evaluated, and the time in units of one such evaluation."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rgm_verify.accounting.calibration import calibrate, floor
from rgm_verify.accounting.exact import one_release
from rgm_verify.numbers.decimals import decimal

EPSILONS = ["1/1000", "1/10", "1", "10"]
DELTAS = ["1/10", "1e-3", "1e-8", "1e-50"]
QUERIES = {"worked example": ("1/1000", 10), "one dimension": ("1/10", 1), "many dimensions": ("1/10000", 100_000)}


@pytest.mark.parametrize("name", QUERIES)
def test_evaluations_of_delta(report, name):
    eta, dimension = QUERIES[name]
    lowest = {e: floor(e, eta=eta, dimension=dimension).upper for e in EPSILONS}
    reachable = [(e, d) for e in EPSILONS for d in DELTAS if Fraction(d) > lowest[e]]
    assert reachable
    most = max(calibrate(e, d, eta=eta, dimension=dimension).evaluations for e, d in reachable)
    report(f"evaluations of delta, the most of {len(reachable)} targets ({name})", most, target=50)


def test_evaluations_just_above_the_floor(report):
    delta = decimal(floor("1/20", eta="1/10", dimension=10).upper * 1.0001, up=True)
    most = calibrate("1/20", delta, eta="1/10", dimension=10).evaluations
    report("evaluations of delta, one part in 10,000 above the floor", most, target=50)


def test_calibration_against_one_value_of_delta(ratio):
    found = calibrate("1", "1e-8", eta="1/1000", dimension=10)
    ratio(
        "calibration of one release / one certified delta",
        lambda: calibrate("1", "1e-8", eta="1/1000", dimension=10),
        lambda: one_release.delta(found.release, 1),
        target=50.0,
        rounds=7,
    )
