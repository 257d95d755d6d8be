"""Two outputs of the mechanism, looked at before any reduction: integrals of their densities, and released samples.

A claim about a divergence or a privacy loss speaks of it by a formula. Here the quantity itself is taken from the two
laws, given as vectors and variances: by integrating their densities over the space to 30 digits, and from losses of
what the reference mechanism has released. `Reading` says which expression of the claim has the value of which quantity
of which pair; both lenses put what they found in the place of that expression, and the claim has to hold with it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import product
from typing import Any, ClassVar, Literal, TypeAlias

import mpmath
import numpy as np
import sympy

from rgm_verify.balls.binding import worked_out
from rgm_verify.balls.statistics.confidence import clopper_pearson
from rgm_verify.claims.claim import Claim, ClaimError, Exact
from rgm_verify.claims.evidence import Evidence, Finding, Kind
from rgm_verify.claims.formula import Formula, Relation, relations
from rgm_verify.errors import reject
from rgm_verify.gaussians import unreduced
from rgm_verify.gaussians.simulated import hockey_stick_confidence_interval, loss_tail_confidence_interval
from rgm_verify.gaussians.unreduced import Law, Measured
from rgm_verify.lenses.base import FULL, Context, Lens, stray_symbols
from rgm_verify.lenses.distributions.laws import SIDES, Chance, Laws, Mean, PlacedLaws
from rgm_verify.lenses.points.numeric import mpmath_value, point_truth
from rgm_verify.lenses.points.sampling import admissible, exact_points, generator_for
from rgm_verify.lenses.points.values import Point, Value, as_sympy, exact, truth_at
from rgm_verify.lenses.worlds.exact import is_control
from rgm_verify.lenses.worlds.reduction import point_text, stands_in
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
_QUICK_CASES = 4
_QUICK_BOUNDS = 2  # of which each takes two integrals or more
_FULL_DRAWN = 8
_QUICK_SAMPLED = 1
_NUMBERS = {True: 1 << 26, False: 1 << 21}  # coordinates that are released for one case, in the full profile and else
_TOO_FEW = 2
_LESS_NOISE = 0.7
_DIGITS_SAMPLED = 12
_DIGITS_COMPARED = 60  # errors that are stated are far larger than what is rounded off at so many
_FOUND = 10**25  # the denominator of a number that was found by integration is at least so large
_LEAST_SHARES = 16  # parts of the false-alarm rate of a lens, of which each quantity gets one; more where it has more


# ------------------------------------------------------------------------------------------------------ quantities


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


@dataclass(frozen=True)
class Reading:
    """The sentence that `part`, an expression of the claim, is `scale` times a quantity of a pair of outputs.

    Attributes:
        part: The expression of the claim.
        quantity: The kind of quantity.
        outputs: The pair.
        scale: The factor.
    """

    part: sympy.Expr
    quantity: Quantity
    outputs: Outputs | Laws
    scale: sympy.Expr | int = 1


@dataclass(frozen=True)
class Of:
    """A quantity of a pair of outputs."""

    quantity: Quantity
    outputs: Outputs | Laws

    def subs(self, values: Mapping[sympy.Symbol, Any]) -> Of:
        """The quantity with numbers in the places of symbols."""
        return Of(self.quantity.placed(values), self.outputs.subs(values))

    def integral(self, point: Point, digits: int) -> Measured:
        """The quantity at a point of the claim."""
        values = {s: as_sympy(v) for s, v in point.items()}
        return integrated(self.quantity.placed(values), self.outputs.at(point), digits)


@dataclass(frozen=True)
class Bound:
    """The unreduced statement that a quantity is at most an expression of the claim's, or the largest of others.

    For claims whose formula is a step on the way to it and does not contain the quantity.

    Attributes:
        smaller: The quantity that is bounded, or an expression that bounds the others from below.
        larger: An expression, or quantities of which the largest is the bound.
    """

    smaller: Of | sympy.Expr
    larger: sympy.Expr | tuple[Of, ...]

    def quantities(self) -> tuple[Of, ...]:
        """All quantities of outputs in it."""
        smaller = (self.smaller,) if isinstance(self.smaller, Of) else ()
        return (*smaller, *(self.larger if isinstance(self.larger, tuple) else ()))


@dataclass(frozen=True)
class Case:
    """A point of a claim, what its expressions are there, and what is said of the outputs there.

    Attributes:
        point: An exact value for each variable of the claim.
        readings: What is read at this point.
        bounds: What has to hold of the outputs at this point.
    """

    point: Point
    readings: tuple[Reading, ...] = ()
    bounds: tuple[Bound, ...] = ()

    def fits(self) -> bool:
        """Return whether the outputs have the dimension that the point asks for."""
        pairs = [r.outputs for r in self.readings]
        pairs += [of.outputs for bound in self.bounds for of in bound.quantities()]
        return all(pair.fits(self.point) for pair in pairs)


Cases: TypeAlias = Callable[[bool], Iterable[Case]]
"""Cases of a claim whose variables are themselves found by integration; the argument asks for all of them."""


@dataclass(frozen=True)
class Filled:
    """Cases in which symbols of the claim are quantities of outputs, found by integration.

    Called as `Cases` are. The points may give values of further symbols, which the quantities, the bounds and `rest`
    use and the claim does not have.

    Attributes:
        points: Values of the other symbols, one mapping for each case.
        values: A quantity for each symbol that is read; looked at again by both lenses.
        above: A quantity for each symbol that is an upper bound on it: its value, rounded up.
        found: A quantity for each further symbol of `rest`, which is not read.
        rest: Expressions in all of these for the symbols that are left.
        readings: What else is read.
        bounds: What has to hold of the outputs.
    """

    points: tuple[Mapping[sympy.Symbol, Any], ...]
    values: Mapping[sympy.Symbol, Of] = field(default_factory=dict)
    above: Mapping[sympy.Symbol, Of] = field(default_factory=dict)
    found: Mapping[sympy.Symbol, Of] = field(default_factory=dict)
    rest: Mapping[sympy.Symbol, sympy.Expr | int] = field(default_factory=dict)
    readings: tuple[Reading, ...] = ()
    bounds: tuple[Bound, ...] = ()

    def __call__(self, full: bool) -> Iterator[Case]:
        """Yield the case of each point."""
        for given in self.points:
            point = {s: exact(sympy.sympify(v)) for s, v in given.items()}
            known = {s: as_sympy(v) for s, v in point.items()}
            values = {s: of.subs(known) for s, of in self.values.items()}
            others = ((s, of.subs(known)) for s, of in (*self.above.items(), *self.found.items()))
            for symbol, of in (*values.items(), *others):
                point[symbol] = _near(of.integral({}, unreduced.DIGITS), up=symbol in self.above)
            known = {s: as_sympy(v) for s, v in point.items()}
            for symbol, expression in self.rest.items():
                point[symbol] = exact(worked_out(sympy.sympify(expression).xreplace(known)))
            readings = [Reading(s, of.quantity, of.outputs) for s, of in values.items()]
            readings += [
                replace(r, quantity=r.quantity.placed(known), outputs=r.outputs.subs(known)) for r in self.readings
            ]
            yield Case(point, tuple(readings), self.bounds)


def _near(found: Measured, *, up: bool) -> Fraction:
    """A rational number as near to an integral as its error is small; above it, if asked for."""
    with mpmath.workdps(_DIGITS_COMPARED):
        value = found.value + (found.error + mpmath.mpf(10) ** -25 if up else 0)
        scale = mpmath.mpf(10) ** 40
        return Fraction(int(mpmath.ceil(value * scale) if up else mpmath.nint(value * scale)), 10**40)


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


# ------------------------------------------------------------------------------------------------ the claim's formula


def compatible(claim: Claim, point: Point, found: Mapping[sympy.Expr, tuple[Any, Any]]) -> bool | None:
    """Return whether the conclusion can hold with its parts anywhere between the given ends; None where it is open.

    Each part is tried at both of its ends, which is enough for a gap that is monotone in each part. An expression
    counts as all that it can be, errors of evaluation included. Raises `ClaimError` for a part that cannot be taken out
    of the formula.

    Args:
        point: An exact value for each of its variables.
        found: The ends between which each part lies.
    """

    def decide(relation: Relation) -> bool | None:
        gaps = []
        names = {part: sympy.Dummy(f"measured_{i}", real=True) for i, part in enumerate(found)}
        gap = _without(relation.lhs, names, claim) - _without(relation.rhs, names, claim)
        for corner in _corners(found):
            values = {**point, **{names[part]: _fraction(end) for part, end in corner}}
            value, error = mpmath_value(*_split(gap, values))
            # At one corner without a value the whole range is unknown.
            if value is None:
                return None
            # The corners are evaluated with 120 digits, and their errors widen the range in which the
            # gap may lie.
            gaps += [value - error, value + error]
        low, high = min(gaps), max(gaps)
        if relation.op == "==":
            return bool(low <= 0 <= high)
        # A range never refutes a disequation.
        if relation.op == "!=":
            return True
        return bool(low <= 0) if relation.op in ("<=", "<") else bool(high >= 0)

    return _as_bool(truth_at(_needed(claim), decide))


def _needed(claim: Claim) -> Formula:
    """Return the conclusion; raise `ClaimError` where there is none."""
    if claim.conclusion is None:
        raise ClaimError(f"{claim.id}: there is no formula to compare with")
    return claim.conclusion


def _as_bool(found: Any) -> bool | None:
    """Return a truth value, and None for what is undefined or open."""
    return found if isinstance(found, bool) else None


def _corners(found: Mapping[sympy.Expr, tuple[Any, Any]]) -> Iterator[tuple[tuple[sympy.Expr, Any], ...]]:
    """Yield all combinations of ends of the parts."""
    return product(*([(part, end) for end in ends] for part, ends in found.items()))


def _without(side: sympy.Expr, names: Mapping[sympy.Expr, sympy.Symbol], claim: Claim) -> sympy.Expr:
    """Return the side with names in the places of the parts; raises `ClaimError` for a part that does not come out
    whole.
    """
    for part, name in names.items():
        if side == part:
            side = name
        elif side.has(part):
            # Put back and compared: SymPy may take out a part of the part only, and the rest would keep its own value.
            replaced = side.xreplace({part: name}) if part.is_Symbol else side.subs(part, name)
            if not replaced.has(name) or replaced.xreplace({name: part}) != side:
                raise ClaimError(f"{claim.id}: {part} cannot be taken out of {side}")
            side = replaced
    return side


def _split(expression: sympy.Expr, values: Mapping[sympy.Symbol, Value]) -> tuple[sympy.Expr, dict[Any, Fraction]]:
    """Put the coordinates that are not rational into an expression; return it with the rational ones."""
    constants = {s: v for s, v in values.items() if not isinstance(v, Fraction)}
    return expression.xreplace(constants), {s: v for s, v in values.items() if isinstance(v, Fraction)}


def _fraction(value: Any) -> Fraction:
    """A float or a number of mpmath's, exactly."""
    if isinstance(value, float):
        return Fraction(value)
    # By its parts, since a conversion through a float would lose digits.
    sign, mantissa, exponent, _ = value._mpf_
    return Fraction(-int(mantissa) if sign else int(mantissa)) * Fraction(2) ** int(exponent)


def confirmed(claim: Claim, found: Iterable[sympy.Expr]) -> str:
    """Return which side of the conclusion a value stands on that outputs confirm: what a refuted claim keeps.

    Args:
        found: The parts of the conclusion that were measured.
    """
    parts = list(found)
    sides = [(_stands(r.lhs, parts), _stands(r.rhs, parts)) for r in relations(_needed(claim))]
    left, right = (any(side[k] for side in sides) for k in (0, 1))
    if left and right:
        return "the values on both sides"
    return "the left side" if left else "the right side" if right else "what is said of the outputs"


def _stands(side: sympy.Expr, parts: Iterable[sympy.Expr]) -> bool:
    return any(side == part or side.has(part) for part in parts)


def _stray(claim: Claim, readings: Iterable[Reading]) -> list[sympy.Expr]:
    """Return the parts that the conclusion does not contain: evidence on them is a note."""
    # Without a variable a side is a number, and there is nothing else that it could be.
    sides = [] if claim.variables else [side for r in relations(_needed(claim)) for side in (r.lhs, r.rhs)]
    return [r.part for r in readings if not stands_in(claim, r.part) and r.part not in sides]


# ------------------------------------------------------------------------------------------------------------ lenses


@dataclass(frozen=True)
class _Looks(Lens):
    """The common part of the two lenses: the points at which they look.

    `readings`, `bounds` and the points `at` (values of other symbols are left out, points that are not admissible are
    passed over, and in the full profile more points are drawn); or `cases`, a function that makes them.
    """

    readings: tuple[Reading, ...] = ()
    bounds: tuple[Bound, ...] = ()
    at: tuple[Mapping[sympy.Symbol, Exact], ...] = ()
    cases: Cases | None = None

    def refuse(self, claim: Claim) -> None:
        """Raise `ClaimError` for symbols that the claim does not declare."""
        for reading in self.readings:
            expressions = [reading.part, sympy.sympify(reading.scale), *map(sympy.sympify, _inside(reading))]
            stray = stray_symbols(claim, expressions)
            if stray:
                raise ClaimError(f"{claim.id}: {self.name}: {stray}")

    def looked_at(self, claim: Claim, full: bool, count: int) -> Iterator[Case]:
        """The cases that are admissible, at most `count` of them unless all are asked for."""
        made = (
            self.cases(full)
            if self.cases is not None
            else (Case(p, self.readings, self.bounds) for p in self.points(claim))
        )
        found = 0
        for case in made:
            # A point that leaves a variable open is no point of the claim.
            known = set(case.point) >= {v.symbol for v in claim.variables}
            if known and admissible(claim, case.point) and case.fits():
                yield case
                found += 1
                if not full and found == count:
                    return

    def points(self, claim: Claim) -> Iterator[Point]:
        """The given points, in the claim's own symbols."""
        symbols = {v.symbol for v in claim.variables}
        # A page may share its points among claims, of which each has other variables.
        for given in self.at:
            yield {s: exact(sympy.sympify(v)) for s, v in given.items() if s in symbols}

    def exceeded(self, bound: Bound, point: Point, ends: Callable[[Of], tuple[Any, Any]]) -> str:
        """Return what is wrong with a bound on outputs, whose quantities lie between `ends`; empty if nothing."""
        sides: list[tuple[Any, Any]] = []
        for side in (bound.smaller, bound.larger):
            if isinstance(side, Of | tuple):
                found = [ends(of) for of in (side if isinstance(side, tuple) else (side,))]
                sides.append((max(low for low, _ in found), max(high for _, high in found)))
                continue
            value, error = _value(sympy.sympify(side), point)
            # No value is no agreement, and is told like a contradiction.
            if value is None:
                return f"{_short(side)} has no value at {_where(point)}"
            with mpmath.workdps(_DIGITS_COMPARED):  # a bound may be met with equality
                sides.append((value - error, value + error))
        (low, _), (_, high) = sides
        # Their ranges meet: the bound may hold, and no more is asked of an estimate.
        if low <= high:
            return ""
        least, most = (mpmath.nstr(mpmath.mpf(end), 12) for end in (low, high))
        return f"the quantity is at least {least}, its bound {most}, at {_where(point)}"

    def trouble(self, case: Case, found: Mapping[sympy.Expr, tuple[Any, Any]]) -> str:
        """Return what is wrong with a case where the parts are between the ends that were found; empty if nothing."""
        where = _where(case.point)
        for reading in case.readings:
            value, error = mpmath_value(*_split(reading.part, case.point))
            if value is None:
                return f"{reading.part} has no value at {where}"
            low, high = found[reading.part]
            with mpmath.workdps(_DIGITS_COMPARED):
                if not low - error <= value <= high + error:
                    shown = f"{_short(reading.part)} is {mpmath.nstr(value, 12)}"
                    return f"its {shown}, and not {_between(low, high)}, at {where}"
        return ""


def _value(expression: sympy.Expr, point: Point) -> Any:
    """Return the value of an expression at a point with a bound on its error, by mpmath."""
    return mpmath_value(*_split(expression, point))


def _formula(claim: Claim, point: Point) -> bool | None:
    """Return whether the claim's formula holds at a point: sides that agree to 30 digits count as equal."""
    return _as_bool(point_truth(_needed(claim), point))


def _inside(reading: Reading) -> list[Any]:
    """Return all expressions of a reading, to be checked for symbols that the claim does not have."""
    outputs, own = reading.outputs, reading.quantity.arguments()
    if isinstance(outputs, Laws):
        # Events, functions and densities speak of a release as well, whose coordinates are no symbols of the claim.
        return [sympy.sympify(x).subs(dict.fromkeys(outputs.output, 1)) for x in (*outputs.expressions(), *own)]
    return [*outputs.first, *outputs.second, outputs.dimension, outputs.gamma, outputs.sigma2, *own,
            outputs.times, *(outputs.variances or ())]  # fmt: skip


def _where(point: Point) -> str:
    """Return a point for a sentence; numbers that were found by integration are shown to eight digits."""
    long = {s: v for s, v in point.items() if isinstance(v, Fraction) and v.denominator >= _FOUND}
    digits = [f"{s} = {float(v):.8g}.." for s, v in long.items()]
    return ", ".join(filter(None, [point_text({s: v for s, v in point.items() if s not in long}), *digits]))


def _noted(stray: list[sympy.Expr]) -> str:
    """Say why what was found is a note; empty where it is none."""
    if not stray:
        return ""
    if stray[0].is_Symbol:
        return f"; a note: {stray[0]} is a variable, and stands for other numbers as well"
    return f"; a note: the claim does not contain {stray[0]}"


def _short(part: sympy.Expr) -> str:
    """Return an expression for a sentence, or the word "part" where it is long."""
    text = str(part)
    return text if len(text) <= 40 else "part"


def _relative(low: Any, high: Any) -> Any:
    """The distance of two ends in units of the upper one."""
    return (high - low) / abs(high) if high else mpmath.mpf(0)


def _between(low: Any, high: Any) -> str:
    """Return both ends for a sentence."""
    return f"between {mpmath.nstr(mpmath.mpf(low), 12)} and {mpmath.nstr(mpmath.mpf(high), 12)}"


@dataclass(frozen=True)
class Unreduced(_Looks):
    """Integrate the densities of both outputs over the space, to 30 digits, and put the value into the claim.

    The expression of each reading has to agree with its integral to the stated error, and the conclusion has to hold
    with the integral in its place. A numerical route where every such expression stands in the claim, a note elsewhere;
    a disagreement speaks against the claim.

    Gives: a numerical route or a note. It closes the trap of a reduction that is wrong: the densities
    are vectors' densities, in the dimension of the claim, and no closed form of theirs is used.

    Attributes:
        digits: The digits that the integrals aim at; the error that is stated goes with each of them.
    """

    digits: int = unreduced.DIGITS

    name: ClassVar[str] = "unreduced integrals"
    grants: ClassVar[frozenset[Kind]] = frozenset({Kind.NUMERICAL_ROUTE, Kind.NOTE})

    def run(self, claim: Claim, context: Context) -> list[Evidence]:
        """Integrate at the given points, in the full profile at drawn ones as well.

        An integral outside of its expression's value, a bound that is exceeded, or a claim that fails with the integral
        in its place speaks against the claim. Fewer admissible points than `_TOO_FEW` decide nothing. If the claim does
        not contain an expression that was read, the evidence is a note.

        Args:
            context: Profile and seed.

        Returns:
            One piece of evidence; none for a control or a claim without a conclusion.
        """
        # A control changes the formula, and the integrals know nothing of it.
        if claim.conclusion is None or is_control(claim, context):
            return []
        full = context.profile.name == FULL.name
        dimensions: set[int] = set()
        looked, worst = 0, mpmath.mpf(0)
        stray: list[sympy.Expr] = []
        for case in self.chosen(claim, context, full):
            found: dict[sympy.Expr, tuple[Any, Any]] = {}
            for reading in case.readings:
                low, high = self.ends(Of(reading.quantity, reading.outputs), case.point, reading.scale)
                worst = max(worst, _relative(low, high))
                dimensions.add(reading.outputs.at(case.point).whole)
                found[reading.part] = (low, high)
            for bound in case.bounds:
                dimensions |= {of.outputs.at(case.point).whole for of in bound.quantities()}
                integrals: list[tuple[Any, Any]] = []
                trouble = self.exceeded(bound, case.point, partial(self.kept, integrals, case.point))
                worst = max(worst, *(_relative(*ends) for ends in integrals))
                # It is no refutation: the error of an integral is an estimate and not a bound.
                if trouble:
                    return [self.against(("mpmath",), trouble)]
            stray += _stray(claim, case.readings)
            trouble = self.trouble(case, found)
            if trouble:
                return [self.against(("mpmath",), trouble)]
            holds = compatible(claim, case.point, found) if found else _formula(claim, case.point)
            where = _where(case.point)
            if holds is None:
                return [self.undecided(("mpmath",), f"the claim could not be evaluated at {where}")]
            looked += 1
            # Between two ends a strict relation may still hold where the exact values are equal.
            if holds is False or _formula(claim, case.point) is False:
                side = confirmed(claim, found)
                text = f"confirm {side}, and not the claim: with the integral in its place the claim fails at {where}"
                return [self.against(("mpmath",), f"the densities, integrated to {self.digits} digits, {text}")]
        # At a single point many wrong formulas agree; a claim without variables has no other.
        if looked < (_TOO_FEW if claim.variables else 1):
            return [self.undecided(("mpmath",), f"only {looked} of the points are admissible")]
        details = {
            "points": looked,
            "dimensions": sorted(dimensions),
            "largest_relative_error": mpmath.nstr(worst, 2),
        }
        shown = ", ".join(map(str, sorted(dimensions)))
        summary = f"the densities of both outputs, integrated to {self.digits} digits at {looked} points in dimension "
        summary += f"{shown} (largest relative error {mpmath.nstr(worst, 1)}): the claim holds with the integrals"
        summary += _noted(stray)
        # Evidence about something that the claim does not contain must not count as a route to it.
        kind = Kind.NOTE if stray else Kind.NUMERICAL_ROUTE
        return [self.evidence(kind, Finding.SUPPORTS, ("mpmath",), summary, details=details)]

    def chosen(self, claim: Claim, context: Context, full: bool) -> Iterator[Case]:
        """Given cases, then drawn ones."""
        few = _QUICK_BOUNDS if self.bounds and not self.readings else _QUICK_CASES
        yield from self.looked_at(claim, full, few)
        if full and self.cases is None:
            for point in exact_points(claim, "unreduced integrals", context.seed, _FULL_DRAWN):
                case = Case(point, self.readings, self.bounds)
                if case.fits():
                    yield case

    def kept(self, integrals: list[tuple[Any, Any]], point: Point, of: Of) -> tuple[Any, Any]:
        """The ends of a quantity, which are added to a list."""
        integrals.append(self.ends(of, point))
        return integrals[-1]

    def ends(self, of: Of, point: Point, scale: sympy.Expr | int = 1) -> tuple[Any, Any]:
        """The quantity times a scale, minus and plus its error."""
        values = {s: as_sympy(v) for s, v in point.items()}
        found = of.integral(point, self.digits)
        with mpmath.workdps(self.digits + 15):
            factor = mpmath.mpf(str(sympy.sympify(scale).xreplace(values).evalf(self.digits + 15)))
            value, error = found.value * factor, abs(found.error * factor)
            return value - error, value + error


@dataclass(frozen=True)
class Released(_Looks):
    """Estimate the quantity from losses of what the reference mechanism has released, with exact confidence.

    The interval of each reading has to contain the value of its expression, and the claim has to be possible with the
    interval in its place. Power controls: the interval must not contain 70 % of the value, and that of releases with a
    noise 30 % too small, judged by the densities as stated, must not contain the value. `false_alarm` bounds the chance
    that a true claim is spoken against, over all quantities of a run together.

    Gives: a simulation or a note, never a refutation.

    Attributes:
        false_alarm: The chance that the intervals of one run speak against a true claim.
    """

    false_alarm: float = 1e-9

    name: ClassVar[str] = "released outputs"
    grants: ClassVar[frozenset[Kind]] = frozenset({Kind.SIMULATION, Kind.NOTE})

    def run(self, claim: Claim, context: Context) -> list[Evidence]:
        """Release at the given points: at the first of them, in the full profile at all.

        The two power controls come with each quantity: an interval that is too wide to notice 30 % less noise, or 70 %
        of the value, decides nothing. Claim, lens and seed determine the releases.

        Args:
            context: Samples, profile and seed.

        Returns:
            One piece of evidence; none for a control or a claim without a conclusion.
        """
        if claim.conclusion is None or is_control(claim, context):
            return []
        full = context.profile.name == FULL.name
        generator = generator_for(claim.id, self.name, context.seed)
        shown: list[str] = []
        stray: list[sympy.Expr] = []
        samples = 0
        cases = list(self.looked_at(claim, full, _QUICK_SAMPLED))
        # All quantities together may err with the stated rate, by the union bound.
        share = self.false_alarm / max(_LEAST_SHARES, sum(map(_quantities, cases)))
        for case in cases:
            found: dict[Any, tuple[float, float]] = {}
            for key, of, scale, value in self.wanted(case):
                pair = of.outputs.at(case.point)
                # Releases in a high dimension are limited by the numbers drawn, which are what memory
                # holds.
                most = pair.laws.each if isinstance(pair, PlacedLaws) else _NUMBERS[full]
                samples = min(context.profile.simulation_samples, _NUMBERS[full] // pair.whole, most)
                right, wrong = (
                    self.interval(of, scale, case.point, samples, generator, noise, share)
                    for noise in (1.0, _LESS_NOISE)
                )
                # Too few releases for an interval: neither for nor against.
                if right is None or wrong is None or value is None:
                    return [self.undecided(("numpy",), f"inconclusive with {samples} releases")]
                if not right[0] <= value <= right[1]:
                    shown_value = f"{mpmath.nstr(value, 8)} is not {_between(*right)}, found by {samples} releases"
                    return [self.against(("numpy",), f"{shown_value}, at {_where(case.point)}")]
                # An interval that is too wide contains everything: agreement counts only where these would be noticed.
                survivor = "70 % of the value" if right[0] <= 0.7 * value <= right[1] else ""
                survivor = "30 % less noise" if wrong[0] <= value <= wrong[1] else survivor
                if survivor:
                    text = f"the power control failed: {survivor} was not noticed with {samples} releases"
                    return [self.undecided(("numpy",), f"{text} at {_where(case.point)}")]
                found[key] = right
                shown.append(f"[{right[0]:.4g}, {right[1]:.4g}]")
            for bound in case.bounds:
                trouble = self.exceeded(bound, case.point, found.__getitem__)
                if trouble:
                    return [self.against(("numpy",), trouble)]
            stray += _stray(claim, case.readings)
            parts = {reading.part: found[reading.part] for reading in case.readings}
            holds = compatible(claim, case.point, parts) if parts else _formula(claim, case.point)
            where = _where(case.point)
            if holds is None:
                return [
                    self.undecided(("numpy",), f"with what was released the claim could not be evaluated at {where}")
                ]
            # Intervals may be too wide to tell a failure that is small: then exact values tell it, and no support is
            # claimed.
            if holds is False or _formula(claim, case.point) is False:
                told = "with what was released" if holds is False else "by less than the intervals tell"
                text = f"confirm {confirmed(claim, parts)}, and not the claim: {told} the claim fails at {where}"
                intervals = f"{samples} releases of the reference mechanism ({', '.join(shown)})"
                return [self.against(("numpy",), f"{intervals} {text}")]
        if not shown:
            return [self.undecided(("numpy",), "none of the points is admissible")]
        read = [reading.part for case in cases for reading in case.readings]
        # Whatever the verdict on the claim is: this is what the releases speak for.
        told = f"{confirmed(claim, read)} of the claim, which holds there" if read else "what is said of the outputs"
        summary = f"{samples} releases of the reference mechanism at two neighbouring outputs: the interval {shown[0]}"
        summary += f"{f' (and {len(shown) - 1} more)' if len(shown) > 1 else ''} contains {told}; "
        summary += "30 % less noise and 70 % of the value are rejected"
        summary += _noted(stray)
        details = {"samples": samples, "false_alarm": self.false_alarm, "intervals": shown}
        kind = Kind.NOTE if stray else Kind.SIMULATION
        return [self.evidence(kind, Finding.SUPPORTS, ("numpy",), summary, details=details)]

    def wanted(self, case: Case) -> Iterator[tuple[Any, Of, sympy.Expr | int, Any]]:
        """List the quantities to estimate at a case: a key, the quantity and its scale, and the value to be found.

        Where the claim does not contain the quantity the value is its integral.
        """
        for reading in case.readings:
            yield (
                reading.part,
                Of(reading.quantity, reading.outputs),
                reading.scale,
                _value(reading.part, case.point)[0],
            )
        for of in _in_bounds(case):
            yield of, of, 1, of.integral(case.point, _DIGITS_SAMPLED).value

    def interval(
        self,
        of: Of,
        scale: sympy.Expr | int,
        point: Point,
        samples: int,
        generator: np.random.Generator,
        noise: float,
        share: float,
    ) -> tuple[float, float] | None:
        """The interval for the quantity times its scale; None where it is inconclusive.

        `noise` multiplies the standard deviation of the releases; 1 is the mechanism as it is.

        Args:
            of: The quantity.
            scale: Its factor in the claim.
            point: An exact value for each variable.
            samples: The number of releases.
            generator: The source of all draws.
            noise: The factor on the standard deviation.
            share: The chance with which this interval may err: each quantity of a run has an equal one.
        """
        values = {s: as_sympy(v) for s, v in point.items()}
        draws = Draws(of.outputs.at(point).released(), samples, generator, noise)
        found = of.quantity.interval(draws, values, share)
        if isinstance(found, Inconclusive) or not all(map(math.isfinite, found)):
            return None
        factor = float(sympy.sympify(scale).xreplace(values))
        ends = sorted(end * factor for end in found)
        return ends[0], ends[1]


def _quantities(case: Case) -> int:
    """Return how many quantities are estimated at a case, each by an interval that may err."""
    return len(case.readings) + len(_in_bounds(case))


def _in_bounds(case: Case) -> list[Of]:
    """The quantities in the bounds of a case, each once."""
    return list(dict.fromkeys(of for bound in case.bounds for of in bound.quantities()))


def by_outputs(
    part: sympy.Expr,
    quantity: Quantity,
    outputs: Outputs | Laws,
    points: Iterable[Mapping[sympy.Symbol, Exact]],
    sampled: Iterable[Mapping[sympy.Symbol, Exact]],
    scale: sympy.Expr | int = 1,
    bounds: tuple[Bound, ...] = (),
) -> tuple[Lens, Lens]:
    """Both checks of a claim one of whose expressions is `scale` times a quantity of two outputs.

    By integration at `points`, where `bounds` are looked at as well, and by releases at `sampled` ones.

    Args:
        part: The expression of the claim.
        outputs: The pair.
        points: Points for integration.
        sampled: Points for releases.
        scale: The factor of the quantity in the expression.
        bounds: Bounds on quantities, for integration alone.

    Returns:
        Both lenses, for `by=`.
    """
    readings = (Reading(part, quantity, outputs, scale),)
    return Unreduced(readings, bounds, tuple(points)), Released(readings, at=tuple(sampled))


def of_cases(cases: Cases, digits: int = unreduced.DIGITS) -> tuple[Lens, Lens]:
    """Both checks of a claim at the cases that are made for it, for `outputs=` or `by=`."""
    return Unreduced(cases=cases, digits=digits), Released(cases=cases)


def of_bounds(
    bounds: Iterable[Bound], points: Iterable[Mapping[sympy.Symbol, Exact]], digits: int = unreduced.DIGITS
) -> tuple[Lens, Lens]:
    """Both checks of a claim whose formula is a step to what it says of outputs: `bounds`, at points of the claim."""
    made, at = tuple(bounds), tuple(points)
    return Unreduced(bounds=made, at=at, digits=digits), Released(bounds=made, at=at)


def is_quantity(of: Of, expression: sympy.Expr) -> tuple[Bound, Bound]:
    """The statement that a quantity of outputs is an expression of the claim's: both bounds."""
    return Bound(of, expression), Bound(expression, (of,))
