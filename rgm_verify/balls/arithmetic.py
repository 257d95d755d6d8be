"""Execution of straight-line programs in real balls, at a precision that is set and restored here.

Everything flint-typed stays below this module, `enclose`, `branch` and `integrate`; what they hand out is rational.
The precision of flint is one global of the process: none of this is safe in threads, work in processes.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction

from flint import arb, ctx, fmpq

from rgm_verify.balls.program import SIGNATURES, Program

__all__ = ["ball", "exact", "log_moment", "lower_end", "needed_operations", "precision", "rational_ends"]


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Work at `bits` bits inside the block and restore the ambient precision behind it; not thread-safe.

    Flint has one precision for the process, so that a block must not be left open across a `yield` to other code.
    Raises `ValueError` below 2 bits.
    """
    if bits < 2:
        raise ValueError(f"bits={bits}: the working precision must be >= 2")
    # Restored and not reset to a default: blocks may lie inside of one another.
    before = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = before


def ball(value: Fraction) -> arb:
    """Return a ball at the working precision that contains the rational `value`, exact where it fits.

    Args:
        value: any rational; one that is no binary fraction of so many bits gets a radius.
    """
    return arb(fmpq(value.numerator, value.denominator))


#: Binary digits before or behind the point that a rational number is written with; exp(-1e9) would take gigabytes.
_MOST_DIGITS = 2**20
#: Made once: a number of a million digits takes as long as many evaluations.
_LARGEST, _SMALLEST = Fraction(2**_MOST_DIGITS), Fraction(1, 2**_MOST_DIGITS)


def exact(value: arb) -> Fraction | None:
    """Return the rational that an exact ball is, None when it is infinite, NaN or too long to be written out.

    Args:
        value: a ball of radius 0, such as an end; of another ball only the middle is seen.
    """
    if not value.is_finite():
        return None
    mantissa, exponent = (int(part) for part in value.man_exp())
    # Python would write every digit: the guard comes before the power.
    if abs(exponent) > _MOST_DIGITS:
        return None
    return Fraction(mantissa * 2**exponent) if exponent >= 0 else Fraction(mantissa, 2**-exponent)


def rational_ends(value: arb) -> tuple[Fraction | None, Fraction | None]:
    """Return rationals (lower, upper) around the ball, rounded outward; None for an end that is unbounded.

    An end that is too long to be written out is moved outward to a power of two or to 0, or is unbounded.

    Args:
        value: any ball; NaN has no ends.
    """
    # One rule of rounding serves both ends, by reflection.
    return lower_end(value.lower()), _negated(lower_end(-value.upper()))


def _negated(value: Fraction | None) -> Fraction | None:
    """Return minus a number, None for None."""
    return None if value is None else -value


def lower_end(value: arb) -> Fraction | None:
    """Return a rational at most an exact ball, the ball itself where it can be written out; None: unbounded.

    A number too long to be written is moved down: a huge one to a power of two, a tiny positive one to 0, a tiny
    negative one to the negative of the smallest that is written.
    """
    found = exact(value)
    if found is not None or not value.is_finite():
        return found
    # Too long to be written: either far from 0 or close to it, and what is outward depends on which.
    huge = abs(value) > 1
    if value > 0:
        return _LARGEST if huge else Fraction(0)
    return None if huge else -_SMALLEST


def clamp(square: arb) -> arb:
    """Return the ball cut at 0: an even power is never negative although its ball may reach below."""
    return square if square >= 0 else square.nonnegative_part()


def power(base: arb, exponent: int) -> arb:
    """Return base ** exponent, exponent >= 1, never below 0 when the exponent is even.

    A product of a ball with itself does not know that both factors are one number, and may reach below 0.
    """
    # Squares and cubes by products: they are the usual powers, and Arb's general one takes longer.
    if exponent == 2:
        return clamp(base * base)
    if exponent == 3:
        return base * base * base
    # Arb has no power of a ball around 0 itself.
    # The radius' power, rounded up, bounds every value on either side of 0.
    found = arb(0, (base.rad() ** exponent).upper()) if base.mid().is_zero() else base**exponent
    return clamp(found) if exponent % 2 == 0 else found


def root_from_zero(base: arb, order: int) -> arb:
    """Return base ** (1/order) for a ball that may touch 0 from above; NaN for one that reaches below.

    Args:
        base: a ball that should lie in [0, oo).
        order: an integer >= 2.
    """
    if base.is_zero():
        return base
    if base > 0 or not base >= 0:
        return base.root(order)
    top = base.upper()
    # Arb has no cube root of 0.
    return arb(0, top.root(order).upper()).nonnegative_part() if top > 0 else top


def sign_ball(value: arb) -> arb:
    """Return the sign, the whole of [-1, 1] when the ball holds 0: the generalised gradient of |x| at its kink."""
    return value.sgn() if value > 0 or value < 0 else arb(0, 1)


def gamma_upper(order: arb, argument: arb) -> arb:
    """Return the upper incomplete gamma function, operands in the order of the program's format."""
    return argument.gamma_upper(order)


def gamma_lower(order: arb, argument: arb) -> arb:
    """Return the lower incomplete gamma function, operands in the order of the program's format."""
    return argument.gamma_lower(order)


def log_moment(a: int, b: int, x: arb) -> arb:
    """Return an enclosure of integral_0^1 s^(a-1) / (1 + s x)^b ds; indeterminate unless x > -1.

    The moment decreases in x, so its range over a ball is spanned by the values at the two ends. A ball put into the
    formulas themselves would widen at each step of the recurrence.

    Args:
        a: an integer >= 1.
        b: an integer >= 1.
        x: a ball; the whole of it has to lie above -1.
    """
    if not x > -1:
        return arb.nan()
    upper_end = _point_moment(a, b, x.upper())
    # An exact argument has one value; a union with itself would only be wider.
    return upper_end if x.is_exact() else upper_end.union(_point_moment(a, b, x.lower()))


def _point_moment(a: int, b: int, x: arb) -> arb:
    """Return an enclosure of the moment at an exact point: by series near 0, by recurrence elsewhere.

    Each step of the recurrence divides a difference by x, which costs log2(1/|x|) bits; the switch keeps the total
    near twenty bits.
    """
    steps = a + b - 2
    if x.is_zero():
        return ball(Fraction(1, a))
    if steps and abs(x) < _switch(steps):
        return _series_moment(a, b, x, max(2, 20 // steps))
    return _recurrence_moment(a, b, x)


@functools.lru_cache(maxsize=64)
def _switch(steps: int) -> arb:
    """Return the size of x below which the series is used, as a ball."""
    return arb(2) ** (-max(2, 20 // steps))


def _recurrence_moment(a: int, b: int, x: arb) -> arb:
    """Return the moment by a recurrence in both orders, from closed forms at order 1.

    Writing `s^(a-1) / (1 + s x)^b` as a difference of two moments of lower order, divided by x. It loses bits for small
    x, where `_point_moment` does not come here.
    """
    if b == 1:
        # `log1p` keeps its digits where 1 + x would have lost them.
        value = x.log1p() / x
        for n in range(1, a):
            # One step of integration by parts, from the order n to n + 1.
            value = (ball(Fraction(1, n)) - value) / x
        return value
    if a == 1:
        return (1 - 1 / (1 + x) ** (b - 1)) / (x * (b - 1))
    return (_recurrence_moment(a - 1, b - 1, x) - _recurrence_moment(a - 1, b, x)) / x


def _series_moment(a: int, b: int, x: arb, bits_per_term: int) -> arb:
    """Sum the power series with a geometric bound of its tail, for |x| < 2^-bits_per_term <= 1/4."""
    coefficients, last = _series_terms(a, b, ctx.prec, bits_per_term)
    # The ratio of the coefficients is close to 1, so that the powers of x decide how many are needed.
    minus_x = -x
    # Horner's scheme from the highest power down.
    total = coefficients[0]
    for coefficient in coefficients[1:]:
        total = total * minus_x + coefficient
    # Beyond the last term kept the ratio of successive terms is at most |x| (b + k) / (k + 1) <= 1/2.
    tail = 2 * last * abs(x) ** len(coefficients)
    return total + arb(0, tail.upper())


@functools.lru_cache(maxsize=256)
def _series_terms(a: int, b: int, bits: int, bits_per_term: int) -> tuple[tuple[arb, ...], arb]:
    """Return the coefficients, highest first, and that of the first term left out; from there (b + k)/(k + 1) <= 2."""
    count = max(bits // bits_per_term + 2, b + 1)
    values = [ball(Fraction(math.comb(b + k - 1, k), a + k)) for k in range(count + 1)]
    return tuple(reversed(values[:count])), values[count]


#: Constants by name, at the precision in force.
CONSTANTS: dict[str, Callable[[], arb]] = {"pi": arb.pi, "e": arb.const_e, "euler": arb.const_euler}


def needed_operations(program: Program, outputs: Sequence[int]) -> list[int]:
    """Return the numbers of the operations that the outputs depend on, in order.

    A program of a claim holds all of its formulas; a search evaluates one at a time.
    """
    # Backwards: an operation uses earlier ones only.
    needed = set(outputs)
    for number in range(len(program.ops) - 1, -1, -1):
        if number in needed:
            op = program.ops[number]
            needed.update(part for kind, part in zip(SIGNATURES[op[0]], op[1:], strict=True) if kind == "i")
    return sorted(needed)
