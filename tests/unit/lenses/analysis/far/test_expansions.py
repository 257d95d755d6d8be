"""Taylor's formula from a place where a goal touches 0, two terms against a third, and related exponentials.

Each rule proves true statements and no false one beside them: these miss by a small constant, touch 0 with the wrong
sign of the first derivative that is left, or lose a condition of the theorem. False ones are also judged with floats
switched off, which would rule most of them out before a rule sees them.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from sympy import LambertW, Rational, cosh, exp, log, sqrt

from rgm_verify.claims import real
from rgm_verify.claims.formula import Relation, ge, gt, le
from rgm_verify.lenses.analysis import search
from rgm_verify.lenses.analysis.asymptotics.limits import limit_at
from rgm_verify.lenses.analysis.exponentials import Powers
from rgm_verify.lenses.analysis.facts import implied
from rgm_verify.lenses.analysis.goals import Domain, Goal
from rgm_verify.lenses.analysis.rules.exponentiated import exponentiated
from rgm_verify.lenses.analysis.rules.lambert import without_lambert
from rgm_verify.lenses.analysis.rules.shares import by_odds
from rgm_verify.lenses.analysis.rules.squares import by_squares
from rgm_verify.lenses.analysis.rules.taylor import by_taylor
from rgm_verify.lenses.analysis.search import Prover
from rgm_verify.lenses.points.values import truth_by_arb

TRUE = {
    "Taylor": [
        "x(-inf,1] s[0,inf) | exp(s*x) <= 1 + s*x + x**2*(exp(s) - 1 - s)",
        "x h | log(1 + exp(x + h)) <= log(1 + exp(x)) + h*exp(x)/(1 + exp(x)) + h**2/8",
        "x y | exp(x) >= exp(y)*(1 + x - y)",
    ],
    "squares": [
        "e[0,1] a | e*exp(a) + (1 - e)*exp(-a) >= 2*sqrt(e*(1 - e))",
        "x y(0,inf) | x**2*exp(y) - 2*x + exp(-y) >= 0",
    ],
    "exponentials": [
        "x[0,1] d[0,1] e[0,inf) | x + Max(0, 1 - d - exp(e)*x, exp(-e)*(1 - d - x)) >= 2*(1 - d)/(1 + exp(e))",
        "x[0,1] e[0,inf) | x*exp(e) <= 1 | x <= exp(-e)",
    ],
    "first looks": ["n{1} e(0,inf) | (exp(n*e) - 1)/(exp(e) - 1) <= n*exp((n - 1)*e)"],
    "cases of a sum": ["n{1} x[0,1) | Sum(k*x**k, (k, 1, n)) <= x/(1 - x)**2"],
    "steps": ["x(0,inf) | polygamma(1, x) >= 1/x + 1/(2*x**2)", "x(0,inf) | polygamma(2, x) <= -1/x**2 - 1/x**3"],
    "bases that may be 0": [
        "n{1} p[0,1] | (1 - p)**n <= 1/20 | p >= 3/n",
    ],
    "entropies": [
        "n{2} c[0,inf) p(0,1) | p >= 1 - (c + log(2))/log(n) | -p*log(p) - (1 - p)*log(1 - p) + p*log(n) >= log(n) - c",
    ],
    "logarithms in hypotheses": ["n[1,inf) s(0,1) e[0,inf) | exp(e)*s/n <= 1/16 | e <= log(n/(16*s))"],
    "sums below integrals": [
        "m{1} n{1} | Sum(1/k**2, (k, m, n)) <= 2/m | m <= n",
        "n{1} p[0,1) | Sum(k**(-p), (k, 1, n)) <= n**(1 - p)/(1 - p)",
        "n{1} e[0,inf) | e*sqrt(Sum(1/k**2, (k, 1, n))) <= 33*e/25",
    ],
    "rounding": ["n{1} m{1} | m*ceiling(n/m) <= n + m - 1", "n{1} m{1} | m*floor(n/m) >= n - m + 1"],
    "odds": ["p(0,1) | 2*log(sqrt(p) + sqrt(1 - p)) >= -p*log(p) - (1 - p)*log(1 - p)"],
    "Lambert": [
        "x[3,inf) | LambertW(x) <= log(x) - log(log(x))/2",
        "x[3,inf) | LambertW(x) >= log(x) - log(log(x))",
    ],
}
FALSE = {
    "Taylor": [
        "x(-inf,1] s[0,inf) | exp(s*x) <= 1 + s*x + 99*x**2*(exp(s) - 1 - s)/100",
        "x h | log(1 + exp(x + h)) <= log(1 + exp(x)) + h*exp(x)/(1 + exp(x)) + h**2/9",
        # An odd order has two signs: the statement holds on one side only.
        "x y | exp(x) >= exp(y)*(1 + x - y + (x - y)**2/2)",
        "x[-1,1] y(0,inf) | exp(x*y) >= 1 + x*y + x**2*y**2/2",
        # No way leads from 0 to the other side of the pole.
        "x[-2,1] y(0,1] | y*x**2/(1 + x) >= 0 | x != -1",
        # Below the start an assumption cuts the way.
        "x[0,3] y(0,1] | y*x**2*(2 - x) >= 0 | (x - 1)*(x - 2) >= 0",
    ],
    "squares": [
        "e[0,1] a | e*exp(a) + (1 - e)*exp(-a) >= 201*sqrt(e*(1 - e))/100",
        "x y(0,inf) | x**2*exp(y) - 201*x/100 + exp(-y) >= 0",
        # The two are not both >= 0.
        "x y(0,inf) | -x**2*exp(y) - exp(-y) + x >= 0",
        "x y(0,inf) | x**2*exp(y) - 2*x + exp(-y) > 0",
    ],
    "exponentials": [
        "x[0,1] d[0,1] e[0,inf) | x + Max(0, 1 - d - exp(e)*x, exp(-e)*(1 - d - x)) >= 201*(1 - d)/(100*(1 + exp(e)))",
        "x[0,1] e[0,inf) | x*exp(e) <= 99/100 | x <= exp(-e)",
        "x y | exp(x + y) <= exp(x)*exp(2*y)",
    ],
    "first looks": ["n{1} e(0,inf) | (exp(n*e) - 1)/(exp(e) - 1) <= n*exp((n - 11/10)*e)"],
    "cases of a sum": ["n{1} x[0,1) | Sum(k*x**k, (k, 1, n)) <= 99*x/(100*(1 - x)**2)"],
    "steps": [
        "x(0,inf) | polygamma(1, x) >= 1/x + 51/(100*x**2)",
        "x(0,inf) | polygamma(2, x) <= -1/x**2 - 101/(100*x**3)",
    ],
    "bases that may be 0": [
        "n{1} p[0,1] | (1 - p)**n <= 1/20 | p >= 29/(10*n)",
        # Where the base is 0 the power is 0, and nothing is left that is positive.
        "n{1} p[0,1] | (1 - p)**n < 1 - p | n >= 2",
    ],
    "entropies": ["p(0,1) | p*log(p) + (1 - p)*log(1 - p) >= -69/100"],
    "logarithms in hypotheses": [
        "n[1,inf) s(0,1) e[0,inf) | exp(e)*s/n <= 1/17 | e <= log(n/(16*s))",
        "n[1,inf) s(0,1) e[0,inf) | exp(e)*s/n <= 1/16 | e >= log(n/(16*s))",
    ],
    "sums below integrals": [
        "m{1} n{1} | Sum(1/k**2, (k, m, n)) <= 3/(2*m) | m <= n",
        "n{1} p[0,1) | Sum(k**(-p), (k, 1, n)) <= 99*n**(1 - p)/(100*(1 - p))",
        "n{1} e[0,inf) | e*sqrt(Sum(1/k**2, (k, 1, n))) <= 32*e/25",
        "n{1} | sqrt(Sum(1/sqrt(k) - 1/2, (k, 1, n))) >= 0",
    ],
    "rounding": [
        "n{1} m{1} | m*ceiling(n/m) <= n + m - 2",
        # Not an integer: above -1 it may be below 0.
        "n[1,inf) m{1} | m*ceiling(n/m) <= n + m - 1",
        "n{1} m{1} | ceiling(n/m) <= n/m + 1/2",
    ],
    "odds": [
        "p(0,1) | 2*log(sqrt(p) + sqrt(1 - p)) >= -101*p*log(p)/100 - (1 - p)*log(1 - p)",
        # It holds inside, and not at an end.
        "p[0,1] | sqrt(p) + sqrt(1 - p) > 1",
    ],
    "Lambert": [
        "x[3,inf) | LambertW(x) <= log(x) - log(log(x))*13/25",
        "x[5/2,inf) | LambertW(x) >= log(x) - log(log(x))",
    ],
}

#: Rules that are looked at without floats as well.
ALONE = (
    "Taylor",
    "squares",
    "exponentials",
    "bases that may be 0",
    "entropies",
    "logarithms in hypotheses",
    "rounding",
)


@pytest.mark.parametrize("line", [line for lines in TRUE.values() for line in lines])
def test_a_true_statement_is_proved(line, proved):
    assert proved(line)


@pytest.mark.parametrize("line", [line for lines in FALSE.values() for line in lines])
def test_a_false_statement_beside_it_is_not(line, proved):
    assert not proved(line)


@pytest.mark.parametrize("line", [line for name in ALONE for line in FALSE[name]])
def test_rules_alone_prove_no_false_statement(line, proved, monkeypatch):
    monkeypatch.setattr(Prover, "fails", lambda self, goal: False)
    # Without floats a deep search spends its whole budget on what is false.
    monkeypatch.setattr(search, "_DEPTHS", ((1, 1.0),))
    assert not proved(line)


X, Y = real("x"), real("y")
x, y = X.symbol, Y.symbol
PLANE = Domain((X, Y))


def without_floats(monkeypatch, shown):
    """A search that takes every goal for shown that fits, and hears nothing from floats."""
    monkeypatch.setattr(Prover, "fails", lambda self, goal: False)
    monkeypatch.setattr(Prover, "show", lambda self, goal, depth=None: shown(goal))
    return Prover()


def test_taylors_formula_asks_for_the_first_derivative_that_is_not_0(monkeypatch):
    asked = []
    prover = without_floats(monkeypatch, lambda goal: bool(asked.append(goal.expression)))
    assert not by_taylor(Goal(cosh(x) - 1 - x**2 / 2 + 0 * y + x**4 * y**2, False, PLANE), prover, 2)
    # Orders 2 and 4 from 0; of the odd one in between nothing is asked, since ways go to both sides.
    second, fourth = asked
    assert sympy.simplify(second - (cosh(x) - 1 + 12 * x**2 * y**2)) == 0
    assert sympy.simplify(fourth - (cosh(x) + 24 * y**2)) == 0


@pytest.mark.parametrize(("upper", "sign"), [(True, -1), (False, 1)], ids=["before the start", "beyond the start"])
def test_an_odd_order_has_the_sign_of_its_side(upper, sign, monkeypatch):
    asked = []
    prover = without_floats(monkeypatch, lambda goal: bool(asked.append(goal.expression)))
    side = real("x", lower=None if upper else 0, upper=0 if upper else None)
    by_taylor(Goal((side.symbol**3 + side.symbol**5) * exp(y), False, Domain((side, Y))), prover, 2)
    third = (6 + 60 * side.symbol**2) * exp(y)
    assert [e for e in asked if sympy.simplify(e - sign * third) == 0]
    assert not [e for e in asked if sympy.simplify(e + sign * third) == 0]


def test_a_strict_goal_does_not_start_where_it_is_0(monkeypatch):
    prover = without_floats(monkeypatch, lambda goal: True)
    gap = cosh(x) - 1 + x**4 * y**2
    assert by_taylor(Goal(gap, False, PLANE), prover, 2)
    assert not by_taylor(Goal(gap, True, PLANE), prover, 2)
    away = Domain((X, Y), (Relation(x, "!=", sympy.S.Zero),))
    assert by_taylor(Goal(gap, True, away), prover, 2)


def test_two_terms_against_a_third_need_both_signs(monkeypatch):
    prover = without_floats(monkeypatch, lambda goal: goal.expression == 0)
    assert by_squares(Goal(exp(2 * x) - 2 * exp(x + y) + exp(2 * y), False, PLANE), prover, 2)
    assert not by_squares(Goal(exp(2 * x) - 2 * exp(x + y) * log(2) + exp(2 * y), False, PLANE), prover, 2)
    # x and y may both be negative, and then their sum is below -2 sqrt(x y).
    assert not by_squares(Goal(x * exp(y) + y * exp(x) - 2 * sqrt(x * y) * exp(x / 2 + y / 2), False, PLANE), prover, 2)


RATES = st.lists(st.fractions(-2, 2, max_denominator=2).filter(bool), min_size=2, max_size=4, unique=True)


@given(RATES, st.fractions(-3, 3, max_denominator=4))
def test_powers_stand_for_their_exponentials(rates, at):
    """With its own value for each unknown every exponential has its value, also where it is a product of two."""
    nodes = [exp(sympy.Rational(r) * x) for r in rates] + [exp(x + y), exp(y)]
    powers = Powers.among(nodes)
    there = {x: sympy.Rational(at), y: sympy.Rational(1, 3)}
    values = {}
    for node, power in powers.places.items():
        ((unknown, exponent),) = power.as_powers_dict().items()
        value = exp(node.args[0].subs(there) / exponent)
        assert sympy.simplify(values.setdefault(unknown, value) - value) == 0
        assert exponent.is_Integer
    for fact in powers.facts:
        gap = fact.gap.subs(values)
        assert gap > 0 if fact.op == ">" else sympy.simplify(gap) == 0


SHARES = st.fractions(0, 1, max_denominator=97).filter(lambda p: 0 < p < 1)


SHARE = real("p", lower=0, upper=1)
q_ = SHARE.symbol


@given(SHARES, st.sampled_from([sqrt(q_) * sqrt(1 - q_), q_ ** Rational(3, 2) / sqrt(1 - q_), log(1 - q_) - q_]))
def test_a_goal_in_odds_has_the_values_of_the_share(share, rest):
    e = sqrt(q_) - 3 * sqrt(1 - q_) + rest
    inside = Domain((replace(SHARE, lower_open=True, upper_open=True),))
    after = by_odds(Goal(e, False, inside))
    assert after is not None
    (y_,) = after.expression.free_symbols
    p = Rational(share)
    # Both are evaluated to 40 digits, of which a few cancel.
    assert abs((e.subs(q_, p) - after.expression.subs(y_, sqrt(p / (1 - p)))).evalf(40)) < Rational(1, 10**35)


def test_odds_are_for_both_roots_on_the_whole_range():
    touching = sqrt(q_) + sqrt(1 - q_) - 1
    assert by_odds(Goal(touching, False, Domain((SHARE,)))) is not None
    # At the closed ends it is 0, which is not more than 0, and below 0 for another one.
    assert by_odds(Goal(touching, True, Domain((SHARE,)))) is None
    assert by_odds(Goal(touching - q_, False, Domain((SHARE,)))) is None
    half = real("p", lower=0, upper=Fraction(1, 2))
    assert by_odds(Goal(touching.subs(q_, half.symbol), False, Domain((half,)))) is None
    assert by_odds(Goal(sqrt(q_) + log(1 + q_), False, Domain((SHARE,)))) is None


@given(st.fractions(0, 9, max_denominator=7), st.fractions(0, 30, max_denominator=9))
def test_lamberts_function_begins_below_its_value_at_the_end(start, place):
    from_0 = real("x", lower=0)
    goal = Goal(LambertW(from_0.symbol + Rational(start)) - from_0.symbol, False, Domain((from_0,)))
    after = without_lambert(goal)
    (made,) = after.domain.variables
    w = LambertW(Rational(start) + Rational(place))
    assert Rational(made.lower) <= w
    # Where w is W(x + c), the goal has its value at x.
    there = after.expression.subs(made.symbol, w) - goal.expression.subs(from_0.symbol, Rational(place))
    assert abs(there.evalf(40)) < Rational(1, 10**30)


def test_a_hypothesis_between_logarithms_says_the_same_between_products():
    e, n = (sympy.Symbol(name, real=True) for name in "en")
    found = exponentiated(Relation(e + 2 * log(n), "<=", log(3) - log(1 - n)))
    for at in (Fraction(1, 5), Fraction(1, 2), Fraction(4, 5)):
        for low in (Fraction(-3), Fraction(1, 3), Fraction(4)):
            point = {e: low, n: at}
            assert truth_by_arb(found, point) is truth_by_arb(
                Relation(e + 2 * log(n), "<=", log(3) - log(1 - n)), point
            )
    # Not of the form: a factor that is no number, a logarithm that is multiplied, no logarithm, numbers alone.
    for left, right in ((e * log(n), e), (e, log(n) / 3), (e, n), (log(n), log(2)), (e, log(2))):
        assert exponentiated(Relation(left, "<=", right)) is None


def test_what_oscillates_is_bounded_beside_what_vanishes():
    a = sympy.Symbol("a", positive=True)
    at_infinity = {
        "end": None,
        "from_above": False,
        "sign": lambda e: 1 if e.is_positive else -1 if e.is_negative else None,
    }
    wave = a * sympy.cos(x * a) - sympy.sin(x) ** 2
    assert limit_at(wave * exp(-a * x), x, **at_infinity) == 0
    assert limit_at(wave * exp(-a * x) + a, x, **at_infinity) == a
    for other in (wave, wave * a, wave * exp(a * x), wave * x * exp(-a * x) / sympy.cos(x), sympy.tan(x) * exp(-a * x)):
        assert limit_at(other, x, **at_infinity) is None


def test_what_is_bound_is_left_alone():
    bound = sympy.Derivative(exp(x), x)
    assert Powers.among([exp(x) + exp(-x)]) is not None
    assert Powers.among([exp(x) + exp(-x), bound]) is None
    assert Powers.among([exp(x) + exp(y)]) is None
    assert Powers.among([exp(x) + exp(9 * x)]) is None


def test_the_solver_knows_that_exponentials_are_powers_of_each_other():
    given_that = [ge(x, 0), le(y, exp(-x))]
    sides = [x, y, exp(x), exp(-x)]
    assert implied(given_that, le(y * exp(x), 1), sides, 40_000)
    assert not implied(given_that, le(y * exp(x), sympy.Rational(99, 100)), sides, 40_000)
    sums = [exp(x), exp(y), exp(x + y)]
    assert implied([gt(exp(x), 2), gt(exp(y), 3)], gt(exp(x + y), 6), sums, 40_000)
    assert not implied([gt(exp(x), 2), gt(exp(y), 3)], gt(exp(x + y), 7), sums, 40_000)
