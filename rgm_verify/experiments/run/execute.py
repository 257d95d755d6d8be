"""Running an experiment: tasks go to workers, each result is kept as it arrives, and an interrupted run resumes.

The numbers do not depend on the workers: a task seeds itself, and linear algebra uses one thread.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import convert

from rgm_verify import __version__
from rgm_verify.errors import InputError
from rgm_verify.experiments.accounts import Cost, NodeAccount
from rgm_verify.experiments.run import records
from rgm_verify.experiments.run.records import MethodRecord, PanelRecord, Record, Run, Source, number
from rgm_verify.jobs.files import write_atomically
from rgm_verify.jobs.fingerprint import LIBRARY, Sources
from rgm_verify.jobs.store import Damaged, installed, read_kept, write_kept
from rgm_verify.jobs.workers import Task as Piece
from rgm_verify.jobs.workers import complete, said_of_death
from rgm_verify.numbers.counted import counted

if TYPE_CHECKING:
    from rgm_verify.experiments.data.datasets import Dataset
    from rgm_verify.experiments.data.images import Images
    from rgm_verify.experiments.run import one_run, one_training
    from rgm_verify.experiments.run.catalogue import Experiment, Panel

#: What makes numbers, by the kind of the experiment: the module of the data, and that of one run on them, which has a
#: `Task` and `perform`.
_MAKERS = {
    "two-nodes": ("rgm_verify.experiments.data.datasets", "rgm_verify.experiments.run.one_run"),
    "training": ("rgm_verify.experiments.data.images", "rgm_verify.experiments.run.one_training"),
}
#: The layout of the file of a result.
FORMAT = "rgm-verify task 2"
_SHOWN = 5  # failures that a message names

AnyData: TypeAlias = "Dataset | Images"
AnyTask: TypeAlias = "one_run.Task | one_training.Task"
AnyResult: TypeAlias = "one_run.Result | one_training.Result"
Load: TypeAlias = Callable[[str], AnyData]
"""Gives the data set of a name. It goes to workers, so that it must be importable there."""
Perform: TypeAlias = Callable[[Any, Any], AnyResult]
"""Does a task on its data set: a pure function of both, but for the times."""
Progress: TypeAlias = Callable[[str, str], None]
"""Told of each task: its name, and "kept", "done" or "failed"."""
Downloading: TypeAlias = Callable[[str, int, int], None]


class TasksFailed(RuntimeError):
    """Tasks that raised something which is not the user's doing; the message names them. The others are kept."""


@dataclass(frozen=True)
class Data:
    """The source of data sets: a folder (or the places where `datasets.load` looks by itself), or synthetic twins.

    Attributes:
        folder: with a subfolder for each set; None for the usual places.
        synthetic: whether synthetic records of the same shape take the place of all sets.
        downloading: told of downloads. It plays no part in comparisons: a worker keeps what an equal source has loaded.
    """

    folder: Path | None = None
    synthetic: bool = False
    downloading: Downloading | None = field(default=None, compare=False)

    def __call__(self, name: str) -> AnyData:
        """Return the data set, or the set of images, of that name.

        Raises `InputError` as `datasets.load` and `images.load_images` do.
        """
        from rgm_verify.experiments.data import datasets, images

        if name in images.NAMES:
            if self.synthetic:
                return replace(images.synthetic_images(name), name=name)
            return images.load_images(name, folder=self.folder, progress=self.downloading)
        if self.synthetic:
            return replace(datasets.synthetic(name), name=name)
        return datasets.load(name, folder=self.folder, progress=self.downloading)


@dataclass(frozen=True)
class Job:
    """A task, what it is called in messages, the key of its result, and the digest that its data must have.

    Attributes:
        name: the first of its names where several panels have the task.
        key: SHA-256 over everything that decides the result; the name of its file.
        task: the choices, the method, the run and the seed.
        sha256: of the data that the run began with.
    """

    name: str
    key: str
    task: AnyTask
    sha256: str


@dataclass
class Done:
    """Results by key as JSON data, and what went wrong: names of tasks to messages, apart for the user's doing."""

    results: dict[str, dict[str, Any]] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)


def execute(
    experiment: Experiment,
    *,
    runs: int,
    seed: int,
    out: Path,
    executor: Executor,
    progress: Progress,
    folder: Path | None = None,
    synthetic: bool = False,
    downloading: Downloading | None = None,
    load: Load | None = None,
    perform: Perform | None = None,
) -> Record:
    """Run an experiment and return its record, which is also written to `out`/record.json.

    What `out`/tasks holds of it is not computed again. Wall-clock times go to `out`/timings.json.

    Args:
        experiment: of the catalogue, or another one.
        runs: of each method.
        seed: of all runs.
        out: the folder of results.
        executor: as `jobs.workers.make_executor` makes it.
        progress: called with (name of the task, "kept" | "done" | "failed").
        folder: of data.
        synthetic: whether synthetic twins take the place of the data.
        downloading: as `datasets.load` says.
        load: gives data sets, here first, so that what is missing is said before any work, and again in each worker,
            once for equal `load`s; it must be importable there.
        perform: does a task; it must be importable in the workers.

    Raises:
        InputError: for what the user can mend.
        TasksFailed: for anything else that tasks raised. Either way, and on Ctrl-C, the results that had arrived are
            kept.
    """
    how: Perform = perform or _maker(experiment.kind).perform
    here: Load = load or Data(folder, synthetic, downloading)
    there: Load = load or Data(folder, synthetic)
    # All data before any work: what is missing is said in the first second, and not after hours.
    sources = [Source.of(name, here(name)) for name in _datasets(experiment)]
    jobs = plan(experiment, runs, seed, sources)
    done = _run(jobs, out / "tasks", executor, lambda job: Piece(job.name, work, (how, there, job)), progress)
    _raise_for(done, out)
    record = _record(experiment, runs, seed, sources, {job.name: done.results[job.key]["result"] for job in jobs})
    records.write(record, out / "record.json")
    write_atomically(out / "timings.json", _timings(experiment, jobs, done.results))
    return record


def maker_of(kind: str) -> str:
    """Return the name of the module of one run of a kind of experiment, for workers to load beforehand.

    Args:
        kind: "two-nodes" or "training".

    Examples:
        >>> maker_of("training")
        'rgm_verify.experiments.run.one_training'
    """
    return _MAKERS[kind][-1]


def _maker(kind: str) -> Any:
    """Return that module; loaded late, as it takes NumPy and more with it."""
    return import_module(maker_of(kind))


# --------------------------------------------------------------------------------------------------------------- plan


def plan(experiment: Experiment, runs: int, seed: int, sources: Iterable[Source]) -> list[Job]:
    """The jobs of an experiment, panel by panel; the same task in two panels has the same key.

    Args:
        experiment: with its panels and methods.
        runs: of each method.
        seed: of all runs.
        sources: of every data set that a panel names; their digests become part of the keys.

    Raises:
        InputError: for a method that there is not, and for a seed that is no integer >= 0.
    """
    new_task = _maker(experiment.kind).Task
    # Once for all jobs: a change of a file during the run must not split it into two kinds of results.
    digests = {source.name: source.sha256 for source in sources}
    code = code_fingerprint(experiment.kind)
    found = []
    for panel in experiment.panels:
        for method in panel.methods:
            for run in range(runs):
                task = new_task(setup=panel.setup, method=method, run=run, seed=seed)
                digest = digests[panel.setup.dataset]
                name = _task_name(panel, method, run)
                found.append(Job(name, _key(task, digest, code), task, digest))
    return found


def _task_name(panel: Panel, method: str, run: int) -> str:
    return f"{panel.name}/{method}/run {run}"


def _key(task: AnyTask, sha256: str, code: str) -> str:
    """The content key of a result: the task, the data, and the code that makes numbers."""
    # The panel and the experiment are not in it: they do not change a number, and equal tasks are done once.
    about = {"setup": task.setup.to_json(), "method": task.method, "run": task.run, "seed": task.seed}
    return hashlib.sha256("\n".join((_canonical(about), sha256, code)).encode()).hexdigest()


def _canonical(data: Any) -> str:
    return json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)


@lru_cache(maxsize=2)
def code_fingerprint(kind: str = "two-nodes") -> str:
    """A hash over the code that makes the numbers of experiments, the catalogue of data, and versions of libraries.

    Comments and docstrings do not count; everything that the module of one run imports of the library does. A result
    of other code is therefore computed anew, and a record says which code it is of.

    Args:
        kind: "two-nodes" or "training", which rest on different modules.
    """
    # Images stand in no catalogue: their digests are in the code.
    if kind != "two-nodes":
        return Sources({"rgm_verify": LIBRARY}).fingerprint(_MAKERS[kind], versions())
    from rgm_verify.experiments.data.sources import CATALOGUE

    # No import leads to the catalogue.
    catalogue = {CATALOGUE.name: hashlib.sha256(CATALOGUE.read_bytes()).hexdigest()}
    return Sources({"rgm_verify": LIBRARY}).fingerprint(_MAKERS[kind], versions() | catalogue)


def versions() -> dict[str, str]:
    """The versions that the numbers depend on."""
    libraries = installed("numpy", "python-flint", "scipy")
    return {"python": platform.python_version(), "rgm-verify": __version__, **libraries}


def _datasets(experiment: Experiment) -> list[str]:
    """Return the names of the data sets of an experiment, each once."""
    return list(dict.fromkeys(panel.setup.dataset for panel in experiment.panels))


# ------------------------------------------------------------------------------------------------------------ workers


def work(perform: Perform, load: Load, job: Job) -> dict[str, Any]:
    """Do one job in a worker process, as JSON data; the data set stays loaded for the next job on it.

    Linear algebra is left with one thread in this process: sums are then added in one order on every machine, and
    workers do not compete.

    Args:
        perform: does the task.
        load: gives the data set.
        job: with the digest that the data must have.

    Raises:
        InputError: for what the user can mend, such as data that have changed since the run began.
        TasksFailed: for anything else, with its kind and its message.
    """
    try:
        dataset = _same(_loaded(load, job.task.setup.dataset), job.sha256)
        _single_thread()
        return _as_data(perform(job.task, dataset))
    except InputError:
        raise
    except Exception as error:  # not every exception survives the way between processes
        raise TasksFailed(f"{type(error).__name__}: {error}") from error


def _same(dataset: AnyData, sha256: str) -> AnyData:
    """Return a data set if it is the one that the run began with."""
    if dataset.sha256 != sha256:
        raise InputError(f"dataset={dataset.name!r}: the worker's copy holds other data than the one here")
    return dataset


@lru_cache(maxsize=1)
def _loaded(load: Load, name: str) -> AnyData:
    """Return a data set; kept for the next task on it."""
    # One only, as sets are large and jobs come panel by panel.
    return load(name)


def _single_thread() -> None:
    """Limit linear algebra to one thread in this process, where there is a way to do so."""
    import_module("scipy.linalg")  # brings a linear algebra of its own, which is to be limited as well
    try:
        control = import_module("threadpoolctl")  # comes with scikit-learn
    except ImportError:
        return
    control.threadpool_limits(limits=1)


def _as_data(result: AnyResult) -> dict[str, Any]:
    """Return a result as JSON data."""
    found: dict[str, Any] = _finite(result.to_json())
    return found


def _finite(value: Any) -> Any:
    """JSON data with None for what is not finite."""
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return number(value) if isinstance(value, float) else value


# ------------------------------------------------------------------------------------------------------------ results


def _run(jobs: list[Job], folder: Path, executor: Executor, piece: Callable[[Job], Piece], progress: Progress) -> Done:
    """Take what is kept in `folder`, have the rest done, and keep each result the moment it arrives."""
    done = Done()
    names: dict[str, list[str]] = {}
    for job in jobs:
        kept = done.results.get(job.key) or read_result(folder, job.key)
        if kept is not None:
            done.results[job.key] = kept
            progress(job.name, "kept")
        else:
            names.setdefault(job.key, []).append(job.name)
    # Equal tasks in two panels are one piece of work: the first name stands for all.
    missing = {job.name: job for key, job in {job.key: job for job in reversed(jobs)}.items() if key in names}

    def arrived(piece: Piece, future: Future[dict[str, Any]]) -> None:
        job = missing[piece.name]
        state = _take(future, job, folder, done)
        for name in names[job.key]:
            progress(name, state)

    def rescued(piece: Piece, result: dict[str, Any]) -> None:
        # Of an interrupted run: nobody waits for the result any more, and the next run will find it.
        write_result(folder, missing[piece.name].key, result)

    complete(executor, [piece(job) for job in reversed(missing.values())], arrived, rescued=rescued)
    return done


def _take(future: Future[dict[str, Any]], job: Job, folder: Path, done: Done) -> str:
    """Keep a finished result, or note what went wrong with it."""
    error = future.exception()
    if error is None:
        done.results[job.key] = future.result()
        # At once and not at the end: a machine that goes down loses the tasks under way and no others.
        write_result(folder, job.key, future.result())
        return "done"
    if isinstance(error, InputError):
        done.refused[job.name] = str(error)
    elif death := said_of_death(error):
        done.failed[job.name] = f"{death}; use fewer workers with --jobs"
    else:
        done.failed[job.name] = str(error) if isinstance(error, TasksFailed) else f"{type(error).__name__}: {error}"
    return "failed"


def write_result(folder: Path, key: str, result: Mapping[str, Any]) -> None:
    """Keep the result of a task: its file appears complete or not at all.

    Args:
        folder: of results.
        key: of the job; it names the file and stands in it.
        result: JSON data, without infinities.
    """
    write_kept(folder / f"{key}.json", key, dict(result), FORMAT)


def read_result(folder: Path, key: str) -> dict[str, Any] | None:
    """The result that is kept under a key; None if there is none, or its file is damaged (it is then made again).

    Raises `InputError` if it cannot be read: a file without permission is no reason to compute for hours and then fail
    to write.
    """
    path = folder / f"{key}.json"
    try:
        kept = read_kept(path, FORMAT)
    except (FileNotFoundError, Damaged):
        return None
    except InputError as error:
        raise InputError(f"{error}; make it readable, or remove it") from error
    # A file that was renamed holds the result of another task.
    return kept.record if kept.in_layout and kept.key == key else None


def _raise_for(done: Done, out: Path) -> None:
    """Raise for what went wrong, naming the tasks; what the user cannot mend comes first."""
    for found, error in ((done.failed, TasksFailed), (done.refused, InputError)):
        if found:
            # A few: one cause mostly fails hundreds of tasks alike.
            shown = [f"{name}: {message}" for name, message in list(found.items())[:_SHOWN]]
            shown += [f"and {len(found) - _SHOWN} more"] * (len(found) > _SHOWN)
            failed = f"{counted(len(found), 'task')} failed, the others are kept in {out / 'tasks'}:"
            raise error("\n  ".join([failed, *shown]))


# ------------------------------------------------------------------------------------------------------------- record


def _record(
    experiment: Experiment, runs: int, seed: int, sources: list[Source], results: Mapping[str, Mapping[str, Any]]
) -> Record:
    """Return the record of all results."""
    return Record(
        format=records.FORMAT,
        experiment=experiment.name,
        title=experiment.title,
        question=experiment.question,
        runs=runs,
        seed=seed,
        versions=versions(),
        code=code_fingerprint(experiment.kind),
        kind=experiment.kind,
        datasets=sources,
        panels=[_panel(panel, runs, results) for panel in experiment.panels],
    )


def _panel(panel: Panel, runs: int, results: Mapping[str, Mapping[str, Any]]) -> PanelRecord:
    """Return the record of a panel."""
    return PanelRecord(
        name=panel.name,
        title=panel.title,
        x=panel.x,
        setup=panel.setup.to_json(),
        methods=[
            _method(method, [results[_task_name(panel, method, run)] for run in range(runs)])
            for method in panel.methods
        ],
    )


def _method(method: str, results: list[Mapping[str, Any]]) -> MethodRecord:
    """Return the record of a method with its band."""
    found = [_one_run(number_, result) for number_, result in enumerate(results)]
    return MethodRecord(method=method, runs=found, band=records.band([run.curve for run in found]))


def _one_run(run: int, result: Mapping[str, Any]) -> Run:
    """Return the record of a run."""
    return Run(
        run=run,
        curve=list(result["curve"]),
        expected=list(result["expected"]),
        final=dict(result["final"]),
        accounts=convert(result["accounts"], list[NodeAccount]),
        costs=convert(result.get("costs", {}), dict[str, Cost]),
    )


def _timings(experiment: Experiment, jobs: Iterable[Job], results: Mapping[str, Mapping[str, Any]]) -> bytes:
    """Return the times of the tasks as JSON, apart from the record: they differ from run to run."""
    # Also of kept results, whose times are those of the run that made them.
    found = {job.name: results[job.key]["seconds"] for job in jobs}
    about = {"experiment": experiment.name, "seconds": found}
    return (json.dumps(about, indent=1, sort_keys=True) + "\n").encode()
