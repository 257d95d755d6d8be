"""Places where sides come close: the descent goes to the nearest place, and the rationals around it are on the axes."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath
import pytest
import sympy
from sympy import Rational, exp, log, sqrt

from rgm_verify.claims import (
    Chart,
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
    natural,
    ne,
    positive,
    real,
)
from rgm_verify.claims.evidence import Finding
from rgm_verify.lenses import Search
from rgm_verify.lenses.base import Context
from rgm_verify.lenses.points.approach import Approach, _clipped, _descended, _inside, _Slack, approach, gap_and_size
from rgm_verify.lenses.points.moves import boundary_moves
from rgm_verify.lenses.points.sampling import Coordinate, PointMaker, Rows, generator_for, robustness
from rgm_verify.lenses.points.witness import relative_slack, search

F, R = Fraction, Rational
X, Y, P, K = real("x"), real("y"), positive("p"), natural("k")
x, y, p, k = (v.symbol for v in (X, Y, P, K))


def claim(conclusion: Formula, *variables: Variable, given: tuple[Formula, ...] = (), **rest: Any) -> Claim:
    hypotheses = tuple(Hypothesis(f"h{i}", f) for i, f in enumerate(given))
    return Claim(
        id="t:claim", title="t", source="s", where="w", kind="k", variables=variables, hypotheses=hypotheses,
        conclusion=conclusion, **rest,
    )  # fmt: skip


def maker(about: Claim) -> PointMaker:
    return PointMaker(about, generator_for(about.id, "test", 1))


def slack(about: Claim) -> _Slack:
    assert about.conclusion is not None
    return _Slack(about, about.conclusion, maker(about))


@pytest.mark.parametrize(
    ("relation", "gap", "size"),
    [
        (ge(x, y), x - y, abs(x) + abs(y)),
        (le(x, y), y - x, abs(x) + abs(y)),
        (ge((exp(x) - 2) ** 2, 0), (exp(x) - 2) ** 2, (exp(x) + 2) ** 2),
        (ge(x * (y - 3), 0), x * (y - 3), abs(x) * (abs(y) + 3)),
        (ge(log(p), 0), log(p), 1 + abs(log(p))),
        (ge(sympy.sin(x), 0), sympy.sin(x), 1 + abs(sympy.sin(x))),
        (ge(sqrt(p - x), 0), sqrt(p - x), sqrt(p + abs(x))),
        (ge(abs(x - 1), 0), abs(x - 1), abs(x) + 1),
        (ge(1 / p, x), 1 / p - x, 1 / p + abs(x)),
    ],
)
def test_the_size_of_a_difference_does_not_cancel(relation: Any, gap: sympy.Expr, size: sympy.Expr) -> None:
    found = gap_and_size(relation)
    assert sympy.simplify(found[0] - gap) == 0
    assert sympy.simplify(found[1] - size) == 0


TENTH, HALF = ge(x, R(9, 11)), ge(x, R(1, 3))  # at x = 1: relative slacks 1/10 and 1/2


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (TENTH, F(1, 10)),
        (le(x, R(9, 11)), F(-1, 10)),
        (eq(x, R(1, 3)), F(-1, 2)),
        (ne(x, R(1, 3)), F(1, 2)),
        (both(TENTH, HALF), F(1, 10)),
        (either(TENTH, HALF), F(1, 2)),
        (Implies(TENTH, HALF), F(1, 2)),
        (Implies(HALF, le(x, R(9, 11))), F(-1, 10)),
        (Iff(TENTH, HALF), F(1, 10)),
        (Iff(TENTH, le(x, R(1, 3))), F(-1, 10)),
        (Iff(le(x, R(9, 11)), le(x, R(1, 3))), F(1, 10)),
    ],
)
def test_the_slack_of_a_formula_is_relative_and_follows_its_connectives(formula: Formula, expected: Fraction) -> None:
    with mpmath.workdps(60):
        found = slack(claim(formula, X)).value(formula, [mpmath.mpf(1)])
        assert abs(found - mpmath.mpf(expected.numerator) / expected.denominator) < mpmath.mpf(10) ** -50
    import numpy as np

    in_floats = relative_slack(formula, [x])(np.array([1.0]))
    assert abs(Fraction(float(in_floats[0])) - expected) < Fraction(1, 2**48)  # a few roundings of numbers below 2
    assert (robustness(formula, [x])(np.array([1.0]))[0] > 0) == (expected > 0)


def test_the_slack_is_nothing_outside_of_the_domain_or_where_a_side_is_not_real() -> None:
    with mpmath.workdps(60):
        about = slack(claim(ge(log(x), 0), X, given=(ge(x, -1), le(x, 5))))
        assert about.at([mpmath.mpf(2)]) is not None
        assert about.at([mpmath.mpf(-1) / 2]) is None  # the logarithm is not real
        assert about.at([mpmath.mpf(0)]) is None
        assert about.at([mpmath.mpf(6)]) is None
        assert slack(claim(ge(x, 0), X, given=(ge(x, -1),))).at([mpmath.mpf(-2)]) is None
        on_axis = slack(claim(ge(p, 1), real("v", lower=1, upper=3), P))
        assert on_axis.at([mpmath.mpf(1), mpmath.mpf(1)]) is not None
        assert on_axis.at([mpmath.mpf(3), mpmath.mpf(1)]) is not None
        for outside in (0.5, 3.5):
            assert on_axis.at([mpmath.mpf(outside), mpmath.mpf(1)]) is None


def test_newton_goes_to_where_the_sides_are_nearest() -> None:
    """(exp(x) - 2)^2 + 1e-20 is nearest to 0 at log(2), which many digits tell from its neighbours."""
    about = claim(ge((exp(x) - 2) ** 2 + R(1, 10**20), 0), X)
    with mpmath.workdps(60):
        place, value = slack(about).newton([mpmath.mpf("0.69")])
        assert abs(place[0] - mpmath.log(2)) < mpmath.mpf(10) ** -15
        assert abs(value) < mpmath.mpf(10) ** -20
        two = claim(ge((x - R(1, 3)) ** 2 + (y - x) ** 2 + (x - R(1, 3)) * (y - R(1, 3)), -R(1, 10**9)), X, Y)
        place, _ = slack(two).newton([mpmath.mpf("0.4"), mpmath.mpf("0.3")])
        assert max(abs(v - mpmath.mpf(1) / 3) for v in place) < mpmath.mpf(10) ** -6


def test_a_step_stays_on_the_axis() -> None:
    low = real("v", lower=0, upper=1)
    about = claim(ge(low.symbol + R(1, 1000), 0), low)
    with mpmath.workdps(60):
        place, _ = slack(about).newton([mpmath.mpf("0.01")])
        assert 0 <= place[0] <= mpmath.mpf("0.01")


def test_rounded_rows_lie_on_the_axes_and_have_small_denominators() -> None:
    about = slack(claim(ge(p + k, 0), P, K))
    with mpmath.workdps(60):
        assert about.rounded([mpmath.mpf(1) / 3, mpmath.mpf("4.2")], 10) == (F(1, 3), F(4))
        assert about.rounded([mpmath.mpf("0.01"), mpmath.mpf(1)], 10) is None  # it would be 0, which is no coordinate
        assert about.rounded([mpmath.mpf(1), mpmath.mpf("0.2")], 10) is None
        assert about.rounded([mpmath.pi, mpmath.mpf(2)], 1000) == (F(355, 113), F(2))


def test_equations_alone_are_not_approached_and_inequations_are() -> None:
    def near(conclusion: Formula) -> Any:
        about = claim(conclusion, X)
        slack_of = relative_slack(conclusion, [x])
        return approach(about, conclusion, maker(about), [F(1)], lambda v: float(slack_of(*map(_column, v))[0]))

    assert near(eq(exp(x), 2)) is None
    assert near(ge(x**2 + 1, 0)) is None  # the sides stay apart
    found = near(ge((exp(x) - 2) ** 2, 0))
    assert found is not None
    assert found.meets
    assert len(set(found.rows)) == len(found.rows)
    assert any(abs(float(row[0]) - math.log(2)) < 1e-12 for row in found.rows)
    assert near(ne(exp(x), 2)) is not None


def _column(value: float) -> Any:
    import numpy as np

    return np.array([value])


@pytest.mark.parametrize(
    "conclusion",
    [
        ge((exp(x) - 2) ** 2, R(1, 10**24)),
        ge(exp(x) + 2 * log(2) - 2, 2 * x + R(1, 10**24)),
        le(sympy.sin(x), 1 - R(1, 10**24)),
        both(ge(x**2 + 1, 0), ge((x**3 - 5) ** 2, R(1, 10**24))),
    ],
)
def test_a_bound_that_is_off_by_1e24_is_refuted_where_the_sides_nearly_meet(conclusion: Formula) -> None:
    outcome = search(claim(conclusion, X), Context(), wanted=False, purpose="test", thorough=True, close=True)
    assert outcome.witness is not None


@pytest.mark.parametrize("conclusion", [ge((exp(x) - 2) ** 2, 0), ge(exp(x) - 2 * x, 2 - 2 * log(2))])
def test_sides_that_meet_at_an_irrational_point_are_reported_and_support_nothing(conclusion: Formula) -> None:
    (found,) = Search().run(claim(conclusion, X), Context())
    assert (found.finding, "the sides meet" in found.summary) == (Finding.UNDECIDED, True)
    (proved,) = Search().run(claim(conclusion, X), Context(proved=True))
    assert proved.finding is Finding.SUPPORTS


def test_sides_that_touch_at_a_rational_point_support() -> None:
    (found,) = Search().run(claim(ge(exp(x), 1 + x), X), Context())
    assert found.finding is Finding.SUPPORTS


def test_the_boundary_of_a_hypothesis_is_where_it_is_an_equality() -> None:
    about = claim(ge(x, 0), X, Y, given=(le(2 * x, y + 3), ge(x * y, 1), gt(x**2, 2)))
    found = {(symbol, function(F(5), F(7))) for symbol, function in boundary_moves(about)}
    assert found == {(x, F(5)), (y, F(7)), (x, F(1, 7)), (y, F(1, 5))}


def test_a_chart_leads_to_its_own_coordinates() -> None:
    t = sympy.Symbol("t", real=True)
    about = claim(ge(x, -1), X, sampling=Chart({t: (0, 1)}, {x: 3 * t + 5}))
    made = maker(about)
    assert made.point([F(1, 3)]) == {x: F(6)}
    assert made.columns(Rows.of([[F(1, 3)], [F(1, 2)]]))[x].tolist() == [6.0, 6.5]
    assert [axis.symbol for axis in made.axes] == [t]


# ------------------------------------------------------------------------------------------- its parts


def test_the_descent_in_floats_starts_beside_the_start_and_ends_at_a_minimum() -> None:
    asked: list[list[float]] = []

    def parabola(point: Any) -> float:
        asked.append([float(v) for v in point])
        return float((point[0] - 1.25) ** 2)

    assert _descended(parabola, [1.0]) == [pytest.approx(1.25, abs=1e-7)]
    assert asked[:2] == [[1.0], [1.1]]
    assert len(asked) < 150  # it ends by itself
    asked.clear()
    found = _descended(lambda v: parabola(v) + float((v[1] + 0.5) ** 2), [0.0, -2.0])
    assert asked[:3] == [[0.0, -2.0], [0.05, -2.0], [0.0, -2.2]]
    assert found == pytest.approx([1.25, -0.5], abs=1e-5)
    assert len(asked) <= 165
    asked.clear()
    _descended(lambda v: parabola(v) * 0 - abs(float(v[0])), [1.0])
    assert 155 < len(asked) <= 165
    assert _descended(parabola, []) == []


def quadratic(slack_: _Slack, matrix: list[list[int]], place: list[int]) -> Any:
    """Let the slack be (v - place)' matrix (v - place) / 2 + 7."""

    def at(point: Any) -> Any:
        away = [v - c for v, c in zip(point, place, strict=True)]
        n = range(len(place))
        return sum(away[i] * matrix[i][j] * away[j] for i in n for j in n) / 2 + 7

    slack_.at = at  # type: ignore[method-assign]
    return at


@pytest.mark.parametrize(
    ("matrix", "place"),
    [([[2]], [3]), ([[2, 1], [1, 5]], [3, -4]), ([[2, -3], [-3, 5]], [3, -4]),
     ([[4, 1, 2], [1, 5, -1], [2, -1, 6]], [3, -4, 0])],
)  # fmt: skip
def test_a_step_leads_to_where_a_quadratic_slack_is_stationary(matrix: list[list[int]], place: list[int]) -> None:
    about = slack(claim(ge(x, 0), X))
    at = quadratic(about, matrix, place)
    with mpmath.workdps(60):
        start = [mpmath.mpf(i + 1) for i in range(len(place))]
        step = about._step(start, at(start))
        assert step is not None
        for i, expected in enumerate(place):
            assert abs(start[i] + step[i] - expected) < mpmath.mpf(10) ** -8
        assert about._step([], mpmath.mpf(0)) is None


def test_there_is_no_step_where_a_neighbour_is_outside_or_nothing_changes() -> None:
    about = slack(claim(ge(x, 0), X))
    with mpmath.workdps(60):
        one, two = [mpmath.mpf(1)], [mpmath.mpf(1), mpmath.mpf(2)]
        about.at = lambda _: mpmath.mpf(3)  # type: ignore[method-assign]
        assert about._step(one, mpmath.mpf(3)) is None
        for outside in (
            lambda v: None if v[0] > 1 else v[0] ** 2,
            lambda v: None if v[0] < 1 else v[0] ** 2,
        ):
            about.at = outside  # type: ignore[method-assign]
            assert about._step(one, mpmath.mpf(1)) is None
        for i, j in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            # A corner alone is outside; neighbours along the axes are not.
            def at(v: Any, i: int = i, j: int = j) -> Any:
                return None if i * (v[0] - 1) > 0 and j * (v[1] - 2) > 0 else v[0] ** 2 + v[1] ** 2

            about.at = at  # type: ignore[method-assign]
            assert about._step(two, mpmath.mpf(5)) is None


def test_newton_takes_only_steps_that_lead_lower_and_at_most_twelve() -> None:
    low = real("v", lower=0, upper=8)
    about = slack(claim(ge(low.symbol, 0), low))
    with mpmath.workdps(60):
        values = {5: 10, 4: 9, 3: 8, 2: 8, 1: 0}
        about.at = lambda v: mpmath.mpf(values[int(v[0])])  # type: ignore[method-assign]
        about._step = lambda point, value: [mpmath.mpf(-1)]  # type: ignore[method-assign]
        place, value = about.newton([mpmath.mpf(5)])
        assert (place, value) == ([3], 8)  # 2 is no better
        about.at = lambda v: None if v[0] < 4 else mpmath.mpf(v[0])  # type: ignore[method-assign]
        assert about.newton([mpmath.mpf(5)]) == ([4], 4)  # 3 is outside
        assert about.newton([mpmath.mpf(2)]) == ([2], None)
        about.at = lambda v: mpmath.mpf(v[0])  # type: ignore[method-assign]
        about._step = lambda point, value: [-point[0] / 2]  # type: ignore[method-assign]
        assert about.newton([mpmath.mpf(8)])[0] == [mpmath.mpf(8) / 2**12]
        about._step = lambda point, value: [mpmath.mpf(-100)]  # type: ignore[method-assign]
        assert about.newton([mpmath.mpf(5)]) == ([0], 0)  # cut at the end of the axis
        about.at = lambda v: -mpmath.mpf(v[0])  # type: ignore[method-assign]
        about._step = lambda point, value: [mpmath.mpf(100)]  # type: ignore[method-assign]
        assert about.newton([mpmath.mpf(5)]) == ([8], -8)
        about._step = lambda point, value: None  # type: ignore[method-assign]
        assert about.newton([mpmath.mpf(5)]) == ([5], -5)


@pytest.mark.parametrize(
    ("lower", "upper", "value", "inside", "clipped"),
    [(F(1, 3), 2, F(1, 3), True, F(1, 3)), (F(1, 3), 2, F(1, 4), False, F(1, 3)), (F(1, 3), 2, F(3), False, F(2)),
     (F(1, 3), 2, F(2), True, F(2)), (None, 2, F(-9), True, F(-9)), (None, 2, F(3), False, F(2)),
     (F(1, 3), None, F(9), True, F(9)), (F(1, 3), None, F(0), False, F(1, 3)), (None, None, F(7), True, F(7))],
)  # fmt: skip
def test_a_coordinate_is_inside_of_its_closed_axis(
    lower: Any, upper: Any, value: Fraction, inside: bool, clipped: Fraction
) -> None:
    axis = Coordinate(x, lower, None if upper is None else F(upper), True, True)
    with mpmath.workdps(60):
        number = mpmath.mpf(value.numerator) / value.denominator
        assert _inside(axis, number) is inside
        assert _clipped(axis, number) == mpmath.mpf(clipped.numerator) / clipped.denominator


def test_the_slack_is_worked_out_on_the_hypotheses_up_to_thirty_digits() -> None:
    with mpmath.workdps(60):
        about = slack(claim(ge(x, R(-1, 2)), X, given=(le(x, 1),)))
        assert about.at([1 + mpmath.mpf(10) ** -32]) is not None
        assert about.at([1 + mpmath.mpf(10) ** -28]) is None
        assert about.at([mpmath.mpf(1)]) == 1  # 3/2 against 3/2


def test_sides_without_a_size_are_compared_by_their_difference() -> None:
    with mpmath.workdps(60):
        assert slack(claim(ge(x, 0), X)).at([mpmath.mpf(0)]) == 0
        assert slack(claim(ge(1 / x, 0), X)).at([mpmath.mpf(0)]) is None
        t = sympy.Symbol("t", positive=True)
        charted = slack(claim(ge(x, 1), X, sampling=Chart({t: (0, 1)}, {x: 3 * t})))
        assert charted.at([mpmath.mpf(1)]) == mpmath.mpf(1) / 2  # x = 3: a difference of 2, a size of 4


def test_what_stays_apart_by_a_hundredth_is_not_looked_at_with_many_digits() -> None:
    about = claim(ge(x**2 + 1, 0), X)
    assert about.conclusion is not None
    for constant, looked in ((0.009, True), (0.011, False), (1e-2, True)):
        found = approach(about, about.conclusion, maker(about), [F(1)], lambda _, c=constant: c)
        assert (found is not None) is looked
    away = claim(ge(log(x), 0), X, given=(le(x, -1),))
    assert away.conclusion is not None
    assert approach(away, away.conclusion, maker(away), [F(-2)], lambda _: 0.0) is None


@pytest.mark.parametrize(("value", "meets"), [(1e-25, True), (1e-24, False), (1e-3, False), (0.0, True)])
def test_sides_meet_where_no_digits_tell_them_apart(value: float, meets: bool) -> None:
    assert Approach(value, (), ()).meets is meets


@pytest.mark.parametrize(
    ("side", "expected"),
    [
        (x**3, abs(x) ** 3), (x**-2, abs(x**-2)), ((x - 1) ** 2, (abs(x) + 1) ** 2), (exp(x - 1), exp(x - 1)),
        (-2 * x, 2 * abs(x)), (sympy.cos(x), 1 + abs(sympy.cos(x))), (x**y, abs(x**y)),
        (sympy.tanh(x), abs(sympy.tanh(x))),
    ],
)  # fmt: skip
def test_the_size_of_a_side_adds_up_what_the_side_adds(side: sympy.Expr, expected: sympy.Expr) -> None:
    for relation in (ge(side, 0), le(0, side), gt(side, 0)):
        size = gap_and_size(relation)[1]
        for at in (F(-3, 2), F(2, 7), F(5)):
            values = {x: R(at.numerator, at.denominator), y: sympy.Integer(2)}
            assert sympy.simplify((size - expected).subs(values)) == 0


def test_rationals_around_the_place_have_ever_larger_denominators() -> None:
    about = claim(ge((exp(x) - 2) ** 2, 0), X)
    assert about.conclusion is not None
    found = approach(about, about.conclusion, maker(about), [F(7, 10)], lambda v: (float(v[0]) - math.log(2)) ** 2)
    assert found is not None
    log2 = F(str(sympy.N(log(2), 60)))
    # The exact nearest ones, as far as the place itself is known.
    nearest = [(log2.limit_denominator(10**e),) for e in (0, 1, 2, 3, 6)]
    assert found.rows[:5] == tuple(dict.fromkeys(nearest))
    distances = [abs(row[0] - log2) for row in found.rows]
    assert distances[0] < 1
    assert min(distances) < F(1, 10**15)
    assert [row[0].denominator for row in found.rows] == sorted(row[0].denominator for row in found.rows)
    assert found.place == ("0.69314718056",)


def test_rationals_are_looked_at_up_to_thirty_digits_of_the_denominator(monkeypatch: pytest.MonkeyPatch) -> None:
    about = claim(ge((exp(x) - 2) ** 2, 0), X)
    assert about.conclusion is not None
    log2 = F(str(sympy.N(log(2), 70)))
    with mpmath.workdps(60):
        near = [mpmath.mpf(log2.numerator) / log2.denominator]
    monkeypatch.setattr(_Slack, "newton", lambda self, _: (near, mpmath.mpf(10) ** -30))
    found = approach(about, about.conclusion, maker(about), [F(7, 10)], lambda _: 0.0)
    assert found is not None
    digits = [len(str(row[0].denominator)) - 1 for row in found.rows]
    assert digits[0] == 0
    assert digits[-1] >= 28
    assert all(a <= b <= max(3, 2 * a + 1) for a, b in pairwise(digits))
    place = F(round(log2 * 10**40), 10**40)  # as far as it is looked at
    assert [row[0] for row in found.rows] == [place.limit_denominator(row[0].denominator) for row in found.rows]
    assert (found.slack, found.exact, found.meets) == (1e-30, False, True)
