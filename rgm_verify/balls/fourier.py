"""A discrete Fourier transform in double precision with a proved error, and what a tilted convolution needs beside it.

The transform is radix 2, written out in real additions, subtractions and products of arrays, each of which IEEE
arithmetic rounds once.  With `u = 2^-53` a stage takes `(a, b)` to `(a + b, w (a - b))`.  A computed twiddle `w` is a
product of two table entries, each rounded from an enclosure, so its error is at most `2u + sqrt(2) gamma_2 + O(u^2) <
5u`, where `sqrt(2) gamma_2 < 2.83 u` is that of a complex product (Higham 2002, Lemma 3.5).  With the rounding of the
sum each of the two results is within `9u` of what it would be, relatively to `|a| + |b|`.  By induction over `t` stages

    |computed_k - exact_k| <= ((1 + 9u)^t - 1) sum |x|     for every frequency k of a vector x.

Exact stages are `sqrt(2)` times a unitary map, and a stage's error is at most `9u` of the norm, so that for both
directions also |computed - exact|_2 <= ((1 + 9u)^t - 1) |exact|_2 (cf. Higham 2002, Theorem 24.2).  The inverse runs
the stages backwards.  Where products underflow each loses at most 2^-1074; `UNDERFLOW` bounds what that makes of it.

A few frequencies of a vector with few entries are cheaper and sharper by their definition: each term has the error of
a twiddle and one rounding, and the sum by halves of `n` terms adds `log2 n` roundings, so that it is within

    (7 + log2 n) u sum |x|     of what it would be.

Derived in `derivations/beyond/subsampling/transform.py`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray

from rgm_verify.balls.arithmetic import ball, precision, rational_ends

__all__ = [
    "EXTENDED_UNIT",
    "UNDERFLOW",
    "UNIT",
    "Transform",
    "exponential_ends",
    "exponentials",
    "float_above",
    "float_below",
    "log_sum_above",
    "tilted",
]

FloatArray: TypeAlias = NDArray[np.floating[Any]]
IntArray: TypeAlias = NDArray[np.int64]
Parts: TypeAlias = tuple[FloatArray, FloatArray]

UNIT = 2.0**-53
UNDERFLOW = 2.0**-900
EXTENDED_UNIT = 2.0**-64 if np.finfo(np.longdouble).nmant == 63 else UNIT
EXPONENTIALS_ERROR = 6 * UNIT
"""Relative error of `exponentials`, where nothing underflows."""
_STAGE_ERROR = 9  # in units of the rounding
_TERM_ERROR = 7  # the same: five of a twiddle, one of its product with an entry, and what is of second order
_BITS = 128
_TERMS = 1 << 19  # of sums by definition that are held at once
_ROWS = 7  # the last stages run along rows, so that numpy's inner loops stay long


def float_above(value: arb) -> float:
    """Return a float that is certainly at least `value`, its upper end rounded up; `inf` where there is none.

    Args:
        value: any ball, NaN included.
    """
    found = float(value.upper())
    if math.isnan(found):
        return math.inf
    # The conversion rounds to nearest, so that one step is usual; the test is made in balls and decides.
    while not arb(found) >= value and found < math.inf:
        found = math.nextafter(found, math.inf)
    return found


def float_below(value: arb) -> float:
    """Return a float that is certainly at most `value`, its lower end rounded down; `-inf` where there is none."""
    return 0.0 - float_above(-value)


class Transform:
    """The discrete Fourier transform of length `2^stages`, frequencies in an order of its own, with an error bound.

    A vector is a pair of float arrays, its real and its imaginary part. `forward` takes it to frequencies, `backward`
    takes them back, divided by the length. Pointwise work on frequencies needs no order.

    Args:
        stages: the logarithm of the length, >= 0.
        extended: works in the 64 bits of x86's extended precision where numpy has them, at several times the cost.
    """

    def __init__(self, stages: int, *, extended: bool = False) -> None:
        self.stages = stages
        self.length = 1 << stages
        self.unit = EXTENDED_UNIT if extended else UNIT
        self.kind = np.longdouble if self.unit < UNIT else np.float64
        self._rows = min(_ROWS, stages // 2)
        self._cosines, self._sines = _roots(stages, self.kind)

    @property
    def error(self) -> float:
        """Upper bound of a frequency's error relatively to the sum of moduli, and of a direction's in the 2-norm.

        By `beyond:transform-power` this many stages lose no more than so many times one stage, with a thousandth on
        top.
        """
        return 1.001 * _STAGE_ERROR * self.unit * self.stages + UNDERFLOW

    def forward(self, real: FloatArray) -> Parts:
        """Return the transform of a real vector of shape (length,).

        The result is in the transform's own order of frequencies. Each frequency is within `error` times the sum of the
        entries' moduli of the exact one.
        """
        re: FloatArray = real.astype(self.kind)
        im: FloatArray = np.zeros(self.length, self.kind)
        half = self.length // 2
        low = 1 << self._rows
        # Wide blocks first, then a transposition, so that numpy's inner loops stay long in the narrow ones too.
        while half >= low:
            shape = (-1, 2, half)
            self._split(re.reshape(shape), im.reshape(shape), half)
            half //= 2
        re, im = _transposed(re, low), _transposed(im, low)
        while half >= 1:
            shape4 = (-1, 2, half, self.length // low)
            self._split(re.reshape(shape4), im.reshape(shape4), half)
            half //= 2
        return re.reshape(-1), im.reshape(-1)

    def backward(self, parts: Parts) -> FloatArray:
        """Return the real part of the inverse transform, of shape (length,).

        The argument is copied. In the 2-norm the result is within `error` times the norm of the exact one.
        """
        re, im = parts[0].copy(), parts[1].copy()
        half, low = 1, 1 << self._rows
        while half < low:
            shape4 = (-1, 2, half, self.length // low)
            self._join(re.reshape(shape4), im.reshape(shape4), half)
            half *= 2
        re, im = (_transposed(part, self.length // low) for part in (re, im))
        while half < self.length:
            shape = (-1, 2, half)
            self._join(re.reshape(shape), im.reshape(shape), half)
            half *= 2
        # The length is a power of 2, so that the division rounds nothing.
        found: FloatArray = re / self.length
        return found

    def frequencies(self, positions: IntArray) -> IntArray:
        """Return the frequencies `k`, `0 <= k < length`, that `forward` leaves at these positions.

        Args:
            positions: integers from 0 to `length - 1`, shape (n,).
        """
        columns = self.stages - self._rows
        # Stages in place would leave frequency k at the place with its bits turned around; the transposition moved the
        # lowest bits of that place to the top.
        places = ((positions & ((1 << columns) - 1)) << self._rows) | (positions >> columns)
        found: IntArray = np.zeros_like(positions)
        for _ in range(self.stages):
            found = (found << 1) | (places & 1)
            places = places >> 1
        return found

    def error_at(self, terms: int) -> float:
        """Upper bound of the error of `at` relatively to the sum of moduli, for a vector of so many entries."""
        return 1.001 * (_TERM_ERROR + _halvings(terms)) * self.unit + UNDERFLOW

    def at(self, places: IntArray, values: FloatArray, frequencies: IntArray) -> Parts:
        """Return some frequencies of a real vector with few entries, each by its definition.

        Args:
            places: of the entries, any integers: they count modulo the length.
            values: the entries, of the same shape (n,).
            frequencies: integers `k`, `0 <= k < length`, shape (m,).

        Returns:
            `sum values exp(-2 pi i k places / length)`, real and imaginary parts of the shape (m,), each frequency
            within `error_at(n)` times the sum of the entries' moduli.
        """
        re: FloatArray = np.empty(len(frequencies), self.kind)
        im: FloatArray = np.empty(len(frequencies), self.kind)
        wide = 1 << _halvings(len(places))
        # Entries of 0 change no sum, and let every step halve it.
        entries = np.concatenate([values.astype(self.kind), np.zeros(wide - len(values), self.kind)])
        remainders = np.concatenate([np.mod(places, self.length), np.zeros(wide - len(places), np.int64)])
        rows = max(1, _TERMS // wide)
        for start in range(0, len(frequencies), rows):
            turns = np.outer(frequencies[start : start + rows], remainders) & (self.length - 1)
            cosines, sines = self._circle_at(turns)
            re[start : start + rows] = _summed(cosines * entries)
            im[start : start + rows] = -_summed(sines * entries)
        return re, im

    def _circle_at(self, turns: IntArray) -> Parts:
        """Return cosines and sines of `2 pi turns / length`, with the error of a twiddle."""
        (lc, ls), (hc, hs) = _tables(self.stages, self.kind)
        bits = (self.stages + 1) // 2
        low, high = turns & ((1 << bits) - 1), turns >> bits
        a, b, c, d = hc[high], hs[high], lc[low], ls[low]
        return a * c - b * d, b * c + a * d

    def _twiddles(self, half: int, dimensions: int) -> Parts:
        """Return cosines and sines for the blocks of a stage, shaped to be multiplied with them."""
        stride = self.length // (2 * half)
        shape = (half,) if dimensions == 3 else (half, 1)
        return self._cosines[::stride].reshape(shape), self._sines[::stride].reshape(shape)

    def _split(self, re: FloatArray, im: FloatArray, half: int) -> None:
        """Do one stage in place: `(a, b) -> (a + b, w (a - b))`, `w = cos - i sin`."""
        c, s = self._twiddles(half, re.ndim)
        dr, di = re[:, 0] - re[:, 1], im[:, 0] - im[:, 1]
        # The differences are taken before the sums overwrite one of their terms.
        re[:, 0] += re[:, 1]
        im[:, 0] += im[:, 1]
        re[:, 1] = dr * c + di * s
        im[:, 1] = di * c - dr * s

    def _join(self, re: FloatArray, im: FloatArray, half: int) -> None:
        """Do one stage backwards in place: `(a, b) -> (a + conj(w) b, a - conj(w) b)`.

        Each stage here undoes one of `_split` up to a factor of 2, and so the whole is divided by the length at the
        end.
        """
        c, s = self._twiddles(half, re.ndim)
        br = re[:, 1] * c - im[:, 1] * s
        bi = im[:, 1] * c + re[:, 1] * s
        np.subtract(re[:, 0], br, out=re[:, 1])
        np.subtract(im[:, 0], bi, out=im[:, 1])
        re[:, 0] += br
        im[:, 0] += bi


def _transposed(x: FloatArray, columns: int) -> FloatArray:
    """Return a matrix of so many columns, turned, as one vector."""
    found: FloatArray = np.ascontiguousarray(x.reshape(-1, columns).T).reshape(-1)
    return found


@lru_cache(maxsize=4)
def _roots(stages: int, kind: type[np.floating[Any]]) -> Parts:
    """Return cosines and sines of `2 pi k / 2^stages` for `k < 2^(stages-1)`, each a product of two table entries."""
    # Two short tables of exact entries, multiplied: a long table would take longer than the transform.
    count = 1 << max(stages - 1, 0)
    fine = 1 << ((stages + 1) // 2)
    low = _circle(range(min(fine, count)), 1 << stages, kind)
    high = _circle(range(0, count, fine), 1 << stages, kind)
    (lc, ls), (hc, hs) = low, (part[:, None] for part in high)
    cosines, sines = hc * lc - hs * ls, hs * lc + hc * ls
    return cosines.reshape(-1)[:count].copy(), sines.reshape(-1)[:count].copy()


@lru_cache(maxsize=4)
def _tables(stages: int, kind: type[np.floating[Any]]) -> tuple[Parts, Parts]:
    """Return cosines and sines of `2 pi k / 2^stages`, for the low half of the bits of `k` and for the high one."""
    fine = 1 << ((stages + 1) // 2)
    return (
        _circle(range(fine), 1 << stages, kind),
        _circle(range(0, 1 << stages, fine), 1 << stages, kind),
    )


def _halvings(terms: int) -> int:
    """Return how often so many terms are halved until one is left, rounded up."""
    return max(terms - 1, 0).bit_length()


def _summed(terms: FloatArray) -> FloatArray:
    """Return the sums along the last axis, of a length 2^n, in n additions."""
    while terms.shape[-1] > 1:
        half = terms.shape[-1] // 2
        terms = terms[..., :half] + terms[..., half:]
    found: FloatArray = terms[..., 0]
    return found


def _circle(numerators: Sequence[int], denominator: int, kind: type[np.floating[Any]]) -> Parts:
    """Return cosines and sines at `2 pi k / denominator`, each the float next to an enclosure of 128 bits."""
    with precision(_BITS):
        found = [arb.sin_cos_pi_fmpq(fmpq(2 * k, denominator)) for k in numerators]
        return _rounded([c for _, c in found], kind), _rounded([s for s, _ in found], kind)


def _rounded(values: Sequence[arb], kind: type[np.floating[Any]]) -> FloatArray:
    """Return the middles rounded: a float, and what is left of it, which only the wider kind has room for."""
    high = [float(value.mid()) for value in values]
    low = [float((value - arb(part)).mid()) for value, part in zip(values, high, strict=True)]
    found: FloatArray = np.array(high, kind) + np.array(low, kind)
    return found


# ---------------------------------------------------------------------------------------------- exponentials


def exponentials(rate: Fraction, start: Fraction, count: int) -> FloatArray:
    """Return `exp(start + rate k)` for `k = 0 .. count - 1`, within `EXPONENTIALS_ERROR` relatively.

    Products of two table entries that are rounded from enclosures. Below 2^-1000 the error is absolute, at most
    2^-1000.

    Args:
        rate: the step of the exponent, <= 0.
        start: the first exponent, <= 0.
        count: how many, >= 1.
    """
    # Two tables of about the root of the length: few exponentials in balls, and one product for each entry.
    fine = 1 << max(1, math.ceil(math.log2(max(count, 2)) / 2))
    with precision(_BITS):
        r, first = ball(rate), ball(start)
        low = np.array([float((r * k).exp().mid()) for k in range(fine)])
        high = np.array([float((first + r * k).exp().mid()) for k in range(0, count, fine)])
    found: FloatArray = (high[:, None] * low).reshape(-1)[:count]
    return found


def exponential_ends(exponent: Fraction) -> tuple[float, float]:
    """Return floats below and above `exp(exponent)`."""
    with precision(_BITS):
        value = ball(exponent).exp()
        return max(0.0, float_below(value)), float_above(value)


def tilted(masses: FloatArray, places: IntArray, rate: Fraction, shift: Fraction, *, up: bool) -> FloatArray:
    """Return `masses exp(rate places - shift)`, each rounded up or each rounded down.

    Args:
        masses: floats >= 0, shape (n,).
        places: integers, shape (n,).
        shift: what is divided out, so that large tilts do not overflow.
        up: the direction of rounding, the same for all: upper bounds of masses, or lower ones.
    """
    rounded = float_above if up else float_below
    with precision(_BITS):
        r, s = ball(rate), ball(shift)
        found = [rounded(arb(m) * (r * k - s).exp()) for m, k in zip(masses.tolist(), places.tolist(), strict=True)]
    # Rounding down may go below 0, and no mass lies there.
    positive: FloatArray = np.maximum(np.array(found), 0.0)
    return positive


def log_sum_above(masses: FloatArray, places: IntArray, rate: Fraction) -> Fraction:
    """Return a rational at least `log sum masses exp(rate places)`.

    Args:
        masses: floats >= 0, shape (n,), not all 0.
        places: integers, shape (n,).

    Raises:
        ArithmeticError: where the sum has no finite upper end, as for masses that are all 0.
    """
    with precision(_BITS):
        r, total = ball(rate), arb(0)
        for m, k in zip(masses.tolist(), places.tolist(), strict=True):
            total += arb(m) * (r * k).exp()
        upper = rational_ends(total.log())[1]
    if upper is None:
        raise ArithmeticError("a sum of exponentials without an upper end")
    return upper
