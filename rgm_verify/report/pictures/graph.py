"""A graph in layers as an SVG: what is used stands left of what uses it.

Each node is a link with a sign, so that a reader needs neither colours nor scripts. The same graph gives the same
bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

#: The sign and the class of a node by what it is found to be, keys of `rgm_verify.report.front.FOUND`.
SIGNS = {
    "right": ("✓", "proved"),
    "reproduced": ("✓", "supported"),
    "misprinted": ("≈", "undecided"),
    "not reproduced": ("≠", "refuted"),
    "wrong": ("✕", "refuted"),
    "open": ("?", "supported"),
    "not measured": ("○", "informal"),
    "not mathematical": ("–", "informal"),
}
_HEIGHT, _APART, _BETWEEN, _MARGIN = 24, 8, 48, 6
_PER_LETTER = 6.3
_SWEEPS = 12


@dataclass(frozen=True)
class Node:
    """A node of the picture.

    Attributes:
        id: Unique in the picture.
        label: Its words, cut where they do not fit; whole as a tip.
        found: What it is found to be, a key of `SIGNS`.
        link: The address that it leads to.
        uses: Ids of the nodes that it uses; others are left out.
    """

    id: str
    label: str
    found: str
    link: str
    uses: tuple[str, ...] = ()


def layers(uses: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """The nodes in layers, each right of all that it uses and as near as it can be to what uses it.

    Args:
        uses: The ids that each id uses, without circles and without ids that are no keys.

    Examples:
        >>> layers({"theorem": ["lemma", "definition"], "lemma": ["definition"], "definition": [], "remark": ["lemma"]})
        [['definition'], ['lemma'], ['theorem', 'remark']]
    """
    ordered = _used_first(uses)
    users = _turned(uses)
    level: dict[str, int] = {}
    for node in ordered:
        level[node] = 1 + max((level[other] for other in uses[node]), default=-1)
    for node in reversed(ordered):
        if users[node]:
            level[node] = min(level[user] for user in users[node]) - 1
    found: list[list[str]] = [[] for _ in range(1 + max(level.values(), default=-1))]
    for node in uses:
        found[level[node]].append(node)
    return found


def reduced(uses: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """The same order with the fewest lines: what is used through another node has no line of its own.

    A line that would close a circle is left out, and so is one to an id that is no key.

    Args:
        uses: The ids that each id uses.

    Examples:
        >>> reduced({"a": ["b", "c"], "b": ["c"], "c": ["a", "elsewhere"]})
        {'a': ['b'], 'b': ['c'], 'c': []}
    """
    known = _without_circles(uses)
    below: dict[str, set[str]] = {}
    for node in _used_first(known):
        below[node] = {node}.union(*(below[other] for other in known[node]))
    return {
        node: [o for o in others if not any(o in below[p] for p in others if p != o)] for node, others in known.items()
    }


def graph(nodes: Sequence[Node], *, title: str, width: int = 190) -> str:
    """The graph of the nodes as an SVG of its natural size; empty where no node uses another.

    Args:
        nodes: The nodes. Those that use nothing and are not used are left out.
        title: The picture in words.
        width: The width of a node.
    """
    uses = reduced({node.id: node.uses for node in nodes})
    users = _turned(uses)
    known = {node.id: node for node in nodes if uses[node.id] or users[node.id]}
    if not known:
        return ""
    linked = {name: uses[name] for name in known}
    columns = layers(linked)
    heights = _heights(columns, linked)
    left = {name: _MARGIN + k * (width + _BETWEEN) for k, column in enumerate(columns) for name in column}
    whole = (len(columns) * (width + _BETWEEN) - _BETWEEN + 2 * _MARGIN, max(heights.values()) + _HEIGHT + 2 * _MARGIN)
    lines = [
        _line(left[other] + width, heights[other], left[name], heights[name], known[other].found)
        for name in known
        for other in linked[name]
    ]
    boxes = [_box(node, left[name], heights[name] + _MARGIN, width) for name, node in known.items()]
    return (
        f'<svg class="graph" role="group" aria-label="{escape(title)}" width="{whole[0]}" height="{whole[1]}" '
        f'viewBox="0 0 {whole[0]} {whole[1]}">{"".join(lines)}{"".join(boxes)}</svg>'
    )


def _line(x: int, y: int, to_x: int, to_y: int, found: str) -> str:
    """Return a line from the right side of what is used to the left side of what uses it."""
    top = _MARGIN + _HEIGHT // 2
    bend = (to_x - x) // 2
    points = f"M{x} {y + top}C{x + bend} {y + top} {to_x - bend} {to_y + top} {to_x} {to_y + top}"
    return f'<path class="use{" of-wrong" if found == "wrong" else ""}" d="{points}"/>'


def _box(node: Node, x: int, y: int, width: int) -> str:
    """Return a node as a link."""
    sign, colour = SIGNS[node.found]
    room = int((width - 30) / _PER_LETTER)
    label = node.label if len(node.label) <= room else node.label[: room - 1].rstrip(" ,.(") + "…"
    return (
        f'<a class="node {colour}" href="{escape(node.link)}"><title>{escape(node.label)}: {node.found}</title>'
        f'<rect x="{x}" y="{y}" width="{width}" height="{_HEIGHT}" rx="4"/>'
        f'<text class="sign" x="{x + 12}" y="{y + 16}" text-anchor="middle">{sign}</text>'
        f'<text x="{x + 23}" y="{y + 16}">{escape(label)}</text></a>'
    )


def _heights(columns: list[list[str]], uses: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Return the upper edge of each node: near the middle of its neighbours, and no two nodes of a layer too close."""
    users = _turned(uses)
    step = _HEIGHT + _APART
    height = {name: float(step * k) for column in columns for k, name in enumerate(column)}
    for sweep in range(_SWEEPS):
        for column in columns if sweep % 2 == 0 else reversed(columns):
            wanted = {}
            for name in column:
                # What lies behind has been placed in this sweep; in the end both sides count.
                near = uses[name] if sweep % 2 == 0 else users[name]
                near = near if near and sweep < _SWEEPS - 2 else [*uses[name], *users[name]]
                wanted[name] = sum(height[other] for other in near) / len(near)
            column.sort(key=lambda name: wanted[name])
            down = [wanted[name] for name in column]
            up = list(down)
            for k, (above, below) in enumerate(pairwise(range(len(column)))):
                down[below] = max(down[below], down[above] + step)
                last = len(column) - 1 - k
                up[last - 1] = min(up[last - 1], up[last] - step)
            # Both keep the distances, and so does their mean, which lies where the nodes want to be.
            height |= {name: (a + b) / 2 for name, a, b in zip(column, down, up, strict=True)}
    top = min(height.values())
    return {name: round(value - top) for name, value in height.items()}


def _turned(uses: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Return what uses each node."""
    users: dict[str, list[str]] = {node: [] for node in uses}
    for node, others in uses.items():
        for other in others:
            users[other].append(node)
    return users


def _used_first(uses: Mapping[str, Iterable[str]]) -> list[str]:
    """Return the nodes of a graph without circles, each after all that it uses."""
    return list(_visited(uses)[0])


def _without_circles(uses: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Return the graph without the lines that close a circle, and without those that lead elsewhere."""
    closing = _visited(uses)[1]
    return {
        node: [o for o in dict.fromkeys(others) if o in uses and (node, o) not in closing]
        for node, others in uses.items()
    }


def _visited(uses: Mapping[str, Iterable[str]]) -> tuple[dict[str, None], set[tuple[str, str]]]:
    """Return the nodes in the order in which a depth-first search leaves them, and the lines that close a circle."""
    left: dict[str, None] = {}
    closing: set[tuple[str, str]] = set()
    for start in uses:
        if start in left:
            continue
        way = {start: iter(uses[start])}
        while way:
            node, rest = next(reversed(way.items()))
            other = next(rest, None)
            if other is None:
                left[node] = None
                del way[node]
            elif other in way:
                closing.add((node, other))
            elif other in uses and other not in left:
                way[other] = iter(uses[other])
    return left, closing
