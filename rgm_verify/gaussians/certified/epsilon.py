"""The epsilon of one pair of isotropic Gaussians at a given delta: found by Newton's method, certified by two signs.

The divergence is a supremum of `P(S) - e^eps Q(S)` and so nonincreasing in eps. It is enough to show that it is above
`delta` at one point and at most `delta` at another; where these points come from does not matter, and floats may choose
them.
"""

from __future__ import annotations

import math
from fractions import Fraction

from flint import arb

from rgm_verify.balls.arithmetic import ball, precision
from rgm_verify.balls.enclose import Enclosure
from rgm_verify.errors import reject
from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosure
from rgm_verify.gaussians.certified.probability import MAXIMUM_BITS
from rgm_verify.gaussians.certified.trapezoid import Line, Quantity, lay

__all__ = ["epsilon_enclosure"]

Pair = tuple[Fraction, Fraction, int]

_NEWTON_STEPS = 12
_WIDENING = 16
_WIDENINGS = 40
_BISECTIONS = 200


def epsilon_enclosure(
    delta: Fraction, shift_squared: Fraction, excess: Fraction, dimension: int, *, digits: int = 12
) -> Enclosure:
    """Return an enclosure of the smallest `eps >= 0` with `H_eps(P||Q) <= delta`, in nats.

    Args:
        delta: a rational > 0.
        shift_squared: the pair as in `GaussianPair`, unchecked.
        excess: the same.
        dimension: the same.
        digits: the relative width asked for is 10^-digits; not met where the value is too near 0 to be told from it.

    Returns:
        `[0, 0]` where `H_0 <= delta` is certain. Else `H > delta` is certain at the lower end (or the lower end is 0),
        and `H <= delta` at the upper one, which is None where no such point was found.

    Raises:
        InputError: for `delta <= 0`.
    """
    if delta <= 0:
        raise reject("delta", delta, "a probability to be met must be > 0")
    pair = (shift_squared, excess, dimension)
    # A divergence is below 1, and 0 for two equal laws: the level holds at 0.
    if delta >= 1 or (shift_squared == 0 and excess == 0):
        return Enclosure(Fraction(0), Fraction(0))
    guess = _newton(delta, pair, _guess(delta, pair), digits)
    return _certified(delta, pair, guess, digits)


# ------------------------------------------------------------------------------------------------ steering


def _guess(delta: Fraction, pair: Pair) -> Fraction:
    """Return about the solution, by Laplace's method: for each order `s` its privacy loss `K'(s)` and `log H` there."""
    try:
        shift, w, v, dimension = float(pair[0]), float(pair[1]), float(1 + pair[1]), pair[2]
        # By lengths and not by a logarithm of a float: delta may lie far below the range of floats.
        wanted = float(Fraction(delta.numerator.bit_length() - delta.denominator.bit_length())) * math.log(2)
        low, high = -60.0, 80.0
        for _ in range(40):
            middle = (low + high) / 2
            too_likely = _at_order(math.exp(middle), shift, w, v, dimension)[1] > wanted
            low, high = (middle, high) if too_likely else (low, middle)
        # In the logarithm of the order, which may lie anywhere between 1e-26 and 1e34.
        return Fraction(_at_order(math.exp(low), shift, w, v, dimension)[0])
    except (OverflowError, ValueError, ZeroDivisionError):
        return Fraction(0)


def _at_order(u: float, shift: float, w: float, v: float, dimension: int) -> tuple[float, float]:
    """Return `K'(s)` and about `log H` there, for `s = u` (`w <= 0`) or `s = u / (1 + w u) < 1 / w`."""
    q = 1 / (1 + w * u) if w > 0 else 1 - w * u
    s = u * q if w > 0 else u
    product, logarithm = s * (s + 1), math.log1p(w) if v > 0.5 else math.log(v)
    slope = shift / 2 * ((2 * s + 1) * q + w * product) / (q * q) + dimension / 2 * (w / q - logarithm)
    variance = shift * v / q**3 + dimension * w * w / (2 * q * q)
    # K(s) - s K'(s), in which nothing cancels for large s.
    height = -shift / 2 * v * (s / q) ** 2 - dimension / 2 * (math.log(q) + w * s / q)
    return slope, height - math.log(product) - math.log(2 * math.pi * variance) / 2


def _newton(delta: Fraction, pair: Pair, start: Fraction, digits: int) -> Fraction:
    """Return about the solution: Newton's method for `log H`, whose derivative is `-e^eps Q[L > eps] / H`."""
    x, accuracy = start, 6
    for _ in range(_NEWTON_STEPS):
        step = _step(x, delta, pair, accuracy)
        if step is None:
            break
        following = max(_rounded(x + step, digits), Fraction(0))
        if abs(step) * 10 ** (digits + 1) <= x or following == x:
            return following
        # Newton's method doubles the digits, so that early steps need few of them.
        x, accuracy = following, min(2 * accuracy, digits + 4)
    return x


def _step(x: Fraction, delta: Fraction, pair: Pair, digits: int) -> Fraction | None:
    """Return about the step of Newton's method for `log H` at `x`, None where floats or precision do not reach.

    Only midpoints of balls are used: the step is a guess.
    """
    nats = digits * math.log(10)
    plans = [lay(*pair, x, quantity, nats) for quantity in (Quantity.HOCKEY_STICK, Quantity.SURVIVAL_Q)]
    if plans[0] is None or plans[1] is None:
        return None
    bits = math.ceil(nats / math.log(2) + max(plans[0].size, plans[1].size)) + 10
    if bits > MAXIMUM_BITS:
        return None
    with precision(bits):
        value = Line(*pair, x, plans[0], Quantity.HOCKEY_STICK).at(x).mid()
        slope = Line(*pair, x, plans[1], Quantity.SURVIVAL_Q).at(x).mid() * ball(x).exp()
        step = (value / ball(delta)).log() * value / slope if value > 0 and slope > 0 else arb.nan()
        size = float(step.mid()) if step.is_finite() else math.nan
    return Fraction(size) if math.isfinite(size) else None


def _rounded(x: Fraction, digits: int) -> Fraction:
    """Return `x` to `digits` digits and some more, so that denominators do not grow from step to step."""
    if not x:
        return x
    scale = math.ceil(digits * math.log2(10)) + 16 - x.numerator.bit_length() + x.denominator.bit_length()
    return Fraction(round(x * 2**scale), 2**scale) if scale > 0 else Fraction(round(x))


# ---------------------------------------------------------------------------------------------- certified


def _certified(delta: Fraction, pair: Pair, guess: Fraction, digits: int) -> Enclosure:
    """Return an interval around the solution whose ends have certain signs, narrow if the guess is good."""
    low = _lower_end(delta, pair, guess, digits)
    if low is None:
        return Enclosure(Fraction(0), Fraction(0))
    high = _upper_end(delta, pair, max(guess, low), digits)
    if high is None:
        return Enclosure(low, None)
    # Mostly not entered: a good guess has ends that are near enough already.
    for _ in range(_BISECTIONS):
        if (high - low) * 10**digits <= low:
            break
        middle = _rounded((low + high) / 2, digits + 2)
        sign = _sign(middle, delta, pair, digits) if low < middle < high else 0
        if sign == 0:
            break
        low, high = (middle, high) if sign > 0 else (low, middle)
    return Enclosure(low, high)


def _lower_end(delta: Fraction, pair: Pair, guess: Fraction, digits: int) -> Fraction | None:
    """Return a point below the solution, at worst 0; None where `H_0 <= delta` is certain."""
    # A third of the width asked for on either side leaves room for the error of the guess.
    margin = Fraction(1, 3 * 10**digits)
    # First the narrow ends: a good guess needs one sign for each.
    if guess > 0 and _sign(guess * (1 - margin), delta, pair, digits) > 0:
        return guess * (1 - margin)
    if _sign(Fraction(0), delta, pair, digits) < 0:
        return None
    while guess > 0 and (margin := margin * _WIDENING) < 1:
        if _sign(guess * (1 - margin), delta, pair, digits) > 0:
            return guess * (1 - margin)
    return Fraction(0)


def _upper_end(delta: Fraction, pair: Pair, guess: Fraction, digits: int) -> Fraction | None:
    """Return a point above the solution, None where none is certain."""
    start = guess or Fraction(1, 10**digits)
    margin = Fraction(1, 3 * 10**digits)
    for _ in range(_WIDENINGS):
        if _sign(start * (1 + margin), delta, pair, digits) < 0:
            return start * (1 + margin)
        margin *= _WIDENING
    return None


def _sign(x: Fraction, delta: Fraction, pair: Pair, digits: int) -> int:
    """Return the certain sign of `H_x - delta`, 0 where `digits` and a few digits more do not tell."""
    # A point whose value is that close to delta is better moved than decided.
    for accuracy in (digits + 2, 2 * digits + 10):
        found = hockey_stick_enclosure(x, *pair, digits=accuracy)
        if found.lower is not None and found.lower > delta:
            return 1
        if found.upper is not None and found.upper <= delta:
            return -1
    return 0
