"""The sources that each claim is about, so that every page of a claim leads to the paper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rgm_verify.claims.outcome.ledger import ClaimEntry, Ledger, SourceEntry

__all__ = ["about"]


def about(ledger: Ledger) -> Mapping[str, tuple[bool, list[SourceEntry]]]:
    """Return for each claim whether it is printed in sources that `ledger.sources` holds, and which it is about.

    A claim that answers a statement of a source is printed there. Any other is about the sources of the nearest claims
    that lean on it or are corrected by it, else of the nearest that it leans on; else about all of them.
    """
    titles = {entry.id: entry.source for entry in ledger.entries}
    printed = {c.id: {titles[ref] for ref in c.refs if ref in titles} for c in ledger.claims}
    # A corrected statement leads to the one that was printed, as what leans on a lemma leads to its theorem.
    above: dict[str, set[str]] = {c.id: set(c.leaned_on_by) for c in ledger.claims}
    for claim in ledger.claims:
        if claim.corrected in above:
            above[claim.corrected].add(claim.id)
    below = {c.id: set(c.rests_on) for c in ledger.claims}

    # Up before down: a lemma of our own serves one source, and may rest on lemmas that serve all of them.
    def found(claim: ClaimEntry) -> tuple[bool, list[SourceEntry]]:
        near = next(
            (s for s in (printed[claim.id], _over(claim.id, above, printed), _over(claim.id, below, printed)) if s),
            None,
        )
        sources = [s for s in ledger.sources if near is None or s.title in near]
        return bool(printed[claim.id]), sources

    return {claim.id: found(claim) for claim in ledger.claims}


def _over(start: str, near: Mapping[str, Iterable[str]], held: Mapping[str, set[str]]) -> set[str]:
    """Return what is held at the nearest ones with anything, where nothing is held at the start."""
    seen, waiting = {start}, [start]
    # Breadth first: the nearest ones decide, and those behind them do not.
    while waiting:
        level = [other for one in waiting for other in near.get(one, ()) if other in held and other not in seen]
        seen.update(level)
        if found := set().union(*(held[one] for one in level)):
            return found
        waiting = list(dict.fromkeys(level))
    return set()
