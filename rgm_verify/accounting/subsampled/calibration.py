"""The least noise multiplier for a target (epsilon, delta) of DP-SGD, certified to reach it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

from rgm_verify.accounting.exact.one_release import probability
from rgm_verify.accounting.subsampled import guide
from rgm_verify.accounting.subsampled.account import delta as run_delta
from rgm_verify.accounting.subsampled.mechanism import FIXED, SampledGaussian, Segment, sampled_gaussian
from rgm_verify.accounting.subsampled.units import model_of
from rgm_verify.errors import InputError, reject, takes
from rgm_verify.numbers.bounds import Bounds
from rgm_verify.numbers.exact import ExactInput, positive
from rgm_verify.numbers.shown import Framed

_MOST = 30
_SMALLEST, _LARGEST = Fraction(1, 100), Fraction(10**9)
_GUESSES = 40
_DIGITS_MORE = 2  # a rounded multiplier stays well within the tolerance
_WIDEST = Fraction(1, 50)  # of an interval of delta
_NARROWEST = Fraction(1, 10**6)
_NARROWER = 8
_FIRST_STEP = 0.02
_BEYOND, _LONGEST = 1.2, 8.0  # of a step towards the other side: what it adds, and how much longer than the last
_DEEPEST = -1e3  # the height of a delta of 0
_LEAST_LEFT = 2.0**-40
_NEAR = 0.05  # of the logarithms of both sides, where a line between them is good enough


@dataclass(frozen=True)
class NoiseCalibration(Framed):
    """A noise multiplier that is certified to reach the target, and how far below it none was found to.

    Attributes:
        run: the run with that multiplier.
        noise_multiplier: certified to reach the target; a short decimal.
        fails: a smaller multiplier that was not found to suffice, 0 where every one down to 1/100 does. Where bounds on
            both sides of delta do not meet, as for fixed batches, it may suffice all the same; elsewhere it is mostly
            certified to miss the target, and that nothing below it reaches it rests on delta falling in the noise
            (`beyond:sampled-more-noise`).
        delta: bounds on what is reached.
        evaluations: accounts that were made.
    """

    run: SampledGaussian
    noise_multiplier: Fraction
    fails: Fraction
    delta: Bounds
    evaluations: int


def calibrate_noise(
    epsilon: ExactInput,
    delta: ExactInput,
    *,
    rate: ExactInput,
    steps: ExactInput,
    sampler: str | None = None,
    adjacency: str | None = None,
    tolerance: ExactInput = "1/1000",
) -> NoiseCalibration:
    """Return the least noise multiplier (up to `tolerance`, relatively) for (`epsilon`, `delta`) privacy.

    Args:
        epsilon: an exact number > 0.
        delta: an exact number, 0 < delta < 1.
        rate: the sampling rate.
        steps: the number of steps.
        sampler: "poisson" or "fixed-batch"; has to be said.
        adjacency: the one that goes with the sampler, unless given.
        tolerance: between 1e-6 and 1.

    Returns:
        The calibration, with a multiplier at which the upper bound of delta is at most `delta`.

    Raises:
        InputError: for a target outside its range, a tolerance outside its own, and as `sampled_gaussian`; and where no
            multiplier up to 1e9 is certified to reach the target.
    """
    level = positive(epsilon, name="epsilon", meaning="the privacy parameter")
    target = probability(delta, name="delta")
    share = positive(tolerance, name="tolerance", meaning="the relative tolerance")
    if not Fraction(1, 10**6) <= share <= 1:
        raise reject("tolerance", tolerance, "must lie between 1e-6 and 1")
    model = sampled_gaussian([(rate, 1, steps)], sampler=sampler, adjacency=adjacency)
    search = _Search(model, level, target, share)
    return search.found(_guess(model, float(level), math.log(target)))


@dataclass
class _Search:
    """The state of one search: a multiplier on each side, with the logarithm of delta over its target there.

    `seen` holds logarithms of multipliers with their heights, in the order in which they were looked at.
    """

    model: SampledGaussian
    epsilon: Fraction
    delta: Fraction
    tolerance: Fraction
    holds: tuple[Fraction, float, Bounds] | None = None
    fails: tuple[Fraction, float] | None = None
    evaluations: int = 0
    seen: list[tuple[float, float]] = field(default_factory=list)

    def look(self, log_noise: float) -> None:
        """Compute delta at about `exp(log_noise)`, and keep the multiplier on the side where it is certified to be."""
        noise = min(max(_short(log_noise, float(self.tolerance)), _SMALLEST), _LARGEST)
        # A change of the multiplier changes delta by several times as much, relatively: where delta is about
        # `exp(-c noise^2)`, by `2 log(1/delta)` times. Near its largest value it changes by less.
        free = 1 - float(self.delta) / self._most if self.delta < self._most else 1.0
        width = min(_WIDEST, self.tolerance * max(3, round(-math.log(self.delta) / 2)) * Fraction(free))
        width = max(width, _NARROWEST)
        while True:
            self.evaluations += 1
            found = run_delta(with_noise(self.model, noise), self.epsilon, width=width)
            if Fraction(found.upper) <= self.delta:
                self.holds = noise, self._height(found.upper), found
                self.seen.append((math.log(noise), self.holds[1]))
                return
            # A value that is not certified on either side counts as failing only for where to look next. Closed forms
            # are narrower than what was asked for, and asked again would be the same.
            open_ends = self._near(found, width) and found.relative_width > width / _NARROWER
            if Fraction(found.lower) > self.delta or width <= _NARROWEST or not open_ends:
                self.fails = noise, max(1e-12, self._height(found.upper))
                self.seen.append((math.log(noise), self.fails[1]))
                return
            # A value near the target takes a narrower interval to be told from it.
            width = max(width / _NARROWER, _NARROWEST)

    def _height(self, delta: float) -> float:
        """Return the logarithm of delta over its target, less that of what is left of delta without noise; far below 0
        for a delta of 0.

        Delta changes little where it is nearly as large as without noise, and so would its logarithm.
        """
        if delta <= 0:
            return _DEEPEST
        target = float(self.delta)
        height = math.log(delta) - math.log(self.delta)
        if target >= self._most:
            return height
        left = max(self._most - delta, self._most * _LEAST_LEFT)
        return height - math.log(left / (self._most - target))

    @cached_property
    def _most(self) -> float:
        """About the probability that the record is in a batch at all, which delta tends to without noise."""
        rates = [(float(segment.rate), segment.steps) for segment in self.model.segments]
        return -math.expm1(sum(steps * math.log1p(-rate) if rate < 1 else -math.inf for rate, steps in rates))

    def _near(self, found: Bounds, width: Fraction) -> bool:
        """Tell whether a narrower interval may lie on one side of the target.

        For fixed batches the two ends do not meet, and only an upper end that is less than the width above the target
        may fall below it.
        """
        return self.model.sampler != FIXED or Fraction(found.upper) * (1 - 2 * width) <= self.delta

    def found(self, guess: float) -> NoiseCalibration:
        """Return the calibration, searched from the logarithm of a first guess."""
        self.look(guess)
        step = _FIRST_STEP
        while self.evaluations < _MOST and (self.holds is None or self.fails is None):
            known = self.holds or self.fails
            at = math.log((known or (Fraction(1),))[0])
            if (self.fails is None and at <= math.log(_SMALLEST)) or (self.holds is None and at >= math.log(_LARGEST)):
                break
            height = (known or (0, 0.0))[1]
            self.look(at - step if self.fails is None else at + step)
            step = self._stride(at, height, step)
        while self.evaluations < _MOST and self.holds and self.fails and not self._done():
            self.look(self._next())
        if self.holds is None:
            raise InputError("no noise multiplier up to 1e9 was certified to reach the target")
        noise, _, reached = self.holds
        fails = self.fails[0] if self.fails else Fraction(0)
        return NoiseCalibration(with_noise(self.model, noise), noise, fails, reached, self.evaluations)

    def _stride(self, at: float, height: float, step: float) -> float:
        """Return the next step towards a side that is not known: beyond where a line through both places meets 0.

        Args:
            at: The logarithm of the multiplier before.
            height: The height there.
            step: The step that was taken from there.
        """
        known = self.holds or self.fails
        if known is None or (self.holds and self.fails):
            return step
        fallen, moved = abs(height) - abs(known[1]), abs(math.log(known[0]) - at)
        ahead = abs(known[1]) * moved / fallen if fallen > 0 else math.inf
        return min(max(_BEYOND * ahead, step), _LONGEST * step)

    def _done(self) -> bool:
        """Tell whether both sides are within the tolerance of each other."""
        if self.holds is None or self.fails is None:
            return False
        return self.holds[0] <= self.fails[0] * (1 + self.tolerance)

    def _next(self) -> float:
        """Return the logarithm of the next multiplier by Chandrupatla's method, kept away from both ends."""
        if self.holds is None or self.fails is None:
            raise ArithmeticError("a step between two ends that are not known")
        low, high = math.log(self.fails[0]), math.log(self.holds[0])
        margin = 0.35 * math.log1p(float(self.tolerance))
        middle = self._crossing()
        # Aim a little to the side of each end, so that both ends come near.
        middle += margin if high - middle > middle - low else -margin
        return min(max(middle, low + margin), high - margin)

    def _crossing(self) -> float:
        """Return about where the height is 0: by inverse quadratic interpolation where that is safe, else the middle.

        Chandrupatla, A new hybrid quadratic/bisection algorithm for finding the zero of a nonlinear function without
        using derivatives, Advances in Engineering Software 28 (1997).
        """
        (x1, f1), *others = reversed(self.seen)
        # The other side of the latest place, and the place that was left last.
        x2, f2 = next((x, f) for x, f in others if (f > 0) != (f1 > 0))
        x3, f3 = next(((x, f) for x, f in others if x != x2), (x2, f2))
        if x3 != x2 and f3 not in (f1, f2):
            place, height = (x1 - x2) / (x3 - x2), (f1 - f2) / (f3 - f2)
            if height**2 < place and (1 - height) ** 2 < 1 - place:
                share = f1 / (f2 - f1) * f3 / (f2 - f3) + (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2)
                return x1 + share * (x2 - x1)
        # A line is as good as a curve near the zero, and far from it the middle is safer than both.
        share = f1 / (f1 - f2)
        return x1 + (share if abs(x2 - x1) < _NEAR else 0.5) * (x2 - x1)


@takes(model=SampledGaussian)
def with_noise(model: SampledGaussian, noise: Fraction) -> SampledGaussian:
    """Return the run with another noise multiplier in every segment."""
    segments = tuple(Segment(s.rate, noise, s.steps) for s in model.segments)
    return replace(model, segments=segments)


def _short(log_noise: float, tolerance: float) -> Fraction:
    """Return a short decimal near a multiplier, with two digits more than the tolerance needs."""
    value = math.exp(log_noise)
    digits = _DIGITS_MORE + math.ceil(-math.log10(tolerance)) - math.floor(math.log10(value))
    return Fraction(round(Fraction(value) * Fraction(10) ** digits), 1) / Fraction(10) ** digits


def _guess(model: SampledGaussian, epsilon: float, log_delta: float) -> float:
    """Return the logarithm of about the multiplier, by saddle points in floats."""
    low, high = math.log(_SMALLEST), math.log(_LARGEST)
    for _ in range(_GUESSES):
        middle = (low + high) / 2
        run = with_noise(model, Fraction(math.exp(middle)))
        parts = [unit.outputs(guide.range_of(log_delta, run.steps)) for unit in model_of(run).units]
        # A saddle point says too much where no tilt has the mean epsilon.
        if any(
            min(guide.saddle(parts, r, epsilon=epsilon).log_delta, guide.log_chernoff(parts, r, epsilon)) > log_delta
            for r in run.directions
        ):
            low = middle
        else:
            high = middle
    return (low + high) / 2
