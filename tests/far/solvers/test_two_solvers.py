"""z3 and cvc5 never disagree, whatever they are asked."""

from __future__ import annotations

import pytest
import sympy
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rgm_verify.claims import Formula, Iff, Implies, Relation, both, either
from rgm_verify.claims.formula import OPERATORS, Either, ge
from rgm_verify.lenses.solvers.smt import listening, prove

from .second_solver import Cvc5, Opinion, installed

pytestmark = pytest.mark.skipif(not installed(), reason="cvc5 is not installed; pip install 'rgm-verify[cvc5]'")

x, y = sympy.symbols("x y", real=True)
coefficients = st.fractions(-3, 3, max_denominator=4).map(lambda q: sympy.Rational(q.numerator, q.denominator))
monomials = st.tuples(coefficients, st.integers(0, 2), st.integers(0, 2)).map(lambda m: m[0] * x ** m[1] * y ** m[2])
polynomials = st.lists(monomials, min_size=1, max_size=3).map(lambda terms: sympy.Add(*terms))
terms = st.one_of(
    polynomials,
    polynomials.map(sympy.Abs),
    polynomials.map(sympy.sign),
    st.tuples(polynomials, polynomials).map(lambda pair: sympy.Max(*pair)),
    st.tuples(polynomials, polynomials).map(lambda pair: sympy.Min(*pair)),
    polynomials.map(lambda p: sympy.sqrt(p**2 + 1)),
    polynomials.map(lambda p: 1 / (p**2 + 1)),
    polynomials.map(sympy.sqrt).filter(lambda e: not e.has(sympy.I)),
    polynomials.filter(lambda p: p != 0).map(lambda p: 1 / p),
)


def formulas(sides: st.SearchStrategy[sympy.Expr]) -> st.SearchStrategy[Formula]:
    relations = st.builds(Relation, sides, st.sampled_from(OPERATORS), sides)
    joined = st.one_of(*(st.builds(make, relations, relations) for make in (both, either, Implies, Iff)))
    return st.one_of(relations, joined)


def opinion(assumption: Formula, conclusion: Formula) -> Opinion:
    """The opinion of cvc5 on z3's answer; it raises where the two disagree."""
    found = Opinion("t:random", Cvc5(work=50_000, seconds=1))
    with listening(found.hear):
        prove([assumption], conclusion, steps=200_000)
    return found


@settings(max_examples=25)
@given(formulas(polynomials), formulas(polynomials))
def test_two_solvers_never_disagree_on_polynomials(assumption: Formula, conclusion: Formula) -> None:
    opinion(assumption, conclusion)


NOTHING = Relation(sympy.Integer(0), "<", sympy.Integer(0))


def perhaps(*parts: Formula) -> Formula:
    """An assumption in which no term need be defined, as it is joined to what is false."""
    return Either((NOTHING, both(*parts)))


# Both solvers are told the same of terms without a value: of inverses of powers, and of powers of one root.
@settings(max_examples=25)
@given(formulas(terms), formulas(terms))
@example(perhaps(Relation(-1 / y**2, ">=", sympy.Integer(1))), NOTHING)
@example(perhaps(ge(-sympy.sqrt(y), 1), ge(sympy.sqrt(y) ** 3, 1)), NOTHING)
@example(perhaps(ge(1 / sympy.sqrt(y), 1), ge(-(sympy.sqrt(y) ** 3), 1)), NOTHING)
def test_two_solvers_never_disagree_on_roots_quotients_and_cases(assumption: Formula, conclusion: Formula) -> None:
    opinion(assumption, conclusion)


@settings(max_examples=15)
@given(formulas(terms))
def test_what_is_assumed_follows_for_both(formula: Formula) -> None:
    if isinstance(formula, Relation):  # below a connective nothing says that a term is a number
        found = opinion(formula, formula)
        assert found.agreed + found.unanswered <= 1
