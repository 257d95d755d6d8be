"""Plans as files, JSON or TOML: read with exact numbers, refused with the field and its line; their JSON schema.

Python's parser of JSON keeps no lines and joins fields that are given twice. A privacy account that used one of two
noise multipliers without a word would be worse than none, so the few rules of JSON are read here.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from rgm_verify.accounting.plans.fields import Field
from rgm_verify.accounting.plans.plan import Line, Plan, plan
from rgm_verify.accounting.plans.releases import ADJACENCIES, GIVEN, KINDS, fields_of, release_of
from rgm_verify.errors import InputError, reject, require
from rgm_verify.jobs.files import write_atomically
from rgm_verify.numbers.decimals import exact_text

__all__ = ["plan_data", "read_plan", "schema", "write_plan"]

_FIELDS: Mapping[str, Field] = {
    "releases": Field("What is released, in any order; the parameters are fixed in advance."),
    "adjacency": Field(
        "Which data sets are neighbours; has to be said where dp-sgd or randomised response stands beside others.",
        required=False,
    ),
    "group": Field("How many records neighbours differ in; 1 if left out.", required=False),
    "delta": Field("Ask for epsilon at this delta.", required=False),
    "epsilon": Field("Ask for delta at this epsilon.", required=False),
    "budget": Field("What may be spent of the quantity that is asked for.", required=False),
}
_TEXTS = {"mechanism", "name", "adjacency"} | {
    name for kind in KINDS.values() for name, field in kind.fields.items() if field.text
}
_LONGEST = 10**7  # characters: the text is searched for line ends again and again
_DEEPEST = 20  # a plan needs three levels; the reader is recursive


def read_plan(path: Path | str) -> Plan:
    """Return the plan of a file that ends in `.json` or `.toml`.

    Args:
        path: the file, in UTF-8, of at most 10 million characters. Numbers may be numbers or texts such as "1/100", and
            are taken as they are written: 0.1 is 1/10, not the float next to it.

    Returns:
        The plan, checked as `plan` and the releases check it.

    Raises:
        InputError: as `FILE:LINE: FIELD: reason`, for everything that a plan does not have: another ending, a text that
            is no JSON or TOML, a field that is not known, missing or given twice, a number out of range, and a relation
            of neighbours that a release has no account for.

    Examples:
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     file = Path(folder) / "plan.json"
        ...     _ = file.write_text('{"releases": [{"mechanism": "laplace", "scale": 0.5}], "epsilon": 1}')
        ...     read_plan(file).releases[0].scale
        Fraction(1, 2)
    """
    if isinstance(path, str):
        path = Path(path)
    require("path", path, Path)
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: not a text in UTF-8") from None
    if len(text) > _LONGEST:
        raise InputError(f"{path}: longer than a plan may be")
    if path.suffix == ".json":
        found, lines = _Json(text, path.name).document()
    elif path.suffix == ".toml":
        found, lines = _toml(text, path.name)
    else:
        raise InputError(f"{path}: a plan ends in .json or .toml")
    return _Document(path.name, lines).plan(found)


def plan_data(planned: Plan) -> dict[str, Any]:
    """Return a plan as the JSON data of a file: numbers are exact texts; a run of several segments is as many lines.

    Examples:
        >>> plan_data(plan([release_of("laplace", {"scale": 2, "count": 3})], delta="1e-6"))["releases"]
        [{'mechanism': 'laplace', 'name': '1: laplace', 'scale': '2', 'count': 3}]
    """
    require("planned", planned, Plan)
    data: dict[str, Any] = {} if planned.adjacency == GIVEN else {"adjacency": planned.adjacency}
    if planned.group > 1:
        data["group"] = planned.group
    for name in ("delta", "epsilon", "budget"):
        value = getattr(planned, name)
        data |= {} if value is None else {name: exact_text(value)}
    data["releases"] = [
        {"mechanism": part.kind, "name": line.name}
        | {name: _text(v) for name, v in part.values().items()}
        | {"count": part.count}
        for line in planned.lines
        for part in line.release.parts
    ]
    return data


def _text(value: Fraction | int | str) -> str | int:
    """Return a whole number or a text as it is, and any other number as a text that is read back exactly."""
    return exact_text(value) if isinstance(value, Fraction) else value


def write_plan(planned: Plan, path: Path | str) -> None:
    """Write a plan to a file that ends in `.json`, which `read_plan` reads back to the last digit.

    Raises:
        InputError: for another ending, and where the file cannot be written.
    """
    file = Path(path)
    if file.suffix != ".json":
        raise reject("path", str(path), "a plan that is written ends in .json")
    write_atomically(file, (json.dumps(plan_data(planned), indent=1) + "\n").encode())


class _Number(str):
    """A number as it is written, apart from a text in quotation marks.

    A text, so that no float comes between the file and the exact number; a class of its own, so that `"name": 3` can
    be told from `"name": "3"`.
    """

    __slots__ = ()


class _Document:
    """The text that was read, with the line of each field, to make a plan of it.

    Args:
        file: the name of the file, for messages.
        lines: the line of each field by its path, such as `releases[2].count`. Lines serve messages alone.
    """

    def __init__(self, file: str, lines: Mapping[str, int]) -> None:
        self.file, self.lines = file, lines

    def plan(self, found: Any) -> Plan:
        """Return the plan of what was read, each release checked with the line that it stands on."""
        if not isinstance(found, dict):
            raise InputError(f"{self.file}:1: expected an object with the fields {', '.join(_FIELDS)}")
        self._known(found, _FIELDS, "")
        releases = found["releases"]
        if not isinstance(releases, list) or not releases:
            raise self._wrong("releases", "releases: expected a list with at least one release")
        lines, places = [], []
        for number, given in enumerate(releases):
            place = f"releases[{number}]"
            if not isinstance(given, dict):
                raise self._wrong(place, f"{place}: expected an object with a mechanism")
            lines.append(self._line(given, place))
            places.append(f"{place}.")
        # The relations between fields are checked where plans are made, so that a file and a caller hear the same.
        rest = {name: self._value(value, name, name) for name, value in found.items() if name != "releases"}
        try:
            return plan(lines, places=places, **rest)
        except InputError as error:
            raise self._located(error) from None

    def _line(self, given: dict[str, Any], place: str) -> Line:
        """Return one release with its name."""
        if "mechanism" not in given:
            raise self._wrong(place, f"{place}.mechanism: missing; known are {', '.join(KINDS)}")
        values = {name: self._value(value, f"{place}.{name}", name) for name, value in given.items()}
        kind, name = values.pop("mechanism"), values.pop("name", "")
        try:
            if kind in KINDS:
                self._known(values, fields_of(kind), f"{place}.")
            return Line(name, release_of(kind, values, f"{place}."))
        except InputError as error:
            raise self._located(error) from None

    def _value(self, value: Any, path: str, name: str) -> Any:
        """Return a text where a text belongs, a number elsewhere; JSON's own numbers are texts here."""
        if name in _TEXTS:
            if isinstance(value, str) and not isinstance(value, _Number):
                return value
            raise self._wrong(path, f"{path}: expected a text")
        # For Python true is an integer: `"count": true` would be one release.
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise self._wrong(path, f'{path}: expected a number, or a text such as "1/100"')
        return value

    def _known(self, given: Mapping[str, Any], known: Mapping[str, Field], place: str) -> None:
        """Refuse fields that are not known, and the lack of one that is required."""
        for name in given:
            if name not in known:
                path = f"{place}{name}"
                raise self._wrong(path, f"{path}: no such field; there are {', '.join(known)}")
        for name, field in known.items():
            if field.required and name not in given:
                where = place.rstrip(".")
                raise self._wrong(where, f"{place}{name}: missing; {field.meaning[0].lower()}{field.meaning[1:]}")

    def _located(self, error: InputError) -> InputError:
        """Return the error with the line of the field that it begins with; one that has a line stays."""
        text = str(error)
        # What was found in here has its line already; a second one in front of it would be the wrong one.
        if text.startswith(f"{self.file}:"):
            return error
        return self._wrong(re.split(r"[=:, ]", text, maxsplit=1)[0], text)

    def _wrong(self, path: str, message: str) -> InputError:
        """Return the error with file and line."""
        # A field that is not there has the line of what it is missing from.
        while path and path not in self.lines:
            path = path.rpartition(".")[0]
        return InputError(f"{self.file}:{self.lines.get(path, 1)}: {message}")


# ---------------------------------------------------------------------------------------------------------------- JSON


class _Json:
    """JSON with the line of each member, numbers as texts, and no member twice.

    Args:
        text: the whole text.
        file: its name, for messages.
    """

    # Words and numbers are one kind of token: `NaN` and `01` are then refused by name and not as a stray letter.
    _token = re.compile(r'[ \t\r\n]*(?:([{}\[\]:,])|("(?:[^"\\\x00-\x1f]|\\.)*")|([-+.\w]+))')

    def __init__(self, text: str, file: str) -> None:
        self.text, self.file, self.at = text, file, 0
        self.lines: dict[str, int] = {}

    def document(self) -> tuple[Any, dict[str, int]]:
        """Return the value of the whole text, and the line of each member by its path.

        Raises `InputError` with the file and the line for a text that is no JSON, and for one that goes on after its
        value.
        """
        found = self._value("", 0)
        if self.text[self.at :].strip():
            raise self._wrong("something after the end of the plan")
        return found, self.lines

    def _wrong(self, what: str) -> InputError:
        """Return the error at the place that has been reached."""
        line = self.text.count("\n", 0, self.at) + 1
        return InputError(f"{self.file}:{line}: {what}")

    def _next(self, wanted: str) -> str:
        """Return the next token; `InputError` where there is none."""
        match = self._token.match(self.text, self.at)
        if match is None:
            raise self._wrong(f"expected {wanted}")
        self.at = match.end()
        return match[1] or match[2] or match[3]

    def _value(self, path: str, depth: int) -> Any:
        """Return the next value, and note its line. The depth is bounded, as this is recursive."""
        if depth > _DEEPEST:
            raise self._wrong("nested too deeply for a plan")
        token = self._next("a value")
        # The line of the first value at a path: members note theirs before.
        self.lines.setdefault(path, self.text.count("\n", 0, self.at) + 1)
        if token == "{":
            return dict(self._members(path, depth))
        if token == "[":
            return list(self._elements(path, depth))
        if token[0] == '"':
            return self._string(token)
        if re.fullmatch(r"-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?", token):
            return _Number(token)
        if token in ("true", "false", "null"):
            return {"true": True, "false": False, "null": None}[token]
        raise self._wrong(f"{path or 'plan'}: {token[:40]!r} is no value of JSON")

    def _string(self, token: str) -> str:
        """Return a text, its escapes read by Python's own parser."""
        try:
            return str(json.loads(token))
        except json.JSONDecodeError:
            raise self._wrong(f"{token[:40]} is no text of JSON") from None

    def _members(self, path: str, depth: int) -> Iterator[tuple[str, Any]]:
        """Yield the members of an object; `InputError` for one that is given twice."""
        seen = set()
        token = self._next("a field or }")
        while token != "}":
            if token[0] != '"':
                raise self._wrong("expected the name of a field in quotation marks")
            name = self._string(token)
            member = f"{path}.{name}" if path else name
            if name in seen:
                raise self._wrong(f"{member}: given twice")
            seen.add(name)
            self.lines[member] = self.text.count("\n", 0, self.at) + 1
            if self._next("a colon") != ":":
                raise self._wrong(f"{member}: expected a colon after the name of the field")
            yield name, self._value(member, depth + 1)
            token = self._separator("}")

    def _elements(self, path: str, depth: int) -> Iterator[Any]:
        """Yield the elements of a list."""
        match = self._token.match(self.text, self.at)
        if match and match[1] == "]":
            self.at = match.end()
            return
        number = 0
        while True:
            yield self._value(f"{path}[{number}]", depth + 1)
            number += 1
            if self._separator("]") == "]":
                return

    def _separator(self, end: str) -> str:
        """Return the end, or the token after a comma."""
        token = self._next(f"a comma or {end}")
        if token == end:
            return token
        if token != ",":
            raise self._wrong(f"expected a comma or {end}, got {token[:40]!r}")
        return self._next("a field") if end == "}" else token


# ---------------------------------------------------------------------------------------------------------------- TOML


def _toml(text: str, file: str) -> tuple[Any, dict[str, int]]:
    """Return the values of a TOML text with decimals as they are written, and the lines of its fields.

    Raises `InputError` with the file and the line. TOML forbids a field that is given twice, so that Python's own
    parser will do; it says where its errors are in a sentence only.
    """
    try:
        found = tomllib.loads(text, parse_float=_Number)
    except tomllib.TOMLDecodeError as error:
        match = re.search(r"at line (\d+)", str(error))
        # An error at the end of the text has no line in the message: it is in the last one that holds something.
        line = match[1] if match else max(1, text.rstrip("\n").count("\n") + 1)
        raise InputError(f"{file}:{line}: {str(error).split(' (at')[0]}") from None
    return found, dict(_toml_lines(text))


def _toml_lines(text: str) -> Iterator[tuple[str, int]]:
    """Yield the paths of fields and their lines, for tables that are written as such.

    A field of an inline table is not found and gets the line of what holds it; the values do not depend on this.
    """
    table, releases = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r"\s*\[\[\s*releases\s*\]\]", line):
            table, releases = f"releases[{releases}]", releases + 1
            yield table, number
            if releases == 1:
                yield "releases", number
        elif (match := re.match(r"\s*\"?([\w-]+)\"?\s*=", line)) is not None:
            yield (f"{table}.{match[1]}" if table else match[1]), number


# -------------------------------------------------------------------------------------------------------------- schema


def schema() -> dict[str, Any]:
    """Return the JSON schema of a plan (draft 2020-12), made from the same fields that reading checks.

    A schema cannot say everything: the ranges of numbers, and which relation goes with which sampler, are found by
    reading alone. An editor that knows the schema shows the meaning of each field.

    Examples:
        >>> schema()["required"], sorted(schema()["$defs"])[:3]
        (['releases'], ['approximate-dp', 'discrete-gaussian', 'discrete-gaussian-vector'])
    """
    properties = {name: {"description": field.meaning, **_NUMBER} for name, field in _FIELDS.items()}
    properties["adjacency"] = {"description": _FIELDS["adjacency"].meaning, "enum": list(ADJACENCIES)}
    kinds = [{"$ref": f"#/$defs/{kind}"} for kind in KINDS]
    properties["releases"] = {
        "description": _FIELDS["releases"].meaning,
        "type": "array",
        "minItems": 1,
        "items": {"oneOf": kinds},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A plan of private releases, for `rgm-verify account FILE`",
        "type": "object",
        "properties": properties,
        "required": [name for name, field in _FIELDS.items() if field.required],
        "additionalProperties": False,
        "not": {"required": ["delta", "epsilon"]},
        "$defs": {kind: _kind_schema(kind) for kind in KINDS},
    }


_NUMBER: Mapping[str, Any] = {
    "anyOf": [
        {"type": "number", "exclusiveMinimum": 0},
        {"type": "string", "pattern": r"^\s*\+?[0-9._]+([eE][-+]?[0-9]+)?(/[0-9]+)?\s*$"},
        # An epsilon of 0 is a question, and `r_rel` and `sigma2` may be 0; where 0 is not allowed, reading says so.
        {"const": 0},
    ]
}


def _kind_schema(kind: str) -> dict[str, Any]:
    """Return the schema of a release of one kind."""
    known = fields_of(kind)
    properties: dict[str, Any] = {name: {"description": field.meaning, **_NUMBER} for name, field in known.items()}
    properties["name"] = {"description": known["name"].meaning, "type": "string"}
    for name, field in known.items():
        if field.written:
            properties[name] = {"description": field.meaning, "type": "string"}
        if field.choices:
            properties[name] = {"description": field.meaning, "enum": list(field.choices)}
    title = (KINDS[kind].__doc__ or "").split("\n")[0]
    return {
        "description": title,
        "type": "object",
        "properties": {"mechanism": {"const": kind}, **properties},
        "required": ["mechanism", *(name for name, field in known.items() if field.required)],
        "additionalProperties": False,
    }
