"""The bound of the errors of another package's transforms, against compositions in rationals."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("dp_accounting", reason="the optional extra dp-accounting is not installed")

from dp_accounting.pld import pld_pmf
from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution

from rgm_verify.accounting.handover import _TAILS, _transform_error


def distribution(masses: list[float]) -> PrivacyLossDistribution:
    probs = np.array(masses) / sum(masses)
    return PrivacyLossDistribution(pld_pmf.DensePLDPmf(1e-3, 0, probs, 0.0, pessimistic_estimate=True))


def exact(*factors: np.ndarray) -> list[Fraction]:
    """The convolution of all factors, in rationals."""
    found = [Fraction(1)]
    for factor in factors:
        grown = [Fraction(0)] * (len(found) + len(factor) - 1)
        for i, a in enumerate(found):
            for j, b in enumerate(factor):
                grown[i + j] += a * Fraction(float(b))
        found = grown
    return found


def of(pld: PrivacyLossDistribution) -> np.ndarray:
    return pld._pmf_remove._probs


def total_error(after: PrivacyLossDistribution, true: list[Fraction]) -> Fraction:
    """All differences of masses, those outside of the window that was kept less what is said to be infinite."""
    first, found = after._pmf_remove._lower_loss, [Fraction(float(p)) for p in of(after)]
    inside = {first + k: p for k, p in enumerate(found)}
    differences = sum((abs(inside.get(k, Fraction(0)) - q) for k, q in enumerate(true)), Fraction(0))
    beyond = sum((abs(p) for k, p in inside.items() if not 0 <= k < len(true)), Fraction(0))
    return differences + beyond - Fraction(after._pmf_remove._infinity_mass)


MASSES = st.lists(st.floats(1e-12, 1.0), min_size=2, max_size=6)


@settings(max_examples=60, deadline=None)
@given(before=MASSES, masses=MASSES, count=st.integers(2, 24))
def test_a_power_composed_with_what_was_there_errs_by_less_than_the_bound(before, masses, count):
    start, single = distribution(before), distribution(masses)
    after = start.compose(single.self_compose(count, tail_mass_truncation=0))
    error = total_error(after, exact(of(start), *[of(single)] * count))
    # Without what it holds for tails, of which none were cut.
    assert error <= Fraction(_transform_error(start, single, after, count)) - Fraction(_TAILS)


def test_there_is_an_error_to_bound():
    start, single = distribution([1.0, 1.0]), distribution([0.3, 0.1, 0.7])
    after = start.compose(single.self_compose(24, tail_mass_truncation=0))
    assert total_error(after, exact(of(start), *[of(single)] * 24)) > Fraction(1, 2**53)
