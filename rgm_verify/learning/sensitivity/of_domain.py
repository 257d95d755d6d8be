"""The relative sensitivity of ridge gradients when any record of a public domain replaces another, with all constants.

Records are `x`, `y` with `x^T C^-1 x <= R^2` and `|y| <= Y`; the eigenvalues of `C` lie in [m, M], `kappa = M / m`, and
`A = X^T X / n + mu I >= rho C` at both neighbours, so that `A >= l I` with `l` the larger of `rho m` and `mu`. Then the
gradients `A theta - b` of two neighbours differ by at most `e |gradient| + r` for every `theta` and each of the two
gradients, with

* `e = k_1 / n`, `k_1^2 = M R^4 / (rho l)`: that is `sqrt(kappa) R^2 / rho` for `l = rho m`;
* `r = sqrt(M) R Y w(k) / n` with `k` the smaller of `k_1` and `R / sqrt(rho)`, half of the latter where the
  regularization alone gives `rho`, and `w(k) <= k + 2` the largest of `2 sin(phi) (k cos(phi) + 1)`;

and so are relatively sensitive with `eta^2 = (1 + t) e^2` and `R_rel^2 = (1 + 1/t) r^2` for every `t > 0`. No smaller
`e` follows from these numbers (claim `beyond:ridge-relative-part-sharp`). The factor 6 of the paper's constant is
4 (1 + t) at t = 1/2, and becomes 1 + t: in the metric of `C` two records together are no more than the larger one.

Nothing here looks at private data, so the numbers may be published and used in an accountant.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from rgm_verify.errors import InputError, reject
from rgm_verify.learning.clipping.features import Shape
from rgm_verify.learning.clipping.propose_test_release import ClippedFeatures, LevelTest
from rgm_verify.learning.data import finite, private_numbers
from rgm_verify.learning.ridge import RidgeObjective
from rgm_verify.mechanisms.sensitivity import Adjacency, RelativeSensitivity
from rgm_verify.numbers.bounds import round_down
from rgm_verify.numbers.exact import ExactInput, NumberInput, nonnegative, positive, positive_integer
from rgm_verify.numbers.roots import root_above

__all__ = [
    "Level",
    "RecordDomain",
    "absolute_part",
    "largest_difference",
    "objective_after_test",
    "relative_part_squared",
    "relative_sensitivity",
    "sensitivity_after_test",
]

_LARGEST_REACH = Fraction(10**6)


@dataclass(frozen=True, init=False)
class RecordDomain:
    """All records `x`, `y` with `x^T C^-1 x <= radius^2` and `|y| <= labels`; public, exact numbers.

    `smallest` and `largest` are bounds on the eigenvalues of `C`, 1 and 1 for the ball `|x| <= radius`. Both clipping
    maps of `learning.clipping` lead into the ellipsoid (claim `beyond:clippings-compared`). Levels are relative to this
    `C`: for records of a ball, a level `rho` of another matrix counts as `rho` times its smallest eigenvalue.
    Raises `InputError` for numbers that are not positive, or for `smallest > largest`; `labels = 0` is allowed.
    """

    radius: Fraction
    labels: Fraction
    smallest: Fraction
    largest: Fraction

    def __init__(
        self, radius: NumberInput, labels: NumberInput, *, smallest: NumberInput = 1, largest: NumberInput = 1
    ) -> None:
        values = {
            "radius": positive(radius, name="radius", meaning="the radius of the domain", floats="binary"),
            "labels": nonnegative(labels, name="labels", meaning="the bound on the labels", floats="binary"),
            "smallest": positive(smallest, name="smallest", meaning="the smallest eigenvalue of C", floats="binary"),
            "largest": positive(largest, name="largest", meaning="the largest eigenvalue of C", floats="binary"),
        }
        if values["smallest"] > values["largest"]:
            raise reject("smallest", smallest, f"the smallest eigenvalue of C must be <= largest={largest}")
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @classmethod
    def ellipsoid(cls, shape: Shape, radius: NumberInput, labels: NumberInput) -> RecordDomain:
        """Return the domain of features that were clipped by `shape` to `radius`; `shape.slack` widens the spectrum."""
        # Outwards by slack: the domain is then of the exact C, of which the spectrum is only known that well.
        low, high, slack = (Fraction(float(value)) for value in (shape.values[0], shape.values[-1], shape.slack))
        return cls(radius, labels, smallest=low * (1 - slack), largest=high * (1 + slack))

    @property
    def condition_number(self) -> Fraction:
        """`largest / smallest`, at least the condition number of `C`."""
        return self.largest / self.smallest


@dataclass(frozen=True, init=False)
class Level:
    """A number `rho` with `X^T X / n + mu I >= rho C` at both of any two neighbours, and why that may be relied on.

    That the data at hand have it says nothing about their neighbours (claim `rgm-v2:one-dataset-is-not-enough`), so a
    level is made in one of three ways, and never from data:

    * `Level.everywhere`: from the regularization, true for all data; nothing has to be tested.
    * `Level.tested`: from a test of propose-test-release that passed; its own privacy cost is to be added. It holds for
      the domain and the number of records that were tested, and is refused for others.
    * `Level.promised`: the caller vouches for it. Privacy then holds between neighbours that both keep the promise.
    """

    rho: Fraction
    regularization: Fraction
    minimiser: Fraction
    """`t^T C t` is at most this times the square of the bound on the labels, at every minimiser `t`."""
    why: str
    domain: RecordDomain | None
    """The only domain that it is for, but for the bound on the labels; None where it is for any."""
    records: int | None
    """The only number of records that it is for; None where it is for any."""

    def __init__(self, rho: Fraction) -> None:
        raise InputError("Level: use Level.everywhere, Level.tested or Level.promised, which say why rho holds")

    @classmethod
    def everywhere(cls, regularization: ExactInput, domain: RecordDomain) -> Level:
        """Return `rho = mu / M`: `A >= mu I >= rho C` for all data whatever they are; `InputError` for `mu <= 0`.

        No larger level is one of all data (claim `beyond:all-datasets-means-regularization`). The minimisers are then
        within half of the distance (claim `beyond:ridge-minimiser-regularized`).
        """
        mu = positive(regularization, name="regularization", meaning="the regularization mu, for a level of all data,")
        rho = mu / domain.largest
        return cls._because(rho, mu, 1 / (4 * rho), "the regularization covers it")

    @classmethod
    def tested(cls, outcome: LevelTest, features: ClippedFeatures, regularization: NumberInput = 0) -> Level:
        """Return the level of a test of these `features` that passed; `InputError` where it did not.

        `regularization` is the `mu` in `A` that was tested, a public number; another one is refused, and so are other
        features: see `LevelTest.require_tested`. The whole is private with `outcome.total(epsilon, delta)`.
        """
        outcome.require_tested(features, regularization)
        domain = RecordDomain.ellipsoid(features.shape, features.radius, 0)
        level = cls._because(outcome.rho, outcome.regularization, 1 / outcome.rho, "a private test passed")
        # A test speaks of one matrix, one radius and one number of records, and its level is refused for others.
        object.__setattr__(level, "domain", domain)
        object.__setattr__(level, "records", len(features.rows))
        return level

    @classmethod
    def promised(cls, rho: ExactInput, regularization: ExactInput = 0) -> Level:
        """Return a level that the caller vouches for, at every data set that can occur; `InputError` for `rho <= 0`.

        `regularization` is the `mu` in `A`, a public number, or a smaller one.
        """
        level = positive(rho, name="rho", meaning="the level rho")
        mu = nonnegative(regularization, name="regularization", meaning="the regularization mu")
        return cls._because(level, mu, 1 / level, "promised for all data that can occur")

    @classmethod
    def _because(cls, rho: Fraction, regularization: Fraction, minimiser: Fraction, why: str) -> Level:
        level = object.__new__(cls)
        values: dict[str, object] = {"rho": rho, "regularization": regularization, "minimiser": minimiser, "why": why}
        for name, value in (values | {"domain": None, "records": None}).items():
            object.__setattr__(level, name, value)
        return level


def relative_part_squared(domain: RecordDomain, level: Level, records: ExactInput) -> Fraction:
    """Return `e^2`, exactly: `|(A_0 - A_0') A^-1| <= e n` for all records of the domain.

    `M R^4 / (rho l n^2)` of the module's first point: the least number that follows (claims
    `beyond:ridge-relative-part`, `beyond:ridge-relative-part-sharp`), and at most a quarter of what the triangle
    inequality for the two records gives.
    """
    return _spread(domain, level) / _count(domain, level, records) ** 2


def absolute_part(domain: RecordDomain, level: Level, records: ExactInput) -> Fraction:
    """Return an upper bound on `r`: how far the gradients of two neighbours differ at either minimiser, at most.

    `sqrt(M) R Y w(k) / n` of the module's second point; roots are rounded up by less than 2^-62, `w` as in
    `largest_difference`. Claims `beyond:ridge-absolute-part`, `beyond:ridge-minimiser`,
    `beyond:ridge-minimiser-by-norms`.
    """
    count = _count(domain, level, records)
    # Two bounds on how far the minimiser reaches in units of the labels; neither is better everywhere.
    reach = min(domain.radius**2 * level.minimiser, _spread(domain, level))
    change = largest_difference(root_above(reach))
    return root_above(domain.largest) * domain.radius * domain.labels * change / count


def relative_sensitivity(
    domain: RecordDomain, level: Level, records: ExactInput, *, share: ExactInput = "1/2"
) -> RelativeSensitivity:
    """Return the relative sensitivity of the ridge gradient when one of `records` records of the domain is replaced.

    `eta^2 = (1 + share) e^2` and `R_rel^2 = (1 + 1/share) r^2`: upper bounds, rational, the roots rounded up by less
    than 2^-62. A small `share` has a smaller relative part and a larger absolute one; 1/2 is the paper's 3. It holds at
    every `theta`, and for the smaller of the two gradients, as `accounting.Release` asks; in real arithmetic.

    Removing a record is replacing it by zeros where the divisor n is public and stays.
    Raises `InputError` for numbers that are not positive. Source: claim `beyond:ridge-relative-sensitivity`. The
    paper's Proposition 1 is `as_printed.clipped_eta_squared`.
    """
    part = positive(share, name="share", meaning="the share of the relative part")
    eta = root_above((1 + part) * relative_part_squared(domain, level, records))
    r_rel = root_above(1 + 1 / part) * absolute_part(domain, level, records)
    return RelativeSensitivity(eta, r_rel, Adjacency.REPLACE_ONE)


def sensitivity_after_test(
    features: ClippedFeatures,
    outcome: LevelTest,
    *,
    labels: NumberInput,
    regularization: NumberInput = 0,
    share: ExactInput = "1/2",
) -> RelativeSensitivity:
    """Return the relative sensitivity that a passed test of these clipped features allows, with the matrix they used.

    It is that of the gradients of `objective_after_test`. Of `features` the public numbers are used alone: the shape,
    the radius and n. `labels` bounds the labels, which have to be clipped to it; `regularization` is the `mu` that was
    tested. The whole costs `outcome.total(epsilon, delta)`.
    Raises `InputError` where the test did not pass, for other features or another `mu` than were tested, for an outcome
    that was copied or loaded, and for numbers out of range.
    """
    level = Level.tested(outcome, features, regularization)
    domain = RecordDomain.ellipsoid(features.shape, features.radius, labels)
    return relative_sensitivity(domain, level, len(features.rows), share=share)


def objective_after_test(
    features: ClippedFeatures,
    outcome: LevelTest,
    y: ArrayLike,
    *,
    labels: NumberInput,
    regularization: NumberInput = 0,
) -> RidgeObjective:
    """Return the ridge objective that `sensitivity_after_test` is about: of the features and the `mu` that were tested.

    The labels `y` (n,) are clipped to `labels`, NaN to 0. The objective is about the data, and private. Errors as in
    `sensitivity_after_test`, and for labels of another number.
    """
    outcome.require_tested(features, regularization)
    bound = round_down(nonnegative(labels, name="labels", meaning="the bound on the labels", floats="binary"))
    targets = finite(private_numbers(y, name="y"))
    return RidgeObjective.of(features.rows, np.clip(targets, -bound, bound), outcome.regularization)


def _count(domain: RecordDomain, level: Level, records: ExactInput) -> int:
    """Return the number of records; `InputError` where the level is for another number or another domain."""
    count = positive_integer(records, name="records", meaning="the number of records")
    if level.records is not None and count != level.records:
        raise reject("records", records, f"the level was tested with {level.records}")
    tested = level.domain
    for name in () if tested is None else ("radius", "smallest", "largest"):
        if getattr(domain, name) != getattr(tested, name):
            raise reject("domain", f"{name} = {getattr(domain, name)}", f"tested with {getattr(tested, name)}")
    return count


def _spread(domain: RecordDomain, level: Level) -> Fraction:
    """Return `M R^4 / (rho l)`, the square of `k_1`."""
    least = max(level.rho * domain.smallest, level.regularization)
    return domain.largest * domain.radius**4 / (level.rho * least)


def largest_difference(reach: Fraction) -> Fraction:
    """Return a bound on `|u (u.t - y) - u' (u'.t - y')|` for `|u|, |u'|, |y|, |y'| <= 1` and `|t| <= reach`.

    The largest value is `2 sin(phi) (k cos(phi) + 1)`, `k = reach`, at the best angle: two records that mirror each
    other in `t`. It is at most `l + l / (l^2 - k^2)` for every `l > k`, and equal for one, so that a float found for
    `l` gives an upper bound in exact arithmetic; above it by less than 1e-12 of it up to `k = 10^6`. At most `k + 2`,
    what the triangle inequality gives.
    Source: claims `beyond:mirrored-records`, `beyond:mirrored-records-certificate`,
    `beyond:mirrored-records-below-triangle`.
    """
    slope = _slope(float(min(reach, _LARGEST_REACH)))
    # There a tangent gains next to nothing on `reach + 2`, and its floats lose digits.
    if reach > _LARGEST_REACH or slope <= reach:
        return reach + 2
    # Any slope above `reach` gives an upper bound; the float only decides how near it is, not whether it holds.
    return min(slope + slope / (slope**2 - reach**2), reach + 2)


def _slope(k: float) -> Fraction:
    """Return about `(k cos + 1) / sin` at the best angle, where `2 k cos^2 + cos = k`: any number > k is sound."""
    cosine = 2 * k / (1 + math.sqrt(1 + 8 * k * k))
    return Fraction((k * cosine + 1) / math.sqrt((1 - cosine) * (1 + cosine)))
