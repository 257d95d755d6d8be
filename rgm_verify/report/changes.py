"""What changed between two ledgers: claims that came, went, or changed their verdict or their statement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rgm_verify.claims.ledger import ClaimEntry, Ledger
from rgm_verify.report.order import in_order


@dataclass(frozen=True)
class Change:
    """One difference: `before` and `after` are verdicts, empty where the claim did not exist."""

    claim: str
    title: str
    before: str
    after: str
    what: str


@dataclass(frozen=True)
class Changes:
    """All differences, changed verdicts first."""

    verdicts: tuple[Change, ...]
    added: tuple[Change, ...]
    removed: tuple[Change, ...]
    restated: tuple[Change, ...]

    @property
    def none(self) -> bool:
        """Whether nothing changed."""
        return not (self.verdicts or self.added or self.removed or self.restated)


def changes(previous: Ledger, current: Ledger) -> Changes:
    """The differences from `previous` to `current`, each list in the order of the report."""
    old = {c.id: c for c in previous.claims}
    new = {c.id: c for c in current.claims}
    kept = [(old[c.id], c) for c in in_order(current.claims) if c.id in old]
    return Changes(
        verdicts=tuple(_change(a, b, "verdict") for a, b in kept if a.verdict != b.verdict),
        added=tuple(_change(None, c, "added") for c in in_order(current.claims) if c.id not in old),
        removed=tuple(_change(c, None, "removed") for c in in_order(previous.claims) if c.id not in new),
        restated=tuple(_change(a, b, _restated(a, b)) for a, b in kept if a.verdict == b.verdict and _restated(a, b)),
    )


def _change(before: ClaimEntry | None, after: ClaimEntry | None, what: str) -> Change:
    shown = after or before
    if shown is None:
        raise ValueError("a change needs a claim before or after it")
    return Change(shown.id, shown.title, before.verdict if before else "", after.verdict if after else "", what)


def _restated(before: ClaimEntry, after: ClaimEntry) -> str:
    parts: Sequence[tuple[str, bool]] = (
        ("formula", (before.formula, before.printed) != (after.formula, after.printed)),
        ("hypotheses", [h.latex for h in before.hypotheses] != [h.latex for h in after.hypotheses]),
        ("tightness", before.tightness != after.tightness),
        ("controls", [m.killed for m in before.mutants] != [m.killed for m in after.mutants]),
    )
    return ", ".join(name for name, differs in parts if differs)
