"""Adaptive composition by value iteration: an upper bound of the hockey-stick curve over every adaptive adversary.

An adversary of `T` releases chooses an admissible pair, in either order, after each output. With `F_0(e) =
(1 - e^e)_+`, the supremum of its hockey-stick divergence is at most `F_T(epsilon)`, where

    F_t(e) = sup over admissible pairs of E_{L ~ P}[F_{t-1}(e - L)]

since after the first output with loss `L` what is left has to reach `e - L` with `t - 1` releases. Each `F_t` is a
supremum of hockey-stick curves, so convex and not increasing in `e^e`, from 1 to 0. By induction the numbers computed
here are not below it on the grid `h Z`: if `G_{t-1} >= F_{t-1}` on the grid, then for the discrete loss of a cell,

    E_P[F_{t-1}(e - L)] <= p_inf + sum_i p_i F_{t-1}(e - i h) <= p_inf + sum_i p_i G_{t-1}(e - i h)

and `G_t` is the greatest of the right-hand sides over the cells, rounded up. No property of `G` itself is used, so
outside the window that is kept it may be any upper bound: 1 to the left, the last value to the right.
For different releases the bound is for the order in which they are given.
Source: derived in `derivations/beyond/composition/composition.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from rgm_verify.accounting.composition.envelope import DiscreteLoss, FloatArray, convolve_above
from rgm_verify.balls.arithmetic import ball, precision, rational_ends
from rgm_verify.errors import takes
from rgm_verify.numbers.bounds import round_up

_BITS = 96
_BLOCK = 64  # a longer one has more zeros in its matrix, a shorter one less in common
_MOST_ENTRIES = 1 << 22  # of a matrix, about: 32 MiB


@dataclass(frozen=True, eq=False)
class Curve:
    """Upper bounds `values[k]` of a hockey-stick curve at the epsilons `(first + k) step`, in nats.

    The curve that they bound is convex in `e^epsilon`; the bounds themselves need not be.

    Attributes:
        step: exact.
        first: the index of the first epsilon.
        values: floats in [0, 1], shape (n,).
    """

    step: Fraction
    first: int
    values: FloatArray

    @property
    def last(self) -> int:
        """The index of the largest epsilon."""
        return self.first + len(self.values) - 1

    def at(self, first: int, last: int) -> FloatArray:
        """Return upper bounds at the indices `first` to `last`, as floats of shape (last - first + 1,).

        Left of the window the trivial bound 1 stands in, right of it the last value, since the curve does not increase.
        """
        # 1 bounds every divergence to the left; to the right the last value does, since curves fall.
        left = np.ones(max(0, min(self.first, last + 1) - first))
        right = np.full(max(0, last - max(self.last, first - 1)), self.values[-1])
        inside = self.values[max(0, first - self.first) : max(0, last - self.first + 1)]
        return np.concatenate([left, inside, right])


def no_release(step: Fraction, first: int, last: int) -> Curve:
    """Return the curve `(1 - e^epsilon)_+` of no release at all, rounded up."""
    exponents = np.arange(first, last + 1) * float(step)
    with np.errstate(over="ignore", under="ignore"):
        values = np.maximum(-np.expm1(exponents), 0.0)
    # The step has few bits, so the exponents are exact; expm1 is within a few ulp, and 16 are added.
    return Curve(step, first, np.minimum(values * (1 + 2.0**-49), 1.0))


class Choice:
    """The choice of an adversary in one release, made ready for many curves: convolutions with every loss at once.

    Some neighbouring values of all convolutions are one matrix, of the masses in shifted rows, times what they need
    of the curve, so that a whole window is a product of two matrices. Products and sums are those of a convolution and
    zeros, and so is the bound of their rounding (`envelope.convolve_above`), which holds for sums in any order.

    Args:
        losses: one for each cell; the adversary takes the worst.
    """

    def __init__(self, losses: Sequence[DiscreteLoss]) -> None:
        self.first, self.last = min(loss.first for loss in losses), max(loss.last for loss in losses)
        self.terms = self.last - self.first + 1
        self.infinite = np.array([loss.infinite for loss in losses])[:, None]
        # Each row has the masses from the last loss down: the value at an index meets the curve at index - loss.
        self.block = max(1, min(_BLOCK, _MOST_ENTRIES // (len(losses) * self.terms)))
        rows = np.zeros((len(losses), self.terms + 2 * (self.block - 1)))
        for row, loss in zip(rows, losses, strict=True):
            start = self.block - 1 + self.last - loss.last
            row[start : start + len(loss.masses)] = loss.masses[::-1]
        self.width = self.terms + self.block - 1
        shifted = sliding_window_view(rows, self.width, axis=1)[:, ::-1]
        self.matrix = np.ascontiguousarray(shifted.reshape(-1, self.width).T)

    def before(self, curve: Curve, first: int, last: int) -> Curve:
        """Return the curve with this release before it, at the indices `first` to `last`, rounded up.

        Args:
            curve: the curve of the releases that come after.
            first: the first index wanted.
        """
        blocks = -(-(last - first + 1) // self.block)
        values = curve.at(first - self.last, first + blocks * self.block - 1 - self.first)
        parts = np.ascontiguousarray(sliding_window_view(values, self.width)[:: self.block])
        found = (parts @ self.matrix).reshape(blocks, len(self.infinite), self.block)
        # The adversary sees what came before and takes the worst cell: the greatest value at each point by itself.
        best = (found + self.infinite).max(axis=1).reshape(-1)[: last - first + 1]
        # As for a convolution, and two roundings more: of the last sum, and of this one.
        best = best * (1 + (2 * self.terms + 12) * 2.0**-53) + self.terms * np.finfo(np.float64).tiny
        return Curve(curve.step, first, np.minimum(best, 1.0))


def adaptive_curve(
    stages: Iterable[Sequence[DiscreteLoss]], windows: Sequence[tuple[int, int]], step: Fraction
) -> Curve:
    """Return the curve after all releases: `stages` holds the losses of each release, the *last* release first.

    `windows[t]` are the first and the last index kept when `t` releases are done with.
    """
    curve = no_release(step, *windows[0])
    before: Sequence[DiscreteLoss] | None = None
    choice: Choice | None = None
    for losses, (first, last) in zip(stages, windows[1:], strict=True):
        # Equal releases follow each other, and are made ready once.
        if choice is None or losses is not before:
            before, choice = losses, Choice(losses)
        curve = choice.before(curve, first, last)
    return curve


@takes(loss=DiscreteLoss)
def fixed_curve(loss: DiscreteLoss, first: int, last: int) -> Curve:
    """Return the curve of one discrete loss at the indices `first` to `last` of its grid, rounded up."""
    start = no_release(loss.step, first - loss.last, last - loss.first)
    values = convolve_above(start.values, loss.masses, "valid")
    # One more rounding, of the last sum.
    return Curve(loss.step, first, np.minimum((values + loss.infinite) * (1 + 2.0**-52), 1.0))


# --------------------------------------------------------------------------------------- reading a curve


@takes(curve=Curve)
def epsilon_above(curve: Curve, delta: Fraction) -> float:
    """Return an upper bound of the least epsilon >= 0 with divergence <= `delta`; `inf` beyond the window.

    Between two grid points the chord in `e^epsilon` lies above the curve.
    """
    low = np.nonzero(curve.values <= _below(delta))[0]
    if len(low) == 0:
        return float("inf")
    place = int(low[0])
    index = curve.first + place
    # Epsilon is asked for from 0 on, however small the divergence is.
    if index <= 0:
        return 0.0
    if place == 0:
        return round_up(index * curve.step)
    before, after = (Fraction(float(curve.values[k])) for k in (place - 1, place))
    # Exactly, in rationals: the chord is where the bound comes from.
    share = (before - delta) / (before - after)
    with precision(_BITS):
        rise = (1 + ball(share) * ball(curve.step).expm1()).log()
        upper = rational_ends(ball((index - 1) * curve.step) + rise)[1]
    return round_up(index * curve.step) if upper is None else max(0.0, round_up(upper))


@takes(curve=Curve)
def delta_above(curve: Curve, epsilon: Fraction) -> float:
    """Return an upper bound of the divergence at `epsilon`, on the chord between its grid neighbours."""
    index = epsilon // curve.step
    # Convex in e^epsilon, so that the chord between two bounds is above the curve.
    before, after = (Fraction(float(value)) for value in curve.at(index, index + 1))
    with precision(_BITS):
        share = ball(epsilon - index * curve.step).expm1() / ball(curve.step).expm1()
        upper = rational_ends(ball(before) + (ball(after) - ball(before)) * share)[1]
    return round_up(before) if upper is None else min(1.0, round_up(upper))


def _below(delta: Fraction) -> float:
    """Return the largest float that is at most delta."""
    # Downwards: a value that is at most this is at most delta, whatever delta's nearest float is.
    return -round_up(-delta)
