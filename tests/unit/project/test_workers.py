"""Workers: one that dies costs the task that it was doing, and that is tried once more, alone."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import pytest

from rgm_verify.jobs import workers
from rgm_verify.jobs.workers import NoWorkersLeft, Processes, Task, WorkerDied, complete, make_executor, said_of_death

needs_signals = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs signals of Unix")
#: What a task of another process does: it notes its start and its end, and may end its process in between.
WORK = """\
import os, signal, sys, time
from pathlib import Path


def note(text):
    with open(Path(__file__).parent / "log", "a") as log:
        log.write(text + "\\n")


def square(number, deaths=0, seconds=0.0):
    note(f"begin {number} {os.getpid()}")
    before = (Path(__file__).parent / "log").read_text().count(f"begin {number} ")
    time.sleep(seconds)
    if before <= deaths:
        os.kill(os.getpid(), signal.SIGKILL)
    note(f"end {number}")
    return number * number


def allocate(size):
    import numpy

    return numpy.empty(size, numpy.uint8).nbytes
"""


class Bench:
    """Tasks for other processes, and what became of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "work.py").write_text(WORK)
        self.found: dict[str, Any] = {}
        self.order: list[str] = []

    def task(self, name: str, call: str) -> Task:
        """A task for which nothing of the tests has to be importable."""
        path, (function, _, arguments) = str(self.folder / "work.py"), call.partition("(")
        return Task(name, eval, (f"__import__('runpy').run_path({path!r})[{function!r}]({arguments}",))

    def arrived(self, task: Task, future: Future[Any]) -> None:
        assert task.name not in self.found, "nothing arrives twice"
        self.order.append(task.name)
        self.found[task.name] = future.exception() or future.result()

    def log(self) -> list[str]:
        path = self.folder / "log"
        return path.read_text().splitlines() if path.exists() else []


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture
def processes() -> Iterator[Callable[..., Processes]]:
    made: list[Processes] = []

    def make(jobs: int, **rest: Any) -> Processes:
        made.append(Processes(jobs, **rest))
        return made[-1]

    yield make
    for pool in made:
        pool.stop()


@needs_signals
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_task_whose_worker_is_killed_once_is_done_alone_at_the_end(
    bench: Bench, processes: Callable[..., Processes], jobs: int
) -> None:
    tasks = [bench.task(str(i), f"square({i}, deaths={int(i == 1)}, seconds=0.02)") for i in range(8)]
    complete(processes(jobs), tasks, bench.arrived)
    assert bench.found == {str(i): i * i for i in range(8)}
    assert bench.order[-1] == "1"
    assert bench.log()[-2:] == [next(line for line in bench.log()[::-1] if line.startswith("begin 1 ")), "end 1"]


@needs_signals
def test_a_task_that_kills_every_worker_fails_and_costs_no_other(
    bench: Bench, processes: Callable[..., Processes]
) -> None:
    tasks = [bench.task(str(i), f"square({i}, deaths={9 * (i in (0, 5))})") for i in range(8)]
    complete(processes(2), tasks, bench.arrived)
    dead = {name for name, result in bench.found.items() if isinstance(result, WorkerDied)}
    assert dead == {"0", "5"}
    assert {name: result for name, result in bench.found.items() if name not in dead} == {
        str(i): i * i for i in range(8) if i not in (0, 5)
    }
    begun = [line.split()[1] for line in bench.log() if line.startswith("begin")]
    assert {name: begun.count(name) for name in set(begun)} == {str(i): 1 + (i in (0, 5)) for i in range(8)}
    assert str(said_of_death(bench.found["0"])).startswith("its worker died twice")


@needs_signals
def test_workers_that_are_killed_from_outside_lose_nothing(bench: Bench, processes: Callable[..., Processes]) -> None:
    tasks = [bench.task(str(i), f"square({i}, seconds=0.1)") for i in range(24)]
    over = threading.Event()
    killed: set[int] = set()

    def kill_one_now_and_then() -> None:
        while not over.wait(0.35) and len(killed) < 4:
            running = [line.split() for line in bench.log() if line.startswith("begin")]
            if running and (pid := int(running[-1][2])) not in killed:
                killed.add(pid)
                os.kill(pid, signal.SIGKILL)

    killer = threading.Thread(target=kill_one_now_and_then)
    killer.start()
    try:
        complete(processes(2), tasks, bench.arrived)
    finally:
        over.set()
        killer.join()
    assert len(killed) >= 1
    begun = [line.split()[1] for line in bench.log() if line.startswith("begin")]
    for i in range(24):
        if isinstance(bench.found[str(i)], WorkerDied):
            assert begun.count(str(i)) == 2
        else:
            assert bench.found[str(i)] == i * i


@pytest.mark.skipif(not Path("/proc/self/limits").exists(), reason="the limit on address space is that of Linux")
def test_the_memory_of_a_worker_is_limited(bench: Bench, processes: Callable[..., Processes]) -> None:
    complete(processes(1, memory=3 << 30), [bench.task("small", "allocate(1 << 20)")], bench.arrived)
    complete(processes(1, memory=3 << 30), [bench.task("large", "allocate(4 << 30)")], bench.arrived)
    complete(processes(1, memory=8 << 30), [bench.task("allowed", "allocate(4 << 30)")], bench.arrived)
    assert isinstance(bench.found.pop("large"), MemoryError)
    assert bench.found == {"small": 1 << 20, "allowed": 4 << 30}


# ----------------------------------------------------------------------------------------------------- tried once more


def test_what_is_not_finished_is_tried_again_alone_with_what_the_task_says(bench: Bench) -> None:
    running: set[str] = set()
    beside: dict[str, set[str]] = {}
    lock = threading.Lock()

    def work(name: str, last: bool = False) -> str:
        with lock:
            beside[name + "!" * last] = set(running)
            running.add(name)
        time.sleep(0.02)
        with lock:
            running.discard(name)
        return "unfinished" if name in ("a", "d") and not (last and name == "a") else "done"

    tasks = [Task(name, work, (name,), {"last": True}) for name in "abcdef"]
    with ThreadPoolExecutor(3) as executor:
        complete(executor, tasks, bench.arrived, again=lambda result: result == "unfinished")
    assert bench.found == {name: "unfinished" if name == "d" else "done" for name in "abcdef"}
    assert bench.order[-2:] == ["a", "d"]
    assert (beside["a!"], beside["d!"]) == (set(), set())
    assert set(beside) == {*"abcdef", "a!", "d!"}


def test_an_error_of_the_task_itself_is_not_tried_again(bench: Bench) -> None:
    calls: list[int] = []

    def wrong() -> None:
        calls.append(1)
        raise ValueError("wrong")

    with ThreadPoolExecutor(1) as executor:
        complete(executor, [Task("a", wrong)], bench.arrived)
    assert (len(calls), str(bench.found["a"])) == (1, "wrong")
    assert said_of_death(bench.found["a"]) is None
    assert said_of_death(None) is None


def test_what_has_arrived_when_a_run_is_stopped_is_rescued(bench: Bench) -> None:
    rescued: dict[str, Any] = {}
    futures: list[Future[Any]] = []

    class Remembers(ThreadPoolExecutor):
        def submit(self, *words: Any, **rest: Any) -> Any:
            futures.append(super().submit(*words, **rest))
            return futures[-1]

    def arrived(task: Task, future: Future[Any]) -> None:
        wait(futures)
        raise KeyboardInterrupt

    tasks = [Task(name, str, (name,)) for name in ("a", "b", "c")] + [Task("wrong", int, ("x",))]
    with Remembers(2) as executor, pytest.raises(KeyboardInterrupt):
        complete(executor, tasks, arrived, rescued=lambda task, result: rescued.update({task.name: result}))
    assert rescued == {"a": "a", "b": "b", "c": "c"}


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Ctrl-C raises `KeyboardInterrupt` here; tests in the background of a script would ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


class Interrupted(threading.Condition):
    """The lock of a future; the first time that the main thread has taken it, Ctrl-C comes."""

    pressed = False

    def __enter__(self) -> bool:
        taken = super().__enter__()
        if threading.current_thread() is threading.main_thread() and not self.pressed:
            self.pressed = True
            signal.raise_signal(signal.SIGINT)
        return taken


def test_ctrl_c_leaves_no_lock_of_a_future_taken(ctrl_c: None) -> None:
    future = Future[int]()
    lock = future._condition = Interrupted()

    class One(Executor):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            return future

    with pytest.raises(KeyboardInterrupt):
        complete(One(), [Task("one", abs, (1,))], lambda task, future: None)
    assert lock.pressed
    # Another thread, such as the one that looks after a worker, can still say what became of the task.
    other = threading.Thread(target=future.set_result, args=(1,), daemon=True)
    other.start()
    other.join(30)
    assert future.done()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_ends_a_run_whose_tasks_are_under_way(ctrl_c: None) -> None:
    def at_the_second(task: Task, future: Future[Any]) -> None:
        seen.append(task.name)
        if len(seen) == 2:
            signal.raise_signal(signal.SIGINT)

    seen: list[str] = []
    with ThreadPoolExecutor(1) as executor, pytest.raises(KeyboardInterrupt):
        complete(executor, [Task(str(n), time.sleep, (0.01 * n,)) for n in range(1, 40)], at_the_second)
    # What arrives is not broken off in the middle: it is there, and at most what had finished beside it.
    assert 2 <= len(seen) < 39


def test_ctrl_c_beside_the_last_result_is_not_lost(ctrl_c: None) -> None:
    seen: list[str] = []

    def at_the_last(task: Task, future: Future[Any]) -> None:
        seen.append(task.name)
        signal.raise_signal(signal.SIGINT)

    with ThreadPoolExecutor(1) as executor, pytest.raises(KeyboardInterrupt):
        complete(executor, [Task("one", abs, (1,))], at_the_last)
    assert seen == ["one"]


def test_a_handler_of_ones_own_is_left_alone() -> None:
    calls: list[int] = []
    before = signal.signal(signal.SIGINT, lambda *_: calls.append(1))
    try:
        with ThreadPoolExecutor(1) as executor:
            complete(executor, [Task("one", abs, (1,))], lambda task, future: signal.raise_signal(signal.SIGINT))
    finally:
        signal.signal(signal.SIGINT, before)
    assert calls == [1]


def test_workers_that_are_gone_before_they_are_given_everything_are_counted_as_dead(bench: Bench) -> None:
    class Gone(ThreadPoolExecutor):
        """Takes one task and breaks."""

        taken = 0

        def submit(self, *words: Any, **rest: Any) -> Any:
            self.taken += 1
            if self.taken > 1:
                raise BrokenExecutor("a process was terminated abruptly")
            return super().submit(*words, **rest)

    with Gone(1) as executor:
        complete(executor, [Task(name, str, (name,)) for name in "abc"], bench.arrived)
    assert bench.found["a"] == "a"
    assert all(said_of_death(bench.found[name]) for name in "bc")


@needs_signals
def test_a_stopped_pool_leaves_no_process_and_begins_none(bench: Bench, processes: Callable[..., Processes]) -> None:
    pool = processes(2)
    complete(pool, [bench.task(str(i), f"square({i})") for i in range(4)], bench.arrived)
    later = [pool.submit(time.sleep, 60) for _ in range(4)]
    pool.stop()
    for future in later:
        assert future.cancelled() or isinstance(future.exception(timeout=30), WorkerDied | CancelledError)
    pids = {int(line.split()[2]) for line in bench.log() if line.startswith("begin")}
    for _ in range(200):
        if not any(Path(f"/proc/{pid}").exists() for pid in pids):
            break
        time.sleep(0.05)
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)


# -------------------------------------------------------------------------------------------------------- on a cluster


class Client:
    """A cluster's client: `counts` says how many workers are there each time somebody asks."""

    def __init__(self, executor: Executor, counts: Iterator[int | BaseException]) -> None:
        self.executor, self.counts = executor, counts

    def get_executor(self) -> Executor:
        return self.executor

    def nthreads(self) -> dict[str, int]:
        count = next(self.counts)
        if isinstance(count, BaseException):
            raise count
        return {str(i): 1 for i in range(count)}


class Never(Executor):
    """Takes tasks and does none."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        return Future()


@pytest.mark.parametrize("absent", [0, OSError("no scheduler"), TimeoutError(), CancelledError()])
def test_a_cluster_that_stays_without_workers_stops_the_run(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, absent: int | BaseException
) -> None:
    monkeypatch.setattr(workers, "_LOOK", 0.01)
    monkeypatch.setattr(workers, "PATIENCE", 0.1)

    def counts() -> Iterator[int | BaseException]:
        yield from (2, 0, 1)  # one comes back in time
        while True:
            yield absent

    with pytest.raises(NoWorkersLeft, match="dask://here:1: no worker has been there for"):
        complete(workers.Cluster(Client(Never(), counts()), "dask://here:1"), [Task("a", str)], bench.arrived)
    assert bench.found == {}


def test_a_cluster_whose_workers_come_back_goes_on(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_LOOK", 0.01)
    monkeypatch.setattr(workers, "PATIENCE", 0.5)
    slow = Never()
    waiting: Future[Any] = Future()
    monkeypatch.setattr(slow, "submit", lambda *_: waiting)

    def counts() -> Iterator[int]:
        for _ in range(3):
            yield from (0, 0, 1)
        waiting.set_result("done")
        while True:
            yield 1

    complete(workers.Cluster(Client(slow, counts()), "dask://here:1"), [Task("a", str)], bench.arrived)
    assert bench.found == {"a": "done"}


def test_an_address_of_another_kind_is_refused() -> None:
    from rgm_verify.errors import InputError

    with pytest.raises(InputError, match=r"executor='ray://host:1': only dask://HOST:PORT is known"):
        make_executor(1, "ray://host:1")
