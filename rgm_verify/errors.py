"""Errors: what a user did wrong (given, allowed, what to do), what the library did wrong, and the end of time."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from types import UnionType
from typing import Any, TypeVar

_LONGEST_VALUE = 120
_LARGEST_INTEGER_BITS = 1000  # Python itself refuses to print much longer ones

_Function = TypeVar("_Function", bound=Callable[..., Any])


class InputError(ValueError):
    """An argument that is outside what a function allows.

    The command line turns it into exit code 2. Anything else that is raised is a defect of the library.
    """


class InternalError(Exception):
    """Two results that were both certified contradict each other: a defect of the library, whatever the input was.

    Neither an `InputError` nor an `ArithmeticError`, so that no code that handles those goes on with a false bound. The
    command line asks to report it, with an exit code of its own.
    """


class OutOfTime(BaseException):
    """The time for a piece of work is over. No `except Exception` below the one that set the limit may swallow that."""


def reject(name: str, value: object, allowed: str) -> InputError:
    """Return (not raise) the `InputError` that reads ``name=value: allowed``.

    `allowed` says what is allowed and, where it helps, what to do: ``raise reject("sigma", -1, "the noise scale
    must be >= 0")`` renders ``sigma=-1: the noise scale must be >= 0``. Long values
    are shortened, so that an array never floods the message.
    """
    return InputError(f"{name}={_shown(value)}: {allowed}")


def no_such_claim(given: str, known: Iterable[str]) -> InputError:
    """Return (not raise) the `InputError` for an id that no claim has, with the nearest ids.

    Args:
        given: What was given, an id or a pattern.
        known: The ids that there are.

    Examples:
        >>> str(no_such_claim("my:sums", ["my:sum", "other"]))
        "id='my:sums': no such claim; did you mean my:sum?; `list` shows them all"
    """
    return InputError(f"id={_shown(given)}: no such claim{meant(given, known)}; `list` shows them all")


def meant(given: str, known: Iterable[str]) -> str:
    """Return the nearest names as a question behind a semicolon, empty without a near one.

    Args:
        given: A name that is not known.
        known: The names that are.

    Examples:
        >>> meant("thoerem", ["theorem", "lemma"])
        '; did you mean theorem?'
    """
    close = get_close_matches(given, list(known), n=3, cutoff=0.5)
    return f"; did you mean {' or '.join(close)}?" if close else ""


def require(name: str, value: object, kind: type | UnionType) -> None:
    """Raise the `InputError` that names an argument and what it has to be, unless `value` is of this kind."""
    if not isinstance(value, kind):
        allowed = kind.__name__ if isinstance(kind, type) else str(kind)
        short = " or ".join(part.rpartition(".")[2] for part in allowed.split(" | "))
        raise InputError(f"{name}: expected {short}, got {type(value).__name__}")


def takes(**kinds: type | UnionType) -> Callable[[_Function], _Function]:
    """Return a decorator that looks at the kinds of arguments, so that a wrong one is named and not found inside.

    Examples:
        >>> @takes(count=int)
        ... def twice(count):
        ...     return 2 * count
        >>> twice("2")
        Traceback (most recent call last):
        rgm_verify.errors.InputError: count: expected int, got str
    """

    def decorate(function: _Function) -> _Function:
        places = list(inspect.signature(function).parameters)
        looked_at = [(name, places.index(name), kind) for name, kind in kinds.items()]

        @functools.wraps(function)
        def checked(*args: Any, **named: Any) -> Any:
            for name, place, kind in looked_at:
                if place < len(args):
                    require(name, args[place], kind)
                elif name in named:
                    require(name, named[name], kind)
            return function(*args, **named)

        return checked  # type: ignore[return-value]

    return decorate


def depends_on_data(message: str) -> InputError:
    """Return (not raise) an error that private data are the reason of, whose message shows nothing of them.

    It is to be raised outside of every `except` block: an exception in its context may quote the data.
    """
    return InputError(f"{message}. This message depends on the data: keep it private")


def _shown(value: object) -> str:
    if isinstance(value, int) and value.bit_length() > _LARGEST_INTEGER_BITS:
        return f"an integer of {value.bit_length()} bits"
    text = repr(value) if isinstance(value, str) else str(value)
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}... ({type(value).__name__})"
