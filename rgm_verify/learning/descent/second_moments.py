"""Relative Gaussian gradient descent on a quadratic, exactly: the second moment of every coordinate at every step.

In the eigenbasis of the Hessian a step takes `m_i = E (theta - theta_*)_i^2` to
`(1 - tau lambda_i)^2 m_i + tau^2 (gamma sum_j lambda_j^2 m_j + sigma2)`: the coordinates speak to each other through
the noise alone, and what is not on the diagonal of the second moments does not matter.
Source: claims `beyond:quadratic-coordinate`, `beyond:quadratic-energy`, `beyond:quadratic-stability`.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from rgm_verify.errors import InputError, reject
from rgm_verify.learning.data import FloatArray, positive_float
from rgm_verify.learning.ridge import RidgeObjective
from rgm_verify.mechanisms.relative_gaussian import RelativeGaussianMechanism
from rgm_verify.mechanisms.values import checked_values
from rgm_verify.numbers.exact import NumberInput, positive_integer


def second_moments(
    eigenvalues: ArrayLike,
    start: ArrayLike,
    *,
    step: NumberInput,
    steps: int,
    mechanism: RelativeGaussianMechanism,
) -> FloatArray:
    """Return `E (theta_t - theta_*)_i^2` for t = 0 to `steps`, shape (steps + 1, d), in the eigenbasis.

    `eigenvalues` > 0 are those of the Hessian, (d,); `start` (d,) are the squared coordinates of `theta_0 - theta_*`
    (or their expectations). Every term is nonnegative, so nothing cancels: the relative error is about
    `steps (d + 5) 1e-16`, for the eigenvalues and the step as they are rounded.
    Raises `InputError` for negative numbers, different lengths, and moments that leave the range of floats.
    """
    values, moments = _checked(eigenvalues, start)
    count = positive_integer(steps + 1, name="steps + 1", meaning="the number of steps, plus 1,")
    matrix, added = _step_of(values, step, mechanism)
    found = np.empty((count, len(values)))
    found[0] = moments
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        for t in range(1, count):
            found[t] = matrix @ found[t - 1] + added
    return _finite(found)


def second_moment(
    eigenvalues: ArrayLike,
    start: ArrayLike,
    *,
    step: NumberInput,
    steps: int,
    mechanism: RelativeGaussianMechanism,
) -> float:
    """Return `E |theta_t - theta_*|^2` at `t = steps`, in closed form: a power of the matrix of the recursion.

    Arguments, error and errors raised as in `second_moments`; about `log2(steps)` products of matrices.
    """
    values, moments = _checked(eigenvalues, start)
    count = positive_integer(steps + 1, name="steps + 1", meaning="the number of steps, plus 1,") - 1
    matrix, added = _step_of(values, step, mechanism)
    d = len(values)
    affine = np.zeros((d + 1, d + 1))  # the last coordinate stays 1 and brings what is added
    affine[:d, :d], affine[:d, d], affine[d, d] = matrix, added, 1.0
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        # By squaring: logarithmically many products of matrices, where the recurrence takes one for each step.
        power = np.linalg.matrix_power(affine, count)
        return float(_finite(power[:d] @ np.append(moments, 1.0)).sum())


def stationary_second_moments(
    eigenvalues: ArrayLike, *, step: NumberInput, mechanism: RelativeGaussianMechanism
) -> FloatArray:
    """Return the second moments that a step does not change, shape (d,): `tau / (lambda (2 - tau lambda))` times
    `sigma2 / (1 - gamma S)`, with `S` the sum of `tau lambda / (2 - tau lambda)`.

    They are the limit from every start. Raises `InputError` where the step is not below `stable_step`.
    Source: claim `beyond:quadratic-stationary`.
    """
    values, _ = _checked(eigenvalues, np.zeros(np.shape(eigenvalues)))
    tau = positive_float(step, name="step", meaning="the step size")
    limit = stable_step(values, mechanism)
    if tau > limit:
        raise reject("step", step, f"the second moments grow without bound; must be <= {limit!r}")
    spread = tau * values / (2 - tau * values)
    # The noise feeds back through the sum over all coordinates: a geometric series, which closes in one number.
    inflow = float(mechanism.sigma2) / (1 - float(mechanism.gamma) * math.fsum(spread))
    return _finite(np.asarray(tau / (values * (2 - tau * values)) * inflow, dtype=np.float64))


def stable_step(eigenvalues: ArrayLike, mechanism: RelativeGaussianMechanism) -> float:
    """Return the largest float `tau` for which the second moments stay bounded on this quadratic; decided exactly.

    That is `gamma S(tau) < 1` with `S = sum tau lambda_i / (2 - tau lambda_i)`, and `tau lambda_i < 2`; it depends on
    the trace more than on the dimension. `2 / ((1 + gamma d) L)` of the whole class is never larger.
    Source: claims `beyond:quadratic-energy`, `beyond:quadratic-stability`, `beyond:quadratic-trace`.
    """
    values, _ = _checked(eigenvalues, np.zeros(np.shape(eigenvalues)))
    curvatures = [Fraction(float(value)) for value in values]
    # `low` is only moved to where stability was decided exactly: rounding cannot make the answer unstable.
    low, high = 0.0, 2 / float(values.max()) * (1 + 1e-15)
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (middle, high) if _is_stable(Fraction(middle), curvatures, mechanism.gamma) else (low, middle)
    return low


def _is_stable(tau: Fraction, curvatures: list[Fraction], gamma: Fraction) -> bool:
    # Beyond 2 / curvature the terms of the sum turn negative, and the sum would be small for the wrong reason.
    if any(tau * c >= 2 for c in curvatures):
        return False
    return gamma * sum((tau * c / (2 - tau * c) for c in curvatures), Fraction(0)) < 1


def ridge_second_moments(
    objective: RidgeObjective,
    theta: ArrayLike,
    *,
    step: NumberInput,
    steps: int,
    mechanism: RelativeGaussianMechanism,
) -> FloatArray:
    """Return `E |theta_t - theta_*|^2` for t = 0 to `steps`, shape (steps + 1,), from `theta` on a ridge objective.

    Errors as in `second_moments`, and where there is no single minimiser. It is about the data, and private.
    """
    start = np.square(objective.coordinates(theta))
    found = second_moments(objective.spectrum[0], start, step=step, steps=steps, mechanism=mechanism)
    return np.asarray(found.sum(axis=1), dtype=np.float64)


def _checked(eigenvalues: ArrayLike, start: ArrayLike) -> tuple[FloatArray, FloatArray]:
    values, moments = checked_values(eigenvalues, name="eigenvalues"), checked_values(start, name="start")
    if values.ndim != 1 or values.min() <= 0:
        raise reject("eigenvalues", values, "expected a vector of numbers > 0")
    if moments.shape != values.shape or moments.min() < 0:
        raise reject("start", moments, f"expected {len(values)} numbers >= 0, one for each eigenvalue")
    return values, moments


def _step_of(
    values: FloatArray, step: NumberInput, mechanism: RelativeGaussianMechanism
) -> tuple[FloatArray, FloatArray]:
    """Return the matrix of the recursion (d, d) and what it adds (d,)."""
    tau = positive_float(step, name="step", meaning="the step size")
    with np.errstate(over="ignore", under="ignore"):
        relative = float(mechanism.gamma) * np.square(tau * values)
        matrix = np.diag(np.square(1 - tau * values)) + relative[np.newaxis, :]
        added = np.full(len(values), tau * tau * float(mechanism.sigma2))
    return matrix, added


def _finite(found: FloatArray) -> FloatArray:
    if not np.isfinite(found).all():
        raise InputError("the second moments leave the range of floats: the step is too long, or the units too large")
    return found
