"""Choice of the line of a privacy-loss integral: floats that steer the line and enter no result.

On the path `s = t - w t^2 / 4` of `trapezoid` the integrand of the pair is `exp F(t)` times a rational kernel, with `F`
convex on `r = 1 - w t / 2 > 0`.  A trapezoid rule on `Re t = centre` with step `2 pi / p` is off by `exp(g(b) - p |b -
centre|)` for every line `Re t = b` that bounds its strip, so the two lines are the tangents of slopes `p` and `-p`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

__all__ = ["Exponent", "Plan", "plan", "plan_above", "saddle"]

_NEWTON_STEPS = 80
# Where `decay` keeps less than three digits of its terms the other form is exact to all of them.
_NEAREST = 1e-3
_GAP = 0.5


@dataclass(frozen=True)
class Exponent:
    """`F(t) = D^2 s (s + 1) / (2 r^2) - (d - 1) log r - s m` in floats, with `v = variance`, `m = (d/2) log v + x`.

    `decay` is the rate `beta` of the bound `exp(-beta y^2)` along a line, > 0.  Where it is a small difference, `x` is
    near the end of the range of the loss, and `F = A v / r^2 + B r^2 - (d - 1) log r + const` loses nothing, with
    `A = D^2 / (2 w^2)`, `B = 4 beta / w^2`; elsewhere the form in `s` loses nothing for small `w`.
    """

    shift_squared: float
    excess: float
    variance: float
    dimension: int
    slope: float
    decay: float

    @property
    def near_end(self) -> bool:
        """Return whether `x` is near the end of the range of the loss."""
        return self.decay < _NEAREST * (self.shift_squared / 8 + abs(self.excess * self.slope) / 4)

    def root(self, t: float) -> float:
        """Return `r = 1 - w t / 2`."""
        return 1 - self.excess * t / 2

    def order(self, t: float) -> float:
        """Return `s = t - w t^2 / 4`."""
        return t * (1 - self.excess * t / 4)

    def value(self, t: float) -> float:
        """Return `F(t)`, by the form that loses nothing at this `x`; needs `r > 0`."""
        r, s = self.root(t), self.order(t)
        logarithm = math.log1p(-self.excess * t / 2)
        if self.near_end:
            a, b = self._coefficients()
            constant = a * (2 + self.excess) + self.slope / self.excess
            return a * self.variance / (r * r) + b * r * r - (self.dimension - 1) * logarithm - constant
        return self.shift_squared / 2 * s * (s + 1) / (r * r) - (self.dimension - 1) * logarithm - s * self.slope

    def _coefficients(self) -> tuple[float, float]:
        square = self.excess * self.excess
        return self.shift_squared / (2 * square), 4 * self.decay / square

    def size(self, t: float) -> float:
        """Return the sum of the absolute terms of `F(t)`: rounding is relative to it."""
        r, s = self.root(t), self.order(t)
        location = self.shift_squared / 2 * abs(s * (s + 1)) / (r * r)
        return location + self.dimension * abs(math.log(r)) + abs(s) * (abs(self.slope) + self.dimension)

    def derivative(self, t: float) -> float:
        """Return `F'(t)`."""
        r, s = self.root(t), self.order(t)
        q = r * r
        if self.near_end:
            a, b = self._coefficients()
            return self.excess * (a * self.variance / (q * r) - b * r + (self.dimension - 1) / (2 * r))
        location = self.shift_squared / 2 * ((2 * s + 1) * q + self.excess * s * (s + 1)) / (q * q)
        return r * (location - self.slope) + (self.dimension - 1) * self.excess / (2 * r)

    def curvature(self, t: float) -> float:
        """Return `F''(t) > 0`."""
        q = self.root(t) ** 2
        location = 3 * self.shift_squared * self.variance / (4 * q * q)
        return location + 2 * self.decay + (self.dimension - 1) * self.excess**2 / (4 * q)

    def tangent(self, slope: float, start: float, floor: float) -> float:
        """Return `t` with `F'(t)` about `slope`, or the point with `r = floor` where the slope is not reached before.

        In `r` the derivative is concave, so Newton's method ends from either side, once it keeps `r` positive.
        """
        t, w = start, self.excess
        for _ in range(_NEWTON_STEPS):
            r, curvature = self.root(t), self.curvature(t)
            following = t - (self.derivative(t) - slope) / curvature
            least = max(r / 4, floor)
            # A step of Newton's may leave the domain of `F`; three quarters of the way to its end stays inside.
            if self.root(following) < least:
                following = 2 * (1 - least) / w
            if abs(following - t) <= 0.02 / math.sqrt(curvature):
                return following
            t = following
        return t


def saddle(exponent: Exponent) -> float:
    """Return about the minimum of `F`; for `d = 1` no nearer to `r = 0` than where `exp F` is flat.

    The start comes from a closed form in `r`; Newton's method improves it. The result places a line and enters no
    bound.
    """
    d, w, decay = exponent.dimension, exponent.excess, exponent.decay
    square = (d - 1) * w * w
    location = 32 * exponent.shift_squared * decay * exponent.variance
    r = math.sqrt((square + math.sqrt(square * square + location)) / (16 * decay))
    flat = abs(w) / (4 * math.sqrt(decay))
    # In one dimension nothing keeps the minimum away from `r = 0`, where the path ends.
    if d == 1 and r < flat:
        return 2 * (1 - flat) / w
    start = 2 * (1 - r) / w if abs(r - 1) > _NEAREST else 0.0
    return exponent.tangent(0.0, start, r * _NEAREST)


@dataclass(frozen=True)
class Plan:
    """A line `Re t = centre` with nodes `step` apart, the two lines that bound its error, and sizes expected.

    `goal` is about the logarithm of the quantity asked for, `nats` the relative accuracy aimed at as `-log`, `size`
    the bits that rounding takes before the relative accuracy of the quantity begins, `deviation` the standard deviation
    of the privacy loss in the law tilted to the saddle.
    """

    centre: float
    step: float
    left: float
    right: float
    goal: float
    nats: float
    size: float
    deviation: float


def plan(
    exponent: Exponent,
    kernel: Callable[[float], float],
    poles: Sequence[float],
    nats: float,
    goal: Callable[[float, float], float],
) -> Plan:
    """Return the widest strip for `nats` of relative accuracy.

    `kernel(t)` is the logarithm of the absolute kernel, `poles` where it is infinite, `goal(t, curvature)` the
    logarithm of the quantity from the saddle and the curvature there.
    """
    middle = saddle(exponent)
    curvature = exponent.curvature(middle)
    aim = goal(middle, curvature)
    floor = exponent.root(middle) * _NEAREST
    rate, right, left = math.sqrt(2 * nats * curvature), middle, middle
    lowest = exponent.value(middle)
    # The slope of the tangents and the width of the strip depend on each other; twice around is enough for a guess.
    for _ in range(2):
        right = exponent.tangent(rate, right, floor)
        left = exponent.tangent(-rate, left, floor)
        rate = (exponent.value(right) + exponent.value(left) - 2 * lowest + 2 * nats) / (right - left)
    allowed = _inside(exponent, floor / 2)
    right, left = (_away(line, poles, _GAP / rate, allowed) for line in (right, left))
    # In nats: what the bound of an outer line has to be below, its Gaussian factor included.
    margin = nats - aim + math.log(math.pi / exponent.decay) / 2 - math.log(2 * math.pi)
    ahead, behind = (max(1.0, exponent.value(t) + kernel(t) + margin) for t in (right, left))
    rate = (ahead + behind) / (right - left)
    centre = _away(right - ahead / rate, poles, 2 * _GAP / rate, lambda t: left < t < right)
    rate = max(ahead / (right - centre), behind / (centre - left))
    excess = max(0.0, exponent.value(centre) + kernel(centre) - aim - math.log(rate))
    size = excess / math.log(2) + math.log2(2 + exponent.size(centre) + exponent.size(right))
    return Plan(centre, 2 * math.pi / rate, left, right, aim, nats, size, math.sqrt(curvature))


def plan_above(
    exponent: Exponent,
    kernel: Callable[[float], float],
    pole: float,
    nats: float,
    goal: Callable[[float, float], float],
) -> Plan:
    """Return a strip to the right of a pole, around the saddle of the whole integrand; other arguments as in `plan`.

    It has more nodes than the widest strip, and their sum cancels hardly any digits, as no residue has to be taken off.
    """
    middle = saddle(exponent)
    curvature = exponent.curvature(middle)
    aim, floor = goal(middle, curvature), exponent.root(middle) * _NEAREST
    distance = (middle - pole) / 2
    centre = pole + distance + math.sqrt(distance * distance + 1 / curvature)
    margin = nats - aim + math.log(math.pi / exponent.decay) / 2 - math.log(2 * math.pi)

    def needed(t: float) -> float:
        return max(1.0, exponent.value(t) + kernel(t) + margin)

    found = []
    for share in (1 / 32, 1 / 8, 1 / 4, 1 / 2):
        left = pole + share * (centre - pole)
        rate = needed(left) / (centre - left)
        right = exponent.tangent(rate, centre, floor)
        if right > centre:
            found.append((max(rate, needed(right) / (right - centre)), left, right))
    rate, left, right = min(found)
    excess = max(0.0, exponent.value(centre) + kernel(centre) - aim - math.log(rate))
    size = excess / math.log(2) + math.log2(2 + exponent.size(centre) + exponent.size(right))
    return Plan(centre, 2 * math.pi / rate, left, right, aim, nats, size, math.sqrt(curvature))


def _inside(exponent: Exponent, floor: float) -> Callable[[float], bool]:
    """Return the test for lines that stay away from `r = 0`."""
    return lambda t: exponent.root(t) >= floor


def _away(line: float, poles: Sequence[float], gap: float, allowed: Callable[[float], bool]) -> float:
    """Return the point nearest to `line` that keeps the gap to every pole, `line` itself where there is none."""
    candidates = [line, *(pole + side * gap for pole in poles for side in (-1.001, 1.001))]
    free = [t for t in candidates if allowed(t) and all(abs(t - pole) >= gap for pole in poles)]
    return min(free, key=lambda t: abs(t - line), default=line)
