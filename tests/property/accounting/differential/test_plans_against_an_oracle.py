"""Random plans of all kinds against an oracle that shares nothing with the account.

Here are 40; `far` has 168 more, and certificates. `nox -s differential -- --plans 5000 --first 200` asks for others.
"""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from rgm_verify.accounting.plans.account import delta, epsilon
from rgm_verify.accounting.plans.plan import plan
from rgm_verify.accounting.plans.releases import release_of
from rgm_verify.errors import InputError
from rgm_verify.numbers.bounds import Bounds

from .comparison import agrees, answers_agree
from .draws import VECTORS, Drawn, changed, drawn, extreme, split, vector
from .oracle import by_contour, by_sums, delta_of, discrete_gaussian

PLANS, CHUNK = 40, 20
# Their grids have millions of points and take 5 to 90 seconds each: left to the session, which asks for all.
LONG = frozenset((5, 31, 38))
BRIEF = "1/1000"  # seconds: one look at each release; what is asserted holds of any bounds


@pytest.mark.parametrize("first", range(0, PLANS, CHUNK))
def test_answers_and_curves_of_random_plans_allow_what_the_oracle_finds(first):
    answers_agree([number for number in range(first, first + CHUNK) if number not in LONG])


@pytest.mark.parametrize("first", range(0, PLANS, CHUNK))
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


@pytest.mark.parametrize("first", range(0, PLANS, CHUNK))
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
