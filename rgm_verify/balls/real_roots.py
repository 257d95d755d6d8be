"""The real roots of a polynomial with rational coefficients: all of them, each in a rational interval, certified."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from flint import fmpz_poly

from rgm_verify.balls.arithmetic import precision, rational_ends

__all__ = ["real_roots"]


def real_roots(
    coefficients: Sequence[Fraction], low: Fraction, high: Fraction, *, bits: int = 128
) -> list[tuple[Fraction, Fraction]]:
    """Return disjoint intervals that hold every real root of the polynomial in [low, high], one root in each.

    Args:
        coefficients: exact, the constant first.
        low: the lower end.
        high: the upper end.
        bits: about so many bits of each root are known.

    Returns:
        Pairs of rationals in increasing order, cut to [low, high]. A root of higher multiplicity counts once.

    Raises:
        ValueError: for the zero polynomial.

    Examples:
        >>> [(low, high)] = real_roots([Fraction(-2), Fraction(0), Fraction(1)], Fraction(0), Fraction(3))
        >>> low**2 <= 2 <= high**2
        True
    """
    # Multiplied by their common denominator the coefficients are integers, and the roots are the same.
    scale = lcm(*(c.denominator for c in coefficients)) if coefficients else 1
    polynomial = fmpz_poly([int(c * scale) for c in coefficients])
    if polynomial.degree() < 0:
        raise ValueError("coefficients: all are 0: every number is a root")
    if polynomial.degree() == 0:
        return []
    with precision(bits):
        # Arb returns a root with an exactly real ball if and only if it has proved the root real.
        found: Any = polynomial.complex_roots()
        balls = [rational_ends(root.real) for root, _ in found if root.imag.is_zero()]
    # A root whose ends cannot be written out lies outside of any box that is asked for.
    ends = [(lower, upper) for lower, upper in balls if lower is not None and upper is not None]
    return sorted((max(lower, low), min(upper, high)) for lower, upper in ends if upper >= low and lower <= high)
