"""Two laws of what a mechanism releases, as formulas: their integrals to 30 digits, and releases of the mechanism.

`outputs.Outputs` is the pair that most claims speak of, two isotropic Gaussians in any dimension. Here a law is any
density on a line or in a plane, or probabilities of finitely many outputs: a batch that is drawn, a coin that is
flipped, Laplace noise, a gradient by its length and its angle. The density stands on a page as it is by definition, and
the mechanism is a function that draws; each is all that is known of the law, and they have to agree.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise, product
from typing import Any, Literal, TypeAlias

import mpmath
import numpy as np
import sympy

from rgm_verify.balls.binding import worked_out
from rgm_verify.balls.statistics.confidence import clopper_pearson
from rgm_verify.errors import reject
from rgm_verify.gaussians.quadrature import gauss
from rgm_verify.gaussians.unreduced import DIGITS, Measured
from rgm_verify.lenses.points.values import Value, as_sympy
from rgm_verify.numbers.sampling import Inconclusive, Interval, bounded_mean_interval

FloatArray = np.ndarray
Under: TypeAlias = Literal["P", "Q"]
SIDES: tuple[Under, Under] = ("P", "Q")
"""The first law and the second one."""
Release: TypeAlias = Callable[..., FloatArray]
"""Draws `count` releases from the first law (under "P") or the second one: shape (count, coordinates).

Called as `release(count, generator, under, noise, *given)`, with numbers for `given`. `noise` other than 1 asks for a
mechanism with that many times the noise: a wrong one, for power controls.
"""

_GUARD = 10
_NODES = (40, 48)  # of Gauss's rule on a piece for 30 digits, and again for the error; fewer for fewer digits
_GRID = 33  # places of a piece among which changes of sign are looked for
#: Ends in deviations beyond which a normal law has less than 1e-43, and pieces on which its density is smooth enough.
STRETCH = (-14, -8, -4, 0, 4, 8, 14)
_STEPS = (0.46, 0.42)  # of the trapezoidal rule for 30 digits, in deviations: errors of exp(-2 pi^2 / step^2)
_DIGITS_CUT = 8  # of a mean that is a small part of an interval


@dataclass(frozen=True)
class Around:
    """A coordinate on the whole line, of a density like a normal one: its centre and its deviation."""

    centre: sympy.Expr | int
    deviation: sympy.Expr | int


Axis: TypeAlias = "Around | tuple[sympy.Expr | int, ...]"
"""A coordinate: the whole line, or a range by its ends with the places between them where the density is not smooth."""


@dataclass(frozen=True)
class Laws:
    """Two laws in the symbols of a claim, by densities in the coordinates of a release, and the mechanism.

    Attributes:
        output: The coordinates of a release.
        first: The density of the first law; with `finite` the probability of an output.
        second: That of the second law.
        axes: Each coordinate's range; with `finite` the outputs that there are.
        release: The mechanism.
        given: What `release` is given besides, in the symbols of the claim.
        finite: Whether outputs are counted and not integrated over.
        each: Releases are this many at most: of a mechanism that is slow.
    """

    output: tuple[sympy.Symbol, ...]
    first: sympy.Expr
    second: sympy.Expr
    axes: tuple[Axis, ...]
    release: Release
    given: tuple[sympy.Expr | int, ...] = ()
    finite: bool = False
    each: int = 1 << 30

    def reversed(self) -> Laws:
        """Return the pair with the second law first."""
        return replace(self, first=self.second, second=self.first, release=_Turned(self.release))

    def subs(self, values: Mapping[sympy.Symbol, Any]) -> Laws:
        """The pair with expressions in the places of symbols, all at once."""

        def placed(value: Any) -> Any:
            if isinstance(value, Around):
                return Around(placed(value.centre), placed(value.deviation))
            if isinstance(value, tuple):
                return tuple(map(placed, value))
            return sympy.sympify(value).xreplace(dict(values))

        densities = {"first": placed(self.first), "second": placed(self.second)}
        return replace(self, axes=placed(self.axes), given=placed(self.given), **densities)

    def expressions(self) -> list[Any]:
        """Everything in which symbols of the claim may stand."""
        ranges = [[a.centre, a.deviation] if isinstance(a, Around) else list(a) for a in self.axes]
        return [self.first, self.second, *self.given, *(x for part in ranges for x in part)]

    def fits(self, point: Mapping[sympy.Symbol, Value]) -> bool:
        """Return whether the pair exists at a point: it does at every one."""
        return True

    def at(self, point: Mapping[sympy.Symbol, Value]) -> PlacedLaws:
        """Return the pair at a point of the claim, in exact numbers."""
        values = {s: as_sympy(v) for s, v in point.items()}

        def number(expression: Any) -> Any:
            found = sympy.sympify(expression).xreplace(values)
            return found if found.free_symbols else worked_out(found)

        axes = tuple(
            Around(number(axis.centre), number(axis.deviation))
            if isinstance(axis, Around)
            else tuple(map(number, axis))
            for axis in self.axes
        )
        return PlacedLaws(replace(self, first=number(self.first), second=number(self.second), axes=axes,
                                  given=tuple(map(number, self.given))))  # fmt: skip


@dataclass(frozen=True)
class _Turned:
    """A mechanism with its two inputs exchanged."""

    release: Release

    def __call__(
        self, count: int, generator: np.random.Generator, under: Under, noise: float, *given: float
    ) -> FloatArray:
        return self.release(count, generator, "Q" if under == "P" else "P", noise, *given)


@dataclass(frozen=True)
class PlacedLaws:
    """A pair of laws in which no symbol is left but the coordinates of a release."""

    laws: Laws

    @property
    def whole(self) -> int:
        """Coordinates of a release."""
        return len(self.laws.output)

    def released(self) -> PlacedLaws:
        """The pair as what its mechanism releases: itself."""
        return self

    # Integrals.

    def hockey_stick(self, level: Any, digits: int) -> Measured:
        """Return the integral of `(P - e^level Q)_+`."""
        excess = self.laws.first - sympy.exp(level) * self.laws.second
        return self.integral(excess, excess, digits)

    def loss_above(self, level: Any, digits: int, under: Under = "P") -> Measured:
        """Return the probability that the loss exceeds a level."""
        return self.chance(self.laws.first - sympy.exp(level) * self.laws.second, digits, under)

    def chance(self, event: sympy.Expr, digits: int, under: Under = "P") -> Measured:
        """Return the probability that an expression of the release is positive."""
        return self.integral(self.density(under), event, digits)

    def mean(self, function: sympy.Expr, digits: int, under: Under = "P", event: sympy.Expr | None = None) -> Measured:
        """Return the mean of a function of the release, over an event if one is given."""
        return self.integral(function * self.density(under), event, digits)

    def density(self, under: Under) -> sympy.Expr:
        """The density of one of the two laws."""
        return self.laws.first if under == "P" else self.laws.second

    def integral(self, integrand: sympy.Expr, event: sympy.Expr | None, digits: int) -> Measured:
        """Integrate (or sum) over where `event` is positive; the error is the change with more nodes."""
        with mpmath.workdps(digits + _GUARD):
            if self.laws.finite:
                return self.total(integrand, event)
            function, positive = (self.function(e) if e is not None else None for e in (integrand, event))
            rough, fine = (self.quadrature(function, positive, again, digits) for again in (False, True))
            return Measured(fine, abs(fine - rough) + abs(fine) * mpmath.mpf(10) ** (3 - digits - _GUARD))

    def function(self, expression: sympy.Expr) -> Callable[..., Any]:
        """An expression of the release as a function of mpmath's numbers, or of arrays."""
        return _function(self.laws.output, expression)

    def total(self, integrand: sympy.Expr, event: sympy.Expr | None) -> Measured:
        """The sum over all outputs where `event` is positive."""
        found = mpmath.mpf(0)
        for output in product(*self.laws.axes):  # type: ignore[arg-type]
            if event is None or _at(event, self.laws.output, output) > 0:
                found += _at(integrand, self.laws.output, output)
        return Measured(found, abs(found) * mpmath.mpf(10) ** (5 - mpmath.mp.dps))

    def quadrature(self, function: Any, event: Any, again: bool, digits: int) -> Any:
        """Integrate over the coordinates one inside of the other."""
        fewer = math.sqrt(digits / DIGITS)
        nodes = max(12, math.ceil(_NODES[again] * fewer))

        def inner(before: tuple[Any, ...]) -> Any:
            axis = self.laws.axes[len(before)]
            last = len(before) + 1 == len(self.laws.axes)
            value = (lambda x: function(*before, x)) if last else (lambda x: inner((*before, x)))
            inside = (lambda x: event(*before, x)) if last and event is not None else None
            if inside is None and isinstance(axis, Around):
                return _trapezoidal(value, axis, _STEPS[again] / fewer)
            return mpmath.fsum(
                _gauss(value, low, high, nodes)
                for low, high in pairwise(_ends(axis, inside, search=not before))
                if inside is None or inside((low + high) / 2) > 0
            )

        return inner(())

    # Releases.

    def draw(self, count: int, generator: np.random.Generator, under: Under, noise: float) -> FloatArray:
        """Releases of the mechanism, shape (count, coordinates)."""
        given = [float(x) for x in self.laws.given]
        found = self.laws.release(min(count, self.laws.each), generator, under, noise, *given)
        return np.asarray(found, dtype=np.float64).reshape(-1, self.whole)

    def values(self, expression: sympy.Expr, drawn: FloatArray) -> FloatArray:
        """An expression of the release at each of them, shape (count,)."""
        if self.laws.finite:
            outputs, place = np.unique(drawn, axis=0, return_inverse=True)
            table = [float(_at(expression, self.laws.output, output)) for output in outputs]
            return np.array(table, dtype=np.float64)[place.ravel()]
        found = sympy.lambdify(self.laws.output, expression, "numpy")(*drawn.T)
        return np.broadcast_to(np.asarray(found, dtype=np.float64), (len(drawn),))

    def losses(
        self, samples: int, generator: np.random.Generator, *, under: Under = "P", released_by: float | None = None
    ) -> FloatArray:
        """Losses, by the densities as they are stated, of releases with `released_by` times the noise."""
        drawn = self.draw(samples, generator, under, 1.0 if released_by is None else released_by)
        with np.errstate(divide="ignore"):  # an output that one of the laws does not have: an infinite loss
            first, second = (np.log(self.values(law, drawn)) for law in (self.laws.first, self.laws.second))
        return np.asarray(first - second)

    def weaker(self, noise: float) -> float:
        """The mechanism with less noise, as `losses` takes it."""
        return noise


def _function(at: tuple[sympy.Symbol, ...], expression: sympy.Expr) -> Callable[..., Any]:
    """An expression as a function of mpmath's numbers, with its constants at the precision that is in force."""
    return sympy.lambdify(at, sympy.sympify(expression).evalf(mpmath.mp.dps + 5), "mpmath", cse=True)  # type: ignore[no-any-return]


def _at(expression: sympy.Expr, coordinates: tuple[sympy.Symbol, ...], output: Any) -> Any:
    """An expression at one of finitely many outputs, by mpmath."""
    values = {y: sympy.Integer(int(x)) for y, x in zip(coordinates, output, strict=True)}
    return _real(sympy.sympify(expression).xreplace(values))


def _real(value: Any) -> Any:
    """A constant of SymPy's at mpmath's precision."""
    return mpmath.mpmathify(sympy.sympify(value).evalf(mpmath.mp.dps + 5))


def _ends(axis: Axis, event: Callable[[Any], Any] | None, *, search: bool) -> list[Any]:
    """The ends of pieces on which the integrand is smooth: those of the axis, and where the event begins or ends.

    These are looked for on a line alone; with several coordinates they have to be among the ends of the axes.
    """
    if isinstance(axis, Around):
        ends = [_real(axis.centre) + k * _real(axis.deviation) for k in STRETCH]
    else:
        ends = [_real(end) for end in axis]
    ends = sorted(set(ends))
    if event is None or not search:
        return ends
    return sorted({*ends, *(root for low, high in pairwise(ends) for root in _roots(event, low, high))})


def _roots(function: Callable[[Any], Any], low: Any, high: Any) -> Iterator[Any]:
    """Places between two ends where a function changes its sign, as far as a grid shows them."""
    places = [low + (high - low) * k / (_GRID - 1) for k in range(_GRID)]
    signs = [mpmath.sign(function(x)) for x in places]
    for (a, b), (left, right) in zip(pairwise(places), pairwise(signs), strict=True):
        if left * right < 0:
            # A bracket is kept throughout, so that no step leaves it.
            yield mpmath.findroot(
                function, (a, b), solver="anderson", tol=mpmath.mpf(10) ** (-2 * mpmath.mp.dps), verify=False
            )
        elif left == 0 and low < a:
            yield a


def _trapezoidal(function: Callable[[Any], Any], axis: Around, step: float) -> Any:
    """The integral over the line by equal steps, whose error falls exponentially for densities like a normal one."""
    centre, width = _real(axis.centre), _real(axis.deviation) * mpmath.mpf(step)
    reach = int(STRETCH[-1] / step)
    return width * mpmath.fsum(function(centre + k * width) for k in range(-reach, reach + 1))


def _gauss(function: Callable[[Any], Any], low: Any, high: Any, nodes: int) -> Any:
    """The integral over a piece by Gauss's rule."""
    half, middle = (high - low) / 2, (high + low) / 2
    return half * mpmath.fsum(w * function(middle + half * x) for x, w in gauss(nodes, mpmath.mp.prec))


# ------------------------------------------------------------------------------------------------------ quantities


@dataclass(frozen=True)
class Chance:
    """The probability that an expression of the release is positive, under one of the laws."""

    event: sympy.Expr
    under: Under = "P"

    def placed(self, values: Mapping[Any, Any]) -> Chance:
        """The quantity with values in the places of the claim's symbols."""
        return replace(self, event=sympy.sympify(self.event).xreplace(values))

    def arguments(self) -> tuple[Any, ...]:
        """What it has of the claim's symbols."""
        return (self.event,)

    def integral(self, pair: Any, values: Mapping[Any, Any], digits: int) -> Measured:
        """Integrate the density over the event."""
        return _general(pair, self).chance(self.placed(values).event, digits, self.under)

    def interval(self, draws: Any, values: Mapping[Any, Any], false_alarm: float) -> Interval | Inconclusive:
        """Count releases in the event: an interval by Clopper and Pearson."""
        drawn = draws.drawn(self.under)
        inside = draws.pair.values(self.placed(values).event, drawn) > 0
        return clopper_pearson(int(inside.sum()), len(drawn), false_alarm)


@dataclass(frozen=True)
class Mean:
    """The mean of a function of the release, where `event` is positive (0 elsewhere), under one of the laws.

    `ends` are a lower and an upper bound on its values. With `cut` the function has no upper bound: it is cut off at
    the upper end, and what that hides is bounded by integration.
    """

    function: sympy.Expr
    ends: tuple[sympy.Expr | int, sympy.Expr | int]
    event: sympy.Expr | None = None
    under: Under = "P"
    cut: bool = False

    def placed(self, values: Mapping[Any, Any]) -> Mean:
        """The quantity with values in the places of the claim's symbols."""
        function, *ends = (sympy.sympify(x).xreplace(values) for x in (self.function, *self.ends))
        event = None if self.event is None else sympy.sympify(self.event).xreplace(values)
        return replace(self, function=function, ends=(ends[0], ends[1]), event=event)

    def arguments(self) -> tuple[Any, ...]:
        """What it has of the claim's symbols."""
        return (self.function, *self.ends, *(() if self.event is None else (self.event,)))

    def integral(self, pair: Any, values: Mapping[Any, Any], digits: int) -> Measured:
        """Integrate the function times the density."""
        found = self.placed(values)
        return _general(pair, self).mean(found.function, digits, self.under, found.event)

    def interval(self, draws: Any, values: Mapping[Any, Any], false_alarm: float) -> Interval | Inconclusive:
        """Average over releases, within the ends; what cuts hide widens the interval."""
        this, drawn = self.placed(values), draws.drawn(self.under)
        found = np.array(draws.pair.values(this.function, drawn))
        if this.event is not None:
            found[draws.pair.values(this.event, drawn) <= 0] = 0.0
        low, high = (float(end) for end in this.ends)
        inside = bounded_mean_interval(np.clip(found, low, high), low, high, false_alarm)
        if isinstance(inside, Inconclusive) or not self.cut:
            return inside
        # What is above a cut t adds less than the mean of f^2/(4 t), as (f - t)_+ is at most that everywhere.
        square = draws.pair.mean(this.function**2, _DIGITS_CUT, self.under, this.event)
        return Interval(inside.lower, inside.upper + float(square.value + square.error) / (4 * high) * (1 + 1e-12))


def _general(pair: Any, quantity: Chance | Mean) -> PlacedLaws:
    if not isinstance(pair, PlacedLaws):
        raise reject(type(quantity).__name__, pair, "events and functions are those of a release of `Laws`")
    return pair
