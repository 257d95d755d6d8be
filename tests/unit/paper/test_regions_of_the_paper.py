"""Boundaries of regions: the theorem holds on one side and fails on the other, by another route than the chapter's."""

from __future__ import annotations

import importlib
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
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(root))
        return importlib.import_module("derivations.chapters.regions")


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


def test_a_condition_on_the_loss_holds_above_its_curve_and_privacy_above_the_other(regions: ModuleType) -> None:
    """In floats: the tail of the loss of two Gaussians one deviation apart, and their certified account."""
    (_, bounded), (_, private) = curves(regions.more.losses(4))
    for (delta, low, high), (_, below, over) in zip(bounded, private, strict=True):
        assert above(0.5 - float(low) * 0.9999) > delta > above(0.5 - float(high) * 1.0001)
        found = CentralAverage(1, 1).epsilon(Fraction(delta))
        assert below * Fraction(9999, 10000) < found.upper
        assert found.lower < over * Fraction(10001, 10000)


def test_no_level_rises_by_a_flip(regions: ModuleType) -> None:
    found = curves(regions.more.flips(4))
    for name, points in found:
        chance = 0.0 if name == "never" else float(name.removeprefix("with the chance "))
        for before, low, high in points:
            after = math.log(((1 - chance) * math.exp(before) + chance) / (1 - chance + chance * math.exp(before)))
            error = 2.0**-46  # a dozen roundings of numbers up to 16
            assert float(low) - error <= after <= float(high) + error
            assert float(low) <= before


def test_the_least_failure_probability_is_that_of_some_failure(regions: ModuleType) -> None:
    (_, printed), (_, least) = curves(regions.more.failures(5))
    for (count, total, _), (_, low, high) in zip(printed, least, strict=True):
        assert low <= 1 - Fraction(999, 1000) ** int(count) <= high
        assert low <= total


def test_a_batch_has_a_level_of_one_on_the_curve(regions: ModuleType) -> None:
    for name, points in curves(regions.more.long_runs(4)):
        epsilon = float(name.removeprefix("epsilon = "))
        for share, low, high in points:

            def level(steps: Fraction, share: float = share, epsilon: float = epsilon) -> float:
                return epsilon / (4 * share * math.sqrt(2 * float(steps) * math.log(2e6)))

            assert level(low * Fraction(999, 1000)) > 1 > level(high * Fraction(1001, 1000))


def test_steps_compose_to_the_stated_level_below_the_curve_and_not_above(regions: ModuleType) -> None:
    """By the function that composes equal guarantees."""
    *found, (_, asked) = curves(regions.more.steps(3))
    assert all(low == 1 for _, low, _ in asked)
    for count, (_, points) in zip((1, 10, 1000), found, strict=True):
        for delta, low, high in points:
            for epsilon, enough in ((low * Fraction(999, 1000), True), (high * Fraction(1001, 1000), False)):
                step = Fraction(float(epsilon) / (2 * math.sqrt(2 * count * math.log(2 / delta))))
                assert (advanced(step, 0, count, extra=Fraction(delta) / 2)[0] <= epsilon) == enough


def test_the_utility_bound_has_its_boundaries_where_they_are_drawn(regions: ModuleType) -> None:
    first, second = (block for block in regions.more.utility(3) if isinstance(block, Figure))
    for delta, (_, points) in zip((0.5, 1e-6), curves([first])[:2], strict=True):
        for records, low, high in points:

            def excess(epsilon: float, records: float = records, delta: float = delta) -> float:
                noise = 256 * math.log(2 / delta) * math.log(1.25 * records / delta)
                bound = 160**2 * math.log(1 / delta) * math.log(records / delta) ** 3
                return 16 * (1 + math.log(records)) ** 2 * (epsilon**2 + noise) - bound

            assert excess(float(low) * 0.999) < 0 < excess(float(high) * 1.001)
    (_, more), (_, nothing) = curves([second])
    for (parameters, low, high), (_, _, needed) in zip(more, nothing, strict=True):

        def risk(records: float, parameters: float = parameters) -> float:
            return 160 * math.sqrt(parameters * math.log(1e6)) * math.log(records * 1e6) ** 1.5 / records

        assert risk(float(low) * 0.999) > 1 > risk(float(high) * 1.001)
        assert needed < low


def test_selections_are_enough_or_an_isolated_party_breaks_the_theorem(regions: ModuleType) -> None:
    """The chance of isolation by products of rational numbers, and delta of the party's own noise in floats."""
    (_, enough), (_, few) = curves(regions.more.selections(4))
    for (failure, m, _), (_, wanting, _) in zip(enough, few, strict=True):
        # Texts of delta have six digits.
        assert 2 * 500 * math.exp(-float(m) / 2) <= failure * (1 + 1e-5)
        seen = math.sqrt(500 / (2 * math.log(1.25 / failure)))
        shown = above(seen / 2 - 1 / seen) - math.e * above(-seen / 2 - 1 / seen)
        for selections, breaks in ((int(wanting), True), (int(wanting) + 1, False)):
            among = math.prod(Fraction(500 - i, 999 - i) for i in range(selections))
            chance = among * (1 - Fraction(selections, 999)) ** 499
            assert (float(chance) * shown > 3 * failure) == breaks
        assert wanting < m


def test_conversions_add_one_at_the_order_that_is_drawn(regions: ModuleType) -> None:
    (_, printed), (_, improved) = curves(regions.more.orders(4))
    for (delta, low, high), (_, below, over) in zip(printed, improved, strict=True):
        logarithm = math.log(1 / delta)
        assert logarithm / (float(low) * 0.999 - 1) > 1 > logarithm / (float(high) * 1.001 - 1)

        def added(order: float, logarithm: float = logarithm) -> float:
            return math.log((order - 1) / order) + (logarithm - math.log(order)) / (order - 1)

        assert added(float(below) * 0.999) > 1 > added(float(over) * 1.001)
        assert over < low


def test_the_printed_level_is_enough_up_to_a_sensitivity_of_one(regions: ModuleType) -> None:
    (_, printed), (_, exact) = curves(regions.more.sensitivities(5))
    for (gap, _, level), (_, true, _) in zip(printed, exact, strict=True):
        assert (true <= level) == (gap <= 1)


def test_a_level_at_one_order_bounds_smaller_orders_and_no_larger_ones(regions: ModuleType) -> None:
    *_, last = curves(regions.more.larger_orders(8))
    assert all(high < Fraction(3, 5) for order, _, high in last[1] if order <= 4)
    assert last[1][-1][1] > 5
    for name, points in curves(regions.more.larger_orders(4)):
        rare = float(name.removeprefix("t = "))
        under = math.exp(-0.5 + 4 / 3 * math.log(rare))
        for order, low, high in points:
            moment = rare**order * under ** (1 - order) + (1 - rare) ** order * (1 - under) ** (1 - order)
            # A moment near 1 has a logarithm of few digits in floats.
            error = 2.0**-50 / (order - 1)
            assert float(low) - error <= math.log(moment) / (order - 1) <= float(high) + error


def test_the_list_of_theorems_names_claims_that_exist(regions: ModuleType, root: Path) -> None:
    _, table = regions.more.every_theorem()
    named = {claim for row in table.rows for claim in row[2].split(", ")}
    written = "".join(
        path.read_text(encoding="utf-8")
        for folder in ("slides", "beyond")
        for path in (root / "derivations" / folder).rglob("*.py")
    )
    assert {claim for claim in named if f'"{claim}",' not in written} == set()


def test_a_region_without_a_boundary_is_refused(regions: ModuleType) -> None:
    with pytest.raises(ArithmeticError, match="no boundary"):
        regions.shown(regions.ABOVE_TWICE, {regions.SHARE: Fraction(1, 2)}, Fraction(1), Fraction(100))
