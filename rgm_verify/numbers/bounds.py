"""A privacy number as an interval: two floats that certainly hold the truth between them, and how each was got.

Certified work is done with exact rationals. A caller wants floats, and the step from one to the other is where a
guarantee is lost unless it is rounded to the safe side: `round_up` for what must not be understated, `round_down` for
what must not be overstated. Both are exact to the last bit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape

from rgm_verify.errors import InternalError
from rgm_verify.numbers.shown import Framed


def round_down(value: Fraction) -> float:
    """Return the largest float <= `value`; `-inf` below the range of floats.

    A lower bound, and the tightest that a float can be. Above the range it is the largest float.

    Args:
        value: any rational.

    Examples:
        >>> from fractions import Fraction
        >>> round_down(Fraction(1, 3)) < Fraction(1, 3) < round_up(Fraction(1, 3))
        True
        >>> round_down(Fraction(1, 4)) == round_up(Fraction(1, 4)) == 0.25
        True
    """
    # By symmetry. The subtraction from 0.0 turns -0.0 into 0.0, which would otherwise show as "-0.0".
    return 0.0 - round_up(-value)


def round_up(value: Fraction) -> float:
    """Return the smallest float >= `value`; `inf` above the range of floats.

    An upper bound, and the tightest that a float can be. Below the range it is the negative float of largest size, as
    `-inf` is no float that a bound could be computed with.

    Args:
        value: any rational; the comparison with the float is made between rationals, so that nothing is rounded twice.
    """
    try:
        nearest = float(value)
    except OverflowError:
        nearest = math.inf if value > 0 else -math.inf
    # Below the range every float is above the value; the least of them is the tightest bound.
    if nearest == -math.inf:
        return -math.nextafter(math.inf, 0)
    # `float` rounds to nearest, which is below the value about every other time.
    if nearest == math.inf or Fraction(nearest) >= value:
        return nearest
    return math.nextafter(nearest, math.inf)


@dataclass(frozen=True)
class Bounds(Framed):
    """`lower <= truth <= upper`, in nats or as a probability: floats rounded outward, with the method behind each.

    Attributes:
        lower: a lower bound, rounded down.
        upper: an upper bound, rounded up; `inf` says that nothing is guaranteed.
        lower_method: the name of the method behind the lower end, for reading.
        upper_method: the same for the upper end. The two may differ: each end is the best of several methods.
        assuming: the neighbours and the samplers that the number is for, for reading; empty where there are none.

    Raises:
        InternalError: for NaN and for ends out of order: one of the two methods is wrong, and nobody knows which.

    Examples:
        >>> Bounds(0.5, 0.75, "an attack", "a curve").relative_width
        0.5
    """

    lower: float
    upper: float
    lower_method: str
    upper_method: str
    # Of the question, not of the answer: equal numbers are equal.
    assuming: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        # Written with `not`, so that NaN fails as well.
        if not self.lower <= self.upper:
            ends = f"below {self.lower} ({self.lower_method}), above {self.upper} ({self.upper_method})"
            raise InternalError(f"certified ends that are no numbers in order: {ends}")

    def __str__(self) -> str:
        return f"[{self.lower!r}, {self.upper!r}]"

    def _repr_html_(self) -> str:
        words = [f"above: {self.upper_method}", f"below: {self.lower_method}", *([self.assuming] * bool(self.assuming))]
        return f"<code>{self}</code><br>" + "<br>".join(map(escape, words))

    @property
    def relative_width(self) -> float:
        """`(upper - lower) / lower`; 0 where both ends agree, `inf` where `lower` is 0 and `upper` is not."""
        if self.lower == self.upper:
            return 0.0
        return math.inf if self.lower == 0 else (self.upper - self.lower) / abs(self.lower)
