"""The interface of mechanisms with isotropic Gaussian noise, and the law of their outputs.

`Releases` is what the conformance suite needs, `Mechanism` what the reference mechanisms offer. Both are protocols: a
mechanism of somebody else need not import this library to be put through the suite.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class GaussianLaw:
    """Law of a release: Gaussian around `mean`, independent coordinates with equal `variance` each.

    `mean` has the shape of the value, `variance` the shape of the batch (its leading axes); `variance == 0` means that
    the output is `mean` with certainty (a point mass).
    """

    mean: FloatArray
    variance: FloatArray

    @property
    def dimension(self) -> int:
        """Dimension of one released vector (1 for a scalar)."""
        # An array of no dimension is a scalar, whose law is that of a vector with one coordinate.
        return self.mean.shape[-1] if self.mean.ndim else 1


class Releases(Protocol):
    """The least that the conformance suite needs: something that releases a noisy value."""

    def release(self, value: ArrayLike, generator: np.random.Generator) -> FloatArray:
        """Return a noisy copy of `value`, of the same shape, drawing from `generator` only.

        Args:
            value: a scalar, a vector, or a batch of vectors along the last axis; it is left alone.
            generator: the only source of chance, so that a seed repeats the release.

        Raises:
            InputError: for values that are not finite real numbers and for what is no generator.
        """
        ...


@runtime_checkable
class Mechanism(Releases, Protocol):
    """An additive mechanism whose noise is isotropic and Gaussian, given the value."""

    def variance(self, value: ArrayLike) -> FloatArray:
        """Return the noise variance per coordinate, one for each vector in `value`."""
        ...

    def law(self, value: ArrayLike) -> GaussianLaw:
        """Return the law of `release(value, ...)`."""
        ...

    def renyi(self, x: ArrayLike, y: ArrayLike, alpha: ArrayLike) -> FloatArray:
        """Return the Renyi divergence of order `alpha` of the law at `x` from the law at `y`, in nats; broadcasting."""
        ...
