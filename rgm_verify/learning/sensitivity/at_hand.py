"""Relative sensitivity of the ridge gradients of the data at hand: a private diagnosis, and no guarantee.

Everything here looks at the data. None of it may be published, and none of it may set the noise of a private release:
a neighbour of these data has neighbours of its own, about which they say nothing (claim
`rgm-v2:one-dataset-is-not-enough`). What may be used is `of_domain`, whose numbers are public.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from rgm_verify.learning.clipping.features import Shape
from rgm_verify.learning.data import FloatArray, nonnegative_float, positive_float
from rgm_verify.learning.ridge import RidgeObjective
from rgm_verify.numbers.exact import NumberInput

__all__ = ["SensitivityAtHand", "sensitivity_at_hand"]


@dataclass(frozen=True, eq=False)
class SensitivityAtHand:
    """The effect on the gradient of replacing one record of these data by any record of the domain. PRIVATE.

    No field is a `RelativeSensitivity`, and none can stand in for one. Floats, with a relative error of about the
    condition number of `A` times `d 1e-15`; neither upper nor lower bounds.
    """

    leverages: FloatArray
    """`x_i^T A^-1 x_i / n` of each record, shape (n,): at most 1, however ill-conditioned `A` is."""
    contributions: FloatArray
    """`|x_i| |A^-1 x_i| / n` of each record, shape (n,): what removing it changes, relatively."""
    outside: float
    """An upper bound on that of the worst record of the domain, which need not be among the data."""
    level: float
    """The largest `rho` with `A >= rho C` for these data; a neighbour has at least `level - radius^2 / n`."""
    relative_part: float
    """An upper bound on `e` for every replacement, with the gradient of these data."""
    absolute_part: float
    """An upper bound on `r` for every replacement, at the minimiser of these data."""

    @property
    def inside(self) -> float:
        """The largest of `contributions`: a lower bound on `e` where zeros may replace a record."""
        return float(self.contributions.max())

    @property
    def for_both(self) -> tuple[float, float]:
        """`e / (1 - e)` and `r / (1 - e)`, which hold for the smaller of both gradients; `inf` where `e >= 1`.

        For the neighbours of these data only. Source: claim `beyond:quadratic-both-gradients`.
        """
        if self.relative_part >= 1:
            return math.inf, math.inf
        return self.relative_part / (1 - self.relative_part), self.absolute_part / (1 - self.relative_part)


def sensitivity_at_hand(
    X: ArrayLike,
    y: ArrayLike,
    C: Shape | ArrayLike,
    *,
    radius: NumberInput,
    labels: NumberInput,
    regularization: NumberInput = 0,
) -> SensitivityAtHand:
    """Return what replacing one record by any with `x^T C^-1 x <= radius^2` and `|y| <= labels` does to these data.

    `X` is (n, d), `y` (n,), `C` (d, d) symmetric positive definite; the data need not lie in the domain themselves.
    With `s` the larger of `radius^2` and all `x_i^T C^-1 x_i`, `e = s sqrt(M) |C^(1/2) A^-1| / n`: claim
    `beyond:ridge-relative-part` with what is known of these data. Private: see the class.
    Raises `InputError` for bad data and a singular `A`.
    """
    objective = RidgeObjective.of(X, y, regularization)
    shape = C if isinstance(C, Shape) else Shape.of(C)
    rows, targets = shape.features(X), np.asarray(y, dtype=np.float64)
    size = positive_float(radius, name="radius", meaning="the radius of the domain")
    bound = nonnegative_float(labels, name="labels", meaning="the bound on the labels")
    minimiser = objective.minimiser()
    images = rows @ _inverse(objective)
    whitened = (shape.vectors / np.sqrt(shape.values)).T
    root = (shape.vectors * np.sqrt(shape.values)).T
    n, top = len(rows), math.sqrt(float(shape.values[-1]))
    norms = np.linalg.norm(rows, axis=1)
    # A norm of two factors at once, which is smaller than the product of their norms.
    reach = top * float(np.linalg.norm(root @ _inverse(objective), 2))
    largest = max(size**2, float(np.square(rows @ whitened.T).sum(axis=1).max()))
    own = float((norms * np.abs(rows @ minimiser - targets)).max())
    other = top * size * (size * float(np.linalg.norm(root @ minimiser)) + bound)
    return SensitivityAtHand(
        leverages=(rows * images).sum(axis=1) / n,
        contributions=norms * np.linalg.norm(images, axis=1) / n,
        outside=size**2 * reach / n,
        level=float(np.linalg.eigvalsh(whitened @ objective.hessian @ whitened.T)[0]),
        relative_part=largest * reach / n,
        absolute_part=(own + other) / n,
    )


def _inverse(objective: RidgeObjective) -> FloatArray:
    values, vectors = objective.spectrum
    return np.asarray((vectors / values) @ vectors.T, dtype=np.float64)
