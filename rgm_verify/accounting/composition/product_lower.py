"""Products of different pairs from below: discrete losses that are certainly smaller, convolved and rounded down.

The curve `H` of a pair is convex in `x = e^epsilon`, and its slope is `-Q(L > epsilon)`. A chord to the right of a grid
point is no steeper than the curve there, so

    P(L > i h) = H_i + x_i Q(L > i h) >= H_i + (H_i - H_(i+1)) / (e^h - 1).

Certified values of `H` thus give a loss on the grid that is stochastically smaller than `L`, by about one step. Since
`E[F(epsilon - L)]` grows with `L` for every curve `F`, the product of the smaller losses has the smaller curve. The
error is one step for each pair of the product, however often it is released: equal releases are one pair.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import reduce

import numpy as np

from rgm_verify.accounting.composition.envelope import FloatArray
from rgm_verify.accounting.composition.loss_tails import Tails, exponents_for, grid_ends, grid_step, variance
from rgm_verify.balls.arithmetic import ball, precision, rational_ends
from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosures
from rgm_verify.gaussians.pair import GaussianPair
from rgm_verify.numbers.bounds import round_down, round_up

_BITS = 128
_DIGITS = 15
_UNIT = 2.0**-53
_RESOLUTION = 300.0  # grid points in a standard deviation of the whole loss
_CUT = 1e-4  # high losses that are left out, as a part of delta
_LOWEST = 1e-7  # the probability of low losses that are left out

SmallerLoss = tuple[int, FloatArray]
"""The index of the first loss, and masses that are no larger than they may be; the rest is dropped."""


def product_epsilon_below(pairs: Sequence[GaussianPair], delta: Fraction) -> float:
    """Return a grid point where the product of the pairs certainly has a divergence over `delta`; 0 without one.

    A lower bound of the composition's epsilon in nats: an adversary may choose these pairs beforehand.

    Args:
        pairs: the factors, one for each excess.
        delta: the level.
    """
    step = _step(pairs)
    loss = _product(pairs, step, float(delta))
    target = round_up(delta)
    # Above the last loss the divergence is 0, which is at most any delta.
    low, high = 0, loss[0] + len(loss[1])
    if _delta_at(loss, step, 0) <= target:
        return 0.0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _delta_at(loss, step, middle) > target else (low, middle)
    return float(low * step)


def product_delta_below(pairs: Sequence[GaussianPair], epsilon: Fraction, guess: float) -> float:
    """Return a lower bound of the divergence of the product at `epsilon`; `guess` is about its size."""
    step = _step(pairs)
    # At the next grid point above: the divergence is smaller there, so that the bound stays one.
    return _delta_at(_product(pairs, step, guess), step, math.ceil(epsilon / step))


def _step(pairs: Sequence[GaussianPair]) -> Fraction:
    """Return the step of the grid, by the deviation of the whole sum."""
    return grid_step(math.sqrt(sum(variance(pair) for pair in pairs)), _RESOLUTION)


def _product(pairs: Sequence[GaussianPair], step: Fraction, delta: float) -> SmallerLoss:
    """Return the composition of the smaller losses."""
    return reduce(_composed, [smaller_loss(pair, step, delta) for pair in pairs])


def smaller_loss(pair: GaussianPair, step: Fraction, delta: float) -> SmallerLoss:
    """Return masses on the grid whose tails are certainly below those of the pair's loss under `P`.

    Args:
        pair: the pair of laws.
        step: of the grid.
        delta: about the level that the divergence is looked at; losses rarer than a small part of it are dropped.
    """
    cells = [(pair,)]
    first, last = grid_ends(Tails.of(cells, exponents_for(cells, 1)), step, delta * _CUT, _LOWEST)
    # Tails fall: a bound that rises is replaced by the one before, which is a bound there too.
    tails = np.minimum.accumulate(np.maximum(_tails_below(pair, step, first, last), 0.0))
    # Differences of lower bounds of tails: partial sums of masses are these bounds again, and so never above the tails.
    masses = tails - np.concatenate([tails[1:], [0.0]])
    return first, np.maximum(np.nextafter(masses, -np.inf), 0.0)


def _tails_below(pair: GaussianPair, step: Fraction, first: int, last: int) -> FloatArray:
    """Return lower bounds of `P(L > i h)` for `first <= i <= last`, as floats of shape (last - first + 1,).

    They come from the curve less `(1 - x)_+`; see `envelope`. Below 0 the curve is near its trivial part, and the
    reversed pair gives the small difference without cancellation.
    """
    turned = pair.reversed()
    below = hockey_stick_enclosures(
        [-i * step for i in range(first, 0)], turned.shift_squared, turned.excess, turned.dimension, digits=_DIGITS
    )
    points = [i * step for i in range(max(first, 0), last + 2)]
    above = hockey_stick_enclosures(points, pair.shift_squared, pair.excess, pair.dimension, digits=_DIGITS)
    lowers = [e.lower or Fraction(0) for e in (*below, *above)]
    uppers = [Fraction(1) if e.upper is None else e.upper for e in (*below, *above)]
    with precision(_BITS):
        h = ball(step)
        factors = [(h * min(i, 0)).exp() for i in range(first, last + 2)]
        inverse = 1 / h.expm1()
        found = []
        for k in range(last - first + 1):
            # P(L > x) = H(x) + e^x Q(L > x), and the tail of Q is at least the slope of H in e^x over the cell above x.
            low, next_up = ball(lowers[k]) * factors[k], ball(uppers[k + 1]) * factors[k + 1]
            end = rational_ends(low + (low - next_up) * inverse + (1 if first + k < 0 else 0))[0]
            found.append(0.0 if end is None else round_down(end))
    return np.array(found)


def _composed(a: SmallerLoss, b: SmallerLoss) -> SmallerLoss:
    """Return the convolution, rounded down: see `envelope.convolve_above` for the error of the sums."""
    terms = min(len(a[1]), len(b[1]))
    product = np.convolve(a[1], b[1]) * (1 - (2 * terms + 8) * _UNIT) - terms * np.finfo(np.float64).tiny
    return a[0] + b[0], np.maximum(product, 0.0)


def _delta_at(loss: SmallerLoss, step: Fraction, index: int) -> float:
    """Return `sum p_k (1 - e^(epsilon - k h))` over the losses above `epsilon = index * step`, rounded down."""
    first, masses = loss
    above = masses[max(0, index + 1 - first) :]
    start = max(first, index + 1)
    # The step has few bits, so the exponents are exact.
    gaps = -np.expm1((index - np.arange(start, start + len(above))) * float(step))
    # fsum is one rounding; the factor covers it, expm1 and the products, and the last term what underflows.
    total = math.fsum(above * gaps) * (1 - 2.0**-48) - len(above) * np.finfo(np.float64).tiny
    return max(0.0, float(total))
