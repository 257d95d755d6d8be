"""Dots of a hockey-stick curve by floats with a bounded error: above the curve, and close to it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rgm_verify.gaussians.certified.dots import dots_from_zero
from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosures

#: Squared distance, excess of the variance and dimension, from the smallest that occur to large ones.
PAIRS = st.tuples(
    st.fractions(Fraction(1, 10**6), 400, max_denominator=10**6),
    st.one_of(
        st.just(Fraction(0)),
        st.fractions(Fraction(1, 10**6), 8, max_denominator=10**6),
        st.fractions(Fraction(-99, 100), Fraction(-1, 10**6), max_denominator=10**6),
    ),
    st.integers(1, 10**5),
)


@settings(max_examples=150)
@given(
    PAIRS,
    st.fractions(Fraction(1, 10**5), Fraction(1, 5), max_denominator=10**5),
    st.integers(0, 60),
    st.integers(1, 400),
)
def test_every_dot_is_above_the_curve_and_as_close_as_promised(
    pair: tuple[Fraction, Fraction, int], step: Fraction, first: int, count: int
) -> None:
    last = first + count
    found = dots_from_zero(pair, step, first, last)
    assert found.shape == (count + 1,)
    assert np.all((found >= 0) & (found <= 1))
    places = sorted({first, last, *range(first, last, max(1, count // 12))})
    for place, known in zip(places, hockey_stick_enclosures([step * k for k in places], *pair, digits=25), strict=True):
        assert known.lower is not None
        dot = Fraction(float(found[place - first]))
        assert dot >= known.lower
        assert known.upper is not None
        # Dots are asked for with 11 digits. Among the subnormal floats each of three roundings is an absolute one.
        assert dot <= known.upper * (1 + Fraction(1, 10**10)) + 3 * Fraction(5e-324)
