"""Laws of the test of a level: its statistic moves by at most one, its sign is the order, and its odds are delta."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rgm_verify.balls.statistics.confidence import clopper_pearson
from rgm_verify.errors import InputError
from rgm_verify.learning.clipping import propose_test_release
from rgm_verify.learning.clipping.propose_test_release import ClippedFeatures, LevelTest, distance_statistic, level_test
from rgm_verify.numbers.sampling import spawn

entries = st.floats(-1e4, 1e4).map(lambda x: 0.0 if abs(x) < 1e-8 else x)
integers = st.integers(-3, 3).map(float)
maps = st.sampled_from(["both norms", "ellipsoid"])
levels = st.fractions(Fraction(1, 100), 3, max_denominator=100)


@st.composite
def problems(draw):
    n, d = draw(st.integers(1, 8)), draw(st.integers(1, 3))
    X = draw(hnp.arrays(np.float64, (n, d), elements=entries))
    factor = draw(hnp.arrays(np.float64, (d, d), elements=integers))
    return X, factor @ factor.T + np.eye(d), draw(st.floats(1e-2, 1e2)), draw(maps)


@given(problems(), levels, st.integers(0, 8), st.data())
def test_the_statistic_moves_by_at_most_one_between_neighbours(problem, rho, eighths, data):
    X, C, radius, clipped_by = problem
    index = data.draw(st.integers(0, len(X) - 1))
    other = X.copy()
    other[index] = data.draw(hnp.arrays(np.float64, X.shape[1], elements=entries))
    found = [
        distance_statistic(ClippedFeatures.of(rows, C, radius, clipped_by), rho, regularization=eighths / 8)
        for rows in (X, other)
    ]
    assert found[0][1] == found[1][1]  # the bound on the rounding is no secret
    assert abs(found[0][0] - found[1][0]) <= 1 + 2 * found[0][1]


@given(
    st.lists(st.integers(-40, 40).map(lambda k: k / 8), min_size=1, max_size=8), st.integers(1, 64), st.integers(0, 16)
)
def test_on_the_line_the_statistic_is_the_definition(points, c, eighths):
    features = ClippedFeatures.of([[x] for x in points], [[float(c)]], 1, "ellipsoid")
    rho = Fraction(1, 4)
    exact = (sum(Fraction(float(x)) ** 2 for x in features.rows[:, 0]) / len(points) + Fraction(eighths, 8)) / c - rho
    found, error = distance_statistic(features, rho, regularization=eighths / 8)
    assert abs(Fraction(found) - len(points) * exact) <= Fraction(error)


@given(problems(), levels, st.integers(1, 8))
def test_a_higher_level_has_a_smaller_statistic(problem, rho, quarters):
    X, C, radius, clipped_by = problem
    features = ClippedFeatures.of(X, C, radius, clipped_by)
    low, high = (distance_statistic(features, level) for level in (rho, rho * (1 + Fraction(quarters, 4))))
    assert high[0] <= low[0] + low[1] + high[1]


@given(problems(), levels)
def test_copies_of_the_data_multiply_the_statistic(problem, rho):
    X, C, radius, clipped_by = problem
    once, error = distance_statistic(ClippedFeatures.of(X, C, radius, clipped_by), rho)
    twice, larger = distance_statistic(ClippedFeatures.of(np.concatenate([X, X]), C, radius, clipped_by), rho)
    assert abs(twice - 2 * once) <= larger + 2 * error


def outcome_of(X, generator, **changes):
    options = {"rho": "1/10", "epsilon": 1, "delta": "1e-3", "regularization": 0}
    return level_test(ClippedFeatures.of(X, np.eye(2), 1), generator=generator, **options | changes)


@given(
    st.fractions(Fraction(1, 100), 20, max_denominator=100),
    st.sampled_from(["1e-3", "1e-9", "49/100", "1e-30"]),
    levels,
)
def test_at_the_edge_the_test_passes_with_probability_at_most_delta(epsilon, delta, rho):
    found = outcome_of(np.eye(2), spawn(1, 1)[0], epsilon=epsilon, delta=delta, rho=rho)
    _, error = distance_statistic(ClippedFeatures.of(np.eye(2), np.eye(2), 1), rho)
    with mpmath.workdps(40):
        away = mpmath.mpf(found.threshold) - (1 + mpmath.mpf(error))
        scale = (1 + 2 * mpmath.mpf(error)) / (mpmath.mpf(epsilon.numerator) / epsilon.denominator)
        assert mpmath.exp(-away / scale) / 2 <= mpmath.mpf(Fraction(delta).numerator) / Fraction(delta).denominator


def test_data_on_the_edge_pass_as_rarely_as_promised_and_good_data_pass():
    # Two equal records in one direction: lambda_min = 0, so the level fails; with rho tiny the statistic is about 0.
    bad, good = np.tile([1.0, 0.0], (50, 1)), np.tile(np.eye(2), (200, 1))
    trials, false_alarm, generator = 2_000, 1e-9, spawn(20_240_006, 1)[0]
    options = {"delta": "1/10", "rho": "1/1000"}
    passed = sum(outcome_of(bad, generator, **options).passed for _ in range(trials))
    assert clopper_pearson(passed, trials, false_alarm).lower <= 0.1
    # Power: the statistic moved up by two, as by a sensitivity of three, would be noticed.
    edge = outcome_of(bad, generator, **options)
    moved = sum(2 + generator.laplace() > edge.threshold for _ in range(trials))
    assert clopper_pearson(moved, trials, false_alarm).lower > 0.1
    assert all(outcome_of(good, generator).passed for _ in range(50))


def test_the_total_takes_the_larger_delta():
    outcome = LevelTest(9.0, 8.0, Fraction(1, 10), Fraction(1), Fraction(1, 1000))
    assert outcome.passed
    assert outcome.total("1/2", "1e-5") == (Fraction(3, 2), Fraction(1, 1000))
    assert outcome.total("1/2", "1e-2") == (Fraction(3, 2), Fraction(1, 100))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rho": 0}, "rho=0: the proposed level rho must be > 0"),
        ({"rho": -1}, "rho=-1"),
        ({"epsilon": 0}, "epsilon=0"),
        ({"delta": "1/2"}, "delta='1/2': must be < 1/2"),
        ({"delta": 0}, "delta=0"),
        ({"regularization": -1}, "regularization=-1"),
        ({"generator": None}, "generator=None"),
    ],
)
def test_bad_options_are_refused_before_any_noise(changes, message):
    generator = np.random.default_rng(1)
    before = generator.bit_generator.state
    with pytest.raises(InputError, match=message):
        outcome_of(np.eye(2), **{"generator": generator} | changes)
    assert generator.bit_generator.state == before


def test_bad_features_are_refused():
    with pytest.raises(InputError, match="allowed are both norms, ellipsoid"):
        ClippedFeatures.of(np.eye(2), np.eye(2), 1, "box")
    with pytest.raises(InputError, match="the statistic is known to"):
        distance_statistic(ClippedFeatures.of(np.tile(np.eye(2), (50, 1)), np.diag([1.0, 1e11]), 1), 1)


def test_the_bound_on_the_rounding_counts_every_record_and_the_matrix():
    one, many, twice = (np.tile(np.eye(2), (n, 1)) for n in (1, 10_000, 20_000))
    small, large, larger = (distance_statistic(ClippedFeatures.of(X, np.eye(2), 1), 1)[1] for X in (one, many, twice))
    slack = ClippedFeatures.of(one, np.eye(2), 1).shape.slack
    assert small >= 2 * 4 * slack * (1 + 1)  # two records; the level is as large as the radius squared
    assert 2 * large <= larger <= 2.1 * large  # in proportion to the records, and not to their square


@pytest.mark.parametrize("rho", ["1/3", "1/10", "2/3"])
def test_the_level_that_is_tested_is_not_below_the_one_that_is_vouched_for(rho, monkeypatch):
    tested = []
    true = propose_test_release.distance_statistic
    monkeypatch.setattr(
        propose_test_release, "distance_statistic", lambda f, level, **o: (tested.append(level), true(f, level, **o))[1]
    )
    assert outcome_of(np.eye(2), np.random.default_rng(1), rho=rho).rho == Fraction(rho)
    assert Fraction(tested[0]) >= Fraction(rho)
