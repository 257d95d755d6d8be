"""The evidence store: one file per claim and content key, written atomically, checked when read."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rgm_verify.errors import InputError
from rgm_verify.jobs.files import read_within, set_aside, write_atomically

#: The layout of a file of the store. Files without such a field are of the first one.
FORMAT = "rgm-verify store 2"
#: More bytes than this are not read.
MAXIMUM_BYTES = 500_000_000
_HEAD = 200


class StoreError(InputError):
    """Evidence that cannot be read; the message names the file and the way out."""


class _OtherLayout(Exception):
    """A record that is whole, in the layout of another version."""


@dataclass(frozen=True)
class Store:
    """Evidence records below `folder`, keyed by claim id and content key."""

    folder: Path

    def path(self, claim_id: str, key: str) -> Path:
        """Where the record of a claim is kept."""
        return self.folder / "evidence" / f"{claim_id.replace(':', '=')}--{key[:24]}.json"

    def read(self, claim_id: str, key: str) -> dict[str, Any] | None:
        """The record, or None if there is none in the layout of this version.

        `StoreError` if the file is damaged: every byte that carries content is under its checksum.
        """
        path = self.path(claim_id, key)
        try:
            return _checked(path, key)
        except (FileNotFoundError, _OtherLayout):
            return None

    def write(self, claim_id: str, key: str, record: dict[str, Any]) -> None:
        """Keep a record: the file appears complete or not at all; older records of the claim are removed after it.

        `InputError` if it cannot be written.
        """
        path = self.path(claim_id, key)
        content = {"format": FORMAT, "key": key, "record": record}
        # The checksum and the format come first: `other_layouts` looks at the head of the file alone.
        text = json.dumps({"checksum": _checksum(content), **content}, sort_keys=True, allow_nan=False)
        write_atomically(path, text.encode())
        for old in path.parent.glob(f"{claim_id.replace(':', '=')}--" + "?" * 24 + ".json"):
            if old != path:
                old.unlink(missing_ok=True)

    def other_layouts(self) -> int:
        """Count the files that, by their first bytes, are not in the layout of this version: none of them is used."""
        return sum(not _has_our_head(path) for path in (self.folder / "evidence").glob("*.json"))

    def repair(self) -> list[Path]:
        """Set every damaged record aside (renamed to *.damaged) and return where they are now."""
        moved = []
        for path in sorted((self.folder / "evidence").glob("*.json")):
            try:
                _checked(path, None)
            except (_OtherLayout, FileNotFoundError):
                continue
            except StoreError:
                moved.append(set_aside(path))
        return moved


def _has_our_head(path: Path) -> bool:
    try:
        if not path.is_file():
            return True  # `read` says what is wrong with it
        with path.open("rb") as stream:
            return f'"format": "{FORMAT}"'.encode() in stream.read(_HEAD)
    except OSError:
        return True


def _checked(path: Path, key: str | None) -> dict[str, Any]:
    """The record in a file, of this key unless that is None; `StoreError`, `_OtherLayout` or `FileNotFoundError`."""
    advice = "run again with --repair to set it aside"
    try:
        data = json.loads(read_within(path, MAXIMUM_BYTES).decode())
        content = {name: value for name, value in data.items() if name != "checksum"}
        first = content.get("format") is None
        good = data["checksum"] == _checksum(content["record"] if first else content)
        good = good and path.stem.endswith("--" + content["key"][:24]) and isinstance(content["record"], dict)
        ours = content.get("format") == FORMAT
        good = good and (not ours or key in (None, content["key"]))
    except InputError as error:
        raise StoreError(f"{error}; {advice}") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise StoreError(f"{path}: half-written or corrupted evidence ({type(error).__name__}); {advice}") from error
    if not good:
        raise StoreError(f"{path}: the checksum does not match its content; {advice}")
    if not ours:
        raise _OtherLayout
    record: dict[str, Any] = content["record"]
    return record


def _checksum(content: object) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True, allow_nan=False).encode()).hexdigest()


def versions() -> dict[str, str]:
    """The versions of the libraries that evidence stands on."""
    from importlib.metadata import version

    return {name: version(name) for name in ("mpmath", "numpy", "python-flint", "scipy", "sympy", "z3-solver")}
