"""Two outputs of the mechanism and the quantities that a claim has of them, by integration and from releases.

The quantity is taken from the two laws, given as vectors and variances, and no closed form of theirs is used: by
integrating their densities over the space, and from losses of what the reference mechanism has released.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, TypeAlias

import mpmath
import numpy as np
import sympy

from rgm_verify.balls.binding import worked_out
from rgm_verify.balls.statistics.confidence import clopper_pearson
from rgm_verify.errors import reject
from rgm_verify.gaussians import unreduced
from rgm_verify.gaussians.simulated import hockey_stick_confidence_interval, loss_tail_confidence_interval
from rgm_verify.gaussians.unreduced import Law, Measured
from rgm_verify.lenses.distributions.laws import SIDES, Chance, Mean, PlacedLaws
from rgm_verify.lenses.points.values import Value, as_sympy
from rgm_verify.mechanisms.losses import (
    Neighbours,
    neighbours,
    neighbours_with_variances,
    renyi_interval,
)
from rgm_verify.numbers.sampling import Inconclusive, Interval

FloatArray = np.ndarray
# Releases of their own: the estimate must not see the losses that chose its method.
_PILOT = 4_000  # releases that choose where a function of the loss is cut off


@dataclass(frozen=True)
class Outputs:
    """Two laws in the symbols of a claim, each by the leading coordinates of its mean.

    The variances are those of the relative Gaussian mechanism with `gamma` and `sigma2` at the two means, or the
    `variances` that a claim gives itself. `centred` leaves the distance of the means out: only the noise is compared.
    With `times` > 1 each output is released that often, independently: all coordinates together are one vector.

    Attributes:
        first: Leading coordinates of the first mean; the others are 0.
        second: Leading coordinates of the second mean.
        dimension: The dimension, an integer from 1 on.
        gamma: The relative variance, >= 0.
        sigma2: The baseline variance, >= 0.
        variances: Variances of both laws, in place of those of the mechanism.
        centred: Whether the distance of the means is left out.
        times: Independent releases of each output.
    """

    first: tuple[sympy.Expr, ...]
    second: tuple[sympy.Expr, ...]
    dimension: sympy.Expr | int
    gamma: sympy.Expr | int = 0
    sigma2: sympy.Expr | int = 0
    variances: tuple[sympy.Expr | int, sympy.Expr | int] | None = None
    centred: bool = False
    times: sympy.Expr | int = 1

    def reversed(self) -> Outputs:
        """Return the pair with the second law first: divergences depend on the order."""
        # Given variances belong to their law, and change places with it.
        swapped = None if self.variances is None else self.variances[::-1]
        return replace(self, first=self.second, second=self.first, variances=swapped)

    def subs(self, values: Mapping[sympy.Symbol, Any]) -> Outputs:
        """The pair with expressions in the places of symbols, all at once."""

        def placed(expression: Any) -> Any:
            return sympy.sympify(expression).subs(values, simultaneous=True)

        variances = None if self.variances is None else (placed(self.variances[0]), placed(self.variances[1]))
        first, second = (tuple(map(placed, mean)) for mean in (self.first, self.second))
        rest = placed(self.dimension), placed(self.gamma), placed(self.sigma2)
        return Outputs(first, second, *rest, variances, self.centred, placed(self.times))

    def fits(self, point: Mapping[sympy.Symbol, Value]) -> bool:
        """Return whether no coordinate beyond the dimension differs from 0."""
        values = {s: as_sympy(v) for s, v in point.items()}
        dimension = int(sympy.sympify(self.dimension).xreplace(values))
        rest = (*self.first[dimension:], *self.second[dimension:])
        return all(sympy.sympify(x).xreplace(values).is_zero for x in rest)

    def at(self, point: Mapping[sympy.Symbol, Value]) -> Placed:
        """Return the pair at a point of the claim, in exact numbers.

        Args:
            point: An exact value for each symbol of the pair.
        """
        values = {s: as_sympy(v) for s, v in point.items()}

        def number(expression: Any) -> sympy.Expr:
            return worked_out(sympy.sympify(expression).xreplace(values))

        first, second = (tuple(map(number, mean)) for mean in (self.first, self.second))
        gamma, sigma2 = number(self.gamma), number(self.sigma2)
        # The mechanism's own variance at a mean m: gamma |m|^2 + sigma2, for each coordinate.
        if self.variances is None:
            v1, v2 = (gamma * sum((x**2 for x in mean), sympy.Integer(0)) + sigma2 for mean in (first, second))
        else:
            v1, v2 = map(number, self.variances)
        dimension = int(number(self.dimension))
        given = self.variances is None
        means, times = (first[:dimension], second[:dimension]), int(number(self.times))
        return Placed(*means, dimension, gamma, sigma2, v1, v2, given, self.centred, times)


@dataclass(frozen=True)
class Placed:
    """A pair of outputs in exact numbers: means by their leading coordinates, and a variance per coordinate each.

    `by_mechanism` says that the variances are those of the relative Gaussian mechanism with `gamma` and `sigma2`.

    Attributes:
        first: Leading coordinates of the first mean.
        second: Leading coordinates of the second mean.
        dimension: The dimension of one release.
        gamma: The relative variance.
        sigma2: The baseline variance.
        variance_1: The variance of the first law.
        variance_2: The variance of the second law.
        centred: Whether the distance of the means is left out.
        times: Independent releases of each output.
    """

    first: tuple[sympy.Expr, ...]
    second: tuple[sympy.Expr, ...]
    dimension: int
    gamma: sympy.Expr
    sigma2: sympy.Expr
    variance_1: sympy.Expr
    variance_2: sympy.Expr
    by_mechanism: bool
    centred: bool
    times: int

    @property
    def whole(self) -> int:
        """Dimension of everything that is released."""
        return self.dimension * self.times

    def laws(self) -> tuple[Law, Law]:
        """The two laws for integration."""
        # Without the distance only the noise differs, which is what a main term is measured against.
        second = self.first if self.centred else self.second
        return Law(self.first * self.times, self.variance_1), Law(second * self.times, self.variance_2)

    def renyi(self, order: Any, digits: int) -> Measured:
        """Integrate the densities: the divergence in nats."""
        return unreduced.renyi(*self.laws(), self.whole, order, digits)

    def hockey_stick(self, level: Any, digits: int) -> Measured:
        """Integrate the densities: a number from 0 to 1."""
        return unreduced.hockey_stick(*self.laws(), self.whole, level, digits)

    def loss_above(self, level: Any, digits: int, under: Literal["P", "Q"]) -> Measured:
        """Integrate one of the densities over the places with a larger loss."""
        return unreduced.loss_above(*self.laws(), self.whole, level, digits, under=under)

    def released(self) -> Neighbours:
        """The same pair as outputs of the reference mechanism.

        The losses are those of the reference implementation, by its own code, and not of the formulas
        that the claim has.
        """
        one, two = (np.array([float(x) for x in mean]) for mean in (self.first, self.second))
        if not self.by_mechanism:
            size = max(len(one), len(two))
            gap = np.pad(one, (0, size - len(one))) - np.pad(two, (0, size - len(two)))
            # With variances of their own only the distance of the means matters, as the noise is the same in every
            # direction.
            distance = 0.0 if self.centred else float(np.linalg.norm(gap))
            found = neighbours_with_variances(distance, float(self.variance_1), float(self.variance_2), self.dimension)
            return replace(found, times=self.times)
        found = neighbours(float(self.gamma), float(self.sigma2), one, two, self.dimension)
        return replace(found, centred=self.centred, times=self.times)


Pair: TypeAlias = Placed | PlacedLaws


@dataclass(frozen=True)
class Renyi:
    """The Renyi divergence of an order >= 1 (that of Kullback and Leibler at 1)."""

    order: sympy.Expr | int

    def placed(self, values: Mapping[Any, Any]) -> Renyi:
        """The quantity with values in the places of the claim's symbols."""
        return Renyi(_placed(self.order, values))

    def arguments(self) -> tuple[Any, ...]:
        """What it has of the claim's symbols."""
        return (self.order,)

    def integral(self, pair: Pair, values: Mapping[Any, Any], digits: int) -> Measured:
        """Integrate the densities: the divergence in nats, with an estimate of its error."""
        return _gaussian(pair, self).renyi(_placed(self.order, values), digits)

    def interval(self, draws: Draws, values: Mapping[Any, Any], false_alarm: float) -> Interval | Inconclusive:
        """Estimate it from releases of the first output; the interval errs with `false_alarm` at most, or is
        inconclusive.
        """
        order = Fraction(float(_placed(self.order, values)))
        return renyi_interval(draws.pilot(), draws.losses("P"), draws.gaussian(), order, false_alarm)


@dataclass(frozen=True)
class MainTerm:
    """The part of the Renyi divergence of an order that the distance of the means adds to that of the noise alone."""

    order: sympy.Expr | int

    def placed(self, values: Mapping[Any, Any]) -> MainTerm:
        """The quantity with values in the places of the claim's symbols."""
        return MainTerm(_placed(self.order, values))

    def arguments(self) -> tuple[Any, ...]:
        """What it has of the claim's symbols."""
        return (self.order,)

    def integral(self, pair: Pair, values: Mapping[Any, Any], digits: int) -> Measured:
        """Integrate twice, with the distance and without; the errors of both add up."""
        both = (_gaussian(pair, self), replace(_gaussian(pair, self), centred=True))
        whole, noise = (integrated(Renyi(_placed(self.order, values)), p, digits) for p in both)
        # At the precision of the integrals: at mpmath's usual one the difference would be rounded.
        with mpmath.workdps(digits + 15):
            return Measured(whole.value - noise.value, whole.error + noise.error)

    def interval(self, draws: Draws, values: Mapping[Any, Any], false_alarm: float) -> Interval | Inconclusive:
        """Estimate both divergences from releases, each with half of `false_alarm`; the ends of the difference are the
        extremes.
        """
        noise = Draws(replace(draws.gaussian(), centred=True), draws.samples, draws.generator, draws.noise)
        found = [Renyi(self.order).interval(part, values, false_alarm / 2) for part in (draws, noise)]
        whole, rest = found
        if isinstance(whole, Inconclusive) or isinstance(rest, Inconclusive):
            return Inconclusive("one of the two divergences is open")
        # The worst of both ends: the two estimates may err in opposite directions.
        return Interval(whole.lower - rest.upper, whole.upper - rest.lower)


@dataclass(frozen=True)
class HockeyStick:
    """The hockey-stick divergence at a level: the integral of (P - e^level Q)_+."""

    level: sympy.Expr | int

    def placed(self, values: Mapping[Any, Any]) -> HockeyStick:
        """The quantity with values in the places of the claim's symbols."""
        return HockeyStick(_placed(self.level, values))

    def arguments(self) -> tuple[Any, ...]:
        """What it has of the claim's symbols."""
        return (self.level,)

    def integral(self, pair: Pair, values: Mapping[Any, Any], digits: int) -> Measured:
        """Integrate the densities: a number from 0 to 1, with an estimate of its error."""
        return pair.hockey_stick(_placed(self.level, values), digits)

    def interval(self, draws: Draws, values: Mapping[Any, Any], false_alarm: float) -> Interval | Inconclusive:
        """Estimate it from releases of the first output; the interval errs with `false_alarm` at most."""
        level = Fraction(float(_placed(self.level, values)))
        return hockey_stick_confidence_interval(level, draws.losses("P"), false_alarm)


@dataclass(frozen=True)
class LossAbove:
    """The probability that the loss exceeds a level, for releases of the first output (P) or of the second (Q)."""

    level: sympy.Expr | int
    under: Literal["P", "Q"] = "P"

    def placed(self, values: Mapping[Any, Any]) -> LossAbove:
        """The quantity with values in the places of the claim's symbols."""
        return LossAbove(_placed(self.level, values), self.under)

    def arguments(self) -> tuple[Any, ...]:
        """What it has of the claim's symbols."""
        return (self.level,)

    def integral(self, pair: Pair, values: Mapping[Any, Any], digits: int) -> Measured:
        """Integrate one of the densities over the places with a larger loss, with an estimate of the error."""
        return pair.loss_above(_placed(self.level, values), digits, self.under)

    def interval(self, draws: Draws, values: Mapping[Any, Any], false_alarm: float) -> Interval | Inconclusive:
        """Estimate it from releases: an interval by Clopper and Pearson, which errs with `false_alarm` at most."""
        level = Fraction(float(_placed(self.level, values)))
        return loss_tail_confidence_interval(level, draws.losses(self.under), false_alarm)


@dataclass(frozen=True)
class Guess:
    """The excess `Pr[guess of P] - e^level Pr[guess of Q]` of a test that guesses where the loss exceeds `above`.

    With `flip` the guess is turned around with that chance, by a coin of its own: a random map of the output.
    """

    level: sympy.Expr | int
    above: sympy.Expr | int
    flip: sympy.Expr | int = 0

    def placed(self, values: Mapping[Any, Any]) -> Guess:
        """The quantity with values in the places of the claim's symbols."""
        return Guess(*(_placed(x, values) for x in self.arguments()))

    def arguments(self) -> tuple[Any, ...]:
        """What it has of the claim's symbols."""
        return (self.level, self.above, self.flip)

    def integral(self, pair: Pair, values: Mapping[Any, Any], digits: int) -> Measured:
        """Integrate both densities over the set; the errors add up."""
        found = self.placed(values)
        p, q = (integrated(LossAbove(found.above, under), pair, digits) for under in SIDES)
        with mpmath.workdps(digits + 15):
            large, flip = mpmath.exp(_mp(found.level)), _mp(found.flip)
            value = (1 - 2 * flip) * (p.value - large * q.value) + flip * (1 - large)
            return Measured(value, p.error + large * q.error)

    def interval(self, draws: Draws, values: Mapping[Any, Any], false_alarm: float) -> Interval | Inconclusive:
        """Count the guesses on releases of both outputs, each with half of `false_alarm`."""
        found, shares = self.placed(values), []
        for under in SIDES:
            guess = draws.losses(under) > float(found.above)
            guess ^= draws.generator.random(len(guess)) < float(found.flip)
            shares.append(clopper_pearson(int(guess.sum()), len(guess), false_alarm / 2))
        p, q = shares
        if isinstance(p, Inconclusive) or isinstance(q, Inconclusive):
            return Inconclusive("one of the two probabilities is open")
        large = math.exp(float(found.level))
        return Interval(p.lower - large * q.upper, p.upper - large * q.lower)


Quantity: TypeAlias = Renyi | MainTerm | HockeyStick | LossAbove | Guess | Chance | Mean


@lru_cache(maxsize=4096)
def integrated(quantity: Quantity, pair: Pair, digits: int) -> Measured:
    """A quantity of a pair by integration, once in a process: claims share their pairs.

    Args:
        quantity: The quantity, without a symbol of a claim.
        pair: The pair.
        digits: The digits that the integral aims at.
    """
    return quantity.integral(pair, {}, digits)


def _gaussian(pair: Pair, quantity: Renyi | MainTerm) -> Placed:
    """Return the pair of two Gaussians that the quantity is of."""
    if not isinstance(pair, Placed):
        raise reject(type(quantity).__name__, pair, "is of two Gaussian outputs, given as Outputs")
    return pair


def _mp(value: Any) -> Any:
    """A constant of SymPy's at mpmath's precision."""
    return mpmath.mpmathify(sympy.sympify(value).evalf(mpmath.mp.dps + 5))


def _placed(expression: Any, values: Mapping[Any, Any]) -> sympy.Expr:
    """Return an expression with values in the places of symbols."""
    return sympy.sympify(expression).xreplace(values)


class Draws:
    """Losses of releases of a pair, made when they are asked for.

    `noise` other than 1 makes releases of a mechanism with less noise, whose losses are computed as if
    it were the stated one: that is the mistake that a power control has to notice.
    """

    def __init__(
        self, pair: Neighbours | PlacedLaws, samples: int, generator: np.random.Generator, noise: float = 1.0
    ) -> None:
        self.pair, self.samples, self.generator = pair, samples, generator
        self.noise = noise
        # The losses are those of the stated mechanism, and only the releases have less noise: a control must change one
        # of the two.
        self.source: Any = None if noise == 1.0 else pair.weaker(noise)

    def pilot(self) -> FloatArray:
        """Return losses for the choice of a method alone, of the mechanism as stated: a choice on the same losses as
        the estimate would void its confidence.
        """
        return self.pair.losses(min(_PILOT, self.samples), self.generator)

    def gaussian(self) -> Neighbours:
        """The pair as outputs of the relative Gaussian mechanism, which orders need."""
        if isinstance(self.pair, PlacedLaws):
            raise reject("outputs", self.pair, "an order is of two Gaussian outputs, given as Outputs")
        return self.pair

    def drawn(self, under: Literal["P", "Q"]) -> FloatArray:
        """Fresh releases of a pair that is given by its laws, shape (samples, coordinates)."""
        if not isinstance(self.pair, PlacedLaws):
            raise reject("outputs", self.pair, "events and functions are those of a release of `Laws`")
        return self.pair.draw(self.samples, self.generator, under, self.noise)

    def losses(self, under: Literal["P", "Q"]) -> FloatArray:
        """Fresh losses."""
        return self.pair.losses(self.samples, self.generator, under=under, released_by=self.source)
