r"""Noisy Newton steps for logistic regression: one release of `sum x x^T`, then gradients with noise at the iterate.

A quarter of `sum x x^T` is above the Hessian everywhere (Böhning and Lindsay 1988), and is the Hessian at 0: steps with
its inverse are taken, from 0. It is released once, in units of the bound, for a fifth of the budget; the gradients
share the rest equally, each with a variance that follows the sensitivity at the iterate, which has been released. All
are Gaussian releases of fixed distances in units of their noise, so that the squares add up
(`beyond:gaussian-composition`), and the sum is what one release at the target has.

Source: claims `beyond:gram-sensitivity`, `beyond:logistic-gradient-at-the-iterate`,
`beyond:noise-at-the-iterate-of-a-step`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from rgm_verify.errors import InputError
from rgm_verify.learning.data import FloatArray
from rgm_verify.learning.descent.at_the_iterate import NoiseAtTheIterate
from rgm_verify.learning.descent.privacy import gaussian_epsilon
from rgm_verify.learning.private_logistic.objective import shares
from rgm_verify.learning.private_logistic.public import PublicLogistic
from rgm_verify.learning.private_ridge.descent import into_ball, require_audible
from rgm_verify.learning.private_ridge.noise import ROUNDED, variance_multiplier
from rgm_verify.learning.private_ridge.statistics import matrix_and_vector
from rgm_verify.learning.sums import gram, sum_of_products
from rgm_verify.mechanisms.gaussian import GaussianMechanism
from rgm_verify.numbers.bounds import round_up
from rgm_verify.numbers.shown import Framed

STEPS = 10
_GRAM_SHARE = Fraction(1, 5)  # of the squared distance that the target allows
_MARGIN = 1 + Fraction(1, 2**30)  # above what the noise is short of by its rounding
_FARTHEST = 10**6  # scores beyond it, on either side, are the same probability
_ROOT = math.sqrt(2)


@dataclass(frozen=True)
class NewtonPlan(Framed):
    """The noise of noisy Newton steps, certified: all `steps` releases and that of the matrix are private together.

    `penalty` is lambda >= 0, of the sum of losses. `gram_variance` is that of `sum x x^T / B^2`; the variance of a
    gradient's noise is `ratio` times the squared sensitivity at the iterate.
    """

    public: PublicLogistic
    epsilon: Fraction
    delta: Fraction
    penalty: Fraction
    gram_variance: Fraction
    ratio: Fraction
    steps: int

    @property
    def distance_squared(self) -> Fraction:
        """What all releases cost together: the sum of squared sensitivities over variances; exact, an upper bound."""
        return ROUNDED * (self.public.gram_sensitivity() ** 2 / self.gram_variance + self.steps / self.ratio)


def newton_plan(
    epsilon: Fraction, delta: Fraction, public: PublicLogistic, penalty: Fraction | None, steps: int
) -> NewtonPlan:
    """Return the plan for a target; `InputError` where no noise within the floats will do, or none is heard."""
    least = variance_multiplier(epsilon, delta) * _MARGIN
    matrix = Fraction(round_up(least / _GRAM_SHARE * public.gram_sensitivity() ** 2))
    ratio = Fraction(round_up(least * steps / (1 - _GRAM_SHARE)))
    plan = NewtonPlan(public, epsilon, delta, penalty or Fraction(0), matrix, ratio, steps)
    # No sensitivity is below half a bound, that at 0; no sum of gradients is above two bounds a record.
    bound = public.feature_bound
    require_audible(2 * public.most_records * bound, ratio * bound**2 / 4)
    require_audible(Fraction(2 * public.most_records), matrix)
    # Calibrated by the probability at epsilon; this is the epsilon at delta, of the variances as they are.
    found = gaussian_epsilon(1, 1 / plan.distance_squared, steps=1, delta=delta).upper
    if not Fraction(found) <= epsilon:
        raise InputError(f"epsilon={float(epsilon):.6g}: could not be certified; ask for a little more")
    return plan


def descended(V: FloatArray, plan: NewtonPlan, generator: np.random.Generator) -> FloatArray:
    """Return the last iterate (d,) for rows `v = y x` (n, d) that keep the bound; every iterate is released."""
    public, lam, bound = plan.public, float(plan.penalty), float(plan.public.feature_bound)
    values, vectors = _curvatures(V, plan, generator)
    noise = NoiseAtTheIterate(plan.ratio, public.gradient_sensitivity)
    theta = np.zeros(public.dimension)
    for _ in range(plan.steps):
        gradient = noise.at(theta).release(-sum_of_products(V, shares(V, theta)), generator) + lam * theta
        # Kept in a ball, which takes public numbers alone, so that no sensitivity leaves the range of floats.
        theta = into_ball(theta - vectors @ (vectors.T @ gradient / values), _FARTHEST / bound)
    return theta


def _curvatures(V: FloatArray, plan: NewtonPlan, generator: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """Return eigenvalues (d,), none below the noise, and vectors of a quarter of the matrix and the penalty."""
    public, bound = plan.public, float(plan.public.feature_bound)
    matrix = gram(V) / (bound * bound)
    # With the root the length of the vector is the Frobenius norm of the whole matrix, of which the sensitivity speaks.
    flat = np.concatenate([np.diag(matrix), _ROOT * matrix[np.triu_indices(public.dimension, 1)]])
    released = GaussianMechanism(plan.gram_variance).release(flat, generator)
    noisy, _ = matrix_and_vector(np.concatenate([released, np.zeros(public.dimension)]), public.dimension)
    values, vectors = np.linalg.eigh(noisy)
    edge = math.sqrt(2 * public.dimension * float(plan.gram_variance))
    return np.maximum(np.maximum(values, 0), edge) * bound * bound / 4 + float(plan.penalty), vectors
