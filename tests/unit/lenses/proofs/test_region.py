"""Region certificates: only what covers the whole domain, and only the claim's own inequality."""

from __future__ import annotations

from typing import Any

import pytest
import sympy

from rgm_verify.claims import (
    Chart,
    Claim,
    Either,
    Formula,
    Hypothesis,
    Variable,
    both,
    eq,
    ge,
    gt,
    le,
    lt,
    positive,
    real,
)
from rgm_verify.claims.evidence import Evidence, Finding, Kind
from rgm_verify.lenses import Region
from rgm_verify.lenses.base import Context
from rgm_verify.lenses.proofs.region import misuse, whole_domain

UNIT = real("x", lower=0, upper=1)
POSITIVE = positive("p")
x, p = UNIT.symbol, POSITIVE.symbol
t = sympy.Symbol("t", real=True)
log = sympy.log
CHART = Chart({t: (0, 1)}, {p: t / (1 - t)}, {t: p / (1 + p)})


def claim(conclusion: Formula, *variables: Variable, given: tuple[Formula, ...] = (), **rest: Any) -> Claim:
    hypotheses = tuple(Hypothesis(f"h{i}", f) for i, f in enumerate(given))
    return Claim(
        id="test:claim",
        title="t",
        source="s",
        where="w",
        kind="lemma",
        variables=variables,
        hypotheses=hypotheses,
        conclusion=conclusion,
        **rest,
    )


def look(lens: Region, about: Claim) -> tuple[Evidence, Context]:
    context = Context()
    (found,) = lens.run(about, context)
    return found, context


def reason(lens: Region, about: Claim) -> str:
    found, context = look(lens, about)
    assert (found.finding, found.kind) == (Finding.UNDECIDED, Kind.NOTE)
    assert context.certificates == {}
    return found.summary


def test_an_inequality_on_a_closed_box_is_certified_with_a_certificate() -> None:
    found, context = look(Region(), claim(gt(2 + x**2, log(1 + x) + x), UNIT))
    assert (found.kind, found.finding) == (Kind.REGION_CERTIFICATE, Finding.SUPPORTS)
    assert list(context.certificates) == [found.details["certificate"]]
    assert found.details["box"] == {"x": ["0", "1"]}


def test_an_existence_claim_is_refuted_by_certifying_its_negation() -> None:
    found, _ = look(Region(), claim(gt(x, 2), UNIT, quantifier="exists"))
    assert (found.kind, found.finding) == (Kind.REGION_CERTIFICATE, Finding.REFUTES)


def refutes(lens: Region, about: Claim) -> bool:
    found, context = look(lens, about)
    assert context.certificates == {}
    return (found.finding, found.kind) == (Finding.REFUTES, Kind.COUNTEREXAMPLE) and "witness" in found.details


def test_a_false_inequality_is_refuted_at_the_point_where_it_fails() -> None:
    assert refutes(Region(), claim(gt(x, sympy.Rational(1, 1000)), UNIT))


def test_a_failure_is_found_beside_large_parts_that_cancel() -> None:
    assert refutes(Region(), claim(ge(10**30 + x, 10**30 + sympy.Rational(1, 10**3)), UNIT))


@pytest.mark.parametrize("conclusion", [lt(x, 1), gt(x, 0), gt((x - sympy.Rational(1, 2)) ** 2, 0)])
def test_a_strict_inequality_with_equality_somewhere_is_refuted_there(conclusion: Formula) -> None:
    assert refutes(Region(), claim(conclusion, UNIT))


def test_a_point_of_the_box_outside_of_the_hypotheses_refutes_nothing() -> None:
    """The hypothesis is no relation, so that it drops no box, and the inequality fails on most of it."""
    reason(Region(), claim(le(x, 0), UNIT, given=(Either((le(x**3, 0), lt(x, 0))),)))


def test_a_point_where_an_existence_claim_holds_is_an_example() -> None:
    found, _ = look(Region(), claim(le(x, sympy.Rational(1, 2)), UNIT, quantifier="exists"))
    assert (found.finding, found.kind) == (Finding.SUPPORTS, Kind.EXACT_WITNESS)


def test_hypotheses_cut_the_box_and_are_needed_for_it() -> None:
    given = (ge(x, sympy.Rational(1, 2)),)
    about = claim(gt(x, sympy.Rational(1, 4)), UNIT, given=given)
    assert look(Region(), about)[0].finding is Finding.SUPPORTS
    assert refutes(Region(), claim(gt(x, sympy.Rational(1, 4)), UNIT))
    assert refutes(Region(), claim(gt(x, sympy.Rational(1, 4)), UNIT, given=(both(le(x, 1)),)))


def test_an_unbounded_domain_needs_a_chart() -> None:
    about = claim(gt(1 + p, p / (1 + p)), POSITIVE)
    assert "give a chart" in reason(Region(), about)
    target = 1 / (1 - t) - t
    assert "factor * target" in reason(Region(chart=CHART, target=target + 1), about)
    cleared = 1 - t + t**2
    chart = Region(chart=CHART, target=cleared, factor=1 / (1 - t))
    assert look(chart, about)[0].finding is Finding.SUPPORTS


@pytest.mark.parametrize(
    ("chart", "problem"),
    [
        (Chart({t: (0, 1)}, {p: t / (1 - t)}), "lacks an end or an inverse"),
        (Chart({t: (0, 1)}, {p: t / (1 - t)}, {}), "lacks an end or an inverse"),
        (Chart({t: (0, None)}, {p: t}, {t: p}), "lacks an end or an inverse"),
        (Chart({t: (0, sympy.Rational(1, 2))}, {p: t / (1 - t)}, {t: p / (1 + p)}), "stay in its range"),
        (Chart({t: (sympy.Rational(1, 4), 1)}, {p: t / (1 - t)}, {t: p / (1 + p)}), "stay in its range"),
        (Chart({t: (0, 1)}, {p: t / (1 - t)}, {t: 1 / (1 + p)}), "do not invert"),
        (Chart({t: (0, 1)}, {p: 2 * t / (1 - t)}, {t: p / (1 + p)}), "do not invert"),
        (Chart({t: (0, 1)}, {}, {t: p / (1 + p)}), "says nothing of p"),
    ],
)
def test_a_chart_that_does_not_cover_the_domain_certifies_nothing(chart: Chart, problem: str) -> None:
    assert problem in reason(Region(chart=chart), claim(ge(p, 0), POSITIVE))


def test_what_a_coordinate_promises_certifies_nothing() -> None:
    """With t > 0 SymPy writes |t| as t, and |x| <= x would be certified on [-1, 1]; the replay reads |x|."""
    wide = real("v", lower=-1, upper=1)
    v = wide.symbol
    for promise, sign in (("positive", 1), ("nonnegative", 1), ("negative", -1)):
        symbol = sympy.Symbol("t", **{promise: True})
        chart = Chart({symbol: (-1, 1)}, {v: symbol}, {symbol: v})
        assert "the replay does not accept" in reason(Region(chart=chart), claim(le(sympy.Abs(v), sign * v), wide))
    whole = sympy.Symbol("t", integer=True)
    chart = Chart({whole: (-1, 1)}, {v: whole}, {whole: v})
    about = claim(le(sympy.sin(sympy.pi * v), 0), wide)
    assert "the replay does not accept" in reason(Region(chart=chart), about)


def test_a_factor_must_be_positive_and_the_target_the_claims_own() -> None:
    about = claim(ge(x**2, x), UNIT)  # false between 0 and 1
    same = Chart({x: (0, 1)}, {x: x}, {x: x})
    assert "not shown to be positive" in reason(Region(chart=same, target=1 - x, factor=-x), about)
    assert "not shown to be positive" in reason(Region(chart=same, target=x, factor=x - 1), about)
    assert "factor * target" in reason(Region(chart=same, target=x), about)
    assert refutes(Region(chart=same, target=x**2 - x), about)
    good = claim(ge(x**3 + x, 0), UNIT)
    assert look(Region(chart=same, target=x, factor=x**2 + 1), good)[0].finding is Finding.SUPPORTS


def test_a_side_that_is_undefined_somewhere_is_not_certified() -> None:
    assert "defined: 1/x" in reason(Region(), claim(ge(1 / x + 1, 1 / x), UNIT))


@pytest.mark.parametrize("conclusion", [eq(x, x), both(ge(x, 0), le(x, 1))])
def test_only_single_inequalities_are_certified(conclusion: Formula) -> None:
    assert "not a single inequality" in reason(Region(), claim(conclusion, UNIT))


def test_a_certificate_that_the_replay_refuses_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    from rgm_verify.balls import replay

    about = claim(gt(2 + x**2, log(1 + x) + x), UNIT)
    monkeypatch.setattr(replay, "replay", lambda _: replay.ReplayResult(False, 0, "leaf 1 is not proved"))
    assert reason(Region(), about).endswith("the replay does not accept the certificate: leaf 1 is not proved")

    def unreadable(_: Any) -> Any:
        raise replay.UnreadableCertificate("too large")

    monkeypatch.setattr(replay, "replay", unreadable)
    assert reason(Region(), about).endswith("the replay does not read the certificate: too large")


def test_a_statement_that_no_tree_can_hold_is_undecided() -> None:
    integral = sympy.Integral(sympy.exp(-(x**2) * t), (t, 0, 1))
    lens = Region(chart=Chart({x: (0, 1)}, {x: x}, {x: x}), target=x + 1, factor=integral)
    about = claim(ge(integral * (x + 1), 0), UNIT)
    assert lens.chart is not None
    (found,) = lens.certify(about, lens.chart, ge(integral * (x + 1), 0), Context())
    assert found.finding is Finding.UNDECIDED
    assert "no certificate can hold the statement: Integral" in found.summary


def test_a_certificate_that_was_kept_can_be_replayed(tmp_path: Any) -> None:
    import json

    from rgm_verify.balls.replay import replay

    _, context = look(Region(), claim(gt(2 + x**2, log(1 + x) + x), UNIT))
    ((name, content),) = context.certificates.items()
    path = tmp_path / name
    path.write_text(json.dumps(content))
    assert replay(path).accepted


# ------------------------------------------------------------------------------------------- its parts


@pytest.mark.parametrize(
    ("chart", "target", "factor", "says"),
    [
        (CHART, None, None, ""),
        (CHART, t + 1, 1 - t, ""),
        (Chart({p: (0, 1)}, {}, {p: p}), None, None, ""),
        (Chart({t: (0, 1)}, {p: t / (1 - t)}), None, None, "lacks an end or an inverse"),
        (Chart({sympy.Symbol("p", real=True): (0, 1)}, {}), None, None, "has the name of a variable"),
        (Chart({t: (0, 1)}, {p: t, x: t}, {t: p}), None, None, "maps name x, which is no variable of the claim"),
        (Chart({t: (0, 1)}, {p: t}, {t: p, x: p}), None, None, "inverse name x, which is no coordinate of the chart"),
        (Chart({t: (0, 1)}, {p: t + x}, {t: p}), None, None, "uses the undeclared symbol x; allowed here are: t"),
        (Chart({t: (0, 1)}, {p: t}, {t: p + x}), None, None, "uses the undeclared symbol x; allowed here are: p"),
        (Chart({t: (0, 1)}, {p: t}, {t: t}), None, None, "uses the undeclared symbol t; allowed here are: p"),
        (CHART, p, None, "uses the undeclared symbol p"),
        (CHART, t, p, "uses the undeclared symbol p"),
        (CHART, None, p, "uses the undeclared symbol p"),
    ],
)
def test_keys_and_symbols_of_a_chart_are_the_claims_and_its_own(
    chart: Chart, target: Any, factor: Any, says: str
) -> None:
    found = misuse(claim(ge(p, 0), POSITIVE), chart, target, factor)
    assert (says in found, bool(found)) == (True, bool(says))


def test_the_whole_domain_is_a_box_where_every_variable_has_two_ends() -> None:
    other = real("y", lower=-2, upper=3)
    assert whole_domain(claim(ge(x, 0), UNIT, other)) == Chart(
        {x: (0, 1), other.symbol: (-2, 3)}, {x: x, other.symbol: other.symbol}, {x: x, other.symbol: other.symbol}
    )
    for open_ in (real("y", lower=0), real("y", upper=0), real("y")):
        assert whole_domain(claim(ge(x, 0), UNIT, open_)) is None
        assert whole_domain(claim(ge(open_.symbol, 0), open_, UNIT)) is None


@pytest.mark.parametrize("ends", [(None, 1), (0, None)])
def test_a_coordinate_needs_both_ends_and_an_inverse(ends: Any) -> None:
    about = claim(ge(p + 1, p), POSITIVE)
    assert "lacks an end" in reason(Region(chart=Chart({t: ends}, {p: t / (1 - t)}, {t: p / (1 + p)})), about)
    assert "lacks an end" in reason(Region(chart=Chart({t: (0, 1)}, {p: t / (1 - t)}, {})), about)
    assert "lacks an end" in reason(Region(chart=Chart({t: (0, 1)}, {p: t / (1 - t)})), about)


@pytest.mark.parametrize("ends", [(0, sympy.Rational(1, 2)), (sympy.Rational(1, 2), 1)])
def test_a_range_that_leaves_points_out_is_not_the_domain(ends: Any) -> None:
    chart = Chart({t: ends}, {p: t / (1 - t)}, {t: p / (1 + p)})
    assert "not shown to stay in its range" in reason(Region(chart=chart), claim(ge(p + 1, p), POSITIVE))


def test_existence_is_refuted_where_the_opposite_is_certified_and_shown_where_it_fails() -> None:
    none = claim(gt(x - 2, 0), UNIT, quantifier="exists")
    found, context = look(Region(), none)
    assert (found.finding, found.kind) == (Finding.REFUTES, Kind.REGION_CERTIFICATE)
    assert set(context.certificates) == {found.details["certificate"]}
    some = claim(gt(x, sympy.Rational(1, 2)), UNIT, quantifier="exists")
    shown, _ = look(Region(), some)
    assert (shown.finding, shown.kind) == (Finding.SUPPORTS, Kind.EXACT_WITNESS)
    assert "holds at" in shown.summary
    fails, _ = look(Region(), claim(gt(x, sympy.Rational(1, 2)), UNIT))
    assert (fails.finding, fails.kind) == (Finding.REFUTES, Kind.COUNTEREXAMPLE)
    assert "fails at" in fails.summary
