"""Laws of questions turned around: what is returned reaches the target, and what is said to fail misses it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rgm_verify.accounting.floor import floor, floor_epsilon
from rgm_verify.accounting.plans.account import epsilon
from rgm_verify.accounting.plans.inverse import largest_rate, least_noise, most_releases
from rgm_verify.accounting.plans.plan import plan
from rgm_verify.accounting.plans.releases import release_of
from rgm_verify.errors import InputError
from rgm_verify.numbers.bounds import round_up

DELTA = "1e-6"


def of(kind, **fields):
    return release_of(kind, fields)


def cost(release):
    return epsilon(plan([release]), DELTA, width="1/4000")


levels = st.fractions(Fraction(1, 2), 4, max_denominator=8)


@settings(max_examples=20, deadline=None)
@given(levels, st.fractions(2, 40, max_denominator=6))
def test_the_most_gaussian_releases_are_found_exactly(level, noise):
    one = of("gaussian", noise_multiplier=noise)
    if cost(one).lower > level:
        with pytest.raises(InputError, match="out of reach"):
            most_releases(one, level, DELTA)
        return
    found = most_releases(one, level, DELTA, tolerance="1e-6")
    count = int(found.value)
    assert Fraction(cost(replace(one, count=count)).upper) <= level
    assert found.fails == count + 1
    assert Fraction(cost(replace(one, count=count + 1)).lower) > level


@settings(max_examples=8, deadline=None)
@given(levels, st.sampled_from([Fraction(5), Fraction(37, 2)]))
def test_the_most_laplace_releases_are_neighbours_of_some_that_fail(level, scale):
    one = of("laplace", scale=scale)
    found = most_releases(one, level, DELTA)
    # As many as have no loss above the level may be reached by that alone: no float lies between.
    assert Fraction(found.reached.upper) <= level or found.value / scale <= level < round_up(level)
    assert Fraction(cost(replace(one, count=int(found.value))).lower) <= level
    assert found.fails == found.value + 1
    assert Fraction(cost(replace(one, count=int(found.fails))).upper) > level


@pytest.mark.parametrize(("scale", "level", "count"), [(5, "3/5", 3), (5, "4/5", 4), (10, "7/10", 7), (3, "1/3", 1)])
def test_a_budget_of_whole_losses_holds_all_of_them(scale, level, count):
    """Three releases of 1/5 are within 3/5, although no float is 3/5."""
    found = most_releases(of("laplace", scale=scale), level, "1e-9")
    assert found.value == count
    assert found.fails == count + 1


@settings(max_examples=3, deadline=None)
@given(levels, st.sampled_from(["gaussian", "laplace", "discrete-laplace"]), st.integers(1, 30))
def test_the_least_noise_reaches_the_target_and_a_little_less_misses_it(level, kind, count):
    name = "noise_multiplier" if kind == "gaussian" else "scale"
    release = of(kind, **{name: 1, "count": count})
    found = least_noise(release, level, DELTA)
    assert Fraction(cost(replace(release, **{name: found.value})).lower) <= level
    assert Fraction(found.reached.upper) <= level
    # Not always certified as near as asked for, but never farther than a few times that.
    assert found.value * (1 - Fraction(5, 1000)) <= found.fails < found.value
    assert Fraction(cost(replace(release, **{name: found.fails})).upper) > level


def test_the_largest_rate_reaches_the_target_and_ends_at_1():
    run = of("dp-sgd", sampler="poisson", noise_multiplier=2, sampling_rate="1/100", count=50)
    found = largest_rate(run, 1, DELTA, tolerance="1/100")
    at = of("dp-sgd", sampler="poisson", noise_multiplier=2, sampling_rate=found.value, count=50)
    assert cost(at).lower <= 1
    assert found.reached.upper <= 1
    assert found.value < found.fails <= found.value * Fraction(105, 100)
    easy = largest_rate(of("dp-sgd", sampler="poisson", noise_multiplier=50, sampling_rate="1/100", count=10), 2, DELTA)
    assert easy.limit
    assert easy.value == 1
    assert easy.fails is None


def test_the_least_noise_and_the_most_steps_of_dp_sgd_agree():
    noise = least_noise(
        of("dp-sgd", sampler="poisson", noise_multiplier=1, sampling_rate="1/20", count=40), 2, DELTA, tolerance="1/100"
    )
    run = of("dp-sgd", sampler="poisson", noise_multiplier=noise.value, sampling_rate="1/20")
    assert most_releases(run, 2, DELTA, tolerance="1/100").value >= 39


def test_the_most_relative_gaussian_releases_reach_the_target():
    release = of("rgm", eta="1/1000", gamma="1/10000", d=10)
    found = most_releases(release, 2, DELTA)
    assert found.reached.upper <= 2
    assert found.fails == found.value + 1
    assert cost(replace(release, count=int(found.fails))).lower > 2


@pytest.mark.parametrize(
    ("ask", "names"),
    [
        (lambda: most_releases(of("laplace", scale=2), 0, DELTA), "epsilon"),
        (lambda: most_releases(of("laplace", scale=2), 1, "2"), "delta"),
        (lambda: most_releases(of("laplace", scale=2), 1, DELTA, tolerance=0), "tolerance"),
        (lambda: most_releases(of("laplace", scale=2), "1/100", DELTA), "out of reach.*steps=1"),
        (lambda: least_noise(of("discrete-gaussian", sigma=2), 1, DELTA), "mechanism"),
        (
            lambda: least_noise(
                of("dp-sgd", sampler="poisson", noise_multiplier=1, sampling_rate=1), 1, DELTA, adjacency="swap"
            ),
            "adjacency",
        ),
    ],
)
def test_what_cannot_be_asked_is_refused(ask, names):
    with pytest.raises(InputError, match=names):
        ask()


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(["1/100", "1/10", "1"]), st.integers(1, 50), st.integers(1, 5), st.integers(2, 12))
def test_the_floor_at_the_epsilon_of_a_delta_is_that_delta(eta, dimension, steps, digits):
    target = Fraction(1, 10**digits)
    found = floor_epsilon(target, eta=eta, dimension=dimension, steps=steps)
    assert found.lower <= found.upper
    assert Fraction(floor(Fraction(found.upper), eta=eta, dimension=dimension, steps=steps).lower) <= target
    if found.lower > 0:
        assert Fraction(floor(Fraction(found.lower), eta=eta, dimension=dimension, steps=steps).upper) >= target
