"""Statements of kept proofs, read back: their values, by an evaluator that shares nothing with what wrote them."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import pytest
import sympy

from rgm_verify.claims.formula import Relation
from rgm_verify.claims.written.trees import expression_tree
from rgm_verify.engine.discovery import load
from rgm_verify.kernel.calculus import resolved
from rgm_verify.kernel.terms import Terms

CLAIMS = Path(__file__).resolve().parents[4] / "derivations"
DIGITS = 50
CLOSE = mpmath.mpf(10) ** -30
POINTS = 1


def kept() -> dict[str, Any]:
    """Return the statements of the kept proofs."""
    files = sorted((CLAIMS / "proofs").rglob("*.json"))
    return {i: p["statement"] for f in files for i, p in json.loads(f.read_text())["proofs"].items()}


def number(text: Any) -> Any:
    value = Fraction(text)
    return mpmath.mpf(value.numerator) / value.denominator


def value(tree: Any, at: dict[str, Any]) -> Any:
    """Return the value of a tree of a statement; slopes by differences of mpmath's."""
    if isinstance(tree, str):
        return number(tree)
    head, *parts = tree
    if head == "var":
        return at[parts[0]]
    if head == "at":
        return value(parts[0], {**at, parts[1]: value(parts[2], at)})
    if head == "derivative":
        return mpmath.diff(lambda x: value(parts[0], {**at, parts[1]: x}), at[parts[1]], int(parts[2]))
    found = [value(part, at) for part in parts]
    functions = {
        "add": lambda *v: mpmath.fsum(v), "mul": lambda *v: mpmath.fprod(v), "pow": lambda x, y: x**y,
        "min": min, "max": max, "abs": abs, "exp": mpmath.exp, "log": mpmath.log, "erf": mpmath.erf,
        "gamma": mpmath.gamma, "pi": lambda: +mpmath.pi, "e": lambda: +mpmath.e, "sinh": mpmath.sinh,
        "cosh": mpmath.cosh, "tanh": mpmath.tanh, "sign": mpmath.sign,
    }  # fmt: skip
    return functions[head](*found)


_ATOMS: dict[str, Any] = {
    "inv": lambda x: 1 / x, "pi": lambda: +mpmath.pi, "pow": lambda x, y: x**y, "max": max, "exp": mpmath.exp,
    "log": mpmath.log, "erf": mpmath.erf, "gamma": mpmath.gamma,
}  # fmt: skip


def value_of_terms(terms: Terms, poly: Any, at: dict[str, Any]) -> Any:
    """Return the value of a polynomial of the kernel, by what its atoms stand for."""
    total = mpmath.mpf(0)
    for monomial, coefficient in poly.items():
        product = number(coefficient)
        for atom, exponent in monomial:
            name, *keys = terms.atoms[atom]
            inner = [value_of_terms(terms, dict(k), at) for k in keys if isinstance(k, tuple)]
            if name == "var":
                found = at[keys[0]]
            else:
                found = inner[0] ** (number(1) / keys[0]) if name == "root" else _ATOMS[name](*inner)
            product *= found**exponent
        total += product
    return total


def sides(tree: Any) -> list[Any]:
    """Return the two sides of each relation of a formula."""
    if tree[0] in ("<=", "<", ">=", ">", "==", "!="):
        return list(tree[1:])
    return [side for part in tree[1:] for side in sides(part)]


STATEMENTS = kept()


def test_the_kernels_terms_have_the_values_of_the_statement() -> None:
    """At random positive points, at 50 digits; a side that has no real value at a point is left out there."""
    compared = 0
    draw = random.Random(14)
    for name, stated in STATEMENTS.items():
        kinds = {variable: kind == "integer" for variable, kind, _ in stated["variables"]}
        trees = [
            stated["conclusion"],
            *stated["hypotheses"],
            *(r for _, _, domain in stated["variables"] for r in domain),
        ]
        for side in [s for tree in trees for s in sides(tree)][:3]:
            terms = Terms(kinds)
            poly = terms.poly(resolved(side, kinds))
            for _ in range(POINTS):
                with mpmath.workdps(DIGITS):
                    at = {v: mpmath.mpf(draw.randint(1, 6)) if whole else number(Fraction(draw.randint(1, 60), 17))
                          for v, whole in kinds.items()}  # fmt: skip
                    try:
                        expected, found = value(side, at), value_of_terms(terms, poly, at)
                    except (ZeroDivisionError, ValueError, OverflowError):
                        continue
                    if mpmath.im(expected) or mpmath.im(found) or not mpmath.isfinite(expected):
                        continue
                    # A slope by differences has half of the digits.
                    slack = mpmath.mpf(10) ** -12 if '"derivative"' in json.dumps(side) else CLOSE
                    assert abs(expected - found) <= slack * (1 + abs(expected)), (name, side, at)
                    compared += 1
    assert compared >= 2 * len(STATEMENTS)


def test_the_statements_values_are_those_of_the_claims_formula() -> None:
    """SymPy evaluates the claim's own formula at exact random points."""
    paper = load(CLAIMS)
    draw = random.Random(41)
    compared = 0
    for name in draw.sample(sorted(STATEMENTS), 30):
        claim = paper.claims.get(name)
        if claim is None or not isinstance(claim.conclusion, Relation):
            continue
        tree = STATEMENTS[name]["conclusion"]
        for expression, side in zip((claim.conclusion.lhs, claim.conclusion.rhs), tree[1:], strict=True):
            if expression.has(sympy.Derivative) or '"derivative"' in json.dumps(side) or '"at"' in json.dumps(side):
                continue
            symbols = sorted(expression.free_symbols, key=str)
            at = {s: sympy.Integer(draw.randint(1, 6)) if s.is_integer else sympy.Rational(draw.randint(1, 60), 17)
                  for s in symbols}  # fmt: skip
            with mpmath.workdps(DIGITS):
                try:
                    mine = value(side, {s.name: number(str(v)) for s, v in at.items()})
                except (ZeroDivisionError, ValueError, OverflowError):
                    continue
                exact = sympy.N(expression.subs(at), DIGITS)
                if mpmath.im(mine) or not exact.is_real:
                    continue
                assert abs(mine - mpmath.mpf(str(exact))) <= CLOSE * (1 + abs(mine)), (name, side, at)
                compared += 1
    assert compared >= 20


x = sympy.Symbol("x", positive=True)


@pytest.mark.parametrize(
    ("expression", "tree"),
    [
        (sympy.Derivative(sympy.log(x), x), ["derivative", ["log", ["var", "x"]], "x", "1"]),
        (sympy.Derivative(x**3, (x, 2)), ["derivative", ["pow", ["var", "x"], "3"], "x", "2"]),
    ],
)
def test_a_binder_is_written_with_its_variable_and_order(expression: sympy.Expr, tree: Any) -> None:
    assert expression_tree(expression, binders=True) == tree
    with mpmath.workdps(DIGITS):
        mine = value(tree, {"x": mpmath.mpf(3) / 2})
        exact = sympy.N(expression.doit().subs(x, sympy.Rational(3, 2)), DIGITS)
        assert abs(mine - mpmath.mpf(str(exact))) < mpmath.mpf(10) ** -12
