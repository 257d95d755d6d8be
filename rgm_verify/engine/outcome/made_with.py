"""The versions that a report names: those of the run that first found its content, also after later runs.

A report that changed with each minor version of a library would hide the changes that matter among
those that do not.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from rgm_verify.claims.outcome.ledger import Ledger, LedgerError
from rgm_verify.claims.outcome.ledger_files import read_ledger
from rgm_verify.errors import InputError


def as_first_found(ledger: Ledger, folder: Path) -> Ledger:
    """Return the ledger with the versions of the one in `folder` if it says the same in all else, otherwise as it is.

    A run with other versions that finds the same thus leaves every byte of a report as it was; a run that finds
    anything else names its own. Where there is no ledger in `folder`, or one that cannot be read, there is nothing to
    keep.

    Args:
        ledger: The ledger of this run.
        folder: The folder of the report.
    """
    try:
        first = read_ledger(folder)
    # A damaged ledger is no obstacle to writing a new one.
    except (FileNotFoundError, LedgerError, InputError):
        return ledger
    # Everything but the versions is compared, of all claims and chapters at once.
    kept = msgspec.structs.replace(ledger, versions=first.versions)
    return kept if kept == first else ledger
