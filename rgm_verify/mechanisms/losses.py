"""Privacy losses of what a reference mechanism has released, and confidence intervals from them.

A mechanism releases one of two neighbouring outputs many times; the loss of each release is the logarithm of the ratio
of the two stated densities there, evaluated in all its coordinates. Nothing is taken from the law of the loss. The
intervals hold at every sample size. The mean of an unbounded function of the loss has none from a sample alone: the
function is cut off, and what the cuts hide is added by integration (`gaussians.unreduced`). Those integrals carry
estimates of their errors and no bounds, which are far below the width of the intervals.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import mpmath
import numpy as np
from numpy.typing import NDArray

from rgm_verify.errors import InputError, reject
from rgm_verify.gaussians.unreduced import Exponential, Law, mean_of_loss
from rgm_verify.mechanisms.protocol import GaussianLaw
from rgm_verify.mechanisms.relative_gaussian import RelativeGaussianMechanism
from rgm_verify.numbers.sampling import Inconclusive, Interval, bounded_mean_interval

FloatArray = NDArray[np.float64]

# Sixteen MiB of floats, which is more than the caches and less than anybody's memory.
_NUMBERS = 1 << 21  # that are drawn at a time
# What the cuts hide is small beside the width of the interval, and more digits would be lost on it.
_TAIL_DIGITS = 6


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Two outputs of a mechanism, each released `times` times.

    Attributes:
        mechanism: the mechanism whose stated densities make the loss.
        first: the output on the one data set, shape (d,).
        second: the output on its neighbour, shape (d,).
        centred: both are measured from their own means, so that only the noise is compared.
        times: the number of independent releases, whose losses add.
    """

    mechanism: RelativeGaussianMechanism
    first: FloatArray
    second: FloatArray
    centred: bool = False
    times: int = 1

    @property
    def dimension(self) -> int:
        """Dimension of the outputs."""
        return int(self.first.shape[-1])

    def laws(self) -> tuple[GaussianLaw, GaussianLaw]:
        """The laws of the two releases, as the mechanism states them."""
        return self.mechanism.law(self.first), self.mechanism.law(self.second)

    def losses(
        self,
        samples: int,
        generator: np.random.Generator,
        *,
        under: Literal["P", "Q"] = "P",
        released_by: RelativeGaussianMechanism | None = None,
    ) -> FloatArray:
        """Return the losses `log dP/dQ` of `samples` releases of the first output (of the second for `Q`), in nats.

        Args:
            samples: the number of releases, each of `times` repetitions whose losses are added.
            generator: the source of the noise.
            under: the output that is released.
            released_by: another mechanism that makes the releases. The densities stay those that `mechanism` states, so
                that a mechanism which does not do what it states can be caught.

        Returns:
            Independent losses, shape (samples,); floats as `loss_at` makes them.

        Raises:
            InputError: for another `under`, and what the mechanism refuses.
        """
        if under not in ("P", "Q"):
            raise reject("under", under, 'allowed are "P" and "Q"')
        value = self.first if under == "P" else self.second
        source = released_by or self.mechanism
        total = np.zeros(samples)
        for _ in range(self.times):
            total += self._once(value, source, samples, generator)
        return total

    def _once(
        self, value: FloatArray, source: RelativeGaussianMechanism, samples: int, generator: np.random.Generator
    ) -> FloatArray:
        """Return the losses of one release of a value, drawn in chunks so that a large dimension fits the memory."""
        chunk = max(1, _NUMBERS // self.dimension)
        found = [
            self.loss_at(
                source.release(np.broadcast_to(value, (min(chunk, samples - start), self.dimension)), generator), value
            )
            for start in range(0, samples, chunk)
        ]
        return np.concatenate(found)

    def loss_at(self, released: FloatArray, value: FloatArray) -> FloatArray:
        """Return the logarithm of the ratio of the densities at releases of `value`, shape `(samples, dimension)`.

        One float for each sample, in nats: the privacy loss, from the densities as they are stated. Neither an upper
        nor a lower bound; large terms cancel where the dimension is large.
        """
        first, second = self.laws()
        v1, v2 = float(first.variance), float(second.variance)
        if self.centred:
            # Around one centre the linear terms of the two densities cancel, and only the variances differ.
            square = np.square(released - value).sum(axis=1)
            quadratic = square * (1 / v2 - 1 / v1) / 2
        else:
            quadratic = np.square(released - second.mean).sum(axis=1) / (2 * v2)
            quadratic -= np.square(released - first.mean).sum(axis=1) / (2 * v1)
        return np.asarray(quadratic - self.dimension / 2 * math.log(v1 / v2), dtype=np.float64)

    def weaker(self, noise: float) -> RelativeGaussianMechanism:
        """Return the mechanism with `noise` times the deviation, as `released_by` of a power control."""
        return less_noise(self.mechanism, noise)

    def exact_laws(self) -> tuple[Law, Law]:
        """The two laws for integration, in frames whose first axes are the line of the means."""
        first, second = self.laws()
        # Repeated releases are one release in a space of `times` as many dimensions, in which the first mean has this
        # gap along one axis of each copy.
        gap = 0.0 if self.centred else float(np.linalg.norm(self.first - self.second))
        return Law((gap,) * self.times, float(first.variance)), Law((), float(second.variance))


def neighbours(
    gamma: Fraction | float, sigma2: Fraction | float, first: FloatArray, second: FloatArray, dimension: int
) -> Neighbours:
    """Return two outputs of the relative Gaussian mechanism, given by their leading coordinates.

    Both are mirrored, so that no coordinate of the vectors that are released is special: a fault in one coordinate of
    the mechanism then shows.

    Args:
        gamma: the noise ratio, >= 0; floats as the binary numbers they are.
        sigma2: the variance at 0, >= 0, not 0 with `gamma`.
        first: the leading coordinates of the one output; the others are 0.
        second: those of the other one.
        dimension: the dimension of the space.

    Raises:
        InputError: for more coordinates than `dimension`, and for parameters that the mechanism refuses.
    """
    mechanism = RelativeGaussianMechanism(gamma, sigma2, floats="binary")
    return Neighbours(mechanism, _spread(first, dimension), _spread(second, dimension))


def _spread(leading: FloatArray, dimension: int) -> FloatArray:
    """Return a vector with these leading coordinates, reflected so that its entries are spread over all coordinates."""
    vector = np.zeros(dimension)
    if len(leading) > dimension:
        raise InputError(f"{len(leading)} coordinates do not fit into dimension {dimension}")
    vector[: len(leading)] = leading
    if dimension == 1:
        return vector
    # A reflection keeps norms and distances, and with different weights no two coordinates look alike.
    mirror = np.arange(1.0, dimension + 1)
    return np.asarray(vector - 2 * mirror * (mirror @ vector) / (mirror @ mirror), dtype=np.float64)


def neighbours_with_variances(distance: float, first: float, second: float, dimension: int) -> Neighbours:
    """Return two outputs of a relative Gaussian mechanism at a distance, whose noise has the given variances.

    At the distance 0 the mechanism has one variance only: for two of them the noise is compared (`centred`). The
    parameters are floats, so that distance and variances are met up to rounding.

    Args:
        distance: the distance of the two outputs, >= 0.
        first: the variance per coordinate at the first output, > 0.
        second: that at the second one, > 0.
        dimension: the dimension of the outputs.

    Raises:
        InputError: for other numbers, and where the noise ratio that this takes leaves the range of floats.
    """
    if not (min(first, second) > 0 and distance >= 0):
        raise InputError(f"distance={distance}, variances {first}, {second}: expected variances > 0")
    # Half of the smaller variance does not depend on the output, so that both outputs have a norm > 0 and a direction.
    base = min(first, second) / 2
    roots = math.sqrt(first - base), math.sqrt(second - base)
    if dimension == 1:
        # On a line the distance of two norms is their difference or their sum; equal norms have to lie on two sides of
        # 0.
        gap = abs(roots[0] - roots[1]) or roots[0] + roots[1]
        sign = 1.0 if roots[0] != roots[1] else -1.0
        leading = [roots[0]], [sign * roots[1]]
    else:
        # In the plane a right angle makes a distance of any two norms.
        gap = math.hypot(*roots)
        leading = [roots[0], 0.0], [0.0, roots[1]]
    scale = distance / gap if distance else 1.0
    one, two = (np.array(part) * scale for part in leading)
    found = neighbours(1 / scale**2, base, one, two, dimension)
    return found if distance else Neighbours(found.mechanism, found.first, found.second, centred=True)


def less_noise(mechanism: RelativeGaussianMechanism, factor: float) -> RelativeGaussianMechanism:
    """Return the mechanism whose noise has `factor` times the deviation: a wrong one, for power controls."""
    square = Fraction(factor) ** 2
    return RelativeGaussianMechanism(mechanism.gamma * square, mechanism.sigma2 * square)


# ------------------------------------------------------------------------------------------------------ intervals


def renyi_interval(
    pilot: FloatArray, losses: FloatArray, pair: Neighbours, order: Fraction, false_alarm: float
) -> Interval | Inconclusive:
    """Return an interval for the Renyi divergence of order >= 1 from losses under the first law.

    Args:
        pilot: other losses, which choose the cuts. They must be independent of `losses`, or the cuts would look at the
            sample that they are for.
        losses: the sample, in nats, shape (n,).
        pair: the pair that released them, for the integrals beyond the cuts.
        order: the order, >= 1; 1 is the mean of the loss.
        false_alarm: the probability with which the interval may miss the divergence.

    Returns:
        An interval in nats; its lower end may be -inf. `Inconclusive` for too few losses, and where the pilot is
        constant.

    Raises:
        InputError: for an order below 1.
    """
    factor = float(order - 1)
    if factor < 0:
        raise reject("order", order, "must be >= 1")
    # The range of the pilot: wide enough that little is hidden, narrow enough that the interval for a bounded mean is
    # short.
    low, high = float(pilot.min()), float(pilot.max())
    if factor == 0:
        # At the order 1 the function is the loss itself, which no power of the densities takes in.
        tails = _Tails(pair, lambda x: x, (1, 0), (low, high))
        return _cut_mean(losses, (low, high), tails, false_alarm)
    exact = mpmath.mpf(factor)
    # E_P exp((a - 1) L) is the integral of P^a Q^(1 - a): above the cut the second form is the one that falls off.
    tails = _Tails(pair, lambda x: mpmath.exp(exact * (x - mpmath.mpf(high))), (1 + exact, -exact), (low, high))
    # In units of the value at the upper cut, so that large losses do not overflow.
    ends = math.exp(factor * (low - high)), 1.0
    mean = _cut_mean(np.exp(factor * (np.minimum(losses, high) - high)), ends, tails, false_alarm)
    if isinstance(mean, Inconclusive):
        return mean
    logs = [high + math.log(end) / factor if end > 0 else -math.inf for end in mean]
    return Interval(*logs)


@dataclass(frozen=True, eq=False)
class _Tails:
    """Integrate the part that two cuts of the loss hide of the mean of an increasing function of it.

    Attributes:
        pair: the pair whose loss it is.
        function: the function of the loss, increasing.
        powers: those of the densities by which the function times the first density is integrated: (1, 0), or those of
            an exponential function, which is then taken into them.
        cuts: the lower and the upper cut.
    """

    pair: Neighbours
    function: Callable[[mpmath.mpf], mpmath.mpf]
    powers: tuple[Any, Any]
    cuts: tuple[float, float]

    def above(self) -> float:
        """The mean of the part of the function above its value at the upper cut."""
        cut = mpmath.mpf(self.cuts[1])
        top = self.function(cut)
        if self.powers == (1, 0):
            return self.integral(lambda x: self.function(x) - top, self.powers, above=cut)
        factor = self.powers[0] - 1
        share = -top * mpmath.exp(-factor * cut)
        return self.integral(Exponential(-factor, cut, share), self.powers, above=cut)

    def below(self) -> float:
        """The mean of what the function lacks of its value at the lower cut."""
        cut = mpmath.mpf(self.cuts[0])
        bottom = self.function(cut)
        return self.integral(lambda x: bottom - self.function(x), (1, 0), below=cut)

    def integral(self, function: Callable[[mpmath.mpf], mpmath.mpf], powers: Any, **cut: mpmath.mpf) -> float:
        """Return the value of the integral and its estimated error on top, at least 0."""
        first, second = self.pair.exact_laws()
        found = mean_of_loss(
            first, second, self.pair.dimension * self.pair.times, function, _TAIL_DIGITS, powers=powers, **cut
        )
        # The factor covers the conversion to a float; the estimate of the error is added, since only too much is safe.
        return max(0.0, float(found.value + found.error)) * (1 + 1e-12)


def _cut_mean(
    values: FloatArray, ends: tuple[float, float], tails: _Tails, false_alarm: float
) -> Interval | Inconclusive:
    """The interval for the mean of a function of the loss from its values, cut at `ends`, and what the cuts hide.

    Cutting below raises the mean and cutting above lowers it, so each end of the interval is moved by the integral of
    its own side.
    """
    # A pilot of one value happens for a loss that is constant; an interval of width 0 has no unit to scale to.
    if not ends[0] < ends[1]:
        return Inconclusive("the losses that choose the cuts are all the same")
    inside = bounded_mean_interval(np.clip(values, *ends), *ends, false_alarm)
    if isinstance(inside, Inconclusive):
        return inside
    # Rounding of the losses themselves: they are differences of squared norms.
    # The slack is relative to the ends, as the rounding of the function is relative to its values.
    slack = 1e-12 * (abs(inside.lower) + abs(inside.upper))
    return Interval(inside.lower - tails.below() - slack, inside.upper + tails.above() + slack)
