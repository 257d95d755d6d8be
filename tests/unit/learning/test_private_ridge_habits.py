"""`PrivateRidge` among scikit-learn's tools: budgets, clones, weights, several labels, sparse input, intervals."""

from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="the extra `sklearn` is not installed")
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from rgm_verify.accounting.plans.filters import GaussianFilter
from rgm_verify.errors import InputError
from rgm_verify.learning import PrivateRidge

generator = np.random.default_rng(3)
X = generator.uniform(-0.5, 0.5, (400, 3))
y = X @ [0.5, -0.25, 0.75]
BOUNDS = {"feature_bound": 1, "label_bound": 1}
ONCE = ["auto", "statistics"]


def ridge(epsilon=1, **options):
    return PrivateRidge(epsilon, "1e-6", **BOUNDS, **options)


def cost(**options):
    return ridge(**options).accounted(400, 3).distance_squared


DESCENT = {"mechanism": "iterate", "regularization": "1/10", "steps": 2}


@pytest.mark.parametrize("options", [{}, {"mechanism": "statistics"}, DESCENT, DESCENT | {"mechanism": "gaussian"}])
def test_a_fit_is_charged_what_its_target_allows_and_refused_beyond(options):
    once = cost(**options)
    # Whatever the mechanism is, one target is one distance, but for the calibration's last digits.
    assert abs(once / cost() - 1) < Fraction(1, 10**5)
    budget = GaussianFilter(once * 5 / 2)
    model = ridge(**options, budget=budget, random_state=np.random.default_rng(0))
    first = model.fit(X, y).coef_
    assert once <= budget.spent < once * (1 + Fraction(1, 10**15))
    model.fit(X, y)
    kept = model.coef_
    with pytest.raises(InputError, match="nothing was released"):
        model.fit(X, y)
    assert budget.spent < 2 * once * (1 + Fraction(1, 10**15))
    assert model.coef_ is kept
    assert not np.array_equal(first, kept)


def test_a_fit_that_is_refused_for_its_data_is_not_charged():
    budget = GaussianFilter(1)
    with pytest.raises(InputError, match="feature_bound=1"):
        ridge(budget=budget).fit(X * 9, y)
    assert budget.spent == 0


def test_a_search_over_parameters_is_charged_fit_by_fit():
    fold = ridge().accounted(200, 3).distance_squared
    budget = GaussianFilter(fold * 11 / 2)
    search = GridSearchCV(ridge(budget=budget), {"regularization": [None, "1/10"]}, cv=2, error_score="raise")
    search.fit(X, y)
    # Two parameters, two folds, and the best of them again.
    assert 5 * fold * (1 - Fraction(1, 10**5)) < budget.spent <= budget.budget
    with pytest.raises(InputError, match="nothing was released"):
        search.fit(X, y)


def test_what_is_stored_leaves_its_budget_behind():
    model = ridge(budget=GaussianFilter(1)).fit(X, y)
    loaded = pickle.loads(pickle.dumps(model))
    assert loaded.predict(X).tolist() == model.predict(X).tolist()
    with pytest.raises(InputError, match="budget=<left behind>: the estimator was copied"):
        clone(loaded).fit(X, y)
    assert ridge(budget=GaussianFilter(1)).fit(X, y).set_params(budget=None).fit(X, y)


@pytest.mark.parametrize("budget", [1, "1"])
def test_a_budget_is_a_filter(budget):
    with pytest.raises(InputError, match="expected None or an accounting"):
        ridge(budget=budget).fit(X, y)


def test_relative_noise_takes_no_budget():
    model = ridge(mechanism="relative", regularization=10**5, steps=1, budget=GaussianFilter(1))
    with pytest.raises(InputError, match="relative noise has no distance"):
        model.fit(X, y)


def test_clones_draw_noise_of_their_own():
    first = ridge(random_state=np.random.default_rng(0))
    fits = [model.fit(X, y).coef_.tolist() for model in (clone(first), clone(first), first)]
    assert len({tuple(fit) for fit in fits}) == 3
    # What an integer says is the same for all: that is what it is for.
    assert clone(ridge(random_state=1)).fit(X, y).coef_.tolist() == ridge(random_state=1).fit(X, y).coef_.tolist()


@pytest.mark.parametrize("mechanism", ONCE)
def test_sparse_input_is_the_same_as_dense(mechanism):
    sparse = csr_array(np.where(np.abs(X) < 0.3, 0, X))
    fits = [ridge(mechanism=mechanism, random_state=1).fit(data, y) for data in (sparse, sparse.toarray())]
    assert fits[0].coef_.tolist() == fits[1].coef_.tolist()
    assert (
        np.abs(fits[0].predict(sparse) - fits[1].predict(sparse.toarray())).max() <= 4e-16 * np.abs(fits[0].coef_).sum()
    )


@pytest.mark.parametrize("mechanism", ONCE)
def test_weights_and_several_labels_without_noise_to_speak_of(mechanism):
    # Below the noise nothing can be compared, so there is next to none; what remains is the solution's own rounding.
    labels, weights = np.column_stack([y, -y / 2]) / 2 + X[:, :1] ** 2 / 4, np.arange(400) % 3 / 2
    exact = np.linalg.lstsq(X * np.sqrt(weights)[:, np.newaxis], labels * np.sqrt(weights)[:, np.newaxis], rcond=None)[
        0
    ]
    fit = ridge(10**6, mechanism=mechanism, random_state=1).fit(X, labels, sample_weight=weights)
    assert fit.coef_.shape == (2, 3)
    assert fit.predict(X).shape == (400, 2)
    if mechanism == "statistics":
        deviations = np.sqrt(np.diagonal(fit.coef_cov_, axis1=1, axis2=2))
        # Seven deviations: for six normal numbers a false alarm has a probability of less than 1e-10.
        assert (np.abs(fit.coef_ - exact.T) <= 7 * deviations).all()
        assert deviations.max() < 1e-3
    else:
        unweighted = np.linalg.lstsq(X, labels, rcond=None)[0]
        assert np.linalg.norm(fit.coef_ - exact.T) < np.linalg.norm(unweighted - exact) / 2


@pytest.mark.parametrize("weights", [np.ones(3), -np.ones(400), np.zeros(400), np.full(400, np.nan)])
def test_weights_are_numbers_from_zero_one_a_record(weights):
    with pytest.raises(InputError, match="sample_weight"):
        ridge().fit(X, y, sample_weight=weights)


def test_labels_are_bounded_by_their_norm():
    labels = np.column_stack([y, y])
    with pytest.raises(InputError, match=r"label_bound=0\.6: an entry of y"):
        PrivateRidge(1, "1e-6", feature_bound=1, label_bound="0.6").fit(X, labels)
    with pytest.raises(InputError, match="y should be a 1d array"):
        ridge(**DESCENT).fit(X, labels)


# --------------------------------------------------------------------------------------------------- intervals


def test_intervals_hold_what_they_promise_and_no_more():
    # 150 fits to one data set, each with the share of its three coefficients that are covered, from 0 to 1: .95 on
    # average, and .38 with a quarter of the width. Hoeffding: .27 off has a probability of less than 1e-9.
    exact = np.linalg.lstsq(X, y, rcond=None)[0]
    far, half = [], []
    for seed in range(150):
        fit = ridge(60, mechanism="statistics", random_state=seed).fit(X, y)
        assert fit.hidden_directions_.shape == (3, 0)
        far.append(np.abs(fit.coef_ - exact))
        half.append(np.diff(fit.intervals(0.95))[:, 0] / 2)
    assert np.mean(np.array(far) <= half) >= 0.68
    assert np.mean(np.array(far) <= np.array(half) / 4) <= 0.65


def test_nothing_is_said_of_directions_that_the_noise_hides():
    flat = X * [1, 1, 1e-3]
    fit = ridge(60, mechanism="statistics", random_state=1).fit(flat, y)
    assert fit.hidden_directions_.shape == (3, 1)
    assert np.isinf(fit.intervals()).all()
    assert np.isnan(fit.coef_cov_).all()
    # Along what is resolved there is an interval, and along what is hidden there is none.
    others = np.linalg.svd(fit.hidden_directions_.T)[2]
    found = fit.intervals(directions=others)
    assert np.isinf(found[0]).all()
    assert np.isfinite(found[1:]).all()
    with pytest.raises(InputError, match="confidence=1"):
        fit.intervals(1)
    with pytest.raises(InputError, match=r"expected shape \(m, 3\)"):
        fit.intervals(directions=[[1, 0]])


def test_other_mechanisms_give_no_intervals():
    fit = ridge(random_state=1).fit(X, y)
    assert np.isinf(fit.intervals()).all()
    assert np.isnan(fit.coef_cov_).all()
