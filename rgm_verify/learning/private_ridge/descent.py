"""Noisy gradient descent on ridge regression in a public ball: the part of a private fit that touches the data."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from rgm_verify.errors import InputError, reject
from rgm_verify.learning.data import EPS, FloatArray, row_norms_above
from rgm_verify.learning.descent import utility
from rgm_verify.learning.private_ridge.account import RidgePrivacy
from rgm_verify.learning.private_ridge.noise import Noise
from rgm_verify.learning.private_ridge.sensitivity import PublicRidge
from rgm_verify.learning.ridge import RidgeObjective
from rgm_verify.learning.sums import gram, sum_of_products
from rgm_verify.mechanisms.relative_gaussian import RelativeGaussianMechanism

_FAR = 1e150  # iterates beyond are moved there first, so that no norm overflows
MOST_PLANNED_STEPS = 1000


def objective_of(X: FloatArray, y: FloatArray, public: PublicRidge) -> RidgeObjective:
    """Return the second moments of records that keep the bounds, divided by the public divisor."""
    n = public.divisor
    mu = float(public.regularization)
    # By the divisor and not by the number of records, which may be private.
    hessian = gram(X) / n + mu * np.eye(public.dimension)
    return RidgeObjective(hessian, sum_of_products(X, y) / n, float(y @ y) / (2 * n), mu, n)


def descend(objective: RidgeObjective, privacy: RidgePrivacy, generator: np.random.Generator) -> FloatArray:
    """Return the last of the iterates `theta - step * release(gradient)`, from 0, each moved back into the ball.

    Moving an iterate back takes public numbers only, and brings it no farther from anything in the ball: so what holds
    of the squared distance to a minimiser there, step by step, holds here (`utility.distance_bound`).
    """
    theta, step, radius = np.zeros(objective.dimension), _step_of(privacy), privacy.public.radius
    for _ in range(privacy.steps):
        # The gradient from the moments, whose rounding `PublicRidge.rounding` bounds for all data in bounds.
        released = privacy.noise_at(theta).release(objective.hessian @ theta - objective.moment, generator)
        with np.errstate(over="ignore", under="ignore"):
            theta = into_ball(np.clip(theta - step * released, -_FAR, _FAR), radius)
    return theta


def into_ball(theta: FloatArray, radius: float) -> FloatArray:
    """Return `theta`, or the point of the ball next to it: its norm is <= `radius` in exact arithmetic."""
    # From above, so that what is let through unchanged is inside for certain: the sensitivity counts on it.
    norm = float(row_norms_above(theta[np.newaxis])[0])
    return theta if norm <= radius else np.asarray(theta * (radius / norm * (1 - 4 * EPS)), dtype=np.float64)


def largest_distance(privacy: RidgePrivacy) -> float:
    """Return a bound on `E |theta - theta_*|^2` after all steps, from public numbers alone: for all data in bounds.

    `theta_*` is the minimiser for the records as they were clipped, which has to lie in the ball. Rounded up; it counts
    no rounding of the descent itself. Raises `InputError` for "auto" and "statistics", which are no descent. Source:
    claim `beyond:sharp-theorem`.
    """
    public, step = privacy.public, _step_of(privacy)
    return utility.distance_bound(
        Fraction(public.minimiser_radius) ** 2,
        public.regularization,
        public.smoothness,
        step=step,
        steps=privacy.steps,
        gamma=noise_ratio(privacy.noise),
        sigma2=privacy.variances[1],
        dimension=public.dimension,
    )


def _step_of(privacy: RidgePrivacy) -> float:
    if privacy.step is None:
        raise reject("privacy", privacy.mechanism, "expected the account of a descent: gaussian, iterate or relative")
    return privacy.step


def planned_steps(public: PublicRidge, variance: float, step: float | None) -> int:
    """Return the number of steps up to 1000 with the least bound on the distance, `variance` being that of one step's.

    With T steps each has T times the variance. From public numbers alone, for Gaussian noise, to within a factor of
    1.2; no privacy rests on it. Without a `step` that of the Gaussian descent is taken, 1 / (B^2 + mu).
    """
    smoothness, mu = float(public.smoothness), float(public.regularization)
    tau = 1 / smoothness if step is None else step
    q = max((1 - tau * c) ** 2 for c in (mu, smoothness))
    start, added = public.minimiser_radius**2, public.dimension * tau**2 * variance

    def bound(count: int) -> float:
        growth = count * math.log(q) if q > 0 else -math.inf
        if growth > 500:
            return math.inf
        total = float(count) if q == 1 else math.expm1(growth) / (q - 1)
        return math.exp(growth) * start + added * count * total

    # A grid in ratio 1.2: the bound is flat near its least value, and a plan need not be the best.
    candidates = sorted({min(MOST_PLANNED_STEPS, round(1.2**k)) for k in range(40)})
    return min(candidates, key=bound)


def default_step(public: PublicRidge, noise: Noise) -> float:
    """Return `1 / ((1 + gamma d)(B^2 + mu))`, the longest step of the corrected Theorem 2, as a float."""
    return float(utility.theorem_step(public.smoothness, noise_ratio(noise), public.dimension))


def noise_ratio(noise: Noise) -> Fraction:
    """Return the gamma of relative noise, and 0 for Gaussian noise."""
    return noise.gamma if isinstance(noise, RelativeGaussianMechanism) else Fraction(0)


def require_audible(largest: Fraction, least_variance: Fraction) -> None:
    """Raise `InputError` where noise could be lost in the rounding of some value of that size: for no data then."""
    if math.sqrt(float(least_variance)) < 2 * float(np.spacing(float(largest))):
        raise InputError("epsilon, delta: so little noise is lost in rounding; ask for a smaller epsilon")
