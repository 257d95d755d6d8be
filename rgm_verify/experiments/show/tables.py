"""A record as tables: last values by panel, what each node's releases cost, and what is unfair, for people to read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from rgm_verify.experiments.accounts import Cost, NodeAccount
from rgm_verify.experiments.run.records import Band, MethodRecord, PanelRecord, Record
from rgm_verify.experiments.setup import describe
from rgm_verify.experiments.show.wording import (
    NO_GUARANTEE,
    Name,
    caveats,
    divergence,
    meaning_of_costs,
    plotted,
    provenance,
)
from rgm_verify.numbers.decimals import recorded_decimal
from rgm_verify.numbers.shown import frame

#: How a README begins that this module wrote: another one is never replaced.
MARK = "<!-- written by rgm-verify experiment -->"
_NONE = "–"
_FEW = 12  # panels whose tables a terminal still shows together
_COMPARED = (
    "Last values of relative noise (RGM) as multiples of that of the best clipping threshold, which has to be found "
    "first (~: the runs do not tell them apart). Printed recipes do not buy the same privacy, see what they cost:"
)


@dataclass(frozen=True)
class Table:
    """Titles of columns and rows of texts, each row as long as the titles.

    Examples:
        >>> print(Table(["method", "cost"], [["none", "–"], ["clip", "0.1"]]).plain())
        method  cost
        none    –
        clip    0.1
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]

    def markdown(self) -> str:
        """The table as Markdown: the first column to the left, all others, which hold numbers, to the right."""
        rule = ["---", *("---:" for _ in self.columns[1:])]
        lines = [self.columns, rule, *self.rows]
        # A bar in a cell, as in |b|, would begin another cell.
        return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)

    def _repr_html_(self) -> str:
        lines = ["".join(f"<th>{escape(cell)}</th>" for cell in self.columns)]
        lines += ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in self.rows]
        return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"

    def to_frame(self) -> Any:
        """Return the table as a pandas data frame of texts; `InputError` where pandas is not installed."""
        return frame([dict(zip(self.columns, row, strict=True)) for row in self.rows])

    def plain(self) -> str:
        """The table for a terminal, columns aligned."""
        lines = [self.columns, *self.rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(_aligned(line, widths).rstrip() for line in lines)


def _aligned(line: Sequence[str], widths: Sequence[int]) -> str:
    """Return a line with its cells padded to the widths of the columns."""
    first, *others = (f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True))
    return "  ".join([first, *others])


# -------------------------------------------------------------------------------------------------------------- tables


def comparison(record: Record) -> Table:
    """Compare in every panel the best threshold of clipping with relative noise, whose last value is a multiple of its.

    `~` marks a multiple where the least and greatest of the runs overlap: then the runs do not tell the two apart. The
    best threshold is that of the least geometric mean at the end, known only after all of them were run, so that the
    comparison favours clipping. Printed and vouched methods are compared apart, as their privacy differs.
    """
    columns = ["panel", "best clipping, printed", "RGM printed", "best clipping, vouched", "RGM vouched", "RGM exact"]
    return Table(columns, [[panel.name, *_compared(panel)] for panel in record.panels])


def _compared(panel: PanelRecord) -> list[str]:
    """Return a panel's row of the comparison."""
    found = {method.method: method for method in panel.methods}
    cells = []
    for basis, rivals in (("printed", ("rgm-printed",)), ("vouched", ("rgm-vouched", "rgm-exact"))):
        clipping = [m for m in panel.methods if (n := Name.of(m.method)).base.startswith("clip") and n.basis == basis]
        ranked = sorted((m for m in clipping if _last(m) is not None), key=lambda m: _last(m) or 0.0)
        best = ranked[0] if ranked else None
        cells.append(_NONE if best is None else Name.of(best.method).title.removeprefix("clipping at ").split(",")[0])
        cells += [_multiple(found[name], best) if name in found else _NONE for name in rivals]
    return cells


def _last(method: MethodRecord) -> float | None:
    """The geometric mean at the end, where there is one."""
    return method.band.geometric_mean[-1] if method.band.geometric_mean else None


def _multiple(method: MethodRecord, best: MethodRecord | None) -> str:
    """Return a last value as a multiple of the best clipping's, or why there is none."""
    if not method.band.geometric_mean:
        return "not feasible"
    # A last value of 0, as of data that are fitted exactly, has no multiples.
    mine, its = _last(method), _last(best) if best is not None else None
    if mine is None or not its:
        return "diverged" if divergence(method) else _NONE
    overlap = best is not None and _overlap(method.band, best.band)
    return f"{'~ ' * overlap}{mine / its:.3g}"


def _overlap(one: Band, other: Band) -> bool:
    """Tell whether the runs of two methods overlap at the end."""
    # An end that is not known may be anywhere, so that it tells nothing apart.
    lows, highs = (one.lower[-1], other.lower[-1]), (one.upper[-1], other.upper[-1])
    return None in (*lows, *highs) or max(low or 0.0 for low in lows) <= min(high or 0.0 for high in highs)


def last_values(panel: PanelRecord) -> Table:
    """The last value of each method: geometric mean, least and greatest of the runs, or that it diverged.

    Args:
        panel: of a record; its methods are rows, in their order. Values have three digits, rounded to nearest; what a
            release costs at most is rounded up.
    """
    columns = ["method", "geometric mean", "least", "greatest", "a release costs at most"]
    return Table(columns, [_last_value(method) for method in panel.methods])


def _last_value(method: MethodRecord) -> list[str]:
    """Return a method's row of last values."""
    # Costs of all runs and both nodes: the worst of them is what the method costs.
    found = [account for run in method.runs for account in run.accounts]
    ends = [curve[-1:] for curve in (method.band.geometric_mean, method.band.lower, method.band.upper)]
    if not all(ends):
        return [Name.of(method.method).title, "not feasible", _NONE, _NONE, _NONE]
    away = divergence(method)
    numbers = [away, _NONE, _NONE] if away else [_value(end[0]) for end in ends]
    return [Name.of(method.method).title, *numbers, _cost(found, lambda account: account.release)]


def account_table(panel: PanelRecord) -> Table:
    """Return a table of each node's parameters and costs; a range where the runs differ, costs rounded up.

    Between them stands what an explicit pair of neighbours reaches: one with these data, and one with any within the
    bounds on records. These are lower bounds, rounded down; where one is above the aim, the method misses it.

    Args:
        panel: of a record. Methods without noise have no row.
    """
    costs = ["aim", "release ≤", "reached ≥", "anywhere ≥", "total ≤", "ε ≤", "orders <", "feasible"]
    columns = ["method", "node", "η", "R_rel", "γ", "σ²", "clip", *costs]
    rows = []
    for method in panel.methods:
        for index in range(len(method.runs[0].accounts)):
            found = [run.accounts[index] for run in method.runs]
            if any(account.noise != "none" for account in found):
                rows.append([Name.of(method.method).title, str(index + 1), *_account(found)])
    return Table(columns, rows)


def _account(found: Sequence[NodeAccount]) -> list[str]:
    """Return the cells of a node's account over all runs."""
    parameters = [_range([getattr(account, name) for account in found]) for name in
                  ("eta", "r_rel", "gamma", "sigma2", "clip", "aim")]  # fmt: skip
    return [
        *parameters,
        _cost(found, lambda account: account.release),
        _at_least([account.reached for account in found]),
        "infinite" if any(a.unbounded for a in found) else _at_least([account.reached_anywhere for account in found]),
        _cost(found, lambda account: account.total),
        _cost(found, lambda account: account.epsilon),
        _range([account.largest_order for account in found], none="all"),
        _feasible(found),
    ]


def _at_least(values: Sequence[float | None]) -> str:
    """Return the greatest of lower bounds, rounded down."""
    # Each of them is reached by some run: the greatest is the strongest, and one that is missing takes nothing away.
    known = [value for value in values if value is not None]
    return recorded_decimal(max(known), up=False, digits=4) if known else _NONE


def _cost(found: Sequence[NodeAccount], cost: Callable[[NodeAccount], Cost]) -> str:
    """The worst upper end of what is private and feasible."""
    # What is not run, and what has no noise, has no cost to show.
    counted = [account for account in found if account.feasible and account.noise != "none"]
    uppers = [cost(account).upper for account in counted]
    known = [upper for upper in uppers if upper is not None]
    if not counted:
        return _NONE
    return recorded_decimal(max(known), up=True, digits=4) if len(known) == len(uppers) else NO_GUARANTEE


def _feasible(found: Sequence[NodeAccount]) -> str:
    """Return whether a method is feasible, and where not above which floor."""
    without = [account for account in found if not account.feasible]
    if not without:
        return "yes"
    # The least of them, down: no run could reach a level below it.
    floors = [account.floor for account in without if account.floor is not None]
    runs = "" if len(without) == len(found) else f" in {len(without)} of {len(found)} runs"
    return f"no{runs}" + (f": not below {recorded_decimal(min(floors), up=False, digits=4)}" if floors else "")


def _range(values: Sequence[float | None], *, none: str = _NONE) -> str:
    """Return the least and the greatest of some parameters."""
    known = [value for value in values if value is not None]
    if not known:
        return none
    # Compared as they are shown: "0.1 to 0.1" would say nothing.
    ends = list(dict.fromkeys(f"{value:.4g}" for value in (min(known), max(known))))
    return " to ".join(ends)


def _value(value: float | None) -> str:
    # Of runs that are all finite a geometric mean is missing for one reason only.
    return "negative" if value is None else f"{value:.3g}"


# --------------------------------------------------------------------------------------------------------------- texts


def plain(record: Record) -> str:
    """The record for a terminal: last values by panel where these are few, the comparison, and on which data.

    Args:
        record: of an experiment with two nodes; trainings have tables of their own in `show.trainings`.
    """
    parts = [record.title, record.question, ""]
    for panel in record.panels if len(record.panels) <= _FEW else ():
        parts += [f"{panel.title} ({panel.name}): {plotted(panel)}", last_values(panel).plain(), ""]
    return "\n".join([*parts, _COMPARED, comparison(record).plain(), "", *provenance(record)])


def markdown(record: Record, *, figures: Sequence[str]) -> str:
    """The README of a record: figure, last values, accounts, what is unfair, choices, and where the numbers are.

    Args:
        record: of an experiment with two nodes.
        figures: names of files beside the README, shown in this order; none where nothing was drawn.

    Returns:
        Markdown that begins with `MARK`. The same record gives the same text.
    """
    lines = [
        MARK,
        f"# {record.title}",
        "",
        record.question,
        "",
        *(f"- {s}" for s in provenance(record)),
        f"- {meaning_of_costs(record)}",
        "",
    ]
    lines += [f"![{record.title}]({name})\n" for name in figures]
    lines += [_COMPARED, "", comparison(record).markdown(), ""]
    for panel in record.panels:
        lines += [f"## {panel.title} ({panel.name})", "", *_choices(panel), f"Last value of the {plotted(panel)}:", ""]
        lines += [last_values(panel).markdown(), "", "What it costs, node by node:", ""]
        lines += [account_table(panel).markdown(), ""]
    lines += ["## What is unfair or not guaranteed", "", *(f"- {sentence}" for sentence in caveats(record)), ""]
    lines += [*sources(record), ""]
    return "\n".join(lines)


def _choices(panel: PanelRecord) -> Iterator[str]:
    """Yield the choices of a panel that are not the defaults."""
    # Only these: two dozen defaults before every table would hide the one that matters.
    defaults = {choice.name: choice.default for choice in describe()}
    changed = {name: value for name, value in panel.setup.items() if value != defaults.get(name)}
    if changed:
        yield "Choices other than the defaults: " + ", ".join(f"`{k}={v}`" for k, v in changed.items()) + "."
        yield ""


def sources(record: Record) -> Iterator[str]:
    """Yield where the numbers are and what they were made with, as lines of Markdown.

    Args:
        record: of either kind. Data are named by their digests, the code by the first 16 digits of its own.
    """
    yield "## Where the numbers are"
    yield ""
    yield "`record.json` holds every number, `timings.json` how long it took. Costs are rounded up, floors down."
    yield ""
    for source in record.datasets:
        yield f"- {source.name}: {source.source} (SHA-256 `{source.sha256}`)"
    versions = ", ".join(f"{name} {version}" for name, version in sorted(record.versions.items()))
    yield f"- {versions}; code `{record.code[:16]}`"
