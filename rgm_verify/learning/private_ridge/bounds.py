"""Public bounds on one record, and data that keep them: refused where they do not, or clipped record by record."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from rgm_verify.errors import InputError, depends_on_data, reject
from rgm_verify.learning.data import EPS, FloatArray, finite, row_norms_above
from rgm_verify.numbers.bounds import round_up
from rgm_verify.numbers.exact import NumberInput, positive

OutOfBounds: TypeAlias = Literal["refuse", "clip"]

SMALLEST, LARGEST = Fraction(1, 10**50), Fraction(10**50)
"""The range of bounds: inside it no square and no product of two comes near the ends of the floats."""


@dataclass(frozen=True)
class RecordBounds:
    """`|x| <= features` and `|y| <= labels` for every record that any data set may hold; made by `RecordBounds.of`.

    Both are floats, and exact as such. They are public: chosen without the private data. `features` is a little more
    than `feature_bound`, by a relative 4 (d + 6) * 2.2e-16, and `labels` is `label_bound` rounded up: a record that was
    scaled to the bound and then rounded is within it, and the accounting uses the larger numbers.
    """

    features: float
    labels: float
    feature_bound: Fraction
    label_bound: Fraction

    @classmethod
    def of(cls, feature_bound: NumberInput, label_bound: NumberInput, dimension: int, outputs: int = 1) -> RecordBounds:
        """Return the bounds for records with `dimension` features; floats count as the binary numbers they are.

        Of several labels a record has the bound is on the norm, with the slack that the features' norm has.

        Raises `InputError` for what is no number between 1e-50 and 1e50.
        """
        longest = moderate(feature_bound, name="feature_bound", meaning="a bound on the norms of the features")
        largest = moderate(label_bound, name="label_bound", meaning="a bound on the labels")
        # A record at the very bound must pass, while its computed norm comes out above by up to half of this.
        features, labels = (1 + 4 * (count + 6) * Fraction(EPS) for count in (dimension, outputs))
        return cls(
            round_up(longest * features), round_up(largest * labels if outputs > 1 else largest), longest, largest
        )

    def keep(self, X: FloatArray, y: FloatArray, out_of_bounds: OutOfBounds) -> tuple[FloatArray, FloatArray]:
        """Return features (n, d) and labels (n,) or (n, k) that keep the bounds exactly, or raise `InputError`.

        `refuse` raises where a record breaks a bound. That depends on the data: the message names the bound alone, but
        whoever learns that there was one learns a bit about them. `clip` shortens each row, and moves each label, to
        the bound: a record's result depends on that record alone, so neighbours stay neighbours, and what is within
        the bounds stays as it is, bit for bit. `clip` takes every float: NaN counts as 0, and an infinity as the
        largest float of its sign.
        """
        if out_of_bounds not in get_args(OutOfBounds):
            raise reject("out_of_bounds", out_of_bounds, f"allowed are {', '.join(get_args(OutOfBounds))}")
        # Record by record and without a message: whether one was clipped would tell something of it.
        if out_of_bounds == "clip":
            moved = np.clip(finite(y), -self.labels, self.labels) if y.ndim == 1 else _shortened(finite(y), self.labels)
            return _shortened(finite(X), self.features), moved
        for array, name in ((X, "X"), (y, "y")):
            if not np.isfinite(array).all():
                raise depends_on_data(f"{name}: an entry is NaN or infinite")
        longer = _longer(X, self.features)
        larger = np.abs(y) > self.labels if y.ndim == 1 else _longer(y, self.labels)
        if longer.any():
            raise _broken("feature_bound", self.feature_bound, "a row of X is longer")
        if larger.any():
            raise _broken("label_bound", self.label_bound, "an entry of y is larger in size")
        return X, y


def moderate(value: NumberInput, *, name: str, meaning: str) -> Fraction:
    """Return `value` as an exact number between 1e-50 and 1e50, floats as they are; `InputError` otherwise."""
    number = positive(value, name=name, meaning=meaning, floats="binary")
    if not SMALLEST <= number <= LARGEST:
        raise reject(name, value, "must be between 1e-50 and 1e50; change the units")
    return number


def _broken(name: str, bound: Fraction, what: str) -> InputError:
    """Return (not raise) an error that names the bound, and neither a value nor a record of the data."""
    advice = 'give a bound that holds for all possible records, or out_of_bounds="clip"'
    return depends_on_data(f"{name}={float(bound):.6g}: {what}; {advice}")


def _longer(X: FloatArray, bound: float) -> NDArray[np.bool_]:
    """Return which rows of (n, d) are above the bound by `row_norms_above`, which is asked about few of them."""
    # A sum of squares is quick and errs by (d + 1) roundings; a row below the bound by several times that and the
    # slack of `row_norms_above` is not above it by either. What underflows is far below, and NaN is not inside.
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        squares = np.einsum("ij,ij->i", X, X)
    near = ~(squares <= bound**2 * (1 - 8 * (X.shape[1] + 6) * EPS))
    longer = np.zeros(len(X), dtype=np.bool_)
    longer[near] = row_norms_above(X[near]) > bound
    return longer


def _shortened(X: FloatArray, bound: float) -> FloatArray:
    longer = _longer(X, bound)
    if not longer.any():
        return X
    shortened = X.copy()
    # Divided by its largest entry first, so that no norm leaves the range of floats and the direction stays.
    rows = X[longer] / np.abs(X[longer]).max(axis=1, keepdims=True)
    factors = bound / row_norms_above(rows) * (1 - 4 * EPS)
    with np.errstate(under="ignore"):
        shortened[longer] = rows * factors[:, np.newaxis]
    return shortened
