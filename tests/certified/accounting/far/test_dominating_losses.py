"""Discrete losses dominate the pairs they stand for, and arithmetic on them never rounds down: by exact numbers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rgm_verify.accounting.composition.envelope import (
    DiscreteLoss,
    coarser,
    composed,
    convolve_above,
    dominating_loss,
    power,
    spread,
    truncated,
)
from rgm_verify.accounting.composition.value_iteration import fixed_curve, no_release
from rgm_verify.accounting.exact.admissible_pairs import admissible_cells, cells_around
from rgm_verify.accounting.release import Release
from rgm_verify.balls.arithmetic import ball, precision, rational_ends
from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosure
from rgm_verify.gaussians.pair import GaussianPair

STEP = Fraction(1, 16)
PAIRS = [
    GaussianPair("1/25", "201/10000", 22),
    GaussianPair("1/25", "201/10000", 22).reversed(),
    GaussianPair("1/4", 0, 3),
    GaussianPair("1/4", "5/4", 1),
]

masses = st.lists(st.floats(0, 1, width=32), min_size=2, max_size=12).filter(lambda m: sum(m) > 0)


@st.composite
def losses(draw):
    values = np.array(draw(masses))
    return DiscreteLoss(STEP, draw(st.integers(-6, 6)), values / (2 * values.sum()), draw(st.floats(0, 0.25)))


def curve_at(loss: DiscreteLoss, epsilon: Fraction) -> Fraction:
    """The lower end of the curve of the floats as they stand, at 200 bits."""
    with precision(200):
        total = ball(Fraction(loss.infinite))
        for k, mass in enumerate(loss.masses):
            gap = epsilon - (loss.first + k) * loss.step
            if gap < 0:
                total += ball(Fraction(float(mass))) * (1 - ball(gap).exp())
        return rational_ends(total)[0]


def curve_above(loss: DiscreteLoss, epsilon: Fraction) -> Fraction:
    """The same rounded up: what is compared from below has to be the larger end."""
    return curve_at(loss, epsilon) + Fraction(1, 2**180)


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("epsilon", ["-7/3", "-1/2", "-1/31", "0", "1/33", "1/3", "31/32", "5/2", "50"])
def test_a_dominating_loss_is_nowhere_below_its_pair_on_and_off_the_grid(pair, epsilon):
    loss = dominating_loss((pair,), STEP, -30, 40)
    point = Fraction(epsilon)
    true = hockey_stick_enclosure(point, pair.shift_squared, pair.excess, pair.dimension, digits=18)
    assert curve_above(loss, point) >= true.lower


@pytest.mark.parametrize("epsilon", ["-40", "0", "97", "100", "201/2", "130"])
def test_a_grid_that_begins_above_zero_dominates_everywhere_too(epsilon):
    pair, point = GaussianPair(200, "1/10000", 2), Fraction(epsilon)
    loss = dominating_loss((pair,), Fraction(1, 2), 100, 320)
    true = hockey_stick_enclosure(point, pair.shift_squared, pair.excess, pair.dimension, digits=18)
    assert curve_above(loss, point) >= true.lower


def test_a_loss_that_is_a_hair_smaller_does_not_dominate():
    pair = PAIRS[0]
    loss = dominating_loss((pair,), STEP, -30, 40)
    smaller = DiscreteLoss(STEP, loss.first, loss.masses * (1 - 1e-12), loss.infinite)
    dot = hockey_stick_enclosure(STEP, pair.shift_squared, pair.excess, pair.dimension, digits=18)
    assert curve_above(smaller, STEP) < dot.lower


RELEASES = [
    Release("1/2", "1/4", 2),
    Release("1/10", "1/10", 5, r_rel=1, sigma2=5),
    Release(1, 1, 3, r_rel=1, sigma2="1/9"),
]


@pytest.mark.parametrize(
    ("release", "cells"),
    [
        *((release, admissible_cells(release).cells) for release in RELEASES),
        *((release, cells_around(release, Fraction(y)).cells) for release in RELEASES[1:] for y in ("1", "8/5", "100")),
    ],
)
def test_the_cells_of_a_release_cover_the_outputs_it_admits(release, cells):
    found = [dominating_loss(cell, Fraction(1, 2), -40, 60) for cell in cells]
    generator = np.random.default_rng(5)
    for _ in range(8):
        pair = admissible_pair(release, generator)
        assert is_covered(pair, found)
        assert is_covered(pair.reversed(), found)


def test_cells_for_a_smaller_sensitivity_do_not_cover():
    smaller = Release("49/100", "1/4", 2)
    found = [dominating_loss(cell, Fraction(1, 16), -120, 200) for cell in admissible_cells(smaller).cells]
    assert not is_covered(RELEASES[0].worst_pair, found)
    assert not is_covered(RELEASES[0].worst_pair.reversed(), found)


def admissible_pair(release: Release, generator: np.random.Generator) -> GaussianPair:
    """An output of norm `m` and another within the sensitivity, of no smaller norm; exact, in the plane."""
    m = Fraction(float(generator.exponential())) if release.r_rel else Fraction(1)
    bound = release.eta**2 * m**2 + release.r_rel**2
    reach = Fraction(float(bound) ** 0.5)
    while True:
        along, across = (Fraction(float(x)) for x in generator.uniform(0, 1, 2) ** (0.2, 3))
        distance = reach**2 * (along**2 + across**2)
        wide = m**2 + 2 * m * reach * along + distance
        if distance <= bound:
            small, large = (release.gamma * norm + release.sigma2 for norm in (m**2, wide))
            return GaussianPair.of(distance, large, small, release.dimension)


def is_covered(pair: GaussianPair, found: list[DiscreteLoss]) -> bool:
    return any(all(lies_under(pair, loss, e) for e in ("-3", "-1/2", "0", "1/3", "2")) for loss in found)


def lies_under(pair: GaussianPair, loss: DiscreteLoss, epsilon: str) -> bool:
    point = Fraction(epsilon)
    true = hockey_stick_enclosure(point, pair.shift_squared, pair.excess, pair.dimension, digits=12)
    return curve_above(loss, point) >= true.lower


@given(losses(), losses(), st.integers(-12, 12))
def test_composed_losses_dominate_the_exact_composition(a, b, index):
    product = {}
    for i, p in enumerate(a.masses):
        for j, r in enumerate(b.masses):
            product[i + j] = product.get(i + j, Fraction(0)) + Fraction(float(p)) * Fraction(float(r))
    found = composed(a, b)
    assert found.first == a.first + b.first
    assert all(Fraction(float(found.masses[k])) >= mass for k, mass in product.items())
    exact_mass = sum((Fraction(float(p)) for p in a.masses), Fraction(0))
    assert Fraction(found.infinite) >= Fraction(a.infinite) + Fraction(b.infinite) * exact_mass


@given(losses(), st.integers(-40, 40))
def test_coarser_truncated_and_spread_losses_dominate_the_loss_they_come_from(loss, index):
    point = index * STEP / 3
    here = curve_at(loss, point)
    assert curve_above(coarser(loss), point) >= here
    assert curve_above(truncated(loss, 0.1, 0.1), point) >= here
    assert abs(curve_at(spread(loss, 3), point) - here) <= Fraction(1, 2**180)


@settings(max_examples=20)
@given(losses(), st.integers(1, 9))
def test_a_power_dominates_the_loss_composed_so_often(loss, times):
    slow = loss
    for _ in range(times - 1):
        slow = composed(slow, loss)
    fast = power(loss, times, highest=1e-3, lowest=1e-3, length=16)
    for index in range(-40, 41, 7):
        # `slow` is itself rounded up, by less than this.
        rounding = Fraction(times * 64, 2**53)
        assert curve_above(fast, index * STEP / 2) >= curve_at(slow, index * STEP / 2) - rounding


@given(masses, masses)
def test_a_convolution_is_rounded_up_and_by_little(values, weights):
    found = convolve_above(np.array(values), np.array(weights))
    for k, total in enumerate(found):
        true = sum(
            Fraction(values[i]) * Fraction(weights[k - i]) for i in range(len(values)) if 0 <= k - i < len(weights)
        )
        assert true <= Fraction(float(total)) <= true * (1 + Fraction(80, 2**53)) + Fraction(1, 2**1000)


@given(st.integers(-300, 40))
def test_no_release_has_the_curve_of_equal_distributions(index):
    curve = no_release(STEP, index, index)
    with precision(200):
        exact = rational_ends(1 - ball(index * STEP).exp())[1]
    assert Fraction(float(curve.values[0])) >= max(Fraction(0), exact)


@given(losses(), st.integers(-30, 30))
def test_a_curve_on_the_grid_is_not_below_the_exact_one(loss, index):
    curve = fixed_curve(loss, index, index + 3)
    exact = curve_at(loss, index * STEP)
    assert min(Fraction(1), exact) <= Fraction(float(curve.values[0]))
