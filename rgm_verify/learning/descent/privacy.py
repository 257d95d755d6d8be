"""The privacy cost of private gradient descent, with relative Gaussian noise and with Gaussian noise."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction

from rgm_verify.accounting.composition.composed import Method, composed_epsilon
from rgm_verify.accounting.exact.one_release import probability
from rgm_verify.accounting.release import Release
from rgm_verify.errors import reject
from rgm_verify.gaussians.enclosures import epsilon
from rgm_verify.gaussians.pair import GaussianPair
from rgm_verify.learning.clipping.gradient import clipped_mean_sensitivity
from rgm_verify.mechanisms.relative_gaussian import RelativeGaussianMechanism
from rgm_verify.mechanisms.sensitivity import Adjacency, RelativeSensitivity, adjacency
from rgm_verify.numbers.bounds import Bounds, round_down, round_up
from rgm_verify.numbers.exact import ExactInput, nonnegative, positive, positive_integer

_GAUSSIAN = "certified curve of the Gaussian mechanism"


def relative_gaussian_epsilon(
    mechanism: RelativeGaussianMechanism,
    sensitivity: RelativeSensitivity,
    dimension: ExactInput,
    *,
    steps: int,
    delta: ExactInput,
    methods: Collection[Method] | None = None,
) -> Bounds:
    """Return bounds on the least epsilon of `steps` adaptive releases of a gradient; rounded outward, in nats.

    The gradient has to have the relative sensitivity at every `theta` and between all neighbours that can occur: that
    it holds for the data at hand is not enough (claim `rgm-v2:one-dataset-is-not-enough`). The iterates are
    post-processing and cost nothing (claim `rgm:private-gradient-descent`).
    `methods` as in `accounting.composition.composed_epsilon`; errors as there and as in `accounting.release.Release`.
    """
    return composed_epsilon(Release.of(mechanism, sensitivity, dimension), delta, steps=steps, methods=methods)


def gaussian_epsilon(
    sensitivity: ExactInput, sigma2: ExactInput, *, steps: int, delta: ExactInput, digits: int = 12
) -> Bounds:
    """Return bounds on the least epsilon of `steps` adaptive releases with Gaussian noise `sigma2` per coordinate.

    `sensitivity` is a bound on the distance of the outputs on neighbours; all numbers are exact. The releases are
    together one with `steps` times the squared distance: no choice of later queries does worse (claim
    `beyond:gaussian-composition`; also Dong, Roth and Su, JRSS B 84, 2022). Both ends are certified and rounded
    outward; the lower end is what two outputs at that distance reach at every step.
    Raises `InputError` for negative numbers, `sigma2 <= 0` and `delta` outside (0, 1).
    """
    move = nonnegative(sensitivity, name="sensitivity", meaning="a sensitivity")
    variance = positive(sigma2, name="sigma2", meaning="the noise variance")
    count = positive_integer(steps, name="steps", meaning="the number of releases")
    target = probability(delta, name="delta")
    # Releases of equal noise compose to one of the summed squared distances: no composition theorem, and no loss.
    found = epsilon(GaussianPair(count * move**2 / variance, 0, 1), target, digits)
    upper = found.upper
    end = float("inf") if upper is None else round_up(upper)
    # Outwards at both ends, since the certified ends are rationals that floats have to enclose.
    return Bounds(round_down(found.lower or Fraction(0)), end, _GAUSSIAN, _GAUSSIAN)


def clipped_gradient_variance(
    alpha: ExactInput, epsilon: ExactInput, clip: ExactInput, divisor: ExactInput, neighbours: Adjacency | str
) -> Fraction:
    """Return the least noise variance that makes one clipped mean gradient (alpha, epsilon)-Renyi private; exact.

    It is `alpha D^2 / (2 epsilon)` with `D = 2 clip / divisor` where a record is replaced, and `D = clip / divisor`
    where one is added or removed: 2 and 1/2 times `alpha clip^2 / (epsilon divisor^2)`, so that the printed variance
    (`as_printed.clipping_variance`) is half of what the paper's own adjacency asks for.
    Raises `InputError` for `alpha <= 1` and numbers that are not positive. Source: claims `beyond:clipping-noise`,
    `beyond:clipping-noise-add-or-remove`.
    """
    order = positive(alpha, name="alpha", meaning="a Renyi order")
    if order <= 1:
        raise reject("alpha", alpha, "a Renyi order must be > 1")
    level = positive(epsilon, name="epsilon", meaning="the privacy level")
    return order * clipped_mean_sensitivity(clip, divisor, adjacency(neighbours)) ** 2 / (2 * level)
