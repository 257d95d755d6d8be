"""Tails beyond the range of floats are negligible exactly where Chernoff's bound, computed by mpmath, says so."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest

from rgm_verify.gaussians.certified.hockey_stick import SMALLEST_LOG, _is_negligible
from rgm_verify.gaussians.certified.probability import SMALLEST
from rgm_verify.gaussians.certified.trapezoid import Quantity

F = Fraction
Pair = tuple[Fraction, Fraction, int]
PAIRS: list[Pair] = [(F(10**7), F(1, 4), 3), (F(10**7), F(1, 2), 10**6), (F(0), F(1, 2), 10**6), (F(10**6), F(3), 1)]


def chernoff(x: Fraction, pair: Pair, quantity: Quantity) -> mpmath.mpf:
    """The least K(s) - s x over the orders that are tried; under Q the order of the indicator is s + 1."""
    shift, excess, dimension = pair
    w, half = mpmath.mpf(excess.numerator) / excess.denominator, mpmath.mpf(shift.numerator) / shift.denominator / 2
    under_q = quantity in (Quantity.SURVIVAL_Q, Quantity.CDF_Q)
    rising = quantity in (Quantity.HOCKEY_STICK, Quantity.SURVIVAL_P, Quantity.SURVIVAL_Q)
    found = []
    for k in range(-40, 200, 4):
        s = (1 if rising else -1) * mpmath.mpf(2) ** k - under_q
        s = -mpmath.mpf(1) / 2 if quantity is Quantity.COMPLEMENT else s
        if 1 - s * w > 0:
            cumulant = half * s * (s + 1) / (1 - s * w)
            cumulant -= (mpmath.log(1 - s * w) + s * mpmath.log(1 + w)) * dimension / 2
            found.append(cumulant - (s + under_q) * mpmath.mpf(x.numerator) / x.denominator)
    return min(found)


@pytest.mark.parametrize("quantity", Quantity)
@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_a_tail_is_negligible_where_its_bound_is_below_the_smallest_number(quantity: Quantity, pair: Pair) -> None:
    """At points on both sides of every place where the answer changes, found by halving."""
    with mpmath.workdps(60):
        changes = 0
        for end in (F(10**9), F(-(10**9))):
            low, high = F(0), end
            start = chernoff(low, pair, quantity) < SMALLEST_LOG
            if (chernoff(high, pair, quantity) < SMALLEST_LOG) == start:
                continue
            while abs(high - low) > 1:
                middle = F(int(low + high) // 2)
                if (chernoff(middle, pair, quantity) < SMALLEST_LOG) == start:
                    low = middle
                else:
                    high = middle
            changes += 1
            for x, expected in ((low, start), (high, not start), (end, not start), (F(0), start)):
                assert _is_negligible(x, pair, quantity) is expected
        assert changes


def test_the_smallest_number_is_above_its_logarithm() -> None:
    with mpmath.workdps(30):
        assert SMALLEST_LOG < mpmath.log(SMALLEST.numerator) - mpmath.log(SMALLEST.denominator) < SMALLEST_LOG + 1
