"""The search proves what is true, and nothing that fails at a point."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sympy import Abs, Max, Rational, Sum, binomial, cos, cosh, erfc, exp, factorial, harmonic, log, pi, sin, sqrt, tanh

from rgm_verify.claims import (
    Claim,
    Formula,
    Hypothesis,
    Variable,
    both,
    eq,
    ge,
    gt,
    le,
    lt,
    natural,
    ne,
    nonnegative,
    positive,
    real,
)  # fmt: skip
from rgm_verify.claims.evidence import Evidence, Finding, Kind
from rgm_verify.lenses import Analysis
from rgm_verify.lenses.analysis.search import Domain, Goal, Prover
from rgm_verify.lenses.base import Context
from rgm_verify.lenses.points.sampling import exact_points
from rgm_verify.lenses.points.values import truth_by_arb

X, Y, P, Q, R, N, M = (
    real("x"), real("y"), positive("p"), positive("q"), nonnegative("r"), natural("n"), real("m", integer=True),
)  # fmt: skip
U, V = (real(n, lower=0, upper=1, lower_open=True, upper_open=True) for n in "uv")
x, y, p, q, r, n, m, u, v = (w.symbol for w in (X, Y, P, Q, R, N, M, U, V))
k = sympy.Symbol("k", integer=True)
kl = u * log(u / v) + (1 - u) * log((1 - u) / (1 - v))


def claim(conclusion: Formula, *variables: Variable, given: tuple[Formula, ...] = (), **rest: Any) -> Claim:
    hypotheses = tuple(Hypothesis(f"h{i}", f) for i, f in enumerate(given))
    return Claim(
        id="test:a", title="", source="test", where="-", kind="test", variables=variables, hypotheses=hypotheses,
        conclusion=conclusion, **rest,
    )  # fmt: skip


def look(*arguments: Any, **rest: Any) -> list[Evidence]:
    return Analysis().look(claim(*arguments, **rest), Context())


def proves(*arguments: Any, **rest: Any) -> bool:
    return any(e.finding is Finding.SUPPORTS for e in look(*arguments, **rest))


TIGHT: list[tuple[sympy.Expr, tuple[Variable, ...]]] = [
    (p - 1 - log(p), (P,)),
    (exp(x) - 1 - x, (X,)),
    (log(1 + r) - 2 * r / (2 + r), (R,)),
    (exp(-(r**2)) - erfc(r), (R,)),
    (r - tanh(r), (R,)),
    (exp(x**2 / 2) - cosh(x), (X,)),
    (r - sin(r), (R,)),
    (cos(x) - 1 + x**2 / 2, (X,)),
    (kl, (U, V)),
    (kl - 2 * (u - v) ** 2, (U, V)),
    (p * log(p) - p - p * y + exp(y), (P, Y)),
    ((exp(x) + exp(y)) / 2 - exp((x + y) / 2), (X, Y)),
    (p**2 / 2 + q**2 / 2 - p * q, (P, Q)),
    (x**2 / 8 + u * x - log(1 - u + u * exp(x)), (U, X)),
    (Abs(x) + Abs(y) - Abs(x + y), (X, Y)),
    (Max(x, y) - (x + y) / 2, (X, Y)),
]


@pytest.mark.parametrize(("gap", "variables"), TIGHT, ids=str)
def test_what_is_true_and_tight_is_proved_and_what_is_a_little_less_is_not(gap, variables):
    if not gap.has(x, u):
        assert proves(ge(gap, 0), *variables)
    for wrong in (gap - Rational(1, 10**6), gap * (1 + gap) - Rational(1, 10**4)):
        assert not proves(ge(wrong, 0), *variables)
    assert not proves(gt(gap, 0), *variables)
    assert not proves(le(gap, 0), *variables)


@pytest.mark.parametrize(
    ("gap", "variables"), [case for case in TIGHT if case[0].has(x, u) and not case[0].has(Abs)], ids=str
)
def test_more_that_is_tight_is_proved(gap, variables):
    assert proves(ge(gap, 0), *variables)


def test_a_factor_that_is_not_one_breaks_each_of_them():
    assert proves(ge(log(1 + r), r - r**2 / 2), R)
    assert not proves(ge(log(1 + r), r - r**2 * Rational(499, 1000)), R)
    assert not proves(ge(kl, Rational(2001, 1000) * (u - v) ** 2), U, V)
    assert not proves(ge(log(1 + x), x - x**2 / 2), X)  # log of something negative


numbers = st.fractions(min_value=-2, max_value=2, max_denominator=4).map(lambda f: Rational(f.numerator, f.denominator))
one = st.sampled_from([p, exp(p), log(p), exp(-p), sqrt(p), 1 / p, p**2, tanh(p), sympy.Integer(1), erfc(p), sin(p)])
two = st.sampled_from([p, q, p * q, log(p), log(q), p / q, exp(p - q), log(p + q), sqrt(p * q), Abs(p - q), q**p])


@settings(max_examples=120, deadline=None)
@given(st.lists(st.tuples(numbers, one, one), min_size=1, max_size=3), st.booleans(), numbers)
def test_nothing_of_one_variable_is_shown_that_fails_at_a_point(parts, strict, shift):
    gap = sympy.Add(shift, *(a * f * g for a, f, g in parts))
    assume(gap.free_symbols)
    prover = Prover(effort=900)
    if prover.show(Goal(gap, strict, Domain((P,)))):
        for k in (1, 3, 7, 20, 50, 99, 101, 200, 500, 3000):
            for formula in (gt(gap, 0) if strict else ge(gap, 0),):
                assert truth_by_arb(formula, {p: Fraction(k, 100)}) is not False


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(numbers, two), min_size=1, max_size=3), st.booleans(), st.booleans())
def test_nothing_of_two_variables_is_shown_that_fails_at_a_point(parts, strict, ordered):
    gap = sympy.Add(*(a * f for a, f in parts))
    assume(gap.free_symbols)
    given_ = (lt(p, q),) if ordered else ()
    prover = Prover(effort=900)
    if prover.show(Goal(gap, strict, Domain((P, Q), given_)), 3):
        formula = gt(gap, 0) if strict else ge(gap, 0)
        whole = claim(formula, P, Q, given=given_)
        for point in exact_points(whole, "soundness", 1, 40):
            assert truth_by_arb(formula, point) is not False


def test_strict_claims_need_more_than_a_start():
    assert proves(gt(exp(x), x), X)
    assert proves(gt(p, log(1 + p)), P)
    assert not proves(gt(r, log(1 + r)), R)
    assert not proves(gt(p, log(p) + 1), P)


def test_ends_and_poles_are_not_passed():
    assert not proves(ge(1 / x, 0), X, given=(ne(x, 0),))
    z = nonnegative("z", upper=2)
    s = z.symbol
    assert not proves(le(1 / (s - 1), 1 / (sympy.Integer(2) - 1)), z, given=(ne(s, 1),))
    assert not proves(ge(log(s), 0), z)


def test_hypotheses_bound_the_way():
    assert proves(le((q - p) / (log(q) - log(p)), (p + q) / 2), P, Q, given=(lt(p, q),))
    assert not proves(le((q - p) / (log(q) - log(p)), (p + q) / 2), P, Q)  # 0/0 where p = q
    assert not proves(ge(q - p, 1), P, Q, given=(lt(p, q),))
    assert proves(ge(1 / p + 1 / q, 4), P, Q, given=(eq(p + q, 1),))
    assert not proves(ge(1 / p + 1 / q, 5), P, Q, given=(eq(p + q, 1),))


def test_induction():
    squares = Sum(k**2, (k, 1, n))
    assert proves(eq(Sum(k * 2**k, (k, 1, n)), (n - 1) * 2 ** (n + 1) + 2), N)
    assert proves(le(Sum(1 / k**2, (k, 1, n)), 2 - 1 / n), N)
    assert proves(ge(harmonic(n), log(n + 1)), N)
    assert proves(ge(factorial(n), 2 ** (n - 1)), N)
    assert proves(ge(binomial(2 * n, n), 4**n / (2 * n + 1)), N)
    assert not proves(eq(squares, n * (n + 1) * (2 * n + 1) / 6 + 1), N)
    assert not proves(ge(factorial(n), 2**n), N)  # it fails at 1, and the step holds
    assert not proves(le(Sum(1 / k**2, (k, 1, n)), 2 - 2 / n), N)
    assert not proves(ge(harmonic(n), log(n + 1) + Rational(3, 5)), N)
    assert not proves(le(harmonic(n), 3), N)  # it holds up to n = 10
    assert not proves(le(2**n, 2 * n), N, given=(le(n, 3),))  # what holds at n need not be assumed at n + 1


def test_an_induction_over_an_equation_that_says_nothing_at_an_integer_stops_there():
    three_on = natural("n", lower=3)
    m = three_on.symbol
    total = Sum(k, (k, 1, m))
    assert proves(eq((m - 2) * total, (m - 2) * m * (m + 1) / 2), three_on)
    assert not proves(eq((m - 3) * total, (m - 3) * (m * (m + 1) / 2 + 7)), three_on)  # it holds at 3, and fails from 4
    assert proves(eq((m - 3) * total, (m - 3) * m * (m + 1) / 2), natural("n", lower=4))


def test_integers():
    assert proves(ge(m**2, m), M)
    assert proves(ne(m**2 + m, 1), M)
    assert proves(ge(m * (m + 1), 0), M)
    assert not proves(gt(m**2, m), M)
    assert not proves(ne(m**2 + m, 20), M)
    assert not proves(ge(m * (m + 1), 1), M)


def exists(conclusion: Formula, *variables: Variable) -> list[Evidence]:
    return look(conclusion, *variables, quantifier="exists")


def test_a_power_of_a_negative_number_is_none_of_a_real_exponent():
    whole = natural("k", lower=0)
    power = Rational(-1, 2) ** (whole.symbol + 1)
    assert not proves(le(power, Rational(1, 5)), whole)
    assert not proves(le(power, Rational(1, 10)), whole)


def test_existence():
    unit = real("z", lower=0, upper=1)
    z = unit.symbol
    found = exists(eq(cos(z), z), unit)
    assert [(e.finding, e.kind) for e in found] == [(Finding.SUPPORTS, Kind.EXACT_WITNESS)]
    assert exists(eq(exp(x), x), X)[0].finding is Finding.REFUTES
    half = real("z", lower=0, upper=Rational(1, 2))
    assert exists(eq(cos(half.symbol), half.symbol), half)[0].finding is Finding.REFUTES
    pole = real("z", lower=-1, upper=1)
    assert exists(eq(1 / pole.symbol, Rational(1, 10**9)), pole)[0].finding is not Finding.SUPPORTS
    whole = natural("z")
    assert exists(eq(whole.symbol**2, 2), whole)[0].finding is not Finding.SUPPORTS


@pytest.mark.parametrize(("number", "refuted"), [(103, True), (-1, True), (7, True), (101, False)])
def test_no_integers_solve_an_equation_that_remainders_refute(number, refuted):
    a, b = real("a", integer=True), real("b", integer=True)
    found = exists(eq(a.symbol**2 + b.symbol**2, number), a, b)
    assert (found[0].finding is Finding.REFUTES) == refuted


def test_equations():
    assert proves(eq(tanh(x), (exp(2 * x) - 1) / (exp(2 * x) + 1)), X)
    assert proves(eq(sympy.erf(x) + erfc(x), 1), X)
    assert proves(eq(sympy.atan(p) + sympy.atan(1 / p), pi / 2), P)
    assert not proves(eq(sympy.atan(x) + sympy.atan(1 / x), pi / 2), X, given=(ne(x, 0),))
    assert not proves(eq(sympy.sign(x) ** 2, 1), X)
    assert proves(eq(sqrt(2) + sqrt(3), sqrt(5 + 2 * sqrt(6))))
    assert not proves(eq(sqrt(2) + sqrt(3), sqrt(5 + 2 * sqrt(6)) + Rational(1, 10**40)))


def test_several_relations_are_shown_one_by_one():
    assert proves(both(ge(exp(x), 1 + x), gt(exp(x), 0)), X)
    assert not proves(both(ge(exp(x), 1 + x), gt(exp(x), 1)), X)


def test_what_was_not_shown_is_named():
    (found,) = look(ge(exp(x) + x, 0), X)
    assert found.finding is Finding.UNDECIDED
    assert "was not shown" in found.summary
    assert found.details["open"]
    assert "Monotone" in found.details["help"]


def test_a_false_relation_of_numbers_is_no_open_step():
    prover = Prover()
    assert not prover.show(Goal(sympy.Integer(-1), True, Domain(())))
    assert not prover.show(Goal(sympy.Integer(-1) * X.symbol**2, True, Domain((X,))))
    assert prover.open
    assert not any("-1 > 0" in said for said in prover.open)
