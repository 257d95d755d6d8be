"""The certified epsilon: two certain signs around one number, for a pair in exact numbers."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rgm_verify.balls.enclose import Enclosure
from rgm_verify.errors import InputError
from rgm_verify.gaussians import enclosures
from rgm_verify.gaussians.certified import epsilon as room
from rgm_verify.gaussians.certified.epsilon import epsilon_enclosure
from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_by_contour, hockey_stick_by_series
from rgm_verify.gaussians.pair import GaussianPair

F = Fraction
ZERO = Enclosure(F(0), F(0))

shifts = st.one_of(
    st.just(F(0)), st.fractions(min_value=F(1, 100), max_value=30, max_denominator=100), st.just(F(10) ** 8)
)
excesses = st.one_of(
    st.just(F(0)),
    st.fractions(min_value=F(1, 50), max_value=50, max_denominator=100),
    st.fractions(min_value=F(-999, 1000), max_value=F(-1, 50), max_denominator=1000),
)
dimensions = st.one_of(st.integers(1, 12), st.sampled_from([1000, 10**6]))
deltas = st.one_of(
    st.integers(1, 300).map(lambda k: F(1, 10**k)), st.fractions(min_value=F(1, 100), max_value=F(9, 10))
)


@settings(max_examples=40)
@given(delta=deltas, shift=shifts, excess=excesses, dimension=dimensions, digits=st.sampled_from([8, 12, 20]))
def test_delta_is_met_above_and_missed_below(delta, shift, excess, dimension, digits):
    found = epsilon_enclosure(delta, shift, excess, dimension, digits=digits)
    above = hockey_stick_by_contour(found.upper, shift, excess, dimension, digits=2 * digits + 15)
    assert above.lower <= delta
    if found == ZERO:
        return
    assert found.width() * 10**digits <= found.lower
    below = hockey_stick_by_contour(found.lower, shift, excess, dimension, digits=2 * digits + 15)
    assert below.upper >= delta


@settings(max_examples=15)
@given(delta=deltas, excess=excesses, dimension=st.integers(1, 12))
def test_the_series_confirms_both_signs(delta, excess, dimension):
    assume(excess != 0)
    found = epsilon_enclosure(delta, F(1), excess, dimension)
    assert hockey_stick_by_series(found.upper, F(1), excess, dimension, digits=40).upper <= delta
    if found != ZERO:
        assert hockey_stick_by_series(found.lower, F(1), excess, dimension, digits=40).lower > delta


@settings(max_examples=25)
@given(shift=shifts, excess=excesses, dimension=dimensions, k=st.integers(1, 200))
def test_epsilon_is_nonincreasing_in_delta(shift, excess, dimension, k):
    larger, smaller = (epsilon_enclosure(F(1, 10**n), shift, excess, dimension) for n in (k, k + 1))
    assert larger.lower <= smaller.upper


def test_a_delta_met_at_zero_needs_no_epsilon():
    assert epsilon_enclosure(F(1, 2), F(1), F(0), 1) == ZERO
    assert epsilon_enclosure(F(1), F(100), F(1), 5) == ZERO
    assert epsilon_enclosure(F(1, 10**9), F(0), F(0), 5) == ZERO


def test_a_delta_a_little_below_what_holds_at_zero_has_a_small_epsilon():
    at_zero = hockey_stick_by_contour(F(0), F(1), F(1, 10), 3, digits=60)
    found = epsilon_enclosure(at_zero.lower - F(1, 10**20), F(1), F(1, 10), 3)
    assert 0 < found.lower <= found.upper < F(1, 10**18)
    assert epsilon_enclosure(at_zero.upper + F(1, 10**25), F(1), F(1, 10), 3) == ZERO
    undecided = epsilon_enclosure(at_zero.upper, F(1), F(1, 10), 3)
    assert undecided.lower == 0
    assert undecided.upper < F(1, 10**30)


def test_the_end_of_the_range_of_the_loss_is_never_passed():
    # L <= D^2 / (2 |w|) - (d/2) log v, here 1 + log 4: no smaller delta takes a larger epsilon.
    found = epsilon_enclosure(F(1, 10**3000), F(1), F(-1, 2), 4)
    assert F(238629, 10**5) < found.lower <= found.upper < F(238630, 10**5)


def test_ten_thousand_releases_are_one_pair():
    pair = GaussianPair("1/400", "1/50", 25).repeated(10_000)
    found = enclosures.epsilon(pair, "1e-9", digits=12)
    assert found.width() * 10**12 <= found.lower
    assert enclosures.hockey_stick(pair, found.upper).upper <= F(1, 10**9)


def test_few_evaluations_are_needed(monkeypatch):
    count = []
    original = room.hockey_stick_enclosure
    monkeypatch.setattr(room, "hockey_stick_enclosure", lambda *a, **k: count.append(1) or original(*a, **k))
    step = room._step
    monkeypatch.setattr(room, "_step", lambda *a: count.append(1) or step(*a))
    for delta in (F(1, 10), F(1, 10**5), F(1, 10**100)):
        for excess in (F(0), F(1, 10), F(-1, 10), F(50)):
            count.clear()
            epsilon_enclosure(delta, F(1), excess, 10)
            assert len(count) <= 10


def test_a_bad_guess_costs_time_but_not_truth(monkeypatch):
    good = epsilon_enclosure(F(1, 10**5), F(1), F(1, 10), 10)
    for factor in (F(0), F(1, 100), F(99, 100), F(101, 100), F(50)):
        monkeypatch.setattr(room, "_newton", lambda *a, factor=factor: good.lower * factor)
        found = epsilon_enclosure(F(1, 10**5), F(1), F(1, 10), 10)
        assert found.overlaps(good)
        assert found.width() * 10**12 <= found.lower


@pytest.mark.parametrize("delta", [F(0), F(-1, 2)])
def test_a_delta_that_is_not_positive_is_refused(delta):
    with pytest.raises(InputError, match="delta="):
        epsilon_enclosure(delta, F(1), F(1), 1)


# --------------------------------------------------------------------------------------------- public face

PAIR = GaussianPair(1, "1/10", 10)


def test_the_public_face_gives_what_the_balls_give():
    assert enclosures.hockey_stick(PAIR, 1, 15) == hockey_stick_by_contour(F(1), F(1), F(1, 10), 10, digits=15)
    assert enclosures.hockey_stick(PAIR, 0.5, floats="binary").overlaps(enclosures.hockey_stick(PAIR, "1/2"))
    assert enclosures.epsilon(PAIR, "1e-5", 12) == epsilon_enclosure(F(1, 10**5), F(1), F(1, 10), 10, digits=12)
    assert 0 < enclosures.loss_cdf(PAIR, 0).lower < enclosures.loss_cdf(PAIR, 0, under="Q").lower < 1


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: enclosures.hockey_stick(PAIR, 0.5), "epsilon="),
        (lambda: enclosures.hockey_stick(PAIR, "nan"), "epsilon="),
        (lambda: enclosures.hockey_stick(PAIR, 1, 0), "digits="),
        (lambda: enclosures.hockey_stick(PAIR, 1, 1001), "digits="),
        (lambda: enclosures.loss_cdf(PAIR, 1, under="R"), "under="),
        (lambda: enclosures.epsilon(PAIR, 0), "delta="),
        (lambda: enclosures.epsilon(PAIR, 1e-5), "delta="),
    ],
)
def test_the_public_face_refuses_what_is_not_allowed(call, named):
    with pytest.raises(InputError, match=named):
        call()
