"""How far one record moves the gradient of ridge regression, from public numbers alone: for every data set in bounds.

The objective is `sum (x.theta - y)^2 / (2 N) + mu/2 |theta|^2` over records with `|x| <= B` and `|y| <= Y`.

* The minimiser is `A^-1 X^T y / N` with `A = X^T X / N + mu I`; the singular values of `A^-1 X^T / sqrt(N)` are
  `s / (s^2 + mu) <= 1 / (2 sqrt(mu))`. So for up to N records it lies in the ball of radius `Y / (2 sqrt(mu))`,
  whatever they are, and nothing is lost by staying there.
* A record's gradient is `x (x.theta - y)`. Two of them differ, in the ball of radius `T`, by at most
  `2 B sin(phi) (B T cos(phi) + Y)` for some angle; two records attain it that mirror each other in `theta`. With
  `k = B T / Y` that is at most `B Y (l + l / (l^2 - k^2))` for every `l > k`, and as much for one `l`.
* Between neighbours `A` moves by `(x x^T - x' x'^T) / N`, of norm `<= B^2 / N`, and `A >= mu I` at both. So gradients
  differ by at most `e |gradient| + r`, with `e = B^2 / (N mu)`, and with what two records differ by at the minimiser
  as `r`. That is the second point again: where nothing but bounds is public, noise relative to the gradient comes on
  top of what a sensitivity in the ball needs alone.

Source: claims `rgm:gradient-difference`, `beyond:quadratic-split` and `beyond:ridge-relative-part` for the third point.
The first two are derived here. For the second: along the difference's own direction `v` a record counts with
`(v.x)(x.theta) - (v.x) y`, linear in what `x` has across `v`, so that full length in the plane of `v` and `theta` is
worst; with `x`, `x'` at the angles `a`, `b` from `v` both are at most `B^2 T |sin(a - b)| + 2 B Y cos((a - b)/2)`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from rgm_verify.accounting.bounds import round_up
from rgm_verify.errors import reject
from rgm_verify.exact import AbsoluteSensitivity, Adjacency, RelativeSensitivity
from rgm_verify.learning.ridge_sensitivity import Level, RecordDomain, relative_part_squared
from rgm_verify.learning.sensitivity import root_above

_UNIT = Fraction(1, 2**53)  # the relative error of one rounding
_SMOOTH_RATIO = 10**6  # beyond, the sharp angle is within 1e-6 of 45 degrees, and floats do not find it


@dataclass(frozen=True)
class PublicRidge:
    """What everybody may know of a private ridge regression; all numbers exact, none from the data.

    `feature_bound` (B), `label_bound` (Y) and `regularization` (mu) are > 0. `divisor` (N) is what sums are divided by:
    the number of records where one is replaced, or a public stand-in for it. `coef_bound` is a ball to stay in, if a
    smaller one than needed is wanted.
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
        """A bound on the norm of the minimiser of every data set of N records, rounded up."""
        b, y, mu = self.feature_bound, self.label_bound, self.regularization
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
    def rounding(self) -> Fraction:
        """A bound on how far a computed gradient is from the exact one, anywhere in the ball, for all data in bounds.

        A sum of m products errs by at most `m u / (1 - m u)` of the sum of their sizes, in whatever order, and so do
        the entries of `X^T X / N` all together in the Frobenius norm, whose sizes add up to `B^2` at most. The product
        with `theta` errs by `d + 2` roundings more. What underflows is far below, since all bounds are moderate.
        """
        count = (self._records_per_divisor * self.divisor + self.dimension + 8) * _UNIT
        return count / (1 - count) * self.largest_gradient / 2

    @property
    def _records_per_divisor(self) -> int:
        """How many records there may be, over N: two where their number is private, and more are refused."""
        return 1 if self.adjacency is Adjacency.REPLACE_ONE else 2

    def absolute(self) -> AbsoluteSensitivity:
        """Return how far the computed gradient moves between neighbours, anywhere in the ball: an upper bound.

        Sharp but for its rounding, in two and more dimensions: two data sets and a point of the ball attain it.
        """
        b, y, t = self.feature_bound, self.label_bound, Fraction(self.radius)
        move = _largest_difference(b, y, t) if self.adjacency is Adjacency.REPLACE_ONE else b * (b * t + y)
        return AbsoluteSensitivity(_short(move / self.divisor + 2 * self.rounding), self.adjacency)

    def relative(self) -> RelativeSensitivity:
        """Return the relative sensitivity of the computed gradient, anywhere in the ball: an upper bound.

        `(e g + r)^2 <= (1 + t) e^2 g^2 + (1 + 1/t) r^2` at `t = 16/9`, so that `eta = 5/3 e` and `R_rel = 5/4 r`.
        Raises `InputError` where a record is added or removed: then no public number bounds the minimiser.
        """
        if self.adjacency is Adjacency.ADD_OR_REMOVE:
            allowed = (
                'with mechanism="relative" only replace_one: a private number of records leaves minimisers unbounded'
            )
            raise reject("neighbours", self.adjacency.value, allowed)
        b, n = self.feature_bound, self.divisor
        domain = RecordDomain(b, self.label_bound)
        e = root_above(relative_part_squared(domain, Level.everywhere(self.regularization, domain), n))
        at_minimiser = _largest_difference(b, self.label_bound, Fraction(self.minimiser_radius)) / n
        r = at_minimiser + (2 + e) * self.rounding
        return RelativeSensitivity(_short(e * 5 / 3), _short(r * 5 / 4), self.adjacency)


def _short(value: Fraction) -> Fraction:
    """Return the next float as a fraction: one that is not thousands of digits long."""
    return Fraction(round_up(value))


def _largest_difference(b: Fraction, y: Fraction, t: Fraction) -> Fraction:
    """Return an upper bound on `|x (x.v - a) - x' (x'.v - a')|` for `|v| <= t`: that of the module's second point.

    `2 sin(phi) (k cos(phi) + 1) <= l sin^2 + (k cos + 1)^2 / l`, whose largest value over the cosine is
    `l + l / (l^2 - k^2)`. The triangle inequality alone would give `k + 2`.
    """
    k = b * t / y
    slope = _best_slope(float(min(k, Fraction(_SMOOTH_RATIO))))
    sharp = slope + slope / (slope**2 - k**2) if k < _SMOOTH_RATIO and slope > k else k + 2
    return b * y * min(sharp, k + 2)


def _best_slope(k: float) -> Fraction:
    """Return about `(k cos + 1) / sin` at the best angle, where `2 k cos^2 + cos = k`: any number > k is sound."""
    cosine = 2 * k / (1 + math.sqrt(1 + 8 * k * k))
    return Fraction((k * cosine + 1) / math.sqrt(1 - cosine * cosine))
