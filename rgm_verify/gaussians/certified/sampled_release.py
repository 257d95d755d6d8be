"""Hockey-stick divergence of one Gaussian release of a random sample, in closed form: by the error function.

The pairs are `(M, N_0)` and `(N_0, M)`, `M = (1 - q) N(0, sigma^2) + q N(1, sigma^2)`. The loss of the first exceeds
`epsilon` where the output is above `y = sigma^2 log((e^epsilon - 1 + q)/q) + 1/2`, everywhere if that has no value. So

    H_epsilon(M||N_0) = M(Y > y) - e^epsilon N_0(Y > y),
    H_epsilon(N_0||M) = N_0(Y < z) - e^epsilon M(Y < z)     with  z = y at -epsilon, 0 where that has no value.

Derived in `derivations/beyond/subsampling/`.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from rgm_verify.balls.arithmetic import ball
from rgm_verify.balls.enclose import Enclosure
from rgm_verify.gaussians.certified.probability import until_tight

__all__ = ["sampled_divergence"]


def sampled_divergence(
    epsilon: Fraction, rate: Fraction, noise: Fraction, *, remove: bool, digits: int = 15
) -> Enclosure:
    """Return an enclosure of the divergence of one release of a random sample.

    Args:
        epsilon: any rational, in nats.
        rate: the probability of being in the sample, `0 < rate <= 1`.
        noise: the deviation in units of what a record moves, > 0.
        remove: whether the pair is `(M, N_0)`, a record removed, or `(N_0, M)`.
        digits: the relative width asked for is 10^-digits; where 4096 bits do not reach that, the enclosure is wider.

    Returns:
        An enclosure inside [0, 1].

    Source: `beyond:sampled-removal`, `beyond:sampled-addition`.
    """
    return until_tight(lambda: _divergence(epsilon, rate, noise, remove), digits)


def _divergence(epsilon: Fraction, rate: Fraction, noise: Fraction, remove: bool) -> arb:
    """Return the divergence at the precision in force; NaN, and so everything, where the sign of `inside` is open."""
    q, sigma = ball(rate), ball(noise)
    level = ball(epsilon).exp()
    inside = (level if remove else 1 / level) - 1 + q
    if not inside > 0:
        if inside <= 0:  # the loss is above epsilon everywhere, or nowhere
            return (1 - level).max(arb(0)) if remove else arb(0)
        return arb.nan()
    y = sigma * sigma * (inside / q).log() + arb(1) / 2
    scale = sigma * arb(2).sqrt()
    sign = 1 if remove else -1
    base = (sign * y / scale).erfc() / 2
    mixed = (1 - q) * base + q * (sign * (y - 1) / scale).erfc() / 2
    return mixed - level * base if remove else base - level * mixed
