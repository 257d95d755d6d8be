"""Laws of noise at the released iterate: its sensitivity holds for all records, is attained, and prices steps."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.errors import InputError
from rgm_verify.experiments.methods.two_node_moments import NoiseLaw, NoiseOfIterate, two_node_moments
from rgm_verify.learning.descent.at_the_iterate import NoiseAtTheIterate
from rgm_verify.learning.descent.gradient_descent import iterate_gaussian_descent
from rgm_verify.learning.descent.privacy import gaussian_epsilon
from rgm_verify.learning.ridge import RidgeObjective
from rgm_verify.learning.sensitivity.at_iterate import SensitivityAtIterate, gradient_sensitivity
from rgm_verify.learning.sensitivity.of_domain import RecordDomain
from rgm_verify.mechanisms.sensitivity import Adjacency

eighths = st.integers(-24, 24).map(lambda k: Fraction(k, 8))
sizes = st.fractions(Fraction(1, 8), 8, max_denominator=16)
ABOVE = Fraction(1, 10**12)  # `largest_difference` is above the largest value by less than this share of it


@st.composite
def in_a_ball(draw, radius, labels):
    """A record of three features, exact, and a label."""
    t, s = draw(eighths), draw(eighths)
    share = draw(st.integers(0, 8).map(lambda k: Fraction(k, 8)))
    scale = radius * share / (1 + t * t + s * s)
    # Stereographic projection: a rational point of the sphere, shortened.
    record = [2 * t * scale, 2 * s * scale, (1 - t * t - s * s) * scale]
    return record, labels * draw(st.integers(-8, 8).map(lambda k: Fraction(k, 8)))


def gradient(record, label, theta):
    residual = sum((x * t for x, t in zip(record, theta, strict=True)), Fraction(0)) - label
    return [x * residual for x in record]


def squared(vector):
    return sum((x * x for x in vector), Fraction(0))


@given(st.data(), sizes, sizes, st.integers(1, 50), st.lists(eighths, min_size=3, max_size=3))
def test_no_two_records_of_the_domain_move_the_gradient_farther(data, radius, labels, records, theta):
    (x, y), (z, s) = data.draw(in_a_ball(radius, labels)), data.draw(in_a_ball(radius, labels))
    first, second = gradient(x, y, theta), gradient(z, s, theta)
    bound = SensitivityAtIterate(RecordDomain(radius, labels), records)(np.array([float(t) for t in theta]))
    assert squared([(a - b) / records for a, b in zip(first, second, strict=True)]) <= bound**2
    alone = SensitivityAtIterate(RecordDomain(radius, labels), records, Adjacency.ADD_OR_REMOVE)
    assert squared([a / records for a in first]) <= alone(np.array([float(t) for t in theta])) ** 2


@given(sizes, sizes, st.integers(1, 50), st.fractions(0, 20, max_denominator=8))
def test_two_mirrored_records_attain_it(radius, labels, records, norm):
    """The angle is rational and within 2^-30 of the best one, where the slope is 0: what is lost is its square."""
    k = float(radius * norm / labels)
    cosine = 2 * k / (1 + math.sqrt(1 + 8 * k * k))
    half = Fraction(math.tan(math.acos(cosine) / 2)).limit_denominator(2**31)
    along, across = (1 - half**2) / (1 + half**2), 2 * half / (1 + half**2)
    theta = [norm, Fraction(0)]
    moved = [
        (a - b) / records
        for a, b in zip(
            gradient([radius * along, radius * across], -labels, theta),
            gradient([radius * along, -radius * across], -labels, theta),
            strict=True,
        )
    ]
    bound = gradient_sensitivity(RecordDomain(radius, labels), records, norm)
    assert squared(moved) <= bound**2 <= squared(moved) * (1 + 4 * ABOVE)


@given(sizes, sizes, st.fractions(0, 9, max_denominator=8), st.fractions(0, 9, max_denominator=8))
def test_its_square_is_concave_in_the_squared_norm(radius, labels, first, second):
    domain = RecordDomain(radius, labels)
    between = Fraction(math.sqrt((first**2 + second**2) / 2) * (1 + 2**-50))
    mean = sum(gradient_sensitivity(domain, 1, norm) ** 2 for norm in (first, second)) / 2
    assert mean <= gradient_sensitivity(domain, 1, between) ** 2 * (1 + 4 * ABOVE)


@given(sizes, st.fractions(0, 9, max_denominator=8))
def test_without_labels_it_is_the_limit_of_small_labels(radius, norm):
    """Labels of at most Y add at most `2 R Y`: by the triangle inequality."""
    small = Fraction(1, 10**9)
    with_labels, without = (gradient_sensitivity(RecordDomain(radius, y), 1, norm) for y in (small, 0))
    assert without == radius**2 * norm
    assert without <= with_labels <= without + 2 * radius * small


@given(st.fractions(Fraction(9, 8), 40, max_denominator=8), sizes, st.lists(eighths, min_size=2, max_size=2))
def test_every_release_has_the_level_asked_for_and_hardly_less(order, level, theta):
    noise = NoiseAtTheIterate.of_level(order, level, SensitivityAtIterate(RecordDomain(1, 1), 7))
    point = np.array([float(t) for t in theta])
    reached = order * noise.sensitivity(point) ** 2 / (2 * noise.variance(point))
    assert level * (1 - Fraction(1, 2**50)) <= reached <= level


X, Y = np.array([[1.0, 0.5], [0.25, -1.0], [0.5, 0.5], [-1.0, 0.75]]), np.array([1.0, 0.0, 1.0, -1.0])
NOISE = NoiseAtTheIterate(Fraction(9), SensitivityAtIterate(RecordDomain(2, 1), 4))


def descent(**changes):
    options = {
        "noise": NOISE,
        "neighbours": "replace_one",
        "step": "1/2",
        "steps": 3,
        "delta": "1e-5",
        "generator": np.random.default_rng(1),
    }
    return iterate_gaussian_descent(RidgeObjective.of(X, Y, 1).gradient, [0, 0], **options | changes)


def test_a_run_costs_what_gaussian_releases_of_sensitivity_one_cost_wherever_it_goes():
    found = descent()
    assert found.epsilon == gaussian_epsilon(1, 9, steps=3, delta="1e-5")
    assert descent(step="1/8").epsilon == found.epsilon
    assert np.array_equal(found.iterates[1:], found.iterates[:-1] - 0.5 * found.released)
    assert found.adjacency is Adjacency.REPLACE_ONE


def test_the_noise_of_a_step_is_that_of_its_iterate():
    """One generator in two runs: the noise is the same normal numbers, times the root of each iterate's variance."""
    objective, run = RidgeObjective.of(X, Y, 1), descent(steps=6)
    rng = np.random.default_rng(1)
    for theta, released in zip(run.iterates, run.released, strict=False):
        assert np.array_equal(released, NOISE.at(theta).release(objective.gradient(theta), rng))
    assert len({float(NOISE.variance(theta)) for theta in run.iterates}) == 7


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"largest_epsilon": "1/100"}, "largest_epsilon"),
        ({"delta": 0}, "delta"),
        ({"steps": 0}, "steps"),
        ({"neighbours": "some"}, "some"),
        ({"generator": 3}, "generator"),
    ],
)
def test_bad_arguments_of_a_run_are_named_before_the_data_are_looked_at(change, message):
    def never(theta):
        raise AssertionError("the gradient was asked for")

    options = {"noise": NOISE, "neighbours": "replace_one", "step": "1/2", "steps": 3, "delta": "1e-5"}
    options |= {"generator": np.random.default_rng(1)}
    with pytest.raises(InputError, match=message):
        iterate_gaussian_descent(never, [0, 0], **options | change)


@pytest.mark.parametrize(
    "make",
    [
        lambda: NoiseAtTheIterate(Fraction(0), NOISE.sensitivity),
        lambda: NoiseAtTheIterate.of_level(1, "1/10", NOISE.sensitivity),
        lambda: NoiseAtTheIterate.of_level(2, 0, NOISE.sensitivity),
        lambda: SensitivityAtIterate(RecordDomain(1, 0), 4),
        lambda: SensitivityAtIterate(RecordDomain(1, 1), 0),
        lambda: gradient_sensitivity(RecordDomain(1, 1), 4, -1),
    ],
)
def test_numbers_out_of_range_are_refused(make):
    with pytest.raises(InputError, match=r"ratio|order|level|labels|records|norm"):
        make()


def test_moments_with_a_sensitivity_that_does_not_move_are_those_of_constant_noise():
    objective = RidgeObjective.of(X, Y, 1)
    constant = NoiseAtTheIterate(Fraction(9), lambda _: Fraction(1, 2))
    laws = NoiseOfIterate(constant, np.zeros(2)), NoiseLaw(0.0, 2.25)
    first, second = (two_node_moments([objective], [law], np.ones(2), step=0.25, steps=20) for law in laws)
    assert np.array_equal(first.variances, second.variances)


def test_the_bound_on_the_moments_is_near_the_truth_after_two_steps():
    """After one step the iterate is normal, so that the mean of the next variance is an integral over the plane."""
    objective, centre = RidgeObjective.of(X, Y, 1), np.array([3.0, -2.0])
    noise = NoiseAtTheIterate(Fraction(9), SensitivityAtIterate(RecordDomain(2, 1), 4, centre=centre))
    law = NoiseOfIterate(noise, centre)
    found = two_node_moments([objective], [law], np.ones(2), step=0.25, steps=2)
    nodes, weights = np.polynomial.hermite_e.hermegauss(24)
    weights = weights / weights.sum()
    deviation = math.sqrt(found.variances[1][0])
    mean = sum(
        a * b * float(noise.variance(found.means[1] + deviation * np.array([x, z])))
        for x, a in zip(nodes, weights, strict=True)
        for z, b in zip(nodes, weights, strict=True)
    )
    eigenvalues = np.linalg.eigvalsh(objective.hessian)
    truth = (1 - 0.25 * eigenvalues) ** 2 * found.variances[1][0] + 0.25**2 * mean
    assert np.all(truth <= found.variances[2])
    assert np.all(found.variances[2] <= 1.25 * truth)
