"""The axes of a figure: curves over iterations, last values over thresholds, or last values of many panels."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rgm_verify.experiments.run.records import MethodRecord, PanelRecord
from rgm_verify.experiments.show.drawn_points import seen
from rgm_verify.experiments.show.styles import Look, line_style, look
from rgm_verify.experiments.show.wording import Name, across, divergence, wrapped

_MARKS, _TITLE_CHARACTERS, _COLUMNS = 6, 38, 50  # of a curve, of a line, stripes that an eye tells apart
_UNSEEN = 0.003  # of the height of the axes: about a pixel
_ABOVE_START, _BELOW_NOISE = 1e3, 10.0  # what runs away, and what has no noise, may leave the picture
_LEAST_RANGE = 100.0  # two powers of ten are on every axis


def draw_panel(axis: Any, panel: PanelRecord, curves: Sequence[str]) -> None:
    """Draw a panel on matplotlib's axis, with a logarithmic scale upward.

    Args:
        axis: of matplotlib; it is changed.
        panel: of a record: curves over the iterations with their bands, or last values over thresholds.
        curves: all curves of the figure, whose places give their looks, so that one legend fits every panel.
    """
    axis.set_title(title_of(panel))
    axis.set_xlabel(across(panel))
    # A value that is not positive is left out: clipped to the edge it would look like a number.
    axis.set_yscale("log", nonpositive="mask")
    axis.yaxis.set_minor_formatter("")
    shown = [method for method in panel.methods if any(v > 0 for v in values(method.band.geometric_mean))]
    if not shown:
        axis.text(0.5, 0.5, "nothing to draw", transform=axis.transAxes, ha="center")
    elif panel.x == "threshold":
        _over_thresholds(axis, shown, curves)
        axis.set_ylim(*_limits(shown, ends_only=True))
    else:
        # Before the curves are drawn, since how many points an eye can tell apart depends on the range.
        low, high = _limits(shown, ends_only=False)
        tolerance = _UNSEEN * math.log10(high / low)
        for method in shown:
            _over_iterations(axis, method, curves.index(Name.of(method.method).curve), tolerance)
        axis.set_ylim(low, high)


def title_of(panel: PanelRecord) -> str:
    """The title of a panel in lines that fit above the axes; their number sets the space between rows of panels."""
    return wrapped([panel.title], _TITLE_CHARACTERS)


def _over_iterations(axis: Any, method: MethodRecord, place: int, tolerance: float) -> None:
    """Draw a method's curve over the iterations, with its band."""
    middle, lower, upper = _band(method)
    style = look(method.method, place)
    if lower != upper:
        x = sorted({i for edge in (lower, upper) for i in _seen(edge, tolerance)})
        edges = [[edge[i] for i in x] for edge in (lower, upper)]
        axis.fill_between(x, *edges, color=style.colour, alpha=0.18, linewidth=0)
    step = max(1, len(middle) // _MARKS)
    # Shifted from curve to curve, so that the marks of curves that coincide do not hide each other.
    marks = range(place * step // 9 % step, len(middle), step)
    x = sorted({*marks, *_seen(middle, tolerance)})
    axis.plot(x, [middle[i] for i in x], markevery=[x.index(mark) for mark in marks], **line_style(style))
    if divergence(method):
        _cross(axis, method.band.upper.index(None), 1, style, axis.get_xaxis_transform())


def _seen(curve: Sequence[float], tolerance: float) -> list[int]:
    return seen(curve, columns=_COLUMNS, tolerance=tolerance)


def _over_thresholds(axis: Any, methods: Sequence[MethodRecord], curves: Sequence[str]) -> None:
    """Draw the last values over the thresholds of a sweep."""
    axis.set_xscale("log")
    swept: dict[str, list[tuple[float, MethodRecord]]] = {}
    for method in methods:
        name = Name.of(method.method)
        swept.setdefault(name.curve, []).append((float(name.factor or "nan"), method))
    factors = sorted({factor for found in swept.values() for factor, _ in found if factor > 0})
    for curve, found in swept.items():
        if len(found) == 1:  # a method without a threshold is level
            found = [(factor, found[0][1]) for factor in factors]
        _last_values(axis, found, look(curve, curves.index(curve)))


def _last_values(axis: Any, found: Sequence[tuple[float, MethodRecord]], style: Look) -> None:
    """Draw the last values of one curve with their band."""
    x = [factor for factor, _ in found]
    middle, lower, upper = ([ends[-1] for ends in of] for of in zip(*(_band(m) for _, m in found), strict=True))
    if lower != upper:
        axis.fill_between(x, lower, upper, color=style.colour, alpha=0.18, linewidth=0)
    axis.plot(x, middle, **line_style(style))
    for factor, method in found:
        if divergence(method):
            _cross(axis, factor, 1, style, axis.get_xaxis_transform())


def _cross(axis: Any, x: float, y: float, style: Look, transform: Any) -> None:
    axis.plot([x], [y], color=style.colour, marker="x", markersize=8, markeredgewidth=2, clip_on=False,
              linestyle="none", transform=transform)  # fmt: skip


def draw_ends(axis: Any, panels: Sequence[PanelRecord], curves: Sequence[str]) -> None:
    """Draw the last value of each method, a row for each panel, from top to bottom.

    Args:
        axis: of matplotlib; it is changed.
        curves: all curves of the figure, as in `draw_panel`. The curve without noise is left out: its last values are
            so small that all others would be pressed together.
    """
    axis.set_xscale("log", nonpositive="mask")
    axis.set_xlabel("last value")
    axis.set_ylim(len(panels) - 0.5, -0.5)
    axis.set_yticks(range(len(panels)), [panel.name for panel in panels], fontsize=8)
    for place, curve in enumerate(curves):
        if curve != "none":
            found = [(end, row) for row, panel in enumerate(panels) for end in _ends_of(panel, curve)]
            style = line_style(look(curve, place)) | {"linestyle": "none"}
            axis.plot([end for end, _ in found], [row for _, row in found], **style)
        for row, panel in enumerate(panels):
            if any(divergence(method) for method in panel.methods if Name.of(method.method).curve == curve):
                _cross(axis, 1, row, look(curve, place), axis.get_yaxis_transform())


def _ends_of(panel: PanelRecord, curve: str) -> Iterator[float]:
    """Yield the last values of a curve in a panel."""
    for method in panel.methods:
        end = values(method.band.geometric_mean)[-1:]
        if Name.of(method.method).curve == curve and end and end[0] > 0:
            yield end[0]


def _limits(methods: Sequence[MethodRecord], *, ends_only: bool) -> tuple[float, float]:
    """Return the range from somewhat below the least value that noise leaves to somewhat above the curves' starts."""
    # Without noise a curve falls to the rounding errors, and a run that diverges rises to the end of the floats: with
    # these on the axis no difference between methods could be seen.
    noisy = [m for m in methods if Name.of(m.method).base != "none"] or list(methods)
    start = -1 if ends_only else 0
    least_of = [
        min(_positive(v for m in of for v in values(m.band.lower)[start:]), default=1.0) for of in (noisy, methods)
    ]
    greatest = max(_positive(v for m in methods for v in values(m.band.upper)[start:]), default=1.0)
    first = max(_positive(values(m.band.geometric_mean)[0] for m in methods), default=greatest)
    below = max(least_of[0] / _BELOW_NOISE, least_of[1] / 2)
    above = 2 * max(below, min(greatest, _ABOVE_START * first))
    return min(below, above / _LEAST_RANGE), above


def _positive(found: Iterable[float]) -> Iterator[float]:
    return (value for value in found if value > 0)


def _band(method: MethodRecord) -> tuple[list[float], list[float], list[float]]:
    return values(method.band.geometric_mean), values(method.band.lower), values(method.band.upper)


def values(curve: Sequence[float | None]) -> list[float]:
    """The curve with NaN where nothing is known, which matplotlib leaves out.

    Examples:
        >>> values([1.0, None])
        [1.0, nan]
    """
    return [math.nan if value is None else value for value in curve]
