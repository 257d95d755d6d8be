"""Several curves in one picture, as SVG text: bands between enclosures, told apart by dashes and signs, not by colour.

The same numbers give the same bytes. `figure` is for a page with the report's style sheet, `document` a file by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from rgm_verify.errors import InputError
from rgm_verify.pictures.frame import Frame, Place, band, line
from rgm_verify.pictures.scales import Scale

WIDTH, _LEFT, _RIGHT, _BOTTOM, _PLOT = 820, 92, 24, 46, 330
_HEAD, _LINE, _ROW = 26, 17, 21
_COLOURS = 6
_DASHES = ("", "9 5", "2.5 4", "12 4 2.5 4", "5 2.5", "16 6", "1.5 2.5 7 2.5")
_SIGNS = (
    "",
    "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z",
    "M-3.2-3.2h6.4v6.4h-6.4z",
    "M0-4.2L4 3H-4z",
    "M0-4.5L4.5 0L0 4.5L-4.5 0z",
    "M-3.5-3.5L3.5 3.5M3.5-3.5L-3.5 3.5",
    "M0 4.2L4-3H-4z",
)
_SIGNS_ON_A_CURVE = 6
_LARGEST, _SMALLEST = 1e300, 1e-300  # beyond them differences and ticks leave the range of floats
_STYLE = """
.curves { --paper: #fdfdfb; --ink: #1d1f21; --quiet: #5c6166; --rule: #e3e3dd;
  font: 13px system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif }
.s0 { --c: #1d1f21 } .s1 { --c: #0b62a4 } .s2 { --c: #b3121d }
.s3 { --c: #1b6b3a } .s4 { --c: #8a5700 } .s5 { --c: #7a3e9d }
.paper { fill: var(--paper) } text { fill: var(--ink) } .title { font-size: 15px; font-weight: 600 }
.note, .tick { fill: var(--quiet) } .tick { font-size: 12px }
.grid { stroke: var(--rule) } .axes { fill: none; stroke: var(--quiet) }
.line { fill: none; stroke: var(--c); stroke-width: 1.8; stroke-linejoin: round }
.labelled { font-size: 15px } .labelled .tick { font-size: 14px }
.label { fill: var(--c); font-weight: 600 } .labelled .line { stroke-width: 2.6 }
.band { fill: var(--c); fill-opacity: .22 } .mark { fill: var(--paper); stroke: var(--c); stroke-width: 1.4 }
@media (prefers-color-scheme: dark) {
  .curves { --paper: #16181b; --ink: #e6e5e1; --quiet: #a2a7ad; --rule: #353a40 }
  .s0 { --c: #f2f1ed } .s1 { --c: #8fbcf2 } .s2 { --c: #ff7b78 }
  .s3 { --c: #6cc48a } .s4 { --c: #e2ac4e } .s5 { --c: #cda4ec }
}
"""

Point = tuple[float, float, float]


@dataclass(frozen=True)
class Curve:
    """A named curve: points (x, lower, upper); the band between the two is filled, a point is lower == upper.

    Points that are not finite, beyond 1e300, or on a logarithmic axis not above 1e-300 break the line there.

    Attributes:
        name: The name in the legend.
        points: Points in any order.
    """

    name: str
    points: Sequence[Point]


class Picture(str):
    """The text of an SVG file, which notebooks show as the picture that it is."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def style() -> str:
    """The style sheet of a picture that is a file by itself, for light and dark grounds."""
    return _STYLE


def figure(curves: Sequence[Curve], *, x: str, y: str, title: str, log_x: bool = False, log_y: bool = False) -> str:
    """The picture as an SVG element for a page that has the report's style sheet; empty without two points to draw.

    Args:
        x: The name of the axis across.
        y: The name of the upright axis.
        title: The picture in words, for readers who do not see it.
        log_x: Whether the axis across is logarithmic.
        log_y: Whether the upright axis is logarithmic.
    """
    return _draw(curves, x, y, title, log_x=log_x, log_y=log_y)


def document(
    curves: Sequence[Curve],
    *,
    x: str,
    y: str,
    title: str,
    notes: Sequence[str] = (),
    log_x: bool = False,
    log_y: bool = False,
) -> Picture:
    """The picture as an SVG file that needs nothing else, readable on light and dark grounds and in black and white.

    `title` and `notes` stand above the curves. Raises `InputError` when there is nothing to draw.

    Args:
        x: The name of the axis across.
        y: The name of the upright axis.
        title: The heading.
        notes: Lines below the heading.
        log_x: Whether the axis across is logarithmic.
        log_y: Whether the upright axis is logarithmic.
    """
    drawn = _draw(curves, x, y, title, log_x=log_x, log_y=log_y, notes=notes)
    # A file that was asked for is never empty; a figure on a page may be missing.
    if not drawn:
        raise InputError(f"title={title!r}: no curve has two points that can be drawn; there is nothing to see")
    return Picture(drawn + "\n")


def _draw(
    curves: Sequence[Curve],
    x: str,
    y: str,
    title: str,
    *,
    log_x: bool,
    log_y: bool,
    notes: Sequence[str] | None = None,
) -> str:
    """The picture; with a heading and a style of its own unless `notes` is None.

    Both axes are as long as all points that are drawn need; the legend below grows with the number of curves. Empty
    where no curve has two points in a row that can be drawn.
    """
    runs = [list(_runs(curve, log_x=log_x, log_y=log_y)) for curve in curves]
    # A single point has no line, and must not stretch the axes for those that have.
    points = [point for parts in runs for part in parts if len(part) > 1 for point in part]
    if not points:
        return ""
    top = 14 if notes is None else _HEAD + 12 + _LINE * len(notes)
    bottom = top + _PLOT
    right = WIDTH - _RIGHT
    across = Scale([p[0] for p in points], _LEFT, right, log=log_x)
    frame = Frame(_LEFT, right, top, bottom, across, Scale([v for p in points for v in p[1:]], bottom, top, log=log_y))
    height = bottom + _BOTTOM + 10 + _ROW * len(curves)
    parts = [frame.axes(), frame.names(x, y)]
    parts += [_one(number, run, frame) for number, run in enumerate(runs)]
    parts += [_legend(number, curve.name, bottom + _BOTTOM + 14 + _ROW * number) for number, curve in enumerate(curves)]
    return (
        f'<svg {_size(height) if notes is not None else ""}class="curves" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="{escape(title)}">{_heading(title, notes)}{"".join(parts)}</svg>'
    )


def _size(height: int) -> str:
    """Return the attributes that a file by itself needs."""
    return f'xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '


def _heading(title: str, notes: Sequence[str] | None) -> str:
    """Return style, ground, heading and notes of a file by itself."""
    if notes is None:
        return ""
    lines = [f'<text class="title" x="16" y="{_HEAD}">{escape(title)}</text>']
    for number, note in enumerate(notes, start=1):
        lines.append(f'<text class="note" x="16" y="{_HEAD + _LINE * number + 1}">{escape(note)}</text>')
    # The style travels inside of the file, with both grounds: a picture by itself has no page around it.
    return f'<style>{_STYLE}</style><rect class="paper" width="100%" height="100%"/>{"".join(lines)}'


def _runs(curve: Curve, *, log_x: bool, log_y: bool) -> Iterator[list[Point]]:
    """The stretches of the curve that can be drawn, in order of x.

    Examples:
        >>> gap = Curve("with a gap", [(1.0, 1.0, 1.0), (2.0, float("nan"), 1.0), (3.0, 1.0, 2.0)])
        >>> list(_runs(gap, log_x=False, log_y=False))
        [[(1.0, 1.0, 1.0)], [(3.0, 1.0, 2.0)]]
    """
    run: list[Point] = []
    for point in sorted(curve.points):
        x, low, high = point
        fits = (x > _SMALLEST or not log_x) and (min(low, high) > _SMALLEST or not log_y)
        # A line across a place that cannot be drawn would show values that nobody has computed.
        if fits and all(abs(value) < _LARGEST for value in point):
            run.append(point)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _one(number: int, runs: Sequence[Sequence[Point]], frame: Frame) -> str:
    """A curve: the band between its ends, the upper ends as a line, and a few signs."""
    parts = []
    for run in runs:
        upper = [frame.place(x, high) for x, _, high in run]
        lower = [frame.place(x, low) for x, low, _ in run]
        # A band without height would only blur the line.
        if upper != lower:
            parts.append(band(upper, lower))
        # One line for each curve: lines at both ends of a band would look like two curves.
        parts.append(line(upper, _dash(number)))
        parts += [_sign(number, *place) for place in _spread_out(upper, number)]
    return f'<g class="s{number % _COLOURS}">{"".join(parts)}</g>'


def _spread_out(places: Sequence[Place], number: int) -> Sequence[Place]:
    """A few of the places, other ones for each curve, so that the signs of curves that coincide do not.

    Args:
        places: The pixels of a curve.
        number: The number of the curve in the picture, from 0.
    """
    step = max(1, len(places) // _SIGNS_ON_A_CURVE)
    return places[number * step // len(_SIGNS) % step :: step]


def _legend(number: int, name: str, y: int) -> str:
    """Return the line of a curve in the legend."""
    return (
        f'<g class="s{number % _COLOURS}"><path class="line"{_dash(number)} d="M{_LEFT} {y - 4} h56"/>'
        f'{_sign(number, _LEFT + 28, y - 4)}<text x="{_LEFT + 68}" y="{y}">{escape(name)}</text></g>'
    )


def _dash(number: int) -> str:
    """Return the attribute of a curve's dashes."""
    pattern = _DASHES[number % len(_DASHES)]
    return f' stroke-dasharray="{pattern}"' if pattern else ""


def _sign(number: int, a: float, b: float) -> str:
    """A small sign; dash and sign together are different for as many curves as there are pairs of them.

    The first curve has neither.
    """
    shape = _SIGNS[(number + number // len(_DASHES)) % len(_SIGNS)]
    return f'<path class="mark" transform="translate({a:.2f} {b:.2f})" d="{shape}"/>' if shape else ""
