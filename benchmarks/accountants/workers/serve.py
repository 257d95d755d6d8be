"""Answering of questions in another package's environment: a JSON line in, a JSON line out; no library but Python's.

A worker is a script beside this file, started with the name of one of its accountants.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from typing import Any

MEMORY = 6 * 2**30
LONGEST_REASON = 120


@dataclass(frozen=True)
class Accountant:
    """An accountant as it is asked.

    Attributes:
        option: the call, in words.
        promise: upper bound, interval, estimate or value, by the words of its package.
        stated: the error that it states of itself.
        make: what is kept for all questions of a run.
        ask: the answer, or lower end and upper end, from that, the run, and where it is asked.
        packages: whose versions are recorded.
        kinds: of runs that it knows.
        asks: what it may be asked.
        unit: the stated error of epsilon.
        most_steps: of a run that it can be given.
    """

    option: str
    promise: str
    stated: str
    make: Callable[[Mapping[str, Any]], Any]
    ask: Callable[[Any, Mapping[str, Any], float], Any]
    packages: tuple[str, ...]
    kinds: tuple[str, ...]
    asks: tuple[str, ...] = ("epsilon",)
    unit: float = 0.0
    most_steps: int = 10**9
    known: dict[int, Any] = field(default_factory=dict)


def head(name: str, accountant: Accountant) -> dict[str, Any]:
    """Return what is recorded of an accountant beside its answers."""
    kept = ("option", "promise", "stated", "unit", "kinds", "asks", "most_steps")
    found = {key: value for key, value in asdict(accountant).items() if key in kept}
    python = ".".join(map(str, sys.version_info[:3]))
    return {"name": name, "versions": {p: version(p) for p in accountant.packages} | {"python": python}, **found}


def reply(accountant: Accountant, run: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer to one question, or why there is none."""
    started = time.process_time()
    try:
        if run["run"] not in accountant.known:
            accountant.known.clear()
            accountant.known[run["run"]] = accountant.make(run)
        found = accountant.ask(accountant.known[run["run"]], run, run["at"])
        ends = [float(end) for end in found] if isinstance(found, tuple) else [float(found)]
    # Whatever another package raises is its answer.
    except Exception as error:  # noqa: BLE001
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:LONGEST_REASON]
        return {"failed": reason, "seconds": time.process_time() - started}
    return {"ends": [repr(end) for end in ends], "seconds": time.process_time() - started}


def serve(accountants: Mapping[str, Accountant]) -> None:
    """Answer the questions on standard input, each within the processor seconds that it states."""
    name = sys.argv[1]
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("ignore")
    # What a package prints is no answer.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    answers.write(json.dumps(head(name, accountants[name])) + "\n")
    answers.flush()
    for line in sys.stdin:
        run = json.loads(line)
        # Nobody handles the signal, so that it ends the process in the midst of compiled code too.
        signal.setitimer(signal.ITIMER_PROF, run["limit"])
        found = reply(accountants[name], run)
        signal.setitimer(signal.ITIMER_PROF, 0)
        answers.write(json.dumps(found) + "\n")
        answers.flush()
