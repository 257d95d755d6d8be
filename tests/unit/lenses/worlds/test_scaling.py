"""Scaling laws: what is the same in other units is called so, and what is not is not."""

from __future__ import annotations

from sympy import Max, Rational

from rgm_verify.claims import Claim, Formula, Hypothesis, Variable, both, ge, le, positive, real
from rgm_verify.claims.evidence import Evidence, Finding, Kind
from rgm_verify.lenses.base import Context
from rgm_verify.lenses.worlds.scaling import S, Scaling

A, C, RHO, X, SHARE = positive("a"), positive("c"), positive("rho"), real("x"), real("p", lower=0, upper=1)
a, c, rho, x, p = (v.symbol for v in (A, C, RHO, X, SHARE))
UNIT = {c: S * c, rho: rho / S}
LEFT_OUT = {"rho stays": {c: S * c}}


def look(
    conclusion: Formula, *given: Formula, lens: Scaling | None = None, variables: tuple[Variable, ...] = (A, C, RHO, X)
) -> Evidence:
    hypotheses = tuple(Hypothesis(f"h{i}", f) for i, f in enumerate(given))
    claim = Claim(
        "test:claim",
        "A claim",
        "test",
        "nowhere",
        "remark",
        variables=variables,
        hypotheses=hypotheses,
        conclusion=conclusion,
    )
    (found,) = (lens or Scaling("the unit of C", UNIT, LEFT_OUT)).run(claim, Context())
    return found


def test_a_statement_in_the_product_alone_does_not_see_the_unit() -> None:
    found = look(le(x**2 / a, x**2 / (rho * c)), ge(a, rho * c))
    assert (found.finding, found.kind) == (Finding.SUPPORTS, Kind.NOTE)
    assert "rho stays" in found.summary


def test_both_sides_may_change_alike() -> None:
    assert look(both(le(c, 2 * c), le(rho**2 * c, a * rho))).finding is Finding.SUPPORTS


def test_a_conclusion_that_adds_different_units_is_noticed() -> None:
    found = look(le(a, rho + c))
    assert found.finding is Finding.UNDECIDED
    assert "the conclusion" in found.summary


def test_a_hypothesis_that_sees_the_unit_is_noticed() -> None:
    found = look(le(a, rho * c), le(c, 1))
    assert found.finding is Finding.UNDECIDED
    assert "'h0'" in found.summary


def test_a_bounded_domain_does_not_scale() -> None:
    lens = Scaling("a share", {p: S * p, a: S * a}, {"a stays": {p: S * p}})
    found = look(le(p, a), lens=lens, variables=(A, SHARE))
    assert found.finding is Finding.UNDECIDED
    assert "domain" in found.summary


def test_a_change_of_sign_is_not_a_change_of_unit() -> None:
    lens = Scaling("a sign", {x: -x}, {"nothing": {}})
    assert look(le(x**2, a), lens=lens).finding is Finding.UNDECIDED


def test_a_factor_that_is_no_power_of_the_unit_is_noticed() -> None:
    """At twice the unit it looks like the power log2(3)."""
    found = look(le(c, 2 * c), lens=Scaling("no unit", {c: (1 + S) * c}, LEFT_OUT))
    assert found.finding is Finding.UNDECIDED
    assert "the conclusion" in found.summary


def test_a_control_that_is_not_noticed_decides_nothing() -> None:
    lens = Scaling("the unit of C", UNIT, {"true as well": {c: S**2 * c, rho: rho / S**2}})
    assert look(le(a, rho * c), lens=lens).finding is Finding.UNDECIDED
    assert look(le(a, rho * c), lens=Scaling("the unit of C", UNIT)).finding is Finding.UNDECIDED


def test_roots_and_maxima_scale() -> None:
    assert look(le(Max(rho * c, a), 2 * Max(rho * c, 3 * a))).finding is Finding.SUPPORTS
    assert look(le((rho * c) ** Rational(1, 2), a)).finding is Finding.SUPPORTS
