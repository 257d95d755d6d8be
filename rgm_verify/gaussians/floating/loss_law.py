"""The privacy loss of two isotropic Gaussians, less a threshold, as an affine noncentral chi-square.

With `P = N(mu1, V I)`, `Q = N(mu2, I)`, `V = 1 + excess`, the variable `Y = log dP/dQ - threshold` under `P` has

    log E exp(s Y) = s mean + spread^2 s^2 / (2 (1 - slope s)) - half log1pmx(-slope s),    log1pmx(z) = log(1 + z) - z,

with `spread^2 = shift_squared V`, `slope = excess`, `half = dimension / 2`: nothing in it cancels for `V -> 1`. Under
`Q`, and for `-Y`, the form is the same with other parameters. `Y` ends at `end`, above for `slope < 0` and below for
`slope > 0`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rgm_verify.numbers import twofold

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class LossLaw:
    """`Y` in the module's notation: arrays of one shape.

    Attributes:
        mean: the mean of `Y`, correct to about one rounding.
        end: the end of its range, correct to about one rounding; unused where `slope = 0`.
        spread: the deviation of the part that comes from the distance of the means.
        slope: the coefficient of the chi-square part; its sign is that of the skewness.
        half: half of the dimension.

    Mean and end are the point of this class: both are differences of numbers that may be far larger than they are.
    """

    mean: FloatArray
    end: FloatArray
    spread: FloatArray
    slope: FloatArray
    half: FloatArray

    def negated(self) -> LossLaw:
        """Return the law of `-Y`."""
        return LossLaw(-self.mean, -self.end, self.spread, -self.slope, self.half)

    def where(self, mask: NDArray[np.bool_], other: LossLaw) -> LossLaw:
        """Return this law where `mask` holds and the other elsewhere."""
        mine, others = self.columns(), other.columns()
        return LossLaw(*(np.where(mask, x, y) for x, y in zip(mine, others, strict=True)))

    def at(self, index: NDArray[np.bool_]) -> LossLaw:
        """Return the part of the arrays that `index` chooses."""
        return LossLaw(*(column[index] for column in self.columns()))

    def columns(self) -> tuple[FloatArray, ...]:
        """Return the arrays in the order of the fields."""
        return self.mean, self.end, self.spread, self.slope, self.half

    @property
    def standard(self) -> FloatArray:
        """`|slope| sqrt(half)`: the part of the standard deviation of `Y` that is no shift."""
        return np.asarray(np.abs(self.slope) * np.sqrt(self.half))


def loss_law(threshold: FloatArray, shift_squared: FloatArray, excess: FloatArray, dimension: FloatArray) -> LossLaw:
    """Return the law of `log dP/dQ - threshold` under `P`.

    Args:
        threshold: levels of the loss, in nats.
        shift_squared: squared distances of the means, in units of the second variance.
        excess: relative excesses of the first variance, > -1.
        dimension: dimensions, as floats.

    Returns:
        The law, in arrays of the common shape. Source: `beyond:loss-law`.
    """
    half, log = dimension / 2, twofold.log1p(excess)
    # `excess - log(1 + excess)` in pairs of floats: for nearly equal variances it is the square of a small number.
    scale = twofold.times(twofold.add(twofold.exactly(excess), twofold.negative(log)), half)
    terms = (twofold.exactly(shift_squared / 2), scale, twofold.exactly(-threshold))
    end = _edge(threshold, shift_squared, excess, half, log)
    spread = np.sqrt(shift_squared) * np.sqrt(1 + excess)
    return LossLaw(twofold.total(terms)[0], -end, spread, excess, half)


def reversed_law(
    threshold: FloatArray, shift_squared: FloatArray, excess: FloatArray, dimension: FloatArray
) -> LossLaw:
    """Return the law of `log dQ/dP + threshold` under `Q`; arguments as `loss_law`."""
    half, log = dimension / 2, twofold.log1p(excess)
    ratio = twofold.two_sum(np.ones_like(excess), excess)
    # In the units of the other variance the excess is `-excess / (1 + excess)`.
    share = twofold.quotient(twofold.exactly(excess), ratio)
    scale = twofold.times(twofold.add(log, twofold.negative(share)), half)
    shift = twofold.quotient(twofold.exactly(shift_squared / 2), ratio)
    end = _edge(threshold, shift_squared, excess, half, log)
    spread = np.sqrt(shift_squared) / (1 + excess)
    mean = twofold.total((shift, scale, twofold.exactly(threshold)))[0]
    return LossLaw(mean, end, spread, -share[0], half)


def _edge(
    threshold: FloatArray, shift_squared: FloatArray, excess: FloatArray, half: FloatArray, log: twofold.Twofold
) -> FloatArray:
    """Return `threshold` less the least (`excess < 0`: largest) value of `log dP/dQ`; unused for `excess = 0`."""
    shift = twofold.quotient(twofold.exactly(shift_squared / 2), twofold.exactly(np.where(excess == 0, 1.0, excess)))
    return twofold.total((twofold.times(log, half), shift, twofold.exactly(threshold)))[0]
