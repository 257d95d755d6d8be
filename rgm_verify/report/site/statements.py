"""The map: the statements of each source as graphs of what uses what, main results apart, and all together."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rgm_verify.claims.outcome.ledger import Ledger, natural_order
from rgm_verify.report import front, order
from rgm_verify.report.consequences import Consequences, Statement
from rgm_verify.report.pictures import graph
from rgm_verify.report.texts.readable import readable


@dataclass(frozen=True)
class SourceMap:
    """The map of one source.

    Attributes:
        title: The source.
        main: The graph of the theorems, corollaries, propositions and lemmas as an SVG, each with those that it uses,
            also through other statements; empty where none uses another.
        whole: The graph of all statements; empty where none uses another.
        alone: The statements that are in neither graph, each with what it is found to be.
    """

    title: str
    main: str
    whole: str
    alone: tuple[tuple[Statement, str], ...]


def maps(ledger: Ledger) -> list[SourceMap]:
    """The map of each source that has statements with a claim, in their order.

    Args:
        ledger: The ledger.
    """
    consequences = Consequences(ledger)
    sources = dict.fromkeys(e.source for e in consequences.entries.values())
    return [_map(ledger, consequences, source) for source in sources]


def _map(ledger: Ledger, consequences: Consequences, source: str) -> SourceMap:
    """Return the map of one source."""
    title = source or ledger.title
    here = [e for e in consequences.entries.values() if e.source == source]
    joined = _joined(consequences, [e.id for e in here])
    every = _nodes(consequences, joined, direct=True)
    main = {s.entry.id for s in consequences.main_results()}
    results = {name: ids for name, ids in joined.items() if main & set(ids)}
    used = {name for node in every for name in (*node.uses, *([node.id] if node.uses else ()))}
    alone = sorted((ids[0] for name, ids in joined.items() if name not in used), key=natural_order)
    named = f"What uses what in {readable(title)}"
    return SourceMap(
        title,
        graph.graph(_nodes(consequences, results, direct=False), title=f"{named}: main results", width=220),
        graph.graph(every, title=f"{named}: all statements"),
        tuple((consequences.of(i), _found(consequences, i)) for i in alone),
    )


def _joined(consequences: Consequences, ids: Sequence[str]) -> dict[str, list[str]]:
    """Return the statements by node: those with one claim and one verdict, such as the parts of a theorem, are one."""
    joined: dict[str, list[str]] = {}
    for i in ids:
        joined.setdefault(f"{consequences.of(i).face.id} {_found(consequences, i)}", []).append(i)
    return joined


def _nodes(consequences: Consequences, joined: dict[str, list[str]], *, direct: bool) -> list[graph.Node]:
    """Return the nodes of statements.

    Args:
        consequences: Of the ledger.
        joined: The statements of each node.
        direct: Whether a node uses what its statements use directly, or also what they use through others.
    """
    of = {i: name for name, ids in joined.items() for i in ids}
    nodes = []
    for name, ids in joined.items():
        below = _used(consequences, ids, direct=direct) - set(ids)
        uses = sorted({of[i] for i in below if i in of} - {name})
        face = consequences.of(ids[0]).face
        link = f"claim/{order.slug(face.id)}.html"
        nodes.append(graph.Node(name, readable(face.title), _found(consequences, ids[0]), link, tuple(uses)))
    return nodes


def _used(consequences: Consequences, ids: Collection[str], *, direct: bool) -> set[str]:
    """Return the statements that some use, directly or at any distance."""
    found = {o for i in ids for o in consequences.entries[i].leans_on}
    waiting = [] if direct else sorted(found)
    while waiting:
        entry = consequences.entries.get(waiting.pop())
        fresh = set(entry.leans_on) - found if entry is not None else set()
        found |= fresh
        waiting += sorted(fresh)
    return found


def _found(consequences: Consequences, identifier: str) -> str:
    """Return what a statement is found to be, as the first page says it."""
    return front.what(consequences, identifier, consequences.entries[identifier].verdict)
