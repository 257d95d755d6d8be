"""A privacy number as an interval: two floats that certainly hold the truth between them, and how each was got."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from rgm_verify.errors import InputError


def round_down(value: Fraction) -> float:
    """Return the largest float <= `value`; `-inf` below the range of floats."""
    return 0.0 - round_up(-value)


def round_up(value: Fraction) -> float:
    """Return the smallest float >= `value`; `inf` above the range of floats.

    An upper bound, and the tightest that a float can be. Below the range it is the negative float of largest size, as
    `-inf` is no float that a bound could be computed with.
    """
    try:
        nearest = float(value)
    except OverflowError:
        nearest = math.inf if value > 0 else -math.inf
    if nearest == -math.inf:
        return -math.nextafter(math.inf, 0)
    # `float` rounds to nearest, which is below the value about every other time.
    if nearest == math.inf or Fraction(nearest) >= value:
        return nearest
    return math.nextafter(nearest, math.inf)


@dataclass(frozen=True)
class Bounds:
    """`lower <= truth <= upper`, in nats or as a probability: floats rounded outward, with the method behind each.

    `upper = inf` says that nothing is guaranteed. Raises `InputError` for NaN and ends out of order.
    """

    lower: float
    upper: float
    lower_method: str
    upper_method: str

    def __post_init__(self) -> None:
        if not self.lower <= self.upper:
            raise InputError(f"lower={self.lower}, upper={self.upper}: must be numbers in order")

    @property
    def relative_width(self) -> float:
        """`(upper - lower) / lower`; 0 where both ends agree, `inf` where `lower` is 0 and `upper` is not."""
        if self.lower == self.upper:
            return 0.0
        return math.inf if self.lower == 0 else (self.upper - self.lower) / abs(self.lower)
