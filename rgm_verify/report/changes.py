"""Changes between two ledgers: claims that came, went, or changed their verdict or their statement.

A report keeps the list beside its ledger (`changes.json`), so that whoever writes the same report again, in a fresh
clone too, says the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from rgm_verify.claims.outcome.ledger import ClaimEntry, Ledger, LedgerError
from rgm_verify.claims.written.lines import in_lines
from rgm_verify.jobs.files import read_within
from rgm_verify.report.order import in_order

FORMAT = "rgm-verify changes 1"
FILE = "changes.json"
#: More bytes than this are not read.
MAXIMUM_BYTES = 20_000_000


class Change(msgspec.Struct, kw_only=True, frozen=True):
    """One difference: `before` and `after` are verdicts, empty where the claim did not exist.

    Attributes:
        claim: The id.
        title: The title of the claim, as it is now where it still exists.
        before: The verdict before.
        after: The verdict now.
        what: "verdict", "added", "removed", or the parts that were restated.
    """

    claim: str
    title: str
    before: str
    after: str
    what: str


class Changes(msgspec.Struct, kw_only=True, frozen=True):
    """All differences, changed verdicts first, each list in the order of the report.

    A claim is in one list at most: one with another verdict is not listed as restated too.

    Attributes:
        verdicts: Claims with another verdict.
        added: Claims that are new.
        removed: Claims that are gone.
        restated: Claims of the same verdict with another formula, hypothesis, range or control.
    """

    verdicts: tuple[Change, ...] = ()
    added: tuple[Change, ...] = ()
    removed: tuple[Change, ...] = ()
    restated: tuple[Change, ...] = ()

    @property
    def none(self) -> bool:
        """Return whether nothing changed."""
        return not (self.verdicts or self.added or self.removed or self.restated)


class _ChangesFile(msgspec.Struct, kw_only=True, frozen=True):
    """Changes as they are written, with the digest of the ledger that they lead to."""

    format: str
    ledger: str
    changes: Changes


def changes(previous: Ledger, current: Ledger) -> Changes:
    """The differences from `previous` to `current`, each list in the order of the report.

    Args:
        previous: The ledger before.
        current: The ledger now.
    """
    old = {c.id: c for c in previous.claims}
    new = {c.id: c for c in current.claims}
    # By id: a claim under a new id counts as gone and new, as nobody can tell that it is the same.
    kept = [(old[c.id], c) for c in in_order(current.claims) if c.id in old]
    return Changes(
        verdicts=tuple(_change(a, b, "verdict") for a, b in kept if a.verdict != b.verdict),
        added=tuple(_change(None, c, "added") for c in in_order(current.claims) if c.id not in old),
        removed=tuple(_change(c, None, "removed") for c in in_order(previous.claims) if c.id not in new),
        restated=tuple(_change(a, b, _restated(a, b)) for a, b in kept if a.verdict == b.verdict and _restated(a, b)),
    )


def encode_changes(found: Changes, ledger: Ledger) -> bytes:
    """The file that says what changed on the way to `ledger`: the same changes give the same bytes.

    Args:
        ledger: The ledger that they lead to.
    """
    return in_lines(_ChangesFile(format=FORMAT, ledger=_digest(ledger), changes=found))


def read_changes(path: Path, ledger: Ledger) -> Changes | None:
    """Read the changes that led to `ledger`; None where the file speaks of another ledger, or there is none.

    Another ledger is no fault: the report beside the file may have been written by an earlier run.

    Args:
        path: The file.
        ledger: The ledger that is to be shown.

    Raises:
        LedgerError: For a file of another form.
    """
    try:
        found = msgspec.json.decode(read_within(path, MAXIMUM_BYTES), type=_ChangesFile)
    except FileNotFoundError:
        return None
    except (ValueError, RecursionError) as error:
        # A damaged file may quote itself at any length.
        reason = str(error) if len(str(error)) <= 300 else f"{str(error)[:300]}..."
        raise LedgerError(f"{path}: not a list of changes: {reason}") from error
    # A list that leads to another ledger would be told of this one.
    return found.changes if (found.format, found.ledger) == (FORMAT, _digest(ledger)) else None


def _digest(ledger: Ledger) -> str:
    """Return a digest of a ledger's content."""
    # Deterministic, because sets and mappings have no order of their own and the digest is compared across runs.
    return hashlib.sha256(msgspec.json.encode(ledger, order="deterministic")).hexdigest()


def _change(before: ClaimEntry | None, after: ClaimEntry | None, what: str) -> Change:
    """Return one difference; a claim stands on one side at least."""
    shown = after or before
    if shown is None:
        raise ValueError("a change needs a claim before or after it")
    return Change(
        claim=shown.id,
        title=shown.title,
        before=before.verdict if before else "",
        after=after.verdict if after else "",
        what=what,
    )


def _restated(before: ClaimEntry, after: ClaimEntry) -> str:
    """Return the parts in which two versions of a claim differ, empty if in none that a reader sees."""
    parts: Sequence[tuple[str, bool]] = (
        ("formula", (before.formula, before.printed) != (after.formula, after.printed)),
        ("hypotheses", [h.latex for h in before.hypotheses] != [h.latex for h in after.hypotheses]),
        ("tightness", before.tightness != after.tightness),
        # Whether they are refuted, and not their words: a reworded control says nothing new.
        ("controls", [m.killed for m in before.mutants] != [m.killed for m in after.mutants]),
    )
    return ", ".join(name for name, differs in parts if differs)
