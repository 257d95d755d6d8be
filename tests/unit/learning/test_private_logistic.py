"""`PrivateLogisticRegression`: privacy by exact densities, attacks on sensitivities, solver, input."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

pytest.importorskip("sklearn", reason="the extra `sklearn` is not installed")
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

from rgm_verify.accounting.plans.filters import GaussianFilter
from rgm_verify.errors import InputError
from rgm_verify.learning.descent.privacy import gaussian_epsilon
from rgm_verify.learning.private_logistic.objective import (
    minimised,
    objective_delta,
    objective_plan,
    perturbation,
    shares,
)
from rgm_verify.learning.private_logistic.public import PublicLogistic, expm1_below, sigmoid_above
from rgm_verify.learning.sums import gram
from rgm_verify.mechanisms.sensitivity import Adjacency

from .estimators import LOGISTICS, logistic, refused_by_logistic

X = np.array([[0.5, 0.0], [0.25, -0.5], [0.0, 0.75], [-0.5, 0.25]])
y = np.array([1, 1, 0, 0])
REPLACE, ADD = Adjacency.REPLACE_ONE, Adjacency.ADD_OR_REMOVE


# ---------------------------------------------------------------------------------------- scikit-learn's own checks


@parametrize_with_checks(LOGISTICS[:2], expected_failed_checks=refused_by_logistic, xfail_strict=True)
def test_scikit_learns_checks_pass(estimator, check):
    check(estimator)


# --------------------------------------------------------------------------------------------- privacy, by densities


def divergence(first, second, penalty, variance, epsilon):
    """The hockey-stick divergence of exact minimisers for rows `v` (n, 2), by a grid of perturbations."""
    side, weights = np.polynomial.hermite_e.hermegauss(32)
    weights = np.outer(weights, weights).ravel() / weights.sum() ** 2
    total = 0.0
    for z, weight in zip(np.array(np.meshgrid(side, side)).reshape(2, -1).T, weights, strict=True):
        if weight < 1e-14:
            continue
        b, theta = z * math.sqrt(variance), np.zeros(2)
        for _ in range(50):
            s = shares(first, theta)
            curved = first.T @ (first * (s * (1 - s))[:, None]) + penalty * np.eye(2)
            step = np.linalg.solve(curved, penalty * theta + b - first.T @ s)
            theta = theta - step
            if np.abs(step).max() < 1e-13:
                break
        s = shares(second, theta)
        other = second.T @ s - penalty * theta
        curves = second.T @ (second * (s * (1 - s))[:, None]) + penalty * np.eye(2)
        loss = (other @ other - b @ b) / (2 * variance) + np.linalg.slogdet(curved)[1] - np.linalg.slogdet(curves)[1]
        total += weight * max(0.0, -math.expm1(epsilon - loss))
    return total


@pytest.mark.parametrize("kind", list(Adjacency))
def test_no_pair_of_neighbours_is_farther_apart_than_promised_and_some_come_near(kind):
    # The bound is for gradients at their longest; here they are about half of that, so that quadrature need not be
    # sharp.
    generator, largest = np.random.default_rng(3), 0.0
    penalty, variance, epsilon = Fraction(4), Fraction(9), Fraction(1, 4)
    c = math.log1p(1 / (4 * float(penalty)))
    promised = float(objective_delta(epsilon - Fraction(c), variance, kind)[1])
    for trial in range(6):
        common = generator.standard_normal((trial % 3, 2))
        common /= np.maximum(1, np.linalg.norm(common, axis=1, keepdims=True))
        one, two = generator.standard_normal((2, 1, 2))
        one, two = one / np.linalg.norm(one), two / np.linalg.norm(two)
        if trial < 3:
            two = -one
        pair = [np.vstack([common, one]), np.vstack([common, two]) if kind is REPLACE else np.vstack([common, 0 * one])]
        for first, second in (pair, pair[::-1]):
            found = divergence(first, second, float(penalty), float(variance), float(epsilon))
            assert found <= promised
            largest = max(largest, found)
    assert largest > promised / 20


def test_a_third_of_the_noise_would_be_noticed():
    # Far from 0 the gradients of a record and its mirror image are together about as long as a record.
    one = np.array([[1.0, 0.0]])
    far = np.array([[-1.0, 0.0]])
    found = divergence(one, far, 4.0, 1.0, 0.25)
    assert found > float(objective_delta(Fraction(1, 4), Fraction(9), REPLACE)[1])


def gaussian_divergence(epsilon, distance):
    shift = epsilon / distance
    return mpmath.ncdf(distance / 2 - shift) - mpmath.exp(epsilon) * mpmath.ncdf(-distance / 2 - shift)


def test_the_bound_is_the_divergence_of_every_corner():
    with mpmath.workdps(40):
        near, far = (
            gaussian_divergence(mpmath.mpf(1) / 4, mpmath.mpf(1) / 3),
            gaussian_divergence(mpmath.mpf(1) / 4, mpmath.mpf(2) / 3),
        )
        for kind, exact in ((ADD, near), (REPLACE, far + 2 * near)):
            lower, upper = objective_delta(Fraction(1, 4), Fraction(9), kind)
            assert (
                mpmath.mpf(lower.numerator) / lower.denominator
                <= exact
                <= mpmath.mpf(upper.numerator) / upper.denominator
            )
            assert upper - lower <= upper / 10**14


def test_a_plan_spends_what_was_asked_for_and_no_more():
    for kind in Adjacency:
        public = PublicLogistic(Fraction(2), 1000, 5, kind)
        epsilon, delta = Fraction(1), Fraction(1, 10**6)
        plan = objective_plan(epsilon, delta, public)
        with mpmath.workdps(40):
            c = mpmath.log(1 + mpmath.mpf(float(public.curvature / plan.penalty)))
            moved = 2 * float(plan.tolerance) / float(plan.penalty)
            output = Fraction(moved) ** 2 / plan.output_variance
            left = Fraction(str(mpmath.nstr(1 - c - mpmath.mpf(1) / 64, 30)))
        main = objective_delta(left, plan.variance / 4, kind)[1]
        out = gaussian_epsilon(1, 1 / output, steps=1, delta=delta / 64).upper
        assert out <= 1 / 64
        assert delta * Fraction(97, 100) < main + delta / 64 + delta / 1024 <= delta


# --------------------------------------------------------------------------------------------- attacks on sensitivities


@pytest.mark.parametrize("kind", list(Adjacency))
def test_no_two_records_move_a_gradient_by_more_than_its_sensitivity(kind):
    generator = np.random.default_rng(5)
    public, largest = PublicLogistic(Fraction(2), 50, 3, kind), 0.0
    for _ in range(300):
        theta = generator.standard_normal(3) * generator.choice([0, 0.1, 1, 10])
        bound = float(public.gradient_sensitivity(theta))
        v = generator.standard_normal((2, 400, 3))
        v *= 2 / np.linalg.norm(v, axis=-1, keepdims=True)
        # The records that point against theta and nearly across it are the long ones.
        v[0, 0] = -2 * theta / max(np.linalg.norm(theta), 1e-300)
        one, two = (rows * shares(rows, theta)[:, None] for rows in v)
        moved = np.linalg.norm(one - (two if kind is REPLACE else 0), axis=1).max()
        assert moved <= bound
        largest = max(largest, moved / bound)
    assert largest > 0.99


@pytest.mark.parametrize(("kind", "squared"), [(REPLACE, 2), (ADD, 1)])
def test_no_two_records_move_the_second_moments_by_more_than_their_sensitivity(kind, squared):
    generator = np.random.default_rng(6)
    bound = float(PublicLogistic(Fraction(1), 50, 3, kind).gram_sensitivity())
    u = generator.standard_normal((2, 2000, 3))
    u /= np.linalg.norm(u, axis=-1, keepdims=True)
    u[:, 0] = np.eye(3)[:2]
    matrices = u[..., :, None] * u[..., None, :]
    moved = np.linalg.norm(matrices[0] - (matrices[1] if kind is REPLACE else 0), axis=(-2, -1))
    assert moved.max() <= bound
    assert bound**2 == pytest.approx(squared, rel=1e-9)
    assert moved[0] ** 2 == pytest.approx(squared, rel=1e-12)


def exact_share(v, theta):
    return 1 / (1 + mpmath.exp(mpmath.fsum(mpmath.mpf(a) * mpmath.mpf(t) for a, t in zip(v, theta, strict=True))))


def test_the_rounding_of_gradients_is_within_its_bound():
    generator = np.random.default_rng(7)
    public = PublicLogistic(Fraction(1), 300, 4, REPLACE)
    V = generator.standard_normal((300, 4))
    V /= np.linalg.norm(V, axis=1, keepdims=True) * (1 + 1e-15)
    for size in (0.1, 10, 1000, 1e7):
        theta = generator.standard_normal(4) * size
        if size == 1e7:  # far out, and records across: there the rounding of scores is what counts
            V = V - np.outer(V @ theta, theta) / (theta @ theta)
        computed = V.T @ shares(V, theta)
        with mpmath.workdps(60):
            exact = [mpmath.mpf(0)] * 4
            for v in V:
                s = exact_share(v, theta)
                exact = [e + s * mpmath.mpf(a) for e, a in zip(exact, v, strict=True)]
            error = mpmath.sqrt(mpmath.fsum((e - mpmath.mpf(c)) ** 2 for e, c in zip(exact, computed, strict=True)))
        assert error <= float(public.gradient_rounding(Fraction(float(np.linalg.norm(theta) * (1 + 1e-15)))))


def test_upper_and_lower_bounds_of_exponentials_are_on_their_side():
    for score in map(Fraction, ("0", "1e-9", "1/3", "5", "40", "699", "1e6")):
        with mpmath.workdps(60):
            exact = 1 / (1 + mpmath.exp(-mpmath.mpf(score.numerator) / score.denominator))
            above = sigmoid_above(score)
            assert exact <= mpmath.mpf(above.numerator) / above.denominator <= exact * (1 + mpmath.mpf(2) ** -38)
    for value in (Fraction(1, 10**6), Fraction(1, 8), Fraction(1)):
        below = expm1_below(value)
        with mpmath.workdps(60):
            exact = mpmath.expm1(mpmath.mpf(value.numerator) / value.denominator)
            assert exact * (1 - mpmath.mpf(10) ** -40) <= mpmath.mpf(below.numerator) / below.denominator <= exact


# ------------------------------------------------------------------------------------------------------- what it does


def test_the_solver_ends_where_the_exact_gradient_is_as_short_as_promised():
    generator = np.random.default_rng(8)
    V = generator.standard_normal((200, 3))
    V /= np.linalg.norm(V, axis=1, keepdims=True) * (1 + 1e-15)
    plan = objective_plan(Fraction(1), Fraction(1, 10**6), PublicLogistic(Fraction(1), 200, 3, REPLACE))
    b = perturbation(plan, generator)
    assert np.linalg.norm(b) <= float(plan.longest)
    theta = minimised(V, plan, b)
    with mpmath.workdps(60):
        slope = [mpmath.mpf(float(plan.penalty)) * mpmath.mpf(t) + mpmath.mpf(k) for t, k in zip(theta, b, strict=True)]
        for v in V:
            s = exact_share(v, theta)
            slope = [g - s * mpmath.mpf(a) for g, a in zip(slope, v, strict=True)]
        length = mpmath.sqrt(mpmath.fsum(g**2 for g in slope))
    rounding = plan.public.gradient_rounding(plan.radius)
    assert length <= float(plan.tolerance + rounding)
    assert np.linalg.norm(theta) <= float(plan.radius)


@pytest.mark.parametrize("mechanism", ["objective", "newton"])
@pytest.mark.parametrize("intercept", [False, True])
def test_with_hardly_any_noise_a_fit_is_scikit_learns(mechanism, intercept):
    generator, n, mean = np.random.default_rng(9), 40_000, 0.05
    features = generator.uniform(-0.7, 0.7, (n, 2))
    labels = generator.random(n) < shares(-features, np.array([3.0, -2.0]))
    # The constant column of ours is as long as the bound, and penalised.
    exact = LogisticRegression(C=1 / (n * mean), fit_intercept=False, tol=1e-10, max_iter=1000)
    exact.fit(np.column_stack([features, np.ones(n)])[:, : 2 + intercept], labels)
    steps = 40 if mechanism == "newton" else None
    fit = logistic(
        epsilon=1000,
        classes=(False, True),
        mechanism=mechanism,
        fit_intercept=intercept,
        regularization=mean,
        steps=steps,
        random_state=0,
    ).fit(features, labels)
    found = np.append(fit.coef_[0], fit.intercept_)[: 2 + intercept]
    # The curvature is at least n mean; noise of 1/20 of a record, over 40 releases, in three directions, six
    # deviations.
    assert np.abs(found - exact.coef_[0]).max() <= 6 * 3 * math.sqrt(40) / 20 / (n * mean)
    assert (fit.predict(features) == labels).mean() > 0.6
    chances = fit.predict_proba(features[:9])
    assert np.abs(chances.sum(axis=1) - 1).max() <= 4 * 2.0**-53
    assert np.array_equal(fit.predict(features[:9]), chances[:, 1] > chances[:, 0])


def test_few_features_take_the_objective_and_many_take_newton():
    assert logistic().accounted(1000, 25).mechanism == "objective"
    assert (
        logistic().accounted(1000, 26).mechanism
        == logistic(fit_intercept=True).accounted(1000, 25).mechanism
        == "newton"
    )
    privacy = logistic().fit(X, y).privacy_
    assert privacy == logistic().accounted(4, 2)
    said = "(epsilon=1, delta=1e-06)-private when one record is replaced: an objective with a perturbation of variance "
    assert str(privacy).startswith(said)


def test_the_releases_of_newton_cost_what_was_asked_for():
    for kind, divisor in ((REPLACE, None), (ADD, 1000)):
        plan = logistic(mechanism="newton", neighbours=kind, divisor=divisor).accounted(1000, 7).plan
        squared = plan.public.gram_sensitivity() ** 2 / plan.gram_variance + Fraction(plan.steps) / plan.ratio
        assert squared <= plan.distance_squared
        found = gaussian_epsilon(1, 1 / squared, steps=1, delta=Fraction(1, 10**6))
        assert 1 - 1e-5 < found.lower <= found.upper <= 1


def test_fits_are_charged_to_a_budget_and_clones_draw_noise_of_their_own():
    budget = GaussianFilter("1/8")
    model = logistic(mechanism="newton", budget=budget, random_state=np.random.default_rng(1)).fit(X, y)
    other = clone(model).fit(X, y)
    assert budget.spent == pytest.approx(2 * float(model.privacy_.plan.distance_squared), rel=1e-12)
    assert other.coef_.tolist() != model.coef_.tolist()
    with pytest.raises(InputError, match="nothing was released"):
        clone(model).fit(X, y)


def test_a_record_with_another_label_counts_as_one_without_features():
    options = {"out_of_bounds": "clip", "random_state": 1}
    other = logistic(**options, classes=("no", "yes")).fit(X, ["yes", "yes", "no", "perhaps"])
    assert other.coef_.tolist() == logistic(**options).fit(np.vstack([X[:3], 0 * X[:1]]), y).coef_.tolist()
    assert set(other.predict(X)) <= {"no", "yes"}
    dirty = np.array([[math.nan, 0.0], [math.inf, 0.0], [3.0, 4.0], [0.5, 0.5]])
    assert np.isfinite(logistic(**options).fit(dirty, y).coef_).all()


# ---------------------------------------------------------------------------------------------------- what it refuses

BAD = [
    ({"epsilon": 0}, "epsilon=0"),
    ({"epsilon": 1001}, "epsilon=1001: must be between 1e-6 and 1000"),
    ({"delta": 1}, "delta=1"),
    ({"feature_bound": 0}, "feature_bound=0"),
    ({"classes": (1, 1)}, "classes=.*expected the two different labels"),
    ({"classes": (0, 1, 2)}, "classes=.*expected the two different labels"),
    ({"classes": None}, "classes=None"),
    ({"mechanism": "gaussian"}, "allowed are None, objective, newton"),
    ({"regularization": "1e-9"}, "regularization=.*must be None or at least"),
    ({"regularization": 0, "mechanism": "newton"}, "regularization=0"),
    ({"steps": 3}, "steps=3: must be None with objective"),
    ({"steps": 0, "mechanism": "newton"}, "steps=0"),
    ({"budget": GaussianFilter(1)}, "budget=.*must be None with objective"),
    ({"budget": 1, "mechanism": "newton"}, "budget=.*expected None or"),
    ({"neighbours": "all"}, "allowed are replace_one, add_or_remove"),
    ({"divisor": 4}, "divisor=4: must be None with replace_one"),
    ({"neighbours": "add_or_remove"}, "divisor=None"),
    ({"neighbours": "add_or_remove", "divisor": 1}, "more than twice as many records"),
    ({"out_of_bounds": "drop"}, "allowed are refuse, clip"),
    ({"random_state": -1}, "random_state=-1"),
]


@pytest.mark.parametrize(("options", "message"), BAD)
def test_bad_parameters_are_named_with_what_is_allowed(options, message):
    with pytest.raises(InputError, match=message):
        logistic(**options).fit(X, y)


@pytest.mark.parametrize(
    ("features", "labels", "message"),
    [
        (X * 1234.5678, y, "feature_bound=1: a row of X is longer"),
        (X, [0, 1, 1, 1234.5678], "classes: Unknown label type: a label of y is none of the two"),
        (X, y[:2], "y: expected shape"),
        (X, None, "requires y to be passed"),
        ([[1234.5678, math.nan]] * 4, y, "Input X contains NaN"),
    ],
)
def test_bad_data_are_refused_without_their_values_and_leave_no_trace(features, labels, message):
    estimator = logistic()
    with pytest.raises(InputError, match=message) as caught:
        estimator.fit(features, labels)
    assert "1234" not in str(caught.value)
    assert caught.value.__context__ is None
    assert not hasattr(estimator, "coef_")


def test_the_moments_of_features_are_those_of_signed_records():
    # The matrix is of `v = y x`, whose sign drops out: bit for bit, as the noise counts on it.
    signs = np.where(y == 1, 1.0, -1.0)[:, None]
    assert np.array_equal(gram(X * signs), gram(X))
