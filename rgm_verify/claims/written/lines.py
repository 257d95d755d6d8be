"""JSON with an item a line: a field of the document, or an item of a field that is a list, has a line of its own.

A claim that changes changes one line, so that a difference names the claims that changed and nothing else.
"""

from __future__ import annotations

from typing import Any

import msgspec


def in_lines(document: Any) -> bytes:
    """Return JSON of a document that is an object at the top; the same document gives the same bytes."""
    # Sorted keys: dictionaries that were filled in another order are the same document.
    data = msgspec.to_builtins(document, order="deterministic")
    encode = msgspec.json.encode
    fields = []
    for name, value in data.items():
        items = b",\n  ".join(map(encode, value)) if isinstance(value, list) else b""
        fields.append(encode(name) + b": " + (b"[\n  " + items + b"\n ]" if items else encode(value)))
    return b"{\n " + b",\n ".join(fields) + b"\n}\n"
