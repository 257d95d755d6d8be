"""Ranges of privacy losses: Chernoff bounds that choose grids and windows. Guides only, no bound rests on them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

import numpy as np

from rgm_verify.accounting.composition.envelope import FloatArray
from rgm_verify.accounting.exact.admissible_pairs import Cell
from rgm_verify.gaussians.pair import GaussianPair

_EXPONENTS = 320
_WAYS = ((20, 3), (_EXPONENTS, 1))  # exponents of a round and rounds; the last one of three is the finer one
_STEP_BITS = 16  # a step of few bits makes every grid point a float
_CHUNK = 1024
_NO_BOUND = 1e200  # stands for infinity, so that differences stay numbers


def variance(pair: GaussianPair) -> float:
    """Return the variance of the privacy loss under `P`."""
    shift, excess = float(pair.shift_squared), float(pair.excess)
    return shift * (1 + excess) + pair.dimension * excess**2 / 2


def largest_variance(cells: Sequence[Cell]) -> float:
    """Return the largest variance of the loss over the pairs of the cells."""
    return max(variance(pair) for cell in cells for pair in cell)


def grid_step(deviation: float, resolution: float) -> Fraction:
    """Return about `deviation / resolution`, as a number of few bits."""
    return few_bits(deviation / resolution)


def few_bits(value: float) -> Fraction:
    """Return a number of few bits near a positive float: its multiples are floats, so that grid points are exact."""
    mantissa, exponent = math.frexp(value)
    bits, shift = round(mantissa * 2**_STEP_BITS), exponent - _STEP_BITS
    return Fraction(bits * 2**shift) if shift >= 0 else Fraction(bits, 2**-shift)


def _cumulants(s: FloatArray, pairs: Sequence[GaussianPair]) -> FloatArray:
    """Return `log E_P e^(s L)` of each pair at its exponents, a huge number where it is infinite.

    Shape (len(pairs), n) for `s` of this shape, or of shape (n,) for all pairs.
    """
    shift, w, d = np.array([(float(p.shift_squared), float(p.excess), float(p.dimension)) for p in pairs]).T[:, :, None]
    room = 1 - s * w
    with np.errstate(divide="ignore", invalid="ignore"):
        value = shift * s * (s + 1) / (2 * room) - d / 2 * (np.log1p(-s * w) + s * np.log1p(w))
    # Infinity as a number: 0 times it stays 0 and sums of it stay comparable, which inf and NaN would not be.
    found: FloatArray = np.where(room > 0, value, _NO_BOUND)
    return found


@dataclass(frozen=True, eq=False)
class Tails:
    """Bounds of the cumulant generating function over all pairs of some cells, on a grid of exponents `s` of each sign.

    They add up over releases.

    Attributes:
        exponents: Above 0, shape (n,).
        above: belongs to `exponents`.
        below: belongs to minus the exponents.
    """

    exponents: FloatArray
    above: FloatArray
    below: FloatArray

    @classmethod
    def of(cls, cells: Sequence[Cell], exponents: FloatArray) -> Tails:
        """Return the tails of one release whose pairs the cells hold; `exponents` > 0 has shape (n,), as have both
        bounds.
        """
        # A set: neighbouring cells share pairs, and each costs a row.
        pairs = list({pair for cell in cells for pair in cell})
        above, below = (_cumulants(sign * exponents, pairs).max(axis=0) for sign in (1, -1))
        return cls(exponents, above, below)

    def highest(self, counts: FloatArray, tolerance: float, base: FloatArray | float = 0.0) -> FloatArray:
        """Return losses that sums of `counts` releases (with `base` added) exceed with probability <= `tolerance`.

        Shape (m,) for `counts` of shape (m,), in nats. `base` is a cumulant generating function at the same exponents,
        of other releases in the sum. Floats without directed rounding: a guide.
        """
        log = math.log(tolerance)
        # Chernoff's bound holds at every exponent, so that the least of them is one.
        found = [np.min((base + np.outer(part, self.above) - log) / self.exponents, axis=1) for part in _parts(counts)]
        return np.concatenate(found)

    def lowest(self, counts: FloatArray, tolerance: float, base: FloatArray | float = 0.0) -> FloatArray:
        """Return losses that sums of `counts` releases fall below with probability <= `tolerance`.

        Shapes and `base` as in `highest`, on the negative exponents.
        """
        log = math.log(tolerance)
        found = [np.max((log - base - np.outer(part, self.below)) / self.exponents, axis=1) for part in _parts(counts)]
        return np.concatenate(found)


def _parts(counts: FloatArray) -> list[FloatArray]:
    """Return counts in parts, so that the tables of counts and exponents stay small."""
    return [counts[k : k + _CHUNK] for k in range(0, len(counts), _CHUNK)]


def ranks(
    pairs: Sequence[GaussianPair], chernoff: Callable[[FloatArray, FloatArray], FloatArray], *, at_once: bool = False
) -> FloatArray:
    """Return the Chernoff bound of each pair, shape (n,); a guide for what is worth a certified value.

    Args:
        pairs: any.
        chernoff: gives the bound from exponents and the cumulant generating function there, elementwise.
        at_once: looks at all exponents of one grid, instead of at few in rounds: slower, and a little above the least.
    """
    found = np.full(len(pairs), -math.inf)
    # Equal laws lose nothing, and have no exponents to look at.
    uneven = [k for k, pair in enumerate(pairs) if variance(pair) > 0]
    for start in range(0, len(uneven), _CHUNK):
        places = uneven[start : start + _CHUNK]
        found[places] = _least([pairs[k] for k in places], chernoff, *_WAYS[at_once])
    return found


def _least(
    pairs: Sequence[GaussianPair], chernoff: Callable[[FloatArray, FloatArray], FloatArray], count: int, rounds: int
) -> FloatArray:
    """Return about the least value for each pair over `count` exponents in each of some rounds, shape (n,).

    The bound falls and then rises in the exponent: each round looks between the neighbours of the least value before.
    """
    low, high = np.log([_exponent_range(pair, 1) for pair in pairs]).T
    least = np.full(len(pairs), math.inf)
    for _ in range(rounds):
        logs = np.linspace(low, high, count, axis=1)
        exponents = np.exp(logs)
        values = chernoff(exponents, _cumulants(exponents, pairs))
        rows, places = np.arange(len(pairs)), values.argmin(axis=1)
        least = values[rows, places]
        low, high = logs[rows, np.maximum(places - 1, 0)], logs[rows, np.minimum(places + 1, logs.shape[1] - 1)]
    return least


def exponents_for(cells: Sequence[Cell], times: int) -> FloatArray:
    """Return a geometric grid of exponents for sums of up to `times` releases whose pairs the cells hold.

    It goes up to where the last of the pairs has its pole; where another has none left, its bound is huge.
    """
    ends = [_exponent_range(pair, times) for cell in cells for pair in cell]
    return np.geomspace(min(low for low, _ in ends), max(high for _, high in ends), _EXPONENTS)


def _exponent_range(pair: GaussianPair, times: int) -> tuple[float, float]:
    """Return the least and the largest exponent that matter for sums of up to `times` losses of a pair.

    The largest stays below the pole `1 / w`, where the cumulant becomes infinite.
    """
    deviation, w = math.sqrt(variance(pair)), float(pair.excess)
    # With a positive excess the cumulant ends at s = 1 / w; beyond it there is nothing to minimise.
    high = 1e3 / deviation if w <= 0 else min(1e3 / deviation, 0.999 / w)
    return min(1e-3 / (deviation * math.sqrt(times)), high / 10), high


def grid_ends(tails: Tails, step: Fraction, highest: float, lowest: float) -> tuple[int, int]:
    """Return the first and the last (> 0) index of a grid that leaves out about these probabilities.

    `highest` is the probability above the grid, `lowest` the one below, both of one release's loss.
    """
    one = np.ones(1)
    last = math.ceil(tails.highest(one, highest)[0] / float(step)) + 1
    first = math.floor(tails.lowest(one, lowest)[0] / float(step)) - 1
    # At least two points, since masses are made of the slopes between dots.
    last = max(last, 1)
    return min(first, last - 1), last


def windows(
    groups: Sequence[tuple[Tails, int]], targets: tuple[float, float], tolerance: float, step: Fraction
) -> list[tuple[int, int]]:
    """Return for 0, 1, ... releases left the indices that matter for the curve between the two `targets`.

    A value matters if the sum of the losses before reaches it with probability over `tolerance`, and if the curve
    itself is not below that.
    """
    low, high = targets
    done_above, done_below, left_above = _sums(groups, tolerance)
    h = float(step)
    first = np.floor((low - done_above) / h) - 1
    # Beyond what the rest can still add the curve is about 0, and beyond what was done nothing is asked.
    last = np.ceil(np.minimum(left_above, high - done_below) / h) + 1
    last = np.maximum(last, first + 1)
    return [(int(a), int(b)) for a, b in zip(first, last, strict=True)]


def _sums(groups: Sequence[tuple[Tails, int]], tolerance: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return by the number of releases left: ends of the sum of those done (above, below) and of those left (above)."""
    none = np.zeros(len(groups[0][0].exponents))
    # Sums over the groups before each one; not by subtraction, since what stands for infinity would swallow the rest.
    before_above = list(accumulate((n * t.above for t, n in groups), initial=none))
    before_below = list(accumulate((n * t.below for t, n in groups), initial=none))
    after = none
    above, below, left = [np.empty(0)], [np.empty(0)], [np.empty(0)]
    for place in reversed(range(len(groups))):
        tails, count = groups[place]
        n = np.arange(0 if place == len(groups) - 1 else 1, count + 1, dtype=np.float64)
        above.append(tails.highest(count - n, tolerance, before_above[place]))
        below.append(tails.lowest(count - n, tolerance, before_below[place]))
        left.append(tails.highest(n, tolerance, after))
        after = after + count * tails.above
    return np.concatenate(above), np.concatenate(below), np.concatenate(left)
