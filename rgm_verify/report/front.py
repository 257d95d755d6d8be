"""Findings source by source, in words that a reader of the source knows: for the first page of a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rgm_verify.claims.chapter import Answer, ChapterEntry, Erratum, Figure
from rgm_verify.claims.outcome.checkers import CHECKERS, checked_by, rests_on_coq, shows_what_is_proved
from rgm_verify.claims.outcome.ledger import ClaimEntry, EntryVerdict, Ledger, SourceEntry
from rgm_verify.numbers.counted import counted
from rgm_verify.report import order
from rgm_verify.report.consequences import OF_RUNS, Consequences, Statement

#: What a statement of a source is found to be, what is sound first; and what the words mean.
FOUND = {
    "right": "proved or certified as printed",
    "misprinted": "false only because of a misprint",
    "reproduced": "a claim about an experiment that holds in all recorded runs of ours, on stated data with stated "
    "choices",
    "not reproduced": "the same where it fails in all of them",
    "wrong": "false: there are numbers for which it fails, or a proof that what it promises does not exist",
    "open": "not settled: what was tried agrees, or does not decide",
    "not measured": "a claim about an experiment that no run here looks at; its page gives the reason",
    "not mathematical": "nothing to judge",
}
_OF_VERDICT = {"proved": "right", "certified": "right", "informal": "not mathematical"}
#: What checked a claim, in a word or two.
_CHECKED = {"kernel": "kernel", "enclosures": "enclosures", "second solver": "two solvers", "solvers only": "solver"}
#: What is trusted for a claim without a theorem of Coq.
_TRUSTED = {
    "kernel": "the kernel",
    "enclosures": "enclosures by Arb",
    "second solver": "two solvers",
    "solvers only": "a solver and numbers that agree",
}
_CHECKED_AT_LENGTH = {
    "kernel": "kernel proof",
    "enclosures": "intervals",
    "second solver": "two solvers",
    "solvers only": "solver and numbers",
}


@dataclass(frozen=True)
class FirstError:
    """An error of the first page.

    Attributes:
        block: Name, formulas and numbers.
        claim: The refuted claim.
        right: The claim that is right instead, None where the ledger has none.
        false_by: What checked that the printed statement is false.
        right_by: What checked the other one, empty where there is none.
    """

    block: Erratum
    claim: ClaimEntry
    right: ClaimEntry | None
    false_by: str
    right_by: str


@dataclass(frozen=True)
class FirstAnswer:
    """An answer of the first page: its words, the claim that it rests on, what checked this, and its chapter."""

    block: Answer
    claim: ClaimEntry
    by: str
    chapter: ChapterEntry


@dataclass(frozen=True)
class MainResult:
    """A theorem, corollary, proposition or lemma of a source.

    Attributes:
        statement: The statement with the claim that is shown for it, and what is right instead.
        found: What it is found to be, a key of `FOUND`.
        leaning: How many later statements of the sources use it, directly or through others.
        checked: What checked the answer, in words.
    """

    statement: Statement
    found: str
    leaning: int
    checked: str


@dataclass(frozen=True)
class SourceFront:
    """One source as the first page shows it.

    Attributes:
        source: Title, authors and links.
        main: Its main results, in the order of the report.
        counts: The number of its statements by what they are found to be.
        groups: The same for each group of `order.GROUPS` that it has; empty where it has one group.
    """

    source: SourceEntry
    main: tuple[MainResult, ...]
    counts: Counter[str]
    groups: Mapping[str, Counter[str]]


def front(ledger: Ledger) -> list[SourceFront]:
    """The sources in the order of the folder, each with its main results and the counts of its statements.

    Args:
        ledger: The ledger. A folder about one paper has one source, under the title of the folder.
    """
    consequences = Consequences(ledger)
    known = {source.title: source for source in ledger.sources}
    # Entries of a folder about one paper may name no source: the folder's title stands for it.
    titles = dict.fromkeys([*known, *(e.source for e in ledger.entries)])
    main = consequences.main_results()
    found = []
    for title in titles:
        entries = [e for e in ledger.entries if e.source == title]
        rows = tuple(_main_result(consequences, s) for s in main if s.entry.source == title)
        counts = Counter(what(consequences, e.id, e.verdict) for e in entries)
        groups = _groups(consequences, entries)
        # A single group would repeat the whole.
        groups = groups if len(groups) > 1 else {}
        found.append(SourceFront(known.get(title, SourceEntry(title=title or ledger.title)), rows, counts, groups))
    # A source without statements has nothing to say on a first page.
    return [one for one in found if one.counts]


def _groups(consequences: Consequences, entries: Sequence[EntryVerdict]) -> dict[str, Counter[str]]:
    """Return the counts of statements for each group that has some."""
    found = {
        name: Counter(what(consequences, e.id, e.verdict) for e in entries if order.group(e.kind) == name)
        for name in order.GROUPS
    }
    return {name: counts for name, counts in found.items() if counts}


def what(consequences: Consequences, entry: str, verdict: str) -> str:
    """The finding of a statement, as a key of `FOUND`.

    Args:
        consequences: Of the ledger.
        entry: The id of the statement.
    """
    known = consequences.entries.get(entry)
    if known is not None and known.kind == order.MEASUREMENT:
        return OF_RUNS.get(verdict, "open")
    # A reader can mend a misprint alone, so that it is no wrong statement.
    if verdict == "refuted":
        return "wrong" if consequences.is_more_than_a_misprint(entry) else "misprinted"
    return _OF_VERDICT.get(verdict, "open")


def shown_words(fronts: Iterable[SourceFront]) -> list[str]:
    """Return the words of `FOUND` that some source needs, in their order."""
    used = {word for one in fronts for counts in (one.counts, *one.groups.values()) for word in counts}
    return [word for word in FOUND if word in used]


def own_claims(ledger: Ledger) -> Counter[str]:
    """The number of claims that answer no statement of a source, by verdict."""
    return Counter(claim.verdict for claim in ledger.claims if not claim.refs)


def first_errors(ledger: Ledger) -> list[FirstError]:
    """The errors that the first page shows, in the order of their chapter; a claim that is not refuted has none.

    Args:
        ledger: The ledger.
    """
    known = {claim.id: claim for claim in ledger.claims}
    blocks = [block for chapter in ledger.chapters for block in chapter.blocks if isinstance(block, Erratum)]
    return [
        _first_error(block, known[block.claim], known.get(known[block.claim].corrected))
        for block in blocks
        # A verdict may have changed since somebody chose the errors; then the page must not call it one.
        if block.claim in known and known[block.claim].verdict == "refuted"
    ]


def first_answers(ledger: Ledger) -> list[FirstAnswer]:
    """The answers that the first page shows, in the order of the chapters; one whose claim is not proved has none."""
    known = {claim.id: claim for claim in ledger.claims}
    return [
        FirstAnswer(block, claim, _CHECKED_AT_LENGTH.get(checked_by(claim), ""), chapter)
        for chapter in ledger.chapters
        for block in chapter.blocks
        if isinstance(block, Answer)
        and (claim := known.get(block.claim)) is not None
        and claim.verdict in ("proved", "certified")
    ]


def _first_error(block: Erratum, claim: ClaimEntry, right: ClaimEntry | None) -> FirstError:
    """Return an error with what checked its two sides."""
    false_by = "exact counterexample" if claim.witness else "proof of the contrary"
    return FirstError(block, claim, right, false_by, _CHECKED_AT_LENGTH.get(checked_by(right), "") if right else "")


def bridge(ledger: Ledger) -> str:
    """Return one sentence that leads from the printed statements to the claims that answer them."""
    refuted = sum(claim.verdict == "refuted" for claim in ledger.claims)
    errata = len(order.errata(ledger.claims))
    others = counted(refuted - errata, "is a wrong statement", "are wrong statements")
    ours = f"; the other {others} of our own, for comparison" if refuted > errata else ""
    answering = len(ledger.claims) - own_claims(ledger).total()
    asked = len(ledger.entries)
    return (
        f"{'This statement is' if asked == 1 else f'These {asked:,} statements are'} answered by {answering:,} of "
        f"{len(ledger.claims):,} {'claim' if len(ledger.claims) == 1 else 'claims'}, "
        f"of which one may answer several; {counted(refuted, 'claim is', 'claims are')} false: "
        f"{counted(errata, 'erratum', 'errata')}{ours}."
    )


def trusted(ledger: Ledger) -> str:
    """Return what a reader has to trust for the claims that are proved or certified, with counts; empty without any."""
    by = {claim.id: found for claim in ledger.claims if (found := checked_by(claim))}
    coq = {claim.id for claim in ledger.claims if claim.id in by and rests_on_coq(claim)}
    if not coq:
        return ""
    read = sum(claim.id in coq and shows_what_is_proved(claim) for claim in ledger.claims)
    others = Counter(found for i, found in by.items() if i not in coq)
    rest = ", ".join(f"{others[name]} on {_TRUSTED[name]}" for name in CHECKERS if others[name])
    return (
        f"{len(coq):,} of {len(by):,} claims that are proved or certified are theorems of Coq, "
        f"so that what you have to trust for them is Coq, and the printed statement; {read:,} of their pages were read "
        f"back by other code than wrote them, and show what is proved."
        + (f" Of the others stand {rest}." if rest else "")
    )


def lead_figure(chapters: Iterable[ChapterEntry]) -> tuple[ChapterEntry, Figure] | None:
    """The figure for the first page with the chapter that it stands in; None if no chapter has one.

    Args:
        chapters: The chapters, of which the first one with such a figure counts.
    """
    marked = ((c, block) for c in chapters for block in c.blocks if isinstance(block, Figure) and block.lead)
    return next(marked, None)


def _main_result(consequences: Consequences, statement: Statement) -> MainResult:
    """Return a row of the table of main results."""
    found = what(consequences, statement.entry.id, statement.entry.verdict)
    leaning = {i for s in consequences.leaning_on(statement.face) for i in s.ids}
    return MainResult(statement, found, len(leaning), _checked(statement))


def _checked(statement: Statement) -> str:
    """Return what checked an answer: the counterexample of what is refuted, and the checkers of what is right."""
    parts = []
    if statement.face.verdict == "refuted":
        parts.append("counterexample" if statement.face.witness else "proof of the contrary")
    # Of a refuted statement what holds instead is what a reader will use, and so what has to be checked.
    right = statement.right or ((statement.face,) if statement.face.verdict != "refuted" else ())
    parts += dict.fromkeys(_checker(claim) for claim in right)
    return ", ".join(part for part in parts if part)


def _checker(claim: ClaimEntry) -> str:
    """Return what checked a claim that is proved or certified, in a word or two; nothing for others."""
    return _CHECKED.get(checked_by(claim), "")
