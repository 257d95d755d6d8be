"""Certified hockey-stick divergence and privacy-loss law of one pair of isotropic Gaussians.

`P = N(D e_1, (1 + w) I_d)` against `Q = N(0, I_d)`, `D^2 = shift_squared`, `w = excess`, `L = log dP/dQ`, in nats.
Every result is an enclosure by the rule of `trapezoid`; equal variances are the Gaussian case, by the error function.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from rgm_verify.balls.arithmetic import ball, precision
from rgm_verify.balls.enclose import Enclosure
from rgm_verify.gaussians.certified.chi_square import chi_square_floor_enclosure, hockey_stick_by_series
from rgm_verify.gaussians.certified.probability import MAXIMUM_BITS, SMALLEST, as_probability, missing_bits, until_tight
from rgm_verify.gaussians.certified.steering import Plan
from rgm_verify.gaussians.certified.trapezoid import Line, Quantity, lay

__all__ = [
    "chi_square_floor_enclosure",
    "complement_enclosure",
    "decays",
    "hockey_stick_by_contour",
    "hockey_stick_by_series",
    "hockey_stick_enclosure",
    "hockey_stick_enclosures",
    "loss_cdf_enclosure",
    "loss_sf_enclosure",
]

SMALLEST_LOG = -90_853  # just below log SMALLEST
_ATTEMPTS = 8
_LARGEST_SQUARE = 10_000
_NEARLY_ONE = 1 - Fraction(1, 2**8192)  # a longer one could not be printed
_GUARD_BITS = 10
_GUARD_NATS = 5.0
_REACH = 1.5


def hockey_stick_enclosure(
    epsilon: Fraction, shift_squared: Fraction, excess: Fraction, dimension: int, *, digits: int = 15
) -> Enclosure:
    """Return an enclosure of `H_eps(P||Q) = E_P[(1 - e^(eps - L))_+] = sup_S P(S) - e^eps Q(S)`, for every real eps.

    This is `delta` of the pair at `epsilon`.

    Args:
        epsilon: any rational, in nats.
        shift_squared: the pair as in `GaussianPair`, unchecked.
        excess: the same.
        dimension: the same.
        digits: the relative width asked for is 10^-digits.

    Returns:
        An enclosure inside [0, 1]. Where a limit on precision or nodes stops the work before, it is wider, at worst
        [max(0, 1 - e^eps), 1]. Below 2^-131072 the lower end is 0. Exact 0 for two equal distributions and `eps >= 0`.
    """
    # Arb's erfc knows nothing of arguments beyond some thousands.
    if excess == 0 < shift_squared and (epsilon + shift_squared / 2) ** 2 <= _LARGEST_SQUARE * 2 * shift_squared:
        return until_tight(lambda: _gaussian(epsilon, shift_squared), digits)
    return hockey_stick_by_contour(epsilon, shift_squared, excess, dimension, digits=digits)


def hockey_stick_by_contour(
    epsilon: Fraction, shift_squared: Fraction, excess: Fraction, dimension: int, *, digits: int = 15
) -> Enclosure:
    """Return `hockey_stick_enclosure` by the contour even where the error function would do.

    An independent route to the same number; arguments and result as there.
    """
    return _enclose(epsilon, (shift_squared, excess, dimension), Quantity.HOCKEY_STICK, digits)


def complement_enclosure(
    epsilon: Fraction, shift_squared: Fraction, excess: Fraction, dimension: int, *, digits: int = 15
) -> Enclosure:
    """Return an enclosure of `1 - H_eps(P||Q) = E_P[min(1, e^(eps - L))]`, relatively as tight as asked for.

    A difference from 1 would lose all digits where the divergence is close to 1. Arguments as `hockey_stick_enclosure`.
    """
    return _enclose(epsilon, (shift_squared, excess, dimension), Quantity.COMPLEMENT, digits)


def loss_cdf_enclosure(
    x: Fraction, shift_squared: Fraction, excess: Fraction, dimension: int, *, under: str = "P", digits: int = 15
) -> Enclosure:
    """Return an enclosure of `Pr[L <= x]` under `P` or under `Q`, relatively as tight as asked for.

    Args:
        x: any rational, in nats.
        shift_squared: the pair as in `GaussianPair`, unchecked.
        excess: the same.
        dimension: the same.
        under: the law of the point, "P" or "Q".
        digits: the relative width asked for is 10^-digits.

    Returns:
        An enclosure inside [0, 1]; 0 and 1 are exact beyond the ends of the range of `L`.

    Raises:
        ValueError: for another `under`.
    """
    quantity = {"P": Quantity.CDF_P, "Q": Quantity.CDF_Q}
    return _enclose(x, (shift_squared, excess, dimension), quantity[_law(under)], digits)


def loss_sf_enclosure(
    x: Fraction, shift_squared: Fraction, excess: Fraction, dimension: int, *, under: str = "P", digits: int = 15
) -> Enclosure:
    """Return an enclosure of `Pr[L > x]` under `P` or under `Q`, relatively as tight as asked for.

    Arguments and errors as `loss_cdf_enclosure`; a tiny tail keeps its digits.
    """
    quantity = {"P": Quantity.SURVIVAL_P, "Q": Quantity.SURVIVAL_Q}
    return _enclose(x, (shift_squared, excess, dimension), quantity[_law(under)], digits)


def _law(under: str) -> str:
    if under not in ("P", "Q"):
        raise ValueError(f'under={under!r}: allowed are "P" and "Q"')
    return under


# ------------------------------------------------------------------------------------------------ one value

Pair = tuple[Fraction, Fraction, int]


def _enclose(x: Fraction, pair: Pair, quantity: Quantity, digits: int) -> Enclosure:
    """Return an enclosure of a quantity at `x`, in at most a few attempts of growing accuracy.

    Each attempt asks for what the one before was missing. Every attempt is certain, so that their common part is; a
    value beyond the range of floats falls back on Chernoff's bounds.
    """
    # First what needs no integral: beyond the range of the loss the integrand does not fall off.
    exact = _beyond_the_range(x, pair, quantity, digits)
    if exact is not None:
        return exact
    best, nats, spare = _trivial(x, quantity), digits * math.log(10) + _GUARD_NATS, _GUARD_BITS
    for _ in range(_ATTEMPTS):
        laid = lay(*pair, x, quantity, nats)
        bits = _bits(laid, spare)
        if laid is None or bits > MAXIMUM_BITS:
            break
        with precision(bits):
            found = Line(*pair, x, laid, quantity).at(x)
            missing = missing_bits(found, digits)
            best = _common(best, as_probability(found))
        # Tight enough, or so small that nothing tighter is ever written down.
        if missing <= 0 or best.lower == 0 < SMALLEST == best.upper:
            return best
        # A missing bit is 0.7 nats of the rule and one bit of rounding; it is not known which of the two was short.
        nats, spare = nats + 0.7 * missing + 1, spare + missing + 2
    return best if best.upper is None or best.upper < 1 else _common(best, _beyond_floats(x, pair, quantity))


def _beyond_floats(x: Fraction, pair: Pair, quantity: Quantity) -> Enclosure:
    """Return [0, SMALLEST], [1 - 2^-8192, 1] or [0, 1], whichever is certain, by Chernoff's bound of both tails."""
    if _is_negligible(x, pair, quantity):
        return Enclosure(Fraction(0), SMALLEST)
    if _is_negligible(x, pair, quantity.opposite):
        return Enclosure(_NEARLY_ONE, Fraction(1))
    return Enclosure(Fraction(0), Fraction(1))


def _is_negligible(x: Fraction, pair: Pair, quantity: Quantity) -> bool:
    """Return whether `exp(K(s) - s x)` at one of some orders is certainly below SMALLEST.

    `(1 - e^-t)_+ <= e^(s t)` and `1{t > 0} <= e^(s t)` for `s >= 0`, `min(1, e^-t) <= e^(s t)` for `-1 <= s <= 0` and
    `1{t <= 0} <= e^(s t)` for `s <= 0`; under Q the order of the indicator is `s + 1`, and `exp(-x)` comes with it.
    """
    shift, excess, dimension = pair
    under_q = quantity.sides[0] is None
    sign = quantity.sign if quantity is not Quantity.COMPLEMENT else 0
    # The bound need not be tight, only certain. The orders tried reach from 2^-40 to 2^196, and `1 - s w` loses as many
    # bits.
    with precision(512):
        w, log_v, point = ball(excess), ball(1 + excess).log(), ball(x)
        for k in range(-40, 200, 4):
            s = sign * ball(Fraction(2) ** k) - under_q if sign else -ball(Fraction(1, 2))
            q = 1 - s * w
            if not q > 0:
                continue
            cumulant = ball(shift / 2) * s * (s + 1) / q - (q.log() + s * log_v) * dimension / 2
            if (cumulant - (s + under_q) * point) < arb(SMALLEST_LOG):
                return True
    return False


def _bits(laid: Plan | None, spare: int) -> int:
    """Return the working precision for a line: the accuracy aimed at, the bits lost to rounding, and a spare."""
    return 0 if laid is None else math.ceil(laid.nats / math.log(2) + laid.size) + spare


def _common(first: Enclosure, second: Enclosure) -> Enclosure:
    """Return the common part of two enclosures of one probability."""
    ends = [(found.lower, found.upper) for found in (first, second)]
    return Enclosure(max(low for low, _ in ends if low is not None), min(high for _, high in ends if high is not None))


def _beyond_the_range(x: Fraction, pair: Pair, quantity: Quantity, digits: int) -> Enclosure | None:
    """Return the value where `L <= x` or `L > x` is certain, None elsewhere.

    `L` is bounded from below for `w > 0`, from above for `w < 0`, and is 0 for two equal distributions.
    """
    shift, excess, dimension = pair
    # For two equal laws the loss is 0 and nothing else.
    certain: bool | None = x < 0 if excess == 0 == shift else excess > 0
    if (excess == 0 < shift) or (excess != 0 and decays(x, shift, excess, dimension)):
        certain = None
    if certain is None:
        return None
    if quantity is Quantity.HOCKEY_STICK:
        return until_tight(lambda: -ball(x).expm1(), digits) if certain else Enclosure(Fraction(0), Fraction(0))
    if quantity is Quantity.COMPLEMENT and certain:
        return until_tight(lambda: ball(x).exp(), digits)
    value = Fraction(certain == (quantity.sign == 1))
    return Enclosure(value, value)


def decays(x: Fraction, shift_squared: Fraction, excess: Fraction, dimension: int) -> bool:
    """Return whether `D^2 / 2 + w ((d/2) log v + x) > 0`; it is never 0, since log v is transcendental."""
    bits = 64
    while True:
        with precision(bits):
            value = ball(shift_squared / 2 + excess * x) + ball(excess * dimension / 2) * ball(1 + excess).log()
            if value > 0 or value < 0:
                return bool(value > 0)
        bits *= 2


def _gaussian(epsilon: Fraction, shift_squared: Fraction) -> arb:
    """Return `H_eps` of `N(D, 1)` against `N(0, 1)` at the precision in force."""
    half, shift = ball(shift_squared / 2), ball(2 * shift_squared).sqrt()
    x = ball(epsilon)
    return (((x - half) / shift).erfc() - x.exp() * ((x + half) / shift).erfc()) / 2


# --------------------------------------------------------------------------------------------- many values


def hockey_stick_enclosures(
    epsilons: Sequence[Fraction], shift_squared: Fraction, excess: Fraction, dimension: int, *, digits: int = 15
) -> list[Enclosure]:
    """Return `hockey_stick_enclosure` at each of `epsilons`, in their order; nodes are shared by neighbours.

    One line serves the values within a few standard deviations of the tilted privacy loss; where it does not enclose a
    value as tightly as asked for, another one is laid, and a value that this one does not enclose is computed alone.
    """
    pair = (shift_squared, excess, dimension)
    order = sorted(range(len(epsilons)), key=lambda index: epsilons[index])
    found: dict[int, Enclosure] = {}
    shared: Shared | None = None
    for index in order:
        x = epsilons[index]
        # In increasing order, so that a line serves all that it reaches before the next one is laid.
        if shared is None or x > shared.last:
            shared = _shared(x, pair, digits)
        value = None if shared is None else shared.at(x, digits)
        # Beyond the middle of a line values fall faster than its error; one of their own serves those after them too.
        if value is None and shared is not None and shared.served:
            shared = _shared(x, pair, digits)
            value = None if shared is None else shared.at(x, digits)
        found[index] = hockey_stick_enclosure(x, *pair, digits=digits) if value is None else value
    return [found[index] for index in range(len(epsilons))]


@dataclass
class Shared:
    """A line with accuracy to spare, for `x` up to `last`, at `bits` of precision; `served` once it gave a value."""

    line: Line
    last: Fraction
    bits: int
    served: bool = False

    def at(self, x: Fraction, digits: int) -> Enclosure | None:
        """Return the enclosure at `x`, None where it is not tight."""
        with precision(self.bits):
            value = self.line.at(x)
            if missing_bits(value, digits) > 0:
                return None
            self.served = True
            return as_probability(value)


def _shared(first: Fraction, pair: Pair, digits: int) -> Shared | None:
    """Return a line for values from `first` on, None where values are to be computed one by one."""
    if _beyond_the_range(first, pair, Quantity.HOCKEY_STICK, 1) is not None:
        return None
    nats = _with_reach(digits * math.log(10) + _GUARD_NATS + 1)
    near = lay(*pair, first, Quantity.HOCKEY_STICK, nats)
    if near is None:
        return None
    reach = Fraction(_REACH * near.deviation)
    origin = first + reach
    laid = lay(*pair, origin, Quantity.HOCKEY_STICK, nats)
    bits = _bits(laid, _GUARD_BITS)
    if laid is None or bits > MAXIMUM_BITS or not decays(origin, *pair):
        return None
    with precision(bits):
        return Shared(Line(*pair, origin, laid, Quantity.HOCKEY_STICK), origin + reach, bits)


def _with_reach(needed: float) -> float:
    """Return the nats to aim at near the middle of a shared line so that `needed` are left at its ends.

    The rule's error grows by exp(p |x - origin| / sigma^2), p = sqrt(2 nats) sigma, up to |x - origin| = 1.5 sigma.
    """
    return (_REACH / math.sqrt(2) + math.sqrt(_REACH**2 / 2 + needed)) ** 2


def _trivial(x: Fraction, quantity: Quantity) -> Enclosure:
    """Return what holds for every pair: `H >= 1 - e^x`, and all are probabilities."""
    one = Enclosure(Fraction(0), Fraction(1))
    if x >= 0 or quantity not in (Quantity.HOCKEY_STICK, Quantity.COMPLEMENT):
        return one
    with precision(64):
        if quantity is Quantity.HOCKEY_STICK:
            return Enclosure(as_probability(-ball(x).expm1()).lower, one.upper)
        return Enclosure(one.lower, as_probability(ball(x).exp()).upper)
