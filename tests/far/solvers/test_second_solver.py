"""The second solver: the same answers by another way, no answer where it has none, and an end where it disagrees."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import sympy
from click.testing import CliRunner

from rgm_verify.claims import (
    Claim,
    Formula,
    Hypothesis,
    Iff,
    Implies,
    Mutant,
    both,
    either,
    eq,
    ge,
    gt,
    le,
    lt,
    ne,
    real,
)
from rgm_verify.claims.evidence import Finding
from rgm_verify.claims.outcome.record import read_record
from rgm_verify.claims.outcome.verdict import Verdict, judge
from rgm_verify.engine.discovery import load
from rgm_verify.lenses import Deduction, Identity, Monotone, Premise, Smt
from rgm_verify.lenses.base import PROFILES, Context, Lens
from rgm_verify.lenses.solvers.smt import Answered, listening, prove, undefined

from . import compare as program
from . import second_solver
from .compare import compare
from .second_solver import Cvc5, Disagreement, Opinion, Unwritable, Writer, decide, installed

x, y = sympy.symbols("x y", real=True)
root = sympy.sqrt
half, third = sympy.Rational(1, 2), sympy.Rational(1, 3)
STEPS = 4_000_000
needs_cvc5 = pytest.mark.skipif(not installed(), reason="cvc5 is not installed; pip install 'rgm-verify[cvc5]'")


@dataclass
class Planted:
    """A solver that always says the same, and keeps what it was asked."""

    says: str
    asked: tuple[str, ...] = ()

    def answer(self, questions: Sequence[str]) -> list[tuple[str, Mapping[str, str]]]:
        self.asked += tuple(questions)
        return [(self.says, {"x1": "7.0"} if self.says == "sat" else {}) for _ in questions]


def quotient(numerator: sympy.Expr, denominator: sympy.Expr) -> sympy.Expr:
    return sympy.Mul(numerator, sympy.Pow(denominator, -1, evaluate=False), evaluate=False)


def second(given: list[Formula], goal: Formula, *, atoms: bool = False) -> str:
    return decide(Cvc5(), given, goal, atoms=atoms)[0]


PRIME, MARK, GREEK, LATEX, BAR = (
    sympy.Symbol(name, real=True) for name in ("a'", "root!1", "η̃", r"\frac{a}{b}_{1}", "a|b; (check-sat)")
)
ONE_FACTOR = sympy.Mul(x, evaluate=False)
TRUE: list[tuple[str, list[Formula], Formula]] = [
    ("squares", [], ge(x**2 + y**2, 2 * x * y)),
    ("roots", [ge(x, 1)], eq(root(x - 1) * root(x + 1), root(x**2 - 1))),
    ("nested roots", [ge(x, 0)], ge(root(root(x) + 1), 1)),
    ("a root's sign", [ge(x, 0)], ge(root(x), 0)),
    ("negative half powers", [gt(x, 0)], gt(x**-half, 0)),
    ("higher half powers", [gt(x, 0)], eq(x ** (3 * half) * x**-half, x)),
    ("negative powers", [gt(x, 1)], lt(x**-2, 1)),
    ("division", [ne(x, 0)], eq(quotient(x, x), 1)),
    ("absolute values", [], ge(sympy.Abs(x), x)),
    ("signs", [], eq(sympy.sign(x) * sympy.Abs(x), x)),
    ("maximum", [], eq(sympy.Max(x, y) + sympy.Min(x, y), x + y)),
    ("three arguments", [], ge(sympy.Max(x, y, x + y), y)),
    ("a root assumed to exist", [ge(root(x), 1)], ge(x, 1)),
    ("cases", [either(le(x, 0), ge(x, 1))], ge(x**2, x)),
    ("implication", [Implies(ge(x, 0), ge(y, 1)), gt(x, 0)], gt(y, 0)),
    ("equivalence", [Iff(ge(x, 0), ge(y, 1)), gt(y, 2)], ge(x, 0)),
    ("all parts", [both(ge(x, 0), ge(y, 0))], ge(x * y, 0)),
    ("a connective of one part", [either(ge(x, 1))], both(gt(x, 0))),
    ("a product of one factor", [ge(ONE_FACTOR, 1)], gt(x, 0)),
    ("a negative fraction", [le(x, -third)], lt(x, -sympy.Rational(1, 4))),
    ("large numbers", [ge(x, 10**40 + 1)], gt(x, sympy.Integer(10) ** 40)),
    ("names that are not names elsewhere", [gt(PRIME, MARK), gt(MARK, GREEK), gt(GREEK, LATEX)], gt(PRIME, LATEX)),
    ("a name with commands in it", [gt(BAR, 1)], gt(BAR**2, BAR)),
]
FALSE: list[tuple[str, list[Formula], Formula]] = [
    ("too much", [ge(x, 0)], gt(x**2, x)),
    ("x/x at zero", [ge(x, 0)], eq(quotient(x, x), 1)),
    ("a quotient that cancels", [], eq(quotient(x**2 - 1, x - 1), x + 1)),
    ("a root below zero", [ge(x, 0)], ge(root(x - 1), 0)),
    ("a root that its own meaning would justify", [], ge(root(x), 0)),
    ("the inner root of two", [], ge(root(root(x) + 1), 0)),
    ("the outer root of two", [ge(x, 0)], ge(root(root(x) - 1), 0)),
    ("one over a root at zero", [ge(x, 0)], ge(1 / root(x), 0)),
    ("a denominator hidden in a maximum", [], ge(sympy.Max(x, 1 / x), x)),
    ("a root in a case that is not assumed", [either(lt(x, 0), ge(root(x), 1))], ge(root(x), 0)),
    ("a root in a case says nothing of the others", [Implies(ge(x, 1), le(root(x - 1), x))], ge(x, 1)),
    ("a denominator in a case", [either(eq(x, 0), gt(1 / x, 0))], eq(quotient(x, x), 1)),
    ("a name that might meet a name of ours", [ge(MARK, 0)], gt(root(MARK), 0)),
]


def names(cases: list[tuple[str, list[Formula], Formula]]) -> list[str]:
    return [case[0] for case in cases]


@needs_cvc5
@pytest.mark.parametrize(("_", "given", "goal"), TRUE, ids=names(TRUE))
def test_both_prove_what_is_true(_: str, given: list[Formula], goal: Formula) -> None:
    assert second(given, goal) == prove(given, goal, steps=STEPS).answer == "proved"


@needs_cvc5
@pytest.mark.parametrize(("_", "given", "goal"), FALSE, ids=names(FALSE))
def test_both_refute_what_is_false_or_undefined_somewhere(_: str, given: list[Formula], goal: Formula) -> None:
    assert second(given, goal) == prove(given, goal, steps=STEPS).answer == "refuted"


@needs_cvc5
@pytest.mark.parametrize(
    "side",
    [sympy.log(x), sympy.exp(1 / x), x**y, x**-third, sympy.log(sympy.log(x + 1) + 1), sympy.exp(-x), sympy.gamma(x)],
)
def test_both_take_unknown_terms_as_equal_to_themselves_where_they_are_numbers(side: sympy.Expr) -> None:
    given, goal = [gt(x, 0), gt(sympy.log(x + 1), 0)], le(side, side + y**2)
    assert second(given, goal, atoms=True) == prove(given, goal, steps=STEPS, atoms=True).answer == "proved"
    assert second([], goal, atoms=True) == ("proved" if side == sympy.exp(-x) else "refuted")


@needs_cvc5
@pytest.mark.parametrize("side", [sympy.asin(x), sympy.zeta(x)])
def test_a_term_of_which_nothing_is_known_is_a_number_only_where_it_is_assumed(side: sympy.Expr) -> None:
    assert second([], ge(side, side), atoms=True) == "refuted"
    assert second([ge(side, 1)], gt(side, 0), atoms=True) == "proved"


@needs_cvc5
def test_different_unknown_terms_are_never_identified() -> None:
    assert second([], eq(sympy.exp(x), sympy.exp(y)), atoms=True) == "refuted"
    assert second([], le(sympy.pi, sympy.E), atoms=True) == "refuted"


@needs_cvc5
def test_declared_domains_count_for_what_is_a_number() -> None:
    p = sympy.Symbol("p", positive=True)
    formula = ge(sympy.log(p) + 1 / p + root(p), 0)
    opinion = Opinion("t:a", Cvc5())
    with listening(opinion.hear):
        assert undefined([], formula, steps=STEPS) == ""
        assert undefined([gt(x, 0)], ge(sympy.log(x), 0), steps=STEPS) == ""
    assert decide(Cvc5(), [], formula, atoms=True, goal=False)[0] == "proved"
    assert opinion.agreed == 1


def test_without_atoms_other_functions_cannot_be_written() -> None:
    with pytest.raises(Unwritable, match="not real arithmetic"):
        Writer().term(sympy.exp(x))
    assert decide(Planted("unsat"), [], gt(sympy.exp(x), 0))[0] == "unknown"
    assert decide(Planted("unsat"), [], gt(x**1_000_000, -1))[0] == "unknown"


def test_names_of_authors_never_reach_a_question() -> None:
    asked = "\n".join(Writer().questions([gt(PRIME, MARK), gt(GREEK, LATEX)], gt(BAR, 1)))
    assert asked.isascii()
    assert not re.search(r"check|frac|root|'|!", asked)


# ------------------------------------------------------------------------------------------------ limits


HARD = ge((x**6 * y + y**6 * PRIME + PRIME**6 * MARK + MARK**6 * x + 1000 - 7 * x * y * PRIME * MARK) ** 3, 1)
POSITIVE = [ge(v, 0) for v in (x, y, PRIME, MARK)]


@needs_cvc5
def test_a_question_too_hard_for_the_work_has_no_answer() -> None:
    assert decide(Cvc5(work=1), POSITIVE, HARD)[0] == "unknown"


@needs_cvc5
def test_a_computation_that_heeds_no_limit_is_cut_off() -> None:
    assert decide(Cvc5(work=10**12, seconds=1), POSITIVE, HARD)[0] == "unknown"


@needs_cvc5
def test_one_question_cut_off_costs_no_other_its_answer() -> None:
    questions = [*Writer().questions([gt(x, 1)], gt(x, 0)), *Writer().questions(POSITIVE, HARD)]
    assert [answer for answer, _ in Cvc5(work=20_000, seconds=2).answer(questions)] == ["unsat", "unknown"]


def test_a_solver_that_breaks_has_no_answer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text('import sys; sys.stdout.write(\'["unsat", {}]\\n["uns\'); sys.exit(3)\n', encoding="utf-8")
    monkeypatch.setattr(second_solver, "PROGRAM", broken)
    assert [answer for answer, _ in Cvc5().answer(["a", "b", "c"])] == ["unsat", "unsat", "unknown"]  # one for each way


# ---------------------------------------------------------------------------------------------- evidence

X = real("x", "a number")
BOUNDED = Hypothesis("at least two", ge(X.symbol, 2))


def claim(identifier: str = "t:square", *, checks: tuple[object, ...] = (Smt(),), **rest: object) -> Claim:
    stated = {
        "id": identifier,
        "title": "A square",
        "source": "test",
        "where": "here",
        "kind": "inequality",
        "statement": "A square is larger than its root.",
        "variables": (X,),
        "hypotheses": (BOUNDED,),
        "conclusion": gt(X.symbol**2, X.symbol),
        "mutants": (Mutant("less", conclusion=lt(X.symbol**2, X.symbol)),),
    }
    return Claim(**{**stated, "checks": checks, **rest})


def heard(lens: Lens, about: Claim, says: str, **rest: Any) -> Opinion:
    """What a planted solver has said of the questions of one lens about one claim."""
    opinion = Opinion(about.id, Planted(says))
    with listening(opinion.hear):
        (found,) = lens.run(about, Context(**rest))
    assert found.finding in (Finding.SUPPORTS, Finding.REFUTES)
    return opinion


def test_an_answer_is_agreed_to_left_open_or_contradicted() -> None:
    agreed, silent = heard(Smt(), claim(), "unsat"), heard(Smt(), claim(), "unknown")
    assert (agreed.agreed, agreed.unanswered) == (1, 0)
    assert (silent.agreed, silent.unanswered) == (0, 1)
    with pytest.raises(Disagreement) as caught:
        heard(Smt(), claim(), "sat")
    assert str(caught.value) == (
        "t:square: two solvers disagree: z3 says 'proved', cvc5 says 'refuted' (at x = 7.0); assumptions: x >= 2; "
        "conclusion: x**2 > x"
    )


def test_a_model_of_z3_that_the_second_solver_excludes_is_a_disagreement_as_well() -> None:
    false = claim(conclusion=lt(X.symbol**2, X.symbol))
    with pytest.raises(Disagreement, match="z3 says 'refuted', cvc5 says 'proved'; assumptions: x >= 2"):
        heard(Smt(), false, "unsat")
    assert heard(Smt(), false, "sat").agreed == 1


def test_deductions_taylor_formulas_and_what_an_identity_needs_are_asked_about_too() -> None:
    premise = claim()
    weaker = claim("t:again", conclusion=ge(X.symbol**2, X.symbol))
    inverse = 1 / (X.symbol - 1)
    equation = claim(conclusion=eq(X.symbol**2 * inverse, X.symbol + 1 + inverse))
    lenses = (Deduction(premises=(Premise(premise.id),)), Monotone(X.symbol, sympy.Integer(2), order=1), Identity())
    for lens, about in zip(lenses, (weaker, weaker, equation), strict=True):
        assert heard(lens, about, "unsat", claims={premise.id: premise}).agreed
        with pytest.raises(Disagreement):
            heard(lens, about, "sat", claims={premise.id: premise})


def test_nobody_is_told_after_the_block() -> None:
    opinion = Opinion("t:a", Planted("sat"))
    with listening(opinion.hear):
        pass
    assert prove([], ge(x**2, 0), steps=STEPS).answer == "proved"
    assert opinion == Opinion("t:a", Planted("sat"))


def test_a_text_of_every_connective_can_be_read() -> None:
    given = [either(lt(x, 0), ge(x, 1)), Implies(ge(x, 1), le(y, x)), Iff(ge(x, 1), both(ge(y, 1), ne(x, y)))]
    with pytest.raises(Disagreement) as caught:
        Opinion("t:a", Planted("sat")).hear(Answered("proved", given, gt(x, 0), False))
    for words in ("(x < 0 or x >= 1)", "(x >= 1 implies y <= x)", "(x >= 1 if and only if (y >= 1 and x != y))"):
        assert words in str(caught.value)


def test_two_solvers_are_one_kind_of_proof() -> None:
    proof = {
        "lens": "l", "kind": "SMT proof", "finding": "supports", "families": ["z3", "cvc5"], "summary": "s",
        "details": {}, "premises": [],
    }  # fmt: skip
    points = {**proof, "kind": "enclosures at points", "families": ["arb"]}
    record = {"informal": "", "quantifier": "forall", "mutants": [{"name": "m", "killed": True}]}
    assert judge(read_record({**record, "evidence": [proof]}), {}).verdict is Verdict.SUPPORTED
    assert judge(read_record({**record, "evidence": [proof, points]}), {}).verdict is Verdict.PROVED
    for kind in ("exact witness", "region certificate"):
        assert judge(read_record({**record, "evidence": [{**proof, "kind": kind}]}), {}).verdict is Verdict.SUPPORTED
    other = {**points, "families": ["cvc5"]}
    by_solvers = read_record({**record, "evidence": [{**proof, "families": ["z3"]}, other]})
    assert judge(by_solvers, {}).verdict is Verdict.SUPPORTED


# ----------------------------------------------------------------------------------------------- folders


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "own"
    place.mkdir()
    (place / "squares.py").write_text(
        "from rgm_verify.claims import Claim, Hypothesis, gt, ge, real\n"
        "from rgm_verify.lenses import Deduction, Premise\n"
        "X = real('x', 'a number')\n"
        "x = X.symbol\n"
        "rest = dict(title='t', source='s', where='w', kind='inequality', statement='s', variables=(X,),\n"
        "    hypotheses=(Hypothesis('h', ge(x, 2)),))\n"
        "square = Claim(id='own:square', conclusion=gt(x**2, x), **rest)\n"
        "known = Deduction(premises=(Premise('own:square'),))\n"
        "cube = Claim(id='own:cube', conclusion=gt(x**3, x), checks=(known,), **rest)\n",
        encoding="utf-8",
    )
    return place


def test_a_comparison_counts_answers_and_goes_on_after_a_disagreement(folder: Path) -> None:
    paper = load(folder)
    ids = tuple(paper.claims)
    agreed = compare(paper, ids, profile=PROFILES["quick"], solver=Planted("unsat"))
    assert (agreed.claims, agreed.proofs, agreed.confirmed, agreed.open, agreed.disagreements) == (2, 2, 2, 0, [])
    assert agreed.agree >= 2
    silent = compare(paper, ids, profile=PROFILES["quick"], solver=Planted("unknown"))
    assert (silent.proofs, silent.confirmed, silent.agree, silent.open) == (2, 0, 0, agreed.agree)
    assert sorted(silent.open_claims) == sorted(ids)
    opposed = compare(paper, ids, profile=PROFILES["quick"], solver=Planted("sat"))
    assert len(opposed.disagreements) == 2
    assert "own:square: two solvers disagree" in "\n".join(opposed.disagreements)


@needs_cvc5
def test_the_program_compares_a_folder_and_fails_on_a_disagreement(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = CliRunner().invoke(program.main, ["--claims", str(folder)])
    assert done.exit_code == 0, done.output
    assert "2 of 2 proofs are both solvers'" in done.output
    monkeypatch.setattr(Cvc5, "answer", lambda self, questions: [("sat", {}) for _ in questions])
    done = CliRunner().invoke(program.main, ["own:square", "--claims", str(folder)])
    assert done.exit_code == 1
    assert "own:square: two solvers disagree" in done.output


def test_the_program_needs_the_second_solver(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "installed", lambda: "")
    done = CliRunner().invoke(program.main, ["--claims", str(folder)])
    assert done.exit_code == 2
    assert "cvc5 is not installed" in done.output
