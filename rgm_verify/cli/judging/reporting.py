"""The command that writes a report, and what `run` and `show` share with it: the ledger of what is in the store.

Nothing is judged here. A report names the versions of the run that first found its content, so that a run elsewhere
with the same findings changes no byte of a committed report.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rgm_verify.cli.common import EXIT_BAD_INPUT, errors
from rgm_verify.cli.judging.folders import (
    claims_option,
    load_claims,
    out_option,
    profile_option,
    report_folder,
    say,
    store_option,
)
from rgm_verify.numbers.counted import counted

if TYPE_CHECKING:
    from rgm_verify.claims.outcome.ledger import Ledger
    from rgm_verify.engine.discovery import Paper
    from rgm_verify.engine.run import Outcome
    from rgm_verify.report.changes import Changes


@click.command("report")
@profile_option
@claims_option
@store_option
@out_option
@click.option(
    "--ledger",
    "whole",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write no report, but the ledger of the one that is there as one JSON file.",
)
@click.option(
    "--from",
    "source",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="Write the report again from its ledger, such as reports/ledger, without claims and evidence: the pages that "
    "are not committed are made so. It goes beside that ledger, or into --out.",
)
@click.option(
    "--readme",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="With --from: put the first screen of the report between the comments of this file, `<!-- first: errors -->`, "
    "`picture` or `counts`, and `<!-- end -->`.",
)
def report_command(
    profile: str,
    claims: Path | None,
    store: Path,
    out: Path | None,
    whole: Path | None,
    source: Path | None,
    readme: Path | None,
) -> None:
    """Write the report from the evidence in the store, without running anything."""
    with errors():
        from rgm_verify.errors import InputError

        if readme is not None and source is None:
            raise InputError("--readme: give the ledger as well, by --from")

        if source is not None:
            if whole is not None:
                raise InputError("--from and --ledger: give one of the two")
            written = from_ledger(source, out)
            _say_report(written)
            if readme is not None:
                _fill(readme, written)
            return
        out = report_folder(out, claims)
        # Of the report that is there: reading it needs neither claims nor a store.
        if whole is not None:
            _write_whole(out, whole)
            return
        paper = load_claims(claims)
        paper, ledger, certificates, missing = from_store(paper, profile, store, None)
        if missing:
            # A report with claims left out would look like one in which they were judged and dropped.
            names = ", ".join(missing[:5]) + (", ..." if len(missing) > 5 else "")
            raise InputError(
                f"store={store}: not judged as it stands: {counted(len(missing), 'claim')} ({names}); use `run` first"
            )
        replace_report(paper, ledger, certificates, out, store)
        _say_report(out)
    sys.exit(EXIT_BAD_INPUT if paper.refused else 0)


@click.command("open")
@claims_option
@out_option
@click.option("--no-browser", is_flag=True, help="Say where the page is, and open no browser.")
def open_command(claims: Path | None, out: Path | None, no_browser: bool) -> None:
    """Show the report in a browser; its pages are made first where only its ledger is there, as in a fresh clone."""
    with errors():
        from rgm_verify.claims.outcome.ledger_files import FOLDER

        folder = report_folder(out, claims)
        page = folder / "site" / "index.html"
        if not page.is_file():
            from_ledger(folder / FOLDER, None)
        click.echo(page)
        if not no_browser:
            click.launch(str(page.resolve()))


def _say_report(out: Path) -> None:
    """Say where a report begins."""
    click.echo(f"report: {out / 'README.md'} and {out / 'site' / 'index.html'}")


def from_ledger(source: Path, out: Path | None) -> Path:
    """Write a report again from its ledger, with its certificates and the changes that it names.

    Args:
        source: The folder of the ledger, or that of the report.
        out: The folder of the report that is written; beside the ledger where it is None.

    Returns:
        The folder of the report.

    Raises:
        InputError: Where there is no ledger, or one that cannot be used, and for a folder that cannot be written.
    """
    from rgm_verify.claims.outcome.ledger import LedgerError
    from rgm_verify.claims.outcome.ledger_files import FOLDER, INDEX
    from rgm_verify.errors import InputError
    from rgm_verify.report.changes import FILE, read_changes
    from rgm_verify.report.write import write_report

    place = source if (source / INDEX).is_file() else source / FOLDER
    ledger = _read(place)
    report = place.parent
    certificates = {path.name: path.read_bytes() for path in (report / "certificates").glob("*.json")}
    try:
        since = read_changes(report / FILE, ledger)
    except LedgerError as error:
        raise InputError(str(error)) from error
    write_report(ledger, out or report, certificates=certificates, since=since)
    return out or report


def _fill(readme: Path, report: Path) -> None:
    """Put the first screen of a report into another README.

    Args:
        readme: The file, which is replaced.
        report: The folder of the report.

    Raises:
        InputError: For a file that cannot be read, or without a place for it.
    """
    from os.path import relpath

    from rgm_verify.claims.outcome.ledger_files import FOLDER
    from rgm_verify.jobs.files import read_within, write_atomically
    from rgm_verify.report.markdown.first import filled

    above = Path(relpath(report, readme.parent)).as_posix() + "/"
    text = read_within(readme, 10_000_000).decode()
    write_atomically(readme, filled(text, _read(report / FOLDER), above).encode())
    click.echo(f"first screen: {readme}")


def _read(place: Path) -> Ledger:
    """Read the ledger of a report; `InputError` where there is none, or one of another version."""
    from rgm_verify.claims.outcome.ledger import LedgerError
    from rgm_verify.claims.outcome.ledger_files import INDEX, read_ledger
    from rgm_verify.errors import InputError

    try:
        return read_ledger(place)
    except FileNotFoundError:
        raise InputError(f"{place / INDEX}: no ledger; `rgm-verify run` writes one, --out names it") from None
    except LedgerError as error:
        raise InputError(str(error)) from error


def _write_whole(out: Path, whole: Path) -> None:
    """Write the ledger of a report as one file, for whoever reads it by a program.

    A report holds it in many files, one for each file of claims, which keeps the differences of two versions readable.

    Args:
        out: The folder of the report.
        whole: The file, which is replaced.

    Raises:
        InputError: Where the folder has no ledger, or one of another version.
    """
    from rgm_verify.claims.outcome.ledger import encode
    from rgm_verify.claims.outcome.ledger_files import FOLDER
    from rgm_verify.jobs.files import write_atomically

    write_atomically(whole, encode(_read(out / FOLDER)))
    click.echo(f"ledger: {whole}")


def from_store(
    paper: Paper, profile: str, store: Path, shown: tuple[str, ...] | None
) -> tuple[Paper, Ledger, dict[str, dict[str, Any]], list[str]]:
    """The ledger of the claims shown (all, if that is None), the certificates, and the ids without stored evidence.

    The folder comes first, without what is refused only now.

    Args:
        paper: The claims and chapters.
        profile: The name of the profile.
        store: The folder with the evidence.
        shown: Ids, None for all.

    Returns:
        The ledger, region certificates by the id of their claim, and the ids of what would have to be judged first.
    """
    from rgm_verify.engine.by_hand import with_theorems
    from rgm_verify.engine.outcome.assemble import assemble
    from rgm_verify.engine.proofs import with_proofs
    from rgm_verify.engine.run import plan
    from rgm_verify.engine.store import Store

    # The plan of a run that is then not made: it says which evidence is fresh.
    outcome, todo, _ = plan(paper, (*paper.chapters, *paper.claims), profile, Store(store))
    # Kept proofs are checked by the kernel each time: nothing in a store vouches for them.
    paper = without_refused(paper, outcome)
    records = with_theorems(paper, with_proofs(paper, outcome.records))
    ledger, certificates = assemble(paper, records, profile, shown=shown)
    return paper, ledger, certificates, list(todo)


def without_refused(paper: Paper, outcome: Outcome) -> Paper:
    """Return the folder without items whose mistake showed only when they were to be judged; these are said now.

    Args:
        paper: The claims and chapters.
        outcome: What came of them.

    Raises:
        InputError: Where no claim is left.
    """
    from rgm_verify.engine.discovery import nothing_left
    from rgm_verify.engine.importing import Refusal

    found = [Refusal(paper.files[i], message, claim=i) for i, message in sorted(outcome.refused.items())]
    left = paper.without(found)
    if not left.claims:
        raise nothing_left(left)
    for refusal in left.refused[len(paper.refused) :]:
        say(f"refused: {refusal}")
    return left


def replace_report(
    paper: Paper, ledger: Ledger, certificates: dict[str, dict[str, Any]], out: Path, store: Path
) -> None:
    """Write the report with what changed since the last one, and the versions of the run that first found its content.

    Args:
        paper: The claims, for their places in the code.
        ledger: The content.
        certificates: Region certificates by the id of their claim.
        out: The folder, whose old report is replaced as a whole.
        store: The place of evidence, where the versions are kept.

    Raises:
        InputError: Where the folder cannot be written, holds something else, or the ledger cannot be shown.
    """
    from rgm_verify.claims.outcome.ledger_files import FOLDER
    from rgm_verify.engine.lines import lines_of
    from rgm_verify.engine.outcome.made_with import as_first_found
    from rgm_verify.report.code import CodePlaces, folder_beside
    from rgm_verify.report.write import write_report

    here = ledger.versions
    ledger = as_first_found(ledger, out / FOLDER)
    _say_versions(here, ledger.versions, store)
    # Sorted and without blanks: the same certificate has to be the same file.
    texts = {n: (json.dumps(c, sort_keys=True, separators=(",", ":")) + "\n").encode() for n, c in certificates.items()}
    # Read before the old report is replaced.
    since = _since(ledger, out)
    code = CodePlaces(folder_beside(out, paper.folder), lines_of(paper))
    write_report(ledger, out, certificates=texts, since=since, memory=store / "last-report.json", code=code)


def _say_versions(here: dict[str, str], named: dict[str, str], store: Path) -> None:
    """Keep the versions of this run beside its evidence, and say which differ from those that the report names.

    The report keeps the older ones, so that a run elsewhere with the same findings changes no byte of it.

    Args:
        here: The versions of this run.
        named: Those in the report.
        store: The place of evidence.
    """
    from rgm_verify.jobs.files import write_atomically

    write_atomically(store / "versions.json", (json.dumps(here, indent=1, sort_keys=True) + "\n").encode())
    # Said and not written: the reader of the report wants the versions of its evidence.
    others = [f"{name} {here[name]} ({named.get(name)})" for name in sorted(here) if here[name] != named.get(name)]
    if others:
        click.echo(
            f"the same was found before with other versions, and the report names those (in parentheses): "
            f"{', '.join(others)}",
            err=True,
        )


def _since(ledger: Ledger, out: Path) -> Changes | None:
    """Return the changes since the report in `out`; None where there is nothing to compare with.

    Where it has the same ledger, the changes that it names stay: writing a report twice gives the same bytes. A ledger
    that cannot be used is said and set aside; one of an earlier version is replaced.

    Args:
        ledger: The ledger of this report.
        out: The folder of the last one.
    """
    from rgm_verify.claims.outcome.ledger import EarlierLedger, LedgerError
    from rgm_verify.claims.outcome.ledger_files import FOLDER, read_ledger
    from rgm_verify.errors import InputError
    from rgm_verify.jobs.files import set_aside
    from rgm_verify.report.changes import FILE, changes, read_changes

    path = out / FOLDER
    try:
        # Compared as ledgers and not as files: another order of bytes is no change.
        last = read_ledger(path)
        if last != ledger:
            return changes(last, ledger)
        path = out / FILE
        return read_changes(path, ledger)
    except FileNotFoundError:
        return None
    # No damage: an update of the program changes the format, and the new report replaces the old one.
    except EarlierLedger as error:
        happens = f"{error}; this report replaces it"
    except (LedgerError, InputError) as error:
        happens = f"{error}; set aside as {set_aside(path)}"
    click.echo(f"{happens}; the report is written without a comparison with it", err=True)
    return None


def holds_report(out: Path) -> bool:
    """Return whether a report lies in the folder, of this version or an earlier one.

    Args:
        out: The folder, which need not exist.
    """
    from rgm_verify.claims.outcome.ledger_files import FOLDER

    return any((out / name).exists() for name in (FOLDER, f"{FOLDER}.json"))


def require_writable(out: Path) -> None:
    """Fail before the work, not after it, when the report cannot be written.

    Nothing is made or written here; a disk may still be full at the end.

    Args:
        out: The folder of the report, which need not exist.

    Raises:
        InputError: With the folder and the reason.
    """
    import os

    from rgm_verify.errors import reject

    place = out
    # The folders above are made as well, so that the nearest one that exists decides; a broken link is there.
    while not place.exists() and not place.is_symlink():
        # Upward ends at the root or at the current folder, and both exist.
        place = place.parent
    if not place.is_dir() or not os.access(place, os.W_OK):
        raise reject("out", str(out), f"{place} is not a writable folder; choose another with --out")
