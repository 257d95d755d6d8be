"""Discrete Gaussian noise so narrow that nearly all of it is one integer: the account against the closed form."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rgm_verify.accounting.plans.account import epsilon
from rgm_verify.accounting.plans.plan import plan
from rgm_verify.accounting.plans.releases import release_of
from rgm_verify.balls.arithmetic import ball, precision
from rgm_verify.recheck.mechanisms import DiscreteGaussian
from rgm_verify.recheck.noises import divergence

BITS = 2000  # masses here go down to e^-600


@pytest.mark.parametrize("delta", ["1e-15", "1e-3"])
@pytest.mark.parametrize("sigma", ["1/20", "1/15", "1/10", "1/7", "1/5", "1/3"])
def test_the_interval_holds_the_epsilon_of_the_closed_form(sigma: str, delta: str) -> None:
    found = epsilon(plan([release_of("discrete-gaussian", {"sigma": sigma})]), delta)
    law = DiscreteGaussian(Fraction(sigma), 1, 1)
    target = Fraction(delta) * (1 << BITS)
    # The divergence falls: epsilon lies where it passes delta.
    assert divergence(law, Fraction(found.upper), BITS)[0] <= target
    assert divergence(law, Fraction(found.lower), BITS)[1] >= target
    assert found.relative_width < Fraction(1, 100)


REACH = 6  # outputs of noise of deviation 1/3 go farther with a probability below e^-220


def composed_delta(sigma: Fraction, count: int, epsilon: Fraction) -> arb:
    """The divergence of `count` releases at the distance 1, enclosed: their losses depend on the sum of all outputs."""
    decay = 1 / (2 * ball(sigma) ** 2)
    weights = [(-decay * x * x).exp() for x in range(-REACH, REACH + 1)]
    rest = 2 * (-decay * (REACH + 1) ** 2).exp() / (1 - (-decay).exp())
    total = sum(weights, arb(0)) + (rest / 2).union(arb(0)).union(rest)
    one = [weight / total for weight in weights]
    law = [arb(1)]
    for _ in range(count):
        longer = [arb(0)] * (len(law) + 2 * REACH)
        for i, p in enumerate(law):
            for j, q in enumerate(one):
                longer[i + j] += p * q
        law = longer
    found = arb(0)
    for k, mass in enumerate(law):
        gap = (count - 2 * (k - REACH * count)) / (2 * sigma**2) - epsilon
        if gap > 0:
            found += mass * -ball(-gap).expm1()
    # Whatever one output far away adds, it adds no more than its probability.
    return found + (count * rest).union(arb(0))


@settings(max_examples=25, deadline=None)
@given(st.integers(3, 20), st.integers(1, 9), st.sampled_from(["1e-15", "1e-6", "1e-3", "1/10"]))
@example(20, 7, "1e-6")
@example(20, 9, "1e-15")
def test_the_interval_of_several_releases_is_narrow_and_holds_their_epsilon(inverse: int, count: int, delta: str):
    sigma = Fraction(1, inverse)
    found = epsilon(plan([release_of("discrete-gaussian", {"sigma": sigma, "count": count})]), delta)
    target = Fraction(delta)
    with precision(400):
        assert composed_delta(sigma, count, Fraction(found.upper)) <= ball(target)
        assert composed_delta(sigma, count, Fraction(found.lower)) >= ball(target)
    assert found.relative_width <= Fraction(1, 1000)  # what is asked for
