"""The commands that list claims and judge them.

What can be wrong with the input (an id, a folder that cannot be written, a damaged file of expected verdicts) is said
before the work, which may take an hour. What was finished is in the store whatever happens then, so that the same
command resumes. The verdicts themselves are made in `rgm_verify.engine`; this module compares and prints.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rgm_verify.cli.common import (
    EXIT_BAD_INPUT,
    EXIT_DIFFERENT,
    EXIT_INTERNAL,
    errors,
    json_option,
    memory_option,
    printing_apart,
    stopped_workers,
    task_progress,
)
from rgm_verify.cli.judging.folders import (
    ClaimId,
    choose_claims,
    claims_folder,
    claims_option,
    index_claims,
    out_option,
    profile_option,
    report_folder,
    say,
    store_option,
)
from rgm_verify.cli.judging.reporting import holds_report, replace_report, require_writable, without_refused
from rgm_verify.cli.judging.showing import remember_report
from rgm_verify.numbers.counted import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rgm_verify.claims.outcome.ledger import ClaimEntry
    from rgm_verify.engine.discovery import Paper
    from rgm_verify.engine.importing import Refusal
    from rgm_verify.engine.run import Outcome
    from rgm_verify.engine.store import Store

_FEW = 20  # claims, each of which a run prints


@click.command("list")
@claims_option
@store_option
@json_option
def list_command(claims: Path | None, store: Path, as_json: bool) -> None:
    """List the claims: id and title; with --json also source, place, kind and the statements that each answers."""
    with errors():
        # From the index, without importing a claim where it is fresh.
        index, refused = index_claims(claims, store)
        rows = [
            {"id": c.id, "refs": list(c.refs), "source": c.source, "where": c.where, "kind": c.kind, "title": c.title}
            for c in index.rows
        ]
        # Titles begin in one column: they are what a reader goes through.
        width = max(len(str(r["id"])) for r in rows)
        lines = [f"{row['id']:<{width}}  {row['title']}" for row in rows]
        click.echo(json.dumps(rows, indent=1, ensure_ascii=False) if as_json else "\n".join(lines))
    sys.exit(EXIT_BAD_INPUT if refused else 0)


@click.command("run")
@click.argument("ids", nargs=-1, type=ClaimId())
@profile_option
@click.option("--jobs", type=click.IntRange(min=1), help="Worker processes; one per core unless given.")
@memory_option
@claims_option
@store_option
@out_option
@click.option("--executor", metavar="dask://HOST:PORT", help="Run on a cluster of `distributed` instead.")
@click.option("--accept", is_flag=True, help="Write the verdicts found as the expected ones.")
@click.option("--fresh", is_flag=True, help="Judge everything, also what is unchanged.")
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
    fresh: bool,
    repair: bool,
    incomplete: bool,
    as_json: bool,
) -> None:
    """Judge claims, keep the evidence, and (for a run of all of them) write the report.

    IDS are claim ids; `*` matches anything. A claim that was judged as it stands is not judged again, but with
    `--fresh`. A claim whose worker dies, or that runs out of time or memory, is tried once more, alone; if that fails
    too, it stays open, and an earlier report is kept. An item that is refused when it is read is named and left out,
    with what rests on it; the others are judged, and the exit code is 2.
    """
    with errors():
        from rgm_verify.engine.discovery import index_of
        from rgm_verify.engine.index import keep_index, origin
        from rgm_verify.engine.outcome import expected
        from rgm_verify.engine.store import Store

        # Only a run of everything imports everything, and so can write an index that holds of all files.
        before = None if ids else origin(claims_folder(claims))
        # First, as it says what is wrong with the folder or an id.
        paper, chosen = choose_claims(claims, store, ids)
        out = report_folder(out, claims)
        # All of these refusals come before `_run`: nobody should wait an hour for them.
        _refuse_partial_acceptance(ids, accept=accept)
        # What is wrong with the file is said before the work.
        wanted_verdicts, faults = (None, []) if accept else expected.read(paper.folder)
        for fault in faults:
            say(f"not compared: {fault}")
        if not ids:
            require_writable(out)
        kept = Store(store)
        for moved in kept.repair() if repair else ():
            click.echo(f"set aside: {moved}", err=True)
        _say_other_layouts(kept)
        # With ids, `paper` is the part that they rest on: a verdict is no stronger than those below it.
        wanted = tuple(paper.claims) if ids else (*paper.chapters, *chosen)
        outcome = _run(paper, wanted, profile, jobs, memory, kept, executor, fresh=fresh)
        if not ids:
            # After the work, with the digest from before it: a file that was edited meanwhile makes the index stale at
            # once.
            keep_index(paper.folder, store, index_of(paper), None if paper.refused else before)
        paper = without_refused(paper, outcome)
        chosen = tuple(i for i in chosen if i in paper.claims)
        _refuse_incomplete_acceptance(paper, outcome, accept=accept)
        # A report with holes must not replace a whole one, unless somebody asks for that.
        holes = bool(outcome.unfinished or paper.refused)
        writes = not ids and (incomplete or not holes or not holds_report(out))
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
            remember_report(store, claims, out)
        # Of the library's own claims many judge another form of what is printed, and say so.
        if claims is not None:
            from rgm_verify.statements.printed import differences

            for difference in differences([paper.claims[i] for i in chosen]):
                say(difference)
        # Last on the screen: what is left to do is what a user needs next.
        _say_what_is_open(outcome, out, kept=not ids and not writes)
    # Outside of `errors`: an exit code of a run that went through is no error of the user.
    # A defect of this program is said before all else.
    sys.exit(EXIT_BAD_INPUT if (paper.refused or faults) and code != EXIT_INTERNAL else code)


def _refuse_partial_acceptance(ids: tuple[str, ...], *, accept: bool) -> None:
    """Raise `InputError` for `--accept` with ids: the file of expected verdicts is one for all claims.

    Args:
        ids: The ids of the command line.
        accept: Whether `--accept` was given.
    """
    from rgm_verify.errors import reject

    if accept and ids:
        raise reject(
            "--accept", " ".join(ids), "the expected verdicts are written for all claims together: give no ids"
        )


def _refuse_incomplete_acceptance(paper: Paper, outcome: Outcome, *, accept: bool) -> None:
    """Raise `InputError` for `--accept` where claims were not finished or refused: these would have no verdict.

    Args:
        paper: The claims, with what is refused.
        outcome: The result of the run, with the ids that were not finished.
        accept: Whether `--accept` was given.
    """
    from rgm_verify.errors import InputError

    if accept and outcome.unfinished:
        raise InputError(f"--accept: not finished: {_named(outcome.unfinished)}; nothing was written, run again first")
    if accept and paper.refused:
        raise InputError(
            f"--accept: {counted(len(paper.refused), 'item is', 'items are')} not judged; nothing was written, "
            "correct that first"
        )


def _say_what_is_open(outcome: Outcome, out: Path, *, kept: bool) -> None:
    """Tell a user of claims that were not finished, and that another run resumes; silent where all were.

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


def _run(
    paper: Paper,
    chosen: tuple[str, ...],
    profile: str,
    jobs: int | None,
    memory: int,
    store: Any,
    address: str | None,
    *,
    fresh: bool,
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
        fresh: Whether to judge again what was judged as it stands.

    Returns:
        The records, and what went wrong.
    """
    import os

    from rgm_verify.engine.run import JUDGING, run
    from rgm_verify.jobs.workers import make_executor

    # Said before the work, not in a report that is read later.
    # One per core: a worker computes on one thread, and never waits for anything.
    executor = make_executor(jobs or os.cpu_count() or 1, address, JUDGING, memory << 30)
    # Workers print where the process does, and claims print what they like.
    with (
        printing_apart(),
        stopped_workers(executor),
        task_progress(sum(i in paper.claims for i in chosen), "judging", "claim", "judged") as progress,
    ):

        def judged(name: str, state: str) -> None:
            # Chapters are made beside the claims, and are none.
            if name in paper.claims:
                progress(name, state)

        return run(paper, chosen, profile=profile, store=store, executor=executor, progress=judged, fresh=fresh)


def _say_other_layouts(store: Store) -> None:
    """Say that files of another version lie in the store, which are not used.

    They are left where they are.

    Args:
        store: The place of evidence.
    """
    if count := store.other_layouts():
        click.echo(
            f"store={store.folder}: {counted(count, 'file is', 'files are')} in the layout of another version of "
            "rgm-verify and not used; what they are about is judged again",
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
    from rgm_verify.engine.by_hand import with_theorems
    from rgm_verify.engine.outcome import expected
    from rgm_verify.engine.outcome.assemble import alarms, assemble, judgements
    from rgm_verify.engine.proofs import with_proofs

    # Kept proofs are checked at every run, and never stored as evidence.
    # Before the verdicts: a kernel proof is evidence as any other.
    records = with_theorems(paper, with_proofs(paper, outcome.records))
    verdicts = {i: j.verdict for i, j in judgements(paper, records).items() if i in records}
    # Of the claims that were asked for alone, though their premises were judged as well.
    ledger, certificates = assemble(paper, records, profile, shown=chosen)
    if out is not None:
        replace_report(paper, ledger, certificates, out, store)
    if accept:
        # Not on standard output, which holds what was found.
        click.echo(f"expected verdicts written to {expected.accept(paper.folder, verdicts)}", err=True)
        wanted, _ = expected.read(paper.folder)
    # None says that there was nothing to compare with; an empty list, that nothing differs.
    differences = None
    if wanted is not None:
        # What was not judged has no verdict that could differ.
        gone = {refusal.claim for refusal in paper.refused}
        wanted = {i: verdict for i, verdict in wanted.items() if i not in gone}
        differences = [str(d) for d in expected.compare(wanted, verdicts, ids=chosen, deeper=profile == "full")]
    _print_run(ledger.claims, outcome, paper.refused, differences, accepted=accept, as_json=as_json, out=out)
    # Last, behind all that was written, and to be seen whatever becomes of standard output.
    caught = alarms(paper, records, verdicts)
    for claim_id, said in caught.items():
        click.echo(f"ALARM: {paper.files[claim_id]}: {claim_id}: {said}", err=True)
    if caught:
        return EXIT_INTERNAL
    # A claim that failed has no verdict, and a script must not take that for a success.
    return EXIT_DIFFERENT if differences or outcome.failures else 0


def _print_run(
    shown: list[ClaimEntry],
    outcome: Outcome,
    refused: Sequence[Refusal],
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
        refused: What was not judged.
        differences: Where verdicts are not the expected ones, None without expected verdicts.
        accepted: Whether the expected verdicts have just been made of these.
        as_json: Whether the answer is for a program.
        out: The folder of the report, None for none.
    """
    from collections import Counter

    counts = dict(Counter(c.verdict for c in shown))
    # Named so that nobody takes a quick run for a new judgement of everything.
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
            "refused": [dataclasses.asdict(refusal) for refusal in refused],
        }
        click.echo(json.dumps(data, indent=1, ensure_ascii=False))
        return
    for entry in shown:
        # A thousand lines would hide the few that matter.
        if len(shown) <= _FEW or (differences is None and entry.verdict in ("refuted", "undecided")):
            click.echo(f"{entry.verdict:>10}  {entry.id}  {entry.reason}")
    not_judged = f", {len(refused)} not judged" if refused else ""
    click.echo(", ".join(f"{n} {v}" for v, n in sorted(counts.items())) + not_judged + f" ({fresh} unchanged)")
    # On standard error, with a name each: a failure is no verdict and stands in no count.
    for claim_id, message in outcome.failures.items():
        click.echo(f"failed: {claim_id}: {message}", err=True)
    for difference in differences or ():
        click.echo(f"verdict differs: {difference}", err=True)
    # Only where one was written: a run of some claims has none.
    if out is not None:
        click.echo(f"report: {out / 'README.md'} and {out / 'site' / 'index.html'}")
    # Said only where something was compared and all of it was judged.
    if not (accepted or differences is None or differences or refused or outcome.failures or outcome.unfinished):
        click.echo("all as expected")
