"""Looseness of the bounds: the certified ranges of the ledger, sorted and ready to draw."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from rgm_verify.claims.outcome.ledger import ClaimEntry, TightnessEntry
from rgm_verify.report.order import in_order
from rgm_verify.report.pictures import plots
from rgm_verify.report.texts.numbers import approximate, enclosure, span


@dataclass(frozen=True)
class Row:
    """One bar of the picture.

    The texts are those of the ledger, rounded outward; `range` is for drawing alone.

    Attributes:
        claim: The claim.
        entry: The certified range.
        range: The same as floats.
    """

    claim: ClaimEntry
    entry: TightnessEntry
    range: plots.Range

    @property
    def text(self) -> str:
        """The outer range in numbers, rounded outward."""
        return span(self.entry.infimum, self.entry.supremum)

    @property
    def spoken(self) -> str:
        """Describe the bar in words."""
        ends = f"infimum in {enclosure(self.entry.infimum)}, supremum in {enclosure(self.entry.supremum)}"
        return f"{self.claim.id}: {ends}"

    @property
    def looseness(self) -> float:
        """Return the ratio's largest distance from 1 in decades; infinite if unbounded, not positive, or unknown.

        It orders the bars. Both ends count: a ratio from 1/1000 to 1 is as loose as one from 1 to 1000.
        """
        ends = (self.range.low[0], self.range.high[1])
        return max((abs(math.log10(v)) if v > 0 and math.isfinite(v) else math.inf) for v in ends)


def rows(claims: Iterable[ClaimEntry]) -> list[Row]:
    """Every certified range, the loosest first; equal ones in the order of the report."""
    found = [Row(claim, entry, _range(entry)) for claim in in_order(claims) for entry in claim.tightness]
    # Stable: equal ones keep the order of the report.
    return sorted(found, key=lambda row: -row.looseness)


def row(claim: ClaimEntry, entry: TightnessEntry) -> Row:
    """The bar of one entry."""
    return Row(claim, entry, _range(entry))


def _range(entry: TightnessEntry) -> plots.Range:
    """Return the certified range as floats."""
    return plots.Range(_pair(entry.infimum), _pair(entry.supremum))


def _pair(ends: list[str]) -> tuple[float, float]:
    """Return both ends of an enclosure as floats, NaN without one.

    An end of a range is not known where its enclosure failed; the bar then shows an arrow or a dashed line.
    """
    return (approximate(ends[0]), approximate(ends[-1])) if ends else (math.nan, math.nan)
