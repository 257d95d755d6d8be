"""Exact points: what is certain of a formula there, which points are admissible, and what a witness is."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest
import sympy
from sympy import Rational, exp, log, sqrt
from sympy.core.facts import InconsistentAssumptions

from rgm_verify.claims import (
    Claim,
    Formula,
    Hypothesis,
    Iff,
    Implies,
    Variable,
    both,
    either,
    eq,
    ge,
    gt,
    le,
    lt,
    natural,
    ne,
    positive,
    real,
)
from rgm_verify.claims.evidence import Finding
from rgm_verify.lenses import Points, Search
from rgm_verify.lenses.algebra.equations import equations, roots, solved
from rgm_verify.lenses.base import FULL, QUICK, Context
from rgm_verify.lenses.points import numeric
from rgm_verify.lenses.points.approach import Approach
from rgm_verify.lenses.points.axes import Coordinate
from rgm_verify.lenses.points.factors import special_factors
from rgm_verify.lenses.points.interval import CannotEnclose, enclose_by_intervals, sign_by_intervals
from rgm_verify.lenses.points.numeric import mpmath_truth, mpmath_value, point_truth
from rgm_verify.lenses.points.sampling import admissible, exact_points
from rgm_verify.lenses.points.search import Outcome, search
from rgm_verify.lenses.points.values import (
    UNDEFINED,
    exponent_at,
    first_gap,
    sign,
    truth_at,
    truth_by_arb,
    undefined_part,
)
from rgm_verify.lenses.points.witness import certified, confirmed, deciding_relation

R, F = Rational, Fraction
X, Y, P, K = real("x"), real("y"), positive("p"), natural("k")
x, y, p, k = (v.symbol for v in (X, Y, P, K))
#: Two ways to write one number that enclosures cannot tell apart.
SUM, NESTED = sqrt(2) + sqrt(3), sqrt(5 + 2 * sqrt(6))


def claim(conclusion: Formula, *variables: Variable, given: tuple[Formula, ...] = (), **rest: Any) -> Claim:
    hypotheses = tuple(Hypothesis(f"h{i}", f) for i, f in enumerate(given))
    return Claim(
        id="t:claim", title="t", source="s", where="w", kind="k", variables=variables, hypotheses=hypotheses,
        conclusion=conclusion, **rest,
    )  # fmt: skip


# ------------------------------------------------------------------------------------------- signs


@pytest.mark.parametrize(
    ("expression", "point", "expected"),
    [
        (x - 1, {x: F(1)}, "zero"),
        (x - 1, {x: F(2)}, "positive"),
        (x - 1, {x: F(0)}, "negative"),
        (x**2 - 2, {x: sqrt(2)}, "zero"),
        (x - R(14142135623, 10**10), {x: sqrt(2)}, "positive"),
        (log(x) - R(1, 2), {x: exp(R(1, 2))}, "zero"),
        (SUM - NESTED, {}, "unknown"),
        (x + sqrt(3) - NESTED, {x: sqrt(2)}, "zero"),
        (log(x), {x: F(-1)}, "unknown"),
        (1 / x, {x: F(0)}, "unknown"),
    ],
)
def test_the_sign_of_an_expression_at_an_exact_point(expression: sympy.Expr, point: Any, expected: str) -> None:
    assert sign(expression, point) == expected


# ------------------------------------------------------------------------------------------- definedness


@pytest.mark.parametrize(
    ("relation", "point", "broken"),
    [
        (ge(log(x), 0), {x: F(0)}, (log(x), gt(x, 0))),
        (ge(log(x), 0), {x: F(-1)}, (log(x), gt(x, 0))),
        (ge(log(x), 0), {x: F(1)}, None),
        (ge(1 / x, 0), {x: F(0)}, (1 / x, ne(x, 0))),
        (ge(1 / x, 0), {x: F(-1)}, None),
        (ge(sqrt(x), 0), {x: F(-1)}, (sqrt(x), ge(x, 0))),
        (ge(sqrt(x), 0), {x: F(0)}, None),
        (ge(1 / sqrt(x), 0), {x: F(0)}, (1 / sqrt(x), ne(x, 0))),
        (ge(1 / sqrt(x), 0), {x: F(-1)}, (1 / sqrt(x), gt(x, 0))),
        (ge(x**y, 0), {x: F(-8), y: F(2)}, None),
        (ge(x**y, 0), {x: F(-8), y: F(1, 2)}, (x**y, ge(x, 0))),
        (ge(x**y, 0), {x: F(-8), y: F(-1, 2)}, (x**y, gt(x, 0))),
        (ge(x**y, 0), {x: F(0), y: F(-1)}, (x**y, ne(x, 0))),
        (ge(x**y, 0), {x: F(0), y: F(1)}, None),
        (ge(sympy.gamma(x), 0), {x: F(-1, 2)}, None),
    ],
)
def test_a_term_that_is_no_real_number_at_a_point_is_found_with_its_condition(
    relation: Any, point: Any, broken: Any
) -> None:
    found = undefined_part(relation, point)
    assert (found is None) == (broken is None)
    if found is not None:
        assert (found.term, found.condition) == (broken[0], broken[1])
        assert truth_by_arb(relation, point) == UNDEFINED
    assert first_gap(both(ge(x, x - 1), relation), point) == found


def test_an_exponent_is_known_where_it_is_rational() -> None:
    assert exponent_at(y + R(1, 2), {y: F(1, 3)}) == F(5, 6)
    assert exponent_at(y, {y: sqrt(2)}) is None


TRUE, FALSE, GAP, OPEN = ge(x, 0), lt(x, 0), gt(log(-x), 0), eq(SUM, NESTED)
STATES = {True: TRUE, False: FALSE, UNDEFINED: GAP, None: OPEN}


def decide(relation: Any) -> Any:
    return next(state for state, r in STATES.items() if r == relation)


@pytest.mark.parametrize(
    ("first", "second", "conjunction", "disjunction", "implication", "equivalence"),
    [
        (True, True, True, True, True, True),
        (True, False, False, True, False, False),
        (False, True, False, True, True, False),
        (False, False, False, False, True, True),
        (True, None, None, True, None, None),
        (None, True, None, True, True, None),
        (False, None, False, None, True, None),
        (None, False, False, None, None, None),
        (None, None, None, None, None, None),
        (True, UNDEFINED, UNDEFINED, True, UNDEFINED, UNDEFINED),
        (UNDEFINED, True, UNDEFINED, True, True, UNDEFINED),
        (False, UNDEFINED, False, UNDEFINED, True, UNDEFINED),
        (UNDEFINED, False, False, UNDEFINED, UNDEFINED, UNDEFINED),
        (UNDEFINED, UNDEFINED, UNDEFINED, UNDEFINED, UNDEFINED, UNDEFINED),
        (None, UNDEFINED, None, None, None, UNDEFINED),
    ],
)
def test_connectives_of_what_is_true_false_undefined_or_open(
    first: Any, second: Any, conjunction: Any, disjunction: Any, implication: Any, equivalence: Any
) -> None:
    one, other = STATES[first], STATES[second]
    assert truth_at(both(one, other), decide) is conjunction or truth_at(both(one, other), decide) == conjunction
    for formula, expected in (
        (both(one, other), conjunction), (either(one, other), disjunction), (Implies(one, other), implication),
        (Iff(one, other), equivalence),
    ):  # fmt: skip
        found = truth_at(formula, decide)
        assert (found, type(found)) == (expected, type(expected))


# ------------------------------------------------------------------------------------------- points and mpmath


def test_sides_that_nothing_tells_apart_count_as_equal_and_never_as_strictly_ordered() -> None:
    for formula in (ge(SUM, NESTED), le(SUM, NESTED), eq(SUM, NESTED)):
        assert point_truth(formula, {}) is True
        assert truth_by_arb(formula, {}) is None
    for formula in (gt(SUM, NESTED), lt(SUM, NESTED)):
        assert point_truth(formula, {}) is None


def test_sides_that_differ_in_the_fortieth_digit_are_told_apart() -> None:
    off = NESTED + R(1, 10**40)
    assert point_truth(eq(SUM, off), {}) is False
    assert point_truth(lt(SUM, off), {}) is True
    assert point_truth(ge(SUM, off), {}) is False
    assert mpmath_truth(lt(SUM, off), {}) is True


def test_where_mpmath_alone_says_no_the_points_do_not_support(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numeric, "mpmath_truth", lambda *_: False)
    for about in (claim(ge(x**2 + 1, 0), X), claim(lt(sympy.E, 3))):
        (found,) = Points().run(about, Context())
        assert found.finding is Finding.CONTRADICTS
        assert "mpmath finds that it fails" in found.summary


@pytest.mark.parametrize("by_mpmath", [None, UNDEFINED])
def test_where_mpmath_says_nothing_it_is_no_route(monkeypatch: pytest.MonkeyPatch, by_mpmath: Any) -> None:
    monkeypatch.setattr(numeric, "mpmath_truth", lambda *_: by_mpmath)
    for about in (claim(ge(x**2 + 1, 0), X), claim(lt(sympy.E, 3))):
        (found,) = Points().run(about, Context())
        assert (found.finding, found.families) == (Finding.SUPPORTS, ("arb",))


def test_points_support_only_where_arb_decided_three_of_four(monkeypatch: pytest.MonkeyPatch) -> None:
    for decided, finding in ((12, Finding.SUPPORTS), (9, Finding.SUPPORTS), (8, Finding.UNDECIDED)):
        answers = iter([True] * decided + [None] * 12)
        monkeypatch.setattr(numeric, "point_truth", lambda *_, answers=answers: next(answers))
        (found,) = Points().run(claim(ge(x**2 + 1, 0), X), Context())
        assert found.finding is finding


def test_few_points_say_nothing_unless_there_are_no_more() -> None:
    two = real("i", lower=0, upper=1, integer=True)
    (found,) = Points().run(claim(ge(two.symbol, 0), two), Context())
    assert (found.finding, found.details["points"]) == (Finding.SUPPORTS, 2)
    (none,) = Points().run(claim(ge(x, 0), X, given=(lt(x**2, -1),)), Context())
    assert (none.finding, "no admissible point" in none.summary) == (Finding.UNDECIDED, True)


# ------------------------------------------------------------------------------------------- admissible


def test_a_point_is_admissible_only_where_every_assumption_is_certain() -> None:
    open_hypothesis = claim(ge(x, 0), X, given=(eq(SUM, NESTED),))
    assert not admissible(open_hypothesis, {x: F(1)})
    assert not admissible(claim(ge(x, 0), X, given=(ge(log(x), -1),)), {x: F(-1)})
    assert not admissible(claim(ge(p, 1), P), {p: F(0)})
    assert admissible(claim(ge(p, 1), P, X, given=(ge(x, 0),)), {p: F(1), x: F(0)})


def test_a_fraction_is_no_integer() -> None:
    about = claim(ge(k, 1), K)
    assert admissible(about, {k: F(2)})
    assert not admissible(about, {k: F(3, 2)})
    assert not admissible(about, {k: sqrt(2) + 1})
    assert not admissible(about, {k: F(0)})


@pytest.mark.parametrize(
    ("value", "closed", "opened", "above", "below"),
    [(F(0), True, False, True, False), (F(1), True, True, True, True), (F(2), True, False, False, True),
     (F(-1), False, False, False, False), (F(3), False, False, False, False), (F(1, 2), False, False, False, False)],
)  # fmt: skip
def test_an_axis_admits_its_integers_and_its_closed_ends(
    value: Fraction, closed: bool, opened: bool, above: bool, below: bool
) -> None:
    def axis(lower_open: bool, upper_open: bool, integer: bool = True) -> Coordinate:
        return Coordinate(x, F(0), F(2), lower_open, upper_open, integer)

    assert axis(False, False).admits(value) is closed
    assert axis(True, True).admits(value) is opened
    assert axis(False, True).admits(value) is above
    assert axis(True, False).admits(value) is below
    assert axis(True, True, integer=False).admits(value) is (0 < value < 2)
    assert Coordinate(x, None, None, True, True).admits(value)


def test_points_are_distinct_and_admissible_and_no_more_than_asked_for() -> None:
    about = claim(ge(x, 0), X, Y, given=(gt(x, y),))
    found = list(exact_points(about, "test", 1, 7))
    assert len(found) == len({tuple(point.values()) for point in found}) == 7
    assert all(point[x] > point[y] for point in found)
    assert list(exact_points(claim(lt(sympy.E, 3)), "test", 1, 7)) == [{}]


# ------------------------------------------------------------------------------------------- witnesses


@pytest.mark.parametrize("conclusion", [eq(SUM, NESTED), ne(SUM, NESTED), gt(SUM, NESTED), le(SUM, NESTED)])
@pytest.mark.parametrize("wanted", [True, False])
def test_what_is_not_certain_is_no_witness(conclusion: Formula, wanted: bool) -> None:
    assert certified(claim(conclusion), conclusion, {}, wanted=wanted) is None
    assert confirmed(claim(conclusion), {}, wanted=wanted) is None


def test_a_witness_is_certain_and_admissible() -> None:
    about = claim(ge(x, 1), X, given=(ge(x, 0),))
    assert about.conclusion is not None
    found = certified(about, about.conclusion, {x: F(1, 2)}, wanted=False)
    assert found is not None
    assert (found.relation, found.families) == (lt(x, 1), ("arb", "mpmath"))
    assert certified(about, about.conclusion, {x: F(-1)}, wanted=False) is None
    assert certified(about, about.conclusion, {x: F(2)}, wanted=False) is None
    example = certified(about, about.conclusion, {x: F(2)}, wanted=True)
    assert example is not None
    assert example.relation == ge(x, 1)
    assert certified(about, about.conclusion, {x: F(1, 2)}, wanted=True) is None


def test_a_point_where_a_term_is_not_defined_refutes_and_is_no_example() -> None:
    about = claim(ge(x**2 / x, x), X)
    quotient = claim(ge(sympy.Mul(x, 1 / (x - 1), evaluate=False), -(10**9)), X, given=(eq(x, 1),))
    assert quotient.conclusion is not None
    found = certified(quotient, quotient.conclusion, {x: F(1)}, wanted=False)
    assert found is not None
    assert found.undefined == 1 / (x - 1)
    assert "no real number" in found.to_json()["relation"]
    assert certified(quotient, quotient.conclusion, {x: F(1)}, wanted=True) is None
    assert about.conclusion is not None


def test_the_relation_that_decides_has_sides_that_differ() -> None:
    def at_zero(expression: sympy.Expr) -> str:
        return sign(expression, {x: F(0)})

    assert deciding_relation(both(le(x, 0), lt(x, 1)), at_zero) == lt(x, 1)
    assert deciding_relation(both(lt(x, 1), le(x, 0)), at_zero) == lt(x, 1)
    assert deciding_relation(either(gt(x, 1), le(x, 0)), at_zero) == le(x, 0)


def test_special_factors_are_where_a_claim_may_fail_at_a_point() -> None:
    assert x - 1 in special_factors(gt((x - 1) ** 2, 0)) or 1 - x in special_factors(gt((x - 1) ** 2, 0))
    assert {abs_free for abs_free in special_factors(ge(log(x + 2), y)) if abs_free == x + 2}
    assert any(f.subs(x, 3) == 0 for f in special_factors(ge(sympy.Abs(x - 3) + y, -1)))
    assert any(f.subs(x, 5) == 0 for f in special_factors(ge(1 / (x - 5) ** 2, y)))


@pytest.mark.parametrize(
    ("conclusion", "at"),
    [
        (gt((x - R(31, 7)) ** 2, 0), R(31, 7)),
        (gt((x**2 - 2) ** 2, 0), None),
        (gt((exp(x) - 3) ** 2, 0), sympy.log(3)),
        (ne(x, R(12345, 67)), R(12345, 67)),
        (ge(sympy.Abs(x - R(31, 7)) * 10**12, 1), R(31, 7)),
    ],
)
def test_a_claim_that_fails_at_a_single_point_is_refuted_there(conclusion: Formula, at: Any) -> None:
    outcome = search(claim(conclusion, X), Context(), wanted=False, purpose="test", thorough=True)
    assert outcome.witness is not None
    value = outcome.witness.point[x]
    assert at is None or sympy.simplify(sympy.sympify(value) - at) == 0
    assert at is not None or sympy.sympify(value) ** 2 == 2


@pytest.mark.parametrize("far", [10**9, 10**30, 10**100])
def test_a_claim_that_fails_only_far_out_is_refuted_there(far: int) -> None:
    for conclusion in (le(p, far), le(log(p), log(far)), ge(p, R(1, far))):
        outcome = search(claim(conclusion, P), Context(), wanted=False, purpose="test", thorough=True)
        assert outcome.witness is not None


def test_sides_that_cross_between_exact_points_are_reported() -> None:
    about = claim(ne(x**5 + x, exp(x) - 7), X)
    outcome = search(about, Context(), wanted=False, purpose="test", thorough=True)
    assert (outcome.witness, outcome.crossed) == (None, about.conclusion)
    apart = search(claim(ne(x**2 + 1, -exp(x)), X), Context(), wanted=False, purpose="test", thorough=True)
    assert (apart.witness, apart.crossed) == (None, None)


# ------------------------------------------------------------------------------------------- equations


@pytest.mark.parametrize(
    ("gap", "expected"),
    [
        (2 * x - 3, {R(3, 2)}),
        (x**2 - 4, {R(2), R(-2)}),
        (x**2 - y, {sqrt(y), -sqrt(y)}),
        (3 - 1 / x, {R(1, 3)}),
        (exp(x) - 2, {log(2)}),
        (log(x) - 2, {exp(2)}),
        (sqrt(x) - 3, {R(9)}),
        (x**3 + 8, {R(-2)}),
        (x**4 - 16, {R(2), R(-2)}),
        (x**4, {R(0)}),
        (2 * sympy.tanh(x) - 1, {log(3) / 2}),
        (exp(x) + 2, set()),
        (sqrt(x) + 3, set()),
        (sympy.tanh(x) - 2, set()),
        (exp(x) + x, set()),
        (5 * exp(2 * x + 1) - 10, {log(2) / 2 - R(1, 2)}),
    ],
)
def test_an_equation_is_solved_by_steps_that_lose_nothing(gap: sympy.Expr, expected: set[sympy.Expr]) -> None:
    found = roots(gap, x)
    assert len(found) == len(expected)
    assert all(any(sympy.simplify(f - e) == 0 for e in expected) for f in found)


def test_equations_are_solved_one_after_the_other_and_integers_last() -> None:
    about = claim(ge(x, 0), X, Y, K, given=(both(eq(x + y, 3), ge(x, 0)), eq(y, 2 * k)))
    assert equations(about) == [eq(x + y, 3), eq(y, 2 * k)]
    assert solved(about) == [{x: 3 - 2 * k, y: 2 * k}]
    assert solved(claim(ge(x, 0), X, Y, given=(eq(x + y, 3),))) == [{y: 3 - x}]
    assert solved(claim(ge(x, 0), X, K, given=(eq(x + k, 3),))) == [{x: 3 - k}]
    assert solved(claim(ge(x, 0), X, Y, given=(eq(x**2, y**2 + 1),))) != [{}]
    assert len(solved(claim(ge(x, 0), X, Y, given=(eq(x**2, 4), eq(y**2, 9))))) == 4
    assert solved(claim(ge(x, 0), X, given=(eq(exp(x), -x),))) == [{}]
    assert solved(claim(ge(x, 0), X, given=(either(eq(x, 1), eq(x, 2)),))) == [{}, {x: 1}, {x: 2}]


def test_a_solution_on_the_wrong_side_of_0_is_no_branch_to_search() -> None:
    """Nothing is admissible there, and a search along it takes as long as one along the others."""
    length, height = positive("a"), positive("b")
    a, b = length.symbol, height.symbol
    assert solved(claim(ge(a, 0), length, height, given=(eq(b**2, a**2 + 1),))) == [{b: sqrt(a**2 + 1)}]
    assert solved(claim(ge(a, 0), length, given=(eq(a + 1, 0),))) == [{}]
    # Either sign may be right where nothing says which.
    assert len(solved(claim(ge(x, 0), X, length, given=(eq(x**2, a**2 + 1),)))) == 2


def test_a_contradiction_within_sympy_costs_the_solutions_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """SymPy asks of assumptions in an order that it draws; in some it contradicts itself about acos(1 - 10^-24)."""

    def contradicts(*_: Any) -> None:
        raise InconsistentAssumptions({}, "zero", True)

    roots.cache_clear()
    monkeypatch.setattr(sympy, "Poly", contradicts)
    assert roots(x**2 - 3, x) == ()
    monkeypatch.undo()
    roots.cache_clear()
    assert len(roots(x**2 - 3, x)) == 2


def test_points_on_a_curve_are_exact() -> None:
    about = claim(ge(x + y, 0), X, Y, given=(eq(y, exp(x)),))
    found = list(exact_points(about, "curve", 3, 5))
    assert len(found) == 5
    assert all(sympy.sympify(point[y]) == exp(sympy.sympify(point[x])) for point in found)


# -------------------------------------------------------------------------------------------------- intervals of mpmath


@pytest.mark.parametrize(
    ("expression", "value"),
    [(x ** R(-1, 2), F(1, 2)), (sqrt(x), F(2)), (x**-2, F(1, 16)), (x**3, F(64)), (x**0, F(1)), (sympy.Abs(-x), F(4)),
     (sympy.Max(x, 1, 5), F(5)), (sympy.Min(x, 1, 5), F(1)), (x * 2 + 1, F(9))],
)  # fmt: skip
def test_intervals_of_mpmath_are_exact_where_arithmetic_is(expression: sympy.Expr, value: Fraction) -> None:
    found = enclose_by_intervals(expression, {x: F(4)}, bits=64)
    assert found.a == found.b == value.numerator / value.denominator


@pytest.mark.parametrize("expression", [x ** R(1, 3), x ** R(-2, 3), x**y, exp(y * log(x))])
def test_other_powers_are_enclosed_by_exponentials(expression: sympy.Expr) -> None:
    found = enclose_by_intervals(expression, {x: F(8), y: F(1, 3)}, bits=64)
    value = {x ** R(-2, 3): 0.25}.get(expression, 2)
    assert found.a < value < found.b
    assert found.b - found.a < 1e-15


@pytest.mark.parametrize(
    ("expression", "at"), [(1 / x, 0), (sqrt(x), -1), (x ** R(-1, 2), 0), (x ** R(1, 3), -1), (log(x), 0), (x**-3, 0)]
)
def test_outside_of_the_domain_there_is_no_interval(expression: sympy.Expr, at: int) -> None:
    with pytest.raises(CannotEnclose):
        enclose_by_intervals(expression, {x: F(at)}, bits=64)


@pytest.mark.parametrize("relation", [eq(x, 1 / x), eq(1 / x, x), ge(x, 1 / x), ge(log(x), x)])
def test_mpmath_is_silent_where_one_side_has_no_value(relation: Formula) -> None:
    assert mpmath_truth(relation, {x: F(0)}) is None


def ends(found: Any) -> tuple[Fraction, Fraction]:
    """The ends of an interval of mpmath's as they are, whatever its precision is now."""
    lower, upper = (F(*map(int, mpmath.libmp.to_rational(end))) for end in found._mpi_)
    return lower, upper


@pytest.mark.parametrize("at", [F(3), F(-3), F(1, 3), F(0)])
@pytest.mark.parametrize("power", [-3, -2, -1, 0, 1, 2, 3])
def test_whole_powers_of_any_sign_are_enclosed_as_narrowly_as_the_number(at: Fraction, power: int) -> None:
    expression = sympy.Pow(x, power, evaluate=False)
    if at == 0 and power < 0:
        with pytest.raises(CannotEnclose, match="contains 0"):
            enclose_by_intervals(expression, {x: at}, bits=100)
        return
    low, high = ends(enclose_by_intervals(expression, {x: at}, bits=100))
    assert low <= at**power <= high
    assert high - low <= abs(at**power) / 2**94
    if at.denominator == 1 and power >= 0:
        assert low == high


@pytest.mark.parametrize(
    ("expression", "point", "expected"),
    [
        (sympy.Pow(sympy.E, x, evaluate=False), {x: F(1, 2)}, "positive"),
        (sympy.Pow(sympy.E, x, evaluate=False) - exp(x) - R(1, 10**20), {x: F(1, 2)}, "negative"),
        (sympy.pi - R(314159, 10**5), {}, "positive"),
        (sympy.E - R(271829, 10**5), {}, "negative"),
        (x - 1, {x: F(1)}, "zero"),
        (3 * x - 1, {x: F(1, 3)}, "unknown"),
        (log(x) - x, {x: F(1)}, "negative"),
        (x**y - 2, {x: F(4), y: F(1, 2)}, "unknown"),
        (x**y - 1, {x: F(4), y: F(1, 2)}, "positive"),
        (x * y * p + 5, {x: F(2), y: F(-1), p: F(3)}, "negative"),
    ],
)
def test_the_sign_that_intervals_are_certain_of(expression: sympy.Expr, point: Any, expected: str) -> None:
    assert sign_by_intervals(expression, point) == expected


def test_the_precision_of_intervals_is_left_as_it_was() -> None:
    from mpmath import iv

    before = iv.prec
    wide, narrow = (ends(enclose_by_intervals(exp(x), {x: F(1, 3)}, bits=bits)) for bits in (60, 300))
    assert (narrow[1] - narrow[0]) * 2**200 < wide[1] - wide[0]
    with pytest.raises(CannotEnclose):
        enclose_by_intervals(log(x), {x: F(-1)}, bits=60)
    assert iv.prec == before
    with pytest.raises(CannotEnclose, match="no interval form"):
        enclose_by_intervals(sympy.gamma(x), {x: F(3)}, bits=60)


@pytest.mark.parametrize("order", [1, 2, 3, 4, 6])
@pytest.mark.parametrize("at", [F(1, 2), F(-1, 2), F(3)])
def test_a_remainder_of_the_logarithm_is_an_integral(order: int, at: Fraction) -> None:
    """The remainder of order n is the integral over [0, 1] of t^(n - 1) / (1 + x t)."""
    from rgm_verify.balls.special import LogRemainder

    low, high = ends(enclose_by_intervals(LogRemainder(order, x), {x: at}, bits=200))
    with mpmath.workdps(40):
        value = mpmath.quad(lambda t: t ** (order - 1) / (1 + mpmath.mpf(at.numerator) / at.denominator * t), [0, 1])
        assert abs(F(str(value)) - low) < F(1, 10**30)
    assert high - low < F(1, 10**40)


# ------------------------------------------------------------------------------------------- mpmath's opinion


@pytest.mark.parametrize(
    ("expression", "point"),
    [(exp(x), {x: F(1, 3)}), (exp(100 * x), {x: F(1, 3)}), (log(x) - x**2, {x: F(22, 7)}),
     (sympy.gamma(x), {x: F(7, 2)}), (exp(x) - 1 - x, {x: F(1, 10**6)})],
)  # fmt: skip
def test_a_value_of_mpmath_comes_with_a_bound_that_holds_and_is_small(expression: sympy.Expr, point: Any) -> None:
    value, error = mpmath_value(expression, point)
    exact = expression.subs({s: R(v.numerator, v.denominator) for s, v in point.items()})
    with mpmath.workdps(150):
        truth = mpmath.mpf(str(sympy.N(exact, 140)))
        size = max(1, abs(truth))
        assert 0 < abs(value - truth) <= error
        assert abs(value - truth) < size * mpmath.mpf(10) ** -110
        assert error < size * mpmath.mpf(10) ** -50


@pytest.mark.parametrize("expression", [log(x - 2), sqrt(-x), 1 / (x - 1), sympy.Function("f")(x)])
def test_mpmath_has_no_value_where_there_is_no_real_one(expression: sympy.Expr) -> None:
    assert mpmath_value(expression, {x: F(1)}) == (None, 0)


def test_a_number_with_more_digits_than_python_writes_has_no_value_and_raises_nothing() -> None:
    assert mpmath_value(sympy.Integer(10) ** 5000 * x, {x: F(1)}) == (None, 0)
    assert mpmath_value(sympy.Integer(10) ** 40 * x, {x: F(1)})[0] == 10**40


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (sympy.gamma(x) - 2, "unknown"),
        (sympy.gamma(x) - 2 - R(1, 10**40), "negative"),
        (sympy.gamma(x) - 2 + R(1, 10**40), "positive"),
        (sympy.gamma(x) - 2 - R(1, 10**58), "unknown"),
        (exp(x) - 20, "positive"),
        (sympy.gamma(x - 3), "unknown"),
    ],
)
def test_a_sign_without_intervals_needs_more_than_the_error(expression: sympy.Expr, expected: str) -> None:
    assert numeric.mpmath_sign(expression, {x: F(3)}) == expected


@pytest.mark.parametrize(
    ("relation", "expected"),
    [
        (eq(SUM, NESTED), True),
        (eq(SUM, NESTED + R(1, 10**30)), False),
        (eq(SUM, NESTED - R(1, 10**30)), False),
        (ge(SUM, NESTED), True),
        (le(SUM, NESTED), True),
        (gt(SUM, NESTED), None),
        (lt(SUM, NESTED), None),
        (ge(SUM, 3), True),
        (ge(3, SUM), False),
        (gt(SUM, 3), True),
        (ne(SUM, 3), True),
        (ne(SUM, NESTED), None),
        (eq(log(x - 4), 1), None),
    ],
)
def test_what_mpmath_says_of_a_relation(relation: Any, expected: bool | None) -> None:
    assert mpmath_truth(relation, {x: F(3)}) is expected


@pytest.mark.parametrize("relation", [ge(1, 1 / (SUM - NESTED)), le(1, 1 / (SUM - NESTED)), eq(1 / (SUM - NESTED), 1)])
def test_a_side_that_is_not_enclosed_leaves_a_relation_open(relation: Any) -> None:
    assert point_truth(relation, {}) is None


def test_a_difference_that_is_0_by_cancelling_is_compared_with_what_is_added_up() -> None:
    assert point_truth(ge(SUM - NESTED, 0), {}) is True
    assert point_truth(le(SUM - NESTED, 0), {}) is True
    assert point_truth(eq(0, SUM - NESTED), {}) is True
    assert point_truth(eq(0, SUM - NESTED + R(1, 10**60)), {}) is False
    assert point_truth(ge(sympy.Function("f")(x), 0), {x: F(1)}) is None


# ------------------------------------------------------------------------------------------------- what a lens is asked


@pytest.mark.parametrize(
    ("profile", "proved", "deduced", "thorough", "close"),
    [
        (QUICK, False, False, True, True),
        (QUICK, True, False, False, False),
        (QUICK, False, True, True, False),
        (QUICK, True, True, False, False),
        (FULL, False, False, True, True),
        (FULL, True, False, True, True),
        (FULL, False, True, True, True),
        (FULL, True, True, True, True),
    ],
)
@pytest.mark.parametrize("exists", [False, True])
def test_how_hard_a_search_looks_follows_what_is_known(
    profile: Any,
    proved: bool,
    deduced: bool,
    thorough: bool,
    close: bool,
    exists: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[Any] = []

    def record(_: Any, __: Any, **how: Any) -> Outcome:
        seen.append(how)
        return Outcome(admissible=10**6)

    monkeypatch.setattr(numeric, "search", record)
    about = claim(ge(x, 0), X, quantifier="exists" if exists else "forall")
    Search().run(about, Context(profile=profile, proved=proved, deduced=deduced))
    assert seen == [{"wanted": exists, "purpose": "search", "polish": 3, "thorough": thorough, "close": close}]


@pytest.mark.parametrize(
    ("outcome", "finding", "says"),
    [
        (Outcome(admissible=29), Finding.UNDECIDED, "only 29 points met"),
        (Outcome(admissible=30), Finding.SUPPORTS, "no counterexample"),
        (Outcome(admissible=30, crossed=ne(x, y)), Finding.UNDECIDED, "which of x and y is larger changes"),
        (Outcome(admissible=30, nearest=Approach(1e-25, ("1",), ())), Finding.UNDECIDED, "the sides meet"),
        (
            Outcome(admissible=30, nearest=Approach(1e-25, ("1",), (), exact=True)),
            Finding.SUPPORTS,
            "no counterexample",
        ),
        (Outcome(admissible=30, nearest=Approach(1e-23, ("1",), ())), Finding.SUPPORTS, "no counterexample"),
    ],
)
def test_what_a_search_without_success_is_worth(outcome: Any, finding: Finding, says: str) -> None:
    found = Search().unsuccessful(claim(ge(x, y), X, Y), outcome, Context())
    assert (found.finding, says in found.summary) == (finding, True)
    missing = Search().unsuccessful(claim(ge(x, y), X, Y, quantifier="exists"), outcome, Context())
    assert (missing.finding, "no example" in missing.summary) == (Finding.UNDECIDED, True)


@pytest.mark.parametrize(("points", "finding"), [(4, Finding.SUPPORTS), (3, Finding.UNDECIDED)])
def test_four_points_are_needed_where_there_are_more(
    points: int, finding: Finding, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numeric, "exact_points", lambda *_: iter([{x: F(i)} for i in range(points)]))
    (found,) = Points().run(claim(ge(x**2 + 1, 0), X), Context())
    assert (found.finding, found.details["points"]) == (finding, points)
    (asked,) = Points(count=3).run(claim(ge(x**2 + 1, 0), X), Context())
    assert asked.finding is Finding.SUPPORTS
