"""Rules that make a statement simpler as a whole: units, common terms, arguments, chords, steps, sums and integrals.

Each proves true statements, and no false one beside them: these miss by a small constant, drop a condition of the
theorem, or fail on one side of a boundary only.
"""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import acos, asin, erf, erfc, exp, log, sqrt, tanh

from rgm_verify.balls.enclose import enclose
from rgm_verify.claims import real
from rgm_verify.claims.formula import Relation, le
from rgm_verify.lenses.analysis.asymptotics.growth import NotKnown, constant_sign, limit
from rgm_verify.lenses.analysis.asymptotics.limits import limit_at
from rgm_verify.lenses.analysis.goals import Domain, Goal
from rgm_verify.lenses.analysis.rules.circular import on_circles
from rgm_verify.lenses.analysis.rules.common_terms import by_common_term, without
from rgm_verify.lenses.analysis.rules.ends import domain_at_end, slope_of
from rgm_verify.lenses.analysis.rules.known_integrals import known_integral
from rgm_verify.lenses.analysis.rules.known_sums import binomial_bounds, folded
from rgm_verify.lenses.analysis.rules.lambert import without_lambert
from rgm_verify.lenses.analysis.rules.means import by_means
from rgm_verify.lenses.analysis.rules.monotone import by_arguments
from rgm_verify.lenses.analysis.rules.scaling import by_scaling, weights
from rgm_verify.lenses.analysis.rules.steps import fall
from rgm_verify.lenses.analysis.search import Prover
from rgm_verify.lenses.points.numeric import mpmath_value

TRUE = {
    "units": [
        "v(0,inf) c(0,inf) t[0,inf) | v/c**2*((1 + c*t/v)*log(1 + c*t/v) - c*t/v) >= t**2/(2*(v + c*t/3))",
        "a(0,inf) b(0,inf) s(0,inf) | exp(-a*s)*(1 + a*s) + log(1 + b*s) <= 1 + b*s",
    ],
    "common terms": [
        "m(0,inf) e(0,inf) | erfc((e/m - m/2)/sqrt(2)) - exp(e)*erfc((e/m + m/2)/sqrt(2)) <= exp(-(e/m - m/2)**2/2) "
        "| e >= m**2/2",
        "x[0,inf) y[0,inf) | erfc(x + y) <= exp(-y**2 - 2*x*y)*erfc(x)",
        "x(0,inf) y(0,inf) | (y - x)/(2*asin((y - x)/(x + y))) >= sqrt(x*y) | x < y",
    ],
    "arguments": [
        "p[0,1] q[0,1] | Abs(asin(sqrt(p)) - asin(sqrt(q))) >= Abs(p - q)",
        "x y | (1/(1 + exp(-x)) - 1/(1 + exp(-y)))**2 <= (1/(1 + exp(-x)) - 1/(1 + exp(-y)))*(x - y)/4",
        "p(0,1) q(0,1) | log(p**2/q + (1 - p)**2/(1 - q)) <= Max(log(p/q), log((1 - p)/(1 - q)))",
    ],
    "circles": ["x y | cos(x) + cos(y) + cos(x + y) >= -3/2", "x | sin(x) + cos(x) <= sqrt(2)"],
    "ends": ["a[1,inf) x(0,inf) | uppergamma(a, x) <= x**a*exp(-x)/(x - a + 1) | x > a - 1"],
    "chords": [
        "x[0,1] y[0,1] | log(1 + x*y) >= x*y*log(2)",
        "x[0,1] y[0,1] | sin(x*y) >= x*y*sin(1)",
        "p(0,1) q(0,1) | p*log(2*p/(p + q)) + q*log(2*q/(p + q)) <= log(2)*Abs(p - q)",
    ],
    "logarithms": [
        "p(0,1) q(0,1) | (p - q)**2 <= 1 - exp(-p*log(p/q) - (1 - p)*log((1 - p)/(1 - q)))",
        "x | log(1 + exp(-x)) <= exp(-x)",
        "e(0,inf) | e/(1 - exp(-e)) - 1 - log(e/(1 - exp(-e))) <= e**2/8",
        "p(0,1) | -p*log(p) - (1 - p)*log(1 - p) <= 2*log(2)*sqrt(p*(1 - p))",
    ],
    "steps": [
        "x(0,inf) s(0,1) | gamma(x + 1) <= (x + s)**(1 - s)*gamma(x + s)",
        "n{1} | sqrt(2)*gamma((n + 1)/2)/gamma(n/2) >= n/sqrt(n + 1)",
        "n{1} | Sum(1/k**2, (k, 1, n)) <= pi**2/6 - 1/(n + 1)",
    ],
    "sums": [
        "n{2} m{1} | Sum(binomial(n, k), (k, 0, m)) <= n**n/(m**m*(n - m)**(n - m)) | 2*m <= n",
        "n{1} d{1} | Sum(binomial(n, k), (k, 0, d)) <= (E*n/d)**d | d <= n",
        "a(0,1) n{0} | Sum((1 - a)/(1 + a)*a**Abs(k), (k, -n, n)) == 1 - 2*a**(n + 1)/(1 + a)",
    ],
    "means": ["x(0,1) y(0,1) | x**y + y**x >= 1"],
    "Lambert": ["x[0,inf) | LambertW(x) <= log(1 + x)"],
}
FALSE = {
    "units": [
        "v(0,inf) c(0,inf) t[0,inf) | v/c**2*((1 + c*t/v)*log(1 + c*t/v) - c*t/v) >= t**2/(2*(v + 33*c*t/100))",
        # Not in every variable a unit: the range of the variable ends at 3.
        "v(0,3) t(0,inf) | v*log(1 + t/v) <= 299*t/300",
        "a(0,inf) b(0,inf) | a*log(a/b) >= a - b + (a - b)**2/(2*a + 2*b)/50 + (a - b)**2/(2*b)",
    ],
    "common terms": [
        "m(0,inf) e(0,inf) | erfc((e/m - m/2)/sqrt(2)) - exp(e)*erfc((e/m + m/2)/sqrt(2)) <= exp(-(e/m - m/2)**2/2)",
        "x[0,inf) y[0,inf) | erfc(x + y) <= exp(-101*y**2/100 - 2*x*y)*erfc(x)",
        "x(0,inf) y(0,inf) | (y - x)/(2*asin((y - x)/(x + y))) >= 1001*sqrt(x*y)/1000 | x < y",
        "x y | exp(x + y) >= 101/100 + x + y",
    ],
    "arguments": [
        "p[0,1] q[0,1] | Abs(asin(sqrt(p)) - asin(sqrt(q))) >= 1001*Abs(p - q)/1000",
        "x y | (1/(1 + exp(-x)) - 1/(1 + exp(-y)))**2 <= (1/(1 + exp(-x)) - 1/(1 + exp(-y)))*(x - y)/5",
        "p(0,1) q(0,1) | log(p**2/q + (1 - p)**2/(1 - q)) <= 99*Max(log(p/q), log((1 - p)/(1 - q)))/100",
    ],
    "circles": ["x y | cos(x) + cos(y) + cos(x + y) >= -1499/1000", "x | sin(x) + cos(x) < sqrt(2)"],
    "ends": [
        "a[1,inf) x(0,inf) | uppergamma(a, x) <= 99*x**a*exp(-x)/(100*(x - a + 1)) | x > a - 1",
        # Below 2 the bound is smaller: an assumption that ends on the way to infinity may not be left out.
        "a(0,inf) x(0,inf) | 1/(1 + x) <= a | x < a",
        # At 0, an open end, the assumption a > 0 fails: no way starts there as if it held.
        "a(0,inf) x(0,inf) | a >= 1 | x*exp(x) < a",
    ],
    "chords": [
        # Concave, and >= 0 at one end only; the other end is an assumption's.
        "x[0,1] y[0,101/100] | log(1 + x*y) >= x*y*log(2)",
        "x[0,2] y[0,2] | sin(x*y) >= x*y*sin(1) | x <= 1 | x*y <= 101/100",
        # Not concave between the ends, where it is 0 or more.
        "x[0,4] y[1,2] | sin(x*y) >= x*y*sin(4*y)/(4*y)",
        "p(0,1) q(0,1) | p*log(2*p/(p + q)) + q*log(2*q/(p + q)) <= 69*Abs(p - q)/100",
        "x[0,1] y[0,1] | x*(1 - x) + y >= 1/100 | y <= x",
        "x(0,1) y(0,1) | 4*x*(1 - x) + y*(1 - y) >= 1/1000",
    ],
    "logarithms": [
        "p(0,1) q(0,1) | 101*(p - q)**2/100 <= 1 - exp(-p*log(p/q) - (1 - p)*log((1 - p)/(1 - q)))",
        "x | log(1 + exp(-x)) <= 999*exp(-x)/1000",
        "e(0,inf) | e/(1 - exp(-e)) - 1 - log(e/(1 - exp(-e))) <= 62*e**2/500",
        "p(0,1) | -p*log(p) - (1 - p)*log(1 - p) <= 1386*sqrt(p*(1 - p))/1000",
        "p(0,1) q(0,1) x | p*x - log(1 - q + q*exp(x)) <= 99*(p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)))/100",
    ],
    "steps": [
        "x(0,inf) s(0,1) | gamma(x + 1) <= (x + 9*s/10)**(1 - s)*gamma(x + s)",
        "n{1} | sqrt(2)*gamma((n + 1)/2)/gamma(n/2) >= n/sqrt(n + 49/100)",
        "n{1} | Sum(1/k**2, (k, 1, n)) <= pi**2/6 - 1/(n + 9/20)",
        # H(n, p) of another order grows by another term.
        "n{1} | harmonic(n, 2) >= log(n)",
        "n{1} | harmonic(n, 3) >= harmonic(n, 2) - 2/5",
    ],
    "sums": [
        "n{2} m{1} | Sum(binomial(n, k), (k, 0, m)) <= n**n/(m**m*(n - m)**(n - m)) | m < n",
        "n{1} d{1} | Sum(binomial(n, k), (k, 0, d)) <= (E*n/d)**d",
        "n{1} d{1} | Sum(binomial(n, k), (k, 0, d)) <= (2*n/d)**d | d <= n",
        "a(0,1) n{0} | Sum((1 - a)/(1 + a)*a**Abs(k), (k, -n, n)) == 1 - 2*a**n/(1 + a)",
        "a(0,1) n{0} | Sum(a**k, (k, -n, n)) == 1 + 2*a*(1 - a**n)/(1 - a)",
    ],
    "means": [
        "x(0,1) y(0,1) | x**y + y**x >= 1001/1000",
        "x(0,3) y(0,3) | x**y >= x/(x + y - x*y)",
    ],
    "Lambert": ["x[0,inf) | LambertW(x) <= 99*log(1 + x)/100", "x[1,inf) | LambertW(x) <= log(1 + x)/2"],
}


@pytest.mark.parametrize("line", [line for lines in TRUE.values() for line in lines])
def test_a_true_statement_is_proved(line, proved):
    assert proved(line)


@pytest.mark.parametrize("line", [line for lines in FALSE.values() for line in lines])
def test_a_false_statement_beside_it_is_not(line, proved):
    assert not proved(line)


@pytest.mark.parametrize("line", [line for name in ("ends", "chords", "circles") for line in FALSE[name]])
def test_rules_alone_prove_no_false_statement(line, proved, monkeypatch):
    # Floats rule out most of what is false before any rule sees it, and would hide a rule that proves it.
    monkeypatch.setattr(Prover, "fails", lambda self, goal: False)
    assert not proved(line)


# ------------------------------------------------------------------------------------------------ units

V, C, T = (real(name, lower=0, lower_open=True) for name in "vct")
v, c, t = V.symbol, C.symbol, T.symbol
U = real("u", lower=0, upper=1, lower_open=True, upper_open=True)
u = U.symbol
fractions = st.fractions(min_value=Fraction(1, 8), max_value=8, max_denominator=8)


def exact(value: Fraction) -> sympy.Rational:
    return sympy.Rational(value.numerator, value.denominator)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from([-1, 0, 1, 2]), min_size=2, max_size=2).filter(any), fractions)
def test_a_goal_made_to_scale_is_the_same_at_every_unit(powers, factor):
    """e = f(t/v^a, c/v^b) has the weights a and b, and its sign at (v, t, c) is that of the goal at 1."""
    a, b = powers
    x, y = t / v**a, c / v**b
    e = log(1 + x * y) - x + exp(-y) / 3
    goal = Goal(e, False, Domain((V, C, T)))
    assert {t: a, c: b} in list(weights(goal, V, [T, C], Prover()))
    after = by_scaling(goal, Prover())
    assert after is not None
    assert len(after.domain.variables) == 2
    # At any point the value is one of the goal at 1, in the units of the variable that is gone.
    gone = next(s for s in (v, c, t) if s not in {w.symbol for w in after.domain.variables})
    if gone == v:
        there = {t: exact(factor) ** a * 3, c: exact(factor) ** b / 5, v: exact(factor)}
        assert sympy.simplify(e.subs(there) - after.expression.subs({t: 3, c: sympy.Rational(1, 5)})) == 0


def test_a_range_that_ends_has_no_unit():
    assert by_scaling(Goal(log(1 + t / u) - t / u / 2, False, Domain((U, T))), Prover()) is None
    # With an assumption that the unit does not drop out of.
    goal = Goal(log(1 + t / v) - t / v / 2, False, Domain((V, T), (Relation(t, "<=", v + 1),)))
    assert by_scaling(goal, Prover()) is None
    kept = by_scaling(replace_extra(goal, Relation(t, "<=", v)), Prover())
    assert kept is not None
    assert not kept.domain.extra  # the assumption is an end of a range now
    (left,) = kept.domain.variables
    assert (left.upper, left.lower) in ((Fraction(1), Fraction(0)), (None, Fraction(1)))


def replace_extra(goal: Goal, relation: Relation) -> Goal:
    return Goal(goal.expression, goal.strict, Domain(goal.domain.variables, (relation,)))


FACTORS = st.sampled_from(
    [1 + v**2, exp(-v) - 1, -exp(v), 1 / (v + 1), 1 / (exp(-v) - 1), sqrt(v + 3), (exp(-v) - 1) ** 3, log(v / (v + 1))]
)


@given(st.lists(FACTORS, min_size=1, max_size=3), st.sampled_from([t - 1, 2 - exp(t), log(t)]), fractions, fractions)
def test_what_is_left_of_a_product_has_its_sign(parts, rest, first, second):
    product = sympy.Mul(*parts, rest)
    left = without(product, (v,), Domain((V, T)), Prover())
    assert left is not None
    assert not left.has(v, sympy.Float)
    there = {v: exact(first), t: exact(second)}
    assert sympy.sign(product.subs(there)) == sympy.sign(left.subs(there))
    # A factor that changes its sign may not be left out.
    assert without((v - 1) * product, (v,), Domain((V, T)), Prover()) is None


def test_a_term_without_a_value_on_the_new_range_is_not_asked_for(monkeypatch):
    w = real("w")
    # The assumption says that t >= w, but not in a form that can be carried over to the difference.
    tied = Relation(t + exp(t), ">=", w.symbol + exp(w.symbol))
    asked = []
    monkeypatch.setattr(Prover, "show", lambda self, goal, depth=None: bool(asked.append(goal)))
    for e in (sqrt(t - w.symbol) + exp(t - w.symbol), exp(t - w.symbol) + 1):
        by_common_term(Goal(e, False, Domain((T, w), (tied,))), Prover(), 2)
    monkeypatch.undo()
    assert asked
    assert all(Prover().defined(goal.expression, goal.domain) for goal in asked)


# ------------------------------------------------------------------------------------------------ arguments

MONOTONE = [exp, log, sqrt, erf, tanh, sympy.atan, asin, acos, erfc, sympy.sinh, lambda e: 1 / e, lambda e: 1 / sqrt(e)]


@given(st.sampled_from(MONOTONE), st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), fractions, fractions)
def test_a_relation_of_values_is_one_of_arguments(f, op, left, right):
    a, b = exact(left / 9), exact(right / 9)
    found = by_arguments(Relation(f(v), op, f(t)))
    assert {found.lhs, found.rhs} == {v, t}
    truth = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "==": "==", "!=": "!="}[found.op]
    x, y = found.lhs.subs({v: a, t: b}), found.rhs.subs({v: a, t: b})
    values = {"<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y, "==": x == y, "!=": x != y}
    fa, fb = mpmath.mpf(str(f(a).evalf(30))), mpmath.mpf(str(f(b).evalf(30)))
    direct = {"<": fa < fb, "<=": fa <= fb, ">": fa > fb, ">=": fa >= fb, "==": a == b, "!=": a != b}
    assert bool(values[truth]) == bool(direct[op] if a != b else op in ("<=", ">=", "=="))


def test_what_is_not_monotone_stays():
    w, z = sympy.symbols("w z", real=True)
    for f in (lambda e: e**2, sympy.cos, lambda e: 1 / e, abs, lambda e: exp(e) * e):
        relation = Relation(f(w), "<=", f(z))
        assert by_arguments(relation) == relation
    unequal = Relation(2 * exp(w), "<=", exp(z))
    assert by_arguments(unequal) == unequal


# ------------------------------------------------------------------------------------------------ circles and ends


def test_an_angle_that_is_left_over_is_no_point_of_a_circle():
    w = real("w")
    assert on_circles(Goal(sympy.cos(w.symbol) + w.symbol, False, Domain((w,)))) is None
    assert on_circles(Goal(sympy.cos(w.symbol**2), False, Domain((w,)))) is None
    told = on_circles(Goal(2 - sympy.cos(2 * w.symbol), False, Domain((w,))))
    assert told is not None
    assert told.expression.is_polynomial()


def test_an_end_that_an_assumption_keeps_away_is_none():
    sign = Prover()
    free = Domain((V, T), (Relation(t, ">", v),))
    assert domain_at_end(free, t, None, from_above=False, prover=sign) is not None
    assert domain_at_end(free, t, Fraction(0), from_above=True, prover=sign) is None
    assert domain_at_end(Domain((V, T), (Relation(t**2, "<=", v),)), t, None, from_above=False, prover=sign) is None
    below = domain_at_end(Domain((V, T), (Relation(t, "<=", 2 - v),)), t, Fraction(0), from_above=True, prover=sign)
    assert below is not None
    assert [str(r) for r in below.extra] == [str(Relation(2 - v, ">=", 0))]
    assert slope_of(Relation(sqrt(t), "<=", v), t) is None


# ------------------------------------------------------------------------------------------------ steps and limits

FAR = sympy.Symbol("x", positive=True)


@pytest.mark.parametrize(
    "e",
    [
        sympy.loggamma(FAR / 2 + 1) - sympy.loggamma(FAR / 2) - log(FAR) / 2,
        sympy.polygamma(0, FAR / 3 + 1) - log(FAR),
        sympy.harmonic(FAR, 2) + 1 / FAR,
        sympy.harmonic(2 * FAR) - sympy.harmonic(FAR, 3),
    ],
    ids=str,
)
def test_the_fall_along_a_step_is_the_difference_of_two_values(e):
    step = fall(e, FAR)
    denominators = [n.args[0].diff(FAR).q for n in e.atoms(sympy.loggamma)]
    denominators += [n.args[1].diff(FAR).q for n in e.atoms(sympy.polygamma)]
    h = sympy.ilcm(1, 1, *denominators)
    for place in (2, 5, 11):
        value, error = mpmath_value(e.subs(FAR, place) - e.subs(FAR, place + h) - step.subs(FAR, place), {})
        assert abs(value) <= error + mpmath.mpf(10) ** -50


def test_a_limit_with_a_parameter():
    def sign(e):
        return 1 if e.is_positive or e == 1 - u else -1 if e.is_negative else None

    def at_infinity(e):
        return limit_at(e, FAR, None, from_above=False, sign=sign)

    assert at_infinity((1 - u) * log(FAR) + sympy.log(FAR + 1) * (u - 1)) == 0
    assert at_infinity(FAR * log(1 + u / FAR)) == u
    assert at_infinity(FAR ** (v + 1) * exp(-FAR) / (FAR - v)) == 0
    assert at_infinity(FAR**2 * exp(-FAR) / (FAR - v) - sympy.uppergamma(v, FAR)) == 0
    assert at_infinity(FAR * exp(FAR * (u - v))) is None
    with pytest.raises(NotKnown):
        constant_sign(u - v)


def test_exponentials_that_cancel_near_an_end():
    x = 1 / FAR
    assert limit(x / (exp(x) - 1), FAR) == 1
    assert limit((exp(x) - 1 - x) / x**2, FAR) == sympy.Rational(1, 2)
    assert limit((exp(x) - 1 - x - x**2 / 2) / x**3, FAR) == sympy.Rational(1, 6)
    with pytest.raises(NotKnown):
        limit(exp(FAR + x) - exp(FAR) - x * exp(FAR), FAR)


# ------------------------------------------------------------------------------------------------ sums and integrals


@given(st.integers(1, 14), st.integers(1, 14))
def test_bounds_of_binomial_sums_are_bounds(size, most):
    n, m = sympy.symbols("n m", integer=True, positive=True)
    k = sympy.Symbol("k", integer=True)
    total = sum(sympy.binomial(size, j) for j in range(most + 1))
    there = {n: size, m: most}
    for bound, conditions in binomial_bounds(sympy.Sum(sympy.binomial(n, k), (k, 0, m))):
        if all(bool(condition.gap.subs(there) >= (1 if condition.strict else 0)) for condition in conditions):
            assert total <= bound.subs(there)


def test_other_sums_have_no_such_bound():
    n, k = sympy.Symbol("n", integer=True, positive=True), sympy.Symbol("k", integer=True)
    x = sympy.Symbol("x", positive=True)
    for node in (
        sympy.Sum(sympy.binomial(n, k), (k, 1, n)), sympy.Sum(sympy.binomial(n, k) * 2, (k, 0, n)),
        sympy.Sum(sympy.binomial(x, k), (k, 0, n)), sympy.Sum(sympy.binomial(n + k, k), (k, 0, n)),
    ):  # fmt: skip
        assert not list(binomial_bounds(node))


@given(st.integers(0, 9))
def test_a_folded_sum_has_the_same_value(size):
    n, k = sympy.Symbol("n", integer=True, nonnegative=True), sympy.Symbol("k", integer=True)
    for f, low in ((2 ** sympy.Abs(k), -n), (k**2 + 1, -n), (1 / k**3, sympy.S.One)):
        node = sympy.Sum(f, (k, low, n))
        assert folded(node) != node
        assert node.subs(n, size).doit() == folded(node).subs(n, size).doit()
    for node in (sympy.Sum(k**3, (k, -n, n)), sympy.Sum(1 / k, (k, 1, n)), sympy.Sum(1 / k**2, (k, 2, n))):
        assert folded(node) == node


@pytest.mark.parametrize(
    "integrand",
    ["exp(-t**2/2)*cos(2*t)", "exp(-t**2 + t)", "t**4*exp(-3*t**2)", "exp(-t**2 + t)*sin(t)", "t**3*exp(-t**2)"],
)
def test_integrals_of_gauss_agree_with_quadrature(integrand):
    s = sympy.Symbol("t", real=True)
    f = sympy.sympify(integrand, locals={"t": s})
    found = known_integral(sympy.Integral(f, (s, -sympy.oo, sympy.oo)), lambda r: bool(r.gap > 0))
    assert found is not None
    # Beyond 12 each integrand is at most t^4 exp(2 t - t^2/2) exp(-t), of which the first part falls from 4 on.
    beyond = 2 * 12**4 * Fraction(mpmath.nstr(mpmath.exp(-59), 5))
    gap = enclose(found[0] - sympy.Integral(f, (s, -12, 12)), {}, digits=30)
    assert gap.upper - gap.lower < beyond
    assert -beyond <= gap.upper
    assert gap.lower <= beyond


@pytest.mark.parametrize(
    "integrand", ["exp(t**2)", "exp(-t**4)", "t*exp(-t**2 + t)", "exp(-t**2)*cos(t)**2", "exp(-t)"]
)
def test_an_integral_over_the_line_without_a_theorem_has_no_value(integrand):
    s = sympy.Symbol("t", real=True)
    f = sympy.sympify(integrand, locals={"t": s})
    assert known_integral(sympy.Integral(f, (s, -sympy.oo, sympy.oo)), lambda r: bool(r.gap > 0)) is None


@given(fractions, fractions, st.fractions(min_value=0, max_value=1, max_denominator=6))
def test_a_product_of_powers_lies_above_the_harmonic_mean(first, second, weight):
    a, b, w = sympy.symbols("a b w", positive=True)
    lower = by_means(a**w * b ** (1 - w), lambda r: r.op == ">=" or r == le(w, 1))
    assert lower is not None
    there = {a: exact(first), b: exact(second), w: exact(weight)}
    assert lower.subs(there) <= (a**w * b ** (1 - w)).subs(there)


def test_lambert_needs_every_argument_from_0_on():
    x = real("x", lower=0)
    found = without_lambert(Goal(log(1 + x.symbol) - sympy.LambertW(x.symbol), False, Domain((x,))))
    assert found is not None
    assert not found.expression.has(sympy.LambertW, x.symbol)
    for other in (real("x"), real("x", lower=1), real("x", lower=0, upper=3)):
        goal = Goal(1 + other.symbol - sympy.LambertW(other.symbol), False, Domain((other,)))
        assert without_lambert(goal) is None
