"""Domains of terms: conditions and broken conditions against the values that SymPy has at exact points."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from rgm_verify.balls.special import LogRemainder
from rgm_verify.claims import (
    At,
    Claim,
    Hypothesis,
    Relation,
    both,
    either,
    eq,
    ge,
    gt,
    le,
    lt,
    ne,
)
from rgm_verify.lenses.points import values
from rgm_verify.lenses.points.values import (
    UNDEFINED,
    Gap,
    conditional,
    exact,
    exponent_at,
    first_gap,
    sign,
    split,
    truth_by_arb,
    undefined_part,
    value_at,
)
from rgm_verify.lenses.solvers.definedness import UNKNOWN, Need, Unknown, evident, needs, parts
from rgm_verify.statements.checking import check

R, F = sympy.Rational, Fraction
x, y = sympy.symbols("x y", real=True)
p, q = sympy.Symbol("p", positive=True), sympy.Symbol("q", nonnegative=True)
n, m = sympy.Symbol("n", integer=True, positive=True), sympy.Symbol("m", integer=True)
k = sympy.Symbol("k", integer=True)
t, tp = sympy.Symbol("t", real=True), sympy.Symbol("t", positive=True)
log, root, exp = sympy.log, sympy.sqrt, sympy.exp
_ = sympy.log, sympy.sqrt
D, Sum, Product = sympy.Derivative, sympy.Sum, sympy.Product

# -------------------------------------------------------------------------------------------- conditions of one term

THIRD = R(1, 3)
CONDITIONS: list[tuple[sympy.Expr, list[Need] | None]] = [
    (sympy.uppergamma(x, y), [gt(x, 0), ge(y, 0)]), (LogRemainder(2, x), [gt(1 + x, 0)]), (x**m, [ne(x, 0)]),
    (x**n, []), (x**p, [ge(x, 0)]), (x**q, [gt(x, 0)]), (x**-p, [gt(x, 0)]), (sympy.exp(x), []),
    (sympy.airyai(x), [UNKNOWN]), (sympy.Integral(1 / x, (x, 1, 2)), []), (sympy.floor(x), []),
    # A derivative asks for what makes the function smooth in its variable.
    (D(sympy.uppergamma(THIRD, x), x), [gt(THIRD, 0), gt(x, 0)]),
    (D(sympy.lowergamma(p, x * y), x), [gt(p, 0), gt(x * y, 0)]),
    (D(sympy.uppergamma(x, y), x), [UNKNOWN]), (D(sympy.uppergamma(THIRD, y) * x, x), [gt(THIRD, 0), ge(y, 0)]),
    (D(sympy.gamma(x), x), [gt(x, 0)]), (D(LogRemainder(2, x), x), [gt(1 + x, 0)]), (D(x**p, x), [gt(x, 0)]),
    (D(x**m, x), [ne(x, 0)]), (D(x**n, x), []), (D(2**x, x), [gt(sympy.Integer(2), 0)]), (D(sympy.exp(x), x), []),
    (D(sympy.floor(x), x), [UNKNOWN]), (D(sympy.floor(y) * x, x), []), (D(sympy.Min(x, y), y), [UNKNOWN]),
    (D(sympy.atan(x) + sympy.asinh(x) + sympy.erfc(x) + sympy.tanh(x), x), []),
    (D(x**3, (x, 2)), []), (D(k * x, k), [UNKNOWN]),
    # A substitution asks for what its function needs at the point.
    (At(1 / (x - y), x, 2 * y), [ne(2 * y - y, 0)]), (At(log(x) * root(y), (x, y), (y, x)), [ge(x, 0), gt(y, 0)]),
    (At(log(x), x, 1 / y), [ne(y, 0), gt(1 / y, 0)]), (At(D(log(x), x), x, y + 1), [gt(y + 1, 0)]),
    (At(log(Sum(x * k, (k, 1, n))), x, y), [gt(At(Sum(x * k, (k, 1, n)), x, y), 0)]),
    (At(log(1 / x), x, 0), [ne(0, 0), UNKNOWN]),
    (At(1 / D(x**3, x), x, y), [ne(At(D(x**3, x), x, y), 0)]),
    (D(sympy.Pow(sympy.E, x, evaluate=False) + sympy.Pow(sympy.E, x * y, evaluate=False), x), []),
    (D(At(root(x), x, y), y), [gt(y, 0)]), (D(At(root(x), x, y), p), [ge(y, 0)]),
    (D(At(x * root(y), x, p), p), [ge(y, 0)]),
    # A sum asks for what each of its terms needs: one by one, or whatever the index is.
    (Sum(log(x - k), (k, 0, 1)), [gt(x, 0), gt(x - 1, 0)]), (Sum(1 / k, (k, 0, 1)), [UNKNOWN]),
    (Sum(log(x), (k, 1, n)), [gt(x, 0)]), (Sum(log(k), (k, 1, n)), []), (Sum(log(k), (k, 0, n)), [UNKNOWN]),
    (Sum(log(x + k), (k, 1, n)), [UNKNOWN]), (Sum(x, (k, 1, m)), [ge(m, 0)]), (Sum(x, (k, 1, n - 1)), []),
    (Sum(x, (k, 2, n - 1)), [ge(n, 2)]), (Sum(k, (k, m, n)), [ge(n, m - 1)]),
    (Sum(k, (k, R(1, 2), n)), [UNKNOWN]), (Sum(k, (k, 1, y)), [UNKNOWN]),
    (Sum(k * x, (k, 1, 3), (x, 1, n)), []), (Sum(k * m, (k, 1, m), (m, 1, 2)), []),
    (D(Sum(root(x), (k, 1, n)), x), [gt(x, 0)]), (D(Sum(k * x, (k, 1, n)), n), None),
    (D(Sum(k, (k, 1, sympy.floor(x))), x), None), (D(Sum(k, (k, sympy.floor(x), 9)), x), None),
    (Sum(k, (k, 1, sympy.floor(log(p)))), [gt(p, 0), ge(sympy.floor(log(p)), 0)]),
    (sympy.Max(x, y), []), (sympy.Min(x, y), []), (sympy.Abs(x), []), (sympy.ceiling(x), []),
    (Product(root(x + k), (k, 1, 2)), [ge(x + 1, 0), ge(x + 2, 0)]), (Sum(k, (k, 1, log(p))), None),
]  # fmt: skip


def _normal(need: Need) -> Need | tuple[sympy.Expr, str]:
    """Return a condition such that equal ones are equal."""
    return need if isinstance(need, Unknown) else (sympy.simplify(need.gap), need.op)


@pytest.mark.parametrize(("term", "conditions"), CONDITIONS, ids=[str(t) for t, _ in CONDITIONS])
def test_a_term_needs_these_conditions(term: sympy.Expr, conditions: list[Need] | None) -> None:
    found = list(needs(term))
    if conditions is None:
        assert UNKNOWN in found
    else:
        assert list(map(_normal, found)) == list(map(_normal, conditions))


@pytest.mark.parametrize(
    ("integral", "asked"),
    [
        (sympy.Integral(1 / (t - 3), (t, 0, x)), [gt(9 - 3 * x, 0)]),
        (sympy.Integral(1 / t, (t, 1, p)), []),
        (sympy.Integral(1 / t, (t, 1, x)), [gt(x, 0)]),
        (sympy.Integral(1 / t, (t, x, y)), [gt(x * y, 0)]),
        (sympy.Integral(root(1 - t), (t, 0, x)), [ge(1 - x, 0)]),
        (sympy.Integral(exp(-(t**2)) / (t**2 + p), (t, x, y)), []),
        (sympy.Integral(1 / y, (t, 0, x)), [ne(y, 0)]),  # what holds no t is asked as it stands
        (sympy.Integral(1 / (t**2 - 2), (t, 0, x)), [UNKNOWN]),
        (sympy.Integral(log(t), (t, 0, 1)), [UNKNOWN]),  # improper: it converges, which this does not show
        (sympy.Integral(1 / (1 + sympy.floor(t) - t), (t, 0, 1)), [UNKNOWN]),  # real everywhere, and not bounded
        (sympy.Integral(tp, (tp, 0, p)), []),
        (sympy.Integral(tp, (tp, -1, 1)), [UNKNOWN]),  # the variable promises to be positive
        (sympy.Integral(t * x, (t, 0, 1), (x, 0, 1)), [UNKNOWN]),
        (sympy.Integral(t, t), [UNKNOWN]),
        (sympy.Integral(k, (k, 0, 1)), [UNKNOWN]),
        (Sum(tp, (tp, -1, n)), [UNKNOWN]),
        # A continuous integrand does not make a limit exist.
        (sympy.Integral(exp(-t), (t, 0, sympy.oo)), [UNKNOWN]),
        (sympy.Integral(exp(-t) / t, (t, 1, sympy.oo)), [UNKNOWN]),
        (sympy.Integral(exp(t) * log(-t), (t, -sympy.oo, x)), [UNKNOWN]),
        (sympy.Integral(t, (t, -sympy.oo, sympy.oo)), [UNKNOWN]),
    ],
    ids=str,
)
def test_an_integral_asks_for_an_integrand_that_is_continuous_from_end_to_end(
    integral: sympy.Expr, asked: list[Need]
) -> None:
    found = needs(integral)
    assert list(map(_normal, found)) == list(map(_normal, asked))


@given(
    a=st.integers(-6, 6), b=st.integers(-6, 6), c=st.fractions(-6, 6, max_denominator=3), power=st.integers(1, 3),
    scale=st.sampled_from([F(-2), F(1, 3), F(5)]),
)  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_an_integral_of_a_pole_has_a_value_exactly_where_the_pole_is_outside(
    a: int, b: int, c: Fraction, power: int, scale: Fraction
) -> None:
    """The pole lies between the ends or at one of them, and the integral diverges, or it does not and all is shown."""
    shifted = sympy.Rational(scale.numerator, scale.denominator) * (t - sympy.Rational(c.numerator, c.denominator))
    integral = sympy.Integral((t**2 + 1) / shifted**power, (t, x, y))
    found = undefined_part(ge(integral, -7), {x: F(a), y: F(b)})
    inside = a != b and min(a, b) <= c <= max(a, b)
    assert (found is not None) == inside
    known = [need for need in needs(integral) if not isinstance(need, Unknown)]
    assert len(known) == len(needs(integral))
    shown = all(r.gap.subs({x: a, y: b}) > 0 for r in known)
    assert shown == (not min(a, b) <= c <= max(a, b))


def test_a_condition_that_is_not_known_is_no_formula_no_number_and_no_truth_value() -> None:
    """It stands in the place of a condition, and whoever takes it for one is stopped."""
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(UNKNOWN)
    for build in (
        lambda: gt(UNKNOWN, 0), lambda: Relation(x, "<", UNKNOWN), lambda: x + UNKNOWN, lambda: UNKNOWN * 2,
        lambda: UNKNOWN > 0, lambda: both(UNKNOWN, gt(x, 0)), lambda: either(gt(x, 0), UNKNOWN),
        lambda: Claim(id="c", title="t", variables=(), conclusion=UNKNOWN), lambda: Claim(
            id="c", title="t", variables=(), hypotheses=(Hypothesis("h", UNKNOWN),), conclusion=gt(1, 0)
        ),
    ):  # fmt: skip
        with pytest.raises(TypeError):
            build()
    assert not evident(UNKNOWN)
    assert not isinstance(UNKNOWN, Relation)


def test_the_terms_of_an_expression_stand_after_their_arguments_and_hide_what_is_bound() -> None:
    assert list(parts(x + log(y * 2))).index(log(2 * y)) > list(parts(x + log(y * 2))).index(y)
    for whole, seen, hidden in (
        (At(log(x), x, root(y)), {y, root(y)}, {log(x), x}), (D(1 / x, x), set(), {1 / x, x}),
        (Sum(1 / (k + x), (k, 1, log(y))), {1, y, log(y)}, {x, k, 1 / (k + x)}),
        (sympy.Integral(log(x), (x, 0, log(y))), {y, log(y)}, {x, log(x)}), (x * log(y), {x, y, log(y)}, set()),
    ):  # fmt: skip
        found = list(parts(whole))
        assert found[-1] == whole
        assert seen <= set(found)
        assert not hidden & set(found)
    cases = sympy.Piecewise((x, x > 0), (y, True))
    assert list(parts(cases + 1))[-2:] == [cases, cases + 1]
    assert all(isinstance(node, sympy.Expr) for node in parts(cases + 1))


@pytest.mark.parametrize(
    ("relation", "expected"),
    [(gt(p, 0), True), (ge(q, 0), True), (gt(q, 0), False), (ne(p, 0), True), (ne(q, 0), False), (le(0, q), True),
     (ge(x, 0), False), (ge(x**2, 0), True), (gt(x**2, 0), False), (ge(0, 0), True), (gt(0, 0), False),
     (ne(-p, 0), True), (ge(p, q), False), (eq(q - q, 0), True)],
)  # fmt: skip
def test_a_condition_is_evident_where_the_declared_domains_imply_it(relation: Relation, expected: bool) -> None:
    assert evident(relation) is expected


# ------------------------------------------------------------------------------- conditions against values

places = st.sampled_from([F(-2), F(-1), F(-1, 2), F(0), F(1, 3), F(1), F(3, 2)])
numbers = st.sampled_from([R(-1), R(-1, 2), R(0), R(1, 2), R(1), R(2)])
terms = st.recursive(
    st.sampled_from([x, y]) | numbers,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda pair: pair[0] + pair[1]),
        st.tuples(inner, inner).map(lambda pair: pair[0] * pair[1]),
        inner.map(log), inner.map(root), inner.map(lambda e: 1 / e if e != 0 else e), inner.map(lambda e: e**2),
        st.tuples(inner, st.sampled_from([THIRD, -THIRD, R(-2), R(3, 2)])).map(
            lambda pair: pair[0] ** pair[1] if pair[0] != 0 else pair[0]
        ),
    ).filter(lambda e: e.is_real is not False and e.is_finite is not False and not e.has(sympy.zoo, sympy.nan)),
    max_leaves=4,
)  # fmt: skip
kinds = st.sampled_from([
    lambda e: e, lambda e: D(e, x), lambda e: At(e, x, y + 1), lambda e: At(e, (x, y), (y, x)),
    lambda e: Sum(e.subs(x, x + k), (k, 0, 1)), lambda e: At(D(e, x), x, y),
])  # fmt: skip


class NotReal(Exception):
    """A term without a real value."""


def value(expression: sympy.Expr, point: dict[sympy.Symbol, sympy.Expr]) -> sympy.Expr:
    """The exact value, one operation after the other; of a derivative that of its function."""
    if isinstance(expression, D):
        return value(expression.expr, point)
    if isinstance(expression, At):
        there = [value(place, point) for place in expression.point]
        return value(expression.args[0], point | dict(zip(expression.variables, there, strict=True)))
    if isinstance(expression, Sum):
        return sympy.Add(*(value(expression.function, {**point, k: sympy.Integer(i)}) for i in (0, 1)))
    if not expression.args:
        return point.get(expression, expression)
    arguments = [value(argument, point) for argument in expression.args]
    first = arguments[0]
    sign_of = 0 if abs(sympy.N(first, 30)) < 1e-20 else 1 if sympy.N(first) > 0 else -1
    if isinstance(expression, log) and sign_of <= 0:
        raise NotReal
    if isinstance(expression, sympy.Pow) and sign_of <= 0:
        exponent = arguments[1]
        if (sign_of == 0 and exponent < 0) or (sign_of < 0 and not exponent.is_integer):
            raise NotReal
    return expression.func(*arguments)


def is_real(expression: sympy.Expr, point: dict[sympy.Symbol, Fraction]) -> bool:
    try:
        value(expression, {s: R(v.numerator, v.denominator) for s, v in point.items()})
    except NotReal:
        return False
    return True


@settings(max_examples=150)
@given(terms, kinds, places, places)
def test_what_is_said_to_be_defined_or_undefined_at_a_point_is_so(
    inner: sympy.Expr, kind: Any, at_x: Fraction, at_y: Fraction
) -> None:
    try:
        whole = kind(inner)
    except (ValueError, TypeError):  # SymPy sees at once that there is nothing to substitute in
        return
    if whole.has(sympy.zoo, sympy.nan, sympy.I):
        return
    point = {x: at_x, y: at_y}
    try:
        relation = ge(whole, -1000)
    except ValueError:
        return
    real = is_real(whole, point)
    gap = undefined_part(relation, point)
    if gap is not None:
        assert not real
        assert truth_by_arb(relation, point) == UNDEFINED
    conditions = [c for node in parts(whole) for c in needs(node) if not isinstance(c, Unknown)]
    signs = [(c, sign(c.gap, point)) for c in conditions]
    good = {"!=": ("positive", "negative"), ">": ("positive",), ">=": ("positive", "zero", "nonnegative")}
    if all(s in good[c.op] for c, s in signs):
        assert real
        assert gap is None


GAPS: list[tuple[sympy.Expr, dict[Any, Any], tuple[sympy.Expr, Relation] | None]] = [
    (D(log(x), x), {x: F(-1)}, (D(log(x), x), gt(x, 0))),
    (D(log(x), x), {x: F(1)}, None),
    (D(root(x), x), {x: F(0)}, None),  # SymPy's own value at the point is another matter; the function is real
    (At(log(x), x, y - 1), {y: F(1, 2)}, (At(log(x), x, y - 1), gt(R(-1, 2), 0))),
    (At(log(x), x, y - 1), {y: F(2)}, None),
    (At(log(x), x, y - 1), {x: F(-5), y: F(2)}, None),  # the outer x is another one
    (At(1 / (x - y), x, R(3)), {y: F(3)}, (At(1 / (x - y), x, R(3)), ne(3 - y, 0))),
    (At(1 / (x - y), x, R(3)), {x: F(5), y: F(5)}, None),
    (At(log(x * y), x, y), {y: F(0)}, (At(log(x * y), x, y), gt(0, 0))),
    (At(log(x), x, root(y)), {y: F(2)}, None),  # the place is not rational: nothing is known
    (Sum(log(x - k), (k, 0, 1)), {x: F(1, 2)}, (Sum(log(x - k), (k, 0, 1)), gt(x - 1, 0))),
    (Sum(log(x - k), (k, 0, 1)), {x: F(2)}, None),
    (Sum(log(x), (k, 1, n)), {x: F(-1), n: F(2)}, (Sum(log(x), (k, 1, n)), gt(x, 0))),
    (Sum(log(x), (k, 1, n)), {x: F(-1), n: F(0)}, None),  # nothing is added up
    (Sum(1 / (k - 7), (k, 1, n)), {n: F(7)}, (Sum(1 / (k - 7), (k, 1, n)), ne(0, 0))),
    (Sum(1 / (k - 7), (k, 1, n)), {n: F(6)}, None),
    (Sum(1 / (k - x), (k, 1, n)), {n: F(4), x: F(3)}, (Sum(1 / (k - x), (k, 1, n)), ne(3 - x, 0))),
    (sympy.Integral(1 / (t - 3), (t, 0, x)), {x: F(2)}, None),
    (sympy.Integral(1 / (t - 3), (t, 0, x)), {x: F(3)}, (sympy.Integral(1 / (t - 3), (t, 0, x)), gt(9 - 3 * x, 0))),
    (sympy.Integral(1 / (t - 3), (t, 0, x)), {x: F(4)}, (sympy.Integral(1 / (t - 3), (t, 0, x)), gt(9 - 3 * x, 0))),
    (sympy.Integral(1 / root(t), (t, 0, x)), {x: F(4)}, None),  # improper, and it converges
    (sympy.Integral(1 / (t * (t - 1)), (t, 0, x)), {x: F(1, 2)},
     (sympy.Integral(1 / (t * (t - 1)), (t, 0, x)), gt(0, 0))),
    (sympy.Integral(1 / (t**2 - 2), (t, 0, x)), {x: F(2)}, None),  # an irrational pole is left open
    # Nothing of a high power is multiplied out to look for a pole, which would take hours.
    (sympy.Integral((1 - (1 - t) ** n) / t, (t, 0, 1)), {n: F(10**7)}, None),
    (sympy.Integral(exp(t) / t**2, (t, x, 1)), {x: F(-1)}, (sympy.Integral(exp(t) / t**2, (t, x, 1)), gt(x, 0))),
    (sympy.Integral(root(1 - t), (t, 0, x)), {x: F(2)}, (sympy.Integral(root(1 - t), (t, 0, x)), ge(-1, 0))),
    (sympy.Integral(root(1 - t), (t, 0, x)), {x: F(1)}, None),
    (sympy.gamma(x), {x: F(-3)}, (sympy.gamma(x), gt(x, 0))), (sympy.gamma(x), {x: F(-1, 2)}, None),
    (sympy.loggamma(x), {x: F(-1, 2)}, (sympy.loggamma(x), gt(x, 0))),
    (sympy.factorial(x), {x: F(-1)}, (sympy.factorial(x), gt(x, -1))), (sympy.factorial(x), {x: F(-1, 2)}, None),
    (sympy.acos(x), {x: F(2)}, (sympy.acos(x), le(x, 1))), (sympy.acos(x), {x: F(1)}, None),
    (sympy.erfinv(x), {x: F(1)}, (sympy.erfinv(x), lt(x, 1))),
    (Product(1 / (x - k), (k, 1, 2)), {x: F(2)}, (Product(1 / (x - k), (k, 1, 2)), ne(x - 2, 0))),
    (LogRemainder(1, x), {x: F(-1)}, (LogRemainder(1, x), gt(1 + x, 0))),
    (LogRemainder(1, x), {x: F(-1, 2)}, None),
    (sympy.uppergamma(x, y), {x: F(-1), y: F(-1)}, None),
    (x**y, {x: F(0), y: F(0)}, None),
    (x ** (y**2 - 3), {x: F(0), y: root(2)}, (x ** (y**2 - 3), ne(x, 0))),
    (x ** (y**2 - 2), {x: F(0), y: root(2)}, None),
    (x ** (y**2 - 3), {x: F(-1), y: root(2)}, None),
    (x**y, {x: F(0), y: -root(2)}, (x**y, ne(x, 0))),
    (x**y, {x: F(0), y: root(2)}, None),
    (x**y, {x: F(-1), y: root(2)}, None),
]  # fmt: skip


@pytest.mark.parametrize(("term", "point", "broken"), GAPS, ids=[f"{t} at {at}" for t, at, _ in GAPS])
def test_a_term_that_certainly_has_no_value_is_found_with_the_condition_that_fails(
    term: sympy.Expr, point: Any, broken: Any
) -> None:
    relation = ge(term, term - 1)
    if term.free_symbols & {x, y, n} and relation.gap == 1:
        relation = ge(term, -7)
    found = undefined_part(relation, point)
    if broken is None:
        assert found is None
    else:
        assert found is not None
        assert (found.term, found.condition.op) == (broken[0], broken[1].op)
        assert sympy.simplify(found.condition.gap - broken[1].gap) == 0
        assert first_gap(either(ge(x, x - 1), both(relation)), point) == Gap(found.term, found.condition)
        assert truth_by_arb(relation, point) == UNDEFINED


def test_only_terms_that_may_have_no_value_are_looked_at() -> None:
    assert conditional(ge(log(p) + root(q) + x, 1 / p)) == ()
    assert conditional(ge(log(x) + root(q), 1 / y)) == (log(x), 1 / y)
    assert conditional(ge(log(log(x)), log(x))) == (log(x), log(log(x)))


# ------------------------------------------------------------------------------------------------------ points


def test_coordinates_that_are_not_rational_are_put_in_and_the_others_kept() -> None:
    assert split(x + y, {x: root(2), y: F(1, 2)}) == (root(2) + y, {y: F(1, 2)})
    assert split(x + y, {x: F(1), y: F(1, 2)}) == (x + y, {x: F(1), y: F(1, 2)})
    assert exact(R(3, 4)) == F(3, 4)
    assert isinstance(exact(sympy.Integer(3)), Fraction)
    assert exact(root(2)) == root(2)
    assert values.as_sympy(F(3, 4)) == R(3, 4)
    assert values.as_sympy(root(3)) == root(3)


def test_a_value_is_exact_or_nothing() -> None:
    assert value_at(x**2 + y, {x: F(1, 2), y: F(3)}) == F(13, 4)
    assert value_at(D(x**3, x), {x: F(2)}) == 12
    assert value_at(root(x), {x: F(4)}) == 2
    assert value_at(root(x), {x: F(2)}) is None
    assert value_at(x**2, {x: root(2)}) == 2
    assert exponent_at(x + R(1, 2), {x: F(1, 3)}) == F(5, 6)
    assert exponent_at(x, {x: root(2)}) is None
    assert exponent_at(x**2, {x: root(2)}) == 2


@pytest.mark.parametrize(
    ("expression", "point", "expected"),
    [
        (x - 1, {x: F(1)}, "zero"), (x - 1, {x: F(2)}, "positive"), (1 - x, {x: F(2)}, "negative"),
        (sympy.oo * 1, {}, "unknown"), (x - y, {x: root(2), y: root(2)}, "zero"),
        (x - y, {x: root(2), y: root(3)}, "negative"), (x**2 - 3, {x: root(3)}, "zero"),
        (sympy.sin(x) ** 2 + sympy.cos(x) ** 2 - 1, {x: F(1, 3)}, "unknown"),
        (sympy.sin(sympy.pi * x), {x: F(3)}, "zero"), (sympy.sin(sympy.pi * x), {x: F(10**9 + 7)}, "unknown"),
        (sympy.sin(sympy.pi * x), {x: F(1, 3)}, "positive"),
        (sympy.airyai(x), {x: F(3)}, "unknown"), (x + y, {x: F(1)}, "unknown"),
    ],
)  # fmt: skip
def test_a_sign_is_certain_or_unknown(expression: sympy.Expr, point: Any, expected: str) -> None:
    assert sign(expression, point) == expected


def test_more_bits_tell_more() -> None:
    apart = root(2) - R(14142135623730950488016887242096980785696718753769, 10**49)
    assert sign(apart + 0 * x, {}, maximum_bits=64) in ("unknown", "nonnegative", "nonpositive")
    assert sign(apart, {}) == "positive"
    relation = gt(root(2), root(2) - apart)
    assert truth_by_arb(relation, {}, maximum_bits=64) is None
    assert truth_by_arb(relation, {}) is True


@pytest.mark.parametrize(
    ("statement", "verdict"),
    [
        ("1 - integral(x, 0, oo, x*exp(-x)) = 0", "proved"),
        ("integral(x, 0, oo, exp(-x)) + integral(x, 0, oo, x*exp(-x)) = 2", "proved"),
        ("1/integral(x, 0, oo, 2*exp(-x)) < 1", "proved"),
        ("a*integral(t, 0, oo, exp(-a*t)) = 1 for a > 0", "proved"),
        ("2*integral(x, 0, oo, x*exp(-x)) = 3", "refuted"),
        # The two sides cancel for SymPy, and have no value.
        ("integral(x, 0, oo, x) - integral(x, 0, oo, x) = 0", "undecided"),
        ("integral(x, 0, oo, x) - integral(x, 0, oo, x) + integral(x, 0, oo, x*exp(-x)) = 1", "undecided"),
        ("exp(integral(x, 0, oo, -x)) = 0", "undecided"),
        ("integral(t, 1, oo, exp(-t)/t) <= 1", "proved"),
        ("if 1 - integral(x, 0, oo, x*exp(-x)) <= y then y >= 0", "undecided"),
        ("1/0 = 1", "refuted"),
        ("log(-1) = 0", "refuted"),
    ],
)
def test_a_value_that_is_not_known_to_exist_is_neither_true_nor_false(statement: str, verdict: str) -> None:
    answer = check(statement)
    if verdict == "refuted":
        assert answer.verdict.value == "refuted"
    else:
        assert answer.verdict.value in (verdict, "undecided")
        assert answer.counterexample is None
    if verdict == "proved":
        assert answer.shown
    assert "0 > 0" not in str(answer)
