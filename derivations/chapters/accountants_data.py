"""The record of the grade of accountants: certified truths, and what each accountant answered.

    nox -s grade

writes it. All numbers of a question are floats, and the truth is that of exactly these floats, so that nobody is
blamed for the rounding of a parameter.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

FOLDER = Path(__file__).parent / "accountants_record"
TRUTHS = FOLDER / "truths.json"
EPSILON, DELTA, BETA = "epsilon", "delta", "beta"
UPPER, INTERVAL, ESTIMATE, EXACT = "upper bound", "interval", "estimate", "value"
"""Meanings of an answer by the words of its package; a value says nothing of its error."""


class Run(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Releases of one kind, several questions about them, and certified answers.

    Attributes:
        kind: gaussian, sampled (Poisson, add or remove one record), laplace, or rgm.
        noise: of Gaussians the deviation, of Laplace the scale, over the sensitivity; of rgm gamma.
        steps: how often it is released.
        asks: epsilon at each delta of `at`, delta at each epsilon, or beta, the least rate of misses at each rate of
            false alarms.
        at: where it is asked.
        lower: certified lower ends.
        upper: certified upper ends.
        rate: of sampling.
        eta: the relative sensitivity of rgm.
        dimension: of rgm.
    """

    kind: str
    noise: float
    steps: int
    asks: str
    at: tuple[float, ...]
    lower: tuple[float, ...] = ()
    upper: tuple[float, ...] = ()
    rate: float = 1.0
    eta: float = 0.0
    dimension: int = 1


class Truths(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All questions with their truths, and the processor seconds that these took."""

    seconds: float
    runs: tuple[Run, ...]


class Answers(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The answers of an accountant to the questions about a run.

    Attributes:
        run: the number of the run.
        above: an answer to each question, as a text that gives the float back; empty where there is none.
        below: lower ends, where the accountant gives intervals.
        failed: why there is no answer, once for each reason.
        seconds: processor time of all of them.
    """

    run: int
    above: tuple[str, ...]
    below: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    seconds: float = 0.0


class Graded(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An accountant and all its answers.

    Attributes:
        name: of the accountant.
        versions: of the package and of what it computes with.
        option: the call, with the options that were used.
        promise: what an answer is meant to be.
        stated: the error that the package states of itself, in words.
        unit: that error of epsilon as a number; 0 for a bound.
        limit: seconds for a question.
        answers: of the runs that it knows.
        unasked: how many questions that it knows were not asked, since its time was over.
    """

    name: str
    versions: dict[str, str]
    option: str
    promise: str
    stated: str
    unit: float
    limit: float
    answers: tuple[Answers, ...]
    unasked: int


def truths() -> Truths:
    """Return the questions and their truths."""
    return msgspec.json.decode(TRUTHS.read_bytes(), type=Truths)


def record(name: str) -> Path:
    """Return where the answers of an accountant are kept."""
    return FOLDER / f"{name}.json"


def graded() -> list[Graded]:
    """Return what is recorded of every accountant, by their names."""
    files = sorted(path for path in FOLDER.glob("*.json") if path != TRUTHS)
    return [msgspec.json.decode(path.read_bytes(), type=Graded) for path in files]


def lines(head: dict[str, object], name: str, rows: Sequence[msgspec.Struct]) -> bytes:
    """Return a JSON object with a row on each line, so that a change of one run changes one line."""
    texts = [
        f" {msgspec.json.encode(key).decode()}: {msgspec.json.encode(value).decode()}" for key, value in head.items()
    ]
    body = ",\n".join(f"  {msgspec.json.encode(row).decode()}" for row in rows)
    return ("{\n" + ",\n".join([*texts, f' "{name}": [\n{body}\n ]']) + "\n}\n").encode()
