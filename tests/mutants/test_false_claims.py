"""False claims with settings that once let them pass: no lens may prove one, and the engine has to say what is wrong.

Each fails on a set that is too thin for random points, so that the lens alone stands between it and a wrong verdict.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import sympy
from sympy import I, Integer, Rational, Symbol, exp, log, oo, sqrt, zoo

from rgm_verify.claims import (
    Chart,
    Claim,
    Hypothesis,
    Mutant,
    both,
    either,
    eq,
    ge,
    gt,
    le,
    lt,
    ne,
    nonnegative,
    positive,
    real,
)
from rgm_verify.claims.evidence import Finding
from rgm_verify.claims.formula import Formula
from rgm_verify.claims.outcome.verdict import Verdict
from rgm_verify.engine.discovery import Paper
from rgm_verify.engine.judge import run_claim
from rgm_verify.engine.outcome.assemble import judgements
from rgm_verify.lenses import Combination, Deduction, Identity, Monotone, Premise, Region, Smt
from rgm_verify.lenses.base import QUICK, Context, Lens
from rgm_verify.lenses.proofs import premises

R = Rational
X, Y, P, Z = real("x"), real("y", lower=-R(1, 10**15), upper=1, lower_open=True), positive("p"), nonnegative("z")
x, y, p, z = (v.symbol for v in (X, Y, P, Z))
#: False on (-1e-15, -5e-16) alone.
THIN = ge(y + R(1, 2 * 10**15), 0)
THIN_CONTROL = Mutant("above a half", conclusion=gt(y, R(1, 2)))


def claim(name: str, conclusion: Formula, *variables: Any, given: tuple[Formula, ...] = (), **more: Any) -> Claim:
    more.setdefault("mutants", (Mutant("one off", conclusion=ge(-1 - variables[0].symbol ** 2, 0)),))
    hypotheses = tuple(Hypothesis(f"h{i}", f) for i, f in enumerate(given))
    return Claim(
        id=f"t:{name}", title="t", source="s", where="w", kind="k", variables=variables, conclusion=conclusion,
        hypotheses=hypotheses, **more,
    )  # fmt: skip


SQUARE = claim("square", ge(x**2, 0), X, checks=(Smt(),))
ROOT = claim("root", ge(sqrt(p), 0), P, checks=(Smt(),))
SIZE = claim("size", ge(sympy.Abs(x), 0), X, checks=(Smt(),))
PREMISES = {c.id: c for c in (SQUARE, ROOT, SIZE)}


def thin(*checks: Lens) -> Claim:
    return claim("false", THIN, Y, checks=checks, mutants=(THIN_CONTROL,))


def by(name: str, at: dict[Any, Any], **more: Any) -> Claim:
    return thin(Deduction((Premise(f"t:{name}", at, **more),)))


t = Symbol("t", real=True)
FOREIGN = Symbol("y", positive=True)
EVEN = Symbol("c", even=True)
N = real("n", lower=0, upper=10**9, integer=True)
n = N.symbol
ROOT_NAME, ATOM_NAME, WAY_NAME = real("root!1"), real("atom!1"), real("w_on_the_way")
HALVES = (either(gt(x, 1), both(lt(x, 1), eq(x**2, 2))),)
QUOTIENT = sqrt(x**2 - 2 * x + 1) / (x - 1)
UNIT = real("u", lower=-R(1, 10**15), upper=1)
u = UNIT.symbol

FALSE: dict[str, Claim] = {
    "a premise at a logarithm": by("square", {x: log(y)}),
    "a premise at a root": by("square", {x: sqrt(y)}),
    "a premise at a root, where it applies": by("square", {x: sqrt(y)}, where_it_applies=True),
    "a premise at a pole": claim(
        "false", gt((x**2 - 2) ** 2, 0), X, checks=(Deduction((Premise("t:square", {x: 1 / (x**2 - 2)}),)),)
    ),
    "a premise at i": by("square", {x: I}),
    "a premise at infinity": by("size", {x: oo}),
    "a premise at complex infinity": by("size", {x: zoo}),
    "a premise at a function of which nothing is known": by("square", {x: sympy.asin(y + 3)}),
    "a premise at a foreign symbol of the same name": by("size", {x: FOREIGN}),
    "a key of a premise that is no variable": by("square", {x**2: y}),
    "a key of a premise that is a number": by("square", {Integer(0): y}),
    "a premise about a variable of the same name and another domain": claim(
        "false", either(ge(p_real := Symbol("p", real=True), 0), ne(p_real**2, 2)), real("p"),
        checks=(Deduction((Premise("t:root", where_it_applies=True),)),),
    ),
    "a premise in Taylor's formula": thin(Monotone(y, Integer(0), 1, (Premise("t:square", {x: log(y)}),))),
    "a slope of zero on two pieces": claim(
        "false", eq(QUOTIENT, 1), X, given=HALVES, checks=(Identity(differentiate=(x, Integer(2))),),
        mutants=(Mutant("two", conclusion=eq(QUOTIENT, 2)),),
    ),
    "a slope from where the difference is not defined": claim(
        "false", eq(QUOTIENT, 1), X, given=HALVES, checks=(Identity(differentiate=(x, Integer(1))),),
        mutants=(Mutant("two", conclusion=eq(QUOTIENT, 2)),),
    ),
    "a slope in a foreign symbol": claim(
        "false", eq(sympy.sign(y + R(1, 2 * 10**15)), 1), Y, checks=(Identity(differentiate=(t, Integer(1))),),
        mutants=(Mutant("two", conclusion=eq(sympy.sign(y), 2)),),
    ),
    "a coordinate that is declared even": claim(
        "false", ge(2 * (n - 123456789) ** 2 + R(1, 2), 1 - sympy.cos(sympy.pi * n * (n + 2) / 2)), N,
        checks=(Region(chart=Chart({EVEN: (0, 10**9)}, {n: EVEN}, {EVEN: n})),),
    ),
    "a key of a chart that is an expression": claim(
        "false", ge(u + R(1, 2 * 10**15), 0), UNIT,
        checks=(Region(chart=Chart({t: (-R(1, 10**15), 1)}, {u: t, u + R(1, 2 * 10**15): 1}, {t: u})),),
    ),
    "a key of a chart that is a number": claim(
        "false", ge(u + R(1, 2 * 10**15), 0), UNIT,
        checks=(Region(chart=Chart({t: (-R(1, 10**15), 1)}, {u: t, R(1, 2 * 10**15): 1}, {t: u})),),
    ),
    "a key of an inverse that is no coordinate": claim(
        "false", ge(u**2 * (u + R(1, 2 * 10**15)), 0), UNIT,
        checks=(Region(chart=Chart({t: (-R(1, 10**15), 1)}, {u: t}, {t: u, t**2: 1 + u}), target=t**0, factor=t**2),),
    ),
    "a target in a foreign symbol": claim(
        "false", ge(u + R(1, 2 * 10**15), 0), UNIT,
        checks=(Region(chart=Chart({t: (-R(1, 10**15), 1)}, {u: t}, {t: u}), target=FOREIGN, factor=1 / FOREIGN),),
    ),
    "a variable called like an unknown root": claim(
        "false", ge((sqrt(p) - ROOT_NAME.symbol) * sqrt(p), 0), P, ROOT_NAME,
        given=(either(le(ROOT_NAME.symbol, 0), both(eq(ROOT_NAME.symbol**2, 2), le(p, 1))),),
    ),
    "a variable called like an unknown term": claim(
        "false", ge(ATOM_NAME.symbol, 0), ATOM_NAME, P, given=(ge(ATOM_NAME.symbol, -R(1, 10**15)),),
        checks=(Deduction((Premise("t:size", {x: exp(p)}),)),),
    ),
    "a variable called like the way": claim(
        "false", ge(1 + 5 * z * (z - WAY_NAME.symbol), 0), Z, WAY_NAME,
        given=(either(le(WAY_NAME.symbol, 0), eq(WAY_NAME.symbol**2, 2)),), checks=(Monotone(z, Integer(0), 1),),
    ),
    "Taylor's formula of order 0": thin(Monotone(y, Integer(0), 0)),
    "Taylor's formula of a negative order": thin(Monotone(y, Integer(0), -1)),
    "Taylor's formula in a foreign symbol": thin(Monotone(t, Integer(0), 1)),
    "Taylor's formula from infinity": thin(Monotone(y, oo, 1)),
    "terms in a foreign symbol": thin(Combination(((FOREIGN, sympy.S.One),))),
    "a positive part that is foreign": claim(
        "false", eq(log(exp(x)) + sympy.sign(x - 7), x), X, checks=(Identity(positive=(FOREIGN,)),),
        mutants=(Mutant("two", conclusion=eq(x, x + 2)),),
    ),
}  # fmt: skip

EVERY_PROVER = replace(QUICK, every_prover=True)


def judged(about: Claim) -> tuple[dict[str, Any], Verdict]:
    claims = {**PREMISES, about.id: about}
    context = Context(profile=EVERY_PROVER, seed=7, claims=claims)
    records = {i: run_claim(c, context) for i, c in claims.items() if i in (about.id, *used(about))}
    paper = Paper(folder=None, claims=claims, files={}, title="")  # type: ignore[arg-type]
    return records[about.id], judgements(paper, records)[about.id].verdict


def used(about: Claim) -> set[str]:
    return {q.claim for check in about.checks for q in getattr(check, "premises", ())}


@pytest.mark.parametrize("case", FALSE)
def test_no_lens_proves_it(case: str) -> None:
    about = FALSE[case]
    context = Context(profile=EVERY_PROVER, seed=7, claims={**PREMISES, about.id: about})
    for lens in about.checks or (Smt(),):
        assert isinstance(lens, Lens)
        found = lens.run(about, context)
        assert [e for e in found if e.finding is Finding.SUPPORTS] == []
        assert all(e.finding is Finding.REFUTES or e.summary for e in found)


@pytest.mark.parametrize("case", FALSE)
def test_it_is_not_even_supported(case: str) -> None:
    record, verdict = judged(FALSE[case])
    assert verdict in (Verdict.REFUTED, Verdict.UNDECIDED)
    assert record["false_proofs"] == []


@pytest.mark.parametrize("case", ["a premise at a logarithm", "a premise at a root", "a premise at a pole"])
def test_a_lens_that_proves_a_false_statement_is_struck_off(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mend taken out again: the control of the prover sees what the lens does."""
    monkeypatch.setattr(premises, "_undefined_image", lambda *_: "")
    record, verdict = judged(FALSE[case])
    assert verdict is Verdict.REFUTED
    assert [(p["lens"], p["statement"]) for p in record["false_proofs"]] == [("deduction", "the claim itself")]


TRUE: dict[str, Callable[[], Claim]] = {
    "a premise at an image that is defined": lambda: claim(
        "true", ge(log(p) ** 2 + 1, 1), P, checks=(Deduction((Premise("t:square", {x: log(p)}),)),),
    ),
    "a premise about variables of the same name": lambda: claim(
        "true", ge(sqrt(p) + 1, 1), P, checks=(Deduction((Premise("t:root"),)),),
    ),
    "a slope on an interval": lambda: claim(
        "true", eq(log(p**2), 2 * log(p)), P, checks=(Identity(differentiate=(p, Integer(1))),),
        mutants=(Mutant("three", conclusion=eq(log(p**2), 3 * log(p))),),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", TRUE)
def test_what_is_used_as_it_should_be_still_proves(case: str) -> None:
    _, verdict = judged(TRUE[case]())
    assert verdict is Verdict.PROVED


def test_a_certificate_needs_a_chart_whose_maps_are_defined_at_every_admissible_point() -> None:
    """The map t**2/t stands for t where t is not 0: at u = 0 it says nothing."""
    image = sympy.Mul(t**2, sympy.Pow(t, -1), evaluate=False)
    chart = Chart({t: (-1, 1)}, {UNIT.symbol: image}, {t: UNIT.symbol})
    about = claim("chart", ge(1 + UNIT.symbol, 0), UNIT, checks=(Region(chart=chart),))
    (found,) = Region(chart=chart).run(about, Context())
    assert (found.finding, "a term was not shown to be defined" in found.summary) == (Finding.UNDECIDED, True)
