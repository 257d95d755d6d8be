"""The first screen in Markdown: what is wrong, what is right, how far apart they are; a picture; counts.

The README of a report begins with it, and so may any other README, between two comments that mark the place.
"""

from __future__ import annotations

import re

from rgm_verify.claims.outcome.ledger import Ledger
from rgm_verify.errors import InputError
from rgm_verify.numbers.counted import counted
from rgm_verify.report.front import (
    FOUND,
    FirstAnswer,
    FirstError,
    bridge,
    first_answers,
    first_errors,
    front,
    lead_figure,
)
from rgm_verify.report.markdown.division import Pages
from rgm_verify.report.markdown.pages import Links
from rgm_verify.report.pictures.chapters import document
from rgm_verify.report.texts.escaped import formula, sentence, text
from rgm_verify.report.texts.readable import readable
from rgm_verify.report.texts.spelling import in_markdown

#: The picture of the first screen, beside the README of a report.
PICTURE = "first.svg"
#: The comments between which another README holds each part.
PARTS = ("errors", "picture", "counts")


def parts(ledger: Ledger, pages: Pages, above: str = "") -> dict[str, str]:
    """The parts of the first screen by their names in `PARTS`; empty where the ledger has nothing for them.

    Args:
        ledger: The ledger.
        pages: The division into pages, for the links.
        above: The way to the folder of the report, such as `reports/`; empty for a page in it.
    """
    to = Links(ledger, pages, "", above=above)
    errors = first_errors(ledger)
    told = "\n".join(_error(to, number, error) for number, error in enumerate(errors, start=1))
    told = "\n\n".join(part for part in (told, *(_answer(to, answer) for answer in first_answers(ledger))) if part)
    lead = lead_figure(ledger.chapters)
    shown = ""
    if lead is not None:
        caption = sentence(re.sub(r" \(`[^`]*`\)", "", lead[1].caption))
        shown = f"![{text(readable(lead[1].caption))}]({above}{PICTURE})\n\n{caption}"
    return {
        "errors": in_markdown(told, printed_first(ledger)),
        "picture": shown,
        "counts": _counts(ledger),
    }


def printed_first(ledger: Ledger) -> list[str]:
    """The formulas of the first screen as the sources print them."""
    return [error.block.printed for error in first_errors(ledger)]


def picture(ledger: Ledger) -> dict[str, bytes]:
    """The picture of the first screen as a file, by its name; none where no chapter has one."""
    lead = lead_figure(ledger.chapters)
    return {} if lead is None else {PICTURE: document(lead[1]).encode()}


def filled(readme: str, ledger: Ledger, above: str) -> str:
    """Return a README with the first screen between its comments `<!-- first: PART -->` and `<!-- end -->`.

    Args:
        readme: The text, with some of the comments.
        ledger: The ledger.
        above: The way from the README to the folder of the report.

    Raises:
        InputError: For a text without any of the comments.
    """
    found = parts(ledger, Pages(ledger), above)
    for name in PARTS:
        before, mark, rest = readme.partition(f"<!-- first: {name} -->\n")
        _, end, after = rest.partition("<!-- end -->")
        readme = f"{before}{mark}\n{found[name]}\n\n{end}{after}" if end else readme
    if "<!-- first: " not in readme:
        raise InputError(
            f"readme: it has no place for the first screen; write <!-- first: {PARTS[0]} --> and <!-- end -->"
        )
    return readme


def _error(to: Links, number: int, error: FirstError) -> str:
    """Return one error as an item of a numbered list."""
    block, right = error.block, error.right
    name = f"[{sentence(block.name)}]({to.page_of(error.claim)})"
    by = error.false_by
    if right is not None and error.right_by:
        by += f"; the [right one]({to.page_of(right)}): {error.right_by}"
    return (
        f"{number}. **{name}.** {sentence(error.claim.in_words)}<br>\n"
        f"   Printed ${formula(block.printed)}$; right ${formula(block.right)}$.<br>\n"
        f"   {sentence(block.apart)} Checked by: {by}."
    )


def _answer(to: Links, answer: FirstAnswer) -> str:
    """Return an answer as a paragraph."""
    name = f"[{sentence(answer.block.question)}]({to.page_of(answer.claim)})"
    by = f" Checked by: {answer.by}." if answer.by else ""
    return f"**{name}** {sentence(answer.block.text)}{by} [More]({to.page(f'chapter--{answer.chapter.id}')})."


def _counts(ledger: Ledger) -> str:
    """Return the counts of each source, and the line that leads to the claims; empty without statements."""
    told = []
    for one in front(ledger):
        found = ", ".join(f"{one.counts[word]} {word}" for word in FOUND if one.counts[word])
        told.append(f"{sentence(one.source.title)}: {counted(one.counts.total(), 'statement')} ({found})")
    return f"{'; '.join(told)}. {bridge(ledger)}" if told else ""
