"""Laws of filters and odometers: what they let through stays within the budget, exactly."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rgm_verify.accounting.conversion import epsilon_from_renyi
from rgm_verify.accounting.plans.account import delta, epsilon
from rgm_verify.accounting.plans.filters import GaussianFilter, GaussianOdometer, RenyiFilter
from rgm_verify.accounting.plans.plan import plan
from rgm_verify.accounting.plans.releases import Gaussian
from rgm_verify.accounting.release import Release
from rgm_verify.errors import InputError

noises = st.fractions(Fraction(1, 2), 20, max_denominator=20)


@given(st.lists(noises, max_size=20), st.fractions(Fraction(1, 10), 5))
def test_a_gaussian_filter_lets_through_what_fits_and_nothing_else(chosen, budget):
    kept = GaussianFilter(budget)
    total = Fraction(0)
    for noise in chosen:
        fits = total + 1 / noise**2 <= budget
        assert kept.request(noise) is fits
        total += 1 / noise**2 if fits else 0
    assert kept.spent == total <= budget
    assert kept.left == budget - total


@settings(max_examples=15, deadline=None)
@given(st.fractions(Fraction(1, 10), 5), st.integers(2, 12))
def test_the_budget_for_a_target_reaches_it_and_one_percent_more_does_not(level, digits):
    target = Fraction(1, 10**digits)
    kept = GaussianFilter.of(level, target)
    assert Fraction(kept.delta(level).upper) <= target
    assert Fraction(GaussianFilter(kept.budget * Fraction(101, 100)).delta(level).lower) > target


@settings(max_examples=15, deadline=None)
@given(st.lists(noises, min_size=1, max_size=6))
def test_what_a_filter_let_through_costs_no_more_than_its_budget(chosen):
    kept = GaussianFilter(1)
    through = [Gaussian(noise) for noise in chosen if kept.request(noise)]
    if through:
        assert epsilon(plan(through), "1e-6").lower <= kept.epsilon("1e-6").upper
        assert delta(plan(through), "1/2").lower <= kept.delta("1/2").upper


@given(st.lists(noises, max_size=20))
def test_an_odometer_reads_the_least_level_that_holds_all(chosen):
    levels = [Fraction(1, 4), Fraction(1), Fraction(4)]
    read = GaussianOdometer(levels)
    total = Fraction(0)
    for noise in chosen:
        if total + 1 / noise**2 > 4:
            with pytest.raises(InputError, match="last level"):
                read.spend(noise)
        else:
            total += 1 / noise**2
            assert read.spend(noise) == min(level for level in levels if total <= level)
    assert read.spent == total


@settings(max_examples=20, deadline=None)
@given(st.lists(noises, min_size=1, max_size=8), st.fractions(Fraction(11, 10), 20, max_denominator=10))
def test_a_renyi_filter_adds_divergences_up_and_is_above_the_best_order(chosen, order):
    kept = RenyiFilter(order, 2)
    total = Fraction(0)
    for noise in chosen:
        cost = order / (2 * noise**2)
        fits = total + cost <= 2
        assert kept.request(Gaussian(noise)) is fits
        total += cost if fits else 0
    assert kept.spent == total
    # A Gaussian that spends all of the budget at this order is one that the filter lets through.
    whole = epsilon(plan([Gaussian(Fraction(1), 1)]), "1e-6") if order == 4 else None
    assert whole is None or whole.lower <= kept.epsilon("1e-6")
    best = epsilon_from_renyi(lambda a: float(a * 2 / order) * (1 - 2**-40), "1e-6", largest_order=None)
    assert Fraction(best.epsilon) - Fraction(best.gap) <= Fraction(kept.epsilon("1e-6"))


def test_the_relative_gaussian_has_no_divergence_beyond_its_largest_order():
    release = Release("1/10", "1/100", 3)
    near = RenyiFilter(release.largest_order - Fraction(1, 100), 10**6)
    assert near.request(release)
    assert not RenyiFilter(release.largest_order, 1000).request(release)


@pytest.mark.parametrize("make", [lambda: GaussianFilter(0), lambda: RenyiFilter(1, 1), lambda: GaussianOdometer([])])
def test_budgets_out_of_range_are_refused(make):
    with pytest.raises(InputError):
        make()
