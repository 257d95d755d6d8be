r"""The expected curve of relative Gaussian descent with two nodes, exactly: no seed matters.

A step is `theta - (tau/2) (g_1 + g_2 + noise)`, each node's noise having the variance `gamma_i |g_i|^2 + sigma_i^2` on
every coordinate. On quadratics the mean follows plain gradient descent, and the covariance
`S -> (I - tau H) S (I - tau H) + (tau/2)^2 v I` with `v = sum_i gamma_i E|g_i|^2 + sigma_i^2` and
`E|g_i|^2 = |g_i(mean)|^2 + tr(A_i S A_i)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rgm_verify.errors import InputError
from rgm_verify.learning.data import FloatArray
from rgm_verify.learning.ridge import RidgeObjective


@dataclass(frozen=True)
class NoiseLaw:
    """Noise of variance `gamma |g|^2 + sigma2` on every coordinate of a released gradient g."""

    gamma: float = 0.0
    sigma2: float = 0.0


@dataclass(frozen=True, eq=False)
class Moments:
    """Means (steps + 1, d) and covariances (steps + 1, d, d) of the iterates."""

    means: FloatArray
    covariances: FloatArray


def two_node_moments(
    objectives: Sequence[RidgeObjective],
    noises: Sequence[NoiseLaw],
    start: FloatArray,
    *,
    step: float,
    steps: int,
) -> Moments:
    """Return the first two moments of every iterate of the nodes' common descent from the fixed `start` (d,).

    Any number of nodes that each release their gradient with `noises`, whose mean is followed. Floating-point values;
    nothing cancels in the covariances, whose relative error is about `steps * d * 1e-16`. About `4 d^3` operations a
    step. Raises `InputError` where they leave the range of floats: the step is then too long for that noise.
    """
    d, share = len(start), step / len(objectives)
    contraction = np.eye(d) - share * np.sum([each.hessian for each in objectives], axis=0)
    means, covariances = np.empty((steps + 1, d)), np.zeros((steps + 1, d, d))
    means[0] = start
    with np.errstate(over="ignore", invalid="ignore"):
        for t in range(steps):
            gradients = [each.hessian @ means[t] - each.moment for each in objectives]
            variance = sum(
                noise.gamma * (float(g @ g) + _spread(each.hessian, covariances[t])) + noise.sigma2
                for noise, each, g in zip(noises, objectives, gradients, strict=True)
            )
            means[t + 1] = means[t] - share * np.sum(gradients, axis=0)
            covariances[t + 1] = contraction @ covariances[t] @ contraction + share**2 * variance * np.eye(d)
    if not np.isfinite(covariances[-1]).all() or not np.isfinite(means[-1]).all():
        raise InputError("the second moments leave the range of floats: the step is too long for that noise")
    return Moments(means, covariances)


def _spread(hessian: FloatArray, covariance: FloatArray) -> float:
    """Return `tr(A S A)`, the expected squared norm of a gradient that is 0 at the mean."""
    return float(np.einsum("ij,jk,ik->", hessian, covariance, hessian, optimize=True))
