"""What is asserted of the accounts of random plans: they allow what the oracle finds."""

from __future__ import annotations

import math
from fractions import Fraction

from rgm_verify.accounting.plans.account import delta, epsilon, model_of_plan
from rgm_verify.accounting.subsampled.account import curves_of
from rgm_verify.numbers.bounds import Bounds

from .draws import drawn
from .oracle import delta_of

ASKED = 2  # levels of the curves at which the oracle is asked too


def agrees(case, level, found):
    """Whether bounds of delta at a level allow what the oracle knows; None where it knows nothing."""
    known = delta_of(case.lines, float(level))
    if known is None:
        return None
    value, error = known
    # A level that is no float moves delta by at most its rounding.
    error += value * 1e-12 + 1e-300
    assert found.upper >= value - error, (level, found, known)
    # Of pairs that need not be the worst, the largest delta is still above the account's lower end where it is theirs.
    if case.below:
        assert found.lower <= value + error, (level, found, known)
    return error < max(value, 1e-13) / 10


def answers_agree(numbers):
    """Look at the answers and the curves of the plans of some numbers."""
    judged = 0
    for number in numbers:
        case = drawn(number)
        target = case.plan.delta
        answer = epsilon(case.plan, target, width=case.width)
        assert 0 <= answer.lower <= answer.upper, number
        assert math.isfinite(answer.upper), (number, answer)
        size = Fraction(answer.upper)
        told = []
        if answer.upper > 0:
            told.append(agrees(case, size, Bounds(0.0, float(target) * (1 + 1e-15), "", "")))
        if answer.lower > 0:
            told.append(agrees(case, Fraction(answer.lower), Bounds(float(target) * (1 - 1e-15), 1.0, "", "")))
        # Far in the tail an account refines for long: near the epsilon of the plan's own delta, and roughly.
        level = size * max(Fraction(1, 2), min(case.shares[0], Fraction(11, 10)))
        found = delta(case.plan, level, width=1)
        assert 0 <= found.lower <= found.upper <= 1, number
        if level > 0:
            told.append(agrees(case, level, found))
        model = model_of_plan(case.plan)
        if model is not None:
            told += curves_agree(case, model, size)
        judged += any(told)
    # An oracle that is silent tests nothing.
    assert judged >= len(numbers) * 0.6, judged


def curves_agree(case, model, size):
    """Look at both curves at random levels, far from where they are tight among them."""
    try:
        found = curves_of(model, float(case.width), log_delta=math.log(case.plan.delta))
    except ArithmeticError:  # a grid that would be too large
        return []
    told = []
    for level in (share * size for share in case.shares):
        lower, upper = found.delta_below(level), found.delta_above(level)
        assert 0 <= lower <= upper <= 1, (level, lower, upper)
        assert upper >= -math.expm1(min(0.0, float(level))) * (1 - 1e-12), level
        if level > 0 and len(told) < ASKED:
            told.append(agrees(case, level, Bounds(lower, upper, "", "")))
    return told
