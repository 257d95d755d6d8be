"""Running claims: what is fresh is kept, the rest is judged in parallel, and every result is stored as it arrives."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from rgm_verify.claims.claim import Claim
from rgm_verify.claims.verdict import FalseProof
from rgm_verify.engine.discovery import CHAPTER, ClaimsFolderError, Paper, load
from rgm_verify.engine.keys import SEED, Keys
from rgm_verify.engine.store import Store
from rgm_verify.errors import InputError

_SECONDS = {"quick": 150, "full": 3600}
_flint_lock = threading.Lock()


class ClaimFailed(RuntimeError):
    """A lens raised on one claim; the others go on. The message holds the type and text of what was raised."""


class OutOfTime(BaseException):
    """The time for one claim is over. No `except Exception` in a lens or below it may swallow that."""


@dataclass
class Outcome:
    """Records by claim id, which of them were fresh, and what went wrong on the way (claim id to message)."""

    records: dict[str, dict[str, Any]] = field(default_factory=dict)
    fresh: set[str] = field(default_factory=set)
    failures: dict[str, str] = field(default_factory=dict)


def plan(paper: Paper, ids: tuple[str, ...], profile: str, store: Store) -> tuple[Outcome, dict[str, str]]:
    """Split the ids into fresh records (in the outcome) and what is still to run (id to key).

    An id is that of a claim, or `CHAPTER` and that of a chapter.
    """
    keys, outcome, todo = Keys(paper, profile), Outcome(), {}
    for claim_id in ids:
        key = keys.of(claim_id)
        record = store.read(claim_id, key)
        if record is None:
            todo[claim_id] = key
        else:
            outcome.records[claim_id] = record
            outcome.fresh.add(claim_id)
    return outcome, todo


def run(
    paper: Paper,
    ids: tuple[str, ...],
    *,
    profile: str,
    store: Store,
    executor: Executor,
    progress: Callable[[str, str], None],
) -> Outcome:
    """Judge the claims that are not fresh; each record is stored the moment it arrives.

    `progress` is called with (claim id, "fresh" | "done" | "failed"). Ctrl-C passes through after what has
    arrived was stored.
    """
    outcome, todo = plan(paper, ids, profile, store)
    for claim_id in outcome.fresh:
        progress(claim_id, "fresh")
    futures = {executor.submit(_worker(i), str(paper.folder), i, profile): i for i in todo}
    try:
        for future in as_completed(futures):
            claim_id = futures[future]
            _take(future, claim_id, todo[claim_id], store, outcome)
            progress(claim_id, "failed" if claim_id in outcome.failures else "done")
    except BaseException:
        for future, claim_id in futures.items():
            if claim_id not in outcome.records:
                _keep_finished(future, claim_id, todo[claim_id], store)
        raise
    return outcome


def _worker(identifier: str) -> Callable[[str, str, str], dict[str, Any]]:
    return build_chapter if identifier.startswith(CHAPTER) else judge_one


def _keep_finished(future: Future[dict[str, Any]], claim_id: str, key: str, store: Store) -> None:
    """Store a record that arrived while the run was being interrupted."""
    if (
        future.done()
        and not future.cancelled()
        and future.exception() is None
        and not future.result().get("unfinished")
    ):
        store.write(claim_id, key, future.result())


def _take(future: Future[dict[str, Any]], claim_id: str, key: str, store: Store, outcome: Outcome) -> None:
    error = future.exception()
    if isinstance(error, InputError):
        raise error
    if error is not None:
        outcome.failures[claim_id] = (
            str(error) if isinstance(error, ClaimFailed) else f"{type(error).__name__}: {error}"
        )
        outcome.records[claim_id] = empty_record(claim_id, outcome.failures[claim_id])
        return
    record = future.result()
    outcome.records[claim_id] = record
    if record.get("unfinished"):
        outcome.failures[claim_id] = record["evidence"][0]["summary"]
    else:
        store.write(claim_id, key, record)


def empty_record(claim_id: str, reason: str) -> dict[str, Any]:
    """A record that says only why nothing was found out; it is never stored."""
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
    return load(Path(folder))


def judge_one(folder: str, claim_id: str, profile: str) -> dict[str, Any]:
    """Judge one claim of a folder: what a worker process does.

    Arb's precision is global to a process, so that a lock keeps threads of one process apart.
    """
    from rgm_verify.engine.judge import run_claim
    from rgm_verify.lenses.base import PROFILES, Context, second_solver

    paper = _paper(folder)
    claim = paper.claims[claim_id]
    with _flint_lock:
        _refuse_contradiction(claim, paper.files[claim_id])
        settings = PROFILES[profile]
        context = Context(profile=settings, seed=SEED, claims=paper.claims, second=second_solver(settings))
        try:
            with time_limit(_SECONDS[profile]):
                return run_claim(claim, context)
        except OutOfTime:
            reason = f"time-out: not decided within {_SECONDS[profile]} s in the {profile} profile"
            return {**empty_record(claim_id, reason), "unfinished": True}
        except FalseProof as error:  # it names the claim itself
            raise FalseProof(f"{paper.files[claim_id]}: {error}") from error
        except InputError as error:
            raise InputError(f"{paper.files[claim_id]}: {claim_id}: {error}") from error
        except Exception as error:  # not every exception survives the way between processes
            raise ClaimFailed(f"{type(error).__name__}: {error}") from error


def build_chapter(folder: str, name: str, profile: str) -> dict[str, Any]:
    """Compute one chapter of a folder: what a worker process does. The record holds its blocks as JSON data."""
    chapter = _paper(folder).chapters[name]
    with _flint_lock:
        try:
            with time_limit(_SECONDS[profile]):
                return {"chapter": chapter.id, "blocks": chapter.blocks(profile)}
        except OutOfTime as error:
            raise ClaimFailed(f"time-out: not built within {_SECONDS[profile]} s in the {profile} profile") from error
        except Exception as error:  # not every exception survives the way between processes
            raise ClaimFailed(f"{type(error).__name__}: {error}") from error


def _refuse_contradiction(claim: Claim, path: str) -> None:
    from rgm_verify.lenses.smt import satisfiable

    if claim.hypotheses and satisfiable([h.formula for h in claim.assumptions], steps=1_000_000) == "no":
        names = ", ".join(h.name for h in claim.assumptions)
        raise ClaimsFolderError(f"{path}: {claim.id}: contradictory hypotheses: no point satisfies all of: {names}")


@contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    """Raise `OutOfTime` in the block after `seconds`, where the platform can (the main thread of a Unix process)."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "SIGALRM"):
        yield
        return

    def stop(*_: object) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


#: What workers that judge claims have loaded before they start.
_JUDGING = ("rgm_verify.engine.judge", "rgm_verify.balls.branch")


def make_executor(jobs: int, address: str | None, preload: tuple[str, ...] = _JUDGING) -> Executor:
    """A process pool, or the executor of a `distributed` cluster for an address such as dask://HOST:PORT.

    The processes of a pool share the memory of the modules in `preload`, where the platform can.
    """
    if address is None:
        return ProcessPoolExecutor(jobs, mp_context=_start_method(preload), initializer=_die_with_the_run)
    if not address.startswith("dask://"):
        raise InputError(f"executor={address!r}: only dask://HOST:PORT is known; leave it out for local processes")
    try:
        from distributed import Client
    except ImportError as error:
        raise InputError("executor=dask://...: needs the package `distributed`; install rgm-verify[dask]") from error
    connect: Any = Client
    try:
        client = connect(address.replace("dask://", "tcp://"), timeout=10)
    except (OSError, ValueError) as error:
        raise InputError(f"executor={address!r}: no scheduler answers there: {error}") from error
    executor: Executor = client.get_executor()
    return executor


def _start_method(preload: tuple[str, ...]) -> Any:
    """Workers are forked from a clean server process that has `preload` loaded, where the platform has one."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(preload))
    return context


def _die_with_the_run() -> None:
    """Ctrl-C reaches the whole process group: workers just end, the parent has stored what has arrived.

    A parent that is killed tells nobody, and a worker would wait for its next claim for ever: a thread watches for
    that.
    """
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # a run in the background of a script ignores it
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_wait_for_the_parent, daemon=True).start()


def _wait_for_the_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def stop_workers(executor: Executor) -> None:
    """End the executor without waiting for what is in flight."""
    if not isinstance(executor, ProcessPoolExecutor):
        executor.shutdown(wait=False)  # the executor of `distributed` knows no cancel_futures; it cancels by itself
    else:
        executor.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.terminate()
