"""Laws of `PrivateRidge`: records in bounds, sensitivity from public numbers, certified noise, copies and seeds."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

pytest.importorskip("sklearn", reason="the extra `sklearn` is not installed")
from sklearn.base import clone

from rgm_verify.accounting.calibration import UnreachableTarget, floor
from rgm_verify.errors import InputError
from rgm_verify.gaussians.enclosures import hockey_stick
from rgm_verify.gaussians.pair import GaussianPair
from rgm_verify.learning import PrivateRidge
from rgm_verify.learning.data import row_norms_above
from rgm_verify.learning.private_ridge.bounds import RecordBounds
from rgm_verify.learning.private_ridge.descent import into_ball, objective_of
from rgm_verify.learning.private_ridge.noise import gaussian_plan, iterate_plan, relative_plan
from rgm_verify.learning.private_ridge.sensitivity import AtIterate, PublicRidge
from rgm_verify.learning.private_ridge.statistics import matrix_and_vector, moments_of, noise_edge, solved
from rgm_verify.mechanisms.sensitivity import AbsoluteSensitivity, Adjacency

EPS = float(np.finfo(np.float64).eps)
sizes = st.fractions(Fraction(1, 100), 100, max_denominator=1000)
entries = st.floats(-1e3, 1e3).map(lambda x: 0.0 if abs(x) < 1e-9 else x)
kinds = st.sampled_from(list(Adjacency))
targets = st.tuples(
    st.fractions(Fraction(1, 50), 20, max_denominator=1000), st.sampled_from(["1/10", "1e-3", "1e-6", "1e-12"])
)


def exactly(values):
    return [Fraction(float(v)) for v in np.ravel(values)]


def dot(a, b):
    return sum((p * q for p, q in zip(a, b, strict=True)), Fraction(0))


def norm_squared(a):
    return dot(a, a)


@st.composite
def neighbours(draw, kind=None):
    """Two data sets in bounds that are neighbours, what is public about them, and a point of the ball."""
    kind = kind or draw(kinds)
    n, d = draw(st.integers(2, 5)), draw(st.integers(1, 3))
    bounds = RecordBounds.of(draw(sizes), draw(sizes), d)
    X, y = (
        draw(hnp.arrays(np.float64, (n + 1, d), elements=entries)),
        draw(hnp.arrays(np.float64, n + 1, elements=entries)),
    )
    if draw(st.booleans()):  # on the boundary, where things are worst
        X, y = 1e4 * X, 1e4 * y
    X, y = bounds.keep(X, y, "clip")
    first = X[:n], y[:n]
    second = (X[1:], y[1:]) if kind is Adjacency.REPLACE_ONE else (X, y)
    divisor = n if kind is Adjacency.REPLACE_ONE else draw(st.integers((n + 2) // 2, 3 * n))
    mu = Fraction(float(draw(sizes)))
    public = PublicRidge(Fraction(bounds.features), Fraction(bounds.labels), mu, divisor, d, kind)
    theta = draw(hnp.arrays(np.float64, d, elements=entries))
    return first, second, public, into_ball(theta, public.radius)


def exact_gradient(data, public, theta):
    """`sum x (x.theta - y) / N + mu theta` in exact arithmetic."""
    point = exactly(theta)
    total = [public.regularization * t for t in point]
    for row, label in zip(*data, strict=True):
        x = exactly(row)
        residual = dot(x, point) - Fraction(float(label))
        total = [g + a * residual / public.divisor for g, a in zip(total, x, strict=True)]
    return total


def computed_gradient(data, public, theta):
    objective = objective_of(*data, public)
    return objective.hessian @ theta - objective.moment


# ------------------------------------------------------------------------------------------------------ bounds


@given(hnp.arrays(np.float64, (4, 3), elements=st.floats(-1e300, 1e300)), sizes, sizes, st.data())
def test_clipped_records_keep_the_bounds_exactly_and_each_alone(X, feature_bound, label_bound, data):
    y = data.draw(hnp.arrays(np.float64, 4, elements=st.floats(-1e300, 1e300)))
    bounds = RecordBounds.of(feature_bound, label_bound, 3)
    rows, labels = bounds.keep(X, y, "clip")
    for row, label in zip(rows, labels, strict=True):
        assert norm_squared(exactly(row)) <= Fraction(bounds.features) ** 2
        assert abs(Fraction(label)) <= Fraction(bounds.labels)
    # Each record alone, bit for bit: so neighbours stay neighbours.
    for i in range(4):
        row, label = bounds.keep(X[i : i + 1], y[i : i + 1], "clip")
        assert row.tobytes() == rows[i].tobytes()
        assert label.tobytes() == labels[i].tobytes()
    again = bounds.keep(rows, labels, "refuse")
    assert again[0] is rows
    assert again[1] is labels


@given(hnp.arrays(np.float64, (4, 3), elements=entries), sizes)
def test_what_was_scaled_to_the_bound_is_within_it_and_stays_as_it_is(X, feature_bound):
    norms = np.linalg.norm(X, axis=1, keepdims=True)
    assume(norms.min() > 0)
    rows = X / norms * float(feature_bound)
    bounds = RecordBounds.of(feature_bound, 1, 3)
    kept, _ = bounds.keep(rows, np.ones(4), "refuse")
    assert kept is rows
    # Not much more than the bound is within it: what is 1 + 64 (d + 6) roundings of it is not.
    beyond = rows * (1 + 64 * 9 * EPS)
    with pytest.raises(InputError, match="feature_bound"):
        bounds.keep(beyond, np.ones(4), "refuse")


@given(st.integers(1, 30), st.integers(0, 100), st.integers(-40, 40), sizes)
def test_the_quick_look_at_norms_says_what_the_slow_one_says(d, seed, steps, feature_bound):
    """Rows around the bound and just inside of it, where both have to agree on each, and on tiny and huge ones."""
    bounds = RecordBounds.of(feature_bound, 1, d)
    rows = np.random.default_rng(seed).normal(size=(40, d))
    rows *= bounds.features / np.linalg.norm(rows, axis=1, keepdims=True) * (1 + steps * EPS)
    rows = np.vstack([rows, rows * (1 - 1e-12), rows * 1e-200, rows * 1e200])
    expected = row_norms_above(rows) > bounds.features
    kept, _ = bounds.keep(rows, np.zeros(160), "clip")
    assert ((kept != rows).any(axis=1) == expected).all()
    assert expected[120:].all()
    assert not expected[40:120].any()


@given(hnp.arrays(np.float64, 3, elements=st.floats(-1e150, 1e150)), st.floats(1e-40, 1e40))
def test_what_is_moved_into_the_ball_is_in_it_exactly(theta, radius):
    moved = into_ball(theta, radius)
    assert norm_squared(exactly(moved)) <= Fraction(radius) ** 2


# ------------------------------------------------------------------------------------------------- sensitivity


@given(neighbours())
def test_a_computed_gradient_is_within_its_rounding_of_the_exact_one(problem):
    first, second, public, theta = problem
    for data in (first, second):
        error = [
            a - b
            for a, b in zip(
                exactly(computed_gradient(data, public, theta)), exact_gradient(data, public, theta), strict=True
            )
        ]
        assert norm_squared(error) <= public.rounding**2


@given(neighbours())
def test_computed_gradients_of_neighbours_differ_by_at_most_the_sensitivity(problem):
    first, second, public, theta = problem
    gradients = [computed_gradient(data, public, theta) for data in (first, second)]
    assert public.absolute().admits(*gradients)


@given(neighbours(kind=Adjacency.REPLACE_ONE))
def test_computed_gradients_of_neighbours_are_relatively_sensitive(problem):
    first, second, public, theta = problem
    gradients = [computed_gradient(data, public, theta) for data in (first, second)]
    assert public.relative().admits(*gradients)


@given(neighbours(), st.fractions(0, 1))
def test_computed_gradients_differ_by_at_most_the_sensitivity_at_the_point(problem, share):
    first, second, public, theta = problem
    point = into_ball(theta * float(share), public.radius)
    gradients = [computed_gradient(data, public, point) for data in (first, second)]
    stated = public.absolute_at(point)
    pairs = zip(*(exactly(g) for g in gradients), strict=True)
    assert norm_squared([a - b for a, b in pairs]) <= stated**2
    # It grows with the norm, up to that of the ball.
    assert stated <= public.absolute_at(theta) * Fraction(1 + 8 * EPS) or norm_squared(exactly(theta)) == 0
    assert public.absolute_at(theta) <= public.absolute().bound * Fraction(1 + 16 * (public.dimension + 5) * EPS)
    assert AtIterate(public)(point) == stated
    # At 0 two labels at their bounds are apart, or one is there or not; and either gradient is rounded.
    labels = (2 if public.adjacency is Adjacency.REPLACE_ONE else 1) * public.feature_bound * public.label_bound
    assert public.absolute_at(np.zeros(public.dimension)) >= labels / public.divisor + 2 * public.rounding


def on_the_circle(angle):
    """A rational point next to an angle, exactly on the unit circle."""
    t = Fraction(math.tan(angle / 2))
    return (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)


@given(sizes, sizes, sizes, st.integers(2, 50))
def test_the_sensitivity_is_attained_by_two_records_that_mirror_each_other(b, y, mu, n):
    public = PublicRidge(b, y, mu, n, 2, Adjacency.REPLACE_ONE)
    t = Fraction(public.radius)
    k = float(b * t / y)
    cosine, sine = on_the_circle(math.acos(2 * k / (1 + math.sqrt(1 + 8 * k * k))))
    # x = B (cos, +-sin) with the label -Y, at theta = (T, 0): the difference is 2 B sin (B T cos + Y).
    attained = 2 * b * sine * (b * t * cosine + y) / n
    bound = public.absolute().bound - 2 * public.rounding
    assert Fraction(1 - 64 * EPS) * bound <= attained <= public.absolute().bound


@given(sizes, sizes, sizes, st.integers(2, 50))
def test_the_sensitivity_with_a_record_more_is_attained(b, y, mu, n):
    public = PublicRidge(b, y, mu, n, 1, Adjacency.ADD_OR_REMOVE)
    attained = b * (b * Fraction(public.radius) + y) / n
    assert Fraction(1 - 4 * EPS) * (public.absolute().bound - 2 * public.rounding) <= attained


@given(sizes, sizes, sizes, st.integers(2, 50))
def test_no_smaller_relative_part_would_do(b, y, mu, n):
    # All records 0 but one of length B that comes: the gradients are mu theta and (mu + B^2/n) theta without labels.
    public = PublicRidge(b, y, mu, n, 1, Adjacency.REPLACE_ONE)
    e = b * b / (n * mu)
    assert Fraction(5, 3) * e <= public.relative().eta <= Fraction(5, 3) * e * Fraction(1 + 4 * EPS)


@given(neighbours(kind=Adjacency.REPLACE_ONE))
def test_the_minimiser_is_in_the_ball(problem):
    (X, y), _, public, _ = problem
    assume(public.dimension == 2)
    n, rows, labels = public.divisor, [exactly(row) for row in X], exactly(y)
    a = [[dot([r[i] for r in rows], [r[j] for r in rows]) / n for j in range(2)] for i in range(2)]
    a[0][0], a[1][1] = a[0][0] + public.regularization, a[1][1] + public.regularization
    c = [dot([r[i] for r in rows], labels) / n for i in range(2)]
    determinant = a[0][0] * a[1][1] - a[0][1] * a[1][0]
    solution = [
        (a[1][1] * c[0] - a[0][1] * c[1]) / determinant,
        (a[0][0] * c[1] - a[1][0] * c[0]) / determinant,
    ]
    assert norm_squared(solution) <= Fraction(public.minimiser_radius) ** 2


@given(sizes, sizes, sizes)
def test_the_ball_of_the_minimisers_is_no_larger_than_needed(b, y, mu):
    # One feature, the same record every time, as long as is worst: min(B, sqrt(mu)).
    public = PublicRidge(b, y, mu, 3, 1, Adjacency.REPLACE_ONE)
    longest = min(float(b), math.sqrt(mu))
    assert longest * float(y) / (longest**2 + float(mu)) >= public.minimiser_radius * (1 - 16 * EPS)


# ----------------------------------------------------------------------------------------------------- moments


def exact_moments(data, public):
    """All d^2 entries of `sum x x^T / B^2`, and `sum y x / (B Y)`, in exact arithmetic."""
    b, largest, d = public.feature_bound, public.label_bound, public.dimension
    matrix, vector = [Fraction(0)] * d**2, [Fraction(0)] * d
    for row, label in zip(*data, strict=True):
        x, y = exactly(row), Fraction(float(label))
        matrix = [m + x[i // d] * x[i % d] / b**2 for i, m in enumerate(matrix)]
        vector = [v + a * y / (b * largest) for v, a in zip(vector, x, strict=True)]
    return matrix + vector


LEAST = {Adjacency.REPLACE_ONE: Fraction(9, 2), Adjacency.ADD_OR_REMOVE: Fraction(2)}


@given(neighbours())
def test_exact_moments_of_neighbours_move_by_at_most_what_is_proved(problem):
    first, second, public, _ = problem
    pairs = zip(exact_moments(first, public), exact_moments(second, public), strict=True)
    assert norm_squared([a - b for a, b in pairs]) <= LEAST[public.adjacency]


@given(neighbours())
def test_computed_moments_of_neighbours_differ_by_at_most_the_sensitivity(problem):
    first, second, public, _ = problem
    assert public.moments().admits(*(moments_of(*data, public) for data in (first, second)))


@given(neighbours())
def test_computed_moments_are_within_their_rounding_of_the_exact_ones(problem):
    first, second, public, _ = problem
    rounding = public.moments().bound ** 2 - LEAST[public.adjacency]
    assert 0 < rounding < Fraction(1, 10**10)
    for data in (first, second):
        matrix, column = matrix_and_vector(moments_of(*data, public), public.dimension)
        vector = column[:, 0]
        assert (matrix == matrix.T).all()
        computed = exactly(matrix) + exactly(vector)
        pairs = zip(computed, exact_moments(data, public), strict=True)
        assert norm_squared([a - b for a, b in pairs]) <= (rounding / 2) ** 2


@given(st.integers(2, 6), st.integers(2, 50), kinds)
def test_the_sensitivity_of_moments_is_attained(d, n, kind):
    # Two records at an angle of 60 degrees, with the labels 1 and -1; and one with the label 1.
    public = PublicRidge(Fraction(1), Fraction(1), Fraction(0), n, d, kind)
    up, down = np.zeros((1, d)), np.zeros((1, d))
    up[0, :2], down[0, :2] = (math.sqrt(3) / 2, 0.5), (math.sqrt(3) / 2, -0.5)
    apart = moments_of(up, np.ones(1), public)
    if kind is Adjacency.REPLACE_ONE:
        apart = apart - moments_of(down, -np.ones(1), public)
    assert abs(norm_squared(exactly(apart)) / LEAST[kind] - 1) <= 64 * Fraction(EPS)
    # So with 1e-9 less nothing would hold any more.
    assert norm_squared(exactly(apart)) > (public.moments().bound * (1 - Fraction(1, 10**9))) ** 2


def account_of_moments(n, d, **options):
    given = {"epsilon": 1, "delta": "1e-6", "feature_bound": 1, "label_bound": 1, "mechanism": "statistics"}
    return PrivateRidge(**given | options).accounted(n, d)


vectors_of_moments = st.integers(1, 4).flatmap(
    lambda d: hnp.arrays(np.float64, d * (d + 3) // 2, elements=st.floats(-1e6, 1e6)).map(lambda m: (d, m))
)


def coefficients(released, privacy):
    return solved(released, privacy).coefficients[:, 0]


@given(vectors_of_moments, st.none() | sizes, sizes, sizes)
def test_coefficients_solve_a_system_no_smaller_than_the_noise_and_the_penalty(released, mu, b, y):
    d, moments = released
    privacy = account_of_moments(100, d, regularization=mu, feature_bound=b, label_bound=y)
    unit = float(privacy.public.label_bound / privacy.public.feature_bound)
    penalty, edge = float(100 * privacy.public.regularization / privacy.public.feature_bound**2), noise_edge(privacy)
    matrix, column = matrix_and_vector(moments, d)
    vector = column[:, 0]
    longest = np.linalg.norm(vector) * unit / max(edge, penalty)
    assert np.linalg.norm(coefficients(moments, privacy)) <= longest * (1 + 1e-12)
    # With all eigenvalues lifted above the noise nothing is changed: the usual system, up to its condition.
    lifted = moments.copy()
    lifted[:d] += 2 * edge - np.linalg.eigvalsh(matrix).min()
    matrix, _ = matrix_and_vector(lifted, d)
    values, found = np.linalg.eigvalsh(matrix), (matrix + penalty * np.eye(d)) @ coefficients(lifted, privacy)
    error = 1e3 * EPS * np.linalg.norm(vector) * unit * values.max() / values.min()
    assert np.linalg.norm(found - vector * unit) <= error


def test_what_is_above_the_noise_is_solved_as_it_is():
    privacy = account_of_moments(100, 2)
    unit = float(privacy.public.label_bound / privacy.public.feature_bound)
    assert 10 < noise_edge(privacy) < 100
    theta = coefficients(np.array([1000.0, 3000.0, 0.0, 500.0, -600.0]), privacy)
    assert np.abs(theta / unit - [0.5, -0.2]).max() <= 4 * EPS
    # Below the edge, and below 0, the edge stands in its place.
    edge = noise_edge(privacy)
    theta = coefficients(np.array([1000.0, -3000.0, 0.0, 500.0, -600.0]), privacy)
    assert np.abs(theta / unit - [0.5, -600 / edge]).max() <= 16 * EPS
    # With a penalty they count as 0, and the penalty is added.
    penalised = account_of_moments(100, 2, regularization=10)
    penalty = float(1000 / penalised.public.feature_bound**2)
    theta = coefficients(np.array([1000.0, -3000.0, 0.0, 500.0, -600.0]), penalised)
    assert np.abs(theta / unit - [500 / (1000 + penalty), -600 / penalty]).max() <= 16 * EPS


@given(neighbours(kind=Adjacency.REPLACE_ONE), st.integers(-20, 20), st.integers(-20, 20))
def test_units_do_not_matter(problem, more, up):
    (X, y), _, public, _ = problem
    options = {"epsilon": 1, "delta": "1e-6", "mechanism": "statistics", "random_state": 3, "out_of_bounds": "clip"}
    fits = []
    for k, j in ((0, 0), (more, up)):
        b, label = public.feature_bound * Fraction(2) ** k, public.label_bound * Fraction(2) ** j
        fits.append(PrivateRidge(**options, feature_bound=b, label_bound=label).fit(X * 2.0**k, y * 2.0**j))
    assert (fits[1].coef_ * 2.0 ** (more - up)).tolist() == fits[0].coef_.tolist()
    # The noise is in units of the bounds: the account is the same.
    assert fits[0].privacy_.plan == fits[1].privacy_.plan


@settings(max_examples=25)
@given(targets, st.integers(2, 10**6), st.integers(1, 30), sizes, sizes, st.none() | sizes, st.booleans(), kinds)
def test_every_release_of_moments_keeps_its_promise(target, n, d, b, y, mu, intercept, kind):
    options = {"fit_intercept": intercept, "neighbours": kind, "divisor": None if kind is Adjacency.REPLACE_ONE else n}
    privacy = account_of_moments(
        n, d, epsilon=target[0], delta=target[1], feature_bound=b, label_bound=y, regularization=mu, **options
    )
    assert Fraction(privacy.epsilon.upper) <= target[0]
    assert (privacy.delta, privacy.steps, privacy.step) == (Fraction(target[1]), 1, None)
    # By another route: delta at epsilon of one Gaussian release of the sensitivity that is proved.
    deviation = Fraction(float(np.sqrt(privacy.noise.variance(np.zeros(1)))))
    assert hockey_stick(GaussianPair(LEAST[kind] / deviation**2, 0, 1), target[0]).upper <= Fraction(target[1])
    # Neither waste: with 1e-5 less variance it would fail.
    assert hockey_stick(
        GaussianPair(LEAST[kind] / deviation**2 * Fraction(100_001, 100_000), 0, 1), target[0]
    ).lower > (Fraction(target[1]))


# ------------------------------------------------------------------------------------------------------- noise


@settings(max_examples=40)
@given(targets, sizes, st.integers(1, 300))
def test_the_accounted_epsilon_is_at_most_the_one_asked_for(target, bound, steps):
    epsilon, delta = target[0], Fraction(target[1])
    plan = gaussian_plan(epsilon, delta, AbsoluteSensitivity(bound, "replace_one"), steps)
    assert Fraction(plan.epsilon.upper) <= epsilon
    # By another route: delta at epsilon, for the variance that the floats of the mechanism really have.
    deviation = Fraction(float(np.sqrt(plan.noise.variance(np.zeros(1)))))
    shift = steps * bound**2 / deviation**2
    assert hockey_stick(GaussianPair(shift, 0, 1), epsilon).upper <= delta
    # And not by waste: with 1e-5 less variance it would fail.
    assert hockey_stick(GaussianPair(shift * Fraction(100_001, 100_000), 0, 1), epsilon).lower > delta


@settings(max_examples=25)
@given(targets, neighbours(), st.integers(1, 300))
def test_noise_at_the_iterate_costs_what_was_asked_at_every_iterate(target, problem, steps):
    epsilon, delta, (_, _, public, theta) = target[0], Fraction(target[1]), problem
    plan = iterate_plan(epsilon, delta, public.absolute(), AtIterate(public), steps)
    assert Fraction(plan.epsilon.upper) <= epsilon
    for point in (np.zeros(public.dimension), theta):
        # By another route: delta at epsilon of that many releases, as far apart as gradients there are at most.
        deviation = Fraction(float(np.sqrt(plan.noise.at(point).variance(np.zeros(1)))))
        shift = steps * public.absolute_at(point) ** 2 / deviation**2
        assert hockey_stick(GaussianPair(shift, 0, 1), epsilon).upper <= delta
        assert hockey_stick(GaussianPair(shift * Fraction(100_001, 100_000), 0, 1), epsilon).lower > delta


@settings(max_examples=20)
@given(targets, st.integers(1, 30), st.integers(1000, 10**6), sizes)
def test_the_accounted_epsilon_of_relative_noise_is_at_most_the_one_asked_for(target, d, n, mu):
    epsilon, delta = target[0], Fraction(target[1])
    public = PublicRidge(Fraction(1), Fraction(1), Fraction(float(mu)), n, d, Adjacency.REPLACE_ONE)
    try:
        plan = relative_plan(epsilon, delta, public.relative(), d, 1)
    except UnreachableTarget:
        least = floor(epsilon, eta=public.relative().eta, dimension=d)
        assert Fraction(least.upper) >= delta
        return
    assert Fraction(plan.epsilon.upper) <= epsilon
    assert plan.noise.sigma2 >= plan.noise.gamma * (plan.sensitivity.r_rel / plan.sensitivity.eta) ** 2


@settings(max_examples=25)
@given(
    targets,
    st.integers(2, 10**6),
    st.integers(1, 30),
    sizes,
    sizes,
    sizes,
    st.booleans(),
    st.none() | st.integers(1, 50),
    kinds,
)
def test_every_accepted_setting_keeps_its_promise(target, n, d, b, y, mu, intercept, steps, kind):
    estimator = PrivateRidge(
        target[0],
        target[1],
        mechanism="gaussian",
        feature_bound=b,
        label_bound=y,
        regularization=mu,
        steps=steps,
        fit_intercept=intercept,
        neighbours=kind,
        divisor=None if kind is Adjacency.REPLACE_ONE else n,
    )
    privacy = estimator.accounted(n, d)
    assert Fraction(privacy.epsilon.upper) <= target[0]
    assert privacy.delta == Fraction(target[1])
    assert privacy.sensitivity == privacy.public.absolute()
    assert privacy.public.feature_bound**2 >= (2 if intercept else 1) * b**2
    assert steps is None or privacy.steps == steps


# ------------------------------------------------------------------------------------------------------ manners


def estimators_with(**options):
    return st.builds(
        PrivateRidge,
        epsilon=st.floats(0.1, 10),
        delta=st.sampled_from([1e-6, "1e-5"]),
        feature_bound=st.floats(0.5, 20),
        label_bound=st.floats(0.5, 20),
        out_of_bounds=st.just("clip"),
        fit_intercept=st.booleans(),
        random_state=st.integers(0, 100),
        **options,
    )


descents = estimators_with(
    regularization=st.floats(0.01, 10), steps=st.integers(1, 5), mechanism=st.sampled_from(["gaussian", "iterate"])
)
estimators = descents | estimators_with(regularization=st.none() | st.floats(0.01, 10), mechanism=st.just("statistics"))
data_sets = st.tuples(hnp.arrays(np.float64, (5, 3), elements=entries), hnp.arrays(np.float64, 5, elements=entries))


@given(estimators, data_sets)
def test_a_fit_is_reproducible_from_its_seed_and_a_descent_lies_in_the_ball(estimator, data):
    first, second = clone(estimator).fit(*data), clone(estimator).fit(*data)
    assert first.coef_.tobytes() == second.coef_.tobytes()
    assert first.intercept_ == second.intercept_
    if estimator.mechanism != "statistics":
        assert norm_squared(exactly(first.coef_)) <= Fraction(first.privacy_.public.radius) ** 2
    by_generator = clone(estimator).set_params(random_state=np.random.default_rng(estimator.random_state)).fit(*data)
    assert by_generator.coef_.tobytes() == first.coef_.tobytes()
    fresh = [clone(estimator).set_params(random_state=None).fit(*data).coef_ for _ in range(2)]
    assert fresh[0].tobytes() != fresh[1].tobytes()


@given(estimators, data_sets)
def test_parameters_and_fits_survive_copies(estimator, data):
    assert clone(estimator).get_params() == estimator.get_params()
    assert PrivateRidge(**estimator.get_params()).get_params() == estimator.get_params()
    before = dict(estimator.get_params())
    fitted = estimator.fit(*data)
    assert fitted is estimator
    assert fitted.get_params() == before
    loaded = pickle.loads(pickle.dumps(fitted))
    assert loaded.privacy_ == fitted.privacy_
    assert loaded.predict(data[0]).tobytes() == fitted.predict(data[0]).tobytes()


@given(estimators, data_sets, st.integers(0, 4), st.integers(0, 2), st.sampled_from([np.nan, np.inf, -np.inf]))
def test_a_fit_that_fails_leaves_no_trace(estimator, data, row, column, bad):
    fitted = clone(estimator).fit(*data).set_params(out_of_bounds="refuse")
    X = np.column_stack([data[0], data[0]])
    X[row, column] = bad
    for one in (clone(estimator).set_params(out_of_bounds="refuse"), fitted):
        before = dict(vars(one))
        with pytest.raises(InputError, match=r"NaN|infinity") as caught:
            one.fit(X, data[1])
        assert caught.value.__context__ is None
        assert vars(one) == before
