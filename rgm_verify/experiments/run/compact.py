"""The record of an experiment without its curves: the numbers that sentences can be judged by, small enough to commit.

Each quantity is a list with one interval for each run; an end is the recorded number as a decimal text, or null.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta

from rgm_verify.errors import InputError
from rgm_verify.experiments.accounts import Cost, NodeAccount
from rgm_verify.experiments.run.records import Record, Run, Source, named
from rgm_verify.jobs.files import write_atomically

FORMAT = "rgm-verify measured 1"
LARGEST_BYTES = 200_000
"""The most that a compact record may take: it is committed, and read whenever claims are judged."""
_SHORT = 160  # characters that stand on one line, whatever they hold
_ROUND = (1, 2, 5)

#: What is kept of a record that is too large as a whole, the more telling first.
_ENDS = frozenset({"at the end"})
_ENDS_AND_COSTS = _ENDS | {f"node {i}: {name}" for i in (1, 2) for name in ("eta", "release", "epsilon", "floor")}

#: What every run of an experiment shares is among the choices, and is not repeated as a number.
_SHARED = ("order", "aim", "delta")

#: A number that is read as a fraction: an exponent of many digits would take all of the memory.
_NUMBER = re.compile(r"[+-]?[0-9]{0,2000}(\.[0-9]{0,2000})?([eE][+-]?[0-9]{1,4})?(/[0-9]{1,2000})?")

Ends: TypeAlias = "str | tuple[str | None, str | None] | None"


class MeasuredMethod(msgspec.Struct, kw_only=True, frozen=True):
    """One method in one panel."""

    method: str
    values: Annotated[
        dict[str, list[str | tuple[str | None, str | None] | None]],
        Meta(description="By quantity, for each run in order: a decimal, or the lower and upper end."),
    ]


class MeasuredPanel(msgspec.Struct, kw_only=True, frozen=True):
    """One panel, with the choices in which the panels differ."""

    name: str
    setup: dict[str, Any]
    methods: list[MeasuredMethod]


class Measurements(msgspec.Struct, kw_only=True, frozen=True):
    """One experiment in numbers."""

    format: str
    experiment: str
    runs: int
    seed: int
    versions: dict[str, str]
    code: str
    datasets: list[Source]
    setup: Annotated[dict[str, Any], Meta(description="The choices that all panels share.")]
    panels: list[MeasuredPanel]

    def panel(self, name: str) -> MeasuredPanel:
        """The panel of that name; `InputError` lists the names that there are."""
        return named({panel.name: panel for panel in self.panels}, name, "panel")

    def choices(self, panel: MeasuredPanel) -> dict[str, Any]:
        """Every choice that was made for a panel."""
        return self.setup | panel.setup

    def source(self, panel: MeasuredPanel) -> Source:
        """The data set that a panel was measured on."""
        name = str(self.choices(panel).get("dataset"))
        return named({source.name: source for source in self.datasets}, name, "dataset")

    def intervals(self, panel: str, method: str, quantity: str) -> list[tuple[Fraction, Fraction]]:
        """The recorded intervals of a quantity, one for each run.

        Args:
            panel: by name.
            method: by name.
            quantity: such as "at the end" or "node 1: release".

        Returns:
            Lower and upper ends as exact rationals of the recorded decimals. Both ends are one number for what was
            measured; for a cost they are certified bounds, as the account gave them.

        Raises:
            InputError: if there is none or one is unbounded, with the names that there are.
        """
        found = named({each.method: each for each in self.panel(panel).methods}, method, "method")
        ends = [_both(each) for each in named(found.values, quantity, "quantity")]
        bounded = [(Fraction(low), Fraction(high)) for low, high in ends if low is not None and high is not None]
        # A claim about all runs cannot be judged on those that are finite.
        if len(bounded) != len(ends) or not ends:
            raise InputError(f"quantity={quantity!r}: {panel}/{method} has no finite value of it in some run")
        return bounded


def _both(ends: Ends) -> tuple[str | None, str | None]:
    """Return both ends; a single number is both."""
    return ends if isinstance(ends, tuple) else (ends, ends)


# ------------------------------------------------------------------------------------------------------- from records


def compact(record: Record, kept: frozenset[str] | None = None) -> Measurements:
    """Return the numbers of a record at round iterations, its final numbers, and its accounts.

    Quantities are "at N" (the curve after N steps), "at the end", "final NAME", "cost NAME", and "node I: NAME" for
    each number of the account of node I. A method that is not feasible has no "at the end".

    Args:
        kept: the quantities to keep; all unless given.
    """
    first, *others = [panel.setup for panel in record.panels]
    # Said once: two dozen choices for each panel would be most of a small record.
    shared = {k: v for k, v in first.items() if all(other.get(k, None) == v for other in others)}
    panels = [
        MeasuredPanel(
            name=panel.name,
            setup={k: v for k, v in panel.setup.items() if k not in shared},
            methods=[MeasuredMethod(method=m.method, values=_quantities(m.runs, kept)) for m in panel.methods],
        )
        for panel in record.panels
    ]
    return Measurements(
        format=FORMAT,
        experiment=record.experiment,
        runs=record.runs,
        seed=record.seed,
        versions=record.versions,
        code=record.code,
        datasets=record.datasets,
        setup=shared,
        panels=panels,
    )


def _quantities(runs: Sequence[Run], kept: frozenset[str] | None) -> dict[str, list[Ends]]:
    """The quantities that every run has, and that are `kept`."""
    found = [dict(_of_run(run)) for run in runs]
    # One that some run lacks, as a run that is not feasible has no curve, would be a list with a hole in it.
    names = [name for name in found[0] if all(name in each for each in found) and (kept is None or name in kept)]
    return {name: [each[name] for each in found] for name in names}


def _of_run(run: Run) -> Iterator[tuple[str, Ends]]:
    """Yield the quantities of a run with their values."""
    if run.curve:
        yield from ((f"at {place}", _text(run.curve[place])) for place in _places(len(run.curve) - 1))
        yield "at the end", _text(run.curve[-1])
    yield from ((f"final {name}", _text(value)) for name, value in sorted(run.final.items()))
    yield from ((f"cost {name}", (_text(cost.lower), _text(cost.upper))) for name, cost in sorted(run.costs.items()))
    for index, account in enumerate(run.accounts, start=1):
        yield from ((f"node {index}: {name}", ends) for name, ends in _of_account(account))


def _places(last: int) -> list[int]:
    """0, then 1, 2 and 5 times powers of ten up to the last step: `[0, 1, 2, 5, 10, 20, 50, 100, ...]`."""
    powers = (10**k for k in range(len(str(last))))
    return [0, *(m * power for power in powers for m in _ROUND if m * power <= last)]


def _of_account(account: NodeAccount) -> Iterator[tuple[str, Ends]]:
    """Yield the numbers of an account; what the panels share is left out."""
    for each in dataclasses.fields(account):
        value = getattr(account, each.name)
        # By type and not by name, so that a new number of an account is recorded without a word here.
        if isinstance(value, Cost):
            yield each.name, (_text(value.lower), _text(value.upper))
        elif isinstance(value, float) and each.name not in _SHARED:
            yield each.name, _text(value)


def _text(value: float | None) -> str | None:
    """Return a number as the shortest decimal that gives it back."""
    return None if value is None else repr(float(value))


# --------------------------------------------------------------------------------------------------------------- text


def write(record: Record, path: Path) -> None:
    """Write the compact form of a record as a whole or not at all.

    Where all its quantities would be too much to commit, it holds last values and costs, or last values alone;
    `InputError` where they are too many still.

    Args:
        path: the file to make or to replace.
    """
    for kept in (None, _ENDS_AND_COSTS, _ENDS):
        data = encode(compact(record, kept))
        if len(data) <= LARGEST_BYTES:
            write_atomically(path, data)
            return
    raise InputError(f"{path}: more than {LARGEST_BYTES} bytes without its curves as well; take fewer runs")


def encode(measurements: Measurements) -> bytes:
    """Canonical JSON with a line for each quantity, or for what is short: the same numbers give the same bytes.

    Args:
        measurements: as `compact` makes them. A diff of two versions of the file then shows what has changed.
    """
    return (_lines(msgspec.to_builtins(measurements), "") + "\n").encode()


def _lines(value: Any, indent: str) -> str:
    """Return JSON with short values on one line each, so that a change of one number is a change of one line."""
    inner, short = indent + " ", json.dumps(value, ensure_ascii=False)
    if indent and len(short) <= _SHORT:
        return short
    if isinstance(value, dict):
        parts = [f"{json.dumps(name)}: {_lines(item, inner)}" for name, item in value.items()]
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
        parts = [_lines(item, inner) for item in value]
    else:
        return short
    left, right = "{}" if isinstance(value, dict) else "[]"
    return f"{left}\n{inner}" + f",\n{inner}".join(parts) + f"\n{indent}{right}" if parts else left + right


def decode(data: bytes, *, name: str) -> Measurements:
    """Read a compact record; `InputError` names the source and what is wrong in it.

    Args:
        data: JSON, perhaps from a stranger: numbers are looked at before they are read.
        name: of where it is from, for messages.

    Returns:
        Measurements in which each quantity has an interval for each run, and no lower end is above its upper one.
    """
    try:
        found = msgspec.json.decode(data, type=Measurements)
        for panel in found.panels:
            found.source(panel)
            for method in panel.methods:
                _check(method, found.runs)
    except (msgspec.MsgspecError, ValueError, ZeroDivisionError, RecursionError) as error:
        raise InputError(f"{name}: not a compact record of an experiment: {error}") from error
    if found.format != FORMAT:
        raise InputError(f"{name}: format {found.format!r}; this version reads {FORMAT!r}")
    return found


def _check(method: MeasuredMethod, runs: int) -> None:
    """Raise `InputError` for intervals of another number than the runs, for what is no number, and for ends out of
    order.
    """
    for quantity, intervals in method.values.items():
        if len(intervals) != runs:
            raise InputError(f"{method.method}, {quantity}: {len(intervals)} values for {runs} runs")
        for low, high in map(_both, intervals):
            for end in (low, high):
                if end is not None and not _NUMBER.fullmatch(end):
                    shown = end if len(end) <= 60 else f"{end[:60]}..."
                    raise InputError(
                        f"{method.method}, {quantity}: {shown!r}: expected a number, as in 1.5e-300 or 1/3"
                    )
            if low is not None and high is not None and Fraction(low) > Fraction(high):
                raise InputError(f"{method.method}, {quantity}: the lower end {low} is above the upper end {high}")
