"""`PrivateRidge`: ridge regression in scikit-learn's manner, (epsilon, delta)-private, with its accounted privacy.

It needs scikit-learn, the extra `sklearn`: `pip install rgm-verify[sklearn]`.
"""

from __future__ import annotations

import copy
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse

from rgm_verify.accounting.exact.one_release import probability
from rgm_verify.accounting.plans.filters import GaussianFilter
from rgm_verify.errors import InputError, depends_on_data, reject
from rgm_verify.learning.data import FloatArray, finite, positive_float
from rgm_verify.learning.descent.utility import warn_about_step
from rgm_verify.learning.private_ridge import auto
from rgm_verify.learning.private_ridge.account import RidgePrivacy
from rgm_verify.learning.private_ridge.bounds import OutOfBounds, RecordBounds, moderate
from rgm_verify.learning.private_ridge.descent import (
    default_step,
    descend,
    noise_ratio,
    objective_of,
    planned_steps,
    require_audible,
)
from rgm_verify.learning.private_ridge.noise import (
    Mechanism,
    NoisePlan,
    gaussian_plan,
    iterate_plan,
    reachable_steps,
    relative_plan,
    variance_multiplier,
)
from rgm_verify.learning.private_ridge.sensitivity import AtIterate, PublicRidge
from rgm_verify.learning.private_ridge.statistics import Fit, intervals, released_and_solved
from rgm_verify.mechanisms.sensitivity import AbsoluteSensitivity, Adjacency, adjacency
from rgm_verify.mechanisms.values import checked_values
from rgm_verify.numbers.bounds import round_down, round_up
from rgm_verify.numbers.exact import NumberInput, exact, positive, positive_integer
from rgm_verify.numbers.roots import root_above

try:
    from sklearn.base import RegressorMixin
    from sklearn.utils.validation import check_is_fitted, validate_data

    from rgm_verify.learning.habits import (
        NoNumber,
        PrivateEstimator,
        charge,
        generator_of,
        public_weights,
        without_values,
    )
except ImportError as missing:
    raise ImportError(
        "PrivateRidge needs scikit-learn 1.6 or newer: pip install 'rgm-verify[sklearn]'", name=missing.name
    ) from missing


ONCE: Final = ("auto", "statistics")
"""The mechanisms that are no descent of the paper: no penalty is needed, and several labels and weights are taken."""

_LEAST_EPSILON, _LARGEST_EPSILON = Fraction(1, 10**9), Fraction(10**6)


WAIVED_TAGS = {
    "poor_score": "the noise is set by what is asked for: on 200 records epsilon = 1 leaves no good score",
}
"""Promises not made to scikit-learn, by the names of its tags for regressors, and why."""


class PrivateRidge(RegressorMixin, PrivateEstimator):
    """Ridge regression with (`epsilon`, `delta`)-private coefficients: no parameter is needed beside public bounds.

    It minimises `|y - X w|^2 / (2 n) + regularization/2 |w|^2`: scikit-learn's `Ridge(alpha=n * regularization)`. (The
    name `alpha` would mean another number there.) Every number of the privacy accounting follows from the parameters,
    the number of features and the divisor. What is chosen on the way is chosen from released values alone.

    Parameters:
        epsilon: What is asked for, from 1e-9 to 1e6. Here and below a text or a Fraction is exact, and a float is the
            binary number that it is.
        delta: What is asked for, `0 < delta < 1`.
        feature_bound: A bound on the norm of every record's features, `|x| <= feature_bound`. Public.
        label_bound: A bound on every label, `|y| <= label_bound`; on the norm of a record's labels where there are
            several. Public.
        regularization: The penalty `mu > 0`, rounded to a float. With "auto" and "statistics" the noise does not depend
            on it, and None is no penalty. Descents need it: without it no public number bounds the minimiser.
        mechanism: "auto", the default, spends counted shares of the budget on the scales of the data, on a pilot of
            the moments and on four Newton steps with clipped gradients (`private_ridge.auto`). It is the default since
            bounds that are known beforehand are loose, and it is within twice the best of eight fixed methods' excess
            error on nearly all data that it was not made on. "statistics" releases `X^T X` and `X^T y` once, together,
            with Gaussian noise, and solves the regression from them. It is quickest, and the only one whose noise in
            the coefficients is known. The other three release each gradient of a descent, and are here to be compared:
            "gaussian" with noise of one variance; "iterate" with Gaussian noise whose variance follows the sensitivity
            at the iterate, which is public: never more than "gaussian" at the same cost, and far less for a small
            penalty; "relative" is the Relative Gaussian Mechanism, whose noise grows with the gradient, and which has a
            floor below which no target is met. All five are sound.
        steps: The number of gradient steps, each of them a release; chosen from public numbers if None: the number with
            the least bound on the distance to the minimiser, up to 1000, and with "relative" no more than its floor
            leaves room for. None with "auto" and "statistics".
        step: The step size; if None, `1 / ((1 + gamma d) L)` with the public bound `L = feature_bound^2 + mu`. None
            with "auto" and "statistics".
        neighbours: "replace_one", where the number of records is public; or "add_or_remove", where it is not.
        divisor: With "add_or_remove", the public number that sums over the records are divided by, an estimate of n;
            more than `2 * divisor` records are refused. With "replace_one" it is n and must be None.
        out_of_bounds: "refuse" raises an `InputError` where a record breaks a bound; "clip" shortens its features, or
            moves its label, to the bound, and takes every float: NaN counts as 0, and an infinity as the largest float
            of its sign.
        fit_intercept: Whether to fit an intercept, as the coefficient of one more feature, the constant
            `feature_bound`. It is penalised like the others, since a descent's sensitivity rests on the penalty of all,
            and it costs up to twice the noise, as a record with the constant has up to twice the squared length. Hence
            False by default: the data are not centred, as their means are private; centre by public constants where
            there are any.
        coef_bound: A bound on the norm of the coefficients (with the intercept's), if one smaller than
            `label_bound / (2 sqrt(regularization))` is wanted. Public. Less noise, and a bias where the minimiser is
            beyond it. None with "auto" and "statistics", where it would change no noise.
        random_state: None for fresh entropy of the operating system, an integer, or a `numpy.random.Generator`.
            **Whoever knows the seed knows the noise**, so that nothing is private from them. Two fits with one seed on
            different data differ by what the noise should hide: integers are for tests. A clone of the estimator, as in
            cross-validation, gets a generator that is spawned from a given one, and so noise of its own. The old
            `numpy.random.RandomState` is refused.
        budget: An `accounting.plans.filters.GaussianFilter` that every fit is charged to, of this estimator and of its
            clones; a fit that does not fit into it is refused. Copies in other processes and stored ones leave it
            behind, and their fits are refused. Not with "relative".

    Attributes:
        coef_: Shape (n_features,), or (k, n_features) for labels (n, k). Private as `privacy_` says, and so is every
            result from it.
        intercept_: A float, or (k,); 0.0 unless `fit_intercept`.
        coef_cov_, hidden_directions_: See `intervals`.
        n_features_in_, feature_names_in_: As in scikit-learn. Taken to be public.
        n_iter_: The number of releases: of steps, 7 with "auto" and 1 with "statistics".
        privacy_: `RidgePrivacy`, the accounted privacy of this fit.

    Formal Guarantees:
        * In real arithmetic the coefficients are `(privacy_.epsilon.upper, delta)`-private for all data whose records
          keep the bounds, or for all floats at all with `out_of_bounds="clip"`: certified accounting of all releases.
          The rounding of the gradients and of the moments is covered by the sensitivity.
        * With "add_or_remove" that is for neighbours which both have at most `2 * divisor` records, none and one
          included. Between `2 * divisor` records and one more an error tells them apart: see below.
        * `privacy_.epsilon.upper <= epsilon`, compared exactly.
        * Noise and steps are fixed before the data are looked at: they depend on the data's shape alone, and with
          "add_or_remove" on the number of features alone.
        * `E |w - minimiser|^2` is at most `private_ridge_descent.largest_distance(privacy_)`, made of public numbers,
          where the minimiser (for the records as clipped) lies in the ball, as it does without `coef_bound` for up to
          `divisor` records. With an intercept `w` has one coefficient more. For "auto" and "statistics" nothing is
          promised of the distance: with bounds alone there are data whose minimiser is arbitrarily far.

    Edge cases:
        * A target that no noise meets ("relative"): `InputError` that states the floor, before the data are looked at.
        * NaN and infinities with "refuse", no or one record with "replace_one", entries that are no numbers, labels of
          a wrong shape, parameters out of range, a penalty of 0, no penalty for a descent: `InputError`. A failed `fit`
          releases nothing and leaves the estimator as it was.
        * A step that may diverge: `StepSizeWarning`; the iterates stay in the ball all the same.

    What this does not protect against:
        * Errors: that records were refused, or that they are more than `2 * divisor`, depends on the data: whoever
          learns it learns a bit about them. With "clip" and "replace_one" no data of floats are refused, and with
          "clip" and "add_or_remove" only more than `2 * divisor` records: no bounded noise covers the rounding of sums
          over any number of them. Messages name bounds and no values; keep them private all the same.
        * Several fits: each is a release. Cross-validation of k folds, or a search over parameters, costs more than
          `privacy_` says: give a `budget`. Scores on private data are not private at all.
        * Weights that depend on private data: `sample_weight` is public.
        * Floating point: noise is added in floats, whose low bits depend on the value. PCG64 is no cryptographic
          generator. Running time.
        * Bounds that were chosen by looking at the data, and a public column whose presence is not public.
    """

    coef_: FloatArray
    intercept_: float | FloatArray
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]
    n_iter_: int
    privacy_: RidgePrivacy
    _fit_: Fit

    def __init__(
        self,
        epsilon: NumberInput,
        delta: NumberInput,
        *,
        feature_bound: NumberInput,
        label_bound: NumberInput,
        regularization: NumberInput | None = None,
        mechanism: Mechanism = "auto",
        steps: int | None = None,
        step: NumberInput | None = None,
        neighbours: Adjacency | str = "replace_one",
        divisor: int | None = None,
        out_of_bounds: OutOfBounds = "refuse",
        fit_intercept: bool = False,
        coef_bound: NumberInput | None = None,
        random_state: int | np.random.Generator | None = None,
        budget: GaussianFilter | None = None,
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.feature_bound = feature_bound
        self.label_bound = label_bound
        self.regularization = regularization
        self.mechanism = mechanism
        self.steps = steps
        self.step = step
        self.neighbours = neighbours
        self.divisor = divisor
        self.out_of_bounds = out_of_bounds
        self.fit_intercept = fit_intercept
        self.coef_bound = coef_bound
        self.random_state = random_state
        self.budget = budget

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> PrivateRidge:
        """Fit the coefficients to `X` (n, d), one record a row, and labels `y` (n,) or (n, k); return the estimator.

        `sample_weight` (n,) are public weights >= 0, which count over the largest of them; the penalty stays. Raises
        `InputError` as the class says; nothing is released then.
        """
        generator = generator_of(self.random_state)
        checked, features, labels = self._checked(X, y)
        # All noise is planned from public numbers alone; only then are the bounds enforced, of which errors tell
        # something.
        outputs = 1 if labels.ndim == 1 else labels.shape[1]
        privacy = self.accounted(len(features), features.shape[1], outputs)
        roots = None if sample_weight is None else self._roots(sample_weight, len(features))
        bounds = self._bounds(features.shape[1], outputs)
        features, labels = bounds.keep(features, labels, self.out_of_bounds)
        # The constant column is as long as a record may be: the intercept then is on the scale of the features.
        constant = round_down(bounds.feature_bound)
        if self.fit_intercept:
            features = np.column_stack([features, np.full(len(features), constant)])
        columns = labels.reshape(len(labels), outputs)
        if roots is not None:
            features, columns = features * roots[:, np.newaxis], columns * roots[:, np.newaxis]
        # The last thing that may fail before noise is drawn.
        if self.budget is not None:
            charge(self.budget, privacy.distance_squared)
        if self.mechanism == "auto":
            release = auto.Releases(privacy.variances[0], generator)
            fit = auto.fitted(features, columns, privacy.public, release)
        elif self.mechanism == "statistics":
            fit = released_and_solved(features, columns, privacy, generator)
        else:
            theta = descend(objective_of(features, columns[:, 0], privacy.public), privacy, generator)
            fit = Fit.without_covariance(theta[:, np.newaxis])
        return self._keep(checked, fit, constant, privacy, labels.ndim)

    def predict(self, X: ArrayLike) -> FloatArray:
        """Return `X coef_^T + intercept_` for features `X` (n, d), shape (n,) or (n, k); no more than `coef_` shows."""
        check_is_fitted(self, "coef_")
        clip = self.out_of_bounds == "clip"
        features = validate_data(
            self, X, reset=False, dtype=np.float64, accept_sparse="csr", ensure_all_finite=not clip
        )
        # What is no number counts as in `fit`.
        features = features if issparse(features) or not clip else finite(features)
        return np.asarray(features @ self.coef_.T + self.intercept_, dtype=np.float64)

    def intervals(self, confidence: float = 0.95, directions: ArrayLike | None = None) -> FloatArray:
        """Return intervals for the coefficients as they would be without noise, shape (d, 2) or (k, d, 2).

        With "statistics": from the known noise, to first order; sampling is not in them. With `directions` (m, d) they
        are for those combinations of the coefficients, (m, 2) or (k, m, 2). Where a direction has a part in one that
        the noise hides (`hidden_directions_`), nothing is known of it, and its interval is the whole line; with the
        other mechanisms that is every direction.
        Raises `InputError` for a confidence outside (0, 1) and for directions of another shape.
        """
        check_is_fitted(self, "coef_")
        d = self.n_features_in_
        rows = np.eye(d) if directions is None else checked_values(directions, name="directions")
        if rows.ndim != 2 or rows.shape[1] != d:
            raise reject("directions", f"array of shape {rows.shape}", f"expected shape (m, {d})")
        return intervals(self._fit_, rows, float(confidence), self.coef_)

    def accounted(self, records: int, features: int, outputs: int = 1) -> RidgePrivacy:
        """Return the privacy that a fit to this number of records, features and labels will have, without any data.

        It is what `fit` will set as `privacy_`. `records` counts with "replace_one" only. Raises `InputError` for
        parameters out of range and for targets that cannot be met, as `fit`. With "relative" it takes
        seconds, near the floor up to a minute; equal targets are remembered.
        """
        epsilon = positive(self.epsilon, name="epsilon", meaning="the privacy parameter", floats="binary")
        if not _LEAST_EPSILON <= epsilon <= _LARGEST_EPSILON:
            raise reject("epsilon", self.epsilon, "must be between 1e-9 and 1e6")
        delta = probability(exact(self.delta, name="delta", floats="binary"), name="delta")
        if self.mechanism not in get_args(Mechanism):
            raise reject("mechanism", self.mechanism, f"allowed are {', '.join(get_args(Mechanism))}")
        public = self._public(records, features, outputs)
        if self.mechanism in ONCE:
            return self._without_descent(epsilon, delta, public)
        step = None if self.step is None else positive_float(self.step, name="step", meaning="the step size")
        plan = self._plan(epsilon, delta, public, step)
        # The default depends on the noise, since the relative part of it shortens the steps that keep iterates bounded.
        tau = default_step(public, plan.noise) if step is None else step
        warn_about_step(tau, public.smoothness, noise_ratio(plan.noise), public.dimension, stacklevel=3)
        privacy = RidgePrivacy(self.mechanism, tau, plan, public)
        require_audible(public.largest_gradient, privacy.variances[0])
        return privacy

    def __sklearn_tags__(self) -> Any:
        """Return what scikit-learn may expect: `WAIVED_TAGS` says what not."""
        tags = super().__sklearn_tags__()
        for waived in WAIVED_TAGS:
            setattr(tags.regressor_tags, waived, True)
        tags.input_tags.allow_nan = self.out_of_bounds == "clip"
        tags.input_tags.sparse = True
        tags.target_tags.multi_output = self.mechanism in ONCE
        return tags

    def _bounds(self, features: int, outputs: int = 1) -> RecordBounds:
        return RecordBounds.of(self.feature_bound, self.label_bound, features, outputs)

    def _public(self, records: int, features: int, outputs: int) -> PublicRidge:
        kind, bounds = adjacency(self.neighbours), self._bounds(features, outputs)
        longest = Fraction(bounds.features)
        penalty = Fraction(0)
        if self.regularization is not None:
            penalty = moderate(self.regularization, name="regularization", meaning="the penalty mu")
        elif self.mechanism not in ONCE:
            raise reject("regularization", None, f"a penalty > 0 must be given with {self.mechanism}")
        bound = None if self.coef_bound is None else moderate(self.coef_bound, name="coef_bound", meaning="a bound")
        return PublicRidge(
            # A record with its constant has twice the squared length at most; rounded up, since noise is set by it.
            feature_bound=root_above(2 * longest**2) if self.fit_intercept else longest,
            label_bound=Fraction(bounds.labels),
            regularization=Fraction(float(penalty)),
            divisor=self._divisor(kind, records),
            dimension=features + bool(self.fit_intercept),
            adjacency=kind,
            coef_bound=bound,
        )

    def _divisor(self, kind: Adjacency, records: int) -> int:
        if kind is Adjacency.REPLACE_ONE:
            if self.divisor is not None:
                raise reject("divisor", self.divisor, "must be None with replace_one: the number of records is public")
            return records
        if self.divisor is None:
            raise reject("divisor", None, "with add_or_remove a public number must be given: n is private")
        public = positive_integer(self.divisor, name="divisor", meaning="the public number of records")
        # The rounding and the largest gradient of PublicRidge are bounded for at most two records per divisor.
        if records > 2 * public:
            raise depends_on_data(f"divisor={public}: there are more than twice as many records")
        return public

    def _without_descent(self, epsilon: Fraction, delta: Fraction, public: PublicRidge) -> RidgePrivacy:
        for name in ("steps", "step", "coef_bound"):
            if (given := getattr(self, name)) is not None:
                raise reject(name, given, f"must be None with {self.mechanism}: no descent and no ball")
        if self.mechanism == "auto":
            # One release of sensitivity 1 that costs what all of them cost together.
            unit = gaussian_plan(epsilon, delta, AbsoluteSensitivity(1, public.adjacency), 1)
            plan = replace(unit, steps=auto.RELEASES)
        else:
            plan = gaussian_plan(epsilon, delta, public.moments(), 1)
        privacy = RidgePrivacy(self.mechanism, None, plan, public)
        require_audible(public.largest_moment, privacy.variances[0])
        return privacy

    def _roots(self, sample_weight: ArrayLike, records: int) -> FloatArray:
        if adjacency(self.neighbours) is Adjacency.ADD_OR_REMOVE:
            raise reject("sample_weight", "given", "must be None with add_or_remove: the largest may come or go")
        return public_weights(sample_weight, records)

    def _plan(self, epsilon: Fraction, delta: Fraction, public: PublicRidge, step: float | None) -> NoisePlan:
        absolute, steps = public.absolute(), self.steps
        if steps is not None:
            steps = positive_integer(steps, name="steps", meaning="the number of steps")
        else:
            # Planned with Gaussian noise for either mechanism: the relative one is then cut to the steps it can reach.
            steps = planned_steps(public, round_up(absolute.bound**2 * variance_multiplier(epsilon, delta)), step)
        if self.mechanism == "gaussian":
            return gaussian_plan(epsilon, delta, absolute, steps)
        if self.mechanism == "iterate":
            return iterate_plan(epsilon, delta, absolute, AtIterate(public), steps)
        relative, d = public.relative(), public.dimension
        if self.steps is None:
            steps = reachable_steps(epsilon, delta, relative, d, steps)
        return relative_plan(epsilon, delta, relative, d, steps)

    def _checked(self, X: ArrayLike, y: ArrayLike) -> tuple[PrivateRidge, FloatArray, FloatArray]:
        """Return features and labels, and a copy of the estimator that knows the names of the columns.

        On a copy, so that data that are refused, here or later, leave no trace on the estimator. With "clip" they need
        not be finite yet.
        """
        # On a copy: a fit that is refused must leave the fitted state alone, which validate_data would overwrite.
        checked = copy.copy(self)
        clip = self.out_of_bounds == "clip"
        # A public number of records may be asked for; of a private one every one is allowed.
        least = 2 if adjacency(self.neighbours) is Adjacency.REPLACE_ONE else 0
        try:
            # scikit-learn adds all values up to see whether they are finite: a warning would tell of them.
            with np.errstate(over="ignore", invalid="ignore"):
                features, labels = validate_data(
                    checked,
                    X,
                    _finite_labels(y) if clip else y,
                    dtype=np.float64,
                    y_numeric=True,
                    multi_output=self.mechanism in ONCE and np.asarray(y).ndim == 2,
                    accept_sparse="csr",
                    ensure_all_finite=not clip,
                    ensure_min_samples=least,
                )
                dense = features.toarray() if hasattr(features, "toarray") else np.asarray(features)
                return checked, dense, np.asarray(labels, dtype=np.float64)
        except (ValueError, OverflowError) as error:
            problem, kind = without_values(error, "X, y: expected numbers only"), InputError
        except TypeError as error:
            problem, kind = (
                without_values(error, "X, y: float() argument must be a string or a real number"),
                NoNumber,
            )
        # Outside of the block above, so that no exception that may quote the data comes with it.
        raise kind(str(depends_on_data(problem)))

    def _keep(
        self, checked: PrivateRidge, fit: Fit, constant: float, privacy: RidgePrivacy, label_axes: int
    ) -> PrivateRidge:
        d = checked.n_features_in_
        self.n_features_in_ = d
        if hasattr(checked, "feature_names_in_"):
            self.feature_names_in_ = checked.feature_names_in_
        # From an earlier fit on data with names: they would be checked against data that have none.
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        theta = fit.coefficients.T
        intercepts = theta[:, d] * constant if self.fit_intercept else np.zeros(len(theta))
        # One row a label, and none of the axis where labels have none: as in scikit-learn.
        self.coef_ = theta[:, :d].copy() if label_axes == 2 else theta[0, :d].copy()
        self.intercept_ = intercepts if label_axes == 2 else float(intercepts[0])
        self.n_iter_ = privacy.steps
        self.privacy_ = privacy
        self._fit_ = fit
        return self

    @property
    def hidden_directions_(self) -> FloatArray:
        """Orthonormal directions (d, m) of the features that the noise hides, with the intercept's as the last row."""
        return self._fit_.hidden

    @property
    def coef_cov_(self) -> FloatArray:
        """The covariance (d, d) or (k, d, d) of the coefficients' noise, to first order; NaN if any is hidden."""
        d = self.n_features_in_
        found = self._fit_.covariances[:, :d, :d]
        if self._fit_.hidden.shape[1]:
            found = np.full_like(found, np.nan)
        return np.broadcast_to(found, (len(self.coef_), d, d)) if self.coef_.ndim == 2 else found[0]


def _finite_labels(y: Any) -> Any:
    """Return labels with finite numbers in the place of NaN and infinities; what holds no floats is returned as it is.

    scikit-learn's check of the features can be told to let them pass, and that of the labels cannot.
    """
    array = np.asarray(y)
    return y if y is None or array.dtype.kind not in "fO" else finite(array.astype(np.float64))
