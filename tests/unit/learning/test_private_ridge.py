"""`PrivateRidge`: what it refuses and says, what it reports, its imports, and scikit-learn's own checks."""

from __future__ import annotations

import ast
import math
import re
import runpy
import subprocess
import sys
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="the extra `sklearn` is not installed")
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import Ridge
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_regressors_train, parametrize_with_checks

from rgm_verify.accounting import calibration
from rgm_verify.accounting.calibration import UnreachableTarget, floor
from rgm_verify.errors import InputError
from rgm_verify.learning import PrivateRidge
from rgm_verify.learning.data import EPS
from rgm_verify.learning.descent.at_the_iterate import NoiseAtTheIterate
from rgm_verify.learning.descent.utility import StepSizeWarning
from rgm_verify.learning.private_ridge.descent import descend, into_ball, largest_distance, objective_of
from rgm_verify.learning.private_ridge.estimator import WAIVED_TAGS
from rgm_verify.learning.private_ridge.noise import gaussian_plan, reachable_steps, relative_plan
from rgm_verify.learning.private_ridge.statistics import moments_of, solved
from rgm_verify.mechanisms import GaussianMechanism, RelativeGaussianMechanism
from rgm_verify.mechanisms.sensitivity import AbsoluteSensitivity, Adjacency, RelativeSensitivity

from .estimators import MOMENTS, RIDGES, WIDE, refused_by_ridge, ridge

X = np.array([[0.5, 0.0], [0.25, -0.5], [0.0, 0.75], [-0.5, 0.25]])
y = np.array([1.0, 0.5, -0.5, -1.0])


# ---------------------------------------------------------------------------------------- scikit-learn's own checks


@parametrize_with_checks(RIDGES[:2], expected_failed_checks=refused_by_ridge, xfail_strict=True)
def test_scikit_learns_checks_pass(estimator, check):
    check(estimator)


def test_no_check_is_left_out_by_a_tag_without_a_reason():
    class Usual(RegressorMixin, BaseEstimator):
        pass

    ours, usual = get_tags(ridge()), get_tags(Usual())
    assert ours != usual
    for name in WAIVED_TAGS:
        assert getattr(ours.regressor_tags, name) is not getattr(usual.regressor_tags, name)
        setattr(ours.regressor_tags, name, getattr(usual.regressor_tags, name))
    # Beside what is waived there is what more is taken: sparse input, of which two checks run.
    assert ours.input_tags.sparse
    ours.input_tags.sparse = False
    assert ours == usual


def test_the_check_of_the_score_would_really_fail():
    class Promising(PrivateRidge):
        def __sklearn_tags__(self):
            tags = super().__sklearn_tags__()
            for name in WAIVED_TAGS:
                setattr(tags.regressor_tags, name, False)
            return tags

    with pytest.raises(AssertionError):
        check_regressors_train("Promising", Promising(**ridge(**WIDE).get_params()))
    # It is the noise that is to blame, and nothing else.
    generous = ridge(**WIDE | {"epsilon": 10**6, "label_bound": 4, "regularization": 0.01, "delta": "1/10"})
    check_regressors_train("Promising", Promising(**generous.get_params()))


# ----------------------------------------------------------------------------------------------------- what it does


@pytest.mark.parametrize("intercept", [False, True])
def test_a_fit_is_the_descent_that_its_privacy_describes(intercept):
    estimator = ridge(random_state=7, fit_intercept=intercept).fit(X, y)
    privacy = estimator.accounted(4, 2)
    assert estimator.privacy_ == privacy
    features = np.column_stack([X, np.ones(4)]) if intercept else X
    theta = descend(objective_of(features, y, privacy.public), privacy, np.random.default_rng(7))
    assert estimator.coef_.tolist() == theta[:2].tolist()
    assert estimator.intercept_ == (theta[2] if intercept else 0.0)
    assert estimator.predict(X).tolist() == (X @ estimator.coef_ + estimator.intercept_).tolist()
    assert estimator.n_iter_ == privacy.steps == 3
    assert estimator.n_features_in_ == 2


def test_the_penalty_is_that_of_scikit_learns_ridge_times_n():
    many = np.tile(X, (250, 1)), np.tile(y, 250)
    exact = Ridge(alpha=1000 * 0.1, fit_intercept=False).fit(*many)
    objective = objective_of(*many, ridge().accounted(1000, 2).public)
    error = np.linalg.cond(objective.hessian) * 1000 * 2.3e-16 * np.linalg.norm(exact.coef_)
    assert np.linalg.norm(objective.minimiser() - exact.coef_) <= error


def test_the_report_says_what_was_composed():
    privacy = ridge().fit(X, y).privacy_
    assert (privacy.adjacency, privacy.mechanism, privacy.steps) == (Adjacency.REPLACE_ONE, "gaussian", 3)
    assert isinstance(privacy.noise, GaussianMechanism)
    assert isinstance(privacy.sensitivity, AbsoluteSensitivity)
    assert 0 < privacy.epsilon.lower <= privacy.epsilon.upper <= 1
    assert privacy.delta == Fraction(1, 10**6)
    assert privacy.public.divisor == 4
    said = "(epsilon=1, delta=1e-06)-private when one record is replaced: 3 gradients, gaussian noise of variance "
    assert str(privacy).startswith(said)


@pytest.mark.parametrize("kind", list(Adjacency))
def test_noise_at_the_iterate_follows_the_iterates(kind):
    # So many records that most iterates are inside of the ball, where each has a variance of its own.
    many, labels = np.tile(X, (2500, 1)), np.tile(y, 2500)
    options = {"neighbours": kind, "divisor": 10**4 if kind is Adjacency.ADD_OR_REMOVE else None, "steps": 9}
    estimator = ridge(mechanism="iterate", random_state=7, **options).fit(many, labels)
    privacy, generator = estimator.privacy_, np.random.default_rng(7)
    assert isinstance(privacy.noise, NoiseAtTheIterate)
    assert privacy == estimator.accounted(10**4, 2)
    objective, theta, deviations = objective_of(many, labels, privacy.public), np.zeros(2), []
    for _ in range(9):
        # The ratio says how many squared sensitivities a variance is, and nine releases of one cost what was asked.
        variance = float(privacy.noise.ratio) * float(privacy.public.absolute_at(theta)) ** 2
        deviations.append(math.sqrt(variance))
        noisy = objective.hessian @ theta - objective.moment + deviations[-1] * generator.standard_normal(2)
        theta = into_ball(theta - privacy.step * noisy, privacy.public.radius)
    # Each of nine steps rounds a dozen times, at most, what is no larger than the ball and nine deviations of noise; a
    # step enlarges no error, since it is no longer than 1 / L.
    sizes = privacy.public.radius + 9 * privacy.step * max(deviations)
    assert np.abs(estimator.coef_ - theta).max() <= 9 * 12 * EPS * sizes
    assert len({round(d, 9) for d in deviations}) == 9
    unit = gaussian_plan(Fraction(1), Fraction(1, 10**6), AbsoluteSensitivity(1, kind), 9)
    assert privacy.noise.ratio == unit.noise.sigma2
    assert privacy.epsilon == unit.epsilon
    least, largest = (float(v) for v in privacy.variances)
    assert str(privacy).endswith(f"9 gradients, gaussian noise of variance {least:.3g} to {largest:.3g}")
    # The first iterate is the centre. Five roundings of the variance, and one of the root.
    assert math.sqrt(least) == pytest.approx(min(deviations), rel=4 * EPS)
    # Norms are rounded up by (d + 5) EPS at most, on the edge as well as inside.
    assert max(deviations) <= math.sqrt(largest) * (1 + 2 * 7 * EPS + 4 * EPS)
    gaussian = ridge(**options).accounted(10**4, 2)
    # The square of a norm that is rounded up, and the margins of two plans.
    assert largest <= float(gaussian.noise.sigma2) * (1 + 2 * 7 * EPS + 16 * EPS)


@pytest.mark.parametrize("intercept", [False, True])
def test_a_fit_with_statistics_is_one_release_solved(intercept):
    estimator = ridge(**MOMENTS, random_state=7, fit_intercept=intercept).fit(X, y)
    privacy = estimator.accounted(4, 2)
    assert estimator.privacy_ == privacy
    features = np.column_stack([X, np.ones(4)]) if intercept else X
    released = privacy.noise.release(moments_of(features, y, privacy.public), np.random.default_rng(7))
    theta = solved(released, privacy).coefficients[:, 0]
    assert estimator.coef_.tolist() == theta[:2].tolist()
    assert estimator.intercept_ == (theta[2] if intercept else 0.0)
    assert (estimator.n_iter_, privacy.steps, privacy.step, privacy.public.regularization) == (1, 1, None, 0)
    assert 0 < privacy.epsilon.lower <= privacy.epsilon.upper <= 1
    said = (
        "(epsilon=1, delta=1e-06)-private when one record is replaced: both moments at once, gaussian noise of variance"
    )
    assert str(privacy) == f"{said} {float(privacy.noise.sigma2):.3g}"


@pytest.mark.parametrize("penalty", [None, "1/1000", "1/10", 10])
def test_the_noise_of_statistics_does_not_depend_on_the_penalty(penalty):
    plan = ridge(**MOMENTS).accounted(1000, 3).plan
    assert ridge(**MOMENTS | {"regularization": penalty}).accounted(1000, 3).plan == plan
    # Nor on the bounds, in whose units it is; with an intercept a record is longer, and the bounds are.
    assert ridge(**MOMENTS, feature_bound=50, label_bound=7, fit_intercept=True).accounted(1000, 3).plan == plan


def test_with_statistics_and_hardly_any_noise_a_fit_is_scikit_learns_ridge():
    many = np.tile(X, (250, 1)), np.tile(y, 250)
    for penalty in (None, "1/10"):
        options = MOMENTS | {"regularization": penalty, "random_state": 0}
        for intercept in (False, True):
            # The constant column of ours is penalised, as a column of scikit-learn's is.
            features = np.column_stack([many[0], np.ones(1000)]) if intercept else many[0]
            exact = Ridge(alpha=1000 * float(Fraction(penalty or 0)), fit_intercept=False).fit(features, many[1])
            fit = ridge(**options, epsilon=10**6, fit_intercept=intercept).fit(*many)
            found = np.append(fit.coef_, fit.intercept_)[: features.shape[1]]
            # Noise of a deviation s changes a solution by (|A'^-1| s) (1 + |w|) times a few deviations, to first order.
            noise = math.sqrt(2 * float(fit.privacy_.noise.sigma2)) * np.linalg.norm(
                np.linalg.pinv(features.T @ features), 2
            )
            assert np.linalg.norm(found - exact.coef_) <= 20 * noise * (1 + np.linalg.norm(exact.coef_))
            assert 20 * noise < 1e-3


def test_statistics_has_no_descent_and_no_bound_on_the_distance():
    privacy = ridge(**MOMENTS).accounted(4, 2)
    with pytest.raises(InputError, match="expected the account of a descent"):
        largest_distance(privacy)
    with pytest.raises(InputError, match="regularization=0: must be > 0"):
        _ = privacy.public.radius
    with pytest.raises(InputError, match="expected the account of a descent"):
        descend(objective_of(X, y, privacy.public), ridge(**MOMENTS | {"regularization": 1}).accounted(4, 2), None)


def test_several_steps_of_relative_noise_are_certified():
    privacy = ridge(mechanism="relative", regularization=1, steps=2).accounted(10**6, 3)
    assert isinstance(privacy.noise, RelativeGaussianMechanism)
    assert isinstance(privacy.sensitivity, RelativeSensitivity)
    assert 0.99 < privacy.epsilon.lower <= privacy.epsilon.upper <= 1
    assert "|g|^2" in str(privacy)


@pytest.mark.parametrize("bound", [0.25, 0.5, 2])
def test_relative_noise_costs_more_than_gaussian_noise_where_bounds_are_all_that_is_public(bound):
    gaussian, relative = (
        ridge(mechanism=name, feature_bound=bound, steps=1).accounted(10**6, 3) for name in ("gaussian", "relative")
    )
    assert relative.noise.sigma2 > gaussian.noise.sigma2


def test_planned_steps_come_from_public_numbers_and_grow_with_the_data():
    planned = [ridge(steps=None).accounted(n, 2).steps for n in (10, 1000, 10**5, 10**7)]
    assert planned == sorted(planned)
    assert planned[0] < planned[-1] <= 1000


def test_planned_steps_of_relative_noise_leave_room_above_its_floor():
    epsilon, delta, sensitivity = Fraction(1), Fraction(1, 10**6), RelativeSensitivity("1/500", "1/500", "replace_one")
    steps = reachable_steps(epsilon, delta, sensitivity, 20, 600)
    assert 1 < steps < 600
    assert 2 * floor(1, eta="1/500", dimension=20, steps=steps).upper <= delta
    assert 2 * floor(1, eta="1/500", dimension=20, steps=2 * steps).upper > delta
    assert reachable_steps(epsilon, delta, sensitivity, 20, 2) == 2
    assert reachable_steps(epsilon, delta, RelativeSensitivity(1, 1, "replace_one"), 20, 600) == 1


def test_with_records_added_nothing_but_the_data_depends_on_their_number():
    estimator = ridge(neighbours="add_or_remove", divisor=4)
    assert estimator.accounted(2, 2) == estimator.accounted(8, 2)
    assert estimator.accounted(4, 2).epsilon.upper <= 1


def test_floats_count_as_the_binary_numbers_they_are():
    assert ridge(delta=1e-6).accounted(4, 2).delta == Fraction(1e-6) != Fraction(1, 10**6)


def test_names_of_columns_are_kept_and_forgotten():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    estimator = ridge().fit(pandas.DataFrame(X, columns=["a", "b"]), y)
    assert estimator.feature_names_in_.tolist() == ["a", "b"]
    assert not hasattr(estimator.fit(X, y), "feature_names_in_")


# ---------------------------------------------------------------------------------------------------- what it refuses

BAD_PARAMETERS = [
    ({"epsilon": 0}, "epsilon=0"),
    ({"epsilon": math.nan}, "epsilon=nan"),
    ({"epsilon": 10**7}, "epsilon=10000000: must be between 1e-9 and 1e6"),
    ({"delta": 0}, "delta=0"),
    ({"delta": 1}, "delta=1"),
    ({"feature_bound": 0}, "feature_bound=0"),
    ({"feature_bound": "1e60"}, "feature_bound="),
    ({"label_bound": -1}, "label_bound=-1"),
    ({"regularization": 0}, "regularization=0"),
    ({"coef_bound": 0}, "coef_bound=0"),
    ({"regularization": None}, "regularization=None: a penalty > 0 must be given with gaussian"),
    ({"regularization": None, "mechanism": "iterate"}, "a penalty > 0 must be given with iterate"),
    ({"regularization": None, "mechanism": "relative"}, "a penalty > 0 must be given with relative"),
    ({"mechanism": "laplace"}, "allowed are auto, statistics, iterate, gaussian, relative"),
    ({"mechanism": "statistics"}, "steps=3: must be None with statistics"),
    (MOMENTS | {"step": 1}, "step=1: must be None with statistics"),
    (MOMENTS | {"coef_bound": 1}, "coef_bound=1: must be None with statistics"),
    (MOMENTS | {"regularization": 0}, "regularization=0"),
    (MOMENTS | {"neighbours": "add_or_remove"}, "divisor=None: with add_or_remove a public number must be given"),
    (MOMENTS | {"neighbours": "add_or_remove", "divisor": 1}, "divisor=1: there are more than twice as many"),
    (MOMENTS | {"label_bound": "0.9"}, "label_bound=0.9"),
    ({"steps": 0}, "steps=0"),
    ({"steps": 1.5}, "steps=1.5"),
    ({"step": 0}, "step=0"),
    ({"neighbours": "all"}, "allowed are replace_one, add_or_remove"),
    ({"neighbours": "add_or_remove"}, "divisor=None: with add_or_remove a public number must be given"),
    ({"neighbours": "add_or_remove", "divisor": 1}, "divisor=1: there are more than twice as many records"),
    ({"neighbours": "add_or_remove", "divisor": 4, "mechanism": "relative"}, "only replace_one"),
    ({"divisor": 4}, "must be None with replace_one"),
    ({"out_of_bounds": "ignore"}, "allowed are refuse, clip"),
    ({"random_state": np.random.RandomState(0)}, "RandomState is the old generator"),
    ({"random_state": -1}, "random_state=-1"),
    ({"random_state": True}, "random_state=True"),
]


@pytest.mark.parametrize(("options", "message"), BAD_PARAMETERS, ids=[m for _, m in BAD_PARAMETERS])
def test_parameters_out_of_range_are_refused_and_nothing_is_released(options, message):
    estimator = ridge(**options)
    with pytest.raises(InputError, match=re.escape(message)):
        estimator.fit(X, y)
    with pytest.raises(NotFittedError):
        estimator.predict(X)


BAD_DATA = [
    (np.where(X == 0.5, np.nan, X), y, "NaN"),
    (X, np.where(y == 1, np.inf, y), "infinity"),
    (X[:0], y[:0], "0 sample"),
    (X[:1], y[:1], "1 sample"),
    (X[:, :0], y, "0 feature"),
    (X, y[:3], "inconsistent numbers of samples"),
    (X, np.column_stack([y, y]), "y should be a 1d array"),
    (X[0], y[:2], "Expected 2D array"),
    (X.astype(complex), y, "Complex data not supported"),
    ([["secret", "1"]] * 4, y, "expected numbers only"),
    (X, ["secret"] * 4, "expected numbers only"),
]


@pytest.mark.parametrize(("features", "labels", "message"), BAD_DATA, ids=[m for *_, m in BAD_DATA])
def test_bad_data_are_refused_without_a_word_of_what_is_in_them(features, labels, message):
    generator = np.random.default_rng(0)
    before = generator.bit_generator.state
    with pytest.raises(InputError, match=message) as caught:
        ridge(random_state=generator).fit(features, labels)
    assert "secret" not in str(caught.value)
    assert "depends on the data" in str(caught.value)
    assert (caught.value.__context__, caught.value.__cause__) == (None, None)
    assert generator.bit_generator.state == before


def test_no_features_are_refused_where_no_records_are_not():
    with pytest.raises(InputError, match=r"0 feature\(s\)"):
        ridge(neighbours="add_or_remove", divisor=4).fit(X[:, :0], y)


def test_a_name_of_a_column_that_is_no_text_is_refused():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    with pytest.raises(InputError, match="Feature names are only supported"):
        ridge().fit(pandas.DataFrame(X, columns=["a", 1]), y)


@pytest.mark.parametrize("entry", [{}, "secret", None, 10**400, object()])
def test_an_entry_that_is_no_number_is_refused_without_a_trace_of_it(entry):
    rows = X.astype(object)
    rows[1, 0] = entry
    with pytest.raises(InputError, match="depends on the data") as caught:
        ridge().fit(rows, y)
    assert str(entry) not in str(caught.value)
    assert (caught.value.__context__, caught.value.__cause__) == (None, None)


@pytest.mark.parametrize(
    ("options", "name"), [({"feature_bound": "0.7"}, "feature"), ({"label_bound": "0.9"}, "label")]
)
def test_data_out_of_bounds_are_refused_by_the_name_of_the_bound_alone(options, name):
    with pytest.raises(InputError) as caught:
        ridge(**options).fit(X, y)
    bound = options[f"{name}_bound"]
    assert str(caught.value).startswith(f"{name}_bound={bound}: ")
    # No number but the bound, so no value, index or count of the data.
    assert set(re.findall(r"\d+\.?\d*", str(caught.value))) == {bound}


def test_clipping_at_wide_bounds_changes_nothing():
    refused, clipped = (ridge(random_state=1, out_of_bounds=how).fit(X, y) for how in ("refuse", "clip"))
    assert refused.coef_.tolist() == clipped.coef_.tolist()


def test_a_target_below_the_floor_is_refused_with_the_floor_before_the_data_are_looked_at():
    with pytest.raises(UnreachableTarget, match=r"ask for epsilon (clearly )?above"):
        ridge(mechanism="relative", feature_bound="0.1", regularization="1e-3").fit(X, y)


def test_noise_that_would_be_lost_in_rounding_is_refused_for_all_data():
    with pytest.raises(InputError, match="lost in rounding"):
        ridge(epsilon=10**6, regularization="1e20", coef_bound=1).accounted(10, 2)
    with pytest.raises(InputError, match="lost in rounding"):
        ridge(**MOMENTS, epsilon=10**6).accounted(10**14, 2)


def test_a_long_step_warns_with_the_threshold_and_stays_in_the_ball():
    with pytest.warns(StepSizeWarning, match=r"20/11|1\.81"):
        estimator = ridge(step=5).fit(X, y)
    assert np.linalg.norm(estimator.coef_) <= estimator.privacy_.public.radius
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ridge(step=1).fit(X, y)


def test_an_endless_step_stays_in_the_ball():
    with pytest.warns(StepSizeWarning):
        estimator = ridge(step=1e300).fit(X, y)
    assert np.isfinite(estimator.coef_).all()


# ------------------------------------------------------------------------------------------------- imports, example


def fresh(program: str, folder: Path) -> str:
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=folder)
    return run.stdout


def test_the_room_does_not_import_scikit_learn(empty_folder):
    assert fresh("import sys, rgm_verify.learning; print('sklearn' in sys.modules)", empty_folder) == "False\n"


def test_without_scikit_learn_the_error_names_the_extra(empty_folder):
    program = (
        "import sys\nsys.modules['sklearn'] = None\n"
        "import rgm_verify.learning\n"
        "try: rgm_verify.learning.PrivateRidge\nexcept ImportError as error: print(error)"
    )
    assert "pip install 'rgm-verify[sklearn]'" in fresh(program, empty_folder)


def test_the_room_has_no_other_names():
    import rgm_verify.learning as room

    with pytest.raises(AttributeError, match="no attribute 'Ridge'"):
        _ = room.Ridge


def test_the_example_runs_and_prints_what_it_says(root, capsys):
    path = root / "examples" / "private_ridge.py"
    runpy.run_path(str(path), run_name="__main__")
    shown = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    printed = capsys.readouterr().out
    assert [line.strip() for line in shown.splitlines() if line.startswith("    ")][1:] == printed.splitlines()


# --------------------------------------------------------------------------------------------------- bounded work


@pytest.mark.parametrize("least", [Fraction(1001, 1000), Fraction(3, 2), Fraction(1000)])
def test_a_plan_computes_few_values_of_the_tightest_bound_however_near_the_floor(least, monkeypatch):
    sensitivity = RelativeSensitivity(Fraction(1, 100), Fraction(1, 100), Adjacency.REPLACE_ONE)
    lowest = Fraction(floor(1, eta=sensitivity.eta, dimension=2, steps=3).upper)
    asked = []
    real = calibration.delta_by_method

    def counting(*args, methods, **options):
        asked.extend(methods)
        return real(*args, methods=("rdp",), **options)  # above the tightest bound, and quick

    monkeypatch.setattr(calibration, "delta_by_method", counting)
    relative_plan.cache_clear()
    try:
        plan = relative_plan(Fraction(1), least * lowest, sensitivity, 2, 3)
    except UnreachableTarget:
        assert least < 2
    else:
        assert plan.epsilon.upper <= 1
    assert asked.count("rdp") >= 2
    # One value more says what the noise that was found costs.
    assert asked.count("iteration") <= 6 + 1
