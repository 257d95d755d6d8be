"""Numbers of things in words: one thing is in the singular."""

from __future__ import annotations

__all__ = ["counted"]


def counted(number: int, thing: str, things: str = "") -> str:
    """Return a number with what it counts.

    Args:
        number: How many.
        thing: The word for one; more words may follow.
        things: The words for several or none; without it, `thing` with an s.

    Examples:
        >>> counted(1, "step"), counted(1439, "claim"), counted(0, "box", "boxes")
        ('1 step', '1439 claims', '0 boxes')
    """
    return f"{number} {thing if number == 1 else things or f'{thing}s'}"
