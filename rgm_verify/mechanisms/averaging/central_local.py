"""Averages of values in [0, 1] with a trusted server, and with noise that each party adds before it sends its value.

The two ends that GOPA lies between. Source: slides, Section 3, `slides:local-error`. Privacy
is that of one party's value, replaced by any other one: a pair of Gaussians at an exact distance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rgm_verify.errors import depends_on_data, reject
from rgm_verify.gaussians.enclosures import epsilon
from rgm_verify.gaussians.pair import GaussianPair
from rgm_verify.mechanisms.values import add_noise, checked_values, representable
from rgm_verify.numbers.bounds import Bounds, round_down, round_up
from rgm_verify.numbers.exact import ExactInput, positive, positive_integer

FloatArray = NDArray[np.float64]
_DIGITS = 12


@dataclass(frozen=True, init=False)
class _Averaging:
    """Fields and checks that both protocols have: `parties` K >= 1 and an exact `deviation` > 0 of the noise."""

    parties: int
    deviation: Fraction

    def __init__(self, parties: ExactInput, deviation: ExactInput) -> None:
        count = positive_integer(parties, name="parties", meaning="the number of parties")
        noise = positive(deviation, name="deviation", meaning="the deviation of the noise")
        # The mechanism uses the variance as a float; one that vanishes there would be no noise.
        representable(noise**2, name="deviation")
        object.__setattr__(self, "parties", int(count))
        object.__setattr__(self, "deviation", noise)

    def _held(self, values: ArrayLike) -> FloatArray:
        """Return the values (..., K); `InputError` for other shapes and outside of [0, 1], never clamped."""
        held = checked_values(values, name="values")
        if held.ndim == 0 or held.shape[-1] != self.parties:
            raise reject(
                "values", f"array of shape {held.shape}", f"expected one value for each of {self.parties} parties"
            )
        # The distance of two averages rests on the range, so that a value outside of it has no guarantee.
        if not ((held >= 0) & (held <= 1)).all():
            raise depends_on_data("values: all must be in [0, 1]; clamp them, or change the unit")
        return held

    def _noisy(self, values: FloatArray, generator: np.random.Generator) -> FloatArray:
        # One coordinate each: every number has its own noise, whatever the batch is.
        return add_noise(values, np.full(values.shape[:-1], float(self.deviation**2)), generator)


@dataclass(frozen=True, init=False)
class CentralAverage(_Averaging):
    """A trusted server averages the values of `parties` and adds noise of an exact `deviation`; only this is seen.

    Formal Guarantees:
        In real arithmetic, to replace one value is to move the mean of a Gaussian by `1/parties` at most, so that the
        release is as private as a pair at `squared_distance`. The error is exactly `squared_error`, in the mean square.

    What this does not protect against: what is said of `rgm_verify.mechanisms.GaussianMechanism`, and a server that is
    not to be trusted.
    """

    @property
    def squared_distance(self) -> Fraction:
        """Squared distance of two neighbouring averages in units of the noise: exact, `1/(parties deviation)^2`."""
        return 1 / (self.parties * self.deviation) ** 2

    @property
    def squared_error(self) -> Fraction:
        """Mean squared error of the release, exact: the variance of the noise."""
        return self.deviation**2

    def release(self, values: ArrayLike, generator: np.random.Generator) -> FloatArray:
        """Return the noisy averages (...) of `values` (..., K) in [0, 1]; `InputError` for others."""
        averages = self._held(values).mean(axis=-1, keepdims=True)
        return np.asarray(self._noisy(averages, generator)[..., 0])

    def epsilon(self, delta: ExactInput) -> Bounds:
        """Return certified bounds of the smallest epsilon at `delta`, in nats; `InputError` for `delta <= 0`."""
        return _epsilon(self.squared_distance, delta)


@dataclass(frozen=True, init=False)
class LocalAverage(_Averaging):
    """Each party adds noise of an exact `deviation` to its value and sends it; everybody may see all messages.

    Formal Guarantees:
        In real arithmetic, to replace one value is to move one message by 1 at most, so that the messages are as
        private as a pair at `squared_distance`. Their average has exactly `squared_error`, in the mean square.

    What this does not protect against: what is said of `rgm_verify.mechanisms.GaussianMechanism`.
    """

    @property
    def squared_distance(self) -> Fraction:
        """Squared distance of a party's messages in units of the noise: exact, `1/deviation^2`."""
        return 1 / self.deviation**2

    @property
    def squared_error(self) -> Fraction:
        """Mean squared error of the average of all messages, exact: `deviation^2/parties`."""
        return self.deviation**2 / self.parties

    def release(self, values: ArrayLike, generator: np.random.Generator) -> FloatArray:
        """Return the messages (..., K) for `values` (..., K) in [0, 1]; `InputError` for others."""
        held = self._held(values)
        return self._noisy(held[..., np.newaxis], generator)[..., 0]

    def epsilon(self, delta: ExactInput) -> Bounds:
        """Return certified bounds of the smallest epsilon at `delta`, in nats; `InputError` for `delta <= 0`."""
        return _epsilon(self.squared_distance, delta)


def _epsilon(squared_distance: Fraction, delta: ExactInput) -> Bounds:
    found = epsilon(GaussianPair(squared_distance, 0, 1), delta, _DIGITS)
    method = "two Gaussians at an exact distance"
    upper = math.inf if found.upper is None else round_up(found.upper)
    return Bounds(round_down(found.lower or Fraction(0)), upper, method, method)
