"""Boundaries of regions: the theorem holds on one side and fails on the other, by another route than the chapter's."""

from __future__ import annotations

import importlib.util
import math
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest

from rgm_verify.accounting.composition.equal_steps import advanced, simple
from rgm_verify.accounting.plans.filters import GaussianFilter
from rgm_verify.claims.chapter import Figure
from rgm_verify.mechanisms.averaging import CentralAverage


@pytest.fixture(scope="module")
def regions(root: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("chapter_regions", root / "derivations" / "chapters" / "regions.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def curves(blocks: object) -> list[tuple[str, list[tuple[float, Fraction, Fraction]]]]:
    """Return name and points of all curves of the pictures."""
    found = [block for block in blocks if isinstance(block, Figure)]  # type: ignore[attr-defined]
    return [
        (series.name, [(float(x), Fraction(low), Fraction(high)) for x, low, high in series.points])
        for figure in found
        for series in figure.series
    ]


def test_the_printed_noise_has_its_epsilon_below_the_curve_and_not_above(regions: ModuleType) -> None:
    (_, boundary), (_, proved) = curves(regions.calibration(4))
    assert all(low > one for (_, low, _), (_, one, _) in zip(boundary, proved, strict=True))
    for delta, low, high in boundary:
        # The texts of delta have six digits, and the curve is flat: a thousandth on either side is far beyond that.
        for epsilon, private in ((low * Fraction(999, 1000), True), (high * Fraction(1001, 1000), False)):
            noise = Fraction(math.sqrt(2 * math.log(1.25 / delta))) / epsilon
            found = CentralAverage(1, noise).epsilon(Fraction(delta))
            assert (found.upper <= epsilon) if private else (found.lower > epsilon)


def test_advanced_composition_is_below_simple_composition_under_the_curve_and_above_over_it(
    regions: ModuleType,
) -> None:
    for name, points in curves(regions.composition(4)):
        slack = Fraction(name.removeprefix("delta' = "))
        for count, low, high in points:
            if count <= 20_000:
                assert advanced(low, 0, int(count), extra=slack)[0] <= simple(low, 0, int(count))[0]
                assert advanced(high, 0, int(count), extra=slack)[0] >= simple(high, 0, int(count))[0]


def test_the_printed_amplification_is_enough_under_the_curve_and_not_over_it(regions: ModuleType) -> None:
    (_, boundary), _ = curves(regions.subsampling(4))
    assert float(boundary[0][1]) > 1.256
    for share, low, high in boundary:

        def excess(epsilon: float, share: float = share) -> float:
            return math.log1p(share * math.expm1(epsilon)) - 2 * share * epsilon

        assert excess(float(low) * 0.999) < 0 < excess(float(high) * 1.001)


def above(shift: float) -> float:
    return math.erfc(-shift / math.sqrt(2)) / 2


def test_a_step_of_dp_sgd_is_broken_above_the_curve_and_not_below(regions: ModuleType) -> None:
    """By the two mixtures of the counterexample, at the threshold 0, in floats."""
    found = curves(regions.one_step(3))
    assert [name for name, _ in found] == ["epsilon = 1", "epsilon = 0.1"]
    for name, points in found:
        epsilon = float(name.removeprefix("epsilon = "))
        for delta, low, high in points:

            def excess(records: float, delta: float = delta, epsilon: float = epsilon) -> float:
                noise = 16 * math.sqrt(math.log(2 / delta) * math.log(1.25 / (delta * records))) / (records * epsilon)
                replaced = ((records - 1) * above(-1 / noise) + above(1 / noise)) / records
                return replaced - math.exp(epsilon) * above(-1 / noise) - delta

            assert excess(float(low) * 0.999) < 0 < excess(float(high) * 1.001)
            assert high < 1 / (10 * delta)


def test_a_visit_is_private_above_the_curve_and_not_below(regions: ModuleType) -> None:
    """By the account of a Gaussian release, at the largest distance that the local guarantee allows."""
    for factor, (_, points) in zip((1, 4), curves(regions.one_visit(3)), strict=True):
        for delta, low, high in points:
            distance = math.sqrt(GaussianFilter.of(1, Fraction(delta)).budget)
            for parties, private in ((float(low) * 0.99, False), (float(high) * 1.01, True)):
                there = distance * math.sqrt(parties) / (factor * math.log(parties))
                seen = above(there / 2 - 1 / there) - math.e * above(-there / 2 - 1 / there)
                assert (seen / (parties - 1) <= delta) == private


def test_a_region_without_a_boundary_is_refused(regions: ModuleType) -> None:
    with pytest.raises(ArithmeticError, match="no boundary"):
        regions.boundary(regions.ABOVE_TWICE, {regions.SHARE: Fraction(1, 2)}, Fraction(1), Fraction(100))
