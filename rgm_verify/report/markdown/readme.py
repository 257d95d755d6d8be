"""The first page of a report in Markdown: what was found, in short, and where the rest stands.

Code hosts cut long files. This page stays short whatever the ledger holds: each list has a bound of its own, and says
how many lines it leaves out; the pages that it links are complete.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from rgm_verify.claims.outcome.checkers import CHECKERS, by_the_kernel_alone, checked_by
from rgm_verify.claims.outcome.ledger import Ledger
from rgm_verify.claims.outcome.ledger_files import FOLDER as LEDGER
from rgm_verify.claims.outcome.ledger_files import INDEX
from rgm_verify.numbers.counted import counted
from rgm_verify.report import order
from rgm_verify.report.changes import FILE, Change, Changes
from rgm_verify.report.consequences import OUTCOMES, Consequences, Statement, with_outcome
from rgm_verify.report.front import FOUND, MainResult, SourceFront, bridge, front, own_claims, shown_words, trusted
from rgm_verify.report.markdown import first
from rgm_verify.report.markdown.division import FOLDER, Page, Pages
from rgm_verify.report.markdown.pages import FULL_MARK, Links
from rgm_verify.report.texts.escaped import sentence, text
from rgm_verify.report.texts.spelling import in_markdown

#: More bytes than this the page never has.
# Code hosts show no more of a page.
MAXIMUM_BYTES = 60_000
#: What each list may have of them.
_ERRATA, _RESULTS, _UNDECIDED, _CHANGES, _PAGES, _MAIN = 12_000, 11_000, 3_000, 3_000, 8_000, 16_000


def readme(ledger: Ledger, pages: Pages, since: Changes | None) -> str:
    """The whole page; `since` is what changed since the last report, if there was one.

    Conclusions come first, then how they are known, then the way to everything else. Every list is cut at its own
    number of bytes, which add up to less than `MAXIMUM_BYTES`.

    Args:
        pages: The division into pages, for the links.
        since: Changes since the last report.
    """
    to = Links(ledger, pages, "")
    refuted = order.errata(ledger.claims)
    undecided = order.with_verdict(ledger.claims, "undecided")
    parts = [
        FULL_MARK,
        f"# {sentence(ledger.title)}",
        "Every printed claim, judged: what is right, what is wrong, and what holds instead.",
        *_first(ledger, pages),
        *_sources(ledger, to),
        "## How it is known",
        f"{counted(len(ledger.claims), 'claim')}, judged with the profile `{ledger.profile}`; "
        f"{counted(own_claims(ledger).total(), 'of them answers', 'of them answer')} no printed statement. "
        "The verdicts are computed from the "
        f"evidence in the [ledger]({LEDGER}/{INDEX}), which has a file for each file of claims; "
        "[ledger.schema.json](ledger.schema.json) is the shape of these files.",
        "\n".join(_counts(ledger)),
        *_checked(ledger),
        *_scopes(ledger, to.consequences),
        "## Everything, section by section",
        _short(_pages(pages), _PAGES),
        *_shaken(to),
        "## What is wrong, in a line each",
        _short((f"- {to.claim(c)}: {sentence(c.title)} ({c.category or 'refuted'})" for c in refuted), _ERRATA)
        or "Nothing is refuted.",
        "## What is undecided",
        _short((f"- {to.claim(c)}: {sentence(c.title)}" for c in undecided), _UNDECIDED) or "Nothing is undecided.",
        *_since(ledger, to, since),
    ]
    return in_markdown("\n\n".join(parts) + "\n", first.printed_first(ledger))


def _first(ledger: Ledger, pages: Pages) -> Iterator[str]:
    """Yield the errors that weigh most, and the picture."""
    found = first.parts(ledger, pages)
    yield from (found[name] for name in ("errors", "picture") if found[name])


def _short(lines: Iterable[str], most: int) -> str:
    """The lines, or as many as have at most `most` bytes and a line that counts the others.

    Args:
        lines: Whole lines of a list or a table; those of a table begin with `|`.
        most: In bytes of UTF-8, the breaks of lines included.

    Examples:
        >>> print(_short(["- one", "- two", "- three"], 12))
        - one
        - two
        - and 1 more, on the pages of the sections
    """
    kept, size, more = [], 0, 0
    for line in lines:
        size += len(line.encode()) + 1
        # Once one line is left out, so are all behind it: a list with gaps would hide that they are there.
        more += size > most
        if not more:
            kept.append(line)
    if more:
        kept.append(
            f"{'| ' if kept and kept[0].startswith('|') else '- '}and {more} more, on the pages of the sections"
        )
    return "\n".join(kept)


def _counts(ledger: Ledger) -> Iterator[str]:
    """Yield the table of verdicts."""
    yield "| verdict | claims | what it means |"
    yield "|---|---:|---|"
    for verdict in order.VERDICTS:
        yield f"| **{verdict}** | {ledger.counts.get(verdict, 0)} | {order.MEANINGS[verdict]} |"


def _checked(ledger: Ledger) -> Iterator[str]:
    """The checkers of the claims that are proved or certified, as a table."""
    counts = Counter(found for claim in ledger.claims if (found := checked_by(claim)))
    # In a ledger with nothing proved there is nothing that somebody checked.
    if not counts:
        return
    alone = len(by_the_kernel_alone(ledger.claims))
    rows = [f"| {name} | {counts[name]} | {words} |" for name, words in CHECKERS.items()]
    yield "\n".join(["| proved or certified, checked by | claims | it means |", "|---|---:|---|", *rows])
    if counts["kernel"]:
        yield (
            f"Of the claims that the kernel checked, {alone} rest on nothing else: the premises of their proofs have "
            "kernel proofs too."
        )
    if told := trusted(ledger):
        yield told


def _sources(ledger: Ledger, to: Links) -> Iterator[str]:
    """The statements of each source by what they are found to be, and its main results."""
    fronts = front(ledger)
    if not fronts:
        return
    shown = shown_words(fronts)
    rows = (row for one in fronts for row in _counted(one, shown))
    yield "\n".join([f"| source | statements | {' | '.join(shown)} |", "|---|---:|" + "---:|" * len(shown), *rows])
    yield "; ".join(f"**{word}**: {FOUND[word]}" for word in shown) + ". " + bridge(ledger)
    total = sum(len(one.main) for one in fronts)
    for one in fronts:
        # In proportion to their results: one long source must not leave the others without a line.
        share = _MAIN * len(one.main) // max(1, total)
        # What is wrong gets a line each; what is right is a list of names, as there is nothing to add.
        faulty = [row for row in one.main if row.found != "right"]
        sound = [row for row in one.main if row.found == "right"]
        if one.main and len(fronts) > 1:
            yield f"## {sentence(one.source.title)}"
        if one.main and (told := " ".join(filter(None, (one.source.note, one.source.provenance)))):
            yield sentence(told)
        if faulty:
            head = ["| main result | as printed it is | what holds instead | later results that use it | checked by |"]
            yield _short([*head, "|---|---|---|---:|---|", *(_faulty(to, row) for row in faulty)], share * 3 // 4)
        if sound:
            yield _short([f"Right as printed: {', '.join(to.titled(row.statement.face) for row in sound)}."], share)


def _counted(one: SourceFront, shown: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a source in the table of counts: all of its statements, and each group of them."""
    lines = [(f"**{sentence(one.source.title)}**{_byline(one)}", one.counts), *one.groups.items()]
    for words, counts in lines:
        yield f"| {words} | {counts.total()} | {' | '.join(str(counts[word] or '') for word in shown)} |"


def _byline(one: SourceFront) -> str:
    """Return authors and links of a source, as they follow its title."""
    links = [f"[{text(words)}]({url})" for words, url in one.source.links.items()]
    parts = [part for part in (text(one.source.authors), *links) if part]
    return f" ({'; '.join(parts)})" if parts else ""


def _faulty(to: Links, row: MainResult) -> str:
    """Return the line of a main result that does not hold as printed."""
    face = row.statement.face
    right = ", ".join(f"{to.titled(c)} ({c.verdict})" for c in row.statement.right) or "–"
    kind = f" ({face.category})" if face.category not in ("", "false", "misprint") else ""
    place = f"{to.titled(face)}, {text(face.where)}"
    return f"| {place} | **{row.found}**{kind} | {right} | {row.leaning or ''} | {row.checked or '–'} |"


def _scopes(ledger: Ledger, consequences: Consequences) -> Iterator[str]:
    """Count the statements by what the formulas carry of them, if there are some."""
    if ledger.entries:
        carried = consequences.scopes()
        yield "\n".join(
            ["| checked | statements | it means |", "|---|---:|---|"]
            + [f"| {order.SCOPE_NAMES[scope]} | {carried[scope]} | {words} |" for scope, words in order.SCOPES.items()]
        )


def _since(ledger: Ledger, to: Links, since: Changes | None) -> Iterator[str]:
    """The list of changes, verdicts first."""
    if since is None:
        return
    yield "## What changed since the last report"
    # Said in words: no list could also mean that nobody compared.
    if since.none:
        yield f"No verdict and no statement. The list is [{FILE}]({FILE})."
        return
    counts = (
        f"{counted(len(since.verdicts), 'other verdict')}, {counted(len(since.added), 'new claim')}, "
        f"{len(since.removed)} gone, "
        f"{len(since.restated)} with another formula, hypothesis, range or control. The whole list is [{FILE}]({FILE})."
    )
    yield counts
    yield _short(_changes(ledger, to, since), _CHANGES)


def _changes(ledger: Ledger, to: Links, since: Changes) -> Iterator[str]:
    """Yield a line for each change: verdicts, what is gone, what is new, what is restated."""
    known = {c.id: c for c in ledger.claims}

    def named(change: Change) -> str:
        # A claim that is gone has no page to link.
        claim = known.get(change.claim)
        return to.claim(claim) if claim else f"`{change.claim}`"

    yield from (f"- {c.before} → **{c.after}**: {named(c)}: {sentence(c.title)}" for c in since.verdicts)
    yield from (f"- gone (was {c.before}): {named(c)}" for c in since.removed)
    yield from (f"- new ({c.after}): {named(c)}" for c in since.added)
    yield from (f"- another {c.what}: {named(c)}" for c in since.restated)


def _pages(pages: Pages) -> Iterator[str]:
    """Yield the table of pages."""
    yield "| page | claims | refuted | undecided |"
    yield "|---|---:|---:|---:|"
    yield from (_row(page) for page in pages)


def _row(page: Page) -> str:
    """Return the line of a page with its counts."""
    link = f"[{sentence(page.title)}]({FOLDER}/{page.file})"
    if not page.claims:
        return f"| {link} | | | |"
    found = Counter(c.verdict for c in page.claims)
    return f"| {link} | {len(page.claims)} | {found['refuted'] or ''} | {found['undecided'] or ''} |"


def _shaken(to: Links) -> Iterator[str]:
    """Describe the outcomes of statements that lean on a refuted one: their number, and the main results one by one.

    Nothing is said where no statement leans on a refuted one.
    """
    consequences = to.consequences
    shaken = consequences.shaken()
    if not shaken:
        return
    yield "## Later results that use a false one, and whether they survive"
    counts = "; ".join(with_outcome(shaken[outcome], outcome) for outcome in OUTCOMES if shaken[outcome])
    only = f" ({n} of them only a misprint)" if (n := consequences.by_misprints()) else ""
    using = counted(shaken.total(), "statement of the sources uses", "statements of the sources use")
    yield f"{using} a false one{only}: {counts}."
    if rows := consequences.main_results():
        head = ["| result | is | right instead | false statements that its proof uses |"]
        yield _short([*head, "|---|---|---|---|", *(_main_result(to, s) for s in rows)], _RESULTS)


def _main_result(to: Links, found: Statement) -> str:
    """Return the line of a main result that leans on a refuted statement."""
    right = ", ".join(f"{to.claim(c)} ({c.verdict})" for c in found.right) or "–"
    place = f"{sentence(found.face.title)} ({text(found.face.source)}, {text(found.face.where)})"
    return f"| {to.claim(found.face)} {place} | {found.fate} | {right} | {to.consequences.shaken_by(found)} |"
