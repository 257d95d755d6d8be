"""Discrete losses on both sides of that of a Gaussian release of a random sample, over integers.

A record is in the sample with the probability `q` and then moves the output by 1; the noise is `N(0, sigma^2)`. The
pair of removal is `(M, N_0)`, `M = (1 - q) N_0 + q N_1`, that of addition `(N_0, M)`. At the output y the quotient of
the densities is `1 - q + q exp((2 y - 1)/(2 sigma^2))`, which grows with y.

From above the line is cut where the loss is a multiple of the step. With the masses p, q of a cell and the quotients
`a < b` at its ends, `(b q - p)/(b - a)` of q goes to the left end and `(p - a q)/(b - a)` to the right one, so that
both laws keep their mass (`beyond:cell-split-above`). From below a cell is one outcome, whose loss `log(p/q)` is
rounded down to a place (`beyond:channel-pointwise`). So that this costs nothing, cells are looked for whose loss is at
a place already. They are looked for in floating point, and what they are worth is then enclosed: a poor cell costs
width only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Protocol, TypeAlias

from rgm_verify.recheck.fixed import Fixed, Span, minus, plus, up
from rgm_verify.recheck.losses import Loss
from rgm_verify.recheck.refusal import Refused

_GUARD = 48
_BISECTIONS = 60
_TRIES = 4
_ERROR = 1e-15
_LEAST = 1e-280
_FARTHEST = 37.0
_FAR = 500.0
_NEAREST = 0.25


@dataclass(frozen=True)
class Grid:
    """Steps `step` of losses, runs of places of cells, and `digits` of masses; `cut` units may be moved at each end.

    A run `(start, stop, stride)` stands for the places `start, start + stride, ...` below `stop`. A place is a loss in
    units of `step`. Runs with a wide stride save work in the tails, where little mass lies. A unit of mass is
    `10^-digits`.

    Examples:
        >>> grid = Grid(Fraction(1, 10), ((-4, 0, 2), (0, 3, 1)), digits=20, cut=0)
        >>> grid.places
        [-4, -2, 0, 1, 2]
        >>> grid.stride_at(-3), grid.stride_at(9)
        (2, 1)
    """

    step: Fraction
    runs: tuple[tuple[int, int, int], ...]
    digits: int
    cut: int

    @property
    def places(self) -> list[int]:
        """The places of all runs, in order."""
        return [place for start, stop, stride in self.runs for place in range(start, stop, stride)]

    def stride_at(self, place: int) -> int:
        """Return the stride of the run that a place lies in, of the nearest one outside of all."""
        return next((stride for _, stop, stride in self.runs if place < stop), self.runs[-1][2])

    @property
    def bits(self) -> int:
        """The bits that the digits need: quotients by a step cost the bits of the step."""
        return 10 * self.digits // 3 + _GUARD + 2 * max(0, -_log2(self.step))


def _log2(value: Fraction) -> int:
    """Return an integer at most the binary logarithm of a positive number, and less than 2 below it."""
    return value.numerator.bit_length() - value.denominator.bit_length() - 1


# ----------------------------------------------------------------------------------------------------------- above


Tails: TypeAlias = Callable[[Sequence[Span], Fixed], tuple[list[Span], list[Span]]]
"""The masses above the outputs with these quotients of densities, without the record and with it."""


class Law(Protocol):
    """A pair of laws of one output, whose quotient of densities grows with it, as a guide in floats, and its tails.

    Of the pair of removal the first law is the one with the record.
    """

    def first_end(self, grid: Grid) -> float:
        """Return where the first cell ends, which reaches down to minus infinity."""
        ...

    def loss_at(self, output: float) -> float:
        """Return about the loss of removal at an output."""
        ...

    def masses(self, start: float, end: float) -> tuple[float, float]:
        """Return about the masses between two outputs under the second law and under the first."""
        ...

    def error(self, start: float, end: float, base: float) -> float:
        """Return about the relative error of these masses."""
        ...

    def end_of(self, start: float, loss: float, sign: int) -> float | None:
        """Return where a cell has to end for its mean quotient to be `e^loss`; None if that is too far away.

        `sign` is 1 for removal and -1 for addition; the guess is moved by the error of the floats, so that the enclosed
        loss is rounded to its place, and not just beyond it, which would cost a whole place.
        """
        ...

    def beyond(self, output: Span | None, arithmetic: Fixed) -> tuple[Span, Span]:
        """Return the masses above an output under the second law and under the first."""
        ...


def above(tails: Tails, grid: Grid, *, remove: bool) -> Loss:
    """Return a loss that dominates the one of removal, or of addition, of the pair with these tails.

    Raises `Refused` for a grid with a place below every loss that an output has, other than the first.
    """
    arithmetic = Fixed(grid.bits)
    quotients = [arithmetic.exp(arithmetic.of(k * grid.step)) for k in grid.places]
    base, mixed = tails(quotients, arithmetic)
    dense: dict[int, int] = dict.fromkeys(grid.places, 0)
    for i, ((a, b), (k, after)) in enumerate(zip(pairwise(quotients), pairwise(grid.places), strict=True)):
        q, p = minus(base[i], base[i + 1]), minus(mixed[i], mixed[i + 1])
        gap = minus(b, a)
        left = arithmetic.over(minus(arithmetic.times(b, q), p), gap)
        right = arithmetic.over(minus(p, arithmetic.times(a, q)), gap)
        if remove:
            left, right = arithmetic.times(a, left), arithmetic.times(b, right)
        # Upper ends: a mass that is too large only lifts the curve.
        dense[k] += max(0, left[1])
        dense[after] += max(0, right[1])
    one = arithmetic.one
    if remove:
        # Outputs below the first cell lose less than its place and are moved up to it; those above the last count as
        # infinite.
        dense[grid.places[0]] += max(0, one - mixed[0][0])
        infinite = mixed[-1][1]
    else:
        dense[grid.places[-1]] += base[-1][1]
        infinite = max(0, one - base[0][0])
        # The loss of addition is that of removal with the opposite sign.
        dense = {-k: mass for k, mass in dense.items()}
    return _loss(dense, infinite, grid, upper=True)


def _mix(rest: Span, share: Span, base: Span, moved: Span, arithmetic: Fixed) -> Span:
    """Return the mass with the record in the sample at its rate, from those without it and with it."""
    return plus(arithmetic.times(rest, base), arithmetic.times(share, moved))


def _loss(found: dict[int, int], infinite: int, grid: Grid, *, upper: bool) -> Loss:
    """Return a loss in decimal units, of masses in units of `2^-bits` by their places.

    Every mass is rounded to the side of the result. `infinite` counts from above only.
    """
    first, last = min(found), max(found)
    one, scale = 10**grid.digits, 1 << grid.bits
    masses = [0] * (last - first + 1)
    for place, mass in found.items():
        masses[place - first] = up(mass * one, scale) if upper else mass * one // scale
    return Loss(first, masses, up(infinite * one, scale) if upper else 0, grid.digits, upper)


# ----------------------------------------------------------------------------------------------------------- below


def below(law: Law, grid: Grid, *, remove: bool) -> tuple[Loss, Fraction]:
    """Return a loss that the one of removal, or of addition, dominates, and an offset that its places are counted from.

    The loss at a place is the offset and so many steps. Cells of the output are merged outcomes: whoever sees only the
    cell knows less, so that the result is a lower bound for any cells, good or poor.
    """
    arithmetic = Fixed(grid.bits)
    sign = 1 if remove else -1
    found: dict[int, int] = {}
    one = arithmetic.one, arithmetic.one
    before = one, one
    offset, cells = _cells(law, grid, sign)
    for place, end in cells:
        # From here on nothing is floating point: the end of the cell is an exact fraction, whoever proposed it.
        after = ((0, 0), (0, 0)) if end is None else law.beyond(arithmetic.of(end), arithmetic)
        masses = [minus(a, b) for a, b in zip(before, after, strict=True)]
        p, q = masses[::-1] if remove else masses
        before = after
        settled = _settled(place, p, q, sign * offset, grid.step, arithmetic)
        if settled is not None:
            found[settled] = found.get(settled, 0) + p[0]
    if not found:
        raise Refused("no cell has a loss that is certain")
    return _loss(found, 0, grid, upper=False), sign * offset


def _settled(place: int, p: Span, q: Span, offset: Fraction, step: Fraction, arithmetic: Fixed) -> int | None:
    """Return a place at or just below the wanted one where the loss of the masses certainly is or lies above it.

    None where the mass is not certainly positive, or `_TRIES` places down nothing is certain: then the cell is left
    out, which lowers the curve and is safe.
    """
    if p[0] <= 0:
        return None
    for down in range(_TRIES):
        scale = arithmetic.exp(arithmetic.of(offset + (place - down) * step))
        if arithmetic.times(scale, q)[1] <= p[0]:
            return place - down
    return None


def _cells(law: Law, grid: Grid, sign: int) -> tuple[Fraction, list[tuple[int, Fraction | None]]]:
    """Return an offset, and the places and ends of cells in order of the output, as a guide.

    The mean quotient of a cell is about that of its place, on the side from which the loss is rounded. The end of a
    cell is about half of its width in losses above its place, so that the next one is centred too: the first cell sets
    the offset to that end. The last cell has no end; for addition (`sign = -1`) it is left out, and places are
    negative.
    """
    step = float(grid.step)
    start = law.first_end(grid)
    # The first cell reaches to minus infinity: its own loss sets the offset, so that it sits at a place exactly.
    base, mixed = law.masses(-math.inf, start)
    offset = 0.0
    if base > 0 and mixed > 0:
        offset = math.log1p((mixed - base) / base) - sign * law.error(-math.inf, start, base)
    cells: list[tuple[int, Fraction | None]] = [(0, Fraction(start))]
    shift = round(offset / step)
    last = grid.places[-1] - shift
    while True:
        edge = (law.loss_at(start) - offset) / step
        place = max(math.ceil(edge + _NEAREST), round(edge + grid.stride_at(math.floor(edge) + shift) / 2))
        end = None if place > last else law.end_of(start, offset + place * step, sign)
        if end is None:
            break
        start = end
        cells.append((sign * place, Fraction(start)))
    if sign > 0:
        cells.append((math.floor((law.loss_at(start) - offset) / step), None))
    return Fraction(offset), cells


def bisected(above: Callable[[float], bool], low: float, high: float) -> float:
    """Return about the point where `above` turns from false to true between two ends."""
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        low, high = (low, middle) if above(middle) else (middle, high)
    return high


def relative_error(start: float, end: float, noise: float, base: float, means: tuple[float, float]) -> float:
    """Return about the relative error of a mass in floats: a difference of tails has the error of the larger one.

    `means` are the farthest of the two laws, the greatest one first.
    """
    # The smaller of both tails at each end: `between` takes the side where they are small.
    top, bottom = means
    tail = min(between(-math.inf, (end - top) / noise), between((start - top) / noise, math.inf))
    tail = max(tail, min(between(-math.inf, (end - bottom) / noise), between((start - bottom) / noise, math.inf)))
    far = max(abs(end), abs(start) if math.isfinite(start) else 0.0) + max(abs(top), abs(bottom))
    return _ERROR * (1 + (far / noise) ** 2) * (1 + tail / base)


@dataclass(frozen=True)
class Sample:
    """The pair of one record that is in the sample with the probability `rate` and then moves the output by 1.

    `rate` is in (0, 1), `noise` the deviation of the noise.
    """

    rate: Fraction
    noise: Fraction

    def tails(self, quotients: Sequence[Span], arithmetic: Fixed) -> tuple[list[Span], list[Span]]:
        """Return the masses above the outputs with these quotients, without the record and mixed.

        The quotients increase, and so do the outputs. `Refused` where a quotient is not certainly above `1 - rate`; the
        first may be below it.
        """
        rest, share = arithmetic.of(1 - self.rate), arithmetic.of(self.rate)
        sigma, half = arithmetic.of(self.noise), arithmetic.of(1 / (2 * self.noise))
        base, mixed = [], []
        for place, quotient in enumerate(quotients):
            inside = minus(quotient, rest)
            # No output has a quotient of at most 1 - rate: all of the mass lies above such a place.
            if inside[1] <= 0 and place == 0:
                whole = arithmetic.one, arithmetic.one
                base.append(whole)
                mixed.append(whole)
                continue
            if inside[0] <= 0:
                raise Refused("a cell ends at a loss that no output has")
            rise = arithmetic.times(sigma, arithmetic.log(arithmetic.over(inside, share)))
            base.append(arithmetic.tail(plus(rise, half)))
            mixed.append(_mix(rest, share, base[-1], arithmetic.tail(minus(rise, half)), arithmetic))
        return base, mixed

    def beyond(self, output: Span | None, arithmetic: Fixed) -> tuple[Span, Span]:
        """Return the masses above an output, without the record and mixed."""
        if output is None:
            return (arithmetic.one, arithmetic.one), (arithmetic.one, arithmetic.one)
        inverse, one = arithmetic.of(1 / self.noise), arithmetic.of(Fraction(1))
        base, moved = (arithmetic.tail(arithmetic.times(at, inverse)) for at in (output, minus(output, one)))
        rest, share = arithmetic.of(1 - self.rate), arithmetic.of(self.rate)
        return base, _mix(rest, share, base, moved, arithmetic)

    def first_end(self, grid: Grid) -> float:
        """Return the output where the loss is half a step above the mean loss of all that lies below."""
        distance = float(grid.step) / 2

        def above(end: float) -> bool:
            base, mixed = self.masses(-math.inf, end)
            return base > 0 and self.loss_at(end) - math.log1p((mixed - base) / base) > distance

        noise = float(self.noise)
        return bisected(above, -_FARTHEST * noise, _FARTHEST * noise + 1)

    def end_of(self, start: float, loss: float, sign: int) -> float | None:
        """Return where a cell has to end, as `Law` says."""
        rate, noise = float(self.rate), float(self.noise)
        growth = math.expm1(loss)
        inside = math.log((growth + rate) / rate)
        low = noise * noise * inside + 0.5
        base = between(start / noise, low / noise)
        # Below this, quotients of floats are noise; written so that a NaN stops it as well.
        if not base > _LEAST:
            return None
        wanted = growth + sign * (1 + growth) * self.error(start, low, base)

        def above(end: float) -> bool:
            base, moved = _both(start, end, noise)
            return rate * (moved - base) > wanted * base

        high, reach = low, low - start
        while not above(high):
            high, reach = high + reach, 2 * reach
            if high > _FARTHEST * noise + 1:
                return None
        return bisected(above, low, high)

    def error(self, start: float, end: float, base: float) -> float:
        """Return about the relative error of a mass in floats."""
        return relative_error(start, end, float(self.noise), base, (1.0, 0.0))

    def loss_at(self, output: float) -> float:
        """Return about the loss of removal at an output."""
        rate, noise = float(self.rate), float(self.noise)
        far = (2 * output - 1) / (2 * noise**2)
        # Beyond the range of `exp` the first part of the sum is nothing.
        return math.log1p(rate * math.expm1(far)) if far < _FAR else far + math.log(rate)

    def masses(self, start: float, end: float) -> tuple[float, float]:
        """Return about the masses between two outputs, without the record and mixed."""
        rate = float(self.rate)
        base, moved = _both(start, end, float(self.noise))
        return base, (1 - rate) * base + rate * moved


def _both(start: float, end: float, noise: float) -> tuple[float, float]:
    """Return about the masses between two outputs under the two laws, without the record and with it."""
    base, moved = (between((start - m) / noise, (end - m) / noise) for m in (0.0, 1.0))
    return base, moved


def between(a: float, b: float) -> float:
    """Return about the normal mass between two ends, without cancellation in either tail."""
    root = math.sqrt(0.5)
    # `erfc` of positive arguments on either side: 1 - Phi would lose every digit of a small tail.
    if a > 0:
        return (math.erfc(a * root) - math.erfc(b * root)) / 2
    if b < 0:
        return (math.erfc(-b * root) - math.erfc(-a * root)) / 2
    return 1 - (math.erfc(-a * root) + math.erfc(b * root)) / 2
