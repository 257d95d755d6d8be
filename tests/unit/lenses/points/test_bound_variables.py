"""Derivatives, substitutions and sums in claims: what the lenses make of them, and where they are defined."""

from __future__ import annotations

from typing import Any

import pytest
import sympy

from rgm_verify.claims import (
    At,
    Claim,
    Formula,
    FormulaError,
    Hypothesis,
    Mutant,
    Variable,
    both,
    chain,
    eq,
    ge,
    gt,
    le,
    natural,
    ne,
    nonnegative,
    positive,
    printed,
    real,
)
from rgm_verify.claims.evidence import Finding
from rgm_verify.claims.outcome.record import read_record
from rgm_verify.claims.outcome.verdict import Verdict, judge
from rgm_verify.engine.judge import run_claim
from rgm_verify.lenses import Combination, Identity, Monotone, Points, Region, Search, Smt
from rgm_verify.lenses.base import PROFILES, Context, Lens
from rgm_verify.lenses.controls import is_trivial
from rgm_verify.lenses.points.interval import sign_by_intervals
from rgm_verify.lenses.points.numeric import mpmath_value
from rgm_verify.lenses.points.values import undefined_part
from rgm_verify.lenses.solvers.definedness import UNKNOWN, Need, needs

X, Y, P, Q, N = real("x"), real("y"), positive("p"), nonnegative("q"), natural("n")
BOX = real("z", lower=1, upper=2)
x, y, p, q, n, z = (v.symbol for v in (X, Y, P, Q, N, BOX))
k = sympy.Symbol("k", integer=True)
D, Sum, Product, log, root = sympy.Derivative, sympy.Sum, sympy.Product, sympy.log, sympy.sqrt


def claim(conclusion: Formula, *variables: Variable, given: tuple[Formula, ...] = (), **rest: Any) -> Claim:
    hypotheses = tuple(Hypothesis(f"h{i}", f) for i, f in enumerate(given))
    return Claim(
        id="test:claim",
        title="t",
        source="s",
        where="w",
        kind="lemma",
        variables=variables,
        hypotheses=hypotheses,
        conclusion=conclusion,
        **rest,
    )


def finding(lens: Lens, about: Claim) -> Finding:
    (found,) = lens.run(about, Context(profile=PROFILES["quick"]))
    return found.finding


def verdict(about: Claim) -> Verdict:
    return judge(read_record(run_claim(about, Context(profile=PROFILES["quick"], seed=1))), {}).verdict


@pytest.mark.parametrize(
    ("about", "wrong"),
    [
        (claim(eq(D(log(p), p), 1 / p), P), claim(eq(D(log(p), p), 1 / p**2), P)),
        (claim(eq(D(x**3, (x, 2)), 6 * x), X), claim(eq(D(x**3, (x, 2)), 3 * x), X)),
        (claim(eq(At(D(x**3, x), x, y), 3 * y**2), Y), claim(eq(At(D(x**3, x), x, y), 3 * y), Y)),
        (claim(eq(Sum(k, (k, 1, n)), n * (n + 1) / 2), N), claim(eq(Sum(k, (k, 1, n)), n * (n - 1) / 2), N)),
        (claim(eq(Product(x + k, (k, 0, 1)), x**2 + x), X), claim(eq(Product(x + k, (k, 0, 1)), x**2), X)),
    ],
)
def test_a_right_result_is_proved_by_every_lens_and_a_wrong_one_by_none(about: Claim, wrong: Claim) -> None:
    for lens in (Identity(), Smt(), Points()):
        assert finding(lens, about) is Finding.SUPPORTS
    for lens in (Identity(), Smt()):
        assert finding(lens, wrong) is not Finding.SUPPORTS
    assert finding(Points(), wrong) is finding(Search(), wrong) is Finding.REFUTES


def test_two_routes_that_share_no_code_look_at_a_derivative() -> None:
    (found,) = Points().run(claim(eq(D(root(p) * log(p), p), log(p) / (2 * root(p)) + 1 / root(p)), P), Context())
    assert found.families == ("arb", "mpmath")
    assert found.details["arb"] == found.details["mpmath"] == found.details["points"]
    slope = D(p**3, p)
    value, _ = mpmath_value(slope, {p: sympy.Rational(2)})
    assert value == 12
    assert sign_by_intervals(slope - 12, {p: sympy.Rational(3)}) == "positive"


def test_a_wrong_derivative_is_refuted_and_a_right_one_proved_controls_included() -> None:
    controls = (Mutant("a factor", eq(D(p**2, p), p)), Mutant("a sign", eq(D(p**2, p), -2 * p)))
    assert verdict(claim(eq(D(p**2, p), 2 * p), P, mutants=controls)) is Verdict.PROVED
    assert verdict(claim(eq(D(p**2, p), 3 * p), P, mutants=controls)) is Verdict.REFUTED


def test_inequalities_about_derivatives_reach_the_other_proof_lenses() -> None:
    convex = D(x**4 / 12, (x, 2))
    assert finding(Combination(((x, x),)), claim(ge(convex, 0), X)) is not Finding.SUPPORTS
    assert finding(Combination(((x**2,),)), claim(ge(convex, 0), X)) is Finding.SUPPORTS
    falling = claim(le(D(log(1 + q) - q, q), 0), Q)
    assert finding(Monotone(q, sympy.S.Zero, 1), falling) is Finding.SUPPORTS
    assert finding(Region(), claim(ge(D(z * log(z), z), 1), BOX)) is Finding.SUPPORTS
    assert finding(Region(), claim(ge(D(z * log(z), z), 2), BOX)) is Finding.REFUTES
    assert finding(Smt(), claim(ge(y, 2), X, Y, given=(ge(y, At(D(x**2, x), x, 1)),))) is Finding.SUPPORTS


@pytest.mark.parametrize(
    ("expression", "conditions"),
    [
        (D(log(x), x), [gt(x, 0)]),
        (D(root(x + 2), x), [gt(x + 2, 0)]),
        (D(1 / x, x), [ne(x, 0)]),
        (D(x ** sympy.Rational(3, 2), x), [gt(x, 0)]),
        (D(x * y**3, x), []),
        (D(x * root(y), x), [ge(y, 0)]),
        (D(x**y, y), [gt(x, 0)]),
        (D(x**n, x), []),
        (D(D(log(x), y) + y * log(x), y), [gt(x, 0)]),
        (D(sympy.Abs(x), x), [UNKNOWN]),
        (D(sympy.Max(x, y), x), [UNKNOWN]),
        (D(sympy.sign(x), x), [UNKNOWN]),
        (D(x**n, n), [UNKNOWN, gt(x, 0)]),
        (At(log(x), x, y - 1), [gt(y - 1, 0)]),
        (At(log(p), p, y), [gt(y, 0)]),
        (At(y**n, n, x), [gt(y, 0)]),
        (At(root(x), x, log(y)), [gt(y, 0), ge(log(y), 0)]),
        (At(D(root(x), x), x, y), [gt(y, 0)]),
        (At(sympy.Abs(x), x, y), []),
        (D(At(log(x), x, y), y), [gt(y, 0)]),
        (Sum(1 / (x - k), (k, 1, 2)), [ne(x - 1, 0), ne(x - 2, 0)]),
        (Sum(x**k, (k, 0, n)), []),
        (Sum(1 / (1 + k), (k, 0, n)), []),
        (Sum(1 / k, (k, 0, n)), [UNKNOWN]),
        (Sum(k, (k, 1, x)), [UNKNOWN]),
        (Product(log(x + k), (k, 0, 1)), [gt(x, 0), gt(x + 1, 0)]),
    ],
)
def test_what_binds_a_variable_asks_for_what_makes_it_a_real_number(
    expression: sympy.Expr, conditions: list[Need]
) -> None:
    assert list(needs(expression)) == conditions


@pytest.mark.parametrize(
    "about",
    [
        claim(eq(D(log(x), x), 1 / x), X),
        claim(eq(D(sympy.Abs(x), x) ** 2, 1), X),
        claim(eq(At(log(x), x, y), log(y)), Y),
        claim(eq(D(root(q), q) * 2 * root(q), 1), Q),
    ],
)
def test_nothing_is_proved_where_a_function_has_no_derivative(about: Claim) -> None:
    for lens in (Identity(), Smt()):
        assert finding(lens, about) is not Finding.SUPPORTS


def test_a_point_outside_of_the_domain_of_the_function_refutes() -> None:
    relation = eq(D(log(x), x), 1 / x)
    gap = undefined_part(relation, {x: sympy.Rational(-1)})
    assert gap is not None
    assert finding(Search(), claim(relation, X)) is Finding.REFUTES
    assert finding(Search(), claim(eq(At(log(x), x, y - 1), log(y - 1)), Y)) is Finding.REFUTES


def test_a_hypothesis_about_a_derivative_grants_what_makes_it_one_and_no_more() -> None:
    about = claim(ge(p * x, 0), X, P, given=(ge(D(log(x), x), 0),))
    assert finding(Smt(), about) is Finding.SUPPORTS
    weaker = claim(ne(x, 0), X, N, given=(eq(D(x**n, x), D(x**n, x) + 0 * x, definition=True),))
    assert finding(Smt(), weaker) is not Finding.SUPPORTS


def test_a_printed_side_keeps_its_operations_and_is_checked_by_every_lens() -> None:
    quotient = printed(lambda: p**2 / (p**2 / 2))
    assert quotient != 2
    assert verdict(claim(eq(quotient, 2), P, mutants=(Mutant("one", eq(quotient, p)),))) is Verdict.PROVED
    assert verdict(claim(eq(quotient, 3), P)) is Verdict.REFUTED


def test_a_claim_whose_sides_are_one_object_is_undecided_with_the_reason() -> None:
    record = run_claim(claim(eq(sympy.diff(x**2, x), 2 * x), X), Context(profile=PROFILES["quick"]))
    assert judge(read_record(record), {}).verdict is Verdict.UNDECIDED
    (note,) = record["evidence"]
    assert "the same expression, 2*x, on both sides" in note["summary"]
    assert "Derivative(f, x)" in note["summary"]


def test_a_definition_counts_only_beside_something_that_asserts() -> None:
    controls = (Mutant("half", ge(4 * x**2, 8 * x**2 + 1)),)
    alone = claim(eq(2 * x, 2 * x, definition=True), X)
    beside = claim(both(eq(2 * x, 2 * x, definition=True), ge(x**2, 0)), X, mutants=controls)
    in_a_chain = claim(chain(2 * x, ":=", 2 * x, "<=", x**2 + 1), X, mutants=controls)
    assert verdict(alone) is Verdict.UNDECIDED
    assert verdict(beside) is Verdict.PROVED
    assert verdict(in_a_chain) is Verdict.PROVED


def test_a_control_about_a_constant_slope_is_trivial() -> None:
    about = claim(eq(D(p**2, p), 2 * p), P)
    assert is_trivial(about, Mutant("a line", eq(D(2 * p, p), 3)))
    assert not is_trivial(about, Mutant("a square", eq(D(p**2, p), 3)))


def test_sympys_own_substitution_is_refused_with_what_to_write() -> None:
    with pytest.raises(FormulaError, match=r"write At\(f, x, a\)"):
        eq(sympy.Subs(x**2, x, y), y**2)
