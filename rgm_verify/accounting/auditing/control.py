"""The power control of an audit: noise that violates a claim by a stated amount, which the audit has to reject."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from scipy import special

from rgm_verify.accounting.auditing.samples import FloatArray, Sampler

_BISECTIONS = 200


def control_samplers(epsilon: Fraction, delta: Fraction, dimension: int, factor: float) -> tuple[Sampler, Sampler]:
    """Return two laws in `dimension` that meet (epsilon, delta) for a sensitivity `factor` times smaller than it is.

    Gaussian noise; Laplace noise where `delta = 0`, which no Gaussian meets. They are equal where both are 0.
    """
    # Along one coordinate: the others have equal laws, so that the pair is as private as in one dimension.
    shift = np.zeros(dimension)
    shift[0] = factor * (float(epsilon) if delta == 0 else gaussian_shift(float(epsilon), float(delta)))

    def noise(generator: np.random.Generator, size: int) -> FloatArray:
        shape = size, dimension
        return generator.laplace(size=shape) if delta == 0 else generator.standard_normal(shape)

    return lambda generator, size: noise(generator, size) + shift, noise


def gaussian_shift(epsilon: float, delta: float) -> float:
    """Return the shift at which unit Gaussian noise is exactly (epsilon, delta)-private, about, by bisection.

    A float for `epsilon >= 0`, `0 < delta < 1`, good enough for a control.
    Source: Balle and Wang, ICML 2018, Theorem 8.
    """
    low, high = 0.0, 2 * math.sqrt(2 * epsilon) + 80
    for _ in range(_BISECTIONS):
        shift = (low + high) / 2
        # exp and log_ndtr together, since the factor e^epsilon alone overflows where the product is small.
        second = math.exp(epsilon + float(special.log_ndtr(-shift / 2 - epsilon / shift)))
        low, high = (shift, high) if special.ndtr(shift / 2 - epsilon / shift) - second <= delta else (low, shift)
    # The end that keeps to delta, so that the control violates the claim by its factor and not by the bisection.
    return low
