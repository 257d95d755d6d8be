"""The least noise multiplier for a target (epsilon, delta) of DP-SGD, certified to reach it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from rgm_verify.accounting.exact.one_release import probability
from rgm_verify.accounting.subsampled import guide
from rgm_verify.accounting.subsampled.account import delta as run_delta
from rgm_verify.accounting.subsampled.mechanism import POISSON, REPLACE, SampledGaussian, Segment, sampled_gaussian
from rgm_verify.errors import InputError, reject
from rgm_verify.numbers.bounds import Bounds
from rgm_verify.numbers.exact import ExactInput, positive

_MOST = 30
_SMALLEST, _LARGEST = Fraction(1, 100), Fraction(10**9)
_GUESSES = 40
_DIGITS_MORE = 2  # a rounded multiplier stays well within the tolerance
_WIDEST = Fraction(1, 50)  # of an interval of delta
_NARROWER = 8
_FAR = 8.0  # tolerances between both sides, up to which a secant is good enough


@dataclass(frozen=True)
class NoiseCalibration:
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
    sampler: str = POISSON,
    adjacency: str | None = None,
    tolerance: ExactInput = "1/1000",
) -> NoiseCalibration:
    """Return the least noise multiplier (up to `tolerance`, relatively) for (`epsilon`, `delta`) privacy.

    Args:
        epsilon: an exact number > 0.
        delta: an exact number, 0 < delta < 1.
        rate: the sampling rate.
        steps: the number of steps.
        sampler: "poisson" or "fixed-batch".
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

    `slow` says that the last step left more than half of what was between them.
    """

    model: SampledGaussian
    epsilon: Fraction
    delta: Fraction
    tolerance: Fraction
    holds: tuple[Fraction, float, Bounds] | None = None
    fails: tuple[Fraction, float] | None = None
    evaluations: int = 0
    slow: bool = False

    def look(self, log_noise: float) -> None:
        """Compute delta at about `exp(log_noise)`, and keep the multiplier on the side where it is certified to be."""
        noise = min(max(_short(log_noise, float(self.tolerance)), _SMALLEST), _LARGEST)
        # A change of the multiplier changes delta by several times as much, relatively: where delta is about
        # `exp(-c noise^2)`, by `2 log(1/delta)` times.
        width = min(_WIDEST, self.tolerance * max(3, round(-math.log(self.delta) / 2)))
        while True:
            self.evaluations += 1
            found = run_delta(with_noise(self.model, noise), self.epsilon, width=width)
            if Fraction(found.upper) <= self.delta:
                self.holds = noise, _height(found.upper, self.delta), found
                return
            # A value that is not certified on either side counts as failing only for where to look next. Closed forms
            # are narrower than what was asked for, and asked again would be the same.
            open_ends = self._near(found, width) and found.relative_width > width / _NARROWER
            if Fraction(found.lower) > self.delta or width < Fraction(1, 10**5) or not open_ends:
                self.fails = noise, max(1e-12, _height(found.upper, self.delta))
                return
            # A value near the target takes a narrower interval to be told from it.
            width /= _NARROWER

    def _near(self, found: Bounds, width: Fraction) -> bool:
        """Tell whether a narrower interval may lie on one side of the target.

        For fixed batches the two ends do not meet, and only an upper end that is less than the width above the target
        may fall below it.
        """
        return self.model.adjacency != REPLACE or Fraction(found.upper) * (1 - 2 * width) <= self.delta

    def found(self, guess: float) -> NoiseCalibration:
        """Return the calibration, searched from the logarithm of a first guess."""
        self.look(guess)
        step = 0.02
        while self.evaluations < _MOST and (self.holds is None or self.fails is None):
            known = self.holds or self.fails
            at = math.log((known or (Fraction(1),))[0])
            if (self.fails is None and at <= math.log(_SMALLEST)) or (self.holds is None and at >= math.log(_LARGEST)):
                break
            self.look(at - step if self.fails is None else at + step)
            step *= 3
        while self.evaluations < _MOST and self.holds and self.fails and not self._done():
            before = self._apart()
            self.look(self._next())
            # Far from the target delta may fall by hundreds of orders within a step, where no secant is near a curve.
            self.slow = self._apart() > before / 2
        if self.holds is None:
            raise InputError("no noise multiplier up to 1e9 was certified to reach the target")
        noise, _, reached = self.holds
        fails = self.fails[0] if self.fails else Fraction(0)
        return NoiseCalibration(with_noise(self.model, noise), noise, fails, reached, self.evaluations)

    def _done(self) -> bool:
        """Tell whether both sides are within the tolerance of each other."""
        if self.holds is None or self.fails is None:
            return False
        return self.holds[0] <= self.fails[0] * (1 + self.tolerance)

    def _apart(self) -> float:
        """Return the distance of the logarithms of both sides; `inf` where one is not known."""
        if self.holds is None or self.fails is None:
            return math.inf
        return math.log(self.holds[0] / self.fails[0])

    def _next(self) -> float:
        """Return the logarithm of the next multiplier: the secant, kept away from both ends, or the middle."""
        if self.holds is None or self.fails is None:
            raise ArithmeticError("a step between two ends that are not known")
        low, high = math.log(self.fails[0]), math.log(self.holds[0])
        left, right = self.fails[1], self.holds[1]
        if self.slow and high - low > _FAR * float(self.tolerance):
            return (low + high) / 2
        margin = 0.35 * math.log1p(float(self.tolerance))
        # Aim a little to the side of each end, so that both ends come near.
        middle = low + (high - low) * left / (left - right)
        middle += margin if high - middle > middle - low else -margin
        return min(max(middle, low + margin), high - margin)


def with_noise(model: SampledGaussian, noise: Fraction) -> SampledGaussian:
    """Return the run with another noise multiplier in every segment."""
    segments = tuple(Segment(s.rate, noise, s.steps) for s in model.segments)
    return SampledGaussian(model.sampler, model.adjacency, segments)


def _height(delta: float, target: Fraction) -> float:
    """Return the logarithm of delta over its target; far below it for a delta of 0."""
    return math.log(delta) - math.log(target) if delta > 0 else -1e3


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
        parts = [guide.Outputs.of(unit, guide.range_of(log_delta, run.steps)) for unit in run.units]
        # A saddle point says too much where no tilt has the mean epsilon.
        if any(
            min(guide.saddle(parts, r, epsilon=epsilon).log_delta, guide.log_chernoff(parts, r, epsilon)) > log_delta
            for r in run.directions
        ):
            low = middle
        else:
            high = middle
    return (low + high) / 2
