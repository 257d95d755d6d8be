"""Composition against adversaries that are played out: quadrature over their losses, with laws from SciPy.

Nothing is shared with the library but the meaning of a pair. SciPy's noncentral chi-square is right at the moderate
parameters used here; the error of the quadrature is bounded by halving its step.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import ncx2, norm

from rgm_verify.accounting.composition import composed_delta, composed_epsilon
from rgm_verify.accounting.composition.product_lower import product_delta_below, product_epsilon_below
from rgm_verify.accounting.release import Release
from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosure

NODES = 8001

Pair = tuple[float, float]


def hockey_stick(epsilon: np.ndarray, shift: float, w: float, d: int) -> np.ndarray:
    """`P(S) - e^epsilon Q(S)` on the set where the loss exceeds epsilon, a ball or its complement."""
    if w == 0:
        root = shift**0.5
        return norm.sf(epsilon / root - root / 2) - np.exp(epsilon) * norm.sf(epsilon / root + root / 2)
    v = 1 + w
    edge = np.maximum((2 * epsilon + d * np.log(v) + shift / w) / w, 0)
    tail = ncx2.sf if w > 0 else ncx2.cdf
    return tail(edge, d, shift * v / w**2) - np.exp(epsilon) * tail(edge * v, d, shift / w**2)


def losses(pair: Pair, d: int, nodes: int) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights of the law of the loss under `P`, by the trapezoid in the root of the chi-square."""
    shift, w = pair
    if w == 0:
        z = np.linspace(-9, 9, nodes)
        return shift / 2 + shift**0.5 * z, norm.pdf(z) * (z[1] - z[0])
    noncentrality = shift * (1 + w) / w**2
    ends = ncx2.ppf(1e-14, d, noncentrality), ncx2.isf(1e-14, d, noncentrality)
    t = np.linspace(ends[0] ** 0.5, ends[1] ** 0.5, nodes)
    weights = 2 * t * ncx2.pdf(t**2, d, noncentrality) * (t[1] - t[0])
    weights[[0, -1]] /= 2
    return (w * t**2 - d * np.log1p(w) - shift / w) / 2, weights


def family(release: Release, count: int) -> list[Pair]:
    """Some admissible pairs at the largest distance, in both orders."""
    shift, q = float(release.eta**2 / release.gamma), float(release.q)
    wide = [(shift, q * k / count) for k in range(count + 1)]
    return wide + [(shift / (1 + w), -w / (1 + w)) for _, w in wide[1:]]


def played(release: Release, epsilon: float, nodes: int) -> float:
    """The reach of the best adversary of two releases, who chooses each from the family after seeing the one before."""
    d, pairs = release.dimension, family(release, 3)

    def value(pair: Pair) -> float:
        loss, weight = losses(pair, d, nodes)
        left = epsilon - loss
        return float(weight @ np.max([hockey_stick(left, *second, d) for second in pairs], axis=0))

    return max(value(pair) for pair in pairs)


SETTINGS = [Release("1/2", 1, 2), Release(1, 1, 8), Release("3/10", "3/10", 5)]


@pytest.mark.parametrize("release", SETTINGS)
@pytest.mark.parametrize("epsilon", ["0", "4"])
def test_an_adaptive_adversary_lies_between_the_bounds_and_above_both_constant_orders(release, epsilon):
    truth, coarse = (played(release, float(epsilon), nodes) for nodes in (NODES, NODES // 2 + 1))
    error = 4 * abs(truth - coarse) + 1e-12
    bounds = composed_delta(release, epsilon, steps=2, resolution=10)
    assert bounds.lower < truth - error, "mixing the orders helps, so the product of equal pairs is not the worst"
    assert truth - error <= bounds.upper


@pytest.mark.parametrize("release", SETTINGS)
def test_the_two_orders_taken_as_halves_for_adding_and_removing_would_be_unsound(release):
    """Both halves compose to less than an adversary reaches who alternates: no pair of constant orders dominates."""
    shift, q, d = float(release.eta**2 / release.gamma), float(release.q), release.dimension
    wide = float(hockey_stick(np.array(0.5), 2 * shift, q, 2 * d))
    narrow = float(hockey_stick(np.array(0.5), 2 * shift / (1 + q), -q / (1 + q), 2 * d))
    truth, coarse = (played(release, 0.5, nodes) for nodes in (NODES, NODES // 2 + 1))
    error = 4 * abs(truth - coarse) + 1e-12
    assert max(wide, narrow) < truth - error


@pytest.mark.parametrize("release", SETTINGS[:1])
def test_three_releases_played_out_lie_under_the_upper_end(release):
    d, pairs = release.dimension, family(release, 1)
    grid = np.linspace(-8, 8, 641)
    second = np.array([played_from(pairs, d, e) for e in grid])
    loss, weight = losses(pairs[1], d, NODES)
    truth = float(weight @ np.interp(1.0 - loss, grid, second))
    # The slope of the value lies in [-1, 0], so reading on a chord is off by at most a quarter of the step.
    error = (grid[1] - grid[0]) / 4
    bounds = composed_delta(release, 1, steps=3, resolution=10)
    assert bounds.lower < truth - error <= bounds.upper


def played_from(pairs: list[Pair], d: int, epsilon: float) -> float:
    values = []
    for pair in pairs:
        loss, weight = losses(pair, d, 801)
        values.append(float(weight @ np.max([hockey_stick(epsilon - loss, *p, d) for p in pairs], axis=0)))
    return max(values)


@pytest.mark.parametrize("steps", [10, 1000])
@pytest.mark.parametrize("release", [Release("1/1000", "1/10000", 10), Release("1/100", "1/400", 22)])
def test_the_interval_of_epsilon_is_as_narrow_as_promised(release, steps):
    bounds = composed_epsilon(release, "1e-8", steps=steps, methods=["iteration"], resolution=12)
    assert 0 < bounds.relative_width <= 5e-3


def test_a_product_by_convolution_lies_below_its_closed_form_and_near_it():
    """Equal pairs are one pair, so here what is meant for different ones has an exact answer."""
    pair = Release("1/100", "1/400", 22).worst_pair
    parts, whole = [pair.repeated(3), pair.repeated(2)], pair.repeated(5)
    delta = Fraction(1, 10**6)
    found = Fraction(product_epsilon_below(parts, delta))
    divergence = hockey_stick_enclosure(found, whole.shift_squared, whole.excess, whole.dimension)
    assert divergence.lower >= delta
    beyond = hockey_stick_enclosure(found * Fraction(101, 100), whole.shift_squared, whole.excess, whole.dimension)
    assert beyond.upper < delta
    again = product_delta_below(parts, found, 1e-6)
    assert float(delta) * (1 - 1e-9) <= again <= float(divergence.upper)


def test_different_releases_have_a_narrow_interval():
    groups = [(Release("1/10", "1/4", 3), 6), (Release("1/20", "1/9", 7), 9)]
    assert composed_epsilon(groups, "1e-5", resolution=10).relative_width < 1e-2


def test_epsilon_and_delta_are_two_readings_of_one_interval():
    release = SETTINGS[2]
    epsilon = composed_epsilon(release, "1e-3", steps=3, resolution=6)
    upper = composed_delta(release, Fraction(epsilon.lower), steps=3, resolution=6)
    lower = composed_delta(release, Fraction(epsilon.upper), steps=3, resolution=6)
    assert lower.lower <= 1e-3 <= upper.upper
