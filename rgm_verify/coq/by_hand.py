"""Theorems of Coq that are written by hand, where no proof of the kernel reaches: integrals, suprema, vectors.

A folder of claims keeps them in `coq/`. Each theorem names above it the claims that it stands for, as in
`(* proves: ID, ID *)`, or with `refutes` those whose negation it is. That it says what the claim says is for a reader
to see: here nothing is compared. What Coq accepted is recorded beside the files, by their digest.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path

from rgm_verify.errors import InputError
from rgm_verify.jobs.files import read_within, write_atomically

#: The folder below a folder of claims, the module's name in Coq, and the record of what was accepted.
FOLDER, LIBRARY, RECORD = "coq", "RgmByHand", "accepted.json"
FORMAT = "rgm-verify theorems by hand 1"
_MOST_BYTES = 1_000_000
_THEOREM = re.compile(
    r"^(?:\(\* (proves|refutes): ([^*\n]+) \*\)\n)?Theorem (\w+)(.*?)\nProof\.", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True)
class Theorem:
    """A theorem by hand.

    Attributes:
        name: Its name in Coq.
        module: The file that has it, without its ending.
        claims: Ids of the claims that it stands for.
        refutes: Whether it shows that they are false.
        text: The statement, as Coq reads it.
    """

    name: str
    module: str
    claims: tuple[str, ...]
    refutes: bool
    text: str


@dataclass(frozen=True)
class ByHand:
    """The theorems of a folder of claims.

    Attributes:
        files: The text of each file, by its name.
        theorems: The theorems, by file and in order.
    """

    files: Mapping[str, str]
    theorems: tuple[Theorem, ...]

    @property
    def digest(self) -> str:
        """The digest of all files: they use each other."""
        parts = [part for name, text in sorted(self.files.items()) for part in (name, text)]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def written(self) -> dict[str, str]:
        """Return what Coq is given, by path: the files, and one that prints the axioms of the theorems."""
        if not self.theorems:
            return {}
        lines = [f"From {LIBRARY} Require {m}." for m in dict.fromkeys(t.module for t in self.theorems)]
        # Of all at once: for each, Coq would go through its real numbers again.
        used = "".join(f" let _ := {LIBRARY}.{t.module}.{t.name} in" for t in self.theorems)
        lines += [f"Definition by_hand : unit :={used} tt.", "Print Assumptions by_hand."]
        found = {f"by_hand/{name}": text for name, text in self.files.items()}
        return found | {"assumptions_by_hand.v": "".join(f"{line}\n" for line in lines)}

    def accepted(self, files: AbstractSet[str]) -> tuple[Theorem, ...]:
        """Return the theorems in accepted files, these by path below the folder that Coq was given."""
        return tuple(t for t in self.theorems if f"by_hand/{t.module}.v" in files)


def read_by_hand(claims: Path) -> ByHand:
    """Return the theorems by hand of a folder of claims; none where it keeps none.

    Args:
        claims: The folder.

    Raises:
        InputError: for a theorem without the claims that it stands for, and for a file that is no text.
    """
    paths = sorted((claims / FOLDER).glob("*.v"))
    files = {}
    for path in paths:
        try:
            files[path.name] = read_within(path, _MOST_BYTES).decode()
        except UnicodeDecodeError as error:
            raise InputError(f"{path}: it is no text ({error.reason} at byte {error.start})") from error
    found: list[Theorem] = []
    for path in paths:
        for verb, ids, name, rest in _THEOREM.findall(files[path.name]):
            if not ids:
                raise InputError(f"{path}: theorem {name} names no claim; (* proves: ID *) belongs above it")
            stands_for = tuple(part.strip() for part in ids.split(","))
            found.append(Theorem(name, path.stem, stands_for, verb == "refutes", f"Theorem {name}{rest}"))
    return ByHand(files, tuple(found))


def record(claims: Path, by_hand: ByHand, version: str) -> None:
    """Record that Coq accepts the files as they are; where that is recorded already, nothing is written.

    Args:
        claims: The folder of claims.
        by_hand: Its theorems.
        version: What `coqc --version` says.
    """
    if recorded(claims, by_hand) is None:
        known = {"format": FORMAT, "coq": version, "digest": by_hand.digest}
        write_atomically(claims / FOLDER / RECORD, f"{json.dumps(known, indent=1)}\n".encode())


def recorded(claims: Path, by_hand: ByHand) -> str | None:
    """Return the version of Coq that accepted the files as they are, None if it is not known that one did.

    Args:
        claims: The folder of claims.
        by_hand: Its theorems.
    """
    try:
        known = json.loads(read_within(claims / FOLDER / RECORD, _MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return None
    fits = isinstance(known, dict) and known.get("format") == FORMAT and known.get("digest") == by_hand.digest
    return str(known["coq"]) if fits and "coq" in known else None


def withdraw(claims: Path) -> None:
    """Take the record away: Coq refuses what it vouched for."""
    (claims / FOLDER / RECORD).unlink(missing_ok=True)
