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
from rgm_verify.learning.decentralised.privacy import _confirmed, _median_visits, _some_return, _Walk, renyi_upper

SETTINGS = {"steps": 6, "step_size": "1/2", "noise": 1, "lipschitz": 2, "smoothness": 1}
WALKS = [(3, 1, 4), (4, 1, 4), (4, 2, 4), (3, 1, 6), (5, 2, 4), (5, 3, 4)]
TARGET = 0  # the coalition are the parties that come next
ORDERS = st.fractions("11/10", 12, max_denominator=20)
DISTANCES = st.fractions("1/20", 2, max_denominator=20)


def gradients(parties):
    return [lambda model, k=k: np.full(model.shape, (-1.0) ** k) for k in range(parties)]


def walk(parties, coalition, self_loops):
    return _Walk(parties, coalition, parties if self_loops else parties - 1)


def paths(parties, steps, self_loops):
    """Return all paths; each of them has the same probability."""
    return [
        path
        for path in itertools.product(range(parties), repeat=steps + 1)
        if self_loops or all(a != b for a, b in itertools.pairwise(path))
    ]


def waits(path, coalition):
    """Return for each visit of the target how long it is until it or the coalition comes next, if they do."""
    for t, holder in enumerate(path[:-1]):
        if holder == TARGET:
            wait = next((g for g, later in enumerate(path[t + 1 :], 1) if later <= coalition), None)
            if wait:
                yield wait


def shifts(path, coalition):
    """Return for each stretch of steps between views of the coalition, for a linear loss, its squared distance."""
    visited, length = 0, 0
    for holder, receiver in itertools.pairwise(path):
        visited += holder == TARGET
        length += 1
        if 1 <= receiver <= coalition:
            yield Fraction(visited**2, length)
        # The coalition knows the models that it gets, and what its own steps make of them.
        if 1 <= receiver <= coalition or 1 <= holder <= coalition:
            visited, length = 0, 0


def mean_of_exponential(weight, spent):
    total = arb(0)
    for share in spent:
        total += (arb(weight.numerator) / weight.denominator * share.numerator / share.denominator).exp()
    return total / len(spent)


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


@given(st.integers(2, 6), st.integers(0, 2**32))
def test_without_self_loops_the_model_moves_on_at_each_step(parties, seed):
    run = DecentralisedSgd(**{**SETTINGS, "steps": 40}, self_loops=False)
    path = run.run(gradients(parties), [0.0], np.random.default_rng(seed)).path
    assert len(path) == 41
    assert set(path) <= set(range(parties))
    assert (path[1:] != path[:-1]).all()


def test_without_self_loops_every_other_party_comes_next():
    run = DecentralisedSgd(**{**SETTINGS, "steps": 2000}, self_loops=False)
    path = run.run(gradients(4), [0.0], np.random.default_rng(7)).path
    assert set(itertools.pairwise(path.tolist())) == set(itertools.permutations(range(4), 2))


@given(st.integers(0, 2**32), st.sets(st.integers(0, 4), min_size=1))
def test_a_coalition_sees_what_its_parties_see(seed, coalition):
    run = DecentralisedSgd(**SETTINGS).run(gradients(5), [0.0], np.random.default_rng(seed))
    together = [m.step for m in run.view(*coalition)]
    assert together == sorted({m.step for k in coalition for m in run.view(k)})


@pytest.mark.parametrize("self_loops", [True, False])
@pytest.mark.parametrize(("parties", "coalition", "steps"), WALKS)
@settings(max_examples=8, deadline=None)
@given(distance=st.one_of(DISTANCES, st.just(Fraction(20))), order=ORDERS)
def test_the_upper_end_is_above_the_mean_over_all_paths(parties, coalition, steps, self_loops, distance, order):
    """And the mean is above that of the exact divergences of linear losses, path by path."""
    weight = order * (order - 1) * distance**2 / 2
    every = paths(parties, steps, self_loops)
    bound = mean_of_exponential(weight, [sum(Fraction(1, g) for g in waits(path, coalition)) for path in every])
    linear = mean_of_exponential(weight, [sum(shifts(path, coalition), Fraction(0)) for path in every])
    assert not linear > bound
    upper = renyi_upper(parties, steps, distance=distance, order=order, coalition=coalition, self_loops=self_loops)
    exact = bound.log() / (arb((order - 1).numerator) / (order - 1).denominator)
    assert float(upper) * (1 + 2**-50) >= float(exact.lower())


def exact_mean(parties, coalition, steps, self_loops, weight):
    """Return the mean over all paths by one state for each wait: a sum of positive numbers, in floats."""
    goals = parties if self_loops else parties - 1
    others = parties - coalition - 1
    # Means over the rest of the path, with more and more moves left: from the target, the coalition, and each wait.
    waiting = [1.0] * (steps + 2)
    target = coalition_ = other = 1.0
    for _ in range(steps):
        again = 1 if self_loops else 0

        def paid(wait, target=target, coalition_=coalition_, waiting=waiting, own=1, rest=0.0):
            return math.exp(weight / wait) * (own * target + coalition * coalition_) + rest * waiting[wait]

        after = [
            paid(wait + 1, own=1, rest=others if self_loops else others - 1) / goals for wait in range(1, steps + 1)
        ]
        first = (math.exp(weight) * (again * target + coalition * coalition_) + others * waiting[1]) / goals
        plain = [
            (target + (coalition - 1 + again) * coalition_ + others * other) / goals,
            (target + coalition * coalition_ + (others - 1 + again) * other) / goals,
        ]
        waiting = [0.0, *after, 1.0]
        target, (coalition_, other) = first, plain
    return (target + coalition * coalition_ + others * other) / parties


@pytest.mark.parametrize("self_loops", [True, False])
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_the_upper_end_is_within_its_largest_weight_of_the_mean_over_all_paths(self_loops, data):
    parties = data.draw(st.integers(3, 12))
    coalition = data.draw(st.integers(1, parties - 2))
    steps = data.draw(st.integers(1, 60))
    weight = data.draw(st.fractions("1/20", 3, max_denominator=20))
    # At the order 2 the weight is the squared distance.
    distance = Fraction(math.isqrt(int(weight * 10**12)), 10**6)
    weight = float(distance**2)
    upper = float(renyi_upper(parties, steps, distance=distance, order=2, coalition=coalition, self_loops=self_loops))
    mean = math.log(exact_mean(parties, coalition, steps, self_loops, weight))
    goals = parties if self_loops else parties - 1
    growth = _growth(parties, coalition, self_loops, distance)
    largest = max(math.exp(weight), 1 + goals * (growth - 1))
    # A thousand operations on positive numbers; the growth is enlarged by 1e-9 and rounded up to six digits.
    slack = 1e-9 + steps * (growth - 1) * 2e-5
    assert mean <= upper + slack
    assert upper <= mean + math.log(largest) + slack


def _growth(parties, coalition, self_loops, distance):
    one, two = (
        renyi_upper(parties, steps, distance=distance, order=2, coalition=coalition, self_loops=self_loops)
        for steps in (1, 2)
    )
    return math.exp(float(two - one))


@given(
    st.integers(3, 9),
    st.data(),
    st.booleans(),
    st.fractions("1/20", 4, max_denominator=20),
    st.fractions("1/1000", 9, max_denominator=1000),
)
def test_a_growth_is_confirmed_where_waiting_times_allow_it_and_not_where_they_do_not(
    parties, data, self_loops, weight, excess
):
    """By the sums over waiting times, of which the recurrence knows nothing."""
    coalition = data.draw(st.integers(1, parties - 2))
    goals, rho = (parties if self_loops else parties - 1), 1 + float(excess)
    chance = (coalition + 1) / goals
    shares = [chance * (1 - chance) ** (g - 1) * rho**-g for g in range(1, 400)]
    if self_loops:
        terms = [s * (math.exp(weight / g) + coalition) / (coalition + 1) for g, s in enumerate(shares, 1)]
        surplus = math.fsum(terms) - 1
    else:
        target = 1 + goals * float(excess)
        later = [
            s * math.exp(weight / (g + 1)) * (target + coalition) / (coalition + 1) for g, s in enumerate(shares, 1)
        ]
        spent = coalition * math.exp(weight) + (goals - coalition) * math.fsum(later)
        surplus = spent / (goals * rho * target) - 1
    # Waits beyond 12 K, which the check counts as shorter ones, have a chance below exp(-24).
    unclear = 1e-9
    assume(abs(surplus) > unclear)
    assert _confirmed(walk(parties, coalition, self_loops), weight, excess) == (surplus < 0)


@given(st.integers(3, 30), DISTANCES, st.fractions(2, 6, max_denominator=4), st.booleans())
def test_the_upper_end_is_a_growth_for_each_step_and_a_little_for_the_first_party(parties, distance, order, self_loops):
    logs = [
        float((order - 1) * renyi_upper(parties, steps, distance=distance, order=order, self_loops=self_loops))
        for steps in (1, 2, 3)
    ]
    growth, first = math.expm1(logs[1] - logs[0]), math.expm1(2 * logs[0] - logs[1])
    # Differences of three floats of size logs[2], each rounded once.
    rounding = 8 * 2.0**-52 * (1 + logs[2]) * (1 + first)
    assert abs(logs[2] - 2 * logs[1] + logs[0]) <= rounding
    assert abs(first - growth * (1 if self_loops else (parties - 1) / parties)) <= rounding


def test_a_guess_that_is_too_small_costs_tightness_and_not_the_bound(monkeypatch):
    good = renyi_upper(5, 10, distance=1, order=3)
    guess = privacy._excess
    monkeypatch.setattr(privacy, "_excess", lambda walk, weight: guess(walk, weight) / 1000)
    assert renyi_upper(5, 10, distance=1, order=3) >= good * (1 - Fraction(1, 10**5))


@pytest.mark.parametrize("self_loops", [True, False])
@pytest.mark.parametrize(("parties", "coalition", "steps"), WALKS)
@pytest.mark.parametrize("within", [1, 2, 3])
def test_the_chance_of_a_return_is_below_that_over_all_paths(parties, coalition, steps, self_loops, within):
    hits, every = 0, paths(parties, steps, self_loops)
    for path in every:
        seen = [t for t, holder in enumerate(path) if 1 <= holder <= coalition]
        hits += any(path[b - 1] == TARGET and 2 <= b - a <= within + 1 for a, b in itertools.pairwise(seen))
    found = _some_return(walk(parties, coalition, self_loops), steps, within)
    assert 0 <= found <= Fraction(hits, len(every))


def test_the_chance_of_a_return_is_that_at_one_step_times_the_steps_less_pairs():
    """The chance at one step is counted over all paths; pairs take off no more than its square and what touches."""
    for self_loops in (True, False):
        here = walk(9, 1, self_loops)
        every = paths(9, 3, self_loops)
        hits = sum(path[0] == 1 and path[2] == 1 and path[1] == TARGET for path in every)
        exact = Fraction(hits, len(every))
        touching = exact * 9
        starts = 2  # of three steps, for returns of one step
        assert _some_return(here, 3, 1) >= starts * exact * (1 - 2 * starts * exact - touching)


@pytest.mark.parametrize("parties", [3, 4, 7])
@pytest.mark.parametrize("steps", [1, 5, 30, 200])
def test_half_of_the_paths_without_self_loops_have_so_many_visits(parties, steps):
    """The exact law of the number of visits, by steps at which the target has the model or not."""
    law = {(True, 1): Fraction(1, parties), (False, 0): 1 - Fraction(1, parties)}
    for _ in range(steps - 1):
        after = {}
        for (there, count), chance in law.items():
            comes = Fraction(0) if there else Fraction(1, parties - 1)
            for moved, share in ((True, comes), (False, 1 - comes)):
                key = (moved, count + moved)
                after[key] = after.get(key, 0) + chance * share
        law = after
    needed = _median_visits(walk(parties, 1, False), steps)
    assert sum(chance for (_, count), chance in law.items() if count >= needed) >= Fraction(1, 2)


def test_at_a_thousand_parties_and_a_hundred_thousand_steps_the_view_tells_six_times_less_than_the_transcript():
    found = network_loss(1000, 100_000, distance="1/10", delta="1e-6")
    assert 0 < found.lower < found.upper
    assert 6 * found.upper < found.local_lower


@pytest.mark.parametrize("self_loops", [True, False])
def test_larger_coalitions_see_more_and_less_than_everything(self_loops):
    found = [
        network_loss(1000, 100_000, distance="1/10", delta="1e-6", coalition=c, self_loops=self_loops)
        for c in (1, 10, 50)
    ]
    assert all(0 < one.lower < one.upper < one.local_lower for one in found)
    for few, many in itertools.pairwise(found):
        assert few.lower < many.lower
        assert few.upper < many.upper


@settings(max_examples=10, deadline=None)
@given(
    st.integers(3, 40),
    st.integers(1, 400),
    DISTANCES,
    st.sampled_from(["1e-3", "1e-6"]),
    st.integers(1, 38),
    st.booleans(),
)
def test_ends_are_ordered_and_grow_with_the_steps(parties, steps, distance, delta, coalition, self_loops):
    who = {"coalition": min(coalition, parties - 2), "self_loops": self_loops}
    few, many = (network_loss(parties, T, distance=distance, delta=delta, **who) for T in (steps, 2 * steps))
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
    with pytest.raises(InputError, match=r"^gradients\[\d\]"):
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
    with pytest.raises(InputError, match="none is given"):
        run.run(gradients(2), [0.0], np.random.default_rng(1)).view()
    with pytest.raises(InputError, match="twice"):
        run.run(gradients(2), [0.0], np.random.default_rng(1)).view(1, 0, 1)
    with pytest.raises(InputError, match="self_loops"):
        DecentralisedSgd(**SETTINGS, self_loops=1)


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"parties": 2}, "parties"),
        ({"steps": 0}, "steps"),
        ({"distance": 0}, "distance"),
        ({"delta": 1}, "delta"),
        ({"coalition": 0}, "coalition"),
        ({"coalition": 2}, "coalition=2: must be at most parties - 2 = 1"),
        ({"coalition": "3/2"}, "coalition"),
        ({"self_loops": 0}, "self_loops"),
    ],
)
def test_bad_accounts_are_named(changed, named):
    numbers = {"parties": 3, "steps": 3, "distance": 1, "delta": "1e-3", **changed}
    with pytest.raises(InputError, match=named):
        network_loss(numbers.pop("parties"), numbers.pop("steps"), **numbers)
    with pytest.raises(InputError, match="order"):
        renyi_upper(3, 3, distance=1, order=1)
