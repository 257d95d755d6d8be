"""The transform against sums by definition, and compositions of small lattice losses against exact fractions."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rgm_verify.accounting.subsampled.power import composed
from rgm_verify.balls.fourier import (
    EXPONENTIALS_ERROR,
    EXTENDED_UNIT,
    UNDERFLOW,
    UNIT,
    Transform,
    exponential_ends,
    exponentials,
    tilted,
)
from rgm_verify.gaussians.certified.sampled_cells import LatticeLoss, sampled_cells
from rgm_verify.gaussians.certified.sampled_release import sampled_divergence


def frequency(x, places, k, n):
    """Return a frequency by its definition, to 40 digits."""
    with mpmath.workdps(40):
        return mpmath.fsum(
            mpmath.mpf(float(v)) * mpmath.expjpi(-mpmath.mpf(2 * j * k % (2 * n)) / n)
            for j, v in zip(places, x, strict=True)
        )


def whole(value):
    """Return a float of either kind with all its bits."""
    return mpmath.mpf(float(value)) + mpmath.mpf(float(value - type(value)(float(value))))


def off(re, im, exact):
    """Return the distance of a computed frequency from the exact one."""
    with mpmath.workdps(40):
        return abs(mpmath.mpc(whole(re), whole(im)) - exact)


@pytest.mark.parametrize("extended", [False, True])
@pytest.mark.parametrize("stages", [0, 1, 2, 3, 5, 8, 13])
def test_every_frequency_is_in_its_place_and_within_the_error(stages, extended):
    transform = Transform(stages, extended=extended)
    n = transform.length
    x = np.random.default_rng(stages).random(n) ** 8
    positions = np.arange(n)
    order = transform.frequencies(positions)
    assert sorted(order.tolist()) == positions.tolist()
    re, im = transform.forward(x)
    sample = positions if n < 100 else positions[[0, 1, 77, n // 2 + 1, n - 1]]
    for i in sample:
        exact = frequency(x, range(n), int(order[i]), n)
        assert off(re[i], im[i], exact) <= transform.error * float(np.sum(x))


@pytest.mark.parametrize("extended", [False, True])
@pytest.mark.parametrize("stages", [0, 1, 4, 9, 20])
@pytest.mark.parametrize("count", [1, 2, 3, 70])
def test_frequencies_by_definition_are_within_their_error(stages, extended, count):
    generator = np.random.default_rng(1000 * stages + count)
    transform = Transform(stages, extended=extended)
    n = transform.length
    places, values = generator.integers(-3 * n, 3 * n, count), generator.normal(size=count)
    asked = np.unique(np.concatenate([[0, n // 2, n - 1], generator.integers(0, n, 20)]))
    re, im = transform.at(places, values, asked)
    for k, a, b in zip(asked.tolist(), re, im, strict=True):
        exact = frequency(values, places.tolist(), k, n)
        assert off(a, b, exact) <= transform.error_at(count) * float(np.sum(np.abs(values)))


def test_sums_by_definition_are_the_same_in_any_portions(monkeypatch):
    transform = Transform(8)
    places, values = np.array([-3, 5, 1000]), np.array([0.1, 0.2, 0.7])
    whole = transform.at(places, values, np.arange(256))
    monkeypatch.setattr("rgm_verify.balls.fourier._TERMS", 7)
    assert np.array_equal(whole, transform.at(places, values, np.arange(256)))


@pytest.mark.parametrize("extended", [False, True])
@pytest.mark.parametrize("stages", [1, 4, 10, 15])
def test_there_and_back_is_within_twice_the_error(stages, extended):
    transform = Transform(stages, extended=extended)
    x = np.random.default_rng(stages).random(transform.length)
    back = transform.backward(transform.forward(x))
    assert np.linalg.norm(back.astype(float) - x) <= 2.1 * transform.error * np.linalg.norm(
        x
    ) + 2**-53 * np.linalg.norm(x)


@settings(max_examples=20, deadline=None)
@given(st.fractions(0, 1, max_denominator=50), st.fractions(0, 2, max_denominator=50), st.integers(2, 70))
def test_exponentials_are_within_their_error(rate, start, count):
    found = exponentials(-rate, -start, count)
    with mpmath.workdps(40):
        for k, value in enumerate(found):
            exact = mpmath.exp(-(start + rate * k).numerator / mpmath.mpf((start + rate * k).denominator))
            assert abs(mpmath.mpf(float(value)) - exact) <= EXPONENTIALS_ERROR * exact


def exact_delta(loss, times, epsilon):
    """Return the divergence of a composition of a lattice loss, with exponentials to 40 digits."""
    law = {0: Fraction(1)}
    for _ in range(times):
        after = {}
        for place, mass in law.items():
            for k, m in zip(loss.places.tolist(), loss.masses.tolist(), strict=True):
                after[place + k] = after.get(place + k, Fraction(0)) + mass * Fraction(m)
        law = after
    with mpmath.workdps(40):
        total = mpmath.mpf(0)
        for place, mass in law.items():
            above = loss.offset * times + place * loss.step - epsilon
            if above > 0:
                gap = mpmath.mpf(above.numerator) / above.denominator
                total += mpmath.mpf(mass.numerator) / mass.denominator * -mpmath.expm1(-gap)
        return total


@settings(deadline=None)
@given(
    st.lists(st.integers(1, 1000), min_size=2, max_size=6),
    st.integers(1, 6),
    st.fractions(-1, 3, max_denominator=16),
    st.sampled_from([Fraction(0), Fraction(1, 64), Fraction(1, 4)]),
    st.booleans(),
    st.booleans(),
)
@example([1] * 6, 6, Fraction(0), Fraction(1, 4), False, False)  # what is outside of the window counts the most
@example([3, 1, 1, 1, 1, 447], 5, Fraction(0), Fraction(1, 64), False, False)  # nearly all mass at one place
def test_a_composition_encloses_its_exact_value(weights, times, epsilon, tilt, up, extended):
    total = sum(weights)
    masses = np.array([w / total for w in weights])
    places = np.cumsum([3 * (k % 2) + 1 for k in range(len(weights))]) - 4
    loss = LatticeLoss(Fraction(1, 8), places.astype(np.int64), masses, 0.0, Fraction(1, 100))
    law = composed([(loss, times)], tilt, up=up, extended=extended)
    found, exact = law.delta(epsilon), exact_delta(loss, times, epsilon)
    assert (found >= exact) if up else (found <= exact)
    assert abs(found - exact) <= looseness(law, times, epsilon, exact)


def looseness(law, times, epsilon, exact):
    """The most that a bound of `law` may be from the truth, by the errors that it counts.

    The error of the transform and what lies outside of the window count twice: as they are, and as their bounds. The
    window promises exp(-20) of the tilted mass on either side at the best rate, and rates are tried within 10 % of it,
    which costs Chernoff's bound less than a factor of e.
    """
    assert max(law.above, law.below) <= np.exp(-19)
    start = (epsilon - law.offset) // law.step + 1
    begin = max(start, law.first)
    count = law.first + len(law.values) - begin
    if count <= 0:  # nothing from below, Chernoff's bound from above
        return (law.above * scale(law, start) if law.up else exact) * (1 + 2**-40) + UNDERFLOW
    unit = EXTENDED_UNIT if law.error < UNIT else UNIT
    # A bound of the 2-norm itself is no larger than what one rounding of every operation on the masses makes of it.
    assert law.error <= 1e4 * times * unit
    outside = 2 * (law.above + law.below) + 2 * law.error * count**0.5
    # Rounded once for each release when tilted, then as a sum of products with weights of some roundings each.
    rounded = (2 * times + 2 * count + 200) * UNIT * float(np.sum(np.abs(law.values)))
    left = law.below * scale(law, start) if law.up and start < law.first else 0
    return (outside + rounded) * scale(law, begin) + left + 2**-38 * exact + 2 * UNDERFLOW


def scale(law, place):
    """The mass for which a tilted one at a place stands."""
    with mpmath.workdps(40):
        power = law.shift - law.tilt * place
        return mpmath.exp(mpmath.mpf(power.numerator) / power.denominator)


def test_mass_at_infinity_and_what_is_missing_count():
    loss = LatticeLoss(Fraction(1, 8), np.array([-1, 2]), np.array([0.5, 0.4]), 0.1)
    assert composed([(loss, 3)], Fraction(0), up=True).delta(Fraction(50)) >= 1 - 0.9**3
    owed = LatticeLoss(Fraction(1, 8), np.array([-1, 2]), np.array([0.5, 0.4]), -1e-3)
    clean = LatticeLoss(Fraction(1, 8), np.array([-1, 2]), np.array([0.5, 0.4]), 0.0)
    less, more = (composed([(x, 3)], Fraction(0), up=False).delta(Fraction(0)) for x in (owed, clean))
    assert less <= more - 3e-3


@settings(max_examples=20, deadline=None)
@given(
    st.sampled_from(["1/1000", "1/10", "1/2", "1"]),
    st.sampled_from(["1/2", "1", "4"]),
    st.lists(st.integers(-400, 800), min_size=5, max_size=40, unique=True),
    st.fractions(-2, 6, max_denominator=64),
)
def test_losses_on_any_cells_lie_on_their_sides_of_the_curve(rate, noise, edges, epsilon):
    q, sigma, step = Fraction(rate), Fraction(noise), Fraction(1, 64)
    bottom = -(10**4) if q < 1 else -1000
    kept = sorted({2 * k for k in edges if q == 1 or (k > 0 or 2 * k * step > -q / 2)} | {0, 2000})
    cells = sampled_cells(q, sigma, step, [bottom, *kept])
    for remove, above, below in (
        (True, cells.remove_above(), cells.remove_below()),
        (False, cells.add_above(), cells.add_below()),
    ):
        exact = sampled_divergence(epsilon, q, sigma, remove=remove)
        with mpmath.workdps(30):
            high = exact_delta(above, 1, epsilon) + above.infinite
            low = exact_delta(below, 1, epsilon) + below.infinite
        assert high >= float(exact.lower) * (1 - 1e-14)
        assert low <= float(exact.upper) * (1 + 1e-14)


def test_tilted_masses_and_exponentials_are_rounded_outward():
    masses, places = np.array([0.1, 0.7]), np.array([-3, 5])
    low, high = (tilted(masses, places, Fraction(1, 3), Fraction(1, 7), up=up) for up in (False, True))
    # Neighbouring floats: nothing is lost but the rounding.
    assert np.array_equal(high, np.nextafter(low, np.inf))
    below, above = exponential_ends(Fraction(-5, 3))
    with mpmath.workdps(30):
        assert below < mpmath.exp(-mpmath.mpf(5) / 3) < above
