"""The relative sensitivity of ridge gradients when any record of a public domain replaces another, with all constants.

Records are `x`, `y` with `x^T C^-1 x <= R^2` and `|y| <= Y`; the eigenvalues of `C` lie in [m, M], `kappa = M / m`, and
`A = X^T X / n + mu I >= rho C` at both neighbours. Then the gradients `A theta - b` of two neighbours differ by at most
`e |gradient| + r` for every `theta` and each of the two gradients, with

* `e = sqrt(kappa) R^2 / (rho n)`,
* `r = sqrt(M) R Y (2 + R / sqrt(rho)) / n`, where `R / sqrt(rho)` may be replaced by `sqrt(kappa) R^2 / rho`,

and so are relatively sensitive with `eta^2 = (1 + t) e^2` and `R_rel^2 = (1 + 1/t) r^2` for every `t > 0`. No smaller
`e` follows from these numbers (claim `beyond:ridge-relative-part-sharp`). The factor 6 of the paper's constant is
4 (1 + t) at t = 1/2, and becomes 1 + t: in the metric of `C` two records together are no more than the larger one.

Nothing here looks at private data, so the numbers may be published and used in an accountant.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rgm_verify.errors import InputError, reject
from rgm_verify.exact import (
    Adjacency,
    ExactInput,
    NumberInput,
    RelativeSensitivity,
    nonnegative,
    positive,
    positive_integer,
)
from rgm_verify.learning.clipping import Shape
from rgm_verify.learning.propose_test_release import LevelTest
from rgm_verify.learning.sensitivity import root_above

__all__ = ["Level", "RecordDomain", "absolute_part", "relative_part_squared", "relative_sensitivity"]


@dataclass(frozen=True, init=False)
class RecordDomain:
    """All records `x`, `y` with `x^T C^-1 x <= radius^2` and `|y| <= labels`; public, exact numbers.

    `smallest` and `largest` are bounds on the eigenvalues of `C`, 1 and 1 for the ball `|x| <= radius`. Both clipping
    maps of `learning.clipping` lead into the ellipsoid (claim `beyond:clippings-compared`).
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
    * `Level.tested`: from a test of propose-test-release that passed; its own privacy cost is to be added.
    * `Level.promised`: by whoever vouches for it. Privacy then holds between neighbours that both keep the promise.
    """

    rho: Fraction
    why: str

    def __init__(self, rho: Fraction, why: str) -> None:
        raise InputError("Level: use Level.everywhere, Level.tested or Level.promised, which say why rho holds")

    @classmethod
    def everywhere(cls, regularization: ExactInput, domain: RecordDomain) -> Level:
        """Return `rho = mu / M`: `A >= mu I >= rho C` for all data whatever they are; `InputError` for `mu <= 0`.

        It is the only level that all data have (claim `beyond:all-datasets-means-regularization`).
        """
        mu = positive(regularization, name="regularization", meaning="the regularization mu, for a level of all data,")
        return cls._because(mu / domain.largest, "the regularization covers it")

    @classmethod
    def tested(cls, outcome: LevelTest) -> Level:
        """Return the level of a test that passed; `InputError` where it did not.

        The whole is private with `outcome.total(epsilon, delta)`, for the features, the regularization and the matrix
        that were tested.
        """
        if not outcome.passed:
            raise reject("outcome", outcome, "the test did not pass: nothing may be released on the strength of it")
        return cls._because(outcome.rho, "a private test passed")

    @classmethod
    def promised(cls, rho: ExactInput) -> Level:
        """Return a level that the caller vouches for, at every data set that can occur; `InputError` for `rho <= 0`."""
        return cls._because(positive(rho, name="rho", meaning="the level rho"), "promised for all data that can occur")

    @classmethod
    def _because(cls, rho: Fraction, why: str) -> Level:
        level = object.__new__(cls)
        object.__setattr__(level, "rho", rho)
        object.__setattr__(level, "why", why)
        return level


def relative_part_squared(domain: RecordDomain, level: Level, records: ExactInput) -> Fraction:
    """Return `e^2 = kappa R^4 / (rho n)^2`, exactly: `|(A_0 - A_0') A^-1| <= e n` for all records of the domain.

    The least number that follows from the bounds (claims `beyond:ridge-relative-part`,
    `beyond:ridge-relative-part-sharp`); at most a quarter of what the triangle inequality for the two records gives.
    """
    n = _count(records)
    return domain.condition_number * (domain.radius**2 / (level.rho * n)) ** 2


def absolute_part(domain: RecordDomain, level: Level, records: ExactInput) -> Fraction:
    """Return an upper bound on `r`: how far the gradients of two neighbours differ at either minimiser, at most.

    `sqrt(M) R Y (2 + s) / n` with `s` the smaller of `R / sqrt(rho)` and `sqrt(kappa) R^2 / rho`; roots are rounded up
    by less than 2^-62. Claims `beyond:ridge-absolute-part`, `beyond:ridge-absolute-part-by-norms`.
    """
    n = _count(records)
    leverage = domain.radius**2 / level.rho
    slope = root_above(min(leverage, domain.condition_number * leverage**2))
    return root_above(domain.largest) * domain.radius * domain.labels * (2 + slope) / n


def relative_sensitivity(
    domain: RecordDomain, level: Level, records: ExactInput, *, share: ExactInput = "1/2"
) -> RelativeSensitivity:
    """Return the relative sensitivity of the ridge gradient when one of `records` records of the domain is replaced.

    `eta^2 = (1 + share) e^2` and `R_rel^2 = (1 + 1/share) r^2`: upper bounds, rational, the roots rounded up by less
    than 2^-62. A small `share` has a smaller relative part and a larger absolute one; 1/2 is the paper's 3. It holds at
    every `theta`, and for the smaller of the two gradients, as `accounting.Release` asks.

    Removing a record is replacing it by zeros where the divisor n is public and stays.
    Raises `InputError` for numbers that are not positive. Source: claim `beyond:ridge-relative-sensitivity`. The
    paper's Proposition 1 is `as_printed.clipped_eta_squared`.
    """
    part = positive(share, name="share", meaning="the share of the relative part")
    eta = root_above((1 + part) * relative_part_squared(domain, level, records))
    r_rel = root_above(1 + 1 / part) * absolute_part(domain, level, records)
    return RelativeSensitivity(eta, r_rel, Adjacency.REPLACE_ONE)


def _count(records: ExactInput) -> int:
    return positive_integer(records, name="records", meaning="the number of records")
