"""Ask every accountant, each in an environment of its own, and write the record: `nox -s grade`.

    nox -s grade -- --seconds 300 --only dp_accounting-pld opacus-prv

An accountant that has been asked is resumed where it stopped; `--again` asks anew. Three runs that are known to be hard
come first, the others in one mixed order, so that where its time is over the ones that were asked are a fair sample.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.accountants.questions import HARD
from derivations.chapters.accountants_data import BETA, Answers, Run, lines, record, truths
from rgm_verify.jobs.files import write_atomically

ROOT = Path(__file__).resolve().parents[2]
WORKERS = Path(__file__).parent / "workers"
KEPT = ROOT / ".grade"
#: What is installed into each environment, at stated versions.
ENVIRONMENTS = {
    "dp_accounting": ("dp-accounting==0.6.0",),
    "prv_accountant": ("prv-accountant==0.2.0",),
    "opacus": ("opacus==1.6.0",),
    "autodp": ("autodp==0.2.3.1",),
    "riskcal": ("riskcal==1.5.1", "dp-accounting==0.6.0"),
    "opendp": ("opendp==0.16.0",),
    "handover": (),
}
ACCOUNTANTS = {
    "dp_accounting-pld": "dp_accounting",
    "dp_accounting-events": "dp_accounting",
    "dp_accounting-rdp": "dp_accounting",
    "prv_accountant": "prv_accountant",
    "opacus-prv": "opacus",
    "opacus-rdp": "opacus",
    "opacus-gdp": "opacus",
    "autodp-exact-gaussian": "autodp",
    "autodp-rdp": "autodp",
    "riskcal-ctd": "riskcal",
    "riskcal-beta": "riskcal",
    "riskcal-beta-gdp": "riskcal",
    "opendp": "opendp",
    "rgm_verify-handover": "handover",
}
SEED = 20230830
LIMIT = 20.0
SECONDS = 600.0
DIGITS = 12
NUMBER = re.compile(r"-?\d[\d.]*(e-?\d+)?")
OVER_TIME = "over the time limit"
AFTER = "not asked after a question of the run that was over the time limit"
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def python(environment: str, folder: Path) -> Path:
    """Return the interpreter of an environment, which is made unless it is there; our own for the hand-over."""
    wanted = ENVIRONMENTS[environment]
    if not wanted:
        return Path(sys.executable)
    found = folder / environment / "bin" / "python"
    mark = folder / environment / "asked-for.txt"
    if not mark.exists() or mark.read_text(encoding="utf-8") != " ".join(wanted):
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder / environment)], check=True)
        subprocess.run([str(found), "-m", "pip", "install", "-q", *wanted], check=True)
        mark.write_text(" ".join(wanted), encoding="utf-8")
    return found


class Worker:
    """A process that answers, started again after it has died."""

    def __init__(self, name: str, interpreter: Path) -> None:
        self.command = [str(interpreter), str(WORKERS / f"{ACCOUNTANTS[name]}_worker.py"), name]
        self.start()

    def start(self) -> None:
        """Start a process and read what it says of its accountant."""
        pipe = subprocess.PIPE
        environment = {**os.environ, **ONE_THREAD, "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(
            self.command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, env=environment
        )
        first = self.read()
        if not first:
            raise RuntimeError(f"{' '.join(self.command)} does not start")
        self.head: dict[str, Any] = json.loads(first)

    def read(self) -> str:
        """Return the next line, empty after the end of the process."""
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a question; a process that dies over it is started again."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        line = self.read()
        if line:
            return dict(json.loads(line))
        ended = self.close()
        self.start()
        # The signal of the worker's own timer; anything else is a crash, such as no memory.
        over = ended == -signal.SIGPROF
        return {"failed": OVER_TIME if over else f"the process died ({ended})", "seconds": question["limit"] * over}

    def close(self) -> int:
        """End the process and return how it ended."""
        # A question that a dead process did not read is still in the pipe, and closing would send it.
        with contextlib.suppress(BrokenPipeError):
            if self.process.stdin is not None:
                self.process.stdin.close()
        if self.process.stdout is not None:
            self.process.stdout.close()
        return self.process.wait()


@dataclass
class Progress:
    """The answers of one accountant so far, as they are kept from one session to the next."""

    path: Path
    done: dict[int, Answers] = field(default_factory=dict)

    def load(self) -> Progress:
        """Read what is kept."""
        if self.path.exists():
            found = (msgspec.json.decode(line, type=Answers) for line in self.path.read_bytes().splitlines())
            self.done = {answers.run: answers for answers in found}
        return self

    def add(self, answers: Answers) -> None:
        """Keep the answers about a run."""
        self.done[answers.run] = answers
        with self.path.open("ab") as stream:
            stream.write(msgspec.json.encode(answers) + b"\n")


def rounded(text: str, *, up: bool) -> str:
    """Return an answer with 12 digits, rounded to its safe side, so that its last digits accuse nobody."""
    number = Decimal(text)
    if not number.is_finite():
        return text
    return str(Context(prec=DIGITS, rounding=ROUND_CEILING if up else ROUND_FLOOR).create_decimal(number))


def answers_of(worker: Worker, number: int, run: Run, limit: float) -> Answers:
    """Return the answers about one run."""
    above: list[str] = []
    below: list[str] = []
    failed: list[str] = []
    seconds = 0.0
    asked = {**msgspec.structs.asdict(run), "run": number, "limit": limit}
    for at in run.at:
        if OVER_TIME in failed:
            found: dict[str, Any] = {"failed": AFTER, "seconds": 0.0}
        else:
            found = worker.ask({**asked, "lower": None, "upper": None, "at": at})
        seconds += found["seconds"]
        ends = found.get("ends", ["", ""])
        # A rate of misses is on its safe side where it is too low.
        above.append(ends[-1] and rounded(ends[-1], up=run.asks != BETA))
        below.append(ends[0] and rounded(ends[0], up=False))
        # A reason with other numbers is the same reason.
        reason = NUMBER.sub("#", found.get("failed", ""))
        if reason and reason not in failed:
            failed.append(reason)
    interval = worker.head["promise"] == "interval"
    return Answers(number, tuple(above), tuple(below) if interval else (), tuple(failed), round(seconds, 4))


def known(head: dict[str, Any], runs: tuple[Run, ...]) -> Iterator[int]:
    """Yield the runs that an accountant knows: those known to be hard, then the others mixed."""
    order = list(range(len(runs)))
    random.Random(SEED).shuffle(order)
    order.sort(key=lambda number: (runs[number].noise, runs[number].steps) not in HARD)
    for number in order:
        run = runs[number]
        if run.kind in head["kinds"] and run.asks in head["asks"] and run.steps <= head["most_steps"]:
            yield number


def grade(name: str, folder: Path, seconds: float, limit: float, *, again: bool) -> None:
    """Ask an accountant until its time is over, and write its record."""
    runs = truths().runs
    KEPT.mkdir(exist_ok=True)
    progress = Progress(KEPT / f"{name}.jsonl")
    if again:
        progress.path.unlink(missing_ok=True)
    progress.load()
    worker = Worker(name, python(ACCOUNTANTS[name], folder))
    left: list[int] = []
    for number in known(worker.head, runs):
        if number in progress.done:
            continue
        if sum(answers.seconds for answers in progress.done.values()) > seconds:
            left.append(number)
            continue
        progress.add(answers_of(worker, number, runs[number], limit))
    worker.close()
    rows = [progress.done[number] for number in sorted(progress.done)]
    kept = ("name", "versions", "option", "promise", "stated", "unit")
    head = {key: worker.head[key] for key in kept} | {
        "limit": limit,
        "unasked": sum(len(runs[number].at) for number in left),
    }
    write_atomically(record(name), lines(head, "answers", rows))
    sys.stdout.write(f"{name}: {sum(len(row.above) for row in rows)} asked, {head['unasked']} not\n")


def main() -> int:
    """Read the options and grade."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=ACCOUNTANTS, default=list(ACCOUNTANTS))
    parser.add_argument("--seconds", type=float, default=SECONDS, help="processor time for an accountant")
    parser.add_argument("--limit", type=float, default=LIMIT, help="processor time for a question")
    parser.add_argument("--again", action="store_true", help="ask anew")
    parser.add_argument("--environments", type=Path, default=KEPT / "environments", help="where they are made")
    given = parser.parse_args()
    for name in given.only:
        grade(name, given.environments, given.seconds, given.limit, again=given.again)
    return 0


if __name__ == "__main__":
    sys.exit(main())
