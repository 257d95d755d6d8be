"""The file `paper.toml` of a folder of claims: its title, its order, and the entries of its sources."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from rgm_verify.claims.fields import unprintable
from rgm_verify.claims.outcome.ledger import SourceEntry
from rgm_verify.errors import InputError
from rgm_verify.jobs.files import read_toml

__all__ = ["ClaimsFolderError", "about_sources", "read_paper_file", "sources_of"]


class ClaimsFolderError(InputError):
    """A claims folder that cannot be used as it is; the message names the file and what to change."""


def read_paper_file(
    folder: Path, files: Collection[str]
) -> tuple[str, tuple[str, ...], tuple[str, ...], Mapping[str, str], tuple[SourceEntry, ...], Mapping[str, str]]:
    """Title, inventory, order, the source of each entry, what the sources are, and the kinds of entries.

    `files` are those that the order may name. The inventory holds the entries of all sources.
    """
    data = read_toml(folder / "paper.toml")
    if data is None:
        return folder.name, (), (), {}, (), {}
    # A misspelt key would be a setting without effect.
    if surplus := sorted(set(data) - {"title", "inventory", "order", "sources", "kinds"}):
        raise ClaimsFolderError(
            f"paper.toml: {surplus[0]!r} is not known; allowed are title, inventory, order, sources and kinds"
        )
    title = data.get("title", folder.name)
    if not isinstance(title, str):
        raise ClaimsFolderError(f"paper.toml: title={title!r}: expected a text in quotes")
    inventory, order = _texts(data, "inventory"), _texts(data, "order")
    for name in order:
        if name not in files:
            close = get_close_matches(name, list(files), n=3, cutoff=0.5)
            hint = f"did you mean {' or '.join(close)}?" if close else "write the path of one below the folder"
            raise ClaimsFolderError(f"paper.toml: order names {name!r}, which is no file of claims here; {hint}")
    sources = sources_of(data, inventory)
    statements = (*inventory, *sources)
    return title, statements, order, sources, about_sources(data), _kinds(data, statements)


def sources_of(data: Mapping[str, object], inventory: Collection[str]) -> Mapping[str, str]:
    """The title of the source of each entry in the tables `[sources.NAME]`, in their order."""
    tables = data.get("sources", {})
    shown = "a table [sources.NAME] with a title and an inventory, and authors, note, provenance and links as you like"
    if not isinstance(tables, dict):
        raise ClaimsFolderError(f"paper.toml: sources={tables!r}: expected {shown}")
    found: dict[str, str] = {}
    for name, table in tables.items():
        fields = set(table) if isinstance(table, dict) else set()
        needed, allowed = {"title", "inventory"}, {"authors", "note", "provenance", "links"}
        if not needed <= fields <= needed | allowed or not isinstance(table["title"], str):
            raise ClaimsFolderError(f"paper.toml: sources.{name}: expected {shown}")
        for entry in _texts(table, "inventory"):
            # An entry of two sources would be counted twice.
            if entry in found or entry in inventory:
                raise ClaimsFolderError(f"paper.toml: sources.{name}: {entry!r} is an entry of another source as well")
            found[entry] = table["title"]
    return found


def _kinds(data: Mapping[str, object], inventory: Collection[str]) -> Mapping[str, str]:
    """Return the kind of each statement that the table `[kinds]` names, as in `theorem = ["T1", "T2"]`."""
    table = data.get("kinds", {})
    if not isinstance(table, dict):
        raise ClaimsFolderError(f"paper.toml: kinds={table!r}: expected a table [kinds] of lists, as in lemma = ['a']")
    found: dict[str, str] = {}
    for kind in table:
        for entry in _texts(table, kind):
            if entry in found or entry not in inventory:
                fault = "it has a kind already" if entry in found else "no entry of an inventory"
                raise ClaimsFolderError(f"paper.toml: kinds.{kind}: {entry!r}: {fault}")
            found[entry] = kind
    return found


def about_sources(data: Mapping[str, Any]) -> tuple[SourceEntry, ...]:
    """Read authors, notes and links of the sources.

    Raises `ClaimsFolderError` for a text that is none, and for a link that is not https.
    """
    found = []
    for name, table in data.get("sources", {}).items():
        for field_name in ("authors", "note", "provenance"):
            if not isinstance(text := table.get(field_name, ""), str):
                raise ClaimsFolderError(f"paper.toml: sources.{name}.{field_name}={text!r}: expected a text in quotes")
        links = table.get("links", {})
        if not isinstance(links, dict) or not all(isinstance(url, str) for url in links.values()):
            raise ClaimsFolderError(f"paper.toml: sources.{name}.links={links!r}: expected a table of addresses")
        # What a page links is opened by a click: an address that runs or reads something here is none.
        if odd := next((url for url in links.values() if not url.startswith("https://")), None):
            raise ClaimsFolderError(f"paper.toml: sources.{name}.links: {odd!r} does not begin with https://")
        found.append(
            SourceEntry(
                title=table["title"],
                authors=table.get("authors", ""),
                note=table.get("note", ""),
                provenance=table.get("provenance", ""),
                links=links,
            )
        )
    return tuple(found)


def _texts(data: Mapping[str, object], name: str) -> tuple[str, ...]:
    """Return a list of texts of `paper.toml`; raise `ClaimsFolderError` for anything else, and for a
    repetition.
    """
    found = data.get(name, [])
    if not isinstance(found, list) or not all(isinstance(item, str) for item in found):
        raise ClaimsFolderError(f"paper.toml: {name}={found!r}: expected a list of texts, as in {name} = ['a', 'b']")
    # Counts of printed statements would be wrong by it.
    twice = next((item for item in found if found.count(item) > 1), None)
    if twice is not None:
        raise ClaimsFolderError(f"paper.toml: {name} names {twice!r} twice; remove one")
    odd = next((item for item in (data.get("title"), *found) if isinstance(item, str) and unprintable(item)), None)
    if odd is not None:
        raise ClaimsFolderError(f"paper.toml: {odd!r} holds U+{unprintable(odd)}, which no page can show")
    return tuple(found)
