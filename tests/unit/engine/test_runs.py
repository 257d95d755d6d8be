"""Runs: what is fresh stays, what fails is said, what is stopped goes on where it was."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from rgm_verify.claims import Claim
from rgm_verify.engine import run as engine
from rgm_verify.engine.discovery import load
from rgm_verify.engine.keys import Keys
from rgm_verify.jobs import workers
from rgm_verify.lenses.base import PROFILES

Folder = Callable[..., Path]
Rgm = Callable[..., Result]
Launch = Callable[..., "subprocess.Popen[str]"]

PAIR = """\
A = claim('a', ge(1 + x, 1), mutants=(Mutant('m', ge(x, 1)),))
B = claim('b', ge(2 + x, 1), mutants=(Mutant('m', ge(x, 1)),),
          checks=(Deduction((Premise('a'),)),))
"""
SLOW = """\
import time


def slowly(samples, generator, false_alarm, scale):
    time.sleep({seconds})
    return (0.9 * scale, 1.1 * scale)


ALL = [claim(f'slow-{{i:02}}', ge(x, 0), checks=(Simulation(slowly, sympy.Integer(1)),)) for i in range({count})]
"""


def processes_of(group: int) -> list[str]:
    """The running processes of a session (zombies do not count)."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            command = (entry / "cmdline").read_text()
        except (OSError, ValueError):
            continue
        if entry.name.isdigit() and int(fields[3]) == group and fields[0] != "Z":
            found.append(command.replace("\0", " "))
    return found


def wait_until_gone(group: int) -> list[str]:
    for _ in range(200):
        left = processes_of(group)
        if not left:
            break
        time.sleep(0.05)
    return processes_of(group)


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to see other processes")


# ----------------------------------------------------------------------------------------------------------- freshness


def key(folder: Folder, text: str, claim_id: str = "a") -> str:
    place = folder(a=text)
    return Keys(load(place), "quick").of(claim_id)


BASE = """\
A = claim('a', ge(x + 1, 1), hypotheses=(Hypothesis('h', ge(x, 0)),), checks=(Smt(), Points(count=3)),
          mutants=(Mutant('m', ge(x, 1)),), title='Title')
B = claim('b', ge(x, 0), checks=(Deduction((Premise('a'),)),))
C = claim('c', ge(x, 0), checks=(Monotone(x, 0, premises=(Premise('a'),)),))
"""
BASE = BASE.replace(", title='Title'", "")
MATTERS = {
    "the conclusion": ("ge(x + 1, 1)", "ge(x + 1, 2)"),
    "a relation": ("ge(x + 1, 1)", "gt(x + 1, 1)"),
    "a hypothesis": ("ge(x, 0)),)", "gt(x, 0)),)"),
    "a hypothesis's name": ("'h'", "'g'"),
    "a mutant": ("Mutant('m', ge(x, 1))", "Mutant('m', ge(x, 2))"),
    "a mutant that drops all hypotheses": ("Mutant('m', ge(x, 1))", "Mutant('m', ge(x, 1), ())"),
    "a setting of a check": ("count=3", "count=4"),
    "a check less": (", Points(count=3)", ","),
    "the variables": ("A = claim", "X = real('x', lower=0, upper=2)\nA = claim"),
}
DOES_NOT = {
    "a comment": ("A = claim", "# a comment\nA = claim"),
    "a title": (
        "A = claim('a',",
        "A = Claim(id='a', title='other', source='s', where='w', kind='lemma', variables=(X,), conclusion=",
    ),
    "a remark": ("mutants=(", "remark='well', statement='so', reading='read', refs=('r',), mutants=("),
    "a derivation": ("mutants=(", "derivation=(Step('first'),), category='false', corrected='b', mutants=("),
    "another claim": ("B = claim('b', ge(x, 0)", "B = claim('b', ge(x, -1)"),
}


@pytest.mark.parametrize("change", MATTERS)
def test_evidence_is_stale_when_what_it_rests_on_changes(folder: Folder, change: str) -> None:
    before, after = MATTERS[change]
    assert before in BASE
    assert key(folder, BASE) != key(folder, BASE.replace(before, after, 1))


@pytest.mark.parametrize("change", DOES_NOT)
def test_evidence_stays_fresh_when_only_words_change(folder: Folder, change: str) -> None:
    before, after = DOES_NOT[change]
    assert before in BASE
    assert key(folder, BASE) == key(folder, BASE.replace(before, after, 1))


@pytest.mark.parametrize("claim_id", ["b", "c"])
def test_a_changed_premise_makes_what_rests_on_it_stale(folder: Folder, claim_id: str) -> None:
    assert key(folder, BASE, claim_id) != key(folder, BASE.replace("ge(x + 1, 1)", "ge(x + 1, 2)"), claim_id)


def test_the_reason_of_an_informal_claim_is_part_of_what_is_stored(folder: Folder) -> None:
    text = "A = claim('a', None, informal='{}')\n"
    assert key(folder, text.format("an opinion")) != key(folder, text.format("a hope"))


def test_the_profile_is_part_of_the_key(folder: Folder) -> None:
    paper = load(folder(a=BASE))
    assert Keys(paper, "quick").of("a") != Keys(paper, "full").of("a")


@pytest.mark.usefixtures("threads")
def test_a_second_run_judges_nothing(folder: Folder, rgm: Rgm, monkeypatch: pytest.MonkeyPatch) -> None:
    place = folder(a=PAIR)
    first = json.loads(rgm("run", "--claims", place, "--json").stdout)
    monkeypatch.setattr(engine, "judge_one", lambda *_: pytest.fail("it ran again"))
    second = json.loads(rgm("run", "--claims", place, "--json").stdout)
    assert (first["fresh"], second["fresh"]) == (0, 2)
    assert first["claims"] == second["claims"]


def test_one_worker_and_two_write_the_same_bytes(folder: Folder, launch: Launch, tmp_path: Path) -> None:
    place = folder(a=PAIR, b="C = claim('c', le(sympy.log(1 + x), x))\nD = claim('d', gt(x, 0))\n")
    for jobs in (1, 2):
        process = launch("run", "--claims", place, "--jobs", jobs, "--store", f"store{jobs}", "--out", f"out{jobs}")
        _, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
    ledgers = [files(tmp_path / f"out{jobs}" / "ledger") for jobs in (1, 2)]
    assert ledgers[0] == ledgers[1]
    assert "a.py.json" in ledgers[0]
    stores = [{p.name: p.read_bytes() for p in (tmp_path / f"store{j}" / "evidence").iterdir()} for j in (1, 2)]
    assert stores[0] == stores[1]


# ------------------------------------------------------------------------------------------------------------- failures


@pytest.mark.usefixtures("threads")
def test_what_a_lens_raises_is_reported_and_the_others_are_judged(folder: Folder, rgm: Rgm) -> None:
    text = """
    class Odd(Exception):
        def __init__(self, first, second):
            super().__init__(f"odd: {first}")

    def broken(*_):
        raise Odd("one", "two")

    def no_file(*_):
        open("/no/such/file")

    A = claim('a', ge(1 + x, 1), checks=(Simulation(broken),))
    B = claim('b', ge(1 + x, 1), checks=(Simulation(no_file),))
    C = claim('c', ge(1 + x, 1))
    """
    place = folder(a=text)
    result = rgm("run", "--claims", place, "--json")
    assert result.exit_code == 1
    data = json.loads(result.stdout)
    assert data["failures"]["a"] == "Odd: odd: one"
    assert "FileNotFoundError" in data["failures"]["b"]
    assert {c["id"]: c["verdict"] for c in data["claims"]} == {"a": "undecided", "b": "undecided", "c": "proved"}
    assert "failed: a: Odd: odd: one" in rgm("run", "--claims", place).stderr
    assert json.loads(rgm("run", "--claims", place, "--json").stdout)["fresh"] == 1  # a failure is not stored


def test_an_exception_that_cannot_be_sent_does_not_end_the_other_workers(folder: Folder, launch: Launch) -> None:
    text = """
    class Odd(Exception):
        def __init__(self, first, second):
            super().__init__(first)

    def broken(*_):
        raise Odd("one", "two")

    A = claim('a', ge(1 + x, 1), checks=(Simulation(broken),))
    B = claim('b', ge(1 + x, 1))
    """
    out, _ = launch("run", "--claims", folder(a=text), "--jobs", 1, "--json").communicate(timeout=120)
    data = json.loads(out)
    assert data["failures"] == {"a": "Odd: one"}
    assert [c["verdict"] for c in data["claims"]] == ["undecided", "proved"]


@pytest.mark.usefixtures("threads")
def test_bad_input_that_shows_only_in_a_lens_is_exit_two_with_file_and_claim(folder: Folder, rgm: Rgm) -> None:
    text = """
    from rgm_verify.errors import InputError

    def picky(*_):
        raise InputError("sigma=-1: must be >= 0")

    A = claim('a', ge(1 + x, 1), checks=(Simulation(picky),))
    """
    result = rgm("run", "--claims", folder(a=text))
    assert result.exit_code == 2
    assert "a.py: a: sigma=-1: must be >= 0" in result.stderr


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize("given", ["ge(x, 2)", "lt(sympy.sqrt(x - 3), 0)", "lt(sympy.Abs(x), 0)"])
def test_contradictory_hypotheses_are_exit_two(folder: Folder, rgm: Rgm, given: str) -> None:
    text = f"A = claim('a', ge(x, 5), hypotheses=(Hypothesis('large', {given}),))\n"
    result = rgm("run", "--claims", folder(a=text))
    assert result.exit_code == 2
    assert "a.py: a: contradictory hypotheses" in result.stderr
    assert "large" in result.stderr


SPIN = SLOW.replace(
    "time.sleep({seconds})", "until = time.process_time() + {seconds}\n    while time.process_time() < until: pass"
)


@pytest.mark.parametrize(
    ("text", "said"), [(SLOW, "not done within 1 s by the clock"), (SPIN, "not done within 1 s of processor time")]
)
def test_a_time_out_is_undecided_and_not_stored(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, text: str, said: str
) -> None:
    monkeypatch.setattr(engine, "_SECONDS", {"quick": 1})
    monkeypatch.setattr(engine, "_WAITING", 1 if text is SLOW else 1000)
    place = folder(a=text.format(seconds=30, count=1))
    record = engine.judge_one(str(place), "slow-00", "quick")
    assert record["unfinished"]
    assert said in record["evidence"][0]["summary"]
    for number in (signal.SIGALRM, signal.SIGPROF):
        assert signal.getsignal(number) is signal.SIG_DFL
    assert signal.getitimer(signal.ITIMER_PROF) == signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_a_claim_that_waits_for_others_on_a_busy_machine_takes_none_of_its_time(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "_SECONDS", {"quick": 1})
    monkeypatch.setattr(engine, "_WAITING", 1000)
    record = engine.judge_one(str(folder(a=SLOW.format(seconds=1.5, count=1))), "slow-00", "quick")
    assert "unfinished" not in record


@pytest.mark.parametrize("text", [SLOW, SPIN])
def test_nothing_below_a_lens_can_swallow_the_time_out(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr(engine, "_SECONDS", {"quick": 1})
    monkeypatch.setattr(engine, "_WAITING", 1)
    text = text.format(seconds=30, count=1)
    start, end = text.index("    "), text.index("    return")
    body = text[start:end].replace("\n    ", "\n        ")
    text = f"{text[:start]}    try:\n    {body}    except Exception:\n        pass\n{text[end:]}"
    assert engine.judge_one(str(folder(a=text)), "slow-00", "quick")["unfinished"]


def test_memory_that_runs_out_is_a_claim_that_is_not_finished(folder: Folder) -> None:
    text = SLOW.replace("time.sleep({seconds})", "raise MemoryError").format(count=1, seconds=0)
    record = engine.judge_one(str(folder(a=text)), "slow-00", "quick")
    assert record["unfinished"]
    assert "out of memory" in record["evidence"][0]["summary"]


@pytest.mark.parametrize("alone", [False, True])
def test_a_claim_for_which_the_clock_of_z3_runs_out_is_finished_alone(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, alone: bool
) -> None:
    from rgm_verify.lenses.solvers import smt

    seen: list[Any] = []

    class Late:
        """A solver whose clock runs out."""

        def __init__(self, **_: Any) -> None:
            self.clock = 0

        def set(self, name: str, value: int) -> None:
            self.clock = value if name == "timeout" else self.clock

        def add(self, *_: Any) -> None:
            pass

        def check(self) -> Any:
            seen.append(self.clock)
            return smt.z3.unknown

        def reason_unknown(self) -> str:
            return "timeout"

    monkeypatch.setattr(smt.z3, "Solver", Late)
    monkeypatch.setattr(smt.z3, "Tactic", lambda *_, **__: type("T", (), {"solver": staticmethod(Late)}))
    place = folder(a="A = claim('a', ge(x**3 + 1, x), checks=(Smt(),))")
    record = engine.judge_one(str(place), "a", "quick", alone=alone)
    assert bool(record.get("unfinished")) is not alone
    assert set(seen) == {60_000 if alone else 20_000}


UNFINISHED = "time-out: not done"


@pytest.mark.parametrize("ids", [(), ("a",)])
def test_a_claim_that_is_not_finished_is_tried_alone_at_the_end_and_then_said(
    folder: Folder, rgm: Rgm, threads: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ids: tuple[str, ...]
) -> None:
    calls: list[tuple[str, bool]] = []
    judge = engine.judge_one

    def sometimes(place: str, claim_id: str, profile: str, *files: Any, alone: bool = False) -> dict[str, Any]:
        calls.append((claim_id, alone))
        if claim_id == "a" or (claim_id == "b" and not alone):
            return engine.unfinished(claim_id, UNFINISHED)
        return judge(place, claim_id, profile, *files, alone=alone)

    monkeypatch.setattr(engine, "judge_one", sometimes)
    place = folder(a="ALL = [claim(i, ge(1 + x, 1)) for i in 'abc']\n")
    result = rgm("run", *ids, "--claims", place, "--json", "--out", "report")
    data = json.loads(result.stdout)
    assert (result.exit_code, data["failures"], data["unfinished"]) == (1, {"a": UNFINISHED}, ["a"])
    assert "open: a; what is finished is stored: run again" in result.stderr
    assert stored(tmp_path) == ({"b", "c"} if not ids else set())
    if not ids:
        assert {c["id"]: c["verdict"] for c in data["claims"]} == {"a": "undecided", "b": "proved", "c": "proved"}
        assert calls[3:] == [("a", True), ("b", True)]
        assert sorted(calls[:3]) == [("a", False), ("b", False), ("c", False)]


def files(place: Path) -> dict[str, bytes]:
    return {p.relative_to(place).as_posix(): p.read_bytes() for p in place.rglob("*") if p.is_file()}


def test_a_run_with_open_claims_keeps_the_report_that_is_there(
    folder: Folder, rgm: Rgm, threads: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    place, report = folder(a=PAIR), tmp_path / "report"
    words = ("run", "--claims", place, "--out", report)
    with monkeypatch.context() as patched:
        patched.setattr(engine, "judge_one", lambda _, i, *__, **___: engine.unfinished(i, UNFINISHED))
        assert rgm(*words).exit_code == 1
    first = files(report)
    assert b"undecided" in first["ledger/index.json"]  # there was none before
    assert rgm(*words).exit_code == 0
    good = files(report)
    assert good != first

    folder(a=PAIR.replace("ge(2 + x, 1)", "ge(3 + x, 1)"))
    monkeypatch.setattr(engine, "judge_one", lambda _, i, *__, **___: engine.unfinished(i, UNFINISHED))
    refused = rgm(*words, "--accept")
    assert (refused.exit_code, "--accept: not finished: b" in refused.stderr) == (2, True)
    broken = rgm(*words)
    assert broken.exit_code == 1
    assert f"the report in {report} is still the one from before" in broken.stderr
    assert "report:" not in broken.stdout
    assert files(report) == good
    assert rgm(*words, "--incomplete").exit_code == 1
    assert b'"undecided":1' in files(report)["ledger/index.json"].replace(b" ", b"")


DIES = SLOW.replace(
    "    time.sleep({seconds})\n",
    "    import os, pathlib\n"
    "    log = pathlib.Path({log!r})\n"
    "    with log.open('a') as file: file.write('x')\n"
    "    if log.stat().st_size <= {deaths}: os.kill(os.getpid(), 9)\n",
)


@needs_proc
@pytest.mark.parametrize(("deaths", "code"), [(1, 0), (9, 1)])
def test_a_worker_that_dies_costs_at_most_its_own_claim(
    folder: Folder, launch: Launch, tmp_path: Path, deaths: int, code: int
) -> None:
    text = "ALL = [claim(f'good-{i}', ge(1 + x, 1)) for i in range(4)]\n"
    place = folder(a=DIES.format(log=str(tmp_path / "log"), deaths=deaths, count=1), b=text)
    process = launch("run", "--claims", place, "--jobs", 2, "--json")
    out, err = process.communicate(timeout=240)
    assert process.returncode == code, err
    verdicts = {c["id"]: c["verdict"] for c in json.loads(out)["claims"]}
    assert verdicts == {f"good-{i}": "proved" for i in range(4)} | {"slow-00": "undecided" if code else "proved"}
    begun = (tmp_path / "log").stat().st_size
    assert begun == 2 if code else begun >= 2
    failures = json.loads(out)["failures"]
    assert failures == {} if code == 0 else failures["slow-00"].startswith("its worker died twice")
    assert wait_until_gone(process.pid) == []


# ------------------------------------------------------------------------------------------------- stopped and again


def stored(tmp_path: Path) -> set[str]:
    """The claims with a complete record; a damaged one fails the test."""
    found = set()
    for path in (tmp_path / ".rgm_verify" / "evidence").glob("*.json"):
        found.add(json.loads(path.read_text())["record"]["claim"])
    return found


def wait_for_records(tmp_path: Path, count: int) -> None:
    for _ in range(1200):
        if len(stored(tmp_path)) >= count:
            return
        time.sleep(0.05)
    pytest.fail(f"no {count} records within a minute")


@needs_proc
def test_a_killed_run_loses_at_most_what_was_in_flight(folder: Folder, launch: Launch, tmp_path: Path) -> None:
    place = folder(a=SLOW.format(seconds=0.05, count=10))
    first = launch("run", "--claims", place, "--jobs", 2)
    wait_for_records(tmp_path, random.randint(1, 6))
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    for stream in (first.stdout, first.stderr):  # not read to the end: workers would hold it open until they notice
        assert stream is not None
        stream.close()
    kept = stored(tmp_path)
    assert wait_until_gone(first.pid) == []  # workers notice that nobody waits for them
    assert stored(tmp_path) == kept

    second = launch("run", "--claims", place, "--jobs", 2, "--json")
    out, err = second.communicate(timeout=120)
    assert second.returncode == 0, err
    data = json.loads(out)
    assert data["fresh"] == len(kept)
    assert len(data["claims"]) == len(stored(tmp_path)) == 10


@needs_proc
def test_an_interrupted_run_ends_with_130_keeps_what_is_done_and_leaves_no_workers(
    folder: Folder, launch: Launch, tmp_path: Path
) -> None:
    place = folder(a=SLOW.format(seconds=0.2, count=20))
    process = launch("run", "--claims", place, "--jobs", 2)
    wait_for_records(tmp_path, 2)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "interrupted; what was finished is kept" in err
    assert "Traceback" not in err
    assert wait_until_gone(process.pid) == []
    assert 2 <= len(stored(tmp_path)) < 20


@needs_proc
def test_a_run_that_ignores_interrupts_goes_on_with_its_workers(folder: Folder, launch: Launch, tmp_path: Path) -> None:
    process = launch("run", "--claims", folder(a=SLOW.format(seconds=0.2, count=8)), "--jobs", 2, deaf=True)
    wait_for_records(tmp_path, 2)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert len(stored(tmp_path)) == 8


def test_what_arrived_during_an_interruption_is_stored(
    folder: Folder, rgm: Rgm, threads: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    place = folder(a="A = [claim(i, ge(1 + x, 1)) for i in ('a', 'b')]\n")

    def interrupted(landed: Any) -> Any:
        for _ in range(2):
            landed.get(timeout=60)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(workers, "_landed", interrupted)
        result = rgm("run", "--claims", place)
    assert (result.exit_code, "interrupted" in result.stderr) == (130, True)
    assert stored(tmp_path) == {"a", "b"}


# ------------------------------------------------------------------------------------------------------------ executors


def test_an_executor_that_is_not_known_is_refused(folder: Folder, rgm: Rgm) -> None:
    result = rgm("run", "--claims", folder(a=PAIR), "--executor", "ray://host:1")
    assert (result.exit_code, "only dask://HOST:PORT is known" in result.stderr) == (2, True)


def test_a_cluster_judges_like_local_workers(folder: Folder, rgm: Rgm) -> None:
    distributed = pytest.importorskip("distributed", reason="distributed is not installed")
    place = folder(a=PAIR)
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None, host="127.0.0.1", protocol="tcp"
    ) as cluster:
        address = cluster.scheduler_address.replace("tcp://", "dask://")
        result = rgm("run", "--claims", place, "--executor", address, "--json")
        distributed.default_client().close()  # a command line ends here; this process goes on
    assert result.exit_code == 0, result.stderr
    assert {c["verdict"] for c in json.loads(result.stdout)["claims"]} == {"proved"}


def test_a_cluster_that_does_not_answer_is_exit_two(folder: Folder, rgm: Rgm, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed", reason="distributed is not installed")

    def silent(address: str, **_: object) -> None:
        raise OSError(f"Timed out trying to connect to {address}")

    monkeypatch.setattr(distributed, "Client", silent)
    result = rgm("run", "--claims", folder(a=PAIR), "--executor", "dask://127.0.0.1:1")
    assert (result.exit_code, "no scheduler answers there" in result.stderr) == (2, True)


# ------------------------------------------------------------------------------------------------------ expected ledger


@pytest.mark.usefixtures("threads")
def test_a_verdict_that_is_not_the_expected_one_is_exit_one_until_accepted(folder: Folder, rgm: Rgm) -> None:
    place = folder(a=PAIR)
    assert rgm("run", "--claims", place).exit_code == 0
    accepted = rgm("run", "--claims", place, "--accept")
    assert (accepted.exit_code, "expected verdicts written to" in accepted.stderr) == (0, True)
    assert json.loads((place / "expected.json").read_text()) == {"verdicts": {"a": "proved", "b": "proved"}}

    expected = {"verdicts": {"a": "supported", "b": "proved", "gone": "proved"}}
    (place / "expected.json").write_text(json.dumps(expected))
    different = rgm("run", "--claims", place)
    assert different.exit_code == 1
    assert "verdict differs: a: expected supported, found proved" in different.stderr
    assert "gone: expected proved, found no such claim" in different.stderr
    assert rgm("run", "b", "--claims", place).exit_code == 0  # only what was run is compared
    data = json.loads(rgm("run", "--claims", place, "--json").stdout)
    assert len(data["differences"]) == 2
    assert rgm("run", "--claims", place, "--accept").exit_code == 0
    assert rgm("run", "--claims", place).exit_code == 0


@pytest.mark.usefixtures("threads")
def test_accepting_is_for_all_claims_together(folder: Folder, rgm: Rgm) -> None:
    place = folder(a=PAIR)
    result = rgm("run", "a", "--claims", place, "--accept")
    assert (result.exit_code, "give no ids" in result.stderr) == (2, True)
    assert not (place / "expected.json").exists()


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize("text", ["", "[]", "{}", '{"verdicts": 5}'])
def test_a_damaged_expected_ledger_is_exit_two(folder: Folder, rgm: Rgm, text: str) -> None:
    place = folder(a=PAIR)
    (place / "expected.json").write_text(text)
    result = rgm("run", "--claims", place)
    assert (result.exit_code, "not an expected ledger" in result.stderr) == (2, True), result.stderr


@pytest.mark.usefixtures("threads")
def test_a_deeper_profile_may_find_more_and_not_less(folder: Folder, rgm: Rgm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PROFILES, "full", replace(PROFILES["quick"], name="full"))  # as deep as a test can wait for
    place = folder(a=PAIR)
    for before, code in (("supported", 0), ("certified", 0), ("undecided", 0), ("refuted", 1), ("informal", 1)):
        (place / "expected.json").write_text(json.dumps({"verdicts": {"a": before, "b": "proved"}}))
        assert rgm("run", "--claims", place, "--profile", "full").exit_code == code
        assert rgm("run", "--claims", place).exit_code == 1


# ---------------------------------------------------------------------------------------------------------------- parts


@pytest.mark.usefixtures("threads")
def test_a_claim_that_is_run_alone_is_judged_with_its_premises(folder: Folder, rgm: Rgm, tmp_path: Path) -> None:
    data = json.loads(rgm("run", "b", "--claims", folder(a=PAIR), "--json").stdout)
    assert [(c["id"], c["verdict"]) for c in data["claims"]] == [("b", "proved")]
    assert data["counts"] == {"proved": 1}
    assert not (tmp_path / "reports").exists()


def test_informal_claims_need_no_lens(folder: Folder) -> None:
    place = folder(
        a="A = Claim(id='a', title='t', source='s', where='w', kind='remark', informal='no scale is given')\n"
    )
    record = engine.judge_one(str(place), "a", "quick")
    assert (record["informal"], record["evidence"]) == ("no scale is given", [])
    assert isinstance(load(place).claims["a"], Claim)


def test_a_refuted_claim_is_run_without_its_correction(folder: Callable[..., Path], rgm: Callable[..., Result]) -> None:
    """The correction is no part of what the claim rests on, so it is not judged with it."""
    place = folder(
        one="""
        RIGHT = claim("right", ge(x * x, 0))
        WRONG = claim("wrong", ge(x - 1, 0), refs=("T1",), category="false", corrected="right")
        """
    )
    rgm("list", "--claims", place)
    found = rgm("run", "wrong", "--claims", place, "--jobs", 1)
    assert found.exit_code == 0, found.output
    assert "refuted  wrong" in found.output
