"""Sixty faults while claims are judged: nothing is lost, nothing is false, the exit code is right (`nox -s faults`).

Whatever happens to a run, running again ends in the report that an undisturbed run writes, byte for byte.
"""

from __future__ import annotations

import functools
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = [
    pytest.mark.skipif("RGM_VERIFY_FAULTS" not in os.environ, reason="takes minutes: nox -s faults"),
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs signals and /proc of Linux"),
]
ROOT = Path(__file__).resolve().parents[3]
CLAIMS = """\
import os
import time
from pathlib import Path

import sympy

from rgm_verify.claims import *
from rgm_verify.lenses import *

X, Y = real("x", lower=0, upper=2), real("y", lower=0, upper=2)
x, y = X.symbol, Y.symbol
FAULTS = Path(__file__).resolve().parents[1] / "faults"


def claim(id, conclusion, **rest):
    return Claim(id=id, title=id, source="s", where="w", kind="lemma", variables=(X, Y), conclusion=conclusion, **rest)


def measured(name, level):
    def measure(samples, generator, false_alarm, scale):
        (FAULTS / f"begun-{name}-{os.getpid()}-{os.urandom(4).hex()}").touch()
        kill = FAULTS / f"kill-{name}"
        if kill.exists():
            left = int(kill.read_text()) - 1
            kill.write_text(str(left)) if left > 0 else kill.unlink()
            os.kill(os.getpid(), 9)
        while (FAULTS / f"hold-{name}").exists():
            time.sleep(0.02)
        return (0.9 * scale, 1.1 * scale)

    return claim(f"p:measured-{name}", ge(x, 0), checks=(Simulation(measure, sympy.Integer(level)),))


ALL = [
    claim("p:square", ge((x - y) ** 2, 0), mutants=(Mutant("off", ge((x - y) ** 2, y)),)),
    claim("p:bernoulli", ge((1 + x) ** 3, 1 + 3 * x), mutants=(Mutant("off", ge((1 + x) ** 3, 1 + 4 * x)),)),
    claim("p:region", gt(2 + x**2, sympy.log(1 + x) + y), mutants=(Mutant("off", gt(x, 1)),)),
    claim("p:false", ge(x * y, y), category="wrong constant"),
    claim("p:identity", eq((x + y) ** 2, x**2 + 2 * x * y + y**2), mutants=(Mutant("off", eq(x, y)),)),
    claim("p:rests", ge((x - y) ** 2 + 1, 1), checks=(Deduction((Premise("p:square"),)),),
          mutants=(Mutant("off", ge(x, 1)),)),
    *[measured(str(i), i + 1) for i in range(6)],
]
"""
MEASURED = 6


class Place:
    """A folder with claims, a store and a report, and the command line on it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "claims").mkdir(parents=True)
        (folder / "claims" / "all.py").write_text(CLAIMS)
        (folder / "faults").mkdir()

    def start(self, *words: Any, limits: Callable[[], None] | None = None, **environment: str | None) -> Any:
        """A run as a process, and a group of processes, of its own."""
        known = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT), **environment}
        command = [
            sys.executable,
            "-m",
            "rgm_verify.cli",
            "run",
            "--claims",
            "claims",
            "--out",
            "report",
            "--jobs",
            "2",
        ]
        return subprocess.Popen(
            [*command, *map(str, words)], cwd=self.folder, env={k: v for k, v in known.items() if v is not None},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, preexec_fn=limits,
        )  # fmt: skip

    def run(self, *words: Any, **rest: Any) -> tuple[int, str, str]:
        """The exit code and what was written on both streams."""
        process = self.start(*words, **rest)
        out, err = (text.decode(errors="replace") for text in process.communicate(timeout=300))
        assert "Traceback" not in err, err
        return process.returncode, out, err

    def report(self) -> dict[str, bytes]:
        """The files of the report but the message that something has changed since the last one."""
        place = self.folder / "report"
        return {p.relative_to(place).as_posix(): p.read_bytes() for p in place.rglob("*") if p.is_file()}

    def stored(self) -> int:
        """The number of records that are stored; a damaged one is an error."""
        found = list((self.folder / ".rgm_verify" / "evidence").glob("*.json"))
        return sum(bool(json.loads(path.read_text())["record"]) for path in found)

    def wait_for(self, count: int) -> None:
        """Wait until so many records are stored."""
        for _ in range(6000):
            if self.stored() >= count:
                return
            time.sleep(0.02)
        pytest.fail(f"no {count} records within two minutes")

    def leftovers(self) -> list[str]:
        """Files that a run should have removed."""
        return [str(p) for p in self.folder.rglob("*") if p.suffix in (".tmp", ".part") or p.name.startswith(".tmp")]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The report of a run to which nothing happens."""
    place = Place(tmp_path_factory.mktemp("undisturbed"))
    code, _, err = place.run()
    assert code == 0, err
    verdicts = verdicts_of(place.report())
    assert verdicts["p:false"] == "refuted"
    assert {verdicts[f"p:{i}"] for i in ("square", "bernoulli", "identity", "rests")} == {"proved"}
    return place.report()


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "place")


def verdicts_of(report: dict[str, bytes]) -> dict[str, str]:
    """The verdict of each claim of a report."""
    return {c["id"]: c["verdict"] for c in json.loads(report["ledger/all.py.json"])["claims"]}


def heals(place: Place, undisturbed: dict[str, bytes]) -> None:
    """Running again writes the report of an undisturbed run."""
    code, _, err = place.run()
    assert code == 0, err
    assert place.report() == undisturbed
    assert place.leftovers() == []


# --------------------------------------------------------------------------------------------------- processes killed


@pytest.mark.parametrize("seed", range(8))
def test_workers_killed_once(place: Place, undisturbed: dict[str, bytes], seed: int) -> None:
    for name in random.Random(seed).sample(range(MEASURED), 1 + seed % 3):
        (place.folder / "faults" / f"kill-{name}").write_text("1")
    code, _, err = place.run()
    assert code == 0, err
    assert place.report() == undisturbed


@pytest.mark.parametrize("seed", range(4))
def test_workers_killed_each_time(place: Place, undisturbed: dict[str, bytes], seed: int) -> None:
    dead = {str(i) for i in random.Random(100 + seed).sample(range(MEASURED), 1 + seed % 2)}
    for name in dead:
        (place.folder / "faults" / f"kill-{name}").write_text("2")
    code, out, err = place.run("--json")
    data = json.loads(out)
    assert code == 1
    assert set(data["unfinished"]) == {f"p:measured-{name}" for name in dead}
    assert all("its worker died twice" in message for message in data["failures"].values())
    verdicts = {c["id"]: c["verdict"] for c in data["claims"]}
    right = verdicts_of(undisturbed)
    assert verdicts == {i: "undecided" if i in data["unfinished"] else verdict for i, verdict in right.items()}
    assert "run again" in err
    shutil.rmtree(place.folder / "report")  # there was none: the open claims were written as such
    heals(place, undisturbed)


def test_a_good_report_outlives_workers_that_are_killed(place: Place, undisturbed: dict[str, bytes]) -> None:
    assert place.run()[0] == 0
    shutil.rmtree(place.folder / ".rgm_verify")
    (place.folder / "faults" / "kill-3").write_text("2")
    code, out, err = place.run()
    assert (code, "still the one from before" in err, "report:" in out) == (1, True, False)
    assert place.report() == undisturbed
    heals(place, undisturbed)


@pytest.mark.parametrize("seed", range(10))
def test_runs_killed(place: Place, undisturbed: dict[str, bytes], seed: int) -> None:
    generator = random.Random(200 + seed)
    for _ in range(1 + seed % 3):
        process = place.start()
        place.wait_for(min(place.stored() + generator.randint(0, 4), 12))
        process.kill()
        process.communicate()
    heals(place, undisturbed)


@pytest.mark.parametrize("number", ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"])
def test_runs_that_are_told_to_end(place: Place, undisturbed: dict[str, bytes], number: str) -> None:
    held = place.folder / "faults" / "hold-5"
    held.touch()  # one claim is not done before the signal comes, however fast the others are
    process = place.start()
    place.wait_for(2)
    os.killpg(process.pid, getattr(signal, number))
    process.communicate(timeout=60)
    held.unlink()
    assert process.returncode == 130 if number == "SIGINT" else process.returncode != 0
    assert place.stored() >= 2
    heals(place, undisturbed)


# -------------------------------------------------------------------------------------------------------- the machine


def _largest_file(size: int) -> None:
    import resource

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.parametrize("size", [0, 900, 3_000, 20_000])
def test_no_room_to_write(place: Place, undisturbed: dict[str, bytes], size: int) -> None:
    assert place.run()[0] == 0
    shutil.rmtree(place.folder / ".rgm_verify")
    claims = place.folder / "claims" / "all.py"
    claims.write_text(CLAIMS.replace('source="s"', 'source="t"'))  # another report has to be written
    code, _, err = place.run(limits=functools.partial(_largest_file, size))
    assert (code, "cannot be written" in err or "could not be written" in err) == (2, True), err
    assert place.report() == undisturbed
    claims.write_text(CLAIMS)
    heals(place, undisturbed)


@pytest.mark.parametrize("words", [("--store", "/proc/no"), ("--store", "claims/all.py/no"), ("--out", "/proc/no")])
def test_places_that_cannot_be_written(place: Place, undisturbed: dict[str, bytes], words: tuple[str, str]) -> None:
    code, _, err = place.run(*words)
    said = [line for line in err.splitlines() if line.startswith("rgm-verify: ")]
    assert (code, len(said)) == (2, 1), err
    heals(place, undisturbed)


@pytest.mark.parametrize("delay", [0.0, 0.5, 2.0])
def test_two_runs_at_once(place: Place, undisturbed: dict[str, bytes], delay: float) -> None:
    first = place.start()
    time.sleep(delay)
    second = place.start()
    for process in (first, second):
        _, err = process.communicate(timeout=300)
        assert process.returncode == 0, err
    assert place.report() == undisturbed
    assert place.leftovers() == []


@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "latin-1"},
        {"PYTHONIOENCODING": "ascii"},
        {"HOME": None},
        {"HOME": "/nonexistent", "TMPDIR": "/nonexistent"},
        {"TZ": "Pacific/Kiritimati", "LANG": "tr_TR.UTF-8"},
        {"PYTHONHASHSEED": "0"},
        {"PYTHONHASHSEED": "12345"},
        {"OPENBLAS_CORETYPE": "Haswell"},
        {"OPENBLAS_CORETYPE": "Nehalem", "OPENBLAS_NUM_THREADS": "2"},
        {"NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3"},
        {"PYTHONOPTIMIZE": "1"},
    ],
    ids=lambda environment: " ".join(environment),
)
def test_other_surroundings(place: Place, undisturbed: dict[str, bytes], environment: dict[str, str | None]) -> None:
    code, _, err = place.run(**environment)
    assert code == 0, err
    assert place.report() == undisturbed


# -------------------------------------------------------------------------------------------------------------- files


def _flip(path: Path, generator: random.Random) -> None:
    data = bytearray(path.read_bytes())
    data[generator.randrange(len(data))] ^= 1 << generator.randrange(8)
    path.write_bytes(bytes(data))


@pytest.mark.parametrize("seed", range(4))
def test_stored_evidence_with_a_wrong_bit(place: Place, undisturbed: dict[str, bytes], seed: int) -> None:
    assert place.run()[0] == 0
    generator = random.Random(300 + seed)
    _flip(generator.choice(sorted((place.folder / ".rgm_verify" / "evidence").glob("*.json"))), generator)
    code, _, err = place.run()
    if code == 2:  # said, and nothing was written
        assert "--repair" in err
        assert place.report() == undisturbed
        code, _, err = place.run("--repair")
    assert code == 0, err
    assert place.report() == undisturbed


@pytest.mark.parametrize("name", ["report/ledger/index.json", "report/ledger/all.py.json", "report/changes.json"])
@pytest.mark.parametrize("damage", [b"\xff", b"", b'{"format": 3}', b"[" * 100_000])
def test_a_damaged_ledger(place: Place, undisturbed: dict[str, bytes], name: str, damage: bytes) -> None:
    assert place.run()[0] == 0
    (place.folder / name).write_bytes(damage)
    (place.folder / "claims" / "all.py").write_text(CLAIMS.replace("for i in range(6)", "for i in range(5)"))
    code, _, err = place.run()
    assert code == 0, err
    (place.folder / "claims" / "all.py").write_text(CLAIMS)
    code, _, err = place.run()
    assert code == 0, err
    assert [n for n in undisturbed if n.startswith("ledger/") and place.report()[n] != undisturbed[n]] == []


# ---------------------------------------------------------------------------------------------------------- a cluster


@pytest.fixture
def cluster(place: Place, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Any, str]]:
    distributed = pytest.importorskip("distributed", reason="distributed is not installed")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.chdir(place.folder)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1", protocol="tcp"
    ) as cluster:
        yield cluster, cluster.scheduler_address.replace("tcp://", "dask://")


@pytest.mark.parametrize("times", [1, 2])
def test_a_worker_of_a_cluster_killed(
    place: Place, undisturbed: dict[str, bytes], cluster: tuple[Any, str], times: int
) -> None:
    (place.folder / "faults" / "kill-2").write_text(str(times))
    code, _, err = place.run("--executor", cluster[1])
    assert code == 0, err
    assert place.report() == undisturbed


def test_a_claim_that_kills_every_worker_of_a_cluster(
    place: Place, undisturbed: dict[str, bytes], cluster: tuple[Any, str]
) -> None:
    (place.folder / "faults" / "kill-2").write_text("1000")
    code, out, err = place.run("--executor", cluster[1], "--json")
    assert code == 1, err
    assert json.loads(out)["unfinished"] == ["p:measured-2"]
    (place.folder / "faults" / "kill-2").unlink()
    shutil.rmtree(place.folder / "report")
    heals(place, undisturbed)


def test_a_cluster_that_loses_all_workers(
    place: Place, undisturbed: dict[str, bytes], cluster: tuple[Any, str]
) -> None:
    process = place.start("--executor", cluster[1])
    place.wait_for(1)
    cluster[0].scale(0)
    _, err = process.communicate(timeout=400)
    if process.returncode != 0:  # it may have been done before
        assert process.returncode == 1
        assert b"no worker has been there for 180 s" in err
        assert b"run again" in err
    heals(place, undisturbed)
