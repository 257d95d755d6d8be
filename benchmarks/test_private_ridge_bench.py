"""A private fit at the size of ijcnn1, against scikit-learn's own fit."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="the extra `sklearn` is not installed")
from sklearn.linear_model import Ridge

from rgm_verify.learning import PrivateRidge

RECORDS, FEATURES = 141_691, 22


@pytest.fixture(scope="module")
def data():
    """Records in the unit ball, with labels from a linear model."""
    generator = np.random.default_rng(20_240_006)
    X = generator.uniform(-1, 1, (RECORDS, FEATURES)) / np.sqrt(FEATURES)
    return X, np.clip(X @ generator.uniform(-1, 1, FEATURES) + 0.1 * generator.standard_normal(RECORDS), -1, 1)


@pytest.mark.parametrize("out_of_bounds", ["refuse", "clip"])
def test_a_private_fit_against_scikit_learns_ridge(ratio, data, out_of_bounds):
    """The calibration is cached by its target, and paid by the round that warms up: about 10 ms."""
    X, y = data
    bounds = {"feature_bound": 1, "label_bound": 1, "regularization": "3/100", "out_of_bounds": out_of_bounds}
    bounds |= {"mechanism": "gaussian"}
    private = PrivateRidge(1, "1e-6", **bounds, random_state=1)
    plain = Ridge(alpha=0.03 * RECORDS, fit_intercept=False)
    ratio(
        f"PrivateRidge.fit, {private.accounted(RECORDS, FEATURES).steps} steps, {out_of_bounds} / Ridge.fit",
        lambda: private.fit(X, y),
        lambda: plain.fit(X, y),
        target=5.0,
    )


@pytest.mark.parametrize("out_of_bounds", ["refuse", "clip"])
def test_a_release_of_moments_against_the_product_of_the_features(ratio, data, out_of_bounds):
    """The norms of the records are looked at, and both moments summed in blocks."""
    X, y = data
    options = {"feature_bound": 1, "label_bound": 1, "out_of_bounds": out_of_bounds, "random_state": 1}
    private = PrivateRidge(1, "1e-6", **options, mechanism="statistics")
    ratio(
        f"PrivateRidge.fit, statistics, {out_of_bounds} / X^T X",
        lambda: private.fit(X, y),
        lambda: X.T @ X,
        target=5.0,
    )


@pytest.fixture(scope="module")
def many():
    """A million records with fifty features."""
    generator = np.random.default_rng(20_240_007)
    X = generator.uniform(-1, 1, (10**6, 50)) / np.sqrt(50)
    return X, np.clip(X @ generator.uniform(-1, 1, 50) + 0.1 * generator.standard_normal(10**6), -1, 1)


MECHANISMS = [("statistics", {}, 2.5), ("auto", {}, 8.0), ("iterate", {"regularization": "1/100"}, 4.0)]


@pytest.mark.parametrize(("mechanism", "options", "target"), MECHANISMS)
def test_a_fit_to_a_million_records_against_the_product_of_the_features(ratio, many, mechanism, options, target):
    """Of the looks of "auto" at the records most are products by a vector, and two are products of matrices."""
    X, y = many
    model = PrivateRidge(1, "1e-6", feature_bound=1, label_bound=1, mechanism=mechanism, random_state=1, **options)
    ratio(
        f"PrivateRidge.fit, {mechanism}, n = 10^6, d = 50 / X^T X",
        lambda: model.fit(X, y),
        lambda: X.T @ X,
        target=target,
    )


@pytest.mark.parametrize(("mechanism", "options"), [case[:2] for case in MECHANISMS])
def test_a_fit_needs_less_memory_than_a_copy_of_the_records(many, mechanism, options):
    X, y = many
    model = PrivateRidge(1, "1e-6", feature_bound=1, label_bound=1, mechanism=mechanism, random_state=1, **options)
    tracemalloc.start()
    model.fit(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak <= X.nbytes
