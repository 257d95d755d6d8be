"""Results kept in files: each is written whole, with its key, its layout and a checksum, and checked when read.

A checksum finds what a disk, a copy or an editor has damaged. It is none against forgery: whoever writes the file
writes its checksum. The key says what the record answers, so that a file under another name is not taken for an answer
to something else.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rgm_verify.errors import InputError
from rgm_verify.jobs.files import read_within, write_atomically

#: More bytes than this are not read.
MAXIMUM_BYTES = 500_000_000
_HEAD = 200


class Damaged(InputError):
    """A file that is half-written, or was altered; the message names it."""


@dataclass(frozen=True)
class Kept:
    """The content of a file whose checksum is right.

    Attributes:
        key: what the record is the answer to.
        record: the record itself, JSON data.
        in_layout: whether it was written in the layout that was asked for; another layout may lack what is new.
    """

    key: str
    record: dict[str, Any]
    in_layout: bool


def write_kept(path: Path, key: str, record: dict[str, Any], layout: str) -> None:
    """Keep a record of JSON data: the file appears complete or not at all.

    Args:
        path: the file to make or to replace.
        key: what the record answers.
        record: JSON data; every float as the shortest decimal that gives it back.
        layout: the name of the layout, which changes when the fields of records do.

    Raises:
        ValueError: for NaN and infinities, which JSON does not have.
        InputError: if it cannot be written.
    """
    content = {"format": layout, "key": key, "record": record}
    # The checksum and the format come first: `begins_with` looks at the head of the file alone.
    text = json.dumps({"checksum": _checksum(content), **content}, sort_keys=True, allow_nan=False)
    write_atomically(path, text.encode())


def read_kept(path: Path, layout: str) -> Kept:
    """Return what a file keeps; every byte that carries content is under its checksum.

    Args:
        path: a file of at most `MAXIMUM_BYTES`.
        layout: the layout asked for; a record in another one is returned too, and marked.

    Raises:
        Damaged: where it is not what was written.
        FileNotFoundError: where there is none.
        InputError: where it cannot be read.
    """
    data = read_within(path, MAXIMUM_BYTES)
    try:
        parsed = json.loads(data.decode())
        content = {name: value for name, value in parsed.items() if name != "checksum"}
        # Files without a format are of the first layout, whose checksum covers the record alone.
        covered = content["record"] if content.get("format") is None else content
        key, record = content["key"], content["record"]
        good = parsed["checksum"] == _checksum(covered) and isinstance(key, str) and isinstance(record, dict)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise Damaged(f"{path}: half-written or corrupted ({type(error).__name__})") from error
    if not good:
        raise Damaged(f"{path}: the checksum does not match its content")
    return Kept(key, record, content.get("format") == layout)


def begins_with(path: Path, layout: str) -> bool:
    """Return whether a file begins as a layout's do; true if it is missing or unreadable: `read_kept` says so.

    For a quick look at many files: only the first `_HEAD` bytes are read.
    """
    try:
        if not path.is_file():
            return True
        with path.open("rb") as stream:
            return f'"format": "{layout}"'.encode() in stream.read(_HEAD)
    except OSError:
        return True


def _checksum(content: object) -> str:
    """SHA-256 of the content as canonical JSON, so that it does not depend on spaces or the order of keys."""
    return hashlib.sha256(json.dumps(content, sort_keys=True, allow_nan=False).encode()).hexdigest()


def installed(*names: str) -> dict[str, str]:
    """Return the versions of libraries that are installed, by their names.

    Raises:
        importlib.metadata.PackageNotFoundError: for one that is not installed.
    """
    return {name: version(name) for name in names}
