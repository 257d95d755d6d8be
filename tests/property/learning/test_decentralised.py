"""Decentralised descent: transcripts chain into views, and the ends enclose the exact losses of small walks."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rgm_verify.errors import InputError
from rgm_verify.learning.decentralised import DecentralisedSgd, network_loss, privacy
from rgm_verify.learning.decentralised.privacy import _confirmed, _some_return, renyi_upper

SETTINGS = {"steps": 6, "step_size": "1/2", "noise": 1, "lipschitz": 2, "smoothness": 1}
WALKS = [(3, 4), (4, 4), (3, 6)]
ORDERS = st.fractions("11/10", 12, max_denominator=20)
DISTANCES = st.fractions("1/20", 2, max_denominator=20)


def gradients(parties):
    return [lambda model, k=k: np.full(model.shape, (-1.0) ** k) for k in range(parties)]


def visits(path):
    """Return for each visit of party 1 how long it is until party 0 or 1 comes next; None where neither does."""
    for t, holder in enumerate(path[:-1]):
        if holder == 1:
            yield next((g for g, later in enumerate(path[t + 1 :], 1) if later < 2), None)


@given(st.integers(2, 6), st.integers(0, 2**32))
def test_messages_chain_and_views_make_up_the_transcript(parties, seed):
    run = DecentralisedSgd(**SETTINGS).run(gradients(parties), [0.0, 1.0], np.random.default_rng(seed))
    messages = run.messages()
    assert [m.step for m in messages] == list(range(1, 7))
    assert all(a.receiver == b.sender for a, b in itertools.pairwise(messages))
    seen = {m.step: m for k in range(parties) for m in run.view(k)}
    assert sorted(seen) == list(range(1, 7))
    for k in range(parties):
        assert {m.step for m in run.view(k)} == {m.step for m in messages if k in (m.sender, m.receiver)}


@given(st.integers(0, 2**32), st.fractions("1/4", 2, max_denominator=8))
def test_the_model_stays_in_its_ball(seed, radius):
    run = DecentralisedSgd(**SETTINGS, radius=radius).run(gradients(3), [0.0], np.random.default_rng(seed))
    assert np.abs(run.models).max() <= float(radius) * (1 + 4 * 2**-52)


def test_nearly_no_noise_is_gradient_descent_along_the_path():
    run = DecentralisedSgd(**{**SETTINGS, "noise": "1e-12"}).run(gradients(3), [0.0], np.random.default_rng(3))
    moves = -0.5 * (-1.0) ** run.path[:-1]
    # Six normal numbers of deviation 5e-13 in all are below 1e-9 but for a probability that no float holds.
    assert np.abs(np.diff(run.models[:, 0]) - moves).max() < 1e-9


@pytest.mark.parametrize(("parties", "steps"), WALKS)
@settings(max_examples=15)
@given(st.one_of(DISTANCES, st.just(Fraction(20))), ORDERS)
def test_the_upper_end_is_above_the_mean_over_all_paths(parties, steps, distance, order):
    weight = order * (order - 1) * distance**2 / 2
    total = arb(0)
    for path in itertools.product(range(parties), repeat=steps + 1):
        spent = sum(Fraction(1, g) for g in visits(path) if g)
        total += (arb(weight.numerator) / weight.denominator * spent.numerator / spent.denominator).exp()
    exact = (total / parties ** (steps + 1)).log() / (arb((order - 1).numerator) / (order - 1).denominator)
    upper = renyi_upper(parties, steps, distance=distance, order=order)
    assert float(upper) * (1 + 2**-50) >= float(exact.lower())


@given(st.integers(3, 9), st.fractions("1/20", 4, max_denominator=20), st.fractions("1/1000", 9, max_denominator=1000))
def test_a_growth_is_confirmed_where_waiting_times_allow_it_and_not_where_they_do_not(parties, weight, excess):
    chances = [(1 - 2 / parties) ** (g - 1) * 2 / parties for g in range(1, 400)]
    terms = [c * (math.exp(weight / g) + 1) / 2 * (1 + excess) ** -g for g, c in enumerate(chances, 1)]
    # Times beyond 12 K, which the check counts as shorter ones, have a chance below exp(-24).
    surplus, unclear = math.fsum(terms) - 1, 1e-9
    assume(abs(surplus) > unclear)
    assert _confirmed(parties, weight, excess) == (surplus < 0)


@given(st.integers(3, 30), DISTANCES, st.fractions(2, 6, max_denominator=4))
def test_the_upper_end_is_a_growth_for_each_step_and_one_more_and_the_first_stretch(parties, distance, order):
    logs = [float((order - 1) * renyi_upper(parties, steps, distance=distance, order=order)) for steps in (1, 2, 3)]
    growth, first = math.expm1(logs[1] - logs[0]), math.expm1(2 * logs[0] - logs[2])
    # Differences of three floats of size logs[2], each rounded once.
    rounding = 8 * 2.0**-52 * (1 + logs[2]) * (1 + first) * parties
    assert abs(first - growth * parties / 2) <= rounding


def test_a_guess_that_is_too_small_costs_tightness_and_not_the_bound(monkeypatch):
    good = renyi_upper(5, 10, distance=1, order=3)
    guess = privacy._excess
    monkeypatch.setattr(privacy, "_excess", lambda K, weight: guess(K, weight) / 1000)
    assert renyi_upper(5, 10, distance=1, order=3) >= good * (1 - Fraction(1, 10**5))


@pytest.mark.parametrize(("parties", "steps"), WALKS)
@pytest.mark.parametrize("within", [1, 2, 3])
def test_the_chance_of_a_return_is_below_that_over_all_paths(parties, steps, within):
    hits = 0
    for path in itertools.product(range(parties), repeat=steps + 1):
        own = [t for t, holder in enumerate(path) if holder == 0]
        hits += any(path[b - 1] == 1 and 2 <= b - a <= within + 1 for a, b in itertools.pairwise(own))
    found = _some_return(parties, steps, within)
    assert 0 <= found <= Fraction(hits, parties ** (steps + 1))


def test_at_a_thousand_parties_and_a_hundred_thousand_steps_the_view_tells_six_times_less_than_the_transcript():
    found = network_loss(1000, 100_000, distance="1/10", delta="1e-6")
    assert 0 < found.lower < found.upper
    assert 6 * found.upper < found.local_lower


@settings(max_examples=10, deadline=None)
@given(st.integers(3, 40), st.integers(1, 400), DISTANCES, st.sampled_from(["1e-3", "1e-6"]))
def test_ends_are_ordered_and_grow_with_the_steps(parties, steps, distance, delta):
    few, many = (network_loss(parties, T, distance=distance, delta=delta) for T in (steps, 2 * steps))
    assert few.lower <= few.upper
    assert few.local_lower <= many.local_lower
    # Orders are found by a search in floats, to eight digits.
    assert few.upper <= many.upper * (1 + 1e-6)


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"step_size": 3}, "step_size"),
        ({"steps": 0}, "steps"),
        ({"noise": 0}, "noise"),
        ({"lipschitz": -1}, "lipschitz"),
        ({"radius": 0}, "radius"),
        ({"noise": 0.5}, "noise"),
    ],
)
def test_bad_parameters_are_named(changed, named):
    with pytest.raises(InputError, match=named):
        DecentralisedSgd(**{**SETTINGS, **changed})


def test_a_step_of_the_largest_allowed_size_is_taken():
    assert DecentralisedSgd(**{**SETTINGS, "step_size": 2}).distance == 4


@pytest.mark.parametrize("bad", [np.full(1, 2.001), np.full(1, math.nan), np.full(1, math.inf), np.ones(2)])
def test_nothing_is_released_where_a_gradient_breaks_its_promise(bad):
    oracles = [lambda model: bad] * 3
    with pytest.raises(InputError, match="nothing is released"):
        DecentralisedSgd(**SETTINGS).run(oracles, [0.0], np.random.default_rng(1))


def test_bad_runs_and_views_are_named():
    run = DecentralisedSgd(**SETTINGS, radius=1)
    with pytest.raises(InputError, match="two parties"):
        run.run(gradients(1), [0.0], np.random.default_rng(1))
    with pytest.raises(InputError, match="start"):
        run.run(gradients(2), [2.0], np.random.default_rng(1))
    with pytest.raises(InputError, match="party"):
        run.run(gradients(2), [0.0], np.random.default_rng(1)).view(2)
    with pytest.raises(InputError, match="party"):
        run.run(gradients(2), [0.0], np.random.default_rng(1)).view("1/2")


@pytest.mark.parametrize(
    ("changed", "named"),
    [({"parties": 2}, "parties"), ({"steps": 0}, "steps"), ({"distance": 0}, "distance"), ({"delta": 1}, "delta")],
)
def test_bad_accounts_are_named(changed, named):
    numbers = {"parties": 3, "steps": 3, "distance": 1, "delta": "1e-3", **changed}
    with pytest.raises(InputError, match=named):
        network_loss(numbers["parties"], numbers["steps"], distance=numbers["distance"], delta=numbers["delta"])
    with pytest.raises(InputError, match="order"):
        renyi_upper(3, 3, distance=1, order=1)
