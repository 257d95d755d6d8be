"""An attack on the judges: false statements that look true, and random mutants of true ones; none may be shown.

That each is false is certain without the engine: `attack/truth.py` evaluates it at an exact point by its own reading of
the tree. `nox -s attack` judges as many mutants as it is told; here are a few.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest
import sympy

from rgm_verify import check
from rgm_verify.claims import Claim, Variable, eq, ge, gt, natural, nonnegative, real
from rgm_verify.claims.evidence import Finding
from rgm_verify.claims.formula import Formula
from rgm_verify.claims.outcome.record import read_record
from rgm_verify.claims.outcome.verdict import Verdict, judge
from rgm_verify.engine.discovery import load
from rgm_verify.engine.judge import run_claim
from rgm_verify.lenses import Analysis
from rgm_verify.lenses.analysis import lens as analysis
from rgm_verify.lenses.analysis.search import Prover
from rgm_verify.lenses.base import QUICK, Context
from rgm_verify.statements.checking import read
from rgm_verify.statements.tokens import DoubtfulReading

from .attack.methods import false_statements
from .attack.mutate import Mutant, counterexample, mutants, true_claims
from .attack.traps import TRAPS, WITHOUT_VALUE
from .attack.truth import fails
from .corpus import textbooks

PAPERS = Path(__file__).parents[3] / "examples"
SEED = int(os.environ.get("RGM_VERIFY_ATTACK_SEED", "20261123"))
COUNT = int(os.environ.get("RGM_VERIFY_ATTACK", "24"))
#: Every false statement is given to every lens that proves.
EVERY_PROVER = replace(QUICK, every_prover=True)
PROVED = (Verdict.PROVED, Verdict.CERTIFIED)
LEAST_REFUTED = 0.95
X, N, K = real("x"), nonnegative("n"), natural("k")
x, n, k = (v.symbol for v in (X, N, K))


def lines(text: str) -> list[tuple[str, dict[str, Fraction]]]:
    """Statements with the points where they fail."""
    found = []
    for line in text.strip().splitlines():
        statement, _, place = line.partition(" | ")
        pairs = (entry.split("=") for entry in place.split(";") if entry)
        found.append((statement, {name: Fraction(value) for name, value in pairs}))
    return found


@pytest.mark.parametrize(("statement", "place"), lines(TRAPS), ids=[s for s, _ in lines(TRAPS)])
def test_each_trap_is_false_at_its_point(statement: str, place: Mapping[str, Fraction]) -> None:
    claim = read(statement)[1].claim
    assert fails(claim, {v.symbol: place[v.symbol.name] for v in claim.variables}) in ("false", "undefined")


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_no_trap_is_shown_and_hardly_one_is_left_open(part: int) -> None:
    statements = [s for s, _ in lines(TRAPS)][part::4]
    found = {s: check(s).verdict for s in statements}
    assert {s: v for s, v in found.items() if v in PROVED} == {}
    assert sum(v is Verdict.REFUTED for v in found.values()) >= LEAST_REFUTED * len(found)


@pytest.mark.slow
def test_a_statement_with_a_term_that_has_no_value_is_never_shown() -> None:
    found: dict[str, Verdict | None] = {}
    for statement, _ in lines(WITHOUT_VALUE):
        try:
            found[statement] = check(statement).verdict
        except DoubtfulReading:  # read in two ways, and judged in neither
            found[statement] = None
    assert {s: v for s, v in found.items() if v in PROVED} == {}
    assert sum(v is Verdict.REFUTED for v in found.values()) >= 0.75 * len(found)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_no_false_integral_neighbour_or_square_is_shown(part: int) -> None:
    drawn = random.Random(SEED).sample(statements := list(false_statements()), min(len(statements), COUNT))
    found = {s: check(s).verdict for s in drawn[part::4]}
    assert {s: v for s, v in found.items() if v in PROVED} == {}
    assert sum(v is Verdict.REFUTED for v in found.values()) >= 0.75 * len(found)


@pytest.mark.slow
def test_no_false_mutant_of_a_true_statement_is_shown(tmp_path: Path) -> None:
    attacked: list[Mutant] = mutants(true_claims(textbooks(tmp_path), PAPERS, load), COUNT, SEED)
    assert len(attacked) == COUNT
    verdicts = {}
    for mutant in attacked:
        context = Context(profile=EVERY_PROVER, seed=SEED, claims={mutant.claim.id: mutant.claim})
        record = run_claim(mutant.claim, context)
        # Points refute most of them; lenses that prove look at them all the same.
        assert record["false_proofs"] == [], (mutant.change, str(mutant.claim.conclusion), mutant.point)
        verdicts[mutant.claim.id] = judge(read_record(record), {}).verdict
    wrong = [(m.change, str(m.claim.conclusion), m.point) for m in attacked if verdicts[m.claim.id] in PROVED]
    assert wrong == []
    assert sum(v is Verdict.REFUTED for v in verdicts.values()) >= LEAST_REFUTED * COUNT


@pytest.fixture
def rules_alone(monkeypatch: pytest.MonkeyPatch) -> Callable[[Claim], bool]:
    """A test of whether the rules of calculus show a claim without floats, which rule out most false goals at once.

    Floats would hide a rule that shows something false. Without them a search goes on for long, and gets less effort.
    """
    monkeypatch.setattr(Prover, "fails", lambda prover, goal: False)
    monkeypatch.setattr(analysis, "Prover", partial(Prover, effort=1_200, queries=80))
    return lambda shown: any(e.finding is Finding.SUPPORTS for e in Analysis().look(shown, Context()))


@pytest.mark.slow
def test_rules_alone_show_no_false_mutant(tmp_path: Path, rules_alone: Callable[[Claim], bool]) -> None:
    attacked = mutants(true_claims(textbooks(tmp_path), PAPERS, load), max(12, COUNT // 2), SEED + 1)
    assert [(m.change, str(m.claim.conclusion), m.point) for m in attacked if rules_alone(m.claim)] == []


@pytest.mark.slow
def test_rules_alone_show_no_trap(rules_alone: Callable[[Claim], bool]) -> None:
    statements = [s for s, _ in lines(TRAPS) + lines(WITHOUT_VALUE)]
    # All of them take minutes: a few here, drawn by the seed, and all in `nox -s attack`.
    some = random.Random(SEED).sample(statements, min(len(statements), max(8, COUNT // 2)))
    assert [s for s in some if rules_alone(read(s)[1].claim)] == []


@pytest.mark.slow
def test_rules_alone_show_no_false_integral_neighbour_or_square(rules_alone: Callable[[Claim], bool]) -> None:
    some = random.Random(SEED).sample(statements := list(false_statements()), min(len(statements), max(8, COUNT // 2)))
    assert [s for s in some if rules_alone(read(s)[1].claim)] == []


@pytest.mark.slow
def test_rules_alone_show_true_statements(rules_alone: Callable[[Claim], bool]) -> None:
    """The control: so little effort is enough for true ones."""
    assert rules_alone(claim(ge(sympy.exp(x), 1 + x), X))
    assert rules_alone(claim(ge(sympy.log(1 + n), n - n**2 / 2), N))


def claim(conclusion: Formula, *variables: Variable) -> Claim:
    return Claim(id="attack:control", title="t", variables=variables, conclusion=conclusion)


@pytest.mark.parametrize(
    ("conclusion", "variable", "place", "said"),
    [
        (ge(x**2, 0), X, 0, ""),
        (gt(x**2, 0), X, 0, "false"),
        (ge(sympy.log(x), x), X, -1, "undefined"),
        (eq(1 / (x - 1), 0), X, 1, "undefined"),
        (ge(n, 1), N, -1, ""),  # not in the domain
        (ge(k, 2), K, Fraction(1, 2), ""),  # no integer
        (ge(sympy.exp(x), 1 + x), X, Fraction(1, 10**9), ""),
        (gt(sympy.exp(x), 1 + x), X, 0, "false"),
        (ge(sympy.sqrt(x) ** 3, 0), X, -4, "undefined"),
        (eq(sympy.Sum(n, (n, 1, k)), k**2), K, 2, "false"),
    ],
)
def test_the_truth_at_a_point_is_told_where_it_is_certain(
    conclusion: Formula, variable: Variable, place: int, said: str
) -> None:
    assert fails(claim(conclusion, variable), {variable.symbol: Fraction(place)}) == said


def test_no_point_is_found_where_a_true_statement_fails(tmp_path: Path) -> None:
    """The control of the attack: what it calls false must not be true."""
    rng = random.Random(SEED)
    claims = [
        c
        for c in true_claims(textbooks(tmp_path), PAPERS, load)
        if c.quantifier == "forall" and c.conclusion is not None
    ]
    some = rng.sample(claims, 60)
    assert {c.id: counterexample(c, rng) for c in some} == dict.fromkeys(c.id for c in some)
