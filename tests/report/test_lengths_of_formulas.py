"""Formulas on the pages are about as long as what is printed: an author who expands one makes nobody read the paper."""

from __future__ import annotations

import re
import statistics
from pathlib import Path

from rgm_verify.claims.outcome.ledger import Ledger
from rgm_verify.claims.outcome.ledger_files import FOLDER, read_ledger

ROOT = Path(__file__).resolve().parents[2]
LONGEST_MEDIAN = 1
_LAYOUT = re.compile(
    r"\\(left|right|mathcal|mathrm|rm|bm|mathbf|text|,|;|!|big|Big|bigg|Bigg|quad|qquad|displaystyle|tfrac|dfrac)"
    r"(?![a-z])|[\s{}]"
)


def small(latex: str) -> str:
    """A formula without what only sets it: spaces, braces, sizes, fonts."""
    return _LAYOUT.sub("", latex)


def ratios(ledger: Ledger) -> dict[str, float]:
    """For each entry with a printed formula: the median length of the formulas that answer it, in lengths of that."""
    printed = {e.id: len(small(e.printed.formula)) for e in ledger.entries if e.printed and e.printed.formula}
    ours: dict[str, list[int]] = {}
    for claim in ledger.claims:
        for entry in claim.refs:
            if claim.formula:
                ours.setdefault(entry, []).append(len(small(claim.formula)))
    return {entry: statistics.median(ours[entry]) / length for entry, length in printed.items() if entry in ours}


def test_formulas_are_no_longer_than_as_printed_in_the_median() -> None:
    found = ratios(read_ledger(ROOT / "reports" / FOLDER))
    assert len(found) > 350
    assert statistics.median(found.values()) <= LONGEST_MEDIAN


def test_setting_does_not_count_and_letters_do() -> None:
    assert small(r"\left( \mathrm{a} + \frac{b}{c} \right)") == r"(a+\fracbc)"
    assert len(small(r"\rho_1 \le \eta^2")) == len(r"\rho_1\le\eta^2")
