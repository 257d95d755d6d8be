"""Two outputs of the mechanism, looked at before any reduction: integrals of their densities, and released samples.

A claim about a divergence or a privacy loss speaks of it by a formula. Here the quantity itself is taken from the two
laws, given as vectors and variances: by integrating their densities over the space to 30 digits, and from losses of
what the reference mechanism has released. `Reading` says which expression of the claim has the value of which quantity
of which pair; both lenses put what they found in the place of that expression, and the claim has to hold with it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar

import mpmath
import numpy as np
import sympy

from rgm_verify.claims.claim import Claim, ClaimError, Exact
from rgm_verify.claims.evidence import Evidence, Finding, Kind
from rgm_verify.gaussians import unreduced
from rgm_verify.lenses.base import FULL, Context, Lens, stray_symbols
from rgm_verify.lenses.distributions.cases import (
    DIGITS_COMPARED,
    Bound,
    Case,
    Cases,
    Of,
    Reading,
    as_bool,
    compatible,
    confirmed,
    needed,
    split,
    stray_parts,
)
from rgm_verify.lenses.distributions.laws import Laws, PlacedLaws
from rgm_verify.lenses.distributions.quantities import Draws, Outputs, Quantity
from rgm_verify.lenses.points.axes import generator_for
from rgm_verify.lenses.points.numeric import mpmath_value, point_truth
from rgm_verify.lenses.points.sampling import admissible, exact_points
from rgm_verify.lenses.points.values import Point, as_sympy, exact
from rgm_verify.lenses.worlds.exact import is_control
from rgm_verify.lenses.worlds.reduction import point_text
from rgm_verify.numbers.sampling import Inconclusive

_QUICK_CASES = 3
_QUICK_BOUNDS = 2  # of which each takes two integrals or more
_FULL_DRAWN = 8
_QUICK_SAMPLED = 1
_NUMBERS = {True: 1 << 26, False: 1 << 21}  # coordinates that are released for one case, in the full profile and else
_TOO_FEW = 2
_LESS_NOISE = 0.7
_FOUND = 10**25  # the denominator of a number that was found by integration is at least so large
_LEAST_SHARES = 16  # parts of the false-alarm rate of a lens, of which each quantity gets one; more where it has more


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
            with mpmath.workdps(DIGITS_COMPARED):  # a bound may be met with equality
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
            value, error = mpmath_value(*split(reading.part, case.point))
            if value is None:
                return f"{reading.part} has no value at {where}"
            low, high = found[reading.part]
            with mpmath.workdps(DIGITS_COMPARED):
                if not low - error <= value <= high + error:
                    shown = f"{_short(reading.part)} is {mpmath.nstr(value, 12)}"
                    return f"its {shown}, and not {_between(low, high)}, at {where}"
        return ""


def _value(expression: sympy.Expr, point: Point) -> Any:
    """Return the value of an expression at a point with a bound on its error, by mpmath."""
    return mpmath_value(*split(expression, point))


def _formula(claim: Claim, point: Point) -> bool | None:
    """Return whether the claim's formula holds at a point: sides that agree to 30 digits count as equal."""
    return as_bool(point_truth(needed(claim), point))


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
            stray += stray_parts(claim, case.readings)
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
            stray += stray_parts(claim, case.readings)
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

        Where the claim does not contain the quantity the value is its integral, to the digits of the other lens, which
        has found it already.
        """
        for reading in case.readings:
            yield (
                reading.part,
                Of(reading.quantity, reading.outputs),
                reading.scale,
                _value(reading.part, case.point)[0],
            )
        for of in _in_bounds(case):
            yield of, of, 1, of.integral(case.point, unreduced.DIGITS).value

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
