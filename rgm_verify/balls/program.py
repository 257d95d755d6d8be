"""Straight-line programs: the operations that the ball arithmetic executes.

A program has names, operations and outputs.  Operation number k (from 0)
defines the value v_k from earlier values only; `outputs` lists the numbers of the values that the program returns.
`i`, `j` below are numbers of earlier operations; n, q, a, b are positive integers.

    ["var", k]          the k-th name                 ["const", "p/q"]     an exact rational, "p" when q = 1
    ["pi"]  ["e"]       the two constants             ["neg", i]           -v_i
    ["add", i, j]       v_i + v_j                     ["sub", i, j]        v_i - v_j
    ["mul", i, j]       v_i * v_j                     ["div", i, j]        v_i / v_j
    ["pow", i, n]       v_i ** n, n >= 2              ["root", i, q]       v_i ** (1/q), q >= 3, v_i >= 0
    ["sqrt", i]         v_i ** (1/2), v_i >= 0        ["gpow", i, j]       v_i ** v_j = exp(v_j log v_i), v_i > 0
    ["exp", i]  ["log", i]  ["sin", i]  ["cos", i]  ["sinh", i]  ["cosh", i]  ["tanh", i]  ["erf", i]  ["erfc", i]
    ["gamma", i]  ["lgamma", i]  ["digamma", i]       Gamma(v_i), log Gamma(v_i), (log Gamma)'(v_i)
    ["abs", i]  ["sgn", i]                            |v_i|, the sign of v_i (any of [-1, 1] at v_i = 0)
    ["min", i, j]  ["max", i, j]                      the smaller, the larger of the two
    ["uppergamma", i, j]  ["lowergamma", i, j]        incomplete gamma functions, order v_i, argument v_j
    ["logrem", a, b, i] integral_0^1 s^(a-1) / (1 + s v_i)^b ds, v_i > -1; LogRemainder(n, x) is (n, 1)

    ["asin", i]  ["acos", i]  ["atan", i]  ["asinh", i]  ["acosh", i]  ["atanh", i]  ["erfi", i]  ["erfinv", i]
    ["erfcinv", i]  ["lambertw", i]  ["floor", i]  ["ceil", i]  ["trigamma", i]      (log Gamma)''(v_i), v_i > 0
    ["zeta", i]         Riemann's function, v_i != 1
    ["euler"]           Euler's constant

    ["integral", P, i, j]  the integral of the first output of the program P in its only variable, from v_i to v_j

A value outside the domain of its operation makes the whole evaluation indeterminate.  No two operations are equal, so
common subexpressions are evaluated once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rgm_verify.terms import table

__all__ = ["INTEGRAL_BITS", "Program", "UnsupportedExpression"]

#: A finer enclosure of an integral than of so many bits takes long, and tells no more.
INTEGRAL_BITS = 256
Op = tuple[Any, ...]

# The kind of each operand: "i" an earlier value, "n" a positive integer, "v" a variable, "q" a rational in text, "p" a
# program.
SIGNATURES: dict[str, str] = {
    "var": "v", "const": "q", "pi": "", "e": "", "neg": "i",
    "add": "ii", "sub": "ii", "mul": "ii", "div": "ii", "min": "ii", "max": "ii", "gpow": "ii",
    "pow": "in", "root": "in", "logrem": "nni", "integral": "pii", "euler": "", "sqrt": "i",
    **{row.op: "i" * row.count[0] for row in table.FUNCTIONS if row.op},
}  # fmt: skip


#: Longer numbers cannot be written as decimal texts (Python stops at 4300 digits).
_LONGEST_CONSTANT = 14_000


class UnsupportedExpression(ValueError):
    """An expression holds a symbol, a constant or a function that no ball program can evaluate."""


@dataclass(frozen=True)
class Program:
    """A straight-line program over named real variables, in the format of the module docstring; exact.

    Attributes:
        names: the variables, distinct.
        ops: the operations, each of earlier values.
        outputs: the numbers of the values that the program returns.
    """

    names: tuple[str, ...]
    ops: tuple[Op, ...]
    outputs: tuple[int, ...]

    def useful_bits(self, most: int) -> int:
        """The precision up to `most` beyond which no value becomes narrower: an integral is computed to so many bits.

        Args:
            most: A working precision in bits.
        """
        return min(most, INTEGRAL_BITS) if any(op[0] == "integral" for op in self.ops) else most


@dataclass
class Builder:
    """Collects operations, giving equal operations one number: a common subexpression is evaluated once."""

    ops: list[Op] = field(default_factory=list)
    numbers: dict[Op, int] = field(default_factory=dict)

    def emit(self, *op: Any) -> int:
        """Return the number of the operation, adding it when it is new."""
        # Equal operations have equal operands, so that a dictionary finds what was computed before.
        if op not in self.numbers:
            self.numbers[op] = len(self.ops)
            self.ops.append(op)
        return self.numbers[op]

    def constant(self, value: Fraction | int) -> int:
        """Return the number of an exact rational constant."""
        number = Fraction(value)
        # Looked at before it is written: a decimal text of so many digits takes quadratic time.
        if max(abs(number.numerator), number.denominator).bit_length() > _LONGEST_CONSTANT:
            raise UnsupportedExpression(f"a constant has more than {_LONGEST_CONSTANT} bits; keep it as a power")
        return self.emit("const", str(number))

    def power(self, base: int, exponent: int) -> int:
        """Return the number of base ** exponent for an integer exponent >= 1."""
        return base if exponent == 1 else self.emit("pow", base, exponent)

    def times(self, left: int, right: int) -> int:
        """Return the number of a product, leaving out a factor that is the constant 1."""
        # Derivatives are full of factors 1, which would double the length of a gradient.
        for factor, other in ((left, right), (right, left)):
            if self.ops[factor] == ("const", "1"):
                return other
        return self.emit("mul", left, right)

    def product(self, factors: Sequence[int]) -> int:
        """Return the number of the product of the factors (1 when there are none), left to right."""
        if not factors:
            return self.constant(1)
        total = factors[0]
        for factor in factors[1:]:
            total = self.emit("mul", total, factor)
        return total


def trimmed(program: Program) -> Program:
    """Return the program without the operations that its first output does not use.

    Repeated differentiation would otherwise carry all operations of all lower orders along.
    """
    # From the output backwards, as operations use earlier ones alone.
    used = {program.outputs[0]}
    for number in range(program.outputs[0], -1, -1):
        if number in used:
            op = program.ops[number]
            used.update(o for kind, o in zip(SIGNATURES[op[0]], op[1:], strict=True) if kind == "i")
    places = {number: place for place, number in enumerate(sorted(used))}
    ops = tuple(
        (op[0], *(places[o] if kind == "i" else o for kind, o in zip(SIGNATURES[op[0]], op[1:], strict=True)))
        for op in (program.ops[number] for number in sorted(used))
    )
    return Program(program.names, ops, (places[program.outputs[0]],))
