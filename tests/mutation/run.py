"""Break the judging rooms one place at a time, on a sample, and see that a test notices: `nox -s mutants`.

The sample is drawn by a fixed seed, from each file in proportion to its mutations. Every mutation runs the test files
that `plan.toml` names for its file, in a fresh process on a copy of the checkout, until the first failure. A process
that uses far more time than the unbroken code counts as noticed. What has been tried is kept in a file of one line for
each mutation, so that an interrupted run resumes. The share of noticed mutations and its interval are printed, and the
run fails below the bounds of the plan, and where a mutation that `equivalents.toml` lists is noticed after all.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import importlib
import json
import math
import os
import resource
import shutil
import signal
import sys
import time
import tomllib
import traceback
import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))

from mutations import Mutation, mutated, mutations

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
#: What a copy holds: tests read claims, the report and the documents.
_COPIED = ("rgm_verify", "tests", "derivations", "examples", "reports", "benchmarks")
#: Loaded once, before a process is forked for each mutation; nothing of the library is.
_WARM = (
    "pytest", "hypothesis", "sympy", "z3", "flint", "mpmath", "mpmath.libmp", "numpy", "scipy.optimize", "scipy.stats",
    "scipy.special", "msgspec", "click", "jinja2", "latex2mathml.converter", "rich.progress",
)  # fmt: skip
_PYTEST = (
    "-x", "-q", "-m", "not slow", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:benchmark", "-p", "no:cov",
    "-W", "ignore:Module already imported:pytest.PytestAssertRewriteWarning",
    "-o", "addopts=--import-mode=importlib --strict-markers",
)  # fmt: skip
_ENVIRONMENT = {
    "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "Agg", "HYPOTHESIS_PROFILE": "ci",
}  # fmt: skip
_NORMAL_95 = 1.959963984540054
_MEMORY = 6 << 30


@dataclass(frozen=True)
class Plan:
    """A plan: the code to break, how much of it, and the tests to ask."""

    seed: int
    sample: int
    score: float
    lower: float
    tests: Mapping[str, tuple[str, ...]]
    modules: Mapping[str, str]
    functions: Mapping[str, Mapping[str, str]]

    def files(self) -> list[str]:
        """The files that are broken."""
        return [file for file in judging_files() if file not in self.modules]


def judging_files() -> list[str]:
    """Every file of the rooms that judge, and the one that says whether kept evidence is what was written."""
    rooms = ("kernel", "recheck", "terms", "lenses", "balls", "gaussians/certified", "claims", "engine",
             "statements/readback")  # fmt: skip
    found = [p for room in rooms for p in (ROOT / "rgm_verify" / room).rglob("*.py")]
    return sorted(p.relative_to(ROOT).as_posix() for p in (*found, ROOT / "rgm_verify" / "jobs" / "store.py"))


def read_plan(path: Path = HERE / "plan.toml") -> Plan:
    """The plan, with the tests of each file in the order in which they are run."""
    data = tomllib.loads(path.read_text())
    tests = {file: tuple(names) for file, names in data["tests"].items()}
    return Plan(
        data["seed"], data["sample"], data["score"], data["lower"], tests, data["left_out"]["modules"],
        data["left_out"]["functions"],
    )  # fmt: skip


def read_equivalents(path: Path = HERE / "equivalents.toml") -> dict[tuple[str, str, str, str], str]:
    """The mutations that change nothing that a test could see, each with the reason."""
    entries = tomllib.loads(path.read_text()).get("equivalent", [])
    return {(e["file"], e["function"], e["before"], e["after"]): e["reason"] for e in entries}


def every_mutation(plan: Plan) -> dict[str, list[Mutation]]:
    """The mutations of each file that is broken."""
    return {
        file: mutations((ROOT / file).read_text(), file, frozenset(plan.functions.get(file, {})))
        for file in plan.files()
    }


def drawn(found: Mapping[str, Sequence[Mutation]], size: int, seed: int) -> list[Mutation]:
    """A sample of about `size`, from each file in proportion and at least one, in random order.

    A mutation's place in the order depends on its name and the seed alone: a change of one file leaves the others'.
    """
    found = {file: each for file, each in found.items() if each}
    share = shares({file: len(each) for file, each in found.items()}, size)
    chosen = [m for file, each in found.items() for m in sorted(each, key=lambda m: m.rank(seed))[: share[file]]]
    return sorted(chosen, key=lambda m: m.rank(seed))


def shares(counts: Mapping[str, int], size: int) -> dict[str, int]:
    """Shares of `size` for the files: the whole part of its proportion, the rest to the largest fractions."""
    total = sum(counts.values())
    size = min(size, total)
    exact = {file: size * count / total for file, count in counts.items()}
    found = {file: max(1, math.floor(part)) for file, part in exact.items()}
    for file in sorted(exact, key=lambda f: math.floor(exact[f]) - exact[f]):
        if sum(found.values()) >= size:
            break
        found[file] = min(found[file] + 1, counts[file])
    return found


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """The 95 % interval of a share that Wilson's formula gives."""
    if not trials:
        return 0.0, 1.0
    z2, share = _NORMAL_95**2, successes / trials
    centre = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    half = _NORMAL_95 * math.sqrt(share * (1 - share) / trials + z2 / (4 * trials**2)) / (1 + z2 / trials)
    return max(0.0, centre - half), min(1.0, centre + half)


# ------------------------------------------------------------------------------------------------ one run of tests


class _First:
    """A plugin of pytest that remembers the first test, or the first file, that failed."""

    def __init__(self) -> None:
        self.failed = ""

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed and not self.failed:
            self.failed = f"{report.nodeid} (at import)"


def tested(copy: Path, tests: Sequence[str], seconds: int, output: Path) -> tuple[str, str, float]:
    """Run the tests on the copy in a process of its own: `passed`, `failed` or `time`, the first failure, and seconds.

    The limit is on the time that the process computes, so that a busy machine does not decide; a second limit, ten
    times as long, is for one that waits for ever.
    """
    reader, writer = os.pipe()
    start = time.monotonic()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _run_tests(copy, tests, seconds, output, writer)
    os.close(writer)
    try:
        status = _waited(child, start + 10 * seconds)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # and whatever it started
    with os.fdopen(reader) as pipe:
        said = pipe.read()
    spent = time.monotonic() - start
    if not said:
        return ("time" if status == -signal.SIGXCPU or status == -signal.SIGKILL else "failed"), "it crashed", spent
    code, _, failed = said.partition(" ")
    if code == "0":
        return "passed", "", spent
    if code not in ("1", "2", "3") and not failed:
        raise RuntimeError(f"pytest ended with {code}: see {output}")
    return "failed", failed or "pytest itself", spent


def _waited(child: int, until: float) -> int:
    """The exit status of a child (negative: the signal), which is ended when time is up."""
    while time.monotonic() < until:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -signal.SIGKILL


def _run_tests(copy: Path, tests: Sequence[str], seconds: int, output: Path, writer: int) -> None:
    """In the child: run pytest, say how it ended, and end."""
    try:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        handle = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(handle, 1)
        os.dup2(handle, 2)
        os.chdir(copy)
        os.environ.update(_ENVIRONMENT | {"PYTHONPATH": str(copy)})
        sys.path[:] = [str(copy), *(p for p in sys.path if p not in (str(ROOT), str(HERE), ""))]
        sys.argv[:] = ["pytest"]
        # Processes that a test starts would import this module again.
        sys.modules["__main__"] = types.ModuleType("__main__")
        for name in [n for n in sys.modules if n.partition(".")[0] == "rgm_verify"]:
            del sys.modules[name]
        import pytest

        first = _First()
        code = int(pytest.main([*_PYTEST, *tests], plugins=[first]))
        library = sys.modules.get("rgm_verify")
        if code == 0 and library is not None and not str(library.__file__).startswith(str(copy)):
            code, first.failed = 4, ""  # something else was tested
        os.write(writer, f"{code} {first.failed}".encode())
    except BaseException:  # noqa: BLE001 - the parent reads the output where nothing else was said
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


def copied(to: Path) -> Path:
    """A copy of what is tested, for the broken lines to be written into."""
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir(parents=True)
    for name in _COPIED:
        shutil.copytree(ROOT / name, to / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in ROOT.iterdir():
        if path.is_file() and path.name != ".git":
            shutil.copy(path, to)
    return to


class Bench:
    """A copy of the checkout on which mutations are tried one after the other."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self.plan, self.copy = plan, copied(folder / "copy")
        self.output, self._code = folder / "pytest.txt", digest(["rgm_verify"])
        self._kept = folder / "seconds.json"
        self._seconds: dict[str, float] = json.loads(self._kept.read_text()) if self._kept.exists() else {}
        self._tried = 0

    def limit(self, tests: Sequence[str]) -> int:
        """The limit in seconds for these tests, from runs on the unbroken copy, where all of them have to pass."""
        for test in tests:
            if self._key(test) not in self._seconds:
                how, failed, spent = tested(self.copy, (test,), 1_800, self.output)
                if how != "passed":
                    raise RuntimeError(f"{test} fails on the unbroken code: {failed or how}; see {self.output}")
                self._seconds[self._key(test)] = spent
                self._kept.write_text(json.dumps(self._seconds))
        return 30 + math.ceil(4 * sum(self._seconds[self._key(test)] for test in tests))

    def _key(self, test: str) -> str:
        """A test file with its content, and the code: what a measured time is kept for."""
        content = (self.copy / test).read_bytes() + self._code.encode()
        return f"{test} {hashlib.sha256(content).hexdigest()}"

    def try_one(self, mutation: Mutation) -> dict[str, Any]:
        """The fate of a mutation, as a record."""
        tests = self.plan.tests[mutation.file]
        limit = self.limit(tests)
        path, original = self.copy / mutation.file, ROOT / mutation.file
        self._tried += 1
        path.write_text(mutated(original.read_text(), mutation.number))
        # Another time of change than any compiled file remembers.
        os.utime(path, (0, 1_000_000_000 + self._tried))
        try:
            how, by, spent = tested(self.copy, tests, limit, self.output)
        finally:
            shutil.copy2(original, path)
        outcome = "survived" if how == "passed" else "killed"
        return record(mutation, outcome, "the time limit" if how == "time" else by, spent)


def record(mutation: Mutation, outcome: str, by: str, seconds: float) -> dict[str, Any]:
    """One line of the file of results."""
    return {
        "file": mutation.file, "line": mutation.line, "function": mutation.function, "before": mutation.before,
        "after": mutation.after, "same": mutation.same, "outcome": outcome, "by": by, "seconds": round(seconds, 1),
    }  # fmt: skip


# ------------------------------------------------------------------------------------------------ the whole run


def digest(folders: Iterable[str]) -> str:
    """SHA-256 over Python files, for telling whether earlier results still count."""
    found = hashlib.sha256()
    for path in sorted(p for folder in folders for p in (ROOT / folder).rglob("*.py")):
        found.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


Key = tuple[str, str, str, str, int]


def _key(entry: Mapping[str, Any]) -> Key:
    return entry["file"], entry["function"], entry["before"], entry["after"], entry["same"]


def earlier(path: Path, head: Mapping[str, Any], keep_killed: bool) -> dict[Key, dict[str, Any]]:
    """The results of an interrupted run of the same code and tests.

    With `keep_killed`, what was noticed also counts after tests were added, and the rest is tried again.
    """
    if not path.exists():
        return {}
    first, *lines = [json.loads(line) for line in path.read_text().splitlines() if line.endswith("}")] or [{}]
    if first.get("code") != head["code"] or first.get("seed") != head["seed"]:
        return {}
    if first.get("tests") != head["tests"]:
        lines = [e for e in lines if keep_killed and e["outcome"] == "killed"]
    return {_key(entry): entry for entry in lines}


def run(plan: Plan, arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """Try the sample, and return the records in the order of the sample."""
    found = every_mutation(plan)
    if arguments.whole:
        sample = [mutation for file in arguments.whole for mutation in found[file]]
    else:
        sample = drawn(found, arguments.sample or plan.sample, plan.seed)
    sample = [m for m in sample if any(word in m.file for word in arguments.only or [""])]
    head = {"seed": plan.seed, "sample": len(sample), "code": digest(["rgm_verify"]), "tests": digest(["tests"])}
    results: Path = arguments.results
    known = earlier(results, head, arguments.keep_killed)
    results.parent.mkdir(parents=True, exist_ok=True)
    results.write_text("".join(json.dumps(line) + "\n" for line in (head, *known.values())))
    rest = [m for m in sample if (*m.name, m.same) not in known]
    print(f"seed {plan.seed}: {len(sample)} mutations, {len(sample) - len(rest)} known from before", flush=True)
    for name in _WARM:
        importlib.import_module(name)
    workers = [_worker(plan, rest[i :: arguments.jobs], results, i) for i in range(arguments.jobs)]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped; what was tried is kept"))
    try:
        failures = [pid for pid in workers if os.waitpid(pid, 0)[1]]
    except BaseException:
        for pid in workers:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
        raise
    if failures:
        raise SystemExit("a worker failed; what was tried is kept")
    tried = earlier(results, head, False)
    return [tried[(*m.name, m.same)] for m in sample]


def _worker(plan: Plan, share: Sequence[Mutation], results: Path, number: int) -> int:
    """A process that tries its share of the sample, each result a line that is appended at once."""
    pid = os.fork()
    if pid:
        return pid
    code = 1
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    try:
        bench = Bench(plan, results.parent / f"worker-{number}")
        for mutation in share:
            entry = bench.try_one(mutation)
            with results.open("a") as file:
                file.write(json.dumps(entry) + "\n")
            print(line(entry), flush=True)
        code = 0
    except BaseException as error:  # noqa: BLE001 - said, and the process ends
        print(f"worker {number}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
    finally:
        os._exit(code)


def line(entry: Mapping[str, Any]) -> str:
    """A record for a reader: where, what, and what became of it."""
    before, after = differing(entry["before"], entry["after"])
    became = "SURVIVED" if entry["outcome"] == "survived" else f"killed by {entry['by']}"
    return f"{entry['file']}:{entry['line']} {entry['function']}: `{before}` -> `{after}`: {became}"


def differing(before: str, after: str, around: int = 30) -> tuple[str, str]:
    """The part of two texts in which they differ, with a little around it."""
    start = _common(before, after)
    end = min(_common(before[::-1], after[::-1]), min(len(before), len(after)) - start)
    low, rest = max(0, start - around), max(0, end - around)
    return before[low : len(before) - rest], after[low : len(after) - rest]


def _common(one: str, other: str) -> int:
    """The number of letters that two texts begin with alike."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def report(entries: Sequence[Mapping[str, Any]], plan: Plan) -> Iterator[str]:
    """The report that a reader gets in the end; lines that begin with `failed:` are what is wrong."""
    equivalents = read_equivalents()
    judged = [e for e in entries if _key(e)[:4] not in equivalents]
    wrong = [e for e in entries if _key(e)[:4] in equivalents and e["outcome"] == "killed"]
    killed = sum(e["outcome"] == "killed" for e in judged)
    yield from (line(e) for e in judged if e["outcome"] == "survived")
    low, high = wilson(killed, len(judged))
    yield f"{len(entries)} mutations, {len(entries) - len(judged)} of them listed as equivalent"
    share = killed / len(judged) if judged else 1.0
    yield f"score {killed}/{len(judged)} = {share:.3f}, 95 % interval from {low:.3f} to {high:.3f}"
    yield from (f"failed: listed as equivalent, and noticed: {line(e)}" for e in wrong)
    if share < plan.score or low < plan.lower:
        yield f"failed: at least {plan.score} with a lower end of at least {plan.lower} is asked for"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, default=ROOT / ".mutation" / "results.jsonl", help="file of results")
    parser.add_argument("--sample", type=int, help="how many mutations, instead of the plan's number")
    parser.add_argument("--whole", nargs="*", help="every mutation of these files instead of a sample")
    parser.add_argument("--only", nargs="*", help="only files whose names contain one of these")
    parser.add_argument("--jobs", type=int, default=1, help="how many at a time")
    parser.add_argument("--keep-killed", action="store_true", help="while writing tests: try only the survivors again")
    parser.add_argument("--times", action="store_true", help="print how long each test file of the plan takes, and end")
    arguments = parser.parse_args()
    plan = read_plan()
    if arguments.times:
        times(plan, arguments.results.parent)
        return
    lines = list(report(run(plan, arguments), plan))
    print("\n".join(lines))
    raise SystemExit(any(text.startswith("failed:") for text in lines))


def times(plan: Plan, folder: Path) -> None:
    """Print how long each test file takes on the unbroken code: the plan lists fast ones first."""
    for name in _WARM:
        importlib.import_module(name)
    bench = Bench(plan, folder / "times")
    for test in sorted({test for tests in plan.tests.values() for test in tests}):
        how, failed, spent = tested(bench.copy, (test,), 1_800, bench.output)
        print(f"{spent:7.1f} {test} {how} {failed}", flush=True)


if __name__ == "__main__":
    main()
