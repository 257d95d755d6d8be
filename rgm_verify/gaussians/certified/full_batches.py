"""The probability that Poisson sampling fills a batch of a largest size, bounded from above."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from flint import arb

from rgm_verify.balls.arithmetic import ball, precision, rational_ends
from rgm_verify.numbers.bounds import round_up

__all__ = ["filled"]

_BITS = 160
_LEAST = Fraction(1, 10**300)


@lru_cache(maxsize=64)
def filled(limit: int, others: int, rate: Fraction) -> Fraction:
    """Return an upper bound of the probability that at least `limit >= 1` of the `others` are sampled.

    With `m` for the limit and `n` for the others it is Chernoff's `exp(-n d)`, `n d = m log(m/(n q)) + (n - m)
    log((n - m)/(n (1 - q)))`, where `m > n q`; by Stirling, also with the factor `sqrt(n/(2 pi m (n - m)))/(1 - r)`,
    where `r = (n - m) q/((m + 1)(1 - q))` (`beyond:full-batch`).

    Examples:
        >>> float(filled(140, 10_000, Fraction(1, 100)))
        8.74...e-05
    """
    rest = others - limit
    if rest < 0:
        return Fraction(0)
    if limit <= others * rate:
        return Fraction(1)
    with precision(_BITS):
        exponent = limit * ball(limit / (others * rate)).log()
        factor = arb(1)
        if rest:
            exponent += rest * ball(rest / (others * (1 - rate))).log()
            ratio = rest * rate / ((limit + 1) * (1 - rate))
            factor = (ball(Fraction(others, 2 * limit * rest)) / arb.pi()).sqrt() / ball(1 - ratio)
        high = rational_ends((-exponent).exp() * factor.min(arb(1)))[1]
    # A short number, and none that floats would take for 0.
    return Fraction(1) if high is None else max(min(Fraction(1), Fraction(round_up(high))), _LEAST)
