"""Gaussian features, clipped by their covariance: what is left of it, and how often the test of a level passes.

Records are `x ~ N(0, Sigma)` in `d` dimensions, `C = Sigma`, and clipping is to the ellipsoid `x^T C^-1 x <= R^2`. In
the metric of `C` a record has a uniform direction and the squared length `chi2_d`; chi-square probabilities say all:

* a record is within the radius, and stays as it is, with probability `share = Pr[chi2_d <= R^2]`;
* the second moment of a clipped record is `clipped * Sigma` with `d clipped = E min(chi2_d, R^2)`, that is
  `clipped = Pr[chi2_(d+2) <= R^2] + (R^2 / d) Pr[chi2_d > R^2]`;
* with records outside set to 0 it is `kept * Sigma`, `kept = Pr[chi2_(d+2) <= R^2]`; that of the records inside is
  `kept / share * Sigma`.

All is about Gaussian data. No privacy rests on it: that is what the test of a level is for.
Source: RGM paper (v2), Section 5.4 and App. B.5; claims `rgm:b5-clipped-mean`, `rgm:b5-shells`, `rgm:b6-closed-form`,
`rgm:b6-mean-corrected`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from rgm_verify.accounting.exact.one_release import probability
from rgm_verify.balls.enclose import Enclosure
from rgm_verify.errors import reject
from rgm_verify.gaussians.certified.chi_square import chi_square_enclosures
from rgm_verify.learning.data import positive_float
from rgm_verify.numbers.exact import ExactInput, NumberInput, exact, nonnegative, positive, positive_integer

__all__ = ["ERROR", "ClippedGaussian", "Enclosures", "acceptance_probability", "kept_share_bound"]

ERROR = 2.0**-36
"""A bound on the relative error of the probabilities as floats: ten times what is measured, up to d = 10,000."""

_LARGEST_DIMENSION = 10**9


class Enclosures(NamedTuple):
    """Certified enclosures of `share`, `clipped` and `kept`."""

    share: Enclosure
    clipped: Enclosure
    kept: Enclosure


@dataclass(frozen=True, init=False)
class ClippedGaussian:
    """Gaussian features in `dimension` dimensions, clipped by their covariance to `radius`; all numbers exact.

    The floats `share`, `clipped` and `kept` have a relative error of at most `ERROR` up to 10,000 dimensions and
    above 1e-280; `enclosures` has them as certified rational bounds.
    Raises `InputError` for `radius <= 0` and a dimension that is no integer from 1 to 10^9.
    """

    radius: Fraction
    dimension: int

    def __init__(self, radius: NumberInput, dimension: ExactInput) -> None:
        size = positive(radius, name="radius", meaning="the clipping radius", floats="binary")
        positive_float(size**2, name="radius", meaning="its square")
        count = positive_integer(dimension, name="dimension", meaning="a dimension")
        # Far above what the error of the incomplete gamma functions was measured for; larger ones are surely mistakes.
        if count > _LARGEST_DIMENSION:
            raise reject("dimension", dimension, f"must be <= {_LARGEST_DIMENSION}")
        object.__setattr__(self, "radius", size)
        object.__setattr__(self, "dimension", count)

    @property
    def share(self) -> float:
        """Probability that a record is within the radius: `Pr[chi2_d <= R^2]`."""
        return _below(self.dimension, float(self.radius**2))

    @property
    def clipped(self) -> float:
        """Second moment of a clipped record, in units of `Sigma`: between 0 and 1, and 1 in the limit of no clipping.

        At most `R^2 / d`, which is the limit for a small radius. For `R^2 = 2 d` it is above 9/10 from d = 3 on (claim
        `beyond:b5-close-to-1-exact`). It depends on the radius and the dimension, not on `Sigma`.
        """
        d, square = self.dimension, float(self.radius**2)
        # Both other terms are upper bounds of the truth, and near no clipping the sum exceeds them by rounding only.
        return min(_below(d + 2, square) + square / d * _above(d, square), square / d, 1.0)

    @property
    def kept(self) -> float:
        """Second moment, in units of `Sigma`, of a record that is set to 0 outside of the radius: below `clipped`."""
        return _below(self.dimension + 2, float(self.radius**2))

    def enclosures(self, digits: int = 15) -> Enclosures:
        """Return certified enclosures of `share`, `clipped` and `kept`, of relative width at most `3 * 10^-digits`."""
        d, square = self.dimension, self.radius**2
        share, outside = chi_square_enclosures(square, d, digits=digits)
        kept, _ = chi_square_enclosures(square, d + 2, digits=digits)
        # Both coefficients are positive: lower ends give a lower end, upper ends an upper one.
        lower, upper = (inner + square / d * outer for inner, outer in zip(_ends(kept), _ends(outside), strict=True))
        return Enclosures(share, Enclosure(lower, min(upper, square / d, Fraction(1))), kept)

    @property
    def proposed_level(self) -> Fraction:
        """The level `rho` that Proposition 3 proposes, `clipped / 2`, rounded down to a rational number to test."""
        # Below the truth by twice the error of floats, so that the level is at most half of what the records are
        # expected to have.
        return Fraction(self.clipped * (1 - 2 * ERROR)) / 2

    def regularization(self, records: ExactInput, failure: ExactInput) -> float:
        """Return a regularization, in units of the largest eigenvalue of `Sigma`, that pays for the sample's deviation.

        With `n = records` and probability at least `1 - failure`, `A >= clipped * Sigma` with it:
        `R sqrt(2 clipped l / n) + 2/3 R^2 l / n`, `l = log(2 d / failure)`; rounded up. Matrix Bernstein (Tropp) is
        quoted. At most the printed one (`as_printed.gaussian_regularization`) where that is defined.
        Raises `InputError` for `records` that is no integer >= 1 and `failure` outside (0, 1). Source: claims
        `beyond:b5-smaller-regularisation`, `beyond:b5-variance`, `rgm:b5-lower-bound`.
        """
        n = positive_integer(records, name="records", meaning="the number of records")
        logs = _log(2 * self.dimension / probability(failure, name="failure")) / n
        size = float(self.radius)
        return (size * math.sqrt(2 * self.clipped * logs) + 2 / 3 * size**2 * logs) * (1 + 2 * ERROR)

    def records_needed(
        self, *, epsilon: NumberInput, delta: ExactInput, rejection: ExactInput, level: ExactInput | None = None
    ) -> int:
        """Return a number of records from which on `level_test` rejects with probability at most `rejection`.

        It is for data with `A >= clipped * Sigma` (see `regularization`), a test with `epsilon` and `delta`, and the
        proposed level unless another `level < clipped` is given: the statistic is at least `n (clipped - level) / R^2`,
        and has to exceed `1 + (log(1 / (2 delta)) + log(1 / (2 rejection))) / epsilon`. Rounded up.
        The printed number, `as_printed.gaussian_records`, has lost a factor and the noise.
        Raises `InputError` for numbers out of range. Source: claims `beyond:ptr-statistic`, `beyond:ptr-threshold`,
        `beyond:ptr-acceptance`; for the printed statistic the like is `beyond:b5-proposition-3`.
        """
        # By so much the statistic has to exceed the threshold: Laplace noise then takes it below with probability
        # `rejection`.
        gap = -_log(2 * _below_half(rejection, "rejection")) / _loss(epsilon)
        needed = _threshold(epsilon, delta) + gap
        # Upwards, after widening for the floats: one record too many is harmless, one too few breaks the promise.
        return math.ceil(needed * float(self.radius**2) / self._margin(level) * (1 + 4 * ERROR))

    def passing_probability(
        self,
        records: ExactInput,
        *,
        epsilon: NumberInput,
        delta: ExactInput,
        failure: ExactInput = 0,
        level: ExactInput | None = None,
    ) -> float:
        """Return a lower bound on the probability that `level_test` passes the level; `clipped / 2` unless given.

        `1 - failure` for the data (see `regularization`), less the probability that the noise rejects them, where the
        statistic is `n (clipped - level) / R^2` at least; rounded down, and 0 where nothing is promised. Real
        arithmetic: the test of `level_test` is stricter by its bound on rounding.
        Raises `InputError` for numbers out of range. Sources as in `records_needed`.
        """
        n = positive_integer(records, name="records", meaning="the number of records")
        lost = nonnegative(failure, name="failure", meaning="the probability that the data deviate")
        # Rounded downwards, and so is the answer: a probability to pass that is promised must be a lower bound.
        statistic = n * self._margin(level) / float(self.radius**2) * (1 - 4 * ERROR)
        passes = acceptance_probability(statistic, epsilon=epsilon, delta=delta)
        return max(0.0, passes - float(lost)) * (1 - ERROR)

    def _margin(self, level: ExactInput | None) -> float:
        """Return what the clipped covariance is above the level, in units of `Sigma`; an `InputError` unless > 0."""
        rho = self.proposed_level if level is None else positive(level, name="level", meaning="the proposed level")
        margin = self.clipped * (1 - ERROR) - float(rho)
        if margin <= 0:
            raise reject("level", level, f"must be below what clipping leaves of the covariance, {self.clipped:.6g}")
        return margin


def acceptance_probability(statistic: NumberInput, *, epsilon: NumberInput, delta: ExactInput) -> float:
    """Return the probability that a test with `epsilon` and `delta` passes data with this `statistic`.

    The noise is Laplace of scale `1 / epsilon` and the threshold `1 + log(1 / (2 delta)) / epsilon`: at `g` above it
    the probability is `1 - e^(-epsilon g) / 2`, at `g` below it `e^(-epsilon g) / 2`, and 1/2 at it. A float, with an
    absolute error of about 1e-15 times `epsilon` times the larger of threshold and statistic.
    Raises `InputError` for `epsilon <= 0` and `delta` outside (0, 1/2). Source: claim `beyond:ptr-acceptance`.
    """
    loss, gap = _loss(epsilon), float(exact(statistic, name="statistic", floats="binary")) - _threshold(epsilon, delta)
    # The tail of the side that is small: 1 - (1 - tail) would lose it where the acceptance is rare.
    half = math.exp(-loss * abs(gap)) / 2
    return 1 - half if gap >= 0 else half


def kept_share_bound(model: ClippedGaussian, records: ExactInput, failure: ExactInput) -> float:
    """Return `omega`: with probability at least `1 - failure`, at least `omega * records` records are in the radius.

    `share - sqrt(log(1 / failure) / (2 n))`, by Hoeffding's inequality (quoted); rounded down, and 0 at least. As
    printed, n is not under the root: `as_printed.gaussian_kept_share`. Source: claim `rgm:b6-hoeffding`.
    """
    n = positive_integer(records, name="records", meaning="the number of records")
    lost = math.sqrt(-_log(probability(failure, name="failure")) / (2 * n))
    return max(0.0, model.share * (1 - ERROR) - lost * (1 + ERROR))


def _below_half(value: ExactInput, name: str) -> Fraction:
    number = probability(value, name=name)
    if number >= Fraction(1, 2):
        raise reject(name, value, "must be < 1/2")
    return number


def _threshold(epsilon: NumberInput, delta: ExactInput) -> float:
    return 1 - _log(2 * _below_half(delta, "delta")) / _loss(epsilon)


def _loss(epsilon: NumberInput) -> float:
    return positive_float(epsilon, name="epsilon", meaning="the privacy loss of the test")


def _log(value: Fraction) -> float:
    """Return the logarithm of a positive rational number, however small or large."""
    # Numerator and denominator apart: the fraction itself may be below the smallest float.
    return math.log(value.numerator) - math.log(value.denominator)


def _ends(enclosure: Enclosure) -> tuple[Fraction, Fraction]:
    return enclosure.lower or Fraction(0), Fraction(1) if enclosure.upper is None else enclosure.upper


def _below(degrees: int, level: float) -> float:
    from scipy import special

    return float(special.gammainc(degrees / 2, level / 2))


def _above(degrees: int, level: float) -> float:
    from scipy import special

    return float(special.gammaincc(degrees / 2, level / 2))
