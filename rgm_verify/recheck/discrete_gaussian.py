"""Discrete Gaussian noise over integers: its tails, and the law of what a change of a vector is seen by.

Masses are in proportion to `e^(-y^2/(2 sigma^2))`. A change v of a vector of whole numbers has a loss that depends on
the output by `m = v y` alone: `(D - 2 m)/(2 sigma^2)` with `D = v v` (`beyond:loss-of-a-whole-change`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

from rgm_verify.recheck.fixed import Fixed, Span, down, up
from rgm_verify.recheck.refusal import Refused

MOST_TERMS = 1_000_000
"""Of the sum over discrete Gaussian noise; so many take about five seconds."""
MOST_MASSES = 8_000
"""Of the law of a change."""

_GUARD = 40


def sums_of_squares(total: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield all positive integers up to `most` whose squares add up to a number, the largest first.

    Examples:
        >>> list(sums_of_squares(8, 8))
        [(2, 2), (2, 1, 1, 1, 1), (1, 1, 1, 1, 1, 1, 1, 1)]
    """
    if total == 0:
        yield ()
    for one in range(min(most, math.isqrt(total)), 0, -1):
        for rest in sums_of_squares(total - one * one, one):
            yield (one, *rest)


@dataclass(frozen=True)
class WholeChange:
    """The law of `m` for noise alone: bounds from below of its masses, whose sum falls short of 1 by little.

    `sums[k]` is the sum of the masses from `-reach` to `-reach + k - 1`, in units of `2^-work`.
    """

    sigma: Fraction
    square: int
    reach: int
    sums: list[int]
    bits: int
    work: int

    @staticmethod
    @lru_cache(maxsize=64)
    def of(sigma: Fraction, change: tuple[int, ...], bits: int) -> WholeChange:
        """Return the law of a change; `Refused` where it would be too long."""
        work = bits + 2 * _GUARD
        tails = gaussian_tails(sigma, work)
        last = len(tails.low)
        # Downwards, as it is the least that is there.
        ends = [tails.above(y) for y in range(last + 1)]
        one = [max(0, ends[y][0] - ends[y + 1][1]) for y in range(last)]
        square, norm = sum(v * v for v in change), math.isqrt(sum(v * v for v in change)) + 1
        reach = norm * last
        if reach > MOST_MASSES:
            raise Refused(f"a change of squared norm {square} and noise of sigma {sigma}: too many outputs")
        masses = [1 << work]
        # The masses of a sum lie around 0, as many on either side.
        for v in sorted(set(change)):
            factor = [0] * (2 * (last - 1) * v + 1)
            for y in range(1 - last, last):
                factor[(y + last - 1) * v] = one[abs(y)]
            # By squaring: the bits of the number of coordinates from the second on.
            power = factor
            for bit in bin(change.count(v))[3:]:
                power = _centred(_product(power, power, work), reach)
                power = _centred(_product(power, factor, work), reach) if bit == "1" else power
            masses = _centred(_product(masses, power, work), reach)
        reach = len(masses) // 2
        return WholeChange(sigma, square, reach, [0, *accumulate(masses)], bits, work)

    def events(self, level: Fraction) -> tuple[Span, Span]:
        """Return the masses of the outputs with a loss above a level, under both laws, in units of `2^-bits`."""
        # D - 2 m > 2 sigma^2 level, for whole m.
        last = math.ceil((self.square - 2 * self.sigma**2 * level) / 2) - 1
        return self._up_to(last), self._up_to(last - self.square)

    def _up_to(self, m: int) -> Span:
        """Return the probability of at most `m`: what is known to be there, and all but what is known to be beyond."""
        here = self.sums[min(max(m + self.reach + 1, 0), len(self.sums) - 1)]
        shift = self.work - self.bits
        return here >> shift, -(-((1 << self.work) - (self.sums[-1] - here)) >> shift)


def _centred(masses: list[int], reach: int) -> list[int]:
    """Return the masses up to a reach on either side of the middle one."""
    middle = len(masses) // 2
    return masses[max(0, middle - reach) : middle + reach + 1]


def _product(a: list[int], b: list[int], work: int) -> list[int]:
    """Return the masses of a sum, each rounded down: all are at least 0, and polynomials are multiplied as numbers."""
    size = (2 * work + min(len(a), len(b)).bit_length()) // 8 + 1
    x, y = (int.from_bytes(b"".join(v.to_bytes(size, "little") for v in part), "little") for part in (a, b))
    found = (x * y).to_bytes(size * (len(a) + len(b)), "little")
    return [int.from_bytes(found[k * size : (k + 1) * size], "little") >> work for k in range(len(a) + len(b) - 1)]


@dataclass(frozen=True)
class Tails:
    """Bounds of the sums of `e^(-y^2/(2 sigma^2))` over `y >= n` for `n = 0, 1, ...`, in units of `2^-work`."""

    low: list[int]
    high: list[int]
    bits: int
    work: int

    def above(self, n: int) -> Span:
        """Return the probability of noise of at least `n >= 0`, in units of `2^-bits`."""
        # Beyond the sums there is no more than the last of them, and perhaps nothing.
        low, high = (self.low[n], self.high[n]) if n < len(self.low) else (0, self.high[-1])
        one = 1 << self.work
        # Both sides together count the term at 0, which is 1, twice.
        least, most = 2 * self.low[0] - one, 2 * self.high[0] - one
        return down(low << self.bits, most), up(high << self.bits, least)

    def up_to(self, n: int) -> Span:
        """Return the probability of noise of at most `n`, of any sign."""
        if n < 0:
            return self.above(-n)
        low, high = self.above(n + 1)
        return (1 << self.bits) - high, (1 << self.bits) - low


@lru_cache(maxsize=8)
def gaussian_tails(sigma: Fraction, bits: int) -> Tails:
    """Return the tails of discrete Gaussian noise; `Refused` for more than `MOST_TERMS` terms.

    A term is the one before times `e^(-(2 y + 1)/(2 sigma^2))`, a factor that falls by `e^(-1/sigma^2)` each time. What
    is left out is at most a geometric series of its first factor (`beyond:discrete-gaussian-tail`).
    """
    # From rounding and from the sums: of each term the bits of the number of terms.
    work = bits + _GUARD + 4 * max(1, math.ceil(sigma)).bit_length()
    # A term vanishes where y^2/(2 sigma^2) is more than work times log 2, which is below 0.7.
    if 1.4 * work * sigma**2 > MOST_TERMS**2:
        raise Refused(f"discrete Gaussian noise of sigma {sigma}: a sum of more than {MOST_TERMS} terms")
    arithmetic = Fixed(work)
    fall = arithmetic.exp(arithmetic.of(-1 / sigma**2))
    factor = arithmetic.exp(arithmetic.of(-1 / (2 * sigma**2)))
    low, high = [], []
    least = most = arithmetic.one
    while least:
        low.append(least)
        high.append(most)
        # All are positive: the ends of a product are the products of the ends.
        least, most = least * factor[0] >> work, -(-most * factor[1] >> work)
        factor = factor[0] * fall[0] >> work, -(-factor[1] * fall[1] >> work)
    # This one is the first that is left out: it and all that follow are at most a geometric series.
    if factor[1] >= arithmetic.one:
        raise Refused("terms that do not fall: more bits are needed")
    rest = up(most << work, arithmetic.one - factor[1])
    sums_low, sums_high = [0], [rest]
    for least, most in zip(reversed(low), reversed(high), strict=True):
        sums_low.append(sums_low[-1] + least)
        sums_high.append(sums_high[-1] + most)
    return Tails(sums_low[::-1], sums_high[::-1], bits, work)
