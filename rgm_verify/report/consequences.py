"""Consequences of refuted statements for the statements of the paper that lean on them.

The ledger holds, for each statement of the inventory, a verdict, an outcome, and what it leans on in the source. This
module only looks them up and sorts them for a reader; the outcomes were computed where the ledger was made. A statement
is an entry of the inventory (a theorem, a step, a sentence), a claim is what this library judges; several claims may
answer one statement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from rgm_verify.claims.outcome.ledger import ClaimEntry, EntryVerdict, Ledger, PrintedEntry, natural_order
from rgm_verify.numbers.counted import counted
from rgm_verify.report import order

#: The outcomes as a reader meets them, what weighs most first.
OUTCOMES = {
    "falls": "lost",
    "corrected": "true after correction",
    "undecided": "undecided",
    "independent": "still true, by another proof",
    "stands": "true as printed",
    "no content": "not mathematical",
}
#: What is said by its verdict of what a source saw in its own runs: others, with choices of ours, do not make it false.
OF_RUNS = {"supported": "reproduced", "refuted": "not reproduced", "informal": "not measured"}
_MAIN = ("theorem", "corollary", "proposition", "lemma")


def with_outcome(number: int, outcome: str) -> str:
    """Return a number of statements with their outcome.

    Examples:
        >>> with_outcome(2, "stands")
        '2 true as printed'
    """
    return f"{number} {OUTCOMES[outcome]}"


def fate(entry: EntryVerdict) -> str:
    """Return what becomes of a statement, in words.

    Args:
        entry: The statement with its outcome.
    """
    if entry.kind == order.MEASUREMENT and entry.verdict in OF_RUNS:
        return OF_RUNS[entry.verdict]
    return OUTCOMES[entry.outcome]


@dataclass(frozen=True)
class Statement:
    """A statement of the source with the claim that is shown for it and the claims that are right instead.

    Attributes:
        entry: The statement with its outcome.
        face: The claim that is shown for it.
        right: Corrected claims.
        direct: Whether it leans on the refuted statement itself, and not through others.
        also: Ids of further statements with the same claim and the same outcome, shown in the same line.
    """

    entry: EntryVerdict
    face: ClaimEntry
    right: tuple[ClaimEntry, ...]
    direct: bool = True
    also: tuple[str, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """The inventory ids that it stands for."""
        return (self.entry.id, *self.also)

    @property
    def fate(self) -> str:
        """Return the outcome for the statement in words."""
        return fate(self.entry)


class Consequences:
    """The statements of a ledger and their dependencies; statements without a claim are left out.

    Args:
        ledger: The ledger.
    """

    def __init__(self, ledger: Ledger) -> None:
        self.known = {c.id: c for c in ledger.claims}
        # Without a claim there is no page to link and no title to show; these stand on a page of their own.
        self.entries = {e.id: e for e in ledger.entries if any(i in self.known for i in e.claims)}
        self._above: dict[str, list[str]] = {}
        for entry in self.entries.values():
            for other in entry.leans_on:
                self._above.setdefault(other, []).append(entry.id)

    def of(self, identifier: str, *, direct: bool = True) -> Statement:
        """One statement; the claim shown for it is the first refuted one, no mere misprint if it can be, or the first.

        Args:
            identifier: The id of a statement that some claim answers.
            direct: As in `Statement`.
        """
        entry = self.entries[identifier]
        claims = [self.known[i] for i in entry.claims if i in self.known]
        # The refuted one says why the statement has the verdict that it has; a misprint says least of all.
        refuted = [c for c in claims if c.verdict == "refuted"]
        face = next((c for c in refuted if c.category != order.MISPRINT), (refuted or claims)[0])
        right = tuple(self.known[i] for i in entry.corrected if i in self.known)
        return Statement(entry, face, right, direct)

    def answered(self, claim: ClaimEntry) -> list[Statement]:
        """The statements that a claim answers."""
        return [self.of(ref) for ref in claim.refs if ref in self.entries]

    def printed(self, claim: ClaimEntry) -> list[PrintedEntry]:
        """What the source prints for the statements that a claim answers: formulas, or where it has words only."""
        entries = [self.entries[ref].printed for ref in claim.refs if ref in self.entries]
        found = {print_.formula or print_.place: print_ for print_ in entries if print_ is not None}
        return [print_ for print_ in found.values() if print_.formula] or list(found.values())

    def leaning_on(self, claim: ClaimEntry) -> list[Statement]:
        """The statements that lean on those that a claim answers, direct ones first, then by outcome.

        Also through others, at any distance. Cycles in the source do no harm: each statement is visited once, and those
        of the claim itself are left out.
        """
        direct = {e for ref in claim.refs for e in self._above.get(ref, ())}
        found = set(direct)
        waiting = list(direct)
        while waiting:
            # Only those that are new: statements may use each other in circles.
            fresh = set(self._above.get(waiting.pop(), ())) - found
            found |= fresh
            waiting += fresh
        return self._sorted({e: e in direct for e in found - set(claim.refs)})

    def used_by(self, claim: ClaimEntry) -> list[Statement]:
        """The statements that the source uses directly for those that a claim answers."""
        used = {o for ref in claim.refs if ref in self.entries for o in self.entries[ref].leans_on}
        return self._sorted({e: True for e in used if e in self.entries})

    def refuted_below(self, claim: ClaimEntry) -> list[Statement]:
        """The refuted statements below those that a claim answers."""
        below = {o for ref in claim.refs if ref in self.entries for o in self.entries[ref].refuted_below}
        return self._sorted({e: True for e in below if e in self.entries})

    def main_results(self) -> list[Statement]:
        """The theorems, corollaries, propositions and lemmas, in the order of the report.

        Each claim counts once, also where several statements have it as their face. Statements of our own are no
        results of a source and are left out.
        """
        # By kind first: a reader looks for the theorems, wherever in the source they stand.
        place = {c.id: i for i, c in enumerate(order.in_order(self.known.values()))}
        found = [self.of(e) for e in self.entries]
        main = {s.face.id: s for s in found if s.face.kind in _MAIN and s.face.source != order.OWN_SOURCE}
        return sorted(main.values(), key=lambda s: (_MAIN.index(s.face.kind), place[s.face.id]))

    def shaken_by(self, statement: Statement) -> str:
        """Count in words the refuted statements below one, and those of them that are no mere misprints.

        Returns:
            Such as "none", "2, all misprints" or "3, 1 of them only a misprint".
        """
        below = len(statement.entry.refuted_below)
        if not below:
            return "none"
        # A proof that leans on a misprint is mended with the misprint; on anything else it has to be done again.
        more = sum(self.is_more_than_a_misprint(e) for e in statement.entry.refuted_below)
        if not more:
            return f"{below}, {'a misprint' if below == 1 else 'all misprints'}"
        if more == below:
            return f"{below}, {'no mere misprint' if below == 1 else 'none a mere misprint'}"
        return f"{below}, {counted(below - more, 'of them only a misprint', 'of them only misprints')}"

    def by_misprints(self) -> int:
        """Count the statements that lean on misprints, and on nothing else that is refuted."""
        shaken = (e.refuted_below for e in self.entries.values() if e.refuted_below)
        return sum(not any(self.is_more_than_a_misprint(e) for e in below) for below in shaken)

    def refuted(self) -> tuple[int, int]:
        """Count the statements that are wrong, and those that are misprinted and no more than that."""
        found = [e.id for e in self.entries.values() if e.verdict == "refuted"]
        wrong = sum(self.is_more_than_a_misprint(e) for e in found)
        return wrong, len(found) - wrong

    def scopes(self) -> Counter[str]:
        """Count the statements with mathematical content that are answered in full, by a core, or at a fixed size."""
        return Counter(e.scope for e in self.entries.values() if e.verdict != "informal")

    def is_more_than_a_misprint(self, identifier: str) -> bool:
        """Return whether a refuted claim of a statement has another fault than a misprint.

        Args:
            identifier: The id of the statement.
        """
        claims = self.entries[identifier].claims if identifier in self.entries else []
        return any(self.known[i].category not in ("", order.MISPRINT) for i in claims if i in self.known)

    def shaken(self) -> Counter[str]:
        """Count the statements that lean on a refuted one, by outcome.

        Also through others, and whether the refuted one is wrong or only misprinted.
        """
        return Counter(e.outcome for e in self.entries.values() if e.refuted_below)

    def _sorted(self, ids: Mapping[str, bool]) -> list[Statement]:
        """Return statements in the order of their weight; those with one claim and one outcome become one.

        Args:
            ids: Ids of statements, each with whether it leans directly.
        """
        rank = list(OUTCOMES)
        found = [self.of(identifier, direct=direct) for identifier, direct in ids.items()]
        found.sort(key=lambda s: (not s.direct, rank.index(s.entry.outcome), natural_order(s.entry.id)))
        # Parts (a), (b), (c) of one theorem would fill three lines that say the same.
        merged: dict[tuple[str, str, bool], Statement] = {}
        for s in found:
            key = s.face.id, s.entry.outcome, s.direct
            merged[key] = replace(merged[key], also=(*merged[key].also, s.entry.id)) if key in merged else s
        return list(merged.values())
