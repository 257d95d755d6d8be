"""The numbers of the first screen are computed from the claims, and an error that is none is refused."""

from __future__ import annotations

import re
import sys
import tomllib
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
import sympy

from rgm_verify.claims.chapter import Erratum, Figure
from rgm_verify.claims.formula import substitute
from rgm_verify.claims.outcome.ledger_files import read_ledger
from rgm_verify.engine.discovery import load_part

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def five() -> ModuleType:
    """The file of the chapter, imported with the claims that it names."""
    load_part(ROOT / "derivations", {"@five-errors": "chapters/five_errors.py"})
    return next(module for name, module in sys.modules.items() if name.endswith(".chapters.five_errors"))


def test_the_committed_numbers_are_those_of_the_claims(five: ModuleType) -> None:
    committed = next(c for c in read_ledger(ROOT / "reports" / "ledger").chapters if c.id == "five-errors")
    errors = [block for block in committed.blocks if isinstance(block, Erratum)]
    assert [five.erratum(error) for error in five.errors()] == errors
    assert len(errors) == 5
    figure = next(block for block in committed.blocks if isinstance(block, Figure))
    assert five.picture() == figure


def test_a_point_where_the_statement_holds_is_refused(five: ModuleType) -> None:
    error = next(e for e in five.errors() if e.shown.id == "rgm-v1:theorem-1")
    with pytest.raises(ValueError, match="it does not fail at the point"):
        five.erratum(replace(error, at={**error.at, "alpha": "2"}))


def test_a_point_outside_of_the_hypotheses_is_refused(five: ModuleType) -> None:
    error = next(e for e in five.errors() if e.shown.id == "rgm-v1:theorem-1")
    with pytest.raises(ValueError, match="does not meet the hypotheses"):
        five.erratum(replace(error, at={**error.at, "alpha": "6"}))
    with pytest.raises(ValueError, match="the claim has"):
        five.erratum(replace(error, at={"alpha": "2"}))


def test_a_formula_of_the_first_screen_that_a_claim_does_not_have_is_refused(five: ModuleType) -> None:
    for error in five.errors():
        for shown in (error.printed, error.right):
            shown.compare()
            # As if the claim had another constant, or an event of another name.
            other = {
                part: r"P[\Delta>t]" if isinstance(value, str) else 2 * value for part, value in shown.judged.items()
            }
            with pytest.raises(ValueError, match="the claim has"):
                replace(shown, judged=other).compare()


def test_a_changed_claim_changes_the_first_screen_or_is_refused(
    five: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = five.utility.theorem
    without_dimension = substitute(right.conclusion, {five.symbol(right, "d"): sympy.Integer(1)})
    monkeypatch.setattr(five.utility, "theorem", replace(right, conclusion=without_dimension))
    with pytest.raises(ValueError, match="the claim has"):
        five.erratum(next(five.errors()))


def test_what_is_printed_stands_in_the_source(five: ModuleType) -> None:
    tables = {}
    for path in (ROOT / "derivations" / "printed").glob("*.toml"):
        tables |= {i: table["formula"] for i, table in tomllib.loads(path.read_text(encoding="utf-8")).items()}
    sources = "\n".join(map(letters, tables.values()))
    for error in five.errors():
        assert letters(error.printed.latex) in sources, error.name


def letters(latex: str) -> str:
    r"""LaTeX without what only sets it: `\left`, spaces, bars of either kind, braces, and one spelling of epsilon."""
    latex = re.sub(r"\\(left|right|,|mathrm|mathbb|!)|[{}\s]", "", latex)
    return latex.replace(r"\varepsilon", r"\epsilon")
