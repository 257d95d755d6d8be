"""Laws of formulas that hold for every formula and every point, and of what the solver says about them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from rgm_verify.claims.formula import (
    OPERATORS,
    All,
    Either,
    Formula,
    Iff,
    Implies,
    Relation,
    canonical,
    chain,
    holds,
    negation,
    relations,
    rewrite,
    substitute,
    symbols_of,
)
from rgm_verify.claims.written.rendering import expression_latex, latex
from rgm_verify.lenses.points.floats import robustness
from rgm_verify.lenses.points.interval import CannotEnclose, sign_by_intervals
from rgm_verify.lenses.solvers.smt import prove, satisfiable, undefined

x, y = sympy.symbols("x y", real=True)
SYMBOLS = (x, y)
SMALL = st.fractions(min_value=-3, max_value=3, max_denominator=4)
Point = dict[sympy.Symbol, Fraction]


def number(value: Fraction) -> sympy.Rational:
    return sympy.Rational(value.numerator, value.denominator)


numbers = SMALL.map(number)


def is_real(value: sympy.Expr) -> bool:
    """Not certainly outside the real numbers; where it may be is what the solver has to find out."""
    return value.is_real is not False and value.is_finite is not False and not value.has(sympy.I)


arithmetic = st.recursive(
    st.sampled_from(SYMBOLS) | numbers,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda p: p[0] + p[1]),
        st.tuples(inner, inner).map(lambda p: p[0] * p[1]),
        st.tuples(inner, inner).map(lambda p: sympy.Max(*p)),
        st.tuples(inner, inner).map(lambda p: sympy.Min(*p)),
        inner.map(sympy.Abs),
        inner.map(lambda e: 1 / e if e != 0 else e),
        inner.map(sympy.sqrt),
    ).filter(is_real),
    max_leaves=4,
)
points = st.fixed_dictionaries({x: SMALL, y: SMALL})


def formulas(sides: st.SearchStrategy[sympy.Expr]) -> st.SearchStrategy[Formula]:
    relation = st.builds(Relation, sides, st.sampled_from(OPERATORS), sides)
    return st.recursive(
        relation,
        lambda inner: st.one_of(
            st.lists(inner, min_size=1, max_size=3).map(lambda p: All(tuple(p))),
            st.lists(inner, min_size=1, max_size=3).map(lambda p: Either(tuple(p))),
            st.builds(Implies, inner, inner),
            st.builds(Iff, inner, inner),
        ),
        max_leaves=4,
    )


simple_sides = st.sampled_from([x, y, x + y, x * y, x**2 - y]) | numbers
simple = formulas(simple_sides)


def signs_at(point: Point) -> Callable[[sympy.Expr], str]:
    values = {s: number(v) for s, v in point.items()}

    def sign(gap: sympy.Expr) -> str:
        value = gap.subs(values)
        return "positive" if value > 0 else "negative" if value < 0 else "zero"

    return sign


# ------------------------------------------------------------------------------------------------ three-valued truth


@settings(max_examples=50)
@given(simple, points)
def test_a_negation_holds_exactly_where_the_formula_does_not(formula: Formula, point: Point) -> None:
    sign = signs_at(point)
    assert holds(negation(formula), sign) is not holds(formula, sign)


@settings(max_examples=50)
@given(simple, points)
def test_negating_twice_gives_the_same_truth(formula: Formula, point: Point) -> None:
    assert holds(negation(negation(formula)), signs_at(point)) is holds(formula, signs_at(point))


@settings(max_examples=50)
@given(simple, points, st.data())
def test_less_knowledge_never_contradicts_more(formula: Formula, point: Point, data: st.DataObject) -> None:
    """Blurring a certain sign may leave the truth open, and never turns it around."""
    weaker = {"positive": ("positive", "nonnegative", "unknown"), "negative": ("negative", "nonpositive", "unknown")}
    exact = signs_at(point)
    blurred: dict[sympy.Expr, str] = {}

    def sign(gap: sympy.Expr) -> str:
        if gap not in blurred:
            allowed = weaker.get(exact(gap), ("zero", "nonnegative", "nonpositive", "unknown"))
            blurred[gap] = data.draw(st.sampled_from(allowed))
        return blurred[gap]

    assert holds(formula, sign) in (None, holds(formula, exact))


@given(st.lists(simple_sides, min_size=2, max_size=4), st.data(), points)
def test_a_chain_holds_where_every_neighbour_does(sides: list[sympy.Expr], data: st.DataObject, point: Point) -> None:
    operators = [data.draw(st.sampled_from(OPERATORS)) for _ in sides[1:]]
    items: list[object] = [sides[0]]
    for operator, side in zip(operators, sides[1:], strict=True):
        items += [operator, side]
    links = [Relation(a, op, b) for a, op, b in zip(sides, operators, sides[1:], strict=False)]
    sign = signs_at(point)
    assert holds(chain(*items), sign) is all(holds(link, sign) for link in links)  # type: ignore[arg-type]


# ---------------------------------------------------------------------------------------- canonical text and rewriting


@settings(max_examples=50)
@given(simple, simple)
def test_canonical_texts_are_equal_exactly_for_equal_formulas(first: Formula, second: Formula) -> None:
    assert (canonical(first) == canonical(second)) is (first == second)


@settings(max_examples=50)
@given(simple)
def test_a_rewriting_that_changes_nothing_gives_the_formula_back(formula: Formula) -> None:
    assert rewrite(formula, lambda side: side) == substitute(formula, {}) == formula


@settings(max_examples=50)
@given(simple, points)
def test_substituting_a_point_decides_like_the_signs_there(formula: Formula, point: Point) -> None:
    closed = substitute(formula, {s: number(v) for s, v in point.items()})
    assert symbols_of(closed) == set()
    assert holds(closed, signs_at({})) is holds(formula, signs_at(point))


@settings(max_examples=50)
@given(simple)
def test_every_construct_has_latex_that_shows_each_of_its_sides(formula: Formula) -> None:
    text = latex(formula)
    for relation in relations(formula):
        assert expression_latex(relation.lhs) in text
        assert expression_latex(relation.rhs) in text


@settings(max_examples=40)
@given(simple, points)
def test_robustness_has_the_sign_of_the_truth(formula: Formula, point: Point) -> None:
    value = float(robustness(formula, SYMBOLS)(*(np.array([float(point[s])]) for s in SYMBOLS))[0])
    if abs(value) > 1e-9:  # nearer to a boundary floating point may see either side, which is why it only guides
        assert (value > 0) is holds(formula, signs_at(point))


# ------------------------------------------------------------------------------------------------ soundness of proofs


def exact_truth(formula: Formula, point: Point) -> bool | None:
    """Truth by SymPy's exact arithmetic; None where a side is no real number."""
    values = {s: number(v) for s, v in point.items()}
    match formula:
        case Relation(lhs, op, rhs):
            try:
                left, right = lhs.subs(values), rhs.subs(values)
            except ValueError:  # SymPy refuses to compare what is no real number
                return None
            if not (left.is_real and right.is_real and left.is_finite and right.is_finite):
                return None
            return holds(Relation(left, op, right), lambda gap: _sign(gap))
        case All(parts):
            return _kleene_and([exact_truth(p, point) for p in parts])
        case Either(parts):
            return _not(_kleene_and([_not(exact_truth(p, point)) for p in parts]))
        case Implies(left, right):
            return _not(_kleene_and([exact_truth(left, point), _not(exact_truth(right, point))]))
        case Iff(left, right):
            first, second = exact_truth(left, point), exact_truth(right, point)
            return None if None in (first, second) else first is second


def _sign(value: sympy.Expr) -> str:
    value = sympy.nsimplify(value) if value.is_Rational else sympy.radsimp(value)
    if value.is_zero or sympy.simplify(value) == 0:
        return "zero"
    return "positive" if value.evalf(50) > 0 else "negative"


def _kleene_and(values: list[bool | None]) -> bool | None:
    return False if False in values else None if None in values else True


def _not(value: bool | None) -> bool | None:
    return None if value is None else not value


@settings(max_examples=40)
@given(formulas(arithmetic), formulas(arithmetic), st.lists(points, min_size=6, max_size=6))
def test_what_is_proved_holds_wherever_the_assumption_does(
    assumption: Formula, conclusion: Formula, places: list[Point]
) -> None:
    if prove([assumption], conclusion, steps=200_000).answer != "proved":
        return
    for point in places:
        if exact_truth(assumption, point) is True:
            assert exact_truth(conclusion, point) is True, (assumption, conclusion, point)


@settings(max_examples=30)
@given(formulas(arithmetic), formulas(arithmetic), st.lists(points, min_size=6, max_size=6))
def test_unknown_atoms_prove_nothing_false(assumption: Formula, conclusion: Formula, places: list[Point]) -> None:
    def hide(formula: Formula) -> Formula:
        return rewrite(formula, lambda e: e + sympy.exp(x) - sympy.exp(y))

    if prove([hide(assumption)], hide(conclusion), steps=2_000_000, atoms=True).answer != "proved":
        return
    for point in places:
        level = {**point, y: point[x]}  # there the two atoms cancel, so that exact arithmetic can decide
        if exact_truth(assumption, level) is True:
            assert exact_truth(conclusion, level) is True, (assumption, conclusion, level)


@settings(max_examples=40)
@given(formulas(arithmetic), st.lists(points, min_size=6, max_size=6))
def test_what_no_point_satisfies_is_satisfied_nowhere(formula: Formula, places: list[Point]) -> None:
    if satisfiable([formula], steps=200_000) == "no":
        assert all(exact_truth(formula, point) is not True for point in places)


@settings(max_examples=40)
@given(arithmetic, st.lists(points, min_size=6, max_size=6))
def test_a_term_shown_to_be_defined_is_a_real_number_everywhere(side: sympy.Expr, places: list[Point]) -> None:
    if undefined([], Relation(side, "==", 0), steps=200_000) == "":
        assert all(exact_truth(Relation(side, "==", 0), point) is not None for point in places)


@settings(max_examples=60)
@given(arithmetic, points)
def test_interval_signs_agree_with_exact_arithmetic(side: sympy.Expr, point: Point) -> None:
    try:
        sign = sign_by_intervals(side, point)
    except CannotEnclose:
        return
    for operator in ("<", "==", ">"):
        known = {"positive": operator == ">", "negative": operator == "<", "zero": operator == "=="}
        if sign in known:
            assert exact_truth(Relation(side, operator, 0), point) is known[sign]
