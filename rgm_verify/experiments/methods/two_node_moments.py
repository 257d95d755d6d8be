r"""The expected curve of descent with several nodes, exactly for relative noise: no seed matters.

A step with k nodes is `theta - (tau/k) sum_i (g_i + noise_i)`, the noise of a node having the variance
`gamma_i |g_i|^2 + sigma_i^2` on every coordinate. On quadratics the mean of theta follows plain gradient descent, and
its covariance is `S -> (I - tau H) S (I - tau H) + (tau/k)^2 v I` with H the mean of the Hessians,
`v = sum_i gamma_i E|g_i|^2 + sigma_i^2` and `E|g_i|^2 = |g_i(mean)|^2 + tr(A_i S A_i)`. From a fixed start S stays
diagonal in the eigenbasis of H, so that its d variances there are all there is to follow.

Noise at the iterate has the variance `c S(theta)^2`, where `S^2` is a concave function of `|theta - centre|^2` (claim
`beyond:squared-sensitivity-below-its-tangents`): by Jensen's inequality its mean is at most that at the mean squared
distance, and what follows from it is an upper bound on every variance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rgm_verify.experiments.methods.problem import Quadratic
from rgm_verify.learning.data import FloatArray
from rgm_verify.learning.descent.at_the_iterate import NoiseAtTheIterate
from rgm_verify.learning.ridge import RidgeObjective


@dataclass(frozen=True)
class NoiseLaw:
    """Noise of variance `gamma |g|^2 + sigma2` on every coordinate of a released gradient g."""

    gamma: float = 0.0
    sigma2: float = 0.0

    def mean(self, gradient2: float, mean: FloatArray, spread: float) -> float:
        """Return the mean variance where `E|g|^2 = gradient2`; the iterate's law does not matter beside it."""
        return self.gamma * gradient2 + self.sigma2


@dataclass(frozen=True, eq=False)
class NoiseOfIterate:
    """Noise at the iterate, with the public `centre` (d,) from which the sensitivity counts its length."""

    noise: NoiseAtTheIterate
    centre: FloatArray

    def mean(self, gradient2: float, mean: FloatArray, spread: float) -> float:
        """Return an upper bound on the mean variance at iterates of a mean (d,) and a total variance `spread`."""
        apart = mean - self.centre
        length = float(np.sqrt(apart @ apart + spread))
        # Along one axis: the sensitivity depends on the distance from the centre alone.
        point = self.centre + length * np.eye(1, len(apart))[0] if np.isfinite(length) else None
        return np.inf if point is None else float(self.noise.variance(point))


@dataclass(frozen=True, eq=False)
class Moments:
    """Means (k + 1, d) of the first iterates, and their variances (k + 1, d) along `directions`, columns (d, d).

    Coordinates along different directions are uncorrelated.
    """

    means: FloatArray
    variances: FloatArray
    directions: FloatArray

    def expected(self, plotted: Quadratic) -> FloatArray:
        """Return the expectation of a quadratic at each iterate, shape (k + 1,)."""
        # Coordinates along different directions are uncorrelated, so that mixed terms have the mean 0.
        curvatures = np.einsum("ik,ij,jk->k", self.directions, plotted.hessian, self.directions)
        return np.asarray(plotted.at(self.means) + self.variances @ curvatures / 2, dtype=np.float64)


def two_node_moments(
    objectives: Sequence[RidgeObjective],
    noises: Sequence[NoiseLaw | NoiseOfIterate],
    start: FloatArray,
    *,
    step: float,
    steps: int,
) -> Moments:
    """Return the first two moments of the iterates of the nodes' common descent from a fixed start.

    Any number of nodes that each release their gradient with noise, whose mean is followed. About `4 d^2` operations a
    step.

    Args:
        noises: of the nodes, in the same order. With `NoiseOfIterate` variances are upper bounds.
        start: (d,), fixed.
        step: tau.

    Returns:
        Floating-point values; in the variances nothing cancels, and their relative error is about `steps * d * 1e-16`.
        They end before the first that is not in the range of floats, where the step is too long for that noise.
    """
    nodes, share = len(objectives), step / len(objectives)
    # In the eigenbasis of the mean Hessian d variances follow each other; elsewhere it would take d^2 covariances.
    eigenvalues, directions = np.linalg.eigh(np.sum([each.hessian for each in objectives], axis=0) / nodes)
    contraction = np.square(1 - step * eigenvalues)
    # |A_i v|^2 for each direction v: what a variance along v adds to E|g_i|^2.
    steepness = [np.square(each.hessian @ directions).sum(axis=0) for each in objectives]
    means, variances = np.empty((steps + 1, len(start))), np.zeros((steps + 1, len(start)))
    means[0] = start
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        for t in range(steps):
            gradients = [each.hessian @ means[t] - each.moment for each in objectives]
            added = sum(
                noise.mean(float(g @ g + steep @ variances[t]), means[t], float(variances[t].sum()))
                for noise, steep, g in zip(noises, steepness, gradients, strict=True)
            )
            # The mean follows the descent without noise: on quadratics it does not depend on the variances.
            means[t + 1] = means[t] - share * np.sum(gradients, axis=0)
            variances[t + 1] = contraction * variances[t] + share**2 * added
    finite = np.isfinite(np.hstack([means, variances])).all(axis=1)
    kept = steps + 1 if finite.all() else int(np.argmin(finite))
    return Moments(means[:kept], variances[:kept], directions)
