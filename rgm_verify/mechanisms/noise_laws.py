"""Laws of noise that a mechanism may claim for each coordinate, turned into Gaussian noise for the tests of a suite.

Noise of variance 1 goes through its own distribution function and back through that of the Gaussian law. If the claim
is true the result is standard Gaussian, exactly but for rounding, so that one set of exact tests serves all laws.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class NoiseLaw:
    """A law on the line of mean 0 and variance 1.

    Attributes:
        draw: returns independent draws of a shape.
        as_gaussian: returns noise as Gaussian noise, of the same shape.
    """

    draw: Callable[[np.random.Generator, tuple[int, ...]], FloatArray]
    as_gaussian: Callable[[FloatArray], FloatArray]


def _laplace(generator: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
    return generator.laplace(scale=math.sqrt(0.5), size=shape)


def _laplace_as_gaussian(noise: FloatArray) -> FloatArray:
    from scipy import special

    # By the logarithm of the tail, which is straight: no draw is so far out that its place would be lost.
    tail = special.ndtri_exp(-math.log(2) - math.sqrt(2) * np.abs(noise))
    return np.asarray(-np.sign(noise) * tail, dtype=np.float64)


LAWS: Mapping[str, NoiseLaw] = {
    "gaussian": NoiseLaw(lambda generator, shape: generator.standard_normal(shape), lambda noise: noise),
    "laplace": NoiseLaw(_laplace, _laplace_as_gaussian),
}
"""The laws by the names that `check_mechanism` takes."""
