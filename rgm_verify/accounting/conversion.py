"""From a Renyi curve to (epsilon, delta): at the best order, with a bound on what a better one could still give.

Both conversions, at an order alpha = 1 + x with the divergence R(alpha), are a convex function of the order,

    psi(x) = x R(1 + x) + h(x) + L,   h = 0 (Mironov)   or   h = x log(x) - (1 + x) log(1 + x) (improved),

L = log(1/delta): epsilon = psi(x) / x. For delta at a given epsilon, log(delta) = psi(x) - x epsilon with L = 0. That
x R(1 + x) is convex holds for every Renyi divergence and for suprema and sums of them. So psi(x) / x falls and then
rises, and a chord of psi bounds it from below outside the chord: three orders bound the infimum over all of them.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rgm_verify.accounting.exact.admissible_pairs import reached_excess
from rgm_verify.accounting.exact.below_threshold import Family
from rgm_verify.accounting.exact.one_release import probability
from rgm_verify.accounting.exact.renyi_curve import covers_order, renyi_bounds
from rgm_verify.accounting.release import Release
from rgm_verify.balls.enclose import Enclosure, enclose
from rgm_verify.errors import InputError, reject, takes
from rgm_verify.numbers.bounds import Bounds, round_down, round_up
from rgm_verify.numbers.exact import ExactInput, nonnegative, positive_integer
from rgm_verify.numbers.exact import exact as exact_number
from rgm_verify.numbers.shown import Framed

__all__ = [
    "Conversion",
    "Curve",
    "Form",
    "delta_from_renyi",
    "epsilon_at_order",
    "epsilon_from_renyi",
    "release_epsilon",
    "release_epsilon_at_once",
]

FloatArray: TypeAlias = NDArray[np.float64]
Form: TypeAlias = Literal["improved", "mironov"]
Curve: TypeAlias = Callable[[Fraction], "Bounds | float"]
"""A Renyi curve: the divergence of an exact order > 1, as `Bounds` or as a float that is taken as it is."""

_FORMS = ("improved", "mironov")
_GOLDEN = (math.sqrt(5) - 1) / 2
_SEARCH_WIDTH = 1e-8  # a minimum in floats is known to the root of a rounding only
_STEPS = tuple(1e-7 * 8.0**k for k in range(9))
_END_OF_RANGE = 33.0  # 1 / (1 + exp(-33)) is 40 roundings below 1
_NEAR_ORDER_1, _NO_END = 45.0, 200.0  # from exp(-45) of the range above order 1, up to exp(200) where it has no end
_LEAST_LOG = -800  # the least float above 0 is about exp(-744)
_DIGITS = 25
_SOME_PAIRS = 257


@dataclass(frozen=True)
class Conversion(Framed):
    """An (epsilon, delta) guarantee at one order: floats rounded up, so that it holds as it stands.

    Attributes:
        epsilon: in nats, an upper bound.
        delta: a probability, an upper bound.
        order: the order at which the curve was converted, exact.
        gap: how far the number that was asked for may be above its infimum over all orders: certified, rounded up.
        form: the conversion that was used.
    """

    epsilon: float
    delta: float
    order: Fraction
    gap: float
    form: Form


def epsilon_from_renyi(
    curve: Curve, delta: ExactInput, *, largest_order: ExactInput | None, form: Form = "improved"
) -> Conversion:
    """Return the epsilon >= 0 that a Renyi curve gives at `delta`, an upper bound, at the best order below the end.

    "mironov": `R + log(1/delta) / (alpha - 1)`; "improved": `R + log((alpha - 1) / alpha) - (log delta + log alpha) /
    (alpha - 1)`, never larger.

    Args:
        curve: called with exact orders 1 < alpha < `largest_order`; may return `inf`. `gap` is only as true as `(alpha
            - 1) curve` is convex, the epsilon holds in any case.
        delta: an exact number, 0 < delta < 1.
        largest_order: the end of the orders, exact; None: there is no end.
        form: the conversion.

    Returns:
        The guarantee at the best order found; its epsilon and delta are upper bounds, rounded up.

    Raises:
        InputError: for `delta` outside (0, 1), `largest_order <= 1`, another form, NaN or negative divergences.

    Sources: Mironov (2017), Proposition 3; Canonne, Kamath and Steinke (2020), Proposition 12
    (`beyond:improved-conversion`).

    Examples:
        >>> found = epsilon_from_renyi(lambda alpha: float(alpha) / 2, "1e-5", largest_order=None)
        >>> 4.37 < found.epsilon < 4.8 and found.gap < 1e-9
        True
    """
    target = probability(delta, name="delta")
    problem = _Problem(curve, _form(form), _end(largest_order), _log_inverse(target), None)
    return _epsilon(problem, target)


def delta_from_renyi(
    curve: Curve, epsilon: ExactInput, *, largest_order: ExactInput | None, form: Form = "improved"
) -> Conversion:
    """Return the delta <= 1 that a Renyi curve gives at `epsilon >= 0`, an upper bound, at the best order.

    Arguments and errors as in `epsilon_from_renyi`; `gap` is that of delta. An epsilon above the range of floats is
    reported as `inf`.
    """
    level = nonnegative(epsilon, name="epsilon", meaning="epsilon")
    problem = _Problem(curve, _form(form), _end(largest_order), Enclosure(Fraction(0), Fraction(0)), level)
    best = _minimise(problem)
    # A bound on delta above 1 says no more than 1 does.
    upper, lower = (_exponential(min(Fraction(0), end)) for end in (best.upper, best.infimum))
    gap = _end_of(upper.upper) - _end_of(lower.lower)
    return Conversion(round_up(level), round_up(_end_of(upper.upper)), 1 + best.x, round_up(gap), problem.form)


@takes(release=Release)
def release_epsilon(
    release: Release, delta: ExactInput, *, steps: ExactInput = 1, form: Form = "improved"
) -> Conversion:
    """Return the epsilon at `delta` of `steps` adaptive releases by the exact Renyi curve: an upper bound.

    The curve is enclosed at every order that counts, also below the threshold of the baseline noise.

    Args:
        release: one release; all are equal.
        delta: an exact number, 0 < delta < 1.
        steps: the number of releases, an integer >= 1.
        form: the conversion.

    Raises:
        InputError: as `epsilon_from_renyi`, and for `steps` that is no integer >= 1.

    Examples:
        >>> release_epsilon(Release("1/10", 1, 10), "1e-5").epsilon
        3.629194161063...
    """
    count = positive_integer(steps, name="steps", meaning="the number of releases")
    target = probability(delta, name="delta")
    return _epsilon(_of_release(release, count, target, _form(form)), target)


@takes(release=Release)
def release_epsilon_at_once(release: Release, delta: Fraction) -> float:
    """Return the epsilon of one release at 0 < `delta` < 1 by its Renyi curve at the order that floats find best.

    An upper bound, rounded up, `inf` where no order was found. The exact curve is asked for once, where
    `release_epsilon` also certifies how near to the infimum it is.
    """
    problem = _of_release(release, 1, delta, "improved")
    found = _at(problem, _golden_section(problem))
    return math.inf if found is None else round_up(max(Fraction(0), _upper(problem, found)))


def _of_release(release: Release, count: int, delta: Fraction, form: Form) -> _Problem:
    """Return the minimisation for the epsilon of `count` releases, with a float formula that guides the search."""

    def curve(order: Fraction) -> Bounds:
        found = renyi_bounds(release, order)
        if found.upper == math.inf:
            return found
        ends = round_down(count * Fraction(found.lower)), round_up(count * Fraction(found.upper))
        return replace(found, lower=ends[0], upper=ends[1])

    # From there on an admissible pair has an infinite divergence.
    end = 1 / reached_excess(release)
    return _Problem(curve, form, end, _log_inverse(delta), None, _in_floats(release, count))


def epsilon_at_order(order: ExactInput, divergence: ExactInput, delta: ExactInput, *, form: Form = "improved") -> float:
    """Return the epsilon >= 0 that a divergence of one order gives at `delta`, an upper bound, rounded up.

    Raises `InputError` for an order that is not above 1, a negative divergence and `delta` outside (0, 1).
    """
    x = exact_number(order, name="order") - 1
    if x <= 0:
        raise reject("order", order, "must be > 1")
    value = nonnegative(divergence, name="divergence", meaning="a Renyi divergence")
    target = probability(delta, name="delta")
    psi = x * value + _end_of(_penalty(x, _form(form)).upper) + _end_of(_log_inverse(target).upper)
    return round_up(max(Fraction(0), psi / x))


def _epsilon(problem: _Problem, delta: Fraction) -> Conversion:
    """Return the conversion for a solved problem: the bound at the best order, and its distance from the infimum."""
    best = _minimise(problem)
    found, lower = max(Fraction(0), best.upper), max(Fraction(0), best.infimum)
    return Conversion(round_up(found), round_up(delta), 1 + best.x, round_up(found - lower), problem.form)


# --------------------------------------------------------------------------------------- the function


@dataclass(frozen=True)
class _Point:
    """psi at alpha = 1 + x, enclosed, and what is minimised: psi / x or psi - x epsilon."""

    x: Fraction
    low: Fraction
    high: Fraction


@dataclass(frozen=True)
class _Problem:
    """A minimisation over 0 < x < end: of psi(x) / x, or of psi(x) - x level where a level is given."""

    curve: Curve
    form: Form
    end: Fraction | None
    log_inverse_delta: Enclosure
    level: Fraction | None
    guess: Callable[[float], float] | None = None

    def point(self, x: Fraction) -> _Point | None:
        """Return psi at x (less x level), enclosed; None where the divergence is infinite."""
        divergence = _checked(self.curve(1 + x), 1 + x)
        if divergence.upper == math.inf:
            return None
        # Enclosed apart from the divergence, so that the whole is no less certain than the curve.
        change, constant, level = _penalty(x, self.form), self.log_inverse_delta, self.level or Fraction(0)
        low = x * (Fraction(divergence.lower) - level) + _end_of(change.lower) + _end_of(constant.lower)
        high = x * (Fraction(divergence.upper) - level) + _end_of(change.upper) + _end_of(constant.upper)
        return _Point(x, low, high)

    def per_order(self, psi: Fraction, x: Fraction) -> Fraction:
        """Return what is minimised, from psi."""
        return psi / x if self.level is None else psi

    def rough(self, x: float) -> float:
        """Return what is minimised as a float, for finding the order; nothing rests on it."""
        divergence = self.guess(x) if self.guess else _checked(self.curve(1 + Fraction(x)), 1 + Fraction(x)).upper
        change = 0.0 if self.form == "mironov" else x * math.log(x) - (1 + x) * math.log1p(x)
        psi = change + float(_end_of(self.log_inverse_delta.upper))
        return divergence + psi / x if self.level is None else x * (divergence - _at_most_largest(self.level)) + psi

    def order(self, u: float) -> float:
        """Return x at u on the real line: equal steps of u are equal ratios of x near 0, and of end - x near end."""
        if self.end is None:
            return math.exp(u)
        # Strictly below the end, at which the divergence is infinite; floats near 1 / (1 + e^-u) may round to it.
        largest = round_down(self.end)
        return min(largest / (1 + math.exp(-u)), largest if largest < self.end else math.nextafter(largest, 0))


def _at_most_largest(value: Fraction) -> float:
    """Return about the value, or the largest float where that is less."""
    return min(round_up(value), sys.float_info.max)


def _checked(value: Bounds | float, order: Fraction) -> Bounds:
    """Return the value of a curve as bounds; `InputError` for a divergence below 0, which none is."""
    found = value if isinstance(value, Bounds) else _point_bounds(value, order)
    if found.lower < 0:
        raise InputError(f"curve({float(order)})={found.lower}: a Renyi divergence must be >= 0")
    return found


def _point_bounds(value: float, order: Fraction) -> Bounds:
    """Return a float of a curve as bounds of width 0: it is taken as it is."""
    number = float(value)
    if math.isnan(number):
        raise InputError(f"curve({float(order)})=nan: a Renyi divergence must be a number >= 0, or inf")
    return Bounds(number, number, "as given", "as given")


def _in_floats(release: Release, steps: int) -> Callable[[float], float]:
    """Return the Renyi divergence of a release at order `1 + x` as a float function; it only starts the search.

    Below the threshold of the baseline noise it is the largest over some pairs of the family.
    """
    shifts, excesses = _some_pairs(release)
    half_logs = np.log1p(excesses) / 2
    # The divergence grows with the excess up to the end of its range, which the largest has first.
    largest = float(excesses.max())

    def divergence(x: float) -> float:
        if x * largest >= 1:
            return math.inf
        change = -x * excesses
        found = (1 + x) * shifts / (2 * (1 + change)) - release.dimension * (np.log1p(change) / (2 * x) + half_logs)
        return steps * float(found.max())

    return divergence


def _some_pairs(release: Release) -> tuple[FloatArray, FloatArray]:
    """Return squared distances and excesses of pairs that are about the worst of any order, as floats."""
    eta, distance = float(release.eta), float(release.eta**2 / release.gamma)
    if covers_order(release, Fraction(1)):
        return np.array([round_up(release.worst_pair.shift_squared)]), np.array([float(release.q)])
    # Denser near 0, where the spread changes most if the baseline noise is small.
    z = np.linspace(0, 1, _SOME_PAIRS) ** 2
    kappa = float(Family.of(release).kappa)
    spread = kappa + (1 - kappa) * z**2
    return distance / spread, eta * (eta + 2 * z) / spread


# ------------------------------------------------------------------------------------- the minimum


@dataclass(frozen=True)
class _Minimum:
    """The order found, a certified upper bound there, and a certified lower bound over all orders."""

    x: Fraction
    upper: Fraction
    infimum: Fraction


def _minimise(problem: _Problem) -> _Minimum:
    """Return the minimum: a place by golden section in floats, moved to a vertex twice, then certified by three points.

    The search may miss without harm: the value at any order is an upper bound, and the gap tells what was missed.
    """
    # Twice, the second time on a narrower parabola: its vertex is off by less where the curve is no parabola.
    place = _recentred(problem, _recentred(problem, _golden_section(problem), 1e-2), 1e-4)
    best = _at(problem, place)
    for offsets in ((-1.0, 0.0, 1.0), (-2.0, -1.0, 0.0)):  # the infimum inside the range of orders, or at its end
        # The narrowest triple first; a wider one shows a flat minimum that rounding hides in the narrow one.
        for step in _STEPS:
            points = [_at(problem, place + step * offset) for offset in offsets]
            # Every point computed is a valid bound, also those that were meant for the infimum.
            best = min((p for p in (best, *points) if p is not None), key=lambda p: _upper(problem, p), default=None)
            infimum = _from_below(problem, points)
            if infimum is not None and best is not None:
                return _Minimum(best.x, _upper(problem, best), min(infimum, _upper(problem, best)))
    if best is None:
        raise InputError("curve: no order with a finite divergence was found; give the largest order of its range")
    return _Minimum(best.x, _upper(problem, best), _trivial(problem))


def _trivial(problem: _Problem) -> Fraction:
    """Return a lower bound that always holds: epsilon >= 0, and delta above everything that is told apart from 0."""
    return Fraction(0) if problem.level is None else Fraction(_LEAST_LOG)


def _golden_section(problem: _Problem) -> float:
    """Return about the place u of the least value; a tie (two infinite values) moves towards small orders."""
    # The range of u grows with the end, so that orders near 1 are reached for large ends too.
    wide = 0.0 if problem.end is None else max(0.0, math.log(round_down(problem.end)))
    low, high = -_NEAR_ORDER_1 - wide, _NO_END if problem.end is None else _END_OF_RANGE

    def value(u: float) -> float:
        return problem.rough(problem.order(u))

    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = value(left), value(right)
    while high - low > _SEARCH_WIDTH:
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - _GOLDEN * (high - low)
            at_left = value(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + _GOLDEN * (high - low)
            at_right = value(right)
    return (low + high) / 2


def _recentred(problem: _Problem, place: float, step: float) -> float:
    """Return the vertex of the parabola through three places: comparing floats alone finds half of the digits."""
    points = [_at(problem, place + offset) for offset in (-step, 0.0, step)]
    values = [_upper(problem, point) for point in points if point is not None]
    if len(values) < len(points) or 2 * values[1] >= values[0] + values[2]:
        return place
    # At most one step: a parabola through nearly straight values has its vertex anywhere.
    shift = float((values[0] - values[2]) / (values[0] - 2 * values[1] + values[2])) / 2
    return place + step * max(-1.0, min(1.0, shift))


def _at(problem: _Problem, u: float) -> _Point | None:
    """Return psi at a place of the search; the order is the float there, exactly."""
    return problem.point(Fraction(problem.order(u)))


def _upper(problem: _Problem, point: _Point) -> Fraction:
    """Return an upper bound of what is minimised at a point."""
    return problem.per_order(point.high, point.x)


def _lower(problem: _Problem, point: _Point) -> Fraction:
    """Return a lower bound of what is minimised at a point."""
    return problem.per_order(point.low, point.x)


def _from_below(problem: _Problem, points: list[_Point | None]) -> Fraction | None:
    """Return a lower bound of the infimum from three orders, None where they do not show on which side it lies."""
    a, b, c = points
    if a is None or b is None or c is None or not a.x < b.x < c.x:
        return None
    # Only certified comparisons count: with overlapping ends the side of the infimum is not known.
    if not _lower(problem, a) > _upper(problem, b):
        return None
    inside = min(_lower(problem, b), problem.per_order(_chord(a, b, c.x), c.x))
    if _lower(problem, c) > _upper(problem, b):
        # The infimum is between a and c: chords through two of the points are below psi on the other side.
        return min(inside, problem.per_order(_chord(c, b, a.x), a.x))
    if _lower(problem, b) > _upper(problem, c):
        # It is beyond b: the chord through the last two bounds psi up to the end of the orders.
        return min(inside, _lower(problem, c), _at_end(problem, b, c))
    return None


def _chord(outer: _Point, inner: _Point, x: Fraction) -> Fraction:
    """Return a lower bound at x of the line through psi at two orders, on the far side of `inner` from `outer`."""
    return inner.low + (inner.low - outer.high) * (x - inner.x) / (inner.x - outer.x)


def _at_end(problem: _Problem, before: _Point, last: _Point) -> Fraction:
    """Return a lower bound of what is minimised from `last` on up to the end of the orders, by the chord before it."""
    slope = (last.low - before.high) / (last.x - before.x)
    if problem.end is not None:
        return problem.per_order(_chord(before, last, problem.end), problem.end)
    if problem.level is None:
        return min(slope, _lower(problem, last))
    return last.low if slope >= 0 else Fraction(_LEAST_LOG)


# -------------------------------------------------------------------------------- numbers and arguments


def _form(form: str) -> Form:
    """Return the form if it is known; `InputError` otherwise."""
    if form not in _FORMS:
        raise reject("form", form, f"allowed are {', '.join(_FORMS)}")
    return "mironov" if form == "mironov" else "improved"


def _end(largest_order: ExactInput | None) -> Fraction | None:
    """Return the largest order less 1; None where there is no end."""
    if largest_order is None:
        return None
    end = exact_number(largest_order, name="largest_order")
    if end <= 1:
        raise reject("largest_order", largest_order, "orders above 1 are needed")
    return end - 1


def _penalty(x: Fraction, form: Form) -> Enclosure:
    """Return h(x), enclosed."""
    if form == "mironov":
        return Enclosure(Fraction(0), Fraction(0))
    return enclose(_expression("improved"), {"x": x}, digits=_DIGITS)


def _log_inverse(value: Fraction) -> Enclosure:
    """Return `log(1/value)`, enclosed."""
    return enclose(_expression("log"), {"x": value}, digits=_DIGITS)


def _exponential(value: Fraction) -> Enclosure:
    """Return exp(value) for value <= 0, enclosed; below exp(-800) the lower end is 0."""
    if value == 0:
        return Enclosure(Fraction(1), Fraction(1))
    # Below exp(-800) the value underflows every float; digits spent on it would be lost.
    found = enclose(_expression("exp"), {"x": max(value, Fraction(_LEAST_LOG))}, digits=_DIGITS)
    return found if value > _LEAST_LOG else Enclosure(Fraction(0), found.upper)


@lru_cache(maxsize=8)
def _expression(name: str) -> Any:
    """Return a formula of the conversion in SymPy, loaded when it is asked for first."""
    import sympy

    x = sympy.Symbol("x")
    return {
        "improved": x * sympy.log(x) - (1 + x) * sympy.log(1 + x),
        "log": -sympy.log(x),
        "exp": sympy.exp(x),
    }[name]


def _end_of(value: Fraction | None) -> Fraction:
    """Return an end that has to be there."""
    if value is None:
        raise InputError("no enclosure: these parameters are beyond the largest working precision")
    return value
