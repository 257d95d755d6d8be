"""The evidence store: one file per claim and content key, written atomically, checked when read."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rgm_verify.errors import InputError
from rgm_verify.files import write_atomically


class StoreError(InputError):
    """Evidence that cannot be read; the message names the file and the way out."""


@dataclass(frozen=True)
class Store:
    """Evidence records below `folder`, keyed by claim id and content key."""

    folder: Path

    def path(self, claim_id: str, key: str) -> Path:
        """Where the record of a claim is kept."""
        return self.folder / "evidence" / f"{claim_id.replace(':', '=')}--{key[:24]}.json"

    def read(self, claim_id: str, key: str) -> dict[str, Any] | None:
        """The record, or None if there is none; `StoreError` if the file is damaged."""
        path = self.path(claim_id, key)
        try:
            text = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as error:
            raise StoreError(f"{path}: cannot be read ({error}); run again with --repair to set it aside") from error
        return _checked(path, text, key)

    def write(self, claim_id: str, key: str, record: dict[str, Any]) -> None:
        """Keep a record: the file appears complete or not at all; older records of the claim are removed after it.

        `InputError` if it cannot be written.
        """
        path = self.path(claim_id, key)
        body = json.dumps(record, sort_keys=True, allow_nan=False)
        text = json.dumps({"key": key, "checksum": _checksum(body), "record": record}, sort_keys=True, allow_nan=False)
        write_atomically(path, text.encode())
        for old in path.parent.glob(f"{claim_id.replace(':', '=')}--" + "?" * 24 + ".json"):
            if old != path:
                old.unlink(missing_ok=True)

    def repair(self) -> list[Path]:
        """Set every damaged record aside (renamed to *.damaged) and return where they are now."""
        moved = []
        for path in sorted((self.folder / "evidence").glob("*.json")):
            try:
                _checked(path, path.read_text(encoding="utf-8"), None)
            except (StoreError, UnicodeDecodeError):
                aside = path.with_suffix(".damaged")
                path.replace(aside)
                moved.append(aside)
        return moved


def _checked(path: Path, text: str, key: str | None) -> dict[str, Any]:
    advice = "run again with --repair to set it aside"
    try:
        data = json.loads(text)
        record = data["record"]
        good = data["checksum"] == _checksum(json.dumps(record, sort_keys=True, allow_nan=False))
        good = good and key in (None, data["key"]) and path.stem.endswith("--" + data["key"][:24])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise StoreError(f"{path}: half-written or corrupted evidence ({type(error).__name__}); {advice}") from error
    if not good or not isinstance(record, dict):
        raise StoreError(f"{path}: the checksum does not match its content; {advice}")
    return record


def _checksum(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()


def versions() -> dict[str, str]:
    """The versions of the libraries that evidence stands on."""
    from importlib.metadata import version

    return {name: version(name) for name in ("mpmath", "numpy", "python-flint", "scipy", "sympy", "z3-solver")}
