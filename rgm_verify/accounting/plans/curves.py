"""Whole curves of a plan: delta at many epsilons, and an attacker's true positives at many rates of false alarms.

Curves that are computed for one point are bounds at all others, and are asked first: a finer one is only made where
they are too wide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from rgm_verify.accounting.plans.account import delta, model_of_plan
from rgm_verify.accounting.plans.plan import Plan
from rgm_verify.accounting.subsampled import attacks
from rgm_verify.accounting.subsampled.account import Curves, Question, curves_of
from rgm_verify.accounting.subsampled.units import Model
from rgm_verify.errors import InputError, takes
from rgm_verify.numbers.bounds import Bounds
from rgm_verify.numbers.exact import ExactInput, nonnegative

__all__ = ["deltas", "true_positive_rates"]

_ABOVE = "PLD on a grid of losses (connect the dots), rounding bounded"
_BELOW = "an attack on a grid of losses, rounding bounded"
_AIM = 0.5
_ATTEMPTS = 2  # the second one knows the law of the losses, and takes wider floats where the first one needed them


@takes(planned=Plan)
def deltas(planned: Plan, epsilons: Sequence[ExactInput], *, width: ExactInput = "1/1000") -> list[Bounds]:
    """Return bounds on delta at each epsilon: the curve of a plan, shape (n,).

    Args:
        planned: the plan; what it asks is not looked at.
        epsilons: exact numbers >= 0, in nats, in any order.
        width: the relative width to reach at each point; far out in the tail two grids may not reach it, where
            `account.delta` goes on.

    Raises:
        InputError: as `account.delta`, with the place in the list.
    """
    levels = [nonnegative(value, name=f"epsilons[{n}]", meaning="a privacy loss") for n, value in enumerate(epsilons)]
    share = Question.of(width, None).width
    model = model_of_plan(planned)
    known: list[Curves] = []
    found = []
    for level in levels:
        point = None
        if model is not None and model.matched and model.closed_delta(level) is None:
            point = _on_grids(model, known, level, share)
        # Other kinds of accounts, and what no grid could say.
        if point is None or point.lower == 0:
            point = delta(planned, level, width=share)
        found.append(replace(point, assuming=planned.assuming))
    return found


def _on_grids(model: Model, known: list[Curves], level: Fraction, share: Fraction) -> Bounds | None:
    """Return what curves say of an epsilon, with new ones where those that are known are too wide; None for nothing."""
    point, own = _shared(known, level), None
    for _ in range(_ATTEMPTS):
        if point.relative_width <= share:
            break
        try:
            own = curves_of(model, _AIM * float(share), guess=float(level), known=own, of_epsilon=False)
        except ArithmeticError:  # a grid that would be too large
            return None
        known.append(own)
        point = _shared(known, level)
    return point


def _shared(known: Sequence[Curves], level: Fraction) -> Bounds:
    """Return what all curves so far say of an epsilon."""
    upper = min((curves.delta_above(level) for curves in known), default=1.0)
    return Bounds(max((curves.delta_below(level) for curves in known), default=0.0), upper, _BELOW, _ABOVE)


@takes(planned=Plan)
def true_positive_rates(planned: Plan, rates: Sequence[ExactInput], *, width: ExactInput = "1/1000") -> list[Bounds]:
    """Return bounds on an attacker's true positives at each rate of false alarms, as `attacks.true_positive_rates`.

    Raises:
        InputError: as there, and for a group whose distance a release does not know.
    """
    model = model_of_plan(planned)
    if model is None:
        raise InputError(f"group={planned.group}: the trade-off is known where every line knows how far apart they are")
    found = attacks.true_positive_rates(model, rates, width=width)
    return [replace(point, assuming=planned.assuming) for point in found]
