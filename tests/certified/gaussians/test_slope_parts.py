"""The slope along a curve of pairs, part by part: quotients of Bessel functions, jets, and signs that are certain."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from rgm_verify.accounting.exact.below_threshold import evaluate
from rgm_verify.balls.arithmetic import ball, exact, precision
from rgm_verify.gaussians.certified import slope as room
from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosure
from rgm_verify.gaussians.certified.slope import PairCurve, _jet, _quotient, _ratio, _ratio_at, _slope, slope_sign
from rgm_verify.gaussians.pair import GaussianPair

fractions = st.fractions
etas = fractions(Fraction(1, 100), 4, max_denominator=100)
gammas = st.sampled_from([Fraction(1, 1000), Fraction(1, 30), Fraction(1, 2), Fraction(5)])
levels = fractions(0, 6, max_denominator=20)
dimensions = st.sampled_from([1, 2, 3, 40])
shares = fractions(Fraction(1, 50), 1, max_denominator=50)


def outer(eta, gamma, kappa, dimension):
    """The curve of outputs on one ray, for 0 <= z <= 1."""
    spread = (kappa, Fraction(0), 1 - kappa)
    return PairCurve(spread, (eta**2, 2 * eta), (eta**2 / gamma,), dimension)


def at(curve, z):
    spread, surplus, numerator = (evaluate(p, z) for p in (curve.spread, curve.surplus, curve.numerator))
    return GaussianPair(numerator / spread, surplus / spread, curve.dimension)


def ends(value: arb) -> tuple[Fraction, Fraction]:
    low, high = exact(value.lower()), exact(value.upper())
    assert low is not None
    assert high is not None
    return low, high


@pytest.mark.parametrize("x", [arb(0), arb(-1), arb(0, 1), arb.pos_inf(), arb.nan(), arb(1, 2)])
@pytest.mark.parametrize("dimension", [1, 2, 40])
def test_a_quotient_of_bessel_functions_that_is_not_known_lies_between_zero_and_one(dimension, x):
    with precision(64):
        low, high = ends(_ratio_at(dimension, x))
        assert -Fraction(1, 10**6) <= low <= 0
        assert 1 <= high <= 1 + Fraction(1, 10**6)


def test_a_quotient_that_arb_does_not_find_lies_between_zero_and_one(monkeypatch):
    monkeypatch.setattr(room, "_MOST_STEPS", 0)
    with precision(64):
        # So wide that the quotient of the two functions is none.
        wide = arb(1000, 999.5)
        assert not (wide.bessel_i(arb(1.5), scaled=True) / wide.bessel_i(arb(0.5), scaled=True)).is_finite()
        low, high = ends(_ratio_at(3, wide))
        assert -Fraction(1, 10**6) <= low <= 0
        assert 1 <= high <= 1 + Fraction(1, 10**6)


@given(dimensions, fractions(Fraction(1, 100), 100, max_denominator=100), shares, fractions(-1, 1, max_denominator=20))
def test_a_quotient_over_a_ball_holds_it_at_every_point_and_hardly_more(dimension, x, share, place):
    with precision(96):
        low, high = x * (1 - share / 2), x * (1 + share / 2)
        wide = _ratio(dimension, ball(low).union(ball(high)))
        inside = _ratio_at(dimension, ball(x * (1 + place * share / 2)))
        assert wide.overlaps(inside)
        spanned = _ratio_at(dimension, ball(low)).union(_ratio_at(dimension, ball(high)))
        assert wide.rad() <= spanned.rad() * (1 + arb(2) ** -10) + arb(2) ** -60


@given(
    st.lists(fractions(-3, 3, max_denominator=9), max_size=5),
    st.lists(fractions(-3, 3, max_denominator=9), max_size=3),
    fractions(-2, 2, max_denominator=9),
)
def test_jets_are_values_and_derivatives_of_polynomials_and_their_quotients(top, bottom, z):
    bottom = [Fraction(100), *bottom]

    def derivative(polynomial):
        return [k * c for k, c in enumerate(polynomial)][1:]

    def at_z(polynomial):
        return sum((c * z**k for k, c in enumerate(polynomial)), Fraction(0))

    a, b = ([at_z(p), at_z(derivative(p)), at_z(derivative(derivative(p)))] for p in (top, bottom))
    first = (a[1] * b[0] - a[0] * b[1]) / b[0] ** 2
    second = (a[2] * b[0] - a[0] * b[2]) / b[0] ** 2 - 2 * b[1] / b[0] * first
    with precision(128):
        jets = _jet(top, ball(z)), _jet(bottom, ball(z))
        for jet, exact_values in ((jets[0], a), (jets[1], b), (_quotient(*jets), (a[0] / b[0], first, second))):
            for found, value in zip(jet, exact_values, strict=True):
                low, high = ends(found)
                assert low <= value <= high
                assert high - low < Fraction(1, 10**20)


@settings(max_examples=30)
@given(levels, etas, gammas, fractions(Fraction(1, 10), 5, max_denominator=20), dimensions, shares)
def test_the_sign_of_the_slope_is_that_of_the_difference_of_two_divergences(level, eta, gamma, kappa, dimension, share):
    """Two near points have divergences that differ by more than their enclosures, so that the sign is certain."""
    curve, low, high = outer(eta, gamma, kappa, dimension), share * Fraction(999, 1000), share
    sign = slope_sign(curve, level, low, high)
    first, last = (
        hockey_stick_enclosure(level, *(at(curve, z).shift_squared, at(curve, z).excess, dimension), digits=25)
        for z in (low, high)
    )
    if first.upper < last.lower:
        assert sign in (0, 1)
    elif last.upper < first.lower:
        assert sign in (0, -1)
    # At a point nothing but a slope of 0 is left undecided.
    assert slope_sign(curve, level, low, low) != 0


@pytest.mark.parametrize("bits", [32, 128])
@pytest.mark.parametrize("width", [Fraction(1, 10**6), Fraction(1, 100)])
def test_the_slope_of_known_curves_is_certain_on_a_cell(bits, width):
    rising = PairCurve((Fraction(1),), (Fraction(0), Fraction(1)), (Fraction(0), Fraction(1)), 3)  # S = w = z
    falling = PairCurve((Fraction(1),), (Fraction(2), Fraction(-1)), (Fraction(2), Fraction(-1)), 3)
    for level in (Fraction(0), Fraction(1), Fraction(3)):
        assert slope_sign(rising, level, Fraction(1), 1 + width, bits=bits) == 1
        assert slope_sign(falling, level, Fraction(1), 1 + width, bits=bits) == -1
    # Where w or S is not certainly positive nothing is.
    assert slope_sign(rising, Fraction(1), Fraction(0), width, bits=bits) == 0
    assert slope_sign(rising, Fraction(1), Fraction(-1), Fraction(-1), bits=bits) == 0


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(("level", "dimension"), [(Fraction(0), 1), (Fraction(1), 3), (Fraction(3), 40)])
def test_the_derivative_of_the_slope_is_the_limit_of_its_differences(level, dimension, order):
    curve, z, h = outer(Fraction(1, 2), Fraction(1, 30), Fraction(3, 2), dimension), Fraction(1, 3), Fraction(1, 10**20)
    with precision(400):
        before, here, after = (_slope(curve, order * level, ball(z + k * h)) for k in (-1, 0, 1))
        for value in (before, here, after):
            assert all(part.is_finite() for part in value)
        difference = (after[1] - before[1]) / ball(2 * h)
        assert abs(here[2] - difference) < abs(difference) * arb(10) ** -30
        # X^2 = v (1 + w E / S), E = 2 epsilon + d log v.
        pair = at(curve, z)
        w, s = ball(pair.excess), ball(pair.shift_squared)
        assert here[0].overlaps((1 + w) * (1 + w * (2 * ball(order * level) + dimension * (1 + w).log()) / s))


def test_over_a_wide_cell_the_mean_value_decides():
    """The slope over the cell in one go holds 0; from the middle on it does not."""
    curve = outer(Fraction(1, 2), Fraction(1, 2), Fraction(1, 2), 3)
    decided = 0
    for k in range(20):
        low, high = Fraction(k, 20), Fraction(k + 1, 20)
        with precision(128):
            square, first, _, other = _slope(curve, Fraction(0), ball(low).union(ball(high)))
            plain = (first > 0 or first < 0 or other > 0 or other < 0) and square > 0
        sign = slope_sign(curve, Fraction(0), low, high)
        decided += sign != 0 and not plain
        ends_signs = {slope_sign(curve, Fraction(0), z, z) for z in (low, (low + high) / 2, high)}
        assert sign == 0 or ends_signs == {sign}
    assert decided >= 3
