"""The evidence store: one file per claim and content key, written atomically, checked when read.

The file name holds the claim and the beginning of the key, the file the whole key and a checksum. A
record of another key is not found, one of another layout is passed over, and one that is damaged is an
error that says how to go on: evidence that was altered must not be used, and must not vanish without a
word.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rgm_verify.errors import InputError
from rgm_verify.jobs.files import set_aside
from rgm_verify.jobs.store import begins_with, installed, read_kept, write_kept

#: The layout of a file of the store.
FORMAT = "rgm-verify store 2"
#: So many characters of a key stand in the name of a file.
_NAMED = 24


class StoreError(InputError):
    """Evidence that cannot be read; the message names the file and the way out."""


class _OtherLayout(Exception):
    """A record that is whole, in the layout of another version."""


@dataclass(frozen=True)
class Store:
    """Evidence records below `folder`, keyed by claim id and content key."""

    folder: Path

    def path(self, claim_id: str, key: str) -> Path:
        """Return the file that keeps the record of a claim."""
        # A colon is not allowed in file names everywhere.
        return self.folder / "evidence" / f"{claim_id.replace(':', '=')}--{key[:_NAMED]}.json"

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

        Args:
            record: JSON data.
        """
        path = self.path(claim_id, key)
        write_kept(path, key, record, FORMAT)
        # After the new record is there: a run that is cut off here loses nothing.
        for old in path.parent.glob(f"{claim_id.replace(':', '=')}--" + "?" * _NAMED + ".json"):
            if old != path:
                old.unlink(missing_ok=True)

    def other_layouts(self) -> int:
        """Count the files that, by their first bytes, are not in the layout of this version: none of them is used."""
        return sum(not begins_with(path, FORMAT) for path in (self.folder / "evidence").glob("*.json"))

    def repair(self) -> list[Path]:
        """Set every damaged record aside (renamed to *.damaged) and return where they are now."""
        moved = []
        for path in sorted((self.folder / "evidence").glob("*.json")):
            try:
                _checked(path, None)
            # Another version may still want it, and a file that is gone needs no repair.
            except (_OtherLayout, FileNotFoundError):
                continue
            except StoreError:
                moved.append(set_aside(path))
        return moved


def _checked(path: Path, key: str | None) -> dict[str, Any]:
    """The record in a file, of this key unless that is None; `StoreError`, `_OtherLayout` or `FileNotFoundError`."""
    advice = "run again with --repair to set it aside"
    try:
        kept = read_kept(path, FORMAT)
    except InputError as error:
        raise StoreError(f"{error}; {advice}") from error
    # A record under the name of another key would be evidence about another statement.
    ours = not kept.in_layout or key in (None, kept.key)
    if not (ours and path.stem.endswith(f"--{kept.key[:_NAMED]}")):
        raise StoreError(f"{path}: the checksum does not match its content; {advice}")
    if not kept.in_layout:
        raise _OtherLayout
    return kept.record


def versions() -> dict[str, str]:
    """The versions of the libraries that evidence stands on."""
    return installed("mpmath", "numpy", "python-flint", "scipy", "sympy", "z3-solver")
