"""Cells of outputs of two mixtures of Gaussians of one variance, between losses that are multiples of a step.

The first law is `P = sum_i a_i N(i, sigma^2)`, the second `Q = sum_j b_j N(-j, sigma^2)`, with whole `i, j >= 0`. The
quotient of `P` and `N(0, sigma^2)` grows with the output, that of `Q` falls, so that the loss grows. With
`c_i = exp(-i^2/(2 sigma^2))` it is at most `log x` at the output y where `z = exp(y/sigma^2)` has

    A(z) <= x B(1/z),   A(z) = sum_i a_i c_i z^i,   B(w) = sum_j b_j c_j w^j.

The z of equality is looked for by Newton's method and then enclosed: the sign of `A - x B` differs at both of its ends.
Derived in `derivations/beyond/subsampling/mixtures.py`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from rgm_verify.balls.arithmetic import ball, precision
from rgm_verify.balls.enclose import Enclosure
from rgm_verify.gaussians.certified.probability import until_tight
from rgm_verify.gaussians.certified.sampled_cells import SampledCells, masses_between, needed_bits

FloatArray: TypeAlias = NDArray[np.float64]

__all__ = ["Mixtures", "log_of", "mixture_cells", "mixture_divergence"]

_ROUNDS = 60
_BISECTIONS = 70
_SPARE_BITS = 24
_WIDER = 12
_TRIES = 5


@dataclass(frozen=True)
class Mixtures:
    """Two mixtures of `N(k, noise^2)`: `first[i]` is the weight of the mean i, `second[j]` that of the mean -j.

    Weights are exact, add up to 1, and that of the mean 0 is above 0 in both. The noise is > 0.
    """

    noise: Fraction
    first: tuple[Fraction, ...]
    second: tuple[Fraction, ...]

    @property
    def symmetric(self) -> bool:
        """Tell whether the outputs with their signs exchanged have the two laws in the other order."""
        return self.first == self.second

    @property
    def least(self) -> float | None:
        """About the infimum of the loss; None where there is none."""
        return log_of(self.first[0]) if len(self.second) == 1 else None

    def highest(self, least: float) -> float:
        """Return about the loss that is exceeded with the probability `least` under the first law; a guide."""
        noise = float(self.noise)
        low, high = -40.0 * noise, 40.0 * noise + len(self.first)
        for _ in range(_ROUNDS):
            middle = (low + high) / 2
            tails = (float(w) * math.erfc((middle - k) / noise / math.sqrt(2)) / 2 for k, w in enumerate(self.first))
            low, high = (middle, high) if math.fsum(tails) > least else (low, middle)
        first, second = self.logs(np.array([high]))
        return float(first[0] - second[0])

    def logs(self, outputs: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return about the logarithms of the quotients of both laws by `N(0, noise^2)`, at outputs of shape (n,)."""
        return _logs(self.first, float(self.noise), outputs), _logs(self.second, float(self.noise), -outputs)


def log_of(weight: Fraction) -> float:
    """Return about the logarithm of a number above 0, which may be far below all floats.

    Examples:
        >>> log_of(Fraction(1, 10**1000))
        -2302.58...
    """
    return math.log(weight.numerator) - math.log(weight.denominator)


def _logs(weights: Sequence[Fraction], noise: float, outputs: FloatArray) -> FloatArray:
    shifts = np.array([i for i, weight in enumerate(weights) if weight], dtype=np.float64)
    logs = np.array([log_of(weight) for weight in weights if weight])
    exponents = (2 * np.outer(outputs, shifts) - shifts**2) / (2 * noise**2) + logs
    top = exponents.max(axis=1)
    found: FloatArray = top + np.log(np.exp(exponents - top[:, None]).sum(axis=1))
    return found


def mixture_cells(pair: Mixtures, step: Fraction, edges: Sequence[int]) -> SampledCells:
    """Return the cells of a pair of mixtures between the given multiples of `step`.

    Args:
        pair: the two laws, of which the second is the one without the records.
        step: the unit of the losses, > 0, in nats.
        edges: at least two increasing integers, the losses between cells in units of `step`. The first may lie below
            every loss; no other one may.

    Returns:
        Cells whose masses are balls, at a precision that covers what differences lose.

    Raises:
        ArithmeticError: for an edge, not the first, that is not certainly above the least loss.
    """
    smallest = min(weight for weight in (*pair.first, *pair.second) if weight)
    bits = needed_bits(step, pair.noise, max(smallest, Fraction(1, 2**200)))
    with precision(bits):
        curves = _Quotients.of(pair)
        variance = ball(pair.noise) * ball(pair.noise)
        guesses = _guesses(pair, [float(step * k) for k in edges])
        outputs: list[arb | None] = []
        for k, guess in zip(edges, guesses, strict=True):
            x = (ball(step) * k).exp()
            if k == edges[0] and len(pair.second) == 1 and x <= ball(pair.first[0]):
                outputs.append(None)
            else:
                outputs.append(variance * curves.root(x, guess, bits).log())
        scale = ball(pair.noise) * arb(2).sqrt()
        shifts = {i for i, a in enumerate(pair.first) if a} | {-j for j, b in enumerate(pair.second) if b}
        found = {m: masses_between([None if y is None else (y - m) / scale for y in outputs]) for m in shifts}
        mixed = _mixed([(a, found[i]) for i, a in enumerate(pair.first) if a])
        base = _mixed([(b, found[-j]) for j, b in enumerate(pair.second) if b])
    return SampledCells(step, edges, base[1:-1], mixed[1:-1], (base[0], mixed[0]), (base[-1], mixed[-1]), bits)


def _mixed(parts: Sequence[tuple[Fraction, Sequence[arb]]]) -> list[arb]:
    """Return the masses under a mixture, from those under its parts."""
    weights = [ball(weight) for weight, _ in parts]
    return [
        sum((w * m for w, m in zip(weights, masses, strict=True)), arb(0))
        for masses in zip(*(p for _, p in parts), strict=True)
    ]


def _guesses(pair: Mixtures, losses: Sequence[float]) -> FloatArray:
    """Return about the outputs, over the variance, with these losses; losses that no output has come out somewhere."""
    wanted, variance = np.array(losses), float(pair.noise) ** 2

    def loss(t: FloatArray) -> FloatArray:
        first, second = pair.logs(t * variance)
        return first - second

    low, high = np.full(len(wanted), -1.0), np.full(len(wanted), 1.0)
    for _ in range(_ROUNDS):
        above, below = loss(low) > wanted, loss(high) < wanted
        if not (above.any() or below.any()):
            break
        low, high = np.where(above, 2 * low, low), np.where(below, 2 * high, high)
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        small = loss(middle) < wanted
        low, high = np.where(small, middle, low), np.where(small, high, middle)
    found: FloatArray = (low + high) / 2
    return found


@dataclass(frozen=True, eq=False)
class _Quotients:
    """Coefficients of `A` and `B`, as balls."""

    first: Sequence[arb]
    second: Sequence[arb]

    @classmethod
    def of(cls, pair: Mixtures) -> _Quotients:
        double = 2 * ball(pair.noise) * ball(pair.noise)
        return cls(
            *([ball(w) * (-arb(k * k) / double).exp() for k, w in enumerate(law)] for law in (pair.first, pair.second))
        )

    def at(self, x: arb, z: arb) -> tuple[arb, arb, arb]:
        """Return `A - x B`, its derivative by `log z`, and the size of its parts."""
        first, rise = _horner(self.first, z)
        second, fall = _horner(self.second, 1 / z)
        return first - x * second, rise + x * fall, first + x * second

    def root(self, x: arb, guess: float, bits: int) -> arb:
        """Return a ball with the z at which `A = x B`; `ArithmeticError` where none is certain."""
        z = arb(guess).exp().mid()
        for _ in range(_TRIES):
            value, slope, size = self.at(x, z)
            move = (value / slope).mid()
            z = (z * (-move).exp()).mid()
            if abs(move) < arb(2) ** (-bits // 2):
                break
        # Newton's step is small where the precision ends; the sign on both sides of it is what counts.
        value, slope, size = self.at(x, z)
        room = (size / slope).mid() * arb(2) ** (_SPARE_BITS - bits)
        for _ in range(_TRIES):
            factor = room.exp()
            low, high = z / factor, z * factor
            if self.at(x, low)[0] < 0 and self.at(x, high)[0] > 0:
                return low.union(high)
            room *= 2**_WIDER
        raise ArithmeticError("an edge between cells is not certainly above the least loss")


def _horner(coefficients: Sequence[arb], z: arb) -> tuple[arb, arb]:
    """Return a polynomial and z times its derivative, sums of terms that are not negative."""
    value, rise = arb(0), arb(0)
    for k in range(len(coefficients) - 1, -1, -1):
        value = value * z + coefficients[k]
        rise = rise * z + k * coefficients[k]
    return value, rise


@lru_cache(maxsize=16)
def mixture_divergence(pair: Mixtures, epsilon: Fraction, *, turned: bool, digits: int = 15) -> Enclosure:
    """Return the hockey-stick divergence of the first law from the second, of the second from the first if `turned`.

    `epsilon` is any rational, in nats. The relative width asked for is 10^-digits; where 4096 bits do not reach that,
    the enclosure is wider.
    """
    return until_tight(lambda: _divergence(pair, epsilon, turned), digits)


def _divergence(pair: Mixtures, epsilon: Fraction, turned: bool) -> arb:
    """Return the divergence at the precision in force; NaN where the level is too close to the least loss."""
    level = -epsilon if turned else epsilon
    x, output = ball(level).exp(), None
    if len(pair.second) > 1 or not x <= ball(pair.first[0]):
        (guess,) = _guesses(pair, [float(level)])
        try:
            z = _Quotients.of(pair).root(x, guess, ctx.prec)
        except ArithmeticError:
            return arb.nan()
        output = ball(pair.noise) * ball(pair.noise) * z.log()
    scale = ball(pair.noise) * arb(2).sqrt()
    side = 0 if turned else 1

    def beyond(weights: Sequence[Fraction], sign: int) -> arb:
        places = ((w, None if output is None else (output - sign * k) / scale) for k, w in enumerate(weights) if w)
        return sum((ball(w) * masses_between([place])[side] for w, place in places), arb(0))

    p, q = beyond(pair.first, 1), beyond(pair.second, -1)
    if turned:
        p, q = q, p
    return (p - ball(epsilon).exp() * q).max(arb(0))
