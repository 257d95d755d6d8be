"""A ledger as a folder: `index.json`, and beside it one file for each file of claims, so that a change is a short diff.

Each file carries a digest of its content, and the index those of all the others: what is damaged, missing, altered, or
left from another ledger is refused by name. Layout is free.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from rgm_verify.claims.chapter import ChapterEntry
from rgm_verify.claims.outcome.ledger import (
    FORMAT,
    MAXIMUM_BYTES,
    ClaimEntry,
    Document,
    EntryVerdict,
    Ledger,
    LedgerError,
    LedgerFile,
    SourceEntry,
    TheoremEntry,
    decode,
    digest,
    seal,
    unseal,
)
from rgm_verify.errors import InputError
from rgm_verify.jobs.files import read_within

#: The folder of a ledger in a report, and its index.
FOLDER, INDEX = "ledger", "index.json"
INDEX_FORMAT, PART_FORMAT = f"{FORMAT}, index", f"{FORMAT}, claims of a file"
_REMEDY = "take the whole folder from where it was right, or let `rgm-verify report` write it anew"


class ClaimsOfFile(msgspec.Struct, kw_only=True, frozen=True):
    """Ids of claims that follow each other in the ledger and stand in one file of the claims folder."""

    file: str
    ids: list[str]


class IndexFile(msgspec.Struct, kw_only=True, frozen=True):
    """Everything of a ledger but the claims, and where these are."""

    format: str
    title: str
    profile: str
    versions: dict[str, str]
    counts: dict[str, int]
    claims: list[ClaimsOfFile]
    """The ids of all claims in the order of the ledger."""
    entries: list[EntryVerdict]
    chapters: list[ChapterEntry]
    theorems: list[TheoremEntry]
    sources: list[SourceEntry] = []
    files: dict[str, str]
    """The names of the other files below the folder, each with the `sha256` that stands in it."""
    sha256: str = ""
    """Of its canonical JSON (sorted keys, no spaces) with this field empty."""


class PartFile(msgspec.Struct, kw_only=True, frozen=True):
    """The claims of one file of the claims folder, in the order of the ledger."""

    format: str
    file: str
    claims: list[ClaimEntry]
    sha256: str = ""
    """Of its canonical JSON (sorted keys, no spaces) with this field empty."""


def encode_files(ledger: Ledger) -> dict[str, bytes]:
    """The files of a ledger by their names below its folder: the same ledger gives the same bytes.

    Returns:
        The bytes of `index.json` and of one file for each file of claims.

    Raises:
        LedgerError: For a claim whose file has no path below a folder.
    """
    parts = {
        part_name(file): PartFile(format=PART_FORMAT, file=file, claims=[c for c in ledger.claims if c.file == file])
        for file in dict.fromkeys(c.file for c in ledger.claims)
    }
    index = IndexFile(
        format=INDEX_FORMAT,
        title=ledger.title,
        profile=ledger.profile,
        versions=ledger.versions,
        counts=ledger.counts,
        claims=[
            ClaimsOfFile(file=file, ids=[c.id for c in claims])
            # Runs and not sets: claims of one file may be apart in the ledger's order.
            for file, claims in groupby(ledger.claims, key=lambda c: c.file)
        ],
        entries=ledger.entries,
        chapters=ledger.chapters,
        theorems=ledger.theorems,
        sources=ledger.sources,
        # The index names the content of each part: parts of two ledgers cannot be mixed.
        files={name: digest(part) for name, part in parts.items()},
    )
    return {INDEX: seal(index), **{name: seal(part) for name, part in parts.items()}}


def part_name(file: str) -> str:
    """The name of the file, below the folder of a ledger, that holds the claims of `file`.

    Raises:
        LedgerError: For a path that leads out of the folder, or is written in an odd way.

    Examples:
        >>> part_name("rgm/theorem_1.py")
        'rgm/theorem_1.py.json'
        >>> part_name("../secret.py")
        Traceback (most recent call last):
        rgm_verify.claims.outcome.ledger.LedgerError: file='../secret.py': not the path of a file ...
    """
    path = PurePosixPath(file)
    # A ledger is data of others: a name in it must not lead out of the folder, on any system.
    odd = path.is_absolute() or "\\" in file or not file.isprintable() or path.as_posix() != file
    if odd or not path.parts or ".." in path.parts:
        raise LedgerError(f"file={file!r}: not the path of a file below a folder of claims")
    return f"{file}.json"


def read_ledger(folder: Path) -> Ledger:
    """Read the ledger that lies in a folder; `LedgerError` names the file that is wrong, and what to do.

    What is returned is what was written, as a whole: a part that is missing, altered, left over or of another ledger is
    refused.

    Args:
        folder: The folder with `index.json`.

    Raises:
        FileNotFoundError: Where there is none.
        EarlierLedger: Where only one of an earlier version stands beside it.
        LedgerError: For anything else than a whole ledger.
    """
    index = _index_of(folder)
    # A file that the index does not know would be seen by people and by search, and by nobody here.
    if surplus := sorted(set(_names(folder)) - {INDEX, *index.files}):
        raise LedgerError(f"{folder / surplus[0]}: the index does not name it, so it is of another ledger; {_REMEDY}")
    claims = {name: iter(_part(folder, name, index).claims) for name in index.files}
    ordered = [next(claims[part_name(run.file)], None) for run in index.claims for _ in run.ids]
    ids = [i for run in index.claims for i in run.ids]
    # Both ways: a claim that the index does not list, and one that no file holds.
    if [c.id if c else "" for c in ordered] != ids or any(next(rest, None) for rest in claims.values()):
        raise LedgerError(f"{folder / INDEX}: it lists other claims than its files hold; {_REMEDY}")
    return _ledger(index, [claim for claim in ordered if claim is not None], index.chapters)


def read_one(folder: Path, claim_id: str) -> Ledger | None:
    """Read the ledger of one claim from that in a folder, None if it has none of this id; raises as `read_ledger` does.

    Only the index and the file of the claim are looked at. Statements are all there; chapters are left out.
    """
    index = _index_of(folder)
    names = [part_name(run.file) for run in index.claims if claim_id in run.ids]
    found = [c for name in names for c in _part(folder, name, index).claims if c.id == claim_id]
    return _ledger(index, found, []) if found else None


def ids_in(folder: Path) -> list[str]:
    """The ids of all claims of the ledger in a folder; only its index is read, and it raises as `read_ledger` does."""
    return [i for run in _index_of(folder).claims for i in run.ids]


def _ledger(index: IndexFile, claims: list[ClaimEntry], chapters: list[ChapterEntry]) -> Ledger:
    """Return a ledger of some claims and chapters, with all else from an index."""
    return Ledger(
        format=FORMAT,
        title=index.title,
        profile=index.profile,
        versions=index.versions,
        counts=index.counts,
        claims=claims,
        entries=index.entries,
        chapters=chapters,
        theorems=index.theorems,
        sources=index.sources,
    )


def _names(folder: Path) -> Iterator[str]:
    """The files below the folder of a ledger that take part in it."""
    found = (path.relative_to(folder) for path in folder.rglob("*.json") if path.is_file())
    # Hidden files are those of editors and of version control.
    return (path.as_posix() for path in found if not any(part.startswith(".") for part in path.parts))


def _index_of(folder: Path) -> IndexFile:
    """Return the index of a folder, checked by its digest.

    Raises:
        FileNotFoundError: Where there is no ledger at all.
        LedgerError: For a damaged index, and for parts without one.
    """
    path = folder / INDEX
    try:
        data = read_within(path, MAXIMUM_BYTES)
    except FileNotFoundError:
        before = folder.with_name(f"{folder.name}.json")  # where earlier versions kept it
        if before.is_file():
            decode(read_within(before, MAXIMUM_BYTES), name=str(before))
        # Without its index a ledger is damaged; without any file there is none, which is no fault.
        if folder.is_dir() and any(_names(folder)):
            raise LedgerError(f"{path}: missing, although there are files that it should name; {_REMEDY}") from None
        raise
    except InputError as error:
        raise LedgerError(f"{error}; {_REMEDY}") from error
    return _unsealed(data, IndexFile, INDEX_FORMAT, path)


def _part(folder: Path, name: str, index: IndexFile) -> PartFile:
    """Return the claims of one file, checked by its own digest and by the one that the index names."""
    path = folder / name
    # The name comes from a file, and a path is made of it: only names that the index has twice are read.
    if name not in index.files or name not in {part_name(run.file) for run in index.claims}:
        raise LedgerError(f"{folder / INDEX}: it names {name!r} in one place only; {_REMEDY}")
    try:
        data = read_within(path, MAXIMUM_BYTES)
    except FileNotFoundError:
        raise LedgerError(f"{path}: missing; {_REMEDY}") from None
    except InputError as error:
        raise LedgerError(f"{error}; {_REMEDY}") from error
    part = _unsealed(data, PartFile, PART_FORMAT, path)
    if part.sha256 != index.files[name] or part_name(part.file) != name:
        raise LedgerError(f"{path}: of another ledger than {INDEX}: its sha256 is not the one named there; {_REMEDY}")
    return part


def _unsealed(data: bytes, kind: type[Document], wanted: str, path: Path) -> Document:
    """Read a sealed document, with what to do in the message of every error."""
    try:
        return unseal(data, kind, wanted, name=str(path))
    except LedgerError as error:
        raise type(error)(f"{error}; {_REMEDY}") from error


def schema() -> dict[str, Any]:
    """JSON Schema of the files of a ledger, and of a whole one; the same in every version of Python."""
    kinds = (IndexFile, PartFile, LedgerFile)
    found, components = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    for definition in components.values():
        if "description" in definition:
            # Python 3.13 cleans docstrings by itself, and the schema has to be the same everywhere.
            definition["description"] = inspect.cleandoc(definition["description"])
    return {"anyOf": list(found), "$defs": components}
