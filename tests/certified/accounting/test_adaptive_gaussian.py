"""No adaptive choice of distances up to `D` tells more than `D` at every step: lower bounds on adversaries."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosure
from rgm_verify.gaussians.floating.hockey_stick import hockey_stick

CELLS = 4000


def at_least(first: float, then: Callable[[np.ndarray], np.ndarray], epsilon: float) -> float:
    """A lower bound, up to 1e-9, on the hockey-stick divergence at `epsilon` of two steps of the Gaussian mechanism.

    The second distance is `then(loss)` of the first loss, which is normal of mean `D^2/2` and variance `D^2`: its cells
    are weighed with the least value that is left, at their lower end, by the distance that the adversary takes there.
    """
    edges = first**2 / 2 + first * np.linspace(-9, 9, CELLS + 1)
    cumulative = np.array([math.erf((edge - first**2 / 2) / first / math.sqrt(2)) for edge in edges]) / 2
    left = hockey_stick(epsilon - edges[:-1], then(edges[:-1]) ** 2, 0.0, 1)
    return float(np.sum(np.diff(cumulative) * left))


def together(distance: Fraction, steps: int, epsilon: Fraction) -> float:
    found = hockey_stick_enclosure(epsilon, steps * distance**2, Fraction(0), 1)
    assert found.upper is not None
    return float(found.upper)


POLICIES = {
    "always the largest": lambda loss, d: np.full_like(loss, d),
    "less after a large loss": lambda loss, d: np.where(loss > d**2, d / 2, d),
    "less after a small loss": lambda loss, d: np.where(loss < 0, d / 4, d),
    "a sine": lambda loss, d: d * (1 + np.sin(5 * loss)) / 2,
}


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("distance", ["1/2", "1", "2"])
@pytest.mark.parametrize("epsilon", ["0", "1/2", "2"])
@pytest.mark.parametrize("share", [1.0, 0.6])
def test_an_adaptive_adversary_stays_below_the_largest_distance_at_every_step(name, distance, epsilon, share):
    d, level = Fraction(distance), Fraction(epsilon)
    found = at_least(share * float(d), lambda loss: POLICIES[name](loss, float(d)), float(level))
    assert found <= together(d, 2, level)


@pytest.mark.parametrize("distance", ["1/2", "1", "2"])
def test_the_largest_distance_at_every_step_is_nearly_reached_and_a_larger_one_is_noticed(distance):
    d, level = Fraction(distance), Fraction(1, 2)
    reached = at_least(float(d), lambda loss: np.full_like(loss, float(d)), 0.5)
    assert reached >= together(d, 2, level) * 0.99
    beyond = at_least(float(d), lambda loss: np.where(loss > 0, 1.2 * float(d), float(d)), 0.5)
    assert beyond > together(d, 2, level)
