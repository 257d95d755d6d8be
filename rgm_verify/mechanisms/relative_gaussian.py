"""The relative Gaussian mechanism: noise whose variance grows with the squared norm of what is released.

Where neighbouring outputs differ by a share of their norm, the noise needs to be no larger than a share of it. What
this costs is Theorem 1 (`rgm-v2:theorem-1`), computed in `accounting`; this module only releases.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rgm_verify.errors import InputError
from rgm_verify.mechanisms.protocol import GaussianLaw
from rgm_verify.mechanisms.values import add_noise, affine_variance, checked_values, renyi_of_laws, representable
from rgm_verify.numbers.exact import Floats, NumberInput, nonnegative

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, init=False)
class RelativeGaussianMechanism:
    """Release a value plus Gaussian noise of variance `gamma |value|^2 + sigma2` on every coordinate.

    Source: RGM paper (v2), Definition 3; the variance there is per coordinate. `|.|` is the Euclidean norm over the
    last axis. `gamma` and `sigma2` are exact numbers >= 0, not both 0 (strings, Fractions, integers); floats only with
    `floats="binary"`, as the exact binary numbers they are. Values are scalars, vectors, or batches of vectors along
    the last axis: a one-dimensional array is one vector, a batch of `n` scalars has shape `(n, 1)`.

    Formal Guarantees:
        * In real arithmetic the release at `x` is exactly `N(R(x), (gamma |R(x)|^2 + sigma2) I)`.
        * For two outputs the Renyi divergence is that of two Gaussians (`renyi`); a privacy guarantee needs in addition
          relative sensitivity (`mechanisms.sensitivity.RelativeSensitivity`), and holds for a bounded range of orders.
        * `gamma = 0` is the Gaussian mechanism, bit for bit on the same random stream.

    Edge cases:
        * `sigma2 = 0` and a value of 0: the noise has variance 0, the release is 0 with certainty (a point mass), and
          its divergence from every other law is `+inf`. With `R_rel = 0` a neighbour of 0 is 0, so this is sound then.
        * `gamma = sigma2 = 0`, negative parameters, NaN, infinities, empty or non-numeric values, a missing generator:
          `InputError`.
        * A squared norm that overflows, a variance that underflows to 0 for a value that is not 0, noise below the
          rounding of the value: `InputError`, never a release without noise.
        * Coordinates and rows of a batch get independent noise; a batch is one release for each row, and the privacy
          of all of them together is that of a composition.

    What this does not protect against:
        * Floating point: the output is a float64, whose low bits depend on the value, and the variance is rounded (a
          relative error of about 1e-16 times the dimension). The guarantee is that of real numbers.
        * Errors: that an `InputError` was raised depends on the private value, and is not private.
        * The generator: PCG64 is no cryptographic generator, and whoever knows the seed knows the noise.
        * The norm: the size of the noise reveals it, at any `sigma2`, which no choice of `gamma` prevents.
    """

    gamma: Fraction
    sigma2: Fraction

    def __init__(self, gamma: NumberInput, sigma2: NumberInput, *, floats: Floats = "refuse") -> None:
        ratio = nonnegative(gamma, name="gamma", meaning="the noise ratio", floats=floats)
        variance = nonnegative(sigma2, name="sigma2", meaning="the noise variance", floats=floats)
        # Frozen, so that the parameters which an account has used are those of the release; exact, so that the account
        # is.
        object.__setattr__(self, "gamma", representable(ratio, name="gamma"))
        object.__setattr__(self, "sigma2", representable(variance, name="sigma2"))
        if self.gamma == self.sigma2 == 0:
            raise InputError("gamma=0, sigma2=0: there would be no noise at all; one of them must be > 0")

    def variance(self, value: ArrayLike) -> FloatArray:
        """Return the noise variance per coordinate, one for each vector: the shape of the batch, `()` for one vector.

        A floating-point value with a relative error of about (dimension + 4) * 1e-16.

        Raises:
            InputError: as listed in the class.

        Examples:
            >>> float(RelativeGaussianMechanism("1/4", 1).variance([3.0, 4.0]))
            7.25
        """
        return affine_variance(checked_values(value), self.gamma, self.sigma2)

    def release(self, value: ArrayLike, generator: np.random.Generator) -> FloatArray:
        """Return a new array, `value` plus noise, of the same shape. `InputError` as listed in the class."""
        # Checked once: `checked_values` copies, so that another thread cannot change the value between its norm and its
        # noise.
        values = checked_values(value)
        return add_noise(values, affine_variance(values, self.gamma, self.sigma2), generator)

    def law(self, value: ArrayLike) -> GaussianLaw:
        """Return the law of `release(value, ...)`: mean and variance per coordinate."""
        return GaussianLaw(checked_values(value), self.variance(value))

    def renyi(self, x: ArrayLike, y: ArrayLike, alpha: ArrayLike) -> FloatArray:
        """Return the Renyi divergence of order `alpha` of the law at `x` from the law at `y`.

        Neither an upper nor a lower bound: the two variances are rounded before they are compared. Where that matters
        use `rgm_verify.gaussians.symbolic.renyi_enclosure`.

        Args:
            x: a value, or a batch of them along the leading axes.
            y: as `x`, of the same dimension.
            alpha: orders > 0; 1 is the Kullback-Leibler divergence.

        Returns:
            Floats in nats, `inf` where the divergence is infinite; the shapes of batches and orders broadcast.

        Raises:
            InputError: for bad values and for shapes that do not broadcast.
        """
        return renyi_of_laws(self.law(x), self.law(y), alpha)
