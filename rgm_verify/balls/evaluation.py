"""Programs as functions of balls: straight-line code that is assembled from checked operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from flint import arb

from rgm_verify.balls.arithmetic import (
    CONSTANTS,
    ball,
    clamp,
    gamma_lower,
    gamma_upper,
    log_moment,
    needed_operations,
    power,
    root_from_zero,
    sign_ball,
)
from rgm_verify.balls.paths import integral_between
from rgm_verify.balls.program import SIGNATURES, Op, Program
from rgm_verify.terms import table

__all__ = ["compile_balls"]

# How an operation is written in the generated source: {0}, {1} are its operands.
TEMPLATES: dict[str, str] = {
    "add": "{0} + {1}", "sub": "{0} - {1}", "mul": "{0} * {1}", "div": "{0} / {1}", "neg": "-{0}",
    "min": "{0}.min({1})", "max": "{0}.max({1})", "gpow": "exp_log({0}, {1})", "sqrt": "{0}.sqrt()",
    "pow": "power({0}, {1})", "root": "root({0}, {1})", "logrem": "log_moment({0}, {1}, {2})",
    "integral": "integral({0}, {1}, {2})",
    **{row.op: row.arb or "{0}." + row.op + "()" for row in table.FUNCTIONS if row.op},
}  # fmt: skip


def _exp_log(base: arb, exponent: arb) -> arb:
    """Return base ** exponent for a positive base."""
    return (exponent * base.log()).exp()


def _trigamma(value: arb) -> arb:
    """Return the derivative of the digamma function at a positive number, NaN where the ball reaches 0."""
    return arb(2).zeta(value) if value > 0 else arb.nan()


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
        "zero": arb(0), "clamp": clamp, "power": power,
        "root": root_from_zero, "log_moment": log_moment, "sign": sign_ball, "abs": abs,
        "gamma_upper": gamma_upper, "gamma_lower": gamma_lower, "exp_log": _exp_log,
        "trigamma": _trigamma, "integral": integral_between, **constants,
    }  # fmt: skip
    # Straight-line code runs several times as fast as a loop over operations, and a search runs it millions of times.
    exec(source, space)  # the source is assembled from checked operations only
    function: Callable[..., tuple[arb, ...]] = space["evaluate"]
    return function


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
