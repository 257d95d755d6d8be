"""Balls of a probability as enclosures: relatively as tight as asked for, inside [0, 1], of bounded length."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from flint import arb

from rgm_verify.balls.arithmetic import exact, precision
from rgm_verify.balls.enclose import Enclosure

__all__ = ["MAXIMUM_BITS", "SMALLEST", "as_probability", "missing_bits", "until_tight"]

MAXIMUM_BITS = 4096
_SMALLEST_BITS = 1 << 17
SMALLEST = Fraction(1, 1 << _SMALLEST_BITS)
"""A probability below this is enclosed by [0, SMALLEST]: a longer rational has no use."""


def until_tight(value: Callable[[], arb], digits: int) -> Enclosure:
    """Return the enclosure of a probability at the first precision, doubling, of relative width at most 10^-digits.

    Args:
        value: evaluated at the precision in force, as often as needed. Its ball has to hold the probability.
        digits: the relative width asked for.

    Returns:
        An enclosure inside [0, 1]; at 4096 bits the last one is returned, however wide.
    """
    bits = min(math.ceil(digits * math.log2(10)) + 64, MAXIMUM_BITS)
    while True:
        with precision(bits):
            found = value()
            if missing_bits(found, digits) <= 0 or bits >= MAXIMUM_BITS:
                return as_probability(found)
        bits = min(2 * bits, MAXIMUM_BITS)


def missing_bits(found: arb, digits: int) -> int:
    """Return how many bits of relative accuracy are missing for a relative width of 10^-digits; 0 when none are."""
    wanted = math.ceil(digits * math.log2(10)) + 3
    if not found.is_finite():
        return wanted
    # Arb counts negative bits where a ball holds 0; then all of them are missing.
    return max(0, wanted - max(found.rel_accuracy_bits(), 0))


def as_probability(found: arb) -> Enclosure:
    """Return the enclosure of a number that lies in [0, 1]; [0, SMALLEST] for one below that."""
    smallest = arb(2) ** -_SMALLEST_BITS
    # An exact 0 says more than an interval at 0, and stays.
    if found < smallest and not found.is_zero():
        return Enclosure(Fraction(0), SMALLEST)
    if not found < 2:  # it says nothing, and its ends may be too long to be written down
        return Enclosure(Fraction(0), Fraction(1))
    lower = exact(found.lower()) if found.lower() > smallest else None
    return Enclosure(lower or Fraction(0), min(exact(found.upper()) or Fraction(0), Fraction(1)))
