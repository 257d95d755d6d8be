"""The record of the comparison of private estimators, which `nox -s compare` writes, with its digest."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from rgm_verify.errors import InputError
from rgm_verify.jobs.files import write_atomically

FILE = Path(__file__).parent / "comparison.json"
EPSILONS, DELTA, SEEDS = ("0.1", "1", "5"), "1e-6", 10
PEER, EXACT = "diffprivlib", "not private"


class Row(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The scores of one method on one data set, a seed each; None where it failed. `epsilon` is empty without privacy."""

    task: str
    data: str
    records: int
    features: int
    epsilon: str
    method: str
    scores: list[float | None]


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All rows, and the SHA-256 of them as they are written."""

    sha256: str
    rows: list[Row]


def digest(rows: Sequence[Row]) -> str:
    """Return the SHA-256 of rows as JSON."""
    return hashlib.sha256(msgspec.json.encode(rows)).hexdigest()


def read() -> tuple[Row, ...]:
    """Return all rows; `InputError` where they are not those of their digest."""
    found = msgspec.json.decode(FILE.read_bytes(), type=Record)
    if digest(found.rows) != found.sha256:
        raise InputError(f"{FILE.name}: its rows are not those of its digest; run nox -s compare -- --again")
    return tuple(found.rows)


def write(rows: Sequence[Row]) -> None:
    """Write rows with their digest, a row a line, in a fixed order."""
    ordered = sorted(rows, key=lambda r: (r.task, r.data, r.epsilon, r.method))
    lines = ",\n".join(msgspec.json.encode(row).decode() for row in ordered)
    write_atomically(FILE, f'{{"sha256":"{digest(ordered)}","rows":[\n{lines}\n]}}\n'.encode())
