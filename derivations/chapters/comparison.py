"""Private estimators at equal privacy on many data sets: medians and spread, ranks, and how far each is from the best.

Everything is read from the record that `nox -s compare` writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

from rgm_verify.claims.chapter import Block, Chapter, Heading, Paragraph, Table

from .comparison_data import DELTA, EPSILONS, EXACT, FILE, PEER, SEEDS, Row, read

ABOUT = {
    "regression": ("Regression", r"$R^2$ on the fifth of the records that was kept apart"),
    "classification": ("Classification", "area under the curve on the fifth of the records that was kept apart"),
}
OURS = {"regression": ("auto", "statistics"), "classification": ("objective", "newton")}
#: Differences that the seeds do not tell apart in any row, so that a ratio of them says nothing.
SMALLEST = 0.002


def build(profile: str) -> list[Block]:
    """Return all blocks; they do not depend on the profile."""
    return list(_blocks(read()))


def _blocks(rows: Sequence[Row]) -> Iterable[Block]:
    yield Paragraph(
        text=rf"Every method has the same $\epsilon$, $\delta = 10^{{{DELTA.split('e')[1]}}}$, for one record replaced, by exact accounts; "
        f"{PEER}, which knows pure privacy alone, has $\\delta = 0$. Features are in the box $[-1, 1]$ with a constant column, so that records "
        r"are at most $\sqrt d$ long; labels are in $[-1, 1]$. No parameter was chosen by its results: each method has its defaults, or those "
        f"of its paper. {SEEDS} seeds, each a split and noise of its own; the same for all methods. Ranges of the features are those of the whole set, in the place of public ones."
    )
    for task in ABOUT:
        found = [row for row in rows if row.task == task]
        if found:
            yield from _of_task(task, found)


def _of_task(task: str, rows: Sequence[Row]) -> Iterable[Block]:
    title, measure = ABOUT[task]
    yield Heading(text=title)
    yield _summary(task, rows)
    methods = _methods(task, rows)
    exact = {row.data: row for row in rows if row.method == EXACT}
    for epsilon in EPSILONS:
        table = []
        for data, without in exact.items():
            here = {row.method: row for row in rows if row.data == data and row.epsilon == epsilon}
            size = f"{data} ({without.records:,}, {without.features})"
            table.append([size, *(_shown(here.get(method)) for method in methods), _shown(without)])
        yield Table(
            caption=rf"$\epsilon = {epsilon}$: the {measure}: median, and in brackets the smallest and the largest of {SEEDS}.",
            columns=["data (records, features)", *methods, "without privacy, linear"],
            rows=table,
        )


def _methods(task: str, rows: Sequence[Row]) -> list[str]:
    """The methods, ours first."""
    names = list(dict.fromkeys(row.method for row in rows if row.method != EXACT))
    return sorted(names, key=lambda name: (OURS[task].index(name) if name in OURS[task] else len(OURS[task]), name))


def _summary(task: str, rows: Sequence[Row]) -> Block:
    """How often a method is the best, within twice the best one's excess, and its rank."""
    methods = _methods(task, rows)
    ranks: dict[str, list[int]] = {method: [] for method in methods}
    near = dict.fromkeys(methods, 0)
    best = dict.fromkeys(methods, 0)
    exact = {row.data: median(_numbers(row)) for row in rows if row.method == EXACT}
    for data, top in exact.items():
        for epsilon in EPSILONS:
            here = {row.method: _median(row) for row in rows if row.data == data and row.epsilon == epsilon}
            order = sorted(here.values(), reverse=True)
            if not order:
                continue
            least = max(top - order[0], SMALLEST)
            for method, score in here.items():
                ranks[method].append(1 + sum(other > score for other in order))
                near[method] += top - score <= 2 * least
                best[method] += score == order[0]
    table = [
        [
            method,
            str(len(ranks[method])),
            str(best[method]),
            f"{near[method]} ({100 * near[method] // max(1, len(ranks[method]))} %)",
            f"{sum(ranks[method]) / max(1, len(ranks[method])):.2f}",
        ]
        for method in methods
    ]
    return Table(
        caption="A row is a data set at one epsilon, and counts by its medians. The excess is the distance from a linear fit without privacy; "
        f"below {SMALLEST} it counts as {SMALLEST}. {PEER}'s linear regression is left out above 25 features, where a fit takes minutes.",
        columns=["method", "rows", "best in", "within twice the best one's excess", "mean rank"],
        rows=table,
    )


def _numbers(row: Row) -> list[float]:
    # A fit that failed predicts nothing: as bad as any.
    return [float("-inf") if score is None else score for score in row.scores]


def _median(row: Row) -> float:
    return median(_numbers(row))


def _shown(row: Row | None) -> str:
    if row is None:
        return ""
    numbers = sorted(_numbers(row))
    middle, low, high = (_number(value) for value in (median(numbers), numbers[0], numbers[-1]))
    return f"{middle} [{low}, {high}]"


def _number(value: float) -> str:
    return f"{value:.3f}" if value > -9.9995 else "below -10"


chapter = Chapter(
    "comparison",
    "Private estimators at equal privacy",
    "How regressions and classifications of this project and of others do on real and made data at epsilon 0.1, 1 and 5, with ten seeds each.",
    build,
    reads=(FILE,),
)
