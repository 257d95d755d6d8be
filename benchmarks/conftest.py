"""Ratios: two things timed in turn in the same run, so that the machine and its other work cancel out."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest


@dataclass(frozen=True)
class Measured:
    """A ratio of medians beside the target that it was promised to reach."""

    what: str
    ratio: float
    relation: str
    target: float

    @property
    def met(self) -> bool:
        return self.ratio <= self.target if self.relation == "<=" else self.ratio >= self.target


_KEY = pytest.StashKey[list[Measured]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--enforce-targets", action="store_true", help="fail a benchmark that misses its target")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_KEY] = []


@pytest.fixture
def ratio(benchmark: Any, request: pytest.FixtureRequest) -> Callable[..., float]:
    """`ratio(what, subject, reference, target=..., relation="<=", rounds=...)`: time both in turn and report."""

    def measure(
        what: str,
        subject: Callable[[], object],
        reference: Callable[[], object],
        *,
        target: float,
        relation: str = "<=",
        rounds: int = 15,
    ) -> float:
        reference_times: list[float] = []

        def time_reference() -> None:
            start = time.perf_counter()
            reference()
            reference_times.append(time.perf_counter() - start)

        # The setup of a round is not part of its time, so that subject and reference alternate.
        benchmark.pedantic(subject, setup=time_reference, rounds=rounds, warmup_rounds=1)
        measured = Measured(what, benchmark.stats.stats.median / statistics.median(reference_times), relation, target)
        benchmark.extra_info.update(ratio=measured.ratio, target=f"{relation} {target}", met=measured.met)
        record(request.config, measured)
        return measured.ratio

    return measure


@pytest.fixture
def report(request: pytest.FixtureRequest) -> Callable[..., None]:
    """`report(what, ratio, target=..., relation="<=")`: a ratio that was measured in another way."""

    def note(what: str, value: float, *, target: float, relation: str = "<=") -> None:
        record(request.config, Measured(what, value, relation, target))

    return note


def record(config: pytest.Config, measured: Measured) -> None:
    """Keep a ratio for the table at the end; fail here and now if targets are enforced."""
    config.stash[_KEY].append(measured)
    if config.getoption("--enforce-targets"):
        assert measured.met, (
            f"{measured.what}: {measured.ratio:.2f}, the target is {measured.relation} {measured.target}"
        )


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    found = config.stash[_KEY]
    if not found:
        return
    terminalreporter.section("ratios")
    for m in found:
        mark = "met" if m.met else "MISSED"
        terminalreporter.write_line(f"{m.what}: {m.ratio:.2f} (target {m.relation} {m.target:g}, {mark})")
