"""Axes of a picture: from values to pixels, with round ticks."""

from __future__ import annotations

import math
from collections.abc import Sequence


class Scale:
    """A linear or logarithmic map from values to pixels with round ticks.

    `start` may be the larger pixel: pixels of SVG count downward, so that an upright axis maps its least value to the
    bottom.

    Args:
        values: Values that have to fit; positive ones for a logarithmic scale.
        start: The pixel of the least value.
        end: The pixel of the largest one, which may be the smaller number.
        log: Whether the scale is logarithmic.

    Examples:
        >>> scale = Scale([1, 1000], 0, 300, log=True)
        >>> scale.at(10)
        100.0
        >>> scale.ticks()
        [(0.0, '1'), (100.0, '10'), (200.0, '100'), (300.0, '1000')]
    """

    def __init__(self, values: Sequence[float], start: float, end: float, *, log: bool) -> None:
        low, high = min(values), max(values)
        self.log = log
        self.note = " (logarithmic)" if self.log else ""
        if self.log:
            low, high = math.log10(low), math.log10(high)
        # A single value would have no scale.
        if high <= low:
            margin = 0.5 if self.log else 0.5 * max(abs(low), 1.0)
            low, high = low - margin, high + margin
        self.low, self.high, self.start, self.end = low, high, start, end

    def at(self, value: float) -> float:
        """The pixel of a value."""
        place = math.log10(value) if self.log else value
        return self.start + (place - self.low) / (self.high - self.low) * (self.end - self.start)

    def shows(self, value: float) -> bool:
        """Return whether a value lies inside the range."""
        # Asked before the logarithm is taken, which has no value there.
        if self.log and value <= 0:
            return False
        return self.low <= (math.log10(value) if self.log else value) <= self.high

    def ticks(self) -> list[tuple[float, str]]:
        """Pixels and labels of round values inside the range.

        Powers of ten where a logarithmic range spans three decades or more, with 2 and 5 times them where it spans
        fewer; on a linear range about five steps of 1, 2 or 5 times a power of ten.
        """
        if self.log and self.high - self.low >= 3:
            step = max(1, round((self.high - self.low) / 5))
            powers = range(math.ceil(self.low), math.floor(self.high) + 1, step)
            return [(self.at(10.0**k), power(k)) for k in powers]
        if self.log:
            powers = range(math.floor(self.low), math.floor(self.high) + 1)
            values = [(m, k) for k in powers for m in (1, 2, 5)]
            return [(self.at(m * 10.0**k), _multiple(m, k)) for m, k in values if self.shows(m * 10.0**k)]
        step_size = _round_step((self.high - self.low) / 5)
        # The quotient of an end that is a tick itself may be off by a rounding, which must not lose the tick.
        first = math.ceil(self.low / step_size - 1e-9)
        last = math.floor(self.high / step_size + 1e-9)
        return [(self.at(k * step_size), f"{k * step_size:.6g}") for k in range(first, last + 1)]


def _round_step(raw: float) -> float:
    """Return the least of 1, 2 and 5 times a power of ten that is at least a number."""
    unit = 10.0 ** math.floor(math.log10(raw))
    return next(unit * m for m in (1, 2, 5, 10) if unit * m >= raw)


def _multiple(factor: int, exponent: int) -> str:
    """Return factor * 10**exponent as a label."""
    if -3 <= exponent <= 4:
        return f"{factor * 10.0**exponent:.6g}"
    return power(exponent) if factor == 1 else f"{factor}·{power(exponent)}"


def power(exponent: int) -> str:
    """10**exponent as a label."""
    if -3 <= exponent <= 4:
        return f"{10.0**exponent:g}"
    digits = str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"10{digits}"
