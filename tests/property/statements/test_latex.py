"""LaTeX and text are one statement: what is written of a tree is read as that tree, and any text gets an answer."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.errors import InputError
from rgm_verify.statements.latex.reading import read_latex
from rgm_verify.statements.latex.writing import latex_of
from rgm_verify.statements.parser import parse
from rgm_verify.statements.trees import (
    FUNCTIONS,
    Call,
    Compare,
    Factors,
    Name,
    Number,
    Power,
    Series,
    Sort,
    Statement,
    Terms,
    text,
)

numbers = st.builds(lambda n, k: Number(Fraction(n, 10**k)), st.integers(0, 999), st.integers(0, 3))
names = st.sampled_from(("x", "y", "alpha", "n_1", "eps", "r_rel", "gamma", "x_prime", "pi", "e")).map(Name)


def _larger(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    signed = st.lists(st.tuples(st.sampled_from("+-"), parts), min_size=2, max_size=3)
    more = st.lists(st.tuples(st.sampled_from("*/"), parts), min_size=1, max_size=2)
    calls = st.builds(
        lambda name, given: Call(name, tuple(given[: FUNCTIONS[name][0]])),
        st.sampled_from(sorted(FUNCTIONS)), st.lists(parts, min_size=2, max_size=2),
    )  # fmt: skip
    return st.one_of(
        signed.map(lambda p: Terms(tuple(p))),
        parts.map(lambda p: Terms((("-", p),))),
        st.builds(lambda first, rest: flat((("*", first), *rest)), parts, more),
        st.builds(Power, parts, parts),
        calls,
        st.builds(Series, st.sampled_from(("sum", "product", "integral")), st.sampled_from("kt"), parts, parts, parts),
        st.builds(lambda body: Series("integral", "t", None, None, body), parts),
    )


def flat(parts: Any) -> Factors:
    """Return a product whose first factor is none: LaTeX has one form for both."""
    first = parts[0][1]
    return Factors((*first.parts, *parts[1:]) if isinstance(first, Factors) else parts)


expressions = st.recursive(numbers | names, _larger, max_leaves=7)
chains = st.builds(
    lambda sides, signs: Compare(tuple(sides), tuple(signs[: len(sides) - 1])),
    st.lists(expressions, min_size=2, max_size=3),
    st.lists(st.sampled_from(("<=", "<", ">=", ">", "=")), min_size=2, max_size=2),
)
sorts = st.builds(Sort, st.sampled_from(("x", "y", "n_1")), st.sampled_from(("real", "integer")))
bounds = st.builds(
    lambda name, sign, end: Compare((Name(name), end), (sign,)),
    st.sampled_from(("x", "y", "alpha")), st.sampled_from(("<=", ">=", ">", "!=")), numbers,
)  # fmt: skip
statements = st.builds(Statement, chains, st.lists(sorts | bounds, max_size=3).map(tuple))


@given(statements)
def test_latex_of_a_tree_is_read_as_that_tree(statement: Statement) -> None:
    assert parse(text(statement)) == statement
    assert read_latex(latex_of(statement), alone=False)[0].statement == statement


pieces = st.sampled_from(
    [*"xyn12+-=<(){}|^_,.:$&'![]/", " ", "\\", r"\frac", r"\left", r"\right", r"\sum_{k=1}^n ", r"\int_0^1", r"\log ",
     r"\le ", r"\in", r"\mathbb{R}", r"\text{for all }", r"\forall ", r"\\", r"\begin{align}", r"\end{align}", r"\|",
     "dx", r"\sqrt", r"\newcommand{\a}{x}", r"\a ", r"\infty ", r"\max", r"\quad", "∞", "é"]
)  # fmt: skip


@given(st.lists(pieces, max_size=14).map("".join))
def test_any_text_is_read_or_refused(latex: str) -> None:
    try:
        found = read_latex(latex)
    except InputError:
        found = []
    assert all(parse(one.text) == one.statement for one in found)
