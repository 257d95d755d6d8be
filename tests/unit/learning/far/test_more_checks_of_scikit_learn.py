"""The checks of scikit-learn on further estimators: each mechanism, neighbours, intercepts."""

from __future__ import annotations

import pytest

pytest.importorskip("sklearn", reason="the extra `sklearn` is not installed")
from sklearn.utils.estimator_checks import parametrize_with_checks

from ..estimators import (  # noqa: TID252 - tests are no package with a name of its own
    LOGISTICS,
    RIDGES,
    refused_by_logistic,
    refused_by_ridge,
)


@parametrize_with_checks(RIDGES[2:], expected_failed_checks=refused_by_ridge, xfail_strict=True)
def test_ridges(estimator, check):
    check(estimator)


@parametrize_with_checks(LOGISTICS[2:], expected_failed_checks=refused_by_logistic, xfail_strict=True)
def test_logistic_regressions(estimator, check):
    check(estimator)
