"""The index of claims that the page of all claims searches and filters in the browser: a script that holds data."""

from __future__ import annotations

import json
from typing import Any

from rgm_verify.claims.outcome.checkers import CHECKERS, checked_by
from rgm_verify.claims.outcome.ledger import ClaimEntry, Ledger
from rgm_verify.report import order
from rgm_verify.report.markdown.division import Pages
from rgm_verify.report.texts.readable import readable

__all__ = ["FILTERS", "filters", "index"]

#: The properties that the page filters by besides the verdict: the column of the index, and the word for it.
FILTERS = {
    "source": "Source",
    "section": "Section",
    "category": "Mistake",
    "kind": "Kind",
    "scope": "How much is checked",
    "checked": "Checked by",
}


def index(ledger: Ledger) -> bytes:
    """Return a script that sets `claims` to the rows of all claims, each with the columns that `columns` names.

    It is a script and no JSON file, because a page that is opened from a folder may not read files.
    The columns are those of `FILTERS` and what a row shows: file, id, title, verdict, where, refs, words.
    """
    rows = _rows(ledger)
    columns = list(rows[0]) if rows else []
    # Rows without the names of their columns: a thousand rows would repeat them.
    values = [[row[name] for name in columns] for row in rows]
    lines = ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in values)
    return f'"use strict";\nconst columns = {json.dumps(columns)};\nconst claims = [\n{lines}\n];\n'.encode()


def filters(ledger: Ledger) -> dict[str, list[tuple[str, str, int]]]:
    """Return for every filter its choices: the value, the words for it, and how many claims it leaves.

    A claim without a value, such as one that is right and so has no kind of mistake, is left by no choice.

    Returns:
        The filters in the order of `FILTERS`, with the choices as a reader meets them.
    """
    rows = _rows(ledger)
    titles = {page.name: page.title for page in Pages(ledger)}
    found = {}
    for name in FILTERS:
        counts: dict[str, int] = {}
        for row in rows:
            counts[row[name]] = counts.get(row[name], 0) + 1
        # An empty value is no choice.
        listed = [value for value in _order(name, list(counts)) if value]
        found[name] = [(value, titles.get(value, value), counts[value]) for value in listed]
    return found


def _order(name: str, values: list[str]) -> list[str]:
    """Return the choices of a filter: sources and sections as the ledger has them, others by rank or name.

    A choice that no claim has is left out: it would lead to an empty list.
    """
    if name in ("source", "section"):
        return values
    known = {"scope": list(order.SCOPE_NAMES.values()), "checked": list(CHECKERS)}.get(name)
    return [value for value in known if value in values] if known is not None else sorted(values)


def _rows(ledger: Ledger) -> list[dict[str, Any]]:
    """Return the row of every claim, sections in reading order."""
    return [_row(claim, page.name) for page in Pages(ledger) for claim in order.in_order(page.claims)]


def _row(claim: ClaimEntry, section: str) -> dict[str, str]:
    """Return what one claim shows, is filtered by and is found by.

    Formulas are text in a line here: whoever searches types letters and no LaTeX.
    """
    file = order.slug(claim.id)
    return {
        # The script makes most names itself, which keeps the index a tenth shorter.
        "file": "" if file == claim.id.replace(":", "--") else file,
        "id": claim.id,
        "title": readable(claim.title),
        "verdict": claim.verdict,
        "source": claim.source,
        "section": section,
        "where": claim.where,
        "kind": claim.kind,
        "category": claim.category,
        "scope": order.SCOPE_NAMES[claim.scope],
        "checked": checked_by(claim),
        "refs": ", ".join(claim.refs),
        "words": readable(claim.statement),
    }
