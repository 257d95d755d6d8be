"""Formulas survive their trees, and what has no tree is named."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.balls.special import LogRemainder, LogRemainderD, LogRemainderMoment
from rgm_verify.claims import (
    Chart,
    Claim,
    Hypothesis,
    Iff,
    Implies,
    both,
    either,
    eq,
    ge,
    gt,
    le,
    lt,
    natural,
    ne,
    positive,
    real,
)
from rgm_verify.claims.written.trees import (
    NoTree,
    chart_tree,
    expression_tree,
    formula_tree,
    read_expression,
    read_formula,
    read_statement,
    statement_tree,
)

x, y = (positive(name).symbol for name in "xy")
SYMBOLS = {"x": x, "y": y}
ONE_OF_EACH = [
    sympy.Rational(-2, 3),
    sympy.pi + sympy.E,
    x - y / 3 + x * y,
    x ** sympy.Rational(-1, 3) + sympy.sqrt(y),
    x**y,
    *(f(x - y) for f in (sympy.exp, sympy.sin, sympy.cos, sympy.sinh, sympy.cosh, sympy.tanh, sympy.erf, sympy.erfc)),
    *(f(x - y) for f in (sympy.log, sympy.gamma, sympy.loggamma, sympy.digamma, sympy.Abs, sympy.sign)),
    sympy.Min(x, y, x * y) + sympy.Max(x, 2),
    sympy.uppergamma(2 * x, y) + sympy.lowergamma(x, y),
    LogRemainder(3, x) + LogRemainderD(1, y) + LogRemainderMoment(1, 2, y) + LogRemainderMoment(4, 3, x),
]


@pytest.mark.parametrize("expression", ONE_OF_EACH, ids=str)
def test_every_function_survives_its_tree(expression):
    tree = expression_tree(expression)
    assert sympy.simplify(read_expression(json.loads(json.dumps(tree)), SYMBOLS) - expression) == 0


expressions = st.recursive(
    st.one_of(
        st.sampled_from([x, y, sympy.pi]), st.fractions(-5, 5, max_denominator=9).map(lambda q: sympy.Rational(str(q)))
    ),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(sum),
        st.tuples(inner, inner).map(lambda p: p[0] * p[1]),
        inner.map(sympy.exp),
        st.tuples(inner, st.integers(0, 3)).map(lambda p: p[0] ** p[1]),
    ),
    max_leaves=8,
)


@given(expressions)
def test_an_expression_survives_its_tree(expression):
    assert read_expression(expression_tree(expression), SYMBOLS) == expression


@pytest.mark.parametrize(
    "formula",
    [
        le(x, y),
        lt(x, 1),
        ge(x, y),
        gt(x, y),
        eq(x, y),
        ne(x, 2),
        both(le(x, y), lt(y, 3)),
        either(le(x, y), Implies(gt(x, 1), Iff(ne(x, 2), eq(y, 2)))),
    ],
)
def test_a_formula_survives_its_tree(formula):
    assert read_formula(formula_tree(formula), SYMBOLS) == formula


def test_a_statement_survives_with_the_domains_of_its_variables():
    variables = (
        positive("x"),
        real("z", lower=-1, upper=Fraction(1, 2), upper_open=True),
        natural("n", upper=9),
        real("w"),
    )
    z = variables[1].symbol
    claim = Claim("a:b", "t", "s", "w", "lemma", variables=variables, hypotheses=(Hypothesis("h", le(z, x)),),
                  conclusion=lt(z, 2 * x))  # fmt: skip
    tree = json.loads(json.dumps(statement_tree(claim)))
    assert read_statement(tree) == (variables, (le(z, x),), lt(z, 2 * x))
    assert tree["quantifier"] == "forall"
    assert tree["variables"][0] == ["x", "real", [[">", ["var", "x"], "0"]]]


def test_the_tree_of_the_identity_is_empty_and_of_another_chart_is_whole():
    unit = real("u", lower=0, upper=1)
    u, t = unit.symbol, sympy.Symbol("t", real=True)
    claim = Claim("a:b", "t", "s", "w", "lemma", variables=(unit,), conclusion=ge(u, 0))
    assert chart_tree(claim, Chart({u: (0, 1)}, {u: u}, {u: u})) == {}
    assert chart_tree(claim, Chart({u: (0, 1)}, {}, {u: u})) == {}
    same = {"variables": {"u": ["var", "u"]}, "inverse": {"u": ["var", "u"]}}
    targeted = chart_tree(claim, Chart({u: (0, 1)}, {u: u}, {u: u}), target=u, factor=sympy.Integer(2))
    assert targeted == {**same, "target": ["var", "u"], "factor": "2"}
    half = chart_tree(claim, Chart({t: (0, 2)}, {u: t / 2}, {t: 2 * u}))
    assert half["variables"] == {"u": ["mul", "1/2", ["var", "t"]]}
    assert half["inverse"] == {"t": ["mul", "2", ["var", "u"]]}


@pytest.mark.parametrize(
    "expression",
    [sympy.Float("0.5") * x, sympy.Integral(x, (x, 0, 1)), sympy.zeta(x), sympy.I, sympy.oo, sympy.polygamma(2, x)],
)
def test_what_has_no_tree_is_named(expression):
    with pytest.raises(NoTree, match="has no place in the trees"):
        expression_tree(expression)
    with pytest.raises(NoTree):
        formula_tree(ge(x, 0)) and expression_tree(expression + x)


@pytest.mark.parametrize("tree", [["var", "z"], ["cot", "1"], ["add"], [], 3, None, ["logrem", "1", "1"]])
def test_no_other_tree_is_read(tree):
    with pytest.raises(NoTree):
        read_expression(tree, SYMBOLS)
    with pytest.raises(NoTree):
        read_formula(tree, SYMBOLS)


def test_a_claim_without_a_formula_has_no_tree():
    with pytest.raises(NoTree, match="no formula"):
        statement_tree(Claim("a:b", "t", "s", "w", "lemma", informal="praise"))
    with pytest.raises(NoTree, match="no end of"):
        read_statement({"variables": [["x", "real", [["<=", ["var", "x"], ["pi"]]]]], "hypotheses": []})
