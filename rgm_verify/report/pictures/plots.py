"""Pictures as SVG text: pure functions of numbers, coloured by the page's style sheet, identical from run to run."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from rgm_verify.pictures.frame import Frame, Place, band, line
from rgm_verify.pictures.scales import Scale, power
from rgm_verify.report.order import VERDICTS
from rgm_verify.report.texts.numbers import approximate

WIDTH, HEIGHT = 640, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 68, 16, 14, 44
#: A curve whose positive values span more than this factor is drawn on a logarithmic axis.
_LOG_FROM = 20.0


@dataclass(frozen=True)
class Range:
    """A certified range: enclosures of its infimum and supremum as floats (infinite or NaN where unknown).

    Attributes:
        low: An enclosure of the infimum.
        high: An enclosure of the supremum.
    """

    low: tuple[float, float]
    high: tuple[float, float]


@dataclass(frozen=True)
class LogAxis:
    """A logarithmic axis from 10**first to 10**last."""

    first: int
    last: int

    def position(self, value: float) -> float:
        """Return the position of a value in percent of the axis, cut at its ends; values <= 0 are at the left end."""
        if value <= 0 or math.isnan(value):
            return 0.0
        if math.isinf(value):
            return 100.0
        share = (math.log10(value) - self.first) / (self.last - self.first)
        return min(100.0, max(0.0, 100 * share))

    def ticks(self) -> list[tuple[float, str]]:
        """Positions in percent with their labels, at most seven.

        Examples:
            >>> [label for _, label in LogAxis(-1, 2).ticks()]
            ['0.1', '1', '10', '100']
        """
        step = max(1, -(-(self.last - self.first) // 6))
        return [
            (self.position(10.0**k), power(k))
            for k in range(self.first, self.last + 1)
            if (k % step == 0) or self.last - self.first <= 6
        ]


def log_axis(ranges: Sequence[Range], *, decades: int = 8) -> LogAxis:
    """An axis that shows every finite end and 1, at most `decades` to each side of 1.

    An end beyond that is drawn as an arrow: one bound that is loose by a factor of 1e40 would make all others look
    alike.

    Args:
        ranges: Ranges to show.
        decades: The most decades to each side.
    """
    ends = [v for r in ranges for v in (*r.low, *r.high) if math.isfinite(v) and v > 0] + [1.0]
    first = max(-decades, math.floor(math.log10(min(ends))))
    last = min(decades, math.ceil(math.log10(max(ends))))
    return LogAxis(min(first, -1) if last < 1 else first, max(last, 1))


def verdict_bar(counts: Mapping[str, int], *, title: str) -> str:
    """A stacked bar of the number of claims per verdict; widths in percent, so it fits any page.

    Args:
        counts: Claims per verdict.
        title: The picture in words.
    """
    total = sum(counts.values())
    parts, start = [], 0.0
    for verdict in VERDICTS:
        share = 100 * counts.get(verdict, 0) / total if total else 0.0
        if share:
            # Percents, and no pixels: the bar is as wide as the page, on a telephone too.
            width = f"{share:.4f}%"
            parts.append(
                f'<rect class="fill-{verdict}" x="{start:.4f}%" y="0" width="{width}" height="100%">'
                f"<title>{verdict}: {counts[verdict]}</title></rect>"
            )
            if start:
                parts.append(f'<rect class="seam" x="{start:.4f}%" y="0" width="2" height="100%"/>')
            start += share
    return f'<svg class="verdict-bar" role="img" aria-label="{escape(title)}">{"".join(parts)}</svg>'


def range_bar(found: Range, axis: LogAxis, *, title: str) -> str:
    """One row of the looseness picture: the range between its enclosed ends on a logarithmic axis.

    The ends are drawn as wide as their enclosures; an end that is unbounded, not positive, or beyond the axis is an
    arrow; an unknown range is a dashed line.

    Args:
        axis: The axis of all bars.
        title: The picture in words.
    """
    left, right = axis.position(found.low[0]), axis.position(found.high[1])
    parts = [f'<line class="grid" x1="{p:.3f}%" x2="{p:.3f}%" y1="0" y2="100%"/>' for p, _ in axis.ticks()]
    one = axis.position(1.0)
    parts.append(f'<line class="one" x1="{one:.3f}%" x2="{one:.3f}%" y1="0" y2="100%"/>')
    # Not known is another thing than unbounded, and gets another sign.
    if all(math.isnan(v) for v in (*found.low, *found.high)):
        parts.append('<line class="unknown" x1="0%" x2="100%" y1="12" y2="12"/>')
        return _row(parts, title)
    parts.append(f'<rect class="span" x="{left:.3f}%" width="{max(right - left, 0.0):.3f}%" y="9" height="6"/>')
    parts.append(_end(found.low, axis, leftward=True))
    parts.append(_end(found.high, axis, leftward=False))
    return _row(parts, title)


def _row(parts: Sequence[str], title: str) -> str:
    """Return the parts of a bar as a picture."""
    return f'<svg class="range" role="img" aria-label="{escape(title)}" height="24">{"".join(parts)}</svg>'


def _end(enclosed: tuple[float, float], axis: LogAxis, *, leftward: bool) -> str:
    """Return an end of a bar: its enclosure as a box, or an arrow."""
    outer = enclosed[0] if leftward else enclosed[1]
    lowest, highest = 10.0**axis.first, 10.0**axis.last
    # An arrow says that it goes on: a box at the edge would claim an end there.
    if math.isnan(outer) or outer < lowest or outer > highest:
        at = "0%" if leftward or (outer < lowest) else "100%"
        path = "M9 4 L1 12 L9 20" if at == "0%" else "M-9 4 L-1 12 L-9 20"
        return f'<svg class="arrow" x="{at}" overflow="visible"><path d="{path}"/></svg>'
    first, last = axis.position(enclosed[0]), axis.position(enclosed[1])
    box = f'<rect class="box" x="{first:.3f}%" width="{max(last - first, 0.0):.3f}%" y="5" height="14"/>'
    mark = '<line class="tick" x1="{0:.3f}%" x2="{0:.3f}%" y1="4" y2="20"/>'
    return box + mark.format(first) + (mark.format(last) if last - first > 0.2 else "")


def axis_labels(axis: LogAxis) -> str:
    """The labels of a logarithmic axis, as wide as the bars above it."""
    labels = []
    for position, text in axis.ticks():
        # A label in the middle of an end would stick out of the picture.
        anchor = "start" if position < 3 else "end" if position > 97 else "middle"
        labels.append(f'<text x="{position:.3f}%" y="14" text-anchor="{anchor}">{text}</text>')
    return f'<svg class="axis" aria-hidden="true" height="18">{"".join(labels)}</svg>'


def curve(points: Sequence[Sequence[str]], *, variable: str, quantity: str, title: str) -> str:
    """A curve known by enclosures: `points` are (x, lower, upper) as texts; the band between them is filled,
    and a dashed line marks 1.

    Args:
        points: Texts of the ledger.
        variable: The name of the axis across.
        quantity: The name of the upright axis.
        title: The picture in words.

    Returns:
        An empty text with fewer than two points.
    """
    # What is infinite or unknown has no pixel.
    known = _finite_points(points)
    # One point is no curve, and has no scale.
    if len(known) < 2:
        return ""
    places, heights = [x for x, _, _ in known], [v for _, low, high in known for v in (low, high)]
    right, bottom = WIDTH - _RIGHT, HEIGHT - _BOTTOM
    # Both, since values that span decades may still be evenly spaced, and a logarithm would crowd them at one side.
    across = Scale(places, _LEFT, right, log=_spread(places) and _spaced_by_factors(places))
    frame = Frame(_LEFT, right, _TOP, bottom, across, Scale(heights, bottom, _TOP, log=_spread(heights)))
    upper = [frame.place(x, high) for x, _, high in known]
    lower = [frame.place(x, low) for x, low, _ in known]
    marks = "".join(_mark(*ends) for ends in zip(upper, lower, strict=True))
    names = frame.names(f"{variable}{across.note}", f"{quantity}{frame.up.note}", below=_BOTTOM - 6, at=14)
    return (
        f'<svg class="curve" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">'
        f"{frame.axes()}{frame.level(1.0)}{band(upper, lower)}{line(upper)}{line(lower)}{marks}{names}</svg>"
    )


def _mark(upper: Place, lower: Place) -> str:
    """The enclosure at one point, thick, so that an enclosure too thin to see still shows where it was computed."""
    return f'<line class="mark" x1="{lower[0]:.2f}" x2="{upper[0]:.2f}" y1="{lower[1]:.2f}" y2="{upper[1]:.2f}"/>'


def _finite_points(points: Sequence[Sequence[str]]) -> list[tuple[float, float, float]]:
    """Return the points whose three numbers are finite, in order."""
    parsed = [tuple(approximate(text) for text in point) for point in points if len(point) == 3]
    return sorted((p[0], p[1], p[2]) for p in parsed if all(math.isfinite(v) for v in p))


def _spread(values: Sequence[float]) -> bool:
    """Return whether positive values span so much that a logarithmic axis shows them better."""
    return min(values) > 0 and max(values) / min(values) > _LOG_FROM


def _spaced_by_factors(values: Sequence[float]) -> bool:
    """Return whether the median of positive values is nearer to the geometric mean of the ends than to their middle."""
    low, high = min(values), max(values)
    return statistics.median(values) < math.sqrt(math.sqrt(low * high) * (low + high) / 2)


_ICON_PATHS = {
    "proved": '<circle cx="8" cy="8" r="7.5" class="shape"/><path d="M4.5 8.3l2.4 2.5 4.7-5.3" class="stroke"/>',
    "certified": '<path d="M8 .3l7.2 7.7L8 15.7.8 8z" class="shape"/><path d="M5.2 8.2l2 2 3.6-4" class="stroke"/>',
    "supported": '<circle cx="8" cy="8" r="6.7" class="ring"/><path d="M8 1.3a6.7 6.7 0 0 1 0 13.4z" class="shape"/>',
    "undecided": '<circle cx="8" cy="8" r="6.7" class="ring dashed"/>'
    '<path d="M6 6.3a2 2 0 1 1 2.9 1.8c-.6.3-.9.7-.9 1.4M8 11.4v.6" class="ring"/>',
    "refuted": '<path d="M5 .5h6L15.500 5v6L11 15.500H5L.5 11V5z" class="shape"/>'
    '<path d="M5 5l6 6M11 5l-6 6" class="stroke"/>',
    "informal": '<rect x="1.300" y="3.300" width="13.400" height="9.400" rx="2" class="ring"/>'
    '<path d="M4.500 8h7" class="ring"/>',
}


def icon(verdict: str) -> str:
    """The sign of a verdict: six shapes that differ without colour."""
    return f'<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">{_ICON_PATHS[verdict]}</svg>'
