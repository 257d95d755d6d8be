"""A record of trainings as tables: losses, accuracies, and what each method costs, as proved and as stated.

Losses and accuracies are medians with the least and the greatest of the runs; they are rounded to nearest. Costs are
those of all steps together. They do not depend on the run, and each end is rounded to its own side.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence

from rgm_verify.experiments.accounts import Cost
from rgm_verify.experiments.run.records import MethodRecord, PanelRecord, Record, Run
from rgm_verify.experiments.setup import describe
from rgm_verify.experiments.show.tables import MARK, Table, sources
from rgm_verify.experiments.show.wording import NO_GUARANTEE, Name, divergence, meaning_of_costs, plotted, provenance
from rgm_verify.experiments.trainings.methods import REALLY, STATED
from rgm_verify.experiments.trainings.setup import TrainingSetup
from rgm_verify.numbers.decimals import recorded_decimal

_NONE = "–"
_UNFAIR = (
    "DP-SGD, AUTO-S with it, and clamped GeoDP of one panel cost the same at most. GeoDP as printed does not: see its "
    "lower ends.",
    "Clamped GeoDP keeps every angle in a public region around right angles, and its noise covers the region.",
    "Learning rates, layers and batches are choices, which the paper does not print; the rates were not tuned for any "
    "method, and no method pays for a choice.",
)


def plain(record: Record) -> str:
    """The record for a terminal: a table for each panel, what its costs mean, and on which data.

    Args:
        record: of trainings; experiments with two nodes have their tables in `show.tables`.
    """
    parts = [record.title, record.question, ""]
    for panel in record.panels:
        parts += [f"{panel.title} ({panel.name})", table(panel).plain(), ""]
    return "\n".join([*parts, meaning_of_costs(record), *provenance(record)])


def markdown(record: Record, *, figures: Sequence[str]) -> str:
    """The README of a record: figure, tables, what is unfair, choices, and where the numbers are.

    Args:
        figures: names of files beside the README, shown in this order.

    Returns:
        Markdown that begins with `MARK`. The same record gives the same text.
    """
    about = [f"- {sentence}" for sentence in (*provenance(record), meaning_of_costs(record))]
    lines = [MARK, f"# {record.title}", "", record.question, "", *about, ""]
    lines += [f"![{record.title}]({name})\n" for name in figures]
    for panel in record.panels:
        lines += [f"## {panel.title} ({panel.name})", "", *_choices(panel), table(panel).markdown(), ""]
    lines += ["## What is unfair or not guaranteed", "", *(f"- {sentence}" for sentence in _UNFAIR), ""]
    return "\n".join([*lines, *sources(record), ""])


def table(panel: PanelRecord) -> Table:
    """Each method's loss and accuracy at the end, medians with least and greatest of the runs, and its epsilons.

    Args:
        panel: of a record of trainings. Losses and accuracies are rounded to nearest, as they are measured; the lower
            end of an epsilon is rounded down and the upper one up, as they are bounds.
    """
    columns = ["method", plotted(panel), "test accuracy", "ε at least", "ε at most", "stated ε at most"]
    return Table(columns, [_row(method) for method in panel.methods])


def _row(method: MethodRecord) -> list[str]:
    """Return the cells of a method: loss and accuracy over the runs, and the ends of its costs."""
    return [
        Name.of(method.method).title,
        divergence(method) or _over_runs(method.runs, lambda run: run.curve[-1], "{:.3g}"),
        _over_runs(method.runs, lambda run: run.final["accuracy"], "{:.2%}"),
        _end(method, REALLY, lambda cost: cost.lower, up=False),
        _end(method, REALLY, lambda cost: cost.upper, up=True),
        _end(method, STATED, lambda cost: cost.upper, up=True),
    ]


def _over_runs(runs: Sequence[Run], value: Callable[[Run], float | None], form: str) -> str:
    """Return the median of a number with the least and the greatest; one number where all are shown alike."""
    # Of runs that diverged nothing is shown here: `divergence` has told of them before.
    found = [number for run in runs if (number := value(run)) is not None]
    shown = [form.format(number) for number in (statistics.median(found), min(found), max(found))]
    return shown[0] if len(set(shown)) == 1 else f"{shown[0]} ({shown[1]} to {shown[2]})"


def _end(method: MethodRecord, name: str, end: Callable[[Cost], float | None], *, up: bool) -> str:
    """Return an end of a cost, which is the same in every run, rounded to that side."""
    # Costs are of the choices alone: chance has no part in them.
    costs = method.runs[0].costs
    if name not in costs:
        return _NONE
    value = end(costs[name])
    return NO_GUARANTEE if value is None else recorded_decimal(value, up=up, digits=4)


def _choices(panel: PanelRecord) -> Iterator[str]:
    """Yield the choices of a panel."""
    # All of them and not only other ones than the defaults: there are few, and the paper prints hardly any.
    meanings = {choice.name: choice.meaning for choice in describe(TrainingSetup)}
    shown = {name: value for name, value in panel.setup.items() if value is not None and name in meanings}
    yield "Choices: " + ", ".join(f"`{name}={value}`" for name, value in shown.items()) + "."
    yield ""
