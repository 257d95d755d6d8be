"""Order of claims in the report: the source, the place within the source, and the name of the page.

Every list of a report goes through here, so that a claim stands at the same place in all of them. The vocabulary of
verdicts and scopes, with what the words mean to a reader, is here for the same reason.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rgm_verify.claims.outcome.ledger import ClaimEntry, Ledger

#: The order of every list of verdicts: strongest first, the refuted and the informal last.
VERDICTS = ("proved", "certified", "supported", "undecided", "refuted", "informal")

MEANINGS = {
    "proved": "a proof by the kernel, by symbolic rules or by a solver for real arithmetic under the hypotheses; "
    "numbers computed in another way confirm it",
    "certified": "intervals that hold every value, over the whole stated region; "
    "numbers computed in another way confirm it",
    "supported": "points, searches, statistics or measurements on stated data agree; nothing covers the whole region",
    "undecided": "neither proved nor disproved",
    "refuted": "it fails at exact numbers, by a margin that is proved to be positive; "
    "or it says that something exists, and a proof says that nothing does; "
    "or it is about an experiment, and fails for all recorded values",
    "informal": "a sentence without mathematical content to judge; the reason is given",
}

#: What a formula carries of the printed statement, in words.
SCOPES = {
    "statement": "checked in full: the formula is the printed statement or an equivalent form of it, "
    "or a case of it is false",
    "core": "partly checked: only the main formula; the page says what is not checked",
    "instance": "a special case: for example a fixed size; the page says which",
}
#: The same in two words, for a page of a claim.
SCOPE_NAMES = {"statement": "in full", "core": "partly checked", "instance": "a special case"}
#: The category of a refuted statement that a misprint spoils, and nothing else.
MISPRINT = "misprint"

#: What a reader counts apart, with the kinds of statements that it holds; other kinds are sentences.
_SENTENCES = "sentences of the text"
GROUPS = {
    "theorems, propositions, corollaries, lemmas": ("theorem", "proposition", "corollary", "lemma"),
    "formulas of proofs and examples": ("inequality", "identity", "numeric", "algorithm"),
    "definitions": ("definition",),
    _SENTENCES: ("remark",),
    "claims about experiments": ("measurement",),
}
#: The kind of what a source saw in its own runs.
MEASUREMENT = "measurement"

_LONGEST_SLUG = 120


@dataclass(frozen=True)
class Place:
    """Claims that stand at one place of one source.

    Attributes:
        source: The source as the claims name it.
        where: The section in one spelling, or `OTHER_PLACES`.
        claims: The claims in order.
    """

    source: str
    where: str
    claims: tuple[ClaimEntry, ...]


def slug(identifier: str) -> str:
    """A file name (without suffix) for an id: readable, and unique even on a file system that ignores case.

    Args:
        identifier: An id.

    Examples:
        >>> slug("rgm:theorem-1")
        'rgm--theorem-1'
    """
    readable = re.sub(r"[^a-z0-9._-]+", "-", identifier.replace(":", "--").lower()).strip(".-")[:_LONGEST_SLUG]
    # Only a name from which the id can be read back is unique as it is.
    if readable.replace("--", ":", 1) == identifier or (readable == identifier and "--" not in identifier):
        return readable
    # What was changed to make a file name may have made two ids alike.
    return f"{readable}-{hashlib.sha256(identifier.encode()).hexdigest()[:10]}"


def in_order(claims: Iterable[ClaimEntry]) -> list[ClaimEntry]:
    """The claims by source (as the ledger first names them), then by place, then as the ledger lists them."""
    listed = list(claims)
    # As the ledger first names them, and not by name: a folder says in which order it wants to be read.
    sources = list(dict.fromkeys(c.source for c in listed))
    # Places come as words; those of one section stay as the ledger lists them.
    return sorted(listed, key=lambda c: (sources.index(c.source), place_order(c.where)))


def misprints(claims: Iterable[ClaimEntry]) -> int:
    """Count the refuted claims whose only fault is a misprint."""
    return sum(claim.category == MISPRINT for claim in claims if claim.verdict == "refuted")


#: What weighs most when it is wrong, first; kinds that are not named here come between the last two.
_WEIGHT = ("theorem", "corollary", "proposition", "lemma", "numeric", "algorithm", "inequality", "identity", "remark")
#: The source of statements of our own, refuted ones among them being controls and no errata.
OWN_SOURCE = "beyond"


def group(kind: str) -> str:
    """Return the group of a kind of statement, a key of `GROUPS`.

    Examples:
        >>> group("lemma"), group("remark")
        ('theorems, propositions, corollaries, lemmas', 'sentences of the text')
    """
    return next((name for name, kinds in GROUPS.items() if kind in kinds), _SENTENCES)


def errata(claims: Iterable[ClaimEntry]) -> list[ClaimEntry]:
    """The refuted claims of the sources, theorems first, the current version of a source before earlier ones, then what
    more rests on, then in order.

    Args:
        claims: Claims of any verdict.
    """
    claims = list(claims)
    ranks = {kind: i for i, kind in enumerate(_WEIGHT)}
    newest: dict[str, int] = {}
    for name, versions in {c.source: _versions(c.source) for c in claims}.items():
        document = _VERSIONS.sub("", name)
        newest[document] = max(newest.get(document, 0), *versions)
    # `sorted` below is stable: what has the same weight stays in the order of the source.
    refuted = [c for c in in_order(claims) if c.verdict == "refuted" and c.source != OWN_SOURCE]

    def weight(claim: ClaimEntry) -> tuple[float, bool, int]:
        superseded = max(_versions(claim.source)) < newest[_VERSIONS.sub("", claim.source)]
        return ranks.get(claim.kind, len(ranks) - 1.5), superseded, -len(claim.leaned_on_by)

    return sorted(refuted, key=weight)


_VERSIONS = re.compile(r"-v\d+(?:\+v\d+)*$")


def _versions(source: str) -> list[int]:
    """Return the versions of a document that a source names, `[0]` for none.

    Examples:
        >>> _versions("paper-v1+v2"), _versions("slides")
        ([1, 2], [0])
    """
    found = _VERSIONS.search(source)
    return [int(number) for number in re.findall(r"\d+", found[0])] if found else [0]


_SECTION = re.compile(r"(?i)(?:§|section\s+|sec\.\s*)(\d+(?:\.\d+)*)")
_APPENDIX = re.compile(r"(?i)(?:app(?:endix|\.)\s*|§)([A-Z])(?:\.(\d+(?:\.\d+)*))?(?![A-Za-z])")
OTHER_PLACES = "Other places"


def place_order(where: str) -> tuple[int, str, tuple[int, ...]]:
    """A sort key for places: abstract, numbered sections, appendices by letter, then anything else as it comes.

    Args:
        where: A place as a page gives it, such as "Section 4.1, Theorem 1".

    Examples:
        >>> place_order("Section 4.1, Theorem 1")
        (1, '', (4, 1))
        >>> place_order("Appendix A.3")
        (2, 'A', (3,))
    """
    if re.match(r"(?i)title|abstract", where):
        return 0, "", ()
    # Numbers are compared as numbers: §10 comes after §9.
    if found := _SECTION.match(where):
        return 1, "", tuple(int(n) for n in found[1].split("."))
    if found := _APPENDIX.match(where):
        return 2, found[1].upper(), tuple(int(n) for n in (found[2] or "").split(".") if n)
    return 3, "", ()


def section(where: str) -> str:
    """The section of a place in one spelling (`§4.1`, `App. A.3`), or what stands before the first comma.

    Args:
        where: A place as a page gives it.

    Examples:
        >>> section("Section 4.1, Theorem 1"), section("Appendix B.2, Lemma 3"), section("slide 12, second line")
        ('§4.1', 'App. B.2', 'slide 12')
    """
    # One reading of a place for its order and for its heading: they cannot disagree.
    rank, letter, numbers = place_order(where)
    number = ".".join(map(str, numbers))
    if rank in (1, 2):
        return f"§{number}" if rank == 1 else f"App. {letter}.{number}".rstrip(".")
    return re.split(r"[;,]", where, maxsplit=1)[0].strip() or OTHER_PLACES


def by_place(claims: Sequence[ClaimEntry]) -> list[Place]:
    """The ordered claims grouped by source and section; places that hold one claim and no section are one group."""
    ordered = in_order(claims)
    # A group of one under a heading of its own would make more headings than claims.
    sizes = Counter((c.source, section(c.where)) for c in ordered)
    groups: dict[tuple[str, str], list[ClaimEntry]] = {}
    for claim in ordered:
        label = section(claim.where)
        alone = sizes[claim.source, label] == 1 and place_order(claim.where)[0] == 3
        groups.setdefault((claim.source, OTHER_PLACES if alone else label), []).append(claim)
    return [Place(source, where, tuple(found)) for (source, where), found in groups.items()]


def sources(ledger: Ledger) -> list[str]:
    """The sources as the ledger first names them."""
    return list(dict.fromkeys(c.source for c in ledger.claims))


def with_verdict(claims: Iterable[ClaimEntry], verdict: str) -> list[ClaimEntry]:
    """The claims of one verdict, in order."""
    return [c for c in in_order(claims) if c.verdict == verdict]
