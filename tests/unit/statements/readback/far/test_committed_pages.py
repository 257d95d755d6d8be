"""Every committed page that is read shows what is proved, and none still does with a relation turned around."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from rgm_verify.engine.kept_proofs import all_proofs
from rgm_verify.statements.readback.compare import AGREES, DIFFERS, all_compared, compared

ROOT = Path(__file__).resolve().parents[5]
LEDGER, CLAIMS = ROOT / "reports" / "ledger", ROOT / "derivations"
_TURNED = {r"\le": r"\ge ", r"\ge": r"\le ", "<": ">", ">": "<"}


@pytest.fixture(scope="module")
def found() -> Counter[str]:
    return Counter(one.outcome for one in all_compared(CLAIMS, LEDGER))


def test_no_page_shows_another_statement(found: Counter[str]) -> None:
    assert found[DIFFERS] == 0


def test_most_pages_are_read(found: Counter[str]) -> None:
    assert found.total() > 900
    assert found[AGREES] >= 0.8 * found.total()


def test_no_page_agrees_with_a_relation_turned_around() -> None:
    kept = all_proofs(CLAIMS)
    pages = [page for path in sorted(LEDGER.glob("rgm/**/*.json")) for page in json.loads(path.read_text())["claims"]]
    turned = [
        {**page, "formula": re.sub(r"\\[lg]e(?![a-z])|[<>]", lambda m: _TURNED[m[0]], page["formula"], count=1)}
        for page in pages
        if page["id"] in kept
    ]
    changed = [page for page, old in zip(turned, [p for p in pages if p["id"] in kept], strict=True) if page != old]
    assert len(changed) > 100
    assert not [p["id"] for p in changed if compared(p, kept[p["id"]]["statement"]).outcome == AGREES]
