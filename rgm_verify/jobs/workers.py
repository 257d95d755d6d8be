"""Tasks in worker processes, where a process that dies costs nothing but the task that it was doing.

Python's own pool of processes breaks as a whole when one process is killed. Here every thread looks after a pool of one
process, so that a death concerns one task, which is then tried once more with nothing beside it: memory or time that
others took may have been the reason.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any

from rgm_verify.errors import InputError

#: The address space of one worker in bytes, unless another limit is given.
MEMORY = 8 << 30
#: How long a run waits for a cluster that has no worker left, in seconds.
PATIENCE = 180.0
_LOOK = 2.0


class WorkerDied(RuntimeError):
    """The process that did a task ended before the task did: it was killed, it crashed, or memory ran out."""


class NoWorkersLeft(RuntimeError):
    """No worker is left for the tasks; the message says since when and what to do."""


@dataclass(frozen=True)
class Task:
    """A function of arguments that can be sent to another process.

    Attributes:
        name: for messages.
        function: one that can be pickled: of a module, no closure.
        arguments: its arguments, which can be pickled too.
        second: keyword arguments that are added where the task is tried again, such as more time.
    """

    name: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()
    second: Mapping[str, Any] = field(default_factory=dict)


# ------------------------------------------------------------------------------------------------------- many of them


def complete(
    executor: Executor,
    tasks: Iterable[Task],
    arrived: Callable[[Task, Future[Any]], None],
    *,
    rescued: Callable[[Task, Any], None] = lambda task, result: None,
    again: Callable[[Any], bool] = lambda result: False,
) -> None:
    """Do the tasks, and call `arrived` with each and its finished future, in the order in which they finish.

    A task whose worker died, or of whose result `again` is true, waits until the others are done. Then it is tried once
    more, with nothing beside it; what comes of that counts, `WorkerDied` included.

    Args:
        executor: as `make_executor` makes one.
        tasks: the tasks; all are submitted before the first is waited for.
        arrived: called in this process, once for each task, with a future that is done; the future holds an exception
            where the function raised one.
        rescued: called with the results that are there already when the run is stopped, by Ctrl-C for instance.
        again: decides from a result whether the task deserves a second try.

    Raises:
        NoWorkersLeft: for a cluster without workers.
    """
    order = list(tasks)
    aside: list[Task] = []

    def first(task: Task, future: Future[Any]) -> None:
        if _died(future) or (_succeeded(future) and again(future.result())):
            aside.append(task)
        else:
            arrived(task, future)

    _flow(executor, order, {}, first, rescued)
    # One at a time: memory or time that others took may have been the reason.
    for task in sorted(aside, key=order.index):
        _flow(executor, [task], task.second, arrived, rescued)


def _flow(
    executor: Executor,
    tasks: list[Task],
    keywords: Mapping[str, Any],
    arrived: Callable[[Task, Future[Any]], None],
    rescued: Callable[[Task, Any], None],
) -> None:
    """Submit the tasks, and hand each finished one to `arrived`, in the order of submission among those that finish
    together.

    Whatever ends it early, what has finished by then goes to `rescued`. The short timeout lets a cluster without
    workers be noticed, which no future would tell.
    """
    flying: dict[Future[Any], Task] = {}
    # Finished futures put themselves in; `wait` would hold the locks of all futures again and again, see below.
    landed: SimpleQueue[Future[Any] | None] = SimpleQueue()
    try:
        with _ctrl_c(landed):
            for task in tasks:
                future = _submitted(executor, task, keywords)
                flying[future] = task
                future.add_done_callback(landed.put)
            while flying:
                done = _landed(landed)
                # Of those that finish together the order would otherwise be that of the threads.
                for future in sorted(done, key=list(flying).index):
                    task = flying[future]
                    arrived(task, future)
                    del flying[future]
                if not done and isinstance(executor, Cluster):
                    executor.require_workers()
    # Ctrl-C is no `Exception`. What has finished is the user's, however the run ends.
    except BaseException:
        for future, task in flying.items():
            if _succeeded(future):
                rescued(task, future.result())
        raise


def _landed(queue: SimpleQueue[Future[Any] | None]) -> list[Future[Any]]:
    """Wait up to `_LOOK` seconds for a finished future, and return all that have finished; `None` means Ctrl-C."""
    found: list[Future[Any]] = []
    try:
        future = queue.get(timeout=_LOOK)
        while future is not None:
            found.append(future)
            future = queue.get_nowait()
    except Empty:
        return found
    raise KeyboardInterrupt


@contextmanager
def _ctrl_c(queue: SimpleQueue[Future[Any] | None]) -> Iterator[None]:
    """Let Ctrl-C put `None` into a queue instead of raising an error wherever this thread is.

    An error between the taking of a future's lock and its release would leave the lock taken. The thread that looks
    after the worker would then wait for it for ever, and the command would never end.
    """
    ours = threading.current_thread() is threading.main_thread()
    # Who has a handler of their own, or ignores Ctrl-C, keeps that.
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    pressed = threading.Event()

    def note(*_: object) -> None:
        pressed.set()
        queue.put(None)

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # It may come when nobody looks at the queue any more, such as beside the last result.
    if pressed.is_set():
        raise KeyboardInterrupt


def _submitted(executor: Executor, task: Task, keywords: Mapping[str, Any]) -> Future[Any]:
    """The task as a future, a failed one where the workers were gone before they were given it."""
    try:
        return executor.submit(task.function, *task.arguments, **keywords)
    except BrokenExecutor as error:
        future: Future[Any] = Future()
        future.set_exception(error)
        return future


def _succeeded(future: Future[Any]) -> bool:
    """Tell whether a future holds a result."""
    return future.done() and not future.cancelled() and future.exception() is None


def _died(future: Future[Any]) -> bool:
    """Tell whether a finished future failed because its worker is gone, and not because its function raised."""
    error = CancelledError() if future.cancelled() else future.exception()
    # `distributed` is optional: its error is known by its name.
    return isinstance(error, WorkerDied | BrokenExecutor | CancelledError) or type(error).__name__ == "KilledWorker"


def said_of_death(error: BaseException | None) -> str | None:
    """The message for an error that means a dead worker; None for any other error."""
    future: Future[Any] = Future()
    future.set_exception(error)
    if error is None or not _died(future):
        return None
    detail = str(error) if isinstance(error, WorkerDied) else "it ended before its time"
    return f"its worker died twice, the second time with nothing beside it ({detail})"


# ------------------------------------------------------------------------------------------------------ on this machine


class Processes(ThreadPoolExecutor):
    """A pool of independent processes: where one dies, its own task alone fails, with `WorkerDied`.

    Another process takes its place. A pool of threads hands out the tasks; each thread waits for a process of its own.

    Args:
        jobs: the number of processes.
        preload: names of modules that are loaded once and shared by all, where the platform can.
        memory: the bytes of address space that each may use, where the system can limit that.
    """

    def __init__(self, jobs: int, preload: tuple[str, ...] = (), memory: int = MEMORY) -> None:
        super().__init__(jobs)
        self._context, self._memory = start_method(preload), memory
        self._own, self._lock = threading.local(), threading.Lock()
        self._pools: set[ProcessPoolExecutor] = set()
        self._stopped = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a task done by the next process that is free; the future fails with `WorkerDied` if that process
        dies.
        """
        return super().submit(self._in_process, partial(fn, *args, **kwargs))

    def _in_process(self, task: Callable[[], Any]) -> Any:
        """Let the one process that this thread looks after do the task, and replace the process where it is gone."""
        try:
            return self._begun(task).result()
        except BrokenExecutor as error:
            with self._lock:
                # A broken pool has ended; at a shutdown it must not be waited for.
                self._pools.discard(self._own.pool)
            self._own.pool = None
            raise WorkerDied("killed, crashed, or out of memory; `--jobs` sets how many run at a time") from error

    def _begun(self, task: Callable[[], Any]) -> Future[Any]:
        """Hand a task to this thread's own process, started at the first task; raises `WorkerDied` after a stop."""
        with self._lock:
            if self._stopped:
                raise WorkerDied("the run was stopped")
            pool: ProcessPoolExecutor | None = getattr(self._own, "pool", None)
            if pool is None:
                limits = (self._memory,)
                pool = ProcessPoolExecutor(1, mp_context=self._context, initializer=prepared, initargs=limits)
                self._own.pool = pool
                self._pools.add(pool)
            return pool.submit(task)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes when they have done what was submitted, or at least what they have begun."""
        super().shutdown(wait, cancel_futures=cancel_futures)
        with self._lock:
            pools = list(self._pools)
        for pool in pools:
            pool.shutdown(wait, cancel_futures=cancel_futures)

    def stop(self) -> None:
        """End the processes without waiting for what they do."""
        with self._lock:
            self._stopped = True
            pools = list(self._pools)
        super().shutdown(wait=False, cancel_futures=True)
        # A pool that is shut down lets a running task end, which may take hours.
        for process in multiprocessing.active_children():
            process.terminate()
        # Without its process a pool ends at once. One that is still ending at the end of the program is woken by
        # Python on a pipe that it may have closed.
        for pool in pools:
            pool.shutdown(cancel_futures=True)


def start_method(preload: tuple[str, ...]) -> Any:
    """Workers are forked from a clean server process that has `preload` loaded, where the platform has one."""
    # Never `fork`: this process has threads, and a fork of a process with threads may inherit a lock that nobody
    # releases.
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(preload))
    return context


def prepared(memory: int) -> None:
    """In a new process: limit its memory, and let it end with the run.

    Ctrl-C reaches the whole process group: workers just end, the parent has stored what has arrived. A parent that is
    killed sends no word, and a worker would wait for its next task for ever: a thread watches for that.
    """
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # a run in the background of a script ignores it
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    _limit_memory(memory)
    threading.Thread(target=_wait_for_the_parent, daemon=True).start()


def _limit_memory(memory: int) -> None:
    """Limit the address space of this process, never above the limit that the system has set.

    Without a limit a task that wants all memory would make the system kill some process, which need not be that one.
    """
    try:
        import resource
    except ImportError:  # not a Unix system
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    allowed = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (allowed, hard))
    except (ValueError, OSError):  # macOS knows the limit by name only
        return


def _wait_for_the_parent() -> None:
    """End this process when the parent has ended, however that was."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        # Not `sys.exit`, which in a thread ends the thread alone.
        os._exit(1)


# -------------------------------------------------------------------------------------------------------- on a cluster


class Cluster(Executor):
    """The workers of a `distributed` cluster, behind the interface of an executor.

    Args:
        client: a client of `distributed`, connected.
        address: its address, for messages.
    """

    def __init__(self, client: Any, address: str) -> None:
        self._client, self._address = client, address
        self._executor: Executor = client.get_executor()
        self._alone_since: float | None = None

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a task done by a worker of the cluster."""
        return self._executor.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Release the workers; the executor of `distributed` cancels unfinished tasks by itself."""
        self._executor.shutdown(wait=wait)

    def require_workers(self) -> None:
        """Raise `NoWorkersLeft` where the cluster has had no worker for `PATIENCE` seconds, or no scheduler."""
        if self._workers():
            self._alone_since = None
            return
        now = time.monotonic()
        # Workers come and go, on a cluster with a queue by the minute: only a long absence ends the run.
        self._alone_since = now if self._alone_since is None else self._alone_since
        if now - self._alone_since >= PATIENCE:
            raise NoWorkersLeft(
                f"{self._address}: no worker has been there for {PATIENCE:.0f} s; start some and run again"
            )

    def _workers(self) -> int:
        """The number of workers that the scheduler knows; 0 where it does not answer."""
        try:
            return len(self._client.nthreads())
        except (OSError, TimeoutError, CancelledError):
            return 0


def make_executor(jobs: int, address: str | None, preload: tuple[str, ...] = (), memory: int = MEMORY) -> Executor:
    """A pool of processes, or the workers of a `distributed` cluster for an address such as dask://HOST:PORT.

    Args:
        jobs: the number of processes on this machine; a cluster decides for itself.
        address: None for this machine.
        preload: modules whose memory the processes of a pool share, where the platform can.
        memory: the bytes that each process of a pool may use.

    Raises:
        InputError: for an address of another kind, without the package `distributed`, and where no scheduler answers.
    """
    if address is None:
        return Processes(jobs, preload, memory)
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
    return Cluster(client, address)


def stop_workers(executor: Executor) -> None:
    """End the executor without waiting for what is in flight."""
    if isinstance(executor, Processes):
        executor.stop()
    else:
        executor.shutdown(wait=False)
