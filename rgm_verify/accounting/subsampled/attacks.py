"""DP-SGD as an attacker meets it: advantage, true positives at a rate of false alarms, trade-off, Gaussian equivalent.

An attacker decides between two neighbouring data sets. With false alarms of probability at most `a` the best test of a
pair `(P, Q)` has true positives of probability `inf_x H(x) + x a`, where `H(x)` is the largest `P(A) - x Q(A)`, at
`x = e^epsilon` the hockey-stick divergence (Neyman and Pearson). `H` falls and is convex. So upper bounds at finitely
many `x` bound that infimum from above, and chords bound it from below: beyond two places a convex curve lies above the
line through both. The order `(Q, P)` has `1 - x (1 - H(1/x))`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from typing import TypeAlias

import numpy as np

from rgm_verify.accounting.exact.one_release import probability
from rgm_verify.accounting.subsampled.account import Curves, Question, curves, delta, epsilon
from rgm_verify.accounting.subsampled.guide import FloatArray
from rgm_verify.accounting.subsampled.mechanism import SampledGaussian
from rgm_verify.accounting.subsampled.units import Model, model_of
from rgm_verify.balls.fourier import UNIT, exponential_ends
from rgm_verify.errors import reject, takes
from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosure
from rgm_verify.numbers.bounds import Bounds, round_down, round_up
from rgm_verify.numbers.exact import ExactInput

_TESTS_ABOVE = "the curve at some epsilons, from above"
_TESTS_BELOW = "the curve from below, and its chords"
_LEAST_RATE = Fraction(1, 10**12)
_ROUGH_WIDTH = 0.1  # enough to see near which epsilon the infimum lies
_TOLERANCE = 1e-12
_FIRST = (-30.0, -3.0, -1.0, -0.3, 0.0, 0.3, 1.0, 3.0)  # in spreads of the loss: others are put between
_INSERTED, _CLOSEST = 60, 2.0**-40
_STALLED, _MOST_STALLS, _MOST_CURVES = 0.8, 2, 3
_ROUNDINGS = 32  # of a lower bound between two epsilons, each relative to the sizes of its terms

_Line: TypeAlias = "tuple[FloatArray, FloatArray]"


@takes(run=SampledGaussian)
def advantage(run: SampledGaussian, *, width: ExactInput = "1/1000") -> Bounds:
    """Return bounds on the largest advantage of an attacker, true positives less false alarms: `delta` at epsilon 0.

    Args:
        width: as in `account.delta`, and so are the errors.
    """
    return delta(run, 0, width=width)


@takes(run=SampledGaussian | Model)
def true_positive_rate(
    run: SampledGaussian | Model, false_positive_rate: ExactInput, *, width: ExactInput = "1/1000"
) -> Bounds:
    """Return bounds on the largest rate of true positives at this rate of false alarms, in either direction.

    Args:
        run: a run of DP-SGD, or any composition as a model.
        false_positive_rate: an exact number, 1e-12 <= rate < 1.
        width: about the relative width to reach, of true positives or of misses, whichever are fewer; between 1e-9 and
            1.

    Returns:
        Certified bounds, rounded outward. The lower one is what the best test of one pair of data sets reaches.

    Raises:
        InputError: for a rate or a width outside its range.
    """
    return true_positive_rates(run, [false_positive_rate], width=width)[0]


@takes(run=SampledGaussian | Model)
def true_positive_rates(
    run: SampledGaussian | Model, rates: Sequence[ExactInput], *, width: ExactInput = "1/1000"
) -> list[Bounds]:
    """Return the bounds of `true_positive_rate` at each rate of false alarms: the ROC curve, shape (n,).

    All rates share the curves that are computed and the epsilons where they were looked at.
    """
    alarms = [_rate(rate, f"rates[{number}]" if len(rates) > 1 else "rate") for number, rate in enumerate(rates)]
    share = float(Question.of(width, None).width)
    model = run if isinstance(run, Model) else model_of(run)
    tests = _Tests(model.units_alone, share)
    assuming = run.assuming if isinstance(run, SampledGaussian) else ""
    return [replace(_beside_failures(tests, model, rate), assuming=assuming) for rate in alarms]


def _beside_failures(tests: _Tests, model: Model, rate: Fraction) -> Bounds:
    """Return the bounds of true positives where a record may be shown for certain: then the test is never wrong.

    Else, with probability `kept`, it has all the false alarms: `1 - kept + kept beta(rate/kept)`.
    """
    if model.kept[0] == 1:
        return tests.true_positives(rate)
    ends = []
    for kept, up in ((model.kept[1], False), (model.kept[0], True)):
        found = tests.true_positives(rate / kept) if rate < kept else Bounds(1.0, 1.0, _TESTS_BELOW, _TESTS_ABOVE)
        ends.append(1 - kept * (1 - Fraction(found.upper if up else found.lower)))
    return Bounds(round_down(ends[0]), round_up(ends[1]), _TESTS_BELOW, _TESTS_ABOVE)


def _rate(value: ExactInput, name: str) -> Fraction:
    """Return a rate of false alarms; `InputError` outside [1e-12, 1)."""
    found = probability(value, name=name)
    if found < _LEAST_RATE:
        raise reject(name, value, "must be at least 1e-12")
    return found


@takes(run=SampledGaussian | Model)
def trade_off(
    run: SampledGaussian | Model, rates: Sequence[ExactInput], *, width: ExactInput = "1/1000"
) -> list[Bounds]:
    """Return bounds on the least rate of misses at each rate of false alarms: the trade-off curve, shape (n,).

    `width` and errors as `true_positive_rate`.
    """
    return list(map(misses, true_positive_rates(run, rates, width=width)))


@takes(found=Bounds)
def misses(found: Bounds) -> Bounds:
    """Return bounds on the rate of misses from those on the rate of true positives."""
    ends = _rest_below(found.upper), _rest_above(found.lower)
    return Bounds(*ends, found.upper_method, found.lower_method, found.assuming)


@takes(run=SampledGaussian)
def gaussian_equivalent(run: SampledGaussian, delta: ExactInput, *, width: ExactInput = "1/1000") -> Bounds:
    """Return bounds on the `mu` whose Gaussian mechanism (`mu`-GDP) has the run's epsilon at this `delta`.

    A comparison at one delta: no finite `mu` but `sqrt(T)/sigma` serves every delta. Errors as `epsilon`.
    """
    target = probability(delta, name="delta")
    known = epsilon(run, target, width=width)
    lower = _equivalent(Fraction(known.lower), target, up=False)
    upper = math.inf if math.isinf(known.upper) else _equivalent(Fraction(known.upper), target, up=True)
    return Bounds(lower, upper, known.lower_method, known.upper_method, known.assuming)


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


# ------------------------------------------------------------------------------------------------- Neyman and Pearson


@dataclass(frozen=True)
class _Place:
    """The curves at one epsilon: `x = e^epsilon` within its ends, one bound from above for all pairs, and one from
    below for each pair.
    """

    low: float
    high: float
    upper: float
    lower: tuple[float, ...]


@dataclass
class _Tests:
    """The curves of a composition at some epsilons, more and more of them as rates are asked for.

    Attributes:
        model: the composition.
        share: the relative width to reach.
        known: curves, each tight near an epsilon of its own.
        places: by their epsilons.
    """

    model: Model
    share: float
    known: list[Curves] = field(default_factory=list)
    places: dict[Fraction, _Place] = field(default_factory=dict)

    def true_positives(self, rate: Fraction) -> Bounds:
        """Return bounds on the true positives at a rate of false alarms."""
        if not self.known:
            log_delta = math.log(min(rate, 1 - rate))
            self.known.append(curves(self.model, _ROUGH_WIDTH, log_delta=log_delta))
            for share in _FIRST:
                self._look(share * self.known[0].spread)
        # From there on the alarms alone are more than all there is.
        self._look(math.log(1 / rate))
        best, stalls, added = math.inf, 0, 0
        for _ in range(_INSERTED):
            upper, (lower, low, high) = self._above(rate), self._below(rate)
            gap = upper - lower
            if gap <= self.share * min(upper, 1 - upper):
                break
            stalls = stalls + 1 if gap > _STALLED * best else 0
            best = min(best, gap)
            if stalls > _MOST_STALLS or high - low <= _CLOSEST:
                # More places do not help: the curves themselves are too wide here.
                if added >= (_MOST_CURVES if self.model.matched else 1):
                    break
                added, stalls, best = added + 1, 0, math.inf
                self._refine((low + high) / 2)
                continue
            self._look((low + high) / 2)
        # Tossing a coin of that rate reaches as much without looking.
        return Bounds(max(self._below(rate)[0], _down(rate)), self._above(rate), _TESTS_BELOW, _TESTS_ABOVE)

    def _refine(self, level: float) -> None:
        """Add curves that are tight near an epsilon, and look again at the places around it."""
        at, most = abs(level), min(found.delta_above(Fraction(abs(level))) for found in self.known)
        log_delta = math.log(min(0.5, max(most, 1e-300)))
        # Curves of another place would ask for a fine grid where nothing is asked.
        nearest = min(self.known, key=lambda found: abs(found.guess - at))
        before = nearest if abs(nearest.guess - at) < nearest.spread else None
        width = self.share * 0.5 ** sum(abs(found.guess - at) < found.spread / 10 for found in self.known)
        self.known.append(curves(self.model, width, log_delta=log_delta, guess=at, known=before))
        near = sorted(self.places, key=lambda place: abs(float(place) - level))[:8]
        for place in near:
            self.places.pop(place)
            self._look(float(place))

    def _look(self, level: float) -> None:
        """Bound the curves at an epsilon."""
        at = Fraction(level)
        if at in self.places:
            return
        low, high = exponential_ends(at)
        upper, below = min(found.delta_above(at) for found in self.known), []
        if self.model.either and at < 0:
            # Of both orders: nearer to 1 than a curve that is relative to its own size.
            other = min(found.delta_above(-at) for found in self.known)
            upper = min(upper, _turned(other, low, up=True))
        for direction, turned in product(self.model.directions, (False, True) if self.model.either else (False,)):
            sides = [
                curve.delta(-at if turned else at)
                for one in self.known
                for leads, curve in zip(one.leading, one.lower, strict=True)
                if leads == direction
            ]
            best = max(sides, default=0.0)
            below.append(_turned(best, high, up=False) if turned else best)
        self.places[at] = _Place(low, high, upper, tuple(below))

    def _above(self, rate: Fraction) -> float:
        """Return the least bound of true positives over all places."""
        alarms = _up(rate)
        return min(1.0, *((p.upper + p.high * alarms) * (1 + 4 * UNIT) for p in self.places.values()))

    def _below(self, rate: Fraction) -> tuple[float, float, float]:
        """Return a lower bound of the true positives of the best pair, and between which epsilons it is so low."""
        order = sorted(self.places)
        found = [self.places[at] for at in order]
        # At x = 0 every curve is 1.
        low, high = (np.array([0.0, *(getattr(p, name) for p in found)]) for name in ("low", "high"))
        upper, alarms = np.array([1.0, *(p.upper for p in found)]), _down(rate)
        best = (-math.inf, 0.0, 0.0)
        for pair in range(len(found[0].lower)):
            lower = np.array([1.0, *(p.lower[pair] for p in found)])
            bounds = _between(low, high, lower, upper, alarms)
            k = int(np.argmin(bounds))
            # To the right of all places there are the alarms alone.
            least = min(float(bounds[k]), math.nextafter(float(low[-1]) * alarms, -1.0))
            if least > best[0]:
                left = float(order[k - 1]) if k else float(order[0]) - 1.0
                best = (least, left, float(order[k]))
        return max(0.0, best[0]), best[1], best[2]


def _between(low: FloatArray, high: FloatArray, lower: FloatArray, upper: FloatArray, alarms: float) -> FloatArray:
    """Return lower bounds of `H(x) + x alarms` from each place to the next one, shape (n - 1,) for n places.

    Args:
        low: of `x`, shape (n,), increasing.
        high: of `x`.
        lower: of one convex curve that falls.
        upper: of the same curve.
        alarms: a rate.
    """
    # Lines that the curve is above: at height[i] at the place start[i], falling by slope[i] to the right of it.
    flat: _Line = (lower[1:], np.zeros(len(lower) - 1))
    fall = np.maximum(upper[:-2] - lower[1:-1], 0.0) / (low[1:-1] - high[:-2])
    # Left of the first place there is nothing to extend.
    left: _Line = (lower[:-1], np.concatenate([[math.inf], fall]))
    rise = np.maximum(lower[1:-1] - upper[2:], 0.0) / (high[2:] - low[1:-1])
    right: _Line = (lower[1:], np.concatenate([rise, [0.0]]))
    best = np.full(len(low) - 1, -math.inf)
    with np.errstate(invalid="ignore", divide="ignore"):
        for (h1, s1), (h2, s2), from_left in ((left, flat, True), (left, right, True), (right, flat, False)):
            # Any mixture of two lines is below the greater one; the best one is flat together with the alarms.
            share = np.clip((alarms - s2) / (s1 - s2), 0.0, 1.0)
            share = np.where(np.isfinite(s1) & np.isfinite(share), share, 0.0)
            slope1 = np.where(share > 0, s1, 0.0)
            bounds = []
            for x in (low[:-1], high[1:]):
                away1 = slope1 * (x - low[:-1] if from_left else x - low[1:])
                away2 = s2 * (x - low[1:])
                value = share * (h1 - away1) + (1 - share) * (h2 - away2) + x * alarms
                size = share * (h1 + abs(away1)) + (1 - share) * (h2 + abs(away2)) + x * alarms
                bounds.append(value - _ROUNDINGS * UNIT * size)
            best = np.maximum(best, np.minimum(*bounds))
    return best


def _turned(value: float, x: float, *, up: bool) -> float:
    """Return a bound of `H_epsilon(Q||P) = 1 - x (1 - H_-epsilon(P||Q))` from a bound of the curve of `(P, Q)`.

    Args:
        value: a bound of `H_-epsilon(P||Q)`, from above if `up` and from below else.
        x: an end of `e^epsilon`: the least one if `up`, the greatest one else.
        up: whether the result is an upper bound.
    """
    away = 0.0 if up else 2.0
    rest = max(0.0, math.nextafter(1 - value, away))
    rest = math.nextafter(rest * x, away if up else math.inf)
    return math.nextafter(1 - rest, 2.0) if up else max(0.0, math.nextafter(1 - rest, -1.0))


def _up(value: Fraction) -> float:
    """Return a float that is at least a rational."""
    found = float(value)
    return found if Fraction(found) >= value else math.nextafter(found, math.inf)


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
