"""The command that looks for proofs that the kernel checks.

The search runs in workers with a limit of time each; what it finds has been checked there and is kept beside the
claims. A kept proof stays until one of the claim as it is now replaces it, so that an interrupted search loses nothing.

The limit is a count of work and not a clock, so that the same search ends alike on every machine.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rgm_verify.cli.common import (
    EXIT_BAD_INPUT,
    EXIT_DIFFERENT,
    errors,
    json_option,
    memory_option,
    printing_apart,
    stopped_workers,
    task_progress,
)
from rgm_verify.cli.judging.coq import check_in_coq
from rgm_verify.cli.judging.folders import ClaimId, claims_folder, claims_option, load_claims, store_option
from rgm_verify.errors import reject

if TYPE_CHECKING:
    from concurrent.futures import Future

    from rgm_verify.engine.discovery import Paper
    from rgm_verify.jobs.workers import Task as Job


@click.command("prove")
@click.argument("ids", nargs=-1, type=ClaimId())
@click.option("--jobs", type=click.IntRange(min=1), help="Worker processes; one per core unless given.")
@click.option(
    "--seconds",
    type=click.IntRange(1, 10**6),
    default=20,
    show_default=True,
    help="Work for each claim, in counted steps: about so many seconds of a usual processor.",
)
@click.option("--again", is_flag=True, help="Look also where a proof of the claim as it is now is kept.")
@click.option(
    "--coq",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Search for nothing: write the kept proofs into FOLDER as theorems of Coq, with those by hand, "
    "and have `coqc` check them.",
)
@click.option(
    "--accept", is_flag=True, help="With --coq, and without IDS: keep beside the claims, for reports, what Coq accepts."
)
@memory_option
@claims_option
@store_option
@json_option
def prove_command(
    ids: tuple[str, ...],
    jobs: int | None,
    seconds: int,
    again: bool,
    coq: Path | None,
    accept: bool,
    memory: int,
    claims: Path | None,
    store: Path,
    as_json: bool,
) -> None:
    """Look for proofs that the kernel checks, and keep them beside the claims, in proofs/.

    IDS are claim ids; `*` matches anything; without ids, every claim that is proved or certified is tried. `run` checks
    each kept proof again. A claim without one stays what its methods make of it.
    """
    if coq is not None:
        with errors():
            place = claims_folder(claims)
            code = check_in_coq(coq, ids, place, jobs, memory, accept=accept, as_json=as_json)
        sys.exit(code)
    with errors():
        if accept:
            raise reject("accept", True, "it keeps what Coq accepts, and goes with --coq FOLDER")
        from rgm_verify.engine.kept_proofs import all_proofs, broken, path_of
        from rgm_verify.engine.proofs import keep_proofs, stale

        paper = load_claims(claims)
        chosen, witnesses = _wanted(paper, ids, store)
        # Of the whole folder: `keep_proofs` writes each file anew, with the proofs of claims that were not asked for.
        kept = all_proofs(paper.folder)
        statements: dict[str, Any] = {}
        # What is found for a file that is broken would have no place.
        faults = broken(paper.folder)
        closed = {i: faults[path] for i in chosen if (path := path_of(paper.folder, paper.files[i])) in faults}
        todo = [i for i in chosen if i not in closed]
        todo = [i for i in todo if again or i not in kept or stale(paper, paper.claims[i], kept[i], statements)]
        results, reasons = _search(paper, todo, witnesses, jobs, seconds, memory)
        reasons |= closed
        # A search that fails takes away no proof that is good: with --again, or less work, it may find less.
        lost = {i for i in reasons if i in kept and stale(paper, paper.claims[i], kept[i], statements)}
        keep_proofs(paper, {**{i: p for i, p in kept.items() if i not in lost}, **results})
        if as_json:
            click.echo(json.dumps({"proved": sorted(results), "open": reasons}, indent=1))
        else:
            for claim_id, reason in sorted(reasons.items()):
                click.echo(f"      open  {claim_id}  {reason[:200]}")
            click.echo(f"{len(results)} proved, {len(reasons)} open, {len(chosen) - len(todo) - len(closed)} kept")
    # Without ids much stays open, and that is no failure; whoever names a claim wants to know.
    code = 0 if not reasons or not ids else EXIT_DIFFERENT
    sys.exit(EXIT_BAD_INPUT if paper.refused else code)


def _wanted(paper: Paper, ids: tuple[str, ...], store: Path) -> tuple[list[str], dict[str, Any]]:
    """Return the claims to look at, and witnesses from the stored evidence.

    Without ids only claims that are proved or certified are tried: the search is for a proof that nobody has to trust,
    and not for a verdict.

    Args:
        paper: The claims.
        ids: Ids or patterns.
        store: The folder with the evidence.

    Returns:
        Ids in the order of the paper, and the values of witnesses by the id of their claim.
    """
    from rgm_verify.engine.outcome.assemble import judgements
    from rgm_verify.engine.run import plan
    from rgm_verify.engine.store import Store

    # Fresh evidence alone: a stale witness belongs to another statement.
    outcome, _, _ = plan(paper, tuple(paper.claims), "quick", Store(store))
    witnesses = {}
    for claim_id, record in outcome.records.items():
        for entry in record.get("evidence", ()):
            # The kernel needs the values; that they satisfy the claim it checks itself.
            if entry["kind"] == "exact witness" and "witness" in entry["details"]:
                witnesses[claim_id] = entry["details"]["witness"]["values"]
    if ids:
        return list(paper.select(ids)), witnesses
    found = judgements(paper, outcome.records)
    return [i for i, j in found.items() if j.verdict.value in ("proved", "certified")], witnesses


def _search(
    paper: Paper, todo: list[str], witnesses: dict[str, Any], jobs: int | None, seconds: int, memory: int
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the proofs that were found, and why the others were not.

    Args:
        paper: The claims.
        todo: Ids to try.
        witnesses: Values for existence claims.
        jobs: Worker processes, None for one a core.
        seconds: Work for each claim, in what a usual processor does in a second.
        memory: GiB of address space for each worker.

    Returns:
        Documents that the kernel has accepted, and reasons, each by id. Every id of `todo` is in one of the two.
    """
    import os

    from rgm_verify.claims.written.trees import NoTree
    from rgm_verify.engine.proofs import task_of
    from rgm_verify.jobs.workers import Task, complete, make_executor, said_of_death
    from rgm_verify.prover.budget import PER_SECOND
    from rgm_verify.prover.work import search

    found: dict[str, Any] = {}
    reasons: dict[str, str] = {}
    tasks = []
    for claim_id in todo:
        try:
            data = dataclasses.asdict(task_of(paper, paper.claims[claim_id], witnesses.get(claim_id)))
            tasks.append(Task(claim_id, search, (data, seconds * PER_SECOND)))
        except NoTree as error:
            # No form in trees: known before any work is done for it.
            reasons[claim_id] = str(error)
    # The search loaded beforehand: else each worker spends its first seconds on imports.
    executor = make_executor(jobs or os.cpu_count() or 1, None, ("rgm_verify.prover.search",), memory << 30)

    def arrived(task: Job, future: Future[dict[str, Any]]) -> None:
        error = future.exception()
        if error is not None:
            message = said_of_death(error)
            # Anything but the death of a worker is a fault of the program.
            if message is None:
                raise error
            reasons[task.name] = message
        # No proof within the work that was allowed; nothing is said of the claim.
        elif future.result()["proof"] is None:
            reasons[task.name] = future.result()["reason"]
        else:
            found[task.name] = future.result()["proof"]
        progress(task.name, "done")

    with (
        printing_apart(),
        stopped_workers(executor),
        task_progress(len(tasks), "proving", "claim", "tried") as progress,
    ):
        complete(executor, tasks, arrived)
    return found, reasons
