"""Cyclic convolutions by a few frequencies and by all of them, against exact ones over the integers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rgm_verify.accounting.subsampled import convolution
from rgm_verify.accounting.subsampled.convolution import TiltedMasses, convolved
from rgm_verify.balls.fourier import UNIT, Transform

BITS = 110  # masses are floats of at least 2^-40 and integers of 2^-110, also where some were added up
ROUTES = {"by definition": (10**9, False), "all in doubles": (-1, False), "all in wider floats": (-1, True)}
again = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def times(x, y):
    """Multiply two polynomials of integers modulo `z^n - 1`."""
    n = len(x)
    found = [0] * n
    for i, a in enumerate(x):
        for j, b in enumerate(y):
            found[(i + j) % n] += a * b
    return found


def power(x, count):
    """Return the power of a polynomial by squaring."""
    found = x
    for bit in bin(count)[3:]:
        found = times(found, found)
        found = times(found, x) if bit == "1" else found
    return found


def exact(parts, length):
    """Return the cyclic convolution as integers, and the number of bits of the unit that they count."""
    total, bits = [1] + [0] * (length - 1), 0
    for part in parts:
        base = [0] * length
        for place, value in zip(part.places.tolist(), part.values.tolist(), strict=True):
            base[place % length] += int(Fraction(value) * 2**BITS)
        total, bits = times(total, power(base, part.count)), bits + BITS * part.count
    return total, bits


def distance(found, parts, *, up, by_definition):
    """Return the exact square of the distance of computed values from the convolution, as a rational."""
    if not by_definition:
        folded = [convolution._folded(part, len(found), up=up) for part in parts]
        parts = [replace(part, places=np.arange(len(found)), values=v) for part, v in zip(parts, folded, strict=True)]
    integers, bits = exact(parts, len(found))
    return sum((Fraction(value) - Fraction(k, 2**bits)) ** 2 for value, k in zip(found.tolist(), integers, strict=True))


@st.composite
def releases(draw):
    """Draw masses of sum near 1, among them some on one place only modulo the length, and how often they count."""
    count = draw(st.integers(1, 5))
    weights = draw(st.lists(st.integers(1, 1000), min_size=count, max_size=count))
    places = sorted(draw(st.sets(st.integers(-40, 40), min_size=count, max_size=count)))
    values = np.array([round(w / sum(weights) * 2**40) * 2.0**-40 for w in weights])
    return TiltedMasses(np.array(places), values, draw(st.sampled_from([1, 2, 3, 30, 400])), Fraction(0))


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("left_out", [60.0, 2.0])
@again
@given(st.lists(releases(), min_size=1, max_size=2), st.integers(2, 5), st.booleans())
def test_a_convolution_is_within_its_error(monkeypatch, route, left_out, parts, stages, up):
    terms, extended = ROUTES[route]
    monkeypatch.setattr(convolution, "_TERMS_FOR_A_PLACE", terms)
    monkeypatch.setattr(convolution, "_LEFT_OUT", left_out)
    found, error = convolved(parts, stages, up=up, extended=extended)
    assert distance(found, parts, up=up, by_definition=terms > 0) <= Fraction(error) ** 2
    # Nine roundings a stage and six a product for each step, both ways, and what is left out: no more than that.
    roundings = (sum(part.count for part in parts) + 1) * (9 * stages + 6) * UNIT
    assert error <= 1.01 * (np.exp(1 - left_out) + roundings)


@pytest.mark.parametrize("up", [False, True])
def test_masses_that_meet_at_a_place_are_counted_on_the_safe_side_by_every_route(monkeypatch, up):
    part = TiltedMasses(np.array([0, 16, 32, 3]), np.array([0.3, 0.2, 0.1, 0.4]), 1, Fraction(0))
    for terms, extended in ROUTES.values():
        monkeypatch.setattr(convolution, "_TERMS_FOR_A_PLACE", terms)
        found, error = convolved([part], 4, up=up, extended=extended)
        met = sum(map(Fraction, (0.3, 0.2, 0.1)))
        assert (Fraction(found[0]) + Fraction(error) >= met) if up else (Fraction(found[0]) - Fraction(error) <= met)


def test_a_long_sum_leaves_few_frequencies_and_a_sharper_error(monkeypatch):
    places = np.arange(-4, 5)
    part = TiltedMasses(places, np.exp(-(places**2) / 8.0) / np.exp(-(places**2) / 8.0).sum(), 10**4, Fraction(0))
    asked = []
    at = Transform.at
    monkeypatch.setattr(Transform, "at", lambda self, p, v, k: asked.append(len(k)) or at(self, p, v, k))
    _, error = convolved([part], 13, up=True, extended=False)
    assert asked
    assert asked[0] < 2**13 / 8
    monkeypatch.setattr(convolution, "_TERMS_FOR_A_PLACE", -1)
    _, all_of_them = convolved([part], 13, up=True, extended=False)
    assert error < all_of_them / 100


def test_nothing_is_no_composition_and_too_many_steps_are_refused():
    with pytest.raises(ArithmeticError, match="nothing"):
        convolved([], 4, up=True, extended=False)
    part = TiltedMasses(np.array([0, 1]), np.array([0.5, 0.5]), 10**20, Fraction(0))
    with pytest.raises(ArithmeticError, match="double precision"):
        convolved([part], 4, up=True, extended=False)
