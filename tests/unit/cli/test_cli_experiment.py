"""The command on experiments: what it writes, how it goes on, and how it refuses."""

from __future__ import annotations

import functools
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result

from rgm_verify.cli import experiment as command
from rgm_verify.cli import main
from rgm_verify.errors import InputError
from rgm_verify.experiments.run import catalogue, compact, execute, one_run
from rgm_verify.experiments.run.records import read
from rgm_verify.experiments.show import figures
from rgm_verify.jobs import workers

Run = Callable[..., Result]
#: The first figure on few synthetic records and steps, one panel.
SMALL = ("figure-1", "--synthetic", "--set", "records=400", "--set", "iterations=8", "--set", "split=random")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command in an empty folder, without data of this machine, its workers threads of this process."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RGM_VERIFY_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    execute._loaded.cache_clear()
    original = workers.make_executor

    def make(jobs: int, address: str | None, *rest: Any) -> Any:
        return ThreadPoolExecutor(1) if address is None else original(jobs, address, *rest)

    monkeypatch.setattr(workers, "make_executor", make)

    def call(*words: Any) -> Result:
        result = CliRunner().invoke(main, ["experiment", *(str(word) for word in words)])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return call


# -------------------------------------------------------------------------------------------------------------- output


def test_an_experiment_writes_record_figures_and_readme(run: Run, tmp_path: Path) -> None:
    result = run(*SMALL, "--runs", 2)
    assert result.exit_code == 0, result.stderr
    folder = tmp_path / "experiments" / "figure-1-synthetic"
    assert {p.name for p in folder.iterdir()} == {
        "README.md", "figure.png", "figure.svg", "record.json", "tasks", "timings.json",
    }  # fmt: skip
    record = read(folder / "record.json")
    assert (record.experiment, record.runs, record.seed, len(record.panels)) == ("figure-1", 2, 0, 1)
    assert record.panels[0].setup["iterations"] == 8
    assert record.datasets[0].synthetic
    assert len(record.panels[0].methods) == len(catalogue.experiment("figure-1").panels[0].methods)
    assert "relative Gaussian, calibrated exactly" in result.stdout
    assert "synthetic records, not the real set" in result.stdout
    assert f"results: {Path('experiments/figure-1-synthetic/README.md')}" in result.stdout
    assert "22 of 22 runs done" in result.stderr


def test_a_second_run_goes_on_where_the_first_one_ended(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = run(*SMALL, "--runs", 1, "--out", "out")
    before = (tmp_path / "out" / "record.json").read_bytes()
    monkeypatch.setattr(one_run, "perform", lambda *_: pytest.fail("it ran again"))
    second = run(*SMALL, "--runs", 1, "--out", "out")
    assert (first.exit_code, second.exit_code) == (0, 0)
    assert first.stdout == second.stdout
    assert (tmp_path / "out" / "record.json").read_bytes() == before


def test_machine_readable_output_is_the_record_and_fits_its_schema(run: Run, tmp_path: Path) -> None:
    result = run(*SMALL, "--runs", 1, "--out", "out", "--json")
    assert result.stdout.encode() == (tmp_path / "out" / "record.json").read_bytes()
    schema = json.loads(run("--json-schema").stdout)
    jsonschema.validate(json.loads(result.stdout), schema)


def test_the_numbers_alone_go_where_they_are_asked_for(run: Run, tmp_path: Path) -> None:
    result = run(*SMALL, "--runs", 1, "--record", "measured/figure-1.json")
    assert result.exit_code == 0, result.stderr
    found = compact.decode((tmp_path / "measured" / "figure-1.json").read_bytes(), name="figure-1.json")
    assert len(found.intervals("random", "clip-vouched", "at the end")) == 1


def test_choices_change_every_panel_and_equal_panels_are_one(run: Run, tmp_path: Path) -> None:
    words = ("--synthetic", "--runs", 1, "--set", "records=400", "--set", "iterations=4", "--set", "centred=true")
    assert run("figure-1", *words, "--out", "out").exit_code == 0
    record = read(tmp_path / "out" / "record.json")
    assert [panel.name for panel in record.panels] == ["random", "label", "bias"]
    assert all(panel.setup["centred"] is True for panel in record.panels)


def test_of_panels_that_become_equal_the_least_changed_one_stays(run: Run, tmp_path: Path) -> None:
    words = ("--synthetic", "--runs", 1, "--set", "records=400", "--set", "iterations=2", "--set", "split=label")
    assert run("figure-1", *words, "--out", "out").exit_code == 0
    (panel,) = read(tmp_path / "out" / "record.json").panels
    assert (panel.name, panel.title, panel.setup["split"]) == ("label", "Label", "label")


def test_a_cluster_writes_the_same_record_as_local_workers(run: Run, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="distributed is not installed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None, host="127.0.0.1", protocol="tcp"
    ) as cluster:
        address = cluster.scheduler_address.replace("tcp://", "dask://")
        there = run(*SMALL, "--runs", 1, "--out", "there", "--executor", address)
        distributed.default_client().close()  # a command line ends here; this process goes on
    assert there.exit_code == 0, there.stderr
    assert run(*SMALL, "--runs", 1, "--out", "here").exit_code == 0
    records = [(tmp_path / name / "record.json").read_bytes() for name in ("there", "here")]
    assert records[0] == records[1]


def test_the_list_has_every_experiment_with_its_question(run: Run) -> None:
    text = run("--list").stdout
    for experiment in catalogue.EXPERIMENTS.values():
        assert any(line.startswith(experiment.name) and experiment.question in line for line in text.splitlines())


def test_the_choices_are_listed_with_defaults_and_alternatives(run: Run) -> None:
    text = run("--choices").stdout
    assert "split=random | label | bias" in text
    assert "centred=false" in text
    assert "records=none" in text


def test_one_worker_and_two_write_the_same_record(tmp_path: Path) -> None:
    words = (*SMALL, "--set", "dataset=australian", "--runs", 1)
    for jobs in (1, 2):
        process = start(*words, "--jobs", jobs, "--out", f"out{jobs}", cwd=tmp_path)
        _, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
    records = [(tmp_path / f"out{jobs}" / "record.json").read_bytes() for jobs in (1, 2)]
    assert records[0] == records[1]
    pictures = [(tmp_path / f"out{jobs}" / "figure.svg").read_bytes() for jobs in (1, 2)]
    assert pictures[0] == pictures[1]


# ------------------------------------------------------------------------------------------------------------ bad input


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("figure-9",), "experiment='figure-9': known experiments: figure-1, figure-2, threshold-sweep"),
        (("figure-1", "--set", "colour=red"), "--set='colour=red': no such choice; there are dataset, records"),
        (("figure-1", "--set", "split"), "write KEY=VALUE"),
        (("figure-1", "--set", "split=odd"), "split='odd': allowed are random, label, bias"),
        (("figure-1", "--set", "centred=yes"), "centred='yes': expected true or false"),
        (("figure-1", "--set", "iterations=many"), "iterations='many': expected an integer"),
        (("figure-1", "--set", "iterations=0"), "iterations=0: must be >= 1"),
        (("figure-1", "--set", "records=half"), "records='half': expected an integer or none"),
        (("figure-1", "--set", "order=1"), "order='1': a Renyi order must be > 1"),
        (("figure-1", "--set", "level=-1"), "level"),
        (("figure-1", "--synthetic", "--set", "dataset=iris"), "iris"),
        (("figure-1", "--data", "nowhere"), "nowhere"),
        ((*SMALL, "--executor", "ray://host:1"), "only dask://HOST:PORT is known"),
    ],
)
def test_bad_input_is_exit_two_and_says_what_is_allowed(
    run: Run, tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    result = run(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert not (tmp_path / "experiments").exists()


@pytest.mark.parametrize("words", [(), ("figure-1", "--runs", "0"), ("figure-1", "--jobs", "0"), ("figure-1", "--no")])
def test_what_click_refuses_is_exit_two(run: Run, words: tuple[str, ...]) -> None:
    assert run(*words).exit_code == 2


def test_without_data_and_network_the_way_out_is_said(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from rgm_verify.experiments.data import datasets

    def offline(*_: Any, **__: Any) -> None:
        raise InputError("no network")

    monkeypatch.setattr(datasets, "fetch", offline)
    result = run("figure-1")
    assert result.exit_code == 2
    for words in ("no network", "--data DIR", "RGM_VERIFY_DATA", "--synthetic"):
        assert words in result.stderr


def test_a_download_is_told_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    told = command._downloading()
    for received in range(0, 101):
        told("ijcnn1.bz2", received * 10_000, 1_000_000)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "downloading ijcnn1.bz2: 0 of 1,000,000 bytes"
    assert lines[-1] == "downloading ijcnn1.bz2: 1,000,000 of 1,000,000 bytes"
    assert len(lines) == 11
    told("other.bz2", 5, 0)  # the site does not say how much there is
    assert capsys.readouterr().err == "downloading other.bz2: 5 bytes\n"


def test_without_matplotlib_nothing_is_computed(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "find_spec", lambda _: None)
    result = run(*SMALL)
    assert (result.exit_code, "install rgm-verify[experiments]" in result.stderr) == (2, True)
    assert list(tmp_path.iterdir()) == []


def test_a_readme_of_someone_else_is_not_replaced(run: Run, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# Mine\n")
    result = run(*SMALL, "--out", ".")
    assert (result.exit_code, "was not written by this command" in result.stderr) == (2, True)
    assert (tmp_path / "README.md").read_text() == "# Mine\n"
    assert not (tmp_path / "tasks").exists()


def test_a_folder_that_is_a_file_is_refused_before_the_work(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for words in (("--out", "file/deeper"), ("--record", "file/record.json")):
        result = run(*SMALL, *words)
        assert (result.exit_code, "is not a writable folder" in result.stderr) == (2, True)


def test_the_failure_of_a_task_is_exit_one_and_names_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    original = one_run.perform

    def fails(task: one_run.Task, dataset: Any) -> one_run.Result:
        if task.method == "rgm-exact":
            raise ZeroDivisionError("by zero")
        return original(task, dataset)

    monkeypatch.setattr(one_run, "perform", fails)
    result = run(*SMALL, "--runs", 1, "--out", "out")
    assert result.exit_code == 1
    assert "random/rgm-exact/run 0: ZeroDivisionError: by zero" in result.stderr
    assert "Traceback" not in result.stderr


# -------------------------------------------------------------------------------------------------------- interrupted


def start(*words: Any, cwd: Path) -> subprocess.Popen[str]:
    """The command as a process group of its own that listens to Ctrl-C."""
    root = str(Path(__file__).resolve().parents[3])
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": root, "XDG_CACHE_HOME": str(cwd / "cache")}
    return subprocess.Popen(
        [sys.executable, "-m", "rgm_verify.cli", "experiment", *(str(w) for w in words)], cwd=cwd, env=environment,
        text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        preexec_fn=functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip


def kept(folder: Path) -> int:
    return len(list((folder / "tasks").glob("*.json")))


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs process groups")
def test_ctrl_c_is_exit_130_keeps_what_was_finished_and_says_how_to_go_on(tmp_path: Path) -> None:
    words = ("figure-1", "--synthetic", "--runs", 60, "--jobs", 1, "--out", "out", "--set", "records=400",
             "--set", "iterations=4", "--set", "split=random")  # fmt: skip
    process = start(*words, cwd=tmp_path)
    for _ in range(1200):
        if kept(tmp_path / "out") >= 3:
            break
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert f"interrupted; what was finished is kept in {Path('out/tasks')}, run the same command again" in err
    assert "Traceback" not in err
    found = kept(tmp_path / "out")
    assert 3 <= found < 600
    assert not (tmp_path / "out" / "record.json").exists()
    assert not [p for p in (tmp_path / "out" / "tasks").iterdir() if p.suffix != ".json"]
