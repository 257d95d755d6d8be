"""Claims of known truth: nothing false is proved or certified, nothing true is refuted, and little is only supported.

`README.md` beside this file says how the corpora came about and what they scored first.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
import sympy

from rgm_verify.claims.formula import FormulaError, Relation
from rgm_verify.claims.outcome.verdict import Verdict
from rgm_verify.engine.discovery import Paper, load
from rgm_verify.engine.judge import run_claim
from rgm_verify.engine.outcome.assemble import judgements
from rgm_verify.errors import InputError
from rgm_verify.lenses.base import PROFILES, Context

from .corpus import FILES, REFUSED, folder_of, refused, section, textbook

HERE = Path(__file__).parent
#: False and ill-posed claims that nothing but points and searches has looked at, and that they do not tell from true.
SUPPORTED = frozenset(tomllib.loads((HERE / "supported.toml").read_text(encoding="utf-8"))["supported"])
MOST_SUPPORTED = 0.05
PROVED = (Verdict.PROVED, Verdict.CERTIFIED)


#: Textbook statements in the default style: a ratchet on a part of them, so that the test stays short.
PART = 4
LEAST_PROVED, LEAST_REFUTED = 0.75, 0.95


def verdicts(paper: Paper) -> dict[str, Verdict]:
    context = Context(profile=PROFILES["quick"], seed=20230830, claims=paper.claims)
    records = {i: run_claim(claim, context) for i, claim in paper.claims.items()}
    return {i: judgement.verdict for i, judgement in judgements(paper, records).items()}


def wrong(truth: str, verdict: Verdict) -> bool:
    return verdict is Verdict.REFUTED if truth == "true" else verdict in PROVED


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=lambda p: p.stem)
def test_no_verdict_is_wrong(file: Path, tmp_path: Path) -> None:
    paper = load(folder_of(file, tmp_path))
    found = verdicts(paper)
    truth = {i: claim.kind for i, claim in paper.claims.items()}
    assert set(truth.values()) <= {"true", "false", "ill-posed"}
    assert {i: v for i, v in found.items() if wrong(truth[i], v)} == {}
    supported = {i for i, v in found.items() if v is Verdict.SUPPORTED and truth[i] != "true"}
    assert supported <= SUPPORTED


def truths(file: Path) -> list[str]:
    """The truths of the claims of a file, without judging them."""
    return re.findall(r"^\s*(true|false|ill)\(", file.read_text(encoding="utf-8"), flags=re.MULTILINE)


def test_few_false_claims_are_left_supported() -> None:
    """The list is complete, because every file is compared with it; it may name claims that are decided by now."""
    others = [t for file in FILES for t in truths(file) if t != "true"]
    assert len(others) > 450
    assert len(SUPPORTED) <= MOST_SUPPORTED * len(others)


def test_there_are_enough_claims() -> None:
    """At least 400, a third of them by somebody who had not seen how the engine was mended."""
    blind = sum(len(truths(file)) for file in FILES if file.parent.name == "blind")
    every = sum(len(truths(file)) for file in FILES)
    assert every >= 700
    assert blind >= every / 3


@pytest.mark.parametrize("name", REFUSED)
def test_what_should_not_load_is_refused_with_its_file_or_does_no_harm(name: str, tmp_path: Path) -> None:
    assert re.match(r"true|false|no truth|no statement|ill-posed", REFUSED[name]["truth"])
    refusal, harm = "", []
    try:
        paper = load(refused(name, tmp_path))
        harm = [i for i, v in verdicts(paper).items() if wrong(paper.claims[i].kind, v)]
    except InputError as error:
        refusal = str(error)
    assert harm == []
    assert not refusal or f"{name}.py" in refusal or "own:" in refusal


@pytest.mark.slow
@pytest.mark.parametrize("corpus", ["blind", "own", "textbook"])
def test_the_truths_are_true_without_the_engine(corpus: str) -> None:
    """By mpmath at witnesses and at random points, on the SymPy trees; a false claim fails there, a true one holds."""
    found = subprocess.run(
        [sys.executable, "check_truth.py"], cwd=HERE / corpus, capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stdout[-3000:] + found.stderr[-3000:]


def test_a_sum_without_an_end_is_refused_by_name() -> None:
    """A stranger would type them, and a claim may not hold them: the message says so when they are read."""
    lines = section("fourth", "infinite")
    assert lines
    for line in lines:
        left, right = line.split("|")[2].split("<=" if "<=" in line else "==")
        symbols = {name: sympy.Symbol(name) for name in ("b", "k", "l", "t", "x")}
        with pytest.raises(FormulaError, match="oo is not a real number"):
            Relation(sympy.sympify(left, locals=symbols), "<=", sympy.sympify(right, locals=symbols))


@pytest.mark.slow
@pytest.mark.parametrize("half", ["tuned", "held"])
def test_a_strangers_claims_are_decided(half: str, tmp_path: Path) -> None:
    """Every fourth textbook statement, by default lenses; `textbook/score.py` judges all of them."""
    paper = load(textbook(half, tmp_path))
    some = dict(list(paper.claims.items())[::PART])
    context = Context(profile=PROFILES["quick"], seed=20230830, claims=some)
    part = replace(paper, claims=some)
    found = judgements(part, {i: run_claim(claim, context) for i, claim in some.items()})
    assert {i: j.verdict for i, j in found.items() if wrong(some[i].kind, j.verdict)} == {}
    true = [found[i].verdict for i, claim in some.items() if claim.kind == "true"]
    false = [found[i].verdict for i, claim in some.items() if claim.kind == "false"]
    assert sum(v in PROVED for v in true) >= LEAST_PROVED * len(true)
    assert sum(v is Verdict.REFUTED for v in false) >= LEAST_REFUTED * len(false)
