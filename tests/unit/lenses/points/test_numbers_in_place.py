"""Numbers in the place of symbols: the same as SymPy's own, and nothing where it would write a number without end."""

from __future__ import annotations

import pytest
import sympy

from rgm_verify.lenses.points.values import with_numbers

x, y = sympy.symbols("x y", positive=True)
n = sympy.Symbol("n", integer=True, positive=True)
LARGE = sympy.Integer(10) ** 12

FORMS = [2**x, x**n, (1 + 1 / n) ** n, sympy.exp(n * sympy.log(2)), sympy.factorial(n), sympy.binomial(2 * n, n),
         sympy.sqrt(x) * 3**n, sympy.gamma(n) / 2**x, (x * y) ** (n / 3), x**70 + y, sympy.log(x) ** n]  # fmt: skip


@pytest.mark.parametrize("form", FORMS, ids=str)
@pytest.mark.parametrize("at", [{x: sympy.Rational(2, 3), n: sympy.Integer(5)}, {n: sympy.Integer(12)}, {y: sympy.pi}])
def test_small_numbers_are_placed_as_sympy_places_them(form: sympy.Expr, at: dict[sympy.Symbol, sympy.Expr]) -> None:
    assert with_numbers(form, at) == form.xreplace(at)


LONG = [2**n, (1 + 1 / n) ** n, sympy.exp(n * sympy.log(2)), sympy.factorial(n), sympy.binomial(2 * n, n), 3 ** (n / 7),
        (2 * sympy.sqrt(3)) ** n, 2 ** (2 ** (2**n))]  # fmt: skip


@pytest.mark.parametrize("form", LONG, ids=str)
def test_what_would_be_written_out_without_end_is_left(form: sympy.Expr) -> None:
    assert with_numbers(1 + form, {n: LARGE}) is None


@pytest.mark.parametrize("form", [x**LARGE, n**10, sympy.log(n), 1 / n, sympy.sqrt(n), sympy.pi**n])
def test_a_large_number_is_no_reason_to_leave_a_short_one(form: sympy.Expr) -> None:
    assert with_numbers(form, {n: LARGE, x: sympy.Integer(1)}) == form.xreplace({n: LARGE, x: sympy.Integer(1)})
