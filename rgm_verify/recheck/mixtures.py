"""Releases of random samples whose two laws are mixtures of Gaussians, over integers.

The first law is `P = sum_i a_i N(i, sigma^2)`, the second `Q = sum_j b_j N(-j, sigma^2)`, with whole `i, j >= 0`: of
all mixtures with these weights, and with means of norms up to these, they are told apart best
(`beyond:mixture-shifts`). The quotient of the densities at the output y is `A/B`, `A = sum_i a_i exp(i (2 y - i)/(2
sigma^2))`, `B = sum_j b_j exp(j (-2 y - j)/(2 sigma^2))`, which grows with y. An output with a given quotient is looked
for in floating point and by Newton's method; that it lies in a span is then certain by the sign of `A - x B` at both
ends.

A release from above may also reveal which of several pairs it has.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from rgm_verify.recheck.fixed import Fixed, Span, minus, pi, plus, up
from rgm_verify.recheck.losses import Loss
from rgm_verify.recheck.mechanisms import Mixed, Sampled, Truncated
from rgm_verify.recheck.refusal import NotProved, Refused
from rgm_verify.recheck.sampled import Grid, above, below, between, bisected, relative_error

_NEWTON = 7
_SPARE = 40
_WIDER = 24
_TRIES = 4
_FAR = 600.0
_FARTHEST = 37.0
_LEAST = 1e-280
_WEIGHT_BITS = 200


@dataclass(frozen=True)
class Pair:
    """The weights `first` of the means 0, 1, ... and `second` of 0, -1, ..., exact, that of 0 above 0; `noise > 0`."""

    noise: Fraction
    first: tuple[Fraction, ...]
    second: tuple[Fraction, ...]

    # ------------------------------------------------------------------------------------------------------- exact

    def tails(self, quotients: Sequence[Span], arithmetic: Fixed) -> tuple[list[Span], list[Span]]:
        """Return the masses above the outputs with these quotients, under the second law and under the first.

        The quotients increase. `Refused` where no output certainly has one; the first may be below all.
        """
        base, mixed = [], []
        for place, quotient in enumerate(quotients):
            output = self._output(quotient, arithmetic, first=place == 0)
            second, first = self.beyond(output, arithmetic)
            base.append(second)
            mixed.append(first)
        return base, mixed

    def beyond(self, output: Span | None, arithmetic: Fixed) -> tuple[Span, Span]:
        """Return the masses above an output under the second law and under the first; all mass for None."""
        whole = arithmetic.one, arithmetic.one
        if output is None:
            return whole, whole
        inverse = arithmetic.of(1 / self.noise)

        def tail(mean: int) -> Span:
            return arithmetic.tail(arithmetic.times(minus(output, arithmetic.of(Fraction(mean))), inverse))

        found = []
        for weights, sign in ((self.second, -1), (self.first, 1)):
            total: Span = (0, 0)
            for k, weight in enumerate(weights):
                if weight:
                    total = plus(total, arithmetic.times(arithmetic.of(weight), tail(sign * k)))
            found.append(total)
        return found[0], found[1]

    def _output(self, quotient: Span, arithmetic: Fixed, *, first: bool) -> Span | None:
        """Return a span that certainly holds the output with this quotient; None for one below all outputs."""
        if len(self.second) == 1:
            least = arithmetic.of(self.first[0])
            # No output has a quotient of at most the weight of the mean 0: all of the mass lies above such a place.
            if first and quotient[1] <= least[0]:
                return None
            if quotient[0] <= least[1]:
                raise Refused("a cell ends at a loss that no output has")
        y = round(Fraction(self.guess(_log(quotient[1], arithmetic.bits))) * arithmetic.one)
        middle = quotient[0] + quotient[1] >> 1
        slope = 1
        for _ in range(_NEWTON):
            value, slope = self._signed((middle, middle), y, arithmetic)
            if slope <= 0:
                raise Refused("a cell ends at a loss that no output certainly has")
            move = value * arithmetic.one // slope
            y -= move
            if abs(move) < 1 << arithmetic.bits // 3:
                break
        # As wide as the span of the quotient makes it, or as the digits end.
        room = (quotient[1] - quotient[0] << arithmetic.bits) // slope + (1 << _SPARE)
        for _ in range(_TRIES):
            low = self._difference(quotient, y - room, arithmetic)
            high = self._difference(quotient, y + room, arithmetic)
            if low[1] <= 0 <= high[0]:
                return y - room, y + room
            room <<= _WIDER
        raise Refused("a cell ends at a loss that no output certainly has")

    def _signed(self, quotient: Span, y: int, arithmetic: Fixed) -> tuple[int, int]:
        """Return about `A - x B` at an output, and its derivative by the output."""
        (a, rise), (b, fall) = self._sums(y, arithmetic)
        value = minus(a, arithmetic.times(quotient, b))
        slope = plus(rise, arithmetic.times(quotient, fall))
        return value[0] + value[1] >> 1, int(Fraction(slope[0] + slope[1], 2) / self.noise**2)

    def _difference(self, quotient: Span, y: int, arithmetic: Fixed) -> Span:
        """Return `A - x B` at an output, certainly: where it is negative the quotient there is less than x."""
        (a, _), (b, _) = self._sums(y, arithmetic)
        return minus(a, arithmetic.times(quotient, b))

    def _sums(self, y: int, arithmetic: Fixed) -> tuple[tuple[Span, Span], tuple[Span, Span]]:
        """Return `A` and `B` at an output, each with the sum in which a term counts as often as its shift."""
        output, found = Fraction(y, arithmetic.one), []
        for law, sign in ((self.first, 1), (self.second, -1)):
            total, weighted = arithmetic.of(law[0]), (0, 0)
            for k, weight in enumerate(law):
                if k and weight:
                    exponent = k * (2 * sign * output - k) / (2 * self.noise**2)
                    term = arithmetic.times(arithmetic.of(weight), arithmetic.exp(arithmetic.of(exponent)))
                    total = plus(total, term)
                    weighted = plus(weighted, (k * term[0], k * term[1]))
            found.append((total, weighted))
        return found[0], found[1]

    def divergence(self, level: Fraction, bits: int, *, remove: bool) -> Span:
        """Return the divergence of one release at `level >= 0`, in units of `2^-bits`; removal is first from second."""
        fine = Fixed(bits + 64)
        quotient = fine.exp(fine.of(level if remove else -level))
        base, mixed = self.beyond(self._output(quotient, fine, first=True), fine)
        whole = fine.one, fine.one
        # Addition is removal with the laws exchanged: its loss is above the level where that of removal is below.
        p, q = (mixed, base) if remove else (minus(whole, base), minus(whole, mixed))
        low, high = minus(p, fine.times(fine.exp(fine.of(level)), q))
        return max(0, low >> 64), max(0, -(-high >> 64))

    # ----------------------------------------------------------------------------------------------------- floating

    @cached_property
    def _floats(self) -> tuple[float, list[tuple[int, float]], list[tuple[int, float]]]:
        """The noise and the weights that are above 0, as a guide."""
        laws = [
            [(sign * k, float(w)) for k, w in enumerate(law) if float(w) > 0]
            for law, sign in ((self.first, 1), (self.second, -1))
        ]
        return float(self.noise), laws[0], laws[1]

    @property
    def ends(self) -> tuple[float, float]:
        """Outputs beyond which no float sees any mass."""
        return (
            -_FARTHEST * self._floats[0] - (len(self.second) - 1),
            _FARTHEST * self._floats[0] + len(self.first) - 1,
        )

    def loss_at(self, output: float) -> float:
        """Return about the loss of removal at an output."""
        noise, *laws = self._floats
        logs = []
        for law in laws:
            exponents = [math.log(w) + (2 * k * output - k * k) / (2 * noise**2) for k, w in law]
            top = max(exponents)
            logs.append(top + math.log(math.fsum(math.exp(e - top) for e in exponents)))
        return logs[0] - logs[1]

    def guess(self, loss: float) -> float:
        """Return about the output with a loss, by bisection; an end where it is beyond all."""
        low, high = self.ends
        while self.loss_at(low) > loss and low > -1e30:
            low *= 2
        while self.loss_at(high) < loss:
            high *= 2
        return bisected(lambda output: self.loss_at(output) > loss, low, high)

    def masses(self, start: float, end: float) -> tuple[float, float]:
        """Return about the masses between two outputs under the second law and under the first."""
        noise, first, second = self._floats
        return tuple(  # type: ignore[return-value]
            math.fsum(w * between((start - k) / noise, (end - k) / noise) for k, w in law) for law in (second, first)
        )

    def error(self, start: float, end: float, base: float) -> float:
        """Return about the relative error of a mass in floats."""
        noise, first, second = self._floats
        means = first[-1][0], second[-1][0]
        return relative_error(start, end, noise, base, means)

    def first_end(self, grid: Grid) -> float:
        """Return where the first cell ends, which reaches down to minus infinity."""
        if len(self.second) > 1:
            return self.guess(float(grid.places[0] * grid.step))
        distance = float(grid.step) / 2

        def far(end: float) -> bool:
            base, mixed = self.masses(-math.inf, end)
            return base > 0 and mixed > 0 and self.loss_at(end) - math.log(mixed / base) > distance

        return bisected(far, *self.ends)

    def end_of(self, start: float, loss: float, sign: int) -> float | None:
        """Return where a cell has to end for its mean quotient to be `e^loss`; None where floats see nothing there."""
        low = self.guess(loss)
        base, _ = self.masses(start, low)
        if not base > _LEAST or loss > _FAR:
            return None
        wanted = math.exp(loss) * (1 + sign * self.error(start, low, base))

        def far(end: float) -> bool:
            second, first = self.masses(start, end)
            return first > wanted * second

        high, reach = low, max(low - start, 1e-9)
        while not far(high):
            high, reach = high + reach, 2 * reach
            if high > self.ends[1]:
                return None
        return bisected(far, low, high)


def _log(value: int, bits: int) -> float:
    """Return about the logarithm of a positive number in units of `2^-bits`."""
    return math.log(value) - bits * math.log(2)


# ---------------------------------------------------------------------------------------------------------- mechanisms


def below_of(release: Mixed) -> Pair:
    """Return the pair of two data sets that are neighbours, for a release that is one of mixtures."""
    records = release.records if isinstance(release, Sampled) else 1
    law = tuple(
        math.comb(records, k) * release.rate**k * (1 - release.rate) ** (records - k) for k in range(records + 1)
    )
    return Pair(release.noise, law, law if release.adjacency == "replace-one" else (Fraction(1),))


def above_of(release: Mixed) -> tuple[tuple[Fraction, Pair], ...]:
    """Return pairs of which a release from above reveals which one it has, and their probabilities.

    For batches of a largest size the other records fill the batch with a probability that is bounded from above. Then a
    record takes the place of another one, and moves the sum twice as far, which is never less.
    """
    once = below_of(release)
    if not isinstance(release, Truncated):
        return ((Fraction(1), once),)
    rate, full = release.rate, filled(release)
    law = (1 - rate, Fraction(0), rate)
    twice = Pair(release.noise, law, law if release.adjacency == "replace-one" else (Fraction(1),))
    return tuple((w, pair) for w, pair in ((1 - full, once), (full, twice)) if w)


def filled(release: Truncated) -> Fraction:
    """Return an upper bound of the probability that the other records fill a batch (`beyond:full-batch`).

    Examples:
        >>> float(filled(Truncated(Fraction(1), Fraction(1, 100), 140, 10_001, 1, "add-one")))
        8.74...e-05
    """
    others, limit, rate = release.size - 1, release.limit, release.rate
    rest = others - limit
    if rest < 0:
        return Fraction(0)
    if limit <= others * rate:
        return Fraction(1)
    fixed = Fixed(_WEIGHT_BITS + 2 * others.bit_length())
    whole = fixed.one, fixed.one

    def times_log(count: int, quotient: Fraction) -> Span:
        low, high = fixed.log(fixed.of(quotient))
        return count * low, count * high

    exponent = times_log(limit, limit / (others * rate))
    factor = whole
    if rest:
        exponent = plus(exponent, times_log(rest, rest / (others * (1 - rate))))
        ratio = fixed.of(rest * rate / ((limit + 1) * (1 - rate)))
        root = fixed.sqrt(fixed.over(fixed.of(Fraction(others, 2 * limit * rest)), pi(fixed.bits)))
        factor = fixed.over(root, minus(whole, ratio))
    # The exponent is at least 0: an exponential that is too small for the digits is one unit at most.
    found = fixed.times(fixed.exp((-exponent[1], -exponent[0])), factor)[1]
    return min(Fraction(1), Fraction(found + 1, fixed.one))


def mixture_above(release: Mixed, grid: Grid, *, remove: bool) -> Loss:
    """Return a loss that dominates one release, in one direction."""
    parts = [(weight, above(pair.tails, grid, remove=remove)) for weight, pair in above_of(release)]
    if len(parts) == 1:
        return parts[0][1]
    first = min(loss.first for _, loss in parts)
    last = max(loss.first + len(loss.masses) for _, loss in parts)
    sums, infinite = [Fraction(0)] * (last - first), Fraction(0)
    for weight, loss in parts:
        infinite += weight * loss.infinite
        for k, mass in enumerate(loss.masses, loss.first - first):
            sums[k] += weight * mass
    masses = [up(mass.numerator, mass.denominator) for mass in sums]
    return Loss(first, masses, up(infinite.numerator, infinite.denominator), grid.digits, True)


def mixture_below(release: Mixed, grid: Grid, *, remove: bool) -> tuple[Loss, Fraction]:
    """Return a loss that one release dominates, and an offset that its places are counted from."""
    return below(below_of(release), grid, remove=remove)


def one_mixture(release: Mixed, level: Fraction, bits: int, *, remove: bool) -> Span:
    """Return both ends of the divergence of one release at `level >= 0`, in units of `2^-bits`."""
    try:
        low, _ = below_of(release).divergence(level, bits, remove=remove)
        parts = [(weight, pair.divergence(level, bits, remove=remove)) for weight, pair in above_of(release)]
    except Refused as error:
        raise NotProved(str(error)) from error
    most = sum((weight * span[1] for weight, span in parts), Fraction(0))
    return low, up(most.numerator, most.denominator)
