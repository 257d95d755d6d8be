"""Vectors with noise on every coordinate: no change within both norms costs more than the account, and one as much."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rgm_verify import Accountant
from rgm_verify.accounting.plans.account import delta, epsilon
from rgm_verify.accounting.plans.inverse import least_noise
from rgm_verify.accounting.plans.plan import plan
from rgm_verify.accounting.plans.releases import release_of
from rgm_verify.errors import InputError

NEIGHBOURS = "add-or-remove-one"
ROUNDING = mpmath.mpf(10) ** -12


def of(kind, **fields):
    return plan([release_of(kind, fields)], adjacency=NEIGHBOURS)


def changes(total, most, coordinates=6):
    """All ways to change up to so many coordinates, each by at most `most`, the larger first."""
    if total == 0:
        yield ()
    elif coordinates:
        for one in range(min(total, most), 0, -1):
            for rest in changes(total - one, one, coordinates - 1):
                yield (one, *rest)


def by_enumeration(scale, change, level):
    """Delta of discrete noise on a vector: the sum over all outputs between both answers, at 40 digits."""
    with mpmath.workdps(40):
        a = mpmath.exp(-1 / (mpmath.mpf(scale.numerator) / scale.denominator))
        # By the sum of what each coordinate moves towards the neighbour, with its mass.
        masses = {0: mpmath.mpf(1)}
        for one in change:
            moved = [1 / (1 + a), *((1 - a) / (1 + a) * a**k for k in range(1, one)), a**one / (1 + a)]
            masses = {
                s: mpmath.fsum(masses[s - k] * moved[k] for k in range(one + 1) if s - k in masses)
                for s in range(max(masses) + one + 1)
            }
        x = mpmath.exp(mpmath.mpf(level.numerator) / level.denominator)
        return mpmath.fsum(p * max(0, 1 - x * a ** (sum(change) - 2 * s)) for s, p in masses.items())


@settings(max_examples=25, deadline=None)
@given(
    st.fractions(Fraction(1, 2), 8, max_denominator=6),
    st.integers(1, 7),
    st.integers(1, 4),
    st.integers(0, 19).map(lambda k: Fraction(k, 20)),
)
def test_of_all_changes_of_a_whole_vector_the_account_is_the_largest(scale, total, most, share):
    most = min(most, total)
    level = share * total / scale
    found = delta(
        of("discrete-laplace-vector", scale=scale, l1_sensitivity=total, linf_sensitivity=most), level, width="1/100"
    )
    known = [by_enumeration(scale, change, level) for change in changes(total, most, coordinates=7)]
    assert max(known) * (1 - ROUNDING) <= found.upper
    assert found.lower <= max(known) * (1 + ROUNDING)
    # Near the largest loss delta is tiny; elsewhere both ends are near it.
    assert found.upper - found.lower <= 0.01 * found.upper + 1e-12


@settings(max_examples=25, deadline=None)
@given(
    st.fractions(Fraction(1, 2), 20, max_denominator=6),
    st.fractions(Fraction(1, 2), 1, max_denominator=12),
    st.integers(0, 19).map(lambda k: Fraction(k, 20)),
)
def test_two_coordinates_have_their_closed_form(scale, most, share):
    """`1 - e^((epsilon - s)/2) (1 + m/2)`, where m is the least of the rest and of half of what is above the level."""
    level, rest = share / scale, 1 - most
    found = delta(of("laplace-vector", scale=scale, linf_sensitivity=most), level, width="1/1000")
    half = float(min(rest / scale, (1 / scale - level) / 2)) / 2
    known = 1 - mpmath.exp(float(level - 1 / scale) / 2) * (1 + half)
    assert known * (1 - ROUNDING) - ROUNDING <= found.upper
    assert found.lower <= known * (1 + ROUNDING) + ROUNDING
    assert found.upper - found.lower <= 0.01 * found.upper + 1e-9


@pytest.mark.parametrize("discrete", [False, True])
def test_without_a_bound_for_a_coordinate_it_costs_what_one_number_costs(discrete):
    if discrete:
        vector = of("discrete-laplace-vector", scale=9, l1_sensitivity=3, count=4)
        number = of("discrete-laplace", scale=9, sensitivity=3, count=4)
    else:
        vector, number = of("laplace-vector", scale=9, l1_sensitivity=3, count=4), of("laplace", scale=3, count=4)
    assert epsilon(vector, "1e-6") == epsilon(number, "1e-6")


@pytest.mark.parametrize(("most", "others"), [("1/2", "1"), ("1/3", "1/2"), ("1/10", "1/3"), ("1/100", "1/10")])
def test_a_smaller_bound_for_a_coordinate_never_costs_more(most, others):
    def cost(bound):
        return epsilon(of("laplace-vector", scale=4, linf_sensitivity=bound, count=10), "1e-6")

    assert cost(most).upper < cost(others).lower


def test_pure_privacy_is_the_sum_over_the_scale_however_it_is_spread():
    for bound in ({}, {"linf_sensitivity": "1/7"}, {"linf_sensitivity": "2/3"}):
        found = epsilon(of("laplace-vector", scale=7, l1_sensitivity=2, count=3, **bound), 0)
        assert Fraction(found.lower) <= Fraction(6, 7) <= Fraction(found.upper)
        assert found.relative_width < 1e-15


@pytest.mark.parametrize("kind", ["laplace-vector", "discrete-laplace-vector"])
def test_a_group_changes_each_coordinate_so_many_times(kind):
    one = release_of(kind, {"scale": 9, "l1_sensitivity": 5, "linf_sensitivity": 2})
    three = release_of(kind, {"scale": 9, "l1_sensitivity": 15, "linf_sensitivity": 6})
    assert epsilon(plan([one], adjacency=NEIGHBOURS, group=3), "1e-4") == replaced(
        epsilon(plan([three], adjacency=NEIGHBOURS), "1e-4"), "groups of 3"
    )


def replaced(bounds, group):
    from dataclasses import replace

    return replace(bounds, assuming=f"{bounds.assuming}, {group}")


def test_a_rest_that_is_tiny_costs_next_to_nothing_at_either_end():
    """A millionth beside three whole changes: left out from below, and no more than its largest loss from above."""
    found = epsilon(of("laplace-vector", scale=1, l1_sensitivity=1, linf_sensitivity="0.333333", count=1), "1e-6")
    three = epsilon(of("laplace", scale="3.000003", count=3), "1e-6")
    assert three.lower <= found.upper <= 1
    assert found.lower >= three.upper * (1 - 1e-3)


def test_the_least_scale_of_a_vector_is_next_to_one_that_fails():
    fields = {"scale": 1, "l1_sensitivity": 4, "linf_sensitivity": 1, "count": 10}
    found = least_noise(release_of("laplace-vector", fields), 1, "1e-6")
    assert found.reached.upper <= 1
    assert found.fails is not None
    assert found.value * Fraction(99, 100) < found.fails < found.value
    # Pure privacy needs 40, and the same 1-norm in one coordinate more than this.
    alone = least_noise(release_of("laplace-vector", {**fields, "linf_sensitivity": 4}), 1, "1e-6")
    assert found.value < alone.fails < alone.value <= 40


def test_events_and_back_have_the_same_account():
    dp = pytest.importorskip("dp_accounting")
    accountant = Accountant(neighbours=NEIGHBOURS)
    accountant.add("laplace-vector", scale=8, l1_sensitivity=3, linf_sensitivity=2, count=2)
    accountant.add("discrete-laplace-vector", scale=8, l1_sensitivity=3)
    again = Accountant(neighbours=NEIGHBOURS)
    again.add_event(accountant.to_dp_event())
    assert isinstance(accountant.to_dp_event(), dp.ComposedDpEvent)
    here, there = accountant.epsilon("1e-6"), again.epsilon("1e-6")
    assert here.lower <= there.upper
    assert there.lower <= here.upper


@pytest.mark.parametrize(
    ("kind", "fields", "said"),
    [
        ("laplace-vector", {}, "scale: missing; scale of the noise"),
        ("laplace-vector", {"scale": 1, "l1_sensitivity": 0}, "l1_sensitivity=0: the sensitivity in the 1-norm must"),
        ("laplace-vector", {"scale": 1, "l1_sensitivity": 101}, "scale=1: must be at least a hundredth"),
        (
            "laplace-vector",
            {"scale": 1, "linf_sensitivity": 2},
            "linf_sensitivity=2: must be at most that in the 1-norm",
        ),
        (
            "laplace-vector",
            {"scale": 1, "linf_sensitivity": "1e-7"},
            "linf_sensitivity='1e-7': must be at least a mill",
        ),
        ("laplace-vector", {"scale": 1, "sensitivity": 2}, "sensitivity: no field of laplace-vector; there are scale"),
        ("discrete-laplace-vector", {"scale": 1, "l1_sensitivity": "3/2"}, "l1_sensitivity='3/2': the sensitivity"),
        (
            "discrete-laplace-vector",
            {"scale": 1, "l1_sensitivity": 10**6},
            "l1_sensitivity=1000000: must lie between 1",
        ),
    ],
)
def test_bad_fields_of_a_vector_are_named(kind, fields, said):
    with pytest.raises(InputError) as error:
        release_of(kind, fields)
    assert str(error.value).startswith(said)
