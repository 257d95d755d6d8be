"""Fields of claims, chapters and lenses against their annotations: what is wrong is said by the field's name.

Python does not look at annotations. A text where a symbol belongs would be found much later, by something that knows
neither the claim nor the field.

The look is at kinds alone, and at characters that no page can show; whether values make sense together is the business
of each class.
"""

from __future__ import annotations

import dataclasses
import re
import types
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

import sympy

from rgm_verify.claims.formula import is_formula

_LONGEST = 80
#: Controls (but for tabs and line ends), halves of characters, and marks that turn the direction of the text around.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u202a-\u202e\u2066-\u2069]")
_WORDS: dict[Any, str] = {
    str: "a text in quotes",
    int: "an integer",
    bool: "True or False",
    float: "a number",
    Fraction: "an int or a Fraction",
    Path: "a Path",
    sympy.Expr: "an expression of SymPy's or an exact number",
    sympy.Symbol: "a symbol, such as positive('x').symbol",
    sympy.Rational: "a sympy.Rational",
    type(None): "None",
}


def wrong_fields(record: Any, *, without: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield what is wrong with the fields of a dataclass, and of those in them: `field=value: expected ...`.

    An `int` or a `Fraction` stands for an expression, an `int` for a `Fraction`; a `bool` is no number.

    Yields:
        A sentence for each fault; nothing where all is well.

    Examples:
        >>> from rgm_verify.claims.claim import Variable
        >>> x = sympy.Symbol("x", real=True)
        >>> list(wrong_fields(Variable(x, lower="0")))
        ["lower='0': expected an int or a Fraction or None"]
        >>> list(wrong_fields(Variable(x, meaning="a distance", lower=Fraction(0))))
        []
    """
    owner: Any = type(record)
    for name, kind in _hints(owner).items():
        if name not in without:
            for fault in _faults(getattr(record, name), kind, name):
                yield fault if isinstance(fault, str) else _said(*fault)


def unprintable(text: str) -> str:
    """Return the number of the first character that no page can show, in hexadecimal; empty if there is none.

    Marks that turn the direction of text around are among them: a page could show another formula than it holds.

    Examples:
        >>> unprintable("plain text"), unprintable("bell " + chr(7))
        ('', '0007')
    """
    found = _UNPRINTABLE.search(text)
    return f"{ord(found[0]):04X}" if found else ""


@lru_cache(maxsize=1_000)
def _hints(owner: type) -> dict[str, Any]:
    """Return the annotations of a dataclass's fields as types, which takes long and is the same for every object."""
    known = get_type_hints(owner)
    return {field.name: known[field.name] for field in dataclasses.fields(owner)}


#: A text, or place, value and what is wanted, of which a text is made where it is shown: that takes long.
_Fault: TypeAlias = str | tuple[str, Any, str]


def _faults(value: Any, kind: Any, place: str) -> Iterator[_Fault]:
    """Yield the faults of a value against an annotation: unions, tuples, mappings, literals, classes, and fields
    inside.

    A fault is a text, or the parts of one that is put together only when it is shown.
    """
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        yield from _faults_of_choice(value, arguments, place)
    elif origin is tuple:
        yield from _faults_of_tuple(value, arguments, place)
    elif origin is not None and isinstance(origin, type) and issubclass(origin, Mapping):
        yield from _faults_of_mapping(value, arguments, place)
    elif origin is Literal:
        # Values and not classes are listed: equality decides.
        if value not in arguments:
            yield f"{place}={_shown(value)}: allowed are {', '.join(map(repr, arguments))}"
    elif isinstance(value, str) and (odd := unprintable(value)):
        yield (place, value, f"a text without U+{odd}, which no page can show")
    elif not _is_a(value, origin or kind):
        yield (place, value, _words(kind))
    elif dataclasses.is_dataclass(value) and not is_formula(value):  # formulas look at their parts themselves
        yield from (f"{place}: {fault}" for fault in wrong_fields(value))


def _faults_of_mapping(value: Any, kinds: tuple[Any, ...], place: str) -> Iterator[_Fault]:
    """Yield the faults of a mapping, of its keys and of its items."""
    if not isinstance(value, Mapping):
        yield (place, value, "a dict, such as {x: 1}")
        return
    for key, item in value.items():
        for part, kind, words in ((key, kinds[0], "{}: the key {}"), (item, kinds[1], "{}[{}]")):
            if any(_faults(part, kind, "")):  # to show a key takes longer than to look at it
                yield from _faults(part, kind, words.format(place, _shown(key)))


def _faults_of_choice(value: Any, kinds: tuple[Any, ...], place: str) -> Iterator[_Fault]:
    """Yield the faults of a value that may be of several kinds: none if it is of one of them, else
    those against the kind that it looks like.
    """
    found: list[list[_Fault]] = []
    for kind in kinds:
        found.append(list(_faults(value, kind, place)))
        if not found[-1]:
            return
    # For a tuple of which one item is wrong, the item is named and not the whole tuple.
    within = [faults for faults, kind in zip(found, kinds, strict=True) if _looks_like(value, kind)]
    yield from within[0] if within else [(place, value, " or ".join(map(_words, kinds)))]


def _looks_like(value: Any, kind: Any) -> bool:
    """Return whether the value is of the kind on the outside, so that what is wrong lies within."""
    origin = get_origin(kind) or kind
    if isinstance(value, str) or not isinstance(origin, type):
        return False
    return isinstance(value, origin) and (issubclass(origin, tuple | Mapping) or dataclasses.is_dataclass(origin))


def _faults_of_tuple(value: Any, kinds: tuple[Any, ...], place: str) -> Iterator[_Fault]:
    """Yield the faults of a tuple, of its length and of its items, each by its number."""
    if not isinstance(value, tuple):
        yield (place, value, "a tuple; for a single one write (it,)")
        return
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        # `tuple[X, ...]` has any length, and one kind for all of its items.
        kinds = (kinds[0],) * len(value)
    if len(kinds) != len(value):
        yield (place, value, f"a tuple of {len(kinds)}")
        return
    for number, (item, kind) in enumerate(zip(value, kinds, strict=True)):
        yield from _faults(item, kind, f"{place}[{number}]")


def _is_a(value: Any, kind: Any) -> bool:
    """Return whether a value is of a kind, by the rules for numbers that `wrong_fields` states.

    Args:
        kind: A class. Anything else, such as a type variable, lets everything pass.
    """
    if kind is Any or not isinstance(kind, type):
        return True
    # True is an int for Python, and no number that an author writes.
    if kind in (int, float, Fraction, sympy.Expr, sympy.Rational) and isinstance(value, bool):
        return False
    if kind is float:
        return isinstance(value, int | float)
    if kind is Fraction:
        return isinstance(value, int | Fraction)
    if kind is sympy.Expr:
        return isinstance(value, sympy.Expr | int | Fraction)
    if issubclass(kind, Callable):  # type: ignore[arg-type]
        return callable(value)
    # A protocol asks for methods, which are looked at where they are used.
    return bool(getattr(kind, "_is_protocol", False)) or isinstance(value, kind)


def _words(kind: Any) -> str:
    """Return a kind in words, as a message says it: `None or an integer`, `a tuple`, `Chart(...)`."""
    origin = get_origin(kind)
    # Words first: the name of a class is no help to an author who wants to write a number.
    if kind in _WORDS:
        return _WORDS[kind]
    if origin in (Union, types.UnionType):
        return " or ".join(map(_words, get_args(kind)))
    if origin is tuple:
        return "a tuple"
    name = getattr(origin or kind, "__name__", str(kind))
    return {"Mapping": "a dict", "Callable": "a function"}.get(name, f"{name}(...)")


def _said(place: str, value: Any, wanted: str) -> str:
    """Return the message for a value of another kind; a class in the place of an object is the likelier slip, and is
    named.
    """
    # Its text would be that of a class, and the message a riddle.
    if isinstance(value, type):
        return f"{place} is the class {value.__name__}, not an object of it: expected {wanted}"
    return f"{place}={_shown(value)}: expected {wanted}"


def _shown(value: Any) -> str:
    """Return a value for a message, cut where it is long."""
    try:
        text = repr(value) if isinstance(value, str) else str(value)
    except ValueError:  # an integer that Python refuses to print
        text = f"{type(value).__name__}"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
