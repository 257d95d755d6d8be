"""The portfolio and the run over one claim: which lenses look, in which order, and what stops them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import sympy

from rgm_verify.balls.program import UnsupportedExpression
from rgm_verify.claims import (
    Claim,
    ClaimError,
    Hypothesis,
    Implies,
    Mutant,
    both,
    either,
    eq,
    ge,
    gt,
    le,
    ne,
    positive,
    real,
)
from rgm_verify.claims.evidence import Evidence, Finding, Kind
from rgm_verify.claims.formula import FormulaError
from rgm_verify.claims.outcome.record import read_record
from rgm_verify.claims.outcome.verdict import Verdict
from rgm_verify.claims.outcome.verdict import judge as verdict_on
from rgm_verify.engine import judge
from rgm_verify.engine.judge import portfolio, refuse_foreign_lenses, run_claim
from rgm_verify.lenses import Analysis, Combination, Identity, Points, Search, Smt
from rgm_verify.lenses.base import QUICK, Context, Lens, Profile

X, P = real("x"), positive("p")
UNIT = real("u", lower=0, upper=1)
x, p, u = X.symbol, P.symbol, UNIT.symbol


def claim(conclusion: Any, *variables: Any, **rest: Any) -> Claim:
    return Claim(id="t:claim", title="t", source="s", where="w", kind="k", variables=variables, conclusion=conclusion,
                 **rest)  # fmt: skip


@pytest.mark.parametrize(
    ("conclusion", "variable", "first"),
    [
        (eq(x, x + 0 * x), X, Identity), (both(eq(x, 2 * x), eq(x, 0)), X, Identity),
        (either(eq(x, 0), eq(x, 1)), X, Smt), (both(eq(x, 0), ge(x, 0)), X, Smt), (Implies(eq(x, 0), eq(x, 1)), X, Smt),
        (ge(x**2, 0), X, Smt), (ge(sympy.sqrt(p) + sympy.Abs(p), 0), P, Smt),
        (ge(sympy.Max(x, 1), sympy.sign(x)), X, Smt),
        (ge(1 / p, 0), P, Smt), (ge(sympy.exp(u), 0), UNIT, Analysis),
        (ge(u ** sympy.Rational(1, 3), 0), UNIT, Analysis),
        (ge(2**u, 0), UNIT, Analysis), (ge(sympy.exp(x), 0), X, Analysis), (ge(sympy.sqrt(u), 0), UNIT, Smt),
    ],
)  # fmt: skip
def test_a_conclusion_gets_the_lens_that_suits_its_form(conclusion: Any, variable: Any, first: type[Lens]) -> None:
    chosen = [type(lens) for lens in portfolio(claim(conclusion, variable))]
    assert chosen[0] is first
    assert chosen[-2:] == [Points, Search]
    assert len(chosen) == len(set(chosen))


def test_points_and_a_search_look_at_every_claim_once() -> None:
    asked = claim(ge(x**2, 0), X, checks=(Combination(((x, x),)),))
    assert [type(lens) for lens in portfolio(asked)] == [Combination, Points, Search]
    own = claim(ge(x**2, 0), X, checks=(Points(count=3), Search()))
    assert portfolio(own) == (Points(count=3), Search())
    assert portfolio(claim(None, informal="words")) == ()
    assert [type(lens) for lens in portfolio(claim(gt(sympy.E, 2)))] == [Analysis, Points, Search]


def evidence(lens: Lens, finding: Finding) -> list[Evidence]:
    return [lens.evidence(Kind.SMT_PROOF, finding, ("z3",), "said")]


def test_z3_is_asked_for_a_model_where_nothing_else_has_decided() -> None:
    about, context = claim(ge(x**2, -1), X), Context()
    others = (Combination(()), Points(), Search())
    assert [e.finding for e in judge._models(about, others, [], context)] == [Finding.SUPPORTS]
    assert judge._models(about, (Smt(), *others), [], context) == []
    assert judge._models(about, others, evidence(Smt(), Finding.REFUTES), context) == []
    assert judge._models(about, others, evidence(Smt(), Finding.SUPPORTS), context) == []
    assert judge._models(claim(ge(sympy.exp(x), 0), X), others, [], context) == []
    assert judge._models(claim(gt(sympy.S(3), 2)), others, [], context) == []


class Foreign(Lens):
    """A lens that no library knows."""


def test_only_lenses_of_the_library_judge() -> None:
    about = claim(ge(x**2, 0), X, checks=(Foreign(),))
    with pytest.raises(ClaimError, match="no lens of the library"):
        refuse_foreign_lenses(about)
    with pytest.raises(ClaimError, match="Foreign"):
        run_claim(about, Context())
    refuse_foreign_lenses(claim(ge(x**2, 0), X, checks=(Smt(), Identity())))


@pytest.mark.parametrize("error", [FormulaError("no"), UnsupportedExpression("no"), NotImplementedError("no")])
def test_a_lens_that_cannot_read_a_term_is_undecided(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> list[Evidence]:
        raise error

    monkeypatch.setattr(Smt, "run", broken)
    (found,) = Smt().look(claim(ge(x**2, 0), X), Context())
    assert (found.finding, type(error).__name__ in found.summary) == (Finding.UNDECIDED, True)
    monkeypatch.setattr(Smt, "run", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        Smt().look(claim(ge(x**2, 0), X), Context())


def test_what_asserts_nothing_is_not_judged() -> None:
    record = run_claim(claim(eq(x, x), X, hypotheses=(Hypothesis("h", ge(x, 0)),)), Context())
    assert [e["finding"] for e in record["evidence"]] == ["undecided"]
    assert (record["mutants"], record["tightness"], record["false_proofs"]) == ([], [], [])
    assert record["hypotheses"] == [{"name": "h", "dropped": "not tried", "witness": None}]


def test_what_is_refuted_has_no_controls_tried_and_what_holds_has() -> None:
    given = (Hypothesis("h", ge(x, 1)),)
    wrong = run_claim(claim(le(x, 5), X, hypotheses=given), Context())
    assert wrong["hypotheses"] == [{"name": "h", "dropped": "not tried", "witness": None}]
    right = run_claim(claim(ge(x**3, 1), X, hypotheses=given), Context())
    assert right["hypotheses"][0]["dropped"] == "needed"
    assert ne(x, 1).op == "!="


def looks(monkeypatch: pytest.MonkeyPatch, said: Finding) -> list[Claim]:
    """A list of what the analysis is asked about; it says the same of everything."""
    asked: list[Claim] = []
    monkeypatch.setattr(Analysis, "look", lambda lens, about, _: asked.append(about) or symbolic(lens, said))
    return asked


def symbolic(lens: Lens, finding: Finding) -> list[Evidence]:
    return [lens.evidence(Kind.SYMBOLIC_PROOF, finding, ("sympy",), "said")]


EVERY_PROVER = replace(QUICK, every_prover=True)


def test_what_a_point_refutes_is_given_to_the_provers_once_to_test_them(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = looks(monkeypatch, Finding.UNDECIDED)
    false = claim(le(sympy.exp(x), 2), X)
    run_claim(false, Context())
    assert asked == []
    record = run_claim(false, Context(profile=EVERY_PROVER))
    assert [e["lens"] for e in record["evidence"]] == [Points.name, Search.name]
    assert asked == [false]
    assert record["false_proofs"] == []
    # Who names a lens has it asked before the points, and its answer is not asked for again.
    named = claim(le(sympy.exp(x), 2), X, checks=(Analysis(),))
    assert [e["lens"] for e in run_claim(named, Context())["evidence"]] == [Analysis.name, Points.name, Search.name]
    assert asked == [false, named]


@pytest.mark.parametrize("checks", [(), (Analysis(),)])
def test_a_proof_of_what_a_point_refutes_is_a_false_one(
    monkeypatch: pytest.MonkeyPatch, checks: tuple[Lens, ...]
) -> None:
    looks(monkeypatch, Finding.SUPPORTS)
    record = run_claim(claim(le(sympy.exp(x), 2), X, checks=checks), Context(profile=EVERY_PROVER))
    (found,) = record["false_proofs"]
    assert (found["statement"], found["lens"], found["summary"]) == ("the claim itself", Analysis.name, "said")
    # The lens is struck off, and what the point says stands.
    judgement = verdict_on(read_record(record), {})
    assert judgement.verdict is Verdict.REFUTED
    assert "'analysis' proves a false statement (the claim itself)" in judgement.reason
    assert "please report this" in judgement.reason


QUICK_ONES = ["the control 'larger'", "without 'h'"]
ALL = ["the control 'larger'", "the control 'smaller'", "without 'h'", "without 'k'"]


@pytest.mark.parametrize(("profile", "asked"), [(QUICK, QUICK_ONES), (EVERY_PROVER, ALL)], ids=["quick", "every"])
def test_what_has_proved_a_claim_is_asked_about_its_false_neighbours(
    monkeypatch: pytest.MonkeyPatch, profile: Profile, asked: list[str]
) -> None:
    """In a quick run about one control and one dropped hypothesis; whoever proves one is struck off."""
    looks(monkeypatch, Finding.SUPPORTS)
    given = (Hypothesis("h", ge(x, 1)), Hypothesis("k", ge(p, 1)))
    mutants = (Mutant("larger", ge(x * p, 4)), Mutant("smaller", le(x * p, 4)))
    judged = claim(ge(x * p, 1), X, P, hypotheses=given, mutants=mutants, checks=(Analysis(),))
    record = run_claim(judged, Context(profile=profile))
    assert [f["statement"] for f in record["false_proofs"]] == asked
    assert verdict_on(read_record(record), {}).verdict is not Verdict.PROVED
