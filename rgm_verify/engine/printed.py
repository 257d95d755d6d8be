r"""What the sources print for each statement of the inventory: their own formulas, as data beside the claims.

A folder of claims may have a folder `printed` with TOML files, in which each statement has a table:

    [A02]
    place = "Section 1, after (2)"
    formula = '''\sigma^2 = \frac{\alpha R^2}{2\varepsilon}'''

`formula` is LaTeX as the source has it, and is empty where the source has words only. `note` tells of doubts about the
text of the source itself. `links` names those of the source's links under which it stands; all of them without it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import msgspec

from rgm_verify.claims.outcome.ledger import PrintedEntry, SourceEntry
from rgm_verify.engine.importing import Refusal
from rgm_verify.errors import InputError
from rgm_verify.jobs.files import read_toml

FOLDER = "printed"
_SHOWN = "[ID] with a place and a formula (empty where the source has words only), and a note and links as you like"


class _Table(msgspec.Struct, forbid_unknown_fields=True):
    """A table as it is written."""

    place: str
    formula: str
    note: str = ""
    links: list[str] | None = None


def read_printed(
    folder: Path, titles: Mapping[str, str], sources: Collection[SourceEntry], known: Collection[str]
) -> tuple[dict[str, PrintedEntry], list[Refusal]]:
    """Read what is printed for each statement, and refuse what cannot be used, each statement by itself.

    Args:
        folder: The folder of claims.
        titles: The title of the source of each statement.
        sources: The sources, for their links.
        known: The ids of all statements.

    Returns:
        What is printed by id, and what is refused.
    """
    found: dict[str, PrintedEntry] = {}
    refused: list[Refusal] = []
    links = {source.title: source.links for source in sources}
    for path in sorted((folder / FOLDER).glob("*.toml")):
        name = f"{FOLDER}/{path.name}"
        try:
            tables = read_toml(path) or {}
        except InputError as error:
            refused.append(Refusal(name, str(error).removeprefix(f"{path.name}: ")))
            continue
        for identifier, table in tables.items():
            if identifier not in known:
                refused.append(Refusal(name, f"{identifier}: no statement of the inventory, and no claim answers it"))
            elif identifier in found:
                refused.append(Refusal(name, f"{identifier}: it has a table already; keep one"))
            else:
                try:
                    found[identifier] = _entry(table, links.get(titles.get(identifier, ""), {}))
                except InputError as error:
                    refused.append(Refusal(name, f"{identifier}: {error}"))
    return found, refused


def _entry(table: Any, links: Mapping[str, str]) -> PrintedEntry:
    """Return one statement; raise `InputError` for a table of another form, and for a link that its source lacks."""
    try:
        read = msgspec.convert(table, _Table)
    except msgspec.ValidationError as error:
        raise InputError(f"{error}; expected a table {_SHOWN}") from error
    if odd := next((one for one in read.links or () if one not in links), None):
        raise InputError(f"links names {odd!r}, which its source does not have; it has {', '.join(links) or 'none'}")
    chosen = links if read.links is None else {one: links[one] for one in read.links}
    return PrintedEntry(place=read.place, formula=read.formula.strip(), note=read.note, links=dict(chosen))
