"""Discrete losses on both sides of that of a release whose curve is known at every level, over integers.

Let `v(l)` be the largest divergence at the level `l >= 0` of all pairs of a release, in either order. At a level below
0 it is `1 - e^l + e^l v(-l)`, since exchanging the laws turns the level around. The curve is convex in `x = e^l`, as a
supremum of convex curves, so that the curve with its kinks at the places of a grid, through values that are not below
it, is nowhere below it. The masses of the loss with that curve are differences of its slopes; each is rounded up, and
one that rounding made negative is taken as 0, which only lifts the curve (`beyond:value-iteration-kernel`).

From below the losses of one pair are counted: a chord to the right of a place is no steeper than the curve there, whose
slope is minus the probability of a greater loss under the second law. So `H_i + (H_i - H_j)/(x_j/x_i - 1)` is at most
the probability of a loss greater than that of place i under the first law.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

from rgm_verify.recheck.fixed import Fixed, Span, minus, plus, up
from rgm_verify.recheck.losses import Loss
from rgm_verify.recheck.refusal import Refused
from rgm_verify.recheck.sampled import Grid

MOST_BITS = 50_000
MOST_WORK = 50_000_000
"""Bits of all places of a grid; so many take some minutes."""

Curve: TypeAlias = Callable[[Fraction, int], Span]
"""The divergence at a level, in units of `2^-bits`."""


def dots_above(curve: Curve, grid: Grid, *, both: bool = False) -> Loss:
    """Return a loss that dominates every pair of a release; `curve` is asked for its upper ends at levels `>= 0`.

    With `both` it is asked at levels of either sign. The values of the curve may be too large but not too small: a
    `curve` that is below the truth makes the result wrong. Places of the grid are levels in units of its step; they
    go from at most 0 to more than 0 and include 0, else `Refused`. The result has no more places than the span of the
    grid, and its width over the truth falls with the step.
    """
    places = grid.places
    if places[0] > 0 or places[-1] <= 0 or 0 not in places:
        raise Refused("runs: a grid of this release goes from at most 0 to more than 0, with 0 as a place")
    arithmetic = _fine(grid)
    # What lies above (1 - x)_+, the curve of no loss at all.
    asked = places if both else sorted({abs(place) for place in places})
    highest = {place: curve(place * grid.step, arithmetic.bits)[1] for place in asked}
    if both:
        highest = _below_chords(highest, places, grid, arithmetic)
    dots: list[Span] = []
    for place in places:
        high = min(arithmetic.one, highest[place if both else abs(place)])
        dot = high, high
        if place < 0:
            scale = _scale(place, grid, arithmetic)
            # The other order has as much times e^l; of this one 1 - e^l is taken off.
            dot = minus(dot, minus((arithmetic.one, arithmetic.one), scale)) if both else arithmetic.times(scale, dot)
        dots.append(dot)
    masses: list[Span] = [(0, 0) for _ in places]
    # A mass is a change of slope times x. Left of the first place the curve is a chord from x = 0, where it is (1 -
    # x)_+.
    masses[0] = -dots[0][1], -dots[0][0]
    # And (1 - x)_+ itself has its kink at x = 1, which is why 0 has to be a place.
    masses[places.index(0)] = plus(masses[places.index(0)], (arithmetic.one, arithmetic.one))
    for k, ((a, b), (left, right)) in enumerate(zip(pairwise(dots), pairwise(places), strict=True)):
        wide = _scale(right - left, grid, arithmetic)
        # The slope between two places, in units of 1/x at the left one and at the right one.
        rise = arithmetic.over(minus(b, a), minus(wide, (arithmetic.one, arithmetic.one)))
        masses[k] = plus(masses[k], rise)
        masses[k + 1] = minus(masses[k + 1], arithmetic.times(rise, wide))
    dense = [0] * (places[-1] - places[0] + 1)
    one = 10**grid.digits
    for place, mass in zip(places, masses, strict=True):
        dense[place - places[0]] = up(max(0, mass[1]) * one, arithmetic.one)
    # To the right of the last place a curve never rises: its value there, as a mass at infinity, is above the rest of
    # it.
    return Loss(places[0], dense, up(dots[-1][1] * one, arithmetic.one), grid.digits, True)


def _below_chords(highest: dict[int, int], places: Sequence[int], grid: Grid, arithmetic: Fixed) -> dict[int, int]:
    """Return the bounds of a convex curve, each no higher than the chords through others.

    Which others are taken is a guide: any chord lies above the curve. Bounds that are each the best of a few may jut
    out, and their slopes would not be those of any loss.
    """
    xs = {place: _scale(place, grid, arithmetic) for place in places}
    kept: list[int] = []
    for k in places:
        while len(kept) > 1:
            i, j = kept[-2:]
            if (highest[j] - highest[i]) * (xs[k][0] - xs[j][0]) < (highest[k] - highest[j]) * (xs[j][0] - xs[i][0]):
                break
            kept.pop()
        kept.append(k)
    found = dict(highest)
    for left, right in pairwise(kept):
        fall = highest[left] - highest[right]
        for place in places[places.index(left) + 1 : places.index(right)]:
            # Its share of the way down, at least; at most where the chord rises, as rounding may make it.
            share = arithmetic.over(minus(xs[place], xs[left]), minus(xs[right], xs[left]))[0 if fall >= 0 else 1]
            found[place] = min(highest[place], highest[left] - (fall * share >> arithmetic.bits))
    return found


def dots_below(curve: Curve, grid: Grid) -> Loss:
    """Return a loss that is certainly smaller than that of one pair; `curve` is asked at levels of either sign.

    The `curve` is that of this pair in this order, enclosed from both sides.
    """
    places, arithmetic = grid.places, _fine(grid)
    values = [curve(place * grid.step, arithmetic.bits) for place in places]
    tails = []
    for (a, b), (left, right) in zip(pairwise(values), pairwise(places), strict=True):
        wide = minus(_scale(right - left, grid, arithmetic), (arithmetic.one, arithmetic.one))
        # Rounding may leave it below 0, which no probability is.
        tails.append(max(0, a[0] + arithmetic.over(minus(a, b), wide)[0]))
    dense = [0] * (places[-1] - places[0] + 1)
    one, counted = 10**grid.digits, 0
    # A probability of a greater loss is no less than one further to the right.
    for place, tail in zip(reversed(places[:-1]), reversed(tails), strict=True):
        reached = max(counted, min(one, tail * one // arithmetic.one))
        dense[place - places[0]] = reached - counted
        counted = reached
    return Loss(places[0], dense, 0, grid.digits, False)


def _fine(grid: Grid) -> Fixed:
    """Return an arithmetic whose units stay small beside the masses when they are multiplied by the largest `e^l`."""
    # The divergence at a level l is known to e^l units.
    reach = max(0, grid.places[-1]) * grid.step
    return Fixed(affordable(grid, grid.bits + 2 * int(reach) + 16))


def affordable(grid: Grid, bits: int) -> int:
    """Return the bits of an arithmetic in which every place of a grid has its values; `Refused` if they are too many.

    The time of a replay goes with both numbers, and the bits with the largest loss of the grid.
    """
    if bits > MOST_BITS or bits * len(grid.places) > MOST_WORK:
        raise Refused(
            f"a curve at {len(grid.places)} places to {bits} bits: at most {MOST_BITS} bits and {MOST_WORK} together"
        )
    return bits


def _scale(places: int, grid: Grid, arithmetic: Fixed) -> Span:
    """Return `e^(places * step)`."""
    return arithmetic.exp(arithmetic.of(places * grid.step))
