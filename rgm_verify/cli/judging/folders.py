"""Folders of claims: the options that name them, and ways to load no more of them than a command needs.

A folder of claims is code that is imported. Importing all of the paper's takes seconds, so that an index of it is kept
in the store: ids, titles, files, and what rests on what. While the index is fresh, `list` imports nothing and `show ID`
the few files that the claim needs. `run` of everything and `prove` import everything.
"""

from __future__ import annotations

import dataclasses
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rgm_verify.cli.common import (
    printing_apart,
)

if TYPE_CHECKING:
    from rgm_verify.engine.discovery import Paper
    from rgm_verify.engine.index import Index

claims_option = click.option(
    "--claims",
    type=click.Path(path_type=Path),
    help="A folder of claims, yours for instance; without it, the claims that come with rgm-verify. It is code, and "
    "every command executes it, `list` and `show` too.",
)
store_option = click.option(
    "--store",
    type=click.Path(path_type=Path),
    default=Path(".rgm_verify"),
    show_default=True,
    help="Folder that keeps the evidence between runs.",
)
profile_option = click.option(
    "--profile",
    type=click.Choice(["quick", "full"]),
    default="quick",
    show_default=True,
    help="Effort of the search: minutes, or hours.",
)
out_option = click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="The report's folder; without it reports/, or reports-FOLDER/ for claims of your own.",
)


def default_claims() -> Path:
    """The claims that come with rgm-verify: those of the checkout it runs from, else the installed copy.

    Returns:
        The folder `derivations` of the checkout, or `_derivations` in the package.
    """
    package = Path(__file__).resolve().parents[2]
    checkout = package.parent / "derivations"
    # A checkout comes first: whoever edits a claim there means this one.
    return checkout if (package.parent / "pyproject.toml").exists() and checkout.is_dir() else package / "_derivations"


def claims_folder(claims: Path | None) -> Path:
    """Return the folder that is meant: the one that was given, else the claims that come along."""
    return claims if claims is not None else default_claims()


def say(text: str) -> None:
    """Tell the user something that is no answer, on standard error."""
    click.echo(f"rgm-verify: {text}", err=True)


def load_claims(claims: Path | None) -> Paper:
    """Import the whole folder, and refuse a text that no page could show.

    What the claims print while they are imported goes to standard error.

    Args:
        claims: The folder, None for the claims of the library.

    Returns:
        Claims, chapters and what else the folder says of itself.

    Raises:
        InputError: For a fault in any file.
    """
    from rgm_verify.engine.discovery import load
    from rgm_verify.report.check import check_words

    with printing_apart():
        paper = load(claims_folder(claims), say)
    # Before anything is judged: a formula that no page shows would otherwise be found after the work.
    check_words(paper.claims, paper.chapters, paper.files)
    gc.freeze()  # the paper stays to the end of the command: no search for garbage goes through it
    return paper


def index_claims(claims: Path | None, store: Path) -> Index:
    """Return the index of a folder: the kept one while it is fresh, else a new one by importing the whole folder.

    Fresh means that no file of the folder, no line of the library and no version of what it stands on has changed.

    Args:
        claims: The folder, None for the claims that come along.
        store: The folder in which the index is kept.
    """
    from rgm_verify.engine.index import read_index

    return read_index(claims_folder(claims), store) or _load_whole(claims, store)[1]


def _load_whole(claims: Path | None, store: Path) -> tuple[Paper, Index]:
    """The whole folder, and its index, which is kept for the next command.

    Args:
        claims: The folder, None for the claims of the library.
        store: The folder in which the index is kept.

    Raises:
        InputError: For a fault in any file of the folder.
    """
    from rgm_verify.engine.discovery import index_of
    from rgm_verify.engine.index import keep_index, origin
    from rgm_verify.jobs.fingerprint import looks_kept

    # Parsing the library takes seconds, and contents that were seen before are not parsed again.
    with looks_kept(store / "looks.json"):  # nothing is written for a folder with a mistake in it
        # Before the import: a file that changes during it must not be under the digest.
        before = origin(claims_folder(claims))
        paper = load_claims(claims)
    # Only now: a folder with a fault has raised, and leaves no index behind.
    index = index_of(paper)
    keep_index(claims_folder(claims), store, index, before)
    return paper, index


def choose_claims(claims: Path | None, store: Path, ids: tuple[str, ...]) -> tuple[Paper, tuple[str, ...]]:
    """The claims that are asked for with all that they rest on, and the ids of the former; without ids, everything.

    While the index of the folder is fresh, only the files of these claims are imported. Every other file was imported
    when the index was made, and has not changed since.

    Args:
        claims: The folder, None for the claims of the library.
        store: The folder in which the index is kept.
        ids: Ids, or patterns with `*`.

    Raises:
        InputError: For a fault in the folder, and for an id or a pattern that names no claim.
    """
    with _loading():
        from rgm_verify.engine.discovery import load_part, select

        if not ids:
            paper = load_claims(claims)
            return paper, paper.select(ids)
        # Patterns are matched against all ids, and the index knows them without an import.
        index = index_claims(claims, store)
        chosen = select(index.ids, ids)
        with printing_apart():
            part = load_part(claims_folder(claims), {row.id: row.file for row in index.closure(chosen)}, say)
        return dataclasses.replace(part, title=index.title, above=index.leaned_on_by()), chosen


@contextmanager
def _loading() -> Iterator[None]:
    """Switch the garbage collector off while modules and claims are loaded, which stay to the end of the command.

    A tenth of the time of a short command went into searches among them.
    """
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        # Also after an error: what was loaded stays to the end either way.
        gc.freeze()
        if before:
            gc.enable()


def report_folder(out: Path | None, claims: Path | None) -> Path:
    """Return the folder for the report: other people's claims never overwrite the report on ours.

    Args:
        out: The folder that was asked for, which is always taken.
        claims: The folder of claims, None for those of the library.

    Examples:
        >>> report_folder(None, None).name, report_folder(None, Path("papers/mine")).name
        ('reports', 'reports-mine')
    """
    if out is not None:
        return out
    return Path("reports") if claims is None else Path(f"reports-{claims.resolve().name}")
