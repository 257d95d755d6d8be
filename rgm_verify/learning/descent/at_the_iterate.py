"""Gaussian noise whose variance is a public function of the released iterate: absolute noise at the sensitivity there.

With the variance `ratio S(theta)^2` neighbours' gradients are at most `1 / sqrt(ratio)` standard deviations apart at
every iterate, whatever came before: T steps cost what T Gaussian releases of sensitivity 1 and variance `ratio` cost
(claims `beyond:noise-at-the-iterate-of-a-step`, `beyond:gaussian-composition`). No Gaussian noise whose variance
depends on the data has less than a quarter of this variance (claim `beyond:noise-at-the-iterate-factor-four`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from rgm_verify.errors import reject
from rgm_verify.learning.data import FloatArray
from rgm_verify.mechanisms.gaussian import GaussianMechanism
from rgm_verify.numbers.bounds import round_up
from rgm_verify.numbers.exact import ExactInput, NumberInput, positive


@dataclass(frozen=True)
class NoiseAtTheIterate:
    """Gaussian noise of variance `ratio * sensitivity(theta)^2` per coordinate, rounded up to a float.

    `ratio` > 0 is exact. `sensitivity` maps a point (d,) to an upper bound > 0 on how far the gradient there moves
    between neighbours; it has to be public, as `sensitivity.at_iterate.SensitivityAtIterate` is: it may depend on the
    iterate, which has been released, and on no data beside it.
    """

    ratio: Fraction
    sensitivity: Callable[[FloatArray], Fraction]

    def __post_init__(self) -> None:
        ratio = positive(self.ratio, name="ratio", meaning="the variance over the squared sensitivity", floats="binary")
        object.__setattr__(self, "ratio", ratio)

    @classmethod
    def of_level(
        cls, order: ExactInput, level: NumberInput, sensitivity: Callable[[FloatArray], Fraction]
    ) -> NoiseAtTheIterate:
        """Return the noise of which each release has at most the Renyi level at the order: ratio `order / (2 level)`.

        Raises `InputError` for an order of at most 1 and a level that is not positive.
        """
        alpha = positive(order, name="order", meaning="a Renyi order")
        if alpha <= 1:
            raise reject("order", order, "a Renyi order must be > 1")
        return cls(alpha / (2 * positive(level, name="level", meaning="the privacy level")), sensitivity)

    def variance(self, theta: FloatArray) -> Fraction:
        """Return the variance at a point (d,), a float as a fraction: at least `ratio * sensitivity(theta)^2`."""
        return Fraction(round_up(self.ratio * self.sensitivity(theta) ** 2))

    def at(self, theta: FloatArray) -> GaussianMechanism:
        """Return the mechanism that releases the gradient at a point (d,)."""
        return GaussianMechanism(self.variance(theta))
