"""Styles of curves: colour and marker show the method, dashes show the constants on which it rests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rgm_verify.experiments.show.wording import Name

# Colours of equal darkness would be one grey in print: markers and dashes say the same once more.
_KNOWN = {
    "none": ("#000000", ""),
    "clip": ("#0072b2", "o"),
    "clip-x": ("#0072b2", "o"),
    "clip-high": ("#b35900", "^"),
    "clip-low": ("#00765a", "v"),
    "rgm": ("#a0106b", "s"),
    "iterate": ("#1b6b3a", "P"),
    "dp": ("#0072b2", "o"),
    "dp-auto-s": ("#0072b2", "v"),
}
_OTHERS = (
    ("#56514c", "X"),
    ("#7a3e9d", "P"),
    ("#8a5700", "p"),
    ("#1b6b3a", "h"),
    ("#0b62a4", ">"),
    ("#9b2226", "d"),
    ("#a0106b", "s"),
)
_DASHES = {"": "solid", "printed": (0, (5, 2.5)), "vouched": "solid", "exact": (0, (1, 1.6))}


@dataclass(frozen=True)
class Look:
    """The look of a curve; no two of those that are drawn together are told apart by colour alone.

    Attributes:
        colour: as matplotlib reads it.
        marker: a letter of matplotlib's; "" for none.
        dashes: a line style of matplotlib's.
        filled: whether the marker is full; hollow otherwise.
    """

    colour: str
    marker: str
    dashes: Any
    filled: bool


def look(curve: str, place: int) -> Look:
    """The look of a curve; one that has none by its name gets that of its `place` among the curves.

    Printed constants are dashed with hollow markers, vouched ones solid with full markers, and what is calibrated
    exactly is dotted with diamonds.

    Args:
        curve: its name, as `Name.curve` or a method of a record has it.

    Examples:
        >>> look("rgm-exact", 0).marker, look("clip-printed", 1).filled
        ('D', False)
    """
    # By its name where it can be: a method looks alike in all figures, whatever else is drawn.
    name = Name.of(curve)
    colour, marker = _KNOWN.get(name.base) or _OTHERS[place % len(_OTHERS)]
    return Look(colour, "D" if name.basis == "exact" else marker, _DASHES[name.basis], name.basis != "printed")


def line_style(style: Look) -> dict[str, Any]:
    """The look as arguments of a matplotlib line."""
    return {
        "color": style.colour,
        "linestyle": style.dashes,
        "linewidth": 1.6,
        "marker": style.marker or None,
        "markersize": 5.5,
        "markeredgewidth": 1.2,
        "markerfacecolor": style.colour if style.filled else "white",
    }
