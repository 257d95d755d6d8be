"""The least noise that makes a ridge regression (epsilon, delta)-private: certified, and before any data are seen."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, TypeAlias

from rgm_verify.accounting.calibration import calibrate, floor
from rgm_verify.accounting.composition.composed import Method
from rgm_verify.errors import InputError
from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosure
from rgm_verify.learning.data import FloatArray
from rgm_verify.learning.descent.at_the_iterate import NoiseAtTheIterate
from rgm_verify.learning.descent.privacy import gaussian_epsilon, relative_gaussian_epsilon
from rgm_verify.mechanisms.gaussian import GaussianMechanism
from rgm_verify.mechanisms.relative_gaussian import RelativeGaussianMechanism
from rgm_verify.mechanisms.sensitivity import AbsoluteSensitivity, RelativeSensitivity
from rgm_verify.numbers.bounds import Bounds, round_up
from rgm_verify.numbers.crossing import Ends, crossing
from rgm_verify.numbers.shown import Framed

Mechanism: TypeAlias = Literal["auto", "statistics", "iterate", "gaussian", "relative"]
Noise: TypeAlias = GaussianMechanism | RelativeGaussianMechanism | NoiseAtTheIterate

ROUNDED = 1 + Fraction(1, 2**50)  # covers the rounding of a variance and of its root
_COARSE, _MOST_ITERATIONS = Fraction(1, 100), 6  # a calibration takes six values of seconds each, at most
_MARGIN = Fraction(1, 10**9)
_ATTEMPTS = 12


@dataclass(frozen=True)
class NoisePlan(Framed):
    """The noise of each of `steps` releases, and what all of them together cost: `epsilon.upper` at `delta`, certified.

    `sensitivity` is absolute with Gaussian noise, relative with relative noise. With noise at the iterate it is the
    largest one in the ball.
    """

    noise: Noise
    sensitivity: AbsoluteSensitivity | RelativeSensitivity
    steps: int
    epsilon: Bounds
    delta: Fraction


@lru_cache(maxsize=256)
def variance_multiplier(epsilon: Fraction, delta: Fraction) -> Fraction:
    """Return a variance that makes one Gaussian release of sensitivity 1 (`epsilon`, `delta`)-private: certified.

    The least one is smaller by a relative 1e-6 at most. T adaptive releases with T times that variance cost the same
    (`privacy.gaussian_epsilon`). Raises `InputError` where it is outside 1e-300 to 1e300.
    """

    def probability(variance: Fraction, digits: int) -> Ends:
        found = hockey_stick_enclosure(epsilon, 1 / variance, Fraction(0), 1, digits=digits)
        if found.lower is None or found.upper is None:
            raise _beyond(epsilon, delta)
        return found.lower, found.upper

    try:
        return crossing(probability, delta, guess=_guess(epsilon, delta)).holds
    except (ArithmeticError, InputError):
        raise _beyond(epsilon, delta) from None


def gaussian_plan(epsilon: Fraction, delta: Fraction, sensitivity: AbsoluteSensitivity, steps: int) -> NoisePlan:
    """Return the plan with Gaussian noise for `steps` releases of that sensitivity; there is no floor.

    The variance is above the least one by a relative 1e-6 at most. Errors as in `variance_multiplier`.
    """
    least = sensitivity.bound**2 * steps * variance_multiplier(epsilon, delta)

    def attempt(factor: Fraction) -> NoisePlan:
        noise = GaussianMechanism(float_above(least * factor))
        found = gaussian_epsilon(sensitivity.bound, noise.sigma2 / ROUNDED, steps=steps, delta=delta)
        return NoisePlan(noise, sensitivity, steps, found, delta)

    return _within(epsilon, attempt)


def iterate_plan(
    epsilon: Fraction,
    delta: Fraction,
    largest: AbsoluteSensitivity,
    at_iterate: Callable[[FloatArray], Fraction],
    steps: int,
) -> NoisePlan:
    """Return the plan with noise at the iterate for `steps` releases, which cost what releases of sensitivity 1 do.

    `largest` is the sensitivity anywhere in the ball, `at_iterate` that at a point (d,). Source: claim
    `beyond:noise-at-the-iterate-of-a-step`.
    """
    least = steps * variance_multiplier(epsilon, delta)

    def attempt(factor: Fraction) -> NoisePlan:
        noise = NoiseAtTheIterate(float_above(least * factor), at_iterate)
        found = gaussian_epsilon(1, noise.ratio / ROUNDED, steps=steps, delta=delta)
        return NoisePlan(noise, largest, steps, found, delta)

    return _within(epsilon, attempt)


@lru_cache(maxsize=64)
def relative_plan(
    epsilon: Fraction, delta: Fraction, sensitivity: RelativeSensitivity, dimension: int, steps: int
) -> NoisePlan:
    """Return the plan with relative noise for `steps` releases in that dimension.

    It takes seconds, above 1,000 steps up to a minute.

    The noise ratio of several releases is at most a hundredth above the least one that can be certified; close to the
    floor it may be more, since no more than six values of the tightest bound are computed. Raises
    `accounting.calibration.UnreachableTarget`, an `InputError` that states the floor, where no noise will do.
    """
    eta, r_rel = sensitivity.eta, sensitivity.r_rel
    effort: dict[str, Any] = {} if steps == 1 else {"relative_tolerance": _COARSE, "most_iterations": _MOST_ITERATIONS}
    found = calibrate(epsilon, delta, eta=eta, dimension=dimension, r_rel=r_rel, steps=steps, **effort)
    methods = _methods(found.least_gamma.upper_method)

    def attempt(factor: Fraction) -> NoisePlan:
        gamma = float_above(found.release.gamma * factor)
        # Both are covered with a margin for the rounding of the mechanism: it is for the covering variance too.
        noise = RelativeGaussianMechanism(gamma, float_above(gamma * (r_rel / eta) ** 2))
        exact = RelativeGaussianMechanism(gamma / ROUNDED, noise.sigma2 / ROUNDED)
        cost = relative_gaussian_epsilon(exact, sensitivity, dimension, steps=steps, delta=delta, methods=methods)
        return NoisePlan(noise, sensitivity, steps, cost, delta)

    return _within(epsilon, attempt)


def reachable_steps(
    epsilon: Fraction, delta: Fraction, sensitivity: RelativeSensitivity, dimension: int, steps: int
) -> int:
    """Return the largest of `steps`, half of it, and so on, whose floor is at most half of `delta`; 1 if none is.

    The floor under relative noise grows with the number of releases. Public numbers only.
    """
    while steps > 1 and 2 * floor(epsilon, eta=sensitivity.eta, dimension=dimension, steps=steps).upper > delta:
        steps //= 2
    return steps


def _methods(described: str) -> tuple[Method, ...] | None:
    """Return the method that certified a calibration; None for a single release, which has its exact curve."""
    known: tuple[Method, ...] = ("rdp", "iteration")
    chosen = tuple(method for method in known if described.endswith(method))
    return chosen or None


def _within(epsilon: Fraction, attempt: Callable[[Fraction], NoisePlan]) -> NoisePlan:
    """Return the first plan whose certified epsilon is at most the one asked for, with a little more noise each time.

    The calibration has certified delta at epsilon; this certifies epsilon at delta, rounded outward, so that what is
    reported never exceeds what was asked.
    """
    for k in range(_ATTEMPTS):
        plan = attempt(1 + _MARGIN * 10**k if k else Fraction(1))
        if math.isfinite(plan.epsilon.upper) and Fraction(plan.epsilon.upper) <= epsilon:
            return plan
    raise InputError(f"epsilon={float(epsilon):.6g}: could not be certified; ask for a little more")


def float_above(value: Fraction) -> Fraction:
    """Return a float, as a fraction, so far above `value` that what a mechanism computes from it is enough."""
    number = round_up(value * ROUNDED)
    if not 1e-280 <= number <= 1e280:
        raise InputError(
            f"epsilon, delta: the noise would have the variance {number:.3g}; ask for less, or change units"
        )
    return Fraction(number)


def _guess(epsilon: Fraction, delta: Fraction) -> float:
    """The logarithm of about the variance needed: `delta` is the tail of a normal variable, roughly."""
    z, twice = math.sqrt(max(-2 * math.log(delta), 0.0)), 2 * float(epsilon)
    distance = twice / (math.sqrt(z * z + twice) + z)
    return -2 * math.log(max(distance, float(delta)))


def _beyond(epsilon: Fraction, delta: Fraction) -> InputError:
    """Return the error for a target whose noise lies outside the range of floats."""
    return InputError(
        f"epsilon={float(epsilon):.6g}, delta={float(delta):.6g}: the noise cannot be found; ask for less"
    )
