"""Laws of exact noise: each decision tree has the probabilities that it should, enumerated with weights that are exact.

A draw is a loop of rounds, and a loop has the law of one round, given that it is kept. So rounds are enumerated: the
uniform integer over its bits, the coin over uniform integers, the noise over coins. What a tree leaves open is counted.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rgm_verify.accounting.plans.account import delta
from rgm_verify.accounting.plans.plan import plan
from rgm_verify.accounting.plans.releases import DiscreteGaussian, DiscreteLaplace
from rgm_verify.errors import InputError
from rgm_verify.mechanisms.exact_noise import DiscreteGaussianMechanism, DiscreteLaplaceMechanism, ExactNoise

DIGITS = 50
ROUNDING = mpmath.mpf(10) ** -40  # far above what thousands of operations on 50 digits lose


class _TooUnlikely(Exception):
    pass


class Tree:
    """The paths of a program that draws: every choice is one of some weights, up to paths less likely than `least`."""

    def __init__(self, least):
        self.least = least

    def draw(self, weights):
        if self.depth == len(self.path):
            self.path.append(0)
            self.pending += [[*self.path[:-1], k] for k in range(1, len(weights))]
        found = self.path[self.depth]
        self.depth += 1
        self.weight *= weights[found]
        if self.weight < self.least:
            raise _TooUnlikely
        return found

    def law(self, program):
        """Return the mass of each result, and what is open."""
        found, left = {}, 0
        self.pending = [[]]
        while self.pending:
            self.path, self.depth, self.weight = self.pending.pop(), 0, 1
            try:
                result = program()
            except _TooUnlikely:
                left += self.weight
            else:
                found[result] = found.get(result, 0) + self.weight
        return found, left


class _Uniform(ExactNoise):
    """Uniform integers from a tree."""

    def __init__(self, tree):
        self.tree = tree

    def below(self, number):
        return self.tree.draw([Fraction(1, number)] * number)


class _Coins(_Uniform):
    """Coins of probability exp(-x) from a tree too."""

    def below(self, number):
        return self.tree.draw([mpmath.mpf(1) / number] * number)

    def decay(self, exponent):
        probability = mpmath.exp(-mpmath.mpf(exponent.numerator) / exponent.denominator)
        return self.tree.draw([1 - probability, probability]) == 1


class _Laplace(_Coins):
    """Laplace noise from a tree as well, as far as it matters."""

    def laplace(self, scale):
        far, weights = _laplace_weights(scale, mpmath.mp.dps)
        return self.tree.draw(weights) - far


@lru_cache
def _laplace_weights(scale, _digits):
    far = int(40 * scale)
    ratio = mpmath.exp(-mpmath.mpf(scale.denominator) / scale.numerator)
    return far, [(1 - ratio) / (1 + ratio) * ratio ** abs(x) for x in range(-far, far + 1)]


@given(st.integers(1, 200))
def test_a_uniform_integer_takes_every_value_by_as_many_strings_of_bits(number):
    kept = []
    length = (number - 1).bit_length()
    for string in range(2**length):
        asked = []

        def bits(count, string=string, asked=asked):
            if asked:
                raise _TooUnlikely
            asked.append(count)
            return string

        try:
            kept.append(ExactNoise(bits).below(number))
        except _TooUnlikely:
            assert string >= number
        assert asked == ([length] if length else [])
    assert kept == list(range(number))


@given(st.fractions(0, 1, max_denominator=60))
def test_a_rational_coin_has_its_probability(probability):
    tree = Tree(0)
    law, left = tree.law(lambda: _Uniform(tree).chance(probability))
    assert left == 0
    assert law.get(True, 0) == probability


@settings(deadline=None)
@given(st.fractions(0, 1, max_denominator=7))
def test_a_coin_of_decay_has_the_probability_of_an_exponential(exponent):
    """Coins of probability x/k are enumerated as such, so that the tree is narrow."""

    class Rational(ExactNoise):
        def __init__(self, tree):
            self.tree = tree

        def chance(self, probability):
            return self.tree.draw([1 - probability, probability]) == 1

    tree = Tree(Fraction(1, 10**30))
    law, left = tree.law(lambda: Rational(tree).decay(exponent))
    with mpmath.workdps(DIGITS):
        exact = mpmath.exp(-mpmath.mpf(exponent.numerator) / exponent.denominator)
        low = mpmath.mpf(law.get(True, Fraction(0)).numerator) / law.get(True, Fraction(0)).denominator
        assert low - ROUNDING <= exact <= low + mpmath.mpf(1) / 10**29 + ROUNDING
        assert left <= Fraction(1, 10**29)


@pytest.mark.parametrize("exponent", [Fraction(1), Fraction(5, 2), Fraction(3)])
def test_a_coin_beyond_one_is_a_product_of_coins(exponent):
    class Parts(ExactNoise):
        def __init__(self, tree):
            self.tree = tree

        def _decay_within_one(self, part):
            asked.append(part)
            return self.tree.draw([Fraction(1, 2), Fraction(1, 2)]) == 1

    def program():
        asked.clear()
        found = Parts(tree).decay(exponent)
        seen[found] = max(seen.get(found, []), list(asked), key=len)
        return found

    tree, seen, asked = Tree(0), {}, []
    tree.law(program)
    assert sum(seen[True]) == exponent
    assert all(0 <= part <= 1 for part in seen[True])


@settings(max_examples=12, deadline=None)
@given(st.sampled_from([Fraction(1, 3), Fraction(2, 3), Fraction(1), Fraction(3, 2), Fraction(3)]))
def test_a_round_of_laplace_noise_has_masses_in_proportion_to_the_exponential(scale):
    with mpmath.workdps(DIGITS):
        least = mpmath.mpf(10) ** -25
        tree = Tree(least)
        law, left = tree.law(lambda: _Coins(tree).laplace_round(scale))
        law.pop(None)
        ratio = mpmath.exp(-mpmath.mpf(scale.denominator) / scale.numerator)
        zero = law[0]
        # Every path that is cut belongs to some value, so that all that is open bounds what one of them misses.
        for value, mass in law.items():
            assert abs(mass - zero * ratio ** abs(value)) <= 2 * left + ROUNDING
        assert left <= mpmath.mpf(10) ** -20
        assert {-3, -2, -1, 0, 1, 2, 3} <= set(law)


@settings(max_examples=8, deadline=None)
@given(st.sampled_from([Fraction(1, 4), Fraction(1), Fraction(5, 2), Fraction(9)]))
def test_a_round_of_gaussian_noise_has_masses_in_proportion_to_the_square_exponential(square):
    with mpmath.workdps(DIGITS):
        tree = Tree(mpmath.mpf(10) ** -200)
        law, _ = tree.law(lambda: _Laplace(tree).gaussian_round(square))
        law.pop(None)
        zero = law[0]
        for value, mass in law.items():
            exact = mpmath.exp(-mpmath.mpf(value * value * square.denominator) / (2 * square.numerator))
            assert abs(mass - zero * exact) <= ROUNDING
        assert {-3, -2, -1, 0, 1, 2, 3} <= set(law)


@pytest.mark.parametrize("broken", ["half", "sign"])
def test_the_enumeration_notices_another_law(broken):
    """The control: noise of a scale that is half of it, and a zero that counts twice."""

    class Wrong(_Coins):
        def laplace_round(self, scale):
            if broken == "half":
                return super().laplace_round(scale / 2)
            found = super().laplace_round(scale)
            return 0 if found is None else found

    with mpmath.workdps(DIGITS):
        tree = Tree(mpmath.mpf(10) ** -12)
        law, left = tree.law(lambda: Wrong(tree).laplace_round(Fraction(1)))
        law.pop(None, None)
        ratio = mpmath.exp(-1)
        assert any(abs(law[v] - law[0] * ratio ** abs(v)) > 2 * left + ROUNDING for v in (-1, 1))


# ------------------------------------------------------------------------------------------------------ mechanisms


@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
def test_the_privacy_of_the_enumerated_law_lies_in_the_certified_account(kind):
    """The law of the rounds, normalised, at two neighbouring integers, against the account of one release."""
    level, distance = Fraction(1, 3), 2
    with mpmath.workdps(DIGITS):
        if kind == "laplace":
            tree = Tree(mpmath.mpf(10) ** -25)
            law, _ = tree.law(lambda: _Coins(tree).laplace_round(Fraction(3)))
            release = DiscreteLaplace(Fraction(3), distance)
        else:
            tree = Tree(mpmath.mpf(10) ** -200)
            law, _ = tree.law(lambda: _Laplace(tree).gaussian_round(Fraction(9)))
            release = DiscreteGaussian(Fraction(3), distance)
        law.pop(None)
        total = mpmath.fsum(law.values())
        x = mpmath.exp(mpmath.mpf(1) / 3)
        exact = mpmath.fsum(max(mpmath.mpf(0), m - x * law.get(v + distance, 0)) for v, m in law.items()) / total
        found = delta(plan([release]), level)
        # The tree leaves open less than 1e-15 of the mass.
        assert found.lower <= exact + mpmath.mpf(10) ** -15
        assert exact - mpmath.mpf(10) ** -15 <= found.upper
    assert (
        release.mechanism
        == {
            "laplace": DiscreteLaplaceMechanism(3),
            "gaussian": DiscreteGaussianMechanism(3),
        }[kind]
    )


@given(st.integers(-(10**30), 10**30))
def test_a_release_is_the_value_and_noise_that_does_not_know_it(value):
    for make in (DiscreteLaplaceMechanism, DiscreteGaussianMechanism):
        drawn = [make("7/3", bits=_pattern()).release(v) - v for v in (value, 0)]
        assert drawn[0] == drawn[1]


@pytest.mark.parametrize("given", [[3, 10**30, -1], (3, 10**30, -1), np.array([3, 10, -1])])
@pytest.mark.parametrize("make", [DiscreteLaplaceMechanism, DiscreteGaussianMechanism])
def test_a_vector_is_released_coordinate_by_coordinate(make, given):
    one = make("7/3", bits=_pattern())
    assert make("7/3", bits=_pattern()).release(given) == [one.release(value) for value in given]


def _pattern():
    state = [1]

    def bits(count):
        state[0] = (state[0] * 6364136223846793005 + 1442695040888963407) % 2**64
        return (state[0] >> 20) % 2**count

    return bits


@pytest.mark.parametrize(
    "value",
    [1.0, "1", None, True, Fraction(1), [], [1.0], [1, True], [[1]], np.array([1.0]), np.array([[1, 2]]), {1}, "12"],
)
def test_what_is_no_integer_is_refused(value):
    with pytest.raises(InputError, match="value"):
        DiscreteLaplaceMechanism(1).release(value)


@pytest.mark.parametrize("scale", [0, -1, "1e-13", "1e13"])
def test_scales_out_of_range_are_refused(scale):
    for make in (DiscreteLaplaceMechanism, DiscreteGaussianMechanism):
        with pytest.raises(InputError):
            make(scale)
    with pytest.raises(InputError, match="float"):
        DiscreteLaplaceMechanism(0.5)
