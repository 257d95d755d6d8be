"""The floor under every noise ratio: the delta that noise relative to the norm cannot get below.

As `gamma` grows the worst pair tends to two centred Gaussians of variances `V = (1 + eta)^2` and 1 in `n = d steps`
dimensions: the noise shows the norm. The log ratio of their densities at `x` is `((1 - 1/V) |x|^2 - n log V)/2`; it
exceeds `epsilon` where `|x|^2/V > y0`, and a chi-square of `n` degrees of freedom is `|x|^2/V` under the wide law and
`|x|^2` under the narrow one. So

    floor = Pr[chi2_n > y0] - e^epsilon Pr[chi2_n > V y0],   y0 = (n log V + 2 epsilon)/(V - 1).
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

from rgm_verify.accounting.target import Target
from rgm_verify.errors import InputError, takes
from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosure
from rgm_verify.numbers.bounds import Bounds, round_down, round_up
from rgm_verify.numbers.crossing import Ends, OutOfRange, crossing, log
from rgm_verify.numbers.decimals import decimal
from rgm_verify.numbers.exact import ExactInput

_DIGITS, _MOST_DIGITS = 15, 240
_SMALLEST = Fraction(1, 2**1074)  # the least float above 0


class UnreachableTarget(InputError):
    """No noise ratio reaches the target, or none could be certified to; the message says what can be reached."""


def floor(epsilon: ExactInput, *, eta: ExactInput, dimension: ExactInput, steps: ExactInput = 1) -> Bounds:
    """Enclose the least delta at `epsilon` that any noise ratio reaches, whatever `r_rel` and `sigma2` are.

    One release reaches a delta with some `gamma` iff it is greater than the floor; for several releases that is
    necessary.

    Args:
        epsilon: an exact number >= 0, in nats.
        eta: the relative sensitivity, > 0.
        dimension: the dimension of the query.
        steps: the number of releases.

    Returns:
        Certified bounds, both ends rounded outward.

    Raises:
        InputError: for `epsilon < 0`, `eta <= 0` and counts that are no integers >= 1.

    Source: `beyond:floor`, `beyond:floor-approached`, `beyond:floor-not-reached`.
    """
    target = Target.of(epsilon, Fraction(1, 2), eta=eta, dimension=dimension, steps=steps)
    return floor_bounds(target, enclose_floor(target, _DIGITS))


def floor_epsilon(delta: ExactInput, *, eta: ExactInput, dimension: ExactInput, steps: ExactInput = 1) -> Bounds:
    """Enclose the least epsilon at `delta` of any noise ratio: where `floor` falls to `delta`; 0 if it is there.

    Certified, both ends rounded outward. Errors as `floor`, and for `delta` outside (0, 1).
    """
    target = Target.of(0, delta, eta=eta, dimension=dimension, steps=steps)
    method = floor_bounds(target, (Fraction(0), Fraction(0))).lower_method
    at_zero = enclose_floor(target, _DIGITS)
    if at_zero[1] <= target.delta:
        return Bounds(0.0, 0.0, method, method)

    def probability(epsilon: Fraction, digits: int) -> Ends:
        return enclose_floor(replace(target, epsilon=epsilon), digits)

    found = crossing(probability, target.delta, guess=log(target.eta * target.dimension * target.steps))
    return Bounds(round_down(found.fails), round_up(found.holds), method, method)


@takes(target=Target)
def floor_bounds(target: Target, ends: Ends) -> Bounds:
    """Return the ends as `Bounds`."""
    method = f"two Gaussians of one mean in {target.dimension * target.steps} dimensions"
    return Bounds(round_down(ends[0]), round_up(ends[1]), method, method)


@takes(target=Target)
def enclose_floor(target: Target, digits: int) -> Ends:
    """Enclose the floor at the target's epsilon by rationals, to `digits` digits.

    As the divergence of two Gaussians of one mean, by its contour, which takes any number of dimensions; the tails of
    the formula are the second route, and tested against it.
    """
    if _is_negligible(target):
        return Fraction(0), _SMALLEST
    excess, freedom = target.eta * (2 + target.eta), target.dimension * target.steps
    # The distance is 0: as gamma grows the outputs come together in units of the noise, and only the variances differ.
    found = hockey_stick_enclosure(target.epsilon, Fraction(0), excess, freedom, digits=digits)
    if found.lower is None or found.upper is None:
        raise InputError(f"{target}: beyond the largest working precision")
    return found.lower, found.upper


def _is_negligible(target: Target) -> bool:
    """Return whether Chernoff's bound says that the floor is below exp(-1999), less than any float above 0.

    `Pr[chi2_n > r n] <= exp(-(n/2)(r - 1 - log r))` for `r >= 1`; `r` is from 2 to `y0/n`, so that nothing cancels.
    """
    freedom = target.dimension * target.steps
    # Less than `y0/n`, as the logarithm of V is left out: the bound is a little larger, which is the safe side.
    ratio = 2 * target.epsilon / (freedom * target.eta * (2 + target.eta))
    if ratio < 2:
        return False
    # Cut off where floats would overflow; the exponent grows with both numbers, so that this is safe as well.
    r = float(min(ratio, Fraction(10**6)))
    return min(freedom, 10**12) / 2 * (r - 1 - math.log(r)) > 2000


@takes(target=Target)
def reachable_floor(target: Target) -> Ends:
    """Enclose the floor so well that it is certified to be below the target's delta, or raise `UnreachableTarget`.

    A delta that 240 digits do not tell from the floor counts as unreachable, which is the safe side.
    """
    digits = _DIGITS
    while True:
        lower, upper = enclose_floor(target, digits)
        # Strictly: at the floor itself no finite gamma is enough.
        if upper < target.delta:
            return lower, upper
        if lower >= target.delta or digits >= _MOST_DIGITS:
            raise _unreachable(target, upper)
        digits *= 2


def _unreachable(target: Target, least: Fraction) -> UnreachableTarget:
    """Return the error for a target at or below the floor, with what could be asked for instead."""
    above = "above" if target.steps == 1 else "clearly above"
    return UnreachableTarget(
        f"{target}: out of reach. Noise relative to the norm shows the norm, however large gamma is: ask for "
        f"epsilon {above} {_least_epsilon(target)}, or delta {above} {decimal(least, up=True)}"
    )


def _least_epsilon(target: Target) -> str:
    """The epsilon at which the floor has fallen to the target's delta, as a decimal rounded up."""

    def probability(epsilon: Fraction, digits: int) -> Ends:
        return enclose_floor(replace(target, epsilon=epsilon), digits)

    start = log(max(target.epsilon, target.eta * target.dimension * target.steps))
    try:
        return decimal(crossing(probability, target.delta, guess=start).holds, up=True)
    except (ArithmeticError, OutOfRange):
        return "unknown"


@takes(target=Target)
def uncertified(target: Target, least: Fraction, methods: tuple[str, ...]) -> UnreachableTarget:
    """Return the error for a target above the floor that no upper bound by `methods` reaches."""
    return UnreachableTarget(
        f"{target}: above the floor {decimal(least, up=True)}, but no gamma could be certified to reach it by "
        f"{', '.join(methods)}; ask for more, or add methods"
    )
