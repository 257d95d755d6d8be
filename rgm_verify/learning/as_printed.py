"""Formulas as the paper prints them, for comparison only: each docstring says what is wrong, and which claim says so.

None of these is safe to use: neither privacy nor utility follows from them. Those of numbers alone are exact; those of
data are floats, with a relative error of about the condition number times 1e-15.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from rgm_verify.errors import reject
from rgm_verify.exact import ExactInput, NumberInput, exact, nonnegative, positive, positive_integer
from rgm_verify.learning.data import FloatArray, checked_features, checked_point, checked_records, nonnegative_float
from rgm_verify.learning.ridge import RidgeObjective

Side = Literal["norm", "leverage"]
"""The two sides of (11) in version 2, (10) in version 1: `|x|^2 x^T A^-2 x` and `kappa (x^T A^-1 x)^2`."""


def largest_step(smoothness: ExactInput, gamma: ExactInput) -> Fraction:
    """Return `1 / (L + gamma)`, the largest step of Theorem 2 as printed.

    Wrong: it adds a number with the unit of the loss to one without, and the dimension is missing; iterates may diverge
    (claims `rgm:theorem-2`, `rgm:theorem-2-on-the-line`, `beyond:printed-step-diverges`). Use `utility.theorem_step`.
    """
    bound = positive(smoothness, name="smoothness", meaning="the smoothness L")
    return 1 / (bound + nonnegative(gamma, name="gamma", meaning="the noise ratio"))


def distance_bound(
    start: ExactInput, strong_convexity: ExactInput, *, step: ExactInput, steps: int, sigma2: ExactInput
) -> Fraction:
    """Return `(1 - tau mu)^t start + tau sigma2 / mu`, the bound of Theorem 2 on `E |theta_t - theta_*|^2` as printed.

    Wrong: the noise term lacks the factor d, and the step that it allows is too long (claims `rgm:theorem-2`,
    `rgm:variance-term`, `beyond:noise-floor-needs-dimension`). Use `utility.distance_bound`.
    """
    first = nonnegative(start, name="start", meaning="a squared distance")
    mu = positive(strong_convexity, name="strong_convexity", meaning="the strong convexity mu")
    tau = positive(step, name="step", meaning="the step size")
    base = nonnegative(sigma2, name="sigma2", meaning="the noise variance")
    return (1 - tau * mu) ** steps * first + tau * base / mu


def clipped_eta_squared(radius: ExactInput, rho: ExactInput, records: ExactInput) -> Fraction:
    """Return `6 radius^4 / (rho n)^2`, the relative sensitivity squared of Proposition 1 (v2) as printed.

    Wrong: squaring does not keep the order of matrices, so that the condition number of `C` is missing (claims
    `rgm-v2:order-of-squares`, `rgm-v2:proposition-1`). Use `sensitivity.clipped_eta_squared`.
    """
    bound = positive(radius, name="radius", meaning="the clipping radius")
    level = positive(rho, name="rho", meaning="the proposed level rho")
    return 6 * bound**4 / (level * positive_integer(records, name="records", meaning="the number of records")) ** 2


def clipped_eta_v1(radius: ExactInput, rho: ExactInput, records: ExactInput, omega: ExactInput) -> Fraction:
    """Return `6 radius^4 / (omega rho n)^2`, which version 1's Proposition 2 prints as `eta` itself.

    Wrong: what its proof bounds is `eta^2`, and with that it is the statement of version 2, whose condition number is
    missing (claim `rgm-v1:proposition-2`). Use `sensitivity.clipped_eta_squared`.
    """
    share = positive(omega, name="omega", meaning="the share of records that are not clipped")
    return clipped_eta_squared(radius, positive(rho, name="rho", meaning="the level rho") * share, records)


def clipping_variance(alpha: ExactInput, epsilon: ExactInput, clip: ExactInput, records: ExactInput) -> Fraction:
    """Return `alpha c^2 / (epsilon N^2)`, the noise variance of the experiments with clipping, as printed in (82).

    Wrong: half of what is needed where a record is replaced, twice of what is needed where one is added or removed
    (claims `rgm:clipping-noise-printed`, `beyond:clipping-noise`). Use `privacy.clipped_gradient_variance`.
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
    `beyond:relative-term-kantorovich`). Use `ridge_sensitivity`; to look at data, `data_sensitivity`.
    Raises `InputError` for bad data, another side and a singular `A`.
    """
    if side not in get_args(Side):
        raise reject("side", side, f"allowed are {', '.join(get_args(Side))}")
    rows = checked_features(X)
    objective = RidgeObjective.of(rows, np.zeros(len(rows)), regularization)
    images = rows @ _inverse(objective)
    if side == "norm":
        return np.asarray(np.square(rows).sum(axis=1) * np.square(images).sum(axis=1), dtype=np.float64)
    kappa = objective.smoothness / objective.strong_convexity
    return np.asarray(kappa * np.square((rows * images).sum(axis=1)), dtype=np.float64)


def eta_of_data(X: ArrayLike, regularization: NumberInput = 0, side: Side = "norm") -> float:
    """Return `sqrt(max_i term_i) / n` for the `relative_terms`: `eta` as the experiments set it (v2 App. C.2).

    Wrong: the maximum is over the records of the data, while a neighbour holds another one; and "we omit constant
    factors": even two records of the data need a factor 4 in `eta^2`, the paper's own proof has 6 (claims
    `rgm:eta-from-the-dataset`, `beyond:proposition-1-four-needed`). Use `ridge_sensitivity.relative_sensitivity`.
    """
    terms = relative_terms(X, regularization, side)
    return float(np.sqrt(terms.max())) / len(terms)


def absolute_part_of_data(eta: NumberInput, X: ArrayLike, y: ArrayLike) -> float:
    """Return `eta |b| + 2 max_j |b_j|` with `b_j = X_j y_j` and `b` their mean: `R_rel` of the experiments (App. C.2).

    Wrong: the second term has lost its 1/n, which makes it about `n / sqrt(3)` times too large (claims
    `rgm:absolute-part-by-records`, `beyond:absolute-part-too-large`); with an `eta` that lacks its constants the first
    term is too small; and the maximum is over the records of the data. Use `ridge_sensitivity.relative_sensitivity`.
    """
    rows, labels = checked_records(X, y)
    ratio = nonnegative_float(eta, name="eta", meaning="a relative sensitivity")
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
    `pair_sensitivity.pair_sensitivity` for the exact numbers of a pair.
    """
    objective, rows, labels = RidgeObjective.of(X, y, regularization), *checked_records(X, y)
    if index not in range(len(rows)):
        raise reject("index", index, f"must be an integer from 0 to {len(rows) - 1}")
    other = checked_point(record, rows.shape[1], name="record")
    both = np.stack([rows[index], other])
    residuals = both @ objective.minimiser() - np.array(
        [labels[index], float(exact(label, name="label", floats="binary"))]
    )
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
