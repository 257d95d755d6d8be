"""Relations between integers are relaxed without a change at integers, and prove what holds of integers alone."""

from __future__ import annotations

import sympy
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.claims import Page, both, eq, ge, gt, le, lt
from rgm_verify.claims.claim import Hypothesis
from rgm_verify.claims.formula import All, Either, Implies, Relation
from rgm_verify.claims.outcome.record import read_record
from rgm_verify.claims.outcome.verdict import Verdict, judge
from rgm_verify.engine.judge import run_claim
from rgm_verify.lenses import Smt
from rgm_verify.lenses.base import Context
from rgm_verify.lenses.solvers.integrality import relaxed

N, M = sympy.symbols("n m", integer=True)
X = sympy.Symbol("x", real=True)
NAMES = {"<=": "le", "<": "lt", ">=": "ge", ">": "gt", "==": "eq", "!=": "ne"}
SMALL = st.integers(-6, 6)


def holds(formula, values):
    match formula:
        case All(parts):
            return all(holds(p, values) for p in parts)
        case Either(parts):
            return any(holds(p, values) for p in parts)
        case Implies(left, right):
            return not holds(left, values) or holds(right, values)
        case Relation(left, op, right):
            gap = (left - right).subs(values)
            return bool(
                {"<=": gap <= 0, "<": gap < 0, ">=": gap >= 0, ">": gap > 0, "==": gap == 0, "!=": gap != 0}[op]
            )


@st.composite
def relations(draw):
    a, b, c, e = (draw(SMALL) for _ in range(4))
    return Relation(a * N + b * N * M, draw(st.sampled_from(["<=", "<", ">=", ">", "==", "!="])), c * M**2 + e)


FORMULAS = st.recursive(
    relations(),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(lambda p: All(tuple(p))),
        st.lists(inner, min_size=1, max_size=3).map(lambda p: Either(tuple(p))),
        st.tuples(inner, inner).map(lambda p: Implies(*p)),
    ),
    max_leaves=5,
)


@given(FORMULAS, SMALL, SMALL)
def test_a_relaxed_formula_says_the_same_at_integers(formula, n, m):
    values = {N: n, M: m}
    assert holds(relaxed(formula), values) == holds(formula, values)


@given(FORMULAS, st.fractions(-6, 6), st.fractions(-6, 6))
def test_it_asks_no_more_of_reals(formula, n, m):
    values = {N: sympy.Rational(n), M: sympy.Rational(m)}
    assert holds(relaxed(formula), values) or not holds(formula, values)


def test_relations_with_real_terms_stay():
    for formula in (le(X, N), eq(N / 2, M), ge(sympy.sqrt(N), M), lt(N, M)):
        assert relaxed(formula) == formula


def verdict(wrong=False):
    page = Page("integrality")
    x, m, k = page.real("x"), page.natural("m", lower=None), page.natural("k", lower=None)
    rounded = Hypothesis("rounded", both(le(m, x), lt(x - 1, m), le(k, x), gt(k, x - (2 if wrong else 1))))
    claim = page.lemma(
        "integrality:one-rounding", "There is one rounding", eq(k, m), given=rounded, by=Smt(),
        points={m: (-9, 9), x: m, k: m}, wrong={"one more": m + 1, "any": eq(k, 2 * m)},
    )  # fmt: skip
    return judge(read_record(run_claim(claim, Context())), {}).verdict


def test_what_holds_of_integers_alone_is_proved():
    assert verdict() is Verdict.PROVED


def test_what_fails_at_integers_is_not():
    assert verdict(wrong=True) is Verdict.REFUTED
