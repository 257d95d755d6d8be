"""Where sides come close: the descent goes to the nearest place, and the rationals around it are on the axes."""

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
from rgm_verify.lenses.approach import _Slack, approach, gap_and_size
from rgm_verify.lenses.base import Context
from rgm_verify.lenses.sampling import PointMaker, generator_for, robustness
from rgm_verify.lenses.witness import boundary_moves, relative_slack, search

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
    assert made.columns([[F(1, 3)], [F(1, 2)]])[x].tolist() == [6.0, 6.5]
    assert [axis.symbol for axis in made.axes] == [t]
