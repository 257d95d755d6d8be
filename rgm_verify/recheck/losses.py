"""Discrete privacy losses whose masses are whole numbers of units, and their sums over many releases, exactly rounded.

A loss has the mass `masses[k] / 10^digits` at `(first + k) h` and the mass `infinite / 10^digits` at infinity. Its
curve at `eps` is `infinite + sum_i p_i (1 - e^(eps - i h))_+`, which grows with every mass and every loss. So a mass
that is rounded up or moved to a greater loss only lifts the curve, and one that is rounded down, moved to a lesser loss
or left out lowers it.

The sum of two losses is a product of polynomials. It is one product of two long whole numbers whose digits are the
masses, with room between them (Kronecker substitution), by the exact `decimal` arithmetic of Python's library. A fast
Fourier transform is quicker, and the accountant uses one; here its rounding errors would need an argument of their own.
"""

from __future__ import annotations

import decimal
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rgm_verify.recheck.fixed import Fixed, up
from rgm_verify.recheck.refusal import Refused

MOST_DIGITS = 40_000_000
"""Of one factor; a product of that size takes about ten seconds."""


@dataclass(frozen=True)
class Loss:
    """Masses in units of `10^-digits`, rounded up if `upper` and down else; `infinite` is 0 from below.

    `first` is the place of `masses[0]`; the width of a place is known to the caller alone. Masses from above may add up
    to more than 1, from below to less. Two losses are only summed with equal `digits` and on the same side.
    """

    first: int
    masses: list[int]
    infinite: int
    digits: int
    upper: bool

    @property
    def unit(self) -> int:
        """The number 1 in these units."""
        return int(10**self.digits)

    def trimmed(self, cut: int) -> Loss:
        """Return the loss without ends of at most `cut` units each, which go where the curve stays on its side.

        From above the left end moves right and the right end to infinity; from below the right end moves left and the
        left end is dropped. Without this a sum over many releases would get longer with every one.

        Examples:
            >>> Loss(0, [1, 998, 1], 0, 3, upper=True).trimmed(1)
            Loss(first=1, masses=[999], infinite=1, digits=3, upper=True)
            >>> Loss(0, [1, 998, 1], 0, 3, upper=False).trimmed(1)
            Loss(first=1, masses=[999], infinite=0, digits=3, upper=False)
        """
        start, total = 0, 0
        while start < len(self.masses) - 1 and total + self.masses[start] <= cut:
            total += self.masses[start]
            start += 1
        end, above = len(self.masses), 0
        while end > start + 1 and above + self.masses[end - 1] <= cut:
            above += self.masses[end - 1]
            end -= 1
        kept = self.masses[start:end]
        if self.upper:
            kept[0] += total
            return Loss(self.first + start, kept, self.infinite + above, self.digits, True)
        kept[-1] += above
        return Loss(self.first + start, kept, 0, self.digits, False)


def summed(x: Loss, y: Loss) -> Loss:
    """Return the loss of two releases, one after the other; raises `Refused` for what is too long.

    It is exact but for one rounding of each mass, to the side of the losses. A half each of 0 and 1, twice:

    Examples:
        >>> coin = Loss(0, [500, 500], 0, 3, upper=False)
        >>> summed(coin, coin).masses
        [250, 500, 250]
    """
    one, digits = x.unit, x.digits
    size_x, size_y = sum(x.masses), sum(y.masses)
    # With at most 2 on either side a coefficient is at most 4 * 10^(2 digits), which fits the width below.
    if max(size_x + x.infinite, size_y + y.infinite) > 2 * one:
        raise Refused("masses that add up to more than 2")
    width = 2 * digits + 1
    if max(len(x.masses), len(y.masses)) * width > MOST_DIGITS:
        raise Refused(f"a convolution of more than {MOST_DIGITS} digits: the grid is too fine")
    count = len(x.masses) + len(y.masses) - 1
    text = _product(x.masses, y.masses, width, count)
    # What is cut off is less than a unit.
    more = 1 if x.upper else 0
    masses = [int(text[k : k + digits + 1]) + more for k in range(0, count * width, width)]
    infinite = up(x.infinite * (size_y + y.infinite) + size_x * y.infinite, one) if x.upper else 0
    return Loss(x.first + y.first, masses, infinite, digits, x.upper)


def _product(x: Sequence[int], y: Sequence[int], width: int, count: int) -> str:
    """Return the coefficients of a product of polynomials, each as `width` digits.

    There are `count` of them, in the order of the factors. A coefficient that needed more
    than `width` digits would spill into its neighbour: the caller makes sure that none does.
    """
    # The trap makes an arithmetic that had to round an error: a product is exact or it is none.
    context = decimal.Context(
        prec=max(1, count * width), Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN, traps=[decimal.Inexact]
    )
    left, right = (decimal.Decimal("".join(f"{value:0{width}d}" for value in part)) for part in (x, y))
    return format(context.multiply(left, right), "f").zfill(count * width)


def power(loss: Loss, times: int, cut: int) -> Loss:
    """Return the loss of `times >= 1` equal releases; ends of at most `cut` units are moved after each sum.

    Squaring takes about `2 log2(times)` sums.
    """
    start = loss.trimmed(cut)
    found = start
    for bit in bin(times)[3:]:
        found = summed(found, found).trimmed(cut)
        if bit == "1":
            found = summed(found, start).trimmed(cut)
    return found


def delta(loss: Loss, level: Fraction, step: Fraction) -> int:
    """Return a bound of the curve at `level`, on the side of the loss, in its units.

    `level` is an epsilon of any sign, `step` the width of a place; both are exact. An upper bound for losses from
    above, a lower one for those from below.
    """
    bits = 10 * loss.digits // 3 + 64
    arithmetic = Fixed(bits)
    # Losses up to the level add nothing to the curve.
    place = max(loss.first, level // step + 1)
    # `e^(level - i h)`, too small from above and too large from below.
    # One exponential, and then products: an exponential for each place would cost far more than the sum.
    side = 0 if loss.upper else 1
    weight = arithmetic.exp(arithmetic.of(level - place * step))[side]
    ratio = arithmetic.exp(arithmetic.of(-step))[side]
    total = loss.infinite << bits
    for mass in loss.masses[max(0, place - loss.first) :]:
        total += mass * max(0, arithmetic.one - weight)
        weight = weight * ratio >> bits if loss.upper else -(-weight * ratio >> bits)
    return -(-total >> bits) if loss.upper else total >> bits
