"""Enclosures of the hockey-stick divergence, the privacy-loss law and the epsilon of a `GaussianPair`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from rgm_verify.balls.enclose import Enclosure
from rgm_verify.errors import reject
from rgm_verify.gaussians.certified.epsilon import epsilon_enclosure
from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosure, loss_cdf_enclosure
from rgm_verify.gaussians.pair import GaussianPair
from rgm_verify.numbers.exact import Floats, NumberInput, exact, positive, positive_integer

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["epsilon", "hockey_stick", "loss_cdf"]

_MOST_DIGITS = 1000


def hockey_stick(pair: GaussianPair, epsilon: NumberInput, digits: int = 30, *, floats: Floats = "refuse") -> Enclosure:
    """Return an enclosure of `delta(eps) = sup_S P(S) - e^eps Q(S)` of the pair, for every real `epsilon` in nats.

    The relative width is at most 10^-digits; a delta below 2^-131072 has the lower end 0.  Where a limit of the work is
    reached the enclosure is wider and still right.  Raises `InputError` for what is no exact number (a float only with
    `floats="binary"`) and for `digits` outside 1 to 1000.  Not thread-safe, like all of `balls`.
    """
    return hockey_stick_enclosure(exact(epsilon, name="epsilon", floats=floats), *_parts(pair), digits=_digits(digits))


def loss_cdf(
    pair: GaussianPair,
    x: NumberInput,
    digits: int = 30,
    *,
    under: Literal["P", "Q"] = "P",
    floats: Floats = "refuse",
) -> Enclosure:
    """Return an enclosure of `Pr[log dP/dQ <= x]` under `P` or `Q`, of relative width at most 10^-digits.

    Errors as `hockey_stick`, and `InputError` for another `under`.
    """
    if under not in ("P", "Q"):
        raise reject("under", under, 'allowed are "P" and "Q"')
    point = exact(x, name="x", floats=floats)
    return loss_cdf_enclosure(point, *_parts(pair), under=under, digits=_digits(digits))


def epsilon(pair: GaussianPair, delta: NumberInput, digits: int = 30, *, floats: Floats = "refuse") -> Enclosure:
    """Return an enclosure of the smallest `eps >= 0` at which `delta` of the pair is at most `delta`, in nats.

    The upper end is safe to use: `delta(upper) <= delta` is certain.  `[0, 0]` where that holds at 0.  Errors as
    `hockey_stick`, and `InputError` for `delta <= 0`.
    """
    target = positive(delta, name="delta", meaning="a probability to be met", floats=floats)
    return epsilon_enclosure(target, *_parts(pair), digits=_digits(digits))


def _parts(pair: GaussianPair) -> tuple[Fraction, Fraction, int]:
    return pair.shift_squared, pair.excess, pair.dimension


def _digits(digits: int) -> int:
    count = positive_integer(digits, name="digits", meaning="the number of digits")
    if count > _MOST_DIGITS:
        raise reject("digits", digits, f"the number of digits must be <= {_MOST_DIGITS}")
    return count
