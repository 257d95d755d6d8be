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
from typing import Any

from flint import arb, ctx, fmpq

from rgm_verify.balls.program import SIGNATURES, Op, Program

__all__ = [
    "ball",
    "compile_balls",
    "exact",
    "log_moment",
    "lower_end",
    "needed_operations",
    "precision",
    "rational_ends",
]


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


def _clamp(square: arb) -> arb:
    """Return the ball cut at 0: an even power is never negative although its ball may reach below."""
    return square if square >= 0 else square.nonnegative_part()


def _power(base: arb, exponent: int) -> arb:
    """Return base ** exponent, exponent >= 1, never below 0 when the exponent is even.

    A product of a ball with itself does not know that both factors are one number, and may reach below 0.
    """
    # Squares and cubes by products: they are the usual powers, and Arb's general one takes longer.
    if exponent == 2:
        return _clamp(base * base)
    if exponent == 3:
        return base * base * base
    # Arb has no power of a ball around 0 itself.
    # The radius' power, rounded up, bounds every value on either side of 0.
    found = arb(0, (base.rad() ** exponent).upper()) if base.mid().is_zero() else base**exponent
    return _clamp(found) if exponent % 2 == 0 else found


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


def _sign(value: arb) -> arb:
    """Return the sign, the whole of [-1, 1] when the ball holds 0: the generalised gradient of |x| at its kink."""
    return value.sgn() if value > 0 or value < 0 else arb(0, 1)


def _gamma_upper(order: arb, argument: arb) -> arb:
    """Return the upper incomplete gamma function, operands in the order of the program's format."""
    return argument.gamma_upper(order)


def _gamma_lower(order: arb, argument: arb) -> arb:
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


# How an operation is written in the generated source: {0}, {1} are its operands.
TEMPLATES: dict[str, str] = {
    "add": "{0} + {1}", "sub": "{0} - {1}", "mul": "{0} * {1}", "div": "{0} / {1}", "neg": "-{0}",
    "min": "{0}.min({1})", "max": "{0}.max({1})", "gpow": "exp_log({0}, {1})", "abs": "abs({0})",
    "pow": "power({0}, {1})", "root": "root({0}, {1})", "logrem": "log_moment({0}, {1}, {2})", "sgn": "sign({0})",
    "uppergamma": "gamma_upper({0}, {1})", "lowergamma": "gamma_lower({0}, {1})",
    **{name: "{0}." + name + "()" for name in (
        "sqrt", "exp", "log", "sin", "cos", "sinh", "cosh", "tanh", "erf", "erfc", "gamma", "lgamma", "digamma",
        "asin", "acos", "atan", "asinh", "acosh", "atanh", "erfi", "erfinv", "erfcinv", "floor", "ceil")},
    "lambertw": "{0}.lambertw()", "trigamma": "trigamma({0})", "integral": "integral({0}, {1}, {2})",
}  # fmt: skip


#: Constants by name, at the precision in force.
CONSTANTS: dict[str, Callable[[], arb]] = {"pi": arb.pi, "e": arb.const_e, "euler": arb.const_euler}


def _exp_log(base: arb, exponent: arb) -> arb:
    """Return base ** exponent for a positive base."""
    return (exponent * base.log()).exp()


def _trigamma(value: arb) -> arb:
    """Return the derivative of the digamma function at a positive number, NaN where the ball reaches 0."""
    return arb(2).zeta(value) if value > 0 else arb.nan()


def _integral(integrand: Program, lower: arb, upper: arb) -> arb:
    """Return the integral of a program in its only variable between two balls."""
    from rgm_verify.balls.integrate import integral_between  # which needs this module

    return integral_between(integrand, lower, upper)


def line(number: int, op: Op, kinds: str) -> str:
    """Return the source line that computes value `number`; variables and constants are arguments, not lines."""
    if op[0] == "pow" and op[2] == 2:
        # Inlined: the square is the most common power, and the call costs more than the product.
        return f"v{number} = v{op[1]} * v{op[1]}\n    if not v{number} >= zero: v{number} = clamp(v{number})"
    names = {"i": "v{0}", "p": f"p{number}"}
    operands = [names.get(kind, "{0}").format(operand) for kind, operand in zip(kinds, op[1:], strict=True)]
    return f"v{number} = " + TEMPLATES[op[0]].format(*operands)


def compile_balls(program: Program, outputs: Sequence[int] | None = None) -> Callable[..., tuple[arb, ...]]:
    """Return a function of one ball per name to the tuple of output balls, at the precision now in force.

    The constants are enclosed at the precision of this moment, so a function is made anew for each precision. Only the
    operations that the outputs need are executed.

    Args:
        program: a checked program; its operations become source code, so an unchecked one must not come here.
        outputs: numbers of operations, those of the program unless given.

    Returns:
        A function of `len(program.names)` balls. A value outside of a domain makes NaN, never an exception.
    """
    wanted = tuple(program.outputs if outputs is None else outputs)
    needed = needed_operations(program, wanted)
    source, constants = _source(program, wanted, needed)
    space: dict[str, Any] = {
        "zero": arb(0), "clamp": _clamp, "power": _power,
        "root": root_from_zero, "log_moment": log_moment, "sign": _sign, "abs": abs,
        "gamma_upper": _gamma_upper, "gamma_lower": _gamma_lower, "exp_log": _exp_log,
        "trigamma": _trigamma, "integral": _integral, **constants,
    }  # fmt: skip
    # Straight-line code runs several times as fast as a loop over operations, and a search runs it millions of times.
    exec(source, space)  # the source is assembled from checked operations only
    function: Callable[..., tuple[arb, ...]] = space["evaluate"]
    return function


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


def _source(program: Program, outputs: Sequence[int], needed: Sequence[int]) -> tuple[str, dict[str, Any]]:
    """Return the source of the evaluating function, the balls of its constants and the programs of its integrands.

    Constants and programs of integrands are globals of the source, since balls have no text that gives them back.
    """
    constants: dict[str, Any] = {}
    lines: list[str] = []
    for number in needed:
        op = program.ops[number]
        if op[0] == "const":
            constants[f"v{number}"] = ball(Fraction(op[1]))
        elif op[0] in CONSTANTS:
            constants[f"v{number}"] = CONSTANTS[op[0]]()
        elif op[0] == "var":
            lines.append(f"v{number} = x{op[1]}")
        else:
            if "p" in SIGNATURES[op[0]]:
                constants[f"p{number}"] = op[1]
            lines.append(line(number, op, SIGNATURES[op[0]]))
    # Every name is an argument, used or not: callers pass a ball for each.
    arguments = ", ".join(f"x{index}" for index in range(len(program.names)))
    results = ", ".join(f"v{output}" for output in outputs)
    lines.append(f"return ({results},)" if outputs else "return ()")
    return f"def evaluate({arguments}):\n    " + "\n    ".join(lines) + "\n", constants
