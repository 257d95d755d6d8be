"""Epsilon and delta of Gaussian noise in closed form, certified: a guess in floats and two signs by the error function.

A pair at the distance `mu` has `H_epsilon = (erfc(u) - exp(epsilon) erfc(u + mu/sqrt(2)))/2` with
`u = (epsilon/mu - mu/2)/sqrt(2)`, which falls in `epsilon`. Derived in `derivations/beyond/hockey_stick/`.
"""

from __future__ import annotations

import math
from fractions import Fraction

from flint import arb
from scipy.special import log_ndtr

from rgm_verify.balls.arithmetic import ball, precision
from rgm_verify.balls.fourier import float_above, float_below

__all__ = ["gaussian_delta_ends", "gaussian_epsilon_ends"]

_BITS = 128
_MOST_BITS = 4096
_ENOUGH = 2.0**-55
_STEPS = 60
_FIRST = 2.0**-46
_NEWTON = 1e-15
_WIDENINGS = 60
_LARGEST_EXPONENT = 700.0  # nearly the largest with an exponential among the floats
_LARGEST = 1e4  # arguments of the error function beyond which Arb knows nothing


def gaussian_delta_ends(epsilon: Fraction, distance_squared: Fraction) -> tuple[float, float] | None:
    """Return floats below and above the divergence at a real `epsilon`, next to each other or nearly.

    None where the arguments are out of the range of the error function, for `hockey_stick_enclosure`.
    """
    bits = _BITS
    while bits <= _MOST_BITS:
        with precision(bits):
            found = _divergence(ball(epsilon), ball(distance_squared).sqrt())
            if found is None:
                return None
            if found > 0 and found.rad() < found.mid() * _ENOUGH:
                return max(0.0, float_below(found)), min(1.0, float_above(found))
        bits *= 2
    return None


def gaussian_epsilon_ends(delta: Fraction, distance_squared: Fraction) -> tuple[float, float] | None:
    """Return floats around the least `epsilon >= 0` with a divergence of at most `delta`; None as above.

    The divergence is certainly over `delta` at the lower one, or that is 0, and at most `delta` at the upper one.
    """
    # Compared as rationals: what is out of this range may be out of that of floats.
    if not Fraction(1, 10**300) < distance_squared < 10**8 or delta < Fraction(1, 10**250):
        return None
    mu = math.sqrt(distance_squared)
    if _sign(0.0, distance_squared, delta) is False:
        return 0.0, 0.0
    guess = _guess(mu, math.log(delta))
    # The digits that doubles leave of a small epsilon.
    gap = max(_FIRST * guess, 2.0**-50 * mu * mu)
    lower = upper = guess
    for _ in range(_WIDENINGS):
        lower = max(0.0, guess - gap)
        if lower == 0.0 or _sign(lower, distance_squared, delta) is True:
            break
        gap *= 4
    gap = max(_FIRST * guess, 2.0**-50 * mu * mu)
    for _ in range(_WIDENINGS):
        upper = guess + gap
        if _sign(upper, distance_squared, delta) is False:
            return lower, upper
        gap *= 4
    return None


def _sign(epsilon: float, distance_squared: Fraction, delta: Fraction) -> bool | None:
    """Return whether the divergence is certainly over `delta`, or certainly at most it; None if neither is known."""
    bits = _BITS
    while bits <= _MOST_BITS:
        with precision(bits):
            found = _divergence(arb(epsilon), ball(distance_squared).sqrt())
            if found is None:
                return None
            target = ball(delta)
            if found > target:
                return True
            if found <= target:
                return False
        bits *= 4
    return None


def _divergence(epsilon: arb, mu: arb) -> arb | None:
    scale = arb(2).sqrt()
    u = (epsilon / mu - mu / 2) / scale
    v = u + mu / scale
    if not (abs(u) < _LARGEST and abs(v) < _LARGEST):
        return None
    return (u.erfc() - epsilon.exp() * v.erfc()) / 2


def _guess(mu: float, log_delta: float) -> float:
    """Return about the epsilon, by Newton's method on the logarithm of the divergence, in floats."""
    low, high = 0.0, mu * mu / 2 + mu * (math.sqrt(-2 * log_delta) + 1)
    at = high
    for _ in range(_STEPS):
        a = float(log_ndtr(mu / 2 - at / mu))
        b = float(at + log_ndtr(-mu / 2 - at / mu))
        height = a + math.log(-math.expm1(min(b - a, -1e-300))) - log_delta
        if height > 0:
            low = at
        else:
            high = at
        # The slope of the divergence is -exp(b). A step beyond the floats leaves the range like any that is too long.
        step = height * math.exp(min(a - b, _LARGEST_EXPONENT)) * -math.expm1(min(b - a, -1e-300))
        new = at + step
        if not low < new < high:
            new = (low + high) / 2
        if abs(new - at) <= _NEWTON * max(new, mu * mu):
            return new
        at = new
    return at
