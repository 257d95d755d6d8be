"""Compositions of discrete losses by a Fourier transform, with certified bounds of their hockey-stick curve.

Masses `m_k` at the losses `k h` are tilted: `a_k = m_k exp(t k - lambda)`, rounded to the safe side, with sums near 1.
The masses of `T` releases are then `exp(T lambda - t l)` times the `T`-fold convolution of `a` at `l`, whose error is
relative to the tilted mass, so that small values of delta keep their digits.  With transforms of length `N`,

    |computed - c|_2 <= E,   c the cyclic convolution,

where `E` adds up three errors: a frequency `y` of a loss is known within `e`, so that its power changes by at most
`T (|y| + e)^(T-1) e`, with the computed `|y|`; powers are rounded; and so is the way back.  Masses outside of the
window of length `N` come back inside of it: from above that adds to a sum of nonnegative terms, from below it is
taken off by Chernoff's bound.  The hockey-stick divergence at `epsilon` is a scalar product with weights in [0, 1], so
the error costs at most `E |weights|_2`.  Derived in `derivations/beyond/subsampling/`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rgm_verify.accounting.subsampled.convolution import TiltedMasses, convolved
from rgm_verify.balls.fourier import (
    EXPONENTIALS_ERROR,
    UNDERFLOW,
    UNIT,
    exponential_ends,
    exponentials,
    log_sum_above,
)
from rgm_verify.errors import InternalError
from rgm_verify.gaussians.certified.sampled_cells import LatticeLoss

FloatArray: TypeAlias = NDArray[np.floating[Any]]
IntArray: TypeAlias = NDArray[np.int64]

_TAIL = 20.0  # minus the logarithm of the tilted mass outside of the window
_LEAST_TAIL, _MOST_TAIL = 14.0, 80.0
_SLACK = 1.001  # over the rounding of error bounds themselves, which are a few operations on floats
_EXPONENTS = 60
_FARTHER = 3
_MOST_STAGES = 23  # 2^23 grid points, 64 megabytes to an array of doubles


@dataclass(frozen=True, eq=False)
class Composed:
    """The tilted masses of a composition in a window of losses, with bounds of everything that they leave out.

    Attributes:
        up: whether all is rounded up, for a bound from above.
        step: of the losses.
        first: `values[i]` belongs to the loss `(first + i) step`.
        values: tilted masses, shape (2^k,).
        error: bounds their distance from the exact cyclic convolution in the 2-norm.
        above: bounds the tilted mass above the window.
        below: bounds that below it.
        infinite: the mass at infinity, or minus what is missing, from below.
        tilt: per grid point.
        shift: `shift - tilt l` is the logarithm of what a tilted mass at `l` stands for.
        offset: is added to every loss.
    """

    up: bool
    step: Fraction
    first: int
    values: FloatArray
    error: float
    above: float
    below: float
    infinite: float
    tilt: Fraction
    shift: Fraction
    offset: Fraction

    def delta(self, epsilon: Fraction) -> float:
        """Return a bound of the hockey-stick divergence at a real `epsilon`, from the side of the losses.

        Args:
            epsilon: in nats, exact; it may be negative.

        Returns:
            A float in [0, 1]: an upper bound if `up`, a lower bound else. Every rounding and the error of the transform
            are on that side, so that a value is certified by itself, whatever its neighbours are.
        """
        epsilon -= self.offset
        # The first loss above epsilon; one at epsilon has the weight 0.
        start = epsilon // self.step + 1
        begin = max(start, self.first)
        count = self.first + len(self.values) - begin
        # Beyond the window there is only what Chernoff says: all of it from above, nothing from below.
        if count <= 0:
            return self._beyond_window(start) if self.up else 0.0
        weights, slack = self._weights(epsilon, begin, count)
        values = self.values[begin - self.first :]
        total = float(np.dot(values, weights))
        # Values may be slightly negative by the transform; rounding is relative to their sizes.
        size = float(np.dot(np.abs(values), weights))
        # Any order of summation: `count` roundings of the sizes are what the worst of them can lose.
        rounding = (
            size * (slack + (count + 10) * UNIT) + self.error * float(np.linalg.norm(weights))
        ) * _SLACK + UNDERFLOW
        low, high = exponential_ends(self.shift - self.tilt * begin)
        if self.up:
            # The tilt is >= 0, so that no mass above the window has a weight beyond that of `begin`.
            found = (total + rounding + self.above) * high
            if start < self.first:  # what lies between epsilon and the window has the weights of its own place
                found += self.below * exponential_ends(self.shift - self.tilt * start)[1]
            found = found * (1 + 2.0**-40) + self.infinite + UNDERFLOW
            return min(1.0, found) if found >= 0 else 1.0
        # Masses outside of the window were added to places inside of it, and may all have been counted.
        found = (total - rounding - self.above - self.below) * (1 - 2.0**-40)
        # Written so that NaN gives 0, which is a bound too.
        if not found > 0:
            return 0.0
        found = max(0.0, math.nextafter(found * low + self.infinite, -math.inf) * (1 - 2.0**-50) - UNDERFLOW)
        # A saturation at 1 would hide that this is no lower bound of a probability, and so of nothing.
        if found > 1:
            raise InternalError(f"a lower bound of delta at epsilon {float(epsilon + self.offset)} is {found}")
        return found

    def noise(self, epsilon: Fraction) -> float:
        """Return the error of the transform at `epsilon` as a part of delta there; `inf` where delta is not known."""
        begin = (epsilon - self.offset) // self.step + 1
        count = self.first + len(self.values) - begin
        if begin < self.first or count <= 0:
            return math.inf
        weights, _ = self._weights(epsilon - self.offset, begin, count)
        total = float(np.dot(self.values[begin - self.first :], weights))
        return self.error * float(np.linalg.norm(weights)) / total if total > 0 else math.inf

    def density(self, epsilon: float) -> tuple[FloatArray, FloatArray]:
        """Return losses and the mass at each, divided by one number, in floats; a guide to the law of the sum."""
        places = self.first + np.arange(len(self.values), dtype=np.float64)
        losses = places * float(self.step) + float(self.offset)
        # What lies below the error of the transform is not known, and may be negative: a guide takes the error itself.
        noise = max(self.error / math.sqrt(len(self.values)), 1e-300)
        shift = np.clip(-float(self.tilt / self.step) * (losses - epsilon), -600.0, 600.0)
        return losses, np.maximum(self.values, noise) * np.exp(shift)

    def _beyond_window(self, start: int) -> float:
        """Return an upper bound of the divergence at an epsilon above the window: of the mass from `start` on."""
        found = self.above * exponential_ends(self.shift - self.tilt * start)[1] * (1 + 2.0**-50) + self.infinite
        return min(1.0, found + UNDERFLOW) if found >= 0 else 1.0

    def _weights(self, epsilon: Fraction, begin: int, count: int) -> tuple[FloatArray, float]:
        """Return `exp(-t (l - begin)) (1 - exp(epsilon - l h))` for the losses from `begin`, and its relative error.

        The second factor is moved to the safe side of its own error, which is absolute.
        """
        decay = exponentials(-self.tilt, Fraction(0), count)
        hinge = -_falling(self.step, epsilon - begin * self.step, count)
        hinge += 1.0
        error = (EXPONENTIALS_ERROR + UNIT) * 1.01
        np.maximum(hinge + (error if self.up else -error), 0.0, out=hinge)
        return decay * hinge, 1.01 * (EXPONENTIALS_ERROR + 4 * UNIT)


@lru_cache(maxsize=2)
def _falling(step: Fraction, start: Fraction, count: int) -> FloatArray:
    """Return `exp(start - step k)` as floats; kept, as a search asks for one grid again and again."""
    return exponentials(-step, start, count)


def composed(
    losses: Sequence[tuple[LatticeLoss, int]],
    tilt: Fraction,
    *,
    up: bool,
    extended: bool = False,
    focus: tuple[float, float] | None = None,
) -> Composed:
    """Return the composition of losses with their numbers, on one grid.

    Args:
        losses: on grids of one step, all from above or all from below.
        tilt: masses are multiplied by `exp(tilt l)` at the loss `l step`, >= 0.
        up: the direction of rounding.
        extended: see `Transform`.
        focus: an epsilon and about the logarithm of delta there, which the window has to resolve.

    Raises:
        ArithmeticError: where the window would need more than 2^23 grid points, and for more steps than double
            precision can compose.
    """
    parts = [TiltedMasses.of(loss, count, tilt, up=up) for loss, count in losses]
    shift = sum((part.count * part.shift for part in parts), Fraction(0))
    tail = _TAIL
    if focus is not None:
        share = focus[1] - float(shift) + float(tilt / losses[0][0].step) * focus[0]
        tail = min(max(_LEAST_TAIL - share, _LEAST_TAIL), _MOST_TAIL)
    first, stages = _window(parts, tail)
    around, error = convolved(parts, stages, up=up, extended=extended)
    values = np.roll(around, -(first % len(around)))
    last = first + len(around)
    return Composed(
        up=up,
        step=losses[0][0].step,
        first=first,
        values=values,
        error=error,
        above=_beyond(parts, last, upper=True),
        below=_beyond(parts, first, upper=False),
        infinite=_infinite(losses, up=up),
        tilt=tilt,
        shift=shift,
        offset=sum((count * loss.offset for loss, count in losses), Fraction(0)),
    )


def _window(parts: Sequence[TiltedMasses], tail: float) -> tuple[int, int]:
    """Return the first place of the window and the binary logarithm of its length; a guide.

    Chernoff's bound puts the ends where tilted masses of about `exp(-tail)` lie beyond. What lies there in fact is
    bounded afterwards, for the window that was taken. Raises `ArithmeticError` for more than 2^23 places.
    """
    logs = [np.log(np.maximum(part.values, 1e-300)) for part in parts]
    variance = sum(p.count * float(np.dot(p.values, p.places.astype(float) ** 2)) for p in parts)
    variance -= sum(p.count * float(np.dot(p.values, p.places)) ** 2 for p in parts)
    spread = math.sqrt(max(variance, 1.0))
    rates = np.geomspace(1e-2 / spread, 60.0 / spread + 1e-3, _EXPONENTS)

    def end(sign: float) -> float:
        total = np.zeros(len(rates))
        for part, log in zip(parts, logs, strict=True):
            exponents = log + np.outer(sign * rates, part.places)
            top = exponents.max(axis=1)
            total += part.count * (top + np.log(np.sum(np.exp(exponents - top[:, None]), axis=1)))
        return float(np.min((total + tail) / rates))

    first, last = math.floor(-end(-1.0)) - 1, math.ceil(end(1.0)) + 1
    # Where all of the mass is at one place, the bounds of the two ends may cross.
    stages = max(4, math.ceil(math.log2(max(0, last - first) + 1)))
    if stages > _MOST_STAGES:
        raise ArithmeticError(f"a window of 2^{stages} grid points")
    return first, stages


def _beyond(parts: Sequence[TiltedMasses], place: int, *, upper: bool) -> float:
    """Return an upper bound of the tilted mass at and above `place`, or of that below it, by Chernoff.

    The mass is at most `exp(-r place) prod (sum of a_k exp(r k))^count` at every rate r > 0, here with the logarithm of
    each sum rounded up to a rational; `upper=False` is the same with the places turned around.
    """
    sign = 1 if upper else -1
    best = math.inf
    spread = math.sqrt(max(1.0, sum(p.count * float(np.dot(p.values, p.places.astype(float) ** 2)) for p in parts)))
    for rate in _rates(parts, place, sign, spread):
        exact = Fraction(rate)
        log = sum((p.count * log_sum_above(p.values, p.places, sign * exact) for p in parts), Fraction(0))
        log -= sign * exact * (place if upper else place - 1)
        # Any rate is a bound; the one that floats found best is used.
        best = min(best, exponential_ends(log)[1])
    return best


def _rates(parts: Sequence[TiltedMasses], place: int, sign: int, spread: float) -> list[float]:
    """Return the rate that makes Chernoff's bound least, in floats."""
    rates = np.geomspace(1e-3 / spread, 100.0 / spread + 1e-2, 2 * _EXPONENTS)
    least = int(np.argmin(_chernoff(parts, place, sign, rates)))
    # The last one is the best where nearly all of a release's mass is at one place: the bound falls far beyond it.
    for _ in range(_FARTHER):
        if least < len(rates) - 1:
            break
        rates = np.geomspace(rates[-1], 16 * rates[-1], _EXPONENTS)
        least = int(np.argmin(_chernoff(parts, place, sign, rates)))
    return [float(rates[least])]


def _chernoff(parts: Sequence[TiltedMasses], place: int, sign: int, rates: FloatArray) -> FloatArray:
    """Return the logarithm of Chernoff's bound at each rate, in floats."""
    total = -sign * rates * place
    for part in parts:
        exponents = np.log(np.maximum(part.values, 1e-300)) + np.outer(sign * rates, part.places)
        top = exponents.max(axis=1)
        total = total + part.count * (top + np.log(np.sum(np.exp(exponents - top[:, None]), axis=1)))
    return total


def _infinite(losses: Sequence[tuple[LatticeLoss, int]], *, up: bool) -> float:
    """Return an upper bound of the mass at infinity of all releases; from below, minus what negative masses cost."""
    total = sum(count * loss.infinite for loss, count in losses)
    if not up:  # the other masses add up to at most 1 and what is negative, so together to at most `exp(grown)`
        grown = -total * (1 + 2.0**-30)
        # From 1 on the finite masses never make good for it, and nothing is known: a finite number would be false.
        return -grown * math.exp(grown) if grown < 1 else -math.inf
    # From above rounded masses may add up to more than 1: a release at infinity is multiplied by all the others.
    sums = [max(1.0, math.fsum([*loss.masses.tolist(), loss.infinite]) * (1 + 2.0**-50)) for loss, _ in losses]
    grown = math.exp(sum(count * math.log(size) for size, (_, count) in zip(sums, losses, strict=True)) + 1e-9)
    return total * grown * (1 + 2.0**-40)
