"""Certified intervals of epsilon and delta for DP-SGD, refined until they are as narrow as asked for."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from rgm_verify.accounting.exact.one_release import probability
from rgm_verify.accounting.subsampled import guide
from rgm_verify.accounting.subsampled.closed_forms import closed_delta, closed_epsilon
from rgm_verify.accounting.subsampled.mechanism import REPLACE, SampledGaussian
from rgm_verify.accounting.subsampled.power import Composed, composed
from rgm_verify.accounting.subsampled.search import crossing_of
from rgm_verify.errors import reject
from rgm_verify.gaussians.certified.sampled_cells import LatticeLoss, SampledCells, sampled_cells
from rgm_verify.numbers.bounds import Bounds
from rgm_verify.numbers.exact import ExactInput, nonnegative, positive

Ends: TypeAlias = tuple[float, float]
Progress: TypeAlias = Callable[[Bounds, float], None]
"""Called after each refinement with the interval so far and the seconds that were used."""

_UPPER = "connected dots on a grid of losses, Fourier transform with a proved error"
_LOWER = "outcomes in cells on a grid of losses, Fourier transform with a proved error"
_AIM = 0.7  # of the width that is asked for
_STEPS_TO_A_CELL = 6.0
_LONGEST_WINDOW = 2.0**21
_WINDOW = 22.0  # in standard deviations of the tilted loss
_MOST_ATTEMPTS = 9
_CLOSE = 1.0  # directions that cost about the same are both computed with care
_TILT_BITS = 20
_NARROWEST = Fraction(1, 10**9)
_LEAST_DELTA = Fraction(1, 10**250)
_LARGEST_EPSILON = 10**9
_NOTHING = 1e-250  # a delta, or an epsilon, below which nothing is refined
_WIDEST = 64.0
_STALLED = 0.9
_MOST_STALLS = 3
_AFTER_STALL = 0.2
_ROUGH = 0.1
_POOR, _AFTER_POOR = 0.5, 0.3
_FINE, _NOISE = 0.01, 1.0  # errors of the transform matter below a width, or if they are all that is seen
_NEXT = 3.0  # times as long as the last attempt
_FINER = 1.15


@dataclass(frozen=True)
class Question:
    """The width to reach, relatively; seconds after which what is known is given; what is told meanwhile."""

    width: Fraction = Fraction(1, 1000)
    time_limit: Fraction | None = None
    progress: Progress | None = None

    @classmethod
    def of(cls, width: ExactInput, time_limit: ExactInput | None, progress: Progress | None = None) -> Question:
        """Return the checked question; `InputError` for a width outside [1e-9, 1] and a limit that is not > 0."""
        wanted = positive(width, name="width", meaning="the relative width")
        if not _NARROWEST <= wanted <= 1:
            raise reject("width", width, "the relative width must lie between 1e-9 and 1")
        limit = None if time_limit is None else positive(time_limit, name="time_limit", meaning="the limit in seconds")
        return cls(wanted, limit, progress)


def epsilon(
    run: SampledGaussian,
    delta: ExactInput,
    *,
    width: ExactInput = "1/1000",
    time_limit: ExactInput | None = None,
    progress: Progress | None = None,
) -> Bounds:
    """Return bounds on the least `epsilon >= 0` (nats) for which the run is (`epsilon`, `delta`) private.

    Both ends are certified and rounded outward; `upper - lower` is at most `width` times `lower` where that can be
    reached, and the narrowest interval that was found else, in about `time_limit` seconds if one is given. For fixed
    batches the two ends belong to different quantities, and refinement stops where they do not come closer.
    Raises `InputError` for `delta` outside (0, 1) and below 1e-250, and as `Question.of`.
    Source: derived in `derivations/beyond/subsampling/`.
    """
    target = probability(delta, name="delta")
    if target < _LEAST_DELTA:
        raise reject("delta", delta, "must be at least 1e-250")
    question = Question.of(width, time_limit, progress)
    known = closed_epsilon(run, target)
    if known is not None:
        return known
    log_delta = math.log(target)

    last: list[Curves] = []

    def attempt(wanted: float, fineness: float, known: Ends) -> Ends:
        guess = _between(known) if math.isfinite(known[1]) else None
        before = last.pop() if last else None
        found = curves(run, wanted, log_delta=log_delta, guess=guess, known=before, fineness=fineness)
        last.append(found)
        return found.epsilon(target, wanted * max(found.guess, 1e-3 * found.spread))

    return _refined(attempt, (0.0, math.inf), question)


def delta(
    run: SampledGaussian,
    epsilon: ExactInput,
    *,
    width: ExactInput = "1/1000",
    time_limit: ExactInput | None = None,
    progress: Progress | None = None,
) -> Bounds:
    """Return bounds on the least `delta` for which the run is (`epsilon`, `delta`) private; see `epsilon`.

    Raises `InputError` for `epsilon < 0`. A delta below 1e-250 may have the lower end 0.
    """
    target = nonnegative(epsilon, name="epsilon", meaning="a privacy loss")
    if target > _LARGEST_EPSILON:
        raise reject("epsilon", epsilon, "must be at most 1e9")
    question = Question.of(width, time_limit, progress)
    known = closed_delta(run, target)
    if known is not None:
        return known
    level = float(target)

    last: list[Curves] = []

    def attempt(wanted: float, fineness: float, known: Ends) -> Ends:
        log_delta = math.log(known[1]) if 0 < known[1] < 1 else None
        found = curves(
            run,
            wanted,
            log_delta=log_delta,
            guess=level,
            known=last.pop() if last else None,
            of_epsilon=False,
            fineness=fineness,
        )
        last.append(found)
        return found.delta_below(target), found.delta_above(target)

    return _refined(attempt, (0.0, 1.0), question)


def _between(ends: Ends) -> float:
    """Return a number between two ends; the lower one is the better guess where they are far apart."""
    return max(math.sqrt(ends[0] * ends[1]), ends[1] / 100)


def _refined(attempt: Callable[[float, float, Ends], Ends], start: Ends, question: Question) -> Bounds:
    """Return the intersection of attempts, each finer than the one before, until the width or the time is reached."""
    started, spent = time.monotonic(), 0.0
    asked, fineness = float(question.width), 1.0
    # A rough first look tells the others where to be fine.
    wanted = max(_ROUGH, _AIM * asked)
    lower, upper = start
    stalls = 0
    for _ in range(_MOST_ATTEMPTS):
        if upper <= _NOTHING:
            break
        begun = time.monotonic()
        try:
            low, high = attempt(wanted, fineness, (lower, upper))
        except ArithmeticError:
            if upper < start[1] or wanted > _WIDEST:
                break
            wanted *= 8
            continue
        before = Bounds(lower, upper, _LOWER, _UPPER).relative_width
        lower, upper = max(lower, low), min(upper, high)
        found = Bounds(lower, upper, _LOWER, _UPPER)
        spent, last = time.monotonic() - started, time.monotonic() - begun
        if question.progress is not None:
            question.progress(found, spent)
        stalls = stalls + 1 if found.relative_width > _STALLED * before else 0
        if found.relative_width <= asked or stalls > _MOST_STALLS:
            break
        if question.time_limit is not None and spent + _NEXT * last > question.time_limit:
            break
        # After a poor guess the next one is better; else the width goes with what is asked for.
        poor = found.relative_width > _POOR
        wanted *= _AFTER_POOR if poor else min(0.5, max(_AIM * asked / found.relative_width, 1 / 200))
        wanted *= _AFTER_STALL if stalls else 1.0
        fineness *= _FINER
    return Bounds(lower, upper, _LOWER, _UPPER)


@dataclass(frozen=True, eq=False)
class Curves:
    """Upper and lower bounds of the hockey-stick curve of a run, one for each direction, best near one epsilon."""

    upper: Sequence[Composed]
    lower: Sequence[Composed]
    leading: Sequence[bool]
    guess: float
    spread: float
    extended: bool

    def delta_above(self, epsilon: Fraction) -> float:
        """Return an upper bound of delta at a real `epsilon`."""
        return max(curve.delta(epsilon) for curve in self.upper)

    def delta_below(self, epsilon: Fraction) -> float:
        """Return a lower bound of delta at a real `epsilon`."""
        return max(curve.delta(epsilon) for curve in self.lower)

    def noisy(self, allowed: float) -> bool:
        """Return whether the transforms' errors take more than a tenth of the `allowed` relative error of delta."""
        return any(curve.noise(Fraction(self.guess)) > allowed / 10 for curve in self.lower)

    def rests(self, epsilon: float) -> list[guide.Rest]:
        """Return the laws of the sums of losses, in the directions that lead, as a guide to finer grids."""
        found = zip(self.leading, self.lower, strict=True)
        return [guide.Rest.of(remove, *curve.density(epsilon), epsilon) for remove, curve in found]

    def epsilon(self, delta: Fraction, width: float) -> tuple[float, float]:
        """Return bounds of the least epsilon >= 0 for `delta`, each within `width / 100` of what the curve gives."""
        tolerance = max(width / 100, 1e-14 * self.guess, 1e-300)
        least, most = math.nextafter(float(delta), 0.0), math.nextafter(float(delta), 1.0)
        ends = [crossing_of(curve.delta, least, self.guess, tolerance) for curve in self.upper]
        starts = [crossing_of(curve.delta, most, self.guess, tolerance) for curve in self.lower]
        return max(fails for fails, _ in starts), max(holds for _, holds in ends)


def curves(
    run: SampledGaussian,
    width: float,
    *,
    log_delta: float | None = None,
    guess: float | None = None,
    known: Curves | None = None,
    of_epsilon: bool = True,
    fineness: float = 1.0,
) -> Curves:
    """Return certified curves that are tight where delta is about `exp(log_delta)`, at the epsilon `guess` if known.

    `width` is about the relative error of both sides together, of epsilon or of delta; `fineness` is the number
    of grid points to a cell over the usual one. Raises `ArithmeticError` where the grid would need too many points.
    """
    units = run.units
    parts = [guide.Outputs.of(segment, guide.wide_range(run.steps)) for segment in units]
    if log_delta is None:
        log_delta = max(guide.log_delta_at(parts, remove, guess or 0.0) for remove in run.directions)
    parts = [guide.Outputs.of(segment, guide.range_of(log_delta, run.steps)) for segment in units]
    place = max(guide.saddle(parts, r, log_delta=log_delta).epsilon for r in run.directions) if guess is None else guess
    saddles = [(r, guide.saddle(parts, r, epsilon=place)) for r in run.directions]
    # The direction that costs less has to be bounded at the other one's epsilon, and need not be tight there. Removal
    # is taken to cost at least about as much: its saddle point says too little where its large losses are rare.
    most = max(s.log_delta for _, s in saddles)
    leading = [(r, s) for r, s in saddles if s.log_delta >= most - _CLOSE or r]
    if any(r for r, _ in leading):
        heavy = next(s for r, s in leading if r)
        leading = [(r, s) for r, s in leading if r or s.log_delta <= heavy.log_delta + _CLOSE]
    spread = max(s.spread for _, s in leading)
    slope = max(s.tilt for _, s in leading) + 1 / spread
    # A change of epsilon by x changes the logarithm of delta by about the slope times x.
    allowed = max(width * (place * slope if of_epsilon else 1.0), 0.0 if width < _FINE else _NOISE)
    extended = known is not None and (known.extended or known.noisy(allowed))
    grid = guide.layout(
        parts,
        leading,
        [] if known is None else known.rests(place),
        width * max(place, 1e-3 * spread) if of_epsilon else width / slope,
        _WINDOW * spread / _LONGEST_WINDOW / fineness**2,
        steps_to_a_cell=_STEPS_TO_A_CELL * fineness,
    )
    cells, middles = (
        [(sampled_cells(s.rate, s.noise_multiplier, grid.step, e), s.steps) for s, e in zip(units, edges, strict=True)]
        for edges in (grid.edges, grid.middles)
    )
    lower, upper = [], []
    for remove, s in saddles:
        tilt = _tilt(guide.moderate_tilt(parts, s, remove, place), grid.step)
        below = SampledCells.remove_below if remove else SampledCells.add_below
        leads = any(remove == r for r, _ in leading)
        if leads:
            lower.append(
                _composition(middles, below, tilt, up=False, extended=extended and leads, focus=(place, log_delta))
            )
        if run.adjacency == REPLACE:
            above = SampledCells.replace_above
        else:
            above = SampledCells.remove_above if remove else SampledCells.add_above
        if run.adjacency != REPLACE or remove:
            upper.append(
                _composition(cells, above, tilt, up=True, extended=extended and leads, focus=(place, log_delta))
            )
    return Curves(upper, lower, [r for r, _ in leading], place, spread, extended)


def _composition(
    cells: Sequence[tuple[SampledCells, int]],
    side: Callable[[SampledCells], LatticeLoss],
    tilt: Fraction,
    *,
    up: bool,
    extended: bool,
    focus: tuple[float, float],
) -> Composed:
    return composed([(side(found), count) for found, count in cells], tilt, up=up, extended=extended, focus=focus)


def _tilt(tilt: float, step: Fraction) -> Fraction:
    """Return the tilt for one step of the grid, with few bits."""
    mantissa, exponent = math.frexp(tilt * float(step))
    return Fraction(round(mantissa * 2**_TILT_BITS)) * Fraction(2) ** (exponent - _TILT_BITS)
