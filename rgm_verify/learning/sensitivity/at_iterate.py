"""Sensitivity of the ridge gradient at a public point: how far one record moves it there, over all records of a domain.

The gradient of `mean (x.theta - y)^2 / 2 + mu/2 |theta|^2` at a released iterate differs between neighbours by the
gradients of two records over n: the other records and the regularization take no part. Over a ball `|x| <= R`,
`|y| <= Y` the largest difference is `R Y w(R |theta| / Y)` with `w = of_domain.largest_difference`, and attained in two
and more dimensions. It depends on the iterate and on public numbers alone, so noise of that size may be added without
a test and without a threshold: `descent.gradient_descent.iterate_gaussian_descent`.

Claims `beyond:mirrored-records`, `beyond:mirrored-records-certificate`, `beyond:noise-at-the-iterate-of-a-step`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from rgm_verify.errors import reject
from rgm_verify.learning.data import FloatArray, row_norms_above
from rgm_verify.learning.sensitivity.of_domain import RecordDomain, largest_difference
from rgm_verify.mechanisms.sensitivity import Adjacency, adjacency
from rgm_verify.numbers.exact import ExactInput, NumberInput, nonnegative, positive_integer
from rgm_verify.numbers.roots import root_above


def gradient_sensitivity(
    domain: RecordDomain, records: ExactInput, norm: NumberInput, neighbours: Adjacency | str = "replace_one"
) -> Fraction:
    """Return how far the ridge gradient moves between neighbours at every point of norm at most `norm`: an upper bound.

    For a ball of records and "replace_one" it is the least one in two and more dimensions, up to a relative 1e-12; for
    an ellipsoid `C` the ball around it. `records` is n, the public divisor. Where a record is added or removed the
    bound is `R (R |theta| + Y) / n`, attained.
    Raises `InputError` for a norm below 0 and a number of records that is no positive integer.

    Examples:
        >>> gradient_sensitivity(RecordDomain(1, 1), 10, 0)
        Fraction(1, 5)
    """
    count = positive_integer(records, name="records", meaning="the number of records")
    reach = nonnegative(norm, name="norm", meaning="the norm of a point", floats="binary")
    longest = domain.radius if domain.largest == 1 else domain.radius * root_above(domain.largest)
    if adjacency(neighbours) is Adjacency.ADD_OR_REMOVE:
        return longest * (longest * reach + domain.labels) / count
    # Without labels two records differ by R^2 |theta| sin(2 phi), whose largest value is at 45 degrees.
    if domain.labels == 0:
        return longest**2 * reach / count
    return longest * domain.labels * largest_difference(longest * reach / domain.labels) / count


@dataclass(frozen=True)
class SensitivityAtIterate:
    """`gradient_sensitivity` as a function of a point theta (d,), less a public `centre` (d,) if there is one.

    All of it is public: the domain, the number of records `records`, the centre and the relation of neighbours. Labels
    are those that are left when the centre's part `x.centre` is taken from them. `InputError` for a domain whose bound
    on the labels is 0: at the centre no noise would be needed there, and a mechanism without noise is none.
    """

    domain: RecordDomain
    records: int
    neighbours: Adjacency = Adjacency.REPLACE_ONE
    centre: FloatArray | None = None

    def __post_init__(self) -> None:
        positive_integer(self.records, name="records", meaning="the number of records")
        if self.domain.labels == 0:
            raise reject("domain", "labels = 0", "expected a bound on the labels above 0")

    def __call__(self, theta: FloatArray) -> Fraction:
        """Return an upper bound at `theta` (d,), exact as a fraction: its norm is rounded up."""
        apart = theta if self.centre is None else theta - self.centre
        # The difference is rounded once, entry by entry: two units in the last place of the norm cover it.
        norm = float(row_norms_above(np.asarray(apart, dtype=np.float64)[np.newaxis])[0])
        return gradient_sensitivity(self.domain, self.records, norm * (1 + 4 * 2.0**-52), self.neighbours)
