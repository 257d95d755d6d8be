"""Estimators for the checks of scikit-learn: the first two of each for every run, and which checks have to fail."""

from __future__ import annotations

from rgm_verify.learning import PrivateLogisticRegression, PrivateRidge


def ridge(**options):
    given = {"epsilon": 1, "delta": "1e-6", "feature_bound": 1, "label_bound": 1, "regularization": "1/10", "steps": 3}
    return PrivateRidge(**given | {"mechanism": "gaussian"} | options)


MOMENTS = {"mechanism": "statistics", "regularization": None, "steps": None}
AUTO = MOMENTS | {"mechanism": "auto"}


def logistic(**options):
    given = {"epsilon": 1, "delta": "1e-6", "feature_bound": 1, "classes": (0, 1)}
    return PrivateLogisticRegression(**given | options)


# The data of the checks are in no bounds, and are clipped. The floor of relative noise asks for a strong penalty.
WIDE = {"feature_bound": 20, "label_bound": 20, "regularization": 1, "out_of_bounds": "clip", "steps": None}
RIDGES = [
    PrivateRidge(1, "1e-6", feature_bound=20, label_bound=20, out_of_bounds="clip"),
    ridge(**WIDE | AUTO, fit_intercept=True, neighbours="add_or_remove", divisor=200),
    ridge(**WIDE),
    ridge(**WIDE, fit_intercept=True),
    ridge(**WIDE, neighbours="add_or_remove", divisor=200),
    ridge(**WIDE | {"regularization": 10**5, "steps": 1}, mechanism="relative"),
    ridge(**WIDE | {"feature_bound": 1e4, "label_bound": 1e4, "out_of_bounds": "refuse"}),
    ridge(**WIDE | MOMENTS),
    ridge(**WIDE, mechanism="iterate"),
    ridge(**WIDE | MOMENTS, fit_intercept=True, neighbours="add_or_remove", divisor=200),
]


TOTAL = "clipping takes every float: a refusal would depend on the data"


ONE_RECORD = "a record of weight 2 is one record, and two records are two"
WEIGHTS = (
    "check_sample_weights_pandas_series",
    "check_sample_weights_not_an_array",
    "check_sample_weights_list",
    "check_all_zero_sample_weights_error",
    "check_sample_weights_shape",
    "check_sample_weights_not_overwritten",
)


def refused_by_ridge(estimator):
    """The checks that ask for an error where an error would depend on the data; each has to fail, and does."""
    checks = dict.fromkeys(
        ("check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data"), ONE_RECORD
    )
    if estimator.out_of_bounds == "clip":
        checks |= {"check_supervised_y_no_nan": TOTAL}
    if estimator.neighbours == "add_or_remove":
        checks["check_estimators_empty_data_messages"] = "the number of records is private: none is one of them"
        checks |= dict.fromkeys(WEIGHTS, "the largest weight may come or go")
    return checks


# Seeds, since whether ten records are told apart through noise is a matter of luck.
SEEDED = {"epsilon": 1000, "feature_bound": 20, "out_of_bounds": "clip", "random_state": 0}
LOGISTICS = [
    logistic(**SEEDED, fit_intercept=True),
    logistic(**SEEDED, mechanism="newton", fit_intercept=True),
    logistic(**SEEDED, neighbours="add_or_remove", divisor=200),
    logistic(epsilon=1000, feature_bound=300, random_state=0),
]
GIVEN = "the classes are given: other labels are refused, or count as none"


def refused_by_logistic(estimator):
    """The checks that ask for classes that are inferred, or for an error where an error would depend on the data."""
    names = ["check_classifiers_classes", "check_classifier_not_supporting_multiclass"]
    if estimator.out_of_bounds == "clip":
        names += ["check_classifiers_regression_target", "check_supervised_y_no_nan"]
    else:
        names += ["check_estimators_dtypes", "check_classifier_data_not_an_array", "check_fit2d_1feature"]
        names += ["check_classifiers_one_label"]  # ten records, and noise for records as long as the bound allows
    if estimator.neighbours == "add_or_remove":
        names += ["check_estimators_empty_data_messages"]  # the number of records is private: none is one of them
    return dict.fromkeys(names, GIVEN)
