"""Folders of claims: the options that name them, and ways to load no more of them than a command needs.

A folder of claims is code that is imported. Importing all of the paper's takes seconds, so that an index of it is kept
in the store: ids, titles, files, and what rests on what. While the index is fresh, `list` imports nothing and `show ID`
the few files that the claim needs. `run` of everything and `prove` import everything.
"""

from __future__ import annotations

import dataclasses
import gc
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from rgm_verify.cli.common import printing_apart
from rgm_verify.errors import InputError

if TYPE_CHECKING:
    from rgm_verify.engine.discovery import Paper
    from rgm_verify.engine.importing import Refusal
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


class ClaimId(click.ParamType[str]):
    """The id of a claim, which a shell completes from the report that there is, without importing a claim."""

    name = "id"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the ids that begin with what was typed."""
        from rgm_verify.errors import InputError

        claims, out = ctx.params.get("claims"), ctx.params.get("out")
        folder = Path(claims) if claims is not None else None
        for place in places_of_report(Path(out) if out is not None else None, folder):
            # A completion that fails must not print: without a report there is none.
            with suppress(OSError, InputError, ValueError):
                return [CompletionItem(i) for i in ids_reported(place) if i.startswith(incomplete)]
        return []


def ids_reported(place: Path) -> list[str]:
    """The ids of the claims of a report; raises as `ledger_files.read_ledger` does.

    Args:
        place: The folder of the report.
    """
    from rgm_verify.claims.outcome.ledger_files import FOLDER, ids_in

    return ids_in(place / FOLDER)


def places_of_report(out: Path | None, claims: Path | None) -> list[Path]:
    """Return the folders where a report on the claims may lie, that of the checkout or of the package included.

    Args:
        out: The folder that was asked for, and then the only one.
        claims: The folder of claims, None for those of the library.
    """
    # In a checkout beside the claims; the installed package carries the ledger of its own claims.
    own = [default_claims().parent / name for name in ("reports", "_reports")]
    return [report_folder(out, claims), *(own if out is None and claims is None else [])]


def say(text: str) -> None:
    """Tell the user something that is no answer, on standard error."""
    click.echo(f"rgm-verify: {text}", err=True)


def load_claims(claims: Path | None) -> Paper:
    """Import the whole folder, and say each item that is refused: a text that no page could show is one.

    What the claims print while they are imported goes to standard error.

    Args:
        claims: The folder, None for the claims of the library.

    Returns:
        Claims, chapters and what else the folder says of itself, without what is refused.

    Raises:
        InputError: For a folder that is none, and for one of which nothing is left.
    """
    from rgm_verify.engine.discovery import load, nothing_left
    from rgm_verify.engine.errata import FILE as ERRATA
    from rgm_verify.engine.importing import Refusal
    from rgm_verify.engine.kept_proofs import broken
    from rgm_verify.engine.printed import FOLDER as PRINTED
    from rgm_verify.report.check import (
        prints_that_no_page_shows,
        sentences_that_no_page_shows,
        words_that_no_page_shows,
    )

    with printing_apart():
        paper = load(claims_folder(claims), say, strict=False)
    # Before anything is judged: a formula that no page shows would otherwise be found after the work.
    faults = words_that_no_page_shows(paper.claims, paper.chapters)
    refused = [Refusal(paper.files[name], fault, claim=name) for name, fault in faults]
    refused += [
        Refusal(path.relative_to(paper.folder).as_posix(), fault) for path, fault in broken(paper.folder).items()
    ]
    unshown = dict(prints_that_no_page_shows(paper.printed))
    refused += [Refusal(PRINTED, f"{identifier}: {fault}") for identifier, fault in unshown.items()]
    shown = {i: entry for i, entry in paper.printed.items() if i not in unshown}
    unsaid = dict(sentences_that_no_page_shows(paper.in_words))
    refused += [Refusal(ERRATA, f"{identifier}: {fault}") for identifier, fault in unsaid.items()]
    said = {i: words for i, words in paper.in_words.items() if i not in unsaid}
    paper = dataclasses.replace(paper, printed=shown, in_words=said)
    paper = paper.without(refused)
    if not paper.claims:
        raise nothing_left(paper)
    for refusal in paper.refused:
        say(f"refused: {refusal}")
    gc.freeze()  # the paper stays to the end of the command: no search for garbage goes through it
    return paper


def index_claims(claims: Path | None, store: Path) -> tuple[Index, tuple[Refusal, ...]]:
    """Return the index of a folder: the kept one while it is fresh, else a new one by importing the whole folder.

    Fresh means that no file of the folder, no line of the library and no version of what it stands on has changed. With
    it comes what is refused in the folder, which then keeps no index.

    Args:
        claims: The folder, None for the claims that come along.
        store: The folder in which the index is kept.
    """
    from rgm_verify.engine.discovery import index_of
    from rgm_verify.engine.index import keep_index, origin, read_index
    from rgm_verify.jobs.fingerprint import looks_kept

    if (kept := read_index(claims_folder(claims), store)) is not None:
        return kept, ()
    # Parsing the library takes seconds, and contents that were seen before are not parsed again.
    with looks_kept(store / "looks.json"):  # nothing is written for a folder with a mistake in it
        # Before the import: a file that changes during it must not be under the digest.
        before = origin(claims_folder(claims))
        paper = load_claims(claims)
    index = index_of(paper)
    # A folder with a fault has none: every command says the fault.
    keep_index(claims_folder(claims), store, index, None if paper.refused else before)
    return index, paper.refused


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
        index, refused = index_claims(claims, store)
        named = {refusal.claim for refusal in refused} - {""}
        chosen = tuple(i for i in select((*index.ids, *sorted(named)), ids) if i not in named)
        if not chosen:
            raise InputError(f"id={' '.join(ids)}: not judged, for the reason above")
        with printing_apart():
            part = load_part(claims_folder(claims), {row.id: row.file for row in index.closure(chosen)}, say)
        return dataclasses.replace(part, title=index.title, above=index.leaned_on_by(), refused=refused), chosen


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
