"""Discrete Gaussian noise on vectors, of account and replay: sums over all outputs for all changes of a norm."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rgm_verify.accounting.plans.account import delta, epsilon
from rgm_verify.accounting.plans.plan import plan
from rgm_verify.accounting.plans.releases import release_of
from rgm_verify.balls.arithmetic import ball, precision, rational_ends
from rgm_verify.gaussians.certified.noise_cells import chords
from rgm_verify.gaussians.certified.split_curves import split_curve, squares
from rgm_verify.recheck import discrete_gaussian
from rgm_verify.recheck.discrete_gaussian import WholeChange, sums_of_squares
from rgm_verify.recheck.groups import enlarged
from rgm_verify.recheck.mechanisms import DiscreteGaussian, Grouped, WholeVector, mechanism_of
from rgm_verify.recheck.noises import divergence, events
from rgm_verify.recheck.refusal import Refused

BITS = 100
DIGITS = 45
UNIT = Fraction(1, 2**BITS)
ROUNDING = Fraction(1, 10**35)  # of the sums at 45 digits
SIGMAS = st.fractions(Fraction(1, 2), 2, max_denominator=4)
LEVELS = st.fractions(-2, 4, max_denominator=12)


def exact(value: Any) -> Fraction:
    return Fraction(int(value.man)) * Fraction(2) ** int(value.exp)


@lru_cache(maxsize=200)
def law(sigma: Fraction, change: tuple[int, ...]) -> dict[int, Any]:
    """The masses of the number by which the output tells the change, with all outputs within 16 deviations."""
    with mpmath.workdps(DIGITS):
        far = int(16 * sigma) + 2
        s = mpmath.mpf(sigma.numerator) / sigma.denominator
        weights = {y: mpmath.exp(-(y**2) / (2 * s**2)) for y in range(-far, far + 1)}
        norm = mpmath.fsum(weights.values())
        found = {0: mpmath.mpf(1)}
        for one in change:
            after: dict[int, Any] = {}
            for (m, p), (y, w) in product(found.items(), weights.items()):
                after[m + one * y] = after.get(m + one * y, mpmath.mpf(0)) + p * w / norm
            found = after
        return found


def above(sigma: Fraction, change: tuple[int, ...], level: Fraction) -> tuple[Fraction, Fraction]:
    """The masses under both laws of the outputs whose loss exceeds a level."""
    square = sum(v * v for v in change)
    with mpmath.workdps(DIGITS):
        first = [p for m, p in law(sigma, change).items() if Fraction(square - 2 * m) / (2 * sigma**2) > level]
        second = [p for m, p in law(sigma, change).items() if Fraction(-square - 2 * m) / (2 * sigma**2) > level]
        return exact(mpmath.fsum(first)), exact(mpmath.fsum(second))


def gap(sigma: Fraction, change: tuple[int, ...], level: Fraction) -> Fraction:
    p, q = above(sigma, change, level)
    with mpmath.workdps(DIGITS):
        return p - exact(mpmath.exp(mpmath.mpf(level.numerator) / level.denominator)) * q


def by_hand(total: int) -> set[tuple[int, ...]]:
    """The ways to write a number as a sum of at most `total` squares."""
    found = set()
    for roots in product(range(int(total**0.5) + 1), repeat=total):
        if sum(v * v for v in roots) == total and list(roots) == sorted(roots, reverse=True):
            found.add(tuple(v for v in roots if v))
    return found


@pytest.mark.parametrize("total", range(1, 9))
def test_both_programs_know_all_sums_of_squares(total: int) -> None:
    assert set(sums_of_squares(total, total)) == set(squares(total)) == by_hand(total)
    assert len(list(squares(total))) == len(list(sums_of_squares(total, total))) == len(by_hand(total))


@given(SIGMAS, st.integers(1, 6), LEVELS)
@settings(max_examples=30, deadline=None)
def test_a_divergence_of_the_replay_holds_that_of_every_change(sigma: Fraction, square: int, level: Fraction) -> None:
    low, high = divergence(WholeVector(sigma, square, 1, 1), level, BITS)
    known = [gap(sigma, change, level) for change in squares(square)]
    # Each mass is within four units, and the second one counts e^level times.
    allowed = 8 * (1 + 3 ** max(0, int(level) + 1)) * UNIT
    assert max(known) <= high * UNIT + ROUNDING
    assert max(known) >= high * UNIT - allowed
    # From below it is that of as many coordinates as there can be.
    least = gap(sigma, (1,) * square, level)
    assert low * UNIT - ROUNDING <= least <= low * UNIT + allowed


@given(SIGMAS, st.sampled_from([(1, 1), (1, 2), (3, 1), (4, 2)]), LEVELS)
@settings(max_examples=30, deadline=None)
def test_events_are_the_outputs_whose_loss_exceeds_the_level(
    sigma: Fraction, change: tuple[int, int], level: Fraction
) -> None:
    times, each = change
    found = events(WholeVector(sigma, times * each**2, each, 1), level, BITS)
    for (low, high), mass in zip(found, above(sigma, (each,) * times, level), strict=True):
        assert low * UNIT - ROUNDING <= mass <= high * UNIT + ROUNDING
        assert high - low <= 4


def test_one_coordinate_is_a_number() -> None:
    for level in (Fraction(-1), Fraction(0), Fraction(3, 4)):
        one = divergence(DiscreteGaussian(Fraction(2), 1, 1), level, BITS)
        vector = divergence(WholeVector(Fraction(2), 1, 1, 1), level, BITS)
        assert abs(one[0] - vector[0]) <= 8
        assert abs(one[1] - vector[1]) <= 8


@given(st.fractions(Fraction(1, 2), 3, max_denominator=4), st.integers(1, 6), st.integers(1, 19))
@settings(max_examples=15, deadline=None)
def test_the_account_is_that_of_the_largest_change(sigma: Fraction, square: int, share: int) -> None:
    release = release_of("discrete-gaussian-vector", {"sigma": sigma, "l2_squared": square})
    level = Fraction(share, 5) * square / (2 * sigma**2)
    found = delta(plan([release]), level, width="1/100")
    known = [gap(sigma, change, level) for change in squares(square)]
    spread = gap(sigma, (1,) * square, level)
    assert max(known) <= Fraction(found.upper) + ROUNDING
    assert Fraction(found.lower) <= spread + ROUNDING
    assert found.upper <= float(max(known)) * 1.02 + 1e-12
    assert found.lower >= float(spread) * 0.98 - 1e-12


@given(SIGMAS, st.sampled_from([(1,), (1, 1), (2, 1), (1, 1, 1)]), st.integers(1, 12), LEVELS)
@settings(max_examples=30, deadline=None)
def test_however_far_the_noise_is_followed_what_is_left_out_is_counted(
    sigma: Fraction, change: tuple[int, ...], reach: int, level: Fraction
) -> None:
    found, known = split_curve(sigma, change, reach, 200), law(sigma, change)
    with precision(200):
        assert gap(sigma, change, level) <= rational_ends(found.above(level))[1] + ROUNDING
        for m, mass in zip(range(-found.reach, found.reach + 1), found.masses, strict=True):
            assert rational_ends(mass)[0] <= exact(known.get(m, mpmath.mpf(0))) + ROUNDING


def test_masses_that_are_missing_may_lie_anywhere() -> None:
    """Of 64 parts 40 are known, below, at and above 0: a sum is at least what is there, at most all but the rest."""
    found = WholeChange(Fraction(1), 1, 1, [0, 10, 30, 40], 6, 6)
    # A loss above 0 has m <= 0 under the first law, and m <= -1 under the second; above 2 there is none.
    assert found.events(Fraction(0)) == ((30, 54), (10, 34))
    assert found.events(Fraction(2)) == ((0, 24), (0, 24))
    assert found.events(Fraction(-3)) == ((40, 64), (40, 64))


def test_chords_meet_the_values_and_stay_at_the_last_one() -> None:
    step, places, values = Fraction(1, 4), [-8, -1, 2, 5], [0.88, 0.4, 0.2, 0.1]
    loss = chords(step, places, [ball(Fraction(value)) for value in values], 200)

    def at(place: int) -> float:
        parts = zip(loss.places.tolist(), loss.masses.tolist(), strict=True)
        return loss.infinite + sum(m * max(0.0, 1 - math.exp((place - k) / 4)) for k, m in parts)

    for place, value in zip(places, values, strict=True):
        assert value * (1 - 1e-12) <= at(place) <= value * (1 + 1e-12)
    assert at(9) >= values[-1]
    # At very small levels it is 1.
    assert abs(at(-4000) - 1) <= 1e-12


def test_no_change_of_a_norm_is_the_worst_at_every_level() -> None:
    """The reason for the largest of all curves: of a squared norm of 4, at two levels."""
    sigma, whole, spread = Fraction(3), (2,), (1, 1, 1, 1)
    assert gap(sigma, whole, Fraction(1)) > gap(sigma, spread, Fraction(1))
    assert gap(sigma, whole, Fraction(2)) < gap(sigma, spread, Fraction(2))


def test_of_two_coordinates_it_costs_what_two_releases_cost() -> None:
    vector = epsilon(plan([release_of("discrete-gaussian-vector", {"sigma": 3, "l2_squared": 2, "count": 5})]), "1e-6")
    number = epsilon(plan([release_of("discrete-gaussian", {"sigma": 3, "count": 10})]), "1e-6")
    assert vector.lower <= number.upper
    assert number.lower <= vector.upper
    assert vector.relative_width < 1e-3


@pytest.mark.parametrize("square", [4, 5, 10])
def test_in_everyday_settings_both_ends_are_within_two_per_cent(square: int) -> None:
    found = epsilon(plan([release_of("discrete-gaussian-vector", {"sigma": 3, "l2_squared": square})]), "1e-6")
    assert found.relative_width <= 0.02
    number = epsilon(plan([release_of("discrete-gaussian", {"sigma": 3, "count": square})]), "1e-6")
    assert number.lower <= found.upper


def test_a_group_changes_each_coordinate_so_many_times() -> None:
    assert enlarged(Grouped(3, WholeVector(Fraction(2), 2, 1, 4))) == WholeVector(Fraction(2), 18, 3, 4)
    assert enlarged(Grouped(2, WholeVector(Fraction(2), 10, 1, 4))) is None
    one = release_of("discrete-gaussian-vector", {"sigma": 6, "l2_squared": 1})
    group = epsilon(plan([one], adjacency="replace-one", group=2), "1e-6")
    number = epsilon(plan([release_of("discrete-gaussian", {"sigma": 6, "sensitivity": 2})]), "1e-6")
    assert abs(group.lower - number.lower) <= 1e-3 * number.upper
    assert group.upper >= number.lower
    # Too many changes to look at: by the concentration, and the chain of neighbours.
    many = epsilon(plan([one], adjacency="replace-one", group=20), "1e-6")
    assert many.lower <= many.upper < 30


GOOD: dict[str, Any] = {"name": "discrete-gaussian-vector", "sigma": "3", "l2_squared": 2, "steps": 3}


def test_each_field_is_read_to_its_place() -> None:
    assert mechanism_of(GOOD) == WholeVector(Fraction(3), 2, 1, 3)
    assert mechanism_of({**GOOD, "sigma": "1/1000", "l2_squared": 36})
    assert mechanism_of({**GOOD, "sigma": "1000"})


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"sigma": "1/1001"}, "sigma must lie between 1/1000 and 1000"),
        ({"sigma": "1001"}, "sigma must lie between 1/1000 and 1000"),
        ({"l2_squared": 0}, "l2_squared"),
        ({"l2_squared": 37}, "l2_squared"),
        ({"l2_squared": "2"}, "l2_squared"),
        ({"steps": 0}, "steps"),
        ({"sensitivity": 1}, "not known"),
    ],
)
def test_other_fields_are_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(Refused, match=message):
        mechanism_of({**GOOD, **fields})


def test_a_law_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    WholeChange.of.cache_clear()
    reach = WholeChange.of(Fraction(2), (1, 1), BITS).reach
    WholeChange.of.cache_clear()
    monkeypatch.setattr(discrete_gaussian, "MOST_MASSES", reach // 2)
    with pytest.raises(Refused, match="too many outputs"):
        WholeChange.of(Fraction(2), (1, 1), BITS)
    WholeChange.of.cache_clear()
