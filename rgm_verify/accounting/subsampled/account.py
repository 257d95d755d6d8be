"""Certified intervals of epsilon and delta for DP-SGD, refined until they are as narrow as asked for."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from rgm_verify.accounting.exact.one_release import probability
from rgm_verify.accounting.subsampled import guide
from rgm_verify.accounting.subsampled.mechanism import SampledGaussian
from rgm_verify.accounting.subsampled.power import Composed, composed
from rgm_verify.accounting.subsampled.search import crossing_of
from rgm_verify.accounting.subsampled.simple import narrowed, simple_delta, simple_epsilon
from rgm_verify.accounting.subsampled.units import Attacked, Model, Power, alignment, model_of
from rgm_verify.errors import reject, takes
from rgm_verify.numbers.bounds import Bounds, round_down, round_up
from rgm_verify.numbers.decimals import decimal
from rgm_verify.numbers.exact import ExactInput, nonnegative, positive

Ends: TypeAlias = tuple[float, float]
Progress: TypeAlias = Callable[[Bounds, float], None]
"""Called after each refinement with the interval so far and the seconds that were used."""

_UPPER = "PLD on a grid of losses (connect the dots), rounding bounded"
_LOWER = "an attack on a grid of losses, rounding bounded"
_AIM = 0.7  # of the width that is asked for
_STEPS_TO_A_CELL = 6.0  # the ends of cells are rounded to the grid
_LONGEST_WINDOW = 2.0**21  # grid points; the transform takes four times as many where a window turns out longer
_WINDOW = 22.0  # in standard deviations of the tilted loss
_MOST_ATTEMPTS = 9
_CLOSE = 1.0  # directions that cost about the same are both computed with care
_TILT_BITS = 20
_NARROWEST = Fraction(1, 10**9)  # the errors of a transform leave little more
_LEAST_DELTA = Fraction(1, 10**250)  # floats hold delta and its parts, down to about 1e-308
_LARGEST_EPSILON = 10**9
_NOTHING = 1e-250  # a delta, or an epsilon, below which nothing is refined
_WIDEST = 64.0
_STALLED = 0.9
_MOST_STALLS = 3
_AFTER_STALL = 0.2
_ROUGH = 0.1
_POOR, _AFTER_POOR = 0.5, 0.3
_FINE, _NOISE = 0.01, 1.0  # errors of the transform matter below a width, or if they are all that is seen
_NEXT = 2.5  # times as long as the last attempt
_FINER = 1.15


@dataclass(frozen=True)
class Question:
    """The width to reach, the time for it, and who is told meanwhile.

    Attributes:
        width: relative, between 1e-9 and 1.
        time_limit: seconds after which what is known is given; None: no limit.
        progress: called after each refinement.
    """

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


@takes(run=SampledGaussian)
def epsilon(
    run: SampledGaussian,
    delta: ExactInput,
    *,
    width: ExactInput = "1/1000",
    time_limit: ExactInput | None = None,
    progress: Progress | None = None,
) -> Bounds:
    """Return bounds on the least `epsilon >= 0` (nats) for which the run is (`epsilon`, `delta`) private.

    Both ends are certified and rounded outward. For fixed batches they belong to different quantities and do not meet;
    refinement stops where a finer grid moves them by less than the width.

    Args:
        run: as `mechanism.poisson`, `fixed_batches` or `sampled_gaussian` makes it.
        delta: an exact number, 1e-250 <= delta < 1.
        width: `upper - lower` is at most this times `lower` where that can be reached, and the narrowest interval that
            was found else.
        time_limit: about so many seconds are used.
        progress: told the interval so far and the seconds.

    Raises:
        InputError: for `delta` outside its range, and as `Question.of`.

    Source: derived in `derivations/beyond/subsampling/`.

    Examples:
        >>> from rgm_verify.accounting.subsampled.mechanism import poisson
        >>> epsilon(poisson("1/10", 1, 1), "1e-5").upper
        1.68454381432...
    """
    found = model_epsilon(model_of(run), delta, Question.of(width, time_limit, progress))
    return replace(found, assuming=run.assuming)


def model_epsilon(model: Model, delta: ExactInput, question: Question) -> Bounds:
    """Return bounds on the least `epsilon >= 0` for which any composition is (`epsilon`, `delta`) private.

    Attempts on finer and finer grids are intersected, so that an attempt that went wrong can only cost time. Each grid
    is laid out by what the one before has found.

    Args:
        model: the releases and the directions that count.
        delta: as in `epsilon`, and so are the result and the errors.
        question: the relative width of epsilon, and the time for it.
    """
    target = probability(delta, name="delta")
    if target < _LEAST_DELTA:
        raise reject("delta", delta, "must be at least 1e-250")
    if model.kept[0] < 1:
        return _epsilon_beside_failures(model, target, question)
    # A closed form needs no grid, and has all digits at once.
    known = model.closed_epsilon(target)
    if known is not None:
        return known
    log_delta = math.log(target)

    last: list[Curves] = []

    def attempt(wanted: float, fineness: float, known: Ends) -> Ends:
        guess = _between(known) if math.isfinite(known[1]) else None
        before = last.pop() if last else None
        found = curves(model, wanted, log_delta=log_delta, guess=guess, known=before, fineness=fineness)
        last.append(found)
        return found.epsilon(target, wanted * max(found.guess, 1e-3 * found.spread))

    found = _refined(attempt, (0.0, math.inf), question, matched=model.matched)
    # Where no grid was fine enough, or none was to be had, what needs no grid may know more.
    if found.relative_width <= question.width:
        return found
    return narrowed(found, simple_epsilon((unit.simple for unit in model.units), target))


def _epsilon_beside_failures(model: Model, target: Fraction, question: Question) -> Bounds:
    """Return bounds of epsilon where the record is shown for certain with a probability below `target`.

    The other releases have what is left of delta: at `1 - (1 - target)/kept` of their own.
    """
    least, most = (1 - (1 - target) / kept for kept in model.kept)
    if least < _LEAST_DELTA:
        end = model.closed_epsilon(Fraction(0)) if least >= 0 else None
        if end is not None:
            return end
        shown = decimal(1 - model.kept[0], up=True)
        raise reject("delta", decimal(target, up=True), f"must be above {shown}, with which a record may be shown")
    found = model_epsilon(model.units_alone, least, question)
    if most == least:
        return found
    # For a lower end, with as much of delta as there may be left.
    lower = model_epsilon(model.units_alone, most, question) if most < 1 else Bounds(0.0, 0.0, "", "")
    return Bounds(min(lower.lower, found.upper), found.upper, found.lower_method, found.upper_method)


@takes(run=SampledGaussian)
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
    found = model_delta(model_of(run), epsilon, Question.of(width, time_limit, progress))
    return replace(found, assuming=run.assuming)


def model_delta(model: Model, epsilon: ExactInput, question: Question) -> Bounds:
    """Return bounds on the least `delta` for which any composition is (`epsilon`, `delta`) private.

    Args:
        model: the releases and the directions that count.
        epsilon: as in `delta`, and so are the result and the errors.
        question: the relative width of delta, and the time for it; below 1e-250 both ends may be far apart.
    """
    target = nonnegative(epsilon, name="epsilon", meaning="a privacy loss")
    if target > _LARGEST_EPSILON:
        raise reject("epsilon", epsilon, "must be at most 1e9")
    if model.kept[0] < 1:
        one = model_delta(model.units_alone, target, question)
        lower, upper = (model.whole(Fraction(end), up=up) for end, up in ((one.lower, False), (one.upper, True)))
        return Bounds(round_down(lower), round_up(upper), one.lower_method, one.upper_method)
    known = model.closed_delta(target)
    if known is not None:
        return known
    # For the guides alone: the bounds are asked for at the rational.
    level = float(target)

    last: list[Curves] = []

    def attempt(wanted: float, fineness: float, known: Ends) -> Ends:
        log_delta = math.log(known[1]) if 0 < known[1] < 1 else None
        found = curves(
            model,
            wanted,
            log_delta=log_delta,
            guess=level,
            known=last.pop() if last else None,
            of_epsilon=False,
            fineness=fineness,
        )
        last.append(found)
        return found.delta_below(target), found.delta_above(target)

    found = _refined(attempt, (0.0, 1.0), question, matched=model.matched)
    if found.relative_width <= question.width:
        return found
    return narrowed(found, simple_delta((unit.simple for unit in model.units), target))


def _between(ends: Ends) -> float:
    """Return a number between two ends; the lower one is the better guess where they are far apart."""
    return max(math.sqrt(ends[0] * ends[1]), ends[1] / 100)


def _refined(
    attempt: Callable[[float, float, Ends], Ends], start: Ends, question: Question, *, matched: bool
) -> Bounds:
    """Return the intersection of attempts, each finer than the one before, until the width or the time is reached.

    Ends that are not `matched` do not meet on any grid. They are refined until a finer grid moves neither of them by
    more than the width: what is left between them is no error of a grid.
    """
    started, spent = time.monotonic(), 0.0
    asked, fineness = float(question.width), 1.0
    # A rough first look tells the others where to be fine.
    wanted = max(_ROUGH, _AIM * asked)
    lower, upper = start
    stalls = 0
    for _ in range(_MOST_ATTEMPTS):
        # Below this no digits are asked for, and floats end.
        if upper <= _NOTHING:
            break
        begun = time.monotonic()
        try:
            low, high = attempt(wanted, fineness, (lower, upper))
        # The grid would be too large: a coarser one gives bounds that are wider and still right.
        except ArithmeticError:
            late = question.time_limit is not None and time.monotonic() - started > question.time_limit
            if upper < start[1] or wanted > _WIDEST or late:
                break
            wanted *= 8
            continue
        before, ends = Bounds(lower, upper, _LOWER, _UPPER).relative_width, (lower, upper)
        # Both intervals hold the number, and so does what they have in common: no attempt can undo another one.
        lower, upper = max(lower, low), min(upper, high)
        found = Bounds(lower, upper, _LOWER, _UPPER)
        spent, last = time.monotonic() - started, time.monotonic() - begun
        if question.progress is not None:
            question.progress(found, spent)
        stalls = stalls + 1 if found.relative_width > _STALLED * before else 0
        if found.relative_width <= asked or stalls > _MOST_STALLS:
            break
        # Before the attempt that would go beyond the limit, as none is stopped half-way.
        if question.time_limit is not None and spent + _NEXT * last > question.time_limit:
            break
        if not matched:
            if wanted <= _AIM * asked and _moved(ends, (lower, upper)) <= asked:
                break
            wanted = min(_AFTER_POOR * wanted, _AIM * asked)
            fineness *= _FINER
            continue
        # After a poor guess the next one is better; else the width goes with what is asked for.
        poor = found.relative_width > _POOR
        wanted *= _AFTER_POOR if poor else min(0.5, max(_AIM * asked / found.relative_width, 1 / 200))
        wanted *= _AFTER_STALL if stalls else 1.0
        fineness *= _FINER
    return Bounds(lower, upper, _LOWER, _UPPER)


def _moved(before: Ends, after: Ends) -> float:
    """Return by how much two ends moved together, as a part of what they are; `inf` where one was not known."""
    if not (before[0] > 0 and math.isfinite(before[1])):
        return math.inf
    return (before[1] - after[1]) / after[1] + (after[0] - before[0]) / after[0]


@dataclass(frozen=True, eq=False)
class Curves:
    """Upper and lower bounds of the hockey-stick curve of a run, one for each direction, best near one epsilon.

    Attributes:
        upper: compositions from above.
        lower: compositions from below, of the directions that lead.
        leading: for each of these whether it is removal.
        guess: the epsilon near which they are best.
        spread: about the deviation of the tilted loss.
        extended: whether the transforms used the wider floats.
        model: the composition.
    """

    upper: Sequence[Composed]
    lower: Sequence[Composed]
    leading: Sequence[bool]
    guess: float
    spread: float
    extended: bool
    model: Model

    def delta_above(self, epsilon: Fraction) -> float:
        """Return an upper bound of delta at a real `epsilon`."""
        return self._whole(max(curve.delta(epsilon) for curve in self.upper), up=True)

    def delta_below(self, epsilon: Fraction) -> float:
        """Return a lower bound of delta at a real `epsilon`."""
        return self._whole(max(curve.delta(epsilon) for curve in self.lower), up=False)

    def _whole(self, value: float, *, up: bool) -> float:
        """Return a bound of delta with the releases that may show the record."""
        if self.model.kept[0] == 1:
            return value
        found = self.model.whole(Fraction(value), up=up)
        return round_up(found) if up else max(0.0, round_down(found))

    def noisy(self, allowed: float) -> bool:
        """Return whether the transforms' errors take more than a tenth of the `allowed` relative error of delta."""
        return any(curve.noise(Fraction(self.guess)) > allowed / 10 for curve in self.lower)

    def rests(self, epsilon: float) -> list[guide.Rest]:
        """Return the laws of the sums of losses, in the directions that lead, as a guide to finer grids."""
        # Of several attacks each has a law of its own, and none is that of all releases.
        if len(self.lower) > len(set(self.leading)):
            return []
        found = zip(self.leading, self.lower, strict=True)
        return [guide.Rest.of(remove, *curve.density(epsilon), epsilon) for remove, curve in found]

    def epsilon(self, delta: Fraction, width: float) -> tuple[float, float]:
        """Return bounds of the least epsilon >= 0 for `delta`, each within `width / 100` of what the curve gives."""
        tolerance = max(width / 100, 1e-14 * self.guess, 1e-300)
        # A float next to delta on each side: to be below the lower one is to be below delta, to be above the upper one
        # above it.
        least, most = math.nextafter(float(delta), 0.0), math.nextafter(float(delta), 1.0)
        ends = [crossing_of(curve.delta, least, self.guess, tolerance) for curve in self.upper]
        starts = [crossing_of(curve.delta, most, self.guess, tolerance) for curve in self.lower]
        return max(fails for fails, _ in starts), max(holds for _, holds in ends)


@takes(run=SampledGaussian | Model)
def curves(
    run: SampledGaussian | Model,
    width: float,
    *,
    log_delta: float | None = None,
    guess: float | None = None,
    known: Curves | None = None,
    of_epsilon: bool = True,
    fineness: float = 1.0,
) -> Curves:
    """Return certified curves that are tight where delta is about `exp(log_delta)`, at the epsilon `guess` if known.

    Three things are chosen in floats, and none of them can make a bound wrong: the direction that leads, the grid with
    its cells, and the tilt. What is certified begins with the losses that the units give for these cells.

    Args:
        run: a run of DP-SGD, or any composition as a model.
        width: about the relative error of both sides together, of epsilon or of delta.
        log_delta: where the curves should be tight; found from `guess` unless given.
        guess: an epsilon; found from `log_delta` unless given.
        known: curves from before, which tell where a grid has to be fine.
        of_epsilon: whether `width` is of epsilon.
        fineness: the number of grid points to a cell over the usual one.

    Raises:
        ArithmeticError: where the grid would need too many points.
    """
    model = run if isinstance(run, Model) else model_of(run)
    units = model.units
    # Twice: how far outputs matter depends on delta, and what delta is on outputs that go far enough.
    parts = [unit.outputs(guide.wide_range(model.steps)) for unit in units]
    if log_delta is None:
        log_delta = max(guide.log_delta_at(parts, remove, guess or 0.0) for remove in model.directions)
    tail = guide.range_of(log_delta, model.steps)
    parts = [unit.outputs(tail) for unit in units]
    directions = model.directions
    place = max(guide.saddle(parts, r, log_delta=log_delta).epsilon for r in directions) if guess is None else guess
    saddles = [(r, guide.saddle(parts, r, epsilon=place)) for r in directions]
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
    least = _WINDOW * spread / _LONGEST_WINDOW
    lattice, aligned = alignment(units, parts, least)
    grid = guide.layout(
        parts,
        leading,
        [] if known is None else known.rests(place),
        width * max(place, 1e-3 * spread) if of_epsilon else width / slope,
        least / fineness**2,
        steps_to_a_cell=_STEPS_TO_A_CELL * fineness,
        lattice=lattice,
        rounded=[unit.smooth or not on_grid for unit, on_grid in zip(units, aligned, strict=True)],
    )
    sides = [
        unit.sides(grid.step, edges, middles, tail)
        for unit, edges, middles in zip(units, grid.edges, grid.middles, strict=True)
    ]
    lower, upper, led = [], [], []
    for remove, s in saddles:
        tilt = _tilt(guide.moderate_tilt(parts, s, remove, place), grid.step)
        leads = any(remove == r for r, _ in leading)
        focus, wide = (place, log_delta), extended and leads
        if leads:
            below = [side.attacks(remove) if isinstance(side, Attacked) else [side.below(remove)] for side in sides]
            # One pair of data sets for all releases of a kind; the best of them counts.
            for number in range(max(map(len, below))):
                losses: list[Power] = [known[min(number, len(known) - 1)] for known in below]
                lower.append(composed(losses, tilt, up=False, extended=wide, focus=focus))
                led.append(remove)
        if remove or not model.one_bound:
            # From above both directions are needed, unless one loss holds for both.
            above = [side.above(remove) for side in sides]
            upper.append(composed(above, tilt, up=True, extended=wide, focus=focus))
    return Curves(upper, lower, led, place, spread, extended, model)


curves_of = curves
"""`curves`, by the name that it has for models."""


def _tilt(tilt: float, step: Fraction) -> Fraction:
    """Return the tilt for one step of the grid, with few bits."""
    # It is multiplied exactly by places and numbers of releases: more bits would only make rationals longer.
    mantissa, exponent = math.frexp(tilt * float(step))
    return Fraction(round(mantissa * 2**_TILT_BITS)) * Fraction(2) ** (exponent - _TILT_BITS)
