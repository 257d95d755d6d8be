"""The pictures of plans: certified bands of epsilon or delta, over the steps, and of the trade-off.

A band is filled between certified ends at each place and drawn straight between places: what is certified are the
places. Accounts for pictures are made as narrow as a drawn line is thick, which is wider than for an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from rgm_verify.accounting.plans import curves
from rgm_verify.accounting.plans.account import delta as plan_delta
from rgm_verify.accounting.plans.account import epsilon as plan_epsilon
from rgm_verify.accounting.plans.plan import Line, Plan
from rgm_verify.accounting.subsampled.attacks import misses
from rgm_verify.errors import InputError, reject
from rgm_verify.numbers.bounds import Bounds
from rgm_verify.numbers.crossing import log, short_rational
from rgm_verify.pictures.curves import Curve, Picture, document

#: What a picture may run over.
OVER = ("steps", "curve", "trade-off")
_POINTS = 13
_WIDTH = Fraction(1, 100)  # as thick as a line that is drawn
_SIGNIFICANT = 3
_LEAST_DELTA, _LARGEST_DELTA = Fraction(1, 10**12), Fraction(1, 10)
_WIDTH_OF_RATES = Fraction(1, 50)  # the truth is a curve: a band needs more time than one number
_RATES = tuple(Fraction(k, 1000) for k in (1, 10, 50, 100, 200, 300, 400, 500, 650, 800, 950))
_CERTIFIED = "certified interval"


def plan_picture(planned: Plan, over: str, inputs: Mapping[str, str]) -> Picture:
    """Return the picture of a plan as SVG.

    Args:
        planned: the plan; it asks for epsilon at a delta, or for delta at an epsilon.
        over: "steps" for growth with the releases in their order, "curve" for epsilon against delta, "trade-off" for
            the errors of an attacker.
        inputs: exact texts for the line below the heading.

    Raises:
        InputError: for another `over`, where the plan asks for nothing, and where there is nothing to draw.
    """
    if over not in OVER:
        raise reject("over", over, f"allowed are {', '.join(OVER)}")
    if over != "trade-off" and planned.delta is None and planned.epsilon is None:
        raise InputError(f"delta, epsilon: a picture over {over!r} needs one of them")
    notes = [", ".join(f"{name} = {value}" for name, value in inputs.items() if name not in _across(over, planned))]
    asked = "ε" if planned.delta is not None else "δ"
    if over == "trade-off":
        # One computation for all rates: they share the composed loss.
        found = map(misses, curves.true_positive_rates(planned, _RATES, width=_WIDTH_OF_RATES))
        missed = [_point(rate, bounds) for rate, bounds in zip(_RATES, found, strict=True)]
        # What somebody reaches who looks at nothing: the gap to it is what the mechanism gives away.
        guesses = [(float(rate), float(1 - rate), float(1 - rate)) for rate in _RATES]
        return document(
            [Curve(f"least rate of misses, {_CERTIFIED}", missed), Curve("a coin that does not look", guesses)],
            x="rate of false alarms",
            y="rate of misses",
            title="Trade-off of an attacker who tells neighbours apart",
            notes=notes,
        )
    # In the order of the file: what is spent at any time depends on which releases came first.
    if over == "steps":
        counts = _counts(sum(release.count for release in planned.releases))
        curve = Curve(_CERTIFIED, [_point(count, _asked(first(planned, count))) for count in counts])
        return document(
            [curve], x="releases", y=asked, title=f"{asked} after so many releases", notes=notes, log_x=True
        )
    if planned.delta is not None:
        places = _deltas(planned.delta)
        curve = Curve(_CERTIFIED, [_point(place, _asked(replace(planned, delta=place))) for place in places])
        return document([curve], x="δ", y="ε", title="ε against δ", notes=notes, log_x=True)
    places = _epsilons(planned.epsilon or Fraction(1))
    curve = Curve(_CERTIFIED, [_point(place, _asked(replace(planned, epsilon=place))) for place in places])
    return document([curve], x="ε", y="δ", title="δ against ε", notes=notes, log_y=True)


def first(planned: Plan, count: int) -> Plan:
    """Return the plan with its first `count` releases, in the order of its lines; `1 <= count <=` all of them.

    Neighbours, group and what is asked for stay: the cost so far is that of a shorter plan.
    """
    lines: list[Line] = []
    for line in planned.lines:
        taken = min(count, line.release.count)
        # Lines follow each other in time, and none after the last one that counts has begun.
        if taken == 0:
            break
        lines.append(replace(line, release=line.release.first(taken)))
        count -= taken
    return replace(planned, lines=tuple(lines))


def _asked(planned: Plan) -> Bounds:
    """Return what the plan asks for, as narrow as it is drawn: a hundredth of its value."""
    if planned.delta is not None:
        return plan_epsilon(planned, planned.delta, width=_WIDTH)
    return plan_delta(planned, planned.epsilon or 0, width=_WIDTH)


def _point(place: Fraction | int, bounds: Bounds) -> tuple[float, float, float]:
    """Return a point of a band; floats are enough for drawing."""
    return float(place), bounds.lower, bounds.upper


def _across(over: str, planned: Plan) -> Sequence[str]:
    """Return the inputs that run along an axis, or are no part of what is drawn."""
    moved = {"trade-off": ("delta", "epsilon"), "steps": ()}.get(
        over, ("delta",) if planned.delta is not None else ("epsilon",)
    )
    return (*moved, "width", "time_limit")


def _counts(most: int) -> list[int]:
    """Return numbers of releases from 1 to all of them, about in equal factors.

    Examples:
        >>> _counts(4)
        [1, 2, 3, 4]
    """
    # Both ends always, whatever rounding does to the places between.
    return sorted({round(most ** (k / (_POINTS - 1))) for k in range(_POINTS)} | {1, most})


def _deltas(delta: Fraction) -> list[Fraction]:
    """Return short decimals around a delta in equal factors, and the delta itself."""
    # An axis in factors has no 0: below the least one here the curve is flat.
    delta = delta or Fraction(1, 10**12)
    low, high = min(delta, max(delta / 1000, _LEAST_DELTA)), max(delta, min(delta * 1000, _LARGEST_DELTA))
    first_log, last_log = log(low), log(high)
    places = {
        short_rational(first_log + (last_log - first_log) * k / (_POINTS - 1), _SIGNIFICANT) for k in range(_POINTS)
    }
    # The one that was asked for, to the last digit: it is what a reader looks for.
    return sorted(places | {delta})


def _epsilons(epsilon: Fraction) -> list[Fraction]:
    """Return epsilons from 0 to twice the one that was asked for."""
    high = 2 * epsilon or Fraction(1)
    return [high * k / (_POINTS - 1) for k in range(_POINTS)]
