"""Places where sides come close: the descent goes to the nearest place, and the rationals around it are on the axes."""

from __future__ import annotations

import math
from fractions import Fraction
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
    Variable,
    both,
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
from rgm_verify.lenses.points.approach import Approach, _Slack, approach, gap_and_size
from rgm_verify.lenses.points.axes import generator_for
from rgm_verify.lenses.points.moves import boundary_moves
from rgm_verify.lenses.points.sampling import PointMaker, Rows
from rgm_verify.lenses.points.search import relative_slack, search

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
