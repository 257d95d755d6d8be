"""The Gaussian mechanism: noise of one fixed variance per coordinate.

The baseline of the paper, and the relative mechanism at `gamma = 0`. Its guarantee is `rgm:gaussian-mechanism`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rgm_verify.mechanisms.protocol import GaussianLaw
from rgm_verify.mechanisms.values import add_noise, affine_variance, checked_values, renyi_of_laws, representable
from rgm_verify.numbers.exact import Floats, NumberInput, positive

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, init=False)
class GaussianMechanism:
    """Release a value plus Gaussian noise of variance `sigma2` on every coordinate. Source: RGM paper (v2), eq. (1).

    `sigma2` is an exact number > 0 (a string such as "0.1", a Fraction, an integer); floats only with
    `floats="binary"`, as the exact binary number they are. Values are scalars, vectors, or batches of vectors along
    the last axis: a one-dimensional array is one vector, a batch of `n` scalars has shape `(n, 1)`.

    Formal Guarantees:
        In real arithmetic, under `|R(x) - R(y)| <= bound` for neighbours, the release is
        `(alpha, alpha bound^2 / (2 sigma2))`-Renyi private for every `alpha > 0`. `bound` depends on the adjacency.

    Edge cases:
        * `sigma2 <= 0`, NaN, infinities, empty or non-numeric values, a missing generator: `InputError`.
        * Noise below the rounding of the value: `InputError`, since the value would be released unchanged.
        * Coordinates and rows of a batch get independent noise; a batch is one release for each row, and the privacy
          of all of them together is that of a composition.

    What this does not protect against:
        * Floating point: the output is a float64, whose low bits depend on the value; the guarantee is that of real
          numbers. Do not use this where an adversary sees the bits (use a discrete mechanism there).
        * The generator: PCG64 is no cryptographic generator, and whoever knows the seed knows the noise.
        * Running time, and a sensitivity that is not what was claimed.
    """

    sigma2: Fraction

    def __init__(self, sigma2: NumberInput, *, floats: Floats = "refuse") -> None:
        # Exact until it is used: an account is made with the number that was typed, and only the release rounds it.
        variance = positive(sigma2, name="sigma2", meaning="the noise variance", floats=floats)
        object.__setattr__(self, "sigma2", representable(variance, name="sigma2"))

    def variance(self, value: ArrayLike) -> FloatArray:
        """Return the noise variance per coordinate, shape of the batch; `sigma2` rounded to the nearest float."""
        return affine_variance(checked_values(value), Fraction(0), self.sigma2)

    def release(self, value: ArrayLike, generator: np.random.Generator) -> FloatArray:
        """Return a new array, `value` plus noise, of the same shape. `InputError` as listed in the class."""
        values = checked_values(value)
        return add_noise(values, affine_variance(values, Fraction(0), self.sigma2), generator)

    def law(self, value: ArrayLike) -> GaussianLaw:
        """Return the law of `release(value, ...)`: mean and variance per coordinate. The variance is the rounded
        one.
        """
        return GaussianLaw(checked_values(value), self.variance(value))

    def renyi(self, x: ArrayLike, y: ArrayLike, alpha: ArrayLike) -> FloatArray:
        """Return the Renyi divergence of order `alpha` of the law at `x` from the law at `y`.

        Args:
            x: a value, or a batch of them along the leading axes.
            y: as `x`, of the same dimension.
            alpha: orders > 0; 1 is the Kullback-Leibler divergence.

        Returns:
            Floats in nats, in the common shape of the batches and `alpha`: `alpha |x - y|^2 / (2 sigma2)`, rounded, no
                bound.

        Raises:
            InputError: for bad values and for shapes that do not broadcast.

        Examples:
            >>> float(GaussianMechanism(1).renyi([0.0, 0.0], [3.0, 4.0], 2))
            25.0
        """
        return renyi_of_laws(self.law(x), self.law(y), alpha)
