"""Values of a certificate's fields, read strictly: exact numbers, whole numbers, and the names that an object may have.

A file may come from anybody, so that every size is bounded before it is used.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rgm_verify.recheck.refusal import Refused

_MOST_CHARACTERS = 700
_MOST_EXPONENT = 400
_NUMBER = re.compile(r"-?[0-9]+(/[0-9]+|(\.[0-9]+)?([eE][+-]?[0-9]{1,4})?)")


def number(text: Any, name: str) -> Fraction:
    """Return an exact number written as a text; what would fill the memory is refused before it is read.

    "1e-6" is the fraction 1/1000000. At most `_MOST_CHARACTERS` characters and an exponent of `_MOST_EXPONENT` are
    read.
    """
    if not isinstance(text, str) or len(text) > _MOST_CHARACTERS or not _NUMBER.fullmatch(text):
        raise Refused(f'{name} {short(text)}: a number as a text is expected, such as "1/100" or "1e-6"')
    # Before `Fraction` sees it: 1e9999 has ten thousand digits.
    exponent = re.search(r"[eE]([+-]?[0-9]+)$", text)
    if exponent and abs(int(exponent[1])) > _MOST_EXPONENT:
        raise Refused(f"{name} {short(text)}: an exponent is at most {_MOST_EXPONENT}")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise Refused(f"{name} {short(text)}: the denominator is 0") from None


def whole(value: Any, name: str, least: int, most: int) -> int:
    """Return an integer from `least` to `most`; a truth value is none, and neither is 1.0."""
    # Not `isinstance`: True is an `int` for Python.
    if type(value) is not int or not least <= value <= most:
        raise Refused(f"{name} {short(value)}: a whole number from {least} to {most} is expected")
    return value


def only(data: Mapping[str, Any], fields: tuple[str, ...], where: str) -> None:
    """Refuse an object that lacks one of the `fields`, or has another one."""
    missing, foreign = [name for name in fields if name not in data], [name for name in data if name not in fields]
    if missing:
        raise Refused(f"{where} has no field {missing[0]!r}")
    if foreign:
        raise Refused(f"{where} has a field that is not known: {short(foreign[0])}")


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the fields of a JSON object; `ValueError` where one is given twice.

    Readers differ in which of the two counts, and a file must say the same to all of them.
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a field is given twice")
    return found


def short(value: object) -> str:
    """Return a value for a message, cut at 80 characters: it is text from somebody else's file."""
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 80 else text[:80] + "..."
