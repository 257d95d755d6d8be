"""What else checked the kept proofs: Coq, as theorems, and the reader of what pages show. A record beside the claims.

Both take minutes or seconds that no run should wait for, and Coq is not everywhere. `prove --coq FOLDER --accept` and
`replay --accept` write what they found, each claim with a digest of what was checked: where a proof, Coq's theory or a
page is another one now, its line counts for nothing. The record is a memory: whoever wants to know runs the commands.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from rgm_verify.coq.pages import THEORY
from rgm_verify.errors import InputError
from rgm_verify.jobs.files import read_within, write_atomically

__all__ = ["FILE", "SecondChecks", "page_digest", "proof_digest", "read_checks", "write_checks"]

FILE = "second_checks.json"
MAXIMUM_BYTES = 20_000_000
#: What of a page is its statement; of variables, names and hypotheses the fields that are LaTeX.
_SHOWN = {"variables": ("latex", "domain"), "names": ("latex", "value"), "hypotheses": ("latex",)}


@dataclass(frozen=True)
class SecondChecks:
    """The record.

    Attributes:
        coq: Claims whose proof Coq accepts as a theorem: the digest, and behind a blank what the theorem rests on
            besides, `interval` or `premises`.
        pages: Claims whose page shows what is proved, with the digest.
    """

    coq: Mapping[str, str] = field(default_factory=dict)
    pages: Mapping[str, str] = field(default_factory=dict)

    def theorem(self, claim: str, proof: Any) -> str:
        """Return in words that the proof is a theorem of Coq; empty where it is none, or was another proof."""
        digest, _, besides = self.coq.get(claim, "").partition(" ")
        if not digest or digest != proof_digest(proof):
            return ""
        words = {"interval": "signs of numbers by interval", "premises": "with premises that are no theorems"}
        return ", ".join(["a theorem", *(words[word] for word in besides.split() if word in words)])


def read_checks(folder: Path) -> SecondChecks:
    """Return the record of a folder of claims, an empty one where there is none.

    Raises:
        InputError: For a file that is no record.
    """
    path = folder / FILE
    try:
        data = json.loads(read_within(path, MAXIMUM_BYTES))
        parts = {part: {str(k): str(v) for k, v in data[part].items()} for part in ("coq", "pages")}
    except FileNotFoundError:
        return SecondChecks()
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        advice = "delete it, and write it anew with --accept"
        raise InputError(f"{path}: no record of second checks ({type(error).__name__}: {error}); {advice}") from error
    return SecondChecks(**parts)


def write_checks(folder: Path, **parts: Mapping[str, str]) -> Path:
    """Write parts of the record anew, a line for each claim; the other parts stay. Returns the file."""
    old = read_checks(folder)
    texts = []
    for part in ("coq", "pages"):
        kept = parts.get(part, getattr(old, part))
        lines = [f"  {json.dumps(claim)}: {json.dumps(kept[claim])}" for claim in sorted(kept)]
        texts.append(f' "{part}": {{' + "".join(["\n", ",\n".join(lines), "\n "] if lines else []) + "}")
    path = folder / FILE
    write_atomically(path, ("{\n" + ",\n".join(texts) + "\n}\n").encode())
    return path


def proof_digest(proof: Any) -> str:
    """Return the digest of a document and of the theory that Coq checks it by."""
    return _digest([_theory(), proof])


def page_digest(page: Mapping[str, Any], statement: str) -> str:
    """Return the digest of what a page shows, and of the statement that is proved.

    Args:
        page: The item of a claim in a ledger, as plain data.
        statement: The statement of the proof in words.
    """
    parts = {name: [[item[key] for key in keys] for item in page[name]] for name, keys in _SHOWN.items()}
    return _digest([page["quantifier"], page["formula"], parts, statement])


def _digest(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]


@cache
def _theory() -> str:
    """Return the digest of the theory."""
    return _digest([path.read_text() for path in sorted(THEORY.glob("*.v"))])
