"""A discrete loss that is certainly smaller than that of a pair of laws, from the masses of events, over integers.

Every test, which is an event or a mixture of events, has `P(A) - x Q(A)` at most on the curve of the pair, for each
`x = e^l`. So a loss is dominated if between any two of its places its own curve lies below such a line: its masses
above that are at most P(A) under the first law, and at least Q(A) under the second
(`beyond:neyman-pearson-pointwise`, `beyond:discrete-loss-masses`).

From the greatest place down the test grows, and what its mass under the second law grows by is put at the place. It
grows to the losses above the middle between this place and the next one if the first law has so much to give, and
beyond that towards the next place while anything is left; else only to the losses from this place on, or by a part.
Cells that lose as much above their place as below it cost an error of second order in the step. Only the greatest loss
of all has none above it, so that the places are moved to it; they stay a tiny part of a step below, where no rounding
hides it. Losses that lie on places then cost nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from rgm_verify.recheck.dots import affordable
from rgm_verify.recheck.fixed import Fixed, Span
from rgm_verify.recheck.losses import Loss
from rgm_verify.recheck.sampled import Grid

Events: TypeAlias = Callable[[Fraction, int], tuple[Span, Span]]
"""The masses under both laws of the outputs with a loss above a level, or of any other event, in units of `2^-bits`."""

_PART = 64  # the places are moved by a step over two to the power of that
_SHARE = 64  # bits of the share of an event in a mixture


@dataclass(frozen=True)
class _Test:
    """A test with at least the mass `p` under the first law, and at most `q` under the second."""

    p: int
    q: int


@dataclass(frozen=True)
class _Above:
    """Masses above a place: at most `given` under the first law and exactly `test.q` under the second.

    `given` is at most `test.p`: this is what makes the loss one that is dominated.
    """

    test: _Test
    given: int

    def grown(self, test: _Test, quotient: int, bits: int) -> _Above | None:
        """Return what is there with the mass that a larger test has more, at a place with so large a quotient.

        None where the first law does not have that much, or the test is none that is larger.
        """
        more = test.q - self.test.q
        # Rounded up, as it is compared with what there is at least.
        given = self.given - (-more * quotient >> bits)
        return _Above(test, given) if more >= 0 and given <= test.p else None

    def towards(self, test: _Test, quotient: int, bits: int) -> _Above:
        """Return the same for the greatest part of a test that the first law has enough for, in a mixture with it."""
        now, more_q, more_p = self.test, test.q - self.test.q, test.p - self.test.p
        if more_q <= 0 or more_p < 0:
            return self
        left = now.p - self.given
        lacking = max(1, (more_q * quotient >> bits) - more_p)
        share = min(1 << _SHARE, (left << _SHARE) // lacking)
        mixed = _Test(now.p + (more_p * share >> _SHARE), now.q - (-more_q * share >> _SHARE))
        return self.grown(mixed, quotient, bits) or self


def events_below(events: Events, grid: Grid, greatest: Fraction | None) -> tuple[Loss, Fraction]:
    """Return a loss that the one of a pair dominates, and an offset that its places are counted from.

    The loss at a place is the offset and so many steps. Any events give a lower bound; those of the losses above the
    level that is asked for give a good one. So does about the `greatest` loss, None where there is none.
    """
    places, offset = grid.places, (greatest or Fraction(0)) % grid.step - grid.step / 2**_PART
    # Masses are multiplied by the largest quotient, and their errors with them.
    bits = affordable(grid, grid.bits + 2 * int(max(0, places[-1] + 1) * grid.step) + 16 + 2 * _PART)
    arithmetic = Fixed(bits)
    # Places that the grid leaves out have no mass.
    dense = [0] * (places[-1] - places[0] + 1)

    def test(place: Fraction) -> _Test:
        """Return the test by the losses above a place, each mass at its safe end."""
        first, second = events(place * grid.step + offset, bits)
        return _Test(first[0], second[1])

    now = _Above(_Test(0, 0), 0)
    for k in range(len(places) - 1, -1, -1):
        low, high = arithmetic.exp(arithmetic.of(places[k] * grid.step + offset))
        # To the left of the first place the test may be all outputs.
        half = test(Fraction(places[k - 1] + places[k], 2)) if k else _Test(arithmetic.one, arithmetic.one)
        found = now.grown(half, high, bits)
        if found is None:
            from_here = test(places[k] - Fraction(1, 2**_PART))
            here = now.grown(from_here, high, bits)
            found = now.towards(from_here, high, bits) if here is None else here.towards(half, high, bits)
        elif k:
            found = found.towards(test(Fraction(places[k - 1])), high, bits)
        mass = (found.test.q - now.test.q) * low >> bits
        dense[places[k] - places[0]] = mass * 10**grid.digits >> bits
        now = found
    return Loss(places[0], dense, 0, grid.digits, False), offset
