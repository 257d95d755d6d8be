"""Proofs as they are kept: read from files, checked by the kernel, and put into words, without SymPy.

A folder of claims keeps its proofs in `proofs/`, one file for each file of claims. What is here knows no claim: it says
whether the kernel accepts a document, and what the document states. Whether that is what a claim states now is for
`rgm_verify.engine.proofs`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from rgm_verify.balls.replaying.statement import formula_text
from rgm_verify.errors import InputError
from rgm_verify.jobs.files import read_within
from rgm_verify.kernel.check import check
from rgm_verify.kernel.terms import Refused

FOLDER = "proofs"
FORMAT = "rgm-verify proofs 1"
# A file is read whole, and what a stranger sends must not fill the memory.
MOST_BYTES = 64_000_000


def path_of(folder: Path, claims_file: str) -> Path:
    """Return where the proofs of a file of claims are kept.

    Args:
        folder: The folder of claims.
        claims_file: The path of a file of claims below it.

    Examples:
        >>> path_of(Path("derivations"), "rgm/theorem_1.py").as_posix()
        'derivations/proofs/rgm/theorem_1.json'
    """
    return folder / FOLDER / PurePosixPath(claims_file).with_suffix(".json")


def read_proofs(path: Path) -> dict[str, Any]:
    """Return the proofs in a file by claim, {} if there is none; raises `InputError` for another content.

    Args:
        path: The file.
    """
    try:
        data = json.loads(read_within(path, MOST_BYTES))
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: it is no JSON ({error}); delete it and run `prove` again") from error
    proofs = data.get("proofs") if isinstance(data, dict) and data.get("format") == FORMAT else None
    if not isinstance(proofs, dict):
        raise InputError(f"{path}: expected format={FORMAT!r} and an object `proofs`; delete it and run `prove` again")
    return proofs


def all_proofs(folder: Path) -> dict[str, Any]:
    """Return the proofs of all readable files below a folder of claims: a claim may have moved to another file."""
    return read_all(folder)[0]


def broken(folder: Path) -> dict[Path, str]:
    """Return the files below a folder of claims that should hold proofs and cannot be read, each with the reason."""
    return read_all(folder)[1]


def read_all(folder: Path) -> tuple[dict[str, Any], dict[Path, str]]:
    """Return the proofs of a folder by claim, and why files cannot be read."""
    found: dict[str, Any] = {}
    faults = {}
    for path in sorted((folder / FOLDER).rglob("*.json")):
        try:
            found |= read_proofs(path)
        except InputError as error:
            faults[path] = str(error).removeprefix(f"{path}: ")
    return found, faults


def count_steps(proof: Any) -> int:
    """Return the number of steps of a checked proof, nested ones included."""
    total = 0
    for step in proof:
        total += 1
        inner = {"have": step[2:3], "use": step[3:4], "mean": step[6:7], "each": step[1:2]}.get(step[0], [])
        nested = [*inner] if step[0] != "each" else [p for proofs in inner for p in proofs]
        if step[0] == "cases":
            nested = list(step[2])
        total += sum(count_steps(part) for part in nested)
    return total


@dataclass(frozen=True)
class Replayed:
    """The kernel's answer about one document: `reason` is empty where it checks.

    Attributes:
        claim: The id that the document bears.
        statement: The statement in words and infix.
        premises: The statements of the premises that were used.
        steps: The number of steps.
        reason: The refusal, or an empty text.
    """

    claim: str
    statement: str
    premises: dict[str, str]
    steps: int
    reason: str = ""


def is_proofs(path: Path) -> bool:
    """Return whether a file holds proofs: one document, or the proofs of a file of claims."""
    with path.open("rb") as stream:
        return b'"rgm-verify proof' in stream.read(4096)


def answer(name: str, proof: Any) -> Replayed:
    """Return what the kernel says of one document."""
    try:
        used = check(proof)
    except Refused as error:
        return Replayed(name, "", {}, 0, str(error))
    claim = str(proof["claim"])
    try:
        premises = {premise: statement_text(proof["premises"][premise]) for premise in used}
        return Replayed(claim, statement_text(proof["statement"]), premises, count_steps(proof["proof"]))
    except RecursionError:
        return Replayed(claim, "", {}, 0, "the statement is nested too deeply to be shown")


def statement_text(stated: Mapping[str, Any]) -> str:
    """Return a statement in words and infix."""
    domains = [relation for _, _, domain in stated["variables"] for relation in domain]
    given = ", ".join(map(formula_text, (*domains, *stated["hypotheses"])))
    names = ", ".join(name for name, _, _ in stated["variables"])
    exists = stated["quantifier"] == "exists"
    start = f"there are {names}" if exists else f"for all {names}"
    where = f" with {given}" if given else ""
    return (f"{start}{where}{' and ' if given and exists else ' such that ' if exists else ': '}" if names else "") + (
        formula_text(stated["conclusion"])
    )
