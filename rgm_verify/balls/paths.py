"""Integrands on complex balls: each operation off its cut, and the integral of a program between two balls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import acb, arb, ctx

from rgm_verify.balls.arithmetic import CONSTANTS, ball, needed_operations, root_from_zero
from rgm_verify.balls.program import INTEGRAL_BITS, SIGNATURES, Program, UnsupportedExpression

if TYPE_CHECKING:
    pass

__all__ = ["Integrand", "integrand_of"]

Integrand = Callable[[acb, bool], acb]


def _off_cut(value: acb, start: int = 0) -> bool:
    """Return whether the complex ball certainly misses the real half-line (-oo, start]."""
    return bool(value.real > start or value.imag > 0 or value.imag < 0)


def _nan() -> acb:
    """Return the complex ball that says nothing: Arb then halves the path."""
    return acb(arb.nan(), arb.nan())


def _log(value: acb) -> acb:
    """Return the logarithm off its cut; on the cut the real integrand is undefined, so the result is NaN."""
    # A branch taken across the cut would be analytic on neither side, and the error bound worthless.
    return value.log() if _off_cut(value) else _nan()


def _sqrt(value: acb, analytic: bool) -> acb:
    """Return the square root off its cut, and on the cut's edge where no analytic function is asked for; else NaN."""
    if _off_cut(value) or (not analytic and value.imag.is_zero() and value.real >= 0):
        return value.sqrt()
    return _nan()


def _root(value: acb, order: int, analytic: bool) -> acb:
    """Return the root of an order: the real one at real numbers >= 0, elsewhere the principal branch off its cut."""
    if not analytic and value.imag.is_zero() and value.real >= 0:
        return acb(root_from_zero(value.real, order))
    return (_log(value) / order).exp()


def _off_cut_only(name: str) -> Callable[[acb], acb]:
    """Return the method `name` of a ball restricted to the complement of (-oo, 0]."""

    def apply(value: acb) -> acb:
        """Return the function off its cut, NaN on it."""
        found: acb = getattr(value, name)() if _off_cut(value) else _nan()
        return found

    return apply


def _gamma_upper(order: acb, argument: acb) -> acb:
    """Return the upper incomplete gamma function off the cut of its argument, else NaN."""
    return argument.gamma_upper(order) if _off_cut(argument) else _nan()


def _gamma_lower(order: acb, argument: acb) -> acb:
    """Return the lower incomplete gamma function off the cut of its argument, else NaN."""
    return argument.gamma_lower(order) if _off_cut(argument) else _nan()


def _moment(a: int, b: int, x: acb) -> acb:
    """Return integral_0^1 s^(a-1) / (1 + s x)^b ds for complex x off (-oo, -1], a hypergeometric function."""
    return (-x).hypgeom_2f1(b, a, a + 1) / a if _off_cut(x, -1) else _nan()


# How an operation is carried out on complex balls; `z` are its ball operands, `n` its integers.
OPERATIONS: dict[str, Callable[[Sequence[acb], Sequence[int], bool], acb]] = {
    "neg": lambda z, n, a: -z[0],
    "add": lambda z, n, a: z[0] + z[1],
    "sub": lambda z, n, a: z[0] - z[1],
    "mul": lambda z, n, a: z[0] * z[1],
    "div": lambda z, n, a: z[0] / z[1],
    "pow": lambda z, n, a: z[0] * z[0] if n[0] == 2 else z[0] ** n[0],
    "root": lambda z, n, a: _root(z[0], n[0], a),
    "sqrt": lambda z, n, a: _sqrt(z[0], a),
    "gpow": lambda z, n, a: (z[1] * _log(z[0])).exp(),
    "log": lambda z, n, a: _log(z[0]),
    "abs": lambda z, n, a: z[0].real_abs(analytic=a),
    "sgn": lambda z, n, a: z[0].real_sgn(analytic=a),
    "min": lambda z, n, a: z[0].real_min(z[1], analytic=a),
    "max": lambda z, n, a: z[0].real_max(z[1], analytic=a),
    "lgamma": lambda z, n, a: _off_cut_only("lgamma")(z[0]),
    "uppergamma": lambda z, n, a: _gamma_upper(z[0], z[1]),
    "lowergamma": lambda z, n, a: _gamma_lower(z[0], z[1]),
    "logrem": lambda z, n, a: _moment(n[0], n[1], z[0]),
    "exp": lambda z, n, a: z[0].exp(),
    "sin": lambda z, n, a: z[0].sin(),
    "cos": lambda z, n, a: z[0].cos(),
    "sinh": lambda z, n, a: z[0].sinh(),
    "cosh": lambda z, n, a: z[0].cosh(),
    "tanh": lambda z, n, a: z[0].tanh(),
    "erf": lambda z, n, a: z[0].erf(),
    "erfc": lambda z, n, a: z[0].erfc(),
    "gamma": lambda z, n, a: z[0].gamma(),
    "digamma": lambda z, n, a: z[0].digamma(),
}


def integrand_of(program: Program, values: Sequence[Fraction]) -> Integrand:
    """Return the first output as a function of the first name on complex balls, the other names fixed at `values`.

    The second argument says whether Arb needs an analytic function on the ball: it bounds the error of a quadrature by
    values off the real line, and an operation with a cut or a kink there must then answer NaN.
    """
    constants = _fixed_values(program, values)
    for op in program.ops:
        if op[0] not in OPERATIONS and op[0] not in ("var", "const", *CONSTANTS):
            raise UnsupportedExpression(f"{op[0]}: no integral is taken of this function")
    steps = [
        (number, OPERATIONS[op[0]], *_operands(op))
        for number in needed_operations(program, program.outputs[:1])
        if number not in constants and (op := program.ops[number])[0] != "var"
    ]
    # The variable may be read by several operations, and each of them is given the ball.
    place = [number for number, op in enumerate(program.ops) if op == ("var", 0)]
    output = program.outputs[0]

    def evaluate(x: acb, analytic: bool) -> acb:
        # A dictionary for each call: Arb evaluates pieces in an order of its own.
        known = {**constants, **dict.fromkeys(place, x)}
        for number, operation, parts, integers in steps:
            known[number] = operation([known[part] for part in parts], integers, analytic)
        return known[output]

    return evaluate


def _fixed_values(program: Program, values: Sequence[Fraction]) -> dict[int, acb]:
    """Return the balls of constants and of the names after the first."""
    fixed: dict[int, acb] = {}
    for number, op in enumerate(program.ops):
        if op[0] == "const":
            fixed[number] = acb(ball(Fraction(op[1])))
        elif op[0] in CONSTANTS:
            fixed[number] = acb(CONSTANTS[op[0]]())
        elif op[0] == "var" and op[1] > 0:
            fixed[number] = acb(ball(values[op[1] - 1]))
    return fixed


def _operands(op: Sequence[Any]) -> tuple[list[int], list[int]]:
    """Return the operands of an operation that are earlier values, and those that are integers."""
    kinds = list(zip(SIGNATURES[op[0]], op[1:], strict=True))
    return [part for kind, part in kinds if kind == "i"], [part for kind, part in kinds if kind == "n"]


#: Values of an integrand. At a pole Arb would halve the range again and again, and find no bound.
_MOST_VALUES = 20_000


def integral_between(integrand: Program, lower: arb, upper: arb) -> arb:
    """Return an enclosure of the integral of a program in its only variable from one ball to another.

    Args:
        lower: the ball of the lower end.
        upper: the ball of the upper end.

    Returns:
        A ball. The ends may lie anywhere in their balls: what they add is bounded by the integrand there. NaN where the
        integrand is not shown to be real and bounded on the way.

    Raises:
        UnsupportedExpression: for a function without an integral.
    """
    function = integrand_of(integrand, ())
    if not (lower.is_finite() and upper.is_finite()):
        return arb.nan()
    # Between the middles exactly, and the rest of both ends by the size of the integrand there.
    start, end = lower.mid(), upper.mid()
    positive = bool(start >= 0 and end >= 0)

    raised: list[BaseException] = []

    def on_path(x: acb, analytic: bool) -> acb:
        if raised:
            return _nan()
        try:
            if not analytic and positive and x.imag.is_zero():
                x = acb(x.real.nonnegative_part())
            return function(x, analytic)
        except BaseException as error:  # noqa: BLE001 - no exception finds its way through Arb; it is raised after
            raised.append(error)
            return _nan()

    before = ctx.prec
    ctx.prec = min(before, INTEGRAL_BITS)
    try:
        tolerance = arb(2) ** (-ctx.prec)
        total = acb.integral(
            on_path, acb(start), acb(end), rel_tol=tolerance, abs_tol=tolerance, eval_limit=_MOST_VALUES
        )
        if raised:
            raise raised[0]
        found = total.real if total.imag.contains(0) else arb.nan()
        for given in (lower, upper):
            if not given.is_exact():
                value = function(acb(given), False)
                size = value.real if value.imag.contains(0) else arb.nan()
                found = found + arb(0, 1) * given.rad() * size
    finally:
        ctx.prec = before
    return found
