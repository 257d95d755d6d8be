"""Claims with something broken in them, judged from end to end: the machinery must notice, and say how."""

from __future__ import annotations

from typing import Any

import pytest
import sympy

from rgm_verify.claims import (
    Claim,
    Formula,
    Hypothesis,
    Mutant,
    Tightness,
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
from rgm_verify.claims.outcome.record import read_record
from rgm_verify.claims.outcome.verdict import Judgement, Verdict, judge
from rgm_verify.claims.written.rendering import control_latex
from rgm_verify.engine.judge import portfolio, run_claim
from rgm_verify.lenses import Analysis, Combination, Deduction, Identity, Monotone, Points, Premise, Region, Search, Smt
from rgm_verify.lenses.base import Context, Profile

P, K, U = positive("p"), natural("k"), real("u", lower=0, upper=1)
p, k, u = P.symbol, K.symbol, U.symbol
log = sympy.log
SMALL = Profile(
    "quick",
    points=6,
    samples=400,
    refinements=3,
    boxes=2_000,
    smt_steps=2_000_000,
    simulation_samples=1_000,
    every_prover=True,
)


def claim(conclusion: Formula, *variables: Any, given: tuple[Formula, ...] = (), **rest: Any) -> Claim:
    hypotheses = tuple(Hypothesis(f"h{i}", f) for i, f in enumerate(given))
    return Claim(
        id=rest.pop("id", "test:claim"),
        title="t",
        source="s",
        where="w",
        kind="lemma",
        variables=variables,
        hypotheses=hypotheses,
        conclusion=conclusion,
        **rest,
    )


def record(about: Claim, *others: Claim) -> dict[str, Any]:
    return run_claim(about, Context(profile=SMALL, claims={c.id: c for c in (about, *others)}))


def verdict(about: Claim, *others: Claim, known: dict[str, Verdict] | None = None) -> Judgement:
    return judge(read_record(record(about, *others)), known or {})


TANGENT = le(log(1 + p), p)
HALF = Mutant("half the slope", le(log(1 + p), p / 2))
WALK = (Monotone(p, 0, order=1),)


def test_a_true_claim_with_a_killed_mutant_is_proved() -> None:
    assert verdict(claim(TANGENT, P, checks=WALK, mutants=(HALF,))).verdict is Verdict.PROVED


def test_a_claim_whose_mutant_survives_is_not_proved() -> None:
    weaker = Mutant("twice the slope", le(log(1 + p), 2 * p))  # true as well: no control
    found = verdict(claim(TANGENT, P, checks=WALK, mutants=(HALF, weaker)))
    assert found.verdict is Verdict.SUPPORTED
    assert "'twice the slope' survived" in found.reason


def test_a_false_claim_is_refuted_whatever_lens_it_asks_for() -> None:
    false = le(log(1 + p), p / 2)
    for checks in (WALK, (Combination(((p / 2,),)),), (Smt(),), (Region(),), (Deduction(()),), ()):
        found = verdict(claim(false, P, checks=checks, mutants=(HALF,)))
        assert found.verdict is Verdict.REFUTED
        assert found.reason.startswith("fails at p = ")


def test_controls_are_not_tried_on_what_is_refuted() -> None:
    found = record(claim(le(p, 1), P, given=(gt(p, 0),), mutants=(HALF,)))
    assert found["mutants"] == []
    assert found["hypotheses"] == [{"name": "h0", "dropped": "not tried", "witness": None}]


def test_each_kind_of_mutant_is_killed_with_a_witness_and_shown() -> None:
    about = claim(
        ge(p**2, p),
        P,
        given=(ge(p, 1),),
        mutants=(
            Mutant("a constant", ge(p**2, 2 * p)),
            Mutant("a sign", le(p**2, p)),
            Mutant("no hypothesis", hypotheses=()),
            Mutant("a weaker hypothesis", hypotheses=(Hypothesis("h0", ge(p, sympy.Rational(1, 2))),)),
            Mutant("both", gt(p**2, p), (Hypothesis("h0", ge(p, 1)),)),
        ),
    )
    found = record(about)
    assert [m["killed"] for m in found["mutants"]] == [True] * 5
    assert all(m["how"].startswith("fails at p = ") and m["witness"]["values"] for m in found["mutants"])
    assert control_latex(about, about.mutants[2]) == r"\text{without } p \ge 1"
    assert control_latex(about, about.mutants[3]) == r"p \ge \frac{1}{2}"
    assert judge(read_record(found), {}).verdict is Verdict.PROVED


def test_a_dropped_hypothesis_is_needed_where_a_counterexample_shows_it() -> None:
    found = record(claim(ge(p**2, p), P, given=(ge(p, 1), ge(p, sympy.Rational(1, 3)))))
    needed, idle = found["hypotheses"]
    assert (needed["dropped"], bool(needed["witness"])) == ("needed", True)
    assert (idle["dropped"], idle["witness"]) == ("no counterexample found", None)


def test_an_existence_claim_is_proved_by_its_witness_and_its_mutant_by_a_proof() -> None:
    none = Mutant("nowhere", lt(p**2, -1))
    found = record(claim(lt(p**2, p), P, given=(gt(p, 0),), quantifier="exists", checks=(Smt(),), mutants=(none,)))
    assert judge(read_record(found), {}).verdict is Verdict.PROVED
    assert found["mutants"][0]["how"].startswith("real arithmetic (SMT): ")
    assert found["hypotheses"][0]["dropped"] == "not tried"
    assert verdict(claim(lt(p**2, -1), P, quantifier="exists", checks=(Smt(),))).verdict is Verdict.REFUTED
    assert verdict(claim(lt(log(1 + p), -1), P, quantifier="exists")).verdict is Verdict.REFUTED


def test_what_is_true_of_integers_only_is_never_proved_by_reals() -> None:
    """`5 (k - 1) (k - 2)` is -5/4 at 3/2: an integer that is more than -1 is not negative, and this real is less."""
    controls = (Mutant("shifted", ge((2 * k - 5) ** 2, 9)),)
    statement = ge(5 * (k - 1) * (k - 2), 0)
    assert verdict(claim(statement, K, checks=(Smt(),), mutants=controls)).verdict is Verdict.SUPPORTED
    assert verdict(claim(statement, K, mutants=controls)).verdict is Verdict.PROVED  # between 1 and 2 is no integer


def test_a_relation_of_integers_asks_less_over_the_reals_and_nothing_else_does() -> None:
    """`(k - 1) (k - 2)` is at least -1/4 over the reals, and an integer where `k` is one."""
    controls = (Mutant("shifted", ge((2 * k - 5) ** 2, 9)),)
    assert verdict(claim(ge((k - 1) * (k - 2), 0), K, checks=(Smt(),), mutants=controls)).verdict is Verdict.PROVED
    assert verdict(claim(ge((p - 1) * (p - 2), 0), P, checks=(Smt(),))).verdict is Verdict.REFUTED  # p is no integer
    assert verdict(claim(gt((k - 1) * (k - 2), 0), K, checks=(Smt(),))).verdict is Verdict.REFUTED  # at 1
    halves = ge(
        (k - sympy.Rational(3, 2)) * (k - sympy.Rational(5, 2)), 0
    )  # -1/4 at 2, which a value in quarters may be
    assert verdict(claim(halves, K, checks=(Smt(),))).verdict is Verdict.REFUTED
    mixed = ge((k - 1) * (k - 2) + p, p)  # the sides are not integers: nothing is relaxed
    assert verdict(claim(mixed, K, P, checks=(Smt(),), mutants=controls)).verdict is Verdict.SUPPORTED


def test_a_deduction_is_as_strong_as_its_premise() -> None:
    premise = claim(TANGENT, P, id="test:premise", checks=WALK, mutants=(HALF,))
    checks = (Deduction((Premise("test:premise"),)),)
    about = claim(le(log(1 + p), p + 1), P, checks=checks, mutants=(HALF,))
    for strength in (Verdict.PROVED, Verdict.CERTIFIED, Verdict.SUPPORTED):
        assert verdict(about, premise, known={"test:premise": strength}).verdict is strength
    assert verdict(about, premise, known={"test:premise": Verdict.REFUTED}).verdict is Verdict.SUPPORTED


def test_a_false_premise_does_not_prove_a_false_claim() -> None:
    premise = claim(le(log(1 + p), p / 2), P, id="test:premise")
    about = claim(le(log(1 + p), 3 * p / 4), P, checks=(Deduction((Premise("test:premise"),)),), mutants=(HALF,))
    assert verdict(about, premise, known={"test:premise": Verdict.PROVED}).verdict is Verdict.REFUTED
    assert verdict(about, premise, known={"test:premise": Verdict.REFUTED}).verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    ("conclusion", "variables", "lens"),
    [
        (eq((p + 1) ** 2, p**2 + 2 * p + 1), (P,), Identity),
        (ge(p**2 + 1, 2 * p), (P,), Smt),
        (ge(sympy.sqrt(p) + sympy.Abs(p - 1), 0), (P,), Smt),
        (le(log(1 + u), u), (U,), Analysis),
        (le(log(1 + p), p), (P,), Analysis),
        (either(le(p, 1), ge(log(p), 0)), (P,), Analysis),
        (gt(sympy.pi, 3), (), Analysis),
    ],
)
def test_a_claim_that_asks_for_no_lens_gets_what_suits_it(
    conclusion: Formula, variables: tuple[Any, ...], lens: type
) -> None:
    chosen = portfolio(claim(conclusion, *variables))
    assert isinstance(chosen[0], lens)
    assert {Points, Search, Analysis} <= {type(c) for c in chosen}
    assert any(isinstance(c, Region) for c in chosen) == (variables == (U,))


def test_a_claim_that_asks_for_lenses_gets_points_and_a_search_besides() -> None:
    chosen = portfolio(claim(TANGENT, P, checks=(Points(count=2), *WALK)))
    assert [type(c) for c in chosen] == [Points, Monotone, Search]
    assert portfolio(Claim(id="a", title="", source="", where="", kind="remark", informal="words")) == ()


def test_certificates_of_mutants_are_not_kept() -> None:
    about = claim(
        lt(log(1 + u), 2), U, checks=(Region(),), mutants=(Mutant("off", lt(log(1 + u), sympy.Rational(1, 2))),)
    )
    found = record(about)
    assert list(found["certificates"]) == [found["evidence"][0]["details"]["certificate"]]


def test_tightness_is_measured_in_the_record() -> None:
    loose = Tightness((1 + u) / 2, {u: (0, 1)}, "share")
    (found,) = record(claim(le(u, 1), U, tightness=(loose,)))["tightness"]
    assert float(found["infimum"][0]) <= 0.5 <= float(found["infimum"][1])


def test_an_unwise_inequation_is_refuted_at_its_only_point() -> None:
    assert verdict(claim(ne(p, 3), P)).verdict is Verdict.REFUTED
