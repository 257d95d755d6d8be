"""The versions that a report names: those of the run that found what it says, whoever finds the same again later."""

from __future__ import annotations

from pathlib import Path

import msgspec

from rgm_verify.claims.ledger import Ledger, LedgerError, decode, encode


def as_first_found(ledger: Ledger, path: Path) -> Ledger:
    """Return the ledger with the versions named at `path` if it says the same in all else, otherwise as it is.

    A run with other versions that finds the same thus leaves every byte of a report as it was; a run that finds
    anything else names its own. Where there is no ledger at `path`, or one that cannot be read, there is nothing to
    keep.
    """
    if not path.exists():
        return ledger
    written = path.read_bytes()
    try:
        first = decode(written, name=str(path)).versions
    except LedgerError:
        return ledger
    kept = msgspec.structs.replace(ledger, versions=first)
    return kept if encode(kept) == written else ledger
