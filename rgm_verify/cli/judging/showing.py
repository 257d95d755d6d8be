"""The command that shows one claim: with its evidence where that is fresh, else as a report has it.

Where nothing was ever run, the report answers alone, and no claim is imported. Otherwise only the files that the claim
needs are. Where the store has no evidence of a claim as it stands, nothing is run: the entry comes from the report of
the last run, or of the checkout, if that is about the same statement.
"""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rgm_verify.cli.common import EXIT_BAD_INPUT, errors, json_option
from rgm_verify.cli.judging.folders import (
    ClaimId,
    choose_claims,
    claims_folder,
    claims_option,
    ids_reported,
    out_option,
    places_of_report,
    profile_option,
    store_option,
)
from rgm_verify.cli.judging.reporting import from_store

if TYPE_CHECKING:
    from rgm_verify.claims.outcome.ledger import ClaimEntry, Ledger, PrintedEntry

#: Stands in the place of a verdict where there is none.
NOT_JUDGED = "not judged"


@click.command("show")
@click.argument("claim_id", metavar="ID", type=ClaimId())
@profile_option
@claims_option
@store_option
@out_option
@json_option
def show_command(
    claim_id: str, profile: str, claims: Path | None, store: Path, out: Path | None, as_json: bool
) -> None:
    """Show one claim with its verdict and evidence.

    Where it was not judged as it stands, it shows what the report says, if that is of this statement: the report of the
    last run, or the one that comes with rgm-verify. Without either the verdict is `not judged`.
    """
    with errors():
        from rgm_verify.errors import reject

        # In a fresh clone it takes a minute to import all claims, and the report that comes with them has the answer.
        places = _places_of_report(out, claims, store)
        if not store.exists() and (told := _reported(claim_id, places)) is not None:
            ledger, where = told
            command = _run_again(claim_id, claims, profile, store)
            _say(ledger, ledger.claims[0], [f"{where}; `{command}` judges it as it stands here"], as_json=as_json)
            return
        if not store.exists():
            _require_known(claim_id, claims, places)
        paper, chosen = choose_claims(claims, store, (claim_id,))
        # A pattern may name one claim today and two tomorrow.
        if chosen != (claim_id,):
            raise reject("id", claim_id, "give one id, without a wildcard; `list` shows them all")
        paper, ledger, _, missing = from_store(paper, profile, store, chosen)
        if not ledger.claims:
            raise reject("id", claim_id, "not judged, for the reason above")
        (entry,) = ledger.claims
        from rgm_verify.statements.printed import printed_against_judged

        notes = [*filter(None, [printed_against_judged(paper.claims[claim_id])])]
        # Without evidence of one of its premises the verdict would be `undecided`, which says nothing of the claim.
        if missing:
            command = _run_again(claim_id, claims, profile, store)
            entry, note = _as_reported(entry, places, command)
            what = "it" if missing == [claim_id] else "it or what it rests on"
            notes = [*notes, *filter(None, [note]), f"{what} was not judged as it stands: `{command}` does so"]
        _say(ledger, entry, notes, as_json=as_json)
    sys.exit(EXIT_BAD_INPUT if paper.refused else 0)


def _say(ledger: Ledger, entry: ClaimEntry, notes: list[str], *, as_json: bool) -> None:
    """Print a claim, as data or for reading.

    Args:
        ledger: The ledger that has the statements which it answers.
        entry: The claim.
        notes: What to say below it, to a reader.
        as_json: Whether a program reads it.
    """
    if as_json:
        import msgspec

        click.echo(msgspec.json.format(msgspec.json.encode(entry)).decode())
        return
    from rgm_verify.report.consequences import Consequences

    _print_claim(entry, Consequences(ledger).printed(entry))
    for note in notes:
        click.echo(f"\n{note}")


def _reported(claim_id: str, places: list[Path]) -> tuple[Ledger, str] | None:
    """Return the ledger of one claim from the first report that has it, and words on where it comes from.

    None where no report has it: whoever imports the claims then knows whether there is one, and says why a ledger
    cannot be used.

    Args:
        claim_id: An id; a pattern is none.
        places: Folders where a report may lie.
    """
    from rgm_verify.claims.outcome.ledger import LedgerError
    from rgm_verify.claims.outcome.ledger_files import FOLDER, read_one

    for place in places:
        try:
            found = read_one(place / FOLDER, claim_id)
        except (FileNotFoundError, LedgerError):
            continue
        if found is not None:
            return found, _as_reported_in(place / FOLDER, found)
    return None


def _require_known(claim_id: str, claims: Path | None, places: list[Path]) -> None:
    """Raise `InputError` for an id that neither a report nor any file of the claims has, before these are imported.

    Args:
        claim_id: An id; a pattern is left to who imports the claims.
        claims: The folder of claims, None for those of the library.
        places: Folders where a report may lie.
    """
    from rgm_verify.claims.outcome.ledger import LedgerError
    from rgm_verify.errors import no_such_claim

    known: list[str] = []
    for place in places:
        with suppress(FileNotFoundError, LedgerError):
            known += ids_reported(place)
    # A claim that was written since stands in its file, whole or behind a source that is filled in.
    part = ":" + claim_id.rpartition(":")[2]
    files = claims_folder(claims).rglob("*.py")
    if known and "*" not in claim_id and not any(part in text for text in _texts(files)):
        raise no_such_claim(claim_id, dict.fromkeys(known))


def _texts(files: Iterable[Path]) -> Iterator[str]:
    """Yield the texts of files; one that cannot be read is left to who imports it."""
    for path in files:
        with suppress(OSError, ValueError):
            yield path.read_text(encoding="utf-8")


def _as_reported_in(place: Path, ledger: Ledger) -> str:
    """Return words on the ledger that an answer comes from."""
    return f"as reported with version {ledger.versions.get('rgm-verify', 'of no known number')} in {place}"


def _run_again(claim_id: str, claims: Path | None, profile: str, store: Path) -> str:
    """Return the command that makes what `show` with the same options finds, quoted for a shell.

    Options that have their usual values are left out.

    Args:
        claims: The folder of claims, None for those of the library.
        profile: The name of the profile.
        store: The place of evidence.

    Examples:
        >>> _run_again("own:a", Path("my claims"), "quick", Path(".rgm_verify"))
        "rgm-verify run own:a --claims 'my claims'"
    """
    words = ["rgm-verify", "run", claim_id]
    words += [] if claims is None else ["--claims", str(claims)]
    words += [] if profile == "quick" else ["--profile", profile]
    words += [] if store == Path(".rgm_verify") else ["--store", str(store)]
    return shlex.join(words)


def _places_of_report(out: Path | None, claims: Path | None, store: Path) -> list[Path]:
    """Return the folders where a report on the claims may lie: also that of the last run, and that of the checkout.

    Args:
        out: The folder that was asked for, and then the only one.
        claims: The folder of claims, None for those of the library.
        store: The place of evidence, which remembers the last report.
    """
    first, *own = places_of_report(out, claims)
    # Behind the usual folder: somebody may have written a report there since.
    remembered = _remembered_reports(store).get(_of_claims(claims), []) if out is None else []
    return [first, *remembered, *own]


#: The file of a store that says where the reports on folders of claims lie.
_REPORTS = "reports.json"


def _of_claims(claims: Path | None) -> str:
    """Return the name of a folder in the list of reports: its absolute path, empty for the library's own claims."""
    return "" if claims is None else str(claims.resolve())


def remember_report(store: Path, claims: Path | None, out: Path) -> None:
    """Keep where the report on a folder of claims lies, so that `show` finds it.

    Args:
        store: The place of evidence.
        claims: The folder of claims, None for those of the library.
        out: The folder of the report, of which the last one counts.
    """
    from rgm_verify.jobs.files import write_atomically

    known = {name: [str(place) for place in places] for name, places in _remembered_reports(store).items()}
    # Absolute: the next command may run in another folder.
    known[_of_claims(claims)] = [str(out.resolve())]
    write_atomically(store / _REPORTS, (json.dumps(known, indent=1, sort_keys=True) + "\n").encode())


def _remembered_reports(store: Path) -> dict[str, list[Path]]:
    """Return where reports lie by folder of claims.

    The file is a convenience of `show`: where it is missing, damaged or of another form, nothing is known, and no
    command fails for it.
    """
    from rgm_verify.jobs.files import read_within

    try:
        known = json.loads(read_within(store / _REPORTS, 1_000_000))
    # Not said: the user has not asked for this file and cannot miss it.
    except (OSError, ValueError):
        return {}
    # Valid JSON of any shape may lie there: the folder is the user's.
    if not isinstance(known, dict):
        return {}
    return {str(name): [Path(p) for p in v if isinstance(p, str)] for name, v in known.items() if isinstance(v, list)}


def _as_reported(entry: ClaimEntry, places: list[Path], command: str) -> tuple[ClaimEntry, str]:
    """The entry of the first report that has one of the same statement, or else the given one as not judged; and words.

    A report of another version of the statement is told and not shown, as its verdict is about something else.

    Args:
        entry: The claim as it is now, without evidence.
        places: Folders where a report may lie.
        command: Judges the claim.

    Returns:
        The entry, and a note on where it comes from; empty where no report has the claim.
    """
    import msgspec

    from rgm_verify.claims.outcome.ledger import LedgerError
    from rgm_verify.claims.outcome.ledger_files import FOLDER, read_one

    words = ""
    for place in places:
        try:
            ledger = read_one(place / FOLDER, entry.id)
        except FileNotFoundError:
            continue
        except LedgerError as error:
            words = str(error)
            continue
        if ledger is None:
            continue
        (found,) = ledger.claims
        if _states(found) == _states(entry):
            return found, f"{_as_reported_in(place / FOLDER, ledger)}, of this statement"
        words = f"{place / FOLDER} has another version of this statement ({found.verdict})"
    # No word of a verdict where nobody looked.
    return msgspec.structs.replace(entry, verdict=NOT_JUDGED, reason=f"`{command}` does it", evidence=[]), words


def _states(entry: ClaimEntry) -> tuple[object, ...]:
    """Return the statement of a claim as its page shows it; where two differ, another thing was judged."""
    given = [(h.name, h.latex) for h in entry.hypotheses]
    return entry.title, entry.statement, entry.formula, entry.quantifier, entry.variables, given


def _print_claim(entry: ClaimEntry, prints: list[PrintedEntry]) -> None:
    """Print a claim for reading.

    Statement, formula, hypotheses, verdict, evidence, controls and witness, each as its page shows it but without
    LaTeX.

    Args:
        entry: The claim in the ledger.
        prints: What the source prints for the statements that it answers.
    """
    from rgm_verify.claims.outcome.checkers import CHECKERS, checked_by
    from rgm_verify.claims.outcome.plain import plain
    from rgm_verify.report.texts.readable import readable, readable_formula

    click.echo(f"{entry.id}: {readable(entry.title)}\n{', '.join(filter(None, (entry.source, entry.where)))}\n")
    _print_statement(entry, prints)
    for name in entry.names:
        click.echo(f"  where {readable_formula(f'{name.latex} = {name.value}')}")
    click.echo()
    for hypothesis in entry.hypotheses:
        click.echo(f"  given {hypothesis.name}: {readable_formula(hypothesis.latex)}  [dropped: {hypothesis.dropped}]")
    click.echo(f"\nverdict: {entry.verdict}  ({readable(plain(entry.reason))})")
    if entry.in_words:
        click.echo(f"wrong: {readable(entry.in_words)}")
    # Right below the verdict: how much to trust it depends on this.
    if checker := checked_by(entry):
        click.echo(f"checked by: {checker} ({CHECKERS[checker]})")
    if entry.category:
        click.echo(f"category: {entry.category}; corrected: {entry.corrected or 'none'}")
    for evidence in entry.evidence:
        by = f"{evidence.lens} ({evidence.kind}): {evidence.summary}"
        click.echo(f"  {evidence.finding}: {readable(plain(by))}")
    for mutant in entry.mutants:
        how = readable(plain(mutant.how))
        click.echo(f"  control {mutant.name!r}: {'refuted' if mutant.killed else 'SURVIVED'}; {how}")
    # At the end, so that it can be copied from the terminal.
    if entry.witness is not None:
        click.echo(f"\nwitness, margin in [{', '.join(entry.witness.margin)}]:\n{entry.witness.snippet}")


def _print_statement(entry: ClaimEntry, prints: list[PrintedEntry]) -> None:
    """Print what the source prints, our words, and what is judged, each under its own name."""
    from rgm_verify.report.texts.readable import readable, readable_formula

    for print_ in prints:
        formula = readable_formula(print_.formula) if print_.formula else "words only, no formula"
        click.echo(f"printed ({readable(print_.place)}): {formula}")
        if print_.note:
            click.echo(f"  {readable(print_.note)}")
    if entry.statement:
        click.echo(f"{'in our words: ' if prints else ''}{readable(entry.statement)}")
    own = "" if any(print_.formula for print_ in prints) else entry.printed
    for words, formula in (("", own), ("judged is: " if prints or own else "", entry.formula)):
        if formula:
            click.echo(f"{words}{readable_formula(formula)}")
