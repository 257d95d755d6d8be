"""DP-SGD as an attacker meets it: advantage, true positives at a rate of false alarms, trade-off, Gaussian equivalent.

An attacker decides between two neighbouring data sets. With false alarms of probability at most `a` the probability of
a true positive is at most `delta(epsilon) + e^epsilon a` at every epsilon, and the best test of a pair `(P, Q)` reaches
the infimum of `H_epsilon(P||Q) + e^epsilon a` over all real epsilon (Neyman and Pearson). A curve that is known at
finitely many epsilons bounds that infimum from below because it does not increase. Negative epsilons belong to the pair
in the other order, `H_-epsilon(P||Q) = 1 - e^-epsilon (1 - H_epsilon(Q||P))`. Where that order counts as well, a true
positive has probability at most `1 - e^-epsilon (1 - a - delta(epsilon))` at every `epsilon >= 0`, which is what binds
where `a` is large.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial

from rgm_verify.accounting.exact.one_release import probability
from rgm_verify.accounting.subsampled.account import Curves, Question, curves, delta, epsilon
from rgm_verify.accounting.subsampled.mechanism import SampledGaussian
from rgm_verify.accounting.subsampled.power import Composed
from rgm_verify.balls.fourier import exponential_ends
from rgm_verify.errors import reject, takes
from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosure
from rgm_verify.numbers.bounds import Bounds
from rgm_verify.numbers.exact import ExactInput

_TESTS_ABOVE = "the curve at some epsilons, from above"
_TESTS_BELOW = "the curve from below between all epsilons"
_LEAST_RATE = Fraction(1, 10**12)
_ROUGH_WIDTH = 0.1  # enough to see near which epsilon the infimum lies
_EVALUATIONS = 400
_SHARE = 0.2  # of what separates a bound from above and one from below that is not worth more evaluations
_TOLERANCE = 1e-12
_ROUNDS, _POINTS = 4, 12
_MARGIN = 1.0


@takes(run=SampledGaussian)
def advantage(run: SampledGaussian, *, width: ExactInput = "1/1000") -> Bounds:
    """Return bounds on the largest advantage of an attacker, true positives less false alarms: `delta` at epsilon 0.

    Args:
        width: as in `account.delta`, and so are the errors.
    """
    return delta(run, 0, width=width)


@takes(run=SampledGaussian)
def true_positive_rate(
    run: SampledGaussian, false_positive_rate: ExactInput, *, width: ExactInput = "1/1000"
) -> Bounds:
    """Return bounds on the largest rate of true positives at this rate of false alarms, in either direction.

    Args:
        false_positive_rate: an exact number, 1e-12 <= rate < 1.
        width: about the relative width of the curves that are used, between 1e-9 and 1.

    Returns:
        Certified bounds, rounded outward. The lower one is what the best test of one pair of data sets reaches.

    Raises:
        InputError: for a rate or a width outside its range.
    """
    rate = probability(false_positive_rate, name="false_positive_rate")
    if rate < _LEAST_RATE:
        raise reject("false_positive_rate", false_positive_rate, "must be at least 1e-12")
    share = float(Question.of(width, None).width)
    found = _curves(run, rate, share)
    upper, at = _least_above(found, rate, either=_either(run))
    pairs: list[Callable[[Fraction], float]] = [curve.delta for curve in found.lower]
    if _either(run):
        pairs += [partial(_other_order, curve) for curve in found.lower]
    lower = max(_infimum_below(delta_below, rate, at, upper, share) for delta_below in pairs)
    # Tossing a coin of that rate reaches as much without looking.
    return Bounds(max(lower, _down(rate)), upper, _TESTS_BELOW, _TESTS_ABOVE)


def _either(run: SampledGaussian) -> bool:
    """Return whether both orders of a pair count, so that the curve of one says what that of the other is."""
    return len(run.directions) == 2


def _curves(run: SampledGaussian, rate: Fraction, width: float) -> Curves:
    """Return curves that are tight near the epsilon where the bound of true positives is least."""
    rough = curves(run, _ROUGH_WIDTH, log_delta=math.log(min(rate, 1 - rate)))
    at = abs(_least_above(rough, rate, either=_either(run))[1])
    return curves(run, width, log_delta=math.log(min(0.5, rough.delta_above(Fraction(at)))), guess=at, known=rough)


@takes(run=SampledGaussian)
def trade_off(run: SampledGaussian, rates: Sequence[ExactInput], *, width: ExactInput = "1/1000") -> list[Bounds]:
    """Return bounds on the least rate of misses at each rate of false alarms: the trade-off curve, shape (n,).

    `width` and errors as `true_positive_rate`.
    """
    found = [true_positive_rate(run, rate, width=width) for rate in rates]
    return [Bounds(_rest_below(b.upper), _rest_above(b.lower), b.upper_method, b.lower_method) for b in found]


@takes(run=SampledGaussian)
def gaussian_equivalent(run: SampledGaussian, delta: ExactInput, *, width: ExactInput = "1/1000") -> Bounds:
    """Return bounds on the `mu` whose Gaussian mechanism (`mu`-GDP) has the run's epsilon at this `delta`.

    A comparison at one delta: no finite `mu` but `sqrt(T)/sigma` serves every delta. Errors as `epsilon`.
    """
    target = probability(delta, name="delta")
    known = epsilon(run, target, width=width)
    lower = _equivalent(Fraction(known.lower), target, up=False)
    upper = math.inf if math.isinf(known.upper) else _equivalent(Fraction(known.upper), target, up=True)
    return Bounds(lower, upper, known.lower_method, known.upper_method)


def _equivalent(epsilon: Fraction, delta: Fraction, *, up: bool) -> float:
    """Return a bound of the `mu` with `delta` at `epsilon`; the curve grows with `mu`."""

    def above(mu: float) -> bool:
        found = hockey_stick_enclosure(epsilon, Fraction(mu) ** 2, Fraction(0), 1)
        upper = Fraction(1) if found.upper is None else found.upper
        return upper > delta if not up else (found.lower or Fraction(0)) >= delta

    # The curve grows with mu, so that doubling ends and bisection keeps the side that is safe.
    low, high = 0.0, 1.0
    while not above(high):
        low, high = high, 2 * high
    while high - low > _TOLERANCE * high:
        middle = (low + high) / 2
        low, high = (low, middle) if above(middle) else (middle, high)
    return high if up else low


def _least_above(found: Curves, rate: Fraction, *, either: bool) -> tuple[float, float]:
    """Return the least bound of true positives over some epsilons, and the epsilon of it.

    Negative ones are looked at where the curves hold for `either` order.
    """

    def bound(at: float) -> float:
        exact = Fraction(at)
        if at < 0:
            rest = math.nextafter(_down(1 - rate) - found.delta_above(-exact), -1.0)
            return math.nextafter(1 - max(rest, 0.0) * exponential_ends(exact)[0] * (1 - 2.0**-50), 2.0)
        alarms = exponential_ends(exact)[1] * float(rate) * (1 + 2.0**-50)
        return (found.delta_above(exact) + alarms) * (1 + 2.0**-50)

    most = 2 * found.guess + 10 * found.spread
    best, at = 1.0, 0.0
    for low, high in ((0.0, most), (-most, 0.0)) if either else ((0.0, most),):
        for _ in range(_ROUNDS):
            grid = [low + (high - low) * k / _POINTS for k in range(_POINTS + 1)]
            values = [bound(x) for x in grid]
            k = min(range(len(grid)), key=values.__getitem__)
            if values[k] < best:
                best, at = values[k], grid[k]
            low, high = grid[max(k - 1, 0)], grid[min(k + 1, _POINTS)]
    return min(best, 1.0), at


def _other_order(curve: Composed, epsilon: Fraction) -> float:
    """Return a lower bound of `H_epsilon(Q||P) = 1 - e^epsilon (1 - H_-epsilon(P||Q))` from a curve of `(P, Q)`."""
    rest = math.nextafter(1 - curve.delta(-epsilon), 2.0)
    return math.nextafter(1 - rest * exponential_ends(epsilon)[1] * (1 + 2.0**-50), -1.0)


def _infimum_below(
    delta_below: Callable[[Fraction], float], rate: Fraction, at: float, upper: float, width: float
) -> float:
    """Return a lower bound of the infimum of `H + e^epsilon rate` over all real epsilon for one pair, `H` from below.

    Between two epsilons the curve is at least what it is at the greater, and the alarms what they are at the lesser.
    """

    def height(x: float) -> tuple[float, float]:
        exact = Fraction(x)
        return delta_below(exact), exponential_ends(exact)[0] * _down(rate) * (1 - 2.0**-50)

    last = math.log(upper / float(rate)) + _MARGIN
    # Relative to the smaller of true positives and misses: both are asked for.
    allowed = _SHARE * width * min(upper, 1 - upper)
    # Below it the curve is at least `1 - e^epsilon`, next to 1.
    first = min(at - _MARGIN, math.log(allowed) if allowed else -_MARGIN)
    ends = {x: height(x) for x in (first, at, last)}
    # The interval with the least bound is the only one whose halving can raise the infimum.
    heap = [(ends[b][0] + ends[a][1], a, b) for a, b in ((first, at), (at, last))]
    heapq.heapify(heap)
    outside = min(ends[first][0], ends[last][1])
    for _ in range(_EVALUATIONS):
        least, a, b = heap[0]
        if least >= outside or b - a < _TOLERANCE or least >= upper - allowed:
            break
        heapq.heappop(heap)
        middle = (a + b) / 2
        ends[middle] = height(middle)
        for x, y in ((a, middle), (middle, b)):
            heapq.heappush(heap, (ends[y][0] + ends[x][1], x, y))
    return max(0.0, min(outside, heap[0][0]) * (1 - 2.0**-50))


def _down(value: Fraction) -> float:
    """Return a float that is at most a rational."""
    found = float(value)
    return found if Fraction(found) <= value else math.nextafter(found, 0.0)


def _rest_below(value: float) -> float:
    """Return a lower bound of one less a number."""
    return max(0.0, math.nextafter(1 - value, -1.0))


def _rest_above(value: float) -> float:
    """Return an upper bound of one less a number."""
    return min(1.0, math.nextafter(1 - value, 2.0))
