"""Private gradient descent: relative noise, Gaussian noise on clipped gradients, or at each iterate's sensitivity.

Each run computes its privacy before it draws any noise, and is returned with it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from rgm_verify.accounting.composition.composed import Method
from rgm_verify.accounting.exact.one_release import probability
from rgm_verify.accounting.floor import UnreachableTarget, reachable_floor
from rgm_verify.accounting.target import Target
from rgm_verify.errors import InputError, depends_on_data, reject
from rgm_verify.learning.clipping.gradient import ClippedGradient
from rgm_verify.learning.data import FloatArray, checked_point, positive_float, private_point
from rgm_verify.learning.descent.at_the_iterate import NoiseAtTheIterate
from rgm_verify.learning.descent.privacy import gaussian_epsilon, relative_gaussian_epsilon
from rgm_verify.learning.descent.utility import warn_about_step
from rgm_verify.mechanisms.gaussian import GaussianMechanism
from rgm_verify.mechanisms.relative_gaussian import RelativeGaussianMechanism
from rgm_verify.mechanisms.sensitivity import Adjacency, RelativeSensitivity, adjacency
from rgm_verify.mechanisms.values import checked_values
from rgm_verify.numbers.bounds import Bounds
from rgm_verify.numbers.exact import ExactInput, NumberInput, positive, positive_integer
from rgm_verify.numbers.sampling import require_generator


@dataclass(frozen=True, eq=False)
class PrivateRun:
    """A run and its privacy: all of `iterates` and `released` together are `(epsilon.upper, delta)` private.

    `iterates` has shape (steps + 1, d), the start first; `released` are the noisy gradients, (steps, d). `adjacency`
    says which data sets are neighbours.
    """

    iterates: FloatArray
    released: FloatArray
    epsilon: Bounds
    delta: Fraction
    adjacency: Adjacency

    @property
    def theta(self) -> FloatArray:
        """The last iterate, shape (d,)."""
        return np.asarray(self.iterates[-1], dtype=np.float64)


def relative_gaussian_descent(
    gradient: Callable[[FloatArray], ArrayLike],
    start: ArrayLike,
    *,
    mechanism: RelativeGaussianMechanism,
    sensitivity: RelativeSensitivity,
    step: NumberInput,
    steps: int,
    delta: ExactInput,
    generator: np.random.Generator,
    smoothness: NumberInput | None = None,
    largest_epsilon: ExactInput | None = None,
    methods: Collection[Method] | None = None,
) -> PrivateRun:
    """Return `theta_{t+1} = theta_t - step * release(gradient(theta_t))` for `steps` steps, with its privacy.

    `gradient` maps a point (d,) to the gradient (d,) of the private objective there; `start` (d,) is public. A bound
    `smoothness` on the smoothness, if given, is used for a warning alone, and must be public as well.

    Formal Guarantees:
        * If `gradient` has the relative `sensitivity` at every point, between all neighbours, the run is
          `(epsilon.upper, delta)` private in real arithmetic: certified accounting of the composed releases.
        * For a `mu`-strongly convex, `L`-smooth objective and `step <= 1 / ((1 + gamma d) L)`, after t steps
          `E |theta_t - theta_*|^2 <= (1 - step mu)^t |start - theta_*|^2 + d step sigma2 / mu`: claim
          `beyond:descent-theorem`, sharp in `utility.distance_bound`; for a quadratic exactly in `second_moments`.

    Edge cases:
        * A step of `2 / ((1 + gamma d) L)` or longer: `StepSizeWarning`, with that threshold.
        * An accounted epsilon above `largest_epsilon`: `InputError`, and nothing is released. Where no noise ratio can
          keep it (noise relative to the norm shows the norm), an `UnreachableTarget` that states the floor.
        * What the mechanism refuses (`eta = 0`, a gradient that is not finite, noise lost in rounding): `InputError`.

    What this does not protect against: a sensitivity that is not what was claimed, which cannot be seen from here; and
    what is said in `RelativeGaussianMechanism` on floating point and on errors.
    Source: RGM paper (v2), eq. (7), with variances per coordinate as in Definition 3.
    """
    first = _started(start)
    target, source = probability(delta, name="delta"), require_generator(generator)
    # Before the first look at the data: a run that would cost too much must not have touched them.
    epsilon = relative_gaussian_epsilon(mechanism, sensitivity, len(first), steps=steps, delta=target, methods=methods)
    # The floor first: where no noise whatever suffices, "use more noise" would be false advice.
    if largest_epsilon is not None and _is_above(epsilon, largest_epsilon):
        _require_above_floor(largest_epsilon, target, sensitivity.eta, len(first), steps)
        raise _too_dear(epsilon, largest_epsilon)
    if smoothness is not None:
        warn_about_step(step, smoothness, mechanism.gamma, len(first))

    def release(theta: FloatArray) -> FloatArray:
        return _released(mechanism, private_point(gradient(theta), len(first), name="gradient"), source)

    iterates, released = _descend(release, first, step, steps)
    return PrivateRun(iterates, released, epsilon, target, sensitivity.adjacency)


def clipped_gaussian_descent(
    gradient: ClippedGradient,
    start: ArrayLike,
    *,
    mechanism: GaussianMechanism,
    neighbours: Adjacency | str,
    step: NumberInput,
    steps: int,
    delta: ExactInput,
    generator: np.random.Generator,
    smoothness: NumberInput | None = None,
    largest_epsilon: ExactInput | None = None,
) -> PrivateRun:
    """Return gradient descent on clipped per-example gradients with Gaussian noise, `steps` steps, with its privacy.

    Arguments, errors and warning as in `relative_gaussian_descent`; the warning's threshold is `2 / L`.

    Formal Guarantees:
        In real arithmetic the run is `(epsilon.upper, delta)` private for `neighbours`, whatever the data are: each
        record adds at most `clip` to the sum, so the gradient moves by at most `2 clip / n` where a record is replaced,
        and by `clip / divisor` where one is added or removed, which needs a public divisor. No record of floats is
        refused, NaN, infinities and huge ones included (see `ClippedGradient`): what is raised, is raised for all data.

    What this does not protect against: the bias of clipping, for which nothing is promised.
    """
    first = _started(start)
    target, source = probability(delta, name="delta"), require_generator(generator)
    move = gradient.sensitivity(neighbours)
    epsilon = gaussian_epsilon(move, mechanism.sigma2, steps=steps, delta=target)
    if largest_epsilon is not None and _is_above(epsilon, largest_epsilon):
        raise _too_dear(epsilon, largest_epsilon)
    if smoothness is not None:
        warn_about_step(step, smoothness, 0, len(first))
    largest = gradient.largest_sum

    def release(theta: FloatArray) -> FloatArray:
        # A bound of all data and not the value at hand: that noise is refused may not tell what the gradient was.
        _require_audible(mechanism, largest + gradient.regularization * float(np.linalg.norm(theta)))
        return _released(mechanism, gradient(theta), source)

    iterates, released = _descend(release, first, step, steps)
    return PrivateRun(iterates, released, epsilon, target, adjacency(neighbours))


def iterate_gaussian_descent(
    gradient: Callable[[FloatArray], ArrayLike],
    start: ArrayLike,
    *,
    noise: NoiseAtTheIterate,
    neighbours: Adjacency | str,
    step: NumberInput,
    steps: int,
    delta: ExactInput,
    generator: np.random.Generator,
    smoothness: NumberInput | None = None,
    largest_epsilon: ExactInput | None = None,
) -> PrivateRun:
    """Return gradient descent with Gaussian noise at the sensitivity of each released iterate, with its privacy.

    Arguments, errors and warning as in `relative_gaussian_descent`; the warning's threshold is `2 / L`.

    Formal Guarantees:
        If `noise.sensitivity` bounds how far `gradient` moves between neighbours at every point, and depends on no
        data, the run is `(epsilon.upper, delta)` private in real arithmetic. There is no floor, no test and no
        threshold, and gradients are not biased. Claims `beyond:noise-at-the-iterate-of-a-step`,
        `beyond:gaussian-composition`.

    What this does not protect against: a sensitivity that is not what was claimed, or that looks at the data.
    """
    first = _started(start)
    target, source = probability(delta, name="delta"), require_generator(generator)
    kind = adjacency(neighbours)
    epsilon = gaussian_epsilon(1, noise.ratio, steps=steps, delta=target)
    if largest_epsilon is not None and _is_above(epsilon, largest_epsilon):
        raise _too_dear(epsilon, largest_epsilon)
    if smoothness is not None:
        warn_about_step(step, smoothness, 0, len(first))

    def release(theta: FloatArray) -> FloatArray:
        # The noise first, from the iterate alone: that it is refused tells nothing of the gradient.
        mechanism = noise.at(theta)
        return _released(mechanism, private_point(gradient(theta), len(first), name="gradient"), source)

    iterates, released = _descend(release, first, step, steps)
    return PrivateRun(iterates, released, epsilon, target, kind)


def _released(
    mechanism: GaussianMechanism | RelativeGaussianMechanism, value: FloatArray, source: np.random.Generator
) -> FloatArray:
    """Return the release of a private value; what the mechanism refuses of it is an error that depends on the data."""
    problem = ""
    try:
        return mechanism.release(value, source)
    except InputError as error:
        # Kept as text and raised outside of the handler: the original error may show the value it was about.
        problem = str(error)
    raise depends_on_data(f"gradient, of which the mechanism says: {problem}")


def _require_audible(mechanism: GaussianMechanism, largest: float) -> None:
    """Raise `InputError` where noise could be lost in the rounding of some value up to `largest`: for all data then."""
    if math.sqrt(float(mechanism.sigma2)) < 2 * float(np.spacing(largest)):
        raise reject(
            "mechanism", mechanism, f"so little noise is lost in the rounding of gradients up to {largest:.3g}"
        )


def _started(start: ArrayLike) -> FloatArray:
    point = checked_values(start, name="start")
    if point.ndim != 1:
        raise reject("start", f"array of shape {point.shape}", "expected a vector")
    return point


def _is_above(epsilon: Bounds, largest: ExactInput) -> bool:
    return positive(largest, name="largest_epsilon", meaning="the budget") < _as_fraction(epsilon.upper)


def _require_above_floor(largest: ExactInput, delta: Fraction, eta: Fraction, dimension: int, steps: int) -> None:
    """Raise `UnreachableTarget`, with the floor, where no noise ratio whatever would keep the run within `largest`."""
    try:
        reachable_floor(Target.of(largest, delta, eta=eta, dimension=dimension, steps=steps))
    except UnreachableTarget as error:
        raise UnreachableTarget(str(reject("largest_epsilon", largest, str(error)))) from None


def _too_dear(epsilon: Bounds, largest: ExactInput) -> InputError:
    return reject("largest_epsilon", largest, f"this run costs up to {epsilon.upper}; use more noise or fewer steps")


def _as_fraction(value: float) -> Fraction | float:
    return Fraction(value) if np.isfinite(value) else value


def _descend(
    release: Callable[[FloatArray], FloatArray], start: FloatArray, step: NumberInput, steps: int
) -> tuple[FloatArray, FloatArray]:
    """Return all iterates and all releases; `InputError` where an iterate leaves the range of floats."""
    tau = positive_float(step, name="step", meaning="the step size")
    count = positive_integer(steps, name="steps", meaning="the number of steps")
    iterates, released = np.empty((count + 1, len(start))), np.empty((count, len(start)))
    iterates[0] = start
    for t in range(count):
        # A copy goes out, so that a gradient that writes to its argument cannot change the record of the run.
        released[t] = checked_point(release(iterates[t].copy()), len(start), name="release")
        with np.errstate(over="ignore", invalid="ignore"):
            iterates[t + 1] = iterates[t] - tau * released[t]
        if not np.isfinite(iterates[t + 1]).all():
            raise InputError(
                f"step={tau}: the iterates leave the range of floats after {t + 1} steps; use a shorter step"
            )
    return iterates, released
