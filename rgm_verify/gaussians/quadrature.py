"""Quadrature in mpmath for smooth integrands: Gauss-Legendre rules, and where an integrand is not negligible."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import mpmath
from flint import arb
from mpmath.libmp import from_man_exp

from rgm_verify.balls.arithmetic import precision

__all__ = ["middle", "rule_of", "sides_of", "smoothed", "span_of", "summed"]


def rule_of(nodes: int, flat: bool) -> Sequence[tuple[Any, Any]]:
    """Nodes and weights on [-1, 1]: trapezoidal where the integrand is flat at both ends (it vanishes there, or is
    even around them), else Gauss's with more nodes. Both converge exponentially.
    """
    if not flat:
        return gauss(nodes * 8 // 5, mpmath.mp.prec)
    step = mpmath.mpf(2) / nodes
    return [(-1 + k * step, step if 0 < k < nodes else step / 2) for k in range(nodes + 1)]


def smoothed(x: Any, low: bool, high: bool) -> tuple[Any, Any]:
    """A map of [-1, 1] to [0, 1] whose slope vanishes at the ends that ask for it, and its slope."""
    y = (x + 1) / 2
    if low and high:
        return y * y * (3 - 2 * y), 3 * y * (1 - y)
    if low:
        return y * y, y
    if high:
        return y * (2 - y), 1 - y
    return y, mpmath.mpf(1) / 2


def summed(function: Callable[[Any], Any], low: Any, high: Any, nodes: int) -> Any:
    """Return the integral of a function over an interval by Gauss's rule."""
    half, middle = (high - low) / 2, (high + low) / 2
    return half * mpmath.fsum(w * function(middle + half * x) for x, w in gauss(nodes * 8 // 5, mpmath.mp.prec))


def span_of(
    level: Callable[[float], float], low: Any, high: Any, scale: float, drop: float, hints: Sequence[float] = ()
) -> tuple[Any, float, Any]:
    """The part of an interval (an end may be None) where a function with one peak is within `drop` of it; the peak too.

    The ends given are kept where the function is not small at them.
    """
    bottom, top = (-math.inf if low is None else float(low)), (math.inf if high is None else float(high))
    best = peak_of(level, bottom, top, scale, hints)
    left, right = sides_of(level, best, bottom, top, drop, scale)
    return (low if left is None else mpmath.mpf(left)), best, (high if right is None else mpmath.mpf(right))


def peak_of(level: Callable[[float], float], bottom: float, top: float, scale: float, hints: Sequence[float]) -> float:
    """Find roughly the place where a function with one peak is largest, by a walk with growing and shrinking steps.

    The start tries places at many scales, since a peak may be far out and narrow. The place only steers the nodes: a
    poor one costs accuracy, which the estimate of the error shows.
    """
    start = [bottom + scale if math.isfinite(bottom) else 0.0, top - scale if math.isfinite(top) else 0.0, *hints]
    start += [x + move for x in start for move in (-scale, scale)]
    if math.isfinite(bottom) and math.isfinite(top):
        start += [bottom + (top - bottom) * k / 8 for k in range(1, 8)]
    # An interval may be narrower than the first step.
    start = [x for x in start if bottom <= x <= top] or [(bottom + top) / 2]
    # Norms of the outputs spread over many decades, and a walk of fixed steps would never reach a far peak.
    start += [x * 2.0**k for x in start for k in range(-20, 40) if bottom <= x * 2.0**k <= top]
    best = max(start, key=level)
    step = max(scale, abs(best) / 2)
    # The second end keeps the step well above the distance of floats near `best`, below which moves are noise.
    while step > 1e-3 * scale and step > 1e-13 * abs(best):
        after = max((x for x in (best - step, best, best + step) if bottom <= x <= top), key=level)
        step = 2 * step if after != best and step < 1e6 * scale else step / 2
        # Gains this small are the flat top: doubling the step there would only jump across it and back.
        step = step / 4 if after != best and level(after) - level(best) < 1e-6 else step
        best = after
    return best


def sides_of(
    level: Callable[[float], float], best: float, bottom: float, top: float, drop: float, scale: float = math.pi / 4
) -> tuple[float | None, float | None]:
    """Find where a function with one peak has fallen by `drop`; None if it has not at the end of the interval."""
    goal = level(best) - drop
    found: list[float | None] = []
    for end, sign in ((bottom, -1), (top, 1)):
        if math.isfinite(end) and level(end) > goal:
            found.append(None)
            continue
        near, step = best, scale / 64
        while level(near + sign * step) > goal and (near + sign * step - end) * sign < 0:
            near, step = near + sign * step, 2 * step
        far = near + sign * step
        far = min(far, end) if sign > 0 else max(far, end)
        # Twelve halvings place the end within a share of 1/4096 of the last step. It only bounds where nodes go, and
        # `far` stays on the side that has fallen, so that nothing of the mass is cut off.
        for _ in range(12):
            middle = (near + far) / 2
            near, far = (middle, far) if level(middle) > goal else (near, middle)
        found.append(far)
    return found[0], found[1]


def gauss(nodes: int, bits: int) -> Sequence[tuple[Any, Any]]:
    """Nodes and weights of Gauss and Legendre on [-1, 1], to `bits` bits at least.

    In steps of 64 bits, so that the few precisions of one integral share one table.
    """
    return _gauss_nodes(nodes, 64 * -(-bits // 64))


@lru_cache(maxsize=128)
def _gauss_nodes(nodes: int, bits: int) -> tuple[tuple[Any, Any], ...]:
    """The middles of Arb's enclosures."""
    with precision(bits + 16):
        found = [arb.legendre_p_root(nodes, k, weight=True) for k in range(nodes)]
        return tuple((middle(node), middle(weight)) for node, weight in found)


def middle(ball: arb) -> Any:
    """The middle of a ball as a number of mpmath's, without rounding."""
    mantissa, exponent = ball.mid().man_exp()
    return mpmath.mp.make_mpf(from_man_exp(int(mantissa), int(exponent)))
