"""The hockey-stick divergence as a difference of two noncentral chi-square tails: a second certified route.

With `y = (2 x + d log v + D^2 / w) / w` the privacy loss exceeds `x` where `|z - c|^2 / v` lies above `y` (`w > 0`) or
below it (`w < 0`), `c = -D e_1 / w`.  Under `P` that square is chi-square with `d` degrees of freedom and noncentrality
`D^2 v / w^2`; `v` times it is so under `Q`, with `D^2 / w^2`.  A noncentral tail is a Poisson mixture of central ones,
which are regularised incomplete gammas of an integer or half-integer order.  Nothing is shared with the contour but the
arithmetic.
"""

from __future__ import annotations

import math
from fractions import Fraction

from flint import arb, ctx

from rgm_verify.balls.arithmetic import ball
from rgm_verify.balls.enclose import Enclosure
from rgm_verify.errors import reject
from rgm_verify.gaussians.certified.probability import until_tight

__all__ = ["chi_square_enclosures", "chi_square_floor_enclosure", "hockey_stick_by_series"]

MAXIMUM_TERMS = 100_000
MAXIMUM_DIMENSION = 10**9
# With fewer bits of the level nothing is known of either tail, and more precision is the answer.
_USABLE_BITS = 16


def hockey_stick_by_series(
    epsilon: Fraction, shift_squared: Fraction, excess: Fraction, dimension: int, *, digits: int = 15
) -> Enclosure:
    """Return an enclosure of `H_eps(P||Q)`, `excess != 0`, by two Poisson mixtures of incomplete gammas.

    The number of terms is about `D^2 v / (2 w^2)`, more for a small result: where that is above 100,000 the enclosure
    is [0, 1], and after 100,000 terms the enclosure is wider. The terms of an incomplete gamma grow as `sqrt(d)`.

    Args:
        epsilon: any rational, in nats.
        shift_squared: `D^2` >= 0.
        excess: `w` > -1, not 0.
        dimension: `d`, 1 to 10^9; many more are no more work than few for `hockey_stick_enclosure`.
        digits: the relative width asked for is 10^-digits.

    Returns:
        An enclosure inside [0, 1], rounded outward.

    Raises:
        InputError: for more than 10^9 dimensions.
        ValueError: for `excess = 0`, where there is no chi-square law.

    Source: `beyond:noncentral-chi-square-mixture`, `beyond:loss-noncentralities`.
    """
    if dimension > MAXIMUM_DIMENSION:
        allowed = f"the series takes at most {MAXIMUM_DIMENSION} dimensions; hockey_stick_enclosure takes any number"
        raise reject("dimension", dimension, allowed)
    if excess == 0:
        raise ValueError("excess=0: equal variances have no chi-square law, use the error function")
    # The number of terms is known before: so many take minutes, and the contour does without.
    if shift_squared * max(1 + excess, Fraction(1)) > 2 * MAXIMUM_TERMS * excess**2:
        return Enclosure(Fraction(0), Fraction(1))
    return until_tight(lambda: _difference(epsilon, shift_squared, excess, dimension), digits)


def chi_square_floor_enclosure(epsilon: Fraction, excess: Fraction, dimension: int, digits: int = 15) -> Enclosure:
    """Return an enclosure of `H_eps` of two Gaussians of one mean, which no distance goes below; `excess != 0`.

    For `w > 0` it is `Pr[chi2_d > y] - e^eps Pr[chi2_d > v y]`, `y = (d log v + 2 eps) / w`; for `w < 0` the same with
    `<`.  It is the limit of `delta` of the mechanism for `gamma -> oo`.  Relative width at most 10^-digits.
    Raises `InputError` for more than 10^9 dimensions; `hockey_stick_enclosure` takes any number.
    """
    return hockey_stick_by_series(epsilon, Fraction(0), excess, dimension, digits=digits)


def chi_square_enclosures(level: Fraction, degrees: int, *, digits: int = 15) -> tuple[Enclosure, Enclosure]:
    """Return enclosures of `Pr[chi2 <= level]` and of `Pr[chi2 > level]` for `level >= 0`, central, of those degrees.

    Relative width at most 10^-digits for each. Raises `InputError` for more than 10^9 degrees of freedom.
    """
    if degrees > MAXIMUM_DIMENSION:
        raise reject("degrees", degrees, f"the series takes at most {MAXIMUM_DIMENSION} degrees of freedom")
    if level == 0:
        return Enclosure(Fraction(0), Fraction(0)), Enclosure(Fraction(1), Fraction(1))
    # Each tail by itself: as a difference from 1 the smaller one would have no digits.
    below = until_tight(lambda: _central(degrees, ball(level) / 2)[0], digits)
    return below, until_tight(lambda: _central(degrees, ball(level) / 2)[1], digits)


def _difference(x: Fraction, shift_squared: Fraction, excess: Fraction, dimension: int) -> arb:
    """Return the difference of the two tails at the precision in force."""
    v = 1 + excess
    y = (ball(2 * x + shift_squared / excess) + dimension * ball(v).log()) / ball(excess)
    tail = _above if excess > 0 else _below
    if y.rel_accuracy_bits() < _USABLE_BITS:
        return arb(0, 1)
    # The level of a square is negative: the loss is above epsilon everywhere (wide first) or nowhere.
    if y < 0:
        return -ball(x).expm1() if excess > 0 else arb(0)
    rate = shift_squared / (2 * excess**2)
    under_p, under_q = tail(dimension, rate * v, y / 2), tail(dimension, rate, ball(v) * y / 2)
    return under_p - ball(x).exp() * under_q


def _central(twice: int, z: arb) -> tuple[arb, arb]:
    """Return `P(a, z)` and `Q(a, z)` for `a = twice / 2` and `z > 0`, each accurate where it is not near 1.

    Below `a` by `P = z^a e^-z / Gamma(a + 1) (1 + z / (a + 1) + z^2 / ((a + 1) (a + 2)) + ...)`, above it by
    `Q = z^(a - 1) e^-z / Gamma(a) (1 + (a - 1) / z + (a - 1) (a - 2) / z^2 + ...)` down to `Q(1, z) = e^-z` or to
    `Q(1/2, z) = erfc(sqrt z)`: positive terms of falling ratio, so that a geometric series bounds what is left out.
    """
    a = arb(twice) / 2
    if z.mid() < a:
        lower = _from_below(a, z)
        return lower, 1 - lower
    upper = z.sqrt().erfc() if twice == 1 else _from_above(twice, z)
    return 1 - upper, upper


def _from_below(a: arb, z: arb) -> arb:
    """Return `P(a, z)` for `z` below `a` by its power series; what is left out is bounded by a geometric series."""
    term = total = (a * z.log() - z - (a + 1).lgamma()).exp()
    small, k = arb(2) ** -ctx.prec, 0
    while True:
        k += 1
        term = term * z / (a + k)
        total += term
        # Comparing balls costs as much as a term, so that only every eighth asks.
        if k % 8 == 0 and not term > total * small and z < a + k:
            return total + _rest(term, z / (a + k + 1))


def _from_above(twice: int, z: arb) -> arb:
    """Return `Q(a, z)` for `z` above `a` by its finite series downwards in `a`, cut off where the rest is bounded."""
    a = arb(twice) / 2
    term = total = ((a - 1) * z.log() - z - a.lgamma()).exp()
    small = arb(2) ** -ctx.prec
    for k in range(1, (twice + 1) // 2):
        if 2 * k + 1 == twice:
            return total + z.sqrt().erfc()
        term = term * (a - k) / z
        total += term
        if k % 8 == 0 and not term > total * small and z > a - k:
            # What is left is Q(b, z) with b = a - k - 1 >= 0, which t^(b-1) <= z^(b-1) e^((b-1)(t-z)/z) bounds.
            return total + _rest(term, (a - k - 1) / z)
    return total


def _rest(term: arb, ratio: arb) -> arb:
    """Return a ball around 0 that holds `term (r_1 + r_1 r_2 + ...)` for all ratios `0 <= r_k <= ratio < 1`."""
    return arb(0, 1) * (term * ratio / (1 - ratio))


def _above(dimension: int, rate: Fraction, z: arb) -> arb:
    """Return `sum_j Poisson(j; rate) Q(d/2 + j, z)`, upwards: `Q(a + 1, z) = Q(a, z) + z^a e^-z / Gamma(a + 1)`."""
    a, mean = ball(Fraction(dimension, 2)), ball(rate)
    central, weight = _central(dimension, z)[1], (-mean).exp()
    total, small = weight * central, arb(2) ** -ctx.prec
    if rate == 0:
        return total
    step = (a * z.log() - z - (a + 1).lgamma()).exp()
    j = 0
    while True:
        j += 1
        central += step
        step = step * z / (a + j)
        weight = weight * mean / j
        total += weight * central
        if j > rate and (j > MAXIMUM_TERMS or (j % 8 == 0 and not weight > total * small)):
            return total + _poisson_tail(weight, mean, j)


def _below(dimension: int, rate: Fraction, z: arb) -> arb:
    """Return `sum_j Poisson(j; rate) P(d/2 + j, z)`, downwards from where the weights are below the rounding."""
    a, mean, last = ball(Fraction(dimension, 2)), ball(rate), _last_term(rate)
    top = a + last + 1
    if rate == 0:
        return _central(dimension, z)[0]
    # From the top downwards: the central tails grow then, and nothing is subtracted.
    central = _central(dimension + 2 * last + 2, z)[0]
    step = ((top - 1) * z.log() - z - top.lgamma()).exp()
    weight = (last * mean.log() - mean - arb(last + 1).lgamma()).exp()
    # All terms above share the tail of the top at most, as it falls with the order.
    total = central * _poisson_tail(weight, mean, last)
    for j in range(last, -1, -1):
        central += step
        total += weight * central
        step = step * (a + j) / z
        weight = weight * j / mean
    return total


def _poisson_tail(weight: arb, mean: arb, last: int) -> arb:
    """Return a ball around 0 that holds the sum of all Poisson weights behind `last > mean`, whose weight is given."""
    return _rest(weight, mean / (last + 1))


def _last_term(rate: Fraction) -> int:
    """Return a number of terms behind which the weights are below 2^-bits; any number above the mean is right."""
    nats = ctx.prec * math.log(2)
    # Steering alone: what lies behind the last term is bounded by that term's own weight.
    return math.ceil(float(rate) + math.sqrt(2 * float(rate) * nats) + nats) + 1
