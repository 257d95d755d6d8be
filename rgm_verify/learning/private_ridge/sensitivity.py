"""Sensitivity of the ridge gradient to one record, from public numbers alone: for every data set in bounds.

The objective is `sum (x.theta - y)^2 / (2 N) + mu/2 |theta|^2` over records with `|x| <= B` and `|y| <= Y`.

* The minimiser is `A^-1 X^T y / N` with `A = X^T X / N + mu I`; the singular values of `A^-1 X^T / sqrt(N)` are
  `s / (s^2 + mu) <= 1 / (2 sqrt(mu))`. So for up to N records it lies in the ball of radius `Y / (2 sqrt(mu))`,
  whatever they are, and nothing is lost by staying there.
* Gradients `x (x.theta - y)` of two records differ, in the ball of radius `T`, by at most `B Y w(B T / Y)` with
  `w = of_domain.largest_difference`; so much is attained.
* Between neighbours that both have `A >= mu I`, gradients differ by at most `e |gradient| + r`: `of_domain`.
  Here `r` is the second point at the minimiser. So where nothing but bounds is public, noise relative to the gradient
  comes on top of what a sensitivity in the ball needs alone.
* The sums of `x x^T / B^2` and of `y x / (B Y)` together move by at most `sqrt(9/2)` where a record is replaced, and by
  at most `sqrt(2)` where one comes or goes. No penalty and no ball take part.

Source: claims `beyond:ridge-minimiser-regularized`, `beyond:mirrored-records`, `beyond:ridge-relative-sensitivity`,
`beyond:joint-moments-sensitivity`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from rgm_verify.errors import reject
from rgm_verify.learning.data import FloatArray, row_norms_above
from rgm_verify.learning.sensitivity.at_iterate import gradient_sensitivity
from rgm_verify.learning.sensitivity.of_domain import (
    Level,
    RecordDomain,
    absolute_part,
    largest_difference,
    relative_part_squared,
)
from rgm_verify.learning.sums import relative_error, roundings
from rgm_verify.mechanisms.sensitivity import AbsoluteSensitivity, Adjacency, RelativeSensitivity
from rgm_verify.numbers.bounds import round_up
from rgm_verify.numbers.roots import root_above

_SHARE = Fraction(16, 9)  # of the relative part; both roots are rational
# (2 + b)^2 / 2 and 1 + b at the weight b = 1 of the labels' part, which gives both parts the same noise.
_JOINT = {Adjacency.REPLACE_ONE: Fraction(9, 2), Adjacency.ADD_OR_REMOVE: Fraction(2)}


@dataclass(frozen=True)
class PublicRidge:
    """The public parameters of a private ridge regression; all numbers are exact, none comes from the data.

    `feature_bound` (B) and `label_bound` (Y) are > 0. So is `regularization` (mu), or it is 0 where moments are
    released: what is about the ball or the minimiser raises `InputError` then. `divisor` (N) is what sums are divided
    by: the number of records where one is replaced, or a public stand-in for it. `coef_bound` is a ball to stay in, if
    a smaller one than needed is wanted.
    """

    feature_bound: Fraction
    label_bound: Fraction
    regularization: Fraction
    divisor: int
    dimension: int
    adjacency: Adjacency
    coef_bound: Fraction | None = None

    @property
    def minimiser_radius(self) -> float:
        """A bound on the norm of the minimiser of every data set of up to N records, rounded up; attained.

        The largest `s Y / (s^2 + mu)` for `s <= B`. No privacy rests on it: a ball of any radius is sound.
        """
        b, y, mu = self.feature_bound, self.label_bound, self.regularization
        if mu <= 0:
            raise reject("regularization", mu, "must be > 0: no public number bounds the minimiser without it")
        # b y s / (s^2 + mu) has its greatest value at s^2 = mu, if records may be that long, and else at the longest.
        squared = (b * y / (b * b + mu)) ** 2 if b * b <= mu else y * y / (4 * mu)
        return round_up(root_above(squared))

    @property
    def radius(self) -> float:
        """The radius T of the ball that iterates are kept in: exact as a float, and public."""
        return self.minimiser_radius if self.coef_bound is None else round_up(self.coef_bound)

    @property
    def smoothness(self) -> Fraction:
        """A bound on the smoothness of the objective of every data set of N records: `B^2 + mu`."""
        return self.feature_bound**2 + self.regularization

    @property
    def largest_gradient(self) -> Fraction:
        """A bound on the norm of every gradient in the ball, computed or exact."""
        many, d = self._records_per_divisor, self.dimension
        b, y, mu, t = self.feature_bound, self.label_bound, self.regularization, Fraction(self.radius)
        return 2 * ((many * b * b + d * mu) * t + many * b * y)

    @property
    def largest_moment(self) -> Fraction:
        """A bound on every entry of the moments in units of the bounds, computed or exact."""
        return Fraction(2 * self.most_records)

    @property
    def rounding(self) -> Fraction:
        """A bound on how far a computed gradient is from the exact one, anywhere in the ball, for all data in bounds.

        A product that goes through m roundings errs by at most `m u / (1 - m u)` of its size, and so do the entries of
        `X^T X / N` all together in the Frobenius norm, whose sizes add up to `B^2` at most: m is hardly more than 512,
        however many records there are (`learning.sums`). The product with `theta` errs by `d + 2` roundings more. What
        underflows is far below, since all bounds are moderate.
        """
        count = roundings(self.most_records) + self.dimension + 8
        return relative_error(count) * self.largest_gradient / 2

    @property
    def most_records(self) -> int:
        """The largest number of records that any data set may have."""
        return self._records_per_divisor * self.divisor

    @property
    def _records_per_divisor(self) -> int:
        """Return the largest number of records over N: two where their number is private, and more are refused."""
        return 1 if self.adjacency is Adjacency.REPLACE_ONE else 2

    def absolute(self) -> AbsoluteSensitivity:
        """Return how far the computed gradient moves between neighbours, anywhere in the ball: an upper bound.

        Sharp but for its rounding, in two and more dimensions: two data sets and a point of the ball attain it.
        """
        b, y, t = self.feature_bound, self.label_bound, Fraction(self.radius)
        move = b * y * largest_difference(b * t / y) if self.adjacency is Adjacency.REPLACE_ONE else b * (b * t + y)
        # Twice the rounding: each of the two neighbours' gradients may be computed to one side.
        return AbsoluteSensitivity(_short(move / self.divisor + 2 * self.rounding), self.adjacency)

    def absolute_at(self, theta: FloatArray) -> Fraction:
        """Return how far the computed gradient moves between neighbours at a point (d,) of the ball: an upper bound.

        At most `absolute().bound` but for its last digits, and less the nearer the point is to 0.
        """
        domain, norm = RecordDomain(self.feature_bound, self.label_bound), float(row_norms_above(theta[np.newaxis])[0])
        return gradient_sensitivity(domain, self.divisor, norm, self.adjacency) + 2 * self.rounding

    def moments(self, more_roundings: int = 0) -> AbsoluteSensitivity:
        """Return how far the computed moments move between neighbours, in units of the bounds: an upper bound.

        `more_roundings` are those that each product has before it is added up.

        For `statistics.moments_of`. Sharp but for its rounding, in two and more dimensions: `sqrt(9/2)` where a record
        is replaced, and `sqrt(2)` else.
        """
        records = self.most_records
        # The sizes of the products add up to 1 a record in either part, in the norm of the part, and sqrt(2) < 3/2 is
        # for both. Beside the sums there are the units, the root of two, and what underflows.
        rounding = relative_error(roundings(records) + 8 + more_roundings) * records * Fraction(3, 2)
        return AbsoluteSensitivity(_short(root_above(_JOINT[self.adjacency]) + 2 * rounding), self.adjacency)

    def relative(self) -> RelativeSensitivity:
        """Return the relative sensitivity of the computed gradient, anywhere in the ball: an upper bound.

        `of_domain.relative_sensitivity` with the share 16/9, which is about best near the minimiser; to the
        absolute part `r` comes `(2 + e)` times the rounding, for both gradients and for that in `e |gradient|`.
        Raises `InputError` where a record is added or removed: then no public number bounds the minimiser.
        """
        if self.adjacency is Adjacency.ADD_OR_REMOVE:
            allowed = (
                'with mechanism="relative" only replace_one: a private number of records leaves minimisers unbounded'
            )
            raise reject("neighbours", self.adjacency.value, allowed)
        domain = RecordDomain(self.feature_bound, self.label_bound)
        level = Level.everywhere(self.regularization, domain)
        e = root_above(relative_part_squared(domain, level, self.divisor))
        # Rounding enters once for either gradient and once more, times e, through the computed gradient that noise
        # scales with.
        r = absolute_part(domain, level, self.divisor) + (2 + e) * self.rounding
        # (e g + r)^2 <= (1 + s) e^2 g^2 + (1 + 1/s) r^2 for every s > 0: the sum of parts becomes a sum of squares.
        eta, r_rel = e * root_above(1 + _SHARE), r * root_above(1 + 1 / _SHARE)
        return RelativeSensitivity(_short(eta), _short(r_rel), self.adjacency)


@dataclass(frozen=True)
class AtIterate:
    """`public.absolute_at` as a function of a point (d,) that is compared by `public`."""

    public: PublicRidge

    def __call__(self, theta: FloatArray) -> Fraction:
        """Return an upper bound on how far the computed gradient moves at `theta`, which is in the ball."""
        return self.public.absolute_at(theta)


def _short(value: Fraction) -> Fraction:
    """Return the next float as a fraction: one that is not thousands of digits long."""
    # Up to a float, so that later exact arithmetic is with short numbers; larger is safe.
    return Fraction(round_up(value))
