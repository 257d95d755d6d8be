"""JSON in lines: what is short has one line, so that a file is small and a change of one value is a short diff."""

from __future__ import annotations

from typing import Any

import msgspec

#: A value whose JSON is no longer than this stands on one line, with what stands before it.
WIDTH = 160


def in_lines(document: Any) -> bytes:
    """Return JSON of a document (data, or a struct): an object at the top with a line or more for each field.

    The fields of structs stand in their order and the keys of dictionaries are sorted, so that the same document gives
    the same bytes; read again it is the same document. Numbers in data have to be those that JSON has.
    """
    # Sorted keys: dictionaries that were filled in another order are the same document.
    data = msgspec.to_builtins(document, order="deterministic")
    return b"".join([*_broken(data, b""), b"\n"])


def _lines(value: Any, margin: bytes) -> list[bytes]:
    """The pieces of a value that starts after `margin` and whatever stands on its line."""
    short = msgspec.json.encode(value)
    if len(short) <= WIDTH or not isinstance(value, dict | list):
        return [short]
    return _broken(value, margin)


def _broken(value: dict[str, Any] | list[Any], margin: bytes) -> list[bytes]:
    """The pieces of an object or a list with an item on each line; a long item is broken up in the same way."""
    within, pieces = margin + b" ", []
    items = list(value.items()) if isinstance(value, dict) else [(None, item) for item in value]
    for number, (name, item) in enumerate(items):
        head = b"" if name is None else msgspec.json.encode(name) + b": "
        pieces += [b",\n" if number else b"\n", within, head, *_lines(item, within)]
    left, right = (b"{", b"}") if isinstance(value, dict) else (b"[", b"]")
    return [left, *pieces, b"\n", margin, right]
