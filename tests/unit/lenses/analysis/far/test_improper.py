"""Improper integrals: values that are known in closed form, and integrals that a careless antiderivative gets wrong."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from rgm_verify import check
from rgm_verify.claims import Claim, Hypothesis, Mutant, Variable, eq, gt, le, real
from rgm_verify.claims.formula import FormulaError, Relation
from rgm_verify.claims.outcome.record import read_record
from rgm_verify.claims.outcome.verdict import Verdict, judge
from rgm_verify.engine.judge import run_claim
from rgm_verify.lenses.analysis.improper import Value, value, with_values
from rgm_verify.lenses.analysis.search import Domain
from rgm_verify.lenses.base import PROFILES, Context

T = sympy.Symbol("t", real=True)
A = real("a", lower=0, lower_open=True)
M, S = real("m"), real("s", lower=0, lower_open=True)
a, m, s = (v.symbol for v in (A, M, S))
oo = sympy.oo
RATIONALS = st.fractions(min_value=-4, max_value=4, max_denominator=6)
PROVED = (Verdict.PROVED, Verdict.CERTIFIED)


def shown(f: sympy.Expr, lower: object, upper: object, *variables: Variable) -> sympy.Expr:
    """The value of an integral over t; fails with the reason where there is none."""
    found = value(sympy.Integral(f, (T, lower, upper)), Domain(variables))
    assert isinstance(found, Value), found
    return found.value


def verdict(claim: Claim) -> Verdict:
    context = Context(profile=PROFILES["quick"], seed=1, claims={claim.id: claim})
    return judge(read_record(run_claim(claim, context)), {}).verdict


def polynomial(coefficients: list[Fraction], x: sympy.Expr) -> sympy.Expr:
    return sympy.Add(*(sympy.Rational(c.numerator, c.denominator) * x**k for k, c in enumerate(coefficients)))


@settings(max_examples=10, deadline=None)
@given(st.lists(RATIONALS, min_size=1, max_size=4), RATIONALS)
def test_moments_of_an_exponential_law_are_factorials(coefficients: list[Fraction], start: Fraction) -> None:
    """The integral of (t - c)^k exp(-a (t - c)) from c on is k!/a^(k + 1)."""
    c = sympy.Rational(start.numerator, start.denominator)
    found = shown(polynomial(coefficients, T - c) * sympy.exp(-a * (T - c)), c, oo, A)
    wanted = sympy.Add(
        *(
            sympy.Rational(q.numerator, q.denominator) * math.factorial(k) / a ** (k + 1)
            for k, q in enumerate(coefficients)
        )
    )
    assert sympy.simplify(found - wanted) == 0


@settings(max_examples=15, deadline=None)
@given(st.lists(RATIONALS, min_size=1, max_size=5))
def test_moments_of_a_normal_law_are_double_factorials(coefficients: list[Fraction]) -> None:
    """The central moment of order k is (k - 1)!! s^k for an even k, and 0 for an odd one."""
    density = sympy.exp(-((T - m) ** 2) / (2 * s**2)) / (s * sympy.sqrt(2 * sympy.pi))
    found = shown(polynomial(coefficients, T - m) * density, -oo, oo, M, S)
    wanted = sympy.Add(
        *(
            sympy.Rational(q.numerator, q.denominator) * sympy.factorial2(k - 1) * s**k
            for k, q in enumerate(coefficients)
            if k % 2 == 0
        )
    )
    assert sympy.simplify(found - wanted) == 0


@pytest.mark.parametrize(
    ("f", "lower", "upper", "wanted"),
    [
        (1 / (1 + T**2), -oo, oo, sympy.pi),
        (sympy.exp(T), -oo, 0, 1),
        (sympy.exp(-(T**2)), -oo, oo, sympy.sqrt(sympy.pi)),
        (sympy.exp(-sympy.Abs(T - 3)), -oo, oo, 2),
        (sympy.exp(-sympy.Abs(T - 1) - sympy.Abs(T + 1)), -oo, oo, 3 * sympy.exp(-2)),
        (sympy.exp(-2 * sympy.Abs(3 - T)), 5, oo, sympy.exp(-4) / 2),
        (1 / T**2, -oo, -1, 1),
        (1 / sympy.sqrt(T), 0, 4, 4),
        (sympy.log(T), 0, 1, -1),
    ],
)
def test_integrals_of_a_textbook(f: sympy.Expr, lower: object, upper: object, wanted: sympy.Expr) -> None:
    assert sympy.simplify(shown(f, lower, upper) - wanted) == 0


def test_a_tail_of_a_normal_law_is_written_by_erfc() -> None:
    found = shown(sympy.exp(-(T**2) / 2), m, oo, M)
    assert found.has(sympy.erfc)
    assert not found.has(sympy.erf)
    assert sympy.simplify(found - sympy.sqrt(sympy.pi / 2) * sympy.erfc(m / sympy.sqrt(2))) == 0


@pytest.mark.parametrize(
    ("f", "lower", "upper"),
    [
        (1 / T, 1, oo),
        (1 / sympy.sqrt(T), 1, oo),
        (sympy.exp(T), 0, oo),
        (T, -oo, oo),
        (1 / T, 0, 1),
        (1 / T**2, 0, 1),
        (1 / (1 - T), 0, 1),
    ],
)
def test_a_divergent_integral_is_said_to_diverge(f: sympy.Expr, lower: object, upper: object) -> None:
    found = value(sympy.Integral(f, (T, lower, upper)), Domain(()))
    assert isinstance(found, str)
    assert "diverges" in found


@pytest.mark.parametrize(
    ("f", "lower", "upper", "variables"),
    [
        (1 / T**2, -oo, oo, ()),  # the antiderivative -1/t has the limit 0 at both ends
        (1 / T**2, -1, 1, ()),
        (1 / T, -1, 1, ()),  # a principal value is no integral
        (1 / T**3, -oo, oo, ()),
        (1 / (2 + sympy.cos(T)), 0, 2 * sympy.pi, ()),  # an arctangent of a tangent jumps
        (1 / (T - m) ** 2, 0, oo, (M,)),  # m may lie inside
        (sympy.sin(T), 0, oo, ()),  # no limit
        (sympy.exp(-m * T), 0, oo, (M,)),  # m may be 0, or negative
        (T ** (-m), 1, oo, (M,)),
        (sympy.floor(T) * sympy.exp(-T), 0, oo, ()),
        (sympy.exp(-sympy.Abs(T**2 - 1)), -oo, oo, ()),
    ],
)
def test_no_value_is_given_where_the_rule_does_not_apply(
    f: sympy.Expr, lower: object, upper: object, variables: tuple[Variable, ...]
) -> None:
    assert isinstance(value(sympy.Integral(f, (T, lower, upper)), Domain(variables)), str)


P = real("p", lower=0, upper=1)
p_ = P.symbol


@pytest.mark.parametrize(
    ("f", "lower", "upper", "wanted"),
    [
        (sympy.Abs(T - p_), 0, 1, p_**2 - p_ + sympy.Rational(1, 2)),
        (sympy.Abs(p_ - 2 * T), -1, 2, p_**2 / 2 - p_ + 5),
        (sympy.Max(T, p_), 0, 1, (1 + p_**2) / 2),
        (sympy.Min(T, p_), 0, 1, p_ - p_**2 / 2),
        # The place where they change over lies at an end or beyond it.
        (sympy.Max(T, p_), 1, 2, sympy.Rational(3, 2)),
        (sympy.Max(T, p_), -3, 0, 3 * p_),
        (sympy.Min(1, (1 + p_) * sympy.exp(-T)), 0, oo, 1 + sympy.log(1 + p_)),
        (sympy.Max(0, 1 - sympy.exp(T)), -2, 3, 1 + sympy.exp(-2)),
        (sympy.Abs(T - p_) + sympy.Max(0, T - 1), 0, 2, p_**2 - 2 * p_ + sympy.Rational(5, 2)),
    ],
    ids=str,
)
def test_a_range_is_split_where_two_members_change_over(
    f: sympy.Expr, lower: object, upper: object, wanted: sympy.Expr
) -> None:
    """Also where one of the two parts has no width for some values of the parameter."""
    assert sympy.simplify(shown(f, lower, upper, P) - wanted) == 0


@pytest.mark.parametrize(
    ("f", "lower", "upper"),
    [
        # Beyond 1/2 the place lies outside of the range.
        (sympy.Abs(T - p_), 0, sympy.Rational(1, 2)),
        # Below 1/2 the two places change over, too.
        (sympy.Abs(T - p_) + sympy.Max(0, sympy.Rational(1, 2) - T), 0, 1),
        # It changes its sign at a pole as well, and on both sides it falls.
        (sympy.Max(0, 1 / (T - 2) + p_ + 3), 0, 4),
        # Two places; three members.
        (sympy.Abs(T**2 - p_), -2, 2), (sympy.Max(0, T - p_, 2 * T - 1), 0, 1),
    ],
    ids=str,
)  # fmt: skip
def test_a_range_is_not_split_where_the_place_is_not_seen(f: sympy.Expr, lower: object, upper: object) -> None:
    assert isinstance(value(sympy.Integral(f, (T, lower, upper)), Domain((P,))), str)


def test_a_part_without_width_is_looked_for_in_ranges_without_gaps() -> None:
    bent = sympy.Integral(sympy.Abs(T - p_), (T, 0, 1))
    assert isinstance(value(bent, Domain((P,))), Value)
    # The width is strictly monotone on each side of the gap, which does not tell how many zeros it has.
    apart = Domain((P,), (Relation((p_ - sympy.Rational(1, 3)) * (p_ - sympy.Rational(2, 3)), ">=", sympy.S.Zero),))
    assert isinstance(value(bent, apart), str)


def test_a_condition_gives_a_value() -> None:
    integral = sympy.Integral(sympy.exp(-m * T), (T, 0, oo))
    positive = Domain((M,), (Relation(m, ">", sympy.S.Zero),))
    found = value(integral, positive)
    assert isinstance(found, Value)
    assert sympy.simplify(found.value - 1 / m) == 0


def test_a_variable_that_promises_more_than_its_range_is_refused() -> None:
    t = sympy.Symbol("t", positive=True)
    found = value(sympy.Integral(sympy.exp(-sympy.sqrt(t**2)), (t, -oo, oo)), Domain(()))
    assert isinstance(found, str)
    assert "promises" in found


def test_a_variable_that_is_positive_goes_up_to_infinity() -> None:
    t = sympy.Symbol("t", positive=True)
    found = value(sympy.Integral(sympy.exp(-sympy.sqrt(t**2)), (t, 0, oo)), Domain(()))
    assert isinstance(found, Value)
    assert found.value == 1


@pytest.mark.parametrize("limits", [(oo, 0), (0, -oo), (oo, -oo)])
def test_an_infinite_end_stands_where_it_belongs(limits: tuple[object, object]) -> None:
    with pytest.raises(FormulaError, match="not a real number"):
        eq(sympy.Integral(sympy.exp(-(T**2)), (T, *limits)), 1)


def test_infinity_is_no_number_elsewhere() -> None:
    with pytest.raises(FormulaError, match="oo is not a real number"):
        eq(sympy.Integral(oo * m + T, (T, 0, oo)), 1)


def test_a_claim_is_judged_with_the_value_in_its_place() -> None:
    tail = sympy.Integral(sympy.exp(-a * T), (T, 0, oo))
    claim = Claim(id="t:tail", title="t", variables=(A,), conclusion=eq(tail, 1 / a))
    assert verdict(claim) is Verdict.PROVED
    false = Claim(id="t:false", title="t", variables=(A,), conclusion=le(tail, 1 / (2 * a)))
    assert verdict(false) is Verdict.REFUTED


def test_a_hypothesis_that_a_value_needs_is_not_dropped() -> None:
    """Without m > 0 the integral has no value: a control without it would speak of another claim."""
    tail = sympy.Integral(sympy.exp(-m * T), (T, 0, oo))
    positive = Hypothesis("m is positive", gt(m, 0))
    claim = Claim(id="t:given", title="t", variables=(M,), hypotheses=(positive,), conclusion=eq(tail, 1 / m))
    record = run_claim(claim, Context(profile=PROFILES["quick"], seed=1, claims={claim.id: claim}))
    assert [h["dropped"] for h in record["hypotheses"]] == ["not tried"]
    assert judge(read_record(record), {}).verdict is Verdict.PROVED


def test_an_integral_in_a_hypothesis_is_left_open() -> None:
    tail = sympy.Integral(sympy.exp(-a * T), (T, 0, oo))
    known = Hypothesis("the integral is at most 1", le(tail, 1))
    claim = Claim(id="t:known", title="t", variables=(A,), hypotheses=(known,), conclusion=le(1, a))
    assert "in a hypothesis" in with_values(claim)[2]
    assert verdict(claim) is Verdict.UNDECIDED


def test_controls_of_the_author_are_left_out_with_the_integral() -> None:
    tail = sympy.Integral(sympy.exp(-a * T), (T, 0, oo))
    wrong = Mutant("twice", eq(tail, 2 / a))
    claim = Claim(id="t:control", title="t", variables=(A,), conclusion=eq(tail, 1 / a), mutants=(wrong,))
    assert with_values(claim)[0].mutants == ()
    assert verdict(claim) is Verdict.PROVED


@pytest.mark.parametrize(
    ("statement", "wanted"),
    [
        ("integral(exp(-t^2/2), (t, x, oo)) <= exp(-x^2/2)/x for x > 0", Verdict.PROVED),
        ("integral(t, -oo, oo, exp(-|t - m|/b)/(2*b)) = 1 for b > 0", Verdict.PROVED),
        ("integral(t, 1, oo, 1/t^a) = 1/(a - 1) for a > 1", Verdict.PROVED),
        ("integral(t, 1, infinity, 1/t^2) <= 9/10", Verdict.REFUTED),
        ("integral(t, 0, ∞, exp(-a*t)) >= 2/a for a > 0", Verdict.REFUTED),
        ("integral(t, 1, oo, 1/t) >= 5", Verdict.UNDECIDED),
        ("integral(t, -oo, oo, 1/t^2) = 0", Verdict.UNDECIDED),
        ("integral(t, 0, oo, exp(-a*t)) = 1/a", Verdict.UNDECIDED),
    ],
)
def test_a_statement_with_an_infinite_end(statement: str, wanted: Verdict) -> None:
    assert check(statement).verdict is wanted


def test_the_answer_says_by_what_the_integral_was_replaced() -> None:
    said = "\n".join(check("integral(t, 0, oo, exp(-a*t)) = 1/a for a > 0").lines())
    assert "Integral(exp(-a*t), (t, 0, oo)) = 1/a: by -exp(-a*u')/a" in said
