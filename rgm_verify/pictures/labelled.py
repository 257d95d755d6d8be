"""A picture for the first page: a few smooth curves, each with its name at its end, as SVG text.

No legend is needed and nothing is told by colour alone. What lies above the first curve's highest point is left out,
so that a curve that leaves the picture does not press the others together.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from rgm_verify.pictures.curves import Curve, Point, style
from rgm_verify.pictures.frame import Frame, Place, line
from rgm_verify.pictures.scales import Scale

WIDTH, HEIGHT = 640, 372
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 178, 16, 52
#: Pixels between the names of two curves.
_BETWEEN = 19
_COLOURS = ("s0", "s3", "s2", "s1", "s4", "s5")
_DASHES = ("", "10 5", "2.5 4", "12 4 2.5 4", "5 2.5", "1.5 2.5")


def figure(curves: Sequence[Curve], *, x: str, y: str, title: str) -> str:
    """The picture as an SVG element for a page that has the report's style sheet; empty without two points to draw.

    The first curve is drawn whole; the others end where they are above all of it.

    Args:
        curves: Curves with enclosures so narrow that no eye can tell their ends apart: the upper ends are drawn.
        x: The name of the axis across.
        y: The name of the upright axis.
        title: The picture in words, for readers who do not see it.
    """
    return _draw(curves, x, y, title, size="", head="")


def document(curves: Sequence[Curve], *, x: str, y: str, title: str) -> str:
    """The picture as an SVG file that needs nothing else; for the arguments see `figure`."""
    size = f'xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
    head = f'<style>{style()}</style><rect class="paper" width="100%" height="100%"/>'
    return _draw(curves, x, y, title, size=size, head=head) + "\n"


def _draw(curves: Sequence[Curve], x: str, y: str, title: str, *, size: str, head: str) -> str:
    """Return the picture with what a file by itself needs besides."""
    highest = max((high for _, _, high in curves[0].points), default=0.0) if curves else 0.0
    shown = [[p for p in sorted(curve.points) if p[2] <= highest] for curve in curves]
    if not any(len(points) > 1 for points in shown):
        return ""
    drawn = [(curve.name, points) for curve, points in zip(curves, shown, strict=True) if points]
    heights = [0.0, *(high for _, points in drawn for _, _, high in points)]
    across = Scale([p[0] for _, points in drawn for p in points], _LEFT, WIDTH - _RIGHT, log=False)
    bottom = HEIGHT - _BOTTOM
    frame = Frame(_LEFT, WIDTH - _RIGHT, _TOP, bottom, across, Scale(heights, bottom, _TOP, log=False))
    ends = [frame.place(points[-1][0], points[-1][2]) for _, points in drawn]
    parts = [frame.axes(), frame.names(x, y, below=42, at=18)]
    for number, ((name, points), (right, _), height) in enumerate(
        zip(drawn, ends, _apart([y for _, y in ends]), strict=True)
    ):
        parts.append(_curve(number, name, points, (right, height), frame))
    return (
        f'<svg {size}class="curves labelled" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(title)}">{head}{"".join(parts)}</svg>'
    )


def _curve(number: int, name: str, points: Sequence[Point], beside: Place, frame: Frame) -> str:
    """A curve as a line, with its name beside its end."""
    dash = f' stroke-dasharray="{_DASHES[number % len(_DASHES)]}"' if _DASHES[number % len(_DASHES)] else ""
    drawn = line([frame.place(x, high) for x, _, high in points], dash)
    # A curve that ends inside of the picture has its name at its left, where it came from below.
    inside = beside[0] < frame.right - 1
    x, anchor = (beside[0] - 8, "end") if inside else (beside[0] + 8, "start")
    return (
        f'<g class="{_COLOURS[number % len(_COLOURS)]}">{drawn}'
        f'<text class="label" x="{x:.2f}" y="{beside[1] + 5:.2f}" text-anchor="{anchor}">{escape(name)}</text></g>'
    )


def _apart(heights: Sequence[float]) -> list[float]:
    """Heights of names that do not cover each other, in the order given: the lower ones are moved down.

    Examples:
        >>> _apart([100.0, 20.0, 25.0])
        [100.0, 20.0, 39.0]
    """
    moved = list(heights)
    free = float("-inf")
    for place in sorted(range(len(moved)), key=lambda i: heights[i]):
        moved[place] = max(moved[place], free)
        free = moved[place] + _BETWEEN
    return moved
