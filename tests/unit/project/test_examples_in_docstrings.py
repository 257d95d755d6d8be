"""Docstrings: the examples in them say what the code does, and there are enough of them to work with."""

from __future__ import annotations

import ast
import doctest
import importlib
import io
import re
import tokenize
from pathlib import Path

import pytest

LIBRARY = Path(__file__).resolve().parents[3] / "rgm_verify"

# A message may be longer than a line of a docstring, and an exact number longer than a reader wants.
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS

ROOMS = sorted(path.name for path in LIBRARY.iterdir() if (path / "__init__.py").is_file())
LEAST_DOCSTRINGS, LEAST_COMMENTS = 25.0, 4.0
"""Shares of docstrings and of comments that speak to a reader in the lines of each room, in percent."""


def modules_with_examples() -> list[str]:
    paths = [p for p in sorted(LIBRARY.rglob("*.py")) if re.search(r"^ *>>> ", p.read_text(encoding="utf-8"), re.M)]
    return [".".join(p.relative_to(LIBRARY.parent).with_suffix("").parts).removesuffix(".__init__") for p in paths]


def failures(module: object) -> tuple[int, list[str]]:
    """Return how many examples a module has, and what is said of those that fail."""
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    count, said = 0, []
    for test in doctest.DocTestFinder(exclude_empty=True).find(module):
        out = io.StringIO()
        found = runner.run(test, out=out.write)
        count += found.attempted
        said += [out.getvalue()] if found.failed else []
    return count, said


@pytest.mark.parametrize("name", modules_with_examples())
def test_the_examples_of_a_module_show_what_it_does(name: str) -> None:
    count, said = failures(importlib.import_module(name))
    assert count > 0, "the examples are in no docstring"
    assert not said, "\n".join(said)


def test_an_example_that_is_wrong_is_noticed() -> None:
    module = type(ast)("wrong")
    module.__doc__ = "Add.\n\n>>> 1 + 1\n3\n>>> 1 + 2\n3\n"
    count, said = failures(module)
    assert (count, len(said)) == (2, 1)
    assert "1 + 1" in said[0]
    assert "1 + 2" not in said[0]


def is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def counts(text: str) -> tuple[int, int, int]:
    """Return the lines of a file, those of its docstrings, and its comments that speak to a reader."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    bodies = [node.body for node in ast.walk(ast.parse(text)) if isinstance(node, documented)]
    strings = [body[0] for body in bodies if body and is_docstring(body[0])]
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    comments = [t for t in tokens if t.type == tokenize.COMMENT and not t.string.startswith(("# noqa", "# type", "#!"))]
    return text.count("\n"), sum((s.end_lineno or 0) - s.lineno + 1 for s in strings), len(comments)


def shares(room: str) -> tuple[float, float]:
    found = [counts(path.read_text(encoding="utf-8")) for path in (LIBRARY / room).rglob("*.py")]
    lines, strings, comments = map(sum, zip(*found, strict=True))
    return 100 * strings / lines, 100 * comments / lines


def test_lines_are_counted_as_stated() -> None:
    text = '"""One\n\nthree."""\n\nx = 1  # why\n# and why\ny = 2  # noqa: E501\n\n\ndef f():\n    """Four."""\n'
    assert counts(text) == (11, 4, 2)


def test_every_room_is_looked_at() -> None:
    assert {"accounting", "claims", "kernel", "lenses"} < set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_explains_itself(room: str) -> None:
    docstrings, comments = shares(room)
    assert docstrings >= LEAST_DOCSTRINGS, f"{docstrings:.1f} % of {room} are docstrings"
    assert comments >= LEAST_COMMENTS, f"{comments:.1f} % of {room} are comments"
