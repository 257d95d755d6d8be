"""The test of a proposed level `rho` in propose-test-release: whether the data are far from violating `A >= rho C`.

`A = X^T X / n + mu I` for clipped features `X`. The statistic is
`Gamma = n lambda_min(C^(-1/2) (A - rho C) C^(-1/2)) / radius^2`: it moves by at most 1 where a record is replaced, and
is negative exactly if `A >= rho C` fails (claim `beyond:ptr-statistic`). The printed statistic, the least number of
leverages that add up to n, moves by any amount (claim `beyond:ptr-statistic-jumps`) and is not offered here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from rgm_verify.accounting.bounds import round_up
from rgm_verify.accounting.exact import probability
from rgm_verify.errors import InputError, reject
from rgm_verify.exact import ExactInput, NumberInput, positive
from rgm_verify.learning.clipping import Shape, clip_by_both_norms, clip_to_ellipsoid
from rgm_verify.learning.data import EPS, FloatArray, nonnegative_float, positive_float
from rgm_verify.learning.sensitivity import Map
from rgm_verify.sampling import require_generator

_LARGEST_ERROR = 1 / 4


@dataclass(frozen=True, eq=False)
class ClippedFeatures:
    """Features that were clipped by a public matrix to a radius; made by `ClippedFeatures.of`, which clips them.

    Both maps leave `x^T C^-1 x <= radius^2` (claim `beyond:clippings-compared`), which the test rests on.
    """

    rows: FloatArray
    shape: Shape
    radius: float
    clipped_by: Map

    @classmethod
    def of(
        cls, X: ArrayLike, C: Shape | ArrayLike, radius: NumberInput, clipped_by: Map = "both norms"
    ) -> ClippedFeatures:
        """Clip `X` (n, d) by `both norms` or to the `ellipsoid`; arguments and errors as in `learning.clipping`."""
        maps = {"both norms": clip_by_both_norms, "ellipsoid": clip_to_ellipsoid}
        if clipped_by not in maps:
            raise reject("clipped_by", clipped_by, f"allowed are {', '.join(maps)}")
        shape = C if isinstance(C, Shape) else Shape.of(C)
        size = positive_float(radius, name="radius", meaning="the clipping radius")
        return cls(maps[clipped_by](X, shape, radius), shape, size, clipped_by)


@dataclass(frozen=True)
class LevelTest:
    """The outcome of a test: `noisy` is the statistic with Laplace noise, released at the cost of `epsilon`.

    `passed` is `noisy > threshold`. What is run when it passed may use `rho` as if it held for all data.
    """

    noisy: float
    threshold: float
    rho: Fraction
    epsilon: Fraction
    delta: Fraction

    @property
    def passed(self) -> bool:
        """Whether the level may be used."""
        return self.noisy > self.threshold

    def total(self, epsilon: ExactInput, delta: ExactInput) -> tuple[Fraction, Fraction]:
        """Return the privacy of the test and of an `(epsilon, delta)` private mechanism run when it passed; exact.

        `(epsilon + epsilon_test, max(delta, delta_test))`: the two deltas belong to different pairs of neighbours and
        are not added. Source: claim `beyond:ptr-private`.
        """
        level = positive(epsilon, name="epsilon", meaning="a privacy loss")
        return self.epsilon + level, max(self.delta, probability(delta, name="delta"))


def distance_statistic(
    features: ClippedFeatures, rho: NumberInput, *, regularization: NumberInput = 0
) -> tuple[float, float]:
    """Return `Gamma` and a bound on its absolute error from rounding that is the same for all data of this size.

    About the cost of `X^T X`. Private: only `level_test` releases anything. Raises `InputError` for `rho <= 0` and
    where the error is above 1/4 (for ten features and a condition number of 100: near a million records).
    """
    level = positive_float(rho, name="rho", meaning="the proposed level rho")
    mu = nonnegative_float(regularization, name="regularization", meaning="the regularization mu")
    (n, d), shape, square = features.rows.shape, features.shape, features.radius**2
    error = _rounding(n, d, shape, (mu / float(shape.values[0]) + level) / square)
    if error > _LARGEST_ERROR:
        raise InputError(f"X, C: the statistic is known to {error:.2g} only; use fewer records or a milder C")
    scale = shape.vectors / np.sqrt(shape.values)
    moments = scale.T @ (features.rows.T @ features.rows) @ scale / n
    shifted = moments + np.diag(mu / shape.values - level)
    return float(np.linalg.eigvalsh(shifted)[0]) * n / square, error


def _rounding(n: int, d: int, shape: Shape, public: float) -> float:
    """Return a bound on the error of the statistic, in units of `n / radius^2` times a matrix of norm <= radius^2.

    A sum over n records errs by n roundings of terms of norm at most `kappa radius^2`, in the metric of `C`; products
    with its roots and the eigenvalue by `16 (d + 1)^2` more, and `C` itself by its `slack`. `public` is the size of
    `(mu C^-1 + rho) / radius^2`.
    """
    roundings = (n + 16 * (d + 1) ** 2) * EPS * shape.condition_number
    return n * (d * roundings + 4 * shape.slack) * (1 + public)


def level_test(
    features: ClippedFeatures,
    rho: ExactInput,
    *,
    epsilon: ExactInput,
    delta: ExactInput,
    generator: np.random.Generator,
    regularization: NumberInput = 0,
) -> LevelTest:
    """Return whether the proposed level `rho` passes the test, at the cost of `epsilon`, and `delta` where it errs.

    `rho`, `epsilon > 0` and `0 < delta < 1/2` are exact; n is public and one record is replaced.

    Formal Guarantees (real arithmetic; the rounding of the statistic is covered by the noise):
        * The outcome is `epsilon` private: Laplace noise of scale `s / epsilon`, where `s >= 1` is 1 and twice the
          rounding error of the statistic (claims `beyond:ptr-statistic`, `beyond:ptr-test-private`).
        * If `A >= rho C` fails at the data or at any neighbour, it passes with a probability of at most `delta`: the
          threshold is `s (1 + log(1 / (2 delta)) / epsilon)` (claim `beyond:ptr-threshold`). The printed
          `log(1 / delta) / epsilon` is enough for `epsilon <= log 2` only (claim `beyond:ptr-printed-threshold`).
        * With a mechanism that is private for neighbours which both have `A >= rho C`: see `LevelTest.total`.

    What this does not protect against: Laplace noise in floating point, whose low bits reveal something, and the
    generator, which is no cryptographic one.
    Raises `InputError` for numbers out of range, before any noise is drawn.
    """
    level = positive(rho, name="rho", meaning="the proposed level rho")
    loss = positive(epsilon, name="epsilon", meaning="the privacy loss of the test")
    target = probability(delta, name="delta")
    if target >= Fraction(1, 2):
        raise reject("delta", delta, "must be < 1/2")
    source = require_generator(generator)
    statistic, error = distance_statistic(features, round_up(level), regularization=regularization)
    scale, unit = (1 + 2 * error) / float(loss), 1 + 2 * error
    threshold = unit + scale * -math.log(2 * float(target)) * (1 + 16 * EPS)
    return LevelTest(statistic + scale * float(source.laplace()), threshold, level, loss, target)
