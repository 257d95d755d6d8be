"""Claims are read as they are written: an operation whose result forgets a condition stays as the author wrote it."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
import sympy

from rgm_verify.engine.as_written import as_written, conditions

PACKAGE = "claims_as_written"
HEAD = """
import sympy
from sympy import *
x, y = symbols("x y", real=True)
p, q = symbols("p q", positive=True)
n = Symbol("n", nonnegative=True)
"""


def written(text: str, *, package: str = PACKAGE, module: str = f"{PACKAGE}.page") -> Any:
    """The form that a module of the package gives to an expression."""
    page = ModuleType(module)
    exec(HEAD, vars(page))
    with as_written(package):
        exec(f"value = {text}", vars(page))
    return page.value  # type: ignore[attr-defined]


def plain(text: str) -> Any:
    page = ModuleType("elsewhere")
    exec(f"{HEAD}\nvalue = {text}", vars(page))
    return page.value  # type: ignore[attr-defined]


x, y = sympy.symbols("x y", real=True)
p = sympy.Symbol("p", positive=True)

FORGETS: dict[str, set[tuple[str, sympy.Expr]]] = {
    "x / x": {("!=", x)},
    "(x - 1) / (x - 1)": {("!=", x - 1)},
    "x**2 / x": {("!=", x)},
    "x * (1 / x)": {("!=", x)},
    "(1 / x) * x": {("!=", x)},
    "exp(log(x))": {(">", x)},
    "sqrt(x)**2": {(">=", x)},
    "root(x, 4)**4": {(">=", x)},
    "cbrt(x)**3": {(">=", x)},
    "log(x) - log(x)": {(">", x)},
    "1 / x - 1 / x": {("!=", x)},
    "1 / x + (-1 / x)": {("!=", x)},
    "-(1 / x) + 1 / x": {("!=", x)},
    "0 * log(x)": {(">", x)},
    "0 / x": {("!=", x)},
    "log(x)**0": {(">", x)},
    "x**0.5**0": set(),
    "(1 / x)**0": {("!=", x)},
    "1 / (1 / x)": {("!=", x)},
    "(1 / x)**-1": {("!=", x)},
    "(x * y) / y": {("!=", y)},
    "x**(1 / S(2)) * x**(-1 / S(2))": {(">", x)},
}


@pytest.mark.parametrize("text", FORGETS)
def test_a_condition_that_the_result_would_forget_is_kept(text: str) -> None:
    kept = conditions(written(text))
    names = {s.name: s for s in (x, y)}
    expected = {(op, e.xreplace({})) for op, e in FORGETS[text]}
    assert names
    assert expected <= kept or all(any(o in (op, ">") and e == f for o, f in kept) for op, e in expected)
    if expected:
        assert not expected <= conditions(plain(text))


@pytest.mark.parametrize(
    "text",
    [
        "p / p", "exp(log(p))", "sqrt(n)**2", "x * 2 / 2", "x + y - y", "(x + 1) * (x - 1)", "log(x) + log(x)",
        "1 / x + 1 / x", "sqrt(8)", "sqrt(4) * 3", "log(exp(x))", "sqrt(x**2)", "1 / (p + 1) * (p + 1)", "-(-x)",
        "simplify((x**2 - 1) / (x - 1))", "cancel(x**2 / (2 * x))", "diff(log(x), x)", "(1 / x).subs(x, 2)",
        "2**x / 2**x",
        "sqrt(x**2 + 1)**2",
    ],
)  # fmt: skip
def test_an_operation_that_forgets_nothing_is_evaluated(text: str) -> None:
    found, expected = written(text), plain(text)
    if "simplify" in text or "cancel" in text:
        assert sympy.simplify(found - expected) == 0
    else:
        assert found == expected


def test_a_coefficient_of_a_matrix_keeps_its_condition() -> None:
    matrix = "MatrixSymbol('A', 2, 2)"
    for text in (f"({matrix} / x) * x", f"x * ({matrix} / x)", f"{matrix} / x - {matrix} / x", f"({matrix} * x) / x"):
        assert written(text) != plain(text)
        assert written(text).has(1 / x)
    for text in (f"({matrix} / p) * p", f"{matrix} + {matrix}", f"x * {matrix} * 2", f"-{matrix}", f"{matrix}**-2 * y"):
        assert written(text) == plain(text)


@pytest.mark.parametrize(
    ("module", "kept"),
    [(PACKAGE, True), (f"{PACKAGE}.page", True), (f"{PACKAGE}s", False), ("elsewhere", False)],
)
def test_only_what_the_package_writes_is_kept(module: str, kept: bool) -> None:
    for text in ("x / x", "exp(log(x))", "sqrt(x)**2", "-(1 / x) + 1 / x"):
        assert (written(text, module=module) != plain(text)) is kept


def test_everything_is_as_before_afterwards() -> None:
    kinds = (sympy.Expr, sympy.Integer, sympy.Rational, sympy.Symbol, sympy.Add)
    names = ("__add__", "__radd__", "__mul__", "__truediv__", "__pow__", "__neg__", "__rtruediv__", "__sub__")
    before = [vars(kind).get(name) for kind in kinds for name in names], sympy.sqrt, sympy.cbrt, sympy.root
    with pytest.raises(ZeroDivisionError):
        written("1 // 0")
    after = [vars(kind).get(name) for kind in kinds for name in names], sympy.sqrt, sympy.cbrt, sympy.root
    assert before == after
    assert x / x == 1


def test_conditions_are_in_a_normal_form() -> None:
    assert conditions(1 / (2 * x)) == {("!=", x)}
    assert conditions(1 / (1 - x)) == conditions(1 / (x - 1))
    assert conditions(1 / (x**2 * p)) == {("!=", x)}
    assert conditions(1 / (x * y)) == {("!=", x), ("!=", y)}
    assert conditions(sympy.log(p * x)) == {(">", x)}
    assert conditions(sympy.sqrt(x)) == {(">=", x)}
    assert conditions(sympy.log(p) + 1 / p + sympy.sqrt(p) + x**2) == frozenset()


def test_what_is_no_expression_is_left_alone() -> None:
    assert written("x + 1 if (x < 2) != True else 0") == x + 1
    assert written("[x] * 2") == [x, x]
    with pytest.raises(TypeError):
        written("x + 'text'")


INVERSES = [
    "A * A.I * B + B * A", "A.I * A", "A**2 * A**-1 * B", "A**-2 * A**2", "(A**-1)**-1", "A.I.I", "A.I.inverse()",
    "A.I - A.I", "0 * A.I", "A.I * A * B * B.I", "(A + B) * (A + B).I * B", "B + (A.I + A * A.I - A.I)",
    "Trace(A * A.I * B)", "(2 * A * A.I) * B", "B * (A.I * A)",
]  # fmt: skip


@pytest.mark.parametrize("text", INVERSES)
def test_an_inverse_that_cancels_is_kept(text: str) -> None:
    head = "A, B = (MatrixSymbol(name, 2, 2) for name in 'AB')\nvalue = "
    page, before = ModuleType(f"{PACKAGE}.page"), ModuleType("elsewhere")
    exec(HEAD, vars(page))
    with as_written(PACKAGE):
        exec(head + text, vars(page))
    exec(HEAD + head + text, vars(before))
    found = page.value  # type: ignore[attr-defined]
    assert any(power.exp == -1 or power.exp == -2 for power in found.atoms(sympy.MatPow))
    concrete = {"A": sympy.Matrix([[1, 2], [3, 5]]), "B": sympy.Matrix([[0, 1], [4, 7]])}
    values = {m: concrete[m.name] for m in found.atoms(sympy.MatrixSymbol)}
    there = before.value  # type: ignore[attr-defined]
    explicit = []
    for side in (found, there):
        value = sympy.sympify(side).subs(values).doit()
        explicit.append(value.as_explicit() if hasattr(value, "as_explicit") else value)
    assert explicit[0] == explicit[1] or (not any(explicit[0]) and explicit[1] == 0)


def test_inverses_that_stay_are_written_as_usual() -> None:
    matrix = "MatrixSymbol('A', 2, 2)"
    for text in (f"{matrix}.I", f"{matrix}**-1", f"{matrix}**-2", f"{matrix}.I * {matrix}.T", f"2 * {matrix}.I"):
        assert written(text) == plain(text)
