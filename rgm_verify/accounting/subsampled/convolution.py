"""Convolutions of tilted masses by a Fourier transform, with a proved error, mostly at the few frequencies that matter.

A frequency `y_j` of the masses of release `j`, used `T_j` times, has a modulus of at most `m_j`, and `log m <= m - 1`:

    prod |y_j|^T_j <= exp(sum T_j (m_j - 1)).

Where that is below `exp(-60)` the product is taken to be 0. A long sum is smooth, so that of millions of frequencies a
few hundred are left; these are computed again by their definition, in wider floats, as `T` powers make `T` times the
error of a frequency. Where many are left, all of them come from one transform.
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

from rgm_verify.balls.fourier import UNDERFLOW, UNIT, Transform, tilted
from rgm_verify.gaussians.certified.sampled_cells import LatticeLoss

__all__ = ["TiltedMasses", "convolved"]

FloatArray: TypeAlias = NDArray[np.floating[Any]]
IntArray: TypeAlias = NDArray[np.int64]
Parts: TypeAlias = tuple[FloatArray, FloatArray]

_SLACK = 1.001  # over the rounding of error bounds themselves, which are a few operations on floats
_PRODUCT_ERROR = 2 * math.sqrt(2) * (1 + 2.0**-40)  # in units of the rounding
_MOST_ERROR = 0.25  # of a power, relatively: up to it the true power is at most twice the computed one
_LEFT_OUT = 60.0  # minus the logarithm of a product that is taken to be 0
_TERMS_FOR_A_PLACE = 2  # of the window, in sums by definition, which cost about as much as a transform then


@dataclass(frozen=True, eq=False)
class TiltedMasses:
    """Tilted masses of one release, the number of these releases, and the logarithm that was taken off."""

    places: IntArray
    values: FloatArray
    count: int
    shift: Fraction

    @classmethod
    def of(cls, loss: LatticeLoss, count: int, tilt: Fraction, *, up: bool) -> TiltedMasses:
        """Return the tilted masses of one release, scaled to a sum near 1 so that powers neither overflow nor
        vanish.

        Raises `ArithmeticError` for a loss without any finite mass.
        """
        # A place of mass 0 has no logarithm, and adds nothing.
        held = loss.masses > 0
        places, masses = loss.places[held], loss.masses[held]
        if not len(masses) or not np.all(np.isfinite(masses)):
            raise ArithmeticError("a discrete loss without finite masses")
        logs = np.log(masses) + float(tilt) * places
        top = float(np.max(logs))
        # Any rational would do: it is taken off here and given back exactly, so that this sum needs no bound.
        shift = Fraction(top + math.log(float(np.sum(np.exp(logs - top)))))
        return cls(places, tilted(masses, places, tilt, shift, up=up), count, shift)


@dataclass(frozen=True, eq=False)
class _Frequencies:
    """Frequencies of one release, each within `error`, and a bound of the moduli of what is exact and what is not."""

    parts: Parts
    error: float
    moduli: FloatArray

    @classmethod
    def of(cls, parts: Parts, error: float, unit: float) -> _Frequencies:
        """Return the frequencies with the bound of their moduli; `unit` is of the floats that they were computed in."""
        return cls(parts, error, np.sqrt(parts[0] ** 2 + parts[1] ** 2) * (1 + 8 * unit) + error)


def convolved(parts: Sequence[TiltedMasses], stages: int, *, up: bool, extended: bool) -> tuple[FloatArray, float]:
    """Return the cyclic convolution of masses, each as often as its count, and a bound of its error in the 2-norm.

    Args:
        parts: the masses of all releases, at least one of them.
        stages: the length is `2^stages`.
        up: the side to which masses may be rounded that come to the same place: what is returned is the convolution of
            masses that are the given ones there, or a little on that side.
        extended: whether frequencies are computed in wider floats, at several times the cost, also where many matter.

    Returns:
        Values of the shape (2^stages,), and the bound; `inf` where floats do not tell.

    Raises:
        ArithmeticError: for more steps than double precision can compose, and for no releases.
    """
    if not parts:
        raise ArithmeticError("a composition of nothing")
    transform = _transform(stages, False)
    folded = [_folded(part, transform.length, up=up) for part in parts]
    found = [_everywhere(masses, transform) for masses in folded]
    kept = _that_matter(parts, found)
    terms = len(kept) * sum(len(part.places) for part in parts)
    wider = _transform(stages, True)
    if terms <= _TERMS_FOR_A_PLACE * transform.length:
        found, unit = [_by_definition(part, wider, transform.frequencies(kept)) for part in parts], wider.unit
    elif extended:
        transform, unit = wider, wider.unit
        found = [_at(_everywhere(masses, transform), kept) for masses in folded]
    else:
        found, unit = [_at(each, kept) for each in found], transform.unit
    product, lost = _product(found, [part.count for part in parts], unit)
    lost += math.exp(1 - _LEFT_OUT) * math.sqrt(transform.length)
    full = tuple(_spread(each, kept, transform) for each in product)
    size = _norm(*full)
    # Rounded to the transform's own floats, and on the way back.
    error = (lost + (transform.error + transform.unit) * size) / math.sqrt(transform.length)
    values = transform.backward((full[0], full[1])).astype(np.float64)
    # Wider floats are rounded once more.
    error += UNIT * _norm(values)
    return values, error * _SLACK + UNDERFLOW if math.isfinite(error) else math.inf


def _everywhere(masses: FloatArray, transform: Transform) -> _Frequencies:
    """Return all frequencies of masses on the window, in the order of the transform."""
    error = transform.error * float(np.sum(masses)) * _SLACK + UNDERFLOW
    return _Frequencies.of(transform.forward(masses), error, transform.unit)


def _by_definition(part: TiltedMasses, transform: Transform, frequencies: IntArray) -> _Frequencies:
    """Return these frequencies of one release, each by its own sum."""
    # Those of real masses come in conjugate pairs.
    half, where = np.unique(np.minimum(frequencies, transform.length - frequencies), return_inverse=True)
    re, im = transform.at(part.places, part.values, half)
    turned = np.where(2 * frequencies > transform.length, -1.0, 1.0)
    error = transform.error_at(len(part.places)) * float(np.sum(part.values)) * _SLACK + UNDERFLOW
    return _Frequencies.of((re[where], im[where] * turned), error, transform.unit)


def _that_matter(parts: Sequence[TiltedMasses], found: Sequence[_Frequencies]) -> IntArray:
    """Return the positions whose product is not certainly below `exp(1 - _LEFT_OUT)`."""
    log = np.zeros(len(found[0].moduli))
    for part, each in zip(parts, found, strict=True):
        # Masses that meet at a place were moved to one side by so much, and sums by definition take them as they are.
        moved = 2 * UNIT * (len(part.places) + 2) * float(np.sum(part.values))
        # 1 is taken off first: near 1 that rounds nothing, however large the count is.
        log += part.count * ((each.moduli - 1.0) + moved)
    kept: IntArray = np.flatnonzero(~(log <= -_LEFT_OUT)).astype(np.int64)
    return kept


def _at(found: _Frequencies, kept: IntArray) -> _Frequencies:
    """Return the frequencies at these positions alone."""
    return _Frequencies((found.parts[0][kept], found.parts[1][kept]), found.error, found.moduli[kept])


def _spread(values: FloatArray, kept: IntArray, transform: Transform) -> FloatArray:
    """Return the values at their positions of the window, in the floats of the transform, and 0 elsewhere."""
    full: FloatArray = np.zeros(transform.length, transform.kind)
    full[kept] = values
    return full


def _product(found: Sequence[_Frequencies], counts: Sequence[int], unit: float) -> tuple[Parts, float]:
    """Return the product of all powers, and a bound of its error in the 2-norm."""
    steps = sum(counts)
    rounding = steps * _PRODUCT_ERROR * unit
    if rounding > _MOST_ERROR:
        raise ArithmeticError(f"{steps} steps, more than double precision can compose")
    product, moduli = _power(found[0].parts, counts[0]), _real_power(found[0].moduli, counts[0] - 1)
    for each, count in zip(found[1:], counts[1:], strict=True):
        product = _times(product, _power(each.parts, count))
        moduli = moduli * _real_power(each.moduli, count - 1)
    # The errors of one release are multiplied by the frequencies of all others, at most by the largest.
    largest = [float(np.max(each.moduli, initial=0.0)) for each in found]
    spread = sum(
        count * each.error * math.prod(x for j, x in enumerate(largest) if j != i)
        for i, (each, count) in enumerate(zip(found, counts, strict=True))
    )
    weight = _norm(moduli) * math.exp(steps * 4 * unit)
    # The error of a power is relative to what it should be, which is at most twice what it is.
    powers = 2 * math.expm1(rounding) * _norm(*product) + steps * UNDERFLOW * len(moduli)
    return product, spread * weight + powers


def _folded(part: TiltedMasses, length: int, *, up: bool) -> FloatArray:
    """Return the masses by their places modulo the length, rounded to the safe side where several meet."""
    places = np.mod(part.places, length)
    found = np.zeros(length)
    # Not `found[places] += values`, which keeps only one of the values that meet.
    np.add.at(found, places, part.values)
    most = int(np.max(np.bincount(places)))
    if most > 1:
        found *= 1 + (most + 1) * UNIT if up else 1 - (most + 1) * UNIT
    return found


def _times(x: Parts, y: Parts) -> Parts:
    """Return products of complex numbers in real operations, whose roundings are counted."""
    return x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0]


def _power(x: Parts, times: int) -> Parts:
    """Return a power of each frequency by squaring: `times - 1` complex products deep, at most."""
    # Neither `**` nor logarithms: their errors are not stated for complex numbers, those of these products are.
    result = x
    for bit in bin(times)[3:]:
        result = _times(result, result)
        if bit == "1":
            result = _times(result, x)
    return result


def _real_power(x: FloatArray, times: int) -> FloatArray:
    """Return a power of each entry, within `times` roundings; ones for the power 0."""
    if times == 0:
        return np.ones_like(x)
    result = x
    for bit in bin(times)[3:]:
        result = result * result
        if bit == "1":
            result = result * x
    return result


def _norm(*parts: FloatArray) -> float:
    """Return an upper bound of the 2-norm of arrays together; sums of at most 2^24 squares lose a part of 2^-28."""
    return math.sqrt(sum(float(np.dot(part, part)) for part in parts)) * (1 + 2.0**-26) + UNDERFLOW


@lru_cache(maxsize=4)
def _transform(stages: int, extended: bool) -> Transform:
    """Return a transform; kept, as its tables take longer than a use of it."""
    return Transform(stages, extended=extended)
