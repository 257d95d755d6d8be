"""Arguments of the search one by one: each proves a true statement, and none of the false ones beside it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Integral, Max, Rational, Sum, exp, log, loggamma, sign, sqrt

from rgm_verify.claims import (
    Claim,
    Formula,
    Hypothesis,
    Iff,
    Implies,
    Relation,
    Variable,
    both,
    either,
    eq,
    ge,
    gt,
    le,
    lt,
    natural,
    nonnegative,
    positive,
    real,
)
from rgm_verify.claims.evidence import Finding
from rgm_verify.lenses import Analysis
from rgm_verify.lenses.analysis.search import Domain, Goal, Prover
from rgm_verify.lenses.base import Context
from rgm_verify.lenses.points.values import truth_by_arb

X, Y, P, Q, R = real("x"), real("y"), positive("p"), positive("q"), nonnegative("r")
U = real("u", lower=0, upper=1, lower_open=True, upper_open=True)
V = real("v", lower=0, upper=1, lower_open=True, upper_open=True)
N = natural("n")
N3 = natural("j", lower=3)
x, y, p, q, r, u, v, n, j = (w.symbol for w in (X, Y, P, Q, R, U, V, N, N3))
k, t = sympy.Symbol("k", integer=True), sympy.Symbol("t", real=True)


def proves(conclusion: Formula, *variables: Variable, given_: tuple[Formula, ...] = ()) -> bool:
    claim = Claim(
        id="test:a",
        title="",
        source="test",
        where="-",
        kind="test",
        variables=variables,
        hypotheses=tuple(Hypothesis(f"h{i}", f) for i, f in enumerate(given_)),
        conclusion=conclusion,
    )
    return any(e.finding is Finding.SUPPORTS for e in Analysis().look(claim, Context()))


hockey = Max(0, 1 - exp(y - x)) - exp(p * (x - y)) / (p + 1) * (p / (p + 1)) ** p
hellinger = u * log(u / v) + (1 - u) * log((1 - u) / (1 - v)) - 2 * (1 - sqrt(u * v) - sqrt((1 - u) * (1 - v)))
TRUE_AND_FALSE: list[tuple[Relation, Relation, tuple[Variable, ...]]] = [
    # one variable in the place of a difference, and of a quotient
    (le(hockey, 0), le(hockey, -Rational(1, 10**6)), (X, Y, P)),
    (
        le((p + q) / 2 * log((p + q) / 2), (p * log(p) + q * log(q)) / 2),
        le((p + q) / 2 * log((p + q) / 2), Rational(999, 2000) * (p * log(p) + q * log(q))),
        (P, Q),
    ),
    (ge(exp(x - y) + y - x, 1), ge(exp(x - y) + y - x, Rational(1001, 1000)), (X, Y)),
    # a start where two variables are equal
    (ge(hellinger, 0), ge(hellinger, Rational(1, 10**6) * (u - v) ** 2 + Rational(1, 10**9)), (U, V)),
    # exponentials as the variable, and a logarithm undone
    (ge(log(1 + exp(x)), x), ge(log(1 + exp(x)), x + Rational(1, 10**9)), (X,)),
    (
        ge(log(2 * exp(p) / 3 + exp(-2 * p) / 3), p - 1 + exp(-p)),
        ge(log(2 * exp(p) / 3 + exp(-2 * p) / 3), p - 1 + exp(-p) + p**2 / 10),
        (P,),
    ),
    # integrals from the start of a range
    (
        le(Integral(exp(-(t**2)), (t, 0, r)), r),
        le(Integral(exp(-(t**2)), (t, 0, r)), r - r**3 / 4),
        (R,),
    ),
    (
        ge(Integral(1 / (1 + t**2) ** 2, (t, 0, r)), r / (1 + r**2) ** 2),
        ge(Integral(1 / (1 + t**2) ** 2, (t, 0, r)), r / (1 + r**2) ** 2 + r**3 / 10),
        (R,),
    ),
    # recurrences of log Gamma
    (eq(loggamma(p + 2), loggamma(p) + log(p * (p + 1))), eq(loggamma(p + 2), loggamma(p) + log(p * (p + 2))), (P,)),
]


@pytest.mark.parametrize(("true", "false", "variables"), TRUE_AND_FALSE, ids=lambda value: str(value)[:60])
def test_an_argument_proves_what_is_true_and_not_what_is_false_beside_it(true, false, variables):
    assert proves(true, *variables)
    assert not proves(false, *variables)


@pytest.mark.parametrize("slip", [sympy.S.One, Rational(1, 10**30), -sympy.S.One])
def test_an_induction_whose_unknown_drops_out_at_some_integer_proves_nothing(slip):
    """At 3 the factor is 0, so that the sum may be anything there."""
    wrong = (j - 3) * (Sum(k, (k, 1, j)) - j * (j + 1) / 2 - slip)
    assert not proves(eq(wrong, 0), N3)
    assert proves(eq(Sum(k, (k, 1, n)), n * (n + 1) / 2), N)


def test_implications_are_shown_under_what_implies_them():
    assert proves(Implies(ge(x, 1), ge(log(x), 0)), P, X, given_=(gt(x, 0),))
    assert proves(Iff(le(log(p), 0), le(p, 1)), P)
    assert proves(both(Implies(ge(p, q), ge(log(p), log(q))), ge(exp(p), 1)), P, Q)
    assert not proves(Implies(ge(p, Rational(999, 1000)), ge(log(p), 0)), P)
    assert not proves(Iff(le(log(p), 0), le(p, Rational(1001, 1000))), P)
    assert not proves(Implies(either(ge(p, 1), le(p, Rational(1, 2))), ge(log(p), 0)), P)


def test_an_implication_does_not_make_its_own_terms_defined():
    """Below 0 the logarithm has no value: what it would imply says nothing of the claim there."""
    assert not proves(Implies(ge(log(x), 0), ge(x, 1)), X)
    assert not proves(Implies(gt(x, 0), ge(x, log(x))), X)


def test_a_jump_at_the_start_of_an_integral_is_noticed():
    assert not proves(ge(r - Integral(exp(-(t**2)), (t, 0, r)), sign(r) / 10**9), R)
    assert not proves(le(Integral(1 / (t - 3), (t, 0, r)), r + 10), R)


def test_assumptions_that_contradict_each_other_leave_nothing_to_show():
    nothing = Domain((P, Q), (lt(p, q), gt(p, q)))
    assert Prover().show(Goal(-p - 1, True, nothing), 1)
    something = Domain((P, Q), (lt(p, q), gt(2 * p, q)))
    assert not Prover().show(Goal(-p - 1, True, something), 1)


numbers = st.sampled_from([Rational(a, b) for a in (-3, -2, -1, 1, 2, 3) for b in (1, 2)])
of_two = st.sampled_from(
    [p * log(p / q), q * log(q / p), p, q, sqrt(p * q), p**2 / q, (p + q) * log((p + q) / (2 * q)), exp(p - q), p - q]
)
of_one = st.sampled_from([log(1 + exp(x)), x, exp(-x), log(2 + exp(-2 * x)), exp(-2 * x), sympy.S.One])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(numbers, of_two), min_size=2, max_size=3))
def test_nothing_homogeneous_is_shown_that_fails_at_a_point(parts: Any) -> None:
    gap = sympy.Add(*(a * f for a, f in parts))
    if Prover(effort=700).show(Goal(gap, False, Domain((P, Q))), 2):
        for a in (1, 3, 10, 99, 101, 500):
            for b in (1, 7, 100, 300):
                assert truth_by_arb(ge(gap, 0), {p: Fraction(a, 100), q: Fraction(b, 100)}) is not False


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(numbers, of_one), min_size=2, max_size=3), st.booleans())
def test_nothing_of_exponentials_is_shown_that_fails_at_a_point(parts: Any, strict: bool) -> None:
    gap = sympy.Add(*(a * f for a, f in parts))
    if Prover(effort=500).show(Goal(gap, strict, Domain((X,))), 1):
        for a in (-3000, -700, -200, -51, -1, 0, 1, 30, 69, 100, 420, 2500):
            assert (
                truth_by_arb(Relation(gap, ">" if strict else ">=", sympy.S.Zero), {x: Fraction(a, 100)}) is not False
            )
