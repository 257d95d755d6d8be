"""Programs of a certificate as functions of balls: values, and slopes beside them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from flint import arb, ctx

from rgm_verify.balls.replaying.functions import ball, even, incomplete_gamma, moment, power, root, sign, trigamma

__all__ = ["OPERANDS", "NoDerivative", "assemble", "widest_ball"]

# Operands by operation: i an earlier value, n a positive integer, v a variable, q a rational.
OPERANDS = {
    "var": "v", "const": "q", "pi": "", "e": "", "neg": "i", "add": "ii", "sub": "ii", "mul": "ii", "div": "ii",
    "min": "ii", "max": "ii", "gpow": "ii", "uppergamma": "ii", "lowergamma": "ii", "pow": "in", "root": "in",
    "logrem": "nni", "sqrt": "i", "exp": "i", "log": "i", "sin": "i", "cos": "i", "sinh": "i", "cosh": "i",
    "tanh": "i", "erf": "i", "erfc": "i", "gamma": "i", "lgamma": "i", "digamma": "i", "abs": "i", "sgn": "i",
    "asin": "i", "acos": "i", "atan": "i", "asinh": "i", "acosh": "i", "atanh": "i", "erfi": "i", "erfinv": "i",
    "erfcinv": "i", "lambertw": "i", "floor": "i", "ceil": "i", "trigamma": "i", "euler": "",
}  # fmt: skip


CONSTANTS: dict[str, Callable[[], arb]] = {"pi": arb.pi, "e": arb.const_e, "euler": arb.const_euler}


INFIX = {"add": "+", "sub": "-", "mul": "*", "div": "/"}


def _space() -> dict[str, Any]:
    """Return the names that generated source may use."""
    return {
        "one": arb(1), "zero": arb(0), "half": arb(0.5), "abs": abs, "even": even, "power": power,
        "root": root, "sign": sign, "moment": moment, "trigamma": trigamma,
        "incomplete_gamma": incomplete_gamma, "number": _number, "two_by_root_pi": 2 / arb.pi().sqrt(),
    }  # fmt: skip


@functools.lru_cache(maxsize=512)
def _number_at(value: int, bits: int) -> arb:
    """Return an integer as a ball; kept by the precision as well, since a ball belongs to one."""
    return arb(value)


def _number(value: int) -> arb:
    """Return an integer as a ball at the precision in force."""
    return _number_at(value, ctx.prec)


def _value_source(op: Sequence[Any]) -> str:
    """Return the source of the value of one operation (not a variable or constant).

    It is written apart from the code that made the certificate, so that a mistake there is not repeated here.
    """
    name = op[0]
    if name == "logrem":
        return f"moment({op[1]}, {op[2]}, v{op[3]})"
    x = f"v{op[1]}"
    if name in INFIX:
        return f"{x} {INFIX[name]} v{op[2]}"
    if name in ("pow", "root"):
        return f"power({x}, {op[2]})" if name == "pow" else f"root({x}, {op[2]})"
    if name in ("min", "max"):
        return f"{x}.{name}(v{op[2]})"
    if name == "gpow":
        return f"(v{op[2]} * {x}.log()).exp()"
    if name in ("uppergamma", "lowergamma"):
        return f"incomplete_gamma({x}, v{op[2]}, {name == 'uppergamma'})"
    own = {"neg": f"-{x}", "abs": f"abs({x})", "sgn": f"sign({x})", "trigamma": f"trigamma({x})"}
    return own.get(name, f"{x}.{name}()")


def slope_source(v: str, op: Sequence[Any]) -> str | None:
    """Return the source of f'(x) for v = f(x), None when it is not known.

    Functions whose derivative is a quotient (logarithms, roots) have their place in `_tangent_source`.
    """
    name = op[0]
    if name == "logrem":
        return f"number({-op[2]}) * moment({op[1] + 1}, {op[2] + 1}, v{op[3]})"
    x = f"v{op[1]}"
    if name == "pow":
        return f"number({op[2]}) * " + (x if op[2] == 2 else f"power({x}, {op[2] - 1})") if op[2] > 1 else "one"
    return {
        "exp": v, "sin": f"{x}.cos()", "cos": f"-{x}.sin()", "sinh": f"{x}.cosh()", "cosh": f"{x}.sinh()",
        "tanh": f"one - even({v} * {v})", "gamma": f"{v} * {x}.digamma()", "lgamma": f"{x}.digamma()",
        "abs": f"sign({x})", "erf": f"two_by_root_pi * (-even({x} * {x})).exp()",
        "erfc": f"-two_by_root_pi * (-even({x} * {x})).exp()", "digamma": f"trigamma({x})",
        "atan": f"one / (one + even({x} * {x}))", "atanh": f"one / (one - even({x} * {x}))",
        "asin": f"one / (one - even({x} * {x})).sqrt()", "acos": f"-one / (one - even({x} * {x})).sqrt()",
        "asinh": f"one / (one + even({x} * {x})).sqrt()", "acosh": f"one / (({x} - one).sqrt() * ({x} + one).sqrt())",
        "erfi": f"two_by_root_pi * even({x} * {x}).exp()", "erfinv": f"even({v} * {v}).exp() / two_by_root_pi",
    }.get(name)  # fmt: skip


def _times(left: str | None, right: str | None) -> str | None:
    """Return the source of a product; None is zero and "one" is left out."""
    if left is None or right is None:
        return None
    if left == "one" or right == "one":
        return right if left == "one" else left
    return f"({left}) * ({right})"


def _plus(left: str | None, right: str | None, sign: str = "+") -> str | None:
    """Return the source of a sum or a difference; None is zero and is left out."""
    if right is None:
        return left
    if left is None:
        return right if sign == "+" else f"-({right})"
    return f"({left}) {sign} ({right})"


def _tangent_source(number: int, op: Sequence[Any], d: Sequence[str | None]) -> str | None:
    """Return the source of the derivative of one value in one variable, from those of its operands; None is zero.

    `d` has the source of the derivative of each earlier value. A known zero writes no operation. Raises `NoDerivative`
    for an operation without a derivative.
    """
    name, v = op[0], f"v{number}"
    if len(OPERANDS[name]) == 2 and OPERANDS[name] == "ii":
        return _binary_tangent(name, v, f"v{op[1]}", f"v{op[2]}", d[op[1]], d[op[2]])
    inner = d[op[-1] if name == "logrem" else op[1]]
    if inner is None:
        return None
    if name == "neg":
        return f"-({inner})"
    if name == "log":
        return f"({inner}) / v{op[1]}"
    if name == "sqrt":
        return f"({inner}) / ({v} + {v})"
    if name == "root":
        return f"({inner}) / (number({op[2]}) * power({v}, {op[2] - 1}))"
    if slope_source(v, op) is None:
        raise NoDerivative(name)
    return _times(f"s{number}", inner)


def _binary_tangent(name: str, v: str, x: str, y: str, dx: str | None, dy: str | None) -> str | None:
    """Return the source of the derivative of a function of two values; None is zero.

    The derivatives of min and max enclose the generalised gradient at the kink, as the sign of a ball around 0 is [-1,
    1]. The incomplete gamma functions have one in the argument only.
    """
    if dx is None and dy is None:
        return None
    if name in ("add", "sub"):
        return _plus(dx, dy, "+" if name == "add" else "-")
    if name == "mul":
        return _plus(_times(dx, y), _times(x, dy))
    if name == "div":
        return f"({_plus(dx, _times(v, dy), '-')}) / {y}"
    if name == "gpow":
        growth = None if dx is None else f"({_times(y, dx)}) / {x}"
        return _times(v, _plus(_times(dy, f"{x}.log()"), growth))
    if name in ("min", "max"):
        tilt = f"sign({x} - {y}) * ({_plus(dx, dy, '-')})"
        return f"half * ({_plus(_plus(dx, dy), tilt, '+' if name == 'max' else '-')})"
    if dx is not None:
        raise NoDerivative(name)
    density = f"(-{y}).exp() * (({x} - one) * {y}.log()).exp()"
    return _times(f"-({density})" if name == "uppergamma" else density, dy)


class NoDerivative(Exception):
    """An operation on the way to a mean-value leaf has no derivative here."""


def assemble(program: Mapping[str, Any], outputs: Sequence[int], tangents: bool) -> Callable[..., tuple[arb, ...]]:
    """Return the function from balls of the variables to the outputs, or to the gradient of the only output.

    It is generated as Python source, which is quicker than a loop over operations, and every leaf runs it. Constants
    are balls at the precision of the moment of assembly. Raises `NoDerivative` with `tangents` where an operation has
    no derivative here.
    """
    ops, variables = program["ops"], len(program["names"])
    space, lines = _space(), []
    d: list[list[str | None]] = [[] for _ in range(variables)]
    needed = _ancestors(ops, outputs)
    for number in range(max(outputs, default=-1) + 1):
        op = ops[number]
        if op[0] == "const":
            space[f"v{number}"] = ball(Fraction(op[1]))
        elif op[0] in CONSTANTS:
            space[f"v{number}"] = CONSTANTS[op[0]]()
        elif number in needed:
            lines.append(f"v{number} = " + (f"x{op[1]}" if op[0] == "var" else _value_source(op)))
        if tangents:
            _append_tangents(lines, number, op, d, number in needed)
    # An output that does not depend on a variable has the slope 0 in it.
    results = [d[k][outputs[0]] or "zero" for k in range(variables)] if tangents else [f"v{k}" for k in outputs]
    arguments = ", ".join(f"x{k}" for k in range(variables))
    lines.append("return (" + "".join(f"{result}, " for result in results) + ")")
    exec(f"def run({arguments}):\n    " + "\n    ".join(lines), space)  # built from checked operations
    function: Callable[..., tuple[arb, ...]] = space["run"]
    return function


def _append_tangents(lines: list[str], number: int, op: Sequence[Any], d: list[list[str | None]], wanted: bool) -> None:
    """Append the lines that compute the derivatives of one value, and note their names in `d`.

    A zero or a one is noted as such and gets no line, and the slope of a function of one value is computed once for all
    variables.
    """
    # What the output does not need gets no lines, but a place in the lists, which are read by number.
    if not wanted or op[0] in ("const", "var", *CONSTANTS):
        for k, column in enumerate(d):
            column.append("one" if op[0] == "var" and op[1] == k else None)
        return
    sources = [_tangent_source(number, op, column) for column in d]
    slope = slope_source(f"v{number}", op) if OPERANDS[op[0]] in ("i", "in", "nni") else None
    if slope is not None and any(source is not None for source in sources):
        lines.append(f"s{number} = {slope}")
    for k, source in enumerate(sources):
        simple = source is None or source == "one"
        if not simple:
            lines.append(f"d{number}_{k} = {source}")
        d[k].append(source if simple else f"d{number}_{k}")


def _ancestors(ops: Sequence[Sequence[Any]], outputs: Sequence[int]) -> set[int]:
    """Return the numbers of the values that the outputs depend on."""
    needed = set(outputs)
    for number in range(len(ops) - 1, -1, -1):
        if number in needed:
            op = ops[number]
            needed.update(part for kind, part in zip(OPERANDS[op[0]], op[1:], strict=True) if kind == "i")
    return needed


def widest_ball(half: Fraction) -> arb:
    """Return a ball around 0 that contains [-half, half], without Arb's extra rounding where that is provably safe.

    Without it a leaf that the search proved by a hair would fail here.
    """
    # Arb rounds a radius up even when it is exact; a hair less is rounded to the number itself, and the cover is
    # checked.
    tight = arb(0, ball(half - half / 2**31))
    (low, low2), (high, high2) = tight.lower().man_exp(), tight.upper().man_exp()
    # The containment is checked exactly, in rationals, and not taken from Arb's rounding.
    covers = (
        Fraction(int(low)) * Fraction(2) ** int(low2)
        <= -half
        <= half
        <= Fraction(int(high)) * Fraction(2) ** int(high2)
    )
    return tight if covers else arb(0, ball(half).upper())
