"""Convergence rates of relative Gaussian gradient descent on a class of functions, and steps that keep it bounded.

The class is that of all `mu`-strongly convex, `L`-smooth functions in `d` dimensions, and `k = 1 + gamma d`: the noise
has the variance `gamma |g|^2 + sigma2` on each coordinate, so that `E |noise|^2 = d (gamma |g|^2 + sigma2)`.
"""

from __future__ import annotations

import math
import warnings
from fractions import Fraction

from rgm_verify.errors import InputError
from rgm_verify.numbers.bounds import round_up
from rgm_verify.numbers.exact import NumberInput, nonnegative, positive, positive_integer


class StepSizeWarning(UserWarning):
    """A step size for which the iterates need not stay bounded; the message states the exact threshold."""


def amplification(gamma: NumberInput, dimension: NumberInput) -> Fraction:
    """Return `k = 1 + gamma d`, exactly: what relative noise multiplies the squared gradient with."""
    ratio = nonnegative(gamma, name="gamma", meaning="the noise ratio", floats="binary")
    return 1 + ratio * positive_integer(dimension, name="dimension", meaning="a dimension")


def stable_step(smoothness: NumberInput, gamma: NumberInput, dimension: NumberInput) -> Fraction:
    """Return `2 / ((1 + gamma d) L)`, exactly: the iterates stay bounded on the whole class exactly for shorter steps.

    Raises `InputError` for `smoothness <= 0`. Source: claim `beyond:stable-steps`. One quadratic may allow longer
    steps: `second_moments.stable_step`.
    """
    bound = positive(smoothness, name="smoothness", meaning="the smoothness L", floats="binary")
    return 2 / (amplification(gamma, dimension) * bound)


def theorem_step(smoothness: NumberInput, gamma: NumberInput, dimension: NumberInput) -> Fraction:
    """Return `1 / ((1 + gamma d) L)`, exactly: the largest step of the corrected Theorem 2.

    Source: claim `beyond:descent-theorem`. Errors as in `stable_step`.
    """
    return stable_step(smoothness, gamma, dimension) / 2


def best_step(
    strong_convexity: NumberInput, smoothness: NumberInput, gamma: NumberInput, dimension: NumberInput
) -> Fraction:
    """Return `2 / ((1 + gamma d)(L + mu))`, exactly: the step with the best rate (claim `beyond:best-step-size`)."""
    mu, bound = _curvatures(strong_convexity, smoothness)
    return 2 / (amplification(gamma, dimension) * (bound + mu))


def rate(
    strong_convexity: NumberInput,
    smoothness: NumberInput,
    *,
    step: NumberInput,
    gamma: NumberInput,
    dimension: NumberInput,
) -> Fraction:
    """Return the factor `q` of one step on the squared distance, exactly: the largest over the class, and attained.

    `q` is the larger of `(1 - tau c)^2 + gamma d tau^2 c^2` for `c = mu` and `c = L`. Source: claims
    `beyond:sharp-step-short`, `beyond:sharp-step-long`, `beyond:sharp-step-attained`.
    """
    mu, bound = _curvatures(strong_convexity, smoothness)
    tau = positive(step, name="step", meaning="the step size", floats="binary")
    relative = amplification(gamma, dimension) - 1
    # Convex in the curvature, so that the largest value over [mu, L] is at one of the two ends.
    return max((1 - tau * c) ** 2 + relative * (tau * c) ** 2 for c in (mu, bound))


def distance_bound(
    start: NumberInput,
    strong_convexity: NumberInput,
    smoothness: NumberInput,
    *,
    step: NumberInput,
    steps: int,
    gamma: NumberInput,
    sigma2: NumberInput,
    dimension: NumberInput,
) -> float:
    """Return the largest `E |theta_t - theta_*|^2` over the class after `t = steps` steps; attained on a quadratic.

    `start` is `|theta_0 - theta_*|^2`. The value is `q^t start + d tau^2 sigma2 (1 + q + ... + q^(t-1))`, rounded up.
    Floats count as the exact binary numbers they are. Source: claim `beyond:sharp-theorem`; for steps up to
    `theorem_step` it is at most `(1 - tau mu)^t start + d tau sigma2 / mu` (`beyond:descent-theorem`).
    Raises `InputError` for negative numbers and `mu > L`; a step that is not stable is allowed, and the bound grows.
    """
    first = nonnegative(start, name="start", meaning="a squared distance", floats="binary")
    base = nonnegative(sigma2, name="sigma2", meaning="the noise variance", floats="binary")
    count = positive_integer(steps + 1, name="steps + 1", meaning="the number of steps, plus 1,") - 1
    q = rate(strong_convexity, smoothness, step=step, gamma=gamma, dimension=dimension)
    tau = positive(step, name="step", meaning="the step size", floats="binary")
    added = positive_integer(dimension, name="dimension", meaning="a dimension") * tau**2 * base
    return _geometric_above(first, q, added, count)


def _geometric_above(first: Fraction, q: Fraction, added: Fraction, count: int) -> float:
    """Return an upper bound on `q^t first + added (1 + ... + q^(t-1))`: the recursion, rounded up each time."""
    # By floats that are stepped upwards: exact powers would double their digits with each step.
    value, factor, more = round_up(first), round_up(q), round_up(added)
    if value == math.inf:
        raise InputError("start: beyond the range of floats; use larger units")
    for _ in range(count):
        # Products with 0 are exact, and stepping them up would make 0 grow.
        product = math.nextafter(factor * value, math.inf) if factor else 0.0
        value = math.nextafter(product + more, math.inf) if more else product
    return value


def warn_about_step(
    step: NumberInput, smoothness: NumberInput, gamma: NumberInput, dimension: NumberInput, *, stacklevel: int = 2
) -> None:
    """Warn (`StepSizeWarning`) where `step >= 2 / ((1 + gamma d) L)`, and say that threshold."""
    tau = positive(step, name="step", meaning="the step size", floats="binary")
    threshold = stable_step(smoothness, gamma, dimension)
    if tau >= threshold:
        message = (
            f"step={float(tau)!r}: the iterates need not stay bounded; below 2 / ((1 + gamma d) L) = "
            f"{threshold} (about {float(threshold):.6g}) they do"
        )
        warnings.warn(message, StepSizeWarning, stacklevel=stacklevel + 1)


def _curvatures(strong_convexity: NumberInput, smoothness: NumberInput) -> tuple[Fraction, Fraction]:
    mu = nonnegative(strong_convexity, name="strong_convexity", meaning="the strong convexity mu", floats="binary")
    bound = positive(smoothness, name="smoothness", meaning="the smoothness L", floats="binary")
    if mu > bound:
        raise InputError(f"strong_convexity={float(mu)}, smoothness={float(bound)}: mu must be <= L")
    return mu, bound
