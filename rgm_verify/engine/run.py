"""Running claims: what is fresh is kept, the rest is judged in parallel, and every result is stored as
it arrives.

A run may be cut off at any moment without losing what has arrived, and a claim that fails does not
stop the others. Only evidence is stored: a record that says that time or memory ran out, or that a
worker died, would look like a result. Such a claim is tried once more, alone.
"""

from __future__ import annotations

import multiprocessing
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from rgm_verify.claims.claim import Claim
from rgm_verify.claims.outcome.verdict import FalseProof
from rgm_verify.engine.discovery import CHAPTER, Paper, load, load_part, rests_on
from rgm_verify.engine.index import resting
from rgm_verify.engine.keys import SEED, Keys
from rgm_verify.engine.paper_file import ClaimsFolderError
from rgm_verify.engine.store import Store
from rgm_verify.errors import InputError, OutOfTime
from rgm_verify.jobs.fingerprint import looks_kept
from rgm_verify.jobs.workers import Task, complete, said_of_death

#: What workers that judge claims have loaded before they start.
JUDGING = ("rgm_verify.engine.judge", "rgm_verify.balls.branch")
#: The processor time of one claim, as a distant backstop: what limits the lenses is their own counts of work.
# Lenses count their own work; a claim that reaches this limit has met a computation that counts
# nothing.
_SECONDS = {"quick": 900, "full": 36_000}
#: How much longer a claim may take by the clock, for one that waits and computes nothing.
_WAITING = 20
_flint_lock = threading.Lock()


class ClaimFailed(RuntimeError):
    """A lens raised on one claim; the others go on. The message holds the type and text of what was raised."""


@dataclass
class Outcome:
    """Records by claim id, which of them were fresh, and what went wrong on the way (claim id to message).

    What is `unfinished` is among the failures: its worker died, or time or memory ran out, also when it ran alone.

    Attributes:
        records: What is known of each claim.
        fresh: Ids whose record was in the store.
        failures: A message for each id that went wrong.
        unfinished: Ids that ran out of time or memory.
        refused: A message for each id with a mistake of its author's that showed only when it was judged.
    """

    records: dict[str, dict[str, Any]] = field(default_factory=dict)
    fresh: set[str] = field(default_factory=set)
    failures: dict[str, str] = field(default_factory=dict)
    unfinished: set[str] = field(default_factory=set)
    refused: dict[str, str] = field(default_factory=dict)


def plan(
    paper: Paper, ids: tuple[str, ...], profile: str, store: Store, *, fresh: bool = False
) -> tuple[Outcome, dict[str, str], Keys]:
    """Split the ids into fresh records (in the outcome) and what is still to run (id to key), by the keys that follow.

    An id is that of a claim, or `CHAPTER` and that of a chapter.

    Args:
        paper: The claims and chapters.
        ids: What is asked for.
        profile: The name of a profile.
        store: The kept records.
        fresh: Whether to read none of them, so that all is still to run.
    """
    outcome, todo = Outcome(), {}
    with looks_kept(store.folder / "looks.json"):
        keys = Keys(paper, profile)
        found = {}
        for claim_id in ids:
            try:
                found[claim_id] = keys.of(claim_id)
            except ClaimsFolderError as error:  # a file that it reads is not there
                outcome.refused[claim_id] = str(error)
    for claim_id, key in found.items():
        record = None if fresh else store.read(claim_id, key)
        # Whatever is not in the store is run: a record of another key is about another statement or other code, and one
        # of lenses that have changed may be wrong.
        if record is None or not keys.current(record):
            todo[claim_id] = key
        else:
            outcome.records[claim_id] = record
            outcome.fresh.add(claim_id)
    return outcome, todo, keys


def run(
    paper: Paper,
    ids: tuple[str, ...],
    *,
    profile: str,
    store: Store,
    executor: Executor,
    progress: Callable[[str, str], None],
    fresh: bool = False,
) -> Outcome:
    """Judge the claims that are not fresh; each record is stored the moment it arrives.

    A claim whose worker dies, or that runs out of time or memory, is tried once more, alone, at the end. `progress` is
    called with (claim id, "fresh" | "done" | "failed"). Ctrl-C passes through after what has arrived was stored.

    Args:
        paper: The claims and chapters.
        ids: What is asked for.
        profile: The name of a profile.
        store: Where records are kept.
        executor: The workers.
        progress: A function that is told of each id.
        fresh: Whether to judge the claims that are fresh as well.

    Returns:
        Records of all ids; an empty one where a claim failed, none where it is refused.

    Raises:
        FalseProof: Where a lens has proved what has a counterexample.
    """
    outcome, todo, keys = plan(paper, ids, profile, store, fresh=fresh)
    for claim_id in outcome.fresh:
        progress(claim_id, "fresh")

    def keep(claim_id: str, record: dict[str, Any]) -> None:
        store.write(claim_id, todo[claim_id], {**record, "code": keys.looked(record)})

    def arrived(task: Task, future: Future[dict[str, Any]]) -> None:
        _take(future, task.name, keep, outcome)
        wrong = task.name in outcome.failures or task.name in outcome.refused
        progress(task.name, "failed" if wrong else "done")

    def rescued(task: Task, record: dict[str, Any]) -> None:
        # The second try of a claim may succeed, and its record is then as good as any.
        if not record.get("unfinished"):
            keep(task.name, record)

    # Names instead of objects go to the workers: claims hold functions, which cannot be sent.
    tasks = [Task(i, _worker(i), (str(paper.folder), i, profile, _files_of(paper, i)), {"alone": True}) for i in todo]
    complete(executor, tasks, arrived, rescued=rescued, again=lambda record: bool(record.get("unfinished")))
    return outcome


def _files_of(paper: Paper, identifier: str) -> tuple[tuple[str, str], ...]:
    """The files that a worker imports: of the claim and of all that it rests on, or of the chapter."""
    if identifier.startswith(CHAPTER):
        return ((identifier, paper.files[identifier]),)
    # What it rests on as well: a deduction reads the statements of its premises.
    needed = resting([identifier], lambda claim_id: rests_on(paper.claims[claim_id]))
    return tuple((claim_id, paper.files[claim_id]) for claim_id in sorted(needed))


def _worker(identifier: str) -> Callable[..., dict[str, Any]]:
    """Return the function that a worker runs for an id."""
    return build_chapter if identifier.startswith(CHAPTER) else judge_one


def _take(
    future: Future[dict[str, Any]], claim_id: str, keep: Callable[[str, dict[str, Any]], None], outcome: Outcome
) -> None:
    """Put the result of a finished task into the outcome, and keep it if it is evidence.

    A dead worker leaves an unfinished record, a failure of the code an empty one: neither is stored, so that another
    run tries again. An `InputError` is the author's mistake in this one claim, which is refused.
    """
    error = future.exception()
    if isinstance(error, FalseProof):
        raise error
    if isinstance(error, InputError):
        outcome.refused[claim_id] = str(error)
        return
    if error is None:
        record = future.result()
    elif death := said_of_death(error):
        record = unfinished(claim_id, death)
    else:
        outcome.failures[claim_id] = (
            str(error) if isinstance(error, ClaimFailed) else f"{type(error).__name__}: {error}"
        )
        record = empty_record(claim_id, outcome.failures[claim_id])
    outcome.records[claim_id] = record
    if record.get("unfinished"):
        outcome.unfinished.add(claim_id)
        outcome.failures[claim_id] = record["evidence"][0]["summary"]
    elif error is None:
        keep(claim_id, record)


def unfinished(claim_id: str, reason: str) -> dict[str, Any]:
    """A record of a claim, or a chapter, that was not finished: it is never stored, and another run tries again."""
    return {**empty_record(claim_id, reason), "unfinished": True}


def empty_record(claim_id: str, reason: str) -> dict[str, Any]:
    """A record that says only why nothing was found out; it is never stored.

    Args:
        reason: The text of its only note.
    """
    note = {
        "lens": "engine",
        "kind": "note",
        "finding": "undecided",
        "families": [],
        "summary": reason,
        "details": {},
        "premises": [],
    }
    return {
        "claim": claim_id,
        "informal": "",
        "quantifier": "forall",
        "evidence": [note],
        "mutants": [],
        "hypotheses": [],
        "tightness": [],
        "certificates": {},
    }


@cache
def _paper(folder: str) -> Paper:
    """Return a folder as a whole, imported once in a process."""
    return load(Path(folder))


def judge_one(
    folder: str, claim_id: str, profile: str, files: tuple[tuple[str, str], ...] = (), *, alone: bool = False
) -> dict[str, Any]:
    """Judge one claim of a folder: what a worker process does.

    `files` names the file of the claim and of all that it rests on, and only these are imported; without it the whole
    folder is. Where nothing else runs beside it, the solvers are given more time. Arb's precision is global to a
    process, so that a lock keeps threads of one process apart.

    Raises `FalseProof` and `InputError` with the file's name, and `ClaimFailed` for any other error of the code that
    judges: not every exception can be sent between processes.

    Args:
        folder: The folder of claims.
        profile: The name of a profile.
        files: Pairs of an id and the path of its file.
        alone: Whether nothing else runs beside it.

    Returns:
        The record of `run_claim`, or an unfinished one.
    """
    from rgm_verify.engine.judge import run_claim
    from rgm_verify.lenses.base import PROFILES, Context
    from rgm_verify.lenses.solvers.smt import patience

    paper = load_part(Path(folder), dict(files)) if files else _paper(folder)
    claim = paper.claims[claim_id]
    with _flint_lock:
        settings = PROFILES[profile]
        context = Context(profile=settings, seed=SEED, claims=paper.claims)
        try:
            # The limit is outside: what z3's clock raises has to end inside of it.
            with time_limit(_SECONDS[profile]), patience(alone=alone):
                # Before any lens: a claim without an admissible point would be proved by each of them.
                _refuse_contradiction(claim)
                return run_claim(claim, context)
        except OutOfTime as error:
            return unfinished(claim_id, str(error))
        except MemoryError:
            return unfinished(claim_id, _OUT_OF_MEMORY)
        except FalseProof as error:  # it names the claim itself
            raise FalseProof(f"{paper.files[claim_id]}: {error}") from error
        except InputError as error:
            raise InputError(f"{claim_id}: {error}") from error
        except Exception as error:  # not every exception survives the way between processes
            raise ClaimFailed(f"{type(error).__name__}: {error}") from error


def build_chapter(
    folder: str, name: str, profile: str, files: tuple[tuple[str, str], ...] = (), *, alone: bool = False
) -> dict[str, Any]:
    """Compute one chapter of a folder: what a worker process does. The record holds its blocks as JSON data.

    `files` is as for `judge_one`.

    Args:
        folder: The folder of claims.
        name: `CHAPTER` and the id of the chapter.
        profile: The name of a profile.
        files: Pairs of an id and the path of its file.
        alone: Not used; chapters ask no solver for more time.
    """
    paper = load_part(Path(folder), dict(files)) if files else _paper(folder)
    chapter = paper.chapters[name]
    with _flint_lock:
        try:
            with time_limit(_SECONDS[profile]):
                return {"chapter": chapter.id, "blocks": chapter.blocks(profile)}
        except OutOfTime as error:
            return unfinished(name, str(error))
        except MemoryError:
            return unfinished(name, _OUT_OF_MEMORY)
        except Exception as error:  # not every exception survives the way between processes
            raise ClaimFailed(f"{type(error).__name__}: {error}") from error


_OUT_OF_MEMORY = "out of memory: it needs more than a worker may use; --memory sets the limit"


def _refuse_contradiction(claim: Claim) -> None:
    """Raise `ClaimsFolderError` if no point satisfies all hypotheses: anything would follow from them.

    Only z3's certain "no" counts; that it found a point is not asked for here.
    """
    from rgm_verify.lenses.solvers.smt import satisfiable

    # The steps are a fixed number and not the profile's, so that each profile refuses the same claims.
    if claim.hypotheses and satisfiable([h.formula for h in claim.assumptions], steps=1_000_000) == "no":
        names = ", ".join(h.name for h in claim.assumptions)
        raise ClaimsFolderError(f"contradictory hypotheses: no point satisfies all of: {names}")


@contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    """Raise `OutOfTime` in the block after `seconds` of processor time, or far later by the clock.

    Other work on the machine takes none of the first. What stays in compiled code for twice as long ends with its
    process. All that holds where the platform can: in the main thread of a Unix process.

    Args:
        seconds: The limit, above 0.

    Raises:
        OutOfTime: In the block.
    """
    # Signals reach the main thread alone; without them the block runs unbounded.
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "SIGPROF"):
        yield
        return

    timers = {signal.ITIMER_PROF: (signal.SIGPROF, seconds), signal.ITIMER_REAL: (signal.SIGALRM, _WAITING * seconds)}

    over: list[OutOfTime] = []

    def stop(number: int, _: object) -> None:
        waited = number == signal.SIGALRM
        limit = f"{_WAITING * seconds} s by the clock" if waited else f"{seconds} s of processor time"
        over.append(OutOfTime(f"time-out: not done within {limit}"))
        raise over[-1]

    before = {number: signal.signal(number, stop) for number, _ in timers.values()}
    ends = _ends_after(2 * seconds)
    for timer, (_, limit) in timers.items():
        signal.setitimer(timer, limit)
    try:
        yield
    except SystemError as error:
        # Compiled code that the signal meets in the middle reports the exception as a fault of its own.
        if not over:
            raise
        raise over[0] from error
    finally:
        for timer in timers:
            signal.setitimer(timer, 0)
        for number, handler in before.items():
            signal.signal(number, handler)
        ends()


def _ends_after(seconds: int) -> Callable[[], None]:
    """Have the system end this process after `seconds` more of processor time, until the returned function is called.

    Only in a process of a pool, as a program that uses the library is not ours to end.
    """
    if multiprocessing.parent_process() is None:
        return lambda: None
    import resource  # a Unix module, as the timers are

    soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(used.ru_utime + used.ru_stime) + seconds
    if hard == resource.RLIM_INFINITY or limit < hard:
        resource.setrlimit(resource.RLIMIT_CPU, (limit, hard))
    return lambda: resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))
