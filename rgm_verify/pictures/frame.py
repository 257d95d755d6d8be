"""The frame of a picture in SVG: axes with ticks and names around a rectangle, and lines and bands inside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from rgm_verify.pictures.scales import Scale

#: Pixels: right of the picture's left edge and down from its top, as SVG counts.
Place = tuple[float, float]


@dataclass(frozen=True)
class Frame:
    """The rectangle that a picture draws in, in pixels, with a scale along each side.

    The scales map into the rectangle: `across` from `left` to `right`, `up` from `bottom` to `top`. Coordinates have
    two decimals, so that the same numbers give the same bytes on every processor.

    Attributes:
        left: The left edge in pixels.
        right: The right edge.
        top: The upper edge.
        bottom: The lower edge.
        across: The scale along the lower edge.
        up: The scale along the left edge.
    """

    left: float
    right: float
    top: float
    bottom: float
    across: Scale
    up: Scale

    def place(self, x: float, y: float) -> Place:
        """The pixel of a point."""
        return self.across.at(x), self.up.at(y)

    def axes(self) -> str:
        """Ticks with grid lines, and the axes over them."""
        parts = []
        for place, label in self.across.ticks():
            parts.append(f'<line class="grid" x1="{place:.2f}" x2="{place:.2f}" y1="{self.top}" y2="{self.bottom}"/>')
            parts.append(
                f'<text class="tick" x="{place:.2f}" y="{self.bottom + 17}" text-anchor="middle">{label}</text>'
            )
        for place, label in self.up.ticks():
            parts.append(f'<line class="grid" x1="{self.left}" x2="{self.right}" y1="{place:.2f}" y2="{place:.2f}"/>')
            parts.append(f'<text class="tick" x="{self.left - 8}" y="{place + 4:.2f}" text-anchor="end">{label}</text>')
        # Last, because a grid line at the end of an axis would cover it.
        return "".join(parts) + f'<path class="axes" d="M{self.left} {self.top} V{self.bottom} H{self.right}"/>'

    def names(self, x: str, y: str, *, below: float = 38, at: float = 22) -> str:
        """The names of the axes: `below` pixels under the rectangle, and upright, `at` pixels from the left edge."""
        centre, middle = (self.left + self.right) / 2, (self.top + self.bottom) / 2
        return (
            f'<text class="name" x="{centre:g}" y="{self.bottom + below:g}" text-anchor="middle">{escape(x)}</text>'
            f'<text class="name" transform="translate({at:g} {middle:g}) rotate(-90)" text-anchor="middle">'
            f"{escape(y)}</text>"
        )

    def level(self, value: float) -> str:
        """A line across the rectangle at a value; empty where the value is outside.

        Outside of the range a line would lie over the axis or beside the picture.
        """
        if not self.up.shows(value):
            return ""
        y = f"{self.up.at(value):.2f}"
        return f'<line class="one" x1="{self.left}" x2="{self.right}" y1="{y}" y2="{y}"/>'


def band(upper: Sequence[Place], lower: Sequence[Place]) -> str:
    """Fill what lies between two curves: out along the upper one and back along the lower one."""
    # Back along the lower one: a polygon closes itself, and the two curves need not have points at the same places.
    return f'<polygon class="band" points="{path([*upper, *reversed(lower)])}"/>'


def line(places: Sequence[Place], style: str = "") -> str:
    """A curve through places; `style` is further attributes, with a space before them."""
    return f'<polyline class="line"{style} points="{path(places)}"/>'


def path(places: Sequence[Place]) -> str:
    """Places as SVG writes them, with two decimals.

    Examples:
        >>> path([(1, 2), (3.14159, 0)])
        '1.00,2.00 3.14,0.00'
    """
    return " ".join(f"{a:.2f},{b:.2f}" for a, b in places)
