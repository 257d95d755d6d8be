"""Calibration: the least noise ratio that meets a target, and the baseline noise that it may be traded for.

Every result errs on the safe side: what is returned is certified to reach the target. Relative noise helps the more the
greater `gamma` is, down to a floor.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rgm_verify.accounting.composition.composed import Composition, Method, delta_by_method
from rgm_verify.accounting.exact.one_release import delta as exact_delta
from rgm_verify.accounting.floor import UnreachableTarget, floor, floor_bounds, reachable_floor, uncertified
from rgm_verify.accounting.release import Release
from rgm_verify.accounting.target import Target
from rgm_verify.errors import reject
from rgm_verify.numbers.bounds import Bounds, round_down, round_up
from rgm_verify.numbers.crossing import Crossing, Ends, OutOfRange, Probability, Unfinished, crossing, log
from rgm_verify.numbers.exact import ExactInput, exact, positive, positive_integer
from rgm_verify.numbers.shown import Framed

__all__ = ["Calibration", "Trade", "UnreachableTarget", "calibrate", "floor", "trade_off"]

_FACTORS = tuple(Fraction(f) for f in ("1.01", "1.02", "1.05", "1.1", "1.2", "1.5", "2", "3", "5", "10"))
_TOLERANCE = Fraction(1, 10**6)
_DIGITS = 15
_LOG_4 = math.log(4.0)
MOST_STEPS_TO_ITERATE = 1000
"""Up to here `calibrate` iterates on the usual grid by itself, and on a coarse one somewhat farther."""
_MOST_STEPS_TO_ITERATE_COARSELY, _MOST_ITERATIONS = 10_000, 200
#: For many steps: grid points in a standard deviation of a loss, which cost about 1/400 of gamma.
_COARSE, _COARSE_GAP, _COARSE_TOLERANCE = 6.0, 0.01, Fraction(1, 1000)
#: About how much log gamma an upper bound of a composition costs (a first guess only), and how well it is solved for.
_GAP = 0.1
_GAPS: dict[str, float] = {"iteration": 0.002}
_TOLERANCES: dict[str, Fraction] = {"iteration": Fraction(1, 10**4), "envelope": Fraction(1, 10**4)}


@dataclass(frozen=True)
class Calibration(Framed):
    """The least noise for a target, as far as it is known.

    Attributes:
        target: what was asked for.
        release: one release that, made `target.steps` times, is certified to reach the target.
        achieved: an enclosure of the delta that it has at the target's epsilon.
        floor: an enclosure of the least delta that any noise ratio reaches.
        least_gamma: an enclosure of the least noise ratio that reaches the target; its upper end is `release.gamma`, up
            to rounding.
        evaluations: the values of delta that were computed.
    """

    target: Target
    release: Release
    achieved: Bounds
    floor: Bounds
    least_gamma: Bounds
    evaluations: int


@dataclass(frozen=True)
class Trade(Framed):
    """A point of the trade-off: more relative noise, and the least baseline noise that then still suffices.

    Attributes:
        release: certified to reach the target.
        achieved: an enclosure of its delta.
        least_sigma2: the variance down to which that was certified, and just below which it fails.
        covering_sigma2: `gamma r_rel^2/eta^2`, the usual choice; exact.
    """

    release: Release
    achieved: Bounds
    least_sigma2: Bounds
    covering_sigma2: Fraction


def calibrate(
    epsilon: ExactInput,
    delta: ExactInput,
    *,
    eta: ExactInput,
    dimension: ExactInput,
    r_rel: ExactInput = 0,
    steps: ExactInput = 1,
    relative_tolerance: ExactInput = _TOLERANCE,
    methods: Sequence[Method] | None = None,
    most_iterations: ExactInput = _MOST_ITERATIONS,
) -> Calibration:
    """Find the least noise ratio with which `steps` releases are (`epsilon`, `delta`)-private, on the safe side.

    For one release the `gamma` found is certified to hold, and certified to fail less the tolerance. For several
    releases the truth is known as an interval only: the lower end of `least_gamma` is certified by one pair repeated,
    the upper end by the bounds of `composition` named in `methods`, of which the least counts. With `r_rel > 0` the
    baseline noise is `gamma r_rel^2/eta^2`, at which it costs nothing; `trade_off` has others. A larger gamma needs the
    larger baseline noise as well: raising gamma alone can raise delta.

    Args:
        epsilon: an exact number >= 0, in nats.
        delta: an exact number, 0 < delta < 1.
        eta: the relative sensitivity, > 0.
        dimension: the dimension of the query.
        r_rel: the absolute part of the sensitivity, >= 0.
        steps: the number of releases.
        relative_tolerance: how far the ends of `least_gamma` may be apart, relatively, for one release.
        methods: upper bounds for several releases. By default "rdp", and up to 10000 steps "iteration", which is
            tighter (its tolerance is 1e-4 at least). It takes seconds up to 1000 steps, and up to a minute or two
            beyond, where its grid is coarser and its tolerance 1e-3; the grid is the usual one if it is named.
        most_iterations: values of "iteration", which take the most time; after so many the least gamma that it has
            certified by then counts.

    Returns:
        A calibration whose `gamma` is a short decimal for which the guarantee is certified.

    Raises:
        UnreachableTarget: with the floor, where no `gamma` will do.
        InputError: for numbers that are not allowed.

    Examples:
        >>> found = calibrate(1, "1e-5", eta="1/100", dimension=10)
        >>> found.achieved.upper <= 1e-5, float(found.release.gamma)
        (True, 0.001917624811)
    """
    target = Target.of(epsilon, delta, eta=eta, dimension=dimension, r_rel=r_rel, steps=steps)
    tolerance = _tolerance(relative_tolerance)
    # First, as it takes no search: below the floor every search would run to the end of its range.
    lowest = reachable_floor(target)
    if target.steps == 1:
        return _one(target, lowest, tolerance)
    most = positive_integer(most_iterations, name="most_iterations", meaning="a number of values")
    coarse = not methods and iterated_coarsely(target.steps)
    named = tuple(methods or default_methods(target.steps))
    return _many(target, lowest, tolerance, [_Route.of(method, tolerance, most, coarse=coarse) for method in named])


def default_methods(steps: int) -> tuple[Method, ...]:
    """Return the upper bounds that `calibrate` tries for this number of releases if none are named."""
    return ("rdp", "iteration") if steps <= _MOST_STEPS_TO_ITERATE_COARSELY else ("rdp",)


def iterated_coarsely(steps: int) -> bool:
    """Return whether `calibrate` iterates on a coarse grid for this number of releases if no methods are named."""
    return MOST_STEPS_TO_ITERATE < steps <= _MOST_STEPS_TO_ITERATE_COARSELY


def _one(target: Target, lowest: Ends, tolerance: Fraction) -> Calibration:
    """Calibrate one release by its exact curve: the least gamma is enclosed, and delta certified at the one given."""
    # Both ends are certified: `fails` by the lower end of delta, `holds` by the upper one.
    found = _cross(target, target.from_above, lowest[0], tolerance, target.guess)
    # Known to be at most the target, so not shown above it where 15 digits do not tell.
    lower, upper = target.from_above(found.holds, _DIGITS)
    return Calibration(
        target,
        target.release(found.holds),
        _bounds((lower, min(upper, target.delta)), "worst pair", "worst pair"),
        floor_bounds(target, lowest),
        _bounds((found.fails, found.holds), "certified to fail", "certified to hold"),
        found.evaluations + 1,
    )


@dataclass(frozen=True)
class _Route:
    """An upper bound of compositions, how finely it is computed, and how its least gamma is searched for.

    `gap` is about what it costs in log gamma over the lower end; a first guess only.
    """

    method: Method
    resolution: float | None
    gap: float
    tolerance: Fraction
    most_evaluations: int

    @classmethod
    def of(cls, method: Method, tolerance: Fraction, most: int, *, coarse: bool) -> _Route:
        """Return the route of a method; `coarse` is for numbers of steps where its values take long."""
        if method != "iteration":
            finest = _TOLERANCES.get(method, tolerance)
            return cls(method, None, max(_GAP, float(tolerance)), max(tolerance, finest), _MOST_ITERATIONS)
        finest, gap = (_COARSE_TOLERANCE, _COARSE_GAP) if coarse else (_TOLERANCES[method], _GAPS[method])
        return cls(method, _COARSE if coarse else None, max(gap, float(tolerance)), max(tolerance, finest), most)

    def delta(self, target: Target, gamma: Fraction) -> Fraction:
        """Return the upper bound of delta at the target's epsilon; 1 where the method cannot be used."""
        return Fraction(_composed(target, [self], gamma).by_method.get(self.method, 1.0))


def _many(target: Target, lowest: Ends, tolerance: Fraction, routes: Sequence[_Route]) -> Calibration:
    """Calibrate several releases: the lower end by one pair repeated, the upper end by the best of the routes.

    Raises `UnreachableTarget` if no route can be certified to reach the target.
    """
    # One pair repeated can be reached by every adversary: below this gamma no upper bound whatever may fall to the
    # target.
    below = _cross(target, target.from_below, lowest[0], tolerance, target.guess)
    found = [(route, _by_route(target, route, below)) for route in routes]
    known = [(route, crossed) for route, crossed in found if crossed is not None]
    if not known:
        raise uncertified(target, lowest[1], tuple(route.method for route in routes))
    # Each route's end is certified by itself, so that the least of them is certified too.
    best, crossed = min(known, key=lambda each: each[1].holds)
    ends = below.fails, crossed.holds
    return Calibration(
        target,
        target.release(crossed.holds),
        _composed(target, [route for route, _ in known], crossed.holds).bounds,
        floor_bounds(target, lowest),
        _bounds(ends, "certified to fail: one pair repeated", f"certified to hold: {best.method}"),
        below.evaluations + sum(each.evaluations for _, each in known) + 1,
    )


def _by_route(target: Target, route: _Route, below: Crossing) -> Crossing | None:
    """Return where one upper bound falls to the target, above the lower end; None where it never does or is not found.

    No upper bound holds where one pair repeated is certified to fail: there its value spares the longer computation.
    """

    def upper(gamma: Fraction, digits: int) -> Ends:
        # A curve that falls in gamma is above the target wherever the pair is; the value of the pair stands in.
        if gamma <= below.fails:
            value = target.from_below(gamma, digits)[0]
            if value > target.delta:
                return value, value
        value = route.delta(target, gamma)
        return value, value

    try:
        return crossing(
            upper,
            target.delta,
            # An upper bound crosses a little above the lower one; from there the search needs few values, each of
            # seconds.
            guess=log(below.holds) + route.gap,
            step=route.gap,
            tolerance=route.tolerance,
            most_evaluations=route.most_evaluations,
        )
    except (OutOfRange, Unfinished):
        return None


def _composed(target: Target, routes: Sequence[_Route], gamma: Fraction) -> Composition:
    """Return the composition at a gamma by the methods of the routes, at the resolution that one of them names.

    All methods at once: they share the lower bound, which tells the grids where to look.
    """
    # At most one route has a resolution, as only the iteration works on a coarse grid.
    finest = [route.resolution for route in routes if route.resolution is not None]
    return delta_by_method(
        target.release(gamma),
        target.epsilon,
        steps=target.steps,
        methods=[route.method for route in routes],
        resolution=finest[0] if finest else None,
    )


def _cross(target: Target, probability: Probability, below: Fraction, tolerance: Fraction, guess: float) -> Crossing:
    """Return the crossing of a certified delta with the target's; raises `UnreachableTarget` where it is not found."""
    try:
        return crossing(probability, target.delta, guess=guess, floor=below, tolerance=tolerance)
    except OutOfRange:
        raise UnreachableTarget(f"{target}: needs a gamma outside 1e-300 to 1e300") from None
    except ArithmeticError as error:
        raise UnreachableTarget(f"{target}: cannot be decided ({error})") from None


# ------------------------------------------------------------------------------------------------------- trade-off


def trade_off(
    epsilon: ExactInput,
    delta: ExactInput,
    *,
    eta: ExactInput,
    dimension: ExactInput,
    r_rel: ExactInput,
    factors: Sequence[ExactInput] = _FACTORS,
    relative_tolerance: ExactInput = Fraction(1, 1000),
) -> list[Trade]:
    """Return, for `gamma = factor * least gamma`, the least baseline noise with which one release reaches the target.

    Each point is certified on its own, below the threshold `gamma r_rel^2/eta^2` by the supremum over all admissible
    pairs. `sigma2` is a short decimal within `relative_tolerance` of the least one that could be certified. Factors are
    exact numbers >= 1. Raises as `calibrate`, and `InputError` for `r_rel = 0`, where no baseline noise is needed.
    """
    relative = positive(r_rel, name="r_rel", meaning="a sensitivity (with r_rel = 0 no baseline noise is needed)")
    chosen = [_factor(factor) for factor in factors]
    tolerance = _tolerance(relative_tolerance)
    # Once for all factors, as they are multiples of the least gamma.
    least = calibrate(epsilon, delta, eta=eta, dimension=dimension, r_rel=relative)
    return [_trade(least, factor, tolerance) for factor in chosen]


def _trade(least: Calibration, factor: Fraction, tolerance: Fraction) -> Trade:
    """Return a point of the trade-off at one factor, its baseline noise found between 0 and the covering one."""
    target = least.target
    # At the covering variance more noise changes nothing, so that the search has an upper end that holds.
    full = target.release(least.release.gamma * factor)

    def with_noise(sigma2: Fraction) -> Release:
        """More than the covering variance is never needed, and changes nothing."""
        return Release(full.eta, full.gamma, full.dimension, r_rel=full.r_rel, sigma2=min(sigma2, full.sigma2))

    def upper(sigma2: Fraction, _: int) -> Ends:
        value = Fraction(exact_delta(with_noise(sigma2), target.epsilon).upper)
        return value, value

    found = crossing(upper, target.delta, guess=log(full.sigma2) - _LOG_4, tolerance=tolerance)
    release, fails = with_noise(found.holds), with_noise(found.fails)
    # The crossing used the upper end of delta; that it truly fails is another statement, and is looked at here.
    failed = exact_delta(fails, target.epsilon).lower > target.delta
    ends = _bounds((fails.sigma2, release.sigma2), f"{'certified' if failed else 'found'} to fail", "certified to hold")
    return Trade(release, exact_delta(release, target.epsilon), ends, full.sigma2)


def _bounds(ends: Ends, lower_method: str, upper_method: str) -> Bounds:
    """Return rational ends as floats rounded outward."""
    # Outward: the rational ends are certified, and floats may only widen them.
    return Bounds(round_down(ends[0]), round_up(ends[1]), lower_method, upper_method)


def _factor(value: ExactInput) -> Fraction:
    """Return an exact factor >= 1; raises `InputError` below, where no baseline noise would do."""
    number = exact(value, name="factor")
    if number < 1:
        raise reject("factor", value, "must be >= 1: below the least gamma no baseline noise reaches the target")
    return number


def _tolerance(value: ExactInput) -> Fraction:
    """Return an exact tolerance between 1e-12 and 1; raises `InputError` outside."""
    number = exact(value, name="relative_tolerance")
    if not Fraction(1, 10**12) <= number <= 1:
        raise reject("relative_tolerance", value, "must be between 1e-12 and 1")
    return number
