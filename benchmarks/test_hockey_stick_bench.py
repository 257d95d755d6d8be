"""Certified delta and epsilon of a pair against quadrature of the density; shared nodes against single values."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest

from rgm_verify.gaussians.certified.epsilon import epsilon_enclosure
from rgm_verify.gaussians.certified.hockey_stick import (
    hockey_stick_by_contour,
    hockey_stick_by_series,
    hockey_stick_enclosure,
    hockey_stick_enclosures,
)

F = Fraction
# One dimension, where quadrature with break points is right: shift_squared, excess, epsilon.
CASES = [(F(1), F(1, 2), F(1)), (F(1), F(-1, 2), F(1, 10)), (F(4), F(2), F(3))]
PAIR = (F(1), F(1, 10), 10)


def quadrature(shift, excess, epsilon, digits):
    """Return the integral of (p - e^eps q)_+ in one dimension between its break points."""
    with mpmath.workdps(digits + 5):
        shift, w, x = (mpmath.mpf(n.numerator) / n.denominator for n in (shift, excess, epsilon))
        v, m = 1 + w, mpmath.sqrt(shift)
        a, b, c = w / (2 * v), m / v, -shift / (2 * v) - mpmath.log(v) / 2 - x
        spread = mpmath.sqrt(b * b - 4 * a * c)
        low, high = sorted([(-b - spread) / (2 * a), (-b + spread) / (2 * a)])

        def density(z):
            return mpmath.npdf(z, m, mpmath.sqrt(v)) - mpmath.exp(x) * mpmath.npdf(z)

        if w < 0:
            return mpmath.quad(density, [low, high])
        return mpmath.quad(density, [-mpmath.inf, low - 4, low]) + mpmath.quad(density, [high, high + 4, mpmath.inf])


@pytest.mark.parametrize("case", CASES, ids=["wide", "narrow", "wider"])
def test_delta_at_30_digits_against_quadrature(ratio, case):
    shift, excess, epsilon = case
    found = hockey_stick_enclosure(epsilon, shift, excess, 1, digits=30)
    with mpmath.workdps(35):
        middle = mpmath.mpf(found.midpoint().numerator) / found.midpoint().denominator
        assert abs(quadrature(*case, 30) / middle - 1) < mpmath.mpf(10) ** -25
    ratio(
        "certified delta at 30 digits / mpmath.quad of the density",
        lambda: hockey_stick_enclosure(epsilon, shift, excess, 1, digits=30),
        lambda: quadrature(*case, 30),
        target=0.1,
    )


def test_a_shared_value_against_a_single_one(ratio):
    epsilons = [F(k, 100) for k in range(500)]
    ratio(
        "one of 500 deltas with shared nodes / a delta alone (15 digits)",
        lambda: hockey_stick_enclosures(epsilons, *PAIR),
        lambda: [hockey_stick_by_contour(epsilon, *PAIR) for epsilon in epsilons],
        target=0.6,
        rounds=5,
    )


@pytest.mark.parametrize("excess", [F(1, 10), F(1, 100)], ids=str)
def test_the_contour_against_the_series(ratio, excess):
    ratio(
        f"certified delta by the contour / by the series, w = {excess} (15 digits)",
        lambda: hockey_stick_by_contour(F(1), F(1), excess, 10),
        lambda: hockey_stick_by_series(F(1), F(1), excess, 10),
        target=1.0,
    )


def test_epsilon_against_delta(ratio):
    ratio(
        "certified epsilon at 12 digits / certified delta at 15",
        lambda: epsilon_enclosure(F(1, 10**5), *PAIR),
        lambda: hockey_stick_by_contour(F(5), *PAIR),
        target=15.0,
    )
