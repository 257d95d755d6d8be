"""Mechanisms to audit: a correct one, and what goes wrong in practice.

    rgm-verify audit examples/audit_me.py:correct --x '[11, 0]' --y '[10, 0]' --delta 1/20 --claimed-epsilon 2
    rgm-verify audit examples/audit_me.py:norm_not_squared --x '[11, 0]' --y '[10, 0]' --delta 1/20 --claimed-epsilon 2

The claim is about the Relative Gaussian Mechanism with `gamma = 1/100` for a query of relative sensitivity `1/10`:
`rgm-verify account --eta 1/10 --gamma 1/100 --d 2 --delta 1/20` says what is true.
"""

import numpy as np
from numpy.typing import NDArray

from rgm_verify.mechanisms import RelativeGaussianMechanism

GAMMA = 0.01
Vector = NDArray[np.float64]

# An object with `release(value, generator)` can be audited as it is.
correct = RelativeGaussianMechanism("1/100", 0)


def norm_not_squared(value: Vector, generator: np.random.Generator, size: int) -> Vector:
    """Noise of variance `gamma |value|`: fine where the norm is 1, and too little where it is large."""
    deviation = float(np.sqrt(GAMMA * np.linalg.norm(value)))
    return value + deviation * generator.standard_normal((size, len(value)))


def reused_seed(value: Vector, generator: np.random.Generator) -> Vector:
    """Noise from a seed that stands in the code: the same every time, so it hides nothing."""
    deviation = float(np.sqrt(GAMMA) * np.linalg.norm(value))
    return value + deviation * np.random.default_rng(2026).standard_normal(len(value))
