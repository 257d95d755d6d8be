"""The Laplace mechanism: noise of one scale on every coordinate, for a query with a sensitivity in the 1-norm.

Its account is the line `laplace-vector` of a plan (`accounting.plans.kinds.vectors`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rgm_verify.mechanisms.values import add_noise, affine_variance, checked_values, representable
from rgm_verify.numbers.exact import Floats, NumberInput, positive

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, init=False)
class LaplaceMechanism:
    """Release a value plus Laplace noise of one `scale` on every coordinate.

    `scale` is an exact number > 0; floats only with `floats="binary"`. Values are scalars, vectors, or batches of
    vectors along the last axis: a one-dimensional array is one vector, a batch of `n` scalars has shape `(n, 1)`.

    Formal Guarantees:
        In real arithmetic, where the query of neighbours differs by at most `l1` in the 1-norm, a release is
        `l1/scale`-private. `laplace-vector` has the whole curve, and that of many releases.

    Edge cases:
        * `scale <= 0`, NaN, infinities, empty or non-numeric values, a missing generator: `InputError`.
        * Noise below the rounding of the value: `InputError`, since the value would be released unchanged.

    What this does not protect against:
        * Floating point: the output is a float64, whose low bits depend on the value. Where an adversary sees the bits,
          use `exact_noise.DiscreteLaplaceMechanism` on integers.
        * The generator, running time, and a sensitivity that is not what was claimed.

    Examples:
        >>> LaplaceMechanism("1/2").variance([3.0, 4.0])
        array(0.5)
    """

    scale: Fraction

    def __init__(self, scale: NumberInput, *, floats: Floats = "refuse") -> None:
        found = positive(scale, name="scale", meaning="the noise scale", floats=floats)
        representable(2 * found**2, name="scale")
        object.__setattr__(self, "scale", found)

    def variance(self, value: ArrayLike) -> FloatArray:
        """Return the noise variance per coordinate, shape of the batch; `2 scale^2` rounded to the nearest float."""
        return affine_variance(checked_values(value), Fraction(0), 2 * self.scale**2)

    def release(self, value: ArrayLike, generator: np.random.Generator) -> FloatArray:
        """Return a new array, `value` plus noise, of the same shape. `InputError` as listed in the class."""
        return add_noise(checked_values(value), self.variance(value), generator, law="laplace")
