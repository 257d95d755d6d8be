"""Epsilon and delta of a plan as certified intervals, what each line costs, and what is left of a budget.

Gaussian releases of a plan are one pair; every other release is a discrete loss above and one below its own, and all
are composed on one grid (`subsampled.power`). For a group of records whose distance some release does not know, the
chain of neighbours gives the upper end: `k` steps of `(e, d)` are one of `(k e, d (1 + e^e + ... + e^((k-1) e)))`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from rgm_verify.accounting.composition import composed_delta, composed_epsilon
from rgm_verify.accounting.plans.plan import Line, Plan
from rgm_verify.accounting.plans.releases import PlannedRelease, RelativeGaussian
from rgm_verify.accounting.plans.units import PlannedUnit
from rgm_verify.accounting.release import Release
from rgm_verify.accounting.subsampled.account import Progress, Question, model_delta, model_epsilon
from rgm_verify.accounting.subsampled.mechanism import ADD, REMOVE
from rgm_verify.accounting.subsampled.simple import Simple, narrowed, simple_delta, simple_epsilon
from rgm_verify.accounting.subsampled.units import Model
from rgm_verify.balls.arithmetic import ball, precision, rational_ends
from rgm_verify.balls.fourier import exponential_ends
from rgm_verify.errors import reject, takes
from rgm_verify.numbers.bounds import Bounds, round_down, round_up
from rgm_verify.numbers.decimals import decimal
from rgm_verify.numbers.exact import ExactInput, nonnegative
from rgm_verify.numbers.shown import Framed, Rows, of_fields

_LARGEST = "the sum of the largest losses"
_SUM = "the sum of the epsilons of the kinds of release"
_NO_PAIR = "what one record costs"
_GROUP = "what one record costs, by the chain of neighbours"
_ROUNDS = 40
_EXACT_BITS, _POWER_BITS = 4000, 400
_CLIMB = 1.001  # over what was found, so that the next guess is not a hair short for ever


@dataclass(frozen=True)
class Cost(Framed):
    """The cost of a line alone, at the plan's own `delta` or `epsilon`: bounds rounded outward."""

    name: str
    alone: Bounds


@dataclass(frozen=True)
class Spent(Framed):
    """The account of a plan.

    Attributes:
        total: bounds on what the plan costs.
        lines: what each line costs alone; their sum is more than the total.
        left: the budget that is left, from below; negative, from above, where the plan is certain to cost more; None
            without a budget, or where neither is certain.
        within: whether the plan is certainly within its budget, or certainly not; None as `left`.
    """

    total: Bounds
    lines: tuple[Cost, ...]
    left: float | None
    within: bool | None

    def rows(self) -> Rows:
        """A row for each line by itself, and one for all of them together."""
        return [{"name": c.name} | of_fields(c.alone) for c in (*self.lines, Cost("total", self.total))]


@takes(planned=Plan)
def epsilon(
    planned: Plan,
    delta: ExactInput,
    *,
    width: ExactInput = "1/1000",
    time_limit: ExactInput | None = None,
    progress: Progress | None = None,
) -> Bounds:
    """Return bounds on the least epsilon >= 0 (nats) for which the plan is (epsilon, `delta`) private.

    Both ends are certified and rounded outward, for queries that may depend on all outputs before. With the relative
    Gaussian mechanism in a list, or fixed batches, the two ends belong to different quantities. For a group of records
    of which a release does not know the distance, the upper end is by the chain of neighbours, and the lower one is
    that of one record.

    Args:
        delta: an exact number, 1e-250 <= delta < 1, or 0: pure privacy, for releases whose losses have a largest one.
        width: the relative width to reach, as in `subsampled.account.epsilon`.
        time_limit: about so many seconds are used.
        progress: told the interval so far and the seconds.

    Raises:
        InputError: as `subsampled.account.epsilon`.

    Source: derived in `derivations/beyond/composition/plans.py`.

    Examples:
        >>> from rgm_verify.accounting.plans.plan import plan
        >>> from rgm_verify.accounting.plans.releases import release_of
        >>> noise = release_of("gaussian", {"noise_multiplier": 10, "count": 4})
        >>> found = epsilon(plan([noise, release_of("laplace", {"scale": 2})]), "1e-5")
        >>> 1.19 < found.lower < found.upper < 1.2
        True
    """
    target = Fraction(delta) if isinstance(delta, Fraction) else nonnegative(delta, name="delta")
    return replace(_epsilon(planned, target, Question.of(width, time_limit, progress)), assuming=planned.assuming)


def _epsilon(planned: Plan, target: Fraction, question: Question) -> Bounds:
    """Return bounds on epsilon at a delta, with the question as one argument: groups ask it again and again."""
    releases = planned.of_group
    if target == 0:
        return _pure(planned)
    if releases is None:
        return _group_epsilon(planned, target, question)
    # For the relative mechanism alone `composition` is tighter: its adversary is followed from release to release.
    only = _relative_only(releases)
    if only is not None:
        return composed_epsilon(only, target)
    model = _model(releases, planned.adjacency)
    found = model_epsilon(model, target, question)
    most = _largest_loss(_units(releases, planned.adjacency))
    if most is not None and Fraction(found.upper) > most:
        # At the sum of the largest losses delta is 0, so that no epsilon above it is ever needed.
        return Bounds(found.lower, round_up(most), found.lower_method, _LARGEST)
    if math.isinf(found.upper):
        return Bounds(found.lower, _of_lines(planned, target, question), found.lower_method, _SUM)
    return found


def _pure(planned: Plan) -> Bounds:
    """Return the least epsilon at delta 0: the largest loss, which the releases reach together.

    Raises:
        InputError: Where losses have no end, or the largest one of a group is not known.
    """
    releases = planned.of_group
    units = [] if releases is None else _units(releases, planned.adjacency)
    shown = 1 - _kept(planned.releases)[0]
    if shown:
        raise reject("delta", 0, f"must be above {decimal(shown, up=True)}, with which a record may be shown")
    above = _largest_loss(units)
    if above is None:
        kinds = ", ".join(dict.fromkeys(release.kind for release in planned.releases))
        raise reject("delta", 0, f"no epsilon is enough at delta 0: losses of {kinds} have no end; give a delta > 0")
    below = sum((unit.largest_below or Fraction(0) for unit in units), Fraction(0))
    return Bounds(round_down(below), round_up(above), _LARGEST, _LARGEST)


def _of_lines(planned: Plan, target: Fraction, question: Question) -> float:
    """Return an upper end by basic composition: the sum of the epsilons of each kind of release, at a share of delta.

    Infinite for releases of one kind, whose account is the one that has no upper end.
    """
    pure, kinds = Fraction(0), dict[object, list[Line]]()
    # Without the releases that may show the record, and with what they leave of delta.
    target = 1 - (1 - target) / _kept(planned.releases)[0]
    for line in planned.lines:
        of_group = replace(planned, lines=(line,), budget=None).of_group
        most = _largest_loss(_units(of_group or [], planned.adjacency))
        if most is not None:
            pure += most
        else:
            kinds.setdefault(type(line.release), []).append(line)
    if len(kinds) < 2 and not pure:
        return math.inf
    quietly, total = replace(question, progress=None), pure
    for lines in kinds.values():
        part = Plan(tuple(lines), planned.adjacency, planned.group)
        end = _epsilon(part, target / len(kinds), quietly).upper
        if math.isinf(end):
            return math.inf
        total += Fraction(end)
    return round_up(total)


@takes(planned=Plan)
def delta(
    planned: Plan,
    epsilon: ExactInput,
    *,
    width: ExactInput = "1/1000",
    time_limit: ExactInput | None = None,
    progress: Progress | None = None,
) -> Bounds:
    """Return bounds on the least delta for which the plan is (`epsilon`, delta) private.

    Args:
        epsilon: an exact number >= 0, in nats.
        width: as in `epsilon`.
        time_limit: as in `epsilon`.
        progress: as in `epsilon`.

    Returns:
        Certified bounds within [0, 1], rounded outward; they belong to different quantities where those of `epsilon`
        do.

    Raises:
        InputError: for a negative epsilon, and as `epsilon`.
    """
    target = nonnegative(epsilon, name="epsilon", meaning="a privacy loss")
    return replace(_delta(planned, target, Question.of(width, time_limit, progress)), assuming=planned.assuming)


def _delta(planned: Plan, target: Fraction, question: Question) -> Bounds:
    """Return bounds on delta at an epsilon, as `_epsilon`."""
    releases = planned.of_group
    if releases is None:
        return _group_delta(planned, target, question)
    only = _relative_only(releases)
    if only is not None:
        return composed_delta(only, target)
    return model_delta(_model(releases, planned.adjacency), target, question)


@takes(planned=Plan)
def spent(
    planned: Plan,
    *,
    width: ExactInput = "1/1000",
    time_limit: ExactInput | None = None,
    progress: Progress | None = None,
    lines: bool = True,
) -> Spent:
    """Return the account that the plan asks for, at its `delta` or `epsilon`.

    Args:
        planned: the plan; without a question it is delta at epsilon 0.
        width: of every account.
        time_limit: of every account, in seconds.
        progress: told of the total only.
        lines: whether to account each line alone too.

    Returns:
        The account. `within` is True only where the upper end is within the budget, and False only where the lower one
        is beyond it; an interval that holds the budget decides nothing, and a finer `width` may.
    """
    question = Question.of(width, time_limit, progress)
    quietly = replace(question, progress=None)
    total = _asked(planned, question)
    costs = []
    for line in planned.lines if lines else ():
        alone = Plan((line,), planned.adjacency, planned.group, planned.delta, planned.epsilon)
        costs.append(Cost(line.name, total if len(planned.lines) == 1 else _asked(alone, quietly)))
    if planned.budget is None:
        return Spent(total, tuple(costs), None, None)
    within = True if Fraction(total.upper) <= planned.budget else None
    within = False if Fraction(total.lower) > planned.budget else within
    # What is left must not be overstated, and what is missing not either: each from the end that makes it certain.
    end = total.upper if within is not False else total.lower
    left = None if within is None else _difference(planned.budget, end, up=within is False)
    return Spent(total, tuple(costs), left, within)


def _asked(planned: Plan, question: Question) -> Bounds:
    """Return bounds on what the plan asks for: epsilon at its `delta`, or delta at its `epsilon`, 0 without either."""
    if planned.delta is not None:
        found = _epsilon(planned, planned.delta, question)
    else:
        found = _delta(planned, planned.epsilon or Fraction(0), question)
    return replace(found, assuming=planned.assuming)


def _difference(budget: Fraction, end: float, *, up: bool) -> float:
    """Return what is left of a budget, rounded to the stated side."""
    found = budget - Fraction(end)
    return round_up(found) if up else round_down(found)


# ------------------------------------------------------------------------------------------------------------ models


def _relative_only(releases: Sequence[PlannedRelease]) -> list[tuple[Release, int]] | None:
    """Return the releases of a plan of the relative Gaussian mechanism alone, with their numbers; None for other
    plans.
    """
    found = [(r.release, r.count) for r in releases if isinstance(r, RelativeGaussian)]
    return found if len(found) == len(releases) else None


def _model(releases: Sequence[PlannedRelease], adjacency: str) -> Model:
    """Return the plan as units of one composition, with closed forms where there are some."""
    units = _units(releases, adjacency)
    # All units but samples have one curve for both directions, so that these alone ask for a second one.
    asked = [unit.directions for unit in units if unit.directions is not None]
    directions = max(asked, key=len, default=(True,))
    most = _largest_loss(units)
    # A closed form of a unit is one of the plan only if nothing else is in it.
    alone = units[0] if len(units) == 1 else None
    return Model(
        units,
        directions,
        directions[0] and (len(directions) == 1 or any(unit.run and not unit.matched for unit in units)),
        # Neighbours of one order alone have the curve of the other only if each pair may be turned around.
        adjacency not in (ADD, REMOVE) or all(unit.turns for unit in units),
        all(unit.matched for unit in units),
        lambda at: _beyond(most, at) or (alone.closed_delta(at) if alone else None),
        lambda at: (alone.closed_epsilon(at) if alone else None) if at else _at_largest(units),
        _kept(releases),
    )


def _units(releases: Sequence[PlannedRelease], adjacency: str) -> list[PlannedUnit]:
    """Return the units of a plan, with those as one that are one pair, or are bounded together."""
    found: list[PlannedUnit] = []
    for release in _merged(releases):
        for unit in release.units(adjacency):
            for place, other in enumerate(found):
                both = other.joined(unit)
                if both is not None:
                    found[place] = both
                    break
            else:
                found.append(unit)
    return found


@takes(planned=Plan)
def model_of_plan(planned: Plan) -> Model | None:
    """Return the plan as one composition, for its curves; None for a group whose distance a release does not know."""
    releases = planned.of_group
    return None if releases is None else _model(releases, planned.adjacency)


@takes(planned=Plan)
def largest_loss(planned: Plan) -> Fraction | None:
    """Return an upper bound of the privacy loss of all releases together, in nats; None where a loss has no bound.

    Exact for Laplace and discrete Laplace noise and for randomised response with a given loss. At this epsilon delta is
    0. None as well for groups of which a release does not know how far apart they are.
    """
    releases = planned.of_group
    if releases is None or any(release.failing for release in releases):
        return None
    return _largest_loss(_units(releases, planned.adjacency))


def _largest_loss(units: Sequence[PlannedUnit]) -> Fraction | None:
    """Return a bound of all losses together, where they have one."""
    known = [unit.largest for unit in units if unit.largest is not None]
    # One unit without a bound makes the sum unbounded: a partial sum would be no bound at all.
    return sum(known, Fraction(0)) if len(known) == len(units) > 0 else None


def _merged(releases: Sequence[PlannedRelease]) -> list[PlannedRelease]:
    """Return what releases are accounted as, with equal ones as one; the order of the releases does not matter."""
    # Each unit costs a transform, whatever its number: merging saves time and changes no law.
    found: dict[object, PlannedRelease] = {}
    for part in (part for release in releases for part in release.accounted):
        key = part.with_count(1)
        known = found.get(key)
        found[key] = part if known is None else part.with_count(known.count + part.count)
    return list(found.values())


def _kept(releases: Sequence[PlannedRelease]) -> tuple[Fraction, Fraction]:
    """Return both ends of the probability that no release shows the record for certain."""
    low = high = Fraction(1)
    for release in releases:
        if release.failing:
            low *= _power_ends(1 - release.failing, release.count)[0]
            high *= _power_ends(1 - release.failing_below, release.count)[1]
    return low, high


def _power_ends(base: Fraction, count: int) -> tuple[Fraction, Fraction]:
    """Return both ends of a power of a number below 1: one number where it has few digits."""
    if count * base.denominator.bit_length() <= _EXACT_BITS:
        return base**count, base**count
    with precision(_POWER_BITS):
        power = (ball(base).log() * count).exp()
        low, high = rational_ends(power)
    return max(low or Fraction(0), Fraction(0)), min(high if high is not None else Fraction(1), Fraction(1))


def _at_largest(units: Sequence[PlannedUnit]) -> Bounds | None:
    """Return the least epsilon at which delta is 0; None where losses have no end.

    The largest loss is an outcome of its own. One that is a logarithm is only known from above.
    """
    most = _largest_loss(units)
    if most is None:
        return None
    rounded = any(unit.largest_below != unit.largest for unit in units)
    return Bounds(0.0 if rounded else round_down(most), round_up(most), _LARGEST, _LARGEST)


def _beyond(most: Fraction | None, at: Fraction) -> Bounds | None:
    """Return that delta is 0 where no loss is above epsilon."""
    return Bounds(0.0, 0.0, _LARGEST, _LARGEST) if most is not None and at >= most else None


# ------------------------------------------------------------------------------------------------------------- groups


def _single(planned: Plan) -> Plan:
    """Return the plan for neighbours that differ in one record."""
    # The budget is of the group, and no business of one record.
    return Plan(planned.lines, planned.adjacency, 1, planned.delta, planned.epsilon)


def _simple_of_group(planned: Plan) -> list[Simple]:
    """Return what holds for a group without a grid; nothing for a release that does not know how far apart it is."""
    found = []
    for release in planned.releases:
        of_group = release.group(planned.group)
        if of_group is not None:
            found += [unit.simple for unit in _units([of_group], planned.adjacency)]
        else:
            found.append(release.simple_of_group(planned.group))
    return found


def _chain_above(epsilon: Fraction, size: int) -> Fraction:
    """Return a rational at least `1 + e^epsilon + ... + e^((size-1) epsilon)`."""
    # Term by term: the closed form divides by `e^epsilon - 1`, which is 0 at epsilon 0 and cancels near it.
    return sum((Fraction(exponential_ends(k * epsilon)[1]) for k in range(size)), Fraction(0))


def _group_delta(planned: Plan, at: Fraction, question: Question) -> Bounds:
    """Return bounds for a group by the chain: `k` steps of `(e, d)` are one of `(k e, d (1 + ... + e^((k-1) e)))`."""
    single, share = _single(planned), at / planned.group
    lower, simple = _delta(single, at, question), simple_delta(_simple_of_group(planned), at)
    upper = 1.0
    # Beyond this the exponential leaves the floats, and with it any bound below 1.
    if at <= 700:
        one = _delta(single, share, question)
        upper = min(1.0, round_up(Fraction(one.upper) * _chain_above(share, planned.group)))
    return narrowed(Bounds(lower.lower, upper, _NO_PAIR, _GROUP), simple)


def _group_epsilon(planned: Plan, at: Fraction, question: Question) -> Bounds:
    """Return bounds for a group: an epsilon of one record whose delta leaves room for the chain, times the size."""
    single, size = _single(planned), planned.group
    lower, simple = _epsilon(single, at, question), simple_epsilon(_simple_of_group(planned), at)
    quietly = replace(question, progress=None)
    guess = Fraction(lower.upper) if math.isfinite(lower.upper) else None
    for _ in range(_ROUNDS):
        if guess is None or guess * size > 700:
            break
        needed = at / _chain_above(guess, size)
        # So much, at least, is what may show the record of one.
        if needed < max(Fraction(1, 10**250), 1 - _kept(single.releases)[0]):
            break
        found = _epsilon(single, needed, quietly)
        # Then the guess itself is enough: one record at it has a delta that leaves room for the whole chain.
        if Fraction(found.upper) <= guess:
            return narrowed(Bounds(lower.lower, round_up(guess * size), _NO_PAIR, _GROUP), simple)
        guess = Fraction(found.upper * _CLIMB) if math.isfinite(found.upper) else None
    return narrowed(Bounds(lower.lower, math.inf, _NO_PAIR, _GROUP), simple)
