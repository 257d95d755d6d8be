"""The claims about curves of pairs, on certified values: rays, the curve above the threshold, slopes."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb
from hypothesis import assume, example, given
from hypothesis import strategies as st

from rgm_verify.accounting.exact import delta
from rgm_verify.accounting.exact.admissible_pairs import reachable_pairs
from rgm_verify.accounting.exact.below_threshold import Family, evaluate
from rgm_verify.accounting.release import Release
from rgm_verify.balls.arithmetic import ball, precision
from rgm_verify.errors import InputError
from rgm_verify.gaussians.certified.chi_square import chi_square_floor_enclosure, hockey_stick_by_series
from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosure
from rgm_verify.gaussians.certified.slope import PairCurve, _ratio_at, _slope, slope_sign
from rgm_verify.gaussians.pair import GaussianPair

fractions = st.fractions
etas = fractions(Fraction(1, 100), 4, max_denominator=100)
gammas = st.sampled_from([Fraction(1, 1000), Fraction(1, 30), Fraction(1, 2), Fraction(5)])
levels = fractions(0, 6, max_denominator=20)
dimensions = st.sampled_from([1, 2, 3, 40])
excesses = fractions(Fraction(1, 100), 5, max_denominator=100)
shares = fractions(Fraction(1, 50), 1, max_denominator=50)
above = fractions(1, 20, max_denominator=50)


def stick(level, pair):
    return hockey_stick_enclosure(level, pair.shift_squared, pair.excess, pair.dimension)


def outer(eta, gamma, kappa, dimension):
    """The curve of outputs on one ray, for 0 <= z <= 1."""
    spread = (kappa, Fraction(0), 1 - kappa)
    return PairCurve(spread, (eta**2, 2 * eta), (eta**2 / gamma,), dimension)


def at(curve, z):
    spread, surplus, numerator = (evaluate(p, z) for p in (curve.spread, curve.surplus, curve.numerator))
    return GaussianPair(numerator / spread, surplus / spread, curve.dimension)


# ------------------------------------------------------------------------------------------------- which pair is worse


@given(levels, fractions(Fraction(1, 50), 9, max_denominator=50), excesses, dimensions, shares, st.booleans())
def test_the_divergence_grows_along_a_ray_of_pairs(level, shift, excess, dimension, share, reverse):
    near, far = GaussianPair(share * shift, share * excess, dimension), GaussianPair(shift, excess, dimension)
    if reverse:
        near, far = near.reversed(), far.reversed()
    assert stick(level, near).lower <= stick(level, far).upper


@given(levels, fractions(Fraction(1, 50), 9, max_denominator=50), excesses, dimensions, shares, shares, st.booleans())
def test_no_pair_of_smaller_excess_and_smaller_quotient_is_worse(level, shift, excess, dimension, share, part, reverse):
    near, far = GaussianPair(share * part * shift, share * excess, dimension), GaussianPair(shift, excess, dimension)
    if reverse:
        near, far = near.reversed(), far.reversed()
    assert stick(level, near).lower <= stick(level, far).upper


@given(levels, etas, gammas, above, dimensions, shares)
@example(Fraction(0), Fraction(1, 10), Fraction(1, 100), Fraction(1001, 1000), 1, Fraction(1, 2))
def test_from_the_threshold_on_no_pair_of_one_ray_is_worse_than_both_ends(level, eta, gamma, kappa, dimension, share):
    curve = outer(eta, gamma, kappa, dimension)
    first, inside, last = (stick(level, at(curve, z)) for z in (Fraction(0), share, Fraction(1)))
    assert inside.lower <= max(first.upper, last.upper)
    assert stick(level, at(curve, share).reversed()).lower <= inside.upper


def test_from_the_threshold_on_both_ends_of_the_ray_are_needed():
    curve = outer(Fraction(1, 10), Fraction(1, 100), Fraction(1001, 1000), 1)
    small = [stick(Fraction(0), at(curve, Fraction(k, 2))) for k in range(3)]
    assert small[0].lower > small[1].upper > small[1].lower > small[2].upper
    large = [stick(Fraction(2), at(curve, Fraction(k, 2))) for k in range(3)]
    assert large[2].lower > large[1].upper > large[1].lower > large[0].upper


@given(levels, etas, gammas, dimensions)
@example(Fraction(0), Fraction(5, 2), Fraction(1, 10), 2)
@example(Fraction(0), Fraction(3), Fraction(1, 30), 40)
def test_a_pair_that_is_said_to_be_reached_is_no_worse_than_the_release(level, eta, gamma, dimension):
    release = Release(eta, gamma, dimension)
    most = Fraction(delta(release, level).upper)
    for pair in reachable_pairs([(release, 1)]):
        assert stick(level, pair).lower <= most


# ------------------------------------------------------------------------------------------------------------- slopes


@given(
    levels,
    etas,
    gammas,
    fractions(Fraction(1, 10), 5, max_denominator=20),
    dimensions,
    shares,
    st.sampled_from([1, -1]),
)
def test_slope_and_its_derivative_obey_the_mean_value_theorem(level, eta, gamma, kappa, dimension, share, order):
    curve, low, high = outer(eta, gamma, kappa, dimension), share * Fraction(99, 100), share
    with precision(256):
        cell = ball(low).union(ball(high))
        (square, first, _, _), (_, last, _, _) = (_slope(curve, order * level, ball(z)) for z in (low, high))
        over = _slope(curve, order * level, cell)
        assume(square > 0 and over[2].is_finite())
        assert (last - first).overlaps(over[2] * (ball(high) - ball(low)))


@given(
    levels,
    etas,
    gammas,
    fractions(Fraction(1, 10), 5, max_denominator=20),
    dimensions,
    shares,
    st.sampled_from([1, -1]),
)
def test_both_forms_of_the_slope_are_one_number(level, eta, gamma, kappa, dimension, share, order):
    curve = outer(eta, gamma, kappa, dimension)
    pair = at(curve, share)
    with precision(256):
        square, slope, _, other = _slope(curve, order * level, ball(share))
        assume(square > 0)
        factor = ball((1 + pair.excess) * pair.excess) / square.sqrt()
        assert other.overlaps(factor * slope)
        assert other.rel_accuracy_bits() > 50


@given(fractions(Fraction(1, 50), 9, max_denominator=50), excesses, dimensions, shares)
def test_where_the_best_test_always_rejects_the_divergence_is_constant(shift, excess, dimension, share):
    curve = PairCurve((Fraction(1),), (Fraction(0), excess), (shift,), dimension)
    level = -(shift / excess + 2 * dimension * excess) / 2 - share
    assert slope_sign(curve, level, Fraction(1), Fraction(1)) == -1
    with precision(128):
        assert stick(level, at(curve, Fraction(1))).overlaps(
            hockey_stick_enclosure(level, shift, 2 * excess, dimension)
        )


@given(dimensions, fractions(Fraction(1, 1000), 1000, max_denominator=1000))
def test_the_continued_fraction_is_the_quotient_of_bessel_functions(dimension, x):
    with precision(128):
        found, order, z = _ratio_at(dimension, ball(x)), ball(Fraction(dimension, 2)), ball(x)
        assert found.overlaps(z.bessel_i(order) / z.bessel_i(order - 1))
        assert found.rel_accuracy_bits() > 100
        assert isinstance(found, arb)


# --------------------------------------------------------------------------------------------------------------- Renyi


@given(etas, gammas, fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=50), dimensions, shares, shares)
def test_the_polynomial_is_the_derivative_of_the_divergence(eta, gamma, kappa, dimension, place, share):
    release = Release(eta, gamma, dimension, r_rel=1, sigma2=kappa * gamma / eta**2)
    family = Family.of(release)
    n, u, n1, u1 = kappa + (1 - kappa) * place**2, eta * (eta + 2 * place), 2 * (1 - kappa) * place, 2 * eta
    shift, w = eta**2 / gamma / n, u / n
    shift1, w1 = -shift * n1 / n, (u1 - w * n1) / n
    x = share / (2 * w)
    rho = 1 - x * w
    slope = (1 + x) * (shift1 + x * shift * w1 / rho) / (2 * rho) + Fraction(dimension, 2) * w1 * (
        1 / rho - 1 / (1 + w)
    )
    found = family.stationary(1 + x)
    assert evaluate(found, place) == 2 * x * (n * rho) ** 2 * n * (n + u) * slope
    assert all(coefficient == 0 for coefficient in found[6:])


# ------------------------------------------------------------------------------------------------------ many dimensions


def test_the_series_refuses_more_dimensions_than_it_can_sum():
    with pytest.raises(InputError, match=r"dimension=10000000000: the series takes at most 1000000000 dimensions"):
        chi_square_floor_enclosure(Fraction(1), Fraction(1, 10), 10**10)
    with pytest.raises(InputError, match="hockey_stick_enclosure takes any number"):
        hockey_stick_by_series(Fraction(1), Fraction(1), Fraction(1, 10), 10**10)
    dimension, excess = 10**8, Fraction(1, 10**4)
    found = chi_square_floor_enclosure(Fraction(1), excess, dimension)
    assert found.overlaps(hockey_stick_enclosure(Fraction(1), Fraction(0), excess, dimension))
