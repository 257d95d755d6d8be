"""The numbers of the first screen are computed from the claims, and an error that is none is refused."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from rgm_verify.claims.chapter import Erratum, Figure
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
