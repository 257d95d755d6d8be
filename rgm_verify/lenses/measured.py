"""Measurements: a statement about an experiment, judged on the numbers that the experiment recorded.

A sentence such as "the error halves" is about data and runs, and no proof can settle it. The record
of an experiment holds, for each run, a number with its interval. The conclusion is evaluated by
interval arithmetic over the box of all runs, so that `supported` means: for every value in the
intervals. It never means: for other data. The provenance (data, checksums, choices, seed) stands in
the evidence, since the number means nothing without it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeAlias

import sympy

from rgm_verify.claims.claim import Claim, ClaimError
from rgm_verify.claims.evidence import Evidence, Finding, Kind
from rgm_verify.claims.fields import wrong_fields
from rgm_verify.claims.formula import Formula, holds, negation, symbols_of
from rgm_verify.errors import InputError
from rgm_verify.experiments.run.compact import Measurements, decode
from rgm_verify.jobs.files import read_within
from rgm_verify.lenses.base import Context, Lens, fraction_text
from rgm_verify.lenses.points.interval import CannotEnclose, sign_by_intervals
from rgm_verify.lenses.points.witness import Witness, deciding_relation
from rgm_verify.lenses.settings import stable_text

Interval: TypeAlias = tuple[Fraction, Fraction]
Box: TypeAlias = Mapping[sympy.Symbol, Interval]
#: More bytes than this are not read of a record.
MAXIMUM_BYTES = 20_000_000
# A claim on recorded numbers has room, or is undecided: more boxes would not tell noise from truth.
_BOXES = 4_000
_SHOWN_DIGITS = 4


@dataclass(frozen=True)
class Where:
    """The address of a number in a compact record: panel, method and quantity.

    With the statistic "runs" it is the interval from the least to the greatest of the runs; "least", "median" and
    "greatest" take one of them (of intervals: by their ends).

    Attributes:
        panel: The name of a panel of the record.
        method: The name of a method in that panel.
        quantity: The name of a quantity of that method.
        statistic: "runs", "least", "median" or "greatest".
    """

    panel: str
    method: str
    quantity: str
    statistic: Literal["runs", "least", "median", "greatest"] = "runs"

    def text(self) -> str:
        """The place for reading."""
        return f"{self.panel}/{self.method}, {self.quantity}" + (
            "" if self.statistic == "runs" else f", {self.statistic} of the runs"
        )


@dataclass(frozen=True)
class Measured(Lens):
    """Judge the conclusion on recorded numbers: `values` gives the address in `file` of each variable's number.

    `file` is a compact record (`rgm-verify experiment NAME --record FILE`), best given as
    `Path(__file__).parent / "measured" / "NAME.json"`. Runs make intervals, and a claim is supported (at most) where it
    holds for all values of the intervals, refuted where it fails for all of them, and undecided in between. It is a
    claim about one data set and stated choices, so no other lens looks at it, and negative controls are judged on the
    same numbers. Raises `ClaimError` for a file that is missing or broken, and for a place that it does not have.

    Attributes:
        file: The compact record; at most 20 MB are read.
        values: The address of the number of each variable that the claim's formulas use.
    """

    file: Path
    values: Mapping[sympy.Symbol, Where] = field(default_factory=dict)

    name: ClassVar[str] = "measurement"
    grants: ClassVar[frozenset[Kind]] = frozenset({Kind.MEASUREMENT, Kind.NOTE})
    alone: ClassVar[bool] = True

    def __post_init__(self) -> None:
        for fault in wrong_fields(self):
            raise ClaimError(f"measured: {fault}")
        # A wrong address is a fault of the claim, and its author should see it when the claim is made,
        # before any run.
        self.box()

    def signature(self) -> str:
        """The content of the file and the places, but not where the file lies."""
        return f"file={hashlib.sha256(_content(self.file)).hexdigest()};values={stable_text(self.values)}"

    def measurements(self) -> Measurements:
        """The file's content, checked."""
        try:
            return _decoded(_content(self.file), self.file.name)
        except InputError as error:
            raise ClaimError(f"measured: {error}; make it again with `rgm-verify experiment NAME --record`") from error

    def box(self) -> dict[sympy.Symbol, Interval]:
        """Return the interval of each variable, exact: over all runs, or of a statistic of the runs.

        Returns:
            Exact ends, lower before upper.

        Raises:
            ClaimError: For a record that cannot be read, and for a panel, method or quantity that it
                does not have.
        """
        found = self.measurements()
        try:
            return {symbol: _interval(found, where) for symbol, where in self.values.items()}
        except InputError as error:
            raise ClaimError(f"measured: {self.file.name}: {error}") from error

    def run(self, claim: Claim, context: Context) -> list[Evidence]:
        """Evaluate the claim on the recorded numbers.

        A hypothesis that the numbers do not certainly satisfy leaves the claim undecided. Raises `ClaimError` for a
        variable without a place; a number that was not measured must not be assumed.

        Args:
            claim: The claim or a control of it.
            context: Not used: nothing is drawn.

        Returns:
            One piece of evidence; none for a claim without a conclusion.
        """
        if claim.conclusion is None:
            return []
        box = self.box()
        formulas = [claim.conclusion, *(h.formula for h in claim.assumptions)]
        without = sorted(str(s) for s in frozenset().union(*map(symbols_of, formulas)) - set(box))
        if without:
            raise ClaimError(f"{claim.id}: measured: no place is given for {', '.join(without)}; add it to values=")
        # A record has some numbers, and nobody asked whether there could be others.
        if claim.quantifier == "exists":
            return [self.undecided(("arb",), "a measurement says nothing about existence")]
        for hypothesis in claim.assumptions:
            # An implication with a false premise is true of any numbers, and would count as support.
            if holds(hypothesis.formula, _signs(box)) is not True:
                return [self.undecided(("arb",), f"the numbers were not shown to satisfy: {hypothesis.name}")]
        return [self.judged(claim.conclusion, box)]

    def judged(self, conclusion: Formula, box: Box) -> Evidence:
        """Return the evidence of the numbers on the conclusion.

        Args:
            conclusion: The formula to judge.
            box: An interval for each of its symbols.

        Returns:
            Support or refutation where the sign of every relation is certain over the box as far as the
            formula needs it, else an undecided note with the count of runs that agree. A refutation
            carries the corner of lower ends as its witness, which any point of the box could be.
        """
        truth = holds(conclusion, _signs(box))
        details: dict[str, Any] = self.provenance(box)
        numbers = ", ".join(f"{symbol} {_shown(interval)}" for symbol, interval in box.items())
        if truth is None:
            runs = self.agreeing(conclusion)
            return self.undecided(("arb",), f"{self.about()}: holds in {runs}; {numbers}", **details)
        if not truth:
            # It fails in the whole box, so that the corner of the lower ends will do.
            details["witness"] = _witness(conclusion, {symbol: low for symbol, (low, _) in box.items()}).to_json()
        finding = Finding.SUPPORTS if truth else Finding.REFUTES
        summary = f"{self.about()}: {'holds' if truth else 'fails'} for all values of the runs; {numbers}"
        return self.evidence(Kind.MEASUREMENT, finding, ("arb",), summary, details=details)

    def agreeing(self, conclusion: Formula) -> str:
        """Count the runs, each with its own numbers, in which the conclusion holds.

        The count is for reading: it is never evidence, since a run without the others says nothing of
        the spread.
        """
        found = self.measurements()
        held = sum(holds(conclusion, _signs(self.box_of_run(found, run))) is True for run in range(found.runs))
        return f"{held} of {found.runs} runs"

    def box_of_run(self, found: Measurements, run: int) -> dict[sympy.Symbol, Interval]:
        """The numbers of one run; a statistic over the runs stays what it is."""
        return {
            symbol: found.intervals(where.panel, where.method, where.quantity)[run]
            if where.statistic == "runs"
            else _interval(found, where)
            for symbol, where in self.values.items()
        }

    def about(self) -> str:
        """The experiment, its data and how often it ran, in a few words."""
        found = self.measurements()
        panels = [found.panel(name) for name in dict.fromkeys(where.panel for where in self.values.values())]
        sources = dict.fromkeys(found.source(panel) for panel in panels) if panels else {}
        data = ", ".join(f"{'synthetic ' * s.synthetic}{s.name} ({s.records} records)" for s in sources)
        runs = f"{found.runs} run{'s' * (found.runs != 1)}"
        return (
            f"measured on {data}, {found.experiment} ({', '.join(p.name for p in panels)}), {runs}, seed {found.seed}"
        )

    def provenance(self, box: Box) -> dict[str, Any]:
        """Return data, choices and places as details of the evidence: a number means nothing without them.

        Args:
            box: The intervals that were used.

        Returns:
            JSON data.
        """
        found = self.measurements()
        panels = [found.panel(name) for name in dict.fromkeys(where.panel for where in self.values.values())]
        return {
            "file": self.file.name,
            "sha256": hashlib.sha256(_content(self.file)).hexdigest(),
            "experiment": found.experiment,
            "runs": found.runs,
            "seed": found.seed,
            "data": [{"name": s.name, "source": s.source, "sha256": s.sha256, "limits": s.limits}
                     for s in dict.fromkeys(map(found.source, panels))],
            "choices": {panel.name: found.choices(panel) for panel in panels},
            "numbers": {
                symbol.name: {"where": where.text(), "interval": [fraction_text(end) for end in box[symbol]]}
                for symbol, where in self.values.items()
            },
        }  # fmt: skip


def _content(file: Path) -> bytes:
    """Return the file's bytes; raises `ClaimError` with the file's last folder alone, as full paths differ between
    machines.
    """
    try:
        return read_within(file, MAXIMUM_BYTES)
    except (FileNotFoundError, InputError) as error:
        reason = str(error.strerror) if isinstance(error, FileNotFoundError) else str(error).partition(": ")[2]
        raise ClaimError(
            f"measured: {file.parent.name}/{file.name}: cannot be read ({reason}); "
            "make it with `rgm-verify experiment NAME --record FILE`"
        ) from error


@lru_cache(maxsize=32)
def _decoded(content: bytes, name: str) -> Measurements:
    """Return the parsed record; kept, because each control of a claim reads the same file."""
    return decode(content, name=name)


def _interval(found: Measurements, where: Where) -> Interval:
    """Return the ends of a number over the runs, or those of a statistic of the runs.

    Each run has an interval itself; the ends of a statistic are the statistics of the ends. Raises `InputError` for an
    unknown statistic.
    """
    runs = found.intervals(where.panel, where.method, where.quantity)
    lows, highs = sorted(low for low, _ in runs), sorted(high for _, high in runs)
    match where.statistic:
        case "runs":
            return lows[0], highs[-1]
        case "least":
            return lows[0], highs[0]
        case "greatest":
            return lows[-1], highs[-1]
        case "median":
            # The median grows with each number, and so its ends are the medians of the ends.
            return _median(lows), _median(highs)
        case other:
            raise InputError(f"statistic={other!r}: allowed are runs, least, median, greatest")


def _median(values: list[Fraction]) -> Fraction:
    """Return the middle value of an ordered list, or the mean of the two in the middle."""
    return (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2


def _signs(box: Box) -> Any:
    """The certain sign of an expression over a whole box, for `holds`.

    A single point is decided with as many digits as it takes. Over a box the range is enclosed from
    outside, so that a sign that is certain holds at each point; the extremes of the range are
    approached by splitting into boxes, and what the boxes leave open is "unknown".
    """
    from rgm_verify.balls.enclose import sign_at
    from rgm_verify.balls.ranges import bound_range

    def sign(expression: sympy.Expr) -> str:
        used = {s: box[s] for s in sorted(expression.free_symbols, key=str)}
        # A single point: its sign is exact, where a range would be left open at 0.
        if all(low == high for low, high in used.values()):
            return str(sign_at(expression, {s: low for s, (low, _) in used.items()}))
        range_ = bound_range(expression, {s.name: ends for s, ends in used.items()}, maximum_boxes=_BOXES)
        low, high = range_.infimum.lower, range_.supremum.upper
        if low is not None and low >= 0:
            return "positive" if low > 0 else "nonnegative"
        if high is not None and high <= 0:
            return "negative" if high < 0 else "nonpositive"
        return "unknown"

    return sign


def _witness(conclusion: Formula, point: Mapping[sympy.Symbol, Fraction]) -> Witness:
    """A point of the box as the witness of a failure, with a snippet that shows it."""
    from rgm_verify.balls.enclose import enclose, sign_at

    # The negation holds at every point of the box here, so that any corner shows it.
    relation = deciding_relation(negation(conclusion), lambda e: str(sign_at(e, point)))
    return Witness(point, relation, enclose(relation.gap, point, digits=12).decimals(), _families(relation.gap, point))


def _families(gap: sympy.Expr, point: Mapping[sympy.Symbol, Fraction]) -> tuple[str, ...]:
    """Return the arithmetics that know the sign of the gap: Arb, and mpmath where it has the functions."""
    try:
        return ("arb",) if sign_by_intervals(gap, point) == "unknown" else ("arb", "mpmath")
    except CannotEnclose:
        return ("arb",)


def _shown(interval: Interval) -> str:
    """The interval in a few digits, rounded outward."""
    from rgm_verify.balls.enclose import Enclosure

    low, high = Enclosure(*interval).decimals(_SHOWN_DIGITS)
    return f"= {low}" if low == high else f"in [{low}, {high}]"
