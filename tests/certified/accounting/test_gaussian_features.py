"""Clipped Gaussian features as floats lie within their stated error of certified enclosures."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

import pytest

from rgm_verify.errors import InputError
from rgm_verify.gaussians.certified.chi_square import chi_square_enclosures
from rgm_verify.learning.clipping.gaussian_features import ERROR, ClippedGaussian

RATIOS = [Fraction(k, 20) for k in (1, 5, 10, 15, 18, 20, 22, 25, 30, 40, 100)]


@pytest.mark.parametrize("d", [1, 2, 3, 5, 8, 22, 47, 100, 333, 1000, 3001, 10_000])
@pytest.mark.parametrize("ratio", RATIOS)
def test_floats_are_within_their_error_of_the_enclosures(d, ratio):
    model = ClippedGaussian(Fraction(isqrt(10**8 * d), 10**4) * ratio, d)
    for found, enclosure in zip((model.share, model.clipped, model.kept), model.enclosures(), strict=True):
        assert enclosure.upper - enclosure.lower <= enclosure.upper * Fraction(3, 10**15)
        if enclosure.lower > Fraction(1, 10**280):
            assert abs(Fraction(found) - enclosure.lower) <= Fraction(ERROR) * enclosure.lower


@pytest.mark.parametrize("d", [1, 2, 7])
@pytest.mark.parametrize("level", [Fraction(1, 10), Fraction(1), Fraction(9)])
def test_the_two_tails_add_up_to_one(d, level):
    below, above = chi_square_enclosures(level, d, digits=30)
    assert below.lower + above.lower <= 1 <= below.upper + above.upper


def test_two_degrees_of_freedom_are_an_exponential():
    """`Pr[chi2_2 > 2] = 1/e`, enclosed by its series."""
    total, term, terms = Fraction(0), Fraction(1), 30
    for k in range(terms):
        total, term = total + term, -term / (k + 1)
    _, above = chi_square_enclosures(Fraction(2), 2, digits=20)
    assert above.lower - abs(term) <= total <= above.upper + abs(term)


@pytest.mark.parametrize("d", [2, 4, 9])
def test_the_mean_over_shells_is_the_closed_form(d):
    """`d clipped` is the integral of the tail up to `R^2`; a falling tail is bounded by sums from both sides."""
    model, cells = ClippedGaussian(2, d), 64
    points = [Fraction(4 * k, cells) for k in range(cells + 1)]
    tails = [chi_square_enclosures(point, d)[1] for point in points]
    lower = sum((tail.lower for tail in tails[1:]), Fraction(0)) * Fraction(4, cells)
    upper = sum((tail.upper for tail in tails[:-1]), Fraction(0)) * Fraction(4, cells)
    assert lower <= d * model.enclosures().clipped.upper
    assert d * model.enclosures().clipped.lower <= upper
    assert upper - lower <= Fraction(4, cells)


def test_at_the_end_of_the_range_nothing_is_left_below():
    assert [(end.lower, end.upper) for end in chi_square_enclosures(Fraction(0), 3)] == [(0, 0), (1, 1)]
    with pytest.raises(InputError, match="degrees=10000000000"):
        chi_square_enclosures(Fraction(1), 10**10)
