"""Formulas as the paper prints them, for comparison only: each docstring says what is wrong, and which claim says so.

None of these is safe to use: neither privacy nor utility follows from them. Those of numbers alone are exact; those of
data are floats, with a relative error of about the condition number times 1e-15.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from rgm_verify.errors import reject
from rgm_verify.learning.data import (
    FloatArray,
    checked_features,
    checked_records,
    nonnegative_float,
    positive_float,
    private_number,
    private_point,
)
from rgm_verify.learning.ridge import RidgeObjective
from rgm_verify.numbers.exact import ExactInput, NumberInput, nonnegative, positive, positive_integer

Side = Literal["norm", "leverage"]
"""The two sides of (11) in version 2, (10) in version 1: `|x|^2 x^T A^-2 x` and `kappa (x^T A^-1 x)^2`."""


def largest_step(smoothness: ExactInput, gamma: ExactInput) -> Fraction:
    """Return `1 / (L + gamma)`, the largest step of Theorem 2 as printed.

    Wrong: it adds a number with the unit of the loss to one without, and the dimension is missing; iterates may diverge
    (claims `rgm:theorem-2`, `rgm:theorem-2-on-the-line`, `beyond:printed-step-diverges`).
    Use `descent.utility.theorem_step`.
    """
    bound = positive(smoothness, name="smoothness", meaning="the smoothness L")
    return 1 / (bound + nonnegative(gamma, name="gamma", meaning="the noise ratio"))


def distance_bound(
    start: ExactInput, strong_convexity: ExactInput, *, step: ExactInput, steps: int, sigma2: ExactInput
) -> Fraction:
    """Return `(1 - tau mu)^t start + tau sigma2 / mu`, the bound of Theorem 2 on `E |theta_t - theta_*|^2` as printed.

    Wrong: the noise term lacks the factor d, and the step that it allows is too long (claims `rgm:theorem-2`,
    `rgm:variance-term`, `beyond:noise-floor-needs-dimension`). Use `descent.utility.distance_bound`.
    """
    first = nonnegative(start, name="start", meaning="a squared distance")
    mu = positive(strong_convexity, name="strong_convexity", meaning="the strong convexity mu")
    tau = positive(step, name="step", meaning="the step size")
    base = nonnegative(sigma2, name="sigma2", meaning="the noise variance")
    return (1 - tau * mu) ** steps * first + tau * base / mu


def clipped_eta_squared(radius: ExactInput, rho: ExactInput, records: ExactInput) -> Fraction:
    """Return `6 radius^4 / (rho n)^2`, the relative sensitivity squared of Proposition 1 (v2) as printed.

    Wrong: squaring does not keep the order of matrices, so that the condition number of `C` is missing (claims
    `rgm-v2:order-of-squares`, `rgm-v2:proposition-1`). Use `sensitivity.proposition_1.proposition_1_eta_squared`.
    """
    bound = positive(radius, name="radius", meaning="the clipping radius")
    level = positive(rho, name="rho", meaning="the proposed level rho")
    return 6 * bound**4 / (level * positive_integer(records, name="records", meaning="the number of records")) ** 2


def clipped_eta_v1(radius: ExactInput, rho: ExactInput, records: ExactInput, omega: ExactInput) -> Fraction:
    """Return `6 radius^4 / (omega rho n)^2`, which version 1's Proposition 2 prints as `eta` itself.

    Wrong: what its proof bounds is `eta^2`, and with that it is the statement of version 2, whose condition number is
    missing (claim `rgm-v1:proposition-2`). Use `sensitivity.proposition_1.proposition_1_eta_squared`.
    """
    share = positive(omega, name="omega", meaning="the share of records that are not clipped")
    return clipped_eta_squared(radius, positive(rho, name="rho", meaning="the level rho") * share, records)


def clipping_variance(alpha: ExactInput, epsilon: ExactInput, clip: ExactInput, records: ExactInput) -> Fraction:
    """Return `alpha c^2 / (epsilon N^2)`, the noise variance of the experiments with clipping, as printed in (82).

    Wrong: half of what is needed where a record is replaced, twice of what is needed where one is added or removed
    (claims `rgm:clipping-noise-printed`, `beyond:clipping-noise`). Use `descent.privacy.clipped_gradient_variance`.
    """
    order = positive(alpha, name="alpha", meaning="a Renyi order")
    level = positive(epsilon, name="epsilon", meaning="the privacy level")
    threshold = positive(clip, name="clip", meaning="the clipping threshold")
    return (
        order * threshold**2 / (level * positive_integer(records, name="records", meaning="a number of records") ** 2)
    )


# ------------------------------------------------------------------------------------------------- of data


def relative_terms(X: ArrayLike, regularization: NumberInput = 0, side: Side = "norm") -> FloatArray:
    """Return a side of (11) (v2; v1 (10)) for each record: `|x|^2 x^T A^-2 x`, or `kappa (x^T A^-1 x)^2`; shape (n,).

    True, and of no use for privacy: the record that comes in a neighbour is not among them (claim
    `rgm-v2:one-dataset-is-not-enough`), and `kappa` may be `(1 + kappa)^2 / (4 kappa)` (claim
    `beyond:relative-term-kantorovich`). Use `sensitivity.of_domain`; to look at data, `sensitivity.at_hand`.
    Raises `InputError` for bad data, another side and a singular `A`.
    """
    if side not in get_args(Side):
        raise reject("side", side, f"allowed are {', '.join(get_args(Side))}")
    rows = checked_features(X)
    objective = RidgeObjective.of(rows, np.zeros(len(rows)), regularization)
    # Through the spectrum, not by solving: both sides use the same inverse, so that their ratio shows
    # the formulas and not two ways of rounding.
    images = rows @ _inverse(objective)
    if side == "norm":
        squares = (np.square(each, out=each).sum(axis=1) for each in (rows, images))
        return np.asarray(next(squares) * next(squares), dtype=np.float64)
    # kappa of the regularized second moments: the matrix A of the formula contains the regularization.
    kappa = objective.smoothness / objective.strong_convexity
    return np.asarray(kappa * np.square((rows * images).sum(axis=1)), dtype=np.float64)


def eta_of_data(X: ArrayLike, regularization: NumberInput = 0, side: Side = "norm") -> float:
    """Return `sqrt(max_i term_i) / n` for the `relative_terms`: `eta` as the experiments set it (v2 App. C.2).

    Wrong: the maximum is over the records of the data, while a neighbour holds another one; and "we omit constant
    factors": even two records of the data need a factor 4 in `eta^2`, the paper's own proof has 6 (claims
    `rgm:eta-from-the-dataset`, `beyond:proposition-1-four-needed`). Use `sensitivity.of_domain.relative_sensitivity`.
    """
    terms = relative_terms(X, regularization, side)
    return float(np.sqrt(terms.max())) / len(terms)


def absolute_part_of_data(eta: NumberInput, X: ArrayLike, y: ArrayLike) -> float:
    """Return `eta |b| + 2 max_j |b_j|` with `b_j = X_j y_j` and `b` their mean: `R_rel` of the experiments (App. C.2).

    Wrong: the second term has lost its 1/n, which makes it about `n / sqrt(3)` times too large (claim
    `beyond:absolute-part-too-large`); the first term is too small by up to `sqrt(2)`, which shows for an `eta`
    of several units (claim `rgm:absolute-part-by-records-printed`) or one that lacks its constants; and the maximum is
    over the records of the data. Use `sensitivity.of_domain.relative_sensitivity`.
    """
    rows, labels = checked_records(X, y)
    ratio = nonnegative_float(eta, name="eta", meaning="a relative sensitivity")
    # The labels stand beside the features, since b_j is a vector: the norms are of products, not products of norms.
    products = rows * labels[:, np.newaxis]
    return ratio * float(np.linalg.norm(products.mean(axis=0))) + 2 * float(np.linalg.norm(products, axis=1).max())


def pair_parameters(
    X: ArrayLike, y: ArrayLike, index: int, record: ArrayLike, label: NumberInput, regularization: NumberInput = 0
) -> tuple[float, float]:
    """Return `(eta^2, R_rel^2)` of (10) (v2; v1 after (9)) for one pair: record `index` replaced by `record`, `label`.

    `3 (|A_0 A^-1|^2 + |A_0' A^-1|^2) / n^2` and `3 |grad f_0 - grad f_0'|^2 / n^2` at the minimiser.
    Wrong: with `b_i = X_i y_i / n`, as printed, the lines between do not hold (claims
    `rgm:gradient-difference-printed`, `rgm:gradient-difference-bound-printed`; here `b_i = X_i y_i`); the bound is
    for the gradient of `X`, `y` only, not for that of the neighbour (claim
    `beyond:quadratic-same-constants-at-neighbour`); and one pair is no guarantee. Use
    `sensitivity.of_pair.pair_sensitivity` for the exact numbers of a pair.
    """
    objective, rows, labels = RidgeObjective.of(X, y, regularization), *checked_records(X, y)
    if index not in range(len(rows)):
        raise reject("index", index, f"must be an integer from 0 to {len(rows) - 1}")
    # Checked as private: a message about the record that comes in may not show its entries.
    other = private_point(record, rows.shape[1], name="record")
    both = np.stack([rows[index], other])
    # Residuals at the minimiser of the given data, not of the neighbour: the printed formula takes both there.
    residuals = both @ objective.minimiser() - np.array([labels[index], float(private_number(label, name="label"))])
    norms = np.square(both).sum(axis=1) * np.square(both @ _inverse(objective)).sum(axis=1)
    change = residuals[0] * both[0] - residuals[1] * both[1]
    return 3 * float(norms.sum()) / len(rows) ** 2, 3 * float(change @ change) / len(rows) ** 2


def orthogonal_term(dimension: ExactInput) -> Fraction:
    """Return `2 d`, the bound on `|x|^2 x^T A^-2 x` for orthogonal data, as Section 5.2 prints it.

    Wrong: it bounds the root; even evenly spread data have `d^2` (claim `beyond:orthogonal-even-dataset`). For
    orthogonal data with half of the records fixed `e` is at most `2 d / n` (claim `beyond:orthogonal-difference`).
    """
    return 2 * Fraction(positive_integer(dimension, name="dimension", meaning="a dimension"))


def _inverse(objective: RidgeObjective) -> FloatArray:
    values, vectors = objective.spectrum
    objective.minimiser()  # refuses second moments that are singular
    return np.asarray((vectors / values) @ vectors.T, dtype=np.float64)


# ------------------------------------------------------------------------------------------------- Gaussian features


def gaussian_clipping_factor(radius: NumberInput, mahalanobis: NumberInput) -> float:
    """Return what Proposition 3 (v2) multiplies a record with, as printed: `R / max(R, m)^(1/2)`, `m = x^T C^-1 x`.

    Wrong: the parenthesis belongs after the root of `m`; short records are multiplied by `sqrt(R)` (claim
    `rgm-v2:proposition-3-clipping`). Use `clipping.features.clip_to_ellipsoid`.
    """
    size = positive_float(radius, name="radius", meaning="the clipping radius")
    return size / math.sqrt(max(size, nonnegative_float(mahalanobis, name="mahalanobis", meaning="a squared length")))


def gaussian_regularization(
    radius: NumberInput, dimension: ExactInput, records: ExactInput, failure: ExactInput
) -> float:
    """Return `4 R^2 sqrt(log(2 d / nu) / n)`, the regularization of Proposition 3 (v2) in units of `|Sigma|`.

    Enough for `n >= 4 log(2 d / nu) / 9`, and up to `4 sqrt(d)` times what is needed; for few records it exceeds the
    level that is tested, so that nothing is tested (claims `beyond:b5-smaller-regularisation`,
    `beyond:b5-regularisation-alone`). Use `ClippedGaussian.regularization`.
    """
    size = positive_float(radius, name="radius", meaning="the clipping radius")
    d = positive_integer(dimension, name="dimension", meaning="a dimension")
    n = positive_integer(records, name="records", meaning="the number of records")
    return 4 * size**2 * math.sqrt(math.log(2 * d / positive_float(failure, name="failure", meaning="nu")) / n)


def gaussian_records(
    radius: NumberInput, dimension: ExactInput, *, epsilon: NumberInput, delta: NumberInput, failure: NumberInput
) -> float:
    """Return the larger of `-log(delta) R^2 / (2 epsilon)` and `4 log(2 d / nu) / 9`: records of Proposition 3 (v2).

    Wrong: a factor of at least 4 over what clipping leaves of the covariance is lost, and the noise is taken to be
    positive, so that the test may reject all data (claims `rgm-v2:proposition-3`, `rgm-v2:b5-always`). Use
    `ClippedGaussian.records_needed`.
    """
    size = positive_float(radius, name="radius", meaning="the clipping radius")
    d = positive_integer(dimension, name="dimension", meaning="a dimension")
    loss = positive_float(epsilon, name="epsilon", meaning="the privacy loss of the test")
    first = -math.log(positive_float(delta, name="delta", meaning="delta")) * size**2 / (2 * loss)
    return max(first, 4 / 9 * math.log(2 * d / positive_float(failure, name="failure", meaning="nu")))


def gaussian_eta_squared(
    radius: ExactInput, rho: ExactInput, records: ExactInput, condition_number: ExactInput
) -> Fraction:
    """Return `6 kappa R^4 / (rho n)^2`, the relative sensitivity squared of Proposition 3 (v2); exact.

    True where one of both neighbours has `A >= rho Sigma` and the regularisation is that of the proposition, by another
    proof than the printed one, which squares an order of matrices (claims `rgm:proposition-3-sensitivity`,
    `rgm-v2:b5-squared-order`); four times what is needed if both have it (claim `beyond:ridge-relative-part`). Use
    `sensitivity.of_domain.relative_sensitivity`.
    """
    kappa = positive(condition_number, name="condition_number", meaning="a condition number")
    return kappa * clipped_eta_squared(radius, rho, records)


def gaussian_kept_share(share: NumberInput, records: ExactInput, failure: NumberInput) -> float:
    """Return `omega = share - sqrt(log(1 / nu)) / (2 n)` of version 1's Proposition 3, as printed.

    Wrong: n is not under the root, and the share falls below it far more often than with probability `nu` (claim
    `rgm-v1:b6-omega`). Use `clipping.gaussian_features.kept_share_bound`.
    """
    n = positive_integer(records, name="records", meaning="the number of records")
    inside = nonnegative_float(share, name="share", meaning="a probability")
    # As printed: `kept_share_bound` has the 2n under the root, as Hoeffding's inequality does.
    return inside - math.sqrt(-math.log(positive_float(failure, name="failure", meaning="nu"))) / (2 * n)
