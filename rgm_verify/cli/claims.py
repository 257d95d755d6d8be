"""The commands on claims: list, run, show, report, replay.

Each command imports what it needs late, so that `--help` and a wrong option are answered at once.
What can be wrong with the input (an id, a folder that cannot be written, a damaged file of expected
verdicts) is said before the work, which may take an hour.
"""

from __future__ import annotations

import dataclasses
import gc
import json
import shlex
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rgm_verify.cli.common import (
    EXIT_DIFFERENT,
    errors,
    json_option,
    memory_option,
    printing_apart,
    stopped_workers,
    task_progress,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rgm_verify.balls.replay import ReplayResult
    from rgm_verify.claims.outcome.ledger import ClaimEntry, Ledger
    from rgm_verify.engine.discovery import Paper
    from rgm_verify.engine.index import Index
    from rgm_verify.engine.run import Outcome
    from rgm_verify.engine.store import Store
    from rgm_verify.report.changes import Changes

_claims = click.option(
    "--claims",
    type=click.Path(path_type=Path),
    help="A folder of claims, yours for instance; without it, the claims that come with rgm-verify. It is code, and "
    "every command executes it, `list` and `show` too.",
)
_store = click.option(
    "--store",
    type=click.Path(path_type=Path),
    default=Path(".rgm_verify"),
    show_default=True,
    help="Folder that keeps the evidence between runs.",
)
_profile = click.option(
    "--profile",
    type=click.Choice(["quick", "full"]),
    default="quick",
    show_default=True,
    help="Effort of the search: minutes, or hours.",
)
_out = click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="The report's folder; without it reports/, or reports-FOLDER/ for claims of your own.",
)

_FEW = 20  # claims, each of which a run prints


@click.command("list")
@_claims
@_store
@json_option
def list_command(claims: Path | None, store: Path, as_json: bool) -> None:
    """List the claims: id, source, place and title."""
    with errors():
        rows = [
            {"id": c.id, "refs": list(c.refs), "source": c.source, "where": c.where, "kind": c.kind, "title": c.title}
            for c in _index(claims, store).rows
        ]
        if as_json:
            click.echo(json.dumps(rows, indent=1, ensure_ascii=False))
            return
        width = max(len(str(r["id"])) for r in rows)
        for row in rows:
            click.echo(f"{row['id']:<{width}}  {row['title']}")


@click.command("run")
@click.argument("ids", nargs=-1)
@_profile
@click.option("--jobs", type=click.IntRange(min=1), help="Worker processes; one per core unless given.")
@memory_option
@_claims
@_store
@_out
@click.option("--executor", metavar="dask://HOST:PORT", help="Run on a cluster of `distributed` instead.")
@click.option("--accept", is_flag=True, help="Write the verdicts found as the expected ones.")
@click.option("--repair", is_flag=True, help="Set damaged evidence files aside first.")
@click.option("--incomplete", is_flag=True, help="Replace the report also where claims were not finished.")
@json_option
def run_command(
    ids: tuple[str, ...],
    profile: str,
    jobs: int | None,
    memory: int,
    claims: Path | None,
    store: Path,
    out: Path | None,
    executor: str | None,
    accept: bool,
    repair: bool,
    incomplete: bool,
    as_json: bool,
) -> None:
    """Judge claims, keep the evidence, and (for a run of all of them) write the report.

    IDS are claim ids; `*` matches anything. A claim with fresh evidence is not run again. A claim whose worker dies, or
    that runs out of time or memory, is tried once more, alone; if that fails too, it stays open, and an earlier report
    is kept.
    """
    with errors():
        from rgm_verify.engine.discovery import index_of
        from rgm_verify.engine.index import keep_index, origin
        from rgm_verify.engine.outcome import expected
        from rgm_verify.engine.store import Store

        before = None if ids else origin(_folder(claims))
        paper, chosen = _chosen(claims, store, ids)
        out = _report_folder(out, claims)
        _refuse_partial_acceptance(ids, accept=accept)
        # What is wrong with the file is said before the work.
        wanted_verdicts = None if accept else expected.read(paper.folder)
        if not ids:
            _require_writable(out)
        kept = Store(store)
        for moved in kept.repair() if repair else ():
            click.echo(f"set aside: {moved}", err=True)
        _say_other_layouts(kept)
        wanted = tuple(paper.claims) if ids else (*paper.chapters, *chosen)
        outcome = _run(paper, wanted, profile, jobs, memory, kept, executor)
        if not ids:
            keep_index(paper.folder, store, index_of(paper), before)
        _refuse_incomplete_acceptance(outcome, accept=accept)
        writes = not ids and (incomplete or not outcome.unfinished or not _holds_report(out))
        code = _conclude(
            paper,
            outcome,
            profile,
            out if writes else None,
            store,
            wanted_verdicts,
            chosen=chosen if ids else None,
            accept=accept,
            as_json=as_json,
        )
        if writes:
            _remember_report(store, claims, out)
        _say_what_is_open(outcome, out, kept=not ids and not writes)
    sys.exit(code)


def _holds_report(out: Path) -> bool:
    """Return whether a report lies in the folder, of this version or an earlier one.

    Args:
        out: The folder.
    """
    from rgm_verify.claims.outcome.ledger_files import FOLDER

    return any((out / name).exists() for name in (FOLDER, f"{FOLDER}.json"))


def _refuse_partial_acceptance(ids: tuple[str, ...], *, accept: bool) -> None:
    """Raise `InputError` for `--accept` with ids: the file of expected verdicts is one for all claims."""
    from rgm_verify.errors import reject

    if accept and ids:
        raise reject(
            "--accept", " ".join(ids), "the expected verdicts are written for all claims together: give no ids"
        )


def _refuse_incomplete_acceptance(outcome: Outcome, *, accept: bool) -> None:
    """Raise `InputError` for `--accept` where claims were not finished: these would become undecided."""
    from rgm_verify.errors import InputError

    if accept and outcome.unfinished:
        raise InputError(f"--accept: not finished: {_named(outcome.unfinished)}; nothing was written, run again first")


def _say_what_is_open(outcome: Outcome, out: Path, *, kept: bool) -> None:
    """Tell a user of claims that were not finished, and that another run resumes.

    Args:
        outcome: The result of a run.
        out: The folder of the report.
        kept: Whether the old report was left as it is.
    """
    if outcome.unfinished:
        click.echo(
            f"open: {_named(outcome.unfinished)}; what is finished is stored: run again, and only the rest is judged",
            err=True,
        )
    if kept:
        click.echo(f"the report in {out} is still the one from before (--incomplete replaces it)", err=True)


def _named(ids: Iterable[str]) -> str:
    """Return the first five of some ids, and how many more there are."""
    names = sorted(ids)
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def _index(claims: Path | None, store: Path) -> Index:
    """Return the index of a folder: the kept one while it is fresh, else a new one by importing the whole folder.

    Args:
        claims: The folder, None for the claims that come along.
        store: The folder in which the index is kept.
    """
    from rgm_verify.engine.index import read_index

    return read_index(_folder(claims), store) or _load_whole(claims, store)[1]


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

    with looks_kept(store / "looks.json"):  # nothing is written for a folder with a mistake in it
        # Before the import: a file that changes during it must not be under the digest.
        before = origin(_folder(claims))
        paper = _load(claims)
    index = index_of(paper)
    keep_index(_folder(claims), store, index, before)
    return paper, index


def _chosen(claims: Path | None, store: Path, ids: tuple[str, ...]) -> tuple[Paper, tuple[str, ...]]:
    """The claims that are asked for with all that they rest on, and the ids of the former; without ids, everything.

    While the index of the folder is fresh, only the files of these claims are imported. Every other file was imported
    when the index was made, and has not changed since.
    """
    with _loading():
        from rgm_verify.engine.discovery import load_part, select

        if not ids:
            paper = _load(claims)
            return paper, paper.select(ids)
        index = _index(claims, store)
        chosen = select(index.ids, ids)
        with printing_apart():
            part = load_part(_folder(claims), {row.id: row.file for row in index.closure(chosen)}, _say)
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
        gc.freeze()
        if before:
            gc.enable()


def _run(
    paper: Paper,
    chosen: tuple[str, ...],
    profile: str,
    jobs: int | None,
    memory: int,
    store: Any,
    address: str | None,
) -> Outcome:
    """Judge claims in workers, with a display of the progress.

    Args:
        paper: The folder of claims, or the part of it that is needed.
        chosen: The ids that were asked for; what they rest on is judged with them.
        profile: The effort.
        jobs: The number of workers, that of the processors if none is given.
        memory: The memory of a worker, in GiB.
        store: The place of evidence.
        address: That of a Dask scheduler, whose workers are used then.

    Returns:
        The records, and what went wrong.
    """
    import os

    from rgm_verify.engine.run import JUDGING, run
    from rgm_verify.jobs.workers import make_executor

    # Said before the work, not in a report that is read later.
    _say_what_is_missing(profile)
    executor = make_executor(jobs or os.cpu_count() or 1, address, JUDGING, memory << 30)
    with (
        printing_apart(),
        stopped_workers(executor),
        task_progress(sum(i in paper.claims for i in chosen), "judging", "claims judged") as progress,
    ):

        def judged(name: str, state: str) -> None:
            # Chapters are made beside the claims, and are none.
            if name in paper.claims:
                progress(name, state)

        return run(paper, chosen, profile=profile, store=store, executor=executor, progress=judged)


def _say_other_layouts(store: Store) -> None:
    """Say that files of another version lie in the store, which are not used."""
    if count := store.other_layouts():
        click.echo(
            f"store={store.folder}: {count} of its files are in the layout of another version of rgm-verify: they are "
            "not used, and what they are about is judged again",
            err=True,
        )


def _say_what_is_missing(profile: str) -> None:
    """Say that the second solver of a profile is not installed."""
    from rgm_verify.lenses.base import PROFILES, second_solver

    if PROFILES[profile].second_solver and second_solver(PROFILES[profile]) is None:
        click.echo(
            f"the profile {profile} asks a second solver about every answer of z3's, and cvc5 is not installed: it "
            "goes on without; pip install 'rgm-verify[cvc5]'",
            err=True,
        )


def _conclude(
    paper: Paper,
    outcome: Outcome,
    profile: str,
    out: Path | None,
    store: Path,
    wanted: Mapping[str, str] | None,
    *,
    chosen: tuple[str, ...] | None,
    accept: bool,
    as_json: bool,
) -> int:
    """Compute the verdicts, write the report (where it has a place), compare with those `wanted`, and print.

    Args:
        paper: The claims and chapters.
        outcome: The records.
        profile: The name of the profile.
        out: The folder for the report, None for none.
        store: The folder with the evidence.
        wanted: Expected verdicts, None without any.
        chosen: Ids that were asked for, None for all.
        accept: Whether the verdicts found become the expected ones.
        as_json: Whether the answer is for a program.

    Returns:
        The exit code.
    """
    from rgm_verify.engine.outcome import expected
    from rgm_verify.engine.outcome.assemble import assemble, judgements
    from rgm_verify.engine.proofs import with_proofs

    # Kept proofs are checked at every run, and never stored as evidence.
    records = with_proofs(paper, outcome.records)
    verdicts = {i: j.verdict for i, j in judgements(paper, records).items() if i in records}
    ledger, certificates = assemble(paper, records, profile, shown=chosen)
    if out is not None:
        _write_report(paper, ledger, certificates, out, store)
    if accept:
        click.echo(f"expected verdicts written to {expected.accept(paper.folder, verdicts)}", err=True)
        wanted = expected.read(paper.folder)
    differences = None
    if wanted is not None:
        differences = [str(d) for d in expected.compare(wanted, verdicts, ids=chosen, deeper=profile == "full")]
    _print_run(ledger.claims, outcome, differences, accepted=accept, as_json=as_json, out=out)
    return EXIT_DIFFERENT if differences or outcome.failures else 0


def _print_run(
    shown: list[ClaimEntry],
    outcome: Outcome,
    differences: list[str] | None,
    *,
    accepted: bool,
    as_json: bool,
    out: Path | None,
) -> None:
    """Print what was found: for a program everything, for a reader what is news to them, and the counts.

    A short run shows each claim. Of a long one that has expected verdicts only those that differ are news; of one that
    has none, what is refuted or undecided.

    Args:
        shown: The entries of the claims that were asked for.
        outcome: The records, with what failed and what was not finished.
        differences: Where verdicts are not the expected ones, None without expected verdicts.
        accepted: Whether the expected verdicts have just been made of these.
        as_json: Whether the answer is for a program.
        out: The folder of the report, None for none.
    """
    from collections import Counter

    counts = dict(Counter(c.verdict for c in shown))
    fresh = sum(c.id in outcome.fresh for c in shown)
    if as_json:
        claims = [{"id": c.id, "verdict": c.verdict, "reason": c.reason} for c in shown]
        data = {
            "counts": counts,
            "claims": claims,
            "fresh": fresh,
            "failures": outcome.failures,
            "unfinished": sorted(outcome.unfinished),
            "differences": differences or [],
        }
        click.echo(json.dumps(data, indent=1, ensure_ascii=False))
        return
    for entry in shown:
        # A thousand lines would hide the few that matter.
        if len(shown) <= _FEW or (differences is None and entry.verdict in ("refuted", "undecided")):
            click.echo(f"{entry.verdict:>10}  {entry.id}  {entry.reason}")
    click.echo(", ".join(f"{n} {v}" for v, n in sorted(counts.items())) + f" ({fresh} unchanged)")
    for claim_id, message in outcome.failures.items():
        click.echo(f"failed: {claim_id}: {message}", err=True)
    for difference in differences or ():
        click.echo(f"verdict differs: {difference}", err=True)
    if out is not None:
        click.echo(f"report: {out / 'README.md'} and {out / 'site' / 'index.html'}")
    if not (accepted or differences is None or differences or outcome.failures or outcome.unfinished):
        click.echo("all as expected")


@click.command("show")
@click.argument("claim_id", metavar="ID")
@_profile
@_claims
@_store
@_out
@json_option
def show_command(
    claim_id: str, profile: str, claims: Path | None, store: Path, out: Path | None, as_json: bool
) -> None:
    """Show one claim with its verdict and evidence.

    Without fresh evidence of its own it shows what the report says, if that is of this statement.
    """
    with errors():
        from rgm_verify.errors import reject

        paper, chosen = _chosen(claims, store, (claim_id,))
        if chosen != (claim_id,):
            raise reject("id", claim_id, "give one id, without a wildcard; `list` shows them all")
        ledger, _, missing = _from_store(paper, profile, store, chosen)
        (entry,) = ledger.claims
        notes = []
        if missing:
            entry, note = _as_reported(entry, _places_of_report(out, claims, store))
            judged = "of it" if missing == [claim_id] else "of it or of what it rests on"
            command = _run_again(claim_id, claims, profile, store)
            notes = [*filter(None, [note]), f"no fresh evidence {judged}: `{command}` makes it"]
        if as_json:
            import msgspec

            click.echo(msgspec.json.format(msgspec.json.encode(entry)).decode())
            return
        _print_claim(entry)
        for note in notes:
            click.echo(f"\n{note}")


def _run_again(claim_id: str, claims: Path | None, profile: str, store: Path) -> str:
    """Return the command that makes what `show` with the same options finds."""
    words = ["rgm-verify", "run", claim_id]
    words += [] if claims is None else ["--claims", str(claims)]
    words += [] if profile == "quick" else ["--profile", profile]
    words += [] if store == Path(".rgm_verify") else ["--store", str(store)]
    return shlex.join(words)


def _places_of_report(out: Path | None, claims: Path | None, store: Path) -> list[Path]:
    """Return the folders where a report on the claims may lie: also that of the last run, and that of the checkout."""
    places = [_report_folder(out, claims)]
    if out is None:
        places += _remembered_reports(store).get(_of_claims(claims), [])
    return [*places, default_claims().parent / "reports"] if out is None and claims is None else places


#: The file of a store that says where the reports on folders of claims lie.
_REPORTS = "reports.json"


def _of_claims(claims: Path | None) -> str:
    """Return the name of a folder of claims in the list of reports."""
    return "" if claims is None else str(claims.resolve())


def _remember_report(store: Path, claims: Path | None, out: Path) -> None:
    """Keep where the report on a folder of claims lies, so that `show` finds it."""
    from rgm_verify.jobs.files import write_atomically

    known = {name: [str(place) for place in places] for name, places in _remembered_reports(store).items()}
    known[_of_claims(claims)] = [str(out.resolve())]
    write_atomically(store / _REPORTS, (json.dumps(known, indent=1, sort_keys=True) + "\n").encode())


def _remembered_reports(store: Path) -> dict[str, list[Path]]:
    """Return where reports lie by folder of claims.

    The file is a convenience of `show`: where it is missing, damaged or of another form, nothing is known, and no
    command
    fails for it.
    """
    from rgm_verify.jobs.files import read_within

    try:
        known = json.loads(read_within(store / _REPORTS, 1_000_000))
    except (OSError, ValueError):
        return {}
    if not isinstance(known, dict):
        return {}
    return {str(name): [Path(p) for p in v if isinstance(p, str)] for name, v in known.items() if isinstance(v, list)}


def _as_reported(entry: ClaimEntry, places: list[Path]) -> tuple[ClaimEntry, str]:
    """The entry of the first report that has one of the same statement, or the given one; and words about it.

    A report of another version of the statement is told and not shown, as its verdict is about
    something else.

    Args:
        entry: The claim as it is now, without evidence.
        places: Folders where a report may lie.
    """
    from rgm_verify.claims.outcome.ledger import LedgerError
    from rgm_verify.claims.outcome.ledger_files import FOLDER, read_claim

    words = ""
    for place in places:
        try:
            found = read_claim(place / FOLDER, entry.id)
        except FileNotFoundError:
            continue
        except LedgerError as error:
            words = str(error)
            continue
        if found is not None and _states(found) == _states(entry):
            return found, f"as reported in {place / FOLDER}, of this statement"
        if found is not None:
            words = f"{place / FOLDER} has another version of this statement ({found.verdict})"
    return entry, words


def _states(entry: ClaimEntry) -> tuple[object, ...]:
    """Return the statement of a claim as its page shows it."""
    given = [(h.name, h.latex) for h in entry.hypotheses]
    return entry.title, entry.statement, entry.formula, entry.quantifier, entry.variables, given


def _print_claim(entry: ClaimEntry) -> None:
    """Print a claim for reading.

    Statement, formula, hypotheses, verdict, evidence, controls and witness, each as its page shows it but without
    LaTeX.

    Args:
        entry: The claim in the ledger.
    """
    from rgm_verify.claims.outcome.checkers import CHECKERS, checked_by
    from rgm_verify.report.texts.readable import readable, readable_formula

    click.echo(f"{entry.id}: {readable(entry.title)}\n{', '.join(filter(None, (entry.source, entry.where)))}\n")
    if entry.statement:
        click.echo(readable(entry.statement))
    for words, formula in (("", entry.printed), ("judged as: " if entry.printed else "", entry.formula)):
        if formula:
            click.echo(f"{words}{readable_formula(formula)}")
    for name in entry.names:
        click.echo(f"  where {readable_formula(f'{name.latex} = {name.value}')}")
    click.echo()
    for hypothesis in entry.hypotheses:
        click.echo(f"  given {hypothesis.name}: {readable_formula(hypothesis.latex)}  [dropped: {hypothesis.dropped}]")
    click.echo(f"\nverdict: {entry.verdict}  ({readable(entry.reason)})")
    if checker := checked_by(entry):
        click.echo(f"checked by: {checker} ({CHECKERS[checker]})")
    if entry.category:
        click.echo(f"category: {entry.category}; corrected: {entry.corrected or 'none'}")
    for evidence in entry.evidence:
        click.echo(f"  {evidence.finding}: {evidence.lens} ({evidence.kind}): {readable(evidence.summary)}")
    for mutant in entry.mutants:
        click.echo(f"  mutant {mutant.name!r}: {'refuted' if mutant.killed else 'SURVIVED'}; {readable(mutant.how)}")
    if entry.witness is not None:
        click.echo(f"\nwitness, margin in [{', '.join(entry.witness.margin)}]:\n{entry.witness.snippet}")


@click.command("report")
@_profile
@_claims
@_store
@_out
@click.option(
    "--ledger",
    "whole",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write no report, but the ledger of the one that is there as one JSON file.",
)
def report_command(profile: str, claims: Path | None, store: Path, out: Path | None, whole: Path | None) -> None:
    """Write the report from the evidence in the store, without running anything."""
    with errors():
        from rgm_verify.errors import InputError

        out = _report_folder(out, claims)
        if whole is not None:
            _write_whole(out, whole)
            return
        paper = _load(claims)
        ledger, certificates, missing = _from_store(paper, profile, store, None)
        if missing:
            names = ", ".join(missing[:5]) + (", ..." if len(missing) > 5 else "")
            raise InputError(f"store={store}: no fresh evidence for {len(missing)} claims ({names}); use `run` first")
        _write_report(paper, ledger, certificates, out, store)
        click.echo(f"report: {out / 'README.md'} and {out / 'site' / 'index.html'}")


def _write_whole(out: Path, whole: Path) -> None:
    """Write the ledger of a report as one file, for whoever reads it by a program.

    Args:
        out: The folder of the report.
        whole: The file.
    """
    from rgm_verify.claims.outcome.ledger import LedgerError, encode
    from rgm_verify.claims.outcome.ledger_files import FOLDER, INDEX, read_ledger
    from rgm_verify.errors import InputError
    from rgm_verify.jobs.files import write_atomically

    try:
        ledger = read_ledger(out / FOLDER)
    except FileNotFoundError:
        raise InputError(f"{out / FOLDER / INDEX}: no ledger; `rgm-verify run` writes one, --out names it") from None
    except LedgerError as error:
        raise InputError(str(error)) from error
    write_atomically(whole, encode(ledger))
    click.echo(f"ledger: {whole}")


@click.command("replay")
@click.argument("certificate", type=click.Path(path_type=Path))
@click.option(
    "--claims",
    "folder",
    type=click.Path(path_type=Path),
    help="A folder of claims, which is executed: the statement must be that of the claim of this name in it.",
)
@click.option(
    "--seconds",
    type=click.IntRange(1, 10**9),
    default=600,
    show_default=True,
    help="Seconds of the processor after which it stops without an answer.",
)
@json_option
def replay_command(certificate: Path, folder: Path | None, seconds: int, as_json: bool) -> None:
    """Check a region certificate, a file of proofs or an accounting number again, by code apart from what made it.

    Prints the claim and its statement, and what is proved: for a region certificate also the box and what is not
    checked, for a proof the premises, for a number (`account ... --certificate FILE`) the mechanism, both ends and the
    claims that it rests on. A region certificate keeps the name that the report gave it.
    """
    with errors():
        from rgm_verify.recheck.certificate import is_certificate

        if certificate.is_file() and is_certificate(certificate):
            from rgm_verify.cli.certificates import replay_number

            sys.exit(replay_number(certificate, as_json=as_json))

        from rgm_verify.balls.replay import UNCHECKED, UnreadableCertificate, replay
        from rgm_verify.engine.proofs import is_proofs
        from rgm_verify.errors import InputError

        if certificate.is_file() and is_proofs(certificate):
            sys.exit(_replay_proofs(certificate, folder, as_json=as_json))

        try:
            result = replay(certificate, seconds=seconds, say=_say)
        except OSError as error:
            raise InputError(f"{certificate}: cannot be read ({error.strerror or error})") from error
        except UnreadableCertificate as error:
            text = str(error)
            raise InputError(text if certificate.name in text else f"{certificate}: {text}") from error
        if folder is not None and result.accepted:
            result = _as_claimed(result, certificate, folder)
        data = {**dataclasses.asdict(result), "not_checked": list(UNCHECKED)}
        click.echo(json.dumps(data) if as_json else "\n".join(result.lines()))
    sys.exit(0 if result.accepted else EXIT_DIFFERENT)


def _replay_proofs(path: Path, folder: Path | None, *, as_json: bool) -> int:
    """Print what the kernel says of the proofs in a file, and return the exit code.

    Args:
        path: A file of proofs.
        folder: The claims whose statements the proofs should have; None compares nothing.
        as_json: Whether to print JSON.

    Returns:
        0, or 1 where a proof is refused or proves another statement.
    """
    from rgm_verify.engine.proofs import replay_proofs

    found = replay_proofs(path, None if folder is None else _load(folder))
    if as_json:
        click.echo(json.dumps([dataclasses.asdict(result) for result in found], indent=1, ensure_ascii=False))
    else:
        for result in found:
            click.echo(f"{'rejected' if result.reason else 'accepted'}: {result.claim}")
            click.echo(f"  {result.reason or result.statement}")
            for name, text in result.premises.items():
                click.echo(f"  given {name}: {text}")
    return EXIT_DIFFERENT if any(result.reason for result in found) else 0


def _as_claimed(result: ReplayResult, certificate: Path, folder: Path) -> ReplayResult:
    """The result, rejected where the folder has no such claim, or one with another statement.

    A certificate proves the statement that it holds. Whether the claim says the same is asked only
    here.

    Args:
        result: The accepted result of a replay.
        certificate: The file.
        folder: The folder of claims.
    """
    from rgm_verify.claims.written.trees import NoTree, statement_tree

    claim = _load(folder).claims.get(result.claim)
    recorded = json.loads(certificate.read_text(encoding="utf-8"))["statement"]
    try:
        stands = claim is not None and statement_tree(claim) == recorded
    except NoTree:
        stands = False
    if stands:
        return result
    reason = "has another statement" if claim is not None else "has no claim of this name"
    return dataclasses.replace(result, accepted=False, reason=f"{folder} {reason}: {result.claim}")


def _from_store(
    paper: Paper, profile: str, store: Path, shown: tuple[str, ...] | None
) -> tuple[Ledger, dict[str, dict[str, Any]], list[str]]:
    """The ledger of the claims shown (all, if that is None), the certificates, and the ids without stored evidence.

    Args:
        paper: The claims and chapters.
        profile: The name of the profile.
        store: The folder with the evidence.
        shown: Ids, None for all.
    """
    from rgm_verify.engine.outcome.assemble import assemble
    from rgm_verify.engine.proofs import with_proofs
    from rgm_verify.engine.run import plan
    from rgm_verify.engine.store import Store

    outcome, todo = plan(paper, (*paper.chapters, *paper.claims), profile, Store(store))
    ledger, certificates = assemble(paper, with_proofs(paper, outcome.records), profile, shown=shown)
    return ledger, certificates, list(todo)


def _write_report(
    paper: Paper, ledger: Ledger, certificates: dict[str, dict[str, Any]], out: Path, store: Path
) -> None:
    """Write the report with what changed since the last one, and the versions of the run that first found its content.

    Args:
        paper: The claims, for their places in the code.
        ledger: The content.
        certificates: Region certificates by the id of their claim.
        out: The folder, whose old report is replaced as a whole.
        store: The place of evidence, where the versions are kept.
    """
    from rgm_verify.claims.outcome.ledger_files import FOLDER
    from rgm_verify.engine.lines import lines_of
    from rgm_verify.engine.outcome.made_with import as_first_found
    from rgm_verify.report.code import CodePlaces, folder_beside
    from rgm_verify.report.write import write_report

    here = ledger.versions
    ledger = as_first_found(ledger, out / FOLDER)
    _say_versions(here, ledger.versions, store)
    texts = {n: (json.dumps(c, sort_keys=True, separators=(",", ":")) + "\n").encode() for n, c in certificates.items()}
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
        last = read_ledger(path)
        if last != ledger:
            return changes(last, ledger)
        path = out / FILE
        return read_changes(path, ledger)
    except FileNotFoundError:
        return None
    except EarlierLedger as error:
        happens = f"{error}; this report replaces it"
    except (LedgerError, InputError) as error:
        happens = f"{error}; set aside as {set_aside(path)}"
    click.echo(f"{happens}; the report is written without a comparison with it", err=True)
    return None


def _report_folder(out: Path | None, claims: Path | None) -> Path:
    """Return the folder for the report: other people's claims never overwrite the report on ours."""
    if out is not None:
        return out
    return Path("reports") if claims is None else Path(f"reports-{claims.resolve().name}")


def _require_writable(out: Path) -> None:
    """Fail before the work, not after it, when the report cannot be written.

    Args:
        out: The folder of the report, which need not exist.

    Raises:
        InputError: With the folder and the reason.
    """
    import os

    from rgm_verify.errors import reject

    place = out
    while not place.exists() and not place.is_symlink():
        place = place.parent
    if not place.is_dir() or not os.access(place, os.W_OK):
        raise reject("out", str(out), f"{place} is not a writable folder; choose another with --out")


def default_claims() -> Path:
    """The claims that come with rgm-verify: those of the checkout it runs from, else the installed copy."""
    package = Path(__file__).resolve().parents[1]
    checkout = package.parent / "derivations"
    return checkout if (package.parent / "pyproject.toml").exists() and checkout.is_dir() else package / "_derivations"


def _folder(claims: Path | None) -> Path:
    return claims if claims is not None else default_claims()


def _say(text: str) -> None:
    """Tell the user something that is no answer, on standard error."""
    click.echo(f"rgm-verify: {text}", err=True)


def _load(claims: Path | None) -> Paper:
    """Import the whole folder, and refuse a text that no page could show.

    Args:
        claims: The folder, None for the claims of the library.

    Raises:
        InputError: For a fault in any file.
    """
    from rgm_verify.engine.discovery import load
    from rgm_verify.report.check import check_words

    with printing_apart():
        paper = load(_folder(claims), _say)
    check_words(paper.claims, paper.chapters, paper.files)
    gc.freeze()  # the paper stays to the end of the command: no search for garbage goes through it
    return paper
