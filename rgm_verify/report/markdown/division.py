"""Divide a report into pages: one for each section or appendix of a document, and one for each chapter.

Every claim, every statement of the inventory and every chapter has exactly one page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rgm_verify.claims.chapter import ChapterEntry
from rgm_verify.claims.outcome.ledger import ClaimEntry, EntryVerdict, Ledger
from rgm_verify.report import order
from rgm_verify.report.consequences import Consequences

#: The folder of the pages, beside the README of a report.
FOLDER = "pages"
#: The names of the pages that hold neither claims nor a chapter.
THEOREMS, UNANSWERED = "theorems", "unanswered"
_VERSION = re.compile(r"-v\d+(?:\+v\d+)*$")


@dataclass(frozen=True)
class Page:
    """One page: `name` is that of its file without the suffix.

    Attributes:
        name: The name of its file without the suffix.
        title: The heading.
        claims: Claims in order.
        entries: Statements of the inventory that are shown there.
        chapter: The chapter, if the page is one's.
    """

    name: str
    title: str
    claims: tuple[ClaimEntry, ...] = ()
    entries: tuple[EntryVerdict, ...] = ()
    chapter: ChapterEntry | None = None

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"{self.name}.md"


class Pages:
    """The pages of a ledger in reading order, and the page of each claim.

    Sections come first, then chapters, then what has no place in a source. Every claim has one home, whatever page also
    mentions it.

    Args:
        ledger: The ledger.
    """

    def __init__(self, ledger: Ledger) -> None:
        entries: dict[str, list[EntryVerdict]] = {}
        homes = {c.id: _home(c) for c in ledger.claims}
        consequences = Consequences(ledger)
        # Listed all the same: whoever looks for a statement has to find that nobody judged it.
        unanswered = tuple(e for e in ledger.entries if e.id not in consequences.entries)
        for entry in consequences.entries.values():
            # With the claim that is shown for it, even if that stands in another section than the statement.
            entries.setdefault(homes[consequences.of(entry.id).face.id], []).append(entry)
        grouped: dict[str, list[ClaimEntry]] = {}
        # Versions of a document share pages: by source alone, version 2 would begin again at section 1.
        for claim in sorted(order.in_order(ledger.claims), key=_rank(ledger)):
            grouped.setdefault(homes[claim.id], []).append(claim)
        self.sections = [
            Page(name, _title(found[0]), tuple(found), tuple(entries.get(name, ()))) for name, found in grouped.items()
        ]
        self.chapters = [Page(f"chapter--{c.id}", c.title, chapter=c) for c in ledger.chapters]
        self.others = [Page(UNANSWERED, "Statements that no claim answers", entries=unanswered)] if unanswered else []
        self.others += [Page(THEOREMS, "Theorems that are used and not proved here")] if ledger.theorems else []
        self._homes = homes

    def __iter__(self) -> Iterator[Page]:
        return iter([*self.sections, *self.chapters, *self.others])

    def home(self, claim: ClaimEntry) -> str:
        """The name of the page of a claim."""
        return self._homes[claim.id]


def document(source: str) -> str:
    """The document of a source: its versions, as in `paper-v1` and `paper-v1+v2`, share their pages.

    Examples:
        >>> document("paper-v1+v2"), document("slides")
        ('paper', 'slides')
    """
    return _VERSION.sub("", source) or source


def _home(claim: ClaimEntry) -> str:
    """Return the name of the page of a claim: its document, and its section, appendix or other place.

    Subsections share a page: a page for each would be short, and a page for a whole paper too long for a code host.
    """
    rank, letter, numbers = order.place_order(claim.where)
    number = numbers[0] if numbers else ""
    place = ("abstract", f"section-{number}", f"appendix-{letter.lower()}", "other")[rank]
    return f"{order.slug(document(claim.source))}-{place}"


def _title(claim: ClaimEntry) -> str:
    """Return the heading of the page of a claim."""
    rank, letter, numbers = order.place_order(claim.where)
    number = numbers[0] if numbers else ""
    place = ("title and abstract", f"section {number}", f"appendix {letter}", "other places")[rank]
    return f"{document(claim.source)}, {place}"


def _rank(ledger: Ledger) -> Callable[[ClaimEntry], tuple[int, int, str, tuple[int, ...]]]:
    """Return the key by which claims are in reading order: documents as the ledger first names them, then places."""
    documents = list(dict.fromkeys(document(c.source) for c in ledger.claims))

    def rank(claim: ClaimEntry) -> tuple[int, int, str, tuple[int, ...]]:
        place, letter, numbers = order.place_order(claim.where)
        return documents.index(document(claim.source)), place, letter, numbers[:1]

    return rank
