"""The Python that is shown beside a witness computes what the witness says, to the digits that it shows."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import mpmath
import pytest
import sympy

from rgm_verify.claims import eq, gt
from rgm_verify.claims.formula import Relation
from rgm_verify.jobs.pasted import pasted
from rgm_verify.lenses.points.witness import Value, python_sides, value_text

X, ETA, SIGMA2 = sympy.Symbol("x"), sympy.Symbol("eta"), sympy.Symbol("sigma^2")


def run(relation: Relation, point: dict[sympy.Symbol, Value]) -> dict[str, object]:
    """The names that the pasted text leaves."""
    values = {s.name: value_text(v) for s, v in point.items()}
    text = pasted(values, python_sides(relation, point))
    names: dict[str, object] = {}
    with mpmath.workdps(15):  # the text sets a precision of its own
        exec(text, names)
    return names


@pytest.mark.parametrize(
    "value",
    [
        Fraction(1, 3),
        Fraction(-7),
        sympy.exp(sympy.Rational(1, 3)),
        sympy.E,
        sympy.pi / 7,
        2 ** sympy.Rational(1, 3),
        sympy.sqrt(2) - 1,
        sympy.log(sympy.Rational(10, 7)) ** 2,
        sympy.CRootOf(X**3 - X - 3, 0),
        sympy.CRootOf(X**5 - X - 1, 0) + sympy.Rational(1, 3),
    ],
)
def test_a_value_has_fifty_digits(value: Value, capsys: pytest.CaptureFixture[str]) -> None:
    names = run(gt(ETA + SIGMA2, 0), {ETA: value, SIGMA2: Fraction(1, 7)})
    right = sympy.N(sympy.sympify(value) + sympy.Rational(1, 7), 60)
    assert abs(sympy.Float(mpmath.nstr(names["lhs"], 55), 60) - right) < 10**-45
    assert capsys.readouterr().out.endswith(f"{bool(right > 0)}\n")


def test_equal_rational_numbers_are_compared_exactly(capsys: pytest.CaptureFixture[str]) -> None:
    names = run(eq(ETA / 3, SIGMA2), {ETA: Fraction(1, 7), SIGMA2: Fraction(1, 21)})
    assert names["lhs"] == names["rhs"] == Fraction(1, 21)
    assert capsys.readouterr().out == "1/21 1/21 True\n"


def test_a_constant_has_one_value_on_both_sides_of_an_exact_equality(capsys: pytest.CaptureFixture[str]) -> None:
    names = run(eq(sympy.pi * ETA, sympy.pi * SIGMA2), {ETA: Fraction(0), SIGMA2: Fraction(0)})
    assert names["lhs"] == names["rhs"] == 0
    names = run(eq(sympy.pi * ETA / 3 + ETA, sympy.pi / 21 + SIGMA2), {ETA: Fraction(1, 7), SIGMA2: Fraction(1, 7)})
    assert isinstance(names["lhs"], Fraction)
    assert mpmath.almosteq(
        mpmath.mpf(names["lhs"].numerator) / names["lhs"].denominator, mpmath.pi / 21 + 1 / mpmath.mpf(7)
    )
    assert capsys.readouterr().out.splitlines()[-1].endswith(" True")


@pytest.mark.parametrize(
    ("function", "exact"),
    [(sympy.atan, mpmath.atan), (sympy.acos, mpmath.acos), (sympy.asin, mpmath.asin), (sympy.atanh, mpmath.atanh)],
)
def test_an_inverse_function_stays_a_real_number(
    function: type[sympy.Function], exact: Callable[[object], object], capsys: pytest.CaptureFixture[str]
) -> None:
    names = run(gt(function(ETA), SIGMA2), {ETA: Fraction(1, 3), SIGMA2: Fraction(-2)})
    with mpmath.workdps(50):
        assert names["lhs"] == exact(mpmath.mpf(1) / 3)
    assert capsys.readouterr().out.endswith(" True\n")


def test_a_world_is_pasted_as_it_is_and_a_control_not_at_all() -> None:
    names: dict[str, object] = {}
    exec(pasted({"x": "1/2"}, ["{'x': Fraction(1, 2)}  # says"]), names)
    assert names["world"] == {"x": Fraction(1, 2)}
    assert pasted({"x": "1/2"}, []) == ""
