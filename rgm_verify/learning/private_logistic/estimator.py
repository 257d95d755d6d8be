"""`PrivateLogisticRegression`: binary logistic regression in scikit-learn's manner, (epsilon, delta)-private.

It needs scikit-learn, the extra `sklearn`: `pip install rgm-verify[sklearn]`.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rgm_verify.accounting.exact.one_release import probability
from rgm_verify.accounting.plans.filters import GaussianFilter
from rgm_verify.errors import InputError, depends_on_data, reject
from rgm_verify.learning.data import FloatArray, finite
from rgm_verify.learning.private_logistic.newton import STEPS, NewtonPlan, descended, newton_plan
from rgm_verify.learning.private_logistic.objective import ObjectivePlan, objective_plan, released, shares
from rgm_verify.learning.private_logistic.public import PublicLogistic
from rgm_verify.learning.private_ridge.bounds import OutOfBounds, RecordBounds, moderate
from rgm_verify.mechanisms.sensitivity import Adjacency, adjacency
from rgm_verify.numbers.bounds import round_down, round_up
from rgm_verify.numbers.counted import counted
from rgm_verify.numbers.exact import NumberInput, exact, positive, positive_integer
from rgm_verify.numbers.roots import root_above
from rgm_verify.numbers.shown import Shown

try:
    from sklearn.base import ClassifierMixin
    from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

    from rgm_verify.learning.habits import NoNumber, PrivateEstimator, charge, generator_of, without_values
except ImportError as missing:
    raise ImportError(
        "PrivateLogisticRegression needs scikit-learn 1.6 or newer: pip install 'rgm-verify[sklearn]'",
        name=missing.name,
    ) from missing

LogisticMechanism: TypeAlias = Literal["objective", "newton"]

MOST_FOR_OBJECTIVE = 25
"""The number of features, an intercept's included, up to which the objective is perturbed unless told otherwise."""

_LEAST_EPSILON, _LARGEST_EPSILON = Fraction(1, 10**6), Fraction(1000)


@dataclass(frozen=True)
class LogisticPrivacy(Shown):
    """The privacy of a fit: the coefficients and all results from them are `(epsilon, delta)`-private.

    That is for all data that keep the bound in `plan.public`, and for neighbours as it says. `epsilon` is certified
    from above and what was asked for; the true one may be smaller. `plan` has the noise, and everything in it is
    public.
    """

    mechanism: LogisticMechanism
    plan: ObjectivePlan | NewtonPlan

    @property
    def epsilon(self) -> Fraction:
        """An upper bound on the epsilon at `delta`: that which was asked for."""
        return self.plan.epsilon

    @property
    def delta(self) -> Fraction:
        """The delta that goes with it: that which was asked for, exactly."""
        return self.plan.delta

    @property
    def adjacency(self) -> Adjacency:
        """The relation that makes two data sets neighbours."""
        return self.plan.public.adjacency

    def __str__(self) -> str:
        """One sentence for reading, with rounded numbers."""
        if isinstance(self.plan, ObjectivePlan):
            made = f"an objective with a perturbation of variance {float(self.plan.variance):.3g}"
        else:
            made = f"a matrix and {counted(self.plan.steps, 'gradient')} with noise at the iterate"
        change = "replaced" if self.adjacency is Adjacency.REPLACE_ONE else "added or removed"
        target = f"(epsilon={float(self.epsilon):.6g}, delta={float(self.delta):.6g})-private"
        return f"{target} when one record is {change}: {made}"


class PrivateLogisticRegression(ClassifierMixin, PrivateEstimator):
    """Binary logistic regression with (`epsilon`, `delta`)-private coefficients.

    It minimises `sum log(1 + exp(-y x.w)) + divisor regularization/2 |w|^2` over records with labels `y` of +1 or -1.
    Every number of the accounting follows from the parameters, the number of features and the divisor; nothing is tuned
    on the data.

    Parameters:
        epsilon: What is asked for, from 1e-6 to 1000. A text or a Fraction is exact, a float is the binary number that
            it is.
        delta: What is asked for, `0 < delta < 1`.
        feature_bound: A bound on the norm of every record's features, `|x| <= feature_bound`. Public.
        classes: The two labels, in order: the second one is the positive class. Public, and never inferred: a label
            that one record alone has would show it.
        mechanism: "objective" adds a random linear term to the objective, and its minimiser is released: the best for
            few features. "newton" releases the matrix of second moments, then gradients with noise at the iterate. None
            takes "objective" for up to 25 coefficients, which is a public choice.
        regularization: The penalty on the mean loss. None takes the least one that "objective" is private with, and no
            penalty for "newton".
        steps: The number of gradients of "newton", 10 if None; None with "objective".
        neighbours: "replace_one", where the number of records is public; or "add_or_remove", where it is not.
        divisor: With "add_or_remove", a public estimate of the number of records; more than twice as many are refused.
            None with "replace_one".
        out_of_bounds: "refuse" raises an `InputError` where a record breaks the bound or has another label; "clip"
            shortens its features to the bound and takes every float (NaN as 0, an infinity as the largest float), and a
            record with another label as one whose features are all 0.
        fit_intercept: Whether to fit an intercept, as the coefficient of one more feature, the constant
            `feature_bound`. It is penalised like the others.
        random_state: None for fresh entropy of the operating system, an integer, or a `numpy.random.Generator`.
            **Whoever knows the seed knows the noise**: integers are for tests.
        budget: None, or a filter that each fit with "newton" is charged to, those of clones included. A filter counts
            Gaussian noise, so that it must be None with "objective".

    Attributes:
        classes_: The two labels, as given.
        coef_: Shape (1, n_features). Private as `privacy_` says, and so is every result from it.
        intercept_: Shape (1,); 0.0 unless `fit_intercept`.
        n_features_in_, feature_names_in_: As in scikit-learn. Taken to be public.
        n_iter_: The number of releases: 1 with "objective", of gradients with "newton".
        privacy_: `LogisticPrivacy`, the accounted privacy of this fit.

    Formal Guarantees:
        * In real arithmetic the coefficients are `(epsilon, delta)`-private for all data whose records keep the bound,
          or for all floats and labels with `out_of_bounds="clip"`. That the minimiser is approximate is accounted for,
          and so is all rounding of sums and gradients: `private_logistic.objective`, `private_logistic.newton`.
        * The noise is fixed before the data are looked at.

    Edge cases:
        * Entries that are no numbers, wrong shapes, parameters out of range, a penalty below what "objective" needs:
          `InputError`. A failed `fit` leaves the estimator as it was.

    What this does not protect against:
        * Errors: that records were refused depends on the data. Messages name bounds and no values; keep them private.
        * Several fits: each is a release. Scores on private data are not private.
        * Floating point: noise is added in floats, whose low bits depend on the value. PCG64 is no cryptographic
          generator.
        * Running time: how many steps the solver takes depends on the data.
        * Bounds that were chosen by looking at the data.
    """

    classes_: NDArray[Any]
    coef_: FloatArray
    intercept_: FloatArray
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]
    n_iter_: int
    privacy_: LogisticPrivacy

    def __init__(
        self,
        epsilon: NumberInput,
        delta: NumberInput,
        *,
        feature_bound: NumberInput,
        classes: Sequence[Any],
        mechanism: LogisticMechanism | None = None,
        regularization: NumberInput | None = None,
        steps: int | None = None,
        neighbours: Adjacency | str = "replace_one",
        divisor: int | None = None,
        out_of_bounds: OutOfBounds = "refuse",
        fit_intercept: bool = False,
        random_state: int | np.random.Generator | None = None,
        budget: GaussianFilter | None = None,
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.feature_bound = feature_bound
        self.classes = classes
        self.mechanism = mechanism
        self.regularization = regularization
        self.steps = steps
        self.neighbours = neighbours
        self.divisor = divisor
        self.out_of_bounds = out_of_bounds
        self.fit_intercept = fit_intercept
        self.random_state = random_state
        self.budget = budget

    def fit(self, X: ArrayLike, y: ArrayLike) -> PrivateLogisticRegression:
        """Fit the coefficients to `X` (n, d), one record a row, and labels `y` (n,); return the estimator.

        Raises `InputError` as the class says; nothing is released then.
        """
        generator, classes = generator_of(self.random_state), _two(self.classes)
        checked, features, labels = self._checked(X, y)
        privacy = self.accounted(*features.shape)
        bounds = RecordBounds.of(self.feature_bound, 1, features.shape[1])
        features, signs = bounds.keep(features, np.zeros(len(features)), self.out_of_bounds)[0], _signs(labels, classes)
        if not signs.all() and self.out_of_bounds == "refuse":
            raise depends_on_data("classes: Unknown label type: a label of y is none of the two")
        constant = round_down(bounds.feature_bound)
        if self.fit_intercept:
            features = np.column_stack([features, np.full(len(features), constant)])
        V = np.ascontiguousarray(features * signs[:, np.newaxis])
        if isinstance(privacy.plan, ObjectivePlan):
            theta = released(V, privacy.plan, generator)
        else:
            # The last thing that may fail before noise is drawn.
            if self.budget is not None:
                charge(self.budget, privacy.plan.distance_squared)
            theta = descended(V, privacy.plan, generator)
        return self._keep(checked, theta, constant, classes, privacy)

    def accounted(self, records: int, features: int) -> LogisticPrivacy:
        """Return the privacy that a fit to this number of records and features will have, without any data.

        It is what `fit` will set as `privacy_`. `records` counts with "replace_one" only. Raises `InputError` as `fit`.
        """
        epsilon = positive(self.epsilon, name="epsilon", meaning="the privacy parameter", floats="binary")
        if not _LEAST_EPSILON <= epsilon <= _LARGEST_EPSILON:
            raise reject("epsilon", self.epsilon, "must be between 1e-6 and 1000")
        delta = probability(exact(self.delta, name="delta", floats="binary"), name="delta")
        if self.mechanism is not None and self.mechanism not in get_args(LogisticMechanism):
            raise reject("mechanism", self.mechanism, "allowed are None, objective, newton")
        public = self._public(records, features)
        objective = self.mechanism == "objective" or (self.mechanism is None and public.dimension <= MOST_FOR_OBJECTIVE)
        penalty = None
        if self.regularization is not None:
            mean = moderate(self.regularization, name="regularization", meaning="the penalty on the mean loss")
            penalty = Fraction(round_up(mean * public.divisor))
        if objective:
            if self.steps is not None:
                raise reject("steps", self.steps, "must be None with objective: one release, no steps")
            if self.budget is not None:
                raise reject("budget", "given", "must be None with objective: a filter counts Gaussian noise")
            return LogisticPrivacy("objective", objective_plan(epsilon, delta, public, penalty))
        steps = STEPS if self.steps is None else self.steps
        steps = positive_integer(steps, name="steps", meaning="the number of steps")
        return LogisticPrivacy("newton", newton_plan(epsilon, delta, public, penalty, steps))

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Return `X w + intercept` for features `X` (n, d), shape (n,): above 0 for the second class."""
        check_is_fitted(self, "coef_")
        clip = self.out_of_bounds == "clip"
        features = finite(validate_data(self, X, reset=False, dtype=np.float64, ensure_all_finite=not clip))
        return np.asarray(features @ self.coef_[0] + self.intercept_[0], dtype=np.float64)

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Return the probabilities of both classes, shape (n, 2), in the order of `classes`."""
        score = self.decision_function(X)[:, np.newaxis]
        return np.column_stack([shares(score, np.ones(1)), shares(-score, np.ones(1))])

    def predict_log_proba(self, X: ArrayLike) -> FloatArray:
        """Return the logarithms of `predict_proba`, shape (n, 2)."""
        score = self.decision_function(X)
        return -np.column_stack([np.logaddexp(0, score), np.logaddexp(0, -score)])

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the likelier class of each row (n,)."""
        chosen = (self.decision_function(X) > 0).astype(int)
        return np.asarray(self.classes_[chosen])

    def __sklearn_tags__(self) -> Any:
        """Return what scikit-learn may expect: two classes, no good score on little data, NaN where it is clipped."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.poor_score = True
        tags.input_tags.allow_nan = self.out_of_bounds == "clip"
        return tags

    def _public(self, records: int, features: int) -> PublicLogistic:
        kind = adjacency(self.neighbours)
        longest = Fraction(RecordBounds.of(self.feature_bound, 1, features).features)
        if kind is Adjacency.REPLACE_ONE:
            if self.divisor is not None:
                raise reject("divisor", self.divisor, "must be None with replace_one: the number of records is public")
            public = records
        elif self.divisor is None:
            raise reject("divisor", None, "with add_or_remove a public number must be given: n is private")
        else:
            public = positive_integer(self.divisor, name="divisor", meaning="the public number of records")
            if records > 2 * public:
                raise depends_on_data(f"divisor={public}: there are more than twice as many records")
        # A record with its constant has twice the squared length at most; rounded up, since noise is set by it.
        bound = Fraction(round_up(root_above(2 * longest**2))) if self.fit_intercept else longest
        return PublicLogistic(bound, public, features + bool(self.fit_intercept), kind)

    def _checked(self, X: ArrayLike, y: ArrayLike) -> tuple[PrivateLogisticRegression, FloatArray, NDArray[Any]]:
        """Return features and labels, and a copy of the estimator that knows the names of the columns.

        On a copy, so that data that are refused leave no trace on the estimator.
        """
        checked, clip = copy.copy(self), self.out_of_bounds == "clip"
        if y is None:
            raise InputError("PrivateLogisticRegression requires y to be passed, but the target y is None")
        least = 2 if adjacency(self.neighbours) is Adjacency.REPLACE_ONE else 0
        kind: type[InputError] = InputError
        try:
            with np.errstate(over="ignore", invalid="ignore"):
                features = np.asarray(
                    validate_data(checked, X, dtype=np.float64, ensure_all_finite=not clip, ensure_min_samples=least)
                )
            labels = np.asarray(column_or_1d(y, warn=True))
            if labels.shape == features.shape[:1]:
                return checked, features, labels
            problem = f"y: expected shape ({len(features)},), one label a row; it has {labels.shape}"
        except (ValueError, OverflowError) as error:
            problem = without_values(error, "X, y: expected numbers only")
        except TypeError as error:
            problem = without_values(error, "X, y: float() argument must be a string or a real number")
            kind = NoNumber
        # Outside of the block above, so that no exception that may quote the data comes with it.
        raise kind(str(depends_on_data(problem)))

    def _keep(
        self,
        checked: PrivateLogisticRegression,
        theta: FloatArray,
        constant: float,
        classes: NDArray[Any],
        privacy: LogisticPrivacy,
    ) -> PrivateLogisticRegression:
        d = checked.n_features_in_
        self.n_features_in_ = d
        if hasattr(checked, "feature_names_in_"):
            self.feature_names_in_ = checked.feature_names_in_
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self.classes_ = classes
        self.coef_ = theta[np.newaxis, :d].copy()
        self.intercept_ = np.array([theta[d] * constant if self.fit_intercept else 0.0])
        self.n_iter_ = privacy.plan.steps if isinstance(privacy.plan, NewtonPlan) else 1
        self.privacy_ = privacy
        return self


def _two(classes: object) -> NDArray[Any]:
    """Return the two labels as an array (2,); `InputError` for anything else."""
    given = np.asarray(classes)
    if given.shape != (2,) or given.dtype.kind not in "biufUSO" or given[0] == given[1] or (given != given).any():
        raise reject("classes", classes, "expected the two different labels that records may have, in order")
    return given


def _signs(labels: NDArray[Any], classes: NDArray[Any]) -> FloatArray:
    """Return 1 for the second class, -1 for the first, 0 for anything else: record by record."""
    return np.asarray((labels == classes[1]).astype(np.float64) - (labels == classes[0]).astype(np.float64))
