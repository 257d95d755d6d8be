"""Enclosures of the hockey-stick divergence, the privacy-loss law and the epsilon of a `GaussianPair`.

The checked public face of `gaussians.certified`: arguments become exact numbers, and everything is decided there.
Orders matter: a mechanism is `(epsilon, delta)`-private if the divergence is at most `delta` for the pair *and* its
reverse.
"""

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

# Beyond this the limit of 4096 bits would be met anyway, and the enclosure be wider than asked for.
_MOST_DIGITS = 1000


def hockey_stick(pair: GaussianPair, epsilon: NumberInput, digits: int = 30, *, floats: Floats = "refuse") -> Enclosure:
    """Return an enclosure of `delta(eps) = sup_S P(S) - e^eps Q(S)` of the pair, for every real `epsilon`.

    Args:
        pair: `P` against `Q`; `pair.reversed()` is the other order.
        epsilon: an exact number, in nats, of either sign.
        digits: the relative width asked for is 10^-digits, 1 to 1000.
        floats: "binary" takes a float for `epsilon` as the binary number it is.

    Returns:
        Rational ends inside [0, 1], rounded outward. A delta below 2^-131072 has the lower end 0. Where a limit of the
        work is reached the enclosure is wider and still right.

    Raises:
        InputError: for what is no exact number, and for `digits` outside 1 to 1000.

    Not thread-safe, like all of `balls`. Source: `derivations/beyond/hockey_stick/contour.py`.

    Examples:
        >>> print(hockey_stick(GaussianPair(1, 0, 1), 1, 5))
        [0.126936..., 0.126936...]
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
    """Return an enclosure of `Pr[log dP/dQ <= x]` under `P` or `Q`.

    Args:
        pair: `P` against `Q`.
        x: an exact number, in nats.
        digits: the relative width asked for is 10^-digits, 1 to 1000. Relative, so that a tiny tail keeps its digits.
        under: the law of the point at which the loss is taken.
        floats: "binary" takes a float for `x` as the binary number it is.

    Returns:
        Rational ends inside [0, 1], rounded outward; exactly 0 or 1 beyond the range of the loss.

    Raises:
        InputError: as `hockey_stick`, and for another `under`.
    """
    if under not in ("P", "Q"):
        raise reject("under", under, 'allowed are "P" and "Q"')
    point = exact(x, name="x", floats=floats)
    return loss_cdf_enclosure(point, *_parts(pair), under=under, digits=_digits(digits))


def epsilon(pair: GaussianPair, delta: NumberInput, digits: int = 30, *, floats: Floats = "refuse") -> Enclosure:
    """Return an enclosure of the smallest `eps >= 0` at which `delta` of the pair is at most `delta`, in nats.

    Args:
        pair: `P` against `Q`. A guarantee for both orders is the larger of two answers.
        delta: an exact number > 0; at 1 and above the answer is 0.
        digits: the relative width asked for is 10^-digits, 1 to 1000.
        floats: "binary" takes a float for `delta` as the binary number it is.

    Returns:
        Rational ends. The upper one is safe to use: `delta(upper) <= delta` is certain; it is None where none was
        found. `[0, 0]` where the level holds at 0.

    Raises:
        InputError: as `hockey_stick`, and for `delta <= 0`.

    Examples:
        >>> print(epsilon(GaussianPair(1, 0, 1), "1e-5", 5))
        [4.37716..., 4.37719...]
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
