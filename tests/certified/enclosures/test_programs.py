"""Straight-line programs, read by their format alone: they give what mpmath computes of their expressions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import mpmath
import pytest
import sympy

from rgm_verify.balls import program as programs
from rgm_verify.balls.binding import At
from rgm_verify.balls.compiling import compile_expressions
from rgm_verify.balls.differentiation import differentiate_output
from rgm_verify.balls.program import SIGNATURES, Program, UnsupportedExpression
from rgm_verify.balls.special import LogRemainder, LogRemainderD, LogRemainderMoment

x, y, z = sympy.symbols("x y z", real=True)
n = sympy.Symbol("n", integer=True)
k = sympy.Symbol("k", integer=True)
R = sympy.Rational
PLACES = ((F := Fraction)(5, 4), F(3, 7), F(-2, 3))
UNARY = {
    "neg": lambda a: -a, "lgamma": mpmath.loggamma, "abs": abs, "sgn": mpmath.sign,
    **{name: getattr(mpmath, name) for name in ("sqrt", "exp", "log", "sin", "cos", "sinh", "cosh", "tanh", "erf",
                                                "erfc", "gamma", "digamma")},
}  # fmt: skip
BINARY = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": lambda a, b: a / b,
    "min": min, "max": max, "gpow": lambda a, b: mpmath.exp(b * mpmath.log(a)),
    "uppergamma": lambda a, b: mpmath.gammainc(a, b), "lowergamma": lambda a, b: mpmath.gammainc(a, 0, b),
}  # fmt: skip


def moment(a: int, b: int, at: Any) -> Any:
    return mpmath.quad(lambda s: s ** (a - 1) / (1 + s * at) ** b, [0, 1])


def run(program: Program, places: Sequence[Any]) -> list[Any]:
    """The outputs of a program, by the description of its format."""
    values: list[Any] = []
    for name, *operands in program.ops:
        if name == "const":
            value = mpmath.mpf(F(operands[0]).numerator) / F(operands[0]).denominator
        elif name in ("pi", "e"):
            value = mpmath.pi + 0 if name == "pi" else mpmath.e + 0
        elif name == "var":
            value = mpmath.mpf(F(places[operands[0]]).numerator) / F(places[operands[0]]).denominator
        elif name == "logrem":
            value = moment(operands[0], operands[1], values[operands[2]])
        elif name in ("pow", "root"):
            inner = values[operands[0]]
            value = inner ** operands[1] if name == "pow" else inner ** (mpmath.mpf(1) / operands[1])
        elif name in BINARY:
            value = BINARY[name](values[operands[0]], values[operands[1]])
        else:
            value = UNARY[name](values[operands[0]])
        values.append(value)
    return [values[output] for output in program.outputs]


def close(one: Any, other: Any) -> bool:
    return bool(mpmath.almosteq(one, other, rel_eps=mpmath.mpf(10) ** -25, abs_eps=mpmath.mpf(10) ** -25))


def known(expression: sympy.Expr, **more: int) -> Any:
    """SymPy's value at the places."""
    exact = {s: R(p.numerator, p.denominator) for s, p in zip((x, y, z), PLACES, strict=True)}
    value = expression.xreplace({n: sympy.Integer(more.get("n", 3))}).subs(exact).doit()
    return mpmath.mpmathify(sympy.N(value, 45))


EXPRESSIONS = [
    R(3, 7) + x * 0, sympy.pi * x, sympy.E * x, x + y, x - y, -x - y, -x, 2 * x * y, -3 * x * y / z, x / y, 1 / x,
    x**2, x**5, x**-1, x**-3, (x + y) ** 2 / (x - y) ** 3, sympy.sqrt(x), x ** R(1, 3), x ** R(2, 3), x ** R(-3, 2),
    x ** R(-1, 5), x**y, y**x, x ** (y + z), sympy.exp(x * z), sympy.log(x + y), sympy.sin(x) * sympy.cos(z),
    sympy.sinh(x) - sympy.cosh(z), sympy.tanh(x * z), sympy.erf(x), sympy.erfc(z), sympy.gamma(x),
    sympy.loggamma(x * y), sympy.digamma(x + y), sympy.Abs(z), sympy.sign(z) + sympy.sign(x), sympy.Max(x, y, z),
    sympy.Min(x, y, z), sympy.Max(z, sympy.Min(x, y)), sympy.uppergamma(x, y), sympy.lowergamma(x, y),
    LogRemainder(2, x), LogRemainderD(1, y), LogRemainderMoment(2, 3, x), LogRemainderMoment(3, 2, y), x - y - z + 1,
    sympy.Mul(-1, -1, x, evaluate=False), sympy.Mul(x, -1, y, evaluate=False), (x - 1) * (y - 1) * (z - 1),
]  # fmt: skip


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=str)
def test_a_program_read_by_its_format_gives_the_value_of_its_expression(expression: sympy.Expr) -> None:
    made = compile_expressions([expression, expression + 1], (x, y, z))
    with mpmath.workdps(40):
        value, next_value = run(made, PLACES)
        expected = known(expression.rewrite(sympy.log)) if expression.atoms(sympy.Function) else known(expression)
        assert close(value, expected)
        assert close(next_value, expected + 1)
    assert len(set(made.ops)) == len(made.ops)
    for number, (name, *operands) in enumerate(made.ops):
        for kind, operand in zip(SIGNATURES[name], operands, strict=True):
            assert kind != "i" or operand < number


SMOOTH = [
    e for e in EXPRESSIONS
    if not e.has(sympy.polygamma, sympy.sign) and not (e.has(sympy.uppergamma, sympy.lowergamma))
] + [
    sympy.uppergamma(R(7, 3), x * y), sympy.lowergamma(R(5, 3), x * y), sympy.uppergamma(R(7, 3), x) * y,
    sympy.exp(x * y) / (1 + x**2) - sympy.Max(x, y) * sympy.sqrt(y), sympy.erf(x) + sympy.erfc(y * x),
    sympy.Min(x * y, z) * sympy.Max(x + 1, y), x**x, (x * y) ** (x + y), 2**x, x ** R(7, 3), sympy.log(x) / x,
    LogRemainder(1, x * y), sympy.tanh(x * y), sympy.gamma(x * y), sympy.Abs(z - x) * x, sympy.cosh(x * z), z**4 * x,
]  # fmt: skip


@pytest.mark.parametrize("expression", SMOOTH, ids=str)
def test_a_gradient_has_the_derivative_in_each_name_and_keeps_the_program(expression: sympy.Expr) -> None:
    made = compile_expressions([z + 1, expression], (x, y, z))
    gradient = differentiate_output(made, 1)
    assert gradient.names == made.names
    assert gradient.ops[: len(made.ops)] == made.ops
    assert len(set(gradient.ops)) == len(gradient.ops)
    with mpmath.workdps(40):
        for found, variable in zip(run(gradient, PLACES), (x, y, z), strict=True):
            plain = (
                expression.rewrite(sympy.log)
                if expression.has(LogRemainder, LogRemainderD, LogRemainderMoment)
                else expression
            )
            slope = sympy.diff(plain, variable)
            slope = slope.replace(sympy.Heaviside, lambda *a: sympy.Heaviside(a[0], R(1, 2)))
            assert close(found, known(slope))
    for number, variable in enumerate((x, y, z)):
        if not expression.has(variable):
            assert gradient.ops[gradient.outputs[number]] == ("const", "0")


def test_the_slope_of_the_first_output_is_taken_where_none_is_named() -> None:
    made = compile_expressions([x**2, y], (x, y))
    assert differentiate_output(made) == differentiate_output(made, 0)
    assert differentiate_output(made) != differentiate_output(made, 1)


def test_at_a_tie_the_slope_of_a_maximum_is_between_those_of_its_parts() -> None:
    for kind in (sympy.Max, sympy.Min):
        gradient = differentiate_output(compile_expressions([kind(x, 3 * y)], (x, y)))
        with mpmath.workdps(30):
            assert run(gradient, (F(3), F(1))) == [mpmath.mpf(1) / 2, mpmath.mpf(3) / 2]


@pytest.mark.parametrize(
    ("expression", "named"),
    [(sympy.polygamma(1, x), "trigamma"), (sympy.sign(x), "sgn"), (sympy.uppergamma(x, y), "uppergamma"),
     (sympy.lowergamma(x, 2), "lowergamma"), (sympy.uppergamma(x, x), "uppergamma")],
)  # fmt: skip
def test_a_derivative_that_is_not_known_is_refused_by_name(expression: sympy.Expr, named: str) -> None:
    made = compile_expressions([expression], (x, y))
    with pytest.raises(UnsupportedExpression, match=f"^{named}: "):
        differentiate_output(made)


# ---------------------------------------------------------------------------------------- what is written

WRITTEN: list[tuple[sympy.Expr, list[list[Any]]]] = [
    (x - y, [["var", 0], ["var", 1], ["sub", 0, 1]]),
    (-x - y, [["var", 0], ["neg", 0], ["var", 1], ["sub", 1, 2]]),
    (x / y, [["var", 0], ["var", 1], ["div", 0, 1]]),
    (1 / y, [["const", "1"], ["var", 1], ["div", 0, 1]]),
    (-x * y, [["var", 0], ["var", 1], ["mul", 0, 1], ["neg", 2]]),
    (x**3, [["var", 0], ["pow", 0, 3]]),
    (sympy.sqrt(x), [["var", 0], ["sqrt", 0]]),
    (x ** R(5, 3), [["var", 0], ["root", 0, 3], ["pow", 1, 5]]),
    (x ** R(1, 2) * x, [["var", 0], ["sqrt", 0], ["pow", 1, 3]]),
    (x**y, [["var", 0], ["var", 1], ["gpow", 0, 1]]),
    (sympy.exp(x), [["var", 0], ["exp", 0]]),
    (sympy.Pow(x, 0, evaluate=False), [["const", "1"]]),
    (LogRemainder(2, x), [["var", 0], ["logrem", 2, 1, 0]]),
    (sympy.polygamma(0, x), [["var", 0], ["digamma", 0]]),
    (R(-3, 7), [["const", "-3/7"]]),
    (sympy.Sum(x**k, (k, 1, 2)), [["var", 0], ["pow", 0, 2], ["add", 0, 1]]),
    (sympy.Product(x + k, (k, 0, 1)), [["var", 0], ["const", "1"], ["add", 1, 0], ["mul", 0, 2]]),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "ops"), WRITTEN, ids=[str(e) for e, _ in WRITTEN])
def test_a_short_expression_is_written_with_these_operations(expression: sympy.Expr, ops: list[list[Any]]) -> None:
    made = compile_expressions([expression], (x, y))
    assert sorted(str(list(op)) for op in made.ops) == sorted(map(str, ops))
    assert made.ops[made.outputs[0]][0] == ops[-1][0]


def test_an_exponent_that_is_known_to_be_an_integer_is_one() -> None:
    power = x**n
    assert compile_expressions([power], (x,), {power: 3}).ops == (("var", 0), ("pow", 0, 3))
    assert compile_expressions([power], (x, n)).ops == (("var", 0), ("var", 1), ("gpow", 0, 1))
    slope = compile_expressions([sympy.Derivative(power, x)], (x, n), {power: 3})
    with mpmath.workdps(30):
        assert run(slope, (F(-2), F(3))) == [12]
    placed = compile_expressions([At(power, x, y)], (y, n), {power: 3})
    with mpmath.workdps(30):
        assert run(placed, (F(-2), F(3))) == [-8]


def test_a_constant_as_long_as_can_be_written_is_kept_and_no_longer() -> None:
    for value in (2**14_000 - 1, F(1, 2**14_000 - 1), -(2**14_000) + 1):
        assert compile_expressions([sympy.Rational(F(value))], ()).ops[0][0] == "const"
    for value in (F(2**14_000), F(1, 2**14_000), F(-(2**14_000))):
        with pytest.raises(UnsupportedExpression, match="more than 14000 bits"):
            compile_expressions([sympy.Rational(value)], ())


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        (z, "z: symbol without a value; declared symbols: x, y"), (sympy.Float("0.5") * x, "a float is not exact"),
        (sympy.airyai(x), "airyai has no ball arithmetic"), (sympy.polygamma(2, x), "polygamma has no ball arithmetic"),
        (LogRemainder(n, x), "must be a literal integer"), (LogRemainderMoment(n, 2, x), "must be a literal integer"),
        (LogRemainderMoment(2, n, x), "must be a literal integer"), (sympy.log(x, evaluate=False) + z, "z: symbol"),
        (sympy.Derivative(sympy.Abs(x), x), "no derivative is taken of"),
        (sympy.Derivative(sympy.Max(x, y), x), "no derivative is taken of"),
        (sympy.Derivative(x**y, (x, n)), "a real variable and a literal order"),
        (sympy.Sum(x, (k, 1, n)), "the ends must be integers"), (sympy.Sum(x, (k, 2, 0)), "the ends must be integers"),
    ],
)  # fmt: skip
def test_what_cannot_be_written_is_named(expression: sympy.Expr, message: str) -> None:
    with pytest.raises(UnsupportedExpression, match=message):
        compile_expressions([expression], (x, y))
    if message.startswith("z:"):
        with pytest.raises(UnsupportedExpression, match="declared symbols: none"):
            compile_expressions([expression], ())


INNER: list[tuple[sympy.Expr, Any]] = [
    (sympy.Derivative(x**3 * y, x), 3 * F(5, 4) ** 2 * F(3, 7)),
    (sympy.Derivative(x**3 * y, (x, 2), y), 6 * F(5, 4)),
    (sympy.Derivative(x**3, y), 0),
    (sympy.Derivative(y * x, (x, 2)), 0),
    (At(x**2 * y, x, y + 1), F(10, 7) ** 2 * F(3, 7)),
    (At(x - y, (x, y), (y, x)), F(3, 7) - F(5, 4)),
    (At(x - 2 * y, y, x), -F(5, 4)),
    (sympy.Sum(k * x, (k, 1, 3)), 6 * F(5, 4)),
    (sympy.Sum(k * x, (k, 2, 2)), 2 * F(5, 4)),
    (sympy.Sum(x, (k, 1, 0)), 0),
    (sympy.Product(x, (k, 1, 0)), 1),
    (sympy.Product(k * x, (k, 2, 3)), 6 * F(5, 4) ** 2),
    (sympy.Derivative(At(x**2, x, y**2), y), 4 * F(3, 7) ** 3),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "value"), INNER, ids=[str(e) for e, _ in INNER])
def test_derivatives_substitutions_and_sums_are_carried_out(expression: sympy.Expr, value: Any) -> None:
    made = compile_expressions([expression], (x, y))
    with mpmath.workdps(40):
        assert close(run(made, PLACES)[0], mpmath.mpf(F(value).numerator) / F(value).denominator)


# -------------------------------------------------------------------------------------------- the format


def test_every_operation_of_the_format_has_a_signature() -> None:
    text = programs.__doc__ or ""
    assert all(f'["{name}"' in text for name in SIGNATURES)
    assert {len(kinds) for kinds in SIGNATURES.values()} == {0, 1, 2, 3}
    assert math.prod(kind in "invpq" for kinds in SIGNATURES.values() for kind in kinds)


def test_symbols_have_names_of_their_own() -> None:
    with pytest.raises(UnsupportedExpression, match="x, x: two have one name"):
        compile_expressions([x], (x, sympy.Symbol("x", positive=True)))
