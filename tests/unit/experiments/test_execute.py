"""Execution: the same record from any workers, nothing computed twice, nothing that was finished is lost."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from rgm_verify.errors import InputError
from rgm_verify.experiments.data import sources
from rgm_verify.experiments.run import execute as execution
from rgm_verify.experiments.run.execute import TasksFailed, plan, read_result, write_result
from rgm_verify.experiments.run.records import Record, Source, encode
from rgm_verify.jobs import workers
from rgm_verify.jobs.workers import make_executor, stop_workers


@dataclass
class Bench:
    """A folder in which fake experiments run."""

    fake: ModuleType
    folder: Path
    said: list[tuple[str, str]] = field(default_factory=list)

    def run(self, executor: Executor, *, out: str = "out", runs: int = 2, **changes: Any) -> Record:
        self.said.clear()
        return execution.execute(
            changes.pop("experiment", self.fake.experiment()),
            runs=runs,
            seed=changes.pop("seed", 0),
            out=self.folder / out,
            executor=executor,
            progress=changes.pop("progress", lambda name, state: self.said.append((name, state))),
            load=self.fake.Load(str(self.folder)),
            perform=partial(self.fake.perform, str(self.folder)),
        )

    def lines(self, name: str) -> list[str]:
        path = self.folder / name
        return path.read_text().splitlines() if path.exists() else []

    def ask(self, name: str, text: str = "") -> None:
        (self.folder / name).write_text(text)

    def kept(self, out: str = "out") -> list[Path]:
        return sorted((self.folder / out / "tasks").glob("*.json"))


@pytest.fixture
def bench(fake: ModuleType, tmp_path: Path) -> Bench:
    return Bench(fake, tmp_path)


@pytest.fixture
def threads() -> Iterator[Executor]:
    with ThreadPoolExecutor(1) as executor:
        yield executor


def in_processes(bench: Bench, jobs: int, **rest: Any) -> Record:
    executor = make_executor(jobs, None, ("rgm_verify.experiments.run.one_run",))
    try:
        return bench.run(executor, **rest)
    finally:
        stop_workers(executor)


# ------------------------------------------------------------------------------------------------------- reproducible


def test_any_number_of_workers_writes_the_same_bytes(bench: Bench, threads: Executor) -> None:
    records = [encode(in_processes(bench, jobs, out=f"out{jobs}")) for jobs in (1, 2)]
    records.append(encode(bench.run(threads, out="out0")))
    assert records[0] == records[1] == records[2]
    files = [(bench.folder / f"out{jobs}" / "record.json").read_bytes() for jobs in (0, 1, 2)]
    assert set(files) == {records[0]}
    tasks = [{p.name: p.read_bytes() for p in bench.kept(f"out{jobs}")} for jobs in (0, 1, 2)]
    assert tasks[0] == tasks[1] == tasks[2]


def test_a_cluster_writes_the_same_bytes_as_local_workers(bench: Bench, threads: Executor) -> None:
    distributed = pytest.importorskip("distributed", reason="distributed is not installed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None, host="127.0.0.1", protocol="tcp"
    ) as cluster:
        executor = make_executor(1, cluster.scheduler_address.replace("tcp://", "dask://"))
        there = encode(bench.run(executor, out="there"))
        distributed.default_client().close()
    assert there == encode(bench.run(threads, out="here"))


def test_a_record_holds_every_run_with_where_it_comes_from(bench: Bench, threads: Executor) -> None:
    record = bench.run(threads, runs=3, seed=5)
    assert [panel.name for panel in record.panels] == ["left", "right"]
    assert (record.experiment, record.runs, record.seed, len(record.code)) == ("fake", 3, 5, 64)
    assert {"numpy", "python", "rgm-verify"} <= set(record.versions)
    (source,) = record.datasets
    assert (source.name, source.records, source.features, source.synthetic) == ("ijcnn1", 4, 4, False)
    left, right = record.panels
    assert left.setup["split"] == "random"
    assert [method.method for method in left.methods] == list(bench.fake.METHODS)
    assert all([run.run for run in method.runs] == [0, 1, 2] for method in left.methods)
    assert right.methods[-1].band.lower == []  # not feasible
    assert right.methods[-1].runs[0].accounts[0].floor == 0.25


def test_other_seeds_and_choices_give_other_records(bench: Bench, threads: Executor) -> None:
    base = bench.run(threads).panels
    assert bench.run(threads, seed=1).panels != base
    assert bench.run(threads, experiment=bench.fake.experiment(level="0.2")).panels != base


def test_times_stand_apart_from_the_record(bench: Bench, threads: Executor) -> None:
    bench.run(threads)
    times = json.loads((bench.folder / "out" / "timings.json").read_text())
    assert times["seconds"]["left/none/run 0"]["prepare"] == 0.5
    assert len(times["seconds"]) == 16
    assert "seconds" not in (bench.folder / "out" / "record.json").read_text()


def test_what_is_not_finite_is_null(bench: Bench, threads: Executor) -> None:
    bench.ask("runaway")
    method = bench.run(threads).panels[0].methods[0]
    assert method.runs[0].curve[-1] is None
    assert method.band.upper[-1] is None
    assert method.runs[0].curve[0] is not None


# ------------------------------------------------------------------------------------------------------ nothing twice


def test_a_second_run_computes_nothing(bench: Bench, threads: Executor) -> None:
    first = bench.run(threads)
    assert {state for _, state in bench.said} == {"done"}
    assert bench.run(threads) == first
    assert {state for _, state in bench.said} == {"kept"}
    assert len(bench.lines("calls")) == len(bench.said) == 16


def test_more_runs_keep_those_that_there_are(bench: Bench, threads: Executor) -> None:
    bench.run(threads, runs=1)
    bench.run(threads, runs=3)
    assert len(bench.lines("calls")) == len(set(bench.lines("calls"))) == 24


def test_what_is_missing_is_made_and_the_record_is_the_same(bench: Bench, threads: Executor) -> None:
    record = bench.run(threads)
    for path in bench.kept()[::3]:
        path.unlink()
    assert bench.run(threads) == record
    assert sum(state == "done" for _, state in bench.said) == 6


def test_a_task_that_stands_in_two_panels_is_performed_once(bench: Bench, threads: Executor) -> None:
    base = bench.fake.experiment()
    twice = replace(base, panels=(*base.panels, replace(base.panels[0], name="again")))
    record = bench.run(threads, experiment=twice)
    assert len(bench.lines("calls")) == 16
    assert len(bench.said) == 24
    assert record.panels[2].methods == record.panels[0].methods


def test_a_data_set_is_loaded_once_in_each_worker(bench: Bench) -> None:
    in_processes(bench, 2)
    assert len(bench.lines("loads")) == len(set(bench.lines("loads"))) <= 3


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "cut": lambda data: data[: len(data) // 2],
    "not text": lambda _: b"\xff\xfe\x00",
    "another form": lambda _: b"[1, 2]",
    "a changed number": lambda data: data.replace(b'"step": 0.', b'"step": 1.'),
    "another layout": lambda data: data.replace(b"rgm-verify task 2", b"rgm-verify task 1"),
    "without a checksum": lambda data: data.replace(b'"checksum"', b'"sum"'),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_result_is_made_again(bench: Bench, threads: Executor, kind: str) -> None:
    record = bench.run(threads)
    path = bench.kept()[4]
    whole = path.read_bytes()
    path.write_bytes(DAMAGE[kind](whole))
    assert path.read_bytes() != whole
    assert bench.run(threads) == record
    assert sum(state == "done" for _, state in bench.said) == 1
    assert path.read_bytes() == whole


def test_a_result_under_the_key_of_another_is_made_again(bench: Bench, threads: Executor) -> None:
    record = bench.run(threads)
    first, second, *_ = bench.kept()
    first.write_bytes(second.read_bytes())
    assert bench.run(threads) == record


def test_a_kept_result_is_what_was_written(tmp_path: Path) -> None:
    result = {"result": {"curve": [0.1, None, 1e-300], "final": {}}, "seconds": {"step": 0.25}}
    write_result(tmp_path, "key", result)
    assert read_result(tmp_path, "key") == result
    assert read_result(tmp_path, "other") is None
    assert [p.name for p in tmp_path.iterdir()] == ["key.json"]


# --------------------------------------------------------------------------------------------------------------- keys


def keys(fake: ModuleType, *, sha256: str = "0", **rest: Any) -> list[str]:
    data = Source(name="ijcnn1", source="", sha256=sha256, records=1, features=1, synthetic=False, limits="")
    experiment = fake.experiment(**rest.pop("changes", {}))
    return [job.key for job in plan(experiment, rest.get("runs", 2), rest.get("seed", 0), [data])]


def test_every_task_has_a_key_of_its_own(fake: ModuleType) -> None:
    found = keys(fake)
    assert len(found) == len(set(found)) == 16


@pytest.mark.parametrize("change", [{"seed": 1}, {"sha256": "1"}, {"changes": {"level": "0.2"}}])
def test_a_key_changes_with_seed_data_and_choices(fake: ModuleType, change: dict[str, Any]) -> None:
    assert not set(keys(fake)) & set(keys(fake, **change))


def test_a_key_changes_with_the_code_and_the_versions(fake: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    before = keys(fake)
    monkeypatch.setattr(execution, "code_fingerprint", lambda _: "other")
    assert not set(before) & set(keys(fake))


def test_the_fingerprint_covers_what_makes_numbers_and_not_what_shows_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[str] = []
    original = Path.read_bytes

    def noted(path: Path) -> bytes:
        read.append("/".join(path.parts[-2:]))
        return original(path)

    execution.code_fingerprint.cache_clear()
    monkeypatch.setattr(Path, "read_bytes", noted)
    found = execution.code_fingerprint()
    assert {"run/one_run.py", "experiments/setup.py", "learning/ridge.py", "exact/one_release.py"} <= set(read)
    assert not {"show/figures.py", "run/records.py", "run/execute.py"} & set(read)
    execution.code_fingerprint.cache_clear()
    monkeypatch.setattr(execution, "versions", lambda: {"numpy": "0"})
    assert execution.code_fingerprint() != found
    execution.code_fingerprint.cache_clear()


def test_the_fingerprint_covers_the_catalogue_of_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    execution.code_fingerprint.cache_clear()
    found = execution.code_fingerprint()
    text = sources.CATALOGUE.read_text(encoding="utf-8")
    for after, same in ((text, True), (text.replace("0.3673", "0.3674", 1), False)):
        changed = tmp_path / sources.CATALOGUE.name
        changed.write_text(after, encoding="utf-8")
        monkeypatch.setattr(sources, "CATALOGUE", changed)
        execution.code_fingerprint.cache_clear()
        assert (execution.code_fingerprint() == found) is same
    execution.code_fingerprint.cache_clear()


# ------------------------------------------------------------------------------------------------------------ failures


def test_the_failure_of_one_task_names_it_and_loses_no_other(bench: Bench, threads: Executor) -> None:
    bench.ask("random rgm-printed 1", "fail")
    with pytest.raises(TasksFailed, match=r"left/rgm-printed/run 1: ZeroDivisionError: by zero") as error:
        bench.run(threads)
    assert "the others are kept" in str(error.value)
    assert ("left/rgm-printed/run 1", "failed") in bench.said
    assert len(bench.kept()) == 15
    assert not (bench.folder / "out" / "record.json").exists()
    (bench.folder / "random rgm-printed 1").unlink()
    bench.run(threads)
    assert sum(state == "done" for _, state in bench.said) == 1


def test_what_the_user_can_mend_is_bad_input(bench: Bench, threads: Executor) -> None:
    bench.ask("label none 0", "refuse")
    with pytest.raises(InputError, match=r"right/none/run 0: split='label': node 1 is left without records"):
        bench.run(threads)
    assert len(bench.kept()) == 15


def test_many_failures_are_counted_and_a_few_are_shown(bench: Bench, threads: Executor) -> None:
    for method in bench.fake.METHODS:
        for run in range(2):
            bench.ask(f"random {method} {run}", "fail")
    with pytest.raises(TasksFailed, match=r"8 tasks failed") as error:
        bench.run(threads)
    assert str(error.value).count("ZeroDivisionError") == 5
    assert "and 3 more" in str(error.value)


def test_an_exception_that_cannot_be_sent_does_not_end_the_other_workers(bench: Bench) -> None:
    bench.ask("random none 0", "odd")
    with pytest.raises(TasksFailed, match=r"left/none/run 0: Odd: one"):
        in_processes(bench, 2)
    assert len(bench.kept()) == 15


def test_a_worker_that_dies_is_said_and_what_was_finished_is_kept(bench: Bench) -> None:
    bench.ask("label rgm-vouched 1", "die")
    with pytest.raises(TasksFailed, match=r"its worker died twice, .* out of memory.*; use fewer workers with --jobs"):
        in_processes(bench, 1)
    assert len(bench.kept()) == 15
    (bench.folder / "label rgm-vouched 1").unlink()
    in_processes(bench, 1)
    assert sum(state == "done" for _, state in bench.said) == 1


def test_workers_that_are_gone_before_they_are_given_everything_are_said(bench: Bench) -> None:
    class Gone(ThreadPoolExecutor):
        """Takes three tasks and breaks."""

        taken = 0

        def submit(self, *words: Any, **rest: Any) -> Any:
            self.taken += 1
            if self.taken > 3:
                raise BrokenExecutor("a process was terminated abruptly")
            return super().submit(*words, **rest)

    with Gone(1) as executor, pytest.raises(TasksFailed, match=r"13 tasks failed"):
        bench.run(executor)
    assert len(bench.kept()) == 3


def test_linear_algebra_of_a_worker_has_one_thread() -> None:
    threadpoolctl = pytest.importorskip("threadpoolctl", reason="threadpoolctl comes with scikit-learn")
    with threadpoolctl.threadpool_limits(limits=2):
        assert 2 in {found["num_threads"] for found in threadpoolctl.threadpool_info()}
        execution._single_thread()
        assert {found["num_threads"] for found in threadpoolctl.threadpool_info()} == {1}


def test_data_that_are_missing_are_said_before_any_work(bench: Bench, threads: Executor) -> None:
    def missing(name: str) -> Any:
        raise InputError(f"{name}: no file; use --synthetic")

    with pytest.raises(InputError, match="use --synthetic"):
        execution.execute(
            bench.fake.experiment(), runs=1, seed=0, out=bench.folder / "out", executor=threads,
            progress=lambda *_: None, load=missing, perform=partial(bench.fake.perform, str(bench.folder)),
        )  # fmt: skip
    assert bench.lines("calls") == []
    assert not (bench.folder / "out").exists()


def test_a_worker_with_other_data_is_refused(bench: Bench) -> None:
    bench.ask("other", str(os.getpid()))
    with pytest.raises(InputError, match=r"dataset='ijcnn1': the worker's copy holds other data"):
        in_processes(bench, 1)
    assert bench.lines("calls") == []


def test_an_interruption_keeps_what_had_arrived(
    bench: Bench, threads: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(landed: Any) -> Any:
        for _ in range(16):
            landed.get(timeout=60)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(workers, "_landed", interrupted)
        with pytest.raises(KeyboardInterrupt):
            bench.run(threads)
    assert len(bench.kept()) == 16
    assert not (bench.folder / "out" / "record.json").exists()
    bench.run(threads)
    assert {state for _, state in bench.said} == {"kept"}


def test_a_folder_that_cannot_be_written_is_said(bench: Bench, threads: Executor) -> None:
    (bench.folder / "out").write_text("a file")
    with pytest.raises(InputError, match="cannot be"):
        bench.run(threads)
