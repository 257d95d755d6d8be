"""Chapters: what a report shows besides claims, computed by a function, as paragraphs, tables and enclosed curves.

A chapter carries no verdict. Its numbers say how they were got, in its own words; what is true or false about the paper
is a claim and belongs into one.

The blocks are plain data, so that a worker can send them and the ledger can keep them; what a page could not show (a
row of another length, a curve whose ends are exchanged) is refused where it is made, by the name of the chapter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from rgm_verify.claims.fields import wrong_fields
from rgm_verify.errors import InputError

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
LONGEST_ID = 100


class ChapterError(InputError):
    """A chapter that cannot be shown as it is; the message says which part, and what is expected."""


class Heading(msgspec.Struct, kw_only=True, frozen=True, tag="heading"):
    """The title of a section of the chapter; $...$ marks LaTeX."""

    text: str


class Paragraph(msgspec.Struct, kw_only=True, frozen=True, tag="paragraph"):
    """Sentences; $...$ marks LaTeX."""

    text: str


class Table(msgspec.Struct, kw_only=True, frozen=True, tag="table", omit_defaults=True):
    """Rows of texts below column titles; $...$ marks LaTeX."""

    caption: str
    columns: list[str]
    rows: list[list[str]]
    inputs: int = 0
    """The first columns, this many, are quantities to choose: the rows then hold every combination of their values,
    and the site shows the row that a reader chooses."""


class Series(msgspec.Struct, kw_only=True, frozen=True):
    """A curve known by enclosures: each point is [x, lower, upper] as decimal texts; `note` says how it was got."""

    name: str
    points: list[list[str]]
    note: str = ""


class Figure(msgspec.Struct, kw_only=True, frozen=True, tag="figure"):
    """Curves over one quantity; the page of a claim whose id the caption names shows them too."""

    caption: str
    x: str
    y: str
    series: list[Series]
    log_x: bool = False
    log_y: bool = False
    lead: bool = False
    """True for a figure that the first page of the report shows too; of several the first one."""


class Erratum(msgspec.Struct, kw_only=True, frozen=True, tag="erratum"):
    """An error that the first page of the report shows: both formulas in short, and how far apart they are."""

    claim: str
    """The id of the refuted claim; the sentence that says what is wrong stands with it."""
    name: str
    """Name and place, such as `Theorem 2 (versions 1 and 2)`."""
    printed: str
    """LaTeX of the part that is wrong, in the source's letters."""
    right: str
    """LaTeX of what holds in its place."""
    apart: str
    """What both sides are at an everyday point; $...$ marks LaTeX."""


class Answer(msgspec.Struct, kw_only=True, frozen=True, tag="answer"):
    """An answer to a question that a source leaves open, which the first page shows beside the errors."""

    claim: str
    """The id of the claim that it rests on; an answer whose claim is not shown stands on no first page."""
    question: str
    text: str
    """The answer in a few sentences; $...$ marks LaTeX."""


Block: TypeAlias = Heading | Paragraph | Table | Figure | Erratum | Answer


class ChapterEntry(msgspec.Struct, kw_only=True, frozen=True):
    """A chapter as the ledger shows it."""

    id: str
    title: str
    summary: str
    """The answer that it gives, in a sentence or two; $...$ marks LaTeX."""
    file: str
    """The chapter's file, relative to its claims folder."""
    blocks: list[Block]


@dataclass(frozen=True)
class Chapter:
    """A chapter of the report: `build(profile)` returns its blocks, a pure function of the library and the profile.

    It is run when its file, what this imports of the folder and the library, or the data in one of the files that it
    `reads` has changed, in a worker process, like a claim. `profile` is "quick" or "full". Numbers go into texts as
    they are to be shown, rounded outward where they are bounds.

    Attributes:
        id: Small letters, digits and hyphens; files are named after it.
        title: The title, $...$ marks LaTeX.
        summary: The answer that it gives, in a sentence or two.
        build: Makes the blocks. It is called in another process, and so it stands at the top level of a file.
        reads: Data files whose content its numbers depend on.

    Raises:
        ChapterError: For a field of another kind, and an id of another form.

    Examples:
        >>> chapter = Chapter("one-number", "One number", "It is 1.", lambda profile: [Paragraph(text=profile)])
        >>> chapter.blocks("quick")
        [{'type': 'paragraph', 'text': 'quick'}]
        >>> Chapter("one-number", "One number", "It is 1.", lambda profile: ["text"]).blocks("quick")
        Traceback (most recent call last):
        rgm_verify.claims.chapter.ChapterError: chapter 'one-number': str is no block of a chapter
    """

    id: str
    title: str
    summary: str
    build: Callable[[str], Sequence[Block]]
    reads: tuple[Path, ...] = ()

    def __post_init__(self) -> None:
        # Before the id is matched, which has to be a text for that.
        for fault in wrong_fields(self):
            raise ChapterError(f"chapter {self.id!r}: {fault}")
        if not _ID.fullmatch(self.id):
            raise ChapterError(f"chapter {self.id!r}: an id is made of small letters, digits and hyphens")
        if len(self.id) > LONGEST_ID:
            raise ChapterError(f"chapter {self.id[:40]!r}...: files are named after an id, use at most {LONGEST_ID}")

    def blocks(self, profile: str) -> list[dict[str, Any]]:
        """The blocks as JSON data, checked; `ChapterError` says what is wrong in them.

        Whatever `build` raises itself is raised as it is.

        Args:
            profile: `quick` or `full`.
        """
        built: Any = self.build(profile)
        if not isinstance(built, list | tuple):
            raise ChapterError(f"chapter {self.id!r}: build gave {type(built).__name__}: expected a list of blocks")
        for number, block in enumerate(built, 1):
            if not isinstance(block, Block):
                raise ChapterError(f"chapter {self.id!r}: {type(block).__name__} is no block of a chapter")
            # A struct does not look at its fields when it is made: a number in the place of a text shows only here.
            try:
                msgspec.convert(msgspec.to_builtins(block), type(block))
            except (msgspec.ValidationError, TypeError, UnicodeError) as error:
                raise ChapterError(f"chapter {self.id!r}: block {number} ({type(block).__name__}): {error}") from error
            for fault in _faults(block):
                raise ChapterError(f"chapter {self.id!r}: {fault}")
        data: list[dict[str, Any]] = msgspec.to_builtins(list(built))
        return data


def read_blocks(data: Any) -> list[Block]:
    """Return the blocks that `Chapter.blocks` gave as JSON data.

    Raises:
        msgspec.ValidationError: For any other data.
    """
    return msgspec.convert(data, list[Block])


def _faults(block: Block) -> Iterable[str]:
    """Yield what is wrong in a block, by its caption. Headings and paragraphs are texts, in which nothing can be wrong
    here.
    """
    if isinstance(block, Table):
        yield from (f"table {block.caption!r}: {fault}" for fault in _faults_of_table(block))
    if isinstance(block, Figure):
        for series in block.series:
            yield from (f"figure {block.caption!r}, {series.name}: {fault}" for fault in _faults_of_points(series))


def _faults_of_table(table: Table) -> Iterable[str]:
    """Yield what is wrong in a table.

    A table with `inputs` is a function of what a reader chooses, so that each combination of the values needs exactly
    one row: with a row missing the page would have nothing to show, with one twice it would show either.
    """
    width = len(table.columns)
    if not all(column.strip() for column in table.columns):
        yield "a column has no title; a screen reader says it at every row"
    for row in table.rows:
        if len(row) != width:
            yield f"a row has {len(row)} entries, there are {width} columns"
            # The rows below would only repeat it, and the look at combinations needs rows of one length.
            return
    if not 0 <= table.inputs < max(width, 1):
        yield f"inputs={table.inputs}: expected at least 0 and fewer than the {width} columns"
        return
    chosen = [tuple(row[: table.inputs]) for row in table.rows]
    # As many rows as combinations, and no two alike: then each combination has exactly one.
    wanted = prod(len({choice[i] for choice in chosen}) for i in range(table.inputs))
    if table.inputs and not len(set(chosen)) == len(chosen) == wanted:
        yield f"inputs={table.inputs}: {wanted} combinations need one row each, there are {len(chosen)} rows"


def _faults_of_points(series: Series) -> Iterable[str]:
    """Yield the points of a curve that are no enclosures; an end may be infinite, and a place may not be `nan`."""
    for point in series.points:
        try:
            x, lower, upper = (float(text) for text in point)
        except ValueError:
            yield f"point {point}: expected three numbers [x, lower, upper] as texts"
            continue
        # Written so that a `nan` at an end is refused too: it compares with nothing.
        if not lower <= upper or x != x:
            yield f"point {point}: the lower end must not exceed the upper end"


def collect_chapters(values: Iterable[Any]) -> list[Chapter]:
    """Every chapter among `values`, in order, each once; unlike claims, chapters are not looked for inside of lists."""
    return list({id(v): v for v in values if isinstance(v, Chapter)}.values())


__all__ = [
    "Answer",
    "Block",
    "Chapter",
    "ChapterEntry",
    "ChapterError",
    "Erratum",
    "Figure",
    "Heading",
    "Paragraph",
    "Series",
    "Table",
    "collect_chapters",
    "read_blocks",
]
