"""Results that display themselves: a table of their fields in a notebook, and a data frame where pandas is there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from html import escape
from typing import Any, TypeAlias

from rgm_verify.errors import InputError

__all__ = ["Framed", "Rows", "Shown", "frame", "of_fields", "table"]

Rows: TypeAlias = list[dict[str, Any]]
"""The rows of a data frame: values by the names of columns."""

#: What is longer is cut: a notebook is no place for a thousand rows.
_MOST_ROWS, _LONGEST = 40, 300


def table(rows: Iterable[tuple[str, str]]) -> str:
    """Return names and values as a table of HTML; names are texts, values are HTML already.

    Args:
        rows: Names and values; a row without a value is left out.
    """
    cells = "".join(
        f'<tr><th style="text-align:left;vertical-align:top">{escape(name)}</th>'
        f'<td style="text-align:left">{value}</td></tr>'
        for name, value in rows
        if value
    )
    return f"<table>{cells}</table>"


def frame(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Return rows as a pandas data frame; exact numbers stay exact.

    Args:
        rows: Values by the names of columns.

    Raises:
        InputError: Where pandas is not installed.
    """
    try:
        import pandas  # noqa: PLC0415 - optional, and slow to load
    except ImportError as error:
        raise InputError("to_frame: data frames need pandas, which is not installed; pip install pandas") from error
    return pandas.DataFrame(list(rows))


class Shown:
    """A dataclass whose objects display themselves in notebooks, field by field, as `repr` does."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """Return the fields as a table; those that `repr` leaves out stay out."""
        return table((name.replace("_", " "), _html(value)) for name, value in _values(self))


class Framed(Shown):
    """A result that is a data frame as well."""

    __slots__ = ()

    def rows(self) -> Rows:
        """The rows of the data frame: one with the fields, bounds by their two ends."""
        return [of_fields(self)]

    def to_frame(self) -> Any:
        """Return the result as a pandas data frame; exact numbers stay exact, bounds are two columns.

        Raises:
            InputError: Where pandas is not installed.
        """
        return frame(self.rows())


def of_fields(shown: object) -> dict[str, Any]:
    """Return the fields of a dataclass by name, with those of what they hold in the place of it, named after both.

    Args:
        shown: An object of a dataclass.
    """
    return _flat(dict(_values(shown)))


def _flat(values: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, Shown):
            found |= _flat({f"{name}_{inner}": one for inner, one in _values(value)})
        else:
            found[name] = value
    return found


def _values(shown: object) -> list[tuple[str, Any]]:
    """Return the fields that `repr` shows."""
    return [(f.name, getattr(shown, f.name)) for f in fields(shown) if f.repr]  # type: ignore[arg-type]


def _html(value: object) -> str:
    """Return a value as HTML."""
    if isinstance(value, Shown):
        return value._repr_html_()
    if isinstance(value, tuple | list):
        shown = [_html(one) for one in value[:_MOST_ROWS]]
        return "<br>".join([*shown, *([f"and {len(value) - _MOST_ROWS} more"] if len(value) > _MOST_ROWS else [])])
    if isinstance(value, Mapping):
        return table((str(name), _html(one)) for name, one in list(value.items())[:_MOST_ROWS])
    if value is None:
        return ""
    text = str(value) if isinstance(value, str | Fraction) else repr(value)
    return escape(text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…")
