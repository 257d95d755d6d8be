"""Derivatives of programs, operation by operation, as programs again."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rgm_verify.balls.program import SIGNATURES, Builder, Op, Program, UnsupportedExpression

__all__ = ["differentiate_output"]


def differentiate_output(program: Program, output: int = 0) -> Program:
    """Return the program of the gradient of one output, one partial derivative per name, by forward differentiation.

    Exact as a formula; at a kink of abs, min or max it evaluates to an enclosure of the generalised gradient, so that
    the mean-value theorem still applies. The original operations come first, unchanged.

    Raises:
        UnsupportedExpression: for an operation whose derivative is not available.
    """
    # Starting from the operations that are there, so that values and derivatives share what they have in common.
    builder = Builder(list(program.ops), {op: number for number, op in enumerate(program.ops)})
    target = program.outputs[output]
    partials = []
    for variable in range(len(program.names)):
        derivatives: list[int | None] = []
        for number in range(target + 1):
            derivatives.append(_derivative(builder, number, program.ops[number], derivatives, variable))
        last = derivatives[target]
        partials.append(builder.constant(0) if last is None else last)
    return Program(program.names, tuple(builder.ops), tuple(partials))


def _derivative(b: Builder, v: int, op: Op, d: Sequence[int | None], variable: int) -> int | None:
    """Return the number of the derivative of value v in one variable, None when it is identically zero.

    `d` has the numbers of the derivatives of the earlier values. None spares the operations on zeros.
    """
    name = op[0]
    if name == "var":
        return b.constant(1) if op[1] == variable else None
    kinds = SIGNATURES[name]
    inputs = [operand for kind, operand in zip(kinds, op[1:], strict=True) if kind == "i"]
    # Nothing on the way depends on the variable: a zero costs no operation.
    if all(d[i] is None for i in inputs):
        return None
    # A function of two values has a rule of its own: either of them may depend on the variable.
    if len(inputs) == 2:
        return _binary_derivative(b, v, op, d[op[1]], d[op[2]])
    inner = d[inputs[0]]
    if inner is None:
        return None
    if name == "neg":
        return b.emit("neg", inner)
    return _chain(b, v, op, inner)


def _chain(b: Builder, v: int, op: Op, inner: int) -> int | None:
    """Return the derivative of a function of one value, times the inner derivative.

    Quotients where they reuse the value v: `x' / (2 sqrt x)` widens a ball less than a power of x would.
    """
    name, x = op[0], op[1]
    if name == "log":
        return b.emit("div", inner, x)
    if name == "sqrt":
        return b.emit("div", inner, b.emit("add", v, v))
    if name == "root":
        return b.emit("div", inner, b.times(b.constant(op[2]), b.power(v, op[2] - 1)))
    if name == "sgn":
        raise UnsupportedExpression("sgn: the derivative of a sign is not available")
    return b.times(_slope(b, v, op), inner)


def _slope(b: Builder, v: int, op: Op) -> int:
    """Return the number of f'(x) for v = f(x).

    It reuses the value v where the derivative contains the function itself (exp, tanh, gamma). Raises
    `UnsupportedExpression` for a function without a derivative here.
    """
    name, x = op[0], op[1]
    if name == "pow":
        return b.times(b.constant(op[2]), b.power(x, op[2] - 1))
    if name == "logrem":
        return b.times(b.constant(-op[2]), b.emit("logrem", op[1] + 1, op[2] + 1, op[3]))
    if name in ("erf", "erfc"):
        factor = b.emit("div", b.constant(2 if name == "erf" else -2), b.emit("sqrt", b.emit("pi")))
        return b.times(factor, b.emit("exp", b.emit("neg", b.emit("pow", x, 2))))
    if name == "tanh":
        return b.emit("sub", b.constant(1), b.emit("pow", v, 2))
    if name == "cos":
        return b.emit("neg", b.emit("sin", x))
    if name == "gamma":
        return b.times(v, b.emit("digamma", x))
    if name in ("atan", "asin", "acos", "asinh", "acosh", "atanh"):
        return _inverse_slope(b, name, x)
    if name in ("erfi", "erfinv"):
        square = b.emit("exp", b.emit("pow", x if name == "erfi" else v, 2))
        root = b.emit("sqrt", b.emit("pi"))
        two = b.constant(2)
        return b.times(b.emit("div", two, root) if name == "erfi" else b.emit("div", root, two), square)
    direct = {"sin": "cos", "sinh": "cosh", "cosh": "sinh", "lgamma": "digamma", "abs": "sgn",
              "digamma": "trigamma"}  # fmt: skip
    if name == "exp":
        return v
    if name in direct:
        return b.emit(direct[name], x)
    raise UnsupportedExpression(f"{name}: its derivative is not available")


def _inverse_slope(b: Builder, name: str, x: int) -> int:
    """Return the derivative of an inverse trigonometric or hyperbolic function at x.

    The forms hold inside of the function's domain; at its ends the slope is infinite, and the ball says so.
    """
    one, square = b.constant(1), b.emit("pow", x, 2)
    if name in ("atan", "atanh"):
        return b.emit("div", one, b.emit("add" if name == "atan" else "sub", one, square))
    if name == "acosh":  # of a number above 1, so that both roots are real
        below = b.emit("mul", b.emit("sqrt", b.emit("sub", x, one)), b.emit("sqrt", b.emit("add", x, one)))
    else:
        below = b.emit("sqrt", b.emit("add" if name == "asinh" else "sub", one, square))
    slope = b.emit("div", one, below)
    return b.emit("neg", slope) if name == "acos" else slope


def _binary_derivative(b: Builder, v: int, op: Op, dx: int | None, dy: int | None) -> int | None:
    """Return the derivative of a function of two values, of which at least one depends on the variable.

    None is zero. An incomplete gamma function has a derivative in its argument alone; `UnsupportedExpression` in its
    order.
    """
    name, x, y = op[0], op[1], op[2]
    if name in ("add", "sub"):
        return _signed_sum(b, name, dx, dy)
    if name == "mul":
        left = None if dx is None else b.times(dx, y)
        return _signed_sum(b, "add", left, None if dy is None else b.times(x, dy))
    if name == "div":
        # (dx - v dy) / y uses the quotient v that is there already: y * y would widen the balls once more.
        top = _signed_sum(b, "sub", dx, None if dy is None else b.times(v, dy))
        return None if top is None else b.emit("div", top, y)
    if name == "gpow":
        # The derivative of `exp(y log x)`; where only one of the two varies the other half is left out.
        left = None if dy is None else b.times(dy, b.emit("log", x))
        right = None if dx is None else b.emit("div", b.times(y, dx), x)
        rate = _signed_sum(b, "add", left, right)
        return None if rate is None else b.times(v, rate)
    if name in ("min", "max"):
        return _extremum_derivative(b, op, dx, dy)
    if dx is not None or dy is None:
        raise UnsupportedExpression(f"{name}: its derivative in the order is not available")
    density = b.times(b.emit("exp", b.emit("neg", y)), _gamma_power(b, x, y))
    return b.times(b.emit("neg", density) if name == "uppergamma" else density, dy)


def _gamma_power(b: Builder, order: int, argument: int) -> int:
    """Return argument ** (order - 1)."""
    return b.emit("gpow", argument, b.emit("sub", order, b.constant(1)))


def _signed_sum(b: Builder, name: str, dx: int | None, dy: int | None) -> int | None:
    """Return the number of a sum or difference of derivatives; None is zero on either side."""
    if dx is None and dy is not None:
        return dy if name == "add" else b.emit("neg", dy)
    return dx if dy is None or dx is None else b.emit(name, dx, dy)


def _extremum_derivative(b: Builder, op: Op, dx: int | None, dy: int | None) -> int | None:
    """Return ((dx + dy) +- sgn(x - y) (dx - dy)) / 2, which encloses the generalised gradient at ties."""
    total, difference = _signed_sum(b, "add", dx, dy), _signed_sum(b, "sub", dx, dy)
    if total is None or difference is None:
        return None
    tilt = b.times(b.emit("sgn", b.emit("sub", op[1], op[2])), difference)
    return b.times(b.constant(Fraction(1, 2)), b.emit("add" if op[0] == "max" else "sub", total, tilt))
