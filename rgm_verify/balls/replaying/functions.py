"""The replayer's own ball functions: nothing but flint, and no code of the search.

Each has a twin in `arithmetic`, written apart: a mistake there would have to be made twice to pass. All of them
enclose: the result holds the function's value at every point of the argument balls, and is NaN where some point may
have none.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction

from flint import arb, ctx, fmpq

__all__ = ["ball", "even", "incomplete_gamma", "moment", "power", "root", "sign", "trigamma", "working_at"]


@contextmanager
def working_at(bits: int) -> Iterator[None]:
    """Work at `bits` bits inside the block; not thread-safe."""
    before = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = before


def ball(value: Fraction) -> arb:
    """Return a ball around a rational, exact where it fits."""
    return arb(fmpq(value.numerator, value.denominator))


def even(value: arb) -> arb:
    """Return the ball of an even power, cut at 0."""
    return value.nonnegative_part()


def power(base: arb, n: int) -> arb:
    """Return base ** n for n >= 1, never below 0 when n is even.

    Args:
        base: any ball.
        n: the exponent, >= 1.
    """
    if n < 4:
        found = base * base if n == 2 else base * base * base if n == 3 else base
    else:
        # Arb has no power of a ball around 0 itself.
        found = arb(0, (base.rad() ** n).upper()) if base.mid().is_zero() else base**n
    return found if n % 2 else even(found)


def root(base: arb, order: int) -> arb:
    """Return base ** (1/order) for a base >= 0, which may touch 0; NaN for one that reaches below."""
    if base.is_zero():
        return base
    if base > 0 or not base >= 0:
        return base.root(order)
    top = base.upper()
    # Arb has no cube root of 0.
    return arb(0, top.root(order).upper()).nonnegative_part() if top > 0 else top


def sign(value: arb) -> arb:
    """Return the sign, all of [-1, 1] for a ball that holds 0; NaN where there may be no value."""
    if value.is_nan():
        return value
    return arb(1) if value > 0 else arb(-1) if value < 0 else arb(0, 1)


def trigamma(value: arb) -> arb:
    """Return the derivative of the digamma function, falling on the positive numbers; NaN where the ball reaches 0."""
    if not (value > 0 and value.is_finite()):
        return arb.nan()
    # Its values at both ends enclose those of a wide ball, by Hurwitz's zeta function at 2.
    right = arb(2).zeta(value.upper())
    return right if value.is_exact() else right.union(arb(2).zeta(value.lower()))


def incomplete_gamma(order: arb, argument: arb, upper: bool) -> arb:
    """Return the upper or lower incomplete gamma function; NaN for large arguments, where Arb may take minutes."""
    # Within these Arb answers at once; a stranger's document must not choose how long it thinks.
    largest = 2**12 if upper else 2**6
    if not (abs(order) < largest and abs(argument) < largest):
        return arb.nan()
    return argument.gamma_upper(order) if upper else argument.gamma_lower(order)


def moment(a: int, b: int, x: arb) -> arb:
    """Return an enclosure of integral_0^1 s^(a-1) / (1 + s x)^b ds, a decreasing function of x > -1.

    Args:
        a: an integer >= 1.
        b: an integer >= 1.
        x: a ball; NaN comes out unless all of it lies above -1.
    """
    if not (x > -1 and x.is_finite()):
        return arb.nan()
    # It decreases, so that its values at the two ends span those in between.
    right = _moment_at(a, b, x.upper())
    return right if x.is_exact() else right.union(_moment_at(a, b, x.lower()))


def _moment_at(a: int, b: int, x: arb) -> arb:
    """Return the moment at an exact point, with as many extra bits as the divisions by x will lose.

    Close to 0 its value there is taken, with a bound of what it changes by: the divisions would take more bits than
    there are.
    """
    if x.is_zero():
        return ball(Fraction(1, a))
    mantissa, exponent = x.man_exp()
    # The binary logarithm of x, exact enough for counting bits.
    size = int(mantissa).bit_length() + int(exponent)
    if size < -ctx.prec:
        # |moment'| <= b 2^(b+1) / (a+1) for |x| <= 1/2: at such a small x the value at 0 is as good as any.
        return ball(Fraction(1, a)) + arb(0, (abs(x) * b * 2 ** (b + 1)).upper())
    if a == b == 1:
        return x.log1p() / x
    # Each division by x of a difference loses the bits that x is below 1.
    with working_at(ctx.prec + 8 + (a + b) * max(1, 2 - size)):
        return _recurrence(a, b, x)


def _recurrence(a: int, b: int, x: arb) -> arb:
    """Return the moment by integration by parts, each pair (a, b) once.

    In rising order of both, so that every step finds what it needs.
    """
    known: dict[tuple[int, int], arb] = {}
    for order in range(1, b + 1):
        first = x.log1p() / x if order == 1 else (1 - (1 + x) ** (1 - order)) / (x * (order - 1))
        known[1, order] = first
        for n in range(2, a + 1):
            below = ball(Fraction(1, n - 1)) if order == 1 else known[n - 1, order - 1]
            known[n, order] = (below - known[n - 1, order]) / x
    return known[a, b]
