"""The first page of a report in Markdown: what was found, in short, and where the rest stands.

Code hosts cut long files. This page stays short whatever the ledger holds: each list has a bound of its own, and says
how many lines it leaves out; the pages that it links are complete.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from rgm_verify.claims.checkers import CHECKERS, by_the_kernel_alone, checked_by
from rgm_verify.claims.ledger import Ledger
from rgm_verify.claims.ledger_files import FOLDER as LEDGER
from rgm_verify.claims.ledger_files import INDEX
from rgm_verify.report import order
from rgm_verify.report.changes import FILE, Change, Changes
from rgm_verify.report.consequences import OUTCOMES, Consequences, Statement, counted
from rgm_verify.report.markdown.division import FOLDER, UNANSWERED, Page, Pages
from rgm_verify.report.markdown.pages import FULL_MARK, Links
from rgm_verify.report.texts.escaped import sentence, text

#: More bytes than this the page never has.
MAXIMUM_BYTES = 60_000
#: What each list may have of them.
_ERRATA, _RESULTS, _UNDECIDED, _CHANGES, _PAGES = 26_000, 12_000, 4_000, 4_000, 8_000


def readme(ledger: Ledger, pages: Pages, since: Changes | None) -> str:
    """The whole page; `since` is what changed since the last report, if there was one."""
    to = Links(ledger, pages, "")
    refuted = order.errata(ledger.claims)
    undecided = order.with_verdict(ledger.claims, "undecided")
    parts = [
        FULL_MARK,
        f"# {sentence(ledger.title)}",
        f"{len(ledger.claims)} claims, judged with the profile `{ledger.profile}`. The verdicts are computed from the "
        f"evidence in the [ledger]({LEDGER}/{INDEX}), which has a file for each file of claims; "
        "[ledger.schema.json](ledger.schema.json) is the shape of these files.",
        "\n".join(_counts(ledger)),
        *_checked(ledger),
        *_entries(ledger, to.consequences),
        *_since(ledger, to, since),
        "## Everything, section by section",
        _short(_pages(pages), _PAGES),
        *_shaken(to),
        "## What is wrong, in a line each",
        _short((f"- {to.claim(c)}: {sentence(c.title)} ({c.category or 'refuted'})" for c in refuted), _ERRATA)
        or "Nothing is refuted.",
        "## What is undecided",
        _short((f"- {to.claim(c)}: {sentence(c.title)}" for c in undecided), _UNDECIDED) or "Nothing is undecided.",
    ]
    return "\n\n".join(parts) + "\n"


def _short(lines: Iterable[str], most: int) -> str:
    """The lines, or as many as have at most `most` bytes and a line that counts the others."""
    kept, size, more = [], 0, 0
    for line in lines:
        size += len(line.encode()) + 1
        more += size > most
        if not more:
            kept.append(line)
    if more:
        kept.append(
            f"{'| ' if kept and kept[0].startswith('|') else '- '}and {more} more, on the pages of the sections"
        )
    return "\n".join(kept)


def _counts(ledger: Ledger) -> Iterator[str]:
    yield "| verdict | claims | what it means |"
    yield "|---|---:|---|"
    for verdict in order.VERDICTS:
        yield f"| **{verdict}** | {ledger.counts.get(verdict, 0)} | {order.MEANINGS[verdict]} |"


def _checked(ledger: Ledger) -> Iterator[str]:
    """What checked the claims that are proved or certified, as a table."""
    counts = Counter(found for claim in ledger.claims if (found := checked_by(claim)))
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


def _entries(ledger: Ledger, consequences: Consequences) -> Iterator[str]:
    """One sentence on the statements of the inventory, if there is one."""
    if ledger.entries:
        found = Counter(e.verdict for e in ledger.entries)
        parts = ", ".join(f"{n} {verdict}" for verdict, n in found.most_common())
        count = len(ledger.entries)
        wrong, misprinted = consequences.refuted()
        apart = f" Of the refuted ones {wrong} are wrong and {misprinted} only misprinted." if misprinted else ""
        yield f"They answer {count} statements of the sources, each standing as its weakest part: {parts}.{apart}"
        yield from _by_source(ledger)
        carried = consequences.scopes()
        yield "\n".join(
            ["| judged is | statements | it means |", "|---|---:|---|"]
            + [f"| {scope} | {carried[scope]} | {words} |" for scope, words in order.SCOPES.items()]
        )


def _by_source(ledger: Ledger) -> Iterator[str]:
    """Count the statements of each source by their verdicts, as a table, if there are several sources."""
    counts: dict[str, Counter[str]] = {}
    for entry in ledger.entries:
        counts.setdefault(entry.source, Counter())[entry.verdict] += 1
    if len(counts) < 2:
        return
    shown = [v for v in (*order.VERDICTS, UNANSWERED) if any(found[v] for found in counts.values())]
    rows = (
        f"| {sentence(title or 'other statements')} | {found.total()} | "
        + " | ".join(str(found[v] or "") for v in shown)
        + " |"
        for title, found in counts.items()
    )
    yield "\n".join([f"| source | statements | {' | '.join(shown)} |", "|---|---:|" + "---:|" * len(shown), *rows])


def _since(ledger: Ledger, to: Links, since: Changes | None) -> Iterator[str]:
    """The list of changes, verdicts first."""
    if since is None:
        return
    yield "## What changed since the last report"
    if since.none:
        yield f"No verdict and no statement. The list is [{FILE}]({FILE})."
        return
    counts = (
        f"{len(since.verdicts)} other verdicts, {len(since.added)} new claims, {len(since.removed)} gone, "
        f"{len(since.restated)} with another formula, hypothesis, range or control. The whole list is [{FILE}]({FILE})."
    )
    yield counts
    yield _short(_changes(ledger, to, since), _CHANGES)


def _changes(ledger: Ledger, to: Links, since: Changes) -> Iterator[str]:
    known = {c.id: c for c in ledger.claims}

    def named(change: Change) -> str:
        claim = known.get(change.claim)
        return to.claim(claim) if claim else f"`{change.claim}`"

    yield from (f"- {c.before} → **{c.after}**: {named(c)}: {sentence(c.title)}" for c in since.verdicts)
    yield from (f"- gone (was {c.before}): {named(c)}" for c in since.removed)
    yield from (f"- new ({c.after}): {named(c)}" for c in since.added)
    yield from (f"- another {c.what}: {named(c)}" for c in since.restated)


def _pages(pages: Pages) -> Iterator[str]:
    yield "| page | claims | refuted | undecided |"
    yield "|---|---:|---:|---:|"
    yield from (_row(page) for page in pages)


def _row(page: Page) -> str:
    link = f"[{sentence(page.title)}]({FOLDER}/{page.file})"
    if not page.claims:
        return f"| {link} | | | |"
    found = Counter(c.verdict for c in page.claims)
    return f"| {link} | {len(page.claims)} | {found['refuted'] or ''} | {found['undecided'] or ''} |"


def _shaken(to: Links) -> Iterator[str]:
    """Describe the outcomes of statements that lean on a refuted one: their number, and the main results one by one."""
    consequences = to.consequences
    shaken = consequences.shaken()
    if not shaken:
        return
    yield "## The main results"
    counts = "; ".join(counted(outcome, shaken[outcome]) for outcome in OUTCOMES if shaken[outcome])
    only = f" ({n} of them on misprints only)" if (n := consequences.by_misprints()) else ""
    yield f"{shaken.total()} statements of the sources lean on a refuted one{only}. What becomes of them: {counts}."
    if rows := consequences.main_results():
        head = ["| result | what becomes of it | right instead | refuted statements that its proof leans on |"]
        yield _short([*head, "|---|---|---|---|", *(_main_result(to, s) for s in rows)], _RESULTS)


def _main_result(to: Links, found: Statement) -> str:
    right = ", ".join(f"{to.claim(c)} ({c.verdict})" for c in found.right) or "–"
    place = f"{sentence(found.face.title)} ({text(found.face.source)}, {text(found.face.where)})"
    return f"| {to.claim(found.face)} {place} | {found.fate} | {right} | {to.consequences.shaken_by(found)} |"
