"""Exact evaluation: a program at a rational point, wherever every step of it stays rational.

Ball arithmetic can never see that two sides meet exactly at a point such as 6/5, which is not a binary fraction.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from flint import fmpq, fmpz

from rgm_verify.balls.program import Program
from rgm_verify.terms import table

# Beyond these the exact number is longer than any use of it; balls take over.
_LARGEST_POWER = 4096
_LARGEST_GAMMA = 400


def exact_value(program: Program, values: Sequence[Fraction]) -> Fraction | None:
    """Return the exact first output of the program, or None where it is not seen to be rational.

    Roots of squares, log(1), exp(0) and the like count as rational. None says nothing about the value: it may be
    rational all the same.

    Args:
        program: a checked program.
        values: one rational for each of its names.
    """
    point = [fmpq(v.numerator, v.denominator) for v in values]
    # None goes on through every operation that uses it, so that one irrational step decides all that rest on it.
    found: list[fmpq | None] = []
    for op in program.ops:
        found.append(_step(op, found, point))
    result = found[program.outputs[0]]
    return None if result is None else Fraction(int(result.p), int(result.q))


def _step(op: Sequence[Any], found: Sequence[fmpq | None], point: Sequence[fmpq]) -> fmpq | None:
    """Return the value of one operation, from the values of the earlier ones; None where it is not seen to be
    rational.
    """
    name = op[0]
    if name == "var":
        place: int = op[1]
        return point[place]
    if name == "const":
        value = Fraction(op[1])
        return fmpq(value.numerator, value.denominator)
    if name in _BINARY:
        left, right = found[op[1]], found[op[2]]
        return None if left is None or right is None else _BINARY[name](left, right)
    if name in _UNARY:
        operand = found[op[1]]
        return None if operand is None else _UNARY[name](operand)
    if name in ("pow", "root"):
        operand = found[op[1]]
        return None if operand is None else _raise(name, operand, op[2])
    if name == "logrem":
        argument = found[op[3]]
        return fmpq(1, op[1]) if argument is not None and argument == 0 else None
    return None


def _raise(name: str, base: fmpq, n: int) -> fmpq | None:
    """Return a power or a root, None where it is irrational or would be too long to be worth it."""
    if name == "root":
        return _root(base, n)
    if n > _LARGEST_POWER:
        return None
    power: fmpq = base**n
    return power


def _root(value: fmpq, order: int = 2) -> fmpq | None:
    """Return a root of a rational that is a perfect power, None of any other and of negative numbers."""
    # An odd root of a negative number is not what SymPy means by it either.
    if value < 0:
        return None
    top, bottom = fmpz(value.p).root(order), fmpz(value.q).root(order)
    return fmpq(top, bottom) if top**order == value.p and bottom**order == value.q else None


def _factorial(value: fmpq) -> fmpq | None:
    """Return Gamma at a positive integer, as long as it can be written out."""
    return fmpq(fmpz(math.factorial(int(value.p) - 1))) if value.q == 1 and 1 <= value <= _LARGEST_GAMMA else None


def _only_at(place: int, value: int) -> Callable[[fmpq], fmpq | None]:
    """Return a function that is known at one place alone, where its value is an integer."""
    return lambda operand: fmpq(value) if operand == place else None


_BINARY: dict[str, Callable[[fmpq, fmpq], fmpq | None]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: None if y == 0 else x / y,
    "min": min,
    "max": max,
}
_UNARY: dict[str, Callable[[fmpq], fmpq | None]] = {
    **{row.op: _only_at(*row.at) for row in table.FUNCTIONS if row.at is not None},
    "neg": lambda x: -x,
    "abs": abs,
    "sqrt": _root,
    "gamma": _factorial,
    "lgamma": lambda x: fmpq(0) if x in (1, 2) else None,
    "floor": lambda x: fmpq(x.floor()),
    "ceil": lambda x: fmpq(x.ceil()),
}
