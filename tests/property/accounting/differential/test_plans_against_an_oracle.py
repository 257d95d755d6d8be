"""Random plans of all kinds against an oracle that shares nothing with the account, and against their own certificates.

`nox -s differential -- --plans 5000 --first 200` asks for others; here are 200. Certificates are asked for a few of
them, as one takes seconds.
"""

from __future__ import annotations

import math
import os
import random
from fractions import Fraction

import pytest

from rgm_verify.accounting.certificates import planned_certificate
from rgm_verify.accounting.plans.account import delta, epsilon, model_of_plan
from rgm_verify.accounting.plans.plan import plan
from rgm_verify.accounting.plans.releases import release_of
from rgm_verify.accounting.subsampled.account import curves_of
from rgm_verify.errors import InputError
from rgm_verify.numbers.bounds import Bounds
from rgm_verify.recheck.certificate import parse
from rgm_verify.recheck.replay import replay

from .draws import VECTORS, Drawn, changed, drawn, extreme, split, vector
from .oracle import by_contour, by_sums, delta_of, discrete_gaussian

FIRST = int(os.environ.get("RGM_VERIFY_DIFFERENTIAL_FIRST", "0"))
PLANS = int(os.environ.get("RGM_VERIFY_DIFFERENTIAL", "208"))
# Their grids have millions of points and take 10 to 90 seconds each: left to the session, which asks for all.
WHOLE = "RGM_VERIFY_DIFFERENTIAL" in os.environ
LONG = frozenset() if WHOLE else frozenset((31, 38, 47, 73, 89, 161, 178, 180, 191))
CHUNK = 20
CERTIFIED = 25 if WHOLE else 100  # one plan of so many
ASKED = 2  # levels of the curves at which the oracle is asked too
NEXT_TO = Fraction(1, 500)
BRIEF = "1/1000"  # seconds: one look at each release; what is asserted holds of any bounds
chunks = pytest.mark.parametrize("first", range(FIRST, FIRST + PLANS, CHUNK))


def numbers(first):
    return [number for number in range(first, min(first + CHUNK, FIRST + PLANS)) if number not in LONG]


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


@chunks
def test_answers_and_curves_of_random_plans_allow_what_the_oracle_finds(first):
    judged = 0
    for number in numbers(first):
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
    assert judged >= len(numbers(first)) * 0.6, judged


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


@pytest.mark.parametrize("first", range(FIRST, FIRST + PLANS // 4, CHUNK))
def test_a_release_at_the_ends_of_its_fields_has_bounds_in_order_or_is_bad_input(first):
    """Whatever a field may hold, no number overflows on the way, and no warning is shown."""
    answered = 0
    for number in range(first, first + CHUNK):
        kind, fields, adjacency, group, target = extreme(number)
        try:
            asked = plan([release_of(kind, fields)], adjacency=adjacency, group=group, delta=target)
            level = epsilon(asked, target, width=1, time_limit=BRIEF)
            found = delta(asked, Fraction(level.lower), width=1, time_limit=BRIEF)
        except InputError:
            continue
        assert 0 <= level.lower <= level.upper, number
        assert 0 <= found.lower <= found.upper <= 1, number
        # Below the least epsilon more than delta is lost.
        assert level.lower == 0 or found.upper >= target * Fraction(99, 100), number
        answered += 1
    assert answered


@pytest.mark.parametrize("first", range(FIRST, FIRST + PLANS // 4, CHUNK))
def test_no_change_of_a_random_vector_costs_more_than_its_account_says(first):
    """Other changes within both norms, each by the oracle, and the worst one, by which the lower end is measured."""
    judged = 0
    for number in range(first, first + CHUNK):
        r = random.Random(f"split {number}")
        kind, group = r.choice(VECTORS), r.choice((1, 1, 2))
        fields, worst = vector(r, kind, group)
        asked = plan([release_of(kind, fields)], adjacency="replace-one", group=group)
        share = Fraction(r.randint(1, 19), 20)
        level = share * Fraction(fields["l1_sensitivity"]) / fields["scale"] * fields["count"] * group
        found = delta(asked, level, width="1/10")
        judged += agrees(Drawn(asked, worst, True, True, (), Fraction(1, 10)), level, found) is not None
        for _ in range(3):
            parts = split(r, fields["l1_sensitivity"], fields.get("linf_sensitivity", fields["l1_sensitivity"]))
            agrees(Drawn(asked, changed(kind, fields, parts, group), False, False, (), Fraction(1)), level, found)
    assert judged >= CHUNK * 0.6


@pytest.mark.slow
def test_what_a_certificate_proves_beside_an_answer_does_not_contradict_it():
    """What is asked for is an interval next to each end: a false end would be on the wrong side of what is proved."""
    proved = 0
    for number in range(FIRST, FIRST + PLANS, CERTIFIED):
        case = drawn(number).plan
        answer = epsilon(case, case.delta)
        for end, share in ((answer.lower, 1 - NEXT_TO), (answer.upper, 1 + NEXT_TO)):
            near = float(Fraction(end) * share)
            try:
                data = planned_certificate(case, Bounds(near, near, "", ""))
            except InputError:  # no grid that may be replayed is fine enough, or the question is out of range
                continue
            assert replay(parse(data)).accepted, number
            assert Fraction(data["lower"]) <= Fraction(answer.upper), (number, answer, data)
            assert Fraction(data["upper"]) >= Fraction(answer.lower), (number, answer, data)
            proved += 1
    assert proved


@pytest.mark.parametrize("sigma", [0.7, 3, 13.3])
@pytest.mark.parametrize("count", [1, 3, 10])
def test_both_means_of_the_oracle_agree_within_their_errors(sigma, count):
    """On a lattice the transform comes back to its height, far beyond where it was small for long."""
    lines = [discrete_gaussian(sigma, 30, count)]
    for level in (0.3, 1.0, 1.6):
        epsilon = level * count * 450 / sigma**2
        exact, error = by_sums(lines, epsilon)
        found, lost = by_contour(lines, epsilon, True)
        assert abs(found - exact) <= error + lost


def test_the_oracle_notices_a_delta_that_is_wrong_by_a_hundredth():
    noticed = 0
    for number in range(20):
        case = drawn(number)
        level = Fraction(epsilon(case.plan, case.plan.delta, width="1/10").upper)
        known = delta_of(case.lines, float(level)) if level else None
        # Where the oracle knows delta to less than that, it cannot notice.
        if known is None or not known[0] > 1e-12 or known[1] > known[0] / 200:
            continue
        with pytest.raises(AssertionError):
            agrees(case, level, Bounds(0.0, known[0] * 0.99, "", ""))
        noticed += 1
    assert noticed >= 10


def test_a_plan_of_small_and_large_losses_has_an_account():
    """One Gaussian release, and ten whose losses are far smaller than the grid: the lower end must not exceed 1."""
    lines = [release_of("gaussian", {"noise_multiplier": 1}), release_of("laplace", {"scale": 200, "count": 10})]
    found = epsilon(plan(lines), "1e-5")
    assert 4.377 < found.lower <= found.upper < 4.379
