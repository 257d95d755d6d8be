"""Composition of equal guarantees: the optimum is that of all outcomes, and the other theorems are above it."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rgm_verify.accounting.composition.equal_steps import advanced, optimal_delta, optimal_epsilon, simple
from rgm_verify.balls.arithmetic import ball, precision
from rgm_verify.errors import InputError
from rgm_verify.numbers.bounds import round_up

EPSILONS = st.fractions("1/20", 2, max_denominator=20)
DELTAS = st.sampled_from([Fraction(0), Fraction(1, 1000), Fraction(1, 20)])
STEPS = st.integers(1, 5)


def enumerated(epsilon, delta, steps, total):
    """Return the divergence of randomised responses that also show the bit with chance delta: over all outcomes."""
    right = 1 / (1 + math.exp(-epsilon))
    first = [float(delta), 0.0, (1 - delta) * right, (1 - delta) * (1 - right)]
    second = [0.0, float(delta), (1 - delta) * (1 - right), (1 - delta) * right]
    pairs = itertools.product(zip(first, second, strict=True), repeat=steps)
    laws = [(math.prod(p for p, _ in pair), math.prod(q for _, q in pair)) for pair in pairs]
    return math.fsum(max(p - math.exp(total) * q, 0.0) for p, q in laws)


@settings(max_examples=60)
@given(EPSILONS, DELTAS, STEPS, st.fractions(0, 6, max_denominator=20))
def test_the_optimum_is_the_divergence_over_all_outcomes(epsilon, delta, steps, total):
    found = optimal_delta(epsilon, delta, steps, total=total)
    # Products of at most 5 floats, 1,024 of them, each at most 1 and summed exactly.
    rounding = 1024 * 40 * 2.0**-53
    assert (
        found.lower - rounding
        <= enumerated(float(epsilon), float(delta), steps, float(total))
        <= found.upper + rounding
    )


@settings(max_examples=40)
@given(EPSILONS, DELTAS, STEPS, st.fractions("1/100", "1/2", max_denominator=100))
def test_the_optimal_epsilon_meets_the_target_and_a_lesser_one_does_not(epsilon, delta, steps, share):
    floor = 1 - (1 - delta) ** steps
    target = floor + share * (1 - floor)
    found = optimal_epsilon(epsilon, delta, steps, target=target)
    assert found.lower <= found.upper <= round_up(steps * epsilon)
    assert optimal_delta(epsilon, delta, steps, total=Fraction(found.upper)).lower <= target
    if found.lower > 1e-6:
        assert optimal_delta(epsilon, delta, steps, total=Fraction(found.lower) - Fraction(1, 10**7)).upper >= target


@settings(max_examples=40)
@given(EPSILONS, st.integers(1, 60), st.sampled_from(["1/10", "1e-3", "1e-6"]))
def test_simple_and_advanced_composition_are_above_the_optimum(epsilon, steps, extra):
    total, failure = simple(epsilon, 0, steps)
    assert failure == 0
    assert optimal_delta(epsilon, 0, steps, total=total).upper <= 1e-40
    level, at = advanced(epsilon, 0, steps, extra=extra)
    assert optimal_epsilon(epsilon, 0, steps, target=extra).lower <= level
    assert Fraction(at) >= Fraction(extra)


def test_the_numbers_of_the_theorems():
    assert simple("1/10", "1e-6", 100) == (10, Fraction(1, 10_000))
    level, failure = advanced("1/10", "1e-6", 100, extra="1e-5")
    with precision(300):
        tenth = ball(Fraction(1, 10))
        truth = (-200 * ball(Fraction(1, 10**5)).log()).sqrt() * tenth + 10 * (tenth.exp() - 1)
        # The least float above it: the one before is certainly too small.
        assert ball(Fraction(math.nextafter(level, 0))) < truth < ball(Fraction(level))
    assert failure == round_up(Fraction(11, 100_000))


@pytest.mark.parametrize(
    ("call", "part"),
    [
        (lambda: simple(-1, 0, 1), "epsilon"),
        (lambda: simple(1, 1, 1), "delta"),
        (lambda: simple(1, 0, 0), "steps"),
        (lambda: advanced(1, 0, 1, extra=0), "extra"),
        (lambda: advanced(1, 0, 10**6, extra="1/2"), "at most 20000"),
        (lambda: optimal_delta(1, 0, 1, total=-1), "total"),
        (lambda: optimal_epsilon(1, "1/2", 2, target="3/4"), "no epsilon goes below"),
    ],
)
def test_bad_input_is_refused(call, part):
    with pytest.raises(InputError, match=part):
        call()
